//! What the opponent's rolls do after two plays, and which of them an explanation names.

use super::no_play_or;
use super::why::{RollEvent, WhyRoll};
use nonet_engine::explain::RollShare;

/// Named rolls make this part of the difference, if rolls that do the same can make it.
const NAMED_PART: f32 = 0.7;
/// Not more different things than these are told.
const MOST_KINDS: usize = 3;
/// Rolls that do nothing with a name are named if they are no more than these.
const MOST_NAMELESS: usize = 4;

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
    let mut named = 0.0;
    for (kind, sum) in kinds(&rolls).into_iter().take(MOST_KINDS) {
        if named >= NAMED_PART * whole {
            break;
        }
        for roll in rolls.iter_mut().filter(|roll| roll.share > 0.0 && roll.does == kind) {
            roll.named = true;
        }
        named += sum;
    }
    rolls
}

/// What rolls that speak for the better play do, with the sum of their shares, the largest first.
fn kinds(rolls: &[WhyRoll]) -> Vec<(Option<RollEvent>, f32)> {
    let mut kinds: Vec<(Option<RollEvent>, f32, usize)> = Vec::new();
    for roll in rolls.iter().filter(|roll| roll.share > 0.0) {
        match kinds.iter_mut().find(|(kind, ..)| *kind == roll.does) {
            Some((_, sum, count)) => (*sum, *count) = (*sum + roll.share, *count + 1),
            None => kinds.push((roll.does.clone(), roll.share, 1)),
        }
    }
    kinds.retain(|(kind, _, count)| kind.is_some() || *count <= MOST_NAMELESS);
    kinds.sort_by(|a, b| b.1.total_cmp(&a.1));
    kinds.into_iter().map(|(kind, sum, _)| (kind, sum)).collect()
}

/// What the opponent's roll does after one of the two plays and not after the other. For a roll
/// that speaks for the worse play, the plays change places.
fn does(roll: &RollShare) -> Option<RollEvent> {
    let [better, worse] = roll.replies.each_ref().map(Option::as_ref);
    let straight = roll.share >= 0.0;
    let (good, bad) = if straight { (better?, worse?) } else { (worse?, better?) };
    let event = |what: &str, with_good: bool| {
        Some(RollEvent { what: what.to_owned(), after_better: with_good == straight })
    };
    if bad.hits > good.hits {
        return event(if bad.hits > 1 { "hits twice" } else { "hits" }, false);
    }
    if good.on_bar > bad.on_bar {
        return event("stays on the bar", true);
    }
    let made = bad.makes.iter().find(|point| !good.makes.contains(point));
    let made = made.filter(|point| **point <= 8 || **point >= 18)?;
    event(&format!("makes the opponent's {made} point"), false)
}
