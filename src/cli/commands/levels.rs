//! `nonet levels`: the levels of `nonet play`, and how their PR is measured.

use std::io::Write;

use nonet::analysis::{Summary, analyse};
use nonet::backgammon::{Cube, Scoring, Seat};
use nonet::engine::{Engine, LEVELS, Level, LevelPlayer};
use nonet::game::{MatchSession, NextAction};
use nonet::progress::Progress;
use nonet::search::{Plies, SearchSettings};
use nonet::stats::Z95;
use nonet::strength::Strength;
use rayon::prelude::*;

use crate::cli::args::engine::EngineArgs;
use crate::cli::error::usage;
use crate::cli::interrupt::{interrupted, interruptible};
use crate::cli::output::examples::examples;
use crate::cli::output::progress_bar::show_progress;
use crate::cli::output::terminal::Terminal;

/// Show the levels of `play` with their PR, or measure them.
///
/// With --measure, each level plays matches against the champion. The champion judges the decisions
/// of the level at the same depth.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Show the levels", "nonet levels"),
    ("Measure one level in 20 matches", "nonet levels --measure 20 --level casual-player"),
]))]
pub(crate) struct Args {
    /// Measure the levels in this many matches each.
    #[arg(long, value_name = "MATCHES")]
    measure: Option<u32>,
    /// Measure one level only.
    #[arg(
        long,
        value_name = "NAME",
        requires = "measure",
        value_parser = LEVELS.map(|level| level.name)
    )]
    level: Option<String>,
    /// Measure noise of these sizes instead of the levels.
    ///
    /// In points on a cube at 1.
    #[arg(
        long,
        value_name = "POINTS",
        requires = "measure",
        conflicts_with = "level",
        value_delimiter = ',',
        hide_long_help = true
    )]
    noise: Vec<f32>,
    /// Points of each match.
    #[arg(long, value_name = "POINTS", default_value_t = 5, requires = "measure")]
    length: u16,
    /// Search depth of players and judge in plies, 1 to 4.
    #[arg(
        long,
        value_name = "N",
        default_value = "2",
        requires = "measure",
        help_heading = "Engine"
    )]
    ply: Plies,
    /// Seed of dice and noise.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "measure")]
    seed: u64,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Decisions and losses of a level in one match.
struct Played {
    decisions: f64,
    loss: f64,
    games: usize,
    won: bool,
    cube: (u32, f32),
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let Some(matches) = args.measure else {
        if let Some(option) = args.engine.words().split_whitespace().next() {
            return Err(usage(format!("{option} needs --measure: the list shows kept figures")));
        }
        writeln!(out, "level          noise  PR")?;
        for level in LEVELS {
            let pr = match level.pr {
                Some((pr, error)) => format!("{pr:.1} ± {error:.1}"),
                None if level.strength.noise == 0.0 => "it would judge itself".to_owned(),
                None => "not measured".to_owned(),
            };
            writeln!(out, "{:13} {:>6.3}  {pr}", level.name, level.strength.noise)?;
        }
        let note = "noise: standard deviation on the equity of each play and cube action, in points on a cube at 1;\n\
                    PR with its 95 % interval, of the champion at 2-ply: reports/levels.md\n\
                    a level with noise is called by the word of its PR, as players are\n\
                    human: plays as people choose them, noise on cube actions alone: reports/human-levels.md\n";
        out.write_all(Terminal::of_stdout().folded(note).as_bytes())?;
        return Ok(());
    };
    if matches < 2 {
        return Err(usage("invalid --measure: expected at least 2 matches"));
    }
    if args.noise.iter().any(|noise| !(0.0..=10.0).contains(noise)) {
        return Err(usage("invalid --noise: expected 0 to 10"));
    }
    let scoring = Scoring::of_match(args.length, 0, 0, false).map_err(usage)?;
    let engine = args.engine.open(args.ply, SearchSettings::WIDE)?;
    // A match that is longer than the match equity table is refused here, not in its first game.
    engine.context(scoring, Cube::CENTRED).map_err(usage)?;
    let levels: Vec<Level> = match (&args.noise[..], &args.level) {
        ([], Some(name)) => Level::named(name).into_iter().collect(),
        ([], None) => LEVELS.into_iter().filter(|level| level.strength.noise > 0.0).collect(),
        (noise, _) => {
            let of =
                |&noise| Level { name: "-", strength: Strength { noise, people: None }, pr: None };
            noise.iter().map(of).collect()
        }
    };
    writeln!(
        out,
        "level      noise  matches  won  games  decisions     PR  95 %   cube: actions  loss each"
    )?;
    for level in levels {
        let total = u64::from(matches);
        let played = show_progress("matches", total, &interruptible(), |progress| {
            engine.install(|| {
                let of = |index| play(&engine, level, scoring, args.seed, index, progress);
                let going_on = |_: &u64| !progress.is_stopped();
                let all = (0..total).into_par_iter().take_any_while(going_on);
                all.filter_map(of).collect::<Vec<Played>>()
            })
        });
        if played.is_empty() {
            anyhow::bail!("interrupted: this level has no figure");
        }
        writeln!(out, "{}", row(level, &played))?;
        out.flush()?;
        if interrupted() {
            writeln!(std::io::stderr(), "stopped after {} of {total} matches", played.len())?;
            break;
        }
    }
    writeln!(
        out,
        "matches to {} at {}, seed {}, against the same net without noise; judged by it",
        args.length,
        engine.plies(),
        args.seed
    )?;
    Ok(())
}

/// Plays match `index` and judges the level's decisions; `None` if it cannot be analysed.
fn play(
    engine: &Engine,
    level: Level,
    scoring: Scoring,
    seed: u64,
    index: u64,
    progress: &Progress,
) -> Option<Played> {
    // The level sits in either seat in turn.
    let seat = Seat::BOTH[(index % 2) as usize];
    let seed = seed.wrapping_mul(1_000_003).wrapping_add(index);
    let players = Seat::BOTH.map(|each| {
        let level = if each == seat { level } else { Level::CHAMPION };
        LevelPlayer::new(engine.clone(), level, seed)
    });
    let mut session = MatchSession::new(["x".into(), "o".into()], scoring, seed);
    let winner = loop {
        match session.next_action() {
            NextAction::Over(winner) => break winner,
            NextAction::NextGame => session.next_game(),
            NextAction::Roll(player) | NextAction::Play(player, _) | NextAction::Answer(player) => {
                let acted = players[player.index()].act(&mut session, player);
                acted.expect("the scores of a match below its length are in the table");
            }
        }
    };
    let games = session.games();
    let analysed = analyse(&games, engine, &Progress::default()).ok()??;
    let sum = analysed.iter().fold(Summary::default(), |sum, game| sum.plus(&game.summary(seat)));
    progress.add(1);
    Some(Played {
        decisions: f64::from(sum.plays + sum.calls),
        loss: f64::from(sum.play_loss + sum.call_loss),
        games: games.len(),
        won: winner == seat,
        cube: (sum.calls, sum.call_loss),
    })
}

/// The figures of a level. The error of the PR is that of a ratio of two sums over independent
/// matches.
fn row(level: Level, played: &[Played]) -> String {
    let decisions: f64 = played.iter().map(|each| each.decisions).sum();
    let mean = played.iter().map(|each| each.loss).sum::<f64>() / decisions;
    let squares: f64 = played.iter().map(|each| (each.loss - mean * each.decisions).powi(2)).sum();
    let n = played.len() as f64;
    let stderr = (squares * n / (n - 1.0)).sqrt() / decisions;
    let games: usize = played.iter().map(|each| each.games).sum();
    let won = played.iter().filter(|each| each.won).count();
    let calls: u32 = played.iter().map(|each| each.cube.0).sum();
    let lost: f32 = played.iter().map(|each| each.cube.1).sum();
    format!(
        "{:9} {:>6.3}  {:>7} {won:>4} {games:>6} {decisions:>10} {:>6.2} ±{:<5.2} {calls:>13} {:>10.3}",
        level.name,
        level.strength.noise,
        played.len(),
        500.0 * mean,
        500.0 * Z95 * stderr,
        lost / calls.max(1) as f32,
    )
}
