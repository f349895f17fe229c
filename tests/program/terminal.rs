//! What a person at a terminal sees: widths, colours, progress, and edited lines.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::Command;

use crate::common::{answer, nonet};
use crate::pty::Pty;

/// A position in which a good play is hard to miss.
const HINT: [&str; 4] = ["hint", "31", "--ply", "1"];

/// What a command prints into a pipe.
fn piped(command: &mut Command) -> String {
    let done = answer(command, "");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("UTF-8")
}

/// What a command prints into a terminal of 80 columns.
fn seen(command: &mut Command) -> String {
    let mut pty = Pty::open(80, command);
    assert_eq!(pty.end(), Some(0), "{}", pty.shown);
    pty.shown.replace("\r\n", "\n")
}

#[test]
fn every_table_fits_the_terminal() {
    let record = "tests/records/crawford.mat";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(record, folder.path().join("match.mat")).expect("a copy");
    let folder = folder.path().to_string_lossy();
    let commands: [&[&str]; 9] = [
        &HINT,
        &["hint", "22", "--ply", "2", "--plays", "30"],
        &["cube", "4HPwATDgc/ABMA", "--ply", "1"],
        &["analyse", record, "--ply", "1", "--cube-ply", "1", "--all"],
        &["analyse", &folder, "--ply", "1", "--cube-ply", "1"],
        &["eval", "small", "--games", "20", "--match", "1", "--luck-adjusted"],
        &["tournament", "small", "swift", "pubeval", "--games", "20"],
        &["inspect", "small", "--games", "2"],
        &["levels"],
    ];
    for columns in [60, 80] {
        for words in commands {
            let text = piped(nonet(words).env("COLUMNS", columns.to_string()));
            for line in text.lines() {
                let fits = line.chars().count() <= columns || !line.trim().contains(' ');
                assert!(fits, "{words:?} in {columns} columns: {line}");
            }
        }
    }
}

#[test]
fn a_narrow_terminal_cuts_nothing() {
    let words = |text: &str| {
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    for command in
        [&HINT[..], &["analyse", "tests/records/crawford.mat", "--ply", "1", "--cube-ply", "1"]]
    {
        let wide = piped(&mut nonet(command));
        let narrow = piped(nonet(command).env("COLUMNS", "60"));
        assert_ne!(wide, narrow);
        // A line of hyphens in a table is as long as the table is wide.
        let [wide, narrow] = [wide, narrow].map(|text| text.replace('-', ""));
        assert_eq!(words(&wide), words(&narrow));
    }
}

#[test]
fn colours_are_for_terminals_and_can_be_chosen() {
    let plain = piped(&mut nonet(&HINT));
    assert!(!plain.contains('\u{1b}'));
    let always = [&HINT[..], &["--color", "always"]].concat();
    let coloured = piped(&mut nonet(&always));
    assert!(coloured.contains("\u{1b}["));
    let mut stripped = String::new();
    for (place, part) in coloured.split('\u{1b}').enumerate() {
        stripped += if place == 0 { part } else { part.split_once('m').expect("a style").1 };
    }
    assert_eq!(stripped, plain, "colours change nothing else");
    assert!(seen(&mut nonet(&HINT)).contains("\u{1b}["));
    let never = [&["--color", "never"], &HINT[..]].concat();
    assert!(!seen(&mut nonet(&never)).contains('\u{1b}'));
    assert!(!seen(nonet(&HINT).env("NO_COLOR", "1")).contains('\u{1b}'));
    let done = answer(&mut nonet(&["hint", "31", "--color", "pink"]), "");
    assert_eq!(done.status.code(), Some(2));
}

#[test]
fn an_analysis_says_the_pr_with_the_interval_of_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("match.html").to_string_lossy().into_owned();
    let words =
        ["analyse", "tests/records/crawford.mat", "--ply", "1", "--cube-ply", "1", "--html", &page];
    let text = piped(&mut nonet(&words));
    let html = std::fs::read_to_string(&page).expect("a page");
    let row = text.lines().find(|line| line.starts_with("PR ")).expect("the PR");
    let numbers: Vec<f64> = row.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert_eq!((numbers.len(), row.matches('±').count()), (4, 2), "{row}");
    let intervals: Vec<&str> = html.split("95 %: ").skip(1).collect();
    for (pair, interval) in numbers.chunks(2).zip(intervals) {
        let (low, rest) = interval.split_once(" to ").expect("an interval");
        let high = rest.split_once('<').expect("its end").0;
        let [low, high]: [f64; 2] = [low, high].map(|end| end.parse().expect("a number"));
        assert!((low - (pair[0] - pair[1]).max(0.0)).abs() < 0.07, "{row}, {low}");
        assert!((high - pair[0] - pair[1]).abs() < 0.07, "{row}, {high}");
    }
}

#[test]
fn an_interrupted_calibration_shows_the_games_so_far() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept.json").to_string_lossy().into_owned();
    let words = ["calibrate", "small", "--games", "2000000", "--no-bearoff", "--keep", &kept];
    let mut pty = Pty::open(80, nonet(&words).args(["--threads", "1"]));
    // The speed is known, so games have ended.
    pty.hear("/s, ");
    pty.hear(" to go");
    pty.signal("INT");
    pty.hear("stopped after ");
    pty.hear("of 2000000 games; the result so far:");
    assert_eq!(pty.end(), Some(0), "{}", pty.shown);
    assert!(pty.shown.contains("(stopped after "), "{}", pty.shown);
    let kept = std::fs::read_to_string(kept).expect("kept");
    assert!(kept.contains("\"interrupted\":true"));
}

#[test]
fn an_interrupted_measure_of_times_shows_the_players_before() {
    let words = ["benchmark", "swift", "champion:3", "--time"];
    let mut pty = Pty::open(80, &mut nonet(&words));
    pty.hear("plays champion:3");
    pty.signal("INT");
    pty.hear("stopped at champion:3; the players before it:");
    assert_eq!(pty.end(), Some(0), "{}", pty.shown);
    let table = pty.shown.split("mean ms").nth(1).expect("a table");
    assert!(table.contains("swift") && !table.contains("champion"), "{table}");
}

#[test]
fn an_interrupted_inspection_shows_the_games_so_far() {
    let mut pty = Pty::open(80, &mut nonet(&["inspect", "small", "--games", "2000000"]));
    // The speed is known, so games have ended.
    pty.hear("games small, ");
    pty.signal("INT");
    pty.hear("of 2000000 games; the result so far:");
    assert_eq!(pty.end(), Some(0), "{}", pty.shown);
    assert!(pty.shown.contains("most important input"), "{}", pty.shown);
}

#[test]
fn interrupted_decisions_are_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = folder.path().join("made.txt");
    let file = made.to_string_lossy();
    let words = ["benchmark", "small", "--make", &file, "--judge", "small", "--number", "2000000"];
    let mut pty = Pty::open(80, &mut nonet(&words));
    pty.hear("decisions found");
    pty.signal("INT");
    pty.hear("interrupted: nothing was written");
    assert_eq!(pty.end(), Some(1), "{}", pty.shown);
    assert!(!made.exists());
}

#[test]
fn interrupted_errors_against_exact_values_have_no_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let solved = folder.path().join("hyper1.bd").to_string_lossy().into_owned();
    piped(&mut nonet(&["bearoff", "--gnubg", "hypergammon", "--checkers", "1", "--out", &solved]));
    let words = ["benchmark", "small", "--exact", &solved, "--positions", "20000000"];
    let mut pty = Pty::open(80, &mut nonet(&words));
    pty.hear("positions small");
    pty.signal("INT");
    pty.hear("interrupted before any player was scored: there is no result");
    assert_eq!(pty.end(), Some(1), "{}", pty.shown);
}

#[test]
fn an_interrupted_database_is_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = folder.path().join("two-sided.bd");
    let file = made.to_string_lossy();
    let words = ["bearoff", "--gnubg", "two-sided", "--checkers", "8", "--out", &file];
    let mut pty = Pty::open(80, nonet(&words).args(["--threads", "1"]));
    pty.hear(" positions");
    pty.signal("INT");
    pty.hear("interrupted: nothing was written");
    assert_eq!(pty.end(), Some(1), "{}", pty.shown);
    assert!(!made.exists());
}

/// Linux has such names. Others may refuse them.
#[cfg(target_os = "linux")]
#[test]
fn a_database_may_have_a_name_that_is_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("a folder");
    let made = folder.path().join(std::ffi::OsStr::from_bytes(b"\xff.bd"));
    let words = ["bearoff", "--gnubg", "two-sided", "--checkers", "2", "--json", "--out"];
    let said = piped(nonet(&words).arg(&made));
    let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert!(said["file"].as_str().is_some_and(|file| file.ends_with(".bd")), "{said}");
    assert!(made.exists());
}

/// A match in a terminal, with its files in this folder.
fn table(folder: &Path) -> Pty {
    let words = ["play", "--length", "1", "--seed", "7", "--ply", "1", "--no-bearoff"];
    let mut command = nonet(&words);
    command.current_dir(folder).env("XDG_DATA_HOME", folder.join("data")).env("HOME", folder);
    Pty::open(60, &mut command)
}

fn history(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("data/nonet/play-history.txt")).expect("a history")
}

#[test]
fn lines_are_edited_completed_and_remembered() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut pty = table(folder.path());
    pty.hear("Your play: ");
    // Two wrong letters are deleted.
    pty.press("hexy\u{7f}\u{7f}lp\r");
    pty.hear("take your last decision back");
    pty.hear("Your play: ");
    // The arrow brings the last line back.
    pty.press("\u{1b}[A\r");
    pty.hear("take your last decision back");
    pty.hear("Your play: ");
    pty.press("boa\t\r");
    pty.hear("BAR");
    pty.hear("Your play: ");
    pty.press("qui\t\r");
    pty.hear("Go on with: nonet play --resume");
    assert_eq!(pty.end(), Some(0));
    let kept = history(folder.path());
    let kept: Vec<&str> = kept.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(kept, ["help", "board", "quit"], "a line that is repeated is kept once");
    // The next match knows them.
    let mut pty = table(folder.path());
    pty.hear("Your play: ");
    pty.press("\u{1b}[A\u{1b}[A\r");
    pty.hear("BAR");
    pty.hear("Your play: ");
    pty.press("quit\r");
    assert_eq!(pty.end(), Some(0));
}

#[test]
fn a_resignation_that_gives_up_chances_is_confirmed_by_the_next_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut pty = table(folder.path());
    pty.hear("Your play: ");
    // Another line takes the resignation back.
    for line in ["resign", "id"] {
        pty.press(&format!("{line}\r"));
        pty.hear(if line == "id" { "XGID=" } else { "type resign again" });
        pty.hear("Your play: ");
    }
    pty.press("resign\r");
    pty.hear("You still win ");
    pty.hear("type resign again");
    pty.hear("Your play: ");
    pty.press("resign\r");
    pty.hear("nonet accepts.");
    pty.hear("nonet wins the match, 1 to 0.");
    assert_eq!(pty.end(), Some(0), "{}", pty.shown);
}

#[test]
fn ctrl_c_ctrl_d_and_a_signal_end_a_match_that_is_saved() {
    for end in ["\u{3}", "\u{4}", "TERM"] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut pty = table(folder.path());
        pty.hear("Your play: ");
        // The first of the hints is played, and nonet answers.
        pty.press("1\r");
        pty.hear("nonet rolls");
        pty.hear("Your play: ");
        match end {
            "TERM" => pty.signal("TERM"),
            keys => pty.press(keys),
        }
        pty.hear("Go on with: nonet play --resume");
        assert_eq!(pty.end(), Some(0), "{end:?}");
        assert!(pty.echoes(), "{end:?}: the terminal is as it was");
    }
}
