//! Settles by rollouts what players dispute in recorded matches, with cube and score.
//!
//! The players are nonet at 1 to 3 plies and GNU Backgammon at its 0 to 2 (`gnubg:1` to `gnubg:3`).
//! `open_sage_match_rollouts.py` adds a third judge.
//!
//! `cargo run --release -p nonet-measure --bin match_rollouts -- DECISIONS.csv PLAY_GAMES
//! CUBE_GAMES SEED THREADS OUT.csv` takes the decisions of a file of `match_errors`. Where the six
//! players differ, two judges, nonet and gnubg, roll out. They roll out each play that was chosen,
//! or no double and a double that is taken. Each rollout has PLAY_GAMES or CUBE_GAMES games with
//! the cube at the score, variance reduction and 1-ply decisions. Dice are stratified; the seed of
//! decision i is SEED + i. A game counts the mean of its values after 11 and 12 plies; of gnubg
//! half of the games end after each. OUT.csv gets a row for each decision. The same command goes on
//! after the last row.
//!
//! `reports/matches.md` has the results, `tests/library/match_rollouts.rs` derives its tables.
//!
//! A row lists the options: the positions after plays, or the two actions of the cube. Each
//! player's choice is a place in that list. The judges' values are those of the plays, or of no
//! double and a double that is taken.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]

use std::fmt::Write as _;
use std::fs;

use nonet::engine::{Engine, cached_bearoff};
use nonet::search::Plies;
use nonet_measure::judges::RecordedRollouts;
use nonet_measure::recorded::{Choice, Kind, Question, ask, players};
use nonet_measure::row_file::RowFile;

/// Plies after which a rollout is cut off.
const TRUNCATE: u32 = 11;
/// Decisions between two writes to the file.
const AT_ONCE: usize = 60;

/// The row of a decision, with its values by each judge if it was judged.
fn row(number: usize, question: &Question, judged: &[Vec<f64>]) -> String {
    let plays = question.plays();
    let options = match question.kind {
        Kind::Play(_) => plays.iter().map(|play| play.after.id()).collect::<Vec<_>>().join(";"),
        Kind::Double => "no double;double".to_owned(),
        Kind::Answer => "pass;take".to_owned(),
    };
    let mut row = format!("{number},{},{},{options}", question.kind.name(), question.state);
    for choice in &question.choices {
        let place = match choice {
            Choice::Play(chosen) => {
                plays.iter().position(|play| play.after == chosen.after).expect("one of them")
            }
            Choice::Cube(equities) => usize::from(question.acts(*equities)),
        };
        let _ = write!(row, ",{place}");
    }
    for values in judged {
        let values: Vec<String> = values.iter().map(|value| format!("{value:.5}")).collect();
        let _ = write!(row, ",{}", values.join(";"));
    }
    row + "\n"
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [decisions, play_games, cube_games, seed, threads, path] = words.as_slice() else {
        panic!("expected DECISIONS.csv PLAY_GAMES CUBE_GAMES SEED THREADS OUT.csv");
    };
    let parsed = |word: &str| word.parse::<u64>().expect("a whole number");
    let [play_games, cube_games, seed, threads] =
        [play_games, cube_games, seed, threads].map(|word| parsed(word));
    let threads = threads as usize;
    let rollouts = RecordedRollouts { play_games, cube_games, truncate: TRUNCATE };
    let databases = cached_bearoff().expect("bearoff databases").databases;
    let engine = Engine::builder()
        .bearoff(databases)
        .plies(Plies::ONE)
        .cube_plies(Plies::ONE)
        .threads(threads)
        .build()
        .expect("an engine");
    let text = fs::read_to_string(decisions).expect("readable");
    let questions: Vec<Question> =
        text.lines().skip(1).map(|row| Question::of_row(row, &engine)).collect();
    let head = format!("number,kind,xgid,options,{},by nonet,by gnubg\n", players().join(","));
    let file = RowFile::open(path, &head);
    let done = file.rows();
    for first in (done..questions.len()).step_by(AT_ONCE) {
        let mut some = questions[first..questions.len().min(first + AT_ONCE)].to_vec();
        ask(&mut some, &engine);
        let numbered = (first as u64..).map(|number| seed + number).zip(&some);
        let disputed: Vec<(u64, &Question)> =
            numbered.filter(|(_, question)| question.disputed()).collect();
        let mut by_gnubg = rollouts.by_gnubg(&disputed, threads).into_iter();
        let mut rows = String::new();
        for (number, question) in (first..).zip(&some) {
            let judged = if question.disputed() {
                let by_nonet = rollouts.by_nonet(&engine, question, seed + number as u64);
                vec![by_nonet, by_gnubg.next().expect("judged")]
            } else {
                vec![Vec::new(); 2]
            };
            rows += &row(number, question, &judged);
        }
        file.append(&rows);
        file.tell("decisions", done, first + some.len(), questions.len());
    }
}
