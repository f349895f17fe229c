//! The board drawn in characters.

use std::fmt;

use super::{GameState, Position, Seat};

/// The board of a game, drawn for the player of one seat. The letter of a checker is its player's
/// seat. The player at the bottom moves towards the 1 point at the lower right.
///
/// ```
/// use backgammon::{GameState, Scoring, Seat};
///
/// let game = GameState::opening(Scoring::MONEY, Seat::O, "31".parse()?)?;
/// let drawn = game.board(Seat::X).to_string();
/// assert!(drawn.ends_with("+12-11-10--9--8--7-+----+-6--5--4--3--2--1-+  O to play"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnBoard {
    /// Seen by the player at the bottom.
    position: Position,
    /// The letters of the player at the bottom, of the other one, and of the player on roll.
    letters: [char; 3],
}

const fn letter(seat: Seat) -> char {
    match seat {
        Seat::X => 'X',
        Seat::O => 'O',
    }
}

impl GameState {
    /// The board, drawn from the seat of a player.
    #[must_use]
    pub fn board(&self, seat: Seat) -> DrawnBoard {
        let letters = [seat, seat.other(), self.state.on_roll].map(letter);
        DrawnBoard { position: self.seen_by(seat), letters }
    }
}

impl fmt::Display for Position {
    /// Draws the board in 60 columns. Own checkers are `X` and move towards the 1 point at the
    /// lower right; the opponent's are `O`. A point with more than five checkers shows a number.
    /// Pip counts and checkers borne off are at the right.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        DrawnBoard { position: *self, letters: ['X', 'O', 'X'] }.fmt(f)
    }
}

impl fmt::Display for DrawnBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ROWS: i8 = 5;
        let all = self.position.checkers_at_start();
        let [own, other, on_roll] = self.letters;
        let cell = |n: i8, row: i8| -> String {
            let mark = if n > 0 { own } else { other };
            match n.abs() {
                n if n > ROWS && row == ROWS - 1 => format!("{n:>3}"),
                n if n > row => format!("  {mark}"),
                _ => "   ".to_owned(),
            }
        };
        let points = self.position.points();
        let line = |f: &mut fmt::Formatter<'_>,
                    row: i8,
                    left: [usize; 6],
                    right: [usize; 6],
                    bar: i8,
                    note: String| {
            let side =
                |ids: [usize; 6]| ids.iter().map(|&p| cell(points[p], row)).collect::<String>();
            writeln!(f, "|{} |{} |{} |{}", side(left), cell(bar, row), side(right), note)
        };
        let note = |outer: i8, name: char, left: u8, pips: u16| match outer {
            0 => format!(" {name} {pips} pips"),
            1 if left < all => format!("   {} off", all - left),
            _ => String::new(),
        };
        writeln!(f, "+13-14-15-16-17-18-+BAR-+19-20-21-22-23-24-+")?;
        for row in 0..ROWS {
            let note =
                note(row, other, self.position.opponent_left(), self.position.opponent_pips());
            line(f, row, [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24], points[0], note)?;
        }
        writeln!(f, "|                   |    |                   |")?;
        for row in (0..ROWS).rev() {
            let note = note(row, own, self.position.own_left(), self.position.pips());
            line(f, row, [12, 11, 10, 9, 8, 7], [6, 5, 4, 3, 2, 1], points[25], note)?;
        }
        write!(f, "+12-11-10--9--8--7-+----+-6--5--4--3--2--1-+  {on_roll} to play")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_looks_like_a_board() {
        insta::assert_snapshot!(Position::START.to_string());
    }

    #[test]
    fn a_sixth_checker_becomes_a_number_and_bars_show() {
        let p = Position::from_sides(&[(6, 11), (25, 2)], &[(25, 1), (4, 3)]).expect("legal");
        insta::assert_snapshot!(p.to_string());
    }
}
