//! Files that hold one position and no game.

use super::error::RecordErrorKind;
use crate::{
    Cube, CubeOwner, Dice, GamePhase, GameState, MatchState, Position, Scoring, Seat, Turn,
};

/// A position with what is around it, seen by the player on roll.
pub(super) struct SinglePosition {
    pub(super) points: [i8; 26],
    pub(super) scoring: Scoring,
    pub(super) cube: u32,
    pub(super) owner: CubeOwner,
    pub(super) on_roll: Seat,
    /// The roll, if it was rolled.
    pub(super) dice: Option<Dice>,
}

impl SinglePosition {
    /// The question that it asks.
    pub(super) fn state(self) -> Result<GameState, String> {
        let position = Position::new(self.points).map_err(|error| error.to_string())?;
        if position.outcome().is_some() {
            return Err("a side has no checkers left".to_owned());
        }
        let cube = Cube::new(self.cube, self.owner).map_err(|error| error.to_string())?;
        let state = MatchState {
            scoring: self.scoring,
            cube,
            game: GamePhase::Playing,
            on_roll: self.on_roll,
            turn: self.dice.map_or(Turn::ToRoll, Turn::Rolled),
            resigned: None,
        };
        Ok(GameState { position, state })
    }
}

/// The position of Snowie's text: forty fields between semicolons, of which two are names.
/// `None` if it is no such line.
///
/// | fields | content |
/// |---|---|
/// | 0, 1 | match length, 0 for money; 1 with the Jacoby rule |
/// | 5, 6 | the names, that of the player on roll first |
/// | 7, 8, 9 | 1 in the Crawford game; the scores, that of the player on roll first |
/// | 10, 11 | cube; its owner, 1 for the player on roll and -1 for the opponent |
/// | 12 to 37 | bar of the player on roll, points 1 to 24, bar of the opponent |
/// | 38, 39 | the roll, or zeros |
///
/// GNU Backgammon writes it with `export position snowietxt`.
pub(super) fn snowie_position(line: &str) -> Option<Result<GameState, RecordErrorKind>> {
    const NAMES: [usize; 2] = [5, 6];
    const FIELDS: usize = 40;
    let fields: Vec<&str> = line.trim_end_matches(';').split(';').collect();
    if fields.len() != FIELDS {
        return None;
    }
    let mut numbers = [0i32; FIELDS];
    for (at, number) in numbers.iter_mut().enumerate().filter(|(at, _)| !NAMES.contains(at)) {
        *number = fields[at].trim().parse().ok()?;
    }
    let state = snowie_fields(&numbers);
    Some(state.map_err(|reason| RecordErrorKind::set_up(line, reason)))
}

fn snowie_fields(numbers: &[i32; 40]) -> Result<GameState, String> {
    let small = |at: usize| u16::try_from(numbers[at]).map_err(|_| "invalid score".to_owned());
    let mut points = [0i8; 26];
    for (point, &number) in points[1..25].iter_mut().zip(&numbers[13..37]) {
        *point = i8::try_from(number).map_err(|_| "too many checkers".to_owned())?;
    }
    let bar = |at: usize| {
        i8::try_from(numbers[at].unsigned_abs()).map_err(|_| "too many checkers".to_owned())
    };
    (points[25], points[0]) = (bar(12)?, -bar(37)?);
    let scoring = match small(0)? {
        0 => Scoring::Money { jacoby: numbers[1] == 1, beavers: false },
        length => Scoring::of_match(length, small(8)?, small(9)?, numbers[7] == 1)
            .map_err(|error| error.to_string())?,
    };
    let die = |at: usize| u8::try_from(numbers[at]).unwrap_or(0);
    let position = SinglePosition {
        points,
        scoring,
        cube: u32::try_from(numbers[10]).unwrap_or(0),
        owner: match numbers[11] {
            0 => CubeOwner::Centred,
            1.. => CubeOwner::Own,
            _ => CubeOwner::Opponent,
        },
        on_roll: Seat::X,
        dice: Dice::new(die(38), die(39)),
    };
    position.state()
}
