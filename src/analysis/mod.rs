//! What was right and wrong in recorded games: each play and each word about the cube with what it lost, and each roll with
//! its luck.
//!
//! Losses are equities in points on a cube at 1, in a match by its winning chances. A play counts when there was a choice.
//! Not doubling counts where it lost something, or where doubling would have been nearly as good ([`CLOSE`]): otherwise
//! a player could lower the own average by owning a cube. PR is 500 times the mean loss of what counts, the error rate
//! 1000 times.

mod decisions;

use rayon::prelude::*;

use self::decisions::{Question, questions};
use crate::backgammon::record::RecordedGame;
use crate::backgammon::{Cube, Dice, Position, Seat};
use crate::cube::CubeDecision;
use crate::cube::MetError;
use crate::engine::{Engine, ScoredMove};
use crate::progress::Progress;

/// Up to this difference to the other choice, in points on a cube at 1, not doubling counts as a decision.
pub const CLOSE: f32 = 0.16;
/// Plays that are kept beside the best and the one played.
const KEPT: usize = 5;

/// How bad a decision was, by what it lost in points on a cube at 1. The limits are those with which GNU Backgammon comes
/// ("doubtful", "bad", "very bad").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Below 0.04.
    Fine,
    /// From 0.04.
    Doubtful,
    /// From 0.08.
    Error,
    /// From 0.16.
    Blunder,
}

impl Severity {
    /// The mark of a loss.
    #[must_use]
    pub const fn of(loss: f32) -> Severity {
        match loss {
            0.16.. => Severity::Blunder,
            0.08.. => Severity::Error,
            0.04.. => Severity::Doubtful,
            _ => Severity::Fine,
        }
    }

    /// As chess players write it; nothing for a fine one.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Severity::Fine => "",
            Severity::Doubtful => "?!",
            Severity::Error => "?",
            Severity::Blunder => "??",
        }
    }
}

/// A roll and how it was played.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedPlay {
    /// The roll.
    pub dice: Dice,
    /// The best plays, and the one that was played wherever it stands; the best first.
    pub plays: Vec<ScoredMove>,
    /// Which of them was played.
    pub played: usize,
    /// How many were legal.
    pub legal: usize,
    /// What the play lost, at least 0.
    pub loss: f32,
    /// How much better the roll was than the average one, at 1-ply without the cube, in points per game.
    pub luck: f32,
}

/// What was said to the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CubeCall {
    /// Nothing, though the player might have doubled.
    NoDouble,
    /// It was turned.
    Double,
    /// A double was accepted.
    Take,
    /// A double was refused.
    Drop,
    /// A double was answered by another one.
    Beaver,
}

impl CubeCall {
    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CubeCall::NoDouble => "no double",
            CubeCall::Double => "double",
            CubeCall::Take => "take",
            CubeCall::Drop => "drop",
            CubeCall::Beaver => "beaver",
        }
    }
}

/// A word about the cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnalysedCubeCall {
    /// What was said.
    pub call: CubeCall,
    /// What would have been right, on both sides.
    pub decision: CubeDecision,
    /// What it lost, at least 0.
    pub loss: f32,
}

impl AnalysedCubeCall {
    /// Whether it counts as a decision.
    #[must_use]
    pub fn counts(&self) -> bool {
        let decision = &self.decision;
        let doubled = decision.double_take.min(decision.double_pass);
        let close = (decision.no_double - doubled).abs() < CLOSE;
        self.call != CubeCall::NoDouble || self.loss > 0.0 || close
    }
}

/// One thing that a player decided.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedDecision {
    /// Whose decision.
    pub player: Seat,
    /// The number of the roll before which or at which it was made, from 1.
    pub number: usize,
    /// The board, the player on roll at the bottom: who rolled, or who doubled or might have.
    pub position: Position,
    /// The cube, seen by the same player; a double that waits has not turned it.
    pub cube: Cube,
    /// The decision.
    pub what: DecisionKind,
}

/// What kind of decision.
#[derive(Clone, Debug, PartialEq)]
pub enum DecisionKind {
    /// How to play a roll.
    Play(AnalysedPlay),
    /// What to say to the cube.
    CubeCall(AnalysedCubeCall),
}

impl AnalysedDecision {
    /// What it lost, in points on a cube at 1, at least 0.
    #[must_use]
    pub const fn loss(&self) -> f32 {
        match &self.what {
            DecisionKind::Play(play) => play.loss,
            DecisionKind::CubeCall(call) => call.loss,
        }
    }

    /// How bad it was.
    #[must_use]
    pub const fn mark(&self) -> Severity {
        Severity::of(self.loss())
    }

    /// Whether there was anything to decide.
    #[must_use]
    pub fn counts(&self) -> bool {
        match &self.what {
            DecisionKind::Play(play) => play.legal > 1,
            DecisionKind::CubeCall(call) => call.counts(),
        }
    }
}

/// How a player did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Plays with a choice.
    pub plays: u32,
    /// What they lost in all, in points on a cube at 1.
    pub play_loss: f32,
    /// Words about the cube that count.
    pub calls: u32,
    /// What they lost in all.
    pub call_loss: f32,
    /// How many were doubtful, errors, blunders.
    pub marks: [u32; 3],
    /// The luck of all rolls, in points per game.
    pub luck: f32,
}

impl Summary {
    fn add(&mut self, judged: &AnalysedDecision) {
        match &judged.what {
            DecisionKind::Play(play) => {
                self.luck += play.luck;
                self.plays += u32::from(judged.counts());
                self.play_loss += play.loss;
            }
            DecisionKind::CubeCall(call) => {
                self.calls += u32::from(judged.counts());
                self.call_loss += call.loss;
            }
        }
        match judged.mark() {
            Severity::Fine => {}
            Severity::Doubtful => self.marks[0] += 1,
            Severity::Error => self.marks[1] += 1,
            Severity::Blunder => self.marks[2] += 1,
        }
    }

    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Summary) -> Summary {
        Summary {
            plays: self.plays + other.plays,
            play_loss: self.play_loss + other.play_loss,
            calls: self.calls + other.calls,
            call_loss: self.call_loss + other.call_loss,
            marks: [0, 1, 2].map(|i| self.marks[i] + other.marks[i]),
            luck: self.luck + other.luck,
        }
    }

    /// The mean loss of a decision, in points on a cube at 1; `None` where nothing was decided.
    #[must_use]
    pub fn mean_loss(&self) -> Option<f32> {
        let decisions = self.plays + self.calls;
        (decisions > 0).then(|| (self.play_loss + self.call_loss) / decisions as f32)
    }

    /// The error rate in thousandths of a point a decision.
    #[must_use]
    pub fn error_rate(&self) -> Option<f32> {
        self.mean_loss().map(|loss| 1000.0 * loss)
    }

    /// The performance rating, 500 times the mean loss: the lower the better, 0 without a mistake.
    #[must_use]
    pub fn pr(&self) -> Option<f32> {
        self.mean_loss().map(|loss| 500.0 * loss)
    }
}

/// A game with all its decisions judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The game.
    pub game: RecordedGame,
    /// The decisions in order.
    pub decisions: Vec<AnalysedDecision>,
}

impl Analysis {
    /// How one of the players did.
    #[must_use]
    pub fn summary(&self, player: Seat) -> Summary {
        let mut summary = Summary::default();
        self.decisions.iter().filter(|judged| judged.player == player).for_each(|j| summary.add(j));
        summary
    }
}

/// How many decisions games hold: the length of the work.
#[must_use]
pub fn decisions_in(games: &[RecordedGame]) -> u64 {
    games.iter().map(|game| game.events().len() as u64).sum()
}

/// Judges games on the current thread pool; the result does not depend on the number of threads. `progress` counts
/// decisions; `None` if it was stopped.
///
/// # Errors
/// [`MetError`] if the adviser's match equity table does not reach a score.
pub fn analyse(
    games: &[RecordedGame],
    engine: &Engine,
    progress: &Progress,
) -> Result<Option<Vec<Analysis>>, MetError> {
    let mut asked: Vec<(usize, Question)> = Vec::new();
    for (index, game) in games.iter().enumerate() {
        asked.extend(questions(game, engine)?.into_iter().map(|question| (index, question)));
    }
    let judged: Vec<(usize, Vec<AnalysedDecision>)> = asked
        .par_iter()
        .map(|(index, question)| {
            if progress.is_stopped() {
                return (*index, Vec::new());
            }
            let judged = question.judged(engine);
            progress.add(1);
            (*index, judged)
        })
        .collect();
    if progress.is_stopped() {
        return Ok(None);
    }
    let of = |game: &RecordedGame| Analysis { game: game.clone(), decisions: Vec::new() };
    let mut all: Vec<Analysis> = games.iter().map(of).collect();
    for (index, judged) in judged {
        all[index].decisions.extend(judged);
    }
    Ok(Some(all))
}

#[cfg(test)]
mod tests;
