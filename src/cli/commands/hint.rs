//! `nonet hint`: ranks the plays of a roll.

use std::io::{self, BufRead, BufWriter, Write};

use anyhow::Context;
use nonet::analysis::Severity;
use nonet::answer::{
    HintAnswer, HintOptions, MatrixOptions, RankedPlay, RolloutGames, read_variant_question,
};
use nonet::backgammon::{GameState, Variant};
use nonet::engine::Engine;
use nonet::search::SearchSettings;
use nonet::stats::Z95;
use rayon::prelude::*;

use super::{cube, exact};
use crate::cli::args::engine::{AnalysisDepthArgs, CubeDepthArgs, QuestionArgs, dice_of};
use crate::cli::args::position::{check_roll, position_id};
use crate::cli::args::scores::ScoresArgs;
use crate::cli::error::usage;
use crate::cli::output::answer::{evaluated_by, in_words, json_line, percent};
use crate::cli::output::examples::examples;
use crate::cli::output::score_matrix;
use crate::cli::output::terminal::Terminal;

/// Rank the plays of a roll by equity.
///
/// Without a roll, the question is whether to double.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Rank the plays of 31 in the start position", "nonet hint 31"),
    ("Answer many questions, one a line", "echo \"4HPwATDgc/ABMA 52\" | nonet hint --stdin"),
    ("Find the best play of 21 at all scores to 5 points away", "nonet hint 21 --scores=5"),
]))]
pub(crate) struct Args {
    /// Position: a Position ID, GNU ID, XGID, file, or start.
    ///
    /// The player of the ID moves. A GNU ID is POSITION:MATCH. A roll alone is a roll at the start.
    /// A file holds one position: eXtreme Gammon's .xgp, or Snowie's .txt.
    #[arg(required_unless_present = "stdin", value_parser = position_id)]
    id: Option<String>,
    /// The roll, as 31 or 3 1 [default: that of the ID]
    ///
    /// If the ID has no roll either, the question is whether to double.
    #[arg(num_args = 0..=2)]
    dice: Vec<String>,
    #[command(flatten)]
    depth: AnalysisDepthArgs,
    #[command(flatten)]
    cube: CubeDepthArgs,
    /// Rank by cubeless money equity.
    #[arg(long, conflicts_with = "scores")]
    cubeless: bool,
    /// Number of plays to show [default: 10]
    #[arg(long, value_name = "N", conflicts_with = "scores")]
    plays: Option<usize>,
    #[command(flatten)]
    scores: ScoresArgs,
    /// Show the loss of this play in --scores [default: the best one]
    ///
    /// The default is the best play at the score of the ID.
    #[arg(
        long,
        value_name = "PLAY",
        requires = "scores",
        conflicts_with_all = ["cubeless", "plays", "stdin"]
    )]
    play: Option<String>,
    /// Variant: backgammon, nackgammon or hypergammon.
    ///
    /// It says what `start` is. Answers about hypergammon are exact, for money; they come from the
    /// file hyper3.bd in nonet's cache folder, or that which NONET_HYPERGAMMON names. `nonet
    /// bearoff --gnubg hypergammon` makes it.
    #[arg(long, value_name = "NAME", default_value_t)]
    variant: Variant,
    /// Read lines of `ID [DICE]` from standard input.
    #[arg(long, conflicts_with_all = ["id", "dice", "scores"])]
    stdin: bool,
    #[command(flatten)]
    question: QuestionArgs,
}

impl Args {
    /// The number of plays to show.
    fn plays(&self) -> usize {
        self.plays.unwrap_or(10)
    }
}

/// Lines answered at a time: enough for many threads, few enough that answers come soon.
const LINES: usize = 256;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let question = match &args.id {
        // Invalid arguments are errors before the engine is opened.
        Some(id) => {
            let dice = dice_of(&args.dice);
            let question = read_variant_question(args.variant, id, dice.as_deref());
            let question = question.map_err(usage)?;
            check_roll(
                &question,
                &[
                    ("--cubeless", args.cubeless),
                    ("--plays", args.plays.is_some()),
                    ("--play", args.play.is_some()),
                ],
            )?;
            Some(question)
        }
        None => None,
    };
    if args.variant == Variant::Hypergammon {
        check_exact(args)?;
        return exact::run(question.as_ref(), args.plays(), args.question.json);
    }
    if let Some(question) = &question {
        check_depth(args, question)?;
    }
    let engine = args
        .question
        .open(args.depth.ply, SearchSettings::WIDE)?
        .with_cube_plies(args.cube.cube_ply);
    let terminal = Terminal::of_stdout();
    let mut out = BufWriter::new(io::stdout().lock());
    if let (Some(question), away @ Some(_)) = (&question, args.scores.scores) {
        let options = MatrixOptions { away, play: args.play.as_deref() };
        let text = score_matrix::answer(&engine, question, options, args.question.json, terminal);
        let text = text.map_err(|error| usage(score_matrix::why_not(&error)))?;
        out.write_all(text.as_bytes())?;
    } else if let Some(question) = question {
        let text = answer(args, &engine, &question, terminal);
        out.write_all(text.map_err(usage)?.as_bytes())?;
    } else {
        let mut lines = io::stdin().lock().lines();
        let mut number = 0;
        loop {
            let batch: Vec<String> = lines
                .by_ref()
                .take(LINES)
                .collect::<Result<_, _>>()
                .context("cannot read standard input")?;
            if batch.is_empty() {
                break;
            }
            let answers: Vec<Result<String, String>> = engine.install(|| {
                batch.par_iter().map(|line| of_line(args, &engine, line, terminal)).collect()
            });
            for answer in answers {
                number += 1;
                match answer {
                    Ok(text) => out.write_all(text.as_bytes())?,
                    Err(error) => {
                        out.flush()?;
                        return Err(usage(format!("line {number}: {error}")));
                    }
                }
            }
            out.flush()?;
        }
    }
    out.flush()?;
    Ok(())
}

/// Refuses a depth that the answer would not depend on. A roller decides close cube decisions, too.
fn check_depth(args: &Args, question: &GameState) -> anyhow::Result<()> {
    let searched = !args.depth.is_usual() && args.depth.ply.roller().is_none();
    match question.dice() {
        Some(dice) if !args.cube.words().is_empty() => Err(usage(format!(
            "--cube-ply is the depth of cube decisions, and the question is the play of {dice}: \
             --ply is its depth"
        ))),
        None if searched => Err(usage(
            "--ply is the depth of plays, and the ID has no roll: --cube-ply is the depth of cube \
             decisions",
        )),
        _ => Ok(()),
    }
}

/// Refuses options that exact answers would ignore.
fn check_exact(args: &Args) -> anyhow::Result<()> {
    let engine = args.question.engine_words();
    let options = [
        ("--scores", args.scores.scores.is_some()),
        ("--cubeless", args.cubeless),
        ("--ply", !args.depth.is_usual()),
        ("--cube-ply", !args.cube.words().is_empty()),
    ];
    let given = options.into_iter().filter_map(|(name, given)| given.then_some(name));
    match given.chain(engine.split_whitespace().next()).next() {
        None => Ok(()),
        Some(name) => Err(usage(format!(
            "{name} cannot be used with --variant hypergammon: its answers are exact, for money"
        ))),
    }
}

fn of_line(args: &Args, engine: &Engine, line: &str, terminal: Terminal) -> Result<String, String> {
    let mut words = line.split_whitespace();
    let Some(id) = words.next() else { return Ok(String::new()) };
    let dice: Vec<String> = words.map(str::to_owned).collect();
    if dice.len() > 2 {
        return Err("invalid line: expected 'ID' or 'ID DICE', as in 4HPwATDgc/ABMA 31".to_owned());
    }
    let question = read_variant_question(args.variant, id, dice_of(&dice).as_deref());
    answer(args, engine, &question.map_err(|error| error.to_string())?, terminal)
}

fn answer(
    args: &Args,
    engine: &Engine,
    question: &GameState,
    terminal: Terminal,
) -> Result<String, String> {
    let Some(dice) = question.dice() else {
        return cube::answer(engine, question, args.question.json, terminal);
    };
    let options = HintOptions { cubeless: args.cubeless, plays: args.plays() };
    let answer = HintAnswer::of(engine, question, options);
    let answer = answer.map_err(|error| error.to_string())?;
    if args.question.json {
        return Ok(json_line(&answer));
    }
    let GameState { position, state } = question;
    let head = format!("{position}\nX plays {dice}; {}\n\n", in_words(state));
    let table = in_lines(&answer, terminal, false);
    let table = if terminal.holds(&table) { table } else { in_lines(&answer, terminal, true) };
    let kind = if args.cubeless { "without the cube" } else { "with the cube" };
    let tail = format!("equity {kind}, in points on a cube at 1; 1-ply is the static evaluation\n");
    Ok(terminal.folded(&(head + &table + &tail)))
}

/// What the figures of a play are of.
fn depth(answer: &HintAnswer, row: &RankedPlay) -> String {
    match (answer.roller, row.rollout) {
        (Some(_), Some(RolloutGames { games: 0, .. })) => "exact".to_owned(),
        (Some(name), Some(RolloutGames { stderr, .. })) => {
            format!("{name} ± {:.3}", Z95 * f64::from(stderr))
        }
        _ => format!("{}-ply", row.plies),
    }
}

/// The plays, a line each; with `two` the outcomes have a line of their own.
fn in_lines(answer: &HintAnswer, terminal: Terminal, two: bool) -> String {
    let shown = &answer.plays;
    let wide = shown.iter().map(|row| row.play.chars().count()).max().unwrap_or(0).max(4);
    let (outcomes, source) = ("   win   gam   bgm    lose   gam   bgm", "  class (net)");
    let depths: Vec<String> = shown.iter().map(|row| depth(answer, row)).collect();
    let deep = depths.iter().map(|depth| depth.chars().count()).max().unwrap_or(0).max(5);
    let mut text = format!("  #  {:wide$}   equity            {:deep$}", "play", "depth");
    text += &if two {
        format!("{source}\n      {outcomes}\n")
    } else {
        format!("{outcomes}{source}\n")
    };
    for (place, row) in shown.iter().enumerate() {
        let RankedPlay { play, equity, outcomes, .. } = row;
        // Plays that the move filter left at a lower depth cannot be compared with those above.
        let before = |place: usize| (shown[place].rollout.is_some(), shown[place].plies);
        if place > 0 && before(place) < before(place - 1) {
            text += &format!("     {:-<1$}\n", "", wide + deep + if two { 32 } else { 60 });
        }
        let loss = if place == 0 { String::new() } else { format!("({:+.3})", -row.loss) };
        let loss = terminal.severity(Severity::of(row.loss), &format!("{loss:>8}"));
        let source = evaluated_by(&row.class, &row.source);
        let outcomes = percent(outcomes);
        let start = format!(
            "{:>3}. {play:wide$}   {equity:+.3} {loss}   {:deep$} ",
            place + 1,
            depths[place]
        );
        text += &match two {
            true => format!("{start}  {source}\n       {outcomes}\n"),
            false => format!("{start}  {outcomes}  {source}\n"),
        };
    }
    if shown.len() < answer.legal {
        text += &format!("     {} more\n", answer.legal - shown.len());
    }
    text
}
