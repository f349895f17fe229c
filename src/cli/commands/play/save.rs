//! The file of a match: written anew after every decision, never over another file.

use std::io::Write;
use std::path::{Path, PathBuf};

use nonet::person_match::PersonMatch;
use nonet::store::{AtomicFile, write_atomic};

use crate::cli::error::usage;
use crate::cli::output::shell_word::shell_word;

/// The file of a match.
pub(super) struct SavedMatch {
    path: PathBuf,
    /// What this program wrote last, or read.
    written: Option<Vec<u8>>,
    overwrite: bool,
}

impl SavedMatch {
    /// A new file. It is not written yet, but it could be.
    pub(super) fn new(path: PathBuf, overwrite: bool) -> anyhow::Result<SavedMatch> {
        if path.exists() && !path.is_dir() && !overwrite {
            return Err(usage(format!(
                "{} exists: choose another --save FILE.mat, go on with --resume {}, or replace it with --overwrite",
                path.display(),
                shell_word(&path)
            )));
        }
        let saved = SavedMatch { path, written: None, overwrite };
        let probe = AtomicFile::create(&saved.path).and_then(|mut file| {
            let written = file.write_all(b"; probe\n").and_then(|()| file.flush());
            written.map_err(|cause| nonet::store::StoreError::Io {
                doing: "write",
                path: saved.path.clone(),
                cause,
            })
        });
        probe.map_err(|error| {
            usage(format!("{error}; choose another place with --save FILE.mat"))
        })?;
        Ok(saved)
    }

    /// A file that a match goes on in.
    pub(super) const fn reopened(path: PathBuf, bytes: Vec<u8>) -> SavedMatch {
        SavedMatch { path, written: Some(bytes), overwrite: false }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) const fn exists(&self) -> bool {
        self.written.is_some()
    }

    /// Saves in another file from now on.
    pub(super) fn move_to(&mut self, path: PathBuf) {
        (self.path, self.written, self.overwrite) = (path, None, false);
    }

    /// Saves the match if something was decided since the last time.
    ///
    /// # Errors
    /// The reason as a sentence; the file is then as it was.
    pub(super) fn save(&mut self, game: &PersonMatch) -> Result<(), String> {
        let text = game.record();
        if self.written.as_ref() == Some(&text) {
            return Ok(());
        }
        match &self.written {
            // Another program has made it, or the person has typed the name of another file.
            None if self.path.exists() && !self.overwrite => {
                return Err(format!("{} exists and is not replaced", self.path.display()));
            }
            // A missing file is no loss: this one has everything.
            Some(known) if std::fs::read(&self.path).is_ok_and(|found| found != *known) => {
                return Err(format!(
                    "{} was changed by another program in the meantime",
                    self.path.display()
                ));
            }
            _ => {}
        }
        write_atomic(&self.path, &text).map_err(|error| error.to_string())?;
        self.written = Some(text);
        Ok(())
    }
}
