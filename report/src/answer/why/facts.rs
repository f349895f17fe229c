//! What stands on a board, for an answer.

use nonet_engine::explain::BoardFacts;
use serde::Serialize;

/// Counts on a board. Of pairs the first is the player's who moved, the second the opponent's;
/// points are in the player's numbering.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// Of the opponent's 36 throws, those that can bring a back checker past the player's outer
    /// board.
    pub escapes: u8,
    /// The player's builders for the points 7 to 3: spares and blots within 6 pips behind the
    /// point; 0 for a point with a checker on it.
    pub builders: [u8; 5],
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
    /// The player's checkers on the points 6 to 1 of the home board.
    pub home: [u8; 6],
    /// Points of the player's home board without a checker, below the highest checker there.
    pub gaps: Vec<u8>,
    /// The player's checkers on the two highest points that have some.
    pub rear: [u8; 2],
    /// Of the player's own next 36 throws, those that leave a blot whatever is played. The
    /// opponent's move is left out. Null without contact, and while a checker is behind the
    /// player's outer board.
    pub next_blots: Option<u8>,
    /// Pips that the player wastes in the bearoff. Null where not all checkers are home, with
    /// contact, and without bearoff databases.
    pub wasted: Option<f32>,
}

impl WhyFacts {
    pub(super) fn new(facts: &BoardFacts, class: &str, wasted: Option<f32>) -> WhyFacts {
        WhyFacts {
            class: class.to_owned(),
            contact: facts.contact,
            pips: facts.pips,
            shots: facts.shots,
            escapes: facts.escapes,
            builders: facts.builders,
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
            home: facts.home,
            gaps: facts.gaps.clone(),
            rear: facts.rear,
            next_blots: facts.next_blots,
            wasted,
        }
    }
}
