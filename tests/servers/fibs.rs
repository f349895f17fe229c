//! The bot as a process, which continues after it is killed at any moment, and as a player, which
//! plays as `nonet eval` does.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt;
use assert_cmd::cargo::cargo_bin;
use fibs::agent::{Agent, TurnContext};
use nonet::backgammon::record::Records;
use nonet::backgammon::{
    Cube, CubeOwner, Dice, FibsBoard, Position, Results, Scoring, Seat, candidates,
};
use nonet::bot::{Bot, BotConfig, Decider, MatchLog, match_records};
use nonet::cube::{CubeContext, CubeScoring, MatchEquityTable};
use nonet::engine::Engine;
use nonet::eval::{Architecture, Specialists};
use nonet::game::{MoveChoice, StreamPurpose, stream};
use nonet::search::{Plies, Search, SearchSettings};
use nonet::store::read_net;

use crate::common::{self, Deadline};

fn nonet(args: &[&str]) -> Command {
    let mut command = common::nonet(args);
    command.env("FIBS_PASSWORD", "Zanzibar7").stderr(Stdio::null());
    command
}

/// Decides with this net at `plies` plies.
fn decider(net: &Arc<Specialists>, plies: Plies) -> Decider {
    let engine = Engine::builder().evaluator(Arc::clone(net)).plies(plies);
    Decider::new(&engine.search_settings(SearchSettings::NORMAL).build().expect("an engine"))
}

/// Positions of one long walk through legal plays.
fn walk(steps: usize) -> Vec<(Position, Dice)> {
    let mut dice = stream(3, StreamPurpose::Match, 0);
    let (mut position, mut results, mut seen) = (Position::START, Results::default(), Vec::new());
    while seen.len() < steps {
        let rolled = nonet::game::roll(&mut dice);
        seen.push((position, rolled));
        let found = results.of(&position, rolled);
        let pick = usize::from(rolled.high() * 7 + rolled.low() * 3) * (seen.len() + 1);
        position = found[pick % found.len()];
        if position.outcome().is_some() {
            position = Position::START;
        }
    }
    seen
}

/// The first position of a match of 3 points, as the server shows it to us.
const SPEC: &str = "board:You:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";

#[test]
fn the_bot_plays_what_eval_plays_in_a_match_with_the_same_net_and_ply() {
    let mut rng = stream(1, StreamPurpose::Weights, 0);
    let team = Arc::new(Specialists::random(&Architecture::ALL[0], &mut rng));
    let folder = tempfile::tempdir().expect("a folder");
    let (board, _) = FibsBoard::parse(SPEC).expect("a board");
    // The score of SPEC.
    let scoring = Scoring::of_match(3, 0, 0, false).expect("a score");
    let scoring = CubeScoring::new(scoring, MatchEquityTable::kazaross_xg2()).expect("in reach");
    let context = &CubeContext { scoring, cube: Cube::CENTRED };
    for (ply, steps) in [(Plies::ONE, 60), (Plies::TWO, 6)] {
        let engine = Engine::builder().evaluator(Arc::clone(&team));
        let player = engine
            .plies(ply)
            .search_settings(SearchSettings::NORMAL)
            .build()
            .expect("an engine")
            .player();
        let match_log = MatchLog::open(folder.path(), false).expect("a match log");
        let decider = decider(&team, ply);
        let mut bot = Bot::new(decider, BotConfig::default(), match_log, Box::new(|| 0.0));
        let (mut results, mut values) = (Results::default(), Vec::new());
        for (position, dice) in walk(steps) {
            let found = results.of(&position, dice);
            let choice = if found.len() == 1 {
                0
            } else {
                let decision = MoveChoice {
                    position: &position,
                    dice,
                    results: found,
                    context: Some(context),
                };
                player.choose(&decision, &mut values, &mut rng)
            };
            let plays = candidates(&position, dice);
            let made = bot.play(&TurnContext { board: &board, position, dice, plays: &plays });
            assert_eq!(made.points(), found[choice].points(), "{ply:?} {dice}{position:?}");
        }
    }
}

#[test]
fn the_bot_turns_and_takes_the_cube_as_nonet_cube_says() {
    let net = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/small.nonet");
    let team = Arc::new(read_net(&net).expect("a net").team);
    let search = Search::new(Arc::clone(&team), Plies::THREE, SearchSettings::NORMAL);
    let folder = tempfile::tempdir().expect("a folder");
    let match_log = MatchLog::open(folder.path(), false).expect("a match log");
    let decider = decider(&team, Plies::ONE);
    let mut bot = Bot::new(decider, BotConfig::default(), match_log, Box::new(|| 0.0));
    // Our checkers are on our 6, 5 and 4 points; five of the opponent's are further back, by a
    // growing distance.
    let (mut doubled, mut held, mut passed, mut took) = (0, 0, 0, 0);
    for (back, score) in
        [(13, [0, 0]), (15, [0, 0]), (17, [3, 5]), (18, [0, 0]), (19, [8, 2]), (19, [7, 7])]
    {
        for (cube, owner) in [(1, CubeOwner::Centred), (2, CubeOwner::Own)] {
            let (mut board, _) = FibsBoard::parse(SPEC).expect("a board");
            let own = [(6, 5), (5, 5), (4, 5)];
            let position = Position::from_sides(&own, &[(25 - back, 5), (5, 5), (4, 5)]);
            let position = position.expect("legal");
            board.position = position;
            (board.length, board.score, board.cube) = (Some(9), score, cube);
            board.opponent_may_double = owner == CubeOwner::Centred;
            board.post_crawford = 1;
            let [own, other] = score.map(|points| points as u16);
            let session = Scoring::of_match(9, own, other, false).expect("a score");
            let table = MatchEquityTable::kazaross_xg2();
            let scoring = CubeScoring::new(session, table).expect("in reach");
            let wanted =
                search.cube(&position, &scoring, Cube::new(cube, owner).expect("a power of two"));
            assert_eq!(bot.double(&board), wanted.is_double(), "{wanted:?}");
            (if wanted.is_double() { doubled += 1 } else { held += 1 });
            // The same double, made by the opponent against us.
            let mut theirs = board.clone();
            theirs.position = position.flipped();
            theirs.score = [score[1], score[0]];
            theirs.turn = board.turn.map(Seat::other);
            (theirs.may_double, theirs.opponent_may_double) = (false, false);
            theirs.was_doubled = true;
            assert_eq!(bot.take(&theirs), wanted.is_take(), "{wanted:?}");
            (if wanted.is_take() { took += 1 } else { passed += 1 });
        }
    }
    assert!(doubled > 1 && held > 1 && took > 1 && passed > 1, "{doubled} {held} {took} {passed}");
}

#[test]
fn one_command_plays_a_rated_match_to_the_end() {
    let net = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/small.nonet");
    let net = net.to_string_lossy();
    let out = nonet(&["fibs", "demo", "1", "--ply", "1", "--net", &net]).ended();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success(), "{text}");
    assert!(text.contains("against scripted: 1 game,") && text.contains("experience 1"), "{text}");
}

#[test]
fn passwords_on_the_command_line_and_in_readable_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("password");
    std::fs::write(&file, "Zanzibar7\n").expect("written");
    let file = file.to_string_lossy();
    for (words, says) in [
        (vec!["--password", "Zanzibar7"], "FIBS_PASSWORD"),
        (vec!["--password-file", &file], "chmod 600"),
    ] {
        let mut all = vec!["fibs", "whoami", "--user", "bob"];
        all.extend(words);
        let out = nonet(&all).ended();
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(said.contains(says) && !said.contains("Zanzibar7"), "{said}");
        out.assert().code(2);
    }
}

/// A process that is killed when the test ends.
struct Process(Child);

impl Process {
    fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A practice server on a port, or on any free one for `0`; and its port.
fn server(state: &str, port: &str, seed: &str) -> (Process, String) {
    for _ in 0..50 {
        let words = ["fibs", "serve", "--port", port, "--state", state, "--seed", seed];
        let mut child = nonet(&words).stdout(Stdio::piped()).spawn().expect("runs");
        let mut said = String::new();
        let out = child.stdout.take().expect("piped");
        let _ = BufReader::new(out).read_line(&mut said);
        if let Some((_, port)) = said.trim().rsplit_once(':') {
            return (Process(child), port.to_owned());
        }
        // The port of the server that was killed may be in use for a moment.
        let _ = child.wait();
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("no server");
}

/// Whether the server on a port sends its login prompt within `patience`.
fn greets(port: &str, patience: Duration) -> (TcpStream, bool) {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("a port that listens");
    stream.set_read_timeout(Some(patience)).expect("a time-out");
    let (mut text, mut buffer) = (Vec::new(), [0; 1024]);
    while let Ok(n @ 1..) = stream.read(&mut buffer) {
        text.extend_from_slice(&buffer[..n]);
        if text.ends_with(b"login: ") {
            return (stream, true);
        }
    }
    (stream, false)
}

#[cfg(unix)]
#[test]
fn a_practice_server_without_file_handles_goes_on_when_some_are_free_again() {
    let program = cargo_bin!("nonet");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 30; exec \"$0\" fibs serve --port 0"]).arg(program);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("runs");
    let mut said = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    let _serving = Process(child);
    out.read_line(&mut said).expect("a line");
    let port = said.trim().rsplit_once(':').expect("a port").1;
    let mut crowd = Vec::new();
    let served = loop {
        let (stream, greeted) = greets(port, Duration::from_secs(2));
        crowd.push(stream);
        if !greeted {
            break crowd.len() - 1;
        }
    };
    assert!((5..30).contains(&served), "{served} connections with 30 file handles");
    drop(crowd);
    assert!(greets(port, Duration::from_secs(10)).1, "the server no longer serves");
}

/// Kills server and bots `kills` times while they play `matches` matches of `points` points.
/// Returns the matches finished.
fn killed(kills: u32, matches: u32, points: u32, patience: Duration) -> u32 {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (mut serving, port) = server(&at("state"), "0", "1");
    let net = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/small.nonet");
    let net = net.to_string_lossy().into_owned();
    let (count, challenge) = (matches.to_string(), format!("bob:{points}"));
    let play = |name: &str| {
        let records = at(name);
        let mut words =
            vec!["fibs", "play", "--host", "127.0.0.1", "--port", &port, "--user", name];
        words.extend(["--records", &records, "--net", &net, "--ply", "1", "--pace", "0"]);
        // A bot may begin while the server is down.
        words.push("--wait");
        if name == "ann" {
            words.extend(["--challenge", &challenge]);
        }
        Process(nonet(&words).spawn().expect("runs"))
    };
    for name in ["ann", "bob"] {
        let words = ["fibs", "register", "--host", "127.0.0.1", "--port", &port, "--user", name];
        nonet(&words).ended().assert().success();
    }
    let (mut ann, mut bob) = (play("ann"), play("bob"));
    let began = Instant::now();
    let mut done = 0;
    let finished = || {
        let all = match_records(&folder.path().join("ann")).unwrap_or_default();
        all.iter().filter(|record| record.result.is_some()).count()
    };
    while finished() < matches as usize || done < kills {
        assert!(began.elapsed() < patience, "{} of {count} matches, {done} kills", finished());
        std::thread::sleep(Duration::from_millis(if done < kills {
            300 + u64::from(done * 37 % 300)
        } else {
            100
        }));
        if done < kills {
            match done % 3 {
                0 => {
                    ann.kill();
                    ann = play("ann");
                }
                1 => {
                    serving.kill();
                    serving = server(&at("state"), &port, &done.to_string()).0;
                }
                _ => {
                    bob.kill();
                    bob = play("bob");
                }
            }
            done += 1;
        }
    }
    drop((ann, bob, serving));
    let [ann, bob] =
        ["ann", "bob"].map(|name| match_records(&folder.path().join(name)).expect("whole"));
    for (a, b) in ann.iter().zip(&bob) {
        assert!(
            !a.end_unknown && !b.end_unknown && a.incomplete.is_none() && b.incomplete.is_none(),
            "{a:?} {b:?}"
        );
        if let (Some((won, [own, other])), Some(theirs)) = (a.result, b.result) {
            assert_eq!(theirs, (!won, [other, own]));
        }
    }
    u32::try_from(ann.iter().filter(|record| record.result.is_some()).count()).unwrap_or(0)
}

#[test]
fn a_match_continues_after_server_and_bots_are_killed() {
    assert!(killed(5, 1, 1, Duration::from_secs(120)) >= 1);
}

/// Dice and boards of a game.
type Turns = Vec<(Dice, Position)>;

fn small() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/small.nonet")
}

/// The arguments of a bot that plays as fast as it can.
fn play_args(name: &str, port: &str, records: &str) -> Vec<String> {
    let net = small().to_string_lossy().into_owned();
    let words = ["fibs", "play", "--host", "127.0.0.1", "--port", port, "--user", name]
        .into_iter()
        .chain(["--records", records, "--net", &net, "--ply", "1", "--pace", "0"]);
    words.map(str::to_owned).collect()
}

#[test]
fn a_watcher_records_what_the_players_do_and_reconnects_when_the_server_is_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (mut serving, port) = server(&at("state"), "0", "1");
    let play = |words: &[String]| nonet(&words.iter().map(String::as_str).collect::<Vec<_>>());
    for name in ["ann", "bob", "eve"] {
        let words = ["fibs", "register", "--host", "127.0.0.1", "--port", &port, "--user", name];
        nonet(&words).ended().assert().success();
    }
    let watched = at("eve");
    let words = ["fibs", "watch", "ann", "--host", "127.0.0.1", "--port", &port, "--user", "eve"];
    let mut watch = nonet(&words);
    let _eve = Process(watch.args(["--records", &watched]).spawn().expect("runs"));
    let _bob = Process(play(&play_args("bob", &port, &at("bob"))).spawn().expect("runs"));
    // The turns of the matches in a folder, match by match; one that is being written is no file
    // yet.
    let turns = |folder: &str| -> Vec<Vec<Turns>> {
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .map(|entries| entries.map(|entry| entry.expect("an entry").path()).collect())
            .unwrap_or_default();
        paths.retain(|path: &PathBuf| path.extension().is_some_and(|ending| ending == "mat"));
        paths.sort();
        let games = |path: &PathBuf| -> Vec<Turns> {
            let text = std::fs::read(path).expect("there");
            let records = Records::new(&text[..], "mat").expect("a record");
            records
                .map(|game| game.expect("whole").turns().map(|t| (t.dice, t.after)).collect())
                .collect()
        };
        paths.iter().map(games).collect()
    };
    // Both have to be there before the match.
    let both_are_here = || {
        let began = Instant::now();
        loop {
            let words = ["fibs", "whoami", "--host", "127.0.0.1", "--port", &port, "--user", "ann"];
            let said = nonet(&words).ended().stdout;
            if String::from_utf8_lossy(&said).contains("2 others") {
                break;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "a player is missing");
        }
    };
    both_are_here();
    serving.kill();
    serving = server(&at("state"), &port, "2").0;
    both_are_here();
    let mut words = play_args("ann", &port, &at("ann"));
    words.extend(["--challenge", "bob:1", "--matches", "1"].map(str::to_owned));
    play(&words).ended().assert().success();
    let began = Instant::now();
    while turns(&watched).is_empty() && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(turns(&watched), turns(&at("ann")));
    assert_eq!(turns(&watched).len(), 1);
    drop(serving);
}

#[test]
fn a_bot_that_learns_keeps_its_nets_and_a_log_of_every_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (_serving, port) = server(&at("state"), "0", "1");
    let words = |name: &str| play_args(name, &port, &at(name));
    let play = |words: &[String]| nonet(&words.iter().map(String::as_str).collect::<Vec<_>>());
    for name in ["ann", "bob"] {
        let words = ["fibs", "register", "--host", "127.0.0.1", "--port", &port, "--user", name];
        nonet(&words).ended().assert().success();
    }
    let _bob = Process(play(&words("bob")).spawn().expect("runs"));
    let mut learns = words("ann");
    let more = ["--challenge", "bob:1", "--matches", "1", "--learn", "--promote-games", "100"];
    learns.extend(more.map(str::to_owned));
    play(&learns).ended().assert().success();
    let learning = folder.path().join("ann/learning");
    let log = std::fs::read_to_string(learning.join("log.jsonl")).expect("a log");
    assert_eq!(log.lines().count(), 1, "{log}");
    let learned = read_net(&learning.join("learning.nonet")).expect("a net");
    assert_eq!(learned.provenance.games, 1);
    assert_ne!(learned.team, read_net(&small()).expect("a net").team);
    let promoted = learning.join("playing.nonet").is_file();
    assert_eq!(promoted, log.contains("\"promoted\":true"));
    assert!(!folder.path().join("bob/learning").exists(), "only --learn learns");
    // The report on the records.
    let reported = |name: &str| -> serde_json::Value {
        let words = ["fibs", "report", &at(name), "--json", "--no-endings"];
        let said = nonet(&words).ended().stdout;
        serde_json::from_slice(&said).expect("one line of JSON")
    };
    let (own, other) = (reported("ann"), reported("bob"));
    assert_eq!((&own["won"], &own["lost"]), (&other["lost"], &other["won"]));
    let luck = |report: &serde_json::Value| report["form"]["luck_per_game"].as_f64().expect("luck");
    assert!((luck(&own) + luck(&other)).abs() < 1e-4, "{} {}", luck(&own), luck(&other));
    assert_eq!(own["form"]["pr"], other["form"]["pr_of_opponents"]);
}

/// Runs a command to its end: exit code and standard error.
fn said(words: &[String]) -> (Option<i32>, String) {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let out = nonet(&words).ended();
    (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
}

#[test]
fn a_server_that_cannot_be_reached_is_an_error_unless_the_bot_is_to_wait() {
    let folder = tempfile::tempdir().expect("a folder");
    // Nothing listens on port 1.
    let mut words = play_args("nobody_home", "1", &folder.path().to_string_lossy());
    let (code, error) = said(&words);
    assert_eq!(code, Some(1), "{error}");
    assert!(error.contains("cannot reach 127.0.0.1:1: "), "{error}");
    words.push("--wait".to_owned());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut waiting = Process(nonet(&words).spawn().expect("runs"));
    std::thread::sleep(Duration::from_secs(3));
    assert!(waiting.0.try_wait().expect("a state").is_none(), "it waits");
}

#[test]
fn three_plies_are_refused_where_the_pace_leaves_no_time_for_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut words = play_args("quick", "4321", &folder.path().to_string_lossy());
    let ply = words.iter().position(|word| word == "--ply").expect("there");
    words[ply + 1] = "3".to_owned();
    words.push("--no-bearoff".to_owned());
    let (code, error) = said(&words);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("--ply 3 takes") && error.contains("longer than --pace 0"), "{error}");
}

#[test]
fn an_operator_sees_a_match_in_transcript_metrics_and_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (_serving, port) = server(&at("state"), "0", "1");
    for name in ["ann", "bob"] {
        let words = ["fibs", "register", "--host", "127.0.0.1", "--port", &port, "--user", name];
        nonet(&words).ended().assert().success();
    }
    let bob = play_args("bob", &port, &at("bob"));
    let words: Vec<&str> = bob.iter().map(String::as_str).collect();
    let _bob = Process(nonet(&words).spawn().expect("runs"));
    // A record that another program has damaged.
    std::fs::create_dir(at("ann")).expect("made");
    let damaged = folder.path().join("ann/20200101-000000-eve-5.jsonl");
    std::fs::write(&damaged, "{\"event\":\"wat\"}\n").expect("written");
    let mut words = play_args("ann", &port, &at("ann"));
    words.extend(["--challenge", "bob:1", "--matches", "1"].map(str::to_owned));
    for (option, file) in [("--transcript", "transcript"), ("--metrics", "metrics.prom")] {
        words.extend([option.to_owned(), at(file)]);
    }
    let (code, log) = said(&words);
    assert_eq!(code, Some(0), "{log}");
    // The same account under another name of the host, and another account with the same records.
    let mut second = bob.clone();
    second[3] = "localhost".to_owned();
    let (code, error) = said(&second);
    assert!(code == Some(1) && error.contains("another nonet uses the account 'bob'"), "{error}");
    let (code, error) = said(&play_args("ann", &port, &at("bob")));
    assert!(code == Some(1) && error.contains("another nonet writes into the records"), "{error}");

    assert!(!damaged.exists() && damaged.with_extension("jsonl.damaged").exists());
    assert!(log.contains("WARN") && log.contains("eve-5.jsonl:1: invalid event"), "{log}");
    let first = log.lines().next().expect("a line");
    assert!(first.starts_with("20") && first.as_bytes()[23] == b'Z', "date and time: {first}");
    assert!(log.contains(" INFO connected") && log.contains(" INFO in all: "), "{log}");

    let transcript = std::fs::read_to_string(at("transcript")).expect("there");
    assert!(!transcript.contains("Zanzibar7") && !log.contains("Zanzibar7"), "{transcript}");
    assert!(transcript.contains(" > login nonet-") && transcript.contains(" ann ***\n"));
    assert_eq!(transcript.matches(" > set timezone UTC\n").count(), 1, "{transcript}");
    assert!(transcript.contains(" < board:You:bob:1:") && transcript.contains(" > move "));

    let metrics = std::fs::read_to_string(at("metrics.prom")).expect("there");
    for line in [
        "nonet_fibs_matches_finished_total 1",
        "nonet_fibs_matches_open 0",
        "nonet_fibs_connections_total 1",
        "nonet_fibs_hangs_total 0",
        "nonet_fibs_unknown_lines_total 0",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} in {metrics}");
    }
    assert!(metrics.lines().any(|line| line.starts_with("nonet_fibs_rating 1")), "{metrics}");
}

/// `cargo test --release --test servers fibs:: -- --ignored`.
#[test]
#[ignore = "100 kills of processes: minutes"]
fn a_hundred_kills_lose_no_match() {
    let matches = killed(100, 10, 5, Duration::from_secs(3600));
    assert!(matches >= 10);
}
