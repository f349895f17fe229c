//! Who may ask: the Host and Origin of requests, the token, and the headers that keep pages to
//! themselves.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};

use crate::App;
use crate::error::ApiError;

/// Adds the headers of all answers.
pub(super) fn add_headers(headers: &mut HeaderMap) {
    headers.reserve(HEADERS.len());
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// What all answers say, unless they say otherwise.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Scripts, styles and connections of this server alone; nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Refuses requests that other sites make through a browser (DNS rebinding, cross-site requests)
/// and those without the token.
pub(super) fn check(app: &App, headers: &HeaderMap, uri: &Uri) -> Result<(), ApiError> {
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST).or(uri.host()).unwrap_or_default();
    let name = host_name(host);
    let is_known = |name: &str| {
        app.config.hosts.is_empty()
            || app.config.hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
    };
    if !name.is_some_and(is_known) {
        let known = match app.config.hosts.as_slice() {
            [] => "a name or an address, perhaps with a port".to_owned(),
            known => known.join(" or "),
        };
        let message = format!("invalid Host '{host}': expected {known}");
        return Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, message));
    }
    if let Some(origin) = text(header::ORIGIN) {
        let site = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if site != Some(host) {
            return Err(forbidden("another site"));
        }
    }
    let from = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
    let is_page = uri.path() == "/" || !is_api(uri.path());
    if matches!(from, Some("cross-site" | "same-site")) && !is_page {
        return Err(forbidden("another site"));
    }
    match &app.config.token {
        Some(token) if is_api(uri.path()) => {
            let shown = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
            if shown.is_some_and(|shown| is_same(shown.as_bytes(), token.as_bytes())) {
                return Ok(());
            }
            let message = "a token is needed: open the address with #token=... that the program has printed, or send Authorization: Bearer";
            Err(ApiError::new(StatusCode::UNAUTHORIZED, message))
        }
        _ => Ok(()),
    }
}

fn forbidden(who: &str) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, format!("{who} may not use this server through a browser"))
}

/// What answers questions; everything else is pages and their parts.
fn is_api(path: &str) -> bool {
    path.starts_with("/api/") || path == "/move" || path == "/eval"
}

/// The name in a Host header: a name, an address, or an IPv6 address in brackets, perhaps with a
/// port. `None` if it is anything else.
fn host_name(host: &str) -> Option<&str> {
    let (name, rest) = match host.strip_prefix('[') {
        Some(rest) => {
            let (name, rest) = rest.split_once(']')?;
            name.parse::<std::net::Ipv6Addr>().ok()?;
            (name, rest)
        }
        None => host.find(':').map_or((host, ""), |at| host.split_at(at)),
    };
    let port = rest.strip_prefix(':').map_or(rest.is_empty(), |port| {
        !port.is_empty() && port.parse::<u16>().is_ok_and(|_| !port.starts_with('+'))
    });
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
    (port && name.chars().all(plain)).then_some(name)
}

/// Compares in a time that does not depend on where the texts differ.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |different, (a, b)| different | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_host_stands_before_its_port() {
        let names =
            ["localhost:8642", "127.0.0.1", "[::1]:80", "", "evil.example:1"].map(host_name);
        assert_eq!(names, ["localhost", "127.0.0.1", "::1", "", "evil.example"].map(Some));
        for wrong in [
            "127.0.0.1:8642@evil.example",
            "[::1]evil.example",
            "localhost:80:evil",
            "localhost:",
            "localhost:+80",
            "localhost:99999",
            "[::1",
            "[localhost]",
            "localhost/evil",
            "localhost evil",
            "evil@localhost",
        ] {
            assert_eq!(host_name(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn tokens_are_compared_as_a_whole() {
        assert!(is_same(b"abc", b"abc"));
        assert!(!is_same(b"abc", b"abd") && !is_same(b"ab", b"abc") && !is_same(b"", b"a"));
    }
}
