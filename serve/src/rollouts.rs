//! Rollouts as server-sent events: their intervals shrink until the games are played or the client
//! goes.

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
use crate::kept_rollouts::KeptRollout;
use crate::play::level;
use crate::positions::{net, plies};
use crate::work::{WhileAwaited, blocking};
use crate::{App, Workers};
use nonet_engine::backgammon::{GameState, Position};
use nonet_engine::engine::{Engine, Level};
use nonet_engine::progress::Progress;
use nonet_engine::rollout::{RolloutConfig, RolloutLine, RolloutSums};
use nonet_engine::search::Plies;
use nonet_report::answer::{
    RolloutAnswer, RolloutOptions, RolloutQuestion, StrengthQuestion, StrengthTable, read_question,
};

/// Asks for a rollout.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RolloutRequest {
    /// Position ID, GNU ID or XGID.
    #[schema(example = "4HPwATDgc/ABMA")]
    id: String,
    /// Rolls out the best plays of this roll; by default it is that of the ID. Without a roll the
    /// position is rolled out.
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
    /// Levels of the player who is asked and of the opponent.
    #[schema(example = json!(["champion", "human-11"]))]
    levels: Option<[String; 2]>,
    /// Games of each, at most 100000.
    #[schema(minimum = 1, maximum = 100_000, default = defaults::rollout_games)]
    games: Option<u64>,
    /// Plies after which games are cut off, 0 to play to the end.
    #[schema(format = "uint32", maximum = 4_294_967_295_u32, default = defaults::truncate)]
    truncate: Option<u32>,
    /// Search depth of plays, 1 to 3.
    #[schema(minimum = 1, maximum = 3, default = defaults::rollout_ply)]
    #[serde(alias = "plies")]
    ply: Option<u8>,
    /// Seed of the dice.
    #[schema(format = "uint64", maximum = 18_446_744_073_709_551_615_u64, default = defaults::seed)]
    seed: Option<u64>,
    /// A net by name, or a training run (its best net).
    #[schema(default = defaults::net)]
    net: Option<String>,
}

/// Asks for rollouts between players of all pairs of four levels.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StrengthRequest {
    /// Position ID, GNU ID or XGID.
    #[schema(example = "4HPwATDgc/ABMA")]
    id: String,
    /// Compares the best plays of this roll; by default it is that of the ID.
    #[schema(example = "64")]
    dice: Option<String>,
    /// Compares both sides of the cube decision instead.
    #[serde(default)]
    cube: bool,
    /// The number of best plays, 1 to 10.
    #[schema(minimum = 1, maximum = 10, default = defaults::strength_plays)]
    plays: Option<usize>,
    /// One more play that is compared, such as the one that was made.
    #[schema(example = "24/14")]
    also: Option<String>,
    /// Games of each play and pair of levels, at most 100000.
    #[schema(minimum = 1, maximum = 100_000, default = defaults::strength_games)]
    games: Option<u64>,
    /// Seed of dice and errors.
    #[schema(format = "uint64", maximum = 18_446_744_073_709_551_615_u64, default = defaults::seed)]
    seed: Option<u64>,
    /// A net by name, or a training run (its best net).
    #[schema(default = defaults::net)]
    net: Option<String>,
}

/// How a rollout stands; the answers are JSON.
#[derive(Clone)]
enum Standing {
    Begun,
    Playing(Arc<str>),
    Done(Arc<str>),
}

/// What is rolled out.
enum Task {
    Question(Box<RolloutQuestion>),
    Table(StrengthQuestion),
}

/// Games of each line between two looks at the client: each first roll once.
const STEP: u64 = 36;
/// The same for the many lines of a table.
const TABLE_STEP: u64 = 4;

/// Time between two events.
const PAUSE: Duration = Duration::from_millis(150);

/// A rollout, as server-sent events.
///
/// The events are `progress` while games are played, then `done`, each with the answer so far. The
/// rollout ends when the client closes the connection. The same question with more games goes on
/// from the games of the last rollouts. The answer is that of a rollout that begins anew.
#[utoipa::path(post, path = "/api/v1/rollout", tag = "positions", request_body = RolloutRequest, responses(
    (status = 200, description = "Events `progress` and `done`; the data of each is the answer so far", body = RolloutAnswer, content_type = "text/event-stream"),
    (status = 400, description = "An invalid ID, roll or limit", body = ErrorAnswer),
    (status = 503, description = "Other rollouts or analyses take all places", body = ErrorAnswer)))]
pub(super) async fn rollout(
    State(app): State<Arc<App>>,
    Body(request): Body<RolloutRequest>,
) -> Result<Response, ApiError> {
    let RolloutRequest { id, dice, cube, cubeless, plays, also, levels, games, net, .. } = request;
    let config = RolloutConfig {
        games: games_of(&app, games, defaults::rollout_games())?,
        truncate: Some(request.truncate.unwrap_or(defaults::truncate())).filter(|plies| *plies > 0),
        plies: plies(request.ply, defaults::rollout_ply())?,
        seed: request.seed.unwrap_or(defaults::seed()),
        ..RolloutConfig::default()
    };
    if config.plies == Plies::FOUR {
        return Err(ApiError::invalid("invalid ply '4': rollouts play at 1 to 3"));
    }
    let (question, also) = read(&id, dice.as_deref(), also.as_deref())?;
    let plays = plays_of(plays, defaults::rollout_plays())?;
    let options = RolloutOptions { cube, cubeless, plays, also };
    let levels = match levels {
        None => [Level::CHAMPION; 2],
        Some([own, other]) => [level(Some(&own))?, level(Some(&other))?],
    };
    let task = move |asked: RolloutQuestion| Task::Question(Box::new(asked.between(levels)));
    stream(&app, net, question, options, config, task).await
}

/// A decision for players of all pairs of four levels, as server-sent events: `progress` while
/// games are played, then `done`, each with the table so far. It ends when the client closes the
/// connection.
#[utoipa::path(post, path = "/api/v1/strengths", tag = "positions", request_body = StrengthRequest, responses(
    (status = 200, description = "Events `progress` and `done`; the data of each is the table so far", body = StrengthTable, content_type = "text/event-stream"),
    (status = 400, description = "An invalid ID, roll or limit", body = ErrorAnswer),
    (status = 503, description = "Other rollouts or analyses take all places", body = ErrorAnswer)))]
pub(super) async fn strengths(
    State(app): State<Arc<App>>,
    Body(request): Body<StrengthRequest>,
) -> Result<Response, ApiError> {
    let StrengthRequest { id, dice, cube, plays, also, games, seed, net } = request;
    let config = RolloutConfig {
        games: games_of(&app, games, defaults::strength_games())?,
        seed: seed.unwrap_or(defaults::seed()),
        ..RolloutConfig::default()
    };
    let (question, also) = read(&id, dice.as_deref(), also.as_deref())?;
    let plays = plays_of(plays, defaults::strength_plays())?;
    let options = RolloutOptions { cube, cubeless: false, plays, also };
    let task = |asked: RolloutQuestion| Task::Table(StrengthQuestion::new(&asked));
    stream(&app, net, question, options, config, task).await
}

/// The question, and the board after one more play.
fn read(
    id: &str,
    dice: Option<&str>,
    also: Option<&str>,
) -> Result<(GameState, Option<Position>), ApiError> {
    let question = read_question(id, dice)?;
    let also = match (also, question.dice()) {
        (Some(play), Some(dice)) => {
            Some(question.position.read_play(play, dice).map_err(ApiError::invalid)?.after)
        }
        _ => None,
    };
    Ok((question, also))
}

/// The number of games, within the limit of the server.
fn games_of(app: &App, games: Option<u64>, usual: u64) -> Result<u64, ApiError> {
    let (games, most) = (games.unwrap_or(usual), app.config.limits.games);
    if (1..=most).contains(&games) {
        return Ok(games);
    }
    Err(ApiError::invalid(format!("invalid games {games}: expected 1 to {most}")))
}

/// The number of best plays.
fn plays_of(plays: Option<usize>, usual: usize) -> Result<usize, ApiError> {
    let plays = plays.unwrap_or(usual);
    if (1..=10).contains(&plays) {
        return Ok(plays);
    }
    Err(ApiError::invalid(format!("invalid plays {plays}: expected 1 to 10")))
}

/// Rolls out, and tells how it stands.
async fn stream(
    app: &Arc<App>,
    net_name: Option<String>,
    question: GameState,
    options: RolloutOptions,
    config: RolloutConfig,
    task: impl FnOnce(RolloutQuestion) -> Task + Send + 'static,
) -> Result<Response, ApiError> {
    // The net of a training run changes under its name.
    let keeps = net_name.is_none().then(|| Arc::clone(app));
    let engines = net(app, net_name).await?;
    let place = app.work.slow_place().await?;
    let begin = move || {
        let key = format!("{question:?} {options:?}");
        let asked =
            RolloutQuestion::new(engines.at(RolloutConfig::CHOOSING_PLIES), question, options)?;
        let rolling = Rolling::new(engines.at(Plies::FOUR).clone(), task(asked), config);
        Ok::<_, ApiError>(match keeps {
            Some(app) => rolling.going_on(app, &key),
            None => rolling,
        })
    };
    // Errors of the question are found before the stream begins.
    let events: BoxStream<_> = if app.config.workers == Workers::Threads {
        let rolling = blocking(begin).await??;
        on_a_thread(rolling, place).boxed()
    } else {
        let rolling = begin()?;
        // Whoever reads on has the next games played.
        unfold(Some((rolling, place)), |rolling| async {
            let (mut rolling, place) = rolling?;
            while rolling.play(&Progress::default()) {
                if rolling.is_time_to_tell() {
                    let event = event("progress", &rolling.answer());
                    return Some((Ok(event), Some((rolling, place))));
                }
            }
            rolling.keep();
            Some((Ok(event("done", &rolling.answer())), None))
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
    task: Task,
    config: RolloutConfig,
    sums: Vec<RolloutSums>,
    games: u64,
    /// The time that earlier games took.
    earlier: f64,
    /// Where it is kept, and by which question.
    kept_in: Option<(Arc<App>, String)>,
    started: Instant,
    told: Instant,
}

impl Rolling {
    fn new(engine: Engine, task: Task, config: RolloutConfig) -> Rolling {
        let sums = vec![RolloutSums::default(); task.lines().len()];
        let started = Instant::now();
        let (games, earlier, kept_in, told) = (0, 0.0, None, started);
        Rolling { engine, task, config, sums, games, earlier, kept_in, started, told }
    }

    /// Goes on from the games of the same question that are kept; a table is not kept.
    fn going_on(mut self, app: Arc<App>, key: &str) -> Rolling {
        let Task::Question(asked) = &self.task else { return self };
        let (levels, same) =
            (asked.levels().map(|level| level.name), RolloutConfig { games: 0, ..self.config });
        let key = format!("{key} {levels:?} {same:?}");
        if let Some(KeptRollout { sums, games, seconds }) = app.rollouts.of(&key, self.config.games)
        {
            (self.sums, self.games, self.earlier) = (sums, games, seconds);
        }
        self.kept_in = Some((app, key));
        self
    }

    /// Keeps the games so far.
    fn keep(&self) {
        if let Some((app, key)) = &self.kept_in {
            let (sums, games, seconds) = (self.sums.clone(), self.games, self.seconds());
            app.rollouts.keep(key, KeptRollout { sums, games, seconds });
        }
    }

    fn seconds(&self) -> f64 {
        self.earlier + self.started.elapsed().as_secs_f64()
    }

    /// Plays the next step; whether there are more. One that is stopped has fewer games.
    fn play(&mut self, progress: &Progress) -> bool {
        let step = match self.task {
            Task::Question(_) => STEP,
            Task::Table(_) => TABLE_STEP,
        };
        let games = (self.games + step).min(self.config.games);
        let step = RolloutConfig { games, ..self.config };
        let mut go_on = |_: &[RolloutSums]| false;
        let lines = self.task.lines();
        self.engine.rollout_together(lines, &step, &mut self.sums, &mut go_on, progress);
        self.games = self.sums.iter().map(RolloutSums::games).min().unwrap_or(games);
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

    /// The answer so far as JSON.
    fn answer(&self) -> Arc<str> {
        let seconds = self.seconds();
        let json = match &self.task {
            Task::Question(task) => {
                serde_json::to_string(&task.answer(&self.config, &self.sums, seconds))
            }
            Task::Table(task) => {
                serde_json::to_string(&task.table(&self.config, &self.sums, seconds))
            }
        };
        json.unwrap_or_default().into()
    }
}

impl Task {
    fn lines(&self) -> &[RolloutLine] {
        match self {
            Task::Question(task) => task.lines(),
            Task::Table(task) => task.lines(),
        }
    }
}

fn event(name: &str, answer: &str) -> Event {
    Event::default().event(name).data(answer)
}

/// Rolls out on a thread until the end, or until no client listens. A step of long games takes
/// minutes: it ends with the games that have begun.
fn on_a_thread(
    mut rolling: Rolling,
    place: OwnedSemaphorePermit,
) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    let (teller, listener) = watch::channel(Standing::Begun);
    let progress = Arc::new(Progress::default());
    let awaited = WhileAwaited(Arc::clone(&progress));
    tokio::task::spawn_blocking(move || {
        while !teller.is_closed() {
            let more = rolling.play(&progress);
            if !more {
                rolling.keep();
                teller.send_replace(Standing::Done(rolling.answer()));
                break;
            }
            if rolling.is_time_to_tell() {
                teller.send_replace(Standing::Playing(rolling.answer()));
            }
        }
        rolling.keep();
        drop(place);
    });
    unfold(Some((listener, awaited)), |listening| async {
        let (mut listener, awaited) = listening?;
        listener.changed().await.ok()?;
        let standing = listener.borrow_and_update().clone();
        let (name, answer, goes_on) = match standing {
            Standing::Begun => return None,
            Standing::Playing(answer) => ("progress", answer, true),
            Standing::Done(answer) => ("done", answer, false),
        };
        Some((Ok(event(name, &answer)), goes_on.then_some((listener, awaited))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_is_stopped_goes_on_from_the_games_that_were_played() {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let options = RolloutOptions { cube: false, cubeless: true, plays: 2, also: None };
        let (games, truncate, plies) = (STEP, Some(2), Plies::ONE);
        let config = RolloutConfig { games, truncate, plies, ..RolloutConfig::default() };
        let rolling = || {
            let question = read_question("4HPwATDgc/ABMA", Some("31")).expect("a question");
            let asked = RolloutQuestion::new(&engine, question, options).expect("lines");
            Rolling::new(engine.clone(), Task::Question(Box::new(asked)), config)
        };
        let (mut whole, mut stopped) = (rolling(), rolling());
        assert!(!whole.play(&Progress::default()));
        let progress = Arc::new(Progress::default());
        drop(WhileAwaited(Arc::clone(&progress)));
        assert!(stopped.play(&progress), "its client has gone");
        assert!(stopped.games < STEP);
        assert!(stopped.sums.iter().all(|sums| sums.games() == stopped.games));
        assert!(!stopped.play(&Progress::default()));
        assert_eq!((stopped.games, stopped.sums), (STEP, whole.sums));
    }
}
