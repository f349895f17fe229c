//! `nonet hint`: ranks the plays of a roll.

use std::io::{self, BufRead, BufWriter, Write};

use anyhow::Context;
use nonet::engine::{Engine, ScoredMove};
use nonet::search::{Plies, SearchSettings};
use rayon::prelude::*;
use serde_json::json;

use super::engine_args::{
    CubeDepthArgs, PositionQuery, QuestionArgs, dice_of, in_words, outcomes_json, percent,
    read_question,
};
use super::{cube, usage};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Position ID, GNU ID (POSITION:MATCH) or XGID, its player to move; 4HPwATDgc/ABMA is the start.
    #[arg(required_unless_present = "stdin")]
    id: Option<String>,
    /// The roll, as 31 or 3 1. [default: that of the ID; if there is none, the question is whether to double]
    #[arg(num_args = 0..=2)]
    dice: Vec<String>,
    /// Search depth in plies, 1 (static) to 4; gnubg's numbers are one less.
    #[arg(long, value_name = "N", default_value = "2")]
    ply: Plies,
    #[command(flatten)]
    cube: CubeDepthArgs,
    /// Rank by cubeless money equity.
    #[arg(long)]
    cubeless: bool,
    /// Number of plays to show.
    #[arg(long, value_name = "N", default_value_t = 10)]
    plays: usize,
    /// Read lines of `ID [DICE]` from standard input.
    #[arg(long, conflicts_with_all = ["id", "dice"])]
    stdin: bool,
    #[command(flatten)]
    question: QuestionArgs,
}

/// Lines answered at a time: enough for many threads, few enough that answers come soon.
const LINES: usize = 256;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let question = match &args.id {
        // Invalid arguments are errors before the engine is opened.
        Some(id) => Some(read_question(id, dice_of(&args.dice).as_deref()).map_err(usage)?),
        None => None,
    };
    let engine =
        args.question.open(args.ply, SearchSettings::WIDE)?.with_cube_plies(args.cube.cube_ply);
    let mut out = BufWriter::new(io::stdout().lock());
    if let Some(question) = question {
        let text = answer(args, &engine, &question);
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
            let answers: Vec<Result<String, String>> = engine
                .install(|| batch.par_iter().map(|line| of_line(args, &engine, line)).collect());
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

fn of_line(args: &Args, engine: &Engine, line: &str) -> Result<String, String> {
    let mut words = line.split_whitespace();
    let Some(id) = words.next() else { return Ok(String::new()) };
    let dice: Vec<String> = words.map(str::to_owned).collect();
    if dice.len() > 2 {
        return Err("invalid line: expected 'ID' or 'ID DICE', as in 4HPwATDgc/ABMA 31".to_owned());
    }
    answer(args, engine, &read_question(id, dice_of(&dice).as_deref())?)
}

fn answer(args: &Args, engine: &Engine, question: &PositionQuery) -> Result<String, String> {
    let PositionQuery { position, state, dice } = question;
    let Some(dice) = *dice else {
        return cube::answer(engine, position, state, args.question.json);
    };
    let plays = if args.cubeless {
        engine.rank_cubeless(position, dice)
    } else {
        let context =
            engine.context(state.scoring, state.cube).map_err(|error| error.to_string())?;
        engine.rank(position, dice, &context)
    };
    let best = plays.first().map_or(0.0, |play| play.equity);
    let shown = &plays[..plays.len().min(args.plays.max(1))];
    let name = |play: &ScoredMove| match play.play().to_string() {
        play if play.is_empty() => "(no legal play)".to_owned(),
        play => play,
    };
    if args.question.json {
        let shown = shown.iter().map(|play| {
            let source = engine.source_of(play.after());
            let (class, net) = (source.class(), source.name());
            json!({
                "play": name(play), "id": play.after().id(), "equity": play.equity,
                "loss": best - play.equity, "plies": play.plies.get(), "cubeless": play.value.equity(),
                "outcomes": outcomes_json(&play.value), "class": class, "net": net,
            })
        });
        let shown: Vec<_> = shown.collect();
        let answer = json!({
            "id": position.id(), "dice": dice.to_string(), "plies": args.ply.get(), "legal": plays.len(),
            "cubeful": !args.cubeless, "plays": shown,
        });
        return Ok(format!("{answer}\n"));
    }
    let mut text = format!("{position}\nX plays {dice}; {}\n\n", in_words(state));
    let wide = shown.iter().map(|play| name(play).chars().count()).max().unwrap_or(0).max(4);
    text += &format!(
        "  #  {:wide$}   equity           ply    win   gam   bgm    lose   gam   bgm  class (net)\n",
        "play"
    );
    for (place, play) in shown.iter().enumerate() {
        let loss = if place == 0 { String::new() } else { format!("({:+.3})", play.equity - best) };
        let source = engine.source_of(play.after());
        let (class, net) = (source.class(), source.name());
        let source = if class == net { class.to_owned() } else { format!("{class} ({net})") };
        text += &format!(
            "{:>3}. {:wide$}   {:+.3} {loss:>8}   {}   {}  {source}\n",
            place + 1,
            name(play),
            play.equity,
            play.plies,
            percent(&play.value)
        );
    }
    if shown.len() < plays.len() {
        text += &format!("     {} more\n", plays.len() - shown.len());
    }
    let kind = if args.cubeless { "without the cube" } else { "with the cube" };
    text += &format!("equity {kind}, in points on a cube at 1; 1-ply is the static evaluation\n");
    Ok(text)
}
