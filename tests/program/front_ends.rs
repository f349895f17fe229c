//! The front ends as processes: input, output and exit codes.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::Output;

use nonet::backgammon::record::{RecordedGame, Records};

use crate::common;

/// Runs the program on some input. The bearoff databases are left out: making them takes a second
/// or more.
fn nonet(words: &[&str], input: &str) -> Output {
    let mut command = common::nonet(words);
    common::answer(command.args(["--no-endings", "--ply", "1", "--threads", "1"]), input)
}

/// The games of a record, all of them legal.
fn saved(path: &Path) -> Vec<RecordedGame> {
    let bytes = std::fs::read(path).expect("saved");
    let records = Records::new(bytes.as_slice(), "saved.mat").expect("a record");
    records.map(|game| game.expect("legal")).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn ubgi_answers_over_standard_input_and_output() {
    let input = "ubgi\nisready\nposition gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo\nnonsense\nquit\n";
    let done = nonet(&["ubgi"], input);
    let said = text(&done.stdout);
    assert!(done.status.success());
    for line in ["proto 0.2", "ubgiok", "readyok", "bestmove 8/5 6/5", "error bad_command"] {
        assert!(said.lines().any(|said| said.starts_with(line)), "{line}: {said}");
    }
}

/// `nonet analyse` with a fast net and static cube decisions: those at 3-ply take a minute here.
fn analyse(words: &[&str]) -> Output {
    nonet(&[&["analyse", "--net", "swift", "--cube-ply", "1"], words].concat(), "")
}

#[test]
fn an_analysis_is_text_or_json_and_a_self_contained_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("match.html").to_string_lossy().into_owned();
    let file = "tests/records/crawford.mat";
    let words = analyse(&[file, "--html", &page]);
    assert!(words.status.success(), "{}", text(&words.stderr));
    let said = text(&words.stdout);
    assert!(
        said.contains("match to 3: ")
            && said.contains("\nPR ")
            && said.contains("nonet rollout XGID=")
    );
    let html = std::fs::read_to_string(&page).expect("a page");
    // `url(#x)` is a place on the page: the shades of the checkers.
    let elsewhere = html.replace("url(#", "");
    for loading in ["src=", "<script", "<link", "@import", "url("] {
        assert!(!elsewhere.contains(loading), "{loading}: nothing is loaded and nothing runs");
    }
    // Every link leads to a place on the page, and no place has two names alike.
    let places: Vec<&str> = after_each(&html, " id=\"");
    let links = after_each(&html, "href=\"");
    assert!(links.len() > 10);
    for link in links {
        let place = link.strip_prefix('#').expect("a link into the page");
        assert_eq!(places.iter().filter(|id| **id == place).count(), 1, "{link}");
    }
    // Every decision has a board, an XGID and is folded unless it is a mistake.
    let decisions = html.matches("<details").count();
    assert_eq!(html.matches("<b>XGID</b> XGID=").count(), decisions);
    assert_eq!(html.matches("<use href=\"#points\"/>").count(), decisions);
    let json = analyse(&[file, "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(value["games"].as_array().map(Vec::len), Some(4));
    assert!(value["summary"][0]["pr"].as_f64().is_some_and(|pr| (0.0..60.0).contains(&pr)));
    assert_eq!(value["schema"], 1);
    let all = value["games"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|game| game["decisions"].as_array());
    let marked = all
        .flatten()
        .filter(|decision| decision["mark"].as_str().is_some_and(|mark| !mark.is_empty()));
    assert_eq!(marked.count(), html.matches("<details class=\"d\"").count() - folded(&html));
    let everything = text(&analyse(&[file, "--all"]).stdout);
    assert!(everything.contains("Game 3:") && everything.contains("Crawford game"));
    let why = text(&analyse(&[file, "--why=1"]).stdout);
    let (_, why) = why.split_once("\nWhy they are mistakes:\n").expect("explanations");
    assert!(why.contains("  1. ") && !why.contains("  2. ") && why.contains("better"), "{why}");
}

/// The decisions of a page that are not open.
fn folded(html: &str) -> usize {
    html.split("<details").skip(1).filter(|block| !block[..80].contains(" open>")).count()
}

/// The words in quotes after each place of `mark`.
fn after_each<'a>(html: &'a str, mark: &str) -> Vec<&'a str> {
    html.split(mark).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn marked_decisions_are_judged_by_rollouts_and_the_annotated_record_reads_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let sgf = folder.path().join("match.sgf").to_string_lossy().into_owned();
    let file = "tests/records/crawford.mat";
    let first: serde_json::Value =
        serde_json::from_slice(&analyse(&[file, "--json"]).stdout).expect("JSON");
    let of = |value: &serde_json::Value| -> Vec<serde_json::Value> {
        let games = value["games"].as_array().expect("games");
        games
            .iter()
            .flat_map(|game| game["decisions"].as_array().expect("a list").clone())
            .collect()
    };
    let losses = of(&first);
    let worst = losses.iter().filter_map(|one| one["loss"].as_f64()).fold(0.0, f64::max);
    assert!(worst > 0.02, "{worst}");
    let limit = format!("{:.4}", worst - 0.0001);
    let done =
        analyse(&[file, "--json", "--rollout", &limit, "--rollout-games", "36", "--sgf", &sgf]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let second: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let rolled: Vec<serde_json::Value> =
        of(&second).into_iter().filter(|one| !one["rollout"].is_null()).collect();
    assert_eq!(rolled.len(), 1);
    assert!((rolled[0]["rollout"]["searched_loss"].as_f64().expect("a loss") - worst).abs() < 1e-6);
    assert_eq!(rolled[0]["rollout"]["rows"][0]["games"], 36);
    assert_eq!(saved(Path::new(&sgf)), saved(Path::new(file)));
    let refused = nonet(&["analyse", file, "--rollout", "some"], "");
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_folder_has_one_page_about_the_player_who_occurs_most() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, file) in [("1.mat", "crawford.mat"), ("2.mat", "five-points.mat")] {
        std::fs::copy(format!("tests/records/{file}"), folder.path().join(name)).expect("copied");
    }
    let page = folder.path().join("page.html").to_string_lossy().into_owned();
    let path = folder.path().to_string_lossy().into_owned();
    let done = analyse(&[&path, "--html", &page]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stdout).contains("in 2 matches"), "{}", text(&done.stdout));
    let html = std::fs::read_to_string(&page).expect("a page");
    for part in ["PR by match", "id=\"m1\"", "By the kind of position"] {
        assert!(html.contains(part), "{part}");
    }
    let places = after_each(&html, " id=\"");
    for link in after_each(&html, "href=\"") {
        assert!(places.contains(&link.trim_start_matches('#')), "{link}");
    }
    let refused = nonet(&["analyse", &path, "--player", "nobody"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("unknown player 'nobody': expected one of gnubg, root"));
}

#[test]
fn a_folder_is_analysed_file_by_file_and_what_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |name: &str| folder.path().join(name);
    let game =
        " 3 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/5      62: 24/18 13/11\n";
    let left = format!("{game}  2)  Losses 1 point              Wins 1 point\n");
    let odd = format!("{game}      Wins 9 points\n");
    for (name, text) in [("a.mat", &left), ("b.txt", &odd), ("c.txt", &"Dear friend,\n".to_owned())]
    {
        std::fs::write(of(name), text).expect("written");
    }
    let path = folder.path().to_string_lossy().into_owned();
    let done = analyse(&[&path, "--json"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let lines: Vec<serde_json::Value> =
        text(&done.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["games"][0]["won"]["player"], 1);
    assert_eq!(lines[0]["warnings"].as_array().map(Vec::len), Some(0));
    assert_eq!(lines[1]["warnings"].as_array().map(Vec::len), Some(1));
    let said = text(&done.stderr);
    assert!(said.contains("b.txt:6: invalid result '9 points for ann'"), "{said}");
    assert!(said.contains("c.txt:1: unknown record format"), "{said}");
    let piped = nonet(&["analyse", "-"], &left);
    assert!(piped.status.success() && text(&piped.stdout).contains("match to 3: "));
    std::fs::remove_file(of("a.mat")).expect("removed");
    std::fs::remove_file(of("b.txt")).expect("removed");
    assert_eq!(nonet(&["analyse", &path], "").status.code(), Some(2), "nothing can be used");
}

#[test]
fn explanations_in_the_book_are_those_of_the_program() {
    let chapter = include_str!("../../docs/src/analyse.md");
    let cube = "XGID=-a-aBbD-C-B-bCA---ab--bbb-:0:0:1:00:0:0:0:0:10";
    let commands: [&[&str]; 3] = [
        &["why", "4HPwATDgc/ABMA", "31", "--instead", "24/23 13/10"],
        &["why", "jO0GcCCKz4wBAw", "63"],
        &["why", cube],
    ];
    let blocks = chapter.split("```text\n").skip(1);
    let shown: Vec<&str> = blocks.filter_map(|rest| Some(rest.split_once("```")?.0)).collect();
    let shown = shown.iter().filter(|block| block.contains(" points ")).collect::<Vec<_>>();
    assert_eq!(shown.len(), commands.len());
    for (words, block) in commands.iter().zip(shown) {
        let said = text(&common::answer(&mut common::nonet(words), "").stdout).replace('\n', " ");
        // The chapter wraps at the width of its lines.
        assert!(said.contains(&block.trim().replace('\n', " ")), "{block}\n{said}");
    }
}

#[cfg(feature = "serve")]
#[test]
fn a_port_that_another_program_has_is_a_failure_and_no_wrong_argument() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let [data, runs] = ["data", "runs"].map(|name| common::path(folder.path(), name));
    let words = ["serve", "--port", &port, "--data", &data, "--runs", &runs, "--no-bearoff"];
    let error = common::refused(&words, 1);
    assert!(error.contains("choose another port with --port"), "{error}");
}

#[test]
fn dice_may_be_two_words() {
    let one = nonet(&["hint", "4HPwATDgc/ABMA", "31"], "");
    let two = nonet(&["hint", "4HPwATDgc/ABMA", "3", "1"], "");
    assert!(two.status.success(), "{}", text(&two.stderr));
    assert_eq!(text(&one.stdout), text(&two.stdout));
}

#[test]
fn invalid_records_and_arguments_get_an_error_message_and_exit_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.mat");
    let bad = " 3 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/1\n";
    std::fs::write(&path, bad).expect("written");
    let path = path.to_string_lossy().into_owned();
    let refused = nonet(&["analyse", &path], "");
    assert_eq!(refused.status.code(), Some(2));
    let reason = "bad.mat:5: illegal play '8/5 6/1': expected a legal play of 31";
    assert!(text(&refused.stderr).contains(reason), "{}", text(&refused.stderr));
    let cases: [(&[&str], &str); 4] = [
        (&["analyse", "nowhere.mat"], "cannot read nowhere.mat"),
        (&["play", "--length", "40000"], "expected 1 to 32767 points"),
        (&["ubgi", "--net", "nowhere"], "no net called 'nowhere'"),
        (&["gnubg-player", "--listen", "nowhere"], "invalid address 'nowhere'"),
    ];
    for (words, part) in cases {
        let done = nonet(words, "");
        assert_eq!(done.status.code(), Some(2), "{words:?}: {}", text(&done.stderr));
        assert!(text(&done.stderr).contains(part), "{words:?}: {}", text(&done.stderr));
    }
}
