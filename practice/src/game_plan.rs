//! The kind of game that a decision belongs to.

use nonet_engine::analysis::DecisionGroup;
use nonet_engine::backgammon::{BoardView, Position, SideView, zone};
use nonet_engine::class::Class;
use serde::{Deserialize, Serialize};

/// The kind of game that a decision belongs to, by the first rule that holds.
///
/// Either side may be the one that attacks, contains or holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GamePlan {
    /// All checkers of the player on roll are home or off.
    Bearoff,
    /// The first four rolls of a game.
    Opening,
    /// A side that has borne off checkers has been hit.
    Containment,
    /// A side attacks in its home board with ten checkers, and the other has no point there.
    Blitz,
    /// No contact.
    Race,
    /// A side is behind a prime: the class `prime`.
    Prime,
    /// A side waits far behind on two points of the other's home board: the class `backgame`.
    BackGame,
    /// The player on roll holds an advanced point: the class `holding`.
    Holding,
    /// Every other position.
    Other,
}

impl GamePlan {
    /// All of them, in the order of a game.
    pub const ALL: [GamePlan; 9] = [
        GamePlan::Opening,
        GamePlan::Blitz,
        GamePlan::Prime,
        GamePlan::Holding,
        GamePlan::BackGame,
        GamePlan::Containment,
        GamePlan::Race,
        GamePlan::Bearoff,
        GamePlan::Other,
    ];

    /// The plan of a decision of the player on roll; `number` is that of the roll, from 1.
    ///
    /// ```
    /// use nonet_engine::backgammon::Position;
    /// use nonet_practice::GamePlan;
    ///
    /// assert_eq!(GamePlan::of(&Position::START, 1), GamePlan::Opening);
    /// assert_eq!(GamePlan::of(&Position::START, 5), GamePlan::Other);
    /// ```
    #[must_use]
    pub fn of(position: &Position, number: usize) -> GamePlan {
        let view = BoardView::of(position);
        let (own, opponent) = (&view.own, &view.opponent);
        match DecisionGroup::of_play(position, number) {
            DecisionGroup::Bearoff => GamePlan::Bearoff,
            DecisionGroup::Opening => GamePlan::Opening,
            DecisionGroup::Middle | DecisionGroup::Cube => {
                if view.contact() && (is_contained(own) || is_contained(opponent)) {
                    GamePlan::Containment
                } else if is_blitz(own, opponent) || is_blitz(opponent, own) {
                    GamePlan::Blitz
                } else {
                    match GamePlan::of_class(Class::of_view(&view)) {
                        // The class asks for checkers back and pips behind, not for points.
                        GamePlan::BackGame
                            if ![own, opponent].into_iter().any(|side| side.anchors() >= 2) =>
                        {
                            GamePlan::Other
                        }
                        plan => plan,
                    }
                }
            }
        }
    }

    /// The plan that the table of the classes names.
    fn of_class(class: Class) -> GamePlan {
        let words = class.spec().plan.unwrap_or_default();
        let named = |plan: &GamePlan| words.ends_with(plan.name());
        GamePlan::ALL.into_iter().find(named).unwrap_or(GamePlan::Other)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            GamePlan::Opening => "opening",
            GamePlan::Blitz => "blitz",
            GamePlan::Prime => "prime",
            GamePlan::Holding => "holding game",
            GamePlan::BackGame => "back game",
            GamePlan::Containment => "containment",
            GamePlan::Race => "race",
            GamePlan::Bearoff => "bearoff",
            GamePlan::Other => "other positions",
        }
    }
}

/// A checker that was hit has to come home again while others are off.
fn is_contained(runner: &SideView) -> bool {
    runner.left() < 15 && runner.held & (zone::BOARD | zone::BAR) & !zone::HOME != 0
}

/// Checkers near the home board that make an attack.
const ATTACKERS: u8 = 10;

fn is_blitz(attacker: &SideView, defender: &SideView) -> bool {
    let exposed = defender.held & zone::BAR | defender.blots() & zone::BACK;
    attacker.checkers(1, 12) >= ATTACKERS
        && defender.checkers(19, 25) >= 2
        && defender.anchors() == 0
        && exposed != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(own: &[(usize, i8)], opponent: &[(usize, i8)]) -> &'static str {
        GamePlan::of(&Position::from_sides(own, opponent).expect("legal"), 9).name()
    }

    #[test]
    fn each_plan_has_its_rule() {
        let home = [(6, 4), (5, 4), (4, 3)];
        // Ten checkers attack two in the home board, one of them on the bar.
        let attack = [(24, 2), (13, 3), (8, 3), (6, 3), (5, 2), (4, 2)];
        let split = [(25, 1), (24, 1), (13, 5), (8, 3), (6, 5)];
        assert_eq!(plan(&attack, &split), "blitz");
        assert_eq!(plan(&split, &attack), "blitz", "for the side that defends, too");
        let anchored = [(25, 1), (24, 2), (13, 4), (8, 3), (6, 5)];
        assert_eq!(plan(&attack, &anchored), "other positions");
        // Three checkers are off, and one has been hit.
        let hit = [(25, 1), (6, 5), (5, 3), (4, 3)];
        assert_eq!(plan(&[(6, 3), (5, 3), (4, 3), (13, 6)], &hit), "containment");
        assert_eq!(plan(&home, &[(6, 4)]), "bearoff");
        assert_eq!(plan(&[(12, 2), (6, 4)], &[(12, 2)]), "race");
        let prime = [(8, 2), (7, 2), (6, 2), (5, 2), (4, 2), (13, 5)];
        assert_eq!(plan(&prime, &[(24, 2), (6, 5), (8, 3), (13, 5)]), "prime");
        let behind = [(22, 2), (20, 2), (13, 5), (8, 3), (6, 3)];
        let ahead = [(6, 5), (4, 4), (2, 4), (8, 2)];
        assert_eq!(plan(&behind, &ahead), "back game");
        let caught = [(25, 1), (24, 1), (20, 2), (13, 5), (8, 3), (6, 3)];
        assert_eq!(plan(&caught, &ahead), "other positions", "one point makes no back game");
        let holding = [(20, 2), (6, 5), (8, 3), (13, 5)];
        assert_eq!(plan(&holding, &[(13, 5), (8, 3), (6, 5), (3, 2)]), "holding game");
    }

    #[test]
    fn every_plan_that_the_table_of_the_classes_names_is_known() {
        for class in Class::all() {
            let found = GamePlan::of_class(class);
            assert_eq!(class.spec().plan.is_some(), found != GamePlan::Other, "{class}");
        }
    }
}
