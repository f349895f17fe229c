//! Logging in, registering, deadlines and the state file.

use std::fs;
use std::time::Duration;

use fibs::Password;
use fibs::client::Connect;
use fibs::oneshot::{NetError, RegisterError, register, watch, whoami};
use fibs::server::{InProcessConnector, Server};

use tokio::io::AsyncWriteExt;
use tokio::time::sleep;

use super::{Client, options, server};

#[tokio::test(start_paused = true)]
async fn a_guest_registers_in_the_dialogue_that_clients_wait_for() {
    let server = server(&["taken"]);
    let mut guest = Client::connect(&server).await;
    let greeting = guest.say("guest").await;
    assert!(greeting.contains("Welcome to FIBS. You just logged in as guest."), "{greeting}");
    // Clients wait for this line before they send a name.
    assert!(greeting.ends_with("\r\nONE USERNAME PER PERSON ONLY!!!\r\n> "), "{greeting}");
    for (name, refusal) in [
        ("TAKEN", "** Please use another name. 'TAKEN' is already used by someone else."),
        ("ann1", "** Your name may only contain letters and the underscore character _ ."),
        (
            "an\u{1b}[31mn:",
            "** Your name may only contain letters and the underscore character _ .",
        ),
        ("an", "** Please use a name with at least 3 characters."),
        (
            "a_name_of_21_letters_".replace("21", "xx").as_str(),
            "** Please use a name with at most 20 characters.",
        ),
        ("You", "** Please use another name."),
        ("guest", "** Please use another name."),
        ("Login", "** Please use another name."),
        ("nobody", "** Please use another name."),
        ("board", "** Please use another name."),
        ("whois", "** Please use another name."),
    ] {
        let answer = guest.say(&format!("name {name}")).await;
        assert!(answer.starts_with(refusal), "{name}: {answer}");
    }
    assert_eq!(guest.say("name ann").await, "Please give your password: ");
    let answer = guest.say("abc").await;
    assert!(answer.starts_with("Minimal password length is"), "{answer}");
    assert!(answer.ends_with("Please give your password: "), "{answer}");
    assert_eq!(guest.say("Zanzibar7").await, "Please retype your password: ");
    let answer = guest.say("Zanzibar8").await;
    assert!(answer.starts_with("** The two passwords were not identical"), "{answer}");
    guest.say("Zanzibar7").await;
    let answer = guest.say("Zanzibar7").await;
    assert!(answer.starts_with("You are registered."), "{answer}");
    let answer = guest.say("bye").await;
    assert!(answer.contains("           Goodbye.") && guest.closed, "{answer}");
    Client::person(&server, "ann").await;
}

#[tokio::test(start_paused = true)]
async fn a_guest_looks_around_and_does_nothing_else() {
    let server = server(&["ann"]);
    let _ann = Client::program(&server, "ann").await;
    let mut guest = Client::connect(&server).await;
    guest.say("guest").await;
    for (command, answer) in [
        ("who", "No  S  username        rating  exp login    idle  from\r\n 1  R  ann "),
        ("whois ann", "Information about ann:\r\n"),
        ("where ann", "ann is logged in from localhost."),
        ("last", "ann "),
        ("rat", " rank name            rating    Experience"),
        ("time", "Tuesday, July 27 21:41:02 UTC"),
        ("about", "This is a practice server"),
        ("help", "Guests can use these commands; 'help COMMAND' explains one:\r\n  name about"),
        ("help beginner", "beginner"),
        ("help who", "who WHICH\r\n"),
        ("shout hello", "** Type 'name username' to register, 'help' or 'bye'."),
        ("invite ann 1", "** Type 'name username'"),
        ("watch ann", "** Type 'name username'"),
        ("set boardstyle 3", "** Type 'name username'"),
        ("frobnicate", "** Type 'name username'"),
    ] {
        let said = guest.say(command).await;
        assert!(said.starts_with(answer) && said.ends_with("> "), "{command}: {said:?}");
    }
    assert_eq!(guest.say("name bob").await, "Please give your password: ");
}

#[tokio::test(start_paused = true)]
async fn clients_register_and_log_in() {
    let server = server(&[]);
    let mut connector = InProcessConnector::new(&server, None);
    let password = Password::new("Zanzibar7").expect("good");
    register(&mut connector, "ann", &password).await.expect("a new name");
    let again = register(&mut connector, "Ann", &password).await;
    assert!(matches!(again, Err(RegisterError::Refused(why)) if why.contains("already used")));
    let reserved = register(&mut connector, "guest", &password).await;
    assert!(matches!(reserved, Err(RegisterError::Refused(_))));
    let welcome = whoami(&mut connector, "test", "ann", &password).await.expect("logs in");
    assert_eq!(welcome.info.map(|info| info.name).as_deref(), Some("ann"));
    let wrong = Password::new("Zanzibar8").expect("good");
    let refused = whoami(&mut connector, "test", "ann", &wrong).await;
    assert!(matches!(refused, Err(NetError::Refused)));
}

/// Connections to a server that never stops talking, and never says what is waited for.
struct Chatter;

impl Connect for Chatter {
    type Stream = tokio::io::DuplexStream;

    async fn connect(&mut self) -> std::io::Result<Self::Stream> {
        let (ours, mut theirs) = tokio::io::duplex(1024);
        tokio::spawn(async move {
            while theirs.write_all(b"bob kibitzes: nice roll\r\n").await.is_ok() {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
        Ok(ours)
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_talks_of_other_things_is_not_waited_for() {
    let began = tokio::time::Instant::now();
    let password = Password::new("Zanzibar7").expect("good");
    let answer = whoami(&mut Chatter, "test", "ann", &password).await;
    assert!(matches!(answer, Err(NetError::Silent)));
    assert!(began.elapsed() <= Duration::from_secs(31), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn watching_ends_while_it_logs_in() {
    let password = Password::new("Zanzibar7").expect("good");
    let account = ("test".to_owned(), "ann", &password);
    let stop = tokio::time::sleep(Duration::from_secs(3));
    let began = tokio::time::Instant::now();
    let ended = watch(&mut Chatter, account, "bob", stop, |_, _| {}, |_| {}).await;
    assert!(ended.is_ok() && began.elapsed() < Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn a_wrong_password_brings_back_the_login_prompt() {
    let server = server(&["ann"]);
    let mut person = Client::connect(&server).await;
    let asked = person.say("ann").await;
    // Telnet WILL ECHO hides what is typed from here on.
    assert!(asked.ends_with("password: "), "{asked}");
    let answer = person.say("Zanzibar8").await;
    assert!(answer.contains("Login incorrect") && answer.ends_with("login: "), "{answer}");
    assert!(person.say("connect ann Zanzibar7").await.contains("** User ann authenticated."));
    let mut program = Client::connect(&server).await;
    assert_eq!(program.say("login test 1008 ann Zanzibar8").await, "login: ");
    let answer = program.say("login a_client_name_of_more_than_20 1008 ann Zanzibar7").await;
    assert_eq!(answer, "login: ");
}

#[tokio::test(start_paused = true)]
async fn silent_connections_are_closed_after_a_minute_guests_after_ten_and_users_after_an_hour() {
    let server = server(&["ann", "bob"]);
    let mut nobody = Client::connect(&server).await;
    let mut guest = Client::connect(&server).await;
    guest.say("guest").await;
    let mut ann = Client::program(&server, "ann").await;
    let mut bob = Client::program(&server, "bob").await;
    ann.say("invite bob 3").await;
    bob.say("join ann").await;
    assert!(!nobody.wait(30).await.contains("timed out"));
    assert!(nobody.wait(30).await.contains("Connection timed out.\r\n") && nobody.closed);
    assert!(!guest.wait(480).await.contains("timed out"));
    assert!(guest.wait(120).await.contains("Connection timed out.\r\n") && guest.closed);
    for _ in 0..10 {
        bob.say("time").await;
        bob.wait(290).await;
    }
    assert!(ann.wait(60).await.contains("Connection timed out.\r\n") && ann.closed);
    let told = bob.read().await + &bob.text;
    assert!(told.contains("** Connection with ann timed out. The game was saved.\r\n"), "{told}");
    assert!(bob.say("show saved").await.contains("ann"));
}

#[tokio::test(start_paused = true)]
async fn an_old_state_file_opens_and_a_login_replaces_its_weak_hash() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state");
    fs::write(&path, include_str!("old.state")).expect("written");
    let server = Server::open(&options(Some(path.clone()))).expect("an old file");
    assert_eq!(server.unfinished(), 1);
    let mut wrong = Client::connect(&server).await;
    assert_eq!(wrong.say("login test 1008 ann zanzibar7").await, "login: ");
    let read = || fs::read_to_string(&path).expect("there");
    assert!(!read().contains("$argon2id$"));
    Client::program(&server, "ann").await;
    let last = |text: &str| -> String {
        text.lines().rfind(|line| line.contains(r#""Account":["ann""#)).expect("ann").to_owned()
    };
    assert!(last(&read()).contains(r#""password":"$argon2id$v=19$m=4096,t=2,p=1$"#), "{}", read());
    assert!(!last(&read()).contains("4983821275729081296"));
    // The file is free when the last connection has ended.
    drop((server, wrong));
    sleep(Duration::from_secs(1)).await;
    let server = Server::open(&options(Some(path.clone()))).expect("its own file");
    // Only the account that has not logged in keeps the weak hash, and both still log in.
    assert!(!read().contains("4983821275729081296") && read().contains("4699895825394320339"));
    let mut ann = Client::program(&server, "ann").await;
    Client::program(&server, "bob").await;
    assert!(ann.say("show saved").await.contains("bob"));
}
