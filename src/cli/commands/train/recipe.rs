//! `nonet train --recipe`: runs the stages of a recipe.

use nonet::store::run_file;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use nonet::open::PlayerSpec;
use nonet::progress::Progress;
use nonet::store::write_atomic;
use nonet::train::{Recipe, TrainSpec};

use super::{begin_in, in_flags, plan, resume, train};
use crate::cli::args::player::open_net;
use crate::cli::error::usage;
use crate::cli::output::shell_word::shell_word;

/// Runs a recipe stage by stage.
pub(super) fn follow(
    word: &str,
    out: Option<&Path>,
    pool: &rayon::ThreadPool,
    stop: &Progress,
) -> anyhow::Result<()> {
    let recipe = match Recipe::named(word) {
        Some(recipe) => recipe,
        None => {
            let known: Vec<String> = Recipe::all().into_iter().map(|recipe| recipe.name).collect();
            let text = std::fs::read_to_string(word).map_err(|_| {
                let known = known.join(", ");
                usage(format!("unknown recipe '{word}': expected {known} or a TOML file"))
            })?;
            Recipe::from_text(&text, word).map_err(usage)?
        }
    };
    let out = out.map_or_else(|| PathBuf::from("runs").join(&recipe.name), Path::to_owned);
    let (name, place) = (shell_word(Path::new(word)), shell_word(&out));
    let go_on = format!("nonet train --recipe {name} --out {place}");
    let specs = checked(&recipe, &out)?;
    let mut last = None;
    for (stage, spec) in specs.into_iter().enumerate() {
        let plan = plan(spec)?;
        let (folder, net) = recipe.place(&out, stage);
        let run = if run_file::is_run(&folder) {
            let run = resume(&folder)?;
            if *run.1.plan() != plan {
                return Err(usage(format!(
                    "{} has a run of another recipe: choose another folder with --out",
                    folder.display()
                )));
            }
            run
        } else {
            begin_in(&folder, plan)?
        };
        let games = run.1.plan().spec().games;
        if run.1.progress().games < games {
            let stages = recipe.stages.len();
            let hours = recipe.hours.map_or_else(String::new, |hours| {
                format!("; the whole recipe takes about {hours} hours on one core, a little more than half of that on two")
            });
            let name = &recipe.stages[stage].name;
            let line = format!("stage {} of {stages}, {name}: {games} games{hours}", stage + 1);
            writeln!(std::io::stderr(), "{line}")?;
        }
        // A run with all its games may lack its last test, and the page of a run that has ended.
        let Some(run) = train(run, pool, stop, &go_on)? else { return Ok(()) };
        run.end()?;
        last = Some(net);
    }
    if let Some(net) = last {
        let kept = out.join(format!("{}.nonet", recipe.name));
        let net = std::fs::read(&net).with_context(|| format!("cannot read {}", net.display()))?;
        write_atomic(&kept, &net)?;
        writeln!(std::io::stdout(), "net: {}", kept.display())?;
    }
    Ok(())
}

/// The options of all stages. What is wrong in a later one is found before the first one begins.
fn checked(recipe: &Recipe, out: &Path) -> anyhow::Result<Vec<TrainSpec>> {
    let mut specs = Vec::new();
    for stage in 0..recipe.stages.len() {
        let spec = recipe
            .spec(out, stage)
            .map_err(|error| usage(in_flags(&format!("{:#}", anyhow::anyhow!(error)))))?;
        let is_made = |name: &str| {
            (0..stage).any(|earlier| Path::new(name).starts_with(recipe.place(out, earlier).0))
        };
        let players = spec.expert.iter().chain([spec.against.first()]).chain(spec.against.others());
        let nets = players.filter_map(|player| match player {
            PlayerSpec::Net { path, .. } => Some(path),
            _ => None,
        });
        // Nets of the stages before are not there yet.
        for name in nets.chain(&spec.from).filter(|name| !is_made(name)) {
            open_net(name)?;
        }
        specs.push(spec);
    }
    Ok(specs)
}
