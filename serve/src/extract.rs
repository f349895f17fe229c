//! Bodies and queries whose errors are answers of this API.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// A body of JSON.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiError> {
        let read = Json::<T>::from_request(request, state).await;
        read.map(|Json(value)| Body(value))
            .map_err(|error: JsonRejection| ApiError::new(error.status(), in_words(&error)))
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
