//! What one of two plays does and the other does not, as parts of sentences.

use super::WhyFacts;
use super::words::Said;
use nonet_engine::backgammon::Position;
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
}

impl Told<'_> {
    /// Whether the event means anything here: in a race points are not made or broken, only a blot
    /// that can be hit is a slot, and a checker that gets away is not told as a split, too.
    fn counts(self, event: PlayEvent) -> bool {
        match event {
            PlayEvent::BearsOff(_) | PlayEvent::Hits(_) | PlayEvent::Enters(_) => true,
            _ if !self.facts.contact => false,
            PlayEvent::Slots(point) => self.is_reachable(point),
            PlayEvent::Breaks(24) => !self
                .events
                .iter()
                .any(|event| matches!(event, PlayEvent::Escapes(_) | PlayEvent::ComesOut(_))),
            _ => true,
        }
    }

    /// Whether the opponent has checkers that have still to pass the point.
    fn is_reachable(self, point: u8) -> bool {
        (26 - point..=25).any(|r| self.board.own(usize::from(r)) > 0)
    }
}

/// More clauses of a kind are not told.
const MOST: usize = 4;
/// Shots are told if they differ by this much.
const SHOTS: u8 = 2;

impl Deeds {
    /// Of `play`, compared with `other`. What is neither an aim nor a price counts as the play does
    /// that makes it.
    pub(super) fn of(play: Told<'_>, other: Told<'_>, is_better: bool) -> Deeds {
        let mut deeds = Deeds::default();
        let only = play.events.iter().filter(|event| !other.events.contains(event));
        let only: Vec<PlayEvent> = only.copied().filter(|event| play.counts(*event)).collect();
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
            points(&only, "buries", |event| match event {
                PlayEvent::Buries(point) => Some(point),
                _ => None,
            }),
        ];
        let single = only.iter().filter_map(|event| Some((clause(*event, other)?, *event)));
        for (said, event) in single.chain(together.into_iter().flatten()) {
            match event.weight() {
                Weight::Gain => deeds.gains.push(said),
                Weight::Price => deeds.prices.push(said),
                Weight::Even if is_better => deeds.gains.push(said),
                Weight::Even => deeds.prices.push(said),
            }
        }
        let (shots, others) = (play.facts.shots, other.facts.shots);
        if shots >= others + SHOTS {
            deeds.prices.insert(0, blots(play));
        } else if shots == 0 && others >= SHOTS {
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
fn named(point: u8) -> Said {
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
        PlayEvent::BearsOff(count) if count > most(off) => counted("off", count),
        PlayEvent::Enters(count) if count > most(enters) => counted("enters", count),
        PlayEvent::StaysOnBar(count) if count > most(on_bar) => counted("on-bar", count),
        PlayEvent::ClosesBoard => Said::new("closes"),
        PlayEvent::Breaks(24) => Said::new("splits"),
        PlayEvent::Block(count) if count > most(block) && count >= 6 => Said::new("prime"),
        PlayEvent::Block(count) if count > most(block) => counted("block", count),
        PlayEvent::Escapes(count) if count > most(escapes) => many("escapes", count),
        PlayEvent::ComesOut(count) if count > most(out) => many("comes-out", count),
        PlayEvent::Stacks { point, checkers } => counted("stacks", checkers).with("point", point),
        _ => return None,
    })
}

const fn hits(event: &PlayEvent) -> Option<u8> {
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

const fn out(event: &PlayEvent) -> Option<u8> {
    if let PlayEvent::ComesOut(count) = event { Some(*count) } else { None }
}

/// The blots that the opponent can reach, with the throws that hit.
fn blots(play: Told<'_>) -> Said {
    let reachable = play.facts.blots.iter().filter(|point| play.is_reachable(**point));
    let found: Vec<u8> = reachable.copied().collect();
    let kind = if found.len() == 1 { "blot" } else { "blots" };
    Said::new(kind).with("blots", found).with("n", play.facts.shots)
}
