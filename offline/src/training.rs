//! A training run in steps: the run of `nonet train` with the same options, its folder and its
//! bytes.
//!
//! Between two steps whoever runs it may hear that it is to stop. A step ends after a batch of
//! games; a test, the play-off and the last match are one step each.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use nonet_engine::progress::Progress;
use nonet_engine::store::{RunFolder, write_atomic};
use nonet_report::{RunFiles, RunSession};
use nonet_training::train::{
    GameSource, LAST_MATCH_GAMES, Observer, OnExtension, OpenedRun, PLAY_OFF_GAMES, RunConfig,
    RunOutcome, RunProgress, TrainCheckpoint, TrainPlan, TrainSpec, Trainer,
};
use serde_json::{Map, Value};
use web_time::{Duration, Instant};

/// How long a step takes at least.
const STEP: Duration = Duration::from_millis(250);

/// A run in progress.
pub struct TrainingRun {
    trainer: Trainer,
    source: Box<dyn GameSource>,
    recorder: Recorder,
    phase: Phase,
}

#[derive(Clone, Copy)]
enum Phase {
    Learning,
    PlayOff,
    LastMatch,
}

/// Saves the run and ends steps.
struct Recorder {
    files: RunFiles,
    log: Log,
    began: Instant,
    step: Instant,
    /// Set when the step is over.
    over: Arc<AtomicBool>,
    /// Whether the run ends with the step.
    stops: bool,
}

/// The messages of the run, in the file that the page shows the end of.
struct Log {
    path: PathBuf,
    text: String,
}

impl Log {
    fn line(&mut self, line: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
        let _ = writeln!(self.text, "{line}");
        Ok(write_atomic(&self.path, self.text.as_bytes())?)
    }

    /// A line in place of the last one, if that said how far the same is.
    fn progress(&mut self, done: u64, total: u64, what: &str) {
        let last = self.text.trim_end().rfind('\n').map_or(0, |at| at + 1);
        if self.text[last..].trim_end().ends_with(what) {
            self.text.truncate(last);
        }
        // What cannot be said is no reason to end the run.
        let _ = self.line(&format!("{done}/{total} {what}"));
    }
}

impl Observer for Recorder {
    fn learned(&mut self, _: &RunProgress) {
        if self.step.elapsed() >= STEP {
            self.over.store(true, Ordering::Relaxed);
        }
    }

    fn save(&mut self, checkpoint: &TrainCheckpoint) -> Result<(), Box<dyn Error + Send + Sync>> {
        // The end of a step is no end of the run, which goes on from memory.
        if self.over.load(Ordering::Relaxed) && !self.stops {
            return Ok(());
        }
        self.files.write(checkpoint, self.began.elapsed().as_secs_f64())
    }
}

impl TrainingRun {
    /// Begins or resumes a run: `options` are those of `nonet train`, `--key=value` each, after
    /// `--out FOLDER` or `--resume FOLDER`.
    ///
    /// # Errors
    /// Why it cannot begin, in words.
    pub fn open(options: &[String]) -> Result<TrainingRun, String> {
        let words: Vec<&str> = options.iter().map(String::as_str).collect();
        let (folder, resumes, options) = match words.as_slice() {
            ["--out", folder, options @ ..] => (Path::new(folder), false, options),
            ["--resume", folder, options @ ..] => (Path::new(folder), true, options),
            _ => return Err("expected --out or --resume, and a folder".to_owned()),
        };
        let log = Log { path: folder.with_extension("log"), text: String::new() };
        let opened = match resumes {
            false => begin(folder, options),
            true => resume(folder, options),
        };
        let (folder, trainer, source) = opened.map_err(|error| {
            // The page shows the end of the log.
            let text = error.to_string();
            let mut log = Log { path: log.path.clone(), text: String::new() };
            let _ = log.line(&text);
            text
        })?;
        let done = trainer.progress().games;
        let session = RunSession {
            started: Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string(),
            from: done,
            to: done,
            seconds: 0.0,
            threads: 1,
            machine: format!("1 processor, a browser, {}", std::env::consts::ARCH),
            program: format!("nonet {}", env!("CARGO_PKG_VERSION")),
        };
        let files = RunFiles::new(&trainer, folder, session);
        let now = Instant::now();
        let recorder =
            Recorder { files, log, began: now, step: now, over: Arc::default(), stops: false };
        Ok(TrainingRun { trainer, source, recorder, phase: Phase::Learning })
    }

    /// Goes on for a while; whether there is more to do. If it is to stop, the run is saved, and
    /// nothing is left to do.
    ///
    /// # Errors
    /// Why the run has failed.
    pub fn step(&mut self, stops: bool) -> Result<bool, String> {
        let more = self.go_on(stops);
        more.map_err(|error| {
            let mut text = error.to_string();
            let mut cause = error.source();
            while let Some(next) = cause {
                let _ = write!(text, ": {next}");
                cause = next.source();
            }
            let _ = self.recorder.log.line(&text);
            text
        })
    }

    fn go_on(&mut self, stops: bool) -> Result<bool, Box<dyn Error + Send + Sync>> {
        let TrainingRun { trainer, source, recorder, phase } = self;
        let spec = trainer.plan().spec();
        let (games, final_games) = (spec.games, spec.final_games);
        match phase {
            Phase::Learning => {
                recorder.step = Instant::now();
                recorder.stops = stops;
                recorder.over.store(stops, Ordering::Relaxed);
                let progress = Progress::with_stop_flag(Arc::clone(&recorder.over));
                let ended = trainer.run(source.as_mut(), recorder, &progress)?;
                recorder.log.progress(trainer.progress().games, games, "games");
                match ended {
                    RunOutcome::Stopped => return Ok(!stops),
                    RunOutcome::Finished => *phase = Phase::PlayOff,
                }
                recorder.log.progress(0, trainer.play_off_games(), PLAY_OFF_GAMES);
            }
            _ if stops => return Ok(false),
            Phase::PlayOff => {
                trainer.play_off(&Progress::default());
                *phase = Phase::LastMatch;
                recorder.log.progress(0, final_games, LAST_MATCH_GAMES);
            }
            Phase::LastMatch => {
                trainer.last_match(&Progress::default());
                recorder.files.write_at_end(trainer, recorder.began.elapsed().as_secs_f64())?;
                recorder.log.progress(final_games, final_games, LAST_MATCH_GAMES);
                return Ok(false);
            }
        }
        Ok(true)
    }
}

type Opened = (RunFolder, Trainer, Box<dyn GameSource>);

fn begin(path: &Path, options: &[&str]) -> Result<Opened, Box<dyn Error + Send + Sync>> {
    let known = serde_json::to_value(TrainSpec::default())?;
    let mut given = Map::new();
    for option in options {
        let (key, value) = key_and_value(option)?;
        let number = || value.parse::<u64>().map(Value::from);
        let read = match known.get(&key) {
            Some(Value::Number(_)) => number().unwrap_or_else(|_| value.into()),
            _ => value.into(),
        };
        given.insert(key, read);
    }
    let keys: Vec<String> = given.keys().cloned().collect();
    let spec: TrainSpec = serde_json::from_value(Value::Object(given))?;
    let is_given = |key: &str| keys.iter().any(|given| given == key);
    let spec = spec.with_usual_settings(is_given);
    spec.check_given(is_given)?;
    let plan = spec.with_preset_of_start()?.plan()?;
    let OpenedRun { participants, source, .. } = plan.open()?;
    let text = RunConfig::new(plan.spec().clone()).text()?;
    let folder = RunFolder::create(path, &text)?;
    Ok((folder, Trainer::new(plan, participants), source))
}

fn resume(path: &Path, options: &[&str]) -> Result<Opened, Box<dyn Error + Send + Sync>> {
    let (folder, text, checkpoint) = RunFolder::open(path)?;
    let mut config = RunConfig::read(&text)?;
    let mut longer = false;
    for option in options {
        let (key, value) = key_and_value(option)?;
        if key != "games" {
            return Err(format!("{option} cannot be used with --resume").into());
        }
        let progress = checkpoint.as_ref().map(|checkpoint| &checkpoint.progress);
        config
            .check_ended(progress.unwrap_or(&RunProgress::default()))
            .map_err(|lack| format!("the run cannot be extended: {lack}"))?;
        config.extend(value.parse()?, OnExtension::Stretch, &path.display().to_string())?;
        longer = true;
    }
    let plan: TrainPlan = config.spec.clone().plan()?;
    let OpenedRun { participants, source, .. } = plan.open()?;
    let mut trainer = match checkpoint {
        Some(checkpoint) => Trainer::resume(plan, participants, checkpoint)?,
        None => Trainer::new(plan, participants),
    };
    trainer.set_command(config.command());
    if longer {
        if let Some(reason) = trainer.ended_early() {
            return Err(format!("the run cannot be extended: {reason}").into());
        }
        folder.write_config(&config.text()?)?;
    }
    Ok((folder, trainer, source))
}

/// `--eval-every=500` as its key in `config.toml` and its value.
fn key_and_value(option: &str) -> Result<(String, &str), String> {
    let parts = option.strip_prefix("--").and_then(|option| option.split_once('='));
    let (key, value) = parts.ok_or_else(|| format!("expected --key=value, not {option}"))?;
    Ok((key.replace('-', "_"), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: [&str; 5] = [
        "--preset=small",
        "--games=300",
        "--eval-every=150",
        "--eval-games=40",
        "--final-games=60",
    ];

    fn train(folder: &Path, stop_after: usize) {
        let out = folder.to_string_lossy().into_owned();
        let mut options = vec!["--out".to_owned(), out.clone()];
        options.extend(OPTIONS.map(str::to_owned));
        let mut run = TrainingRun::open(&options).expect("begun");
        let mut steps = 0;
        while run.step(steps == stop_after).expect("a step") {
            steps += 1;
        }
        drop(run);
        if steps == stop_after {
            let resumed = TrainingRun::open(&["--resume".to_owned(), out]);
            let mut run = resumed.expect("resumed");
            while run.step(false).expect("a step") {}
        }
    }

    #[test]
    fn a_run_that_is_stopped_and_resumed_has_the_bytes_of_one_that_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let [whole, stopped] = ["whole", "stopped"].map(|name| folder.path().join(name));
        train(&whole, usize::MAX);
        train(&stopped, 1);
        for name in ["last.nonet", "best.nonet", "history.csv"] {
            let [one, other] = [&whole, &stopped].map(|folder| std::fs::read(folder.join(name)));
            assert!(one.expect(name) == other.expect(name), "{name}");
        }
        let log = std::fs::read_to_string(whole.with_extension("log")).expect("a log");
        assert!(log.contains("300/300 games"), "{log}");
    }

    #[test]
    fn wrong_options_are_refused_in_words_that_the_log_keeps() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let out = path.to_string_lossy().into_owned();
        let refused = TrainingRun::open(&["--out".to_owned(), out, "--games=many".to_owned()]);
        let error = refused.err().expect("refused");
        assert!(
            std::fs::read_to_string(path.with_extension("log")).expect("a log").contains(&error)
        );
        assert!(!path.exists());
    }
}
