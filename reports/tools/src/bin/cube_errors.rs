//! Measures errors of cube decisions against GNU Backgammon's own: the tables of `reports/cube.md`.
//!
//! ```text
//! cargo run --release -p nonet-measure --bin cube_errors -- POSITIONS SEED LENGTH JUDGE FILE.csv
//! ```
//!
//! LENGTH is 0 for money and else the points of a match. Positions come from games of the built-in
//! net at 1-ply, one a game. Two of three have a cube in the middle, the others one that the player
//! on roll owns. In a match the score is random. Those positions count where gnubg's 2-ply analysis
//! puts a wrong double or a wrong answer at 0.1 points or less. JUDGE is the depth of gnubg's
//! analysis that judges them, 2 or more of its plies. Players are nonet at 1 to 4 plies and by
//! short rollouts, and gnubg at fewer plies than the judge. The program gnubg is
//! `/usr/games/gnubg`, or what `GNUBG` names.
//!
//! `cube_errors again OLD.csv NEW.csv` lets nonet decide anew in the positions of a file: NEW has
//! the judge and nonet of OLD ("before"), and nonet as it is now, at 1 to 3 plies. `cube_errors
//! renew OLD.csv NEW.csv` replaces nonet's equities alone, and prints the table; gnubg keeps its
//! own.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

use nonet_measure::gnubg_text::{self, Equities};

use nonet::backgammon::{Cube, CubeOwner, MatchState, Position, Results, Scoring, Xgid};
use nonet::engine::{CachedBearoff, CubeContext, Depth, Engine, cached_bearoff};
use nonet::eval::best_result;
use nonet::game::{StreamPurpose, below, roll, stream};
use nonet::rollout::Roller;
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
fn gnubg(questions: &[Question], plies: u8) -> (Vec<Option<Equities>>, f64) {
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

/// What nonet decides at 1 to 4 plies and by short rollouts.
fn nonet_players(engine: &Engine, questions: &[Question]) -> Vec<Decider> {
    let plies = (1..=4).map(|plies| {
        let engine = engine.with_cube_plies(Plies::new(plies).expect("1 to 4"));
        (format!("nonet {plies}-ply"), engine)
    });
    let roller = ("nonet roller".to_owned(), engine.with_depth(Depth::Rollout(Roller::SHORT)));
    let decide = |(name, engine): (String, Engine)| {
        let started = Instant::now();
        let decide = |question: &Question| {
            let decision = engine.cube_decision(&question.position, &question.context);
            [decision.no_double, decision.double_take]
        };
        let answers = questions.iter().map(decide).collect();
        (name, answers, started.elapsed().as_secs_f64())
    };
    plies.chain([roller]).map(decide).collect()
}

/// The file of all decisions.
fn csv_of(players: &[Decider], questions: &[Question], judges: &[Equities]) -> String {
    let mut csv = "xgid,judge_no_double,judge_double_take".to_owned();
    for (name, ..) in players {
        let name = name.replace(' ', "_");
        let _ = write!(csv, ",{name}_no_double,{name}_double_take");
    }
    csv.push('\n');
    for (i, (question, judge)) in questions.iter().zip(judges).enumerate() {
        let _ = write!(csv, "{},{},{}", question.xgid, judge[0], judge[1]);
        for (_, answers, _) in players {
            let _ = write!(csv, ",{},{}", answers[i][0], answers[i][1]);
        }
        csv.push('\n');
    }
    csv
}

/// Writes `new` from the file `old`: the same, but nonet decides anew.
fn renew(engine: &Engine, old: &str, new: &str) {
    let text = std::fs::read_to_string(old).expect("a file of decisions");
    let (head, rows) = text.split_once('\n').expect("a head");
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split(',').collect()).collect();
    let pair = |row: &[&str], place: usize| -> Equities {
        [0, 1].map(|more| row[place + more].parse().expect("an equity"))
    };
    let judges: Vec<Equities> = rows.iter().map(|row| pair(row, 1)).collect();
    let ask = |row: &Vec<&str>| {
        let Xgid { position, state, .. } = row[0].parse().expect("an XGID");
        let context = engine.context(state.scoring, state.cube).expect("in reach");
        Question { xgid: row[0].to_owned(), position, context }
    };
    let questions: Vec<Question> = rows.iter().map(ask).collect();
    let mut players = nonet_players(engine, &questions);
    for (place, name) in head.split(',').enumerate().skip(3).step_by(2) {
        if name.starts_with("gnubg") {
            let name = name.strip_suffix("_no_double").expect("a player").replace('_', " ");
            players.push((name, rows.iter().map(|row| pair(row, place)).collect(), 0.0));
        }
    }
    std::fs::write(new, csv_of(&players, &questions, &judges)).expect("written");
    table(&players, &judges);
}

/// A player: its name, its equities of each position, and the seconds that it took.
type Decider = (String, Vec<Equities>, f64);

/// Prints the table of the report.
fn table(players: &[Decider], judges: &[Equities]) {
    let mut out = std::io::stdout().lock();
    let mut say = |text: String| writeln!(out, "{text}").expect("standard output");
    say(format!("{} positions", judges.len()));
    say("| player | wrong doubles | wrong answers | both | decisions wrong | no double | double/take | ms a decision |".to_owned());
    say("|---|---|---|---|---|---|---|---|".to_owned());
    for (name, answers, seconds) in players {
        let lost: Vec<[f64; 2]> = answers
            .iter()
            .zip(judges)
            .map(|(answer, judge)| gnubg_text::losses(*answer, *judge))
            .collect();
        let mean = |part: &dyn Fn(&[f64; 2]) -> f64| {
            let Estimate { mean, stderr, .. } = Estimate::from_values(lost.iter().map(part));
            format!("{:.2} ± {:.2}", 1000.0 * mean, 1000.0 * stderr)
        };
        let bias = |part: usize| {
            let apart =
                answers.iter().zip(judges).map(|(own, judge)| f64::from(own[part] - judge[part]));
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
            1000.0 * seconds / judges.len() as f64
        ));
    }
}

fn engine() -> Engine {
    let CachedBearoff { databases, .. } = cached_bearoff().expect("bearoff databases");
    Engine::builder().bearoff(databases).build().expect("an engine")
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["again", old, new] => return again(&engine(), old, new),
        ["renew", old, new] => return renew(&engine(), old, new),
        _ => {}
    }
    let [positions, seed, length, judge, path] = words.as_slice() else {
        panic!("expected POSITIONS SEED LENGTH JUDGE FILE.csv, or again|renew OLD.csv NEW.csv");
    };
    let number = |word: &str| word.parse::<u64>().expect("a whole number");
    let (wanted, seed) = (number(positions) as usize, number(seed));
    let length = u16::try_from(number(length)).expect("the length of a match");
    let judge = u8::try_from(number(judge)).expect("a depth");
    assert!(judge >= 2, "the judge looks two plies ahead or more");
    let engine = engine();
    let candidates = candidates(&engine, seed, length, 3 * wanted);
    let (seen, _) = gnubg(&candidates, 2);
    let near = |[no_double, take]: &Equities| {
        (take.min(1.0) - no_double).abs() <= 0.1 || (take - 1.0).abs() <= 0.1
    };
    let (questions, seen): (Vec<Question>, Vec<Equities>) = (candidates.into_iter().zip(seen))
        .filter_map(|(question, seen)| Some((question, seen.filter(near)?)))
        .take(wanted)
        .unzip();
    let judges: Vec<Equities> = if judge == 2 {
        seen
    } else {
        gnubg(&questions, judge).0.into_iter().map(|seen| seen.expect("a decision")).collect()
    };
    let mut players = nonet_players(&engine, &questions);
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
    std::fs::write(path, csv_of(&players, &questions, &judges)).expect("written");
    table(&players, &judges);
}
