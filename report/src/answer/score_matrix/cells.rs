//! What a score matrix holds.

use serde::Serialize;

use nonet_engine::backgammon::CubeOwner;
use nonet_engine::cube::{Answer, CubeAction, CubeDecision};

/// A decision at many scores, and with the cube in other places.
///
/// Each cell is the plain answer at its score: the search is done anew, because the score decides
/// which replies are best. Nothing is approximated.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScoreMatrix {
    /// Position ID of the board, the player who decides on roll.
    #[cfg_attr(feature = "openapi", schema(example = "4HPwATDgc/ABMA"))]
    pub id: String,
    /// The roll, the higher die first; null for a cube decision.
    #[cfg_attr(feature = "openapi", schema(example = "31"))]
    pub dice: Option<String>,
    /// Depth of the search in plies.
    pub plies: u8,
    /// The most points that a side needs in the matrix.
    pub away: u16,
    /// The plays that are best in a cell, those of most cells first; empty for a cube decision. The
    /// play asked about is among them.
    pub plays: Vec<MatrixPlay>,
    /// The letter of the play asked about; null for a cube decision.
    #[cfg_attr(feature = "openapi", schema(example = "A"))]
    pub asked: Option<String>,
    /// The scores: that of the question if it lies outside, money, then row by row.
    pub cells: Vec<ScoreCell>,
    /// The decision at the score of the question for each place of the cube.
    pub cubes: Vec<CubeCell>,
    /// Whether all cells are there; false if the work was stopped.
    pub complete: bool,
}

/// A play of the matrix.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MatrixPlay {
    /// Its letter in the cells.
    #[cfg_attr(feature = "openapi", schema(example = "A"))]
    pub letter: String,
    /// The play in the usual notation, or `(no legal play)`.
    #[cfg_attr(feature = "openapi", schema(example = "8/5 6/5"))]
    pub play: String,
    /// Position ID of the board afterwards, the opponent on roll.
    pub id: String,
    /// At how many scores it is best.
    pub cells: usize,
}

/// What kind of score a cell has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ScoreStage {
    /// No match.
    Money,
    /// A match before the Crawford game, or where both sides need one point.
    Match,
    /// The Crawford game.
    Crawford,
    /// After the Crawford game.
    PostCrawford,
}

/// A score at which gammons count in a way that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ScoreName {
    /// Both sides need one point: no gammon counts.
    DoubleMatchPoint,
    /// The player needs two points in the Crawford game: a gammon won wins the match.
    GammonGo,
    /// The opponent needs two points in the Crawford game: a gammon lost loses the match.
    GammonSave,
}

/// The decision at a score.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScoreCell {
    /// What kind of score it is.
    pub score: ScoreStage,
    /// Points that the player who decides needs; null for money.
    pub own_away: Option<u16>,
    /// Points that the opponent needs; null for money.
    pub opponent_away: Option<u16>,
    /// The name of the score, if it has one.
    pub name: Option<ScoreName>,
    /// Whether it is the score of the question.
    pub given: bool,
    /// The best play; null for a cube decision.
    pub play: Option<PlayInCell>,
    /// The cube decision; null for a play.
    pub cube: Option<CubeInCell>,
}

/// The decision with the cube in one place.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CubeCell {
    /// `centred`, or the owner: `own` is the player who decides.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "centred"))]
    pub owner: CubeOwner,
    /// What the cube shows.
    pub value: u32,
    /// Whether the cube of the question is there.
    pub given: bool,
    /// The best play; null for a cube decision.
    pub play: Option<PlayInCell>,
    /// The cube decision; null for a play.
    pub cube: Option<CubeInCell>,
}

/// The best play of a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayInCell {
    /// Its letter.
    #[cfg_attr(feature = "openapi", schema(example = "A"))]
    pub letter: String,
    /// Its equity, in points on a cube at 1.
    pub equity: f32,
    /// How much less the second best play is worth; null if there is one play.
    pub ahead: Option<f32>,
    /// How much less the play asked about is worth, 0 or more. Where the move filter left it
    /// behind, both plays are compared at the full depth.
    pub loss: f32,
}

/// The cube decision of a cell; equities are in points on a cube at 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CubeInCell {
    /// `not-available`, `no-double`, `too-good` or `double`.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "no-double"))]
    pub action: CubeAction,
    /// The best answer to a double: `take`, `pass` or `beaver`.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "take"))]
    pub answer: Answer,
    /// The decision in words.
    #[cfg_attr(feature = "openapi", schema(example = "No double, take"))]
    pub words: String,
    /// Equity of not doubling.
    pub no_double: f32,
    /// Equity of a double that is taken, or beavered.
    pub double_take: f32,
    /// How much the wrong one of doubling and not doubling loses; null where the cube cannot be
    /// turned.
    pub ahead: Option<f32>,
    /// How much the second best answer to a double loses; null where the cube cannot be turned.
    pub answer_ahead: Option<f32>,
}

impl CubeInCell {
    pub(super) fn of(decision: &CubeDecision) -> CubeInCell {
        let CubeDecision { action, answer, no_double, double_take, double_pass, .. } = *decision;
        let doubled = double_take.min(double_pass);
        let may_double = action != CubeAction::NotAvailable;
        CubeInCell {
            action,
            answer,
            words: decision.to_string(),
            no_double,
            double_take,
            ahead: may_double.then_some((no_double - doubled).abs()),
            answer_ahead: may_double.then_some(decision.answer_ahead()),
        }
    }
}
