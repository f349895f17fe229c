//! What a finished game says about each of its positions.

use std::sync::Arc;

use super::method::UpdateAt;
use super::returns::lambda_returns;
use super::update_rule::{UnforeseenGains, UpdateRule};
use crate::backgammon::{Dice, Position, Results};
use crate::bearoff::BearoffEvaluator;
use crate::class::Class;
use crate::eval::Evaluation;
use crate::eval::{Evaluator, best_result};
use crate::game::Game;
use crate::search::{FullWidth, Plies, Search, SearchSettings, principal_leaves};

/// One gradient step to be made.
#[derive(Clone, Copy)]
pub(super) struct Example {
    pub(super) position: Position,
    pub(super) class: Class,
    pub(super) target: Target,
}

/// Where a step leads.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// From the prediction of the moment, squashed if the rule says so, towards this value.
    Value(Evaluation),
    /// From the prediction of the moment towards `to`, by the share that this leaf has in a value that several make up.
    ///
    /// `to` is where the whole difference would bring the leaf by itself. What it has come nearer since the targets were
    /// made, in the same batch, counts as come nearer by all leaves: a step by a fixed amount would be made again and again
    /// by each of the many like leaves of a batch, and such learning grows beyond all bounds.
    Share {
        /// The value that it heads for.
        to: Evaluation,
        /// The chance of the leaf's roll.
        share: f32,
    },
}

/// What a game is studied with: buffers.
#[derive(Default)]
pub(super) struct TargetBuilder {
    /// The judgements that targets are made of, squashed if the rule says so.
    pub(super) values: Vec<Evaluation>,
    /// Whether the difference from each position to the next is to be left out.
    pub(super) dropped: Vec<bool>,
    targets: Vec<Evaluation>,
    results: Results,
    replies: Vec<Evaluation>,
    /// Positions that are judged for want of a judgement.
    unknown: Vec<Position>,
}

impl TargetBuilder {
    pub(super) fn of_game(
        &mut self,
        team: &dyn Evaluator,
        game: &Game,
        rule: &UpdateRule,
    ) -> Vec<Example> {
        match rule.update {
            UpdateAt::Position => self.of_positions(team, game, rule),
            UpdateAt::Leaves => self.of_leaves(team, game, rule),
            UpdateAt::RootStrap => self.of_backups(team, game, rule),
        }
    }

    fn of_positions(
        &mut self,
        team: &dyn Evaluator,
        game: &Game,
        rule: &UpdateRule,
    ) -> Vec<Example> {
        match rule.teacher {
            Some(teacher) => teacher.evaluate_batch(&game.positions, &mut self.values),
            None => self.evaluate(team, game),
        }
        self.set_targets(team, game, rule);
        let pairs = game.positions.iter().zip(&self.targets);
        pairs.map(|(position, target)| Example::new(position, Target::Value(*target))).collect()
    }

    /// What the team thinks of each position. Mostly it has said so when it played.
    fn evaluate(&mut self, team: &dyn Evaluator, game: &Game) {
        let pairs = || game.positions.iter().zip(&game.static_evals);
        let unknown = pairs().filter(|(_, static_eval)| static_eval.is_none());
        self.unknown.clear();
        self.unknown.extend(unknown.map(|(position, _)| *position));
        team.evaluate_batch(&self.unknown, &mut self.replies);
        let mut found = self.replies.iter();
        self.values.clear();
        self.values.extend(
            pairs().filter_map(|(_, static_eval)| static_eval.or_else(|| found.next().copied())),
        );
    }

    /// The prediction of a position is the mean of its leaves, so the difference is shared out among them, each turned to
    /// the side that is on roll there and weighed with the chance of its roll.
    fn of_leaves(&mut self, team: &dyn Evaluator, game: &Game, rule: &UpdateRule) -> Vec<Example> {
        let mut own = Vec::with_capacity(game.positions.len());
        let mut ends = Vec::with_capacity(21 * game.positions.len());
        for position in &game.positions {
            let mut mean = Evaluation::ZERO;
            principal_leaves(
                team,
                position,
                &mut self.results,
                &mut self.replies,
                |leaf, value| {
                    mean = mean.plus(&value.flipped(), leaf.weight);
                    ends.push((leaf, *value));
                },
            );
            own.push(mean);
        }
        match rule.teacher {
            Some(teacher) => FullWidth(teacher).evaluate_batch(&game.positions, &mut self.values),
            None => self.values.clone_from(&own),
        }
        self.set_targets(team, game, rule);
        let mut examples = Vec::with_capacity(ends.len());
        for ((target, own), ends) in
            self.targets.iter().zip(&own).zip(ends.chunks_exact(Dice::ALL.len()))
        {
            let difference = rule.step(target, own).flipped();
            let open = ends.iter().filter(|(leaf, _)| leaf.position.outcome().is_none());
            examples.extend(open.map(|(leaf, value)| {
                let to = value.plus(&difference, 1.0);
                Example::new(&leaf.position, Target::Share { to, share: leaf.weight })
            }));
        }
        examples
    }

    /// Neither the rolls that fell nor the end of the game count: a position is told what its own 2-ply search says,
    /// which is the one that 2-ply play uses.
    fn of_backups(&mut self, team: &dyn Evaluator, game: &Game, rule: &UpdateRule) -> Vec<Example> {
        let judge = rule.teacher.unwrap_or(team);
        let learned =
            |position: &&Position| rule.classes.is_none_or(|classes| classes[Class::of(position)]);
        self.unknown.clear();
        self.unknown.extend(game.positions.iter().filter(learned));
        let known =
            rule.endings.map(|databases| BearoffEvaluator::new(judge, Arc::clone(databases)));
        let judge = known.as_ref().map_or(judge, |known| known as &dyn Evaluator);
        let search = Search::new(judge, Plies::TWO, SearchSettings::NORMAL);
        search.evaluate_batch(&self.unknown, &mut self.values);
        let pairs = self.unknown.iter().zip(&self.values);
        let target = |value| Target::Value(rule.squashed(value));
        pairs.map(|(position, value)| Example::new(position, target(value))).collect()
    }

    /// The lambda returns of what is in `values`.
    fn set_targets(&mut self, team: &dyn Evaluator, game: &Game, rule: &UpdateRule) {
        self.values.iter_mut().for_each(|value| *value = rule.squashed(value));
        let end = game.outcome.map(|outcome| rule.squashed(&Evaluation::of_outcome(outcome)));
        self.find_unforeseen_gains(team, game, rule);
        let TargetBuilder { values, dropped, targets, .. } = self;
        lambda_returns(values, end.as_ref(), rule.lambda, |t| dropped[t], targets);
    }

    /// Which differences are a gain for the side that did not move, from a play that `team` would not have chosen with any
    /// roll that allows it; none unless the rule asks for them. Reads `values`.
    pub(super) fn find_unforeseen_gains(
        &mut self,
        team: &dyn Evaluator,
        game: &Game,
        rule: &UpdateRule,
    ) {
        self.dropped.clear();
        self.dropped.resize(game.positions.len(), false);
        let UnforeseenGains::Drop(ply) = rule.surprises else { return };
        let full_width = FullWidth(team);
        let chooser: &dyn Evaluator = if ply <= 1 { team } else { &full_width };
        for (t, pair) in game.positions.windows(2).enumerate() {
            let [before, after] = [0, 1].map(|i| self.values[t + i].equity());
            // The side on roll afterwards is the one that did not move.
            if after > -before {
                self.dropped[t] = !self.foreseen(chooser, &pair[0], &pair[1]);
            }
        }
    }

    fn foreseen(&mut self, chooser: &dyn Evaluator, before: &Position, after: &Position) -> bool {
        Dice::ALL.into_iter().any(|dice| {
            let found = self.results.of(before, dice);
            found.contains(after) && found[best_result(chooser, found, &mut self.replies)] == *after
        })
    }
}

impl Example {
    pub(super) fn new(position: &Position, target: Target) -> Example {
        Example { position: *position, class: Class::of(position), target }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Outcome, Seat};
    use crate::bearoff::SMALL;
    use crate::class::ByClass;
    use crate::eval::{Architecture, Specialists};
    use crate::game::{GameRunner, Greedy, StreamPurpose, stream};

    fn team(seed: u64) -> Specialists {
        Specialists::random(&Architecture::ALL[0], &mut stream(seed, StreamPurpose::Weights, 0))
    }

    #[test]
    fn a_backup_is_the_mean_over_the_rolls_of_the_best_reply() {
        let own = team(1);
        let (mut dice, mut choices) =
            (stream(3, StreamPurpose::Training, 1), stream(3, StreamPurpose::Choice, 1));
        let game = GameRunner::default()
            .play([&Greedy(&own), &Greedy(&own)], &mut dice, &mut choices)
            .expect("ends");
        let rule = UpdateRule { update: UpdateAt::RootStrap, ..UpdateRule::plain(0.01, 0.0) };
        let examples = TargetBuilder::default().of_game(&own, &game, &rule);
        assert_eq!(examples.len(), game.positions.len());
        // Where no roll has many replies; of more, the search passes over those that PubEval likes least.
        let mut results = Results::default();
        let mut few = |position: &Position| {
            let max_replies = SearchSettings::NORMAL.max_replies;
            Dice::ALL.iter().all(|&dice| results.of(position, dice).len() <= max_replies)
        };
        let narrow: Vec<_> = examples.iter().filter(|example| few(&example.position)).collect();
        assert!(narrow.len() > 3, "{}", narrow.len());
        for example in narrow {
            let Target::Value(target) = example.target else { panic!("a target") };
            let slow = FullWidth(&own).evaluate(&example.position);
            let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-4;
            assert!(target.heads().iter().zip(&slow.heads()).all(near), "{target:?} {slow:?}");
        }
    }

    #[test]
    fn endings_that_are_known_and_classes_that_are_named_make_the_examples() {
        let own = team(1);
        let (mut dice, mut choices) =
            (stream(3, StreamPurpose::Training, 1), stream(3, StreamPurpose::Choice, 1));
        let game = GameRunner::default()
            .play([&Greedy(&own), &Greedy(&own)], &mut dice, &mut choices)
            .expect("ends");
        let classes = Some(ByClass::new(|class| class == Class::Endgame));
        let plain = UpdateRule { update: UpdateAt::RootStrap, ..UpdateRule::plain(0.01, 0.0) };
        let rule = UpdateRule { endings: Some(&SMALL), classes, ..plain };
        let examples = TargetBuilder::default().of_game(&own, &game, &rule);
        let all = game.positions.iter().filter(|position| Class::of(position) == Class::Endgame);
        assert_eq!(examples.len(), all.count());
        assert!(examples.len() > 3, "{}", examples.len());
        for Example { position, class, target } in examples {
            assert_eq!(class, Class::Endgame);
            let (Target::Value(target), Some(exact)) = (target, SMALL.evaluation(&position)) else {
                panic!("a target for a known position");
            };
            // The two distributions are played without regard for each other, the replies with it.
            assert!((target.equity() - exact.equity()).abs() < 0.02, "{target:?} {exact:?}");
        }
    }

    #[test]
    fn only_plays_of_others_surprise() {
        let (own, other) = (team(1), team(2));
        let mut study = TargetBuilder::default();
        let rule =
            UpdateRule { surprises: UnforeseenGains::Drop(1), ..UpdateRule::plain(0.01, 0.6) };
        let (mut ours, mut theirs) = (0, 0);
        for number in 0..4 {
            let (mut dice, mut choices) = (
                stream(3, StreamPurpose::Training, number),
                stream(3, StreamPurpose::Choice, number),
            );
            let players: [&dyn crate::game::Player; 2] = [&Greedy(&own), &Greedy(&other)];
            let game = GameRunner::default().play(players, &mut dice, &mut choices).expect("ends");
            study.of_game(&own, &game, &rule);
            for (t, dropped) in study.dropped.iter().enumerate() {
                let mover = (game.first.index() + t) % 2;
                *(if mover == 0 { &mut ours } else { &mut theirs }) += usize::from(*dropped);
            }
        }
        assert_eq!(ours, 0, "what the learner chose it had foreseen");
        assert!(theirs > 20, "{theirs}");
    }

    #[test]
    fn a_gain_from_a_play_that_was_not_foreseen_is_no_lesson() {
        let own = team(1);
        let (mut study, mut results) = (TargetBuilder::default(), Results::default());
        let start = own.evaluate(&Position::START);
        let mut dropped = 0;
        for next in results.of(&Position::START, Dice::ALL[3]).to_vec() {
            let positions = vec![Position::START, next];
            let game = Game::without_evals(positions, Some(Outcome::Win), Seat::X);
            let drop =
                UpdateRule { surprises: UnforeseenGains::Drop(1), ..UpdateRule::plain(0.01, 0.0) };
            study.of_game(&own, &game, &drop);
            dropped += usize::from(study.dropped[0]);
            // Lambda is 0, so nothing but the next position speaks.
            let next = own.evaluate(&next).flipped();
            assert_eq!(study.targets[0], if study.dropped[0] { start } else { next });
            study.of_game(&own, &game, &UpdateRule::plain(0.01, 0.0));
            assert_eq!(study.targets[0], next);
        }
        assert!(dropped > 0, "some play gives something away");
    }
}
