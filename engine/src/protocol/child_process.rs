//! Engines as child processes: their last lines for error messages, their end, and a pool of them.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The last lines that a process printed, for error messages.
#[derive(Clone, Debug, Default)]
pub struct Output(Vec<String>);

impl std::fmt::Display for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() {
            Ok(())
        } else {
            write!(f, "; its last lines: {}", self.0.join(" / "))
        }
    }
}

/// How many lines are kept.
const LINES: usize = 5;

/// The last lines that a process printed so far.
#[derive(Clone, Debug, Default)]
pub(super) struct LastLines(Arc<Mutex<VecDeque<String>>>);

impl LastLines {
    pub(super) fn push(&self, line: &str) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LINES {
            lines.pop_front();
        }
        lines.push_back(line.to_owned());
    }

    fn output(&self) -> Output {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Output(lines.iter().cloned().collect())
    }
}

/// A process that is killed and reaped at the end. Threads read the outputs that the caller does
/// not take, so the process never blocks.
#[derive(Debug)]
pub(super) struct ChildProcess {
    pub(super) child: Child,
    pub(super) printed: LastLines,
    readers: Vec<JoinHandle<()>>,
    guard: Option<Guard>,
}

impl ChildProcess {
    /// Starts the command. On Unix it leads a process group of its own, which can be killed as a
    /// whole. Ctrl-C does not reach it: it must end when its input ends.
    pub(super) fn spawn_group(command: &mut Command) -> std::io::Result<Child> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        command.spawn()
    }

    pub(super) fn new(mut child: Child) -> ChildProcess {
        let printed = LastLines::default();
        let stdout = child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>);
        let stderr = child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>);
        let reader = |pipe| {
            let printed = printed.clone();
            std::thread::spawn(move || keep_last_lines(pipe, &printed))
        };
        let readers = [stdout, stderr].into_iter().flatten().map(reader).collect();
        ChildProcess { child, printed, readers, guard: None }
    }

    /// Has the process killed when this program is gone, even if this program is killed.
    ///
    /// It is for programs that do not end when their input does. Unix only, and where there is a
    /// shell.
    pub(super) fn dies_with_us(mut self) -> ChildProcess {
        self.guard = Guard::of(&self.child);
        self
    }

    /// Waits for a thread that reads an output of this process before the last lines are reported.
    pub(super) fn reads(&mut self, reader: JoinHandle<()>) {
        self.readers.push(reader);
    }

    /// Ends the process at once. Returns how it had ended by itself, if it had, and its last lines.
    pub(super) fn end(&mut self) -> (Option<ExitStatus>, Output) {
        // A process that has closed its output may need a moment to end.
        let status = self.wait(Duration::from_millis(100));
        if status.is_none() {
            self.kill();
        }
        // A child of the process may hold a pipe open, so the wait for the readers is limited.
        let deadline = Instant::now() + Duration::from_millis(200);
        while !self.readers.iter().all(JoinHandle::is_finished) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        (status, self.printed.output())
    }

    /// Kills the process, and on Unix the processes that it has started: an engine may be a script
    /// around another program.
    fn kill(&mut self) {
        // First, since the number of the process may then be given to another.
        self.guard = None;
        #[cfg(unix)]
        if let Ok(None) = self.child.try_wait() {
            let group = format!("-{}", self.child.id());
            let mut kill = Command::new("kill");
            kill.args(["-KILL", "--", &group]).stdin(Stdio::null());
            // Where there is no such command, the process alone is killed.
            let _ = kill.stdout(Stdio::null()).stderr(Stdio::null()).status();
        }
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits for the end of the process.
    pub(super) fn wait(&mut self, longest: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + longest;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                _ => return None,
            }
        }
    }
}

/// A shell that waits for the end of a pipe from this program, and then kills a process.
#[derive(Debug)]
struct Guard(Child);

impl Guard {
    /// `None` where no shell can be started. The process then survives this program if that is
    /// killed.
    fn of(child: &Child) -> Option<Guard> {
        if !cfg!(unix) {
            return None;
        }
        let script = format!("read line; kill -KILL {}", child.id());
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).stdin(Stdio::piped());
        shell.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok().map(Guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

fn keep_last_lines(pipe: Box<dyn Read + Send>, printed: &LastLines) {
    for line in BufReader::new(pipe).split(b'\n') {
        let Ok(line) = line else { break };
        printed.push(&String::from_utf8_lossy(&line));
    }
}

/// Processes that wait for a question: as many as threads ask at the same time.
#[derive(Debug)]
pub(super) struct ProcessPool<P>(Mutex<Vec<P>>);

impl<P> ProcessPool<P> {
    /// A pool with a first process.
    pub(super) fn new(first: P) -> ProcessPool<P> {
        ProcessPool(Mutex::new(vec![first]))
    }

    pub(super) fn take(&self) -> Option<P> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    pub(super) fn give_back(&self, process: P) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(process);
    }
}
