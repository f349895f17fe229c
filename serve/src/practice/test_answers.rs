//! Answers to a test: each is kept, and all are told at the end.

use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::extract::State;
use nonet_practice::{DeckFile, PracticeTest, judge_card};

use super::cards::{folder, now, read, refused};
use super::views::{PracticeCard, PracticeReply, PracticeTestAnswer, PracticeTestState};
use crate::App;
use crate::analysis::analysis_jobs::engine_at;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::Body;
use crate::{defaults, positions};

/// Keeps an answer to the question that the open test asks. The last answer ends the test, and then
/// all are told.
#[utoipa::path(post, operation_id = "answer_test", path = "/api/v1/practice/tests/answers", tag = "practice", request_body = PracticeReply, responses(
    (status = 200, description = "How the test stands; after the last answer all of them", body = PracticeTestState),
    (status = 400, description = "An answer that is not understood or not legal", body = ErrorAnswer),
    (status = 404, description = "No test asks this", body = ErrorAnswer),
    (status = 409, description = "Another program practises as this player", body = ErrorAnswer)))]
pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    Body(reply): Body<PracticeReply>,
) -> Result<Json<PracticeTestState>, ApiError> {
    let plies = positions::many_at(reply.ply, defaults::ply(), "answers")?;
    let shared = Arc::clone(&app);
    let done = app.work.slow(move || {
        let engine = engine_at(shared.nets.built_in(), [plies; 2]);
        let folder = folder(&shared);
        let missing = || ApiError::missing("no open test asks this").coded("no-test");
        let asks =
            |test: &PracticeTest| test.card().filter(|card| card.xgid == reply.xgid).cloned();
        let deck = read(&folder, &reply.player)?;
        let card = deck.open_test().and_then(asks).ok_or_else(missing)?;
        let judged = judge_card(&engine, &card, &reply.answer).map_err(refused)?;
        let _changing = shared.practice.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, mut deck) = DeckFile::open(&folder, &reply.player)?;
        if deck.open_test().and_then(asks).is_none() {
            return Err(missing());
        }
        deck.test_answered(&judged, now());
        file.save(&deck)?;
        Ok(deck.tests.last().map(PracticeTestState::of))
    });
    let state = done.await??;
    Ok(Json(state.ok_or_else(|| ApiError::missing("there is no test"))?))
}

impl PracticeTestState {
    /// How a test stands; its answers are told at the end.
    pub(super) fn of(test: &PracticeTest) -> PracticeTestState {
        let row = |question: &nonet_practice::TestQuestion| {
            let answer = question.answer.clone()?;
            Some(PracticeTestAnswer {
                xgid: question.card.xgid.clone(),
                kind: question.card.kind.words(),
                answer: answer.answer,
                best: question.card.best.clone(),
                loss: answer.loss,
            })
        };
        let told = test.is_done().then(|| test.questions.iter().filter_map(row).collect());
        PracticeTestState {
            questions: test.questions.len(),
            answered: test.answered(),
            seed: test.seed,
            card: test.card().and_then(PracticeCard::of),
            result: test.result(),
            answers: told,
        }
    }
}
