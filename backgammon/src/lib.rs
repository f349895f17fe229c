//! The rules of backgammon: positions, moves, notation, cube, scores, position IDs and game
//! records.
#![doc = include_str!("../README.md")]

mod ascii_board;
mod board_view;
mod checker_moves;
mod cube;
mod dice;
mod fibs_board;
mod ids;
mod legal_plays;
mod movegen;
mod notation;
mod outcome;
mod perft;
mod play;
mod position;
mod possible_outcomes;
pub mod record;
mod score;
#[cfg(feature = "serde")]
mod serde_impls;
mod side;
mod variant;

pub use ascii_board::DrawnBoard;
pub use board_view::{BoardView, SideView, zone};
pub use cube::{Cube, CubeError, CubeOwner};
pub use dice::{Dice, DiceError};
pub use fibs_board::{FibsBoard, FibsBoardError};
pub use ids::{
    CubeOffer, GamePhase, GameState, GameStateError, GnuId, IdError, IdFormat, MatchState,
    Resignation, Stake, Turn, Xgid,
};
pub use legal_plays::{Candidate, CheckerMove, Play, candidates, play_to};
pub use movegen::Results;
pub use notation::PlayError;
pub use outcome::Outcome;
pub use perft::perft;
pub use play::{Action, ActionError, GameEnd, GameResult, Next, stake_if_won_now};
pub use position::{CHECKERS, Position, PositionError};
pub use possible_outcomes::PossibleOutcomes;
pub use score::{MAX_MATCH_LENGTH, MatchScore, ScoreError, Scoring};
pub use side::{Seat, Side};
pub use variant::{Variant, VariantError};
