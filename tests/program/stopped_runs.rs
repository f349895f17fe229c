//! Runs that were stopped where a signal rarely comes, and recipes with such runs.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::error::Error;
use std::path::Path;

use crate::common::{assert_same, files, nonet, path, refused};
use assert_cmd::assert::OutputAssertExt;
use nonet::progress::Progress;
use nonet::report::RunSession;
use nonet::store::RunFolder;
use nonet::train::{
    Observer, OpenedRun, Recipe, RunConfig, RunOutcome, RunProgress, TrainCheckpoint, TrainSpec,
    Trainer,
};

/// Saves a run, and stops it after a number of games, before any test after them.
struct Stopping {
    folder: RunFolder,
    stop: Progress,
    games: u64,
}

impl Observer for Stopping {
    fn learned(&mut self, progress: &RunProgress) {
        if progress.games >= self.games {
            self.stop.stop();
        }
    }

    fn save(&mut self, checkpoint: &TrainCheckpoint) -> Result<(), Box<dyn Error + Send + Sync>> {
        let games = checkpoint.progress.games;
        let row = format!("2026-11-26 04:05 UTC,0,{games},1.0,1,a machine,a program\n");
        let sessions = RunSession::csv(&[]) + &row;
        Ok(self.folder.save(checkpoint, &[("sessions.csv", sessions)])?)
    }
}

/// Leaves a run in a new folder as Ctrl-C does after this number of games.
fn leave_stopped(path: &Path, spec: TrainSpec, games: u64) {
    let plan = spec.plan().expect("a plan");
    let config = RunConfig::new(plan.spec().clone()).text().expect("text");
    let folder = RunFolder::create(path, &config).expect("a new folder");
    let OpenedRun { participants, mut source, .. } = plan.open().expect("opened");
    let progress = Progress::default();
    let mut stopping = Stopping { folder, stop: progress.part(), games };
    let mut trainer = Trainer::new(plan, participants);
    let outcome = trainer.run(source.as_mut(), &mut stopping, &progress).expect("stopped");
    assert_eq!((outcome, trainer.progress().games), (RunOutcome::Stopped, games));
    let tested = trainer.progress().history.last().map_or(0, |row| row.games);
    assert!(tested < games, "the test after {games} games is missing");
}

/// The options of a small run with a test in its middle and one at its end.
fn small() -> TrainSpec {
    TrainSpec {
        preset: "small".parse().expect("a preset"),
        games: 40,
        batch: 10,
        ema: 20,
        eval_every: 20,
        eval_at: Vec::new(),
        eval_games: 4,
        final_games: 0,
        ..TrainSpec::default()
    }
}

#[test]
fn a_run_is_extended_only_when_it_has_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, games, lacks) in [
        ("early", 30, "it has learned from 30 of its 40 games"),
        ("late", 40, "its play-off has not been played"),
    ] {
        let out = path(folder.path(), name);
        leave_stopped(Path::new(&out), small(), games);
        let before = files(Path::new(&out));
        let longer = ["train", "--resume", &out, "--games", "60"];
        let error = refused(&longer, 2);
        let wanted =
            format!("{out} cannot be extended: {lacks}; end it first: nonet train --resume {out}");
        assert!(error.contains(&wanted), "{error}");
        assert_eq!(before, files(Path::new(&out)), "nothing is written");
        nonet(&["train", "--resume", &out]).assert().success();
        nonet(&longer).assert().success();
    }
    assert_eq!(last_net(folder.path(), "early"), last_net(folder.path(), "late"));
}

/// What the last net of a run learned: without the command, which names its folder.
fn last_net(folder: &Path, name: &str) -> nonet::eval::Specialists {
    nonet::store::read_net(&folder.join(name).join("last.nonet")).expect("a net").team
}

/// A recipe of one stage, with the options of [`small`].
const ONE_STAGE: &str = "name = \"mine\"\nmeaning = \"a test\"\n[[stage]]\nname = \"first\"\n\
    preset = \"small\"\ngames = 40\nbatch = 10\nema = 20\neval_every = 20\neval_at = []\n\
    eval_games = 4\nfinal_games = 0\n";

#[test]
fn a_recipe_that_was_stopped_in_the_last_test_of_a_stage_plays_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let recipe = path(folder.path(), "mine.toml");
    std::fs::write(&recipe, ONE_STAGE).expect("written");
    let [whole, stopped] = ["whole", "stopped"].map(|name| path(folder.path(), name));
    let follow = |out: &str| {
        nonet(&["train", "--recipe", &recipe, "--out", out]).assert().success();
        files(&Path::new(out).join("first"))
    };
    let first = follow(&whole);
    assert!(first == follow(&whole), "the recipe has ended: nothing changes");
    let spec = Recipe::from_text(ONE_STAGE, "mine.toml").expect("a recipe");
    let spec = spec.spec(Path::new(&stopped), 0).expect("options");
    leave_stopped(&Path::new(&stopped).join("first"), spec, 40);
    follow(&stopped);
    let stages = [&whole, &stopped].map(|out| Path::new(out).join("first"));
    assert_same(&stages[0], &stages[1]);
}

#[test]
fn what_is_wrong_in_a_later_stage_is_found_before_the_first_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (recipe, out) = (path(folder.path(), "mine.toml"), path(folder.path(), "out"));
    for (second, says) in [
        ("gamse = 3", "gamse"),
        ("unfinished = \"agreed\"", "--unfinished needs recorded games"),
        ("ema = 0", "--ema must be at least 1 in a recipe"),
        (
            "from = \"first\"\npreset = \"large\"",
            "--preset large is not used: the net of --from has its own",
        ),
        ("from = \"frist\"", "no net called 'frist'"),
        ("against = \"frist\"", "no net called 'frist'"),
    ] {
        let text = format!("{ONE_STAGE}[[stage]]\nname = \"second\"\n{second}\n");
        std::fs::write(&recipe, text).expect("written");
        let error = refused(&["train", "--recipe", &recipe, "--out", &out], 2);
        assert!(error.contains(says), "{second}: {error}");
        assert!(!Path::new(&out).exists(), "{second}: the first stage has begun");
    }
}
