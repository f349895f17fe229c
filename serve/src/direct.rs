//! Requests without a connection, for a program that has no sockets: no guard, no limit of time, no
//! log.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, BodyDataStream};
use axum::http::{HeaderValue, Method, Request, StatusCode, header};
use futures_util::{FutureExt, StreamExt};

use crate::{App, router};

/// What answers requests.
pub struct DirectRoutes(Router);

/// The answer to a request.
pub struct DirectAnswer {
    /// The status of HTTP.
    pub status: u16,
    /// The type of the body.
    pub kind: String,
    parts: BodyDataStream,
}

impl App {
    /// What answers requests without a connection. The work must be that of the caller
    /// ([`Workers::Caller`](crate::Workers) or [`Workers::CallerAndSlow`](crate::Workers)).
    pub fn direct_routes(self: &Arc<App>) -> DirectRoutes {
        DirectRoutes(router::router(Arc::clone(self)))
    }
}

impl DirectRoutes {
    /// Answers a request; `kind` is the type of its body.
    ///
    /// # Errors
    /// What is wrong with the method or the address.
    pub fn answer(
        &self,
        method: &str,
        address: &str,
        kind: &str,
        body: Vec<u8>,
    ) -> Result<DirectAnswer, String> {
        let mut request = Request::new(Body::from(body));
        *request.method_mut() = method.parse::<Method>().map_err(|error| error.to_string())?;
        *request.uri_mut() = address.parse().map_err(|error| format!("{address}: {error}"))?;
        if let Ok(kind) = HeaderValue::from_str(kind) {
            request.headers_mut().insert(header::CONTENT_TYPE, kind);
        }
        // Nothing in it waits: all work is done by whoever asks.
        let called = tower_service::Service::call(&mut self.0.clone(), request).now_or_never();
        let response = match called {
            Some(Ok(response)) => response,
            Some(Err(never)) => match never {},
            None => return Err(format!("{address} waits for work of another thread")),
        };
        let kind = response.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_owned();
        let status = response.status().as_u16();
        Ok(DirectAnswer { status, kind, parts: response.into_body().into_data_stream() })
    }
}

impl DirectAnswer {
    /// Whether only an [`App`] for slow work gives the answer.
    #[must_use]
    pub fn is_for_slow(&self) -> bool {
        self.status == StatusCode::MISDIRECTED_REQUEST.as_u16()
    }

    /// The next part of the body; a part of long work is done while one waits for it.
    pub fn next_part(&mut self) -> Option<Vec<u8>> {
        self.parts.next().now_or_never().flatten()?.ok().map(|part| part.to_vec())
    }

    /// The whole body.
    pub fn whole(&mut self) -> Vec<u8> {
        let mut whole = Vec::new();
        while let Some(part) = self.next_part() {
            whole.extend(part);
        }
        whole
    }
}
