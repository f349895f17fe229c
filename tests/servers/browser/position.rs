//! The position page: set up by hand, asked and rolled out.

use crate::serving::Server;
use crate::serving::web_driver::{Browser, driver};

#[test]
fn a_file_with_a_position_opens_its_page() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    browser.open(&server.url("/analyse"));
    browser.wait("return document.querySelectorAll('#formats li').length > 8");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/backgammon/tests/records/written.xgp");
    browser.choose_file("#files", std::path::Path::new(file));
    browser.wait("return location.pathname === '/position'");
    browser.wait("return document.getElementById('facts')?.textContent.includes('match to 7')");
    let xgid = browser.run("return document.getElementById('id').value");
    assert_eq!(xgid, "XGID=a---D-AC---cD---a--cbc-b-A:1:1:1:52:4:2:0:7:10");
}

#[test]
fn a_position_is_set_up_by_hand_with_its_score_and_its_cube() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    // The other side is on roll: they have 5 points of 7 and own the cube.
    browser.open(&server.url("/position?id=XGID=-b----E-C---eE---c-e----B-:1:-1:-1:00:2:5:0:7:10"));
    browser
        .wait("return document.getElementById('facts').textContent.includes('match to 7, 5 to 2')");
    browser.open_part("#setup");
    let fields = "return ['length', 'own-score', 'other-score', 'cube', 'owner', 'rules'].map((id) => document.getElementById(id).value).join(' ')";
    browser.wait(&format!("const now = (() => {{ {fields} }})(); return now === '7 5 2 1 1 0'"));
    let choose = |id: &str, value: &str| {
        browser.run(&format!(
            "const field = document.getElementById('{id}'); field.value = '{value}'; field.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        ));
    };
    let xgid = || browser.run("return document.getElementById('id').value");
    // A score that would end the match is one point short of it, and a cube at 1 has no owner.
    choose("own-score", "9");
    choose("cube", "0");
    choose("other-score", "3");
    assert_eq!(xgid(), "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:3:0:7:10");
    choose("rules", "1");
    browser.wait("return document.getElementById('facts').textContent.includes('Crawford game')");
    choose("length", "0");
    assert_eq!(xgid(), "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10");
    // The address holds the position, and whoever opens it sees the same.
    let shared = "return decodeURIComponent(location.search).slice(4)";
    assert_eq!(browser.run(shared), xgid());
    // The button copies the address, also where the page has no clipboard (HTTP from elsewhere).
    browser.click("return document.getElementById('share')");
    browser.wait("return document.getElementById('share').textContent === 'Copied'");
    browser.wait("return document.getElementById('share').textContent === 'Copy link'");
    browser.run("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    browser.run("addEventListener('copy', () => { window.copied = `${getSelection()}` })");
    browser.click("return document.getElementById('share')");
    browser.wait("return document.getElementById('share').textContent === 'Copied'");
    assert_eq!(browser.run("return window.copied === location.href"), true);
    // Three light checkers and one dark one on an empty board.
    browser.click("return document.getElementById('clear')");
    for point in [4, 4, 2] {
        browser.click(&format!("return document.querySelector('[data-point=\"{point}\"]')"));
    }
    browser.run("document.getElementById('theirs').click()");
    browser.click("return document.querySelector('[data-point=\"23\"]')");
    assert_eq!(xgid(), "XGID=--A-B------------------a--:0:0:1:00:0:0:0:0:10");
    browser.wait("return document.querySelectorAll('#rolls [data-roll]').length === 21");
    // A roll and an ID that are none stay as they were typed, with what is wrong.
    let fault = |field: &str, text: &str| {
        choose(field, text);
        browser.wait(&format!(
            "return !document.getElementById('fault').hidden && document.getElementById('{field}').value === '{text}'"
        ));
    };
    fault("dice", "7");
    fault("id", "nonsense");
    let refused = browser.errors();
    assert!(refused.len() == 1 && refused[0].contains("400"), "{refused:?}");
    choose("dice", "");
    choose("id", "XGID=--A-B------------------a--:0:0:1:00:0:0:0:0:10");
    browser.wait("return document.getElementById('fault').hidden");
    // A roll is a click away, and so are the plays with their arrows.
    browser.click("return document.querySelector('#rolls [data-roll=\"21\"]')");
    browser.wait("return document.querySelectorAll('#plays button.play').length > 1");
    assert!(xgid().as_str().expect("an ID").contains(":21:"));
    browser.click("return document.querySelector('#plays button.play')");
    browser.wait("return document.querySelectorAll('#after-part [data-roll]').length === 21");
    browser.run("history.back()");
    browser.wait("return document.querySelectorAll('#plays button.play').length === 0");
    browser.run("document.getElementById('inputs-part').open = true");
    let effects = browser.wait(
        "const rows = [...document.querySelectorAll('#inputs tbody tr')].map((row) => Number(row.children[2].textContent.replace('−', '-')));
         return rows.length > 3 && rows",
    );
    let effects =
        effects.as_array().expect("effects").iter().map(|one| one.as_f64().expect("a number"));
    assert!(effects.clone().count() > 3 && effects.clone().all(|one| one.abs() <= 6.0));
    browser.click("return document.getElementById('roll-out')");
    browser.wait("return /Rolling out|Done/.test(document.getElementById('rollout').textContent)");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_decision_is_shown_at_all_scores_and_each_cell_says_what_it_holds() {
    let Some(driver) = driver() else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    browser.open(
        &server.url("/position?id=XGID=-b----E-C---eE---c-e----B-:0:0:1:21:2:3:0:7:10&ply=1"),
    );
    browser.wait("return document.querySelectorAll('#plays button.play').length > 1");
    browser.open_part("#scores-part");
    // 81 scores, and the Crawford game where one side needs a point.
    browser.wait("return document.querySelectorAll('#scores button.score').length === 97");
    let said = "return document.querySelector('.score-said').textContent";
    let starts = |words: &str| {
        browser.wait(&format!(
            "const said = (() => {{ {said} }})(); return said.startsWith('{words}')"
        ));
    };
    starts("5-away 4-away: ");
    // The arrow keys go from the given score to the cells around it.
    browser.run("document.querySelector('#scores button.given').focus()");
    browser.keys("\u{e012}");
    starts("5-away 3-away: ");
    browser.keys("\u{e013}");
    starts("4-away 3-away: ");
    browser.click("return document.querySelector('#scores [data-row=\"0\"][data-column=\"2\"]')");
    starts("1-away 2-away, Crawford game (gammon-save): ");
    assert_eq!(browser.errors(), Vec::<String>::new());
}
