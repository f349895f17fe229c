//! Experiments on a practice server: who plays there, and the nets that the players and the
//! learners start with.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::plan::ExperimentSettings;
use super::spec::{Experiment, ExperimentError};
use super::store::ExperimentStore;
use nonet_engine::progress::Progress;
use nonet_engine::store::{NetFile, write_net};
use nonet_training::train::{
    Observer, OpenedRun, PlayerSpec, RunOutcome, TrainCheckpoint, TrainPlan, TrainSpec, Trainer,
};

/// A practice server and the players on it. The learners of an experiment have one each.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSpec {
    /// Players with the nets of one run of self-play after these numbers of games; 0 for random
    /// weights. A variant can start with one of them: `from = "self-play 300"`.
    pub self_play: Vec<u64>,
    /// The options of that run, as in its `config.toml`.
    pub(super) training: toml::Table,
    /// Other players: net files, or `champion`.
    pub players: Vec<PlayerSpec>,
    /// Matches between every two players before, from which their ratings follow.
    pub rating_games: u64,
    /// Matches of a learner against each of them, from which the rating follows that it begins
    /// with.
    pub learner_games: u64,
    /// Matches of a learner on the server before the first one that it learns from.
    pub before: u64,
}

/// The name of the games on the server among the records of a variant.
pub(super) const SERVER: &str = "server";

/// How a variant names a net of the run of self-play as its start, before the number of games.
const SELF_PLAY: &str = "self-play ";

/// The number of games of self-play in `from`, if it names such a net.
pub(super) fn self_play_games(from: &str) -> Option<u64> {
    from.strip_prefix(SELF_PLAY)?.parse().ok()
}

/// The name of the file of such a net.
pub(super) fn self_play_net(games: u64) -> String {
    format!("self-play-{games}.nonet")
}

/// Keeps the nets of a run after some numbers of games.
struct Keeper<'a> {
    games: &'a [u64],
    file: &'a dyn Fn(u64) -> PathBuf,
}

impl Keeper<'_> {
    fn keep(&self, games: u64, net: &NetFile) -> Result<(), nonet_engine::store::StoreError> {
        if self.games.contains(&games) { write_net(&(self.file)(games), net) } else { Ok(()) }
    }
}

impl Observer for Keeper<'_> {
    fn save(
        &mut self,
        checkpoint: &TrainCheckpoint,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Ok(self.keep(checkpoint.progress.games, &checkpoint.team)?)
    }
}

impl Experiment {
    /// Makes the nets of the run of self-play that `store` does not hold; `None` if it was stopped.
    pub(super) fn make_pool(
        &self,
        settings: &ExperimentSettings,
        store: &ExperimentStore,
        progress: &Progress,
    ) -> Result<Option<()>, ExperimentError> {
        let Some(server) = &self.server else { return Ok(Some(())) };
        let file = |games| store.file(&self_play_net(games));
        if server.self_play.iter().all(|games| file(*games).is_file()) {
            return Ok(Some(()));
        }
        let plan = self.self_play_plan(server, settings)?;
        let OpenedRun { participants, mut source, .. } = plan.open()?;
        let mut trainer = Trainer::new(plan, participants);
        let mut keeper = Keeper { games: &server.self_play, file: &file };
        keeper.keep(0, &trainer.checkpoint().team)?;
        let outcome = trainer.run(source.as_mut(), &mut keeper, &progress.part())?;
        Ok((outcome == RunOutcome::Finished).then_some(()))
    }

    fn self_play_plan(
        &self,
        server: &ServerSpec,
        settings: &ExperimentSettings,
    ) -> Result<TrainPlan, ExperimentError> {
        let wrong = |reason: String| ExperimentError::Data { name: self.name.clone(), reason };
        let spec: TrainSpec = server
            .training
            .clone()
            .try_into()
            .map_err(|error: toml::de::Error| wrong(error.message().to_owned()))?;
        let games = server.self_play.iter().copied().max().unwrap_or(0).max(1);
        let spec = TrainSpec {
            games,
            eval_every: games,
            eval_at: server.self_play.iter().copied().filter(|at| *at > 0).collect(),
            // Its nets are kept at its tests; the results of the tests are not used.
            eval_games: 4,
            ema: 0,
            seed: settings.seed,
            against: settings.expert.clone().into(),
            ..spec
        };
        spec.plan().map_err(|cause| ExperimentError::Config {
            name: self.name.clone(),
            variant: SELF_PLAY.trim_end().to_owned(),
            cause,
        })
    }

    /// The players of the server with their names, as files or as on the command line.
    pub(super) fn pool(&self, store: &ExperimentStore) -> Vec<(String, PlayerSpec)> {
        let Some(server) = &self.server else { return Vec::new() };
        let net = |path: &Path| PlayerSpec::Net { path: path.display().to_string(), depth: None };
        let learned = server
            .self_play
            .iter()
            .map(|games| (format!("selfplay{games}"), net(&store.file(&self_play_net(*games)))));
        let others = server.players.iter().enumerate();
        let others = others.map(|(place, player)| (format!("player{place}"), player.clone()));
        learned.chain(others).collect()
    }
}
