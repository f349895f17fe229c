//! THE table of the nine position classes: which specialist judges a position.
//!
//! The list and its order are those of Wiering, Patist & Mannen, section 4.1. A tenth class is one variant and one row
//! here, and nothing anywhere else: counters, nets, files and reports are made from the table.

use std::fmt;
use std::ops::{Index, IndexMut};

use crate::backgammon::zone::{BACK, BAR, BOARD, HOME};
use crate::backgammon::{Position, SideView, View};
use crate::features::Encoding;

/// The strategic class of a position, for the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the table below says what each one means")]
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
pub struct Spec {
    /// The class.
    pub class: Class,
    /// Its name in files, reports and commands.
    pub slug: &'static str,
    /// What its net sees.
    pub encoding: Encoding,
    /// Millions of training examples that the paper's net of this class received in self-play (section 4.1); they add
    /// up to 82.1.
    pub paper_examples: f32,
    /// The rule in words.
    pub meaning: &'static str,
    holds: fn(&Facts) -> bool,
}

/// What the rules may ask.
struct Facts<'a> {
    own: &'a SideView,
    theirs: &'a SideView,
    contact: bool,
    /// Own pip count less the opponent's.
    behind: i32,
}

/// Points 1 to 8.
const WITHIN_8: u32 = 0x1fe;
/// Checkers on 19 to 24 and the bar.
fn back(side: &SideView) -> u8 {
    side.checkers(19, 25)
}

/// A pip deficit from here on is the paper's "significant disadvantage". With 40 the share of back games in self-play is
/// nearest to the paper's 8.2 %; 30 and 50 give 10 and 8 % of positions before the classes above are taken out.
const FAR_BEHIND: i32 = 40;

const SPECS: &[Spec] = &[
    Spec {
        class: Class::Endgame,
        slug: "endgame",
        encoding: Encoding::Endgame,
        paper_examples: 10.7,
        meaning: "every checker of both sides is in its own home board or off",
        holds: |f| (f.own.held | f.theirs.held) & (BOARD | BAR) & !HOME == 0,
    },
    Spec {
        class: Class::Race,
        slug: "race",
        encoding: Encoding::Race,
        paper_examples: 10.7,
        meaning: "no contact left: no checker can be hit any more",
        holds: |f| !f.contact,
    },
    Spec {
        class: Class::NoBack,
        slug: "no-back",
        encoding: Encoding::Contact,
        paper_examples: 1.9,
        // "The first 6 fields" are read as those where a player's men start their way: the other's home board. The
        // own home board would make the class empty in practice.
        meaning: "neither side has a checker on the bar or in the other's home board",
        holds: |f| (f.own.held | f.theirs.held) & (BACK | BAR) == 0,
    },
    Spec {
        class: Class::Prime,
        slug: "prime",
        encoding: Encoding::Contact,
        paper_examples: 5.5,
        // "Trapped by it" is read as anywhere behind the block, not only at its edge.
        meaning: "the player has 5 or more points in a row, and an enemy checker behind them",
        holds: |f| {
            let made = f.own.made & BOARD;
            let two = made & made >> 1;
            let five = two & two >> 2 & made >> 4;
            // Behind an own point p are his points from 26 - p up to his bar.
            five != 0 && f.theirs.held >> (26 - (31 - five.leading_zeros())) != 0
        },
    },
    Spec {
        class: Class::Backgame,
        slug: "backgame",
        encoding: Encoding::Contact,
        paper_examples: 6.7,
        // The paper says "one player", so either side's back game counts; with the player's own alone the class would
        // stay well below the paper's share.
        meaning: "one player is 40 or more pips behind, with 3 or more checkers in the other's home board or on the bar",
        holds: |f| {
            f.behind >= FAR_BEHIND && back(f.own) >= 3
                || f.behind <= -FAR_BEHIND && back(f.theirs) >= 3
        },
    },
    Spec {
        class: Class::Holding,
        slug: "holding",
        encoding: Encoding::Contact,
        paper_examples: 5.9,
        meaning: "the player holds his 18, 19, 20 or 21 point with two or more checkers",
        holds: |f| f.own.made & (0b1111 << 18) != 0,
    },
    Spec {
        class: Class::OwnHome,
        slug: "own-home",
        encoding: Encoding::Contact,
        paper_examples: 3.3,
        // "Further than the 8 point" is read as on points 8 to 1, for every checker: then the share is the paper's
        // (about 4 %). Points 16 to 1 ("field 8 from where they start") would double it.
        meaning: "all of the player's checkers are on his points 8 to 1, or off",
        holds: |f| f.own.held & (BOARD | BAR) & !WITHIN_8 == 0,
    },
    Spec {
        class: Class::OppHome,
        slug: "opp-home",
        encoding: Encoding::Contact,
        paper_examples: 3.2,
        meaning: "all of the opponent's checkers are on his points 8 to 1, or off",
        holds: |f| f.theirs.held & (BOARD | BAR) & !WITHIN_8 == 0,
    },
    Spec {
        class: Class::Default,
        slug: "default",
        encoding: Encoding::Contact,
        paper_examples: 34.2,
        meaning: "all else",
        holds: |_| true,
    },
];

// The row of a class stands at its number, and the last row takes what is left.
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
    /// How many classes there are.
    pub const COUNT: usize = SPECS.len();

    /// All classes in the order of the table.
    pub fn all() -> impl ExactSizeIterator<Item = Class> + Clone {
        SPECS.iter().map(|spec| spec.class)
    }

    /// The class of a position that is not finished: the first row that holds.
    #[inline(always)]
    #[must_use]
    pub fn of(position: &Position) -> Class {
        Class::of_view(&View::of(position))
    }

    /// [`Class::of`] for a caller who has taken the position apart already.
    #[inline(always)]
    #[must_use]
    pub fn of_view(view: &View) -> Class {
        let (own, theirs) = (&view.own, &view.opponent);
        let facts = Facts {
            own,
            theirs,
            contact: view.contact(),
            behind: i32::from(own.pips()) - i32::from(theirs.pips()),
        };
        for spec in SPECS {
            if (spec.holds)(&facts) {
                return spec.class;
            }
        }
        unreachable!("the last row takes what is left")
    }

    /// The row of this class.
    #[must_use]
    pub fn spec(self) -> &'static Spec {
        &SPECS[self as usize]
    }

    /// The name in files, reports and commands.
    #[must_use]
    pub fn slug(self) -> &'static str {
        self.spec().slug
    }

    /// The class of a name.
    #[must_use]
    pub fn from_slug(slug: &str) -> Option<Class> {
        Class::all().find(|class| class.slug() == slug)
    }

    /// Share of the paper's training examples that fell into this class, 0..1 (section 4.1).
    #[must_use]
    pub fn paper_share(self) -> f32 {
        self.spec().paper_examples / SPECS.iter().map(|spec| spec.paper_examples).sum::<f32>()
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.slug())
    }
}

/// Something for every class: total by construction, so that a missing class cannot compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByClass<T>([T; Class::COUNT]);

impl<T> ByClass<T> {
    /// Asks `of` for each class in order.
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
    fn the_start_position_is_like_no_other() {
        assert_eq!(Class::of(&Position::START), Class::Default);
    }

    #[test]
    fn both_home_is_an_endgame_even_with_an_old_anchor_gone() {
        assert_eq!(class(&[(6, 3), (1, 2)], &[(6, 1)]), "endgame");
        assert_eq!(class(&[(7, 1), (1, 2)], &[(6, 1)]), "race");
        assert_eq!(
            class(&[(6, 1)], &[(25, 1)]),
            "own-home",
            "a checker on the bar can still be met"
        );
    }

    #[test]
    fn passed_checkers_race_and_facing_ones_do_not() {
        assert_eq!(class(&[(12, 2)], &[(12, 2)]), "race");
        assert_eq!(class(&[(13, 2)], &[(13, 2)]), "no-back");
    }

    #[test]
    fn a_prime_needs_five_in_a_row_and_somebody_behind() {
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
