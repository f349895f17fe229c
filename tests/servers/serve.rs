//! The HTTP API of `nonet serve` as a process: every answer against the OpenAPI document, and who
//! may ask.

#![allow(clippy::expect_used, clippy::print_stderr, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Deadline, nonet};
use crate::serving::schema::{conforms, faults};
use crate::serving::{Server, request};

const START: &str = "4HPwATDgc/ABMA";

#[test]
fn every_operation_of_the_openapi_document_has_a_name_of_its_own() {
    let document: Value = serde_json::from_str(&nonet::serve::openapi_json()).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths.values().flat_map(|path| path.as_object().expect("methods").values());
    let mut names: Vec<&str> =
        operations.map(|operation| operation["operationId"].as_str().expect("a name")).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "{names:?}");
}

#[test]
fn every_answer_conforms_to_the_openapi_document() {
    let server = Server::start();
    let document = server.get("/api/v1/openapi.json").json();
    assert_eq!(document["openapi"], "3.1.0");
    let get = |path: &str, of: &str| conforms(&document, "get", of, &server.get(path));
    let post = |path: &str, of: &str, body: Value| {
        conforms(&document, "post", of, &server.post(path, &body))
    };
    let plain = |path: &str, body: Value| post(path, path, body);
    let moves = plain("/api/v1/moves", json!({"id": START, "dice": "31"}));
    assert_eq!(moves["plays"].as_array().map(Vec::len), Some(16));
    let hint = plain("/api/v1/hint", json!({"id": START, "dice": "31", "ply": 1}));
    assert_eq!(hint["plays"][0]["play"], "8/5 6/5");
    let rolled = plain("/api/v1/hint", json!({"id": START, "dice": "64", "roller": "roller"}));
    assert!(rolled["plays"][0]["rollout"]["games"].as_u64().is_some_and(|games| games >= 36));
    let double = "XGID=-a-B--E-B-a-dDB--b-bcb----:0:0:1:00:0:0:0:0:10";
    let rolled = plain("/api/v1/cube", json!({"id": double, "roller": "roller"}));
    assert!(rolled["rollout"]["games"].is_u64(), "{rolled}");
    plain(
        "/api/v1/hints",
        json!({"questions": [{"id": START, "dice": "31"}, {"id": START, "dice": "64"}]}),
    );
    plain("/api/v1/evaluate", json!({"ids": [START, START]}));
    for id in [START, "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:1:0:7:10"] {
        plain("/api/v1/cube", json!({"id": id, "ply": 1}));
    }
    let rolls = plain("/api/v1/rolls", json!({"id": START, "ply": 1}));
    assert_eq!(rolls["rolls"].as_array().map(Vec::len), Some(21));
    let scores = plain("/api/v1/scores", json!({"id": START, "dice": "21", "ply": 1, "away": 2}));
    assert_eq!(scores["cells"].as_array().map(Vec::len), Some(1 + 4 + 2));
    let cube = plain("/api/v1/scores", json!({"id": START, "ply": 1, "away": 1}));
    assert_eq!(cube["cells"][0]["cube"]["action"], "no-double");
    for wrong in [json!({"away": 16}), json!({"play": "8/5 6/5"}), json!({"ply": 4})] {
        let mut body = json!({"id": START});
        body.as_object_mut().expect("an object").extend(wrong.as_object().expect("one").clone());
        assert!(plain("/api/v1/scores", body)["error"].is_string());
    }
    plain("/api/v1/inputs", json!({"id": START}));
    let question = json!({"id": START, "dice": "31", "instead": "24/23 13/10", "ply": 2});
    assert_eq!(plain("/api/v1/why", question)["better"]["play"], "8/5 6/5");
    let two = json!({"id": START, "dice": "31", "better": "13/10 6/5", "instead": "24/23 13/10", "plies": 1});
    assert_eq!(plain("/api/v1/why", two)["worse"]["play"], "13/10 6/5");
    let one = plain("/api/v1/why", json!({"id": START, "dice": "31", "better": "13/10 6/5"}));
    assert!(one["error"].as_str().expect("an error").contains("needs instead"), "{one}");
    let why = plain("/api/v1/why/cube", json!({"id": START, "ply": 1}));
    assert_eq!(why["said"][0]["kind"], "wait");
    get("/api/v1/nets", "/api/v1/nets");
    let game = plain("/api/v1/game", json!({"seed": 3}));
    assert_eq!(plain("/api/v1/game", json!({"seed": 3})), game, "the same seed is the same game");
    let levels = json!({"seed": 3, "light": "advanced", "dark": "human-8", "length": 1});
    let watched = plain("/api/v1/watched-match", levels.clone());
    assert_eq!(plain("/api/v1/watched-match", levels), watched, "the same seed is the same match");
    for wrong in [json!({"length": 0}), json!({"light": "clubb"}), json!({"ply": 3})] {
        let mut body = json!({"seed": 3});
        body.as_object_mut().expect("an object").extend(wrong.as_object().expect("one").clone());
        assert!(plain("/api/v1/watched-match", body)["error"].is_string());
    }
    // What any operation refuses is described, too.
    for (body, words) in [
        (json!({"id": START, "ply": 0}), "invalid ply '0'"),
        (json!({"id": START, "dise": "31"}), "invalid field in the JSON body: "),
        (json!({"id": START, "net": "none"}), "no net called 'none': known are champion, "),
    ] {
        let refused = plain("/api/v1/cube", body);
        assert!(refused["error"].as_str().expect("an error").starts_with(words), "{refused}");
    }
    let bare = request(server.port, "POST", "/api/v1/hint", &[], b"{}");
    conforms(&document, "post", "/api/v1/hint", &bare);
    assert_eq!(bare.status, 415);
    get("/api/v1/runs/-wrong", "/api/v1/runs/{name}");
    let rollout = server
        .post(
            "/api/v1/rollout",
            &json!({"id": START, "dice": "31", "games": 36, "truncate": 2, "plays": 1, "also": "24/20"}),
        )
        .text();
    let last = rollout.rsplit("data: ").next().expect("an event");
    let last: Value =
        serde_json::from_str(last.split("\n\n").next().expect("a line")).expect("JSON");
    let schema = json!({"$ref": "#/components/schemas/RolloutAnswer"});
    assert_eq!(faults(&document, &schema, &last, "rollout"), Vec::<String>::new());
    let mut rolled: Vec<&str> = last["rollouts"]
        .as_array()
        .expect("plays")
        .iter()
        .map(|row| row["play"].as_str().expect("a play"))
        .collect();
    rolled.sort_unstable();
    assert_eq!(rolled, ["24/20", "8/5 6/5"], "the best play and the one that was named");
    more_games_go_on_and_say_the_same(&server);
    // A match with a decision.
    let begun = plain("/api/v1/matches", json!({"length": 1, "seed": 7, "ply": 1, "cube_ply": 1}));
    let id = begun["id"].as_str().expect("a name");
    let play = &begun["plays"][0]["play"];
    let path = |rest: &str| format!("/api/v1/matches/{id}{rest}");
    let of = |rest: &str| format!("/api/v1/matches/{{id}}{rest}");
    get(&path("/hint"), &of("/hint"));
    let stale = post(
        &path("/actions"),
        &of("/actions"),
        json!({"action": "play", "play": play, "revision": 9}),
    );
    assert!(stale["error"].as_str().expect("an error").contains("another window"), "{stale}");
    post(&path("/actions"), &of("/actions"), json!({"action": "play", "play": play}));
    get(&path(""), &of(""));
    get(&path("/course"), &of("/course"));
    let two = json!({"length": 1, "seed": 7, "name": "ann", "second": "bob"});
    assert_eq!(plain("/api/v1/matches", two)["two_people"], true);
    get("/api/v1/matches", "/api/v1/matches");
    get("/api/v1/matches/no-such-match", &of(""));
    post(&path("/actions"), &of("/actions"), json!({"action": "take"}));
    // An upload.
    let bytes =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/crawford.mat"));
    let sent =
        request(server.port, "POST", "/api/v1/analyses?name=a.mat", &[], &bytes.expect("a record"));
    let row = conforms(&document, "post", "/api/v1/analyses", &sent);
    // A file with one position is no match; its answer names the position.
    let written = "backgammon/tests/records/written.xgp";
    let file = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(written));
    let refused =
        request(server.port, "POST", "/api/v1/analyses?name=a.xgp", &[], &file.expect(written));
    let refused = conforms(&document, "post", "/api/v1/analyses", &refused);
    assert_eq!(refused["code"], "single-position");
    let xgid = "XGID=a-B-CBC--A---dC---ca-d---A:1:-1:-1:52:2:4:0:7:10";
    assert_eq!(refused["position"], xgid);
    let upload = row["id"].as_str().expect("a name");
    let began = Instant::now();
    let done = loop {
        let now = get(&format!("/api/v1/analyses/{upload}"), "/api/v1/analyses/{id}");
        if now["row"]["state"] == "done" {
            break now;
        }
        assert!(began.elapsed() < Duration::from_secs(120), "{now}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(done["matches"].as_array().map(Vec::len), Some(1));
    get("/api/v1/analyses", "/api/v1/analyses");
    // One decision deeper, a note on it, and both with the analysis afterwards.
    let of = |rest: &str| format!("/api/v1/analyses/{{id}}{rest}");
    let path = |rest: &str| format!("/api/v1/analyses/{upload}{rest}");
    let place = json!({"match": 0, "game": 0, "decision": 1});
    let with = |key: &str, value: Value| {
        let mut body = place.clone();
        body[key] = value;
        body
    };
    let deeper = post(&path("/deeper"), &of("/deeper"), with("ply", 1.into()));
    let first = &done["matches"][0]["games"][0]["decisions"][1];
    assert_eq!(deeper["analysed"]["xgid"], first["xgid"], "the same decision");
    post(&path("/deeper"), &of("/deeper"), with("decision", 9999.into()));
    post(&path("/notes"), &of("/notes"), with("text", "remember".into()));
    let kept = get(&path(""), &of(""));
    assert_eq!(
        (&kept["notes"][0]["text"], &kept["deeper"][0]["plies"]),
        (&json!("remember"), &json!(1))
    );
    let none = post(&path("/notes"), &of("/notes"), with("text", " ".into()));
    assert_eq!(none, json!([]), "an empty note is none");
    post(&path("/notes"), &of("/notes"), with("text", "x".repeat(4001).into()));
    let library = get("/api/v1/library", "/api/v1/library");
    assert_eq!(library["players"].as_array().map(Vec::len), Some(2));
    assert_eq!(library["player"]["matches"][0]["date"], "2026-11-21", "as the record says");
    get("/api/v1/library?player=nobody", "/api/v1/library");
    // Its mistakes as cards.
    let player = library["player"]["name"].clone();
    let taken = json!({"analysis": upload, "player": player});
    let taken = plain("/api/v1/practice/matches", taken);
    let none = plain("/api/v1/practice/matches", json!({"analysis": upload, "player": "nobody"}));
    assert!(none["error"].as_str().expect("an error").contains("does not play"), "{none}");
    let cards = get("/api/v1/practice", "/api/v1/practice");
    assert_eq!((&cards["overview"]["cards"], &cards["players"][0]), (&taken["cards"], &player));
    get("/api/v1/practice?player=nobody", "/api/v1/practice");
    let card = cards["cards"].as_array().and_then(|cards| cards.first()).expect("a mistake");
    let reply = |answer: &Value| {
        let reply = json!({"player": player, "xgid": card["xgid"], "answer": answer, "ply": 1});
        plain("/api/v1/practice/answers", reply)
    };
    assert!(reply(&"nonsense".into())["error"].is_string());
    let answer = match card["asks"].as_str() {
        Some("play") => card["plays"][0]["play"].clone(),
        Some("double") => "double".into(),
        _ => "take".into(),
    };
    assert!(reply(&answer)["loss"].as_f64().expect("a loss") >= 0.0);
    assert_eq!(get("/api/v1/practice", "/api/v1/practice")["overview"]["answers"], 1);
    new_positions_and_a_test_are_drawn(&server, &document, &player);
    let server_answer = get("/api/v1/server", "/api/v1/server");
    assert!(server_answer["formats"].as_array().expect("formats").len() > 5);
    conforms(
        &document,
        "post",
        &of("/again"),
        &request(server.port, "POST", &path("/again?ply=7"), &[], b""),
    );
    let nobody = request(server.port, "POST", &path("/again?ply=1&net=nobody"), &[], b"");
    assert_eq!(nobody.status, 404, "there is no such net");
    conforms(&document, "post", &of("/again"), &nobody);
    assert_eq!((&kept["row"]["net"], &kept["net_changed"]), (&json!("champion"), &json!(false)));
    for file in ["page.html", "match.sgf", "analysis.json", "record"] {
        assert_eq!(server.get(&format!("/api/v1/analyses/{upload}/{file}")).status, 200, "{file}");
    }
    assert_eq!(server.get(&format!("/api/v1/analyses/{upload}/../row.json")).status, 404);
    get("/api/v1/runs", "/api/v1/runs");
    get("/api/v1/runs/none", "/api/v1/runs/{name}");
    a_run_gets_a_title_and_is_removed(&server, &document);
    get("/api/v1/bot", "/api/v1/bot");
    let start = "p24=2&p19=-5&p17=-3&p13=5&p12=-5&p8=3&p6=5&p1=-2";
    get(&format!("/eval?{start}"), "/eval");
    let moves = get(&format!("/move?die1=3&die2=1&{start}"), "/move");
    assert_eq!(moves["moves"][0]["play"], json!([{"from": 8, "to": 5}, {"from": 6, "to": 5}]));
    get("/move?die1=7&die2=1&p1=1&p24=-1", "/move");
    get("/eval?p0=1&p4=4&p5=-5", "/eval");
}

/// A run that this server has not trained: its folder is enough.
fn a_run_gets_a_title_and_is_removed(server: &Server, document: &Value) {
    let folder = server.folder().join("runs/kept");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("config.toml"), "# nonet train\ngames = 100\n").expect("a file");
    let entitled = |title: &str| {
        let answer = server.post("/api/v1/runs/kept/title", &json!({"title": title}));
        conforms(document, "post", "/api/v1/runs/{name}/title", &answer);
        answer
    };
    assert_eq!(entitled(" Slow & steady ").json()["title"], "Slow & steady");
    assert_eq!(server.get("/api/v1/runs").json()[0]["title"], "Slow & steady");
    assert_eq!(entitled(&"x".repeat(81)).status, 400);
    assert_eq!(entitled("two\nlines").status, 400);
    // Nor may two runs be called the same, by name or by title.
    let other = server.folder().join("runs/other");
    std::fs::create_dir_all(&other).expect("a folder");
    std::fs::write(other.join("config.toml"), "# nonet train\ngames = 100\n").expect("a file");
    assert_eq!((entitled("Other").status, entitled("kept").status), (409, 200));
    let twin = server.post("/api/v1/runs/other/title", &json!({"title": "Kept"}));
    assert_eq!((twin.status, &twin.json()["code"]), (409, &json!("run-exists")));
    std::fs::remove_dir_all(&other).expect("a folder");
    assert_eq!(entitled("").json()["title"], Value::Null);
    let removed = |name: &str| {
        let path = format!("/api/v1/runs/{name}");
        let answer = request(server.port, "DELETE", &path, &[], b"");
        conforms(document, "delete", "/api/v1/runs/{name}", &answer);
        answer.status
    };
    assert_eq!(removed("none"), 404);
    // Another program works on it.
    let lock = std::fs::File::create(folder.join(".lock")).expect("a file");
    lock.lock().expect("nobody else has it");
    assert_eq!(removed("kept"), 409);
    assert!(folder.join("config.toml").is_file());
    drop(lock);
    assert_eq!(removed("kept"), 204);
    assert!(!folder.exists());
    assert_eq!(removed("kept"), 404);
}

#[test]
fn a_run_that_writes_another_net_is_answered_by_it() {
    let server = Server::start();
    let folder = server.folder().join("runs/again");
    std::fs::create_dir_all(&folder).expect("a folder");
    let equity = |net: &str| {
        let answer = server.post("/api/v1/evaluate", &json!({"ids": [START], "net": net}));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    for named in ["small", "swift"] {
        let bytes = nonet::open::net_bytes(named).expect("known");
        std::fs::write(folder.join("best.nonet"), bytes).expect("written");
        assert_eq!(equity("again"), equity(named), "{named}");
    }
}

#[test]
fn a_match_goes_on_from_its_file_after_kill_9_between_any_two_decisions() {
    let mut server = Server::start();
    let begun = server
        .post("/api/v1/matches", &json!({"length": 1, "seed": 11, "ply": 1, "cube_ply": 1}))
        .json();
    let path = format!("/api/v1/matches/{}", begun["id"].as_str().expect("a name"));
    let mut now = begun;
    for turn in 0..4 {
        let action = match now["turn"].as_str() {
            Some("play") => json!({"action": "play", "play": now["plays"][0]["play"]}),
            Some("roll") => json!({"action": "roll"}),
            other => panic!("unexpected turn {other:?}"),
        };
        now = server.post(&format!("{path}/actions"), &action).json();
        server.kill_and_restart();
        let mut after = server.get(&path).json();
        for view in [&mut now, &mut after] {
            // The events, and the number of changes of the page, are not part of the match.
            view["events"].take();
            view["revision"].take();
        }
        assert_eq!(after, now, "after decision {turn}");
        now = after;
    }
}

#[test]
fn the_same_answer_comes_from_the_command_and_from_the_server() {
    let server = Server::start();
    for (words, path, body) in [
        (
            vec!["hint", START, "31", "--ply", "1"],
            "hint",
            json!({"id": START, "dice": "31", "ply": 1, "plays": 10}),
        ),
        (vec!["cube", START, "--ply", "2"], "cube", json!({"id": START, "ply": 2})),
        (vec!["moves", START, "31"], "moves", json!({"id": START, "dice": "31"})),
    ] {
        let mut command = nonet(&words);
        command.arg("--json");
        match path {
            "moves" => {}
            "hint" => drop(command.args(["--no-bearoff", "--plays", "10"])),
            _ => drop(command.arg("--no-bearoff")),
        }
        let printed = command.ended().stdout;
        let printed: Value = serde_json::from_slice(&printed).expect("JSON");
        assert_eq!(server.post(&format!("/api/v1/{path}"), &body).json(), printed, "{words:?}");
    }
}

#[test]
fn other_sites_and_requests_without_the_token_are_refused() {
    let server = Server::start();
    let ask =
        |headers: &[(&str, &str)]| request(server.port, "GET", "/api/v1/nets", headers, b"").status;
    let host = format!("localhost:{}", server.port);
    let own = format!("http://{host}");
    assert_eq!(ask(&[("Host", &host), ("Origin", &own)]), 200);
    assert_eq!(ask(&[("Host", "evil.example")]), 421);
    assert_eq!(ask(&[("Origin", "http://evil.example")]), 403);
    assert_eq!(ask(&[("Origin", "null")]), 403);
    assert_eq!(ask(&[("Sec-Fetch-Site", "cross-site")]), 403);
    let kept = Server::with(&["--host", "0.0.0.0", "--token", "a-long-secret"]);
    let ask =
        |headers: &[(&str, &str)]| request(kept.port, "GET", "/api/v1/nets", headers, b"").status;
    assert_eq!(ask(&[]), 401);
    assert_eq!(ask(&[("Authorization", "Bearer a-long-secreT")]), 401);
    assert_eq!(ask(&[("Authorization", "Bearer a-long-secret")]), 200);
    assert_eq!(kept.get("/").status, 200);
    let open = nonet(&["serve", "--host", "0.0.0.0", "--port", "0"]).ended();
    assert_eq!(open.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&open.stderr).contains("--token"), "{open:?}");
}

#[test]
fn pages_allow_no_script_or_style_but_those_of_the_server() {
    let server = Server::start();
    for page in ["/", "/analyse", "/position", "/train", "/bot", "/api"] {
        let answer = server.get(page);
        let head = answer.head.to_lowercase();
        assert!(
            head.contains(
                "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'"
            ),
            "{head}"
        );
        assert!(!head.contains("unsafe-inline") && !head.contains("set-cookie"), "{head}");
        let text = answer.text();
        assert!(
            !text.contains("http://") && !text.contains("https://") && !text.contains("style=\""),
            "{page}"
        );
        assert!(!text.contains("<script>") && !text.contains(" onclick"), "{page}");
    }
}

/// What a page of the documentation links to within it.
fn links_in_book(text: &str) -> impl Iterator<Item = &str> {
    let links = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.filter(|link| link.starts_with("/book/") || link.starts_with('#') && *link != "#main")
}

#[test]
fn every_link_of_the_documentation_leads_to_a_page_and_an_anchor() {
    let server = Server::start();
    let mut pages = BTreeMap::new();
    let mut open = vec!["/book/introduction".to_owned()];
    while let Some(address) = open.pop() {
        let answer = server.get(&address);
        assert_eq!(answer.status, 200, "{address}");
        let text = answer.text();
        for picture in text.split("<img src=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert_eq!(server.get(&format!("/book/{picture}")).status, 200, "{address}: {picture}");
        }
        let found = links_in_book(&text).filter_map(|link| link.split('#').next());
        open.extend(found.filter(|page| !page.is_empty()).map(str::to_owned));
        pages.insert(address, text);
        open.retain(|page| !pages.contains_key(page));
    }
    assert!(pages.len() > 15, "{:?}", pages.keys());
    for (address, text) in &pages {
        for (page, anchor) in links_in_book(text).filter_map(|link| link.split_once('#')) {
            let page = if page.is_empty() { address } else { page };
            assert!(
                pages[page].contains(&format!("id=\"{anchor}\"")),
                "{address}: {page}#{anchor}"
            );
        }
    }
    assert_eq!(server.get("/book/nothing").status, 404);
}

#[cfg(unix)]
#[test]
fn ctrl_c_lets_training_runs_save_their_checkpoints() {
    let mut server = Server::of_a_terminal();
    let run = json!({"name": "kept", "preset": "small", "games": 2_000_000});
    assert_eq!(server.post("/api/v1/runs", &run).status, 201);
    let until = Instant::now() + Duration::from_secs(120);
    while server.get("/api/v1/runs/kept").json()["run"]["games"].as_u64().unwrap_or(0) == 0 {
        assert!(Instant::now() < until, "the run does not begin");
        std::thread::sleep(Duration::from_millis(200));
    }
    server.interrupt();
    let said = std::fs::read_to_string(server.folder().join("runs/kept.log")).expect("a log");
    assert!(said.contains("\nstopped after "), "{said}");
}

#[test]
fn a_server_says_that_it_is_well() {
    let server = Server::start();
    let port = server.port.to_string();
    let check = |port: &str| nonet(&["serve", "--check", "--port", port]).ended();
    assert!(check(&port).status.success());
    drop(server);
    let dead = check(&port);
    assert_eq!(dead.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&dead.stderr).contains("no healthy server"), "{dead:?}");
}

#[test]
fn one_server_uses_a_data_folder() {
    let server = Server::start();
    let data = server.data().display().to_string();
    let second = nonet(&["serve", "--no-bearoff", "--port", "0", "--data", &data]).ended();
    assert_eq!(second.status.code(), Some(1));
    let said = String::from_utf8_lossy(&second.stderr);
    let expected = format!(
        "another server uses the data folder {data}: stop it, or name another folder with --data"
    );
    assert!(said.contains(&expected), "{said}");
}

/// The last of the server-sent events that answer a request, which conforms to its schema.
/// A rollout that goes on has the answer of one that begins anew, as that of a named net does.
fn more_games_go_on_and_say_the_same(server: &Server) {
    let rolled = |net: Option<&str>| {
        let asked = json!({"id": START, "dice": "31", "games": 72, "truncate": 2, "plays": 1, "also": "24/20", "net": net});
        let text = server.post("/api/v1/rollout", &asked).text();
        let data = text.rsplit("data: ").next().expect("data").lines().next().expect("a line");
        let answer: Value = serde_json::from_str(data).expect("JSON");
        answer["rollouts"].clone()
    };
    let went_on = rolled(None);
    assert_eq!(went_on[0]["games"], 72, "{went_on}");
    assert_eq!(went_on, rolled(Some("champion")));
}

fn last_event(server: &Server, document: &Value, path: &str, body: &Value) -> (String, Value) {
    let text = server.post(path, body).text();
    let name = text.rsplit("event: ").next().expect("an event").lines().next().expect("a name");
    let data = text.rsplit("data: ").next().expect("data").lines().next().expect("a line");
    let data: Value = serde_json::from_str(data).expect("JSON");
    let schema = if name == "failed" { "ErrorAnswer" } else { "PracticeDrawn" };
    let schema = json!({"$ref": format!("#/components/schemas/{schema}")});
    assert_eq!(faults(document, &schema, &data, path), Vec::<String>::new());
    (name.to_owned(), data)
}

fn new_positions_and_a_test_are_drawn(server: &Server, document: &Value, player: &Value) {
    let draw = |path: &str, seed: u64| {
        let body = json!({"player": player, "count": 2, "seed": seed, "ply": 1});
        last_event(server, document, path, &body)
    };
    let practice =
        || conforms(document, "get", "/api/v1/practice", &server.get("/api/v1/practice"));
    let post =
        |path: &str, body: &Value| conforms(document, "post", path, &server.post(path, body));
    let (name, drawn) = draw("/api/v1/practice/positions", 1);
    assert_eq!((name.as_str(), &drawn["drawn"], &drawn["seed"]), ("done", &json!(2), &json!(1)));
    let waiting = practice()["new"].clone();
    assert_eq!(waiting.as_array().map(Vec::len), Some(2), "they wait for an answer");
    // An answer takes one away; it is a card only if it was wrong.
    let cards = practice()["overview"]["cards"].clone();
    let answer = |card: &Value| match card["asks"].as_str() {
        Some("play") => card["plays"][0]["play"].clone(),
        Some("double") => "double".into(),
        _ => "take".into(),
    };
    let card = &waiting[0];
    let reply = json!({"player": player, "xgid": card["xgid"], "answer": answer(card)});
    let told = post("/api/v1/practice/answers", &reply);
    assert!(told["error"].is_null() && told["opponent"].is_null(), "{told}");
    let wrong = u64::from(told["right"] == false);
    assert_eq!(told["days"].is_null(), wrong == 0, "{told}");
    let after = practice();
    assert_eq!(after["new"].as_array().map(Vec::len), Some(1));
    assert_eq!(after["overview"]["cards"].as_u64(), cards.as_u64().map(|cards| cards + wrong));
    // A test tells its answers at the end; another one has the same kinds of positions.
    let mut results = Vec::new();
    for seed in [2, 3] {
        let (name, _) = draw("/api/v1/practice/tests", seed);
        assert_eq!(name, "done");
        let mut state = practice()["test"].clone();
        assert_eq!((&state["questions"], &state["answered"]), (&json!(2), &json!(0)));
        let body = json!({"player": player, "count": 2});
        let refused = post("/api/v1/practice/tests", &body);
        assert_eq!(refused["code"], "test-open");
        let other = json!({"player": player, "xgid": waiting[1]["xgid"], "answer": "roll"});
        assert_eq!(post("/api/v1/practice/tests/answers", &other)["code"], "no-test");
        while state["result"].is_null() {
            assert!(state["answers"].is_null(), "{state}");
            let card = &state["card"];
            let reply = json!({"player": player, "xgid": card["xgid"], "answer": answer(card)});
            state = post("/api/v1/practice/tests/answers", &reply);
            assert!(state["error"].is_null(), "{state}");
        }
        assert_eq!(state["answers"].as_array().map(Vec::len), Some(2));
        results.push(state["result"].clone());
    }
    let tests = practice()["overview"]["tests"].clone();
    assert_eq!(tests["results"], json!(results));
    assert!(tests["change"][0].is_number(), "{tests}");
    let wrong = json!({"player": player, "count": 101});
    assert!(post("/api/v1/practice/positions", &wrong)["error"].is_string());
    let many = json!({"player": player, "count": 100});
    assert_eq!(post("/api/v1/practice/positions", &many)["code"], "many-positions");
    // Somebody without cards gets frequent kinds, but has to have a name.
    let nameless = json!({"player": " ", "count": 1});
    assert!(post("/api/v1/practice/tests", &nameless)["error"].is_string());
    let first = json!({"player": "newcomer", "count": 1, "seed": 1, "ply": 1});
    let (name, _) = last_event(server, document, "/api/v1/practice/positions", &first);
    let new = server.get("/api/v1/practice?player=newcomer");
    let new = conforms(document, "get", "/api/v1/practice", &new);
    assert_eq!((name.as_str(), new["new"].as_array().map(Vec::len)), ("done", Some(1)));
    assert_eq!(new["overview"]["cards"], 0, "{new}");
}
