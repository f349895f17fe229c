//! The commands that people expect, and their answers.

use super::{Client, server};

#[tokio::test(start_paused = true)]
async fn every_word_answers_in_the_sentences_of_fibs() {
    let server = server(&["ann", "bob", "eve"]);
    let mut ann = Client::program(&server, "ann").await;
    let _bob = Client::program(&server, "bob").await;
    ann.read().await;
    for (command, answer) in [
        (
            "whois bob",
            "Information about bob:\r\n  Last login:  Tuesday, July 27 21:41:02 UTC from localhost\r\n  Still logged in. 0:00 minutes idle.\r\n  bob is ready to play, not watching, not playing.\r\n  Rating: 1500.00 Experience: 0\r\n  No email address.\r\n",
        ),
        ("whois nix", "No information found on user nix."),
        ("last bob", "bob                  Tue Jul 27 21:41:02 2010 - still logged in"),
        ("time", "Tuesday, July 27 21:41:02 UTC   ( Tue Jul 27 21:41:02 2010 UTC )"),
        ("pip", "** You're not playing or watching."),
        ("look bob", "** bob is not playing."),
        ("look nix", "** There is no one called nix"),
        ("message", "** usage: message <user> <text>"),
        ("message nix hello", "** Don't know user nix"),
        ("message eve hello", "11 eve"),
        ("message bob hello", "10 bob"),
        ("ratings", " rank name            rating    Experience"),
        ("address ann@example.org", "Your email address is 'ann@example.org'."),
        ("address nowhere", "** 'nowhere' is not an email address."),
        ("where bob", "bob is logged in from localhost."),
        ("about", "This is a practice server"),
        ("motd", "This server is for practice."),
        ("version", "fibs practice server "),
        ("help invite", "invite NAME POINTS\r\n"),
        ("help", "Commands, which may be abbreviated"),
        ("help nix", "** No help available on 'nix'."),
        ("help beginner", "beginner: how to play a first match\r\n  who ready "),
        ("help names", "names: "),
        ("help formula", "formula: "),
        ("average", "Time (UTC)  average min max\r\n21:00-21:59     1.5   1   2\r\n"),
        ("dicetest", "n: 0 rolls since the server started\r\n1-1 0  1-2 0"),
        ("stat", "3 registered users."),
        ("date", "Tuesday, July 27 21:41:02 UTC   ( Tue Jul 27 21:41:02 2010 UTC )"),
        ("panic", "You're not playing. Type 'who ready', then 'invite NAME 3'."),
        ("erase ann Zanzibar7", "** Only the operator of this server can delete an account."),
        ("alert bob hello", "16 bob hello"),
        ("sortwho name", "Value of 'sortwho' set to name."),
        ("sortwho size", "** Unknown value."),
        ("sortwho login", "Value of 'sortwho' set to login."),
        ("oldboard", "** oldboard with who?"),
        ("oldboard bob", "** There's no saved match with bob."),
        ("beaver", "** You're not playing."),
        ("redouble", "** You're not playing."),
        ("gag", "** You gag nobody."),
        ("gag nix", "** There is no one called nix"),
        ("gag ann", "** You talk too much, don't you?"),
        ("gag bob", "** You gag bob."),
        ("gag", "** You gag: bob"),
        ("tell bob hello", "** You can't talk if you won't listen."),
        ("gag bob", "** You ungag bob."),
        ("blind", "** You blind nobody."),
        ("blind ann", "** You can't read this message now, can you?"),
        ("blind eve", "** You blind eve."),
        ("blind eve", "** You unblind eve."),
        (
            "set",
            "Settings of variables:\r\nboardstyle: 3\r\nlinelength: 0\r\npagelength: 0\r\nredoubles:  none\r\nsortwho:    login\r\ntimezone:   UTC\r\n",
        ),
        ("set linelength 80", "Value of 'linelength' set to 80."),
        ("set pagelength x", "** Valid arguments are the numbers 0 to 999."),
        ("set redoubles none", "Value of 'redoubles' set to 'none'."),
        ("set redoubles 3", "Value of 'redoubles' set to 3."),
        ("set sortwho rrating", "Value of 'sortwho' set to rrating."),
        ("set sortwho size", "** Unknown value. Try 'login', 'name', 'rating' or 'rrating'."),
        ("set timezone UTC", "Value of 'timezone' set to UTC."),
        ("set timezone Mars", "** This server knows the timezone UTC only."),
        ("set colour red", "** Invalid argument. Type 'help set'."),
        ("toggle", "The current settings are:\r\nallowpip        YES\r\n"),
        ("toggle silent", "** You won't hear what other players shout."),
        ("shout hello", "** Please type 'toggle silent' again before you shout."),
        ("toggle silent", "** You will hear what other players shout."),
        ("away", "None of the users is away."),
        ("back", "** You're not away."),
        ("waitfor nix", "** Don't know user nix"),
        ("waitfor eve", "** You're waiting for eve."),
        ("waitfor bob", "** bob is already logged in."),
        ("watch ann", "** Use a mirror to do that."),
        ("watch", "** Watch who?"),
        ("invite", "** invite who?"),
        ("join", "** Error: Join who?"),
        ("leave", "** Error: No one to leave."),
        ("roll", "** You're not playing."),
        ("say hello", "** You're not playing."),
        ("tell", "** Tell whom?"),
        ("tell bob", "** Tell bob what?"),
        ("kibitz hello", "19 hello\r\n** But nobody heard you."),
        ("show savedcount", "ann has no saved games."),
        ("show savedcount nix", "** There is no user called 'nix'."),
        ("show nothing", "** Don't know how to show nothing"),
        ("frobnicate", "** Unknown command: 'frobnicate'"),
        ("re", "** Unknown command: 're'"),
    ] {
        let said = ann.say(command).await;
        assert!(said.starts_with(answer), "{command}: {said:?} instead of {answer:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn messages_wait_for_the_next_login_and_those_who_wait_hear_of_it() {
    let server = server(&["ann", "bob"]);
    let mut ann = Client::person(&server, "ann").await;
    ann.say("message bob are you\u{1b}[2J there?").await;
    ann.say("waitfor bob").await;
    let mut bob = Client::connect(&server).await;
    let greeting = bob.say("login test 1008 bob Zanzibar7").await;
    assert!(greeting.contains("\r\n9 ann 1280266862 are you there?\r\n"), "{greeting}");
    assert!(greeting.contains("** ann is waiting for you to log in."), "{greeting}");
    assert!(ann.read().await.contains("** FINALLY!!! bob logs in.\u{7}\u{7}\u{7}"));
    bob.say("message ann here I am").await;
    assert!(ann.read().await.contains("bob (Tue Jul 27 21:41:02 2010): here I am"));
    bob.say("bye").await;
    // It is delivered once.
    assert!(!Client::program(&server, "bob").await.text.contains("are you there?"));
}

#[tokio::test(start_paused = true)]
async fn who_is_away_is_told_to_those_who_talk_and_invite() {
    let server = server(&["ann", "bob"]);
    let (mut ann, mut bob) =
        (Client::program(&server, "ann").await, Client::program(&server, "bob").await);
    assert!(bob.say("away back at nine").await.contains("You're away. Please type 'back'"));
    assert!(ann.say("tell bob hello").await.contains("\r\nbob is away: back at nine\r\n"));
    assert!(ann.say("invite bob 1").await.contains("\r\nbob is away: back at nine\r\n"));
    assert!(
        ann.say("away").await.contains("The following users are away:\r\nbob: back at nine\r\n")
    );
    assert!(bob.say("time").await.ends_with("You're away. Please type 'back'\r\n"));
    assert!(bob.say("back").await.contains("Welcome back."));
}

#[tokio::test(start_paused = true)]
async fn a_second_wave_logs_out_and_shouts_are_limited() {
    let server = server(&["ann", "bob"]);
    let (mut ann, mut bob) =
        (Client::person(&server, "ann").await, Client::program(&server, "bob").await);
    ann.read().await;
    for _ in 0..5 {
        assert!(ann.say("shout hello").await.starts_with("You shout: hello"));
    }
    assert!(ann.say("shout hello").await.starts_with("** You talk too much, don't you?"));
    assert_eq!(bob.read().await.matches("13 ann hello").count(), 5);
    assert!(ann.say("wave").await.starts_with("You wave goodbye."));
    assert!(ann.say("time").await.contains("2010"));
    assert!(ann.say("wave").await.starts_with("You wave goodbye."));
    assert!(ann.say("wave").await.contains("You wave goodbye again and log out."));
    assert!(ann.closed);
    assert!(bob.read().await.contains("ann waves goodbye again.\r\n"));
}

#[tokio::test(start_paused = true)]
async fn who_is_gagged_is_not_heard_and_who_is_blinded_does_not_watch_until_the_logout() {
    let server = server(&["ann", "bob", "eve"]);
    let (mut ann, mut bob, mut eve) = (
        Client::program(&server, "ann").await,
        Client::program(&server, "bob").await,
        Client::program(&server, "eve").await,
    );
    ann.say("invite bob 3").await;
    bob.say("join ann").await;
    assert!(eve.say("watch ann").await.contains("board:ann:bob:"));
    ann.say("blind eve").await;
    assert!(eve.read().await.contains("ann bans you from watching.\r\n"));
    assert_eq!(eve.say("watch ann").await, "** ann doesn't want you to watch.\r\n");
    assert_eq!(eve.say("look ann").await, "** ann doesn't want you to look.\r\n");
    ann.say("gag eve").await;
    assert_eq!(eve.say("tell ann hello").await, "** ann won't listen to you.\r\n");
    eve.say("shout hello all").await;
    assert!(bob.read().await.contains("13 eve hello all"));
    ann.say("gag bob").await;
    bob.say("kibitz hello").await;
    assert!(!ann.read().await.contains("hello"));
    ann.say("bye").await;
    let mut ann = Client::program(&server, "ann").await;
    eve.say("tell ann hello").await;
    assert!(ann.read().await.contains("12 eve hello"));
    assert!(ann.say("oldboard bob").await.starts_with("board:You:bob:3:"));
}

#[tokio::test(start_paused = true)]
async fn panic_says_what_a_player_can_do() {
    let server = server(&["ann", "bob"]);
    let (mut ann, mut bob) =
        (Client::person(&server, "ann").await, Client::person(&server, "bob").await);
    ann.say("invite bob 3").await;
    bob.read().await;
    assert!(bob.say("panic").await.starts_with("ann invites you. Type 'join ann' to play."));
    bob.say("join ann").await;
    ann.read().await;
    let mut seen = [ann.say("panic").await, bob.say("panic").await];
    seen.sort_by_key(|said| said.starts_with("You have"));
    assert!(seen[0].starts_with("It's ") && seen[0].contains("turn: wait"), "{seen:?}");
    assert!(seen[1].starts_with("You have ") && seen[1].contains("'move' and 2 words"), "{seen:?}");
    ann.say("resign n").await;
    assert!(ann.say("panic").await.starts_with("bob has to answer you: wait."));
    bob.read().await;
    assert!(bob.say("panic").await.starts_with("ann resigns. Type 'accept' or 'reject'."));
    bob.say("accept").await;
    assert!(bob.say("panic").await.starts_with("Type 'join' to play the next game"));
}

#[tokio::test(start_paused = true)]
async fn pip_counts_need_the_consent_of_both_players() {
    let server = server(&["ann", "bob"]);
    let (mut ann, mut bob) =
        (Client::program(&server, "ann").await, Client::program(&server, "bob").await);
    ann.say("invite bob 3").await;
    bob.say("join ann").await;
    ann.read().await;
    assert!(ann.say("pip").await.starts_with("Pipcounts: ann 167  bob 167"));
    bob.say("toggle allowpip").await;
    assert!(
        ann.say("pip").await.starts_with("** bob doesn't allow this. Ask bob to 'toggle allowpip'")
    );
    assert!(bob.say("pip").await.starts_with("** Type 'toggle allowpip' first."));
    assert!(ann.say("show games").await.contains("(3 point match 0-0)"));
}
