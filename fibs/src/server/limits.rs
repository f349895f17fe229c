//! Limits of a server: deadlines, numbers of connections, and wrong passwords in series.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The limits of a server.
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
    /// delayed twice as long as the one before, from 1 s to 16 s.
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

/// What the server knows of one address.
#[derive(Debug, Default)]
struct Visitor {
    connections: usize,
    /// Passwords that were wrong or are being checked.
    wrong: u32,
    last: Option<Instant>,
}

/// All connections by address.
#[derive(Debug, Default)]
struct Visitors {
    connections: usize,
    by_address: HashMap<IpAddr, Visitor>,
}

/// Counts connections and wrong passwords; clones share the counts.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    limits: Arc<Limits>,
    visitors: Arc<Mutex<Visitors>>,
}

/// The permission of one connection; the connection counts until it is dropped.
#[derive(Debug)]
pub(super) struct Pass {
    gate: Gate,
    /// `None` for a connection within the process, which no limit concerns.
    address: Option<IpAddr>,
}

/// Why a password is not checked: the address has sent too many wrong ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    /// How long the address is refused from now on.
    pub(super) wait: Duration,
    /// Whether this is the first refusal.
    pub(super) first: bool,
}

impl Gate {
    pub(super) fn new(limits: Limits) -> Gate {
        Gate { limits: Arc::new(limits), visitors: Arc::default() }
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    fn visitors(&self) -> MutexGuard<'_, Visitors> {
        self.visitors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a connection, or says why not.
    pub(super) fn admit(&self, address: Option<IpAddr>) -> Result<Pass, String> {
        let Some(address) = address.map(network) else {
            return Ok(Pass { gate: self.clone(), address: None });
        };
        let mut visitors = self.visitors();
        if visitors.connections >= self.limits.connections {
            let n = self.limits.connections;
            return Err(format!(
                "** The server is full ({n} connections). Please try again later."
            ));
        }
        // Addresses that are of no interest any more are dropped now and then.
        if visitors.by_address.len() > 10_000 {
            visitors.by_address.retain(|_, visitor| !visitor.is_forgotten(&self.limits));
        }
        let visitor = visitors.by_address.entry(address).or_default();
        if visitor.connections >= self.limits.connections_per_address {
            let n = visitor.connections;
            return Err(format!(
                "** Too many connections from your address ({n}). Please close one."
            ));
        }
        visitor.connections += 1;
        visitors.connections += 1;
        Ok(Pass { gate: self.clone(), address: Some(address) })
    }
}

impl Visitor {
    fn forget(&mut self, limits: &Limits) {
        if self.last.is_none_or(|last| last.elapsed() >= limits.refusal) {
            (self.wrong, self.last) = (0, None);
        }
    }

    fn is_forgotten(&mut self, limits: &Limits) -> bool {
        self.forget(limits);
        self.connections == 0 && self.wrong == 0
    }
}

impl Pass {
    pub(super) fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// A password is about to be checked: the delay of the answer if it is wrong. It counts as
    /// wrong until [`Pass::was_correct`], so that attempts at the same time count, too.
    ///
    /// # Errors
    /// If there were too many wrong ones from the address.
    pub(super) fn attempt(&self) -> Result<Duration, Refused> {
        let Some(address) = self.address else { return Ok(Duration::ZERO) };
        let limits = self.gate.limits();
        let mut visitors = self.gate.visitors();
        let visitor = visitors.by_address.entry(address).or_default();
        visitor.forget(limits);
        if visitor.wrong >= limits.wrong_passwords {
            let first = visitor.wrong == limits.wrong_passwords;
            visitor.wrong = limits.wrong_passwords + 1;
            let since = visitor.last.map_or(Duration::ZERO, |last| last.elapsed());
            return Err(Refused { wait: limits.refusal.saturating_sub(since), first });
        }
        visitor.wrong += 1;
        visitor.last = Some(Instant::now());
        Ok(match visitor.wrong {
            1 => Duration::ZERO,
            n => Duration::from_secs(1 << (n - 2).min(4)),
        })
    }

    /// The password of the last attempt was correct.
    pub(super) fn was_correct(&self) {
        if let Some(address) = self.address
            && let Some(visitor) = self.gate.visitors().by_address.get_mut(&address)
        {
            visitor.wrong = visitor.wrong.saturating_sub(1);
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let Some(address) = self.address else { return };
        let mut visitors = self.gate.visitors();
        visitors.connections -= 1;
        if let Some(visitor) = visitors.by_address.get_mut(&address) {
            visitor.connections -= 1;
            if visitor.is_forgotten(&self.gate.limits) {
                visitors.by_address.remove(&address);
            }
        }
    }
}

/// The address whose connections are counted together: of IPv6, which gives each customer at least
/// 2^64 addresses, the first 64 bits.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
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
            (0..10).map(|_| pass.attempt().expect("not yet refused").as_secs()).collect();
        assert_eq!(delays, [0, 1, 2, 4, 8, 16, 16, 16, 16, 16]);
        let wait = Duration::from_secs(600);
        assert_eq!(pass.attempt(), Err(Refused { wait, first: true }));
        tokio::time::advance(Duration::from_secs(590)).await;
        drop(pass);
        let pass = gate.admit(address("192.0.2.1")).expect("connections are not refused");
        assert_eq!(pass.attempt(), Err(Refused { wait: Duration::from_secs(10), first: false }));
        // Others are not concerned.
        let other = gate.admit(address("192.0.2.2")).expect("the first");
        assert_eq!(other.attempt(), Ok(Duration::ZERO));
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(pass.attempt(), Ok(Duration::ZERO));
    }

    #[tokio::test(start_paused = true)]
    async fn correct_passwords_do_not_count() {
        let gate = Gate::new(Limits::default());
        let pass = gate.admit(address("2001:db8::1")).expect("the first");
        for _ in 0..100 {
            assert_eq!(pass.attempt(), Ok(Duration::ZERO));
            pass.was_correct();
        }
    }

    #[tokio::test]
    async fn connections_are_limited_by_address_and_in_all_until_one_ends() {
        let limits = Limits { connections: 3, connections_per_address: 2, ..Limits::default() };
        let gate = Gate::new(limits);
        let one = gate.admit(address("2001:db8::1")).expect("the first");
        let _two = gate.admit(address("2001:db8::2")).expect("the second of the network");
        let why = gate.admit(address("2001:db8::3")).expect_err("the third of the network");
        assert!(why.starts_with("** Too many connections from your address"), "{why}");
        let _three = gate.admit(address("::ffff:192.0.2.1")).expect("another address");
        let why = gate.admit(address("192.0.2.7")).expect_err("the fourth in all");
        assert!(why.starts_with("** The server is full"), "{why}");
        assert!(gate.admit(None).is_ok(), "a connection in the process");
        drop(one);
        assert!(gate.admit(address("2001:db8::3")).is_ok());
    }
}
