//! The options of `nonet train`: those of a [`TrainSpec`] and those of the command.

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches};
use nonet::train::TrainSpec;

use super::super::nats_args::NatsArgs;
use super::super::usage;

/// Options that do not change the bytes of a run.
#[derive(clap::Args)]
pub(super) struct Control {
    /// Continue the run in this folder, exactly as if it had never stopped; with more --games, extend it.
    #[arg(long, value_name = "DIR")]
    pub(super) resume: Option<PathBuf>,
    /// With --resume and --games: what becomes of schedules that fall over the whole run.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = OnExtension::Stretch)]
    pub(super) schedule: OnExtension,
    /// Follow a recipe, `champion`, `from-random`, `swift` or a TOML file of stages, in the folder --out [default: runs/NAME]; the same
    /// command continues it where it was stopped.
    #[arg(long, value_name = "NAME")]
    pub(super) recipe: Option<String>,
    /// The folder of the new run. [default: runs/PRESET-SEED]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Run this many seeds, from --seed on, one after the other, each in its folder (--out DIR: in DIR/SEED); ends with a table
    /// and a plot of all. The same command continues where it was stopped.
    #[arg(long, value_name = "N")]
    pub(super) seeds: Option<u64>,
    /// Threads; the result does not depend on their number. [default: as many as the machine has]
    #[arg(long)]
    pub(super) threads: Option<usize>,
    /// Train an expert as the paper did (section 4.1): tests are played against the best team of the last gate. At each gate
    /// the best team since then plays a deciding match on other dice; if it wins significantly it becomes the opponent and
    /// the starting point, else the run ends. Tests have 5,000 games, one every 10,000 games, unless set otherwise.
    #[arg(long, alias = "ladder")]
    pub(super) gated: bool,
    /// The result as one JSON line.
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) nats: NatsArgs,
}

/// What becomes of the schedules of a run that is extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OnExtension {
    /// They are stretched over the longer run: the rates rise again and fall once more, which teaches most.
    Stretch,
    /// They have ended: the rates stay at their last values.
    Continue,
}

/// All options of the command.
pub(crate) struct Args {
    pub(super) control: Control,
    pub(super) spec: TrainSpec,
    /// The keys of `spec` that were set on the command line.
    given: Vec<&'static str>,
    /// Whether --schedule was.
    schedule_given: bool,
}

impl Args {
    /// Refuses options that a resumed run or a recipe would ignore.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let Control { resume, recipe, out, gated, json, seeds, schedule: _, threads: _, nats: _ } =
            &self.control;
        let games = self.given.contains(&"games");
        if self.schedule_given && !(resume.is_some() && games) {
            return Err(usage(
                "--schedule needs --resume and --games: it says how a run is extended",
            ));
        }
        let own = [
            ("out", out.is_some() && recipe.is_none()),
            ("gated", *gated),
            ("resume", resume.is_some() && recipe.is_some()),
            ("json", *json && recipe.is_some()),
            ("seeds", seeds.is_some()),
        ];
        let own = own.into_iter().filter_map(|(key, set)| set.then_some(key));
        // A run can be made longer.
        let longer = |key: &&str| *key == "games" && resume.is_some() && recipe.is_none();
        let given = self.given.iter().copied().filter(|key| !longer(key));
        let Some(key) = own.chain(given).next() else { return Ok(()) };
        let mode = match (recipe, resume) {
            (Some(_), _) => "--recipe: the recipe sets the options of its runs",
            (None, Some(_)) => "--resume: the run keeps the options that it began with",
            (None, None) => return Ok(()),
        };
        Err(usage(format!("{} cannot be used with {mode}", flag(key))))
    }

    /// With --resume, the games that the run is to have, if they were given.
    pub(super) fn longer(&self) -> Option<u64> {
        self.given.contains(&"games").then_some(self.spec.games)
    }
}

impl FromArgMatches for Args {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Args, clap::Error> {
        let control = Control::from_arg_matches(matches)?;
        let mut spec = if control.gated { TrainSpec::gated() } else { TrainSpec::default() };
        spec.update_from_arg_matches(matches)?;
        let given = |key: &&str| matches.value_source(key) == Some(ValueSource::CommandLine);
        let given: Vec<&'static str> = TrainSpec::KEYS.iter().copied().filter(given).collect();
        spec = spec.with_usual_settings(|key| given.contains(&key));
        let schedule_given = matches.value_source("schedule") == Some(ValueSource::CommandLine);
        Ok(Args { control, spec, given, schedule_given })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Args::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Args {
    fn augment_args(command: clap::Command) -> clap::Command {
        let command = Control::augment_args(command);
        // No option is required: options that are not set keep their defaults, which the help shows.
        let command = TrainSpec::augment_args_for_update(command)
            .mut_arg("gate_every", |arg| arg.requires("gated"));
        let gated = TrainSpec::gated().values().into_iter().filter(|(key, _)| *key == "gate_every");
        let defaults = TrainSpec::default().values().into_iter();
        defaults.filter(|(key, _)| *key != "gate_every").chain(gated).fold(
            command,
            |command, (key, value)| {
                command.mut_arg(key, |arg| {
                    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                    arg.help(format!("{help} [default: {value}]"))
                })
            },
        )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Args::augment_args(command)
    }
}

/// The option of a key.
fn flag(key: &str) -> String {
    format!("--{}", key.replace('_', "-"))
}

/// A message that names keys of a configuration in backticks, with the options of the command in their place.
pub(crate) fn in_flags(message: &str) -> String {
    TrainSpec::KEYS.iter().fold(message.to_owned(), |text, key| {
        text.replace(&format!("`{key}`: "), &format!("{} ", flag(key)))
            .replace(&format!("`{key}`"), &flag(key))
    })
}
