//! The bot's decisions on a game of whatever server.
//!
//! A [`GameState`] is the table for all of them. It is seen by the player on roll, and belongs to
//! no protocol.

use nonet_engine::backgammon::{Dice, GameState, Position, Seat, Stake};
use nonet_engine::engine::CubeContext;

use crate::bot::Bot;
use crate::resignation::context;
use crate::{cube_scoring, offer_to_resign, should_accept};

impl Bot {
    /// The board after the best play; without a game it is chosen as for money without a cube.
    pub(super) fn choose(
        &mut self,
        position: &Position,
        dice: Dice,
        game: Option<&GameState>,
    ) -> Position {
        let context = game.map(context);
        let (after, equity) = self.decider.play(position, dice, context.as_ref());
        self.expected_equity = Some(equity);
        after
    }

    /// Whether the bot, which is on roll, doubles.
    pub(super) fn doubles(&self, game: &GameState) -> bool {
        self.decider.cube(&game.position, &context(game)).is_double()
    }

    /// Whether the bot takes a double; the game is seen by the doubler, and the decider answers for
    /// that side.
    pub(super) fn takes(&self, game: &GameState) -> bool {
        self.decider.cube(&game.position, &context(game)).is_take()
    }

    /// Whether the bot in this seat does no better by playing on than by a resignation for
    /// `offered`.
    pub(super) fn is_content_with(&self, own: Seat, game: &GameState, offered: Stake) -> bool {
        let value = self.decider.before_roll(&game.position);
        let value = if game.state.on_roll == own { value } else { value.flipped() };
        let (scoring, cube) = (cube_scoring(game.scoring_of(own)), game.cube_of(own));
        should_accept(&value, &scoring, cube, offered)
    }

    /// Whether the bot gives up the game on this position, its own before the roll, and for which
    /// stake.
    pub(super) fn gives_up(&self, position: &Position, game: &GameState) -> Option<Stake> {
        let CubeContext { scoring, cube } = context(game);
        let value = self.decider.before_roll(position);
        offer_to_resign(position, &value, &scoring, cube)
    }
}
