//! The messages of the server.

use backgammon::{Dice, FibsBoard, FibsBoardError};

use super::clip::{OwnInfo, Toggle, WhoLine};

/// The length of a match to invite to.
///
/// ```
/// use fibs::command::Command;
/// use fibs::message::Length;
///
/// assert_eq!(Command::Invite("ann".into(), Length::Points(5)).line(), "invite ann 5");
/// assert_eq!(Command::Invite("ann".into(), Length::Resume).line(), "invite ann");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// A match to this many points, 1 or more.
    Points(u32),
    /// An unlimited match, which is not rated.
    Unlimited,
    /// The length of the saved match, which is resumed.
    Resume,
}

/// The channel of a chat line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the server's own names")]
pub enum Channel {
    Tell,
    Shout,
    Whisper,
    Kibitz,
    Alert,
    /// A message left while the user was offline.
    Left,
}

/// A chat line of another player. The text can be anything, including text that looks like a
/// message of the server.
///
/// ```
/// use fibs::message::{Channel, Message, Parser};
///
/// let messages = Parser::messages("12 ann good luck");
/// let [Message::Chat(chat)] = &messages[..] else { panic!("one message") };
/// assert_eq!((chat.channel, chat.from.as_str()), (Channel::Tell, "ann"));
/// assert_eq!(chat.text, "good luck");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Chat {
    pub channel: Channel,
    pub from: String,
    pub text: String,
}

/// A line of `show saved`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedMatch {
    /// The opponent's name.
    pub opponent: String,
    /// Whether the opponent can be invited now (`**`).
    pub ready: bool,
    /// Points; `None` for an unlimited match.
    pub length: Option<u32>,
    /// Points so far, own first.
    pub score: [u32; 2],
}

/// Why the server refused a command, as far as a client has to distinguish the reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The user is not in a match.
    NotPlaying,
    /// The user is in a match already.
    Playing,
    /// The other player is not logged in.
    NobodyThere,
    /// The other player is in a match, or has not invited the user.
    NotWilling,
    /// There is no saved match to resume.
    NothingSaved,
    /// The saved match cannot be resumed.
    Corrupt,
    /// The match is too long for the experience of one of the players.
    NotExperienced,
    /// It is not the user's turn, or not the time for this command.
    NotNow,
    /// The dice are on the table already.
    RolledAlready,
    /// The play is illegal.
    BadMove,
    /// An own offer has to be answered first.
    OfferPending,
    /// The other player offers to resign, and the user has to answer first.
    ResignationPending,
    /// The other player has to answer the user's double first.
    DoublePending,
    /// The cube may not be turned.
    NoDouble,
}

/// A message of the server.
///
/// ```
/// use fibs::message::{Message, Parser};
///
/// let messages = Parser::messages("You roll 6 and 4.");
/// assert!(matches!(messages[..], [Message::YouRoll(dice)] if dice.high() == 6));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it; points and lengths are in points of the match")]
pub enum Message {
    LoginPrompt,
    PasswordPrompt,
    /// A line too long to be kept.
    TooLong,
    Welcome {
        name: String,
    },
    OwnInfo(Box<OwnInfo>),
    MotdBegins,
    /// A line of the message of the day.
    MotdLine(String),
    MotdEnds,
    Who(Box<WhoLine>),
    WhoEnds,
    LogsIn {
        name: String,
    },
    LogsOut {
        name: String,
    },
    Delivered {
        name: String,
    },
    Chat(Chat),
    /// The echo of an own chat line, or how many players heard it.
    Echo,
    AlreadyLoggedIn,
    /// The server closes this connection because of another login.
    LoggedInElsewhere,
    /// The server goes down in this many seconds.
    GoesDown {
        seconds: u32,
    },
    TimedOut,

    Board(Box<FibsBoard>),
    /// A line that begins like a board and is not a possible one.
    BadBoard(FibsBoardError),

    Toggled {
        toggle: Toggle,
        on: bool,
    },
    /// The style in which boards are sent.
    BoardStyle(u32),
    /// `set` gave a variable other than the board style this value.
    ValueSet {
        name: String,
        value: String,
    },
    /// The address of the account's owner was stored.
    AddressSet,
    /// It was refused.
    NotAnAddress,
    Away,

    /// An invitation; it is complete when [`Message::TypeJoin`] has followed.
    Wants {
        name: String,
        length: Length,
    },
    /// Between the two: joining would delete a saved match.
    SavedWarning,
    TypeJoin {
        name: String,
    },
    Invited {
        name: String,
        length: Length,
    },
    /// A player is not ready: an own invitation does not reach them.
    RefusesGames {
        name: String,
    },
    NowPlaying {
        name: String,
        length: Length,
    },

    NewGame {
        name: String,
    },
    OpeningRoll {
        own: u8,
        other: u8,
    },
    /// The opening roll in a match that is watched: the players, and the die of each.
    WatchedOpeningRoll {
        names: [String; 2],
        dice: [u8; 2],
    },
    YourTurn,
    MakesFirstMove {
        name: String,
    },
    /// Lines about a match that is resumed.
    Resumed,
    PleaseRoll,
    YouRoll(Dice),
    Rolls {
        name: String,
        dice: Dice,
    },
    PleaseMove,
    YouCannotMove,
    CannotMove {
        name: String,
    },
    Moves {
        name: String,
        steps: String,
    },
    /// The server made a forced move.
    MovedForUs,

    YouDouble,
    /// The opponent doubles, and the user has to answer.
    Doubles {
        name: String,
    },
    /// A player who is watched, or the opponent of one, doubles.
    WatchedDouble {
        name: String,
    },
    YouTake,
    Takes {
        name: String,
    },
    YouDrop {
        points: u32,
    },
    Drops {
        name: String,
        points: u32,
    },
    /// The double of `winner` is refused, in a match that is watched.
    WatchedDrop {
        name: String,
        winner: String,
        points: u32,
    },

    YouResign {
        points: u32,
    },
    Resigns {
        name: String,
        points: u32,
    },
    /// A player offers to resign to `winner`, in a match that is watched.
    WatchedResignation {
        name: String,
        winner: String,
        points: u32,
    },
    YouAccept {
        points: u32,
    },
    Accepts {
        name: String,
        points: u32,
    },
    YouReject,
    Rejects {
        name: String,
    },

    /// The match is saved: a player left or lost the connection.
    Saved {
        name: Option<String>,
    },
    /// The points are 0 if the server does not tell them.
    YouWinGame {
        points: u32,
    },
    WinsGame {
        name: String,
        points: u32,
    },
    Score,
    /// The next game begins when both players join.
    TypeJoinNext,
    WaitForJoin {
        name: String,
    },
    YouWinMatch {
        /// Points; `None` for an unlimited match.
        length: Option<u32>,
        score: [u32; 2],
    },
    WinsMatch {
        name: String,
        /// Points; `None` for an unlimited match.
        length: Option<u32>,
        score: [u32; 2],
    },
    /// This player is watched from now on.
    NowWatching {
        name: String,
    },
    /// Other players start a match, or resume it.
    OthersStart {
        names: [String; 2],
        /// Points; `None` for an unlimited match.
        length: Option<u32>,
        resumed: bool,
    },
    /// A match of other players is over. The winner's points are first.
    OthersFinish {
        winner: String,
        loser: String,
        length: u32,
        score: [u32; 2],
    },
    /// A line of the rating calculation, word for word.
    Rating(String),

    SavedList,
    SavedGame(SavedMatch),
    NothingSaved,
    /// A line of `oldmoves`, word for word.
    OldMoves(String),
    Time(String),

    /// A command was refused. The name is that of the player in the sentence, if it names one.
    Refused {
        why: Refusal,
        name: Option<String>,
    },
    /// The words of the server seem to say that no match is on, or that it was saved. Such words
    /// can be a player's text in a sentence that is not known, so they prove nothing.
    SeemsOver,
    /// A sentence about players that changes nothing, such as a player's away text.
    Remark(String),
    /// The server does not know a command: the one it names, or the last one.
    UnknownCommand {
        verb: Option<String>,
    },
    /// Any other line that begins with `**`.
    Notice(String),
    Unknown(String),
}

impl Message {
    /// Whether it shows that the server is at work.
    ///
    /// No player can write such a message, and it is no prompt and no line of free text.
    ///
    /// ```
    /// use fibs::message::Parser;
    ///
    /// let shows = |line: &str| Parser::messages(line)[0].is_sign_of_life();
    /// assert!(shows("You roll 6 and 4.") && !shows("13 eve You roll 6 and 4."));
    /// ```
    #[must_use]
    pub const fn is_sign_of_life(&self) -> bool {
        !matches!(
            self,
            Message::LoginPrompt
                | Message::PasswordPrompt
                | Message::TooLong
                | Message::MotdBegins
                | Message::MotdLine(_)
                | Message::Chat(_)
                | Message::Echo
                | Message::Remark(_)
                | Message::SeemsOver
                | Message::Notice(_)
                | Message::Unknown(_)
        )
    }

    /// Whether it may answer a command of ours, in words that are perhaps not known.
    pub(crate) const fn may_answer(&self) -> bool {
        self.is_sign_of_life()
            || matches!(
                self,
                Message::SeemsOver | Message::Notice(_) | Message::Unknown(_) | Message::TooLong
            )
    }
}
