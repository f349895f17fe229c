//! A client on tokio: it drives a session over a connection and reconnects when the connection
//! breaks.

use std::collections::VecDeque;
use std::future::{Future, ready};
use std::io;
use std::time::Duration;

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

use crate::agent::Agent;
use crate::codec::{Decoder, Line};
use crate::message::Parser;
use crate::session::{Close, Config, Session, Step};

/// How connections are made.
pub trait Connect {
    /// The type of a connection.
    type Stream: AsyncRead + AsyncWrite + Unpin;

    /// Makes a connection.
    ///
    /// # Errors
    /// The error of the connection attempt.
    fn connect(&mut self) -> impl Future<Output = io::Result<Self::Stream>>;

    /// Host and port of the server, for logs; `None` if the connections have none.
    fn server(&self) -> Option<String> {
        None
    }
}

/// Connections over TCP.
///
/// ```
/// use fibs::client::{Connect, Tcp};
///
/// let tcp = Tcp { host: "127.0.0.1".to_owned(), port: 4321 };
/// assert_eq!(tcp.server().as_deref(), Some("127.0.0.1:4321"));
/// ```
#[derive(Clone, Debug)]
pub struct Tcp {
    /// Host name or address.
    pub host: String,
    /// Port; 4321 on the public server.
    pub port: u16,
}

impl Connect for Tcp {
    type Stream = TcpStream;

    async fn connect(&mut self) -> io::Result<TcpStream> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    fn server(&self) -> Option<String> {
        Some(format!("{}:{}", self.host, self.port))
    }
}

/// How a client ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The agent or the caller asked for it.
    Quit,
    /// The server does not know the name, or the password is wrong; it is not tried again.
    Refused,
    /// The first connection could not be made, for this reason, and [`Config::wait_for_server`] is
    /// not set.
    Unreachable(String),
    /// Another program logs in with the account again and again.
    Elsewhere,
}

/// What happens to the connection, for logs.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Notice {
    /// With host and port, if the connection has them. The login follows.
    Connected { server: Option<String> },
    /// With the time until the next try.
    Disconnect { why: String, again: Duration },
}

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the server.
    In,
    /// To the server.
    Out,
}

/// Sees the lines and the connection of a client, which its agent does not see.
pub trait Observer {
    /// The connection was made or lost.
    fn notice(&mut self, notice: Notice);

    /// A line was read or written, without its end. The password is not in it.
    fn line(&mut self, _direction: Direction, _line: &str) {}
}

impl<F: FnMut(Notice)> Observer for F {
    fn notice(&mut self, notice: Notice) {
        self(notice);
    }
}

/// The shortest and the longest pause before a connection is tried again. A connection that lasted
/// for a minute resets it.
const BACK_OFF: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(300)];
/// The longest pause while a match can be continued.
const LONGEST_WITH_A_MATCH: Duration = Duration::from_secs(15);
/// A server that refuses a password that it has accepted before is about to shut down: the pause
/// before the next try,
const OUTAGE_PAUSE: Duration = Duration::from_secs(180);
/// and how long it is tried.
const LONGEST_OUTAGE: Duration = Duration::from_secs(12 * 3600);
/// The account is left to another program for this time,
const ELSEWHERE_PAUSE: Duration = Duration::from_secs(600);
/// and for good after this many times.
const MAX_ELSEWHERE: u32 = 3;
/// How long a connection may take to be made, and a write to be done.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long to wait for the server's last lines.
const LINGER: Duration = Duration::from_secs(2);
/// The most lines that are handled before the session is asked for its next step. Some cost time,
/// as questions of players do.
const LINES_A_STEP: usize = 32;

/// Plays until the agent quits, `stop` completes or the login is refused. A broken connection is
/// made again after a random pause. The pause doubles from 1 second up to 5 minutes, or up to 15
/// seconds while a match can be continued. It begins anew after a connection that lasted for a
/// minute.
///
/// If a server refuses a password that it accepted before, the client tries again every 3 minutes
/// for 12 hours. Servers refuse logins before they shut down. An account in use by another program
/// is left alone for 10 minutes, and for good the third time.
pub async fn run<C: Connect>(
    connector: &mut C,
    config: Config,
    agent: &mut dyn Agent,
    stop: impl Future<Output = ()>,
    mut observer: impl Observer,
) -> End {
    let began = Instant::now();
    let mut rng = Pcg64::seed_from_u64(config.seed ^ 0x5eed);
    let wait_for_server = config.wait_for_server;
    let mut session = Session::new(config);
    let mut pause = BACK_OFF[0];
    let (mut connected_once, mut elsewhere) = (false, 0);
    let mut outage: Option<Instant> = None;
    tokio::pin!(stop);
    let mut stopping = false;
    loop {
        let made = tokio::select! {
            biased;
            made = timeout(PATIENCE, connector.connect()) => made,
            () = &mut stop => return End::Quit,
        };
        let (mut logged_in, mut lasted) = (false, false);
        let lost = match made {
            Ok(Ok(stream)) => {
                connected_once = true;
                observer.notice(Notice::Connected { server: connector.server() });
                session.connected(began.elapsed(), agent);
                let connection = Connection { stream, began };
                let stop = (&mut stop, &mut stopping);
                let lost = connection.run(&mut session, agent, stop, &mut observer).await;
                if stopping {
                    return End::Quit;
                }
                logged_in = session.logged_in_now();
                lasted = session.has_lasted(began.elapsed());
                lost
            }
            Ok(Err(error)) => Disconnect::Broken(error.to_string()),
            Err(_) => {
                Disconnect::Broken(format!("no answer within {} seconds", PATIENCE.as_secs()))
            }
        };
        // A line that is closed after a sign of another program was closed for it.
        let mut lost = match lost {
            Disconnect::Broken(_) if session.may_be_used_elsewhere() => {
                Disconnect::Closed(Close::Elsewhere)
            }
            lost => lost,
        };
        if let Disconnect::Broken(why) = &mut lost
            && !connected_once
            && !wait_for_server
        {
            return End::Unreachable(std::mem::take(why));
        }
        if logged_in {
            outage = None;
        }
        if lasted {
            pause = BACK_OFF[0];
        }
        if session.has_match_to_continue(agent) {
            pause = pause.min(LONGEST_WITH_A_MATCH);
        }
        // 50 to 100 % of the pause, so that not all clients reconnect at once.
        let jitter = 0.5 + 0.5 * f64::from(rng.next_u32()) / f64::from(u32::MAX);
        let (why, again) = match lost {
            Disconnect::Closed(Close::Quit) => return End::Quit,
            Disconnect::Closed(Close::Refused) => {
                let since = *outage.get_or_insert_with(Instant::now);
                if !session.has_logged_in() || since.elapsed() > LONGEST_OUTAGE {
                    return End::Refused;
                }
                ("the server refuses a login that it has accepted before".to_owned(), OUTAGE_PAUSE)
            }
            Disconnect::Closed(Close::Elsewhere) => {
                elsewhere += 1;
                if elsewhere >= MAX_ELSEWHERE {
                    return End::Elsewhere;
                }
                ("another program uses the account".to_owned(), ELSEWHERE_PAUSE)
            }
            Disconnect::Closed(Close::GoesDown(time)) => ("the server goes down".to_owned(), time),
            Disconnect::Closed(Close::Stuck) => {
                ("a match was stuck".to_owned(), pause.mul_f64(jitter))
            }
            Disconnect::Closed(Close::Dead) => {
                ("the server does not answer".to_owned(), pause.mul_f64(jitter))
            }
            Disconnect::Closed(Close::LoggedOut) => {
                ("the server asks for the login again".to_owned(), pause.mul_f64(jitter))
            }
            Disconnect::Broken(why) => (why, pause.mul_f64(jitter)),
        };
        pause = (2 * pause).min(BACK_OFF[1]);
        observer.notice(Notice::Disconnect { why, again });
        tokio::select! {
            biased;
            () = sleep(again) => {}
            () = &mut stop => return End::Quit,
        }
    }
}

enum Disconnect {
    Closed(Close),
    Broken(String),
}

struct Connection<S> {
    stream: S,
    began: Instant,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    async fn run(
        mut self,
        session: &mut Session,
        agent: &mut dyn Agent,
        (stop, stopping): (&mut (impl Future<Output = ()> + Unpin), &mut bool),
        observer: &mut impl Observer,
    ) -> Disconnect {
        let (mut decoder, mut parser) = (Decoder::default(), Parser::default());
        let (mut buffer, mut lines) = (vec![0; 4096], VecDeque::<Line>::new());
        let mut lost = None;
        loop {
            let (now, some) = (self.began.elapsed(), lines.len().min(LINES_A_STEP));
            for line in lines.drain(..some) {
                observer.line(Direction::In, line.text());
                parser.parse(&line, |message| session.message(message, now, agent));
            }
            // What the server said before the line failed counts.
            if lost.is_some() && !lines.is_empty() {
                continue;
            }
            if let Some(lost) = lost {
                return lost;
            }
            let until = match session.step(self.began.elapsed(), agent) {
                Step::Send(command) => {
                    let line = format!("{}\r\n", command.line());
                    observer.line(Direction::Out, &command.without_password());
                    match timeout(PATIENCE, self.stream.write_all(line.as_bytes())).await {
                        Ok(Ok(())) => {}
                        Ok(Err(error)) => lost = Some(Disconnect::Broken(error.to_string())),
                        Err(_) => {
                            lost = Some(Disconnect::Broken("the server does not read".to_owned()));
                        }
                    }
                    continue;
                }
                Step::Close(close) => {
                    if let Close::Quit | Close::GoesDown(_) = close {
                        // A server may lose lines sent just before the connection closes.
                        let _ = timeout(LINGER, self.drain()).await;
                    }
                    return Disconnect::Closed(close);
                }
                Step::Wait(until) => until,
            };
            tokio::select! {
                biased;
                // Before the lines: a server may send them faster than they are read.
                () = &mut *stop, if !*stopping => {
                    *stopping = true;
                    session.quit();
                }
                // Lines that were read and wait come before others.
                () = ready(()), if !lines.is_empty() => {}
                read = self.stream.read(&mut buffer) => match read {
                    Ok(0) => {
                        session.closed_by_server();
                        return Disconnect::Broken("the server closed the connection".to_owned());
                    }
                    Ok(n) => decoder.decode(&buffer[..n], |line| lines.push_back(line)),
                    Err(error) => return Disconnect::Broken(error.to_string()),
                },
                // Timers have a resolution of 1 ms: a step due earlier would be polled in a busy
                // loop.
                () = tokio::time::sleep_until((self.began + until.min(FAR)).max(Instant::now() + TICK)) => {}
            }
        }
    }

    async fn drain(&mut self) {
        let mut buffer = [0; 1024];
        while let Ok(1..) = self.stream.read(&mut buffer).await {}
    }
}

/// The longest wait, so that adding it to a time does not overflow.
pub(crate) const FAR: Duration = Duration::from_secs(1 << 30);
/// The resolution of timers.
const TICK: Duration = Duration::from_millis(1);
