//! Connections to a server in the same process, without a network, for tests on paused time.

use std::io;

use tokio::io::{DuplexStream, duplex};

use super::{FaultyLink, Server};
#[cfg(feature = "virtual-clock")]
use crate::agent::Agent;
use crate::client::Connect;
#[cfg(feature = "virtual-clock")]
use crate::client::{End, Notice, run};
#[cfg(feature = "virtual-clock")]
use crate::session::Config;
#[cfg(feature = "virtual-clock")]
use std::future::{pending, poll_fn};
#[cfg(feature = "virtual-clock")]
use std::task::Poll;

/// Connects to a server in the same process, over a [`FaultyLink`] if one is given. It needs a
/// tokio runtime.
#[derive(Clone, Debug)]
pub struct InProcessConnector {
    server: Server,
    link: Option<FaultyLink>,
}

impl InProcessConnector {
    /// A connector to this server over this link.
    #[must_use]
    pub fn new(server: &Server, link: Option<&FaultyLink>) -> InProcessConnector {
        InProcessConnector { server: server.clone(), link: link.cloned() }
    }
}

/// The most bytes in transit in one direction.
const ROOM: usize = 1 << 16;

impl Connect for InProcessConnector {
    type Stream = DuplexStream;

    async fn connect(&mut self) -> io::Result<DuplexStream> {
        let (client, near) = duplex(ROOM);
        let served = match &self.link {
            None => near,
            Some(link) => {
                let (far, served) = duplex(ROOM);
                tokio::spawn(link.clone().relay(near, far));
                served
            }
        };
        tokio::spawn(self.server.clone().serve(served));
        Ok(client)
    }
}

/// The longest that a match may take on the virtual clock.
#[cfg(feature = "virtual-clock")]
const LONGEST_MATCH: std::time::Duration = std::time::Duration::from_secs(24 * 3600);

/// Runs two clients of `server` until the agent of the first one quits.
///
/// On its virtual clock, waits take no time, and everything happens in the same order each time.
/// The answer is `None` in these cases:
///
/// - The second client ends earlier.
/// - A day has passed on that clock.
/// - `given_up` is true. A game without a wait takes no time on the clock, however long it is.
///
/// # Errors
/// If the runtime cannot be started.
///
/// # Panics
/// Inside of a tokio runtime.
#[cfg(feature = "virtual-clock")]
pub fn play_in_process(
    server: &Server,
    first: (Config, &mut dyn Agent),
    second: (Config, &mut dyn Agent),
    given_up: &dyn Fn() -> bool,
) -> io::Result<Option<End>> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
    let mut connectors = [(); 2].map(|()| InProcessConnector::new(server, None));
    let [near, far] = &mut connectors;
    Ok(runtime.block_on(async {
        tokio::select! {
            biased;
            end = run(near, first.0, first.1, pending(), |_: Notice| {}) => Some(end),
            _ = run(far, second.0, second.1, pending(), |_: Notice| {}) => None,
            () = poll_fn(|_| if given_up() { Poll::Ready(()) } else { Poll::Pending }) => None,
            () = tokio::time::sleep(LONGEST_MATCH) => None,
        }
    }))
}
