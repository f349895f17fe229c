//! Why the worst mistakes of a match are mistakes.

use std::fmt::Write as _;

use nonet::analysis::{AnalysedDecision, DecisionKind};
use nonet::answer::{WhyAnswer, WhyCubeAnswer, WhyError};
use nonet::engine::Engine;
use nonet::report::{AnalysedMatch, play_of, worst_first};

use super::text::mistake;
use crate::cli::interrupt::interrupted;
use crate::cli::output::terminal::Terminal;

/// The worst mistakes with the sentences that explain them; fewer after Ctrl-C.
pub(super) fn explained(
    one: &AnalysedMatch,
    engine: &Engine,
    count: usize,
    terminal: Terminal,
) -> String {
    let games = &one.games;
    let names = &games[0].game.header().names;
    let worst = worst_first(games);
    let mut text = String::new();
    for (place, &(game, index)) in worst.iter().take(count).enumerate() {
        if interrupted() {
            break;
        }
        if place == 0 {
            text += "\nWhy they are mistakes:\n";
        }
        let analysed = &games[game].decisions[index];
        _ = write!(text, "\n{}", mistake(place + 1, game + 1, analysed, names, terminal));
        match sentences(analysed, engine) {
            Ok(sentences) => {
                sentences.iter().for_each(|one| _ = writeln!(text, "     {one}"));
            }
            Err(error) => _ = writeln!(text, "     no explanation: {error}"),
        }
    }
    terminal.folded(&text)
}

fn sentences(analysed: &AnalysedDecision, engine: &Engine) -> Result<Vec<String>, WhyError> {
    let state = analysed.state();
    Ok(match &analysed.what {
        DecisionKind::Play(play) => {
            WhyAnswer::of(engine, &state, Some(&play_of(play.made())))?.sentences
        }
        DecisionKind::CubeCall(_) => WhyCubeAnswer::of(engine, &state)?.sentences,
    })
}
