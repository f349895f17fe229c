//! What GNU Backgammon exports of a match is read as that match, in each of its formats. Skipped
//! where it is not installed.

#![allow(clippy::expect_used, clippy::print_stderr, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use backgammon::Seat;
use backgammon::record::{RecordEvent, RecordTurn, RecordedGame, read_record};

const GNUBG: &str = "/usr/games/gnubg";

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("gnubg-exports-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn games(path: &Path) -> Vec<RecordedGame> {
    let bytes = std::fs::read(path).expect("an export");
    let read = read_record(&bytes[..], &path.to_string_lossy()).expect("usable");
    let known = path.extension().is_some_and(|kind| kind == "gam");
    let warnings: Vec<String> = read.warnings.iter().map(ToString::to_string).collect();
    assert!(known || warnings.is_empty(), "{warnings:?}");
    read.games
}

/// What an export must hold of a game.
fn contents(game: &RecordedGame) -> (Vec<RecordEvent>, Option<(usize, u32)>, [String; 2]) {
    let won = game.won().map(|(winner, points)| (winner.index(), points));
    (game.events().to_vec(), won, game.header().names.clone())
}

/// Whether gnubg is there; without it the tests say so and pass.
fn is_installed() -> bool {
    let found = Path::new(GNUBG).exists();
    assert!(found || std::env::var_os("NONET_WANT_GNUBG").is_none(), "{GNUBG} is missing");
    if !found {
        eprintln!("{GNUBG} is not installed: its exports are not read");
    }
    found
}

fn run(folder: &Folder, commands: &str) -> Output {
    let file = folder.0.join("commands");
    std::fs::write(&file, format!("{commands}quit\n")).expect("written");
    Command::new(GNUBG)
        .args(["-t", "-q", "-c"])
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .expect("gnubg runs")
}

#[test]
fn every_export_of_gnubg_is_read_as_the_match_that_it_holds() {
    if !is_installed() {
        return;
    }
    let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/written.mat");
    let folder = Folder::new();
    let at = |name: &str| folder.0.join(name);
    // The reader of gnubg's files takes names in ASCII only.
    let ascii =
        std::fs::read_to_string(&text).expect("written.mat").replace("J\u{f8}rgen", "Joergen");
    std::fs::write(at("match.mat"), ascii).expect("written");
    let commands = [
        "import mat",
        "export match mat",
        "export match snowietxt",
        "export match text",
        "save match",
        "export game gam",
    ]
    .iter()
    .zip(["match.mat", "out.mat", "snowie.txt", "out.txt", "out.sgf", "last.gam"])
    .map(|(command, file)| format!("{command} {}\n", at(file).display()))
    .collect::<String>();
    let run = run(&folder, &commands);
    assert!(at("last.gam").exists(), "{}", String::from_utf8_lossy(&run.stdout));
    let expected: Vec<_> = games(&at("match.mat")).iter().map(contents).collect();
    assert_eq!(expected.len(), 6);
    for name in ["out.mat", "snowie.txt", "out.sgf"] {
        let read: Vec<_> = games(&at(name)).iter().map(contents).collect();
        assert_eq!(read, expected, "{name}");
    }
    // The text export has a file for each game.
    for (number, expected) in (1..).zip(&expected) {
        let name = if number == 1 { "out.txt".to_owned() } else { format!("out_{number:03}.txt") };
        let read: Vec<_> = games(&at(&name)).iter().map(contents).collect();
        assert_eq!(read.as_slice(), std::slice::from_ref(expected), "{name}");
    }
    let last = games(&at("last.gam"));
    assert_eq!(contents(&last[0]), expected[5], "a game without its score");
}

/// Turns and cube actions, the winner with the points, and the names, by `seat`.
fn facts(
    game: &RecordedGame,
    seat: fn(Seat) -> Seat,
) -> (Vec<String>, Option<(Seat, u32)>, [String; 2]) {
    let event = |event: &RecordEvent| {
        let player = seat(event.player());
        match *event {
            RecordEvent::Turn(RecordTurn { dice, after, .. }) => {
                format!("{player:?} {dice} {}", after.id())
            }
            RecordEvent::Double { value, .. } => format!("{player:?} doubles to {value}"),
            RecordEvent::Beaver { value, .. } => format!("{player:?} beavers to {value}"),
            RecordEvent::Take { .. } => format!("{player:?} takes"),
            RecordEvent::Drop { .. } => format!("{player:?} drops"),
        }
    };
    let name = |of: Seat| game.header().names[seat(of).index()].clone();
    let winner = game.won().map(|(winner, points)| (seat(winner), points));
    (game.events().iter().map(event).collect(), winner, Seat::BOTH.map(name))
}

#[test]
fn gnubg_imports_the_same_games() {
    if !is_installed() {
        return;
    }
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records");
    let files = [("written.sgg", "sgg"), ("gamesgrid-money.sgg", "sgg"), ("empire.gam", "empire")];
    for (name, command) in files {
        // gnubg exchanges the players of an `.sgg`.
        let seat: fn(Seat) -> Seat = if command == "sgg" { Seat::other } else { |seat| seat };
        let folder = Folder::new();
        let at = |name: &str| folder.0.join(name);
        let text = std::fs::read_to_string(records.join(name)).expect(name);
        std::fs::write(at(name), text.replace("J\u{f8}rgen", "Joergen")).expect("written");
        let (from, to) = (at(name), at("out.sgf"));
        let commands =
            format!("import {command} {}\nsave match {}\n", from.display(), to.display());
        let run = run(&folder, &commands);
        assert!(to.exists(), "{name}: {}", String::from_utf8_lossy(&run.stdout));
        let expected: Vec<_> = games(&from).iter().map(|game| facts(game, seat)).collect();
        let found: Vec<_> = games(&to).iter().map(|game| facts(game, |seat| seat)).collect();
        assert_eq!(found, expected, "{name}");
    }
}
