use super::*;
use crate::codec::Decoder;
use backgammon::Dice;
use proptest::prelude::*;

fn only(text: &str) -> Message {
    let mut all = Parser::messages(text);
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all.remove(0)
}

fn dice(a: u8, b: u8) -> Dice {
    Dice::new(a, b).expect("dice")
}

const BOARD: &str = "board:You:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";

#[test]
fn sentences_give_the_right_messages() {
    let bob = || "bob".to_owned();
    let refused = |why| Message::Refused { why, name: None };
    for (text, message) in [
        ("You roll 6 and 1.", Message::YouRoll(dice(6, 1))),
        (
            "Value of 'redoubles' set to none.",
            Message::ValueSet { name: "redoubles".into(), value: "none".into() },
        ),
        ("Value of 'boardstyle' set to 3.", Message::BoardStyle(3)),
        ("Your email address is 'me@example.org'.", Message::AddressSet),
        ("** 'me' is not an email address.", Message::NotAnAddress),
        ("bob rolls 5 and 3.", Message::Rolls { name: bob(), dice: dice(5, 3) }),
        ("bob moves 24-18 13-11 .", Message::Moves { name: bob(), steps: "24-18 13-11".into() }),
        ("bob accepts the double.  The cube shows 2.", Message::Takes { name: bob() }),
        (
            "bob wants to play a 5 point match with you.",
            Message::Wants { name: bob(), length: Length::Points(5) },
        ),
        (
            "bob wants to play an unlimted match with you.",
            Message::Wants { name: bob(), length: Length::Unlimited },
        ),
        ("Type 'join bob' to accept.", Message::TypeJoin { name: bob() }),
        (
            "** You are now playing a 5 point match with bob",
            Message::NowPlaying { name: bob(), length: Length::Points(5) },
        ),
        (
            "You are now playing with bob. Your running match was loaded.",
            Message::NowPlaying { name: bob(), length: Length::Resume },
        ),
        (
            "bob wins the game and gets 2 points. Sorry.",
            Message::WinsGame { name: bob(), points: 2 },
        ),
        (
            "You win the 5 point match 5-3 .",
            Message::YouWinMatch { length: Some(5), score: [5, 3] },
        ),
        ("You win the unlimited match 3-0 .", Message::YouWinMatch { length: None, score: [3, 0] }),
        (
            "bob wins the unlimited match 3-0 .",
            Message::WinsMatch { name: bob(), length: None, score: [3, 0] },
        ),
        (
            "Sunday, November 22 01:02:03 UTC",
            Message::Time("Sunday, November 22 01:02:03 UTC".into()),
        ),
        ("bob is watching you.", Message::Remark("bob is watching you.".into())),
        (
            "bob wins the 9 point match 11-6",
            Message::WinsMatch { name: bob(), length: Some(9), score: [11, 6] },
        ),
        (
            "** Forced moves won''t be done automatically.",
            Message::Toggled { toggle: Toggle::Automove, on: false },
        ),
        ("automove        YES", Message::Toggled { toggle: Toggle::Automove, on: true }),
        ("** You did already roll the dice.", refused(Refusal::RolledAlready)),
        ("** The Crawford rule doesn't allow you to double.", refused(Refusal::NoDouble)),
        (
            "** Player bob drops connection. The game was saved.",
            Message::Saved { name: Some(bob()) },
        ),
        (
            "*** ATTENTION ! FIBS will shut down in 600 seconds...",
            Message::GoesDown { seconds: 600 },
        ),
        ("O: (5 1) 13-8 24-23", Message::OldMoves("O: (5 1) 13-8 24-23".into())),
        ("bob waves goodbye.", Message::Remark("bob waves goodbye.".into())),
        ("** 1 user heard you.", Message::Echo),
        ("** Error: No one to leave.", refused(Refusal::NotPlaying)),
        ("** bob is refusing games.", Message::RefusesGames { name: bob() }),
    ] {
        assert_eq!(only(text), message, "{text}");
    }
    let saved = SavedMatch { opponent: bob(), ready: true, length: Some(3), score: [1, 2] };
    assert_eq!(
        only(" **bob                    3                1 -  2"),
        Message::SavedGame(saved)
    );
}

#[test]
fn a_refusal_has_the_name_of_the_player_whom_it_is_about() {
    for (text, why, name) in [
        // The words of FIBS, and those of other servers.
        ("** There is no one called bob", Refusal::NobodyThere, Some("bob")),
        ("** There is no one called bob.", Refusal::NobodyThere, Some("bob")),
        ("** There is no user called bob.", Refusal::NobodyThere, Some("bob")),
        ("** Error: can't find player bob", Refusal::NobodyThere, Some("bob")),
        ("** bob didn't invite you.", Refusal::NotWilling, Some("bob")),
        ("** Error: bob is already playing with someone else.", Refusal::NotWilling, Some("bob")),
        ("** Please wait for your last invitation", Refusal::NotWilling, None),
        ("** You are not allowed to create new games.", Refusal::NotWilling, None),
        ("** bob is not experienced enough", Refusal::NotExperienced, Some("bob")),
        ("** You're not experienced enough", Refusal::NotExperienced, None),
        (
            "** There's no saved match with bob. Please give a match length.",
            Refusal::NothingSaved,
            Some("bob"),
        ),
        ("** There is no saved match with bob.", Refusal::NothingSaved, Some("bob")),
        ("** There's no saved match.", Refusal::NothingSaved, None),
        ("** You are already playing.", Refusal::Playing, None),
        ("** bob hasn't responded to your double", Refusal::DoublePending, Some("bob")),
    ] {
        let name = name.map(str::to_owned);
        assert_eq!(only(text), Message::Refused { why, name }, "{text}");
    }
}

#[test]
fn who_lines_and_settings_are_read_by_their_fields() {
    let Message::Who(who) =
        only("5 dumb_o dumb_x - 1 0 1500.0 12 1 1795226968308 localhost null -")
    else {
        panic!("a who line")
    };
    assert_eq!(
        (who.opponent.as_deref(), who.watching, who.experience),
        (Some("dumb_x"), None, Some(12))
    );
    let Message::OwnInfo(info) =
        only("2 dumb_o 1 1 0 1 0 0 1 1 7 0 1 0 1 1500.25 0 1 none 0 1 UTC")
    else {
        panic!("settings")
    };
    assert_eq!((info.rating, info.experience), (Some(1500.25), Some(7)));
    assert!(info.toggles.contains(&(Toggle::Automove, true)));
    assert!(info.toggles.contains(&(Toggle::Ready, true)));
    // Odd numbers cost no more than themselves.
    let Message::OwnInfo(info) =
        only("2 dumb_o 2 1 0 1 0 0 1 1 4294967296 0 1 0 1 - 0 1 none 0 1 UTC")
    else {
        panic!("settings")
    };
    assert_eq!((info.rating, info.experience), (None, None));
    assert!(info.toggles.contains(&(Toggle::Automove, true)));
    assert!(!info.toggles.iter().any(|(toggle, _)| *toggle == Toggle::Allowpip));
    let odd = only("5 bob - - 1 0 - 4294967296 -1 x host client -");
    let Message::Who(who) = odd else { panic!("a who line") };
    assert_eq!((who.name.as_str(), who.ready, who.away), ("bob", true, false));
    assert_eq!((who.rating, who.experience, who.idle, who.login), (None, None, 0, 0));
    assert_eq!(only("5 short line"), Message::Unknown("5 short line".into()));
    assert_eq!(only("1234 x"), Message::Unknown("1234 x".into()));
}

#[test]
fn messages_in_one_line_are_separated() {
    let glued = format!("{BOARD}5 ann - - 1 0 1500.0 0 0 0 here x -");
    let messages = Parser::messages(&glued);
    assert!(matches!(messages[..], [Message::Board(_), Message::Who(_)]), "{messages:?}");
    let messages =
        Parser::messages("** Player x has left the game. The game was saved.You roll 6 and 4.");
    assert_eq!(messages, [Message::Saved { name: Some("x".into()) }, Message::YouRoll(dice(6, 4))]);
    let messages = Parser::messages(
        "bob accepts the double. The cube shows 2.5 ann - - 1 0 1500.0 0 0 0 h x -",
    );
    assert!(matches!(messages[..], [Message::Takes { .. }, Message::Who(_)]), "{messages:?}");
    let messages = Parser::messages(
        "You win the game and get 1 point. Congratulations!Score is 1-0 in a 3 point match.",
    );
    assert!(
        matches!(messages[..], [Message::YouWinGame { points: 1 }, Message::OldMoves(_)]),
        "{messages:?}"
    );
}

#[test]
fn chat_is_never_parsed_as_a_message_of_the_server() {
    for text in [
        format!("12 eve {BOARD}"),
        format!("13 eve x{BOARD}"),
        "15 eve You win the 5 point match 5-3 .".to_owned(),
        "12 eve bob doubles. Type 'accept' or 'reject'.".to_owned(),
    ] {
        assert!(matches!(only(&text), Message::Chat(_)), "{text}");
    }
}

#[test]
fn the_message_of_the_day_is_not_parsed() {
    let mut parser = Parser::default();
    let mut out = Vec::new();
    for text in ["3", "You win the 5 point match 5-3 .", BOARD, "4", "6"] {
        parser.parse(&Line::Text(text.to_owned()), |message| out.push(message));
    }
    assert!(matches!(
        out[..],
        [
            Message::MotdBegins,
            Message::MotdLine(_),
            Message::MotdLine(_),
            Message::MotdEnds,
            Message::WhoEnds
        ]
    ));
}

fn parse(lines: &[&str]) -> Vec<Message> {
    let (mut parser, mut out) = (Parser::default(), Vec::new());
    for text in lines {
        parser.parse(&Line::Text((*text).to_owned()), |message| out.push(message));
    }
    out
}

#[test]
fn a_message_of_the_day_without_its_end_ends_with_the_list_of_players() {
    let who = "5 bob - - 1 0 1500.0 0 0 1 here x -";
    let heard = parse(&["1 me 1 here", "3", "hello", who, "6", "You roll 6 and 1."]);
    assert!(
        matches!(&heard[4..], [Message::Who(who), Message::WhoEnds, Message::YouRoll(_)] if who.name == "bob"),
        "{heard:?}"
    );
    // The list does not come either.
    let heard = parse(&["3", "hello", "Value of 'boardstyle' set to 3.", "You roll 6 and 1."]);
    assert!(matches!(heard[2..], [Message::BoardStyle(3), Message::YouRoll(_)]), "{heard:?}");
    let long = parse(&[vec!["3"], vec!["hello"; 200], vec!["You roll 6 and 1."]].concat());
    assert_eq!(long.last(), Some(&Message::YouRoll(dice(6, 1))));
}

#[test]
fn a_stray_3_after_the_login_means_nothing() {
    for before in [&["6"][..], &["3", "hello", "4"]] {
        let heard = parse(&[before, &["3", "You roll 6 and 1."]].concat());
        let end = &heard[heard.len() - 2..];
        assert_eq!(end, [Message::Unknown("3".into()), Message::YouRoll(dice(6, 1))]);
    }
}

/// A sentence of the tables in which every placeholder is filled.
fn filled(sentence: &str) -> String {
    sentence.replace("{w}", "bob").replace("{n}", "3").replace("{d}", "1.5").replace("{*}", "game ")
}

#[test]
fn no_text_that_a_player_writes_is_more_than_a_remark_or_a_doubt() {
    for text in sentences().map(filled) {
        for line in [format!("eve is away: {text}"), format!("eve is away:   {text}")] {
            assert_eq!(Parser::messages(&line), [Message::Remark(line.clone())]);
        }
        // Unknown wordings.
        for line in [format!("eve (away): {text}"), format!("The user eve left word: {text}")] {
            let heard = only(&line);
            let harmless = matches!(heard, Message::SeemsOver | Message::Unknown(_));
            assert!(harmless, "{line}: {heard:?}");
        }
    }
    let words = ["unknown command: 'board'", "The game was saved.", "you're not playing"];
    for text in words {
        let heard = only(&format!("eve, who is gone, says {text}"));
        assert!(matches!(heard, Message::SeemsOver | Message::Unknown(_)), "{heard:?}");
    }
}

#[test]
fn impossible_boards_give_bad_board_messages() {
    for (from, to) in [(":5:0:3:", ":16:0:3:"), (":1:6:2:", ":1:-6:2:"), (":3:0:0:0", ":3:0:-1:0")]
    {
        let message = only(&BOARD.replacen(from, to, 1));
        assert!(matches!(message, Message::BadBoard(_)), "{message:?}");
    }
}

/// A session with a real look-alike server, as it went over the wire.
const RECORDED: &[u8] = include_bytes!("session.txt");

fn replay(pieces: &[&[u8]]) -> Vec<Message> {
    let (mut decoder, mut parser, mut out) = (Decoder::default(), Parser::default(), Vec::new());
    for piece in pieces {
        decoder.decode(piece, |line| parser.parse(&line, |message| out.push(message)));
    }
    out
}

#[test]
fn a_recorded_session_gives_the_same_messages_when_split_at_any_byte() {
    let whole = replay(&[RECORDED]);
    assert!(whole.len() > 30);
    assert!(!whole.iter().any(|message| matches!(message, Message::BadBoard(_))), "{whole:?}");
    for cut in 0..=RECORDED.len() {
        let (a, b) = RECORDED.split_at(cut);
        assert_eq!(replay(&[a, b]), whole, "cut at {cut}");
    }
}

proptest! {
    #[test]
    fn no_line_is_an_error_and_every_line_is_something(text in ".{0,300}") {
        prop_assert!(text.trim().is_empty() || !Parser::messages(&text).is_empty());
    }

    #[test]
    fn changed_boards_never_panic(at in 0usize..160, with in "[-0-9:a-z ]{0,4}") {
        let at = at.min(BOARD.len());
        let text = format!("{}{with}{}", &BOARD[..at], &BOARD[(at + 1).min(BOARD.len())..]);
        prop_assert!(!Parser::messages(&text).is_empty());
    }

    #[test]
    fn bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        let _ = replay(&[&bytes]);
    }
}
