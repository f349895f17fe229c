//! Tests of whole UBGI sessions.

use std::io::Cursor;

use proptest::prelude::*;

use super::*;
use crate::eval::Evaluation;
use crate::eval::ScriptedEvaluator;

/// Evaluates by the lead in pips, so that answers are known.
fn by_pips(position: &Position) -> Evaluation {
    let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
    let win = (0.5 + lead / 400.0).clamp(0.0, 1.0);
    Evaluation { average: 2.0 * win - 1.0, outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] }
}

fn engine() -> Ubgi {
    let change: ChangeNet = Box::new(|engine, word| match word {
        "missing" => Err("unknown net 'missing'".to_owned()),
        _ => Ok(engine.clone()),
    });
    let engine = Engine::builder().evaluator(ScriptedEvaluator(by_pips));
    let engine = engine.plies(Plies::ONE).threads(1).build().expect("an engine");
    Ubgi::new(engine, "pips", change)
}

/// The output of the engine for an input.
fn output(input: impl AsRef<[u8]>) -> Vec<String> {
    let mut out = Vec::new();
    engine().serve(Cursor::new(input.as_ref().to_vec()), &mut out).expect("memory");
    String::from_utf8(out).expect("text").lines().map(str::to_owned).collect()
}

/// Sends the lines beginning with `>` and expects exactly those beginning with `<`.
fn transcript(text: &str) {
    let side = |mark: &str| {
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix(mark));
        lines.map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(output(side(">").join("\n")), side("<"));
}

#[test]
fn a_session_of_version_0_2() {
    transcript(
        "> ubgi
         < id name nonet
         < id author the nonet authors
         < id version 0.2.0
         < proto 0.2
         < key game.variant enum backgammon backgammon variant
         < key game.length int 0..32767 0 points of the match, 0 for money
         < key game.score0 int 0..32767 0 points of p0
         < key game.score1 int 0..32767 0 points of p1
         < key game.turn enum p0|p1 p0 player on roll in the position
         < key game.crawford bool false whether this is the Crawford game
         < key game.jacoby bool false money: Jacoby rule
         < key game.beavers bool false money: beavers are allowed
         < key game.cube int 1..32768 1 value of the cube
         < key game.owner enum center|p0|p1 center owner of the cube
         < key engine.ply int 1..4 1 search depth in plies; 1 is the static evaluation
         < key engine.cube_ply int 1..4 3 search depth of cube decisions, whatever the depth of play
         < key engine.threads int 1..256 1 ! threads
         < key engine.net string * pips net file
         < key ext.eval bool true ! `eval gnubgid ID` answers five probabilities
         < key ext.take bool true ! `go cube` answers a doubled XGID
         < key ext.cubeless bool false money: no cube, plays by cubeless equity
         < ubgiok
         > set engine.ply 2
         > set engine.threads 2
         > isready
         < readyok
         > get engine.ply
         < value engine.ply 2
         > set engine.ply 1
         > newgame
         > position gnubgid 4HPwATDgc/ABMA
         > dice 6 5
         > go
         < info depth 1 score 0.0794
         < bestmove 24/18 18/13
         > dice 2 1
         > go turn
         < info depth 1 score 0.0217
         < bestturn cube=nodouble move=24/22 24/23
         > go cube
         < bestcube nodouble
         > eval gnubgid 4HPwATDgc/ABMA
         < eval 0.500000 0.000000 0.000000 0.000000 0.000000
         > quit
         > isready",
    );
}

#[test]
fn commands_of_version_0_1_are_accepted() {
    transcript(
        "> setoption name Ply value 1
         > newsession type match length 5 jacoby off crawford on
         > setscore 4 2
         > get game.crawford
         < value game.crawford true
         > setscore 4 3
         > get game.crawford
         < value game.crawford false
         > setcube value 2 owner p1
         > setturn p1
         > get game.owner
         < value game.owner p1
         > position gnubgid 4HPwATDgc/ABMA
         > dice 11
         > go role chequer
         < info depth 1 score 0.0200
         < bestmove 24/23 23/22 24/23 23/22
         > go role cube
         < bestcube nodouble
         > newsession money
         > get game.length
         < value game.length 0",
    );
}

#[test]
fn a_doubled_xgid_is_taken_or_dropped() {
    // X on roll has doubled: behind in the race, which is a take, then 132 pips ahead, which is a
    // drop.
    transcript(
        "> position xgid XGID=-BBB-------------------bbb:0:0:1:D:0:0:0:0:10
         < error bad_value invalid bar of the player on roll: expected checkers of that side only
         > position xgid XGID=-aBBB----------------bbb--:0:0:1:D:0:0:0:0:10
         > go cube
         < bestcube take
         > go
         < error bad_state a double must be answered first: go cube
         > position xgid XGID=-ccC----------------------:0:0:1:D:0:0:0:0:10
         > go cube
         < bestcube drop",
    );
}

#[test]
fn a_beaver_is_answered_by_the_player_on_roll() {
    // X has doubled, O has beavered to 2. X is 171 pips ahead, then 171 pips behind.
    transcript(
        "> position xgid XGID=---C--------eee-----------:1:-1:1:B:0:0:2:0:10
         > go cube
         < bestcube take
         > position xgid XGID=-----------EEE--------c---:1:-1:1:B:0:0:2:0:10
         > go cube
         < bestcube drop
         > go
         < error bad_state a double must be answered first: go cube
         > position xgid XGID=-----------EEE--------c---:1:-1:1:B:0:0:0:0:10
         > go cube
         < bestcube drop",
    );
}

#[test]
fn invalid_input_gets_an_error_line_and_the_session_continues() {
    transcript(
        "> banana
         < error bad_command unknown command: banana
         > go
         < error bad_state missing position
         > position gnubgid 4HPwATDgc/ABMA
         > go
         < error bad_state missing dice
         > dice 7 1
         < error bad_value invalid roll '7 1': expected two digits from 1 to 6, as in 31 or 66
         > position gnubgid short
         < error bad_value invalid length 5 of the Position ID: expected 14 characters
         > position fen 8/8
         < error unsupported position fen: expected gnubgid or xgid
         > set engine.ply 5
         < error bad_value engine.ply: invalid ply '5': expected 1 to 4
         > set engine.net missing
         < error bad_value engine.net: unknown net 'missing'
         > set engine.colour blue
         < error unsupported key engine.colour: `keys` lists the keys
         > set game.variant hypergammon
         < error bad_value game.variant: invalid variant 'hypergammon': expected backgammon
         > set game.cube 3
         < error bad_value invalid cube '3': expected a power of two from 1 to 32768
         > set game.length 3
         > set game.score0 4
         > dice 31
         > go
         < error bad_state invalid score 4 of the player on roll: expected less than the match length 3
         > set engine.ply
         < error bad_command expected: set <key> <value>
         > eval gnubgid nonsense
         < error bad_value invalid length 8 of the Position ID: expected 14 characters
         > go wild
         < error unsupported go wild: expected go chequer, go cube or go turn
         > isready
         < readyok",
    );
}

#[test]
fn a_roll_that_cannot_be_played_is_a_pass() {
    let stuck = Position::from_sides(
        &[(25, 1), (6, 14)],
        &[(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 5)],
    );
    let id = stuck.expect("legal").id();
    let lines = output(format!("position gnubgid {id}\ndice 3 3\ngo\n"));
    assert_eq!(lines.last().map(String::as_str), Some("bestmove pass"));
}

#[test]
fn many_lines_at_once_are_answered_in_order() {
    let ids = ["4HPwATDgc/ABMA", "bad", "AAAAAAAAAAAAAA"];
    let input: String = (0..999).map(|i| format!("eval gnubgid {}\n", ids[i % 3])).collect();
    let lines = output(input + "isready\n");
    assert_eq!(lines.len(), 1000);
    for (i, line) in lines[..999].iter().enumerate() {
        assert_eq!(line.starts_with("eval "), i % 3 == 0, "{i}: {line}");
    }
    assert_eq!(lines[999], "readyok");
}

#[test]
fn invalid_utf_8_gets_an_error_line() {
    let lines = output(b"\xff\xfe\nisready\n");
    assert_eq!(lines, ["error bad_command invalid encoding: expected UTF-8", "readyok"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_words_in_any_order_end_the_session(
        words in proptest::collection::vec(
            "ubgi|go|set|get|dice|position|gnubgid|xgid|cube|turn|eval|newsession|match|length|setscore|setcube|value\
             |owner|p0|[0-9]{1,6}|-1|4HPwATDgc/ABMA|engine.ply|game.cube|\\PC{0,8}|\n|\n",
            0..60,
        ),
    ) {
        let input = words.join(" ") + "\nisready\n";
        let lines = output(&input);
        prop_assert_eq!(lines.last().map(String::as_str), Some("readyok"), "{}", input);
    }
}

#[test]
fn without_the_cube_money_games_are_played_by_cubeless_equity_and_never_doubled() {
    // X leads by far: with the cube, a double.
    let lead = "position xgid XGID=-BCBCBCbcbcbc-------------:0:0:1:00:0:0:0:0:10";
    let doubled = "position xgid XGID=-BCBCBCbcbcbc-------------:0:0:1:D:0:0:0:0:10";
    transcript(&format!(
        "> set engine.cube_ply 1
         > {lead}
         > go cube
         < bestcube double
         > set ext.cubeless maybe
         < error bad_value ext.cubeless: invalid value 'maybe': expected true or false
         > set ext.cubeless true
         > get ext.cubeless
         < value ext.cubeless true
         > {lead}
         > go cube
         < bestcube nodouble
         > {doubled}
         > go cube
         < error bad_state a double must be answered, but ext.cubeless is true: set it to false"
    ));
}

#[test]
fn without_the_cube_a_play_is_worth_its_cubeless_equity() {
    let ask = |cubeless| {
        let lines = output(format!(
            "set ext.cubeless {cubeless}\nposition gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo turn\n"
        ));
        (lines[0].clone(), lines[1].clone())
    };
    let ((without, turn), (with, _)) = (ask(true), ask(false));
    assert!(turn.starts_with("bestturn cube=nodouble move="), "{turn}");
    assert_ne!(without, with, "the scores differ");
    // A match is played with the cube.
    let in_match = |cubeless| {
        output(format!(
            "set ext.cubeless {cubeless}\nset game.length 7\nposition gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo\n"
        ))
    };
    assert_eq!(in_match(true), in_match(false));
}

#[test]
fn the_depth_of_cube_decisions_is_a_key_of_its_own() {
    transcript(
        "> set engine.ply 2
         > get engine.cube_ply
         < value engine.cube_ply 3
         > set engine.cube_ply 1
         > get engine.cube_ply
         < value engine.cube_ply 1
         > get engine.ply
         < value engine.ply 2
         > set engine.cube_ply 5
         < error bad_value engine.cube_ply: invalid ply '5': expected 1 to 4",
    );
}
