//! The mistakes of both players of an analysed match, kept with the analysis.

use nonet_engine::analysis::{Analysis, Severity};
use nonet_engine::backgammon::Seat;
use nonet_engine::search::Plies;
use nonet_practice::MatchMistakes;
use serde::{Deserialize, Serialize};

/// The file of an analysis with the mistakes of both players of each match.
pub(crate) const MISTAKES: &str = "practice.json";

/// The mistakes of a player of an analysed match.
#[derive(Serialize, Deserialize)]
pub(crate) struct PlayerMistakes {
    pub(super) player: String,
    pub(super) mistakes: MatchMistakes,
}

impl PlayerMistakes {
    /// Those of both players of an analysed match; `date` is the day of the match,
    /// `cube_plies` the depth of cube decisions.
    pub(crate) fn of_both(
        games: &[Analysis],
        date: &str,
        cube_plies: Plies,
    ) -> Vec<PlayerMistakes> {
        let Some(first) = games.first() else { return Vec::new() };
        let of = |seat: Seat| PlayerMistakes {
            player: first.game.header().names[seat.index()].clone(),
            mistakes: {
                let least = Severity::Doubtful.limit();
                MatchMistakes::of(games, seat, date, least, cube_plies)
            },
        };
        Seat::BOTH.map(of).into()
    }
}
