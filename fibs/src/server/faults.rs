//! An unreliable link between a client and a server, for tests: it loses, delays, splits, joins and
//! repeats data at random.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::sleep;

/// The kinds of faults of a link and their probabilities, each 0..=1.
#[derive(Clone, Copy, Debug)]
pub struct FaultConfig {
    /// Seed of the random faults.
    pub seed: u64,
    /// Probability for each line of the server that the connection is cut after it or within it.
    pub cut: f64,
    /// Probability that a command is lost.
    pub swallow: f64,
    /// Probability that a board is sent twice.
    pub repeat: f64,
    /// Probability that a packet is delayed, by up to `delay`.
    pub late: f64,
    /// The longest delay.
    pub delay: Duration,
}

/// Number of faults so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct FaultCounts {
    pub connections: u64,
    pub cuts: u64,
    pub swallowed: u64,
    pub repeated: u64,
    pub delayed: u64,
    /// Packets that the lines were split or joined into.
    pub pieces: u64,
    /// Bytes from the server.
    pub bytes: u64,
}

/// An unreliable link; clones share its random numbers and its counts.
#[derive(Clone, Debug)]
pub struct FaultyLink(Arc<Mutex<FaultState>>);

#[derive(Debug)]
struct FaultState {
    config: FaultConfig,
    rng: Pcg64,
    counts: FaultCounts,
}

impl FaultState {
    fn happens(&mut self, chance: f64) -> bool {
        f64::from(self.rng.next_u32()) / f64::from(u32::MAX) < chance
    }

    fn delay(&mut self) -> Option<Duration> {
        if !self.happens(self.config.late) {
            return None;
        }
        self.counts.delayed += 1;
        let share = f64::from(self.rng.next_u32()) / f64::from(u32::MAX);
        Some(self.config.delay.mul_f64(share))
    }
}

impl FaultyLink {
    /// A link with these faults.
    #[must_use]
    pub fn new(config: FaultConfig) -> FaultyLink {
        let rng = Pcg64::seed_from_u64(config.seed);
        FaultyLink(Arc::new(Mutex::new(FaultState { config, rng, counts: FaultCounts::default() })))
    }

    /// Number of faults so far.
    #[must_use]
    pub fn counts(&self) -> FaultCounts {
        self.with(|state| state.counts)
    }

    fn with<T>(&self, f: impl FnOnce(&mut FaultState) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Relays bytes between client and server until one of them closes the connection or the link
    /// is cut.
    pub async fn relay<A, B>(self, client: A, server: B)
    where
        A: AsyncRead + AsyncWrite,
        B: AsyncRead + AsyncWrite,
    {
        self.with(|state| state.counts.connections += 1);
        let (mut from_client, mut to_client) = tokio::io::split(client);
        let (mut from_server, mut to_server) = tokio::io::split(server);
        let up = async {
            let (mut buffer, mut line) = (vec![0; 1024], Vec::new());
            'line: while let Ok(n @ 1..) = from_client.read(&mut buffer).await {
                for &byte in &buffer[..n] {
                    line.push(byte);
                    if byte != b'\n' {
                        continue;
                    }
                    let login = line.starts_with(b"login ");
                    let (lost, delay) = self.with(|state| {
                        let lost = !login && state.happens(state.config.swallow);
                        state.counts.swallowed += u64::from(lost);
                        (lost, state.delay())
                    });
                    if let Some(delay) = delay {
                        sleep(delay).await;
                    }
                    let whole = std::mem::take(&mut line);
                    if !lost && to_server.write_all(&whole).await.is_err() {
                        break 'line;
                    }
                }
            }
        };
        let down = async {
            let (mut buffer, mut held) = (vec![0; 1024], Vec::new());
            while let Ok(n @ 1..) = from_server.read(&mut buffer).await {
                held.extend_from_slice(&buffer[..n]);
                let (pieces, cut) = self.with(|state| state.pieces(&mut held));
                for (delay, piece) in pieces {
                    if let Some(delay) = delay {
                        sleep(delay).await;
                    }
                    if to_client.write_all(&piece).await.is_err() {
                        return;
                    }
                }
                if cut {
                    return;
                }
            }
        };
        tokio::select! {
            biased;
            () = up => {}
            () = down => {}
        }
    }
}

/// A packet and its delay.
type DelayedPacket = (Option<Duration>, Vec<u8>);

impl FaultState {
    /// Applies the faults to the received bytes and splits them into packets; an incomplete board
    /// line stays in `held`. The second value says whether the connection is cut.
    fn pieces(&mut self, held: &mut Vec<u8>) -> (Vec<DelayedPacket>, bool) {
        self.counts.bytes += held.len() as u64;
        let (mut out, mut cut) = (Vec::new(), false);
        while let Some(end) = held.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = held.drain(..=end).collect();
            out.extend_from_slice(&line);
            if line.starts_with(b"board:") && self.happens(self.config.repeat) {
                self.counts.repeated += 1;
                out.extend_from_slice(&line);
            }
            if self.happens(self.config.cut) {
                self.counts.cuts += 1;
                let keep = self.rng.next_u32() as usize % (line.len() + 1);
                out.truncate(out.len() - line.len() + keep);
                cut = true;
                break;
            }
        }
        if !cut && !held.starts_with(b"board:") {
            out.append(held);
        }
        let mut pieces = Vec::new();
        let mut rest = out.as_slice();
        while !rest.is_empty() {
            // Most packets are long, some are single bytes.
            let most = if self.happens(0.7) { rest.len() } else { rest.len().min(40) };
            let size = 1 + self.rng.next_u32() as usize % most;
            let size = if self.happens(0.5) { most } else { size };
            let (piece, left) = rest.split_at(size);
            pieces.push((self.delay(), piece.to_vec()));
            rest = left;
        }
        self.counts.pieces += pieces.len() as u64;
        (pieces, cut)
    }
}
