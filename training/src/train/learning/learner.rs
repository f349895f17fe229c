//! The learner: a team in training with its optimizer state, which learns from finished games.

use std::cmp::Reverse;

use rayon::prelude::*;

use crate::train::learning::eligibility_traces::learn_online;
use crate::train::learning::net_learner::NetLearner;
use crate::train::learning::rule::UpdateTiming;
use crate::train::learning::targets::{Example, TargetsTask};
use crate::train::learning::update_rule::UpdateRule;
use crate::train::learning_curve::BatchStats;
use nonet_engine::class::ByClass;
use nonet_engine::eval::Specialists;
use nonet_engine::game::Game;
use nonet_engine::progress::Progress;

/// A team in training.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    /// The team.
    pub team: Specialists,
    /// The team with the exponential moving average of the weights, if it is kept.
    pub ema: Option<Specialists>,
    /// Optimizer and replay state, one for each net of the team.
    net_learners: Vec<NetLearner>,
}

impl Learner {
    /// A team that has not learned yet, and the start of its moving average.
    #[must_use]
    pub fn new(team: Specialists, ema: Option<Specialists>) -> Learner {
        let net_learners = vec![NetLearner::default(); team.nets().len()];
        Learner { team, ema, net_learners }
    }

    /// A team that continues to learn with the state of [`Learner::net_learners`]; `None` if there
    /// is not one state for each net.
    #[must_use]
    pub fn resume(
        team: Specialists,
        ema: Option<Specialists>,
        net_learners: Vec<NetLearner>,
    ) -> Option<Learner> {
        (net_learners.len() == team.nets().len()).then_some(Learner { team, ema, net_learners })
    }

    /// Optimizer and replay state, one for each net of the team.
    #[must_use]
    pub fn net_learners(&self) -> &[NetLearner] {
        &self.net_learners
    }

    /// Learns from games in order.
    ///
    /// Offline, each game is learned from its last position to its first, as many times as the rule
    /// says. Online, it is learned from its first position to its last.
    ///
    /// Offline targets are computed with the weights at the start of the call. The static
    /// evaluations in the games must come from the same weights. Each net gets its own examples in
    /// a fixed order. So nets learn in parallel, and the result does not depend on the number of
    /// threads.
    ///
    /// # Panics
    /// If games are learned offline by [`Successor::OwnTurn`] and one has no outcome, or if the
    /// [`ReplayConfig`] has the capacity 0.
    ///
    /// [`Successor::OwnTurn`]: crate::train::Successor::OwnTurn
    /// [`ReplayConfig`]: crate::train::ReplayConfig
    pub fn learn(&mut self, games: &[Game], update: &UpdateRule) -> BatchStats {
        let learned = self.learn_shared(games, update, &Progress::default());
        learned.expect("nothing stops this work")
    }

    /// Learns as [`Learner::learn`] does; whoever does the work of `progress` makes the targets.
    /// Its count is not changed. `None` if it was stopped before the targets were made: nothing has
    /// changed then.
    ///
    /// # Panics
    /// As [`Learner::learn`].
    pub fn learn_shared(
        &mut self,
        games: &[Game],
        update: &UpdateRule,
        progress: &Progress,
    ) -> Option<BatchStats> {
        let stats = match update.rule.timing() {
            UpdateTiming::Offline => self.learn_offline(games, update, progress)?,
            UpdateTiming::Online => learn_online(&mut self.team, games, update),
        };
        if let Some(ema) = &mut self.ema {
            let nets = ema.nets_mut().par_iter_mut().zip(self.team.nets());
            nets.for_each(|(ema, net)| ema.mlp.ema_towards(&net.mlp, update.ema_step));
        }
        Some(stats)
    }

    fn learn_offline(
        &mut self,
        games: &[Game],
        update: &UpdateRule,
        progress: &Progress,
    ) -> Option<BatchStats> {
        let task = TargetsTask::new(&self.team, games, update);
        let parts = progress.share(&task, 0..games.len() as u64)?;
        let examples: Vec<Vec<Example>> = parts.into_iter().flatten().collect();
        let owner = ByClass::new(|class| self.team.net_of(class));
        let mut sizes = vec![0; self.team.nets().len()];
        for example in examples.iter().flatten() {
            sizes[owner[example.class]] += 1_u64;
        }
        let mut nets: Vec<_> =
            self.team.nets_mut().iter_mut().zip(&mut self.net_learners).enumerate().collect();
        // The longest work first, or one thread would begin with it when the others have finished.
        nets.sort_by_key(|(place, _)| Reverse(sizes[*place]));
        let learned: Vec<BatchStats> = nets
            .into_par_iter()
            .with_max_len(1)
            .map(|(place, (net, net_learner))| {
                let own = |example: &&Example| owner[example.class] == place;
                let examples = examples.iter().flat_map(|game| game.iter().rev()).filter(own);
                net_learner.learn(place, net, examples, update)
            })
            .collect();
        let mut all = BatchStats::default();
        for stats in learned {
            all.add(&stats);
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::learning::rule::{Rule, TargetRule};
    use crate::train::{GameSource, GeneratedGames, Seats};
    use nonet_engine::backgammon::{Outcome, Position, Results, Seat};
    use nonet_engine::class::Class;
    use nonet_engine::eval::{Architecture, Evaluation, Evaluator};
    use nonet_engine::features::SparseInputs;
    use nonet_engine::game::{StreamPurpose, stream};
    use nonet_engine::nn::{ForwardCache, Mlp, Network};
    use nonet_engine::search::{FullWidth, Leaf, principal_leaves};

    fn team() -> Specialists {
        Specialists::random(&Architecture::ALL[0], &mut stream(2, StreamPurpose::Weights, 0))
    }

    fn update(rule: Rule) -> UpdateRule<'static> {
        UpdateRule::new(rule, 1e-3, 0.5)
    }

    fn position() -> Position {
        // Some rolls bear off, some stay: the leaves belong to several classes.
        Position::from_sides(&[(7, 2), (3, 2)], &[(19, 1), (6, 2), (2, 2)]).expect("legal")
    }

    fn principal(team: &Specialists, position: &Position) -> Vec<Leaf> {
        let mut ends = Vec::new();
        principal_leaves(team, position, &mut Results::default(), &mut Vec::new(), |leaf, _| {
            ends.push(leaf)
        });
        ends
    }

    /// The 2-ply value with fixed leaves, head by head.
    fn value(team: &Specialists, ends: &[Leaf]) -> Evaluation {
        ends.iter().fold(Evaluation::ZERO, |sum, leaf| {
            sum.plus(&team.evaluate(&leaf.position).flipped(), leaf.weight)
        })
    }

    /// What the nets say of an unfinished position, with chances that the rules exclude.
    fn output(team: &Specialists, position: &Position) -> Evaluation {
        let net = &team.nets()[team.net_of(Class::of(position))];
        let (mut inputs, mut cache) = (SparseInputs::default(), ForwardCache::default());
        net.encoding.encode(position, &mut inputs);
        net.evaluation(&net.mlp.forward(inputs.indices(), inputs.values(), &mut cache))
    }

    #[test]
    fn the_value_of_leaves_is_the_two_ply_value() {
        let team = team();
        let slow = value(&team, &principal(&team, &position()));
        let fast = FullWidth(&team).evaluate(&position());
        assert!(
            slow.heads().iter().zip(fast.heads()).all(|(a, b)| (a - b).abs() < 1e-5),
            "{slow:?} {fast:?}"
        );
    }

    #[test]
    fn a_tdleaf_step_is_the_gradient_of_the_two_ply_value_by_finite_differences() {
        let before = team();
        let ends = principal(&before, &position());
        let target = Evaluation::of_outcome(Outcome::WinGammon);
        let difference = target.plus(&value(&before, &ends), -1.0).flipped();
        // Each leaf gets the difference, and what the rules change of its own output.
        let steps: Vec<(&Leaf, Evaluation)> = (ends.iter())
            .filter(|leaf| leaf.position.outcome().is_none())
            .map(|leaf| {
                let raw = output(&before, &leaf.position);
                let lawful = before.evaluate(&leaf.position);
                (leaf, difference.plus(&lawful.plus(&raw, -1.0), 1.0))
            })
            .collect();
        let mut learner = Learner::new(before.clone(), None);
        let game = Game::without_evals(vec![position()], Some(Outcome::WinGammon), Seat::X);
        let stats = learner.learn(&[game], &update(Rule::of(TargetRule::TdLeaf)));
        assert_eq!(stats.examples.values().sum::<u64>(), 21);
        let goal = |team: &Specialists| -> f32 {
            let along = |(leaf, step): &(&Leaf, Evaluation)| {
                let heads = output(team, &leaf.position).heads();
                let sum: f32 = heads.iter().zip(step.heads()).map(|(v, d)| v * d).sum();
                leaf.weight * sum
            };
            steps.iter().map(along).sum()
        };
        let mut nets_moved = 0;
        for (place, net) in before.nets().iter().enumerate() {
            let start: Vec<f32> = net.mlp.to_weights().values().collect();
            let end: Vec<f32> = learner.team.nets()[place].mlp.to_weights().values().collect();
            let mut moved: Vec<usize> = (0..start.len()).collect();
            moved.sort_by(|a, b| {
                (end[*b] - start[*b]).abs().total_cmp(&(end[*a] - start[*a]).abs())
            });
            nets_moved += usize::from(end != start);
            for &i in moved.iter().take(12).filter(|&&i| end[i] != start[i]) {
                let at = |shift: f32| {
                    let mut weights = start.clone();
                    weights[i] += shift;
                    let mut team = before.clone();
                    let (shape, units) = (net.mlp.shape(), net.mlp.activations());
                    let dense = nonet_engine::nn::Weights::from_values(
                        shape,
                        units,
                        &mut weights.into_iter(),
                    );
                    team.nets_mut()[place].mlp = Mlp::from_weights(&dense.expect("enough"));
                    goal(&team)
                };
                let slope = (at(0.02) - at(-0.02)) / 0.04;
                let step = (end[i] - start[i]) / 1e-3;
                assert!(
                    (step - slope).abs() < 0.02 * slope.abs() + 2e-3,
                    "net {place} weight {i}: {step} for {slope}"
                );
            }
        }
        assert!(nets_moved >= 2, "the leaves belong to {nets_moved} nets");
    }

    #[test]
    fn tdleaf_learns_from_nothing_at_the_usual_rate() {
        let mut learner = Learner::new(team(), None);
        let mut source = GeneratedGames {
            seed: 1,
            plies: nonet_engine::search::Plies::ONE,
            epsilon: 0.0,
            starts: None,
            seats: Seats::SelfPlay,
        };
        let mut error = [0.0; 2];
        for batch in 0..10 {
            let games = source.games(8 * batch..8 * batch + 8, &learner.team).expect("games").games;
            let update = UpdateRule::new(Rule::of(TargetRule::TdLeaf), 0.01, 0.6);
            let stats = learner.learn(&games, &update);
            let all: f64 = stats.squared_error.values().sum();
            error[usize::from(batch > 4)] += all;
        }
        assert!(error[1].is_finite() && error[1] < error[0], "{error:?}");
        let start = learner.team.evaluate(&Position::START);
        assert!(start.equity().abs() < 1.0, "{start:?}");
    }

    #[test]
    fn a_teacher_makes_the_targets() {
        let certain = nonet_engine::eval::ScriptedEvaluator(|_: &Position| {
            Evaluation::of_outcome(Outcome::WinGammon)
        });
        let game =
            Game::without_evals(vec![Position::START, position()], Some(Outcome::Win), Seat::X);
        let mut learner = Learner::new(team(), None);
        // With lambda 0 the target of the start position is the mirror of the teacher's value of
        // the next one: a gammon lost.
        let rule = UpdateRule { teacher: Some(&certain), ..UpdateRule::plain(0.1, 0.0) };
        for _ in 0..60 {
            learner.learn(std::slice::from_ref(&game), &rule);
        }
        let learned = learner.team.evaluate(&Position::START);
        assert!((learned.equity() + 2.0).abs() < 0.1, "{learned:?}");
    }

    #[test]
    fn static_evaluations_in_games_do_not_change_what_is_learned() {
        let mut source = GeneratedGames {
            seed: 1,
            plies: nonet_engine::search::Plies::ONE,
            epsilon: 0.0,
            starts: None,
            seats: Seats::SelfPlay,
        };
        let mut games = source.games(0..2, &team()).expect("games").games;
        let learned = [(); 2].map(|()| {
            let mut learner = Learner::new(team(), None);
            let stats = learner.learn(&games, &update(Rule::TD));
            games.iter_mut().for_each(|game| game.static_evals.fill(None));
            (learner, stats)
        });
        let [with, without] = learned;
        assert_eq!(with, without);
    }

    #[test]
    fn nets_without_an_example_do_not_change() {
        let mut learner = Learner::new(team(), None);
        let start = Game::without_evals(vec![Position::START], Some(Outcome::Win), Seat::X);
        let stats = learner.learn(&[start], &update(Rule::TD));
        let class = Class::of(&Position::START);
        for (place, (net, old)) in learner.team.nets().iter().zip(team().nets()).enumerate() {
            assert_eq!(net == old, place != learner.team.net_of(class), "{}", net.name);
        }
        assert_eq!(stats.examples[class], 1);
    }
}
