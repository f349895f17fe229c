//! The bot's state, and what it records and learns; `agent.rs` has its decisions.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fibs::session::ReplyLimit;

use crate::chat::HINTS_AN_HOUR;
use crate::config::BotConfig;
use crate::decider::Decider;
use crate::learning::learner_thread::{LearnerEvent, LearnerThread};
use crate::records::log_event::LogEvent;
use crate::records::match_log::{MatchLog, MatchLogError};
use crate::records::metrics::{BotFigures, SharedFigures};
use crate::records::transcript::printable;
use nonet_engine::analysis::Summary;
use nonet_engine::eval::Specialists;

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
    /// Limits the hints to players about words that are no request.
    pub(super) hint_limit: ReplyLimit,
    /// Equity that the decider expected of the last own play.
    pub(super) expected_equity: Option<f32>,
    /// An owner said `pause`: no new matches.
    pub(super) paused: bool,
    /// An owner said `finish`, or nothing can be recorded: log out after the match in progress.
    pub(super) finishing: bool,
    /// Log out as soon as possible.
    pub(super) quitting: bool,
    pub(super) matches_finished: u32,
    /// The number of the connection on which the match in progress began or was resumed.
    match_connection: u64,
    /// The bot left the match in progress, or logged out.
    pub(super) leaving: bool,
    /// The last matches that were analysed: their opponents and begins, and both players'
    /// summaries, own first.
    pub(super) analysed: VecDeque<(String, f64, [Summary; 2])>,
    figures: SharedFigures,
    /// The first event that could not be recorded.
    pub(super) failure: Option<MatchLogError>,
}

impl Bot {
    /// A bot that decides with `decider` and records its matches in `match_log`.
    #[must_use]
    pub fn new(decider: Decider, config: BotConfig, match_log: MatchLog, clock: Clock) -> Bot {
        let open = match_log.open_opponents().len() as u64;
        let (began, site) = (clock(), config.site);
        let figures = BotFigures { began, open, site, ..BotFigures::default() };
        Bot {
            decider,
            config,
            match_log,
            learning: None,
            clock,
            opponent: None,
            greeted: Vec::new(),
            hint_limit: ReplyLimit::new(HINTS_AN_HOUR),
            expected_equity: None,
            paused: false,
            finishing: false,
            quitting: false,
            matches_finished: 0,
            match_connection: 0,
            leaving: false,
            analysed: VecDeque::new(),
            figures: Rc::new(RefCell::new(figures)),
            failure: None,
        }
    }

    /// Submits every match that ends from now on to `thread`. A net that is promoted there plays
    /// from the next match on, in a decider made by `make_decider`.
    pub fn learn_from_matches(&mut self, thread: LearnerThread, make_decider: MakeDecider) {
        self.learning = Some(Learning { thread, make_decider });
    }

    /// Waits until the learner has processed every submitted match; once `stop` is set, only the
    /// match in progress.
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
            LearnerEvent::Message(line) => tracing::info!("{line}"),
            LearnerEvent::Promoted(net) => self.decider = make_decider(net),
            LearnerEvent::Failed(error) => {
                tracing::error!("learning has stopped: {error}");
                return false;
            }
            LearnerEvent::Panicked(why) => {
                tracing::error!(
                    "learning has stopped: {}. The bot plays on with the net that it has, and \
                     learns again after a restart. Please report this.",
                    printable(&why)
                );
                return false;
            }
        }
        true
    }

    /// Handles the learner's events. Called between matches only, so that one net plays a whole
    /// match (unless the match is interrupted).
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

    /// The error that stopped the bot from recording its matches, if there was one; the bot logs
    /// out then.
    pub fn take_failure(&mut self) -> Option<MatchLogError> {
        self.failure.take()
    }

    /// Matches finished since the bot was made.
    #[must_use]
    pub const fn matches_finished(&self) -> u32 {
        self.matches_finished
    }

    /// Whether it has played the matches that it was asked for.
    pub(super) fn has_played_enough(&self) -> bool {
        self.config.matches.is_some_and(|matches| self.matches_finished >= matches)
    }

    /// Whether it plays new matches at the moment.
    ///
    /// # Errors
    /// A sentence for the player who is turned down.
    pub(super) fn takes_matches(&self) -> Result<(), String> {
        if self.paused || self.finishing || self.quitting {
            return Err("I am taking a break. Please ask again later.".into());
        }
        if self.has_played_enough() {
            return Err("I have played the matches that I came for.".into());
        }
        Ok(())
    }

    /// What the bot has done, for its observer and for metrics.
    #[must_use]
    pub const fn figures(&self) -> &SharedFigures {
        &self.figures
    }

    /// The text without the password.
    pub(super) fn without_secret<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.config.secret.as_ref().map_or(Cow::Borrowed(text), |secret| secret.redact(text))
    }

    /// The time in Unix seconds.
    pub(super) fn now(&self) -> f64 {
        (self.clock)()
    }

    /// Records an event of the match with `opponent`, and submits the match to the learner if it is
    /// over.
    pub(super) fn record(&mut self, opponent: &str, event: &LogEvent) {
        let appended = self.match_log.append(opponent, event);
        if let Ok(Some(match_record)) = &appended {
            let mut figures = self.figures.borrow_mut();
            match match_record.result {
                Some((true, _)) => figures.won += 1,
                Some((false, _)) => figures.lost += 1,
                None => figures.unknown += 1,
            }
        }
        self.count_open();
        match appended {
            Ok(Some(match_record)) if match_record.result.is_some() => {
                if let Some(learning) = &self.learning {
                    learning.thread.submit(match_record);
                }
            }
            Ok(_) => {}
            Err(error) => self.fail(error),
        }
    }

    fn count_open(&self) {
        self.figures.borrow_mut().open = self.match_log.open_opponents().len() as u64;
    }

    /// Records an event of the match in progress; `event` gets the time.
    pub(super) fn record_now(&mut self, event: impl FnOnce(f64) -> LogEvent) {
        if let Some(opponent) = self.opponent.clone() {
            let event = event(self.now());
            self.record(&opponent, &event);
        }
    }

    fn fail(&mut self, error: MatchLogError) {
        self.finishing = true;
        // Each further event fails in the same way.
        if self.failure.is_none() {
            tracing::error!("cannot record matches any more, so no new matches: {error}");
            self.failure = Some(error);
        }
    }

    /// A match of `length` points, or without an end, begins or is resumed. `standings`: rating and
    /// experience, the opponent's first.
    pub(super) fn begin_match(
        &mut self,
        opponent: &str,
        resumed: bool,
        length: Option<u32>,
        standings: [(Option<f64>, Option<u32>); 2],
    ) {
        let how = if resumed { "resumed" } else { "begins" };
        tracing::info!("match with {opponent} {how}");
        let time = self.now();
        self.poll_learner();
        self.opponent = Some(opponent.to_owned());
        (self.match_connection, self.leaving) = (self.figures.borrow().connections, false);
        if resumed && self.match_log.open_match(opponent).is_some() {
            return self.record(opponent, &LogEvent::Resume { time });
        }
        let [(opponent_rating, opponent_experience), (own_rating, own_experience)] = standings;
        let event = LogEvent::MatchStart {
            time,
            own: self.config.name.clone(),
            opponent: opponent.to_owned(),
            length,
            own_rating,
            own_experience,
            opponent_rating,
            opponent_experience,
        };
        match self.match_log.begin(&event) {
            // An older match with the same opponent ended with an unknown result.
            Ok(dropped) => self.figures.borrow_mut().unknown += u64::from(dropped),
            Err(error) => self.fail(error),
        }
        self.count_open();
    }

    /// The match in progress was interrupted, and the server saves it.
    pub(super) fn interrupt_match(&mut self, opponent: &str) {
        let time = self.now();
        tracing::info!("match with {opponent} saved");
        let same_connection = self.figures.borrow().connections == self.match_connection;
        let by_opponent = Some(same_connection && !self.leaving && !self.quitting);
        self.record(opponent, &LogEvent::Saved { time, by_opponent });
        self.opponent = None;
    }

    /// A match ended. `score`: own points first.
    pub(super) fn finish_match(&mut self, opponent: &str, won: bool, score: [u32; 2]) {
        let time = self.now();
        let [own, other] = score;
        let result = if won { "won" } else { "lost" };
        tracing::info!("{result} {own}-{other} against {opponent}");
        // The server's list of moves may have ended the record already.
        self.matches_finished += u32::from(self.match_log.open_match(opponent).is_some());
        self.record(opponent, &LogEvent::MatchOver { time, won, score });
        self.opponent = None;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use fibs::agent::{Agent, Event, Invitation};
    use fibs::client::{Notice, Observer};
    use fibs::message::{Length, Message, Parser};

    use super::*;
    use crate::SessionObserver;
    use crate::records::match_log::match_records;
    use crate::tests_support::{bot_with, captured_log, indifferent_engine};
    use nonet_engine::backgammon::Position;

    fn begins(opponent: &str) -> Event {
        let (opponent, length) = (opponent.to_owned(), Length::Points(5));
        Event::Match { opponent, length, standings: Box::default() }
    }

    fn left(opponent: &str) -> Event {
        Event::Left { opponent: opponent.to_owned() }
    }

    fn password() -> fibs::Password {
        fibs::Password::new("Zanzibar7").expect("good")
    }

    #[test]
    fn what_goes_wrong_is_counted_logged_and_told_to_the_owner() {
        let config = BotConfig {
            owners: vec!["me".into()],
            secret: Some(password()),
            ..BotConfig::default()
        };
        let (mut bot, _folder) = bot_with(config);
        let Message::BadBoard(error) = Parser::messages("board:You:bob:3:0:0:1:2:3").remove(0)
        else {
            panic!("a bad board")
        };
        let log = captured_log(|| {
            for event in [
                Event::Unknown("eve says your password is Zanzibar7\u{7}".into()),
                Event::Unknown("eve says your password is Zanzibar7\u{7}".into()),
                Event::Unanswered("show saved".into()),
                Event::BadBoard(error),
                Event::Refused("NotNow".into()),
                Event::Stuck("nothing has moved for 360 s, leaving the table".into()),
            ] {
                bot.event(&event);
            }
        });
        assert!(!log.contains("Zanzibar") && log.contains("your password is ***\\u{7}"), "{log}");
        assert_eq!(log.matches("unknown line").count(), 1, "{log}");
        assert_eq!(log.matches(" WARN ").count(), 3, "{log}");
        let incidents = bot.figures().borrow().incidents.clone();
        let wanted = "2 unknown lines, 1 boards refused, 1 commands unanswered, 1 refused, 1 hangs";
        assert_eq!(incidents.to_string(), wanted);
        let Message::Chat(chat) = Parser::messages("12 me status").remove(0) else {
            panic!("chat")
        };
        assert!(bot.on_chat(&chat)[0].contains(wanted));
    }

    #[test]
    fn only_an_opponent_who_leaves_has_left() {
        let (mut bot, folder) = bot_with(BotConfig::default());
        let secret = password();
        let mut observer = SessionObserver::new(&bot, secret, None, Box::new(|| 0.0));
        observer.notice(Notice::Connected { server: None });
        // They leave; then our connection breaks; then we leave ourselves.
        bot.event(&begins("ann"));
        bot.event(&left("ann"));
        bot.event(&begins("bob"));
        observer.notice(Notice::Connected { server: None });
        bot.event(&left("bob"));
        bot.event(&begins("cal"));
        bot.event(&Event::Sent("leave".into()));
        bot.event(&left("cal"));
        let records = match_records(folder.path()).expect("read");
        let departures = |name: &str| {
            let record = records.iter().find(|record| record.opponent == name).expect("there");
            (record.interruptions, record.departures.len())
        };
        assert_eq!(
            [departures("ann"), departures("bob"), departures("cal")],
            [(1, 1), (1, 0), (1, 0)]
        );
        let figures = bot.figures().borrow();
        assert_eq!((figures.open, figures.connections), (3, 2));
    }

    fn invitation() -> Invitation {
        Invitation { from: "ann".to_owned(), length: Length::Points(5), who: None }
    }

    #[test]
    fn no_match_is_begun_after_as_many_as_were_asked_for() {
        let (mut bot, _folder) = bot_with(BotConfig { matches: Some(1), ..BotConfig::default() });
        assert_eq!(bot.open_to_matches(), Ok(()));
        // A match with dan is not finished, so the bot stays.
        bot.event(&begins("dan"));
        bot.event(&left("dan"));
        bot.event(&begins("bob"));
        bot.event(&Event::MatchOver { opponent: "bob".into(), won: true, score: [5, 4] });
        let why = bot.open_to_matches().expect_err("enough");
        assert!(why.ends_with("that I came for.") && !bot.quits(false), "{why}");
    }

    #[test]
    fn a_pause_says_nothing_about_a_match() {
        let (mut bot, _folder) = bot_with(BotConfig::default());
        bot.paused = true;
        assert!(bot.open_to_matches().is_err());
        assert_eq!(bot.invited(&invitation()), Ok(()));
    }

    #[test]
    fn a_bot_that_cannot_record_ends_its_match_and_logs_out_and_an_order_counts_at_once() {
        let config = BotConfig { owners: vec!["me".into()], ..BotConfig::default() };
        let (mut bot, _folder) = bot_with(config);
        bot.event(&begins("bob"));
        let (path, reason) = ("bob.jsonl".into(), "the disk is full".to_owned());
        bot.fail(MatchLogError::Line { path, line: 1, reason });
        assert!(!bot.quits(true) && bot.quits(false));
        // No order of an owner brings new matches.
        assert!(bot.reply("me", "resume", true)[0].contains("cannot record"));
        assert!(bot.open_to_matches().is_err() && bot.quits(false));
        assert_eq!(bot.reply("me", "quit", true), ["Goodbye."]);
        assert!(bot.quits(true) && bot.take_failure().is_some());
    }

    #[test]
    fn a_list_of_moves_that_are_recorded_does_not_make_the_record_longer() {
        let (mut bot, folder) = bot_with(BotConfig { name: "nonet".into(), ..Default::default() });
        let dice = "31".parse().expect("a roll");
        let before = Position::START;
        let after = before.read_play("8/5 6/5", dice).expect("legal").after;
        bot.event(&begins("bob"));
        bot.event(&Event::Game { length: Some(5), score: [0, 0], crawford: false });
        bot.event(&Event::Turn { own: true, dice, before, after });
        bot.event(&left("bob"));
        let mut lines =
            vec!["Score is 0-0 in a 5 point match.", "nonet is X - bob is O", "X: (3 1) 8-5 6-5"];
        // How often the list is in the record after bob has come back ten times.
        let mut lists = |lines: &[&str]| {
            for _ in 0..10 {
                let (opponent, lines) = ("bob".to_owned(), lines.iter().map(|it| (*it).to_owned()));
                bot.event(&Event::History { opponent, lines: lines.collect() });
            }
            let mut files = std::fs::read_dir(folder.path()).expect("a folder");
            let path = files.next().expect("a record").expect("readable").path();
            std::fs::read_to_string(path).expect("text").matches("\"history\"").count()
        };
        assert_eq!(lists(&lines), 0);
        // A turn that was missed is recorded once.
        lines.push("O: (4 2) 8-4 6-4");
        assert_eq!(lists(&lines), 1);
        let records = match_records(folder.path()).expect("read");
        assert_eq!(records[0].games()[0].turns().count(), 2);
    }

    #[test]
    fn matches_are_counted_by_result() {
        let (mut bot, _folder) = bot_with(BotConfig::default());
        for (opponent, won) in [("ann", true), ("bob", false)] {
            bot.event(&begins(opponent));
            let (opponent, score) = (opponent.to_owned(), [5, 4]);
            bot.event(&Event::MatchOver { opponent, won, score });
        }
        bot.event(&begins("cal"));
        bot.event(&left("cal"));
        bot.event(&Event::HistoryLost { opponent: "cal".into(), certain: true });
        bot.event(&begins("dan"));
        bot.event(&left("dan"));
        // The server has dropped the saved match.
        bot.event(&begins("dan"));
        let figures = bot.figures().borrow();
        assert_eq!((figures.won, figures.lost, figures.unknown, figures.open), (1, 1, 2, 1));
    }

    #[test]
    fn a_learner_that_panics_is_told_of_once_and_the_bot_plays_on() {
        let (mut bot, _folder) = bot_with(BotConfig::default());
        let thread = LearnerThread::start(|_, _| panic!("no class")).expect("a thread");
        bot.learn_from_matches(thread, Box::new(|_| Decider::new(&indifferent_engine())));
        let log = captured_log(|| {
            for opponent in ["ann", "bob", "cal"] {
                bot.event(&begins(opponent));
                let (opponent, score) = (opponent.to_owned(), [5, 4]);
                bot.event(&Event::MatchOver { opponent, won: true, score });
                // The thread is given ten seconds to tell of the first match.
                for _ in 0..1000 {
                    bot.poll_learner();
                    if bot.learning.is_none() {
                        break;
                    }
                    std::thread::sleep(Duration::from_millis(10));
                }
            }
            bot.finish_learning(&AtomicBool::new(false));
        });
        let told = "learning has stopped: a bug ended the learner in the match with ann: no class";
        assert!(log.contains(told) && log.matches("learning has stopped").count() == 1, "{log}");
        assert_eq!((bot.matches_finished(), bot.figures().borrow().won), (3, 3));
    }

    #[test]
    fn people_are_thanked_and_bots_are_not() {
        let (mut bot, _folder) = bot_with(BotConfig::default());
        assert_eq!(bot.thank("ann").as_deref(), Some("Thank you for the match!"));
        assert_eq!(bot.thank("GammonBot_VII"), None);
    }
}
