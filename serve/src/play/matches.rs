//! Matches of a person against a net.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use jiff::Zoned;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::App;
use crate::defaults;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::{Body, Path};
use crate::play::match_store::KeptMatch;
use crate::play::match_table::{ActionError, MatchAction, MatchTable};
use crate::play::match_view::{DecisionHint, MatchRow, MatchView};
use crate::positions::plies;
use nonet_engine::backgammon::{CubeOffer, GameState, MatchState, Scoring, Seat, Turn};
use nonet_engine::cube::{Answer, BeaverDecision, CubeAction};
use nonet_engine::engine::Engine;
use nonet_engine::game::NextAction;
use nonet_engine::search::Plies;
use nonet_report::answer::{
    CashPoints, CubeAnswer, HintAnswer, HintOptions, OutcomeChances, idea_of_cube, idea_of_play,
    read_id,
};
use nonet_report::person_match::{MatchSettings, PersonMatch, names_of_two, player_names};

/// A new match.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchRequest {
    /// Points to win the match, 0 for money.
    #[schema(maximum = 64, default = defaults::length)]
    length: Option<u16>,
    /// Money: gammons count only if the cube has been turned.
    #[serde(default)]
    jacoby: bool,
    /// Money: who is doubled may double again at once.
    #[serde(default)]
    beavers: bool,
    /// A level as `GET /api/v1/nets` names it.
    #[schema(default = defaults::level)]
    level: Option<String>,
    /// Depth of nonet's plays, 1 to 3.
    #[schema(minimum = 1, maximum = 3, default = defaults::ply)]
    ply: Option<u8>,
    /// Depth of nonet's cube decisions, 1 to 3.
    #[schema(minimum = 1, maximum = 3, default = defaults::cube_ply)]
    cube_ply: Option<u8>,
    /// A net by name, or a training run (its best net).
    #[schema(default = defaults::net)]
    net: Option<String>,
    /// The person's name.
    #[schema(default = defaults::name)]
    name: Option<String>,
    /// The name of a second person, who plays instead of nonet at the same board.
    second: Option<String>,
    /// Begins in this position, with its score, cube and roll: XGID, GNU ID or Position ID. The
    /// person decides first.
    position: Option<String>,
    /// Seed of the dice; from the clock if it is left out.
    #[schema(format = "uint64", maximum = 18_446_744_073_709_551_615_u64)]
    seed: Option<u64>,
}

fn lock(kept: &Mutex<KeptMatch>) -> MutexGuard<'_, KeptMatch> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// At most 3 plies: in a game 4 take too long.
fn playing_depth(ply: Option<u8>, usual: u8) -> Result<Plies, ApiError> {
    let plies = plies(ply, usual)?;
    if plies == Plies::FOUR {
        return Err(ApiError::invalid("invalid ply '4': expected 1 to 3 in a match"));
    }
    Ok(plies)
}

/// The matches, the newest first.
#[utoipa::path(get, operation_id = "list_matches", path = "/api/v1/matches", tag = "matches", responses(
    (status = 200, description = "The last 100 matches", body = Vec<MatchRow>)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<MatchRow>>, ApiError> {
    let shared = Arc::clone(&app);
    let rows = app.work.quick(move || {
        // A file that is not a match of this server is not in the list.
        let names = shared.matches.names();
        let kept =
            names.iter().filter_map(|id| Some((id, shared.matches.get(id, &shared.nets).ok()?)));
        kept.map(|(id, kept)| lock(&kept).table.row(id)).collect()
    });
    Ok(Json(rows.await?))
}

/// Begins a match.
#[utoipa::path(post, operation_id = "begin_match", path = "/api/v1/matches", tag = "matches", request_body = MatchRequest, responses(
    (status = 201, description = "The match before the person's first decision", body = MatchView),
    (status = 400, description = "Invalid settings", body = ErrorAnswer)))]
pub(crate) async fn begin(
    State(app): State<Arc<App>>,
    Body(request): Body<MatchRequest>,
) -> Result<(StatusCode, Json<MatchView>), ApiError> {
    let shared = Arc::clone(&app);
    let view = app.work.quick(move || {
        let now = Zoned::now();
        let engines = shared.nets.named(request.net.as_deref())?;
        let table = new_match(&request, &now, engines.at(Engine::PLAY_PLIES))?;
        let stem = now.strftime("%Y%m%d-%H%M%S").to_string();
        let (id, kept) = shared.matches.add(&stem, table)?;
        Ok::<_, ApiError>(lock(&kept).table.view(&id, shared.nets.built_in().here()))
    });
    Ok((StatusCode::CREATED, Json(view.await??)))
}

fn new_match(request: &MatchRequest, now: &Zoned, engine: &Engine) -> Result<MatchTable, ApiError> {
    let level = super::level(request.level.as_deref())?;
    let scoring = match request.length.unwrap_or(defaults::length()) {
        0 => Scoring::Money { jacoby: request.jacoby, beavers: request.beavers },
        length => Scoring::of_match(length, 0, 0, false).map_err(ApiError::invalid)?,
    };
    let settings = MatchSettings {
        // Seconds alone would give two matches of a second the same dice.
        seed: request.seed.unwrap_or_else(|| now.timestamp().as_microsecond().unsigned_abs()),
        level,
        plies: playing_depth(request.ply, defaults::ply())?,
        cube_plies: playing_depth(request.cube_ply, defaults::cube_ply())?,
        net: request.net.clone().unwrap_or_else(|| defaults::net().to_owned()),
        start: request.position.as_deref().map(read_id).transpose()?,
        person: Seat::X,
        two_people: request.second.is_some(),
    };
    let names = match &request.second {
        None => player_names(request.name.as_deref()),
        Some(second) => names_of_two([request.name.as_deref().unwrap_or(defaults::name()), second]),
    };
    let session = settings.begin(names?, scoring)?;
    Ok(MatchTable::new(PersonMatch::new(session, settings, engine)?)?)
}

/// A match as it stands; one that is not in memory goes on from its file.
#[utoipa::path(get, operation_id = "show_match", path = "/api/v1/matches/{id}", tag = "matches", params(("id" = String, Path)), responses(
    (status = 200, description = "The match", body = MatchView),
    (status = 404, description = "There is no such match", body = ErrorAnswer)))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<MatchView>, ApiError> {
    let shared = Arc::clone(&app);
    let view = app.work.quick(move || {
        let kept = shared.matches.get(&id, &shared.nets)?;
        let kept = lock(&kept);
        Ok::<_, ApiError>(kept.table.view(&id, shared.nets.built_in().here()))
    });
    Ok(Json(view.await??))
}

/// Makes a decision of the person; nonet then plays until the person has to make the next one. The
/// match is saved before the answer.
#[utoipa::path(post, path = "/api/v1/matches/{id}/actions", tag = "matches", params(("id" = String, Path)), request_body = MatchAction, responses(
    (status = 200, description = "The match before the next decision", body = MatchView),
    (status = 400, description = "The action is not legal", body = ErrorAnswer),
    (status = 404, description = "There is no such match", body = ErrorAnswer),
    (status = 409, description = "The match has gone on in another window or program", body = ErrorAnswer)))]
pub(crate) async fn act(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(action): Body<MatchAction>,
) -> Result<Json<MatchView>, ApiError> {
    let shared = Arc::clone(&app);
    let view = app.work.quick(move || {
        let kept = shared.matches.get(&id, &shared.nets)?;
        let mut kept = lock(&kept);
        let mut is_stale = false;
        let done = kept.change(|table| {
            table.act(&action).map_err(|error| match error {
                ActionError::Stale { .. } => {
                    is_stale = true;
                    ApiError::conflict(error).coded("stale")
                }
                error => ApiError::invalid(error).coded("illegal-action"),
            })
        });
        if let Err(error) = done {
            // Another program has written the file. An old window has not: the match stays.
            if error.status() == StatusCode::CONFLICT && !is_stale {
                shared.matches.forget(&id);
            }
            return Err(error);
        }
        Ok(kept.table.view(&id, shared.nets.built_in().here()))
    });
    Ok(Json(view.await??))
}

/// The best plays, or the cube decision, at the depth of the match.
#[utoipa::path(get, operation_id = "hint_in_match", path = "/api/v1/matches/{id}/hint", tag = "matches", params(("id" = String, Path)), responses(
    (status = 200, description = "The best plays, or the cube decision", body = DecisionHint),
    (status = 404, description = "There is no such match", body = ErrorAnswer)))]
pub(crate) async fn hint(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<DecisionHint>, ApiError> {
    let shared = Arc::clone(&app);
    let hint = app.work.quick(move || of_decision(&copy_of(&shared, &id)?));
    Ok(Json(hint.await??))
}

/// A copy of a match, so that a search does not hold it.
pub(super) fn copy_of(app: &App, id: &str) -> Result<PersonMatch, ApiError> {
    let kept = app.matches.get(id, &app.nets)?;
    let game = lock(&kept).table.game().clone();
    Ok(game)
}

fn of_decision(game: &PersonMatch) -> Result<DecisionHint, ApiError> {
    const PLAYS: usize = 5;
    let (session, engine) = (game.session(), game.engine());
    let seat = session.offered().map_or(game.person(), |offer| offer.doubler);
    let mut state = MatchState::new(session.scoring(seat));
    state.cube = session.cube(seat);
    let state = GameState { position: *session.position(), state };
    let options = HintOptions { cubeless: false, plays: PLAYS };
    match session.next_action() {
        NextAction::Play(_, dice) => {
            let state = state.with_dice(dice);
            let idea = idea_of_play(&state, &engine.moves(&state)?);
            let plays = HintAnswer::of(engine, &state, options)?;
            Ok(DecisionHint { idea: Some(idea), plays: Some(plays), cube: None })
        }
        NextAction::Roll(_) | NextAction::Answer(_) => {
            let (cube, now) = (CubeAnswer::of(engine, &state)?, session.state());
            if now.state.turn == Turn::Offered(CubeOffer::Beaver) {
                let decision = engine.beaver_decision(&now.position, &game.context(seat)?);
                let cube = answer_to_beaver(cube, &decision);
                return Ok(DecisionHint { idea: None, plays: None, cube: Some(cube) });
            }
            let idea = idea_of_cube(&now, &engine.cube(&state)?);
            let is_raccoon = now.state.turn == Turn::Offered(CubeOffer::Raccoon);
            let cube = if is_raccoon { answer_to_raccoon(cube) } else { cube };
            Ok(DecisionHint { idea: Some(idea), plays: None, cube: Some(cube) })
        }
        NextAction::NextGame | NextAction::Over(_) => {
            Ok(DecisionHint { idea: None, plays: None, cube: None })
        }
    }
}

/// The hint about a beaver. As after a double, its figures are those of the player who has turned
/// the cube; `cube` has those of the player on roll, who answers.
fn answer_to_beaver(cube: CubeAnswer, decision: &BeaverDecision) -> CubeAnswer {
    let answer = decision.answer();
    let OutcomeChances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon } =
        cube.outcomes;
    let [dead, live] = decision.take_points.map(|chance| 1.0 - chance);
    CubeAnswer {
        action: CubeAction::Double,
        answer,
        redouble: true,
        words: format!("Beaver, {}", word(answer)),
        equity: -decision.take.max(decision.pass),
        no_double: -cube.no_double,
        double_take: -decision.take,
        double_pass: -decision.pass,
        cash_points: CashPoints { dead, live },
        cubeless: -cube.cubeless,
        outcomes: OutcomeChances {
            win: 1.0 - win,
            win_gammon: lose_gammon,
            win_backgammon: lose_backgammon,
            lose_gammon: win_gammon,
            lose_backgammon: win_backgammon,
        },
        ..cube
    }
}

/// The hint about a raccoon. The player on roll has turned the cube, and the opponent, who answers,
/// owns it.
fn answer_to_raccoon(cube: CubeAnswer) -> CubeAnswer {
    CubeAnswer {
        action: CubeAction::Double,
        words: format!("Raccoon, {}", word(cube.answer)),
        equity: cube.double_take.min(cube.double_pass),
        ..cube
    }
}

const fn word(answer: Answer) -> &'static str {
    match answer {
        Answer::Take => "take",
        Answer::Pass => "pass",
        Answer::Beaver => "beaver",
    }
}

/// The record of the match, as `.mat`.
#[utoipa::path(get, path = "/api/v1/matches/{id}/record", tag = "matches", params(("id" = String, Path)), responses(
    (status = 200, description = "The record", body = String, content_type = "text/plain"),
    (status = 404, description = "There is no such match", body = ErrorAnswer)))]
pub(crate) async fn record(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    let shared = Arc::clone(&app);
    let bytes = app.work.quick(move || {
        let kept = shared.matches.get(&id, &shared.nets)?;
        let bytes = lock(&kept).table.game().record();
        Ok::<_, ApiError>(bytes)
    });
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], bytes.await??))
}

#[cfg(test)]
mod tests {
    use super::{Engine, MatchRequest, Zoned, new_match};
    use crate::ServeLimits;
    use crate::test_app::TestApp;
    use serde_json::{Value, json};

    /// Two people begin a match in a certain second; its name.
    fn begin_at_noon(server: &TestApp, first: &str) -> String {
        let (name, second) = (Some(first.to_owned()), Some("bob".to_owned()));
        let request = MatchRequest { name, second, seed: Some(5), ..MatchRequest::default() };
        let engine = server.app.nets.built_in().at(Engine::PLAY_PLIES);
        let table = new_match(&request, &Zoned::now(), engine).expect("a match");
        server.app.matches.add("20260101-120000", table).expect("a name").0
    }

    /// Makes the first play of a match; the status and the answer.
    fn play(server: &TestApp, id: &str) -> (u16, Value) {
        let address = format!("/api/v1/matches/{id}");
        let (_, view) = server.ask("GET", &address, &Value::Null);
        let play = json!({"action": "play", "play": view["plays"][0]["play"]});
        server.ask("POST", &format!("{address}/actions"), &play)
    }

    #[test]
    fn a_hint_about_a_beaver_is_for_the_player_who_answers_it() {
        let server = TestApp::new(ServeLimits::default());
        // Ann doubles, Bob beavers: she has won the race, then lost it.
        let races = [
            ("---C--------eee-----------", "Beaver, take", true),
            ("-----------EEE--------c---", "Beaver, pass", false),
        ];
        for (board, words, is_take) in races {
            let body = json!({
                "length": 0, "name": "ann", "second": "bob", "ply": 1, "cube_ply": 1, "seed": 5,
                "position": format!("XGID={board}:0:0:1:00:0:0:2:0:10"),
            });
            let (status, begun) = server.ask("POST", "/api/v1/matches", &body);
            assert_eq!(status, 201, "{begun}");
            let address = format!("/api/v1/matches/{}", begun["id"].as_str().expect("a name"));
            for action in ["double", "beaver"] {
                let asked = json!({"action": action});
                let (status, acted) = server.ask("POST", &format!("{address}/actions"), &asked);
                assert_eq!(status, 200, "{acted}");
            }
            let (status, hint) = server.ask("GET", &format!("{address}/hint"), &Value::Null);
            let cube = &hint["cube"];
            assert_eq!((status, &cube["words"]), (200, &json!(words)), "{hint}");
            // Pages turn these figures around: they are Bob's, and a pass is worth 1 to him.
            let of = |value: &Value| value.as_f64().expect("a number");
            assert_eq!(of(&cube["double_pass"]), 1.0);
            assert_eq!(of(&cube["double_take"]) < 1.0, is_take, "{hint}");
            assert_eq!(of(&cube["outcomes"]["win"]) < 0.5, is_take, "{hint}");
            assert_eq!(of(&cube["cubeless"]) < 0.0, is_take, "{hint}");
        }
    }

    #[test]
    fn a_window_of_before_a_restart_does_not_act_on_a_match_that_went_on() {
        let server = TestApp::new(ServeLimits::default());
        let id = begin_at_noon(&server, "ann");
        let address = format!("/api/v1/matches/{id}");
        let act = |action: &Value| server.ask("POST", &format!("{address}/actions"), action);
        let (status, seen) = play(&server, &id);
        assert_eq!((status, &seen["revision"]), (200, &json!(1)), "{seen}");
        // The match is read from its file, as after a restart, and one decision is made in it.
        server.app.matches.forget(&id);
        let (status, now) = act(&json!({"action": "undo"}));
        assert_eq!(status, 200, "{now}");
        let (status, answer) = act(&json!({"action": "roll", "revision": seen["revision"]}));
        assert_eq!((status, &answer["code"]), (409, &json!("stale")), "{answer}");
        // A window that has seen the last state goes on, also after the match was read again.
        let (_, first) = server.ask("GET", &address, &Value::Null);
        assert_eq!(first["revision"], now["revision"]);
        let (_, played) = play(&server, &id);
        let read = || {
            server.app.matches.forget(&id);
            server.ask("GET", &address, &Value::Null).1
        };
        let (one, two) = (read(), read());
        assert_eq!((&one["revision"], &one["board"]), (&two["revision"], &played["board"]));
    }

    #[test]
    fn a_file_that_another_program_has_made_is_not_replaced_by_a_match() {
        let server = TestApp::new(ServeLimits::default());
        let id = begin_at_noon(&server, "ann");
        let path = server.app.matches.path(&id);
        std::fs::write(&path, "theirs").expect("written");
        let (status, answer) = play(&server, &id);
        assert_eq!((status, &answer["code"]), (409, &json!("conflict")), "{answer}");
        let error = answer["error"].as_str().expect("words");
        assert!(error.contains(&path.display().to_string()), "{error}");
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "theirs");
    }

    #[test]
    fn the_list_of_matches_forgets_none_without_a_decision_and_they_fill_no_memory() {
        let server = TestApp::new(ServeLimits { matches: 2, ..ServeLimits::default() });
        let begin = || {
            let body = json!({"length": 1, "name": "ann", "second": "bob", "seed": 5});
            let (status, begun) = server.ask("POST", "/api/v1/matches", &body);
            assert_eq!(status, 201, "{begun}");
            let id = begun["id"].as_str().expect("a name").to_owned();
            assert!(!server.app.matches.path(&id).exists(), "nothing is decided");
            (id, begun)
        };
        let show = |id: &str| server.ask("GET", &format!("/api/v1/matches/{id}"), &Value::Null).0;
        // More matches with a file than have places.
        for _ in 0..3 {
            let (id, begun) = begin();
            let play = json!({"action": "play", "play": begun["plays"][0]["play"]});
            let address = format!("/api/v1/matches/{id}/actions");
            let (status, acted) = server.ask("POST", &address, &play);
            assert_eq!(status, 200, "{acted}");
            assert!(server.app.matches.path(&id).exists(), "it is saved");
        }
        let (new, _) = begin();
        let (_, list) = server.ask("GET", "/api/v1/matches", &Value::Null);
        assert_eq!(list.as_array().map(Vec::len), Some(4), "{list}");
        assert_eq!(show(&new), 200, "nothing else has this match");
        // New matches take the places of the oldest ones without a decision.
        let (newer, newest) = (begin().0, begin().0);
        assert_eq!([&new, &newer, &newest].map(|id| show(id)), [404, 200, 200]);
    }
}
