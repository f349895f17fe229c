//! The opponent in `nonet bgammon demo`: it uses no net, and exercises doubles, drops and
//! rematches.

use bgammon::Board;
use bgammon::agent::{Agent, Event, IdleAction};

use nonet_engine::backgammon::{Candidate, Dice, GameState, Position, Stake};

/// Joins the matches of a player. It plays by turn number alone: any legal play, a double every
/// 11th turn, a resignation every 97th; it drops from a 4-cube on.
#[derive(Clone, Debug)]
pub struct BgammonOpponent {
    joins: String,
    matches: u32,
    matches_finished: u32,
    turns: u32,
    /// The player had time to create a match.
    waited: bool,
}

impl BgammonOpponent {
    /// Plays `matches` matches of the player `name`.
    #[must_use]
    pub fn of(name: &str, matches: u32) -> BgammonOpponent {
        BgammonOpponent {
            joins: name.to_owned(),
            matches,
            matches_finished: 0,
            turns: 0,
            waited: false,
        }
    }
}

impl Agent for BgammonOpponent {
    fn play(&mut self, _: &Board, _: Dice, plays: &[Candidate]) -> Position {
        self.turns += 1;
        plays[self.turns as usize % plays.len()].after
    }

    fn double(&mut self, _: &GameState) -> bool {
        self.turns % 11 == 10
    }

    fn take(&mut self, game: &GameState) -> bool {
        game.state.cube.value() < 4
    }

    fn resign(&mut self, _: &GameState) -> Option<Stake> {
        (self.turns % 97 == 96).then_some(Stake::Backgammon)
    }

    fn rematch(&mut self, _: &str) -> bool {
        self.matches_finished < self.matches
    }

    fn idle(&mut self) -> IdleAction {
        let waited = std::mem::replace(&mut self.waited, true);
        if self.matches_finished >= self.matches {
            IdleAction::Quit
        } else if waited {
            IdleAction::Join(self.joins.clone())
        } else {
            IdleAction::Nothing
        }
    }

    fn event(&mut self, event: &Event) {
        self.matches_finished += u32::from(matches!(event, Event::MatchOver { .. }));
    }
}
