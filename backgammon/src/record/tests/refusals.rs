//! What cannot be used, and the line and the words that say so.

use super::{read, reported};

const HEAD: &str = " 0 point match\n\n Game 1\n a : 0    b : 0\n";
const GAME: &str = "  1) 31: 8/5 6/5     62: 24/18 13/11\n";

#[test]
fn one_bad_game_does_not_harm_its_neighbours() {
    let text = format!(
        "{HEAD}{GAME}\n Game 2\n a : 0    b : 0\n  1) 31: 8/5 6/4\n  2) 99: nonsense\n\n Game 3\n a : 0   b : 0\n{GAME}"
    );
    let read = read(text);
    assert!(read[0].is_ok() && read[2].is_ok() && read.len() == 3);
    assert_eq!(read[1].as_ref().expect_err("6/4"), "f:9: '8/5 6/4' is not a legal play of 31 here");
}

#[test]
fn each_refusal_has_its_line_and_its_reason() {
    let cases: &[(&str, &str)] = &[
        ("  1) 71: 8/5", "f:5: cannot read '71:': two dice from 1 to 6 are wanted"),
        (
            "  1) 44: 8/4(2)",
            "f:5: nobody begins with 44: the first roll is one die of each player, thrown again if equal",
        ),
        (
            "  1) 31: 8/x",
            "f:5: cannot read '8/x' as a checker move: points are 1 to 24, bar or off",
        ),
        ("  1)  Doubles => 2", "f:5: the cube is turned before the first roll"),
        ("  1) 31: 8/5 6/5     Takes", "f:5: an answer to no double"),
        ("  1) 31: 8/5 6/5     Doubles => 4", "f:5: the cube is turned to 4, but 2 is next"),
        ("  1) 31: 8/5 6/5\n  2) 62: 24/18 13/11", "f:6: it is the turn of b"),
        (
            "  1) 31: 8/5 6/5     Doubles => 2\n  2) 61: 13/7 8/7",
            "f:6: a double waits for its answer",
        ),
        (
            "  1) 31: 8/5 6/5\n      Wins 5 points",
            "f:6: the result says 5 points for a, but the game says that the cube shows 1",
        ),
        ("  1) hello", "f:5: cannot read 'hello': a roll, or a word about the cube, is wanted"),
        (
            "  1) 31: 8/5 6/5    Doubles => 2\n  2)  Drops\n  3) 31: 8/5 6/5",
            "f:7: the game is already over",
        ),
    ];
    for (rows, expected) in cases {
        assert_eq!(reported(format!("{HEAD}{rows}\n")), [*expected], "{rows}");
    }
}

#[test]
fn heads_that_say_too_little_or_something_else_are_refused() {
    let cases: &[(&str, &str)] = &[
        ("", "f:1: no record of games in a known format: it is empty"),
        (
            "hello\n",
            "f:1: no record of games in a known format: no match, game or tree begins in it",
        ),
        (
            " Game 1\n a : 0   b : 0\n",
            "f:1: nothing says before the game how many points the match is for",
        ),
        (" 3 point match\n Game 1\n", "f:2: the record ends inside a game"),
        (
            " 3 point match\n Game 1\n just a\n",
            "f:3: cannot read 'just a': two names with their scores are wanted",
        ),
        (
            " 3 point match\n Game 1\n a : 3    b : 0\n",
            "f:3: the score of the player on roll is 3 in a match to 3; a player who reaches the length has won the match",
        ),
        (
            "; [Variation \"Hypergammon\"]\n 1 point match\n Game 1\n a : 0   b : 0\n  1) 31: 8/5\n",
            "f:1: 'Hypergammon' is another game than backgammon from its usual start",
        ),
        (
            "(;FF[4]GM[1]\n;B[aa])",
            "f:1: 'GM[1]' is another game than backgammon from its usual start",
        ),
        (
            "(;GM[6]RU[Hypergammon1]\n;PL[W]DI[42])",
            "f:1: 'Hypergammon1' is another game than backgammon from its usual start",
        ),
        (
            "(;GM[6]\n;PL[B]AE[a:y]AW[f][f]AB[s][q])",
            "f:2: the game does not begin from the usual start but from a position set up by hand",
        ),
        ("(;GM[6]\n;W[31hefe]\n;B[62ag", "f:3: the record ends inside a game"),
        (
            "(;GM[6]\n;W[31hef])",
            "f:2: cannot read '31hef': two dice and pairs of points are wanted",
        ),
        (
            "5;0;0;0;0;gnubg;root;0;3;5;2;1;0;0;0;3;1;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;\n",
            "f:1: a single position of Snowie, not a game",
        ),
        (
            "Score is 0-0 in a 3 point match.\nX: (3 1) 8-5 6-5\n",
            "f:2: cannot read 'X: (3 1) 8-5 6-5': 'ann is X - bob is O' is wanted",
        ),
        (
            "Score is 0-0 in a 3 point match.\na is X - b is O\nX: sings\n",
            "f:3: cannot read 'X: sings': 'X:' or 'O:' and what happened is wanted",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(reported(text), [*expected], "{text}");
    }
    assert_eq!(reported(b"\xff\xfe1\0"), ["f:1: the text is UTF-16, not UTF-8"]);
}

#[test]
fn stray_text_is_said_once_and_games_behind_it_are_read() {
    let text = "(;GM[6]\n;W[31hefe])\nstray; text [and] more\n(;GM[6]\n;W[31hefe])";
    let read = read(text);
    assert_eq!(read.len(), 3);
    assert_eq!(read[1].as_ref().expect_err("stray"), "f:3: 'stray' belongs to no game");
    assert!(read[0].is_ok() && read[2].is_ok());
}
