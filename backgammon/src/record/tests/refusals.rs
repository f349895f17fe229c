//! What cannot be used of a record, as errors and warnings with their line and message.

use super::{read, reported};

const HEAD: &str = " 0 point match\n\n Game 1\n a : 0    b : 0\n";
const GAME: &str = "  1) 31: 8/5 6/5     62: 24/18 13/11\n";

#[test]
fn the_games_around_a_bad_game_are_read() {
    let text = format!(
        "{HEAD}{GAME}\n Game 2\n a : 0    b : 0\n  1) 31: 8/5 6/4\n  2) 99: nonsense\n\n Game 3\n a : 0   b : 0\n{GAME}"
    );
    let read = read(text);
    assert!(read[0].is_ok() && read[2].is_ok() && read.len() == 3);
    assert_eq!(
        read[1].as_ref().expect_err("6/4"),
        "f:9: illegal play '8/5 6/4': expected a legal play of 31"
    );
}

#[cfg(not(feature = "compressed"))]
#[test]
fn a_binary_file_of_another_program_is_named_with_what_to_do() {
    let xg = reported(b"RGMH\x01\0\0\0\xff\xd8\n\0");
    assert!(xg[0].contains("binary .xg") && xg[0].contains("as text"), "{xg:?}");
    let bgf = reported(
        b"{\"version\":\"0.1\",\"compression\":\"gzip\",\"encoding\":\"smile\"}\n\x1f\x8b\x08",
    );
    assert!(bgf[0].contains("binary .bgf") && bgf[0].contains(".mat"), "{bgf:?}");
}

#[test]
fn each_error_has_its_line_and_its_reason() {
    let cases: &[(&str, &str)] = &[
        ("  1) 71: 8/5", "f:5: invalid text '71:': expected two dice from 1 to 6"),
        ("  1) 44: 8/4(2)", "f:5: invalid opening roll 44: expected two different dice"),
        (
            "  1) 31: 8/x",
            "f:5: invalid checker move '8/x': expected points from 1 to 24, bar or off",
        ),
        ("  1)  Doubles => 2", "f:5: invalid double before the first roll"),
        ("  1) 31: 8/5 6/5     Takes", "f:5: unexpected answer: no double was offered"),
        ("  1) 31: 8/5 6/5     Doubles => 3", "f:5: invalid cube value 3: expected 2"),
        ("  1) 31: 8/5 6/5\n  2) 62: 24/18 13/11", "f:6: out of turn: expected b to act"),
        (
            "  1) 31: 8/5 6/5     Doubles => 2\n  2) 61: 13/7 8/7",
            "f:6: missing answer to a double: expected take, drop or beaver",
        ),
        (
            "  1) 31: 8/5 6/5\n      Wins 5 points",
            "f:6: invalid result '5 points for a': expected at most 3 times the cube value 1",
        ),
        ("  1) hello", "f:5: invalid text 'hello': expected a roll or a cube action"),
        (
            "  1) 31: 8/5 6/5    Doubles => 2\n  2)  Drops\n  3) 31: 8/5 6/5",
            "f:7: unexpected action: the game is over",
        ),
    ];
    for (rows, expected) in cases {
        assert_eq!(reported(format!("{HEAD}{rows}\n")), [*expected], "{rows}");
    }
}

#[test]
fn incomplete_and_unsupported_headers_are_errors() {
    let cases: &[(&str, &str)] = &[
        ("", "f:1: unknown record format: the record is empty"),
        (
            "hello\n",
            "f:1: unknown record format: expected a match, a game or an SGF tree; formats that are read are .mat, .gam, .txt, .sgf, .sgg, .xg, .bgf, .norec, gnubg's text export and oldmoves of FIBS",
        ),
        (
            " Game 1\n a : 0   b : 0\n",
            "f:1: missing match length: expected a line such as '7 point match' before the game",
        ),
        (" 3 point match\n Game 1\n", "f:2: unexpected end of the record: the game is incomplete"),
        (
            " 3 point match\n Game 1\n just a\n",
            "f:3: invalid text 'just a': expected two names with their scores",
        ),
        (
            " 3 point match\n Game 1\n a : 3    b : 0\n",
            "f:3: invalid score 3 of the player on roll: expected less than the match length 3",
        ),
        (
            "; [Variation \"Hypergammon\"]\n 1 point match\n Game 1\n a : 0   b : 0\n  1) 31: 8/5\n",
            "f:1: unsupported game 'Hypergammon': expected backgammon from the starting position",
        ),
        (
            "(;FF[4]GM[1]\n;B[aa])",
            "f:1: unsupported game 'GM[1]': expected backgammon from the starting position",
        ),
        (
            "(;GM[6]RU[Hypergammon1]\n;PL[W]DI[42])",
            "f:1: unsupported game 'Hypergammon1': expected backgammon from the starting position",
        ),
        (
            "(;GM[6]\n;W[31hefe]\n;B[62ag",
            "f:3: unexpected end of the record: the game is incomplete",
        ),
        ("(;GM[6]\n;W[31hef])", "f:2: invalid text '31hef': expected two dice and pairs of points"),
        (
            "5;0;0;0;0;gnubg;root;0;3;4;2;1;0;0;0;3;1;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;-1;0;0;0;0;6;1;\n",
            "f:1: expected games, found a single position: XGID=---CA----------------a----:1:1:1:61:3:4:0:5:10",
        ),
        (
            "5;0;0;0;0;gnubg;root;0;3;5;2;1;0;0;0;3;1;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;\n",
            "f:1: invalid position '5;0;0;0;0;gnubg;root;0;3;5;2;1;0;0;0;3;1;0;0;0;0;0;0;0;0;0;0...': invalid score 5 of the opponent: expected less than the match length 5",
        ),
        (
            "BOARDID=1\nCREATOR=x\n",
            "f:1: unknown record format: this is a game of PartyGammon, which is not read; GNU Backgammon makes a .mat of it: import party FILE, export match mat FILE.mat",
        ),
        (
            "Score is 0-0 in a 3 point match.\nX: (3 1) 8-5 6-5\n",
            "f:2: invalid text 'X: (3 1) 8-5 6-5': expected 'ann is X - bob is O'",
        ),
        (
            "Score is 0-0 in a 3 point match.\na is X - b is O\nX: sings\n",
            "f:3: invalid text 'X: sings': expected 'X:' or 'O:' and an action",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(reported(text), [*expected], "{text}");
    }
}

#[test]
fn text_outside_of_games_is_one_error_and_later_games_are_read() {
    let text = "(;GM[6]\n;W[31hefe])\nstray; text [and] more\n(;GM[6]\n;W[31hefe])";
    assert_eq!(read(text).iter().filter(|game| game.is_ok()).count(), 2);
    assert_eq!(reported(text), ["f:3: unexpected text 'stray', which was passed over"]);
}

#[test]
fn a_file_that_is_compressed_is_named_with_what_to_do() {
    let files: [(&[u8], &str); 4] = [
        (
            b"\x1f\x8b\x08\x08\0\0\0\0\0\x03a.mat\0\n",
            "compressed by gzip; decompress it first: gunzip",
        ),
        (b"PK\x03\x04\x14\0\0\0", "a ZIP archive; unpack it first: unzip"),
        (b"BZh91AY&SY", "compressed by bzip2"),
        (b"\xfd7zXZ\0\0\x04", "compressed by xz"),
    ];
    for (bytes, expected) in files {
        let error = &reported(bytes)[0];
        assert!(error.starts_with("f:1: unknown record format: the file is "), "{error}");
        assert!(error.contains(expected), "{error}");
    }
}
