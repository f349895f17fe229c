//! Bearoff databases in GNU Backgammon's arithmetic and file format, identical to the byte.
//!
//! gnubg can use the files, and its published checksums verify the generator.
//!
//! The layout, as read from gnubg's files, with all numbers little-endian:
//!
//! - Both files begin with a line of 40 bytes, filled with `x`:
//!   - `gnubg-OS-06-15-1-1-0`: points, checkers, with the first checker's distribution, compressed,
//!     not approximated.
//!   - `gnubg-TS-06-06-1`: points, checkers, with cube.
//! - The one-sided file has two parts:
//!   - for each board an offset into the distributions (32 bits), then length and first roll of
//!     both distributions (8 bits each).
//!   - the distributions, 16 bits a number, certainty 65535.
//! - The two-sided file has four equities for each position: cubeless, cube owned, centred, the
//!   opponent's. Each has 16 bits, with -1 as 0 and +1 as 65535.

use super::HOMES;
use super::home_board_index::homes;
use super::one_sided::{Chance, OneSided, ROLLS};
use super::two_sided::{Equity, TwoSided};
use crate::eval::Cubeful;
use crate::progress::Progress;

/// Bytes before the first entry.
pub const HEADER: usize = 40;
/// Bytes of an entry of a two-sided database: four equities.
pub const ENTRY: usize = 8;
/// The opponent's take point in 16 bits.
const HALF: i16 = i16::MAX / 2;

impl Chance for u16 {
    const ONE: u16 = u16::MAX;

    fn get(self) -> f64 {
        self.into()
    }

    /// Rounded half up; the difference of the sum to certainty is then added to the first of the
    /// largest numbers.
    fn mean(sums: &[f64; ROLLS]) -> [u16; ROLLS] {
        let mut mean = sums.map(|sum| ((sum + 18.0) / 36.0) as u16);
        let total: i64 = mean.iter().map(|&chance| i64::from(chance)).sum();
        let mut largest = 0;
        for i in 1..ROLLS {
            if mean[i] > mean[largest] {
                largest = i;
            }
        }
        let mended = i64::from(mean[largest]) + i64::from(u16::MAX) - total;
        mean[largest] = u16::try_from(mended).unwrap_or(u16::MAX);
        mean
    }
}

impl Equity for i16 {
    const WON: i16 = i16::MAX;
    const LOST: i16 = i16::MIN;

    fn get(self) -> f64 {
        self.into()
    }

    fn opposite(self) -> i16 {
        !self
    }

    /// Doubles from half the value of not doubling on, that half rounded toward zero; from half the
    /// range on that is a game won.
    fn or_double(self, opponent: i16) -> i16 {
        match opponent {
            _ if opponent < self / 2 => self,
            HALF.. => i16::MAX,
            _ => opponent.saturating_mul(2),
        }
    }

    /// Rounded toward zero.
    fn mean(sum: f64) -> i16 {
        (sum / 36.0) as i16
    }
}

fn header(words: &str) -> Vec<u8> {
    let mut bytes = words.as_bytes().to_vec();
    bytes.resize(HEADER - 1, b'x');
    bytes.push(b'\n');
    bytes
}

fn two_sided_header(checkers: u8) -> Vec<u8> {
    header(&format!("gnubg-TS-06-{checkers:02}-1"))
}

/// The file `gnubg_os0.bd`: one-sided, six points, 15 checkers.
#[must_use]
pub fn one_sided() -> Vec<u8> {
    let table = OneSided::<u16>::generate();
    let mut index = header("gnubg-OS-06-15-1-1-0");
    let mut data: Vec<u8> = Vec::new();
    let mut at_once = [0; ROLLS];
    at_once[0] = u16::MAX;
    for number in 0..HOMES {
        let (off, first) = table.of(number);
        index.extend_from_slice(&((data.len() / 2) as u32).to_le_bytes());
        for row in [off, first.unwrap_or(&at_once)] {
            let begin = row.iter().position(|&chance| chance != 0).unwrap_or(0);
            let end = row.iter().rposition(|&chance| chance != 0).unwrap_or(0) + 1;
            index.extend_from_slice(&[(end - begin) as u8, begin as u8]);
            data.extend(row[begin..end].iter().flat_map(|chance| chance.to_le_bytes()));
        }
    }
    index.append(&mut data);
    index
}

/// The file `gnubg_ts0.bd` (for six checkers): two-sided, six points, with equities for every owner
/// of the cube.
///
/// # Panics
/// As [`TwoSided::generate`].
#[must_use]
pub fn two_sided(checkers: u8) -> Vec<u8> {
    two_sided_with(checkers, &Progress::default()).expect("nobody stops it")
}

/// The same; `progress` counts the finished positions, [`two_sided_positions`] in all. `None` if it
/// is stopped before the end.
///
/// # Panics
/// As [`TwoSided::generate`].
#[must_use]
pub fn two_sided_with(checkers: u8, progress: &Progress) -> Option<Vec<u8>> {
    let mut bytes = two_sided_header(checkers);
    for &Cubeful { cubeless, owned, centred, opponent } in
        TwoSided::<i16>::generate_with(checkers, progress)?.equities()
    {
        for equity in [cubeless, owned, centred, opponent] {
            bytes.extend((equity.cast_unsigned() ^ 0x8000).to_le_bytes());
        }
    }
    Some(bytes)
}

/// Positions of a two-sided database for up to `checkers` (at most 15) checkers a side.
#[must_use]
pub const fn two_sided_positions(checkers: u8) -> u64 {
    let boards = homes(checkers) as u64;
    boards * boards
}

/// Bytes of such a database.
#[must_use]
pub const fn two_sided_len(checkers: u8) -> u64 {
    HEADER as u64 + two_sided_positions(checkers) * ENTRY as u64
}

/// The checkers a side of a two-sided database with the cube, from its first bytes; `None` if it is
/// none on six points or for 1 to 11 checkers.
#[must_use]
pub fn two_sided_checkers(begin: &[u8; HEADER]) -> Option<u8> {
    (1..=11).find(|checkers| begin[..] == two_sided_header(*checkers))
}

/// The equities of an entry, -1..=1, exact to about 0.0003: gnubg rounds at each roll.
#[must_use]
pub fn equities(entry: [u8; ENTRY]) -> Cubeful {
    let (numbers, _) = entry.as_chunks::<2>();
    let equity = |i: usize| f32::from(u16::from_le_bytes(numbers[i])) / 32_767.5 - 1.0;
    Cubeful { cubeless: equity(0), owned: equity(1), centred: equity(2), opponent: equity(3) }
}
