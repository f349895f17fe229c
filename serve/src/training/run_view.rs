//! What is asked and shown of training runs.

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::training::last_match::LastMatchAnswer;
use crate::training::run_phase::{PhaseProgress, RunPhase};
use nonet_engine::class::Class;
use nonet_engine::store::LONGEST_NAME;
use nonet_training::train::{TestRow, established_openings};

/// The names that the API takes for runs: those that `is_file_name` takes.
pub(crate) struct RunName;

impl PartialSchema for RunName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("The name of a run and of its folder: letters, digits, - and _."))
            .examples([json!("first")])
            .max_length(Some(LONGEST_NAME))
            .pattern(Some("^[A-Za-z0-9_][A-Za-z0-9_-]*$"))
            .into()
    }
}

impl ToSchema for RunName {}

/// A new run. What is left out is as `nonet train` has it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunRequest {
    /// Its name, which no other run has.
    #[schema(value_type = RunName)]
    pub(crate) name: String,
    /// The architecture.
    #[schema(example = "small")]
    pub(crate) preset: Option<String>,
    /// Games to learn from.
    #[schema(example = 4000)]
    pub(crate) games: Option<u64>,
    /// The learning rule: `td`, `td-directed`, `tdleaf` or `rootstrap`.
    pub(crate) method: Option<String>,
    /// Learning rate, such as `0.1..0.001`.
    pub(crate) alpha: Option<String>,
    /// Lambda, 0..1.
    pub(crate) lambda: Option<String>,
    /// Games at the end that RootStrap learns; 0 is none. By default a fiftieth of 5,000 games or
    /// more by `td` at the usual rate.
    pub(crate) fine_tune: Option<u64>,
    pub(crate) seed: Option<u64>,
    /// Games between tests.
    pub(crate) eval_every: Option<u64>,
    /// Games of each test.
    pub(crate) eval_games: Option<u64>,
    /// Games of the last match.
    pub(crate) final_games: Option<u64>,
}

/// How a run goes on.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResumeRequest {
    /// More games than it has, to extend it.
    pub(crate) games: Option<u64>,
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RunState {
    /// This server, or another program, works on it.
    Running,
    /// It can be resumed.
    Stopped,
    Finished,
    Failed,
}

/// A run in the list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunRow {
    pub(crate) name: String,
    /// What a person calls it; null without a title.
    #[schema(example = "A net that learns slowly")]
    pub(crate) title: Option<String>,
    /// When it began, or was extended, in Unix seconds. Lists have the newest run first.
    #[schema(example = 1_767_225_600)]
    pub(crate) began: i64,
    pub(crate) state: RunState,
    /// The command that makes the run.
    pub(crate) command: String,
    /// Games learned at the last test.
    pub(crate) games: u64,
    /// Games that it will learn from.
    pub(crate) total: u64,
    /// Equity of the last weights against the opponent of the tests at the last one, in points a
    /// game.
    pub(crate) ppg: Option<f64>,
    /// Its standard error.
    pub(crate) stderr: Option<f64>,
    /// The last match of its best net, which tells how strong the run is: tests have chosen the
    /// net. Null until the run is finished, and in one without a last match.
    pub(crate) last_match: Option<LastMatchAnswer>,
    /// Games learned a second, tests and last match included; null before the first test.
    pub(crate) rate: Option<f64>,
    /// What it does while it runs; null otherwise.
    pub(crate) phase: Option<RunPhase>,
    /// How far the phase is; null where that is not known.
    pub(crate) progress: Option<PhaseProgress>,
    /// The architecture of its nets; empty before its folder is there.
    #[schema(example = "medium")]
    pub(crate) architecture: String,
    /// The last lines that the program has printed.
    pub(crate) messages: Vec<String>,
}

/// A test of a run.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunTest {
    pub(crate) games: u64,
    /// Points a game against the opponent of the tests.
    pub(crate) ppg: f64,
    /// Its standard error.
    pub(crate) stderr: f64,
    /// The same of the moving average of the weights.
    pub(crate) average_ppg: Option<f64>,
    pub(crate) average_stderr: Option<f64>,
    pub(crate) alpha: f32,
    pub(crate) lambda: f32,
    /// Examples learned of each class since the test before, in the order of `classes`.
    pub(crate) examples: Vec<u64>,
    /// Root mean square of the temporal differences of each class; null without an example.
    pub(crate) td_error: Vec<Option<f64>>,
}

/// A run with its tests.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunAnswer {
    pub(crate) run: RunRow,
    pub(crate) classes: Vec<&'static str>,
    pub(crate) history: Vec<RunTest>,
    /// What the net knew at each test, as `knowledge.json` in the folder has it: opening plays and
    /// values of fixed positions.
    #[schema(value_type = Option<Vec<Object>>)]
    pub(crate) knowledge: Option<serde_json::Value>,
    /// The plays of the opening rolls that opening theory accepts.
    pub(crate) established: Vec<OpeningRoll>,
}

/// An opening roll.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OpeningRoll {
    #[schema(example = "31")]
    pub(crate) roll: &'static str,
    /// The plays that opening theory accepts.
    pub(crate) plays: Vec<&'static str>,
}

impl OpeningRoll {
    /// The 15 opening rolls.
    pub(crate) fn all() -> Vec<OpeningRoll> {
        established_openings()
            .map(|(roll, plays)| OpeningRoll { roll, plays: plays.to_vec() })
            .collect()
    }
}

impl RunTest {
    pub(crate) fn of(row: &TestRow) -> RunTest {
        RunTest {
            games: row.games,
            ppg: row.last.ppg,
            stderr: row.last.stderr,
            average_ppg: row.ema.as_ref().map(|test| test.ppg),
            average_stderr: row.ema.as_ref().map(|test| test.stderr),
            alpha: row.alpha,
            lambda: row.lambda,
            examples: row.learned.examples.iter().map(|(_, examples)| *examples).collect(),
            td_error: Class::all().map(|class| row.learned.td_error(class)).collect(),
        }
    }
}
