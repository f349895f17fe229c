//! The server's journal: every change is written before the server confirms it, so that a crash
//! loses nothing.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::game::MatchAction;
use super::state::ServerAccount;

/// One change of the server's state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum JournalEntry {
    /// The current state of an account.
    Account(String, ServerAccount),
    /// A match started; it replaces a saved match of the two players.
    Begin { players: [String; 2], length: Option<u32>, crawford: bool },
    /// The moves of the last match that two players have finished.
    Finished { players: [String; 2], log: Vec<String> },
    /// An action in the match of the two players.
    #[serde(rename = "Act")]
    Action { players: [String; 2], action: MatchAction },
}

/// An append-only file of lines, each with a checksum.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    /// Whether to flush to disk after each write, in case of a power failure; a killed process
    /// loses nothing either way.
    sync: bool,
}

impl Journal {
    /// Opens the file and reads its entries; an incomplete last line, left by a crash, is removed.
    ///
    /// # Errors
    /// If the file cannot be read, is in use, or is damaged before its last line.
    pub(super) fn open(path: &Path, sync: bool) -> io::Result<(Journal, Vec<JournalEntry>)> {
        let mut file =
            private(OpenOptions::new().read(true).append(true).create(true)).open(path)?;
        file.try_lock()
            .map_err(|_| io::Error::new(io::ErrorKind::WouldBlock, "another server is using it"))?;
        restrict(&file)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let (mut entries, mut good) = (Vec::new(), 0);
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let Some(found) = read_line(line) else { break };
            entries.extend(found);
            good += line.len();
        }
        let rest = &text[good..];
        if rest.iter().filter(|&&byte| byte == b'\n').count() > 1 {
            let what = format!("{} is damaged at byte {good}", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        file.set_len(good as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Journal { file, path: path.to_owned(), sync }, entries))
    }

    /// Appends entries as one line, so that after a crash all of them are there or none.
    pub(super) fn append(&mut self, entries: &[JournalEntry]) -> io::Result<()> {
        self.file.write_all(&line_of(entries)?)?;
        if self.sync { self.file.sync_data() } else { Ok(()) }
    }

    /// Replaces the contents of the file by `entries`.
    pub(super) fn rewrite(&mut self, entries: &[JournalEntry]) -> io::Result<()> {
        let new = self.path.with_extension("writing");
        let mut file =
            private(OpenOptions::new().write(true).create(true).truncate(true)).open(&new)?;
        restrict(&file)?;
        for entry in entries {
            file.write_all(&line_of(std::slice::from_ref(entry))?)?;
        }
        file.sync_all()?;
        fs::rename(&new, &self.path)?;
        let sync = self.sync;
        drop(file);
        // The lock belongs to the old file: lock the new one.
        let (journal, _) = Journal::open(&self.path, sync)?;
        *self = journal;
        Ok(())
    }
}

/// A file that is created with these options can be read by its owner alone: it contains password
/// hashes and addresses.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// The same for a file that is there already.
fn restrict(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

fn line_of(entries: &[JournalEntry]) -> io::Result<Vec<u8>> {
    let json = serde_json::to_string(entries)?;
    Ok(format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes())).into_bytes())
}

fn read_line(line: &[u8]) -> Option<Vec<JournalEntry>> {
    let line = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (sum, json) = line.split_once(' ')?;
    let whole = u32::from_str_radix(sum, 16).ok()? == crc32fast::hash(json.as_bytes());
    whole.then(|| serde_json::from_str(json).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_cut_at_any_byte_gives_whole_entries() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state");
        let act = |n: u8| JournalEntry::Action {
            players: ["ann".into(), "bob".into()],
            action: MatchAction::Roll([n, 1]),
        };
        let (mut journal, old) = Journal::open(&path, false).expect("new");
        assert!(old.is_empty());
        (1..=5).for_each(|n| journal.append(&[act(n), act(n)]).expect("written"));
        drop(journal);
        let whole = fs::read(&path).expect("there");
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).expect("written");
            let (mut journal, entries) = Journal::open(&path, false).expect("a cut journal");
            assert_eq!(entries.len(), 2 * whole[..cut].iter().filter(|&&b| b == b'\n').count());
            journal.append(&[act(6)]).expect("goes on");
            drop(journal);
            let (_, after) = Journal::open(&path, false).expect("whole");
            assert_eq!(after.len(), entries.len() + 1);
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_the_file_even_if_everybody_could_before() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        fs::write(&old, "").expect("written");
        fs::set_permissions(&old, fs::Permissions::from_mode(0o644)).expect("set");
        for path in [&old, &new] {
            let (mut journal, _) = Journal::open(path, false).expect("a journal");
            let mode = || fs::metadata(path).expect("there").permissions().mode() & 0o777;
            assert_eq!(mode(), 0o600);
            journal.rewrite(&[]).expect("written");
            assert_eq!(mode(), 0o600);
        }
    }
}
