//! Learning from game records, and recording our own games.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{answer, assert_same, files, kill_and_resume, nonet, path, refused};
use assert_cmd::assert::OutputAssertExt;
use nonet::backgammon::record::Records;

/// Games that GNU Backgammon played against itself.
fn gnubg_games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/gnubg")
}

/// A short run that observes `records` and tests against random play; its last argument is for
/// `--out`.
fn observing<'a>(records: &'a str, games: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["train", "--source", "observe", "--records", records, "--games", games];
    words.extend(["--preset", "small", "--ema", "0", "--eval-at", "1", "--eval-every", games]);
    words.extend(["--against", "random", "--final-games", "0"]);
    words.extend(more);
    words.push("--out");
    words
}

fn said(output: &std::process::Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// Points per game against random play in the last test of a run.
fn last_ppg(folder: &Path) -> f64 {
    let history = fs::read_to_string(folder.join("history.csv")).expect("a history");
    let column = history.lines().next().and_then(|line| line.split(',').position(|c| c == "ppg"));
    let row = history.lines().last().expect("a test");
    row.split(',').nth(column.expect("ppg")).and_then(|ppg| ppg.parse().ok()).expect("a number")
}

#[test]
fn a_net_that_learned_from_games_of_gnubg_beats_random_play_clearly() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = gnubg_games();
    let records = records.to_string_lossy();
    let more = ["--alpha", "0.05", "--eval-games", "200"];
    let words = observing(&records, "231", &more);
    let out = path(folder.path(), "run");
    nonet(&[&words[..], &[&out]].concat()).assert().success();
    // 77 games, three times; random weights lose about as much as they win.
    let ppg = last_ppg(Path::new(&out));
    assert!(ppg > 1.5, "{ppg}");
}

#[test]
fn fresh_games_of_gnubg_are_learned_from_where_it_is_installed() {
    let found = ["gnubg", "/usr/games/gnubg"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok());
    let Some(gnubg) = found else {
        // Not by a macro, since the output of a test that passes is hidden.
        let _ = writeln!(
            std::io::stderr(),
            "NOT TESTED: gnubg is not installed, so there are no fresh games of it"
        );
        assert!(std::env::var_os("NONET_WANT_GNUBG").is_none(), "gnubg is wanted and missing");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let commands = "set player 0 gnubg\nset player 1 gnubg\n\
        set player 0 chequerplay evaluation plies 0\nset player 1 chequerplay evaluation plies 0\n\
        set player 0 cubedecision evaluation plies 0\nset player 1 cubedecision evaluation plies 0\n\
        set automatic game on\nnew match 3\nplay\nexport match mat fresh.mat\n";
    let mut child = Command::new(gnubg)
        .args(["-t", "-q", "-r"])
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    child.stdin.take().expect("piped").write_all(commands.as_bytes()).expect("written");
    child.wait().expect("ends");
    let records = path(folder.path(), "fresh.mat");
    let (stdout, stderr) = said(
        &nonet(
            &[
                &observing(&records, "9", &["--eval-games", "4"])[..],
                &[&path(folder.path(), "run")],
            ]
            .concat(),
        )
        .output()
        .expect("runs"),
    );
    assert!(stdout.contains("9 games learned"), "{stdout}{stderr}");
    assert!(!stdout.contains("of no use"), "{stdout}{stderr}");
}

/// A folder with usable games in two formats, and files with errors of every kind.
fn mixed(folder: &Path) -> (String, Vec<String>) {
    let records = folder.join("records");
    fs::create_dir_all(records.join("deep")).expect("made");
    let file = |name: &str| records.join(name);
    let whole = fs::read_to_string(gnubg_games().join("cube-b.mat")).expect("there");
    let lines: Vec<&str> = whole.lines().collect();
    fs::write(file("a-usable.mat"), &whole).expect("written");
    fs::write(file("b-cut.mat"), lines[..15].join("\n")).expect("written");
    let head = lines.iter().position(|line| line.contains("Game 1")).expect("a game");
    let mut illegal = lines.clone();
    let wrong = format!("{}  9/1", &illegal[head + 3][..8]);
    illegal[head + 3] = &wrong;
    fs::write(file("c-illegal.mat"), illegal[..60].join("\n")).expect("written");
    let binary = [b" 3 point match\n", &[0u8; 20][..]].concat();
    fs::write(file("d-binary.mat"), binary).expect("written");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records");
    fs::copy(tests.join("nackgammon.mat"), file("e-variant.mat")).expect("copied");
    fs::copy(tests.join("crawford.sgf"), file("deep/f.sgf")).expect("copied");
    fs::write(file("g-letter.txt"), "Dear Jellyfish,\n").expect("written");
    let name = |file: &str| records.join(file).to_string_lossy().into_owned();
    let reasons = vec![
        format!("{}:15: unexpected end of the record: the game is incomplete", name("b-cut.mat")),
        format!("{}:{}: ", name("c-illegal.mat"), head + 4),
        format!("{}:2: invalid encoding binary or UTF-16", name("d-binary.mat")),
        format!("{}:2: unsupported game 'NackGammon'", name("e-variant.mat")),
        format!("{}:1: unknown record format", name("g-letter.txt")),
    ];
    (records.to_string_lossy().into_owned(), reasons)
}

#[test]
fn unusable_records_are_reported_once_and_counted_and_the_run_continues() {
    let folder = tempfile::tempdir().expect("a folder");
    let (records, reasons) = mixed(folder.path());
    let out = path(folder.path(), "run");
    let words = observing(&records, "90", &["--eval-games", "4", "--json"]);
    let output = nonet(&[&words[..], &[&out]].concat()).output().expect("runs");
    let (stdout, stderr) = said(&output);
    assert!(output.status.success(), "{stderr}");
    for reason in &reasons {
        assert_eq!(stderr.matches(reason.as_str()).count(), 1, "{reason}\n{stderr}");
    }
    let summary: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(summary["games"], 90);
    let unusable = summary["records"]["unusable"].as_u64().expect("a number");
    assert!(unusable >= 5, "{summary}");
    assert_eq!(stderr.matches(&records).count() as u64, unusable + 1, "and the command\n{stderr}");
    assert!(summary["records"]["passes"].as_u64() > Some(1), "{summary}");
    assert!(summary["records"]["open"].as_u64() > Some(0), "{summary}");
    let page = fs::read_to_string(Path::new(&out).join("report.html")).expect("a report");
    let row = format!("unusable parts of the records</th><td>{unusable}<");
    assert!(page.contains(&row), "{row}");
}

#[test]
fn an_observing_run_has_the_same_bytes_with_any_threads_and_after_any_interruption() {
    let folder = tempfile::tempdir().expect("a folder");
    let (records, _) = mixed(folder.path());
    let run = |name: &str, threads: &str| {
        let more = ["--eval-games", "4", "--batch", "8", "--threads", threads];
        let mut words = observing(&records, "100", &more);
        let every = words.iter().position(|word| *word == "--eval-every").expect("there");
        words[every + 1] = "30";
        let out = path(folder.path(), name);
        nonet(&[&words[..], &[&out]].concat())
    };
    run("one", "1").assert().success();
    run("three", "3").assert().success();
    assert_same(&folder.path().join("one"), &folder.path().join("three"));
    kill_and_resume(run("killed", "2"), &folder.path().join("killed"));
    assert_same(&folder.path().join("one"), &folder.path().join("killed"));
}

/// Runs a command with these bytes on its standard input.
fn fed(mut command: Command, bytes: &[u8]) -> std::process::Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    // A command with invalid arguments reads no input.
    let _ = child.stdin.take().expect("piped").write_all(bytes);
    child.wait_with_output().expect("ends")
}

#[test]
fn a_run_ends_at_the_end_of_standard_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = fs::read(gnubg_games().join("cube-b.mat")).expect("there");
    let more = ["--eval-games", "4", "--unfinished", "leave-out"];
    let words = observing("-", "1000", &more);
    let out = path(folder.path(), "run");
    let words = [&words[..], &[&out]].concat();
    let (stdout, stderr) = said(&fed(nonet(&words), &records));
    // 17 games, 5 of them with a refused double, and resignations.
    assert!(stdout.contains("the records ended before 1000 games"), "{stdout}{stderr}");
    assert!(stdout.contains("recorded games left out: "), "{stdout}{stderr}");
    assert!(Path::new(&out).join("best.nonet").exists());
    let before = files(Path::new(&out));
    let resume = ["train", "--resume", &out];
    let (stdout, stderr) = said(&fed(nonet(&resume), &records));
    assert!(stdout.contains("had been learned before"), "{stdout}{stderr}");
    assert!(before == files(Path::new(&out)), "resumed at its end it is left as it is");
    let output = fed(nonet(&resume), b"nothing");
    assert!(said(&output).1.contains("unknown record format"), "{output:?}");
}

#[test]
fn invalid_record_arguments_get_an_error_message_and_no_run_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("written");
        path(folder.path(), name)
    };
    let letter = file("letter.mat", "Dear Jellyfish,\n");
    fs::create_dir(folder.path().join("empty")).expect("made");
    let empty = path(folder.path(), "empty");
    let usable = gnubg_games().to_string_lossy().into_owned();
    let out = path(folder.path(), "out");
    let drops = file(
        "drops.mat",
        " 0 point match\n\n Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5   Doubles => 2\n  2)  Drops\n",
    );
    let observe = ["train", "--out", &out, "--source", "observe"];
    let cases: [(&[&str], &str); 9] = [
        (&[], "observe needs games: give records with --records"),
        (&["--records", "nosuch"], "unknown records 'nosuch'"),
        (&["--records", &empty], "there are no records in it"),
        (&["--records", &usable, &letter], "letter.mat:1: unknown record format"),
        (
            &["--records", &drops, "--unfinished", "leave-out"],
            "1 game without a result is left out",
        ),
        (&["--records", &usable, "-"], "cannot combine '-'"),
        (
            &["--records", &usable, "--unfinished", "so"],
            "[possible values: agreed, bootstrap, leave-out]",
        ),
        (&["--records", &usable, "--expert", "x"], "is not used by this run"),
        (&["--unfinished", "agreed", "--expert", "x"], "--unfinished needs recorded games"),
    ];
    for (words, says) in cases {
        let error = refused(&[&observe[..], words].concat(), 2);
        assert!(error.contains(says), "{words:?}: {error}");
    }
    let error = refused(&["train", "--out", &out, "--records", &usable], 2);
    assert!(error.contains("--records needs --source observe, not selfplay"), "{error}");
    assert!(!Path::new(&out).exists(), "nothing was begun");
    let text = path(folder.path(), "games.txt");
    let mat = path(folder.path(), "games.mat");
    let cases: [(&[&str], &str); 7] = [
        (&["random", "--out", &text], "unknown format of"),
        (&["random", "--out", "-"], "--out - needs --format"),
        (&["nosuch.nonet", "--out", &mat], "no such file, and no folder of a run: nosuch.nonet"),
        (&["random", "--games", "0", "--out", &mat], "--games must be at least 1"),
        (&["random", "--ply", "5", "--out", &mat], "invalid ply '5': expected 1 to 4"),
        (&["--from", "nosuch", "--out", &mat], "unknown records 'nosuch'"),
        (&["--from", &letter, "--out", &mat], "no usable game in"),
    ];
    for (words, says) in cases {
        let error = refused(&[&["record"], words].concat(), 2);
        assert!(error.contains(says), "{words:?}: {error}");
    }
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").flatten().collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn a_name_that_records_do_not_keep_is_named_when_a_record_is_converted() {
    let game = "(;FF[4]GM[6]PW[1) 31: 8/5]PB[bob]RE[W+1];B[31qtst])";
    let mut command = nonet(&["record", "--from", "-", "--out", "-", "--format", "mat"]);
    let done = answer(&mut command, game);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}");
    let wanted = "warning: invalid character ':' in the name '1) 31: 8/5': leave it out; \
                  the record has it changed";
    assert!(said.contains(wanted), "{said}");
}

#[test]
fn recorded_games_have_the_same_bytes_with_any_threads_and_convert_to_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = |name: &str| path(folder.path(), name);
    let play = |name: &str, threads: &str, games: &str| {
        let words = ["record", "pubeval", "--against", "random", "--games", games, "--seed", "4"];
        let more = ["--threads", threads, "--out", &out(name)];
        nonet(&[&words[..], &more].concat()).assert().success();
        fs::read(out(name)).expect("written")
    };
    let one = play("one.mat", "1", "40");
    assert_eq!(one, play("three.mat", "3", "40"));
    let compact = play("one.norec", "2", "40");
    assert!(compact.len() * 10 < one.len(), "{} and {}", compact.len(), one.len());
    assert!(compact.starts_with(&play("few.norec", "2", "30")), "more games only come behind");
    let games = Records::new(&compact[..], "one").expect("a record");
    let points: i32 = games
        .map(|game| nonet::game::Game::from_record(&game.expect("usable")).expect("ended").points())
        .sum();
    assert!(points > 60, "pubeval is the first player and has {points} points after 40 games");
    let convert = |from: &str, name: &str| {
        nonet(&["record", "--from", &out(from), "--out", &out(name)]).assert().success();
        fs::read(out(name)).expect("written")
    };
    assert_eq!(convert("one.mat", "there.norec"), compact);
    assert_eq!(convert("there.norec", "back.mat"), one);
    let words = ["record", "--from", "-", "--out", "-", "--format", "mat"];
    let output = fed(nonet(&words), &compact);
    assert_eq!(output.stdout, one);
    assert!(said(&output).1.contains("40 games with"), "the summary does not mix with the games");
}

#[cfg(unix)]
#[test]
fn an_interrupted_recording_leaves_the_old_file_unchanged() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "games.norec");
    fs::write(&out, "older").expect("written");
    let words = ["record", "random", "--games", "100000000", "--out", &out];
    let child = nonet(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("starts");
    // The temporary file is created before the first game; from then on the signal is handled.
    while fs::read_dir(folder.path()).expect("a folder").count() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    std::thread::sleep(std::time::Duration::from_millis(60));
    Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).1.contains("games.norec was not written"), "{output:?}");
    assert_eq!(fs::read(&out).expect("still there"), b"older");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}
