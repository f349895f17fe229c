//! The sentences of [`WhyCubeAnswer`]: each says numbers that the answer has.

use nonet_engine::cube::{Answer, CubeAction, CubeDecision};

use super::cube::WhyCubeAnswer;
use super::words::{Said, SaidValue, percent, points};
use crate::answer::CubeAnswer;

/// Sequences of an own throw and one of the opponent.
const SEQUENCES: f32 = 1296.0;
/// A gammon that is worth less than this counts nothing.
const TOLD_PRICE: f32 = 0.01;
/// Gammons that are rarer are not told.
const TOLD_CHANCE: f32 = 0.001;

/// The explanation, the largest reason first.
pub(super) fn sentences(answer: &WhyCubeAnswer, money: Option<&CubeDecision>) -> Vec<Said> {
    let cube = &answer.cube;
    let mut text = vec![action(cube)];
    let can_double = cube.action != CubeAction::NotAvailable;
    if can_double {
        text.push(reply(cube));
    }
    text.push(chances(cube));
    if can_double {
        text.extend(market(answer));
    }
    text.push(Said::new("volatility").with("n", points(answer.volatility)));
    if can_double {
        text.extend(turns(answer));
        text.extend(prices(cube));
        text.extend(money.and_then(|money| for_money(cube, money)));
    }
    text
}

fn action(cube: &CubeAnswer) -> Said {
    let doubled = cube.double_take.min(cube.double_pass);
    let kind = match (cube.action, cube.redouble) {
        (CubeAction::NotAvailable, _) => return Said::new("no-cube"),
        (CubeAction::TooGood, _) => {
            return Said::new("too-good").with("n", points(cube.no_double));
        }
        (CubeAction::Double, false) => "double-now",
        (CubeAction::Double, true) => "redouble-now",
        (CubeAction::NoDouble, false) => "wait",
        (CubeAction::NoDouble, true) => "wait-redouble",
    };
    Said::new(kind).with("n", points((doubled - cube.no_double).abs()))
}

fn reply(cube: &CubeAnswer) -> Said {
    let kind = match cube.answer {
        Answer::Take => "take",
        Answer::Pass => "pass",
        Answer::Beaver => "beaver",
    };
    Said::new(kind).with("n", points((cube.double_pass - cube.double_take).abs()))
}

fn chances(cube: &CubeAnswer) -> Said {
    let chances = &cube.outcomes;
    let [own, theirs] = cube.gammon_prices_after_double;
    let told = |price: f32, chance: f32| price > TOLD_PRICE && chance >= TOLD_CHANCE;
    let counts = [told(own, chances.win_gammon), told(theirs, chances.lose_gammon)];
    let kind = match counts {
        [true, true] => "cube-chances",
        [true, false] => "cube-chances-won",
        [false, true] => "cube-chances-lost",
        [false, false] => "cube-chances-plain",
    };
    let said = Said::new(kind).with("win", percent(chances.win, 1));
    let said = match counts[0] {
        true => said.with("won", percent(chances.win_gammon, 1)),
        false => said,
    };
    match counts[1] {
        true => said.with("lost", percent(chances.lose_gammon, 1)),
        false => said,
    }
}

/// Rolls that lose the market are named until they make this part of the gain.
const NAMED_PART: f32 = 0.7;
/// No more rolls than these are named.
const MOST_ROLLS: usize = 6;

/// The sequences that lose the market, or those after which a pass has become a take.
fn market(answer: &WhyCubeAnswer) -> Vec<Said> {
    let count = (answer.lost * SEQUENCES).round() as u32;
    if answer.cube.answer == Answer::Pass {
        return vec![Said::new("still-pass").with("n", count).with("m", 1296 - count.min(1296))];
    }
    if count == 0 {
        return vec![Said::new("no-market")];
    }
    let kind = if answer.cost >= 0.0 { "market" } else { "market-all" };
    let mut text = vec![
        Said::new(kind)
            .with("n", count)
            .with("gain", points(answer.gain))
            .with("cost", points(answer.cost.abs())),
    ];
    let (mut named, mut sum) = (Vec::new(), 0.0);
    for roll in answer.rolls.iter().take(MOST_ROLLS).filter(|roll| roll.gain > 0.0) {
        named.push(roll.dice.as_str());
        sum += roll.gain;
        if sum >= NAMED_PART * answer.gain {
            break;
        }
    }
    if answer.gain > 0.0 && !named.is_empty() {
        let count = u32::try_from(named.len()).unwrap_or(u32::MAX);
        let part = percent(sum / answer.gain, 0);
        let said = Said::new("market-rolls").with("rolls", named).with("n", count);
        text.push(said.with("part", part));
    }
    text
}

/// What would have to change.
fn turns(answer: &WhyCubeAnswer) -> Vec<Said> {
    let win = answer.cube.outcomes.win;
    let said = |kind: &str, at: f32| Said::new(kind).with("n", percent(at, 1));
    let double = answer.double_turns.and_then(|at| {
        let kind = match (answer.cube.action == CubeAction::Double, at > win) {
            // Whoever cannot win a gammon plays on for nothing.
            (true, true) if answer.cube.outcomes.win_gammon <= 0.0 => return None,
            (true, true) => "too-good-from",
            (true, false) => "wait-below",
            (false, true) => "double-from",
            (false, false) => "double-below",
        };
        Some(said(kind, at))
    });
    let reply = answer.answer_turns.map(|at| {
        let passes = answer.cube.answer == Answer::Pass;
        said(if passes { "take-below" } else { "pass-from" }, at)
    });
    double.into_iter().chain(reply).collect()
}

fn prices(cube: &CubeAnswer) -> Option<Said> {
    let [own, theirs] = cube.gammon_prices_after_double;
    let counts = [own, theirs].iter().any(|price| *price > TOLD_PRICE);
    let unusual = [own, theirs].iter().any(|price| (price - 0.5).abs() >= 0.1);
    let price = |number: f32| SaidValue::Decimal { number, digits: 2 };
    (counts && unusual)
        .then(|| Said::new("prices-doubled").with("own", price(own)).with("theirs", price(theirs)))
}

fn for_money(cube: &CubeAnswer, money: &CubeDecision) -> Option<Said> {
    if (money.action, money.is_take()) == (cube.action, cube.answer != Answer::Pass) {
        return Some(Said::new("cube-money-same"));
    }
    let action = match money.action {
        CubeAction::NotAvailable => return None,
        CubeAction::NoDouble => "action-no-double",
        CubeAction::TooGood => "action-too-good",
        CubeAction::Double => "action-double",
    };
    let answer = if money.is_take() { "answer-take" } else { "answer-pass" };
    let said = Said::new("cube-money-other");
    Some(said.with("action", Said::new(action)).with("answer", Said::new(answer)))
}
