//! Players: the trait, and players without search.

use std::sync::Arc;

use rand_pcg::Pcg64;

use super::rng::below;
use crate::backgammon::{Cube, Dice, Position};
use crate::eval::{
    Evaluation, Evaluator, External, ExternalEngine, ExternalFailure, PubEval, best_result,
};

/// The choice of a play.
#[derive(Clone, Copy, Debug)]
pub struct MoveChoice<'a> {
    /// The board before the roll, the player on roll.
    pub position: &'a Position,
    /// The roll.
    pub dice: Dice,
    /// The distinct boards after the legal plays, the opponent on roll: two or more.
    pub results: &'a [Position],
}

/// Chooses plays and decides about the cube.
pub trait Player: Send + Sync {
    /// The index of the result to play in `decision.results`. `values` is a buffer, `rng` is for players that choose at
    /// random.
    fn choose(&self, decision: &MoveChoice, values: &mut Vec<Evaluation>, rng: &mut Pcg64)
    -> usize;

    /// Whether to double before the roll in `position`; the rules allow it. The cube is seen by this player.
    fn doubles(&self, _position: &Position, _cube: Cube) -> bool {
        false
    }

    /// Whether to take a double of the opponent, who is on roll in `position`; `cube` is the cube before the double, as the
    /// opponent sees it.
    fn takes(&self, _position: &Position, _cube: Cube) -> bool {
        true
    }

    /// Why this player's choices since are placeholders, if an external engine behind it has failed. Runners of games ask
    /// after each turn and abort the game.
    fn failure(&self) -> Option<&ExternalFailure> {
        None
    }

    /// The static evaluation of the chosen result, if [`Player::choose`] left it in `values`.
    fn static_eval(&self, _values: &[Evaluation], _choice: usize) -> Option<Evaluation> {
        None
    }
}

/// Plays the best result at 1-ply: by the static evaluation of every legal result.
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

/// The fixed opponents that tests are played against.
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

    /// The baseline with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Baseline> {
        Baseline::ALL.into_iter().find(|baseline| baseline.name() == name)
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
