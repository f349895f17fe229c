//! The commands of a client.

use backgammon::Stake;

use crate::Password;
use crate::message::{Length, Toggle};

/// One command; [`Command::line`] is its text on the wire.
///
/// ```
/// use fibs::command::Command;
///
/// let command = Command::Tell("ann".into(), "good luck".into());
/// assert_eq!((command.line().as_str(), command.is_chat()), ("tell ann good luck", true));
/// assert_eq!(Command::Move("24-18 13-11".into()).line(), "move 24-18 13-11");
/// ```
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
    /// The time zone of the server's answers: UTC, which has no summer time.
    TimeZoneUtc,
    /// No beavers and raccoons in unlimited matches.
    NoRedoubles,
    /// The e-mail address of the account's owner, which others can read.
    Address(String),
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
    /// `board`, abbreviated: some servers know only this.
    ShortBoard,
    /// The other command that sends a board.
    Redraw,
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

/// The longest name or address, in characters.
const LONGEST_WORD: usize = 80;

/// The version of the client protocol.
const VERSION: u32 = 1008;

impl Command {
    /// All first words of commands.
    pub(crate) const VERBS: &'static [&'static str] = &[
        "login", "set", "toggle", "back", "roll", "double", "accept", "reject", "move", "resign",
        "join", "invite", "leave", "board", "b", "redraw", "show", "oldmoves", "rawwho", "watch",
        "unwatch", "tell", "kibitz", "time", "bye", "address",
    ];

    /// The line without its end. It contains no control characters, so a text cannot inject a
    /// second command.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Command::Login { client, name, password } => {
                format!("login {} {VERSION} {} {}", word(client), word(name), password.reveal())
            }
            Command::BoardStyle => "set boardstyle 3".to_owned(),
            Command::TimeZoneUtc => "set timezone UTC".to_owned(),
            Command::NoRedoubles => "set redoubles none".to_owned(),
            Command::Address(address) => format!("address {}", word(address)),
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
            Command::ShortBoard => "b".to_owned(),
            Command::Redraw => "redraw".to_owned(),
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

    /// [`Command::line`] with stars in the place of the password, for logs.
    #[must_use]
    pub fn without_password(&self) -> String {
        match self {
            Command::Login { client, name, .. } => {
                format!("login {} {VERSION} {} ***", word(client), word(name))
            }
            _ => self.line(),
        }
    }

    /// The first word of its line, which a server knows or does not know.
    #[must_use]
    pub const fn verb(&self) -> &'static str {
        match self {
            Command::Login { .. } => "login",
            Command::BoardStyle | Command::TimeZoneUtc | Command::NoRedoubles => "set",
            Command::Address(_) => "address",
            Command::Toggle(_) | Command::Toggles => "toggle",
            Command::Back => "back",
            Command::Roll => "roll",
            Command::Double => "double",
            Command::Accept => "accept",
            Command::Reject => "reject",
            Command::Move(_) => "move",
            Command::Resign(_) => "resign",
            Command::JoinNext | Command::Join(_) => "join",
            Command::Invite(..) => "invite",
            Command::Leave => "leave",
            Command::Board => "board",
            Command::ShortBoard => "b",
            Command::Redraw => "redraw",
            Command::ShowSaved => "show",
            Command::OldMoves(_) => "oldmoves",
            Command::RawWho => "rawwho",
            Command::Watch(_) => "watch",
            Command::Unwatch => "unwatch",
            Command::Tell(..) => "tell",
            Command::Kibitz(_) => "kibitz",
            Command::Time => "time",
            Command::Bye => "bye",
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
    name.chars().filter(|c| c.is_ascii_graphic()).take(LONGEST_WORD).collect()
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
    fn a_line_begins_with_its_verb() {
        let name = || "bob".to_owned();
        let commands = [
            Command::BoardStyle,
            Command::TimeZoneUtc,
            Command::NoRedoubles,
            Command::Address(name()),
            Command::Toggle(Toggle::Ready),
            Command::Board,
            Command::ShortBoard,
            Command::Redraw,
            Command::ShowSaved,
            Command::JoinNext,
            Command::Join(name()),
            Command::Invite(name(), Length::Resume),
            Command::Move("24-18".into()),
            Command::Resign(Stake::Gammon),
            Command::Kibitz(name()),
        ];
        for command in commands {
            let line = command.line();
            assert_eq!(line.split(' ').next(), Some(command.verb()), "{line}");
            assert!(Command::VERBS.contains(&command.verb()), "{line}");
        }
    }

    #[test]
    fn debug_output_of_a_login_hides_the_password() {
        let password = Password::new("Zanzibar7").expect("good");
        let login = Command::Login { client: "c".into(), name: "n".into(), password };
        assert!(!format!("{login:?}").contains("Zanzibar"));
        assert_eq!(login.line(), "login c 1008 n Zanzibar7");
        assert_eq!(login.without_password(), "login c 1008 n ***");
    }
}
