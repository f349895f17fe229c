//! The practice server of bgammon's protocol on a TCP port.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use bgammon::Lines;
use bgammon::server::{ClientId, Output, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::LocalSet;
use tokio::time::{Instant, interval, sleep, timeout};

use crate::{ListenError, ServerAddr};

/// How long a client may take to read one line.
const STUCK: Duration = Duration::from_secs(30);
/// How long the server waits after a connection could not be accepted, for instance because it has
/// no file handle left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// After so many failures in a row, a minute of them, the port is lost.
const ACCEPT_FAILURES: u32 = 600;

/// The server and the ways to its clients.
struct Shared {
    server: Server,
    to_clients: BTreeMap<ClientId, UnboundedSender<Output>>,
    began: Instant,
}

impl Shared {
    /// Passes on what the server has for its clients.
    fn deliver(&mut self) {
        for (id, output) in self.server.take() {
            let closes = output == Output::Close;
            if let Some(client) = self.to_clients.get(&id) {
                // A client that has gone gets nothing.
                let _ = client.send(output);
            }
            if closes {
                self.to_clients.remove(&id);
            }
        }
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }
}

/// A practice server that listens on a port.
pub struct BgammonServed {
    shared: Rc<RefCell<Shared>>,
    listener: TcpListener,
    /// The port that it listens on.
    pub port: u16,
}

/// Opens a practice server of bgammon's protocol, for tests and demonstrations. Port 0 means any
/// free port; `seed` is that of the dice.
///
/// # Errors
/// [`ListenError::Port`].
pub async fn serve_bgammon(address: &ServerAddr, seed: u64) -> Result<BgammonServed, ListenError> {
    let ServerAddr { host, port } = address;
    let failed = |cause| ListenError::Port { address: format!("{host}:{port}"), cause };
    let listener = TcpListener::bind((host.as_str(), *port)).await.map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let (server, to_clients, began) = (Server::new(seed), BTreeMap::new(), Instant::now());
    let shared = Rc::new(RefCell::new(Shared { server, to_clients, began }));
    Ok(BgammonServed { shared, listener, port })
}

impl BgammonServed {
    /// Creates an account.
    pub fn register(&self, name: &str, password: &str) {
        self.shared.borrow_mut().server.register(name, password);
    }

    /// Matches that were played to their end.
    #[must_use]
    pub fn matches_finished(&self) -> u32 {
        self.shared.borrow().server.matches_finished()
    }

    /// Serves until an error. Where a connection cannot be accepted, it waits and goes on.
    ///
    /// # Errors
    /// If no connection can be accepted for about a minute.
    pub async fn run(&self) -> io::Result<()> {
        let tasks = LocalSet::new();
        let serve = async {
            let mut tick = interval(Duration::from_secs(1));
            let mut failures = 0;
            loop {
                tokio::select! {
                    accepted = self.listener.accept() => match accepted {
                        Ok((stream, _)) => {
                            failures = 0;
                            tokio::task::spawn_local(attend(Rc::clone(&self.shared), stream));
                        }
                        Err(error) if failures >= ACCEPT_FAILURES => return Err(error),
                        Err(error) => {
                            if failures == 0 {
                                tracing::warn!(
                                    "cannot accept connections, and tries again: {error}"
                                );
                            }
                            failures += 1;
                            sleep(ACCEPT_PAUSE).await;
                        }
                    },
                    _ = tick.tick() => {
                        let shared = &mut *self.shared.borrow_mut();
                        let now = shared.now();
                        shared.server.tick(now);
                        shared.deliver();
                    }
                }
            }
        };
        tasks.run_until(serve).await
    }
}

/// Serves one client until the connection ends.
async fn attend(shared: Rc<RefCell<Shared>>, mut stream: TcpStream) {
    let (sender, mut outputs) = unbounded_channel();
    let id = {
        let shared = &mut *shared.borrow_mut();
        let now = shared.now();
        let id = shared.server.connect(now);
        shared.to_clients.insert(id, sender);
        shared.deliver();
        id
    };
    // A connection that fails is one that has ended.
    let _ = converse(&shared, id, &mut stream, &mut outputs).await;
    let shared = &mut *shared.borrow_mut();
    shared.to_clients.remove(&id);
    let now = shared.now();
    shared.server.disconnect(id, now);
    shared.deliver();
}

async fn converse(
    shared: &Rc<RefCell<Shared>>,
    id: ClientId,
    stream: &mut TcpStream,
    outputs: &mut UnboundedReceiver<Output>,
) -> io::Result<()> {
    let (mut lines, mut buffer) = (Lines::default(), [0; 4096]);
    let (mut reader, mut writer) = stream.split();
    loop {
        tokio::select! {
            read = reader.read(&mut buffer) => {
                let n = read?;
                if n == 0 {
                    return Ok(());
                }
                let shared = &mut *shared.borrow_mut();
                let now = shared.now();
                lines.decode(&buffer[..n], |line| shared.server.line(id, &line, now));
                shared.deliver();
            }
            output = outputs.recv() => match output {
                Some(Output::Line(line)) => {
                    let line = format!("{line}\n");
                    timeout(STUCK, writer.write_all(line.as_bytes())).await??;
                }
                Some(Output::Close) | None => return Ok(()),
            }
        }
    }
}
