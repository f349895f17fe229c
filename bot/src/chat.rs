//! Chat: requests that players make by `tell`, orders of the owners, and the bot's answers.

use std::time::Duration;

use crate::Site;
use crate::bot::Bot;
use crate::records::match_log::MatchLogError;
use crate::records::match_record::MatchRecord;
use nonet_engine::analysis::Summary;

/// A request made in chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Help,
    /// Results against the player who asks.
    Stats,
    /// The last match against the player who asks.
    Last,
    /// Luck in the last finished match.
    Luck,
    /// Performance rating in the last finished match.
    Pr,
    /// Owners: no new matches.
    Pause,
    /// Owners: new matches again.
    Resume,
    /// Owners: finish this match, then log out.
    Finish,
    /// Owners: what the bot is doing.
    Status,
    /// Owners: log out now; the server saves a match in progress.
    Quit,
}

/// The request in a line of chat, if there is one; orders count from an owner only.
pub(super) fn request(text: &str, owner: bool) -> Option<Request> {
    let word = text.split_whitespace().next()?.to_ascii_lowercase();
    let word = word.trim_end_matches(|c: char| c.is_ascii_punctuation());
    Some(match (word, owner) {
        ("help" | "info", _) => Request::Help,
        ("stats" | "stat", _) => Request::Stats,
        ("luck", _) => Request::Luck,
        ("pr", _) => Request::Pr,
        ("last", _) => Request::Last,
        ("finish", true) => Request::Finish,
        ("pause", true) => Request::Pause,
        ("resume", true) => Request::Resume,
        ("status", true) => Request::Status,
        ("quit", true) => Request::Quit,
        _ => return None,
    })
}

/// Accounts that answer automatically, so that a conversation with them would never end: the
/// service accounts of the server, and bots known by name.
const BOTS: &[&str] =
    &["MissManners", "RepBotNG", "TourneyBot", "monitor", "RoboCop", "wildbg", "ziggy", "bonehead"];
/// The same, by the beginning of their names.
const BOT_PREFIXES: &[&str] = &["GammonBot", "BlunderBot", "CamlBot", "nonet"];
/// The beginning of the names of all bots on bgammon.org.
const BGAMMON_BOT: &str = "BOT_";

/// Whether an account is a bot or a service: its chat is not answered.
pub(super) fn is_bot(name: &str) -> bool {
    BOTS.contains(&name) || BOT_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

const HELP: &str = "I am nonet, a bot: nine small nets that learned backgammon by themselves. Tell me 'stats' \
     for our results, 'last' for our last match, 'luck' or 'pr' for how it was played.";
/// What players on FIBS are told besides.
const ON_FIBS: &str = " If I seem to hang, say 'move' in the match. I repeat no answer within a \
     minute, and give twelve an hour.";

/// The answer to words that are no request.
const HINT: &str = "I am a bot and know few words. Tell me 'help' to see them.";
/// How often one player is told so in an hour. A session gives more answers, so some are left for
/// requests.
pub(super) const HINTS_AN_HOUR: u32 = 4;
/// Words of an opponent on FIBS that are for the session: it looks at the board.
const NUDGES: [&str; 3] = ["move", "roll", "join"];

/// What owners are told besides.
const ORDERS: &str = " You may also say 'status', 'pause', 'resume', 'finish' and 'quit'.";

impl Bot {
    /// Whether an opponent is a bot or a service.
    pub(super) fn is_bot(&self, name: &str) -> bool {
        is_bot(name) || self.config.site == Site::Bgammon && name.starts_with(BGAMMON_BOT)
    }

    /// What to say to an opponent after a match.
    pub(super) fn thanks(&self, opponent: &str) -> Option<String> {
        (!self.is_bot(opponent)).then(|| "Thank you for the match!".to_owned())
    }

    /// The answers to what a player says. Orders of an owner count if no other player hears them.
    pub(super) fn reply(&mut self, from: &str, text: &str, is_private: bool) -> Vec<String> {
        let owner = self.is_owner(from) && is_private;
        if self.is_bot(from) && !owner {
            return Vec::new();
        }
        match request(text, owner) {
            Some(request) => vec![self.answer(request, from)],
            None if is_private && self.hints(from, text) => vec![HINT.to_owned()],
            None => Vec::new(),
        }
    }

    /// Whether a player is told now that these words are no request.
    fn hints(&mut self, from: &str, text: &str) -> bool {
        let lower = text.to_lowercase();
        let first = lower.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let plays = self.config.site == Site::Fibs && self.opponent.as_deref() == Some(from);
        let is_nudge = plays && NUDGES.contains(&first);
        // Another nonet under a name that is not known says the same.
        let is_echo = text.trim() == HINT;
        let now = Duration::try_from_secs_f64(self.now()).unwrap_or_default();
        let is_answered = !text.trim().is_empty() && !is_nudge && !is_echo;
        is_answered && self.hint_limit.allows(from, HINT, now)
    }

    /// What to say to an opponent at the first match.
    pub(super) fn greeting(&mut self, opponent: &str) -> Option<String> {
        /// More names than this are forgotten, so that the list cannot grow for ever.
        const REMEMBERED: usize = 1000;
        if self.greeted.iter().any(|name| name == opponent) || self.is_bot(opponent) {
            return None;
        }
        if self.greeted.len() >= REMEMBERED {
            self.greeted.clear();
        }
        self.greeted.push(opponent.to_owned());
        Some("Hello! I am a bot (nonet). Good luck, and tell me 'help' if you like.".to_owned())
    }

    /// Carries out a request of the player `from`, and returns the answer.
    pub(super) fn answer(&mut self, request: Request, from: &str) -> String {
        match request {
            Request::Help => {
                let on_fibs = if self.config.site == Site::Fibs { ON_FIBS } else { "" };
                let orders = if self.is_owner(from) { ORDERS } else { "" };
                format!("{HELP}{on_fibs}{orders}")
            }
            Request::Stats => self.match_log.results().against(from),
            Request::Last => match self.match_log.last(from) {
                Ok(Some(last)) => {
                    let [own, other] = last.result.map_or(last.score(), |(_, score)| score);
                    let length = last.length.map_or("unlimited".into(), |n| format!("{n} point"));
                    let end = match (last.result, last.is_open()) {
                        (Some(_), _) => "",
                        (None, true) => ", unfinished",
                        (None, false) => "; I have not seen its end",
                    };
                    format!("Our last {length} match: you {other}, me {own}{end}.")
                }
                Ok(None) => "We have not played yet, as far as I know.".to_owned(),
                Err(error) => self.records_unavailable(&error),
            },
            Request::Luck => self.answer_about_last(from, |[own, other], [me, you]| {
                format!(
                    "{you} {:+.3}, {me} {:+.3} points (rolls against average rolls).",
                    other.luck, own.luck
                )
            }),
            Request::Pr => self.answer_about_last(from, |[own, other], [me, you]| {
                let [own, other] = [own, other].map(|summary| {
                    summary.pr().map_or_else(|| "no decision".to_owned(), |pr| format!("{pr:.1}"))
                });
                format!("PR {you} {other}, {me} {own} (500 times the mean error, lower is better).")
            }),
            Request::Pause => {
                self.paused = true;
                "No new matches until you say 'resume'.".to_owned()
            }
            Request::Resume if self.failure.is_some() => {
                "I cannot record matches any more, so I play no new ones.".to_owned()
            }
            Request::Resume => {
                (self.paused, self.finishing) = (false, false);
                "New matches are welcome again.".to_owned()
            }
            Request::Finish => match &self.opponent {
                Some(opponent) => {
                    self.finishing = true;
                    format!("I will log out after the match with {opponent}.")
                }
                None => "I play with nobody. Shall I log out now? Then tell me 'quit'.".to_owned(),
            },
            Request::Status => {
                let doing = match &self.opponent {
                    Some(opponent) => format!("playing {opponent}"),
                    None => "idle".to_owned(),
                };
                let paused = if self.paused { ", paused" } else { "" };
                let open = self.match_log.open_opponents().len();
                let incidents = &self.figures().borrow().incidents;
                format!(
                    "{doing}{paused}; {} matches finished, {open} open; {incidents}.",
                    self.matches_finished
                )
            }
            Request::Quit => {
                self.quitting = true;
                "Goodbye.".to_owned()
            }
        }
    }

    pub(super) fn is_owner(&self, name: &str) -> bool {
        self.config.owners.iter().any(|owner| owner == name)
    }

    /// A sentence about the last finished match with the player who asks.
    ///
    /// If they have not played, an owner is told of the last match with anyone. `say` gets both
    /// players' summaries, own first, and the words for both.
    fn answer_about_last(
        &mut self,
        from: &str,
        say: impl FnOnce([Summary; 2], [&str; 2]) -> String,
    ) -> String {
        let owner = self.is_owner(from);
        let found = self.match_log.last_finished(Some(from)).and_then(|found| match found {
            None if owner => self.match_log.last_finished(None),
            found => Ok(found),
        });
        let last = match found {
            Ok(Some(last)) => last,
            Ok(None) => return "We have not finished a match yet, as far as I know.".to_owned(),
            Err(error) => return self.records_unavailable(&error),
        };
        let Some(summaries) = self.analysed(&last) else {
            return "Sorry, I cannot analyse that match.".to_owned();
        };
        let [own, other] = last.result.map_or(last.score(), |(_, score)| score);
        let you = if last.opponent == from { "you" } else { last.opponent.as_str() };
        let partly = if last.incomplete.is_some() { ", as far as I have recorded it" } else { "" };
        let facts = say(summaries, ["me", you]);
        format!("Last match, {you} {other}, me {own}{partly}: {facts}")
    }

    /// Both players' summaries of a match, own first. Those of the last matches are kept, so that
    /// players who ask in turn do not have them worked out again.
    fn analysed(&mut self, last: &MatchRecord) -> Option<[Summary; 2]> {
        const KEPT: usize = 100;
        let is_it = |(opponent, began, _): &&(String, f64, [Summary; 2])| {
            *opponent == last.opponent && *began == last.began
        };
        if let Some((_, _, summaries)) = self.analysed.iter().find(is_it) {
            return Some(*summaries);
        }
        let summaries = self.decider.analyse(&last.games())?;
        self.analysed.truncate(KEPT - 1);
        self.analysed.push_front((last.opponent.clone(), last.began, summaries));
        Some(summaries)
    }

    /// The operator reads the reason, the player an apology.
    fn records_unavailable(&mut self, error: &MatchLogError) -> String {
        tracing::warn!("cannot answer a question about past matches: {error}");
        "Sorry, I cannot read my records at the moment.".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use fibs::agent::{Agent, Event, GameEnd, IdleAction, Lobby};
    use fibs::message::{Length, Message, Parser};

    use super::*;
    use crate::{BotConfig, Clock, Decider, MatchLog};
    use nonet_engine::backgammon::Position;
    use nonet_engine::engine::Engine;
    use nonet_engine::eval::{Evaluation, ScriptedEvaluator};
    use nonet_engine::search::Plies;

    #[test]
    fn only_owners_give_orders() {
        for text in ["pause", "quit", "status", "resume", "finish"] {
            assert_eq!(request(text, false), None, "{text}");
            assert!(request(text, true).is_some(), "{text}");
        }
        assert_eq!(request("LAST!", true), Some(Request::Last));
        assert_eq!(request("last", false), Some(Request::Last));
        assert_eq!(request("nice move", true), None);
        assert_eq!(request("", true), None);
    }

    #[test]
    fn bots_and_services_are_known_by_name() {
        assert!(is_bot("GammonBot_VII") && is_bot("MissManners"));
        assert!(!is_bot("ann"));
    }

    /// A finished match of one point in which we rolled 31 and played `play`.
    fn finish_match(bot: &mut Bot, opponent: &str, play: &str) {
        let dice = "31".parse().expect("a roll");
        let before = Position::START;
        let after = before.read_play(play, dice).expect("legal").after;
        for event in [
            Event::Match {
                opponent: opponent.into(),
                length: Length::Points(1),
                standings: Box::default(),
            },
            Event::Game { length: Some(1), score: [0, 0], crawford: false },
            Event::Turn { own: true, dice, before, after },
            Event::GameOver { won: false, points: 1, end: GameEnd::Resigned },
            Event::MatchOver { opponent: opponent.into(), won: false, score: [0, 1] },
        ] {
            bot.event(&event);
        }
    }

    /// A bot to which a position is worth more, the fewer pips there are. Its clock stands still.
    fn racer(folder: &std::path::Path) -> Bot {
        racer_with(folder, Box::new(|| 0.0))
    }

    fn racer_with(folder: &std::path::Path, clock: Clock) -> Bot {
        let evaluator = ScriptedEvaluator(|position: &Position| {
            let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
            let win = (0.5 + lead / 400.0).clamp(0.0, 1.0);
            let outcomes = [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0];
            Evaluation { average: 2.0 * win - 1.0, outcomes }
        });
        let engine = Engine::builder().evaluator(evaluator).plies(Plies::ONE);
        let decider = Decider::new(&engine.build().expect("an engine"));
        let config = BotConfig { owners: vec!["me".into()], ..BotConfig::default() };
        let match_log = MatchLog::open(folder, false).expect("new");
        Bot::new(decider, config, match_log, clock)
    }

    fn says(bot: &mut Bot, from: &str, text: &str) -> Vec<String> {
        let line = format!("12 {from} {text}");
        let Message::Chat(chat) = Parser::messages(&line).remove(0) else { panic!("chat") };
        bot.on_chat(&chat)
    }

    fn logs_out(bot: &mut Bot) -> bool {
        let players = std::collections::HashMap::new();
        let lobby = Lobby { now: std::time::Duration::ZERO, players: &players };
        bot.idle(&lobby) == IdleAction::Quit
    }

    #[test]
    fn the_last_match_is_shown_to_an_owner_as_to_everybody() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut bot = racer(folder.path());
        for name in ["me", "bob"] {
            let answer = says(&mut bot, name, "last");
            assert_eq!(answer, ["We have not played yet, as far as I know."]);
            finish_match(&mut bot, name, "8/5 6/5");
            assert_eq!(says(&mut bot, name, "last"), ["Our last 1 point match: you 1, me 0."]);
        }
        assert!(!logs_out(&mut bot));
    }

    #[test]
    fn a_last_match_without_a_result_is_called_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut bot = racer(folder.path());
        let (opponent, length) = ("bob".to_owned(), Length::Points(3));
        let begins = Event::Match { opponent, length, standings: Box::default() };
        let unfinished = ["Our last 3 point match: you 0, me 0, unfinished."];
        for event in [begins, Event::Left { opponent: "bob".into() }] {
            bot.event(&event);
            assert_eq!(says(&mut bot, "bob", "last"), unfinished);
        }
        bot.event(&Event::HistoryLost { opponent: "bob".into(), certain: true });
        let gone = ["Our last 3 point match: you 0, me 0; I have not seen its end."];
        assert_eq!(says(&mut bot, "bob", "last"), gone);
    }

    #[test]
    fn words_that_are_no_request_get_a_hint_once_a_minute() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut bot = racer(folder.path());
        let hint = [HINT.to_owned()];
        assert_eq!(says(&mut bot, "bob", "hello"), hint);
        assert!(says(&mut bot, "bob", "are you there?").is_empty());
        assert!(says(&mut bot, "bob", "help me")[0].starts_with(HELP));
        // An order that is not bob's to give is no request either.
        assert_eq!(says(&mut bot, "cal", "quit"), hint);
        // Words that others hear, those of bots, no words, and the hint of another nonet.
        assert!(bot.reply("dan", "nice play", false).is_empty());
        for (from, text) in [("GammonBot_VII", "hello"), ("dan", " "), ("dan", HINT)] {
            assert!(bot.reply(from, text, true).is_empty(), "{from}: {text}");
        }
        // An opponent's word for the session.
        let length = Length::Points(1);
        bot.event(&Event::Match { opponent: "dan".into(), length, standings: Box::default() });
        assert!(says(&mut bot, "dan", "Move!").is_empty());
        assert_eq!(says(&mut bot, "dan", "hello"), hint);
        assert_eq!(says(&mut bot, "eve", "move"), hint);
    }

    #[test]
    fn a_player_gets_four_hints_an_hour() {
        let folder = tempfile::tempdir().expect("a folder");
        let seconds = Rc::new(Cell::new(0.0));
        let clock = Rc::clone(&seconds);
        let mut bot = racer_with(folder.path(), Box::new(move || clock.get()));
        let minutes: Vec<u32> = (0..120_u32)
            .filter(|minute| {
                seconds.set(60.0 * f64::from(*minute));
                says(&mut bot, "bob", "hello") == [HINT]
            })
            .collect();
        assert_eq!(minutes, [0, 1, 2, 3, 60, 61, 62, 63]);
        // The clock was set back, before the year 1970.
        seconds.set(-86_400.0);
        assert_eq!(says(&mut bot, "bob", "hello"), [HINT]);
    }

    #[test]
    fn help_names_the_limits_and_fits_into_a_tell() {
        let folder = tempfile::tempdir().expect("a folder");
        let help = racer(folder.path()).answer(Request::Help, "me");
        assert!(help.contains("within a minute, and give twelve an hour."), "{help}");
        // The session cuts longer texts.
        assert!(help.contains("'quit'") && help.len() <= 400, "{} characters", help.len());
    }

    #[test]
    fn finish_ends_the_session_after_a_match_and_asks_back_without_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut bot = racer(folder.path());
        let answer = says(&mut bot, "me", "finish").remove(0);
        assert!(answer.contains("Shall I log out now?") && answer.contains("'quit'"), "{answer}");
        assert!(!logs_out(&mut bot));
        let length = Length::Points(1);
        bot.event(&Event::Match { opponent: "bob".into(), length, standings: Box::default() });
        assert_eq!(says(&mut bot, "bob", "finish"), [HINT]);
        assert_eq!(says(&mut bot, "me", "finish"), ["I will log out after the match with bob."]);
        bot.event(&Event::MatchOver { opponent: "bob".into(), won: false, score: [0, 1] });
        assert!(logs_out(&mut bot));
    }

    #[test]
    fn matches_of_players_who_ask_in_turn_are_analysed_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut bot = racer(folder.path());
        let names = ["bob", "cal"];
        names.iter().for_each(|name| finish_match(&mut bot, name, "8/5 6/5"));
        for name in names.into_iter().cycle().take(10) {
            assert!(bot.answer(Request::Luck, name).starts_with("Last match, you 1, me 0"));
        }
        assert_eq!(bot.analysed.len(), 2);
    }

    #[test]
    fn luck_and_pr_are_those_of_the_last_finished_match() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut bot = racer(folder.path());
        assert!(bot.answer(Request::Pr, "bob").contains("not finished a match"));
        finish_match(&mut bot, "bob", "8/5 6/5");
        // To this bot a pip is worth 0.005 points. Either player might have had the first roll, so
        // its 4 pips are luck.
        let pr = bot.answer(Request::Pr, "bob");
        assert!(pr.starts_with("Last match, you 1, me 0: PR you no decision, me 0.0 "), "{pr}");
        let luck = bot.answer(Request::Luck, "bob");
        assert!(luck.contains("me +0.020") && luck.contains("you +0.000"), "{luck}");
        // An owner who has not played asks about the last match of all; others about their own.
        assert!(bot.answer(Request::Luck, "me").starts_with("Last match, bob 1, me 0"));
        assert!(bot.answer(Request::Luck, "eve").contains("not finished a match"));
        assert_eq!(
            (request("PR?", false), request("luck", true)),
            (Some(Request::Pr), Some(Request::Luck))
        );
    }
}
