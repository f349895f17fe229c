//! The totals of a player.

use super::analyse::Analysis;
use super::decision::{AnalysedDecision, DecisionKind};
use crate::backgammon::Seat;

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
    /// What the mistakes in plays and in cube actions cost: points for money, match winning chances
    /// in a match.
    pub cost: [f32; 2],
    /// The luck of all rolls, in points on a cube at 1.
    pub luck: f32,
    /// The same in points for money, in match winning chances in a match.
    pub luck_utility: f32,
}

/// The totals of each player over all games; the names of the first game identify the players.
#[must_use]
pub fn summaries(games: &[Analysis]) -> [Summary; 2] {
    Seat::BOTH.map(|player| {
        games.iter().fold(Summary::default(), |sum, game| sum.plus(&game.summary(player)))
    })
}

impl Summary {
    pub(super) fn add(&mut self, analysed: &AnalysedDecision) {
        match &analysed.what {
            DecisionKind::Play(play) => {
                self.luck += play.luck;
                self.luck_utility += play.luck * analysed.unit;
                self.cost[0] += analysed.cost();
                self.plays += u32::from(analysed.counts());
                self.play_loss += play.loss;
            }
            DecisionKind::CubeCall(call) => {
                self.calls += u32::from(analysed.counts());
                self.call_loss += call.loss;
                self.cost[1] += analysed.cost();
            }
        }
        analysed.severity().count(&mut self.mistakes);
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
            cost: [0, 1].map(|i| self.cost[i] + other.cost[i]),
            luck: self.luck + other.luck,
            luck_utility: self.luck_utility + other.luck_utility,
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
