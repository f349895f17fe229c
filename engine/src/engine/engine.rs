//! Answers every question of a front end: one search for the plays, one model for the cube.

use std::sync::Arc;

use rayon::ThreadPool;

use super::builder::thread_pool;
use super::player::EnginePlayer;
use super::{CubeContext, EngineBuilder, EngineError, EvaluationSource};
use crate::backgammon::Position;
use crate::bearoff::{BearoffDatabases, BearoffEvaluator};
use crate::class::Class;
use crate::cube::MatchEquityTable;
use crate::eval::{Evaluator, PlayingTeam, Specialists};
use crate::game::{LuckEstimator, Player, SeenRoll};
use crate::progress::Progress;
use crate::rollout::{Roller, RolloutConfig, RolloutLine, RolloutSums, rollout_together};
use crate::search::{Cache, CacheUse, Plies, RollLuck, Search, SearchSettings};

/// Evaluates positions and plays at a search depth, and cube decisions at one of their own. A clone
/// is cheap and shares the nets, databases, cache and threads.
///
/// A search of 3 plies or more runs on the engine's own thread pool if it has one, else on that of
/// the caller. Answers do not depend on the number of threads.
///
/// ```
/// use nonet_engine::{Engine, GameState, Plies};
///
/// let engine = Engine::champion().with_plies(Plies::ONE);
/// // Position ID, GNU ID or XGID; this one has a roll of 3 and 1.
/// let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?;
/// let plays = engine.moves(&state)?;
/// assert_eq!(plays[0].play().to_string(), "8/5 6/5");
/// assert!(plays[0].equity > plays[1].equity);
/// assert_eq!(engine.best_move(&state)?, plays[0]);
/// println!("{}", plays[0]); // 8/5 6/5 +0.235
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    pub(super) parts: Parts,
    /// `parts.evaluator` behind the bearoff databases.
    pub(super) evaluator: Arc<dyn Evaluator>,
    pub(super) search: Search<Arc<dyn Evaluator>>,
    /// For cube decisions.
    pub(super) cube_search: Search<Arc<dyn Evaluator>>,
}

/// The parts of an engine.
#[derive(Clone)]
pub(super) struct Parts {
    /// The net, unless the evaluator is something else.
    pub(super) net: Option<Arc<PlayingTeam>>,
    /// The net or another evaluator, without the bearoff databases.
    pub(super) evaluator: Arc<dyn Evaluator>,
    pub(super) bearoff: Option<Arc<BearoffDatabases>>,
    pub(super) met: Arc<MatchEquityTable>,
    pub(super) pool: Option<Arc<ThreadPool>>,
    pub(super) plies: Plies,
    pub(super) cube_plies: Plies,
    /// Decides what a search leaves close.
    pub(super) roller: Option<Roller>,
    pub(super) settings: SearchSettings,
    pub(super) cache: usize,
}

impl Engine {
    /// How many evaluations a search at 3 plies or more caches: some 6 MB.
    pub const CACHE_ENTRIES: usize = 1 << 16;

    /// If a double loses more than this at 1-ply, in points on a cube at 1, [`Engine::doubles`]
    /// does not look deeper. It is several times the difference between cube decisions at 1 and 3
    /// plies. `tests/library/series.rs` compares games with and without this shortcut.
    pub const CLEAR_NO_DOUBLE: f32 = 0.3;

    /// The built-in net at the usual depths, on the threads of its caller. It needs no file.
    ///
    /// It has no bearoff databases: [`Engine::builder`] gives them. Each call reads the net anew, and
    /// a clone is cheap.
    ///
    /// # Panics
    /// Never: the net is a part of the program.
    #[must_use]
    #[allow(clippy::expect_used, reason = "neither a file nor threads are asked for")]
    pub fn champion() -> Engine {
        Engine::builder().build().expect("the built-in net needs no file and no threads")
    }

    /// Assembles an engine, part by part.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    pub(super) fn from_parts(parts: Parts) -> Engine {
        let evaluator = match &parts.bearoff {
            Some(databases) => {
                Arc::new(BearoffEvaluator::new(Arc::clone(&parts.evaluator), Arc::clone(databases)))
            }
            None => Arc::clone(&parts.evaluator),
        };
        let search = Search::new(Arc::clone(&evaluator), parts.plies, parts.settings);
        let cube_search = Search::new(Arc::clone(&evaluator), parts.cube_plies, parts.settings);
        let search = if parts.plies > Plies::TWO && parts.cache > 0 {
            search.cached(Arc::new(Cache::new(parts.cache)))
        } else {
            search
        };
        Engine { parts, evaluator, search, cube_search }
    }

    /// The same engine with plays searched at another depth, without rollouts; the search depth of
    /// cube decisions stays.
    #[must_use]
    pub fn with_plies(&self, plies: Plies) -> Engine {
        Engine::from_parts(Parts { plies, roller: None, ..self.parts.clone() })
    }

    /// The same engine with cube decisions searched at another depth.
    #[must_use]
    pub fn with_cube_plies(&self, cube_plies: Plies) -> Engine {
        Engine::from_parts(Parts { cube_plies, ..self.parts.clone() })
    }

    /// The same engine with other settings of its searches.
    ///
    /// # Panics
    /// Not here, but in searches at 2 plies or more, if [`SearchSettings::max_replies`] is 0.
    #[must_use]
    pub fn with_search_settings(&self, settings: SearchSettings) -> Engine {
        Engine::from_parts(Parts { settings, ..self.parts.clone() })
    }

    /// The same engine with another net, of which it plays with a quantized copy.
    #[must_use]
    pub fn with_net(&self, net: impl Into<Arc<Specialists>>) -> Engine {
        let net = Arc::new(PlayingTeam::new(net.into()));
        let evaluator = Arc::clone(&net) as Arc<dyn Evaluator>;
        Engine::from_parts(Parts { net: Some(net), evaluator, ..self.parts.clone() })
    }

    /// The same engine on a pool of `threads` threads, 0 for as many as the machine has.
    ///
    /// # Errors
    /// [`EngineError::Threads`] if the threads cannot be started.
    pub fn with_threads(&self, threads: usize) -> Result<Engine, EngineError> {
        let mut engine = self.clone();
        engine.parts.pool = thread_pool(threads)?;
        Ok(engine)
    }

    /// The same engine without threads of its own: it searches on the thread that asks, or on that
    /// thread's pool.
    #[must_use]
    pub fn on_the_callers_thread(&self) -> Engine {
        Engine::from_parts(Parts { pool: None, ..self.parts.clone() })
    }

    /// The team of nets that evaluates positions; `None` if another evaluator does.
    #[must_use]
    pub fn team(&self) -> Option<&Arc<Specialists>> {
        self.parts.net.as_deref().map(PlayingTeam::specialists)
    }

    /// The depth of searches for plays and evaluations.
    #[must_use]
    pub const fn plies(&self) -> Plies {
        self.search.plies()
    }

    /// The search depth of cube decisions.
    #[must_use]
    pub const fn cube_plies(&self) -> Plies {
        self.cube_search.plies()
    }

    /// The width of its searches.
    #[must_use]
    pub const fn search_settings(&self) -> SearchSettings {
        self.parts.settings
    }

    /// How many threads the engine searches with.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.install(rayon::current_num_threads)
    }

    /// How the cache of its searches was used so far, by this engine and its clones; nothing at 1-
    /// and 2-ply, which need none.
    #[must_use]
    pub fn cache_use(&self) -> CacheUse {
        self.search.cache_use()
    }

    /// Runs `work` on the engine's threads, for callers that ask many questions at once.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.parts.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// A line of a rollout: a position before the roll, cubeful with a context and else cubeless.
    /// The player on roll does not double in this turn.
    #[must_use]
    pub fn rollout_line(position: &Position, context: Option<&CubeContext>) -> RolloutLine {
        RolloutLine::new(*position, context.map(|context| (context.scoring.clone(), context.cube)))
    }

    /// A line of a rollout from the position after a play. `theirs` is the context of the opponent,
    /// who is on roll and may double first.
    #[must_use]
    pub fn line_after_play(after: &Position, theirs: Option<&CubeContext>) -> RolloutLine {
        let cube = theirs.map(|context| (context.scoring.clone(), context.cube));
        RolloutLine::after_play(*after, cube)
    }

    /// Rolls several lines out with the same dice, until `enough` says so or the number of games is
    /// reached. See [`rollout_together`].
    pub fn rollout_together(
        &self,
        lines: &[RolloutLine],
        config: &RolloutConfig,
        sums: &mut [RolloutSums],
        enough: &mut (dyn FnMut(&[RolloutSums]) -> bool + Send),
        progress: &Progress,
    ) {
        self.install(|| {
            rollout_together(&self.evaluator, lines, config, sums, enough, progress);
        });
    }

    /// The bearoff databases, if it has any.
    #[must_use]
    pub fn bearoff(&self) -> Option<&BearoffDatabases> {
        self.parts.bearoff.as_deref()
    }

    /// The source of a static evaluation.
    #[must_use]
    pub fn source_of(&self, position: &Position) -> EvaluationSource<'_> {
        if position.outcome().is_some() {
            return EvaluationSource::GameOver;
        }
        let class = Class::of(position);
        let bearoff = self.parts.bearoff.as_ref();
        if bearoff.is_some_and(|databases| databases.evaluation(position).is_some()) {
            return EvaluationSource::Bearoff(class);
        }
        match &self.parts.net {
            Some(net) => EvaluationSource::Net(class, &net.nets()[net.net_of(class)].name),
            None => EvaluationSource::Evaluator(class),
        }
    }

    /// The static evaluator, which a search at 1-ply uses: the net behind the bearoff databases.
    #[must_use]
    pub const fn static_evaluator(&self) -> &Arc<dyn Evaluator> {
        &self.evaluator
    }

    /// The luck of the player who rolled, by static evaluations of all results of each roll.
    #[must_use]
    pub fn luck(&self, roll: &SeenRoll<'_>) -> f64 {
        RollLuck::new(self.search.clone()).of_all_results().luck(roll)
    }

    /// The engine as an evaluator at its depth, for match series and benchmarks. It runs on the
    /// threads of the caller.
    #[must_use]
    pub fn evaluator(&self) -> Arc<dyn Evaluator> {
        match self.plies() {
            Plies::ONE => Arc::clone(&self.evaluator),
            _ => Arc::new(self.search.clone()),
        }
    }

    /// The engine as a player, for match series. It plays for the score and the cube where there
    /// are any, else by cubeless equity, and runs on the threads of the caller.
    #[must_use]
    pub fn player(&self) -> Arc<dyn Player> {
        let mut engine = self.clone();
        engine.parts.pool = None;
        Arc::new(EnginePlayer(engine))
    }
}
