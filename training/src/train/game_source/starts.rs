//! Games that begin elsewhere than at the start position, so that rare positions are learned from
//! more often.

use serde::{Deserialize, Serialize};

use super::exploration::EpsilonPlayer;
use super::start_kind::StartKind;
use nonet_engine::backgammon::{Position, Results};
use nonet_engine::class::Class;
use nonet_engine::eval::{Evaluation, Specialists};
use nonet_engine::game::{
    MAX_TURNS, MoveChoice, Player, StreamPurpose, below, chance, opening_roll, roll, stream,
};

/// Which games begin elsewhere than at the start position, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Starts {
    /// Where games begin, each equally often.
    pub kinds: Vec<StartKind>,
    /// The probability that a game begins at one of them, 0..=1.
    pub chance: f32,
}

/// Games that are searched for a position of the class before a game begins at the start position
/// after all.
const TRIES: usize = 40;

/// The probability of the second best play in these games: more kinds of positions than play at its
/// best reaches.
const EPSILON: f32 = 0.3;

impl Starts {
    /// Where a game begins; `None` for the start position.
    ///
    /// It begins at a drawn position, at the start of a variant, or at the first position of a
    /// class. That position comes from a game that the learner plays against itself, with dice of
    /// its own.
    pub(super) fn draw(&self, learner: &Specialists, seed: u64, number: u64) -> Option<Position> {
        let mut rng = stream(seed, StreamPurpose::Start, number);
        if self.kinds.is_empty() || !chance(f64::from(self.chance), &mut rng) {
            return None;
        }
        let class = match self.kinds[below(self.kinds.len(), &mut rng)] {
            StartKind::Class(class) => class,
            StartKind::Drawn(kind) => return Some(kind.draw(&mut rng)),
            StartKind::Variant(variant) => return Some(variant.start()),
        };
        let player = EpsilonPlayer { chooser: learner, chance: EPSILON };
        let (mut results, mut values) = (Results::default(), Vec::<Evaluation>::new());
        for _ in 0..TRIES {
            let (mut position, mut dice) = (Position::START, opening_roll(&mut rng).1);
            for _ in 0..MAX_TURNS {
                let results = results.of(&position, dice);
                let choice = if results.len() == 1 {
                    0
                } else {
                    let decision = MoveChoice { position: &position, dice, results, context: None };
                    player.choose(&decision, &mut values, &mut rng)
                };
                position = results[choice];
                if position.outcome().is_some() {
                    break;
                }
                if Class::of(&position) == class {
                    return Some(position);
                }
                dice = roll(&mut rng);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{GameSource, GeneratedGames, Seats};
    use nonet_engine::eval::Architecture;
    use nonet_engine::search::Plies;

    fn team() -> Specialists {
        Specialists::random(&Architecture::ALL[0], &mut stream(1, StreamPurpose::Weights, 0))
    }

    fn games(starts: Option<Starts>) -> Vec<nonet_engine::game::Game> {
        let (plies, epsilon, seats) = (Plies::ONE, 0.0, Seats::SelfPlay);
        let mut source = GeneratedGames { seed: 4, plies, epsilon, starts, seats };
        source.games(0..40, &team()).expect("games").games
    }

    #[test]
    fn games_begin_in_the_chosen_classes_as_often_as_asked_and_are_whole() {
        let rare = ["backgame", "prime"].map(|slug| slug.parse::<Class>().expect("a class"));
        let starts = Starts { kinds: rare.map(StartKind::Class).to_vec(), chance: 0.5 };
        let games = games(Some(starts));
        let first = |class: Class| {
            games.iter().filter(|game| Class::of(&game.positions[0]) == class).count()
        };
        let (one, other) = (first(rare[0]), first(rare[1]));
        let opening = games.iter().filter(|game| game.positions[0] == Position::START).count();
        assert_eq!(opening + one + other, 40);
        assert!((10..=30).contains(&opening) && one >= 3 && other >= 3, "{one} and {other}");
        assert!(games.iter().all(|game| game.outcome.is_some()));
    }

    #[test]
    fn games_begin_at_drawn_positions_and_are_whole() {
        let kinds = ["several-caught", "closed-board"].map(|name| name.parse().expect("a kind"));
        let games = games(Some(Starts { kinds: kinds.to_vec(), chance: 1.0 }));
        assert!(games.iter().all(|game| game.positions[0] != Position::START));
        assert!(games.iter().all(|game| game.outcome.is_some()));
    }

    #[test]
    fn games_of_hypergammon_have_three_checkers_to_their_end() {
        let kinds = vec!["hypergammon".parse().expect("a kind")];
        let games = games(Some(Starts { kinds, chance: 1.0 }));
        let all = || games.iter().flat_map(|game| &game.positions);
        assert!(all().all(|position| position.checkers_at_start() == 3));
        assert!(games.iter().any(|game| game.outcome.is_some_and(|end| end.points().abs() > 1)));
    }

    #[test]
    fn a_game_that_begins_at_the_start_position_is_the_one_without_starts() {
        let rare = "backgame".parse::<StartKind>().expect("a class");
        let without = games(None);
        let with = games(Some(Starts { kinds: vec![rare], chance: 0.5 }));
        let same = with.iter().zip(&without).filter(|(with, without)| with == without).count();
        let opening = with.iter().filter(|game| game.positions[0] == Position::START).count();
        assert!(same == opening && (1..40).contains(&same), "{same} of {opening}");
        assert_eq!(games(Some(Starts { kinds: vec![rare], chance: 0.0 })), without);
    }
}
