//! A bad line to put between a client and a server: everything that goes wrong on the real one, by the dice.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::sleep;

/// How bad a line is. Chances are 0..=1.
#[derive(Clone, Copy, Debug)]
pub struct Faults {
    /// Seed of everything below.
    pub seed: u64,
    /// That the connection is cut after a line from the server, or in its middle.
    pub cut: f64,
    /// That a command is lost.
    pub swallow: f64,
    /// That a board comes twice.
    pub repeat: f64,
    /// That a piece is held back, for up to `delay`.
    pub late: f64,
    /// The longest delay.
    pub delay: Duration,
}

/// What went wrong so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Figures {
    pub connections: u64,
    pub cuts: u64,
    pub swallowed: u64,
    pub repeated: u64,
    pub delayed: u64,
    /// Pieces that lines were cut into or glued together to.
    pub pieces: u64,
    /// Bytes from the server.
    pub bytes: u64,
}

/// A bad line; clones share its dice and its figures.
#[derive(Clone, Debug)]
pub struct FaultyLink(Arc<Mutex<FaultState>>);

#[derive(Debug)]
struct FaultState {
    faults: Faults,
    rng: Pcg64,
    figures: Figures,
}

impl FaultState {
    fn happens(&mut self, chance: f64) -> bool {
        f64::from(self.rng.next_u32()) / f64::from(u32::MAX) < chance
    }

    fn delay(&mut self) -> Option<Duration> {
        if !self.happens(self.faults.late) {
            return None;
        }
        self.figures.delayed += 1;
        let share = f64::from(self.rng.next_u32()) / f64::from(u32::MAX);
        Some(self.faults.delay.mul_f64(share))
    }
}

impl FaultyLink {
    /// A line as bad as that.
    #[must_use]
    pub fn new(faults: Faults) -> FaultyLink {
        let rng = Pcg64::seed_from_u64(faults.seed);
        FaultyLink(Arc::new(Mutex::new(FaultState { faults, rng, figures: Figures::default() })))
    }

    /// What went wrong so far.
    #[must_use]
    pub fn figures(&self) -> Figures {
        self.with(|state| state.figures)
    }

    fn with<T>(&self, f: impl FnOnce(&mut FaultState) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Carries bytes between the two until one of them ends or the line is cut.
    pub async fn relay<A, B>(self, client: A, server: B)
    where
        A: AsyncRead + AsyncWrite,
        B: AsyncRead + AsyncWrite,
    {
        self.with(|state| state.figures.connections += 1);
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
                        let lost = !login && state.happens(state.faults.swallow);
                        state.figures.swallowed += u64::from(lost);
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

/// Bytes, and how long they are held back.
type Piece = (Option<Duration>, Vec<u8>);

impl FaultState {
    /// Takes what has come, spoils it and cuts it into pieces; a board that is not whole yet stays.
    fn pieces(&mut self, held: &mut Vec<u8>) -> (Vec<Piece>, bool) {
        self.figures.bytes += held.len() as u64;
        let (mut out, mut cut) = (Vec::new(), false);
        while let Some(end) = held.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = held.drain(..=end).collect();
            out.extend_from_slice(&line);
            if line.starts_with(b"board:") && self.happens(self.faults.repeat) {
                self.figures.repeated += 1;
                out.extend_from_slice(&line);
            }
            if self.happens(self.faults.cut) {
                self.figures.cuts += 1;
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
            // Most pieces are whole, some are single bytes.
            let most = if self.happens(0.7) { rest.len() } else { rest.len().min(40) };
            let size = 1 + self.rng.next_u32() as usize % most;
            let size = if self.happens(0.5) { most } else { size };
            let (piece, left) = rest.split_at(size);
            pieces.push((self.delay(), piece.to_vec()));
            rest = left;
        }
        self.figures.pieces += pieces.len() as u64;
        (pieces, cut)
    }
}
