//! A browser by the WebDriver protocol (<https://www.w3.org/TR/webdriver2/>): Chromium with its
//! driver. Only what the tests need.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::request;

/// How long a page may take to become what a test waits for.
///
/// Some tests wait for a training run of an unoptimized program on a machine with other work.
const PATIENCE: Duration = Duration::from_secs(180);
/// How often a driver is started that ends before it has a port.
const STARTS: u32 = 3;

/// The key of an element in answers.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Keys without a character, as WebDriver names them.
pub const TAB: &str = "\u{e004}";
pub const ENTER: &str = "\u{e007}";
pub const LEFT: &str = "\u{e012}";
pub const HOME: &str = "\u{e011}";

/// What a person clicks next in a match: a target if a checker is picked, else the decision, else a
/// checker that can move.
pub const NEXT_CLICK: &str = "return document.querySelector('.spot.target') \
    ?? document.querySelector('#actions button.main:not(:disabled)') \
    ?? document.querySelector('.spot.source')";

/// A session of Chromium.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

/// The driver of Chromium; says loudly if there is none, and fails where `NONET_WANT_BROWSER` is
/// set.
pub fn driver() -> Option<PathBuf> {
    let mut places = vec![PathBuf::from("/usr/bin/chromedriver")];
    places.extend(std::env::var_os("CHROMEDRIVER").map(PathBuf::from));
    let found = places.into_iter().find(|place| place.is_file());
    if found.is_none() {
        eprintln!("\n*** CHROMIUM AND ITS DRIVER ARE NOT INSTALLED: no page was tested. ***\n");
        assert!(
            std::env::var_os("NONET_WANT_BROWSER").is_none(),
            "a browser is wanted and missing"
        );
    }
    found
}

impl Browser {
    /// Starts a browser without a window; nothing on its pages moves slowly.
    pub fn start(driver: &Path) -> Browser {
        // A driver takes a free port for IPv4 and ends if somebody has the same one for IPv6.
        let started = (0..STARTS).find_map(|_| Browser::driver(driver));
        let (driver, port) = started.expect("the driver says its port");
        let mut browser = Browser { driver, port, session: String::new() };
        let words = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--force-prefers-reduced-motion",
        ];
        let options = json!({
            "goog:chromeOptions": {"args": words},
            "goog:loggingPrefs": {"browser": "ALL"},
            "timeouts": {"script": PATIENCE.as_millis() as u64},
        });
        let made =
            browser.ask("POST", "/session", &json!({"capabilities": {"alwaysMatch": options}}));
        browser.session = made["sessionId"].as_str().expect("a session").to_owned();
        browser.resize(1280, 900);
        browser
    }

    /// A driver and its port; `None` if it ended before it had one.
    fn driver(program: &Path) -> Option<(Child, u16)> {
        let mut driver = Command::new(program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the driver");
        let said = BufReader::new(driver.stdout.take().expect("piped"));
        let (tell, told) = std::sync::mpsc::channel();
        // Reads on to the end, so that the driver can always write.
        std::thread::spawn(move || {
            for line in said.lines().map_while(Result::ok) {
                let words = line.trim_end_matches('.').rsplit_once("successfully on port ");
                if let Some(port) = words.and_then(|(_, port)| port.parse::<u16>().ok()) {
                    let _ = tell.send(port);
                }
            }
        });
        let port = told.recv_timeout(PATIENCE).ok();
        if port.is_none() {
            let _ = driver.kill();
            let _ = driver.wait();
        }
        port.map(|port| (driver, port))
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        self.try_ask(method, path, body).unwrap_or_else(|why| panic!("{method} {path}: {why}"))
    }

    fn try_ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let headers = [("Content-Type", "application/json")];
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let answer = request(self.port, method, path, &headers, body.as_bytes());
        let mut value = answer.json();
        match answer.status {
            200 => Ok(value["value"].take()),
            _ => Err(value["value"]["message"].to_string()),
        }
    }

    fn on(&self, method: &str, path: &str, body: &Value) -> Value {
        self.ask(method, &format!("/session/{}{path}", self.session), body)
    }

    pub fn open(&self, url: &str) {
        self.on("POST", "/url", &json!({"url": url}));
    }

    pub fn resize(&self, width: u32, height: u32) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        let what = json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": size});
        self.on("POST", "/goog/cdp/execute", &what);
    }

    /// Scripts and clicks are for the first frame of the page from now on; false: for the page.
    pub fn in_frame(&self, inside: bool) {
        self.on("POST", "/frame", &json!({"id": null}));
        if inside {
            self.wait("return document.querySelector('iframe')?.contentDocument?.querySelector('main') !== null");
            self.on("POST", "/frame", &json!({"id": 0}));
        }
    }

    /// Runs a function's body in the page.
    pub fn run(&self, script: &str) -> Value {
        self.on("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Runs a function's body that calls its last argument with the result.
    pub fn run_async(&self, script: &str) -> Value {
        self.on("POST", "/execute/async", &json!({"script": script, "args": []}))
    }

    /// Waits until a function's body gives something that is true.
    pub fn wait(&self, script: &str) -> Value {
        let began = Instant::now();
        loop {
            let value = self.run(script);
            if !matches!(value, Value::Null | Value::Bool(false)) {
                return value;
            }
            let page =
                || self.run("return document.querySelector('main')?.innerText ?? document.title");
            assert!(
                began.elapsed() < PATIENCE,
                "waited in vain for {script}; the page: {}",
                page()
            );
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// Clicks on what a function's body gives, in its middle, as a person does.
    pub fn click(&self, script: &str) {
        let began = Instant::now();
        loop {
            let element = self.wait(script);
            let id = element[ELEMENT].as_str().unwrap_or_else(|| panic!("no element: {script}"));
            let path = format!("/session/{}/element/{id}/click", self.session);
            match self.try_ask("POST", &path, &json!({})) {
                Ok(_) => return,
                // The page has drawn it anew since, or does not show it yet: a person clicks what
                // is there now.
                Err(why)
                    if ["stale element", "not interactable"].iter().any(|of| why.contains(of))
                        && began.elapsed() < PATIENCE =>
                {
                    std::thread::sleep(Duration::from_millis(15));
                }
                Err(why) => panic!("a click on {script}: {why}"),
            }
        }
    }

    /// Opens the part of this selector by its summary. The page may move while an answer arrives:
    /// a person clicks again after a miss.
    pub fn open_part(&self, part: &str) {
        let is_open = format!("return document.querySelector('{part}').open");
        let began = Instant::now();
        while self.run(&is_open) != Value::Bool(true) {
            assert!(began.elapsed() < PATIENCE, "{part} stays closed");
            self.click(&format!("return document.querySelector('{part} > summary')"));
        }
    }

    /// Types into what has the focus.
    pub fn keys(&self, text: &str) {
        let keys = text.chars().flat_map(|c| {
            let key = c.to_string();
            [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})]
        });
        let keys: Vec<Value> = keys.collect();
        let source = json!({"type": "key", "id": "keyboard", "actions": keys});
        self.on("POST", "/actions", &json!({"actions": [source]}));
    }

    /// Presses on the middle of what one function's body gives, moves in steps to the middle of
    /// another, and lets go. `kind` is `mouse`, `touch` or `pen`.
    pub fn drag(&self, kind: &str, from: &str, to: &str) {
        let middle = |script: &str| {
            let script = format!(
                "const found = (() => {{ {script} }})(); if (!found) return null;
                 const box = found.getBoundingClientRect();
                 return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)]"
            );
            let at = self.wait(&script);
            [0, 1].map(|i| at[i].as_i64().expect("a number"))
        };
        let ([x0, y0], [x1, y1]) = (middle(from), middle(to));
        let go = |x: i64, y: i64| json!({"type": "pointerMove", "duration": 20, "x": x, "y": y});
        let mut actions = vec![go(x0, y0), json!({"type": "pointerDown", "button": 0})];
        actions.extend((1..=4).map(|i| go(x0 + (x1 - x0) * i / 4, y0 + (y1 - y0) * i / 4)));
        actions.push(json!({"type": "pointerUp", "button": 0}));
        let source = json!({
            "type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions
        });
        self.on("POST", "/actions", &json!({"actions": [source]}));
    }

    /// Names the file of a file chooser.
    pub fn choose_file(&self, selector: &str, path: &Path) {
        let found =
            self.on("POST", "/element", &json!({"using": "css selector", "value": selector}));
        let id = found[ELEMENT].as_str().expect("a file chooser");
        self.on("POST", &format!("/element/{id}/value"), &json!({"text": path}));
    }

    /// Saves a picture of the page in the folder that `NONET_PICTURES` names, if it is set.
    pub fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("NONET_PICTURES").map(PathBuf::from) else { return };
        let text = self.on("GET", "/screenshot", &Value::Null);
        std::fs::create_dir_all(&folder).expect("a folder");
        let bytes = base64(text.as_str().expect("a picture"));
        std::fs::write(folder.join(format!("{name}.png")), bytes).expect("written");
    }

    /// What the page has logged as errors.
    pub fn errors(&self) -> Vec<String> {
        let entries = self.on("POST", "/se/log", &json!({"type": "browser"}));
        let entries = entries.as_array().cloned().unwrap_or_default();
        let severe = entries.iter().filter(|entry| entry["level"] == "SEVERE");
        severe.map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let path = format!("/session/{}", self.session);
            let _ = std::panic::catch_unwind(|| request(self.port, "DELETE", &path, &[], b""));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The bytes of a text in base64.
fn base64(text: &str) -> Vec<u8> {
    let (mut bits, mut count, mut bytes) = (0u32, 0, Vec::new());
    for c in text.bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    bytes
}
