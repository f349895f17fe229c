//! `.bgf` of BGBlitz. The fixture was encoded by another encoder of SMILE; here serde-smile encodes
//! what it needs.

use std::io::Write;
use std::path::Path;

use backgammon::record::{Format, RecordedGame, Records, read_record};
use flate2::Compression;
use flate2::write::GzEncoder;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use super::games::is_legal;

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records").join(name))
        .expect("a fixture")
}

fn file(all: &Value) -> Vec<u8> {
    let mut bytes =
        b"{\"version\":\"0.1\",\"compression\":\"gzip\",\"encoding\":\"smile\"}\n".to_vec();
    let mut encoder = GzEncoder::new(&mut bytes, Compression::fast());
    encoder.write_all(&serde_smile::to_vec(all).expect("values of JSON")).expect("memory");
    encoder.finish().expect("memory");
    bytes
}

fn games(bytes: &[u8]) -> Vec<RecordedGame> {
    read_record(bytes, "f").expect("usable").games
}

#[test]
fn the_match_of_a_file_is_that_of_the_text_beside_it() {
    let bytes = fixture("written.bgf");
    let mut found = Records::new(&bytes[..], "f").expect("a record");
    assert_eq!(found.format(), Format::Bgf);
    let read: Vec<RecordedGame> = found.by_ref().map(|game| game.expect("usable")).collect();
    assert_eq!(read, games(&fixture("written.mat")));
    assert!(found.take_warnings().is_empty());
}

/// Green rolls 31 and 55, red 62 and dances, if green is this player.
fn small(green: i64) -> Value {
    let turn = |player: i64, dice: [u8; 2], from: [i8; 2], to: [i8; 2]| {
        json!({
            "type": "amove", "player": player, "red": dice[0], "green": dice[1], "from": [from[0], from[1], -1, -1],
            "to": [to[0], to[1], -1, -1], "equity": {"equity": 0.25, "cubeDecision": null}, "unknown": [[{}], "x"],
        })
    };
    let cube = |player: i64, taken: bool| {
        let decision = json!({"hasDoubled": true, "hasAccepted": taken, "eqNoDouble": -0.5});
        json!({"player": player, "from": [-1, -1, -1, -1], "to": [-1, -1, -1, -1], "equity": {"cubeDecision": decision}})
    };
    json!({
        "matchlen": 7, "nameGreen": "Anne", "nameRed": "Zo\u{eb}", "finalGreen": 4, "finalRed": 1, "useCrawford": true,
        "games": [
            {
                "scoreGreen": 0, "scoreRed": 1, "wonPoints": 4, "wasResignation": true, "isCrawford": false,
                "moves": [
                    turn(green, [3, 1], [8, 6], [5, 5]), turn(-green, [6, 2], [24, 13], [18, 11]), cube(green, true), cube(-green, true),
                    turn(green, [6, 5], [24, -1], [13, -1]),
                    {"player": -green, "from": [-1, -1, -1, -1], "to": [-1, -1, -1, -1], "equity": null},
                ],
            },
        ],
    })
}

#[test]
fn a_resignation_after_a_double_is_read_with_its_points() {
    let read = games(&file(&small(-1)));
    assert_eq!(read[0].header().names, ["Anne", "Zo\u{eb}"]);
    assert_eq!((read[0].turns().count(), read[0].cube()), (3, 2));
    assert_eq!(read[0].won().map(|(winner, points)| (winner.index(), points)), Some((0, 4)));
}

#[test]
fn a_session_without_a_cube_has_none() {
    let mut all = small(-1);
    all["games"][0]["moves"].as_array_mut().expect("moves").drain(2..4);
    let cubeless = |field: &str, value: Value| {
        let mut all = all.clone();
        all[field] = value;
        games(&file(&all))[0].is_cubeless()
    };
    assert!(cubeless("useCube", json!(false)) && cubeless("cubeLimit", json!(1)));
    assert!(!cubeless("useCube", json!(true)) && !cubeless("cubeLimit", json!(64)));
    assert!(!cubeless("other", json!(false)), "no word about it");
}

#[test]
fn values_of_an_unexpected_kind_cost_no_match() {
    for (field, value) in [
        ("date", json!([1])),
        ("useJacoby", json!("no")),
        ("finalGreen", json!(null)),
        ("matchlen", json!(7.0)),
    ] {
        let mut all = small(-1);
        all[field] = value;
        assert_eq!(games(&file(&all))[0].turns().count(), 3, "{field}");
    }
    let mut all = small(-1);
    all["games"][0]["moves"][1]["from"] = json!("?");
    assert_eq!(games(&file(&all))[0].turns().count(), 2, "without the play that cannot be read");
}

#[test]
fn other_contents_and_damage_are_errors_in_words() {
    let error = |bytes: &[u8]| read_record(bytes, "f").expect_err("refused").to_string();
    let whole = fixture("written.bgf");
    let expected = "f:1: damaged record: its compressed data cannot be read to the end";
    assert_eq!(error(&whole[..whole.len() / 2]), expected);
    assert_eq!(
        error(&file(&json!({"matchlen": 3}))),
        "f:1: damaged record: no game of BGBlitz in it"
    );
    let head = b"{\"version\":\"1\",\"compression\":\"none\",\"encoding\":\"json\"}\n{}";
    assert_eq!(error(head), "f:1: damaged record: expected a match of BGBlitz encoded as SMILE");
    assert_eq!(error(&head[..30]), "f:1: unexpected end of the record: the game is incomplete");
    let nested = (0..200).fold(json!(1), |inner, _| json!([inner]));
    assert_eq!(
        error(&file(&json!({"games": nested}))),
        "f:1: damaged record: its SMILE data cannot be decoded"
    );
    let many = json!({"games": vec![0; 3_000_000]});
    assert_eq!(error(&file(&many)), "f:1: damaged record: it holds too many values");
}

#[test]
fn damaged_bytes_cause_no_panic_and_no_illegal_game() {
    let (whole, mut rng) = (fixture("written.bgf"), Pcg64::seed_from_u64(5));
    let head = whole.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&whole[head..]), &mut plain)
        .expect("gzip");
    for round in 0..300 {
        let mut data = plain.clone();
        for _ in 0..rng.random_range(1..8) {
            let at = rng.random_range(4..data.len());
            data[at] = rng.random();
        }
        // Encodings without compression are read too.
        let bytes = [&whole[..head], &data].concat();
        if let Ok(read) = read_record(&bytes[..], "f") {
            assert!(read.games.iter().all(is_legal), "round {round}");
        }
    }
}
