//! `nonet rollout`: the mean result of games from a position, after each of the best plays, or with
//! and without a double.

mod answer;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nonet::answer::{RolloutOptions, RolloutQuestion, StrengthQuestion, read_id, read_question};
use nonet::backgammon::{Dice, GameState};
use nonet::engine::{Engine, LEVELS, Level};
use nonet::open::count;
use nonet::rollout::{RolloutConfig, RolloutLine, RolloutSums};
use nonet::search::{Plies, SearchSettings};
use nonet::stats::Estimate;
use nonet::store::{SavedRollouts, StoreError};

use crate::cli::args::engine::{QuestionArgs, dice_of};
use crate::cli::args::nats::NatsArgs;
use crate::cli::args::output_file::check_outputs;
use crate::cli::args::position::{check_roll, position_id};
use crate::cli::error::usage;
use crate::cli::interrupt::interruptible;
use crate::cli::output::answer::json_line;
use crate::cli::output::progress_bar::show_progress;
use crate::cli::output::terminal::Terminal;

use self::answer::{cube_answer, plays_answer, strengths_answer};
use crate::cli::output::examples::examples;

/// Roll out a position, its best plays, or a cube decision.
///
/// A rollout plays many games from the position. Variance reduction removes most of their luck.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Roll out a cube decision", "nonet rollout 4HPwATDgc/ABMA --cube --games 288"),
    (
        "Stop at a small error, and keep the games for later",
        "nonet rollout 4HPwATDgc/ABMA 64 --until 0.01 --keep opening-64.json",
    ),
    (
        "Roll out 64 for players of four strengths on both sides",
        "nonet rollout 4HPwATDgc/ABMA 64 --strengths",
    ),
]))]
pub(crate) struct Args {
    /// Position: a Position ID, GNU ID, XGID, file (.xgp), or start.
    ///
    /// A GNU ID is POSITION:MATCH.
    #[arg(value_parser = position_id)]
    id: String,
    /// The roll, as 31 [default: that of the ID]
    ///
    /// The best plays are rolled out with the same dice. If the ID has no roll either, the position
    /// itself is rolled out.
    #[arg(num_args = 0..=2)]
    dice: Vec<String>,
    /// Roll out the cube decision of the player on roll.
    ///
    /// No double, and a double that is taken, are rolled out with the same dice.
    #[arg(long, conflicts_with_all = ["dice", "cubeless", "plays"])]
    cube: bool,
    /// Largest number of games of each play [default: 1296; 144 with --strengths]
    #[arg(long, value_name = "N", value_parser = count)]
    games: Option<u64>,
    /// Cut games off after N plies; 0 plays to the end.
    ///
    /// A game that is cut off counts the mean of its evaluations there and one ply later: faster,
    /// but as wrong as these evaluations.
    #[arg(long, value_name = "N", default_value_t = RolloutConfig::TRUNCATE)]
    pub(super) truncate: u32,
    /// Stop when every standard error is at most this.
    ///
    /// After 288 games at the earliest.
    #[arg(long, alias = "stderr", value_name = "POINTS")]
    until: Option<f64>,
    /// Stop when the best play leads by N standard errors.
    ///
    /// The lead over every other play (or cube action) counts, in standard errors of the
    /// difference. After 288 games at the earliest.
    #[arg(long, value_name = "N")]
    separated: Option<f64>,
    /// Search depth of plays in plies, 1 (static) to 4.
    ///
    /// Cube actions are always decided at 1-ply.
    #[arg(
        long,
        value_name = "N",
        default_value = RolloutConfig::PLIES.digit(),
        help_heading = "Engine"
    )]
    pub(super) ply: Plies,
    /// Number of best plays to roll out [default: 3; 2 with --strengths]
    #[arg(long, value_name = "N")]
    plays: Option<usize>,
    /// Levels of both sides: of the player who is asked, and of the opponent.
    ///
    /// One name is meant for both sides. Each side decides by the equities of the net, with the
    /// errors of its level. `nonet levels` shows the PR of each.
    #[arg(
        long,
        value_name = "LEVEL,LEVEL",
        value_delimiter = ',',
        value_parser = LEVELS.map(|level| level.name),
        hide_possible_values = true
    )]
    pub(super) levels: Vec<String>,
    /// Show the decision for all pairs of four levels.
    ///
    /// The levels are champion, human-4, human-8 and human-11. All pairs have the same dice.
    #[arg(long, conflicts_with_all = ["levels", "until", "separated"])]
    strengths: bool,
    /// Play without the cube.
    #[arg(long)]
    pub(super) cubeless: bool,
    /// Do not reduce the variance.
    #[arg(long, hide_long_help = true)]
    pub(super) no_variance_reduction: bool,
    /// Seed of the dice.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Keep the games in this file, and resume from it.
    ///
    /// It is saved every ten seconds and on Ctrl-C.
    #[arg(long, value_name = "FILE.json")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    pub(super) question: QuestionArgs,
    #[command(flatten)]
    nats: NatsArgs,
}

impl Args {
    /// The largest number of games of each play.
    fn games(&self) -> u64 {
        let usual = if self.strengths { StrengthQuestion::GAMES } else { RolloutConfig::GAMES };
        self.games.unwrap_or(usual)
    }

    /// The number of best plays.
    fn plays(&self) -> usize {
        let usual = if self.strengths { StrengthQuestion::PLAYS } else { RolloutConfig::PLAYS };
        self.plays.unwrap_or(usual)
    }
}

/// Time between two saves.
const SAVE_EVERY: Duration = Duration::from_secs(10);

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let asked = read_id(&args.id).map_err(usage)?;
    let question = read_question(&args.id, dice_of(&args.dice).as_deref()).map_err(usage)?;
    check(args, &question)?;
    check_outputs(&args.keep)?;
    let engine = args.question.open(RolloutConfig::CHOOSING_PLIES, SearchSettings::WIDE)?;
    let options = RolloutOptions {
        cube: args.cube,
        cubeless: args.cubeless,
        plays: args.plays(),
        also: None,
    };
    let task = RolloutQuestion::new(&engine, question.clone(), options).map_err(usage)?;
    let task = task.between(levels(args)?);
    let table = args.strengths.then(|| StrengthQuestion::new(&task));
    let lines = table.as_ref().map_or_else(|| task.lines(), StrengthQuestion::lines);
    let started = Instant::now();
    let (description, keep) = (description(args, &asked, question.dice()), args.keep.as_ref());
    let mut saved = match keep {
        Some(path) => SavedRollouts::open(path, description).map_err(as_usage)?,
        None => SavedRollouts::new(description),
    };
    let keys: Vec<String> = match &table {
        Some(table) => table.names(),
        None => (task.names().iter().zip(lines))
            .map(|(name, line)| if args.cube { name.clone() } else { line.position.id() })
            .collect(),
    };
    let mut sums: Vec<RolloutSums> = keys.iter().map(|key| saved.sums(key)).collect();
    let is_enough = |sums: &[RolloutSums]| table.is_none() && is_enough(args, &task, sums);
    roll_out(args, &engine, lines, &mut sums, &is_enough, |sums| {
        let Some(path) = keep else { return Ok(()) };
        keys.iter().zip(sums).for_each(|(key, sums)| saved.put(key, sums));
        saved.save(path)
    })?;
    if sums.iter().any(|sums| sums.games() == 0) {
        return Ok(());
    }
    let (config, seconds) = (config(args), started.elapsed().as_secs_f64());
    let text = match (&table, task.cube(&sums)) {
        (Some(table), _) => {
            let table = table.table(&config, &sums, seconds);
            if args.question.json {
                json_line(&table)
            } else {
                Terminal::of_stdout().fitted(&strengths_answer(&table, &question, args.cube))
            }
        }
        _ if args.question.json => json_line(&task.answer(&config, &sums, seconds)),
        (None, Some(result)) => {
            Terminal::of_stdout().fitted(&cube_answer(args, &task, &question, &result, seconds))
        }
        (None, None) => {
            Terminal::of_stdout().fitted(&plays_answer(args, &task, &question, &sums, seconds))
        }
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// The levels of both sides.
fn levels(args: &Args) -> anyhow::Result<[Level; 2]> {
    let level = |name: &String| Level::named(name).unwrap_or(Level::CHAMPION);
    match args.levels.as_slice() {
        [] => Ok([Level::CHAMPION; 2]),
        [both] => Ok([level(both); 2]),
        [own, other] => Ok([level(own), level(other)]),
        more => Err(usage(format!("--levels has {} names, expected 1 or 2", more.len()))),
    }
}

/// How the games are played.
pub(super) fn config(args: &Args) -> RolloutConfig {
    RolloutConfig {
        games: args.games(),
        truncate: (args.truncate > 0).then_some(args.truncate),
        plies: args.ply,
        variance_reduction: !args.no_variance_reduction,
        seed: args.seed,
    }
}

/// Refuses wrong numbers, and options that `question` leaves nothing to do.
fn check(args: &Args, question: &GameState) -> anyhow::Result<()> {
    if args.games == Some(0) {
        return Err(usage("--games must be at least 1, not 0"));
    }
    let limits =
        [("--until", args.until, "points"), ("--separated", args.separated, "standard errors")];
    for (name, limit, unit) in limits {
        if limit.is_some_and(|limit| limit.is_nan() || limit < 0.0) {
            return Err(usage(format!("{name} must be a number of {unit}, 0 or more")));
        }
    }
    // Both sides of a cube decision are compared without a roll, too.
    let compared = args.separated.is_some() && !args.cube;
    check_roll(question, &[("--plays", args.plays.is_some()), ("--separated", compared)])
}

/// Plays the games; `save` gets the sums every ten seconds, and at the end.
fn roll_out(
    args: &Args,
    engine: &Engine,
    lines: &[RolloutLine],
    sums: &mut [RolloutSums],
    is_enough: &(dyn Fn(&[RolloutSums]) -> bool + Sync),
    mut save: impl FnMut(&[RolloutSums]) -> Result<(), StoreError> + Send,
) -> anyhow::Result<()> {
    let config = config(args);
    let mut saving = Ok(());
    let mut last = Instant::now();
    let mut enough = |sums: &[RolloutSums]| {
        if last.elapsed() > SAVE_EVERY {
            saving = save(sums);
            last = Instant::now();
        }
        saving.is_err() || is_enough(sums)
    };
    let machines = args.nats.connect()?;
    let progress = machines.of(interruptible());
    progress.set(sums.iter().map(RolloutSums::games).min().unwrap_or(0));
    let what = match lines.len() {
        1 => "games".to_owned(),
        n => format!("games of each of {n}"),
    };
    show_progress(&what, args.games(), &progress, |progress| {
        engine.rollout_together(lines, &config, sums, &mut enough, progress);
    });
    saving?;
    save(sums)?;
    machines.check()?;
    machines.end();
    let done = sums.iter().map(RolloutSums::games).min().unwrap_or(0);
    if progress.is_stopped() && done < args.games() {
        let resume = if args.keep.is_some() { "; the same command resumes" } else { "" };
        writeln!(io::stderr(), "stopped after {done} of {} games{resume}", args.games())?;
    }
    Ok(())
}

/// Whether a stop rule holds.
fn is_enough(args: &Args, task: &RolloutQuestion, sums: &[RolloutSums]) -> bool {
    if !sums.iter().all(RolloutSums::has_reliable_error) {
        return false;
    }
    let exact = |limit| sums.iter().all(|sums| sums.result().equity.stderr <= limit);
    let apart = |limit| match task.cube(sums) {
        Some(cube) => cube.separation() >= limit,
        None => {
            let others = &task.results(sums)[1..];
            let clear = |lead: &Estimate| lead.mean >= limit * lead.stderr;
            !others.is_empty() && others.iter().all(|(.., lead)| clear(lead))
        }
    };
    args.until.is_some_and(exact) || args.separated.is_some_and(apart)
}

/// Everything that the sums of a rollout depend on, in one line.
fn description(args: &Args, asked: &GameState, dice: Option<Dice>) -> String {
    let xgid = asked.xgid();
    let dice = match dice {
        _ if args.cube => "cube decision".to_owned(),
        Some(dice) if args.cubeless => dice.to_string(),
        Some(dice) => format!("{dice}, doubles at once"),
        None => "no roll".to_owned(),
    };
    let horizon = match args.truncate {
        0 => "to the end".to_owned(),
        plies => format!("{plies} and {} plies", u64::from(plies) + 1),
    };
    let levels = match args.levels.is_empty() {
        true => String::new(),
        false => format!(", levels {}", args.levels.join(" ")),
    };
    format!(
        "{xgid}, {dice}, {}, seed {}, {horizon}, {}, cubeless {}, no variance reduction {}{levels}",
        args.question.description(),
        args.seed,
        args.ply,
        args.cubeless,
        args.no_variance_reduction
    )
}

/// A file that was named wrongly is an error in the arguments; a disk that fails is not.
fn as_usage(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::NoRollout { .. } | StoreError::OtherRollout { .. } => usage(error),
        other => other.into(),
    }
}
