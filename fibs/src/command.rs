//! The commands of a client.

use backgammon::Stake;

use crate::Password;
use crate::message::{Length, Toggle};

/// One command; [`Command::line`] is its text on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the server's own words")]
pub enum Command {
    /// Name and password in one line, in the client protocol.
    Login {
        client: String,
        name: String,
        password: Password,
    },
    /// Boards as one line of numbers.
    BoardStyle,
    Toggle(Toggle),
    /// The list of all toggles.
    Toggles,
    Back,
    Roll,
    Double,
    Accept,
    Reject,
    /// Checker moves in the server's notation, one for each die, as in `24-18 13-11`.
    Move(String),
    Resign(Stake),
    /// The next game of a match.
    JoinNext,
    /// Accept this player's invitation.
    Join(String),
    Invite(String, Length),
    Leave,
    Board,
    ShowSaved,
    OldMoves(String),
    RawWho,
    Watch(String),
    Unwatch,
    Tell(String, String),
    Kibitz(String),
    Time,
    Bye,
}

/// The longest text of a chat command, in characters.
const LONGEST_TEXT: usize = 400;

/// The version of the client protocol.
const VERSION: u32 = 1008;

impl Command {
    /// The line without its end. It contains no control characters, so a text cannot inject a second command.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Command::Login { client, name, password } => {
                format!("login {} {VERSION} {} {}", word(client), word(name), password.reveal())
            }
            Command::BoardStyle => "set boardstyle 3".to_owned(),
            Command::Toggle(toggle) => format!("toggle {}", toggle.name()),
            Command::Toggles => "toggle".to_owned(),
            Command::Back => "back".to_owned(),
            Command::Roll => "roll".to_owned(),
            Command::Double => "double".to_owned(),
            Command::Accept => "accept".to_owned(),
            Command::Reject => "reject".to_owned(),
            Command::Move(steps) => format!("move {}", text(steps)),
            Command::Resign(Stake::Single) => "resign n".to_owned(),
            Command::Resign(Stake::Gammon) => "resign g".to_owned(),
            Command::Resign(Stake::Backgammon) => "resign b".to_owned(),
            Command::JoinNext => "join".to_owned(),
            Command::Join(name) => format!("join {}", word(name)),
            Command::Invite(name, Length::Points(n)) => format!("invite {} {n}", word(name)),
            Command::Invite(name, Length::Unlimited) => format!("invite {} unlimited", word(name)),
            Command::Invite(name, Length::Resume) => format!("invite {}", word(name)),
            Command::Leave => "leave".to_owned(),
            Command::Board => "board".to_owned(),
            Command::ShowSaved => "show saved".to_owned(),
            Command::OldMoves(name) => format!("oldmoves {}", word(name)),
            Command::RawWho => "rawwho".to_owned(),
            Command::Watch(name) => format!("watch {}", word(name)),
            Command::Unwatch => "unwatch".to_owned(),
            Command::Tell(name, said) => format!("tell {} {}", word(name), text(said)),
            Command::Kibitz(said) => format!("kibitz {}", text(said)),
            Command::Time => "time".to_owned(),
            Command::Bye => "bye".to_owned(),
        }
    }

    /// Whether it is chat, which is paced more slowly.
    #[must_use]
    pub const fn is_chat(&self) -> bool {
        matches!(self, Command::Tell(..) | Command::Kibitz(_))
    }
}

fn text(text: &str) -> String {
    let plain = |c: char| if c.is_ascii() && !c.is_ascii_control() { c } else { ' ' };
    text.chars().take(LONGEST_TEXT).map(plain).collect()
}

fn word(name: &str) -> String {
    name.chars().filter(|c| c.is_ascii_graphic()).take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_a_second_command() {
        let said = Command::Tell("bob\r\nresign b".into(), "hi\r\nresign b\n\u{7}".into()).line();
        assert_eq!(said, "tell bobresignb hi  resign b  ");
    }

    #[test]
    fn debug_output_of_a_login_hides_the_password() {
        let password = Password::new("Zanzibar7").expect("good");
        let login = Command::Login { client: "c".into(), name: "n".into(), password };
        assert!(!format!("{login:?}").contains("Zanzibar"));
        assert_eq!(login.line(), "login c 1008 n Zanzibar7");
    }
}
