//! `nonet moves`: the legal plays of a roll.

use std::io::{self, BufRead, BufWriter, Write};

use anyhow::Context;
use nonet::answer::{MovesAnswer, no_play_or};
use nonet::backgammon::{Candidate, Dice, Position, candidates};

use crate::cli::error::usage;
use crate::cli::output::examples::examples;

/// List the legal plays of a roll.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("List the plays of 31 in the start position", "nonet moves 4HPwATDgc/ABMA 31"),
    ("List plays of many rolls as JSON", "echo \"4HPwATDgc/ABMA 66\" | nonet moves --stdin --json"),
]))]
pub(crate) struct Args {
    /// GNU Position ID of 14 characters.
    ///
    /// The player on roll moves. 4HPwATDgc/ABMA is the start position.
    #[arg(required_unless_present = "stdin", requires = "dice")]
    position: Option<String>,
    /// The roll, as 31.
    dice: Option<String>,
    /// Read lines of `ID DICE` from standard input.
    #[arg(long, conflicts_with_all = ["position", "dice"])]
    stdin: bool,
    /// Print one line of JSON a roll.
    ///
    /// It has the plays, and the position after each play with the opponent on roll.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    if let (Some(id), Some(dice)) = (&args.position, &args.dice) {
        let (position, dice) = read(id, dice).map_err(usage)?;
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
            let (position, dice) = match (words.next(), words.next()) {
                (Some(dice), None) => read(id, dice),
                _ => Err("invalid line: expected 'ID DICE', as in 4HPwATDgc/ABMA 31".to_owned()),
            }
            .map_err(at)?;
            write(&mut out, &position, dice, args.json)?;
        }
    }
    out.flush()?;
    Ok(())
}

fn read(id: &str, dice: &str) -> Result<(Position, Dice), String> {
    let position = Position::from_id(id)
        .map_err(|error| format!("invalid GNU Position ID '{id}': {error}"))?;
    let dice = dice.parse().map_err(|error: nonet::backgammon::DiceError| error.to_string())?;
    if position.outcome().is_some() {
        return Err(format!("the game of position {id} is over: a side has no checkers left"));
    }
    Ok((position, dice))
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
