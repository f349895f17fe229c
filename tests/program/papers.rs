//! The committed reports of the papers' experiments follow from the raw results next to them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use nonet::papers::{Claims, Experiment, FinishedExperiment};
use serde_json::Value;

use crate::common;

const REPORTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/papers");

/// The folders of the committed reports.
fn folders() -> Vec<PathBuf> {
    let entries = fs::read_dir(REPORTS).expect("the folder of the reports");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("definition.toml").is_file())
        .collect();
    folders.sort();
    folders
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("readable") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target)
        } else {
            fs::copy(&path, target).map(drop).expect("copied")
        }
    }
}

/// The lines of `runs.jsonl` by name: `VARIANT-REPEAT` of simulations, `match PLACE` of matches.
fn results(folder: &Path) -> BTreeMap<String, Value> {
    let text = fs::read_to_string(folder.join("runs.jsonl")).expect("the results");
    let read = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let name = match &line["match"] {
            Value::Null => format!("{}-{}", line["variant"], line["repeat"]),
            place => format!("match {place}"),
        };
        (name, line)
    };
    text.lines().map(read).collect()
}

fn write_results(folder: &Path, lines: &BTreeMap<String, Value>) {
    let text: String = lines.values().map(|line| format!("{line}\n")).collect();
    fs::write(folder.join("runs.jsonl"), text).expect("written");
}

#[test]
fn the_rises_after_300_games_follow_from_the_ratings() {
    let folder = Path::new(REPORTS).join("baxter-peak");
    let said = fs::read_to_string(folder.join("discussion.md")).expect("the discussion");
    let runs = results(&folder);
    for variant in [0, 1] {
        let of_variant = runs.values().filter(|run| run["variant"] == variant);
        let rating = |run: &Value, games: usize| run["ratings"][games].as_f64().expect("a rating");
        let rises: Vec<f64> = of_variant.map(|run| rating(run, 300) - rating(run, 0)).collect();
        let mean = (rises.iter().sum::<f64>() / rises.len() as f64).round() as u64;
        let written = format!("{},{:03} ", mean / 1000, mean % 1000);
        assert!(said.contains(&written), "{written}: {said}");
    }
}

#[test]
fn every_committed_report_follows_from_its_raw_results_to_the_last_digit() {
    let folders = folders();
    assert!(folders.len() >= 10);
    for folder in folders {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let finished =
            FinishedExperiment::read(&folder).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(finished.experiment.name, name);
        assert!(Experiment::text(&name).is_some(), "{name} is not in the list");
        let files = finished.files().expect("drawn");
        for (file, content) in &files {
            let committed = fs::read_to_string(folder.join(file)).unwrap_or_default();
            assert!(
                committed == *content,
                "{name}/{file} does not follow from the results beside it: `nonet reproduce --report {}` makes it again",
                folder.display()
            );
        }
        let stray = fs::read_dir(&folder)
            .expect("readable")
            .map(|entry| entry.expect("an entry").file_name());
        let own = [
            "runs",
            "runs.jsonl",
            "discussion.md",
            "definition.toml",
            "settings.toml",
            // A net that simulations begin with.
            "start.nonet",
        ];
        for file in stray.map(|name| name.to_string_lossy().into_owned()) {
            let known = own.contains(&file.as_str()) || files.iter().any(|(name, _)| *name == file);
            assert!(known, "{name}/{file} is no part of the report");
        }
    }
}

#[test]
fn a_report_says_that_it_is_at_the_papers_size_only_where_it_is() {
    for folder in folders() {
        let text = fs::read_to_string(folder.join("report.md")).expect("a report");
        let first = text.split("\n\n").find_map(|paragraph| paragraph.strip_prefix("Size: "));
        let first = first.unwrap_or_default().replace('\n', " ");
        assert!(!text.contains("full scale"), "{}", folder.display());
        let known =
            ["**Cut**: ", "At the paper's size: "].iter().any(|words| first.starts_with(words));
        assert!(
            known
                || first.ends_with("to compare the size with.")
                || first.contains(". The paper: "),
            "{}: {first}",
            folder.display()
        );
        assert!(!text.contains("± 0.000"), "{}: an error of nothing", folder.display());
    }
}

/// Where each heading of a page stands, by its first words.
fn places(text: &str, headings: &[&str]) -> Vec<usize> {
    headings.iter().filter_map(|heading| text.find(heading)).collect()
}

#[test]
fn a_page_answers_what_was_found_first_and_how_it_was_made_last() {
    for folder in folders() {
        let name = folder.display();
        let text = fs::read_to_string(folder.join("report.md")).expect("a report");
        let finding = text.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
        // A full stop within a number ends no sentence.
        let sentences = format!("{finding} ").matches(". ").count();
        assert!((1..=3).contains(&sentences), "{name}: {sentences} sentences: {finding}");
        let longest = finding.split(". ").map(|words| words.split(' ').count()).max();
        assert!(longest < Some(26), "{name}: {longest:?} words in a sentence");
        let order = ["The authors say: ", "\n## Pictures", "\n## Figures", "\n## How it was made"];
        let found = places(&text, &order);
        assert!(found.len() == order.len() && found.is_sorted(), "{name}: {found:?}");
        let drawn = text.matches(".svg)\n\n*").count();
        assert_eq!(drawn, text.matches(".svg)").count(), "{name}: a picture without a caption");
        let own = fs::read_to_string(folder.join("definition.toml")).expect("a definition");
        assert_eq!(own.contains("[[variant]]"), text.contains("## How learning works"), "{name}");
    }
}

#[test]
fn results_of_another_experiment_are_refused() {
    let [three, four] =
        ["wiering-table3", "wiering-table4"].map(|name| Path::new(REPORTS).join(name));
    let folder = tempfile::tempdir().expect("a folder");
    copy(&four, folder.path());
    assert!(FinishedExperiment::read(folder.path()).is_ok());
    let own = results(folder.path());
    let refused = |lines: &BTreeMap<String, Value>| {
        write_results(folder.path(), lines);
        FinishedExperiment::read(folder.path()).expect_err("other results").to_string()
    };
    let mut foreign = own.clone();
    let mut line = results(&three)["0-0"].clone();
    line["variant"] = 3.into();
    foreign.insert("3-0".to_owned(), line);
    let error = refused(&foreign);
    assert!(error.contains("another experiment"), "{error}");
    let mut stray = own.clone();
    let mut line = own["3-0"].clone();
    (line["variant"], line["repeat"]) = (9.into(), 9.into());
    stray.insert("9-9".to_owned(), line);
    let error = refused(&stray);
    assert!(error.contains("no result of this experiment"), "{error}");
    let mut missing = own;
    missing.remove("3-0");
    let error = refused(&missing);
    assert!(error.contains("simulation 0 of variant 3 in"), "{error}");
    assert!(error.contains("missing"), "{error}");
}

#[test]
fn a_figure_that_is_changed_by_one_digit_no_longer_follows_from_the_results() {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&Path::new(REPORTS).join("wiering-table3"), folder.path());
    let before = FinishedExperiment::read(folder.path()).expect("whole").files().expect("drawn");
    let cell = folder.path().join("runs.jsonl");
    let text = fs::read_to_string(&cell).expect("the results");
    let (head, tail) = text.split_once("\"points\":").expect("a share");
    let digit = tail.find(|c: char| ('1'..='8').contains(&c)).expect("a digit");
    let mut changed = tail.to_owned();
    changed.replace_range(digit..=digit, "9");
    fs::write(&cell, format!("{head}\"points\":{changed}")).expect("written");
    let after = FinishedExperiment::read(folder.path()).expect("whole").files().expect("drawn");
    assert_ne!(before, after);
}

#[test]
fn every_verdict_of_the_claims_table_follows_from_the_results_by_its_rule() {
    let folder = Path::new(REPORTS);
    let text = fs::read_to_string(folder.join("claims.toml")).expect("the claims");
    let files = Claims::read(&text).expect("readable").files(folder).expect("judged");
    for (name, content) in files {
        let committed = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(committed == content, "{name}: `nonet reproduce --claims papers` makes it again");
    }
}

#[test]
fn a_folder_of_an_earlier_version_with_a_file_for_each_result_gives_the_same_report() {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&Path::new(REPORTS).join("wiering-cube"), folder.path());
    let report = || FinishedExperiment::read(folder.path()).expect("whole").files().expect("drawn");
    let before = report();
    let runs = folder.path().join("runs");
    fs::create_dir(&runs).expect("made");
    for (name, mut line) in results(folder.path()) {
        line.as_object_mut().expect("an object").remove("match");
        let file = name.replace("match ", "bout-") + ".json";
        fs::write(runs.join(file), line.to_string()).expect("written");
    }
    fs::remove_file(folder.path().join("runs.jsonl")).expect("removed");
    let [old, new] = ["experiment.toml", "definition.toml"].map(|name| folder.path().join(name));
    fs::rename(new, old).expect("renamed");
    assert!(report() == before, "another report");
}

/// Variants that begin with the nets of others, and a match against a paper's result.
const STAGES: &str = r#"
name = "stages"
title = "Stages"
paper = "None"
claim = "None."
games = 20
test_games = 40
repeats = 2
metric = "ppg"
[base]
preset = "small"
alpha = "0.01"
batch = 1
[[variant]]
name = "first"
[[variant]]
name = "second"
after = "first"
[[variant]]
name = "third"
after = "second"
set = { source = "expert", successor = "own-turn", sides = "own" }
[[match]]
home = "third"
away = "first"
plies = [1, 1]
games = 40
[[match]]
home = "expert"
away = "pubeval"
plies = [1, 1]
games = 90
paper = { games = 30, points = [100] }
"#;

#[test]
fn simulations_begin_with_nets_of_others_and_an_experiment_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let definition = folder.path().join("stages.toml");
    fs::write(&definition, STAGES).expect("written");
    let expert = concat!(env!("CARGO_MANIFEST_DIR"), "/nets/small.nonet");
    let run = |out: &Path| {
        let words = [
            "reproduce",
            definition.to_str().expect("text"),
            "--expert",
            expert,
            "--out",
            out.to_str().expect("text"),
        ];
        let done = common::nonet(&words).output().expect("runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        fs::read_to_string(out.join("report.md")).expect("a report")
    };
    let [whole, stopped] = ["whole", "stopped"].map(|name| folder.path().join(name));
    let report = run(&whole);
    assert!(report.contains("| expert | pubeval | 1 | 90 |"), "{report}");
    assert!(report.contains("3 matches of 30 games"), "{report}");
    assert!(report.contains("| +100 | no | 100.0 % |"), "{report}");
    let all = results(&whole);
    let command = |name: &str| all[name]["command"].as_str().expect("a command").to_owned();
    for (name, net) in [("1-1", "runs/0-1.nonet"), ("2-0", "runs/1-0.nonet")] {
        assert!(command(name).contains(&format!("{net} ")), "{}", command(name));
    }
    assert!(!command("0-1").contains("--from"));
    copy(&whole, &stopped);
    // As if it had been stopped within the second stage, and in another copy within a match.
    for name in ["1-1.nonet", "2-1.nonet"] {
        fs::remove_file(stopped.join("runs").join(name)).expect("removed");
    }
    let mut lines = all.clone();
    lines.retain(|name, _| !["1-1", "2-1"].contains(&name.as_str()));
    let part = |lines: &mut BTreeMap<String, Value>| {
        let results = &mut lines.get_mut("match 1").expect("a match")["results"];
        results.as_array_mut().expect("results").truncate(1);
    };
    part(&mut lines);
    write_results(&stopped, &lines);
    let error = FinishedExperiment::read(&stopped).expect_err("not finished").to_string();
    assert!(error.contains("simulation 1 of variant 1"), "{error}");
    assert_eq!(run(&stopped), report.replace("/whole/", "/stopped/"));
    // Where the first one is made again, so are those that began with it, and their matches.
    let in_whole = |lines: &BTreeMap<String, Value>| {
        let text = serde_json::to_string(lines).expect("JSON");
        text.replace("/stopped/", "/whole/")
    };
    assert_eq!(in_whole(&results(&stopped)), in_whole(&all));
    lines = results(&stopped);
    for name in ["1-0", "2-0", "match 0"] {
        // Of the same options, and as if another net had made it.
        let line = lines.get_mut(name).expect("a result");
        let other = line.to_string().replace("\"stderr\":", "\"stderr\":1");
        *line = serde_json::from_str(&other).expect("JSON");
    }
    assert_ne!(in_whole(&lines), in_whole(&all));
    lines.remove("0-0");
    write_results(&stopped, &lines);
    assert_eq!(run(&stopped), report.replace("/whole/", "/stopped/"));
    lines = results(&stopped);
    assert_eq!(in_whole(&lines), in_whole(&all));
    part(&mut lines);
    write_results(&stopped, &lines);
    let error = FinishedExperiment::read(&stopped).expect_err("not finished").to_string();
    assert!(error.contains("a match that has not ended"), "{error}");
}

#[test]
fn experiments_are_listed_anywhere_and_a_missing_expert_says_where_the_nets_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |words: &[&str]| {
        let mut command = common::nonet(&[&["reproduce"], words].concat());
        let done = command.current_dir(folder.path()).output().expect("runs");
        let [out, error] = [&done.stdout, &done.stderr].map(|text| String::from_utf8_lossy(text));
        (out.into_owned(), error.into_owned(), done.status.code())
    };
    let hint = "run this in its folder, or with --expert small, which is built in";
    let (listed, error, code) = run(&["--list"]);
    assert_eq!((code, error.matches(hint).count()), (Some(0), 1), "{error}");
    // The titles and the papers stand in one column.
    let lines: Vec<&str> = listed.lines().collect();
    let wide = lines[1].find(|c: char| c != ' ').expect("a paper");
    for pair in lines.chunks(2) {
        let [names, paper] = [pair[0], pair[1]].map(|line| line.split_at(wide));
        assert!(names.0.ends_with(' ') && !names.1.starts_with(' '), "{pair:?}");
        assert!(paper.0.trim().is_empty() && !paper.1.starts_with(' '), "{pair:?}");
    }
    let (_, error, code) = run(&["wiering-table4", "--scale", "0.01"]);
    assert!(code == Some(2) && error.contains(hint), "{error}");
}

#[test]
fn a_simulation_that_fails_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let definition = folder.path().join("stages.toml");
    let diverging = STAGES.replace("\"0.01\"", "\"0.9\"").replace("\"small\"", "\"single-linear\"");
    fs::write(&definition, diverging).expect("written");
    let out = folder.path().join("out");
    let [definition, out] = [&definition, &out].map(|path| path.to_str().expect("text"));
    let done = common::nonet(&["reproduce", definition, "--out", out]).output().expect("runs");
    let error = String::from_utf8_lossy(&done.stderr).into_owned();
    let named = "error: the simulation of 'first' with seed ";
    assert!(
        error.contains(named) && error.contains("failed: the weights have diverged"),
        "{error}"
    );
    assert_eq!(done.status.code(), Some(1));
}

/// A variant with weights that diverge, and one with weights that do not.
const RATES: &str = r#"
name = "rates"
title = "Rates"
paper = "None"
claim = "None."
games = 20
test_games = 40
repeats = 2
metric = "ppg"
[base]
preset = "single-linear"
batch = 1
[[variant]]
name = "high"
set = { alpha = "0.9" }
[[variant]]
name = "low"
set = { alpha = "0.0001" }
"#;

#[test]
fn a_simulation_that_diverges_is_recorded_and_the_others_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let [definition, out] = ["rates.toml", "out"].map(|name| folder.path().join(name));
    fs::write(&definition, RATES).expect("written");
    let run = || {
        let [definition, to] = [&definition, &out].map(|path| path.to_str().expect("text"));
        let words = ["reproduce", definition, "--expert", "small", "--out", to];
        let done = common::nonet(&words).output().expect("runs");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{said}");
        let [lines, report] = ["runs.jsonl", "report.md"]
            .map(|file| fs::read_to_string(out.join(file)).expect("a file"));
        (lines, report, said)
    };
    let (lines, report, said) = run();
    let told = said.matches("the weights have diverged within").count();
    assert!((1..=2).contains(&told) && said.contains("high, simulation "), "{said}");
    let diverged: Vec<Value> =
        results(&out).into_values().filter(|line| line.get("diverged").is_some()).collect();
    assert_eq!(diverged.len(), told);
    for line in &diverged {
        let games = line["diverged"].as_u64().expect("games");
        assert!((1..=20).contains(&games) && line["variant"] == 0, "{line}");
        assert!(line.get("tests").is_none(), "{line}");
    }
    let row = |name: &str| report.lines().find(|line| line.starts_with(name)).expect("a row");
    assert!(row("| high |").ends_with(&format!("| {told} of 2 |")), "{report}");
    assert!(row("| low |").ends_with("| 0 of 2 |"), "{report}");
    let (same_lines, same_report, said) = run();
    assert!(same_lines == lines && same_report == report, "{same_report}");
    assert!(!said.contains("diverged"), "{said}");
    let files = FinishedExperiment::read(&out).expect("whole").files().expect("drawn");
    assert!(files.contains(&("report.md".to_owned(), report)));
}

/// Two claims, of which one is about the row "40 units".
const CLAIMS: &str = r#"
[[claim]]
paper = "Mannen & Wiering"
place = "5.2"
says = "The sizes do not differ."
experiment = "mannen-sizes"
check = { close = { variants = ["40 units", "60 units", "80 units"], games = 50000 } }
[[claim]]
paper = "Mannen & Wiering"
place = "5.2"
says = "The large sizes do not differ."
experiment = "mannen-sizes"
check = { close = { variants = ["60 units", "80 units"], games = 50000 } }
"#;

#[test]
fn a_row_and_its_claims_tell_how_many_simulations_diverged() {
    let above = tempfile::tempdir().expect("a folder");
    let folder = above.path().join("mannen-sizes");
    copy(&Path::new(REPORTS).join("mannen-sizes"), &folder);
    fs::write(above.path().join("claims.toml"), CLAIMS).expect("written");
    let mut lines = results(&folder);
    let line = lines.get_mut("0-3").and_then(Value::as_object_mut).expect("a simulation");
    let kept = ["options", "command", "program", "variant", "repeat"];
    line.retain(|key, _| kept.contains(&key.as_str()));
    line.insert("diverged".to_owned(), 391.into());
    write_results(&folder, &lines);
    let all = lines.len() / 3;
    let finished = FinishedExperiment::read(&folder).expect("whole");
    let files: BTreeMap<String, String> = finished.files().expect("drawn").into_iter().collect();
    let page = &files["report.md"];
    assert!(page.contains("whose weights diverged, which flatters the row.\n"), "{page}");
    assert!(page.contains("Those that diverged are left out."), "{page}");
    for (row, diverged) in [("| 40 units |", 1), ("| 60 units |", 0)] {
        let found = page.lines().find(|line| line.starts_with(row)).expect("a row");
        assert!(found.ends_with(&format!("| {diverged} of {all} |")), "{found}");
    }
    let table = &files["table.csv"];
    assert!(table.contains(&format!("\"40 units\",50000,{},", all - 1)), "{table}");
    assert!(table.contains(&format!("\"60 units\",50000,{all},")), "{table}");
    let [(_, claims), _] =
        Claims::read(CLAIMS).expect("readable").files(above.path()).expect("judged");
    let says = format!("; left out: 1 of {all} simulations of \"40 units\", which diverged");
    assert_eq!(claims.matches(&says).count(), 1, "{claims}");
    assert!(page.contains(&says), "{page}");
}
