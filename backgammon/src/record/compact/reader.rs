//! Reads the compact format.

use std::io::{BufRead, Read};
use std::sync::Arc;

use super::bits::{BitReader, take_number};
use super::{MAGIC, Shared, VERSION, bits_for, check, code, flag};
use crate::record::error::{Location, RecordError, RecordErrorKind};
use crate::record::game::{GameHeader, GameStart, RecordedGame, cut_name};
use crate::record::recorder::Recorder;
use crate::{Dice, MAX_MATCH_LENGTH, Position, Scoring, Seat, Stake};

/// Reads frame by frame.
pub(in crate::record) struct CompactReader<R> {
    source: R,
    file: Arc<str>,
    /// The number of frames read.
    games: u64,
    open: Option<Shared>,
    finished: bool,
}

impl<R: BufRead> CompactReader<R> {
    /// Checks the header of the file.
    pub(in crate::record) fn new(
        mut source: R,
        file: Arc<str>,
    ) -> Result<CompactReader<R>, RecordError> {
        let mut head = [0; MAGIC.len() + 4];
        let error = |reason: RecordErrorKind| reason.at(&file, Location::Line(1));
        if fill(&mut source, &mut head).map_err(error)? < head.len() {
            return Err(error(RecordErrorKind::CutOff));
        }
        let version = u32::from_le_bytes(std::array::from_fn(|i| head[MAGIC.len() + i]));
        if version != VERSION {
            return Err(error(RecordErrorKind::Version { found: version, known: VERSION }));
        }
        Ok(CompactReader { source, file, games: 0, open: None, finished: false })
    }

    /// The number of the last game, counted from 1.
    pub(in crate::record) const fn game_number(&self) -> u64 {
        self.games
    }

    /// The payload of the next frame; `None` at the end of the file.
    fn frame(&mut self) -> Result<Option<Vec<u8>>, RecordErrorKind> {
        let mut head = [0; 3];
        // After an error here, the beginning of the next frame is unknown.
        self.finished = true;
        match fill(&mut self.source, &mut head)? {
            0 => return Ok(None),
            3 => {}
            _ => return Err(RecordErrorKind::CutOff),
        }
        let length = [head[0], head[1]];
        if check(length) != head[2] {
            return Err(RecordErrorKind::Damaged(
                "wrong length of a game, the rest of the file is lost",
            ));
        }
        let mut payload = vec![0; usize::from(u16::from_le_bytes(length)) + 4];
        if fill(&mut self.source, &mut payload)? < payload.len() {
            return Err(RecordErrorKind::CutOff);
        }
        self.finished = false;
        let checksum = payload.split_off(payload.len() - 4);
        if crc32fast::hash(&payload).to_le_bytes() != *checksum {
            return Err(RecordErrorKind::Damaged("wrong checksum of the game"));
        }
        Ok(Some(payload))
    }

    fn game(&mut self, mut payload: &[u8]) -> Result<RecordedGame, RecordErrorKind> {
        let short = || RecordErrorKind::Damaged("the game ends too early");
        let (&flags, rest) = payload.split_first().ok_or_else(short)?;
        payload = rest;
        let serial = flags >> flag::SERIAL;
        let has = |flag: u8| flags & flag != 0;
        if has(flag::NAMES) {
            let length = take_number(&mut payload).ok_or_else(short)?;
            let mut name = || {
                let length = take_number(&mut payload)? as usize;
                let (name, rest) = payload.split_at_checked(length)?;
                payload = rest;
                Some(cut_name(&String::from_utf8_lossy(name)))
            };
            let names = [name().ok_or_else(short)?, name().ok_or_else(short)?];
            self.open = Some(Shared { serial, length, names });
        }
        let lost = RecordErrorKind::Damaged("the names of the game are in a damaged one");
        let shared = self.open.as_ref().filter(|shared| shared.serial == serial).ok_or(lost)?;
        let (length, names) = (shared.length, shared.names.clone());
        let scoring = if length == 0 {
            Scoring::Money { jacoby: has(flag::JACOBY), beavers: has(flag::BEAVERS) }
        } else {
            let small = |points: u32| u16::try_from(points).unwrap_or(MAX_MATCH_LENGTH + 1);
            let a = take_number(&mut payload).ok_or_else(short)?;
            let b = take_number(&mut payload).ok_or_else(short)?;
            Scoring::of_match(small(length), small(a), small(b), has(flag::CRAWFORD))?
        };
        let first = if has(flag::B_FIRST) { Seat::O } else { Seat::X };
        let cubeless = has(if length == 0 { flag::MONEY_CUBELESS } else { flag::MATCH_CUBELESS });
        let game = Recorder::new(GameHeader { names, scoring });
        let game = if cubeless { game.without_cube() } else { game };
        events(game, first, &mut BitReader::new(payload))
    }
}

fn events(
    mut game: Recorder,
    first: Seat,
    bits: &mut BitReader<'_>,
) -> Result<RecordedGame, RecordErrorKind> {
    let short = || RecordErrorKind::Damaged("the game ends too early");
    while !game.is_over() {
        let player = game.to_act().unwrap_or(first);
        match bits.get(code::BITS).ok_or_else(short)? {
            code::DOUBLE => game.double(player)?,
            code::BEAVER => game.beaver(player)?,
            code::TAKE => game.take(player)?,
            code::DROP => game.drop(player)?,
            code::RESIGN => {
                let winner = if bits.get(1).ok_or_else(short)? == 1 { Seat::O } else { Seat::X };
                let stake = match bits.get(2).ok_or_else(short)? {
                    1 => Stake::Single,
                    2 => Stake::Gammon,
                    3 => Stake::Backgammon,
                    _ => return Err(RecordErrorKind::Damaged("a resignation without a stake")),
                };
                game.resign(winner.other(), stake)?;
            }
            code::UNFINISHED => break,
            code::SET_UP if game.is_empty() && !game.is_over() => {
                let start = set_up(bits).ok_or_else(short)?;
                game = game.going_on_from(start);
            }
            code::SET_UP if !game.is_over() => game.go_on_from(set_up(bits).ok_or_else(short)?),
            roll => {
                let dice = Dice::ALL.get(roll as usize);
                let dice = *dice.ok_or(RecordErrorKind::Damaged("unknown event code"))?;
                let mut index = |results| bits.get(bits_for(results)).map(|i| i as usize);
                game.indexed(player, dice, |results| index(results).ok_or_else(short))?;
            }
        }
    }
    if !bits.is_at_end() {
        return Err(RecordErrorKind::Damaged("unexpected bytes after the end of the game"));
    }
    Ok(game.finish())
}

/// A position that was set up; `None` if it is cut off or damaged.
fn set_up(bits: &mut BitReader<'_>) -> Option<GameStart> {
    let seat = |number| match number {
        0 => Some(None),
        1 => Some(Some(Seat::X)),
        2 => Some(Some(Seat::O)),
        _ => None,
    };
    let on_roll = seat(bits.get(2)?)?;
    let cube = 1 << bits.get(4)?;
    let cube_owner = seat(bits.get(2)?)?;
    let mut points = [0i8; 26];
    for point in &mut points {
        *point = i8::try_from(bits.get(5)?).ok()? - 16;
    }
    let position = Position::new(points).ok().filter(|position| position.outcome().is_none())?;
    Some(GameStart { position, on_roll, cube, cube_owner })
}

/// Reads until the buffer is full or the source ends; returns the number of bytes.
fn fill(source: &mut impl Read, buffer: &mut [u8]) -> Result<usize, RecordErrorKind> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(RecordErrorKind::Io(error)),
        }
    }
    Ok(filled)
}

impl<R: BufRead> Iterator for CompactReader<R> {
    type Item = Result<RecordedGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        self.games += 1;
        let game = match self.frame() {
            Ok(None) => return None,
            Ok(Some(payload)) => self.game(&payload),
            Err(reason) => Err(reason),
        };
        Some(game.map_err(|reason| reason.at(&self.file, Location::Game(self.games))))
    }
}
