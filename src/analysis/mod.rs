//! Match analysis: the loss of every play and cube action of recorded games, and the luck of every roll.
//!
//! Losses are equities in points on a cube at 1; in a match they follow from match winning chances. A play counts as a
//! decision if it was not forced. Not doubling counts if it lost equity, or if doubling was nearly as good ([`CLOSE`]):
//! otherwise players could lower their average by owning the cube. PR is 500 times the mean loss of the decisions that
//! count, the error rate 1000 times.

mod decisions;

use rayon::prelude::*;

use self::decisions::{Question, questions};
use crate::backgammon::record::RecordedGame;
use crate::backgammon::{Cube, Dice, Position, Seat};
use crate::cube::CubeDecision;
use crate::cube::MetError;
use crate::engine::{Engine, ScoredMove};
use crate::progress::Progress;

/// Not doubling counts as a decision if doubling is worse by less than this, in points on a cube at 1.
pub const CLOSE: f32 = 0.16;
/// The number of best plays that are kept.
const KEPT: usize = 5;

/// How bad a decision was, by its loss in points on a cube at 1. Words and limits are GNU Backgammon's defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Below 0.04.
    Fine,
    /// From 0.04.
    Doubtful,
    /// From 0.08.
    Bad,
    /// From 0.16.
    VeryBad,
}

impl Severity {
    /// The severity of a loss.
    #[must_use]
    pub const fn of(loss: f32) -> Severity {
        match loss {
            0.16.. => Severity::VeryBad,
            0.08.. => Severity::Bad,
            0.04.. => Severity::Doubtful,
            _ => Severity::Fine,
        }
    }

    /// The symbol in records: `?!`, `?` or `??`; empty for [`Severity::Fine`].
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Severity::Fine => "",
            Severity::Doubtful => "?!",
            Severity::Bad => "?",
            Severity::VeryBad => "??",
        }
    }
}

/// A roll, its play and the alternatives.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedPlay {
    /// The roll.
    pub dice: Dice,
    /// The best plays, the best first. The play that was made is the last one if it is not among them.
    pub plays: Vec<ScoredMove>,
    /// The index of the play that was made.
    pub played: usize,
    /// The number of legal plays.
    pub legal: usize,
    /// The loss of the play, at least 0.
    pub loss: f32,
    /// How much better the roll was than the average one, at 1-ply without the cube, in points per game.
    pub luck: f32,
}

/// A cube action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CubeCall {
    /// The player was allowed to double and did not.
    NoDouble,
    /// The player doubled.
    Double,
    /// A double was accepted.
    Take,
    /// A double was refused.
    Drop,
    /// A double was answered by redoubling at once.
    Beaver,
}

impl CubeCall {
    /// The name of the action.
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

/// A cube action with its analysis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnalysedCubeCall {
    /// The action.
    pub call: CubeCall,
    /// The correct actions of both players.
    pub decision: CubeDecision,
    /// Its loss, at least 0.
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

/// A decision of a player with its analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedDecision {
    /// The player who decided.
    pub player: Seat,
    /// The number of the roll that it belongs to, from 1. A cube action belongs to the roll after it.
    pub number: usize,
    /// The board, seen by the player on roll: the one who rolled, doubled or was allowed to double.
    pub position: Position,
    /// The cube before a double, seen by the same player.
    pub cube: Cube,
    /// The decision.
    pub what: DecisionKind,
}

/// The kind of a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum DecisionKind {
    /// A play.
    Play(AnalysedPlay),
    /// A cube action.
    CubeCall(AnalysedCubeCall),
}

impl AnalysedDecision {
    /// Its loss in points on a cube at 1, at least 0.
    #[must_use]
    pub const fn loss(&self) -> f32 {
        match &self.what {
            DecisionKind::Play(play) => play.loss,
            DecisionKind::CubeCall(call) => call.loss,
        }
    }

    /// Its severity.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        Severity::of(self.loss())
    }

    /// Whether it counts as a decision.
    #[must_use]
    pub fn counts(&self) -> bool {
        match &self.what {
            DecisionKind::Play(play) => play.legal > 1,
            DecisionKind::CubeCall(call) => call.counts(),
        }
    }
}

/// The totals of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Plays that count.
    pub plays: u32,
    /// Their total loss, in points on a cube at 1.
    pub play_loss: f32,
    /// Cube actions that count.
    pub calls: u32,
    /// Their total loss, in the same unit.
    pub call_loss: f32,
    /// The number of doubtful, bad and very bad decisions.
    pub mistakes: [u32; 3],
    /// The luck of all rolls, in points per game.
    pub luck: f32,
}

impl Summary {
    fn add(&mut self, analysed: &AnalysedDecision) {
        match &analysed.what {
            DecisionKind::Play(play) => {
                self.luck += play.luck;
                self.plays += u32::from(analysed.counts());
                self.play_loss += play.loss;
            }
            DecisionKind::CubeCall(call) => {
                self.calls += u32::from(analysed.counts());
                self.call_loss += call.loss;
            }
        }
        match analysed.severity() {
            Severity::Fine => {}
            Severity::Doubtful => self.mistakes[0] += 1,
            Severity::Bad => self.mistakes[1] += 1,
            Severity::VeryBad => self.mistakes[2] += 1,
        }
    }

    /// The sum of two totals.
    #[must_use]
    pub fn plus(&self, other: &Summary) -> Summary {
        Summary {
            plays: self.plays + other.plays,
            play_loss: self.play_loss + other.play_loss,
            calls: self.calls + other.calls,
            call_loss: self.call_loss + other.call_loss,
            mistakes: [0, 1, 2].map(|i| self.mistakes[i] + other.mistakes[i]),
            luck: self.luck + other.luck,
        }
    }

    /// The mean loss of a decision, in points on a cube at 1; `None` without a decision.
    #[must_use]
    pub fn mean_loss(&self) -> Option<f32> {
        let decisions = self.plays + self.calls;
        (decisions > 0).then(|| (self.play_loss + self.call_loss) / decisions as f32)
    }

    /// The error rate: the mean loss of a decision in thousandths of a point.
    #[must_use]
    pub fn error_rate(&self) -> Option<f32> {
        self.mean_loss().map(|loss| 1000.0 * loss)
    }

    /// The performance rating, 500 times the mean loss: lower is better, 0 is perfect.
    #[must_use]
    pub fn pr(&self) -> Option<f32> {
        self.mean_loss().map(|loss| 500.0 * loss)
    }
}

/// A game with the analysis of all its decisions.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The game.
    pub game: RecordedGame,
    /// The decisions in order.
    pub decisions: Vec<AnalysedDecision>,
}

impl Analysis {
    /// The totals of a player.
    #[must_use]
    pub fn summary(&self, player: Seat) -> Summary {
        let mut summary = Summary::default();
        self.decisions
            .iter()
            .filter(|analysed| analysed.player == player)
            .for_each(|analysed| summary.add(analysed));
        summary
    }
}

/// The number of events in games: the total of [`analyse`]'s progress.
#[must_use]
pub fn decisions_in(games: &[RecordedGame]) -> u64 {
    games.iter().map(|game| game.events().len() as u64).sum()
}

/// Analyses games on the current thread pool; the result does not depend on the number of threads. `progress` counts
/// events; `None` if it was stopped.
///
/// # Errors
/// [`MetError`] if the engine's match equity table does not reach a score.
pub fn analyse(
    games: &[RecordedGame],
    engine: &Engine,
    progress: &Progress,
) -> Result<Option<Vec<Analysis>>, MetError> {
    let mut all_questions: Vec<(usize, Question)> = Vec::new();
    for (index, game) in games.iter().enumerate() {
        all_questions
            .extend(questions(game, engine)?.into_iter().map(|question| (index, question)));
    }
    let analysed: Vec<(usize, Vec<AnalysedDecision>)> = all_questions
        .par_iter()
        .map(|(index, question)| {
            if progress.is_stopped() {
                return (*index, Vec::new());
            }
            let analysed = question.analysed(engine);
            progress.add(1);
            (*index, analysed)
        })
        .collect();
    if progress.is_stopped() {
        return Ok(None);
    }
    let of = |game: &RecordedGame| Analysis { game: game.clone(), decisions: Vec::new() };
    let mut all: Vec<Analysis> = games.iter().map(of).collect();
    for (index, analysed) in analysed {
        all[index].decisions.extend(analysed);
    }
    Ok(Some(all))
}

#[cfg(test)]
mod tests;
