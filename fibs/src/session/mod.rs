//! A session without I/O: messages and the time go in, commands come out.
//!
//! Whatever must have an effect is sent again until the effect is seen: settings by the server's answers, everything in
//! a match by its board. Nothing is remembered that a board could tell.

mod handle;
mod history;
mod lobby;
mod settings;
mod table;
mod track;

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64;

use crate::Password;
use crate::agent::{Agent, Event};
use crate::command::Command;
use crate::message::{SavedMatch, WhoLine};
use history::HistoryRequest;
use lobby::Lobby;
use settings::Settings;
use table::{Act, TableState};

/// A command that must have an effect has it within this time, or is sent again.
const DEADLINE: Duration = Duration::from_secs(10);
/// The server closes connections that say nothing for long.
const KEEP_ALIVE: Duration = Duration::from_secs(100);
/// After a word of ours, a server that lives says something within this time.
const DEAD: Duration = Duration::from_secs(30);

/// How fast commands follow each other. The server loses commands that come too fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Between two commands.
    pub gap: Duration,
    /// Before a word of chat.
    pub chat: Duration,
    /// The least and the longest time that a decision takes.
    pub think: [Duration; 2],
}

impl Default for Pace {
    /// As a quick person: half a second between commands, one to three for a decision.
    fn default() -> Pace {
        Pace {
            gap: Duration::from_millis(500),
            chat: Duration::from_millis(1500),
            think: [Duration::from_millis(700), Duration::from_millis(2500)],
        }
    }
}

/// Who logs in, and how.
#[derive(Clone, Debug)]
pub struct Config {
    /// What we play with, as others see it: at most 20 characters without blanks.
    pub client: String,
    /// The account.
    pub name: String,
    /// Its password.
    pub password: Password,
    /// How fast.
    pub pace: Pace,
    /// How long a dropped opponent is waited for before new matches are played.
    pub wait_for_dropped: Duration,
    /// Seed of waiting times.
    pub seed: u64,
}

impl Config {
    /// A config with the usual paces.
    #[must_use]
    pub fn new(client: &str, name: &str, password: Password) -> Config {
        Config {
            client: client.to_owned(),
            name: name.to_owned(),
            password,
            pace: Pace::default(),
            wait_for_dropped: Duration::from_secs(45),
            seed: 0,
        }
    }
}

/// Why a connection is to be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// Name or password are wrong: nothing is gained by trying again.
    Refused,
    /// The agent wished it.
    Quit,
    /// The server does not answer any more.
    Dead,
    /// The server goes down; it may be back after so long.
    GoesDown(Duration),
}

/// What is to be done now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Send this, and ask again.
    Send(Command),
    /// Nothing before this time, unless a message comes.
    Wait(Duration),
    /// Close the connection.
    Close(Close),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Connected, nothing said.
    Greeting,
    /// Name and password were sent.
    LoggingIn,
    /// In.
    Online,
    Closing(Close),
}

/// The state of everything between a client and a server.
#[derive(Debug)]
pub struct Session {
    config: Config,
    rng: Pcg64,
    phase: Phase,
    began: Duration,
    on_chat: Duration,
    sent: Option<Duration>,
    /// The first word that was sent after the last one that was heard.
    unanswered: Option<Duration>,
    settings: Settings,
    lobby: Lobby,
    players: HashMap<String, WhoLine>,
    table: Option<TableState>,
    wanted: Option<HistoryRequest>,
    /// The end of a match, which is told after the moves that were missed.
    held: Vec<Event>,
    chat: VecDeque<Command>,
    said_bye: bool,
    announced: bool,
    /// Opponents whose moves were asked for since the login.
    asked_about: Vec<String>,
    replies: HashMap<String, (Duration, u32)>,
}

/// More players than any server has.
const MOST_PLAYERS: usize = 10_000;
/// Replies to one person in an hour.
const MOST_REPLIES: u32 = 12;

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
            on_chat: zero,
            sent: None,
            unanswered: None,
            settings: Settings::default(),
            lobby: Lobby::default(),
            players: HashMap::new(),
            table: None,
            wanted: None,
            held: Vec::new(),
            chat: VecDeque::new(),
            said_bye: false,
            announced: false,
            asked_about: Vec::new(),
            replies: HashMap::new(),
        }
    }

    /// A connection was made at time `now`, counted from any moment on; nothing of the last one goes on.
    pub fn connected(&mut self, now: Duration, agent: &mut dyn Agent) {
        self.leave_table(now, agent);
        self.phase = Phase::Greeting;
        (self.began, self.on_chat) = (now, now);
        (self.sent, self.unanswered) = (None, None);
        self.settings = Settings::default();
        self.lobby.reconnected();
        self.players.clear();
        self.chat.clear();
        (self.said_bye, self.announced) = (false, false);
        self.asked_about.clear();
        if let Some(wanted) = &mut self.wanted {
            *wanted = HistoryRequest::new(wanted.opponent.clone());
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

    /// Says goodbye as soon as possible; a match that is being played is saved by the server.
    pub fn quit(&mut self) {
        self.phase = Phase::Closing(Close::Quit);
    }

    /// What to do now. To be asked after every message, after everything that was sent, and when its time has come.
    pub fn step(&mut self, now: Duration, agent: &mut dyn Agent) -> Step {
        if let Phase::Closing(close) = self.phase {
            if close == Close::Refused || close == Close::Dead || self.said_bye {
                return Step::Close(close);
            }
            self.said_bye = true;
            return Step::Send(Command::Bye);
        }
        if self.unanswered.is_some_and(|since| now >= since + DEAD)
            || (self.phase != Phase::Online && now >= self.began + 2 * DEAD)
        {
            return Step::Close(Close::Dead);
        }
        if self.phase == Phase::LoggingIn && self.sent.is_none() {
            let Config { client, name, password, .. } = self.config.clone();
            return self.send(Command::Login { client, name, password }, now, agent);
        }
        if self.phase != Phase::Online {
            return Step::Wait((self.began + 2 * DEAD).min(self.alarm()));
        }
        self.settle_history(now, agent);
        let (next, mut until) = match self.next(now, agent) {
            Act::Send(command) => (Some(command), self.alarm()),
            Act::Wait(until) => (None, until.min(self.alarm())),
        };
        if let Phase::Closing(_) = self.phase {
            return self.step(now, agent);
        }
        let (command, gap) = match next {
            Some(command) => (command, self.config.pace.gap),
            None if !self.chat.is_empty() => {
                let due = self.sent.map_or(now, |sent| sent + self.config.pace.chat);
                if now < due {
                    return Step::Wait(due.min(until));
                }
                let Some(command) = self.chat.pop_front() else { return Step::Wait(until) };
                return self.send(command, now, agent);
            }
            None => {
                let quiet = self.sent.unwrap_or(self.began) + KEEP_ALIVE;
                if now < quiet {
                    if let Some(wanted) = &self.wanted {
                        until = until.min(wanted.next_tick().max(now));
                    }
                    return Step::Wait(until.min(quiet));
                }
                (Command::Time, self.config.pace.gap)
            }
        };
        let due = self.sent.map_or(now, |sent| sent + gap);
        if now < due {
            return Step::Wait(due);
        }
        self.send(command, now, agent)
    }

    /// When silence becomes a reason to close.
    fn alarm(&self) -> Duration {
        self.unanswered.map_or(Duration::MAX, |since| since + DEAD)
    }

    fn send(&mut self, command: Command, now: Duration, agent: &mut dyn Agent) -> Step {
        self.sent = Some(now);
        // Everything but talk is answered somehow.
        if !command.is_chat() {
            self.unanswered.get_or_insert(now);
        }
        self.settings.sent(&command, now);
        self.lobby.sent(&command, now, &mut self.rng);
        if let (Command::OldMoves(_), Some(wanted)) = (&command, &mut self.wanted) {
            wanted.ask(now);
        }
        if let (Command::Time, Some(wanted)) = (&command, &mut self.wanted) {
            wanted.prodded(now);
        }
        if let Some(table) = &mut self.table
            && is_of_the_table(&command)
        {
            table.sent(&command, now);
        }
        if !matches!(command, Command::Login { .. }) {
            agent.event(&Event::Sent(command.line()));
        }
        Step::Send(command)
    }

    /// What matters most: settings, moves that were missed, the match, and then everything else.
    fn next(&mut self, now: Duration, agent: &mut dyn Agent) -> Act {
        match self.settings.next(now) {
            Act::Wait(until) if !self.settings.are_good() => return Act::Wait(until),
            Act::Wait(_) => {}
            send => return send,
        }
        let mut until = now + DEADLINE;
        if let Some(wanted) = &self.wanted {
            if wanted.is_due(now) && !wanted.is_lost(now) {
                return Act::Send(Command::OldMoves(wanted.opponent.clone()));
            }
            if wanted.wants_more(now) {
                return Act::Send(Command::Time);
            }
            until = until.min(wanted.next_tick().max(now));
        }
        if let Some(table) = &mut self.table {
            let chance = f64::from(self.rng.next_u32()) / f64::from(u32::MAX);
            return match table.act(now, &self.config.pace, chance, agent) {
                Act::Wait(other) => Act::Wait(other.min(until).max(now)),
                send => send,
            };
        }
        if self.lobby.saved().is_some() && !self.announced {
            self.announce(agent);
        }
        if self.wanted.is_some() {
            return match self.lobby.needs_saved(now) {
                Act::Wait(other) => Act::Wait(other.min(until)),
                send => send,
            };
        }
        let view = crate::agent::Lobby { now, players: &self.players };
        match self.lobby.next(now, &view, agent, &mut self.chat, &mut self.rng) {
            lobby::Next::Quit => {
                self.phase = Phase::Closing(Close::Quit);
                Act::Wait(now)
            }
            lobby::Next::Act(Act::Wait(other)) => Act::Wait(other.min(until)),
            lobby::Next::Act(send) => send,
        }
    }

    /// Tells the agent that all is well, and looks for matches that ended while nobody looked.
    fn announce(&mut self, agent: &mut dyn Agent) {
        self.announced = true;
        let saved: Vec<String> =
            self.lobby.saved().into_iter().flatten().map(|saved| saved.opponent.clone()).collect();
        let ended = agent
            .unfinished()
            .into_iter()
            .find(|name| !saved.contains(name) && !self.asked_about.contains(name));
        if let (Some(name), None) = (ended, &self.wanted) {
            self.asked_about.push(name.clone());
            self.wanted = Some(HistoryRequest::new(name));
            // There may be another one.
            self.announced = false;
        } else {
            agent.event(&Event::Ready { saved });
        }
    }

    /// Matches that are saved, as far as the server has told.
    #[must_use]
    pub fn saved(&self) -> Option<&[SavedMatch]> {
        self.lobby.saved()
    }
}

fn is_of_the_table(command: &Command) -> bool {
    matches!(
        command,
        Command::Roll
            | Command::Double
            | Command::Accept
            | Command::Reject
            | Command::Move(_)
            | Command::Resign(_)
            | Command::JoinNext
            | Command::Leave
            | Command::Board
            | Command::Kibitz(_)
    )
}
