//! `nonet net`: what is in a net file.

use std::io::Write;
use std::path::{Path, PathBuf};

use nonet::eval::weigh_inputs;
use nonet::report::{Axis, BarChart, BarSeries, Chart};
use nonet::store::{NetFile, read_net, write_atomic};
use serde_json::{Value, json};

use super::usage;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The net file.
    file: PathBuf,
    /// Show this net of the team only; its inputs are then what --plot draws.
    #[arg(long, value_name = "NAME")]
    net: Option<String>,
    /// How many of each net's inputs to list, those that matter most.
    #[arg(long, default_value_t = 8)]
    inputs: usize,
    /// Everything as one JSON line.
    #[arg(long)]
    json: bool,
    /// Plot the inputs that matter most to the net named with --net.
    #[arg(long, value_name = "FILE.svg", requires = "net")]
    plot: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if !args.file.is_file() {
        return Err(usage(format!("'{}' is no net file that exists", args.file.display())));
    }
    let file = read_net(&args.file).map_err(usage)?;
    let names: Vec<&str> = file.team.nets().iter().map(|net| net.name.as_str()).collect();
    if let Some(name) = args.net.as_deref().filter(|name| !names.contains(name)) {
        return Err(usage(format!(
            "{} has no net '{name}'; it has {}",
            args.file.display(),
            names.join(", ")
        )));
    }
    let text =
        if args.json { format!("{}\n", in_json(&file, args)) } else { in_words(&file, args) };
    write!(std::io::stdout(), "{text}")?;
    if let (Some(path), Some(name)) = (&args.plot, &args.net) {
        write_atomic(path, plot(&file, name, &args.file, args.inputs)?.as_bytes())?;
    }
    Ok(())
}

/// The nets to show, each with its place.
fn shown<'a>(
    file: &'a NetFile,
    args: &'a Args,
) -> impl Iterator<Item = (usize, &'a nonet::eval::Net)> {
    let nets = file.team.nets().iter().enumerate();
    nets.filter(|(_, net)| args.net.as_ref().is_none_or(|name| *name == net.name))
}

fn classes(file: &NetFile, place: usize) -> Vec<(&'static str, u64)> {
    let learned = |slug: &str| file.provenance.examples.get(slug).copied().unwrap_or(0);
    file.team.classes_of(place).map(|class| (class.slug(), learned(class.slug()))).collect()
}

fn in_words(file: &NetFile, args: &Args) -> String {
    let p = &file.provenance;
    let mut text = format!(
        "{}: preset {}, {} nets, {} weights\n  made by {} with: {}\n  seed {}, the {} weights after {} games{}\n",
        args.file.display(),
        file.preset,
        file.team.nets().len(),
        file.team.weights(),
        p.program,
        p.command,
        p.seed,
        p.weights,
        p.games,
        p.parent.as_ref().map(|parent| format!(", begun from {parent}")).unwrap_or_default(),
    );
    for (place, net) in shown(file, args) {
        let shape = net.mlp.shape();
        text += &format!(
            "\n{}: {} {}-{}-{}\n",
            net.name,
            net.encoding.slug(),
            shape.inputs,
            shape.hidden,
            shape.outputs
        );
        for (class, learned) in classes(file, place) {
            text += &match p.examples.is_empty() {
                true => format!("  serves class {class}\n"),
                false => format!("  learned from {learned} positions of class {class}\n"),
            };
        }
        for weighed in weigh_inputs(net).iter().take(args.inputs) {
            text += &format!(
                "  {:7.4}  {} [{}]\n",
                weighed.pull, weighed.input.name, weighed.input.unit
            );
        }
    }
    if args.inputs > 0 {
        text += "\nfigures: how strongly the equity reacts to a unit of the input, at most, in points per game\n";
    }
    text
}

fn in_json(file: &NetFile, args: &Args) -> Value {
    let nets: Vec<Value> = shown(file, args)
        .map(|(place, net)| {
            let weighed = weigh_inputs(net);
            let inputs = weighed.iter().take(args.inputs);
            let inputs = inputs.map(|w| json!({"name": w.input.name, "unit": w.input.unit, "pull": w.pull, "norm": w.norm}));
            let learned: serde_json::Map<String, Value> =
                classes(file, place).into_iter().map(|(class, n)| (class.to_owned(), n.into())).collect();
            json!({
                "name": net.name, "encoding": net.encoding.slug(), "shape": net.mlp.shape(), "learned": learned,
                "inputs": inputs.collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({"preset": file.preset, "provenance": file.provenance, "weights": file.team.weights(), "nets": nets})
}

fn plot(file: &NetFile, name: &str, path: &Path, inputs: usize) -> anyhow::Result<String> {
    let Some(net) = file.team.nets().iter().find(|net| net.name == name) else {
        anyhow::bail!("no net '{name}'")
    };
    let weighed = weigh_inputs(net);
    let top = &weighed[..inputs.clamp(1, weighed.len())];
    let axis = Axis::new("pull on the equity", "points per game");
    let chart = BarChart::new(
        format!("What matters to the {name} net"),
        "input",
        top.iter().map(|w| &w.input.name),
        axis,
    );
    let command = format!("nonet net {} --net {name} --inputs {inputs}", path.display());
    Ok(chart
        .command(command)
        .series(BarSeries::new("pull", top.iter().map(|w| f64::from(w.pull))))
        .render()?)
}
