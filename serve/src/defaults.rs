//! What a question means that leaves something out: the OpenAPI document states these values.

use nonet_engine::engine::{Engine, Level};
use nonet_engine::open::CHAMPION;
use nonet_engine::rollout::RolloutConfig;
use nonet_engine::search::Plies;
use nonet_practice::PracticeSession;
use nonet_report::answer::{ScoreMatrix, StrengthQuestion};
use nonet_report::person_match::PersonMatch;

/// The depth of plays: that of all front ends.
pub(super) const fn ply() -> u8 {
    Engine::PLAY_PLIES.get()
}

/// The depth of cube decisions: that of all front ends.
pub(super) const fn cube_ply() -> u8 {
    Engine::CUBE_PLIES.get()
}

/// The depth of evaluations, batches, tables of rolls and shown games: 1-ply, because each holds up
/// to hundreds of positions.
pub(super) const fn many_ply() -> u8 {
    Plies::ONE.get()
}

/// The depth of a score matrix: that of the answers in its cells.
pub(super) const fn scores_ply() -> u8 {
    Engine::PLAY_PLIES.get()
}

/// The most points that a side needs in a score matrix.
pub(super) const fn away() -> u16 {
    ScoreMatrix::AWAY
}

/// Plays in an answer.
pub(super) const fn plays() -> usize {
    5
}

/// Plays in each answer of a batch.
pub(super) const fn many_plays() -> usize {
    1
}

/// Plays that are rolled out.
pub(super) const fn rollout_plays() -> usize {
    RolloutConfig::PLAYS
}

/// Games of a rollout.
pub(super) const fn rollout_games() -> u64 {
    RolloutConfig::GAMES
}

/// Plays in a table of strengths.
pub(super) const fn strength_plays() -> usize {
    StrengthQuestion::PLAYS
}

/// Games in a table of strengths, of each play and pair of levels.
pub(super) const fn strength_games() -> u64 {
    StrengthQuestion::GAMES
}

/// Plies after which the games of a rollout are cut off.
pub(super) const fn truncate() -> u32 {
    RolloutConfig::TRUNCATE
}

/// The depth of plays in the games of a rollout.
pub(super) const fn rollout_ply() -> u8 {
    RolloutConfig::PLIES.get()
}

/// The seed of a rollout.
pub(super) const fn seed() -> u64 {
    1
}

/// Points to win a match.
pub(super) const fn length() -> u16 {
    PersonMatch::LENGTH
}

/// The level of a match.
pub(super) const fn level() -> &'static str {
    Level::CHAMPION.name
}

/// The name of a person.
pub(super) const fn name() -> &'static str {
    "you"
}

/// The net.
pub(super) const fn net() -> &'static str {
    CHAMPION
}

/// Cards of a practice session.
pub(super) const fn cards() -> usize {
    PracticeSession::CARDS
}

/// New positions of a practice session.
pub(super) const fn new_positions() -> usize {
    PracticeSession::NEW_POSITIONS
}
