//! Draws new positions of the kinds that have cost most.

use std::collections::{BTreeMap, HashSet};

use nonet_engine::engine::Engine;
use nonet_engine::progress::Progress;

use crate::new_position::new_position;
use crate::{Card, CardOrigin, Deck, PracticeTest};

/// The most positions that front ends draw at once, and that wait for an answer.
pub const MOST_DRAWN: usize = 100;
/// Games of self-play that are looked through for a position.
const GAMES: u64 = 60;
/// Positions of a seed have games of their own.
const STRIDE: u64 = 1 << 20;
/// How often a kind of a test is looked for in other games.
const TRIES: u32 = 3;

/// A kind that is drawn.
#[derive(Clone, Debug)]
struct WantedKind {
    /// A card of the kind; its score and cube are those of the new positions.
    like: Card,
    /// Its share of the positions.
    weight: f64,
    drawn: u32,
    /// How often it may still be looked for in vain.
    tries: u32,
}

/// Draws new positions from games of the net with itself. The kinds share the positions by what
/// they have cost: the next position is of the kind with the largest loss for each position that it
/// would then have (the method of d'Hondt). A kind that does not occur in 60 games is left out.
///
/// The positions follow from the deck, the seed and the engine.
#[derive(Clone, Debug)]
pub struct Draw {
    kinds: Vec<WantedKind>,
    /// Positions that are not drawn again.
    known: HashSet<String>,
    seed: u64,
    /// The number of the position, and of the next game for it.
    at: (u64, u64),
}

impl Draw {
    /// Draws positions of the kinds of mistakes that have cost most in the matches of a deck.
    #[must_use]
    pub fn of_costliest(deck: &Deck, seed: u64) -> Draw {
        let mut costly: BTreeMap<(&str, &str), (f32, &Card)> = BTreeMap::new();
        let own = |card: &&Card| matches!(card.origin, CardOrigin::Match { .. });
        for card in deck.cards.iter().filter(own) {
            let kind = (card.kind.plan.name(), card.kind.mistake.idea());
            costly.entry(kind).or_insert((0.0, card)).0 += card.loss;
        }
        let costly = costly.into_values().map(|(loss, card)| (f64::from(loss), card, 1));
        Draw::new(deck, costly, seed)
    }

    /// Draws positions for a test: of the mixture of kinds that the first test has had, otherwise
    /// of the kinds that have cost most.
    #[must_use]
    pub fn for_test(deck: &Deck, seed: u64) -> Draw {
        let Some(first) = deck.tests.iter().find(|test| test.is_done()) else {
            return Draw::of_costliest(deck, seed);
        };
        let mut counts: BTreeMap<(&str, &str), (f64, &Card)> = BTreeMap::new();
        for card in first.cards() {
            let kind = (card.kind.plan.name(), card.kind.mistake.idea());
            counts.entry(kind).or_insert((0.0, card)).0 += 1.0;
        }
        let counts = counts.into_values().map(|(count, card)| (count, card, TRIES));
        Draw::new(deck, counts, seed)
    }

    fn new<'a>(deck: &Deck, kinds: impl Iterator<Item = (f64, &'a Card, u32)>, seed: u64) -> Draw {
        let kind = |(weight, card, tries): (f64, &Card, u32)| {
            let like = card.clone();
            WantedKind { like, weight, drawn: 0, tries }
        };
        let cards = deck.cards.iter().chain(&deck.drawn);
        let known = cards.map(|card| &card.xgid);
        let known = known.chain(deck.answers.iter().map(|answer| &answer.xgid));
        let tested = deck.tests.iter().flat_map(PracticeTest::cards);
        let known = known.chain(tested.map(|card| &card.xgid)).cloned().collect();
        Draw { kinds: kinds.map(kind).collect(), known, seed, at: (0, 0) }
    }

    /// The kind whose turn it is.
    fn next_kind(&mut self) -> Option<&mut WantedKind> {
        let worth = |kind: &WantedKind| kind.weight / f64::from(kind.drawn + 1);
        let open = self.kinds.iter_mut().filter(|kind| kind.tries > 0);
        // The first of equal ones.
        open.reduce(|best, kind| if worth(kind) > worth(best) { kind } else { best })
    }

    /// Whether no kind can be drawn any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.kinds.iter().all(|kind| kind.tries == 0)
    }

    /// Looks through the next game. Its best decision is ahead by 0.08 points at 1-ply and at the
    /// depth of `engine`, at least at 2-ply. `None` if nothing was found there, a score is beyond
    /// the match equity table, or the work was stopped.
    pub fn step(&mut self, engine: &Engine, progress: &Progress) -> Option<Card> {
        let (position, game) = self.at;
        let number = position.wrapping_mul(STRIDE).wrapping_add(game);
        let seed = self.seed;
        let known = std::mem::take(&mut self.known);
        let kind = self.next_kind();
        let found = kind
            .as_ref()
            .and_then(|kind| new_position(engine, &kind.like, &known, [seed, number], progress));
        if let Some(kind) = kind {
            match &found {
                Some(_) => kind.drawn += 1,
                None if game + 1 == GAMES => kind.tries -= 1,
                None => {}
            }
        }
        self.known = known;
        self.known.extend(found.as_ref().map(|card| card.xgid.clone()));
        self.at = match found.is_some() || game + 1 == GAMES {
            true => (position + 1, 0),
            false => (position, game + 1),
        };
        found
    }

    /// Draws up to `count` positions and tells each; fewer if no kind can be drawn any more or the
    /// work is stopped. `progress` counts them.
    pub fn draw(
        &mut self,
        count: usize,
        engine: &Engine,
        progress: &Progress,
        mut tell: impl FnMut(&Card),
    ) -> Vec<Card> {
        let mut cards = Vec::new();
        while cards.len() < count && !self.is_over() && !progress.is_stopped() {
            if let Some(card) = self.step(engine, progress) {
                tell(&card);
                progress.add(1);
                cards.push(card);
            }
        }
        cards
    }
}
