//! `nonet benchmark`: what players lose on a set of decisions.

mod counted;
mod exact;
mod make;
mod score;
mod time;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nonet::benchmark::{DecisionSet, Split};
use nonet::eval::Evaluator;
use nonet::open::{CHAMPION, PlayerSpec};
use nonet::search::Plies;

use self::make::MakingArgs;
use self::score::GnubgFile;
use crate::cli::args::databases::databases;
use crate::cli::args::filter::{FILTERS, FilterArg};
use crate::cli::args::nats::NatsArgs;
use crate::cli::args::output_file::{check_outputs, check_pictures};
use crate::cli::args::player::{self, open_evaluator};
use crate::cli::args::threads::pool;
use crate::cli::error::usage;
use crate::cli::output::examples::examples;
use crate::cli::output::shell_word::{option_words, shell_word};

/// The decisions of nonet's repository.
const DECISIONS: &str = "nets/decisions.txt";

/// Options that have no meaning together with solved values.
const NOT_EXACT: [&str; 7] = ["make", "time", "by", "part", "decisions", "plot", "NatsArgs"];

/// Score players on reference decisions, by position class.
///
/// ER is 1000 times the mean loss of a decision, in points per game. --make collects decisions
/// instead and has engines judge them.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    (
        "Score the built-in net at 1-ply and 2-ply on the decisions of nonet's repository",
        "nonet benchmark champion champion:2 --decisions nets/decisions.txt",
    ),
    (
        "Score the built-in net on the plays that gnubg rolled out in contact positions",
        "nonet benchmark champion --bm contact.bm",
    ),
    (
        "Measure error rate and time, and plot one over the other",
        "nonet benchmark champion:2 champion:3 --time --plot times.svg",
    ),
]))]
pub(crate) struct Args {
    /// Players: nets as for `nonet eval`, gnubg:N or puretd:FILE.
    ///
    /// `NET:2` decides at 2-ply. gnubg:N is GNU Backgammon at its N - 1 plies. `puretd:FILE` is
    /// PureTD's net.
    #[arg(default_value = CHAMPION, value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    /// File of the reference decisions.
    #[arg(long, default_value = DECISIONS, value_name = "FILE")]
    decisions: PathBuf,
    /// Part of the decisions.
    #[arg(long, default_value = "development", value_name = "PART")]
    part: Split,
    /// Score against the solved values of hypergammon instead of decisions.
    ///
    /// `nonet bearoff --gnubg hypergammon` solves it. The errors of evaluations and of 1-ply plays
    /// are told for positions that best play visits, and for all positions alike.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = NOT_EXACT
    )]
    exact: Option<PathBuf>,
    /// Score on a benchmark file of GNU Backgammon, contact.bm for example.
    ///
    /// Rollouts say what its plays lose. A play that it does not list loses as much as the worst
    /// one that it lists for the roll. The files are at
    /// https://alpha.gnu.org/gnu/gnubg/nn-training/1.00/benchmarks/.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["make", "exact", "time", "by", "part", "decisions"]
    )]
    bm: Option<PathBuf>,
    /// With --exact: number of positions of each kind.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20_000,
        requires = "exact",
        conflicts_with_all = NOT_EXACT
    )]
    positions: u64,
    /// Score by this judge instead of the mean of all judges.
    ///
    /// The first letters of the name are enough.
    #[arg(long, value_name = "JUDGE")]
    by: Option<String>,
    /// Players use the bearoff databases.
    ///
    /// `nonet bearoff` makes them.
    #[arg(long, alias = "endings")]
    bearoff: bool,
    /// Print JSON, one line a player.
    #[arg(long)]
    json: bool,
    /// Measure how long players take, too.
    ///
    /// The plays that players choose with their move filters are scored. --plot then plots the ER
    /// over the time. Without --threads, one thread is used.
    #[arg(long, conflicts_with = "make")]
    time: bool,
    /// With --time: move filters of nets, one after another.
    #[arg(
        long,
        value_name = "FILTER",
        long_help = format!("With --time: move filters of nets, one after another.\n\n{FILTERS}"),
        value_delimiter = ',',
        requires = "time",
        conflicts_with_all = ["make", "exact", "bm"],
        hide_long_help = true
    )]
    filter: Vec<FilterArg>,
    /// Plot the ER by class.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Number of threads [default: one per processor]
    ///
    /// Scores do not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    nats: NatsArgs,
    #[command(flatten)]
    making: MakingArgs,
    /// Seed of the games of --make, or of the positions of --exact [default: 1]
    #[arg(long, value_name = "N", hide_long_help = true)]
    seed: Option<u64>,
}

impl Args {
    /// The seed of what is drawn.
    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if args.seed.is_some() && args.making.make.is_none() && args.exact.is_none() {
        return Err(usage("--seed needs --make or --exact: other scores draw nothing"));
    }
    check_outputs(&args.making.make)?;
    check_pictures(&args.plot)?;
    let pool = pool(args.threads.or(args.time.then_some(1)))?;
    match (&args.making.make, &args.exact) {
        (Some(path), _) => pool.install(|| make::make(args, path)),
        (None, Some(path)) => pool.install(|| exact::score(args, path)),
        (None, None) => pool.install(|| {
            if args.nats.is_given() {
                return Err(usage("--nats needs --make: scoring decisions takes seconds"));
            }
            if let Some(path) = &args.bm {
                return score::score(args, &GnubgFile::read(path)?);
            }
            let references = References::read(args)?;
            match args.time {
                true => time::time(args, &references),
                false => score::score(args, &references),
            }
        }),
    }
}

fn open(player: &PlayerSpec, bearoff: bool) -> anyhow::Result<Arc<dyn Evaluator>> {
    let bearoff = bearoff.then(databases).transpose()?;
    open_evaluator(player, Plies::ONE, bearoff.as_ref())
}

/// The decisions that are scored, and the judges of the references that count.
struct References {
    set: DecisionSet,
    part: Split,
    /// One judge of `set`, or the mean of all.
    judge: Option<usize>,
    /// The judges in words.
    by: String,
}

impl References {
    /// Reads the file that the options name.
    fn read(args: &Args) -> anyhow::Result<References> {
        let path = args.decisions.display();
        let text = std::fs::read_to_string(&args.decisions).map_err(|error| {
            usage(format!(
                "cannot read the decisions in {path}: {error}; --decisions names another file, \
                 and nonet's repository has nets/decisions.txt"
            ))
        })?;
        let set = DecisionSet::from_text(&text, &path.to_string()).map_err(usage)?;
        let short = player::short_names(&set.judges);
        let judge = match &args.by {
            None => None,
            Some(name) => Some(
                // The whole name, or the first letters of its short form.
                set.judge(name)
                    .or_else(|| short.iter().position(|short| short.starts_with(name)))
                    .ok_or_else(|| {
                        let judges = set.judges.join(", ");
                        usage(format!("no judge is called '{name}': there are {judges}"))
                    })?,
            ),
        };
        let by = judge.map_or_else(|| short.join(" and "), |judge| short[judge].clone());
        Ok(References { set, part: args.part, judge, by })
    }
}

/// The command that scores.
fn command(args: &Args) -> String {
    let mut command = format!("nonet benchmark {}", player::in_words(&args.players));
    match &args.bm {
        Some(path) => command += &format!(" --bm {}", shell_word(path)),
        None => {
            if args.decisions != Path::new(DECISIONS) {
                command += &format!(" --decisions {}", shell_word(&args.decisions));
            }
            command += &format!(" --part {}", args.part.name());
        }
    }
    if let Some(judge) = &args.by {
        command += &option_words("--by", judge);
    }
    if args.bearoff {
        command += " --bearoff";
    }
    if args.time {
        command += " --time";
    }
    if !args.filter.is_empty() {
        let filters: Vec<String> = args.filter.iter().map(FilterArg::to_string).collect();
        command += &format!(" --filter {}", filters.join(","));
    }
    command
}
