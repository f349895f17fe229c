//! Chat and orders: what is answered, what ends the session, and what is put off.

use fibs::session::Close;

use super::scripted::{BOBS_TURN, OUR_TURN, OWNER, Player, RESUME, SAVED, Table};

/// A match with ann is saved.
const SAVED_ANN: &str = "  opponent   matchlength   score\r\n **ann   3    0 - 0";
const ANN_IS_FREE: &str = "5 ann - - 1 0 1500.0 0 0 1 here x -";
const GOODBYE: &str = "tell olga Goodbye.";

fn told(table: &Table, name: &str) -> usize {
    let words = format!("tell {name} ");
    table.sent.iter().filter(|(_, line)| line.starts_with(&words)).count()
}

#[test]
fn a_line_that_gets_no_answer_is_not_worked_out() {
    let mut table = Table::lobby(&[]);
    for n in 0..300 {
        // Other words each time, and the same words each time.
        table.says(&format!("12 bob pr{n}\r\n12 ann pr"));
    }
    assert_eq!(table.player.asked, 12 + 30);
    table.passes(60);
    assert_eq!([told(&table, "bob"), told(&table, "ann")], [12, 1], "{:?}", table.sent);
}

#[test]
fn many_players_do_not_have_more_worked_out_and_an_order_is_heard_all_the_same() {
    let mut table = Table::lobby(&[]);
    for player in 0..40 {
        for _ in 0..40 {
            table.says(&format!("12 player_{player} pr"));
        }
    }
    assert_eq!(table.player.asked, 300);
    table.says(&format!("12 {OWNER} quit"));
    table.passes(120);
    assert_eq!((table.sent(GOODBYE), table.closed), (1, Some(Close::Quit)), "{:?}", table.sent);
}

#[test]
fn many_players_who_ask_do_not_silence_the_bot_for_its_opponent() {
    let mut table = Table::playing(&[("board", BOBS_TURN)]);
    for player in 0..10 {
        for _ in 0..30 {
            table.says(&format!("12 player_{player} pr"));
        }
    }
    table.says("12 ann pr\r\n12 bob pr");
    assert_eq!(table.player.asked, 300 + 1);
    table.passes(40);
    let told = ["ann", "bob"].map(|name| table.sent(&format!("tell {name} pr is 3.0")));
    assert_eq!(told, [0, 1], "{:?}", table.sent);
}

#[test]
fn an_order_to_log_out_is_answered_and_carried_out_in_the_match() {
    let mut table = Table::playing(&[("board", OUR_TURN)]);
    table.says(OUR_TURN);
    table.says(&format!("12 {OWNER} quit"));
    table.passes(5);
    assert_eq!(table.closed, Some(Close::Quit));
    let sent: Vec<&str> = table.sent.iter().map(|(_, line)| line.as_str()).collect();
    assert_eq!(sent, [GOODBYE, "bye"]);
}

#[test]
fn an_order_to_log_out_after_the_match_comes_before_saved_matches() {
    let mut table = Table::playing(&[("board", BOBS_TURN), ("show saved", SAVED_ANN)]);
    table.says(ANN_IS_FREE);
    table.says(&format!("12 {OWNER} finish"));
    table.passes(20);
    assert!(table.session.is_playing() && table.sent(GOODBYE) == 1, "{:?}", table.sent);
    table.says("You win the 3 point match 3-1 .");
    table.passes(10);
    assert_eq!(table.closed, Some(Close::Quit), "{:?}", table.sent);
    let counts = ["tell bob Thank you!", "invite ann"].map(|line| table.sent(line));
    assert_eq!(counts, [1, 0], "{:?}", table.sent);
}

#[test]
fn a_match_that_is_cut_off_after_the_order_to_finish_is_waited_for_and_no_other() {
    let mut table = Table::playing(&[("board", BOBS_TURN)]);
    let both = "  opponent   matchlength   score\r\n **ann   3    0 - 0\r\n **bob   3    0 - 0";
    let invited = ("invite bob", "** You invited bob to resume a saved match.");
    table.answers.splice(0..0, [("show saved", both), invited]);
    table.says(ANN_IS_FREE);
    table.says(&format!("12 {OWNER} finish"));
    table.passes(5);
    table.says("** Player bob has left the game. The game was saved.");
    table.passes(20);
    assert_eq!((table.sent("invite bob"), table.closed), (1, None), "{:?}", table.sent);
    table.passes(60);
    assert_eq!((table.sent("invite ann"), table.closed), (0, Some(Close::Quit)));
}

#[test]
fn a_pause_puts_an_unknown_saved_match_off_and_does_not_refuse_it() {
    let invited = ("invite bob", "** You invited bob to resume a saved match.");
    let player = Player { pauses: true, ..Player::default() };
    let mut table = Table::with(player, &[("show saved", SAVED), invited]);
    table.says(RESUME);
    table.passes(60);
    assert_eq!(table.sent("tell bob I take a break."), 1, "{:?}", table.sent);
    assert_eq!([told(&table, "bob"), table.sent("invite bob")], [1, 0], "{:?}", table.sent);
    table.player.pauses = false;
    table.says(RESUME);
    table.passes(5);
    assert_eq!(table.sent("invite bob"), 1, "{:?}", table.sent);
}

#[test]
fn a_pause_does_not_end_a_match_that_begins_nor_keep_a_known_one() {
    // Bob joins an invitation of ours from before the pause.
    let invited = ("invite bob", "** You invited bob to resume a saved match.");
    let answers = [("show saved", SAVED), invited, ("board", BOBS_TURN)];
    let mut table = Table::lobby(&answers);
    table.player.pauses = true;
    table.says("bob has joined you. Your running match was loaded.");
    table.says(BOBS_TURN);
    table.passes(20);
    assert!(table.session.is_playing(), "{:?}", table.sent);
    assert_eq!([table.sent("leave"), told(&table, "bob")], [0, 0], "{:?}", table.sent);
    // A match of our records goes on.
    let open = vec!["bob".to_owned()];
    let player = Player { pauses: true, open, ..Player::default() };
    let mut table = Table::with(player, &answers);
    table.passes(40);
    assert!(table.sent("invite bob") >= 1, "{:?}", table.sent);
}

#[test]
fn a_saved_match_that_would_not_be_begun_is_declined_with_the_agents_reason() {
    let saved = "  opponent   matchlength   score\r\n **bob   25    0 - 0";
    let mut table = Table::lobby(&[("show saved", saved)]);
    table.says(RESUME);
    table.passes(10);
    assert_eq!(table.sent("tell bob That is too long for me."), 1, "{:?}", table.sent);
    assert_eq!(told(&table, "bob"), 1, "{:?}", table.sent);
}
