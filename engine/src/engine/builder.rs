//! Assembles an engine from its parts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::engine::{Engine, Parts};
use super::{EngineError, built_in_net};
use crate::bearoff::BearoffDatabases;
use crate::cube::MatchEquityTable;
use crate::eval::{Evaluator, PlayingTeam, RulesFirst, Specialists};
use crate::search::{Plies, SearchSettings};
use crate::store::read_net;

/// Assembles an [`Engine`]. The default is the built-in net at [`Engine::PLAY_PLIES`], with cube
/// decisions at [`Engine::CUBE_PLIES`]. It has no bearoff databases, the Kazaross XG2 match equity
/// table, and the thread pool of the caller.
///
/// ```
/// use nonet_engine::{Engine, Plies};
///
/// let engine = Engine::builder().plies(Plies::TWO).threads(1).build()?;
/// assert_eq!((engine.plies(), engine.threads()), (Plies::TWO, 1));
/// # Ok::<(), nonet_engine::EngineError>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct EngineBuilder {
    source: Source,
    plies: Plies,
    cube_plies: Plies,
    /// `None`: the default of the source.
    settings: Option<SearchSettings>,
    cache: usize,
    bearoff: Option<Arc<BearoffDatabases>>,
    met: Option<Arc<MatchEquityTable>>,
    threads: Threads,
}

/// Where evaluations come from.
#[derive(Clone)]
enum Source {
    BuiltIn,
    File(PathBuf),
    Net(Arc<Specialists>),
    Evaluator(Arc<dyn Evaluator>),
}

/// Which threads a search runs on.
#[derive(Clone)]
enum Threads {
    OfCaller,
    Own(usize),
    Pool(Arc<ThreadPool>),
}

impl Default for EngineBuilder {
    fn default() -> EngineBuilder {
        EngineBuilder {
            source: Source::BuiltIn,
            plies: Engine::PLAY_PLIES,
            cube_plies: Engine::CUBE_PLIES,
            settings: None,
            cache: Engine::CACHE_ENTRIES,
            bearoff: None,
            met: None,
            threads: Threads::OfCaller,
        }
    }
}

impl EngineBuilder {
    /// Evaluates with this net; the engine plays with a quantized copy of it.
    pub fn net(mut self, net: impl Into<Arc<Specialists>>) -> EngineBuilder {
        self.source = Source::Net(net.into());
        self
    }

    /// Evaluates with the net of this file, which [`EngineBuilder::build`] reads.
    pub fn net_file(mut self, path: impl AsRef<Path>) -> EngineBuilder {
        self.source = Source::File(path.as_ref().to_owned());
        self
    }

    /// Evaluates with any other evaluator instead of a net. It is never asked for a finished game.
    ///
    /// Its searches are plain expectimax: unless [`EngineBuilder::search_settings`] is called,
    /// every play and every reply is searched ([`SearchSettings::FULL`]).
    /// [`SearchSettings::NORMAL`] is several times as fast. It searches up to eight plays, and five
    /// replies to a roll. Of equal plays the first in the order of the rules is searched. Nets
    /// fitted to the built-in net choose the replies.
    ///
    /// ```
    /// use nonet_engine::{Engine, Evaluation, Evaluator, GameState, Plies, Position};
    ///
    /// struct Pips;
    ///
    /// impl Evaluator for Pips {
    ///     fn evaluate(&self, position: &Position) -> Evaluation {
    ///         let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
    ///         Evaluation::of_win_chance(1.0 / (1.0 + (-lead / 20.0).exp()))
    ///     }
    /// }
    ///
    /// let engine = Engine::builder().evaluator(Pips).plies(Plies::TWO).build()?;
    /// let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?;
    /// println!("{}", engine.best_move(&state)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluator(mut self, evaluator: impl Evaluator + 'static) -> EngineBuilder {
        self.source = Source::Evaluator(if evaluator.applies_rules() {
            Arc::new(evaluator)
        } else {
            Arc::new(RulesFirst(evaluator))
        });
        self
    }

    /// The search depth; [`Engine::PLAY_PLIES`] if this is not called.
    pub const fn plies(mut self, plies: Plies) -> EngineBuilder {
        self.plies = plies;
        self
    }

    /// The search depth of cube decisions, [`Engine::CUBE_PLIES`] if this is not called. A caller
    /// with thousands of decisions to make can lower it.
    pub const fn cube_plies(mut self, cube_plies: Plies) -> EngineBuilder {
        self.cube_plies = cube_plies;
        self
    }

    /// Which plays are searched deeper, and how many replies are evaluated. If this is not called:
    /// [`SearchSettings::NORMAL`] with a net, [`SearchSettings::FULL`] with another evaluator.
    pub const fn search_settings(mut self, settings: SearchSettings) -> EngineBuilder {
        self.settings = Some(settings);
        self
    }

    /// How many evaluations a search at 3 plies or more caches, [`Engine::CACHE_ENTRIES`] if this
    /// is not called; 0 caches none. Answers do not depend on it.
    pub const fn cache(mut self, entries: usize) -> EngineBuilder {
        self.cache = entries;
        self
    }

    /// Looks bearoff positions up in these databases, as [`cached_bearoff`](super::cached_bearoff)
    /// gives them.
    pub fn bearoff(mut self, databases: Arc<BearoffDatabases>) -> EngineBuilder {
        self.bearoff = Some(databases);
        self
    }

    /// The match equity table.
    pub fn match_equity_table(mut self, table: Arc<MatchEquityTable>) -> EngineBuilder {
        self.met = Some(table);
        self
    }

    /// Gives the engine its own pool of `threads` threads; 0 means as many as the machine has.
    /// Answers do not depend on it.
    pub fn threads(mut self, threads: usize) -> EngineBuilder {
        self.threads = Threads::Own(threads);
        self
    }

    /// Searches on this pool.
    pub fn thread_pool(mut self, pool: Arc<ThreadPool>) -> EngineBuilder {
        self.threads = Threads::Pool(pool);
        self
    }

    /// The engine.
    ///
    /// # Errors
    /// [`EngineError::File`] if the net file cannot be read, [`EngineError::Threads`] if the
    /// threads cannot be started.
    pub fn build(self) -> Result<Engine, EngineError> {
        let pool = match self.threads {
            Threads::OfCaller => None,
            Threads::Own(threads) => thread_pool(threads)?,
            Threads::Pool(pool) => Some(pool),
        };
        let settings = self.settings.unwrap_or(match self.source {
            Source::Evaluator(_) => SearchSettings::FULL,
            _ => SearchSettings::NORMAL,
        });
        let playing = |net: Arc<Specialists>| Some(Arc::new(PlayingTeam::new(net)));
        let (net, evaluator) = match self.source {
            Source::BuiltIn => (playing(Arc::new(built_in_net().team)), None),
            Source::File(path) => (playing(Arc::new(read_net(&path)?.team)), None),
            Source::Net(net) => (playing(net), None),
            Source::Evaluator(evaluator) => (None, Some(evaluator)),
        };
        let evaluator = evaluator.or_else(|| net.clone().map(|net| net as Arc<dyn Evaluator>));
        #[allow(clippy::expect_used, reason = "each source gives one of the two")]
        let evaluator = evaluator.expect("a net or an evaluator");
        Ok(Engine::from_parts(Parts {
            net,
            evaluator,
            bearoff: self.bearoff,
            met: self.met.unwrap_or_else(MatchEquityTable::kazaross_xg2),
            pool,
            plies: self.plies,
            cube_plies: self.cube_plies,
            roller: None,
            settings,
            cache: self.cache,
        }))
    }
}

/// A pool of `threads` threads, 0 for as many as the machine has; `None` where there are no threads
/// but that of the caller.
pub(super) fn thread_pool(threads: usize) -> Result<Option<Arc<ThreadPool>>, EngineError> {
    if cfg!(target_family = "wasm") {
        return Ok(None);
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let failed = |error: rayon::ThreadPoolBuildError| EngineError::Threads {
        threads,
        reason: error.to_string(),
    };
    Ok(Some(Arc::new(pool.map_err(failed)?)))
}
