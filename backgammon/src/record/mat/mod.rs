//! Jellyfish `.mat` and Snowie's `.txt`: the kinds of lines, and where games begin and end.

mod row;
mod set_up;
mod tags;
mod writer;

use std::collections::VecDeque;
use std::io::BufRead;

pub use tags::mat_tags;
pub use writer::MatWriter;

use self::row::{Action, Piece};
use super::error::{RecordError, RecordErrorKind};
use super::game::GameHeader;
use super::game_reader::{Complaint, GameReader, ReadGame};
use super::recorder::Recorder;
use super::text_lines::{NumberedLine, NumberedLines};
use crate::{MAX_MATCH_LENGTH, Scoring, Seat};

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
    /// Games before a position that was set up.
    ready: VecDeque<ReadGame>,
    /// Mistakes that cost no game.
    warnings: Vec<Complaint>,
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
    /// In a game.
    Playing(Box<GameReader>),
    /// In a game for which an error was reported.
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
    if let Some(comment) = line.strip_prefix([';', '#', '|']) {
        return Kind::Comment(comment);
    }
    if line.starts_with("+-") || line.starts_with("+=") {
        return Kind::Comment("");
    }
    let mut words = line.split_ascii_whitespace();
    let word = |word: Option<&str>| word.unwrap_or_default().to_ascii_lowercase();
    let first = word(words.next());
    let (second, third) = (word(words.next()), word(words.next()));
    let number = |text: &str| text.trim_end_matches(['.', ':']).parse::<u32>().ok();
    match (first.as_str(), second.as_str()) {
        ("game", n) if number(n).is_some() && third.is_empty() => Kind::Game,
        ("unlimited", "match" | "session") | ("money", "session" | "match") => Kind::Match(0),
        ("match", "of") => number(&third).map_or(Kind::Other, Kind::Match),
        (n, "point" | "points") if third.starts_with("match") => {
            number(n).map_or(Kind::Other, Kind::Match)
        }
        _ => Kind::Other,
    }
}

impl<R: BufRead> MatReader<R> {
    pub(super) fn new(lines: NumberedLines<R>) -> MatReader<R> {
        let (tags, ready, warnings) = (Tags::default(), VecDeque::new(), Vec::new());
        MatReader { lines, tags, settings: None, game: State::Outside, ready, warnings }
    }

    /// The line read last.
    pub(super) const fn line(&self) -> u64 {
        self.lines.number()
    }

    /// What was wrong with the lines read so far.
    pub(super) const fn warnings(&mut self) -> &mut Vec<Complaint> {
        &mut self.warnings
    }

    /// Ends the game, if there is one, before the line that was read last.
    fn finish(&mut self, same_match: bool) -> Option<Result<ReadGame, RecordError>> {
        let State::Playing(game) = std::mem::replace(&mut self.game, State::Outside) else {
            return None;
        };
        let next = if same_match { self.next_score(&game.header().names) } else { None };
        let (read, warnings) = game.finish(next);
        self.warnings.extend(warnings);
        Some(read.map_err(|(line, reason)| self.lines.error(line, reason)))
    }

    /// The score in the next line of names, if they are the same ones.
    fn next_score(&mut self, names: &[String; 2]) -> Option<[u32; 2]> {
        let scores =
            self.lines.look_ahead(|line| match kind(&line.text) {
                Kind::Other => Some(row::names(&line.text).and_then(|[(a, x), (b, o)]| {
                    (a == names[0] && b == names[1]).then_some([x, o])
                })),
                Kind::Match(_) | Kind::Game => Some(None),
                Kind::Blank | Kind::Comment(_) => None,
            });
        scores.flatten()
    }

    fn begin_game(&mut self, line: u64) -> Result<(), Complaint> {
        self.game = State::Skipping;
        if self.settings.is_none() {
            // Some writers leave the length out: that is how money games are written.
            self.warnings.push((line, RecordErrorKind::NoLength));
            let tags = std::mem::take(&mut self.tags);
            self.settings = Some(MatchSettings { tags, length: 0, crawford_played: false });
        }
        if let Some((variant, line)) =
            self.settings.as_ref().and_then(|settings| settings.tags.variant.as_ref())
        {
            return Err((*line, RecordErrorKind::Variant(variant.clone())));
        }
        self.game = State::Names;
        Ok(())
    }

    fn comment(&mut self, comment: &str, line: u64) {
        let set_up = comment.trim().strip_prefix("Set Pos=");
        match (set_up, &mut self.game) {
            (Some(text), State::Playing(game)) => match set_up::of_comment(text) {
                Ok(start) => drop(game.set_up(line, start)),
                Err(reason) => game.fail(line, reason),
            },
            _ => self.tag(comment, line),
        }
    }

    fn tag(&mut self, comment: &str, line: u64) {
        let Some((name, value)) = tags::tag_of(comment) else { return };
        let on = value.eq_ignore_ascii_case("on");
        match name.to_ascii_lowercase().as_str() {
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

    /// Reads a line in a game; other text outside of games is skipped.
    fn other(&mut self, line: &NumberedLine) -> Result<(), Complaint> {
        match &mut self.game {
            State::Skipping | State::Outside => Ok(()),
            State::Names => {
                let settings =
                    self.settings.as_mut().ok_or((line.number, RecordErrorKind::NoLength));
                let begun = settings.and_then(|settings| {
                    settings.begin(&line.text, line.number).map_err(|reason| (line.number, reason))
                });
                match begun {
                    Ok(game) => self.game = State::Playing(Box::new(game)),
                    Err(error) => {
                        self.game = State::Skipping;
                        return Err(error);
                    }
                }
                Ok(())
            }
            State::Playing(game) => {
                play_row(game, line, &mut |(read, warnings)| {
                    self.ready.push_back(read);
                    self.warnings.extend(warnings);
                });
                Ok(())
            }
        }
    }
}

impl<R: BufRead> Iterator for MatReader<R> {
    type Item = Result<ReadGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.ready.pop_front() {
                return Some(Ok(game));
            }
            let line = match self.lines.next() {
                Ok(Some(line)) => line,
                Ok(None) if matches!(self.game, State::Names) => {
                    self.game = State::Outside;
                    return Some(Err(self
                        .lines
                        .error(self.lines.number(), RecordErrorKind::CutOff)));
                }
                Ok(None) => return self.finish(false),
                Err(error) => {
                    if let State::Playing(game) = &mut self.game {
                        game.fail(self.lines.number(), error.reason);
                        continue;
                    }
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
                if let Some(game) = self.finish(matches!(kind, Kind::Game)) {
                    self.lines.hold(line);
                    return Some(game);
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
                    Ok(())
                }
                Kind::Game => self.begin_game(line.number),
                Kind::Other => self.other(&line),
            };
            if let Err((at, reason)) = done {
                return Some(Err(self.lines.error(at, reason)));
            }
        }
    }
}

impl MatchSettings {
    /// Begins a game with the line of names and scores.
    fn begin(&mut self, text: &str, line: u64) -> Result<GameReader, RecordErrorKind> {
        let wanted = "two names with their scores";
        let [(a, score_a), (b, score_b)] =
            row::names(text).ok_or_else(|| RecordErrorKind::unreadable(text, wanted))?;
        let names = [a.to_owned(), b.to_owned()];
        if self.length == 0 {
            let Tags { jacoby, beavers, .. } = self.tags;
            let scoring = Scoring::Money { jacoby, beavers };
            let recorder = Recorder::new(GameHeader { names, scoring });
            return Ok(GameReader::new(recorder, [score_a, score_b], line));
        }
        let small = |points: u32| u16::try_from(points).unwrap_or(u16::MAX);
        let length = u16::try_from(self.length).unwrap_or(MAX_MATCH_LENGTH + 1);
        let away = |points: u32| self.length.saturating_sub(points);
        let one_away = (away(score_a) == 1) != (away(score_b) == 1);
        let crawford = one_away && !self.crawford_played && !self.tags.no_crawford;
        let of_match =
            |crawford| Scoring::of_match(length, small(score_a), small(score_b), crawford);
        let scoring = of_match(crawford)?;
        self.crawford_played |= one_away;
        let mut recorder = Recorder::new(GameHeader { names, scoring });
        if crawford {
            recorder.presume_crawford();
        }
        Ok(GameReader::new(recorder, [score_a, score_b], line))
    }
}

/// Reads the actions on a line of a game. The players take turns, so the column of a roll or a double must agree with the
/// turn. Besides, the column decides only who begins, and who wins by a resignation if the next score does not show it.
fn play_row(
    game: &mut GameReader,
    line: &NumberedLine,
    ready: &mut dyn FnMut((ReadGame, Vec<Complaint>)),
) {
    let (text, positions) = row::illegal_plays(&line.text);
    let pieces = row::pieces(&text);
    let numbered = line.text.trim_start().starts_with(|c: char| c.is_ascii_digit());
    if !numbered && pieces.iter().all(|piece| matches!(piece.action, Action::Unknown { .. })) {
        game.warn(line.number, RecordErrorKind::stray(&line.text));
        return;
    }
    let actions = pieces.iter().filter(|piece| !piece.action.is_result()).count();
    for Piece { action, gap, nth } in pieces {
        let lone = actions <= 1 && nth == 0;
        let column = if nth == 1 || (lone && gap >= RIGHT_ACTION) { Seat::O } else { Seat::X };
        let player = game.recorder().to_act().unwrap_or(column);
        // If a line break is missing, the third action begins a new row.
        let wrong_column = nth < 2 && player != column;
        let at = line.number;
        match action {
            Action::Wins(points) => {
                let right = nth == 1 || gap >= RIGHT_RESULT;
                game.wins(at, if right { Seat::O } else { Seat::X }, points);
            }
            Action::Loses(points) => game.loses(at, column, points),
            Action::Resigned => {}
            Action::Take => game.act(at, |recorder| recorder.take(player)),
            Action::Drop => game.act(at, |recorder| recorder.drop(player)),
            Action::Beaver(value) => game.double(at, player, value, true),
            Action::Unknown { text, wanted } => {
                game.fail(at, RecordErrorKind::unreadable(&text, wanted));
            }
            _ if wrong_column => {
                game.act(at, |game| Err(RecordErrorKind::OutOfTurn(game.name(player))));
            }
            Action::Double(value) => game.double(at, player, value, false),
            Action::Roll { dice, play } => game.roll(at, player, dice, play.as_deref()),
            Action::HiddenRoll => game.hidden_roll(at),
            Action::Illegal { dice, position } => {
                let text = position.and_then(|n| positions.get(n));
                match text.map(|text| set_up::of_illegal_play(text, game, player)) {
                    Some(Ok(start)) => {
                        if let Some(before) = game.set_up(at, start) {
                            ready(before);
                        }
                    }
                    Some(Err(reason)) => game.fail(at, reason),
                    None => {
                        let play = "Illegal play".to_owned();
                        game.fail(at, crate::PlayError::Illegal { play, dice }.into());
                    }
                }
            }
        }
    }
}
