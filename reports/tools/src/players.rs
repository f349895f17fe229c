//! The players that measuring programs name in their commands.

use std::sync::Arc;

use nonet::eval::Evaluator;
use nonet::open::{self, PlayerSpec};
use nonet::search::Plies;

/// The static evaluations of a player.
///
/// # Panics
/// If there is no such player.
#[must_use]
pub fn static_evaluator(word: &str) -> Arc<dyn Evaluator> {
    let spec: PlayerSpec = word.parse().expect("a player");
    open::evaluator(&spec, Plies::ONE, None).expect("an evaluator")
}

/// What a file calls a player: a net by its file's name, a file of another program's weights by the
/// program.
#[must_use]
pub fn name_of(word: &str) -> &str {
    match word.split_once(':') {
        Some((kind, file)) if file.contains('/') => kind,
        _ => word.rsplit('/').next().unwrap_or(word),
    }
}
