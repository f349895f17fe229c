//! `nonet why`: why one play is better than another.

use std::io::{self, Write};

use nonet::answer::{WhyAnswer, WhyFacts, read_question};
use nonet::backgammon::GameState;
use nonet::search::SearchSettings;

use crate::cli::args::engine::{PlayDepthArgs, QuestionArgs, dice_of};
use crate::cli::error::usage;
use crate::cli::output::answer::{in_words, json_line, percent};
use crate::cli::output::examples::examples;
use crate::cli::output::terminal::Terminal;

/// Explain why one play is better than another.
///
/// The best play is compared with another one: which rolls of the opponent make the difference,
/// what stands on the boards, and which themes of the net's inputs see it. Every sentence follows
/// from the numbers below it.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Explain the best play against the second best", "nonet why 31"),
    ("Explain it against the play that was made", "nonet why start 31 --instead \"24/23 13/10\""),
]))]
pub(crate) struct Args {
    /// Position: an XGID, GNU ID, Position ID, or start.
    ///
    /// The player of the ID moves. A roll alone is a roll at the start.
    id: String,
    /// The roll, as 31 or 3 1 [default: that of the ID]
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
    if state.dice().is_none() {
        return Err(usage("there is no roll to explain: give one after the ID, as in 'start 31'"));
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
    text += "\nroll  share   part  after the better play    after the other\n";
    let told = answer.rolls.iter().enumerate();
    for (_, roll) in told.filter(|(place, roll)| *place < ROLLS || roll.named) {
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
    text += &facts(&answer.facts_better, &answer.facts_worse);
    if let Some(whole) = answer.static_difference {
        text += &format!("\nthemes of the static difference, {whole:+.3} points\n");
        for theme in &answer.themes {
            let mark = if theme.decisive { "  *" } else { "" };
            text += &format!("{:<14} {:+.3}{mark}\n", theme.theme.replace('-', " "), theme.share);
        }
        text += "* the fewest themes that make half of it\n";
    }
    text
}

/// The facts that differ, a line each.
fn facts(a: &WhyFacts, b: &WhyFacts) -> String {
    let list = |points: &[u8]| match points {
        [] => "none".to_owned(),
        points => points.iter().map(u8::to_string).collect::<Vec<_>>().join(" "),
    };
    let pair = |[yours, theirs]: [u16; 2]| format!("{yours} : {theirs}");
    let small = |two: [u8; 2]| pair(two.map(u16::from));
    let rows = [
        ("class", a.class.clone(), b.class.clone()),
        ("throws that hit, of 36", a.shots.to_string(), b.shots.to_string()),
        ("blots", list(&a.blots), list(&b.blots)),
        ("pips", pair(a.pips), pair(b.pips)),
        ("home points", small(a.home_points), small(b.home_points)),
        ("longest block", small(a.longest_block), small(b.longest_block)),
        ("anchors", list(&a.anchors), list(&b.anchors)),
        ("checkers back", small(a.back), small(b.back)),
        ("on the bar", small(a.on_bar), small(b.on_bar)),
        ("borne off", small(a.off), small(b.off)),
        ("highest stack", small(a.highest_stack), small(b.highest_stack)),
    ];
    let differing: Vec<_> = rows.iter().filter(|(_, a, b)| a != b).collect();
    if differing.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{:<23} {:>15} {:>15}\n", "board (you : opponent)", "better", "other");
    for (name, a, b) in differing {
        text += &format!("{name:<23} {a:>15} {b:>15}\n");
    }
    text
}
