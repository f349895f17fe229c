//! The arrangements of one side's checkers, numbered for use as an index.

use crate::backgammon::Position;

/// Places of a checker: off (0), the 24 points, the bar (25).
const PLACES: usize = 26;

/// One arrangement, in the side's own numbering.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrangement {
    /// Checkers on the points and on the bar.
    pub(super) points: [i8; PLACES],
    pub(super) pips: usize,
    /// The rearmost checker; 0 if all are off.
    rear: usize,
    /// Bit `p` is point `p`, without off and bar.
    held: u32,
}

impl Arrangement {
    /// Whether the two sides can stand on one board: no point belongs to both.
    pub(super) fn fits(&self, opponent: &Arrangement) -> bool {
        self.held & (opponent.held.reverse_bits() >> 6) == 0
    }

    /// Whether some checker can still be hit.
    pub(super) fn meets(&self, opponent: &Arrangement) -> bool {
        self.rear + opponent.rear > 25
    }
}

/// All arrangements of one to three checkers, by number. They are in the order of the foremost
/// checker, then the next: GNU Backgammon's hypergammon databases have the same order.
#[derive(Debug)]
pub(crate) struct SideNumbers {
    checkers: u8,
    arrangements: Vec<Arrangement>,
    /// The number of an arrangement by its places, the rearmost first: see [`key`].
    numbers: Vec<u16>,
    /// The numbers of the arrangements of each pip count.
    by_pips: Vec<Vec<u32>>,
}

/// Three places as digits, the first the highest; missing ones are off.
fn key(places: [usize; 3]) -> usize {
    (places[0] * PLACES + places[1]) * PLACES + places[2]
}

impl SideNumbers {
    /// The arrangements of 1 to 3 checkers.
    pub(crate) fn new(count: u8) -> SideNumbers {
        let checkers = usize::from(count);
        let mut sides = SideNumbers {
            checkers: count,
            arrangements: Vec::new(),
            numbers: vec![0; PLACES.pow(3)],
            by_pips: vec![Vec::new(); checkers * (PLACES - 1) + 1],
        };
        sides.add([0; 3], checkers, 0);
        sides
    }

    /// Adds all arrangements with their rearmost `open` checkers on `lowest` or behind it.
    fn add(&mut self, places: [usize; 3], open: usize, lowest: usize) {
        if open > 0 {
            for place in lowest..PLACES {
                let mut places = places;
                places[open - 1] = place;
                self.add(places, open - 1, place);
            }
            return;
        }
        let (mut points, mut held) = ([0; PLACES], 0);
        for place in places {
            points[place] += i8::from(place > 0);
            held |= u32::from((1..=24).contains(&place)) << place;
        }
        let number = self.arrangements.len();
        let pips: usize = places.iter().sum();
        self.numbers[key(places)] = number as u16;
        self.by_pips[pips].push(number as u32);
        self.arrangements.push(Arrangement { points, pips, rear: places[0], held });
    }

    /// How many there are: 26, 351 or 3276.
    pub(crate) fn len(&self) -> usize {
        self.arrangements.len()
    }

    pub(super) fn get(&self, number: usize) -> &Arrangement {
        &self.arrangements[number]
    }

    /// The numbers of the arrangements with this pip count; none above the largest.
    pub(super) fn with_pips(&self, pips: usize) -> impl Iterator<Item = usize> {
        self.by_pips.get(pips).into_iter().flatten().map(|&number| number as usize)
    }

    /// The largest pip count: all checkers on the bar.
    pub(super) fn most_pips(&self) -> usize {
        self.by_pips.len() - 1
    }

    /// The index of a position: rows are the arrangements of the player on roll. No side may have
    /// more checkers than were asked for.
    ///
    /// Checkers come in the order from the bar forward, so both sides are read from their bars.
    #[inline]
    pub(crate) fn index(&self, position: &Position) -> usize {
        let words = position.padded_points().as_chunks::<8>().0;
        let mut words: [u64; 4] =
            std::array::from_fn(|i| u64::from_le_bytes(words[i].map(i8::cast_unsigned)));
        // Points 24 and 25 alone.
        words[3] &= 0xffff;
        let (mut own, mut nth) = ([0; 3], 0);
        for (i, mut word) in words.into_iter().enumerate().rev() {
            while word != 0 {
                let byte = 7 - word.leading_zeros() as usize / 8;
                let n = (word >> (8 * byte)) as u8 as i8;
                word &= !(0xff << (8 * byte));
                for _ in 0..n {
                    own[nth.min(2)] = 8 * i + byte;
                    nth += 1;
                }
            }
        }
        let (mut opponent, mut nth) = ([0; 3], 0);
        for (i, mut word) in words.into_iter().enumerate() {
            while word != 0 {
                let byte = word.trailing_zeros() as usize / 8;
                let n = (word >> (8 * byte)) as u8 as i8;
                word &= !(0xff << (8 * byte));
                for _ in n..0 {
                    opponent[nth.min(2)] = 25 - (8 * i + byte);
                    nth += 1;
                }
            }
        }
        let number = |places| usize::from(self.numbers[key(places)]);
        number(own) * self.len() + number(opponent)
    }

    /// The position of an index, if it is one: two sides may claim one point, or both be off. It
    /// belongs to a game of `self.checkers` checkers a side.
    pub(crate) fn position(&self, index: usize) -> Option<Position> {
        let (own, opponent) = (self.get(index / self.len()), self.get(index % self.len()));
        if !own.fits(opponent) {
            return None;
        }
        let mut points = own.points;
        for (point, n) in points.iter_mut().zip(opponent.points.iter().rev()) {
            *point -= n;
        }
        Position::new(points).ok()?.in_game_of(self.checkers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_the_index_that_leads_to_it() {
        for (checkers, sides) in [(1, 26), (2, 351), (3, 3276)] {
            let numbers = SideNumbers::new(checkers);
            assert_eq!(numbers.len(), sides);
            let mut legal = 0;
            for index in (0..sides * sides).step_by(if checkers == 3 { 97 } else { 1 }) {
                if let Some(position) = numbers.position(index) {
                    assert_eq!(numbers.index(&position), index, "{position}");
                    let contact = crate::backgammon::BoardView::of(&position).contact();
                    let (own, opponent) = (numbers.get(index / sides), numbers.get(index % sides));
                    assert_eq!(own.meets(opponent), contact, "{position}");
                    assert_eq!(own.pips, usize::from(position.pips()));
                    legal += 1;
                }
            }
            assert!(legal > sides * sides / 200);
        }
    }
}
