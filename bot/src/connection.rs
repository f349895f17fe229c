//! Connections: running the bot, single commands (register, whoami, watch), and the practice
//! server.

use std::future::Future;
use std::io;
use std::path::PathBuf;

use fibs::Password;
use fibs::agent::Agent;
use fibs::client::{Observer, Tcp, run};
use fibs::oneshot;
use fibs::rating::Standing;
use fibs::server::{Options, Server, ServerError, unix_seconds};
use fibs::session::{Config, Pace};

use crate::Watcher;

pub use fibs::client::{Direction, End as Ended, Notice};
pub use fibs::oneshot::{NetError, RegisterError, Welcome};

/// The address of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddr {
    /// Host name or IP address.
    pub host: String,
    /// TCP port; FIBS uses 4321.
    pub port: u16,
}

impl ServerAddr {
    fn tcp(&self) -> Tcp {
        Tcp { host: self.host.clone(), port: self.port }
    }
}

/// An account on a server, and how fast its owner acts.
///
/// ```
/// use nonet_bot::{BotAccount, Pace, Password, ServerAddr};
///
/// let account = BotAccount {
///     server: ServerAddr { host: "127.0.0.1".into(), port: 4321 },
///     name: "nonet".into(),
///     password: Password::new("Zanzibar7")?,
///     pace: Pace::default(),
///     wait_for_server: false,
///     address: None,
///     seed: 7,
/// };
/// # assert_eq!(account.seed, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BotAccount {
    /// The server.
    pub server: ServerAddr,
    /// The account's name.
    pub name: String,
    /// The password.
    pub password: Password,
    /// Waiting times before commands.
    pub pace: Pace,
    /// Whether to go on trying when the first connection cannot be made.
    pub wait_for_server: bool,
    /// E-mail address of the owner, told to the server once; other players can read it.
    pub address: Option<String>,
    /// Seed of the waiting times.
    pub seed: u64,
}

/// The client's name, which other players can see.
fn client() -> String {
    format!("nonet-{}", env!("CARGO_PKG_VERSION"))
}

/// Plays on a server until the agent quits, `stop` completes, or the account cannot be used. A
/// broken connection is made again. `observer` sees every line and what happens to the connection.
pub async fn play(
    account: &BotAccount,
    agent: &mut dyn Agent,
    stop: impl Future<Output = ()>,
    observer: impl Observer,
) -> Ended {
    let mut config = Config::new(&client(), &account.name, account.password.clone());
    (config.pace, config.seed) = (account.pace, account.seed);
    config.wait_for_server = account.wait_for_server;
    config.address.clone_from(&account.address);
    run(&mut account.server.tcp(), config, agent, stop, observer).await
}

/// Creates an account.
///
/// # Errors
/// [`RegisterError`] if the server refuses the name or does not answer.
pub async fn register(
    server: &ServerAddr,
    name: &str,
    password: &Password,
) -> Result<(), RegisterError> {
    oneshot::register(&mut server.tcp(), name, password).await
}

/// Logs in, reads the account's data, and logs out.
///
/// # Errors
/// [`NetError`] if the password is wrong or the server does not answer.
pub async fn whoami(account: &BotAccount) -> Result<Welcome, NetError> {
    oneshot::whoami(&mut account.server.tcp(), &client(), &account.name, &account.password).await
}

/// Watches the player `name` until `stop` completes. `watcher` handles every message; `after_each`
/// is called after each. `tap` sees every line in both directions.
///
/// # Errors
/// [`NetError`] if the password is wrong or the connection breaks.
pub async fn watch(
    account: &BotAccount,
    name: &str,
    watcher: &mut Watcher,
    stop: impl Future<Output = ()>,
    tap: impl FnMut(Direction, &str),
    mut after_each: impl FnMut(&mut Watcher),
) -> Result<(), NetError> {
    let mut tcp = account.server.tcp();
    let login = (client(), account.name.as_str(), &account.password);
    let on_message = |message| {
        watcher.handle(&message);
        after_each(watcher);
    };
    oneshot::watch(&mut tcp, login, name, stop, tap, on_message).await
}

/// Why a practice server cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Its state file cannot be used.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// It cannot listen on its port.
    #[error("cannot listen on {address}: {cause}")]
    Port {
        /// Host and port.
        address: String,
        /// The error of the operating system.
        cause: io::Error,
    },
}

/// A practice server that listens on a port.
pub struct Served {
    server: Server,
    listener: oneshot::Listener,
    /// The port that it listens on.
    pub port: u16,
}

impl Served {
    /// Creates an account, if there is none of this name.
    pub fn register(&self, name: &str, password: &Password) {
        self.server.register(name, password);
    }

    /// Rating and experience of an account; `None` if there is none of this name.
    #[must_use]
    pub fn standing(&self, name: &str) -> Option<Standing> {
        self.server.standing(name)
    }

    /// A line for every match that has ended since the last call, and for every trouble with
    /// connections.
    #[must_use]
    pub fn take_log(&self) -> Vec<String> {
        self.server.take_log()
    }

    /// Serves until an error.
    ///
    /// # Errors
    /// If the state cannot be written any more.
    pub async fn run(&self) -> io::Result<()> {
        self.listener.serve(&self.server).await
    }
}

/// Opens a practice server. Port 0 means any free port; `state` is the file of its accounts and
/// matches, without which they are lost when it ends; `seed` is that of the dice.
///
/// # Errors
/// [`ListenError`].
pub async fn serve(
    address: &ServerAddr,
    state: Option<PathBuf>,
    seed: u64,
) -> Result<Served, ListenError> {
    let server =
        Server::open(&Options { state, sync: true, seed, forgets: 0.0, clock: unix_seconds })?;
    let listener = oneshot::Listener::bind(&address.host, address.port).await.map_err(|cause| {
        ListenError::Port { address: format!("{}:{}", address.host, address.port), cause }
    })?;
    let port = listener.port();
    Ok(Served { server, listener, port })
}
