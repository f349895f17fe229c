//! Players in other processes, which can fail.

use rand_pcg::Pcg64;

use super::player::{CubeChoice, MoveChoice, Player};
use crate::cube::Answer;
use crate::eval::{Evaluation, External, ExternalEngine, ExternalFailure};

/// An engine in another process that plays: [`Player`] with errors. [`External`] makes it a
/// [`Player`].
pub trait ExternalPlayer: ExternalEngine {
    /// The index of the result that it plays.
    ///
    /// # Errors
    /// If the engine gives no usable answer.
    fn choose(&self, decision: &MoveChoice) -> Result<usize, Self::Error>;

    /// Whether it doubles; see [`Player::doubles`].
    ///
    /// # Errors
    /// If the engine gives no usable answer.
    fn doubles(&self, decision: &CubeChoice) -> Result<bool, Self::Error>;

    /// How it answers a double; see [`Player::answer`].
    ///
    /// # Errors
    /// If the engine gives no usable answer.
    fn answer(&self, decision: &CubeChoice) -> Result<Answer, Self::Error>;
}

impl<E: ExternalPlayer> Player for External<E> {
    fn choose(&self, decision: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
        self.ask(|engine| engine.choose(decision)).unwrap_or(0)
    }

    fn doubles(&self, decision: &CubeChoice) -> bool {
        self.ask(|engine| engine.doubles(decision)).unwrap_or(false)
    }

    fn answer(&self, decision: &CubeChoice) -> Answer {
        self.ask(|engine| engine.answer(decision)).unwrap_or(Answer::Take)
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.first_failure()
    }
}
