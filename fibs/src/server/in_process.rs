//! Connections to a server in the same process, without a network, for tests on paused time.

use std::io;

use tokio::io::{DuplexStream, duplex};

use super::{FaultyLink, Server};
use crate::client::Connect;

/// Connects to a server in the same process, over a [`FaultyLink`] if one is given. It needs a tokio runtime.
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
