//! The commands of the engine: hints, cube decisions, rollouts, and errors in their arguments.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::common;

/// Without the bearoff databases, which take seconds to make in a test build.
fn nonet(words: &[&str], input: &str) -> Output {
    let mut command = common::nonet(words);
    common::answer(command.args(["--net", "nets/small.nonet", "--no-endings"]), input)
}

fn text(words: &[&str]) -> String {
    let output = nonet(words, "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&text(words)).expect("one JSON line")
}

#[test]
fn a_hint_makes_the_five_point_with_31_at_every_depth() {
    for ply in ["1", "2"] {
        let hint = json(&["hint", "4HPwATDgc/ABMA", "31", "--ply", ply, "--json"]);
        assert_eq!(hint["plays"][0]["play"], "8/5 6/5");
        assert_eq!(hint["plays"][0]["loss"], 0.0);
        assert_eq!(hint["legal"], 16);
        assert_eq!(hint["plays"][0]["class"], "default");
        let equity = |i: usize| hint["plays"][i]["equity"].as_f64().expect("a number");
        assert!(equity(0) > equity(1));
    }
    assert!(text(&["hint", "4HPwATDgc/ABMA", "31"]).contains("1. 8/5 6/5"));
}

#[test]
fn a_roller_rolls_out_what_a_search_leaves_close() {
    let hint = json(&["hint", "64", "--ply", "roller", "--json"]);
    assert_eq!((hint["roller"].as_str(), hint["plies"].as_u64()), (Some("roller"), Some(3)));
    let plays = hint["plays"].as_array().expect("plays");
    let rolled = plays.iter().take_while(|play| !play["rollout"].is_null()).count();
    assert!((2..=5).contains(&rolled), "{hint}");
    assert!(plays[rolled..].iter().all(|play| play["rollout"].is_null()), "{hint}");
    let losses: Vec<f64> =
        plays.iter().map(|play| play["loss"].as_f64().expect("a loss")).collect();
    assert!(losses.iter().all(|loss| *loss >= 0.0), "{losses:?}");
    assert!(text(&["hint", "64", "--ply", "roller"]).contains("roller ± 0.0"));
    // A clear decision needs no games.
    let clear = json(&["hint", "31", "--ply", "roller", "--json"]);
    assert!(clear["plays"][0]["rollout"].is_null(), "{clear}");
    let double = "XGID=-a-B--E-B-a-dDB--b-bcb----:0:0:1:00:0:0:0:0:10";
    let cube = json(&["cube", double, "--ply", "roller", "--json"]);
    assert!(cube["rollout"]["games"].as_u64().is_some_and(|games| games >= 36), "{cube}");
    let error = common::refused(&["hint", "31", "--ply", "rolls"], 2);
    assert!(error.contains("invalid depth 'rolls': expected 1 to 4 plies, or roller"), "{error}");
}

#[test]
fn a_file_with_a_position_is_asked_like_its_id() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/backgammon/tests/records/written.xgp");
    let xgid = "XGID=a-B-CBC--A---dC---ca-d---A:1:-1:-1:52:2:4:0:7:10";
    for command in ["hint", "rolls"] {
        let ask = |id: &str| text(&[command, id, "--ply", "1"]);
        assert_eq!(ask(file), ask(xgid), "{command}");
    }
    let refused = common::refused(&["analyse", file], 2);
    assert!(refused.contains(&format!("ask about it: nonet hint {xgid}\n")), "{refused}");
    let missing = common::refused(&["hint", "no-such-file.xgp"], 2);
    assert!(missing.contains("cannot read the file"), "{missing}");
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/backgammon/tests/records/xg.txt");
    let games = common::refused(&["cube", games], 2);
    assert!(games.contains("the file holds games"), "{games}");
}

#[test]
fn hints_for_many_lines_come_in_the_order_of_the_lines() {
    let input = "4HPwATDgc/ABMA 31\n\n4HPwATDgc/ABMA 42\nXGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10\n4HPwATDgc/ABMA\n";
    let output = nonet(&["hint", "--stdin", "--json", "--ply", "1", "--plays", "1"], input);
    let lines = String::from_utf8(output.stdout).expect("text");
    let answers: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let plays: Vec<&Value> = answers.iter().map(|answer| &answer["plays"][0]["play"]).collect();
    assert_eq!(plays[..3], ["8/5 6/5", "8/4 6/4", "13/7 8/7"]);
    assert_eq!(answers[3]["action"], "no-double", "without a roll the question is the cube's");
}

#[test]
fn a_cube_decision_says_all_three_equities_and_the_action() {
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
    let answer = json(&["cube", id, "--json"]);
    assert_eq!(
        (answer["action"].as_str(), answer["answer"].as_str()),
        (Some("no-double"), Some("take"))
    );
    assert_eq!(answer["double_pass"], 1.0);
    let words = text(&["cube", id]);
    for part in ["no double", "double, take", "double, pass", "No double, take", "gammon prices"] {
        assert!(words.contains(part), "{part} in {words}");
    }
    let crawford = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:0:1:7:10";
    assert_eq!(json(&["cube", crawford, "--json"])["action"], "not-available");
}

#[test]
fn a_rollout_depends_on_its_seed_only() {
    let words =
        ["rollout", "4HPwATDgc/ABMA", "--games", "36", "--truncate", "4", "--json", "--threads"];
    let run = |threads| {
        let mut answer = json(&[&words[..], &[threads]].concat());
        answer["seconds"].take();
        answer
    };
    let one = run("1");
    assert_eq!(one, run("2"));
    assert_eq!(one["rollouts"][0]["games"], 36);
    let luck = one["rollouts"][0]["stderr_with_luck"].as_f64().expect("a number");
    assert!(luck > 2.0 * one["rollouts"][0]["stderr"].as_f64().expect("a number"));
}

#[test]
fn a_rollout_between_levels_gives_the_stronger_side_more_and_a_table_agrees_with_it() {
    let words = ["rollout", "4HPwATDgc/ABMA", "64", "--games", "36", "--truncate", "8", "--json"];
    let with = |more: &[&str]| {
        let mut answer = json(&[&words[..], more].concat());
        answer["seconds"].take();
        answer
    };
    let best = |answer: &serde_json::Value| answer["rollouts"][0]["equity"].as_f64();
    let (equal, ahead) = (with(&[]), with(&["--levels", "champion,human-11"]));
    assert!(equal.get("levels").is_none());
    assert_eq!(ahead["levels"], serde_json::json!(["champion", "human-11"]));
    assert!(best(&ahead) > best(&equal));
    let table = with(&["--strengths", "--plays", "3"]);
    let rows = table["rows"].as_array().expect("rows");
    assert!(rows.len() == 4 && rows.iter().all(|row| row.as_array().map(Vec::len) == Some(4)));
    for (cell, answer) in [(&table["rows"][0][0], &equal), (&table["rows"][0][3], &ahead)] {
        let row = &answer["rollouts"][0];
        assert_eq!(cell["best"], row["play"]);
        let at = table["decisions"].as_array().expect("plays").iter();
        let at = at.clone().position(|play| *play == row["play"]).expect("the play");
        assert_eq!(cell["equities"][at]["equity"], row["equity"]);
        assert_eq!(cell["lead"]["equity"], answer["rollouts"][1]["loss"]);
    }
    let refused = nonet(&["rollout", "4HPwATDgc/ABMA", "--levels", "a,b"], "");
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_resumed_rollout_gives_the_result_of_an_uninterrupted_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kept.json");
    let file = path.to_str().expect("text");
    let run = |more: &[&str]| {
        let words = ["rollout", "4HPwATDgc/ABMA", "--truncate", "2", "--json", "--games"];
        let mut answer = json(&[&words[..], more].concat());
        answer["seconds"].take();
        answer
    };
    run(&["144", "--keep", file]);
    assert_eq!(run(&["288", "--keep", file]), run(&["288"]));
    let words = ["rollout", "4HPwATDgc/ABMA", "--seed", "2", "--keep", file];
    let refused = nonet(&words, "");
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(error.contains("holds a rollout of another question"), "{error}");
}

#[test]
fn a_rolled_out_cube_decision_says_the_errors_of_its_differences_and_what_they_leave_out() {
    let id = "XGID=-a-B--E-C---dD---c-e----A-:0:0:1:00:0:0:0:0:10";
    let words = ["rollout", id, "--cube", "--games", "288", "--truncate", "3"];
    let answer = json(&[&words[..], &["--json"]].concat());
    let of = |name: &str, part: &str| answer["cube"][name][part].as_f64().expect("a number");
    let gain = of("double_take", "equity").min(1.0) - of("no_double", "equity");
    assert!((of("double_gains", "equity") - gain).abs() < 1e-6, "{answer}");
    // The same dice: the difference is known better than both.
    let apart = of("double_take", "stderr").hypot(of("no_double", "stderr"));
    assert!(of("double_gains", "stderr") < apart, "{answer}");
    assert!(answer["stderr_leaves_out"].as_str().expect("text").contains("cut off"), "{answer}");
    let words = text(&words);
    for part in
        ["no double  ", "double, take", "No double, take", "a double gains X", "It leaves out"]
    {
        assert!(words.contains(part), "{part} in {words}");
    }
    let match_id = "XGID=-a-B--E-C---dD---c-e----A-:0:0:1:00:3:3:0:5:10";
    let in_match = ["rollout", match_id, "--cube", "--games", "36", "--truncate", "2", "--json"];
    assert_eq!(json(&in_match)["cube"]["double_pass"], 1.0);
}

#[test]
fn the_cube_decision_of_a_beaver_is_refused_in_words() {
    for offer in ["B", "R"] {
        let id = format!("XGID=-a-B--E-C---dD---c-e----A-:1:-1:1:{offer}:0:0:3:0:10");
        let refused = nonet(&["rollout", &id, "--cube"], "");
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(error.contains("expected the position before the double"), "{error}");
    }
}

#[test]
fn a_rollout_ends_when_its_error_is_small_or_its_best_play_is_far_ahead() {
    let words = ["rollout", "4HPwATDgc/ABMA", "31", "--games", "432", "--truncate", "2", "--json"];
    let games = |more: &[&str]| {
        let answer = json(&[&words[..], more].concat());
        let rows = answer["rollouts"].as_array().expect("rows").clone();
        assert_eq!(rows.len(), 3);
        assert!(rows.iter().all(|row| row["games"] == rows[0]["games"]), "{rows:?}");
        rows[0]["games"].as_u64().expect("a number")
    };
    assert_eq!(games(&[]), 432);
    assert_eq!(games(&["--until", "0.5"]), 288);
    assert_eq!(games(&["--separated", "1"]), 288, "the best play by far");
    assert_eq!(games(&["--separated", "100000"]), 432);
}

/// Ctrl-C saves the games that are done, and the same command continues.
#[cfg(unix)]
#[test]
fn an_interrupted_rollout_continues_as_if_it_had_not_been_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kept.json");
    let file = path.to_str().expect("text");
    let words = ["rollout", "4HPwATDgc/ABMA", "31", "--games", "720", "--truncate", "3", "--json"];
    let words =
        [&words[..], &["--plays", "2", "--net", "nets/small.nonet", "--no-bearoff"]].concat();
    let kept = [&words[..], &["--keep", file]].concat();
    let run = |words: &[&str]| {
        let output = common::nonet(words).output().expect("run");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let mut answer: Value = serde_json::from_slice(&output.stdout).expect(&text);
        answer["seconds"].take();
        answer
    };
    // A signal that comes before the program has started to play ends it at once.
    for wait in [300, 1000, 3000, 9000] {
        let mut child = common::nonet(&kept);
        child.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = child.spawn().expect("started");
        std::thread::sleep(std::time::Duration::from_millis(wait));
        let pid = child.id().to_string();
        Command::new("kill").args(["-INT", &pid]).status().expect("kill");
        child.wait().expect("ended");
        if path.exists() {
            break;
        }
    }
    assert!(path.exists(), "saved");
    assert_eq!(run(&kept), run(&words));
}

#[test]
fn invalid_arguments_get_an_error_message_and_exit_code_2() {
    let long = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:70:10";
    for (words, part) in [
        (
            &["hint", "nonsense", "31"][..],
            "invalid length 8 of the Position ID: expected 14 characters",
        ),
        (&["hint", "4HPwATDgc/ABMA", "71"], "invalid roll '71'"),
        (
            &["hint", "4HPwATDgc/ABMA", "31", "--ply", "5"],
            "invalid depth '5': expected 1 to 4 plies",
        ),
        (&["cube", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:9:0:0:7:10"], "invalid score 9 of"),
        (&["cube", long], "a player needs 70 points, but the match equity table"),
        (&["cube", "4HPwATDgc/ABMA", "--met", "Cargo.toml"], "invalid XML"),
        (&["rollout", "4HPwATDgc/ABMA", "--games", "0"], "--games must be at least 1"),
        (&["rollout", "4HPwATDgc/ABMA", "--until=-1"], "--until must be a number of points"),
        (
            &["rollout", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:0:1:7:10", "--cube"],
            "the player on roll cannot double",
        ),
        (&["rollout", "4HPwATDgc/ABMA", "31", "--cube"], "cannot be used with"),
        (&["rollout", "4HPwATDgc/ABMA", "--keep", "none/x.json"], "a file in an existing folder"),
        (&["hint", "--stdin", "a", "b"], "cannot be used with"),
        (&["hint", "31", "--scores", "--cubeless"], "cannot be used with"),
        // Whether these mean anything is known with the ID.
        (&["hint", "4HPwATDgc/ABMA", "--cubeless"], "--cubeless needs a roll, and the ID has none"),
        (&["hint", "start", "--plays", "3"], "add one, as in 'start 31', or leave --plays out"),
        (&["hint", "start", "--variant", "hypergammon", "--plays", "3"], "--plays needs a roll"),
        (&["rollout", "4HPwATDgc/ABMA", "--plays", "3"], "--plays needs a roll"),
        (&["rollout", "4HPwATDgc/ABMA", "--strengths", "--plays", "3"], "--plays needs a roll"),
        (&["rollout", "4HPwATDgc/ABMA", "--separated", "3"], "--separated needs a roll"),
        (&["why", "start", "--instead", "8/5 6/5"], "--instead needs a roll"),
        (&["hint", "31", "--cube-ply", "2"], "the question is the play of 31: --ply is its depth"),
        (&["hint", "start", "--ply", "2"], "--cube-ply is the depth of cube decisions"),
        (&["hint", "31", "--variant", "hypergammon", "--cubeless"], "--cubeless cannot be used"),
        // All words get a net.
        (&["hint", "31", "--variant", "hypergammon"], "--net cannot be used with --variant"),
    ] {
        let output = nonet(words, "");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {error}");
        assert!(error.contains(part), "{words:?}: {error}");
        assert!(output.stdout.is_empty());
    }
    let output = nonet(&["hint", "--stdin"], "4HPwATDgc/ABMA 3 1 now\n");
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("line 1: invalid line: expected 'ID' or 'ID DICE'")
    );
}

#[test]
fn a_play_is_explained_in_sentences_and_as_json() {
    let words = ["why", "start", "31", "--instead", "24/23 13/10", "--ply", "2"];
    let said = text(&words);
    assert!(said.contains("\n8/5 6/5 is 0.") && said.contains("points better than 24/23 13/10"));
    assert!(said.contains("throws that hit, of 36"), "{said}");
    let answer = json(&[&words[..], &["--json"]].concat());
    let sentences = answer["sentences"].as_array().expect("sentences");
    // Long sentences are folded.
    let whole = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(sentences.iter().all(|one| whole.contains(one.as_str().expect("words"))), "{said}");
    // Without a roll the cube decision is explained.
    let cube = text(&["why", "start", "--ply", "1"]);
    assert!(cube.contains("\nWait: a double now would lose 0."), "{cube}");
    assert!(cube.contains("lost: replies after which the opponent must pass"), "{cube}");
    let refused = nonet(&["why", "start", "31", "--instead", "8/3"], "");
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_score_matrix_is_a_table_whose_cells_are_plain_answers() {
    let words = ["hint", "21", "--ply", "1", "--scores=3", "--play", "24/23 13/11"];
    let said = text(&words);
    assert!(said.contains("\nX \\ O     1C      1      2      3\n"), "{said}");
    assert!(said.contains(", asked\n") && said.contains("cube at 2 X's"), "{said}");
    let matrix = json(&[&words[..], &["--json"]].concat());
    let cells = matrix["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), 1 + 9 + 4);
    let given = cells.iter().find(|cell| cell["given"] == true).expect("the score of the question");
    let plain = json(&["hint", "21", "--ply", "1", "--json"]);
    assert_eq!(given["play"]["equity"], plain["plays"][0]["equity"]);
    let cube = ["cube", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:6:1:7:10", "--ply", "1"];
    let said = text(&[&cube[..], &["--scores=4"]].concat());
    assert!(said.contains("*-") && said.contains("N no double, T double and take"), "{said}");
    for (words, part) in [
        (&["hint", "21", "--scores=16"][..], "16"),
        (&["hint", "21", "--play", "8/5"], "--scores"),
        (&["hint", "21", "--scores=2", "--play", "8/2"], "8/2"),
        (&["hint", "start", "--scores=2", "--play", "8/2"], "--play needs a roll"),
    ] {
        let refused = nonet(words, "");
        let error = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{words:?}: {error}");
        assert!(error.contains(part), "{words:?}: {error}");
    }
}

#[test]
fn the_rolls_of_a_position_have_their_luck() {
    let said = text(&["rolls", "start", "--ply", "1"]);
    assert_eq!(said.lines().filter(|line| line.contains("/")).count(), 21, "{said}");
    assert!(said.contains("\nroll  play") && said.contains("\nmean  "), "{said}");
    let rolls = json(&["rolls", "start", "--ply", "1", "--json"]);
    let luck = rolls["rolls"].as_array().expect("rolls").iter().map(|roll| {
        roll["throws"].as_f64().expect("throws") * roll["luck"].as_f64().expect("luck")
    });
    assert!(luck.sum::<f64>().abs() < 1e-4, "{rolls}");
}
