//! What the server says: one JSON object a line.

use serde_json::Value;

use crate::{Board, BoardError};

/// A line of the server. Fields that are not listed here are ignored, and a `Type` that is not
/// listed is [`Message::Unknown`].
///
/// ```
/// use bgammon::Message;
///
/// let line = r#"{"Type":"say","Player":"bob","Message":"hello","New":[1]}"#;
/// let said = Message::Say { player: "bob".into(), text: "hello".into() };
/// assert_eq!(Message::parse(line), said);
/// assert_eq!(Message::parse(r#"{"Type":"party"}"#), Message::Unknown("party".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The login worked.
    Welcome {
        /// The own name, as the server writes it.
        name: String,
    },
    /// The client must show that it is there.
    Ping(String),
    /// A sentence for people.
    Notice(String),
    /// The opponent says something.
    Say {
        /// Their name.
        player: String,
        /// The text.
        text: String,
    },
    /// The list of matches.
    List,
    /// Somebody sits down at the table: the own side, or the opponent.
    Joined {
        /// Their name.
        player: String,
        /// The number of the match.
        id: u64,
    },
    /// Somebody leaves the table.
    Left {
        /// Their name.
        player: String,
    },
    /// The match, after every change.
    Board(Box<Board>),
    /// A board that cannot be.
    BadBoard(BoardError),
    /// A player rolled. In the opening one number may be 0.
    Rolled {
        /// Their name.
        player: String,
        /// The dice.
        rolls: [u8; 2],
    },
    /// A player moved checkers.
    Moved {
        /// Their name.
        player: String,
        /// From and to, in the server's numbers.
        moves: Vec<(u8, u8)>,
    },
    /// A game ended.
    Win {
        /// The winner's name.
        player: String,
        /// Whether the loser resigned or dropped.
        resigned: bool,
    },
    /// A command was refused.
    Failed {
        /// Which one.
        what: Failed,
        /// The reason in words.
        reason: String,
    },
    /// The settings of the account.
    Settings,
    /// An event of another `Type`.
    Unknown(String),
    /// A line that is no event.
    Text(String),
}

/// A kind of refused command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Failed {
    Create,
    Join,
    Leave,
    Roll,
    Move,
    Confirm,
}

/// The longest text of an event that is kept, in characters.
const LONGEST_TEXT: usize = 2000;
/// The most single moves in one event: four, and as many taken back.
const MOST_MOVES: usize = 8;

impl Message {
    /// Reads a line.
    #[must_use]
    pub fn parse(line: &str) -> Message {
        let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(line) else {
            return Message::Text(line.chars().take(LONGEST_TEXT).collect());
        };
        let text = |name: &str| -> String {
            value[name].as_str().unwrap_or_default().chars().take(LONGEST_TEXT).collect()
        };
        let player = || text("Player");
        let failed = |what| Message::Failed { what, reason: text("Reason") };
        match value["Type"].as_str().unwrap_or_default() {
            "welcome" => Message::Welcome { name: text("PlayerName") },
            "ping" => Message::Ping(text("Message")),
            "notice" => Message::Notice(text("Message")),
            "say" => Message::Say { player: player(), text: text("Message") },
            "list" => Message::List,
            "joined" => Message::Joined {
                player: player(),
                id: value["GameID"].as_u64().unwrap_or_default(),
            },
            "left" => Message::Left { player: player() },
            "board" => Board::read(&value)
                .map_or_else(Message::BadBoard, |board| Message::Board(Box::new(board))),
            "rolled" => Message::Rolled {
                player: player(),
                rolls: ["Roll1", "Roll2"].map(|name| {
                    let roll = value[name].as_u64().filter(|roll| *roll <= 6);
                    roll.and_then(|roll| u8::try_from(roll).ok()).unwrap_or_default()
                }),
            },
            "moved" => Message::Moved { player: player(), moves: moves(&value["Moves"]) },
            "win" => Message::Win { player: player(), resigned: !text("Resigned").is_empty() },
            "failedcreate" => failed(Failed::Create),
            "failedjoin" => failed(Failed::Join),
            "failedleave" => failed(Failed::Leave),
            "failedroll" => failed(Failed::Roll),
            "failedmove" => failed(Failed::Move),
            "failedok" => failed(Failed::Confirm),
            "settings" => Message::Settings,
            other => Message::Unknown(other.chars().take(LONGEST_TEXT).collect()),
        }
    }

    /// Whether the line shows that the server is at work. What a player writes does not.
    #[must_use]
    pub const fn is_sign_of_life(&self) -> bool {
        !matches!(self, Message::Say { .. } | Message::Text(_) | Message::Unknown(_))
    }
}

/// Pairs of numbers from 0 to 27; an impossible list is empty.
fn moves(value: &Value) -> Vec<(u8, u8)> {
    let space =
        |number: &Value| number.as_u64().filter(|n| *n <= 27).and_then(|n| u8::try_from(n).ok());
    let one = |pair: &Value| Some((space(&pair[0])?, space(&pair[1])?));
    let list = value.as_array().filter(|list| list.len() <= MOST_MOVES);
    list.and_then(|list| list.iter().map(one).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn events_are_read_as_the_server_writes_them() {
        // Lines of the real server, on loopback.
        for (line, expected) in [
            (
                r#"{"Type":"welcome","Player":"","PlayerName":"BOT_nonet","Clients":2,"Games":1}"#,
                Message::Welcome { name: "BOT_nonet".into() },
            ),
            (
                r#"{"Type":"joined","Player":"bob","GameID":7,"PlayerNumber":2}"#,
                Message::Joined { player: "bob".into(), id: 7 },
            ),
            (
                r#"{"Type":"rolled","Player":"bob","Roll1":5,"Roll2":0,"Selected":false}"#,
                Message::Rolled { player: "bob".into(), rolls: [5, 0] },
            ),
            (
                r#"{"Type":"moved","Player":"bob","Moves":[[27,5],[12,14]]}"#,
                Message::Moved { player: "bob".into(), moves: vec![(27, 5), (12, 14)] },
            ),
            (
                r#"{"Type":"win","Player":"bob","Resigned":"BOT_nonet","Points":2,"Rating":0}"#,
                Message::Win { player: "bob".into(), resigned: true },
            ),
            (
                r#"{"Type":"failedok","Reason":"8/4"}"#,
                Message::Failed { what: Failed::Confirm, reason: "8/4".into() },
            ),
            (
                "hello Welcome to bgammon.org!",
                Message::Text("hello Welcome to bgammon.org!".into()),
            ),
        ] {
            assert_eq!(Message::parse(line), expected, "{line}");
        }
    }

    #[test]
    fn what_a_player_says_stays_a_text() {
        let inner = r#"{\"Type\":\"win\",\"Player\":\"bob\"}"#;
        let line = format!("{{\"Type\":\"say\",\"Player\":\"eve\",\"Message\":\"{inner}\"}}");
        assert!(matches!(Message::parse(&line), Message::Say { player, .. } if player == "eve"));
    }

    proptest! {
        #[test]
        fn no_line_panics(line in "\\PC*", kind in "[a-z]{0,8}", field in "\\PC{0,40}") {
            let _ = Message::parse(&line);
            let event = serde_json::json!({
                "Type": kind, "Board": field, "Moves": [[field, 1]], "GameID": field,
            });
            let _ = Message::parse(&event.to_string());
        }
    }
}
