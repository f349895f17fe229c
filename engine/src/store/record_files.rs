//! Reading recorded games from a list of paths: files, and folders with everything in them.

use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal, Stdin};
use std::path::{Path, PathBuf};

use super::StoreError;
use crate::backgammon::record::{Location, RecordError, RecordErrorKind, RecordedGame, Records};

/// An iterator over the games of many record files, in an order that depends on the file names
/// alone; made by [`recorded_games`].
///
/// It keeps in memory only the names in the folders that lead to the open file. For a file or game
/// that cannot be opened, read or used it returns an error in its place and then goes on.
pub struct RecordFiles {
    /// The paths that are still to be read, the next one last.
    ahead: Vec<PathBuf>,
    open: Option<Records<BufReader<File>>>,
    whole: bool,
    warnings: Vec<RecordError>,
}

/// Reads the games under `paths`: the paths in the given order, the contents of a folder sorted by
/// name, subfolders included. Names that start with a dot and symbolic links to folders are
/// skipped.
///
/// With `whole`, a game that stops before a player has won is an error.
#[must_use]
pub fn recorded_games(paths: &[PathBuf], whole: bool) -> RecordFiles {
    RecordFiles {
        ahead: paths.iter().rev().cloned().collect(),
        open: None,
        whole,
        warnings: Vec::new(),
    }
}

/// The files under `path`: the path itself, or the contents of a folder sorted by name.
///
/// Subfolders are included. Names that start with a dot are left out, and so are symbolic links to
/// folders.
///
/// # Errors
/// [`RecordError`] if a folder cannot be read.
pub fn record_files(path: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let (mut ahead, mut files) = (vec![path.to_owned()], Vec::new());
    while let Some(path) = ahead.pop() {
        if path.is_dir() {
            ahead.extend(contents(&path).map_err(|error| RecordError {
                file: path.to_string_lossy().into(),
                place: Location::Line(1),
                reason: RecordErrorKind::Io(error),
            })?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

/// Records from standard input.
///
/// # Errors
/// [`StoreError`] if it is a terminal, or holds no records.
pub fn standard_input() -> Result<Records<BufReader<Stdin>>, StoreError> {
    let input = io::stdin();
    if input.is_terminal() {
        return Err(StoreError::Terminal);
    }
    Ok(Records::new(BufReader::new(input), "standard input")?)
}

/// The same paths, if all of them exist.
///
/// # Errors
/// [`StoreError::NoRecords`] for the first one that does not.
pub fn existing_records(paths: Vec<PathBuf>) -> Result<Vec<PathBuf>, StoreError> {
    match paths.iter().find(|path| !path.exists()) {
        Some(path) => Err(StoreError::NoRecords { path: path.clone() }),
        None => Ok(paths),
    }
}

impl RecordFiles {
    /// Takes the warnings since the last call: mistakes in the records.
    pub fn take_warnings(&mut self) -> Vec<RecordError> {
        std::mem::take(&mut self.warnings)
    }

    /// Opens a file, or adds the contents of a folder to the paths ahead.
    fn enter(&mut self, path: &Path) -> Result<(), RecordError> {
        let name = path.to_string_lossy();
        let failed = |error| RecordError {
            file: name.as_ref().into(),
            place: Location::Line(1),
            reason: RecordErrorKind::Io(error),
        };
        if path.is_dir() {
            self.ahead.extend(contents(path).map_err(failed)?);
        } else {
            let file = BufReader::new(File::open(path).map_err(failed)?);
            let records = Records::new(file, &name)?;
            self.open = Some(if self.whole { records.whole() } else { records });
        }
        Ok(())
    }
}

/// The paths in a folder, sorted by name in descending order.
fn contents(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        // Only links to folders can form a cycle.
        let folder_link = entry.file_type()?.is_symlink() && entry.path().is_dir();
        if !hidden && !folder_link {
            found.push(entry.path());
        }
    }
    found.sort_unstable_by(|a, b| b.as_os_str().cmp(a.as_os_str()));
    Ok(found)
}

impl Iterator for RecordFiles {
    type Item = Result<RecordedGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(records) = &mut self.open {
                let next = records.next();
                self.warnings.extend(records.take_warnings());
                if let Some(next) = next {
                    return Some(next);
                }
                self.open = None;
            }
            let path = self.ahead.pop()?;
            if let Err(error) = self.enter(&path) {
                return Some(Err(error));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str) -> String {
        format!(" 0 point match\n\n Game 1\n {name} : 0   bob : 0\n  1) 31: 8/5 6/5\n\n")
    }

    #[test]
    fn files_are_read_by_name_and_a_file_that_is_no_record_is_an_error_in_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("m/empty")).expect("made");
        for (name, text) in [
            ("z.mat", game("last")),
            ("a.mat", game("first") + &game("second")),
            ("m/b.mat", game("third")),
            ("m/c.txt", "a letter".to_owned()),
            (".hidden.mat", game("hidden")),
        ] {
            fs::write(path(name), text).expect("written");
        }
        let read = |paths: &[PathBuf]| -> Vec<String> {
            recorded_games(paths, false)
                .map(|next| match next {
                    Ok(game) => game.header().names[0].clone(),
                    Err(error) => error.to_string().rsplit('/').next().unwrap_or("").to_owned(),
                })
                .collect()
        };
        let letter = "c.txt:1: unknown record format: expected a match, a game or an SGF tree; formats that are read are .mat, .gam, .txt, .sgf, .sgg, .xg, .bgf, .norec, gnubg's text export and oldmoves of FIBS";
        let all = read(&[folder.path().to_owned()]);
        assert_eq!(all, ["first", "second", "third", letter, "last"]);
        assert_eq!(read(&[path("z.mat"), path("a.mat")]), ["last", "first", "second"]);
        assert!(read(&[path("nosuch")])[0].contains("nosuch:1: cannot read the record:"));
        assert!(recorded_games(&[path("a.mat")], true).all(|next| next.is_err()));
    }
}
