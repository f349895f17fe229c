//! The finished simulations and matches of an experiment: `runs.jsonl`, one JSON object a line.

use std::collections::BTreeMap;
use std::fs::{self, TryLockError};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use super::run::{DivergedRun, MatchResult, RunResult};
use nonet_engine::store::files::{self, Lock};
use nonet_engine::store::{StoreError, write_atomic};

/// The file of the results in the folder of an experiment.
pub(super) const RESULTS: &str = "runs.jsonl";

/// The file that a process locks while it changes the results.
const LOCK: &str = ".lock";

/// How long a process waits for another one that changes them.
const LOCK_PATIENCE: Duration = Duration::from_secs(10);

/// What a line is the result of; the lines stand in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ResultOf {
    Simulation { variant: usize, repeat: u64 },
    Match { place: usize },
}

impl ResultOf {
    fn simulation(run: &RunResult) -> ResultOf {
        ResultOf::Simulation { variant: run.variant, repeat: run.repeat }
    }

    fn diverged(run: &DivergedRun) -> ResultOf {
        ResultOf::Simulation { variant: run.variant, repeat: run.repeat }
    }

    /// The name of its file in the folder `runs` of earlier versions, which had a file for each.
    fn old_name(self) -> String {
        match self {
            ResultOf::Simulation { variant, repeat } => format!("{variant}-{repeat}.json"),
            ResultOf::Match { place } => format!("bout-{place}.json"),
        }
    }
}

impl std::fmt::Display for ResultOf {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            ResultOf::Simulation { variant, repeat } => {
                write!(f, "simulation {repeat} of variant {variant}")
            }
            ResultOf::Match { place } => write!(f, "match {place}"),
        }
    }
}

/// One result.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "nearly all lines are simulations")]
enum Line {
    Simulation(RunResult),
    Diverged(DivergedRun),
    Match(MatchResult),
}

impl Line {
    fn read(value: Value) -> serde_json::Result<(ResultOf, Line)> {
        if value.get("match").is_some() {
            let played: MatchResult = serde_json::from_value(value)?;
            return Ok((ResultOf::Match { place: played.place }, Line::Match(played)));
        }
        if value.get("diverged").is_some() {
            let run: DivergedRun = serde_json::from_value(value)?;
            return Ok((ResultOf::diverged(&run), Line::Diverged(run)));
        }
        let run: RunResult = serde_json::from_value(value)?;
        Ok((ResultOf::simulation(&run), Line::Simulation(run)))
    }
}

type Lines = BTreeMap<ResultOf, Line>;

/// The results in the folder of an experiment.
#[derive(Debug)]
pub(super) struct Results {
    folder: PathBuf,
    lines: Mutex<Lines>,
}

impl Results {
    /// Reads the results in a folder; those of an earlier version, too.
    ///
    /// # Errors
    /// [`StoreError`] if a line is no result or repeats one.
    pub(super) fn read(folder: &Path) -> Result<Results, StoreError> {
        let lines = Mutex::new(read(folder)?);
        Ok(Results { folder: folder.to_owned(), lines })
    }

    pub(super) fn run(&self, variant: usize, repeat: u64) -> Option<RunResult> {
        match self.lines().get(&ResultOf::Simulation { variant, repeat }) {
            Some(Line::Simulation(run)) => Some(run.clone()),
            _ => None,
        }
    }

    pub(super) fn diverged(&self, variant: usize, repeat: u64) -> Option<DivergedRun> {
        match self.lines().get(&ResultOf::Simulation { variant, repeat }) {
            Some(Line::Diverged(run)) => Some(run.clone()),
            _ => None,
        }
    }

    /// The program that made a simulation; empty if it does not say so. `None` of a match.
    pub(super) fn program(&self, what: ResultOf) -> Option<String> {
        match self.lines().get(&what)? {
            Line::Simulation(run) => Some(run.program.clone()),
            Line::Diverged(run) => Some(run.program.clone()),
            Line::Match(_) => None,
        }
    }

    pub(super) fn played(&self, place: usize) -> Option<MatchResult> {
        match self.lines().get(&ResultOf::Match { place }) {
            Some(Line::Match(played)) => Some(played.clone()),
            _ => None,
        }
    }

    /// What there are results of, in order.
    pub(super) fn all(&self) -> Vec<ResultOf> {
        self.lines().keys().copied().collect()
    }

    pub(super) fn save_run(&self, run: &RunResult) -> Result<(), StoreError> {
        self.change(|lines| {
            lines.insert(ResultOf::simulation(run), Line::Simulation(run.clone()));
        })
    }

    pub(super) fn save_diverged(&self, run: &DivergedRun) -> Result<(), StoreError> {
        self.change(|lines| {
            lines.insert(ResultOf::diverged(run), Line::Diverged(run.clone()));
        })
    }

    pub(super) fn save_match(&self, played: &MatchResult) -> Result<(), StoreError> {
        self.change(|lines| {
            lines.insert(ResultOf::Match { place: played.place }, Line::Match(played.clone()));
        })
    }

    pub(super) fn forget(&self, what: ResultOf) -> Result<(), StoreError> {
        let known = self.lines().contains_key(&what);
        if known { self.change(|lines| drop(lines.remove(&what))) } else { Ok(()) }
    }

    /// Moves the results of an earlier version into the file of this one, and returns their number.
    pub(super) fn move_old(&self) -> Result<usize, StoreError> {
        let old = old_files(&self.folder)?;
        if !old.is_empty() {
            self.change(|_| ())?;
        }
        for (file, _) in &old {
            fs::remove_file(file).map_err(StoreError::io("remove", file))?;
        }
        Ok(old.len())
    }

    /// Changes the file. It is locked and read again first, so that what another process has saved
    /// is kept.
    fn change(&self, change: impl FnOnce(&mut Lines)) -> Result<(), StoreError> {
        let mut known = self.lines();
        let _lock = lock(&self.folder)?;
        let mut lines = read(&self.folder)?;
        change(&mut lines);
        let mut text = Vec::new();
        for line in lines.values() {
            serde_json::to_writer(&mut text, line).expect("results are plain data");
            text.push(b'\n');
        }
        write_atomic(&self.folder.join(RESULTS), &text)?;
        *known = lines;
        Ok(())
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until no other process changes the results of a folder.
fn lock(folder: &Path) -> Result<Lock, StoreError> {
    let file = folder.join(LOCK);
    let began = Instant::now();
    loop {
        match files::lock(&file) {
            Ok(lock) => return Ok(lock),
            Err(TryLockError::WouldBlock) if began.elapsed() < LOCK_PATIENCE => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Locked { path: folder.to_owned() });
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", &file)(error)),
        }
    }
}

fn read(folder: &Path) -> Result<Lines, StoreError> {
    let file = folder.join(RESULTS);
    let mut lines: Lines = old_files(folder)?.into_iter().map(|(_, line)| line).collect();
    let text = match fs::read_to_string(&file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(lines),
        text => text.map_err(StoreError::io("read", &file))?,
    };
    let mut seen = Lines::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = |problem: String| {
            let problem = format!("line {} {problem}; remove it to run it again", number + 1);
            StoreError::io("read", &file)(Error::new(ErrorKind::InvalidData, problem))
        };
        let (what, result) = serde_json::from_str(line)
            .and_then(Line::read)
            .map_err(|error| wrong(format!("is no result: {error}")))?;
        if seen.insert(what, result).is_some() {
            return Err(wrong(format!("is a second result of {what}")));
        }
    }
    lines.append(&mut seen);
    Ok(lines)
}

/// A file of an earlier version, and the result in it.
type OldFile = (PathBuf, (ResultOf, Line));

/// The readable results of an earlier version.
fn old_files(folder: &Path) -> Result<Vec<OldFile>, StoreError> {
    let runs = folder.join("runs");
    let entries = match fs::read_dir(&runs) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(StoreError::io("read", &runs))?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(StoreError::io("read", &runs))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(stem) = name.strip_suffix(".json") else { continue };
        let bytes = fs::read(&path).map_err(StoreError::io("read", &path))?;
        let Ok(mut value) = serde_json::from_slice::<Value>(&bytes) else { continue };
        if let Some(place) = stem.strip_prefix("bout-").and_then(|place| place.parse::<u64>().ok())
            && let Some(fields) = value.as_object_mut()
        {
            fields.insert("match".to_owned(), place.into());
        }
        if let Ok((what, line)) = Line::read(value)
            && what.old_name() == name
        {
            found.push((path, (what, line)));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_training::train::TrainSpec;

    fn run(variant: usize, repeat: u64) -> RunResult {
        RunResult {
            command: format!("nonet train --seed {repeat}"),
            variant,
            repeat,
            ratings: vec![0.1 + 0.2],
            ..RunResult::of_tests(Vec::new())
        }
    }

    fn diverged(variant: usize, repeat: u64) -> DivergedRun {
        DivergedRun {
            options: TrainSpec::default(),
            command: format!("nonet train --seed {repeat}"),
            program: "nonet".to_owned(),
            variant,
            repeat,
            diverged: 391,
        }
    }

    fn played(place: usize) -> MatchResult {
        MatchResult { place, words: "a v b".to_owned(), results: Vec::new() }
    }

    #[test]
    fn lines_stand_in_the_same_order_whatever_ended_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let results = Results::read(folder.path()).expect("empty");
        results.save_match(&played(0)).expect("saved");
        for (variant, repeat) in [(10, 0), (2, 1), (2, 0)] {
            results.save_run(&run(variant, repeat)).expect("saved");
        }
        let simulation = |variant, repeat| ResultOf::Simulation { variant, repeat };
        let order = [simulation(2, 0), simulation(2, 1), simulation(10, 0)];
        let order = [&order[..], &[ResultOf::Match { place: 0 }]].concat();
        assert_eq!(results.all(), order);
        let again = Results::read(folder.path()).expect("readable");
        assert_eq!((again.all(), again.run(2, 1)), (order, Some(run(2, 1))));
        assert_eq!(again.played(0), Some(played(0)));
        let text = fs::read_to_string(folder.path().join(RESULTS)).expect("a file");
        assert!(text.starts_with("{\"command\":\"nonet train --seed 0\",\"variant\":2,"), "{text}");
        assert!(text.ends_with("{\"match\":0,\"words\":\"a v b\",\"results\":[]}\n"), "{text}");
    }

    #[test]
    fn a_simulation_ends_or_diverges() {
        let folder = tempfile::tempdir().expect("a folder");
        let results = Results::read(folder.path()).expect("empty");
        results.save_run(&run(0, 0)).expect("saved");
        results.save_diverged(&diverged(0, 1)).expect("saved");
        let again = Results::read(folder.path()).expect("readable");
        assert_eq!((again.run(0, 0), again.diverged(0, 0)), (Some(run(0, 0)), None));
        assert_eq!((again.run(0, 1), again.diverged(0, 1)), (None, Some(diverged(0, 1))));
        let programs = again.all().into_iter().map(|what| again.program(what));
        assert_eq!(programs.collect::<Vec<_>>(), [Some(String::new()), Some("nonet".to_owned())]);
        let text = fs::read_to_string(folder.path().join(RESULTS)).expect("a file");
        assert!(text.ends_with(",\"variant\":0,\"repeat\":1,\"diverged\":391}\n"), "{text}");
        // Another program may come to an end.
        again.save_run(&run(0, 1)).expect("saved");
        assert_eq!((again.run(0, 1), again.diverged(0, 1)), (Some(run(0, 1)), None));
    }

    #[test]
    fn what_another_process_saves_meanwhile_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let [one, other] = [(), ()].map(|()| Results::read(folder.path()).expect("empty"));
        one.save_run(&run(0, 0)).expect("saved");
        other.save_run(&run(0, 1)).expect("saved");
        assert_eq!(Results::read(folder.path()).expect("readable").all().len(), 2);
    }

    #[test]
    fn a_line_that_is_no_result_is_named_and_nothing_is_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let results = Results::read(folder.path()).expect("empty");
        results.save_run(&run(0, 0)).expect("saved");
        let file = folder.path().join(RESULTS);
        let whole = fs::read_to_string(&file).expect("a file");
        for (more, says) in [
            (whole.as_str(), "line 2 is a second result of simulation 0 of variant 0"),
            (&whole[..20], "line 2 is no result"),
            ("{\"variant\":1}\n", "missing field `command`"),
        ] {
            let damaged = format!("{whole}{more}");
            fs::write(&file, &damaged).expect("written");
            let error = results.save_run(&run(0, 1)).expect_err("damaged").to_string();
            assert!(error.contains(says), "{error}");
            assert_eq!(fs::read_to_string(&file).expect("a file"), damaged);
        }
    }

    #[test]
    fn files_of_an_earlier_version_become_lines_and_what_is_no_result_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let old = folder.path().join("runs");
        fs::create_dir(&old).expect("made");
        let text = serde_json::to_string(&run(1, 12)).expect("JSON").replace(",", ",\n");
        fs::write(old.join("1-12.json"), &text).expect("written");
        fs::write(old.join("bout-7.json"), "{\"words\":\"a v b\",\n\"results\":[]}")
            .expect("written");
        let kept = ["2-0.json", "3-0.json", "1-12.nonet"].map(|name| old.join(name));
        // One was copied from another simulation, one was torn, one is a net.
        for (file, text) in kept.iter().zip([text.as_str(), "{", ""]) {
            fs::write(file, text).expect("written");
        }
        let results = Results::read(folder.path()).expect("readable");
        assert_eq!((results.run(1, 12), results.played(7)), (Some(run(1, 12)), Some(played(7))));
        assert!(!folder.path().join(RESULTS).exists(), "nothing is written by reading");
        assert_eq!(results.move_old().expect("moved"), 2);
        let again = Results::read(folder.path()).expect("readable");
        assert_eq!((again.run(1, 12), again.played(7)), (Some(run(1, 12)), Some(played(7))));
        assert_eq!(again.all().len(), 2);
        assert!(kept.iter().all(|file| file.is_file()));
        assert_eq!(fs::read_dir(&old).expect("readable").count(), kept.len());
        assert_eq!(again.move_old().expect("nothing to move"), 0);
    }
}
