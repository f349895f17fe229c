//! How a session is set up: the account and how fast commands follow each other.

use std::fmt;
use std::time::Duration;

/// The pace of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Least time between two commands.
    pub gap: Duration,
    /// Shortest and longest time before a decision is sent.
    pub think: [Duration; 2],
}

/// The account of a session and its behaviour.
///
/// ```
/// use bgammon::session::Config;
///
/// let config = Config::new("first-0.1/en", "bot_first", Some("Zanzibar7"));
/// assert!(!format!("{config:?}").contains("Zanzibar7"));
/// ```
#[derive(Clone)]
pub struct Config {
    /// Name and version of the program, and the language of its user.
    pub client: String,
    /// Name of the account, or of a guest.
    pub name: String,
    pub(super) password: Option<String>,
    /// Pace of the commands.
    pub pace: Pace,
    /// Seed of the pauses.
    pub seed: u64,
}

impl Config {
    /// An account, or a guest without a password; 0.2 s between commands, 0.7 to 2.5 s for a
    /// decision.
    #[must_use]
    pub fn new(client: &str, name: &str, password: Option<&str>) -> Config {
        let pace = Pace {
            gap: Duration::from_millis(200),
            think: [Duration::from_millis(700), Duration::from_millis(2500)],
        };
        let (client, name) = (client.to_owned(), name.to_owned());
        Config { client, name, password: password.map(str::to_owned), pace, seed: 0 }
    }
}

impl fmt::Debug for Config {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Config { client, name, pace, seed, .. } = self;
        write!(f, "Config {{ {name}, {client}, {pace:?}, seed {seed} }}")
    }
}
