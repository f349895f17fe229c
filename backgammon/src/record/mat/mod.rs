//! Jellyfish `.mat` and Snowie's `.txt`: the kinds of lines, and where games begin and end.

mod row;
mod writer;

use std::io::BufRead;

pub use writer::MatWriter;

use self::row::{Action, Piece};
use super::error::{RecordError, RecordErrorKind};
use super::game::{GameHeader, RecordedGame};
use super::recorder::Recorder;
use super::text_lines::{NumberedLine, NumberedLines};
use crate::{MAX_MATCH_LENGTH, ScoreError, Scoring, Seat};

/// A single action with at least this many blanks before it is in the right column. The left column begins after 1 or 2
/// blanks, the right one 25 to 35 columns later, or after two tabs.
const RIGHT_ACTION: usize = 10;
/// The same for a result, which is indented by 6 in the left column and by about 34 in the right one.
const RIGHT_RESULT: usize = 20;

/// Reads games line by line.
pub(super) struct MatReader<R> {
    lines: NumberedLines<R>,
    /// The tags above the next match.
    tags: Tags,
    settings: Option<MatchSettings>,
    game: State,
}

/// The settings in comments such as `; [Crawford "On"]`.
#[derive(Clone, Debug, Default)]
struct Tags {
    no_crawford: bool,
    jacoby: bool,
    beavers: bool,
    /// A variant other than standard backgammon, and the line of its tag.
    variant: Option<(String, u64)>,
}

/// The settings of all games of a match.
#[derive(Clone, Debug)]
struct MatchSettings {
    tags: Tags,
    /// Points, 0 for money.
    length: u32,
    crawford_played: bool,
}

enum State {
    /// Between games.
    Outside,
    /// After `Game n`: the names come next.
    Names,
    /// In a game, with the line of its last roll.
    Playing(Box<Recorder>, u64),
    /// In a game, or in text between games, for which an error was reported.
    Skipping,
}

/// The kind of a line, as far as the line alone shows it.
enum Kind<'a> {
    Blank,
    Comment(&'a str),
    /// A match to this many points, 0 for money.
    Match(u32),
    Game,
    Other,
}

/// Whether a line identifies this format.
pub(super) fn is_mat(line: &str) -> bool {
    let comment = line.trim_start().strip_prefix(';').map(str::trim_start);
    comment.is_some_and(|rest| rest.starts_with('['))
        || matches!(kind(line), Kind::Match(_) | Kind::Game)
}

fn kind(line: &str) -> Kind<'_> {
    let line = line.trim();
    if line.is_empty() {
        return Kind::Blank;
    }
    if let Some(comment) = line.strip_prefix(';') {
        return Kind::Comment(comment);
    }
    let mut words = line.split_ascii_whitespace();
    let word = |word: Option<&str>| word.unwrap_or_default().to_ascii_lowercase();
    let first = word(words.next());
    let (second, third) = (word(words.next()), word(words.next()));
    let number = |text: &str| text.parse::<u32>().ok();
    match (first.as_str(), second.as_str()) {
        ("game", n) if number(n).is_some() && third.is_empty() => Kind::Game,
        ("unlimited", "match" | "session") | ("money", "session" | "match") => Kind::Match(0),
        (n, "point" | "points") if third.starts_with("match") => {
            number(n).map_or(Kind::Other, Kind::Match)
        }
        _ => Kind::Other,
    }
}

impl<R: BufRead> MatReader<R> {
    pub(super) fn new(lines: NumberedLines<R>) -> MatReader<R> {
        MatReader { lines, tags: Tags::default(), settings: None, game: State::Outside }
    }

    /// The line read last.
    pub(super) const fn line(&self) -> u64 {
        self.lines.number()
    }

    fn finish(&mut self) -> Option<RecordedGame> {
        match std::mem::replace(&mut self.game, State::Outside) {
            State::Playing(recorder, _) => Some(recorder.finish()),
            _ => None,
        }
    }

    fn begin_game(&mut self) -> Result<(), (u64, RecordErrorKind)> {
        self.game = State::Skipping;
        let settings = self.settings.as_ref().ok_or((0, RecordErrorKind::NoLength))?;
        if let Some((variant, line)) = &settings.tags.variant {
            return Err((*line, RecordErrorKind::Variant(variant.clone())));
        }
        self.game = State::Names;
        Ok(())
    }

    fn tag(&mut self, comment: &str, line: u64) {
        let Some((name, value)) = comment.trim().trim_matches(['[', ']']).split_once('"') else {
            return;
        };
        let value = value.trim_end().trim_end_matches('"');
        let on = value.eq_ignore_ascii_case("on");
        match name.trim().to_ascii_lowercase().as_str() {
            "crawford" => self.tags.no_crawford = !on,
            "jacoby" => self.tags.jacoby = on,
            "beaver" => self.tags.beavers = on,
            "variation" => {
                let usual =
                    ["backgammon", "standard"].iter().any(|v| value.eq_ignore_ascii_case(v));
                self.tags.variant = (!usual).then(|| (value.to_owned(), line));
            }
            _ => {}
        }
    }

    /// Reads a line in a game, or text outside of games.
    fn other(&mut self, line: &NumberedLine) -> Result<(), (u64, RecordErrorKind)> {
        let here = |reason| (line.number, reason);
        let outcome = match &mut self.game {
            State::Skipping => return Ok(()),
            // Any text may stand above the first match.
            State::Outside if self.settings.is_none() => return Ok(()),
            State::Outside => Err(here(RecordErrorKind::stray(&line.text))),
            State::Names => match self.settings.as_mut().map(|settings| settings.begin(&line.text))
            {
                Some(Ok(recorder)) => {
                    self.game = State::Playing(Box::new(recorder), line.number);
                    Ok(())
                }
                Some(Err(reason)) => Err(here(reason)),
                None => Err(here(RecordErrorKind::NoLength)),
            },
            State::Playing(recorder, rolled) => play_row(recorder, line, rolled),
        };
        if outcome.is_err() {
            self.game = State::Skipping;
        }
        outcome
    }
}

impl<R: BufRead> Iterator for MatReader<R> {
    type Item = Result<RecordedGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = match self.lines.next() {
                Ok(Some(line)) => line,
                Ok(None) if matches!(self.game, State::Names) => {
                    self.game = State::Outside;
                    return Some(Err(self
                        .lines
                        .error(self.lines.number(), RecordErrorKind::CutOff)));
                }
                Ok(None) => return self.finish().map(Ok),
                Err(error) => {
                    self.game = State::Skipping;
                    return Some(Err(error));
                }
            };
            let kind = kind(&line.text);
            if matches!(kind, Kind::Match(_) | Kind::Game) {
                if matches!(self.game, State::Names) {
                    self.game = State::Skipping;
                    self.lines.hold(line.clone());
                    let error =
                        RecordErrorKind::unreadable(&line.text, "two names with their scores");
                    return Some(Err(self.lines.error(line.number, error)));
                }
                if let Some(game) = self.finish() {
                    self.lines.hold(line);
                    return Some(Ok(game));
                }
            }
            let done = match kind {
                Kind::Blank => Ok(()),
                Kind::Comment(comment) => {
                    self.tag(comment, line.number);
                    Ok(())
                }
                Kind::Match(length) => {
                    let tags = std::mem::take(&mut self.tags);
                    self.settings = Some(MatchSettings { tags, length, crawford_played: false });
                    Ok(())
                }
                Kind::Game => self.begin_game(),
                Kind::Other => self.other(&line),
            };
            if let Err((at, reason)) = done {
                let at = if at == 0 { line.number } else { at };
                return Some(Err(self.lines.error(at, reason)));
            }
        }
    }
}

impl MatchSettings {
    /// Begins a game with the line of names and scores.
    fn begin(&mut self, text: &str) -> Result<Recorder, RecordErrorKind> {
        let wanted = "two names with their scores";
        let [(a, score_a), (b, score_b)] =
            row::names(text).ok_or_else(|| RecordErrorKind::unreadable(text, wanted))?;
        let names = [a.to_owned(), b.to_owned()];
        if self.length == 0 {
            let Tags { jacoby, beavers, .. } = self.tags;
            return Ok(Recorder::new(GameHeader {
                names,
                scoring: Scoring::Money { jacoby, beavers },
            }));
        }
        let small = |points: u32| u16::try_from(points).unwrap_or(u16::MAX);
        let length = u16::try_from(self.length).unwrap_or(MAX_MATCH_LENGTH + 1);
        let away = |points: u32| self.length.saturating_sub(points);
        let one_away = (away(score_a) == 1) != (away(score_b) == 1);
        let crawford = one_away && !self.crawford_played && !self.tags.no_crawford;
        let of_match =
            |crawford| Scoring::of_match(length, small(score_a), small(score_b), crawford);
        let scoring =
            of_match(crawford).map_err(|error: ScoreError| RecordErrorKind::Score(error))?;
        self.crawford_played |= one_away;
        let mut recorder = Recorder::new(GameHeader { names, scoring });
        if crawford {
            recorder.presume_crawford();
        }
        Ok(recorder)
    }
}

/// Reads the actions on a line of a game. The players take turns, so the column must agree with the turn. It decides only
/// who begins, and who wins by a resignation.
fn play_row(
    recorder: &mut Recorder,
    line: &NumberedLine,
    rolled: &mut u64,
) -> Result<(), (u64, RecordErrorKind)> {
    let pieces = row::pieces(&line.text).map_err(|reason| (line.number, reason))?;
    let actions = pieces.iter().filter(|piece| !matches!(piece.action, Action::Wins(_))).count();
    for Piece { action, gap, nth } in pieces {
        let lone = actions == 1 && nth == 0;
        let column = if nth == 1 || (lone && gap >= RIGHT_ACTION) { Seat::O } else { Seat::X };
        let player = recorder.to_act().unwrap_or(column);
        // If a line break is missing, the third action begins a new row.
        let wrong_column = nth < 2 && player != column;
        let done = match action {
            Action::Wins(points) => {
                let right = nth == 1 || gap >= RIGHT_RESULT;
                let winner = if right { Seat::O } else { Seat::X };
                recorder.stated(recorder.winner().unwrap_or(winner), points)
            }
            _ if wrong_column => Err(RecordErrorKind::OutOfTurn(recorder.name(player))),
            Action::Roll { dice, play } => {
                let before = *rolled;
                *rolled = line.number;
                let done = match play {
                    Some(play) => recorder.written(player, dice, &play),
                    None => recorder.unplayed(player, dice),
                };
                if matches!(done, Err(RecordErrorKind::Unplayed(_))) {
                    *rolled = before;
                }
                done
            }
            Action::Double(value) => value
                .map_or(Ok(()), |v| recorder.check_cube_value(v))
                .and_then(|()| recorder.double(player)),
            Action::Beaver(value) => value
                .map_or(Ok(()), |v| recorder.check_cube_value(v))
                .and_then(|()| recorder.beaver(player)),
            Action::Take => recorder.take(player),
            Action::Drop => recorder.drop(player),
        };
        done.map_err(|reason| match reason {
            RecordErrorKind::Unplayed(_) => (*rolled, reason),
            _ => (line.number, reason),
        })?;
    }
    Ok(())
}
