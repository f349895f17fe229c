//! A two-sided bearoff database in GNU Backgammon's format, read position by position.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::StoreError;
use crate::bearoff::StoredTwoSided;
use crate::bearoff::gnubg::{ENTRY, HEADER, equities, two_sided_checkers, two_sided_len};
use crate::eval::{Cubeful, ExternalFailure};

/// A file that `nonet bearoff --gnubg two-sided` or gnubg's `makebearoff` wrote.
///
/// Opening the file reads its first 40 bytes. An equity is read when it is asked for. The operating
/// system keeps in memory what is read often. The format has no checksum.
#[derive(Debug)]
pub struct GnubgTwoSided {
    path: PathBuf,
    file: File,
    checkers: u8,
}

impl GnubgTwoSided {
    /// Opens a file.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read, is no such database on six points, or has another
    /// length than its header says.
    pub fn open(path: &Path) -> Result<GnubgTwoSided, StoreError> {
        let mut file = File::open(path).map_err(StoreError::io("open", path))?;
        let bytes = file.metadata().map_err(StoreError::io("read", path))?.len();
        let mut begin = [0; HEADER];
        let read = file.read_exact(&mut begin);
        let checkers = match read {
            Ok(()) => two_sided_checkers(&begin),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
            Err(error) => return Err(StoreError::io("read", path)(error)),
        };
        let path = path.to_owned();
        let Some(checkers) = checkers else { return Err(StoreError::NoTwoSided { path }) };
        let expected = two_sided_len(checkers);
        if bytes != expected {
            return Err(StoreError::OtherLength { path, bytes, expected });
        }
        Ok(GnubgTwoSided { path, file, checkers })
    }

    fn failed(&self, error: &io::Error) -> ExternalFailure {
        ExternalFailure { engine: self.path.display().to_string(), reason: error.to_string() }
    }
}

impl StoredTwoSided for GnubgTwoSided {
    fn checkers(&self) -> u8 {
        self.checkers
    }

    fn equities(&self, place: usize) -> Result<Cubeful, ExternalFailure> {
        let mut entry = [0; ENTRY];
        read_at(&self.file, &mut entry, (HEADER + place * ENTRY) as u64)
            .map_err(|error| self.failed(&error))?;
        Ok(equities(entry))
    }

    fn checksum(&self) -> Result<u32, ExternalFailure> {
        let mut sum = crc32fast::Hasher::new();
        let mut part = vec![0; 1 << 20];
        let (mut at, end) = (0, two_sided_len(self.checkers));
        while at < end {
            let part = &mut part[..(end - at).min(1 << 20) as usize];
            read_at(&self.file, part, at).map_err(|error| self.failed(&error))?;
            sum.update(part);
            at += part.len() as u64;
        }
        Ok(sum.finalize())
    }
}

/// Fills `buffer` from a place in the file, without moving a position that threads would share.
#[cfg(unix)]
pub(super) fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(windows)]
pub(super) fn read_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                buffer = &mut buffer[read..];
                at += read as u64;
            }
        }
    }
    Ok(())
}

/// Where files are in memory, databases of several hundred megabytes have no place.
#[cfg(not(any(unix, windows)))]
pub(super) fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::backgammon::Position;
    use crate::bearoff::{BearoffDatabases, OneSided, SMALL, TwoSided, gnubg};

    /// A file for this number of checkers a side.
    fn file(folder: &tempfile::TempDir, checkers: u8) -> PathBuf {
        let path = folder.path().join("gnubg_ts.bd");
        std::fs::write(&path, gnubg::two_sided(checkers)).expect("written");
        path
    }

    #[test]
    fn positions_beyond_those_in_memory_are_looked_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let stored = Arc::new(GnubgTwoSided::open(&file(&folder, 4)).expect("a database"));
        let databases = BearoffDatabases::clone(&SMALL).with_stored(stored);
        let exact = TwoSided::<f32>::generate(4);
        let exact = BearoffDatabases::new(OneSided::generate(), exact);
        for (own, theirs) in
            [(&[(6, 4)][..], &[(5, 4)][..]), (&[(3, 2), (1, 2)], &[(6, 1)]), (&[(2, 3)], &[(4, 4)])]
        {
            let position = Position::from_sides(own, theirs).expect("legal");
            let found = databases.cubeful(&position).expect("in the file");
            let truth = exact.cubeful(&position).expect("in the database");
            for (found, truth) in [
                (found.cubeless, truth.cubeless),
                (found.owned, truth.owned),
                (found.centred, truth.centred),
                (found.opponent, truth.opponent),
            ] {
                assert!((found - truth).abs() < 5e-4, "{position:?}: {found} for {truth}");
            }
            let equity = databases.evaluation(&position).expect("at home").equity();
            assert!((equity - truth.cubeless).abs() < 5e-4);
        }
        let more = Position::from_sides(&[(1, 5)], &[(1, 4)]).expect("legal");
        assert_eq!(databases.cubeful(&more), None);
        assert_eq!(databases.evaluation(&more), SMALL.evaluation(&more));
        assert_eq!(databases.failure(), None);
        assert_ne!(databases.checksum(), SMALL.checksum());
    }

    #[test]
    fn a_file_that_shrinks_while_it_is_used_is_a_failure_and_no_panic() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = file(&folder, 4);
        let stored = Arc::new(GnubgTwoSided::open(&path).expect("a database"));
        let databases = BearoffDatabases::clone(&SMALL).with_stored(stored);
        std::fs::write(&path, b"").expect("written");
        let position = Position::from_sides(&[(6, 4)], &[(5, 4)]).expect("legal");
        assert_eq!(databases.evaluation(&position), SMALL.evaluation(&position));
        let failure = databases.failure().expect("the file is empty").to_string();
        assert!(failure.contains("gnubg_ts.bd failed: "), "{failure}");
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("other.bd");
        let refused = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            GnubgTwoSided::open(&path).expect_err("refused").to_string()
        };
        let none = "is no two-sided bearoff database of GNU Backgammon";
        assert!(refused(b"").contains(none));
        assert!(refused(&gnubg::one_sided()).contains(none));
        let mut bytes = gnubg::two_sided(2);
        bytes.pop();
        let message = refused(&bytes);
        assert!(message.contains("has 6311 bytes, expected 6312"), "{message}");
    }
}
