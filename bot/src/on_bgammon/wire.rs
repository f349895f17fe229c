//! Addresses of bgammon servers, and lines over TCP or WebSocket.

use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::Arc;

use bgammon::{LONGEST_LINE, Lines};
use futures_util::{SinkExt, StreamExt};
use rustls::ClientConfig;
use rustls::crypto::ring::default_provider;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{
    Connector, MaybeTlsStream, WebSocketStream, connect_async_tls_with_config,
};

use crate::ServerAddr;

/// Where a bgammon server is.
///
/// ```
/// use nonet_bot::BgammonAddr;
///
/// let public: BgammonAddr = "wss://ws.bgammon.org".parse()?;
/// assert!(public.is_encrypted());
/// let local: BgammonAddr = "tcp://localhost".parse()?;
/// assert_eq!(local.to_string(), "tcp://localhost:1337");
/// # Ok::<(), nonet_bot::BgammonAddrError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BgammonAddr {
    /// Clear text.
    Tcp(ServerAddr),
    /// A WebSocket, over TLS with `wss`.
    Web(WebAddr),
}

/// The address of a WebSocket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAddr {
    url: String,
    server: ServerAddr,
}

/// Why a text is not the address of a bgammon server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid server '{0}': expected wss://HOST, ws://HOST:PORT or tcp://HOST:PORT")]
pub struct BgammonAddrError(String);

/// The port of a server that is reached by TCP.
const TCP_PORT: u16 = 1337;

impl FromStr for BgammonAddr {
    type Err = BgammonAddrError;

    fn from_str(text: &str) -> Result<BgammonAddr, BgammonAddrError> {
        let error = || BgammonAddrError(text.to_owned());
        let (scheme, rest) = text.split_once("://").ok_or_else(error)?;
        let usual = match scheme {
            "tcp" => TCP_PORT,
            "ws" => 80,
            "wss" => 443,
            _ => return Err(error()),
        };
        let authority = rest.split('/').next().unwrap_or_default();
        let (host, port) = match authority.rsplit_once(':') {
            // The colons of an address in brackets separate no port.
            Some((host, port)) if !port.ends_with(']') => {
                (host, port.parse().map_err(|_| error())?)
            }
            _ => (authority, usual),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        if host.is_empty() || host.contains(|c: char| c.is_whitespace() || c == '@') {
            return Err(error());
        }
        let server = ServerAddr { host, port };
        Ok(match scheme {
            "tcp" => BgammonAddr::Tcp(server),
            _ => BgammonAddr::Web(WebAddr { url: text.to_owned(), server }),
        })
    }
}

impl fmt::Display for BgammonAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BgammonAddr::Tcp(ServerAddr { host, port }) => write!(f, "tcp://{host}:{port}"),
            BgammonAddr::Web(WebAddr { url, .. }) => f.write_str(url),
        }
    }
}

impl BgammonAddr {
    /// Whether the password is unreadable on its way between client and server.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        matches!(self, BgammonAddr::Web(WebAddr { url, .. }) if url.starts_with("wss"))
    }

    /// Host and port.
    #[must_use]
    pub const fn server(&self) -> &ServerAddr {
        match self {
            BgammonAddr::Tcp(server) | BgammonAddr::Web(WebAddr { server, .. }) => server,
        }
    }

    /// Connects.
    pub(super) async fn connect(&self) -> io::Result<Wire> {
        match self {
            BgammonAddr::Tcp(ServerAddr { host, port }) => {
                let stream = TcpStream::connect((host.as_str(), *port)).await?;
                stream.set_nodelay(true)?;
                Ok(Wire::Tcp(stream, Lines::default()))
            }
            BgammonAddr::Web(WebAddr { url, .. }) => {
                let connector = self.is_encrypted().then(tls).transpose()?;
                let limits = WebSocketConfig::default()
                    .max_message_size(Some(LONGEST_LINE))
                    .max_frame_size(Some(LONGEST_LINE));
                let connected =
                    connect_async_tls_with_config(url.as_str(), Some(limits), true, connector);
                let (socket, _) = connected.await.map_err(io::Error::other)?;
                Ok(Wire::Web(Box::new(socket)))
            }
        }
    }
}

/// TLS with the certificates that the operating system trusts.
fn tls() -> io::Result<Connector> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err(io::Error::other("this machine has no certificates of authorities"));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Connector::Rustls(Arc::new(config)))
}

/// A connection that carries lines.
pub(super) enum Wire {
    Tcp(TcpStream, Lines),
    Web(Box<WebSocketStream<MaybeTlsStream<TcpStream>>>),
}

impl Wire {
    /// The next lines, perhaps none; `None` if the server has closed the connection. A call that is
    /// dropped loses no line.
    pub(super) async fn receive(&mut self) -> io::Result<Option<Vec<String>>> {
        let mut out = Vec::new();
        match self {
            Wire::Tcp(stream, lines) => {
                let mut buffer = [0; 4096];
                let n = stream.read(&mut buffer).await?;
                lines.decode(&buffer[..n], |line| out.push(line));
                Ok((n > 0).then_some(out))
            }
            Wire::Web(socket) => match socket.next().await {
                None | Some(Ok(Message::Close(_))) => Ok(None),
                Some(Err(error)) => Err(io::Error::other(error)),
                Some(Ok(Message::Text(text))) => Ok(Some(of_message(text.as_bytes()))),
                Some(Ok(Message::Binary(bytes))) => Ok(Some(of_message(&bytes))),
                Some(Ok(_)) => Ok(Some(out)),
            },
        }
    }

    pub(super) async fn send(&mut self, line: &str) -> io::Result<()> {
        match self {
            Wire::Tcp(stream, _) => stream.write_all(format!("{line}\n").as_bytes()).await,
            Wire::Web(socket) => socket.send(Message::text(line)).await.map_err(io::Error::other),
        }
    }
}

/// The lines of a message, which need no end.
fn of_message(bytes: &[u8]) -> Vec<String> {
    let (mut lines, mut out) = (Lines::default(), Vec::new());
    lines.decode(bytes, |line| out.push(line));
    lines.decode(b"\n", |line| out.push(line));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_scheme_a_host_and_perhaps_a_port() {
        let parsed = |text: &str| {
            let address: BgammonAddr = text.parse().expect("an address");
            let ServerAddr { host, port } = address.server().clone();
            (host, port, address.is_encrypted())
        };
        assert_eq!(parsed("wss://ws.bgammon.org"), ("ws.bgammon.org".into(), 443, true));
        assert_eq!(parsed("wss://a.b:8443/socket"), ("a.b".into(), 8443, true));
        assert_eq!(parsed("ws://localhost:1338"), ("localhost".into(), 1338, false));
        assert_eq!(parsed("tcp://[::1]"), ("::1".into(), 1337, false));
        assert_eq!(parsed("tcp://[::1]:99"), ("::1".into(), 99, false));
        for wrong in ["", "bgammon.org", "http://bgammon.org", "tcp://", "tcp://a:b", "ws://me@a"] {
            let error = wrong.parse::<BgammonAddr>().expect_err(wrong).to_string();
            assert!(error.contains("wss://HOST"), "{error}");
        }
    }

    #[test]
    fn a_message_may_hold_several_events_and_needs_no_line_end() {
        assert_eq!(of_message(b"{}\n{\"a\":1}"), ["{}", "{\"a\":1}"]);
    }

    #[tokio::test]
    async fn lines_go_both_ways_over_a_websocket() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let server = async {
            let (stream, _) = listener.accept().await.expect("a connection");
            let mut socket = tokio_tungstenite::accept_async(stream).await.expect("a WebSocket");
            let login = socket.next().await.expect("a message").expect("whole");
            assert_eq!(login.to_text().expect("text"), "lj nonet/en bot_nonet");
            for text in ["{\"Type\":\"ping\"}", "{}\n{\"a\":1}"] {
                socket.send(Message::text(text)).await.expect("sent");
            }
            socket.send(Message::Ping(vec![1].into())).await.expect("sent");
            socket.close(None).await.expect("closed");
        };
        let client = async {
            let address: BgammonAddr = format!("ws://127.0.0.1:{port}").parse().expect("a URL");
            let mut wire = address.connect().await.expect("connects");
            wire.send("lj nonet/en bot_nonet").await.expect("sent");
            let mut all = Vec::new();
            while let Some(lines) = wire.receive().await.expect("whole") {
                all.extend(lines);
            }
            assert_eq!(all, ["{\"Type\":\"ping\"}", "{}", "{\"a\":1}"]);
        };
        tokio::join!(server, client);
    }
}
