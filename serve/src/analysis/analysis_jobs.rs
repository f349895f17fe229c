//! The analyses of the data folder, and those in progress.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::analysis::analysis_store::{
    AnalysedRow, AnalysisFolder, AnalysisRow, AnalysisState, PlayedNet, RECORD, uploads,
};
use crate::errands::{Errand, OneByOne, Tell, Workers};
use crate::error::ApiError;
use crate::nets::NetEngines;
use crate::practice::mistakes::{MISTAKES, PlayerMistakes};
use crate::{App, ServeLimits};
use axum::http::StatusCode;
use jiff::Zoned;
use nonet_engine::analysis::{analyse, decisions_in, matches_in};
use nonet_engine::backgammon::record::{ReadRecord, date_in, read_record};
use nonet_engine::engine::Engine;
use nonet_engine::open::{CHAMPION, is_built_in};
use nonet_engine::progress::Progress;
use nonet_engine::search::{Plies, SearchSettings};
use nonet_engine::store::{StoreError, is_file_name};
use nonet_report::{
    AnalysedMatch, analysis_json, analysis_page, analysis_sgf, collection_page,
    most_frequent_player,
};
use tokio::sync::Notify;

/// The analyses of the data folder, and those in progress.
pub(crate) struct Analyses {
    pub(super) folder: PathBuf,
    jobs: Mutex<HashMap<String, Arc<Job>>>,
    /// Held while the files of a folder are changed, or the folder is removed.
    pub(super) writing: Mutex<()>,
    /// Held while an analysis begins, so that no other request begins the same one, takes its room
    /// or removes it meanwhile.
    pub(super) beginning: Mutex<()>,
}

/// An analysis in progress, or one that has failed.
struct Job {
    name: String,
    plies: [Plies; 2],
    net: Judge,
    record: u32,
    /// Bytes of the record.
    bytes: usize,
    played: Option<String>,
    against: Option<PlayedNet>,
    total: u64,
    progress: Progress,
    /// Told when the analysis is no longer wanted.
    gone: Notify,
    error: Mutex<Option<String>>,
}

/// The net that judges an analysis.
#[derive(Clone)]
pub(crate) struct Judge {
    pub(crate) name: String,
    engines: Arc<NetEngines>,
}

/// What is analysed, how deep, and by which net.
pub(crate) struct Upload {
    /// The name of the file.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// Plies of plays and of cube decisions.
    pub(crate) plies: [Plies; 2],
    pub(crate) net: Judge,
}

impl Judge {
    /// The net of a name; without one the champion.
    pub(crate) fn of(app: &App, name: Option<&str>) -> Result<Judge, ApiError> {
        let name = name.filter(|name| !is_built_in(name)).unwrap_or(CHAMPION);
        Ok(Judge { name: name.to_owned(), engines: app.nets.named(Some(name))? })
    }

    /// What tells the net from others of its name.
    pub(crate) fn sum(&self) -> Option<u32> {
        self.engines.sum()
    }

    /// Its engine at these depths of plays and of cube decisions.
    pub(crate) fn engine_at(&self, plies: [Plies; 2]) -> Engine {
        engine_at(&self.engines, plies)
    }
}

impl Analyses {
    pub(crate) fn new(folder: PathBuf) -> Analyses {
        let (writing, beginning) = (Mutex::default(), Mutex::default());
        Analyses { folder, jobs: Mutex::default(), writing, beginning }
    }

    pub(super) fn folder(&self, id: &str) -> AnalysisFolder {
        AnalysisFolder::of(&self.folder, id)
    }

    /// How an upload stands; `None` if there is none.
    pub(super) fn row(&self, id: &str) -> Option<AnalysisRow> {
        if !is_file_name(id) {
            return None;
        }
        let folder = self.folder(id);
        let at_work = || {
            let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
            jobs.get(id).map(|job| job.standing(id))
        };
        // An analysis that ends between two looks has its row before its job is gone.
        folder.row().or_else(at_work).or_else(|| folder.row()).or_else(|| {
            let mut row = AnalysisRow::working(id.to_owned(), folder.name()?, 0);
            (row.state, row.plies) = (AnalysisState::Interrupted, folder.ply());
            row.net = folder.net();
            Some(row)
        })
    }

    /// The analysis of the same record at the same depths by the same net, if it is done or at
    /// work.
    pub(super) fn same_as(&self, upload: &Upload) -> Option<AnalysisRow> {
        let record = crc32fast::hash(&upload.bytes);
        let [plies, cube_plies] = upload.plies.map(|plies| Some(plies.get()));
        uploads(&self.folder).iter().filter_map(|id| self.row(id)).find(|row| {
            row.name == upload.name
                && row.record == Some(record)
                && [row.plies, row.cube_plies] == [plies, cube_plies]
                && (row.net.as_str(), row.net_sum) == (&upload.net.name, upload.net.sum())
                && row.state != AnalysisState::Failed
        })
    }

    /// The mistakes of all players of an analysis.
    pub(crate) fn mistakes(&self, id: &str) -> Result<Vec<PlayerMistakes>, ApiError> {
        if !is_file_name(id) || self.folder(id).row().is_none() {
            return Err(ApiError::missing("there is no such analysis, or it is not complete")
                .coded("no-analysis"));
        }
        let bytes = self.folder(id).read(MISTAKES);
        let read = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        read.ok_or_else(|| {
            ApiError::missing(
                "an older version made this analysis: analyse the record at another depth",
            )
            .coded("old-analysis")
        })
    }

    /// Another process says how far an analysis is.
    pub(crate) fn at(&self, id: &str, done: u64) {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = jobs.get(id) {
            job.progress.set(done);
        }
    }

    /// An analysis has ended.
    pub(crate) fn ended(&self, id: &str, error: Option<String>) {
        // From now on its files say what there is.
        let Some(error) = error else { return self.forget(id) };
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = jobs.get(id) {
            *job.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    }

    /// Stops an analysis at work, and forgets it; it has no answer any more.
    pub(super) fn forget(&self, id: &str) {
        let job = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        if let Some(job) = job {
            job.progress.stop();
            job.gone.notify_one();
        }
    }

    /// Refuses an upload that has no room next to those that wait or are at work.
    ///
    /// The caller who begins an analysis holds `beginning` from here on.
    pub(super) fn room_for(&self, upload: &Upload, limits: &ServeLimits) -> Result<(), ApiError> {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = jobs.values().filter(|job| !job.has_failed());
        let (count, bytes) = begun.fold((0, 0), |(n, bytes), job| (n + 1, bytes + job.bytes));
        drop(jobs);
        let (most, most_bytes) = (limits.analyses, limits.analysis_bytes);
        if count < most && bytes + upload.bytes.len() <= most_bytes {
            return Ok(());
        }
        let mib = |bytes: usize| bytes as f64 / 1_048_576.0;
        let message = format!(
            "cannot analyse '{}' now: {count} analyses with {:.1} MiB of records wait or are at \
             work, of at most {most} with {:.1} MiB: try again when some are done",
            upload.name,
            mib(bytes),
            mib(most_bytes),
        );
        Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message))
    }

    /// Makes the folder of a new upload. Names that are there already get a number; two uploads in
    /// one moment never get one folder.
    pub(super) fn create(&self, stem: &str, upload: &Upload) -> Result<String, StoreError> {
        let mut id = stem.to_owned();
        let mut number = 1;
        while !self.folder(&id).make()? {
            number += 1;
            id = format!("{stem}-{number}");
        }
        let folder = self.folder(&id);
        let filled = folder.fill(&upload.name, &upload.bytes, upload.plies, &upload.net.name);
        if filled.is_err() {
            // A part of an upload is of no use.
            let _ = folder.remove();
        }
        filled.map(|()| id)
    }
}

/// The engine of analyses and of practice at these depths of plays and of cube decisions.
pub(crate) fn engine_at(net: &NetEngines, [plies, cube_plies]: [Plies; 2]) -> Engine {
    let engine = net.slow().with_search_settings(SearchSettings::NORMAL);
    engine.with_plies(plies).with_cube_plies(cube_plies)
}

/// Reads a record, and counts its events.
pub(super) fn read(app: &App, name: &str, bytes: &[u8]) -> Result<(ReadRecord, u64), ApiError> {
    let record = read_record(bytes, name).map_err(|error| {
        let refused = ApiError::invalid(format!("no game can be used: {error}"));
        match error.single_position() {
            Some(position) => refused.with_position(position.xgid()),
            None => refused.coded("record"),
        }
    })?;
    let (total, most) = (decisions_in(&record.games), app.config.limits.decisions);
    if total == 0 {
        return Err(ApiError::invalid(
            "nothing was decided in the record: there is nothing to analyse",
        )
        .coded("record-empty"));
    }
    if total > most {
        let message = format!(
            "the record has {total} decisions: expected at most {most}; nonet analyse takes more"
        );
        return Err(ApiError::invalid(message).coded("record-long"));
    }
    Ok((record, total))
}

impl Job {
    fn new(upload: &Upload, total: u64, progress: Progress) -> Job {
        Job {
            name: upload.name.clone(),
            plies: upload.plies,
            net: upload.net.clone(),
            record: crc32fast::hash(&upload.bytes),
            bytes: upload.bytes.len(),
            played: date_in(&upload.bytes),
            against: PlayedNet::in_record(&upload.bytes),
            total,
            progress,
            gone: Notify::new(),
            error: Mutex::default(),
        }
    }

    const fn progress(&self) -> &Progress {
        &self.progress
    }

    fn has_failed(&self) -> bool {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// The row of this job at its beginning.
    fn row(&self, id: &str) -> AnalysisRow {
        AnalysisRow {
            plies: Some(self.plies[0].get()),
            cube_plies: Some(self.plies[1].get()),
            net: self.net.name.clone(),
            net_sum: self.net.sum(),
            record: Some(self.record),
            played: self.played.clone(),
            against: self.against.clone(),
            ..AnalysisRow::working(id.to_owned(), self.name.clone(), self.total)
        }
    }

    /// The row of this job now.
    fn standing(&self, id: &str) -> AnalysisRow {
        let mut row = self.row(id);
        row.done = self.progress.done();
        row.error = self.error.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if row.error.is_some() {
            row.state = AnalysisState::Failed;
        }
        row
    }
}

/// Begins an analysis in the line of work in the background. One that has begun meanwhile stays,
/// and tells how it stands: two may ask for an interrupted analysis at once. Those that wait hold
/// no games: the record is read again when there is a place.
pub(super) fn start(app: &Arc<App>, id: String, upload: &Upload, total: u64) -> AnalysisRow {
    let job = Arc::new(Job::new(upload, total, Progress::default()));
    let row = job.row(&id);
    let mut jobs = app.analyses.jobs.lock().unwrap_or_else(PoisonError::into_inner);
    let begun = jobs.get(&id).map(|begun| begun.standing(&id));
    if let Some(begun) = begun.or_else(|| app.analyses.folder(&id).row()) {
        return begun;
    }
    jobs.insert(id.clone(), Arc::clone(&job));
    drop(jobs);
    if app.config.workers != Workers::Threads {
        app.errands.add(Errand::Analysis { id, plies: job.plies.map(Plies::get) });
        return row;
    }
    let app = Arc::clone(app);
    tokio::spawn(async move {
        let place = tokio::select! {
            place = app.work.background_place() => place,
            () = job.gone.notified() => return,
        };
        let Ok(place) = place else { return };
        let (shared, own, this) = (Arc::clone(&app), Arc::clone(&job), id.clone());
        let done = tokio::task::spawn_blocking(move || {
            let done = read_and_work(&shared, &this, &own);
            drop(place);
            done
        });
        let failed = match done.await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.message().to_owned()),
            Err(_) => Some("the analysis has failed: this is a bug of nonet".to_owned()),
        };
        app.analyses.ended(&id, failed);
    });
    row
}

/// Does the analysis of an upload on this thread.
pub(crate) fn do_here(app: &App, id: &str, plies: [Plies; 2], tell: Tell) -> Result<(), String> {
    let row = app.analyses.row(id).ok_or("there is no such analysis")?;
    let bytes = app.analyses.folder(id).read(RECORD).ok_or("its record is missing")?;
    let in_words = |error: ApiError| error.message().to_owned();
    let (record, total) = read(app, &row.name, &bytes).map_err(in_words)?;
    let net = Judge::of(app, Some(&row.net)).map_err(in_words)?;
    let upload = Upload { name: row.name, bytes, plies, net };
    let job = Arc::new_cyclic(|job| {
        let (of, progress) = (job.clone(), Job::progress as fn(&Job) -> &Progress);
        let worker = Arc::new(OneByOne { tell, of, progress });
        Job::new(&upload, total, Progress::default().with_dispatcher(worker))
    });
    work(app, id, &job, &record).map_err(in_words)
}

/// Reads the record of an upload, analyses it and writes the files.
fn read_and_work(app: &App, id: &str, job: &Job) -> Result<(), ApiError> {
    let bytes = app.analyses.folder(id).read(RECORD);
    let bytes = bytes.ok_or_else(|| ApiError::failed("its record is missing"))?;
    let (record, _) = read(app, &job.name, &bytes)?;
    work(app, id, job, &record)
}

fn stopped() -> ApiError {
    ApiError::failed("the analysis was stopped")
}

/// Analyses a record and writes the files.
fn work(app: &App, id: &str, job: &Job, record: &ReadRecord) -> Result<(), ApiError> {
    let (engine, net) = (job.net.engine_at(job.plies), job.net.name.as_str());
    let analysed = engine.install(|| analyse(&record.games, &engine, &job.progress))?;
    let games = analysed.ok_or_else(stopped)?;
    let matches: Vec<AnalysedMatch> = matches_in(&record.games)
        .into_iter()
        .map(|range| AnalysedMatch { file: job.name.clone(), games: games[range].to_vec() })
        .collect();
    let warnings: Vec<String> = record.warnings.iter().map(ToString::to_string).collect();
    let plies = job.plies;
    let lines = matches.iter().map(|one| {
        analysis_json(one, &warnings, plies[0].into(), plies[1], net).to_string() + "\n"
    });
    let lines = lines.collect::<String>();
    let mut facts = vec![
        ("record", job.name.clone()),
        ("analysed by", format!("nonet {}, net {net}", env!("CARGO_PKG_VERSION"))),
        ("depth", format!("{}, cube decisions {} (gnubg counts from 0)", plies[0], plies[1])),
    ];
    facts.extend(warnings.iter().map(|warning| ("warning", warning.clone())));
    let page = match matches.as_slice() {
        [one] => analysis_page(&one.games, &facts),
        _ => collection_page(&most_frequent_player(&matches).unwrap_or_default(), &matches, &facts),
    };
    let page = page.map_err(ApiError::failed)?.render();
    let sgf = analysis_sgf(&matches, plies[0]).map_err(ApiError::failed)?;
    let today = || Zoned::now().date().to_string();
    let date = job.played.clone().unwrap_or_else(today);
    let mistakes: Vec<PlayerMistakes> = matches
        .iter()
        .flat_map(|one| PlayerMistakes::of_both(&one.games, &date, plies[1]))
        .collect();
    let mistakes = serde_json::to_vec(&mistakes).unwrap_or_default();
    let mut row = job.row(id);
    (row.state, row.done, row.warnings) = (AnalysisState::Done, job.total, warnings);
    row.matches = matches.iter().map(AnalysedRow::of).collect();
    let files: [(&str, &[u8]); 4] = [
        ("analysis.json", lines.as_bytes()),
        ("page.html", page.as_bytes()),
        ("match.sgf", &sgf),
        (MISTAKES, &mistakes),
    ];
    write(app, job, &files, &row)
}

/// Writes the files of an analysis and last its row, unless it was removed meanwhile.
fn write(app: &App, job: &Job, files: &[(&str, &[u8])], row: &AnalysisRow) -> Result<(), ApiError> {
    let folder = app.analyses.folder(&row.id);
    let _writing = app.analyses.writing.lock().unwrap_or_else(PoisonError::into_inner);
    if job.progress.is_stopped() {
        return Err(stopped());
    }
    for (name, bytes) in files {
        folder.write(name, bytes)?;
    }
    Ok(folder.write_row(row)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_app::TestApp;
    use serde_json::{Value, json};
    use std::time::Duration;

    const NIGHT: &[u8] = b" 0 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/5\n";

    fn night(app: &App) -> Upload {
        let net = Judge::of(app, None).expect("the champion");
        let (name, bytes) = ("night.mat".to_owned(), NIGHT.to_vec());
        Upload { name, bytes, plies: [Plies::ONE; 2], net }
    }

    #[test]
    fn of_two_that_ask_for_an_interrupted_analysis_one_begins_it() {
        let server = TestApp::new(ServeLimits::default());
        let app = &server.app;
        let upload = night(app);
        let id = app.analyses.create("20260101-1", &upload).expect("a folder");
        let state = || app.analyses.row(&id).expect("an upload").state;
        assert_eq!(state(), AnalysisState::Interrupted);
        // Both have seen this state.
        let begin = || start(app, id.clone(), &upload, 1);
        let first = begin();
        assert_eq!((begin(), state()), (first.clone(), AnalysisState::Working));
        assert_eq!(app.take_errands().len(), 1);
        // A third one comes when it is done.
        let done = AnalysisRow { state: AnalysisState::Done, ..first };
        app.analyses.folder(&id).write_row(&done).expect("written");
        app.analyses.ended(&id, None);
        assert_eq!(begin(), done);
        assert!(app.take_errands().is_empty());
    }

    #[test]
    fn analyses_that_wait_are_bounded_in_number_and_in_bytes() {
        let upload = |server: &TestApp| {
            let (address, kind) = ("/api/v1/analyses?name=night.mat", "application/octet-stream");
            let routes = server.app.direct_routes();
            let answer = routes.answer("POST", address, kind, NIGHT.to_vec());
            let mut answer = answer.expect("answered");
            let body: Value = serde_json::from_slice(&answer.whole()).expect("JSON");
            (answer.status, body)
        };
        let few = ServeLimits { analyses: 2, ..ServeLimits::default() };
        let short = ServeLimits { analysis_bytes: 2 * NIGHT.len(), ..ServeLimits::default() };
        for limits in [few, short] {
            let server = TestApp::new(limits);
            let [first, second, third] = [0; 3].map(|_| upload(&server));
            assert_eq!([first.0, second.0, third.0], [202, 202, 503], "{limits:?}");
            assert_eq!(third.1["code"], "busy");
            let error = third.1["error"].as_str().expect("words");
            assert!(error.starts_with("cannot analyse 'night.mat' now: 2 analyses"), "{error}");
            assert!(error.ends_with("try again when some are done"), "{error}");
            let kept = uploads(&server.app.analyses.folder);
            assert_eq!(kept.len(), 2, "nothing of it is kept");
            // One that has failed makes room, and one that is removed.
            server.app.analyses.ended(&kept[0], Some("no luck".to_owned()));
            assert_eq!([upload(&server).0, upload(&server).0], [202, 503]);
            let address = format!("/api/v1/analyses/{}", kept[1]);
            assert_eq!(server.ask("DELETE", &address, &Value::Null).0, 204);
            assert_eq!([upload(&server).0, upload(&server).0], [202, 503]);
        }
    }

    #[test]
    fn an_interrupted_analysis_stays_so_until_there_is_room() {
        let server = TestApp::new(ServeLimits { analyses: 1, ..ServeLimits::default() });
        let app = &server.app;
        let upload = night(app);
        let [one, two] =
            ["1", "2"].map(|stem| app.analyses.create(stem, &upload).expect("a folder"));
        let state = |id: &str| {
            let (status, answer) =
                server.ask("GET", &format!("/api/v1/analyses/{id}"), &Value::Null);
            assert_eq!(status, 200, "{answer}");
            answer["row"]["state"].clone()
        };
        assert_eq!([state(&one), state(&two)], [json!("working"), json!("interrupted")]);
        app.analyses.forget(&one);
        assert_eq!(state(&two), "working");
    }

    #[test]
    fn an_interrupted_analysis_whose_net_is_gone_says_so() {
        let server = TestApp::new(ServeLimits::default());
        let mut upload = night(&server.app);
        upload.net.name = "gone".to_owned();
        let id = server.app.analyses.create("1", &upload).expect("a folder");
        let (status, answer) = server.ask("GET", &format!("/api/v1/analyses/{id}"), &Value::Null);
        assert_eq!((status, &answer["row"]["state"]), (200, &json!("failed")), "{answer}");
        assert!(answer["row"]["error"].as_str().is_some_and(|why| why.contains("'gone'")));
    }

    #[tokio::test]
    async fn an_analysis_that_is_removed_leaves_the_line() {
        let limits = ServeLimits { slow: 1, ..ServeLimits::default() };
        let server = TestApp::of(Workers::Threads, limits);
        let app = &server.app;
        let place = app.work.slow_place().await.expect("nobody works");
        let upload = night(app);
        let id = app.analyses.create("20260101-1", &upload).expect("a folder");
        let owners = Arc::strong_count(app);
        start(app, id.clone(), &upload, 1);
        tokio::task::yield_now().await;
        assert_eq!(Arc::strong_count(app), owners + 1, "it waits");
        app.analyses.forget(&id);
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert_eq!(Arc::strong_count(app), owners, "it waits no more");
        drop(place);
    }

    #[test]
    fn a_removal_waits_for_files_that_are_being_written() {
        let server = TestApp::new(ServeLimits::default());
        let app = &server.app;
        let upload = night(app);
        let id = app.analyses.create("20260101-1", &upload).expect("a folder");
        start(app, id.clone(), &upload, 1);
        let jobs = app.analyses.jobs.lock().expect("no panic").clone();
        let progress = jobs[&id].progress();
        let (folder, address) = (app.analyses.folder(&id), format!("/api/v1/analyses/{id}"));
        std::thread::scope(|scope| {
            let writing = app.analyses.writing.lock().expect("nobody writes");
            let removal = scope.spawn(|| {
                let routes = app.direct_routes();
                routes.answer("DELETE", &address, "", Vec::new()).expect("answered").status
            });
            while !progress.is_stopped() && !removal.is_finished() {
                std::thread::yield_now();
            }
            std::thread::sleep(Duration::from_millis(50));
            assert!(folder.name().is_some(), "it waits");
            folder.write("analysis.json", b"{}").expect("written");
            drop(writing);
            assert_eq!(removal.join().expect("no panic"), 204);
        });
        assert!(folder.name().is_none());
        assert_eq!(server.ask("DELETE", &address, &Value::Null).0, 404);
    }

    #[test]
    fn an_analysis_that_was_removed_writes_no_file() {
        let server = TestApp::new(ServeLimits::default());
        let app = &server.app;
        let upload = night(app);
        let id = app.analyses.create("20260101-1", &upload).expect("a folder");
        let job = Job::new(&upload, 1, Progress::default());
        let write = || write(app, &job, &[("analysis.json", b"{}".as_slice())], &job.row(&id));
        let is_written = || app.analyses.folder(&id).read("analysis.json").is_some();
        job.progress.stop();
        assert_eq!((write().is_err(), is_written()), (true, false));
    }
}
