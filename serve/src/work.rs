//! Places for work: quick answers and slow ones wait in lines of their own.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::ApiError;
use crate::{ServeLimits, Workers};

/// The places.
pub(super) struct Work {
    quick: Arc<Semaphore>,
    slow: Arc<Semaphore>,
    patience: Duration,
    workers: Workers,
}

impl Work {
    pub(super) fn new(limits: &ServeLimits, workers: Workers) -> Work {
        Work {
            quick: Arc::new(Semaphore::new(limits.quick)),
            slow: Arc::new(Semaphore::new(limits.slow)),
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
            Workers::CallerAndSlow => self.slow_place_patiently().await,
        }
    }

    /// The same, however long it takes.
    pub(super) async fn slow_place_patiently(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        Arc::clone(&self.slow).acquire_owned().await.map_err(|_| ApiError::busy())
    }

    async fn place(&self, line: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
        let place = tokio::time::timeout(self.patience, Arc::clone(line).acquire_owned()).await;
        place.map_err(|_| ApiError::busy())?.map_err(|_| ApiError::busy())
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
