//! `nonet rollout`: the mean result of games from a position, after each of the best plays, or with and without a double.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nonet::backgammon::{CubeOffer, MatchState, Position, Turn, Xgid};
use nonet::engine::{CubeContext, Engine, EngineError};
use nonet::rollout::{CubeRollout, RolloutConfig, RolloutLine, RolloutSums};
use nonet::search::{Plies, SearchSettings};
use nonet::store::{SavedRollouts, StoreError};

use super::engine_args::{PositionQuery, QuestionArgs, dice_of, read_question};
use super::interrupt::interruptible;
use super::nats_args::NatsArgs;
use super::progress_bar::show_progress;
use super::rollout_answer::{cube_answer, plays_answer};
use super::usage;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Position ID, GNU ID (POSITION:MATCH) or XGID.
    id: String,
    /// The roll, as 31: the best plays are rolled out with the same dice. [default: that of the ID; else the position]
    #[arg(num_args = 0..=2)]
    dice: Vec<String>,
    /// Roll out the cube decision of the player on roll: no double, and a double that is taken, with the same dice.
    #[arg(long, conflicts_with_all = ["dice", "cubeless", "plays"])]
    cube: bool,
    /// Maximum number of games, of each play.
    #[arg(long, value_name = "N", default_value_t = 1296)]
    games: u64,
    /// Plies after which a game is cut off: it counts the mean of its evaluations there and one ply later. 0 plays to the end.
    #[arg(long, value_name = "N", default_value_t = 11)]
    pub(super) truncate: u32,
    /// Stop when the standard error of every equity is at most this, after 288 games at the earliest.
    #[arg(long, alias = "stderr", value_name = "POINTS")]
    until: Option<f64>,
    /// Stop when the best play (or cube action) leads every other by this many standard errors of the difference, after 288
    /// games at the earliest.
    #[arg(long, value_name = "N")]
    separated: Option<f64>,
    /// Search depth of the plays in plies, 1 (static) to 4. Cube actions are always decided at 1-ply.
    #[arg(long, value_name = "N", default_value = "1")]
    pub(super) ply: Plies,
    /// Number of best plays to roll out.
    #[arg(long, value_name = "N", default_value_t = 3)]
    plays: usize,
    /// Play without the cube.
    #[arg(long)]
    pub(super) cubeless: bool,
    /// No variance reduction.
    #[arg(long)]
    pub(super) no_variance_reduction: bool,
    /// Seed of the dice.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Save the games in this file, every ten seconds and on Ctrl-C, and resume from it if it exists.
    #[arg(long, value_name = "FILE.json")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    pub(super) question: QuestionArgs,
    #[command(flatten)]
    nats: NatsArgs,
}

/// Something to roll out, and its games.
pub(super) struct Row {
    pub(super) name: String,
    /// Its name in a file of rollouts.
    key: String,
    line: RolloutLine,
    pub(super) sums: RolloutSums,
}

impl Row {
    /// The board, its player on roll.
    pub(super) const fn position(&self) -> &Position {
        &self.line.position
    }
}

/// Time between two saves.
const SAVE_EVERY: Duration = Duration::from_secs(10);

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let question = read_question(&args.id, dice_of(&args.dice).as_deref()).map_err(usage)?;
    check(args)?;
    let PositionQuery { position, ref state, dice } = question;
    let engine = args.question.open(Plies::TWO, SearchSettings::WIDE)?;
    let context = engine.context(state.scoring, state.cube).map_err(usage)?;
    let turned = matches!(state.turn, Turn::Offered(CubeOffer::Beaver | CubeOffer::Raccoon));
    if args.cube && turned {
        return Err(usage(EngineError::CubeTurned));
    }
    if args.cube && !context.may_double() {
        return Err(usage(
            "the player on roll cannot double: there is no cube decision to roll out",
        ));
    }
    let started = Instant::now();
    let (description, keep) = (description(args, &question), args.keep.as_ref());
    let mut saved = match keep {
        Some(path) => SavedRollouts::open(path, description).map_err(as_usage)?,
        None => SavedRollouts::new(description),
    };
    let mut rows = rows(args, &engine, &question, &context);
    for row in &mut rows {
        row.sums = saved.sums(&row.key);
    }
    roll_out(args, &engine, &context, &mut rows, |rows| {
        let Some(path) = keep else { return Ok(()) };
        rows.iter().for_each(|(key, sums)| saved.put(key, sums));
        saved.save(path)
    })?;
    if rows.iter().any(|row| row.sums.games() == 0) {
        return Ok(());
    }
    let seconds = started.elapsed().as_secs_f64();
    let text = if args.cube {
        let [undoubled, doubled] = [0, 1].map(|row| rows[row].sums.clone());
        let result = CubeRollout::of(&context.scoring, context.cube, &[undoubled, doubled]);
        cube_answer(args, &position, state, &result, seconds)
    } else {
        plays_answer(args, (&position, state, dice), &rows, seconds)
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn check(args: &Args) -> anyhow::Result<()> {
    if args.games == 0 {
        return Err(usage("--games must be at least 1, not 0"));
    }
    let limits =
        [("--until", args.until, "points"), ("--separated", args.separated, "standard errors")];
    for (name, limit, unit) in limits {
        if limit.is_some_and(|limit| limit.is_nan() || limit < 0.0) {
            return Err(usage(format!("{name} must be a number of {unit}, 0 or more")));
        }
    }
    Ok(())
}

/// What is rolled out: the position, the best plays of a roll, or both sides of a cube decision.
fn rows(args: &Args, engine: &Engine, question: &PositionQuery, context: &CubeContext) -> Vec<Row> {
    let PositionQuery { position, dice, .. } = question;
    let row =
        |name: String, key: String, line| Row { name, key, line, sums: RolloutSums::default() };
    if args.cube {
        let lines = CubeRollout::lines(*position, &context.scoring, context.cube);
        let names = ["no double", "double, take"].map(str::to_owned);
        return names
            .into_iter()
            .zip(lines)
            .map(|(name, line)| row(name.clone(), name, line))
            .collect();
    }
    let line = |position: &Position, context: &CubeContext| {
        Engine::rollout_line(position, (!args.cubeless).then_some(context))
    };
    let Some(dice) = *dice else {
        return vec![row("position".to_owned(), position.id(), line(position, context))];
    };
    let opponent = context.flipped();
    let plays = engine.rank(position, dice, context);
    let plays = plays.iter().take(args.plays.max(1));
    plays
        .map(|play| {
            let name = match play.play().to_string() {
                name if name.is_empty() => "(no legal play)".to_owned(),
                name => name,
            };
            row(name, play.after().id(), line(play.after(), &opponent))
        })
        .collect()
}

/// Plays the games; `save` gets the rows' keys and sums every ten seconds, and at the end.
fn roll_out(
    args: &Args,
    engine: &Engine,
    context: &CubeContext,
    rows: &mut [Row],
    mut save: impl FnMut(&[(&str, &RolloutSums)]) -> Result<(), StoreError> + Send,
) -> anyhow::Result<()> {
    let config = RolloutConfig {
        games: args.games,
        truncate: (args.truncate > 0).then_some(args.truncate),
        plies: args.ply,
        variance_reduction: !args.no_variance_reduction,
        seed: args.seed,
    };
    let keys: Vec<String> = rows.iter().map(|row| row.key.clone()).collect();
    let lines: Vec<RolloutLine> = rows.iter().map(|row| row.line.clone()).collect();
    let mut sums: Vec<RolloutSums> = rows.iter().map(|row| row.sums.clone()).collect();
    let mut save = |sums: &[RolloutSums]| {
        let rows: Vec<_> = keys.iter().map(String::as_str).zip(sums).collect();
        save(&rows)
    };
    let mut saving = Ok(());
    let mut last = Instant::now();
    let mut enough = |sums: &[RolloutSums]| {
        if last.elapsed() > SAVE_EVERY {
            saving = save(sums);
            last = Instant::now();
        }
        saving.is_err() || is_enough(args, context, sums)
    };
    let machines = args.nats.connect()?;
    let progress = machines.of(interruptible());
    progress.set(sums.iter().map(RolloutSums::games).min().unwrap_or(0));
    let what = match rows.len() {
        1 => "games".to_owned(),
        n => format!("games of each of {n}"),
    };
    show_progress(&what, args.games, &progress, |progress| {
        engine.rollout_together(&lines, &config, &mut sums, &mut enough, progress);
    });
    saving?;
    save(&sums)?;
    machines.check()?;
    machines.end();
    let done = sums.iter().map(RolloutSums::games).min().unwrap_or(0);
    if progress.is_stopped() && done < args.games {
        let resume = if args.keep.is_some() { "; the same command resumes" } else { "" };
        writeln!(io::stderr(), "stopped after {done} of {} games{resume}", args.games)?;
    }
    for (row, sums) in rows.iter_mut().zip(sums) {
        row.sums = sums;
    }
    Ok(())
}

/// Whether a stop rule holds.
fn is_enough(args: &Args, context: &CubeContext, sums: &[RolloutSums]) -> bool {
    if !sums.iter().all(RolloutSums::has_reliable_error) {
        return false;
    }
    let exact = |limit| sums.iter().all(|sums| sums.result().equity.stderr <= limit);
    let apart = |limit| match sums {
        [undoubled, doubled] if args.cube => {
            let sums = [undoubled.clone(), doubled.clone()];
            CubeRollout::of(&context.scoring, context.cube, &sums).separation() >= limit
        }
        // Plays are rolled out for the opponent, whose turn it is: the lowest is the best.
        _ => {
            let mean = |sums: &&RolloutSums| sums.result().equity.mean;
            let best = sums.iter().min_by(|a, b| mean(a).total_cmp(&mean(b)));
            best.is_some_and(|best| {
                sums.len() > 1
                    && sums.iter().filter(|other| !std::ptr::eq(*other, best)).all(|other| {
                        let lead = other.difference(best);
                        lead.mean >= limit * lead.stderr
                    })
            })
        }
    };
    args.until.is_some_and(exact) || args.separated.is_some_and(apart)
}

/// Everything that the sums of a rollout depend on, in one line.
fn description(args: &Args, question: &PositionQuery) -> String {
    let PositionQuery { position, state, dice } = question;
    let xgid = Xgid::new(*position, state.clone());
    let dice = match dice {
        _ if args.cube => "cube decision".to_owned(),
        Some(dice) => dice.to_string(),
        None => "no roll".to_owned(),
    };
    let horizon = match args.truncate {
        0 => "to the end".to_owned(),
        plies => format!("{plies} and {} plies", u64::from(plies) + 1),
    };
    format!(
        "{xgid}, {dice}, {}, seed {}, {horizon}, {}, cubeless {}, no variance reduction {}",
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

/// The state of a position, for answers.
pub(super) type Asked<'a> = (&'a Position, &'a MatchState, Option<nonet::Dice>);
