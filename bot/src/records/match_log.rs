//! The match log: a folder with a file of JSON lines for each match.
//!
//! The file is written event by event. At the end of the match a `.mat` file is added.
//!
//! An event is one line, written in one call. If the program is killed meanwhile, the line may be
//! cut off; the next start removes a cut line. So the folder is valid at every moment, and a match
//! that was in progress is found in it.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::records::ended_matches::EndedMatches;
use crate::records::file_stem::file_stem;
use crate::records::log_event::LogEvent;
use crate::records::match_record::MatchRecord;
use crate::records::statistics::MatchResults;
use nonet_engine::store::{StoreError, save_match, write_numbered};

/// Why a match log cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum MatchLogError {
    /// A file or folder cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The first line is not the begin of a match: the file is damaged, or not a match log.
    #[error("{}:{line}: invalid event of a match: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        /// The error of the line.
        reason: String,
    },
}

const EXTENSION: &str = "jsonl";

/// A match that is not over.
#[derive(Debug)]
struct OpenMatch {
    file: File,
    path: PathBuf,
    match_record: MatchRecord,
}

/// The matches of one account.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let log = nonet_bot::MatchLog::open(folder.path(), false)?;
/// assert!(log.open_opponents().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MatchLog {
    folder: PathBuf,
    open: Vec<OpenMatch>,
    ended: EndedMatches,
    /// Damaged files, under their new names.
    set_aside: Vec<PathBuf>,
    /// Whether to flush every line to the disk, against a loss of power. If only the program is
    /// killed, nothing is lost in either case.
    sync: bool,
}

impl MatchLog {
    /// Opens a folder, creates it if it does not exist, and continues the matches in it that are
    /// not over.
    ///
    /// A damaged line is lost alone, with a warning. A file without the begin of a match is set
    /// aside: it gets `.damaged` behind its name. A warning says what is wrong with it.
    ///
    /// # Errors
    /// [`MatchLogError`].
    pub fn open(folder: &Path, sync: bool) -> Result<MatchLog, MatchLogError> {
        fs::create_dir_all(folder).map_err(StoreError::io("create the folder", folder))?;
        let (open, ended, set_aside) = (Vec::new(), EndedMatches::default(), Vec::new());
        let mut match_log = MatchLog { folder: folder.to_owned(), open, ended, set_aside, sync };
        for path in files(folder)? {
            let (events, whole_bytes) = match read_events(&path) {
                Err(error @ MatchLogError::Line { .. }) => {
                    let aside = renamed_aside(&path)?;
                    tracing::warn!(
                        "{error}; the file is set aside as {} and does not count",
                        aside.display()
                    );
                    match_log.set_aside.push(aside);
                    continue;
                }
                read => read?,
            };
            // The program was killed while it wrote the first line.
            if events.is_empty() {
                continue;
            }
            let match_record = MatchRecord::from_events(&events);
            if match_record.is_open() {
                let file = OpenOptions::new()
                    .append(true)
                    .open(&path)
                    .map_err(StoreError::io("open", &path))?;
                file.set_len(whole_bytes).map_err(StoreError::io("truncate", &path))?;
                match_log.open.push(OpenMatch { file, path, match_record });
                continue;
            }
            match_log.ended.add(&path, &match_record);
            if !path.with_extension("mat").exists() {
                save_match(&path.with_extension("mat"), &match_record.games())?;
            }
        }
        Ok(match_log)
    }

    /// The damaged files that were set aside when the folder was opened, under their new names.
    #[must_use]
    pub fn set_aside(&self) -> &[PathBuf] {
        &self.set_aside
    }

    /// Opponents of matches that are not over.
    #[must_use]
    pub fn open_opponents(&self) -> Vec<String> {
        self.open.iter().map(|open| open.match_record.opponent.clone()).collect()
    }

    /// The match with an opponent, if it is not over.
    #[must_use]
    pub fn open_match(&self, opponent: &str) -> Option<&MatchRecord> {
        self.open
            .iter()
            .map(|open| &open.match_record)
            .find(|match_record| match_record.opponent == opponent)
    }

    /// Begins a match. An open match with the same opponent ends with an unknown result, as the
    /// server has dropped it. Returns whether there was one.
    ///
    /// # Errors
    /// [`MatchLogError`].
    ///
    /// # Panics
    /// If `event` is not [`LogEvent::MatchStart`].
    pub fn begin(&mut self, event: &LogEvent) -> Result<bool, MatchLogError> {
        let LogEvent::MatchStart { time, opponent, length, .. } = event else {
            panic!("a match begins with MatchStart, not {event:?}");
        };
        let dropped = self.open_match(opponent).is_some();
        if dropped {
            self.append(opponent, &LogEvent::EndUnknown { time: *time })?;
        }
        let length = length.map_or("unlimited".to_owned(), |points| points.to_string());
        let stem = file_stem(*time, &[opponent, &length]);
        let path = write_numbered(&self.folder, &stem, EXTENSION, line_of(event).as_bytes())?;
        let file =
            OpenOptions::new().append(true).open(&path).map_err(StoreError::io("open", &path))?;
        let match_record = MatchRecord::from_events(std::slice::from_ref(event));
        self.open.push(OpenMatch { file, path, match_record });
        Ok(dropped)
    }

    /// Appends an event to the open match with an opponent, if there is one. Returns the match if
    /// this event ends it.
    ///
    /// # Errors
    /// [`MatchLogError`].
    pub fn append(
        &mut self,
        opponent: &str,
        event: &LogEvent,
    ) -> Result<Option<MatchRecord>, MatchLogError> {
        let Some(i) = self.open.iter().position(|open| open.match_record.opponent == opponent)
        else {
            return Ok(None);
        };
        self.write_line(i, event)?;
        if self.open[i].match_record.is_open() {
            return Ok(None);
        }
        // The server sends the lines about the rating before this event.
        let OpenMatch { path, match_record, .. } = self.open.swap_remove(i);
        self.ended.add(&path, &match_record);
        save_match(&path.with_extension("mat"), &match_record.games())?;
        Ok(Some(match_record))
    }

    /// The results of all matches.
    pub(crate) fn results(&self) -> MatchResults {
        let mut results = self.ended.results().clone();
        self.open.iter().for_each(|open| results.add(&open.match_record));
        results
    }

    /// The number of matches that an opponent left while behind, and that are not finished.
    pub(crate) fn left_behind_by(&self, opponent: &str) -> u32 {
        self.results().departures.get(opponent).map_or(0, |of| of.left_behind)
    }

    /// The latest match with an opponent.
    ///
    /// # Errors
    /// [`MatchLogError`] if its file cannot be read any more.
    pub(crate) fn last(&self, opponent: &str) -> Result<Option<MatchRecord>, MatchLogError> {
        // An open one is the latest: the one before ends when it begins.
        match self.open_match(opponent) {
            Some(open) => Ok(Some(open.clone())),
            None => self.ended.last_begun(opponent).map(match_record).transpose(),
        }
    }

    /// The latest match with a known result, with an opponent or with anyone.
    ///
    /// # Errors
    /// [`MatchLogError`] if its file cannot be read any more.
    pub(crate) fn last_finished(
        &self,
        opponent: Option<&str>,
    ) -> Result<Option<MatchRecord>, MatchLogError> {
        self.ended.last_finished(opponent).map(match_record).transpose()
    }

    fn write_line(&mut self, i: usize, event: &LogEvent) -> Result<(), MatchLogError> {
        let open = &mut self.open[i];
        // In one call, so that a program that is killed leaves at most this line cut.
        open.file
            .write_all(line_of(event).as_bytes())
            .map_err(StoreError::io("write", &open.path))?;
        if self.sync {
            open.file.sync_data().map_err(StoreError::io("write", &open.path))?;
        }
        open.match_record.apply(event);
        Ok(())
    }
}

/// An event as a line.
fn line_of(event: &LogEvent) -> String {
    serde_json::to_string(event).expect("an event is plain data") + "\n"
}

fn match_record(path: &Path) -> Result<MatchRecord, MatchLogError> {
    Ok(MatchRecord::from_events(&read_events(path)?.0))
}

/// Every match in a folder, sorted by its begin.
///
/// # Errors
/// [`MatchLogError`] for a folder or file that cannot be read, and for a `.jsonl` file that is not
/// a match log. A damaged line makes its match incomplete.
pub fn match_records(folder: &Path) -> Result<Vec<MatchRecord>, MatchLogError> {
    let mut all = Vec::new();
    for path in files(folder)? {
        let (events, _) = read_events(&path)?;
        if !events.is_empty() {
            all.push(MatchRecord::from_events(&events));
        }
    }
    all.sort_by(|a, b| a.began.total_cmp(&b.began));
    Ok(all)
}

/// Renames a file to `NAME.damaged`, or to `NAME.damaged-1` and so on if there is one already.
/// Returns the new path.
fn renamed_aside(path: &Path) -> Result<PathBuf, MatchLogError> {
    let name = |number: u64| {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 0 { ".damaged".into() } else { format!(".damaged-{number}") });
        PathBuf::from(name)
    };
    let aside = (0..).map(name).find(|aside| !aside.exists()).expect("there are few such files");
    fs::rename(path, &aside).map_err(StoreError::io("rename", path))?;
    Ok(aside)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, MatchLogError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(StoreError::io("read the folder", folder))? {
        let path = entry.map_err(StoreError::io("read the folder", folder))?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The events in a file, and the number of bytes of its lines. A last line without a line end is
/// ignored. Where a line is no event there is a gap.
fn read_events(path: &Path) -> Result<(Vec<LogEvent>, u64), MatchLogError> {
    let text = fs::read(path).map_err(StoreError::io("read", path))?;
    let (mut events, mut whole_bytes) = (Vec::<LogEvent>::new(), 0);
    for (i, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if line.last() != Some(&b'\n') {
            break;
        }
        whole_bytes += line.len() as u64;
        match (serde_json::from_slice(line), events.last()) {
            (Ok(event), _) => events.push(event),
            (Err(error), Some(before)) => {
                let path = path.display();
                tracing::warn!("{path}:{}: this line is damaged and lost: {error}", i + 1);
                events.push(LogEvent::Gap { time: before.time() });
            }
            (Err(error), None) => {
                let (path, reason) = (path.to_owned(), error.to_string());
                return Err(MatchLogError::Line { path, line: i + 1, reason });
            }
        }
    }
    Ok((events, whole_bytes))
}

#[cfg(test)]
mod tests {
    use fibs::agent::GameEnd;

    use super::*;
    use crate::tests_support::captured_log;
    use nonet_engine::backgammon::{Dice, Position, Seat};

    fn begin(time: f64) -> LogEvent {
        LogEvent::MatchStart {
            time,
            own: "nonet".into(),
            opponent: "bob".into(),
            length: Some(3),
            own_rating: Some(1500.0),
            own_experience: Some(0),
            opponent_rating: None,
            opponent_experience: None,
        }
    }

    fn a_game() -> Vec<LogEvent> {
        let dice: Dice = "31".parse().expect("a roll");
        let start = Position::START;
        let after = start.read_play("8/5 6/5", dice).expect("legal").after;
        vec![
            begin(1_795_242_855.0),
            LogEvent::GameStart { time: 1.0, length: Some(3), score: [0, 0], crawford: false },
            LogEvent::Turn {
                time: 2.0,
                player: Seat::X,
                dice,
                before: start,
                after,
                play: "8/5 6/5".into(),
                equity: Some(0.1),
            },
            LogEvent::Double { time: 3.0, player: Seat::O },
            LogEvent::GameOver { time: 4.0, winner: Seat::O, points: 1, end: GameEnd::Dropped },
        ]
    }

    /// Appends events that do not end the match.
    fn append(match_log: &mut MatchLog, events: &[LogEvent]) {
        for event in events {
            assert!(match_log.append("bob", event).expect("written").is_none());
        }
    }

    #[test]
    fn a_log_cut_at_any_byte_continues_where_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut match_log = MatchLog::open(folder.path(), false).expect("new");
        let events = a_game();
        match_log.begin(&events[0]).expect("begun");
        append(&mut match_log, &events[1..]);
        drop(match_log);
        let path = files(folder.path()).expect("there").remove(0);
        let whole = fs::read(&path).expect("there");
        let first = whole.iter().position(|&byte| byte == b'\n').expect("a line");
        for cut in first + 1..=whole.len() {
            fs::write(&path, &whole[..cut]).expect("written");
            let lines = whole[..cut].iter().filter(|&&byte| byte == b'\n').count();
            let mut match_log = MatchLog::open(folder.path(), false).expect("opens");
            assert_eq!(match_log.open_opponents(), ["bob"]);
            append(&mut match_log, &events[lines..]);
            drop(match_log);
            assert_eq!(fs::read(&path).expect("there"), whole, "cut at {cut}");
        }
        let match_records = match_records(folder.path()).expect("read");
        assert_eq!(
            (match_records.len(), match_records[0].score(), &match_records[0].incomplete),
            (1, [0, 1], &None)
        );
    }

    #[test]
    fn a_log_cut_in_its_first_line_is_no_match() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("20200101-000000-bob-3.jsonl"), "{\"ev").expect("written");
        let match_log = MatchLog::open(folder.path(), false).expect("opens");
        assert!(match_log.open_opponents().is_empty() && match_log.set_aside().is_empty());
        assert_eq!(match_records(folder.path()).expect("read").len(), 0);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "no .mat file");
    }

    #[test]
    fn a_match_that_is_over_has_its_mat_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut match_log = MatchLog::open(folder.path(), false).expect("new");
        let events = a_game();
        match_log.begin(&events[0]).expect("begun");
        append(&mut match_log, &events[1..]);
        let over = LogEvent::MatchOver { time: 9.0, won: false, score: [0, 3] };
        let done = match_log.append("bob", &over).expect("written").expect("over");
        assert_eq!(done.result, Some((false, [0, 3])));
        assert!(match_log.open_opponents().is_empty());
        let mat = files(folder.path()).expect("there").remove(0).with_extension("mat");
        let text = fs::read_to_string(mat).expect("there");
        assert!(text.contains("3 point match") && text.contains("Doubles => 2"), "{text}");
    }

    #[test]
    fn what_a_log_knows_of_past_matches_is_what_its_files_say() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut match_log = MatchLog::open(folder.path(), false).expect("new");
        let games = [("ann", true), ("bob", false), ("bob", true), ("eve", true), ("ann", false)];
        for (number, (name, won)) in games.into_iter().enumerate() {
            let mut events = a_game();
            let time = 1_795_242_855.0 + 100.0 * number as f64;
            let over = LogEvent::MatchOver { time: time + 50.0, won, score: [0, 3] };
            if let LogEvent::MatchStart { time: began, opponent, .. } = &mut events[0] {
                (*began, *opponent) = (time, name.to_owned());
            }
            match_log.begin(&events[0]).expect("begun");
            events.push(over);
            for event in &events[1..] {
                match_log.append(name, event).expect("written");
                let records = match_records(folder.path()).expect("read");
                let again = MatchLog::open(folder.path(), false).expect("opens");
                for known in [&match_log, &again] {
                    assert_eq!(known.results(), MatchResults::of(&records));
                    for name in ["ann", "bob", "eve", "dan"] {
                        let of = |record: &&MatchRecord| record.opponent == name;
                        let began = known.last(name).expect("read").map(|last| last.began);
                        assert_eq!(began, records.iter().rfind(of).map(|last| last.began));
                        let ended = known.last_finished(Some(name)).expect("read");
                        let finished =
                            |record: &&MatchRecord| of(record) && record.result.is_some();
                        let expected = records.iter().rfind(finished).map(|last| last.last);
                        assert_eq!(ended.map(|last| last.last), expected, "{name}");
                    }
                    let ended = known.last_finished(None).expect("read").map(|last| last.last);
                    let finished = records.iter().rfind(|record| record.result.is_some());
                    assert_eq!(ended, finished.map(|last| last.last));
                }
            }
        }
    }

    #[test]
    fn a_damaged_file_is_set_aside_with_a_warning_and_the_others_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let events = a_game();
        let mut match_log = MatchLog::open(folder.path(), false).expect("new");
        match_log.begin(&events[0]).expect("begun");
        drop(match_log);
        let whole = files(folder.path()).expect("there").remove(0);
        for round in 0..2 {
            let text =
                "{\"event\":\"be\0\n".to_owned() + &fs::read_to_string(&whole).expect("there");
            let bad = folder.path().join("20200101-000000-eve-5.jsonl");
            fs::write(&bad, &text).expect("written");
            let mut set_aside = Vec::new();
            let log = captured_log(|| {
                let match_log = MatchLog::open(folder.path(), false).expect("opens");
                assert_eq!(match_log.open_opponents(), ["bob"]);
                set_aside = match_log.set_aside().to_vec();
            });
            assert!(log.contains("WARN") && log.contains("eve-5.jsonl:1"), "{log}");
            let name = ["eve-5.jsonl.damaged", "eve-5.jsonl.damaged-1"][round];
            assert!(set_aside[0].to_string_lossy().ends_with(name), "{set_aside:?}");
            assert_eq!(fs::read_to_string(&set_aside[0]).expect("there"), text);
            assert_eq!(match_records(folder.path()).expect("read").len(), 1);
        }
    }

    #[test]
    fn a_damaged_line_is_lost_alone() {
        let mut events = a_game();
        events.push(LogEvent::MatchOver { time: 9.0, won: false, score: [0, 3] });
        for damaged in 1..=events.len() {
            let folder = tempfile::tempdir().expect("a folder");
            let lines = events.iter().map(|event| serde_json::to_string(event).expect("plain"));
            let mut lines: Vec<String> = lines.collect();
            // One line is cut off in the middle, or a damaged line follows the end.
            match lines.get_mut(damaged) {
                Some(line) => line.truncate(line.len() / 2),
                None => lines.push("{\"event\":\"ga\0".to_owned()),
            }
            let text = lines.join("\n") + "\n";
            let path = folder.path().join("20200101-000000-bob-3.jsonl");
            fs::write(&path, &text).expect("written");
            let records = match_records(folder.path()).expect("read");
            let over = damaged != events.len() - 1;
            assert_eq!(records[0].result.is_some(), over, "line {damaged}");
            assert!(records[0].incomplete.is_some());
            let log = captured_log(|| {
                let match_log = MatchLog::open(folder.path(), false).expect("opens");
                assert!(match_log.set_aside().is_empty());
                assert_eq!(match_log.open_opponents().is_empty(), over, "line {damaged}");
            });
            assert!(log.contains(&format!("bob-3.jsonl:{}: ", damaged + 1)), "{log}");
            assert_eq!(fs::read_to_string(&path).expect("there"), text, "nothing is cut off");
        }
    }

    #[test]
    fn a_file_that_is_not_a_match_log_is_named_by_a_report() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("x.jsonl"), "{}\n").expect("written");
        let error = match_records(folder.path()).expect_err("refused").to_string();
        assert!(error.contains("x.jsonl:1"), "{error}");
    }
}
