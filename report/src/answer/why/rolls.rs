//! What the opponent's rolls do after two plays, and which of them an explanation names.

use super::deeds::{escapes, off, on_bar};
use super::words::Said;
use super::{RollEvent, WhyRoll};
use crate::answer::no_play_or;
use nonet_engine::explain::{BoardFacts, PlayEvent, Reply, RollShare};

/// Named rolls make this part of the difference if they can.
const NAMED_PART: f32 = 0.7;
/// Rolls are named if they make this part at least.
const LEAST_PART: f32 = 0.6;
/// Not more different things than these are told.
const MOST_KINDS: usize = 4;
/// The most rolls that are named though they do nothing with a name.
const MOST_NAMELESS: usize = 5;

/// The rolls for the answer, in the same order, with what they do and whether they are named.
pub(super) fn why_rolls(shares: &[RollShare]) -> Vec<WhyRoll> {
    let mut rolls: Vec<WhyRoll> = (shares.iter())
        .map(|roll| {
            let reply = |place: usize| roll.replies[place].as_ref().map(|r| no_play_or(&r.play));
            WhyRoll {
                dice: roll.dice.to_string(),
                throws: roll.dice.weight(),
                share: roll.share,
                reply_to_better: reply(0),
                reply_to_worse: reply(1),
                does: does(roll),
                named: false,
            }
        })
        .collect();
    let whole: f32 = rolls.iter().map(|roll| roll.share).sum();
    if whole <= 0.0005 {
        return rolls;
    }
    let mut part = 0.0;
    for (kind, sum) in kinds(&rolls).into_iter().take(MOST_KINDS) {
        if part >= NAMED_PART {
            break;
        }
        let fits = |roll: &&mut WhyRoll| roll.share > 0.0 && roll.does.as_ref() == Some(&kind);
        rolls.iter_mut().filter(fits).for_each(|roll| roll.named = true);
        part += sum / whole;
    }
    let nameless = rolls.iter_mut().filter(|roll| roll.does.is_none() && roll.share > 0.0);
    for roll in nameless.take(MOST_NAMELESS) {
        if part >= NAMED_PART {
            break;
        }
        roll.named = true;
        part += roll.share / whole;
    }
    if part < LEAST_PART {
        rolls.iter_mut().for_each(|roll| roll.named = false);
    }
    rolls
}

/// What rolls that speak for the better play do, with the sum of their shares, the largest first.
fn kinds(rolls: &[WhyRoll]) -> Vec<(RollEvent, f32)> {
    let mut kinds: Vec<(RollEvent, f32)> = Vec::new();
    for roll in rolls.iter().filter(|roll| roll.share > 0.0) {
        let Some(does) = &roll.does else { continue };
        match kinds.iter_mut().find(|(kind, _)| kind == does) {
            Some((_, sum)) => *sum += roll.share,
            None => kinds.push((does.clone(), roll.share)),
        }
    }
    kinds.sort_by(|a, b| b.1.total_cmp(&a.1));
    kinds
}

/// The opponent leaves shots if this many more throws hit than after the other play.
const LOOSE: u8 = 6;

/// What the opponent's roll does after one of the two plays and not after the other. For a roll
/// that speaks for the worse play, the plays change places.
fn does(roll: &RollShare) -> Option<RollEvent> {
    let [better, worse] = roll.replies.each_ref().map(Option::as_ref);
    let straight = roll.share >= 0.0;
    let (good, bad) = if straight { (better?, worse?) } else { (worse?, better?) };
    // `good` is the reply that is worse for the opponent.
    let with_good = |said| Some(RollEvent::new(said, straight));
    let with_bad = |said| Some(RollEvent::new(said, !straight));
    if bad.hits() > good.hits() {
        return with_bad(match bad.hits() {
            1 => Said::new("roll-hits"),
            hits => Said::new("roll-hits-more").with("hits", hits),
        });
    }
    if count(good, on_bar) > count(bad, on_bar) {
        return with_good(Said::new("roll-stays"));
    }
    if good.play.moves().is_empty() && !bad.play.moves().is_empty() {
        return with_good(Said::new("roll-none"));
    }
    let borne = count(bad, off);
    if borne > count(good, off) {
        return with_bad(Said::new("roll-off").with("checkers", borne));
    }
    if count(bad, escapes) > count(good, escapes) {
        return with_bad(Said::new("roll-escapes"));
    }
    let point = |kind: &str, point: u8| Said::new(kind).with("point", point);
    // The board on the page has the numbers of the player who decides.
    let theirs = |kind: &str, of: u8| point(kind, of).with("own", 25 - of);
    let only = |these: &Reply, others: &Reply, of: fn(&PlayEvent) -> Option<u8>| {
        let mut points = these.events.iter().filter(|event| !others.events.contains(event));
        points.find_map(|event| of(event).filter(|point| *point <= 8 || *point >= 18))
    };
    if let Some(made) = only(bad, good, makes) {
        return with_bad(match made {
            7 => Said::new("roll-makes-bar"),
            18.. => point("roll-makes-anchor", 25 - made),
            made => theirs("roll-makes", made),
        });
    }
    if let Some(broken) = only(good, bad, breaks) {
        return with_good(match broken {
            18.. => point("roll-breaks-anchor", 25 - broken),
            broken => theirs("roll-breaks", broken),
        });
    }
    let shots = [good, bad].map(|reply| BoardFacts::after(&reply.after).shots);
    if shots[0] >= shots[1] + LOOSE {
        return with_good(Said::new("roll-loose"));
    }
    only(good, bad, clears).and_then(|cleared| {
        with_good(match cleared {
            18.. => point("roll-clears-anchor", 25 - cleared),
            cleared => theirs("roll-clears", cleared),
        })
    })
}

/// The count of the event, if the reply has it.
fn count(reply: &Reply, of: fn(&PlayEvent) -> Option<u8>) -> u8 {
    reply.events.iter().find_map(of).unwrap_or(0)
}

const fn makes(event: &PlayEvent) -> Option<u8> {
    if let PlayEvent::Makes(point) = event { Some(*point) } else { None }
}

const fn breaks(event: &PlayEvent) -> Option<u8> {
    // The back checkers that are split on 24 are no broken point.
    if let PlayEvent::Breaks(point @ ..24) = event { Some(*point) } else { None }
}

const fn clears(event: &PlayEvent) -> Option<u8> {
    if let PlayEvent::Clears(point) = event { Some(*point) } else { None }
}
