//! Which rolls make the difference, in sentences: those that are named and the others add up.

use super::words::{Said, SaidValue, percent};
use super::{RollEvent, WhyAnswer, WhyRoll};
use nonet_engine::explain::{Explanation, OpponentCube, OwnDeed};

/// More rolls than these are counted, not listed.
const LISTED: usize = 8;
/// Shots are told of both plays if they differ by this much.
const SHOTS: u8 = 2;

/// The part of a share in the sum of all rolls in whole per cent: what is told adds up to 100.
fn part_of(answer: &WhyAnswer, share: f32) -> i32 {
    (100.0 * share / answer.rolls_loss).round() as i32
}

/// Whole per cent, without the sign.
fn shown(part: i32) -> SaidValue {
    SaidValue::Decimal { number: part.unsigned_abs() as f32, digits: 0 }
}

/// The opponent's rolls: those that make the difference, those that speak for the other play, and
/// what the other throws make. Nothing is told of rolls if none is named.
pub(super) fn rolls(answer: &WhyAnswer) -> Vec<Said> {
    let named: Vec<&WhyRoll> = answer.rolls.iter().filter(|roll| roll.named).collect();
    let against: Vec<&WhyRoll> = answer.rolls.iter().filter(|roll| roll.against).collect();
    if named.is_empty() {
        return Vec::new();
    }
    let mut text = Vec::new();
    let (said, sum) = what_they_do(answer, &named, "rolls", "rolls-both");
    text.push(said);
    let mut rest = 100 - sum;
    if !against.is_empty() {
        let (said, back) = what_they_do(answer, &against, "rolls-against", "rolls-against-both");
        text.push(said);
        rest -= back;
    }
    let kind = match rest {
        0 => "rest-none",
        1.. => "rest-adds",
        _ => "rest-takes",
    };
    text.push(Said::new(kind).with("n", shown(rest)));
    text
}

/// Rolls that do the same.
struct Kind<'a> {
    does: Option<&'a RollEvent>,
    rolls: Vec<&'a str>,
    share: f32,
}

/// What these rolls do after the one play, and after the other, the largest part first.
///
/// Also what the rolls make together, in whole per cent.
fn what_they_do(answer: &WhyAnswer, told: &[&WhyRoll], one: &str, both: &str) -> (Said, i32) {
    let mut kinds: Vec<Kind<'_>> = Vec::new();
    for roll in told {
        let does = roll.does.as_ref();
        match kinds.iter_mut().find(|kind| kind.does == does) {
            Some(kind) => {
                kind.rolls.push(&roll.dice);
                kind.share += roll.share;
            }
            None => kinds.push(Kind { does, rolls: vec![&roll.dice], share: roll.share }),
        }
    }
    kinds.sort_by(|a, b| b.share.abs().total_cmp(&a.share.abs()));
    // The parts that are told add up to the sum that is told.
    let sum: i32 = kinds.iter().map(|kind| part_of(answer, kind.share)).sum();
    // A roll without a name is told after the play that it speaks against.
    let for_better = told.first().is_some_and(|roll| roll.share >= 0.0);
    let is_after_better = |kind: &Kind<'_>| kind.does.map_or(!for_better, |does| does.after_better);
    let (is_one, first) = (kinds.len() == 1, kinds.first().is_some_and(is_after_better));
    let clauses = |after_better: bool| -> Vec<Said> {
        let here = kinds.iter().filter(|kind| is_after_better(kind) == after_better);
        here.map(|kind| rolls_do(answer, kind, is_one)).collect()
    };
    let play = |after_better: bool| match after_better {
        true => &answer.better.play,
        false => &answer.worse.play,
    };
    let (does, also) = (clauses(first), clauses(!first));
    let throws: u32 = told.iter().map(|roll| u32::from(roll.throws)).sum();
    // A part of more than 100 % is no share.
    let over = if sum > 100 { "-over" } else { "" };
    let said = Said::new(&format!("{}{over}", if also.is_empty() { one } else { both }))
        .with("sum", shown(sum))
        .with("throws", throws)
        .with("play", play(first))
        .with("does", does);
    let said = match also.is_empty() {
        true => said,
        false => said.with("other", play(!first)).with("also", also),
    };
    (said, sum)
}

/// Of the opponent's 36 throws, those for which a hit is the best reply to the play at this place.
pub(super) fn hit_best(why: &Explanation, place: usize) -> u8 {
    let replies = why
        .rolls
        .iter()
        .filter(|roll| roll.replies[place].as_ref().is_some_and(|reply| reply.hits() > 0));
    replies.map(|roll| roll.dice.weight()).sum()
}

/// The throws that can hit and those where the best reply hits, if told rolls hit or the counts
/// differ.
///
/// They are those of both plays if both leave shots.
pub(super) fn can_hit(answer: &WhyAnswer, why: &Explanation) -> Option<Said> {
    let is_told = |roll: &WhyRoll| roll.named || roll.against;
    let hits = |roll: &WhyRoll| roll.does.as_ref().is_some_and(RollEvent::is_hit);
    let shots = [answer.facts_better.shots, answer.facts_worse.shots];
    let tells_hits = answer.rolls.iter().any(|roll| is_told(roll) && hits(roll));
    if !tells_hits && shots[0].abs_diff(shots[1]) < SHOTS {
        return None;
    }
    let best = [hit_best(why, 0), hit_best(why, 1)];
    let plays = [&answer.better.play, &answer.worse.play];
    let one = |place: usize| {
        let kind = if best[place] == 0 { "can-hit-not" } else { "can-hit" };
        let said = Said::new(kind).with("play", plays[place]).with("shots", shots[place]);
        let said = if best[place] == 0 { said } else { said.with("n", best[place]) };
        (best[place] != shots[place]).then_some(said)
    };
    match shots {
        [0, 0] => None,
        // Shots that the opponent does not want are no reason, nor are those at the better play.
        [0, _] => {
            if best[1] > 0 {
                one(1)
            } else {
                None
            }
        }
        [_, 0] => {
            if tells_hits {
                one(0)
            } else {
                None
            }
        }
        [_, _] => {
            let is_same = best == shots;
            // Hits that are no reason are not told.
            let least = best[0] + if tells_hits { 1 } else { SHOTS };
            if best[1] < least {
                return None;
            }
            let kind = if is_same { "shots-both" } else { "can-hit-both" };
            let said = Said::new(kind).with("play", plays[1]).with("shots", shots[1]);
            let said = said.with("other", plays[0]).with("others", shots[0]);
            // Shots that differ much are told of the plays.
            match (is_same, shots[0].abs_diff(shots[1]) < SHOTS) {
                (true, true) => (shots[0] != shots[1]).then_some(said),
                (true, false) => None,
                (false, _) => Some(said.with("n", best[1]).with("m", best[0])),
            }
        }
    }
}

/// `64, 62 and 44 hit`, with their part of the difference where there are others.
fn rolls_do(answer: &WhyAnswer, kind: &Kind<'_>, is_one: bool) -> Said {
    let said = kind.does.map_or_else(|| Said::new("roll-better"), |does| does.said.clone());
    let count = u32::try_from(kind.rolls.len()).unwrap_or(u32::MAX);
    let list: SaidValue = match kind.rolls.as_slice() {
        [first, second, ..] if kind.rolls.len() > LISTED => {
            let others = Said::new("rolls-others").with("n", count - 2);
            SaidValue::List(vec![(*first).into(), (*second).into(), others.into()])
        }
        rolls => rolls.to_vec().into(),
    };
    let said = said.with("rolls", list).with("n", count);
    match is_one {
        true => said,
        false => {
            let part = part_of(answer, kind.share);
            let words = if part > 100 { "rolls-part-over" } else { "rolls-part" };
            Said::new(words).with("does", said).with("sum", shown(part))
        }
    }
}

/// Own rolls are told if so few of them make so much.
const OWN_ROLLS: usize = 4;
const OWN_PART: f32 = 0.5;

/// The own next rolls that make most of the difference, if it is known what they do.
pub(super) fn own_rolls(answer: &WhyAnswer, why: &Explanation) -> Option<Said> {
    let whole: f32 = why.own_rolls.iter().map(|roll| roll.share).sum();
    let back = -why.own_rolls.iter().map(|roll| roll.share.min(0.0)).sum::<f32>();
    let is_doubled = why.opponent_cube.iter().any(|cube| *cube != OpponentCube::Rolls);
    if whole < 0.005 || back > 0.3 * whole || is_doubled {
        return None;
    }
    let largest = why.own_rolls.iter().take(OWN_ROLLS);
    let mut kinds: Vec<(OwnDeed, Vec<String>)> = Vec::new();
    let mut sum = 0.0;
    for roll in largest.filter(|roll| roll.share > 0.0) {
        let Some(deed) = roll.deed else { continue };
        sum += roll.share;
        match kinds.iter_mut().find(|(kind, _)| *kind == deed) {
            Some((_, rolls)) => rolls.push(roll.dice.to_string()),
            None => kinds.push((deed, vec![roll.dice.to_string()])),
        }
    }
    if sum < OWN_PART * whole {
        return None;
    }
    let clause = |(deed, rolls): &(OwnDeed, Vec<String>)| {
        let rolls: Vec<&str> = rolls.iter().map(String::as_str).collect();
        let count = u32::try_from(rolls.len()).unwrap_or(u32::MAX);
        let said = match deed {
            OwnDeed::Hits => Said::new("own-hits"),
            OwnDeed::BearsOff => Said::new("own-off"),
            OwnDeed::Makes(point) => Said::new("own-makes").with("point", *point),
        };
        said.with("rolls", rolls).with("n", count)
    };
    let does: Vec<Said> = kinds.iter().map(clause).collect();
    let kind = if sum > whole { "own-rolls-over" } else { "own-rolls" };
    let said = Said::new(kind).with("play", &answer.better.play).with("does", does);
    Some(said.with("part", percent(sum / whole, 0)))
}
