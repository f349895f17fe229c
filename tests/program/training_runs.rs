//! Whole runs through the command: same seed, same bytes, interrupted or not; and what bad words
//! get.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{assert_same, files, kill_and_resume, nonet, path, refused};
use assert_cmd::assert::OutputAssertExt;

const SMALL_RUN: [&str; 16] = [
    "train",
    "--games",
    "120",
    "--eval-every",
    "40",
    "--eval-games",
    "4",
    "--batch",
    "8",
    "--seed",
    "5",
    "--ema",
    "50",
    "--final-games",
    "20",
    "--out",
];

#[test]
fn a_run_has_the_same_bytes_with_any_number_of_threads_and_after_any_interruption() {
    assert_same_however_it_ran(&SMALL_RUN);
}

#[test]
fn a_gated_run_and_the_other_rules_have_the_same_bytes_after_any_interruption() {
    let words = "train --gated --gate-every 80 --games 240 --eval-every 40 --eval-games 40 --batch 8 --seed 5 --preset small \
                 --ema 30 --final-games 0 --update online --backprop extended --squash 0.5 --unforeseen drop --out";
    let folder = assert_same_however_it_ran(&words.split_whitespace().collect::<Vec<_>>());
    let page = std::fs::read_to_string(folder.path().join("one/report.html")).expect("a report");
    assert!(page.contains("<h2>Gate</h2>"), "the first gate has been played");
}

#[test]
fn replay_buffers_and_optimizer_state_survive_any_interruption() {
    let words = "train --from nets/small.nonet --widen 44 --widen-races 24 --method rootstrap --epsilon 0.2 --games 32 --eval-every 8 --eval-games 4 \
                 --batch 4 --seed 5 --epochs 3 --replay 300 --optimizer adam --alpha 0.001 --ema 30 --against pubeval,random --final-games 0 --out";
    assert_same_however_it_ran(&words.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn fine_tuning_has_the_same_bytes_after_any_interruption_and_an_extended_run_ends_with_it_again() {
    let words = "train --preset small --games 48 --fine-tune 20 --eval-every 10 --eval-games 4 --batch 8 --seed 5 --alpha 0.05 \
                 --ema 30 --final-games 0 --out";
    let folder = assert_same_however_it_ran(&words.split_whitespace().collect::<Vec<_>>());
    let tested = |name: &str| {
        let table = std::fs::read_to_string(folder.path().join(name).join("history.csv"));
        let games = |row: &str| row.split(',').next().and_then(|games| games.parse().ok());
        let table = table.expect("a table");
        table.lines().filter_map(games).collect::<Vec<u64>>()
    };
    assert_eq!(tested("one"), [10, 20, 28, 30, 40, 48], "a test before the fine-tuning");
    let one = path(folder.path(), "one");
    nonet(&["train", "--resume", &one, "--games", "64"]).assert().success();
    assert_eq!(tested("one"), [10, 20, 28, 30, 40, 48, 50, 60, 64], "TD goes on from 48 games on");
}

/// Runs these words, which lack the folder, with one thread, with three, and killed again and
/// again.
fn assert_same_however_it_ran(words: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let out = |name: &str| path(folder.path(), name);
    let run = |name: &str, threads: &str| {
        let mut words = words.to_vec();
        let out = out(name);
        words.extend([out.as_str(), "--threads", threads]);
        nonet(&words)
    };
    run("one", "1").assert().success();
    run("three", "3").assert().success();
    assert_same(&folder.path().join("one"), &folder.path().join("three"));

    kill_and_resume(run("killed", "2"), &folder.path().join("killed"));
    assert_same(&folder.path().join("one"), &folder.path().join("killed"));
    folder
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_run_and_resuming_ends_it_as_if_nothing_had_been() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, stopped) = (path(folder.path(), "whole"), path(folder.path(), "stopped"));
    let run = |out: &str| nonet(&[&SMALL_RUN[..], &[out]].concat());
    run(&whole).assert().success();
    let child = run(&stopped).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("starts");
    while !folder.path().join("stopped/config.toml").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(60));
    Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
    let output = child.wait_with_output().expect("ends");
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    // A fast machine may have finished before the signal came; otherwise it says how to go on.
    if !said.contains("games learned") {
        assert!(said.contains("continue with: nonet train --resume"), "{said}");
        nonet(&["train", "--resume", &stopped]).assert().success();
    }
    assert_same(Path::new(&whole), Path::new(&stopped));
}

#[test]
fn a_finished_run_resumed_is_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "run");
    nonet(&[
        "train",
        "--games",
        "8",
        "--eval-every",
        "8",
        "--eval-games",
        "4",
        "--final-games",
        "0",
        "--out",
        &out,
    ])
    .assert()
    .success();
    let before = files(Path::new(&out));
    nonet(&["train", "--resume", &out]).assert().success();
    assert_eq!(before, files(Path::new(&out)));
}

/// Words of a small run in this folder.
fn small_run(out: &str) -> Command {
    let words = "train --games 60 --eval-every 20 --eval-games 20 --eval-at 10 --batch 10 --preset small \
                 --alpha 0.1..0.001 --ema 20 --final-games 40 --json --out";
    nonet(&words.split_whitespace().chain([out]).collect::<Vec<_>>())
}

#[test]
fn the_result_of_a_run_stands_in_its_json_line_its_page_and_its_net() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "run");
    let assert = small_run(&out).assert().success();
    let value: serde_json::Value =
        serde_json::from_slice(&assert.get_output().stdout).expect("JSON");
    let ppg = value["last_match"]["ppg"].as_f64().expect("a number");
    assert_eq!(value["last_match"]["games"], 40);
    let matches = value["play_off"]["matches"].as_array().expect("a list");
    assert!(!matches.is_empty() && matches[0]["games"].as_u64().expect("a number") <= 200);
    let net = nonet::store::read_net(&Path::new(&out).join("best.nonet")).expect("a net");
    let measured = net.provenance.result.expect("measured");
    assert_eq!((measured.against.as_str(), measured.games), ("pubeval", 40));
    assert!((measured.ppg - ppg).abs() < 1e-12);
    assert_eq!(net.provenance.weights, value["weights"].as_str().expect("a word"));
    let page = std::fs::read_to_string(Path::new(&out).join("report.html")).expect("a page");
    assert!(
        page.contains(&format!("scores {ppg:+.3} ±")) && !page.contains("http-equiv=\"refresh\"")
    );
    for name in ["average.nonet", "last.nonet"] {
        let other = nonet::store::read_net(&Path::new(&out).join(name)).expect("a net");
        assert_eq!(other.provenance.result, None, "{name} was not measured");
    }
}

#[test]
fn a_finished_run_can_be_extended_and_the_command_says_what_becomes_of_its_rates() {
    let folder = tempfile::tempdir().expect("a folder");
    let (out, other) = (path(folder.path(), "run"), path(folder.path(), "other"));
    for out in [&out, &other] {
        small_run(out).assert().success();
    }
    let longer = |out: &str, more: &[&str]| {
        let words = [&["train", "--resume", out, "--games", "90"], more].concat();
        let assert = nonet(&words).assert().success();
        let output = assert.get_output();
        assert!(String::from_utf8_lossy(&output.stdout).contains("90 games learned"));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = longer(&out, &[]);
    assert!(said.contains("extended from 60 to 90 games"), "{said}");
    assert!(said.contains("after 60 games alpha is 0.0046 instead of 0.001"), "{said}");
    let said = longer(&other, &["--schedule", "continue"]);
    assert!(said.contains("alpha stays at 0.001 from 60 games on"), "{said}");
    let last = |out: &str| std::fs::read(Path::new(out).join("last.nonet")).expect("a net");
    assert_ne!(last(&out), last(&other));
    let net = nonet::store::read_net(&Path::new(&out).join("last.nonet")).expect("a net");
    let command = &net.provenance.command;
    assert!(command.ends_with(&format!("&& nonet train --resume {out} --games 90")), "{command}");
    // The longer run has an end of its own, which stays when it is resumed.
    let before = files(Path::new(&out));
    assert!(String::from_utf8_lossy(&before["config.toml"]).contains("commands = ["));
    nonet(&["train", "--resume", &out]).assert().success();
    assert_eq!(before, files(Path::new(&out)));
}

#[test]
fn several_seeds_make_a_table_and_a_plot_and_the_same_command_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "runs");
    let words = "train --games 20 --eval-every 10 --eval-games 20 --eval-at 0 --batch 10 --preset small --ema 0 \
                 --final-games 20 --seed 3 --json --out";
    let seeds = |count: &str, more: &[&str]| -> serde_json::Value {
        let words = words.split_whitespace().chain([out.as_str(), "--seeds", count]);
        let words: Vec<&str> = words.chain(more.iter().copied()).collect();
        let assert = nonet(&words).assert().success();
        serde_json::from_slice(&assert.get_output().stdout).expect("JSON")
    };
    let one = seeds("1", &[]);
    assert_eq!(one["half95"], serde_json::Value::Null, "one seed has no interval");
    let before = files(&Path::new(&out).join("3"));
    let two = seeds("2", &[]);
    assert_eq!(before, files(&Path::new(&out).join("3")), "the first seed is left as it was");
    let runs = two["runs"].as_array().expect("a list");
    assert_eq!((runs.len(), &runs[0]), (2, &one["runs"][0]));
    let ppg = |run: usize| runs[run]["ppg"].as_f64().expect("a number");
    assert!((two["mean"].as_f64().expect("a number") - (ppg(0) + ppg(1)) / 2.0).abs() < 1e-12);
    assert!(Path::new(&out).join("seeds.svg").exists());
    let plot = path(folder.path(), "compared.svg");
    let compared = nonet(&["compare", &out, "--plot", &plot, "--json"]).assert().success();
    let compared: serde_json::Value =
        serde_json::from_slice(&compared.get_output().stdout).expect("JSON");
    assert_eq!(compared["groups"][0]["settings"], out);
    assert_eq!(compared["groups"][0]["seeds"], 2);
    for words in [&["eval", &out][..], &["train", "--from", &out], &["train", "--resume", &out]] {
        let error = refused(words, 2);
        let first = path(Path::new(&out), "3");
        let wanted = format!("it has the runs 3, 4: name one, such as {first}");
        assert!(error.contains(&wanted), "{words:?}: {error}");
    }
    let other = [
        &words.split_whitespace().collect::<Vec<_>>()[..],
        &[&out, "--seeds", "1", "--epochs", "2"],
    ];
    let error = refused(&other.concat(), 2);
    assert!(error.contains("has a run with other options"), "{error}");
}

#[test]
fn a_run_is_redrawn_from_its_folder_and_without_its_checkpoint_from_its_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "run");
    small_run(&out).assert().success();
    let before = files(Path::new(&out));
    for name in ["equity.svg", "values.svg", "report.html"] {
        std::fs::write(Path::new(&out).join(name), "").expect("written");
    }
    nonet(&["redraw", &out]).assert().success();
    assert_eq!(before, files(Path::new(&out)), "the same pictures");
    let page = String::from_utf8_lossy(&before["report.html"]).into_owned();
    for words in
        ["What it learned", "Opening plays", "A game with itself", "What each net looks at"]
    {
        assert!(page.contains(words), "{words}");
    }
    for name in ["checkpoint.nonet", "best.nonet", "last.nonet", "average.nonet"] {
        std::fs::remove_file(Path::new(&out).join(name)).expect("removed");
    }
    nonet(&["redraw", &out]).assert().success();
    let after = files(Path::new(&out));
    assert_eq!(before["values.svg"], after["values.svg"]);
    let page = String::from_utf8_lossy(&after["report.html"]).into_owned();
    assert!(page.contains("The run has ended: 60 of 60 games") && !page.contains("best.nonet\">"));
    let error = refused(&["redraw", &path(folder.path(), "none")], 2);
    assert!(error.contains("expected the folder of a training run"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_stopped_recipe_names_the_command_that_goes_on_with_the_recipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let recipe = path(folder.path(), "mine.toml");
    let text = "name = \"mine\"\nmeaning = \"a test\"\n[[stage]]\nname = \"first\"\npreset = \"small\"\n\
                games = 1000000\neval_every = 100\neval_games = 4\n";
    std::fs::write(&recipe, text).expect("written");
    let out = path(folder.path(), "out");
    let child = nonet(&["train", "--recipe", &recipe, "--out", &out])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    while !folder.path().join("out/first/checkpoint.nonet").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
    let said = String::from_utf8(child.wait_with_output().expect("ends").stdout).expect("text");
    let wanted = format!("continue with: nonet train --recipe {recipe} --out {out}\n");
    assert!(said.ends_with(&wanted), "{said}");
}

#[test]
fn wrong_words_get_a_sentence_and_exit_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = path(folder.path(), "text.nonet");
    std::fs::write(&text, "not a net").expect("written");
    let used = path(folder.path(), "used");
    nonet(&[
        "train",
        "--games",
        "2",
        "--eval-every",
        "2",
        "--eval-games",
        "4",
        "--final-games",
        "0",
        "--out",
        &used,
    ])
    .assert()
    .success();
    let cases: [(&[&str], &str); 66] = [
        (&["levels", "--measure", "2", "--length", "65"], "65"),
        (&["levels", "--length", "3"], "--measure <MATCHES>"),
        (&["analyse", "x.mat", "--rollout-games", "36"], "--rollout <WHICH>"),
        (&["inspect", "small", "swift", "--by", "effect"], "--by is for the inputs of one net"),
        // Before the games.
        (
            &["inspect", "small", "--net", "nosuch", "--games", "2000000"],
            "unknown net 'nosuch' in small",
        ),
        (&["inspect", "small", "nosuch.nonet", "--games", "2000000"], "nosuch.nonet"),
        // clap requires nothing that another option rules out.
        (&["benchmark", "small", "--judge", "swift", "--json"], "cannot be used with"),
        (&["benchmark", "small", "--natural", "--bearoff"], "cannot be used with"),
        (&["benchmark", "small", "--positions", "5", "--decisions", "x"], "cannot be used with"),
        (&["benchmark", "small", "--exact", "x", "--only-coordinate"], "cannot be used with"),
        (&["hint", "21", "--play", "24/23", "--plays", "1"], "cannot be used with"),
        (&["practise", "--questions", "5", "--new", "0"], "cannot be used with"),
        (&["reproduce", "--list", "--out", "x"], "cannot be used with"),
        (&["reproduce", "--report", "x", "--verify", "0.5"], "cannot be used with"),
        (&["reproduce", "--out", "x"], "<NAME>"),
        (&["record", "small", "--out", "none/x.mat"], "expected a file in an existing folder"),
        (&["hint", "tests/records/crawford.mat"], "nonet analyse reads matches"),
        (&["calibrate", "--keep", "none/x.json"], "expected a file in an existing folder"),
        (
            &["benchmark", "--make", "none/x", "--judge", "small"],
            "expected a file in an existing folder",
        ),
        (&["benchmark", "--make", "x", "--judge", "small", "--json"], "cannot be used with"),
        (&["benchmark", "small", "swift", "--make", "x", "--judge", "small"], "name 1, not 2"),
        (&["benchmark", "--exact", "x", "--decisions", "y"], "cannot be used with"),
        (&["benchmark", "--seed", "2"], "--seed needs --make or --exact"),
        (
            &["bearoff", "--gnubg", "one-sided", "--checkers", "3", "--out", "x"],
            "--checkers is no option of this kind",
        ),
        (
            &["bearoff", "--gnubg", "two-sided", "--threshold", "1", "--out", "x"],
            "--threshold is no option of this kind",
        ),
        (&["moves", "4HPwATDgc/ABMA", "70"], "invalid roll '70'"),
        (&["moves", "4HPwATDgc/AB", "31"], "14"),
        (&["moves", "////////////AA", "31"], "15"),
        (&["moves", "AAAAAAAAAAAAAA", "31"], "expected checkers of at least one side"),
        (&["eval", "runs/nosuch.nonet"], "no such file, and no folder of a run: runs/nosuch.nonet"),
        (&["eval", "none/swift.nonet:2"], "did you mean swift, which is built in?"),
        (&["eval", "--plot", "games.png"], "cannot draw games.png: pictures are SVG"),
        (&["compare", &used, "--plot", "curves"], "a name that ends in .svg"),
        (&["calibrate", "--read", "nosuch.json"], "cannot read nosuch.json"),
        (&["benchmark", "small", "--exact", "nosuch.bd"], "cannot open nosuch.bd"),
        (
            &["eval", "nosuch"],
            "no player called 'nosuch': known are random, pubeval, pubeval-zeros, pubeval-ones, champion, expert, small, swift, gnubg:N, puretd:FILE, exact:FILE, ubgi:COMMAND, or a net file, or the folder of a run",
        ),
        (&["eval", &text], "not a nonet file: it does not begin with 'NONET'"),
        (&["eval", "pubeval", "--games", "0"], "--games must be at least 1"),
        (&["eval", "pubeval", "--games", "3"], "--games must be even, not 3"),
        (&["train", "--games", "0"], "--games must be at least 1, not 0"),
        (&["train", "--eval-games", "5"], "--eval-games must be even, not 5"),
        (&["train", "--schedule", "continue"], "--schedule needs --resume and --games"),
        (&["train", "--resume", &used, "--games", "2"], "--games must be above 2"),
        (
            &["train", "--resume", &used, "--final-games", "4"],
            "--final-games cannot be used with --resume",
        ),
        (&["train", "--preset", "huge"], "[possible values: large, small, hidden80, rbf"),
        (&["train", "--update", "online", "--method", "tdleaf"], "td or td-directed"),
        (
            &["train", "--gated", "--gate-every", "15000"],
            "must be a multiple of --eval-every 10000",
        ),
        (&["train", "--gate-every", "50000"], "--gated"),
        (&["train", "--from", "nets/small.nonet", "--preset", "small"], "cannot be used with"),
        (
            &["train", "--classes", "sprint"],
            "unknown class 'sprint': expected one of endgame, race",
        ),
        (&["train", "--squash", "-1"], "unexpected argument"),
        (&["train", "--start-chance", "1"], "--start-chance needs --starts"),
        (&["train", "--method", "rootstrap", "--unforeseen", "drop"], "drop needs --method td"),
        (
            &["train", "--resume", &used, "--widen-races", "8"],
            "--widen-races cannot be used with --resume",
        ),
        (&["train", "--resume", &used, "--gated"], "--gated cannot be used with --resume"),
        (
            &["train", "--recipe", "swift", "--final-games", "0"],
            "--final-games cannot be used with --recipe",
        ),
        (&["train", "--recipe", "swift", "--memory", "5"], "--replay cannot be used with --recipe"),
        (&["train", "--recipe", "nosuch"], "expected champion, swift or a TOML file"),
        (
            &["train", "--from", "nosuch.nonet"],
            "no such file, and no folder of a run: nosuch.nonet",
        ),
        (&["train", "--alpha", "quick"], "invalid schedule 'quick'"),
        (&["train", "--threads", "0"], "--threads must be at least 1"),
        (&["train", "--against", "random,random"], "the opponent random is named twice"),
        (&["train", "--seeds", "0"], "--seeds must be at least 1"),
        (
            &["train", "--seeds", "2", "--seed", "9223372036854775807"],
            "the last seed at most 9223372036854775807",
        ),
        (&["train", "--resume", &used, "--seeds", "2"], "--seeds cannot be used with --resume"),
        (&["train", "--out", &used], "already holds a run: continue it with --resume"),
    ];
    for (words, says) in cases {
        let error = refused(words, 2);
        assert!(error.contains(says), "{words:?}: {error}");
    }
    let error = refused(&["train", "--resume", &text], 2);
    assert!(error.contains("holds no run to resume"), "{error}");
}

#[test]
fn options_of_earlier_versions_make_the_same_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let common = "train --from nets/small.nonet --games 8 --eval-every 8 --eval-games 4 --batch 4 --final-games 0";
    let run = |name: &str, more: &str| {
        let out = path(folder.path(), name);
        let words = format!("{common} {more} --out {out}");
        nonet(&words.split_whitespace().collect::<Vec<_>>()).assert().success();
    };
    let same = |old: &str, new: &str| {
        assert_same(&folder.path().join(old), &folder.path().join(new));
    };
    run("old", "--method lookahead --explore 0.2 --epochs 2 --memory 50 --average 9");
    run("new", "--method rootstrap --epsilon 0.2 --epochs 2 --replay 50 --ema 9");
    same("old", "new");
    run("old-td", "--surprises drop");
    run("new-td", "--unforeseen drop");
    same("old-td", "new-td");
}

#[test]
fn weights_that_diverge_end_the_run_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "run");
    let words =
        "train --preset single-linear --alpha 1 --games 400 --eval-at 0 --eval-games 4 --out";
    let error = refused(&words.split_whitespace().chain([out.as_str()]).collect::<Vec<_>>(), 1);
    assert!(
        error.contains("have diverged within") && error.contains("lower learning rate than 1"),
        "{error}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_failed_work_with_exit_code_1() {
    // /dev/full takes nothing: the results cannot be written.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("the full device");
    let output = nonet(&["moves", "4HPwATDgc/ABMA", "31"]).stdout(full).output().expect("runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("No space left"), "{output:?}");
}

#[test]
fn a_damaged_checkpoint_is_named_and_nothing_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "run");
    nonet(&[
        "train",
        "--games",
        "4",
        "--eval-every",
        "4",
        "--eval-games",
        "4",
        "--final-games",
        "0",
        "--out",
        &out,
    ])
    .assert()
    .success();
    let checkpoint = Path::new(&out).join("checkpoint.nonet");
    let mut bytes = std::fs::read(&checkpoint).expect("there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&checkpoint, &bytes).expect("written");
    let error = refused(&["train", "--resume", &out], 1);
    assert!(error.contains("is damaged: the checksum does not match"), "{error}");
    assert_eq!(std::fs::read(&checkpoint).expect("still there"), bytes);
}

#[test]
fn moves_prints_one_json_line_a_roll_with_each_result_once() {
    let mut child = nonet(&["moves", "--stdin", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    use std::io::Write;
    child
        .stdin
        .take()
        .expect("piped")
        .write_all(b"4HPwATDgc/ABMA 31\n4HPwATDgc/ABMA 66\n")
        .expect("written");
    let output = child.wait_with_output().expect("ends");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["dice"], "31");
    let plays = lines[0]["plays"].as_array().expect("a list");
    // 16 results of 31 from the start, the classic count.
    assert_eq!(plays.len(), 16);
    let five = plays.iter().find(|play| play["play"] == "8/5 6/5").expect("the best known play");
    // The result of the play by its own ID: from the opponent's side, made by hand from the rules
    // alone.
    let start = nonet::backgammon::Position::START;
    let after = start.read_play("8/5 6/5", "31".parse().expect("a roll")).expect("legal").after;
    assert_eq!(five["id"], after.id());
    let ids: std::collections::BTreeSet<_> = plays.iter().map(|play| play["id"].as_str()).collect();
    assert_eq!(ids.len(), plays.len());
}

#[test]
fn eval_answers_in_json() {
    let words = ["eval", "random", "--against", "pubeval", "--games", "100", "--json"];
    let output = nonet(&words).assert().success();
    let value: serde_json::Value =
        serde_json::from_slice(&output.get_output().stdout).expect("JSON");
    assert_eq!(value["games"], 100);
    assert!(value["ppg"].as_f64().expect("a number") < -2.0);
    assert!(value["stderr"].as_f64().expect("a number") > 0.0);
    assert!(value["wins"].as_u64().is_some());
}
