//! Positions that are set up in a `.mat` file: `; Set Pos=` of eXtreme Gammon, and the position
//! after an `Illegal play`.

use crate::record::error::RecordErrorKind;
use crate::record::game::GameStart;
use crate::record::game_reader::GameReader;
use crate::{Cube, Position, Seat};

/// The point number of the own bar in arrays of 26 points; that of the opponent is 0.
const BAR: usize = 25;

fn invalid(text: &str, reason: impl Into<String>) -> RecordErrorKind {
    RecordErrorKind::InvalidSetUp { text: text.trim().to_owned(), reason: reason.into() }
}

/// `----cBD-D-B--A--Abcdc---A-/0`: 26 points as in an XGID, and the cube.
///
/// Capitals are checkers of the left player, who is X. The cube is written as a power of two, with
/// a sign for its owner.
pub(super) fn of_comment(text: &str) -> Result<GameStart, RecordErrorKind> {
    let (board, cube) = text.trim().split_once('/').unwrap_or((text.trim(), "0"));
    let mut points = [0i8; 26];
    if board.len() != points.len() {
        return Err(invalid(text, format!("expected 26 points, found {}", board.len())));
    }
    for (point, letter) in points.iter_mut().zip(board.bytes()) {
        *point = match letter {
            b'-' => 0,
            b'A'..=b'O' => (letter - b'A') as i8 + 1,
            b'a'..=b'o' => -((letter - b'a') as i8 + 1),
            _ => return Err(invalid(text, "expected points as -, A to O or a to o")),
        };
    }
    let position = Position::new(points).map_err(|error| invalid(text, error.to_string()))?;
    let power: i32 = cube.trim().parse().map_err(|_| invalid(text, "expected a cube as 0"))?;
    if power.unsigned_abs() > u32::from(Cube::MAX_LOG2) {
        return Err(invalid(text, "expected a cube of at most 32768"));
    }
    let cube_owner = match power {
        0 => None,
        ..0 => Some(Seat::X),
        _ => Some(Seat::O),
    };
    Ok(GameStart { position, on_roll: None, cube: 1 << power.unsigned_abs(), cube_owner })
}

/// The text that [`of_comment`] reads.
pub(super) fn in_comment(start: &GameStart) -> String {
    let board =
        if start.on_roll == Some(Seat::O) { start.position.flipped() } else { start.position };
    let letter = |&checkers: &i8| match checkers {
        0 => '-',
        1.. => char::from(b'A' - 1 + checkers.unsigned_abs()),
        ..0 => char::from(b'a' - 1 + checkers.unsigned_abs()),
    };
    let board: String = board.points().iter().map(letter).collect();
    let sign = if start.cube_owner == Some(Seat::X) { "-" } else { "" };
    format!("{board}/{sign}{}", start.cube.ilog2())
}

/// The forty fields of Snowie after an illegal play of `player`.
///
/// They show the board of the other player, who is on roll. Field 12 is one bar and field 37 the
/// other, but writers disagree about the order. The right order changes no number of checkers of
/// the player who did not move.
pub(super) fn of_illegal_play(
    text: &str,
    game: &GameReader,
    player: Seat,
) -> Result<GameStart, RecordErrorKind> {
    let fields: Vec<&str> = text.split(';').map(str::trim).collect();
    let number = |at: usize| -> Result<i8, RecordErrorKind> {
        let field = fields.get(at).copied().unwrap_or_default();
        let number = field.parse::<i8>().ok().filter(|n| n.unsigned_abs() <= 15);
        number
            .ok_or_else(|| invalid(text, format!("expected a number of checkers, found '{field}'")))
    };
    let mut points = [0i8; 26];
    for (at, point) in points.iter_mut().enumerate() {
        *point = number(12 + at)?;
    }
    let (first, last) = (points[0].abs(), points[BAR].abs());
    let left = game.position().opponent_left();
    let orders = [(last, first), (first, last)];
    let boards = orders.map(|(theirs, own)| {
        (points[0], points[BAR]) = (-theirs, own);
        Position::new(points)
    });
    let fits = boards.iter().flatten().find(|board| board.own_left() == left);
    let found = fits.copied().map_or_else(|| boards[0].clone(), Ok);
    let position = found.map_err(|error| invalid(text, error.to_string()))?;
    if position.outcome().is_some() {
        return Err(invalid(text, "the game is over there"));
    }
    let recorder = game.recorder();
    let (cube, cube_owner) = (recorder.cube(), recorder.cube_owner());
    Ok(GameStart { position, on_roll: Some(player.other()), cube, cube_owner })
}
