//! A source of games played for training: self-play, learner against expert, or expert against
//! itself.

use std::ops::Range;
use std::sync::Arc;

use super::generated_task::GamesTask;
use super::{GameBatch, GameSource, SourceError, Starts};
use crate::train::options::plan::{Games, TrainPlan};
use nonet_engine::eval::Specialists;
use nonet_engine::game::{Game, Player};
use nonet_engine::progress::Progress;
use nonet_engine::search::Plies;

/// The players of the games that are learned from.
#[derive(Clone)]
pub enum Seats {
    /// The learner plays itself.
    SelfPlay,
    /// The learner plays an expert; they exchange seats after every game. In the games the learner
    /// is [`Seat::X`](nonet_engine::backgammon::Seat).
    Expert(Arc<dyn Player>),
    /// An expert plays itself, and the learner observes.
    Observe(Arc<dyn Player>),
}

/// A [`GameSource`] that plays the games: greedily, or epsilon-greedily in self-play.
#[derive(Clone)]
pub struct GeneratedGames {
    /// The seed of the dice.
    pub seed: u64,
    /// Plies of the learner's search, 1 or 2.
    pub plies: Plies,
    /// Probability that the learner plays the second best result instead of the best one at 1-ply,
    /// 0..=1.
    pub epsilon: f32,
    /// Which games begin elsewhere than at the start position.
    pub starts: Option<Starts>,
    /// The players.
    pub seats: Seats,
}

impl GeneratedGames {
    /// The games that a plan asks for, with these players; `None` if it learns from records.
    #[must_use]
    pub fn of(plan: &TrainPlan, seats: Seats) -> Option<GeneratedGames> {
        let (plies, epsilon) = match plan.games() {
            Games::SelfPlay { plies, epsilon } => (*plies, *epsilon),
            Games::Versus { plies, .. } => (*plies, 0.0),
            Games::Observe(_) => (Plies::ONE, 0.0),
            Games::Records { .. } => return None,
        };
        let starts = plan.spec().starts_plan();
        Some(GeneratedGames { seed: plan.spec().seed, plies, epsilon, starts, seats })
    }
}

impl GameSource for GeneratedGames {
    fn seats(&self) -> Option<&Seats> {
        Some(&self.seats)
    }

    fn games(
        &mut self,
        numbers: Range<u64>,
        learner: &Specialists,
    ) -> Result<GameBatch, SourceError> {
        self.shared_games(numbers, learner, &Progress::default())
    }

    fn shared_games(
        &mut self,
        numbers: Range<u64>,
        learner: &Specialists,
        progress: &Progress,
    ) -> Result<GameBatch, SourceError> {
        let parts = progress.share(&GamesTask { source: self, learner }, numbers);
        let games: Vec<Option<Game>> =
            parts.ok_or(SourceError::Stopped)?.into_iter().flatten().collect();
        if let Seats::Expert(expert) | Seats::Observe(expert) = &self.seats
            && let Some(failure) = expert.failure()
        {
            return Err(failure.clone().into());
        }
        let endless = games.iter().filter(|game| game.is_none()).count() as u64;
        Ok(GameBatch {
            games: games.into_iter().flatten().collect(),
            endless,
            ..GameBatch::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::{Dice, Position, Results, Seat};
    use nonet_engine::eval::{Architecture, Evaluator, PubEval, best_result};
    use nonet_engine::game::{Greedy, StreamPurpose, stream};

    fn team() -> Specialists {
        Specialists::random(&Architecture::ALL[0], &mut stream(1, StreamPurpose::Weights, 0))
    }

    #[test]
    fn a_game_depends_on_its_number_and_not_on_earlier_calls() {
        let team = team();
        let mut source = GeneratedGames {
            seed: 4,
            plies: Plies::ONE,
            epsilon: 0.0,
            starts: None,
            seats: Seats::Observe(Arc::new(PubEval)),
        };
        let all = source.games(0..6, &team).expect("games").games;
        let some = source.games(3..5, &team).expect("games").games;
        assert_eq!(all[3..5], some);
    }

    #[test]
    fn the_second_best_result_is_played_with_probability_epsilon() {
        let team = team();
        let mut source = GeneratedGames {
            seed: 4,
            plies: Plies::ONE,
            epsilon: 0.25,
            starts: None,
            seats: Seats::SelfPlay,
        };
        let games = source.games(0..20, &team).expect("games").games;
        let (mut best, mut second, mut results, mut values) =
            (0, 0, nonet_engine::backgammon::Results::default(), Vec::new());
        for pair in games.iter().flat_map(|game| game.positions.windows(2)) {
            // Rolls are not stored; only positions that a single roll leads to are used.
            let rolls = nonet_engine::backgammon::Dice::ALL.into_iter();
            let led: Vec<_> =
                rolls.filter(|&dice| results.of(&pair[0], dice).contains(&pair[1])).collect();
            let [dice] = led[..] else { continue };
            let found = results.of(&pair[0], dice);
            if found.len() < 2 {
                continue;
            }
            team.evaluate_into(found, &mut values);
            let played = found.iter().position(|result| *result == pair[1]).expect("played");
            let better =
                values.iter().filter(|value| value.equity() < values[played].equity()).count();
            best += usize::from(better == 0);
            second += usize::from(better == 1);
            assert!(better <= 1, "neither the best nor the second best");
        }
        let share = second as f64 / (best + second) as f64;
        assert!((0.2..0.3).contains(&share), "{second} of {}", best + second);
    }

    #[test]
    fn games_contain_the_static_evaluations_of_the_learner_alone() {
        let team = team();
        let mut source = GeneratedGames {
            seed: 4,
            plies: Plies::ONE,
            epsilon: 0.0,
            starts: None,
            seats: Seats::SelfPlay,
        };
        let game = source.games(0..1, &team).expect("games").games.remove(0);
        let mut known = 0;
        for (position, static_eval) in game.positions.iter().zip(&game.static_evals) {
            known += usize::from(static_eval.is_some());
            assert!(static_eval.is_none_or(|value| value == team.evaluate(position)));
        }
        assert_eq!(game.static_evals.len(), game.positions.len());
        assert!(2 * known > game.positions.len(), "{known}");
        source.seats = Seats::Expert(Arc::new(Greedy(team.clone())));
        let games = source.games(0..2, &team).expect("games").games;
        assert!(games.iter().flat_map(|game| &game.static_evals).all(Option::is_none));
    }

    #[test]
    fn an_expert_wins_from_either_seat_against_a_beginner() {
        let team = team();
        let mut source = GeneratedGames {
            seed: 4,
            plies: Plies::ONE,
            epsilon: 0.0,
            starts: None,
            seats: Seats::Expert(Arc::new(PubEval)),
        };
        let games = source.games(0..40, &team).expect("games").games;
        // The learner is the first player, also where it sat in the second seat.
        let points = |parity: usize| {
            games.iter().skip(parity).step_by(2).map(|game| game.points()).sum::<i32>()
        };
        assert!(points(0) < -20 && points(1) < -20, "{} {}", points(0), points(1));
    }

    #[test]
    fn in_games_against_an_expert_the_plays_of_x_are_those_of_the_learner() {
        let mut weights = stream(2, StreamPurpose::Weights, 0);
        let (team, expert) = (team(), Specialists::random(&Architecture::ALL[0], &mut weights));
        let mut source = GeneratedGames {
            seed: 4,
            plies: Plies::ONE,
            epsilon: 0.0,
            starts: None,
            seats: Seats::Expert(Arc::new(Greedy(expert.clone()))),
        };
        let games = source.games(0..4, &team).expect("games").games;
        assert_eq!(games.len(), 4);
        let (mut results, mut values) = (Results::default(), Vec::new());
        // Whether it may be a play of this evaluator, with some roll.
        let mut of = |player: &dyn Evaluator, before: &Position, after: &Position| {
            Dice::ALL.into_iter().any(|dice| {
                let found = results.of(before, dice);
                found.contains(after) && found[best_result(player, found, &mut values)] == *after
            })
        };
        for game in games {
            let seats = Seat::BOTH.into_iter().cycle().skip(game.first.index());
            let mut expected = 0;
            for (pair, seat) in game.positions.windows(2).zip(seats) {
                let [learner, other]: [&dyn Evaluator; 2] = [&team, &expert];
                let (own, theirs) =
                    if seat == Seat::X { (learner, other) } else { (other, learner) };
                assert!(of(own, &pair[0], &pair[1]), "{seat:?}");
                expected += usize::from(!of(theirs, &pair[0], &pair[1]));
            }
            assert!(expected > 10, "the two do not play alike: {expected}");
        }
    }
}
