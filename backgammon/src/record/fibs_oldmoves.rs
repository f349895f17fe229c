//! FIBS `oldmoves`: one action in each line, X and O in turn, each with their own point numbers.

use std::io::BufRead;

use super::error::{RecordError, RecordErrorKind};
use super::game::{GameHeader, RecordedGame};
use super::recorder::Recorder;
use super::text_lines::{NumberedLine, NumberedLines};
use crate::{Dice, Scoring, Seat};

/// Reads games line by line.
pub(super) struct OldmovesReader<R> {
    lines: NumberedLines<R>,
    state: State,
    /// The score of the Crawford game, which is the first game at one point away. Later games are none, until the score
    /// falls.
    crawford: Option<[u32; 2]>,
}

enum State {
    /// Before the first game: other text of the server.
    Before,
    /// Length and score are known; the names come next.
    Names { length: u32, score: [u32; 2] },
    /// In a game, with the line of the last roll.
    Playing(Box<Recorder>, u64),
    /// In a game, or in text between games, for which an error was reported.
    Skipping,
}

/// Whether a line identifies this format.
pub(super) fn is_oldmoves(line: &str) -> bool {
    score(line).is_some()
}

/// `Score is 0-0 in a 3 point match.`: the length, 0 for money, and the score.
fn score(line: &str) -> Option<(u32, [u32; 2])> {
    let (score, rest) = line.trim().strip_prefix("Score is ")?.split_once(" in a")?;
    let (x, o) = score.split_once('-')?;
    let score = [x.trim().parse().ok()?, o.trim().parse().ok()?];
    let rest = rest.strip_prefix('n').unwrap_or(rest).trim_start();
    let first = rest.split_ascii_whitespace().next()?;
    let length = if first == "unlimited" || first == "money" { 0 } else { first.parse().ok()? };
    rest.contains("match").then_some((length, score))
}

/// `ann is X - bob is O`.
fn names(line: &str) -> Option<[String; 2]> {
    let (x, o) = line.split_once(" is X - ")?;
    let o = o.trim_end_matches('.').strip_suffix(" is O")?;
    Some([x.trim().to_owned(), o.trim().to_owned()])
}

impl<R: BufRead> OldmovesReader<R> {
    pub(super) fn new(lines: NumberedLines<R>) -> OldmovesReader<R> {
        OldmovesReader { lines, state: State::Before, crawford: None }
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
            return Ok(State::Playing(Box::new(Recorder::new(GameHeader { names, scoring })), 0));
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
        Ok(State::Playing(Box::new(recorder), line.number))
    }
}

/// One line of a game.
fn play(
    recorder: &mut Recorder,
    line: &NumberedLine,
    rolled: &mut u64,
) -> Result<(), RecordErrorKind> {
    let wanted = "'X:' or 'O:' and an action";
    let unreadable = || RecordErrorKind::unreadable(&line.text, wanted);
    let (side, text) = line.text.trim().split_once(':').ok_or_else(unreadable)?;
    let player = match side.trim() {
        "X" => Seat::X,
        "O" => Seat::O,
        _ => return Err(unreadable()),
    };
    let text = text.trim().trim_end_matches('.');
    if let Some(rest) = text.strip_prefix('(') {
        let (dice, play) = rest.split_once(')').ok_or_else(unreadable)?;
        let dice = dice.trim();
        let dice: Dice = dice.parse().map_err(|_| RecordErrorKind::unreadable(dice, "two dice"))?;
        let (before, play) = (std::mem::replace(rolled, line.number), play.trim());
        let done = match play {
            "can't move" | "cannot move" | "" => recorder.unplayed(player, dice),
            _ if play.bytes().all(|b| b == b'?') => recorder.unplayed(player, dice),
            _ => recorder.written(player, dice, play),
        };
        if matches!(done, Err(RecordErrorKind::Unplayed(_))) {
            *rolled = before;
        }
        return done;
    }
    let mut words = text.split_ascii_whitespace();
    match words.next().unwrap_or_default() {
        "doubles" | "redoubles" => recorder.double(player),
        "beavers" => recorder.beaver(player),
        "accepts" | "takes" => recorder.take(player),
        "rejects" | "drops" => recorder.drop(player),
        "wins" => {
            let points = words.next().and_then(|word| word.parse().ok()).ok_or_else(unreadable)?;
            recorder.stated(player, points)
        }
        _ => Err(unreadable()),
    }
}

impl<R: BufRead> Iterator for OldmovesReader<R> {
    type Item = Result<RecordedGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = match self.lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => {
                    return match std::mem::replace(&mut self.state, State::Before) {
                        State::Playing(recorder, _) => Some(Ok(recorder.finish())),
                        State::Names { .. } => Some(Err(self
                            .lines
                            .error(self.lines.number(), RecordErrorKind::CutOff))),
                        State::Before | State::Skipping => None,
                    };
                }
                Err(error) => {
                    self.state = State::Skipping;
                    return Some(Err(error));
                }
            };
            if line.text.trim().is_empty() {
                continue;
            }
            let head = score(&line.text);
            let done = match (std::mem::replace(&mut self.state, State::Skipping), head) {
                (State::Playing(recorder, _), Some(_)) => {
                    self.lines.hold(line);
                    return Some(Ok(recorder.finish()));
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
                (State::Playing(mut recorder, mut rolled), None) => {
                    let done = play(&mut recorder, &line, &mut rolled);
                    if done.is_ok() {
                        self.state = State::Playing(recorder, rolled);
                    }
                    done.map_err(|reason| match reason {
                        RecordErrorKind::Unplayed(_) => (rolled, reason),
                        _ => (line.number, reason),
                    })
                }
            };
            if let Err((at, reason)) = done {
                return Some(Err(self.lines.error(at, reason)));
            }
        }
    }
}
