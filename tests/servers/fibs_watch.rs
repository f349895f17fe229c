//! A match that is watched to its end gives the record that a player of it has: turns, cube
//! actions, resignations, result.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::cell::RefCell;
use std::future::pending;
use std::rc::Rc;
use std::time::Duration;

use fibs::Password;
use fibs::client::{End, run};
use fibs::message::Message;
use fibs::oneshot;
use fibs::server::{InProcessConnector, Options, Server};
use fibs::session::Config;
use nonet::backgammon::Seat;
use nonet::backgammon::record::{RecordEnd, RecordEvent, RecordedGame, Records};
use nonet::bot::{
    Bot, BotConfig, Decider, DemoOpponent, MatchLog, WatchedMatches, Watcher, match_records,
};
use nonet::engine::Engine;
use nonet::search::Plies;

use crate::common::pips;

const MATCHES: u32 = 6;

/// `ann` and `bob` play, and `eve` records what she sees of it.
async fn watched(folder: &std::path::Path, seed: u64) {
    let options = Options { state: None, sync: false, seed, forgets: 0.0, clock: || 0 };
    let server = Server::open(&options).expect("a server");
    let password = || Password::new("Zanzibar7").expect("good");
    for name in ["ann", "bob", "eve"] {
        server.register(name, &password());
    }
    let engine = Engine::builder().evaluator(pips()).plies(Plies::ONE).build().expect("an engine");
    let config = |name: &str| {
        let mut config = Config::new("test", name, password());
        config.seed = seed;
        config
    };
    let bot_config = BotConfig { name: "ann".to_owned(), ..BotConfig::default() };
    let match_log = MatchLog::open(&folder.join("ann"), false).expect("a match log");
    let began = tokio::time::Instant::now();
    let clock = Box::new(move || began.elapsed().as_secs_f64());
    let mut bot = Bot::new(Decider::new(&engine), bot_config, match_log, clock);
    let mut connector = InProcessConnector::new(&server, None);
    let ann = run(&mut connector, config("ann"), &mut bot, pending(), |_| {});

    let mut opponent = DemoOpponent::challenging("ann", 5, MATCHES);
    let mut to_bob = InProcessConnector::new(&server, None);
    let bob = async {
        // The watcher has to be there before.
        tokio::time::sleep(Duration::from_secs(30)).await;
        run(&mut to_bob, config("bob"), &mut opponent, pending(), |_| {}).await
    };

    let watcher = Rc::new(RefCell::new(Watcher::new("ann")));
    let matches = Rc::new(RefCell::new(WatchedMatches::open(&folder.join("eve")).expect("new")));
    let mut to_eve = InProcessConnector::new(&server, None);
    let eve = async {
        tokio::time::sleep(Duration::from_secs(10)).await;
        let sink = |message: Message| {
            let mut watcher = watcher.borrow_mut();
            watcher.handle(&message);
            for game in watcher.take_games() {
                matches.borrow_mut().add(game, began.elapsed().as_secs_f64()).expect("saved");
            }
        };
        let password = password();
        let login = ("test".to_owned(), "eve", &password);
        oneshot::watch(&mut to_eve, login, "ann", pending(), |_, _| {}, sink).await
    };
    tokio::select! {
        _ = ann => panic!("nobody told ann to quit"),
        end = bob => assert_eq!(end, End::Quit),
        end = eve => panic!("nobody told eve to quit: {end:?}"),
        () = tokio::time::sleep(Duration::from_secs(3600 * 24 * 7)) => panic!("a week went by"),
    }
}

/// The games of the `.mat` files in a folder, in the order of their names.
fn games_of_files(folder: &std::path::Path) -> Vec<RecordedGame> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "mat"));
    paths.sort();
    let of = |path: &std::path::PathBuf| {
        let text = std::fs::read(path).expect("there");
        let records = Records::new(&text[..], "mat").expect("a record");
        records.collect::<Result<Vec<_>, _>>().expect("whole")
    };
    paths.iter().flat_map(of).collect()
}

#[tokio::test(start_paused = true)]
async fn a_watched_match_gives_the_record_that_a_player_has() {
    let folder = tempfile::tempdir().expect("a folder");
    watched(folder.path(), 5).await;
    let played: Vec<RecordedGame> = match_records(&folder.path().join("ann"))
        .expect("readable")
        .iter()
        .flat_map(|record| {
            assert_eq!(record.incomplete, None);
            record.games()
        })
        .collect();
    let seen = games_of_files(&folder.path().join("eve"));
    assert_eq!(seen.len(), played.len());
    for (number, (seen, played)) in seen.iter().zip(&played).enumerate() {
        assert_eq!(seen.header(), played.header(), "game {number}");
        assert_eq!(seen.events(), played.events(), "game {number}");
        assert_eq!((seen.end(), seen.won()), (played.end(), played.won()), "game {number}");
    }
    // The matches had all that a watcher must understand.
    let events = || seen.iter().flat_map(RecordedGame::events);
    for seat in Seat::BOTH {
        assert!(
            events().any(|e| matches!(e, RecordEvent::Double { player, .. } if *player == seat)),
            "a double of {seat:?}"
        );
    }
    assert!(events().any(|e| matches!(e, RecordEvent::Take { .. })), "a take");
    assert!(events().any(|e| matches!(e, RecordEvent::Drop { .. })), "a drop");
    let resigned = |game: &RecordedGame| matches!(game.end(), RecordEnd::Resigned { .. });
    assert!(seen.iter().any(resigned), "a resignation");
}
