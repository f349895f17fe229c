//! What `nonet rollout` prints.

use std::collections::{BTreeMap, BTreeSet};

use nonet::answer::{OutcomeChances, RolledEquity, RolloutQuestion, StrengthCell, StrengthTable};
use nonet::backgammon::GameState;
use nonet::rollout::{CubeRollout, RolloutSums};
use nonet::stats::{Estimate, Z95};

use super::{Args, config};
use crate::cli::output::answer::{in_words, percent};
use crate::cli::output::counted::counted;

/// The answer to a position or to the plays of a roll.
pub(super) fn plays_answer(
    args: &Args,
    task: &RolloutQuestion,
    question: &GameState,
    sums: &[RolloutSums],
    seconds: f64,
) -> String {
    let (GameState { position, state }, dice) = (question, question.dice());
    let results = task.results(sums);
    let asked = dice.map_or_else(|| "to roll".to_owned(), |dice| format!("plays {dice}"));
    let mut text = format!("{position}\nX {asked}; {}\n\n", in_words(state));
    let wide = results
        .iter()
        .map(|(line, ..)| task.names()[*line].chars().count())
        .max()
        .unwrap_or(0)
        .max(4);
    let leads = if results.len() > 1 { "behind the best  " } else { "" };
    text += &format!(
        "{:wide$}   equity ±       {leads}  win   gam   bgm    lose   gam   bgm   games\n",
        ""
    );
    for (place, (line, result, lead)) in results.iter().enumerate() {
        let equity = &result.equity;
        let lead = match place {
            _ if results.len() == 1 => String::new(),
            0 => " ".repeat(17),
            _ => format!("{:<17}", format!("{:+.3} ±{:.3}", -lead.mean, lead.half95())),
        };
        text += &format!(
            "{:wide$}   {:+.3} ±{:.3}  {lead}{}   {}\n",
            task.names()[*line],
            equity.mean,
            equity.half95(),
            percent(&OutcomeChances::from(&result.value)),
            result.games
        );
    }
    let (_, best, _) = &results[0];
    text + &footer(args, task, best.equity, best.plain_stderr, seconds)
}

/// The answer to a cube decision.
pub(super) fn cube_answer(
    args: &Args,
    task: &RolloutQuestion,
    question: &GameState,
    result: &CubeRollout,
    seconds: f64,
) -> String {
    let CubeRollout { decision, no_double, double_take, double_gains, take_gains, .. } = result;
    let GameState { position, state } = question;
    let mut text = format!("{position}\nX to roll; {}\n\n", in_words(state));
    let word = if decision.redouble { "redouble" } else { "double" };
    let taken = if decision.answer == nonet::cube::Answer::Beaver { "beaver" } else { "take" };
    for (name, estimate) in [
        (format!("no {word}"), Some(no_double)),
        (format!("{word}, {taken}"), Some(double_take)),
        (format!("{word}, pass"), None),
    ] {
        text += &match estimate {
            Some(equity) => format!("{name:<16} {:+.3} ±{:.3}\n", equity.mean, equity.half95()),
            None => format!("{name:<16} {:+.3}\n", decision.double_pass),
        };
    }
    let signed = |gain: &Estimate| {
        // Where all games end alike, there is no error to compare with.
        let errors = match gain.half95() < 0.0005 {
            true => String::new(),
            false => format!("  ({:.1} standard errors)", gain.mean.abs() / gain.stderr),
        };
        // No minus sign before a zero.
        let mean = if gain.mean.abs() < 0.0005 { 0.0 } else { gain.mean };
        format!("{mean:+.3} ±{:.3}{errors}", gain.half95())
    };
    text += &format!("\n{decision}\n");
    text += &format!("a {word} gains X     {}\n", signed(double_gains));
    text += &format!("a {taken} gains O       {}\n\n", signed(take_gains));
    text += &format!(
        "without the cube {:+.3}: win {} lose (gammons, backgammons included)\n",
        decision.cubeless.equity(),
        percent(&OutcomeChances::from(&decision.cubeless))
    );
    text + &footer(args, task, *no_double, f64::NAN, seconds)
}

fn footer(
    args: &Args,
    task: &RolloutQuestion,
    best: Estimate,
    plain_stderr: f64,
    seconds: f64,
) -> String {
    let end = match args.truncate {
        0 => "played to the end".to_owned(),
        plies => {
            format!("cut off after {plies} and {} plies, the mean of both", u64::from(plies) + 1)
        }
    };
    let kind = if args.cubeless { "without the cube" } else { "with the cube" };
    let mut text = format!(
        "\n{} {end}; at {}, {kind}; seed {}, {seconds:.1} s\n",
        counted(best.n, "game"),
        args.ply,
        args.seed
    );
    if let [own, other] = task.levels().map(|level| level.to_string())
        && !args.levels.is_empty()
    {
        text += &format!("X plays like {own}; O like {other}.\n");
    }
    text += &format!(
        "± is half the 95 % interval, of the dice alone. It leaves out {}",
        task.left_out(&config(args)).replace(", and", ",\nand")
    );
    text += match args.truncate {
        0 => ".\n",
        _ => ".\nWithout --truncate, games are played to the end and depend on no evaluation.\n",
    };
    if plain_stderr.is_finite() && !args.no_variance_reduction && best.stderr > 0.0 {
        text += &format!(
            "With their luck left in, these games would have an error of {plain_stderr:.3}: as good as {:.0} times as many.\n",
            (plain_stderr / best.stderr).powi(2)
        );
    }
    text
}

/// A decision by the levels of both sides.
pub(super) fn strengths_answer(table: &StrengthTable, question: &GameState, cube: bool) -> String {
    let (GameState { position, state }, dice) = (question, question.dice());
    let asked = match dice.filter(|_| !cube) {
        Some(dice) => format!("plays {dice}"),
        None => "to roll".to_owned(),
    };
    let mut text = format!("{position}\nX {asked}; {}\n\n", in_words(state));
    let equity = |one: &RolledEquity| {
        let error = one.stderr.map_or(f64::INFINITY, |stderr| Z95 * stderr);
        format!("{:+.3} ±{error:.3}", one.equity)
    };
    let names: Vec<&str> = table.levels.iter().map(|level| level.name).collect();
    let wide = names.iter().map(|name| name.len()).max().unwrap_or(0);
    let head = |what: &str| {
        let columns: String = names.iter().map(|name| format!("{name:>17}")).collect();
        format!("{what}\n{:wide$}{columns}\n", "X \\ O")
    };
    for (index, decision) in table.decisions.iter().enumerate() {
        text += &head(decision);
        for (name, row) in names.iter().zip(&table.rows) {
            let cells = row.iter().map(|cell| format!("{:>17}", equity(&cell.equities[index])));
            text += &format!("{name:wide$}{}\n", cells.collect::<String>());
        }
        text += "\n";
    }
    if table.decisions.len() > 1 {
        let best = || table.rows.iter().flatten().map(|cell| cell.best.as_str());
        let letters: BTreeMap<&str, char> =
            best().collect::<BTreeSet<_>>().into_iter().zip('A'..='Z').collect();
        let gains = if cube { "what a double gains" } else { "the best play and its lead" };
        text += &head(gains);
        for (name, row) in names.iter().zip(&table.rows) {
            let cell = |one: &StrengthCell| {
                let letter = letters.get(one.best.as_str()).map_or('?', |letter| *letter);
                let lead = one.lead.as_ref().map_or_else(String::new, equity);
                format!("{:>17}", format!("{letter} {lead}"))
            };
            text += &format!("{name:wide$}{}\n", row.iter().map(cell).collect::<String>());
        }
        let key: Vec<String> =
            letters.iter().map(|(best, letter)| format!("{letter}: {best}")).collect();
        text += &format!("{}\n\n", key.join("; "));
    }
    text + &format!(
        "Rows: the level of X; columns: that of O. {} each, with the same dice and seed {},\n\
         {:.1} s. Both sides decide by equities at {}-ply, with the errors of their level.\n\
         ± is half the 95 % interval, of dice and errors.\n",
        counted(table.games, "game"),
        table.seed,
        table.seconds,
        table.plies
    )
}
