//! Bodies, queries and parts of addresses; their errors are answers of this API.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::App;
use crate::error::ApiError;

/// A body of JSON.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Body<T>, ApiError> {
        let read = Json::<T>::from_request(request, app).await;
        read.map(|Json(value)| Body(value)).map_err(|error: JsonRejection| {
            unread(error.status(), in_words(&error), app.config.limits.body)
        })
    }
}

/// A body of any bytes: an uploaded record.
pub(super) struct RawBody(pub(super) Bytes);

impl FromRequest<Arc<App>> for RawBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<RawBody, ApiError> {
        let read = Bytes::from_request(request, app).await;
        read.map(RawBody).map_err(|error: BytesRejection| {
            unread(error.status(), error.body_text(), app.config.limits.upload)
        })
    }
}

/// Why a body of at most `most` bytes is not read.
fn unread(status: StatusCode, told: String, most: usize) -> ApiError {
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let message = format!("the body is too long: expected at most {most} bytes");
            ApiError::new(status, message)
        }
        _ => ApiError::new(status, told),
    }
}

/// What is wrong with a body, without the names of Rust.
fn in_words(error: &JsonRejection) -> String {
    let told = error.body_text();
    let cause = |prefix: &str| {
        let cause = told.strip_prefix(prefix)?;
        // The body is one line to whoever sends it.
        Some(cause.rsplit_once(" at line ").map_or(cause, |(cause, _)| cause))
    };
    match error {
        JsonRejection::JsonDataError(_) => {
            cause("Failed to deserialize the JSON body into the target type: ")
                .map(|cause| format!("invalid field in the JSON body: {cause}"))
        }
        JsonRejection::JsonSyntaxError(_) => cause("Failed to parse the request body as JSON: ")
            .map(|cause| format!("the body is no JSON: {cause}")),
        JsonRejection::MissingJsonContentType(_) => {
            Some("the body needs the header 'content-type: application/json'".to_owned())
        }
        _ => None,
    }
    .unwrap_or(told)
}

/// The parameters behind the question mark.
pub(super) struct Params<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Params<T>, ApiError> {
        let read = Query::<T>::from_request_parts(parts, state).await;
        read.map(|Query(value)| Params(value))
            .map_err(|error: QueryRejection| ApiError::new(error.status(), error.body_text()))
    }
}

/// The parts of an address that name something.
pub(super) struct Path<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, ApiError> {
        let read = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        let refused = |error: PathRejection| match error {
            // All parts are texts, so that nothing but their letters can be wrong.
            PathRejection::FailedToDeserializePathParams(_) => {
                ApiError::missing("there is nothing at this address: its letters are no UTF-8")
            }
            error => ApiError::failed(error.body_text()),
        };
        read.map(|axum::extract::Path(value)| Path(value)).map_err(refused)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::ServeLimits;
    use crate::test_app::TestApp;

    #[test]
    fn an_address_that_is_no_utf_8_is_refused_as_one_that_names_nothing() {
        let server = TestApp::new(ServeLimits::default());
        for (method, address) in [
            ("GET", "/api/v1/matches/%FF"),
            ("GET", "/api/v1/analyses/%FF/record"),
            ("DELETE", "/api/v1/runs/%FF"),
        ] {
            let (status, answer) = server.ask(method, address, &Value::Null);
            assert_eq!((status, &answer["code"]), (404, &json!("missing")), "{address}: {answer}");
        }
    }

    #[test]
    fn a_body_that_is_too_long_is_refused_with_the_limit_of_its_address() {
        let limits = ServeLimits { body: 30, upload: 60, ..ServeLimits::default() };
        let server = TestApp::new(limits);
        let long = json!({"id": "x".repeat(100)});
        for (address, most) in [("/api/v1/moves", 30), ("/api/v1/analyses", 60)] {
            let (status, answer) = server.ask("POST", address, &long);
            assert_eq!((status, &answer["code"]), (413, &json!("too-large")), "{answer}");
            let error = answer["error"].as_str().expect("words");
            assert!(error.ends_with(&format!("expected at most {most} bytes")), "{error}");
        }
    }
}
