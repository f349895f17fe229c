//! Every wait of a session ends: what happens when a server says something unexpected, or nothing.
//! The sentences are those of the protocol's description and of other servers.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use backgammon::FibsBoard;
use fibs::agent::Event;
use fibs::session::Close;

use super::scripted::{BOBS_TURN, OUR_TURN, Player, SAVED, Table};

#[test]
fn any_sign_that_the_match_is_over_frees_the_table_when_no_board_contradicts() {
    for sign in [
        "5 me - - 1 0 1500.0 0 0 1 here x -",
        "8 bob bob drops connection.",
        "7 bob bob logs in.",
        "** You're not playing.",
        "** You''re not playing.",
        "You are not playing.",
        "** Player bob has left the game. The game was saved.",
        "Your game with bob was saved.",
        "bob wants to resume a saved match with you.\r\nType 'join bob' to accept.",
        "bob wants to play a 5 point match with you.\r\nType 'join bob' to accept.",
    ] {
        let mut table = Table::playing(&[("board", ""), ("show saved", "no saved games.")]);
        table.says(sign);
        table.passes(15);
        let left = table.player.events.iter().any(|event| matches!(event, Event::Left { .. }));
        assert!(left, "{sign}: {:?}", table.sent);
    }
}

#[test]
fn a_board_after_the_sign_says_that_the_match_goes_on() {
    for sign in ["5 me - - 1 0 1500.0 0 0 1 here x -", "8 bob bob drops connection."] {
        let mut table = Table::playing(&[("board", BOBS_TURN)]);
        table.says(sign);
        table.passes(60);
        assert!(table.session.is_playing(), "{sign}");
    }
}

#[test]
fn a_board_that_never_comes_is_asked_for_three_times_in_three_ways_and_the_table_is_left() {
    let mut table = Table::playing(&[("board", ""), ("b", ""), ("redraw", "")]);
    table.says("bob moves 1-7 12-14 .");
    table.passes(60);
    let asked = ["board", "b", "redraw"].map(|word| table.sent(word));
    assert_eq!(asked, [1, 1, 1], "{:?}", table.sent);
    assert!(table.warned("asked for the board 3 times without an answer, leaving the table"));
    assert!(table.sent("leave") >= 1);
    // The server does not answer `leave` either: a new connection helps.
    assert_eq!(table.closed, Some(Close::Stuck));
}

#[test]
fn a_line_that_falls_silent_in_a_match_is_given_up_and_the_match_is_resumed_at_once() {
    for board in [BOBS_TURN, OUR_TURN] {
        let mut table = Table::playing(&[]);
        let mut answers = std::mem::take(&mut table.answers);
        table.says(board);
        table.passes(200);
        assert_eq!(table.closed.take(), Some(Close::Dead), "{:?}", table.sent);
        assert_eq!(table.sent("leave"), 0, "{:?}", table.sent);
        assert!(table.session.has_match_to_continue(&table.player));
        // On the next connection bob is invited without a rest.
        let invited = ("invite bob", "** You invited bob to resume a saved match.");
        answers.splice(0..0, [("show saved", SAVED), invited]);
        table.answers = answers;
        table.session.connected(table.now, &mut table.player);
        table.hears("login: ");
        table.passes(30);
        assert_eq!(table.sent("invite bob"), 1, "{:?}", table.sent);
    }
}

#[test]
fn an_unknown_command_is_not_sent_again() {
    for unknown in [
        "** Unknown command: 'board'",
        "** Unknown command: ''",
        "** Not yet implemented: 'board'",
        "The command `board' is not yet implemented.",
        "** board is not implemented, yet",
    ] {
        let mut table = Table::playing(&[("board", unknown), ("b", OUR_TURN), ("move", BOBS_TURN)]);
        table.says("bob moves 1-7 12-14 .");
        table.passes(100);
        assert_eq!(table.sent("board"), 1, "{unknown}: {:?}", table.sent);
        assert!(table.sent("b") >= 1, "{unknown}: {:?}", table.sent);
        assert!(table.session.is_playing());
    }
}

#[test]
fn a_server_without_a_list_of_saved_matches_is_played_on_by_our_own_records() {
    for unknown in ["** Unknown command: 'show'", "** Don't know how to show saved", ""] {
        let mut table = Table::lobby(&[("show saved", unknown)]);
        table.passes(60);
        table.says("bob wants to play a 3 point match with you.\r\nType 'join bob' to accept.");
        table.passes(20);
        assert!(table.sent("join bob") >= 1, "{unknown}: {:?}", table.sent);
        assert!(table.sent("show saved") <= 3, "{:?}", table.sent);
    }
}

#[test]
fn no_invitation_is_joined_over_a_saved_match() {
    let invitation = "bob wants to play a 3 point match with you.\r\nType 'join bob' to accept.";
    // The list comes after the invitation.
    let list = "  opponent   matchlength   score (your points first)\r\n **bob   5    2 - 1";
    let mut table = Table::lobby(&[]);
    table.session.connected(table.now, &mut table.player);
    table.answers.insert(0, ("show saved", list));
    table.hears("login: ");
    table.says(invitation);
    table.passes(2);
    table.says(invitation);
    table.passes(30);
    assert_eq!(table.sent("join bob"), 0, "{:?}", table.sent);
    assert!(table.sent("invite bob") >= 1, "{:?}", table.sent);
    // Only our own records know of it.
    let player = Player { open: vec!["bob".to_owned()], ..Player::default() };
    let mut table = Table::with(player, &[("show saved", "** Unknown command: 'show'")]);
    table.says(invitation);
    table.passes(30);
    assert_eq!(table.sent("join bob"), 0, "{:?}", table.sent);
    // The server knows better.
    let player = Player { open: vec!["bob".to_owned()], ..Player::default() };
    let answer = ("invite bob", "** There's no saved match with bob. Please give a match length.");
    let unknown = ("show saved", "** Unknown command: 'show'");
    let mut table = Table::with(player, &[unknown, answer, ("oldmoves", "** Error.")]);
    table.passes(60);
    table.player.open.clear();
    table.says(invitation);
    table.passes(9);
    assert_eq!(table.sent("join bob"), 1, "{:?}", table.sent);
}

#[test]
fn several_invitations_get_an_answer_each_and_one_is_joined() {
    let mut table = Table::lobby(&[]);
    for name in ["ann", "eve", "dan"] {
        table.says(&format!("{name} wants to play a 3 point match with you."));
    }
    for name in ["ann", "eve", "dan"] {
        table.says(&format!("Type 'join {name}' to accept."));
    }
    table.passes(9);
    let joined = ["ann", "eve", "dan"].map(|name| table.sent(&format!("join {name}")));
    assert_eq!(joined, [1, 0, 0], "{:?}", table.sent);
    for name in ["eve", "dan"] {
        let tell = format!("tell {name} I am about to play with ann. Please ask again later.");
        assert_eq!(table.sent(&tell), 1, "{:?}", table.sent);
    }
}

#[test]
fn an_invitation_without_its_last_line_is_answered() {
    let mut table = Table::lobby(&[]);
    table.says("bob wants to play a 3 point match with you.");
    table.passes(6);
    assert_eq!(table.sent("join bob"), 1, "{:?}", table.sent);
}

#[test]
fn refusals_are_not_repeated_without_end() {
    let mut table = Table::playing(&[("board", BOBS_TURN)]);
    for _ in 0..30 {
        table.says("eve wants to play a 3 point match with you.\r\nType 'join eve' to accept.");
        table.passes(9);
    }
    let told = table.sent("tell eve I am in a match just now. Please ask again later.");
    assert!((2..=5).contains(&told), "{told} in five minutes");
}

#[test]
fn an_offer_is_answered_while_the_board_is_awaited() {
    for (offer, answers) in [
        ("bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.", "accept"),
        ("bob doubles. Type 'accept' or 'reject'.", "accept"),
    ] {
        let mut table = Table::playing(&[("board", ""), ("b", ""), ("redraw", "")]);
        table.says("bob rolls 3 and 1.");
        table.says(offer);
        table.passes(20);
        assert_eq!(table.sent(answers), 1, "{offer}: {:?}", table.sent);
    }
}

#[test]
fn a_resignation_whose_sentence_was_lost_is_answered_within_70_seconds() {
    let pending = "** bob wanted to resign. Type 'accept' or 'reject'.";
    // In bob's turn, and in ours.
    for board in [BOBS_TURN, OUR_TURN] {
        let mut table = Table::playing(&[
            ("roll", pending),
            ("move", pending),
            ("board", board),
            ("accept", "You accept and win 1 point."),
        ]);
        table.says(board);
        table.passes(70);
        assert!(table.sent("accept") >= 1, "{:?}", table.sent);
        assert_eq!(table.sent("leave"), 0, "{:?}", table.sent);
    }
}

#[test]
fn a_roll_out_of_turn_asks_for_lost_offers_once_and_changes_nothing() {
    for refusal in ["** It's not your turn to roll the dice.", "** It's not your turn.", ""] {
        let mut table = Table::playing(&[("roll", refusal), ("board", BOBS_TURN)]);
        table.passes(290);
        assert_eq!(table.sent("roll"), 1, "{refusal}: {:?}", table.sent);
        let refused = |event: &Event| matches!(event, Event::Refused(_));
        assert!(!table.player.events.iter().any(refused), "{refusal}: {:?}", table.player.events);
        assert_eq!(table.sent("kibitz Are you there? It is your turn."), 1, "{:?}", table.sent);
        table.says("bob rolls 3 and 1.\r\nbob moves 17-20 19-20 .");
        table.says(OUR_TURN);
        table.passes(10);
        assert!(table.sent.iter().any(|(_, line)| line.starts_with("move")), "{:?}", table.sent);
    }
}

#[test]
fn a_play_that_the_server_does_not_know_is_reported_with_the_reason() {
    let unknown = ("move", "** Unknown command: 'move'");
    let mut table = Table::playing(&[("board", OUR_TURN), unknown]);
    table.says(OUR_TURN);
    table.passes(15);
    let words = "unknown command: move ";
    let is_told = |event: &Event| matches!(event, Event::Refused(why) if why.starts_with(words));
    assert!(table.player.events.iter().any(is_told), "{:?}", table.player.events);
}

#[test]
fn commands_without_an_effect_become_rare_and_the_table_is_left() {
    let mut table = Table::playing(&[("board", OUR_TURN), ("move", "** Error 17.")]);
    table.says(OUR_TURN);
    table.passes(300);
    let moves = table.sent.iter().filter(|(_, line)| line.starts_with("move")).count();
    assert!((3..12).contains(&moves), "{:?}", table.sent);
    assert!(table.warned("had no effect, leaving the table"), "{:?}", table.player.events);
}

#[test]
fn an_opponent_who_is_silent_between_games_is_not_waited_for_without_end() {
    let between = BOBS_TURN.replacen(":2:0:-1:0:0", ":2:0:0:0:0", 1);
    let between: &'static str = Box::leak(between.into_boxed_str());
    let mut table =
        Table::playing(&[("board", between), ("join", "** Please wait for bob to join too.")]);
    table.says("You win the game and get 1 point. Congratulations!");
    table.says("Type 'join' if you want to play the next game, type 'leave' if you don't.");
    table.passes(500);
    assert!(table.sent("leave") >= 1, "{:?}", table.sent);
    assert!(table.sent("join") <= 8, "{:?}", table.sent);
}

#[test]
fn an_opponent_who_joins_the_next_game_late_has_their_time_for_its_first_turn() {
    let between = BOBS_TURN.replacen(":2:0:-1:0:0", ":2:0:0:0:0", 1);
    let between: &'static str = Box::leak(between.into_boxed_str());
    let mut table =
        Table::playing(&[("board", between), ("join", "** Please wait for bob to join too.")]);
    table.says("You win the game and get 1 point. Congratulations!");
    table.says(between);
    table.says("Type 'join' if you want to play the next game, type 'leave' if you don't.");
    table.passes(280);
    table.answers.insert(0, ("board", BOBS_TURN));
    table.says(BOBS_TURN);
    table.passes(280);
    assert_eq!(table.sent("leave"), 0, "{:?}", table.sent);
    table.passes(30);
    assert_eq!(table.sent("leave"), 1, "{:?}", table.sent);
}

#[test]
fn an_offer_after_a_roll_that_cannot_be_played_is_answered() {
    let offer = "bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.";
    let before = BOBS_TURN.replacen(":0:0:1:1:1:0:1:-1:", ":3:3:1:1:1:0:1:-1:", 1);
    let accepted = "You reject. The game continues.";
    let mut table = Table::playing(&[("accept", accepted), ("board", BOBS_TURN)]);
    table.says(offer);
    table.passes(10);
    table.says(&before);
    table.says("You roll 5 and 2.\r\nYou can't move.");
    table.says(offer);
    table.passes(10);
    assert_eq!(table.sent("accept"), 2, "{:?}", table.sent);
}

#[test]
fn a_match_that_nobody_announced_is_played() {
    // The board answers our question.
    let mut table = Table::lobby(&[("board", OUR_TURN)]);
    table.says("Please move 2 pieces.");
    table.passes(10);
    assert!(table.sent.iter().any(|(_, line)| line.starts_with("move")), "{:?}", table.sent);
    // The join line is lost.
    let mut table = Table::lobby(&[]);
    table.says("bob wants to play a 3 point match with you.\r\nType 'join bob' to accept.");
    table.passes(3);
    table.says("Starting a new game with bob.\r\nYou rolled 6, bob rolled 2");
    table.says(OUR_TURN);
    table.passes(5);
    assert!(table.sent.iter().any(|(_, line)| line.starts_with("move")), "{:?}", table.sent);
}

#[test]
fn a_game_that_ends_twice_ends_once() {
    let mut table = Table::playing(&[("board", BOBS_TURN)]);
    table.says(
        "bob gives up. You win 1 point.\r\nYou win the game and get 1 point. Congratulation!",
    );
    let ends = table.player.events.iter().filter(|event| matches!(event, Event::GameOver { .. }));
    assert_eq!(ends.count(), 1);
}

#[test]
fn another_login_of_the_account_is_not_fought_over() {
    let two = "5 me - - 1 0 1500.0 0 0 1 here x -\r\n5 me - - 1 0 1500.0 0 0 99 elsewhere y -\r\n6";
    for sign in [
        "7 me me logs in.",
        "5 me - - 1 0 1500.0 0 0 99 elsewhere y -",
        "** You just logged in a second time from elsewhere, terminating this session.",
    ] {
        let mut table = Table::lobby(&[("rawwho", two)]);
        table.says(sign);
        table.passes(8);
        assert_eq!(table.closed, Some(Close::Elsewhere), "{sign}");
        assert!(table.warned("another program has logged in as me"));
    }
}

#[test]
fn a_server_that_is_silent_about_one_command_is_asked_another_before_it_is_given_up() {
    let mut table = Table::lobby(&[("time", ""), ("show saved", ""), ("rawwho", "6")]);
    table.passes(900);
    assert_eq!(table.closed, None, "{:?}", table.sent);
    assert!(table.sent("rawwho") >= 2, "{:?}", table.sent);
    let mut dead = Table::lobby(&[("time", ""), ("rawwho", ""), ("show saved", "")]);
    dead.passes(900);
    assert_eq!(dead.closed, Some(Close::Dead));
}

#[test]
fn bars_that_contradict_each_other_are_read_by_the_count_of_checkers() {
    // One own checker on the bar by the field, none by the place, and the other way round.
    let right = "board:You:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:4:0:0:0:-3:0:-5:0:0:0:0:2:1:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:1:0:2:0:0:0";
    let (board, _) = FibsBoard::parse(right).expect("a board");
    for wrong in [
        right.replacen(":2:1:1:6:2", ":2:0:1:6:2", 1),
        right.replacen(":25:0:0:1:0", ":25:0:0:0:0", 1),
        right.replacen(":2:1:1:6:2", ":2:-1:1:6:2", 1),
    ] {
        assert_ne!(wrong, right);
        let (read, _) = FibsBoard::parse(&wrong).expect("a board");
        assert_eq!(read.position, board.position, "{wrong}");
    }
    let impossible = right.replacen(":4:0:0:0:-3", ":6:0:0:0:-3", 1);
    assert!(FibsBoard::parse(&impossible).is_err());
}
