//! Opponents who keep a session busy and never end a turn.
//!
//! They offer to resign without end, take doubles back, or roll and do not play. They leave and
//! come back, log in again, or join no invitation. The match is left and rests, and others are
//! played with.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use super::scripted::{BOBS_TURN, NEW_MATCH, OUR_TURN, RESUME, SAVED, Table};

const MINUTE: u64 = 60;
const LEFT: &str = "** You terminated the game. The game was saved.";
const BOB_LEAVES: &str = "** Player bob has left the game. The game was saved.";
const RESIGNS: &str = "bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.";
const RESIGNS_AGAIN: &str = "You reject. The game continues.\r\n\
    bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.";
const DOUBLES: &str = "bob doubles. Type 'accept' or 'reject'.";
const NOT_OUR_TURN: &str = "** It's not your turn to roll the dice.";
const NO_OLD_MOVES: &str = "** Unknown command: 'oldmoves'";
const IS_READY: &str = "5 bob - - 1 0 1500.0 0 0 1 here x -";
const IS_NOT_READY: &str = "5 bob - - 0 0 1500.0 0 0 1 here x -";
const INVITED: &str = "** You invited bob to resume a saved match.";
const ANN: &str = "ann wants to play a 3 point match with you.\r\nType 'join ann' to accept.";

/// Other boards in bob's turn: what differs, and the fields before and after.
const CHECKERS: [&str; 2] = [":5:0:3:0:0:0:-5:", ":5:1:2:0:0:0:-5:"];
const CUBE: [&str; 2] = [":-1:0:0:0:0:1:1:1:0:", ":-1:0:0:0:0:2:0:1:0:"];
const SCORE: [&str; 2] = [":bob:3:0:0:", ":bob:3:1:0:"];
const DICE: [&str; 2] = [":-1:0:0:0:0:1:", ":-1:0:0:3:1:1:"];
const MAY_DOUBLE: [&str; 2] = [":-1:0:0:0:0:1:1:1:0:", ":-1:0:0:0:0:1:1:0:0:"];

fn changed([before, after]: [&str; 2]) -> String {
    let board = BOBS_TURN.replacen(before, after, 1);
    assert_ne!(board, BOBS_TURN);
    board
}

fn lasting(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// The answer to an own invitation that bob joins at once.
fn joins_at_once() -> &'static str {
    lasting(format!(
        "{INVITED}\r\nbob has joined you. Your running match was loaded.\r\n{BOBS_TURN}"
    ))
}

/// In a match with bob, of which a turn has just ended; it is his turn. `answers` as in
/// [`Table::lobby`].
fn playing(answers: &[(&'static str, &'static str)]) -> Table {
    let mut table = Table::playing(&[]);
    let usual = [
        ("board", BOBS_TURN),
        ("leave", LEFT),
        ("oldmoves", NO_OLD_MOVES),
        ("roll", NOT_OUR_TURN),
        ("show saved", SAVED),
        ("invite bob", INVITED),
    ];
    table.answers.splice(0..0, answers.iter().copied().chain(usual));
    table.player.refuses = true;
    table.says(&changed(CHECKERS));
    table.says(BOBS_TURN);
    table
}

/// How many seconds after `began` the table was left.
fn left_after(table: &Table, began: Duration) -> Option<u64> {
    let leave = table.sent.iter().find(|(at, line)| *at >= began && line == "leave");
    leave.map(|(at, _)| (*at - began).as_secs())
}

#[test]
fn offers_to_resign_without_end_end_with_the_table_after_half_an_hour() {
    for board in [BOBS_TURN, OUR_TURN] {
        let mut table = playing(&[("board", board), ("reject", RESIGNS_AGAIN)]);
        let began = table.now;
        table.says(board);
        table.says(RESIGNS);
        table.passes(40 * MINUTE);
        let refused = table.sent("reject");
        let seconds = left_after(&table, began).expect("left");
        assert!((1800..1820).contains(&seconds), "{seconds} s, {refused} refused");
        assert!(refused > 300 && table.sent("leave") == 1, "{refused} refused");
        assert!(table.warned("no turn has ended for 18"), "{:?}", table.player.events.last());
        assert!(!table.session.is_playing());
    }
}

#[test]
fn the_end_of_a_turn_gives_the_opponent_another_half_an_hour() {
    let mut table = playing(&[("reject", RESIGNS_AGAIN)]);
    table.says(RESIGNS);
    table.passes(29 * MINUTE);
    let began = table.now;
    table.says(&changed(CHECKERS));
    // The board that the server sends when it is asked is the old one: that is a change, too.
    table.passes(29 * MINUTE);
    assert_eq!(table.sent("leave"), 0, "{:?}", table.player.events.last());
    table.passes(2 * MINUTE);
    let seconds = left_after(&table, began).expect("left");
    assert!((1800..1850).contains(&seconds), "{seconds} s");
}

#[test]
fn only_checkers_cube_and_score_show_that_a_turn_has_ended() {
    let shows = [(CHECKERS, true), (CUBE, true), (SCORE, true), (DICE, false), (MAY_DOUBLE, false)];
    for (change, ends_a_turn) in shows {
        let mut table = playing(&[]);
        let (began, other) = (table.now, changed(change));
        for _ in 0..40 {
            table.says(&other);
            table.passes(50);
            table.says(BOBS_TURN);
            table.passes(50);
        }
        assert_eq!(left_after(&table, began).is_none(), ends_a_turn, "{change:?}");
        if !ends_a_turn {
            let seconds = left_after(&table, began).expect("left");
            assert!((1800..1820).contains(&seconds), "{change:?}: {seconds} s");
        }
    }
}

#[test]
fn doubles_that_are_taken_back_are_no_turn() {
    // The server says that the cube is turned, and its boards say that it is not.
    let taken = lasting(format!("You accept the double. The cube shows 2.\r\n{BOBS_TURN}"));
    let mut table = playing(&[("accept", taken)]);
    let began = table.now;
    for _ in 0..120 {
        table.says(DOUBLES);
        table.passes(20);
    }
    let seconds = left_after(&table, began).expect("left");
    assert!((1800..1820).contains(&seconds), "{seconds} s");
    assert!(table.sent("accept") > 60, "{}", table.sent("accept"));
}

#[test]
fn an_opponent_who_leaves_and_comes_back_without_a_turn_is_given_a_rest() {
    let mut table = playing(&[("invite bob", joins_at_once()), ("reject", RESIGNS_AGAIN)]);
    for _ in 0..8 {
        table.says(BOB_LEAVES);
        table.passes(20);
    }
    // Each invitation counts as five minutes of thirty.
    assert_eq!(table.sent("invite bob"), 6, "{:?}", table.sent);
    assert!(!table.session.is_playing());
    assert!(table.warned("bob comes back and no turn ends, so the match rests"));
    table.says(RESUME);
    table.passes(5);
    let rests =
        "tell bob Our match did not go on, so I let it rest. Please ask again in ten minutes.";
    assert_eq!([table.sent(rests), table.sent("invite bob")], [1, 6], "{:?}", table.sent);
    // After the rest he is invited, and has the time for one turn.
    table.passes(11 * MINUTE);
    assert_eq!(table.sent("invite bob"), 7, "{:?}", table.sent);
    let invited = table.sent.iter().rfind(|(_, line)| line == "invite bob").expect("there").0;
    table.says(RESIGNS);
    table.passes(6 * MINUTE);
    let seconds = left_after(&table, invited).expect("left");
    assert!((330..350).contains(&seconds), "{seconds} s");
    // It rests again, and others can play.
    table.says(ANN);
    table.passes(5);
    assert_eq!([table.sent("invite bob"), table.sent("join ann")], [7, 1], "{:?}", table.sent);
}

#[test]
fn an_opponent_who_ends_a_turn_each_time_may_come_back_without_end() {
    let mut table = playing(&[("invite bob", joins_at_once())]);
    for n in 1..=20 {
        table.says(BOB_LEAVES);
        table.passes(15);
        assert_eq!(table.sent("invite bob"), n, "{:?}", table.sent);
        table.says(&changed(CHECKERS));
        table.passes(5);
        assert!(table.session.is_playing());
    }
}

#[test]
fn new_matches_that_are_left_at_once_and_not_saved_are_given_a_rest() {
    let mut table = Table::lobby(&[("leave", LEFT)]);
    let offer = "bob wants to play a 3 point match with you.\r\nType 'join bob' to accept.";
    for _ in 0..10 {
        table.says(offer);
        table.passes(3);
        table.says("** You are now playing a 3 point match with bob");
        table.says(BOBS_TURN);
        table.passes(2);
        table.says(BOB_LEAVES);
        table.passes(10);
        if table.warned("so the match rests") {
            break;
        }
    }
    assert_eq!(table.sent("join bob"), 6, "{:?}", table.sent);
    table.says(offer);
    table.says(ANN);
    table.passes(5);
    assert_eq!([table.sent("join bob"), table.sent("join ann")], [6, 1], "{:?}", table.sent);
}

#[test]
fn others_do_not_wait_without_end_for_a_player_with_a_saved_match() {
    let logs_in = format!("8 bob bob logs out.\r\n7 bob bob logs in.\r\n{IS_READY}");
    let words = [
        // He does not react.
        "6",
        logs_in.as_str(),
        "12 bob I will not attempt to resume for 1 minute.",
        NEW_MATCH,
        RESUME,
    ];
    for word in words {
        let answers = [
            ("show saved", SAVED),
            ("invite bob", INVITED),
            ("join bob", "** bob didn't invite you."),
        ];
        let mut table = Table::lobby(&answers);
        let began = table.now;
        while table.sent("join ann") == 0 {
            assert!(table.now < began + Duration::from_secs(20 * MINUTE), "{word}");
            table.says(word);
            table.says(ANN);
            table.passes(20);
        }
    }
}

#[test]
fn a_player_with_a_saved_match_comes_first_for_some_minutes() {
    let mut table = Table::lobby(&[("show saved", SAVED), ("invite bob", INVITED)]);
    table.says(ANN);
    table.passes(5);
    let first = "tell ann I have a saved match with bob, who is here, and finish it first.";
    assert_eq!([table.sent(first), table.sent("join ann")], [1, 0], "{:?}", table.sent);
}

/// Bob, who does everything but end a turn, on a server that is right in everything.
struct Staller {
    rng: Pcg64,
    at_table: bool,
    online: bool,
    /// His roll is on the table.
    rolled: bool,
    /// He offers to resign.
    resigns: bool,
    /// He has invited the session to resume.
    invites: bool,
    /// The session has invited him.
    invited: bool,
    /// The session has joined ann.
    ann_plays: bool,
}

impl Staller {
    fn new(seed: u64) -> Staller {
        Staller {
            rng: Pcg64::seed_from_u64(seed),
            at_table: true,
            online: true,
            rolled: false,
            resigns: false,
            invites: false,
            invited: false,
            ann_plays: false,
        }
    }

    fn board(&self) -> String {
        if self.rolled { changed(DICE) } else { BOBS_TURN.to_owned() }
    }

    /// The saved match goes on.
    fn begin(&mut self) -> String {
        (self.at_table, self.invites, self.invited) = (true, false, false);
        format!("bob has joined you. Your running match was loaded.\r\n{}", self.board())
    }

    /// What he does next, in lines of the server.
    fn acts(&mut self) -> String {
        let words = ["move!", "hello?", "help", "I will not attempt to resume for 2 minutes."];
        let says = format!("12 bob {}", words[self.rng.random_range(0..words.len())]);
        let choice = self.rng.random_range(0..8);
        if !self.online {
            self.online = true;
            return format!("7 bob bob logs in.\r\n{IS_READY}");
        }
        if self.at_table {
            return match choice {
                0..3 if !self.resigns => {
                    self.resigns = true;
                    RESIGNS.to_owned()
                }
                3 if !self.rolled && !self.resigns => {
                    self.rolled = true;
                    format!("bob rolls 3 and 1.\r\n{}", self.board())
                }
                4 => {
                    (self.at_table, self.resigns) = (false, false);
                    format!("{BOB_LEAVES}\r\n{IS_READY}")
                }
                5 => {
                    (self.at_table, self.resigns, self.online) = (false, false, false);
                    (self.invites, self.invited) = (false, false);
                    format!("8 bob bob drops connection.\r\n{BOB_LEAVES}")
                }
                6 => says,
                _ => "bob is away: back soon".to_owned(),
            };
        }
        match choice {
            0 | 1 => {
                self.invites = true;
                RESUME.to_owned()
            }
            2 => {
                self.invites = false;
                NEW_MATCH.to_owned()
            }
            3 => {
                (self.online, self.invites, self.invited) = (false, false, false);
                "8 bob bob logs out.".to_owned()
            }
            4 => format!("{IS_NOT_READY}\r\n{IS_READY}"),
            5 => says,
            _ if self.invited => self.begin(),
            _ => "6".to_owned(),
        }
    }

    /// The server's answer to a command that is about him, ann or the match.
    fn answers(&mut self, line: &str) -> Option<String> {
        let answer = match line {
            "join ann" => {
                self.ann_plays = true;
                String::new()
            }
            "invite bob" if !self.online => "** There is no one called bob".to_owned(),
            "invite bob" => {
                self.invited = true;
                let joins = self.rng.random_bool(0.3);
                if joins { self.begin() } else { INVITED.to_owned() }
            }
            "join bob" if self.invites => self.begin(),
            "join bob" => "** bob didn't invite you.".to_owned(),
            "board" | "b" | "redraw" if self.at_table => self.board(),
            "leave" if self.at_table => {
                (self.at_table, self.resigns) = (false, false);
                LEFT.to_owned()
            }
            "reject" if self.resigns => {
                self.resigns = false;
                "You reject. The game continues.".to_owned()
            }
            "accept" | "reject" if self.at_table => "** bob didn't double or resign.".to_owned(),
            "roll" if self.resigns => "** bob wanted to resign. Type 'accept' or 'reject'.".into(),
            "roll" if self.at_table => NOT_OUR_TURN.to_owned(),
            "leave" => "** Error: No one to leave.".to_owned(),
            "board" | "b" | "redraw" | "roll" | "accept" | "reject" => {
                "** You're not playing.".to_owned()
            }
            _ => return None,
        };
        Some(answer)
    }
}

/// How many seconds it takes until the session plays with ann, who invites it every half a minute.
fn plays_with_ann_after(seed: u64) -> u64 {
    let mut table = playing(&[]);
    let mut bob = Staller::new(seed);
    // The time between two of his deeds, on average.
    let gap = [2.0, 5.0, 15.0, 40.0][seed as usize % 4];
    let began = table.now;
    let mut ann_asks = began;
    while !bob.ann_plays {
        let passed = (table.now - began).as_secs();
        let last: Vec<_> = table.sent.iter().rev().take(30).rev().collect();
        assert!(passed < 60 * MINUTE, "seed {seed}: ann waits for ever\n{last:?}");
        assert_eq!(table.closed, None, "seed {seed}\n{last:?}");
        if table.now >= ann_asks {
            table.says(ANN);
            ann_asks = table.now + Duration::from_secs(30);
        }
        table.says(&bob.acts());
        let pause = Duration::from_secs_f64(bob.rng.random_range(0.0..2.0 * gap));
        table.until_with(table.now + pause, &mut |line| bob.answers(line));
    }
    (table.now - began).as_secs()
}

#[test]
fn forty_players_who_never_end_a_turn_keep_nobody_waiting_for_an_hour() {
    let seconds: Vec<u64> = (0..40).map(plays_with_ann_after).collect();
    // Some of them hold the session for a while.
    assert!(seconds.iter().any(|time| *time > 5 * MINUTE), "{seconds:?}");
}
