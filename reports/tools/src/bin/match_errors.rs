//! Measures what plays and cube decisions lose in recorded matches, with cube and score.
//!
//! It compares nonet at 1 to 3 plies with GNU Backgammon at its 0 to 2 (`gnubg:1` to `gnubg:3`).
//! `tests/library/reports.rs` derives the tables of `reports/matches.md` from the file that this
//! writes.
//!
//! `cargo run --release -p nonet-measure --bin match_errors -- ONE_IN JUDGE OUT.csv RECORD...`
//! takes every ONE_INth play and double, and all answers. Plays count where two or more are legal,
//! doubles at every turn where the player may double. Answers are those to doubles that were made.
//! Where the six players disagree, two judges give the values: gnubg at JUDGE of its own plies, and
//! nonet at 4-ply. A play is judged by the position after it, so that no move filter stands
//! between. Its loss is counted from the best of the plays that a player chose. Where all six
//! agree, the loss counts as 0 for each.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, Write as _};

use nonet::analysis::analyse;
use nonet::backgammon::GameState;
use nonet::backgammon::record::read_record;
use nonet::engine::{CachedBearoff, Engine, cached_bearoff};
use nonet::progress::Progress;
use nonet::search::Plies;
use nonet::stats::Estimate;
use nonet_measure::gnubg_text::{Equities, answers, cube_equities, cubeful_equity};
use nonet_measure::recorded::{Kind, Question, ask, players};

/// Depth of nonet as a judge.
const JUDGE: u8 = 4;

/// What the two judges say of each disputed question.
fn judge(questions: &[&Question], engine: &Engine, plies: u8) -> [Vec<Vec<f32>>; 2] {
    let engine = engine
        .with_plies(Plies::new(JUDGE).expect("1 to 4"))
        .with_cube_plies(Plies::new(JUDGE).expect("1 to 4"));
    let nonet = questions.iter().map(|question| match question.kind {
        Kind::Play(_) => {
            let plays = question.plays();
            let first = &plays[0];
            let compare = |play| engine.compare([first, play], &question.context);
            let others: Vec<_> = plays[1..].iter().map(compare).collect();
            let equity = others[0][0].equity;
            std::iter::once(equity).chain(others.iter().map(|pair| pair[1].equity)).collect()
        }
        _ => {
            let decision = engine.cube_decision(&question.state.position, &question.context);
            vec![decision.no_double, decision.double_take]
        }
    });
    let nonet: Vec<Vec<f32>> = nonet.collect();
    // Of gnubg, the states with a cube decision and those without are asked apart.
    let states: Vec<GameState> = questions
        .iter()
        .flat_map(|question| match question.kind {
            Kind::Play(_) => question.afters(),
            _ => vec![question.state.clone()],
        })
        .collect();
    let may_double = |state: &GameState| {
        let context = engine.context(state.state.scoring, state.state.cube).expect("in reach");
        context.may_double()
    };
    let asked = |with_cube: bool| -> Vec<String> {
        let some = states.iter().filter(|state| may_double(state) == with_cube);
        some.map(ToString::to_string).collect()
    };
    let hints = answers(&asked(true), "hint", plies).0;
    let evals = answers(&asked(false), "eval", plies).0;
    let (mut hints, mut evals) = (hints.iter(), evals.iter());
    let mut next = |state: &GameState| -> Equities {
        if may_double(state) {
            let hint = hints.next().expect("an answer each");
            cube_equities(hint).unwrap_or_else(|| panic!("{state}: {hint}"))
        } else {
            let eval = evals.next().expect("an answer each");
            let equity = cubeful_equity(eval).unwrap_or_else(|| panic!("{state}: {eval}"));
            [equity, equity]
        }
    };
    let gnubg = questions.iter().map(|question| match question.kind {
        Kind::Play(_) => {
            let value = |state: &GameState| {
                let [no_double, take] = next(state);
                // The opponent doubles where that is better for them.
                -no_double.max(take.min(1.0))
            };
            question.afters().iter().map(value).collect()
        }
        _ => next(&question.state).to_vec(),
    });
    [gnubg.collect(), nonet]
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [one_in, judge_plies, path, records @ ..] = words.as_slice() else {
        panic!("expected ONE_IN JUDGE OUT.csv RECORD...");
    };
    let one_in: usize = one_in.parse().expect("a whole number");
    let judge_plies: u8 = judge_plies.parse().expect("a depth");
    let CachedBearoff { databases, .. } = cached_bearoff().expect("bearoff databases");
    let engine = Engine::builder()
        .bearoff(databases)
        .plies(Plies::ONE)
        .cube_plies(Plies::ONE)
        .threads(1)
        .build()
        .expect("an engine");
    let mut all: Vec<Question> = Vec::new();
    for record in records {
        let file = BufReader::new(File::open(record).expect("a record"));
        let games = read_record(file, record).expect("a record").games;
        let analysed = analyse(&games, &engine, &Progress::default()).expect("in reach");
        for game in analysed.expect("not stopped") {
            all.extend(game.decisions.iter().filter_map(|of| Question::of(of, &engine)));
        }
    }
    let mut seen = [0_usize; 3];
    all.retain(|question| {
        let number = &mut seen[match question.kind {
            Kind::Play(_) => 0,
            Kind::Double => 1,
            Kind::Answer => 2,
        }];
        *number += 1;
        // Answers are few: all of them count.
        question.kind == Kind::Answer || (*number - 1).is_multiple_of(one_in)
    });
    ask(&mut all, &engine);
    let names = players();
    let disputed: Vec<bool> = all.iter().map(Question::disputed).collect();
    let judged: Vec<&Question> =
        all.iter().zip(&disputed).filter(|(_, disputed)| **disputed).map(|(one, _)| one).collect();
    let values = judge(&judged, &engine, judge_plies);
    let mut csv = "kind,xgid".to_owned();
    for judge in ["gnubg", "nonet"] {
        names.iter().for_each(|name| {
            let _ = write!(csv, ",{name} by {judge}");
        });
    }
    csv.push('\n');
    let mut lost: Vec<[Vec<f64>; 2]> = Vec::new();
    let mut places = 0..;
    for (question, disputed) in all.iter().zip(&disputed) {
        let of_both = match disputed {
            true => {
                let place = places.next().expect("numbers do not end");
                [0, 1].map(|judge: usize| question.losses(&values[judge][place]))
            }
            false => [0, 1].map(|_| vec![0.0; names.len()]),
        };
        let _ = write!(csv, "{},{}", question.kind.name(), question.state);
        if *disputed {
            of_both.iter().flatten().for_each(|loss| {
                let _ = write!(csv, ",{loss:.4}");
            });
        }
        csv.push('\n');
        lost.push(of_both);
    }
    std::fs::write(path, csv).expect("written");
    print_tables(&all, &disputed, &lost, &names);
}

fn print_tables(all: &[Question], disputed: &[bool], lost: &[[Vec<f64>; 2]], names: &[String]) {
    let mut out = std::io::stdout().lock();
    let mut say = |text: String| writeln!(out, "{text}").expect("standard output");
    for (judge, judge_name) in ["gnubg", "nonet at 4-ply"].iter().enumerate() {
        say(format!("\nER, judged by {judge_name}\n"));
        say(format!("| decisions | {} |", names.join(" | ")));
        say(format!("|---|{}", "---|".repeat(names.len())));
        for kind in ["play", "double", "answer"] {
            let of_kind = || (0..all.len()).filter(|&i| all[i].kind.name() == kind);
            let count = of_kind().count();
            let open = of_kind().filter(|&i| disputed[i]).count();
            let cells: Vec<String> = (0..names.len())
                .map(|player| {
                    let values = of_kind().map(|i| 1000.0 * lost[i][judge][player]);
                    let Estimate { mean, stderr, .. } = Estimate::from_values(values);
                    format!("{mean:.2} ± {stderr:.2}")
                })
                .collect();
            say(format!("| {count} of kind {kind}, {open} disputed | {} |", cells.join(" | ")));
            for own in 0..names.len() / 2 {
                let other = own + names.len() / 2;
                let apart =
                    of_kind().map(|i| 1000.0 * (lost[i][judge][own] - lost[i][judge][other]));
                let Estimate { mean, stderr, .. } = Estimate::from_values(apart);
                say(format!("  {} less {}: {mean:+.2} ± {stderr:.2}", names[own], names[other]));
            }
        }
    }
}
