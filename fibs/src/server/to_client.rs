//! The way of packets from the server's state to a client, with a limit for those that wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// A client for which this many bytes wait reads too slowly, and is disconnected.
pub(super) const BACKLOG: usize = 1 << 20;

/// The end of the state. Once it is dropped, the client gets the packets that wait, and no more.
#[derive(Debug)]
pub(super) struct ToClient {
    packets: UnboundedSender<Vec<u8>>,
    /// Bytes that wait for the client.
    waiting: Arc<AtomicUsize>,
}

/// The end of the connection.
#[derive(Debug)]
pub(super) struct Outbox {
    packets: UnboundedReceiver<Vec<u8>>,
    waiting: Arc<AtomicUsize>,
}

/// Both ends of a new way.
pub(super) fn to_client() -> (ToClient, Outbox) {
    let (sender, receiver) = unbounded_channel();
    let waiting = Arc::<AtomicUsize>::default();
    let to_client = ToClient { packets: sender, waiting: Arc::clone(&waiting) };
    (to_client, Outbox { packets: receiver, waiting })
}

impl ToClient {
    /// Lets a packet wait for the client. Returns whether there was room before, whatever the
    /// packet's length: a long answer disconnects no client.
    pub(super) fn send(&self, packet: Vec<u8>) -> bool {
        let before = self.waiting.fetch_add(packet.len(), Ordering::Relaxed);
        before < BACKLOG && self.packets.send(packet).is_ok()
    }
}

impl Outbox {
    /// The next packet; `None` if the server has closed the connection.
    pub(super) async fn next(&mut self) -> Option<Vec<u8>> {
        self.packets.recv().await
    }

    /// The client has got this many bytes.
    pub(super) fn written(&self, bytes: usize) {
        self.waiting.fetch_sub(bytes, Ordering::Relaxed);
    }
}
