//! The blockade table: how far one checker can move with the next roll through the points made in
//! front of it.

/// The mobility of one checker with the next roll, given the twelve points in front of it.
#[derive(Clone, Copy)]
pub(super) struct Blockade {
    /// Mean pips that it can move with the whole roll, 0..8.17 (8 1/6 on an empty board).
    pub(super) mobility: f32,
    /// Chance to pass every made point within six pips, 0..1; 1 when there is none.
    pub(super) leap: f32,
}

/// Mean pips of a roll: 8 1/6.
pub(crate) const MEAN_ROLL: f32 = 294.0 / 36.0;

/// Bit `i` of the index is set if the other side has made the point `i + 1` pips ahead. Points
/// farther than twelve pips are ignored: only doubles from 4-4 up go so far.
pub(super) static BLOCKADES: [Blockade; 4096] = table();

#[allow(
    long_running_const_eval,
    reason = "4096 entries of 36 throws, half a second of compile time"
)]
const fn table() -> [Blockade; 4096] {
    let mut table = [Blockade { mobility: 0.0, leap: 0.0 }; 4096];
    let mut held = 0;
    while held < 4096 {
        // The farthest made point in direct range, 0 if there is none.
        let edge = 32 - ((held as u32) & 63).leading_zeros();
        let (mut pips, mut leaps) = (0, 0);
        let (mut a, mut b) = (1, 1);
        while a <= 6 {
            let moved = travel(held as u32, a, b);
            pips += moved;
            leaps += (edge == 0 || moved > edge) as u32;
            b += 1;
            if b > 6 {
                b = 1;
                a += 1;
            }
        }
        table[held] = Blockade { mobility: pips as f32 / 36.0, leap: leaps as f32 / 36.0 };
        held += 1;
    }
    table
}

const fn open(held: u32, pips: u32) -> bool {
    pips > 12 || held & (1 << (pips - 1)) == 0
}

/// The most pips one checker can move with dice `a` and `b`.
const fn travel(held: u32, a: u32, b: u32) -> u32 {
    if a == b {
        let mut steps = 0;
        while steps < 4 && open(held, (steps + 1) * a) {
            steps += 1;
        }
        return steps * a;
    }
    let (first, second) = (open(held, a), open(held, b));
    if (first || second) && open(held, a + b) {
        a + b
    } else {
        let (a, b) = (if first { a } else { 0 }, if second { b } else { 0 });
        if a > b { a } else { b }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_board_blocks_no_roll() {
        assert_eq!(BLOCKADES[0].mobility, MEAN_ROLL);
        assert_eq!(BLOCKADES[0].leap, 1.0);
    }

    #[test]
    fn no_roll_passes_a_full_prime() {
        assert_eq!(BLOCKADES[0b11_1111].mobility, 0.0);
        assert_eq!(BLOCKADES[0b11_1111].leap, 0.0);
    }

    #[test]
    fn from_the_edge_of_a_five_prime_eleven_rolls_escape() {
        // Any six, at once: 11 of 36.
        assert_eq!(BLOCKADES[0b1_1111].leap, 11.0 / 36.0);
    }
}
