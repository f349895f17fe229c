//! The analyst: an uploaded match.

use std::path::{Path, PathBuf};

use crate::serving::Server;
use crate::serving::web_driver::{Browser, driver};

fn record(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records").join(name)
}

#[test]
fn an_uploaded_match_is_analysed_and_a_decision_is_rolled_out_live() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    browser.open(&server.url("/analyse"));
    browser.wait("return document.querySelectorAll('#formats li').length > 8");
    // Static answers: those at 3-ply take minutes in this build.
    browser.click("return document.querySelector('#depth option[value=\"1\"]')");
    browser.choose_file("#files", &record("crawford.mat"));
    browser.wait(
        "return document.querySelector('#analysis:not([hidden]) #decisions button') !== null",
    );
    browser.wait("return document.querySelector('#course svg') !== null");
    let at = || browser.run("return new URLSearchParams(location.search).get('at')");
    let count = || browser.run("return document.querySelectorAll('#decisions button').length");
    // Steps, and a filter that the address holds.
    let first = at();
    browser.click("return document.querySelector('#next:not(:disabled)')");
    assert_ne!(at(), first);
    browser.wait("return document.querySelector('#board svg') !== null && document.querySelector('#decision table') !== null");
    browser.picture("analyse-1280");
    browser.resize(360, 780);
    browser.picture("analyse-360");
    let wide = browser.run("return document.documentElement.scrollWidth");
    assert!(wide.as_u64().expect("a width") <= 360, "{wide} pixels are wider than the window");
    browser.resize(1280, 900);
    let all = count().as_u64().expect("a number");
    browser.click("return document.getElementById('show-mistakes')");
    let mistakes = count().as_u64().expect("a number");
    assert!(0 < mistakes && mistakes < all, "{mistakes} of {all}");
    let worst = at();
    browser.open(browser.run("return location.href").as_str().expect("an address"));
    browser.wait("return document.querySelector('#decisions button[aria-pressed=true]') !== null");
    assert_eq!((count().as_u64(), at()), (Some(mistakes), worst), "as before the page was loaded");
    // The board has the arrows of the best play and of the one that was made.
    browser.click("return document.querySelector('#filter-kind option[value=plays]')");
    browser.wait("return document.querySelector('#board .arrow.best') !== null && document.querySelector('#board .arrow.played') !== null");
    // A note stays, and a deeper look is kept.
    browser.run("document.getElementById('note-part').open = true; const note = document.getElementById('note'); note.value = 'A blot!'; note.dispatchEvent(new Event('change'))");
    browser.wait("return document.getElementById('says').textContent === 'The note is kept.'");
    browser.run("const deeper = document.getElementById('deeper'); deeper.value = '3'; deeper.dispatchEvent(new Event('change'))");
    browser.wait("return document.querySelector('#decision .deeper table') !== null");
    browser.wait("return document.querySelector('#verdict .tag').textContent === '3\u{2011}ply'");
    // What is known is not offered again.
    let offered = "return [...document.getElementById('deeper').options].map(({ value }) => value)";
    assert_eq!(browser.run(offered), serde_json::json!(["", "4"]));
    browser.open(browser.run("return location.href").as_str().expect("an address"));
    browser.wait("return document.getElementById('note').value === 'A blot!' && document.querySelector('#decision .deeper') !== null");
    the_exported_page_has_all_that_is_known(&browser);
    // What a first look does not need stays where the person has left it.
    browser.open_part("#more-tools");
    browser.click("return document.querySelector('#roll-out')");
    browser.wait("return document.querySelector('#rollout table') !== null");
    browser
        .run("document.getElementById('stop').hidden || document.getElementById('stop').click()");
    // It can go on.
    browser.click("return document.querySelector('#rollout [data-more]')");
    browser.wait("return !document.getElementById('stop').hidden");
    browser.run("document.getElementById('stop').click()");
    browser.click("return document.querySelector('#back')");
    browser.wait("return document.querySelectorAll('#list tbody tr').length === 1");
    // Back and forward.
    browser.run("history.back()");
    browser.wait("return document.querySelector('#analysis:not([hidden])') !== null");
    // The same at another depth, next to the first.
    browser.run("const again = document.getElementById('again'); again.value = 'ply=2&net=champion'; again.dispatchEvent(new Event('change'))");
    browser
        .wait("return document.querySelectorAll('#beside:not([hidden]) table.score').length === 2");
    browser.click("return document.querySelector('#beside-back')");
    browser.wait("return document.querySelectorAll('#list tbody tr').length === 2");
    let player = browser.wait("return !document.getElementById('player').hidden && document.getElementById('who').textContent");
    assert!(player.as_str().expect("names").contains("(1)"), "a record counts once: {player}");
    // Another browser sees them on demand alone.
    browser.run("localStorage.clear()");
    browser.open(&server.url("/analyse"));
    browser.wait("return document.querySelector('#all-analyses:not([hidden])') !== null && document.querySelector('#list .empty') !== null");
    browser.click("return document.querySelector('#all-analyses')");
    browser.wait("return document.querySelectorAll('#list tbody tr').length === 2");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_mistake_of_an_analysis_is_practised_after_five_clicks() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    browser.open(&server.url("/practise"));
    browser.wait("return document.querySelector('#asked .empty a') !== null");
    browser.click("return document.querySelector('#asked .empty a')");
    browser.wait("return document.querySelectorAll('#formats li').length > 8");
    browser.choose_file("#files", &record("crawford.mat"));
    browser.wait("return document.querySelector('#start [data-practise]') !== null");
    browser.click("return document.querySelector('#start [data-practise]')");
    // A question with its board; the answer is not there yet.
    browser.wait("return document.querySelector('#actions button') !== null && document.querySelector('#board .checker') !== null");
    assert_eq!(browser.run("return document.getElementById('verdict').children.length"), 0);
    browser.picture("practise-1280");
    browser.resize(360, 780);
    browser.picture("practise-360");
    let wide = browser.run("return document.documentElement.scrollWidth");
    assert!(wide.as_u64().expect("a width") <= 360, "{wide} pixels are wider than the window");
    browser.resize(1280, 900);
    let typed = browser.run("return !document.getElementById('typed').hidden");
    if typed == true {
        browser.run("document.getElementById('typed-play').value = 'nonsense'; document.getElementById('typed').requestSubmit()");
        browser.wait("return document.getElementById('says').className.includes('error')");
        browser.run("(async () => { const answer = await (await fetch('/api/v1/practice')).json(); document.getElementById('typed-play').value = answer.cards[0].plays[0].play; document.getElementById('typed').requestSubmit(); })()");
    } else {
        browser.click("return document.querySelector('#actions button')");
    }
    browser.wait("return document.querySelector('#verdict table') !== null && document.querySelector('#verdict #next') !== null");
    browser.picture("practise-answer-1280");
    browser.click("return document.querySelector('#next')");
    browser.wait("return document.getElementById('verdict').children.length === 0");
    // New positions are drawn in sight, and asked after the cards.
    browser.wait("return document.querySelector('#more') !== null");
    browser.click("return document.querySelector('#more')");
    browser.wait("return document.querySelector('#drawing progress') !== null || document.getElementById('count').textContent.includes('new')");
    browser.wait("return document.querySelector('#drawing progress') === null && document.getElementById('count').textContent.includes('new')");
    a_test_tells_its_answers_at_the_end(&browser);
    // The wrong play was refused with status 400, which the browser logs.
    let errors: Vec<String> =
        browser.errors().into_iter().filter(|error| !error.contains("400")).collect();
    assert_eq!(errors, Vec::<String>::new());
}

#[test]
fn a_first_visitor_gets_new_positions_and_a_test_that_is_drawn_beside_them() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    browser.open(&server.url("/practise"));
    browser.wait("return document.querySelector('#end button') !== null");
    browser.picture("practise-first-1280");
    browser.click("return document.querySelector('#end button')");
    browser.wait("return document.getElementById('count').textContent === '1 of 5 new positions'");
    // A test is drawn, and goes on while a new position is asked.
    browser.click("return document.getElementById('test')");
    browser.wait("return document.querySelector('#end button.main') !== null");
    browser.click("return document.querySelector('#end button.main')");
    browser.wait("return document.querySelector('#test-drawing progress') !== null");
    browser.click("return document.getElementById('more')");
    browser.wait("return document.getElementById('count').textContent.includes('new position')");
    assert_eq!(
        browser.run("return document.querySelector('#test-drawing progress') !== null"),
        true
    );
    browser.click("return document.querySelector('#test-drawing button')");
    browser.wait("return document.querySelector('#test-drawing progress') === null");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

/// Draws two questions, asks them on the page, and reads what it says at the end.
fn a_test_tells_its_answers_at_the_end(browser: &Browser) {
    browser.run(
        "(async () => { \
             const { overview } = await (await fetch('/api/v1/practice')).json(); \
             const body = JSON.stringify({ player: overview.player, count: 2, seed: 1, ply: 1 }); \
             const headers = { 'content-type': 'application/json' }; \
             await (await fetch('/api/v1/practice/tests', { method: 'POST', body, headers })).text(); \
             location.reload(); \
         })()",
    );
    browser.wait(
        "return document.getElementById('test')?.textContent === 'Go on with the test (0 of 2)'",
    );
    browser.click("return document.getElementById('test')");
    for number in 1..=2 {
        browser.wait(&format!(
            "return document.getElementById('count').textContent === 'Test: question {number} of 2'"
        ));
        assert_eq!(browser.run("return document.getElementById('verdict').children.length"), 0);
        if browser.run("return !document.getElementById('typed').hidden") == true {
            browser.run("(async () => { const { test } = await (await fetch('/api/v1/practice')).json(); document.getElementById('typed-play').value = test.card.plays[0].play; document.getElementById('typed').requestSubmit(); })()");
        } else {
            browser.click("return document.querySelector('#actions button')");
        }
    }
    browser.wait("return document.querySelectorAll('#end tbody tr').length === 2");
    browser.picture("practise-test-1280");
    let told = browser.run("return document.getElementById('end').textContent");
    assert!(
        told.as_str().is_some_and(|told| told.contains("of 2 right") && told.contains("Seed 1."))
    );
    browser.wait(
        "return document.getElementById('deck').textContent.includes('Tests of new positions')",
    );
    browser.click("return document.querySelector('#end button')");
    browser.wait("return document.getElementById('end').hidden || document.querySelector('#end h2') !== null");
}

/// The note, the deeper answer, boards and figures, in the words of the page and without scripts.
fn the_exported_page_has_all_that_is_known(browser: &Browser) {
    browser.run(
        "const made = URL.createObjectURL; \
         URL.createObjectURL = (file) => { \
             file.text().then((text) => { window.exported = text; }); \
             return made.call(URL, file); \
         }; \
         document.querySelector('[data-file=\"page.html\"]').click()",
    );
    browser.wait("return window.exported !== undefined");
    let answer = browser.run("return window.exported");
    let page = answer.as_str().expect("a text");
    for wanted in
        ["A blot!", "Course of the match", "class=\"board\"", "3\u{2011}ply", "Worst mistakes"]
    {
        assert!(page.contains(wanted), "{wanted} is not on the page");
    }
    for unwanted in ["<script", "<button", "[object", "undefined", "NaN"] {
        assert!(!page.contains(unwanted), "{unwanted} is on the page");
    }
    let boards = page.matches("class=\"board\"").count();
    let rows = page.matches("class=\"decision-of card\"").count();
    assert_eq!(boards, rows, "a board for each decision");
    // The list is filtered, the page is not.
    let shown = browser.run("return document.getElementById('show-all').textContent");
    let shown = shown.as_str().expect("a text").split_whitespace().last().expect("a number");
    assert!(shown.parse::<usize>().is_ok_and(|shown| shown < rows), "{shown} of {rows}");
}
