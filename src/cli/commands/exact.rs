//! `nonet hint --variant hypergammon`: exact answers from the solved values.

use std::io::Write;

use anyhow::Context;
use nonet::answer::{ExactCube, ExactPlays};
use nonet::backgammon::GameState;
use nonet::engine::hypergammon_path;

use crate::cli::args::databases::hypergammon;
use crate::cli::error::usage;
use crate::cli::output::answer::{in_words, json_line, percent};
use crate::cli::output::terminal::Terminal;

/// Answers one question: the plays of a roll, or the cube.
pub(super) fn run(question: Option<&GameState>, plays: usize, json: bool) -> anyhow::Result<()> {
    let Some(question) = question else {
        return Err(usage("--stdin does not go with --variant hypergammon: give the ID"));
    };
    let path = hypergammon_path().context("no cache folder found: set NONET_HYPERGAMMON")?;
    let file = hypergammon(&path)?;
    let GameState { position, state } = question;
    let head = format!("{position}\nX to play; {}; exact values\n\n", in_words(state));
    let text = if question.dice().is_some() {
        let mut answer = ExactPlays::of(&file, question).map_err(usage)?;
        answer.plays.truncate(plays.max(1));
        if json { json_line(&answer) } else { head + &of_plays(&answer) }
    } else {
        let answer = ExactCube::of(&file, question).map_err(usage)?;
        if json { json_line(&answer) } else { head + &of_cube(&answer) }
    };
    let text = if json { text } else { Terminal::of_stdout().folded(&text) };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn of_plays(answer: &ExactPlays) -> String {
    let wide = answer.plays.iter().map(|row| row.play.chars().count()).max().unwrap_or(0).max(4);
    let mut text = format!(
        "  #  {:wide$}     equity    loss   cubeless    win   gam   bgm    lose   gam   bgm\n",
        "play"
    );
    for (row, number) in answer.plays.iter().zip(1..) {
        text += &format!(
            "{number:>3}  {:wide$}  {:+.6}  {:.4}  {:+.6}  {}\n",
            row.play,
            row.equity,
            row.loss,
            row.cubeless,
            percent(&row.outcomes)
        );
    }
    text
}

fn of_cube(answer: &ExactCube) -> String {
    let mut text = String::new();
    let rows = [
        ("no double", answer.no_double),
        ("double, take", answer.double_take),
        ("double, pass", answer.double_pass),
    ];
    for (name, equity) in rows {
        text += &format!("{name:<16} {equity:+.6}\n");
    }
    text + &format!(
        "\n{}\n\nwithout the cube {:+.6}: win {} lose (gammons, backgammons included)\n",
        answer.words,
        answer.cubeless,
        percent(&answer.outcomes)
    )
}
