//! Opens what the simulations of an experiment need, and records the games that some learn from.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::plan::ExperimentSettings;
use super::run::Opened;
use super::server::{SERVER, ServerSpec};
use super::spec::{EXPERT, Experiment, ExperimentError, RecordSpec, scaled_games};
use super::store::ExperimentStore;
use nonet_bot::{RatedPool, ServerGames};
use nonet_engine::backgammon::record::CompactWriter;
use nonet_engine::engine::Engine;
use nonet_engine::game::record_games;
use nonet_engine::open::{self, NamedPlayer, PlayerSetup, PlayerSpec, SERIES_PLIES};
use nonet_engine::progress::Progress;
use nonet_engine::search::{Plies, SearchSettings};
use nonet_engine::store::{AtomicFile, StoreError};
use nonet_training::train::{OpenedRun, Source, TrainPlan, TrainSpec, starting_team};

/// Opens simulations.
pub(super) struct Opener<'a> {
    server: Option<&'a ServerSpec>,
    /// The players of the server with their names.
    players: Vec<(String, PlayerSpec)>,
    /// The same with their ratings, once a simulation needed them.
    pool: Mutex<Option<Arc<RatedPool>>>,
    progress: Progress,
}

/// Seed of the matches that the ratings of a pool follow from: the same for all simulations.
const POOL_SEED: u64 = 1;

impl<'a> Opener<'a> {
    /// Matches for ratings are played on this machine until `progress` is stopped.
    pub(super) fn new(
        experiment: &'a Experiment,
        store: &ExperimentStore,
        progress: &Progress,
    ) -> Opener<'a> {
        let (server, players) = (experiment.server.as_ref(), experiment.pool(store));
        Opener { server, players, pool: Mutex::default(), progress: progress.part().alone() }
    }

    /// Opens what a run needs, with a new practice server as the source of games if it asks for
    /// one.
    pub(super) fn open(&self, plan: &TrainPlan) -> Result<Opened, ExperimentError> {
        match self.server {
            Some(server) if plan.spec().records.iter().any(|name| name == SERVER) => {
                self.on_server(server, plan)
            }
            _ => {
                let OpenedRun { participants, source, .. } = plan.open()?;
                Ok(Opened { participants, source, ratings: None })
            }
        }
    }

    fn on_server(&self, server: &ServerSpec, plan: &TrainPlan) -> Result<Opened, ExperimentError> {
        let spec = plan.spec();
        // Its games come from the server; all the rest is that of a run by self-play.
        let without_games =
            TrainSpec { source: Source::SelfPlay, records: Vec::new(), ..spec.clone() };
        let without_games =
            without_games.plan().map_err(nonet_training::train::OpenRunError::from)?;
        let participants = without_games.open()?.participants;
        let pool = self.pool(server)?;
        let plies = spec.ply.unwrap_or_else(|| spec.method.plies());
        let start = starting_team(plan, &participants);
        let engine = Engine::builder()
            .evaluator(start)
            .plies(plies)
            .search_settings(SearchSettings::NORMAL)
            .build()?;
        let rating = pool.rating_of(&engine, server.learner_games, POOL_SEED, &self.progress);
        let rating = rating.ok_or(ExperimentError::Stopped)?;
        let source = ServerGames::open(&pool, plies, rating, server.before, spec.seed)?;
        let ratings = Some(source.ratings());
        Ok(Opened { participants, source: Box::new(source), ratings })
    }

    /// Rates the server's players before the parallel work.
    ///
    /// Within the parallel work, a thread that waits for their matches could take another
    /// simulation. It would then wait for its own lock.
    pub(super) fn prepare(&self, plan: &TrainPlan) -> Result<(), ExperimentError> {
        match self.server {
            Some(server) if plan.spec().records.iter().any(|name| name == SERVER) => {
                self.pool(server).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// The players of the server at 1-ply, with the ratings that follow from matches between them.
    fn pool(&self, server: &ServerSpec) -> Result<Arc<RatedPool>, ExperimentError> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = pool.as_ref() {
            return Ok(Arc::clone(pool));
        }
        let open = |(name, player): &(String, PlayerSpec)| -> Result<_, ExperimentError> {
            let evaluator = open::expert(player, false)?.evaluator;
            Ok((
                name.clone(),
                Engine::builder()
                    .evaluator(evaluator)
                    .plies(Plies::ONE)
                    .search_settings(SearchSettings::NORMAL)
                    .build()?,
            ))
        };
        let players = self.players.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let rated = RatedPool::of(players, server.rating_games, POOL_SEED, &self.progress);
        Ok(Arc::clone(pool.insert(Arc::new(rated.ok_or(ExperimentError::Stopped)?))))
    }
}

/// Games of a batch, which is played in parallel and then written in order.
const ROUND: u64 = 512;

impl Experiment {
    /// Records the cubeless games that its variants learn from, if `store` does not hold them;
    /// `None` if `progress` was stopped before the last one, and then there is no file.
    pub(super) fn make_records(
        &self,
        settings: &ExperimentSettings,
        store: &ExperimentStore,
        progress: &Progress,
    ) -> Result<Option<()>, ExperimentError> {
        let path = store.records();
        let Some(RecordSpec { player, games }) = self.record.as_ref().filter(|_| !path.is_file())
        else {
            return Ok(Some(()));
        };
        let player = match player.as_str() {
            EXPERT => settings.expert.clone(),
            player => player.parse()?,
        };
        let player = open::player(&player, &PlayerSetup::cubeless(SERIES_PLIES))?;
        let games = scaled_games(*games, settings.scale);
        record(&player, games, settings.seed, &path, progress)
    }
}

fn record(
    player: &NamedPlayer,
    games: u64,
    seed: u64,
    path: &Path,
    progress: &Progress,
) -> Result<Option<()>, ExperimentError> {
    let failed = |error| ExperimentError::from(StoreError::io("write", path)(error));
    let mut writer = CompactWriter::new(AtomicFile::create(path)?).map_err(failed)?;
    let header = NamedPlayer::header([player, player]);
    let seats = [player.player.as_ref(), player.player.as_ref()];
    let mut done = 0;
    while done < games {
        let round = done..games.min(done + ROUND);
        done = round.end;
        let Some(games) = record_games(seats, &header, seed, round, progress) else {
            return Ok(None);
        };
        player.check()?;
        for game in games.iter().flatten() {
            writer.write(game).map_err(failed)?;
        }
    }
    writer.into_inner().commit()?;
    Ok(Some(()))
}
