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
    browser.wait("return document.querySelector('header nav') !== null");
    browser.choose_file("#files", &record("crawford.mat"));
    browser.wait("return document.querySelector('#analysis:not([hidden]) #decisions') !== null");
    browser
        .run("document.getElementById('only').checked && document.getElementById('only').click()");
    browser.wait("return document.querySelectorAll('#decisions button').length > 3");
    browser.click("return document.querySelector('#next:not(:disabled)')");
    browser.wait("return document.querySelector('#board svg') !== null && document.querySelector('#decision table') !== null");
    browser.wait("return document.querySelector('#course svg') !== null");
    browser.picture("analyse-1280");
    browser.resize(360, 780);
    browser.picture("analyse-360");
    browser.resize(1280, 900);
    browser.click("return document.querySelector('#roll-out')");
    browser.wait("return document.querySelector('#rollout table') !== null");
    browser
        .run("document.getElementById('stop').hidden || document.getElementById('stop').click()");
    browser.click("return document.querySelector('#back')");
    browser.wait("return document.querySelectorAll('#list tbody tr').length === 1");
    assert_eq!(browser.errors(), Vec::<String>::new());
}
