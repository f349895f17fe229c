//! What a match was worth: the PR and the luck of both players, the person's worst mistakes, and
//! its course while it is on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use utoipa::ToSchema;

use crate::App;
use crate::error::{ApiError, ErrorAnswer};
use crate::play::match_view::{BarView, CubeView, Who, pair};
use nonet_engine::analysis::{
    AnalysedDecision, Analysis, DecisionKind, PlayerRating, Tally, analyse, summaries,
};
use nonet_engine::backgammon::record::RecordedGame;
use nonet_engine::backgammon::{Position, Seat};
use nonet_engine::engine::Engine;
use nonet_engine::progress::Progress;
use nonet_report::{decision_of, worst_first};

/// Mistakes in a review.
const WORST: usize = 3;

/// PR and luck of a player.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct ReviewRow {
    pub(crate) name: String,
    /// Decisions that count.
    pub(crate) decisions: u32,
    /// 500 times the mean loss; null without a decision.
    pub(crate) pr: Option<f32>,
    /// The 95 % interval of the PR, as if decisions were independent; null for one decision.
    pub(crate) interval: Option<[f32; 2]>,
    /// A word for the PR.
    pub(crate) rating: Option<&'static str>,
    /// Doubtful, bad and very bad decisions.
    pub(crate) mistakes: [u32; 3],
    /// Luck in points on a cube at 1.
    pub(crate) luck: f32,
}

/// A mistake of the person; of two people, of either.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct MistakeView {
    /// The number of the game, from 1.
    pub(crate) game: usize,
    /// The name of the player.
    pub(crate) player: String,
    /// Whether the player has the light checkers.
    pub(crate) light: bool,
    /// The position as XGID, seen by its player on roll.
    pub(crate) xgid: String,
    /// The board, seen by the person.
    pub(crate) board: Vec<i8>,
    pub(crate) cube: CubeView,
    /// The roll; null for a cube action.
    pub(crate) dice: Option<[u8; 2]>,
    /// The play or the cube action.
    pub(crate) played: String,
    /// The better one.
    pub(crate) best: String,
    /// The single checker moves of the play.
    pub(crate) played_steps: Vec<[u8; 2]>,
    /// Those of the better one.
    pub(crate) best_steps: Vec<[u8; 2]>,
    /// Points lost on a cube at 1.
    pub(crate) loss: f32,
    /// Its mark: `?!`, `?` or `??`.
    pub(crate) mark: &'static str,
}

/// PR and luck of both players, and the person's worst mistakes.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct MatchReview {
    /// Depth of the analysis.
    pub(crate) plies: u8,
    /// The person first.
    pub(crate) players: Vec<ReviewRow>,
    /// The worst mistakes of the person, the worst first.
    pub(crate) worst: Vec<MistakeView>,
}

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
}

/// The course of a match.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct CourseAnswer {
    pub(crate) games: Vec<GameRow>,
    pub(crate) plays: Vec<CourseRow>,
}

/// The reviews of a match: the last one, and whether one is at work.
#[derive(Default)]
pub(crate) struct Reviews {
    last: Option<(u64, MatchReview)>,
    is_at_work: Arc<AtomicBool>,
}

/// Marks a review as at work, until it is dropped.
struct AtWork(Arc<AtomicBool>);

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// PR and luck of both players so far, and the worst mistakes of the person. A review that takes
/// longer than an answer may goes on: ask again.
#[utoipa::path(get, path = "/api/v1/matches/{id}/review", tag = "matches", params(("id" = String, Path)), responses(
    (status = 200, description = "PR, luck and mistakes", body = MatchReview),
    (status = 404, description = "There is no such match", body = ErrorAnswer)))]
pub(crate) async fn review(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<MatchReview>, ApiError> {
    let shared = Arc::clone(&app);
    let done = app.work.slow(move || {
        let kept = shared.matches.get(&id, &shared.nets)?;
        let (games, person, two_people, revision, _at_work) = {
            let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let (game, revision) = (kept.table.game(), kept.table.revision());
            if let Some((of, review)) = &kept.reviews.last
                && *of == revision
            {
                return Ok(review.clone());
            }
            if kept.reviews.is_at_work.swap(true, Ordering::AcqRel) {
                return Err(ApiError::busy());
            }
            let at_work = AtWork(Arc::clone(&kept.reviews.is_at_work));
            let two_people = game.settings().two_people;
            (game.session().games(), game.person(), two_people, revision, at_work)
        };
        let engine = shared.nets.slow();
        let analysed = engine.install(|| analyse(&games, engine, &Progress::default()))?;
        let review = of_games(&analysed.unwrap_or_default(), person, two_people, engine);
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.reviews.last = Some((revision, review.clone()));
        Ok::<_, ApiError>(review)
    });
    Ok(Json(done.await??))
}

fn of_games(games: &[Analysis], person: Seat, two_people: bool, engine: &Engine) -> MatchReview {
    let all = summaries(games);
    let row = |seat: Seat| {
        let tally = Tally::of_player(games, seat);
        let pr = tally.pr();
        let interval = pr.map(|pr| pr.interval95()).filter(|(_, high)| high.is_finite());
        let names = games.first().map(|game| game.game.header().names.clone());
        ReviewRow {
            name: names.map(|names| names[seat.index()].clone()).unwrap_or_default(),
            decisions: tally.decisions,
            pr: pr.map(|pr| pr.mean as f32),
            interval: interval.map(|(low, high)| [low.max(0.0) as f32, high as f32]),
            rating: pr.map(|pr| PlayerRating::word(pr.mean as f32, tally.decisions)),
            mistakes: tally.mistakes,
            luck: all[seat.index()].luck,
        }
    };
    let worst = worst_first(games).into_iter().filter_map(|(game, index)| {
        let decision = &games[game].decisions[index];
        let name = &games[game].game.header().names[decision.player.index()];
        (two_people || decision.player == person).then(|| mistake(game + 1, name, decision))
    });
    MatchReview {
        plies: engine.plies().get(),
        players: vec![row(person), row(person.other())],
        worst: worst.take(WORST).collect(),
    }
}

fn mistake(game: usize, player: &str, decision: &AnalysedDecision) -> MistakeView {
    let position = &decision.position;
    let state = decision.state();
    // A double is seen by the doubler: whoever answers sees it from the other side.
    let is_own = state.state.on_roll == decision.player;
    let (board, cube) = match is_own {
        true => (*position, decision.cube),
        false => (position.flipped(), decision.cube.flipped()),
    };
    let (dice, played_steps, best_steps) = match &decision.what {
        DecisionKind::Play(play) => {
            let steps = |index: usize| {
                let steps = position.steps_to(play.dice, play.plays[index].after());
                steps.unwrap_or_default().iter().map(|step| [step.from, step.to]).collect()
            };
            (Some(pair(play.dice)), steps(play.played), steps(0))
        }
        DecisionKind::CubeCall(_) => (None, Vec::new(), Vec::new()),
    };
    let (played, best) = decision_of(decision);
    MistakeView {
        game,
        player: player.to_owned(),
        light: decision.player == Seat::X,
        xgid: state.xgid(),
        board: board.points().to_vec(),
        cube: CubeView::new(cube, (!is_own).then(|| 2 * cube.value())),
        dice,
        played: played.split_once(": ").map_or(played.clone(), |(_, play)| play.to_owned()),
        best,
        played_steps,
        best_steps,
        loss: decision.loss(),
        mark: decision.severity().symbol(),
    }
}

/// The games and the plays of the match so far, each play with the person's chances after it.
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
    let rows = turns().zip(values).map(|((game, turn), value)| {
        // The other player is on roll after the play.
        let is_own = turn.player == person;
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
        }
    });
    let plays = rows.collect();
    let games = games.iter().enumerate().map(|(game, played)| {
        let won = played.won();
        GameRow {
            game: game + 1,
            winner: won.map(|(winner, _)| who(winner)),
            points: won.map_or(0, |(_, points)| points),
        }
    });
    CourseAnswer { games: games.collect(), plays }
}

#[cfg(test)]
mod tests {
    use super::*;

    use nonet_engine::backgammon::record::read_record;
    use nonet_engine::search::Plies;

    const RECORD: &[u8] =
        b" 3 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 24/23 24/21    62: 24/16\n  2) 64: 24/14\n";

    #[test]
    fn a_course_has_each_play_and_a_review_the_mistakes_of_the_person_alone() {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let games = read_record(RECORD, "m.mat").expect("a record").games;
        let CourseAnswer { games: list, plays: course } = course_of(&games, Seat::X, &engine);
        assert_eq!(list, [GameRow { game: 1, winner: None, points: 0 }]);
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
        let analysed = analyse(&games, &engine, &Progress::default()).expect("analysed");
        let analysed = analysed.expect("to the end");
        let review = of_games(&analysed, Seat::X, false, &engine);
        assert_eq!(review.players[0].name, "ann");
        // 31 has a point to make.
        let worst = &review.worst[0];
        assert_eq!((worst.dice, worst.best.as_str()), (Some([3, 1]), "8/5 6/5"));
        assert_eq!(worst.best_steps, [[8, 5], [6, 5]]);
        assert!(review.worst.iter().all(|one| one.player == "ann"));
        let both = of_games(&analysed, Seat::X, true, &engine);
        assert!(both.worst.len() >= review.worst.len());
    }
}
