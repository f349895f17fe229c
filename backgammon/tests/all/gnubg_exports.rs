//! What GNU Backgammon exports of a match is read as that match, in each of its formats. Skipped
//! where it is not installed.

#![allow(clippy::expect_used, clippy::print_stderr, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use backgammon::record::{RecordEvent, RecordedGame, read_record};

const GNUBG: &str = "/usr/games/gnubg";

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let path = std::env::temp_dir().join(format!("gnubg-exports-{}", std::process::id()));
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

#[test]
fn every_export_of_gnubg_is_read_as_the_match_that_it_holds() {
    if !Path::new(GNUBG).exists() {
        assert!(std::env::var_os("NONET_WANT_GNUBG").is_none(), "{GNUBG} is missing");
        eprintln!("{GNUBG} is not installed: its exports are not read");
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
    std::fs::write(at("commands"), commands + "quit\n").expect("written");
    let run = Command::new(GNUBG)
        .args(["-t", "-q", "-c"])
        .arg(at("commands"))
        .stdin(Stdio::null())
        .output()
        .expect("gnubg runs");
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
