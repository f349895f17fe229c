//! `nonet benchmark --make`: decisions are collected, and engines judge them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nonet::benchmark::{DecisionSet, ReferenceConfig, SamplingConfig, sampled, with_references};
use nonet::engine::Engine;
use nonet::open::PlayerSpec;
use nonet::search::{Plies, SearchSettings};
use nonet::store::write_atomic;

use super::{Args, open};
use crate::cli::args::player::{check, in_word};
use crate::cli::error::usage;
use crate::cli::interrupt::{NOTHING_WRITTEN, interruptible};
use crate::cli::output::counted::counted;
use crate::cli::output::progress_bar::show_progress;
use crate::cli::output::shell_word::shell_word;

/// The options of making decisions. Scoring has no meaning there.
///
/// The group says so for each of them, since clap requires nothing that another option rules out.
#[derive(clap::Args)]
#[group(conflicts_with_all = [
    "decisions", "part", "by", "bearoff", "json", "plot", "exact", "bm", "time",
])]
pub(super) struct MakingArgs {
    /// Make a file of decisions.
    ///
    /// They occur in games of the first player against itself.
    #[arg(
        long,
        value_name = "FILE",
        requires = "judge",
        help_heading = "Making decisions",
        hide_long_help = true
    )]
    pub(super) make: Option<PathBuf>,
    /// Engine that judges the decisions; may be repeated.
    ///
    /// A judge is named like a player.
    #[arg(
        long,
        value_name = "JUDGE",
        requires = "make",
        help_heading = "Making decisions",
        hide_long_help = true
    )]
    judge: Vec<PlayerSpec>,
    /// Take decisions as they occur, easy ones included.
    ///
    /// Otherwise close decisions are taken, evenly by class, from games that sometimes leave the
    /// best play.
    #[arg(long, requires = "make", help_heading = "Making decisions", hide_long_help = true)]
    natural: bool,
    /// Begin the games at positions that self-play hardly reaches.
    ///
    /// Bearoffs with contact, several checkers caught after some were off, closed boards and deep
    /// back games, each drawn at random.
    #[arg(long, requires = "make", help_heading = "Making decisions", hide_long_help = true)]
    drawn_starts: bool,
    /// Number of decisions; every second one is held out.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3000,
        requires = "make",
        help_heading = "Making decisions",
        hide_long_help = true
    )]
    number: usize,
}

/// Collects decisions into the file `path`.
pub(super) fn make(args: &Args, path: &Path) -> anyhow::Result<()> {
    let making = &args.making;
    if making.number == 0 {
        return Err(usage("--number must be at least 1"));
    }
    let [player_spec] = args.players.as_slice() else {
        let count = args.players.len();
        return Err(usage(format!("--make plays one player against itself: name 1, not {count}")));
    };
    let seed = args.seed();
    let player = open(player_spec, true)?;
    let judges =
        making.judge.iter().map(|judge| open(judge, true)).collect::<anyhow::Result<Vec<_>>>()?;
    let shallow = Engine::builder()
        .evaluator(Arc::clone(&player))
        .plies(Plies::TWO)
        .search_settings(SearchSettings::FULL)
        .build()?
        .evaluator();
    let sampling = match making.natural {
        true => SamplingConfig::natural(making.number, seed),
        false => SamplingConfig::new(making.number, seed),
    };
    let sampling = SamplingConfig { drawn: making.drawn_starts, ..sampling };
    let config = ReferenceConfig::default();
    let number = making.number as u64;
    let found = show_progress("decisions found", number, &interruptible(), |progress| {
        sampled(player.as_ref(), &sampling, progress)
    });
    let Some(found) = found else { anyhow::bail!(NOTHING_WRITTEN) };
    let machines = args.nats.connect()?;
    let progress = machines.of(interruptible());
    let decisions = show_progress("decisions judged", found.len() as u64, &progress, |progress| {
        with_references(&found, shallow.as_ref(), &judges, &config, progress)
    });
    machines.check()?;
    machines.end();
    std::iter::once(&player).chain(&judges).try_for_each(|engine| check(engine.failure()))?;
    let Some(decisions) = decisions else { anyhow::bail!(NOTHING_WRITTEN) };
    let command = format!(
        "nonet benchmark {} --make {}{}{} --number {} --seed {seed} {}",
        in_word(player_spec),
        shell_word(path),
        if making.natural { " --natural" } else { "" },
        if making.drawn_starts { " --drawn-starts" } else { "" },
        making.number,
        making
            .judge
            .iter()
            .map(|judge| format!("--judge {}", in_word(judge)))
            .collect::<Vec<_>>()
            .join(" ")
    );
    let judge_names = making.judge.iter().map(PlayerSpec::to_string).collect();
    let set = DecisionSet::new(command, &sampling, &config, judge_names, decisions);
    write_atomic(path, set.to_text().as_bytes())?;
    let decisions = counted(set.decisions.len(), "decision");
    writeln!(std::io::stdout(), "{decisions} in {}", path.display())?;
    Ok(())
}
