//! How to reach a NATS server and prove who one is.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};

/// How to reach a NATS server, and the credentials: those that NATS itself knows.
#[derive(Clone, Default)]
pub struct NatsLogin {
    /// `nats://HOST:PORT` or `tls://HOST:PORT`; several with commas between them. May hold a user
    /// and a password, or a token.
    pub url: String,
    /// A file with a user's JWT and nkey, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// A file with the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// User and password.
    pub user: Option<(String, String)>,
    /// A token.
    pub token: Option<String>,
    /// A file with the certificates of the authorities that are trusted; requires TLS.
    pub authorities: Option<PathBuf>,
    /// Files with the own certificate and its key; requires TLS.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The server does not answer, or does not let us in.
    #[error("cannot connect to the NATS server {place}: {reason}")]
    Server {
        /// Where, without credentials.
        place: String,
        /// What happened.
        reason: String,
    },
    /// A file with credentials cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What happened.
        reason: String,
    },
    /// The server has no JetStream, or does not let us use it.
    #[error(
        "the NATS server {place} cannot keep streams: {reason} (start it with -js, or see its limits)"
    )]
    JetStream {
        /// Where, without credentials.
        place: String,
        /// What happened.
        reason: String,
    },
    /// No program can run the connection.
    #[error("cannot start the threads of the connection: {0}")]
    Threads(std::io::Error),
}

/// What happens to a connection, in words, for whoever shows it.
pub(super) type Say = std::sync::Arc<dyn Fn(&str) + Send + Sync>;

impl std::fmt::Debug for NatsLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NatsLogin({})", self.place())
    }
}

impl NatsLogin {
    /// The servers without credentials, for messages.
    #[must_use]
    pub fn place(&self) -> String {
        let place = |url: &str| {
            let (scheme, rest) = url.trim().split_once("://").unwrap_or(("nats", url.trim()));
            let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
            format!("{scheme}://{host}")
        };
        self.url.split(',').map(place).collect::<Vec<_>>().join(",")
    }

    /// Connects. Later interruptions mend themselves: the client goes on trying.
    pub(super) async fn connect(&self, name: &str, say: &Say) -> Result<Client, ConnectError> {
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(Duration::from_secs(5))
            .request_timeout(Some(Duration::from_secs(5)))
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(|attempt| {
                Duration::from_millis((100 * attempt as u64).min(2000))
            });
        let (say, place) = (std::sync::Arc::clone(say), self.place());
        options = options.event_callback(move |event| {
            let words = match &event {
                Event::Disconnected => {
                    Some(format!("the connection to {place} was lost: trying again"))
                }
                Event::ServerError(error) => Some(format!("{place}: {error}")),
                _ => None,
            };
            if let Some(words) = words {
                say(&words);
            }
            std::future::ready(())
        });
        let file = |path: &PathBuf, reason: std::io::Error| ConnectError::File {
            path: path.clone(),
            reason: reason.to_string(),
        };
        if let Some(path) = &self.credentials {
            let text = std::fs::read_to_string(path).map_err(|error| file(path, error))?;
            options = options.credentials(&text).map_err(|error| file(path, error))?;
        }
        if let Some(path) = &self.nkey {
            let seed = std::fs::read_to_string(path).map_err(|error| file(path, error))?;
            options = options.nkey(seed.trim().to_owned());
        }
        if let Some((user, password)) = &self.user {
            options = options.user_and_password(user.clone(), password.clone());
        }
        if let Some(token) = &self.token {
            options = options.token(token.clone());
        }
        if let Some(path) = &self.authorities {
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        if let Some((certificate, key)) = &self.certificate {
            options =
                options.add_client_certificate(certificate.clone(), key.clone()).require_tls(true);
        }
        let servers: Vec<&str> = self.url.split(',').map(str::trim).collect();
        options
            .connect(servers)
            .await
            .map_err(|error| ConnectError::Server { place: self.place(), reason: in_words(&error) })
    }
}

/// Why a server does not let us in, and what to do.
fn in_words(error: &async_nats::ConnectError) -> String {
    let mut causes = Vec::new();
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        causes.push(cause.to_string());
        next = cause.source();
    }
    let said = causes.last().cloned().unwrap_or_else(|| error.to_string());
    match error.kind() {
        ConnectErrorKind::AuthorizationViolation => {
            "it does not accept the credentials, or wants some: set NATS_USER and \
            NATS_PASSWORD, NATS_TOKEN, NATS_NKEY or NATS_CREDS as its configuration says"
                .to_owned()
        }
        ConnectErrorKind::Authentication => {
            "its question cannot be signed: expected the seed of a user's nkey (NATS_NKEY, \
            it begins with SU) or a .creds file (NATS_CREDS)"
                .to_owned()
        }
        ConnectErrorKind::TimedOut => "it does not answer within 5 s".to_owned(),
        _ => {
            let all = format!("{error} {}", causes.join(" "));
            let words = CERTIFICATE_ERRORS.iter().find(|(sign, _)| all.contains(sign));
            words.map_or(said, |(_, words)| (*words).to_owned())
        }
    }
}

/// What rustls says of certificates, and what it means.
const CERTIFICATE_ERRORS: &[(&str, &str)] = &[
    (
        "UnknownIssuer",
        "its certificate is signed by no authority that is trusted here: set NATS_CA to the file with the authority's certificate",
    ),
    ("certificate expired", "its certificate has expired: the server needs a new one"),
    ("CertificateExpired", "the certificate of NATS_CERT has expired"),
    ("NotValidYet", "its certificate is not valid yet: see the clocks of both machines"),
    ("not valid for name", "its certificate is for another name: use the name that stands in it"),
    ("NotValidForName", "its certificate is for another name: use the name that stands in it"),
    (
        "CertificateRequired",
        "it wants a certificate: set NATS_CERT and NATS_KEY to the files of your own",
    ),
    ("BadCertificate", "it does not accept the certificate of NATS_CERT"),
    ("UnknownCA", "it does not trust the authority that signed the certificate of NATS_CERT"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_servers_without_their_secrets() {
        for (url, place) in [
            ("nats://me:secret@host:4222", "nats://host:4222"),
            ("token@host", "nats://host"),
            ("tls://a:1, nats://u:p@ss@b:2", "tls://a:1,nats://b:2"),
        ] {
            let password = ("me".to_owned(), "secret".to_owned());
            let login = NatsLogin { url: url.into(), user: Some(password), ..NatsLogin::default() };
            assert_eq!(login.place(), place);
            assert!(!format!("{login:?}").contains("secret"));
        }
    }
}
