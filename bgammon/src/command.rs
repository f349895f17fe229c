//! The commands of a client, and the lines that they become.

use std::borrow::Cow;
use std::fmt;

/// A command to the server.
///
/// ```
/// use bgammon::Command;
///
/// assert_eq!(Command::Create { points: 5, title: "nonet".into() }.line(), "c public 5 0 nonet");
/// assert_eq!(Command::Move(vec![(25, 20), (6, 4), (2, 0)]).line(), "mv bar/20 6/4 2/off");
/// assert_eq!(Command::Say("well\nleave".into()).line(), "say well leave");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum Command {
    /// Logs in, with JSON as the language of the answers. A guest has no password.
    Login {
        /// Name and version of the program, without blanks.
        client: String,
        /// Name of the account.
        name: String,
        /// Password of the account.
        password: Option<String>,
    },
    /// Turns a setting of the account on or off.
    Set(&'static str, bool),
    /// Answers a ping.
    Pong(String),
    /// Asks for the list of matches.
    List,
    /// Creates a public match.
    Create {
        /// Its length in points.
        points: u32,
        /// Its title.
        title: String,
    },
    /// Joins the match of this number.
    Join(u64),
    /// Joins the match of this player.
    JoinPlayer(String),
    /// Leaves the match.
    Leave,
    /// Asks for the board.
    Board,
    /// Rolls the dice, or one die in the opening.
    Roll,
    /// Moves checkers: points from and to, seen by the player; 25 is the bar, 0 is off.
    Move(Vec<(u8, u8)>),
    /// Takes the moves of this turn back.
    Reset,
    /// Confirms the moves, or takes a double.
    Confirm,
    /// Doubles.
    Double,
    /// Resigns the game, or drops a double.
    Resign,
    /// Asks for another match with the same opponent, or agrees to one.
    Rematch,
    /// Says something to the opponent.
    Say(String),
    /// Closes the connection.
    Disconnect,
}

/// The longest text of a player that is sent, in characters.
const LONGEST_TEXT: usize = 300;

/// The text as one line without control characters.
fn plain(text: &str) -> String {
    let text: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_TEXT).collect();
    text.trim().to_owned()
}

/// The text as one word: blanks become underscores, as the server wants it.
fn word(text: &str) -> String {
    plain(text).replace(char::is_whitespace, "_")
}

impl Command {
    /// The line to send, without its end. No text in it begins a second line.
    #[must_use]
    pub fn line(&self) -> String {
        self.written(|password| Cow::Owned(word(password)))
    }

    /// The line with stars in the place of the password.
    #[must_use]
    pub fn without_password(&self) -> String {
        self.written(|_| Cow::Borrowed("***"))
    }

    fn written(&self, show: impl Fn(&str) -> Cow<'_, str>) -> String {
        match self {
            Command::Login { client, name, password: Some(password) } => {
                format!("lj {} {} {}", word(client), word(name), show(password))
            }
            Command::Login { client, name, password: None } => {
                format!("lj {} {}", word(client), word(name))
            }
            Command::Set(name, on) => format!("set {name} {}", u8::from(*on)),
            Command::Pong(text) => format!("pong {}", plain(text)),
            Command::List => "ls".to_owned(),
            Command::Create { points, title } => {
                // Without a title the server makes one, so a blank at the end does no harm.
                format!("c public {points} 0 {}", plain(title)).trim_end().to_owned()
            }
            Command::Join(id) => format!("j {id}"),
            Command::JoinPlayer(name) => format!("j {}", word(name)),
            Command::Leave => "leave".to_owned(),
            Command::Board => "b".to_owned(),
            Command::Roll => "r".to_owned(),
            Command::Move(steps) => {
                let point = |point: u8| match point {
                    25 => "bar".to_owned(),
                    0 => "off".to_owned(),
                    _ => point.to_string(),
                };
                let step = |&(from, to): &(u8, u8)| format!(" {}/{}", point(from), point(to));
                format!("mv{}", steps.iter().map(step).collect::<String>())
            }
            Command::Reset => "reset".to_owned(),
            Command::Confirm => "k".to_owned(),
            Command::Double => "d".to_owned(),
            Command::Resign => "resign".to_owned(),
            Command::Rematch => "rm".to_owned(),
            Command::Say(text) => format!("say {}", plain(text)),
            Command::Disconnect => "disconnect".to_owned(),
        }
    }
}

impl fmt::Debug for Command {
    /// The line without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.without_password())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_in_the_login_line_alone() {
        let login = Command::Login {
            client: "nonet-0.1/en".into(),
            name: "bot_nonet".into(),
            password: Some("Zanzibar 7".into()),
        };
        assert_eq!(login.line(), "lj nonet-0.1/en bot_nonet Zanzibar_7");
        assert_eq!(format!("{login:?}"), "lj nonet-0.1/en bot_nonet ***");
    }

    #[test]
    fn no_text_of_anybody_begins_a_second_line() {
        let text = "hello\r\nresign\u{85}\u{7}";
        for command in [
            Command::Say(text.into()),
            Command::Pong(text.into()),
            Command::JoinPlayer(text.into()),
            Command::Create { points: 1, title: text.into() },
        ] {
            let line = command.line();
            assert!(!line.chars().any(char::is_control), "{line:?}");
        }
        assert_eq!(Command::Say("x".repeat(5000)).line().len(), LONGEST_TEXT + 4);
    }
}
