//! Connections of the server: accepting them, reading their lines within the deadlines, and writing
//! the answers.

use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{spawn_blocking, yield_now};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::Server;
use super::limits::Pass;
use super::plain_text::plain_text;
use super::state::{ConnectionId, ConnectionStage};
use super::to_client::to_client;
use crate::client::FAR;
use crate::codec::{Decoder, Line};

/// After this many lines of one client the others have their turn.
const LINES_A_TURN: u64 = 16;
/// The most bytes that are written at once.
const PIECE: usize = 4096;
/// How long the server waits after a connection could not be accepted, for instance because it has
/// no file handle left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(500);
/// How long a client may take to read [`PIECE`].
const STUCK: Duration = Duration::from_secs(60);
/// How long the last lines may take to reach a client that is disconnected.
const LINGER: Duration = Duration::from_secs(5);

/// Where connections come from.
trait Accept: Send {
    type Stream: AsyncRead + AsyncWrite + Send + 'static;

    fn accept(&mut self) -> impl Future<Output = io::Result<(Self::Stream, IpAddr)>> + Send;
}

impl Accept for &TcpListener {
    type Stream = TcpStream;

    async fn accept(&mut self) -> io::Result<(TcpStream, IpAddr)> {
        let (stream, address) = TcpListener::accept(self).await?;
        let _ = stream.set_nodelay(true);
        Ok((stream, address.ip()))
    }
}

/// A connection that the server forgets in the end, even by a panic.
struct Leaves(Server, ConnectionId);

impl Drop for Leaves {
    fn drop(&mut self) {
        let mut hub = self.0.hub();
        hub.senders.remove(&self.1);
        let now = (hub.clock)();
        hub.state.closed(self.1, now);
        hub.commit();
    }
}

impl Server {
    /// Accepts connections. Where that fails, for instance for want of file handles, it waits and
    /// goes on.
    ///
    /// # Errors
    /// If the state can no longer be written.
    pub async fn listen(&self, listener: &TcpListener) -> io::Result<()> {
        self.accept_from(listener).await
    }

    async fn accept_from(&self, mut source: impl Accept) -> io::Result<()> {
        let mut failing = false;
        loop {
            let accepted = source.accept().await;
            if let Some(why) = self.hub().failed.clone() {
                return Err(io::Error::other(why));
            }
            match accepted {
                Ok((stream, address)) => {
                    failing = false;
                    match self.gate.admit(Some(address)) {
                        Ok(pass) => drop(tokio::spawn(self.clone().serve_admitted(stream, pass))),
                        Err(why) => drop(tokio::spawn(refuse(stream, format!("** {why}")))),
                    }
                }
                Err(error) => {
                    if !std::mem::replace(&mut failing, true) {
                        self.note(format!("cannot accept connections, and tries again: {error}"));
                    }
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    /// Serves one connection until it ends. No limits of addresses concern it.
    pub async fn serve(self, stream: impl AsyncRead + AsyncWrite + Send + 'static) {
        if let Ok(pass) = self.gate.admit(None) {
            self.serve_admitted(stream, pass).await;
        }
    }

    async fn serve_admitted(
        self,
        stream: impl AsyncRead + AsyncWrite + Send + 'static,
        pass: Pass,
    ) {
        let (reader, mut writer) = split(stream);
        let (sender, mut outbox) = to_client();
        let id = {
            let mut hub = self.hub();
            let id = hub.next;
            hub.next += 1;
            hub.senders.insert(id, sender);
            let host = match pass.address() {
                Some(address) if !address.is_loopback() => address.to_string(),
                _ => "localhost".to_owned(),
            };
            let now = (hub.clock)();
            hub.state.connected(id, host, now);
            hub.commit();
            id
        };
        let _leaves = Leaves(self.clone(), id);
        let write = async {
            while let Some(packet) = outbox.next().await {
                for piece in packet.chunks(PIECE) {
                    let written = async {
                        writer.write_all(piece).await?;
                        writer.flush().await
                    };
                    if !matches!(timeout(STUCK, written).await, Ok(Ok(()))) {
                        return;
                    }
                    outbox.written(piece.len());
                }
            }
            let _ = timeout(LINGER, writer.shutdown()).await;
        };
        tokio::select! {
            biased;
            () = write => {}
            () = self.read(id, reader, &pass) => {}
        }
    }

    /// Reads lines until the client closes the connection or a deadline passes.
    async fn read(&self, id: ConnectionId, mut reader: impl AsyncRead + Unpin, pass: &Pass) {
        let (mut decoder, mut buffer, mut lines) =
            (Decoder::of_typed_lines(), vec![0; 4096], VecDeque::new());
        let opened = Instant::now();
        let (mut last, mut taken) = (opened, 0_u64);
        loop {
            let limits = self.gate.limits();
            let stage = self.hub().state.stage(id);
            let (since, limit) = match stage {
                None => break,
                Some(ConnectionStage::Login) => (opened, limits.login),
                Some(ConnectionStage::Guest) => (opened, limits.registration),
                Some(ConnectionStage::Online) => (last, limits.idle),
            };
            match timeout_at(since + limit.min(FAR), reader.read(&mut buffer)).await {
                Ok(Ok(n @ 1..)) => decoder.decode(&buffer[..n], |line| lines.push_back(line)),
                Ok(_) => return,
                Err(_) => {
                    let mut hub = self.hub();
                    let now = (hub.clock)();
                    hub.state.times_out(id, now);
                    hub.commit();
                    break;
                }
            }
            let replies = decoder.take_replies();
            if !replies.is_empty() {
                let mut hub = self.hub();
                hub.state.send_bytes(id, replies);
                hub.commit();
            }
            while let Some(line) = lines.pop_front() {
                last = Instant::now();
                match line {
                    Line::Text(text) => self.line(id, &plain_text(&text), pass).await,
                    Line::TooLong => self.line(id, "too-long-a-line", pass).await,
                    Line::LoginPrompt | Line::PasswordPrompt => {}
                }
                taken += 1;
                if taken.is_multiple_of(LINES_A_TURN) {
                    yield_now().await;
                }
            }
        }
        // The server ends the connection: the last lines are still being written.
        sleep(LINGER).await;
    }

    /// Handles one line. A password is checked outside the lock, one at a time, so that only other
    /// password checks wait for it.
    async fn line(&self, id: ConnectionId, text: &str, pass: &Pass) {
        let job = {
            let mut hub = self.hub();
            let now = (hub.clock)();
            hub.state.line(id, text, now);
            hub.commit();
            hub.state.take_job(id)
        };
        let Some(job) = job else { return };
        let login_name = job.login_name().map(str::to_owned);
        let mut delay = Duration::ZERO;
        if let Some(name) = &login_name {
            match pass.attempt(name) {
                Ok(wait) => delay = wait,
                Err(why) => {
                    if let (true, Some(address)) = (why.first, pass.address()) {
                        self.note(format!(
                            "refuses logins from {address}: too many wrong passwords"
                        ));
                    }
                    let mut hub = self.hub();
                    hub.state.refuse_login(id, &format!("** {why}"));
                    return hub.commit();
                }
            }
        }
        let answer = {
            let _turn = self.hashing.acquire().await;
            spawn_blocking(move || job.run()).await.unwrap_or_default()
        };
        match login_name {
            Some(name) if answer.correct => pass.was_correct(&name),
            _ => sleep(delay).await,
        }
        let mut hub = self.hub();
        let now = (hub.clock)();
        hub.state.password_answer(id, answer, now);
        hub.commit();
    }
}

/// Tells a client why it is not admitted.
async fn refuse(stream: impl AsyncRead + AsyncWrite + Send, why: String) {
    let said = async {
        let (_reader, mut writer) = split(stream);
        let _ = writer.write_all(format!("{why}\r\n").as_bytes()).await;
        let _ = writer.shutdown().await;
    };
    let _ = timeout(LINGER, said).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::to_client::BACKLOG;
    use crate::server::{Limits, Options};
    use tokio::io::{DuplexStream, duplex};

    fn server(limits: Limits) -> Server {
        let options = Options { state: None, sync: false, seed: 1, forgets: 0.0, clock: || 0 };
        Server::open_with(&options, limits).expect("no file")
    }

    async fn all_of(mut stream: DuplexStream) -> String {
        let mut text = Vec::new();
        stream.read_to_end(&mut text).await.expect("closed by the server");
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Results of `accept`, one after the other; then no connection comes any more.
    struct Script(VecDeque<io::Result<DuplexStream>>);

    impl Accept for Script {
        type Stream = DuplexStream;

        async fn accept(&mut self) -> io::Result<(DuplexStream, IpAddr)> {
            match self.0.pop_front() {
                Some(next) => Ok((next?, IpAddr::from([192, 0, 2, 1]))),
                None => std::future::pending().await,
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_without_file_handles_waits_and_goes_on() {
        let server = server(Limits::default());
        let began = Instant::now();
        let (near, far) = duplex(4096);
        // EMFILE of Linux: too many open files.
        let failures = (0..6).map(|_| Err(io::Error::from_raw_os_error(24)));
        let listening = server.accept_from(Script(failures.chain([Ok(far)]).collect()));
        tokio::select! {
            _ = listening => panic!("the server ended"),
            text = all_of(near) => assert!(text.contains("login: "), "{text}"),
        }
        assert!(began.elapsed() >= 6 * ACCEPT_PAUSE);
        let log = server.take_log();
        assert_eq!(log.len(), 1, "{log:?}");
        assert!(log[0].starts_with("cannot accept connections"), "{log:?}");
    }

    /// A client of the server's first connection, which has read the login prompt.
    async fn greeted(server: &Server) -> DuplexStream {
        let (mut near, far) = duplex(1 << 16);
        tokio::spawn(server.clone().serve(far));
        read_until(&mut near, "login: ").await;
        near
    }

    async fn read_until(stream: &mut DuplexStream, wanted: &str) -> usize {
        let (mut text, mut buffer) = (String::new(), [0; 4096]);
        while !text.ends_with(wanted) {
            let n = stream.read(&mut buffer).await.expect("in memory");
            assert!(n > 0, "closed after {} bytes", text.len());
            text += &String::from_utf8_lossy(&buffer[..n]);
        }
        text.len()
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_of_many_lines_reaches_a_client_that_reads() {
        let server = server(Limits::default());
        let mut client = greeted(&server).await;
        {
            let mut hub = server.hub();
            for n in 0..100_000 {
                hub.state.send_bytes(0, format!("line {n}\r\n").into_bytes());
            }
            hub.commit();
        }
        let bytes = read_until(&mut client, "line 99999\r\n").await;
        assert!(bytes > BACKLOG, "{bytes} bytes");
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_is_disconnected() {
        let server = server(Limits::default());
        let client = greeted(&server).await;
        for _ in 0..20 {
            let mut hub = server.hub();
            hub.state.send_bytes(0, vec![b'x'; BACKLOG / 8]);
            hub.commit();
        }
        let bytes = all_of(client).await.len();
        assert!((BACKLOG..2 * BACKLOG).contains(&bytes), "{bytes} bytes");
    }

    #[tokio::test(start_paused = true)]
    async fn the_longest_limit_is_no_limit() {
        let server = server(Limits { login: Duration::MAX, ..Limits::default() });
        let (near, far) = duplex(1 << 16);
        let day = Duration::from_secs(24 * 3600);
        assert!(timeout(day, server.serve(far)).await.is_err(), "the server ended");
        assert!(all_of(near).await.contains("login: "));
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_too_many_is_told_why_and_closed() {
        let server = server(Limits { connections_per_address: 1, ..Limits::default() });
        let ((one, far_one), (two, far_two)) = (duplex(4096), duplex(4096));
        let listening = server.accept_from(Script([Ok(far_one), Ok(far_two)].into()));
        tokio::select! {
            _ = listening => panic!("the server ended"),
            text = all_of(two) => {
                assert_eq!(text, "** Too many connections from your address (1). Please close one.\r\n");
            }
        }
        drop(one);
    }
}
