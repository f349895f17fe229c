//! Which rolls make the difference, in sentences: those that are named and the others add up.

use super::words::{Said, SaidValue, percent, points};
use super::{RollEvent, WhyAnswer, WhyRoll};
use nonet_engine::explain::{Explanation, OwnDeed};

/// More rolls than these are counted, not listed.
const LISTED: usize = 8;
/// Where other throws take much back, rolls are told if they make this many points together.
const TOLD_SUM: f32 = 0.02;
/// Much is more than this part of the whole.
const PART: f32 = 1.3;
/// More rolls without a name are not told.
const PLAIN: usize = 4;
/// Where the opponent's doubles leave the rolls less than this part, rolls are not the reason.
const DOUBLED: f32 = 0.4;
/// The sum of the rolls is that of the plays if it differs by less than this.
const SAME_SUM: f32 = 0.0015;
/// Or by less than this part of it.
const SAME_PART: f32 = 0.02;
/// Shots are told of both plays if they differ by this much.
const SHOTS: u8 = 2;

/// Points as they are told, in thousandths: what is told adds up to the last digit.
fn thousandths(number: f32) -> i32 {
    (1000.0 * number).round() as i32
}

/// Thousandths of a point, without the sign.
fn told(thousandths: i32) -> SaidValue {
    points(thousandths.unsigned_abs() as f32 / 1000.0)
}

/// The opponent's rolls: those that make the difference, those that speak for the other play, and
/// what the other throws make.
pub(super) fn rolls(answer: &WhyAnswer, why: &Explanation, doubles: [bool; 2]) -> Vec<Said> {
    let named: Vec<&WhyRoll> = answer.rolls.iter().filter(|roll| roll.named).collect();
    let against: Vec<&WhyRoll> = answer.rolls.iter().filter(|roll| roll.against).collect();
    let sum_of = |rolls: &[&WhyRoll]| rolls.iter().map(|roll| roll.share).sum::<f32>();
    let sum = sum_of(&named);
    let is_told = sum >= TOLD_SUM || sum <= PART * answer.rolls_loss;
    // Many rolls that do nothing with a name explain nothing.
    let is_plain = named.iter().all(|roll| roll.does.is_none()) && named.len() > PLAIN;
    let is_small = answer.rolls_loss < DOUBLED * answer.worse.loss;
    if named.is_empty() || !is_told || is_plain || is_small {
        return can_hit(answer, why, &[]).into_iter().collect();
    }
    let hitting: Vec<&WhyRoll> = named.iter().chain(&against).copied().collect();
    let mut text: Vec<Said> = can_hit(answer, why, &hitting).into_iter().collect();
    let apart = (answer.rolls_loss - answer.worse.loss).abs();
    let is_same = apart < SAME_SUM.max(SAME_PART * answer.worse.loss);
    let whole = thousandths(if is_same { answer.worse.loss } else { answer.rolls_loss });
    let (sum, back) = (thousandths(sum), thousandths(sum_of(&against)));
    text.push(what_they_do(answer, &named, "rolls", "rolls-both").with("sum", told(sum)));
    if !against.is_empty() {
        let said = what_they_do(answer, &against, "rolls-against", "rolls-against-both");
        text.push(said.with("sum", told(back)));
    }
    let rest = whole - sum - back;
    let kind = match rest {
        0 => "rest-none",
        1.. => "rest-adds",
        _ => "rest-takes",
    };
    let total = Said::new(kind).with("n", told(rest)).with("whole", told(whole));
    text.push(total);
    if !is_same {
        text.push(alone(answer, doubles));
    }
    text
}

/// Why the sum of the throws is not the difference of the plays: the opponent may double before.
fn alone(answer: &WhyAnswer, doubles: [bool; 2]) -> Said {
    let kind = match doubles {
        [false, false] => "rolls-alone",
        [true, true] => "rolls-doubled-both",
        _ => "rolls-doubled",
    };
    let said = Said::new(kind).with("loss", points(answer.worse.loss));
    match doubles {
        [true, false] => said.with("play", &answer.better.play),
        [false, true] => said.with("play", &answer.worse.play),
        _ => said,
    }
}

/// What these rolls do after the one play, and after the other.
fn what_they_do(answer: &WhyAnswer, told: &[&WhyRoll], one: &str, both: &str) -> Said {
    // Rolls that do the same stand together, in the order of the largest of them.
    let mut kinds: Vec<(Option<&RollEvent>, Vec<&str>)> = Vec::new();
    for roll in told {
        let does = roll.does.as_ref();
        match kinds.iter_mut().find(|(kind, _)| *kind == does) {
            Some((_, rolls)) => rolls.push(&roll.dice),
            None => kinds.push((does, vec![&roll.dice])),
        }
    }
    // A roll without a name is told after the play that it speaks against.
    let for_better = told.first().is_some_and(|roll| roll.share >= 0.0);
    let clauses = |after_better: bool| -> Vec<Said> {
        let here = |does: &Option<&RollEvent>| {
            does.map_or(!for_better, |does| does.after_better) == after_better
        };
        let here = kinds.iter().filter(|(does, _)| here(does));
        here.map(|(does, rolls)| rolls_do(rolls, does.map(|does| &does.said))).collect()
    };
    let plays = [&answer.better.play, &answer.worse.play];
    let (after_worse, after_better) = (clauses(false), clauses(true));
    let throws: u32 = told.iter().map(|roll| u32::from(roll.throws)).sum();
    let said = |kind: &str| Said::new(kind).with("throws", throws);
    match (after_worse.is_empty(), after_better.is_empty()) {
        (true, _) => said(one).with("play", plays[0]).with("does", after_better),
        (false, true) => said(one).with("play", plays[1]).with("does", after_worse),
        (false, false) => said(both)
            .with("play", plays[1])
            .with("does", after_worse)
            .with("other", plays[0])
            .with("also", after_better),
    }
}

/// Of the opponent's 36 throws, those for which a hit is the best reply to the play at this place.
pub(super) fn hit_best(why: &Explanation, place: usize) -> u8 {
    let replies = why
        .rolls
        .iter()
        .filter(|roll| roll.replies[place].as_ref().is_some_and(|reply| reply.hits() > 0));
    replies.map(|roll| roll.dice.weight()).sum()
}

/// The throws that can hit and those whose best reply hits, where told rolls hit or the counts
/// differ; of both plays if both leave shots.
fn can_hit(answer: &WhyAnswer, why: &Explanation, told: &[&WhyRoll]) -> Option<Said> {
    let hits = |roll: &&WhyRoll| roll.does.as_ref().is_some_and(RollEvent::is_hit);
    let shots = [answer.facts_better.shots, answer.facts_worse.shots];
    if !told.iter().any(hits) && shots[0].abs_diff(shots[1]) < SHOTS {
        return None;
    }
    let best = [hit_best(why, 0), hit_best(why, 1)];
    let plays = [&answer.better.play, &answer.worse.play];
    let one = |place: usize| {
        let said = Said::new("can-hit").with("play", plays[place]);
        let said = said.with("shots", shots[place]).with("n", best[place]);
        (best[place] != shots[place]).then_some(said)
    };
    match shots {
        [0, 0] => None,
        [0, _] => one(1),
        [_, 0] => one(0),
        [_, _] => {
            let is_same = best == shots;
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

/// `64, 62 and 44 hit`.
fn rolls_do(rolls: &[&str], does: Option<&Said>) -> Said {
    let said = does.cloned().unwrap_or_else(|| Said::new("roll-better"));
    let count = u32::try_from(rolls.len()).unwrap_or(u32::MAX);
    let list: SaidValue = match rolls {
        [first, second, ..] if rolls.len() > LISTED => {
            let others = Said::new("rolls-others").with("n", count - 2);
            SaidValue::List(vec![(*first).into(), (*second).into(), others.into()])
        }
        rolls => rolls.to_vec().into(),
    };
    said.with("rolls", list).with("n", count)
}

/// Own rolls are told if so few of them make so much.
const OWN_ROLLS: usize = 4;
const OWN_PART: f32 = 0.5;

/// The own next rolls that make most of the difference, if it is known what they do.
pub(super) fn own_rolls(answer: &WhyAnswer, why: &Explanation) -> Option<Said> {
    let whole: f32 = why.own_rolls.iter().map(|roll| roll.share).sum();
    let back = -why.own_rolls.iter().map(|roll| roll.share.min(0.0)).sum::<f32>();
    if whole < 0.005 || back > 0.3 * whole {
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
            OwnDeed::LeavesShots => Said::new("own-shots").with("other", &answer.worse.play),
            OwnDeed::BearsOff => Said::new("own-off"),
            OwnDeed::Makes(point) => Said::new("own-makes").with("point", *point),
        };
        said.with("rolls", rolls).with("n", count)
    };
    let does: Vec<Said> = kinds.iter().map(clause).collect();
    let said = Said::new("own-rolls").with("play", &answer.better.play).with("does", does);
    Some(said.with("part", percent(sum / whole, 0)))
}
