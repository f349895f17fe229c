//! `nonet moves`: the legal plays of a roll.

use std::io::{self, BufRead, BufWriter, Write};

use anyhow::Context;
use nonet::answer::{MovesAnswer, no_play_or};
use nonet::backgammon::{Candidate, Dice, Position, candidates};

use super::usage;

#[derive(clap::Args)]
pub(super) struct Args {
    /// GNU Position ID of 14 characters, the player on roll to move; 4HPwATDgc/ABMA is the start.
    #[arg(required_unless_present = "stdin", requires = "dice")]
    position: Option<String>,
    /// The roll, as 31.
    dice: Option<String>,
    /// Read lines of `ID DICE` from standard input.
    #[arg(long, conflicts_with_all = ["position", "dice"])]
    stdin: bool,
    /// One JSON line for each roll: the plays, and the position after each with the opponent on roll.
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
    let position = Position::from_id(id).map_err(|error| error.to_string())?;
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
