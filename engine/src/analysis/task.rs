//! The analysis of decisions as a task that other machines can do.

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::decision::DecisionKind;
use super::questions::{Asked, Question};
use crate::backgammon::{Cube, Position, Scoring};
use crate::cube::{CubeScoring, MatchEquityTable};
use crate::engine::{CubeContext, Depth, Engine};
use crate::eval::EvaluatorDescription;
use crate::game::Maker;
use crate::progress::{Attachments, Progress, RemoteTask, Task, from_bytes, to_bytes};
use crate::search::{Plies, SearchSettings};

/// Decisions to analyse: item `i` is question `i`, a cube action, or a roll with the decision not
/// to double before it.
pub(super) struct AnalysisTask<'a> {
    pub(super) questions: &'a [Question],
    pub(super) engine: &'a Engine,
}

/// The engine, for another machine.
#[derive(Serialize, Deserialize)]
struct AnalysisDescription {
    evaluator: EvaluatorDescription,
    depth: Depth,
    cube_plies: Plies,
    settings: String,
}

/// A question in a message.
#[derive(Serialize, Deserialize)]
struct QuestionForm {
    position: Position,
    scoring: Scoring,
    cube: Cube,
    asked: Asked,
}

/// The decisions of each question.
type Answers = Vec<Vec<DecisionKind>>;

impl AnalysisTask<'_> {
    fn of(&self, numbers: &Range<u64>) -> &[Question] {
        &self.questions[numbers.start as usize..numbers.end as usize]
    }
}

impl Task for AnalysisTask<'_> {
    const KIND: &'static str = "analysis";
    type Part = Answers;

    fn part(&self, numbers: Range<u64>, progress: &Progress) -> Option<Answers> {
        let answer = |question: &Question| {
            if progress.is_stopped() {
                return None;
            }
            let Question { position, context, asked, .. } = question;
            let decisions = asked.decisions(position, context, self.engine);
            progress.add(1);
            Some(decisions)
        };
        let all: Option<Answers> = self.of(&numbers).par_iter().map(answer).collect();
        all.filter(|_| !progress.is_stopped())
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<Vec<u8>> {
        // A table of one's own is not on other machines.
        if !self.questions.iter().all(|question| question.context.scoring.has_usual_table()) {
            return None;
        }
        let engine = self.engine;
        Some(to_bytes(&AnalysisDescription {
            evaluator: engine.static_evaluator().describe(attachments)?,
            depth: engine.depth(),
            cube_plies: engine.cube_plies(),
            settings: engine.search_settings().to_text(),
        }))
    }

    fn grain(&self) -> u64 {
        if self.engine.depth().roller().is_some() {
            return 1;
        }
        match self.engine.plies().max(self.engine.cube_plies()).get() {
            1 => 64,
            2 => 16,
            3 => 4,
            _ => 1,
        }
    }

    fn input(&self, numbers: &Range<u64>) -> Vec<u8> {
        let form = |question: &Question| {
            let Question { position, context: CubeContext { scoring, cube }, asked, .. } = question;
            let (scoring, asked) = (scoring.session(), *asked);
            QuestionForm { position: *position, scoring, cube: *cube, asked }
        };
        to_bytes(&self.of(numbers).iter().map(form).collect::<Vec<_>>())
    }

    fn check(&self, numbers: &Range<u64>, answers: &Answers) -> Result<(), String> {
        let questions = self.of(numbers);
        if answers.len() != questions.len() {
            return Err(format!("{} answers, expected {}", answers.len(), questions.len()));
        }
        let all = questions.iter().zip(answers);
        if all.clone().all(|(question, decisions)| question.asked.fits(decisions)) {
            Ok(())
        } else {
            Err("an analysis that does not belong to its decision".into())
        }
    }

    fn counts(&self) -> u64 {
        1
    }
}

/// An analysis that has come from another machine.
struct OpenAnalysis(Engine);

impl RemoteTask for OpenAnalysis {
    fn run(
        &self,
        numbers: Range<u64>,
        input: &[u8],
        progress: &Progress,
    ) -> Result<Option<Vec<u8>>, String> {
        let forms: Vec<QuestionForm> = from_bytes(input).map_err(|error| error.to_string())?;
        if forms.len() as u64 != numbers.end - numbers.start {
            return Err(format!("{} decisions came for the items {numbers:?}", forms.len()));
        }
        let mut answers: Answers = Vec::with_capacity(forms.len());
        for QuestionForm { position, scoring, cube, asked } in forms {
            if progress.is_stopped() {
                return Ok(None);
            }
            let scoring = CubeScoring::new(scoring, MatchEquityTable::kazaross_xg2());
            let context = CubeContext { scoring: scoring.map_err(|e| e.to_string())?, cube };
            answers.push(asked.decisions(&position, &context, &self.0));
        }
        Ok(Some(to_bytes(&answers)))
    }
}

/// The kind of the task that an analysis is.
pub const ANALYSIS_TASK: &str = <AnalysisTask<'static> as Task>::KIND;

/// Opens an analysis that has come from another machine.
///
/// # Errors
/// The error in the description, or the part that cannot be made here.
pub fn open_analysis_task(
    settings: &[u8],
    maker: &dyn Maker,
) -> Result<Box<dyn RemoteTask>, String> {
    let AnalysisDescription { evaluator, depth, cube_plies, settings } =
        from_bytes(settings).map_err(|error| error.to_string())?;
    let engine = Engine::builder()
        .evaluator(maker.evaluator(&evaluator)?)
        .search_settings(SearchSettings::from_text(&settings)?)
        .build();
    let engine = engine.map_err(|error| error.to_string())?;
    Ok(Box::new(OpenAnalysis(engine.with_depth(depth).with_cube_plies(cube_plies))))
}
