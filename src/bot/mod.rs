//! nonet on a backgammon server: the only place that knows both worlds, that of positions and that of the protocol.
//!
//! [`Bot`] is the `fibs::agent::Agent`: it judges with a net, decides with a [`crate::game::Player`] as `nonet eval` does, writes down
//! what happens in a [`MatchLog`] and answers people. If it is asked to, a [`OnlineLearner`] learns from its matches. [`fn@play`] runs one over the net, and [`serve`] a server to try it on.

mod chat;
mod connection;
mod convert;
mod cube;
mod decider;
mod learner_thread;
mod log_event;
mod match_log;
mod online_learner;
mod policy;
mod scripted;
mod statistics;
mod watch;
mod watched_matches;

pub use connection::{
    BotAccount, Ended, ListenError, NetError, Notice, RegisterError, Served, ServerAddr, Welcome,
    play, register, serve, watch, whoami,
};
pub use cube::{gives_up, should_accept, stakes};
pub use decider::Decider;
pub use learner_thread::{LearnerEvent, LearnerThread};
pub use log_event::{LogEvent, MatchRecord};
pub use match_log::{MatchLog, MatchLogError, match_records};
pub use online_learner::{LearnOutcome, OnlineLearner, OnlineLearningConfig};
pub use policy::InvitationPolicy;
pub use scripted::ScriptedBot;
pub use statistics::{MatchResults, rating_chart, rating_curve};
pub use watch::Watcher;
pub use watched_matches::WatchedMatches;

pub use fibs::session::Pace;
pub use fibs::{Password, PasswordError};

use fibs::agent::{
    Agent, Event, GameEnd, IdleAction, Invitation, Lobby, TurnContext, stake_if_won_now,
};
use fibs::message::{Channel, Chat, Length};

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::backgammon::{Candidate, FibsBoard, Side, Stake};
use crate::eval::Specialists;
use chat::Request;
use convert::session_of;

/// Unix seconds: a clock is an argument.
pub type Clock = Box<dyn Fn() -> f64>;

/// Makes a judge of a net that has learned.
pub type MakeDecider = Box<dyn Fn(Arc<Specialists>) -> Decider>;

/// How a bot behaves.
#[derive(Clone, Debug, Default)]
pub struct BotConfig {
    /// Its own name on the server.
    pub name: String,
    /// Whom it plays.
    pub policy: InvitationPolicy,
    /// Who may give it orders by tell.
    pub owners: Vec<String>,
    /// Whom to invite, and for how many points, when there is nothing else to do.
    pub challenge: Option<(String, u32)>,
    /// Log out after so many matches.
    pub matches: Option<u32>,
}

/// A player on a server.
pub struct Bot {
    judge: Decider,
    manners: BotConfig,
    match_log: MatchLog,
    /// Where a net learns from the matches, and how it comes to play.
    learner: Option<(LearnerThread, MakeDecider)>,
    clock: Clock,
    /// With whom a match is being played.
    opponent: Option<String>,
    greeted: Vec<String>,
    equity: Option<f32>,
    paused: bool,
    finishing: bool,
    quitting: bool,
    played: u32,
    /// The first thing that could not be written down.
    failed: Option<MatchLogError>,
    /// Lines for whoever watches the program.
    pub log: Box<dyn FnMut(&str)>,
}

impl Bot {
    /// A bot that judges with `judge` and writes into `match_log`.
    #[must_use]
    pub fn new(judge: Decider, manners: BotConfig, match_log: MatchLog, clock: Clock) -> Bot {
        Bot {
            judge,
            manners,
            match_log,
            learner: None,
            clock,
            opponent: None,
            greeted: Vec::new(),
            equity: None,
            paused: false,
            finishing: false,
            quitting: false,
            played: 0,
            failed: None,
            log: Box::new(|_| {}),
        }
    }

    /// From now on every match that is over goes to `learner`, and a net that has been promoted there plays, judged by the
    /// judge that `hire` makes of it, from the next match on.
    pub fn learn(&mut self, learner: LearnerThread, hire: MakeDecider) {
        self.learner = Some((learner, hire));
    }

    /// Waits until everything is learned, or once `stop` is set only for the match at work.
    pub fn finish_learning(&mut self, stop: &AtomicBool) {
        if let Some((learner, hire)) = self.learner.take() {
            learner.close(stop).into_iter().for_each(|news| {
                self.hear(news, &hire);
            });
        }
    }

    /// What the school says; whether it goes on.
    fn hear(&mut self, news: LearnerEvent, hire: &MakeDecider) -> bool {
        match news {
            LearnerEvent::Said(line) => (self.log)(&line),
            LearnerEvent::Promoted(team) => self.judge = hire(team),
            LearnerEvent::Failed(error) => {
                (self.log)(&format!("nothing is learned any more: {error}"));
                return false;
            }
        }
        true
    }

    /// Between matches, so that each is played by one net while the line holds.
    fn poll_learner(&mut self) {
        if let Some((learner, hire)) = self.learner.take() {
            let goes_on = learner.news().into_iter().all(|news| self.hear(news, &hire));
            self.learner = goes_on.then_some((learner, hire));
        }
    }

    /// Why it stopped writing things down, if it did; it logs out then.
    pub fn take_failure(&mut self) -> Option<MatchLogError> {
        self.failed.take()
    }

    /// Matches finished since it began.
    #[must_use]
    pub const fn played(&self) -> u32 {
        self.played
    }

    fn write(&mut self, opponent: &str, entry: &LogEvent) {
        match self.match_log.write(opponent, entry) {
            Ok(Some(match_record)) if match_record.result.is_some() => {
                if let Some((learner, _)) = &self.learner {
                    learner.submit(match_record);
                }
            }
            Ok(_) => {}
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: MatchLogError) {
        (self.log)(&format!("cannot keep records any more, so no new matches: {error}"));
        self.quitting = true;
        self.failed.get_or_insert(error);
    }

    /// What happened with the opponent at the table.
    fn note(&mut self, entry: impl FnOnce(f64) -> LogEvent) {
        if let Some(opponent) = self.opponent.clone() {
            let entry = entry((self.clock)());
            self.write(&opponent, &entry);
        }
    }

    fn begins(&mut self, opponent: &str, length: Length, standings: [Option<(f64, u32)>; 2]) {
        let time = (self.clock)();
        self.poll_learner();
        self.opponent = Some(opponent.to_owned());
        if length == Length::Resume && self.match_log.match_record(opponent).is_some() {
            return self.write(opponent, &LogEvent::Resume { time });
        }
        let points = if let Length::Points(points) = length { Some(points) } else { None };
        let [other, own] = standings;
        let entry = LogEvent::Begin {
            time,
            own: self.manners.name.clone(),
            opponent: opponent.to_owned(),
            length: points,
            own_rating: own.map(|(rating, _)| rating),
            own_experience: own.map(|(_, experience)| experience),
            opponent_rating: other.map(|(rating, _)| rating),
            opponent_experience: other.map(|(_, experience)| experience),
        };
        if let Err(error) = self.match_log.begin(&entry) {
            self.fail(error);
        }
    }

    fn over(&mut self, opponent: &str, won: bool, score: [u32; 2]) {
        let time = (self.clock)();
        let [own, other] = score;
        let result = if won { "won" } else { "lost" };
        (self.log)(&format!("{result} {own}-{other} against {opponent}"));
        // The moves that the server told may have ended it already.
        self.played += u32::from(self.match_log.match_record(opponent).is_some());
        self.write(opponent, &LogEvent::Over { time, won, score });
        self.opponent = None;
    }

    fn answer(&mut self, request: Request, from: &str) -> String {
        match request {
            Request::Help => chat::HELP.to_owned(),
            Request::Stats => match self.match_log.results() {
                Ok(results) => results.against(from),
                Err(_) => "My records are not at hand.".to_owned(),
            },
            Request::Last => match self.match_log.last(from) {
                Some(match_record) => {
                    let [own, other] =
                        match_record.result.map_or(match_record.score(), |(_, score)| score);
                    let length =
                        match_record.length.map_or("unlimited".into(), |n| format!("{n} point"));
                    format!("Our last {length} match: you {other}, me {own}.")
                }
                None => "We have not played yet, as far as I know.".to_owned(),
            },
            Request::Pause => {
                self.paused = true;
                "No new matches until you say 'resume'.".to_owned()
            }
            Request::Resume => {
                (self.paused, self.finishing) = (false, false);
                "New matches are welcome again.".to_owned()
            }
            Request::Finish => {
                self.finishing = true;
                "I log out after this match.".to_owned()
            }
            Request::Status => {
                let at =
                    self.opponent.as_ref().map_or("idle".to_owned(), |o| format!("playing {o}"));
                let paused = if self.paused { ", paused" } else { "" };
                let saved = self.match_log.unfinished().len();
                format!("{at}{paused}; {} matches finished, {saved} open.", self.played)
            }
            Request::Quit => {
                self.quitting = true;
                "Goodbye.".to_owned()
            }
        }
    }
}

impl Agent for Bot {
    fn play(&mut self, turn: &TurnContext) -> usize {
        let (after, equity) = self.judge.play(&turn.position, turn.dice);
        self.equity = Some(equity);
        let is_it = |play: &Candidate| play.after == after;
        turn.plays.iter().position(is_it).unwrap_or(0)
    }

    fn double(&mut self, board: &FibsBoard) -> bool {
        let Some(session) = session_of(board) else { return false };
        self.judge.cube(&board.position, &stakes(session), convert::cube(board)).is_double()
    }

    fn take(&mut self, board: &FibsBoard) -> bool {
        // Asked as the opponent, who is on roll.
        let position = board.position.flipped();
        let Some(session) = session_of(board) else { return true };
        self.judge
            .cube(&position, &stakes(session.flipped()), convert::offered_cube(board))
            .is_take()
    }

    fn accept_resignation(&mut self, board: &FibsBoard, offered: Stake) -> bool {
        let all = stake_if_won_now(&board.position);
        let ours = board.on_roll() != Some(Side::Opponent);
        let own = board.position;
        let position = if ours { own } else { own.flipped() };
        let Some(session) = session_of(board) else { return offered >= all };
        let value = self.judge.before_roll(&position);
        let value = if ours { value } else { value.flipped() };
        let offered_is_fair =
            should_accept(&value, &stakes(session), convert::cube(board), offered);
        offered >= all || offered_is_fair
    }

    fn resign(&mut self, board: &FibsBoard) -> Option<Stake> {
        // Before the roll alone: then the nets know what they judge.
        if board.rolled().is_some() {
            return None;
        }
        let value = self.judge.before_roll(&board.position);
        gives_up(&board.position, &value, &stakes(session_of(board)?), convert::cube(board))
    }

    fn invited(&mut self, invitation: &Invitation) -> Result<(), String> {
        if self.paused || self.finishing || self.quitting {
            return Err("I take a break just now. Please ask again later.".into());
        }
        self.manners.policy.judge(invitation)
    }

    fn on_chat(&mut self, chat: &Chat) -> Vec<String> {
        let owner = self.manners.owners.contains(&chat.from) && chat.channel == Channel::Tell;
        if chat::is_a_machine(&chat.from) && !owner {
            return Vec::new();
        }
        let Some(request) = chat::request(&chat.text, owner) else { return Vec::new() };
        vec![self.answer(request, &chat.from)]
    }

    fn greet(&mut self, opponent: &str) -> Option<String> {
        if self.greeted.iter().any(|name| name == opponent) || chat::is_a_machine(opponent) {
            return None;
        }
        if self.greeted.len() >= 1000 {
            self.greeted.clear();
        }
        self.greeted.push(opponent.to_owned());
        Some("Hello! I am a bot (nonet). Good luck, and tell me 'help' if you like.".to_owned())
    }

    fn wish(&mut self, lobby: &Lobby) -> IdleAction {
        if self.opponent.is_none() {
            self.poll_learner();
        }
        let enough = self.manners.matches.is_some_and(|matches| self.played >= matches);
        let nothing_open = self.match_log.unfinished().is_empty();
        if self.quitting || self.finishing || (enough && nothing_open) {
            return IdleAction::Quit;
        }
        match &self.manners.challenge {
            Some((name, points)) if !self.paused && !enough && nothing_open => {
                let free =
                    lobby.players.get(name).is_some_and(|who| who.opponent.is_none() && who.ready);
                if free {
                    IdleAction::Invite(name.clone(), Length::Points(*points))
                } else {
                    IdleAction::Nothing
                }
            }
            _ => IdleAction::Nothing,
        }
    }

    fn unfinished(&self) -> Vec<String> {
        self.match_log.unfinished()
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Ready { saved } => {
                (self.log)(&format!("ready; {} matches are saved", saved.len()));
            }
            Event::Match { opponent, length, standings } => {
                let known =
                    |i: usize| standings[i].as_ref().map(|who| (who.rating, who.experience));
                let how = if *length == Length::Resume { "goes on" } else { "begins" };
                (self.log)(&format!("a match with {opponent} {how}"));
                self.begins(opponent, *length, [known(0), known(1)]);
            }
            &Event::Game { length, score, crawford } => {
                self.note(|time| LogEvent::Game { time, length, score, crawford });
            }
            &Event::Turn { own, dice, before, after } => {
                let turn = crate::backgammon::record::RecordTurn {
                    player: convert::seat(own),
                    before,
                    dice,
                    after,
                };
                let equity = self.equity.take().filter(|_| own);
                self.note(|time| LogEvent::Turn {
                    time,
                    own,
                    dice: dice.to_string(),
                    before: before.id(),
                    after: after.id(),
                    play: turn.play().to_string(),
                    equity,
                });
            }
            &Event::Double { own } => self.note(|time| LogEvent::Double { time, own }),
            &Event::Take { own } => self.note(|time| LogEvent::Take { time, own }),
            &Event::GameOver { won, points, end } => {
                let how = match end {
                    GameEnd::Played => "played",
                    GameEnd::Dropped => "dropped",
                    GameEnd::Resigned => "resigned",
                };
                self.note(|time| LogEvent::GameOver { time, won, points, how: how.to_owned() });
            }
            Event::Rating(line) => self.note(|time| LogEvent::Rating { time, line: line.clone() }),
            Event::MatchOver { opponent, won, score } => self.over(opponent, *won, *score),
            Event::Left { opponent } => {
                let time = (self.clock)();
                (self.log)(&format!("the match with {opponent} is saved"));
                self.write(opponent, &LogEvent::Left { time });
                self.opponent = None;
            }
            Event::History { opponent, lines } => {
                let time = (self.clock)();
                let was_open = self.match_log.match_record(opponent).is_some();
                self.write(opponent, &LogEvent::History { time, lines: lines.clone() });
                if was_open && self.match_log.match_record(opponent).is_none() {
                    // It ended while we were cut off.
                    (self.log)(&format!("the match with {opponent} ended while the line was cut"));
                    self.played += 1;
                }
            }
            Event::HistoryLost { opponent, certain } => {
                let time = (self.clock)();
                if *certain && self.opponent.as_ref() != Some(opponent) {
                    (self.log)(&format!("nobody knows how the match with {opponent} ended"));
                    self.write(opponent, &LogEvent::Lost { time });
                } else {
                    self.write(opponent, &LogEvent::Gap { time });
                }
            }
            Event::Refused(why) => (self.log)(&format!("the server refused a command: {why}")),
            Event::BadBoard(error) => {
                (self.log)(&format!("ignored a board of the server: {error}"))
            }
            Event::Sent(_) | Event::Unknown(_) => {}
        }
    }
}
