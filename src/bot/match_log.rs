//! The folder of records: a file of JSON lines for each match, written as it happens, and its `.mat` at the end.
//!
//! A line is written whole or, if the program dies meanwhile, cut off; the next start cuts it away. So the folder is
//! right at every moment, and a match that was being played is found in it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::log_event::{LogEvent, MatchRecord};
use crate::backgammon::record::MatWriter;
use crate::store::{StoreError, write_atomic};

/// Why records cannot be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum MatchLogError {
    /// The system says so.
    #[error("cannot {doing} {}: {cause}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// With which file.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// A whole line that is no entry: not our file, or damaged.
    #[error("{}:{line} is no entry of a match: {reason}", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A finished file cannot be put in its place.
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub(super) fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> MatchLogError {
    let path = path.to_owned();
    move |cause| MatchLogError::Io { doing, path, cause }
}

const ENDING: &str = "jsonl";

/// A match that is being written.
#[derive(Debug)]
struct Open {
    file: File,
    path: PathBuf,
    match_record: MatchRecord,
}

/// The records of one account.
#[derive(Debug)]
pub struct MatchLog {
    folder: PathBuf,
    open: Vec<Open>,
    /// Whether to flush every line to the disk, against loss of power; a killed program loses nothing either way.
    sync: bool,
}

impl MatchLog {
    /// Opens a folder, makes it if there is none, and finds the matches that are not over.
    ///
    /// # Errors
    /// [`MatchLogError`].
    pub fn open(folder: &Path, sync: bool) -> Result<MatchLog, MatchLogError> {
        fs::create_dir_all(folder).map_err(failed("make the folder", folder))?;
        let mut match_log = MatchLog { folder: folder.to_owned(), open: Vec::new(), sync };
        for path in files(folder)? {
            let (entries, good) = read(&path)?;
            let match_record = match_record(&entries);
            if match_record.is_open() && !entries.is_empty() {
                let file =
                    OpenOptions::new().append(true).open(&path).map_err(failed("open", &path))?;
                file.set_len(good).map_err(failed("cut", &path))?;
                match_log.open.push(Open { file, path, match_record });
            } else if !path.with_extension("mat").exists() {
                write_mat(&path, &match_record)?;
            }
        }
        Ok(match_log)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Opponents of matches that are not over.
    #[must_use]
    pub fn unfinished(&self) -> Vec<String> {
        self.open.iter().map(|open| open.match_record.opponent.clone()).collect()
    }

    /// The match with an opponent that is not over.
    #[must_use]
    pub fn match_record(&self, opponent: &str) -> Option<&MatchRecord> {
        self.open
            .iter()
            .map(|open| &open.match_record)
            .find(|match_record| match_record.opponent == opponent)
    }

    /// Begins a match; what was open with the same opponent is over, as on the server.
    ///
    /// # Errors
    /// [`MatchLogError`].
    pub fn begin(&mut self, entry: &LogEvent) -> Result<(), MatchLogError> {
        let LogEvent::Begin { time, opponent, length, .. } = entry else { return Ok(()) };
        if self.match_record(opponent).is_some() {
            self.write(opponent, &LogEvent::Lost { time: *time })?;
        }
        let plain = plain(opponent);
        let length = length.map_or("unlimited".to_owned(), |n| n.to_string());
        let stem = format!("{}-{plain}-{length}", stamp(*time));
        let path = (0..)
            .map(|n| if n == 0 { stem.clone() } else { format!("{stem}-{n}") })
            .map(|stem| self.folder.join(stem).with_extension(ENDING))
            .find(|path| !path.exists())
            .unwrap_or_default();
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(&path)
            .map_err(failed("begin", &path))?;
        self.open.push(Open { file, path, match_record: MatchRecord::default() });
        self.write_to(self.open.len() - 1, entry)
    }

    /// Writes down what happened in the match with an opponent; nothing if there is none. The match, if it is over now.
    ///
    /// # Errors
    /// [`MatchLogError`].
    pub fn write(
        &mut self,
        opponent: &str,
        entry: &LogEvent,
    ) -> Result<Option<MatchRecord>, MatchLogError> {
        let Some(i) = self.open.iter().position(|open| open.match_record.opponent == opponent)
        else {
            return Ok(None);
        };
        self.write_to(i, entry)?;
        if self.open[i].match_record.is_open() {
            return Ok(None);
        }
        // Lines about the rating come before the end.
        let done = self.open.swap_remove(i);
        write_mat(&done.path, &done.match_record)?;
        Ok(Some(done.match_record))
    }

    fn write_to(&mut self, i: usize, entry: &LogEvent) -> Result<(), MatchLogError> {
        let open = &mut self.open[i];
        let mut line = serde_json::to_string(entry)
            .map_err(|error| failed("write", &open.path)(io::Error::other(error)))?;
        line.push('\n');
        // In one call: a program that is killed leaves the line whole or not at all, and at worst cut.
        open.file.write_all(line.as_bytes()).map_err(failed("write", &open.path))?;
        if self.sync {
            open.file.sync_data().map_err(failed("write", &open.path))?;
        }
        open.match_record.take(entry);
        Ok(())
    }
}

/// Every match in a folder, in the order of their beginnings.
///
/// # Errors
/// [`MatchLogError`] for a folder that cannot be read or a file that is none of ours.
pub fn match_records(folder: &Path) -> Result<Vec<MatchRecord>, MatchLogError> {
    let mut all = Vec::new();
    for path in files(folder)? {
        let (entries, _) = read(&path)?;
        if !entries.is_empty() {
            all.push(match_record(&entries));
        }
    }
    all.sort_by(|a, b| a.began.total_cmp(&b.began));
    Ok(all)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, MatchLogError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed("read the folder", folder))? {
        let path = entry.map_err(failed("read the folder", folder))?.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The entries of a file, and how many of its bytes they take: a last line without an end is not one.
fn read(path: &Path) -> Result<(Vec<LogEvent>, u64), MatchLogError> {
    let text = fs::read(path).map_err(failed("read", path))?;
    let (mut entries, mut good) = (Vec::new(), 0);
    for (i, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if line.last() != Some(&b'\n') {
            break;
        }
        let entry = serde_json::from_slice(line).map_err(|error| MatchLogError::Line {
            path: path.to_owned(),
            line: i + 1,
            reason: error.to_string(),
        })?;
        entries.push(entry);
        good += line.len() as u64;
    }
    Ok((entries, good))
}

fn match_record(entries: &[LogEvent]) -> MatchRecord {
    let mut match_record = MatchRecord::default();
    entries.iter().for_each(|entry| match_record.take(entry));
    match_record
}

fn write_mat(path: &Path, match_record: &MatchRecord) -> Result<(), MatchLogError> {
    let path = path.with_extension("mat");
    let mut writer = MatWriter::new(Vec::new());
    for game in match_record.games() {
        writer.write(&game).map_err(failed("write", &path))?;
    }
    write_atomic(&path, &writer.into_inner())?;
    Ok(())
}

/// A name as part of a file's.
pub(super) fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// `20261121-063415` in UTC (H. Hinnant, "chrono-compatible low-level date algorithms").
pub(super) fn stamp(time: f64) -> String {
    let seconds = time.max(0.0) as u64;
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (h, m, s) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}{month:02}{day:02}-{h:02}{m:02}{s:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(time: f64) -> LogEvent {
        LogEvent::Begin {
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
        let dice: crate::backgammon::Dice = "31".parse().expect("a roll");
        let start = Position::START;
        let after = start.read_play("8/5 6/5", dice).expect("legal").after;
        vec![
            begin(1_795_242_855.0),
            LogEvent::Game { time: 1.0, length: Some(3), score: [0, 0], crawford: false },
            LogEvent::Turn {
                time: 2.0,
                own: true,
                dice: "31".into(),
                before: start.id(),
                after: after.id(),
                play: "8/5 6/5".into(),
                equity: Some(0.1),
            },
            LogEvent::Double { time: 3.0, own: false },
            LogEvent::GameOver { time: 4.0, won: false, points: 1, how: "dropped".into() },
        ]
    }

    use crate::backgammon::Position;

    /// Writes entries after which the match goes on.
    fn write(match_log: &mut MatchLog, entries: &[LogEvent]) {
        for entry in entries {
            assert!(match_log.write("bob", entry).expect("written").is_none());
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(stamp(0.0), "19700101-000000");
        assert_eq!(stamp(951_782_400.0), "20000229-000000");
        assert_eq!(stamp(1_795_242_855.0), "20261121-063415");
    }

    #[test]
    fn a_diary_cut_at_any_byte_goes_on_where_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut match_log = MatchLog::open(folder.path(), false).expect("new");
        let entries = a_game();
        match_log.begin(&entries[0]).expect("begun");
        write(&mut match_log, &entries[1..]);
        drop(match_log);
        let path = files(folder.path()).expect("there").remove(0);
        let whole = fs::read(&path).expect("there");
        let first = whole.iter().position(|&byte| byte == b'\n').expect("a line");
        for cut in first + 1..=whole.len() {
            fs::write(&path, &whole[..cut]).expect("written");
            let lines = whole[..cut].iter().filter(|&&byte| byte == b'\n').count();
            let mut match_log = MatchLog::open(folder.path(), false).expect("opens");
            assert_eq!(match_log.unfinished(), ["bob"]);
            write(&mut match_log, &entries[lines..]);
            drop(match_log);
            assert_eq!(fs::read(&path).expect("there"), whole, "cut at {cut}");
        }
        let match_records = match_records(folder.path()).expect("read");
        assert_eq!(
            (match_records.len(), match_records[0].score(), &match_records[0].missing),
            (1, [0, 1], &None)
        );
    }

    #[test]
    fn a_match_that_is_over_has_its_mat_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut match_log = MatchLog::open(folder.path(), false).expect("new");
        let entries = a_game();
        match_log.begin(&entries[0]).expect("begun");
        write(&mut match_log, &entries[1..]);
        let over = LogEvent::Over { time: 9.0, won: false, score: [0, 3] };
        let done = match_log.write("bob", &over).expect("written").expect("over");
        assert_eq!(done.result, Some((false, [0, 3])));
        assert!(match_log.unfinished().is_empty());
        let mat = files(folder.path()).expect("there").remove(0).with_extension("mat");
        let text = fs::read_to_string(mat).expect("there");
        assert!(text.contains("3 point match") && text.contains("Doubles => 2"), "{text}");
    }

    #[test]
    fn foreign_files_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("x.jsonl"), "{}\n").expect("written");
        let error = MatchLog::open(folder.path(), false).expect_err("refused").to_string();
        assert!(error.contains("x.jsonl:1"), "{error}");
    }
}
