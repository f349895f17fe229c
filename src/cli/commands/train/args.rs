//! The options of `nonet train`: those of a [`TrainSpec`] and those of the command.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, FromArgMatches};
use nonet::train::{OnExtension, TrainSpec};

use crate::cli::args::nats::NatsArgs;
use crate::cli::error::usage;
use crate::cli::output::examples::examples;

/// Options that do not change the bytes of a run.
#[derive(clap::Args)]
#[command(next_help_heading = "Run")]
pub(super) struct Control {
    /// Continue the run in this folder.
    ///
    /// It continues exactly as if it had never stopped. With more --games a run that has ended
    /// becomes longer.
    #[arg(long, value_name = "DIR")]
    pub(super) resume: Option<PathBuf>,
    /// Schedules of a run that --resume and --games make longer.
    ///
    /// These are schedules that fall over the whole run.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = OnExtension::Stretch)]
    pub(super) schedule: OnExtension,
    /// Follow a recipe: champion, swift or a file.
    ///
    /// A file has the stages as TOML. The folder is --out, by default runs/NAME. The same command
    /// continues the recipe after a stop.
    #[arg(long, value_name = "NAME")]
    pub(super) recipe: Option<String>,
    /// Folder of the new run [default: runs/PRESET-SEED]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Run this many seeds, one after the other.
    ///
    /// The first is --seed. Each has its folder, with --out DIR in DIR/SEED. The end is a table and
    /// a plot of all seeds. The same command continues after a stop.
    #[arg(long, value_name = "N")]
    pub(super) seeds: Option<u64>,
    /// Number of threads [default: one per processor]
    ///
    /// The result does not depend on it.
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<usize>,
    /// Train an expert in gated steps, as the paper did.
    ///
    /// Tests are played against the best team of the last gate. At each gate, the best team since
    /// then plays a deciding match on other dice. If it wins significantly, it becomes the opponent
    /// and the starting point; otherwise the run ends. Tests have 5,000 games, one every 10,000
    /// games, unless set otherwise. See section 4.1 of the paper.
    #[arg(long, alias = "ladder")]
    pub(super) gated: bool,
    /// Print the result as one line of JSON.
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) nats: NatsArgs,
}

const ABOUT: &str = "Train a team of nets; plain `nonet train` takes some minutes

The nets learn by self-play, from an expert, or from recorded games. A run is a folder: it has the \
options, the checkpoint, the nets, the tests, plots and a page. Ctrl-C stops a run, and --resume \
continues it exactly as if it had never stopped.";

const EXAMPLES: [(&str, &str); 3] = [
    ("Train a small team by self-play in some seconds", "nonet train --preset small --games 2000"),
    ("Continue a run and make it longer", "nonet train --resume runs/medium-1 --games 500000"),
    ("Learn from recorded matches", "nonet train --source observe --records matches --games 20000"),
];

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
        let gated = TrainSpec::gated().values().into_iter().filter(|(key, _)| *key == "gate_every");
        let defaults = TrainSpec::default().values().into_iter();
        // The help text of the fine-tuning has its default, which depends on the run.
        let fixed = |key: &str| !["gate_every", "fine_tune"].contains(&key);
        let defaults: BTreeMap<&str, String> =
            defaults.filter(|(key, _)| fixed(key)).chain(gated).collect();
        // No option is required: options that are not set keep their defaults, which the help
        // shows.
        let command = TrainSpec::augment_args_for_update(command)
            .mut_arg("gate_every", |arg| arg.requires("gated"))
            .mut_args(|arg| match defaults.get(arg.get_id().as_str()) {
                Some(value) => with_default(arg, value),
                None => arg,
            });
        Control::augment_args(command)
            .about("Train a team of nets; plain `nonet train` takes some minutes")
            .long_about(ABOUT)
            .after_long_help(examples(&EXAMPLES))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Args::augment_args(command)
    }
}

/// An option with its default in its help.
fn with_default(arg: Arg, value: &str) -> Arg {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let long = arg.get_long_help().map_or_else(|| help.clone(), ToString::to_string);
    arg.help(format!("{help} [default: {value}]"))
        .long_help(format!("{long}\n\n[default: {value}]"))
}

/// The option of a key.
fn flag(key: &str) -> String {
    format!("--{}", key.replace('_', "-"))
}

/// A message that names keys of a configuration in backticks, with the options of the command in
/// their place.
pub(crate) fn in_flags(message: &str) -> String {
    TrainSpec::KEYS.iter().fold(message.to_owned(), |text, key| {
        text.replace(&format!("`{key}`: "), &format!("{} ", flag(key)))
            .replace(&format!("`{key}`"), &flag(key))
    })
}
