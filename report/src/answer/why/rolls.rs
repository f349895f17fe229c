//! What the opponent's rolls do after two plays, and which of them an explanation names.

use super::deeds::{escapes, off, on_bar, out};
use super::words::Said;
use super::{RollEvent, WhyRoll};
use crate::answer::no_play_or;
use nonet_engine::backgammon::Outcome;
use nonet_engine::explain::{Explanation, OpponentCube, PlayEvent, Reply, RollShare, shots};

/// Named rolls make this part of the difference if they can.
const NAMED_PART: f32 = 0.7;
/// Rolls are named if they make this part at least.
const LEAST_PART: f32 = 0.6;
/// Not more different things than these are told.
const MOST_KINDS: usize = 4;
/// The most rolls that are named though they do nothing with a name.
const MOST_NAMELESS: usize = 5;
/// The same with those of nearly equal share.
const MOST_EQUAL: usize = 8;
/// Shares are nearly equal from this ratio on.
const NEARLY: f32 = 0.9;
/// A group that makes less than this part says nothing.
const NOISE: f32 = 0.03;
/// A throw of a named group makes at least this many times the part of a mean throw.
const ABOVE_MEAN: f32 = 1.5;
/// What the other throws take back is told of rolls, too, if it is this part of what is named.
const MUCH_BACK: f32 = 0.3;
/// A group of them is told if it takes back this part of what is named.
const LARGE_BACK: f32 = 0.25;
/// The rolls add up to the difference of the plays if their sum misses it by less than this.
const MISSED: f32 = 0.003;
/// Or by less than this part of it: the replies are chosen a ply deeper than those of the search.
const MISSED_PART: f32 = 0.35;
/// What is told, less what it takes back, makes no more than this part of the difference.
const MOST_PART: f32 = 1.4;
/// Named rolls that make more than this part show no reason, only that both plays risk much.
const MOST_NAMED: f32 = 1.6;
/// A group of rolls that is not named has less than this part of what is named.
const LARGEST_UNNAMED: f32 = 0.5;
/// Rolls that do something after one of the plays alone make this part of what is named.
const WITH_NAME: f32 = 0.5;

/// The rolls for the answer, in the same order, with what they do and whether they are named.
///
/// No roll is named in four cases:
/// - The rolls do not add up to the loss.
/// - The opponent doubles after the worse play, and the player passes.
/// - The rolls that could be named do not explain the loss.
/// - Rolls that do something else make about as much.
pub(super) fn why_rolls(why: &Explanation) -> Vec<WhyRoll> {
    let (shares, loss) = (&why.rolls, why.loss);
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
                against: false,
            }
        })
        .collect();
    let whole: f32 = rolls.iter().map(|roll| roll.share).sum();
    let is_passed = why.opponent_cube[1] == OpponentCube::Passed;
    if whole <= 0.0005 || !is_whole(whole, loss) || is_passed {
        return rolls;
    }
    let named = chosen(&rolls, whole);
    let sum_of = |of: &[usize]| of.iter().map(|&at| rolls[at].share).sum::<f32>();
    let sum = sum_of(&named);
    let is_one_sided =
        |at: usize| rolls[at].does.as_ref().is_some_and(|does| !does.said.kind.ends_with("-both"));
    let with_name: Vec<usize> = named.iter().copied().filter(|&at| is_one_sided(at)).collect();
    if sum < LEAST_PART * whole || sum_of(&with_name) < WITH_NAME * sum {
        return rolls;
    }
    let is_named = |group: &Group| named.contains(&group.rolls[0]);
    let all = groups(&rolls, 1.0);
    let unnamed = all.iter().filter(|group| !is_named(group)).map(|group| group.sum);
    if unnamed.fold(0.0, f32::max) >= LARGEST_UNNAMED * sum {
        return rolls;
    }
    let mut against = Vec::new();
    let back = sum - whole;
    if back > MUCH_BACK * sum {
        let is_told = |group: &Group| is_one_sided(group.rolls[0]);
        let largest: Vec<Group> =
            groups(&rolls, -1.0).into_iter().filter(is_told).take(2).collect();
        for group in largest {
            if -group.sum >= MUCH_BACK * back && -group.sum >= LARGE_BACK * sum {
                against.extend(group.rolls);
            }
        }
    }
    let told = sum + sum_of(&against);
    let is_clear = sum <= MOST_NAMED * whole;
    if is_clear && (LEAST_PART * whole..=MOST_PART * whole).contains(&told) {
        named.iter().for_each(|&at| rolls[at].named = true);
        against.iter().for_each(|&at| rolls[at].against = true);
    }
    rolls
}

/// Whether the rolls add up to about the loss.
pub(super) fn is_whole(rolls: f32, loss: f32) -> bool {
    (rolls - loss).abs() < MISSED.max(MISSED_PART * loss)
}

fn is_kind(roll: &WhyRoll, kind: &str) -> bool {
    roll.does.as_ref().is_some_and(|does| does.said.kind == kind)
}

/// Rolls that do the same, or one that does nothing with a name.
struct Group {
    rolls: Vec<usize>,
    is_told: bool,
    sum: f32,
    throws: u8,
}

/// The rolls with shares of this sign in groups, the largest first. What cannot be played after
/// either play says nothing.
fn groups(rolls: &[WhyRoll], sign: f32) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let counts = |roll: &WhyRoll| sign * roll.share > 0.0 && !is_kind(roll, "roll-none-both");
    for (at, roll) in rolls.iter().enumerate().filter(|(_, roll)| counts(roll)) {
        let is_told = roll.does.is_some();
        let same = |group: &&mut Group| is_told && rolls[group.rolls[0]].does == roll.does;
        match groups.iter_mut().find(same) {
            Some(group) => {
                group.rolls.push(at);
                group.sum += roll.share;
                group.throws += roll.throws;
            }
            None => groups.push(Group {
                rolls: vec![at],
                is_told,
                sum: roll.share,
                throws: roll.throws,
            }),
        }
    }
    groups.sort_by(|a, b| (sign * b.sum).total_cmp(&(sign * a.sum)));
    groups
}

/// The rolls that make most of the difference.
fn chosen(rolls: &[WhyRoll], whole: f32) -> Vec<usize> {
    let counts = |group: &Group| {
        let mean = f32::from(group.throws) / 36.0;
        group.sum >= NOISE * whole && group.sum >= ABOVE_MEAN * mean * whole
    };
    let groups: Vec<Group> = groups(rolls, 1.0).into_iter().filter(|group| counts(group)).collect();
    let (mut named, mut told, mut nameless, mut part) = (Vec::new(), 0, 0, 0.0);
    let mut least = f32::INFINITY;
    for group in &groups {
        let is_equal = !group.is_told && group.sum >= NEARLY * least && nameless < MOST_EQUAL;
        if part >= NAMED_PART && !is_equal {
            continue;
        }
        match group.is_told {
            true if told == MOST_KINDS => continue,
            true => told += 1,
            false if nameless >= MOST_NAMELESS && !is_equal => continue,
            false => {
                nameless += 1;
                least = group.sum;
            }
        }
        part += group.sum / whole;
        named.extend_from_slice(&group.rolls);
    }
    named
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
    if let Some(said) = end(good, bad) {
        return with_bad(said);
    }
    if bad.hits() > good.hits() {
        return with_bad(match good.hits() {
            0 => Said::new("roll-hits"),
            _ => Said::new("roll-hits-more").with("hits", bad.hits()),
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
    // Both replies hit, and one of them does more.
    let is_hit = good.hits() > 0 && bad.hits() > 0;
    let or_hit = |plain: &str, hit: &str| Said::new(if is_hit { hit } else { plain });
    if count(bad, escapes) > count(good, escapes) {
        return with_bad(or_hit("roll-escapes", "roll-hits-escapes"));
    }
    if count(bad, out) > count(good, out) {
        return with_bad(or_hit("roll-comes-out", "roll-hits-comes-out"));
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
    let shots = [good, bad].map(|reply| shots(&reply.after));
    if shots[0] >= shots[1] + LOOSE {
        let kind = if shots[1] > 0 { "roll-loose-more" } else { "roll-loose" };
        return with_good(or_hit(kind, "roll-hits-loose"));
    }
    if let Some(cleared) = only(good, bad, clears) {
        return with_good(match cleared {
            18.. => point("roll-clears-anchor", 25 - cleared),
            cleared => theirs("roll-clears", cleared),
        });
    }
    either_way(good, bad, shots).and_then(with_bad)
}

/// How a reply ends the game, if that is better for the opponent than the end of the other.
fn end(good: &Reply, bad: &Reply) -> Option<Said> {
    let [good, bad] = [good, bad].map(|reply| reply.after.outcome().map(Outcome::points));
    let bad = bad.filter(|bad| good.is_none_or(|good| *bad < good))?;
    Some(Said::new(match bad {
        ..=-3 => "roll-wins-backgammon",
        -2 => "roll-wins-gammon",
        _ => "roll-wins",
    }))
}

/// What the roll does after both plays, where it costs more after one of them.
fn either_way(good: &Reply, bad: &Reply, shots: [u8; 2]) -> Option<Said> {
    let both = |of: fn(&PlayEvent) -> Option<u8>| count(good, of) > 0 && count(bad, of) > 0;
    if good.hits() > 0 && bad.hits() > 0 {
        return Some(Said::new("roll-hits-both"));
    }
    if good.play.moves().is_empty() && bad.play.moves().is_empty() {
        return Some(Said::new("roll-none-both"));
    }
    if both(off) {
        return Some(Said::new("roll-off-both").with("checkers", count(bad, off)));
    }
    if both(escapes) {
        return Some(Said::new("roll-escapes-both"));
    }
    shots.iter().all(|shots| *shots >= LOOSE).then(|| Said::new("roll-loose-both"))
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
