//! The best result of each of the 21 rolls; a search spends nearly all its time here.

use super::{ReplyOrder, ReplyRanking};
use crate::backgammon::{Dice, Position, Results};
use crate::eval::Evaluation;
use crate::eval::Evaluator;

/// The best result of one or more rolls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reply {
    /// The result, the other player on roll.
    pub(crate) position: Position,
    /// Its static evaluation, for that player.
    pub(crate) value: Evaluation,
    /// The probability of the rolls that lead there, 1/36..=1.
    pub(crate) weight: f32,
}

/// Buffers for the replies to one position after another.
#[derive(Default)]
pub(crate) struct Replies {
    results: Results,
    scores: Vec<(i32, u32)>,
    /// The distinct results of all rolls.
    batch: Vec<Position>,
    /// For each roll, the indices of its results in `batch`.
    places: Vec<u32>,
    ends: Vec<usize>,
    seen: SeenResults,
    values: Vec<Evaluation>,
    best: Vec<Reply>,
    /// For each of [`Dice::ALL`], the place in `best` of its reply.
    of_roll: Vec<usize>,
}

impl Replies {
    /// The best reply to each of the 21 rolls of a position that is not finished.
    ///
    /// It is the result with the lowest value for the other player by `ranking`. Rolls with the
    /// same best result are one reply.
    ///
    /// Of the results of a roll, `evaluator` evaluates the `max_replies` that the built-in
    /// [`ReplyOrder`] puts first. The results of all rolls are one batch, each board once.
    pub(crate) fn of(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
        max_replies: usize,
        ranking: ReplyRanking,
    ) -> &[Reply] {
        self.gather(position, max_replies);
        evaluator.evaluate_into(&self.batch, &mut self.values);
        self.best.clear();
        self.of_roll.clear();
        let mut begin = 0;
        for (dice, &end) in Dice::ALL.iter().zip(&self.ends) {
            let mut best = (0, f32::INFINITY);
            for &place in &self.places[begin..end] {
                let value = ranking.value(&self.values[place as usize]);
                if value < best.1 {
                    best = (place as usize, value);
                }
            }
            begin = end;
            let (position, value) = (self.batch[best.0], self.values[best.0]);
            let known = self.best.iter().position(|reply| reply.position == position);
            let place = known.unwrap_or(self.best.len());
            match self.best.get_mut(place) {
                Some(reply) => reply.weight += dice.probability(),
                None => self.best.push(Reply { position, value, weight: dice.probability() }),
            }
            self.of_roll.push(place);
        }
        &self.best
    }

    /// The reply to one roll, among those of the last call of [`Replies::of`].
    pub(crate) fn place_of(&self, dice: Dice) -> usize {
        let rank = Dice::ALL.iter().position(|&other| other == dice);
        rank.and_then(|rank| self.of_roll.get(rank)).copied().unwrap_or_default()
    }

    fn gather(&mut self, position: &Position, max_replies: usize) {
        self.batch.clear();
        self.places.clear();
        self.ends.clear();
        self.seen.clear();
        let order = (max_replies < usize::MAX).then(|| ReplyOrder::built_in().at(position));
        for dice in Dice::ALL {
            let found = self.results.of(position, dice);
            if let Some(values) = order.as_ref().filter(|_| found.len() > max_replies) {
                self.scores.clear();
                self.scores.extend(found.iter().zip(0..).map(|(after, i)| (values.of(after), i)));
                self.scores.select_nth_unstable_by(max_replies - 1, |a, b| {
                    b.0.cmp(&a.0).then(a.1.cmp(&b.1))
                });
                let kept = &mut self.scores[..max_replies];
                kept.sort_unstable_by_key(|(_, i)| *i);
                for &mut (_, i) in kept {
                    self.places.push(self.seen.place(&found[i as usize], &mut self.batch));
                }
            } else {
                for after in found {
                    self.places.push(self.seen.place(after, &mut self.batch));
                }
            }
            self.ends.push(self.places.len());
        }
    }
}

/// The boards that a batch contains: their places in it, by hash.
#[derive(Default)]
struct SeenResults {
    slots: Vec<u32>,
    filled: Vec<u32>,
}

const SLOTS: usize = 4096;
const EMPTY: u32 = u32::MAX;

impl SeenResults {
    fn clear(&mut self) {
        self.slots.resize(SLOTS, EMPTY);
        for slot in self.filled.drain(..) {
            self.slots[slot as usize] = EMPTY;
        }
    }

    /// The place of `position` in `batch`, where it is put if it is new.
    #[inline(always)]
    fn place(&mut self, position: &Position, batch: &mut Vec<Position>) -> u32 {
        let mut slot = hash(position) as usize % SLOTS;
        // A full table would make the loop below endless; further boards are not looked up.
        if batch.len() < SLOTS / 2 {
            loop {
                let place = self.slots[slot];
                if place == EMPTY {
                    self.slots[slot] = batch.len() as u32;
                    self.filled.push(slot as u32);
                    break;
                }
                if batch[place as usize] == *position {
                    return place;
                }
                slot = (slot + 1) % SLOTS;
            }
        }
        batch.push(*position);
        batch.len() as u32 - 1
    }
}

/// A 64-bit hash of a board; the same on every machine.
#[inline(always)]
pub(super) fn hash(position: &Position) -> u64 {
    let mut mixed = 0u64;
    for word in position.padded_points().as_chunks::<8>().0 {
        let word = u64::from_le_bytes(word.map(i8::cast_unsigned));
        mixed = (mixed ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^= mixed >> 29;
    }
    mixed ^ (mixed >> 32)
}
