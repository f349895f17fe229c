//! Opens what the simulations of an experiment need, and records the games that some learn from.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;

use super::plan::ExperimentSettings;
use super::run::Opened;
use super::server::{SERVER, ServerSpec};
use super::spec::{EXPERT, Experiment, ExperimentError, RecordSpec, RetestSpec, scaled_games};
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

/// The parts of a definition that results depend on and that the options of their runs do not tell.
#[derive(Deserialize)]
struct SharedParts {
    record: Option<RecordSpec>,
    server: Option<ServerSpec>,
    retest: Option<RetestSpec>,
}

/// Which of these parts differs between the text of an earlier definition and this one, if any.
pub(super) fn changed_part(before: &str, now: &Experiment) -> Option<&'static str> {
    // The other parts are not read: this program need not know all of them.
    let Ok(before) = toml::from_str::<SharedParts>(before) else { return Some("format") };
    let parts = [
        ("[record]", before.record == now.record),
        ("[server]", before.server == now.server),
        ("[retest]", before.retest == now.retest),
    ];
    parts.into_iter().find_map(|(part, is_same)| (!is_same).then_some(part))
}

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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::run::RunResult;
    use nonet_engine::engine::built_in_net;
    use nonet_training::train::TestResult;

    const RETESTED: &str = r#"
name = "again"
title = "Again"
paper = "None"
claim = "None."
games = 20
test_games = 40
repeats = 2
retest = { matches = 2, games = 50 }
[base]
preset = "small"
[[variant]]
name = "one"
"#;

    fn settings() -> ExperimentSettings {
        let expert = "pubeval".parse().expect("a player");
        ExperimentSettings { scale: 1.0, seed: 1, expert, program: "nonet".to_owned() }
    }

    fn open(folder: &Path, text: &str) -> Result<ExperimentStore, ExperimentError> {
        ExperimentStore::open(folder, &Experiment::read(text)?, text, &settings())
    }

    fn plan(text: &str) -> TrainPlan {
        let experiment = Experiment::read(text).expect("readable");
        experiment.plan(&experiment.variants[0], 0, &settings(), "r").expect("a plan")
    }

    /// A simulation with this many new matches of its best net.
    fn run_with(matches: usize) -> RunResult {
        let result = TestResult { ppg: 0.0, stderr: 0.1, wins: 0.5, points: 0.5 };
        RunResult {
            options: Some(plan(RETESTED).spec().clone()),
            command: plan(RETESTED).spec().to_command_line(),
            retest: vec![result; matches],
            ..RunResult::of_tests(Vec::new())
        }
    }

    fn refusal(folder: &Path, text: &str) -> String {
        open(folder, text).expect_err("another definition").to_string()
    }

    #[test]
    fn results_are_those_of_one_definition_which_may_have_more_simulations() {
        let folder = tempfile::tempdir().expect("a folder");
        let other = RETESTED.replace("matches = 2", "matches = 4");
        open(folder.path(), &other).expect("a new folder");
        let store = open(folder.path(), RETESTED).expect("there are no results");
        store.save_run(&run_with(2), &built_in_net()).expect("saved");
        let longer = RETESTED.replace("repeats = 2", "repeats = 3");
        let store = open(folder.path(), &longer).expect("the same with more simulations");
        assert_eq!(store.saved_run(&plan(RETESTED), 0, 0), Some(run_with(2)));
        let record = "[record]\ngames = 40\nplayer = \"expert\"\n[base]";
        for (changed, part) in [
            (other, "[retest]"),
            (RETESTED.replace("games = 50", "games = 60"), "[retest]"),
            (RETESTED.replace("retest = { matches = 2, games = 50 }", ""), "[retest]"),
            (RETESTED.replace("[base]", record), "[record]"),
        ] {
            let error = refusal(folder.path(), &changed);
            let wanted = format!("holds results of a definition with another {part}, not of this");
            assert!(error.contains(&wanted) && error.contains("with --out"), "{error}");
            let kept = fs::read_to_string(folder.path().join("definition.toml"));
            assert_eq!(kept.expect("a definition"), longer, "nothing is overwritten");
        }
    }

    #[test]
    fn a_simulation_without_all_new_matches_of_its_best_net_is_run_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = open(folder.path(), RETESTED).expect("a new folder");
        store.save_run(&run_with(1), &built_in_net()).expect("saved");
        assert_eq!(store.saved_run(&plan(RETESTED), 0, 0), None);
        store.save_run(&run_with(2), &built_in_net()).expect("saved");
        assert!(store.saved_run(&plan(RETESTED), 0, 0).is_some());
    }

    #[test]
    fn recorded_games_alone_are_those_of_their_definition() {
        let folder = tempfile::tempdir().expect("a folder");
        let record = "[record]\ngames = 40\nplayer = \"expert\"\n[base]";
        let recorded = RETESTED.replace("[base]", record);
        let store = open(folder.path(), &recorded).expect("a new folder");
        fs::write(store.records(), "games").expect("written");
        assert!(open(folder.path(), &recorded).is_ok(), "the same definition");
        let error = refusal(folder.path(), &recorded.replace("games = 40\n", "games = 80\n"));
        assert!(error.contains("another [record]"), "{error}");
    }

    #[test]
    fn a_definition_of_another_server_or_another_format_is_told() {
        let text = Experiment::text("baxter-server").expect("known");
        let own = Experiment::read(text).expect("readable");
        assert_eq!(changed_part(text, &own), None);
        let changed = text.replacen("\nbefore = ", "\nbefore = 1", 1);
        assert_ne!(changed, text);
        assert_eq!(changed_part(&changed, &own), Some("[server]"));
        assert_eq!(changed_part("[record]\nsize = 3\n", &own), Some("format"));
    }
}
