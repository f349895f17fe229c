//! Written games read back as the same games, and random bytes cause no panic.

use proptest::prelude::*;
use rand::{Rng, RngCore, SeedableRng};
use rand_pcg::Pcg64;

use super::{only, read, reported};
use crate::ActionError;
use crate::record::{
    CompactWriter, GameHeader, GameStart, MatWriter, RecordEnd, RecordErrorKind, RecordEvent,
    RecordedGame, Recorder, Records, SgfNote, SgfWriter,
};
use crate::{Dice, Outcome, Position, Results, Scoring, Seat, Stake};

fn roll(rng: &mut Pcg64) -> Dice {
    Dice::new(rng.random_range(1..=6), rng.random_range(1..=6)).expect("two dice")
}

fn header(scoring: Scoring) -> GameHeader {
    GameHeader { names: ["J\u{f8}rgen B".to_owned(), "x-1".to_owned()], scoring }
}

/// A game of random plays, cube and end.
pub(in crate::record) fn random_game(seed: u64, scoring: Scoring) -> RecordedGame {
    random_game_from(seed, scoring, GameStart::USUAL)
}

/// The same from any start.
fn random_game_from(seed: u64, scoring: Scoring, start: GameStart) -> RecordedGame {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut results = Results::default();
    let mut game = Recorder::from_start(header(scoring), start);
    let first = Seat::BOTH[rng.random_range(0..2)];
    let mut player = start.on_roll.unwrap_or(first);
    let opens = start.on_roll.is_none() && start.position == Position::START;
    let stop = rng.random_range(0..400);
    for turn in 0.. {
        let opening = opens && turn == 0;
        if !opening && rng.random_range(0..12) == 0 && game.double(player).is_ok() {
            if rng.random_range(0..3) == 0 && game.beaver(player.other()).is_ok() {
                if rng.random_range(0..3) == 0 {
                    game.drop(player).expect("asked");
                } else if rng.random() {
                    game.take(player).expect("asked");
                }
            } else if rng.random_range(0..5) == 0 {
                game.drop(player.other()).expect("asked");
            } else {
                game.take(player.other()).expect("asked");
            }
        }
        let mut dice = roll(&mut rng);
        while opening && dice.is_double() {
            dice = roll(&mut rng);
        }
        if game.is_over() {
            break;
        }
        if turn == stop {
            let stake = [Stake::Single, Stake::Gammon, Stake::Backgammon][turn % 3];
            if rng.random() && game.resign(Seat::BOTH[turn % 2], stake).is_err() {
                continue;
            }
            break;
        }
        let before = game.state().begun_by(player).position;
        let found = results.of(&before, dice);
        let after = found[rng.next_u32() as usize % found.len()];
        game.turn(player, dice, &after).expect("legal");
        player = player.other();
    }
    game.finish()
}

/// The first game of a fixed row of random ones that ends like this with an untouched cube.
pub(super) fn finished(expected: Outcome) -> RecordedGame {
    let scoring = Scoring::Money { jacoby: false, beavers: false };
    let fits = |game: &RecordedGame| {
        matches!(game.end(), RecordEnd::Natural { outcome, .. } if outcome == expected)
            && game.events().len() == game.turns().count()
    };
    (0..5000).map(|seed| random_game(seed, scoring)).find(fits).expect("one of many")
}

fn sessions() -> impl Strategy<Value = Scoring> {
    let money = (any::<bool>(), any::<bool>())
        .prop_map(|(jacoby, beavers)| Scoring::Money { jacoby, beavers });
    let of_match = (2u16..30, 0u16..30, 0u16..30, any::<bool>()).prop_map(|(length, a, b, c)| {
        let (a, b) = (a % length, b % length);
        Scoring::of_match(length, a, b, c && (a == length - 1) != (b == length - 1))
            .expect("a score")
    });
    prop_oneof![money, of_match]
}

/// The usual start, or any cube and player on roll in the same or another position.
fn starts() -> impl Strategy<Value = GameStart> {
    let seat = || prop_oneof![Just(None::<Seat>), Just(Some(Seat::X)), Just(Some(Seat::O))];
    let other = (any::<bool>(), seat(), 0u32..16, seat()).prop_map(
        |(usual, on_roll, power, cube_owner)| {
            let position = if usual { Position::START } else { middle_game() };
            GameStart { position, on_roll, cube: 1 << power, cube_owner }
        },
    );
    prop_oneof![Just(GameStart::USUAL), other]
}

/// A position that each player sees in another way.
fn middle_game() -> Position {
    let own = [(5, 2), (6, 4), (8, 4), (10, 2), (13, 1), (16, 1), (24, 1)];
    let opponent = [(5, 3), (6, 4), (7, 3), (8, 2), (21, 3)];
    Position::from_sides(&own, &opponent).expect("a position")
}

/// A game as `.mat` tells it: in a position that was set up, the first event shows who is on roll.
fn as_mat_tells(mut game: RecordedGame) -> RecordedGame {
    let followed = !game.events.is_empty();
    let start = &mut game.start;
    if followed && start.position != Position::START {
        if start.on_roll == Some(Seat::O) {
            start.position = start.position.flipped();
        }
        start.on_roll = None;
    }
    game
}

/// A game as `.sgf` tells it: money games may have beavers.
fn as_sgf_tells(mut game: RecordedGame) -> RecordedGame {
    if let Scoring::Money { beavers, .. } = &mut game.header.scoring {
        *beavers = true;
    }
    game
}

fn mat(games: &[RecordedGame]) -> Vec<u8> {
    let mut writer = MatWriter::new(Vec::new());
    games.iter().for_each(|game| writer.write(game).expect("memory"));
    writer.into_inner()
}

fn compact(games: &[RecordedGame]) -> Vec<u8> {
    let mut writer = CompactWriter::new(Vec::new()).expect("memory");
    games.iter().for_each(|game| writer.write(game).expect("memory"));
    writer.into_inner()
}

fn sgf(games: &[RecordedGame]) -> Vec<u8> {
    let mut writer = SgfWriter::new(Vec::new());
    games.iter().for_each(|game| writer.write(game, &[]).expect("memory"));
    writer.into_inner()
}

fn all(bytes: &[u8]) -> Vec<RecordedGame> {
    read(bytes).into_iter().map(|game| game.expect("usable")).collect()
}

proptest! {
    #[test]
    fn games_read_back(
        seeds in proptest::collection::vec((any::<u64>(), sessions(), starts()), 1..6),
    ) {
        let game = |&(seed, scoring, start): &_| random_game_from(seed, scoring, start);
        let games: Vec<_> = seeds.iter().map(game).collect();
        prop_assert_eq!(&all(&compact(&games)), &games);
        let text = mat(&games);
        let lines = String::from_utf8_lossy(&text);
        prop_assert!(lines.lines().all(|line| !line.ends_with(' ')));
        let told: Vec<_> = games.iter().cloned().map(as_mat_tells).collect();
        prop_assert_eq!(&all(&text), &told, "{}", lines);
        let told: Vec<_> = games.iter().cloned().map(as_sgf_tells).collect();
        prop_assert_eq!(&all(&sgf(&games)), &told);
    }

    #[test]
    fn random_bytes_cause_no_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        head in 0usize..6,
    ) {
        let heads: [&[u8]; 6] = [
            b"", b" 3 point match\n Game 1\n a : 0   b : 0\n  1) ", b"(;GM[6];W[", b"NOREC\r\n\x1a\x01\0\0\0",
            b"Score is 0-0 in a 3 point match.\na is X - b is O\nX: ", b"; [",
        ];
        read([heads[head], &bytes].concat());
    }

    #[test]
    fn words_of_a_record_in_any_order_cause_no_panic(
        words in proptest::collection::vec(0usize..28, 0..60), head in 0usize..3,
    ) {
        let vocabulary = [
            "31:", " 62: 24/18 13/11", "\n", "  1) ", " Doubles => 2", " Takes", " Drops", "Wins 1 point",
            " Game 2\n", "a : 0   b : 0\n", " 5 point match\n", "8/5 6/5", "????", "\t", "; [Variation \"x\"]",
            "X: ", "O: ", "(3 1)", "doubles", "accepts", "wins 2 points", ";W[31hefe]", ";B[62agln]", "(;GM[6]",
            ")", "RE[W+1]", "PL[W]DI[44]", "\u{e9}",
        ];
        let heads = [" 0 point match\n Game 1\n a : 0   b : 0\n", "(;GM[6]\n", "Score is 0-0 in a 3 point match.\n"];
        let text: String = words.iter().map(|&i| vocabulary[i]).collect();
        read(format!("{}{text}", heads[head]));
    }

    #[test]
    fn a_damaged_byte_is_an_error_and_changes_no_game(at in 0.0..1.0f64, change in 1u8..) {
        let scoring = Scoring::Money { jacoby: false, beavers: false };
        let games: Vec<_> = (0..5).map(|seed| random_game(seed, scoring)).collect();
        let mut bytes = compact(&games);
        let at = (at * bytes.len() as f64) as usize;
        bytes[at] ^= change;
        let read = read(&bytes);
        prop_assert!(read.iter().any(Result::is_err));
        for game in read.into_iter().flatten() {
            prop_assert!(games.contains(&game));
        }
    }
}

#[test]
fn the_whole_games_of_a_cut_compact_record_are_read() {
    let scoring = Scoring::Money { jacoby: false, beavers: false };
    let games: Vec<_> = (0..3).map(|seed| random_game(seed, scoring)).collect();
    let bytes = compact(&games);
    let cut = read(&bytes[..bytes.len() - 1]);
    let expected = [
        Ok(games[0].clone()),
        Ok(games[1].clone()),
        Err("f:game 3: unexpected end of the record: the game is incomplete".to_owned()),
    ];
    assert_eq!(cut, expected);
    let mut other = bytes.clone();
    other[8] = 9;
    let error = Records::new(&other[..], "f").err().expect("refused").to_string();
    assert_eq!(error, "f:1: unsupported compact format version 9: expected version 1");
}

#[test]
fn names_are_repeated_and_games_are_small() {
    let scoring = Scoring::Money { jacoby: false, beavers: false };
    let game = random_game(3, scoring);
    let (games, turns) = (vec![game.clone(); 1000], game.turns().count());
    let bytes = compact(&games);
    assert_eq!(bytes.windows(3).filter(|w| w == b"x-1").count(), 4, "every 256 games");
    // Five bits for a roll, and about six for the number of the result.
    assert!(bytes.len() / 1000 < 8 + turns * 12 / 8, "{} for {turns} turns", bytes.len() / 1000);
    assert_eq!(all(&bytes), games);
}

#[test]
fn a_recorder_refuses_illegal_actions() {
    let mut game = Recorder::new(header(Scoring::of_match(3, 2, 0, true).expect("a score")));
    let dice = "31".parse().expect("a roll");
    let start = *game.position();
    assert!(matches!(
        game.turn(Seat::X, dice, &start),
        Err(RecordErrorKind::Action(ActionError::NoSuchBoard(_)))
    ));
    let after = start.read_play("8/5 6/5", dice).expect("legal").after;
    assert!(game.turn(Seat::X, dice, &after).is_ok());
    assert!(matches!(game.turn(Seat::X, dice, &after), Err(RecordErrorKind::OutOfTurn(_))));
    assert!(matches!(game.double(Seat::O), Err(RecordErrorKind::Action(_))), "the Crawford game");
    assert!(matches!(game.take(Seat::O), Err(RecordErrorKind::Action(_))));
    assert!(game.resign(Seat::O, Stake::Gammon).is_ok());
    assert!(matches!(
        game.resign(Seat::O, Stake::Gammon),
        Err(RecordErrorKind::Action(ActionError::Over))
    ));
    assert_eq!(game.finish().won(), Some((Seat::X, 2)));
}

#[test]
fn names_that_do_not_fit_into_columns_are_changed() {
    let scoring = Scoring::Money { jacoby: false, beavers: false };
    let names = ["a:\n b".to_owned(), " ".to_owned()];
    let mut game = Recorder::new(GameHeader { names, scoring });
    let dice = "31".parse().expect("a roll");
    let after = game.position().read_play("8/5 6/5", dice).expect("legal").after;
    game.turn(Seat::O, dice, &after).expect("legal");
    assert_eq!(only(mat(&[game.finish()])).header().names, ["a b", "player 2"]);
}

#[test]
fn games_from_a_position_that_was_set_up_read_back() {
    let text = " 0 point match\n\n Game 1\n a : 0    b : 0\n\
        ; Set Pos=----cBD-D-B--A--Abcdc---A-/-1\n  1)                              11: 8/7(2) 6/5(2)\n\
          2)  Doubles => 4                Drops\n      Wins 2 points\n";
    let game = only(text);
    assert_eq!((game.first(), game.cube(), game.won()), (Some(Seat::O), 2, Some((Seat::X, 2))));
    assert_eq!(game.start().cube_owner, Some(Seat::X));
    let games = [game];
    assert_eq!(all(&compact(&games)), games);
    assert_eq!(all(&mat(&games)), games);
}

#[test]
fn automatic_doubles_read_back_from_a_mat() {
    let text = " 0 point match\n\n Game 1\n a : 0    b : 0\n\
        \u{20} 1) 31: 8/5 6/5                    62: 24/18 13/11\n\
        \u{20} 2)  Doubles => 4                  Takes\n  3) 44: 24/20(2) 13/9(2)\n";
    let games = [only(text)];
    assert_eq!((games[0].start().cube, games[0].start().cube_owner), (2, None));
    let written = mat(&games);
    let lines = String::from_utf8_lossy(&written);
    assert!(lines.contains("; Set Pos=-b----E-C---eE---c-e----B-/1c\n"), "{lines}");
    assert_eq!(all(&written), games, "{lines}");
    assert_eq!(reported(&written), [""; 0]);
}

#[test]
fn a_first_roll_in_the_starting_position_need_not_be_an_opening_roll() {
    let scoring = Scoring::Money { jacoby: false, beavers: true };
    for player in Seat::BOTH {
        let start = GameStart { on_roll: Some(player), ..GameStart::USUAL };
        let mut game = Recorder::from_start(header(scoring), start);
        let dice = "44".parse().expect("a roll");
        let after = Position::START.read_play("24/20(2) 13/9(2)", dice).expect("legal").after;
        game.turn(player, dice, &after).expect("legal");
        game.double(player.other()).expect("asked");
        let games = [game.finish()];
        for bytes in [mat(&games), sgf(&games), compact(&games)] {
            assert_eq!(all(&bytes), games, "{}", String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn a_game_of_one_double_by_the_second_player_reads_back() {
    let text = " 0 point match\n\n Game 1\n a : 0    b : 0\n\
        ; Set Pos=----cBD-D-B--A--Abcdc---A-/0\n  1)                                 Doubles => 2\n\
        \u{20} 2)  Drops                         Wins 1 point\n";
    let games = [only(text)];
    assert_eq!(games[0].events()[0], RecordEvent::Double { player: Seat::O, value: 2 });
    assert_eq!(games[0].won(), Some((Seat::O, 1)));
    assert_eq!(all(&compact(&games)), games);
    assert_eq!(all(&mat(&games)), games);
}

#[test]
fn a_double_after_a_lost_turn_reads_back() {
    let of_x = "  1) 31: 8/5 6/5                   42: 8/4 6/5\n\
        \u{20} 2)  Doubles => 2                  Takes\n\
        \u{20} 3) 43: 13/9 13/10                65: 24/18 18/13\n";
    let of_o = "  1) 31: 8/5 6/5                   42: 8/4 6/4\n\
        \u{20} 2) 43: 13/9 13/11                Doubles => 2\n\
        \u{20} 3)  Takes                        65: 24/18 18/13\n";
    for (player, event, rows) in [(Seat::X, 1, of_x), (Seat::O, 2, of_o)] {
        let text = format!(" 0 point match\n\n Game 1\n a : 0    b : 0\n{rows}");
        let games = [only(text)];
        assert_eq!(games[0].gaps()[0].event, event);
        assert_eq!(games[0].events()[event], RecordEvent::Double { player, value: 2 });
        assert_eq!(all(&compact(&games)), games);
        let written = mat(&games);
        assert_eq!(all(&written), games, "{}", String::from_utf8_lossy(&written));
    }
}

/// What happens to a line of a record on its way.
fn disturbed(line: &str, rng: &mut Pcg64) -> String {
    let result = line.trim_start();
    match rng.random_range(0..6) {
        0 if result.starts_with("Wins") => line.replace("Wins", "Wins 1"),
        1 if result.starts_with("Wins") => "  99)  Losses 1 point          Wins 1 point".to_owned(),
        2 if result.starts_with("Wins") => line.replace("Wins", "Resigned Match"),
        3 => line.replace("     ", "        "),
        4 => format!("{line}\r"),
        _ => line.to_owned(),
    }
}

proptest! {
    #[test]
    fn a_disturbed_result_or_column_loses_no_game(seeds in proptest::collection::vec(any::<u64>(), 1..6), by in any::<u64>()) {
        let scoring = Scoring::Money { jacoby: false, beavers: false };
        let mut games: Vec<_> = seeds.iter().map(|&seed| random_game(seed, scoring)).collect();
        games.retain(|game| game.turns().count() > 0);
        prop_assume!(!games.is_empty());
        let text = String::from_utf8(mat(&games)).expect("text");
        let mut rng = Pcg64::seed_from_u64(by);
        let text: String = text.lines().map(|line| disturbed(line, &mut rng) + "\n").collect();
        let found = read(&text);
        prop_assert_eq!(found.len(), games.len(), "{}", text);
        for (found, game) in found.iter().zip(&games) {
            let found = found.as_ref().expect("usable");
            prop_assert_eq!(found.events(), game.events(), "{}", text);
        }
    }

    #[test]
    fn a_game_with_a_missing_line_costs_no_other_game(
        seeds in proptest::collection::vec(any::<u64>(), 2..6), which in any::<u64>(), latin in any::<bool>(),
    ) {
        let scoring = Scoring::Money { jacoby: false, beavers: false };
        let mut games: Vec<_> = seeds.iter().map(|&seed| random_game(seed, scoring)).collect();
        games.retain(|game| game.turns().count() > 4);
        prop_assume!(!games.is_empty());
        let text = String::from_utf8(mat(&games)).expect("text");
        let rows: Vec<usize> = (0..).zip(text.lines()).filter(|(_, line)| line.contains(": ") && line.contains(')')).map(|(at, _)| at).collect();
        let missing = rows[which as usize % rows.len()];
        let damaged = text.lines().take(missing).filter(|line| line.starts_with(" Game ")).count() - 1;
        let kept: Vec<&str> = (0..).zip(text.lines()).filter(|(at, _)| *at != missing).map(|(_, line)| line).collect();
        let mut bytes = kept.join("\n").into_bytes();
        if latin {
            bytes.extend_from_slice(b"\n; J\xf8rgen\n");
        }
        let found: Vec<_> = read(&bytes).into_iter().collect();
        // The damaged game may be read in two parts.
        prop_assert!(found.len() >= games.len());
        for (found, game) in found.iter().zip(&games[..damaged]) {
            prop_assert_eq!(found.as_ref().ok(), Some(game));
        }
        for (found, game) in found.iter().rev().zip(games[damaged + 1..].iter().rev()) {
            prop_assert_eq!(found.as_ref().ok(), Some(game));
        }
    }
}

#[test]
fn an_sgf_with_notes_reads_back_as_the_same_game() {
    let note =
        SgfNote { luck: Some(-0.7), comment: "a ] and a \\".to_owned(), ..SgfNote::default() };
    for seed in 0..60 {
        let scoring = match seed % 3 {
            0 => Scoring::Money { jacoby: false, beavers: true },
            1 => Scoring::Money { jacoby: true, beavers: true },
            _ => Scoring::of_match(7, 2, 6, seed % 2 == 0).expect("a score"),
        };
        let game = random_game(seed, scoring);
        if game.turns().count() == 0 {
            continue;
        }
        let mut writer = SgfWriter::new(Vec::new());
        writer.write(&game, &vec![note.clone(); game.events().len()]).expect("memory");
        let bytes = writer.into_inner();
        let text = String::from_utf8(bytes).expect("UTF-8");
        let read: Vec<RecordedGame> = Records::new(text.as_bytes(), "game.sgf")
            .expect("a record")
            .map(|game| game.expect("usable"))
            .collect();
        assert_eq!(read.len(), 1, "{text}");
        assert_eq!(read[0].events(), game.events(), "{text}");
        assert_eq!((read[0].won(), read[0].header()), (game.won(), game.header()), "{text}");
    }
}

#[test]
fn games_without_a_cube_read_back_and_a_double_shows_that_there_is_one() {
    let scorings = [
        Scoring::Money { jacoby: false, beavers: true },
        Scoring::Money { jacoby: true, beavers: true },
        Scoring::of_match(5, 1, 2, false).expect("a score"),
        Scoring::of_match(5, 4, 2, true).expect("a score"),
    ];
    for scoring in scorings {
        let dice = "31".parse().expect("a roll");
        let after = Position::START.read_play("8/5 6/5", dice).expect("legal").after;
        let game = |recorder: Recorder| {
            let mut recorder = recorder;
            recorder.turn(Seat::X, dice, &after).expect("legal");
            recorder.finish()
        };
        let games = [
            game(Recorder::new(header(scoring)).without_cube()),
            game(Recorder::new(header(scoring))),
        ];
        assert_eq!(games.each_ref().map(RecordedGame::is_cubeless), [true, false]);
        let mut sgf = SgfWriter::new(Vec::new());
        games.iter().for_each(|game| sgf.write(game, &[]).expect("memory"));
        for bytes in [mat(&games), compact(&games), sgf.into_inner()] {
            let read: Vec<bool> = all(&bytes).iter().map(RecordedGame::is_cubeless).collect();
            assert_eq!(read, [true, false], "{}", String::from_utf8_lossy(&bytes));
        }
    }
    let text = |limit: u32, row: &str| {
        format!("; [CubeLimit \"{limit}\"]\n 0 point match\n\n Game 1\n a : 0   b : 0\n{row}")
    };
    let cubeless = |limit, row| all(text(limit, row).as_bytes())[0].is_cubeless();
    assert!(cubeless(1, "  1) 31: 8/5 6/5\n"));
    assert!(!cubeless(1024, "  1) 31: 8/5 6/5\n"));
    assert!(!cubeless(1, "  1) 31: 8/5 6/5     Doubles => 2\n  2)  Takes\n"));
}
