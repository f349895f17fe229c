//! Which workers are there.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::Client;
use futures_util::StreamExt;

use super::login::Say;
use super::message::{HELLO, PRESENCE, Presence, Welcome};
use crate::same_program::Build;
use nonet_engine::progress::{from_bytes, to_bytes};

/// How often workers say that they are there.
pub(super) const EVERY: Duration = Duration::from_secs(1);

/// A worker that was not heard of for this long is gone.
const GONE: Duration = Duration::from_secs(4);

/// The workers that a dispatcher knows.
#[derive(Clone, Default)]
pub(super) struct Workers(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    /// Slots, and when they were last heard of, by name.
    workers: BTreeMap<String, (u32, Instant)>,
    /// Workers of other builds, which were named.
    refused: Vec<String>,
    /// When the last worker was there.
    last: Option<Instant>,
}

impl Workers {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many workers are there, and how many parts they do at the same time.
    pub(super) fn count(&self) -> (u64, u64) {
        let mut known = self.known();
        known.workers.retain(|_, (_, heard)| heard.elapsed() < GONE);
        if !known.workers.is_empty() {
            known.last = Some(Instant::now());
        }
        let slots = known.workers.values().map(|(slots, _)| u64::from(*slots)).sum();
        (known.workers.len() as u64, slots)
    }

    /// When the last worker was there.
    pub(super) fn last(&self) -> Option<Instant> {
        self.known().last
    }

    fn heard(&self, presence: Presence, own: &Build, say: &Say) {
        let Presence { worker, build, slots } = presence;
        let mut known = self.known();
        if let Some(difference) = own.difference(&build) {
            if !known.refused.contains(&worker) {
                say(&format!(
                    "the worker {worker} gets no work: {difference}; install the same program on both"
                ));
                known.refused.push(worker);
            }
        } else if slots == 0 {
            known.workers.remove(&worker);
        } else {
            if known.workers.insert(worker.clone(), (slots, Instant::now())).is_none() {
                let threads = if slots == 1 { "thread" } else { "threads" };
                say(&format!("the worker {worker} is there, {slots} {threads}"));
            }
            known.last = Some(Instant::now());
        }
    }
}

/// Listens for workers and answers their hellos until the runtime ends.
pub(super) async fn watch(
    client: Client,
    own: Build,
    workers: Workers,
    say: Say,
) -> Result<(), String> {
    let failed = |error: async_nats::SubscribeError| error.to_string();
    let mut presence = client.subscribe(format!("{PRESENCE}.*")).await.map_err(failed)?;
    let mut hellos = client.subscribe(HELLO).await.map_err(failed)?;
    let welcome = to_bytes(&Welcome { build: own.clone() });
    tokio::spawn(async move {
        loop {
            let message = tokio::select! {
                message = presence.next() => message,
                message = hellos.next() => message,
            };
            let Some(message) = message else { return };
            if let Ok(found) = from_bytes::<Presence>(&message.payload) {
                workers.heard(found, &own, &say);
            }
            if let Some(reply) = message.reply {
                let _ = client.publish(reply, welcome.clone().into()).await;
            }
        }
    });
    Ok(())
}
