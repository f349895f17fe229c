//! Single requests that need no session: registering, reading the own account, watching, and a
//! listener for the server.

use std::collections::HashSet;
use std::future::Future;
use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
#[cfg(feature = "server")]
use tokio::net::TcpListener;
use tokio::time::{Instant, timeout};

use crate::Password;
use crate::client::{Connect, Direction};
use crate::codec::{Decoder, Line};
use crate::command::Command;
use crate::message::{Message, OwnInfo, Parser, Toggle};

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long it may take to send the own settings after its welcome.
const SETTINGS_PATIENCE: Duration = Duration::from_secs(5);
/// How long it may take to list the saved matches.
const LIST_PATIENCE: Duration = Duration::from_secs(10);

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The connection could not be made, or it broke.
    #[error("the connection failed: {0}")]
    Broken(#[from] io::Error),
    /// No answer in time.
    #[error("the server did not answer within {} seconds", PATIENCE.as_secs())]
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

/// What the server tells about the own account at login. What it does not tell is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Welcome {
    /// Settings, rating and experience.
    pub info: Option<OwnInfo>,
    /// The number of other players who are logged in.
    pub others: Option<usize>,
    /// Opponents of saved matches, and the score, own points first.
    pub saved: Option<Vec<SavedScore>>,
}

/// A saved match: the opponent, the length in points (`None`: unlimited) and the score, own points
/// first.
pub type SavedScore = (String, Option<u32>, [u32; 2]);

/// Called for every line that is read or written, without the own password in those that are
/// written.
type Tap<'a> = Box<dyn FnMut(Direction, &str) + 'a>;

/// A connection that is read line by line.
struct LineStream<'a, S> {
    stream: S,
    tap: Tap<'a>,
    decoder: Decoder,
    lines: std::collections::VecDeque<Line>,
}

impl<'a, S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin> LineStream<'a, S> {
    async fn open<C: Connect<Stream = S>>(
        connector: &mut C,
        tap: Tap<'a>,
    ) -> Result<LineStream<'a, S>, NetError> {
        let stream =
            timeout(PATIENCE, connector.connect()).await.map_err(|_| NetError::Silent)??;
        Ok(LineStream { stream, tap, decoder: Decoder::default(), lines: Default::default() })
    }

    async fn say(&mut self, line: &str) -> Result<(), NetError> {
        (self.tap)(Direction::Out, line);
        self.write(line).await
    }

    /// [`LineStream::say`] for a line that contains the password.
    async fn say_secret(&mut self, line: &str, shown: &str) -> Result<(), NetError> {
        (self.tap)(Direction::Out, shown);
        self.write(line).await
    }

    async fn write(&mut self, line: &str) -> Result<(), NetError> {
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
                n => self.decoder.decode(&buffer[..n], |line| {
                    (self.tap)(Direction::In, line.text());
                    self.lines.push_back(line);
                }),
            }
        }
    }

    /// Reads until a line of this kind, whatever else the server says meanwhile.
    async fn until(&mut self, wanted: impl Fn(&Line) -> bool) -> Result<Line, NetError> {
        let began = Instant::now();
        loop {
            let line = self.next(PATIENCE.saturating_sub(began.elapsed())).await?;
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
    let mut stream = LineStream::open(connector, Box::new(|_, _| {})).await?;
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
        stream.say_secret(password.reveal(), "***").await?;
    }
    let done = |line: &Line| matches!(line, Line::Text(text) if text.starts_with("** ") || text.contains("You are registered"));
    let said = stream.until(done).await?;
    let _ = stream.say("bye").await;
    match said {
        Line::Text(text) if text.starts_with("** ") => Err(RegisterError::Refused(text)),
        _ => Ok(()),
    }
}

/// Logs in, and reads the own settings if the server sends them soon after its welcome.
async fn log_in<'a, C: Connect>(
    connector: &mut C,
    tap: Tap<'a>,
    client: &str,
    name: &str,
    password: &Password,
) -> Result<(LineStream<'a, C::Stream>, Option<OwnInfo>), NetError> {
    let mut stream = LineStream::open(connector, tap).await?;
    stream.until(|line| *line == Line::LoginPrompt).await?;
    let login = Command::Login {
        client: client.to_owned(),
        name: name.to_owned(),
        password: password.clone(),
    };
    stream.say_secret(&login.line(), &login.without_password()).await?;
    let asked = Instant::now();
    let mut welcomed: Option<Instant> = None;
    loop {
        let patience = match welcomed {
            None => PATIENCE.saturating_sub(asked.elapsed()),
            Some(at) => SETTINGS_PATIENCE.saturating_sub(at.elapsed()),
        };
        let line = match stream.next(patience).await {
            Err(NetError::Silent) if welcomed.is_some() => return Ok((stream, None)),
            line => line?,
        };
        match line {
            Line::LoginPrompt => return Err(NetError::Refused),
            Line::Text(text) => match Parser::messages(&text).into_iter().next() {
                Some(Message::OwnInfo(info)) => return Ok((stream, Some(*info))),
                Some(Message::Welcome { .. }) => welcomed = Some(Instant::now()),
                _ => {}
            },
            _ => {}
        }
    }
}

/// Logs in, reads the own account, the saved matches and the players online, and logs out. What the
/// server does not tell within some seconds is left out.
///
/// # Errors
/// [`NetError`] if there is no connection or the login is refused.
pub async fn whoami<C: Connect>(
    connector: &mut C,
    client: &str,
    name: &str,
    password: &Password,
) -> Result<Welcome, NetError> {
    let tap: Tap = Box::new(|_, _| {});
    let (mut stream, info) = log_in(connector, tap, client, name, password).await?;
    let mut welcome = Welcome { info, ..Welcome::default() };
    stream.say(&Command::ShowSaved.line()).await?;
    let asked = Instant::now();
    let (mut parser, mut names) = (Parser::default(), None::<HashSet<String>>);
    let mut unknown = false;
    // The list has no last line: it is over when no more lines come.
    loop {
        let left = LIST_PATIENCE.saturating_sub(asked.elapsed());
        let over = welcome.saved.is_some() || unknown;
        let patience = if over { left.min(Duration::from_millis(1500)) } else { left };
        let line = match stream.next(patience).await {
            Ok(line) => line,
            // What is known is worth more than what is missing.
            Err(_) => break,
        };
        parser.parse(&line, |message| match message {
            Message::Who(who) => {
                let names = names.get_or_insert_default();
                if who.name != name {
                    names.insert(who.name);
                }
            }
            Message::SavedList | Message::NothingSaved => {
                let _ = welcome.saved.get_or_insert_default();
            }
            Message::SavedGame(game) => {
                let saved = welcome.saved.get_or_insert_default();
                saved.push((game.opponent, game.length, game.score));
            }
            Message::UnknownCommand { .. } => unknown = true,
            _ => {}
        });
        if left.is_zero() {
            break;
        }
    }
    let _ = stream.say(&Command::Bye.line()).await;
    welcome.others = names.map(|names| names.len());
    Ok(welcome)
}

/// Logs in and watches a player until `stop` completes; every message goes to `sink`. A player who
/// is not logged in is watched from the next login on.
///
/// `client`, `name` and `password` are those of the own account. `tap` sees every line in both
/// directions; the lines that are sent do not contain the password.
///
/// # Errors
/// [`NetError`] if the connection breaks or the server falls silent; the caller may call again.
/// [`NetError::Refused`] if the login is refused: do not call again with the same password.
pub async fn watch<C: Connect>(
    connector: &mut C,
    (client, name, password): (String, &str, &Password),
    whom: &str,
    stop: impl Future<Output = ()>,
    tap: impl FnMut(Direction, &str),
    mut sink: impl FnMut(Message),
) -> Result<(), NetError> {
    tokio::pin!(stop);
    let (mut stream, info) = tokio::select! {
        biased;
        logged_in = log_in(connector, Box::new(tap), &client, name, password) => logged_in?,
        () = &mut stop => return Ok(()),
    };
    stream.say(&Command::BoardStyle.line()).await?;
    // An account that only watches should not be invited, and has to hear who logs in.
    let toggles = info.map(|info| info.toggles).unwrap_or_default();
    for (toggle, wanted) in [(Toggle::Ready, false), (Toggle::Notify, true)] {
        if toggles.contains(&(toggle, !wanted)) {
            stream.say(&format!("toggle {}", toggle.name())).await?;
        }
    }
    stream.say(&Command::Watch(whom.to_owned()).line()).await?;
    let mut parser = Parser::default();
    let mut asked = false;
    loop {
        tokio::select! {
            biased;
            line = stream.next(Duration::from_secs(100)) => match line {
                Ok(line) => {
                    asked = false;
                    let mut here = false;
                    parser.parse(&line, |message| {
                        here |= matches!(&message, Message::LogsIn { name } if name == whom);
                        sink(message);
                    });
                    if here {
                        stream.say(&Command::Watch(whom.to_owned()).line()).await?;
                    }
                }
                // A server that does not tell the time either is gone.
                Err(NetError::Silent) if !asked => {
                    asked = true;
                    stream.say(&Command::Time.line()).await?;
                }
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

    /// Serves until an error. Where a connection cannot be accepted, for instance for want of file
    /// handles, it waits and goes on.
    ///
    /// # Errors
    /// When the server's state cannot be written any more.
    pub async fn serve(&self, server: &crate::server::Server) -> io::Result<()> {
        server.listen(&self.0).await
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use tokio::io::{AsyncBufReadExt, BufReader, DuplexStream, duplex};

    use super::*;

    /// A server that answers lines from a script: the beginning of a line, and what is said to it.
    struct Scripted(VecDeque<DuplexStream>);

    impl Connect for Scripted {
        type Stream = DuplexStream;

        async fn connect(&mut self) -> io::Result<DuplexStream> {
            self.0.pop_front().ok_or_else(|| io::ErrorKind::ConnectionRefused.into())
        }
    }

    /// What a server says to lines that begin so.
    type Script = &'static [(&'static str, &'static str)];

    fn serve(script: Script) -> Scripted {
        let (own, theirs) = duplex(4096);
        tokio::spawn(async move {
            let (read, mut write) = tokio::io::split(theirs);
            write.write_all(b"Hello\r\nlogin: ").await.expect("written");
            let mut lines = BufReader::new(read).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                for (_, says) in script.iter().filter(|(begins, _)| line.starts_with(begins)) {
                    write.write_all(says.as_bytes()).await.expect("written");
                }
            }
        });
        Scripted([own].into())
    }

    async fn ask(script: Script) -> Result<Welcome, NetError> {
        let password = Password::new("Zanzibar7").expect("good");
        whoami(&mut serve(script), "test", "ann", &password).await
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_does_not_tell_the_time_is_watched_no_longer() {
        let password = Password::new("Zanzibar7").expect("good");
        let began = Instant::now();
        let login = ("test".to_owned(), "ann", &password);
        let never = std::future::pending();
        let ended = watch(&mut serve(&[JIBS]), login, "bob", never, |_, _| {}, |_| {}).await;
        assert!(matches!(ended, Err(NetError::Silent)), "{ended:?}");
        assert!(began.elapsed() < Duration::from_secs(300));
    }

    /// The welcome of JIBS.
    const JIBS: (&str, &str) = (
        "login ",
        "1 ann 1795226968 localhost\r\n2 ann 1 1 0 1 0 0 1 1 0 0 1 0 1 1500.0 0 1 0 1 0 UTC\r\n3\r\n4\r\n\
         5 bob - - 1 0 1500.0 0 0 1795226966988 localhost null - \r\n\
         5 ann - - 1 0 1500.0 0 0 1795226968308 localhost null - \r\n6 \r\n",
    );

    #[tokio::test(start_paused = true)]
    async fn a_server_that_does_not_list_saved_matches_still_tells_who_we_are() {
        for said in
            ["** Not yet implemented: 'show saved'\r\n", "** Unknown command: 'show'\r\n", ""]
        {
            let script: Script = Box::leak(Box::new([JIBS, ("show", said)]));
            let welcome = ask(script).await.expect("an answer");
            assert_eq!(welcome.info.expect("known").name, "ann", "{said}");
            assert_eq!((welcome.others, welcome.saved), (Some(1), None), "{said}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_the_server_tells_is_in_the_answer() {
        let none: &[_] = &[JIBS, ("show", "no saved games.\r\n")];
        assert_eq!(ask(none).await.expect("an answer").saved, Some(Vec::new()));
        let one: &[_] = &[
            JIBS,
            (
                "show",
                "  opponent          matchlength   score (your points first)\r\n*bob 5 1 - 2\r\n",
            ),
        ];
        let saved = ask(one).await.expect("an answer").saved;
        assert_eq!(saved, Some(vec![("bob".to_owned(), Some(5), [1, 2])]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_welcome_without_settings_is_enough() {
        let welcome = ask(&[("login ", "1 ann 0 localhost\r\n")]).await.expect("an answer");
        assert_eq!(welcome, Welcome::default());
        let refused = ask(&[("login ", "login: ")]).await.expect_err("refused");
        assert!(matches!(refused, NetError::Refused));
    }
}
