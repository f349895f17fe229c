//! `.sgg`: games that GamesGrid and GridGammon saved.
//!
//! The layout is what GNU Backgammon's `import sgg` takes; its tests are checked against that
//! import. `→` is a tab:
//!
//! ```text
//! ann vs. bob
//! Jacoby: No                settings, before the first game
//! Game 1.0*-3/5             number, score and length; * marks the Crawford game
//! 11: Automatic double
//! 1→31:                     a roll of ann, who has one tab
//! 1→31: 8/5, 6/5            the same roll with its play
//! 1→→62: O-O                bob, who has two tabs, dances
//! 2→ -: O-O                 ann is closed out, so she does not roll
//! 3→→Double to 2            also Accept, Pass, Beaver to 4, Raccoon to 8 and Resign
//! ann  wins 2 points.
//! ```
//!
//! A line may stand there twice. No line says that a beaver is accepted. Other lines are comments.

use std::collections::VecDeque;
use std::io::BufRead;

use super::error::{RecordError, RecordErrorKind};
use super::game::{GameHeader, GameStart, cut_name};
use super::game_reader::{Complaint, GameReader, ReadGame};
use super::recorder::Recorder;
use super::text_lines::{NumberedLine, NumberedLines};
use crate::{Dice, MAX_MATCH_LENGTH, Scoring, Seat};

/// The highest cube after automatic doubles.
const HIGHEST_AUTOMATIC: u32 = 1 << 10;

/// Reads games line by line.
pub(super) struct SggReader<R> {
    lines: NumberedLines<R>,
    settings: Settings,
    /// Whether a game has begun, so that no settings follow.
    begun: bool,
    /// The game that is read; `None` between games, and in one that was refused.
    game: Option<Box<SggGame>>,
    /// Games that were read and not yielded yet.
    ready: VecDeque<Result<ReadGame, RecordError>>,
    /// Mistakes that cost no game.
    warnings: Vec<Complaint>,
}

/// What stands before the games.
#[derive(Default)]
struct Settings {
    names: Option<[String; 2]>,
    jacoby: bool,
    beavers: bool,
    cubeless: bool,
    /// A variant other than backgammon.
    variant: Option<String>,
}

/// The first line of a game.
struct Heading {
    score: [u32; 2],
    crawford: bool,
    /// Points, 0 for money.
    length: u32,
}

/// A game while it is read.
struct SggGame {
    reader: GameReader,
    length: u32,
    /// A roll that waits for its play, and its line.
    rolled: Option<(Seat, Dice, u64)>,
    /// The number and the player of the last turn.
    last: Option<(String, Seat)>,
    /// Who has turned the cube last, if it was a beaver or a raccoon.
    beavered_by: Option<Seat>,
}

/// Whether a line identifies this format.
pub(super) fn is_sgg(line: &str) -> bool {
    heading(line).is_some()
}

/// `Game 1.0-0/5`.
fn heading(line: &str) -> Option<Heading> {
    let (number, rest) = line.trim().strip_prefix("Game ")?.split_once('.')?;
    let (score, length) = rest.split_once('/').unwrap_or((rest, "0"));
    let (x, o) = score.split_once('-')?;
    let points = |text: &str| {
        let text = text.strip_suffix('*').unwrap_or(text);
        text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
    };
    points(number)?;
    let score = [points(x)?, points(o)?];
    let crawford = x.ends_with('*') || o.ends_with('*');
    Some(Heading { score, crawford, length: points(length)? })
}

/// The number of a row, its player and what they do.
fn row(line: &str) -> Option<(&str, Seat, &str)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..)?.strip_prefix('\t').filter(|_| digits > 0)?;
    let (player, text) = rest.strip_prefix('\t').map_or((Seat::X, rest), |text| (Seat::O, text));
    Some((&line[..digits], player, text.trim()))
}

/// A roll and what stands after it. A player who is closed out has no roll in the file: 6-6 cannot
/// be played there, either.
fn roll(text: &str) -> Option<(Dice, &str)> {
    if text.starts_with('-') {
        return Some((Dice::new(6, 6)?, DANCE));
    }
    let [a, b] = *text.as_bytes().first_chunk::<2>()?;
    let die = |byte: u8| byte.checked_sub(b'0');
    let dice = Dice::new(die(a)?, die(b)?)?;
    Some((dice, text[2..].trim_start_matches(':').trim()))
}

const DANCE: &str = "O-O";

/// Whether a text begins with a word, in upper or lower case.
fn begins(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
}

impl Settings {
    fn read(&mut self, line: &str) {
        if let Some((x, o)) = line.split_once(" vs. ") {
            self.names = Some([x, o].map(|name| cut_name(name.trim())));
            return;
        }
        let Some((name, value)) = line.split_once(':') else { return };
        let value = value.trim();
        let yes = value.eq_ignore_ascii_case("yes");
        match name.trim().to_ascii_lowercase().as_str() {
            "jacoby" => self.jacoby = yes,
            "beavers" => self.beavers = yes,
            "doubling cube" => self.cubeless = value.eq_ignore_ascii_case("no"),
            "variant" => {
                let usual = value.eq_ignore_ascii_case("backgammon");
                self.variant = (!usual).then(|| cut_name(value));
            }
            _ => {}
        }
    }

    fn begin(&self, heading: &Heading, line: u64) -> Result<SggGame, RecordErrorKind> {
        if let Some(variant) = &self.variant {
            return Err(RecordErrorKind::Variant(variant.clone()));
        }
        let usual = || ["Player 1", "Player 2"].map(str::to_owned);
        let names = self.names.clone().unwrap_or_else(usual);
        let &Heading { score, crawford, length } = heading;
        let small = |points: u32| u16::try_from(points).unwrap_or(u16::MAX);
        let scoring = if length == 0 {
            Scoring::Money { jacoby: self.jacoby, beavers: self.beavers }
        } else {
            let length = u16::try_from(length).unwrap_or(MAX_MATCH_LENGTH + 1);
            let [x, o] = score.map(small);
            Scoring::of_match(length, x, o, crawford)
                .or_else(|_| Scoring::of_match(length, x, o, false))?
        };
        let recorder = Recorder::new(GameHeader { names, scoring });
        let recorder = if self.cubeless { recorder.without_cube() } else { recorder };
        let mut reader = GameReader::new(recorder, score, line);
        if self.names.is_none() {
            reader.warn(line, RecordErrorKind::NoNames(usual().join(" vs. ")));
        }
        Ok(SggGame { reader, length, rolled: None, last: None, beavered_by: None })
    }
}

impl SggGame {
    /// Reads a line; true if it says who has won.
    fn read(&mut self, line: &NumberedLine) -> bool {
        let at = line.number;
        if let Some((number, player, text)) = row(&line.text) {
            self.act(at, number, player, text);
        } else if let Some((winner, points)) = self.winner(&line.text) {
            self.leave_roll();
            self.reader.wins(at, winner, Some(points));
            return true;
        } else if line.text.contains("Automatic double") {
            self.double_at_once(at);
        }
        false
    }

    /// `ann  wins 2 points.`
    fn winner(&self, line: &str) -> Option<(Seat, u32)> {
        let words = |name: &str| {
            let rest = line.trim_start().strip_prefix(name)?;
            let rest = rest.trim_start().strip_prefix("wins ").filter(|_| rest.starts_with(' '))?;
            rest.split_whitespace().next()?.parse().ok()
        };
        let names = &self.reader.header().names;
        Seat::BOTH.into_iter().find_map(|seat| Some((seat, words(&names[seat.index()])?)))
    }

    fn act(&mut self, at: u64, number: &str, player: Seat, text: &str) {
        if let Some((dice, rest)) = roll(text) {
            return self.roll(at, number, player, dice, rest);
        }
        self.leave_roll();
        let value = text.rsplit(' ').next().and_then(|value| value.parse().ok());
        let reader = &mut self.reader;
        let offered_by = reader.recorder().offered_by();
        if begins(text, "double") {
            if offered_by != Some(player) {
                reader.double(at, player, value, false);
                self.beavered_by = None;
            }
        } else if begins(text, "beaver") || begins(text, "raccoon") {
            if self.beavered_by != Some(player) {
                reader.double(at, player, value, true);
                self.beavered_by = Some(player);
            }
        } else if begins(text, "accept") {
            if offered_by.is_some() {
                reader.act(at, |game| game.take(player));
                self.beavered_by = None;
            }
        } else if begins(text, "pass") {
            if !reader.is_over() {
                reader.act(at, |game| game.drop(player));
            }
        } else if begins(text, "resign") {
            reader.loses(at, player, None);
        } else {
            reader.fail(at, RecordErrorKind::unreadable(text, "a roll or a cube action"));
        }
    }

    fn roll(&mut self, at: u64, number: &str, player: Seat, dice: Dice, rest: &str) {
        let waits = self.rolled.is_some_and(|(by, rolled, _)| (by, rolled) == (player, dice));
        let again = self.last.as_ref().is_some_and(|(n, by)| n == number && *by == player);
        if again && !waits {
            return;
        }
        if begins(rest, "resign") {
            // The roll was not played.
            self.rolled = None;
            return self.reader.loses(at, player, None);
        }
        if !waits {
            self.leave_roll();
        }
        if rest.is_empty() {
            self.rolled = Some((player, dice, at));
            return;
        }
        self.rolled = None;
        self.last = Some((number.to_owned(), player));
        let dances = begins(rest, DANCE);
        let play = if dances { String::new() } else { rest.replace(',', " ") };
        self.play(at, player, dice, Some(&play));
    }

    /// A roll without its play: the player resigned, or the line is missing.
    fn leave_roll(&mut self) {
        if let Some((player, dice, at)) = self.rolled.take() {
            self.play(at, player, dice, None);
        }
    }

    fn play(&mut self, at: u64, player: Seat, dice: Dice, play: Option<&str>) {
        if let Some(by) = self.beavered_by.take() {
            self.reader.act(at, |game| game.take(by.other()));
        }
        self.reader.roll(at, player, dice, play);
    }

    /// Equal dice for the first roll have doubled the cube.
    fn double_at_once(&mut self, at: u64) {
        let recorder = self.reader.recorder();
        let cube = 2 * recorder.cube();
        if self.length == 0 && recorder.events().is_empty() && cube <= HIGHEST_AUTOMATIC {
            self.reader.set_up(at, GameStart { cube, ..GameStart::USUAL });
        }
    }
}

impl<R: BufRead> SggReader<R> {
    pub(super) fn new(lines: NumberedLines<R>) -> SggReader<R> {
        let (ready, warnings) = (VecDeque::new(), Vec::new());
        let settings = Settings::default();
        SggReader { lines, settings, begun: false, game: None, ready, warnings }
    }

    /// The line read last.
    pub(super) const fn line(&self) -> u64 {
        self.lines.number()
    }

    /// The warnings about the lines read so far.
    pub(super) const fn warnings(&mut self) -> &mut Vec<Complaint> {
        &mut self.warnings
    }

    /// The end of a game; the lines ahead show the score after it.
    fn finish(&mut self, game: SggGame) {
        let length = game.length;
        let next = self.lines.look_ahead(|line| heading(&line.text));
        let next = next.filter(|next| next.length == length).map(|next| next.score);
        let read = game.reader.finish(next);
        self.warnings.extend(read.warnings);
        self.ready.extend(read.earlier.into_iter().map(Ok));
        self.ready.push_back(read.last.map_err(|(line, reason)| self.lines.error(line, reason)));
    }

    fn read(&mut self, line: NumberedLine) {
        if let Some(next) = heading(&line.text) {
            if let Some(mut game) = self.game.take() {
                game.leave_roll();
                self.lines.hold(line);
                return self.finish(*game);
            }
            self.begun = true;
            match self.settings.begin(&next, line.number) {
                Ok(game) => self.game = Some(Box::new(game)),
                Err(reason) => {
                    self.ready.push_back(Err(self.lines.error(line.number, reason)));
                }
            }
        } else if let Some(game) = &mut self.game {
            if game.read(&line)
                && let Some(game) = self.game.take()
            {
                self.finish(*game);
            }
        } else if !self.begun {
            self.settings.read(&line.text);
        }
    }
}

impl<R: BufRead> Iterator for SggReader<R> {
    type Item = Result<ReadGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.ready.pop_front() {
                return Some(game);
            }
            match self.lines.next() {
                Ok(Some(line)) => self.read(line),
                Ok(None) => {
                    let mut game = self.game.take()?;
                    game.leave_roll();
                    self.finish(*game);
                }
                Err(error) => match &mut self.game {
                    Some(game) => game.reader.fail(self.lines.number(), error.reason),
                    None => return Some(Err(error)),
                },
            }
        }
    }
}
