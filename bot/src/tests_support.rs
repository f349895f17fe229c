//! What several tests of the bot need: a bot without an opponent, and the lines that it logs.

use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock};

use tempfile::TempDir;
use tracing::Dispatch;
use tracing::subscriber::NoSubscriber;

use crate::{Bot, BotConfig, Decider, MatchLog};
use nonet_engine::backgammon::Position;
use nonet_engine::engine::Engine;
use nonet_engine::eval::{Evaluation, ScriptedEvaluator};
use nonet_engine::search::Plies;

/// An engine to which all positions are equal.
pub(super) fn indifferent_engine() -> Engine {
    let evaluator = ScriptedEvaluator(|_: &Position| Evaluation {
        average: 0.0,
        outcomes: [0.3, 0.15, 0.05, 0.3, 0.15, 0.05],
    });
    Engine::builder().evaluator(evaluator).plies(Plies::ONE).build().expect("an engine")
}

/// A bot with this configuration, and the folder of its records.
pub(super) fn bot_with(config: BotConfig) -> (Bot, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let match_log = MatchLog::open(folder.path(), false).expect("new");
    let decider = Decider::new(&indifferent_engine());
    (Bot::new(decider, config, match_log, Box::new(|| 1_795_242_855.0)), folder)
}

/// A bot with this name, and the folder of its records.
pub(super) fn idle_bot(name: &str) -> (Bot, TempDir) {
    bot_with(BotConfig { name: name.to_owned(), ..BotConfig::default() })
}

/// A writer that keeps its text for the test.
#[derive(Clone, Default)]
struct Captured(Arc<Mutex<Vec<u8>>>);

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no test panics in here").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The lines that `work` logs at level info or above, with their levels.
pub(super) fn captured_log(work: impl FnOnce()) -> String {
    // Beside a single subscriber, `tracing` asks that of whichever thread comes to a callsite
    // first. A test in another thread has none, and would silence the callsite for all.
    static SECOND: OnceLock<Dispatch> = OnceLock::new();
    SECOND.get_or_init(|| Dispatch::new(NoSubscriber::default()));
    let captured = Captured::default();
    let writer = captured.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(move || writer.clone())
        .without_time()
        .with_ansi(false)
        .finish();
    tracing::subscriber::with_default(subscriber, work);
    let bytes = captured.0.lock().expect("no test panics in here").clone();
    String::from_utf8(bytes).expect("text")
}
