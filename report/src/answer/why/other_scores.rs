//! The scores at which the other play would be better.

use serde::Serialize;

use super::words::Said;
use crate::answer::score_matrix::{ScoreName, ScoreStage, is_same, kind, name_of, scores};
use nonet_engine::backgammon::{GameState, Scoring};
use nonet_engine::engine::{Engine, EngineError};
use nonet_engine::explain::Explanation;
use nonet_engine::search::Plies;

/// Two plays at other scores of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyScores {
    /// The most points that a side needs at these scores.
    pub away: u16,
    /// How many scores were asked, that of the question apart.
    pub asked: usize,
    /// The depth in plies.
    pub plies: u8,
    /// Where the other play is clearly better, by falling difference. Empty if it leads at this
    /// depth at the score of the question, too: then the depth decides, not the score.
    pub turned: Vec<WhyScore>,
}

/// A score at which the other play is better.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyScore {
    /// What kind of score it is.
    pub score: ScoreStage,
    /// Points that the player who moves needs.
    pub own_away: u16,
    /// Points that the opponent needs.
    pub opponent_away: u16,
    /// The name of the score, if it has one.
    pub name: Option<ScoreName>,
    /// By how much the other play is better, in points on a cube at 1.
    pub by: f32,
}

/// The scores that are asked: up to this number of points away.
const AWAY: u16 = 5;
/// A play is clearly better by this much, in points on a cube at 1.
const CLEAR: f32 = 0.01;
/// The deepest search: two plays at some thirty scores.
const DEEPEST: Plies = Plies::TWO;
/// Scores that are named.
const NAMED: usize = 3;

impl WhyScores {
    pub(super) fn of(
        engine: &Engine,
        state: &GameState,
        why: &Explanation,
    ) -> Result<WhyScores, EngineError> {
        let plies = engine.plies().min(DEEPEST);
        let quick = engine.with_plies(plies);
        let plays = [&why.better.candidate, &why.worse.candidate];
        let given = state.state.scoring;
        let is_other = |score: &Scoring| score.away().is_some() && !is_same(*score, given);
        let all: Vec<Scoring> = scores(state, AWAY).into_iter().filter(is_other).collect();
        let [better, worse] = quick.compare(plays, &quick.context(given, state.state.cube)?);
        let is_of_depth = worse.equity >= better.equity;
        let mut turned = Vec::new();
        for score in all.iter().filter(|_| !is_of_depth) {
            let context = quick.context(*score, state.state.cube)?;
            let [better, worse] = quick.compare(plays, &context);
            let by = worse.equity - better.equity;
            let (score, away) = kind(*score);
            let Some((own_away, opponent_away)) = away.filter(|_| by >= CLEAR) else { continue };
            let name = name_of(score, away);
            turned.push(WhyScore { score, own_away, opponent_away, name, by });
        }
        turned.sort_by(|a, b| b.by.total_cmp(&a.by));
        Ok(WhyScores { away: AWAY, asked: all.len(), plies: plies.get(), turned })
    }

    /// For which scores the other play would be the answer; nothing if for none.
    pub(super) fn said(&self, worse: &str) -> Option<Said> {
        let about = |kind: &str| Said::new(kind).with("away", u32::from(self.away));
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let named: Vec<Said> = self.turned.iter().take(NAMED).map(WhyScore::said).collect();
        let said = match self.turned.len() {
            0 => return None,
            n if n <= NAMED => about("scores-other").with("worse", worse).with("scores", named),
            n => about("scores-many")
                .with("worse", worse)
                .with("n", count(n))
                .with("all", count(self.asked))
                .with("scores", named),
        };
        Some(said)
    }
}

impl WhyScore {
    fn said(&self) -> Said {
        let kind = match (self.name, self.score) {
            (Some(ScoreName::DoubleMatchPoint), _) => "at-double-match-point",
            (Some(ScoreName::GammonGo), _) => "at-gammon-go",
            (Some(ScoreName::GammonSave), _) => "at-gammon-save",
            (None, ScoreStage::Crawford) => "at-crawford",
            (None, ScoreStage::PostCrawford) => "at-post-crawford",
            (None, ScoreStage::Match | ScoreStage::Money) => "at-score",
        };
        let away = |points: u16| u32::from(points);
        Said::new(kind).with("own", away(self.own_away)).with("other", away(self.opponent_away))
    }
}
