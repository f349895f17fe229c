//! Training runs as processes of the same program: `nonet train` itself, so that a run has the same
//! folder and the same bytes.

use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::error::ApiError;

/// A run in progress.
pub(crate) struct RunProcess {
    trainer: Trainer,
    stopping: bool,
}

/// Who trains.
enum Trainer {
    Child(Child),
    /// Whoever took the errand says when it has ended, and whether it succeeded.
    Elsewhere(Option<bool>),
}

impl RunProcess {
    /// Starts `program train` with these options; its messages go to the file `log`.
    pub(crate) fn start(
        program: &Path,
        options: &[OsString],
        log: &Path,
    ) -> Result<RunProcess, ApiError> {
        let failed =
            |error: std::io::Error| ApiError::failed(format!("cannot start the run: {error}"));
        let log = File::create(log).map_err(failed)?;
        let mut command = Command::new(program);
        // Ctrl-C of a terminal goes to all of a group, and a second signal ends a run at once. So
        // the server alone gets it, and asks its runs to stop.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command
            .arg("train")
            .args(options)
            .stdin(Stdio::null())
            .stdout(log.try_clone().map_err(failed)?)
            .stderr(log)
            .spawn()
            .map_err(failed)?;
        Ok(RunProcess { trainer: Trainer::Child(child), stopping: false })
    }

    /// A run that is an errand.
    pub(crate) const fn elsewhere() -> RunProcess {
        RunProcess { trainer: Trainer::Elsewhere(None), stopping: false }
    }

    /// Whoever took the errand has ended it.
    pub(crate) fn end(&mut self, succeeded: bool) {
        self.trainer = Trainer::Elsewhere(Some(succeeded));
    }

    /// Whether it has ended, and then whether it succeeded.
    pub(crate) fn ended(&mut self) -> Option<bool> {
        let child = match &mut self.trainer {
            Trainer::Child(child) => child,
            Trainer::Elsewhere(ended) => return *ended,
        };
        match child.try_wait() {
            Ok(None) => None,
            Ok(Some(status)) => Some(status.success()),
            Err(_) => Some(false),
        }
    }

    /// Whether it was asked to end.
    pub(crate) const fn is_stopping(&self) -> bool {
        self.stopping
    }

    /// Asks it to end as Ctrl-C does: it saves a checkpoint, and can be resumed. Whether that is an
    /// errand.
    pub(crate) fn stop(&mut self) -> bool {
        let was_stopping = std::mem::replace(&mut self.stopping, true);
        let child = match &mut self.trainer {
            Trainer::Child(child) => child,
            Trainer::Elsewhere(_) => return true,
        };
        // A second signal would end it at once, without a checkpoint.
        if was_stopping {
            return false;
        }
        let id = child.id().to_string();
        // Where there is no kill, the run ends without a last checkpoint, and is resumed from the
        // one before.
        let asked = Command::new("sh").args(["-c", "kill -INT \"$1\"", "sh", &id]).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ = child.kill();
        }
        false
    }
}
