//! `nonet rolls`: the 21 rolls of a position, each with its best play and its luck.

use std::io::{self, Write};

use nonet::answer::{RollsAnswer, read_id};
use nonet::backgammon::GameState;
use nonet::search::SearchSettings;

use crate::cli::args::engine::{PlayDepthArgs, QuestionArgs};
use crate::cli::args::position::position_id;
use crate::cli::error::usage;
use crate::cli::output::answer::{in_words, json_line};
use crate::cli::output::examples::examples;
use crate::cli::output::terminal::Terminal;

/// Show the 21 rolls of a position with their best plays and luck.
///
/// Luck is how much better a roll is than the mean of the 36 throws.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Show the rolls of the start position", "nonet rolls start"),
    (
        "Show those of a score, by the static evaluation",
        "nonet rolls XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:3:0:7:10 --ply 1",
    ),
]))]
pub(crate) struct Args {
    /// Position: an XGID, GNU ID, Position ID, file (.xgp), or start.
    ///
    /// The player of the ID rolls. A roll in the ID is ignored.
    #[arg(value_parser = position_id)]
    id: String,
    #[command(flatten)]
    depth: PlayDepthArgs,
    #[command(flatten)]
    question: QuestionArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let state = read_id(&args.id).map_err(usage)?;
    let engine = args.question.open(args.depth.ply, SearchSettings::WIDE)?;
    let answer = RollsAnswer::of(&engine, &state).map_err(usage)?;
    let text = match args.question.json {
        true => json_line(&answer),
        false => in_text(&state, &answer, Terminal::of_stdout()),
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn in_text(
    GameState { position, state }: &GameState,
    answer: &RollsAnswer,
    terminal: Terminal,
) -> String {
    let wide = answer.rolls.iter().map(|roll| roll.play.chars().count()).max().unwrap_or(0).max(4);
    let mut text = format!("{position}\nX to roll; {}\n\n", in_words(state));
    text += &format!("roll  {:wide$}   equity    luck\n", "play");
    for roll in &answer.rolls {
        let luck = terminal.luck(roll.luck, &format!("{:+.3}", roll.luck));
        text += &format!("{:<4}  {:wide$}   {:+.3}  {luck}\n", roll.dice, roll.play, roll.equity);
    }
    text += &format!("mean  {:wide$}   {:+.3}\n", "", answer.equity);
    let tail =
        format!("\nequity with the cube, in points on a cube at 1, at {}-ply\n", answer.plies);
    terminal.folded(&(text + &tail))
}
