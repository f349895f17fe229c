//! The bot's side of the protocol of bgammon.org: [`Agent`] for a [`Bot`] that creates matches.

use bgammon::Board;
use bgammon::agent::{Agent, Event, IdleAction};

use crate::bot::Bot;
use crate::records::transcript::printable;
use crate::table_event::TableEvent;
use nonet_engine::backgammon::{Candidate, Dice, GameState, Position, Stake};

/// The matches that a bot creates.
///
/// ```
/// let matches = nonet_bot::NewMatches { lengths: vec![5, 1], ..Default::default() };
/// assert!(matches.rematch);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMatches {
    /// Their lengths in points, one after the other.
    pub lengths: Vec<u32>,
    /// Their title; without one the server makes it.
    pub title: String,
    /// Whether to offer another match to the same opponent.
    pub rematch: bool,
}

impl Default for NewMatches {
    /// Matches to 5 points, with rematches.
    fn default() -> NewMatches {
        NewMatches { lengths: vec![5], title: String::new(), rematch: true }
    }
}

/// A [`Bot`] that creates matches on bgammon.org and plays them.
pub struct BgammonBot {
    /// The bot, which both servers share.
    pub bot: Bot,
    matches: NewMatches,
    /// Matches that were created.
    created: usize,
}

impl BgammonBot {
    /// A bot that creates `matches`.
    #[must_use]
    pub const fn new(bot: Bot, matches: NewMatches) -> BgammonBot {
        BgammonBot { bot, matches, created: 0 }
    }
}

impl Agent for BgammonBot {
    fn play(&mut self, board: &Board, dice: Dice, _: &[Candidate]) -> Position {
        let game = board.state();
        if let Err(reason) = &game {
            tracing::warn!("the server sent an impossible board: {reason}");
        }
        self.bot.choose(&board.position, dice, game.ok().as_ref())
    }

    fn double(&mut self, game: &GameState) -> bool {
        self.bot.doubles(game)
    }

    fn take(&mut self, game: &GameState) -> bool {
        self.bot.takes(game)
    }

    fn resign(&mut self, game: &GameState) -> Option<Stake> {
        self.bot.gives_up(&game.position, game)
    }

    fn joined(&mut self, opponent: &str, _: u32) -> Result<(), String> {
        self.bot.config.policy.check_name(opponent)
    }

    fn rematch(&mut self, opponent: &str) -> bool {
        let wanted = self.matches.rematch && !self.bot.has_played_enough();
        self.bot.poll_learner();
        wanted && self.bot.takes_matches().is_ok() && !self.bot.is_bot(opponent)
    }

    fn on_chat(&mut self, from: &str, text: &str) -> Vec<String> {
        // Only the opponent hears what is said at a table.
        self.bot.reply(from, text, true)
    }

    fn takes_orders_from(&self, name: &str) -> bool {
        self.bot.is_owner(name)
    }

    fn greet(&mut self, opponent: &str) -> Option<String> {
        self.bot.greeting(opponent)
    }

    fn thank(&mut self, opponent: &str) -> Option<String> {
        self.bot.thanks(opponent)
    }

    fn idle(&mut self) -> IdleAction {
        self.bot.poll_learner();
        if self.bot.finishing || self.bot.has_played_enough() {
            return IdleAction::Quit;
        }
        let Some(&points) =
            self.matches.lengths.get(self.created % self.matches.lengths.len().max(1))
        else {
            return IdleAction::Nothing;
        };
        if self.bot.paused {
            return IdleAction::Nothing;
        }
        self.created += 1;
        IdleAction::Create { points, title: self.matches.title.clone() }
    }

    fn quits(&mut self) -> bool {
        self.bot.quitting
    }

    fn event(&mut self, event: &Event) {
        let bot = &mut self.bot;
        match event {
            Event::Ready => tracing::info!("ready"),
            Event::Match { opponent, length, resumed, ratings: [own, other] } => {
                let standings = [(*other, None), (*own, None)];
                bot.begin_match(opponent, *resumed, Some(*length), standings);
            }
            &Event::Game { length, score, crawford } => {
                bot.happens(TableEvent::Game { length: Some(length), score, crawford });
            }
            &Event::Turn { own, dice, before, after } => {
                bot.happens(TableEvent::Turn { own, dice, before, after });
            }
            &Event::Double { own } => bot.happens(TableEvent::Double { own }),
            &Event::Take { own } => bot.happens(TableEvent::Take { own }),
            &Event::GameOver { won, points, end } => {
                bot.happens(TableEvent::GameOver { won, points, end });
            }
            Event::MatchOver { opponent, won, score } => {
                bot.happens(TableEvent::MatchOver { opponent, won: *won, score: *score });
            }
            Event::Left { opponent } => bot.happens(TableEvent::Left { opponent }),
            Event::Gap { opponent } => bot.happens(TableEvent::Gap { opponent }),
            Event::EndUnknown { opponent } => bot.happens(TableEvent::EndUnknown { opponent }),
            Event::BadBoard(error) => bot.happens(TableEvent::BadBoard(&error.to_string())),
            Event::Refused(why) => bot.happens(TableEvent::Refused(why)),
            Event::Unanswered(command) => bot.happens(TableEvent::Unanswered(command)),
            Event::Warning(text) => bot.happens(TableEvent::Warning(text)),
            Event::Stuck(why) => bot.happens(TableEvent::Stuck(why)),
            Event::Unknown(line) => bot.happens(TableEvent::Unknown(line)),
            Event::Sent(line) => bot.happens(TableEvent::Sent(line)),
            Event::Notice(text) => {
                tracing::debug!("the server says: {}", printable(&bot.without_secret(text)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::match_log::match_records;
    use crate::tests_support::{bot_with, captured_log};
    use crate::{BotConfig, InvitationPolicy, Site};
    use nonet_engine::backgammon::GameEnd;

    fn config() -> BotConfig {
        BotConfig { site: Site::Bgammon, owners: vec!["me".into()], ..BotConfig::default() }
    }

    fn creating(lengths: &[u32], config: BotConfig) -> (BgammonBot, tempfile::TempDir) {
        let (bot, folder) = bot_with(config);
        let matches = NewMatches { lengths: lengths.to_vec(), ..NewMatches::default() };
        (BgammonBot::new(bot, matches), folder)
    }

    fn begins(opponent: &str, resumed: bool) -> Event {
        let opponent = opponent.to_owned();
        Event::Match { opponent, length: 5, resumed, ratings: [Some(1500.0), None] }
    }

    #[test]
    fn lengths_take_turns_until_enough_matches_are_played() {
        let (mut bot, _folder) = creating(&[5, 1], BotConfig { matches: Some(1), ..config() });
        let points = |bot: &mut BgammonBot| match bot.idle() {
            IdleAction::Create { points, .. } => Some(points),
            _ => None,
        };
        assert_eq!([0; 3].map(|_| points(&mut bot)), [Some(5), Some(1), Some(5)]);
        bot.event(&begins("ann", false));
        assert!(bot.rematch("ann") && !bot.rematch("BOT_tabula"));
        let (opponent, score) = ("ann".to_owned(), [5, 2]);
        bot.event(&Event::MatchOver { opponent, won: true, score });
        assert!(!bot.rematch("ann"));
        assert_eq!(bot.idle(), IdleAction::Quit);
    }

    #[test]
    fn orders_of_owners_count_at_the_table_and_those_of_others_do_not() {
        let (mut bot, _folder) = creating(&[5], config());
        let hint = ["I am a bot and know few words. Tell me 'help' to see them."];
        assert!(bot.on_chat("eve", "quit") == hint && !bot.quits());
        assert!(bot.takes_orders_from("me") && !bot.takes_orders_from("eve"));
        assert_eq!(bot.on_chat("me", "pause").len(), 1);
        assert_eq!((bot.idle(), bot.rematch("ann")), (IdleAction::Nothing, false));
        assert!(!bot.on_chat("eve", "help")[0].contains("'move'"), "that is for FIBS");
        assert_eq!(bot.on_chat("me", "quit"), ["Goodbye."]);
        assert!(bot.quits());
    }

    #[test]
    fn the_words_of_a_refusal_are_logged_without_the_password_and_control_characters() {
        let secret = fibs::Password::new("Zanzibar7").ok();
        let (mut bot, _folder) = creating(&[5], BotConfig { secret, ..config() });
        let refused = Event::Refused("no match of Zanzibar7\u{1b}[2J".into());
        let log = captured_log(|| bot.event(&refused));
        assert!(log.contains("refused a command: no match of ***\\u{1b}[2J"), "{log}");
    }

    #[test]
    fn players_who_are_not_wanted_are_told_so() {
        let policy = InvitationPolicy { refused: vec!["eve".into()], ..Default::default() };
        let (mut bot, _folder) = creating(&[5], BotConfig { policy, ..config() });
        assert!(bot.joined("ann", 5).is_ok() && bot.joined("eve", 5).is_err());
    }

    #[test]
    fn a_match_that_goes_on_is_one_record_and_a_lost_one_has_no_result() {
        let (mut bot, folder) = creating(&[5], config());
        let left = |opponent: &str| Event::Left { opponent: opponent.to_owned() };
        bot.event(&begins("ann", false));
        bot.event(&Event::Game { length: 5, score: [0, 0], crawford: false });
        bot.event(&left("ann"));
        bot.event(&begins("ann", true));
        let (points, end) = (5, GameEnd::Resigned);
        bot.event(&Event::GameOver { won: true, points, end });
        bot.event(&Event::MatchOver { opponent: "ann".into(), won: true, score: [5, 0] });
        bot.event(&begins("bob", false));
        bot.event(&left("bob"));
        bot.event(&Event::EndUnknown { opponent: "bob".into() });
        let records = match_records(folder.path()).expect("read");
        let of = |name: &str| records.iter().find(|record| record.opponent == name).expect("there");
        assert_eq!((records.len(), of("ann").interruptions), (2, 1));
        assert_eq!((of("ann").result, of("bob").result), (Some((true, [5, 0])), None));
        assert!(of("bob").end_unknown && of("bob").was_left);
        let text = bot.bot.figures().borrow().to_prometheus(0.0);
        assert!(text.contains("\nnonet_bgammon_matches_won_total 1\n"), "{text}");
    }
}
