//! What `nonet fibs` and `nonet bgammon` share: options, locks, files and reports of a bot.

pub(super) mod account_lock;
pub(super) mod demo;
pub(super) mod engine;
mod learning;
pub(super) mod observation;
pub(super) mod password;
pub(super) mod playing;
pub(super) mod report;

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Runs a future to its end on this thread.
pub(super) fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// Completes when the flag is set.
pub(super) async fn is_set(flag: Arc<AtomicBool>) {
    while !flag.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
