//! Recording games while they are played, and games from records.

use std::ops::Range;

use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::{Game, GameRunner, Player, StreamPurpose, stream};
use crate::backgammon::record::{GameHeader, RecordEnd, RecordedGame, Recorder};
use crate::progress::Progress;

/// Plays one game without a cube, as [`GameRunner::play`] does, and records it; `players[0]` is
/// `Seat::X`. `None` if it runs past [`crate::game::MAX_TURNS`].
pub fn play_recorded(
    table: &mut GameRunner,
    header: GameHeader,
    players: [&dyn Player; 2],
    dice: &mut Pcg64,
    choices: &mut Pcg64,
) -> Option<RecordedGame> {
    let mut recorder = Recorder::new(header).without_cube();
    let mut kept = true;
    let game = table.play_seen(players, dice, choices, |turn| {
        kept &= recorder.turn(turn.player, turn.dice, turn.after).is_ok();
    });
    // The runner and the recorder use the same rules, so every turn was accepted.
    (game.is_some() && kept).then(|| recorder.finish())
}

/// Plays and records games without a cube, each with its own dice of `seed`, on the current thread
/// pool; `None` in place of those that run past [`crate::game::MAX_TURNS`]. `None` if `stop` was
/// set.
pub fn record_games(
    players: [&dyn Player; 2],
    header: &GameHeader,
    seed: u64,
    numbers: Range<u64>,
    stop: &Progress,
) -> Option<Vec<Option<RecordedGame>>> {
    let game = |table: &mut GameRunner, number: u64| {
        // A batch of 2-ply games takes minutes.
        if stop.is_stopped() {
            return None;
        }
        let mut dice = stream(seed, StreamPurpose::Record, number);
        let mut choices =
            stream(seed ^ StreamPurpose::Record as u64, StreamPurpose::Choice, number);
        play_recorded(table, header.clone(), players, &mut dice, &mut choices)
    };
    let games = numbers.into_par_iter().map_init(GameRunner::default, game).collect();
    (!stop.is_stopped()).then_some(games)
}

impl Game {
    /// The positions and the end of a recorded game, without the cube.
    ///
    /// A resignation counts as the result that both agreed on. `None` where no result follows from
    /// the checkers: for unfinished games, after a refused double, without a roll, and where a turn
    /// is lost.
    #[must_use]
    pub fn from_record(record: &RecordedGame) -> Option<Game> {
        if !record.gaps().is_empty() {
            return None;
        }
        let (winner, outcome) = match record.end() {
            RecordEnd::Natural { winner, outcome } => (winner, outcome),
            RecordEnd::Resigned { winner, stake } => (winner, stake.outcome()),
            RecordEnd::Dropped { .. } | RecordEnd::Unfinished => return None,
        };
        let (first, last) = (record.first()?, record.turns().last()?.player);
        let outcome = Some(if last == winner { outcome } else { outcome.flipped() });
        Some(Game::without_evals(record.positions().collect(), outcome, first))
    }

    /// The positions of a recorded game without its result, up to and with the one in which it
    /// stopped. `None` without a roll, and where a turn is lost.
    #[must_use]
    pub fn from_open_record(record: &RecordedGame) -> Option<Game> {
        if !record.gaps().is_empty() {
            return None;
        }
        let (first, last) = (record.first()?, record.turns().last()?.after);
        let positions =
            record.positions().chain([last].into_iter().filter(|p| p.outcome().is_none()));
        Some(Game::without_evals(positions.collect(), None, first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Scoring;
    use crate::game::{Random, StreamPurpose, stream};

    #[test]
    fn a_game_is_recorded_as_it_was_played() {
        let scoring = Scoring::Money { jacoby: false, beavers: false };
        let header = GameHeader { names: ["ann".into(), "bob".into()], scoring };
        let mut table = GameRunner::default();
        for index in 0..20 {
            let dice = || stream(5, StreamPurpose::Record, index);
            let choices = || stream(5, StreamPurpose::Choice, index);
            let players: [&dyn Player; 2] = [&Random, &Random];
            let played = table.play(players, &mut dice(), &mut choices()).expect("ends");
            let recorded =
                play_recorded(&mut table, header.clone(), players, &mut dice(), &mut choices());
            assert_eq!(Game::from_record(&recorded.expect("ends")), Some(played));
        }
    }
}
