//! The mistake in a decision.

use nonet_engine::analysis::{AnalysedDecision, CubeCall, DecisionKind};
use nonet_engine::backgammon::{BoardView, Position, zone};
use serde::{Deserialize, Serialize};

/// The mistake in a decision. For a play it is the first of hit, contact, anchor, point and slot in
/// which the play and the best one differ.
///
/// An anchor is a point of the opponent's home board but the 24 point; a point is one below that
/// board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mistake {
    /// The best play hits, or hits more checkers.
    MissedHit,
    /// The play hits, and the best one does not, or hits fewer checkers.
    WrongHit,
    /// The best play ends the contact.
    StayedInContact,
    /// The play ends the contact, and the best one does not.
    BrokeContact,
    /// The best play makes an anchor, and the play makes no other one.
    MissedAnchor,
    /// The play gives up an anchor that the best one keeps.
    BrokeAnchor,
    /// The play makes an anchor that the best one does not make.
    WrongAnchor,
    /// The best play gives up an anchor that the play keeps.
    KeptAnchor,
    /// The best play makes a point, and the play makes no other one.
    MissedPoint,
    /// The play makes a point that the best one does not make.
    WrongPoint,
    /// The best play slots a point.
    MissedSlot,
    /// The play slots a point, and the best one does not.
    WrongSlot,
    /// Any other play.
    OtherPlay,
    /// A double was right.
    MissedDouble,
    /// A double was wrong.
    WrongDouble,
    /// A pass was right; or a beaver where a take was made, or a take where a beaver was made.
    WrongTake,
    /// A take was right, or a beaver.
    WrongPass,
}

impl Mistake {
    /// All of them.
    pub const ALL: [Mistake; 17] = [
        Mistake::MissedHit,
        Mistake::WrongHit,
        Mistake::StayedInContact,
        Mistake::BrokeContact,
        Mistake::MissedAnchor,
        Mistake::BrokeAnchor,
        Mistake::WrongAnchor,
        Mistake::KeptAnchor,
        Mistake::MissedPoint,
        Mistake::WrongPoint,
        Mistake::MissedSlot,
        Mistake::WrongSlot,
        Mistake::OtherPlay,
        Mistake::MissedDouble,
        Mistake::WrongDouble,
        Mistake::WrongTake,
        Mistake::WrongPass,
    ];

    /// What is wrong with a decision, if it lost anything.
    #[must_use]
    pub fn of(analysed: &AnalysedDecision) -> Mistake {
        match &analysed.what {
            DecisionKind::Play(play) => {
                Mistake::of_play(&analysed.position, [play.made().after(), play.plays[0].after()])
            }
            DecisionKind::CubeCall(call) => match call.call {
                CubeCall::NoDouble => Mistake::MissedDouble,
                CubeCall::Double => Mistake::WrongDouble,
                CubeCall::Take | CubeCall::Beaver => Mistake::WrongTake,
                CubeCall::Drop => Mistake::WrongPass,
            },
        }
    }

    /// What is wrong with the first of two plays if the second is better. The boards after the
    /// plays have the opponent on roll.
    ///
    /// ```
    /// use nonet_engine::backgammon::{Dice, Position};
    /// use nonet_practice::Mistake;
    ///
    /// let dice: Dice = "21".parse()?;
    /// let after = |play| Position::START.read_play(play, dice).map(|play| play.after);
    /// let made = after("13/11 24/23")?;
    /// let best = after("13/11 6/5")?;
    /// assert_eq!(Mistake::of_play(&Position::START, [&made, &best]), Mistake::MissedSlot);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_play(before: &Position, [made, best]: [&Position; 2]) -> Mistake {
        let hits = |after: &Position| after.own(25);
        let parted = |after: &Position| !BoardView::of(after).contact();
        let [anchors, points] = [ANCHORS, POINTS]
            .map(|zone| move |board: &Position| BoardView::of(board).opponent.made & zone);
        let (held, was) = (anchors(&before.flipped()), points(&before.flipped()));
        // What the first of two boards has and the second one lacks, of these points.
        let only = |of: &dyn Fn(&Position) -> u32, [board, other]: [&Position; 2], among: u32| {
            of(board) & !of(other) & among != 0
        };
        let [missed, wrong] = [[best, made], [made, best]];
        let makes_other = |of: &dyn Fn(&Position) -> u32, among: u32| {
            only(of, missed, among) && only(of, wrong, among)
        };
        let slots = |after: &Position| slots(before, after);
        let kinds = [
            (hits(best) > hits(made), Mistake::MissedHit),
            (hits(made) > hits(best), Mistake::WrongHit),
            (parted(best) && !parted(made), Mistake::StayedInContact),
            (parted(made) && !parted(best), Mistake::BrokeContact),
            (makes_other(&anchors, !held), Mistake::WrongAnchor),
            (only(&anchors, missed, !held), Mistake::MissedAnchor),
            (only(&anchors, missed, held), Mistake::BrokeAnchor),
            (only(&anchors, wrong, !held), Mistake::WrongAnchor),
            (only(&anchors, wrong, held), Mistake::KeptAnchor),
            (makes_other(&points, !was), Mistake::WrongPoint),
            (only(&points, missed, !was), Mistake::MissedPoint),
            (only(&points, wrong, !was), Mistake::WrongPoint),
            (slots(best) && !slots(made), Mistake::MissedSlot),
            (slots(made) && !slots(best), Mistake::WrongSlot),
        ];
        let found = kinds.iter().find(|(holds, _)| *holds);
        found.map_or(Mistake::OtherPlay, |(_, mistake)| *mistake)
    }

    /// What the decision is about, right or wrong.
    #[must_use]
    pub const fn idea(self) -> &'static str {
        match self {
            Mistake::MissedHit | Mistake::WrongHit => "hit",
            Mistake::StayedInContact | Mistake::BrokeContact => "contact",
            Mistake::MissedAnchor
            | Mistake::BrokeAnchor
            | Mistake::WrongAnchor
            | Mistake::KeptAnchor => "anchor",
            Mistake::MissedPoint | Mistake::WrongPoint => "point",
            Mistake::MissedSlot | Mistake::WrongSlot => "slot",
            Mistake::OtherPlay => "play",
            Mistake::MissedDouble | Mistake::WrongDouble => "double",
            Mistake::WrongTake | Mistake::WrongPass => "take",
        }
    }

    /// Whether it is about the cube.
    #[must_use]
    pub const fn is_cube(self) -> bool {
        matches!(self.idea().as_bytes(), b"double" | b"take")
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Mistake::MissedHit => "missed hit",
            Mistake::WrongHit => "wrong hit",
            Mistake::StayedInContact => "stayed in contact",
            Mistake::BrokeContact => "broke contact",
            Mistake::MissedAnchor => "missed anchor",
            Mistake::BrokeAnchor => "broke anchor",
            Mistake::WrongAnchor => "wrong anchor",
            Mistake::KeptAnchor => "kept anchor",
            Mistake::MissedPoint => "missed point",
            Mistake::WrongPoint => "wrong point",
            Mistake::MissedSlot => "missed slot",
            Mistake::WrongSlot => "wrong slot",
            Mistake::OtherPlay => "other play",
            Mistake::MissedDouble => "missed double",
            Mistake::WrongDouble => "wrong double",
            Mistake::WrongTake => "wrong take",
            Mistake::WrongPass => "wrong pass",
        }
    }
}

/// Points that count as anchors: the 24 point, where a game begins, does not.
const ANCHORS: u32 = zone::BACK & !(1 << 24);
/// Points that count as points: all below the opponent's home board.
const POINTS: u32 = zone::BOARD & !zone::BACK;
/// Points that are slotted: those of the home board and the bar point, without the ace point.
const SLOTS: std::ops::RangeInclusive<usize> = 2..=7;
/// The reach of a direct shot.
const DIRECT: usize = 6;

/// Whether a play leaves a new blot within a direct shot on a point that it wants to make.
fn slots(before: &Position, after: &Position) -> bool {
    let own = after.flipped();
    let points = own.points();
    // The opponent's checkers move up; point 0 is their bar.
    let in_reach =
        |point: usize| (point.saturating_sub(DIRECT)..point).any(|from| points[from] < 0);
    SLOTS.into_iter().any(|point| points[point] == 1 && before.own(point) == 0 && in_reach(point))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistake(
        own: &[(usize, i8)],
        opponent: &[(usize, i8)],
        dice: &str,
        plays: [&str; 2],
    ) -> Mistake {
        let before = Position::from_sides(own, opponent).expect("legal");
        let after = |play: &str| before.read_play(play, dice.parse().expect("a roll"));
        let [made, best] = plays.map(|play| after(play).expect("a legal play").after);
        Mistake::of_play(&before, [&made, &best])
    }

    #[test]
    fn the_first_difference_names_the_mistake() {
        let own = [(24, 2), (13, 5), (8, 3), (6, 5)];
        let split = [(24, 1), (20, 1), (13, 5), (8, 3), (6, 5)];
        // The opponent's 20 point is the own 5 point.
        assert_eq!(mistake(&own, &split, "31", ["24/20", "8/5* 6/5"]), Mistake::MissedHit);
        assert_eq!(mistake(&own, &split, "31", ["8/5* 6/5", "24/20"]), Mistake::WrongHit);
        let up = [(24, 1), (20, 1), (13, 5), (8, 3), (6, 5)];
        let start = [(24, 2), (13, 5), (8, 3), (6, 5)];
        assert_eq!(mistake(&up, &start, "41", ["13/9 6/5", "24/20 6/5"]), Mistake::MissedAnchor);
        assert_eq!(mistake(&own, &start, "21", ["13/11 6/5", "13/11 24/23"]), Mistake::WrongSlot);
        assert_eq!(mistake(&own, &start, "62", ["24/18 13/11", "24/16"]), Mistake::OtherPlay);
        // Who breaks the anchor that the best play keeps has missed none.
        let anchored = [(22, 2), (20, 1), (13, 5), (8, 3), (6, 4)];
        assert_eq!(mistake(&anchored, &start, "62", ["22/14", "20/14 6/4"]), Mistake::BrokeAnchor);
        assert_eq!(mistake(&anchored, &start, "62", ["20/14 6/4", "22/14"]), Mistake::KeptAnchor);
        assert_eq!(mistake(&up, &start, "41", ["24/20 6/5", "13/9 6/5"]), Mistake::WrongAnchor);
        assert_eq!(mistake(&own, &start, "31", ["24/23 13/10", "8/5 6/5"]), Mistake::MissedPoint);
        assert_eq!(mistake(&own, &start, "31", ["8/5 6/5", "24/23 13/10"]), Mistake::WrongPoint);
        // Who makes another point has missed none.
        assert_eq!(mistake(&own, &start, "44", ["13/5(2)", "13/9(2) 6/2(2)"]), Mistake::WrongPoint);
        // One checker more that is hit is a hit, too: their 20 and 21 points are the own 5 and 4.
        let blots = [(24, 1), (21, 1), (20, 1), (13, 5), (8, 2), (6, 5)];
        let plays = ["24/23 8/5*", "8/5*/4*"];
        assert_eq!(mistake(&own, &blots, "31", plays), Mistake::MissedHit);
        let last = [(13, 1), (6, 5)];
        assert_eq!(
            mistake(&last, &[(14, 1), (3, 5)], "21", ["13/10", "13/12 6/4"]),
            Mistake::BrokeContact
        );
    }
}
