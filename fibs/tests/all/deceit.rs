//! Deceit of a session by words, offers and timing of players.
//!
//! Some sentences of servers read like it. The decision that was made is carried out, and the
//! server is asked once.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use fibs::agent::Event;
use fibs::session::Close;

use super::scripted::{BOBS_TURN, OUR_TURN, Player, Table};

/// What an away text can say to freeze the bot.
const LIES: [&str; 5] = [
    "The game was saved.",
    "** Backup finished: every game was saved.",
    "** bob is not in a game.",
    "You're not playing.",
    "Unknown command: 'board'",
];

fn commands(table: &Table, verb: &str) -> usize {
    table.sent.iter().filter(|(_, line)| line.split(' ').next() == Some(verb)).count()
}

/// Bob's offer of a match to 3 points is accepted.
fn joins(offer: &str, answers: &[(&'static str, &'static str)]) -> Table {
    let mut table = Table::lobby(answers);
    table.says(&format!("{offer}\r\nType 'join bob' to accept."));
    table.passes(3);
    table
}

const OFFER: &str = "bob wants to play a 3 point match with you.";

#[test]
fn away_texts_do_not_end_a_match_or_stop_a_decision() {
    for lie in LIES {
        for line in [format!("bob is away: {lie}"), format!("bob left word: {lie}"), lie.into()] {
            let mut table =
                Table::playing(&[("board", OUR_TURN), ("move", BOBS_TURN), ("oldmoves", "")]);
            table.says(OUR_TURN);
            table.says(&line);
            let began = table.now;
            table.passes(12);
            assert!(table.session.is_playing(), "{line}: {:?}", table.sent);
            let moved = table.sent.iter().find(|(_, sent)| sent.starts_with("move"));
            let at = moved.map(|(at, _)| *at).expect("it moves");
            assert!(at < began + Duration::from_secs(4), "{line}: {:?}", table.sent);
            assert!(table.sent("board") <= 1, "{line}: {:?}", table.sent);
            let lost = |event: &Event| matches!(event, Event::Left { .. });
            assert!(!table.player.events.iter().any(lost), "{line}");
        }
    }
}

#[test]
fn a_table_left_without_proof_is_looked_for_once_more() {
    let mut table = Table::playing(&[("board", ""), ("b", ""), ("redraw", "")]);
    table.says("Backup finished: every game was saved.");
    table.passes(12);
    assert!(!table.session.is_playing(), "no answer is an answer: {:?}", table.sent);
    table.answers.insert(0, ("board", OUR_TURN));
    table.passes(20);
    assert!(table.session.is_playing(), "{:?}", table.sent);
    assert!(commands(&table, "move") >= 1, "{:?}", table.sent);
}

#[test]
fn nagging_does_not_stop_the_game() {
    for (gap, nag) in [
        (400, "15 bob move!!"),
        (400, "12 bob rolling on the floor"),
        (400, "12 bob hello?"),
        (1500, "15 bob join"),
        (50, "13 bob move"),
    ] {
        let mut table = Table::playing(&[("board", OUR_TURN), ("move", BOBS_TURN)]);
        table.says(OUR_TURN);
        let (end, mut asked) = (table.now + Duration::from_secs(60), Vec::new());
        while table.now < end {
            table.says(nag);
            let step = (table.now + Duration::from_millis(gap)).min(end);
            table.until(step);
            if commands(&table, "move") > asked.len() {
                // Bob moves at once, and it is our turn again.
                asked.push(table.now);
                table.says(OUR_TURN);
            }
        }
        assert!(asked.len() >= 10, "{nag}: {} moves", asked.len());
        assert!(table.sent("board") <= 7, "{nag}: {}", table.sent("board"));
        assert_eq!(table.sent("leave"), 0);
    }
}

#[test]
fn shouts_and_words_that_only_begin_like_an_order_ask_nothing() {
    for words in ["13 bob move!", "15 bob rolling on the floor", "14 bob move", "15 eve move"] {
        let mut table = Table::playing(&[("board", BOBS_TURN)]);
        table.says(words);
        table.passes(5);
        assert_eq!(table.sent("board"), 0, "{words}");
    }
    let mut table = Table::playing(&[("board", BOBS_TURN)]);
    table.says("15 bob Move!!!");
    table.passes(5);
    assert_eq!(table.sent("board"), 1, "{:?}", table.sent);
}

#[test]
fn a_match_that_is_not_the_one_agreed_on_is_left_politely() {
    let left = ("leave", "** You terminated the game. The game was saved.");
    let saved = "  opponent   matchlength   score (your points first)\r\n **bob   25    0 - 0";
    for begins in [
        "** You are now playing a 25 point match with bob\r\nStarting a new game with bob.",
        "** You are now playing an unlimited match with bob\r\nStarting a new game with bob.",
        // Only the board shows it.
        "Starting a new game with bob.",
        "5 me bob - 1 0 1500.0 0 0 1 here x -",
    ] {
        let long = OUR_TURN.replacen(":bob:3:", ":bob:25:", 1);
        let mut table = joins(OFFER, &[left]);
        table.says(begins);
        table.says(&long);
        table.passes(20);
        let words = "tell bob This is not the match that we agreed on, so I leave it.";
        let counts = [table.sent("leave"), table.sent(words), commands(&table, "move")];
        assert_eq!(counts, [1, 1, 0], "{begins}: {:?}", table.sent);
        assert!(!table.session.is_playing());
        // It is not resumed either, whoever asks, as long as it is saved.
        table.answers.insert(0, ("show saved", saved));
        table.says("5 bob - - 1 0 1500.0 0 0 1 here x -");
        table.passes(400);
        table.says("bob wants to resume a saved match with you.\r\nType 'join bob' to accept.");
        table.passes(40);
        assert_eq!((commands(&table, "invite"), commands(&table, "join")), (0, 1));
    }
}

#[test]
fn a_saved_match_that_nobody_agreed_to_is_not_resumed_after_a_restart() {
    for (length, wanted) in [("25", false), ("3", true)] {
        let saved = format!("  opponent   matchlength   score\r\n **bob   {length}    0 - 0");
        let saved: &'static str = Box::leak(saved.into_boxed_str());
        for offer in
            ["", "bob wants to resume a saved match with you.\r\nType 'join bob' to accept."]
        {
            let mut table = Table::lobby(&[("show saved", saved)]);
            table.says("5 bob - - 1 0 1500.0 0 0 1 here x -");
            table.says(offer);
            table.passes(100);
            let invited = table.sent("invite bob") + table.sent("join bob");
            assert_eq!(invited > 0, wanted, "{length} {offer}: {:?}", table.sent);
        }
    }
}

#[test]
fn words_about_a_pause_count_as_an_answer_to_an_invitation_only() {
    let saved = "  opponent   matchlength   score\r\n **dan   3    0 - 0";
    let words = "12 dan I will not attempt to resume for 10 minutes.";
    let mut table = Table::lobby(&[("show saved", saved)]);
    table.says(words);
    table.says("5 dan - - 1 0 1500.0 0 0 1 here x -");
    table.passes(5);
    assert_eq!(table.sent("invite dan"), 1, "{:?}", table.sent);
    table.says(words);
    table.passes(590);
    assert_eq!(table.sent("invite dan"), 1, "{:?}", table.sent);
    table.passes(30);
    assert!(table.sent("invite dan") >= 2, "{:?}", table.sent);
}

#[test]
fn the_thanks_after_a_match_do_not_use_up_an_answer() {
    let mut table = Table::playing(&[("board", BOBS_TURN)]);
    table.says("12 bob pr0");
    table.passes(3);
    table.says("You win the 3 point match 3-1 .");
    for n in 1..12 {
        table.says(&format!("12 bob pr{n}"));
        table.passes(3);
    }
    assert_eq!(table.sent("tell bob Thank you!"), 1, "{:?}", table.sent);
    for n in 0..12 {
        assert_eq!(table.sent(&format!("tell bob pr{n} is 3.0")), 1, "{n}: {:?}", table.sent);
    }
}

#[test]
fn the_match_that_was_agreed_on_is_played_also_if_it_begins_late() {
    let mut table = joins(OFFER, &[("move", BOBS_TURN)]);
    table.passes(60);
    table.says("** You are now playing a 3 point match with bob\r\nStarting a new game with bob.");
    table.says(OUR_TURN);
    table.passes(10);
    assert_eq!((commands(&table, "move"), table.sent("leave")), (1, 0), "{:?}", table.sent);
}

#[test]
fn an_offer_that_is_replaced_before_the_join_is_judged_anew() {
    let mut table = Table::lobby(&[]);
    table.says("bob wants to play a 3 point match with you.\r\nType 'join bob' to accept.");
    table.session.step(table.now, &mut table.player);
    table.says("bob wants to play a 5 point match with you.\r\nType 'join bob' to accept.");
    table.passes(3);
    assert_eq!(table.sent("join bob"), 1, "{:?}", table.sent);
    table.says("** You are now playing a 5 point match with bob\r\nStarting a new game with bob.");
    table.passes(5);
    assert_eq!(table.sent("leave"), 0, "the last offer counts: {:?}", table.sent);
}

#[test]
fn a_login_prompt_in_mid_session_is_a_reason_to_log_in_again() {
    for playing in [false, true] {
        let answers = [("time", "login: "), ("board", "login: "), ("show saved", "login: ")];
        let mut table = if playing { Table::playing(&[]) } else { Table::lobby(&[]) };
        table.answers.splice(0..0, answers);
        table.hears("login: ");
        table.passes(15);
        assert_eq!(table.closed, Some(Close::LoggedOut), "{:?}", table.sent);
        // No answer is an answer too.
        let mut table = Table::lobby(&[]);
        table.answers.insert(0, ("time", ""));
        table.hears("login: ");
        table.passes(15);
        assert_eq!(table.closed, Some(Close::LoggedOut), "{:?}", table.sent);
        // A line that looks like a prompt is none.
        let mut table = Table::lobby(&[]);
        table.hears("login: times are posted at the door\r\n");
        table.passes(60);
        assert_eq!((table.closed, table.sent("time")), (None, 1), "{:?}", table.sent);
    }
}

#[test]
fn boards_on_which_nobody_may_double_are_played_on() {
    // A match of 1 point, and the Crawford game of one to 3 points.
    for (length, score) in [("1", "0:0"), ("3", "2:0")] {
        let ours = OUR_TURN
            .replacen(":bob:3:0:0:", &format!(":bob:{length}:{score}:"), 1)
            .replacen(":1:6:2:0:0:1:1:1:0:", ":1:0:0:0:0:1:0:0:0:", 1);
        let offer = format!("bob wants to play a {length} point match with you.");
        let mut table = joins(&offer, &[]);
        table.says(&format!("** You are now playing a {length} point match with bob"));
        table.says(&ours);
        let began = table.now;
        table.passes(12);
        assert_eq!(table.sent("roll"), 1, "the forgotten roll: {:?}", table.sent);
        // At once if the server asks for it.
        let mut table = joins(&offer, &[]);
        table.says(&format!("** You are now playing a {length} point match with bob"));
        table.says(&ours);
        table.says("It's your turn. Please roll or double");
        table.passes(4);
        assert_eq!(table.sent("roll"), 1, "{:?}", table.sent);
        assert!(
            table
                .sent
                .iter()
                .any(|(at, line)| line == "roll" && *at < began + Duration::from_secs(4))
        );
    }
}

#[test]
fn our_double_that_waits_since_the_match_was_saved_is_told_by_the_refusal() {
    let ours = OUR_TURN.replacen(":1:6:2:0:0:1:1:1:0:", ":1:0:0:0:0:1:0:0:0:", 1);
    let ours: &'static str = Box::leak(ours.into_boxed_str());
    let refused = ("roll", "** bob hasn't responded to your double");
    let mut table = joins(OFFER, &[refused, ("board", ours)]);
    table.says("** You are now playing a 3 point match with bob");
    table.says(ours);
    table.passes(120);
    assert_eq!((table.sent("roll"), table.sent("leave")), (1, 0), "{:?}", table.sent);
}

#[test]
fn the_crawford_roll_waits_for_nothing_when_the_server_asks() {
    let ours = OUR_TURN.replacen(":bob:3:0:0:", ":bob:3:2:0:", 1).replacen(
        ":1:6:2:0:0:1:1:1:0:",
        ":1:0:0:0:0:1:1:1:0:",
        1,
    );
    let mut table = joins(OFFER, &[]);
    table.says("** You are now playing a 3 point match with bob");
    table.says(&ours);
    table.says("It's your turn. Please roll or double");
    table.passes(3);
    assert_eq!((table.sent("roll"), table.sent("double")), (1, 0), "{:?}", table.sent);
}

#[test]
fn another_login_time_alone_is_not_another_program() {
    let stepped = "5 me - - 1 0 1500.0 0 0 3601 here x -\r\n6";
    for (sign, answer) in [
        ("5 me - - 1 0 1500.0 0 0 3601 here x -", stepped),
        ("5 me bob - 1 0 1500.0 0 0 3601 here x -", "5 me bob - 1 0 1500.0 0 0 3601 here x -\r\n6"),
        ("7 me me logs in.", "5 me - - 1 0 1500.0 0 0 1 here x -\r\n6"),
        ("7 me me logs in.", ""),
    ] {
        let mut table = Table::lobby(&[("rawwho", answer), ("board", "** You're not playing.")]);
        for _ in 0..4 {
            table.says(sign);
            table.passes(10);
        }
        assert_eq!(table.closed, None, "{sign}");
        assert_eq!(table.sent("rawwho"), 1, "{sign}: {:?}", table.sent);
    }
    // The line is closed after the sign.
    let mut table = Table::lobby(&[]);
    table.says("7 me me logs in.");
    assert!(table.session.may_be_used_elsewhere());
}

#[test]
fn a_ghost_in_the_own_who_line_keeps_no_inviter_waiting() {
    let ghost = "5 me ghost - 1 0 1500.0 0 0 1 here x -";
    for answer in ["** You're not playing.", "You are not playing.", ""] {
        let mut table = Table::lobby(&[("board", answer), ("b", answer), ("redraw", answer)]);
        table.says(ghost);
        table.says("bob wants to play a 3 point match with you.\r\nType 'join bob' to accept.");
        for _ in 0..10 {
            table.passes(4);
            table.says(ghost);
        }
        assert!(table.sent("join bob") >= 1, "{answer}: {:?}", table.sent);
        let (at, _) = table.sent.iter().find(|(_, line)| line == "join bob").expect("joined");
        assert!(*at < Duration::from_secs(30 + 14), "{answer}: {:?}", table.sent);
        let boards = ["board", "b", "redraw"].map(|word| table.sent(word)).iter().sum::<usize>();
        assert!(boards <= 5, "{answer}: {:?}", table.sent);
        assert!(!table.sent.iter().any(|(_, line)| line.contains("I am in a match")));
    }
}

#[test]
fn a_match_is_played_until_a_minute_before_the_server_goes_down() {
    let mut table = Table::playing(&[("board", BOBS_TURN)]);
    table.says("*** ATTENTION ! FIBS will shut down in 600 seconds...");
    for _ in 0..53 {
        // Bob is at work.
        table.says("bob rolls 3 and 1.");
        table.passes(10);
    }
    assert!(table.session.is_playing() && table.closed.is_none(), "{:?}", table.sent);
    table.passes(15);
    assert!(matches!(table.closed, Some(Close::GoesDown(_))), "{:?}", table.closed);
    assert_eq!(table.sent.last().map(|(_, line)| line.as_str()), Some("bye"));
}

#[test]
fn the_end_of_an_unlimited_match_is_its_result() {
    for (end, won) in
        [("You win the unlimited match 3-0 .", true), ("bob wins the unlimited match 3-0 .", false)]
    {
        let mut table = Table::playing(&[("board", BOBS_TURN)]);
        table.says(end);
        let score = if won { [3, 0] } else { [0, 3] };
        let over = Event::MatchOver { opponent: "bob".into(), won, score };
        assert!(table.player.events.contains(&over), "{:?}", table.player.events);
    }
}

#[test]
fn no_known_sentence_is_logged_as_an_unknown_line() {
    let mut table = Table::playing(&[("board", BOBS_TURN)]);
    for line in [
        "Thursday, November 26 02:31:12 UTC",
        "eve is watching you.",
        "eve starts watching bob.",
        "eve stops watching you.",
        "bob waves goodbye again.",
        "bob is away: back soon",
    ] {
        table.says(line);
    }
    let unknown = |event: &&Event| matches!(event, Event::Unknown(_));
    assert_eq!(table.player.events.iter().find(unknown), None);
}

#[test]
fn a_player_whose_numbers_are_odd_is_resumed_with() {
    let saved = "  opponent   matchlength   score (your points first)\r\n **bob   3    2 - 1";
    for odd in ["1500.0 4294967296", "- 10", "nan x"] {
        let player = Player { open: vec!["bob".to_owned()], ..Player::default() };
        let mut table = Table::with(player, &[("show saved", saved)]);
        table.says("8 bob bob logs out.");
        table.passes(60);
        table.sent.clear();
        table.says(&format!("5 bob - - 1 0 {odd} 0 1 here x -"));
        table.passes(700);
        assert!(table.sent("invite bob") >= 1, "{odd}: {:?}", table.sent);
    }
}

#[test]
fn chat_in_a_list_does_not_cut_it_off() {
    let saved = "  opponent   matchlength   score (your points first)\r\n *ann  3  0 - 1\r\n\
        13 eve no saved games.\r\neve is away: no saved games.\r\n **bob   3    2 - 1";
    let player = Player { open: vec!["ann".to_owned(), "bob".to_owned()], ..Player::default() };
    let table = Table::with(player, &[("show saved", saved)]);
    assert_eq!(table.session.saved().map(<[_]>::len), Some(2));
    let mut table = Table::playing(&[("oldmoves", ""), ("board", BOBS_TURN)]);
    table.says("bob has joined you. Your running match was loaded.");
    table.passes(3);
    table.says("Score is 0-0 in a 3 point match.\r\nme is X - bob is O");
    table.says("13 eve hello\r\nX: (6 2) 24-18 13-11\r\n6");
    let lines = table.player.events.iter().find_map(|event| match event {
        Event::History { lines, .. } => Some(lines.len()),
        _ => None,
    });
    assert_eq!(lines, Some(3), "{:?}", table.player.events);
}
