//! BGBlitz's `.bgf`: a line of JSON that names compression and encoding, and the match, JSON
//! encoded as SMILE and compressed with gzip.
//!
//! The fields follow descriptions of other readers (<https://github.com/kevung/bgfparser>,
//! <https://pypi.org/project/gammonview/>). Green is player -1 and becomes X. Points are those of
//! the player who moves, 25 is the bar, 0 and below is off; lists are filled with -1. A double is
//! two moves without points, of which the first says whether it was accepted. `useCube` is false,
//! or `cubeLimit` 1, in a session without a cube.

use super::smile::{self, Value};
use super::{Games, inflate};
use crate::record::error::RecordErrorKind;
use crate::record::game::{GameHeader, GameStart};
use crate::record::game_reader::GameReader;
use crate::record::recorder::Recorder;
use crate::{Cube, Dice, MAX_MATCH_LENGTH, Position, Scoring, Seat};

/// The most games of a file; the longest sessions have some hundred.
const MOST_GAMES: usize = 2_000;

/// The games of a file.
pub(super) fn read(bytes: &[u8]) -> Result<Games, RecordErrorKind> {
    let end = bytes.iter().position(|&byte| byte == b'\n').ok_or(RecordErrorKind::CutOff)?;
    let body = &bytes[end + 1..];
    let inflated = match body {
        [0x1f, 0x8b, ..] => Some(inflate::gzip(body)),
        [0x78, ..] => Some(inflate::zlib(body)),
        _ => None,
    };
    if inflated.as_ref().is_some_and(|inflated| !inflated.whole) {
        return Err(RecordErrorKind::Damaged("its compressed data cannot be read to the end"));
    }
    let data = inflated.as_ref().map_or(body, |inflated| &inflated.bytes);
    if !data.starts_with(b":)\n") {
        return Err(RecordErrorKind::Damaged("expected a match of BGBlitz encoded as SMILE"));
    }
    let all = smile::decode(data).map_err(RecordErrorKind::Damaged)?;
    if all.get("games").list().len() > MOST_GAMES {
        return Err(RecordErrorKind::TooLarge("at most 2000 games of BGBlitz"));
    }
    let found = games(&all, -1);
    // The winners by the board show whether green is the other player.
    let (_, wrong) = found.agreement;
    let other = if wrong > 0 { Some(games(&all, 1)) } else { None };
    let found = match other {
        Some(other) if other.agreement.1 < wrong => other.found,
        _ => found.found,
    };
    if found.games.is_empty() {
        return Err(RecordErrorKind::Damaged("no game of BGBlitz in it"));
    }
    Ok(found)
}

/// Games, and how many winners by the board agree with the scores and how many do not.
struct Found {
    found: Games,
    agreement: (u32, u32),
}

/// All games, if the green player has this number.
fn games(all: &Value, green: i64) -> Found {
    let name = |field: &str, other: &str| {
        let name = all.get(field).text().trim();
        if name.is_empty() { other.to_owned() } else { name.to_owned() }
    };
    let names = [name("nameGreen", "Green"), name("nameRed", "Red")];
    let list = all.get("games").list();
    let score = |game: &Value, green: &str, red: &str| -> Option<[u32; 2]> {
        Some([game.get(green).number()?, game.get(red).number()?])
    };
    let mut result = Found { found: Games::default(), agreement: (0, 0) };
    for (at, game) in list.iter().enumerate() {
        let number = at as u64 + 1;
        let before = score(game, "scoreGreen", "scoreRed").unwrap_or([0; 2]);
        let after = match list.get(at + 1) {
            Some(next) => score(next, "scoreGreen", "scoreRed"),
            None => score(all, "finalGreen", "finalRed"),
        };
        let mut reader = match begin(all, game, green, names.clone(), before) {
            Ok(recorder) => GameReader::new(recorder, before, number),
            Err(reason) => {
                result.found.fail(number, reason);
                continue;
            }
        };
        actions(&mut reader, game.get("moves").list(), number, green);
        let won = game.get("wonPoints").number::<u32>().filter(|&points| points > 0);
        let winner = after.and_then(|[x, o]| match (x > before[0], o > before[1]) {
            (true, false) => Some((Seat::X, x - before[0])),
            (false, true) => Some((Seat::O, o - before[1])),
            _ => None,
        });
        if let Some((winner, gained)) = winner {
            if let Some(by_board) = reader.recorder().borne_off_by() {
                let right = by_board == winner;
                result.agreement.0 += u32::from(right);
                result.agreement.1 += u32::from(!right);
            }
            reader.wins(number, winner, won.or(Some(gained)));
        }
        result.found.end(number, reader);
    }
    result
}

fn begin(
    all: &Value,
    game: &Value,
    green: i64,
    names: [String; 2],
    score: [u32; 2],
) -> Result<Recorder, RecordErrorKind> {
    let length = all.get("matchlen").number::<i64>().unwrap_or(0).max(0);
    let scoring = if length == 0 {
        let beavers = all.get("useBeaver").is_true() || all.get("useBeavers").is_true();
        Scoring::Money { jacoby: all.get("useJacoby").is_true(), beavers }
    } else {
        let length = u16::try_from(length).unwrap_or(MAX_MATCH_LENGTH + 1);
        let [x, o] = score.map(|points| u16::try_from(points).unwrap_or(u16::MAX));
        let crawford = game.get("isCrawford").is_true();
        Scoring::of_match(length, x, o, crawford)
            .or_else(|_| Scoring::of_match(length, x, o, false))?
    };
    let initial = game.get("initial");
    let cube: u32 = initial
        .get("cube")
        .number()
        .filter(|cube: &u32| cube.is_power_of_two() && *cube <= 1 << Cube::MAX_LOG2)
        .unwrap_or(1);
    let cube_owner = match initial.get("cubeOwner").number::<i64>() {
        Some(owner @ (-1 | 1)) => Some(if owner == green { Seat::X } else { Seat::O }),
        _ => None,
    };
    let position = board(initial.get("points").list()).unwrap_or(Position::START);
    let start =
        GameStart { position, on_roll: None, cube, cube_owner: cube_owner.filter(|_| cube > 1) };
    let recorder = Recorder::from_start(GameHeader { names, scoring }, start);
    let is = |field: &str, number: i64| all.get(field).number() == Some(number);
    let cubeless = is("useCube", 0) || is("cubeLimit", 1);
    Ok(if cubeless { recorder.without_cube() } else { recorder })
}

/// The first board of a game: 24 points in red's counting, green's checkers positive, and both
/// bars. `None` if there is none, or if it is the usual one.
fn board(points: &[Value]) -> Option<Position> {
    let number = |at: usize| points.get(at)?.number::<i8>();
    let mut board = [0; 26];
    for at in 0..24 {
        board[24 - at] = number(at)?;
    }
    board[25] = number(24)?.checked_abs()?;
    board[0] = -number(25)?.checked_abs()?;
    let position = Position::new(board).ok()?;
    (position.outcome().is_none() && position != Position::START).then_some(position)
}

fn actions(reader: &mut GameReader, moves: &[Value], number: u64, green: i64) {
    let mut moves = moves.iter();
    while let Some(action) = moves.next() {
        let player = match action.get("player").number::<i64>() {
            Some(player) if player == green => Seat::X,
            Some(-1 | 1) => Seat::O,
            _ => continue,
        };
        let from = action.get("from").list();
        let first = from.first().and_then(Value::number::<i64>).unwrap_or(-1);
        let decision = action.get("equity").get("cubeDecision");
        let dances = *action.get("dancingEquity") != Value::Nothing;
        if first == -1 && !dances && *decision.get("hasDoubled") != Value::Nothing {
            if !decision.get("hasDoubled").is_true() {
                continue;
            }
            reader.double(number, player, None, false);
            let opponent = player.other();
            if decision.get("hasAccepted").is_true() {
                reader.act(number, |game| game.take(opponent));
            } else {
                reader.act(number, |game| game.drop(opponent));
            }
            // The answer, which says the same.
            moves.next();
            continue;
        }
        let die = |value: &Value| value.number::<u8>().filter(|die| (1..=6).contains(die));
        let to = action.get("to").list();
        let shown = die(action.get("red")).zip(die(action.get("green")));
        // A roll that could not be played has its dice in place of points.
        let in_place = from.first().and_then(die).zip(to.first().and_then(die));
        let rolled = in_place.filter(|_| dances).or(shown);
        let Some(dice) = rolled.and_then(|(a, b)| Dice::new(a, b)) else {
            // The record that ends a game.
            continue;
        };
        if dances {
            reader.roll(number, player, dice, Some(""));
        } else if first == -1 {
            reader.roll(number, player, dice, None);
        } else {
            reader.roll(number, player, dice, Some(&play(from, to)));
        }
    }
}

/// A play in notation.
fn play(from: &[Value], to: &[Value]) -> String {
    let pairs = from.iter().zip(to).map(|(from, to)| (from.number(), to.number()));
    let known = pairs.map_while(|pair| match pair {
        (Some(from @ 1i64..=25), Some(to)) => Some((from, to)),
        _ => None,
    });
    let step = |(from, to): (i64, i64)| {
        if to <= 0 { format!("{from}/off") } else { format!("{from}/{to}") }
    };
    known.map(step).collect::<Vec<_>>().join(" ")
}
