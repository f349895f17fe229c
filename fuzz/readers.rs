//! The readers of bytes from elsewhere, one function each. Bytes of any kind must be read or
//! refused: no panic, no endless loop, no memory out of proportion.
//!
//! The fuzz targets call these functions on a nightly toolchain. The gate calls them with mutated
//! samples on the stable one (`tests/program/readers.rs`).

use std::io::{BufReader, Cursor};
use std::path::Path;
use std::sync::LazyLock;

use nonet::Engine;
use nonet::backgammon::record::{Records, read_record};
use nonet::backgammon::{FibsBoard, GameState, Position};
use nonet::benchmark::GnubgDecisions;
use nonet::progress::from_bytes;
use nonet::protocol::ubgi::Ubgi;
use nonet::search::Plies;
use nonet::store::{NetFile, puretd_from_bytes, read_checkpoint};
use nonet::train::{NetLearner, RunProgress};

/// A record of a match in any format; what is read is written again.
pub fn record(bytes: &[u8]) {
    for name in ["x.mat", "x.sgf", "x.bgf", "x.xg", "x"] {
        let _ = read_record(Cursor::new(bytes), name);
        if let Ok(games) = Records::new(bytes, name) {
            games.take(1000).for_each(drop);
        }
    }
}

/// An ID of a position, in any notation, and the board line of FIBS.
pub fn id(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = Position::from_id(&text);
    let _ = FibsBoard::parse_loose(&text);
    if let Ok(state) = text.parse::<GameState>() {
        // A GNU ID says more of a game that is over than an XGID does.
        let said = state.to_string();
        let again = said.parse().map(|state: GameState| state.to_string());
        assert_eq!(again.as_ref(), Ok(&said), "{text}");
    }
}

/// A net file.
pub fn net(bytes: &[u8]) {
    if let Ok(file) = NetFile::from_bytes(bytes, Path::new("x.nonet")) {
        let again = NetFile::from_bytes(&file.to_bytes(), Path::new("x.nonet"));
        assert!(again.is_ok(), "a net that was read can be written and read");
    }
}

/// PureTD's net.
pub fn puretd(bytes: &[u8]) {
    let _ = puretd_from_bytes(bytes, Path::new("x.pt"));
}

/// A benchmark file of GNU Backgammon.
pub fn benchmark(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(set) = GnubgDecisions::from_text(&text, "x.bm") {
        for decision in &set.decisions {
            let worst = (0..decision.losses.len()).map(|result| decision.loss(result));
            assert!(worst.fold(0.0, f32::max) >= 0.0, "{decision:?}");
        }
    }
}

/// A checkpoint; its reader wants a file.
pub fn checkpoint(bytes: &[u8]) {
    let Ok(folder) = tempfile::tempdir() else { return };
    let path = folder.path().join("checkpoint.nonet");
    if std::fs::write(&path, bytes).is_ok() {
        let _ = read_checkpoint::<RunProgress, Vec<NetLearner>>(&path);
    }
}

/// A message between machines.
pub fn message(bytes: &[u8]) {
    let _ = from_bytes::<(String, Vec<Vec<u8>>, Option<u64>)>(bytes);
    let _ = from_bytes::<Vec<[f32; 7]>>(bytes);
    let _ = from_bytes::<Position>(bytes);
}

/// Lines of a controller, to an engine that speaks UBGI.
pub fn ubgi(bytes: &[u8]) {
    static ENGINE: LazyLock<Option<Engine>> = LazyLock::new(|| {
        let one = Plies::ONE;
        Engine::builder().plies(one).cube_plies(one).threads(1).build().ok()
    });
    let Some(engine) = &*ENGINE else { return };
    // Deeper searches take long and read nothing.
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let shallow: Vec<u8> = lines
        .filter(|line| !line.windows(3).any(|part| part == b"ply"))
        .flatten()
        .copied()
        .collect();
    let refuse = |_: &Engine, word: &str| Err(format!("no net '{word}'"));
    let mut out = Vec::new();
    let mut ubgi = Ubgi::new(engine.clone(), "fuzz", Box::new(refuse));
    let _ = ubgi.serve(BufReader::new(Cursor::new(shallow)), &mut out);
}
