//! The bot's state, and what it records and learns; `agent.rs` has its decisions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fibs::message::Length;

use super::config::BotConfig;
use super::decider::Decider;
use super::learner_thread::{LearnerEvent, LearnerThread};
use super::log_event::LogEvent;
use super::match_log::{MatchLog, MatchLogError};
use crate::eval::Specialists;

/// Returns the time in Unix seconds.
pub type Clock = Box<dyn Fn() -> f64>;

/// Makes the decider that plays with a net; called again for each net that is promoted.
pub type MakeDecider = Box<dyn Fn(Arc<Specialists>) -> Decider>;

/// Learning from finished matches.
struct Learning {
    thread: LearnerThread,
    make_decider: MakeDecider,
}

/// A player on a server.
pub struct Bot {
    pub(super) decider: Decider,
    pub(super) config: BotConfig,
    pub(super) match_log: MatchLog,
    learning: Option<Learning>,
    clock: Clock,
    /// The opponent of the match in progress.
    pub(super) opponent: Option<String>,
    /// Players who have been greeted.
    pub(super) greeted: Vec<String>,
    /// Equity that the decider expected of the last own play.
    pub(super) expected_equity: Option<f32>,
    /// An owner said `pause`: no new matches.
    pub(super) paused: bool,
    /// An owner said `last`: log out after the match in progress.
    pub(super) finishing: bool,
    /// Log out as soon as possible.
    pub(super) quitting: bool,
    pub(super) matches_finished: u32,
    /// The first event that could not be recorded.
    failure: Option<MatchLogError>,
    /// Receives lines for the operator.
    pub log: Box<dyn FnMut(&str)>,
}

impl Bot {
    /// A bot that decides with `decider` and records its matches in `match_log`.
    #[must_use]
    pub fn new(decider: Decider, config: BotConfig, match_log: MatchLog, clock: Clock) -> Bot {
        Bot {
            decider,
            config,
            match_log,
            learning: None,
            clock,
            opponent: None,
            greeted: Vec::new(),
            expected_equity: None,
            paused: false,
            finishing: false,
            quitting: false,
            matches_finished: 0,
            failure: None,
            log: Box::new(|_| {}),
        }
    }

    /// Submits every match that ends from now on to `thread`. A net that is promoted there plays from the next match on,
    /// in a decider made by `make_decider`.
    pub fn learn_from_matches(&mut self, thread: LearnerThread, make_decider: MakeDecider) {
        self.learning = Some(Learning { thread, make_decider });
    }

    /// Waits until the learner has processed every submitted match; once `stop` is set, only the match in progress.
    pub fn finish_learning(&mut self, stop: &AtomicBool) {
        if let Some(Learning { thread, make_decider }) = self.learning.take() {
            for event in thread.close(stop) {
                self.handle_learner_event(event, &make_decider);
            }
        }
    }

    /// Returns whether learning continues.
    fn handle_learner_event(&mut self, event: LearnerEvent, make_decider: &MakeDecider) -> bool {
        match event {
            LearnerEvent::Message(line) => (self.log)(&line),
            LearnerEvent::Promoted(net) => self.decider = make_decider(net),
            LearnerEvent::Failed(error) => {
                (self.log)(&format!("learning has stopped: {error}"));
                return false;
            }
        }
        true
    }

    /// Handles the learner's events. Called between matches only, so that one net plays a whole match (unless the match is
    /// interrupted).
    pub(super) fn poll_learner(&mut self) {
        if let Some(learning) = self.learning.take() {
            let continues = learning
                .thread
                .poll()
                .into_iter()
                .all(|event| self.handle_learner_event(event, &learning.make_decider));
            self.learning = continues.then_some(learning);
        }
    }

    /// The error that stopped the bot from recording its matches, if there was one; the bot logs out then.
    pub fn take_failure(&mut self) -> Option<MatchLogError> {
        self.failure.take()
    }

    /// Matches finished since the bot was made.
    #[must_use]
    pub const fn matches_finished(&self) -> u32 {
        self.matches_finished
    }

    /// The time in Unix seconds.
    pub(super) fn now(&self) -> f64 {
        (self.clock)()
    }

    /// Records an event of the match with `opponent`, and submits the match to the learner if it is over.
    pub(super) fn record(&mut self, opponent: &str, event: &LogEvent) {
        match self.match_log.append(opponent, event) {
            Ok(Some(match_record)) if match_record.result.is_some() => {
                if let Some(learning) = &self.learning {
                    learning.thread.submit(match_record);
                }
            }
            Ok(_) => {}
            Err(error) => self.fail(error),
        }
    }

    /// Records an event of the match in progress; `event` gets the time.
    pub(super) fn record_now(&mut self, event: impl FnOnce(f64) -> LogEvent) {
        if let Some(opponent) = self.opponent.clone() {
            let event = event(self.now());
            self.record(&opponent, &event);
        }
    }

    fn fail(&mut self, error: MatchLogError) {
        (self.log)(&format!("cannot record matches any more, so no new matches: {error}"));
        self.quitting = true;
        self.failure.get_or_insert(error);
    }

    /// A match begins or is resumed. `standings`: rating and experience, the opponent's first.
    pub(super) fn begin_match(
        &mut self,
        opponent: &str,
        length: Length,
        standings: [Option<(f64, u32)>; 2],
    ) {
        let time = self.now();
        self.poll_learner();
        self.opponent = Some(opponent.to_owned());
        if length == Length::Resume && self.match_log.open_match(opponent).is_some() {
            return self.record(opponent, &LogEvent::Resume { time });
        }
        let points = if let Length::Points(points) = length { Some(points) } else { None };
        let [other, own] = standings;
        let event = LogEvent::MatchStart {
            time,
            own: self.config.name.clone(),
            opponent: opponent.to_owned(),
            length: points,
            own_rating: own.map(|(rating, _)| rating),
            own_experience: own.map(|(_, experience)| experience),
            opponent_rating: other.map(|(rating, _)| rating),
            opponent_experience: other.map(|(_, experience)| experience),
        };
        if let Err(error) = self.match_log.begin(&event) {
            self.fail(error);
        }
    }

    /// A match ended. `score`: own points first.
    pub(super) fn finish_match(&mut self, opponent: &str, won: bool, score: [u32; 2]) {
        let time = self.now();
        let [own, other] = score;
        let result = if won { "won" } else { "lost" };
        (self.log)(&format!("{result} {own}-{other} against {opponent}"));
        // The server's list of moves may have ended the record already.
        self.matches_finished += u32::from(self.match_log.open_match(opponent).is_some());
        self.record(opponent, &LogEvent::MatchOver { time, won, score });
        self.opponent = None;
    }
}
