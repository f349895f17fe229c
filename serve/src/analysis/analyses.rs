//! Uploaded records and their analysis.

use std::io::ErrorKind;
use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use jiff::Zoned;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::analysis::analysis_jobs::{Judge, Upload, read, start};
use crate::analysis::analysis_store::{AnalysisRow, AnalysisState, RECORD, uploads};
use crate::analysis::decisions::{DeeperAnswer, Note};
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::{Params, Path, RawBody};
use crate::{App, Errand, Workers};
use crate::{defaults, positions};
use nonet_engine::engine::Engine;
use nonet_engine::search::Plies;
use nonet_engine::store::{StoreError, is_file_name};

/// The name of an uploaded file, and how it is analysed.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct UploadName {
    /// The name of the file; it is only shown.
    #[param(example = "match.mat")]
    name: Option<String>,
    /// Search depth of plays and cube decisions in plies, 1 (static) to 4.
    #[param(minimum = 1, maximum = 4, default = defaults::ply)]
    ply: Option<u8>,
    /// A net by name, or a training run (its best net).
    #[param(default = defaults::net)]
    net: Option<String>,
}

/// How a record is analysed.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Look {
    /// Search depth of plays and cube decisions in plies, 1 (static) to 4.
    #[param(minimum = 1, maximum = 4, default = defaults::ply)]
    ply: Option<u8>,
    /// A net by name, or a training run (its best net).
    #[param(default = defaults::net)]
    net: Option<String>,
}

/// The depth of plays and of cube decisions; that of the terminal if nothing is said.
pub(super) fn depth(ply: Option<u8>) -> Result<[Plies; 2], ApiError> {
    match ply {
        None => Ok([Engine::PLAY_PLIES, Engine::CUBE_PLIES]),
        Some(_) => positions::plies(ply, defaults::ply()).map(|plies| [plies; 2]),
    }
}

/// The net that is asked for; reading one may block.
async fn judge(app: &Arc<App>, name: Option<String>) -> Result<Judge, ApiError> {
    let shared = Arc::clone(app);
    app.work.quick(move || Judge::of(&shared, name.as_deref())).await?
}

/// An upload with the analysis of its matches.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AnalysisAnswer {
    row: AnalysisRow,
    /// Whether its net is not there any more as it was: the run has gone on, or was removed. Deeper
    /// looks then have the net of now.
    net_changed: bool,
    /// A match each, as `nonet analyse --json` prints it; `nonet analyse --schema` explains the
    /// keys. Empty before the end.
    #[schema(value_type = Vec<Object>)]
    matches: Vec<serde_json::Value>,
    /// Notes of readers.
    notes: Vec<Note>,
    /// Decisions that were analysed again, deeper.
    deeper: Vec<DeeperAnswer>,
}

/// The file of the page.
pub(super) const PAGE: &str = "page.html";
/// The page has its styles inside; as a download it is no page of this server.
pub(crate) const PAGE_POLICY: &str =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

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
    (status = 404, description = "There is no such net", body = ErrorAnswer),
    (status = 413, description = "The record is too long", body = ErrorAnswer),
    (status = 503, description = "Too many analyses have begun", body = ErrorAnswer)))]
pub(crate) async fn upload(
    State(app): State<Arc<App>>,
    Params(params): Params<UploadName>,
    RawBody(bytes): RawBody,
) -> Result<(StatusCode, Json<AnalysisRow>), ApiError> {
    let name: String = params.name.unwrap_or_default();
    let name: String = name.chars().filter(|c| !c.is_control()).take(120).collect();
    let name = if name.is_empty() { "record".to_owned() } else { name };
    let plies = depth(params.ply)?;
    let net = judge(&app, params.net).await?;
    begin(&app, Upload { name, bytes: bytes.to_vec(), plies, net }, Again::Anew).await
}

/// Analyses a match of this server. A net analyses the same decisions at the same depth once: the
/// answer is then the analysis that is there.
#[utoipa::path(post, path = "/api/v1/matches/{id}/analysis", tag = "analyses", params(("id" = String, Path), Look), responses(
    (status = 202, description = "The analysis has begun", body = AnalysisRow),
    (status = 400, description = "Nothing was decided", body = ErrorAnswer),
    (status = 404, description = "There is no such match or net", body = ErrorAnswer),
    (status = 503, description = "Too many analyses have begun", body = ErrorAnswer)))]
pub(crate) async fn of_match(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(params): Params<Look>,
) -> Result<(StatusCode, Json<AnalysisRow>), ApiError> {
    let (plies, net) = (depth(params.ply)?, judge(&app, params.net).await?);
    let shared = Arc::clone(&app);
    let name = format!("{id}.mat");
    let found = app.work.quick(move || {
        let kept = shared.matches.get(&id, &shared.nets)?;
        let bytes = kept.lock().unwrap_or_else(PoisonError::into_inner).table.game().record();
        Ok::<_, ApiError>(Upload { name, bytes, plies, net })
    });
    let upload = found.await??;
    begin(&app, upload, Again::Same).await
}

/// Analyses an upload once more, at another depth or by another net. The one before stays, so that
/// both can be compared.
#[utoipa::path(post, path = "/api/v1/analyses/{id}/again", tag = "analyses", params(("id" = String, Path), Look), responses(
    (status = 202, description = "The analysis has begun", body = AnalysisRow),
    (status = 400, description = "An invalid depth", body = ErrorAnswer),
    (status = 404, description = "There is no such upload or net", body = ErrorAnswer),
    (status = 503, description = "Too many analyses have begun", body = ErrorAnswer)))]
pub(crate) async fn again(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(params): Params<Look>,
) -> Result<(StatusCode, Json<AnalysisRow>), ApiError> {
    let (plies, net) = (depth(params.ply)?, judge(&app, params.net).await?);
    let shared = Arc::clone(&app);
    let found = app.work.quick(move || {
        let row = shared.analyses.row(&id).ok_or_else(|| unknown(&id))?;
        let bytes = shared.analyses.folder(&id).read(RECORD).ok_or_else(|| unknown(&id))?;
        Ok::<_, ApiError>(Upload { name: row.name, bytes, plies, net })
    });
    let upload = found.await??;
    begin(&app, upload, Again::Anew).await
}

/// What becomes of a record that was analysed before at the same depths by the same net.
#[derive(Clone, Copy, PartialEq)]
enum Again {
    /// The answer is the analysis that is there.
    Same,
    /// It is analysed once more.
    Anew,
}

/// Reads a record, keeps it and begins its analysis.
async fn begin(
    app: &Arc<App>,
    upload: Upload,
    again: Again,
) -> Result<(StatusCode, Json<AnalysisRow>), ApiError> {
    let shared = Arc::clone(app);
    let row = app.work.quick(move || {
        let (_, total) = read(&shared, &upload.name, &upload.bytes)?;
        let _beginning = shared.analyses.beginning.lock().unwrap_or_else(PoisonError::into_inner);
        if again == Again::Same
            && let Some(row) = shared.analyses.same_as(&upload)
        {
            return Ok(row);
        }
        shared.analyses.room_for(&upload, &shared.config.limits)?;
        let stem = Zoned::now().strftime("%Y%m%d-%H%M%S-%3f").to_string();
        let id = shared.analyses.create(&stem, &upload)?;
        Ok::<_, ApiError>(start(&shared, id, &upload, total))
    });
    Ok((StatusCode::ACCEPTED, Json(row.await??)))
}

/// Begins an interrupted analysis anew. Without room for it, it stays interrupted. Without its net
/// the answer is that it failed; it goes on when the net is back.
fn begin_anew(app: &Arc<App>, row: AnalysisRow) -> Result<AnalysisRow, ApiError> {
    let id = row.id;
    let bytes = app.analyses.folder(&id).read(RECORD).ok_or_else(|| unknown(&id))?;
    let (_, total) = read(app, &row.name, &bytes)?;
    let (plies, net) = match (depth(row.plies), Judge::of(app, Some(&row.net))) {
        (Ok(plies), Ok(net)) => (plies, net),
        (Err(why), _) | (_, Err(why)) => {
            let (state, error) = (AnalysisState::Failed, Some(why.message().to_owned()));
            return Ok(AnalysisRow { id, state, error, ..row });
        }
    };
    let upload = Upload { name: row.name, bytes, plies, net };
    let _beginning = app.analyses.beginning.lock().unwrap_or_else(PoisonError::into_inner);
    // Somebody may have begun or removed it meanwhile.
    let now = app.analyses.row(&id).ok_or_else(|| unknown(&id))?;
    if now.state != AnalysisState::Interrupted
        || app.analyses.room_for(&upload, &app.config.limits).is_err()
    {
        return Ok(now);
    }
    Ok(start(app, id, &upload, total))
}

pub(super) fn unknown(id: &str) -> ApiError {
    ApiError::missing(format!("there is no analysis '{id}'")).coded("no-analysis")
}

/// An upload with its analysis, or how far that is. One that was interrupted begins anew, if there
/// is room for it. Without its net it is shown as failed.
#[utoipa::path(get, operation_id = "show_analysis", path = "/api/v1/analyses/{id}", tag = "analyses", params(("id" = String, Path)), responses(
    (status = 200, description = "The analysis", body = AnalysisAnswer),
    (status = 404, description = "There is no such upload", body = ErrorAnswer)))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<AnalysisAnswer>, ApiError> {
    let shared = Arc::clone(&app);
    let answer = app.work.quick(move || {
        let mut row = shared.analyses.row(&id).ok_or_else(|| unknown(&id))?;
        let folder = shared.analyses.folder(&id);
        if row.state == AnalysisState::Interrupted {
            row = begin_anew(&shared, row)?;
        }
        let text = folder.read("analysis.json").filter(|_| row.state == AnalysisState::Done);
        let text = String::from_utf8(text.unwrap_or_default()).unwrap_or_default();
        let matches = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let (notes, deeper) = (Note::all(&folder), DeeperAnswer::all(&folder));
        let net_now = Judge::of(&shared, Some(&row.net)).map(|net| net.sum());
        let net_changed = net_now.ok() != Some(row.net_sum);
        Ok::<_, ApiError>(AnalysisAnswer { row, net_changed, matches, notes, deeper })
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
        (PAGE, "text/html; charset=utf-8"),
        ("match.sgf", "application/x-go-sgf"),
        ("analysis.json", "application/x-ndjson"),
        (RECORD, "application/octet-stream"),
    ];
    let Some((name, kind)) = FILES.into_iter().find(|(name, _)| *name == file) else {
        let names = FILES.map(|(name, _)| name).join(", ");
        return Err(ApiError::missing(format!("unknown file '{file}': expected {names}")));
    };
    if !is_file_name(&id) {
        return Err(unknown(&id));
    }
    let shared = Arc::clone(&app);
    let attachment = format!("attachment; filename=\"{id}-{name}\"");
    let bytes = app.work.quick(move || {
        let analyses = &shared.analyses;
        analyses.folder(&id).read(name).ok_or_else(|| match analyses.row(&id) {
            None => unknown(&id),
            Some(_) => ApiError::missing(format!("the analysis '{id}' has no file {name} yet")),
        })
    });
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, attachment),
        (header::CONTENT_SECURITY_POLICY, PAGE_POLICY.to_owned()),
    ];
    Ok((headers, bytes.await??))
}

/// Removes an upload and its analysis. An analysis at work is stopped.
#[utoipa::path(delete, path = "/api/v1/analyses/{id}", tag = "analyses", params(("id" = String, Path)), responses(
    (status = 204, description = "It is removed"),
    (status = 404, description = "There is no such upload", body = ErrorAnswer),
    (status = 409, description = "Another program writes its files", body = ErrorAnswer)))]
pub(crate) async fn remove(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    let shared = Arc::clone(&app);
    let done = app.work.quick(move || {
        // So no request begins it meanwhile.
        let _beginning = shared.analyses.beginning.lock().unwrap_or_else(PoisonError::into_inner);
        let row = shared.analyses.row(&id).ok_or_else(|| unknown(&id))?;
        shared.analyses.forget(&id);
        if row.state == AnalysisState::Working && shared.config.workers != Workers::Threads {
            shared.errands.add(Errand::StopAnalysis { id: id.clone() });
        }
        // Whoever writes now ends first. Who comes later finds that it is removed.
        let _writing = shared.analyses.writing.lock().unwrap_or_else(PoisonError::into_inner);
        shared.analyses.folder(&id).remove().map_err(|error| not_removed(&id, error))
    });
    done.await??;
    Ok(StatusCode::NO_CONTENT)
}

/// Why the folder of an analysis is still there.
fn not_removed(id: &str, error: StoreError) -> ApiError {
    if let StoreError::Io { cause, .. } = &error
        && cause.kind() == ErrorKind::DirectoryNotEmpty
    {
        return ApiError::conflict(format!(
            "cannot remove the analysis '{id}': another program writes its files; try again later"
        ));
    }
    error.into()
}
