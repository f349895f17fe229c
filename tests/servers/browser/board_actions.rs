//! The board: a checker dragged with mouse and finger, a beaver, a resignation.

use serde_json::{Value, json};

use crate::serving::Server;
use crate::serving::web_driver::{Browser, driver};

/// The name of a new match.
fn begun(server: &Server, settings: &Value) -> String {
    let begun = server.post("/api/v1/matches", settings);
    assert_eq!(begun.status, 201, "{}", begun.text());
    begun.json()["id"].as_str().expect("a name").to_owned()
}

fn spot(point: u8) -> String {
    format!("return document.querySelector('[data-point=\"{point}\"] .hit')")
}

/// A button of the person's decision, or of a dialog.
fn button(text: &str) -> String {
    format!(
        "return [...document.querySelectorAll('#actions button, dialog[open] button')].find((b) => b.textContent === '{text}')"
    )
}

fn log(browser: &Browser) -> String {
    let text = browser.run("return document.getElementById('log').textContent");
    text.as_str().expect("a text").to_owned()
}

/// A match to three points that begins with a roll of 31.
fn rolled_31() -> Value {
    json!({
        "position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:3:10",
        "ply": 1, "cube_ply": 1, "seed": 2
    })
}

#[test]
fn a_checker_is_dragged_with_the_mouse_and_with_a_finger_and_falls_back_where_it_may_not_go() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    let labels = "return [8, 6, 5].map((n) => document.querySelector(`[data-point=\"${n}\"]`)?.getAttribute('aria-label').split(',')[1].trim()).join(' / ')";
    for (kind, width) in [("mouse", 1280), ("touch", 1280), ("touch", 360)] {
        browser.resize(width, 780);
        let name = begun(&server, &rolled_31());
        browser.open(&server.url(&format!("/?match={name}")));
        browser.wait("return document.querySelector('.spot.source') !== null");
        // Six pips away: no target of 3 and 1.
        browser.drag(kind, &spot(8), &spot(2));
        assert_eq!(
            browser.run(labels),
            "3 of your checkers / 5 of your checkers / empty",
            "{kind}"
        );
        assert_eq!(browser.run("return document.querySelector('.carried')"), Value::Null);
        browser.drag(kind, &spot(8), &spot(5));
        assert_eq!(
            browser.run(labels),
            "2 of your checkers / 5 of your checkers / 1 of your checkers",
            "{kind}"
        );
        browser.drag(kind, &spot(6), &spot(5));
        assert_eq!(
            browser.run(labels),
            "2 of your checkers / 4 of your checkers / 2 of your checkers",
            "{kind}"
        );
        browser.click(&button("Confirm"));
        browser.wait(
            "return document.getElementById('log').textContent.includes('You roll 31: 8/5 6/5')",
        );
    }
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_hint_waits_for_confirm_and_what_is_taken_back_leaves_the_log() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    let name = begun(&server, &rolled_31());
    browser.open(&server.url(&format!("/?match={name}")));
    browser.wait("return document.querySelector('.spot.source') !== null");
    browser.keys("h");
    browser.click("return document.querySelector('#hint .plays button')");
    browser.wait("return document.querySelector('#actions button.main:not(:disabled)') !== null");
    assert_eq!(log(&browser), "");
    browser.keys("c");
    browser
        .wait("return document.getElementById('log').textContent.includes('You roll 31: 8/5 6/5')");
    // A line of the log shows its play.
    browser.wait("return document.querySelector('#actions button') !== null");
    browser.run("document.querySelector('#log li:last-child button').focus()");
    browser.wait("return document.querySelectorAll('#board .arrow.shown').length === 2");
    browser.run("document.activeElement.blur()");
    browser.click("return document.querySelector('#helpers [aria-keyshortcuts=z]:not(:disabled)')");
    browser.wait("return document.querySelector('.spot.source') !== null");
    assert_eq!(log(&browser), "");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_double_of_nonet_is_beavered() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    // A race in which nonet is somewhat ahead: with some dice it doubles after the person's first
    // roll.
    let doubled = (1..=60).find_map(|seed| {
        let name = begun(
            &server,
            &json!({
                "length": 0, "beavers": true, "ply": 1, "cube_ply": 1, "seed": seed,
                "position": "XGID=--BBBBBD-----------db-ccc-:0:0:1:00:0:0:2:0:10"
            }),
        );
        let path = format!("/api/v1/matches/{name}/actions");
        let mut now = server.post(&path, &json!({"action": "roll"})).json();
        while now["turn"] == "play" {
            let play = now["plays"][0]["play"].clone();
            now = server.post(&path, &json!({"action": "play", "play": play})).json();
        }
        (now["turn"] == "answer" && now["may_beaver"] == true).then_some(name)
    });
    let name = doubled.expect("nonet doubles with one of 60 seeds");
    let browser = Browser::start(&driver);
    browser.open(&server.url(&format!("/?match={name}")));
    browser.wait("return document.querySelector('.cube.offered text')?.textContent === '2'");
    browser.click(&button("Beaver"));
    browser.wait("return document.getElementById('log').textContent.includes('You beaver.')");
    browser.wait("return document.querySelector('#board .cube-place')?.getAttribute('aria-label') === 'Your cube at 4'");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_resignation_is_refused_while_nonet_can_win_more_and_accepted_for_what_it_wins() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    let resign = |stake: &str| {
        browser.click("return document.querySelector('#resign:not(:disabled)')");
        browser.click(&button(stake));
    };
    // Every checker of the person is in nonet's home board, and nonet bears its last three off.
    let name = begun(
        &server,
        &json!({
            "position": "XGID=--------------------O---c-:0:0:1:00:0:0:0:5:10",
            "ply": 1, "cube_ply": 1, "seed": 1
        }),
    );
    browser.open(&server.url(&format!("/?match={name}")));
    browser.wait("return document.querySelector('#actions button.main') !== null");
    resign("Play on");
    assert!(!log(&browser).contains("resign"));
    resign("Single: 1 point");
    browser.wait(
        "return document.getElementById('says').textContent.includes('Nonet plays on for more')",
    );
    assert!(!log(&browser).contains("You resign"));
    resign("Backgammon: 3 points");
    browser
        .wait("return document.getElementById('log').textContent.includes('nonet wins 3 points.')");
    assert!(log(&browser).contains("You resign."), "{}", log(&browser));
    browser.wait("return document.getElementById('seat-other').textContent.includes('3 of 5')");
    browser.wait(
        "return document.querySelector('#result .points').textContent === '3 points, a backgammon'",
    );
    browser.click("return document.querySelector('#result:not([hidden]) button.main')");
    browser.wait("return document.querySelector('.seat .rule').textContent.includes('Game 2')");
    // In a match to one point nothing but the game can be given up.
    let name = begun(&server, &json!({"length": 1, "ply": 1, "cube_ply": 1, "seed": 3}));
    browser.open(&server.url(&format!("/?match={name}")));
    browser.wait("return document.querySelector('.spot.source') !== null");
    resign("Resign: 1 point");
    browser.wait("return document.querySelector('#result:not([hidden]) h2')?.textContent === 'nonet wins the match'");
    assert!(log(&browser).contains("You resign."), "{}", log(&browser));
    // The browser logs the refusal, and nothing else.
    let errors = browser.errors();
    assert!(errors.len() == 1 && errors[0].contains("400 (Bad Request)"), "{errors:?}");
}

#[test]
fn the_tutor_stops_a_mistake_and_hints_come_in_three_steps() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    browser.open(&server.url("/"));
    browser.run("localStorage.setItem('nonet-settings', JSON.stringify({ tutor: 'doubtful', motion: 'off' }))");
    let name = begun(&server, &rolled_31());
    browser.open(&server.url(&format!("/?match={name}")));
    browser.wait("return document.querySelector('.spot.source') !== null");
    let hint = |part: &str| {
        browser.wait(&format!(
            "return document.getElementById('hint').textContent.includes('{part}')"
        ));
    };
    browser.click("return document.querySelector('#helpers [aria-keyshortcuts=h]')");
    hint("Look for a point to make.");
    browser.click("return document.querySelector('#hint button')");
    hint("The best play is one of these:");
    browser.click("return [...document.querySelectorAll('#hint button')].at(-1)");
    hint("Best plays of 31");
    // A mistake in words: it is stopped, explained and decided anew, and then let stand.
    let type_it = |play: &str| {
        browser.run(&format!(
            "document.getElementById('play').value = '{play}'; document.getElementById('typed').requestSubmit()"
        ));
    };
    for answer in ["x", "y"] {
        type_it("24/23 13/10");
        hint("24/23 13/10 loses");
        // The person first looks for the better play.
        let better = browser.run("return document.querySelectorAll('#board .arrow.best').length");
        assert_eq!(better, 0);
        browser.click("return document.querySelector('.tutor button')");
        browser.wait("return document.querySelectorAll('.tutor .why li').length > 2");
        assert!(!log(&browser).contains("24/23"), "nothing is played yet");
        browser.wait("return document.querySelectorAll('#board .arrow.best').length === 2");
        browser.click(&format!(
            "return document.querySelector('#actions [aria-keyshortcuts={answer}]')"
        ));
        if answer == "x" {
            browser.wait("return document.querySelector('.tutor') === null");
        }
    }
    browser.wait("return document.getElementById('log').textContent.includes('24/23 13/10')");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn the_first_level_gives_hints_in_steps_and_a_match_counts_losses_as_its_shares() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    browser.open(&server.url("/"));
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:3:10";
    let settings = json!({"position": id, "level": "newcomer", "ply": 1, "cube_ply": 1, "seed": 3});
    let name = begun(&server, &settings);
    browser.open(&server.url(&format!("/?match={name}")));
    browser.wait("return document.querySelector('.spot.source') !== null");
    let hint = |part: &str| {
        browser.wait(&format!(
            "return document.getElementById('hint').textContent.includes('{part}')"
        ));
    };
    let ask = "return document.querySelector('#helpers [aria-keyshortcuts=h]')";
    browser.click(ask);
    hint("Look for a point to make.");
    browser.click(ask);
    hint("The best play is one of these:");
    // A candidate is a link that puts the play on the board.
    browser.click("return document.querySelector('#hint li button')");
    browser.wait("return document.querySelector('#actions .main:not(:disabled)') !== null");
    browser.click(ask);
    hint("Match won");
    let losses = browser.run("return [...document.querySelectorAll('#hint .plays tr:not(.chances) td:last-child')].map((cell) => cell.textContent)");
    assert_eq!(
        losses[0].as_str().map(|loss| loss.replace('\u{a0}', " ")).as_deref(),
        Some("0.0 %")
    );
    browser.run("localStorage.setItem('nonet-settings', JSON.stringify({ tutor: 'doubtful' }))");
    browser.run("document.getElementById('play').value = '24/23 13/10'; document.getElementById('typed').requestSubmit()");
    hint("% of the match");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn two_levels_are_watched_and_nothing_tells_when_the_match_ends() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    browser.open(&server.url("/?watch=4&light=advanced&dark=newcomer&length=1"));
    let later = "return document.querySelector('.watch-tools button:last-of-type')";
    browser.click("return document.getElementById('watch-pause')");
    let shown = "return [...document.querySelectorAll('#watching .seat')].map((seat) => seat.innerText).join('; ')";
    let seats = browser.wait(shown);
    let seats = seats.as_str().expect("words");
    assert!(seats.contains("Newcomer") && seats.contains("Advanced") && seats.contains("pips"));
    browser.picture("watching-1280");
    // The slider reaches as far as was seen, and the text names no count of turns.
    let asked = json!({"seed": 4, "light": "advanced", "dark": "newcomer", "length": 1});
    let all = server.post("/api/v1/watched-match", &asked).json();
    let all = all["events"].as_array().expect("events").len();
    let reach = || browser.run("return Number(document.querySelector('.watch-tools input').max)");
    let before = reach().as_u64().expect("a number");
    assert!(before < 6, "{before} of {all} are shown at once");
    browser.click(later);
    assert!(reach().as_u64().expect("a number") <= before + 2);
    let words = browser.run("return document.querySelector('#watching .says').textContent");
    assert!(!words.as_str().expect("words").contains(&format!("of {all}")), "{words}");
    for _ in 0..all {
        browser.click(later);
    }
    let end = browser.run("return document.querySelector('#watching .says').textContent");
    assert!(end.as_str().expect("words").contains("wins the match"), "{end}");
    browser.wait("return document.querySelector('.watch-end:not([hidden]) button.main') !== null");
    assert_eq!(browser.errors(), Vec::<String>::new());
}
