//! A decision with its analysis.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::rolled_out::RolledOut;
use super::severity::Severity;
use crate::backgammon::{
    Cube, CubeOffer, Dice, GameState, MatchState, Position, Scoring, Seat, Turn,
};
use crate::class::Class;
use crate::cube::{Answer, CubeDecision};
use crate::engine::ScoredMove;

/// Not doubling counts as a decision if doubling is worse by less than this, in points on a cube at
/// 1.
pub const CLOSE: f32 = 0.16;

/// A roll, its play and the alternatives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnalysedPlay {
    /// The roll.
    pub dice: Dice,
    /// The best plays, the best first. The play that was made is the last one if it is not among
    /// them.
    pub plays: Vec<ScoredMove>,
    /// The index of the play that was made.
    pub played: usize,
    /// The number of legal plays.
    pub legal: usize,
    /// The loss of the play, at least 0.
    pub loss: f32,
    /// How much better the roll was than the average one, at 1-ply with the cube, in points on a
    /// cube at 1.
    pub luck: f32,
}

impl AnalysedPlay {
    /// The play that was made.
    #[must_use]
    pub fn made(&self) -> &ScoredMove {
        &self.plays[self.played]
    }
}

/// A cube action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnalysedCubeCall {
    /// The action.
    pub call: CubeCall,
    /// The correct actions of both players.
    pub decision: CubeDecision,
    /// Its loss, at least 0.
    pub loss: f32,
}

impl CubeCall {
    /// The loss of an action by the values of `decision`, at least 0.
    #[must_use]
    pub fn loss(self, decision: &CubeDecision) -> f32 {
        let (no_double, take, pass) =
            (decision.no_double, decision.double_take, decision.double_pass);
        let loss = match self {
            CubeCall::NoDouble => decision.equity() - no_double,
            CubeCall::Double => no_double - take.min(pass),
            CubeCall::Take => decision.answer_loss(Answer::Take),
            CubeCall::Drop => decision.answer_loss(Answer::Pass),
            CubeCall::Beaver => decision.answer_loss(Answer::Beaver),
        };
        loss.max(0.0)
    }

    /// Whether it answers a double.
    #[must_use]
    pub const fn is_answer(self) -> bool {
        matches!(self, CubeCall::Take | CubeCall::Drop | CubeCall::Beaver)
    }
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
    /// The number of the roll that it belongs to, from 1. A cube action belongs to the roll after
    /// it.
    pub number: usize,
    /// The board, seen by the player on roll: the one who rolled, doubled or was allowed to double.
    pub position: Position,
    /// The cube before a double, seen by the same player.
    pub cube: Cube,
    /// Money or the score, seen by the same player.
    pub scoring: Scoring,
    /// What a point of equity on a cube at 1 is worth here. For money it is worth points, as many
    /// as the value of the cube. In a match it is worth match winning chances, 0..=1.
    pub unit: f32,
    /// What an equity of 0 is worth for the player on roll: 0 for money, match winning chances in a
    /// match.
    pub even: f32,
    /// The index of its event in the game; a decision not to double has that of the roll after it.
    pub event: usize,
    /// The decision.
    pub what: DecisionKind,
    /// The rollouts that its verdict is based on; without them it is that of the search.
    pub rollout: Option<RolledOut>,
}

/// The kind of a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum DecisionKind {
    /// A play.
    Play(AnalysedPlay),
    /// A cube action.
    CubeCall(AnalysedCubeCall),
}

impl fmt::Display for AnalysedDecision {
    /// The player, the roll, the decision, its loss and the best choice:
    /// `O 3, 61: 13/7 8/7 lost 0.021, best 24/18 24/23, luck -0.218`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnalysedDecision { player, number, what, .. } = self;
        write!(f, "{player:?} {number}, ")?;
        let loss = self.loss();
        match what {
            DecisionKind::Play(play) => {
                let made = play.made().play();
                match made.moves().is_empty() {
                    true => write!(f, "{}: no legal play", play.dice)?,
                    false => write!(f, "{}: {made}", play.dice)?,
                }
                if loss > 0.0 {
                    write!(f, " lost {loss:.3}, best {}", play.plays[0].play())?;
                }
                write!(f, ", luck {:+.3}", play.luck)
            }
            DecisionKind::CubeCall(AnalysedCubeCall { call, decision, .. }) => {
                f.write_str(call.name())?;
                if loss > 0.0 { write!(f, " lost {loss:.3}, best: {decision}") } else { Ok(()) }
            }
        }
    }
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

    /// The loss: points for money, match winning chances, 0..=1, in a match.
    #[must_use]
    pub const fn cost(&self) -> f32 {
        self.loss() * self.unit
    }

    /// The seat of the player on roll.
    #[must_use]
    pub const fn on_roll(&self) -> Seat {
        match &self.what {
            DecisionKind::CubeCall(call) if call.call.is_answer() => self.player.other(),
            _ => self.player,
        }
    }

    /// The strategic class of the position, for the player on roll.
    #[must_use]
    pub fn class(&self) -> Class {
        Class::of(&self.position)
    }

    /// The position with its cube, score and roll, as IDs hold it.
    #[must_use]
    pub fn state(&self) -> GameState {
        let turn = match &self.what {
            DecisionKind::Play(play) => Turn::Rolled(play.dice),
            DecisionKind::CubeCall(call) if call.call.is_answer() => {
                Turn::Offered(CubeOffer::Double)
            }
            DecisionKind::CubeCall(_) => Turn::ToRoll,
        };
        let state = MatchState {
            cube: self.cube,
            on_roll: self.on_roll(),
            turn,
            ..MatchState::new(self.scoring)
        };
        GameState { position: self.position, state }
    }

    /// The value of the position after the decision for `seat`: equity on a cube at 1 for money,
    /// match winning chances in a match.
    #[must_use]
    pub fn value_after(&self, seat: Seat) -> f32 {
        let equity = match &self.what {
            DecisionKind::Play(play) => play.made().equity,
            DecisionKind::CubeCall(call) => match call.call {
                CubeCall::NoDouble => call.decision.no_double,
                CubeCall::Double => call.decision.double_take.min(call.decision.double_pass),
                CubeCall::Take => call.decision.after(Answer::Take),
                CubeCall::Drop => call.decision.after(Answer::Pass),
                CubeCall::Beaver => call.decision.after(Answer::Beaver),
            },
        };
        let own = seat == self.on_roll();
        match self.scoring {
            Scoring::Money { .. } if own => equity,
            Scoring::Money { .. } => -equity,
            Scoring::Match(_) => {
                let chance = (self.even + equity * self.unit).clamp(0.0, 1.0);
                if own { chance } else { 1.0 - chance }
            }
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
