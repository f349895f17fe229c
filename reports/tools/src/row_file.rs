//! Files of rows that a program goes on with where it was stopped.

#![allow(clippy::print_stderr, reason = "progress")]

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A file with a head and rows.
pub struct RowFile {
    path: PathBuf,
    /// Rows that the file had at first.
    rows: usize,
    opened: Instant,
}

impl RowFile {
    /// Opens the file, or begins it with this line as its head.
    ///
    /// # Panics
    /// If it cannot be read or written, has another head, or ends within a row.
    #[must_use]
    pub fn open(path: &str, head: &str) -> RowFile {
        if !Path::new(path).exists() {
            fs::write(path, head).expect("written");
        }
        let before = fs::read_to_string(path).expect("readable");
        let whole = before.starts_with(head) && before.ends_with('\n');
        assert!(whole, "{path} is of something else, or its last row is torn");
        let rows = before.lines().count() - 1;
        RowFile { path: path.into(), rows, opened: Instant::now() }
    }

    /// The rows that it had at first.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Appends rows in one write.
    ///
    /// # Panics
    /// If they cannot be written.
    pub fn append(&self, rows: &str) {
        let mut file = OpenOptions::new().append(true).open(&self.path).expect("written before");
        file.write_all(rows.as_bytes()).expect("written");
    }

    /// Tells how many items of all are done, and how long the rest will take.
    ///
    /// `first` were done when the file was opened.
    pub fn tell(&self, what: &str, first: usize, done: usize, all: usize) {
        let seconds = self.opened.elapsed().as_secs_f64();
        let left = seconds / (done - first) as f64 * (all - done) as f64;
        eprintln!("{done} of {all} {what}, {seconds:.0} s, {left:.0} s to go");
    }
}
