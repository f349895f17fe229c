//! Draws new positions of the kinds that have cost most.

use std::collections::{BTreeMap, HashSet};

use nonet_engine::backgammon::{GameState, Position};
use nonet_engine::engine::Engine;
use nonet_engine::progress::Progress;
use nonet_engine::strength::HumanChoice;

use crate::new_position::{HardQuestion, WantedPosition, new_position};
use crate::opening_question::Openings;
use crate::{Card, CardOrigin, Deck, GamePlan, Mistake, MistakeKind, PracticeTest, ScoreKind};

/// The most positions that front ends draw at once, and that wait for an answer.
pub const MOST_DRAWN: usize = 100;
/// Games of self-play that are looked through for a position.
const GAMES: u64 = 120;
/// The first of them are looked through for hard questions, the others for any.
const HARD_GAMES: u64 = 80;
/// Positions of a seed have games of their own.
const STRIDE: u64 = 1 << 20;
/// The PR of a player without decisions.
const MIDDLE_PR: f32 = 8.0;
/// The least part of a first test that is about the cube.
const CUBE_PART: f64 = 0.2;
/// How often a kind of a test is looked for in other games.
const TRIES: u32 = 3;

/// Kinds for a player without a mistake in a match, in the order in which they are drawn first.
const FIRST_KINDS: [(GamePlan, Mistake); 5] = [
    (GamePlan::Opening, Mistake::OtherPlay),
    (GamePlan::Other, Mistake::MissedHit),
    (GamePlan::Holding, Mistake::MissedDouble),
    (GamePlan::Prime, Mistake::OtherPlay),
    (GamePlan::Race, Mistake::WrongTake),
];

/// A kind that is drawn.
#[derive(Clone, Debug)]
struct WantedKind {
    /// Cards of the kind; the new positions have their scores and cubes in turn.
    like: Vec<Card>,
    /// Its share of the positions.
    weight: f64,
    drawn: u32,
    /// How often it may still be looked for in vain.
    tries: u32,
}

impl WantedKind {
    /// Whether the next position is one with a right double, or a right pass. Of two in turn one
    /// is; `seed` decides which.
    fn is_next_called(&self, seed: u64) -> bool {
        let pair = self.drawn / 2;
        let is_first = (seed >> (pair % u64::BITS)) & 1 == 0;
        self.drawn.is_multiple_of(2) == is_first
    }

    /// Whether its positions ask for a double or an answer to one.
    fn is_of_cube(&self) -> bool {
        self.like.first().is_some_and(|card| card.kind.mistake.is_cube())
    }
}

/// Draws new positions from games of the net with itself.
///
/// The kinds share the positions by what they have cost, by the method of d'Hondt. The loss of each
/// kind is divided by the number of positions that the kind would then have. The next position is
/// of the kind with the largest result. A kind that does not occur in 120 games is left out.
///
/// A new position has the score and the cube of one of the cards of its kind, each in turn. Every
/// second play is one for money.
///
/// In a position with a play, people of the player's PR miss the best play in at least two of ten
/// cases, by [`HumanChoice`]. This does not hold if 80 games have no such position. In the same way
/// every second double of a kind is right, and every second answer is a pass. These doubles and
/// answers lead by at most 0.2 points.
///
/// The positions follow from the deck, the seed and the engine.
#[derive(Clone, Debug)]
pub struct Draw {
    kinds: Vec<WantedKind>,
    /// Opening rolls and replies that are still to be asked.
    openings: Openings,
    /// Positions that are not drawn again.
    known: HashSet<String>,
    seed: u64,
    /// How people of the player's strength choose.
    people: HumanChoice,
    /// The number of the position, and of the next game for it.
    at: (u64, u64),
}

impl Draw {
    /// Draws positions of the kinds of mistakes that have cost most in the matches of a deck.
    /// Without such a mistake they are of five frequent kinds in turn, for money.
    #[must_use]
    pub fn of_costliest(deck: &Deck, seed: u64) -> Draw {
        let own = |card: &&Card| matches!(card.origin, CardOrigin::Match { .. });
        let mut cards = deck.cards.iter().filter(own).peekable();
        if cards.peek().is_some() {
            return Draw::new(deck, cards.map(|card| (f64::from(card.loss), card)), 1, seed);
        }
        // A little more weight puts a kind before the next one.
        let weights = (0..FIRST_KINDS.len()).rev().map(|place| 1.0 + 0.01 * place as f64);
        let cards = FIRST_KINDS.map(|(plan, mistake)| first_card(plan, mistake));
        Draw::new(deck, weights.zip(&cards), 1, seed)
    }

    /// Draws positions for a test: of the mixture of kinds that the first test has had, otherwise
    /// of the kinds that have cost most. Doubles and answers to them have at least a fifth of the
    /// first test's weight, even if they have cost nothing so far.
    #[must_use]
    pub fn for_test(deck: &Deck, seed: u64) -> Draw {
        if let Some(first) = deck.tests.iter().find(|test| test.is_done()) {
            return Draw::new(deck, first.cards().map(|card| (1.0, card)), TRIES, seed);
        }
        let mut draw = Draw::of_costliest(deck, seed);
        let weight_of = |of_cube: bool| -> f64 {
            let kinds = draw.kinds.iter().filter(|kind| kind.is_of_cube() == of_cube);
            kinds.map(|kind| kind.weight).sum()
        };
        let [plays, cube] = [false, true].map(weight_of);
        // A part s of all is s / (1 - s) of the rest.
        let missing = plays * CUBE_PART / (1.0 - CUBE_PART) - cube;
        if missing > 0.0 {
            let of_cube = || FIRST_KINDS.into_iter().filter(|(_, mistake)| mistake.is_cube());
            let weight = missing / of_cube().count() as f64;
            draw.kinds.extend(of_cube().map(|(plan, mistake)| WantedKind {
                like: vec![first_card(plan, mistake)],
                weight,
                drawn: 0,
                tries: 1,
            }));
        }
        draw
    }

    /// Draws the opening rolls, then replies to their best plays, for money.
    ///
    /// Only those come that the player was not asked yet, in an order that follows from the seed. A
    /// reply is asked if its best play is ahead by 0.04 points.
    #[must_use]
    pub fn of_openings(deck: &Deck, seed: u64) -> Draw {
        Draw { openings: Openings::new(seed), ..Draw::new(deck, std::iter::empty(), 0, seed) }
    }

    /// `cards` with what each adds to the weight of its kind.
    fn new<'a>(
        deck: &Deck,
        cards: impl Iterator<Item = (f64, &'a Card)>,
        tries: u32,
        seed: u64,
    ) -> Draw {
        let mut kinds: BTreeMap<(&str, &str), WantedKind> = BTreeMap::new();
        for (weight, card) in cards {
            let kind = (card.kind.plan.name(), card.kind.mistake.idea());
            let none = WantedKind { like: Vec::new(), weight: 0.0, drawn: 0, tries };
            let kind = kinds.entry(kind).or_insert(none);
            kind.weight += weight;
            kind.like.push(card.clone());
            kind.like.extend(for_money(card));
        }
        let cards = deck.cards.iter().chain(&deck.drawn);
        let known = cards.map(|card| &card.xgid);
        let known = known.chain(deck.answers.iter().map(|answer| &answer.xgid));
        let tested = deck.tests.iter().flat_map(PracticeTest::cards);
        let known = known.chain(tested.map(|card| &card.xgid)).cloned().collect();
        let people = HumanChoice::of_pr(deck.pr().unwrap_or(MIDDLE_PR));
        let kinds = kinds.into_values().collect();
        Draw { kinds, openings: Openings::default(), known, seed, people, at: (0, 0) }
    }

    /// The kind that is next to be drawn.
    fn next_kind(&mut self) -> Option<&mut WantedKind> {
        let worth = |kind: &WantedKind| kind.weight / f64::from(kind.drawn + 1);
        let open = self.kinds.iter_mut().filter(|kind| kind.tries > 0);
        // The first of equal ones.
        open.reduce(|best, kind| if worth(kind) > worth(best) { kind } else { best })
    }

    /// Whether no kind can be drawn any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.openings.is_empty() && self.kinds.iter().all(|kind| kind.tries == 0)
    }

    /// Looks at the next opening, or through the next game. Its best decision is ahead by 0.08
    /// points at 1-ply and at the depth of `engine`, at least at 2-ply. `None` if nothing was found
    /// there, a score is beyond the match equity table, or the work was stopped.
    pub fn step(&mut self, engine: &Engine, progress: &Progress) -> Option<Card> {
        if !self.openings.is_empty() {
            let card = self.openings.next(&self.known, engine)?;
            return self.known.insert(card.xgid.clone()).then_some(card);
        }
        let (position, game) = self.at;
        let number = position.wrapping_mul(STRIDE).wrapping_add(game);
        let (seed, people) = (self.seed, self.people);
        let known = std::mem::take(&mut self.known);
        let kind = self.next_kind();
        let found = kind.as_ref().and_then(|kind| {
            let like = &kind.like[kind.drawn as usize % kind.like.len()];
            let is_called = kind.is_next_called(seed);
            let hard = (game < HARD_GAMES).then_some(HardQuestion { people, is_called });
            let wanted = WantedPosition { like, known: &known, hard };
            new_position(engine, &wanted, [seed, number], progress)
        });
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

/// A stand-in for a card of a kind, for money with the cube in the middle.
fn first_card(plan: GamePlan, mistake: Mistake) -> Card {
    Card {
        xgid: GameState::money(Position::START).xgid(),
        kind: MistakeKind { plan, mistake, score: ScoreKind::Money },
        made: String::new(),
        best: String::new(),
        loss: 0.0,
        origin: CardOrigin::SelfPlay,
        figures: None,
        memory: None,
    }
}

/// The same play for money, the cube in the middle; `None` if it is one already, or about the cube.
fn for_money(card: &Card) -> Option<Card> {
    let state = card.state().ok()?;
    let is_match = state.state.scoring.away().is_some();
    (is_match && !card.kind.mistake.is_cube()).then(|| {
        let money = match state.dice() {
            Some(dice) => GameState::money(state.position).with_dice(dice),
            None => GameState::money(state.position),
        };
        let kind = MistakeKind { score: ScoreKind::Money, ..card.kind };
        Card { xgid: money.xgid(), kind, ..card.clone() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_test_asks_about_the_cube_even_if_that_has_cost_nothing() {
        let part_of_cube = |mistakes: &[Mistake]| {
            let mut deck = Deck::new("Ann");
            let of_match = |mistake| Card {
                loss: 0.3,
                origin: CardOrigin::Match { key: 7, opponent: "bob".to_owned(), game: 1, roll: 1 },
                ..first_card(GamePlan::Prime, mistake)
            };
            deck.cards.extend(mistakes.iter().copied().map(of_match));
            let draw = Draw::for_test(&deck, 1);
            let weight = |kinds: &mut dyn Iterator<Item = &WantedKind>| -> f64 {
                kinds.map(|kind| kind.weight).sum()
            };
            let cube = weight(&mut draw.kinds.iter().filter(|kind| kind.is_of_cube()));
            cube / weight(&mut draw.kinds.iter())
        };
        let of_plays = part_of_cube(&[Mistake::OtherPlay, Mistake::MissedHit]);
        assert!((of_plays - CUBE_PART).abs() < 1e-9, "{of_plays}");
        let both = part_of_cube(&[Mistake::OtherPlay, Mistake::MissedDouble]);
        assert!((both - 0.5).abs() < 1e-6, "{both}");
        assert!(part_of_cube(&[]) > CUBE_PART);
    }
}
