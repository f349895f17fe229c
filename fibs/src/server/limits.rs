//! Limits of a server: deadlines, numbers of connections, and wrong passwords in series.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The limits of a server. [`Duration::MAX`] is no deadline.
///
/// ```
/// use fibs::server::{Limits, Options, Server, unix_seconds};
///
/// let limits = Limits { connections: 10, connections_per_address: 2, ..Limits::default() };
/// let options =
///     Options { state: None, sync: false, seed: 7, forgets: 0.0, clock: unix_seconds };
/// let server = Server::open_with(&options, limits)?;
/// assert_eq!(server.unfinished(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long a connection may take to log in; default 60 s.
    pub login: Duration,
    /// How long a guest may take to register; default 10 min.
    pub registration: Duration,
    /// How long a user may send nothing; default 1 h, as on FIBS.
    pub idle: Duration,
    /// The most connections at a time; default 900, below the usual limit of 1024 file handles.
    pub connections: usize,
    /// The most connections from one address at a time; default 100.
    pub connections_per_address: usize,
    /// The most wrong passwords from one address; default 10. From the second on, each answer is
    /// delayed twice as long as the one before, from 1 s to 16 s. On the loopback address, which
    /// all programs of a machine share, they are counted for each account.
    pub wrong_passwords: u32,
    /// For how long an address is refused after that, and how soon wrong passwords are forgotten;
    /// default 10 min.
    pub refusal: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            login: Duration::from_secs(60),
            registration: Duration::from_secs(600),
            idle: Duration::from_secs(3600),
            connections: 900,
            connections_per_address: 100,
            wrong_passwords: 10,
            refusal: Duration::from_secs(600),
        }
    }
}

/// Passwords in series that were wrong or are being checked.
#[derive(Debug, Default)]
struct WrongPasswords {
    count: u32,
    last: Option<Instant>,
}

/// All connections by address, and wrong passwords by where they come from.
#[derive(Debug, Default)]
struct Visitors {
    connections: usize,
    by_address: HashMap<IpAddr, usize>,
    wrong: HashMap<Source, WrongPasswords>,
}

/// A source of wrong passwords that are counted together: an address, or an account's logins from
/// the loopback address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Source {
    Address(IpAddr),
    Loopback(String),
}

/// The most sources that are remembered.
const MOST_SOURCES: usize = 10_000;
/// Sources that remain when there would be more: those with the latest wrong passwords. The
/// difference makes room for many new ones at a time, since all sources are looked at for it.
const KEPT_SOURCES: usize = 9_000;

/// Counts connections and wrong passwords; clones share the counts.
///
/// ```
/// use std::net::IpAddr;
///
/// use fibs::server::{Gate, Limits, NotAdmitted};
///
/// let gate = Gate::new(Limits { connections_per_address: 1, ..Limits::default() });
/// let address = Some(IpAddr::from([192, 0, 2, 1]));
/// let pass = gate.admit(address)?;
/// assert_eq!(gate.admit(address).err(), Some(NotAdmitted::Crowded(1)));
/// drop(pass);
/// assert!(gate.admit(address).is_ok());
/// # Ok::<(), NotAdmitted>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gate {
    limits: Arc<Limits>,
    visitors: Arc<Mutex<Visitors>>,
}

/// The permission of one connection; the connection counts until it is dropped.
#[derive(Debug)]
pub struct Pass {
    gate: Gate,
    /// `None` for a connection within the process, which no limit concerns.
    address: Option<IpAddr>,
}

/// Why a connection is not admitted, in words for whoever made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAdmitted {
    /// The server has this many connections, and no room for more.
    #[error("The server is full ({0} connections). Please try again later.")]
    Full(usize),
    /// The address has this many connections, and may have no more.
    #[error("Too many connections from your address ({0}). Please close one.")]
    Crowded(usize),
}

/// Why a password is not checked, in words for whoever sent it: too many wrong ones came before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Too many wrong passwords from your address. Please try again in {}.", minutes(.wait))]
pub struct LockedOut {
    /// For how long no password is checked from now on.
    pub wait: Duration,
    /// Whether it is the first one that is not checked.
    pub first: bool,
}

/// A time in minutes, at least one.
fn minutes(time: &Duration) -> String {
    match time.as_secs().div_ceil(60) {
        0 | 1 => "1 minute".to_owned(),
        more => format!("{more} minutes"),
    }
}

impl Gate {
    /// A gate with these limits, before the first connection.
    #[must_use]
    pub fn new(limits: Limits) -> Gate {
        Gate { limits: Arc::new(limits), visitors: Arc::default() }
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    fn visitors(&self) -> MutexGuard<'_, Visitors> {
        self.visitors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a connection from an address; without one, it is within the process and always
    /// admitted.
    ///
    /// # Errors
    /// [`NotAdmitted`] if there are too many connections in all or from the address.
    pub fn admit(&self, address: Option<IpAddr>) -> Result<Pass, NotAdmitted> {
        let Some(address) = address.map(network) else {
            return Ok(Pass { gate: self.clone(), address: None });
        };
        let mut visitors = self.visitors();
        if visitors.connections >= self.limits.connections {
            return Err(NotAdmitted::Full(self.limits.connections));
        }
        let connections = visitors.by_address.entry(address).or_default();
        if *connections >= self.limits.connections_per_address {
            return Err(NotAdmitted::Crowded(*connections));
        }
        *connections += 1;
        visitors.connections += 1;
        Ok(Pass { gate: self.clone(), address: Some(address) })
    }
}

impl WrongPasswords {
    fn forget(&mut self, limits: &Limits) {
        if self.last.is_none_or(|last| last.elapsed() >= limits.refusal) {
            *self = WrongPasswords::default();
        }
    }
}

impl Visitors {
    /// Drops the sources with only forgotten wrong passwords, and then those that would be next.
    fn make_room(&mut self, limits: &Limits) {
        let recent = self.wrong.drain().filter_map(|(source, mut wrong)| {
            wrong.forget(limits);
            (wrong.count > 0).then_some((source, wrong))
        });
        let mut recent: Vec<(Source, WrongPasswords)> = recent.collect();
        let excess = recent.len().saturating_sub(KEPT_SOURCES);
        if excess > 0 {
            recent.sort_unstable_by_key(|(_, wrong)| wrong.last);
        }
        self.wrong.extend(recent.into_iter().skip(excess));
    }
}

impl Pass {
    /// The address of the connection, of IPv6 its network; `None` within the process.
    #[must_use]
    pub const fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// Where the passwords for an account come from; `None` within the process.
    fn source(&self, name: &str) -> Option<Source> {
        Some(match self.address? {
            // No account has a longer name.
            address if address.is_loopback() => Source::Loopback(name.chars().take(20).collect()),
            address => Source::Address(address),
        })
    }

    /// A password for an account is about to be checked: the delay of the answer if it is wrong.
    /// It counts as wrong until [`Pass::was_correct`], so that attempts at the same time count,
    /// too.
    ///
    /// # Errors
    /// [`LockedOut`] if there were too many wrong ones from the address.
    pub fn attempt(&self, name: &str) -> Result<Duration, LockedOut> {
        let Some(source) = self.source(name) else { return Ok(Duration::ZERO) };
        let limits = self.gate.limits();
        let mut visitors = self.gate.visitors();
        if visitors.wrong.len() >= MOST_SOURCES && !visitors.wrong.contains_key(&source) {
            visitors.make_room(limits);
        }
        let wrong = visitors.wrong.entry(source).or_default();
        wrong.forget(limits);
        if wrong.count >= limits.wrong_passwords {
            let first = wrong.count == limits.wrong_passwords;
            wrong.count = limits.wrong_passwords + 1;
            let since = wrong.last.map_or(Duration::ZERO, |last| last.elapsed());
            return Err(LockedOut { wait: limits.refusal.saturating_sub(since), first });
        }
        wrong.count += 1;
        wrong.last = Some(Instant::now());
        Ok(match wrong.count {
            1 => Duration::ZERO,
            n => Duration::from_secs(1 << (n - 2).min(4)),
        })
    }

    /// The password of the last attempt for an account was correct.
    pub fn was_correct(&self, name: &str) {
        let Some(source) = self.source(name) else { return };
        let mut visitors = self.gate.visitors();
        if let Some(wrong) = visitors.wrong.get_mut(&source) {
            wrong.count = wrong.count.saturating_sub(1);
            if wrong.count == 0 {
                visitors.wrong.remove(&source);
            }
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let Some(address) = self.address else { return };
        let mut visitors = self.gate.visitors();
        visitors.connections -= 1;
        if let Some(connections) = visitors.by_address.get_mut(&address) {
            *connections -= 1;
            if *connections == 0 {
                visitors.by_address.remove(&address);
            }
        }
    }
}

/// The address for the count of connections: of IPv6, which gives each customer at least 2^64
/// addresses, the first 64 bits.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        address if address.is_loopback() => address,
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().expect("an address"))
    }

    #[tokio::test(start_paused = true)]
    async fn answers_to_wrong_passwords_take_longer_each_time_until_the_address_is_refused() {
        let gate = Gate::new(Limits::default());
        let pass = gate.admit(address("192.0.2.1")).expect("the first");
        let delays: Vec<u64> =
            (0..10).map(|_| pass.attempt("ann").expect("not yet refused").as_secs()).collect();
        assert_eq!(delays, [0, 1, 2, 4, 8, 16, 16, 16, 16, 16]);
        let wait = Duration::from_secs(600);
        let refused = pass.attempt("ann").expect_err("the eleventh");
        assert_eq!(refused, LockedOut { wait, first: true });
        let words = "Too many wrong passwords from your address. Please try again in 10 minutes.";
        assert_eq!(refused.to_string(), words);
        tokio::time::advance(Duration::from_secs(590)).await;
        drop(pass);
        let pass = gate.admit(address("192.0.2.1")).expect("connections are not refused");
        let refused = pass.attempt("ann").expect_err("still");
        assert_eq!(refused, LockedOut { wait: Duration::from_secs(10), first: false });
        assert!(refused.to_string().ends_with("in 1 minute."), "{refused}");
        // Others are not concerned.
        let other = gate.admit(address("192.0.2.2")).expect("the first");
        assert_eq!(other.attempt("ann"), Ok(Duration::ZERO));
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(pass.attempt("ann"), Ok(Duration::ZERO));
    }

    #[tokio::test(start_paused = true)]
    async fn on_the_loopback_address_wrong_passwords_lock_their_own_account_only() {
        let gate = Gate::new(Limits::default());
        for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1"].map(address) {
            let pass = gate.admit(address).expect("a connection");
            while pass.attempt("eve").is_ok() {}
            assert_eq!(pass.attempt("ann"), Ok(Duration::ZERO), "{address:?}");
            pass.was_correct("ann");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn correct_passwords_do_not_count() {
        let gate = Gate::new(Limits::default());
        let pass = gate.admit(address("2001:db8::1")).expect("the first");
        for _ in 0..100 {
            assert_eq!(pass.attempt("ann"), Ok(Duration::ZERO));
            pass.was_correct("ann");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn of_too_many_sources_those_that_expire_first_are_forgotten() {
        let gate = Gate::new(Limits::default());
        let pass = gate.admit(address("::1")).expect("a connection");
        let second = Duration::from_secs(1);
        while pass.attempt("old").is_ok() {}
        tokio::time::advance(second).await;
        for n in 2..MOST_SOURCES {
            assert_eq!(pass.attempt(&n.to_string()), Ok(Duration::ZERO));
        }
        tokio::time::advance(second).await;
        while pass.attempt("new").is_ok() {}
        // One more attempt from a known source needs no room.
        assert!(pass.attempt("old").is_err());
        assert_eq!(gate.visitors().wrong.len(), MOST_SOURCES);
        assert_eq!(pass.attempt("another"), Ok(Duration::ZERO));
        assert_eq!(gate.visitors().wrong.len(), KEPT_SOURCES + 1);
        assert_eq!(pass.attempt("old"), Ok(Duration::ZERO));
        assert!(pass.attempt("new").is_err());
    }

    #[tokio::test]
    async fn connections_are_limited_by_address_and_in_all_until_one_ends() {
        let limits = Limits { connections: 3, connections_per_address: 2, ..Limits::default() };
        let gate = Gate::new(limits);
        let one = gate.admit(address("2001:db8::1")).expect("the first");
        let _two = gate.admit(address("2001:db8::2")).expect("the second of the network");
        let why = gate.admit(address("2001:db8::3")).expect_err("the third of the network");
        assert_eq!(why, NotAdmitted::Crowded(2));
        let _three = gate.admit(address("::ffff:192.0.2.1")).expect("another address");
        let why = gate.admit(address("192.0.2.7")).expect_err("the fourth in all");
        assert_eq!(why, NotAdmitted::Full(3));
        assert!(gate.admit(None).is_ok(), "a connection in the process");
        drop(one);
        assert!(gate.admit(address("2001:db8::3")).is_ok());
    }
}
