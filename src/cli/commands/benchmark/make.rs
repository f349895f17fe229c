//! `nonet benchmark --make`: decisions are collected, and engines judge them.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use nonet::benchmark::{DecisionSet, ReferenceConfig, SamplingConfig, sampled, with_references};
use nonet::engine::Engine;
use nonet::open::PlayerSpec;
use nonet::search::{Plies, SearchSettings};
use nonet::store::write_atomic;

use super::{Args, open};
use crate::cli::args::player::{check, in_word};
use crate::cli::error::usage;
use crate::cli::interrupt::interruptible;
use crate::cli::output::progress_bar::show_progress;
use crate::cli::output::shell_word::shell_word;

/// Collects decisions into the file `path`.
pub(super) fn make(args: &Args, path: &Path) -> anyhow::Result<()> {
    if args.number == 0 {
        return Err(usage("--number must be at least 1"));
    }
    let [player_spec] = args.players.as_slice() else {
        let count = args.players.len();
        return Err(usage(format!("--make plays one player against itself: name 1, not {count}")));
    };
    let seed = args.seed();
    let player = open(player_spec, true)?;
    let judges =
        args.judge.iter().map(|judge| open(judge, true)).collect::<anyhow::Result<Vec<_>>>()?;
    let shallow = Engine::builder()
        .evaluator(Arc::clone(&player))
        .plies(Plies::TWO)
        .search_settings(SearchSettings::FULL)
        .build()?
        .evaluator();
    let sampling = match args.natural {
        true => SamplingConfig::natural(args.number, seed),
        false => SamplingConfig::new(args.number, seed),
    };
    let sampling = SamplingConfig { drawn: args.drawn_starts, ..sampling };
    let config = ReferenceConfig::default();
    let found = sampled(player.as_ref(), &sampling);
    let machines = args.nats.connect()?;
    let progress = machines.of(interruptible());
    let decisions = show_progress("decisions", found.len() as u64, &progress, |progress| {
        with_references(&found, shallow.as_ref(), &judges, &config, progress)
    });
    machines.check()?;
    machines.end();
    std::iter::once(&player).chain(&judges).try_for_each(|engine| check(engine.failure()))?;
    let Some(decisions) = decisions else { anyhow::bail!("interrupted: nothing was written") };
    let command = format!(
        "nonet benchmark {} --make {}{}{} --number {} --seed {seed} {}",
        in_word(player_spec),
        shell_word(path),
        if args.natural { " --natural" } else { "" },
        if args.drawn_starts { " --drawn-starts" } else { "" },
        args.number,
        args.judge
            .iter()
            .map(|judge| format!("--judge {}", in_word(judge)))
            .collect::<Vec<_>>()
            .join(" ")
    );
    let judge_names = args.judge.iter().map(PlayerSpec::to_string).collect();
    let set = DecisionSet::new(command, &sampling, &config, judge_names, decisions);
    write_atomic(path, set.to_text().as_bytes())?;
    writeln!(std::io::stdout(), "{} decisions in {}", set.decisions.len(), path.display())?;
    Ok(())
}
