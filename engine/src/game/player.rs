//! Players: the trait, and players without search.

use std::sync::Arc;

use rand_pcg::Pcg64;

use super::description::PlayerDescription;
use super::rng::below;
use crate::backgammon::{Dice, Position};
use crate::cube::{Answer, CubeContext};
use crate::eval::{EqualWeights, Evaluation, Evaluator, ExternalFailure, PubEval, best_result};
use crate::progress::Attachments;

/// The choice of a play.
#[derive(Clone, Copy, Debug)]
pub struct MoveChoice<'a> {
    /// The board before the roll, the player on roll.
    pub position: &'a Position,
    /// The roll.
    pub dice: Dice,
    /// The distinct boards after the legal plays, the opponent on roll: two or more.
    pub results: &'a [Position],
    /// The score and the cube, seen by the player on roll; `None` in a money game without a cube.
    pub context: Option<&'a CubeContext>,
}

impl MoveChoice<'_> {
    /// The index of the result with the highest score, the first of equal ones. `score` gets each
    /// board as the player who has moved sees it, that player on roll.
    pub fn best_by(&self, mut score: impl FnMut(&Position) -> f32) -> usize {
        let mut best = (0, f32::NEG_INFINITY);
        for (index, result) in self.results.iter().enumerate() {
            let value = score(&result.flipped());
            if value > best.1 {
                best = (index, value);
            }
        }
        best.0
    }
}

/// A decision about a double: whether to offer it, or how to answer it.
#[derive(Clone, Copy, Debug)]
pub struct CubeChoice<'a> {
    /// The board before the roll, seen by the player on roll, who doubles or has doubled.
    pub position: &'a Position,
    /// The score and the cube before the double, seen by the same player.
    pub context: &'a CubeContext,
}

/// Chooses plays and decides about the cube.
///
/// ```
/// use nonet_engine::Evaluation;
/// use nonet_engine::game::{MoveChoice, Pcg64, Player, Random, SeriesConfig};
///
/// /// Hits as often as possible.
/// struct Hitter;
///
/// impl Player for Hitter {
///     fn choose(&self, decision: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
///         decision.best_by(|board| f32::from(board.opponent_pips()))
///     }
/// }
///
/// assert_eq!(SeriesConfig::new(20, 1).play(&Hitter, &Random)?.games, 20);
/// # Ok::<(), nonet_engine::game::SeriesError>(())
/// ```
pub trait Player: Send + Sync {
    /// The index of the result to play in `decision.results`; any other number ends a series with
    /// an error. `values` is a buffer, `rng` is for players that choose at random.
    fn choose(&self, decision: &MoveChoice, values: &mut Vec<Evaluation>, rng: &mut Pcg64)
    -> usize;

    /// Whether to double before the roll; the rules allow it. A player without an opinion about the
    /// cube never doubles.
    fn doubles(&self, _decision: &CubeChoice) -> bool {
        false
    }

    /// The answer to a double of the opponent, who is on roll in `decision`. A beaver counts as a
    /// take where beavers are not played. A player without an opinion about the cube always takes.
    fn answer(&self, _decision: &CubeChoice) -> Answer {
        Answer::Take
    }

    /// Why this player's choices since are placeholders, if an external engine behind it has
    /// failed. Runners of games ask after each turn and abort the game.
    fn failure(&self) -> Option<&ExternalFailure> {
        None
    }

    /// Describes the player to another machine; nets are added to `attachments`. `None` if no other
    /// machine can make this player: an engine in another process, or a player who is watched.
    fn describe(&self, _attachments: &mut Attachments) -> Option<PlayerDescription> {
        None
    }

    /// The static evaluation of the chosen result, if [`Player::choose`] left it in `values`.
    fn static_eval(&self, _values: &[Evaluation], _choice: usize) -> Option<Evaluation> {
        None
    }
}

/// Plays the best result at 1-ply: by the static evaluation of every legal result. An evaluator
/// that searches makes this one ply deeper, without move filters: `Engine::player` is faster.
///
/// ```
/// use nonet_engine::game::{Greedy, Random, SeriesConfig};
///
/// let player = Greedy(nonet_engine::open::net("small")?.team);
/// let series = SeriesConfig::new(20, 1).play(&player, &Random)?;
/// assert!(series.ppg.mean > 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

    fn describe(&self, attachments: &mut Attachments) -> Option<PlayerDescription> {
        self.0.describe(attachments).map(PlayerDescription::Greedy)
    }
}

/// Plays any legal result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Player for Random {
    fn choose(&self, decision: &MoveChoice, _: &mut Vec<Evaluation>, rng: &mut Pcg64) -> usize {
        below(decision.results.len(), rng)
    }

    fn describe(&self, _: &mut Attachments) -> Option<PlayerDescription> {
        Some(PlayerDescription::Random)
    }
}

impl Player for PubEval {
    fn choose(&self, decision: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
        PubEval::choose(*self, decision.position, decision.results)
    }

    fn describe(&self, _: &mut Attachments) -> Option<PlayerDescription> {
        Some(PlayerDescription::PubEval)
    }
}

impl Player for EqualWeights {
    fn choose(&self, decision: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
        EqualWeights::choose(*self, decision.results)
    }

    fn describe(&self, _: &mut Attachments) -> Option<PlayerDescription> {
        Some(PlayerDescription::EqualWeights(*self))
    }
}

/// The fixed opponents that tests are played against. They never double and always take.
///
/// ```
/// use nonet_engine::game::Baseline;
///
/// assert_eq!(Baseline::named("pubeval"), Some(Baseline::PubEval));
/// assert_eq!(Baseline::Random.name(), "random");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// [`Random`]
    Random,
    /// [`PubEval`]
    PubEval,
    /// [`EqualWeights`]
    EqualWeights(EqualWeights),
}

impl Baseline {
    /// All of them.
    pub const ALL: [Baseline; 4] = [
        Baseline::Random,
        Baseline::PubEval,
        Baseline::EqualWeights(EqualWeights::Zeros),
        Baseline::EqualWeights(EqualWeights::Ones),
    ];

    /// The name in commands.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Baseline::Random => "random",
            Baseline::PubEval => "pubeval",
            Baseline::EqualWeights(EqualWeights::Zeros) => "pubeval-zeros",
            Baseline::EqualWeights(EqualWeights::Ones) => "pubeval-ones",
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
            Baseline::EqualWeights(weights) => Arc::new(weights),
        }
    }
}
