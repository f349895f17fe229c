//! Single requests that need no session: registering, reading the own account, watching, and a listener for the server.

use std::future::Future;
use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::Password;
use crate::client::Connect;
use crate::codec::{Decoder, Line};
use crate::command::Command;
use crate::message::{Message, OwnInfo, Parser};

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The connection could not be made, or it broke.
    #[error("the connection failed: {0}")]
    Broken(#[from] io::Error),
    /// No answer in time.
    #[error("the server did not answer within 30 seconds")]
    Silent,
    /// The server does not know the name, or the password is wrong.
    #[error("login refused: wrong name or password")]
    Refused,
}

/// Why an account was not made.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// The request failed.
    #[error(transparent)]
    Net(#[from] NetError),
    /// The server's answer, or what is wrong with the name.
    #[error("registration refused: {0}")]
    Refused(String),
}

/// What the server tells about the own account at login.
#[derive(Clone, Debug, PartialEq)]
pub struct Welcome {
    /// Settings, rating and experience.
    pub info: OwnInfo,
    /// Number of other players who are logged in.
    pub others: usize,
    /// Opponents of saved matches, and the score, own points first.
    pub saved: Vec<(String, Option<u32>, [u32; 2])>,
}

/// A connection that is read line by line.
struct LineStream<S> {
    stream: S,
    decoder: Decoder,
    lines: std::collections::VecDeque<Line>,
}

impl<S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin> LineStream<S> {
    async fn open<C: Connect<Stream = S>>(connector: &mut C) -> Result<LineStream<S>, NetError> {
        let stream =
            timeout(PATIENCE, connector.connect()).await.map_err(|_| NetError::Silent)??;
        Ok(LineStream { stream, decoder: Decoder::default(), lines: Default::default() })
    }

    async fn say(&mut self, line: &str) -> Result<(), NetError> {
        Ok(self.stream.write_all(format!("{line}\r\n").as_bytes()).await?)
    }

    async fn next(&mut self, patience: Duration) -> Result<Line, NetError> {
        let mut buffer = [0; 4096];
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Ok(line);
            }
            let read = timeout(patience, self.stream.read(&mut buffer));
            match read.await.map_err(|_| NetError::Silent)?? {
                0 => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
                n => self.decoder.decode(&buffer[..n], |line| self.lines.push_back(line)),
            }
        }
    }

    /// Reads until a line of this kind.
    async fn until(&mut self, wanted: impl Fn(&Line) -> bool) -> Result<Line, NetError> {
        loop {
            let line = self.next(PATIENCE).await?;
            if wanted(&line) {
                return Ok(line);
            }
        }
    }
}

/// Registers an account through the guest login.
///
/// # Errors
/// [`RegisterError`] with the server's words.
pub async fn register<C: Connect>(
    connector: &mut C,
    name: &str,
    password: &Password,
) -> Result<(), RegisterError> {
    let plain = |c: char| c.is_ascii_alphabetic() || c == '_';
    if !(3..=20).contains(&name.len()) || !name.chars().all(plain) {
        return Err(RegisterError::Refused(
            "invalid name: expected 3 to 20 letters or underscores".into(),
        ));
    }
    let mut stream = LineStream::open(connector).await?;
    stream.until(|line| *line == Line::LoginPrompt).await?;
    stream.say("guest").await?;
    stream.say(&format!("name {name}")).await?;
    let answer = |line: &Line| match line {
        Line::PasswordPrompt => true,
        Line::Text(text) => text.starts_with("** "),
        _ => false,
    };
    for _ in 0..2 {
        if let Line::Text(text) = stream.until(answer).await? {
            return Err(RegisterError::Refused(text));
        }
        stream.say(password.reveal()).await?;
    }
    let done = |line: &Line| matches!(line, Line::Text(text) if text.starts_with("** ") || text.contains("You are registered"));
    let said = stream.until(done).await?;
    let _ = stream.say("bye").await;
    match said {
        Line::Text(text) if text.starts_with("** ") => Err(RegisterError::Refused(text)),
        _ => Ok(()),
    }
}

/// Logs in and reads the own settings.
async fn log_in<C: Connect>(
    connector: &mut C,
    client: &str,
    name: &str,
    password: &Password,
) -> Result<(LineStream<C::Stream>, OwnInfo), NetError> {
    let mut stream = LineStream::open(connector).await?;
    stream.until(|line| *line == Line::LoginPrompt).await?;
    let login = Command::Login {
        client: client.to_owned(),
        name: name.to_owned(),
        password: password.clone(),
    };
    stream.say(&login.line()).await?;
    loop {
        match stream.next(PATIENCE).await? {
            Line::LoginPrompt => return Err(NetError::Refused),
            Line::Text(text) => {
                if let Some(Message::OwnInfo(info)) = Parser::messages(&text).into_iter().next() {
                    return Ok((stream, *info));
                }
            }
            _ => {}
        }
    }
}

/// Logs in, reads the own account, the saved matches and the players online, and logs out.
///
/// # Errors
/// [`NetError`] if there is no connection or the login is refused.
pub async fn whoami<C: Connect>(
    connector: &mut C,
    client: &str,
    name: &str,
    password: &Password,
) -> Result<Welcome, NetError> {
    let (mut stream, info) = log_in(connector, client, name, password).await?;
    let mut welcome = Welcome { info, others: 0, saved: Vec::new() };
    stream.say("show saved").await?;
    let (mut parser, mut names, mut listed) =
        (Parser::default(), std::collections::HashSet::new(), false);
    // The list has no last line: it is over when no more lines come.
    loop {
        let patience = if listed { Duration::from_millis(1500) } else { PATIENCE };
        let line = match stream.next(patience).await {
            Ok(line) => line,
            Err(NetError::Silent) if listed => break,
            Err(error) => return Err(error),
        };
        parser.parse(&line, |message| match message {
            Message::Who(who) if who.name != name => drop(names.insert(who.name)),
            Message::SavedList | Message::NothingSaved => listed = true,
            Message::SavedGame(game) => {
                welcome.saved.push((game.opponent, game.length, game.score));
            }
            _ => {}
        });
    }
    let _ = stream.say("bye").await;
    welcome.others = names.len();
    Ok(welcome)
}

/// Logs in and watches a player until `stop` completes; every message goes to `sink`. A player who is not logged in is
/// watched from the next login on.
///
/// `client`, `name` and `password` are those of the own account.
///
/// # Errors
/// [`NetError`] if the connection breaks; the caller may call again.
pub async fn watch<C: Connect>(
    connector: &mut C,
    (client, name, password): (String, &str, &Password),
    whom: &str,
    stop: impl Future<Output = ()>,
    mut sink: impl FnMut(Message),
) -> Result<(), NetError> {
    let (mut stream, info) = log_in(connector, &client, name, password).await?;
    stream.say(&Command::BoardStyle.line()).await?;
    let ready =
        info.toggles.iter().any(|(toggle, on)| *toggle == crate::message::Toggle::Ready && *on);
    if ready {
        // An account that only watches should not be invited.
        stream.say("toggle ready").await?;
    }
    stream.say(&Command::Watch(whom.to_owned()).line()).await?;
    let mut parser = Parser::default();
    tokio::pin!(stop);
    loop {
        tokio::select! {
            biased;
            line = stream.next(Duration::from_secs(100)) => match line {
                Ok(line) => {
                    let mut here = false;
                    parser.parse(&line, |message| {
                        here |= matches!(&message, Message::LogsIn { name } if name == whom);
                        sink(message);
                    });
                    if here {
                        stream.say(&Command::Watch(whom.to_owned()).line()).await?;
                    }
                }
                Err(NetError::Silent) => stream.say(&Command::Time.line()).await?,
                Err(error) => return Err(error),
            },
            () = &mut stop => {
                let _ = stream.say(&Command::Bye.line()).await;
                return Ok(());
            }
        }
    }
}

/// A TCP port on which a practice server listens.
#[cfg(feature = "server")]
pub struct Listener(TcpListener);

#[cfg(feature = "server")]
impl Listener {
    /// Binds a port; 0 picks a free one.
    ///
    /// # Errors
    /// The error of the operating system, for instance if the port is in use.
    pub async fn bind(host: &str, port: u16) -> io::Result<Listener> {
        Ok(Listener(TcpListener::bind((host, port)).await?))
    }

    /// The port number; 0 if the operating system does not tell it.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.0.local_addr().map_or(0, |address| address.port())
    }

    /// Serves until an error.
    ///
    /// # Errors
    /// When no more connections can be accepted, or the server's state cannot be written any more.
    pub async fn serve(&self, server: &crate::server::Server) -> io::Result<()> {
        server.listen(&self.0).await
    }
}
