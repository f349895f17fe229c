//! Ctrl-C: the first asks the work to stop, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use nonet::progress::Progress;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The flag of this process that asks its work to stop.
static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The same flag, once the handlers are installed.
static HANDLED: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| {
    for signal in [SIGINT, SIGTERM] {
        // In this order: a signal ends the program only if an earlier one has set the flag. A
        // signal without a handler ends the program as it does by default: a run loses what came
        // after its last checkpoint.
        let _ = flag::register_conditional_shutdown(signal, EXIT_CODE, Arc::clone(&STOP))
            .and_then(|_| flag::register(signal, Arc::clone(&STOP)));
    }
    Arc::clone(&STOP)
});

/// 128 + SIGINT, as shells report it.
const EXIT_CODE: i32 = 130;

/// The error of interrupted work, where a part of the work is worth nothing.
pub(crate) const NOTHING_WRITTEN: &str = "interrupted: nothing was written";

/// A flag that is set by the first Ctrl-C or SIGTERM; the second one ends the program at once with
/// exit code 130.
pub(crate) fn on_interrupt() -> Arc<AtomicBool> {
    Arc::clone(&HANDLED)
}

/// A count of work that Ctrl-C stops.
pub(crate) fn interruptible() -> Progress {
    Progress::with_stop_flag(on_interrupt())
}

/// Whether a signal has asked the work of this process to stop.
pub(crate) fn interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}
