//! What the score makes of gammons.

use nonet_engine::backgammon::{Cube, Scoring};
use serde::{Deserialize, Serialize};

/// What the score makes of gammons for the player who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScoreKind {
    /// Money.
    Money,
    /// A gammon wins the match, a single game does not; the opponent wins it with any game.
    GammonGo,
    /// The same for the opponent.
    GammonSave,
    /// Any game wins the match for either player.
    DoubleMatchPoint,
    /// Any other score of a match.
    OtherScore,
}

impl ScoreKind {
    /// All of them.
    pub const ALL: [ScoreKind; 5] = [
        ScoreKind::Money,
        ScoreKind::GammonGo,
        ScoreKind::GammonSave,
        ScoreKind::DoubleMatchPoint,
        ScoreKind::OtherScore,
    ];

    /// By the scoring, seen by the player who decides, and the cube.
    ///
    /// ```
    /// use nonet_engine::backgammon::{Cube, Scoring};
    /// use nonet_practice::ScoreKind;
    ///
    /// let crawford = Scoring::of_match(7, 5, 6, true)?;
    /// assert_eq!(ScoreKind::of(crawford, Cube::CENTRED), ScoreKind::GammonGo);
    /// # Ok::<(), nonet_engine::backgammon::ScoreError>(())
    /// ```
    #[must_use]
    pub fn of(scoring: Scoring, cube: Cube) -> ScoreKind {
        let Some(away) = scoring.away() else { return ScoreKind::Money };
        let (own, opponent) = (u32::from(away.0), u32::from(away.1));
        let single = cube.value();
        match (own <= single, opponent <= single) {
            (true, true) => ScoreKind::DoubleMatchPoint,
            (false, true) if own <= 2 * single => ScoreKind::GammonGo,
            (true, false) if opponent <= 2 * single => ScoreKind::GammonSave,
            _ => ScoreKind::OtherScore,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ScoreKind::Money => "money",
            ScoreKind::GammonGo => "gammon-go",
            ScoreKind::GammonSave => "gammon-save",
            ScoreKind::DoubleMatchPoint => "double match point",
            ScoreKind::OtherScore => "other scores",
        }
    }
}

#[cfg(test)]
mod tests {
    use nonet_engine::backgammon::CubeOwner;

    use super::*;

    #[test]
    fn the_cube_counts_as_the_score_does() {
        let kind = |own, opponent, cube| {
            let scoring = Scoring::of_match(7, own, opponent, false).expect("a score");
            let cube = Cube::new(cube, CubeOwner::Own).expect("a cube");
            ScoreKind::of(scoring, cube).name()
        };
        assert_eq!(kind(0, 0, 1), "other scores");
        assert_eq!(kind(5, 5, 2), "double match point");
        assert_eq!(kind(3, 5, 2), "gammon-go");
        assert_eq!(kind(5, 3, 2), "gammon-save");
        assert_eq!(kind(2, 5, 2), "other scores");
        assert_eq!(ScoreKind::of(Scoring::MONEY, Cube::CENTRED), ScoreKind::Money);
    }
}
