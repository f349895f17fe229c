//! The course of a match while it is on: its games, and its plays with the person's chances.

use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::App;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::Path;
use crate::play::match_view::{BarView, Deed, Who, pair};
use nonet_engine::backgammon::record::{RecordEnd, RecordEvent, RecordedGame};
use nonet_engine::backgammon::{Cube, CubeOwner, Position, Scoring, Seat};
use nonet_engine::cube::CubeContext;
use nonet_engine::engine::Engine;

/// A play of the match so far.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct CourseRow {
    /// The number of the game, from 1.
    pub(crate) game: usize,
    pub(crate) player: Who,
    pub(crate) dice: [u8; 2],
    /// In the usual notation; empty if the player could not move.
    #[schema(example = "8/5 6/5")]
    pub(crate) play: String,
    /// The single checker moves of the play, as in `MatchEvent`.
    pub(crate) steps: Vec<[u8; 2]>,
    /// The board after the play, seen by the person.
    pub(crate) board: Vec<i8>,
    /// The person's winning chances in the game after the play, without the cube, at 1-ply.
    pub(crate) win: f32,
    /// The person's chance to win the match after the play, with the cube, at 1-ply; null for
    /// money.
    pub(crate) match_win: Option<f32>,
}

/// A cube action of the match so far, or a resignation.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct CourseCall {
    /// The number of the game, from 1.
    pub(crate) game: usize,
    pub(crate) player: Who,
    /// Doubles, takes, passes, beavers or resigns.
    pub(crate) what: Deed,
    /// The new value of a cube that was turned; null otherwise.
    pub(crate) value: Option<u32>,
    /// How many of `plays` were before it.
    pub(crate) plays: usize,
}

/// A game of the match so far.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct GameRow {
    /// The number of the game, from 1.
    pub(crate) game: usize,
    /// Who has won it; null while it is on.
    pub(crate) winner: Option<Who>,
    /// What the winner has won; 0 while it is on.
    pub(crate) points: u32,
    /// The person's chance to win the match at the score after the game; null for money, and while
    /// the game is on.
    pub(crate) match_win: Option<f32>,
}

/// The course of a match.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct CourseAnswer {
    pub(crate) games: Vec<GameRow>,
    pub(crate) plays: Vec<CourseRow>,
    pub(crate) calls: Vec<CourseCall>,
}

/// The games, the plays and the cube actions of the match so far, each play with the person's
/// chances after it.
#[utoipa::path(get, path = "/api/v1/matches/{id}/course", tag = "matches", params(("id" = String, Path)), responses(
    (status = 200, description = "All games and plays so far", body = CourseAnswer),
    (status = 404, description = "There is no such match", body = ErrorAnswer)))]
pub(crate) async fn course(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<CourseAnswer>, ApiError> {
    let shared = Arc::clone(&app);
    let rows = app.work.quick(move || {
        let kept = shared.matches.get(&id, &shared.nets)?;
        let (games, person) = {
            let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            (kept.table.game().session().games(), kept.table.game().person())
        };
        Ok::<_, ApiError>(course_of(&games, person, shared.nets.built_in().here()))
    });
    Ok(Json(rows.await??))
}

fn course_of(games: &[RecordedGame], person: Seat, engine: &Engine) -> CourseAnswer {
    let who = |seat: Seat| if seat == person { Who::You } else { Who::Nonet };
    let turns = || {
        (games.iter().enumerate())
            .flat_map(|(game, played)| played.turns().map(move |turn| (game + 1, turn)))
    };
    let after: Vec<Position> = turns().map(|(_, turn)| turn.after).collect();
    let values = engine.evaluate(&after);
    let cubes = games.iter().flat_map(cubes_of);
    let rows = turns().zip(values).zip(cubes).map(|(((game, turn), value), cube)| {
        // The other player is on roll after the play.
        let is_own = turn.player == person;
        let next = turn.player.other();
        let match_win = match_context(engine, &games[game - 1], cube, next).map(|context| {
            let chance = context.scoring.cubeful(&value, context.cube).clamp(0.0, 1.0);
            if is_own { 1.0 - chance } else { chance }
        });
        let value = if is_own { value.flipped() } else { value };
        let board = if is_own { turn.after.flipped() } else { turn.after };
        let seen = |point: u8| if is_own { point } else { 25 - point };
        let steps = turn.before.steps_to(turn.dice, &turn.after).unwrap_or_default();
        CourseRow {
            game,
            player: who(turn.player),
            dice: pair(turn.dice),
            play: turn.play().to_string(),
            steps: steps.iter().map(|step| [seen(step.from), seen(step.to)]).collect(),
            board: board.points().to_vec(),
            win: BarView::of(&value).win,
            match_win,
        }
    });
    let (plays, calls) = (rows.collect(), calls_of(games, &who));
    let games = games.iter().enumerate().map(|(game, played)| {
        let won = played.won();
        let match_win = won.and_then(|(winner, points)| {
            let context = match_context(engine, played, (1, None), person)?;
            let points = i32::try_from(points).ok()?;
            Some(context.scoring.utility(if winner == person { points } else { -points }))
        });
        GameRow {
            match_win,
            game: game + 1,
            winner: won.map(|(winner, _)| who(winner)),
            points: won.map_or(0, |(_, points)| points),
        }
    });
    CourseAnswer { games: games.collect(), plays, calls }
}

/// Value and owner of the cube at each turn of a game.
fn cubes_of(played: &RecordedGame) -> Vec<(u32, Option<Seat>)> {
    let start = played.start();
    let (mut cube, mut offered, mut cubes) = ((start.cube, start.cube_owner), 1, Vec::new());
    for event in played.events() {
        match event {
            RecordEvent::Turn(_) => cubes.push(cube),
            RecordEvent::Double { value, .. } => offered = *value,
            RecordEvent::Take { player } => cube = (offered, Some(*player)),
            // Matches, which alone are asked about, have no beavers.
            RecordEvent::Beaver { .. } | RecordEvent::Drop { .. } => {}
        }
    }
    cubes
}

/// What points are worth in the match of a game, seen by `player`; `None` for money.
fn match_context(
    engine: &Engine,
    played: &RecordedGame,
    (value, owner): (u32, Option<Seat>),
    player: Seat,
) -> Option<CubeContext> {
    let scoring = match played.header().scoring {
        Scoring::Money { .. } => return None,
        scoring if player == Seat::X => scoring,
        scoring => scoring.flipped(),
    };
    engine.context(scoring, Cube::new(value, CubeOwner::of_seat(owner, player)).ok()?).ok()
}

fn calls_of(games: &[RecordedGame], who: &impl Fn(Seat) -> Who) -> Vec<CourseCall> {
    let (mut calls, mut plays) = (Vec::new(), 0);
    for (index, played) in games.iter().enumerate() {
        let game = index + 1;
        for event in played.events() {
            let (what, value) = match event {
                RecordEvent::Turn(_) => {
                    plays += 1;
                    continue;
                }
                RecordEvent::Double { value, .. } => (Deed::Doubles, Some(*value)),
                RecordEvent::Beaver { value, .. } => (Deed::Beavers, Some(*value)),
                RecordEvent::Take { .. } => (Deed::Takes, None),
                RecordEvent::Drop { .. } => (Deed::Passes, None),
            };
            calls.push(CourseCall { game, player: who(event.player()), what, value, plays });
        }
        if let RecordEnd::Resigned { winner, .. } = played.end() {
            let (player, what) = (who(winner.other()), Deed::Resigns);
            calls.push(CourseCall { game, player, what, value: None, plays });
        }
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    use nonet_engine::backgammon::record::{GameHeader, Recorder, read_record};
    use nonet_engine::backgammon::{Dice, Scoring, Stake, candidates};
    use nonet_engine::search::Plies;

    const RECORD: &[u8] =
        b" 3 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 24/23 24/21    62: 24/16\n  2) 64: 24/14\n";

    #[test]
    fn a_course_has_each_play_as_the_person_sees_it() {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let games = read_record(RECORD, "m.mat").expect("a record").games;
        let CourseAnswer { games: list, plays: course, calls } =
            course_of(&games, Seat::X, &engine);
        assert_eq!(list, [GameRow { game: 1, winner: None, points: 0, match_win: None }]);
        assert_eq!(calls, []);
        let rows: Vec<_> = course.iter().map(|row| (row.player, row.dice)).collect();
        let turns = games[0].turns().count();
        assert_eq!(rows.len(), turns);
        assert_eq!(rows[..2], [(Who::You, [3, 1]), (Who::Nonet, [6, 2])]);
        // Steps and board of the other player are seen by the person, too.
        assert_eq!(course[1].steps.last().map(|step| step[1]), Some(9));
        assert_eq!((course[1].board[9], course[1].board[1]), (-1, -1));
        assert!(course.iter().all(|row| row.win > 0.2 && row.win < 0.8), "{course:?}");
        let other = course_of(&games, Seat::O, &engine).plays;
        assert!((course[0].win + other[0].win - 1.0).abs() < 1e-5);
    }

    #[test]
    fn a_match_has_chances_to_win_it_and_money_has_none() {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let names = ["ann".to_owned(), "bob".to_owned()];
        let of = |scoring: Scoring| {
            let mut game = Recorder::new(GameHeader { names: names.clone(), scoring });
            let dice = Dice::new(3, 1).expect("dice");
            let after = candidates(&Position::START, dice)[0].after;
            game.turn(Seat::X, dice, &after).expect("legal");
            game.double(Seat::O).expect("legal");
            game.drop(Seat::X).expect("legal");
            let games = [game.finish()];
            Seat::BOTH.map(|person| course_of(&games, person, &engine))
        };
        let [money, _] = of(Scoring::MONEY);
        assert_eq!((money.plays[0].match_win, money.games[0].match_win), (None, None));
        // To one point a lost game is a lost match; to three, at 0 to 1, both can win it yet.
        let chances = |answer: &CourseAnswer| answer.games[0].match_win.expect("a match");
        let [own, other] = of(Scoring::of_match(3, 0, 0, false).expect("a match"));
        assert!((chances(&own) + chances(&other) - 1.0).abs() < 1e-5);
        assert!(chances(&own) > 0.3 && chances(&own) < 0.5, "{}", chances(&own));
        let [one, two] = [&own, &other].map(|answer| answer.plays[0].match_win.expect("a match"));
        assert!((one + two - 1.0).abs() < 1e-5 && one > 0.4 && one < 0.6, "{one} {two}");
        let at_two = Scoring::of_match(3, 2, 2, false).expect("a match");
        let mut last = Recorder::new(GameHeader { names: names.clone(), scoring: at_two });
        last.resign(Seat::X, Stake::Single).expect("legal");
        assert_eq!(chances(&course_of(&[last.finish()], Seat::X, &engine)), 0.0);
    }

    #[test]
    fn a_course_has_cube_actions_and_resignations_at_their_places() {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let names = ["ann".to_owned(), "bob".to_owned()];
        let mut game = Recorder::new(GameHeader { names, scoring: Scoring::MONEY });
        let dice = Dice::new(3, 1).expect("dice");
        let after = candidates(&Position::START, dice)[0].after;
        game.turn(Seat::X, dice, &after).expect("legal");
        game.double(Seat::O).expect("legal");
        // A double that waits for its answer is there, too.
        let waits = course_of(&[game.clone().finish()], Seat::X, &engine).calls;
        let double = CourseCall {
            game: 1,
            player: Who::Nonet,
            what: Deed::Doubles,
            value: Some(2),
            plays: 1,
        };
        assert_eq!(waits, std::slice::from_ref(&double));
        game.take(Seat::X).expect("legal");
        game.resign(Seat::X, Stake::Single).expect("legal");
        let calls = course_of(&[game.finish()], Seat::X, &engine).calls;
        let own = |what| CourseCall { player: Who::You, what, value: None, ..double.clone() };
        assert_eq!(calls, [double.clone(), own(Deed::Takes), own(Deed::Resigns)]);
    }
}
