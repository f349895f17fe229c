//! The bearoff databases have the same bytes as GNU Backgammon's.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use md5::{Digest, Md5};
use nonet::backgammon::Position;
use nonet::bearoff::{BearoffDatabases, OneSided, TwoSided, gnubg};
use nonet::hypergammon::{ENTRY, Exact, HEADER, Solver};
use nonet::store::GnubgTwoSided;

fn md5(bytes: &[u8]) -> String {
    Md5::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The checksum in the GNU Backgammon manual's table of bearoff databases (one-sided, six points);
/// the file of Debian's package has it too.
#[test]
fn the_one_sided_database_is_gnubgs_to_the_byte() {
    assert_eq!(md5(&gnubg::one_sided()), "3dc7b833c4670849cee00479a9e21b49");
}

/// The checksums of the same table for three and six checkers a side.
#[test]
fn two_sided_databases_are_gnubgs_to_the_byte() {
    assert_eq!(md5(&gnubg::two_sided(3)), "9d67da3db32ad4720cc38eecf9a67967");
    assert_eq!(md5(&gnubg::two_sided(6)), "44b6040b49b46cb9dd2ce8caa947044d");
}

/// The checksum of the file for seven checkers a side that `makebearoff -t 6x7` of version 1.07.001
/// writes.
#[test]
#[ignore = "a minute of a core; three and six checkers are tested each time"]
fn the_two_sided_database_of_seven_checkers_is_gnubgs_to_the_byte() {
    assert_eq!(md5(&gnubg::two_sided(7)), "9eb8b042d4d2ddf8d40e74a892745ad5");
}

/// What `bearoffdump`, which comes with GNU Backgammon, prints of the position at an index of a
/// database.
///
/// It is the Position ID and four equities: without a cube, with the own cube, the centred one and
/// the opponent's.
fn dumped(file: &Path, index: u32) -> (String, [f32; 4]) {
    let mut command = Command::new("/usr/games/bearoffdump");
    let output = command.args(["-n", &index.to_string()]).arg(file).output().expect("runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let after = |words: &str| {
        let (_, rest) = text.split_once(words).unwrap_or_else(|| panic!("no '{words}' in {text}"));
        rest.trim_start_matches([' ', ':']).split_whitespace().next().expect("a word").to_owned()
    };
    let equities = ["Cubeless equity", "Owned cube", "Centered cube", "Opponent owns cube"];
    (after("Position ID"), equities.map(|words| after(words).parse().expect("an equity")))
}

#[test]
fn equities_looked_up_in_a_file_are_those_that_gnubg_reads() {
    if !Path::new("/usr/games/bearoffdump").exists() {
        assert!(std::env::var_os("NONET_WANT_GNUBG").is_none(), "gnubg is wanted and missing");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ts.bd");
    std::fs::write(&file, gnubg::two_sided(4)).expect("written");
    let stored = GnubgTwoSided::open(&file).expect("a database");
    // Nearly all positions are in the file alone.
    let databases = BearoffDatabases::new(OneSided::generate(), TwoSided::generate(1))
        .with_stored(Arc::new(stored));
    // 210 boards of up to four checkers a side; those without checkers are no positions.
    for index in (211..210 * 210).step_by(977).filter(|index| index % 210 != 0) {
        let (id, printed) = dumped(&file, index);
        let position = Position::from_id(&id).expect("a Position ID");
        let found = databases.cubeful(&position).expect("in the file");
        let found = [found.cubeless, found.owned, found.centred, found.opponent];
        for (found, printed) in found.into_iter().zip(printed) {
            assert!((found - printed).abs() < 1e-4, "{id}: {found} for {printed}");
        }
    }
}

/// Bearoffs of up to eight checkers a side are solved when they are asked for. The largest error
/// is that of a double, which is worth twice the equity with the opponent's cube.
#[test]
fn cubes_in_bearoffs_of_eight_checkers_are_solved_within_two_hundredths() {
    let databases = BearoffDatabases::generate();
    let mut errors = Vec::new();
    for line in include_str!("bearoffs_of_eight.txt").lines().filter(|line| !line.starts_with('#'))
    {
        let (id, exact) = line.split_once(' ').expect("an ID and equities");
        let exact: Vec<f32> =
            exact.split(' ').map(|equity| equity.parse().expect("an equity")).collect();
        let position = Position::from_id(id).expect("a Position ID");
        assert_eq!(databases.cubeful(&position), None, "{id} is in the exact database");
        let found = databases.solved_cubeful(&position).expect("eight checkers at most");
        errors.extend([
            (found.cubeless - exact[0]).abs(),
            (found.owned - exact[1]).abs(),
            (found.centred - exact[2]).abs(),
            2.0 * (found.opponent - exact[3]).abs(),
        ]);
    }
    let mean = errors.iter().sum::<f32>() / errors.len() as f32;
    let largest = errors.iter().copied().fold(0.0, f32::max);
    assert_eq!(errors.len(), 4 * 400);
    assert!(mean < 0.001 && largest < 0.02, "error {mean} on average, {largest} at most");
    // An answer does not depend on the questions before it.
    let first = Position::from_id("0wwAAJcNAAAAAA").expect("a Position ID");
    let later = databases.solved_cubeful(&first);
    assert_eq!(later, BearoffDatabases::generate().solved_cubeful(&first));
    let nine = Position::from_sides(&[(6, 9)], &[(6, 9)]).expect("legal");
    assert_eq!(databases.solved_cubeful(&nine), None);
}

/// The file that GNU Backgammon's `makehyper` writes, with its sweeps until no value changes by
/// more than 1e-7, against ours.
#[test]
fn one_checker_each_is_worth_what_makehyper_says() {
    if !Path::new("/usr/games/makehyper").exists() {
        assert!(std::env::var_os("NONET_WANT_GNUBG").is_none(), "gnubg is wanted and missing");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hyper1.bd");
    let mut command = Command::new("/usr/games/makehyper");
    command.args(["-n", "-c", "1", "-t", "1e-7", "-f"]).arg(&file).current_dir(folder.path());
    assert!(command.output().expect("runs").status.success());
    let theirs = std::fs::read(&file).expect("written");
    let mut solver = Solver::new(1);
    while solver.round() > 1e-9 {}
    let ours = solver.to_bytes();
    assert_eq!((ours.len(), &ours[..HEADER]), (theirs.len(), &theirs[..HEADER]));
    let entries = |bytes: &[u8]| -> Vec<Option<Exact>> {
        bytes[HEADER..].as_chunks::<ENTRY>().0.iter().map(Exact::of_entry).collect()
    };
    let mut compared = 0;
    for (place, (ours, theirs)) in entries(&ours).into_iter().zip(entries(&theirs)).enumerate() {
        // makehyper writes zeros where two sides claim one point: an equity of 0, not of -3.
        let (Some(ours), Some(theirs)) = (ours, theirs) else { continue };
        let near = |a: f64, b: f64| (a - b).abs() < 3e-6;
        assert!(
            ours.outcomes.iter().zip(theirs.outcomes).all(|(&a, b)| near(a, b))
                && near(ours.cubeful.owned, theirs.cubeful.owned)
                && near(ours.cubeful.centred, theirs.cubeful.centred)
                && near(ours.jacoby, theirs.jacoby)
                && near(ours.cubeful.opponent, theirs.cubeful.opponent),
            "{place}: {ours:?} {theirs:?}"
        );
        compared += 1;
    }
    assert!(compared > 600, "{compared}");
}
