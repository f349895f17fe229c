//! A session without I/O: messages and the time go in, commands come out.
//!
//! Whatever must have an effect is sent again until the effect is seen: settings by the server's answers, everything in
//! a match by its board. Nothing is remembered that a board could tell.

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
use crate::agent::{Agent, Event, GameEnd};
use crate::command::Command;
use crate::message::{Channel, Chat, Length, Message, Refusal, SavedMatch, WhoLine};
use crate::rules::Dice;
use history::Wanted;
use lobby::Lobby;
use settings::Settings;
use table::{Act, Offer, Table};

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
    heard: Duration,
    sent: Option<Duration>,
    /// The first word that was sent after the last one that was heard.
    unanswered: Option<Duration>,
    settings: Settings,
    lobby: Lobby,
    players: HashMap<String, WhoLine>,
    table: Option<Table>,
    wanted: Option<Wanted>,
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
            heard: zero,
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
        (self.began, self.heard) = (now, now);
        (self.sent, self.unanswered) = (None, None);
        self.settings = Settings::default();
        self.lobby.reconnected();
        self.players.clear();
        self.chat.clear();
        (self.said_bye, self.announced) = (false, false);
        self.asked_about.clear();
        if let Some(wanted) = &mut self.wanted {
            *wanted = Wanted::new(wanted.opponent.clone());
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
            self.wanted = Some(Wanted::new(name));
            // There may be another one.
            self.announced = false;
        } else {
            agent.event(&Event::Ready { saved });
        }
    }

    /// A message arrived.
    pub fn message(&mut self, message: Message, now: Duration, agent: &mut dyn Agent) {
        self.heard = now;
        self.unanswered = None;
        if !matches!(message, Message::OldMoves(_))
            && self.wanted.as_ref().is_some_and(Wanted::has_begun)
        {
            self.finish_history(agent);
        }
        match self.phase {
            Phase::Greeting | Phase::LoggingIn => self.while_logging_in(&message, now),
            Phase::Closing(_) => {}
            Phase::Online => self.while_online(message, now, agent),
        }
    }

    fn while_logging_in(&mut self, message: &Message, now: Duration) {
        match (message, self.phase) {
            (Message::LoginPrompt, Phase::Greeting) => self.phase = Phase::LoggingIn,
            (Message::LoginPrompt, _) if self.sent.is_some() => {
                self.phase = Phase::Closing(Close::Refused);
            }
            (Message::Welcome { .. }, Phase::LoggingIn) => {
                self.phase = Phase::Online;
                self.settings.begin(now);
            }
            _ => {}
        }
    }

    fn while_online(&mut self, message: Message, now: Duration, agent: &mut dyn Agent) {
        self.settings.take(&message);
        self.lobby.take(&message, now);
        match message {
            Message::Who(who) => self.seen(*who, now),
            Message::LogsIn { name } => self.lobby.logs_in(&name),
            Message::LogsOut { name } => drop(self.players.remove(&name)),
            Message::Heard(chat) => self.chat_with(&chat, agent),
            Message::GoesDown { seconds } => {
                // Whatever is played is saved by leaving in time.
                let back = Duration::from_secs(u64::from(seconds.min(3600)) + 60);
                self.phase = Phase::Closing(Close::GoesDown(back));
            }
            Message::TimedOut => self.phase = Phase::Closing(Close::Dead),
            Message::TypeJoin { name } => {
                let playing = self.table.is_some() || self.wanted.is_some();
                self.lobby.invitation(&name, playing, &self.players, now, agent, &mut self.chat);
            }
            Message::NowPlaying { name, length } => self.sit_down(name, length, now, agent),
            Message::OldMoves(line) => {
                if let Some(wanted) = &mut self.wanted {
                    wanted.take(line, now);
                }
            }
            Message::Unknown(line) | Message::Notice(line) => agent.event(&Event::Unknown(line)),
            Message::BadBoard(error) => {
                agent.event(&Event::Unknown(error.to_string()));
                if let Some(table) = &mut self.table {
                    table.news(now);
                }
            }
            Message::Refused(refusal) => self.refused(refusal, now, agent),
            Message::Rating(line) => self.tell(Event::Rating(line), agent),
            message => self.while_playing(message, now, agent),
        }
    }

    fn seen(&mut self, who: WhoLine, now: Duration) {
        if who.name == self.config.name {
            match (&who.opponent, &mut self.table) {
                // The surest sign of whether we are in a match; but it may come before the words about it.
                (None, Some(table)) => table.news(now),
                (Some(opponent), None) => {
                    let table = Table::new(opponent.clone(), Length::Resume, now);
                    self.resume(table, opponent.clone());
                }
                _ => {}
            }
        }
        if self.players.len() < MOST_PLAYERS || self.players.contains_key(&who.name) {
            self.players.insert(who.name.clone(), who);
        }
    }

    fn standings(&self, opponent: &str) -> Box<[Option<WhoLine>; 2]> {
        Box::new([opponent, &self.config.name].map(|name| self.players.get(name).cloned()))
    }

    /// In a match that goes on, with everything before it to be read.
    fn resume(&mut self, mut table: Table, opponent: String) {
        table.tracker.forget();
        table.read_again();
        self.table = Some(table);
        self.wanted = Some(Wanted::new(opponent));
        self.held.clear();
    }

    fn sit_down(&mut self, name: String, length: Length, now: Duration, agent: &mut dyn Agent) {
        let standings = self.standings(&name);
        let known = self.table.as_ref().is_some_and(|table| table.opponent == name);
        let mut table = Table::new(name.clone(), length, now);
        table.told = true;
        agent.event(&Event::Match { opponent: name.clone(), length, standings });
        if length == Length::Resume {
            self.resume(table, name);
        } else {
            self.wanted = self.wanted.take().filter(|_| !known);
            table.tracker.expect_game();
            table.news(now);
            self.chat.extend(agent.greet(&name).map(Command::Kibitz));
            self.table = Some(table);
        }
    }

    fn leave_table(&mut self, now: Duration, agent: &mut dyn Agent) {
        if let Some(table) = self.table.take() {
            if self.wanted.as_ref().is_some_and(|wanted| wanted.opponent == table.opponent) {
                // It is asked for anew when the match goes on.
                self.wanted = None;
            }
            agent.event(&Event::Left { opponent: table.opponent.clone() });
            self.lobby.dropped(table.opponent, now + self.config.wait_for_dropped);
        }
    }

    fn refused(&mut self, refusal: Refusal, now: Duration, agent: &mut dyn Agent) {
        if refusal == Refusal::NothingSaved && self.wanted.as_ref().is_some_and(|w| !w.is_due(now))
        {
            self.lose_history(true, agent);
        }
        let Some(table) = &mut self.table else { return };
        match refusal {
            Refusal::NotPlaying => self.leave_table(now, agent),
            Refusal::BadMove
            | Refusal::NotNow
            | Refusal::RolledAlready
            | Refusal::NoDouble
            | Refusal::OfferPending => {
                agent.event(&Event::Refused(format!("{refusal:?}")));
                table.refused(refusal == Refusal::BadMove);
            }
            _ => {}
        }
    }

    fn while_playing(&mut self, message: Message, now: Duration, agent: &mut dyn Agent) {
        let Some(table) = &mut self.table else { return };
        let opponent = table.opponent.clone();
        let is_they = |name: &String| *name == opponent;
        let mut out = Vec::new();
        let (mut gap, mut unannounced) = (false, false);
        match message {
            Message::Board(board) if board.is_own() && board.opponent == opponent => {
                if !std::mem::replace(&mut table.told, true) {
                    // The server put us back without a word.
                    unannounced = true;
                }
                if std::mem::take(&mut table.unchecked)
                    && !self.lobby.is_as_agreed(&board, table.length)
                {
                    self.chat.push_back(Command::Tell(
                        opponent.clone(),
                        "This is not the match that we agreed on, so I leave it.".to_owned(),
                    ));
                    self.chat.push_back(Command::Leave);
                }
                gap = table.tracker.board(&board, &mut out).is_err();
                table.take_board(*board, now);
            }
            Message::NewGame { .. } => table.new_game(now),
            Message::OpeningRoll { own, other } => {
                table.tracker.opening(own, other);
                table.news(now);
            }
            Message::YouRoll(dice) => self.rolled(true, dice, now),
            Message::Rolls { name, dice } if is_they(&name) => self.rolled(false, dice, now),
            Message::YouCannotMove => table.dance(true, now, &mut out),
            Message::CannotMove { name } if is_they(&name) => table.dance(false, now, &mut out),
            Message::Moves { name, steps } if is_they(&name) => {
                table.they_move(&steps, &mut out);
                table.alive(now);
                table.news(now);
            }
            Message::MovedForUs => table.news(now),
            Message::YouDouble => {
                out.push(Event::Double { own: true });
                table.offered(Offer::OurDouble, now);
            }
            Message::Doubles { name } if is_they(&name) => {
                if table.offer != Offer::TheirDouble {
                    out.push(Event::Double { own: false });
                }
                table.alive(now);
                table.offered(Offer::TheirDouble, now);
            }
            Message::YouTake | Message::Takes { .. } => {
                let own = message == Message::YouTake;
                let waited = if own { Offer::TheirDouble } else { Offer::OurDouble };
                // The notice can come twice.
                if table.offer == waited {
                    out.push(Event::Take { own });
                }
                table.offered(Offer::None, now);
                table.news(now);
            }
            Message::YouResign { .. } => table.offered(Offer::OurResignation, now),
            Message::Resigns { name, points } if is_they(&name) => {
                table.alive(now);
                table.offered(Offer::TheirResignation(points), now);
            }
            Message::YouReject | Message::Rejects { .. } => {
                table.offered(Offer::None, now);
                table.read_again();
            }
            Message::YouDrop { points } => {
                out.extend(table.ended(false, points, GameEnd::Dropped, now))
            }
            Message::Drops { name, points } if is_they(&name) => {
                out.extend(table.ended(true, points, GameEnd::Dropped, now));
            }
            Message::YouAccept { points } => {
                out.extend(table.ended(true, points, GameEnd::Resigned, now))
            }
            Message::Accepts { name, points } if is_they(&name) => {
                out.extend(table.ended(false, points, GameEnd::Resigned, now));
            }
            Message::YouWinGame { points } => {
                if let Some(after) = table.sent_play.take() {
                    table.tracker.played(true, after, &mut out);
                }
                out.extend(table.ended(true, points, GameEnd::Played, now));
            }
            Message::WinsGame { name, points } if is_they(&name) => {
                out.extend(table.ended(false, points, GameEnd::Played, now));
            }
            Message::WaitForJoin { .. } => table.joined = true,
            Message::TypeJoinNext => table.read_again(),
            Message::Saved { name } if name.as_ref().is_none_or(is_they) => {
                self.leave_table(now, agent)
            }
            Message::YouWinMatch { score, .. } => self.match_over(true, score, agent),
            // The score is named from the winner's side.
            Message::WinsMatch { name, score: [theirs, ours], .. } if is_they(&name) => {
                self.match_over(false, [ours, theirs], agent);
            }
            _ => {}
        }
        if unannounced {
            let standings = self.standings(&opponent);
            let (opponent, length) = (opponent.clone(), Length::Resume);
            agent.event(&Event::Match { opponent, length, standings });
        }
        if gap && self.wanted.is_none() {
            self.wanted = Some(Wanted::new(opponent.clone()));
        }
        // What happens before the missing moves are told is among them.
        if self.wanted.is_none() {
            out.into_iter().for_each(|event| agent.event(&event));
        }
    }

    fn rolled(&mut self, own: bool, dice: Dice, now: Duration) {
        if let Some(table) = &mut self.table {
            table.offered(Offer::None, now);
            if !own {
                table.alive(now);
            }
            table.tracker.rolled(own, dice);
            table.news(now);
        }
    }

    fn match_over(&mut self, won: bool, score: [u32; 2], agent: &mut dyn Agent) {
        if let Some(table) = self.table.take() {
            let opponent = table.opponent;
            self.lobby.finished(&opponent);
            self.tell(Event::MatchOver { opponent, won, score }, agent);
        }
    }

    /// Tells the agent, after the moves that are still missing.
    fn tell(&mut self, event: Event, agent: &mut dyn Agent) {
        if self.wanted.is_some() {
            self.held.push(event);
        } else {
            agent.event(&event);
        }
    }

    fn settle_history(&mut self, now: Duration, agent: &mut dyn Agent) {
        let Some(wanted) = &self.wanted else { return };
        if wanted.is_lost(now) {
            self.lose_history(false, agent);
        }
    }

    fn finish_history(&mut self, agent: &mut dyn Agent) {
        if let Some(wanted) = self.wanted.take() {
            let opponent = wanted.opponent.clone();
            agent.event(&Event::History { opponent, lines: wanted.into_lines() });
            self.held.drain(..).for_each(|event| agent.event(&event));
        }
    }

    fn lose_history(&mut self, certain: bool, agent: &mut dyn Agent) {
        if let Some(wanted) = self.wanted.take() {
            agent.event(&Event::HistoryLost { opponent: wanted.opponent, certain });
            self.held.drain(..).for_each(|event| agent.event(&event));
        }
    }

    fn chat_with(&mut self, chat: &Chat, agent: &mut dyn Agent) {
        let playing = self.table.as_ref().is_some_and(|table| table.opponent == chat.from);
        if playing && let Some(table) = &mut self.table {
            // People who think that we hang say what they want us to do.
            let said = chat.text.to_lowercase();
            if ["move", "roll", "join", "hello?"].iter().any(|word| said.starts_with(word)) {
                table.read_again();
            }
        }
        let to_us = chat.channel == Channel::Tell || (chat.channel == Channel::Kibitz && playing);
        if !to_us || chat.from == self.config.name {
            return;
        }
        const HOUR: Duration = Duration::from_secs(3600);
        if self.replies.len() > MOST_PLAYERS {
            self.replies.clear();
        }
        let (since, said) = self.replies.entry(chat.from.clone()).or_insert((self.heard, 0));
        if self.heard >= *since + HOUR {
            (*since, *said) = (self.heard, 0);
        }
        if *said >= MOST_REPLIES {
            return;
        }
        for reply in agent.heard(chat) {
            *said += 1;
            self.chat.push_back(Command::Tell(chat.from.clone(), reply));
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
