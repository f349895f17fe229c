//! The five customary chances.

use serde::Serialize;

use nonet_engine::eval::Evaluation;

/// The chances of an evaluation, each 0..1 and cumulative: gammons count among wins, backgammons
/// among gammons.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OutcomeChances {
    /// Winning, gammons and backgammons included.
    pub win: f32,
    /// Winning a gammon or backgammon.
    pub win_gammon: f32,
    /// Winning a backgammon.
    pub win_backgammon: f32,
    /// Losing a gammon or backgammon.
    pub lose_gammon: f32,
    /// Losing a backgammon.
    pub lose_backgammon: f32,
}

impl From<&Evaluation> for OutcomeChances {
    fn from(value: &Evaluation) -> OutcomeChances {
        let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] = value.cumulative();
        OutcomeChances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon }
    }
}
