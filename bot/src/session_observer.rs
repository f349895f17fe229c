//! Sees every line of a session: writes the transcript, reads the own rating, and logs messages
//! that were left.

use std::rc::Rc;

use fibs::Password;
use fibs::client::{Direction, Notice, Observer};
use fibs::codec::Line;
use fibs::message::{Channel, Message, Parser};
use jiff::Timestamp;

use crate::Site;
use crate::bot::{Bot, Clock};
use crate::records::metrics::SharedFigures;
use crate::records::transcript::{Transcript, loggable, printable, timestamp};

/// The observer of a bot's session.
pub struct SessionObserver {
    /// The own name on the server.
    name: String,
    site: Site,
    secret: Option<Password>,
    figures: SharedFigures,
    transcript: Option<Transcript>,
    clock: Clock,
    parser: Parser,
}

impl SessionObserver {
    /// Observes the session of `bot` with this password, if it has one. `clock` gives the times of
    /// the transcript.
    #[must_use]
    pub fn new(
        bot: &Bot,
        secret: impl Into<Option<Password>>,
        transcript: Option<Transcript>,
        clock: Clock,
    ) -> SessionObserver {
        SessionObserver {
            name: bot.config.name.clone(),
            site: bot.config.site,
            secret: secret.into(),
            figures: Rc::clone(bot.figures()),
            transcript,
            clock,
            parser: Parser::default(),
        }
    }

    /// A line of a bgammon server: a sign of life, and perhaps the own rating.
    fn bgammon_line(&self, line: &str) {
        let message = bgammon::Message::parse(line);
        let mut figures = self.figures.borrow_mut();
        if message.is_sign_of_life() {
            figures.last_sign_of_life = Some((self.clock)());
        }
        if let bgammon::Message::Board(board) = message
            && !board.spectating
            && board.seats[0].rating > 0
        {
            figures.rating = Some(board.seats[0].rating as f64);
        }
    }

    fn note(&mut self, text: &str) {
        if let Some(transcript) = &mut self.transcript {
            transcript.note((self.clock)(), text);
        }
    }
}

impl Observer for SessionObserver {
    fn notice(&mut self, notice: Notice) {
        match notice {
            Notice::Connected { server } => {
                self.figures.borrow_mut().connections += 1;
                self.parser = Parser::default();
                let to = server.map_or_else(String::new, |server| format!(" to {server}"));
                let text = format!("connected{to} as {}", self.name);
                tracing::info!("{text}");
                self.note(&text);
            }
            Notice::Disconnect { why, again } => {
                let seconds = again.as_secs_f64();
                // A server can say why.
                let why = loggable(&why, self.secret.as_ref());
                let text = format!("disconnected ({why}); trying again in {seconds:.1} s");
                tracing::warn!("{text}");
                self.note(&text);
            }
        }
    }

    fn line(&mut self, direction: Direction, line: &str) {
        if let Some(transcript) = &mut self.transcript {
            transcript.line((self.clock)(), direction, line);
        }
        if direction == Direction::Out {
            return;
        }
        if self.site == Site::Bgammon {
            return self.bgammon_line(line);
        }
        let SessionObserver { parser, name, figures, secret, clock, .. } = self;
        parser.parse(&Line::Text(line.to_owned()), |message| {
            if message.is_sign_of_life() {
                figures.borrow_mut().last_sign_of_life = Some(clock());
            }
            match message {
                Message::OwnInfo(info) => {
                    let mut figures = figures.borrow_mut();
                    figures.rating = info.rating.or(figures.rating);
                    figures.experience = info.experience.or(figures.experience);
                }
                Message::Who(who) if who.name == *name => {
                    let mut figures = figures.borrow_mut();
                    figures.rating = who.rating.or(figures.rating);
                    figures.experience = who.experience.or(figures.experience);
                }
                Message::Chat(chat) if chat.channel == Channel::Left => {
                    let (when, said) = left_message(&chat.text);
                    let from = printable(&chat.from);
                    let said = loggable(said, secret.as_ref());
                    tracing::info!("message from {from}{when}: {said}");
                }
                _ => {}
            }
        });
    }
}

/// The time of a message that was left, in words, and its text. The server puts Unix seconds before
/// the text.
fn left_message(text: &str) -> (String, &str) {
    match text.split_once(' ').map(|(time, said)| (time.parse::<i64>(), said)) {
        // Some servers send times before 1970. Far in the future there is no date.
        Some((Ok(time), said)) if (0..=Timestamp::MAX.as_second()).contains(&time) => {
            (format!(", left at {}", timestamp(time as f64)), said)
        }
        Some((Ok(_), said)) => (String::new(), said),
        _ => (String::new(), text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests_support::{captured_log, idle_bot};

    fn observer(bot: &Bot) -> SessionObserver {
        let secret = Password::new("Zanzibar7").expect("good");
        SessionObserver::new(bot, secret, None, Box::new(|| 0.0))
    }

    #[test]
    fn the_own_rating_is_the_one_that_the_server_told_last() {
        let (bot, _folder) = idle_bot("myself");
        let mut observer = observer(&bot);
        let rating = |bot: &Bot| bot.figures().borrow().rating;
        // From the CLIP specification.
        observer.line(
            Direction::In,
            "2 myself 1 1 0 0 0 0 1 1 2396 0 1 0 1 3457.85 0 0 0 0 0 Australia/Melbourne",
        );
        assert_eq!(rating(&bot), Some(3457.85));
        observer.line(Direction::In, "3");
        observer.line(Direction::In, "5 myself - - 1 0 1.00 0 0 0 host - -");
        observer.line(Direction::In, "4");
        assert_eq!(rating(&bot), Some(3457.85), "that was the message of the day");
        observer.line(
            Direction::In,
            "5 someplayer mgnu_advanced - 0 0 1912.15 827 8 1040515752 192.168.143.5 3DFiBs -",
        );
        observer.line(Direction::In, "5 myself - - 1 0 1460.07 23 1914 1041272421 192.168.40.3 MacFIBS someplayer@somewhere.com");
        assert_eq!((rating(&bot), bot.figures().borrow().experience), (Some(1460.07), Some(23)));
    }

    #[test]
    fn no_line_of_a_player_is_a_sign_of_life() {
        let (bot, _folder) = idle_bot("myself");
        let now = Rc::new(std::cell::Cell::new(100.0));
        let clock = Rc::clone(&now);
        let secret = Password::new("Zanzibar7").expect("good");
        let mut observer = SessionObserver::new(&bot, secret, None, Box::new(move || clock.get()));
        observer.line(Direction::In, "You roll 6 and 4.");
        now.set(160.0);
        for line in [
            "13 eve You roll 6 and 4.",
            "12 eve 6",
            "15 eve move!",
            "9 eve 1041253132 hello",
            "eve is away: You roll 6 and 4.",
            "eve is watching you.",
            "a line that nobody knows",
            "login: ",
            "3",
            "6 o'clock: tournament",
        ] {
            observer.line(Direction::In, line);
        }
        let text = bot.figures().borrow().to_prometheus(160.0);
        assert!(text.contains("\nnonet_fibs_last_sign_of_life_seconds 60\n"), "{text}");
        observer.line(Direction::In, "6");
        let text = bot.figures().borrow().to_prometheus(160.0);
        assert!(text.contains("\nnonet_fibs_last_sign_of_life_seconds 0\n"), "{text}");
    }

    #[test]
    fn the_log_says_which_account_is_on_which_server() {
        let (bot, _folder) = idle_bot("nonet");
        let mut observer = observer(&bot);
        let log = captured_log(|| {
            observer.notice(Notice::Connected { server: Some("127.0.0.1:14321".into()) });
            observer.notice(Notice::Connected { server: None });
        });
        let lines: Vec<&str> = log.lines().collect();
        assert!(lines[0].ends_with("connected to 127.0.0.1:14321 as nonet"), "{log}");
        assert!(lines[1].ends_with("connected as nonet"), "{log}");
    }

    #[test]
    fn the_reason_of_a_server_is_logged_without_the_password_and_control_characters() {
        let (bot, _folder) = idle_bot("nonet");
        let mut observer = observer(&bot);
        let again = std::time::Duration::from_secs(50);
        let why = "No account nonet with Zanzibar7\u{1b}[2J".to_owned();
        let log = captured_log(|| observer.notice(Notice::Disconnect { why, again }));
        let told = "disconnected (No account nonet with ***\\u{1b}[2J); trying again in 50.0 s";
        assert!(log.contains(told), "{log}");
    }

    #[test]
    fn a_message_that_was_left_is_logged_with_its_time_and_without_the_password() {
        let (bot, _folder) = idle_bot("myself");
        let mut observer = observer(&bot);
        let log = captured_log(|| {
            // From the CLIP specification, and a negative time from the tests of Gibbon.
            observer.line(
                Direction::In,
                "9 someplayer 1041253132 I'll log in at 10pm if you want to finish that game.",
            );
            observer.line(Direction::In, "9 gflohr -1 \u{1b}[2Jis Zanzibar7 you?");
            // The last second that has a date, and seconds behind it.
            for (name, time) in [
                ("ann", "253402207200"),
                ("bob", "253402207201"),
                ("cal", "253402300799"),
                ("dan", "9223372036854775807"),
            ] {
                observer.line(Direction::In, &format!("9 {name} {time} hello"));
            }
        });
        let first =
            "message from someplayer, left at 2002-12-30T12:58:52.000Z: I'll log in at 10pm";
        assert!(
            log.contains(first) && log.contains("message from gflohr: \\u{1b}[2Jis *** you?"),
            "{log}"
        );
        assert!(log.contains("message from ann, left at 9999-12-30T22:00:00.000Z: hello"), "{log}");
        for name in ["bob", "cal", "dan"] {
            assert!(log.contains(&format!("message from {name}: hello")), "{log}");
        }
        assert_eq!(timestamp(253_402_207_201.0), "253402207201 s");
    }

    #[test]
    fn a_board_of_bgammon_tells_the_own_rating_and_what_players_say_is_no_sign_of_life() {
        let config = crate::BotConfig { site: Site::Bgammon, ..crate::BotConfig::default() };
        let (bot, _folder) = crate::tests_support::bot_with(config);
        let mut observer = observer(&bot);
        let life = |bot: &Bot| bot.figures().borrow().last_sign_of_life;
        observer.line(Direction::In, r#"{"Type":"say","Player":"eve","Message":"hello"}"#);
        assert_eq!(life(&bot), None);
        observer.line(
            Direction::In,
            r#"{"Type":"board","Player1":{"Name":"BOT_nonet","Rating":1612},"Player2":{"Name":"ann"},
            "Board":[0,-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0,0,0],"Points":5}"#,
        );
        assert_eq!((life(&bot), bot.figures().borrow().rating), (Some(0.0), Some(1612.0)));
    }
}
