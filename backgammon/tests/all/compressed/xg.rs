//! `.xg` of eXtreme Gammon.

use std::path::Path;

use backgammon::record::{
    Format, GameHeader, GameStart, MatWriter, RecordEvent, RecordedGame, Recorder, Records,
    read_record,
};
use backgammon::{GameState, Position, Scoring, Seat, Stake};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use super::games::{end, is_legal, names, session};
use super::xg_writer::{file, position_file, records};

/// The match of the file `written.mat`.
fn of_the_fixture() -> Vec<RecordedGame> {
    let text = std::fs::read(folder().join("written.mat")).expect("written.mat");
    let mut games = Vec::new();
    for game in Records::new(&text[..], "written.mat").expect("a record") {
        games.push(game.expect("usable"));
    }
    games
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records")
}

#[test]
fn the_match_of_a_file_is_that_of_the_text_beside_it() {
    let bytes = std::fs::read(folder().join("written.xg")).unwrap_or_default();
    let games = of_the_fixture();
    if std::env::var_os("WRITE_FIXTURES").is_some() {
        std::fs::write(folder().join("written.xg"), file(&records(&games))).expect("written");
        return;
    }
    let mut found = Records::new(&bytes[..], "written.xg").expect("a record");
    assert_eq!(found.format(), Format::Xg);
    let read: Vec<RecordedGame> = found.by_ref().map(|game| game.expect("usable")).collect();
    assert_eq!(read, games);
    assert!(found.take_warnings().is_empty());
}

#[test]
fn games_with_cubes_beavers_and_resignations_read_back() {
    for seed in 0..24 {
        let (length, beavers) = [(0, true), (7, false), (0, false), (25, false)][seed as usize % 4];
        let games = session(seed, length, beavers);
        let read = read_record(&file(&records(&games))[..], "f").expect("usable");
        let warnings: Vec<String> = read.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warnings, [""; 0], "{seed}");
        assert_eq!(read.games.len(), games.len(), "{seed}");
        for (read, game) in read.games.iter().zip(&games) {
            assert_eq!(read.events(), game.events(), "{seed}");
            assert_eq!((read.header(), end(read)), (game.header(), end(game)), "{seed}");
        }
    }
}

#[test]
fn the_last_game_of_a_match_counts_the_points_as_won() {
    let scoring = Scoring::of_match(7, 6, 2, false).expect("a score");
    let mut game = Recorder::new(GameHeader { names: names(), scoring });
    let dice = "31".parse().expect("a roll");
    let after = Position::START.read_play("8/5 6/5", dice).expect("legal").after;
    game.turn(Seat::X, dice, &after).expect("legal");
    game.resign(Seat::O, Stake::Backgammon).expect("asked");
    let games = [game.finish()];
    let mut bytes = records(&games);
    let footer = (0..bytes.len() / 2560).find(|at| bytes[at * 2560 + 8] == 4).expect("an end");
    for capped in [9, 7] {
        bytes[footer * 2560 + 12] = capped;
        let read = read_record(&file(&bytes)[..], "f").expect("usable");
        assert_eq!(read.games[0].won(), Some((Seat::X, 3)), "{capped}");
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }
}

/// A game from a position that was set up, after a roll of O.
fn set_up(header: GameHeader) -> Recorder {
    let mut points = [0i8; 26];
    (points[6], points[5], points[20], points[0]) = (3, 4, -3, -1);
    let start = GameStart { position: Position::new(points).expect("a board"), ..GameStart::USUAL };
    let mut game = Recorder::from_start(header, start);
    let dice = "65".parse().expect("a roll");
    let flipped = start.position.flipped();
    let after = flipped.read_play("bar/19", dice).or_else(|_| flipped.read_play("bar/20", dice));
    let after = after.or_else(|_| flipped.read_play("", dice)).expect("legal").after;
    game.turn(Seat::O, dice, &after).expect("legal");
    game
}

#[test]
fn a_game_may_begin_in_a_position_that_was_set_up_with_automatic_doubles() {
    let scoring = Scoring::Money { jacoby: false, beavers: true };
    let games = [set_up(GameHeader { names: names(), scoring }).finish()];
    let mut bytes = records(&games);
    // Two automatic doubles.
    bytes[2560 + 64] = 2;
    let read = read_record(&file(&bytes)[..], "f").expect("usable").games;
    let position = games[0].start().position;
    assert_eq!((read[0].start().position, read[0].start().cube), (position, 4));
    assert_eq!(read[0].events(), games[0].events());
}

/// Lets an illegal play through: a checker moves that is not there.
fn make_illegal(bytes: &mut [u8], play: usize) {
    bytes[play + 68..play + 72].copy_from_slice(&1i32.to_le_bytes());
    bytes.copy_within(play + 9..play + 35, play + 35);
}

#[test]
fn a_lost_turn_costs_its_own_game_alone_where_whole_games_are_wanted() {
    let played = of_the_fixture().swap_remove(0);
    let mut first = set_up(played.header().clone());
    first.resign(Seat::O, Stake::Single).expect("asked");
    let first = first.finish();
    let mut bytes = records(&[first.clone(), played]);
    // The first game has one play, so this is the second play of the other one.
    let mut plays = (0..bytes.len() / 2560).filter(|at| bytes[at * 2560 + 8] == 3);
    let second = plays.nth(2).expect("three plays") * 2560;
    make_illegal(&mut bytes, second);
    let bytes = file(&bytes);
    let read = read_record(&bytes[..], "f").expect("usable");
    assert_eq!(read.games.iter().map(|game| game.gaps().len()).collect::<Vec<_>>(), [0, 1]);
    let mut records = Records::new(&bytes[..], "f").expect("a record").whole();
    let whole = records.next().expect("the first game").expect("a whole game");
    assert_eq!((whole.events(), whole.won()), (first.events(), first.won()));
    assert_eq!(records.take_warnings().len(), 0);
    let error = records.next().expect("the other game").expect_err("a lost turn").to_string();
    assert!(error.starts_with("f:game 2: "), "{error}");
    assert!(records.next().is_none());
}

#[test]
fn boards_and_moves_are_each_enough_and_an_illegal_play_costs_its_turn() {
    let games = of_the_fixture();
    let plain = records(&games);
    let plays = || (0..plain.len() / 2560).filter(|at| plain[at * 2560 + 8] == 3);
    let read = |bytes: &[u8]| read_record(&file(bytes)[..], "f").expect("usable");
    let (mut boards, mut moves) = (plain.clone(), plain.clone());
    for at in plays() {
        boards[at * 2560 + 68..at * 2560 + 100].fill(0xff);
        moves[at * 2560 + 9..at * 2560 + 61].fill(0);
    }
    assert_eq!(read(&boards).games, games);
    assert_eq!(read(&moves).games, games);
    // The second play of the first game moves a checker that is not there.
    let second = plays().nth(1).expect("two plays") * 2560;
    let mut illegal = plain.clone();
    make_illegal(&mut illegal, second);
    let found = read(&illegal);
    assert!(found.games.iter().all(is_legal));
    assert_eq!(found.games[1..], games[1..]);
    assert_eq!((found.games[0].won(), found.games[0].gaps().len()), (games[0].won(), 1));
    assert_eq!(found.warnings.len(), 1, "{:?}", found.warnings);
    assert!(found.warnings[0].to_string().starts_with("f:game 1: "), "{:?}", found.warnings);
}

#[test]
fn a_file_with_one_position_says_which() {
    for xgid in [
        // No double at 3-1, the opponent on the bar, no roll.
        "XGID=a---CBB--B---dD---ca-e--B-:0:0:1:00:3:1:0:5:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:0:7:10",
        "XGID=-b--B-D-B---eE---b-d--b-B-:1:1:1:42:2:3:0:7:10",
        "XGID=-b--B-D-B---eE---b-d--b-B-:2:-1:1:00:2:3:0:9:10",
        "XGID=-b--B-D-B---eE---b-d--b-B-:1:1:-1:00:6:3:1:7:10",
        "XGID=-B-CBC-A----------bbcccb--:3:-1:-1:65:0:0:3:0:10",
    ] {
        let asked: GameState = xgid.parse().expect(xgid);
        let error = read_record(&position_file(&asked)[..], "f").expect_err("no games");
        assert_eq!(error.single_position(), Some(&asked), "{xgid}");
        assert!(error.to_string().ends_with(&asked.xgid()), "{error}");
    }
}

#[test]
fn the_position_beside_the_tests_is_read() {
    let (path, xgid) =
        (folder().join("written.xgp"), "XGID=a-B-CBC--A---dC---ca-d---A:1:-1:-1:52:2:4:0:7:10");
    let asked: GameState = xgid.parse().expect(xgid);
    if std::env::var_os("WRITE_FIXTURES").is_some() {
        std::fs::write(path, position_file(&asked)).expect("written");
        return;
    }
    let bytes = std::fs::read(path).expect("written.xgp");
    let error = read_record(&bytes[..], "f").expect_err("no games");
    assert_eq!(error.single_position(), Some(&asked));
}

#[test]
fn a_position_without_a_board_or_a_player_is_damage_in_words() {
    let whole = position_file(&GameState::money(Position::START));
    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut data = Vec::new();
        std::io::Read::read_to_end(
            &mut flate2::read::ZlibDecoder::new(&whole[8232 + usize::from(whole[20])..]),
            &mut data,
        )
        .expect("zlib");
        change(&mut data);
        let mut bytes = file(&data);
        bytes[24..40].copy_from_slice(&whole[24..40]);
        read_record(&bytes[..], "f").expect_err("refused").to_string()
    };
    assert_eq!(error(&|data| data.truncate(2 * 2560)), "f:1: damaged record: no position in it");
    assert_eq!(
        error(&|data| data[2 * 2560 + 12..2 * 2560 + 16].fill(0)),
        "f:1: damaged record: no player on roll in it"
    );
    let empty = error(&|data| data[2 * 2560 + 36..2 * 2560 + 62].fill(0));
    assert!(empty.starts_with("f:1: invalid position 'of the file': "), "{empty}");
    let crowded = error(&|data| data[2 * 2560 + 36..2 * 2560 + 62].fill(9));
    assert!(crowded.starts_with("f:1: invalid position 'of the file': "), "{crowded}");
}

#[test]
fn a_session_whose_highest_cube_is_one_has_none_unless_somebody_doubles() {
    let game = |doubles: bool| {
        let scoring = Scoring::Money { jacoby: true, beavers: false };
        let mut game = Recorder::new(GameHeader { names: names(), scoring });
        let dice = "31".parse().expect("a roll");
        let after = Position::START.read_play("8/5 6/5", dice).expect("legal").after;
        game.turn(Seat::X, dice, &after).expect("legal");
        if doubles {
            game.double(Seat::O).expect("asked");
            game.take(Seat::X).expect("asked");
        }
        game.resign(Seat::X, Stake::Gammon).expect("asked");
        game.finish()
    };
    let without = [game(false), game(false)];
    let cubeless = |games: &[RecordedGame], limit: u8| -> Vec<bool> {
        let mut bytes = records(games);
        bytes[612] = limit;
        let read = read_record(&file(&bytes)[..], "f").expect("usable").games;
        read.iter().map(RecordedGame::is_cubeless).collect()
    };
    assert!(cubeless(&without, 0).iter().all(|&cubeless| cubeless));
    assert!(!cubeless(&without, 10).contains(&true));
    assert_eq!(cubeless(&[game(false), game(true)], 0), [false, false]);
    // What is read stays so in other formats.
    let mut bytes = records(&without);
    bytes[612] = 0;
    let read = read_record(&file(&bytes)[..], "f").expect("usable").games;
    let mut mat = MatWriter::new(Vec::new());
    read.iter().for_each(|game| mat.write(game).expect("memory"));
    let again = read_record(&mat.into_inner()[..], "f").expect("usable").games;
    assert!(again.len() == read.len() && again.iter().all(RecordedGame::is_cubeless));
}

#[test]
fn a_cube_after_an_edited_position_is_seen_by_the_first_player() {
    let games = of_the_fixture();
    let plain = records(&games[..1]);
    let plays: Vec<usize> =
        (0..plain.len() / 2560).filter(|at| plain[at * 2560 + 8] == 3).collect();
    // The board before the fourth play was edited, and the cube given to the first player.
    for at in &plays[3..5] {
        let mut bytes = plain.clone();
        let place = at * 2560;
        bytes[place + 2528] = 1;
        bytes[place + 108..place + 112].copy_from_slice(&1i32.to_le_bytes());
        bytes.copy_within(plays[0] * 2560 + 9..plays[0] * 2560 + 35, place + 9);
        let read = read_record(&file(&bytes)[..], "f").expect("usable").games;
        let start = read.last().expect("a game").start();
        assert_eq!((start.cube, start.cube_owner), (2, Some(Seat::X)), "{start:?}");
    }
}

#[test]
fn other_variants_and_files_without_games_are_named() {
    let mut bytes = records(&of_the_fixture());
    bytes[96] = 2;
    let error = |bytes: &[u8]| read_record(bytes, "f").expect_err("refused").to_string();
    let variant =
        "f:game 1: unsupported game 'Hypergammon': expected backgammon from the starting position";
    assert_eq!(error(&file(&bytes)), variant);
    let position = file(&[&bytes[..2560], &bytes[bytes.len() - 2560..]].concat());
    assert_eq!(error(&position), "f:1: damaged record: no game of eXtreme Gammon in it");
    assert_eq!(error(b"RGMH"), "f:1: unexpected end of the record: the game is incomplete");
    let header = &file(&bytes)[..8300];
    assert!(error(header).starts_with("f:1: "), "{}", error(header));
}

#[test]
fn a_file_that_is_cut_off_gives_the_games_before_that_place() {
    let games = session(9, 25, false);
    let whole = file(&records(&games));
    let mut most = 0;
    for end in (8232..whole.len()).step_by(397) {
        let Ok(read) = read_record(&whole[..end], "f") else { continue };
        let same = read
            .games
            .iter()
            .zip(&games)
            .take_while(|(read, game)| read.events() == game.events())
            .count();
        assert!(same + 1 >= read.games.len() && same >= most, "{end}");
        most = same;
    }
    assert_eq!(most, games.len());
}

#[test]
fn damaged_bytes_cause_no_panic_and_no_illegal_game() {
    let games = session(3, 0, true);
    let (plain, mut rng) = (records(&games), Pcg64::seed_from_u64(1));
    for round in 0..200 {
        let mut bytes = if round % 2 == 0 { plain.clone() } else { file(&plain) };
        for _ in 0..rng.random_range(1..20) {
            let at = rng.random_range(0..bytes.len());
            // The first bytes of a record say most.
            let at = if rng.random() { at } else { at / 2560 * 2560 + rng.random_range(0..128) };
            if let Some(byte) = bytes.get_mut(at) {
                *byte = rng.random();
            }
        }
        bytes.truncate(bytes.len() - rng.random_range(0..bytes.len() / 8));
        let bytes = if round % 2 == 0 { file(&bytes[..bytes.len().max(2560)]) } else { bytes };
        if let Ok(read) = read_record(&bytes[..], "f") {
            assert!(read.games.iter().all(is_legal), "round {round}");
        }
    }
}

#[test]
fn a_file_that_inflates_without_end_is_bounded() {
    let bytes = file(&vec![0; 1 << 27]);
    assert!(bytes.len() < 1 << 20);
    assert!(read_record(&bytes[..], "f").is_err());
}

#[test]
fn a_beaver_may_be_dropped_and_a_raccoon_taken() {
    let beavered = |event: &RecordEvent| matches!(event, RecordEvent::Beaver { .. });
    let games: Vec<RecordedGame> = (0..40).flat_map(|seed| session(4 * seed, 0, true)).collect();
    let raccoons =
        games.iter().filter(|game| game.events().windows(2).any(|pair| pair.iter().all(beavered)));
    assert!(raccoons.count() > 3, "the games above hold some");
}
