//! The bot's page, of a folder that the bot's program has written.

use std::path::Path;

use nonet::bot::{BotFigures, match_records};

use crate::common::{Deadline, nonet};
use crate::serving::Server;
use crate::serving::schema::conforms;
use crate::serving::web_driver::{Browser, driver};

/// A folder with a match that a bot has played on a practice server, and the beginning of a second
/// one.
fn played(folder: &Path) {
    let done = nonet(&["fibs", "demo", "3", "--ply", "1", "--no-bearoff", "--records"])
        .arg(folder)
        .ended();
    assert!(done.status.success(), "{done:?}");
    let logs = std::fs::read_dir(folder).expect("a folder").flatten();
    let log =
        logs.map(|entry| entry.path()).find(|path| path.extension().is_some_and(|e| e == "jsonl"));
    let text = std::fs::read_to_string(log.expect("a match log")).expect("a text");
    // The same match against somebody else, cut after its ninth line and a day later.
    let lines = text.lines().take(9).map(|line| {
        let mut event: serde_json::Value = serde_json::from_str(line).expect("an event");
        event["time"] = (event["time"].as_f64().expect("a time") + 86400.0).into();
        if event.get("opponent").is_some() {
            event["opponent"] = "walker".into();
        }
        event.to_string() + "\n"
    });
    std::fs::write(folder.join("walker.jsonl"), lines.collect::<String>()).expect("written");
}

#[test]
fn a_bot_is_shown_with_its_match_in_progress_its_rating_its_opponents_and_its_incidents() {
    let Some(driver) = driver() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path().join("logs");
    played(&logs);
    let records = match_records(&logs).expect("match logs");
    assert_eq!(records.len(), 2);
    let open = records.iter().find(|record| record.is_open()).expect("a match in progress");
    let turn = *open.games().last().expect("a game").turns().last().expect("a turn");
    let metrics = folder.path().join("figures.prom");
    let mut figures = BotFigures {
        connections: 3,
        rating: Some(1512.5),
        experience: Some(23),
        ..Default::default()
    };
    figures.incidents.hangs = 1;
    figures.incidents.unknown_lines.add("** a line that nobody knows");
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    figures.began = now.as_secs_f64() - 7300.0;
    std::fs::write(&metrics, figures.to_prometheus(now.as_secs_f64())).expect("written");
    let [logs, metrics] = [&logs, &metrics].map(|path| path.to_str().expect("a path"));
    let server = Server::with(&["--bot", logs, "--bot-metrics", metrics]);
    let document = server.get("/api/v1/openapi.json").json();
    let answer = conforms(&document, "get", "/api/v1/bot", &server.get("/api/v1/bot"));
    assert_eq!(answer["matches"].as_array().map(Vec::len), Some(2));
    let browser = Browser::start(&driver);
    browser.open(&server.url("/bot"));
    browser.wait("return document.querySelector('#board .checker') !== null");
    let text = |selector: &str| {
        let text = browser.run(&format!("return document.querySelector('{selector}').innerText"));
        text.as_str().expect("a text").to_owned()
    };
    assert!(
        text("#current-title").starts_with("Open match, against walker"),
        "{}",
        text("#current-title")
    );
    // The board is that of the record: as many checkers of both players as it has.
    let own =
        if turn.player == nonet::backgammon::Seat::X { turn.after.flipped() } else { turn.after };
    let on_points = (1..=24u8).map(|point| {
        let n = own.points()[usize::from(point)];
        format!("{point}:{}", i32::from(n).abs().min(5))
    });
    let shown = browser.run(
        "return [...document.querySelectorAll('#board .spot')].slice(0, 24).map((point, i) => `${i + 1}:${point.querySelectorAll('.checker').length}`).join(' ')",
    );
    assert_eq!(shown, on_points.collect::<Vec<String>>().join(" "));
    assert!(text("#last").contains(&turn.play().to_string()), "{}", text("#last"));
    assert_eq!(browser.run("return document.querySelectorAll('#rating svg .dot').length"), 2);
    let opponents = text("#opponents");
    assert!(opponents.contains("scripted") && opponents.contains("walker"), "{opponents}");
    let running = text("#running");
    assert!(
        running.contains("running It has run for 2 hours") && running.contains("1512.50"),
        "{running}"
    );
    let incidents = browser.run(
        "return [...document.querySelectorAll('#figures tbody tr')].map((row) => row.lastChild.textContent).join(' ')",
    );
    assert_eq!(incidents, "1 2 1 0 0 0 0", "hangs, reconnects and an unknown line");
    // The finished match is analysed in the background.
    browser.wait(
        "return [...document.querySelectorAll('#matches tbody tr')].some((row) => /^[+−][0-9.]+$/.test(row.cells[5].textContent) && /^[0-9.]+$/.test(row.cells[6].textContent))",
    );
    let today = "return document.querySelector('#rating svg').textContent";
    let axis = browser.run(today).as_str().expect("a text").to_owned();
    assert!(axis.contains("end of the match (UTC)"), "{axis}");
    browser.picture("bot-1280");
    browser.resize(360, 780);
    browser.picture("bot-360");
    let wide = browser.run("return document.documentElement.scrollWidth");
    assert!(wide.as_u64().expect("a width") <= 360, "{wide} pixels are wider than the window");
    // A program that has ended.
    let file = std::fs::File::options().write(true).open(metrics).expect("the figures");
    file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(120))
        .expect("set");
    browser.open(&server.url("/bot"));
    browser.wait("return document.getElementById('running').textContent.startsWith('not running')");
    assert_eq!(browser.errors(), Vec::<String>::new());
}
