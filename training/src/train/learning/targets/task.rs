//! The targets of a batch of games as a task that other machines can do. With RootStrap they take
//! most of the time of a run.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Example, Target, TargetBuilder};
use crate::train::learning::rule::{Rule, TargetRule};
use crate::train::learning::update_rule::UpdateRule;
use nonet_engine::backgammon::BoardView;
use nonet_engine::bearoff::BearoffDatabases;
use nonet_engine::class::Class;
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
    update: &'a UpdateRule<'a>,
}

/// The description of the targets for another machine.
#[derive(Serialize, Deserialize)]
struct TargetsDescription {
    learner: TeamDescription,
    lambda: f32,
    rule: Rule,
    teacher: Option<EvaluatorDescription>,
    bearoff: Option<u32>,
}

impl<'a> TargetsTask<'a> {
    pub(in crate::train) fn new(
        team: &'a Specialists,
        games: &'a [Game],
        update: &'a UpdateRule<'a>,
    ) -> TargetsTask<'a> {
        TargetsTask { team, quantized: quantized(team, &update.rule), games, update }
    }
}

/// The quantized copy that targets of this kind need.
fn quantized(team: &Specialists, rule: &Rule) -> Option<Arc<QuantizedSpecialists>> {
    matches!(rule.targets, TargetRule::RootStrap(_)).then(|| Arc::new(team.quantized()))
}

fn slice<'a>(games: &'a [Game], numbers: &Range<u64>) -> &'a [Game] {
    &games[numbers.start as usize..numbers.end as usize]
}

impl Task for TargetsTask<'_> {
    const KIND: &'static str = "targets";
    type Part = Vec<Vec<Example>>;

    fn part(&self, numbers: Range<u64>, progress: &Progress) -> Option<Vec<Vec<Example>>> {
        let team: &dyn Evaluator = match &self.quantized {
            Some(quantized) => quantized.as_ref(),
            None => self.team,
        };
        // Rollouts or deep searches of a batch can take minutes.
        let of_game = |builder: &mut TargetBuilder, game: &Game| {
            (!progress.is_stopped()).then(|| builder.of_game(team, game, self.update))
        };
        let games = slice(self.games, &numbers);
        games.par_iter().map_init(TargetBuilder::default, of_game).collect()
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<Vec<u8>> {
        let UpdateRule { lambda, rule, teacher, bearoff, .. } = *self.update;
        let teacher = match teacher {
            Some(teacher) => Some(teacher.describe(attachments)?),
            None => None,
        };
        let (learner, bearoff) =
            (self.team.attach(attachments)?, bearoff.map(|databases| databases.checksum()));
        Some(to_bytes(&TargetsDescription { learner, lambda, rule, teacher, bearoff }))
    }

    fn grain(&self) -> u64 {
        let searched = match &self.update.rule.targets {
            // Not worth a message: the players have evaluated most positions, or a teacher does so
            // at 1-ply.
            TargetRule::Td(_) => return u64::MAX,
            TargetRule::TdLeaf => None,
            // A game takes seconds.
            TargetRule::RootStrap(root_strap) if root_strap.rollouts.is_some() => return 1,
            TargetRule::RootStrap(root_strap) => root_strap.searched(),
        };
        // Eight games, if each of their positions is searched.
        let Some(classes) = searched else { return 8 };
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

    fn longest(&self) -> f64 {
        const SEARCH: f64 = 15.0;
        // Measured: with rollouts of 36 games by the champion a game takes two seconds of one core.
        const A_ROLLOUT_GAME: f64 = 2.0;
        match &self.update.rule.targets {
            TargetRule::RootStrap(root_strap) => root_strap
                .rollouts
                .map_or(SEARCH, |rollouts| SEARCH + A_ROLLOUT_GAME * rollouts.games as f64),
            TargetRule::Td(_) | TargetRule::TdLeaf => SEARCH,
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
            let (expected, in_order) = match &self.update.rule.targets {
                TargetRule::Td(td) => (td.examples(positions), true),
                TargetRule::TdLeaf => (0..=21 * positions, false),
                TargetRule::RootStrap(root_strap) => {
                    (root_strap.examples(positions), root_strap.follows_game())
                }
            };
            if !expected.contains(&examples.len()) {
                let found = examples.len();
                return Err(format!("{found} targets for a game of {positions} positions"));
            }
            let mut left = game.positions.iter();
            for Example { position, target, .. } in examples {
                let known = !in_order || left.any(|expected| expected == position);
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
        let update = UpdateRule {
            teacher: self.teacher.as_deref(),
            bearoff: self.bearoff.as_ref(),
            ..UpdateRule::new(self.description.rule, 0.0, self.description.lambda)
        };
        let (team, quantized) = (&*self.team, self.quantized.clone());
        let task = TargetsTask { team, quantized, games: &games, update: &update };
        Ok(task.part(0..games.len() as u64, progress).map(|examples| to_bytes(&examples)))
    }
}

/// The kind of the task that targets are.
pub const TARGETS_TASK: &str = <TargetsTask<'static> as Task>::KIND;

/// Opens targets that have come from another machine.
///
/// # Errors
/// The error in the description, or the part that cannot be made here.
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
        quantized: quantized(&team, &description.rule),
        team,
        description,
        teacher,
        bearoff,
    }))
}
