//! `nonet moves`: the legal plays of a roll.

use std::io::{self, BufRead, BufWriter, Write};

use anyhow::Context;
use nonet::answer::{MovesAnswer, no_play_or, read_question};
use nonet::backgammon::{Candidate, Dice, Position, candidates};

use crate::cli::args::engine::dice_of;
use crate::cli::args::position::position_id;
use crate::cli::error::usage;
use crate::cli::output::examples::examples;

/// List the legal plays of a roll.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("List the plays of 31 in the start position", "nonet moves 31"),
    ("List plays of many rolls as JSON", "echo \"4HPwATDgc/ABMA 66\" | nonet moves --stdin --json"),
]))]
pub(crate) struct Args {
    /// Position: a Position ID, GNU ID, XGID, file (.xgp), or start.
    ///
    /// The player of the ID moves. A GNU ID is POSITION:MATCH. A roll alone is a roll at the start.
    #[arg(required_unless_present = "stdin", value_parser = position_id)]
    id: Option<String>,
    /// The roll, as 31 or 3 1 [default: that of the ID]
    #[arg(num_args = 0..=2)]
    dice: Vec<String>,
    /// Read lines of `ID [DICE]` from standard input.
    #[arg(long, conflicts_with_all = ["id", "dice"])]
    stdin: bool,
    /// Print one line of JSON a roll.
    ///
    /// It has the plays, and the position after each play with the opponent on roll.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    if let Some(id) = &args.id {
        let (position, dice) = read(id, &args.dice).map_err(usage)?;
        if !args.json {
            writeln!(out, "{position}\n")?;
        }
        write(&mut out, &position, dice, args.json)?;
    } else {
        for (number, line) in io::stdin().lock().lines().enumerate() {
            let line = line.context("cannot read standard input")?;
            let mut words = line.split_whitespace();
            let Some(id) = words.next() else { continue };
            let at = |error: String| {
                let _ = out.flush();
                usage(format!("line {}: {error}", number + 1))
            };
            let dice: Vec<String> = words.map(str::to_owned).collect();
            let (position, dice) = read(id, &dice).map_err(at)?;
            write(&mut out, &position, dice, args.json)?;
        }
    }
    out.flush()?;
    Ok(())
}

fn read(id: &str, dice: &[String]) -> Result<(Position, Dice), String> {
    let state = read_question(id, dice_of(dice).as_deref()).map_err(|error| error.to_string())?;
    let dice = state.dice().ok_or("no roll: expected 'ID DICE', as in 4HPwATDgc/ABMA 31")?;
    Ok((state.position, dice))
}

fn write(out: &mut impl Write, position: &Position, dice: Dice, json: bool) -> anyhow::Result<()> {
    if json {
        serde_json::to_writer(&mut *out, &MovesAnswer::of(position, dice))?;
        writeln!(out)?;
    } else {
        for Candidate { play, after } in candidates(position, dice) {
            writeln!(out, "{}  {}", after.id(), no_play_or(&play))?;
        }
    }
    Ok(())
}
