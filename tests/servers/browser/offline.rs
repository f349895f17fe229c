//! nonet in one HTML file, opened from the disk: it plays, analyses and trains without a server.
//!
//! Its answers and nets are those of the program. `NONET_HTML` names the file, which
//! `release/html.sh` writes; without it these tests say so and pass.

use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Value, json};

use crate::common::{Deadline, nonet};
use crate::serving::Server;
use crate::serving::web_driver::{Browser, NEXT_CLICK, driver};

/// The page in a browser, and its frame.
fn opened() -> Option<Browser> {
    let Some(file) = std::env::var_os("NONET_HTML").map(PathBuf::from) else {
        eprintln!("\n*** NONET_HTML NAMES NO FILE: the offline page is not tested. ***\n");
        return None;
    };
    let file = file.canonicalize().expect("the file that NONET_HTML names");
    let browser = Browser::start(&driver()?);
    browser.open(&format!("file://{}", file.display()));
    browser.in_frame(true);
    Some(browser)
}

/// Opens an address of the page.
fn go(browser: &Browser, address: &str) {
    browser.in_frame(false);
    browser.run(&format!("nonetHost.go('{address}')"));
    browser.in_frame(true);
}

/// The answer of the page to a question.
fn ask(browser: &Browser, path: &str, body: &Value) -> String {
    let script = format!(
        "const done = arguments[arguments.length - 1];
         nonetHost.ask('{path}', {{ method: 'POST', body: JSON.stringify({body}), headers: {{ 'content-type': 'application/json' }} }})
           .then((answer) => answer.text()).then(done, (why) => done(`${{why}}`))"
    );
    browser.run_async(&script).as_str().expect("text").to_owned()
}

/// A file of the page as the browser keeps it.
fn kept(browser: &Browser, path: &str) -> Vec<u8> {
    let script = format!(
        "const done = arguments[arguments.length - 1];
         const asked = indexedDB.open('nonet', 1);
         asked.onsuccess = () => {{
           const read = asked.result.transaction('files').objectStore('files').get('{path}');
           read.onsuccess = () => done([...(read.result?.bytes ?? [])]);
         }};"
    );
    let bytes = browser.run_async(&script);
    let byte = |byte: &Value| u8::try_from(byte.as_u64().expect("a byte")).expect("a byte");
    bytes.as_array().expect("bytes").iter().map(byte).collect()
}

/// The lines of `tests/common/questions.txt`.
fn questions() -> Vec<&'static str> {
    let lines = include_str!("../../common/questions.txt").lines();
    lines.filter(|line| !line.starts_with('#')).collect()
}

#[test]
fn two_hundred_positions_and_decisions_have_the_answers_of_the_program_bit_by_bit() {
    let Some(browser) = opened() else { return };
    let server = Server::start();
    let both = |path: &str, body: Value| {
        let here = server.post(path, &body).text();
        assert_eq!(ask(&browser, path, &body), here, "{path} {body}");
    };
    both("/api/v1/evaluate", json!({"ids": questions()}));
    for question in questions().into_iter().step_by(10) {
        match question.split(':').nth(4) {
            Some("00") => both("/api/v1/cube", json!({"id": question, "ply": 2})),
            _ => both("/api/v1/hint", json!({"id": question, "ply": 2})),
        }
    }
}

#[test]
fn a_match_is_played_from_a_disk_survives_a_reload_and_is_analysed() {
    let began = Instant::now();
    let Some(browser) = opened() else { return };
    browser.click("return document.querySelector('#levels option[value=newcomer]')");
    browser.click("return document.querySelector('[name=length] option[value=\"1\"]')");
    browser.open_part("#new details");
    browser.click("return document.querySelector('[name=ply] option[value=\"1\"]')");
    browser.click("return document.querySelector('[name=seed]')");
    browser.keys("7");
    browser.picture("offline-setup");
    browser.click("return document.querySelector('#new button[type=submit]')");
    const TURN: &str = "if (document.querySelector('#result:not([hidden]) #analyse')) return 'over'; \
        const spot = document.querySelector('.spot.source, .spot.target'); \
        return spot ? 'play' : document.querySelector('#actions button.main:not(:disabled)')?.textContent ?? null";
    browser.wait(TURN);
    eprintln!(
        "the first move after {:.2} s, the start of Chromium included",
        began.elapsed().as_secs_f64()
    );
    let mut turns = 0;
    while browser.wait(TURN) != "over" {
        turns += 1;
        assert!(turns < 800, "the match does not end");
        browser.click(NEXT_CLICK);
        if turns == 5 {
            browser.picture("offline-board");
            // The address and the match are those of before.
            browser.in_frame(false);
            browser.run("location.reload()");
            browser.in_frame(true);
        }
    }
    browser.click("return document.querySelector('#analyse')");
    // The page of the match goes, and its frame with it.
    browser.in_frame(false);
    browser.wait("return document.querySelector('iframe')?.contentDocument?.querySelector('#analysis:not([hidden])') != null");
    browser.in_frame(true);
    browser.picture("offline-analysis");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_run_of_the_page_has_the_bytes_of_nonet_train() {
    let Some(browser) = opened() else { return };
    go(&browser, "/train");
    browser.wait("return document.querySelector('#first-run:not([hidden])') !== null");
    browser.run("document.getElementById('new').open = true");
    let set = |selector: &str, value: &str| {
        browser.run(&format!("document.querySelector('{selector}').value = '{value}'"));
    };
    const RUN: [(&str, &str); 5] = [
        ("games", "1200"),
        ("seed", "5"),
        ("eval_every", "400"),
        ("eval_games", "20"),
        ("final_games", "40"),
    ];
    set("#new [name=name]", "here");
    for (name, value) in RUN {
        set(&format!("#new [name={name}]"), value);
    }
    browser.click("return document.querySelector('#new [name=preset] option[value=small]')");
    browser.click("return document.querySelector('#new button[type=submit]')");
    browser.wait("return document.getElementById('run').dataset.state === 'finished'");
    browser.wait("return document.querySelector('#strength svg') !== null");
    browser.picture("offline-training");
    let folder = tempfile::tempdir().expect("a folder");
    let mut words = vec!["train", "--out", "runs/here", "--preset", "small"];
    let flags: Vec<String> =
        RUN.iter().map(|(name, value)| format!("--{}={value}", name.replace('_', "-"))).collect();
    words.extend(flags.iter().map(String::as_str));
    let done = nonet(&words).current_dir(folder.path()).ended();
    assert!(done.status.success(), "{done:?}");
    browser.in_frame(false);
    for file in ["last.nonet", "best.nonet", "history.csv", "knowledge.json", "config.toml"] {
        let here = std::fs::read(folder.path().join("runs/here").join(file)).expect(file);
        assert!(kept(&browser, &format!("runs/here/{file}")) == here, "{file} differs");
    }
    assert_eq!(browser.errors(), Vec::<String>::new());
}
