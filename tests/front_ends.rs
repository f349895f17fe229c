//! The front ends as processes: input, output and exit codes.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::cargo_bin;

/// Runs the program on some input. The bearoff databases are left out: making them takes a second or more.
fn nonet(words: &[&str], input: &str) -> Output {
    let mut child = Command::new(cargo_bin!("nonet"))
        .args(words)
        .args(["--no-endings", "--ply", "1", "--threads", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("our program");
    // The program may end before it has read all input.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("an end")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn ubgi_answers_over_standard_input_and_output() {
    let input = "ubgi\nisready\nposition gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo\nnonsense\nquit\n";
    let done = nonet(&["ubgi"], input);
    let said = text(&done.stdout);
    assert!(done.status.success());
    for line in ["proto 0.2", "ubgiok", "readyok", "bestmove 8/5 6/5", "error bad_command"] {
        assert!(said.lines().any(|said| said.starts_with(line)), "{line}: {said}");
    }
}

#[test]
fn an_analysis_is_text_or_json_and_a_self_contained_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("match.html").to_string_lossy().into_owned();
    let file = "tests/records/crawford.mat";
    let words = nonet(&["analyse", file, "--html", &page], "");
    assert!(words.status.success(), "{}", text(&words.stderr));
    let said = text(&words.stdout);
    assert!(said.contains("Game 3:") && said.contains("Crawford game") && said.contains(" PR "));
    let html = std::fs::read_to_string(&page).expect("a page");
    let boards = html.matches("<svg").count();
    let mistakes = said.lines().filter(|line| line.contains("better: ")).count();
    assert!(boards > 0 && boards == mistakes, "{boards} boards for {mistakes} mistakes");
    for loading in ["src=", "href=", "<script", "<link", "@import", "url("] {
        assert!(!html.contains(loading), "{loading}: nothing is loaded and nothing runs");
    }
    let json = nonet(&["analyse", file, "--json"], "");
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(value["games"].as_array().map(Vec::len), Some(4));
    assert!(value["summary"][0]["pr"].as_f64().is_some_and(|pr| (0.0..60.0).contains(&pr)));
}

#[test]
fn a_folder_is_analysed_file_by_file_and_what_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |name: &str| folder.path().join(name);
    let game =
        " 3 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/5      62: 24/18 13/11\n";
    let left = format!("{game}  2)  Losses 1 point              Wins 1 point\n");
    let odd = format!("{game}      Wins 9 points\n");
    for (name, text) in [("a.mat", &left), ("b.txt", &odd), ("c.txt", &"Dear friend,\n".to_owned())]
    {
        std::fs::write(of(name), text).expect("written");
    }
    let path = folder.path().to_string_lossy().into_owned();
    let done = nonet(&["analyse", &path, "--json"], "");
    assert!(done.status.success(), "{}", text(&done.stderr));
    let lines: Vec<serde_json::Value> =
        text(&done.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["games"][0]["won"]["player"], 1);
    assert_eq!(lines[0]["warnings"].as_array().map(Vec::len), Some(0));
    assert_eq!(lines[1]["warnings"].as_array().map(Vec::len), Some(1));
    let said = text(&done.stderr);
    assert!(said.contains("b.txt:6: invalid result '9 points for ann'"), "{said}");
    assert!(said.contains("c.txt:1: unknown record format"), "{said}");
    let piped = nonet(&["analyse", "-"], &left);
    assert!(piped.status.success() && text(&piped.stdout).contains("Game 1:"));
    std::fs::remove_file(of("a.mat")).expect("removed");
    std::fs::remove_file(of("b.txt")).expect("removed");
    assert_eq!(nonet(&["analyse", &path], "").status.code(), Some(1), "nothing can be used");
}

#[test]
fn dice_may_be_two_words() {
    let one = nonet(&["hint", "4HPwATDgc/ABMA", "31"], "");
    let two = nonet(&["hint", "4HPwATDgc/ABMA", "3", "1"], "");
    assert!(two.status.success(), "{}", text(&two.stderr));
    assert_eq!(text(&one.stdout), text(&two.stdout));
}

#[test]
fn invalid_records_and_arguments_get_an_error_message_and_exit_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.mat");
    let bad = " 3 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/1\n";
    std::fs::write(&path, bad).expect("written");
    let path = path.to_string_lossy().into_owned();
    let refused = nonet(&["analyse", &path], "");
    assert_eq!(refused.status.code(), Some(1));
    let reason = "bad.mat:5: illegal play '8/5 6/1': expected a legal play of 31";
    assert!(text(&refused.stderr).contains(reason), "{}", text(&refused.stderr));
    let cases: [(&[&str], &str); 4] = [
        (&["analyse", "nowhere.mat"], "cannot read nowhere.mat"),
        (&["play", "--length", "40000"], "expected 1 to 32767 points"),
        (&["ubgi", "--net", "nowhere"], "unknown net 'nowhere'"),
        (&["gnubg-player", "--listen", "nowhere"], "invalid address 'nowhere'"),
    ];
    for (words, part) in cases {
        let done = nonet(words, "");
        assert_eq!(done.status.code(), Some(2), "{words:?}: {}", text(&done.stderr));
        assert!(text(&done.stderr).contains(part), "{words:?}: {}", text(&done.stderr));
    }
}
