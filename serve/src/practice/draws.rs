//! New positions for practice and for a test: server-sent events until they are drawn or the client
//! goes.

use std::convert::Infallible;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use futures_util::stream::{BoxStream, Stream, unfold};
use nonet_engine::engine::Engine;
use nonet_engine::progress::Progress;
use nonet_practice::{Card, Deck, DeckFile, Draw, MOST_DRAWN, PracticeTest, TEST_QUESTIONS};
use tokio::sync::{OwnedSemaphorePermit, watch};
use web_time::Instant;

use super::cards::{folder, now};
use super::views::{PracticeDraw, PracticeDrawFrom, PracticeDrawn};
use crate::analysis::analysis_jobs::engine_at;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::Body;
use crate::work::blocking;
use crate::{App, Workers, defaults, positions};

/// Time between two events.
const PAUSE: Duration = Duration::from_millis(300);

/// Draws new positions of the kinds that have cost a player most, as server-sent events:
/// `progress`, then `done`, or `failed` with an error. A player without a mistake in a match gets
/// five frequent kinds. Each position waits for an answer at once; closing the connection ends the
/// work. `GET /practice` has them as `new`.
#[utoipa::path(post, operation_id = "draw_positions", path = "/api/v1/practice/positions", tag = "practice", request_body = PracticeDraw, responses(
    (status = 200, description = "Events `progress` and `done`: how many positions are drawn", body = PracticeDrawn, content_type = "text/event-stream"),
    (status = 400, description = "An invalid number or depth", body = ErrorAnswer),
    (status = 409, description = "Too many new positions wait for an answer", body = ErrorAnswer),
    (status = 503, description = "Other slow work takes all places", body = ErrorAnswer)))]
pub(crate) async fn positions(
    State(app): State<Arc<App>>,
    Body(asked): Body<PracticeDraw>,
) -> Result<Response, ApiError> {
    begin(app, asked, false).await
}

/// Draws a test of new positions, as server-sent events: `progress`, then `done`, or `failed` with
/// an error. A test after the first one has other positions of the same kinds. Closing the
/// connection ends the work without a test. `GET /practice` has the open test as `test`.
#[utoipa::path(post, operation_id = "draw_test", path = "/api/v1/practice/tests", tag = "practice", request_body = PracticeDraw, responses(
    (status = 200, description = "Events `progress` and `done`: how many positions are drawn", body = PracticeDrawn, content_type = "text/event-stream"),
    (status = 400, description = "An invalid number or depth", body = ErrorAnswer),
    (status = 409, description = "A test is open", body = ErrorAnswer),
    (status = 503, description = "Other slow work takes all places", body = ErrorAnswer)))]
pub(crate) async fn test(
    State(app): State<Arc<App>>,
    Body(asked): Body<PracticeDraw>,
) -> Result<Response, ApiError> {
    begin(app, asked, true).await
}

async fn begin(app: Arc<App>, asked: PracticeDraw, is_test: bool) -> Result<Response, ApiError> {
    let plies = positions::many_at(asked.ply, defaults::ply(), "new positions")?;
    let usual = if is_test { TEST_QUESTIONS } else { defaults::new_positions() };
    let wanted = asked.count.unwrap_or(usual);
    if !(1..=MOST_DRAWN).contains(&wanted) {
        let message = format!("invalid count {wanted}: expected 1 to {MOST_DRAWN}");
        return Err(ApiError::invalid(message));
    }
    let place = app.work.slow_place().await?;
    let workers = app.config.workers;
    let seed = asked.seed.unwrap_or_else(|| now().unsigned_abs());
    let begin = move || {
        if asked.player.trim().is_empty() {
            return Err(ApiError::invalid("invalid player '': expected a name"));
        }
        // Somebody without a file begins with a deck without cards.
        let deck = DeckFile::read(&folder(&app), &asked.player)?;
        let deck = deck.unwrap_or_else(|| Deck::new(&asked.player));
        if is_test && deck.open_test().is_some() {
            return Err(test_is_open());
        }
        if !is_test && deck.can_wait() < wanted {
            let message = format!("{} new positions wait: answer them first", deck.drawn.len());
            return Err(ApiError::conflict(message).coded("many-positions"));
        }
        let draw = match (is_test, asked.from) {
            (true, _) => Draw::for_test(&deck, seed),
            (false, PracticeDrawFrom::Costliest) => Draw::of_costliest(&deck, seed),
            (false, PracticeDrawFrom::Openings) => Draw::of_openings(&deck, seed),
        };
        let engine = engine_at(app.nets.built_in(), [plies; 2]);
        let (player, cards, told) = (deck.player, Vec::new(), Instant::now());
        Ok::<_, ApiError>(Drawing { app, player, engine, draw, is_test, wanted, seed, cards, told })
    };
    let events: BoxStream<_> = if workers == Workers::Threads {
        let drawing = blocking(begin).await??;
        on_a_thread(drawing, place).boxed()
    } else {
        // Whoever reads on has the next games looked through.
        unfold(Some((begin()?, place)), |drawing| async {
            let (mut drawing, place) = drawing?;
            loop {
                match drawing.step() {
                    Ok(false) => return Some((Ok(event(&drawing.standing(true))?), None)),
                    Err(error) => {
                        return Some((Ok(event(&Standing::Failed(error.answer()))?), None));
                    }
                    Ok(true) if drawing.is_time_to_tell() => {
                        let event = event(&drawing.standing(false))?;
                        return Some((Ok(event), Some((drawing, place))));
                    }
                    Ok(true) => {}
                }
            }
        })
        .boxed()
    };
    let events = Sse::new(events);
    // Only a server has the clock that keeps a quiet stream open.
    #[cfg(feature = "server")]
    if workers == Workers::Threads {
        return Ok(events.keep_alive(axum::response::sse::KeepAlive::default()).into_response());
    }
    Ok(events.into_response())
}

fn test_is_open() -> ApiError {
    ApiError::conflict("a test is open: answer its questions first").coded("test-open")
}

/// How a drawing stands.
#[derive(Clone)]
enum Standing {
    Drawing(PracticeDrawn),
    Done(PracticeDrawn),
    Failed(ErrorAnswer),
}

fn event(standing: &Standing) -> Option<Event> {
    let (name, event) = match standing {
        Standing::Drawing(drawn) => ("progress", Event::default().json_data(drawn)),
        Standing::Done(drawn) => ("done", Event::default().json_data(drawn)),
        Standing::Failed(error) => ("failed", Event::default().json_data(error)),
    };
    Some(event.ok()?.event(name))
}

/// Positions that are drawn game by game.
struct Drawing {
    app: Arc<App>,
    player: String,
    engine: Engine,
    draw: Draw,
    is_test: bool,
    wanted: usize,
    seed: u64,
    cards: Vec<Card>,
    told: Instant,
}

impl Drawing {
    /// Looks through the next game; whether there is more to do.
    fn step(&mut self) -> Result<bool, ApiError> {
        if let Some(card) = self.draw.step(&self.engine, &Progress::default()) {
            if !self.is_test {
                self.keep(|deck| {
                    deck.keep_drawn(vec![card.clone()]);
                    Ok(())
                })?;
            }
            self.cards.push(card);
        }
        if self.cards.len() < self.wanted && !self.draw.is_over() {
            return Ok(true);
        }
        if self.is_test {
            self.keep_test()?;
        }
        Ok(false)
    }

    fn keep_test(&mut self) -> Result<(), ApiError> {
        let (found, wanted) = (self.cards.len(), self.wanted);
        if found < wanted {
            let message = format!(
                "only {found} of {wanted} positions for a test were found in self-play: take up \
                 more matches, or ask for fewer"
            );
            return Err(ApiError::missing(message).coded("few-positions"));
        }
        let test = PracticeTest::new(std::mem::take(&mut self.cards), self.seed, now());
        self.keep(|deck| match deck.open_test() {
            Some(_) => Err(test_is_open()),
            None => {
                deck.tests.push(test);
                Ok(())
            }
        })
    }

    fn keep(&self, change: impl FnOnce(&mut Deck) -> Result<(), ApiError>) -> Result<(), ApiError> {
        let _changing = self.app.practice.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, mut deck) = DeckFile::open(&folder(&self.app), &self.player)?;
        change(&mut deck)?;
        Ok(file.save(&deck)?)
    }

    /// Whether the last event is long ago.
    fn is_time_to_tell(&mut self) -> bool {
        let due = self.told.elapsed() >= PAUSE;
        if due {
            self.told = Instant::now();
        }
        due
    }

    fn standing(&self, is_done: bool) -> Standing {
        let drawn = if is_done && self.is_test { self.wanted } else { self.cards.len() };
        let drawn = PracticeDrawn { drawn, wanted: self.wanted, seed: self.seed };
        if is_done { Standing::Done(drawn) } else { Standing::Drawing(drawn) }
    }
}

/// Draws on a thread until the end, or until no client listens.
fn on_a_thread(
    mut drawing: Drawing,
    place: OwnedSemaphorePermit,
) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    let (teller, listener) = watch::channel(drawing.standing(false));
    tokio::task::spawn_blocking(move || {
        while !teller.is_closed() {
            match drawing.step() {
                Ok(true) if drawing.is_time_to_tell() => {
                    teller.send_replace(drawing.standing(false));
                }
                Ok(true) => {}
                Ok(false) => {
                    teller.send_replace(drawing.standing(true));
                    break;
                }
                Err(error) => {
                    teller.send_replace(Standing::Failed(error.answer()));
                    break;
                }
            }
        }
        drop(place);
    });
    unfold(Some(listener), |listener| async {
        let mut listener = listener?;
        listener.changed().await.ok()?;
        let standing = listener.borrow_and_update().clone();
        let goes_on = matches!(standing, Standing::Drawing(_));
        Some((Ok(event(&standing)?), goes_on.then_some(listener)))
    })
}
