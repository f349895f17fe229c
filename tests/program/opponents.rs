//! Series against engines in other processes: one that plays, and ones that crash, cheat and stall.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

use crate::common;

const NET: &str = "nets/small.nonet";

fn nonet(words: &[&str]) -> Output {
    common::nonet(words).output().expect("our program")
}

fn json(words: &[&str]) -> Value {
    let done = nonet(words);
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
    let mut value: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let fields = value.as_object_mut().expect("an object");
    fields.retain(|name, _| !name.ends_with("_per_second"));
    value
}

/// Our own engine as an opponent.
fn our_engine() -> String {
    let program = cargo_bin!("nonet");
    format!(
        "ubgi:'{}' ubgi --net {NET} --ply 1 --cube-ply 1 --no-endings --threads 1",
        program.display()
    )
}

#[test]
fn an_engine_with_the_same_net_plays_like_the_net_at_every_score_and_cube() {
    let engine = our_engine();
    for rules in [&["--match", "5"][..], &["--money", "--jacoby"], &["--money", "--beavers"]] {
        let words =
            ["eval", NET, "--against", &engine, "--games", "8", "--cube-ply", "1", "--json"];
        let series = json(&[&words[..], rules].concat());
        assert_eq!(series["against"], "ubgi:nonet");
        // With duplicate dice, the second game of each pair is the first one with the seats
        // exchanged.
        assert_eq!((&series["ppg"], &series["stderr"]), (&0.0.into(), &0.0.into()), "{series}");
        assert_eq!(series["cube"]["player"], series["cube"]["against"], "{series}");
        assert_ne!(series["cube"]["player"]["doubles"], 0, "{series}");
        if rules[0] == "--match" {
            assert_eq!(
                (&series["match"]["played"], &series["match"]["won"]),
                (&8.into(), &4.into())
            );
        }
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_series_against_an_engine() {
    let engine = our_engine();
    let run = |threads: &str| {
        let words = ["eval", "pubeval", "--against", &engine, "--match", "3", "--games", "12"];
        json(&[&words[..], &["--json", "--threads", threads]].concat())
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn times_of_both_sides_are_shown_by_plays_and_cube_decisions() {
    let series =
        json(&["eval", NET, "--match", "3", "--games", "4", "--cube-ply", "2", "--time", "--json"]);
    for side in ["player", "against"] {
        for kind in ["plays", "cube"] {
            let times = &series["time"][side][kind];
            let of = |name: &str| times[name].as_f64().expect("a number");
            assert!(of("decisions") > 0.0 && of("median_ms") <= of("p95_ms"), "{series}");
        }
    }
}

#[test]
fn a_filter_narrows_the_search_of_a_series() {
    let words = ["eval", "small:2", "--against", NET, "--games", "20", "--json"];
    let games = |filter: &[&str]| json(&[&words[..], filter].concat());
    let usual = games(&[]);
    assert_eq!(usual, games(&["--filter", "normal/5"]), "the default");
    assert_ne!(usual, games(&["--filter", "tiny/1"]), "one reply to a roll plays otherwise");
}

#[test]
fn a_tournament_of_matches_ranks_by_matches_won() {
    let words = ["tournament", "random", NET, "pubeval", "--match", "3", "--games", "20"];
    let table = json(&[&words[..], &["--cube-ply", "1", "--judge-cube", "1", "--json"]].concat());
    let standing = table["standing"].as_array().expect("players");
    assert_eq!(standing[0]["player"], "small");
    let mwc = |i: usize| standing[i]["mwc"].as_f64().expect("a number");
    assert!(mwc(0) > mwc(1) && mwc(1) > mwc(2) && (mwc(0) + mwc(1) + mwc(2) - 1.5).abs() < 1e-9);
    // PubEval and random play never double, and take everything.
    let errors = |i: usize, kind: &str| standing[i]["cube_errors"][kind].as_u64().expect("a count");
    assert_eq!(standing[1]["player"], "pubeval");
    assert!([1, 2].iter().all(|&i| errors(i, "wrong_doubles") == 0));
    // Random play is seldom in a position to double.
    assert!(errors(1, "missed_doubles") > 0);
}

#[test]
fn a_tournament_without_luck_has_smaller_errors_and_the_same_games() {
    let words = ["tournament", NET, "pubeval", "--games", "20", "--json"];
    let (played, adjusted) = (json(&words), json(&[&words[..], &["--luck-adjusted"]].concat()));
    for i in 0..2 {
        let of = |table: &serde_json::Value, name: &str| table["standing"][i][name].clone();
        assert_eq!(of(&played, "player"), of(&adjusted, "player"));
        assert_eq!(of(&played, "wins"), of(&adjusted, "wins"));
        let number = |table, name| of(table, name).as_f64().expect("a number");
        assert!(number(&adjusted, "stderr") < 0.8 * number(&played, "stderr"), "{adjusted}");
        let apart = number(&adjusted, "ppg") - number(&played, "ppg");
        assert!(apart.abs() < 4.0 * number(&played, "stderr"), "{apart}");
    }
}

#[test]
fn rules_that_contradict_each_other_are_refused() {
    for (words, part) in [
        (&["--match", "65"][..], "invalid match length '65': expected 1 to 64 points"),
        (&["--match", "3", "--money"], "cannot be used with"),
        (&["--jacoby"], "--money"),
        (&["--judge-cube", "1"], "--judge-cube needs a cube"),
        (&["--cube-ply", "1"], "--cube-ply needs a cube"),
        (&["--engine-timeout", "0"], "invalid time limit '0'"),
        (&["--filter", "tiniest"], "expected tiny, narrow, normal"),
        (&["--against", "ubgi:"], "nothing after 'ubgi:': expected ubgi:COMMAND"),
        (&["--against", "puretd: "], "nothing after 'puretd:': expected puretd:FILE"),
    ] {
        let done = nonet(&[&["eval", NET, "--games", "2"][..], words].concat());
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains(part), "{words:?}: {said}");
    }
}

/// An engine that greets, announces what `keys` says, and runs `go` at its first decision.
fn scripted(folder: &Path, name: &str, keys: &str, go: &str) -> String {
    let path = folder.join(name);
    let script = format!(
        "#!/bin/sh\nwhile read -r word rest; do\n case $word in\n  ubgi) echo id name scripted; {keys} echo ubgiok;;\n  \
         isready) echo readyok;;\n  go) if [ \"$rest\" = cube ]; then echo bestcube nodouble; else {go}; fi;;\n  quit) exit 0;;\n esac\ndone\n"
    );
    std::fs::write(&path, script).expect("written");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("executable");
    format!("ubgi:'{}'", path.display())
}

const TAKES: &str = "echo key ext.take bool true;";

#[test]
fn an_engine_that_fails_ends_the_series_with_its_last_lines_and_without_a_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = [
        ("crash", "echo the weights are corrupt >&2; exit 3", "exit status: 3); its last lines: "),
        ("crash", "echo the weights are corrupt >&2; exit 3", "the weights are corrupt"),
        ("leave", "exit 0", "it ended after '"),
        ("cheat", "echo bestmove 24/23 24/23", "illegal play: it answered '24/23 24/23' to "),
        ("garbage", "echo bestmove banana", "invalid checker move 'banana'"),
        ("refuse", "echo error bad_state no weights", "it refused '"),
        ("wrong", "echo bestturn cube=double move=pass", "expected best"),
        ("stall", "echo thinking hard; sleep 600", "within 0.5 s; its last lines: "),
        ("stall", "echo thinking hard; sleep 600", "thinking hard"),
    ];
    for (name, go, part) in cases {
        let engine = scripted(folder.path(), name, TAKES, go);
        let words = ["eval", NET, "--against", &engine, "--match", "3", "--games", "4"];
        let started = Instant::now();
        let done = nonet(&[&words[..], &["--engine-timeout", "0.5", "--threads", "2"]].concat());
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(1), "{name}: {said}");
        assert!(
            said.contains("error: ubgi:scripted failed: ") && said.contains(part),
            "{name}: {said}"
        );
        assert_eq!(done.stdout, b"", "{name}: no result");
        assert!(started.elapsed() < Duration::from_secs(60), "{name}");
    }
}

#[test]
fn an_engine_that_stalls_is_ended_with_its_own_children() {
    let folder = tempfile::tempdir().expect("a folder");
    let children = folder.path().join("children");
    let go = format!("sleep 600 & echo $! >> '{}'; wait", children.display());
    let engine = scripted(folder.path(), "stall", TAKES, &go);
    let words = ["eval", NET, "--against", &engine, "--games", "2", "--engine-timeout", "0.3"];
    assert_eq!(nonet(&words).status.code(), Some(1));
    let text = std::fs::read_to_string(&children).expect("children");
    assert!(text.lines().next().is_some());
    for child in text.lines() {
        let lives = || {
            let probe = Command::new("kill").args(["-0", child]).output().expect("kill");
            probe.status.success()
        };
        let started = Instant::now();
        while lives() && started.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(!lives(), "process {child} is still there");
    }
}

#[test]
fn an_engine_that_cannot_start_or_play_with_the_cube_is_refused_before_the_first_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = scripted(folder.path(), "plain", "", "exit 3");
    for (engine, part) in [
        (plain.as_str(), "it does not announce the extension ext.take"),
        ("ubgi:/nowhere/engine --fast", "cannot start /nowhere/engine"),
        ("ubgi:cat", "no answer to 'ubgi' within 0.5 s"),
        ("ubgi:sh -c 'echo no licence; exit 4'", "(exit status: 4); its last lines: no licence"),
    ] {
        let words = ["eval", NET, "--against", engine, "--money", "--games", "2"];
        let done = nonet(&[&words[..], &["--engine-timeout", "0.5"]].concat());
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(1), "{engine}: {said}");
        assert!(said.contains(part), "{engine}: {said}");
    }
}

#[test]
fn a_file_that_is_not_the_net_of_puretd_is_refused_before_any_game() {
    for (player, says) in [
        ("puretd:nosuch.pt", "cannot open nosuch.pt"),
        ("puretd:nets/small.nonet:2", "nets/small.nonet is not PureTD's net"),
    ] {
        let done = nonet(&["eval", NET, "--against", player, "--games", "2"]);
        let error = String::from_utf8_lossy(&done.stderr).replace('\n', " ");
        assert!(done.status.code() == Some(2) && error.contains(says), "{player}: {error}");
    }
}

#[test]
fn puretd_plays_with_and_without_the_cube() {
    let Some(file) = std::env::var_os("NONET_PURETD") else { return };
    let player = format!("puretd:{}", file.to_string_lossy());
    for rules in [
        &["--luck-adjusted"][..],
        &["--money", "--cube-ply", "1"],
        &["--match", "3", "--cube-ply", "1"],
    ] {
        let words = ["eval", NET, "--against", &player, "--games", "4", "--json"];
        let series = json(&[&words[..], rules].concat());
        assert_eq!(series["against"], "cubeless_prob5_512_512_256_128");
    }
}

#[test]
fn players_are_scored_on_benchmark_files_of_gnubg() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = common::path(folder.path(), "two.bm");
    // The first line says that 8/5 6/5 is best, the second one that it is the worst play.
    let best = "OAHDPAABDAOAHDPAABDA 3 1 LAGHPAABDAOAHDPAABDA 0.162919 NAHDPAABCCOAHDPAABDA 0.25";
    let worst = "OAHDPAABDAOAHDPAABDA 3 1 NAHDPAABCCOAHDPAABDA 0.1 LAGHPAABDAOAHDPAABDA 0.5";
    std::fs::write(&path, format!("s a setting\nm {best}\nm {worst}\n")).expect("a file");
    let words = ["benchmark", "champion", "--bm", &path];
    let score = json(&[&words[..], &["--json"]].concat());
    assert_eq!((&score["player"], &score["file"]), (&"champion".into(), &path.as_str().into()));
    let all = &score["all"];
    assert_eq!((&all["decisions"], &all["er"]), (&2.into(), &250.0.into()), "{score}");
    assert_eq!((&all["agreed"], &all["unlisted"]), (&0.5.into(), &0.0.into()), "{score}");
    let text = String::from_utf8(nonet(&words).stdout).expect("text");
    assert!(text.contains("judged by the rollouts of gnubg"), "{text}");
    std::fs::write(&path, "m OAHDPAABDAOAHDPAABDA 3 1 OAHDPAABDAOAHDPAABDA 0.1\n").expect("a file");
    let done = nonet(&words);
    let error = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.code() == Some(2) && error.contains("two.bm:1: "), "{error}");
}
