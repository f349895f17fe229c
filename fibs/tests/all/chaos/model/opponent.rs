//! Bob, who plays by the rules, drops his connection, forgets his matches, and falls silent.

use std::time::Duration;

use backgammon::candidates;
use rand::Rng;

use super::game::Offer;
use super::server::{BOB, ME, Model};

impl Model {
    /// What happens without the client.
    pub(crate) fn passes(&mut self, now: Duration) {
        if self.bob_back.is_some_and(|back| now >= back) {
            self.bob_back = None;
            self.bob_online = true;
            self.say(now, "logs in", &["7 bob bob logs in."], &[]);
            self.who(now, BOB);
            self.bob_invites = now + Duration::from_secs(10);
        }
        if now >= self.bob_invites {
            self.bob_invites = now + Duration::from_secs(90);
            if self.table.is_none() && self.bob_online && !self.over {
                self.bob_invites_us(now);
            }
        }
        if self.bob_acts.is_some_and(|due| now >= due) {
            self.bob_acts = None;
            self.bob_plays(now);
        }
    }

    pub(super) fn bob_thinks(&mut self) -> Duration {
        Duration::from_millis(self.rng.random_range(500..5000))
    }

    fn bob_invites_us(&mut self, now: Duration) {
        // Bob forgets his saved matches half of the time.
        let new = self.saved.is_none() || self.rng.random_bool(0.5);
        self.invitation = Some(new);
        let before = self.queue.len();
        if new {
            let wordings = [
                "bob wants to play a 3 point match with you.",
                "bob wants to play a  3 point match with you",
            ];
            self.say(now, "wants", &wordings, &[]);
            if self.saved.is_some() && self.habits.warns {
                let warning =
                    "WARNING: Don't accept if you want to continue the saved 3 point match!";
                self.say(now, "warning", &["{}", "** {}"], &[warning]);
            }
        } else {
            self.say(now, "wants", &["bob wants to resume a saved match with you."], &[]);
        }
        if self.habits.type_join && self.queue.len() > before {
            self.say(now, "type join", &["Type 'join bob' to accept."], &[]);
        }
    }

    fn bob_plays(&mut self, now: Duration) {
        let Some(table) = &self.table else { return };
        let game = table.game.clone();
        match game.offer {
            Offer::Double { own: true } | Offer::Resignation { own: true, .. } => {
                let accepts = self.rng.random_bool(0.6);
                return self.answer(false, accepts, now);
            }
            Offer::Double { .. } | Offer::Resignation { .. } => return,
            Offer::None => {}
        }
        match (game.own_turn, game.dice) {
            (None, _) => self.join_next(false, now),
            (Some(true), _) => {}
            (Some(false), None) => {
                if self.rng.random_bool(self.habits.resigns) {
                    return self.resign(false, 1, now);
                }
                if self.may_double(false) && self.rng.random_bool(self.habits.doubles) {
                    self.offer(Offer::Double { own: false }, now);
                    let wordings = [
                        "bob doubles. Type 'accept' or 'reject'.",
                        "bob doubles. Type 'accept', 'reject' or 'redouble'.",
                    ];
                    return self.say(now, "doubled us", &wordings, &[]);
                }
                self.roll(false, now);
            }
            (Some(false), Some(dice)) => {
                let mover = game.position.flipped();
                let plays = candidates(&mover, dice);
                let choice = &plays[self.rng.random_range(0..plays.len())];
                if let Some(table) = &mut self.table {
                    table.game.position = choice.after;
                }
                let steps = mover.steps_to(dice, &choice.after).expect("a legal play");
                let ascending = !self.habits.ascending;
                let point = |n: u8, edge: &str| match n {
                    1..=24 => (if ascending { 25 - n } else { n }).to_string(),
                    _ => edge.to_owned(),
                };
                let words: Vec<String> = steps
                    .iter()
                    .map(|step| format!("{}-{}", point(step.from, "bar"), point(step.to, "off")))
                    .collect();
                let wordings = ["bob moves {} .", "bob moves {}.", "bob moves {}"];
                self.say(now, "bob moves", &wordings, &[&words.join(" ")]);
                self.moved(false, now);
            }
        }
    }

    pub(super) fn bob_drops(&mut self, now: Duration) {
        self.save();
        self.bob_online = false;
        self.bob_back = Some(now + Duration::from_secs(60));
        self.progress_at = now;
        if self.habits.drop_sentences >= 1 {
            self.who(now, ME);
        }
        if self.habits.drop_sentences >= 2 {
            self.say(now, "logs out", &["8 bob bob drops connection."], &[]);
        }
        if self.habits.drop_sentences >= 3 {
            let wordings = [
                "** Player bob has left the game. The game was saved.",
                "bob logs out. The game was saved.",
                "Connection with bob timed out. The game was saved.",
            ];
            self.say(now, "saved", &wordings, &[]);
        }
    }
}
