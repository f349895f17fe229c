//! Some server of the protocol, made from a seed: its wording, what it leaves out, what it does not know, when boards
//! come and how late. It was written from the descriptions of FIBS, JIBS, BaldLies and TigerGammon, not from the
//! practice server of this crate.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use backgammon::{Dice, FibsBoard, Position, Seat, candidates};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// The account of the client.
pub(crate) const ME: &str = "me";
/// The player whom the server brings along, who plays by the rules.
pub(crate) const BOB: &str = "bob";
/// Points of the match.
pub(crate) const LENGTH: u32 = 3;

const START: Duration = Duration::from_secs(1);

/// What differs from server to server.
#[derive(Debug)]
pub(crate) struct Habits {
    seed: u64,
    /// Kinds of sentences that never come.
    omitted: BTreeSet<&'static str>,
    /// Commands that are not known, and which answer they get.
    unknown: BTreeSet<&'static str>,
    unknown_answer: u32,
    /// The chances that a line is lost, comes twice, comes late, or that a command is lost.
    lost: f64,
    twice: f64,
    late: f64,
    deaf: f64,
    board_after_roll: bool,
    board_after_move: bool,
    board_to_opponent_of_mover: bool,
    /// 0: right, 1: the fields are always 0, 2: the places are always 0, 3: the place has the other sign.
    bars: u32,
    apostrophes: u32,
    who_line_first: bool,
    turn_inverted_while_doubled: bool,
    asks_to_double: bool,
    turn_is_zero_between_games: bool,
    ascending: bool,
    own_seat: Seat,
    /// The turn of the game at which bob falls silent or is cut off.
    bob_stalls_at: Option<u32>,
    bob_drops_at: Option<u32>,
    /// How many sentences tell that bob is gone: 0 to 3.
    drop_sentences: u32,
    joins_need_an_answer: bool,
    doubles: f64,
    resigns: f64,
    /// A saved match with bob when the client comes, which a new match would delete.
    pub(crate) saved_at_start: bool,
    type_join: bool,
    warns: bool,
}

/// Kinds of sentences.
pub(crate) const KINDS: &[&str] = &[
    "own info",
    "motd",
    "who at login",
    "please move",
    "please roll",
    "your turn",
    "opening",
    "new game",
    "now playing",
    "own who",
    "bob who",
    "bob cannot move",
    "cannot move",
    "wait for join",
    "score",
    "win match",
    "win game",
    "saved",
    "rating",
    "toggle",
    "style",
    "resumed",
    "invited",
    "logs out",
    "doubled us",
    "taken",
    "bob moves",
    "bob rolls",
    "you roll",
    "type join next",
];
/// Of these only one may be missing at a time, or nobody could play there.
const NEEDED: &[&[&str]] =
    &[&["new game", "now playing", "own who", "opening"], &["win match", "own who", "saved"]];
const MAY_BE_UNKNOWN: &[&str] = &[
    "board", "b", "redraw", "show", "oldmoves", "time", "rawwho", "kibitz", "toggle", "back",
    "tell",
];

impl Habits {
    /// The habits of one server; those of an even seed are milder.
    pub(crate) fn new(seed: u64) -> Habits {
        let mut rng = Pcg64::seed_from_u64(seed);
        let wild = seed % 2 == 1;
        let rate = if wild { 0.15 } else { 0.05 };
        let mut omitted: BTreeSet<&'static str> =
            KINDS.iter().copied().filter(|_| rng.random_bool(rate)).collect();
        for group in NEEDED {
            let missing: Vec<_> = group.iter().filter(|kind| omitted.contains(*kind)).collect();
            for kind in missing.into_iter().skip(1) {
                omitted.remove(*kind);
            }
        }
        let mut unknown: BTreeSet<&'static str> =
            MAY_BE_UNKNOWN.iter().copied().filter(|_| rng.random_bool(2.0 * rate)).collect();
        if rng.random_bool(0.9) {
            // At least one word for a board.
            unknown.remove(["board", "b", "redraw"][rng.random_range(0..3)]);
        }
        let mut chance = |p: f64| rng.random_bool(p);
        let (board_after_roll, board_after_move) = (chance(0.7), chance(0.9));
        Habits {
            seed,
            omitted,
            unknown,
            board_after_roll,
            board_after_move,
            board_to_opponent_of_mover: chance(0.8),
            who_line_first: chance(0.5),
            turn_inverted_while_doubled: chance(0.5),
            asks_to_double: chance(0.8),
            turn_is_zero_between_games: chance(0.8),
            ascending: chance(0.5),
            joins_need_an_answer: chance(0.8),
            saved_at_start: chance(0.2),
            type_join: chance(0.8),
            warns: chance(0.5),
            own_seat: if chance(0.5) { Seat::X } else { Seat::O },
            bob_stalls_at: chance(0.05).then_some(20),
            bob_drops_at: chance(0.15).then_some(12),
            unknown_answer: rng.random_range(0..6),
            lost: if wild { rng.random_range(0.0..0.03) } else { 0.0 },
            twice: rng.random_range(0.0..0.05),
            late: rng.random_range(0.0..0.1),
            deaf: if wild { rng.random_range(0.0..0.03) } else { 0.0 },
            bars: if rng.random_bool(0.7) { 0 } else { rng.random_range(1..4) },
            apostrophes: rng.random_range(0..3),
            drop_sentences: rng.random_range(0..4),
            doubles: rng.random_range(0.0..0.06),
            resigns: rng.random_range(0.0..0.01),
        }
    }

    /// A server that is right in everything, but never sends one kind of sentence.
    pub(crate) fn withholding(kind: &'static str, seed: u64) -> Habits {
        Habits {
            seed,
            omitted: BTreeSet::from([kind]),
            unknown: BTreeSet::new(),
            unknown_answer: 0,
            lost: 0.0,
            twice: 0.0,
            late: 0.0,
            deaf: 0.0,
            board_after_roll: true,
            board_after_move: true,
            board_to_opponent_of_mover: true,
            bars: 0,
            apostrophes: 0,
            who_line_first: false,
            turn_inverted_while_doubled: false,
            asks_to_double: true,
            turn_is_zero_between_games: true,
            ascending: true,
            own_seat: Seat::X,
            bob_stalls_at: None,
            bob_drops_at: Some(12),
            drop_sentences: 3,
            joins_need_an_answer: true,
            doubles: 0.05,
            resigns: 0.01,
            saved_at_start: false,
            type_join: true,
            warns: true,
        }
    }

    /// One of the wordings of a kind of sentence, always the same one.
    fn wording<'a>(&self, kind: &str, wordings: &[&'a str]) -> &'a str {
        let hash = kind.bytes().fold(self.seed ^ 0x9e37, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        wordings[(hash >> 20) as usize % wordings.len()]
    }
}

/// A double or a resignation that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Offer {
    None,
    /// By the client, or by bob.
    Double {
        own: bool,
    },
    Resignation {
        own: bool,
        points: u32,
    },
}

/// The game on the table, seen by the client.
#[derive(Clone, Debug)]
struct Game {
    position: Position,
    /// Whether the client is on roll; `None` between two games.
    own_turn: Option<bool>,
    dice: Option<Dice>,
    cube: u32,
    /// Who owns the cube: the client, bob, or nobody.
    owner: Option<bool>,
    offer: Offer,
    turns: u32,
    /// Who has joined the next game: the client, bob.
    joined: [bool; 2],
}

/// A match, played or saved.
#[derive(Clone, Debug)]
struct Table {
    score: [u32; 2],
    crawford_played: bool,
    game: Game,
}

/// The server, and bob.
pub(crate) struct Model {
    pub(crate) habits: Habits,
    rng: Pcg64,
    queue: BTreeMap<(Duration, u64), String>,
    serial: u64,
    table: Option<Table>,
    saved: Option<Table>,
    toggles: BTreeMap<String, bool>,
    /// When bob acts, if he has something to do.
    bob_acts: Option<Duration>,
    bob_online: bool,
    bob_back: Option<Duration>,
    bob_invites: Duration,
    /// Bob's last invitation: to a new match, or to resume.
    invitation: Option<bool>,
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

    fn save(&mut self) {
        if let Some(table) = self.table.take() {
            self.saved = Some(table);
        }
        self.bob_acts = None;
    }

    fn raw(&mut self, at: Duration, text: String) {
        self.serial += 1;
        self.queue.insert((at, self.serial), text);
    }

    /// Sends a sentence in this server's wording: `{}` are filled in order.
    fn say(&mut self, now: Duration, kind: &'static str, wordings: &[&str], values: &[&str]) {
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

    fn who(&mut self, now: Duration, name: &'static str) {
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

    fn board(&mut self, now: Duration) {
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
            ("oldmoves", _) => {
                self.say(now, "no oldmoves", &["** There's no saved match with bob."], &[]);
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

    fn begin(&mut self, resume: bool, now: Duration) {
        if !resume {
            self.overwritten |= self.saved.is_some();
            self.saved = None;
            self.table = Some(Table::new());
        } else {
            self.table = self.saved.take();
        }
        self.invitation = None;
        if self.habits.who_line_first {
            self.who(now, ME);
            self.who(now, BOB);
        }
        if resume {
            let wordings = [
                "bob has joined you. Your running match was loaded.",
                "You are now playing with bob. Your running match was loaded.",
            ];
            self.say(now, "now playing", &wordings, &[]);
            self.say(now, "resumed", &["match length: 3"], &[]);
        } else {
            let wordings = [
                "** You are now playing a 3 point match with bob",
                "** Player bob has joined you for a 3 point match.",
                "** bob has joined you for a 3 point match.",
            ];
            self.say(now, "now playing", &wordings, &[]);
        }
        if !self.habits.who_line_first {
            self.who(now, ME);
            self.who(now, BOB);
        }
        self.progress_at = now;
        if resume {
            self.board(now);
            match self.table.as_ref().and_then(|table| table.game.own_turn) {
                None => self.between_games(now),
                Some(own) => self.next_turn(own, now),
            }
        } else {
            self.new_game(now);
        }
    }

    fn new_game(&mut self, now: Duration) {
        let (own, bob) = loop {
            let pair = (self.rng.random_range(1..7u8), self.rng.random_range(1..7u8));
            if pair.0 != pair.1 {
                break pair;
            }
        };
        let Some(table) = &mut self.table else { return };
        table.game = Game::new();
        table.game.own_turn = Some(own > bob);
        table.game.dice = Dice::new(own, bob);
        self.progress_at = now;
        self.say(now, "new game", &["Starting a new game with bob."], &[]);
        let (a, b) = (own.to_string(), bob.to_string());
        let wordings = ["You rolled {}, bob rolled {}", "You rolled {}, bob rolled {}."];
        self.say(now, "opening", &wordings, &[&a, &b]);
        if own > bob {
            self.say(now, "your turn", &["It's your turn to move."], &[]);
        } else {
            self.say(now, "your turn", &["bob makes the first move."], &[]);
            self.bob_acts = Some(now + self.bob_thinks());
        }
        self.board(now);
    }

    fn bob_thinks(&mut self) -> Duration {
        Duration::from_millis(self.rng.random_range(500..5000))
    }

    /// A player's turn begins before the roll.
    fn next_turn(&mut self, own: bool, now: Duration) {
        let Some(table) = &mut self.table else { return };
        let game = &mut table.game;
        (game.own_turn, game.dice) = (Some(own), None);
        game.turns += 1;
        let (turns, free) = (game.turns, game.offer == Offer::None);
        self.progress_at = now;
        if !free {
            return;
        }
        if !own {
            if self.habits.bob_stalls_at == Some(turns) {
                return;
            }
            if self.habits.bob_drops_at.is_some_and(|at| turns >= at) {
                self.habits.bob_drops_at = None;
                return self.bob_drops(now);
            }
            self.bob_acts = Some(now + self.bob_thinks());
            return;
        }
        let may_double = self.may_double(true);
        if may_double && self.habits.asks_to_double {
            let wordings =
                ["It's your turn. Please roll or double", "It's your turn to roll or double."];
            self.say(now, "please roll", &wordings, &[]);
            if self.habits.board_after_move {
                self.board(now);
            }
        } else {
            self.roll(true, now);
        }
    }

    fn may_double(&self, own: bool) -> bool {
        let Some(table) = &self.table else { return false };
        let one_away = table.score.iter().filter(|score| **score + 1 == LENGTH).count();
        let crawford = one_away == 1 && !table.crawford_played;
        !crawford && table.game.owner.is_none_or(|owner| owner == own) && table.game.cube < 64
    }

    fn roll(&mut self, own: bool, now: Duration) {
        let pair = (self.rng.random_range(1..7u8), self.rng.random_range(1..7u8));
        let Some(table) = &mut self.table else { return };
        let dice = Dice::new(pair.0, pair.1).expect("a roll");
        table.game.dice = Some(dice);
        self.progress_at = now;
        let position = table.game.position;
        let position = if own { position } else { position.flipped() };
        let plays = candidates(&position, dice);
        let stuck = plays[0].play.moves().is_empty();
        let (a, b) = (pair.0.to_string(), pair.1.to_string());
        if own {
            self.say(now, "you roll", &["You roll {} and {}."], &[&a, &b]);
        } else {
            let wordings = ["bob rolls {} and {}.", "bob rolled {} and {}."];
            self.say(now, "bob rolls", &wordings, &[&a, &b]);
        }
        if self.habits.board_after_roll {
            self.board(now);
        }
        if stuck {
            let kind = if own { "cannot move" } else { "bob cannot move" };
            self.say(now, kind, &[if own { "You can't move." } else { "bob can't move." }], &[]);
            return self.next_turn(!own, now);
        }
        if own {
            self.say(now, "please move", &["Please move 2 pieces."], &[]);
        } else {
            self.bob_acts = Some(now + self.bob_thinks());
        }
    }

    fn refuse(&mut self, wording: &str, now: Duration) {
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

    /// A player has moved.
    fn moved(&mut self, own: bool, now: Duration) {
        let Some(table) = &mut self.table else { return };
        let game = &mut table.game;
        (game.own_turn, game.dice) = (Some(!own), None);
        self.progress_at = now;
        let over =
            if own { game.position.own_left() == 0 } else { game.position.opponent_left() == 0 };
        if over {
            let (loser, cube) =
                if own { (game.position.flipped(), game.cube) } else { (game.position, game.cube) };
            let stake = match fibs::agent::stake_if_won_now(&loser.flipped()) {
                backgammon::Stake::Single => 1,
                backgammon::Stake::Gammon => 2,
                backgammon::Stake::Backgammon => 3,
            };
            return self.game_over(own, stake * cube, true, now);
        }
        if self.habits.board_after_move && (own || self.habits.board_to_opponent_of_mover) {
            self.board(now);
        }
        self.next_turn(!own, now);
    }

    fn game_over(&mut self, own: bool, points: u32, played: bool, now: Duration) {
        let Some(table) = &mut self.table else { return };
        let one_away = table.score.iter().filter(|score| **score + 1 == LENGTH).count();
        table.crawford_played |= one_away == 1;
        table.score[usize::from(!own)] += points;
        table.game.own_turn = None;
        table.game.dice = None;
        table.game.offer = Offer::None;
        table.game.joined = [false; 2];
        let score = table.score;
        self.progress_at = now;
        self.bob_acts = None;
        let text = points.to_string();
        if played && own {
            let wordings = [
                "You win the game and get {} point. Congratulations!",
                "You win the game and get {} points. Congratulation!",
            ];
            self.say(now, "win game", &wordings, &[&text]);
        } else if played {
            self.say(now, "win game", &["bob wins the game and gets {} points. Sorry."], &[&text]);
        }
        let [mine, bobs] = score.map(|points| points.to_string());
        if score.iter().any(|points| *points >= LENGTH) {
            self.over = true;
            self.table = None;
            let wordings =
                ["You win the 3 point match {}-{} .", "You win the 3 point match {}-{}."];
            if own {
                self.say(now, "win match", &wordings, &[&mine, &bobs]);
            } else {
                let wordings = ["bob wins the 3 point match {}-{} ."];
                self.say(now, "win match", &wordings, &[&bobs, &mine]);
            }
            self.who(now, ME);
            self.who(now, BOB);
            return;
        }
        self.say(now, "score", &["score in 3 point match: me-{} bob-{}"], &[&mine, &bobs]);
        self.board(now);
        self.between_games(now);
    }

    fn between_games(&mut self, now: Duration) {
        let text = "Type 'join' if you want to play the next game, type 'leave' if you don't.";
        self.say(now, "type join next", &["{}"], &[text]);
        if let Some(table) = &mut self.table {
            table.game.own_turn = None;
        }
        self.bob_acts = Some(now + self.bob_thinks());
    }

    fn join_next(&mut self, own: bool, now: Duration) {
        let Some(table) = &mut self.table else { return };
        if table.game.own_turn.is_some() {
            return if own {
                self.refuse("** You are already playing.", now)
            };
        }
        table.game.joined[usize::from(!own)] = true;
        if table.game.joined == [true; 2] {
            return self.new_game(now);
        }
        if own && self.habits.joins_need_an_answer {
            let wordings =
                ["** Please wait for bob to join too.", "** Please wait for me to join too."];
            self.say(now, "wait for join", &wordings, &[]);
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

    fn offer(&mut self, offer: Offer, now: Duration) {
        if let Some(table) = &mut self.table {
            table.game.offer = offer;
        }
        self.progress_at = now;
    }

    fn resign(&mut self, own: bool, stake: u32, now: Duration) {
        let Some(table) = &self.table else { return };
        if table.game.own_turn.is_none() || table.game.offer != Offer::None {
            return if own {
                self.refuse("** You already did that.", now)
            };
        }
        let points = stake * table.game.cube;
        self.offer(Offer::Resignation { own, points }, now);
        let text = points.to_string();
        if own {
            self.say(now, "we resign", &["You want to resign. bob will win {} points."], &[&text]);
            self.bob_acts = Some(now + self.bob_thinks());
        } else {
            let wordings =
                ["bob wants to resign. You will win {} points. Type 'accept' or 'reject'."];
            self.say(now, "resigns", &wordings, &[&text]);
            self.bob_acts = None;
        }
    }

    /// The client, or bob, answers an offer.
    fn answer(&mut self, own: bool, accepts: bool, now: Duration) {
        let Some(table) = &mut self.table else { return };
        let game = &mut table.game;
        match game.offer {
            Offer::Double { own: by } if by != own => {
                game.offer = Offer::None;
                self.progress_at = now;
                if !accepts {
                    let cube = self.table.as_ref().map_or(1, |table| table.game.cube);
                    let text = cube.to_string();
                    if own {
                        self.say(now, "drop", &["You give up. bob wins {} point."], &[&text]);
                    } else {
                        self.say(now, "drop", &["bob gives up. You win {} point."], &[&text]);
                    }
                    return self.game_over(by, cube, false, now);
                }
                game.cube *= 2;
                game.owner = Some(own);
                let text = game.cube.to_string();
                if own {
                    let wordings = ["You accept the double. The cube shows {}."];
                    self.say(now, "taken", &wordings, &[&text]);
                } else {
                    let wordings = ["bob accepts the double. The cube shows {}."];
                    self.say(now, "taken", &wordings, &[&text]);
                }
                self.roll(by, now);
            }
            Offer::Resignation { own: by, points } if by != own => {
                game.offer = Offer::None;
                self.progress_at = now;
                let text = points.to_string();
                match (own, accepts) {
                    (true, true) => {
                        self.say(now, "accept", &["You accept and win {} points."], &[&text])
                    }
                    (false, true) => {
                        self.say(now, "accept", &["bob accepts and wins {} points."], &[&text])
                    }
                    (true, false) => {
                        self.say(now, "reject", &["You reject. The game continues."], &[])
                    }
                    (false, false) => {
                        self.say(now, "reject", &["bob rejects. The game continues."], &[])
                    }
                }
                if accepts {
                    return self.game_over(!by, points, false, now);
                }
                if self.table.as_ref().is_some_and(|table| table.game.own_turn == Some(false)) {
                    self.bob_acts = Some(now + self.bob_thinks());
                }
            }
            _ if own => self.refuse("** bob didn't double or resign.", now),
            _ => {}
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

    fn bob_drops(&mut self, now: Duration) {
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

    fn leave(&mut self, now: Duration) {
        self.save();
        self.progress_at = now;
        self.say(now, "saved", &["** You terminated the game. The game was saved."], &[]);
        self.who(now, ME);
        self.who(now, BOB);
    }

    /// The client's connection is gone.
    pub(crate) fn disconnected(&mut self) {
        self.queue.clear();
        self.save();
    }
}

impl Table {
    fn new() -> Table {
        Table { score: [0, 0], crawford_played: false, game: Game::new() }
    }
}

impl Game {
    fn new() -> Game {
        Game {
            position: Position::START,
            own_turn: None,
            dice: None,
            cube: 1,
            owner: None,
            offer: Offer::None,
            turns: 0,
            joined: [false; 2],
        }
    }
}

/// The first line comes this long after the connection.
pub(crate) const FIRST: Duration = START;
