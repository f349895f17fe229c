//! The cards of a player: those that are due, answers, and matches that are taken up.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use nonet_practice::{
    CardOrigin, Deck, DeckError, DeckFile, Figure, Grade, JudgeError, PracticeOverview,
    PracticeSession, decks_in, judge_card, why_best,
};

use super::views::{
    PracticeAnswer, PracticeCard, PracticeEquity, PracticeMatch, PracticeQuestion, PracticeReply,
    PracticeTaken, PracticeTestState, PracticeVerdict,
};
use crate::App;
use crate::analysis::analysis_jobs::engine_at;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::{Body, Params};
use crate::{defaults, positions};

impl From<DeckError> for ApiError {
    fn from(error: DeckError) -> ApiError {
        match error {
            DeckError::InUse { .. } => ApiError::conflict(error).coded("cards-in-use"),
            DeckError::Newer { .. } | DeckError::Store(_) => ApiError::failed(error),
        }
    }
}

const DAY: i64 = 86_400;
/// The most cards of an answer.
const MOST: usize = 100;

pub(super) fn folder(app: &App) -> PathBuf {
    app.config.data.join("practice")
}

pub(super) fn now() -> i64 {
    Timestamp::now().as_second()
}

/// The cards that are due and the new positions that wait, without their answers, the open test,
/// and the deck in numbers.
#[utoipa::path(get, operation_id = "show_practice", path = "/api/v1/practice", tag = "practice", params(PracticeQuestion), responses(
    (status = 200, description = "The cards that are due; none of a player without a deck", body = PracticeAnswer)))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Params(asked): Params<PracticeQuestion>,
) -> Result<Json<PracticeAnswer>, ApiError> {
    let folder = folder(&app);
    let found = app.work.quick(move || {
        let players: Vec<String> =
            decks_in(&folder)?.decks.into_iter().map(|deck| deck.player).collect();
        let deck = match asked.player.as_ref().or(players.first()) {
            Some(player) => DeckFile::read(&folder, player)?,
            None => None,
        };
        let Some(deck) = deck else {
            let (cards, new, missed) = (Vec::new(), Vec::new(), Vec::new());
            let (overview, test) = (None, None);
            return Ok(PracticeAnswer { players, overview, cards, new, missed, test });
        };
        let most = asked.cards.unwrap_or(PracticeSession::CARDS).min(MOST);
        let cards = deck.due(now()).into_iter().filter_map(PracticeCard::of).take(most).collect();
        let new = deck.drawn.iter().filter_map(PracticeCard::of).take(most).collect();
        let test = deck.open_test().map(PracticeTestState::of);
        let overview = PracticeOverview::of(&deck, now());
        let missed = overview.missed.iter().filter_map(|missed| deck.card(&missed.xgid));
        let missed = missed.filter_map(PracticeCard::of).collect();
        let overview = Some(overview);
        Ok::<_, ApiError>(PracticeAnswer { players, overview, cards, new, missed, test })
    });
    Ok(Json(found.await??))
}

/// The deck of a player as it stands.
pub(super) fn read(folder: &Path, player: &str) -> Result<Deck, ApiError> {
    let missing =
        || ApiError::missing(format!("there are no cards of '{player}'")).coded("no-cards");
    DeckFile::read(folder, player)?.ok_or_else(missing)
}

/// Why an answer is refused.
pub(super) fn refused(error: JudgeError) -> ApiError {
    match error {
        JudgeError::Engine(error) => error.into(),
        JudgeError::Play(error) => ApiError::invalid(error).coded("bad-play"),
        error => ApiError::invalid(error),
    }
}

/// Judges an answer to a card or to a new position, keeps it, and says why the best decision is
/// better. Of answers to one question that are sent at once only one is kept.
#[utoipa::path(post, operation_id = "answer_card", path = "/api/v1/practice/answers", tag = "practice", request_body = PracticeReply, responses(
    (status = 200, description = "What the answer was worth", body = PracticeVerdict),
    (status = 400, description = "An answer that is not understood or not legal", body = ErrorAnswer),
    (status = 404, description = "There is no such card", body = ErrorAnswer),
    (status = 409, description = "Another program practises as this player", body = ErrorAnswer)))]
pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    Body(reply): Body<PracticeReply>,
) -> Result<Json<PracticeVerdict>, ApiError> {
    let plies = positions::many_at(reply.ply, defaults::ply(), "answers")?;
    // Requests that are sent at once wait for places; all of them answer this deck.
    let (decks, player, xgid) = (folder(&app), reply.player.clone(), reply.xgid.clone());
    let asked = app.work.quick(move || {
        let deck = read(&decks, &player)?;
        let card = deck.card(&xgid).cloned();
        let card = card.ok_or_else(|| ApiError::missing("there is no such card"))?;
        Ok::<_, ApiError>((deck.answers_to(&xgid), card))
    });
    let (before, card) = asked.await??;
    let shared = Arc::clone(&app);
    let done = app.work.slow(move || {
        let engine = engine_at(shared.nets.built_in(), [plies; 2]);
        let judged = judge_card(&engine, &card, &reply.answer).map_err(refused)?;
        let why = why_best(&engine, &card, &judged);
        let now = now();
        let _changing = shared.practice.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, mut deck) = DeckFile::open(&folder(&shared), &reply.player)?;
        let memory = deck.answered_once(&card, &judged, before, now);
        file.save(&deck)?;
        let (opponent, game, roll) = match &card.origin {
            CardOrigin::Match { opponent, game, roll, .. } => {
                (Some(opponent.clone()), Some(*game), Some(*roll))
            }
            CardOrigin::SelfPlay => (None, None, None),
        };
        let equity = |figure: Figure| PracticeEquity {
            decision: figure.decision,
            equity: figure.equity,
            plies: figure.plies.get(),
        };
        let (loss, made_loss) = (judged.loss, card.loss);
        Ok::<_, ApiError>(PracticeVerdict {
            right: judged.grade != Grade::Again,
            answer: judged.answer,
            best: judged.best,
            loss,
            equities: judged.equities.into_iter().map(equity).collect(),
            why,
            kind: card.kind.words(),
            made: card.made,
            made_loss,
            opponent,
            game,
            roll,
            days: memory.map(|memory| memory.due.saturating_sub(now) / DAY),
        })
    });
    Ok(Json(done.await??))
}

/// Takes up the mistakes of a player in an analysis as cards.
#[utoipa::path(post, operation_id = "practise_match", path = "/api/v1/practice/matches", tag = "practice", request_body = PracticeMatch, responses(
    (status = 200, description = "What was taken up", body = PracticeTaken),
    (status = 404, description = "There is no such analysis, or the player is not in it", body = ErrorAnswer),
    (status = 409, description = "Another program practises as this player", body = ErrorAnswer)))]
pub(crate) async fn take_up(
    State(app): State<Arc<App>>,
    Body(asked): Body<PracticeMatch>,
) -> Result<Json<PracticeTaken>, ApiError> {
    let shared = Arc::clone(&app);
    let done = app.work.quick(move || {
        let all = shared.analyses.mistakes(&asked.analysis)?;
        let wanted = asked.player.to_lowercase();
        let own: Vec<_> = all.iter().filter(|one| one.player.to_lowercase() == wanted).collect();
        let Some(first) = own.first() else {
            let message = format!("'{}' does not play in this analysis", asked.player);
            return Err(ApiError::missing(message).coded("no-cards"));
        };
        let _changing = shared.practice.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, mut deck) = DeckFile::open(&folder(&shared), &first.player)?;
        let added = own.iter().map(|one| deck.take_up(&one.mistakes).added).sum();
        file.save(&deck)?;
        Ok(PracticeTaken {
            player: deck.player.clone(),
            matches: own.len(),
            added,
            cards: deck.cards.len(),
        })
    });
    Ok(Json(done.await??))
}
