//! `nonet play` as a process: scripted input, interruptions of every kind, and records that go on.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use nonet::backgammon::Seat;
use nonet::backgammon::record::{RecordEvent, RecordedGame, read_record};

use crate::common;

/// `nonet play` without the bearoff databases, which take a second or more to make, at 1-ply.
fn command(words: &[&str], folder: &Path) -> Command {
    let mut command = common::nonet(&["play"]);
    command
        .args(words)
        .args(["--no-bearoff", "--threads", "1"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn play(words: &[&str], folder: &Path, input: &str) -> Output {
    common::answer(&mut command(words, folder), input)
}

fn said(done: &Output) -> String {
    String::from_utf8_lossy(&done.stdout).into_owned()
}

fn failed(done: &Output, code: i32) -> String {
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(code), "{text}");
    text
}

fn games(path: &Path) -> Vec<RecordedGame> {
    let bytes = std::fs::read(path).expect("saved");
    let record = read_record(bytes.as_slice(), "saved.mat").expect("a record");
    assert!(record.warnings.is_empty(), "{:?}", record.warnings);
    record.games
}

/// The only file in a folder.
fn only_file(folder: &Path) -> PathBuf {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|f| f.expect("a file").path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

/// A process that is asked and answers.
struct Table {
    child: Child,
    output: Receiver<Vec<u8>>,
    heard: String,
}

impl Table {
    fn open(words: &[&str], folder: &Path) -> Table {
        let mut child = command(words, folder).spawn().expect("our program");
        let (sender, output) = channel();
        let mut out = child.stdout.take().expect("piped");
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = out.read(&mut buffer) {
                if sender.send(buffer[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Table { child, output, heard: String::new() }
    }

    fn say(&mut self, line: &str) {
        let input = self.child.stdin.as_mut().expect("piped");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("told");
    }

    /// Waits for a text. Returns the output not heard before, up to the end of the text.
    fn hear(&mut self, text: &str) -> String {
        let until = Instant::now() + Duration::from_secs(60);
        while !self.heard.contains(text) {
            let left = until.saturating_duration_since(Instant::now());
            let bytes = self.output.recv_timeout(left);
            let bytes = bytes.unwrap_or_else(|_| panic!("no '{text}' in: {}", self.heard));
            self.heard += &String::from_utf8_lossy(&bytes);
        }
        let at = self.heard.find(text).expect("found") + text.len();
        self.heard.drain(..at).collect()
    }

    /// Sends the signal of Ctrl-C.
    fn interrupt(&self) {
        let id = self.child.id().to_string();
        let done = Command::new("kill").args(["-INT", &id]).status().expect("kill");
        assert!(done.success());
    }

    fn wait(mut self) -> Option<i32> {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.code();
            }
            assert!(Instant::now() < until, "the program does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Answers to prompts of any kind: the first hint, Enter to roll, a take. What does not fit is an
/// error, and the prompt stays.
const ANSWERS: &str = "1\n\nt\n";

#[test]
fn a_person_plays_a_match_takes_a_play_back_and_sees_errors_and_luck_at_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["--length", "1", "--seed", "2", "--advice", "--ply", "1", "--save", "mine.mat"];
    let input = "banana\n1\nu\n".to_owned() + &ANSWERS.repeat(300);
    let done = play(&words, folder.path(), &input);
    failed(&done, 0);
    let said = said(&done);
    for wanted in
        ["invalid checker move 'banana'", " the match, ", "luck", "nonet analyse mine.mat"]
    {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    let games = games(&folder.path().join("mine.mat"));
    assert_eq!(games.len(), 1);
    assert!(games[0].won().is_some(), "played to its end");
    assert_eq!(games[0].header().names, ["you", "nonet"]);
    assert!(games[0].turns().any(|turn| turn.player == Seat::X));
}

#[test]
fn a_match_that_is_interrupted_at_every_line_is_the_same_as_one_that_is_not() {
    for (length, level, seed) in [("--length=1", "advanced", "5"), ("--length=1", "champion", "6")]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let (whole, parts) = (folder.path().join("whole.mat"), folder.path().join("parts.mat"));
        let of = ["--ply", "1", "--seed", seed, length, "--level", level, "--save"];
        let answers = ANSWERS.repeat(400);
        let words: Vec<&str> = of.into_iter().chain(["whole.mat"]).collect();
        let done = play(&words, folder.path(), &answers);
        assert!(said(&done).contains("the match, "), "{}", said(&done));
        let words: Vec<&str> = of.into_iter().chain(["parts.mat"]).collect();
        let mut lines = answers.lines();
        let mut next = || lines.next().expect("enough answers").to_owned() + "\n";
        let mut done = play(&words, folder.path(), &next());
        let mut runs = 1;
        while !said(&done).contains("the match, ") {
            assert!(said(&done).contains("Go on with: nonet play --resume parts.mat"));
            done = play(&["--resume", "parts.mat"], folder.path(), &next());
            failed(&done, 0);
            runs += 1;
        }
        assert!(runs > 20, "{runs}");
        let text = |path: &Path| std::fs::read_to_string(path).expect("saved");
        assert_eq!(text(&parts), text(&whole));
        let over = play(&["--resume", "parts.mat"], folder.path(), "");
        assert!(failed(&over, 2).contains("the match, "), "a match that is over does not go on");
    }
}

#[test]
fn a_killed_match_has_every_decision_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["--ply", "1", "--seed", "3", "--length", "1", "--save", "m.mat"];
    let mut table = Table::open(&words, folder.path());
    for _ in 0..3 {
        table.hear("Your play: ");
        table.say("1");
    }
    table.hear("Your play: ");
    drop(table);
    let games = games(&folder.path().join("m.mat"));
    let own = games[0].turns().filter(|turn| turn.player == Seat::X).count();
    assert!(own >= 3, "{own} plays");
    let on = play(&["--resume", "m.mat"], folder.path(), &ANSWERS.repeat(300));
    assert!(said(&on).contains("the match, "), "{}", said(&on));
    let whole = ["--ply", "1", "--seed", "3", "--length", "1", "--save", "whole.mat"];
    play(&whole, folder.path(), &ANSWERS.repeat(300));
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("saved");
    assert_eq!(text("m.mat"), text("whole.mat"));
}

#[test]
fn the_depth_of_cube_decisions_is_kept_in_the_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["--ply", "1", "--cube-ply", "1", "--seed", "3", "--save", "m.mat"];
    failed(&play(&words, folder.path(), "1\n"), 0);
    let text = std::fs::read_to_string(folder.path().join("m.mat")).expect("saved");
    assert!(text.contains("[CubePly \"1\"]"), "{text}");
    failed(&play(&["--resume", "m.mat"], folder.path(), "1\n"), 0);
    let other = play(&["--resume", "m.mat", "--cube-ply", "2"], folder.path(), "1\n");
    let error = failed(&other, 2);
    assert!(
        error.contains("invalid --cube-ply 2: the match goes on as it began, with 1"),
        "{error}"
    );
}

#[test]
fn ctrl_c_ends_the_prompt_at_once_and_tells_how_to_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["--ply", "1", "--seed", "3", "--length", "1"];
    let mut table = Table::open(&words, folder.path());
    table.hear("Your play: ");
    table.say("1");
    table.hear("Your play: ");
    table.interrupt();
    table.hear("Go on with: nonet play --resume nonet-");
    assert_eq!(table.wait(), Some(0));
    let file = only_file(folder.path());
    assert!(games(&file)[0].turns().count() >= 2);
}

#[test]
fn the_command_that_goes_on_has_the_options_that_the_record_lacks() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["--ply", "1", "--seed", "3", "--net", "small", "--save", "my match.mat"];
    let done = play(&words, folder.path(), "1\n");
    let wanted = "nonet play --resume 'my match.mat' --net small --no-bearoff\n";
    assert!(said(&done).contains(wanted), "{}", said(&done));
    let words = ["--resume", "my match.mat", "--net", "small", "--tutor"];
    let done = play(&words, folder.path(), "1\n");
    failed(&done, 0);
    assert!(said(&done).contains(" --no-bearoff --tutor=0.04\n"), "{}", said(&done));
}

#[test]
fn a_roll_that_was_seen_stays_after_an_interruption() {
    let folder = tempfile::tempdir().expect("a folder");
    // Contact far from over, so that rolling is a choice.
    let id = "XGID=-a-B--E-B-a-dDB--b-bcb----:0:0:1:00:0:0:0:0:10";
    let words = ["--ply", "1", "--seed", "3", "--position", id, "--save", "m.mat"];
    let first = play(&words, folder.path(), "r\n");
    let roll = |done: &Output| {
        let text = said(done);
        let at = text.find("You roll ").unwrap_or_else(|| panic!("no roll in {text}"));
        text[at..at + 11].to_owned()
    };
    let again = play(&["--resume", "m.mat"], folder.path(), "d\nu\nq\n");
    assert_eq!(roll(&again), roll(&first));
    let text = said(&again);
    assert!(text.contains("players double before they roll"), "{text}");
    // The roll was a decision: it can be taken back.
    assert!(text.contains("Roll (Enter) or double (d)?"), "{text}");
}

#[test]
fn no_file_is_replaced_and_none_is_lost_that_cannot_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("old.mat");
    std::fs::write(&file, "precious").expect("written");
    let exists = play(&["--ply", "1", "--save", "old.mat"], folder.path(), "1\n");
    let why = failed(&exists, 2);
    assert!(why.contains("old.mat exists") && why.contains("--overwrite"), "{why}");
    assert_eq!(std::fs::read(&file).expect("there"), b"precious");
    let nowhere = play(&["--ply", "1", "--save", "none/m.mat"], folder.path(), "1\n");
    assert!(failed(&nowhere, 2).contains("none/m.mat"), "found before the first roll");
    let words = ["--ply", "1", "--seed", "3", "--overwrite", "--save", "old.mat"];
    failed(&play(&words, folder.path(), "1\n"), 0);
    assert!(games(&file)[0].turns().count() > 0);
    // Nothing decided, nothing written.
    std::fs::remove_file(&file).expect("there");
    let seed = (0..40).map(|seed| seed.to_string()).find(|seed| {
        let file = format!("n{seed}.mat");
        let done = play(&["--ply", "1", "--seed", seed, "--save", &file], folder.path(), "");
        said(&done).contains("Nothing was decided")
    });
    assert!(seed.is_some(), "a person begins half of the matches");
}

#[test]
fn a_match_that_cannot_be_saved_waits_until_it_can() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).expect("made");
    let words = ["--ply", "1", "--seed", "3", "--length", "1", "--save", "inner/m.mat"];
    let mut table = Table::open(&words, folder.path());
    table.hear("Your play: ");
    std::fs::remove_dir_all(&inner).expect("removed");
    table.say("1");
    table.hear("The match is not saved: cannot write inner/m.mat");
    table.say("");
    table.hear("The match is not saved");
    std::fs::create_dir(&inner).expect("made");
    table.say("");
    table.hear("Your play: ");
    table.say("q");
    table.hear("Go on with: nonet play --resume inner/m.mat");
    assert_eq!(table.wait(), Some(0));
    assert!(games(&inner.join("m.mat"))[0].turns().count() >= 2);
}

#[test]
fn two_programs_do_not_overwrite_each_others_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["--ply", "1", "--seed", "3", "--length", "1", "--save", "m.mat"];
    let mut table = Table::open(&words, folder.path());
    table.hear("Your play: ");
    table.say("1");
    table.hear("Your play: ");
    failed(&play(&["--resume", "m.mat"], folder.path(), "1\n"), 0);
    table.say("1");
    table.hear("was changed by another program");
    std::fs::write(folder.path().join("taken.mat"), "precious").expect("written");
    table.say("taken.mat");
    table.hear("taken.mat exists and is not replaced.");
    table.say("other.mat");
    table.hear("Your play: ");
    drop(table);
    assert!(folder.path().join("other.mat").is_file());
}

#[test]
fn a_name_that_another_program_takes_first_is_left_to_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["--ply", "1", "--seed", "3", "--length", "1"];
    let mut table = Table::open(&words, folder.path());
    table.hear("Saved after every decision in ");
    let taken = table.hear(".mat");
    table.hear("Your play: ");
    std::fs::write(folder.path().join(&taken), "precious").expect("written");
    table.say("1");
    let next = taken.replace(".mat", "-2.mat");
    table.hear(&format!("This match is saved in {next}."));
    table.hear("Your play: ");
    table.say("q");
    table.hear(&format!("Go on with: nonet play --resume {next}"));
    assert_eq!(table.wait(), Some(0));
    assert_eq!(std::fs::read(folder.path().join(taken)).expect("there"), b"precious");
    assert!(games(&folder.path().join(next))[0].turns().count() >= 2);
}

#[test]
fn a_one_point_match_that_is_resigned_at_once_is_recorded_and_the_winner_is_named_first() {
    let folder = tempfile::tempdir().expect("a folder");
    // The stake is raised until the net accepts.
    let input = "resign\nresign gammon\nresign backgammon\n";
    let done = play(
        &["--ply", "1", "--length", "1", "--seed", "1", "--save", "m.mat"],
        folder.path(),
        input,
    );
    failed(&done, 0);
    assert!(said(&done).contains("nonet wins the match, 1 to 0."), "{}", said(&done));
    let games = games(&folder.path().join("m.mat"));
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].won().map(|(seat, _)| seat), Some(Seat::O));
}

#[test]
fn a_match_lost_by_resignations_before_the_first_play_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = "resign backgammon\n".repeat(8);
    let words = ["--ply", "1", "--length", "7", "--seed", "4", "--save", "m.mat"];
    let done = play(&words, folder.path(), &input);
    assert!(said(&done).contains("nonet wins the match, "), "{}", said(&done));
    let games = games(&folder.path().join("m.mat"));
    let points: u32 = games.iter().filter_map(RecordedGame::won).map(|(_, points)| points).sum();
    assert!(points >= 7 && games.iter().all(|game| game.won().is_some()));
}

#[test]
fn a_money_session_with_beavers_goes_on_until_the_person_quits() {
    let folder = tempfile::tempdir().expect("a folder");
    // O has doubled, five pips ahead in a race, and accepts the beaver.
    let id = "XGID=------EEE--------ee-e-----:0:0:-1:D:0:0:0:0:10";
    let words =
        ["--ply", "1", "--seed", "3", "--position", id, "--beavers", "--jacoby", "--save", "m.mat"];
    let first = play(&words, folder.path(), "beaver\n");
    let text = said(&first);
    assert!(text.contains("Take (t), pass (p) or beaver?"), "{text}");
    let recorded = games(&folder.path().join("m.mat"));
    let beaver = |event: &RecordEvent| matches!(event, RecordEvent::Beaver { value: 4, .. });
    assert!(recorded[0].events().iter().any(beaver), "{:?}", recorded[0].events());
    assert_eq!(recorded[0].events().len(), 4, "double, beaver, take and a play");
    let on = play(&["--resume", "m.mat"], folder.path(), "resign backgammon\nq\n");
    let text = said(&on);
    assert!(text.contains("cube 4 yours") && text.contains("money, Jacoby, beavers"), "{text}");
}

#[test]
fn a_hint_about_a_beaver_says_whether_to_play_on() {
    let folder = tempfile::tempdir().expect("a folder");
    // X, far behind, doubles all the same.
    let id = "XGID=-----------EEE--------c---:0:0:1:00:0:0:0:0:10";
    let words = ["--ply", "1", "--cube-ply", "1", "--position", id, "--beavers", "--tutor=9"];
    let done = play(&words, folder.path(), "d\nh\nq\n");
    let text = said(&done);
    assert!(text.contains("nonet beavers: the cube goes to 4."), "{text}");
    assert!(text.contains("The cube at 4: take (t), pass (p) or beaver?"), "{text}");
    let pass = format!("  {:<18} -1.000\n", "pass");
    assert!(text.contains("  Pass\n  take ") && text.contains(&pass), "{text}");
}

#[test]
fn the_tutor_stops_a_beaver_where_a_take_is_right() {
    let folder = tempfile::tempdir().expect("a folder");
    // O has doubled, five pips ahead in a race.
    let id = "XGID=------EEE--------ee-e-----:0:0:-1:D:0:0:0:0:10";
    let words = ["--ply", "1", "--cube-ply", "1", "--position", id, "--beavers", "--tutor"];
    let text = said(&play(&words, folder.path(), "beaver\nt\nq\n"));
    let stopped = text.lines().find(|line| line.contains("beaver loses "));
    assert!(stopped.is_some_and(|line| line.ends_with(", take")), "{text}");
    assert_eq!(text.matches("Let it stand (y)").count(), 1, "{text}");
}

#[test]
fn an_unfinished_record_of_another_program_goes_on_in_a_new_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let foreign =
        " 3 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/5      62: 24/18 13/11\n";
    let path = folder.path().join("theirs.txt");
    std::fs::write(&path, foreign).expect("written");
    let words =
        ["--ply", "1", "--seed", "3", "--resume", "theirs.txt", "--name", "bob", "--save", "m.mat"];
    let done = play(&words, folder.path(), "\n1\nq\n");
    failed(&done, 0);
    assert!(said(&done).contains("Going on with theirs.txt"), "{}", said(&done));
    assert_eq!(std::fs::read_to_string(&path).expect("there"), foreign, "the file is as it was");
    let games = games(&folder.path().join("m.mat"));
    assert_eq!(games[0].header().names, ["ann", "bob"]);
    assert!(games[0].turns().count() >= 4);
    // It goes on once more, now as a match of ours.
    let again = play(&["--resume", "m.mat"], folder.path(), "1\nq\n");
    failed(&again, 0);
    let nobody = ["--ply", "1", "--resume", "theirs.txt", "--name", "zoe", "--save", "n.mat"];
    let why = failed(&play(&nobody, folder.path(), ""), 2);
    assert!(why.contains("'ann' or 'bob'"), "{why}");
}

#[test]
fn options_that_contradict_each_other_or_the_match_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |words: &[&str], wanted: &str| {
        let why = failed(&play(words, folder.path(), "q\n"), 2);
        assert!(why.contains(wanted), "{wanted}: {why}");
    };
    refused(&["--jacoby"], "rules of money games");
    refused(&["--length", "40000"], "invalid match length");
    refused(&["--level", "genius"], "possible values");
    refused(&["--name", "Nonet"], "expected a name other than nonet");
    refused(&["--position", "nonsense"], "invalid GNU Position ID");
    refused(&["--position", "AAAAoAAAAAAAAA"], "is over");
    refused(&["--resume", "missing.mat"], "cannot read missing.mat");
    std::fs::write(folder.path().join("letter.txt"), "Dear friend,\n").expect("written");
    refused(&["--resume", "letter.txt"], "unknown record format");
    let words = ["--ply", "1", "--seed", "3", "--save", "m.mat"];
    failed(&play(&words, folder.path(), "1\n"), 0);
    refused(&["--resume", "m.mat", "--level", "advanced"], "goes on as it began, with champion");
    refused(&["--resume", "m.mat", "--seed", "4"], "with 3");
    refused(&["--resume", "m.mat", "--name", "zoe"], "goes on as it began, with you");
    refused(&["--overwrite"], "--save <FILE.mat>");
    refused(&["--resume", "m.mat", "--length", "5"], "cannot be used with");
}

#[test]
fn commands_explain_themselves_and_unknown_ones_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["--ply=1", "--seed=3", "--length=1", "--save=m.mat", "--level=advanced"];
    let done = play(&words, folder.path(), "?\nH\nid\nb\n8/5 6/4 3/1\n9\nt\nbeaver\nd\nu\nq\n");
    failed(&done, 0);
    let text = said(&done);
    for wanted in [
        "Level: advanced, PR about ",
        "answer a double",
        " 1. ",
        "XGID=",
        "illegal play '8/5 6/4 3/1'",
        "invalid hint 9: expected 1 to 5",
        "no double was offered",
        "There is nothing to take back.",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(!text.contains('\x1b'), "no colours without a terminal");
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn the_tutor_stops_before_a_mistake_and_hints_come_in_three_steps() {
    let folder = tempfile::tempdir().expect("a folder");
    let start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10";
    let words = ["--position", start, "--seed", "1", "--ply", "1", "--cube-ply", "1", "--tutor"];
    // Three steps of a hint, a mistake that is decided anew, one that stands.
    let done = play(&words, folder.path(), "h\nh\nh\n13/10 6/5\n24/23 13/10\ny\nq\n");
    let told = said(&done);
    let [idea, candidates, answer] = ["Look for a point to make.", "one of: ", "equity     loss"]
        .map(|part| told.find(part).unwrap_or_else(|| panic!("{part}: {told}")));
    assert!(idea < candidates && candidates < answer, "{told}");
    assert_eq!(told.matches("better: 8/5 6/5").count(), 2, "{told}");
    assert_eq!(told.matches("Let it stand (y), or decide anew: ").count(), 2, "{told}");
    assert!(told.contains("13/10 6/5 loses 0.") && told.contains("makes the 5 point"), "{told}");
    let games = games(&only_file(folder.path()));
    let plays = games[0].events().iter().filter_map(|event| match event {
        RecordEvent::Turn(turn) => Some(turn.play().to_string()),
        _ => None,
    });
    assert_eq!(plays.into_iter().next().as_deref(), Some("24/23 13/10"), "the one that stands");
    // The best play is not stopped, and neither is a mistake below the limit.
    for (play_made, limit) in [("8/5 6/5", "--tutor"), ("24/23 13/10", "--tutor=3")] {
        let folder = tempfile::tempdir().expect("a folder");
        let words = ["--position", start, "--seed", "1", "--ply", "1", "--cube-ply", "1", limit];
        let told = said(&play(&words, folder.path(), &format!("{play_made}\nq\n")));
        assert!(!told.contains("Let it stand"), "{told}");
    }
    assert!(failed(&play(&["--tutor=0"], folder.path(), ""), 2).contains("0.001 to 10 points"));
}
