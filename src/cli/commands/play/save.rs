//! The file of a match: written anew after every decision, never over another file.

use std::io::Write;
use std::path::{Path, PathBuf};

use jiff::Zoned;
use nonet::person_match::PersonMatch;
use nonet::store::{
    AtomicFile, StoreError, numbered_path, write_atomic, write_new, write_numbered,
};

use super::Args;
use crate::cli::error::usage;
use crate::cli::output::shell_word::shell_word;

/// How names of files that this program chose end.
const ENDING: &str = "mat";

/// The file of a match.
pub(super) struct SavedMatch {
    path: PathBuf,
    /// How the file's name begins, if this program chose it.
    stem: Option<String>,
    /// What this program wrote last, or read.
    written: Option<Vec<u8>>,
    overwrite: bool,
}

impl SavedMatch {
    /// A new file: that of --save, or one that is called after the time. It is not written yet, but
    /// it could be.
    pub(super) fn new(args: &Args, now: &Zoned) -> anyhow::Result<SavedMatch> {
        let (path, stem) = match &args.save {
            Some(path) if path.exists() && !path.is_dir() && !args.overwrite => {
                return Err(usage(format!(
                    "{} exists: choose another --save FILE.mat, go on with --resume {}, or replace it with --overwrite",
                    path.display(),
                    shell_word(path)
                )));
            }
            Some(path) => (path.clone(), None),
            None => {
                let stem = now.strftime("nonet-%Y%m%d-%H%M%S").to_string();
                (numbered_path(Path::new(""), &stem, ENDING, 1), Some(stem))
            }
        };
        let saved = SavedMatch { path, stem, written: None, overwrite: args.overwrite };
        let probe = AtomicFile::create(&saved.path).and_then(|mut file| {
            let written = file.write_all(b"; probe\n").and_then(|()| file.flush());
            written.map_err(StoreError::io("write", &saved.path))
        });
        probe.map_err(|error| {
            usage(format!("{error}; choose another place with --save FILE.mat"))
        })?;
        Ok(saved)
    }

    /// A file that a match goes on in.
    pub(super) const fn reopened(path: PathBuf, bytes: Vec<u8>) -> SavedMatch {
        SavedMatch { path, stem: None, written: Some(bytes), overwrite: false }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) const fn exists(&self) -> bool {
        self.written.is_some()
    }

    /// Saves in another file from now on.
    pub(super) fn move_to(&mut self, path: PathBuf) {
        *self = SavedMatch { path, stem: None, written: None, overwrite: false };
    }

    /// Saves the match if something was decided since the last time. If another program has made a
    /// file of the name that this one chose, the path is another one from then on.
    ///
    /// # Errors
    /// The reason as a sentence; the file is then as it was.
    pub(super) fn save(&mut self, game: &PersonMatch) -> Result<(), String> {
        let text = game.record();
        match &self.written {
            Some(known) if *known == text => return Ok(()),
            // A missing file is no loss: this one has everything.
            Some(known) if std::fs::read(&self.path).is_ok_and(|found| found != *known) => {
                return Err(format!(
                    "{} was changed by another program in the meantime",
                    self.path.display()
                ));
            }
            None if !self.overwrite => self.make(&text)?,
            _ => write_atomic(&self.path, &text).map_err(|error| error.to_string())?,
        }
        self.written = Some(text);
        Ok(())
    }

    /// Writes the file for the first time. A file that is there stays as it is: another program has
    /// made it, or the person has typed its name.
    fn make(&mut self, text: &[u8]) -> Result<(), String> {
        let failed = |error: StoreError| error.to_string();
        match &self.stem {
            Some(stem) => {
                self.path = write_numbered(Path::new(""), stem, ENDING, text).map_err(failed)?;
            }
            None if write_new(&self.path, text).map_err(failed)? => {}
            None => return Err(format!("{} exists and is not replaced", self.path.display())),
        }
        Ok(())
    }
}
