//! Why a request is refused, as JSON.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;
use utoipa::ToSchema;

use nonet_engine::backgammon::{GameStateError, IdError, PositionError};
use nonet_engine::cube::MetError;
use nonet_engine::engine::EngineError;
use nonet_engine::open::OpenError;
use nonet_engine::store::StoreError;
use nonet_report::answer::{QuestionError, RolloutQuestionError};
use nonet_report::person_match::SettingsError;

/// Why the server cannot work.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A folder cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The threads of slow work cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Why a request is refused.
#[derive(Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
    position: Option<String>,
}

/// The body of an answer with a status of 400 or more.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct ErrorAnswer {
    /// What is wrong, and what would be right.
    #[schema(example = "invalid ply '5': expected 1 to 4")]
    error: String,
    /// What kind of fault it is: a word for programs, which have texts of their own.
    #[schema(example = "invalid")]
    code: &'static str,
    /// The XGID of the position in a file that holds no match: the page of positions shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
}

/// The code of an error that has none of its own.
const fn code_of(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 => "token",
        403 => "other-site",
        404 => "missing",
        405 => "method",
        409 => "conflict",
        413 => "too-large",
        421 => "other-host",
        500 => "failed",
        503 => "busy",
        504 => "late",
        _ => "invalid",
    }
}

impl ApiError {
    pub(super) fn new(status: StatusCode, message: impl std::fmt::Display) -> ApiError {
        ApiError { status, code: code_of(status), message: message.to_string(), position: None }
    }

    /// The same with a code of its own.
    pub(super) const fn coded(mut self, code: &'static str) -> ApiError {
        self.code = code;
        self
    }

    /// The same with the XGID of a position that was sent in place of a match.
    pub(super) fn with_position(self, xgid: String) -> ApiError {
        ApiError { position: Some(xgid), ..self }.coded("single-position")
    }

    /// The request is wrong.
    pub(super) fn invalid(message: impl std::fmt::Display) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, message)
    }

    pub(super) fn missing(message: impl std::fmt::Display) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, message)
    }

    /// The request does not fit what is there now.
    pub(super) fn conflict(message: impl std::fmt::Display) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, message)
    }

    /// All places are taken.
    pub(super) fn busy() -> ApiError {
        let message = "the server is busy with other work: try again in a few seconds";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// Something on this machine failed.
    pub(super) fn failed(message: impl std::fmt::Display) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// What is told of it.
    pub(super) fn answer(self) -> ErrorAnswer {
        ErrorAnswer { error: self.message, code: self.code, position: self.position }
    }

    fn body(self) -> Json<ErrorAnswer> {
        Json(self.answer())
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    pub(super) const fn status(&self) -> StatusCode {
        self.status
    }
}

/// Why this machine could not answer: for the log, next to the response.
#[derive(Clone)]
pub(super) struct Failure(
    #[cfg_attr(not(feature = "server"), allow(dead_code, reason = "a server logs it"))]
    pub(super)  String,
);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        if self.status == StatusCode::INTERNAL_SERVER_ERROR {
            let failure = Extension(Failure(self.message.clone()));
            return (self.status, failure, self.body()).into_response();
        }
        let retry =
            (self.status == StatusCode::SERVICE_UNAVAILABLE).then_some([("retry-after", "2")]);
        let status = self.status;
        match retry {
            Some(header) => (status, header, self.body()).into_response(),
            None => (status, self.body()).into_response(),
        }
    }
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> ApiError {
        match error {
            OpenError::UnknownNet { .. } | OpenError::NoFile { .. } | OpenError::NoNetIn { .. } => {
                ApiError::missing(error).coded("no-net")
            }
            error => ApiError::failed(error),
        }
    }
}

impl From<QuestionError> for ApiError {
    fn from(error: QuestionError) -> ApiError {
        let code = match &error {
            QuestionError::NoId => "no-id",
            QuestionError::Id(GameStateError { source, .. }) => code_of_id(source),
            QuestionError::Dice(_) => "dice",
            QuestionError::GameOver(_) => "game-over",
        };
        ApiError::invalid(error).coded(code)
    }
}

/// What is wrong with an ID.
const fn code_of_id(error: &IdError) -> &'static str {
    match error {
        IdError::Length { .. } => "id-length",
        IdError::Character { .. } => "id-character",
        IdError::Leftover { .. } => "id-typo",
        IdError::Field { .. } => "id-field",
        IdError::SharedPoint(_) | IdError::Position(PositionError::SharedPoint(_)) => "id-point",
        IdError::Position(PositionError::TooMany { .. }) => "id-checkers",
        IdError::Position(PositionError::WrongBar(_)) => "id-bar",
        IdError::Position(PositionError::BothFinished) => "id-empty",
        IdError::Cube(_) => "id-cube",
        IdError::Score(_) => "id-score",
    }
}

impl From<MetError> for ApiError {
    fn from(error: MetError) -> ApiError {
        let is_long = matches!(error, MetError::TooLong { .. });
        let refused = ApiError::invalid(error);
        if is_long { refused.coded("long-match") } else { refused }
    }
}

impl From<RolloutQuestionError> for ApiError {
    fn from(error: RolloutQuestionError) -> ApiError {
        match error {
            RolloutQuestionError::MatchEquity(error) => error.into(),
            error => ApiError::invalid(error),
        }
    }
}

impl From<SettingsError> for ApiError {
    fn from(error: SettingsError) -> ApiError {
        let code = match &error {
            SettingsError::NotKept(_) => "player-name",
            SettingsError::Name(_) => "player-names",
            _ => "match-settings",
        };
        ApiError::invalid(error).coded(code)
    }
}

impl From<EngineError> for ApiError {
    fn from(error: EngineError) -> ApiError {
        match error {
            EngineError::File(_) | EngineError::Threads { .. } => ApiError::failed(error),
            EngineError::MatchEquity(error) => error.into(),
            error => ApiError::invalid(error),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        ApiError::failed(error)
    }
}
