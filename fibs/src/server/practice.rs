//! A practice server on this machine in one call, for programs and tests.

use std::io;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::{Limits, Options, Server, unix_seconds};
use crate::Password;
use crate::client::Tcp;
use crate::session::{Config, Pace};

/// A practice server that listens on a free port of this machine until it is dropped. Its accounts
/// are lost then.
///
/// ```no_run
/// use backgammon::Position;
/// use fibs::agent::TurnContext;
/// use fibs::client::run;
/// use fibs::server::PracticeServer;
///
/// # async fn example() -> std::io::Result<()> {
/// let server = PracticeServer::listen(&["ann", "bob"], 7).await?;
/// let mut first = |turn: &TurnContext| -> Position { turn.plays[0].after };
/// let stop = std::future::pending();
/// run(&mut server.tcp(), server.account("ann"), &mut first, stop, |_| {}).await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct PracticeServer {
    server: Server,
    port: u16,
    listening: JoinHandle<io::Result<()>>,
}

/// The password of every account: the server serves this machine alone.
const PASSWORD: &str = "practice";

impl PracticeServer {
    /// Starts a server with these accounts; `seed` is that of the dice. It needs a tokio runtime.
    ///
    /// # Errors
    /// The error of the operating system if no port can be had.
    pub async fn listen(accounts: &[&str], seed: u64) -> io::Result<PracticeServer> {
        let options = Options { state: None, sync: false, seed, forgets: 0.0, clock: unix_seconds };
        let server = Server::open_with(&options, Limits::default()).map_err(io::Error::other)?;
        for name in accounts {
            server.register(name, &password());
        }
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let (port, serving) = (listener.local_addr()?.port(), server.clone());
        let listening = tokio::spawn(async move { serving.listen(&listener).await });
        Ok(PracticeServer { server, port, listening })
    }

    /// How a client connects to it.
    #[must_use]
    pub fn tcp(&self) -> Tcp {
        Tcp { host: "127.0.0.1".to_owned(), port: self.port }
    }

    /// The session of an account, at the pace of a machine.
    #[must_use]
    pub fn account(&self, name: &str) -> Config {
        let moment = Duration::from_millis(1);
        let pace = Pace { gap: moment, chat: moment, think: [moment; 2] };
        Config { pace, ..Config::new("practice", name, password()) }
    }

    /// The server itself.
    #[must_use]
    pub const fn server(&self) -> &Server {
        &self.server
    }
}

impl Drop for PracticeServer {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

#[allow(clippy::expect_used, reason = "a constant")]
fn password() -> Password {
    Password::new(PASSWORD).expect("a word without blanks")
}
