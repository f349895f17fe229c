//! What happens to every request, whatever its address:
//!
//! - whether it may be asked at all.
//! - how long an answer may take.
//! - a bug in a handler: its panic ends this request, not the server.
//! - the log of failures.
//! - the headers of all answers.
//!
//! One service instead of a stack of layers: each layer around a `Router` costs every request
//! several allocations.

use std::any::Any;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tower_http::timeout::TimeoutBody;
use tower_service::Service;

use crate::error::{ApiError, Failure};
use crate::{App, guard};

/// Answers requests by routes.
#[derive(Clone)]
pub(super) struct Requests {
    app: Arc<App>,
    routes: Router,
    /// How long a part of a body, and an answer, may take.
    patience: Duration,
}

impl Requests {
    pub(super) fn new(app: Arc<App>, routes: Router, patience: Duration) -> Requests {
        Requests { app, routes, patience }
    }
}

impl<B> Service<Request<B>> for Requests
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let Requests { app, mut routes, patience } = self.clone();
        Box::pin(async move {
            let mut response = match guard::check(&app, request.headers(), request.uri()) {
                Ok(()) => answer(&mut routes, request, patience).await,
                Err(error) => error.into_response(),
            };
            guard::add_headers(response.headers_mut());
            Ok(response)
        })
    }
}

/// The answer of the routes, or why there is none.
async fn answer<B>(routes: &mut Router, request: Request<B>, patience: Duration) -> Response
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let request = request.map(|body| Body::new(TimeoutBody::new(patience, body)));
    let answer = AssertUnwindSafe(routes.call(request)).catch_unwind();
    let response = match tokio::time::timeout(patience, answer).await {
        Ok(Ok(Ok(response))) => response,
        Ok(Err(panic)) => after_panic(&*panic),
        Err(_) => {
            let message = format!("no answer within {} seconds: ask for less", patience.as_secs());
            ApiError::new(StatusCode::GATEWAY_TIMEOUT, message).into_response()
        }
    };
    // The path alone: a query may hold private data.
    if let Some(Failure(reason)) = response.extensions().get() {
        tracing::error!("{method} {} has failed: {reason}", uri.path());
    }
    response
}

/// The answer after a panic of the request's handler; the client is not told the cause.
fn after_panic(panic: &(dyn Any + Send)) -> Response {
    let words = (panic.downcast_ref::<String>().map(String::as_str))
        .or_else(|| panic.downcast_ref::<&str>().copied());
    let message =
        "the request has failed: this is a bug of nonet; the program's standard error says more";
    let mut response = ApiError::failed(message).into_response();
    let failure = Failure(format!("a panic: {}", words.unwrap_or("without words")));
    response.extensions_mut().insert(failure);
    response
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex, PoisonError};

    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    /// What is written to a log.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("no panic while it writes").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    async fn ask(port: u16, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("a connection");
        let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).await.expect("written");
        let mut text = String::new();
        stream.read_to_string(&mut text).await.expect("an answer");
        text
    }

    #[tokio::test]
    async fn a_panic_with_a_lock_is_answered_and_logged_with_its_path_and_later_requests_are_served()
     {
        let counter = Arc::new(Mutex::new(0));
        let shared = Arc::clone(&counter);
        let count = move |fails: bool| {
            let shared = Arc::clone(&shared);
            move || async move {
                let mut counter = shared.lock().unwrap_or_else(PoisonError::into_inner);
                *counter += 1;
                assert!(!fails, "no such luck");
                counter.to_string()
            }
        };
        let routes = Router::new()
            .route("/api/v1/fails", get(count(true)))
            .route("/api/v1/counts", get(count(false)));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let served = tokio::spawn(async move {
            let service = hyper::service::service_fn(move |request| {
                let mut routes = routes.clone();
                async move {
                    Ok::<_, Infallible>(answer(&mut routes, request, Duration::from_secs(60)).await)
                }
            });
            loop {
                let (stream, _) = listener.accept().await.expect("accepted");
                let stream = hyper_util::rt::TokioIo::new(stream);
                let served = hyper::server::conn::http1::Builder::new()
                    .serve_connection(stream, service.clone());
                let _ = served.await;
            }
        });
        let lines = Lines::default();
        let writer = lines.clone();
        let subscriber =
            tracing_subscriber::fmt().with_writer(move || writer.clone()).with_ansi(false).finish();
        // With a single subscriber, a test in another thread could silence the callsites.
        let _second = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::default());
        let logged = tracing::subscriber::set_default(subscriber);
        for expected in [1, 3, 5] {
            let failed = ask(port, "/api/v1/fails?secret=7").await;
            assert!(failed.starts_with("HTTP/1.1 500"), "{failed}");
            let body = failed.rsplit("\r\n").next().expect("a body");
            let body: serde_json::Value = serde_json::from_str(body).expect("JSON");
            let error = body["error"].as_str().expect("the API's form");
            assert!(error.contains("bug of nonet") && !error.contains("luck"), "{error}");
            let counted = ask(port, "/api/v1/counts").await;
            assert!(counted.ends_with(&format!("\r\n{}", expected + 1)), "{counted}");
        }
        drop(logged);
        served.abort();
        let bytes = lines.0.lock().expect("no panic while it writes").clone();
        let text = String::from_utf8(bytes).expect("UTF-8");
        assert_eq!(
            text.matches("GET /api/v1/fails has failed: a panic: no such luck").count(),
            3,
            "{text}"
        );
        assert!(!text.contains("secret"), "{text}");
    }
}
