//! The commands of the client.

use std::time::Duration;

use backgammon::candidates;
use rand::Rng;

use super::game::Offer;
use super::server::{BOB, ME, Model};

impl Model {
    /// A command came.
    pub(crate) fn command(&mut self, line: &str, now: Duration) {
        if self.rng.random_bool(self.habits.deaf) && !line.starts_with("login") {
            return;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let verb = words.first().copied().unwrap_or_default();
        if self.habits.unknown.contains(verb) {
            return self.unknown(verb, line, now);
        }
        match (verb, words.get(1).copied()) {
            ("login", _) => self.login(now),
            ("set", _) => {
                let wordings = ["Value of 'boardstyle' set to 3.", "set boardstyle 3"];
                self.say(now, "style", &wordings, &[]);
            }
            ("toggle", None) => {
                for (name, on) in self.toggles.clone() {
                    let state = if on { "YES" } else { "NO" };
                    self.say(now, "list", &["{}  {}"], &[&name, state]);
                }
            }
            ("toggle", Some(name)) => self.toggle(name, now),
            ("show", _) => self.show_saved(now),
            ("time", _) => self.say(now, "time", &["Sunday, November 22 01:02:03 UTC"], &[]),
            ("rawwho", _) => {
                self.who(now, ME);
                self.who(now, BOB);
            }
            ("oldmoves", name) => {
                let wordings = ["** There's no saved match with {}."];
                self.say(now, "no oldmoves", &wordings, &[name.unwrap_or_default()]);
            }
            ("kibitz" | "tell" | "back" | "bye", _) => {}
            ("invite", Some(name)) => self.invited(name, words.get(2).is_some(), now),
            ("join", Some(_)) => self.join_bob(now),
            ("board" | "b" | "redraw", _) if self.table.is_some() => self.board(now),
            (_, _) if self.table.is_none() => self.not_playing(verb, now),
            ("join", None) => self.join_next(true, now),
            ("leave", _) => self.leave(now),
            ("roll", _) => self.roll_command(now),
            ("move", _) => self.move_command(&words[1..], now),
            ("double", _) => self.double_command(now),
            ("accept", _) => self.answer(true, true, now),
            ("reject", _) => self.answer(true, false, now),
            ("resign", Some(how)) => {
                let stake = match how {
                    "n" => 1,
                    "g" => 2,
                    _ => 3,
                };
                self.resign(true, stake, now);
            }
            _ => self.unknown(verb, line, now),
        }
    }

    fn unknown(&mut self, verb: &str, line: &str, now: Duration) {
        let arguments = line.strip_prefix(verb).unwrap_or_default().to_owned();
        match self.habits.unknown_answer {
            0 => self.say(now, "unknown", &["** Unknown command: '{}'"], &[verb]),
            1 => self.say(now, "unknown", &["** Not yet implemented: '{}'"], &[line]),
            2 => self.say(now, "unknown", &["The command `{}' is not yet implemented."], &[verb]),
            3 => self.say(now, "unknown", &["** Unknown command: '{}'"], &[&arguments]),
            4 => self.say(now, "unknown", &["** Error 17."], &[]),
            _ => {}
        }
    }

    fn login(&mut self, now: Duration) {
        self.raw(now, format!("1 {ME} 1795226968 host\r\n"));
        let flags = "1 1 0 0 0 0 1 1 0 0 1 0 1 1500.0 1 1 none 0 1 UTC";
        self.say(now, "own info", &["2 {} {}"], &[ME, flags]);
        let names = [
            "allowpip",
            "autoboard",
            "autodouble",
            "automove",
            "away",
            "bell",
            "crawford",
            "double",
        ];
        self.toggles = names.iter().map(|name| ((*name).to_owned(), true)).collect();
        for name in ["greedy", "moreboards", "moves", "notify", "ratings", "ready", "report"] {
            self.toggles.insert(name.to_owned(), false);
        }
        self.say(now, "motd", &["3\r\nhello\r\n4"], &[]);
        self.who(now, ME);
        self.who(now, BOB);
    }

    fn toggle(&mut self, name: &str, now: Duration) {
        let on = self.toggles.entry(name.to_owned()).or_default();
        *on = !*on;
        let on = *on;
        let toggle = fibs::message::Toggle::named(name);
        if let Some(toggle) = toggle {
            let answer = toggle.answers()[usize::from(!on)];
            self.say(now, "toggle", &["{}."], &[answer]);
        }
    }

    fn show_saved(&mut self, now: Duration) {
        match &self.saved {
            None => self.say(now, "list", &["no saved games."], &[]),
            Some(table) => {
                let [own, bob] = table.score.map(|points| points.to_string());
                let heading = "  opponent          matchlength   score (your points first)";
                self.say(now, "list", &["{}"], &[heading]);
                let row = &["**{}   3   {} - {}", " *{}   3   {} - {}", "  {}   3   {} - {}"];
                self.say(now, "list", row, &[BOB, &own, &bob]);
            }
        }
    }

    fn not_playing(&mut self, verb: &str, now: Duration) {
        let wordings = if verb == "leave" {
            ["** Error: No one to leave.", "** You're not playing.", "You are not playing."]
        } else {
            ["** You're not playing.", "You are not playing.", "** Not playing."]
        };
        self.say(now, "not playing", &wordings, &[]);
    }

    fn invited(&mut self, name: &str, new: bool, now: Duration) {
        if name != BOB || !self.bob_online {
            return self.say(now, "nobody", &["** There is no one called {}."], &[name]);
        }
        if self.table.is_some() {
            return self.say(now, "playing", &["** You are already playing."], &[]);
        }
        if !new && self.saved.is_none() {
            let wordings = [
                "** There's no saved match with bob. Please give a match length.",
                "** There is no saved match with bob. Please give a match length.",
            ];
            return self.say(now, "nothing saved", &wordings, &[]);
        }
        let what = if new { "a 3 point match" } else { "resume a saved match" };
        self.say(now, "invited", &["** You invited bob to {}."], &[what]);
        self.begin(!new, now + Duration::from_secs(2));
    }

    fn join_bob(&mut self, now: Duration) {
        match self.invitation.take() {
            None => self.say(now, "not invited", &["** bob didn't invite you."], &[]),
            Some(_) if self.table.is_some() => {}
            Some(new) => self.begin(!new && self.saved.is_some(), now),
        }
    }

    fn leave(&mut self, now: Duration) {
        self.save();
        self.progress_at = now;
        self.say(now, "saved", &["** You terminated the game. The game was saved."], &[]);
        self.who(now, ME);
        self.who(now, BOB);
    }

    pub(super) fn refuse(&mut self, wording: &str, now: Duration) {
        self.refused += 1;
        self.say(now, "refused", &["{}"], &[wording]);
    }

    fn roll_command(&mut self, now: Duration) {
        let Some(table) = &self.table else { return };
        match (table.game.own_turn, table.game.dice, table.game.offer) {
            (Some(true), None, Offer::None) => self.roll(true, now),
            (Some(true), Some(_), _) => self.refuse("** You did already roll the dice.", now),
            _ => self.refuse("** It's not your turn to roll the dice.", now),
        }
    }

    fn move_command(&mut self, words: &[&str], now: Duration) {
        let Some(table) = &mut self.table else { return };
        let game = &mut table.game;
        let (Some(true), Some(dice), Offer::None) = (game.own_turn, game.dice, game.offer) else {
            return self.refuse("** It's not your turn to move.", now);
        };
        let ascending = self.habits.ascending;
        let point = |word: &str, edge: u8| match word {
            "bar" | "off" => Some(edge),
            word => {
                let n: u8 = word.parse().ok()?;
                Some(if ascending { 25 - n } else { n })
            }
        };
        let steps: Option<Vec<(u8, u8)>> = words
            .iter()
            .map(|word| {
                let (from, to) = word.split_once('-')?;
                Some((point(from, 25)?, point(to, 0)?))
            })
            .collect();
        let after = steps.and_then(|steps| game.position.after_steps(dice, &steps));
        let legal = after.filter(|after| {
            candidates(&game.position, dice).iter().any(|candidate| candidate.after == *after)
        });
        match legal {
            Some(after) => {
                game.position = after.flipped();
                self.moved(true, now);
            }
            None => self.refuse("** You can't move home in your first move.", now),
        }
    }

    fn double_command(&mut self, now: Duration) {
        let Some(table) = &self.table else { return };
        let ready = table.game.own_turn == Some(true)
            && table.game.dice.is_none()
            && table.game.offer == Offer::None;
        if !ready || !self.may_double(true) {
            return self.refuse("** It's not your turn to double", now);
        }
        self.offer(Offer::Double { own: true }, now);
        let text = "You double. Please wait for bob to accept or reject.";
        self.say(now, "we double", &["{}"], &[text]);
        self.bob_acts = Some(now + self.bob_thinks());
    }
}
