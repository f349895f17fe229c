//! Which workers are there.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::Client;
use futures_util::StreamExt;

use super::login::Say;
use super::message::{HELLO, MOST_NAME, PRESENCE, Presence, Welcome, plain};
use crate::same_program::Build;
use nonet_engine::progress::{from_bytes, to_bytes};

/// How often workers say that they are there.
pub(super) const EVERY: Duration = Duration::from_secs(1);

/// A worker that was not heard of for this long is gone.
const GONE: Duration = Duration::from_secs(4);

/// A worker that says that it has more slots is taken to have these.
///
/// The parts in the queue, and their size, depend on the slots.
const MOST_SLOTS: u32 = 4096;

/// At most this many workers of other builds are named.
const MOST_REFUSED: usize = 100;

/// Workers wait for answers here, and nothing is answered elsewhere: a coordinator may be allowed
/// to send what others may not.
const INBOX: &str = "_INBOX.";

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
        let (worker, slots) = (plain(&worker, MOST_NAME), slots.min(MOST_SLOTS));
        let mut known = self.known();
        if let Some(difference) = own.difference(&build) {
            if known.refused.len() < MOST_REFUSED && !known.refused.contains(&worker) {
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
            if let Some(reply) = message.reply.filter(|reply| reply.starts_with(INBOX)) {
                let _ = client.publish(reply, welcome.clone().into()).await;
            }
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_workers_say_of_themselves_has_bounds() {
        let (workers, own) = (Workers::default(), Build::own());
        let said = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&said);
        let say: Say = Arc::new(move |words: &str| {
            kept.lock().expect("no panic").push(words.to_owned());
        });
        let hear = |worker: &str, build: &Build, slots| {
            let (worker, build) = (worker.to_owned(), build.clone());
            workers.heard(Presence { worker, build, slots }, &own, &say);
        };
        hear("large", &own, u32::MAX);
        hear("\u{1b}c", &own, 1);
        assert_eq!(workers.count(), (2, u64::from(MOST_SLOTS) + 1));
        assert!(said.lock().expect("no panic").iter().all(|words| !words.contains('\u{1b}')));
        said.lock().expect("no panic").clear();
        let other = Build { version: "9.9.9".to_owned(), ..Build::own() };
        (0..1000).for_each(|number| hear(&number.to_string(), &other, 1));
        assert_eq!(said.lock().expect("no panic").len(), MOST_REFUSED);
        assert_eq!(workers.count().0, 2);
    }
}
