//! What a person does with a run besides training: gives it a title, and removes it.

use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::App;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::Body;
use crate::training::run_view::{RunRow, RunState};
use crate::training::runs::{Runs, named, unknown, worked_on};
use nonet_engine::store::{files, write_atomic};

/// The most characters of a title.
const LONGEST: usize = 80;

/// What a run is called.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TitleRequest {
    /// In the person's words, at most 80 characters; an empty one takes the title away.
    #[schema(max_length = 80, example = "A net that learns slowly")]
    title: String,
}

impl Runs {
    /// The title that a person gave a run, if any.
    pub(super) fn title(&self, name: &str) -> Option<String> {
        let text = files::read_to_string(&self.beside(name, "title")).ok()?;
        let title: String = text.trim().chars().take(LONGEST).collect();
        (!title.is_empty()).then_some(title)
    }

    /// Refuses where this server only shows runs.
    fn changes(&self) -> Result<(), ApiError> {
        match self.trains() {
            true => Ok(()),
            false => Err(ApiError::conflict("this server only shows runs").coded("only-shows")),
        }
    }

    /// Whether a run other than `name` has this name or this title. Capitals are not told apart.
    pub(super) fn is_called(&self, words: &str, name: &str) -> bool {
        let same = |of: &str| of.to_lowercase() == words.to_lowercase();
        let others = self.names().into_iter().filter(|other| other != name);
        !words.is_empty()
            && others
                .into_iter()
                .any(|other| same(&other) || self.title(&other).is_some_and(|title| same(&title)))
    }

    fn entitle(&self, name: &str, title: &str) -> Result<(), ApiError> {
        let title = title.trim();
        if title.chars().count() > LONGEST || title.chars().any(char::is_control) {
            let expected = "expected at most 80 characters in one line";
            return Err(ApiError::invalid(format!("invalid title: {expected}")).coded("title"));
        }
        if self.is_called(title, name) {
            let message = format!("there is a run '{title}': choose another title");
            return Err(ApiError::conflict(message).coded("run-exists"));
        }
        let path = self.beside(name, "title");
        if title.is_empty() {
            return match files::exists(&path) {
                true => files::remove_file(&path).map_err(ApiError::failed),
                false => Ok(()),
            };
        }
        Ok(write_atomic(&path, title.as_bytes())?)
    }

    /// Removes a run that nobody works on.
    fn remove(&self, name: &str) -> Result<(), ApiError> {
        let mut processes = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        if processes.get_mut(name).is_some_and(|run| run.ended().is_none()) {
            return Err(worked_on("this server", name, "remove"));
        }
        let folder = self.path(name);
        if files::is_dir(&folder) {
            if self.is_locked(name) {
                return Err(worked_on("another program", name, "remove"));
            }
            files::remove_folder(&folder).map_err(|error| {
                ApiError::failed(format!("cannot remove the whole run '{name}': {error}"))
            })?;
        } else if !processes.contains_key(name) {
            return Err(unknown(name));
        }
        processes.remove(name);
        for kind in ["log", "title"] {
            let path = self.beside(name, kind);
            if files::exists(&path) {
                files::remove_file(&path).map_err(ApiError::failed)?;
            }
        }
        Ok(())
    }
}

/// Gives a run a title, which the lists show in place of its name.
#[utoipa::path(post, path = "/api/v1/runs/{name}/title", tag = "runs", params(("name" = String, Path, max_length = 60, pattern = "^[A-Za-z0-9_][A-Za-z0-9_-]*$")), request_body = TitleRequest, responses(
    (status = 200, description = "The run with its title", body = RunRow),
    (status = 400, description = "A title that is too long", body = ErrorAnswer),
    (status = 404, description = "There is no such run", body = ErrorAnswer),
    (status = 409, description = "This server only shows runs, or another run is called so", body = ErrorAnswer)))]
pub(crate) async fn title(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Body(request): Body<TitleRequest>,
) -> Result<Json<RunRow>, ApiError> {
    named(&name)?;
    let shared = Arc::clone(&app);
    let row = app.work.quick(move || {
        let runs = &shared.runs;
        runs.changes()?;
        runs.row(&name).ok_or_else(|| unknown(&name))?;
        runs.entitle(&name, &request.title)?;
        runs.row(&name).ok_or_else(|| unknown(&name))
    });
    Ok(Json(row.await??))
}

/// Removes a run with its nets, for good.
#[utoipa::path(delete, operation_id = "remove_run", path = "/api/v1/runs/{name}", tag = "runs", params(("name" = String, Path, max_length = 60, pattern = "^[A-Za-z0-9_][A-Za-z0-9_-]*$")), responses(
    (status = 204, description = "It is removed"),
    (status = 404, description = "There is no such run", body = ErrorAnswer),
    (status = 409, description = "It is running, here or elsewhere, or an open match plays with its net", body = ErrorAnswer)))]
pub(crate) async fn remove(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    named(&name)?;
    let shared = Arc::clone(&app);
    let done = app.work.quick(move || {
        shared.runs.changes()?;
        let row = shared.runs.row(&name).ok_or_else(|| unknown(&name))?;
        if row.state != RunState::Running
            && let Some(id) = shared.matches.open_with_run(&name, &shared.nets)
        {
            let message =
                format!("the match '{id}' plays with a net of the run '{name}': finish it first");
            return Err(ApiError::conflict(message).coded("run-in-use"));
        }
        shared.runs.remove(&name)
    });
    done.await??;
    Ok(StatusCode::NO_CONTENT)
}
