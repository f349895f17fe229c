//! Single decisions of an analysis: notes, and verdicts of a deeper search.

use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::extract::State;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::App;
use crate::analysis::analyses::unknown;
use crate::analysis::analysis_jobs::{Judge, read};
use crate::analysis::analysis_store::{AnalysisFolder, RECORD};
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::{Body, Path};
use crate::{defaults, positions};
use nonet_engine::analysis::{analyse_decision, matches_in};
use nonet_engine::search::SearchSettings;
use nonet_report::decision_json;

/// Where a decision stands: its match in the upload, its game there, and its place in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct DecisionPlace {
    /// The match, from 0.
    #[serde(rename = "match")]
    #[schema(example = 0)]
    pub(super) of_match: usize,
    /// The game, from 0.
    #[schema(example = 0)]
    pub(super) game: usize,
    /// The place in `decisions` of the game, from 0.
    #[schema(example = 0)]
    pub(super) decision: usize,
}

/// A note on a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Note {
    #[serde(flatten)]
    pub(super) place: DecisionPlace,
    /// The note, at most 4000 characters; an empty one removes it.
    #[schema(max_length = 4000, example = "I did not see the blot on my bar point.")]
    pub(super) text: String,
}

/// Asks for a deeper analysis of one decision.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct DeeperRequest {
    #[serde(flatten)]
    place: DecisionPlace,
    /// Search depth of plays and cube decisions in plies, 1 (static) to 4.
    #[schema(minimum = 1, maximum = 4, default = defaults::ply, example = 4)]
    #[serde(alias = "plies")]
    ply: Option<u8>,
}

/// A decision as another depth sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct DeeperAnswer {
    #[serde(flatten)]
    place: DecisionPlace,
    /// The depth of the search.
    plies: u8,
    /// The decision, as `nonet analyse --schema` explains it.
    #[schema(value_type = Object)]
    analysed: serde_json::Value,
}

/// The most notes, and the most deeper verdicts, of an analysis.
const MOST: usize = 5000;
/// The most characters of a note.
const LONGEST: usize = 4000;

impl Note {
    /// The notes of an analysis.
    pub(super) fn all(folder: &AnalysisFolder) -> Vec<Note> {
        list(folder, NOTES)
    }
}

impl DeeperAnswer {
    /// The decisions of an analysis that were looked at again.
    pub(super) fn all(folder: &AnalysisFolder) -> Vec<DeeperAnswer> {
        list(folder, DEEPER)
    }
}

const NOTES: &str = "notes.json";
const DEEPER: &str = "deeper.json";

fn list<T: DeserializeOwned>(folder: &AnalysisFolder, file: &str) -> Vec<T> {
    let bytes = folder.read(file);
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// Puts `new` in place of the entry about the same decision, or takes that away.
fn keep<T: Serialize + DeserializeOwned>(
    app: &App,
    id: &str,
    file: &str,
    new: Option<T>,
    is_other: impl Fn(&T) -> bool,
) -> Result<Vec<T>, ApiError> {
    let folder = app.analyses.folder(id);
    let _writing = app.analyses.writing.lock().unwrap_or_else(PoisonError::into_inner);
    // It may be removed since the question.
    app.analyses.row(id).ok_or_else(|| unknown(id))?;
    let mut all: Vec<T> = list(&folder, file);
    all.retain(is_other);
    if new.is_some() && all.len() >= MOST {
        return Err(ApiError::invalid(format!("{MOST} entries are the most: remove one first"))
            .coded("many-notes"));
    }
    all.extend(new);
    folder.write(file, &serde_json::to_vec(&all).unwrap_or_default())?;
    Ok(all)
}

/// Writes a note on a decision, or removes it. The answer has all notes of the analysis.
#[utoipa::path(post, path = "/api/v1/analyses/{id}/notes", tag = "analyses", params(("id" = String, Path)), request_body = Note, responses(
    (status = 200, description = "All notes of the analysis", body = Vec<Note>),
    (status = 400, description = "The note is too long", body = ErrorAnswer),
    (status = 404, description = "There is no such upload", body = ErrorAnswer)))]
pub(crate) async fn note(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(note): Body<Note>,
) -> Result<Json<Vec<Note>>, ApiError> {
    if note.text.chars().count() > LONGEST {
        return Err(ApiError::invalid(format!(
            "the note is too long: expected at most {LONGEST} letters"
        ))
        .coded("long-note"));
    }
    let shared = Arc::clone(&app);
    let all = app.work.quick(move || {
        let place = note.place;
        let new = Some(note).filter(|note| !note.text.trim().is_empty());
        keep(&shared, &id, NOTES, new, |other: &Note| other.place != place)
    });
    Ok(Json(all.await??))
}

/// Analyses one decision again at another depth.
///
/// The net is that of the analysis, and the move filters are `large`. At least as many plays pass
/// as in a hint. At 4-ply these are the best two, up to two more within 0.08 points, and the play
/// that was made. The answer is kept with the analysis; the figures of the analysis stay those of
/// its own depth.
#[utoipa::path(post, path = "/api/v1/analyses/{id}/deeper", tag = "analyses", params(("id" = String, Path)), request_body = DeeperRequest, responses(
    (status = 200, description = "The decision at that depth", body = DeeperAnswer),
    (status = 400, description = "An invalid depth", body = ErrorAnswer),
    (status = 404, description = "There is no such upload or decision", body = ErrorAnswer)))]
pub(crate) async fn deeper(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(request): Body<DeeperRequest>,
) -> Result<Json<DeeperAnswer>, ApiError> {
    let plies = positions::plies(request.ply, defaults::ply())?;
    let shared = Arc::clone(&app);
    let answer = app.work.slow(move || {
        let row = shared.analyses.row(&id).ok_or_else(|| unknown(&id))?;
        let bytes = shared.analyses.folder(&id).read(RECORD).ok_or_else(|| unknown(&id))?;
        let (record, _) = read(&shared, &row.name, &bytes)?;
        let DecisionPlace { of_match, game, decision } = request.place;
        let games = matches_in(&record.games).into_iter().nth(of_match);
        let played = games.and_then(|games| record.games[games].get(game));
        let none = || ApiError::missing("there is no such decision in the analysis");
        let engine = Judge::of(&shared, Some(&row.net))?.engine_at([plies; 2]);
        let engine = engine.with_search_settings(SearchSettings::LARGE_AND_WIDE);
        let played = played.ok_or_else(none)?;
        let found = engine.install(|| analyse_decision(played, decision, &engine))?;
        let analysed = decision_json(&found.ok_or_else(none)?);
        let place = request.place;
        let answer = DeeperAnswer { place, plies: plies.get(), analysed };
        let other = |other: &DeeperAnswer| other.place != place;
        keep(&shared, &id, DEEPER, Some(answer.clone()), other)?;
        Ok::<_, ApiError>(answer)
    });
    Ok(Json(answer.await??))
}
