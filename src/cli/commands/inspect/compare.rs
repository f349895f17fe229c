//! The differences of two nets: input importance, evaluations and plays.

use nonet::backgammon::{Dice, Position, Results};
use nonet::class::{ByClass, Class};
use nonet::eval::{Evaluator, FeatureImportance, best_result, rank_correlation};
use serde_json::{Value, json};

use super::{Args, InspectedNet};
use crate::cli::output::terminal::Terminal;

/// Differences of evaluations and plays of two teams, on positions of both.
#[derive(Default, Clone, Copy)]
struct EvaluationGap {
    positions: u64,
    /// Sum of the differences of equity, first team minus second: absolute, and signed.
    apart: f64,
    above: f64,
    /// Positions in which both choose the same play of a roll.
    same_play: u64,
}

/// Differences of input importance of a net that both teams have.
struct ImportanceGap {
    name: String,
    /// Spearman's correlation of the sensitivities of all inputs; `None` if the two have different
    /// inputs.
    alike: Option<f64>,
    /// The inputs with the largest differences in sensitivity, with the sensitivities of the first
    /// and second team.
    differ: Vec<(String, f32, f32)>,
}

pub(super) fn compare(a: &InspectedNet, b: &InspectedNet, args: &Args) -> anyhow::Result<String> {
    let gaps = gaps(a, b);
    let weights: Vec<ImportanceGap> =
        a.file.team.nets().iter().filter_map(|net| weights(a, b, &net.name, args)).collect();
    Ok(match args.json {
        true => format!("{}\n", in_json(a, b, &gaps, &weights)),
        false => in_words(a, b, &gaps, &weights),
    })
}

fn gaps(a: &InspectedNet, b: &InspectedNet) -> ByClass<EvaluationGap> {
    let mut gaps: ByClass<EvaluationGap> = ByClass::default();
    let mut values = [Vec::new(), Vec::new()];
    let (mut results, mut replies) = (Results::default(), Vec::new());
    let open = |position: &&Position| position.outcome().is_none();
    let positions: Vec<Position> =
        a.positions.iter().chain(&b.positions).filter(open).copied().collect();
    a.file.team.evaluate_into(&positions, &mut values[0]);
    b.file.team.evaluate_into(&positions, &mut values[1]);
    for (i, position) in positions.iter().enumerate() {
        let gap = &mut gaps[Class::of(position)];
        let apart = f64::from(values[0][i].equity() - values[1][i].equity());
        gap.positions += 1;
        gap.apart += apart.abs();
        gap.above += apart;
        // Each position with one of the 21 rolls in turn.
        let found = results.of(position, Dice::ALL[i % Dice::ALL.len()]);
        let plays = [a, b].map(|inspected| best_result(&inspected.file.team, found, &mut replies));
        gap.same_play += u64::from(plays[0] == plays[1]);
    }
    gaps
}

fn weights(a: &InspectedNet, b: &InspectedNet, name: &str, args: &Args) -> Option<ImportanceGap> {
    if args.net.as_ref().is_some_and(|net| net != name) {
        return None;
    }
    let place = |inspected: &InspectedNet| {
        inspected.file.team.nets().iter().position(|net| net.name == name)
    };
    let (first, second) = (place(a)?, place(b)?);
    let name = name.to_owned();
    let encoding =
        |inspected: &InspectedNet, place: usize| inspected.file.team.nets()[place].encoding;
    if encoding(a, first) != encoding(b, second) {
        return Some(ImportanceGap { name, alike: None, differ: Vec::new() });
    }
    // Sorted by the names of the inputs, which are the same in both.
    let by_name = |inspected: &InspectedNet, place: usize| {
        let mut important = inspected.important(place, "sensitivity");
        important.sort_by(|a, b| a.input.name.cmp(&b.input.name));
        important
    };
    let (ours, theirs) = (by_name(a, first), by_name(b, second));
    let sensitivities = |important: &[FeatureImportance]| {
        important.iter().map(|w| w.sensitivity).collect::<Vec<f32>>()
    };
    let alike = rank_correlation(&sensitivities(&ours), &sensitivities(&theirs));
    let mut differ: Vec<(String, f32, f32)> = ours
        .iter()
        .zip(&theirs)
        .map(|(a, b)| (a.input.name.clone(), a.sensitivity, b.sensitivity))
        .collect();
    differ.sort_by(|x, y| (y.1 - y.2).abs().total_cmp(&(x.1 - x.2).abs()));
    differ.truncate(args.inputs());
    Some(ImportanceGap { name, alike: Some(alike), differ })
}

fn in_words(
    a: &InspectedNet,
    b: &InspectedNet,
    gaps: &ByClass<EvaluationGap>,
    weights: &[ImportanceGap],
) -> String {
    let mut text = format!(
        "{} compared with {}, on positions of games of both with themselves\n\n\
         {:<10} {:>9} {:>13} {:>12} {:>11}\n",
        a.name, b.name, "class", "positions", "difference", "first higher", "same play %"
    );
    let mut row = |name: &str, gap: &EvaluationGap| {
        let n = gap.positions.max(1) as f64;
        let same = 100.0 * gap.same_play as f64 / n;
        text += &format!(
            "{name:<10} {:>9} {:>13.4} {:>+12.4} {same:>11.1}\n",
            gap.positions,
            gap.apart / n,
            gap.above / n
        );
    };
    let mut all = EvaluationGap::default();
    for (class, gap) in gaps.iter() {
        row(class.slug(), gap);
        all.positions += gap.positions;
        all.apart += gap.apart;
        all.above += gap.above;
        all.same_play += gap.same_play;
    }
    row("all", &all);
    let terminal = Terminal::of_stdout();
    let mut text = terminal.fitted(&text);
    text += "\ndifference: mean absolute difference of equity in points per game; first higher: mean signed difference\n";
    for ImportanceGap { name, alike, differ } in weights {
        text += &match alike {
            Some(alike) => format!("\n{name}: rank correlation of the sensitivities {alike:+.3}\n"),
            None => format!("\n{name}: the two have different inputs\n"),
        };
        for (input, ours, theirs) in differ {
            text += &format!("  {ours:7.4} {theirs:7.4}  {input}\n");
        }
    }
    terminal.folded(&text)
}

fn in_json(
    a: &InspectedNet,
    b: &InspectedNet,
    gaps: &ByClass<EvaluationGap>,
    weights: &[ImportanceGap],
) -> Value {
    let classes: serde_json::Map<String, Value> = gaps
        .iter()
        .map(|(class, gap)| {
            let n = gap.positions.max(1) as f64;
            let value = json!({
                "positions": gap.positions, "equity_apart": gap.apart / n, "first_above": gap.above / n,
                "same_play": gap.same_play as f64 / n,
            });
            (class.slug().to_owned(), value)
        })
        .collect();
    let nets: Vec<Value> = weights
        .iter()
        .map(|w| {
            let differ = w.differ.iter().map(|(n, x, y)| json!({"name": n, "first": x, "second": y}));
            json!({"name": w.name, "rank_correlation": w.alike, "differ": differ.collect::<Vec<_>>()})
        })
        .collect();
    json!({"first": a.name, "second": b.name, "classes": classes, "nets": nets})
}
