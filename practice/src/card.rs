//! A card: a decision to practise.

use nonet_engine::analysis::{AnalysedDecision, DecisionKind};
use nonet_engine::backgammon::{GameState, GameStateError, MatchState, Seat, Side};
use nonet_engine::search::Plies;
use nonet_report::{play_of, right_call};
use serde::{Deserialize, Serialize};

use crate::{CardFigures, GamePlan, Memory, Mistake, ScoreKind};

/// The kind of a mistake: a game, an idea and a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MistakeKind {
    /// The kind of game.
    pub plan: GamePlan,
    /// The mistake.
    pub mistake: Mistake,
    /// What the score makes of gammons.
    pub score: ScoreKind,
}

impl MistakeKind {
    /// The kind of an analysed decision.
    #[must_use]
    pub fn of(analysed: &AnalysedDecision) -> MistakeKind {
        let own = analysed.player == analysed.on_roll();
        let scoring = if own { analysed.scoring } else { analysed.scoring.flipped() };
        MistakeKind {
            plan: GamePlan::of(&analysed.position, analysed.number),
            mistake: Mistake::of(analysed),
            score: ScoreKind::of(scoring, analysed.cube),
        }
    }

    /// Its words: `prime, missed hit, gammon-go`.
    #[must_use]
    pub fn words(&self) -> String {
        format!("{}, {}, {}", self.plan.name(), self.mistake.name(), self.score.name())
    }
}

/// Where a card comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CardOrigin {
    /// A decision of the player in an analysed match.
    Match {
        /// The match, by [`PractisedMatch::key`](crate::PractisedMatch::key).
        key: u32,
        /// The opponent.
        opponent: String,
        /// The number of the game, from 1.
        game: usize,
        /// The number of the roll, from 1.
        roll: usize,
    },
    /// A new position like that of another card.
    SelfPlay,
}

/// A decision to practise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// The question as an XGID in which X decides: a roll to play, a double to make or to answer.
    pub xgid: String,
    /// Its kind.
    #[serde(flatten)]
    pub kind: MistakeKind,
    /// The decision made, such as `24/23 13/10` or `take`; for a new position the play that tempts.
    pub made: String,
    /// The best decision by the analysis.
    pub best: String,
    /// What the decision lost by the analysis, in points on a cube at 1.
    pub loss: f32,
    /// Where it comes from.
    pub origin: CardOrigin,
    /// The equities that answers are judged by; `None` in files of format 1. Cards of such a file
    /// are judged by a search until their match is taken up again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<CardFigures>,
    /// How well it is remembered; `None` before the first answer.
    #[serde(default)]
    pub memory: Option<Memory>,
}

/// The same question with X as the player who decides.
pub(crate) fn with_x_to_decide(game: GameState) -> GameState {
    let on_roll = match game.state.to_decide() {
        Side::Own => Seat::X,
        Side::Opponent => Seat::O,
    };
    GameState { state: MatchState { on_roll, ..game.state }, ..game }
}

impl Card {
    /// A decision of a match; its analysis has searched cube decisions to `cube_plies`.
    #[must_use]
    pub fn of(analysed: &AnalysedDecision, origin: CardOrigin, cube_plies: Plies) -> Card {
        let (made, best) = match &analysed.what {
            DecisionKind::Play(play) => (play_of(play.made()), play_of(&play.plays[0])),
            DecisionKind::CubeCall(call) => (call.call.name().to_owned(), right_call(call)),
        };
        Card {
            xgid: with_x_to_decide(analysed.state()).xgid(),
            kind: MistakeKind::of(analysed),
            made,
            best,
            loss: analysed.loss(),
            origin,
            figures: Some(CardFigures::of(analysed, cube_plies)),
            memory: None,
        }
    }

    /// The question.
    ///
    /// # Errors
    /// [`GameStateError`] if the XGID is none.
    pub fn state(&self) -> Result<GameState, GameStateError> {
        self.xgid.parse()
    }

    /// Whether it is asked now: a card that is due or was never answered.
    #[must_use]
    pub fn is_due(&self, now: i64) -> bool {
        self.memory.is_none_or(|memory| memory.is_due(now))
    }
}
