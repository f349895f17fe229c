//! The server: its lines, what it keeps, boards and who is there.

use std::collections::BTreeMap;
use std::time::Duration;

use backgammon::{Dice, FibsBoard};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use super::game::{Offer, Table};
use super::habits::Habits;

/// The account of the client.
pub(crate) const ME: &str = "me";
/// The server's own player, who plays by the rules.
pub(crate) const BOB: &str = "bob";
/// Points of the match.
pub(crate) const LENGTH: u32 = 3;

/// The first line comes this long after the connection.
pub(crate) const FIRST: Duration = Duration::from_secs(1);

/// The server, and bob.
pub(crate) struct Model {
    pub(crate) habits: Habits,
    pub(super) rng: Pcg64,
    pub(super) queue: BTreeMap<(Duration, u64), String>,
    pub(super) serial: u64,
    pub(super) table: Option<Table>,
    pub(super) saved: Option<Table>,
    pub(super) toggles: BTreeMap<String, bool>,
    /// When bob acts, if he has something to do.
    pub(super) bob_acts: Option<Duration>,
    pub(super) bob_online: bool,
    pub(super) bob_back: Option<Duration>,
    pub(super) bob_invites: Duration,
    /// Bob's last invitation: to a new match, or to resume.
    pub(super) invitation: Option<bool>,
    /// When the game last changed.
    pub(crate) progress_at: Duration,
    /// The match has ended.
    pub(crate) over: bool,
    /// A saved match was deleted by a new one.
    pub(crate) overwritten: bool,
    pub(crate) refused: u32,
}

impl Model {
    pub(crate) fn new(habits: Habits, seed: u64) -> Model {
        let saved = habits.saved_at_start.then(|| {
            let mut table = Table::new();
            table.score = [1, 0];
            table.game.own_turn = None;
            table
        });
        Model {
            rng: Pcg64::seed_from_u64(seed ^ 0xb0b),
            habits,
            queue: BTreeMap::new(),
            serial: 0,
            table: None,
            saved,
            toggles: BTreeMap::new(),
            bob_acts: None,
            bob_online: true,
            bob_back: None,
            bob_invites: Duration::from_secs(20),
            invitation: None,
            progress_at: Duration::ZERO,
            over: false,
            overwritten: false,
            refused: 0,
        }
    }

    /// Whether a match of the client is saved or being played.
    pub(crate) fn has_match(&self) -> bool {
        self.saved.is_some() || self.table.is_some()
    }

    /// When something will happen without the client.
    pub(crate) fn next_due(&self) -> Duration {
        let line = self.queue.keys().next().map_or(Duration::MAX, |key| key.0);
        let others = [self.bob_acts, self.bob_back, Some(self.bob_invites)];
        others.into_iter().flatten().fold(line, Duration::min)
    }

    /// The next line that has arrived.
    pub(crate) fn line(&mut self, now: Duration) -> Option<String> {
        let key = *self.queue.keys().next().filter(|key| key.0 <= now)?;
        self.queue.remove(&key)
    }

    pub(crate) fn connected(&mut self, now: Duration) {
        self.queue.clear();
        self.save();
        self.raw(now, "Welcome.\r\nlogin: ".to_owned());
    }

    /// The client's connection is gone.
    pub(crate) fn disconnected(&mut self) {
        self.queue.clear();
        self.save();
    }

    pub(super) fn save(&mut self) {
        if let Some(mut table) = self.table.take() {
            // Nothing tells of an old offer to resign, so no server keeps it.
            if let Offer::Resignation { .. } = table.game.offer {
                table.game.offer = Offer::None;
            }
            self.saved = Some(table);
        }
        self.bob_acts = None;
    }

    pub(super) fn raw(&mut self, at: Duration, text: String) {
        self.serial += 1;
        self.queue.insert((at, self.serial), text);
    }

    /// Sends a sentence in this server's wording: `{}` are filled in order.
    pub(super) fn say(
        &mut self,
        now: Duration,
        kind: &'static str,
        wordings: &[&str],
        values: &[&str],
    ) {
        if self.habits.omitted.contains(kind) || self.rng.random_bool(self.habits.lost) {
            return;
        }
        let mut text = self.habits.wording(kind, wordings).to_owned();
        for value in values {
            text = text.replacen("{}", value, 1);
        }
        text = match self.habits.apostrophes {
            0 => text,
            1 => text.replace('\'', "''"),
            _ => text.replace('\'', if text.starts_with("** ") { "" } else { "'" }),
        };
        let late = self.rng.random_bool(self.habits.late);
        let delay = if late { self.rng.random_range(100..4000) } else { 20 };
        let at = now + Duration::from_millis(delay);
        if self.rng.random_bool(self.habits.twice) {
            self.raw(at, format!("{text}\r\n"));
        }
        self.raw(at, format!("{text}\r\n"));
    }

    pub(super) fn who(&mut self, now: Duration, name: &'static str) {
        let playing = self.table.is_some();
        let (kind, opponent) = if name == ME { ("own who", BOB) } else { ("bob who", ME) };
        if name == BOB && !self.bob_online {
            return;
        }
        let opponent = if playing { opponent } else { "-" };
        let line = format!("5 {name} {opponent} - 1 0 1500.0 10 0 1795226968 host client -");
        self.say(now, kind, &["{}"], &[&line]);
        self.say(now, kind, &["6"], &[]);
    }

    pub(super) fn board(&mut self, now: Duration) {
        let Some(table) = &self.table else { return };
        let habits = &self.habits;
        let game = &table.game;
        let seat_of = |own: bool| if own { habits.own_seat } else { habits.own_seat.other() };
        let mut turn = game.own_turn;
        if !habits.turn_is_zero_between_games {
            turn = turn.or(Some(true));
        }
        let doubled = match game.offer {
            Offer::Double { own } => Some(own),
            _ => None,
        };
        if let (Some(_), true) = (doubled, habits.turn_inverted_while_doubled) {
            turn = turn.map(|own| !own);
        }
        let pair = |dice: Dice| [dice.high(), dice.low()];
        let own_dice = game.dice.filter(|_| game.own_turn == Some(true)).map_or([0; 2], pair);
        let dice = game.dice.filter(|_| game.own_turn == Some(false)).map_or([0; 2], pair);
        let may = |own: bool| doubled.is_none() && game.owner.is_none_or(|owner| owner == own);
        let board = FibsBoard {
            player: "You".to_owned(),
            opponent: BOB.to_owned(),
            length: Some(LENGTH),
            score: table.score,
            position: game.position,
            turn: turn.map(seat_of),
            dice: own_dice,
            opponent_dice: dice,
            cube: game.cube,
            may_double: may(true),
            opponent_may_double: may(false),
            was_doubled: doubled == Some(false),
            colour: habits.own_seat,
            ascending: habits.ascending,
            can_move: 2,
            no_crawford: 0,
            post_crawford: u32::from(table.crawford_played),
            redoubles: 0,
        };
        let line = board.to_string();
        let mut fields: Vec<String> = line.split(':').map(str::to_owned).collect();
        let change = |field: &mut String, how: u32| {
            if how == 0 {
                *field = "0".to_owned();
            } else if let Ok(n) = field.parse::<i32>() {
                *field = (-n).to_string();
            }
        };
        match habits.bars {
            1 => [47, 48].map(|i| change(&mut fields[i], 0)),
            2 => [6, 31].map(|i| change(&mut fields[i], 0)),
            3 => [6, 31].map(|i| change(&mut fields[i], 1)),
            _ => [(), ()],
        };
        self.say(now, "board", &["{}"], &[&fields.join(":")]);
    }
}
