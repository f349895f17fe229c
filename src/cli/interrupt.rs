//! Ctrl-C: the first asks the work to stop, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// The flag of this process that asks its work to stop.
static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Asks the work to stop, as the first Ctrl-C does.
pub(crate) fn interrupt() {
    STOP.store(true, Ordering::Relaxed);
}

/// A flag that is set by the first Ctrl-C (or a request to terminate); the second one exits at once with 130.
pub(crate) fn on_interrupt() -> Arc<AtomicBool> {
    let flag = Arc::clone(&STOP);
    let set = Arc::clone(&flag);
    // Without this thread Ctrl-C would end the program as it always does: nothing is lost but the last minutes.
    let _ = std::thread::Builder::new().name("interrupt".into()).spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
            return;
        };
        runtime.block_on(async {
            asked().await;
            set.store(true, Ordering::Relaxed);
            asked().await;
            std::process::exit(130);
        });
    });
    flag
}

#[cfg(unix)]
async fn asked() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        },
        Err(_) => {
            let _ = tokio::signal::ctrl_c().await;
        }
    }
}

#[cfg(not(unix))]
async fn asked() {
    let _ = tokio::signal::ctrl_c().await;
}
