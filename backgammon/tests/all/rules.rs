//! The move generator against a slow, obviously right one, over positions that games reach.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;

use backgammon::{BoardView, Dice, Position, Results, candidates, perft};
use proptest::prelude::*;

/// The rules as the rule book states them, one checker move at a time over plain arrays.
mod oracle {
    use super::*;

    type Board = [i8; 26];

    fn legal_step(board: &Board, from: usize, die: usize) -> Option<Board> {
        if board[from] <= 0 {
            return None; // no own checker there
        }
        if board[25] > 0 && from != 25 {
            return None; // checkers on the bar enter first
        }
        let mut next = *board;
        next[from] -= 1;
        if from > die {
            let to = from - die;
            if next[to] <= -2 {
                return None; // held by the opponent
            }
            if next[to] == -1 {
                next[to] = 0;
                next[0] -= 1; // hit
            }
            next[to] += 1;
        } else {
            if (7..=25).any(|p| board[p] > 0) {
                return None; // bearing off needs every checker at home
            }
            if from < die && (from + 1..=6).any(|p| board[p] > 0) {
                return None; // a higher die takes the rearmost checker only
            }
        }
        Some(next)
    }

    /// All boards reached by playing as many of `dice` in this order as possible, with the number
    /// played.
    fn play(board: &Board, dice: &[usize], played: usize, out: &mut Vec<(usize, usize, Board)>) {
        let mut any = false;
        if let Some((&die, rest)) = dice.split_first() {
            for from in 1..=25 {
                if let Some(next) = legal_step(board, from, die) {
                    any = true;
                    play(&next, rest, played + 1, out);
                }
            }
        }
        if !any {
            out.push((played, dice.first().copied().unwrap_or(0), *board));
        }
    }

    pub(crate) fn results(position: &Position, dice: Dice) -> BTreeSet<[i8; 26]> {
        let (high, low) = (usize::from(dice.high()), usize::from(dice.low()));
        let board = *position.points();
        let mut ends = Vec::new();
        if dice.is_double() {
            play(&board, &[high; 4], 0, &mut ends);
        } else {
            play(&board, &[high, low], 0, &mut ends);
            play(&board, &[low, high], 0, &mut ends);
        }
        let most = ends.iter().map(|end| end.0).max().unwrap_or(0);
        ends.retain(|end| end.0 == most);
        if most == 1 && !dice.is_double() && ends.iter().any(|end| end.1 == low) {
            ends.retain(|end| end.1 == low); // stuck before the lower die: the higher one was played
        }
        ends.into_iter()
            .map(|(_, _, board)| *Position::new(board).expect("legal").flipped().points())
            .collect()
    }
}

/// A position that random legal play from the start reaches.
fn reachable() -> impl Strategy<Value = Position> {
    prop::collection::vec((0usize..21, any::<prop::sample::Index>()), 0..120).prop_map(|turns| {
        let mut position = Position::START;
        let mut results = Results::default();
        for (roll, pick) in turns {
            let found = results.of(&position, Dice::ALL[roll]);
            let next = found[pick.index(found.len())];
            if next.outcome().is_some() {
                break;
            }
            position = next;
        }
        position
    })
}

/// A position of few checkers with bars, blots and bear-offs thrown together: rare in games, legal
/// all the same.
fn thrown() -> impl Strategy<Value = Position> {
    let side = || {
        prop::collection::vec((prop_oneof![1usize..=6, 1usize..=25, Just(25usize)], 1i8..=3), 1..6)
    };
    (side(), side()).prop_filter_map("a legal board", |(own, opponent)| {
        let mut points = [0i8; 26];
        for (point, n) in own {
            points[point] += n;
        }
        for (point, n) in opponent {
            if points[25 - point] <= 0 {
                points[25 - point] -= n;
            }
        }
        Position::new(points).ok().filter(|p| p.outcome().is_none())
    })
}

fn check(position: &Position) {
    let mut results = Results::default();
    for dice in Dice::ALL {
        let truth = oracle::results(position, dice);
        let found = results.of(position, dice);
        let set: BTreeSet<[i8; 26]> = found.iter().map(|p| *p.points()).collect();
        assert_eq!(set.len(), found.len(), "each result once: {dice}{position:?}");
        assert_eq!(set, truth, "the fast generator: {dice}{position:?}");
        let plays = candidates(position, dice);
        let set: BTreeSet<[i8; 26]> = plays.iter().map(|c| *c.after.points()).collect();
        assert_eq!(set.len(), plays.len(), "each play once: {dice}{position:?}");
        assert_eq!(set, truth, "the plays in notation: {dice}{position:?}");
        for candidate in &plays {
            let text = candidate.play.to_string();
            let read = position.read_play(&text, dice).map(|c| c.after);
            assert_eq!(read, Ok(candidate.after), "'{text}' reads back: {dice}{position:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_roll_of_a_reachable_position_agrees_with_the_rule_book(position in reachable()) {
        check(&position);
    }

    #[test]
    fn every_roll_of_a_thrown_position_agrees_with_the_rule_book(position in thrown()) {
        check(&position);
    }

    #[test]
    fn contact_is_what_it_says(position in reachable()) {
        let rear = |p: &Position| (1..=25).rev().find(|&i| p.own(i) > 0).unwrap_or(0);
        let contact = rear(&position) + rear(&position.flipped()) > 25;
        prop_assert_eq!(BoardView::of(&position).contact(), contact);
    }
}

#[test]
fn the_start_position_has_447_results_and_202_782_after_two_half_moves() {
    assert_eq!(perft(&Position::START, 1), 447);
    assert_eq!(perft(&Position::START, 2), 202_782);
}
