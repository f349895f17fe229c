//! How far nets are from the solved values of hypergammon.

use std::io::Write;
use std::path::Path;

use nonet::benchmark::{
    ExactCubeErrors, ExactErrors, ExactPhase, ExactSample, exact_cube_errors, exact_errors,
};
use nonet::eval::Evaluator;
use nonet::progress::Progress;
use nonet::stats::Z95;
use nonet::store::{HypergammonFile, StoreError};
use serde_json::json;

use super::{Args, open};
use crate::cli::args::databases::hypergammon;
use crate::cli::args::player::check;
use crate::cli::interrupt::interruptible;
use crate::cli::output::progress_bar::show_progress;
use crate::cli::output::terminal::Terminal;

/// Scores every player and prints a table.
pub(super) fn score(args: &Args, path: &Path) -> anyhow::Result<()> {
    let file = hypergammon(path)?;
    let mut out = std::io::stdout();
    if !args.json {
        let text = format!(
            "errors against exact values, {} positions of each kind, games of {} {} a side;\n\
             ± is half the 95 % interval; points without a cube; ER is 1000 x points lost a play;\n\
             cube: money games with a centred cube, and answers where a double is right\n",
            args.positions,
            file.checkers(),
            if file.checkers() == 1 { "checker" } else { "checkers" }
        );
        write!(out, "{}", Terminal::of_stdout().folded(&text))?;
    }
    for (before, spec) in args.players.iter().enumerate() {
        let (word, player) = (spec.to_string(), open(spec, args.bearoff)?);
        let progress = interruptible();
        // Two samples, each for evaluations and for the cube at two depths.
        let total = args.positions.saturating_mul(6);
        let found = show_progress(&format!("positions {word}"), total, &progress, |progress| {
            errors(player.as_ref(), &file, args, progress)
        });
        // Ctrl-C reaches gnubg, too: its end is then no failure.
        let Some((rows, cube)) = found? else {
            anyhow::ensure!(
                before > 0,
                "interrupted before any player was scored: there is no result"
            );
            writeln!(std::io::stderr(), "stopped at {word}; the players before it are above")?;
            return Ok(());
        };
        check(player.failure())?;
        if args.json {
            writeln!(
                out,
                "{}",
                json!({"player": word, "seed": args.seed(), "errors": rows, "cube": cube})
            )?;
        } else {
            let text = in_words(&word, &rows) + &cube_in_words(&cube);
            write!(out, "{}", Terminal::of_stdout().fitted(&text))?;
        }
    }
    Ok(())
}

/// The errors of a player's evaluations and plays, and of its cube decisions.
type Errors = (Vec<ExactErrors>, Vec<ExactCubeErrors>);

/// The errors of a player; `None` after Ctrl-C.
fn errors(
    player: &dyn Evaluator,
    file: &HypergammonFile,
    args: &Args,
    progress: &Progress,
) -> Result<Option<Errors>, StoreError> {
    let (positions, seed) = (args.positions, args.seed());
    let Some(rows) = exact_errors(player, file, positions, seed, progress)? else {
        return Ok(None);
    };
    let cube = exact_cube_errors(player, file, positions, seed, progress)?;
    Ok(cube.map(|cube| (rows, cube)))
}

fn in_words(player: &str, rows: &[ExactErrors]) -> String {
    let mut text = format!(
        "\n{player}\n{:<18} {:>9}  {:>15}  {:>15}  {:>12}\n",
        "positions", "number", "bias", "error", "ER"
    );
    for row in rows {
        let kind = name_of(row.sample);
        let phase = match row.phase {
            ExactPhase::All => "",
            ExactPhase::Contact => ", contact",
            ExactPhase::Race => ", race",
        };
        let ExactErrors { positions, bias, error, er, .. } = row;
        text += &format!("{:<18} {positions:>9}", format!("{kind}{phase}"));
        let pm = |mean: String, half: String| format!("{mean} ± {half}");
        let bias = pm(format!("{:+.4}", bias.mean), format!("{:.4}", Z95 * bias.stderr));
        let error = pm(format!("{:.4}", error.mean), format!("{:.4}", Z95 * error.stderr));
        let er = pm(format!("{:.2}", er.mean), format!("{:.2}", Z95 * er.stderr));
        text += &format!("  {bias:>15}  {error:>15}  {er:>12}\n");
    }
    text
}

const fn name_of(sample: ExactSample) -> &'static str {
    match sample {
        ExactSample::Visited => "visited",
        ExactSample::Uniform => "uniform",
    }
}

fn cube_in_words(rows: &[ExactCubeErrors]) -> String {
    let mut text = format!(
        "{:<18} {:>9}  {:>15}  {:>7}  {:>9}  {:>15}  {:>7}\n",
        "cube", "decisions", "ER", "wrong", "answers", "ER", "wrong"
    );
    for row in rows {
        let er = |er: &nonet::stats::Estimate| format!("{:.2} ± {:.2}", er.mean, Z95 * er.stderr);
        let part = |part: f64| format!("{:.1} %", 100.0 * part);
        text += &format!(
            "{:<18} {:>9}  {:>15}  {:>7}  {:>9}  {:>15}  {:>7}\n",
            format!("{}, {}-ply", name_of(row.sample), row.plies),
            row.positions,
            er(&row.double_er),
            part(row.wrong_doubles),
            row.answers,
            er(&row.answer_er),
            part(row.wrong_answers)
        );
    }
    text
}
