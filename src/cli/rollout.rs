//! `nonet rollout`: what games from a position, or after each of the best plays, bring on average.

use std::io::{self, Write};
use std::path::PathBuf;

use nonet::backgammon::{MatchState, Position, Xgid};
use nonet::engine::{CubeContext, Engine};
use nonet::progress::Progress;
use nonet::rollout::{RolloutConfig, RolloutResult, RolloutSums};
use nonet::search::{Plies, SearchSettings};
use nonet::store::{SavedRollouts, StoreError};
use serde_json::json;

use super::engine_args::{
    PositionQuery, QuestionArgs, dice_of, in_words, outcomes_json, percent, read_question,
};
use super::interrupt::interruptible;
use super::progress_bar::show_progress;
use super::usage;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Position ID, GNU ID (POSITION:MATCH) or XGID.
    id: String,
    /// The roll, as 31: the best plays are rolled out with the same dice. [default: that of the ID; else the position]
    #[arg(num_args = 0..=2)]
    dice: Vec<String>,
    /// Maximum number of games.
    #[arg(long, value_name = "N", default_value_t = 1296)]
    games: u64,
    /// Plies after which a game is truncated and evaluated; 0 plays to the end.
    #[arg(long, value_name = "N", default_value_t = 11)]
    truncate: u32,
    /// Stop when the standard error of the equity is at most this.
    #[arg(long, value_name = "POINTS")]
    stderr: Option<f64>,
    /// Search depth of the players in plies, 1 (static) to 4.
    #[arg(long, value_name = "N", default_value = "1")]
    ply: Plies,
    /// Number of best plays to roll out.
    #[arg(long, value_name = "N", default_value_t = 3)]
    plays: usize,
    /// Play without the cube.
    #[arg(long)]
    cubeless: bool,
    /// No variance reduction.
    #[arg(long)]
    no_variance_reduction: bool,
    /// Seed of the dice.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Save the games in this file and resume from it if it exists; Ctrl-C saves, too.
    #[arg(long, value_name = "FILE.json")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    question: QuestionArgs,
}

/// One row of the answer.
struct Row {
    name: String,
    id: String,
    result: RolloutResult,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let question = read_question(&args.id, dice_of(&args.dice).as_deref()).map_err(usage)?;
    let PositionQuery { position, ref state, dice } = question;
    if args.games == 0 {
        return Err(usage("--games must be at least 1, not 0"));
    }
    if args.stderr.is_some_and(|wanted| wanted.is_nan() || wanted < 0.0) {
        return Err(usage("--stderr must be a number of points, 0 or more"));
    }
    let engine = args.question.open(Plies::TWO, SearchSettings::WIDE)?;
    let context = engine.context(state.scoring, state.cube).map_err(usage)?;
    let started = std::time::Instant::now();
    let mut rows = Vec::new();
    let description = description(args, &question);
    let mut saved = match &args.keep {
        Some(path) => SavedRollouts::open(path, description).map_err(as_usage)?,
        None => SavedRollouts::new(description),
    };
    let mut one = |name: String, position: &Position, context: &CubeContext| {
        let sums = saved.sums(position);
        let progress = interruptible();
        progress.set(sums.games());
        show_progress(&format!("games {name}"), args.games, &progress, |progress| {
            of(args, &engine, position, context, sums, progress);
        });
        if sums.games() > 0 {
            rows.push(Row { name, id: position.id(), result: sums.result() });
        }
    };
    match dice {
        None => one("position".to_owned(), &position, &context),
        Some(dice) => {
            let opponent = context.flipped();
            for play in engine.rank(&position, dice, &context).iter().take(args.plays.max(1)) {
                one(play.play().to_string(), play.after(), &opponent);
            }
            // Each was rolled out for the opponent, whose turn it is.
            for row in &mut rows {
                row.result.value = row.result.value.flipped();
                row.result.equity.mean = -row.result.equity.mean;
            }
            rows.sort_by(|a, b| b.result.equity.mean.total_cmp(&a.result.equity.mean));
        }
    }
    if let Some(path) = &args.keep {
        saved.save(path)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    let text = if args.question.json {
        in_json(args, &position, dice.map(|dice| dice.to_string()), &rows, seconds)
    } else {
        in_text(args, &position, state, &rows, seconds)
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn of(
    args: &Args,
    engine: &Engine,
    position: &Position,
    context: &CubeContext,
    sums: &mut RolloutSums,
    progress: &Progress,
) {
    let config = RolloutConfig {
        games: args.games,
        truncate: (args.truncate > 0).then_some(args.truncate),
        plies: args.ply,
        variance_reduction: !args.no_variance_reduction,
        stderr: args.stderr,
        seed: args.seed,
    };
    engine.rollout(position, (!args.cubeless).then_some(context), &config, sums, progress);
}

/// Everything that the sums of a rollout depend on, in one line.
fn description(args: &Args, question: &PositionQuery) -> String {
    let PositionQuery { position, state, dice } = question;
    let xgid = Xgid::new(*position, state.clone());
    let dice = dice.map_or_else(|| "no roll".to_owned(), |dice| dice.to_string());
    format!(
        "{xgid}, {dice}, {}, seed {}, truncate {}, {}, cubeless {}, no variance reduction {}",
        args.question.description(),
        args.seed,
        args.truncate,
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

fn in_json(
    args: &Args,
    position: &Position,
    dice: Option<String>,
    rows: &[Row],
    seconds: f64,
) -> String {
    let rows = rows.iter().map(|row| {
        let equity = &row.result.equity;
        json!({
            "play": row.name, "id": row.id, "games": row.result.games, "equity": equity.mean,
            "stderr": equity.stderr, "stderr_with_luck": row.result.plain_stderr,
            "outcomes": outcomes_json(&row.result.value), "cubeless": row.result.value.equity(),
        })
    });
    let rows: Vec<_> = rows.collect();
    let answer = json!({
        "id": position.id(), "dice": dice, "cubeful": !args.cubeless, "truncate": args.truncate,
        "plies": args.ply.get(), "seed": args.seed, "seconds": seconds, "rollouts": rows,
    });
    format!("{answer}\n")
}

fn in_text(
    args: &Args,
    position: &Position,
    state: &MatchState,
    rows: &[Row],
    seconds: f64,
) -> String {
    let mut text = format!("{position}\n{}\n\n", in_words(state));
    let wide = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(4);
    text += &format!(
        "{:wide$}   equity  s.e.            win   gam   bgm    lose   gam   bgm   games\n",
        ""
    );
    let best = rows.first().map_or(0.0, |row| row.result.equity.mean);
    for (place, row) in rows.iter().enumerate() {
        let equity = &row.result.equity;
        let loss = if place == 0 { String::new() } else { format!("({:+.3})", equity.mean - best) };
        text += &format!(
            "{:wide$}   {:+.3} ±{:.3} {loss:>8}  {}   {}\n",
            row.name,
            equity.mean,
            equity.stderr,
            percent(&row.result.value),
            row.result.games
        );
    }
    let end = match args.truncate {
        0 => "to the end".to_owned(),
        plies => format!("for {plies} plies"),
    };
    let kind = if args.cubeless { "without the cube" } else { "with the cube" };
    text += &format!(
        "\nplayed {end} at {}, {kind}; one standard error; seed {}, {seconds:.1} s\n",
        args.ply, args.seed
    );
    if let Some(row) = rows.first().filter(|_| !args.no_variance_reduction) {
        let equity = &row.result.equity;
        text += &format!(
            "with their luck left in, these games would have an error of {:.3}: as good as {:.0} times as many\n",
            row.result.plain_stderr,
            (row.result.plain_stderr / equity.stderr).powi(2)
        );
    }
    text
}
