//! `nonet practise` as a process: from a match file to the first session, and what is kept.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::common;

/// Ann plays badly.
const RECORD: &str = "\
 5 point match

 Game 1
 Ann : 0                        bob : 0
  1) 31: 24/23 24/21             65: 24/18 13/8
  2) 62: 13/5                    21: 13/10
  3) 43: 13/6                    52: 13/8 10/8
  4)  Doubles => 2                Takes
  5) 64: 13/7* 13/9
";
const PLAYER: &str = "ann";

/// The record as a file.
fn record(folder: &Path) -> String {
    let path = folder.join("match.mat");
    std::fs::write(&path, RECORD).expect("written");
    path.to_string_lossy().into_owned()
}

/// `nonet practise` at 1-ply without new positions, which take time. Tests and lists have none.
fn command(words: &[&str], data: &Path) -> Command {
    let session = !words.iter().any(|word| ["--test", "--list"].contains(word));
    let mut command = at_one_ply(words, data);
    command.args(if session { &["--new", "0"][..] } else { &[] });
    command
}

/// The same with new positions.
fn with_new(new: &str, words: &[&str], data: &Path) -> Command {
    let mut command = at_one_ply(words, data);
    command.args(["--new", new]);
    command
}

fn at_one_ply(words: &[&str], data: &Path) -> Command {
    let mut command = common::nonet(&["practise"]);
    command
        .args(words)
        .args(["--no-bearoff", "--threads", "1", "--ply", "1", "--cube-ply", "1"])
        .arg("--data")
        .arg(data);
    command
}

fn practise(words: &[&str], data: &Path, input: &str) -> (String, String, Option<i32>) {
    let Output { stdout, stderr, status } = common::answer(&mut command(words, data), input);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (text(stdout), text(stderr), status.code())
}

/// The file of the deck in the folder, and what it says.
fn deck(data: &Path) -> (PathBuf, Value) {
    let files = std::fs::read_dir(data.join("practice")).expect("a folder");
    let mut files = files.map(|file| file.expect("a file").path());
    let path = files.find(|path| path.extension().is_some_and(|e| e == "json")).expect("a deck");
    let bytes = std::fs::read(&path).expect("readable");
    (path, serde_json::from_slice(&bytes).expect("JSON"))
}

fn list(data: &Path, now: &str) -> Value {
    let (out, err, code) = practise(&["--list", "--json", "--now", now], data, "");
    assert_eq!(code, Some(0), "{err}");
    serde_json::from_str(&out).expect("one line of JSON")
}

#[test]
fn a_match_goes_from_its_file_to_a_session_that_goes_on_later() {
    let data = tempfile::tempdir().expect("a folder");
    let data = data.path();
    let record = record(data);
    let (first, later) = ("1764000000", "1765000000");
    let words = [&record, "--player", PLAYER, "--now", first];
    let (out, err, code) = practise(&words, data, "id\n8/3 1/2 7\n");
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("1 match of ann: "), "{err}");
    assert!(out.contains("XGID=") && out.contains("19-20-21-22-23-24"), "{out}");
    let cards = list(data, first)["cards"].as_u64().expect("a number");
    assert!(cards >= 2, "{cards}");

    // The best answers, in the order in which cards are asked.
    let (_, kept) = deck(data);
    let mut asked = kept["cards"].as_array().expect("cards").clone();
    asked.sort_by(|a, b| b["loss"].as_f64().partial_cmp(&a["loss"].as_f64()).expect("numbers"));
    let best = |card: &Value| match card["best"].as_str().expect("words") {
        "No double, take" => "roll".to_owned(),
        words => words.to_owned(),
    };
    let answers: Vec<String> = asked.iter().map(best).collect();
    let (out, err, code) = practise(&["--now", first, "--cards", "99"], data, &answers.join("\n"));
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(out.matches("Right: ").count() as u64, cards, "{out}");
    assert!(out.contains("Every answer is kept.") && out.contains("the next comes in"), "{out}");
    assert!(err.contains("standard input is no terminal"), "{err}");

    let now = list(data, first);
    assert_eq!((now["due"].as_u64(), now["answers"].as_u64()), (Some(0), Some(cards)));
    assert_eq!(list(data, later)["due"].as_u64(), Some(cards));
    let (out, ..) = practise(&["--now", first], data, "");
    assert!(out.contains("No card is due; the next comes in"), "{out}");
}

/// Answers the test that is open, each question with `key` of its card.
fn answer_test(data: &Path, key: &str, now: &str) -> (String, Option<i32>) {
    let (_, kept) = deck(data);
    let test = kept["tests"].as_array().and_then(|tests| tests.last()).expect("a test");
    let answer = |question: &Value| match question["card"][key].as_str().expect("words") {
        "No double, take" | "no double" => "roll".to_owned(),
        words => words.to_owned(),
    };
    let answers: Vec<String> =
        test["questions"].as_array().expect("questions").iter().map(answer).collect();
    let (out, _, code) = practise(&["--test", "--now", now], data, &answers.join("\n"));
    (out, code)
}

#[test]
fn a_test_before_and_one_after_tell_their_difference_with_its_error() {
    let data = tempfile::tempdir().expect("a folder");
    let data = data.path();
    let record = record(data);
    let (first, later) = ("1764000000", "1765000000");
    let draw = ["--test", "--questions", "3", "--seed", "5"];
    let words = [&[record.as_str(), "--player", PLAYER, "--now", first][..], &draw].concat();
    let (out, err, code) = practise(&words, data, "8/3 1/2 7\n");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("a test of 3 new positions, with seed 5."), "{out}");
    let options =
        format!("--player ann --data {} --ply 1 --cube-ply 1 --no-bearoff", data.display());
    let wanted = format!("3 questions left. Go on with: nonet practise --test {options}\n");
    assert!(out.contains(&wanted), "{out}");
    // What tempts is wrong each time, and nothing is told before the end.
    let (out, code) = answer_test(data, "made", first);
    assert_eq!(code, Some(0));
    assert!(out.contains("goes on, with seed 5.") && out.contains("question 3 of 3"), "{out}");
    assert!(!out.contains("Right") && out.contains("0/3"), "{out}");
    let at_once =
        practise(&["--test", "--questions", "3", "--now", later, "--seed", "6"], data, "");
    assert!(at_once.0.contains("with seed 6."), "{}", at_once.0);
    let (out, _) = answer_test(data, "best", later);
    assert!(out.contains("3/3") && out.contains("last less first: -0."), "{out}");
    let tests = list(data, later)["tests"].clone();
    assert_eq!(
        (&tests["results"][0]["seed"], &tests["results"][1]["right"]),
        (&5.into(), &3.into())
    );
    let [mean, half] = [0, 1].map(|i| tests["change"][i].as_f64().expect("a number"));
    let told = ["less is lost than in the first test", "within the error"];
    assert!(out.contains(told[usize::from(mean.abs() <= half)]), "{out}");
}

#[test]
fn new_positions_wait_in_the_file_until_they_are_answered() {
    let data = tempfile::tempdir().expect("a folder");
    let data = data.path();
    let record = record(data);
    let words = [&record, "--player", PLAYER, "--now", "1764000000", "--cards", "0"];
    let new = |words: &[&str]| {
        let output = common::answer(with_new("2", words, data).args(["--seed", "3"]), "");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(new(&words).contains("has 0 of them and 2 new positions"));
    let drawn = deck(data).1["drawn"].clone();
    assert_eq!(drawn.as_array().map(Vec::len), Some(2));
    assert!(new(&["--cards", "0"]).contains("and 2 new positions"));
    assert_eq!(deck(data).1["drawn"], drawn, "the same positions wait");
}

#[test]
fn the_list_the_deck_for_anki_and_the_page_to_print_are_written() {
    let data = tempfile::tempdir().expect("a folder");
    let path = |name: &str| data.path().join(name).to_string_lossy().into_owned();
    let (anki, page, record) = (path("deck.txt"), path("page.html"), record(data.path()));
    let words = [&record, "--player", PLAYER, "--list", "--export", &anki];
    let (out, err, code) = practise(&[&words[..], &["--print", &page]].concat(), data.path(), "");
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("what was wrong") && out.contains("PR"), "{out}");
    let cards = deck(data.path()).1["cards"].as_array().expect("cards").len();
    let text = std::fs::read_to_string(anki).expect("written");
    assert!(text.starts_with("#separator:tab\n#html:true\n"));
    assert_eq!(text.lines().filter(|line| !line.starts_with('#')).count(), cards);
    let page = std::fs::read_to_string(page).expect("written");
    assert_eq!(page.matches("<figure>").count(), cards);
}

#[test]
fn a_damaged_file_is_set_aside_with_a_word() {
    let data = tempfile::tempdir().expect("a folder");
    let record = record(data.path());
    practise(&[&record, "--player", PLAYER, "--list"], data.path(), "");
    let (path, _) = deck(data.path());
    std::fs::write(&path, "{ half").expect("damaged");
    let (_, err, code) = practise(&["--list"], data.path(), "");
    assert!(code == Some(2) && err.contains("cannot be read: --player NAME"), "{err}");
    let (_, err, code) = practise(&[&record, "--player", PLAYER, "--list"], data.path(), "");
    assert!(code == Some(0) && err.contains("was damaged; it is kept as "), "{err}");
    let aside = path.with_extension("damaged-1");
    assert_eq!(std::fs::read_to_string(aside).expect("kept"), "{ half");
}

#[test]
fn somebody_without_a_match_practises_new_positions() {
    let data = tempfile::tempdir().expect("a folder");
    let Output { stdout, stderr, status } =
        common::answer(&mut with_new("1", &["--seed", "1"], data.path()), "");
    let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    assert_eq!(status.code(), Some(0), "{err}");
    assert!(
        out.contains("you: 0 cards, 0 due; this session has 0 of them and 1 new position"),
        "{out}"
    );
    assert_eq!(deck(data.path()).1["drawn"].as_array().map(Vec::len), Some(1));
    // Openings are asked, whatever else waits.
    let openings = ["--openings", "--seed", "1"];
    let Output { stdout, .. } = common::answer(&mut with_new("3", &openings, data.path()), "");
    let out = String::from_utf8(stdout).expect("UTF-8");
    assert!(out.contains("this session has 0 of them and 3 new positions"), "{out}");
    let drawn = deck(data.path()).1["drawn"].as_array().cloned().expect("a list");
    let begins = |card: &&Value| card["xgid"].as_str().is_some_and(|id| id.contains(START));
    assert_eq!((drawn.len(), drawn.iter().filter(begins).count()), (4, 3));
}

/// The start position in an XGID.
const START: &str = "=-b----E-C---eE---c-e----B-:";

#[test]
fn what_cannot_be_practised_is_said() {
    let data = tempfile::tempdir().expect("a folder");
    let record = record(data.path());
    let said = |words: &[&str]| {
        let (_, err, code) = practise(words, data.path(), "");
        assert_eq!(code, Some(2), "{err}");
        err
    };
    assert!(said(&["--list"]).contains("there are no cards yet: `nonet practise match.mat`"));
    assert!(said(&["nosuch.mat"]).contains("expected an existing file or folder"));
    assert!(said(&[&record]).contains("several people play these matches: name one with --player"));
    assert!(said(&[&record, "--player", "nobody"]).contains("unknown player 'nobody'"));
    assert!(said(&[&record, "--least", "0.0004"]).contains("expected 0.001 or more"));
    assert!(said(&["--json"]).contains("--list"));
    assert!(said(&["--list", "--cards", "3"]).contains("cannot be used with"));
    assert!(said(&["--least", "0.08"]).contains("FILE|FOLDER"));
    assert!(said(&[&record, "--test", "--questions", "101"]).contains("expected 1 to 100"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_session_and_keeps_its_answers() {
    let data = tempfile::tempdir().expect("a folder");
    let record = record(data.path());
    let words = [record.as_str(), "--player", PLAYER];
    let mut command = command(&words, data.path());
    command.env("XDG_DATA_HOME", data.path());
    let mut terminal = crate::pty::Pty::open(80, &mut command);
    terminal.hear("? explains.");
    terminal.hear("? ");
    terminal.press("skip\r");
    terminal.hear("to go");
    terminal.hear("? ");
    terminal.press("\u{3}");
    assert_eq!(terminal.end(), Some(0), "{}", terminal.shown);
    assert!(terminal.shown.contains("due"), "{}", terminal.shown);
    assert!(terminal.echoes());
    assert_eq!(deck(data.path()).1["answers"].as_array().map(Vec::len), Some(0));
}
