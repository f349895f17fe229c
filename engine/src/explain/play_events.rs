//! What a play does, in the words of players: points made and broken, hits, escapes.

use crate::backgammon::{Candidate, Position};

/// Something that a play does. Points are in the numbering of the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayEvent {
    /// It hits this many checkers.
    Hits(u8),
    /// It hits with a single checker on this point, 1 or 2: too deep to be of use later.
    HitsDeep(u8),
    /// It bears off this many checkers.
    BearsOff(u8),
    /// It brings this many checkers in from the bar.
    Enters(u8),
    /// It leaves this many own checkers on the bar.
    StaysOnBar(u8),
    /// It puts two or more checkers on a point that had fewer.
    Makes(u8),
    /// It makes the last point of a closed home board.
    ClosesBoard,
    /// Its longest row of made points is longer than before, and has four or more.
    Block(u8),
    /// It brings this many checkers from the opponent's home board, or the bar, to point 13 or
    /// lower.
    Escapes(u8),
    /// It brings this many checkers from the opponent's home board, or the bar, to points 14..=17.
    ComesOut(u8),
    /// It puts a single checker on this empty point of 3..=7.
    Slots(u8),
    /// It moves every checker off a point that was made.
    Clears(u8),
    /// It leaves one checker on a point that was made.
    Breaks(u8),
    /// It brings a checker to the 1 or 2 point while others are not at home.
    Buries(u8),
    /// Its highest stack is higher than before, and has five or more checkers.
    Stacks {
        /// Where.
        point: u8,
        /// How many checkers.
        checkers: u8,
    },
}

/// Whether what a play does is an aim or a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Players want it.
    Gain,
    /// It is neither: a slot, a split of the back checkers.
    Even,
    /// Players avoid it.
    Price,
}

impl PlayEvent {
    /// Whether it is an aim or a price.
    #[must_use]
    pub const fn weight(self) -> Weight {
        match self {
            PlayEvent::Slots(_) | PlayEvent::Breaks(24) => Weight::Even,
            PlayEvent::Clears(_)
            | PlayEvent::StaysOnBar(_)
            | PlayEvent::Breaks(_)
            | PlayEvent::Buries(_)
            | PlayEvent::HitsDeep(_)
            | PlayEvent::Stacks { .. } => Weight::Price,
            _ => Weight::Gain,
        }
    }

    /// All that a play does on `before`, the player who makes it on roll there.
    #[must_use]
    pub fn of(before: &Position, Candidate { play, after }: &Candidate) -> Vec<PlayEvent> {
        let own = after.flipped();
        let [was, is] = [before, &own].map(|side| move |point: u8| side.own(usize::from(point)));
        let mut events = Vec::new();
        let mut some = |count: u8, event: fn(u8) -> PlayEvent| {
            if count > 0 {
                events.push(event(count));
            }
        };
        some(after.own(25) - before.flipped().own(25), PlayEvent::Hits);
        some(before.own_left() - own.own_left(), PlayEvent::BearsOff);
        some(was(25) - is(25), PlayEvent::Enters);
        some(is(25), PlayEvent::StaysOnBar);
        let moved = |to: fn(u8) -> bool| {
            play.moves().iter().filter(|one| one.from >= 19 && to(one.to)).count() as u8
        };
        some(moved(|to| to <= 13), PlayEvent::Escapes);
        // Who makes the opponent's bar point holds it.
        let holds = was(18) < 2 && is(18) >= 2;
        let out = if holds { |to| (14..18).contains(&to) } else { |to| (14..=18).contains(&to) };
        some(moved(out), PlayEvent::ComesOut);
        let made = |count: fn(u8) -> bool, point: u8| was(point) < 2 && count(is(point));
        let points = || (1..=24).rev();
        let closed = |has: &dyn Fn(u8) -> u8| (1..=6).all(|point| has(point) >= 2);
        events.extend(points().filter(|&p| made(|n| n >= 2, p)).map(PlayEvent::Makes));
        if closed(&is) && !closed(&was) {
            events.push(PlayEvent::ClosesBoard);
        }
        let block = longest_block(&own);
        if block >= 4 && block > longest_block(before) {
            events.push(PlayEvent::Block(block));
        }
        // A checker that hits a blot there is told as a hit.
        let hit = |point: u8| play.moves().iter().any(|one| one.to == point && one.hits);
        events
            .extend([2, 1].into_iter().filter(|&p| hit(p) && is(p) == 1).map(PlayEvent::HitsDeep));
        let slots = |&p: &u8| was(p) == 0 && is(p) == 1 && !hit(p);
        events.extend((3..=7).rev().filter(slots).map(PlayEvent::Slots));
        events.extend(points().filter(|&p| was(p) >= 2 && is(p) == 0).map(PlayEvent::Clears));
        events.extend(points().filter(|&p| was(p) >= 2 && is(p) == 1).map(PlayEvent::Breaks));
        let far = (7..=25).any(|point| is(point) > 0);
        let buries = |&p: &u8| is(p) > was(p) && !made(|n| n >= 2, p) && !hit(p);
        events.extend([2, 1].into_iter().filter(|_| far).filter(buries).map(PlayEvent::Buries));
        let highest = |has: &dyn Fn(u8) -> u8| points().map(|point| (has(point), point)).max();
        if let (Some((checkers, point)), Some((before, _))) = (highest(&is), highest(&was))
            && checkers >= 5
            && checkers > before
        {
            events.push(PlayEvent::Stacks { point, checkers });
        }
        events
    }
}

/// The most made points in a row.
pub(super) fn longest_block(side: &Position) -> u8 {
    let (mut longest, mut run) = (0, 0);
    for point in 1..=24 {
        run = if side.own(point) >= 2 { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
