//! The decisions of a player of a strength.

use serde::{Deserialize, Serialize};

use super::{ComparedPlay, HumanChoice};
use crate::backgammon::{Cube, Dice, Position};
use crate::cube::{Answer, CubeAction, CubeDecision};
use crate::game::{StreamPurpose, nearly_normal, uniform_of_key};

/// How well a player decides.
///
/// ```
/// use nonet_engine::engine::Level;
/// use nonet_engine::strength::Strength;
///
/// let advanced = Level::named("advanced").expect("a level").strength;
/// assert!(advanced.errs() && !Strength::PERFECT.errs());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// The standard deviation of the noise on the equity of each play and cube action. It is in
    /// points on a cube at 1. A player who chooses plays like people has it on cube actions alone.
    pub noise: f32,
    /// Plays are chosen as by people of this PR; `None` for the noise alone.
    pub people: Option<f32>,
}

impl Strength {
    /// The best decision by the equities, always.
    pub const PERFECT: Strength = Strength { noise: 0.0, people: None };

    /// Whether such a player may make a decision that is not the best.
    #[must_use]
    pub fn errs(&self) -> bool {
        self.noise > 0.0 || self.people.is_some()
    }

    /// Whether both numbers are ones that a player can have: a message may say anything.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let fits = |value: f32| value.is_finite() && (0.0..=100.0).contains(&value);
        fits(self.noise) && self.people.is_none_or(fits)
    }
}

/// A player of a strength.
///
/// What the player chooses follows from the seed, the position and the decision alone, not from the
/// order of questions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fallible {
    /// How well the player decides.
    pub strength: Strength,
    /// The seed of the errors.
    pub seed: u64,
}

/// The equities that get noise, so that each has its own.
#[repr(u8)]
enum Noisy {
    Play = 1,
    NoDouble = 2,
    Double = 3,
    Answer = 4,
}

impl Fallible {
    /// The index of the play that is made, of all legal ones, the best first; `None` without one.
    #[must_use]
    pub fn choose(
        &self,
        position: &Position,
        dice: Dice,
        cube: Cube,
        plays: &[ComparedPlay],
    ) -> Option<usize> {
        if let Some(people) = self.strength.people {
            let place = self.place(position, dice, cube);
            return HumanChoice::of_pr(people).at(position, dice, plays, place);
        }
        let noisy = |play: &ComparedPlay| {
            play.equity + self.noise(Noisy::Play, position, &play.after, cube)
        };
        // Without noise the first one, which stays before equal ones.
        let best = plays.iter().map(noisy).enumerate();
        best.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(index, _)| index)
    }

    /// Whether the player on roll doubles.
    #[must_use]
    pub fn doubles(&self, decision: &CubeDecision, position: &Position, cube: Cube) -> bool {
        if self.strength.noise == 0.0 || decision.action == CubeAction::NotAvailable {
            return decision.is_double();
        }
        let noise = |what| self.noise(what, position, position, cube);
        let taken = decision.double_take + noise(Noisy::Double);
        taken.min(decision.double_pass) > decision.no_double + noise(Noisy::NoDouble)
    }

    /// The answer to a double; `position` and `cube` are those of the doubler before the double.
    /// `beavers`: whether the rules allow them.
    #[must_use]
    pub fn answer(
        &self,
        decision: &CubeDecision,
        position: &Position,
        cube: Cube,
        beavers: bool,
    ) -> Answer {
        if self.strength.noise == 0.0 {
            return decision.answer;
        }
        match decision.double_take + self.noise(Noisy::Answer, position, position, cube) {
            taken if beavers && taken < 0.0 => Answer::Beaver,
            taken if taken <= decision.double_pass => Answer::Take,
            _ => Answer::Pass,
        }
    }

    /// The place among all chances of the roll, 0 to 1.
    fn place(&self, position: &Position, dice: Dice, cube: Cube) -> f64 {
        let mut key = [0; 29];
        for (byte, points) in key.iter_mut().zip(position.points()) {
            *byte = points.cast_unsigned();
        }
        (key[26], key[27], key[28]) = (dice.high(), dice.low(), cube.log2());
        uniform_of_key(self.seed, StreamPurpose::Choice, &key)
    }

    /// The noise on an equity of `position`; `after` is the board after the play.
    fn noise(&self, what: Noisy, position: &Position, after: &Position, cube: Cube) -> f32 {
        if self.strength.noise == 0.0 {
            return 0.0;
        }
        let mut key = [0; 54];
        for (byte, points) in key.iter_mut().zip(position.points().iter().chain(after.points())) {
            *byte = points.cast_unsigned();
        }
        (key[52], key[53]) = (what as u8, cube.log2());
        self.strength.noise * nearly_normal(self.seed, StreamPurpose::Noise, &key)
    }
}
