//! The board: whole matches by clicks and by keys, the cube, a reload and a killed server.

use serde_json::json;

use crate::serving::Server;
use crate::serving::web_driver::{Browser, ENTER, NEXT_CLICK, TAB, driver};

/// The match is over: its end lies over the board.
const OVER: &str = "document.querySelector('#result:not([hidden]) #analyse')";

const TURN: &str = "return document.querySelector('#result:not([hidden]) h2')?.textContent \
                    ?? document.querySelector('#actions button:not(:disabled)')?.textContent ?? null";

/// Waits for the next decision, and says whether the match is over.
fn is_over(browser: &Browser) -> bool {
    let button = browser.wait(&format!(
        "if ({OVER}) return 'over';
         const spot = document.querySelector('.spot.source, .spot.target');
         return spot ? 'play' : document.querySelector('#actions button.main:not(:disabled)')?.textContent ?? null",
    ));
    button == "over"
}

#[test]
fn a_match_to_one_point_is_played_by_clicks_alone_and_analysed() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    browser.open(&server.url("/"));
    browser.click("return document.querySelector('#levels option[value=newcomer]')");
    browser.click("return document.querySelector('[name=length] option[value=\"1\"]')");
    browser.open_part("#new details");
    browser.click("return document.querySelector('[name=ply] option[value=\"1\"]')");
    browser.click("return document.querySelector('[name=seed]')");
    browser.keys("7");
    browser.picture("setup-1280");
    browser.click("return document.querySelector('#new button[type=submit]')");
    let mut turns = 0;
    while !is_over(&browser) {
        turns += 1;
        assert!(turns < 800, "the match does not end");
        browser.click(NEXT_CLICK);
        if turns == 4 {
            browser.picture("board-1280");
            browser.resize(360, 780);
            browser.picture("board-360");
            let wide = browser.run("return document.documentElement.scrollWidth");
            assert!(
                wide.as_u64().expect("a width") <= 360,
                "{wide} pixels are wider than the window"
            );
            browser.resize(1280, 900);
        }
    }
    browser.wait("return document.querySelectorAll('#result .figures').length === 2");
    browser.wait("return document.querySelector('#review') !== null");
    browser.picture("end-1280");
    browser.click("return document.querySelector('#analyse')");
    browser.wait("return document.querySelectorAll('#decisions button').length > 5 || document.querySelector('#only')?.checked && document.querySelector('#analysis:not([hidden])')");
    // It is the one that the end of the match has made.
    let made = server.get("/api/v1/analyses").json();
    assert_eq!(made.as_array().map(Vec::len), Some(1), "{made}");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_match_is_played_with_the_keyboard_alone() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    browser.open(&server.url("/"));
    browser.wait("return document.querySelector('#levels option') !== null");
    let tab_to = |selector: &str| {
        for _ in 0..60 {
            if browser
                .run(&format!("return document.activeElement?.matches('{selector}') ?? false"))
                == true
            {
                return;
            }
            browser.keys(TAB);
        }
        panic!("{selector} cannot be reached with Tab");
    };
    tab_to("#levels");
    browser.keys("new");
    tab_to("[name=length]");
    browser.keys("1 p");
    tab_to("#new summary");
    browser.keys(ENTER);
    tab_to("[name=ply]");
    browser.keys("1");
    tab_to("[name=seed]");
    browser.keys("7");
    browser.keys(ENTER);
    let mut turns = 0;
    let mut on_the_board = false;
    while !is_over(&browser) {
        turns += 1;
        assert!(turns < 400, "the match does not end");
        if browser.run("return document.getElementById('typed').hidden") == true {
            browser.keys(ENTER);
            browser.wait(&format!("const turn = (() => {{ {TURN} }})(); return turn !== null"));
            continue;
        }
        let revision = browser.run("return document.getElementById('log').children.length");
        if !on_the_board {
            // Once by the board itself: arrows to a checker and to its target.
            on_the_board = true;
            tab_to("[data-point]");
            // Four times, for a double.
            for _ in 0..4 {
                for kind in ["source", "target"] {
                    let complete = "return document.querySelector('#actions button.main:not(:disabled)') !== null";
                    let there = format!("return document.querySelector('.spot.{kind}') !== null");
                    if browser.run(complete) == true || browser.run(&there) != true {
                        continue;
                    }
                    for step in 0..60 {
                        let at =
                            format!("return document.activeElement?.matches('.{kind}') ?? false");
                        if browser.run(&at) == true {
                            break;
                        }
                        // Through the upper row to the left, down, and through the lower one to the
                        // right.
                        browser.keys(match step {
                            0..14 => "\u{e012}",
                            14 => "\u{e015}",
                            15..30 => "\u{e014}",
                            30 => "\u{e013}",
                            _ => "\u{e012}",
                        });
                    }
                    browser.keys(ENTER);
                }
            }
            browser.wait(
                "return document.querySelector('#actions button.main:not(:disabled)') !== null",
            );
            browser.keys("c");
        } else {
            let play = browser.run("return document.querySelector('#plays option').value");
            browser.keys("w");
            browser.wait("return document.activeElement?.id === 'play'");
            browser.keys(&format!("{}{ENTER}", play.as_str().expect("a play")));
            browser.run("document.activeElement.blur()");
        }
        browser
            .wait(&format!("return document.getElementById('log').children.length > {revision}"));
    }
    let said = browser.run("return document.getElementById('says').textContent");
    assert!(said.as_str().expect("words").contains("the match, "), "the live region says {said}");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

/// Plays a match to its end, by what `choose` does with a checker or a button.
fn play_on(browser: &Browser, choose: impl Fn(&str)) {
    for _ in 0..800 {
        if is_over(browser) {
            return;
        }
        choose(
            "return document.querySelector('#actions button.main:not(:disabled)') ?? document.querySelector('.spot.source .hit')",
        );
    }
    panic!("the match does not end");
}

#[test]
fn a_match_is_played_with_a_finger_while_checkers_slide_and_dice_roll() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    browser.resize(360, 780);
    browser.open(&server.url("/api"));
    browser.run(
        "localStorage.setItem('nonet-settings', JSON.stringify({ motion: 'fast', pace: 'fast' }))",
    );
    let settings = json!({
        "position": "XGID=-BBBBB--------------cbbba-:0:0:1:00:0:0:0:1:10", "ply": 1, "seed": 3
    });
    let begun = server.post("/api/v1/matches", &settings).json();
    let name = begun["id"].as_str().expect("a name").to_owned();
    browser.open(&server.url(&format!("/?match={name}")));
    play_on(&browser, |script| browser.drag("touch", script, script));
    let slid = browser.run(
        "return document.querySelector('#board .air').getAnimations({ subtree: true }).length",
    );
    assert_eq!(slid, 0, "something still moves");
    // The opponent's plays were shown, and can be shown again in the next match.
    browser.picture("touched-360");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn arrows_walk_along_both_rows_and_through_the_bar() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    let begun = server.post("/api/v1/matches", &json!({"ply": 1, "seed": 7}));
    let name = begun.json()["id"].as_str().expect("a name").to_owned();
    browser.open(&server.url(&format!("/?match={name}")));
    browser.wait("return document.querySelector('[data-point=\"24\"]') !== null");
    browser.run("document.querySelector('[data-point=\"24\"]').focus()");
    let walk = |key: &str, points: &[u64]| {
        for &point in points {
            browser.keys(key);
            let at = browser.run("return Number(document.activeElement.dataset.point)");
            assert_eq!(at, point, "on the way along {points:?}");
        }
    };
    let bar = 25;
    let [left, up, right, down] = ["\u{e012}", "\u{e013}", "\u{e014}", "\u{e015}"];
    // Where a row ends, the arrow leads no further.
    walk(left, &[23, 22, 21, 20, 19, bar, 18, 17, 16, 15, 14, 13, 13]);
    walk(down, &[12, 12]);
    walk(right, &[11, 10, 9, 8, 7, bar, 6, 5, 4, 3, 2, 1, 0, 0]);
    walk(up, &[24]);
    // At the bar, up and down choose the row.
    walk(left, &[23, 22, 21, 20, 19, bar]);
    walk(down, &[bar]);
    walk(left, &[7]);
    walk(right, &[bar]);
    walk(up, &[bar]);
    walk(right, &[19]);
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_match_goes_on_after_the_cube_a_reload_and_a_server_that_was_killed() {
    let Some(driver) = driver() else { return };
    let mut server = Server::start();
    let browser = Browser::start(&driver);
    // X is well ahead in a race: a double that is taken.
    let id = "XGID=-BBBBB--------------cbbba-:0:0:1:00:0:0:0:5:10";
    let begun = server
        .post("/api/v1/matches", &json!({"position": id, "ply": 1, "cube_ply": 1, "seed": 3}));
    assert_eq!(begun.status, 201, "{}", begun.text());
    let name = begun.json()["id"].as_str().expect("a name").to_owned();
    browser.open(&server.url(&format!("/?match={name}")));
    browser.click("return [...document.querySelectorAll('#actions button')].find((b) => b.textContent === 'Double')");
    browser.wait(
        "return /nonet (takes|passes|beavers)/.test(document.getElementById('log').textContent)",
    );
    let taken =
        browser.run("return document.getElementById('log').textContent.includes('nonet takes')");
    assert_eq!(taken, true, "nonet passes");
    let shown = "return document.querySelector('#board .cube-place')?.getAttribute('aria-label') + document.getElementById('seat-own').textContent";
    let before = browser.wait(shown);
    assert!(before.as_str().expect("words").contains("opponent's cube at 2"), "{before}");
    browser.run("location.reload()");
    browser.wait("return document.querySelector('#game:not([hidden]) .cube') !== null");
    assert_eq!(browser.wait(shown), before);
    server.kill_and_restart();
    browser.open(&server.url(&format!("/?match={name}")));
    browser.wait("return document.querySelector('#game:not([hidden]) .cube') !== null");
    assert_eq!(browser.wait(shown), before);
    assert_eq!(browser.errors(), Vec::<String>::new());
}
