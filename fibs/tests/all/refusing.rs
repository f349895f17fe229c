//! Refusals of the server. Players who are not ready: it passes no invitation on to them, but their
//! own can be joined. And refusals that name a player, which end nothing of another one.

use fibs::agent::Event;

use super::scripted::{NEW_MATCH, OUR_TURN, Player, RESUME, SAVED, Table};

const REFUSES: &str = "** bob is refusing games.";
const READY: &str = "5 bob - - 1 0 1500.0 0 0 1 here x -";
const NOT_READY: &str = "5 bob - - 0 0 1500.0 0 0 1 here x -";
const TOLD: &str = "tell bob My invitation to our saved match does not reach you, as you refuse \
    games. Please type 'toggle ready', then invite me again.";
const SAVED_FIRST: &str =
    "tell bob We have a saved match, so let us finish that one: please join my invitation.";

/// A match with bob, who is not ready, is saved.
fn with_saved_match(answers: &[(&'static str, &'static str)]) -> Table {
    let mut all = vec![("show saved", SAVED), ("invite bob", REFUSES)];
    all.extend_from_slice(answers);
    let mut table = Table::lobby(&all);
    table.says(NOT_READY);
    table
}

/// What bob was told.
fn told(table: &Table) -> Vec<&str> {
    let lines = table.sent.iter().map(|(_, line)| line.as_str());
    lines.filter(|line| line.starts_with("tell bob")).collect()
}

#[test]
fn an_own_offer_to_resume_is_joined_when_no_invitation_reaches_the_player() {
    let mut table = with_saved_match(&[]);
    table.says(RESUME);
    table.passes(5);
    assert_eq!([table.sent("invite bob"), table.sent("join bob")], [1, 1], "{:?}", table.sent);
    table.says("You are now playing with bob. Your running match was loaded.");
    table.says(OUR_TURN);
    assert!(table.session.is_playing());
    assert!(told(&table).is_empty(), "{:?}", table.sent);
}

#[test]
fn an_offer_that_cannot_be_joined_is_given_up() {
    for answer in ["", "** bob didn't invite you.", REFUSES] {
        let mut table = with_saved_match(&[("join bob", answer)]);
        table.says(RESUME);
        table.passes(300);
        let tries = if answer.is_empty() { 2 } else { 1 };
        let counts = [table.sent("invite bob"), table.sent("join bob")];
        assert_eq!(counts, [1, tries], "{answer}: {:?}", table.sent);
        assert!(!table.session.is_playing());
        // Others can play meanwhile.
        table.says("ann wants to play a 3 point match with you.\r\nType 'join ann' to accept.");
        table.passes(5);
        assert_eq!(table.sent("join ann"), 1, "{answer}: {:?}", table.sent);
    }
}

#[test]
fn an_offer_to_resume_that_was_replaced_is_not_joined() {
    // The refusal comes after the other offer, or does not come.
    for (seconds, refusal) in [(1, REFUSES), (7, "6")] {
        let mut table = with_saved_match(&[]);
        table.answers.insert(0, ("invite bob", ""));
        table.says(RESUME);
        table.passes(seconds);
        table.says("bob wants to play a 3 point match with you.");
        table.says(refusal);
        table.passes(30);
        assert!(table.sent("invite bob") >= 1, "{:?}", table.sent);
        assert_eq!(table.sent("join bob"), 0, "{refusal}: {:?}", table.sent);
    }
}

#[test]
fn a_player_who_is_not_ready_is_told_once_what_helps() {
    let mut table = with_saved_match(&[]);
    for _ in 0..5 {
        table.says(NEW_MATCH);
        table.passes(5);
    }
    assert_eq!(told(&table), [TOLD]);
    assert_eq!(table.sent("join bob"), 0, "that would delete the saved match");
    // It helps.
    table.sent.clear();
    table.answers.insert(0, ("invite bob", "** You invited bob to resume a saved match."));
    table.says(READY);
    table.says(NEW_MATCH);
    table.passes(5);
    assert_eq!((told(&table), table.sent("invite bob")), (vec![SAVED_FIRST], 1));
}

#[test]
fn a_player_who_invites_and_cannot_be_joined_is_told_what_helps() {
    let mut table = Table::lobby(&[("join bob", REFUSES)]);
    table.says("bob wants to play a 3 point match with you.\r\nType 'join bob' to accept.");
    table.passes(15);
    let words = "tell bob I cannot join you, as you refuse games. Please type 'toggle ready', \
        then invite me again.";
    assert_eq!((told(&table), table.sent("join bob")), (vec![words], 1));
}

#[test]
fn a_player_who_has_not_asked_for_a_match_is_told_nothing() {
    // The who line says that bob is ready.
    let mut table = Table::lobby(&[("show saved", SAVED), ("invite bob", REFUSES)]);
    table.passes(60);
    assert!(table.sent("invite bob") >= 1, "{:?}", table.sent);
    assert!(told(&table).is_empty(), "{:?}", table.sent);
    // A sentence that answers nothing.
    let mut table = Table::lobby(&[]);
    table.says(REFUSES);
    table.passes(10);
    assert!(table.sent.is_empty(), "{:?}", table.sent);
}

#[test]
fn a_player_who_plays_with_readiness_is_told_twelve_times_an_hour() {
    let mut table = with_saved_match(&[("join bob", "** bob didn't invite you.")]);
    let lines = [READY, NEW_MATCH, NOT_READY, NEW_MATCH, RESUME, NEW_MATCH];
    for line in lines.iter().cycle().take(720) {
        table.says(line);
        table.passes(5);
    }
    let told = told(&table).len();
    assert!((2..=13).contains(&told), "{told} in an hour");
    assert!(!table.session.is_playing() && table.closed.is_none());
    // Not much more than an answer to each line.
    assert!(table.sent.len() < 1000, "{}", table.sent.len());
}

/// Ann's invitation is accepted, and her match has not begun.
fn about_to_play_ann(answers: &[(&'static str, &'static str)]) -> Table {
    let mut table = Table::lobby(answers);
    table.says("ann wants to play a 3 point match with you.\r\nType 'join ann' to accept.");
    table.passes(3);
    assert_eq!(table.sent("join ann"), 1, "{:?}", table.sent);
    table
}

#[test]
fn a_refusal_about_another_player_leaves_an_accepted_invitation() {
    for refusal in [
        "** There is no one called eve",
        "** Error: can't find player eve",
        "** eve didn't invite you.",
        "** Error: eve is already playing with someone else.",
        "** eve is not experienced enough to play a match of that length.",
        "** There's no saved match with eve. Please give a match length.",
        "** eve is refusing games.",
    ] {
        let mut table = about_to_play_ann(&[]);
        table.says(refusal);
        // The first `join` was lost.
        table.passes(12);
        assert_eq!(table.sent("join ann"), 2, "{refusal}: {:?}", table.sent);
    }
    // Eve invites and has logged out before she is told that ann comes first.
    let mut table = about_to_play_ann(&[("tell eve", "** There is no one called eve")]);
    table.says("eve wants to play a 3 point match with you.\r\nType 'join eve' to accept.");
    table.passes(12);
    let told = "tell eve I am about to play with ann. Please ask again later.";
    assert_eq!([table.sent(told), table.sent("join ann")], [1, 2], "{:?}", table.sent);
}

#[test]
fn a_refusal_about_the_player_or_about_nobody_ends_an_accepted_invitation() {
    for refusal in [
        "** There is no one called ann",
        "** ann didn't invite you.",
        "** Error: ann is already playing with someone else.",
        "** You're not experienced enough to play a match of that length.",
        "** ERROR: Saved match is corrupt. Please start another one.",
        "** There's no saved match.",
    ] {
        let mut table = about_to_play_ann(&[]);
        table.says(refusal);
        table.passes(12);
        assert_eq!(table.sent("join ann"), 1, "{refusal}: {:?}", table.sent);
        table.says("eve wants to play a 3 point match with you.\r\nType 'join eve' to accept.");
        table.passes(3);
        assert_eq!(table.sent("join eve"), 1, "{refusal}: {:?}", table.sent);
    }
}

#[test]
fn no_saved_match_with_another_player_ends_no_record_of_this_one() {
    let saved = "  opponent   matchlength   score (your points first)\r\n **dan   3    0 - 0";
    let player = Player { open: vec!["dan".to_owned()], ..Player::default() };
    let mut table = Table::with(player, &[("show saved", saved)]);
    table.says("5 dan - - 1 0 1500.0 0 0 1 here x -");
    table.passes(5);
    assert_eq!(table.sent("invite dan"), 1, "{:?}", table.sent);
    let lost = |table: &Table| {
        let events = table.player.events.iter();
        events.filter(|event| matches!(event, Event::HistoryLost { .. })).count()
    };
    table.says("** There's no saved match with eve. Please give a match length.");
    assert_eq!(lost(&table), 0, "{:?}", table.player.events);
    table.says("** There's no saved match with dan. Please give a match length.");
    assert_eq!(lost(&table), 1, "{:?}", table.player.events);
}
