//! The page of an analysis with the reader's notes, and rollouts that a browser has kept.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::App;
use crate::analysis::analyses::{PAGE, PAGE_POLICY, unknown};
use crate::analysis::decisions::{DecisionPlace, Note};
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::Body;
use crate::play::match_store::is_name;
use nonet_report::{Remark, RemarkLine, RemarkPlace, with_remarks};

/// The most rollouts of a page, and the most lines of each.
const MOST: [usize; 2] = [100, 12];
/// The most characters of a line's name.
const LONGEST: usize = 80;

/// What goes on the page besides the notes that the server has.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageRequest {
    /// Rollouts, at most 100.
    #[serde(default)]
    #[schema(max_items = 100)]
    rollouts: Vec<PageRollout>,
}

/// A rollout of a decision.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct PageRollout {
    #[serde(flatten)]
    place: DecisionPlace,
    /// Games of each line.
    #[schema(example = 1296)]
    games: u64,
    /// Search depth of its plays, 1 to 4.
    #[schema(minimum = 1, maximum = 4, example = 2)]
    plies: u8,
    /// Its lines, 1 to 12.
    #[schema(min_items = 1, max_items = 12)]
    lines: Vec<PageLine>,
}

/// A line of a rollout.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageLine {
    /// The play or the cube action, at most 80 characters.
    #[schema(max_length = 80, example = "8/5 6/5")]
    name: String,
    #[schema(example = 0.123)]
    equity: f64,
    /// Half the 95 % interval of the equity.
    #[schema(example = 0.01)]
    half: f64,
}

impl PageRollout {
    /// As the page has it, if it is one.
    fn remark(self) -> Result<Remark, ApiError> {
        let invalid = |what: &str| ApiError::invalid(format!("invalid rollout: expected {what}"));
        if !(1..=MOST[1]).contains(&self.lines.len()) {
            return Err(invalid("1 to 12 lines"));
        }
        if !(1..=4).contains(&self.plies) {
            return Err(invalid("1 to 4 plies"));
        }
        let line = |PageLine { name, equity, half }| {
            let is_fine = equity.is_finite() && half.is_finite() && half >= 0.0;
            match is_fine && name.chars().count() <= LONGEST {
                true => Ok(RemarkLine { name, equity, half }),
                false => Err(invalid("numbers, and names of at most 80 characters")),
            }
        };
        let lines = self.lines.into_iter().map(line).collect::<Result<_, _>>()?;
        Ok(Remark::Rollout { games: self.games, plies: self.plies, lines })
    }
}

/// The page of an analysis with all notes on its decisions, and with the rollouts that are sent.
#[utoipa::path(post, operation_id = "export_page", path = "/api/v1/analyses/{id}/page", tag = "analyses", params(("id" = String, Path)), request_body = PageRequest, responses(
    (status = 200, description = "A page", body = String, content_type = "text/html"),
    (status = 400, description = "A rollout that is none", body = ErrorAnswer),
    (status = 404, description = "There is no such upload, or no page yet", body = ErrorAnswer)))]
pub(crate) async fn page(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(request): Body<PageRequest>,
) -> Result<impl IntoResponse, ApiError> {
    if request.rollouts.len() > MOST[0] {
        return Err(ApiError::invalid("too many rollouts: expected at most 100"));
    }
    if !is_name(&id) {
        return Err(unknown(&id));
    }
    let attachment = format!("attachment; filename=\"{id}-{PAGE}\"");
    let shared = Arc::clone(&app);
    let page = app.work.quick(move || {
        let row = shared.analyses.row(&id).ok_or_else(|| unknown(&id))?;
        let folder = shared.analyses.folder(&id);
        let page = folder.read(PAGE).ok_or_else(|| unknown(&id))?;
        let page = String::from_utf8(page).map_err(ApiError::failed)?;
        let is_single = row.matches.len() == 1;
        let place = |place: DecisionPlace| {
            let DecisionPlace { of_match, game, decision } = place;
            RemarkPlace { of_match: (!is_single).then_some(of_match), game, decision }
        };
        let notes = Note::all(&folder).into_iter();
        let mut remarks: Vec<(RemarkPlace, Remark)> =
            notes.map(|note| (place(note.place), Remark::Note(note.text))).collect();
        for rollout in request.rollouts {
            remarks.push((place(rollout.place), rollout.remark()?));
        }
        Ok::<_, ApiError>(with_remarks(&page, &remarks))
    });
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, attachment),
        (header::CONTENT_SECURITY_POLICY, PAGE_POLICY.to_owned()),
    ];
    Ok((headers, page.await??))
}
