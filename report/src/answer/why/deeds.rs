//! What one of two plays does and the other does not, as parts of sentences.

use super::words::Said;
use super::{WhyFacts, position, race};
use nonet_engine::backgammon::{Play, Position};
use nonet_engine::explain::{PlayEvent, Weight};

/// What a play does, the other apart.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    /// What speaks for it.
    pub(super) gains: Vec<Said>,
    /// What speaks against it.
    pub(super) prices: Vec<Said>,
}

/// A play with all that is known of it.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    pub(super) events: &'a [PlayEvent],
    pub(super) facts: &'a WhyFacts,
    /// The board after it, the opponent on roll.
    pub(super) board: &'a Position,
    /// Its moves.
    pub(super) moves: &'a Play,
    /// The blots that the opponent can hit after it, the highest first.
    pub(super) hittable: &'a [u8],
    /// Of the opponent's 36 throws, those for which a hit is the best reply.
    pub(super) hit_best: u8,
    /// The chance to win after it.
    pub(super) win: f32,
}

impl Told<'_> {
    /// Whether the event means anything here.
    ///
    /// In a race points are not made or broken. Only a blot that can be hit is a slot. A point
    /// blocks only where an opponent has to pass it.
    fn counts(self, event: PlayEvent) -> bool {
        match event {
            PlayEvent::BearsOff(_) | PlayEvent::Hits(_) | PlayEvent::Enters(_) => true,
            _ if !self.facts.contact => false,
            PlayEvent::Makes(point) | PlayEvent::Breaks(point) if point < 3 || point == 7 => {
                self.is_reachable(point) || point < 3 && matches!(event, PlayEvent::Makes(_))
            }
            PlayEvent::Slots(_) if self.facts.outside == 0 => false,
            PlayEvent::Slots(point) | PlayEvent::Makes(point @ 8..) => self.is_reachable(point),
            PlayEvent::Block(count) => {
                self.block_bottom(count).is_some_and(|p| self.is_reachable(p))
            }
            PlayEvent::Breaks(24) => {
                let is_anchor = |event: &PlayEvent| matches!(event, PlayEvent::Makes(19..=23));
                !self.leaves_their_home() && !self.events.iter().any(is_anchor)
            }
            PlayEvent::Breaks(point @ 8..19) | PlayEvent::Clears(point @ ..3) => {
                self.is_reachable(point)
            }
            PlayEvent::Buries(on) => !self
                .events
                .iter()
                .any(|event| matches!(event, PlayEvent::Stacks { point, .. } if *point == on)),
            _ => true,
        }
    }

    /// Whether the opponent has checkers that have still to pass the point.
    pub(super) fn is_reachable(self, point: u8) -> bool {
        (26 - point..=25).any(|r| self.board.own(usize::from(r)) > 0)
    }

    /// Whether back checkers get away.
    pub(super) fn leaves_their_home(self) -> bool {
        let away = |event: &PlayEvent| escapes(event).or(out(event)).is_some();
        self.events.iter().any(away)
    }

    /// The lowest point of `count` made points in a row.
    fn block_bottom(self, count: u8) -> Option<u8> {
        let own = self.board.flipped();
        let made = |low: u8| (low..low + count).all(|point| own.own(usize::from(point)) >= 2);
        (1..=25 - count).find(|low| made(*low))
    }

    /// The highest point with an own checker, the bar being 25.
    pub(super) fn rearmost(self) -> u8 {
        let own = self.board.flipped();
        (1..=25).rev().find(|point| own.own(usize::from(*point)) > 0).unwrap_or(0)
    }

    /// Whether every checker that stood on the point, or behind it, has moved on.
    fn clears_rear(self, event: PlayEvent) -> bool {
        matches!(event, PlayEvent::Clears(point) if point < 19 && self.rearmost() < point)
    }

    fn weight(self, event: PlayEvent) -> Weight {
        // A point without an own checker behind it has to be cleared some time.
        if self.clears_rear(event) { Weight::Even } else { event.weight() }
    }
}

/// More clauses of a kind are not told.
const MOST: usize = 3;
/// Throws for which a hit is the best reply are told if they alone differ, by this much.
const BEST_HITS: u8 = 4;

impl Deeds {
    /// Of `play`, compared with `other`. What is neither an aim nor a price counts as the play does
    /// that makes it.
    pub(super) fn of(play: Told<'_>, other: Told<'_>, is_better: bool) -> Deeds {
        let mut deeds = Deeds::default();
        let only = play.events.iter().filter(|event| !other.events.contains(event));
        let mut only: Vec<PlayEvent> = only.copied().filter(|event| play.counts(*event)).collect();
        // What both plays bring to a point is no fault of one of them.
        let [own, rest] = [play, other].map(|told| told.board.flipped());
        let same = |point: u8| {
            other.events.contains(&PlayEvent::Makes(point))
                || rest.own(usize::from(point)) >= own.own(usize::from(point))
        };
        only.retain(|event| !matches!(event, PlayEvent::Buries(point) if same(*point)));
        if only.contains(&PlayEvent::ClosesBoard) {
            only.retain(|event| !matches!(event, PlayEvent::Makes(..=6)));
        }
        // Where both plays give up a point of a kind, neither is a fault of one of them alone.
        let gives = |told: Told<'_>, zone: std::ops::RangeInclusive<u8>| {
            let given = |event: &&PlayEvent| match event {
                PlayEvent::Breaks(point) | PlayEvent::Clears(point) => zone.contains(point),
                _ => false,
            };
            told.events.iter().filter(given).count()
        };
        let zones = [1..=6, 7..=18];
        let is_matched = |event: &PlayEvent| match event {
            PlayEvent::Breaks(point) | PlayEvent::Clears(point) => zones.iter().any(|zone| {
                let [own, rest] = [play, other].map(|told| gives(told, zone.clone()));
                zone.contains(point) && rest >= own
            }),
            _ => false,
        };
        only.retain(|event| !is_matched(event) || play.clears_rear(*event));
        // Nor is a point that both plays give up, nor a checker that the other one buries deeper.
        let gives_up = |point: u8| rest.own(usize::from(point)) < 2;
        let is_shared = |event: &PlayEvent| match *event {
            PlayEvent::Breaks(point) => gives_up(point),
            PlayEvent::Clears(point) => gives_up(point) && !play.clears_rear(*event),
            PlayEvent::Buries(point) => {
                let is_deeper = |it: &PlayEvent| matches!(it, PlayEvent::Buries(on) if *on < point);
                other.events.iter().any(is_deeper)
            }
            _ => false,
        };
        only.retain(|event| !is_shared(event));
        let others = other.facts.highest_stack[0];
        let is_as_high = |event: &PlayEvent| match event {
            PlayEvent::Stacks { checkers, .. } => *checkers <= others,
            _ => false,
        };
        only.retain(|event| !is_as_high(event));
        let is_deep = only.iter().any(|event| matches!(event, PlayEvent::HitsDeep(_)));
        // A hit that is too deep is a price of the play that loses by it, and else a hit.
        match is_deep && !is_better {
            true => only.retain(|event| *event != PlayEvent::Hits(1)),
            false => only.retain(|event| !matches!(event, PlayEvent::HitsDeep(_))),
        }
        // Where both clear a point, that of the rearmost checkers is the harder one.
        let outfield = |event: &PlayEvent| matches!(event, PlayEvent::Clears(7..19));
        if other.events.iter().any(outfield) {
            only.retain(|event| !outfield(event) || play.clears_rear(*event));
        }
        let (shots, others) = (play.facts.shots, other.facts.shots);
        let is_more = position::is_clear(others, shots) || shots > others && others == 0;
        // What the better play risks is told; of the other one only a risk that is a reason.
        let blots = match is_more && (is_better || play.hit_best > other.hit_best) {
            true => Some(blots(play, other)),
            false => best_hits(play, other),
        };
        // A blot that is told needs no second clause.
        let is_told = |point: &u8| blots.as_ref().is_some_and(|(_, points)| points.contains(point));
        let is_blot = |event: &PlayEvent| match event {
            // A split is an aim, too, and an anchor that is broken is more than a blot.
            PlayEvent::Breaks(24) if is_better => false,
            PlayEvent::Breaks(19..24) => false,
            PlayEvent::Breaks(point) => is_told(point),
            PlayEvent::Slots(point) => !is_better && is_told(point),
            _ => false,
        };
        only.retain(|event| !is_blot(event));
        let (rear, only): (Vec<PlayEvent>, Vec<PlayEvent>) =
            only.into_iter().partition(|event| play.clears_rear(*event));
        let rear = if is_better { rear } else { Vec::new() };
        // Points of one kind are told together.
        let together = [
            points(&only, "makes", |event| match event {
                PlayEvent::Makes(point) => Some(point),
                _ => None,
            }),
            points(&only, "slots", |event| match event {
                PlayEvent::Slots(point) => Some(point),
                _ => None,
            }),
            points(&rear, "clears-rear", |event| match event {
                PlayEvent::Clears(point) => Some(point),
                _ => None,
            }),
            points(&only, "gives-up", |event| match event {
                PlayEvent::Clears(point) if point >= 19 => Some(point),
                PlayEvent::Breaks(point) if (19..24).contains(&point) => Some(point),
                _ => None,
            }),
            points(&only, "breaks", |event| match event {
                PlayEvent::Breaks(point) if point < 19 => Some(point),
                _ => None,
            }),
            points(&only, "clears", |event| match event {
                PlayEvent::Clears(point) if point < 19 => Some(point),
                _ => None,
            }),
            points(&only, "hits-deep", |event| match event {
                PlayEvent::HitsDeep(point) => Some(point),
                _ => None,
            }),
            points(&only, "buries", |event| match event {
                PlayEvent::Buries(point) => Some(point),
                _ => None,
            }),
        ];
        let single = only.iter().filter_map(|event| Some((clause(*event, other)?, *event)));
        for (said, event) in single.chain(together.into_iter().flatten()) {
            match play.weight(event) {
                Weight::Gain => deeds.gains.push(said),
                Weight::Price => deeds.prices.push(said),
                Weight::Even if is_better => deeds.gains.push(said),
                Weight::Even => deeds.prices.push(said),
            }
        }
        deeds.gains.extend(race::gains(play, other, is_better));
        position::add(&mut deeds, play, other, is_better);
        if let Some((blots, _)) = blots {
            deeds.prices.insert(0, blots);
        } else if shots == 0 && others > 0 && other.hit_best > 0 {
            deeds.gains.push(Said::new("no-shot"));
        }
        deeds.gains.truncate(MOST);
        deeds.prices.truncate(MOST);
        deeds
    }
}

/// The points of one kind of event as a clause, with one of the events.
fn points(
    events: &[PlayEvent],
    kind: &str,
    of: fn(PlayEvent) -> Option<u8>,
) -> Option<(Said, PlayEvent)> {
    let found: Vec<(u8, PlayEvent)> =
        events.iter().filter_map(|event| Some((of(*event)?, *event))).collect();
    let (_, first) = *found.first()?;
    let named: Vec<Said> = found.iter().map(|(point, _)| named(*point)).collect();
    Some((Said::new(kind).with("points", named), first))
}

/// A point as players call it, in the numbering of the player who has it.
pub(super) fn named(point: u8) -> Said {
    let plain = |kind: &str| Said::new(kind);
    match point {
        7 => plain("bar-point"),
        13 => plain("midpoint"),
        18 => plain("their-bar-point"),
        19.. => plain("anchor").with("n", point),
        _ => plain("point").with("n", point),
    }
}

/// An event that is told alone.
fn clause(event: PlayEvent, other: Told<'_>) -> Option<Said> {
    let most =
        |of: fn(&PlayEvent) -> Option<u8>| other.events.iter().filter_map(of).max().unwrap_or(0);
    let many = |kind: &str, count: u8| match count {
        1 => Said::new(&format!("{kind}-1")),
        count => Said::new(kind).with("n", count),
    };
    let counted = |kind: &str, count: u8| Said::new(kind).with("n", count);
    Some(match event {
        PlayEvent::Hits(count) => match most(hits) {
            0 => many("hits", count),
            fewer if fewer < count => counted("hits-more", count).with("m", fewer),
            _ => return None,
        },
        PlayEvent::BearsOff(count) => match most(off) {
            0 => counted("off", count),
            fewer if fewer < count => counted("off-more", count).with("m", fewer),
            _ => return None,
        },
        PlayEvent::Enters(count) if count > most(enters) => counted("enters", count),
        PlayEvent::StaysOnBar(count) if count > most(on_bar) => counted("on-bar", count),
        PlayEvent::ClosesBoard => Said::new("closes"),
        PlayEvent::Breaks(24) => Said::new("splits"),
        // A row of seven may have been a full prime before.
        PlayEvent::Block(6) if most(block) < 6 => Said::new("prime"),
        PlayEvent::Block(count) if count > most(block) => counted("block", count),
        PlayEvent::Escapes(count) if count > most(escapes) => many("escapes", count),
        PlayEvent::ComesOut(count)
            if count > most(out) && !other.events.contains(&PlayEvent::Makes(18)) =>
        {
            many("comes-out", count)
        }
        PlayEvent::Stacks { point, checkers } => counted("stacks", checkers).with("point", point),
        _ => return None,
    })
}

pub(super) const fn hits(event: &PlayEvent) -> Option<u8> {
    if let PlayEvent::Hits(count) = event { Some(*count) } else { None }
}

pub(super) const fn off(event: &PlayEvent) -> Option<u8> {
    if let PlayEvent::BearsOff(count) = event { Some(*count) } else { None }
}

const fn enters(event: &PlayEvent) -> Option<u8> {
    if let PlayEvent::Enters(count) = event { Some(*count) } else { None }
}

pub(super) const fn on_bar(event: &PlayEvent) -> Option<u8> {
    if let PlayEvent::StaysOnBar(count) = event { Some(*count) } else { None }
}

const fn block(event: &PlayEvent) -> Option<u8> {
    if let PlayEvent::Block(count) = event { Some(*count) } else { None }
}

pub(super) const fn escapes(event: &PlayEvent) -> Option<u8> {
    if let PlayEvent::Escapes(count) = event { Some(*count) } else { None }
}

pub(super) const fn out(event: &PlayEvent) -> Option<u8> {
    if let PlayEvent::ComesOut(count) = event { Some(*count) } else { None }
}

/// The blots that the opponent can hit, with the throws that do, and the points of these blots.
/// None is named where the other play leaves them all, too.
fn blots(play: Told<'_>, other: Told<'_>) -> (Said, Vec<u8>) {
    let shots = |kind: &str| Said::new(kind).with("n", play.facts.shots);
    let found = if has_new_blot(play, other) { play.hittable.to_vec() } else { Vec::new() };
    // Where many throws can hit but should not, the count of those that should is told.
    let is_wanted = 4 * play.hit_best >= 3 * play.facts.shots;
    if !found.is_empty() && !is_wanted && play.hit_best > other.hit_best {
        return by_best_hits(play, other);
    }
    let said = match (found.len(), other.facts.shots) {
        (0, others) => shots("shots").with("m", others),
        (1, 0) => shots("blot").with("blots", found.clone()),
        (_, 0) => shots("blots").with("blots", found.clone()),
        (1, others) => shots("blot-more").with("blots", found.clone()).with("m", others),
        (_, others) => shots("blots-more").with("blots", found.clone()).with("m", others),
    };
    (said, found)
}

/// Whether the opponent can hit a blot that the other play does not leave.
fn has_new_blot(play: Told<'_>, other: Told<'_>) -> bool {
    play.hittable.iter().any(|point| !other.facts.blots.contains(point))
}

/// The blots where as many throws can hit after the other play, but fewer should.
fn best_hits(play: Told<'_>, other: Told<'_>) -> Option<(Said, Vec<u8>)> {
    let is_more = play.hit_best >= other.hit_best + BEST_HITS && has_new_blot(play, other);
    is_more.then(|| by_best_hits(play, other))
}

/// All blots that can be hit, with the throws for which a hit is the best reply.
fn by_best_hits(play: Told<'_>, other: Told<'_>) -> (Said, Vec<u8>) {
    let found = play.hittable.to_vec();
    let kind = match (found.len(), other.hit_best) {
        (1, 0) => "blot-alone-best",
        (_, 0) => "blots-alone-best",
        (1, _) => "blot-best",
        (..) => "blots-best",
    };
    let said = Said::new(kind).with("blots", found.clone()).with("n", play.hit_best);
    let said = if other.hit_best == 0 { said } else { said.with("m", other.hit_best) };
    (said, found)
}
