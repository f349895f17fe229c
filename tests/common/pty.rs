//! A program in a terminal of its own: what a person types and sees.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

/// The longest wait.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program and its terminal.
pub(crate) struct Pty {
    child: Child,
    keyboard: File,
    output: Receiver<Vec<u8>>,
    /// The output that was shown and not yet heard.
    pub(crate) shown: String,
}

impl Pty {
    /// Starts a program in a terminal with `columns` columns.
    pub(crate) fn open(columns: u16, command: &mut Command) -> Pty {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let master = openpt(flags).expect("a terminal");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("a terminal");
        let name = ptsname(&master, Vec::new()).expect("a name").into_string().expect("UTF-8");
        let no_control = i32::try_from(OpenptFlags::NOCTTY.bits()).expect("a flag");
        let slave = OpenOptions::new().read(true).write(true).custom_flags(no_control).open(name);
        let slave = slave.expect("the other side");
        let size = Winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&slave, size).expect("a size");
        let end = || slave.try_clone().expect("the other side");
        command.env("TERM", "xterm").stdin(end()).stdout(end()).stderr(end());
        let child = command.spawn().expect("our program");
        // The command must not keep the other side open.
        command.stdin(std::process::Stdio::null());
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let keyboard = File::from(master);
        let mut screen = keyboard.try_clone().expect("a terminal");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The end is an error, once no process has the other side open.
            while let Ok(read @ 1..) = screen.read(&mut buffer) {
                if sender.send(buffer[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Pty { child, keyboard, output, shown: String::new() }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("keys");
    }

    /// Waits for a text, and forgets what came before its end.
    pub(crate) fn hear(&mut self, text: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.shown.contains(text) {
            let left = until.saturating_duration_since(Instant::now());
            let bytes = self.output.recv_timeout(left);
            let bytes = bytes.unwrap_or_else(|_| panic!("no '{text}' in: {}", self.shown));
            self.shown += &String::from_utf8_lossy(&bytes);
        }
        let at = self.shown.find(text).expect("found") + text.len();
        self.shown.drain(..at);
    }

    /// Sends a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let done = Command::new("kill").args([&format!("-{name}"), &id]).status().expect("kill");
        assert!(done.success());
    }

    /// Whether the terminal shows what is typed, as it does for a shell.
    pub(crate) fn echoes(&self) -> bool {
        tcgetattr(&self.keyboard).expect("a mode").local_modes.contains(LocalModes::ECHO)
    }

    /// Waits for the end; the exit code.
    pub(crate) fn end(&mut self) -> Option<i32> {
        let until = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            assert!(Instant::now() < until, "the program does not end: {}", self.shown);
            std::thread::sleep(Duration::from_millis(10));
        };
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(200)) {
            self.shown += &String::from_utf8_lossy(&bytes);
        }
        status.code()
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
