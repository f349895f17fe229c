//! Answers of the engine as data: what `--json` prints and what the HTTP API sends, described once.
//!
//! A question is a [`GameState`](nonet_engine::GameState), read from what people paste
//! ([`read_question`]). [`HintAnswer`], [`CubeAnswer`], [`MovesAnswer`], [`EvaluationAnswer`],
//! [`RollsAnswer`], [`ScoreMatrix`], [`RolloutAnswer`], [`StrengthTable`], [`WhyAnswer`] and
//! [`WhyCubeAnswer`] are its answers. The order of their fields is the order of the keys in JSON.
//! Equities are in points on a cube at 1, chances 0..1.

mod cube;
mod evaluation;
mod exact;
mod hint;
mod inputs;
mod moves;
mod outcomes;
mod question;
mod rollout;
mod rolls;
mod score_matrix;
mod strengths;
mod why;

pub use cube::{CashPoints, CubeAnswer};
pub use evaluation::EvaluationAnswer;
pub use exact::{ExactCube, ExactError, ExactPlay, ExactPlays};
pub use hint::{HintAnswer, HintOptions, RankedPlay, RolloutGames};
pub use inputs::{InputRow, InputsAnswer};
pub use moves::{MovesAnswer, PlayTo, no_play_or};
pub use outcomes::OutcomeChances;
pub use question::{QuestionError, read_id, read_question, read_variant_question};
pub use rollout::{
    RolledCube, RolledEquity, RolledPlay, RolloutAnswer, RolloutOptions, RolloutQuestion,
    RolloutQuestionError,
};
pub use rolls::{RollBest, RollsAnswer};
pub use score_matrix::{
    CubeCell, CubeInCell, MatrixError, MatrixOptions, MatrixPlay, PlayInCell, ScoreCell,
    ScoreMatrix, ScoreName, ScoreStage,
};
pub use strengths::{StrengthCell, StrengthLevel, StrengthQuestion, StrengthTable};
pub use why::{
    RollEvent, Said, SaidValue, WhyAnswer, WhyCubeAnswer, WhyError, WhyFacts, WhyMarketRoll,
    WhyOwnRoll, WhyPeople, WhyRepair, WhyRoll, WhyRow, WhyScore, WhyScores, WhyTheme, idea_of_cube,
    idea_of_play,
};
