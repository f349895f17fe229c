//! Reference evaluations as a task that other machines can do.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::references::{ReferenceConfig, references};
use super::results;
use nonet_engine::backgammon::{Dice, Position};
use nonet_engine::eval::{Evaluation, Evaluator, EvaluatorDescription};
use nonet_engine::game::Maker;
use nonet_engine::progress::{Attachments, Progress, RemoteTask, Task, from_bytes, to_bytes};

/// The references of decisions: item `i` is decision `i` of those sampled.
pub(super) struct ReferencesTask<'a> {
    pub(super) sampled: &'a [(Position, Dice)],
    pub(super) first: &'a dyn Evaluator,
    pub(super) judges: &'a [Arc<dyn Evaluator>],
    pub(super) config: &'a ReferenceConfig,
}

/// The description of the references for another machine.
#[derive(Serialize, Deserialize)]
struct ReferencesDescription {
    first: EvaluatorDescription,
    judges: Vec<EvaluatorDescription>,
    config: ReferenceConfig,
}

/// The evaluations of the results of one decision: by result, and for each by judge.
type References = Vec<Vec<Evaluation>>;

impl Task for ReferencesTask<'_> {
    const KIND: &'static str = "references";
    type Part = Vec<References>;

    fn part(&self, numbers: Range<u64>, progress: &Progress) -> Option<Vec<References>> {
        let judge = |&(position, dice): &(Position, Dice)| {
            if progress.is_stopped() {
                return None;
            }
            let found = results(&position, dice);
            let references = references(&found, self.first, self.judges, self.config);
            progress.add(1);
            Some(references)
        };
        let sampled = &self.sampled[numbers.start as usize..numbers.end as usize];
        sampled.par_iter().map(judge).collect()
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<Vec<u8>> {
        let first = self.first.describe(attachments)?;
        let judges = self.judges.iter().map(|judge| judge.describe(attachments));
        let (judges, config) = (judges.collect::<Option<Vec<_>>>()?, *self.config);
        Some(to_bytes(&ReferencesDescription { first, judges, config }))
    }

    fn grain(&self) -> u64 {
        2
    }

    fn input(&self, numbers: &Range<u64>) -> Vec<u8> {
        to_bytes(&self.sampled[numbers.start as usize..numbers.end as usize])
    }

    fn check(&self, numbers: &Range<u64>, all: &Vec<References>) -> Result<(), String> {
        let sampled = &self.sampled[numbers.start as usize..numbers.end as usize];
        if all.len() != sampled.len() {
            return Err(format!("{} decisions, expected {}", all.len(), sampled.len()));
        }
        for (references, (position, dice)) in all.iter().zip(sampled) {
            let found = results(position, *dice).len();
            let whole = references.len() == found
                && references.iter().all(|of_result| of_result.len() == self.judges.len());
            let values = references.iter().flatten();
            if !whole || !values.flat_map(Evaluation::heads).all(f32::is_finite) {
                return Err(format!(
                    "the references of a decision between {found} plays are not whole"
                ));
            }
        }
        Ok(())
    }

    fn counts(&self) -> u64 {
        1
    }
}

/// References that have come from another machine to be made.
struct OpenReferences {
    first: Arc<dyn Evaluator>,
    judges: Vec<Arc<dyn Evaluator>>,
    config: ReferenceConfig,
}

impl RemoteTask for OpenReferences {
    fn run(
        &self,
        numbers: Range<u64>,
        input: &[u8],
        progress: &Progress,
    ) -> Result<Option<Vec<u8>>, String> {
        let sampled: Vec<(Position, Dice)> =
            from_bytes(input).map_err(|error| error.to_string())?;
        if sampled.len() as u64 != numbers.end - numbers.start {
            return Err(format!("{} decisions came for the items {numbers:?}", sampled.len()));
        }
        let OpenReferences { first, judges, config } = self;
        let task = ReferencesTask { sampled: &sampled, first: first.as_ref(), judges, config };
        Ok(task.part(0..sampled.len() as u64, progress).map(|all| to_bytes(&all)))
    }
}

/// The kind of the task that references are.
pub const REFERENCES_TASK: &str = <ReferencesTask<'static> as Task>::KIND;

/// Opens references that have come from another machine to be made.
///
/// # Errors
/// The error in the description, or the part that cannot be made here.
pub fn open_references_task(
    settings: &[u8],
    maker: &dyn Maker,
) -> Result<Box<dyn RemoteTask>, String> {
    let ReferencesDescription { first, judges, config } =
        from_bytes(settings).map_err(|error| error.to_string())?;
    let judges = judges.iter().map(|judge| maker.evaluator(judge)).collect::<Result<_, _>>()?;
    Ok(Box::new(OpenReferences { first: maker.evaluator(&first)?, judges, config }))
}
