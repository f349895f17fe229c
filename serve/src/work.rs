//! Places for work: quick answers, slow ones and work in the background wait in lines of their own.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::ApiError;
use crate::{ServeLimits, Workers};
use nonet_engine::progress::Progress;

/// The places.
pub(super) struct Work {
    quick: Arc<Semaphore>,
    slow: Arc<Semaphore>,
    background: Arc<Semaphore>,
    patience: Duration,
    workers: Workers,
}

impl Work {
    pub(super) fn new(limits: &ServeLimits, workers: Workers) -> Work {
        Work {
            quick: Arc::new(Semaphore::new(limits.quick)),
            slow: Arc::new(Semaphore::new(limits.slow)),
            background: Arc::new(Semaphore::new(limits.slow.saturating_sub(1).max(1))),
            patience: Duration::from_secs(limits.seconds / 2),
            workers,
        }
    }

    /// Does quick work on a thread that may block.
    pub(super) async fn quick<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        if self.workers != Workers::Threads {
            return Ok(work());
        }
        let place = self.place(&self.quick).await?;
        on_a_thread(place, work).await
    }

    /// Does slow work on a thread that may block.
    pub(super) async fn slow<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        match self.workers {
            Workers::Threads => {}
            Workers::Caller => return Err(elsewhere()),
            Workers::CallerAndSlow => return Ok(work()),
        }
        let place = self.slow_place().await?;
        on_a_thread(place, work).await
    }

    /// A place for slow work, which is held until it is dropped.
    pub(super) async fn slow_place(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        match self.workers {
            Workers::Threads => self.place(&self.slow).await,
            Workers::Caller => Err(elsewhere()),
            Workers::CallerAndSlow => patiently(&self.slow).await,
        }
    }

    /// A place for slow work that a person does not wait for, however long it takes. Such work has
    /// all slow places but one, and stands in the line of slow work once for each of its places. So
    /// it does not keep questions waiting, however much of it there is.
    pub(super) async fn background_place(&self) -> Result<BackgroundPlace, ApiError> {
        let background = patiently(&self.background).await?;
        Ok(BackgroundPlace { _slow: patiently(&self.slow).await?, _background: background })
    }

    async fn place(&self, line: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
        let place = tokio::time::timeout(self.patience, Arc::clone(line).acquire_owned()).await;
        place.map_err(|_| ApiError::busy())?.map_err(|_| ApiError::busy())
    }
}

/// A place for work in the background, which is held until it is dropped.
pub(super) struct BackgroundPlace {
    _slow: OwnedSemaphorePermit,
    _background: OwnedSemaphorePermit,
}

async fn patiently(line: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
    Arc::clone(line).acquire_owned().await.map_err(|_| ApiError::busy())
}

/// Stops the work when its client has gone: the future or the stream of its answer is dropped then.
pub(super) struct WhileAwaited(pub(super) Arc<Progress>);

impl Drop for WhileAwaited {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// This process does no slow work; another one may.
fn elsewhere() -> ApiError {
    let message = "this process does no slow work: ask the one that does";
    ApiError::new(StatusCode::MISDIRECTED_REQUEST, message).coded("elsewhere")
}

async fn on_a_thread<T: Send + 'static>(
    place: OwnedSemaphorePermit,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let done = blocking(move || {
        let result = work();
        drop(place);
        result
    });
    done.await
}

/// Does work on a thread that may block. Whoever asks is not told how it panics.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| ApiError::failed("the work has failed: this is a bug of nonet"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_in_the_background_leaves_a_place_for_questions() {
        let limits = ServeLimits { slow: 2, ..ServeLimits::default() };
        let work = Arc::new(Work::new(&limits, Workers::Threads));
        let first = work.background_place().await.expect("open");
        let others: Vec<_> = (0..5)
            .map(|_| {
                let work = Arc::clone(&work);
                tokio::spawn(async move { work.background_place().await.map(drop) })
            })
            .collect();
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        let question = work.slow_place();
        let place = tokio::time::timeout(Duration::from_secs(5), question).await;
        assert!(place.is_ok_and(|place| place.is_ok()), "a place is free");
        drop(first);
        for other in others {
            assert!(other.await.is_ok_and(|place| place.is_ok()), "each has its turn");
        }
    }
}
