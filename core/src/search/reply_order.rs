//! In which order the replies to a roll are worth an evaluation: a small net for each class, which only has to know that a reply may be
//! the best one.

use std::sync::LazyLock;

use crate::backgammon::Position;
use crate::class::{ByClass, Class};

/// Hidden units of the net of a class: two SSE registers.
pub const REPLY_HIDDEN: usize = 16;
/// Places of the board with both bars.
const PLACES: usize = 26;
/// Rows of a place; one for each number of checkers that is told apart, and padding to a power of two.
const ROWS: usize = 16;
/// The most checkers of the player who has moved, and of the other one, that are told apart on a place.
const MOST: (i8, i8) = (8, 3);
/// Numbers of checkers that are told apart.
const COUNTS: usize = (MOST.0 + MOST.1 + 1).unsigned_abs() as usize;

static BUILT_IN: LazyLock<ReplyOrder> = LazyLock::new(|| {
    ReplyOrder::from_bytes(nonet_nets::REPLIES).expect("a test reads the compiled-in file")
});

/// The nets of all classes. Each reads the result of a roll, as many checkers of whom on which place, and says how likely it is to be the
/// best one; the class is that of the position before the roll. The built-in nets were fitted to the values of the second
/// champion (`examples/fit_reply_order.rs`, `nets/README.md`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyOrder(ByClass<ReplyNet>);

/// The net of a class, in 16-bit fixed point: multiples of 1/512.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyNet {
    /// `[place, count]`, each with the weights to the hidden units.
    rows: Box<[[i16; REPLY_HIDDEN]; PLACES * ROWS]>,
    bias: [i16; REPLY_HIDDEN],
    out: [i16; REPLY_HIDDEN],
}

/// Weights of the net of a class as they are fitted: for each place and each number of checkers on it those to the hidden units, then the
/// biases of these, then the weights to the output.
pub const REPLY_WEIGHTS: usize = (PLACES * COUNTS + 2) * REPLY_HIDDEN;

/// The scale of the fixed point.
const ONE: f32 = 512.0;

impl ReplyOrder {
    /// The nets of this version.
    #[must_use]
    pub fn built_in() -> &'static ReplyOrder {
        &BUILT_IN
    }

    /// Reads [`REPLY_WEIGHTS`] little-endian 16-bit numbers for each class; `None` if there are more or fewer, or if a sum could
    /// overflow.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<ReplyOrder> {
        let (numbers, []) = bytes.as_chunks::<2>() else { return None };
        let numbers: Vec<i16> = numbers.iter().map(|two| i16::from_le_bytes(*two)).collect();
        let classes = Class::all().len();
        if numbers.len() != classes * REPLY_WEIGHTS {
            return None;
        }
        let nets: Option<Vec<ReplyNet>> =
            numbers.chunks_exact(REPLY_WEIGHTS).map(ReplyNet::of).collect();
        let mut nets = nets?.into_iter();
        Some(ReplyOrder(ByClass::new(|_| nets.next().expect("as many as there are classes"))))
    }

    /// The bytes of [`ReplyOrder::from_bytes`] from weights as they are fitted, a list of [`REPLY_WEIGHTS`] for each class.
    #[must_use]
    pub fn to_bytes(weights: &[Vec<f32>]) -> Vec<u8> {
        let numbers = weights.iter().flatten();
        numbers.flat_map(|weight| ((weight * ONE).round() as i16).to_le_bytes()).collect()
    }

    /// The net that orders the results of a roll at `before`.
    #[inline]
    #[must_use]
    pub fn at(&self, before: &Position) -> &ReplyNet {
        &self.0[Class::of(before)]
    }
}

impl ReplyNet {
    fn of(numbers: &[i16]) -> Option<ReplyNet> {
        let (lists, _) = numbers.as_chunks::<REPLY_HIDDEN>();
        let (rows, last) = lists.split_at(PLACES * COUNTS);
        let mut net = ReplyNet {
            rows: Box::new([[0; REPLY_HIDDEN]; PLACES * ROWS]),
            bias: last[0],
            out: last[1],
        };
        for (place, rows) in rows.chunks_exact(COUNTS).enumerate() {
            net.rows[place * ROWS..][..COUNTS].copy_from_slice(rows);
        }
        let largest: u32 = net.out.iter().map(|w| u32::from(w.unsigned_abs())).sum();
        (largest < 1 << 16).then_some(net)
    }

    /// Which of the weights of a place a board reads, seen by the player on roll after the move.
    #[inline(always)]
    #[must_use]
    pub fn count_at(after: &Position, place: usize) -> usize {
        usize::from((MOST.1 - after.points()[place].clamp(-MOST.0, MOST.1)).unsigned_abs())
    }

    /// How likely a result is to be the best one of its roll: the higher, the likelier. `after` has the opponent on roll.
    #[inline]
    #[must_use]
    pub fn value(&self, after: &Position) -> i32 {
        let mut sums = self.bias;
        let (places, _) = self.rows.as_chunks::<ROWS>();
        for (place, rows) in places.iter().enumerate() {
            let row = &rows[ReplyNet::count_at(after, place) % ROWS];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum = sum.saturating_add(*weight);
            }
        }
        let mut value = 0;
        for (sum, weight) in sums.iter().zip(&self.out) {
            value += i32::from((*sum).max(0)) * i32::from(*weight);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    use super::*;
    use crate::backgammon::{Dice, Results};
    use crate::game::{below, roll};

    /// Weights of a class that are the number of their place, in fixed point.
    fn numbered() -> Vec<Vec<f32>> {
        let count = |i: usize| (i % 97) as f32 / ONE;
        Class::all().map(|_| (0..REPLY_WEIGHTS).map(count).collect()).collect()
    }

    #[test]
    fn the_compiled_in_file_is_read() {
        assert!(ReplyOrder::from_bytes(nonet_nets::REPLIES).is_some());
    }

    #[test]
    fn files_of_another_length_and_weights_that_overflow_are_refused() {
        let bytes = ReplyOrder::to_bytes(&numbered());
        assert!(ReplyOrder::from_bytes(&bytes).is_some());
        assert!(ReplyOrder::from_bytes(&bytes[2..]).is_none());
        assert!(ReplyOrder::from_bytes(&bytes[1..]).is_none());
        let mut large = numbered();
        let out = REPLY_WEIGHTS - REPLY_HIDDEN;
        large[3][out..].fill(8.1);
        assert!(ReplyOrder::from_bytes(&ReplyOrder::to_bytes(&large)).is_none());
    }

    #[test]
    fn the_value_of_a_board_is_that_of_a_net_in_floating_point() {
        let weights = numbered();
        let order = ReplyOrder::from_bytes(&ReplyOrder::to_bytes(&weights)).expect("readable");
        let (mut results, mut rng) = (Results::default(), Pcg64::seed_from_u64(3));
        let mut position = Position::START;
        for _ in 0..60 {
            let after = results.of(&position, roll(&mut rng));
            let after = after[below(after.len(), &mut rng)];
            let of_class = &weights[Class::of(&position) as usize];
            let (lists, _) = of_class.as_chunks::<REPLY_HIDDEN>();
            let value: f32 = (0..REPLY_HIDDEN)
                .map(|h| {
                    let read = |place| lists[place * COUNTS + ReplyNet::count_at(&after, place)][h];
                    let sum = lists[PLACES * COUNTS][h] + (0..PLACES).map(read).sum::<f32>();
                    sum.max(0.0) * lists[PLACES * COUNTS + 1][h]
                })
                .sum();
            let found = order.at(&position).value(&after) as f32 / (ONE * ONE);
            assert!((found - value).abs() < 1e-3, "{found} for {value}");
            position = if after.outcome().is_some() { Position::START } else { after };
        }
    }

    #[test]
    fn checkers_are_counted_for_both_sides_and_many_are_as_eight() {
        let after = Position::from_sides(&[(6, 5), (25, 2)], &[(3, 9), (8, 1)]).expect("legal");
        assert_eq!(ReplyNet::count_at(&after, 6), 0, "five of the player on roll are as three");
        assert_eq!(ReplyNet::count_at(&after, 25), 1);
        assert_eq!(ReplyNet::count_at(&after, 10), 3, "none");
        assert_eq!(ReplyNet::count_at(&after, 17), 4, "the other player's 8 point");
        assert_eq!(ReplyNet::count_at(&after, 22), 11, "nine are as eight");
    }

    #[test]
    fn an_opening_31_makes_the_five_point_first_of_all() {
        let mut results = Results::default();
        let dice: Dice = "31".parse().expect("a roll");
        let order = ReplyOrder::built_in().at(&Position::START);
        let best = results.of(&Position::START, dice).iter().max_by_key(|after| order.value(after));
        let after = best.expect("there are plays").flipped();
        assert_eq!((after.own(8), after.own(6), after.own(5)), (2, 4, 2), "{after:?}");
    }
}
