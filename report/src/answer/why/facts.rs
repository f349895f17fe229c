//! What stands on a board, for an answer.

use nonet_engine::explain::BoardFacts;
use serde::Serialize;

/// Counts on a board. Of pairs the first is the player's who moved, the second the opponent's;
/// points are in the player's numbering.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyFacts {
    /// Class of the board, such as `prime`.
    pub class: String,
    /// Whether a checker can still be hit.
    pub contact: bool,
    /// Pip counts.
    pub pips: [u16; 2],
    /// Of the opponent's 36 throws, those that can hit.
    pub shots: u8,
    /// The player's blots, the highest point first.
    pub blots: Vec<u8>,
    /// Points made in the home board.
    pub home_points: [u8; 2],
    /// The most points in a row.
    pub longest_block: [u8; 2],
    /// Points that the player has made in the opponent's home board.
    pub anchors: Vec<u8>,
    /// Checkers in the other's home board or on the bar.
    pub back: [u8; 2],
    /// Checkers on the bar.
    pub on_bar: [u8; 2],
    /// Checkers borne off.
    pub off: [u8; 2],
    /// The most checkers on a point.
    pub highest_stack: [u8; 2],
    /// The player's checkers that are not at home.
    pub outside: u8,
    /// Pips that they need to get there.
    pub pips_home: u16,
}

impl WhyFacts {
    pub(super) fn new(facts: &BoardFacts, class: &str) -> WhyFacts {
        WhyFacts {
            class: class.to_owned(),
            contact: facts.contact,
            pips: facts.pips,
            shots: facts.shots,
            blots: facts.blots[0].clone(),
            home_points: facts.home_points,
            longest_block: facts.longest_block,
            anchors: facts.anchors[0].clone(),
            back: facts.back,
            on_bar: facts.on_bar,
            off: facts.off,
            highest_stack: facts.highest_stack,
            outside: facts.outside,
            pips_home: facts.pips_home,
        }
    }
}
