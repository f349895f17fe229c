//! FIBS `oldmoves`: one action in each line, X and O in turn, each with their own point numbers.

use std::collections::VecDeque;
use std::io::BufRead;

use super::error::{RecordError, RecordErrorKind};
use super::game::{GameHeader, cut_name};
use super::game_reader::{Complaint, GameReader, ReadGame};
use super::recorder::Recorder;
use super::text_lines::{NumberedLine, NumberedLines};
use crate::{Dice, Scoring, Seat};

/// Reads games line by line.
pub(super) struct OldmovesReader<R> {
    lines: NumberedLines<R>,
    state: State,
    /// The score of the Crawford game, which is the first game at one point away. Later games are
    /// none, until the score falls.
    crawford: Option<[u32; 2]>,
    /// Games that were read and not yielded yet.
    ready: VecDeque<Result<ReadGame, RecordError>>,
    /// Mistakes that cost no game.
    warnings: Vec<Complaint>,
}

enum State {
    /// Before the first game: other text of the server.
    Before,
    /// Length and score are known; the names come next.
    Names { length: u32, score: [u32; 2] },
    /// In a game.
    Playing(Box<GameReader>),
    /// In a game for which an error was reported.
    Skipping,
}

/// Whether a line identifies this format.
pub(super) fn is_oldmoves(line: &str) -> bool {
    score(line).is_some()
}

/// A line without what clients put before it: prompts and times, as in `> Score is ...` and
/// `[21:05:33] X: (3 1) 8-5 6-5`.
fn said(line: &str) -> &str {
    let mut text = line.trim();
    loop {
        let is_time = |text: &str| {
            let parted = text.contains(':') || text.matches(['-', '/', '.']).count() == 2;
            parted && text.bytes().all(|byte| byte.is_ascii_digit() || b":.- /".contains(&byte))
        };
        let rest = if let Some(rest) = text.strip_prefix('>') {
            rest
        } else if let Some((time, rest)) =
            text.strip_prefix(['[', '(']).and_then(|text| text.split_once([']', ')']))
        {
            if !is_time(time) {
                return text;
            }
            rest
        } else {
            match text.split_once(' ') {
                Some((time, rest)) if is_time(time) => rest,
                _ => return text,
            }
        };
        text = rest.trim_start();
    }
}

/// `Score is 0-0 in a 3 point match.` or `Score is 0-0 in a money game.`: the length, 0 for money,
/// and the score.
fn score(line: &str) -> Option<(u32, [u32; 2])> {
    let (score, rest) = said(line).strip_prefix("Score is ")?.split_once(" in a")?;
    let (x, o) = score.split_once('-')?;
    let score = [x.trim().parse().ok()?, o.trim().parse().ok()?];
    let rest = rest.strip_prefix('n').unwrap_or(rest).trim_start();
    let first = rest.split_ascii_whitespace().next()?;
    let length = if first == "unlimited" || first == "money" { 0 } else { first.parse().ok()? };
    let known = ["match", "game", "session"].iter().any(|word| rest.contains(word));
    known.then_some((length, score))
}

/// `ann is X - bob is O`.
fn names(line: &str) -> Option<[String; 2]> {
    let (x, o) = said(line).split_once(" is X - ")?;
    let o = o.trim_end_matches('.').strip_suffix(" is O")?;
    Some([cut_name(x.trim()), cut_name(o.trim())])
}

impl<R: BufRead> OldmovesReader<R> {
    pub(super) fn new(lines: NumberedLines<R>) -> OldmovesReader<R> {
        let (ready, warnings) = (VecDeque::new(), Vec::new());
        OldmovesReader { lines, state: State::Before, crawford: None, ready, warnings }
    }

    /// The line read last.
    pub(super) const fn line(&self) -> u64 {
        self.lines.number()
    }

    fn begin(
        &mut self,
        line: &NumberedLine,
        length: u32,
        score: [u32; 2],
    ) -> Result<State, RecordErrorKind> {
        let names = names(&line.text)
            .ok_or_else(|| RecordErrorKind::unreadable(&line.text, "'ann is X - bob is O'"))?;
        if length == 0 {
            let scoring = Scoring::Money { jacoby: false, beavers: true };
            let recorder = Recorder::new(GameHeader { names, scoring });
            return Ok(State::Playing(Box::new(GameReader::new(recorder, score, line.number))));
        }
        let small = |points: u32| u16::try_from(points).unwrap_or(u16::MAX);
        let one_away =
            (length.saturating_sub(score[0]) == 1) != (length.saturating_sub(score[1]) == 1);
        let behind = self.crawford.is_some_and(|old| old[0] <= score[0] && old[1] <= score[1]);
        let crawford = one_away && !behind;
        let scoring = Scoring::of_match(small(length), small(score[0]), small(score[1]), crawford)?;
        self.crawford = one_away.then_some(score);
        let mut recorder = Recorder::new(GameHeader { names, scoring });
        if crawford {
            recorder.presume_crawford();
        }
        Ok(State::Playing(Box::new(GameReader::new(recorder, score, line.number))))
    }

    /// The end of a game; the lines ahead show the score after it.
    fn finish(&mut self, game: GameReader) {
        let header = game.header().clone();
        let length = header.scoring.away().map_or(0, |_| 1);
        let mut after: Option<[u32; 2]> = None;
        let next =
            self.lines.look_ahead(|line| match (score(&line.text), names(&line.text), after) {
                (Some((next_length, score)), _, _) => {
                    after = Some(score).filter(|_| (next_length == 0) == (length == 0));
                    None
                }
                (None, Some(names), Some([x, o])) if names == header.names => Some(Some([x, o])),
                (None, Some([o_name, x_name]), Some([o, x]))
                    if [&x_name, &o_name] == [&header.names[0], &header.names[1]] =>
                {
                    Some(Some([x, o]))
                }
                (None, Some(_), _) => Some(None),
                _ => None,
            });
        let read = game.finish(next.flatten());
        self.warnings.extend(read.warnings);
        self.ready.extend(read.earlier.into_iter().map(Ok));
        self.ready.push_back(read.last.map_err(|(line, reason)| self.lines.error(line, reason)));
    }

    /// The warnings about the lines read so far.
    pub(super) const fn warnings(&mut self) -> &mut Vec<Complaint> {
        &mut self.warnings
    }
}

/// One line of a game.
fn play(game: &mut GameReader, line: &NumberedLine) {
    let at = line.number;
    let unreadable = || RecordErrorKind::unreadable(&line.text, "'X:' or 'O:' and an action");
    let Some((player, text)) = said(&line.text).split_once(':').and_then(|(side, text)| {
        let player = match side.trim() {
            "X" | "x" => Seat::X,
            "O" | "o" => Seat::O,
            _ => return None,
        };
        Some((player, text.trim().trim_end_matches('.')))
    }) else {
        game.warn(at, RecordErrorKind::stray(&line.text));
        return;
    };
    if let Some(rest) = text.strip_prefix('(') {
        let Some((dice, play)) = rest.split_once(')') else { return game.fail(at, unreadable()) };
        let dice = dice.trim();
        let play = play.trim();
        let Ok(dice) = dice.parse::<Dice>() else {
            return game.fail_turn(at, player, RecordErrorKind::unreadable(dice, "two dice"));
        };
        let hidden = !play.is_empty() && play.bytes().all(|b| b == b'?');
        let no_play = ["can't move", "cannot move"].iter().any(|no| play.eq_ignore_ascii_case(no));
        let play = if no_play { "" } else { play };
        return game.roll(at, player, dice, (!hidden).then_some(play));
    }
    let mut words = text.split_ascii_whitespace();
    match words.next().unwrap_or_default().to_ascii_lowercase().as_str() {
        "doubles" | "redoubles" => game.double(at, player, None, false),
        "beavers" | "raccoons" => game.double(at, player, None, true),
        "accepts" | "takes" => game.act(at, |recorder| recorder.take(player)),
        "rejects" | "drops" => game.act(at, |recorder| recorder.drop(player)),
        "wins" => game.wins(at, player, words.next().and_then(|word| word.parse().ok())),
        "resigns" => game.loses(at, player, None),
        // The answer follows, or another roll.
        "wants" => {}
        _ => game.fail(at, unreadable()),
    }
}

impl<R: BufRead> Iterator for OldmovesReader<R> {
    type Item = Result<ReadGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.ready.pop_front() {
                return Some(game);
            }
            let line = match self.lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => match std::mem::replace(&mut self.state, State::Before) {
                    State::Playing(game) => {
                        self.finish(*game);
                        continue;
                    }
                    State::Names { .. } => {
                        let at = self.lines.number();
                        return Some(Err(self.lines.error(at, RecordErrorKind::CutOff)));
                    }
                    State::Before | State::Skipping => return None,
                },
                Err(error) => {
                    if let State::Playing(game) = &mut self.state {
                        game.fail(self.lines.number(), error.reason);
                        continue;
                    }
                    self.state = State::Skipping;
                    return Some(Err(error));
                }
            };
            if line.text.trim().is_empty() {
                continue;
            }
            let head = score(&line.text);
            let done = match (std::mem::replace(&mut self.state, State::Skipping), head) {
                (State::Playing(game), Some(_)) => {
                    self.lines.hold(line);
                    self.state = State::Before;
                    self.finish(*game);
                    continue;
                }
                (State::Names { .. }, Some(_)) => {
                    let error = RecordErrorKind::unreadable(&line.text, "'ann is X - bob is O'");
                    self.lines.hold(line.clone());
                    Err((line.number, error))
                }
                (_, Some((length, score))) => {
                    self.state = State::Names { length, score };
                    Ok(())
                }
                (State::Before, None) => {
                    self.state = State::Before;
                    Ok(())
                }
                (State::Skipping, None) => Ok(()),
                (State::Names { length, score }, None) => {
                    let begun = self.begin(&line, length, score);
                    begun.map(|state| self.state = state).map_err(|reason| (line.number, reason))
                }
                (State::Playing(mut game), None) => {
                    play(&mut game, &line);
                    self.state = State::Playing(game);
                    Ok(())
                }
            };
            if let Err((at, reason)) = done {
                return Some(Err(self.lines.error(at, reason)));
            }
        }
    }
}
