//! Positions that a node of an SGF file sets up: `AE`, `AW`, `AB`, `CV` and `CP`.

use crate::record::error::RecordErrorKind;
use crate::record::game::GameStart;
use crate::record::recorder::Recorder;
use crate::{CHECKERS, Cube, Position, Seat};

/// The point of the bar in White's counting: letter `y`.
const BAR: usize = 24;

/// The places of checkers: 24 points and the bar.
const PLACES: usize = BAR + 1;

/// More checkers than a side has.
const TOO_MANY: u8 = 16;

/// What the properties of one node set up.
#[derive(Debug, Default)]
pub(super) struct SetUp {
    /// Bit `p` is place `p`.
    emptied: u32,
    /// The checkers added to each place, for White and for Black; a 16th one is not counted.
    added: [[u8; PLACES]; 2],
    cube: Option<u32>,
    /// The owner; `Some(None)` centres the cube.
    owner: Option<Option<Seat>>,
}

impl SetUp {
    pub(super) fn is_empty(&self) -> bool {
        self.changes_no_checker() && self.cube.is_none() && self.owner.is_none()
    }

    fn changes_no_checker(&self) -> bool {
        self.emptied == 0 && self.added == [[0; PLACES]; 2]
    }

    pub(super) fn empty(&mut self, values: &[String]) -> Result<(), RecordErrorKind> {
        each_place(values, |place| self.emptied |= 1 << place)
    }

    /// Adds a checker for each letter.
    pub(super) fn add(&mut self, player: Seat, values: &[String]) -> Result<(), RecordErrorKind> {
        let added = &mut self.added[player.index()];
        each_place(values, |place| added[place] = (added[place] + 1).min(TOO_MANY))
    }

    pub(super) fn cube(&mut self, value: &str) -> Result<(), RecordErrorKind> {
        let number: Option<u32> = value.trim().parse().ok();
        let number = number.filter(|n| n.is_power_of_two() && *n <= 1 << Cube::MAX_LOG2);
        self.cube = Some(
            number.ok_or_else(|| RecordErrorKind::unreadable(value, "a cube from 1 to 32768"))?,
        );
        Ok(())
    }

    pub(super) fn owner(&mut self, value: &str) -> Result<(), RecordErrorKind> {
        self.owner = Some(match value.trim() {
            "c" | "n" | "C" | "N" => None,
            "w" | "W" => Some(Seat::X),
            "b" | "B" => Some(Seat::O),
            _ => return Err(RecordErrorKind::unreadable(value, "a cube owner as c, w or b")),
        });
        Ok(())
    }

    /// Where the game goes on; `None` if nothing changes.
    pub(super) fn start(
        self,
        game: &Recorder,
        on_roll: Option<Seat>,
    ) -> Result<Option<GameStart>, RecordErrorKind> {
        let now = GameStart {
            position: *game.position(),
            on_roll: game.to_act(),
            cube: game.cube(),
            cube_owner: game.cube_owner(),
        };
        // White's view: White's checkers are positive.
        let black = now.on_roll == Some(Seat::O);
        let board = if black { now.position.flipped() } else { now.position };
        let mut points = *board.points();
        for place in (0..PLACES).filter(|place| self.emptied >> place & 1 == 1) {
            if place == BAR {
                (points[0], points[25]) = (0, 0);
            } else {
                points[place + 1] = 0;
            }
        }
        let invalid =
            |reason: String| RecordErrorKind::InvalidSetUp { text: "AW and AB".to_owned(), reason };
        for (player, sign) in [(Seat::X, 1), (Seat::O, -1)] {
            let added = self.added[player.index()].into_iter().enumerate();
            for (place, number) in added.filter(|&(_, number)| number > 0) {
                let point = match (place, player) {
                    (BAR, Seat::X) => 25,
                    (BAR, Seat::O) => 0,
                    _ => place + 1,
                };
                let checkers = &mut points[point];
                if *checkers * sign < 0 {
                    return Err(invalid("both players claim a point".to_owned()));
                }
                if checkers.unsigned_abs() + number > CHECKERS.unsigned_abs() {
                    return Err(invalid("a side has more than 15 checkers".to_owned()));
                }
                *checkers += sign * number as i8;
            }
        }
        let board = Position::new(points).map_err(|error| invalid(error.to_string()))?;
        if board.outcome().is_some() {
            return Err(invalid("the game is over there".to_owned()));
        }
        let on_roll = if self.changes_no_checker() { now.on_roll } else { on_roll.or(now.on_roll) };
        let position = if on_roll == Some(Seat::O) { board.flipped() } else { board };
        let start = GameStart {
            position,
            on_roll,
            cube: self.cube.unwrap_or(now.cube),
            cube_owner: self.owner.unwrap_or(now.cube_owner),
        };
        Ok((start != now).then_some(start))
    }
}

/// Letters a to y, and ranges of them such as `a:y`, counted from 0.
/// Calls `set` for each place that the values of a property name.
fn each_place(values: &[String], mut set: impl FnMut(usize)) -> Result<(), RecordErrorKind> {
    for value in values {
        let unreadable = || RecordErrorKind::unreadable(value, "points from a to y");
        let letter = |text: &str| match text.trim().as_bytes() {
            [letter @ b'a'..=b'y'] => Ok(usize::from(letter - b'a')),
            _ => Err(unreadable()),
        };
        match value.split_once(':') {
            Some((first, last)) => (letter(first)?..=letter(last)?).for_each(&mut set),
            None if value.trim().is_empty() => {}
            None => set(letter(value)?),
        }
    }
    Ok(())
}
