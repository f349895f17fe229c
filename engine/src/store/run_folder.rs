//! The folder of one training run: its configuration, checkpoint, nets and reports, locked while a
//! program uses it.

use std::fs::TryLockError;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::atomic::is_unfinished;
use super::files::{self, Lock};
use super::run_file::{AVERAGE, BEST, CHECKPOINT, CONFIG, LAST, LOCK};
use super::{Checkpoint, StoreError, read_checkpoint, write_atomic, write_checkpoint};

/// A folder that holds one run. A lock ensures that only one program uses it.
///
/// [`run_file`](super::run_file) names its files.
///
/// ```
/// use nonet_engine::store::RunFolder;
///
/// let parent = tempfile::tempdir()?;
/// let run = RunFolder::create(&parent.path().join("run"), "games = 1000\n")?;
/// assert_eq!(run.read("config.toml").as_deref(), Some("games = 1000\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// Locked until this value is dropped.
    _lock: Lock,
}

impl RunFolder {
    /// Starts a run in a new or empty folder and writes its configuration there.
    ///
    /// # Errors
    /// [`StoreError::HoldsARun`], [`StoreError::NotEmpty`], [`StoreError::Locked`] or
    /// [`StoreError::Io`].
    pub fn create(path: &Path, config: &str) -> Result<RunFolder, StoreError> {
        if files::exists(&path.join(CONFIG)) || files::exists(&path.join(CHECKPOINT)) {
            return Err(StoreError::HoldsARun { path: path.to_owned() });
        }
        files::make_folders(path).map_err(StoreError::io("make the folder", path))?;
        for entry in files::entries(path).map_err(StoreError::io("read the folder", path))? {
            let name = entry.file_name().unwrap_or_default();
            if name != LOCK {
                let example = name.to_string_lossy().into_owned();
                return Err(StoreError::NotEmpty { path: path.to_owned(), example });
            }
        }
        let folder = RunFolder { path: path.to_owned(), _lock: lock(path)? };
        folder.write(CONFIG, config.as_bytes())?;
        Ok(folder)
    }

    /// Opens the folder of a run to resume it. Returns the folder, the configuration, and the
    /// checkpoint if there is one.
    ///
    /// # Errors
    /// [`StoreError`] if the folder holds no run, another program uses it, or its files are
    /// damaged.
    #[allow(clippy::type_complexity, reason = "a tuple of the three parts of a folder")]
    pub fn open<P: DeserializeOwned, L: DeserializeOwned>(
        path: &Path,
    ) -> Result<(RunFolder, String, Option<Checkpoint<P, L>>), StoreError> {
        let config = path.join(CONFIG);
        if !files::exists(&config) {
            return Err(StoreError::NoRun { path: path.to_owned(), missing: CONFIG });
        }
        let folder = RunFolder { path: path.to_owned(), _lock: lock(path)? };
        folder.remove_unfinished();
        let config = files::read_to_string(&config).map_err(StoreError::io("read", &config))?;
        let checkpoint = path.join(CHECKPOINT);
        let checkpoint =
            files::exists(&checkpoint).then(|| read_checkpoint(&checkpoint)).transpose()?;
        Ok((folder, config, checkpoint))
    }

    /// Writes the state of the run: its teams, the given `files` (name and content), and last the
    /// checkpoint.
    ///
    /// So the other files are never older than the checkpoint.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn save<P: Serialize, L: Serialize>(
        &self,
        checkpoint: &Checkpoint<P, L>,
        files: &[(&str, String)],
    ) -> Result<(), StoreError> {
        let Checkpoint { team, ema, best, .. } = checkpoint;
        let teams = [(LAST, Some(team)), (AVERAGE, ema.as_ref()), (BEST, best.as_ref())];
        for (name, team) in teams {
            if let Some(team) = team {
                self.write(name, &team.to_bytes())?;
            }
        }
        for (name, text) in files {
            self.write(name, text.as_bytes())?;
        }
        self.write_checkpoint(checkpoint)
    }

    /// Replaces the configuration, to make the run longer.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn write_config(&self, config: &str) -> Result<(), StoreError> {
        self.write(CONFIG, config.as_bytes())
    }

    /// The text of a file of the folder; `None` if there is none that can be read.
    #[must_use]
    pub fn read(&self, name: &str) -> Option<String> {
        files::read_to_string(&self.path.join(name)).ok()
    }

    /// Writes the checkpoint.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn write_checkpoint<P: Serialize, L: Serialize>(
        &self,
        checkpoint: &Checkpoint<P, L>,
    ) -> Result<(), StoreError> {
        write_checkpoint(&self.path.join(CHECKPOINT), checkpoint)
    }

    /// Writes a file of the folder atomically.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        write_atomic(&self.path.join(name), bytes)
    }

    /// Removes temporary files that a killed program left; the lock is held, so no other program is
    /// writing. A file that cannot be removed does no harm.
    fn remove_unfinished(&self) {
        for path in files::entries(&self.path).into_iter().flatten() {
            if is_unfinished(&path.file_name().unwrap_or_default().to_string_lossy()) {
                let _ = files::remove_file(&path);
            }
        }
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// How often a lock is tried, and the time between two tries. Whoever looks whether a program works
/// on the run ([`files::is_locked`]) has the lock for an instant.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);

fn lock(path: &Path) -> Result<Lock, StoreError> {
    let name = path.join(LOCK);
    let mut tries = 1;
    loop {
        match files::lock(&name) {
            Ok(lock) => return Ok(lock),
            Err(TryLockError::WouldBlock) if tries < TRIES => {
                tries += 1;
                std::thread::sleep(PAUSE);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Locked { path: path.to_owned() });
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", &name)(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_with_other_files_is_refused_and_not_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("thesis.tex"), "years of work").expect("written");
        let error = RunFolder::create(folder.path(), "").expect_err("refused").to_string();
        assert!(error.contains("holds other files (thesis.tex)"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_folder_holds_one_run_and_is_used_by_one_program() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        assert!(matches!(RunFolder::open::<u64, u64>(&path), Err(StoreError::NoRun { .. })));
        let run = RunFolder::create(&path, "seed = 1").expect("new");
        assert!(matches!(RunFolder::create(&path, ""), Err(StoreError::HoldsARun { .. })));
        assert!(matches!(RunFolder::open::<u64, u64>(&path), Err(StoreError::Locked { .. })));
        drop(run);
        let (_, config, checkpoint) = RunFolder::open::<u64, u64>(&path).expect("free again");
        assert_eq!((config.as_str(), checkpoint), ("seed = 1", None));
    }

    #[test]
    fn a_start_waits_for_a_look_at_the_lock_and_not_for_a_program_at_work() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        drop(RunFolder::create(&path, "").expect("new"));
        let name = path.join(LOCK);
        let look = fs::File::open(&name).expect("there");
        look.lock_shared().expect("free");
        assert!(!files::is_locked(&name), "a look sees no other");
        let looks = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            drop(look);
        });
        let run = RunFolder::open::<u64, u64>(&path).expect("free after the look");
        looks.join().expect("no panic");
        assert!(files::is_locked(&name));
        assert!(matches!(RunFolder::open::<u64, u64>(&path), Err(StoreError::Locked { .. })));
        drop(run);
        assert!(!files::is_locked(&name));
    }
}
