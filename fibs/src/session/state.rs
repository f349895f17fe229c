//! The session type: its state, and the choice of the next command.

mod action;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::dialect::Dialect;
use super::history::HistoryRequest;
use super::lobby::{LobbyContext, LobbyState};
use super::reply_limit::ReplyLimit;
use super::settings::Settings;
use super::table::TableState;
use super::{Config, Waiting};
use crate::agent::{Agent, Event};
use crate::command::Command;
use crate::message::{SavedMatch, WhoLine};

/// Why the connection is to be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// Name or password are wrong: do not try again.
    Refused,
    /// The agent or the caller asked for it.
    Quit,
    /// The server no longer answers.
    Dead,
    /// The server does not let go of a match in which nothing has an effect.
    Stuck,
    /// Another program has logged in with the same account.
    Elsewhere,
    /// The server asks for name and password again.
    LoggedOut,
    /// The server shuts down or restarts; try again after this time.
    GoesDown(Duration),
}

/// What to do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Send this command, then call [`Session::step`] again.
    Send(Command),
    /// Do nothing before this time unless a message arrives.
    Wait(Duration),
    /// Close the connection.
    Close(Close),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Connected; the login prompt has not come.
    Greeting,
    /// Name and password were sent.
    LoggingIn,
    /// Logged in.
    Online,
    Closing(Close),
}

/// The state of a client's session with a server, without I/O.
///
/// ```
/// use fibs::Password;
/// use fibs::session::{Config, Session};
///
/// let session = Session::new(Config::new("first-0.1", "first_bot", Password::new("Zanzibar7")?));
/// assert!(!session.is_online() && !session.is_playing());
/// # Ok::<(), fibs::PasswordError>(())
/// ```
#[derive(Debug)]
pub struct Session {
    pub(super) config: Config,
    pub(super) rng: Pcg64,
    pub(super) phase: Phase,
    pub(super) began: Duration,
    pub(super) last_heard: Duration,
    pub(super) last_sent: Option<Duration>,
    /// When the first command after the server's last line was sent.
    pub(super) unanswered: Option<Duration>,
    pub(super) settings: Settings,
    pub(super) lobby: LobbyState,
    pub(super) players: HashMap<String, WhoLine>,
    pub(super) table: Option<TableState>,
    pub(super) history: Option<HistoryRequest>,
    /// Events of the end of a match, reported after the moves that were missed.
    pub(super) held_events: Vec<Event>,
    pub(super) chat_queue: VecDeque<Command>,
    pub(super) said_bye: bool,
    pub(super) announced: bool,
    /// Opponents in the requests for `oldmoves` since the login.
    pub(super) asked_about: Vec<String>,
    pub(super) replies: ReplyLimit,
    /// Limits the chat lines that the agent answers, told or not: those of each player,
    pub(super) answered: ReplyLimit,
    /// and those of all, under an empty name. The opponent is answered beyond the second limit.
    pub(super) answered_in_all: ReplyLimit,
    pub(super) dialect: Dialect,
    /// The last command but chat.
    pub(super) last_command: Option<Command>,
    /// When another command was sent because the first was not answered, and how many of them.
    pub(super) probed: Option<(Duration, usize)>,
    /// The command that was not answered before that.
    pub(super) silent_command: Option<Command>,
    /// Signs of a match that the session does not know of.
    pub(super) orphan: Option<Orphan>,
    /// When the server last said that there is none.
    pub(super) orphan_answered: Option<Duration>,
    /// A login prompt came in the middle of the session, and when a question was sent after it.
    pub(super) prompt_doubt: Option<Option<Duration>>,
    /// A sign of another program that uses the account.
    pub(super) login_check: Option<LoginCheck>,
    /// When that was last looked into.
    pub(super) login_checked: Option<Duration>,
    /// When the server goes down.
    pub(super) goes_down: Option<Duration>,
    /// When the board was last asked for, of this match or an earlier one.
    pub(super) board_asked: Duration,
    /// When the last command of the match was sent.
    pub(super) match_command_at: Option<Duration>,
    /// When a match ended or was left: lines of it may still come.
    pub(super) freed_at: Option<Duration>,
    /// Whether the server has accepted the password at least once.
    pub(super) has_logged_in: bool,
    /// When the login of this connection succeeded.
    pub(super) online_since: Duration,
    /// The login time of the own who line.
    pub(super) own_login: Option<u64>,
    /// Whether the server closed the connection, and no login has succeeded since.
    pub(super) was_closed: bool,
    /// Whether to look for matches that ended unseen.
    pub(super) check_ended: bool,
    /// What the session waits for, and since when.
    waiting: (Waiting, Duration),
    /// The attempts of the lobby when that was noted.
    attempts: u32,
}

/// The question whether another program uses the account.
#[derive(Clone, Debug, Default)]
pub(super) struct LoginCheck {
    pub(super) asked: Option<Duration>,
    /// The login times of the own who lines since then.
    pub(super) seen: BTreeSet<u64>,
}

/// A board or a sentence of a match that the session does not know of.
///
/// The session asks for the board. If it comes, the match is played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orphan {
    /// When to ask.
    pub(super) due: Duration,
    pub(super) asked: Option<Duration>,
    pub(super) tries: u32,
}

/// Sentences that one player is told in an hour.
const REPLIES_AN_HOUR: u32 = 12;
/// Chat lines of one player that the agent answers in an hour. Some of these answers are not told,
/// because they are repeated.
const ANSWERED_AN_HOUR: u32 = 30;
/// Chat lines of all players that the agent answers in an hour.
const ANSWERED_IN_ALL: u32 = 300;
/// A connection that is lost within this time after the login has not lasted.
const LASTS: Duration = Duration::from_secs(60);
/// Players that are remembered; a server has fewer.
pub(super) const MAX_PLAYERS: usize = 10_000;

impl Session {
    /// A session before its first connection.
    #[must_use]
    pub fn new(config: Config) -> Session {
        let rng = Pcg64::seed_from_u64(config.seed);
        let zero = Duration::ZERO;
        Session {
            config,
            rng,
            phase: Phase::Greeting,
            began: zero,
            last_heard: zero,
            last_sent: None,
            unanswered: None,
            settings: Settings::default(),
            lobby: LobbyState::default(),
            players: HashMap::new(),
            table: None,
            history: None,
            held_events: Vec::new(),
            chat_queue: VecDeque::new(),
            said_bye: false,
            announced: false,
            asked_about: Vec::new(),
            replies: ReplyLimit::new(REPLIES_AN_HOUR),
            answered: ReplyLimit::new(ANSWERED_AN_HOUR),
            answered_in_all: ReplyLimit::new(ANSWERED_IN_ALL),
            dialect: Dialect::default(),
            last_command: None,
            probed: None,
            silent_command: None,
            orphan: None,
            orphan_answered: None,
            prompt_doubt: None,
            login_check: None,
            login_checked: None,
            goes_down: None,
            board_asked: zero,
            match_command_at: None,
            freed_at: None,
            has_logged_in: false,
            online_since: zero,
            own_login: None,
            was_closed: false,
            check_ended: false,
            waiting: (Waiting::Login, zero),
            attempts: 0,
        }
    }

    /// A new connection was made. `now` counts from any fixed moment; the state of the last
    /// connection is dropped.
    pub fn connected(&mut self, now: Duration, agent: &mut dyn Agent) {
        // First, so that the opponent is not taken for the one who left.
        self.phase = Phase::Greeting;
        self.leave_table(now, agent);
        (self.last_command, self.probed, self.orphan) = (None, None, None);
        (self.freed_at, self.own_login, self.check_ended) = (None, None, false);
        (self.orphan_answered, self.prompt_doubt, self.goes_down) = (None, None, None);
        (self.login_check, self.login_checked, self.match_command_at) = (None, None, None);
        self.waiting = (Waiting::Login, now);
        (self.began, self.last_heard) = (now, now);
        (self.last_sent, self.unanswered) = (None, None);
        self.settings = Settings::with_address(self.config.address.clone());
        self.lobby.reconnected();
        self.players.clear();
        self.chat_queue.clear();
        (self.said_bye, self.announced) = (false, false);
        self.asked_about.clear();
        if let Some(request) = &mut self.history {
            *request = HistoryRequest::new(request.opponent.clone());
        }
    }

    /// Whether the login worked.
    #[must_use]
    pub fn is_online(&self) -> bool {
        self.phase == Phase::Online
    }

    /// Whether a match is being played.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.table.is_some()
    }

    /// Logs out with the next step; the server saves a match that is being played.
    pub fn quit(&mut self) {
        self.phase = Phase::Closing(Close::Quit);
    }

    /// What to do now. Call it after each message, after each command sent, and when the time of
    /// [`Step::Wait`] comes.
    pub fn step(&mut self, now: Duration, agent: &mut dyn Agent) -> Step {
        let step = self.next_step(now, agent);
        self.note_waiting(now);
        step
    }

    /// Whether a new connection can continue a match at once.
    ///
    /// It can if the match was being played. It also can if the match is saved, and its opponent is
    /// online, free and waited for.
    pub fn has_match_to_continue(&mut self, agent: &dyn Agent) -> bool {
        let context = LobbyContext {
            now: self.last_heard,
            players: &self.players,
            dialect: &self.dialect,
            replies: &mut self.replies,
            chat: &mut self.chat_queue,
        };
        self.table.is_some() || self.lobby.could_resume(&context, agent)
    }

    /// What the session waits for now, and since when.
    #[must_use]
    pub const fn waiting(&self) -> (Waiting, Duration) {
        self.waiting
    }

    /// Whether the connection may have been closed for another program with the same account.
    ///
    /// The connection is closed now. The answer is yes if a sign of such a program has not been
    /// explained.
    #[must_use]
    pub fn may_be_used_elsewhere(&mut self) -> bool {
        self.login_check.take().is_some()
    }

    /// The server has closed the connection, so it counts the account as logged out.
    ///
    /// If it says at the next login that the account is logged in, another program uses it.
    pub const fn closed_by_server(&mut self) {
        self.was_closed = true;
    }

    /// Whether the login of the last connection was accepted.
    #[must_use]
    pub fn logged_in_now(&self) -> bool {
        self.online_since >= self.began && self.has_logged_in
    }

    /// Whether the last connection, which is lost now, lasted for a minute after its login.
    #[must_use]
    pub fn has_lasted(&self, now: Duration) -> bool {
        self.logged_in_now() && now >= self.online_since + LASTS
    }

    /// Whether the server has accepted the password in this session.
    #[must_use]
    pub const fn has_logged_in(&self) -> bool {
        self.has_logged_in
    }

    /// The saved matches; `None` before the server has listed them.
    #[must_use]
    pub fn saved(&self) -> Option<&[SavedMatch]> {
        self.lobby.saved()
    }
}
