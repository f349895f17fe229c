//! One question has one answer: the terminal, the HTTP API and UBGI are asked the same questions.
//! The Python package asks them, too (`python/tests/test_engine.py`).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use nonet::backgammon::GameState;
use serde_json::{Value, json};

use crate::common;
use crate::serving::Server;

/// The lines of `tests/common/questions.txt`.
fn questions() -> Vec<&'static str> {
    let lines = include_str!("../common/questions.txt").lines();
    lines.filter(|line| !line.starts_with('#')).collect()
}

fn asks_for_plays(question: &str) -> bool {
    question.split(':').nth(4) != Some("00")
}

/// The answers of `ask` in the order of the questions, by two threads.
fn answers(questions: &[&'static str], ask: impl Fn(&str) -> Value + Sync) -> Vec<Value> {
    let next = Arc::new(AtomicUsize::new(0));
    let work = || {
        let mut found = Vec::new();
        while let Some(question) = questions.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.push((*question, ask(question)));
        }
        found
    };
    let mut all: Vec<(&str, Value)> = std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        threads.into_iter().flat_map(|thread| thread.join().expect("answers")).collect()
    });
    all.sort_by_key(|(question, _)| questions.iter().position(|known| known == question));
    all.into_iter().map(|(_, answer)| answer).collect()
}

/// The answer of the terminal; `options` name the depth, or nothing.
fn terminal(question: &str, options: &[&str]) -> Value {
    let command = if asks_for_plays(question) { "hint" } else { "cube" };
    let mut words = vec![command, question, "--json", "--no-bearoff"];
    if asks_for_plays(question) {
        words.extend(["--plays", "5"]);
    }
    words.extend(options);
    let done = common::answer(&mut common::nonet(&words), "");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{question}: {said}");
    serde_json::from_slice(&done.stdout).expect("JSON")
}

fn http(server: &Server, question: &str, ply: Option<u8>) -> Value {
    let mut body = json!({"id": question});
    if let Some(ply) = ply {
        body["ply"] = ply.into();
    }
    let path = if asks_for_plays(question) {
        body["plays"] = 5.into();
        "/api/v1/hint"
    } else {
        "/api/v1/cube"
    };
    server.post(path, &body).json()
}

/// The lines of UBGI for each question: `info` and `bestmove`, or `bestcube`.
fn ubgi(questions: &[&str], options: &[&str]) -> Vec<Vec<String>> {
    let mut input = String::new();
    for question in questions {
        let go = if asks_for_plays(question) { "go" } else { "go cube" };
        input += &format!("position xgid {question}\n{go}\nisready\n");
    }
    let words = [&["ubgi", "--no-bearoff"], options].concat();
    let done = common::answer(&mut common::nonet(&words), &(input + "quit\n"));
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let answers = said.split("readyok\n").map(|text| text.lines().map(str::to_owned).collect());
    answers.take(questions.len()).collect()
}

/// Compares the answers of UBGI with those of the terminal.
fn agree(question: &str, said: &[String], answer: &Value) {
    let state: GameState = question.parse().expect("an XGID");
    // The last line of a kind: a search says what it found at each depth.
    let last = |kind: &str| {
        let found = said.iter().rev().find(|line| line.starts_with(kind));
        found.unwrap_or_else(|| panic!("{question}: no {kind} in {said:?}")).as_str()
    };
    if !asks_for_plays(question) {
        let expected = if answer["action"] == "double" { "double" } else { "nodouble" };
        assert_eq!(last("bestcube"), format!("bestcube {expected}"), "{question}: {answer}");
        return;
    }
    let best = &answer["plays"][0];
    let score = best["equity"].as_f64().expect("an equity");
    let plies = &best["plies"];
    assert_eq!(last("info"), format!("info depth {plies} score {score:.4}"), "{question}");
    let play = last("bestmove").strip_prefix("bestmove ").expect("a play");
    if answer["legal"] == 0 || best["play"] == "(no legal play)" {
        return;
    }
    let dice = state.dice().expect("a roll");
    let played = state.position.read_play(play, dice).expect("a legal play");
    assert_eq!(played.after.id().to_string(), best["id"].as_str().expect("an ID"), "{question}");
}

#[test]
fn terminal_http_and_ubgi_give_the_same_figures() {
    let server = Server::start();
    let all = questions();
    assert_eq!(all.len(), 200);
    let at_1_ply = ["--ply", "1", "--cube-ply", "1"];
    let expected = answers(&all, |question| terminal(question, &at_1_ply[..2]));
    let served = answers(&all, |question| http(&server, question, Some(1)));
    let spoken = ubgi(&all, &at_1_ply);
    for (((question, answer), served), spoken) in
        all.iter().zip(&expected).zip(&served).zip(&spoken)
    {
        assert_eq!(answer, served, "{question}");
        agree(question, spoken, answer);
    }
    // Without a depth, every front end has the same one.
    let few: Vec<&str> = all.iter().copied().step_by(25).collect();
    let spoken = ubgi(&few, &[]);
    for (question, spoken) in few.iter().zip(&spoken) {
        let answer = terminal(question, &[]);
        assert_eq!(answer, http(&server, question, None), "{question}");
        agree(question, spoken, &answer);
    }
}
