//! Matches recorded by another program: every move is replayed, and both of its formats give the
//! same games.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;

use nonet::backgammon::record::{
    CompactWriter, Format, MatWriter, RecordCounts, RecordEnd, RecordEvent, RecordedGame, Records,
};
use nonet::backgammon::{Position, Results, Scoring, Seat, Stake};

fn bytes(file: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records");
    fs::read(folder.join(file)).expect(file)
}

fn games(bytes: &[u8], format: Format) -> Vec<RecordedGame> {
    let mut records = Records::new(bytes, "test").expect("a record");
    assert_eq!(records.format(), format);
    let games = records.by_ref().map(|game| game.expect("usable")).collect::<Vec<_>>();
    assert_eq!(
        records.tally(),
        RecordCounts { games: games.len() as u64, skipped: 0, warnings: 0 }
    );
    games
}

/// Winner and points of each game, and the score before it.
fn results(games: &[RecordedGame]) -> Vec<(Seat, u32, (u16, u16), bool)> {
    let score = |game: &RecordedGame| match game.header().scoring {
        Scoring::Match(score) => ((score.own(), score.opponent()), score.is_crawford()),
        Scoring::Money { .. } => ((0, 0), false),
    };
    let result = |game: &RecordedGame| {
        let (player, points) = game.won().expect("finished");
        let (score, crawford) = score(game);
        (player, points, score, crawford)
    };
    games.iter().map(result).collect()
}

fn every_turn_is_legal(game: &RecordedGame) {
    let mut results = Results::default();
    let mut position = Position::START;
    for turn in game.turns() {
        assert_eq!(turn.before, position);
        assert!(results.of(&turn.before, turn.dice).contains(&turn.after));
        let play = turn.play().to_string();
        let read = turn.before.read_play(&play, turn.dice).expect("its own words");
        assert_eq!(read.after, turn.after, "{play}");
        position = turn.after;
    }
}

#[test]
fn a_match_of_five_points_replays() {
    let games = games(&bytes("five-points.mat"), Format::Mat);
    let expected = [
        (Seat::O, 1, (0, 0), false),
        (Seat::O, 2, (0, 1), false),
        (Seat::X, 2, (0, 3), false),
        (Seat::X, 1, (2, 3), false),
        (Seat::O, 2, (3, 3), false),
    ];
    assert_eq!(results(&games), expected);
    games.iter().for_each(every_turn_is_legal);
    assert_eq!(games[0].end(), RecordEnd::Dropped { winner: Seat::O });
    assert_eq!(games[1].end(), RecordEnd::Resigned { winner: Seat::O, stake: Stake::Single });
    assert_eq!(games[1].cube(), 2);
    assert_eq!(games[0].header().names, ["gnubg", "root"]);
    assert_eq!(games[2].first(), Some(Seat::X));
    assert!(games[2].events().contains(&RecordEvent::Double { player: Seat::X, value: 2 }));
}

#[test]
fn the_crawford_game_is_known_from_the_score() {
    let games = games(&bytes("crawford.mat"), Format::Mat);
    let crawford: Vec<bool> = results(&games).iter().map(|result| result.3).collect();
    assert_eq!(crawford, [false, false, true, false]);
    games.iter().for_each(every_turn_is_legal);
}

#[test]
fn both_formats_give_the_same_games() {
    for name in ["five-points", "crawford"] {
        let mat = games(&bytes(&format!("{name}.mat")), Format::Mat);
        let sgf = games(&bytes(&format!("{name}.sgf")), Format::Sgf);
        assert_eq!(mat, sgf, "{name}");
    }
}

#[test]
fn written_games_read_back_and_are_small() {
    for name in ["five-points", "crawford"] {
        let games_read = games(&bytes(&format!("{name}.mat")), Format::Mat);
        let mut mat = MatWriter::new(Vec::new());
        let mut compact = CompactWriter::new(Vec::new()).expect("memory");
        for game in &games_read {
            mat.write(game).expect("memory");
            compact.write(game).expect("memory");
        }
        assert_eq!(games(&mat.into_inner(), Format::Mat), games_read);
        let compact = compact.into_inner();
        assert!(compact.len() < 80 * games_read.len(), "{} bytes", compact.len());
        assert_eq!(games(&compact, Format::Compact), games_read);
    }
}

#[test]
fn positions_are_seen_by_the_player_on_roll() {
    for game in games(&bytes("five-points.mat"), Format::Mat) {
        let (end, won, turns) = (game.end(), game.won(), game.turns().count());
        let learned = nonet::game::Game::from_record(&game);
        assert_eq!(learned.is_none(), matches!(end, RecordEnd::Dropped { .. }));
        let Some(learned) = learned else { continue };
        assert_eq!(learned.positions.len(), turns);
        let (winner, _) = won.expect("finished");
        assert_eq!(learned.points() > 0, winner == Seat::X);
    }
}

#[test]
fn nackgammon_is_an_error_at_the_line_of_its_tag() {
    let text = bytes("nackgammon.mat");
    let mut records = Records::new(&text[..], "n.mat").expect("a record");
    let error = records.next().expect("one game").expect_err("refused").to_string();
    assert_eq!(
        error,
        "n.mat:2: unsupported game 'NackGammon': expected backgammon from the starting position"
    );
    assert!(records.next().is_none());
    assert_eq!(records.tally(), RecordCounts { games: 0, skipped: 1, warnings: 0 });
}
