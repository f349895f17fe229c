//! The session itself: logging in, the lobby, and what is sent next.

use std::collections::VecDeque;
use std::time::Duration;

use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::config::Config;
use super::replies::Replies;
use super::table::TableState;
use crate::Command;
use crate::agent::{Agent, Event};

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Send this command now.
    Send(Command),
    /// Close the connection.
    Close(Close),
    /// Wait for a line, at most until this time.
    Wait(Duration),
}

/// Why the session closes the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Close {
    /// The agent or the caller asked for it.
    Quit,
    /// The server refused the login, with these words.
    Refused(String),
    /// The server does not answer.
    Silent,
}

/// How long the login may take.
const LOGIN: Duration = Duration::from_secs(60);
/// The shortest and the longest pause after a match could not be created.
const CREATE_PAUSE: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(300)];
/// The pause after an opponent was turned down, so that they do not sit down again at once.
const TURNED_DOWN: Duration = Duration::from_secs(30);
/// The server closes a connection that sends nothing for 40 s.
const KEEP_ALIVE: Duration = Duration::from_secs(30);
/// After this time without a line of the server it is asked something,
const QUIET: Duration = Duration::from_secs(60);
/// and after this time it is given up.
const SILENT: Duration = Duration::from_secs(90);
/// The time of a wait for lines alone.
pub(super) const FAR: Duration = Duration::from_secs(1 << 30);

/// Where the session is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// No connection.
    Off,
    LoggingIn {
        since: Duration,
    },
    /// The server seats those again who lost their connection.
    Settling {
        until: Duration,
    },
    /// The match of the last connection was asked for.
    Rejoining {
        asked: Duration,
    },
    /// The agent is asked at this time.
    Lobby {
        at: Duration,
    },
    /// A match was created or joined.
    Entering {
        asked: Duration,
    },
    /// At a table.
    Seated,
}

/// The state of a client. The program makes connections and moves lines; see the crate's example.
#[derive(Debug)]
pub struct Session {
    pub(super) config: Config,
    pub(super) phase: Phase,
    pub(super) table: Option<TableState>,
    /// The own name, as the server writes it.
    pub(super) name: String,
    pub(super) outbox: VecDeque<Command>,
    pub(super) replies: Replies,
    /// What the server said before the welcome.
    pub(super) refusal: Option<String>,
    pub(super) last_heard: Duration,
    /// The server was asked for a sign of life.
    prodded: bool,
    last_sent: Duration,
    create_pause: Duration,
    pub(super) quitting: bool,
    closing: bool,
    pub(super) rng: Pcg64,
}

impl Session {
    /// A session that is not connected.
    #[must_use]
    pub fn new(config: Config) -> Session {
        Session {
            name: config.name.clone(),
            rng: Pcg64::seed_from_u64(config.seed),
            config,
            phase: Phase::Off,
            table: None,
            outbox: VecDeque::new(),
            replies: Replies::default(),
            refusal: None,
            last_heard: Duration::ZERO,
            prodded: false,
            last_sent: Duration::ZERO,
            create_pause: CREATE_PAUSE[0],
            quitting: false,
            closing: false,
        }
    }

    /// A connection was made; one that was there before is lost.
    pub fn connected(&mut self, now: Duration, agent: &mut dyn Agent) {
        if self.table.as_ref().is_some_and(TableState::is_leaving) {
            self.close_table(now, agent);
        }
        if let Some(table) = &mut self.table
            && let Some(opponent) = table.opponent.clone().filter(|_| table.over.is_none())
            && table.present
        {
            table.departed(now);
            agent.event(&Event::Left { opponent });
        }
        let Config { client, name, password, .. } = &self.config;
        let login = Command::Login {
            client: client.clone(),
            name: name.clone(),
            password: password.clone(),
        };
        self.outbox = VecDeque::from([login]);
        (self.refusal, self.closing, self.prodded) = (None, false, false);
        (self.last_heard, self.last_sent) = (now, Duration::ZERO);
        self.phase = Phase::LoggingIn { since: now };
    }

    /// Ends the session as soon as possible; a match in progress can be continued for 15 minutes.
    pub const fn quit(&mut self) {
        self.quitting = true;
    }

    /// Whether the login of this connection worked.
    #[must_use]
    pub const fn is_logged_in(&self) -> bool {
        !matches!(self.phase, Phase::Off | Phase::LoggingIn { .. })
    }

    /// Whether there is a match that may go on after a new connection.
    #[must_use]
    pub fn has_match(&self) -> bool {
        self.table.as_ref().is_some_and(|table| table.opponent.is_some() && table.over.is_none())
    }

    /// Away from the table; the agent is asked what to do after `pause`.
    pub(super) fn close_table(&mut self, now: Duration, agent: &mut dyn Agent) {
        if let Some(table) = self.table.take()
            && let Some(opponent) = table.opponent.filter(|_| table.over.is_none())
        {
            if table.present {
                agent.event(&Event::Left { opponent: opponent.clone() });
            }
            agent.event(&Event::EndUnknown { opponent });
        }
        if self.is_logged_in() {
            self.phase = Phase::Lobby { at: now };
        }
    }

    /// The opponent is turned down.
    pub(super) fn turn_down(&mut self, why: String, now: Duration, agent: &mut dyn Agent) {
        self.outbox.extend([Command::Say(why), Command::Leave]);
        self.table = None;
        self.phase = Phase::Lobby { at: now + TURNED_DOWN };
        agent.event(&Event::Sent(Command::Leave.line()));
    }

    /// A match could not be created or joined.
    pub(super) fn refused_entry(&mut self, now: Duration) {
        // The server may believe that there is a match already.
        self.outbox.push_back(Command::Leave);
        self.phase = Phase::Lobby { at: now + self.create_pause };
        self.create_pause = (2 * self.create_pause).min(CREATE_PAUSE[1]);
    }

    /// A seat was taken.
    pub(super) fn seated(&mut self) {
        self.create_pause = CREATE_PAUSE[0];
        self.phase = Phase::Seated;
    }

    /// The match of the last connection is gone.
    pub(super) fn lost_match(&mut self, now: Duration, agent: &mut dyn Agent) {
        self.close_table(now, agent);
        self.phase = Phase::Lobby { at: now };
    }

    pub(super) fn send(&mut self, command: Command, now: Duration, agent: &mut dyn Agent) -> Step {
        self.last_sent = now;
        if !matches!(command, Command::Login { .. }) {
            agent.event(&Event::Sent(command.line()));
        }
        Step::Send(command)
    }

    /// What to do next; called again after each command, and after each line.
    pub fn step(&mut self, now: Duration, agent: &mut dyn Agent) -> Step {
        if self.phase == Phase::Off {
            return Step::Wait(FAR);
        }
        if let Some(why) = self.refusal.take() {
            return Step::Close(Close::Refused(why));
        }
        if self.closing {
            return Step::Close(Close::Quit);
        }
        if now >= self.last_heard + SILENT {
            return Step::Close(Close::Silent);
        }
        // A ping is answered at once.
        if matches!(self.outbox.front(), Some(Command::Pong(_) | Command::Login { .. }))
            && let Some(command) = self.outbox.pop_front()
        {
            return self.send(command, now, agent);
        }
        if let Phase::LoggingIn { since } = self.phase {
            if self.quitting {
                return Step::Close(Close::Quit);
            }
            let late = now >= since + LOGIN;
            return if late { Step::Close(Close::Silent) } else { Step::Wait(since + LOGIN) };
        }
        if self.quitting {
            return self.log_out(now, agent);
        }
        let free = self.last_sent + self.config.pace.gap;
        if now < free {
            return Step::Wait(free);
        }
        if let Some(command) = self.outbox.pop_front() {
            return self.send(command, now, agent);
        }
        if agent.quits() {
            self.quitting = true;
            return self.log_out(now, agent);
        }
        if now >= self.last_heard + QUIET && !self.prodded {
            self.prodded = true;
            return self.send(Command::List, now, agent);
        }
        if now >= self.last_sent + KEEP_ALIVE {
            return self.send(Command::Pong("here".to_owned()), now, agent);
        }
        let until = match self.act(now, agent) {
            Step::Wait(until) => until,
            step => return step,
        };
        let quiet = self.last_heard + if self.prodded { SILENT } else { QUIET };
        Step::Wait(until.min(quiet).min(self.last_sent + KEEP_ALIVE))
    }

    /// A line came.
    pub(super) const fn heard(&mut self, now: Duration) {
        (self.last_heard, self.prodded) = (now, false);
    }

    pub(super) fn log_out(&mut self, now: Duration, agent: &mut dyn Agent) -> Step {
        self.closing = true;
        if let Some(table) = self.table.take()
            && let Some(opponent) = table.opponent.filter(|_| table.over.is_none() && table.present)
        {
            agent.event(&Event::Sent(Command::Disconnect.line()));
            agent.event(&Event::Left { opponent });
        }
        self.send(Command::Disconnect, now, agent)
    }
}
