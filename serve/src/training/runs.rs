//! Training runs: started, stopped, resumed and extended here, shown from their folders.

use nonet_engine::store::{is_file_name, run_file};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use crate::analysis::analyses::PAGE_POLICY;
use crate::errands::{Errand, Errands};
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::{Body, Path};
use crate::training::last_match::LastMatchAnswer;
use crate::training::run_phase::{RunPhase, phase_of};
use crate::training::run_process::RunProcess;
use crate::training::run_view::{
    OpeningRoll, ResumeRequest, RunAnswer, RunName, RunRequest, RunRow, RunState, RunTest,
};
use crate::{App, ServeConfig, Workers};
use nonet_engine::class::Class;
use nonet_engine::open::net_of_run;
use nonet_engine::store::files;
use nonet_report::RunSession;
use nonet_training::train::{HistoryTable, TestRow, TrainSpec};
use serde_json::{Map, Value, json};

/// The runs of a folder, and those that this server has started.
pub(crate) struct Runs {
    folder: PathBuf,
    trainer: Option<TrainingProgram>,
    most: usize,
    pub(super) processes: Mutex<HashMap<String, RunProcess>>,
    /// Held while a run begins, goes on, gets a title or is removed.
    ///
    /// What a request has looked at stays so until it has changed it.
    changing: Mutex<()>,
    /// Whether the server ends, so that no run starts. Who reads or sets it holds `processes`.
    closed: AtomicBool,
}

/// Who trains.
#[derive(Clone)]
enum TrainingProgram {
    /// This program, as `nonet train`.
    Here(PathBuf),
    /// Whoever takes the errands.
    Elsewhere,
}

impl Runs {
    pub(crate) fn new(config: &ServeConfig) -> Runs {
        let trainer = match config.workers {
            Workers::Threads => config.program.clone().map(TrainingProgram::Here),
            Workers::Caller | Workers::CallerAndSlow => Some(TrainingProgram::Elsewhere),
        };
        let (folder, most) = (config.runs.clone(), config.limits.runs);
        let (processes, changing) = (Mutex::default(), Mutex::default());
        Runs { folder, trainer, most, processes, changing, closed: AtomicBool::new(false) }
    }

    /// Whether runs can be started.
    pub(crate) const fn trains(&self) -> bool {
        self.trainer.is_some()
    }

    /// A run that was trained elsewhere has ended.
    pub(crate) fn ended(&self, name: &str, succeeded: bool) {
        let mut processes = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(run) = processes.get_mut(name) {
            run.end(succeeded);
        }
    }

    /// Keeps other requests from changing runs until the answer is dropped.
    pub(super) fn changing(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Whether a program works on a run. This server's own programs count, too.
    pub(super) fn is_locked(&self, name: &str) -> bool {
        files::is_locked(&self.path(name).join(run_file::LOCK))
    }

    /// A file of this server about a run, such as its messages (`log`).
    ///
    /// It lies next to the run's folder, which is that of `nonet train` alone.
    pub(super) fn beside(&self, name: &str, kind: &str) -> PathBuf {
        self.folder.join(format!("{name}.{kind}"))
    }

    /// Asks all runs to stop, and waits for their checkpoints. No run starts any more.
    pub(crate) fn stop_all(&self) {
        let mut processes = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        // A request that waits for the lock would start a run that is never stopped.
        self.closed.store(true, Ordering::Relaxed);
        for run in processes.values_mut() {
            if run.ended().is_none() {
                run.stop();
            }
        }
        for _ in 0..200 {
            if processes.values_mut().all(|run| run.ended().is_some()) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }

    /// Starts the program on a run.
    fn start(&self, name: &str, options: &[OsString], errands: &Errands) -> Result<(), ApiError> {
        let Some(trainer) = &self.trainer else {
            return Err(ApiError::conflict("this server only shows runs").coded("only-shows"));
        };
        let mut processes = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        if self.closed.load(Ordering::Relaxed) {
            let message = format!(
                "cannot start the run '{name}': this server ends; ask again when it is back"
            );
            return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        if processes.get_mut(name).is_some_and(|run| run.ended().is_none()) {
            return Err(
                ApiError::conflict(format!("the run '{name}' is running")).coded("run-running")
            );
        }
        // As `nonet train` would refuse it, after this answer.
        if self.is_locked(name) {
            return Err(worked_on("another program", name, "resume"));
        }
        let running =
            processes.values_mut().filter_map(|run| run.ended().is_none().then_some(())).count();
        if running >= self.most {
            let message = format!("{running} runs are running: stop one before you start another");
            return Err(ApiError::conflict(message).coded("many-runs"));
        }
        files::make_folders(&self.folder).map_err(ApiError::failed)?;
        let run = match trainer {
            TrainingProgram::Here(program) => {
                RunProcess::start(program, options, &self.beside(name, "log"))?
            }
            TrainingProgram::Elsewhere => {
                let words = options.iter().map(|word| word.to_string_lossy().into_owned());
                let (name, options) = (name.to_owned(), words.collect());
                errands.add(Errand::Run { name, options });
                RunProcess::elsewhere()
            }
        };
        processes.insert(name.to_owned(), run);
        Ok(())
    }

    pub(super) fn row(&self, name: &str) -> Option<RunRow> {
        let path = self.path(name);
        let log = files::read(&self.beside(name, "log")).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let lines: Vec<String> = log.lines().map(str::to_owned).collect();
        let messages = lines[lines.len().saturating_sub(3)..].to_vec();
        let mut processes = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        let process = processes.get_mut(name).map(RunProcess::ended);
        let stopping = processes.get(name).is_some_and(RunProcess::is_stopping);
        drop(processes);
        // The options are written when a run begins; before that its log is there.
        let options = path.join(run_file::CONFIG);
        let began = written(&options).or_else(|| written(&self.beside(name, "log"))).unwrap_or(0);
        let config = files::read_to_string(&options);
        let Ok(config) = config else {
            // Before the folder is there, or where the options are wrong.
            let state = match process? {
                None => RunState::Running,
                Some(_) => RunState::Failed,
            };
            let (name, command, architecture) = (name.to_owned(), String::new(), String::new());
            let phase = (state == RunState::Running).then_some(RunPhase::Learning);
            return Some(RunRow {
                title: self.title(&name),
                began,
                name,
                state,
                command,
                games: 0,
                total: 0,
                ppg: None,
                stderr: None,
                last_match: None,
                rate: None,
                phase,
                progress: None,
                architecture,
                messages,
            });
        };
        let command = config.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
        let table: toml::Table = toml::from_str(&config).ok()?;
        let total = table.get("games").and_then(toml::Value::as_integer).unwrap_or(0);
        let total = u64::try_from(total).unwrap_or(0);
        let history = self.history(name);
        let last = history.last();
        let games = last.map_or(0, |row| row.games);
        // A run that has ended has a page that is not loaded again.
        let report = files::read_to_string(&path.join(run_file::REPORT))
            .ok()
            .filter(|page| games >= total && !page.contains("http-equiv=\"refresh\""));
        let ended = report.is_some();
        let state = match process {
            Some(None) => RunState::Running,
            Some(Some(false)) if !ended => RunState::Failed,
            _ if ended => RunState::Finished,
            _ if self.is_locked(name) => RunState::Running,
            _ => RunState::Stopped,
        };
        let running = state == RunState::Running;
        let finished = state == RunState::Finished;
        let last_match =
            finished.then(|| LastMatchAnswer::of(&path.join(run_file::BEST))).flatten();
        let sessions = files::read_to_string(&path.join(run_file::SESSIONS));
        let rate = sessions.ok().map(|text| RunSession::rate_of(&RunSession::read(&text)));
        let (phase, progress) = running.then(|| phase_of(games, total, &log, stopping)).unzip();
        let architecture = table.get("preset").and_then(toml::Value::as_str).unwrap_or_default();
        Some(RunRow {
            name: name.to_owned(),
            title: self.title(name),
            began,
            state,
            phase,
            progress: progress.flatten(),
            architecture: architecture.to_owned(),
            command,
            games,
            total,
            ppg: last.map(|row| row.last.ppg),
            stderr: last.map(|row| row.last.stderr),
            last_match,
            rate,
            messages,
        })
    }

    /// Why there is no file of a run that its first test makes.
    fn lacks(&self, name: &str, what: &str) -> ApiError {
        match run_file::is_run(&self.path(name)) {
            true => ApiError::missing(format!(
                "the run '{name}' has no {what} yet: its first test makes it"
            )),
            false => unknown(name),
        }
    }

    fn history(&self, name: &str) -> Vec<TestRow> {
        let text = files::read_to_string(&self.path(name).join(run_file::HISTORY));
        text.ok().and_then(|text| HistoryTable::read(&text).ok()).unwrap_or_default().rows
    }

    pub(super) fn names(&self) -> Vec<String> {
        let paths = files::entries(&self.folder).into_iter().flatten();
        let mut names: Vec<String> = paths
            .filter(|path| run_file::is_run(path))
            .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
            .collect();
        let processes = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        names.extend(processes.keys().cloned());
        names.retain(|name| is_file_name(name));
        names.sort();
        names.dedup();
        names
    }
}

/// When a file was written, in Unix seconds.
fn written(path: &std::path::Path) -> Option<i64> {
    let since = files::modified(path).ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_secs()).ok()
}

pub(super) fn named(name: &str) -> Result<(), ApiError> {
    match is_file_name(name) {
        true => Ok(()),
        false => Err(ApiError::invalid(format!(
            "invalid name '{name}': expected letters, digits, - and _"
        ))
        .coded("name")),
    }
}

pub(super) fn unknown(name: &str) -> ApiError {
    ApiError::missing(format!("there is no run '{name}'")).coded("no-run")
}

/// Somebody works on a run that a person wants to change.
pub(super) fn worked_on(who: &str, name: &str, change: &str) -> ApiError {
    let message = format!("{who} works on the run '{name}': stop it, and then {change} it");
    ApiError::conflict(message).coded("run-running")
}

/// The runs, the newest first.
#[utoipa::path(get, operation_id = "list_runs", path = "/api/v1/runs", tag = "runs", responses((status = 200, description = "All runs", body = Vec<RunRow>)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<RunRow>>, ApiError> {
    let shared = Arc::clone(&app);
    let rows = app.work.quick(move || {
        let names = shared.runs.names();
        let mut rows: Vec<RunRow> = names.iter().filter_map(|name| shared.runs.row(name)).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.began));
        rows
    });
    Ok(Json(rows.await?))
}

/// The options of a run that were asked for, by their keys; refused as `nonet train` refuses them.
fn checked(request: &RunRequest) -> Result<Map<String, Value>, ApiError> {
    let asked = json!({
        "preset": request.preset, "games": request.games, "method": request.method,
        "alpha": request.alpha, "lambda": request.lambda, "fine_tune": request.fine_tune, "seed": request.seed,
        "eval_every": request.eval_every, "eval_games": request.eval_games,
        "final_games": request.final_games,
    });
    let Value::Object(mut options) = asked else { return Err(ApiError::invalid("no options")) };
    options.retain(|_, value| !value.is_null());
    let spec: TrainSpec =
        serde_json::from_value(Value::Object(options.clone())).map_err(ApiError::invalid)?;
    spec.plan().map_err(ApiError::invalid)?;
    Ok(options)
}

/// Starts a run: `nonet train` with these options.
#[utoipa::path(post, operation_id = "begin_run", path = "/api/v1/runs", tag = "runs", request_body = RunRequest, responses(
    (status = 201, description = "The run has started", body = RunRow),
    (status = 400, description = "An invalid name or option", body = ErrorAnswer),
    (status = 409, description = "There is such a run, or too many are running", body = ErrorAnswer),
    (status = 503, description = "The server ends", body = ErrorAnswer)))]
pub(crate) async fn begin(
    State(app): State<Arc<App>>,
    Body(request): Body<RunRequest>,
) -> Result<(StatusCode, Json<RunRow>), ApiError> {
    named(&request.name)?;
    let shared = Arc::clone(&app);
    let row = app.work.quick(move || {
        let (runs, name) = (&shared.runs, &request.name);
        let _changing = runs.changing();
        if files::exists(&runs.path(name)) || runs.is_called(name, name) {
            return Err(ApiError::conflict(format!(
                "there is a run '{name}': choose another name"
            ))
            .coded("run-exists"));
        }
        let options = checked(&request)?;
        let mut words: Vec<OsString> = vec!["--out".into(), runs.path(name).into()];
        // One word each: a value cannot become another option.
        words.extend(options.iter().map(|(key, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            format!("--{}={value}", key.replace('_', "-")).into()
        }));
        runs.start(name, &words, &shared.errands)?;
        runs.row(name).ok_or_else(|| unknown(name))
    });
    Ok((StatusCode::CREATED, Json(row.await??)))
}

/// A run with its tests.
#[utoipa::path(get, operation_id = "show_run", path = "/api/v1/runs/{name}", tag = "runs", params(("name" = RunName, Path)), responses(
    (status = 200, description = "The run", body = RunAnswer),
    (status = 404, description = "There is no such run", body = ErrorAnswer)))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Json<RunAnswer>, ApiError> {
    named(&name)?;
    let shared = Arc::clone(&app);
    let answer = app.work.quick(move || {
        let runs = &shared.runs;
        let run = runs.row(&name).ok_or_else(|| unknown(&name))?;
        let knowledge = files::read_to_string(&runs.path(&name).join(run_file::KNOWLEDGE));
        Ok::<_, ApiError>(RunAnswer {
            run,
            classes: Class::all().map(Class::slug).collect(),
            history: runs.history(&name).iter().map(RunTest::of).collect(),
            knowledge: knowledge.ok().and_then(|text| serde_json::from_str(&text).ok()),
            established: OpeningRoll::all(),
        })
    });
    Ok(Json(answer.await??))
}

/// Stops a run that this server has started, as Ctrl-C does: it can be resumed.
#[utoipa::path(post, path = "/api/v1/runs/{name}/stop", tag = "runs", params(("name" = RunName, Path)), responses(
    (status = 200, description = "It was asked to stop", body = RunRow),
    (status = 404, description = "There is no such run", body = ErrorAnswer),
    (status = 409, description = "This server does not run it", body = ErrorAnswer)))]
pub(crate) async fn stop(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Json<RunRow>, ApiError> {
    named(&name)?;
    let shared = Arc::clone(&app);
    let row = app.work.quick(move || {
        let runs = &shared.runs;
        let mut processes = runs.processes.lock().unwrap_or_else(PoisonError::into_inner);
        let own = processes.get_mut(&name);
        let Some(own) = own.and_then(|run| run.ended().is_none().then_some(run)) else {
            if !processes.contains_key(&name) && !run_file::is_run(&runs.path(&name)) {
                return Err(unknown(&name));
            }
            return Err(ApiError::conflict(format!("this server does not run '{name}'"))
                .coded("run-not-here"));
        };
        if own.stop() {
            shared.errands.add(Errand::Stop { name: name.clone() });
        }
        drop(processes);
        runs.row(&name).ok_or_else(|| unknown(&name))
    });
    Ok(Json(row.await??))
}

/// Goes on with a run, or extends it.
#[utoipa::path(post, path = "/api/v1/runs/{name}/resume", tag = "runs", params(("name" = RunName, Path)), request_body = ResumeRequest, responses(
    (status = 200, description = "It goes on", body = RunRow),
    (status = 400, description = "No more games than it has, or too many", body = ErrorAnswer),
    (status = 404, description = "There is no such run", body = ErrorAnswer),
    (status = 409, description = "It is running, here or elsewhere, or too many are", body = ErrorAnswer),
    (status = 503, description = "The server ends", body = ErrorAnswer)))]
pub(crate) async fn resume(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Body(request): Body<ResumeRequest>,
) -> Result<Json<RunRow>, ApiError> {
    named(&name)?;
    let shared = Arc::clone(&app);
    let row = app.work.quick(move || {
        let runs = &shared.runs;
        let _changing = runs.changing();
        if !run_file::is_run(&runs.path(&name)) {
            return Err(unknown(&name));
        }
        let total = runs.row(&name).map_or(0, |row| row.total);
        if let Some(games) = request.games.filter(|games| *games <= total) {
            let problem = format!(
                "cannot extend the run '{name}' to {games} games: it has {total}; ask for more"
            );
            return Err(ApiError::invalid(problem));
        }
        let most = TrainSpec::MAX_NUMBER;
        if request.games.is_some_and(|games| games > most) {
            let problem = format!("cannot extend the run '{name}' beyond {most} games");
            return Err(ApiError::invalid(problem));
        }
        let mut words: Vec<OsString> = vec!["--resume".into(), runs.path(&name).into()];
        words.extend(request.games.map(|games| format!("--games={games}").into()));
        runs.start(&name, &words, &shared.errands)?;
        runs.row(&name).ok_or_else(|| unknown(&name))
    });
    Ok(Json(row.await??))
}

/// The report of a run, as `nonet train` has written it.
#[utoipa::path(get, path = "/api/v1/runs/{name}/report", tag = "runs", params(("name" = RunName, Path)), responses(
    (status = 200, description = "A page", body = String, content_type = "text/html"),
    (status = 404, description = "There is no such run, or no test yet", body = ErrorAnswer)))]
pub(crate) async fn report(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    named(&name)?;
    let shared = Arc::clone(&app);
    let page = app.work.quick(move || {
        let path = shared.runs.path(&name).join(run_file::REPORT);
        files::read(&path).map_err(|_| shared.runs.lacks(&name, "report"))
    });
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"report.html\""),
        (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
    ];
    Ok((headers, page.await??))
}

/// The best net of a run, as a file that every command reads.
#[utoipa::path(get, operation_id = "download_net", path = "/api/v1/runs/{name}/net", tag = "runs", params(("name" = RunName, Path)), responses(
    (status = 200, description = "A net file", body = String, content_type = "application/octet-stream"),
    (status = 404, description = "There is no such run, or no net yet", body = ErrorAnswer)))]
pub(crate) async fn net(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    named(&name)?;
    let shared = Arc::clone(&app);
    let attachment = format!("attachment; filename=\"{name}.nonet\"");
    let bytes = app.work.quick(move || {
        let lacks = || shared.runs.lacks(&name, "net");
        let path = net_of_run(&shared.runs.path(&name)).ok_or_else(lacks)?;
        files::read(&path).map_err(|_| lacks())
    });
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, attachment),
    ];
    Ok((headers, bytes.await??))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServeLimits;
    use crate::test_app::TestApp;
    use utoipa::PartialSchema;

    /// A server with a run of 100 games.
    fn with_a_run() -> TestApp {
        let server = TestApp::new(ServeLimits::default());
        server.add_run("kept");
        server
    }

    #[test]
    fn no_run_starts_when_the_server_ends() {
        let server = with_a_run();
        server.app.stop_runs();
        let begin = ("/api/v1/runs", json!({"name": "new"}));
        let resume = ("/api/v1/runs/kept/resume", json!({}));
        for (address, body) in [begin, resume] {
            let (status, answer) = server.ask("POST", address, &body);
            assert_eq!(status, 503, "{address}: {answer}");
            let error = answer["error"].as_str().expect("words");
            assert!(error.contains("this server ends"), "{error}");
        }
        assert!(server.app.take_errands().is_empty());
    }

    #[test]
    fn a_run_that_another_program_works_on_is_not_resumed() {
        let server = with_a_run();
        let lock =
            files::lock(&server.app.runs.path("kept").join(run_file::LOCK)).expect("nobody has it");
        let resume = || server.ask("POST", "/api/v1/runs/kept/resume", &json!({}));
        let (status, answer) = resume();
        assert_eq!((status, &answer["code"]), (409, &json!("run-running")), "{answer}");
        let error = answer["error"].as_str().expect("words");
        assert!(error.starts_with("another program works on the run 'kept': stop it"), "{error}");
        assert!(server.app.take_errands().is_empty());
        drop(lock);
        assert_eq!(resume().0, 200);
        assert_eq!(server.app.take_errands().len(), 1);
    }

    #[test]
    fn what_a_run_lacks_is_told_apart_from_a_run_that_is_not_there() {
        let server = with_a_run();
        let refused = |method: &str, address: &str| {
            let (status, answer) = server.ask(method, address, &Value::Null);
            (status, answer["code"].as_str().expect("a code").to_owned())
        };
        for file in ["net", "report"] {
            let of = |run: &str| refused("GET", &format!("/api/v1/runs/{run}/{file}"));
            assert_eq!(of("kept"), (404, "missing".to_owned()), "{file}");
            assert_eq!(of("none"), (404, "no-run".to_owned()), "{file}");
        }
        assert_eq!(refused("POST", "/api/v1/runs/kept/stop"), (409, "run-not-here".to_owned()));
        assert_eq!(refused("POST", "/api/v1/runs/none/stop"), (404, "no-run".to_owned()));
    }

    #[test]
    fn a_run_is_extended_by_one_game_or_more() {
        let server = with_a_run();
        let extended = |games: u64| {
            let body = json!({"games": games});
            server.ask("POST", "/api/v1/runs/kept/resume", &body).0
        };
        assert_eq!([99, 100, TrainSpec::MAX_NUMBER + 1, 101].map(extended), [400, 400, 400, 200]);
    }

    #[test]
    fn the_description_of_a_seed_has_the_limit_of_training() {
        let refusal = |seed: u64| {
            let asked = serde_json::from_value(json!({"name": "new", "seed": seed}));
            checked(&asked.expect("a request")).err()
        };
        assert!(refusal(TrainSpec::MAX_NUMBER).is_none());
        assert!(refusal(TrainSpec::MAX_NUMBER + 1).is_some());
        let schema = serde_json::to_value(RunRequest::schema()).expect("JSON");
        let seed = &schema["properties"]["seed"];
        assert_eq!((&seed["format"], &seed["maximum"]), (&json!("int64"), &Value::Null));
        assert_eq!(TrainSpec::MAX_NUMBER, i64::MAX.unsigned_abs(), "that of the format");
    }
}
