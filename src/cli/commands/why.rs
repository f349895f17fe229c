//! `nonet why`: why one play is better than another, and why to double or not.

use std::io::{self, Write};

use nonet::answer::{WhyAnswer, WhyCubeAnswer, WhyRow, read_question};
use nonet::backgammon::{GameState, Turn};
use nonet::cube::CubeAction;
use nonet::search::SearchSettings;

use crate::cli::args::engine::{PlayDepthArgs, QuestionArgs, dice_of};
use crate::cli::args::position::{check_roll, position_id};
use crate::cli::error::usage;
use crate::cli::output::answer::{in_words, json_line, percent};
use crate::cli::output::examples::examples;
use crate::cli::output::terminal::Terminal;

/// Explain why one play is better than another, or why to double or not.
///
/// The best play is compared with another one. The explanation tells what the plays do and which
/// rolls make the difference. It also tells what stands on the boards, and which themes of the
/// net's inputs see the difference. Without a roll the cube decision is explained: which rolls lose
/// the market, and what would change the decision. Every sentence follows from the numbers below
/// it.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Explain the best play against the second best", "nonet why 31"),
    (
        "Explain a cube decision",
        "nonet why XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:3:0:7:10",
    ),
    ("Explain it against the play that was made", "nonet why start 31 --instead \"24/23 13/10\""),
]))]
pub(crate) struct Args {
    /// Position: an XGID, GNU ID, Position ID, file (.xgp), or start.
    ///
    /// The player of the ID moves. A roll alone is a roll at the start.
    #[arg(value_parser = position_id)]
    id: String,
    /// The roll, as 31 or 3 1 [default: that of the ID; none asks about the cube]
    #[arg(num_args = 0..=2)]
    dice: Vec<String>,
    /// The play to compare the best one with [default: the second best]
    #[arg(long, value_name = "PLAY")]
    instead: Option<String>,
    #[command(flatten)]
    depth: PlayDepthArgs,
    #[command(flatten)]
    question: QuestionArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let state = read_question(&args.id, dice_of(&args.dice).as_deref()).map_err(usage)?;
    check_roll(&state, &[("--instead", args.instead.is_some())])?;
    if state.dice().is_none() {
        return cube(args, &state);
    }
    let engine = args.question.open(args.depth.ply, SearchSettings::WIDE)?;
    let answer = WhyAnswer::of(&engine, &state, args.instead.as_deref()).map_err(usage)?;
    let text = match args.question.json {
        true => json_line(&answer),
        false => Terminal::of_stdout().folded(&in_text(&state, &answer)),
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// Explains the cube decision of a position without a roll.
fn cube(args: &Args, state: &GameState) -> anyhow::Result<()> {
    let ply = args.depth.ply;
    let engine = args.question.open(ply, SearchSettings::NORMAL)?.with_cube_plies(ply);
    let answer = WhyCubeAnswer::of(&engine, state).map_err(usage)?;
    let text = match args.question.json {
        true => json_line(&answer),
        false => Terminal::of_stdout().folded(&cube_in_text(state, &answer)),
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn cube_in_text(GameState { position, state }: &GameState, answer: &WhyCubeAnswer) -> String {
    let turn = if matches!(state.turn, Turn::Offered(_)) { "has doubled" } else { "to roll" };
    let mut text = format!("{position}\nX {turn}; {}\n\n", in_words(state));
    let can_double = answer.cube.action != CubeAction::NotAvailable;
    if can_double {
        text += &format!("{}\n\n", answer.cube.words);
    }
    for sentence in &answer.sentences {
        text += &format!("{sentence}\n");
    }
    if !can_double {
        return text;
    }
    text += "\nroll  lost    gain\n";
    for roll in answer.rolls.iter().take(ROLLS).filter(|roll| roll.lost > 0.0) {
        text += &format!("{:<4} {:3.0} %  {:+.3}\n", roll.dice, 100.0 * roll.lost, roll.gain);
    }
    text += &format!(
        "all  {:3.0} %  {:+.3}, elsewhere {:+.3}\n",
        100.0 * answer.lost,
        answer.gain,
        -answer.cost
    );
    text += "lost: replies after which the opponent must pass, or the game is won\n";
    text += "gain: what a double now gains over waiting, weighted by the chance\n";
    text
}

/// Rolls in the table, besides those that the sentences name.
const ROLLS: usize = 8;

fn in_text(GameState { position, state }: &GameState, answer: &WhyAnswer) -> String {
    let mut text = format!("{position}\nX plays {}; {}\n\n", answer.dice, in_words(state));
    for sentence in &answer.sentences {
        text += &format!("{sentence}\n");
    }
    let plays = [&answer.better, &answer.worse];
    let wide = plays.iter().map(|play| play.play.chars().count()).max().unwrap_or(0);
    text += &format!(
        "\n{:wide$}   equity    win   gam   bgm    lose   gam   bgm\n",
        format!("{}-ply", answer.plies)
    );
    for play in plays {
        text +=
            &format!("{:wide$}   {:+.3}  {}\n", play.play, play.equity, percent(&play.outcomes));
    }
    text += "\npeople  better  other\n";
    for people in &answer.people {
        let [better, worse] = [people.better, people.worse].map(|chance| 100.0 * chance);
        text += &format!("PR {:<4.0} {better:>3.0} %  {worse:>3.0} %\n", people.pr);
    }
    text += "\nThe opponent's rolls, and the best replies in the opponent's numbering:\n\
             roll  share   part  after the better play    after the other\n";
    let told = answer.rolls.iter().enumerate();
    for (_, roll) in told.filter(|(place, roll)| *place < ROLLS || roll.named || roll.against) {
        let part = 100.0 * roll.share / answer.rolls_loss.max(f32::EPSILON);
        let part = if answer.rolls_loss > 0.0 { format!("{part:.0} %") } else { String::new() };
        let reply = |reply: &Option<String>| reply.clone().unwrap_or_else(|| "won".to_owned());
        text += &format!(
            "{:<4} {:+.3} {part:>6}  {:<23}  {}\n",
            roll.dice,
            roll.share,
            reply(&roll.reply_to_better),
            reply(&roll.reply_to_worse)
        );
    }
    text += &boards(&answer.rows);
    if let Some(whole) = answer.static_difference {
        text += &format!("\nthemes of the static difference, {whole:+.3} points\n");
        for theme in answer.themes.iter().filter(|theme| theme.fits) {
            let mark = if theme.decisive { "  *" } else { "" };
            text += &format!("{:<14} {:+.3}{mark}\n", theme.theme.replace('-', " "), theme.share);
        }
        text += "* the fewest themes that make half of it\n";
    }
    text
}

/// What differs on the boards, a line each.
fn boards(rows: &[WhyRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{:<26} {:>15} {:>15}\n", "board (you : opponent)", "better", "other");
    for WhyRow { what, better, worse, .. } in rows {
        text += &format!("{what:<26} {better:>15} {worse:>15}\n");
    }
    text
}
