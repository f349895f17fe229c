//! Quirks of other writers, each in the smallest record that shows it.

use super::round_trips::finished;
use super::{only, read, reported, turns};
use crate::record::{MatWriter, RecordEnd, RecordEvent};
use crate::{Outcome, Scoring, Seat, Stake};

const MONEY: &str = " 0 point match\n\n Game 1\n a : 0                  b : 0\n";

fn mat(rows: &str) -> String {
    format!("{MONEY}{rows}")
}

const OPENING: &str = "  1) 31: 8/5 6/5                     62: 24/18 13/11\n";

#[test]
fn line_ends_byte_order_marks_tabs_and_blanks_do_not_matter() {
    let plain = mat(OPENING);
    let game = only(&plain);
    assert_eq!(turns(&game), ["31: 8/5 6/5", "62: 24/18 13/11"]);
    for text in [
        plain.replace('\n', "\r\n"),
        format!("\u{feff}{plain}"),
        plain.replace('\n', " \t \n"),
        mat("1)\t31: 8/5 6/5\t62: 24/18 13/11"),
        mat("  1) 31:8/5 6/5    62:24/18,13/11\n"),
        format!("Played at night by two friends\n\n{plain}"),
        mat("  1) 31: 8-5 6-5       62: 24-18 13-11\n"),
    ] {
        assert_eq!(only(&text), game, "{text}");
    }
}

#[test]
fn rows_may_be_numbered_with_full_stops_and_results_have_numbers() {
    let rows = "1. 31: 8/5 6/5                    62: 24/18 13/11\n\
        2. Losses 1 point                Wins 1 point\n";
    let game = only(mat(rows));
    assert_eq!(turns(&game), ["31: 8/5 6/5", "62: 24/18 13/11"]);
    assert_eq!(game.won(), Some((Seat::O, 1)));
}

#[test]
fn a_play_that_the_writer_doubts_is_checked_as_any_other() {
    let rows = "  1) 31: 8/5 6/5 ILLEGAL?             62: 24/18 13/11 ILLEGAL?\n";
    assert_eq!(only(mat(rows)), only(mat(OPENING)));
}

#[test]
fn the_left_column_is_blank_if_the_second_player_begins() {
    for row in ["  1)                             31: 8/5 6/5 \n", "  1)\t\t\t31: 8/5 6/5\n"] {
        assert_eq!(only(mat(row)).first(), Some(Seat::O), "{row}");
    }
}

#[test]
fn a_row_may_follow_a_dance_without_a_line_break() {
    let rows = "  1) 43: 13/9 24/21              52: 6/4* 13/8 \n  \
        2) 42: 25/21* 13/11            31: 25/22 24/23 \n  \
        3) 61: 11/5 6/5                51: 22/21 21/16* \n  \
        4) 32: 25/23 24/21             33: 13/10 13/10 8/5 8/5\n  \
        5) 66: 13/7 8/2* 8/2 7/1*      52:   6)  Doubles => 2                Takes\n  \
        7) 64: 13/7 13/9*              53: 25/22      Wins 4 points\n";
    let game = only(mat(rows));
    assert_eq!(turns(&game)[9..], ["52: ", "64: 13/7 13/9*", "53: bar/22"]);
    assert_eq!(game.end(), RecordEnd::Resigned { winner: Seat::X, stake: Stake::Gammon });
    let right = rows.replace("      Wins", "                              Wins");
    assert_eq!(only(mat(&right)).won(), Some((Seat::O, 4)));
}

#[test]
fn hits_counts_and_the_names_of_bar_and_off_may_be_written_in_several_ways() {
    let spelled = |play: &str| {
        let rows = format!("  1) 31: 24/20                       43: {play}\n");
        only(mat(&rows)).turns().last().expect("two turns").after
    };
    let after = spelled("13/9 8/5*");
    for play in ["13/9 8/5", "8/5* 13/9", "8/5 13/9*", "13/9, 8/5"] {
        assert_eq!(spelled(play), after, "{play}");
    }
    let answered = |play: &str| {
        let rows = format!("  1) 31: 24/20                       43: 13/9 8/5*\n  2) 44: {play}\n");
        only(mat(&rows)).turns().last().expect("three turns").after
    };
    let after = answered("bar/21 13/9(3)");
    for play in ["25/21 13/9 13/9 13/9", "Bar/21 13/9(2) 13/9", "13/9(3) 25/21"] {
        assert_eq!(answered(play), after, "{play}");
    }
}

#[test]
fn only_the_last_roll_may_lack_its_play() {
    for row in ["62: ????", "62:????", "62: "] {
        let game = only(mat(&format!("  1) 31: 8/5 6/5    {row}\n      Wins 2 points\n")));
        assert_eq!(turns(&game).len(), 1, "{row}");
        assert_eq!(game.end(), RecordEnd::Resigned { winner: Seat::X, stake: Stake::Gammon });
        let more = mat(&format!("  1) 31: 8/5 6/5    {row}\n\n  2) 31: 24/20\n"));
        assert_eq!(
            reported(more),
            ["f:5: missing play of 62: only the last roll of a game may lack its play"],
            "{row}"
        );
    }
    let dance = "  1) 31: 8/5 6/5   62: Cannot move\n  2) 11:\n";
    assert_eq!(
        reported(mat(dance)),
        ["f:5: missing play of 62: only the last roll of a game may lack its play"]
    );
}

#[test]
fn results_are_read_from_any_usual_place() {
    let double = "  2)  Doubles => 2                    Drops\n";
    for (rest, winner) in [
        ("      Wins 1 point\n", Seat::X),
        ("", Seat::X),
        // A shifted column does not change who dropped.
        ("                                  Wins 1 point\n", Seat::X),
    ] {
        let game = only(mat(&format!("{OPENING}{double}{rest}")));
        assert_eq!(game.end(), RecordEnd::Dropped { winner }, "{rest}");
        assert_eq!(game.won(), Some((winner, 1)));
    }
    let same_row =
        "  2) 11: 8/7(2) 6/5(2)                Doubles => 2\n  3)  Drops        Wins 1 point\n";
    assert_eq!(only(mat(&format!("{OPENING}{same_row}"))).won(), Some((Seat::O, 1)));
    let silent = "  2)  Doubles => 2\n      Wins 1 point and the match\n";
    assert_eq!(
        only(mat(&format!("{OPENING}{silent}"))).end(),
        RecordEnd::Dropped { winner: Seat::X }
    );
    assert_eq!(only(mat(OPENING)).end(), RecordEnd::Unfinished);
}

#[test]
fn a_beaver_needs_no_recorded_answer() {
    for answer in ["", "  3)  Takes\n"] {
        let rows = format!(
            "{OPENING}  2)  Doubles => 2                    Beavers => 4\n{answer}  4) 31: 24/20\n"
        );
        let game = only(mat(&rows));
        assert_eq!(game.cube(), 4);
        let cube: Vec<&RecordEvent> =
            game.events().iter().filter(|e| !matches!(e, RecordEvent::Turn(_))).collect();
        assert_eq!(
            cube,
            [
                &RecordEvent::Double { player: Seat::X, value: 2 },
                &RecordEvent::Beaver { player: Seat::O, value: 4 },
                &RecordEvent::Take { player: Seat::X }
            ]
        );
    }
}

#[test]
fn a_double_in_the_crawford_game_shows_that_the_rule_was_not_in_use() {
    let text = |tag: &str| format!("{tag} 3 point match\n\n Game 1\n a : 2       b : 1\n{OPENING}");
    let crawford = |text: &str| match only(text).header().scoring {
        Scoring::Match(score) => score.is_crawford(),
        Scoring::Money { .. } => panic!("a match"),
    };
    assert!(crawford(&text("")));
    assert!(!crawford(&text("; [Crawford \"Off\"]\n")));
    assert!(!crawford(&format!("{}  2)  Doubles => 2     Takes\n", text(""))));
}

#[test]
fn oldmoves_of_fibs_are_read() {
    let text = "Score is 0-0 in a 3 point match.\nann is X - bob is O\nX: (3 1) 8-5 6-5\n\
        O: (6 2) 24-18 13-11\nX: doubles\nO: accepts\nX: (5 5) 8-3 8-3 6-1 6-1\n\
        O: (6 6) can't move\nX: wins 4 points\n\
        Score is 4-0 in an unlimited match\nann is X - bob is O\nO: (2 1) 13-10.\n";
    let read = read(text);
    assert_eq!(read.len(), 2);
    let first = read[0].as_ref().expect("usable");
    assert_eq!(turns(first)[2..], ["55: 8/3(2) 6/1*(2)", "66: "]);
    assert_eq!(first.end(), RecordEnd::Resigned { winner: Seat::X, stake: Stake::Gammon });
    let second = read[1].as_ref().expect("usable");
    assert_eq!((second.first(), second.end()), (Some(Seat::O), RecordEnd::Unfinished));
    let unplayed = "O: (6 2)\nX: doubles\n";
    let unplayed = text.replace("O: (6 2) 24-18 13-11\nX: doubles\n", unplayed);
    let warning = "f:4: missing play of 62: only the last roll of a game may lack its play; the game goes on after it";
    assert_eq!(reported(unplayed), [warning]);
    let dropped = text.replace("accepts", "rejects");
    let dropped = dropped.split_inclusive('\n').take(6).collect::<String>() + "X: wins 1 point\n";
    assert_eq!(only(dropped).won(), Some((Seat::X, 1)));
}

#[test]
fn analyses_in_sgf_of_gnubg_are_ignored() {
    let text = "(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:0][game:0][ws:0][bs:4]PW[a\\]a]PB[b]\
        RU[Jacoby]RE[W+2]C[1) not a bracket: \\] (;]\n;W[31hefe]A[0][hefe E ver 3 0.5]\n\
        ;B[62agln]\n;W[double]\n;B[double]\n;W[take]\n;PL[W]DI[44]\n;W[44xtxtmimi]\n;B[double])";
    assert_eq!(reported(text), ["f:1: missing answer to a double: expected take, drop or beaver"]);
    let dropped = "(;GM[6]MI[length:0]RE[B+1R]\n;W[31hefe]\n;B[double]\n;W[drop]\n;B[double])";
    assert_eq!(only(dropped).won(), Some((Seat::O, 1)), "a result read as one more double");
    let game = only(text.replace("W+2", "W+4R").replace("\n;B[double])", ")"));
    assert_eq!(game.end(), RecordEnd::Resigned { winner: Seat::X, stake: Stake::Single });
    assert_eq!(turns(&game), ["31: 8/5 6/5", "62: 24/18 13/11", "44: 24/20(2) 13/9(2)"]);
}

#[test]
fn a_game_borne_off_ends_naturally_and_its_result_shows_the_jacoby_rule() {
    let game = finished(Outcome::WinGammon);
    let mut out = MatWriter::new(Vec::new());
    out.write(&game).expect("memory");
    let text = String::from_utf8(out.into_inner()).expect("text");
    let untagged: String = text.lines().skip(4).map(|line| format!("{line}\n")).collect();
    assert!(untagged.contains("Wins 2 points"), "{untagged}");
    let jacoby = only(untagged.replace("Wins 2 points", "Wins 1 point"));
    assert!(matches!(jacoby.header().scoring, Scoring::Money { jacoby: true, .. }));
    assert_eq!(jacoby.won().expect("finished").1, 1);
    let wrong = reported(untagged.replace("Wins 2 points", "Wins 3 points"));
    assert!(wrong[0].contains("invalid result '3 points for"), "{wrong:?}");
    // After an automatic double, a single game is worth 2 points and a gammon 4.
    let start = "x-1 : 0\n; Set Pos=-b----E-C---eE---c-e----B-/1c\n";
    let doubled = untagged.replace("x-1 : 0\n", start);
    for (points, by_jacoby) in [(2, true), (4, false)] {
        let text = doubled.replace("Wins 2 points", &format!("Wins {points} points"));
        let game = only(&text);
        let scoring = Scoring::Money { jacoby: by_jacoby, beavers: false };
        assert_eq!((game.cube(), game.header().scoring), (2, scoring), "{text}");
        assert_eq!(game.won().expect("finished").1, points, "{text}");
        assert_eq!(reported(&text), [""; 0], "{text}");
    }
}
