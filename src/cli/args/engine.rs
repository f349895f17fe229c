//! The options that describe an engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use nonet::cube::MatchEquityTable;
use nonet::engine::{Depth, Engine};
use nonet::open::{CHAMPION, is_built_in, net_bytes};
use nonet::search::{Plies, SearchSettings};
use nonet::store::file_checksum;

use crate::cli::args::databases::databases;
use crate::cli::args::player::open_net;
use crate::cli::args::threads::pool;
use crate::cli::error::usage;
use crate::cli::output::shell_word::shell_word;
use nonet::engine::two_sided_file;

/// The parts of an engine that a command may choose.
#[derive(clap::Args)]
pub(crate) struct EngineArgs {
    /// Net that evaluates positions: a name, a file or a run.
    ///
    /// The names are champion, expert, small and swift. A run is the folder of a
    /// training run: its best net.
    #[arg(long, value_name = "NET", default_value = CHAMPION, help_heading = "Engine")]
    pub(crate) net: String,
    /// Match equity table as XML [default: Kazaross XG2]
    ///
    /// The format is that of GNU Backgammon. Kazaross XG2 is compiled in.
    #[arg(long, value_name = "FILE.xml", help_heading = "Engine")]
    met: Option<PathBuf>,
    /// Do not use the bearoff databases.
    #[arg(long, alias = "no-endings", help_heading = "Engine")]
    no_bearoff: bool,
    /// Number of threads [default: one per processor]
    ///
    /// Answers do not depend on it.
    #[arg(long, value_name = "N", help_heading = "Engine")]
    pub(crate) threads: Option<usize>,
}

/// The depth of play, of commands that play or analyse.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct PlayDepthArgs {
    /// Search depth in plies, 1 (static) to 4.
    ///
    /// GNU Backgammon counts from 0: its 2-ply is nonet's 3-ply.
    #[arg(
        long,
        value_name = "N",
        default_value = Engine::PLAY_PLIES.digit(),
        help_heading = "Engine"
    )]
    pub(crate) ply: Plies,
}

impl PlayDepthArgs {
    /// The option as it is written on the command line; empty for the default.
    pub(crate) fn words(self) -> String {
        match self.ply == Engine::PLAY_PLIES {
            true => String::new(),
            false => format!(" --ply {}", self.ply.digit()),
        }
    }
}

/// The depth of analysis, of commands that may take seconds for a decision.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct AnalysisDepthArgs {
    /// Depth: 1 (static) to 4 plies, or roller, a short rollout.
    ///
    /// GNU Backgammon counts from 0: its 2-ply is nonet's 3-ply. A rollout decides where a 3-ply
    /// search leaves a play or a double close. On one thread a play takes 0.13 s on average.
    #[arg(
        long,
        value_name = "DEPTH",
        default_value = Engine::PLAY_PLIES.digit(),
        help_heading = "Engine"
    )]
    pub(crate) ply: Depth,
}

impl AnalysisDepthArgs {
    /// Whether it is the default.
    pub(crate) fn is_usual(self) -> bool {
        self.ply == Depth::from(Engine::PLAY_PLIES)
    }
}

/// The depth of cube decisions, of commands that play or analyse.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct CubeDepthArgs {
    /// Search depth of cube decisions in plies, 1 to 4.
    ///
    /// It does not depend on the depth of play. At 3 plies a decision takes milliseconds; use 1 for
    /// thousands of matches.
    #[arg(
        long,
        value_name = "N",
        default_value = Engine::CUBE_PLIES.digit(),
        help_heading = "Engine"
    )]
    pub(crate) cube_ply: Plies,
}

impl CubeDepthArgs {
    /// The option as it is written on the command line; empty for the default.
    pub(crate) fn words(self) -> String {
        match self.cube_ply == Engine::CUBE_PLIES {
            true => String::new(),
            false => format!(" --cube-ply {}", self.cube_ply.digit()),
        }
    }
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
        let net = net_bytes(net).map_or(0, |bytes| file_checksum(&bytes));
        format!("net {net:08x}, {table}, {bearoff}")
    }

    /// The options of the engine as they are written on the command line.
    pub(crate) fn engine_words(&self) -> String {
        self.engine.words()
    }

    pub(crate) fn open(
        &self,
        depth: impl Into<Depth>,
        settings: SearchSettings,
    ) -> anyhow::Result<Engine> {
        self.engine.open(depth, settings)
    }
}

impl EngineArgs {
    /// The options that change answers, as they are written on the command line; defaults are left
    /// out.
    pub(crate) fn words(&self) -> String {
        let mut words = String::new();
        if !is_built_in(&self.net) {
            words += &format!(" --net {}", shell_word(Path::new(&self.net)));
        }
        if let Some(path) = &self.met {
            words += &format!(" --met {}", shell_word(path));
        }
        words + if self.no_bearoff { " --no-bearoff" } else { "" }
    }

    pub(crate) fn open(
        &self,
        depth: impl Into<Depth>,
        settings: SearchSettings,
    ) -> anyhow::Result<Engine> {
        let pool = Arc::new(pool(self.threads)?);
        let mut builder = Engine::builder()
            .net(open_net(&self.net)?.team)
            .search_settings(settings)
            .thread_pool(Arc::clone(&pool));
        if let Some(path) = &self.met {
            builder = builder.match_equity_table(read_table(path)?);
        }
        if !self.no_bearoff {
            builder = builder.bearoff(pool.install(databases)?);
        }
        Ok(builder.build()?.with_depth(depth.into()))
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
