//! A match of two levels against each other for people to watch.
//!
//! Its dice come from a seed, so that the same match can be watched again.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::level;
use crate::App;
use crate::defaults;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::Body;
use crate::play::games::{Side, side};
use crate::play::match_view::{BarView, Deed, pair, seen_by};
use crate::positions::plies;
use nonet_engine::backgammon::{Position, Scoring, Seat};
use nonet_engine::cube::Answer;
use nonet_engine::engine::{Engine, LevelAction, LevelPlayer};
use nonet_engine::game::{MatchSession, NextAction};
use nonet_engine::search::Plies;

/// The longest match to watch, in points.
const LONGEST: u16 = 7;
/// Actions after which a match is given up; those of the champion's net take some hundreds.
const MOST_ACTIONS: usize = 20_000;

/// Asks for a match to watch.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchedRequest {
    /// Seed of the dice and of the levels.
    #[schema(format = "uint64", maximum = 18_446_744_073_709_551_615_u64)]
    seed: u64,
    /// The level of light, as `GET /api/v1/nets` names it.
    #[schema(default = defaults::level)]
    light: Option<String>,
    /// The level of dark.
    #[schema(default = defaults::level)]
    dark: Option<String>,
    /// Points to win the match.
    #[schema(minimum = 1, maximum = 7, default = defaults::length)]
    length: Option<u16>,
    /// Depth of plays and cube decisions in plies, 1 (static) to 2.
    #[schema(minimum = 1, maximum = 2, default = defaults::many_ply)]
    #[serde(alias = "plies")]
    ply: Option<u8>,
}

/// Something that happened in the match, with what it left.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct WatchedEvent {
    /// The number of the game, from 1.
    game: usize,
    player: Side,
    what: Deed,
    /// The roll that was won or played.
    dice: Option<[u8; 2]>,
    /// A play in the usual notation, seen by its player; empty if the player cannot move.
    #[schema(example = "8/5 6/5")]
    play: Option<String>,
    /// The points of a game that was won.
    points: Option<u32>,
    /// The single checker moves of a play, from and to, seen by light.
    steps: Vec<[u8; 2]>,
    /// The board, seen by light: 26 entries, light's checkers positive.
    board: Vec<i8>,
    /// The value of the cube, before a double that is not answered.
    cube: u32,
    /// Who owns the cube; null while it is centred.
    owner: Option<Side>,
    /// The value of the cube if the double is taken; null without one.
    offered: Option<u32>,
    /// Points of light and of dark.
    score: [u32; 2],
    /// Whether this is the Crawford game.
    crawford: bool,
    /// The winning chances of light in the game, without the cube, at 1-ply.
    win: f32,
}

/// A match to watch.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct WatchedAnswer {
    seed: u64,
    /// The levels of light and of dark.
    levels: [&'static str; 2],
    length: u16,
    plies: u8,
    events: Vec<WatchedEvent>,
}

/// A match of two levels of the built-in net against each other. The same request gives the same
/// match.
#[utoipa::path(post, operation_id = "watched_match", path = "/api/v1/watched-match", tag = "positions", request_body = WatchedRequest, responses(
    (status = 200, description = "The whole match", body = WatchedAnswer),
    (status = 400, description = "An invalid depth, length or level", body = ErrorAnswer)))]
pub(crate) async fn play(
    State(app): State<Arc<App>>,
    Body(request): Body<WatchedRequest>,
) -> Result<Json<WatchedAnswer>, ApiError> {
    let plies = plies(request.ply, defaults::many_ply())?;
    if plies > Plies::TWO {
        let message =
            format!("invalid ply '{}': matches to watch are played at 1 or 2", plies.get());
        return Err(ApiError::invalid(message));
    }
    let shared = Arc::clone(&app);
    let work = move || {
        let engines = shared.nets.built_in();
        let engine = if plies == Plies::ONE { engines.here() } else { engines.at(plies) };
        of(&engine.with_cube_plies(plies), engines.here(), &request)
    };
    app.work.quick(work).await?.map(Json)
}

/// Plays a match with `engine`; `judge` says what the positions are worth.
fn of(
    engine: &Engine,
    judge: &Engine,
    request: &WatchedRequest,
) -> Result<WatchedAnswer, ApiError> {
    let length = request.length.unwrap_or(defaults::length());
    if !(1..=LONGEST).contains(&length) {
        let message =
            format!("invalid length '{length}': matches to watch have 1 to {LONGEST} points");
        return Err(ApiError::invalid(message));
    }
    let levels = [level(request.light.as_deref())?, level(request.dark.as_deref())?];
    let scoring = Scoring::of_match(length, 0, 0, false).map_err(ApiError::invalid)?;
    let names = ["light", "dark"].map(str::to_owned);
    let mut table = Watched {
        session: MatchSession::new(names, scoring, request.seed),
        players: levels.map(|level| LevelPlayer::new(engine.clone(), level, request.seed)),
        events: Vec::new(),
        seen: Vec::new(),
    };
    table.open();
    let mut actions = 0;
    while table.act()? {
        actions += 1;
        if actions > MOST_ACTIONS {
            let message = "the match does not end: choose another seed";
            return Err(ApiError::invalid(message).coded("endless-game"));
        }
    }
    table.judge(judge);
    Ok(WatchedAnswer {
        seed: request.seed,
        levels: levels.map(|level| level.name),
        length,
        plies: engine.plies().get(),
        events: table.events,
    })
}

struct Watched {
    session: MatchSession,
    /// X is light.
    players: [LevelPlayer; 2],
    events: Vec<WatchedEvent>,
    /// The position of each event as the player on roll sees it, and that player.
    seen: Vec<(Position, Seat)>,
}

impl Watched {
    /// Tells who won the opening roll.
    fn open(&mut self) {
        if let NextAction::Play(seat, dice) = self.session.next_action() {
            self.tell(seat, Deed::Opens).dice = Some(pair(dice));
        }
    }

    /// Takes the next action; false once the match is over.
    fn act(&mut self) -> Result<bool, ApiError> {
        let seat = match self.session.next_action() {
            NextAction::Roll(seat) | NextAction::Play(seat, _) | NextAction::Answer(seat) => seat,
            NextAction::NextGame => {
                self.tell_won();
                self.session.next_game();
                self.open();
                return Ok(true);
            }
            NextAction::Over(winner) => {
                self.tell_won();
                self.tell(winner, Deed::WinsMatch);
                return Ok(false);
            }
        };
        let before = *self.session.position();
        let player = &self.players[seat.index()];
        let action = player.act(&mut self.session, seat).map_err(ApiError::invalid)?;
        match action {
            None | Some(LevelAction::Rolled) => {}
            Some(LevelAction::Doubled) => {
                self.tell(seat, Deed::Doubles);
            }
            Some(LevelAction::Answered(answer)) => {
                let deed = match answer {
                    Answer::Take => Deed::Takes,
                    Answer::Pass => Deed::Passes,
                    Answer::Beaver => Deed::Beavers,
                };
                self.tell(seat, deed);
            }
            Some(LevelAction::Played(dice, play)) => {
                let steps = before.steps_to(dice, play.after()).unwrap_or_default();
                let seen = |point: u8| if seat == Seat::X { point } else { 25 - point };
                let told = self.tell(seat, Deed::Plays);
                told.dice = Some(pair(dice));
                told.play = Some(play.play().to_string());
                told.steps = steps.iter().map(|step| [seen(step.from), seen(step.to)]).collect();
            }
        }
        Ok(true)
    }

    fn tell_won(&mut self) {
        let games = self.session.games();
        if let Some((winner, points)) = games.last().and_then(|game| game.won()) {
            self.tell(winner, Deed::WinsGame).points = Some(points);
        }
    }

    fn tell(&mut self, player: Seat, what: Deed) -> &mut WatchedEvent {
        let session = &self.session;
        let (position, by) = (*session.position(), seen_by(session));
        let board = if by == Seat::X { position } else { position.flipped() };
        let cube = session.cube(Seat::X);
        let crawford =
            matches!(session.scoring(Seat::X), Scoring::Match(score) if score.is_crawford());
        self.seen.push((position, by));
        self.events.push(WatchedEvent {
            game: session.game_number(),
            player: side(player),
            what,
            dice: None,
            play: None,
            points: None,
            steps: Vec::new(),
            board: board.points().to_vec(),
            cube: cube.value(),
            owner: cube.owner().seat(Seat::X).map(side),
            offered: session.offered().map(|offer| offer.value),
            score: session.score(),
            crawford,
            win: 0.0,
        });
        let last = self.events.len() - 1;
        &mut self.events[last]
    }

    /// Says what each board is worth to light.
    fn judge(&mut self, judge: &Engine) {
        let positions: Vec<Position> = self.seen.iter().map(|(position, _)| *position).collect();
        let values = judge.evaluate(&positions);
        for ((event, (_, by)), value) in self.events.iter_mut().zip(&self.seen).zip(values) {
            let value = if *by == Seat::X { value } else { value.flipped() };
            event.win = match event.what {
                Deed::WinsGame | Deed::WinsMatch => {
                    f32::from(u8::from(event.player == Side::Light))
                }
                _ => BarView::of(&value).win,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched(seed: u64, light: &str, dark: &str) -> WatchedAnswer {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let engine = engine.with_cube_plies(Plies::ONE);
        let (light, dark) = (Some(light.to_owned()), Some(dark.to_owned()));
        let request = WatchedRequest { seed, light, dark, length: Some(3), ply: None };
        of(&engine, &engine, &request).expect("a match")
    }

    #[test]
    fn a_match_of_a_seed_is_the_same_each_time_and_its_games_add_up_to_its_score() {
        let [first, again, other] = [7, 7, 8].map(|seed| watched(seed, "champion", "newcomer"));
        assert_eq!(first, again);
        assert_ne!(first.events, other.events);
        for watched in [first, other] {
            let mut score = [0, 0];
            for won in watched.events.iter().filter(|event| event.what == Deed::WinsGame) {
                score[usize::from(won.player == Side::Dark)] += won.points.expect("points");
                assert_eq!(won.score, score);
            }
            let last = watched.events.last().expect("an event");
            assert_eq!((last.what, last.score), (Deed::WinsMatch, score));
            assert!(score[usize::from(last.player == Side::Dark)] >= 3, "{score:?}");
        }
    }

    #[test]
    fn a_bar_of_a_match_agrees_with_who_comes_to_win() {
        for seed in 1..4 {
            let events = watched(seed, "champion", "champion").events;
            for pair in events.windows(2) {
                // The last play of a game that is played out wins it.
                if pair[0].what == Deed::Plays && pair[1].what == Deed::WinsGame {
                    assert!((pair[0].win - pair[1].win).abs() < 1e-6, "{pair:?}");
                }
                if pair[0].what == Deed::Doubles {
                    assert_eq!(pair[0].offered, Some(2 * pair[0].cube));
                    let is_light = pair[0].player == Side::Light;
                    assert_eq!(pair[0].win > 0.5, is_light, "{pair:?}");
                }
            }
            assert!(events.iter().any(|event| event.what == Deed::Plays && event.win != 0.5));
        }
    }

    #[test]
    fn what_cannot_be_watched_is_refused() {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let ask = |length, light: &str| {
            let light = Some(light.to_owned());
            let request = WatchedRequest { seed: 1, light, dark: None, length, ply: None };
            of(&engine, &engine, &request).map(drop)
        };
        assert!(ask(Some(0), "advanced").is_err() && ask(Some(8), "advanced").is_err());
        assert!(ask(Some(1), "cluub").is_err());
    }
}
