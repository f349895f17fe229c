//! The places of connections.
//!
//! When all are taken, a new client gets the place of the one that has kept the server waiting for
//! longest. That client sends nothing, sends half a request, or does not read its answers.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Bytes, HttpBody};
use axum::http::{Request, Response};
use futures_util::future::BoxFuture;
use hyper::body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};
use tower_service::Service;

/// How long an answer may wait for its client to read on.
const UNREAD: Duration = Duration::from_secs(10);

/// How long a client may keep the server waiting before it can lose its place to another.
const GRACE: Duration = Duration::from_secs(1);

/// Time between two looks for a place.
const LOOK: Duration = Duration::from_millis(100);

/// The places, and who has them.
pub(super) struct Slots {
    places: Arc<Semaphore>,
    taken: Mutex<Vec<Arc<Watch>>>,
}

/// A place that a client has; it is free again when this is dropped.
pub(super) struct Slot {
    slots: Arc<Slots>,
    watch: Arc<Watch>,
    _place: OwnedSemaphorePermit,
}

impl Slots {
    pub(super) fn new(most: usize) -> Arc<Slots> {
        Arc::new(Slots { places: Arc::new(Semaphore::new(most)), taken: Mutex::default() })
    }

    /// Waits for a place. If there is none, the client that keeps the server waiting loses its own.
    pub(super) async fn take(self: &Arc<Self>) -> Slot {
        loop {
            if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
                let watch = Arc::new(Watch::new());
                self.lock().push(Arc::clone(&watch));
                return Slot { slots: Arc::clone(self), watch, _place: place };
            }
            self.close_the_slowest();
            tokio::select! {
                // Given back at once: the place is taken above.
                _ = self.places.acquire() => {}
                () = sleep(LOOK) => {}
            }
        }
    }

    fn close_the_slowest(&self) {
        let taken = self.lock();
        let waiting = taken.iter().filter(|watch| watch.keeps_us_waiting());
        if let Some(slowest) = waiting.min_by_key(|watch| watch.last_moved()) {
            slowest.close.notify_one();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Watch>>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slot {
    pub(super) fn watch(&self) -> Arc<Watch> {
        Arc::clone(&self.watch)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.lock().retain(|watch| !Arc::ptr_eq(watch, &self.watch));
    }
}

/// What a connection waits for.
pub(super) struct Watch {
    begun: Instant,
    /// Milliseconds from the beginning to the last byte that came or went.
    last: AtomicU64,
    /// Requests that are being answered, their bodies read. A stream of events is one of them.
    answering: AtomicU32,
    /// An answer waits for its client to read on.
    unread: AtomicBool,
    /// Asks the connection to end.
    close: Notify,
}

impl Watch {
    fn new() -> Watch {
        Watch {
            begun: Instant::now(),
            last: AtomicU64::new(0),
            answering: AtomicU32::new(0),
            unread: AtomicBool::new(false),
            close: Notify::new(),
        }
    }

    /// Completes when the place is wanted for another client.
    pub(super) async fn wanted(&self) {
        self.close.notified().await;
    }

    fn moved(&self) {
        self.last.store(self.begun.elapsed().as_millis() as u64, Ordering::Relaxed);
    }

    /// When the last byte came or went.
    fn last_moved(&self) -> Instant {
        self.begun + Duration::from_millis(self.last.load(Ordering::Relaxed))
    }

    /// Whether the client, and not the server, is to act, and for longer than it may take.
    fn keeps_us_waiting(&self) -> bool {
        let ours = self.answering.load(Ordering::Relaxed) > 0;
        let theirs = !ours || self.unread.load(Ordering::Relaxed);
        theirs && self.last_moved().elapsed() > GRACE
    }
}

/// The bytes of a connection, watched. A write that waits too long for the client is an error.
pub(super) struct WatchedStream<S> {
    inner: S,
    watch: Arc<Watch>,
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<S> WatchedStream<S> {
    pub(super) fn new(inner: S, watch: Arc<Watch>) -> WatchedStream<S> {
        WatchedStream { inner, watch, deadline: None }
    }

    fn after_write<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        self.watch.unread.store(written.is_pending(), Ordering::Relaxed);
        if written.is_ready() {
            self.watch.moved();
            self.deadline = None;
            return written;
        }
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(UNREAD)));
        match deadline.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WatchedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.watch.moved();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WatchedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.after_write(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, parts);
        self.after_write(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

/// The requests of one connection: watched from the ends of their bodies to those of their answers.
#[derive(Clone)]
pub(super) struct WatchedService<S> {
    inner: S,
    watch: Arc<Watch>,
}

impl<S> WatchedService<S> {
    pub(super) const fn new(inner: S, watch: Arc<Watch>) -> WatchedService<S> {
        WatchedService { inner, watch }
    }
}

impl<S, B, A> Service<Request<B>> for WatchedService<S>
where
    S: Service<Request<WatchedBody<B>>, Response = Response<A>>,
    S::Future: Send + 'static,
    B: HttpBody<Data = Bytes> + Unpin,
{
    type Response = Response<WatchedAnswer<A>>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Self::Response, S::Error>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let work = Arc::new(Work { watch: Arc::clone(&self.watch), ours: AtomicBool::new(false) });
        if request.body().is_end_stream() {
            work.begin();
        }
        let theirs = Arc::clone(&work);
        let answer = self.inner.call(request.map(|inner| WatchedBody { inner, work: theirs }));
        Box::pin(async move {
            let answer = answer.await?;
            Ok(answer.map(|inner| WatchedAnswer { inner, _work: work }))
        })
    }
}

/// One request. It counts as the server's work from the end of its body to that of its answer.
struct Work {
    watch: Arc<Watch>,
    ours: AtomicBool,
}

impl Work {
    fn begin(&self) {
        if !self.ours.swap(true, Ordering::Relaxed) {
            self.watch.answering.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if *self.ours.get_mut() {
            self.watch.answering.fetch_sub(1, Ordering::Relaxed);
            self.watch.moved();
        }
    }
}

/// The body of a request, watched for its end.
pub(super) struct WatchedBody<B> {
    inner: B,
    work: Arc<Work>,
}

impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for WatchedBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let frame = Pin::new(&mut self.inner).poll_frame(cx);
        if matches!(frame, Poll::Ready(None)) || self.inner.is_end_stream() {
            self.work.begin();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// The body of an answer, which is the server's work until it is sent and dropped.
pub(super) struct WatchedAnswer<A> {
    inner: A,
    _work: Arc<Work>,
}

impl<A: HttpBody + Unpin> HttpBody for WatchedAnswer<A> {
    type Data = A::Data;
    type Error = A::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<A::Data>, A::Error>>> {
        Pin::new(&mut self.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::body::Body;
    use axum::routing::get;
    use futures_util::stream::pending;
    use std::convert::Infallible;

    #[tokio::test(start_paused = true)]
    async fn the_client_that_keeps_us_waiting_for_longest_loses_its_place() {
        let slots = Slots::new(2);
        let (first, second) = (slots.take().await, slots.take().await);
        sleep(Duration::from_secs(2)).await;
        // The first one is being answered, so it does not keep us waiting.
        first.watch().answering.store(1, Ordering::Relaxed);
        let watch = second.watch();
        tokio::spawn(async move {
            watch.wanted().await;
            drop(second);
        });
        let began = Instant::now();
        let third = slots.take().await;
        assert!(began.elapsed() < GRACE);
        assert_eq!(slots.lock().len(), 2);
        drop((first, third));
        assert!(slots.lock().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_waits_for_the_next_event_of_its_answer_does_not_keep_us_waiting() {
        let watch = Arc::new(Watch::new());
        let quiet = || async { Body::from_stream(pending::<Result<Bytes, Infallible>>()) };
        let routes: Router = Router::new().route("/", get(quiet));
        let mut service = WatchedService::new(routes, Arc::clone(&watch));
        let answer = service.call(Request::new(Body::empty())).await.expect("an answer");
        sleep(2 * GRACE).await;
        assert!(!watch.keeps_us_waiting(), "the server has the next event");
        drop(answer);
        sleep(2 * GRACE).await;
        assert!(watch.keeps_us_waiting(), "the client has the next request");
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_that_nobody_reads_ends() {
        use tokio::io::AsyncWriteExt;

        let (ours, _theirs) = tokio::io::duplex(16);
        let mut stream = WatchedStream::new(ours, Arc::new(Watch::new()));
        let began = Instant::now();
        let error = stream.write_all(&[0; 64]).await.expect_err("nobody reads");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!((UNREAD..2 * UNREAD).contains(&began.elapsed()));
    }
}
