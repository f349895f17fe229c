//! Long work without the interpreter's lock: threads, progress, and Ctrl-C.

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nonet::progress::Progress;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Time between two looks at signals and at the progress.
const PAUSE: Duration = Duration::from_millis(50);

/// The pools of one process, by their number of threads.
struct Pools {
    process: u32,
    by_threads: HashMap<usize, Arc<ThreadPool>>,
}

static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

/// The pool of `threads` threads, 0 for one per processor.
///
/// A process that was made by `fork` gets pools of its own. It has none of its parent's threads and
/// would wait for them for ever. Python's `multiprocessing` makes such processes on Linux.
pub(crate) fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if pools.as_ref().is_some_and(|pools| pools.process != process) {
        // Not dropped: that would notify threads that do not exist here.
        std::mem::forget(pools.take());
    }
    let pools = pools.get_or_insert_with(|| Pools { process, by_threads: HashMap::new() });
    if let Some(pool) = pools.by_threads.get(&threads) {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool
        .map_err(|error| PyOSError::new_err(format!("cannot start {threads} threads: {error}")))?;
    let pool = Arc::new(pool);
    pools.by_threads.insert(threads, Arc::clone(&pool));
    Ok(pool)
}

/// Does `work` on a pool in a thread of its own, while this one looks after signals.
///
/// This thread calls `seen` with the count of `progress`, some twenty times a second and once at
/// the end. An exception of a signal or of `seen` stops `progress` and is raised at once. The work
/// then ends by itself, and what it returns is lost.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    threads: usize,
    progress: &Arc<Progress>,
    mut seen: impl FnMut(u64) -> PyResult<()>,
    work: impl FnOnce(&Progress) -> T + Send + 'static,
) -> PyResult<T> {
    let pool = pool(threads)?;
    let (sender, mut receiver) = sync_channel(1);
    let theirs = Arc::clone(progress);
    let worker = std::thread::Builder::new().name("nonet".to_owned()).spawn(move || {
        // There is no receiver any more after an interruption.
        let _ = sender.send(pool.install(|| work(&theirs)));
    });
    let mut worker = Some(
        worker.map_err(|error| PyOSError::new_err(format!("cannot start a thread: {error}")))?,
    );
    loop {
        let (next, back) = py.detach(move || (receiver.recv_timeout(PAUSE), receiver));
        receiver = back;
        match next {
            Ok(done) => {
                seen(progress.done())?;
                return Ok(done);
            }
            Err(RecvTimeoutError::Timeout) => {
                let checked = py.check_signals().and_then(|()| seen(progress.done()));
                if let Err(error) = checked {
                    progress.stop();
                    return Err(error);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                // The worker panicked: PyO3 makes an exception of it here.
                match worker.take().map(std::thread::JoinHandle::join) {
                    Some(Err(panic)) => resume_unwind(panic),
                    _ => unreachable!("a worker that ends has sent its answer or panicked"),
                }
            }
        }
    }
}

/// Calls a Python function `progress(done, total)` whenever the count has changed.
pub(crate) fn show<'py>(
    callback: Option<&'py Bound<'py, PyAny>>,
    total: u64,
) -> impl FnMut(u64) -> PyResult<()> + 'py {
    let mut shown = None;
    move |done| {
        if let Some(callback) = callback
            && shown != Some(done)
        {
            shown = Some(done);
            callback.call1((done, total))?;
        }
        Ok(())
    }
}
