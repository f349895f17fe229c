//! A person with telnet: boards, sentences and prompts, and no line of the client protocol.

use super::{Client, server};

/// Lines that only programs understand.
fn for_programs(text: &str) -> Vec<&str> {
    let lines = text.split("\r\n").map(|line| line.trim_start_matches("> "));
    lines
        .filter(|line| {
            let number = line.split(' ').next().and_then(|word| word.parse::<u32>().ok());
            // Rows of tables are indented or have a dash after the number.
            line.starts_with("board:") || number.is_some_and(|n| (1..=20).contains(&n))
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_person_plays_chats_and_watches_without_a_line_for_programs() {
    let server = server(&["ann", "bob", "eve"]);
    let mut ann = Client::person(&server, "ann").await;
    let mut bob = Client::person(&server, "bob").await;
    let mut eve = Client::person(&server, "eve").await;
    // Programs make the server send who lines.
    let mut bot = Client::program(&server, "bob").await;
    bot.say("bye").await;
    let mut bob2 = Client::person(&server, "bob").await;
    assert!(bob.read().await.is_empty() || bob.closed);
    assert!(ann.read().await.contains("bob logs in.\r\n"));

    assert!(ann.say("inv bo 3").await.contains("** You invited bob to a 3 point match."));
    let invited = bob2.read().await;
    assert!(
        invited.contains(
            "\r\nann wants to play a 3 point match with you.\r\nType 'join ann' to accept.\r\n> "
        ),
        "{invited}"
    );
    eve.say("watch ann").await;
    let joined = bob2.say("join ann").await;
    assert!(joined.contains("** You are now playing a 3 point match with ann"), "{joined}");
    assert!(joined.contains("+BAR+") || joined.contains("|BAR|"), "{joined}");
    assert!(joined.contains("ann - score: 0") && joined.contains("3-point match"), "{joined}");
    ann.read().await;
    for _ in 0..40 {
        for player in [&mut ann, &mut bob2] {
            let shown = player.read().await + &player.say("r").await + &player.say("b").await;
            if shown.contains("accept") {
                player.say("acc").await;
            }
        }
    }
    ann.say("double").await;
    ann.say("k well played").await;
    assert!(bob2.read().await.contains("ann kibitzes: well played\r\n"));
    ann.say("s thanks").await;
    assert!(bob2.read().await.contains("ann tells you: thanks\r\n"));
    bob2.say("whisper I am lost").await;
    eve.say("shout hello all").await;
    let heard = ann.read().await;
    assert!(heard.contains("\r\neve shouts: hello all\r\n> "), "{heard}");
    assert!(eve.text.contains("You shout: hello all"));
    eve.say("t bob hello").await;
    assert!(eve.text.contains("** You tell bob: hello"));
    bob2.say("resign g").await;
    ann.read().await;
    assert!(ann.say("accept").await.contains("You accept and win 2 points."));
    ann.say("wave").await;
    assert!(eve.read().await.contains("ann waves goodbye.\r\n"));
    for client in [&ann, &bob2, &eve] {
        assert!(for_programs(&client.text).is_empty(), "{:?}", for_programs(&client.text));
        assert!(!client.text.contains("> > "), "two prompts in a row: {}", client.text);
    }
    assert!(eve.text.contains("ann - score"), "the watcher saw no board: {}", eve.text);
}

#[tokio::test(start_paused = true)]
async fn keys_that_a_terminal_sends_at_once_do_what_they_do_in_a_line() {
    let server = server(&["ann", "bob"]);
    let (mut ann, mut bob) =
        (Client::person(&server, "ann").await, Client::person(&server, "bob").await);
    // Backspace, Delete, Ctrl-U, and the start of a telnet negotiation.
    ann.send(b"leave\x15tell bob hells\x7fo\xff\xfa\x08\r\ntell bob again\r\n").await;
    let heard = bob.read().await;
    assert!(heard.contains("ann tells you: hello\r\n"), "{heard:?}");
    assert!(heard.contains("ann tells you: again\r\n"), "{heard:?}");
    ann.read().await;
    // Ctrl-C of `telnet`, which shows nothing until its timing mark is answered.
    ann.send(b"\xff\xf4\xff\xfd\x06").await;
    assert_eq!(ann.read().await, String::from_utf8_lossy(b"\xff\xfc\x06"));
}

#[tokio::test(start_paused = true)]
async fn the_board_style_is_a_setting_that_stays_and_programs_start_with_3() {
    let server = server(&["ann", "bob"]);
    let mut ann = Client::person(&server, "ann").await;
    let mut bob = Client::program(&server, "bob").await;
    ann.say("invite bob 3").await;
    assert!(bob.say("join ann").await.contains("board:You:ann:3:"));
    assert!(ann.read().await.contains("BAR: "));
    for (style, found, missing) in
        [("1", "+BAR+", "board:"), ("2", "|BAR|", "+BAR+"), ("3", "board:You:bob:", "BAR")]
    {
        let answer = ann.say(&format!("set boardstyle {style}")).await;
        assert!(answer.starts_with(&format!("Value of 'boardstyle' set to {style}.")), "{answer}");
        let board = ann.say("board").await;
        assert!(board.contains(found) && !board.contains(missing), "{board}");
    }
    assert!(
        ann.say("set boardstyle 4").await.starts_with("** Valid arguments are the numbers 1 to 3.")
    );
    ann.say("bye").await;
    let mut ann = Client::person(&server, "ann").await;
    assert!(ann.say("set boardstyle").await.starts_with("Value of 'boardstyle' is 3."));
    bob.say("set boardstyle 1").await;
    ann.say("invite bob").await;
    assert!(bob.say("join ann").await.contains("+BAR+"));
}

#[tokio::test(start_paused = true)]
async fn a_person_sees_a_table_of_users() {
    let server = server(&["ann", "bob", "Zoe"]);
    let mut zoe = Client::person(&server, "Zoe").await;
    Client::program(&server, "ann").await;
    let mut bob = Client::program(&server, "bob").await;
    bob.say("away having tea").await;
    let _ = zoe.read().await;
    zoe.say("set sortwho name").await;
    let table = zoe.say("who").await;
    let lines: Vec<&str> = table.split("\r\n").collect();
    assert_eq!(lines[0], "No  S  username        rating  exp login    idle  from");
    assert_eq!(lines[1], " 1  R  Zoe             1500.00    0  0:00    0:00  localhost");
    assert_eq!(
        lines[2], " 2  A  bob             1500.00    0  0:00    0:00  localhost",
        "ann's connection is gone"
    );
    assert_eq!(lines[3], "> ");
    assert!(zoe.say("who count").await.starts_with("There are 2 users logged in."));
}
