//! Online TD(lambda): weights change after each position of a game, by eligibility traces.
//!
//! Sutton (Machine Learning 3, 1988) takes the difference d_t = V(s_t+1) - V(s_t), both evaluated
//! with the current weights. The weights gain alpha d_t e_t, where e_t = lambda e_t-1 + the
//! gradient of V(s_t). Here the sign alternates with the player on roll, each head follows its
//! mirrored head, and the positions belong to several nets. The trace is therefore stored as a list
//! of gradients; it is their sum. The plays are not chosen by the changing weights: a source plays
//! whole games in advance.

use pulp::{Simd, WithSimd};

use crate::train::learning::targets::TargetBuilder;
use crate::train::learning::update_rule::UpdateRule;
use crate::train::learning_curve::BatchStats;
use nonet_engine::backgammon::{BoardView, Position};
use nonet_engine::class::Class;
use nonet_engine::eval::Specialists;
use nonet_engine::eval::{Evaluation, HEADS};
use nonet_engine::features::SparseInputs;
use nonet_engine::game::Game;
use nonet_engine::nn::{ForwardCache, ForwardPass, ForwardSnapshot, LearningRates};
use nonet_engine::vectors::dispatch;

/// Gradients with a decay below this are ignored.
const MIN_DECAY: f32 = 1e-6;

/// Learns from games in order, each from its first position to its last.
pub(in crate::train) fn learn_online(
    team: &mut Specialists,
    games: &[Game],
    update: &UpdateRule,
) -> BatchStats {
    let mut stats = BatchStats::default();
    let mut builder = TargetBuilder::default();
    for game in games {
        update.teacher.unwrap_or(team).evaluate_into(&game.positions, &mut builder.values);
        builder.values.iter_mut().for_each(|value| *value = update.rule.squashed(value));
        builder.find_unforeseen_gains(team, game, update);
        let taught = update.teacher.is_some().then_some(builder.values.as_slice());
        let dropped = &builder.dropped;
        stats.add(&dispatch(OnlinePass { team, game, update, taught, dropped }));
    }
    stats
}

/// One pass through a game, from its first position to its last.
struct OnlinePass<'a> {
    team: &'a mut Specialists,
    game: &'a Game,
    update: &'a UpdateRule<'a>,
    /// The teacher's evaluations, squashed if the rule says so; `None` without a teacher.
    taught: Option<&'a [Evaluation]>,
    /// See [`TargetBuilder::dropped`].
    dropped: &'a [bool],
}

/// The gradient of one position's heads.
struct Trace {
    net: usize,
    inputs: SparseInputs,
    snapshot: ForwardSnapshot,
    /// The derivative of each squashed head with respect to the head; 0 for an average head that is
    /// not read.
    slopes: [f32; HEADS],
}

impl WithSimd for OnlinePass<'_> {
    type Output = BatchStats;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> BatchStats {
        let OnlinePass { team, game, update, taught, dropped } = self;
        let mut stats = BatchStats::default();
        let mut traces: Vec<Trace> = Vec::with_capacity(game.positions.len());
        let end =
            game.outcome.map(|outcome| update.rule.squashed(&Evaluation::of_outcome(outcome)));
        for (t, position) in game.positions.iter().enumerate() {
            let (trace, heads) = evaluate_with_trace(team, simd, position, update);
            traces.push(trace);
            let own = update.rule.squashed(&heads);
            // The value of a position obeys the rules, as it does in the step before. What the net
            // says beyond them is taken back below.
            let ruled = update.rule.squashed(&by_the_rules(team, position, heads));
            let value = taught.map_or(ruled, |values| values[t]);
            let next = match (game.positions.get(t + 1), taught) {
                // In a game without an outcome the last position has no target.
                (None, _) => match end {
                    Some(end) => end,
                    None => break,
                },
                (Some(_), Some(values)) => values[t + 1].flipped(),
                (Some(next), None) => {
                    let value = evaluate_with_trace(team, simd, next, update).1;
                    update.rule.squashed(&by_the_rules(team, next, value)).flipped()
                }
            };
            let class = Class::of(position);
            let error = f64::from(next.plus(&own, -1.0).equity());
            stats.examples[class] += 1;
            stats.squared_error[class] += error * error;
            // The position is also moved towards its value: the teacher's own evaluation of it, or
            // what the rules leave of the net's.
            let towards_value = value.plus(&own, -1.0);
            let difference = match dropped[t] {
                true => Evaluation::ZERO,
                false => next.plus(&value, -1.0),
            };
            let mut step = difference;
            let mut decay = 1.0;
            for (age, trace) in traces.iter().rev().enumerate() {
                let weighed = Evaluation::ZERO.plus(&step, decay);
                let whole = if age == 0 { weighed.plus(&towards_value, 1.0) } else { weighed };
                trace.apply(team, simd, &whole, update.rates);
                step = step.flipped();
                decay *= update.lambda;
                if decay < MIN_DECAY {
                    break;
                }
            }
        }
        stats
    }
}

impl Trace {
    #[inline(always)]
    fn apply<S: Simd>(
        &self,
        team: &mut Specialists,
        simd: S,
        step: &Evaluation,
        rates: LearningRates,
    ) {
        let heads = step.heads();
        let mut delta = [0.0; HEADS + 1];
        for head in 0..HEADS {
            delta[head] = heads[head] * self.slopes[head];
        }
        let (index, value) = (self.inputs.indices(), self.inputs.values());
        let mlp = &mut team.nets_mut()[self.net].mlp;
        mlp.sgd_step_at(simd, index, value, &self.snapshot, &delta, rates);
    }
}

/// What the rules leave of a team's evaluation, if it obeys them.
#[inline(always)]
fn by_the_rules(team: &Specialists, position: &Position, heads: Evaluation) -> Evaluation {
    match team.nets()[team.net_of(Class::of(position))].all_outcomes {
        true => heads,
        false => heads.within(position.possible_outcomes()),
    }
}

/// The heads of a position with the current weights, and their gradient.
#[inline(always)]
fn evaluate_with_trace<S: Simd>(
    team: &Specialists,
    simd: S,
    position: &Position,
    update: &UpdateRule,
) -> (Trace, Evaluation) {
    let view = BoardView::of(position);
    let place = team.net_of(Class::of_view(&view));
    let net = &team.nets()[place];
    let (mut inputs, mut hidden) = (SparseInputs::default(), ForwardCache::default());
    net.encoding.encode(position, &mut inputs);
    if let Some(reads) = net.encoding.built_in().and_then(|inputs| update.inputs.mask(inputs)) {
        inputs.retain(|input| reads[usize::from(input)]);
    }
    let heads = net.mlp.forward_with(simd, inputs.indices(), inputs.values(), &mut hidden);
    let value = net.evaluation(&heads);
    let mut slopes = update.rule.slopes(&value);
    if net.reads_outcomes_alone() {
        slopes[0] = 0.0;
    }
    (Trace { net: place, snapshot: net.mlp.snapshot(&hidden), inputs, slopes }, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::learning::learner::Learner;
    use crate::train::learning::rule::{Rule, Squash, TargetRule, UpdateTiming};
    use crate::train::learning::targets::{Successor, Td};
    use nonet_engine::eval::Architecture;
    use nonet_engine::game::{GameRunner, Greedy, StreamPurpose, stream};

    fn team(architecture: &str) -> Specialists {
        let architecture = Architecture::named(architecture).expect("known");
        Specialists::random(&architecture, &mut stream(5, StreamPurpose::Weights, 0))
    }

    fn game(team: &Specialists) -> Game {
        let (mut dice, mut choices) =
            (stream(6, StreamPurpose::Training, 0), stream(6, StreamPurpose::Choice, 0));
        let player = Greedy(team);
        GameRunner::default().play([&player, &player], &mut dice, &mut choices).expect("ends")
    }

    fn moved(team: &Specialists, rule: &UpdateRule, games: &[Game]) -> Vec<f64> {
        let mut learner = Learner::new(team.clone(), None);
        learner.learn(games, rule);
        let weights = |team: &Specialists| -> Vec<f64> {
            team.nets()
                .iter()
                .flat_map(|net| net.mlp.to_weights().values().collect::<Vec<_>>())
                .map(f64::from)
                .collect()
        };
        weights(&learner.team).into_iter().zip(weights(team)).map(|(a, b)| a - b).collect()
    }

    #[test]
    fn with_a_small_rate_online_and_offline_td_lambda_make_the_same_step() {
        // One hidden layer, and two.
        // Softmax outcomes too, which races are evaluated by; and two hidden layers.
        for (name, alpha, lambda, squash) in [
            ("large", 1e-4, 0.0, None),
            ("large", 1e-4, 0.7, None),
            ("large", 1e-4, 1.0, None),
            ("large", 1e-4, 0.7, Some(Squash { scale: 0.5 })),
            ("40/64/128", 1e-4, 0.7, None),
            ("40/64/128", 1e-4, 0.7, Some(Squash { scale: 0.5 })),
            ("128-16/128-16/256-32", 1e-4, 0.7, None),
        ] {
            let team = team(name);
            let games = [game(&team)];
            let [offline, online] = [UpdateTiming::Offline, UpdateTiming::Online].map(|timing| {
                let td = Td { timing, successor: Successor::Turn, side: None };
                let rule = Rule { squash, ..Rule::of(TargetRule::Td(td)) };
                UpdateRule::new(rule, alpha, lambda)
            });
            let (a, b) = (moved(&team, &offline, &games), moved(&team, &online, &games));
            let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            let gap: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
            assert!(length(&a) > 1e-4, "something was learned");
            assert!(
                length(&gap) < 0.02 * length(&a),
                "{name}, lambda {lambda}, {squash:?}: {} apart of {}",
                length(&gap),
                length(&a)
            );
        }
    }
}
