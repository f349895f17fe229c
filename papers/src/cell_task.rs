//! The simulations of an experiment as a task that other machines can do: each is a whole training
//! run.

use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::run::{Opened, RunResult};
use super::simulation::{Keeps, Retest, Simulation};
use super::spec::{ExperimentError, Variant};
use nonet_engine::eval::{EvaluatorDescription, TeamDescription};
use nonet_engine::game::{Maker, PlayerDescription};
use nonet_engine::progress::{Attachments, Progress, RemoteTask, Task, from_bytes, to_bytes};
use nonet_engine::store::NetFile;
use nonet_training::train::{GeneratedGames, Participants, Seats, TrainPlan, TrainSpec};

/// A simulation that has ended.
pub(super) struct Cell {
    pub(super) run: RunResult,
    pub(super) net: NetFile,
}

/// A simulation that has ended, in a message.
#[derive(Serialize, Deserialize)]
pub(super) struct CellForm {
    /// As in its file.
    run: String,
    net: Vec<u8>,
}

impl CellForm {
    fn of(cell: &Cell) -> CellForm {
        let run = serde_json::to_string(&cell.run).expect("a result is plain data");
        CellForm { run, net: cell.net.to_bytes() }
    }

    fn cell(&self) -> Result<Cell, String> {
        let run = serde_json::from_str(&self.run).map_err(|error| error.to_string())?;
        let net = NetFile::from_bytes(&self.net, Path::new("a message"));
        Ok(Cell { run, net: net.map_err(|error| error.to_string())? })
    }
}

/// The simulations that are missing, and who does them here.
pub(super) struct CellsTask<'a> {
    pub(super) simulations: &'a [Simulation],
    /// The variants of the experiment.
    pub(super) variants: &'a [Variant],
    /// Opens the players of a run.
    pub(super) open: &'a (dyn Fn(&Simulation) -> Result<Opened, ExperimentError> + Sync),
    /// Is told how many games a simulation has learned from.
    pub(super) learned: &'a (dyn Fn(&Simulation, u64) + Sync),
    /// Keeps a simulation that has ended.
    pub(super) save: &'a (dyn Fn(&Cell) -> Result<(), ExperimentError> + Sync),
    /// Why the work was given up, if it was.
    pub(super) error: Mutex<Option<ExperimentError>>,
}

/// One simulation, for another machine.
#[derive(Serialize, Deserialize)]
struct SimulationForm {
    variant: usize,
    repeat: u64,
    retest: Option<Retest>,
    keeps: Keeps,
    /// The options of the run, as in its `config.toml`.
    spec: String,
    expert: Option<PlayerDescription>,
    observes: bool,
    against: PlayerDescription,
    others: Vec<PlayerDescription>,
    teacher: Option<EvaluatorDescription>,
    bearoff: Option<u32>,
    start: Option<TeamDescription>,
}

impl CellsTask<'_> {
    fn simulate(
        &self,
        simulation: &Simulation,
        progress: &Progress,
    ) -> Result<Option<Cell>, ExperimentError> {
        let learned = |games| (self.learned)(simulation, games);
        let cell = simulation.run((self.open)(simulation)?, &learned, progress)?;
        // At once: what has ended is kept if the others are stopped.
        cell.as_ref().map_or(Ok(()), |cell| (self.save)(cell))?;
        Ok(cell)
    }

    /// A failure of a simulation, which says of which one.
    fn named(&self, simulation: &Simulation, error: ExperimentError) -> ExperimentError {
        match error {
            ExperimentError::Stopped => ExperimentError::Stopped,
            cause => ExperimentError::Simulation {
                variant: self.variants[simulation.variant].name.clone(),
                seed: simulation.plan.spec().seed,
                cause: Box::new(cause),
            },
        }
    }

    fn fail(&self, error: ExperimentError) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    fn form(
        &self,
        simulation: &Simulation,
        attachments: &mut Attachments,
    ) -> Option<SimulationForm> {
        let Opened { participants, source, .. } = (self.open)(simulation).ok()?;
        let (against, others) = (participants.against(), participants.others());
        let Participants { teacher, bearoff, start, .. } = &participants;
        let expert = match source.seats()? {
            Seats::SelfPlay => None,
            Seats::Expert(expert) | Seats::Observe(expert) => Some(expert.describe(attachments)?),
        };
        let others = others.iter().map(|player| player.describe(attachments));
        let others = others.collect::<Option<_>>()?;
        Some(SimulationForm {
            variant: simulation.variant,
            repeat: simulation.repeat,
            retest: simulation.retest,
            keeps: simulation.keeps,
            spec: toml::to_string(simulation.plan.spec()).ok()?,
            expert,
            observes: matches!(source.seats()?, Seats::Observe(_)),
            against: against.describe(attachments)?,
            others,
            teacher: match teacher {
                Some(teacher) => Some(teacher.describe(attachments)?),
                None => None,
            },
            bearoff: bearoff.as_ref().map(|databases| databases.checksum()),
            start: match start {
                Some(start) => Some(start.attach(attachments)?),
                None => None,
            },
        })
    }
}

impl Task for CellsTask<'_> {
    const KIND: &'static str = "simulations";
    type Part = Vec<CellForm>;

    fn part(&self, numbers: Range<u64>, progress: &Progress) -> Option<Vec<CellForm>> {
        let simulations = &self.simulations[numbers.start as usize..numbers.end as usize];
        // One after the other learns on one thread, so the threads share out simulations, and the
        // rest is not sent away.
        let here = progress.part().alone();
        let cells =
            simulations.par_iter().map(|simulation| match self.simulate(simulation, &here) {
                Ok(cell) => cell.map(|cell| CellForm::of(&cell)),
                Err(error) => {
                    self.fail(self.named(simulation, error));
                    None
                }
            });
        cells.collect()
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<Vec<u8>> {
        let forms = self.simulations.iter().map(|simulation| self.form(simulation, attachments));
        Some(to_bytes(&forms.collect::<Option<Vec<_>>>()?))
    }

    fn grain(&self) -> u64 {
        1
    }

    fn longest(&self) -> f64 {
        // A whole run.
        3600.0
    }

    fn check(&self, numbers: &Range<u64>, cells: &Vec<CellForm>) -> Result<(), String> {
        let simulations = &self.simulations[numbers.start as usize..numbers.end as usize];
        if cells.len() != simulations.len() {
            return Err(format!("{} simulations, expected {}", cells.len(), simulations.len()));
        }
        for (form, simulation) in cells.iter().zip(simulations) {
            let run = form.cell()?.run;
            let [found, expected] =
                [(run.variant, run.repeat), (simulation.variant, simulation.repeat)];
            let same = run.options.as_ref() == Some(simulation.plan.spec());
            // People repeat it.
            let command = run.command == simulation.plan.spec().to_command_line();
            if found != expected || !same || !command || run.tests.is_empty() {
                return Err("a simulation that is another one".into());
            }
        }
        Ok(())
    }

    fn arrived(&self, numbers: &Range<u64>, cells: &Vec<CellForm>) {
        let simulations = &self.simulations[numbers.start as usize..numbers.end as usize];
        for (form, simulation) in cells.iter().zip(simulations) {
            let saved = form.cell().map(|cell| (self.save)(&cell));
            if let Ok(Err(error)) = saved {
                self.fail(error);
            }
            (self.learned)(simulation, simulation.plan.spec().games);
        }
    }
}

/// The ended simulations of parts.
pub(super) fn runs_of(parts: Vec<Vec<CellForm>>) -> Vec<RunResult> {
    let cells = parts.into_iter().flatten();
    cells.map(|form| form.cell().expect("parts were checked").run).collect()
}

/// Simulations that have come from another machine.
struct OpenCells {
    simulations: Vec<Simulation>,
    opened: Vec<(Participants, GeneratedGames)>,
}

impl RemoteTask for OpenCells {
    fn run(
        &self,
        numbers: Range<u64>,
        _input: &[u8],
        progress: &Progress,
    ) -> Result<Option<Vec<u8>>, String> {
        let mut cells = Vec::new();
        for number in numbers {
            let place = number as usize;
            let (Some(simulation), Some((participants, source))) =
                (self.simulations.get(place), self.opened.get(place))
            else {
                return Err(format!("no simulation has the number {number}"));
            };
            let (participants, source) = (participants.clone(), Box::new(source.clone()));
            let opened = Opened { participants, source, ratings: None };
            let cell = simulation.run(opened, &|_| {}, progress);
            let Some(cell) = cell.map_err(|error| error.to_string())? else { return Ok(None) };
            cells.push(CellForm::of(&cell));
        }
        Ok(Some(to_bytes(&cells)))
    }
}

/// The kind of the task that simulations are.
pub const CELLS_TASK: &str = <CellsTask<'static> as Task>::KIND;

/// Opens simulations that have come from another machine.
///
/// # Errors
/// What is wrong with their description, or what cannot be made here.
pub fn open_cells_task(settings: &[u8], maker: &dyn Maker) -> Result<Box<dyn RemoteTask>, String> {
    let forms: Vec<SimulationForm> = from_bytes(settings).map_err(|error| error.to_string())?;
    let (mut simulations, mut opened) = (Vec::new(), Vec::new());
    for form in forms {
        let spec: TrainSpec = toml::from_str(&form.spec).map_err(|error| error.to_string())?;
        let plan = spec.plan().map_err(|error| error.to_string())?;
        opened.push((participants(&form, &plan, maker)?, source(&form, &plan, maker)?));
        let SimulationForm { variant, repeat, retest, keeps, .. } = form;
        simulations.push(Simulation { plan, variant, repeat, retest, keeps });
    }
    Ok(Box::new(OpenCells { simulations, opened }))
}

fn participants(
    form: &SimulationForm,
    plan: &TrainPlan,
    maker: &dyn Maker,
) -> Result<Participants, String> {
    // In the order of their names in the plan.
    let mut opponents = std::iter::once(&form.against).chain(&form.others);
    let mut participants = plan.participants(|name| match opponents.next() {
        Some(player) => maker.player(player),
        None => Err(format!("the opponent {name} is missing")),
    })?;
    participants.teacher =
        form.teacher.as_ref().map(|teacher| maker.evaluator(teacher)).transpose()?;
    participants.bearoff = form.bearoff.map(|checksum| maker.bearoff(checksum)).transpose()?;
    participants.start = form.start.as_ref().map(|start| maker.team(start)).transpose()?;
    Ok(participants)
}

fn source(
    form: &SimulationForm,
    plan: &TrainPlan,
    maker: &dyn Maker,
) -> Result<GeneratedGames, String> {
    let expert = form.expert.as_ref().map(|expert| maker.player(expert)).transpose()?;
    let seats = match expert {
        None => Seats::SelfPlay,
        Some(expert) if form.observes => Seats::Observe(expert),
        Some(expert) => Seats::Expert(expert),
    };
    GeneratedGames::of(plan, seats).ok_or_else(|| "games from records".to_owned())
}
