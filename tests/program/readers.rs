//! Every reader of bytes from elsewhere, with mutated samples: nothing panics. The functions are
//! those of the fuzz targets. `NONET_FUZZ_SECONDS` says for how long each reader is tried.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use nonet::eval::PureTd;
use nonet::game::{StreamPurpose, stream};
use nonet::store::puretd_from_bytes;
use rand::Rng;
use rand_pcg::Pcg64;

use crate::common;

#[path = "../../fuzz/readers.rs"]
#[allow(unreachable_pub, reason = "the fuzz targets use it, too")]
mod readers;

/// Numbers at the edges of what a field can hold.
const EDGES: [u8; 6] = [0, 1, 0x7f, 0x80, 0xfe, 0xff];

/// Changes, removes, repeats or exchanges some bytes of a sample.
fn mutated(samples: &[Vec<u8>], rng: &mut Pcg64) -> Vec<u8> {
    let mut bytes = samples[rng.random_range(0..samples.len())].clone();
    for _ in 0..rng.random_range(1..=6) {
        if bytes.is_empty() {
            break;
        }
        // Most of the structure stands at the beginning.
        let end = if rng.random_bool(0.5) { bytes.len() } else { bytes.len().min(600) };
        let at = rng.random_range(0..end);
        let length = rng.random_range(1..=8.min(bytes.len() - at));
        match rng.random_range(0..7) {
            0 => bytes[at] ^= 1 << rng.random_range(0..8),
            1 => bytes[at..at + length].fill(EDGES[rng.random_range(0..EDGES.len())]),
            2 => drop(bytes.drain(at..at + length)),
            3 => {
                let again = bytes[at..at + length].to_vec();
                bytes.splice(at..at, again.repeat(rng.random_range(1..20)));
            }
            4 => bytes.truncate(at),
            5 => {
                let other = &samples[rng.random_range(0..samples.len())];
                let from = rng.random_range(0..=other.len());
                bytes.splice(at.., other[from..].iter().copied());
            }
            _ => bytes[at] = rng.random(),
        }
    }
    bytes
}

/// Tries a reader for some seconds; `seal` makes mutated bytes whole again.
fn attack(samples: &[Vec<u8>], read: fn(&[u8]), seal: fn(&mut [u8])) {
    let seconds = std::env::var("NONET_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(3));
    samples.iter().for_each(|sample| read(sample));
    for number in 0.. {
        if Instant::now() > end {
            assert!(number > 20, "only {number} inputs");
            return;
        }
        let mut bytes = mutated(samples, &mut stream(1, StreamPurpose::Choice, number));
        seal(&mut bytes);
        read(&bytes);
    }
}

/// Corrects the lengths and the checksum of a file of ours, so that what lies behind them is read.
fn seal(bytes: &mut [u8]) {
    // magic, version, kind, two lengths, ..., checksum
    if bytes.len() < 36 {
        return;
    }
    let whole = bytes.len() - 36;
    let header = u64::from_le_bytes(bytes[16..24].try_into().expect("eight bytes"));
    let header = header.min(whole as u64);
    bytes[16..24].copy_from_slice(&header.to_le_bytes());
    bytes[24..32].copy_from_slice(&(whole as u64 - header).to_le_bytes());
    let end = bytes.len() - 4;
    let checksum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a file")).collect()
}

fn at_root(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn mutated_records_cause_no_panic() {
    let folders = ["tests/records", "backgammon/tests/records"];
    let samples: Vec<Vec<u8>> = folders.iter().flat_map(|folder| files(&at_root(folder))).collect();
    attack(&samples, readers::record, |_| ());
}

#[test]
fn mutated_ids_cause_no_panic() {
    let questions = include_str!("../common/questions.txt").lines().skip(2);
    let ids = [
        "4HPwATDgc/ABMA",
        "4HPwATDgc/ABMA:cAkAAAAAAAAA",
        "board:You:ann:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1\
         :0:1:-1:0:25:0:0:0:0:2:0:0:0",
    ];
    let samples: Vec<Vec<u8>> = questions.chain(ids).map(|line| line.as_bytes().to_vec()).collect();
    attack(&samples, readers::id, |_| ());
}

#[test]
fn mutated_nets_with_the_right_checksum_cause_no_panic() {
    attack(&[std::fs::read(at_root("nets/small.nonet")).expect("a net")], readers::net, seal);
}

#[test]
fn mutated_nets_of_puretd_cause_no_panic() {
    // The small arrays alone, so that many inputs are tried; the reader then misses the others.
    let mut sample = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut sample);
    for array in [1, 3, 5, 7, 8, 9] {
        let name = format!("x/data/{array}");
        let (mut member, config) = archive.new_file(&name).start().expect("a member");
        let mut writer = config.wrap(&mut member);
        writer.write_all(&vec![0; 4 * PureTd::array_len(array)]).expect("in memory");
        let (_, descriptor) = writer.finish().expect("in memory");
        member.finish(descriptor).expect("in memory");
    }
    archive.finish().expect("in memory");
    let error = puretd_from_bytes(&sample, Path::new("x.pt")).expect_err("no net").to_string();
    assert!(error.ends_with("it has no array data/0"), "{error}");
    attack(&[sample], readers::puretd, |_| ());
}

#[test]
fn mutated_benchmark_files_cause_no_panic() {
    let line = "m OAHDPAABDAOAHDPAABDA 3 1 LAGHPAABDAOAHDPAABDA 0.162919 NAHDPAABCCOAHDPAABDA 0.177804\n\
                o OAHDPAABDAOAHDPAABDA 0.5 0.1 0.0 0.1 0.0\n\
                m IMGHPAABCENINGMBADCA 4 2 NILGIDADCAIMGHPAABCE 0.6714 LBMNMBADCAIMGHPAABGA 0.0147\n";
    attack(&[line.as_bytes().to_vec()], readers::benchmark, |_| ());
}

#[test]
fn mutated_checkpoints_with_the_right_checksum_cause_no_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = common::path(folder.path(), "run");
    let words = "--preset linear --games 8 --eval-games 4 --final-games 0 --eval-every 8 --out";
    let words: Vec<&str> = ["train"].into_iter().chain(words.split(' ')).chain([&*run]).collect();
    let done = common::answer(&mut common::nonet(&words), "");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let sample = std::fs::read(Path::new(&run).join("checkpoint.nonet")).expect("a checkpoint");
    attack(&[sample], readers::checkpoint, seal);
}

#[test]
fn mutated_messages_cause_no_panic() {
    use nonet::progress::to_bytes;
    let samples = [
        to_bytes(&("evaluate".to_owned(), vec![vec![1_u8, 2, 3]; 4], Some(7_u64))),
        to_bytes(&vec![[0.5_f32; 7]; 3]),
        to_bytes(&nonet::backgammon::Position::START),
    ];
    attack(&samples, readers::message, |_| ());
}

#[test]
fn mutated_lines_of_a_controller_cause_no_panic() {
    let lines = "ubgi\nisready\nposition gnubgid 4HPwATDgc/ABMA:cAkAAAAAAAAA\ndice 3 1\ngo\n\
                 go cube\ngo turn\nset game.length 7\nset game.score0 3\nset game.crawford true\n\
                 set game.cube 4\nset game.owner p1\neval gnubgid 4HPwATDgc/ABMA\nnewsession\n\
                 setoption name Length value 5\nsetscore 1 2\nsetcube 2 own\nsetturn 1\n\
                 position xgid XGID=-a-B--E-C---dD---c-e----A-:1:1:1:52:2:4:0:7:10\ngo\nquit\n";
    attack(&[lines.as_bytes().to_vec()], readers::ubgi, |_| ());
}
