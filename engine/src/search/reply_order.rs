//! In which order the replies to a roll are worth an evaluation.
//!
//! Each class has a small net, which only has to know that a reply may be the best one.

use std::sync::LazyLock;

use crate::backgammon::Position;
use crate::class::{ByClass, Class};

/// Hidden units of the net of a class: four SSE registers.
pub const REPLY_HIDDEN: usize = 32;
/// Places of the board with both bars.
const PLACES: usize = 26;
/// Rows of a place; one for each number of checkers that is told apart, and padding to a power of
/// two.
const ROWS: usize = 16;
/// The most checkers of the player who has moved, and of the other one, that are told apart on a
/// place.
const MOST: (i8, i8) = (8, 3);
/// Numbers of checkers that are told apart.
const COUNTS: usize = (MOST.0 + MOST.1 + 1).unsigned_abs() as usize;

static BUILT_IN: LazyLock<ReplyOrder> = LazyLock::new(|| {
    ReplyOrder::from_bytes(nonet_nets::REPLIES).expect("a test reads the compiled-in file")
});

/// The nets of all classes. A net reads the result of a roll, as the number of checkers of each
/// side on each place. It estimates the chance that this result is the best one. The class is that
/// of the position before the roll. The built-in nets were fitted to the values of the champion
/// (`reports/tools/src/bin/fit_reply_order.rs`, `nets/LEDGER.md`).
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

/// Weights of the net of a class as they are fitted.
///
/// First come, for each place and each number of checkers on it, the weights to the hidden units.
/// Then come the biases of the hidden units, then the weights to the output.
pub const REPLY_WEIGHTS: usize = (PLACES * COUNTS + 2) * REPLY_HIDDEN;

/// The largest weight to a hidden unit, and the largest one to the output: with such weights no sum
/// overflows.
pub const REPLY_LARGEST: (f32, f32) = (2.25, 3.75);

/// The scale of the fixed point.
const ONE: f32 = 512.0;

impl ReplyOrder {
    /// The nets of this version.
    #[must_use]
    pub fn built_in() -> &'static ReplyOrder {
        &BUILT_IN
    }

    /// Reads [`REPLY_WEIGHTS`] little-endian 16-bit numbers for each class; `None` if there are
    /// more or fewer, or if one exceeds [`REPLY_LARGEST`].
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

    /// The bytes of [`ReplyOrder::from_bytes`] from weights as they are fitted, a list of
    /// [`REPLY_WEIGHTS`] for each class.
    #[must_use]
    pub fn to_bytes(weights: &[Vec<f32>]) -> Vec<u8> {
        let numbers = weights.iter().flatten();
        numbers.flat_map(|weight| ((weight * ONE).round() as i16).to_le_bytes()).collect()
    }

    /// The values of the results of rolls at `before`, by the net of its class.
    #[must_use]
    pub fn at(&self, before: &Position) -> ReplyValues<'_> {
        self.0[Class::of(before)].at(before)
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
        let within = |list: &[i16; REPLY_HIDDEN], largest: f32| {
            list.iter().all(|w| f32::from(*w).abs() <= largest * ONE)
        };
        let hidden = rows.iter().chain([&last[0]]).all(|list| within(list, REPLY_LARGEST.0));
        (hidden && within(&last[1], REPLY_LARGEST.1)).then_some(net)
    }

    /// Which of the weights of a place a board reads, seen by the player on roll after the move.
    #[inline(always)]
    #[must_use]
    pub fn count_at(after: &Position, place: usize) -> usize {
        usize::from((MOST.1 - after.points()[place].clamp(-MOST.0, MOST.1)).unsigned_abs())
    }

    /// The value of results at `before`.
    #[must_use]
    pub fn at(&self, before: &Position) -> ReplyValues<'_> {
        let unmoved = before.flipped();
        let sum = |sums, place| add(sums, self.row(&unmoved, place));
        ReplyValues { net: self, sums: (0..PLACES).fold(self.bias, sum), unmoved }
    }

    /// The weights that a board reads for a place.
    #[inline(always)]
    fn row(&self, after: &Position, place: usize) -> &[i16; REPLY_HIDDEN] {
        let (places, _) = self.rows.as_chunks::<ROWS>();
        &places[place][ReplyNet::count_at(after, place) % ROWS]
    }
}

/// Values of the results of rolls at a position. The sums of the hidden units for the unmoved board
/// are made once; a result changes those of the places where it differs.
#[derive(Clone, Debug)]
pub struct ReplyValues<'a> {
    net: &'a ReplyNet,
    /// The position before the roll, as the opponent sees it.
    unmoved: Position,
    /// The sums of its hidden units.
    sums: [i16; REPLY_HIDDEN],
}

impl ReplyValues<'_> {
    /// How likely a result is to be the best one of its roll: the higher, the likelier. `after` has
    /// the opponent on roll.
    #[inline]
    #[must_use]
    pub fn of(&self, after: &Position) -> i32 {
        let mut sums = self.sums;
        let (old, _) = self.unmoved.padded_points().as_chunks::<8>();
        let (new, _) = after.padded_points().as_chunks::<8>();
        for (eighth, (old, new)) in old.iter().zip(new).enumerate() {
            let mut differ = word(old) ^ word(new);
            while differ != 0 {
                let byte = differ.trailing_zeros() / 8;
                differ &= !(0xff << (8 * byte));
                // What stands behind the last place is the same on all boards.
                let place = (8 * eighth + byte as usize).min(PLACES - 1);
                sums = add(
                    subtract(sums, self.net.row(&self.unmoved, place)),
                    self.net.row(after, place),
                );
            }
        }
        let weighted = sums.iter().zip(&self.net.out);
        weighted.map(|(sum, weight)| i32::from((*sum).max(0)) * i32::from(*weight)).sum()
    }
}

#[inline(always)]
fn word(points: &[i8; 8]) -> u64 {
    u64::from_le_bytes(points.map(i8::cast_unsigned))
}

#[inline(always)]
fn add(mut sums: [i16; REPLY_HIDDEN], row: &[i16; REPLY_HIDDEN]) -> [i16; REPLY_HIDDEN] {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
    sums
}

#[inline(always)]
fn subtract(mut sums: [i16; REPLY_HIDDEN], row: &[i16; REPLY_HIDDEN]) -> [i16; REPLY_HIDDEN] {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*weight);
    }
    sums
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
        for (place, large) in [(0, 2.26), (REPLY_WEIGHTS - 1, -3.76)] {
            let mut weights = numbered();
            weights[3][place] = large;
            assert!(ReplyOrder::from_bytes(&ReplyOrder::to_bytes(&weights)).is_none());
        }
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
            let found = order.at(&position).of(&after) as f32 / (ONE * ONE);
            assert!((found - value).abs() < 1e-3, "{found} for {value}");
            position = if after.outcome().is_some() { Position::START } else { after };
        }
    }

    #[test]
    fn the_largest_weights_overflow_no_sum() {
        let (hidden, out) = REPLY_LARGEST;
        let units = REPLY_HIDDEN as f32;
        assert!((PLACES + 1) as f32 * hidden * ONE < f32::from(i16::MAX));
        assert!(units * f32::from(i16::MAX) * out * ONE < 2.0_f32.powi(31));
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
        let best = results.of(&Position::START, dice).iter().max_by_key(|after| order.of(after));
        let after = best.expect("there are plays").flipped();
        assert_eq!((after.own(8), after.own(6), after.own(5)), (2, 4, 2), "{after:?}");
    }
}
