//! The training room: runs are started, stopped, resumed, extended, compared and watched.

use std::path::Path;

use serde_json::json;

use crate::common::{Deadline, nonet};
use crate::serving::Server;
use crate::serving::schema::conforms;
use crate::serving::web_driver::{Browser, driver};

/// The curve of the tests is there, and small charts of the classes.
const DRAWN: &str = "return document.querySelector('#strength svg') !== null && document.querySelectorAll('#charts .multiples').length === 2";

#[test]
fn a_training_run_is_watched_to_its_end() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    browser.open(&server.url("/train"));
    browser.wait("return document.querySelector('#first-run:not([hidden])') !== null");
    browser.run("document.getElementById('new').open = true");
    let values =
        [("games", "200"), ("eval_every", "100"), ("eval_games", "40"), ("final_games", "40")];
    for (name, value) in values {
        browser.run(&format!("document.querySelector('#new [name={name}]').value = '{value}'"));
    }
    browser.click("return document.querySelector('#new [name=preset] option[value=linear]')");
    browser.click("return document.querySelector('#new button[type=submit]')");
    browser.wait("return document.getElementById('run').dataset.state === 'finished'");
    browser.wait(DRAWN);
    browser.picture("train-1280");
    let said = browser.run("return document.getElementById('state-said').textContent");
    assert!(said.as_str().expect("words").starts_with("Finished after 200 games"), "{said}");
    browser.wait("return document.querySelectorAll('#openings svg').length === 15");
    let run = server.folder().join("runs/first");
    assert!(run.join("best.nonet").is_file() && run.join("report.html").is_file());
    assert_eq!(browser.errors(), Vec::<String>::new());
}

/// The options of a run in the form and on the command line.
const RUN: [(&str, &str, &str); 5] = [
    ("games", "--games", "12000"),
    ("seed", "--seed", "5"),
    ("eval_every", "--eval-every", "200"),
    ("eval_games", "--eval-games", "20"),
    ("final_games", "--final-games", "40"),
];

#[test]
fn a_run_that_is_stopped_resumed_and_extended_in_the_browser_has_the_bytes_of_nonet_train() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    browser.open(&server.url("/train"));
    browser.wait("return document.querySelector('#first-run:not([hidden])') !== null");
    browser.run("document.getElementById('new').open = true");
    let set = |selector: &str, value: &str| {
        browser.run(&format!("document.querySelector('{selector}').value = '{value}'"));
    };
    set("#new [name=name]", "here");
    for (name, _, value) in RUN {
        set(&format!("#new [name={name}]"), value);
    }
    browser.click("return document.querySelector('#new [name=preset] option[value=small]')");
    browser.click("return document.querySelector('#new button[type=submit]')");
    let state = |wanted: &str| {
        browser.wait(&format!("return document.getElementById('run').dataset.state === '{wanted}'"))
    };
    let control = |words: &str| {
        browser.click(&format!("return [...document.querySelectorAll('#controls button')].find((b) => b.textContent === '{words}')"));
    };
    // Stopped after its first tests, long before its end.
    browser.wait(DRAWN);
    control("Stop");
    state("stopped");
    let stopped = server.get("/api/v1/runs/here").json();
    let games = stopped["run"]["games"].as_u64().expect("games");
    assert!((1..12_000).contains(&games), "stopped at {games} games");
    control("Resume");
    state("finished");
    set("#controls input", "12400");
    // The page asks first.
    browser.run("window.confirm = () => true");
    control("Extend to");
    browser.wait(
        "return document.getElementById('state-said').textContent.includes('after 12,400 games')",
    );
    state("finished");
    // The same by hand, without a stop, in a folder of the same name: a net file keeps the command
    // that made it.
    let elsewhere = server.folder().join("elsewhere");
    std::fs::create_dir(&elsewhere).expect("a folder");
    let train = |words: &[&str]| {
        let done = nonet(&["train"]).args(words).current_dir(&elsewhere).ended();
        assert!(done.status.success(), "{done:?}");
    };
    let mut words = vec!["--out", "runs/here", "--preset", "small"];
    words.extend(RUN.iter().flat_map(|(_, option, value)| [*option, *value]));
    train(&words);
    train(&["--resume", "runs/here", "--games", "12400"]);
    for file in ["last.nonet", "best.nonet", "history.csv", "knowledge.json", "config.toml"] {
        let read = |folder: &Path| std::fs::read(folder.join("runs/here").join(file)).expect(file);
        assert!(read(server.folder()) == read(&elsewhere), "{file} differs");
    }
    let by_hand = server.folder().join("runs/by-hand");
    std::fs::rename(elsewhere.join("runs/here"), by_hand).expect("moved");
    // Both next to each other.
    browser.click("return document.querySelector('[aria-label=\"Compare with by-hand\"]')");
    browser.wait("return document.querySelector('#strength svg').querySelectorAll('[data-series=\"here\"], [data-series=\"by-hand\"]').length === 2");
    let curves = browser.run(
        "return ['here', 'by-hand'].map((name) => document.querySelector(`#strength [data-series=\"${name}\"] .line`).getAttribute('d'))",
    );
    assert_eq!(curves[0], curves[1], "the same run has the same curve");
    let compared = browser.run("return document.querySelector('#charts table').innerText");
    assert!(compared.as_str().expect("a text").contains("12,400"), "{compared}");
    // The small charts of the classes have a line for each run.
    let classes = "return [...document.querySelectorAll('#charts .multiples svg')].every((chart) => chart.querySelectorAll('[data-series]').length === 2)";
    browser.wait(classes);
    browser.picture("train-1280");
    browser.resize(360, 780);
    browser.picture("train-360");
    let wide = browser.run("return document.documentElement.scrollWidth");
    assert!(wide.as_u64().expect("a width") <= 360, "{wide} pixels are wider than the window");
    browser.resize(1280, 900);
    let document = server.get("/api/v1/openapi.json").json();
    let answer = server.get("/api/v1/runs/here");
    conforms(&document, "get", "/api/v1/runs/{name}", &answer);
    // A game can be watched again, by its seed.
    let game = server.post("/api/v1/game", &json!({"seed": 1, "net": "here"})).json();
    let mut watched = Vec::new();
    for _ in 0..2 {
        browser.open(&server.url("/train?run=here"));
        browser.wait("return document.getElementById('run').dataset.state === 'finished'");
        set("#seed", "1");
        browser.click("return document.querySelector('#watch button')");
        browser.click("return document.querySelector('#watching:not([hidden]) #pause')");
        browser.run("const turn = document.getElementById('turn'); turn.value = 3; turn.dispatchEvent(new Event('input'))");
        browser.wait("return document.getElementById('watched').textContent.includes('turn 3 of')");
        browser.click("return document.querySelector('#later')");
        let words = browser.wait("const words = document.getElementById('watched').textContent; return words.includes('turn 4 of') && words");
        watched.push(words);
    }
    assert_eq!(watched[0], watched[1]);
    let roll = format!("{}{}", game["turns"][3]["dice"][0], game["turns"][3]["dice"][1]);
    assert!(watched[0].as_str().expect("words").contains(&format!("rolls {roll}")), "{watched:?}");
    assert_eq!(browser.errors(), Vec::<String>::new());
}
