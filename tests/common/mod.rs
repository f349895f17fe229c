//! The command, the folders of its runs, and a quick evaluator, for tests of whole runs.

#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt;
use assert_cmd::cargo::cargo_bin;
use nonet::backgammon::Position;
use nonet::eval::{Evaluation, Evaluator, ScriptedEvaluator};

/// The command with these words, in the folder of this repository.
pub fn nonet(words: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("nonet"));
    command.args(words).current_dir(env!("CARGO_MANIFEST_DIR"));
    // What the person who tests has set says nothing about the program.
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

/// What a command answers to this input.
pub fn answer(command: &mut Command, input: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("our program");
    // The program may end before it has read all input.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    end_of(child)
}

/// The longest that a program of a test may take.
const LONGEST: Duration = Duration::from_secs(600);

/// A command with a deadline.
pub trait Deadline {
    /// What it prints until it ends.
    ///
    /// # Panics
    /// If it does not end.
    fn ended(&mut self) -> Output;
}

impl Deadline for Command {
    fn ended(&mut self) -> Output {
        self.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        end_of(self.spawn().expect("our program"))
    }
}

/// What a program with piped output prints until it ends.
///
/// # Panics
/// If it does not end: it is killed, and the test shows its output.
pub fn end_of(mut child: Child) -> Output {
    let out = child.stdout.take().map(in_full);
    let errors = child.stderr.take().map(in_full);
    let until = Instant::now() + LONGEST;
    let status = loop {
        match child.try_wait().expect("a child") {
            Some(status) => break Some(status),
            None if Instant::now() > until => break None,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    if status.is_none() {
        child.kill().expect("killed");
        child.wait().expect("gone");
    }
    let [stdout, stderr] =
        [out, errors].map(|pipe| pipe.map_or_else(Vec::new, |pipe| pipe.join().expect("read")));
    let Some(status) = status else {
        let [out, errors] = [&stdout, &stderr].map(|bytes| String::from_utf8_lossy(bytes));
        panic!("it ran for more than {} s:\n{out}\n{errors}", LONGEST.as_secs());
    };
    Output { status, stdout, stderr }
}

/// Reads a pipe to its end.
fn in_full(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("a pipe");
        bytes
    })
}

/// The bytes of every file of a run; the lock file holds nothing. What tells when, where and how
/// fast the run was made is left out: `sessions.csv`, and its part of the report.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .expect("the folder of a run")
        .map(|entry| entry.expect("an entry"))
        .map(|entry| {
            (
                entry.file_name().to_string_lossy().into_owned(),
                std::fs::read(entry.path()).expect("readable"),
            )
        })
        .filter(|(name, _)| name != "sessions.csv")
        .map(|(name, bytes)| {
            let own = name == "report.html";
            (name, if own { without_session(&bytes) } else { bytes })
        })
        .collect()
}

fn without_session(page: &[u8]) -> Vec<u8> {
    let page = String::from_utf8_lossy(page);
    let cut = page.split_once("<!-- varying -->").and_then(|(before, rest)| {
        let (_, after) = rest.split_once("<!-- /varying -->")?;
        Some(format!("{before}{after}"))
    });
    cut.unwrap_or_else(|| page.into_owned()).into_bytes()
}

pub fn assert_same(a: &Path, b: &Path) {
    let (a, b) = (files(a), files(b));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, bytes) in &a {
        assert!(b[name] == *bytes, "{name} differs");
    }
    assert!(
        a.contains_key("best.nonet")
            && a.contains_key("equity.svg")
            && a.contains_key("history.csv")
    );
}

pub fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}

/// Standard error of a command that must fail with this exit code.
pub fn refused(words: &[&str], code: i32) -> String {
    let assert = nonet(words).assert().failure().code(code);
    let output = assert.get_output();
    assert!(output.stdout.is_empty(), "results go to stdout, and there are none: {output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Begins a run in `folder`, kills it without warning and resumes it, until it gets to the end.
///
/// It is killed as soon as there is a new checkpoint, and resumed as often as it takes.
pub fn kill_and_resume(mut run: Command, folder: &Path) {
    let checkpoint = || std::fs::read(folder.join("checkpoint.nonet")).ok();
    let quiet = |command: &mut Command| {
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts")
    };
    let mut child = quiet(&mut run);
    let mut kills = 0;
    loop {
        let before = checkpoint();
        let begun = Instant::now();
        let ended = loop {
            if let Some(status) = child.try_wait().expect("a child") {
                break Some(status);
            }
            if checkpoint() != before || begun.elapsed() > Duration::from_secs(120) {
                break None;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        if let Some(status) = ended {
            assert!(status.success());
            break;
        }
        child.kill().expect("killed");
        child.wait().expect("gone");
        kills += 1;
        assert!(kills < 20, "the run never ends");
        let again = folder.to_string_lossy();
        let words = ["train", "--resume", &again, "--threads", "1"];
        child = quiet(&mut nonet(&words));
    }
    assert!(kills > 0, "the run was never killed");
}

/// Evaluates by pips: fast, and good enough for doubles, takes and resignations of every kind.
pub fn pips() -> Arc<dyn Evaluator> {
    Arc::new(ScriptedEvaluator(|position: &Position| {
        let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
        let win = (0.5 + lead / 80.0).clamp(0.0, 1.0);
        let (wins, losses) = (win * 0.2, (1.0 - win) * 0.2);
        let outcomes = [win - wins, wins, 0.0, 1.0 - win - losses, losses, 0.0];
        Evaluation { average: win - (1.0 - win) + 1.2 * (wins - losses), outcomes }
    }))
}
