//! The best plays of a sweep, kept so that the sweeps after it generate no moves.

use super::exact::{EQUITIES, Exact};
use crate::backgammon::Dice;

/// The results of the best plays in each position with contact, in the order of a sweep.
#[derive(Debug)]
pub(super) struct Policy {
    /// By pip count; then by arrangement of the player on roll. A list holds, for each position,
    /// its index, then the results of the 21 rolls. [`LAST`] marks the last result of a roll.
    steps: Vec<Vec<Vec<u32>>>,
}

/// Marks the last of the results that are kept for one roll.
const LAST: u32 = 1 << 31;

impl Policy {
    /// No plays yet.
    pub(super) fn new(steps: u32) -> Policy {
        Policy { steps: vec![Vec::new(); steps as usize] }
    }

    /// Replaces the plays of one pip count.
    pub(super) fn put(&mut self, step: u32, rows: Vec<Vec<u32>>) {
        self.steps[step as usize] = rows;
    }

    /// The lists of one pip count.
    pub(super) fn rows(&self, step: u32) -> &[Vec<u32>] {
        &self.steps[step as usize]
    }
}

/// Adds the results of one roll to a list. They differ where the cube's place decides the play.
pub(super) fn keep(best: [u32; EQUITIES], list: &mut Vec<u32>) {
    let first = list.len();
    for result in best {
        if !list[first..].contains(&result) {
            list.push(result);
        }
    }
    if let Some(last) = list.last_mut() {
        *last |= LAST;
    }
}

/// The values of a list's positions when both sides choose among the plays that it keeps.
pub(super) fn values(list: &[u32], values: &[Exact]) -> Vec<(usize, Exact)> {
    let mut words = list.iter();
    let mut found = Vec::new();
    while let Some(&index) = words.next() {
        let mut sum = Exact::ZERO;
        for dice in Dice::ALL {
            let mut best: Option<Exact> = None;
            for &word in words.by_ref() {
                let play = values[(word & !LAST) as usize].of_play();
                best = Some(best.map_or(play, |best| best.or_better(play)));
                if word & LAST != 0 {
                    break;
                }
            }
            if let Some(best) = best {
                sum.add(&best, f64::from(dice.weight()));
            }
        }
        found.push((index as usize, sum.over_throws()));
    }
    found
}
