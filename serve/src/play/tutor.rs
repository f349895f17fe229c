//! The tutor: what a decision would lose before it is made.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::App;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::{Body, Path};
use crate::play::match_table::{ActionName, MatchAction};
use crate::play::matches::copy_of;
use nonet_engine::analysis::Severity;
use nonet_engine::cube::CubeContext;
use nonet_practice::judge;
use nonet_report::person_match::PersonMatch;

/// What a decision would lose.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct JudgedAction {
    /// In points on a cube at 1, 0 or more.
    pub(crate) loss: f32,
    /// The same as a share of the match, 0..1: how much the chance to win it falls; null for money.
    pub(crate) match_loss: Option<f32>,
    /// `?!`, `?`, `??`, or empty.
    pub(crate) mark: &'static str,
    /// The decision in words.
    #[schema(example = "24/23 13/10")]
    pub(crate) decision: String,
    /// The best decision in words.
    #[schema(example = "8/5 6/5")]
    pub(crate) best: String,
    /// The position of the decision as XGID, for `POST /api/v1/why` and `/why/cube`.
    pub(crate) xgid: String,
    /// From which loss on a tutor stops a decision unless the person has chosen another one.
    #[schema(example = 0.04)]
    pub(crate) limit: f32,
}

/// Says what a decision of the person would lose, and makes none. Decisions without a choice lose
/// nothing.
#[utoipa::path(post, path = "/api/v1/matches/{id}/judge", tag = "matches", params(("id" = String, Path)), request_body = MatchAction, responses(
    (status = 200, description = "The loss and the best decision", body = JudgedAction),
    (status = 400, description = "The action is not legal, or no decision", body = ErrorAnswer),
    (status = 404, description = "There is no such match", body = ErrorAnswer)))]
pub(crate) async fn judge_action(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(action): Body<MatchAction>,
) -> Result<Json<JudgedAction>, ApiError> {
    let shared = Arc::clone(&app);
    let judged = app.work.quick(move || of_action(&copy_of(&shared, &id)?, &action));
    Ok(Json(judged.await??))
}

fn of_action(game: &PersonMatch, action: &MatchAction) -> Result<JudgedAction, ApiError> {
    let words = match action.action {
        ActionName::Roll => "roll",
        ActionName::Double => "double",
        ActionName::Take => "take",
        ActionName::Beaver => "beaver",
        ActionName::Pass => "pass",
        ActionName::Play => action.play.as_deref().unwrap_or_default(),
        ActionName::Resign | ActionName::Undo | ActionName::NextGame => {
            return Err(ApiError::invalid("there is nothing to judge: expected a decision"));
        }
    };
    let (session, limit) = (game.session(), PersonMatch::TUTOR_LIMIT);
    let xgid = session.xgid();
    if !game.is_choice() {
        let same = || words.to_owned();
        return Ok(JudgedAction {
            loss: 0.0,
            match_loss: None,
            mark: "",
            decision: same(),
            best: same(),
            xgid,
            limit,
        });
    }
    let judged = judge(game.engine(), &session.state(), words).map_err(ApiError::invalid)?;
    let (mark, loss) = (Severity::of(judged.loss).symbol(), judged.loss);
    let match_loss = share_of_match(game, judged.loss);
    let (decision, best) = (judged.answer, judged.best);
    Ok(JudgedAction { loss, match_loss, mark, decision, best, xgid, limit })
}

/// A loss of equity as a share of the match; `None` for money.
fn share_of_match(game: &PersonMatch, loss: f32) -> Option<f32> {
    let state = game.session().state().state;
    let CubeContext { scoring, cube } = game.engine().context(state.scoring, state.cube).ok()?;
    scoring.score()?;
    let worth = |equity| scoring.utility_of_equity(equity, cube.value());
    Some(worth(loss) - worth(0.0))
}
