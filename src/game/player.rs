//! Who decides in a local game.

use std::sync::Arc;

use rand_pcg::Pcg64;

use super::rng::below;
use crate::backgammon::{Cube, Dice, Position};
use crate::eval::{
    Evaluation, Evaluator, External, ExternalEngine, ExternalFailure, PubEval, best_result,
};

/// What a player is asked.
#[derive(Clone, Copy, Debug)]
pub struct MoveChoice<'a> {
    /// The board before the roll, the player on roll.
    pub position: &'a Position,
    /// The roll.
    pub dice: Dice,
    /// Where its legal plays lead, the opponent on roll: two or more.
    pub results: &'a [Position],
}

/// Who decides in a local game.
pub trait Player: Send + Sync {
    /// Which of `decision.results` to play. `values` is a buffer, `rng` this game's dice for players that throw any of
    /// their own.
    fn choose(&self, decision: &MoveChoice, values: &mut Vec<Evaluation>, rng: &mut Pcg64)
    -> usize;

    /// Whether to double before rolling in `position`, where the rules allow it. The cube is seen by this player.
    fn doubles(&self, _position: &Position, _cube: Cube) -> bool {
        false
    }

    /// Whether to take a double of the opponent, who is on roll in `position` and sees the cube like that before his double.
    fn takes(&self, _position: &Position, _cube: Cube) -> bool {
        true
    }

    /// Why this player's choices since are placeholders, if an external engine behind it has failed. Runners of games ask
    /// after each turn and abort the game.
    fn failure(&self) -> Option<&ExternalFailure> {
        None
    }

    /// Its static evaluation of the result that it chose, if `values` shows it after [`Player::choose`].
    fn static_eval(&self, _values: &[Evaluation], _choice: usize) -> Option<Evaluation> {
        None
    }
}

/// Plays what its evaluator thinks best at 1-ply: the static evaluation of every legal result.
pub struct Greedy<E>(pub E);

impl<E: Evaluator> Player for Greedy<E> {
    fn choose(&self, decision: &MoveChoice, values: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
        best_result(&self.0, decision.results, values)
    }

    fn static_eval(&self, values: &[Evaluation], choice: usize) -> Option<Evaluation> {
        values.get(choice).copied()
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.0.failure()
    }
}

impl<E: ExternalEngine> Player for External<E> {
    fn choose(&self, decision: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
        let MoveChoice { position, dice, results } = *decision;
        self.ask(|engine| engine.choose(position, dice, results)).unwrap_or(0)
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.first_failure()
    }
}

/// Plays any legal result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Player for Random {
    fn choose(&self, decision: &MoveChoice, _: &mut Vec<Evaluation>, rng: &mut Pcg64) -> usize {
        below(decision.results.len(), rng)
    }
}

impl Player for PubEval {
    fn choose(&self, decision: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
        PubEval::choose(*self, decision.position, decision.results)
    }
}

/// The opponents that are always at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// [`Random`]
    Random,
    /// [`PubEval`]
    PubEval,
}

impl Baseline {
    /// All of them.
    pub const ALL: [Baseline; 2] = [Baseline::Random, Baseline::PubEval];

    /// The name in commands.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Baseline::Random => "random",
            Baseline::PubEval => "pubeval",
        }
    }

    /// The yardstick of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Baseline> {
        Baseline::ALL.into_iter().find(|yardstick| yardstick.name() == name)
    }

    /// The player itself.
    #[must_use]
    pub fn player(self) -> Arc<dyn Player> {
        match self {
            Baseline::Random => Arc::new(Random),
            Baseline::PubEval => Arc::new(PubEval),
        }
    }
}
