//! Rollouts whose intervals shrink while one looks on: server-sent events until the games are
//! played or the client goes.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use futures_util::stream::{BoxStream, Stream, unfold};
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, watch};
use utoipa::ToSchema;
use web_time::Instant;

use crate::defaults;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::Body;
use crate::positions::{net, plies};
use crate::{App, Workers};
use nonet_engine::engine::Engine;
use nonet_engine::progress::Progress;
use nonet_engine::rollout::{RolloutConfig, RolloutSums};
use nonet_engine::search::Plies;
use nonet_report::answer::{RolloutAnswer, RolloutOptions, RolloutQuestion, read_question};

/// Asks for a rollout.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RolloutRequest {
    /// Position ID, GNU ID or XGID.
    #[schema(example = "4HPwATDgc/ABMA")]
    id: String,
    /// The roll whose best plays are rolled out; that of the ID if it is left out. Without a roll
    /// the position is rolled out.
    #[schema(example = "31")]
    dice: Option<String>,
    /// Rolls out both sides of the cube decision instead.
    #[serde(default)]
    cube: bool,
    /// Without the cube.
    #[serde(default)]
    cubeless: bool,
    /// The number of best plays, 1 to 10.
    #[schema(minimum = 1, maximum = 10, default = defaults::rollout_plays)]
    plays: Option<usize>,
    /// One more play that is rolled out, such as the one that was made.
    #[schema(example = "24/20")]
    also: Option<String>,
    /// Games of each, at most 100000.
    #[schema(minimum = 1, maximum = 100_000, default = defaults::rollout_games)]
    games: Option<u64>,
    /// Plies after which games are cut off, 0 to play to the end.
    #[schema(format = "uint32", maximum = 4_294_967_295_u32, default = defaults::truncate)]
    truncate: Option<u32>,
    /// Search depth of plays, 1 to 3.
    #[schema(minimum = 1, maximum = 3, default = defaults::rollout_ply)]
    ply: Option<u8>,
    /// Seed of the dice.
    #[schema(format = "uint64", maximum = 18_446_744_073_709_551_615_u64, default = defaults::seed)]
    seed: Option<u64>,
    /// A net by name, or a training run (its best net).
    #[schema(default = defaults::net)]
    net: Option<String>,
}

/// How a rollout stands.
#[derive(Clone)]
enum Standing {
    Begun,
    Playing(Arc<RolloutAnswer>),
    Done(Arc<RolloutAnswer>),
}

/// Games of each line between two looks at the client: each first roll once.
const STEP: u64 = 36;

/// Time between two events.
const PAUSE: Duration = Duration::from_millis(150);

/// A rollout, as server-sent events: `progress` while games are played, then `done`, each with the
/// answer so far. It ends when the client closes the connection.
#[utoipa::path(post, path = "/api/v1/rollout", tag = "positions", request_body = RolloutRequest, responses(
    (status = 200, description = "Events `progress` and `done`; the data of each is the answer so far", body = RolloutAnswer, content_type = "text/event-stream"),
    (status = 400, description = "An invalid ID, roll or limit", body = ErrorAnswer),
    (status = 503, description = "Other rollouts or analyses take all places", body = ErrorAnswer)))]
pub(super) async fn rollout(
    State(app): State<Arc<App>>,
    Body(request): Body<RolloutRequest>,
) -> Result<Response, ApiError> {
    let question = read_question(&request.id, request.dice.as_deref())?;
    let most = app.config.limits.games;
    let config = RolloutConfig {
        games: request.games.unwrap_or(defaults::rollout_games()),
        truncate: Some(request.truncate.unwrap_or(defaults::truncate())).filter(|plies| *plies > 0),
        plies: plies(request.ply, defaults::rollout_ply())?,
        seed: request.seed.unwrap_or(defaults::seed()),
        ..RolloutConfig::default()
    };
    if !(1..=most).contains(&config.games) {
        return Err(ApiError::invalid(format!(
            "invalid games {}: expected 1 to {most}",
            config.games
        )));
    }
    if config.plies == Plies::FOUR {
        return Err(ApiError::invalid("invalid ply '4': rollouts play at 1 to 3"));
    }
    let plays = request.plays.unwrap_or(defaults::rollout_plays());
    if !(1..=10).contains(&plays) {
        return Err(ApiError::invalid(format!("invalid plays {plays}: expected 1 to 10")));
    }
    let also = match (request.also.as_deref(), question.dice()) {
        (Some(play), Some(dice)) => {
            Some(question.position.read_play(play, dice).map_err(ApiError::invalid)?.after)
        }
        _ => None,
    };
    let RolloutRequest { cube, cubeless, .. } = request;
    let options = RolloutOptions { cube, cubeless, plays, also };
    let engines = net(&app, request.net).await?;
    let place = app.work.slow_place().await?;
    let begin = move || {
        let task =
            RolloutQuestion::new(engines.at(RolloutConfig::CHOOSING_PLIES), question, options)?;
        Ok::<_, ApiError>(Rolling::new(engines.at(Plies::FOUR).clone(), task, config))
    };
    // Errors of the question are found before the stream begins.
    let events: BoxStream<_> = if app.config.workers == Workers::Threads {
        let rolling = tokio::task::spawn_blocking(begin).await.map_err(ApiError::failed)??;
        on_a_thread(rolling, place).boxed()
    } else {
        let rolling = begin()?;
        // Whoever reads on has the next games played.
        unfold(Some((rolling, place)), |rolling| async {
            let (mut rolling, place) = rolling?;
            while rolling.play() {
                if rolling.is_time_to_tell() {
                    let event = event("progress", &rolling.answer())?;
                    return Some((Ok(event), Some((rolling, place))));
                }
            }
            Some((Ok(event("done", &rolling.answer())?), None))
        })
        .boxed()
    };
    let events = Sse::new(events);
    // Only a server has the clock that keeps a quiet stream open.
    #[cfg(feature = "server")]
    if app.config.workers == Workers::Threads {
        return Ok(events.keep_alive(axum::response::sse::KeepAlive::default()).into_response());
    }
    Ok(events.into_response())
}

/// A rollout that is played in steps; each continues the games of the one before.
struct Rolling {
    engine: Engine,
    task: RolloutQuestion,
    config: RolloutConfig,
    sums: Vec<RolloutSums>,
    games: u64,
    started: Instant,
    told: Instant,
}

impl Rolling {
    fn new(engine: Engine, task: RolloutQuestion, config: RolloutConfig) -> Rolling {
        let sums = vec![RolloutSums::default(); task.lines().len()];
        let started = Instant::now();
        Rolling { engine, task, config, sums, games: 0, started, told: started }
    }

    /// Plays the next step; whether there are more.
    fn play(&mut self) -> bool {
        self.games = (self.games + STEP).min(self.config.games);
        let step = RolloutConfig { games: self.games, ..self.config };
        let (lines, progress) = (self.task.lines(), Progress::default());
        let mut go_on = |_: &[RolloutSums]| false;
        self.engine.rollout_together(lines, &step, &mut self.sums, &mut go_on, &progress);
        self.games < self.config.games
    }

    /// Whether the last event is long ago.
    fn is_time_to_tell(&mut self) -> bool {
        let due = self.told.elapsed() >= PAUSE;
        if due {
            self.told = Instant::now();
        }
        due
    }

    fn answer(&self) -> RolloutAnswer {
        let seconds = self.started.elapsed().as_secs_f64();
        self.task.answer(&self.config, &self.sums, seconds)
    }
}

fn event(name: &str, answer: &RolloutAnswer) -> Option<Event> {
    Event::default().event(name).json_data(answer).ok()
}

/// Rolls out on a thread until the end, or until nobody listens.
fn on_a_thread(
    mut rolling: Rolling,
    place: OwnedSemaphorePermit,
) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    let (teller, listener) = watch::channel(Standing::Begun);
    tokio::task::spawn_blocking(move || {
        while !teller.is_closed() {
            let more = rolling.play();
            if !more {
                teller.send_replace(Standing::Done(Arc::new(rolling.answer())));
                break;
            }
            if rolling.is_time_to_tell() {
                teller.send_replace(Standing::Playing(Arc::new(rolling.answer())));
            }
        }
        drop(place);
    });
    unfold(Some(listener), |listener| async {
        let mut listener = listener?;
        listener.changed().await.ok()?;
        let standing = listener.borrow_and_update().clone();
        let (name, answer, goes_on) = match standing {
            Standing::Begun => return None,
            Standing::Playing(answer) => ("progress", answer, true),
            Standing::Done(answer) => ("done", answer, false),
        };
        Some((Ok(event(name, &answer)?), goes_on.then_some(listener)))
    })
}
