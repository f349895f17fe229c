//! Playing games: players, the game runner, random streams, series of games, round robins, recorded
//! games.

mod checked_player;
mod cube_counts;
mod cube_in_play;
mod description;
mod external_player;
mod luck;
mod match_series;
mod match_session;
mod outcome_counts;
mod played_game;
mod player;
mod record_game;
mod replay;
mod rng;
mod round_robin;
mod runner;
mod self_play;
mod sequential_match;
mod series_rules;
mod series_sums;
mod series_task;
mod series_unit;
mod stop_rule;
mod turns;

pub use luck::{LuckEstimator, SeenRoll};
pub use match_session::{MatchSession, NextAction, OfferedCube, SetUpError};
pub use outcome_counts::OutcomeCounts;
/// The random number generator of dice and choices; [`stream`] makes one.
pub use rand_pcg::Pcg64;

pub use cube_counts::CubeCounts;
pub use description::{Maker, PlayerDescription};
pub use external_player::ExternalPlayer;
pub use match_series::{
    MatchResults, Series, SeriesConfig, SeriesError, play_adjusted_series, play_series,
};
pub use played_game::{CubeGame, Game};
pub use player::{Baseline, CubeChoice, Greedy, MoveChoice, Player, Random};
pub use record_game::{play_recorded, record_games};
pub use replay::ReplayError;
pub use rng::{
    StreamPurpose, below, chance, nearly_normal, opening_roll, roll, shuffle, stream, throw,
    uniform_of_key,
};
pub use round_robin::RoundRobin;
pub use runner::{GameRunner, MAX_TURNS, PlayedTurn};
pub use self_play::self_play_positions;
pub use sequential_match::{SequentialResult, play_sequential};
pub use series_rules::{MatchLength, MatchLengthError, SeriesRules};
pub use series_task::{SERIES_TASK, open_series_task};
pub use stop_rule::{StopRule, StoppedSeries, play_until};
pub use turns::{GameEnd, TakenTurns, TurnDriver, take_turns};
