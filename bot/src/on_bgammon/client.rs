//! A client on tokio: it drives a session over a connection, and connects again when the connection
//! breaks.

use std::future::Future;
use std::time::Duration;

use bgammon::Message;
use bgammon::agent::Agent;
use bgammon::session::{Close, Config, Pace as BgammonPace, Session, Step};
use fibs::client::{Direction, Observer};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use tokio::time::{Instant, sleep, timeout};

use super::wire::{BgammonAddr, Wire};
use crate::records::transcript::loggable;
use crate::{Ended, Notice, Pace, Password, ServerAddr};

/// An account on a bgammon server, and how fast its owner acts.
#[derive(Clone, Debug)]
pub struct BgammonAccount {
    /// The server.
    pub server: BgammonAddr,
    /// The account's name. Names of bots begin with `bot_`.
    pub name: String,
    /// The password; a guest has none.
    pub password: Option<Password>,
    /// Waiting times before commands.
    pub pace: Pace,
    /// Whether to go on trying when the first connection cannot be made.
    pub wait_for_server: bool,
    /// Seed of the waiting times.
    pub seed: u64,
}

/// The shortest and the longest pause before a connection is tried again.
const BACK_OFF: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(300)];
/// A connection that lasted for this time resets the pause.
const LASTING: Duration = Duration::from_secs(60);
/// The longest pause while a match can be continued: the server keeps the seat for 15 minutes.
const LONGEST_WITH_A_MATCH: Duration = Duration::from_secs(15);
/// The pause after a refused login. The server forgets a lost connection after 40 s.
const REFUSED_PAUSE: Duration = Duration::from_secs(50);
/// How often a login may be refused in a row, before the first one that worked and after it.
const MOST_REFUSED: [u32; 2] = [10, 500];
/// How long a connection may take to be made, and a write to be done.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long to wait for the server's last lines.
const LINGER: Duration = Duration::from_secs(2);
/// The longest wait, so that adding it to a time does not overflow.
const FAR: Duration = Duration::from_secs(1 << 30);
/// The resolution of timers.
const TICK: Duration = Duration::from_millis(1);

/// Why a connection ended.
enum Lost {
    Broken(String),
    Closed(Close),
}

/// Whether another try with the same name and password is in vain.
fn is_final(refusal: &str) -> bool {
    ["No account was found", "Invalid username", "You are banned"]
        .iter()
        .any(|words| refusal.contains(words))
}

/// Plays on a bgammon server until the agent quits, `stop` completes, or the account cannot be
/// used. A broken connection is made again, with pauses from 1 second to 5 minutes, or 15 seconds
/// while a match can be continued. They begin anew after a connection that lasted for a minute.
/// `observer` sees every line and what happens to the connection.
pub async fn play_bgammon(
    account: &BgammonAccount,
    agent: &mut dyn Agent,
    stop: impl Future<Output = ()>,
    mut observer: impl Observer,
) -> Ended {
    let client = format!("nonet-{}/en", env!("CARGO_PKG_VERSION"));
    let password = account.password.as_ref().map(Password::reveal);
    let mut config = Config::new(&client, &account.name, password);
    config.pace = BgammonPace { gap: account.pace.gap, think: account.pace.think };
    config.seed = account.seed;
    let mut rng = Pcg64::seed_from_u64(account.seed ^ 0x5eed);
    let mut session = Session::new(config);
    let began = Instant::now();
    let (mut pause, mut accepted, mut connected_once, mut refused) = (BACK_OFF[0], false, false, 0);
    tokio::pin!(stop);
    let mut stopping = false;
    loop {
        let made = tokio::select! {
            biased;
            made = timeout(PATIENCE, account.server.connect()) => made,
            () = &mut stop => return Ended::Quit,
        };
        let lost = match made {
            Ok(Ok(wire)) => {
                connected_once = true;
                let connected = Instant::now();
                let ServerAddr { host, port } = account.server.server();
                observer.notice(Notice::Connected { server: Some(format!("{host}:{port}")) });
                session.connected(began.elapsed(), agent);
                let stop = (&mut stop, &mut stopping);
                let lost = run(wire, began, &mut session, agent, stop, &mut observer).await;
                if stopping {
                    return Ended::Quit;
                }
                if session.is_logged_in() {
                    (accepted, refused) = (true, 0);
                    if connected.elapsed() >= LASTING {
                        pause = BACK_OFF[0];
                    }
                }
                lost
            }
            Ok(Err(error)) => Lost::Broken(error.to_string()),
            Err(_) => Lost::Broken(format!("no answer within {} seconds", PATIENCE.as_secs())),
        };
        let (why, again) = match lost {
            Lost::Closed(Close::Quit) => return Ended::Quit,
            Lost::Closed(Close::Refused(why)) => {
                refused += 1;
                let most = MOST_REFUSED[usize::from(accepted)];
                if refused >= most || (is_final(&why) && !accepted) {
                    let why = loggable(&why, account.password.as_ref());
                    tracing::error!("the server refuses the login: {why}");
                    return Ended::Refused;
                }
                (why, REFUSED_PAUSE)
            }
            Lost::Broken(why) if !connected_once && !account.wait_for_server => {
                return Ended::Unreachable(why);
            }
            lost => {
                let why = match lost {
                    Lost::Broken(why) => why,
                    Lost::Closed(_) => "the server does not answer".to_owned(),
                };
                let longest = if session.has_match() { LONGEST_WITH_A_MATCH } else { BACK_OFF[1] };
                let again = pause.min(longest).mul_f64(rng.random_range(0.5..1.0));
                pause = (2 * pause).min(BACK_OFF[1]);
                (why, again)
            }
        };
        observer.notice(Notice::Disconnect { why, again });
        tokio::select! {
            () = sleep(again) => {}
            () = &mut stop => return Ended::Quit,
        }
    }
}

/// Runs the session over one connection.
async fn run(
    mut wire: Wire,
    began: Instant,
    session: &mut Session,
    agent: &mut dyn Agent,
    (stop, stopping): (&mut (impl Future<Output = ()> + Unpin), &mut bool),
    observer: &mut impl Observer,
) -> Lost {
    loop {
        let until = match session.step(began.elapsed(), agent) {
            Step::Send(command) => {
                observer.line(Direction::Out, &command.without_password());
                match timeout(PATIENCE, wire.send(&command.line())).await {
                    Ok(Ok(())) => continue,
                    Ok(Err(error)) => return Lost::Broken(error.to_string()),
                    Err(_) => return Lost::Broken("the server does not read".to_owned()),
                }
            }
            Step::Close(close) => {
                if close == Close::Quit {
                    // A server may lose lines sent just before the connection closes.
                    let _ =
                        timeout(LINGER, async { while let Ok(Some(_)) = wire.receive().await {} })
                            .await;
                }
                return Lost::Closed(close);
            }
            Step::Wait(until) => until,
        };
        let wake = (began + until.min(FAR)).max(Instant::now() + TICK);
        tokio::select! {
            biased;
            // Before the lines: a server may send them faster than they are read.
            () = &mut *stop, if !*stopping => {
                *stopping = true;
                session.quit();
            }
            read = wire.receive() => match read {
                Ok(None) => {
                    // The last lines may say why.
                    if let Step::Close(close) = session.step(began.elapsed(), agent) {
                        return Lost::Closed(close);
                    }
                    return Lost::Broken("the server closed the connection".to_owned());
                }
                Ok(Some(lines)) => for line in lines {
                    observer.line(Direction::In, &line);
                    session.message(Message::parse(&line), began.elapsed(), agent);
                },
                Err(error) => return Lost::Broken(error.to_string()),
            },
            () = tokio::time::sleep_until(wake) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::future::poll_fn;
    use std::rc::Rc;
    use std::task::Poll;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;
    use crate::BgammonOpponent;

    /// Counts the lines of the server.
    #[derive(Clone, Default)]
    struct Seen(Rc<Cell<u32>>);

    impl Observer for Seen {
        fn notice(&mut self, _: Notice) {}

        fn line(&mut self, direction: Direction, _: &str) {
            self.0.set(self.0.get() + u32::from(direction == Direction::In));
        }
    }

    #[tokio::test]
    async fn a_client_stops_while_lines_come_without_a_pause() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        // A line is longer than what is read at once, so that no two are read together.
        let text = "x".repeat(4096);
        let line = format!("{{\"Type\":\"say\",\"Player\":\"eve\",\"Message\":\"{text}\"}}\n");
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            let mut login = [0; 100];
            let _ = stream.read(&mut login).await;
            for _ in 0..500 {
                if stream.write_all(line.as_bytes()).await.is_err() {
                    return;
                }
            }
        });
        let account = BgammonAccount {
            server: BgammonAddr::Tcp(ServerAddr { host: "127.0.0.1".into(), port }),
            name: "bot_nonet".into(),
            password: None,
            pace: Pace::default(),
            wait_for_server: false,
            seed: 1,
        };
        let seen = Seen::default();
        let stop = poll_fn(|_| if seen.0.get() < 10 { Poll::Pending } else { Poll::Ready(()) });
        let mut agent = BgammonOpponent::of("eve", 1);
        let ended = play_bgammon(&account, &mut agent, stop, seen.clone()).await;
        assert_eq!(ended, Ended::Quit);
        assert!(seen.0.get() < 20, "{} lines before the stop", seen.0.get());
    }

    #[tokio::test]
    async fn the_pause_grows_while_the_server_closes_the_line_after_each_login() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.expect("a connection");
                let mut line = [0; 100];
                let _ = stream.read(&mut line).await;
                let welcome = "{\"Type\":\"welcome\",\"PlayerName\":\"BOT_nonet\"}\n";
                let _ = stream.write_all(welcome.as_bytes()).await;
                // The first command after the login.
                let _ = stream.read(&mut line).await;
            }
        });
        let gap = Duration::ZERO;
        let account = BgammonAccount {
            server: BgammonAddr::Tcp(ServerAddr { host: "127.0.0.1".into(), port }),
            name: "bot_nonet".into(),
            password: None,
            pace: Pace { gap, chat: gap, think: [gap, gap] },
            wait_for_server: false,
            seed: 1,
        };
        let pauses = RefCell::new(Vec::new());
        let observer = |notice: Notice| {
            if let Notice::Disconnect { again, .. } = notice {
                pauses.borrow_mut().push(again);
            }
        };
        let twice = poll_fn(|_| match pauses.borrow().len() {
            0 | 1 => Poll::Pending,
            _ => Poll::Ready(()),
        });
        let mut agent = BgammonOpponent::of("eve", 1);
        let ended = play_bgammon(&account, &mut agent, twice, observer).await;
        assert_eq!(ended, Ended::Quit);
        let pauses = pauses.borrow();
        assert!(pauses[0] < BACK_OFF[0] && pauses[1] >= BACK_OFF[0], "{pauses:?}");
    }
}
