//! Games with a real GNU Backgammon, in both directions. If it is not installed, these tests print
//! that and pass; with `NONET_WANT_GNUBG` set, as in CI, they fail instead.

#![allow(
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test that cannot go on fails, aloud"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt;
use nonet::backgammon::record::{RecordedGame, Records, read_record};
use nonet::backgammon::{GameState, Outcome, Position, Results, Seat, candidates};
use nonet::cube::{Answer, CubeContext, CubeScoring, MatchEquityTable};
use nonet::eval::{Evaluation, External, ExternalEvaluator, PubEval};
use nonet::game::{
    CubeChoice, ExternalPlayer, MoveChoice, Player, SeriesConfig, SeriesError, SeriesRules,
    StreamPurpose, play_series,
};
use nonet::progress::Progress;
use nonet::protocol::gnubg::{Gnubg, GnubgSettings, GnubgTimeouts};
use nonet::search::Plies;

use crate::common::nonet;
use crate::positions::rare_positions;

pub(crate) fn gnubg() -> Option<PathBuf> {
    let mut places = vec![PathBuf::from("/usr/games/gnubg"), PathBuf::from("/usr/bin/gnubg")];
    places.extend(std::env::var_os("GNUBG").map(PathBuf::from));
    let found = places.into_iter().find(|place| place.is_file());
    if found.is_none() {
        eprintln!("\n*** GNU BACKGAMMON IS NOT INSTALLED: nothing was tested against it. ***\n");
        assert!(std::env::var_os("NONET_WANT_GNUBG").is_none(), "gnubg is wanted and missing");
    }
    found
}

/// A process that is killed at the end of the test.
pub(crate) struct Ended(pub(crate) Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Our player, which listens for one connection, and its address.
pub(crate) fn our_player(words: &[&str]) -> (Ended, String) {
    let (player, _closed, address) = our_read_player(words);
    (player, address)
}

/// The same with its output, which is open as long as the reader lives.
pub(crate) fn our_read_player(words: &[&str]) -> (Ended, impl BufRead, String) {
    let mut command = nonet(&[]);
    command
        .args(["gnubg-player", "--listen", "127.0.0.1:0", "--once", "--no-endings"])
        .args(["--ply", "1", "--cube-ply", "1"])
        .args(words);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("our program");
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    out.read_line(&mut line).expect("a line");
    let address = line.split_whitespace().nth(2).expect("an address").trim_end_matches(';');
    (Ended(child), out, address.to_owned())
}

/// The output of gnubg for a list of commands.
fn gnubg_says(program: &Path, folder: &Path, commands: &str) -> String {
    let mut child = Command::new(program)
        .args(["-t", "-q", "-r"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("gnubg");
    child.stdin.take().expect("piped").write_all(commands.as_bytes()).expect("told");
    let mut out = child.stdout.take().expect("piped");
    let mut child = Ended(child);
    let reader = std::thread::spawn(move || {
        let mut said = Vec::new();
        let _ = out.read_to_end(&mut said);
        String::from_utf8_lossy(&said).into_owned()
    });
    let started = Instant::now();
    while child.0.try_wait().expect("a child").is_none()
        && started.elapsed() < Duration::from_secs(120)
    {
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(child);
    reader.join().expect("read")
}

/// The record of a match to 3 points that gnubg plays against us; we are its player 0, named gnubg.
/// On a busy machine a gnubg now and then ends after its first lines, without an error; then
/// another one is started.
fn play_match(program: &Path, words: &[&str]) -> Vec<u8> {
    let mut said = String::new();
    for _ in 0..3 {
        let folder = tempfile::tempdir().expect("a folder");
        let (player, address) = our_player(words);
        let commands = format!(
            "set rng mersenne\nset seed 5\nset display off\nset player 1 gnubg\n\
             set player 1 chequerplay evaluation plies 0\nset player 1 cubedecision evaluation plies 0\n\
             set player 0 external {address}\nset automatic game on\nset automatic roll on\nset automatic move on\n\
             new match 3\nexport match mat played.mat\nquit\ny\n"
        );
        said = gnubg_says(program, folder.path(), &commands);
        drop(player);
        if let Ok(played) = std::fs::read(folder.path().join("played.mat")) {
            return played;
        }
    }
    panic!("no record after three tries\n{said}")
}

#[test]
fn a_match_of_three_points_against_gnubg_is_played_to_its_end() {
    let Some(program) = gnubg() else { return };
    let played = play_match(&program, &["--my-name", "gnubg"]);
    let text = String::from_utf8_lossy(&played).into_owned();
    let records = Records::new(played.as_slice(), "played.mat").expect("a record");
    let games: Vec<RecordedGame> = records.map(|game| game.expect("every play is legal")).collect();
    let mut points = [0, 0];
    for game in &games {
        let (who, won) = game.won().unwrap_or_else(|| panic!("an unfinished game\n{text}"));
        points[who.index()] += won;
    }
    assert!(points.iter().any(|&points| points >= 3), "{points:?}\n{text}");
    // gnubg reads an invalid answer as "no move", so there must be none unless no play is legal.
    for turn in games.iter().flat_map(RecordedGame::turns) {
        let dance = turn.after == turn.before.flipped();
        assert!(!dance || candidates(&turn.before, turn.dice)[0].play.moves().is_empty());
    }
    // Without our name, the order of the scores identifies them: the match is the same.
    assert!(played == play_match(&program, &[]), "the scores were read another way round\n{text}");
}

#[test]
fn gnubg_plays_in_our_series() {
    if gnubg().is_none() {
        return;
    }
    let words = ["eval", "nets/small.nonet", "--against", "gnubg:1", "--games", "4", "--json"];
    let done = nonet(&words).assert().success();
    let text = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    assert!(text.contains("\"against\":\"gnubg:1\"") && text.contains("\"games\":4"), "{text}");
}

#[test]
fn gnubg_plays_matches_and_money_games_with_the_cube() {
    if gnubg().is_none() {
        return;
    }
    for rules in [&["--match", "3"][..], &["--money", "--jacoby", "--beavers"]] {
        let words = ["eval", "nets/small.nonet", "--against", "gnubg:1", "--games", "10", "--json"];
        let done = nonet(&words).args(rules).assert().success();
        let series: serde_json::Value =
            serde_json::from_slice(&done.get_output().stdout).expect("JSON");
        let of = |name: &str| series["cube"]["against"][name].as_u64().expect("a number");
        assert!(of("doubles") > 0 && of("takes") + of("drops") > 0, "{series}");
        let played = &series["match"]["played"];
        assert!(rules.len() == 3 || *played == 10, "{series}");
    }
}

/// The numbers of the child processes of this one with this word in their command line, by `ps`.
fn children(parent: u32, word: &str) -> Vec<String> {
    let mut ps = Command::new("ps");
    let listed = ps.args(["-o", "pid=,ppid=,args=", "-A"]).output().expect("ps");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let of_parent = listed.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (pid, ppid) = (words.next()?, words.next()?);
        (ppid == parent.to_string() && line.contains(word)).then(|| pid.to_owned())
    });
    of_parent.collect()
}

#[cfg(target_os = "linux")]
#[test]
fn gnubg_ends_when_our_program_is_killed() {
    if gnubg().is_none() {
        return;
    }
    let words = ["eval", "random", "--against", "gnubg:1", "--games", "1000000", "--threads", "1"];
    let mut command = nonet(&words);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut ours = Ended(command.spawn().expect("our program"));
    let started = Instant::now();
    let process = loop {
        if let Some(process) = children(ours.0.id(), "gnubg -t").pop() {
            break process;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "gnubg was not started");
        std::thread::sleep(Duration::from_millis(50));
    };
    // Until it listens it ends with its input.
    std::thread::sleep(Duration::from_secs(3));
    ours.0.kill().expect("it runs");
    ours.0.wait().expect("killed");
    let killed = Instant::now();
    let status = Path::new("/proc").join(process).join("status");
    let is_alive = || {
        std::fs::read_to_string(&status)
            .is_ok_and(|text| text.contains("gnubg") && !text.contains("State:\tZ"))
    };
    while is_alive() {
        assert!(killed.elapsed() < Duration::from_secs(20), "gnubg goes on without us");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Positions with cube and score; some with a roll. gnubg's actions in the first three change if
/// the scores are exchanged.
const DECISIONS: [&str; 8] = [
    "XGID=--ACAECa-A--a-a--b-dbAaab-:0:0:1:00:2:4:0:7:10",
    "XGID=-CBB-DA---A-Ab-ab-Aaabbca-:1:1:1:00:0:4:0:5:10",
    "XGID=-BABBBBBb----Aaaa--acAb-d-:0:0:1:00:1:2:0:3:10",
    "XGID=-BAABAAaA-BAAaAc-aAbbaac--:1:1:1:00:1:0:0:5:10",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
    "XGID=-BAABAAaA-BAAaAc-aAbbaac--:1:1:1:41:1:0:0:5:10",
    "XGID=-AAAACCAABa-aa-aaaAb-bcaa-:0:0:1:61:5:2:0:7:10",
    "XGID=--b-AaD-C---dE---c-e-----B:0:0:1:31:4:1:1:5:10",
];

#[test]
fn gnubgs_decisions_at_a_score_are_those_of_its_hint() {
    let Some(program) = gnubg() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let settings = GnubgSettings { cube: true, ..GnubgSettings::cubeless(Plies::ONE) };
    let player = Gnubg::start_with(&program, settings).expect("gnubg");
    let mut results = Results::default();
    for id in DECISIONS {
        let set = "set evaluation chequerplay evaluation plies 0\nset evaluation cubedecision evaluation plies 0\n\
                   set jacoby off\nset beavers 0\n";
        let said = gnubg_says(&program, folder.path(), &format!("{set}set xgid {id}\nhint\n"));
        let GameState { position, state } = id.parse().expect("an XGID");
        let scoring = CubeScoring::new(state.scoring, MatchEquityTable::kazaross_xg2());
        let context = CubeContext { scoring: scoring.expect("in reach"), cube: state.cube };
        match state.dice() {
            None => {
                let decision = CubeChoice { position: &position, context: &context };
                let doubles = player.doubles(&decision).expect("an answer");
                let passes = player.answer(&decision).expect("an answer") == Answer::Pass;
                let action =
                    said.lines().find_map(|line| line.strip_prefix("Proper cube action: "));
                let action = action.unwrap_or_else(|| panic!("no cube action: {said}"));
                let proper = action.starts_with("Double") || action.starts_with("Redouble");
                assert_eq!((doubles, passes), (proper, action.contains("pass")), "{id}: {action}");
            }
            Some(dice) => {
                let results = results.of(&position, dice);
                let context = Some(&context);
                let decision = MoveChoice { position: &position, dice, results, context };
                let choice = player.choose(&decision).expect("an answer");
                let best =
                    said.lines().find(|line| line.trim_start().starts_with("1. ")).expect("a play");
                let play = best.split("-ply").nth(1).and_then(|rest| rest.split("Eq.").next());
                let play = play.expect("a play").split("MWC").next().expect("a play").trim();
                let after = position.read_play(play, dice).expect("legal").after;
                assert_eq!(results[choice], after, "{id}: {best}");
            }
        }
    }
}

#[test]
fn gnubg_evaluates_positions() {
    let Some(program) = gnubg() else { return };
    let gnubg = Gnubg::start(&program, Plies::ONE).expect("gnubg");
    // A gammon that is certain, a race that the next roll decides, and the start.
    let gammon = Position::from_sides(&[(2, 1)], &[(12, 15)]).expect("legal");
    let even = Position::from_sides(&[(6, 1), (5, 1)], &[(1, 1)]).expect("legal");
    let [gammon, even, start] = [gammon, even, Position::START].map(|position| {
        let mut values = [Evaluation::ZERO];
        gnubg.evaluate_batch(&[position], &mut values).expect("an answer");
        let [value] = values;
        let sum: f32 = value.outcomes.iter().sum();
        assert!((sum - 1.0).abs() < 1e-3, "{value:?}");
        assert!(value.outcomes.iter().all(|chance| (-1e-3..=1.001).contains(chance)), "{value:?}");
        value
    });
    assert!(gammon.equity() > 1.95, "{gammon:?}");
    // 6 of 36 rolls bear both off: 6-5, 6-6, 5-5, 4-4 and 3-3; gnubg has them in its bearoff
    // database.
    assert!((even.equity() - (2.0 * 6.0 / 36.0 - 1.0)).abs() < 0.01, "{even:?}");
    assert!((0.0..0.15).contains(&start.equity()), "who is on roll has a small plus: {start:?}");
}

/// What the rules exclude by our account has no chance by gnubg's, either.
///
/// In these positions we exclude more than 600 outcomes.
#[test]
fn gnubg_gives_no_chance_to_what_the_rules_exclude() {
    let Some(program) = gnubg() else { return };
    let gnubg = Gnubg::start(&program, Plies::ONE).expect("gnubg");
    let positions = rare_positions(6, 300);
    let mut values = vec![Evaluation::ZERO; positions.len()];
    gnubg.evaluate_batch(&positions, &mut values).expect("answers");
    let mut excluded = 0;
    for (position, value) in positions.iter().zip(&values) {
        let possible = position.possible_outcomes();
        for outcome in Outcome::ALL.into_iter().filter(|outcome| !possible.contains(*outcome)) {
            let chance = value.outcomes[outcome.index()];
            assert!(chance.abs() < 2e-3, "{outcome:?} has {chance} in {}: {value}", position.id());
            excluded += 1;
        }
    }
    assert!(excluded > 600, "{excluded} outcomes of {} positions", positions.len());
}

#[test]
fn gnubg_teaches() {
    if gnubg().is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (source, targets) in [("expert", "own"), ("observe", "expert")] {
        let out = folder.path().join(source);
        nonet(&["train", "--source", source, "--expert", "gnubg:1", "--targets", targets])
            .args(["--games", "4", "--eval-every", "4", "--eval-games", "4", "--final-games", "0"])
            .args(["--eval-at", "4", "--preset", "small", "--out"])
            .arg(&out)
            .assert()
            .success();
        let learned = nonet::store::read_net(&out.join("last.nonet")).expect("a net");
        assert_eq!(learned.provenance.games, 4);
    }
}

#[test]
fn a_gnubg_that_does_not_exist_is_reported_and_plays_nothing() {
    let words = ["eval", "nets/small.nonet", "--against", "gnubg:1", "--games", "2"];
    let failed = nonet(&words).env("GNUBG", "/nowhere/gnubg").assert().code(1);
    let text = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(text.contains("is gnubg installed?"), "{text}");
}

/// Not a test: what the script of [`fake_gnubg`] runs. It listens where it is told to, prints a
/// line, and then crashes, hangs or answers garbage.
#[test]
#[ignore = "the process behind the tests of a failing gnubg"]
fn be_a_fake_gnubg() {
    let Ok(behaviour) = std::env::var("FAKE_GNUBG") else { return };
    let mut commands = std::io::stdin().lines();
    let address = loop {
        let line = commands.next().expect("a command").expect("text");
        if let Some(address) = line.strip_prefix("external ") {
            break address.to_owned();
        }
    };
    let listener = std::net::TcpListener::bind(address).expect("a free port");
    let (stream, _) = listener.accept().expect("a caller");
    let mut out = stream.try_clone().expect("a second handle");
    for _question in BufReader::new(stream).lines() {
        eprintln!("the weights are corrupt");
        match behaviour.as_str() {
            "crash" => std::process::exit(3),
            "hang" => std::thread::sleep(Duration::from_secs(600)),
            _ => out.write_all(b"banana\n").expect("sent"),
        }
    }
}

/// A script that stands for gnubg and fails in this way.
#[cfg(unix)]
fn fake_gnubg(folder: &Path, behaviour: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(format!("gnubg-{behaviour}"));
    let this = std::env::current_exe().expect("this program");
    let script = format!(
        "#!/bin/sh\nFAKE_GNUBG={behaviour} exec '{}' --exact gnubg::be_a_fake_gnubg --ignored --nocapture\n",
        this.display()
    );
    std::fs::write(&path, script).expect("written");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("executable");
    path
}

#[cfg(unix)]
#[test]
fn a_gnubg_that_fails_ends_the_command_with_its_error_and_without_a_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let eval =
        ["eval", "nets/small.nonet", "--against", "gnubg:1", "--games", "20", "--threads", "2"];
    let train = [
        "train",
        "--source",
        "expert",
        "--expert",
        "gnubg:1",
        "--games",
        "4",
        "--preset",
        "small",
        "--final-games",
        "0",
        "--out",
    ];
    let out = folder.path().join("run");
    let run = out.to_str().expect("text");
    let benchmark = ["benchmark", "gnubg:1"];
    let commands = [
        ("crash", eval.to_vec(), "the weights are corrupt"),
        ("garbage", eval.to_vec(), "gnubg answered 'banana'"),
        ("crash", train.iter().copied().chain([run]).collect(), "the connection to gnubg broke"),
        ("garbage", benchmark.to_vec(), "expected six numbers"),
    ];
    for (behaviour, words, reason) in commands {
        let gnubg = fake_gnubg(folder.path(), behaviour);
        let failed = nonet(&words).env("GNUBG", gnubg).assert().code(1);
        let text = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
        assert!(text.contains("error: ") && text.contains("gnubg failed: "), "{words:?}: {text}");
        assert!(text.contains(reason), "{words:?}: {text}");
        assert_eq!(failed.get_output().stdout, b"", "{words:?}: no result");
    }
    assert!(!out.join("last.nonet").exists(), "no weights after a failure");
}

#[cfg(unix)]
#[test]
fn a_gnubg_that_hangs_ends_a_series_without_a_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = fake_gnubg(folder.path(), "hang");
    let timeouts =
        GnubgTimeouts { start: Duration::from_secs(60), answer: Duration::from_millis(300) };
    let settings = GnubgSettings { timeouts, ..GnubgSettings::cubeless(Plies::ONE) };
    let gnubg = Gnubg::start_with(&program, settings).expect("it listens");
    let gnubg = External::new(gnubg);
    let purpose = StreamPurpose::Match;
    let config =
        SeriesConfig { games: 4, duplicate: true, rules: SeriesRules::Cubeless, seed: 1, purpose };
    let failed = play_series(&gnubg, &PubEval, &config, &Progress::default());
    assert!(matches!(failed, Err(SeriesError::Failed(_))), "{failed:?}");
    let failure = Player::failure(&gnubg).expect("a failure").to_string();
    assert!(failure.contains("gave no answer within 0.3 s"), "{failure}");
}

#[test]
fn gnubgs_mat_and_sgf_of_one_match_are_read_alike() {
    let Some(program) = gnubg() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let commands = "set rng mersenne\nset seed 11\nset display off\nset player 0 gnubg\nset player 1 gnubg\n\
         set player 0 chequerplay evaluation plies 0\nset player 0 cubedecision evaluation plies 0\n\
         set player 1 chequerplay evaluation plies 0\nset player 1 cubedecision evaluation plies 0\n\
         set player 0 name ann\nset player 1 name bob\nset automatic game on\nset automatic roll on\n\
         set automatic move on\nnew match 5\nsave match played.sgf\nexport match mat played.mat\nquit\ny\n";
    let said = gnubg_says(&program, folder.path(), commands);
    let read = |name: &str| {
        let bytes = std::fs::read(folder.path().join(name));
        let bytes = bytes.unwrap_or_else(|error| panic!("no {name}: {error}\n{said}"));
        let record = read_record(bytes.as_slice(), name).expect("a record");
        assert!(record.warnings.is_empty(), "{:?}", record.warnings);
        record.games
    };
    let (mat, sgf) = (read("played.mat"), read("played.sgf"));
    assert!(mat.len() > 1 && mat.len() == sgf.len(), "{} and {}", mat.len(), sgf.len());
    for (mat, sgf) in mat.iter().zip(&sgf) {
        assert_eq!(mat.events(), sgf.events());
        assert_eq!(mat.won(), sgf.won());
        assert_eq!(mat.header().scoring.away(), sgf.header().scoring.away());
        assert_eq!(mat.header().names, sgf.header().names);
    }
}

#[test]
fn the_cube_of_a_position_that_is_set_up_has_the_owner_that_gnubg_reads() {
    let Some(program) = gnubg() else { return };
    for (cube, owner) in [("-1", Seat::X), ("1", Seat::O)] {
        let folder = tempfile::tempdir().expect("a folder");
        let text = format!(
            " 7 point match\n\n Game 1\n ann : 0                            bob : 0\n\
             ; Set Pos=-a-B--E-B-a-dDB--b-bcb----/{cube}\n  1) 31: 8/5 6/5\n"
        );
        std::fs::write(folder.path().join("set.mat"), &text).expect("written");
        let record = read_record(text.as_bytes(), "set.mat").expect("a record");
        assert_eq!(record.games[0].start().cube_owner, Some(owner));
        let said = gnubg_says(&program, folder.path(), "import mat set.mat\nquit\ny\n");
        let name = ["ann", "bob"][owner.index()];
        assert!(said.contains(&format!("{name} now owns the cube")), "{said}");
    }
}

/// The numbers of gnubg's line "Error total EMG (MWC)" and such: both players' points and per cent,
/// in their order.
fn totals(said: &str, line: &str) -> Vec<f64> {
    let row = said.lines().rfind(|row| row.starts_with(line)).unwrap_or_default();
    row[line.len().min(row.len())..]
        .split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+')))
        .filter_map(|number| number.parse().ok())
        .collect()
}

#[test]
fn gnubg_shows_the_analysis_of_an_annotated_match_and_adds_up_the_same_losses_and_luck() {
    let Some(program) = gnubg() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let sgf = folder.path().join("match.sgf");
    let record = "tests/records/crawford.mat";
    let fast = ["--ply", "1", "--cube-ply", "1", "--net", "nets/small.nonet", "--no-endings"];
    let done = nonet(&["analyse", record, "--json"])
        .args(fast)
        .arg("--sgf")
        .arg(&sgf)
        .output()
        .expect("our program");
    let ours: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let commands = format!("load match {}\nshow statistics match\nquit\ny\n", sgf.display());
    let said = gnubg_says(&program, folder.path(), &commands);
    let near = |theirs: f64, ours: f64| (theirs - ours).abs() < 0.003;
    let of = |player: usize, key: &str| ours["summary"][player][key].as_f64().expect("a number");
    let all = totals(&said, "Error total EMG (MWC)");
    let luck = totals(&said, "Luck total EMG (MWC)");
    assert_eq!((all.len(), luck.len()), (4, 4), "{said}");
    for player in [0, 1] {
        assert!(
            near(-all[2 * player], of(player, "play_loss") + of(player, "call_loss")),
            "{all:?}"
        );
        let cost = 100.0 * (of(player, "play_cost") + of(player, "call_cost"));
        assert!((-all[2 * player + 1] - cost).abs() < 0.2, "{cost} {all:?}");
        assert!(near(luck[2 * player], of(player, "luck")), "{luck:?}");
        assert!(
            (luck[2 * player + 1] - 100.0 * of(player, "luck_utility")).abs() < 0.2,
            "{luck:?}"
        );
    }
}
