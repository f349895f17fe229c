//! What a person does with a run other than training: gives it a title, and removes it.

use std::fs::TryLockError;
use std::io::ErrorKind;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::App;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::{Body, Path};
use crate::training::run_view::{RunName, RunRow, RunState};
use crate::training::runs::{Runs, named, unknown, worked_on};
use nonet_engine::store::files::{self, Lock};
use nonet_engine::store::{run_file, write_atomic};

/// The most characters of a title.
const LONGEST: usize = 80;

/// The most tries for a lock that no program keeps, and the time between two tries.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);

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

    /// Locks a run, so that no program works on it.
    fn lock(&self, name: &str) -> Result<Lock, ApiError> {
        let path = self.path(name).join(run_file::LOCK);
        for _ in 0..TRIES {
            match files::lock(&path) {
                Ok(lock) => return Ok(lock),
                // A look at the lock has it for an instant.
                Err(TryLockError::WouldBlock) if !self.is_locked(name) => std::thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => break,
                Err(TryLockError::Error(error)) if error.kind() == ErrorKind::NotFound => {
                    return Err(unknown(name));
                }
                Err(TryLockError::Error(error)) => {
                    let message = format!("cannot lock the run '{name}' to remove it: {error}");
                    return Err(ApiError::failed(message));
                }
            }
        }
        Err(worked_on("another program", name, "remove"))
    }

    /// Removes the folder of a run. Its lock is held meanwhile: a program that begins then is
    /// refused, and one that comes later finds no run.
    fn remove_folder(&self, name: &str) -> Result<(), ApiError> {
        let folder = self.path(name);
        let removed = {
            let _lock = self.lock(name)?;
            files::remove_folder(&folder)
        };
        // Some file systems of Windows keep a folder until the file of its lock is closed. Without
        // its configuration the rest is no run, so no program has gone on with it since.
        let removed = match removed {
            Err(_) if !run_file::is_run(&folder) => files::remove_folder(&folder),
            removed => removed,
        };
        removed.map_err(|error| {
            ApiError::failed(format!("cannot remove the whole run '{name}': {error}"))
        })
    }

    /// Removes a run that no program works on.
    fn remove(&self, name: &str) -> Result<(), ApiError> {
        let mut processes = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        if processes.get_mut(name).is_some_and(|run| run.ended().is_none()) {
            return Err(worked_on("this server", name, "remove"));
        }
        if files::is_dir(&self.path(name)) {
            self.remove_folder(name)?;
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
#[utoipa::path(post, path = "/api/v1/runs/{name}/title", tag = "runs", params(("name" = RunName, Path)), request_body = TitleRequest, responses(
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
        let _changing = runs.changing();
        runs.row(&name).ok_or_else(|| unknown(&name))?;
        runs.entitle(&name, &request.title)?;
        runs.row(&name).ok_or_else(|| unknown(&name))
    });
    Ok(Json(row.await??))
}

/// Removes a run with its nets, for good.
#[utoipa::path(delete, operation_id = "remove_run", path = "/api/v1/runs/{name}", tag = "runs", params(("name" = RunName, Path)), responses(
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
        let _changing = shared.runs.changing();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServeLimits;
    use crate::test_app::TestApp;
    use serde_json::{Value, json};

    #[test]
    fn a_removal_waits_for_a_look_at_the_lock_and_not_for_a_program_at_work() {
        let server = TestApp::new(ServeLimits::default());
        let folder = server.add_run("kept");
        let remove = || server.ask("DELETE", "/api/v1/runs/kept", &Value::Null);
        let lock = server.app.runs.lock("kept").expect("nobody has it");
        let (status, answer) = remove();
        assert_eq!((status, &answer["code"]), (409, &json!("run-running")), "{answer}");
        assert!(run_file::is_run(&folder), "all of it is there");
        drop(lock);
        let look = std::fs::File::open(folder.join(run_file::LOCK)).expect("there");
        look.lock_shared().expect("free");
        let looks = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            drop(look);
        });
        assert_eq!(remove().0, 204);
        looks.join().expect("no panic");
        assert!(!folder.exists());
        assert_eq!(remove().0, 404);
    }

    #[test]
    fn a_run_that_is_removed_meanwhile_neither_goes_on_nor_gets_a_title() {
        let server = TestApp::new(ServeLimits::default());
        let folder = server.add_run("kept");
        let app = &server.app;
        let ask = |address: &'static str, body: &'static [u8]| {
            let routes = app.direct_routes();
            let answer = routes.answer("POST", address, "application/json", body.to_vec());
            answer.expect("answered").status
        };
        std::thread::scope(|scope| {
            let changing = app.runs.changing();
            let resumed = scope.spawn(|| ask("/api/v1/runs/kept/resume", b"{}"));
            let entitled = scope.spawn(|| ask("/api/v1/runs/kept/title", b"{\"title\":\"a\"}"));
            std::thread::sleep(Duration::from_millis(50));
            std::fs::remove_dir_all(&folder).expect("removed");
            drop(changing);
            let status = [resumed, entitled].map(|asked| asked.join().expect("no panic"));
            assert_eq!(status, [404, 404]);
        });
        assert!(app.take_errands().is_empty() && app.runs.title("kept").is_none());
    }
}
