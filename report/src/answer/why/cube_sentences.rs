//! The sentences of [`WhyCubeAnswer`]: each says numbers that the answer has.

use nonet_engine::cube::{Answer, CubeAction, CubeDecision, rounded_equity};

use super::cube::WhyCubeAnswer;
use super::words::{Said, SaidValue, as_shown, percent, points};
use crate::answer::CubeAnswer;

/// Sequences of an own throw and one of the opponent.
const SEQUENCES: f32 = 1296.0;
/// A gammon that is worth less than this counts nothing.
const TOLD_PRICE: f32 = 0.01;
/// Gammons that are rarer are not told.
const TOLD_CHANCE: f32 = 0.001;

/// The explanation, the largest reason first: to the player on roll, or after a double to the one
/// who answers it.
pub(super) fn sentences(
    answer: &WhyCubeAnswer,
    money: Option<&CubeDecision>,
    is_offered: bool,
) -> Vec<Said> {
    if is_offered {
        return to_who_answers(answer, money);
    }
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
        text.extend(prices(cube.gammon_prices_after_double));
        text.extend(money.and_then(|money| for_money(cube, money)));
    }
    text
}

/// The explanation to the player who was doubled, with that player's chances.
fn to_who_answers(answer: &WhyCubeAnswer, money: Option<&CubeDecision>) -> Vec<Said> {
    let cube = &answer.cube;
    let kind = match cube.answer {
        Answer::Take => "take-now",
        Answer::Pass => "pass-now",
        Answer::Beaver => "beaver-now",
    };
    let more = (cube.double_pass - cube.double_take).abs();
    let mut text = vec![Said::new(kind).with("n", points(more))];
    let early = cube.no_double - cube.double_take.min(cube.double_pass);
    if cube.action == CubeAction::NoDouble && rounded_equity(early) > 0 {
        text.push(Said::new("double-early").with("n", points(early)));
    }
    let chances = &cube.outcomes;
    let [theirs, own] = cube.gammon_prices_after_double;
    text.push(told_chances(
        ["own-chances", "own-chances-won", "own-chances-lost", "own-chances-plain"],
        1.0 - chances.win,
        [(own, chances.lose_gammon), (theirs, chances.win_gammon)],
    ));
    text.extend(answer.answer_turns.map(|at| {
        let kind = if cube.answer == Answer::Pass { "take-from" } else { "take-until" };
        Said::new(kind).with("n", percent(1.0 - at, 1))
    }));
    text.extend(prices([own, theirs]));
    if let Some(money) = money {
        let is_same = money.is_take() == (cube.answer != Answer::Pass);
        let kind = if money.is_take() { "money-take" } else { "money-pass" };
        text.push(Said::new(if is_same { "cube-money-same" } else { kind }));
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
    told_chances(
        ["cube-chances", "cube-chances-won", "cube-chances-lost", "cube-chances-plain"],
        chances.win,
        [(own, chances.win_gammon), (theirs, chances.lose_gammon)],
    )
}

/// The chances to win, to win a gammon and to lose one, as far as gammons count and occur.
///
/// - `gammons`: price and chance of a gammon won, then of one lost.
/// - `kinds`: the sentence with both gammons, with the one won, with the one lost, with none.
fn told_chances(kinds: [&str; 4], win: f32, gammons: [(f32, f32); 2]) -> Said {
    let counts = gammons.map(|(price, chance)| price > TOLD_PRICE && chance >= TOLD_CHANCE);
    let place = match counts {
        [true, true] => 0,
        [true, false] => 1,
        [false, true] => 2,
        [false, false] => 3,
    };
    let mut said = Said::new(kinds[place]).with("win", percent(win, 1));
    for ((name, is_told), (_, chance)) in ["won", "lost"].into_iter().zip(counts).zip(gammons) {
        said = if is_told { said.with(name, percent(chance, 1)) } else { said };
    }
    said
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
            .with("cost", points(answer.cost.abs()))
            // The sum of the numbers that are told.
            .with("sum", points(as_shown(answer.gain) - as_shown(answer.cost)))
            .with("plies", answer.cube.plies),
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

/// What a gammon won and one lost are worth once the cube is turned.
fn prices([own, theirs]: [f32; 2]) -> Option<Said> {
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
