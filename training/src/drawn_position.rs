//! Positions that games hardly reach, drawn at random: each kind has a rule for both sides.

use std::ops::RangeInclusive;

use rand::Rng;

use nonet_engine::backgammon::{CHECKERS, Position};

/// Kinds of positions that are drawn, with the two sides in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnPosition {
    /// One side bears off against one to three checkers in its home board or on the bar.
    BearoffContact,
    /// Of a side with five or more checkers off, two or three more were caught.
    SeveralCaught,
    /// One or two checkers on the bar against a closed board, perhaps with a checker off.
    ClosedBoard,
    /// Two of the three deepest anchors, with four to seven checkers back.
    DeepBackgame,
}

impl DrawnPosition {
    /// All kinds.
    pub const ALL: [DrawnPosition; 4] = [
        DrawnPosition::BearoffContact,
        DrawnPosition::SeveralCaught,
        DrawnPosition::ClosedBoard,
        DrawnPosition::DeepBackgame,
    ];

    /// Its name in options.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            DrawnPosition::BearoffContact => "bearoff-contact",
            DrawnPosition::SeveralCaught => "several-caught",
            DrawnPosition::ClosedBoard => "closed-board",
            DrawnPosition::DeepBackgame => "deep-backgame",
        }
    }

    /// A position of this kind. Each side is on roll equally often.
    pub fn draw(self, rng: &mut impl Rng) -> Position {
        loop {
            // Both sides in their own numbering; the second is the one that was caught or is back.
            let (front, back) = match self {
                DrawnPosition::BearoffContact => {
                    let front = rng.random_range(3..=14);
                    let caught = rng.random_range(1..=3);
                    let front = Counts::default().put(front, 1..=6, rng);
                    (front, Counts::default().put(caught, 19..=25, rng).rest(1..=8, rng))
                }
                DrawnPosition::SeveralCaught => {
                    let caught = rng.random_range(2..=3);
                    let home = rng.random_range(0..=10 - caught);
                    let back = Counts::default().put(caught, 16..=25, rng).put(home, 1..=6, rng);
                    (Counts::default().points(5, 2..=7, rng).rest(1..=12, rng), back)
                }
                DrawnPosition::ClosedBoard => {
                    let (caught, off) = (rng.random_range(1..=2), rng.random_range(0..=1));
                    let home = rng.random_range(0..=CHECKERS - caught);
                    let front = Counts::default().points(6, 1..=6, rng);
                    let back = Counts::default().put(caught, 25..=25, rng).put(home, 1..=6, rng);
                    (front.put(3 - off, 1..=10, rng), back)
                }
                DrawnPosition::DeepBackgame => {
                    let more = rng.random_range(0..=3);
                    let back = Counts::default().points(2, 22..=24, rng);
                    let back = back.put(more, 20..=24, rng).rest(1..=12, rng);
                    (Counts::default().rest(3..=14, rng), back)
                }
            };
            if let Ok(position) = Position::from_sides(&front.pairs(), &back.pairs())
                && position.outcome().is_none()
            {
                return if rng.random() { position } else { position.flipped() };
            }
        }
    }
}

/// The checkers of one side in its own numbering; 25 is the bar.
#[derive(Default)]
struct Counts([i8; 26]);

impl Counts {
    /// Adds checkers, each on any of these points.
    fn put(mut self, checkers: i8, points: RangeInclusive<usize>, rng: &mut impl Rng) -> Counts {
        for _ in 0..checkers {
            self.0[rng.random_range(points.clone())] += 1;
        }
        self
    }

    /// Adds two checkers each on some of these points.
    fn points(
        mut self,
        number: usize,
        points: RangeInclusive<usize>,
        rng: &mut impl Rng,
    ) -> Counts {
        for point in rand::seq::index::sample(rng, points.clone().count(), number) {
            self.0[points.start() + point] += 2;
        }
        self
    }

    /// Adds all checkers that are left.
    fn rest(self, points: RangeInclusive<usize>, rng: &mut impl Rng) -> Counts {
        let left = CHECKERS - self.0.iter().sum::<i8>();
        self.put(left, points, rng)
    }

    fn pairs(&self) -> Vec<(usize, i8)> {
        self.0.iter().copied().enumerate().filter(|&(_, count)| count > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::game::{StreamPurpose, stream};

    #[test]
    fn drawn_positions_are_of_their_kind() {
        let mut rng = stream(3, StreamPurpose::Start, 0);
        for kind in DrawnPosition::ALL {
            let mut on_roll = 0;
            for _ in 0..300 {
                let position = kind.draw(&mut rng);
                assert!(position.outcome().is_none());
                let off = |position: &Position| {
                    CHECKERS - position.points().iter().filter(|n| **n > 0).sum::<i8>()
                };
                let sides = [position, position.flipped()];
                let bar = |position: &Position| position.points()[25];
                let is_kind = |front: &Position, back: &Position| match kind {
                    DrawnPosition::BearoffContact => off(front) >= 1 && off(back) == 0,
                    DrawnPosition::SeveralCaught => off(front) == 0 && off(back) >= 5,
                    DrawnPosition::ClosedBoard => {
                        bar(back) >= 1 && front.points()[1..=6].iter().all(|&n| n >= 2)
                    }
                    DrawnPosition::DeepBackgame => {
                        back.points()[22..=24].iter().filter(|n| **n >= 2).count() >= 2
                    }
                };
                let found = [is_kind(&sides[0], &sides[1]), is_kind(&sides[1], &sides[0])];
                assert!(found[0] || found[1], "{kind:?}:\n{position}");
                on_roll += u32::from(found[0]);
            }
            assert!((100..200).contains(&on_roll) || on_roll == 300, "{kind:?}: {on_roll}");
        }
    }
}
