//! What `nonet rollout` prints.

use nonet::answer::OutcomeChances;
use nonet::backgammon::{MatchState, Position};
use nonet::rollout::{CubeRollout, RolloutResult};
use nonet::stats::Estimate;
use serde_json::{Value, json};

use super::engine_args::{in_words, percent};
use super::rollout::{Args, Asked, Row};

/// The results of plays or of a position, for the player who is asked, the best first: with the lead of the best over each.
fn results<'a>(rows: &'a [Row], plays: bool) -> Vec<(&'a Row, RolloutResult, Estimate)> {
    let result = |row: &Row| {
        let mut result = row.sums.result();
        if plays {
            // Each was rolled out for the opponent, whose turn it is.
            result.value = result.value.flipped();
            result.equity.mean = -result.equity.mean;
        }
        result
    };
    let mut order: Vec<_> = rows.iter().map(|row| (row, result(row))).collect();
    order.sort_by(|a, b| b.1.equity.mean.total_cmp(&a.1.equity.mean));
    let best = order.first().map(|(row, _)| *row);
    let lead = |row: &'a Row| match best {
        Some(best) if !std::ptr::eq(best, row) => row.sums.difference(&best.sums),
        _ => Estimate { mean: 0.0, stderr: 0.0, n: row.sums.games() },
    };
    order.into_iter().map(|(row, result)| (row, result, lead(row))).collect()
}

/// The answer to a position or to the plays of a roll.
pub(super) fn plays_answer(args: &Args, asked: Asked, rows: &[Row], seconds: f64) -> String {
    let (position, state, dice) = asked;
    let results = results(rows, dice.is_some());
    if args.question.json {
        let rows = results.iter().map(|(row, result, lead)| {
            let equity = &result.equity;
            json!({
                "play": row.name, "id": row.position().id(), "games": result.games,
                "equity": equity.mean, "stderr": equity.stderr, "loss": lead.mean,
                "loss_stderr": lead.stderr, "stderr_with_luck": result.plain_stderr,
                "outcomes": OutcomeChances::from(&result.value), "cubeless": result.value.equity(),
            })
        });
        let rows: Vec<_> = rows.collect();
        let mut answer = facts(args, position, seconds);
        answer["dice"] = json!(dice.map(|dice| dice.to_string()));
        answer["rollouts"] = json!(rows);
        return format!("{answer}\n");
    }
    let asked = dice.map_or_else(|| "to roll".to_owned(), |dice| format!("plays {dice}"));
    let mut text = format!("{position}\nX {asked}; {}\n\n", in_words(state));
    let wide = results.iter().map(|(row, ..)| row.name.chars().count()).max().unwrap_or(0).max(4);
    let leads = if results.len() > 1 { "behind the best  " } else { "" };
    text += &format!(
        "{:wide$}   equity  s.e.   {leads}  win   gam   bgm    lose   gam   bgm   games\n",
        ""
    );
    for (place, (row, result, lead)) in results.iter().enumerate() {
        let equity = &result.equity;
        let lead = match place {
            _ if results.len() == 1 => String::new(),
            0 => " ".repeat(17),
            _ => format!("{:<17}", format!("{:+.3} ±{:.3}", -lead.mean, lead.stderr)),
        };
        text += &format!(
            "{:wide$}   {:+.3} ±{:.3}  {lead}{}   {}\n",
            row.name,
            equity.mean,
            equity.stderr,
            percent(&OutcomeChances::from(&result.value)),
            result.games
        );
    }
    let (_, best, _) = &results[0];
    text + &footer(args, best.equity, best.plain_stderr, seconds)
}

/// The answer to a cube decision.
pub(super) fn cube_answer(
    args: &Args,
    position: &Position,
    state: &MatchState,
    result: &CubeRollout,
    seconds: f64,
) -> String {
    let CubeRollout { decision, no_double, double_take, double_gains, take_gains } = result;
    if args.question.json {
        let mut answer = facts(args, position, seconds);
        let of = |estimate: &Estimate| json!({"equity": estimate.mean, "stderr": estimate.stderr});
        answer["games"] = json!(no_double.n);
        answer["cube"] = json!({
            "action": decision.action, "answer": decision.answer, "words": decision.to_string(),
            "no_double": of(no_double), "double_take": of(double_take), "double_pass": 1.0,
            "double_gains": of(double_gains), "take_gains": of(take_gains),
            "outcomes": OutcomeChances::from(&decision.cubeless), "cubeless": decision.cubeless.equity(),
        });
        return format!("{answer}\n");
    }
    let mut text = format!("{position}\nX to roll; {}\n\n", in_words(state));
    let word = if decision.redouble { "redouble" } else { "double" };
    let taken = if decision.answer == nonet::cube::Answer::Beaver { "beaver" } else { "take" };
    for (name, estimate) in [
        (format!("no {word}"), Some(no_double)),
        (format!("{word}, {taken}"), Some(double_take)),
        (format!("{word}, pass"), None),
    ] {
        text += &match estimate {
            Some(Estimate { mean, stderr, .. }) => format!("{name:<16} {mean:+.3} ±{stderr:.3}\n"),
            None => format!("{name:<16} {:+.3}\n", decision.double_pass),
        };
    }
    let in_errors = |gain: &Estimate| format!("{:.1} s.e.", gain.mean.abs() / gain.stderr);
    let signed =
        |gain: &Estimate| format!("{:+.3} ±{:.3}  ({})", gain.mean, gain.stderr, in_errors(gain));
    text += &format!("\n{decision}\n");
    text += &format!("a {word} gains X     {}\n", signed(double_gains));
    text += &format!("a {taken} gains O       {}\n\n", signed(take_gains));
    text += &format!(
        "without the cube {:+.3}: win {} lose (gammons, backgammons included)\n",
        decision.cubeless.equity(),
        percent(&OutcomeChances::from(&decision.cubeless))
    );
    text + &footer(args, *no_double, f64::NAN, seconds)
}

/// What both answers say as JSON.
fn facts(args: &Args, position: &Position, seconds: f64) -> Value {
    json!({
        "id": position.id(), "cubeful": !args.cubeless, "truncate": args.truncate,
        "plies": args.ply.get(), "seed": args.seed, "seconds": seconds,
        "stderr_leaves_out": left_out(args),
    })
}

/// What the standard error leaves out.
fn left_out(args: &Args) -> String {
    let cube = if args.cubeless { "" } else { ", of cube actions at 1-ply" };
    let horizon = match (args.truncate, args.cubeless) {
        (0, _) => "",
        (_, true) => ", and of the evaluations where games are cut off",
        (_, false) => ", and of the evaluations and the cube model where games are cut off",
    };
    format!("the errors of plays at {}{cube}{horizon}", args.ply)
}

fn footer(args: &Args, best: Estimate, plain_stderr: f64, seconds: f64) -> String {
    let end = match args.truncate {
        0 => "played to the end".to_owned(),
        plies => {
            format!("cut off after {plies} and {} plies, the mean of both", u64::from(plies) + 1)
        }
    };
    let kind = if args.cubeless { "without the cube" } else { "with the cube" };
    let mut text = format!(
        "\n{} games {end}; at {}, {kind}; seed {}, {seconds:.1} s\n",
        best.n, args.ply, args.seed
    );
    text += &format!(
        "± is one standard error of the dice alone. It leaves out {}",
        left_out(args).replace(", and", ",\nand")
    );
    text += match args.truncate {
        0 => ".\n",
        _ => {
            ":\n0.00 to 0.03 points at 11 plies, in the two positions measured. --truncate 0 plays to the end.\n"
        }
    };
    if plain_stderr.is_finite() && !args.no_variance_reduction && best.stderr > 0.0 {
        text += &format!(
            "With their luck left in, these games would have an error of {plain_stderr:.3}: as good as {:.0} times as many.\n",
            (plain_stderr / best.stderr).powi(2)
        );
    }
    text
}
