//! How two nets differ: in what they look at, in their judgements, and in their plays.

use nonet::backgammon::{Dice, Position, Results};
use nonet::class::{ByClass, Class};
use nonet::eval::{Evaluator, FeatureImportance, best_result, rank_correlation};
use serde_json::{Value, json};

use super::{Args, ClassUse};

/// How alike two teams judge and play, on positions of both.
#[derive(Default, Clone, Copy)]
struct WeightGap {
    positions: u64,
    /// Sum of the differences of equity, without sign and with it (the first team's less the second's).
    apart: f64,
    above: f64,
    /// Positions in which both choose the same result of a roll.
    same_play: u64,
}

/// What a net of both teams looks at.
struct NetDistance {
    name: String,
    /// Spearman's correlation of the pulls of all inputs; `None` where the two read different inputs.
    alike: Option<f64>,
    /// The inputs whose pulls differ most: the first team's pull, the second's.
    differ: Vec<(String, f32, f32)>,
}

pub(super) fn compare(a: &ClassUse, b: &ClassUse, args: &Args) -> anyhow::Result<String> {
    let gaps = gaps(a, b);
    let weights: Vec<NetDistance> =
        a.file.team.nets().iter().filter_map(|net| weights(a, b, &net.name, args)).collect();
    Ok(match args.json {
        true => format!("{}\n", in_json(a, b, &gaps, &weights)),
        false => in_words(a, b, &gaps, &weights),
    })
}

fn gaps(a: &ClassUse, b: &ClassUse) -> ByClass<WeightGap> {
    let mut gaps: ByClass<WeightGap> = ByClass::default();
    let mut values = [Vec::new(), Vec::new()];
    let (mut results, mut replies) = (Results::default(), Vec::new());
    let open = |position: &&Position| position.outcome().is_none();
    let positions: Vec<Position> =
        a.positions.iter().chain(&b.positions).filter(open).copied().collect();
    a.file.team.evaluate_batch(&positions, &mut values[0]);
    b.file.team.evaluate_batch(&positions, &mut values[1]);
    for (i, position) in positions.iter().enumerate() {
        let gap = &mut gaps[Class::of(position)];
        let apart = f64::from(values[0][i].equity() - values[1][i].equity());
        gap.positions += 1;
        gap.apart += apart.abs();
        gap.above += apart;
        // Any roll will do, and all are met.
        let found = results.of(position, Dice::ALL[i % Dice::ALL.len()]);
        let plays = [a, b].map(|seen| best_result(&seen.file.team, found, &mut replies));
        gap.same_play += u64::from(plays[0] == plays[1]);
    }
    gaps
}

fn weights(a: &ClassUse, b: &ClassUse, name: &str, args: &Args) -> Option<NetDistance> {
    if args.net.as_ref().is_some_and(|net| net != name) {
        return None;
    }
    let place = |seen: &ClassUse| seen.file.team.nets().iter().position(|net| net.name == name);
    let (first, second) = (place(a)?, place(b)?);
    let name = name.to_owned();
    let encoding = |seen: &ClassUse, place: usize| seen.file.team.nets()[place].encoding;
    if encoding(a, first) != encoding(b, second) {
        return Some(NetDistance { name, alike: None, differ: Vec::new() });
    }
    // In the order of the inputs' names, which both share.
    let by_name = |seen: &ClassUse, place: usize| {
        let mut weighed = seen.weighed(place, "pull");
        weighed.sort_by(|a, b| a.input.name.cmp(&b.input.name));
        weighed
    };
    let (ours, theirs) = (by_name(a, first), by_name(b, second));
    let pulls =
        |weighed: &[FeatureImportance]| weighed.iter().map(|w| w.sensitivity).collect::<Vec<f32>>();
    let alike = rank_correlation(&pulls(&ours), &pulls(&theirs));
    let mut differ: Vec<(String, f32, f32)> = ours
        .iter()
        .zip(&theirs)
        .map(|(a, b)| (a.input.name.clone(), a.sensitivity, b.sensitivity))
        .collect();
    differ.sort_by(|x, y| (y.1 - y.2).abs().total_cmp(&(x.1 - x.2).abs()));
    differ.truncate(args.inputs);
    Some(NetDistance { name, alike: Some(alike), differ })
}

fn in_words(
    a: &ClassUse,
    b: &ClassUse,
    gaps: &ByClass<WeightGap>,
    weights: &[NetDistance],
) -> String {
    let mut text = format!(
        "{} beside {}, on positions of games of both with themselves\n\n\
         {:<10} {:>9} {:>13} {:>11} {:>11}\n",
        a.name, b.name, "class", "positions", "equity apart", "first above", "same play %"
    );
    let mut row = |name: &str, gap: &WeightGap| {
        let n = gap.positions.max(1) as f64;
        let same = 100.0 * gap.same_play as f64 / n;
        text += &format!(
            "{name:<10} {:>9} {:>13.4} {:>+11.4} {same:>11.1}\n",
            gap.positions,
            gap.apart / n,
            gap.above / n
        );
    };
    let mut all = WeightGap::default();
    for (class, gap) in gaps.iter() {
        row(class.slug(), gap);
        all.positions += gap.positions;
        all.apart += gap.apart;
        all.above += gap.above;
        all.same_play += gap.same_play;
    }
    row("all", &all);
    text += "\nequity apart: mean difference without sign, in points per game; above: with it\n";
    for NetDistance { name, alike, differ } in weights {
        text += &match alike {
            Some(alike) => format!("\n{name}: rank correlation of the inputs' pulls {alike:+.3}\n"),
            None => format!("\n{name}: the two read different inputs\n"),
        };
        for (input, ours, theirs) in differ {
            text += &format!("  {ours:7.4} {theirs:7.4}  {input}\n");
        }
    }
    text
}

fn in_json(
    a: &ClassUse,
    b: &ClassUse,
    gaps: &ByClass<WeightGap>,
    weights: &[NetDistance],
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
