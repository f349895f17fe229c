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
/// a minus if X owns it; 0 is a centred cube at 1.
///
/// This program alone writes more where that does not suffice. A letter behind the power tells the
/// owner, as in SGF: `1c` is centred, `0w` belongs to X, `0b` to O. A further word, `X` or `O`,
/// tells the player on roll.
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
    let seen_by_x = Position::new(points).map_err(|error| invalid(text, error.to_string()))?;
    let words: Vec<&str> = cube.split_whitespace().collect();
    let (cube, on_roll) = match words[..] {
        [cube] => (cube, None),
        [cube, "X"] => (cube, Some(Seat::X)),
        [cube, "O"] => (cube, Some(Seat::O)),
        _ => return Err(invalid(text, "expected a cube as 0, and X or O at most")),
    };
    let told =
        OWNERS.into_iter().find_map(|(letter, owner)| Some((cube.strip_suffix(letter)?, owner)));
    let power = told.map_or(cube, |(power, _)| power);
    let power: i32 = power.parse().map_err(|_| invalid(text, "expected a cube as 0"))?;
    if power.unsigned_abs() > u32::from(Cube::MAX_LOG2) {
        return Err(invalid(text, "expected a cube of at most 32768"));
    }
    let cube_owner = match (told, power) {
        (Some((_, owner)), _) => owner,
        (None, 0) => None,
        (None, ..0) => Some(Seat::X),
        (None, _) => Some(Seat::O),
    };
    let position = if on_roll == Some(Seat::O) { seen_by_x.flipped() } else { seen_by_x };
    Ok(GameStart { position, on_roll, cube: 1 << power.unsigned_abs(), cube_owner })
}

/// The letters of cube owners.
const OWNERS: [(char, Option<Seat>); 3] = [('c', None), ('w', Some(Seat::X)), ('b', Some(Seat::O))];

/// The text that [`of_comment`] reads, in the form of eXtreme Gammon where it suffices.
///
/// The player on roll is that of the event after it, if the start is `followed` by one. The usual
/// position needs the word all the same: without it, the first roll is an opening roll.
pub(super) fn in_comment(start: &GameStart, followed: bool) -> String {
    let board =
        if start.on_roll == Some(Seat::O) { start.position.flipped() } else { start.position };
    let letter = |&checkers: &i8| match checkers {
        0 => '-',
        1.. => char::from(b'A' - 1 + checkers.unsigned_abs()),
        ..0 => char::from(b'a' - 1 + checkers.unsigned_abs()),
    };
    let board: String = board.points().iter().map(letter).collect();
    let power = start.cube.ilog2();
    let cube = match (power, start.cube_owner) {
        (0, None) => "0".to_owned(),
        (0, Some(Seat::X)) => "0w".to_owned(),
        (0, Some(Seat::O)) => "0b".to_owned(),
        (_, None) => format!("{power}c"),
        (_, Some(Seat::X)) => format!("-{power}"),
        (_, Some(Seat::O)) => power.to_string(),
    };
    let player = match start.on_roll {
        Some(_) if followed && start.position != Position::START => "",
        Some(Seat::X) => " X",
        Some(Seat::O) => " O",
        None => "",
    };
    format!("{board}/{cube}{player}")
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

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "-b----E-C---eE---c-e----B-";

    #[test]
    fn a_comment_tells_the_cube_and_the_player_on_roll() {
        let (x, o) = (Some(Seat::X), Some(Seat::O));
        for (on_roll, cube, cube_owner, told) in [
            // As eXtreme Gammon writes them.
            (None, 1, None, "0"),
            (None, 2, x, "-1"),
            (None, 32768, o, "15"),
            // This program alone.
            (None, 2, None, "1c"),
            (None, 1, x, "0w"),
            (None, 1, o, "0b"),
            (x, 1, None, "0 X"),
            (o, 8, x, "-3 O"),
            (o, 32768, None, "15c O"),
        ] {
            let start = GameStart { position: Position::START, on_roll, cube, cube_owner };
            let text = in_comment(&start, true);
            assert_eq!(text, format!("{START}/{told}"));
            assert_eq!(of_comment(&text).expect("readable"), start, "{text}");
        }
    }

    #[test]
    fn the_event_after_another_position_tells_the_player_on_roll() {
        let position = Position::from_sides(&[(6, 2)], &[(1, 3)]).expect("a board");
        let start = GameStart { position, on_roll: Some(Seat::O), ..GameStart::USUAL };
        let seen_by_x = GameStart { position: position.flipped(), ..GameStart::USUAL };
        assert_eq!(of_comment(&in_comment(&start, true)).expect("readable"), seen_by_x);
        assert_eq!(of_comment(&in_comment(&start, false)).expect("readable"), start);
    }

    #[test]
    fn other_cubes_and_words_are_refused() {
        for rest in ["", "c", "1cc", "0x", "x", "16", "16c", "0 x", "0 X O", "X"] {
            assert!(of_comment(&format!("{START}/{rest}")).is_err(), "{rest}");
        }
    }
}
