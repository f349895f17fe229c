//! GNU Backgammon's text export of a match or a session.
//!
//! It has boards, analyses, and a line for each action, as in `* ann moves 8/5 6/5`. Each game
//! begins with `The score (after 0 games) is: ann 0, bob 0 (match to 5 points)`.

use std::collections::VecDeque;
use std::io::BufRead;

use super::error::{RecordError, RecordErrorKind};
use super::game::{GameHeader, cut_name};
use super::game_reader::{Complaint, GameReader, ReadGame};
use super::recorder::Recorder;
use super::text_lines::{NumberedLine, NumberedLines};
use crate::{Dice, MAX_MATCH_LENGTH, Scoring, Seat};

/// Reads games line by line.
pub(super) struct GnubgTextReader<R> {
    lines: NumberedLines<R>,
    game: Option<Box<Game>>,
    /// Games that were read and not yielded yet.
    ready: VecDeque<Result<ReadGame, RecordError>>,
    warnings: Vec<Complaint>,
}

struct Game {
    reader: GameReader,
    /// A roll without its play yet, and the line of the roll.
    rolled: Option<(Seat, Dice, u64)>,
}

/// The line before a game.
struct Head {
    names: [String; 2],
    score: [u32; 2],
    /// Points, 0 for money.
    length: u32,
    /// Whether the line says that it is the Crawford game, or that it is over; it may say nothing.
    crawford: Option<bool>,
}

/// Whether a line identifies this format.
pub(super) fn is_gnubg_text(line: &str) -> bool {
    head(line).is_some()
}

fn head(line: &str) -> Option<Head> {
    let (_, text) = line.trim().strip_prefix("The score (after ")?.split_once(") is: ")?;
    let (text, tail) = text.split_once(" (match to ").unwrap_or((text, ""));
    let length = match tail.split_once(' ') {
        Some((length, _)) => length.parse().ok()?,
        None => 0,
    };
    let (text, last) = text.trim_end_matches('.').rsplit_once(' ')?;
    let last = last.parse().ok()?;
    // Names may contain commas.
    let (a, first, b) = text.match_indices(", ").find_map(|(at, _)| {
        let (a, first) = text[..at].rsplit_once(' ')?;
        Some((a, first.parse().ok()?, &text[at + 2..]))
    })?;
    let tail = tail.to_ascii_lowercase();
    let crawford = tail.contains("crawford").then(|| !tail.contains("post"));
    Some(Head { names: [cut_name(a), cut_name(b)], score: [first, last], length, crawford })
}

impl Head {
    fn begin(self, line: u64) -> Result<GameReader, RecordErrorKind> {
        let Head { names, score, length, crawford } = self;
        let small = |points: u32| u16::try_from(points).unwrap_or(u16::MAX);
        let away = |points: u32| length.saturating_sub(points);
        let one_away = (away(score[0]) == 1) != (away(score[1]) == 1);
        let presumed = one_away && crawford.unwrap_or(true);
        let scoring = if length == 0 {
            Scoring::Money { jacoby: false, beavers: true }
        } else {
            let length = u16::try_from(length).unwrap_or(MAX_MATCH_LENGTH + 1);
            Scoring::of_match(length, small(score[0]), small(score[1]), presumed)?
        };
        let mut recorder = Recorder::new(GameHeader { names, scoring });
        if presumed && length > 0 {
            recorder.presume_crawford();
        }
        Ok(GameReader::new(recorder, score, line))
    }
}

impl Game {
    /// Reads a line; those of boards and analyses say nothing.
    fn read(&mut self, line: &NumberedLine) {
        let text = line.text.trim();
        if let Some((_, text)) =
            text.strip_prefix("Move number ").and_then(|text| text.split_once(':'))
        {
            if let Some((name, dice)) = text.trim().rsplit_once(" to play ")
                && let (Some(player), Ok(dice)) = (self.seat(name), dice.trim().parse())
            {
                self.rolled = Some((player, dice, line.number));
            }
            return;
        }
        if let Some(text) = text.strip_prefix("* ") {
            if let Some((player, action)) = self.named(text) {
                self.act(line, player, &action);
            }
            return;
        }
        if let Some((player, action)) = self.named(text)
            && let Some(points) = action.strip_prefix("wins ")
        {
            let points = points.split(' ').next().and_then(|points| points.parse().ok());
            if points.is_some() {
                self.reader.wins(line.number, player, points);
            }
        }
    }

    fn act(&mut self, line: &NumberedLine, player: Seat, action: &str) {
        let at = line.number;
        let (word, rest) = action.split_once(' ').unwrap_or((action, ""));
        let is_offered = self.reader.recorder().is_offered();
        match word {
            "moves" | "cannot" => {
                let play = if word == "moves" { rest } else { "" };
                match self.rolled.take() {
                    Some((roller, dice, _)) if roller == player => {
                        self.reader.roll(at, player, dice, Some(play))
                    }
                    _ => self.reader.fail(
                        at,
                        RecordErrorKind::unreadable(&line.text, "a roll before its play"),
                    ),
                }
            }
            // A beaver is written as a double.
            "doubles" | "redoubles" | "beavers" => self.reader.double(at, player, None, is_offered),
            "accepts" | "takes" => self.reader.act(at, |recorder| recorder.take(player)),
            "rejects" | "drops" | "passes" => self.reader.act(at, |recorder| recorder.drop(player)),
            "resigns" => self.reader.loses(at, player, None),
            _ => self
                .reader
                .fail(at, RecordErrorKind::unreadable(&line.text, "a play or a cube action")),
        }
    }

    fn seat(&self, name: &str) -> Option<Seat> {
        let names = &self.reader.header().names;
        Seat::BOTH.into_iter().find(|seat| names[seat.index()] == name.trim())
    }

    /// A line that begins with a player's name, and what follows; of two names of which one begins
    /// with the other the longer.
    fn named(&self, text: &str) -> Option<(Seat, String)> {
        let names = &self.reader.header().names;
        let rest = |seat: Seat| text.strip_prefix(names[seat.index()].as_str())?.strip_prefix(' ');
        let found = Seat::BOTH.into_iter().filter_map(|seat| Some((seat, rest(seat)?)));
        found.min_by_key(|(_, rest)| rest.len()).map(|(seat, rest)| (seat, rest.trim().to_owned()))
    }
}

impl<R: BufRead> GnubgTextReader<R> {
    pub(super) fn new(lines: NumberedLines<R>) -> GnubgTextReader<R> {
        GnubgTextReader { lines, game: None, ready: VecDeque::new(), warnings: Vec::new() }
    }

    /// The line read last.
    pub(super) const fn line(&self) -> u64 {
        self.lines.number()
    }

    /// The warnings about the lines read so far.
    pub(super) const fn warnings(&mut self) -> &mut Vec<Complaint> {
        &mut self.warnings
    }

    /// Ends the game, if there is one. `next` is the line before the next game.
    fn finish(&mut self, next: Option<&Head>) {
        let Some(mut game) = self.game.take() else { return };
        if let Some((player, dice, at)) = game.rolled.take() {
            game.reader.roll(at, player, dice, None);
        }
        let same = next.filter(|head| head.names == game.reader.header().names);
        let read = game.reader.finish(same.map(|head| head.score));
        self.warnings.extend(read.warnings);
        self.ready.extend(read.earlier.into_iter().map(Ok));
        self.ready.push_back(read.last.map_err(|(line, reason)| self.lines.error(line, reason)));
    }
}

impl<R: BufRead> Iterator for GnubgTextReader<R> {
    type Item = Result<ReadGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.ready.pop_front() {
                return Some(game);
            }
            let line = match self.lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => {
                    self.finish(None);
                    return self.ready.pop_front();
                }
                Err(error) => {
                    let Some(game) = &mut self.game else { return Some(Err(error)) };
                    game.reader.fail(self.lines.number(), error.reason);
                    continue;
                }
            };
            match (head(&line.text), &mut self.game) {
                (Some(head), _) => {
                    self.finish(Some(&head));
                    match head.begin(line.number) {
                        Ok(reader) => self.game = Some(Box::new(Game { reader, rolled: None })),
                        Err(reason) => {
                            self.ready.push_back(Err(self.lines.error(line.number, reason)));
                        }
                    }
                }
                (None, Some(game)) => game.read(&line),
                (None, None) => {}
            }
        }
    }
}
