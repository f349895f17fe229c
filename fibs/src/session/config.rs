//! How a session is set up: the account and how fast commands follow each other.

use std::time::Duration;

use crate::Password;

/// The pace of commands. The server loses commands that come too fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Least time between two commands.
    pub gap: Duration,
    /// Least time before a chat line.
    pub chat: Duration,
    /// Shortest and longest time before a decision is sent.
    pub think: [Duration; 2],
}

impl Default for Pace {
    /// The pace of a quick person: 0.5 s between commands, 0.7 to 2.5 s for a decision.
    fn default() -> Pace {
        Pace {
            gap: Duration::from_millis(500),
            chat: Duration::from_millis(1500),
            think: [Duration::from_millis(700), Duration::from_millis(2500)],
        }
    }
}

/// The account of a session and its behaviour.
///
/// ```
/// use fibs::Password;
/// use fibs::session::{Config, Pace};
///
/// let pace = Pace { gap: std::time::Duration::from_secs(1), ..Pace::default() };
/// let config = Config::new("first-0.1", "first_bot", Password::new("Zanzibar7")?);
/// let config = Config { pace, wait_for_server: true, ..config };
/// assert_eq!(config.name, "first_bot");
/// # Ok::<(), fibs::PasswordError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    /// Name of the client program, which others see: at most 20 characters without blanks.
    pub client: String,
    /// Account name.
    pub name: String,
    /// Password of the account.
    pub password: Password,
    /// Pace of the commands.
    pub pace: Pace,
    /// How long to wait for an opponent who dropped the connection before new matches are played.
    pub wait_for_dropped: Duration,
    /// Whether to go on trying when the first connection cannot be made.
    pub wait_for_server: bool,
    /// E-mail address of the account's owner, told to the server once; other players can read it.
    pub address: Option<String>,
    /// Seed of the random pauses.
    pub seed: u64,
}

impl Config {
    /// The default pace, 45 s of waiting for a dropped opponent and seed 0.
    #[must_use]
    pub fn new(client: &str, name: &str, password: Password) -> Config {
        Config {
            client: client.to_owned(),
            name: name.to_owned(),
            password,
            pace: Pace::default(),
            wait_for_dropped: Duration::from_secs(45),
            wait_for_server: false,
            address: None,
            seed: 0,
        }
    }
}
