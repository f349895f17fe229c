//! Learning compared with exact values: the true probabilities of small bearoffs, computed here.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::HashMap;
use std::ops::Range;

use nonet::backgammon::{Dice, Position, Results};
use nonet::class::Class;
use nonet::eval::{Architecture, Evaluator, Specialists};
use nonet::game::{GameRunner, Greedy, StreamPurpose, stream};
use nonet::train::{GameBatch, GameSource, Learner, SourceError, UpdateRule};
use rand::Rng;
use rand_pcg::Pcg64;

/// Chance of the player on roll to win, both playing perfectly: the definition, computed by
/// recursion.
#[derive(Default)]
struct Truth {
    known: HashMap<Position, f64>,
}

impl Truth {
    fn win(&mut self, position: &Position) -> f64 {
        if let Some(outcome) = position.outcome() {
            return if outcome.points() > 0 { 1.0 } else { 0.0 };
        }
        if let Some(&known) = self.known.get(position) {
            return known;
        }
        let mut win = 0.0;
        for dice in Dice::ALL {
            let results = Results::default().of(position, dice).to_vec();
            let best = results.iter().map(|next| 1.0 - self.win(next)).fold(0.0, f64::max);
            win += f64::from(dice.weight()) / 36.0 * best;
        }
        self.known.insert(*position, win);
        win
    }
}

/// Two to four checkers of each side on the three lowest points.
fn small_ending(rng: &mut Pcg64) -> Position {
    let mut side = || {
        let mut points = [(1, 0), (2, 0), (3, 0)];
        for _ in 0..rng.random_range(2..=4) {
            points[rng.random_range(0..3)].1 += 1;
        }
        points
    };
    Position::from_sides(&side(), &side()).expect("legal")
}

/// Self-play from small endings.
struct SmallEndings;

impl GameSource for SmallEndings {
    fn games(
        &mut self,
        numbers: Range<u64>,
        learner: &Specialists,
    ) -> Result<GameBatch, SourceError> {
        let (player, mut table) = (Greedy(learner), GameRunner::default());
        let play = |number| {
            let (mut dice, mut choices) = (
                stream(11, StreamPurpose::Training, number),
                stream(11, StreamPurpose::Choice, number),
            );
            let start = small_ending(&mut choices);
            table.play_from([&player, &player], start, &mut dice, &mut choices)
        };
        Ok(GameBatch { games: numbers.filter_map(play).collect(), ..GameBatch::default() })
    }
}

#[test]
fn td_lambda_learns_the_true_probabilities_of_small_bearoffs() {
    let mut truth = Truth::default();
    let mut rng = stream(12, StreamPurpose::Match, 0);
    let positions: Vec<Position> = (0..200).map(|_| small_ending(&mut rng)).collect();
    let preset = Architecture::named("small").expect("known");
    let mut learner =
        Learner::new(Specialists::random(&preset, &mut stream(1, StreamPurpose::Weights, 0)), None);
    let mut error = |team: &Specialists| -> f64 {
        // No gammons here, so the equity is twice the chance to win less one.
        let miss =
            |p: &Position| (f64::from(team.evaluate(p).equity() + 1.0) / 2.0 - truth.win(p)).abs();
        positions.iter().map(miss).sum::<f64>() / positions.len() as f64
    };
    let before = error(&learner.team);
    let mut learned = 0;
    for batch in 0..6_000 {
        let games = SmallEndings.games(batch * 20..(batch + 1) * 20, &learner.team).expect("games");
        let alpha = 0.1 * 0.01_f32.powf(batch as f32 / 6_000.0);
        let rule = UpdateRule::plain(alpha, 0.6);
        let lessons = learner.learn(&games.games, &rule);
        learned += lessons.examples[Class::Endgame];
        assert_eq!(lessons.examples.values().sum::<u64>(), lessons.examples[Class::Endgame]);
    }
    let after = error(&learner.team);
    // As probabilities. An untrained team is as good as one that always says one half.
    assert!(before > 0.2, "{before}");
    assert!(
        after < 0.035,
        "after {learned} positions the mean error is {after:.4}, before it was {before:.4}"
    );
}
