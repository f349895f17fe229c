//! The bot, the server and the small errands over real connections.

use std::future::Future;
use std::io;
use std::path::PathBuf;

use fibs::Password;
use fibs::agent::Agent;
use fibs::client::{Tcp, run};
use fibs::oneshot;
use fibs::rating::Standing;
use fibs::server::{Options, Server, ServerError, unix_seconds};
use fibs::session::{Config, Pace};

use super::Watcher;

pub use fibs::client::{End as Ended, Notice};
pub use fibs::oneshot::{NetError, RegisterError, Welcome};

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddr {
    /// Name or address.
    pub host: String,
    /// 4321 by custom.
    pub port: u16,
}

impl ServerAddr {
    fn tcp(&self) -> Tcp {
        Tcp { host: self.host.clone(), port: self.port }
    }
}

/// Who logs in where, and how fast he acts.
#[derive(Clone, Debug)]
pub struct BotAccount {
    /// The server.
    pub place: ServerAddr,
    /// The name.
    pub name: String,
    /// The password.
    pub password: Password,
    /// The pace.
    pub pace: Pace,
    /// Seed of waiting times.
    pub seed: u64,
}

/// What others see us play with.
fn client() -> String {
    format!("nonet-{}", env!("CARGO_PKG_VERSION"))
}

/// Plays on a server until the agent has enough, `stop` is done, or the login is refused.
pub async fn play(
    account: &BotAccount,
    agent: &mut dyn Agent,
    stop: impl Future<Output = ()>,
    notice: impl FnMut(Notice),
) -> Ended {
    let mut config = Config::new(&client(), &account.name, account.password.clone());
    (config.pace, config.seed) = (account.pace, account.seed);
    run(&mut account.place.tcp(), config, agent, stop, notice).await
}

/// Makes an account.
///
/// # Errors
/// [`RegisterError`] when the server does not want the name, or does not answer.
pub async fn register(
    place: &ServerAddr,
    name: &str,
    password: &Password,
) -> Result<(), RegisterError> {
    oneshot::register(&mut place.tcp(), name, password).await
}

/// Logs in, looks at what the server says of us, and logs out.
///
/// # Errors
/// [`NetError`] for a wrong password, or a server that does not answer.
pub async fn whoami(account: &BotAccount) -> Result<Welcome, NetError> {
    oneshot::whoami(&mut account.place.tcp(), &client(), &account.name, &account.password).await
}

/// Watches a player until `stop` is done, and tells `watcher` of every message; `seen` is asked after each.
///
/// # Errors
/// [`NetError`] for a wrong password, or a connection that breaks.
pub async fn watch(
    account: &BotAccount,
    whom: &str,
    watcher: &mut Watcher,
    stop: impl Future<Output = ()>,
    mut seen: impl FnMut(&mut Watcher),
) -> Result<(), NetError> {
    let mut tcp = account.place.tcp();
    let login = (client(), account.name.as_str(), &account.password);
    let told = |message| {
        watcher.message(&message);
        seen(watcher);
    };
    oneshot::watch(&mut tcp, login, whom, stop, told).await
}

/// Why nothing can be served.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Its state.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// Its port.
    #[error("cannot listen on {address}: {cause}")]
    Port {
        /// Where.
        address: String,
        /// Why not.
        cause: io::Error,
    },
}

/// A server that listens.
pub struct Served {
    server: Server,
    listener: oneshot::Listener,
    /// The port that it listens on, also where any was asked for.
    pub port: u16,
}

impl Served {
    /// Makes an account, if there is none of the name.
    pub fn register(&self, name: &str, password: &Password) {
        self.server.register(name, password);
    }

    /// Rating and experience of an account.
    #[must_use]
    pub fn standing(&self, name: &str) -> Option<Standing> {
        self.server.standing(name)
    }

    /// Matches that have ended since the last call, in words.
    #[must_use]
    pub fn take_log(&self) -> Vec<String> {
        self.server.take_log()
    }

    /// Serves for ever.
    ///
    /// # Errors
    /// When no more connections can be accepted, or the state cannot be written any more.
    pub async fn run(&self) -> io::Result<()> {
        self.listener.serve(&self.server).await
    }
}

/// Opens a server and its port; port 0 is any that is free.
///
/// # Errors
/// [`ListenError`].
pub async fn serve(
    place: &ServerAddr,
    state: Option<PathBuf>,
    seed: u64,
) -> Result<Served, ListenError> {
    let server =
        Server::open(&Options { state, sync: true, seed, forgets: 0.0, clock: unix_seconds })?;
    let address = format!("{}:{}", place.host, place.port);
    let listener = oneshot::Listener::bind(&place.host, place.port)
        .await
        .map_err(|cause| ListenError::Port { address, cause })?;
    let port = listener.port();
    Ok(Served { server, listener, port })
}
