//! The kind of game that a play leads to, where the board really has it.

use super::words::Said;
use super::{WhyAnswer, WhyFacts};
use nonet_engine::backgammon::{BoardView, Position};
use nonet_engine::class::Class;
use nonet_engine::explain::Explanation;

/// The kind of game that the plays lead to, if they differ in it.
pub(super) fn plan(answer: &WhyAnswer, why: &Explanation, position: &Position) -> Option<Said> {
    let [before, better, worse] = why.plans;
    if better == worse || !BoardView::of(position).contact() {
        return None;
    }
    let plays = [&answer.better.play, &answer.worse.play];
    let of = |place: usize| {
        let facts = [&answer.facts_better, &answer.facts_worse][place];
        let board = [&why.better, &why.worse][place].after().flipped();
        // A play does not lead to what is there already.
        let class = [better, worse][place].filter(|class| !is_really(*class, position));
        named(class, &board, Some(facts))
    };
    // The play that leaves the kind of game that the other one keeps.
    for (place, class, other) in [(0, better, worse), (1, worse, better)] {
        if other == before && class != before {
            let from = named(before, position, None);
            let (Some(plan), Some(from)) = (of(place), from) else { continue };
            let said = Said::new("plan-from").with("play", plays[place]);
            return Some(said.with("from", from).with("plan", plan));
        }
    }
    match (of(0), of(1)) {
        (plan, others) if plan == others => None,
        (Some(plan), Some(others)) => Some(
            Said::new("plan-both")
                .with("play", plays[0])
                .with("plan", plan)
                .with("other", plays[1])
                .with("others", others),
        ),
        (Some(plan), None) => Some(Said::new("plan").with("play", plays[0]).with("plan", plan)),
        (None, Some(plan)) => Some(Said::new("plan").with("play", plays[1]).with("plan", plan)),
        (None, None) => None,
    }
}

/// What players call such a game; a race with its pips.
fn named(class: Option<Class>, own: &Position, facts: Option<&WhyFacts>) -> Option<Said> {
    let spec = class?.spec();
    if !is_really(class?, own) {
        return None;
    }
    let Some(facts) = facts.filter(|facts| !facts.contact) else {
        return Some(Said::new(&format!("plan-{}", spec.slug)));
    };
    let [own, theirs] = facts.pips;
    let (kind, pips) = match own.cmp(&theirs) {
        std::cmp::Ordering::Less => ("race-ahead", theirs - own),
        std::cmp::Ordering::Equal => ("race-even", 0),
        std::cmp::Ordering::Greater => ("race-behind", own - theirs),
    };
    Some(Said::new(kind).with("n", u32::from(pips)))
}

/// Whether players would call it so. The classes choose a net and are wider: a five-point block is
/// told as a block, and one anchor makes no back game.
fn is_really(class: Class, own: &Position) -> bool {
    let view = BoardView::of(own);
    let has_deep_anchor = (22..=24).any(|point| own.own(point) >= 2);
    let is_behind = view.own.pips() > view.opponent.pips();
    // Their checkers that have not come home.
    let coming = view.opponent.checkers(7, 25);
    let nobody_off = own.opponent_left() == 15;
    match class.spec().plan {
        Some("a race" | "the bearoff") => !view.contact(),
        Some("a holding game") => nobody_off && is_behind && coming >= 2 && !has_deep_anchor,
        Some("a back game") => nobody_off && is_behind && coming >= 2 && view.own.anchors() >= 2,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_it(plan: &str, own: &Position) -> bool {
        let class = Class::all().find(|class| class.spec().plan == Some(plan));
        is_really(class.expect("a plan of the table"), own)
    }

    #[test]
    fn a_class_is_told_as_a_plan_only_where_the_board_has_it() {
        // Three back checkers and one anchor are no back game, two anchors are.
        let theirs = [(13, 4), (8, 4), (6, 5), (4, 2)];
        let one = [(24, 3), (13, 2), (6, 5), (5, 5)];
        let two = [(24, 2), (22, 2), (13, 1), (6, 5), (5, 5)];
        let [one, two] =
            [&one[..], &two[..]].map(|own| Position::from_sides(own, &theirs).expect("a board"));
        assert!(!is_it("a back game", &one) && is_it("a back game", &two));
        // An anchor behind which the opponent has brought all home holds nothing.
        let own = [(20, 2), (6, 6), (5, 5), (4, 2)];
        let home = Position::from_sides(&own, &[(3, 7), (2, 8)]).expect("a board");
        let coming =
            Position::from_sides(&own, &[(13, 3), (8, 2), (6, 5), (2, 5)]).expect("a board");
        assert!(!is_it("a holding game", &home) && is_it("a holding game", &coming));
        assert!(!is_it("a prime", &coming));
    }
}
