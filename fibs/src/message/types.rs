//! Everything that the server can say.

use backgammon::{Dice, FibsBoard, FibsBoardError};

use super::clip::{OwnInfo, Toggle, WhoLine};

/// How long a match is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// So many points, 1 or more.
    Points(u32),
    /// Without an end and without rating.
    Unlimited,
    /// As long as the saved match that is to go on.
    Resume,
}

/// Where something was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the server's own names")]
pub enum Channel {
    Tell,
    Shout,
    Whisper,
    Kibitz,
    Alert,
    /// Left for us while we were away.
    Left,
}

/// Something that another player said. The text can hold anything, things that look like the server's words included.
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
    /// With whom.
    pub opponent: String,
    /// Whether he can be invited now (`**`).
    pub ready: bool,
    /// Points; `None` for an unlimited match.
    pub length: Option<u32>,
    /// Points so far, own first.
    pub score: [u32; 2],
}

/// Why the server did not do what it was told, as far as a client has to tell the reasons apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// We are in no game.
    NotPlaying,
    /// We are in a game already.
    Playing,
    /// Whoever we want to play with is not there.
    NobodyThere,
    /// He plays with somebody else, refuses games, or has not invited us.
    NotWilling,
    /// There is no saved match to resume.
    NothingSaved,
    /// The saved match cannot be resumed.
    Corrupt,
    /// The match is too long for our or his experience.
    NotExperienced,
    /// It is not our turn, or not the time for it.
    NotNow,
    /// The dice are on the table already.
    RolledAlready,
    /// The play is illegal.
    BadMove,
    /// An offer has to be answered first.
    OfferPending,
    /// The cube may not be turned.
    NoDouble,
}

/// What the server said.
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
    DayBegins,
    /// A line of the message of the day.
    Day(String),
    DayEnds,
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
    Heard(Chat),
    /// What we said ourselves, or whether anybody heard it.
    Echo,
    AlreadyLoggedIn,
    /// The server goes down in so many seconds.
    GoesDown {
        seconds: u32,
    },
    TimedOut,

    Board(Box<FibsBoard>),
    /// A line that began as a board and is none.
    BadBoard(FibsBoardError),

    Toggled {
        toggle: Toggle,
        on: bool,
    },
    /// The style in which boards are sent.
    BoardStyle(u32),
    Away,

    /// An invitation; it counts once [`Message::TypeJoin`] has followed.
    Wants {
        name: String,
        length: Length,
    },
    /// Between the two: joining would destroy a saved match of so many points.
    SavedWarning,
    TypeJoin {
        name: String,
    },
    Invited {
        name: String,
        length: Length,
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
    YourTurn,
    MakesFirstMove {
        name: String,
    },
    /// Lines about a match that goes on.
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
    /// The server moved for us.
    MovedForUs,

    YouDouble,
    Doubles {
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

    YouResign {
        points: u32,
    },
    Resigns {
        name: String,
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

    /// The match is saved: somebody left, or was lost.
    Saved {
        name: Option<String>,
    },
    YouWinGame {
        points: u32,
    },
    WinsGame {
        name: String,
        points: u32,
    },
    Score,
    /// The next game waits for both.
    TypeJoinNext,
    WaitForJoin {
        name: String,
    },
    YouWinMatch {
        length: u32,
        score: [u32; 2],
    },
    WinsMatch {
        name: String,
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

    Refused(Refusal),
    /// Any other line with stars before it.
    Notice(String),
    Unknown(String),
}
