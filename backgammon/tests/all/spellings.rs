//! Records in the spelling of other programs: see `records/README.md`.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::path::Path;

use backgammon::record::{MatWriter, RecordEnd, RecordEvent, RecordedGame, read_record};
use backgammon::{Outcome, Scoring, Seat, Stake};

fn bytes(file: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records");
    std::fs::read(folder.join(file)).expect(file)
}

/// Games and warnings of a file.
fn read(bytes: &[u8]) -> (Vec<RecordedGame>, Vec<String>) {
    let read = read_record(bytes, "f").expect("usable");
    (read.games, read.warnings.iter().map(ToString::to_string).collect())
}

/// The games of a file without warnings.
fn games(file: &str) -> Vec<RecordedGame> {
    let (games, warnings) = read(&bytes(file));
    assert_eq!(warnings, [""; 0], "{file}");
    games
}

fn turns(game: &RecordedGame) -> Vec<String> {
    game.turns().map(|turn| format!("{}: {}", turn.dice, turn.play())).collect()
}

fn won(games: &[RecordedGame]) -> Vec<Option<(Seat, u32)>> {
    games.iter().map(RecordedGame::won).collect()
}

const X: Seat = Seat::X;
const O: Seat = Seat::O;

#[test]
fn galaxy_the_player_of_losses_has_resigned() {
    let games = games("galaxy-losses.txt");
    assert_eq!(won(&games), [Some((X, 2)), Some((X, 1)), Some((O, 3)), Some((O, 1))]);
    assert_eq!(games[0].end(), RecordEnd::Resigned { winner: X, stake: Stake::Gammon });
    assert_eq!(games.iter().map(|game| game.turns().count()).collect::<Vec<_>>(), [3, 0, 2, 0]);
}

#[test]
fn galaxy_a_result_may_be_capped_at_the_match_length() {
    let games = games("galaxy-capped.txt");
    assert_eq!(games[0].end(), RecordEnd::Resigned { winner: X, stake: Stake::Single });
    assert_eq!((games[0].cube(), turns(&games[0]).len()), (4, 2));
}

#[test]
fn opengammon_resigned_stands_in_any_column_and_a_forfeit_needs_no_roll() {
    let (games, warnings) = read(&bytes("opengammon.mat"));
    assert_eq!(won(&games), [Some((X, 3)), Some((X, 3))]);
    assert_eq!(turns(&games[0]), ["31: 8/5 6/5", "62: 24/18 13/11"]);
    assert_eq!(games[1].events().len(), 0);
    assert_eq!(
        warnings,
        ["f:18: invalid result '5 points for anne': expected at most 3 times the cube value 1"]
    );
}

#[test]
fn hedgehog_a_play_backwards_costs_its_turn_alone() {
    let (games, warnings) = read(&bytes("hedgehog.mat"));
    assert_eq!(won(&games), [Some((X, 2)), Some((X, 2)), Some((O, 1))]);
    assert_eq!(turns(&games[1]), ["31: 8/5 6/5", "62: 24/18 13/11"]);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("f:13: invalid checker move '6/8'"), "{warnings:?}");
}

#[test]
fn gammonview_results_are_rows_and_the_length_is_written_in_words() {
    let games = games("gammonview.mat");
    assert_eq!(won(&games), [Some((O, 1)), Some((O, 1)), Some((X, 2))]);
    assert_eq!(games[1].end(), RecordEnd::Dropped { winner: O });
    assert_eq!(games[0].header().names, ["Anne A", "Bert"]);
    assert!(matches!(games[0].header().scoring, Scoring::Match(score) if score.length() == 3));
}

#[test]
fn studio_hidden_rolls_and_impossible_points_mean_that_a_player_left() {
    let (games, warnings) = read(&bytes("studio.txt"));
    assert_eq!(won(&games), [Some((X, 1)), Some((O, 3))]);
    assert_eq!(games[0].turns().count(), 3);
    assert_eq!(
        warnings,
        ["f:19: invalid result '4016 points for bert': expected at most 3 times the cube value 1"]
    );
}

#[test]
fn choue_the_arrow_of_a_double_is_longer() {
    let (games, warnings) = read(&bytes("choue.txt"));
    assert!(games[0].events().contains(&RecordEvent::Double { player: O, value: 2 }));
    assert_eq!((games[0].cube(), won(&games)), (2, vec![Some((O, 6))]), "capped at 5");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn archives_have_boxes_tabs_latin_1_and_a_last_roll_without_its_play() {
    let (games, warnings) = read(&bytes("archive.mat"));
    assert_eq!(games[0].header().names, ["J\u{f8}rgen A(DEN)", "Mochi_(JPN)"]);
    assert_eq!(won(&games), [Some((X, 1)), Some((X, 1))]);
    assert_eq!(games[0].end(), RecordEnd::Dropped { winner: X });
    assert_eq!(games[1].end(), RecordEnd::Natural { winner: X, outcome: Outcome::Win });
    assert_eq!(turns(&games[1]), ["61: 1/off"]);
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn xg_a_play_that_stops_half_way_is_a_resignation() {
    let games = games("xg.txt");
    assert_eq!(won(&games), [Some((O, 2)), Some((O, 1))]);
    assert_eq!(turns(&games[0]), ["31: 8/5 6/5", "62: 24/18 13/11"]);
    let cut = String::from_utf8(bytes("xg.txt")).expect("text").replace("64: 24/14", "64: 24/20");
    let (cut, warnings) = read(cut.as_bytes());
    assert_eq!((won(&cut), cut[1].turns().count()), (won(&games), 2));
    assert!(warnings[0].contains("illegal play '24/20'"), "{warnings:?}");
}

#[test]
fn xg_a_game_may_begin_in_a_position_that_was_set_up() {
    let games = games("xg-set-position.txt");
    let start = games[0].start();
    assert_eq!((start.position.own(16), start.position.own(13), start.cube), (1, 1, 1));
    assert_eq!(games[0].turns().count(), 4);
    assert_eq!(games[0].end(), RecordEnd::Dropped { winner: X });
}

#[test]
fn the_game_goes_on_from_the_position_after_an_illegal_play() {
    let (games, warnings) = read(&bytes("illegal-play.txt"));
    assert_eq!(won(&games), [Some((X, 2)), None], "{warnings:?}");
    assert_eq!(turns(&games[0])[turns(&games[0]).len() - 2..], ["61: 8/2 6/5", "52: 13/8 13/11"]);
    assert_eq!(games[0].gaps()[0].start.on_roll, Some(O));
    assert_eq!(turns(&games[1]).len(), 2, "the game after the one that has nothing usable");
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].starts_with("f:6: position set up by hand"), "{warnings:?}");
    assert!(warnings[1].starts_with("f:12: illegal play 'Illegal play'"), "{warnings:?}");
}

#[test]
fn snowie_ratings_belong_to_the_names_and_the_last_game_stands_alone() {
    let games = games("snowie.txt");
    assert_eq!(games[0].header().names, ["py199,1682", "nori,1728"]);
    assert!(
        matches!(games[0].header().scoring, Scoring::Match(score) if (score.own(), score.opponent()) == (6, 3))
    );
    assert_eq!((games[0].first(), won(&games)), (Some(O), vec![Some((X, 1))]));
}

#[test]
fn oldmoves_of_money_games_and_refused_resignations_are_read() {
    let (games, warnings) = read(&bytes("oldmoves-money.txt"));
    assert_eq!(won(&games), [Some((X, 2)), Some((X, 1)), None]);
    assert!(matches!(games[0].header().scoring, Scoring::Money { .. }));
    assert_eq!((games[0].turns().count(), games[1].turns().count()), (3, 1));
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn gamesgrid_the_match_is_that_of_the_text_beside_it() {
    assert_eq!(games("written.sgg"), games("written.mat"));
}

#[test]
fn gamesgrid_rows_may_be_doubled_and_a_beaver_needs_no_answer() {
    let games = games("gamesgrid-money.sgg");
    assert_eq!(won(&games), [Some((X, 8)), Some((O, 2)), Some((O, 1))]);
    assert_eq!(games[0].header().names, ["ann", "bob 2"]);
    assert_eq!(games[0].header().scoring, Scoring::Money { jacoby: true, beavers: true });
    assert_eq!(games[0].start().cube, 2, "an automatic double");
    let cube: Vec<RecordEvent> = games[0].events()[2..5].to_vec();
    let double = RecordEvent::Double { player: X, value: 4 };
    let beaver = RecordEvent::Beaver { player: O, value: 8 };
    assert_eq!(cube, [double, beaver, RecordEvent::Take { player: X }]);
    assert_eq!(games[0].end(), RecordEnd::Resigned { winner: X, stake: Stake::Single });
    let dances = ["61: ", "66: "];
    let of_bob: Vec<String> = turns(&games[1]).into_iter().filter(|turn| turn.len() == 4).collect();
    assert_eq!(of_bob, [dances[0], dances[1], dances[1]]);
    assert_eq!(games[2].turns().count(), 2, "the last roll was not played");
}

#[test]
fn gamesgrid_an_automatic_double_is_kept_in_a_mat() {
    let games = games("gamesgrid-money.sgg");
    let mut writer = MatWriter::new(Vec::new());
    games.iter().for_each(|game| writer.write(game).expect("memory"));
    let written = writer.into_inner();
    let (again, warnings) = read(&written);
    assert_eq!(again, games, "{}", String::from_utf8_lossy(&written));
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn gamesgrid_settings_and_the_crawford_star_are_kept() {
    let text = String::from_utf8(bytes("written.sgg")).expect("text");
    let crawford = |game: &RecordedGame| matches!(game.header().scoring, Scoring::Match(score) if score.is_crawford());
    let found = games("written.sgg");
    assert_eq!(found.iter().position(crawford), Some(4));
    let none = read(text.replace("*-", "-").replace("4*", "4").as_bytes()).0;
    assert!(!none.iter().any(crawford));
    let money = String::from_utf8(bytes("gamesgrid-money.sgg")).expect("text");
    let (cubeless, _) = read(money.replace("Cube: Yes", "Cube: No").as_bytes());
    assert_eq!(
        cubeless.iter().map(RecordedGame::is_cubeless).collect::<Vec<_>>(),
        [false, false, true],
        "games in which nobody doubles"
    );
    let variant = text.replace("Variant: Backgammon", "Variant: Nackgammon");
    let error = read_record(variant.as_bytes(), "f").expect_err("refused").to_string();
    assert_eq!(
        error,
        "f:13: unsupported game 'Nackgammon': expected backgammon from the starting position"
    );
    let nameless: String = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
    let (found, warnings) = read(nameless.as_bytes());
    assert_eq!(
        (found.len(), &*warnings[0]),
        (6, "f:12: missing line of names: taken as 'Player 1 vs. Player 2'")
    );
}

#[test]
fn gnubg_positions_edited_before_the_first_roll_are_read() {
    let games = games("gnubg-edited.sgf");
    assert_eq!((games[0].start().cube, games[0].start().cube_owner), (2, Some(X)));
    assert_eq!(turns(&games[0]), ["31: 8/5 6/5", "62: 24/18 13/11"]);
    assert_eq!(games[0].end(), RecordEnd::Resigned { winner: X, stake: Stake::Gammon });
}

#[test]
fn of_variations_the_first_is_read() {
    let games = games("variations.sgf");
    assert_eq!(turns(&games[0]), ["31: 8/5 6/5", "62: 24/18 13/11", "43: 24/20 13/10"]);
    assert_eq!(games[0].end(), RecordEnd::Resigned { winner: X, stake: Stake::Gammon });
}

#[test]
fn line_ends_byte_order_marks_and_encodings_do_not_matter() {
    let files = [
        "galaxy-losses.txt",
        "xg.txt",
        "hedgehog.mat",
        "oldmoves-money.txt",
        "gamesgrid-money.sgg",
    ];
    for file in files {
        let text = String::from_utf8(bytes(file)).expect("text");
        let plain = read(text.as_bytes()).0;
        let utf16: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        for changed in [
            text.replace('\n', "\r\n").into_bytes(),
            text.replace('\n', "\r").into_bytes(),
            format!("\u{feff}{text}").into_bytes(),
            text.trim_end().as_bytes().to_vec(),
            utf16,
        ] {
            assert_eq!(read(&changed).0, plain, "{file}");
        }
    }
}
