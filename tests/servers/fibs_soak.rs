//! Bot against bot over a connection that cuts, delays, joins, splits, repeats and drops data.
//!
//! Time is paused. Every match ends, none is lost or played twice, and both bots have recorded the
//! same games.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::future::pending;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use fibs::Password;
use fibs::client::{End as Ended, Notice, run};
use fibs::server::{FaultConfig, FaultCounts, FaultyLink, InProcessConnector, Options, Server};
use fibs::session::Config;
use nonet::backgammon::Seat;
use nonet::backgammon::record::{RecordEnd, RecordEvent, RecordedGame};
use nonet::bot::{Bot, BotConfig, Decider, MatchLog, MatchRecord, SharedFigures, match_records};
use nonet::engine::Engine;
use nonet::eval::Evaluator;
use nonet::search::Plies;
use nonet::store::read_net;

struct Soak {
    figures: FaultCounts,
    forgotten: u64,
    match_records: [Vec<MatchRecord>; 2],
    /// Commands that the server refused, by reason.
    refused: BTreeMap<String, u64>,
    /// Time on the paused clock, in seconds.
    seconds: f64,
}

/// Bots `ann` and `bob` play matches of 5 points over a faulty connection.
async fn soak(
    folder: &Path,
    evaluator: Arc<dyn Evaluator>,
    matches: u32,
    seed: u64,
    cut: f64,
) -> Soak {
    let began = tokio::time::Instant::now();
    let server =
        Server::open(&Options { state: None, sync: false, seed, forgets: 0.1, clock: || 0 })
            .expect("a server");
    let delay = Duration::from_secs(3);
    let line =
        FaultyLink::new(FaultConfig { seed, cut, swallow: 0.012, repeat: 0.03, late: 0.03, delay });
    let mut all_figures: Vec<SharedFigures> = Vec::new();
    let engine =
        Engine::builder().evaluator(evaluator).plies(Plies::ONE).build().expect("an engine");
    let mut clients = Vec::new();
    for (seat, name) in ["ann", "bob"].into_iter().enumerate() {
        let password = Password::new("Zanzibar7").expect("good");
        server.register(name, &password);
        let mut config = Config::new("test", name, password);
        config.seed = seed + seat as u64;
        let first = seat == 0;
        let bot_config = BotConfig {
            name: name.to_owned(),
            challenge: first.then(|| ("bob".to_owned(), 5)),
            matches: first.then_some(matches),
            ..BotConfig::default()
        };
        let match_log = MatchLog::open(&folder.join(name), false).expect("a match log");
        let clock = Box::new(move || began.elapsed().as_secs_f64());
        let mut bot = Bot::new(Decider::new(&engine), bot_config, match_log, clock);
        all_figures.push(Rc::clone(bot.figures()));
        let mut connector = InProcessConnector::new(&server, Some(&line));
        clients.push(async move {
            let end = run(&mut connector, config, &mut bot, pending(), |_: Notice| {}).await;
            assert!(bot.take_failure().is_none());
            end
        });
    }
    let [ann, mut bob]: [_; 2] =
        clients.into_iter().map(Box::pin).collect::<Vec<_>>().try_into().ok().expect("two");
    tokio::select! {
        end = ann => assert_eq!(end, Ended::Quit),
        _ = &mut bob => panic!("nobody told bob to quit"),
        () = tokio::time::sleep(Duration::from_secs(3600 * 24 * 7)) => panic!("a week went by"),
    }
    // Bob may not know yet how the last match ended.
    tokio::select! {
        _ = bob => panic!("nobody told bob to quit"),
        () = tokio::time::sleep(Duration::from_secs(900)) => {}
    }
    assert_eq!(server.unfinished(), 0, "the server has a match that is not over");
    let match_records =
        ["ann", "bob"].map(|name| match_records(&folder.join(name)).expect("readable"));
    let mut refused = BTreeMap::new();
    for figures in all_figures {
        for (why, count) in figures.borrow().incidents.refused_commands.most_frequent(usize::MAX) {
            *refused.entry(why.to_owned()).or_insert(0) += count;
        }
    }
    Soak {
        figures: line.counts(),
        forgotten: server.forgotten(),
        match_records,
        refused,
        seconds: began.elapsed().as_secs_f64(),
    }
}

/// What happened in a game, with the seats exchanged if `swap`.
fn moves(game: &RecordedGame, swap: bool) -> (Vec<RecordEvent>, RecordEnd) {
    let seat = |player: Seat| if swap { player.other() } else { player };
    let event = |event: &RecordEvent| match *event {
        RecordEvent::Turn(mut turn) => {
            turn.player = seat(turn.player);
            RecordEvent::Turn(turn)
        }
        RecordEvent::Double { player, value } => {
            RecordEvent::Double { player: seat(player), value }
        }
        RecordEvent::Beaver { player, value } => {
            RecordEvent::Beaver { player: seat(player), value }
        }
        RecordEvent::Take { player } => RecordEvent::Take { player: seat(player) },
        RecordEvent::Drop { player } => RecordEvent::Drop { player: seat(player) },
    };
    let end = match game.end() {
        RecordEnd::Natural { winner, outcome } => {
            RecordEnd::Natural { winner: seat(winner), outcome }
        }
        RecordEnd::Dropped { winner } => RecordEnd::Dropped { winner: seat(winner) },
        RecordEnd::Resigned { winner, stake } => {
            RecordEnd::Resigned { winner: seat(winner), stake }
        }
        RecordEnd::Unfinished => RecordEnd::Unfinished,
    };
    (game.events().iter().map(event).collect(), end)
}

/// Asserts what must hold after any soak.
fn check(soak: &Soak, matches: usize) {
    let [ann, bob] = &soak.match_records;
    assert_eq!((ann.len(), bob.len()), (matches, matches), "a match is lost or was played twice");
    for (i, (a, b)) in ann.iter().zip(bob).enumerate() {
        assert_eq!((&a.incomplete, &b.incomplete), (&None, &None), "match {i}");
        let (won, [own, other]) = a.result.expect("over");
        assert_eq!(b.result, Some((!won, [other, own])), "match {i}");
        assert_eq!(a.score(), [own, other], "match {i}: the games make the score");
        assert!(own.max(other) >= 5 && own.min(other) < 5, "match {i}");
        let (ours, theirs) = (a.games(), b.games());
        assert_eq!(ours.len(), theirs.len(), "match {i}");
        for (game, (x, y)) in ours.iter().zip(&theirs).enumerate() {
            assert_eq!(moves(x, false), moves(y, true), "match {i}, game {game}");
        }
    }
    assert_eq!(soak.refused.get("BadMove"), None, "an illegal play was sent");
}

/// Its games end. Players by pips alone hit on for thousands of turns.
fn small_net() -> Arc<dyn Evaluator> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/small.nonet");
    Arc::new(read_net(&path).expect("a net").team)
}

#[tokio::test(start_paused = true)]
async fn every_match_over_a_faulty_connection_ends_and_both_bots_record_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let soak = soak(folder.path(), small_net(), 4, 1, 0.003).await;
    check(&soak, 4);
    assert!(soak.figures.cuts >= 5 && soak.figures.swallowed >= 5, "{:?}", soak.figures);
}

/// In addition to its assertions this test writes the report `reports/fibs-soak/README.md` anew:
/// `cargo test --release --test servers fibs_soak -- --ignored`.
#[tokio::test(start_paused = true)]
#[ignore = "200 matches with a net: minutes"]
async fn two_hundred_matches_of_five_points() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    let soak = soak(folder.path(), small_net(), 200, 2, 0.0018).await;
    check(&soak, 200);
    let FaultCounts { connections, cuts, swallowed, repeated, delayed, pieces, bytes } =
        soak.figures;
    assert!(cuts >= 500 && swallowed >= 500, "{:?}", soak.figures);
    let games: usize = soak.match_records[0].iter().map(|record| record.games().len()).sum();
    let turns: usize = soak.match_records[0]
        .iter()
        .flat_map(MatchRecord::games)
        .map(|game| game.turns().count())
        .sum();
    let ends = |wanted: fn(&RecordEnd) -> bool| {
        soak.match_records[0]
            .iter()
            .flat_map(MatchRecord::games)
            .filter(|game| wanted(&game.end()))
            .count()
    };
    let dropped = ends(|end| matches!(end, RecordEnd::Dropped { .. }));
    let resigned = ends(|end| matches!(end, RecordEnd::Resigned { .. }));
    let refused: u64 = soak.refused.values().sum();
    let hours = soak.seconds / 3600.0;
    let text = format!(
        "# Bot against bot over a bad line\n\n\
         `cargo test --release --test servers fibs_soak -- --ignored`: two bots with `nets/small.nonet` at 1-ply play 200 matches of\n\
         5 points on the practice server through its fault proxy, on paused time, seed 2.\n\n\
         | what | figure |\n|---|---|\n\
         | matches begun, ended, written down by both sides | 200 |\n\
         | matches lost, played twice, or of which a move is missing | 0 |\n\
         | games ({dropped} dropped, {resigned} resigned) | {games} |\n\
         | turns, alike in both records | {turns} |\n\
         | illegal plays sent | 0 |\n\
         | commands that the server refused as out of turn | {refused} |\n\
         | connections made | {connections} |\n\
         | connections cut, inside a line or after one | {cuts} |\n\
         | commands swallowed | {swallowed} |\n\
         | boards repeated | {repeated} |\n\
         | automatic rolls forgotten by the server | {} |\n\
         | pieces held back for up to 3 seconds | {delayed} |\n\
         | pieces that {bytes} bytes from the server were cut into or glued to | {pieces} |\n\
         | hours that it would have taken | {hours:.0} |\n",
        soak.forgotten,
    );
    let report = root.join("reports/fibs-soak");
    std::fs::create_dir_all(&report).expect("a folder");
    std::fs::write(report.join("README.md"), text).expect("written");
}
