//! Accepts connections: at most so many, and none that keeps the server waiting for ever.

use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tower_http::compression::Compression;

use crate::connection_slots::{Slots, WatchedService, WatchedStream};
use crate::requests::Requests;
use crate::{App, ServeError, router};

/// Seconds in which a client must have sent the head of a request.
const HEAD: Duration = Duration::from_secs(10);

/// Answers connections until `stop` completes; those that are open then are closed.
///
/// # Errors
/// [`ServeError::Accept`] if the socket fails for good.
pub async fn run(
    listener: TcpListener,
    app: Arc<App>,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let slots = Slots::new(app.config.limits.connections);
    let patience = Duration::from_secs(app.config.limits.seconds);
    let routes = router::router(Arc::clone(&app));
    let answers = Compression::new(Requests::new(Arc::clone(&app), routes, patience));
    let accept = async {
        let mut failures = 0;
        loop {
            // Accepted first: nobody loses a place to a client that does not come.
            let stream = match listener.accept().await {
                Ok((stream, _)) => stream,
                // A client that is gone again, or no file handle for the moment.
                Err(_) if failures < 100 => {
                    failures += 1;
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
                Err(error) => return Err(ServeError::Accept(error)),
            };
            failures = 0;
            let _ = stream.set_nodelay(true);
            let slot = slots.take().await;
            let watch = slot.watch();
            let service = WatchedService::new(answers.clone(), Arc::clone(&watch));
            let stream = WatchedStream::new(stream, Arc::clone(&watch));
            tokio::spawn(async move {
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEAD)
                    .max_buf_size(64 << 10)
                    .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
                // A connection that breaks is the client's affair.
                tokio::select! {
                    _ = connection => {}
                    () = watch.wanted() => {}
                }
                drop(slot);
            });
        }
    };
    tokio::select! {
        ended = accept => ended,
        () = stop => Ok(()),
    }
}
