//! Measures errors of cube decisions against GNU Backgammon's own: the tables of `reports/cube.md`.
//!
//! `cargo run --release -p nonet-measure --bin cube_errors -- POSITIONS SEED LENGTH JUDGE FILE.csv`,
//! with LENGTH 0 for money and else the points of a match. Positions come from games of the
//! built-in net at 1-ply, one a game, with a cube in the middle (two of three) or owned by the
//! player on roll, and in a match at a random score. Those count where gnubg's 2-ply analysis puts
//! a wrong double or a wrong answer at 0.1 points or less. JUDGE is the depth of gnubg's analysis
//! that judges them, 2 or more of its plies; the players are nonet at 1 to 4 plies and gnubg at
//! fewer plies than the judge. gnubg is `/usr/games/gnubg`, or what `GNUBG` names.
//!
//! `cube_errors again OLD.csv NEW.csv` lets nonet decide anew in the positions of a file: NEW has
//! the judge and nonet of OLD ("before"), and nonet as it is now, at 1 to 3 plies.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

use nonet_measure::gnubg_text::{self, Equities};

use nonet::backgammon::{Cube, CubeOwner, MatchState, Position, Results, Scoring, Xgid};
use nonet::engine::{CachedBearoff, CubeContext, Engine, cached_bearoff};
use nonet::eval::best_result;
use nonet::game::{StreamPurpose, below, roll, stream};
use nonet::search::Plies;
use nonet::stats::Estimate;

/// A position in which the player on roll may double.
struct Question {
    xgid: String,
    position: Position,
    context: CubeContext,
}

/// Candidates: one position a game in which nonet at 1-ply sees a decision within 0.3 points.
fn candidates(engine: &Engine, seed: u64, length: u16, wanted: usize) -> Vec<Question> {
    let static_engine = engine.with_cube_plies(Plies::ONE);
    let (mut found, mut results, mut values) = (Vec::new(), Results::default(), Vec::new());
    for game in 0.. {
        let mut rng = stream(seed, StreamPurpose::Choice, game);
        let owner = if below(3, &mut rng) == 0 { CubeOwner::Own } else { CubeOwner::Centred };
        let cube =
            Cube::new(if owner == CubeOwner::Own { 2 } else { 1 }, owner).expect("a power of two");
        let scoring = if length == 0 {
            Scoring::Money { jacoby: false, beavers: false }
        } else {
            let [own, opponent] = [0, 1].map(|_| below(length.into(), &mut rng) as u16);
            // At one point away the Crawford game is over.
            Scoring::of_match(length, own, opponent, false).expect("a score")
        };
        let context = engine.context(scoring, cube).expect("in reach");
        let (mut position, mut near) = (Position::START, Vec::new());
        for turn in 0..400 {
            if turn > 3 && context.may_double() {
                let decision = static_engine.cube_decision(&position, &context);
                let double = (decision.double_take.min(1.0) - decision.no_double).abs();
                if double < 0.3 || (decision.double_take - 1.0).abs() < 0.3 {
                    near.push(position);
                }
            }
            let after = results.of(&position, roll(&mut rng));
            position = after[best_result(engine.static_evaluator(), after, &mut values)];
            if position.outcome().is_some() {
                break;
            }
        }
        if !near.is_empty() {
            let position = near[below(near.len(), &mut rng)];
            let state = MatchState { cube, ..MatchState::new(scoring) };
            let xgid = Xgid::new(position, state).to_string();
            found.push(Question { xgid, position, context });
        }
        if found.len() == wanted {
            break;
        }
    }
    found
}

/// What gnubg's cube analysis says at this many of its own plies; `None` where it sees no decision.
/// And the seconds it took.
fn gnubg(questions: &[&Question], plies: u8) -> (Vec<Option<Equities>>, f64) {
    let xgids: Vec<String> = questions.iter().map(|question| question.xgid.clone()).collect();
    let (answers, seconds) = gnubg_text::answers(&xgids, "hint", plies);
    (answers.iter().map(|answer| gnubg_text::cube_equities(answer)).collect(), seconds)
}

/// Writes `new` from the file `old`: the judge, and nonet at 1 to 3 plies before and now.
fn again(engine: &Engine, old: &str, new: &str) {
    let text = std::fs::read_to_string(old).expect("a file of decisions");
    let mut csv = "xgid,judge_no_double,judge_double_take".to_owned();
    for when in ["before", "now"] {
        for plies in 1..=3 {
            let _ = write!(csv, ",{when}_{plies}-ply_no_double,{when}_{plies}-ply_double_take");
        }
    }
    csv.push('\n');
    for row in text.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let Xgid { position, state, .. } = cells[0].parse().expect("an XGID");
        let context = engine.context(state.scoring, state.cube).expect("in reach");
        let mut equities: Vec<f32> =
            cells[3..9].iter().map(|cell| cell.parse().expect("an equity")).collect();
        for plies in 1..=3 {
            let engine = engine.with_cube_plies(Plies::new(plies).expect("1 to 3"));
            let decision = engine.cube_decision(&position, &context);
            equities.extend([decision.no_double, decision.double_take]);
        }
        csv.push_str(&cells[..3].join(","));
        for equity in equities {
            let _ = write!(csv, ",{equity:.5}");
        }
        csv.push('\n');
    }
    std::fs::write(new, csv).expect("written");
}

fn engine() -> Engine {
    let CachedBearoff { databases, .. } = cached_bearoff().expect("bearoff databases");
    Engine::builder().bearoff(databases).build().expect("an engine")
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, old, new] = words.as_slice()
        && mode == "again"
    {
        return again(&engine(), old, new);
    }
    let [positions, seed, length, judge, path] = words.as_slice() else {
        panic!("expected POSITIONS SEED LENGTH JUDGE FILE.csv, or again OLD.csv NEW.csv");
    };
    let number = |word: &str| word.parse::<u64>().expect("a whole number");
    let (wanted, seed) = (number(positions) as usize, number(seed));
    let length = u16::try_from(number(length)).expect("the length of a match");
    let judge = u8::try_from(number(judge)).expect("a depth");
    assert!(judge >= 2, "the judge looks two plies ahead or more");
    let engine = engine();
    let candidates = candidates(&engine, seed, length, 3 * wanted);
    let all: Vec<&Question> = candidates.iter().collect();
    let (seen, _) = gnubg(&all, 2);
    let near = |[no_double, take]: Equities| {
        (take.min(1.0) - no_double).abs() <= 0.1 || (take - 1.0).abs() <= 0.1
    };
    let seen: Vec<(&Question, Equities)> = all
        .iter()
        .zip(&seen)
        .filter_map(|(question, seen)| Some((*question, seen.filter(|seen| near(*seen))?)))
        .take(wanted)
        .collect();
    let questions: Vec<&Question> = seen.iter().map(|(question, _)| *question).collect();
    let kept: Vec<(&Question, Equities)> = if judge == 2 {
        seen
    } else {
        let judged = gnubg(&questions, judge).0.into_iter().map(|seen| seen.expect("a decision"));
        questions.iter().copied().zip(judged).collect()
    };
    let mut players: Vec<(String, Vec<Equities>, f64)> = Vec::new();
    for plies in 1..=4 {
        let engine = engine.with_cube_plies(Plies::new(plies).expect("1 to 4"));
        let started = Instant::now();
        let answers = questions.iter().map(|question| {
            let decision = engine.cube_decision(&question.position, &question.context);
            [decision.no_double, decision.double_take]
        });
        let answers = answers.collect();
        let seconds = started.elapsed().as_secs_f64();
        players.push((format!("nonet {plies}-ply"), answers, seconds));
    }
    for plies in 0..judge {
        let (answers, seconds) = gnubg(&questions, plies);
        let answers = answers.into_iter().map(|answer| answer.expect("a decision")).collect();
        players.push((format!("gnubg {plies}-ply"), answers, seconds));
    }
    // What a player of each depth decides with the cube's own depth.
    for plies in 1..=3 {
        let engine = engine.with_plies(Plies::new(plies).expect("1 to 4"));
        let same = questions.iter().zip(&players[2].1).all(|(question, of_three)| {
            let decision = engine.cube_decision(&question.position, &question.context);
            [decision.no_double, decision.double_take] == *of_three
        });
        assert!(same, "play at {plies}-ply decides as its own cube depth");
    }
    let mut csv = "xgid,judge_no_double,judge_double_take".to_owned();
    for (name, ..) in &players {
        let name = name.replace(' ', "_");
        let _ = write!(csv, ",{name}_no_double,{name}_double_take");
    }
    csv.push('\n');
    for (i, (question, judge)) in kept.iter().enumerate() {
        let _ = write!(csv, "{},{},{}", question.xgid, judge[0], judge[1]);
        for (_, answers, _) in &players {
            let _ = write!(csv, ",{},{}", answers[i][0], answers[i][1]);
        }
        csv.push('\n');
    }
    std::fs::write(path, csv).expect("written");
    let mut out = std::io::stdout().lock();
    let mut say = |text: String| writeln!(out, "{text}").expect("standard output");
    say(format!("{} positions", kept.len()));
    say("| player | wrong doubles | wrong answers | both | decisions wrong | no double | double/take | ms a decision |".to_owned());
    say("|---|---|---|---|---|---|---|---|".to_owned());
    for (name, answers, seconds) in &players {
        let lost: Vec<[f64; 2]> = answers
            .iter()
            .zip(&kept)
            .map(|(answer, (_, judge))| gnubg_text::losses(*answer, *judge))
            .collect();
        let mean = |part: &dyn Fn(&[f64; 2]) -> f64| {
            let Estimate { mean, stderr, .. } = Estimate::from_values(lost.iter().map(part));
            format!("{:.2} ± {:.2}", 1000.0 * mean, 1000.0 * stderr)
        };
        let bias = |part: usize| {
            let apart = answers
                .iter()
                .zip(&kept)
                .map(|(own, (_, judge))| f64::from(own[part] - judge[part]));
            let Estimate { mean, stderr, .. } = Estimate::from_values(apart);
            format!("{mean:+.3} ± {stderr:.3}")
        };
        let wrong = lost.iter().flatten().filter(|lost| **lost > 0.0).count();
        say(format!(
            "| {name} | {} | {} | {} | {wrong} | {} | {} | {:.2} |",
            mean(&|lost| lost[0]),
            mean(&|lost| lost[1]),
            mean(&|lost| lost[0] + lost[1]),
            bias(0),
            bias(1),
            1000.0 * seconds / kept.len() as f64
        ));
    }
}
