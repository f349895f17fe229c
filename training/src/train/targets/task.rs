//! The targets of a batch of games as a task that other machines can do. With RootStrap they take most of the time of a run.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Example, Target, TargetBuilder};
use crate::train::method::UpdateAt;
use crate::train::update_rule::{Squash, Successor, UnforeseenGains, UpdateRule};
use nonet_engine::backgammon::{BoardView, Seat};
use nonet_engine::bearoff::BearoffDatabases;
use nonet_engine::class::{ByClass, Class};
use nonet_engine::eval::{
    Evaluator, EvaluatorDescription, QuantizedSpecialists, Specialists, TeamDescription,
};
use nonet_engine::game::{Game, Maker};
use nonet_engine::progress::{Attachments, Progress, RemoteTask, Task, from_bytes, to_bytes};

/// The examples of games, made with one snapshot of the learner. Item `i` is game `i` of the batch.
pub(in crate::train) struct TargetsTask<'a> {
    team: &'a Specialists,
    /// The search for RootStrap targets takes much of the time, so it uses a quantized copy.
    quantized: Option<Arc<QuantizedSpecialists>>,
    games: &'a [Game],
    rule: &'a UpdateRule<'a>,
}

/// The parts of an update rule that targets depend on, and the learner, for another machine.
#[derive(Serialize, Deserialize)]
struct TargetsDescription {
    learner: TeamDescription,
    lambda: f32,
    update: UpdateAt,
    classes: Option<ByClass<bool>>,
    siblings: u32,
    lookahead_lambda: f32,
    rollout_classes: Option<ByClass<bool>>,
    rollout_lambda: f32,
    three_ply_above: Option<f32>,
    squash: Option<Squash>,
    unforeseen: UnforeseenGains,
    successor: Successor,
    side: Option<Seat>,
    teacher: Option<EvaluatorDescription>,
    bearoff: Option<u32>,
}

impl<'a> TargetsTask<'a> {
    pub(in crate::train) fn new(
        team: &'a Specialists,
        games: &'a [Game],
        rule: &'a UpdateRule<'a>,
    ) -> TargetsTask<'a> {
        TargetsTask { team, quantized: quantized(team, rule.update), games, rule }
    }
}

/// The quantized copy that targets of this kind need.
fn quantized(team: &Specialists, update: UpdateAt) -> Option<Arc<QuantizedSpecialists>> {
    (update == UpdateAt::RootStrap).then(|| Arc::new(team.quantized()))
}

fn slice<'a>(games: &'a [Game], numbers: &Range<u64>) -> &'a [Game] {
    &games[numbers.start as usize..numbers.end as usize]
}

impl Task for TargetsTask<'_> {
    const KIND: &'static str = "targets";
    type Part = Vec<Vec<Example>>;

    fn part(&self, numbers: Range<u64>, _: &Progress) -> Option<Vec<Vec<Example>>> {
        let team: &dyn Evaluator = match &self.quantized {
            Some(quantized) => quantized.as_ref(),
            None => self.team,
        };
        let of_game =
            |builder: &mut TargetBuilder, game: &Game| builder.of_game(team, game, self.rule);
        let games = slice(self.games, &numbers);
        Some(games.par_iter().map_init(TargetBuilder::default, of_game).collect())
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<Vec<u8>> {
        let UpdateRule {
            lambda,
            update,
            classes,
            siblings,
            lookahead_lambda,
            rollout_classes,
            rollout_lambda,
            three_ply_above,
            squash,
            unforeseen,
            successor,
            side,
            teacher,
            bearoff,
            ..
        } = *self.rule;
        let teacher = match teacher {
            Some(teacher) => Some(teacher.describe(attachments)?),
            None => None,
        };
        let (learner, bearoff) =
            (self.team.attach(attachments)?, bearoff.map(|databases| databases.checksum()));
        Some(to_bytes(&TargetsDescription {
            learner,
            lambda,
            update,
            classes,
            siblings,
            lookahead_lambda,
            rollout_classes,
            rollout_lambda,
            three_ply_above,
            squash,
            unforeseen,
            successor,
            side,
            teacher,
            bearoff,
        }))
    }

    fn grain(&self) -> u64 {
        match self.rule.update {
            // Not worth a message: the players have evaluated most positions, or a teacher does so at 1-ply.
            UpdateAt::Position => u64::MAX,
            // Eight games, if each of their positions is searched, as rollouts may need it.
            UpdateAt::Leaves | UpdateAt::RootStrap => match self.rule.classes {
                Some(classes) if self.rule.rollout_classes.is_none() => {
                    let (mut all, mut searched) = (0, 0);
                    for position in self.games.iter().flat_map(|game| &game.positions) {
                        let view = BoardView::of(position);
                        // Measured: without contact, replies are fewer and values come from the databases.
                        let work = if view.contact() { 3 } else { 1 };
                        all += work;
                        searched += if classes[Class::of_view(&view)] { work } else { 0 };
                    }
                    8 * all / searched.max(1)
                }
                None | Some(_) => 8,
            },
        }
    }

    fn input(&self, numbers: &Range<u64>) -> Vec<u8> {
        to_bytes(slice(self.games, numbers))
    }

    fn check(&self, numbers: &Range<u64>, examples: &Vec<Vec<Example>>) -> Result<(), String> {
        let games = slice(self.games, numbers);
        if examples.len() != games.len() {
            return Err(format!(
                "the targets of {} games, expected {}",
                examples.len(),
                games.len()
            ));
        }
        for (examples, game) in examples.iter().zip(games) {
            let positions = game.positions.len();
            let siblings = positions * self.rule.siblings as usize;
            let (least, most) = match (self.rule.update, self.rule.classes) {
                (UpdateAt::Leaves, _) => (0, 21 * positions),
                (_, Some(_)) => (0, positions + siblings),
                (_, None) if self.rule.side.is_some() => (0, positions),
                (_, None) => (positions, positions + siblings),
            };
            if !(least..=most).contains(&examples.len()) {
                let found = examples.len();
                return Err(format!("{found} targets for a game of {positions} positions"));
            }
            let mut left = game.positions.iter();
            for Example { position, target, .. } in examples {
                let known = self.rule.update == UpdateAt::Leaves
                    || self.rule.siblings > 0
                    || left.any(|expected| expected == position);
                let (Target::Value(value) | Target::Share { to: value, .. }) = target;
                // A net that diverges gives no finite values; the learner then says so.
                let small = value.heads().iter().all(|head| !head.is_finite() || head.abs() < 1e6);
                if !known || !small {
                    return Err("a target that does not belong to its game".into());
                }
            }
        }
        Ok(())
    }
}

/// Targets that have come from another machine to be made.
struct OpenTargets {
    team: Arc<Specialists>,
    /// Made once for all parts: it takes as long as a game.
    quantized: Option<Arc<QuantizedSpecialists>>,
    description: TargetsDescription,
    teacher: Option<Arc<dyn Evaluator>>,
    bearoff: Option<Arc<BearoffDatabases>>,
}

impl RemoteTask for OpenTargets {
    fn run(
        &self,
        numbers: Range<u64>,
        input: &[u8],
        progress: &Progress,
    ) -> Result<Option<Vec<u8>>, String> {
        let games: Vec<Game> = from_bytes(input).map_err(|error| error.to_string())?;
        if games.len() as u64 != numbers.end - numbers.start {
            return Err(format!("{} games came for the items {numbers:?}", games.len()));
        }
        let TargetsDescription {
            lambda,
            update,
            classes,
            siblings,
            lookahead_lambda,
            rollout_classes,
            rollout_lambda,
            three_ply_above,
            squash,
            unforeseen,
            successor,
            side,
            ..
        } = self.description;
        let rule = UpdateRule {
            update,
            classes,
            siblings,
            lookahead_lambda,
            rollout_classes,
            rollout_lambda,
            three_ply_above,
            squash,
            unforeseen,
            successor,
            side,
            teacher: self.teacher.as_deref(),
            bearoff: self.bearoff.as_ref(),
            ..UpdateRule::plain(0.0, lambda)
        };
        let (team, quantized) = (&*self.team, self.quantized.clone());
        let task = TargetsTask { team, quantized, games: &games, rule: &rule };
        Ok(task.part(0..games.len() as u64, progress).map(|examples| to_bytes(&examples)))
    }
}

/// The kind of the task that targets are.
pub const TARGETS_TASK: &str = <TargetsTask<'static> as Task>::KIND;

/// Opens targets that have come from another machine.
///
/// # Errors
/// What is wrong with their description, or what cannot be made here.
pub fn open_targets_task(
    settings: &[u8],
    maker: &dyn Maker,
) -> Result<Box<dyn RemoteTask>, String> {
    let description: TargetsDescription =
        from_bytes(settings).map_err(|error| error.to_string())?;
    let teacher = description.teacher.as_ref().map(|teacher| maker.evaluator(teacher));
    let bearoff = description.bearoff.map(|checksum| maker.bearoff(checksum));
    let (teacher, bearoff) = (teacher.transpose()?, bearoff.transpose()?);
    let team = maker.team(&description.learner)?;
    Ok(Box::new(OpenTargets {
        quantized: quantized(&team, description.update),
        team,
        description,
        teacher,
        bearoff,
    }))
}
