//! In-process connections without a network, for tests on paused time.

use std::io;

use tokio::io::{DuplexStream, duplex};

use super::{FaultyLink, Server};
use crate::client::Connect;

/// Connections to a server in the same process, over a [`FaultyLink`] if one is given. They need a tokio runtime.
#[derive(Clone, Debug)]
pub struct MemoryConnector {
    server: Server,
    line: Option<FaultyLink>,
}

impl MemoryConnector {
    /// Connections to this server over this link.
    #[must_use]
    pub fn new(server: &Server, line: Option<&FaultyLink>) -> MemoryConnector {
        MemoryConnector { server: server.clone(), line: line.cloned() }
    }
}

/// The most bytes in transit in one direction.
const ROOM: usize = 1 << 16;

impl Connect for MemoryConnector {
    type Stream = DuplexStream;

    async fn connect(&mut self) -> io::Result<DuplexStream> {
        let (client, near) = duplex(ROOM);
        let served = match &self.line {
            None => near,
            Some(line) => {
                let (far, served) = duplex(ROOM);
                tokio::spawn(line.clone().relay(near, far));
                served
            }
        };
        tokio::spawn(self.server.clone().serve(served));
        Ok(client)
    }
}
