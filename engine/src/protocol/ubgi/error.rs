//! Errors of UBGI, as its `error` lines name them.

/// The error of a line, sent as an `error` line.
#[derive(Debug)]
pub(super) enum UbgiError {
    Command(String),
    Value(String),
    State(String),
    Unsupported(String),
}

impl UbgiError {
    pub(super) fn line(&self) -> String {
        let (code, detail) = match self {
            UbgiError::Command(detail) => ("bad_command", detail),
            UbgiError::Value(detail) => ("bad_value", detail),
            UbgiError::State(detail) => ("bad_state", detail),
            UbgiError::Unsupported(detail) => ("unsupported", detail),
        };
        // The input may contain control characters; the answer must be one line.
        let detail: String = detail.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("error {code} {detail}")
    }
}
