//! Uploaded records and their analysis.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use jiff::Zoned;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::App;
use crate::analysis::analysis_store::{
    AnalysedRow, AnalysisFolder, AnalysisRow, AnalysisState, RECORD, uploads,
};
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::Params;
use crate::play::match_store::is_name;
use nonet_engine::analysis::{analyse, decisions_in, matches_in};
use nonet_engine::backgammon::record::{ReadRecord, read_record};
use nonet_engine::engine::Engine;
use nonet_engine::progress::Progress;
use nonet_engine::search::SearchSettings;
use nonet_engine::store::StoreError;
use nonet_report::{
    AnalysedMatch, analysis_json, analysis_page, analysis_sgf, collection_page,
    most_frequent_player,
};

/// The analyses of the data folder, and those in progress.
pub(crate) struct Analyses {
    folder: PathBuf,
    jobs: Mutex<HashMap<String, Arc<Job>>>,
}

/// An analysis in progress, or one that has failed.
struct Job {
    name: String,
    total: u64,
    progress: Progress,
    error: Mutex<Option<String>>,
}

/// The name of an uploaded file.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct UploadName {
    /// The name of the file; it is only shown.
    name: Option<String>,
}

/// An upload with the analysis of its matches.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AnalysisAnswer {
    row: AnalysisRow,
    /// A match each, as `nonet analyse --json` prints it; `nonet analyse --schema` explains the
    /// keys. Empty before the end.
    #[schema(value_type = Vec<Object>)]
    matches: Vec<serde_json::Value>,
}

impl Analyses {
    pub(crate) fn new(folder: PathBuf) -> Analyses {
        Analyses { folder, jobs: Mutex::default() }
    }

    fn folder(&self, id: &str) -> AnalysisFolder {
        AnalysisFolder::of(&self.folder, id)
    }

    /// How an upload stands; `None` if there is none.
    fn row(&self, id: &str) -> Option<AnalysisRow> {
        if !is_name(id) {
            return None;
        }
        if let Some(row) = self.folder(id).row() {
            return Some(row);
        }
        if let Some(job) = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).get(id) {
            let mut row = AnalysisRow::working(id.to_owned(), job.name.clone(), job.total);
            row.done = job.progress.done();
            row.error = job.error.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if row.error.is_some() {
                row.state = AnalysisState::Failed;
            }
            return Some(row);
        }
        let mut row = AnalysisRow::working(id.to_owned(), self.folder(id).name()?, 0);
        row.state = AnalysisState::Interrupted;
        Some(row)
    }

    /// Makes the folder of a new upload. Names that are there already get a number; two uploads in
    /// one moment never get one folder.
    fn create(&self, stem: &str, name: &str, bytes: &[u8]) -> Result<String, StoreError> {
        let mut id = stem.to_owned();
        let mut number = 1;
        while !self.folder(&id).make()? {
            number += 1;
            id = format!("{stem}-{number}");
        }
        self.folder(&id).fill(name, bytes)?;
        Ok(id)
    }
}

/// The uploads, the newest first.
#[utoipa::path(get, operation_id = "list_analyses", path = "/api/v1/analyses", tag = "analyses", responses(
    (status = 200, description = "All uploads", body = Vec<AnalysisRow>)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<AnalysisRow>>, ApiError> {
    let shared = Arc::clone(&app);
    let rows = app.work.quick(move || {
        let names = uploads(&shared.analyses.folder);
        names.iter().filter_map(|id| shared.analyses.row(id)).collect()
    });
    Ok(Json(rows.await?))
}

/// Uploads a record of any format that `nonet analyse` reads; its analysis begins, and
/// `GET /api/v1/analyses/{id}` shows how far it is.
#[utoipa::path(post, path = "/api/v1/analyses", tag = "analyses", params(UploadName),
    request_body(content = String, content_type = "application/octet-stream", description = "The record"), responses(
    (status = 202, description = "The analysis has begun", body = AnalysisRow),
    (status = 400, description = "No game can be used", body = ErrorAnswer),
    (status = 413, description = "The record is too long")))]
pub(crate) async fn upload(
    State(app): State<Arc<App>>,
    Params(params): Params<UploadName>,
    bytes: Bytes,
) -> Result<(StatusCode, Json<AnalysisRow>), ApiError> {
    let name: String = params.name.unwrap_or_default();
    let name: String = name.chars().filter(|c| !c.is_control()).take(120).collect();
    let name = if name.is_empty() { "record".to_owned() } else { name };
    begin(&app, name, bytes.to_vec()).await
}

/// Analyses a match of this server.
#[utoipa::path(post, path = "/api/v1/matches/{id}/analysis", tag = "analyses", params(("id" = String, Path)), responses(
    (status = 202, description = "The analysis has begun", body = AnalysisRow),
    (status = 400, description = "Nothing was decided", body = ErrorAnswer),
    (status = 404, description = "There is no such match", body = ErrorAnswer)))]
pub(crate) async fn of_match(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<AnalysisRow>), ApiError> {
    let shared = Arc::clone(&app);
    let name = format!("{id}.mat");
    let bytes = app.work.quick(move || {
        let kept = shared.matches.get(&id, &shared.nets)?;
        let bytes = kept.lock().unwrap_or_else(PoisonError::into_inner).table.game().record();
        Ok::<_, ApiError>(bytes)
    });
    let bytes = bytes.await??;
    begin(&app, name, bytes).await
}

/// Reads a record, keeps it and begins its analysis.
async fn begin(
    app: &Arc<App>,
    name: String,
    bytes: Vec<u8>,
) -> Result<(StatusCode, Json<AnalysisRow>), ApiError> {
    let shared = Arc::clone(app);
    let row = app.work.quick(move || {
        let (record, total) = read(&shared, &name, &bytes)?;
        let stem = Zoned::now().strftime("%Y%m%d-%H%M%S-%3f").to_string();
        let id = shared.analyses.create(&stem, &name, &bytes)?;
        Ok::<_, ApiError>(start(&shared, id, name, record, total))
    });
    Ok((StatusCode::ACCEPTED, Json(row.await??)))
}

fn read(app: &App, name: &str, bytes: &[u8]) -> Result<(ReadRecord, u64), ApiError> {
    let record = read_record(bytes, name)
        .map_err(|error| ApiError::invalid(format!("no game can be used: {error}")))?;
    let (total, most) = (decisions_in(&record.games), app.config.limits.decisions);
    if total == 0 {
        return Err(ApiError::invalid(
            "nothing was decided in the record: there is nothing to analyse",
        ));
    }
    if total > most {
        let message = format!(
            "the record has {total} decisions: expected at most {most}; nonet analyse takes more"
        );
        return Err(ApiError::invalid(message));
    }
    Ok((record, total))
}

/// Begins an analysis in the line of slow work.
fn start(app: &Arc<App>, id: String, name: String, record: ReadRecord, total: u64) -> AnalysisRow {
    let row = AnalysisRow::working(id.clone(), name.clone(), total);
    let (progress, error) = (Progress::default(), Mutex::default());
    let job = Arc::new(Job { name, total, progress, error });
    let mut jobs = app.analyses.jobs.lock().unwrap_or_else(PoisonError::into_inner);
    jobs.insert(id.clone(), Arc::clone(&job));
    drop(jobs);
    let app = Arc::clone(app);
    tokio::spawn(async move {
        let Ok(place) = app.work.slow_place_patiently().await else { return };
        let (shared, own, this) = (Arc::clone(&app), Arc::clone(&job), id.clone());
        let done = tokio::task::spawn_blocking(move || {
            let done = work(&shared, &this, &own, &record);
            drop(place);
            done
        });
        let failed = match done.await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.message().to_owned()),
            Err(_) => Some("the analysis has failed: this is a bug of nonet".to_owned()),
        };
        match failed {
            // From now on its files say what there is.
            None => {
                drop(app.analyses.jobs.lock().unwrap_or_else(PoisonError::into_inner).remove(&id))
            }
            Some(error) => *job.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error),
        }
    });
    row
}

/// Analyses a record and writes the files.
fn work(app: &App, id: &str, job: &Job, record: &ReadRecord) -> Result<(), ApiError> {
    let engine: Engine = app.nets.slow().with_search_settings(SearchSettings::NORMAL);
    let analysed = engine.install(|| analyse(&record.games, &engine, &job.progress))?;
    let games = analysed.ok_or_else(|| ApiError::failed("the analysis was stopped"))?;
    let matches: Vec<AnalysedMatch> = matches_in(&record.games)
        .into_iter()
        .map(|range| AnalysedMatch { file: job.name.clone(), games: games[range].to_vec() })
        .collect();
    let warnings: Vec<String> = record.warnings.iter().map(ToString::to_string).collect();
    let plies = [engine.plies(), engine.cube_plies()];
    let folder = app.analyses.folder(id);
    let lines = matches
        .iter()
        .map(|one| analysis_json(one, &warnings, plies, "built-in").to_string() + "\n");
    folder.write("analysis.json", lines.collect::<String>().as_bytes())?;
    let mut facts = vec![
        ("record", job.name.clone()),
        ("analysed by", format!("nonet {}, net built-in", env!("CARGO_PKG_VERSION"))),
        ("depth", format!("{}, cube decisions {} (gnubg counts from 0)", plies[0], plies[1])),
    ];
    facts.extend(warnings.iter().map(|warning| ("warning", warning.clone())));
    let page = match matches.as_slice() {
        [one] => analysis_page(&one.games, &facts),
        _ => collection_page(&most_frequent_player(&matches).unwrap_or_default(), &matches, &facts),
    };
    folder.write("page.html", page.map_err(ApiError::failed)?.render().as_bytes())?;
    let sgf = analysis_sgf(&matches, plies[0]).map_err(ApiError::failed)?;
    folder.write("match.sgf", &sgf)?;
    let mut row = AnalysisRow::working(id.to_owned(), job.name.clone(), job.total);
    (row.state, row.done, row.warnings) = (AnalysisState::Done, job.total, warnings);
    row.matches = matches.iter().map(AnalysedRow::of).collect();
    Ok(folder.write_row(&row)?)
}

fn unknown(id: &str) -> ApiError {
    ApiError::missing(format!("there is no analysis '{id}'"))
}

/// An upload with its analysis, or how far that is. One that was interrupted begins anew.
#[utoipa::path(get, operation_id = "show_analysis", path = "/api/v1/analyses/{id}", tag = "analyses", params(("id" = String, Path)), responses(
    (status = 200, description = "The analysis", body = AnalysisAnswer),
    (status = 404, description = "There is no such upload", body = ErrorAnswer)))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<AnalysisAnswer>, ApiError> {
    let shared = Arc::clone(&app);
    let answer = app.work.quick(move || {
        let row = shared.analyses.row(&id).ok_or_else(|| unknown(&id))?;
        let folder = shared.analyses.folder(&id);
        if row.state == AnalysisState::Interrupted {
            let bytes = folder.read(RECORD).ok_or_else(|| unknown(&id))?;
            let (record, total) = read(&shared, &row.name, &bytes)?;
            let row = start(&shared, id, row.name, record, total);
            return Ok(AnalysisAnswer { row, matches: Vec::new() });
        }
        let text = folder.read("analysis.json").filter(|_| row.state == AnalysisState::Done);
        let text = String::from_utf8(text.unwrap_or_default()).unwrap_or_default();
        let matches = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok::<_, ApiError>(AnalysisAnswer { row, matches })
    });
    Ok(Json(answer.await??))
}

/// A file of an analysis: `page.html`, `match.sgf`, `analysis.json` (a line each match) or `record`
/// (the upload).
#[utoipa::path(get, path = "/api/v1/analyses/{id}/{file}", tag = "analyses", params(("id" = String, Path), ("file" = String, Path)), responses(
    (status = 200, description = "The file", body = String, content_type = "application/octet-stream"),
    (status = 404, description = "There is no such upload or file", body = ErrorAnswer)))]
pub(crate) async fn export(
    State(app): State<Arc<App>>,
    Path((id, file)): Path<(String, String)>,
) -> Result<impl IntoResponse, ApiError> {
    const FILES: [(&str, &str); 4] = [
        ("page.html", "text/html; charset=utf-8"),
        ("match.sgf", "application/x-go-sgf"),
        ("analysis.json", "application/x-ndjson"),
        (RECORD, "application/octet-stream"),
    ];
    let Some((name, kind)) = FILES.into_iter().find(|(name, _)| *name == file) else {
        let names = FILES.map(|(name, _)| name).join(", ");
        return Err(ApiError::missing(format!("unknown file '{file}': expected {names}")));
    };
    if !is_name(&id) {
        return Err(unknown(&id));
    }
    let shared = Arc::clone(&app);
    let attachment = format!("attachment; filename=\"{id}-{name}\"");
    let bytes =
        app.work.quick(move || shared.analyses.folder(&id).read(name).ok_or_else(|| unknown(&id)));
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, attachment),
        // The page has its styles inside; as a download it is no page of this server.
        (
            header::CONTENT_SECURITY_POLICY,
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:".to_owned(),
        ),
    ];
    Ok((headers, bytes.await??))
}

/// Removes an upload and its analysis.
#[utoipa::path(delete, path = "/api/v1/analyses/{id}", tag = "analyses", params(("id" = String, Path)), responses(
    (status = 204, description = "It is removed"),
    (status = 404, description = "There is no such upload", body = ErrorAnswer),
    (status = 409, description = "It is being analysed", body = ErrorAnswer)))]
pub(crate) async fn remove(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    let shared = Arc::clone(&app);
    let done = app.work.quick(move || {
        let row = shared.analyses.row(&id).ok_or_else(|| unknown(&id))?;
        if row.state == AnalysisState::Working {
            return Err(ApiError::conflict("it is being analysed: remove it when that has ended"));
        }
        shared.analyses.jobs.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        shared.analyses.folder(&id).remove().map_err(|error: StoreError| ApiError::from(error))
    });
    done.await??;
    Ok(StatusCode::NO_CONTENT)
}
