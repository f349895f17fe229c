//! What `nonet analyse` does: analyses and rolls out, and writes the answers.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use nonet::report::{
    ANALYSIS_SCHEMA, analysis_json, analysis_page, analysis_sgf, collection_page,
    most_frequent_player,
};
use nonet::rollout::RolloutConfig;
use nonet::search::SearchSettings;
use nonet::store::write_atomic;

use super::records::{NamedRecord, analysed, check_player, read_all};
use super::rollouts::{Marked, roll_out_marked};
use super::text;
use super::why::explained;
use crate::cli::args::engine::{AnalysisDepthArgs, CubeDepthArgs, EngineArgs};
use crate::cli::args::nats::NatsArgs;
use crate::cli::args::output_file::{check_not_read, check_outputs};
use crate::cli::error::usage;
use crate::cli::interrupt::{NOTHING_WRITTEN, interrupted, interruptible};
use crate::cli::output::examples::examples;
use crate::cli::output::terminal::Terminal;

/// Analyse recorded matches: errors, luck, PR, and a page with boards.
///
/// Mistakes come with the worst first. A loss is in points on a cube at 1 and in match winning
/// chances (MWC). It is marked ?! (doubtful, from 0.04), ? (bad, from 0.08) or ?? (very bad, from
/// 0.16). PR is 500 times the mean loss of a decision. For a folder, or a file with several
/// matches, the figures are those of one player over all matches.
///
/// Formats: .mat and its relatives (Jellyfish, GNU Backgammon, Snowie, eXtreme Gammon,
/// BackgammonGalaxy, Backgammon Studio, OpenGammon), gnubg .sgf and text. Also eXtreme Gammon's
/// .xg, BGBlitz's .bgf, GamesGrid's .sgg, FIBS oldmoves, and nonet's compact format. An unreadable
/// or impossible part is a warning on standard error with its line; the rest is analysed.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Analyse a match and write a page with boards", "nonet analyse match.mat --html match.html"),
    ("Explain the three worst mistakes", "nonet analyse match.mat --why=3"),
    (
        "Show the progress of a player over a folder of matches",
        "nonet analyse matches --player Anna",
    ),
]))]
pub(crate) struct Args {
    /// Record to analyse: a file, a folder, or - for stdin.
    #[arg(value_name = "FILE|FOLDER|-", required_unless_present = "schema")]
    file: Option<PathBuf>,
    #[command(flatten)]
    depth: AnalysisDepthArgs,
    #[command(flatten)]
    cube: CubeDepthArgs,
    /// Print one line of JSON a match.
    ///
    /// --schema explains it.
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Print the schema of the JSON and stop.
    #[arg(long, help_heading = "Output")]
    schema: bool,
    /// Write a self-contained page.
    ///
    /// It shows a match with a board for every decision, or the PR over time of a folder.
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    html: Option<PathBuf>,
    /// Write the annotated match for GNU Backgammon.
    ///
    /// This is for one file.
    #[arg(long, value_name = "FILE.sgf", help_heading = "Output")]
    sgf: Option<PathBuf>,
    /// Roll out marked decisions: blunders, mistakes or errors.
    ///
    /// `blunders` are marked ??, `mistakes` ? and ??, `errors` all marks; a number such as 0.1 is
    /// the least loss. The best play and the actual play are rolled out, or no double and double
    /// with take. The rollouts then judge the decision. Ctrl-C keeps the finished ones.
    #[arg(long, value_name = "WHICH", help_heading = "Rollouts")]
    rollout: Option<Marked>,
    /// Games of each rollout, played to their end at 1-ply.
    #[arg(
        long,
        value_name = "N",
        default_value_t = RolloutConfig::GAMES,
        value_parser = clap::value_parser!(u64).range(2..),
        requires = "rollout",
        help_heading = "Rollouts"
    )]
    rollout_games: u64,
    /// Seed of the rollouts' dice.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        requires = "rollout",
        help_heading = "Rollouts"
    )]
    rollout_seed: u64,
    /// Player of the matches in a folder.
    ///
    /// Case does not matter. Default: the name that occurs in most matches.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Explain the worst mistakes [default: 5].
    ///
    /// The sentences are those of `nonet why`, for each match.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "5",
        conflicts_with = "json",
        help_heading = "Output"
    )]
    why: Option<usize>,
    /// Print every decision, not only the mistakes.
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    all: bool,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    nats: NatsArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let Some(path) = args.file.as_ref().filter(|_| !args.schema) else {
        out.write_all(ANALYSIS_SCHEMA.as_bytes())?;
        return Ok(());
    };
    let several = path.is_dir();
    if several && args.sgf.is_some() {
        return Err(usage("--sgf is for one file: GNU Backgammon reads one match a file"));
    }
    check_outputs(args.html.iter().chain(&args.sgf))?;
    check_not_read(args.html.iter().chain(&args.sgf), [path.as_path()])?;
    let read = read_all(path, several)?;
    if let Some(name) = &args.player {
        check_player(name, &read)?;
    }
    let engine = args
        .engine
        .open(args.depth.ply, SearchSettings::NORMAL)?
        .with_cube_plies(args.cube.cube_ply);
    let machines = args.nats.connect()?;
    let progress = machines.of(interruptible());
    let matches = analysed(&read, &engine, &progress)?;
    machines.check()?;
    let Some(mut matches) = matches else { anyhow::bail!(NOTHING_WRITTEN) };
    let rolled = match &args.rollout {
        None => None,
        Some(marked) => {
            let (games, seed) = (args.rollout_games, args.rollout_seed);
            let config = RolloutConfig { games, seed, truncate: None, ..RolloutConfig::default() };
            Some(roll_out_marked(&mut matches, marked, &config, &engine, &machines)?)
        }
    };
    machines.end();
    let player = args.player.clone().or_else(|| most_frequent_player(&matches));
    let player = player.unwrap_or_default();
    let terminal = Terminal::of_stdout();
    let one_match = !several && matches.len() == 1;
    let options = args.engine.words();
    if args.json {
        for one in &matches {
            let warnings = warnings_of(&read, &one.file);
            let line =
                analysis_json(one, &warnings, args.depth.ply, args.cube.cube_ply, &args.engine.net);
            writeln!(out, "{line}")?;
        }
    } else if one_match {
        let text = text::of_match(&matches[0], &engine, &options, args.all, terminal);
        out.write_all(text.as_bytes())?;
    } else {
        if args.all {
            for one in &matches {
                let text = text::of_match(one, &engine, &options, true, terminal);
                writeln!(out, "{text}")?;
            }
        }
        let text = text::of_player(&player, &matches, &engine, &options, terminal);
        out.write_all(text.as_bytes())?;
    }
    if let Some(count) = args.why {
        for one in &matches {
            out.write_all(explained(one, &engine, count, terminal).as_bytes())?;
        }
        if interrupted() {
            writeln!(std::io::stderr(), "interrupted: not every mistake is explained")?;
        }
    }
    if let Some(rolled) = &rolled
        && !args.json
    {
        writeln!(out, "{rolled}")?;
    }
    if let Some(html) = &args.html {
        let mut facts = vec![
            ("record", path.display().to_string()),
            (
                "analysed by",
                format!("nonet {}, net {}", env!("CARGO_PKG_VERSION"), args.engine.net),
            ),
            (
                "depth",
                format!(
                    "{}, cube decisions {} (gnubg counts from 0)",
                    args.depth.ply.in_words(),
                    args.cube.cube_ply
                ),
            ),
        ];
        facts.extend(rolled.map(|words| ("rollouts", words)));
        let warnings = read.iter().flat_map(|(_, record)| &record.warnings);
        facts.extend(warnings.map(|warning| ("warning", warning.to_string())));
        let page = if one_match {
            analysis_page(&matches[0].games, &facts)?
        } else {
            collection_page(&player, &matches, &facts)?
        };
        write_atomic(html, page.render().as_bytes())?;
        let shown = html.display();
        writeln!(std::io::stderr(), "the page is in {shown}")?;
    }
    if let Some(path) = &args.sgf {
        let bytes =
            analysis_sgf(&matches, args.depth.ply.plies()).context("cannot make the sgf")?;
        write_atomic(path, &bytes)?;
        writeln!(std::io::stderr(), "the annotated match is in {}", path.display())?;
    }
    Ok(())
}

fn warnings_of(read: &[NamedRecord], file: &str) -> Vec<String> {
    let of = read.iter().filter(|(path, _)| path.display().to_string() == file);
    of.flat_map(|(_, record)| &record.warnings).map(ToString::to_string).collect()
}
