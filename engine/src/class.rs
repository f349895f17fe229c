//! The table of the nine position classes: which net evaluates a position.
//!
//! The list and its order are those of Wiering, Patist & Mannen, section 4.1. A tenth class needs
//! one variant and one row here and no other change: counters, nets, files and reports are made
//! from the table.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::backgammon::zone::{BACK, BAR, BOARD, HOME};
use crate::backgammon::{BoardView, Position, SideView};
use crate::features::Encoding;

/// The strategic class of a position, for the player on roll.
///
/// ```
/// use nonet_engine::class::Class;
/// use nonet_engine::features::Encoding;
///
/// let race: Class = "race".parse()?;
/// assert_eq!(race.spec().encoding, Encoding::Race);
/// assert_eq!(Class::all().len(), 9);
/// # Ok::<(), nonet_engine::class::ClassError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the table below says what each class means")]
pub enum Class {
    Endgame,
    Race,
    NoBack,
    Prime,
    Backgame,
    Holding,
    OwnHome,
    OppHome,
    Default,
}

/// One row of the table.
#[derive(Debug)]
pub struct ClassSpec {
    /// The class.
    pub class: Class,
    /// Its name in files, reports and commands.
    pub slug: &'static str,
    /// The inputs of its net.
    pub encoding: Encoding,
    /// Millions of training examples that the paper's net of this class received in self-play
    /// (section 4.1); they add up to 82.1.
    pub paper_examples: f32,
    /// The rule as text.
    pub meaning: &'static str,
    /// What players call such a game, with its article; `None` if they have no name for it.
    pub plan: Option<&'static str>,
    /// The share of the live cube in the value of such a position, 0..=1; `None` if it is
    /// [`EFFICIENCY`](crate::cube::EFFICIENCY). The rollouts, and the rule by which a class gets a
    /// value, are in `reports/cube-efficiency.md`.
    pub cube_efficiency: Option<f32>,
    /// Whether a cube has more life where a double is free
    /// ([`CubeEfficiency`](crate::cube::CubeEfficiency)). In `opp-home` the rollouts of the same
    /// report show no more than [`EFFICIENCY`](crate::cube::EFFICIENCY); bearoffs were not rolled
    /// out.
    pub knows_free_doubles: bool,
    holds: fn(&Facts) -> bool,
}

/// The facts about a position that the rules use.
struct Facts<'a> {
    own: &'a SideView,
    opponent: &'a SideView,
    contact: bool,
    /// Own pip count minus the opponent's.
    behind: i32,
}

/// Points 1 to 8.
const WITHIN_8: u32 = 0x1fe;
/// Checkers on 19 to 24 and the bar.
fn back(side: &SideView) -> u8 {
    side.checkers(19, 25)
}

/// The smallest pip deficit that counts as the paper's "significant disadvantage".
///
/// With 40 the share of back games in self-play is nearest to the paper's 8.2 %. With 30, 10 % of
/// all positions satisfy the rule, with 50, 8 %. These shares include positions that belong to a
/// class above.
const FAR_BEHIND: i32 = 40;

const SPECS: &[ClassSpec] = &[
    ClassSpec {
        class: Class::Endgame,
        slug: "endgame",
        encoding: Encoding::Endgame,
        paper_examples: 10.7,
        meaning: "every checker of both sides is in its own home board or off",
        plan: Some("the bearoff"),
        cube_efficiency: None,
        knows_free_doubles: false,
        holds: |f| (f.own.held | f.opponent.held) & (BOARD | BAR) & !HOME == 0,
    },
    ClassSpec {
        class: Class::Race,
        slug: "race",
        encoding: Encoding::Race,
        paper_examples: 10.7,
        meaning: "no contact left: no checker can be hit any more",
        plan: Some("a race"),
        cube_efficiency: None,
        knows_free_doubles: true,
        holds: |f| !f.contact,
    },
    ClassSpec {
        class: Class::NoBack,
        slug: "no-back",
        encoding: Encoding::Contact,
        paper_examples: 1.9,
        // "The first 6 fields" are taken to be the other side's home board, where a player's
        // checkers start. With the own home board the class would be empty in practice.
        meaning: "neither side has a checker on the bar or in the other's home board",
        plan: None,
        cube_efficiency: None,
        knows_free_doubles: true,
        holds: |f| (f.own.held | f.opponent.held) & (BACK | BAR) == 0,
    },
    ClassSpec {
        class: Class::Prime,
        slug: "prime",
        encoding: Encoding::Contact,
        paper_examples: 5.5,
        // "Trapped by it" is taken to mean anywhere behind the block, not only at its edge.
        meaning: "the player has 5 or more points in a row, and an enemy checker behind them",
        plan: Some("a prime"),
        cube_efficiency: None,
        knows_free_doubles: true,
        holds: |f| {
            let made = f.own.made & BOARD;
            let two = made & made >> 1;
            let five = two & two >> 2 & made >> 4;
            // Behind an own point p are the opponent's points from 26 - p up to the bar.
            five != 0 && f.opponent.held >> (26 - (31 - five.leading_zeros())) != 0
        },
    },
    ClassSpec {
        class: Class::Backgame,
        slug: "backgame",
        encoding: Encoding::Contact,
        paper_examples: 6.7,
        // The paper says "one player", so a back game of either side counts. With the own side
        // alone the class would be well below the paper's share.
        meaning: "one player is 40 or more pips behind, with 3 or more checkers in the other's home board or on the bar",
        plan: Some("a back game"),
        cube_efficiency: None,
        knows_free_doubles: true,
        holds: |f| {
            f.behind >= FAR_BEHIND && back(f.own) >= 3
                || f.behind <= -FAR_BEHIND && back(f.opponent) >= 3
        },
    },
    ClassSpec {
        class: Class::Holding,
        slug: "holding",
        encoding: Encoding::Contact,
        paper_examples: 5.9,
        meaning: "the player holds the own 18, 19, 20 or 21 point with two or more checkers",
        plan: Some("a holding game"),
        cube_efficiency: Some(0.76),
        knows_free_doubles: true,
        holds: |f| f.own.made & (0b1111 << 18) != 0,
    },
    ClassSpec {
        class: Class::OwnHome,
        slug: "own-home",
        encoding: Encoding::Contact,
        paper_examples: 3.3,
        // "Further than the 8 point" is taken to mean that every checker is on points 8 to 1. Then
        // the share is the paper's (about 4 %). With points 16 to 1 ("field 8 from where they
        // start") the share would be twice as large.
        meaning: "all of the player's checkers are on their points 8 to 1, or off",
        plan: None,
        cube_efficiency: None,
        knows_free_doubles: true,
        holds: |f| f.own.held & (BOARD | BAR) & !WITHIN_8 == 0,
    },
    ClassSpec {
        class: Class::OppHome,
        slug: "opp-home",
        encoding: Encoding::Contact,
        paper_examples: 3.2,
        meaning: "all of the opponent's checkers are on the opponent's points 8 to 1, or off",
        plan: None,
        cube_efficiency: None,
        knows_free_doubles: false,
        holds: |f| f.opponent.held & (BOARD | BAR) & !WITHIN_8 == 0,
    },
    ClassSpec {
        class: Class::Default,
        slug: "default",
        encoding: Encoding::Contact,
        paper_examples: 34.2,
        meaning: "every other position",
        plan: None,
        cube_efficiency: Some(0.74),
        knows_free_doubles: true,
        holds: |_| true,
    },
];

// The index of a row is the number of its class. The last row holds for every position.
const _: () = {
    let mut i = 0;
    while i < Class::COUNT {
        assert!(
            SPECS[i].class as usize == i,
            "the rows of SPECS stand in the order of the variants"
        );
        i += 1;
    }
};

impl Class {
    /// The number of classes.
    pub const COUNT: usize = SPECS.len();

    /// All classes in the order of the table.
    pub fn all() -> impl ExactSizeIterator<Item = Class> + Clone {
        SPECS.iter().map(|spec| spec.class)
    }

    /// The class of an unfinished position: that of the first row with a rule that holds.
    #[inline(always)]
    #[must_use]
    pub fn of(position: &Position) -> Class {
        Class::of_view(&BoardView::of(position))
    }

    /// [`Class::of`] for a caller that has a [`BoardView`] of the position already.
    #[inline(always)]
    #[must_use]
    pub fn of_view(view: &BoardView) -> Class {
        let (own, opponent) = (&view.own, &view.opponent);
        let facts = Facts {
            own,
            opponent,
            contact: view.contact(),
            behind: i32::from(own.pips()) - i32::from(opponent.pips()),
        };
        for spec in SPECS {
            if (spec.holds)(&facts) {
                return spec.class;
            }
        }
        unreachable!("the last row holds for every position")
    }

    /// The row of this class.
    #[must_use]
    pub fn spec(self) -> &'static ClassSpec {
        &SPECS[self as usize]
    }

    /// The name in files, reports and commands.
    #[must_use]
    pub fn slug(self) -> &'static str {
        self.spec().slug
    }

    /// The class with this name.
    #[must_use]
    pub fn from_slug(slug: &str) -> Option<Class> {
        Class::all().find(|class| class.slug() == slug)
    }

    /// Share of the paper's training examples that belonged to this class, 0..1 (section 4.1).
    #[must_use]
    pub fn paper_share(self) -> f32 {
        self.spec().paper_examples / SPECS.iter().map(|spec| spec.paper_examples).sum::<f32>()
    }
}

/// A name that no class has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown class '{name}': expected one of {}", Class::all().map(Class::slug).collect::<Vec<_>>().join(", "))]
pub struct ClassError {
    name: String,
}

impl FromStr for Class {
    type Err = ClassError;

    fn from_str(name: &str) -> Result<Class, ClassError> {
        Class::from_slug(name).ok_or_else(|| ClassError { name: name.to_owned() })
    }
}

impl Serialize for Class {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.slug())
    }
}

impl<'de> Deserialize<'de> for Class {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Class, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.slug())
    }
}

/// One value for each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByClass<T>([T; Class::COUNT]);

impl<T> ByClass<T> {
    /// Calls `of` for each class in order.
    pub fn new(mut of: impl FnMut(Class) -> T) -> ByClass<T> {
        ByClass(std::array::from_fn(|i| of(SPECS[i].class)))
    }

    /// Each class with its value, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Class, &T)> {
        Class::all().zip(&self.0)
    }

    /// The values alone, in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &T> {
        self.0.iter()
    }
}

impl<T: Default> Default for ByClass<T> {
    fn default() -> ByClass<T> {
        ByClass::new(|_| T::default())
    }
}

impl<T> Index<Class> for ByClass<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, class: Class) -> &T {
        &self.0[class as usize]
    }
}

impl<T> IndexMut<Class> for ByClass<T> {
    #[inline(always)]
    fn index_mut(&mut self, class: Class) -> &mut T {
        &mut self.0[class as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(own: &[(usize, i8)], opponent: &[(usize, i8)]) -> &'static str {
        Class::of(&Position::from_sides(own, opponent).expect("legal")).slug()
    }

    #[test]
    fn the_start_position_is_of_the_default_class() {
        assert_eq!(Class::of(&Position::START), Class::Default);
    }

    #[test]
    fn both_sides_at_home_is_an_endgame() {
        assert_eq!(class(&[(6, 3), (1, 2)], &[(6, 1)]), "endgame");
        assert_eq!(class(&[(7, 1), (1, 2)], &[(6, 1)]), "race");
        assert_eq!(
            class(&[(6, 1)], &[(25, 1)]),
            "own-home",
            "a checker on the bar still makes contact"
        );
    }

    #[test]
    fn passed_checkers_race_and_facing_ones_do_not() {
        assert_eq!(class(&[(12, 2)], &[(12, 2)]), "race");
        assert_eq!(class(&[(13, 2)], &[(13, 2)]), "no-back");
    }

    #[test]
    fn a_prime_needs_five_in_a_row_and_a_checker_behind() {
        let prime = [(8, 2), (7, 2), (6, 2), (5, 2), (4, 2), (13, 2)];
        assert_eq!(class(&prime, &[(24, 1), (6, 5)]), "prime");
        assert_eq!(class(&prime, &[(25, 1), (6, 5)]), "prime", "the bar is behind every block");
        assert_eq!(class(&prime, &[(16, 1), (14, 5)]), "no-back", "all have passed it");
        let broken = [(8, 2), (7, 2), (6, 2), (5, 1), (4, 2), (13, 2)];
        assert_eq!(class(&broken, &[(24, 1), (6, 5)]), "default");
    }

    #[test]
    fn a_back_game_is_far_behind_with_three_back_for_either_side() {
        let behind = [(22, 2), (20, 1), (13, 4)];
        let ahead = [(6, 5), (4, 4), (20, 1)];
        assert_eq!(class(&behind, &ahead), "backgame");
        assert_eq!(class(&ahead, &behind), "backgame");
        assert_eq!(
            class(&[(22, 2), (13, 4)], &[(6, 5), (4, 2), (20, 1)]),
            "default",
            "two are not three"
        );
    }

    #[test]
    fn a_holding_game_holds_one_of_four_points() {
        for point in 18..=21 {
            assert_eq!(
                class(&[(point, 2), (6, 4)], &[(23, 1), (13, 3), (3, 4)]),
                "holding",
                "{point}"
            );
        }
        assert_eq!(class(&[(22, 2), (13, 4)], &[(23, 1), (13, 3), (2, 4)]), "default");
    }

    #[test]
    fn home_means_points_8_to_1() {
        let waiting = [(24, 2), (6, 8), (9, 1)];
        assert_eq!(class(&[(8, 3), (2, 2)], &waiting), "own-home");
        assert_eq!(class(&[(9, 3), (2, 2)], &waiting), "default");
        assert_eq!(class(&waiting, &[(8, 3), (2, 2)]), "opp-home");
    }

    #[test]
    fn every_slug_names_its_class() {
        for class in Class::all() {
            assert_eq!(Class::from_slug(class.slug()), Some(class));
        }
        let whole: f32 = Class::all().map(Class::paper_share).sum();
        assert!((whole - 1.0).abs() < 1e-6);
    }
}
