//! Numbers of sentences, counted another way.

use super::rolls::is_whole;
use super::*;
use nonet_engine::backgammon::{Dice, Position, candidates};
use nonet_engine::explain::BoardFacts;

/// A number of whole per cent as it is printed.
fn printed(said: &Said, name: &str) -> i32 {
    let Some(SaidValue::Decimal { number, digits: 0 }) = said.values.get(name) else {
        panic!("no number {name}: {said:?}");
    };
    format!("{number:.0}").parse().expect("a number")
}

/// The sums that are told add up to 100 %: named throws, those on the other side, and the rest. The
/// parts of a sum add up to it.
pub(super) fn check_sum(answer: &WhyAnswer) {
    let of = |kind: &str| answer.said.iter().find(|said| said.kind.starts_with(kind));
    let Some(rest) = of("rest-") else {
        assert!(of("rolls").is_none(), "{:?}", answer.sentences);
        assert!(!answer.rolls.iter().any(|roll| roll.named || roll.against));
        return;
    };
    let is_named = |said: &&Said| {
        let kind = said.kind.strip_suffix("-over").unwrap_or(&said.kind);
        matches!(kind, "rolls" | "rolls-both")
    };
    let named = answer.said.iter().find(is_named).expect("rolls");
    let against = of("rolls-against");
    for said in [named].into_iter().chain(against) {
        check_parts_of_sum(said);
    }
    let [named, back] = [Some(named), against].map(|said| said.map_or(0, |s| printed(s, "sum")));
    let others = match rest.kind.as_str() {
        "rest-adds" => printed(rest, "n"),
        "rest-takes" => -printed(rest, "n"),
        _ => 0,
    };
    assert_eq!(named - back + others, 100, "{:?}", answer.sentences);
    let is_over = |said: &Said| said.kind.ends_with("-over");
    assert_eq!(is_over(of("rolls").expect("rolls")), named > 100, "{:?}", answer.sentences);
    // What is told explains the whole, which is about the difference of the plays.
    assert!((50..=150).contains(&(named - back)), "{:?}", answer.sentences);
    assert!(is_whole(answer.rolls_loss, answer.worse.loss), "{:?}", answer.sentences);
    // The others by themselves, from the table.
    let is_other = |roll: &&WhyRoll| !roll.named && !roll.against;
    let table: f32 = answer.rolls.iter().filter(is_other).map(|roll| roll.share).sum();
    let apart = 100.0 * table / answer.rolls_loss - others as f32;
    assert!(apart.abs() <= 6.0, "{:?}", answer.sentences);
}

/// The largest part comes first, after each of the plays, and the parts add up.
fn check_parts_of_sum(said: &Said) {
    let parts = |key: &str| -> Vec<i32> {
        let Some(SaidValue::List(parts)) = said.values.get(key) else { return Vec::new() };
        let part = |part: &SaidValue| match part {
            SaidValue::Part(part) if part.kind.starts_with("rolls-part") => {
                Some(printed(part, "sum"))
            }
            _ => None,
        };
        parts.iter().filter_map(part).collect()
    };
    let [first, second] = ["does", "also"].map(parts);
    let is_falling = |parts: &[i32]| parts.is_sorted_by(|a, b| a >= b);
    assert!(is_falling(&first) && is_falling(&second), "{}", said.in_english());
    assert!(second.first().is_none_or(|part| *part <= first[0]), "{}", said.in_english());
    let sum: i32 = first.iter().chain(&second).sum();
    assert!(first.is_empty() || sum == printed(said, "sum"), "{}", said.in_english());
}

/// The rows of the table, counted another way.
pub(super) fn check_rows(answer: &WhyAnswer, why: &Explanation) {
    let boards = [why.better.after(), why.worse.after()];
    for row in &answer.rows {
        assert_ne!(row.better, row.worse, "{row:?}");
        for (board, cell) in boards.iter().zip([&row.better, &row.worse]) {
            if let Some(counted) = counted(&row.said.kind, board) {
                assert_eq!(*cell, counted, "{row:?}\n{board}");
            }
        }
    }
}

/// Of the 36 throws of the player on roll, those with such a play.
fn throws(board: &Position, fits: impl Fn(&Candidate) -> bool) -> String {
    let has = |dice: &&Dice| candidates(board, **dice).iter().any(&fits);
    let count: u8 = Dice::ALL.iter().filter(has).map(|dice| dice.weight()).sum();
    count.to_string()
}

pub(super) fn counted(kind: &str, board: &Position) -> Option<String> {
    let own = board.flipped();
    let on = |side: &Position, points: std::ops::RangeInclusive<usize>| -> u32 {
        points.map(|point| u32::from(side.own(point))).sum()
    };
    let two = |of: &dyn Fn(&Position) -> u32| format!("{} : {}", of(&own), of(board));
    let words = |numbers: &[usize]| match numbers {
        [] => "–".to_owned(),
        all => all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    };
    let those = |points: std::ops::RangeInclusive<usize>, fits: fn(u8) -> bool| {
        words(&points.rev().filter(|p| fits(own.own(*p))).collect::<Vec<_>>())
    };
    Some(match kind {
        "row-blots" => those(1..=24, |n| n == 1),
        "row-anchors" => those(19..=24, |n| n >= 2),
        "row-gaps" => {
            let highest = (1..=6).rev().find(|p| own.own(*p) > 0).unwrap_or(0);
            those(1..=highest, |n| n == 0)
        }
        "row-home" => words(&(1..=6).rev().map(|p| own.own(p).into()).collect::<Vec<_>>()),
        "row-on-bar" => two(&|side| side.own(25).into()),
        "row-home-points" => two(&|side| (1..=6).map(|p| u32::from(side.own(p) >= 2)).sum()),
        "row-back" => two(&|side| on(side, 19..=25)),
        "row-off" => two(&|side| 15 - on(side, 1..=25)),
        "row-pips" => two(&|side| (1..=25).map(|p| p as u32 * u32::from(side.own(p))).sum()),
        "row-outside" => on(&own, 7..=25).to_string(),
        "row-pips-home" => {
            (7..=25).map(|p| (p as u32 - 6) * u32::from(own.own(p))).sum::<u32>().to_string()
        }
        "row-stack" => (1..=24).map(|p| own.own(p)).max().unwrap_or(0).to_string(),
        "row-shots" => throws(board, |play| play.play.moves().iter().any(|one| one.hits)),
        "row-escapes" => {
            let is_away = |from: u8, to: u8| from >= 19 && to <= 12;
            // A checker may get there in several steps, of which one is told.
            let back = |side: &Position, from: usize| on(side, from..=25);
            let now = [back(board, 19), back(board, 13)];
            throws(board, |play| {
                let after = play.after.flipped();
                let then = [back(&after, 19), back(&after, 13)];
                play.play.moves().iter().any(|one| is_away(one.from, one.to))
                    || then[0] < now[0] && then[1] < now[1]
            })
        }
        "row-builders" => {
            let free = |p: usize| own.own(p).saturating_sub(2) + u8::from(own.own(p) == 1);
            let is_empty = |p: usize| own.own(p) == 0 && board.own(25 - p) == 0;
            let of = |p: usize| if is_empty(p) { (p + 1..p + 7).map(free).sum() } else { 0 };
            let told = (3..=7).rev().filter(|p| of(*p) > 0).map(|p| format!("{p}: {}", of(p)));
            match told.collect::<Vec<_>>().join(", ") {
                none if none.is_empty() => "–".to_owned(),
                told => told,
            }
        }
        "row-next-blots" => next_blots(&own).to_string(),
        "row-block" | "row-rear" | "row-wasted" => return None,
        other => panic!("unknown row {other}"),
    })
}

/// Of the 36 throws of the player on roll, those where every play leaves an exposed blot.
///
/// Behind such a blot stands an opponent's checker, on the board or on the bar.
fn next_blots(own: &Position) -> u32 {
    let leaves = |play: &Candidate| {
        let after = play.after.flipped();
        let theirs = |point: usize| play.after.own(25 - point) > 0;
        (1..=24).any(|point| after.own(point) == 1 && (0..point).any(theirs))
    };
    let all_leave = |dice: &&Dice| candidates(own, **dice).iter().all(leaves);
    Dice::ALL.iter().filter(all_leave).map(|dice| u32::from(dice.weight())).sum()
}

/// Small counts are those of the two boards, counted another way, and favour the play.
pub(super) fn check_small_counts(said: &Said, boards: [&Position; 2]) {
    let Some(SaidValue::List(counts)) = said.values.get("counts") else { return };
    for count in counts {
        let SaidValue::Part(count) = count else { panic!("no count: {count:?}") };
        let row = match count.kind.as_str() {
            "small-home" => "row-home-points".to_owned(),
            kind => kind.replace("small-", "row-"),
        };
        let number = |cell: String| match row.as_str() {
            "row-blots" | "row-gaps" if cell == "–" => 0,
            "row-blots" | "row-gaps" => cell.split(' ').count() as u32,
            _ => cell.split(' ').next().and_then(|n| n.parse().ok()).expect("a number"),
        };
        let told = ["n", "m"].map(|name| match count.values[name] {
            SaidValue::Count(told) => told,
            ref other => panic!("no number: {other:?}"),
        });
        for (told, board) in told.into_iter().zip(boards) {
            if let Some(cell) = counted(&row, board) {
                assert_eq!(told, number(cell), "{}\n{board}", said.in_english());
            }
        }
        match count.kind.as_str() {
            "small-home" | "small-block" | "small-off" => assert!(told[0] > told[1], "{said:?}"),
            _ => assert!(told[0] < told[1], "{said:?}"),
        }
    }
}

/// No theme is told that the boards contradict, counted another way.
pub(super) fn check_themes(themes: &[SaidValue], why: &Explanation, is_for: bool, text: &str) {
    let [better, worse] = [why.better.after(), why.worse.after()];
    // The first board is the one that the themes speak for.
    let boards = if is_for { [better, worse] } else { [worse, better] };
    let facts = boards.map(BoardFacts::after);
    let made = |own: &Position, point: u8| own.own(point.into()) >= 2;
    let block = |board: &Position| {
        let own = board.flipped();
        let rows = |low: u8| (low..=24).take_while(|point| made(&own, *point)).count();
        (1..=24).map(rows).max().unwrap_or(0)
    };
    let home = |board: &Position| (1..=6).filter(|p| made(&board.flipped(), *p)).count();
    for theme in themes {
        let SaidValue::Part(theme) = theme else { panic!("no theme: {text}") };
        let SaidValue::Part(name) = &theme.values["name"] else { panic!("no name: {text}") };
        let [a, b] = boards;
        let has_contact = facts.iter().any(|facts| facts.contact);
        let holds = match name.kind.as_str() {
            "theme-race" => {
                let lead = |board: &Position| {
                    board.pips().cast_signed() - board.opponent_pips().cast_signed()
                };
                lead(a) > lead(b)
            }
            "theme-bearing-off" => !has_contact || a.opponent_left() < b.opponent_left(),
            "theme-shots" => has_contact && facts[0].shots <= facts[1].shots && facts[1].shots > 0,
            "theme-block" => has_contact && block(a) > block(b),
            "theme-home-board" => has_contact && home(a) > home(b),
            "theme-home-spares" => has_contact && home(a) == home(b),
            "theme-entering" => [a, b].iter().any(|p| p.own(25) > 0 || p.flipped().own(25) > 0),
            _ => has_contact,
        };
        assert!(holds, "{text}: {}\n{a}\n{b}", name.kind);
    }
}

/// What races are told by is so on both boards, counted another way.
pub(super) fn check_counts(said: &Said, boards: [&Position; 2]) {
    let count = |key: &str, board: &Position| -> u32 {
        let own = board.flipped();
        let on = |points: std::ops::RangeInclusive<usize>| -> u32 {
            points.map(|point| u32::from(own.own(point))).sum()
        };
        match key {
            "outside" => on(7..=25),
            "pips-home" => (7..=25).map(|p| (p as u32 - 6) * u32::from(own.own(p))).sum(),
            "back" => on(19..=25),
            "crossovers" => on(7..=12) + 2 * on(13..=18) + 3 * on(19..=24) + 4 * on(25..=25),
            "pips-out" => (1..=7).map(|n| n as u32 * u32::from(own.own(18 + n))).sum(),
            "deep" => on(1..=2),
            "moves-up" => (1..=25).rev().find(|p| own.own(*p) > 0).unwrap_or(0) as u32,
            "safe-next" => next_blots(&own),
            "lower-stack" => (1..=24).map(|p| u32::from(own.own(p))).max().unwrap_or(0),
            other => panic!("unknown count {other}"),
        }
    };
    for key in ["does", "but"] {
        let Some(SaidValue::List(parts)) = said.values.get(key) else { continue };
        for part in parts {
            let SaidValue::Part(clause) = part else { panic!("no clause: {part:?}") };
            let kind = clause.kind.as_str();
            match kind {
                "outside" | "pips-home" | "back" | "lower-stack" | "safe-next" | "deep"
                | "moves-up" | "crossovers" | "pips-out" => {
                    let told = ["n", "m"].map(|name| clause.values[name].clone());
                    let counted = boards.map(|board| SaidValue::Count(count(kind, board)));
                    assert_eq!(told, counted, "{}", said.in_english());
                }
                "builders" => {
                    let SaidValue::Part(point) = &clause.values["point"] else { panic!("{kind}") };
                    let point = match (point.kind.as_str(), point.values.get("n")) {
                        ("bar-point", _) => 7,
                        (_, Some(SaidValue::Count(point))) => *point as usize,
                        other => panic!("no point: {other:?}"),
                    };
                    let spares = |board: &Position| -> u32 {
                        let own = board.flipped();
                        assert!(own.own(point) == 0 && board.own(25 - point) == 0, "{kind}");
                        let count = |from| u32::from(own.own(from));
                        let free =
                            |from| count(from).saturating_sub(2) + u32::from(count(from) == 1);
                        (point + 1..point + 7).map(free).sum()
                    };
                    let told = ["n", "m"].map(|name| clause.values[name].clone());
                    assert_eq!(told, boards.map(|board| SaidValue::Count(spares(board))), "{kind}");
                }
                "takes-pips" => {
                    let theirs = boards.map(|board| u32::from(board.pips()));
                    assert_eq!(clause.values["n"], SaidValue::Count(theirs[0] - theirs[1]));
                }
                "all-home" => {
                    let outside = boards.map(|board| count("outside", board));
                    assert!(outside[0] == 0 && outside[1] > 0, "{}", said.in_english());
                }
                "leaves-home" => {
                    let back = boards.map(|board| count("back", board));
                    assert!(back[0] == 0 && back[1] > 0, "{}", said.in_english());
                }
                _ => {}
            }
        }
    }
}
