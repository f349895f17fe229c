//! Rollouts whose intervals shrink while one looks on: server-sent events until the games are
//! played or the client goes.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use tokio::sync::watch;
use utoipa::ToSchema;

use crate::App;
use crate::defaults;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::Body;
use crate::positions::{net, plies};
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
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
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
    let (teller, listener) = watch::channel(Standing::Begun);
    // Errors of the question are found before the stream begins.
    let (engine, task) = tokio::task::spawn_blocking(move || {
        let task =
            RolloutQuestion::new(engines.at(RolloutConfig::CHOOSING_PLIES), question, options)?;
        Ok::<_, ApiError>((engines.at(Plies::FOUR).clone(), task))
    })
    .await
    .map_err(ApiError::failed)??;
    tokio::task::spawn_blocking(move || {
        let started = Instant::now();
        let mut sums = vec![RolloutSums::default(); task.lines().len()];
        let answer = |sums: &[RolloutSums]| {
            Arc::new(task.answer(&config, sums, started.elapsed().as_secs_f64()))
        };
        let (mut last, mut games) = (started, 0);
        // In steps, for whoever looks on or goes; each continues the games of the one before.
        while games < config.games && !teller.is_closed() {
            games = (games + STEP).min(config.games);
            let step = RolloutConfig { games, ..config };
            let mut go_on = |_: &[RolloutSums]| false;
            let progress = Progress::default();
            engine.rollout_together(task.lines(), &step, &mut sums, &mut go_on, &progress);
            if last.elapsed() >= PAUSE {
                last = Instant::now();
                teller.send_replace(Standing::Playing(answer(&sums)));
            }
        }
        // Without a game the client has gone at once.
        if games > 0 {
            teller.send_replace(Standing::Done(answer(&sums)));
        }
        drop(place);
    });
    let events = unfold(Some(listener), |listener| async {
        let mut listener = listener?;
        listener.changed().await.ok()?;
        let standing = listener.borrow_and_update().clone();
        let (name, answer, goes_on) = match standing {
            Standing::Begun => return None,
            Standing::Playing(answer) => ("progress", answer, true),
            Standing::Done(answer) => ("done", answer, false),
        };
        let event = Event::default().event(name).json_data(&*answer).ok()?;
        Some((Ok(event), goes_on.then_some(listener)))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}
