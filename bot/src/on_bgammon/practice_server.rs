//! The practice server of bgammon's protocol on a TCP port.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::rc::Rc;
use std::time::Duration;

use bgammon::Lines;
use bgammon::server::{Attempt, ClientId, LONGEST_LINE, Output, Server, refusal};
use fibs::server::{Gate, Limits, Pass};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::{LocalSet, spawn_local, yield_now};
use tokio::time::{Instant, interval, sleep, timeout};

use crate::{ListenError, ServerAddr};

/// A client with this many waiting bytes reads too slowly and is disconnected.
const BACKLOG: usize = 1 << 18;
/// How long a client may take to read one line.
const STUCK: Duration = Duration::from_secs(30);
/// How long the last lines may take to reach a client that is disconnected.
const LINGER: Duration = Duration::from_secs(5);
/// How long the server waits after a connection could not be accepted, for instance because it has
/// no file handle left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// After this many failures in a row, a minute of them, the port is lost.
const ACCEPT_FAILURES: u32 = 600;

/// Where connections come from.
trait Accept {
    type Stream: AsyncRead + AsyncWrite + 'static;

    async fn accept(&mut self) -> io::Result<(Self::Stream, IpAddr)>;
}

impl Accept for &TcpListener {
    type Stream = TcpStream;

    async fn accept(&mut self) -> io::Result<(TcpStream, IpAddr)> {
        let (stream, address) = TcpListener::accept(self).await?;
        Ok((stream, address.ip()))
    }
}

/// The way to a client. Once it is dropped, the client gets the lines that wait, and no more.
struct ToClient {
    lines: UnboundedSender<String>,
    /// Bytes of the lines that wait.
    waiting: Rc<Cell<usize>>,
    /// Its end tells that the server has closed the connection.
    _open: oneshot::Sender<()>,
}

impl ToClient {
    /// Lets a line wait for the client. Returns whether there was room.
    fn send(&self, line: String) -> bool {
        let waiting = self.waiting.get();
        if waiting >= BACKLOG {
            return false;
        }
        // Whatever its length, so that a long list of matches disconnects no client.
        self.waiting.set(waiting + line.len());
        self.lines.send(line).is_ok()
    }
}

/// The server and the ways to its clients.
struct Shared {
    server: Server,
    to_clients: BTreeMap<ClientId, ToClient>,
    began: Instant,
}

impl Shared {
    /// Passes on what the server has for its clients. Those that read too slowly are disconnected.
    fn deliver(&mut self) {
        let now = self.now();
        loop {
            let outputs = self.server.take();
            if outputs.is_empty() {
                return;
            }
            for (id, output) in outputs {
                // A client that has gone gets nothing.
                let Some(client) = self.to_clients.get(&id) else { continue };
                let stays = match output {
                    Output::Line(line) => client.send(line),
                    Output::Close => false,
                };
                if !stays {
                    self.to_clients.remove(&id);
                    // The opponent may have to be told.
                    self.server.disconnect(id, now);
                }
            }
        }
    }

    /// Takes a line of a client.
    fn line(&mut self, id: ClientId, line: &str) {
        let now = self.now();
        self.server.line(id, line, now);
        // Line by line, so that the answers to many short ones are limited, too.
        self.deliver();
    }

    /// Tells a client why, and closes its connection.
    fn refuse(&mut self, id: ClientId, why: &str) {
        let now = self.now();
        self.server.refuse(id, why, now);
        self.deliver();
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }
}

/// A server, and who may connect to it; clones share both.
#[derive(Clone)]
struct Hall {
    shared: Rc<RefCell<Shared>>,
    gate: Gate,
}

impl Hall {
    fn new(seed: u64, limits: Limits) -> Hall {
        let (server, to_clients, began) = (Server::new(seed), BTreeMap::new(), Instant::now());
        let shared = Rc::new(RefCell::new(Shared { server, to_clients, began }));
        Hall { shared, gate: Gate::new(limits) }
    }

    /// Serves until no connection can be accepted for about a minute.
    async fn serve(&self, mut source: impl Accept) -> io::Result<()> {
        let tasks = LocalSet::new();
        let serve = async {
            let mut tick = interval(Duration::from_secs(1));
            let mut failures = 0;
            loop {
                tokio::select! {
                    accepted = source.accept() => match accepted {
                        Ok((stream, address)) => {
                            failures = 0;
                            self.welcome(stream, address);
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

    /// Begins to serve a connection, or tells it why not.
    fn welcome(&self, stream: impl AsyncRead + AsyncWrite + 'static, address: IpAddr) {
        match self.gate.admit(Some(address)) {
            Ok(pass) => drop(spawn_local(attend(Rc::clone(&self.shared), stream, pass))),
            Err(why) => drop(spawn_local(refuse(stream, refusal(&why.to_string())))),
        }
    }
}

/// A practice server that listens on a port.
pub struct BgammonServed {
    hall: Hall,
    listener: TcpListener,
    /// The port that it listens on.
    pub port: u16,
}

/// Opens a practice server of bgammon's protocol, for tests and demonstrations. Port 0 means any
/// free port; `seed` is that of the dice.
///
/// Connections and wrong passwords are limited as by [`fibs::server::Limits`]: 900 connections at
/// most, and 100 from one address. Answers to wrong passwords take longer and longer, and after 10
/// of them none is checked for 10 minutes. A client must log in within 60 s, send a line every
/// 40 s, and read what it is sent.
///
/// # Errors
/// [`ListenError::Port`].
pub async fn serve_bgammon(address: &ServerAddr, seed: u64) -> Result<BgammonServed, ListenError> {
    let ServerAddr { host, port } = address;
    let failed = |cause| ListenError::Port { address: format!("{host}:{port}"), cause };
    let listener = TcpListener::bind((host.as_str(), *port)).await.map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    Ok(BgammonServed { hall: Hall::new(seed, Limits::default()), listener, port })
}

impl BgammonServed {
    /// Creates an account.
    pub fn register(&self, name: &str, password: &str) {
        self.hall.shared.borrow_mut().server.register(name, password);
    }

    /// Matches that were played to their end.
    #[must_use]
    pub fn matches_finished(&self) -> u32 {
        self.hall.shared.borrow().server.matches_finished()
    }

    /// Serves until an error. Where a connection cannot be accepted, it waits and goes on.
    ///
    /// # Errors
    /// If no connection can be accepted for about a minute.
    pub async fn run(&self) -> io::Result<()> {
        self.hall.serve(&self.listener).await
    }
}

/// Serves one client until the connection ends.
async fn attend(shared: Rc<RefCell<Shared>>, stream: impl AsyncRead + AsyncWrite, pass: Pass) {
    let (lines, mut queue) = unbounded_channel();
    let (open, ended) = oneshot::channel();
    let waiting = Rc::new(Cell::new(0));
    let id = {
        let shared = &mut *shared.borrow_mut();
        let now = shared.now();
        let id = shared.server.connect(now);
        let way = ToClient { lines, waiting: Rc::clone(&waiting), _open: open };
        shared.to_clients.insert(id, way);
        shared.deliver();
        id
    };
    let closed = async {
        let _ = ended.await;
        sleep(LINGER).await;
    };
    tokio::select! {
        biased;
        // Before the lines: a client may send them faster than they are read.
        () = closed => {}
        // A connection that fails is one that has ended.
        _ = converse(&shared, (id, &pass), stream, &mut queue, &waiting) => {}
    }
    let shared = &mut *shared.borrow_mut();
    shared.to_clients.remove(&id);
    let now = shared.now();
    shared.server.disconnect(id, now);
    shared.deliver();
}

async fn converse(
    shared: &RefCell<Shared>,
    client: (ClientId, &Pass),
    stream: impl AsyncRead + AsyncWrite,
    queue: &mut UnboundedReceiver<String>,
    waiting: &Cell<usize>,
) -> io::Result<()> {
    let (reader, writer) = split(stream);
    tokio::select! {
        ended = take_lines(shared, client, reader) => ended,
        ended = write_lines(writer, queue, waiting) => ended,
    }
}

async fn take_lines(
    shared: &RefCell<Shared>,
    client: (ClientId, &Pass),
    mut reader: impl AsyncRead + Unpin,
) -> io::Result<()> {
    let (mut lines, mut buffer) = (Lines::up_to(LONGEST_LINE), [0; 4096]);
    loop {
        let n = reader.read(&mut buffer).await?;
        if n == 0 {
            return Ok(());
        }
        let mut whole = Vec::new();
        lines.decode(&buffer[..n], |line| whole.push(line));
        for line in whole {
            take_line(shared, client, &line).await;
            // What the line brings is written before the next one is taken, to all who read.
            yield_now().await;
        }
    }
}

async fn write_lines(
    mut writer: impl AsyncWrite + Unpin,
    queue: &mut UnboundedReceiver<String>,
    waiting: &Cell<usize>,
) -> io::Result<()> {
    while let Some(line) = queue.recv().await {
        waiting.set(waiting.get() - line.len());
        timeout(STUCK, writer.write_all(format!("{line}\n").as_bytes())).await??;
    }
    Ok(())
}

/// Takes a line of a client. The answer to a wrong password waits, and after too many of them no
/// password is checked.
async fn take_line(shared: &RefCell<Shared>, (id, pass): (ClientId, &Pass), line: &str) {
    let attempt = shared.borrow().server.attempt(id, line);
    if let Some(Attempt { name, correct }) = attempt {
        match pass.attempt(&name) {
            Ok(_) if correct => pass.was_correct(&name),
            Ok(delay) => sleep(delay).await,
            Err(why) => {
                if let (true, Some(address)) = (why.first, pass.address()) {
                    tracing::warn!("refuses logins from {address}: too many wrong passwords");
                }
                return shared.borrow_mut().refuse(id, &why.to_string());
            }
        }
    }
    shared.borrow_mut().line(id, line);
}

/// Tells a client why it is not admitted.
async fn refuse(stream: impl AsyncRead + AsyncWrite, why: String) {
    let said = async {
        let (_reader, mut writer) = split(stream);
        let _ = writer.write_all(format!("{why}\n").as_bytes()).await;
        let _ = writer.shutdown().await;
    };
    let _ = timeout(LINGER, said).await;
}

#[cfg(test)]
mod tests {
    use bgammon::Message;
    use tokio::io::{DuplexStream, duplex};

    use super::*;

    type Arrival = (DuplexStream, IpAddr);

    impl Accept for UnboundedReceiver<Arrival> {
        type Stream = DuplexStream;

        async fn accept(&mut self) -> io::Result<Arrival> {
            match self.recv().await {
                Some(arrival) => Ok(arrival),
                None => std::future::pending().await,
            }
        }
    }

    /// The way into a server.
    struct Door {
        hall: Hall,
        arrivals: UnboundedSender<Arrival>,
    }

    impl Door {
        /// Connects from an address that ends in this number.
        fn connect(&self, number: u8) -> DuplexStream {
            let (near, far) = duplex(1 << 16);
            let address = IpAddr::from([192, 0, 2, number]);
            self.arrivals.send((far, address)).expect("the server is there");
            near
        }

        /// The bytes that wait for each client.
        fn waiting(&self) -> Vec<usize> {
            let shared = self.hall.shared.borrow();
            shared.to_clients.values().map(|client| client.waiting.get()).collect()
        }
    }

    /// Runs a server with these limits while a test uses it.
    async fn serving<F: Future<Output = ()>>(limits: Limits, test: impl FnOnce(Door) -> F) {
        let (arrivals, source) = unbounded_channel();
        let hall = Hall::new(1, limits);
        let door = Door { hall: hall.clone(), arrivals };
        tokio::select! {
            result = hall.serve(source) => panic!("the server ended: {result:?}"),
            () = test(door) => {}
        }
    }

    /// Reads until a text has come.
    async fn until(client: &mut (impl AsyncRead + Unpin), wanted: &str) -> String {
        let (mut text, mut buffer) = (String::new(), [0; 4096]);
        while !text.contains(wanted) {
            let n = client.read(&mut buffer).await.expect("a connection");
            assert!(n > 0, "closed after {text:?} without {wanted:?}");
            text += &String::from_utf8_lossy(&buffer[..n]);
        }
        text
    }

    /// The one line that a client gets before it is disconnected.
    async fn told(mut client: DuplexStream) -> Message {
        let mut text = String::new();
        client.read_to_string(&mut text).await.expect("closed by the server");
        Message::parse(text.trim_end())
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_too_many_is_told_why_until_another_one_ends() {
        let limits = Limits { connections: 2, connections_per_address: 1, ..Limits::default() };
        let refused = |why: &str| Message::Notice(format!("Connection terminated: {why}"));
        let crowded = "Too many connections from your address (1). Please close one.";
        let full = "The server is full (2 connections). Please try again later.";
        serving(limits, |door| async move {
            let (mut one, mut two) = (door.connect(1), door.connect(2));
            until(&mut one, "hello").await;
            until(&mut two, "hello").await;
            drop(two);
            sleep(Duration::from_secs(1)).await;
            assert_eq!(told(door.connect(1)).await, refused(crowded));
            let mut two = door.connect(2);
            until(&mut two, "hello").await;
            assert_eq!(told(door.connect(3)).await, refused(full));
        })
        .await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_says_nothing_or_does_not_log_in_is_disconnected() {
        // What it sends first, and then every second; when it is disconnected.
        let clients = [
            ("", "x", Some(40)),
            ("", "ls\n", Some(60)),
            ("lj test-1/en ann\n", "x", Some(40)),
            ("lj test-1/en ann\n", "pong\n", None),
        ];
        for (first, then, end) in clients {
            serving(Limits::default(), |door| async move {
                let began = Instant::now();
                let mut client = door.connect(1);
                client.write_all(first.as_bytes()).await.expect("a connection");
                let sending = async {
                    while client.write_all(then.as_bytes()).await.is_ok() {
                        sleep(Duration::from_secs(1)).await;
                    }
                };
                let ended = timeout(Duration::from_secs(3600), sending).await.is_ok();
                assert_eq!(ended, end.is_some(), "{first:?} {then:?}");
                if let Some(end) = end {
                    let seconds = began.elapsed().as_secs();
                    assert!((end..end + 3).contains(&seconds), "{first:?} {then:?}: {seconds}");
                }
            })
            .await;
        }
    }

    /// The answer to a login from an address, and the seconds until it came.
    async fn log_in(door: &Door, number: u8, password: &str) -> (String, u64) {
        let (began, mut client) = (Instant::now(), door.connect(number));
        let login = format!("lj test-1/en bot_ann {password}\n");
        client.write_all(login.as_bytes()).await.expect("sent");
        let text = until(&mut client, "\"Type\"").await;
        (text, began.elapsed().as_secs())
    }

    #[tokio::test(start_paused = true)]
    async fn answers_to_wrong_passwords_take_longer_until_no_password_is_checked() {
        let (wrong, locked) = ("No account was found", "try again in 10 minutes.");
        serving(Limits { wrong_passwords: 4, ..Limits::default() }, |door| async move {
            door.hall.shared.borrow_mut().server.register("bot_ann", "Zanzibar7");
            for (password, answer, delay) in [
                ("Zanzibar7", "BOT_ann", 0),
                ("guess_1", wrong, 0),
                ("guess_2", wrong, 1),
                ("Zanzibar7", "BOT_ann", 0),
                ("guess_3", wrong, 2),
                ("guess_4", wrong, 4),
                ("guess_5", locked, 0),
                ("Zanzibar7", locked, 0),
            ] {
                let (text, seconds) = log_in(&door, 1, password).await;
                assert!(text.contains(answer), "{password}: {text}");
                assert_eq!(seconds, delay, "{password}: {text}");
                // The server sees that the connection has ended.
                sleep(Duration::from_secs(1)).await;
            }
            assert!(log_in(&door, 2, "Zanzibar7").await.0.contains("BOT_ann"), "another address");
            sleep(Limits::default().refusal).await;
            assert!(log_in(&door, 1, "Zanzibar7").await.0.contains("BOT_ann"), "later");
        })
        .await;
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_for_the_answer_to_a_guess_keeps_nobody_waiting() {
        serving(Limits::default(), |door| async move {
            let mut guesser = door.connect(1);
            for _ in 0..5 {
                log_in(&door, 1, "guess").await;
            }
            let began = Instant::now();
            guesser.write_all(b"lj test-1/en bot_ann guess\nls\n").await.expect("sent");
            let mut ann = door.connect(1);
            ann.write_all(b"lj test-1/en ann\n").await.expect("sent");
            until(&mut ann, "Guest_ann").await;
            assert_eq!(began.elapsed().as_secs(), 0);
            until(&mut guesser, "No account was found").await;
            assert_eq!(began.elapsed().as_secs(), 16);
        })
        .await;
    }

    #[tokio::test(start_paused = true)]
    async fn lines_that_wait_for_a_client_who_does_not_read_are_limited() {
        serving(Limits::default(), |door| async move {
            let (mut eve, mut ann) = (door.connect(1), door.connect(2));
            eve.write_all(b"lj test-1/en eve\nc public 5 0 come\n").await.expect("sent");
            until(&mut eve, "Created match.").await;
            ann.write_all(b"lj test-1/en ann\nj Guest_eve\n").await.expect("sent");
            until(&mut eve, "Guest_ann").await;
            let said = format!("say {}\n", "x".repeat(4000));
            let mut most: usize = 0;
            for _ in 0..1000 {
                if door.waiting().len() < 2 {
                    break;
                }
                eve.write_all(said.as_bytes()).await.expect("sent");
                most = most.max(door.waiting().into_iter().sum());
            }
            assert_eq!(door.waiting().len(), 1, "the client who does not read is there");
            assert!(most < BACKLOG + 2 * said.len(), "{most} bytes wait");
            until(&mut eve, r#""Type":"left""#).await;
            // The connection does not wait for long until the last lines are read.
            sleep(LINGER + Duration::from_secs(1)).await;
            assert!(ann.write_all(b"pong\n").await.is_err());
            eve.write_all(b"ls\n").await.expect("sent");
            until(&mut eve, r#""Type":"list""#).await;
        })
        .await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_of_lines_disconnects_no_client_that_reads() {
        serving(Limits::default(), |door| async move {
            let (mut eve, mut ann) = (door.connect(1), door.connect(2));
            eve.write_all(b"lj test-1/en eve\nc public 5 0 come\n").await.expect("sent");
            until(&mut eve, "Created match.").await;
            ann.write_all(b"lj test-1/en ann\nj Guest_eve\n").await.expect("sent");
            until(&mut eve, "Guest_ann").await;
            // Lines to the other player, and then boards for the sender.
            let boards = "b\n".repeat(1000);
            let burst = format!("{}say end\n{boards}", "say x\n".repeat(7000));
            let (mut answers, mut eve) = split(eve);
            let sent = async {
                eve.write_all(burst.as_bytes()).await.expect("a connection");
                eve.write_all(b"end\n").await.expect("a connection");
            };
            let ((), heard, answered) = tokio::join!(
                sent,
                until(&mut ann, "\"end\""),
                until(&mut answers, "Unknown command."),
            );
            assert!(heard.len() > BACKLOG && answered.len() > BACKLOG);
        })
        .await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_line_that_is_too_long_is_no_command_and_the_next_one_is_read() {
        serving(Limits::default(), |door| async move {
            let mut client = door.connect(1);
            let long = "x".repeat(LONGEST_LINE);
            let lines = format!("lj test-1/en ann\nsay {long}\nsay x\n");
            client.write_all(lines.as_bytes()).await.expect("sent");
            let text = until(&mut client, "Message not sent").await;
            assert_eq!(text.matches("Unknown command.").count(), 1, "{text}");
        })
        .await;
    }
}
