//! Writes the compact format.

use std::io::{self, Write};

use super::bits::{BitWriter, put_number};
use super::{MAGIC, NAMES_EVERY, Shared, VERSION, bits_for, check, code, flag};
use crate::record::game::{GameStart, RecordEnd, RecordEvent, RecordTurn, RecordedGame};
use crate::{Dice, Results, Scoring, Seat, Stake};

/// Writes games one after the other, about 55 bytes each.
///
/// ```
/// use backgammon::record::{CompactWriter, read_record};
///
/// let text = b" 0 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/5\n";
/// let record = read_record(&text[..], "night.mat")?;
/// let mut writer = CompactWriter::new(Vec::new())?;
/// writer.write(&record.games[0])?;
/// assert_eq!(read_record(&writer.into_inner()[..], "night.norec")?.games, record.games);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CompactWriter<W> {
    out: W,
    /// Length and names of the last frame that has them, and the number of frames since.
    open: Option<Shared>,
    frames: u32,
    results: Results,
}

impl<W: Write> CompactWriter<W> {
    /// Writes the header of the file to `out`, which should be buffered.
    ///
    /// # Errors
    /// Those of the writer underneath.
    pub fn new(mut out: W) -> io::Result<CompactWriter<W>> {
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        Ok(CompactWriter { out, open: None, frames: 0, results: Results::default() })
    }

    /// The writer underneath.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Writes one game.
    ///
    /// # Errors
    /// Those of the writer underneath. [`io::ErrorKind::InvalidInput`] for a game with thousands of
    /// gaps, which has more bytes than its length can say; then nothing was written.
    pub fn write(&mut self, game: &RecordedGame) -> io::Result<()> {
        let scoring = game.header().scoring;
        let length = match scoring {
            Scoring::Money { .. } => 0,
            Scoring::Match(score) => u32::from(score.length()),
        };
        let names = &game.header().names;
        let same = |open: &&Shared| open.length == length && open.names == *names;
        let (serial, full) = match (self.open.as_ref().filter(same), &self.open) {
            (Some(open), _) => (open.serial, self.frames == NAMES_EVERY),
            (None, Some(other)) => ((other.serial + 1) & flag::SERIALS, true),
            (None, None) => (0, true),
        };
        let set = |on: bool, flag: u8| if on { flag } else { 0 };
        let rules = match scoring {
            Scoring::Money { jacoby, beavers } => {
                set(jacoby, flag::JACOBY)
                    | set(beavers, flag::BEAVERS)
                    | set(game.is_cubeless(), flag::MONEY_CUBELESS)
            }
            Scoring::Match(score) => {
                set(score.is_crawford(), flag::CRAWFORD)
                    | set(game.is_cubeless(), flag::MATCH_CUBELESS)
            }
        };
        // In a position that was set up, a game may begin with a double.
        let first = game.events().first().map(RecordEvent::player);
        let first = set(first == Some(Seat::O), flag::B_FIRST);
        let mut payload = vec![set(full, flag::NAMES) | rules | first | serial << flag::SERIAL];
        if full {
            put_number(&mut payload, length);
            for name in names {
                put_number(&mut payload, u32::try_from(name.len()).unwrap_or(u32::MAX));
                payload.extend_from_slice(name.as_bytes());
            }
        }
        if let Scoring::Match(score) = scoring {
            put_number(&mut payload, score.own().into());
            put_number(&mut payload, score.opponent().into());
        }
        payload.extend_from_slice(&self.events(game));
        let too_long = |_| io::Error::new(io::ErrorKind::InvalidInput, "a game beyond 65535 bytes");
        let size = u16::try_from(payload.len()).map_err(too_long)?.to_le_bytes();
        self.out.write_all(&[size[0], size[1], check(size)])?;
        self.out.write_all(&payload)?;
        self.out.write_all(&crc32fast::hash(&payload).to_le_bytes())?;
        self.frames = if full { 1 } else { self.frames + 1 };
        if full {
            self.open = Some(Shared { serial, length, names: names.clone() });
        }
        Ok(())
    }

    fn events(&mut self, game: &RecordedGame) -> Vec<u8> {
        let mut bits = BitWriter::default();
        let start = game.start();
        if *start != GameStart::USUAL {
            set_up(start, &mut bits);
        }
        for (index, event) in game.events().iter().enumerate() {
            if let Some(start) = game.gap_before(index) {
                set_up(start, &mut bits);
            }
            match event {
                RecordEvent::Turn(turn) => self.turn(turn, &mut bits),
                RecordEvent::Double { .. } => bits.put(code::DOUBLE, code::BITS),
                RecordEvent::Beaver { .. } => bits.put(code::BEAVER, code::BITS),
                RecordEvent::Take { .. } => bits.put(code::TAKE, code::BITS),
                RecordEvent::Drop { .. } => bits.put(code::DROP, code::BITS),
            }
        }
        match game.end() {
            RecordEnd::Natural { .. } | RecordEnd::Dropped { .. } => {}
            RecordEnd::Resigned { winner, stake } => {
                bits.put(code::RESIGN, code::BITS);
                bits.put(u32::from(winner == Seat::O), 1);
                let stake = match stake {
                    Stake::Single => 1,
                    Stake::Gammon => 2,
                    Stake::Backgammon => 3,
                };
                bits.put(stake, 2);
            }
            RecordEnd::Unfinished => bits.put(code::UNFINISHED, code::BITS),
        }
        bits.bytes
    }

    fn turn(&mut self, turn: &RecordTurn, bits: &mut BitWriter) {
        // Both are found: the dice are one of the 21 rolls, and the recorder has found the board
        // among its results.
        let roll = Dice::ALL.iter().position(|&dice| dice == turn.dice).unwrap_or_default();
        let results = self.results.of(&turn.before, turn.dice);
        let index = results.iter().position(|board| *board == turn.after).unwrap_or_default();
        bits.put(roll as u32, code::BITS);
        bits.put(index as u32, bits_for(results.len()));
    }
}

/// A position from which the game begins or goes on.
fn set_up(start: &GameStart, bits: &mut BitWriter) {
    let seat = |seat: Option<Seat>| seat.map_or(0, |seat| seat.index() as u32 + 1);
    bits.put(code::SET_UP, code::BITS);
    bits.put(seat(start.on_roll), 2);
    bits.put(start.cube.ilog2(), 4);
    bits.put(seat(start.cube_owner), 2);
    for &checkers in start.position.points() {
        bits.put(u32::from((checkers + 16).unsigned_abs()), 5);
    }
}
