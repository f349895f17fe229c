//! eXtreme Gammon's `.xg`: a header of 8232 bytes with the magic `RGMH`, a picture, and zlib data.
//!
//! One part of the zlib data holds the match in records of 2560 bytes.
//!
//! The layout is that of <https://www.extremegammon.com/XGformat.aspx>. Programs that read real
//! files found out more (<https://github.com/kevung/xgparser>,
//! <https://pypi.org/project/gammonview/>). Numbers are little-endian. A place is a byte of a
//! record; players are 1 and -1.
//!
//! | record | byte 8 | places |
//! |---|---|---|
//! | match | 0 | names 9 and 50 (short strings), 880 and 1138 (UTF-16, from version 24); length 92 (99999: money), variant 96, Jacoby 101, beavers 102, version 552; highest cube 612 as a power of two (from version 8) |
//! | game | 1 | scores 12, 16; Crawford 20; board 21; automatic doubles 64 (from version 26) |
//! | cube | 2 | player 12; doubled 16; answer 20 (0 drop, 1 take, 2 beaver); answer to a beaver 24, to a raccoon 28; cube 32; board 36 |
//! | play | 3 | boards before 9 and after 35; player 64; moves 68; dice 100; cube 108; edited 2528 (from version 24) |
//! | end of a game | 4 | scores 12, 16; winner 24; points 28; way 32 (100 and more: resigned, 1000 and more: settled) |
//! | end of the match | 5 | |
//!
//! Boards are seen by the first player: byte 25 is their bar, byte 0 the opponent's. The opponent's
//! checkers are negative. The moves of a play are pairs of points of the player who moves, from 0.
//! Point 24 is the bar, and a number below 0 is off. A cube is 0 in the middle; else it is a power
//! of two, negative for the second player (<https://github.com/halheinrich/ConvertXgToJson_Lib>,
//! <https://pypi.org/project/ankigammon/>).
//!
//! `.xgp` is the same with one position: see [`xg_position`].

use super::{Games, inflate, inflate::Inflated, xg_position};
use crate::record::error::RecordErrorKind;
use crate::record::game::{GameHeader, GameStart};
use crate::record::game_reader::GameReader;
use crate::record::recorder::Recorder;
use crate::record::text_lines::decoded;
use crate::{Cube, Dice, MAX_MATCH_LENGTH, Position, Results, Scoring, Seat};

const HEADER: usize = 8232;
pub(super) const RECORD: usize = 2560;
/// The length of a money session.
const UNLIMITED: i32 = 99_999;

/// The kinds of records, at this place.
pub(super) const KIND: usize = 8;
pub(super) const MATCH: u8 = 0;
pub(super) const GAME: u8 = 1;
pub(super) const CUBE: u8 = 2;
pub(super) const PLAY: u8 = 3;
const END_OF_GAME: u8 = 4;

/// The games of a file.
pub(super) fn read(bytes: &[u8]) -> Result<Games, RecordErrorKind> {
    let (data, whole) = records_of(bytes)?;
    if let Some(question) = xg_position::read(bytes, &data) {
        return Err(question?);
    }
    let doubled = |record: &[u8]| record[KIND] == CUBE && int(record, 16) == 1;
    let cube_is_turned = data.chunks_exact(RECORD).any(doubled);
    let found = Games::default();
    let mut reader = Reader { known: None, cube_is_turned, game: None, number: 0, found };
    for record in data.chunks_exact(RECORD) {
        reader.read(record);
    }
    reader.close();
    let mut found = reader.found;
    if found.games.is_empty() && found.warnings.is_empty() {
        return Err(RecordErrorKind::Damaged("no game of eXtreme Gammon in it"));
    }
    if !whole {
        found.warnings.push((reader.number, RecordErrorKind::CutOff));
    }
    Ok(found)
}

/// The records of the match, and whether their end was found.
fn records_of(bytes: &[u8]) -> Result<(Vec<u8>, bool), RecordErrorKind> {
    let picture =
        bytes.get(20..24).and_then(|size| size.try_into().ok()).map_or(0, u32::from_le_bytes);
    let data = HEADER.checked_add(picture as usize).and_then(|start| bytes.get(start..));
    let mut data = data.filter(|data| !data.is_empty()).ok_or(RecordErrorKind::CutOff)?;
    if data.get(556..560) == Some(b"DMLI") && data[KIND] == MATCH {
        // Stored as it is.
        return Ok((data.to_vec(), true));
    }
    let mut best: Option<(Vec<u8>, bool)> = None;
    // The parts follow each other; that with the headers alone may come first.
    while !data.is_empty() {
        let Inflated { bytes: part, whole, used } = inflate::zlib(data);
        let kinds = || part.chunks_exact(RECORD).map(|record| record[KIND]);
        if kinds().next() == Some(MATCH) {
            let has_game = kinds().any(|kind| kind == GAME);
            best = Some((part, whole));
            if has_game {
                return best.ok_or(RecordErrorKind::CutOff);
            }
        }
        if !whole || used == 0 {
            break;
        }
        data = data.get(used..).unwrap_or_default();
    }
    best.ok_or(RecordErrorKind::Damaged("its compressed data cannot be read"))
}

/// What the record of a match says.
pub(super) struct Match {
    names: [String; 2],
    /// Points, 0 for money.
    length: u16,
    jacoby: bool,
    beavers: bool,
    /// Whether the highest cube is 1.
    cubeless: bool,
    version: i32,
}

/// A game while its records are read.
struct Game {
    reader: GameReader,
    score: [i32; 2],
    results: Results,
}

struct Reader {
    /// An error says why no game of the match can be read.
    known: Option<Result<Match, &'static str>>,
    /// Whether somebody doubles: then the cube is used, whatever its limit.
    cube_is_turned: bool,
    game: Option<Game>,
    number: u64,
    found: Games,
}

pub(super) fn int(record: &[u8], at: usize) -> i32 {
    record.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, i32::from_le_bytes)
}

pub(super) fn seat(number: i32) -> Option<Seat> {
    match number {
        1 => Some(Seat::X),
        -1 | 2 => Some(Seat::O),
        _ => None,
    }
}

/// A board in the counting of the record, as 26 points of the first player.
pub(super) fn board(record: &[u8], at: usize) -> [i8; 26] {
    let mut points: [i8; 26] =
        std::array::from_fn(|point| record.get(at + point).map_or(0, |&byte| byte as i8));
    // Readers disagree about the places of the bars; the signs tell.
    if points[0] > 0 || points[25] < 0 {
        points.swap(0, 25);
    }
    points
}

/// A board of the record, `player` on roll.
fn position(points: [i8; 26], player: Seat) -> Option<Position> {
    let position = Position::new(points).ok()?;
    Some(if player == Seat::X { position } else { position.flipped() })
}

/// The score before a game.
fn points(game: &[u8]) -> [u16; 2] {
    [12, 16].map(|at| u16::try_from(int(game, at).max(0)).unwrap_or(u16::MAX))
}

/// The cube of a record: its power of two, and its owner.
pub(super) fn cube(code: i32) -> (u32, Option<Seat>) {
    let owner = match code {
        0 => None,
        1.. => Some(Seat::X),
        _ => Some(Seat::O),
    };
    (code.unsigned_abs().min(u32::from(Cube::MAX_LOG2)), owner)
}

impl Match {
    pub(super) fn of(record: &[u8]) -> Result<Match, &'static str> {
        let variant = int(record, 96);
        if variant != 0 {
            return Err(["Nackgammon", "Hypergammon", "Longgammon"]
                .get(usize::try_from(variant.wrapping_sub(1)).unwrap_or(usize::MAX))
                .copied()
                .unwrap_or("unknown variant"));
        }
        let version = int(record, 552);
        let short = |at: usize| {
            let length = usize::from(record[at]).min(40);
            decoded(&record[at + 1..at + 1 + length]).trim().to_owned()
        };
        let wide = |at: usize| {
            let units = record[at..at + 258]
                .chunks_exact(2)
                .map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
            let units: Vec<u16> = units.take_while(|&unit| unit != 0).collect();
            String::from_utf16_lossy(&units).trim().to_owned()
        };
        let name = |old: usize, new: usize, other: &str| {
            let wide = if version >= 24 { wide(new) } else { String::new() };
            [wide, short(old), other.to_owned()]
                .into_iter()
                .find(|name| !name.is_empty())
                .unwrap_or_default()
        };
        let length = int(record, 92);
        Ok(Match {
            names: [name(9, 880, "Player 1"), name(50, 1138, "Player 2")],
            length: if length >= UNLIMITED {
                0
            } else {
                u16::try_from(length.max(0)).unwrap_or(MAX_MATCH_LENGTH + 1)
            },
            jacoby: record[101] != 0,
            beavers: record[102] != 0,
            cubeless: version >= 8 && int(record, 612) == 0,
            version,
        })
    }

    /// Score and rules of a game, seen by the first player.
    pub(super) fn scoring(&self, game: &[u8]) -> Result<Scoring, RecordErrorKind> {
        if self.length == 0 {
            return Ok(Scoring::Money { jacoby: self.jacoby, beavers: self.beavers });
        }
        let [x, o] = points(game);
        let crawford = game[20] != 0;
        let scoring = Scoring::of_match(self.length, x, o, crawford)
            .or_else(|_| Scoring::of_match(self.length, x, o, false))?;
        Ok(scoring)
    }

    /// The automatic doubles of a game.
    pub(super) fn automatic(&self, game: &[u8]) -> u32 {
        let counted = self.version >= 26 && self.length == 0;
        if counted { int(game, 64).clamp(0, 10).unsigned_abs() } else { 0 }
    }

    fn begin(
        &self,
        record: &[u8],
        number: u64,
        cube_is_turned: bool,
    ) -> Result<Game, RecordErrorKind> {
        let score = [int(record, 12), int(record, 16)];
        let header = GameHeader { names: self.names.clone(), scoring: self.scoring(record)? };
        let set_up = position(board(record, 21), Seat::X).filter(|board| board.outcome().is_none());
        let start = GameStart {
            position: set_up.unwrap_or(Position::START),
            cube: 1 << self.automatic(record),
            ..GameStart::USUAL
        };
        let recorder = Recorder::from_start(header, start);
        let cubeless = self.cubeless && !cube_is_turned;
        let recorder = if cubeless { recorder.without_cube() } else { recorder };
        let reader = GameReader::new(recorder, points(record).map(u32::from), number);
        Ok(Game { reader, score, results: Results::default() })
    }
}

impl Reader {
    fn read(&mut self, record: &[u8]) {
        match (record[KIND], &mut self.game) {
            (MATCH, _) => {
                self.close();
                self.known = Some(Match::of(record));
            }
            (GAME, _) => {
                self.close();
                self.number += 1;
                match self.known.as_ref() {
                    Some(Ok(known)) => {
                        match known.begin(record, self.number, self.cube_is_turned) {
                            Ok(game) => self.game = Some(game),
                            Err(reason) => self.found.fail(self.number, reason),
                        }
                    }
                    Some(Err(variant)) => {
                        self.found
                            .fail(self.number, RecordErrorKind::Variant((*variant).to_owned()));
                    }
                    None => self.found.fail(self.number, RecordErrorKind::NoLength),
                }
            }
            (CUBE, Some(game)) => game.cube(record, self.number),
            (PLAY, Some(game)) => game.play(record, self.number),
            (END_OF_GAME, Some(game)) => {
                game.end(record, self.number);
                self.close();
            }
            _ => {}
        }
    }

    fn close(&mut self) {
        if let Some(game) = self.game.take() {
            self.found.end(self.number, game.reader);
        }
    }
}

impl Game {
    fn cube(&mut self, record: &[u8], number: u64) {
        let Some(player) = seat(int(record, 12)).filter(|_| int(record, 16) == 1) else { return };
        let opponent = player.other();
        let reader = &mut self.reader;
        reader.double(number, player, None, false);
        match (int(record, 20), int(record, 24), int(record, 28)) {
            (0, ..) => reader.act(number, |game| game.drop(opponent)),
            (1, ..) => reader.act(number, |game| game.take(opponent)),
            (2, answer, last) => {
                reader.double(number, opponent, None, true);
                match answer {
                    0 => reader.act(number, |game| game.drop(player)),
                    2 => {
                        reader.double(number, player, None, true);
                        match last {
                            0 => reader.act(number, |game| game.drop(opponent)),
                            _ => reader.act(number, |game| game.take(opponent)),
                        }
                    }
                    _ => reader.act(number, |game| game.take(player)),
                }
            }
            // The game ended before the answer.
            _ => {}
        }
    }

    fn play(&mut self, record: &[u8], number: u64) {
        let Some(player) = seat(int(record, 64)) else { return };
        let small = |at: usize| u8::try_from(int(record, at)).unwrap_or(0);
        // A roll that was not made.
        let Some(dice) = Dice::new(small(100), small(104)) else { return };
        self.edit(record, number, player);
        let text = moves(record);
        let after = board(record, 35);
        let mut before = self.reader.recorder().position_for(player);
        // The board after the play is seen by the opponent, who is on roll. Some files hold it as
        // the mover saw it.
        let mut legal = |before: &Position| {
            let legal = self.results.of(before, dice);
            let mut seen =
                position(after, player.other()).into_iter().chain(position(after, Seat::O));
            let by_board = seen.find(|after| legal.contains(after));
            (by_board, !text.is_empty() && before.read_play(&text, dice).is_ok())
        };
        let (mut by_board, mut by_moves) = legal(&before);
        // After an illegal play, its own board before it may be the right one.
        let recorded = position(board(record, 9), player)
            .filter(|recorded| *recorded != before && recorded.outcome().is_none());
        let doubtful = (by_board.is_none() && !by_moves) || self.reader.recorder().is_after_gap();
        if let Some(recorded) = recorded.filter(|_| doubtful) {
            let there = legal(&recorded);
            if there.0.is_some() || there.1 {
                (by_board, by_moves) = there;
                let start = self.reader.recorder().start_at(recorded, player);
                self.reader.set_up(number, start);
                before = recorded;
            }
        }
        match by_board {
            _ if by_moves => self.reader.roll(number, player, dice, Some(&text)),
            Some(after) => self.reader.act(number, |game| game.turn(player, dice, &after)),
            None if text.is_empty() => self.reader.roll(number, player, dice, None),
            None => {
                self.reader.roll(number, player, dice, Some(&text));
                // An illegal play that was let through: the game goes on from the board after it.
                // A play changes few places: that tells from which side the board is seen.
                let apart = |board: &Position| -> i32 {
                    let pairs = board.points().iter().zip(*before.flipped().points());
                    pairs.map(|(&now, then)| (i32::from(now) - i32::from(then)).abs()).sum()
                };
                let views = [player.other(), Seat::O].into_iter();
                let boards = views.filter_map(|view| position(after, view));
                let board = boards.filter(|board| board.outcome().is_none()).min_by_key(apart);
                if let Some(position) = board {
                    let recorder = self.reader.recorder();
                    let (cube, cube_owner) = (recorder.cube(), recorder.cube_owner());
                    let on_roll = Some(player.other());
                    self.reader.set_up(number, GameStart { position, on_roll, cube, cube_owner });
                }
            }
        }
    }

    /// Goes on from the board before a play if somebody has edited it.
    fn edit(&mut self, record: &[u8], number: u64, player: Seat) {
        let recorder = self.reader.recorder();
        let edited = record[2528] == 1 && recorder.turns() > 0;
        let Some(position) = position(board(record, 9), player).filter(|_| edited) else { return };
        if position == *recorder.position() || position.outcome().is_some() {
            return;
        }
        let (power, cube_owner) = cube(int(record, 108));
        let start = GameStart { position, on_roll: Some(player), cube: 1 << power, cube_owner };
        self.reader.set_up(number, start);
    }

    fn end(&mut self, record: &[u8], number: u64) {
        let gained = [
            int(record, 12).wrapping_sub(self.score[0]),
            int(record, 16).wrapping_sub(self.score[1]),
        ];
        let by_score = match gained {
            [points, 0] if points > 0 => Some((Seat::X, points)),
            [0, points] if points > 0 => Some((Seat::O, points)),
            _ => None,
        };
        let by_words = seat(int(record, 24)).map(|winner| (winner, int(record, 28)));
        let settled = int(record, 32) >= 1000;
        // The score of a match stops at its length; the points of the last game are those won.
        let won = match (by_score, by_words) {
            (Some((winner, gained)), Some((other, points)))
                if winner == other && points > gained =>
            {
                Some((winner, points))
            }
            (by_score, by_words) => by_score.or(by_words),
        };
        if let Some((winner, points)) = won.filter(|_| !settled) {
            let points = u32::try_from(points).ok().filter(|&points| points > 0);
            self.reader.wins(number, winner, points);
        }
    }
}

/// The moves of a play in notation; empty if there are none.
fn moves(record: &[u8]) -> String {
    let mut text = String::new();
    for at in (68..100).step_by(8) {
        let (from, to) = (int(record, at), int(record, at + 4));
        if !(0..=24).contains(&from) || from == to {
            break;
        }
        let to = if to < 0 { "off".to_owned() } else { to.wrapping_add(1).to_string() };
        text.push_str(&format!("{}/{to} ", from + 1));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_that_is_not_read_has_its_name_or_is_unknown() {
        let variant = |number: i32| {
            let mut record = [0_u8; RECORD];
            record[96..100].copy_from_slice(&number.to_le_bytes());
            Match::of(&record).err()
        };
        assert_eq!([0, 1, 3].map(variant), [None, Some("Nackgammon"), Some("Longgammon")]);
        for number in [4, -1, i32::MIN, i32::MAX] {
            assert_eq!(variant(number), Some("unknown variant"), "{number}");
        }
    }
}
