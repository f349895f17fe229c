//! The simulations of an experiment as a task that other machines can do: each is a whole training
//! run.

use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::run::{DivergedRun, Opened, RunResult};
use super::simulation::{Keeps, Retest, Simulation};
use super::spec::{ExperimentError, Variant};
use nonet_engine::eval::{EvaluatorDescription, TeamDescription};
use nonet_engine::game::{Maker, PlayerDescription};
use nonet_engine::progress::{Attachments, Progress, RemoteTask, Task, from_bytes, to_bytes};
use nonet_engine::store::NetFile;
use nonet_training::train::{GeneratedGames, Participants, Seats, TrainPlan, TrainSpec};

/// A simulation that is done.
#[allow(clippy::large_enum_variant, reason = "nearly all simulations end")]
pub(super) enum Cell {
    Ended(RunResult, NetFile),
    Diverged(DivergedRun),
}

/// A simulation that is done, in a message.
#[derive(Serialize, Deserialize)]
pub(super) struct CellForm {
    /// As in the file of the results.
    run: String,
    /// `None` if its weights diverged.
    net: Option<Vec<u8>>,
}

impl CellForm {
    fn of(cell: &Cell) -> CellForm {
        let (run, net) = match cell {
            Cell::Ended(run, net) => (serde_json::to_string(run), Some(net.to_bytes())),
            Cell::Diverged(run) => (serde_json::to_string(run), None),
        };
        CellForm { run: run.expect("a result is plain data"), net }
    }

    fn cell(&self) -> Result<Cell, String> {
        let wrong = |error: serde_json::Error| error.to_string();
        let Some(net) = &self.net else {
            return Ok(Cell::Diverged(serde_json::from_str(&self.run).map_err(wrong)?));
        };
        let run = serde_json::from_str(&self.run).map_err(wrong)?;
        let net = NetFile::from_bytes(net, Path::new("a message"));
        Ok(Cell::Ended(run, net.map_err(|error| error.to_string())?))
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
    /// Keeps a simulation that is done.
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
    needs_net: bool,
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
        // At once: what is done is kept if the others are stopped.
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
            needs_net: simulation.needs_net,
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
            let cell = form.cell()?;
            let spec = simulation.plan.spec();
            let (found, options, command, is_possible) = match &cell {
                Cell::Ended(run, _) => {
                    let tested = !run.tests.is_empty();
                    ((run.variant, run.repeat), run.options.as_ref(), &run.command, tested)
                }
                Cell::Diverged(run) => {
                    let within = (1..=spec.games).contains(&run.diverged) && !simulation.needs_net;
                    ((run.variant, run.repeat), Some(&run.options), &run.command, within)
                }
            };
            let same = options == Some(spec) && found == (simulation.variant, simulation.repeat);
            // People repeat the command.
            if !same || *command != spec.to_command_line() || !is_possible {
                return Err("a simulation that is another one".into());
            }
        }
        Ok(())
    }

    fn arrived(&self, numbers: &Range<u64>, cells: &Vec<CellForm>) {
        let simulations = &self.simulations[numbers.start as usize..numbers.end as usize];
        for (form, simulation) in cells.iter().zip(simulations) {
            // They were checked.
            let Ok(cell) = form.cell() else { continue };
            if let Err(error) = (self.save)(&cell) {
                self.fail(error);
            }
            if let Cell::Ended(..) = cell {
                (self.learned)(simulation, simulation.plan.spec().games);
            }
        }
    }
}

/// The simulations of parts.
pub(super) fn cells_of(parts: Vec<Vec<CellForm>>) -> impl Iterator<Item = Cell> {
    let cells = parts.into_iter().flatten();
    cells.map(|form| form.cell().expect("parts were checked"))
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
        let SimulationForm { variant, repeat, retest, keeps, needs_net, .. } = form;
        simulations.push(Simulation { plan, variant, repeat, retest, keeps, needs_net });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::ExperimentSettings;
    use crate::spec::Experiment;

    #[test]
    fn a_simulation_that_diverged_elsewhere_is_taken_where_nothing_needs_its_net() {
        let all = Experiment::all().expect("readable");
        let experiment = all.iter().find(|one| !one.variants.is_empty()).expect("one of them");
        let settings = ExperimentSettings {
            scale: 1.0,
            seed: 1,
            expert: "x.nonet".parse().expect("a player"),
            program: String::new(),
        };
        let plan = experiment.plan(&experiment.variants[0], 0, &settings, "r").expect("a plan");
        let check = |needs_net: bool, diverged: u64| {
            let run = DivergedRun {
                options: plan.spec().clone(),
                command: plan.spec().to_command_line(),
                program: String::new(),
                variant: 0,
                repeat: 0,
                diverged,
            };
            let sent: Vec<CellForm> = [Cell::Diverged(run)].iter().map(CellForm::of).collect();
            let cells: Vec<CellForm> = from_bytes(&to_bytes(&sent)).expect("whole");
            let (variant, repeat, retest, keeps) = (0, 0, None, Keeps::of(experiment));
            let plan = plan.clone();
            let simulation = Simulation { plan, variant, repeat, retest, keeps, needs_net };
            let task = CellsTask {
                simulations: &[simulation],
                variants: &experiment.variants,
                open: &|_| Err(ExperimentError::Stopped),
                learned: &|_, _| {},
                save: &|_| Ok(()),
                error: Mutex::new(None),
            };
            task.check(&(0..1), &cells).is_ok()
        };
        assert!(check(false, 1));
        assert!(!check(false, 0) && !check(false, plan.spec().games + 1));
        assert!(!check(true, 1));
    }
}
