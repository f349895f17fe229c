//! A NATS server of a test, and processes of the program.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::common;

/// The server program, if it is installed.
pub(super) fn program() -> Option<PathBuf> {
    let places = ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"];
    let found = places.iter().map(PathBuf::from).find(|path| path.is_file());
    if found.is_none() {
        assert!(std::env::var_os("NONET_WANT_NATS").is_none(), "nats-server is not installed");
        let _ = writeln!(
            std::io::stderr(),
            "*** nats-server is not installed: nothing is tested over NATS ***"
        );
    }
    found
}

/// A process that ends with the test.
pub(super) struct Process(pub(super) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    pub(super) fn kill_9(&mut self) {
        self.0.kill().expect("killed");
        self.0.wait().expect("ended");
    }

    pub(super) fn terminate(&self) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
    }
}

/// A server on a port of its own.
pub(super) struct Server {
    program: PathBuf,
    pub(super) port: u16,
    pub(super) folder: TempDir,
    process: Process,
}

impl Server {
    /// `None` where the server is not installed. `limit`: how much it may store, such as `1MB`.
    pub(super) fn start(limit: Option<&str>) -> Option<Server> {
        let limit = limit.map_or_else(String::new, |limit| format!("max_file_store: {limit}"));
        Server::with(TempDir::new().expect("a folder"), &limit, "")
    }

    /// With settings of its store and of itself; files that these name lie in `folder`.
    pub(super) fn with(folder: TempDir, store: &str, settings: &str) -> Option<Server> {
        let program = program()?;
        let port =
            TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound").port();
        let config = format!(
            "listen: 127.0.0.1:{port}\njetstream {{ store_dir: {:?}\n{store} }}\n{settings}\n",
            folder.path().join("store").display().to_string()
        );
        fs::write(folder.path().join("server.conf"), config).expect("written");
        let process = launch(&program, folder.path(), port);
        Some(Server { program, port, folder, process })
    }

    pub(super) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(super) fn kill_9_and_start_again(&mut self) {
        self.process.kill_9();
        std::thread::sleep(Duration::from_millis(700));
        self.process = launch(&self.program, self.folder.path(), self.port);
    }

    pub(super) fn worker(&self, name: &str) -> Process {
        self.worker_as(name, &[])
    }

    /// A worker with these variables.
    pub(super) fn worker_as(&self, name: &str, variables: &[(&str, &str)]) -> Process {
        let worker =
            common::nonet(&["worker", "--nats", &self.url(), "--threads", "1", "--name", name])
                .envs(variables.iter().copied())
                .stderr(Stdio::null())
                .spawn();
        Process(worker.expect("a worker"))
    }
}

pub(super) fn launch(program: &Path, folder: &Path, port: u16) -> Process {
    let child = Command::new(program)
        .arg("-c")
        .arg(folder.join("server.conf"))
        .stderr(Stdio::null())
        .spawn()
        .expect("a server");
    let until = Instant::now() + Duration::from_secs(20);
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < until, "the server does not listen");
        std::thread::sleep(Duration::from_millis(30));
    }
    Process(child)
}

pub(super) fn nonet(words: &[&str], more: &[&str]) -> Output {
    common::end_of(spawn(words, more))
}

pub(super) fn spawn(words: &[&str], more: &[&str]) -> Child {
    common::nonet(words)
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("nonet")
}

/// What a command prints, if it succeeds.
pub(super) fn text(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(super) fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
