//! The cells of a matrix are plain answers, and agree with what is known about scores.

use std::sync::Arc;

use super::*;
use crate::answer::{CubeAnswer, HintAnswer, HintOptions, read_question};
use nonet_engine::Plies;
use nonet_engine::backgammon::CubeOwner;
use nonet_engine::cube::{Answer, CubeAction, MatchEquityTable};

fn engine(plies: Plies) -> Engine {
    Engine::champion().with_plies(plies).with_cube_plies(plies)
}

fn matrix(engine: &Engine, state: &GameState, away: u16, play: Option<&str>) -> ScoreMatrix {
    let options = MatrixOptions { away: Some(away), play };
    let progress = Progress::default();
    let matrix = ScoreMatrix::of(engine, state, options, &progress).expect("a matrix");
    assert_eq!(progress.done(), ScoreMatrix::decisions(state, away));
    matrix
}

fn question(id: &str) -> GameState {
    read_question(id, None).expect("a question")
}

/// A middle game with a roll, or before it. The cube, the score and the rules are left open.
fn middle(cube: &str, dice: &str, score: &str) -> GameState {
    question(&format!("XGID=-b--BBBBB---eC---c-e----B-:{cube}:1:{dice}:{score}:10"))
}

/// The score of a cell in a match of its own.
fn score_of(cell: &ScoreCell) -> Scoring {
    let (Some(own), Some(opponent)) = (cell.own_away, cell.opponent_away) else {
        return Scoring::MONEY;
    };
    // Longer than the matrix: the length of the match decides nothing.
    let crawford = cell.score == ScoreStage::Crawford;
    Scoring::of_match(17, 17 - own, 17 - opponent, crawford).expect("a score")
}

#[test]
fn what_a_play_loses_is_told_at_the_depth_of_the_best_play() {
    let engine = engine(Plies::TWO);
    let state = middle("0:0", "21", "0:0:0:0");
    let plays = engine.moves(&state).expect("plays");
    let left = plays.iter().find(|play| play.plies < Plies::TWO).expect("filtered");
    let found = matrix(&engine, &state, 1, Some(&left.play().to_string()));
    for cell in &found.cells {
        let there = at(&state, score_of(cell), state.state.cube);
        let best = engine.best_move(&there).expect("a play");
        let context = engine.context(there.state.scoring, there.state.cube).expect("a score");
        let [best, other] = engine.compare([&best.candidate, &left.candidate], &context);
        let told = cell.play.as_ref().expect("a play");
        assert!((told.loss - (best.equity - other.equity).max(0.0)).abs() < 1e-5, "{cell:?}");
    }
}

#[test]
fn each_cell_is_the_plain_answer_at_its_score_bit_for_bit() {
    let engine = engine(Plies::ONE);
    let all = HintOptions { cubeless: false, plays: usize::MAX };
    for (cube, score) in [("0:0", "0:0:0:0"), ("1:1", "3:4:0:7"), ("0:0", "4:2:1:5")] {
        let state = middle(cube, "21", score);
        let found = matrix(&engine, &state, 3, Some("6/5 8/6"));
        assert!(found.complete && found.cells.iter().filter(|cell| cell.given).count() == 1);
        let letter = |play: &str| {
            let of = |known: &&MatrixPlay| known.play == play;
            found.plays.iter().find(of).map(|known| known.letter.clone())
        };
        for cell in &found.cells {
            let plain = at(&state, score_of(cell), state.state.cube);
            let plain = HintAnswer::of(&engine, &plain, all).expect("an answer");
            let play = cell.play.as_ref().expect("a play");
            assert_eq!(Some(&play.letter), letter(&plain.plays[0].play).as_ref(), "{cell:?}");
            assert_eq!(play.equity.to_bits(), plain.plays[0].equity.to_bits(), "{cell:?}");
            assert_eq!(play.ahead, Some(plain.plays[1].loss), "{cell:?}");
            let asked = plain.plays.iter().find(|one| letter(&one.play) == found.asked);
            assert_eq!(Some(play.loss), asked.map(|one| one.loss), "{cell:?}");
        }
        let here = HintAnswer::of(&engine, &state, all).expect("an answer");
        let given = found.given().and_then(|cell| cell.play.clone()).expect("the given score");
        assert_eq!(given.equity.to_bits(), here.plays[0].equity.to_bits());
        let place = found.cubes.iter().find(|place| place.given).expect("the given cube");
        assert_eq!(place.play.as_ref(), Some(&given));

        let state = middle(cube, "00", score);
        let found = matrix(&engine, &state, 3, None);
        for cell in &found.cells {
            let plain = at(&state, score_of(cell), state.state.cube);
            let plain = CubeAnswer::of(&engine, &plain).expect("an answer");
            let cube = cell.cube.as_ref().expect("a decision");
            assert_eq!(
                (cube.action, cube.answer, &cube.words),
                (plain.action, plain.answer, &plain.words)
            );
            assert_eq!(cube.no_double.to_bits(), plain.no_double.to_bits(), "{cell:?}");
            assert_eq!(cube.double_take.to_bits(), plain.double_take.to_bits(), "{cell:?}");
        }
    }
}

#[test]
fn a_matrix_has_all_scores_once_and_those_of_its_question() {
    let engine = engine(Plies::ONE);
    let count = |id: &str, away: u16| matrix(&engine, &question(id), away, None).cells.len();
    // Money and 81 scores; where one side needs 1 point there is the Crawford game as well.
    assert_eq!(count("XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:0:10", 9), 1 + 81 + 16);
    // With a cube at 2 there is no Crawford game.
    assert_eq!(count("XGID=-b----E-C---eE---c-e----B-:1:1:1:21:0:0:0:0:10", 2), 1 + 4);
    // 7 and 5 points away: outside.
    let far = question("XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:2:0:7:10");
    let found = matrix(&engine, &far, 2, None);
    assert_eq!((found.cells.len(), found.cells[0].own_away), (1 + 1 + 4 + 2, Some(7)));
    let names: Vec<_> = found.cells.iter().filter_map(|cell| cell.name).collect();
    let wanted = [ScoreName::DoubleMatchPoint, ScoreName::GammonSave, ScoreName::GammonGo];
    assert_eq!(names, wanted);
    let owners: Vec<_> = found.cubes.iter().map(|cube| (cube.owner, cube.value)).collect();
    let wanted = [(CubeOwner::Centred, 1), (CubeOwner::Own, 2), (CubeOwner::Opponent, 2)];
    assert_eq!(owners, wanted);
}

#[test]
fn at_double_match_point_the_play_with_most_wins_is_best() {
    let engine = engine(Plies::ONE);
    let all = HintOptions { cubeless: false, plays: usize::MAX };
    for dice in ["21", "64", "51", "33"] {
        let state = middle("0:0", dice, "0:0:0:0");
        let found = matrix(&engine, &state, 1, None);
        let [_, point] = found.cells.as_slice() else { panic!("{:?}", found.cells) };
        assert_eq!(point.name, Some(ScoreName::DoubleMatchPoint));
        let plays = HintAnswer::of(&engine, &state, all).expect("an answer").plays;
        let most = plays.iter().max_by(|a, b| a.outcomes.win.total_cmp(&b.outcomes.win));
        let best = point.play.as_ref().map(|play| 0.5 * (play.equity + 1.0)).expect("a play");
        let most = most.expect("a play").outcomes.win;
        assert!((best - most).abs() < 1e-4, "{dice}: {best} and {most}");
    }
}

/// Two checkers against one: 25 of 36 throws bear both off, and else the opponent wins. Whether to
/// double and to take then follows from the match equity table alone.
#[test]
fn a_last_roll_is_doubled_and_taken_where_the_match_equity_table_says_so() {
    let board = Position::from_sides(&[(3, 1), (2, 1)], &[(1, 1)]).expect("a board");
    let state = GameState::money(board);
    let table: Arc<MatchEquityTable> = MatchEquityTable::kazaross_xg2();
    let found = matrix(&engine(Plies::TWO), &state, 9, None);
    let win = 25.0 / 36.0;
    let (mut takes, mut passes) = (0, 0);
    for cell in &found.cells {
        let cube = cell.cube.as_ref().expect("a decision");
        let utility = |points: i32| match score_of(cell) {
            Scoring::Match(score) => table.after(score, points),
            Scoring::Money { .. } => points as f32,
        };
        let mean = |points: i32| win * utility(points) + (1.0 - win) * utility(-points);
        let equity = |mean: f32| 2.0 * (mean - utility(-1)) / (utility(1) - utility(-1)) - 1.0;
        let (waits, taken) = (equity(mean(1)), equity(mean(2)));
        let crawford = cell.score == ScoreStage::Crawford;
        if crawford || cell.own_away == Some(1) {
            assert_eq!((cube.action, cube.ahead), (CubeAction::NotAvailable, None), "{cell:?}");
            continue;
        }
        // A score between two answers is one that rounding decides.
        if (taken - 1.0).abs() < 1e-3 || (taken.min(1.0) - waits).abs() < 1e-3 {
            continue;
        }
        assert_eq!(cube.answer == Answer::Take, taken < 1.0, "{cell:?}: {taken}");
        assert_eq!(cube.action == CubeAction::Double, taken.min(1.0) > waits, "{cell:?}: {waits}");
        if taken < 1.0 {
            takes += 1
        } else {
            passes += 1
        }
        if (cell.own_away, cell.opponent_away) == (Some(2), Some(2)) {
            // The take point is 32 % there, and 25 % for money.
            assert_eq!(cube.answer, Answer::Pass);
        }
        if cell.score == ScoreStage::Money {
            assert_eq!((cube.action, cube.answer), (CubeAction::Double, Answer::Take));
        }
    }
    assert!(takes > 10 && passes > 10, "{takes} takes and {passes} passes");
}

/// What published rollouts of the openings agree about: builders and points for those who need a
/// gammon, the split and the run against it.
#[test]
fn openings_change_with_the_score_as_rollouts_say() {
    let engine = engine(Plies::TWO);
    for (dice, go, save) in [
        ("21", "13/11 6/5", "24/23 13/11"),
        ("64", "8/2 6/2", "24/14"),
        ("32", "13/10 13/11", "24/21 13/11"),
        ("54", "13/8 13/9", "24/20 13/8"),
    ] {
        let state = read_question("start", Some(dice)).expect("a question");
        let found = matrix(&engine, &state, 2, None);
        let best = |name: ScoreName| {
            let cell = found.cells.iter().find(|cell| cell.name == Some(name)).expect("a cell");
            let letter = &cell.play.as_ref().expect("a play").letter;
            let play = found.plays.iter().find(|play| play.letter == *letter);
            play.map(|play| play.play.clone())
        };
        assert_eq!(best(ScoreName::GammonGo).as_deref(), Some(go), "{dice}");
        assert_eq!(best(ScoreName::GammonSave).as_deref(), Some(save), "{dice}");
    }
}

#[test]
fn whoever_stops_gets_what_is_done_and_a_wrong_question_is_refused() {
    let engine = engine(Plies::ONE);
    let state = middle("0:0", "21", "0:0:0:0");
    let stopped = Progress::default();
    stopped.stop();
    let found = ScoreMatrix::of(&engine, &state, MatrixOptions::default(), &stopped);
    let found = found.expect("a matrix without cells");
    assert!(!found.complete && found.cells.is_empty() && found.plays.is_empty());
    let ask = |away: u16, play: Option<&str>, state: &GameState| {
        let options = MatrixOptions { away: Some(away), play };
        ScoreMatrix::of(&engine, state, options, &Progress::default())
    };
    for away in [0, 16] {
        assert!(matches!(ask(away, None, &state), Err(MatrixError::Away(_))));
    }
    assert!(matches!(ask(3, Some("8/3"), &state), Err(MatrixError::Play(_))));
    let no_roll = middle("0:0", "00", "0:0:0:0");
    assert!(matches!(ask(3, Some("8/7 6/4"), &no_roll), Err(MatrixError::PlayWithoutRoll)));
}
