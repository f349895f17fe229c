//! Jellyfish `.mat` and Snowie's `.txt`: where games begin and end.

mod lines;
mod names;
mod play;
mod row;
mod set_up;
mod settings;
mod tags;
mod vocabulary;
mod writer;

use std::collections::VecDeque;
use std::io::BufRead;

pub(super) use lines::{is_mat, keeps};
pub use tags::mat_tags;
pub use writer::MatWriter;

use self::lines::{Kind, kind};
use self::settings::{MatchSettings, Tags};
use super::error::{RecordError, RecordErrorKind};
use super::game::cut_name;
use super::game_reader::{Complaint, GameReader, ReadGame};
use super::text_lines::{NumberedLine, NumberedLines};

/// The longest row that goes on in the next line, in bytes.
const LONGEST_ROW: usize = 1024;

/// Reads games line by line.
pub(super) struct MatReader<R> {
    lines: NumberedLines<R>,
    /// The tags above the next match.
    tags: Tags,
    settings: Option<MatchSettings>,
    /// Names, and the score after the last game of the match.
    names: Option<[String; 2]>,
    score: [u32; 2],
    game: State,
    /// Games that were read and not yielded yet.
    ready: VecDeque<Result<ReadGame, RecordError>>,
    /// Mistakes that cost no game.
    warnings: Vec<Complaint>,
}

enum State {
    /// Between games.
    Outside,
    /// After `Game n`: the names come next.
    Names,
    /// In a game.
    Playing(Box<GameReader>),
    /// In a game for which an error was reported.
    Skipping,
}

impl<R: BufRead> MatReader<R> {
    pub(super) fn new(lines: NumberedLines<R>) -> MatReader<R> {
        MatReader {
            lines,
            tags: Tags::default(),
            settings: None,
            names: None,
            score: [0; 2],
            game: State::Outside,
            ready: VecDeque::new(),
            warnings: Vec::new(),
        }
    }

    /// The line read last.
    pub(super) const fn line(&self) -> u64 {
        self.lines.number()
    }

    /// The warnings about the lines read so far.
    pub(super) const fn warnings(&mut self) -> &mut Vec<Complaint> {
        &mut self.warnings
    }

    /// Ends the game, if there is one, before the line that is read next.
    fn finish(&mut self, same_match: bool) {
        let State::Playing(game) = std::mem::replace(&mut self.game, State::Outside) else {
            return;
        };
        let names = game.header().names.clone();
        let next = if same_match { self.next_score(&names) } else { None };
        self.score = game.score();
        let read = game.finish(next);
        if let Ok(last) = &read.last
            && let Some((winner, points)) = last.game.won()
        {
            self.score[winner.index()] = self.score[winner.index()].saturating_add(points);
        }
        self.names = Some(names);
        self.warnings.extend(read.warnings);
        self.ready.extend(read.earlier.into_iter().map(Ok));
        self.ready.push_back(read.last.map_err(|(line, reason)| self.lines.error(line, reason)));
    }

    /// The score in the next line of names, if they are the same ones.
    fn next_score(&mut self, names: &[String; 2]) -> Option<[u32; 2]> {
        let scores = self.lines.look_ahead(|line| {
            let text = lines::plain(&line.text);
            match kind(&text) {
                Kind::Other if row::is_row(&text) => Some(None),
                Kind::Other => {
                    let found = row::names(&text);
                    found.map(|[(a, x), (b, o)]| {
                        (cut_name(a) == names[0] && cut_name(b) == names[1]).then_some([x, o])
                    })
                }
                Kind::Match(_) => Some(None),
                Kind::Blank | Kind::Comment(_) | Kind::Game { .. } | Kind::Crawford => None,
            }
        });
        scores.flatten()
    }

    /// Whether the next line with contents is a row of a game.
    fn row_follows(&mut self) -> bool {
        let row = self.lines.look_ahead(|line| {
            let text = lines::plain(&line.text);
            match kind(&text) {
                Kind::Blank | Kind::Comment(_) => None,
                Kind::Other => Some(row::is_row(&text)),
                _ => Some(false),
            }
        });
        row.unwrap_or(false)
    }

    /// The heading of a game; an error leaves the game out.
    fn begin_game(&mut self, line: u64, post_crawford: bool) -> Result<(), Complaint> {
        self.game = State::Skipping;
        if self.settings.is_none() {
            let tags = std::mem::take(&mut self.tags);
            let length = tags.length.unwrap_or_else(|| {
                // Some writers leave the length out: that is how money games are written.
                self.warnings.push((line, RecordErrorKind::NoLength));
                0
            });
            self.settings = Some(MatchSettings { tags, length, crawford_played: false });
        }
        if let Some(settings) = &mut self.settings {
            settings.crawford_played |= post_crawford;
            if let Some((variant, line)) = &settings.tags.variant {
                return Err((*line, RecordErrorKind::Variant(variant.clone())));
            }
        }
        self.game = State::Names;
        Ok(())
    }

    fn comment(&mut self, comment: &str, line: u64) {
        let set_up = comment.trim().strip_prefix("Set Pos=");
        match (set_up, &mut self.game) {
            (Some(text), State::Playing(game)) => match set_up::of_comment(text) {
                Ok(start) => game.set_up(line, start),
                Err(reason) => game.fail(line, reason),
            },
            _ => self.tags.read(comment, line),
        }
    }

    /// The names and scores of a game, from its line of names. Without one they follow from the
    /// tags and the game before.
    fn heading(&mut self, line: &NumberedLine) -> Result<(), Complaint> {
        let is_row = row::is_row(&line.text);
        let (names, score) = match row::names(&line.text).filter(|_| !is_row) {
            Some([(a, x), (b, o)]) => ([cut_name(a), cut_name(b)], [x, o]),
            None => {
                let found = names::without_colons(&line.text).filter(|_| !is_row);
                if !is_row && !self.row_follows() {
                    let wanted = "two names with their scores";
                    self.game = State::Skipping;
                    return Err((line.number, RecordErrorKind::unreadable(&line.text, wanted)));
                }
                if !is_row && found.is_none() {
                    // A remark below the heading.
                    self.warnings.push((line.number, RecordErrorKind::stray(&line.text)));
                    return Ok(());
                }
                let (names, score) = self.guessed(found);
                let taken = format!("{} {}, {} {}", names[0], score[0], names[1], score[1]);
                self.warnings.push((line.number, RecordErrorKind::NoNames(taken)));
                (names, score)
            }
        };
        let Some(settings) = &mut self.settings else {
            return Err((line.number, RecordErrorKind::NoLength));
        };
        match settings.begin(names, score, line.number) {
            Ok(game) => self.game = State::Playing(Box::new(game)),
            Err(reason) => {
                self.game = State::Skipping;
                return Err((line.number, reason));
            }
        }
        if is_row { self.row(line.clone()) } else { Ok(()) }
    }

    /// Names and scores as far as a line shows them; the rest by the tags and by the games before.
    fn guessed(&self, found: Option<[(String, Option<u32>); 2]>) -> ([String; 2], [u32; 2]) {
        let length = self.settings.as_ref().map_or(0, |settings| settings.length);
        let fits = |score: [u32; 2]| length == 0 || score.iter().all(|&points| points < length);
        let running = if fits(self.score) { self.score } else { [0; 2] };
        if let Some([(a, x), (b, o)]) = found {
            let score = [x.unwrap_or(running[0]), o.unwrap_or(running[1])];
            let names = [cut_name(&a), cut_name(&b)];
            return (names, if fits(score) { score } else { running });
        }
        let tags = self.settings.as_ref().map_or(&self.tags, |settings| &settings.tags);
        let tagged =
            [0, 1].map(|i| tags.players[i].clone().or_else(|| self.tags.players[i].clone()));
        let names = [0, 1].map(|i| {
            let before = || self.names.as_ref().map(|names| names[i].clone());
            tagged[i].clone().or_else(before).unwrap_or_else(|| format!("Player {}", i + 1))
        });
        (names, running)
    }

    /// A row of a game, with the lines that go on with it.
    fn row(&mut self, mut line: NumberedLine) -> Result<(), Complaint> {
        let State::Playing(game) = &mut self.game else { return Ok(()) };
        while self.lines.look_ahead(|next| Some(row::goes_on(&lines::plain(&next.text))))
            == Some(true)
            && line.text.len() < LONGEST_ROW
        {
            let Ok(Some(next)) = self.lines.next() else { break };
            line.text = format!("{} {}", line.text, lines::plain(&next.text).trim());
        }
        play::row(game, &line);
        Ok(())
    }

    /// Whether a line begins a game without a heading.
    fn begins_unheaded(&mut self, line: &NumberedLine) -> bool {
        let number = row::row_number(&line.text);
        if let (State::Playing(game), Some(number)) = (&self.game, number) {
            return number == 1 && game.is_over() && row::is_row(&line.text);
        }
        let is_row = row::is_row(&line.text);
        let is_names = !is_row && row::names(&line.text).is_some();
        match &self.game {
            State::Outside => {
                let is_names = is_names || names::without_colons(&line.text).is_some();
                is_row || (is_names && self.row_follows())
            }
            State::Playing(game) => {
                // Below a page break the line of names may stand again.
                let again = !game.is_over()
                    && game.recorder().turns() > 0
                    && row::names(&line.text)
                        .is_some_and(|now| now.map(|(_, s)| s) == game.score());
                is_names && !again && self.row_follows()
            }
            State::Skipping => {
                let other =
                    self.settings.as_ref().is_some_and(|settings| settings.tags.variant.is_some());
                is_names && !other && self.row_follows()
            }
            State::Names => false,
        }
    }

    /// Reads a line in a game; other text outside of games is skipped.
    fn other(&mut self, line: NumberedLine) -> Result<(), Complaint> {
        if self.begins_unheaded(&line) {
            if matches!(self.game, State::Playing(_)) {
                self.lines.hold(line);
                self.finish(true);
                return Ok(());
            }
            self.begin_game(line.number, false)?;
        }
        match self.game {
            State::Outside if self.settings.is_none() => {
                self.tags.length = self.tags.length.or_else(|| lines::mentioned_length(&line.text));
                Ok(())
            }
            State::Skipping | State::Outside => Ok(()),
            State::Names => self.heading(&line),
            State::Playing(_) => self.row(line),
        }
    }

    /// A heading where the names of another game are due.
    fn missing_names(&mut self, line: &NumberedLine) -> RecordError {
        self.game = State::Skipping;
        let error = RecordErrorKind::unreadable(&line.text, "two names with their scores");
        self.lines.error(line.number, error)
    }
}

impl<R: BufRead> Iterator for MatReader<R> {
    type Item = Result<ReadGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.ready.pop_front() {
                return Some(game);
            }
            let mut line = match self.lines.next() {
                Ok(Some(line)) => line,
                Ok(None) if matches!(self.game, State::Names) => {
                    self.game = State::Outside;
                    let at = self.lines.number();
                    return Some(Err(self.lines.error(at, RecordErrorKind::CutOff)));
                }
                Ok(None) => {
                    self.finish(false);
                    return self.ready.pop_front();
                }
                Err(error) => {
                    if let State::Playing(game) = &mut self.game {
                        game.fail(self.lines.number(), error.reason);
                        continue;
                    }
                    self.game = State::Skipping;
                    return Some(Err(error));
                }
            };
            let plain = lines::plain(&line.text);
            if *plain != *line.text {
                line.text = plain.into_owned();
            }
            let kind = match kind(&line.text) {
                // A remark below `Game n`, or a heading of its own.
                Kind::Crawford if matches!(self.game, State::Names) => Kind::Comment(""),
                Kind::Crawford => Kind::Game { post_crawford: false },
                kind => kind,
            };
            if matches!(kind, Kind::Match(_) | Kind::Game { .. }) {
                if matches!(self.game, State::Names) {
                    self.lines.hold(line.clone());
                    return Some(Err(self.missing_names(&line)));
                }
                if matches!(self.game, State::Playing(_)) {
                    let same_match = matches!(kind, Kind::Game { .. });
                    self.lines.hold(line);
                    self.finish(same_match);
                    continue;
                }
            }
            let done = match kind {
                Kind::Blank => Ok(()),
                Kind::Comment(comment) => {
                    self.comment(comment, line.number);
                    Ok(())
                }
                Kind::Match(length) => {
                    let tags = std::mem::take(&mut self.tags);
                    self.settings = Some(MatchSettings { tags, length, crawford_played: false });
                    (self.names, self.score) = (None, [0; 2]);
                    Ok(())
                }
                Kind::Game { post_crawford } => self.begin_game(line.number, post_crawford),
                Kind::Other | Kind::Crawford => self.other(line),
            };
            if let Err((at, reason)) = done {
                return Some(Err(self.lines.error(at, reason)));
            }
        }
    }
}
