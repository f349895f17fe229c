//! Accepts connections: a limited number, and none that keeps the server waiting for ever.

use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tower_http::compression::Compression;

use crate::connection_slots::{Slots, WatchedService, WatchedStream};
use crate::requests::Requests;
use crate::{App, router};

/// Seconds in which a client must have sent the head of a request.
const HEAD: Duration = Duration::from_secs(10);

/// Pause after a connection that could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Answers connections until `stop` completes; those that are open then are closed. A connection
/// that cannot be accepted, for want of a file handle for example, ends nothing: the client that
/// comes next is tried.
pub async fn run(listener: TcpListener, app: Arc<App>, stop: impl Future<Output = ()>) {
    let slots = Slots::new(app.config.limits.connections);
    let patience = Duration::from_secs(app.config.limits.seconds);
    let routes = router::router(Arc::clone(&app));
    let answers = Requests::new(Arc::clone(&app), routes, patience);
    let accept = async {
        let mut failing = false;
        loop {
            // Accepted before a place is taken: a client that does not come takes none.
            let stream = match listener.accept().await {
                Ok((stream, _)) => stream,
                Err(error) => {
                    if !std::mem::replace(&mut failing, true) {
                        tracing::warn!("cannot accept connections, and tries again: {error}");
                    }
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            failing = false;
            let _ = stream.set_nodelay(true);
            let slot = slots.take().await;
            let watch = slot.watch();
            let service = WatchedService::new(answers.clone(), Arc::clone(&watch));
            let service = TowerToHyperService::new(Compression::new(service));
            let stream = WatchedStream::new(stream, Arc::clone(&watch));
            tokio::spawn(async move {
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEAD)
                    .max_buf_size(64 << 10)
                    .serve_connection(TokioIo::new(stream), service);
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
        () = accept => {}
        () = stop => {}
    }
}
