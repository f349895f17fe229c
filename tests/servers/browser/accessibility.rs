//! Every page under an accessibility checker.

use std::path::Path;

use serde_json::json;

use crate::serving::web_driver::{Browser, driver};
use crate::serving::{Server, request};

/// The script of axe-core, which `NONET_AXE` names.
fn axe() -> Option<String> {
    let path = std::env::var_os("NONET_AXE");
    let script = path.and_then(|path| std::fs::read_to_string(path).ok());
    if script.is_none() {
        eprintln!("\n*** AXE-CORE IS NOT THERE: no page was checked for accessibility. ***\n");
        assert!(std::env::var_os("NONET_WANT_AXE").is_none(), "axe-core is wanted and missing");
    }
    script
}

#[test]
fn an_accessibility_checker_finds_no_serious_fault_on_any_page_light_or_dark() {
    let (Some(driver), Some(axe)) = (driver(), axe()) else { return };
    let server = Server::start();
    let browser = Browser::start(&driver);
    let begun = server.post("/api/v1/matches", &json!({"seed": 4, "ply": 1})).json();
    let name = begun["id"].as_str().expect("a name");
    let game = format!("/?match={name}");
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/crawford.mat");
    let record = std::fs::read(record).expect("a record");
    let row = request(server.port, "POST", "/api/v1/analyses?ply=1", &[], &record).json();
    let analysis = format!("/analyse?id={}", row["id"].as_str().expect("a name"));
    for theme in ["light", "dark"] {
        for page in [
            "/",
            game.as_str(),
            "/analyse",
            analysis.as_str(),
            "/practise",
            "/position",
            "/train",
            "/bot",
            "/api",
            "/?watch=4&light=advanced&dark=newcomer&length=1",
            "/book/first-match",
            "/book/erstes-match",
            "/book/how-it-learns",
        ] {
            browser.open(&server.url("/api"));
            browser.run(&format!(
                "localStorage.setItem('nonet-settings', JSON.stringify({{theme: '{theme}'}}))"
            ));
            browser.open(&server.url(page));
            browser.wait("return document.querySelector('header nav') !== null && document.querySelectorAll('main *').length > 5");
            if page == analysis {
                browser.wait("return document.querySelector('#analysis:not([hidden]) #decision table') !== null");
            }
            if page == "/position" {
                browser.wait("return document.querySelector('[data-roll]') !== null");
            }
            browser.wait("return [...document.querySelectorAll('.loading')].every((one) => !one.checkVisibility())");
            browser.run(&axe);
            let faults = browser.run_async(
                "const done = arguments[arguments.length - 1];
                 axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => done(violations
                   .filter(({ impact }) => ['serious', 'critical'].includes(impact))
                   .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 160) + failureSummary.slice(0, 200)).join(' | ')}`)))",
            );
            assert_eq!(faults, json!([]), "{page} in {theme}");
        }
    }
    browser.picture("api-dark");
}
