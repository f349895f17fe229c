//! Records as people type, copy and cut them: each row changes a record in one way, and its games
//! are still read.

use super::turns;
use crate::record::{CompactWriter, MatWriter, Records, SgfWriter, read_record};
use crate::{Scoring, Seat};

const PLAIN: &str = " 5 point match

 Game 1
 Alice : 0                        Bob : 0
  1) 31: 8/5 6/5                   42: 8/4 6/4
  2) 43: 13/9 13/10                65: 24/18 18/13
  3)  Doubles => 2                  Drops
      Wins 1 point

 Game 2
 Alice : 1                        Bob : 0
  1)                               62: 24/18 13/11
  2) 31: 8/5 6/5                    Doubles => 2
  3)  Drops                        Wins 1 point
";

const FIRST: &str = "31: 8/5 6/5|42: 8/4 6/4|43: 13/9 13/10|65: 24/13";
const SECOND: &str = "62: 24/18 13/11|31: 8/5 6/5";

/// Turns and winners of the games, the scoring of the first, and the warnings.
#[derive(Debug)]
struct Found {
    turns: Vec<String>,
    won: Vec<Option<(Seat, u32)>>,
    length: Option<u16>,
    names: [String; 2],
    scores: Vec<[u16; 2]>,
    warnings: Vec<String>,
}

fn found(text: impl AsRef<[u8]>) -> Found {
    let read = read_record(text.as_ref(), "f").expect("usable");
    let scores = read.games.iter().filter_map(|game| match game.header().scoring {
        Scoring::Match(score) => Some([score.own(), score.opponent()]),
        Scoring::Money { .. } => None,
    });
    Found {
        turns: read.games.iter().map(|game| turns(game).join("|")).collect(),
        won: read.games.iter().map(|game| game.won()).collect(),
        length: match read.games[0].header().scoring {
            Scoring::Match(score) => Some(score.length()),
            Scoring::Money { .. } => None,
        },
        names: read.games[0].header().names.clone(),
        scores: scores.collect(),
        warnings: read.warnings.iter().map(ToString::to_string).collect(),
    }
}

/// Whether both games are there with their winners.
#[track_caller]
fn both(text: impl AsRef<[u8]>) -> Found {
    let found = found(text.as_ref());
    let text = String::from_utf8_lossy(text.as_ref());
    assert_eq!(found.turns, [FIRST, SECOND], "{text}\n{:?}", found.warnings);
    assert_eq!(found.won, [Some((Seat::X, 1)), Some((Seat::O, 1))], "{text}");
    found
}

fn edited(old: &str, new: &str) -> String {
    assert!(PLAIN.contains(old), "{old}");
    PLAIN.replace(old, new)
}

#[test]
fn rolls_words_and_results_may_be_spelled_differently() {
    let winner = "      Wins 1 point\n\n";
    let cases = [
        ("31:", "3-1:"),
        ("31:", "3 1:"),
        ("31:", "(31)"),
        ("31:", "(3-1)"),
        ("31:", "[31]:"),
        ("31:", "13:"),
        ("31:", "31 :"),
        ("31:", "31"),
        ("Doubles => 2", "Doubled"),
        ("Doubles => 2", "Double to 2"),
        ("Doubles => 2", "Redoubles 2"),
        ("Drops", "Dropped"),
        ("Drops", "Passed"),
        ("Drops", "Rejects"),
        ("Drops", "declined"),
        ("Drops", "Refuses!"),
        (winner, "      Wins 1 pt\n\n"),
        (winner, "      Wins the match\n\n"),
        (winner, "      (Wins 1 point)\n\n"),
        (winner, "      Wins 1 point (1-0)\n\n"),
        (winner, "Alice Wins 1 point\n\n"),
        (winner, "  4) alice wins 1 point.\n\n"),
        (winner, "Bob resigns\n\n"),
        (winner, "Alice wins the game and 1 point.\n\n"),
        (winner, "Bob: lost 1 point\n\n"),
        ("  3)  Drops                        Wins 1 point", "  3)  Drops\n  4) Bob Wins 1 point"),
        ("24/18 18/13", "24/18/13"),
        ("8/5 6/5 ", "8/5,6/5 "),
        ("8/5 6/5 ", "8-5 6-5 "),
        ("8/5 6/5 ", "8/5; 6/5; "),
        ("13/9 13/10 ", "13/9\n   13/10 "),
    ];
    for (old, new) in cases {
        let found = both(edited(old, new));
        assert_eq!(found.warnings, [""; 0], "{new}");
    }
}

#[test]
fn players_who_leave_lose_whatever_the_word_is() {
    let words = [
        "Timeout",
        "Timed out",
        "Disconnected",
        "Abandons",
        "Resigns",
        "Gives up",
        "Lost on time",
        "Forfeits",
    ];
    for word in words {
        let left = edited(
            "  2) 31: 8/5 6/5                    Doubles => 2\n  3)  Drops                        Wins 1 point",
            &format!("  2) {word}"),
        );
        assert_eq!(found(&left).won, [Some((Seat::X, 1)), Some((Seat::O, 1))], "{left}");
        let right = edited("Doubles => 2\n  3)  Drops                        Wins 1 point", word);
        assert_eq!(found(&right).won, [Some((Seat::X, 1)); 2], "{right}");
    }
}

#[test]
fn headings_lengths_and_scores_may_be_spelled_differently() {
    let names = "Alice : 0                        Bob : 0";
    let cases = [
        (names, "Alice : 0 points                 Bob : 0 points"),
        (names, "Alice: 0, Bob: 0"),
        (" Game 2", " Game 2 (Crawford)"),
        (" Game 2", "GAME 2:"),
        (" Game 2", " Game 2 - Crawford game"),
        (" Game 2", " Game 2\n Crawford Game"),
        (" Game 2", " Crawford Game"),
        (" Game 2\n", ""),
        (" Game 1\n", ""),
        (" 5 point match", " Match to 5"),
        (" 5 point match", " 5 pt match"),
        (" 5 point match", "5-Point Match"),
        (" 5 point match", "Match length: 5"),
        (" 5 point match", "Alice - Bob, 5 point match, Paris 1999"),
        (" 5 point match", "; [Match Length \"5\"]"),
    ];
    for (old, new) in cases {
        let found = both(edited(old, new));
        assert_eq!((found.length, found.warnings), (Some(5), vec![]), "{new}");
        assert_eq!(found.scores, [[0, 0], [1, 0]], "{new}");
        assert_eq!(found.names, ["Alice", "Bob"], "{new}");
    }
    for money in ["Money Game", "Money", "Unlimited match", "Money session"] {
        assert_eq!(both(edited(" 5 point match", money)).length, None, "{money}");
    }
}

#[test]
fn names_and_scores_that_are_missing_follow_from_tags_and_games() {
    let nameless: String = PLAIN
        .lines()
        .filter(|line| !line.contains(" : "))
        .map(|line| format!("{line}\n"))
        .collect();
    let tagged = format!("; [Player 1 \"Zo\u{eb}\"]\n; [Player 2 \"Al\"]\n{nameless}");
    let of_tags = both(&tagged);
    assert_eq!(of_tags.names, ["Zo\u{eb}", "Al"]);
    assert_eq!(of_tags.scores, [[0, 0], [1, 0]]);
    assert_eq!(of_tags.warnings[1], "f:12: missing line of names: taken as 'Zo\u{eb} 1, Al 0'");
    assert_eq!(both(&nameless).names, ["Player 1", "Player 2"]);
    let headless = nameless.replace(" Game 1\n", "").replace(" Game 2\n", "");
    assert_eq!(both(headless).scores, [[0, 0], [1, 0]]);
    for line in ["Alice 0                  Bob 0", "Alice                   Bob", "Alice vs. Bob"] {
        let text = edited("Alice : 0                        Bob : 0", line);
        let text = text.replace(
            "Alice : 1                        Bob : 0",
            &line.replace("Alice 0", "Alice 1"),
        );
        let found = both(text);
        assert_eq!(
            (found.names, found.scores),
            (["Alice".into(), "Bob".into()], vec![[0, 0], [1, 0]]),
            "{line}"
        );
    }
}

#[test]
fn tags_may_begin_with_a_quotation_mark_and_rows_may_follow_them_at_once() {
    let text = "\"; [Site \"NardGammon\"]\n; [Variation \"ShortNarde\"]\n; [Player 1 \"Ann\"]\n; [Player 2 \"Bob\"]\n\n\
        1) (31) 8/5 6/5   (42) 8/4 6/4\n2) (43) 13/9 13/10   (65) 24/18 18/13\n";
    let found = found(text);
    assert_eq!(
        (found.turns, found.names),
        (vec![FIRST.to_owned()], ["Ann".to_owned(), "Bob".to_owned()])
    );
}

#[test]
fn mark_up_quotation_and_remarks_around_the_rows_do_not_matter() {
    let page = format!(
        "<html><head></head><body><pre>\n{}</pre></body></html>",
        PLAIN.replace("=>", "=&gt;")
    );
    let wide: String = PLAIN
        .chars()
        .map(|c| match c {
            '0'..='9' => char::from_u32(c as u32 - u32::from(b'0') + 0xff10).expect("a digit"),
            ':' => '\u{ff1a}',
            '/' => '\u{ff0f}',
            c => c,
        })
        .collect();
    for text in [
        page.clone(),
        page.replace('\n', "<br>\n"),
        PLAIN.replace('\n', "<BR>"),
        PLAIN.replace(' ', "\u{a0}"),
        wide,
        PLAIN.lines().map(|line| format!("> {line}\n")).collect(),
        PLAIN.lines().map(|line| format!("          {line}\n")).collect(),
        PLAIN.replace("                   ", "\t\t\t"),
        format!("{PLAIN}\u{1a}"),
        PLAIN.replace("\n Game 2", "\u{c}\n Game 2"),
        PLAIN.to_uppercase().replace("ALICE", "Alice").replace("BOB", "Bob"),
        PLAIN.replace("  1) ", "     ").replace("  2) ", "     ").replace("  3) ", "     "),
        edited("\n\n Game 2", "\n----------\n Game 2"),
    ] {
        assert_eq!(both(&text).warnings, [""; 0], "{text}");
    }
    for remark in [
        "{a fine roll}",
        "Alice says: hello",
        "12:31 bob: 3:1 is mine",
        "```",
        "Final score: Alice 1 - Bob 1",
    ] {
        let found = both(edited("  2) 43", &format!("{remark}\n  2) 43")));
        let expected = format!("f:6: unexpected text '{remark}', which was passed over");
        assert_eq!(found.warnings, [expected]);
    }
}

#[test]
fn several_matches_and_cut_files_are_read_as_far_as_they_go() {
    let two = format!("{PLAIN}\n{}", PLAIN.replace("5 point", "3 point").replace("Alice", "Carl"));
    assert_eq!(found(two).turns, [FIRST, SECOND, FIRST, SECOND]);
    for length in (100..PLAIN.len()).filter(|&at| PLAIN.is_char_boundary(at)) {
        let Ok(read) = read_record(&PLAIN.as_bytes()[..length], "f") else { continue };
        for (game, whole) in read.games.iter().zip([FIRST, SECOND]) {
            assert!(whole.starts_with(&turns(game).join("|")) || turns(game).len() < 5, "{length}");
        }
    }
}

#[test]
fn lines_without_numbers_and_columns_are_turns() {
    let text = "5 point match\n\nGame 1\nAlice : 0    Bob : 0\n31: 8/5 6/5\n42: 8/4 6/4\n43: 13/9 13/10\n\
        65: 24/18 18/13\nDoubles\nDrops\n";
    let found = found(text);
    assert_eq!((found.turns[0].as_str(), found.won[0]), (FIRST, Some((Seat::X, 1))));
}

#[test]
fn a_game_goes_on_after_a_roll_that_is_said_to_be_unplayable() {
    let long = edited(
        "  3)  Doubles => 2  ",
        "  3) 52: 13/8 10/8                 61: 13/7 8/7\n  4)  Doubles => 2  ",
    );
    for unplayed in ["65:", "66:", "65: Cannot Move", "65: -----", "65: (no move)"] {
        let found = found(long.replace("65: 24/18 18/13", unplayed));
        assert_eq!(
            found.turns,
            ["31: 8/5 6/5|42: 8/4 6/4|43: 13/9 13/10|52: 13/8 10/8|61: 13/7 8/7", SECOND],
            "{unplayed}"
        );
        assert_eq!(found.won, [Some((Seat::X, 1)), Some((Seat::O, 1))]);
        let warning = format!(
            "f:6: missing play of {}: only the last roll of a game may lack its play; the game goes on after it",
            &unplayed[..2]
        );
        assert_eq!(found.warnings, [warning]);
    }
    let turn = found(long.replace("65: 24/18 18/13", ""));
    assert_eq!(turn.turns.len(), 2, "a turn that is missing altogether");
    assert_eq!(turn.warnings, ["f:7: out of turn: expected Bob to act; the game goes on after it"]);
    // An unknown play is no unplayable roll, and what follows must fit.
    assert_eq!(found(long.replace("65: 24/18 18/13", "65: ????")).turns.len(), 2);
    assert_eq!(
        found(long.replace("65: 24/18 18/13", "65:").replace("52: 13/8 10/8", "52: 13/8 20/18"))
            .turns
            .len(),
        2
    );
}

#[test]
fn a_game_goes_on_after_an_illegal_play_that_can_be_made() {
    let long = edited(
        "  3)  Doubles => 2  ",
        "  3) 52: 13/8 10/8                 61: 13/7 8/7\n  4)  Doubles => 2  ",
    );
    let found_in = |play: &str| found(long.replace("42: 8/4 6/4", play));
    let illegal = found_in("42: 8/4 6/5");
    assert_eq!(
        illegal.turns,
        ["31: 8/5 6/5|43: 13/9 13/10|65: 24/13|52: 13/8 10/8|61: 13/7 8/7", SECOND]
    );
    assert_eq!(
        illegal.warnings,
        ["f:5: illegal play '8/4 6/5': expected a legal play of 42; the game goes on after it"]
    );
    // The plays go onto a point that is taken, move a checker that is not there, or go backwards.
    // Others have too many or too few steps, or no notation at all. For each of them a legal play
    // that fits what follows is found.
    let plays = ["24/20 13/8", "7/3 6/4", "24/22 24/15", "4/8 6/4", "8/4 6/4 13/11", "8/4", "8/x"];
    for play in plays {
        let found = found_in(&format!("42: {play}"));
        assert_eq!(found.turns[1..], [SECOND], "{play} {found:?}");
        let rest = "31: 8/5 6/5|43: 13/9 13/10|65: 24/13|52: 13/8 10/8|61: 13/7 8/7";
        assert_eq!(found.turns[0], rest, "{play} {:?}", found.warnings);
        assert_eq!(found.won, [Some((Seat::X, 1)), Some((Seat::O, 1))], "{play}");
        assert_eq!(found.warnings.len(), 1, "{:?}", found.warnings);
        assert!(found.warnings[0].starts_with("f:5: "), "{:?}", found.warnings);
    }
    // A roll that is none, and an opening roll that is impossible.
    for (old, new) in [("31: 8/5 6/5 ", "33: 8/5 6/5 "), ("42: 8/4 6/4", "72: 8/4 6/4")] {
        let found = found(long.replacen(old, new, 1));
        assert_eq!(found.won, [Some((Seat::X, 1)), Some((Seat::O, 1))], "{:?}", found);
        assert_eq!(found.warnings.len(), 1, "{:?}", found.warnings);
        assert!(found.turns[0].ends_with("43: 13/9 13/10|65: 24/13|52: 13/8 10/8|61: 13/7 8/7"));
    }
}

#[test]
fn a_game_with_a_lost_turn_reads_back_from_every_format() {
    let text = edited("42: 8/4 6/4", "42: 8/4 6/5");
    let text = text.replace("65: 24/18 18/13", "65: 24/18 18/14");
    let text = text.replace("  3)  Doubles", "  3) 52: 13/8 10/8      61: 13/7 8/7\n  4)  Doubles");
    let games = read_record(text.as_bytes(), "f").expect("usable").games;
    assert_eq!((games.len(), games[0].gaps().len()), (2, 2));
    assert_eq!(games[0].gaps()[0].event, 1);
    // Who wants whole games, to learn from them, does not get it.
    let whole: Vec<_> = Records::new(text.as_bytes(), "f").expect("a record").whole().collect();
    let error = whole[0].as_ref().expect_err("a lost turn").to_string();
    assert!(error.starts_with("f:5: illegal play '8/4 6/5'"), "{error}");
    assert!(whole.len() == 2 && whole[1].is_ok());
    let (mut mat, mut sgf) = (MatWriter::new(Vec::new()), SgfWriter::new(Vec::new()));
    let mut compact = CompactWriter::new(Vec::new()).expect("memory");
    for game in &games {
        mat.write(game).expect("memory");
        sgf.write(game, &[]).expect("memory");
        compact.write(game).expect("memory");
    }
    for bytes in [mat.into_inner(), sgf.into_inner(), compact.into_inner()] {
        let read = read_record(&bytes[..], "f").expect("usable");
        assert_eq!(read.games, games, "{}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn columns_may_change_sides() {
    let text = edited(
        "  3)  Doubles => 2                  Drops\n      Wins 1 point",
        "  3) 52: 13/8 10/8                 61: 13/7 8/7\n  4)                               21: 8/7 6/4",
    );
    let swapped = text.replace("21: 8/7 6/4", "21: 10/8 9/8");
    assert!(found(&swapped).turns[0].starts_with(FIRST), "{:?}", found(&swapped));
}

#[test]
fn logs_of_clients_have_prompts_and_times() {
    let plain = "Score is 0-0 in a 3 point match.\nann is X - bob is O\nX: (3 1) 8-5 6-5\nO: (6 2) 24-18 13-11\nX: wins 2 points\n";
    for text in [
        plain.lines().map(|line| format!("> {line}\n")).collect::<String>(),
        plain.lines().map(|line| format!("[21:05:33] {line}\n")).collect(),
        plain.lines().map(|line| format!("2003-05-01 21:05 {line}\n")).collect(),
        format!("Welcome to FIBS\n> oldmoves ann\n{plain}"),
        plain.replace("O: (6 2)", "cyd kibitzes: hello\nO: (6 2)"),
    ] {
        let found = found(&text);
        assert_eq!(found.turns, ["31: 8/5 6/5|62: 24/18 13/11"], "{text}");
        assert_eq!(found.won, [Some((Seat::X, 2))], "{text}");
    }
}

#[test]
fn trees_may_have_small_letters_no_information_and_text_above() {
    for text in [
        "(;ff[4]gm[6]pw[ann]re[W+2R]\n;w[31hefe]\n;b[62agln])",
        "(;W[31hefe]\n;B[62agln]\n;RE[W+2])",
        "From a letter:\n(;FF[4]GM[6]RE[W+2]\n;W[31HEFE]\n;B[62agln])",
        "(;GM[6]RE[W+2]\n;W[31hefe]\n;B[62agln]\n;W[Redouble]\n;B[pass])",
    ] {
        let found = found(text);
        assert_eq!(found.turns, ["31: 8/5 6/5|62: 24/18 13/11"], "{text}");
        assert_eq!(
            found.won.iter().flatten().map(|(winner, _)| *winner).collect::<Vec<_>>(),
            [Seat::X],
            "{text}"
        );
    }
}

#[test]
fn text_exports_of_gnubg_are_read() {
    let text = "The score (after 1 game) is: ann, b 1, bob 0 (match to 3 points)\n\nMove number 1:  ann, b to play 31\n\n\
         GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n* ann, b moves 8/5 6/5\n\nRolled 31:\n*    1. Cubeful 0-ply    8/5 6/5   Eq.: +0.263\n\n\
        Move number 2:  bob to play 62\n* bob moves 24/18 13/11\nMove number 3:  ann, b on roll, cube decision?\n* ann, b doubles\n\
        Move number 4:  ann, b doubles to 2\n* bob accepts\nMove number 5:  ann, b to play 44\n* ann, b moves 24/20(2) 13/9(2)\n\
        Move number 6:  bob to play 66\n* bob cannot move\nann, b wins 2 points\n";
    let one = found(text);
    assert_eq!((one.names, one.scores), (["ann, b".into(), "bob".into()], vec![[1, 0]]));
    assert_eq!(one.turns, ["31: 8/5 6/5|62: 24/18 13/11|44: 24/20(2) 13/9(2)"]);
    let again = found(format!("{text}\n{}", text.replace("after 1 game", "after 2 games")));
    assert_eq!(again.turns.len(), 2);
}
