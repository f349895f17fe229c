//! Numbers of sentences, counted another way.

use super::*;
use nonet_engine::backgammon::Position;
use nonet_engine::explain::BoardFacts;

/// A number as it is printed, in thousandths.
fn printed(said: &Said, name: &str) -> i32 {
    let Some(SaidValue::Decimal { number, digits: 3 }) = said.values.get(name) else {
        panic!("no number {name}: {said:?}");
    };
    (1000.0 * format!("{number:.3}").parse::<f64>().expect("a number")).round() as i32
}

/// The sums that are told add up to the whole, to the last digit: named throws, those on the other
/// side, and the rest. The whole is that of the plays, or a sentence says that it is not.
pub(super) fn check_sum(answer: &WhyAnswer) {
    let of = |kind: &str| answer.said.iter().find(|said| said.kind.starts_with(kind));
    let Some(rest) = of("rest-") else {
        assert!(of("rolls").is_none(), "{:?}", answer.sentences);
        return;
    };
    let is_named = |said: &&Said| matches!(said.kind.as_str(), "rolls" | "rolls-both");
    let named = printed(answer.said.iter().find(is_named).expect("rolls"), "sum");
    let back = of("rolls-against").map_or(0, |said| printed(said, "sum"));
    let others = match rest.kind.as_str() {
        "rest-adds" => printed(rest, "n"),
        "rest-takes" => -printed(rest, "n"),
        _ => 0,
    };
    let whole = printed(rest, "whole");
    assert_eq!(named - back + others, whole, "{:?}", answer.sentences);
    // The others by themselves, from the table.
    let is_other = |roll: &&WhyRoll| !roll.named && !roll.against;
    let table: f32 = answer.rolls.iter().filter(is_other).map(|roll| roll.share).sum();
    let may_differ = 3.0_f32.max(20.0 * answer.worse.loss);
    assert!((1000.0 * table - others as f32).abs() < may_differ, "{:?}", answer.sentences);
    let loss = (1000.0 * answer.worse.loss).round() as i32;
    assert!(
        of("rolls-alone").or(of("rolls-doubled")).is_some() || (whole - loss).abs() <= 1,
        "{:?}",
        answer.sentences
    );
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
            "lower-stack" => (1..=24).map(|p| u32::from(own.own(p))).max().unwrap_or(0),
            "even-rear" => {
                (1..=25).rev().map(|p| u32::from(own.own(p))).find(|n| *n > 0).unwrap_or(0)
            }
            other => panic!("unknown count {other}"),
        }
    };
    for key in ["does", "but"] {
        let Some(SaidValue::List(parts)) = said.values.get(key) else { continue };
        for part in parts {
            let SaidValue::Part(clause) = part else { panic!("no clause: {part:?}") };
            let kind = clause.kind.as_str();
            match kind {
                "outside" | "pips-home" | "back" | "lower-stack" | "even-rear" => {
                    let told = ["n", "m"].map(|name| clause.values[name].clone());
                    let counted = boards.map(|board| SaidValue::Count(count(kind, board)));
                    assert_eq!(told, counted, "{}", said.in_english());
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
