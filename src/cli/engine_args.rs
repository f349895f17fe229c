//! The options that describe an engine, and what commands print of its answers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use nonet::answer::OutcomeChances;
use nonet::backgammon::MatchState;
use nonet::cube::MatchEquityTable;
use nonet::engine::Engine;
use nonet::open::{BUILT_IN, net_bytes};
use nonet::search::{Plies, SearchSettings};

use super::bearoff::databases;
use super::player_args::open_net;
use super::{pool, usage};
use nonet::engine::two_sided_file;

/// The parts of an engine that a command may choose.
#[derive(clap::Args)]
pub(crate) struct EngineArgs {
    /// The net that evaluates positions: champion (or built-in), expert, small, swift, a net file, or the folder of a run (its
    /// best net).
    #[arg(long, value_name = "NET", default_value = BUILT_IN)]
    pub(crate) net: String,
    /// Match equity table in GNU Backgammon's XML format. [default: Kazaross XG2, compiled in]
    #[arg(long, value_name = "FILE.xml")]
    met: Option<PathBuf>,
    /// Do not use the bearoff databases.
    #[arg(long, alias = "no-endings")]
    no_bearoff: bool,
    /// Threads; answers do not depend on it. [default: one per processor]
    #[arg(long)]
    pub(crate) threads: Option<usize>,
}

/// The depth of play, of commands that play or analyse.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct PlayDepthArgs {
    /// Search depth in plies, 1 (static) to 4; gnubg's numbers are one less.
    #[arg(long, value_name = "N", default_value = Engine::PLAY_PLIES.digit())]
    pub(crate) ply: Plies,
}

/// The depth of cube decisions, of commands that play or analyse.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct CubeDepthArgs {
    /// Search depth of cube decisions in plies, 1 to 4, whatever the depth of play. At 3 a decision takes milliseconds; 1 is for
    /// thousands of matches.
    #[arg(long, value_name = "N", default_value = Engine::CUBE_PLIES.digit())]
    pub(crate) cube_ply: Plies,
}

/// The options of commands that answer questions about positions.
#[derive(clap::Args)]
pub(crate) struct QuestionArgs {
    #[command(flatten)]
    engine: EngineArgs,
    /// Print each answer as one line of JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

impl QuestionArgs {
    /// What an answer depends on, in one line.
    pub(crate) fn description(&self) -> String {
        let EngineArgs { net, met, no_bearoff, .. } = &self.engine;
        let table = met.as_ref().map_or("Kazaross XG2".into(), |path| path.to_string_lossy());
        let bearoff = match two_sided_file() {
            _ if *no_bearoff => "no bearoff databases".to_owned(),
            None => "bearoff databases".to_owned(),
            Some(path) => format!("bearoff databases with {}", path.display()),
        };
        // By the contents of the net file: another net may be written to the same path.
        let net = net_bytes(net).map_or(0, |bytes| crc32fast::hash(&bytes));
        format!("net {net:08x}, {table}, {bearoff}")
    }

    pub(crate) fn open(&self, plies: Plies, settings: SearchSettings) -> anyhow::Result<Engine> {
        self.engine.open(plies, settings)
    }
}

impl EngineArgs {
    pub(crate) fn open(&self, plies: Plies, settings: SearchSettings) -> anyhow::Result<Engine> {
        let pool = Arc::new(pool(self.threads)?);
        let mut builder = Engine::builder()
            .net(open_net(&self.net)?.team)
            .plies(plies)
            .search_settings(settings)
            .thread_pool(Arc::clone(&pool));
        if let Some(path) = &self.met {
            builder = builder.match_equity_table(read_table(path)?);
        }
        if !self.no_bearoff {
            builder = builder.bearoff(pool.install(databases)?);
        }
        Ok(builder.build()?)
    }
}

fn read_table(path: &Path) -> anyhow::Result<Arc<MatchEquityTable>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read {}", path.display()))
        .map_err(|error| usage(format!("{error:#}")))?;
    let table = MatchEquityTable::parse(&text);
    table.map(Arc::new).map_err(|error| usage(format!("{}: {error}", path.display())))
}

/// The roll of one or two words, as `31` or `3 1`.
pub(crate) fn dice_of(words: &[String]) -> Option<String> {
    (!words.is_empty()).then(|| words.concat())
}

/// The five customary numbers, cumulative, in per cent: wins, gammons and backgammons won, gammons and backgammons lost.
pub(crate) fn percent(chances: &OutcomeChances) -> String {
    let OutcomeChances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon } = chances;
    let [w, wg, wb, lg, lb] = [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon]
        .map(|chance| 100.0 * chance);
    format!("{w:5.1} {wg:5.1} {wb:5.1} - {:5.1} {lg:5.1} {lb:5.1}", 100.0 - w)
}

/// An answer as one line of JSON.
pub(crate) fn json_line(answer: &impl serde::Serialize) -> String {
    serde_json::to_string(answer).expect("answers have string keys and finite numbers") + "\n"
}

/// Cube and score in a line.
pub(crate) fn in_words(state: &MatchState) -> String {
    state.to_string()
}
