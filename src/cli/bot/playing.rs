//! The options of a bot that plays on a server, and its run from the first file to the last.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nonet::bot::{
    Bot, BotConfig, Ended, LearnerThread, MatchLog, Password, ServerAddr, SessionObserver,
    SharedFigures,
};

use super::account_lock::Lock;
use super::block_on;
use super::engine::{BotEngineArgs, check_pace};
use super::learning::LearningArgs;
use super::observation::{TranscriptArgs, keep_metrics, log_incidents, write_metrics};
use crate::cli::clock::now;
use crate::cli::interrupt::on_interrupt;

/// Options of a bot on any server.
#[derive(clap::Args)]
pub(crate) struct PlayingArgs {
    #[command(flatten)]
    engine: BotEngineArgs,
    /// Players to refuse, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAMES", help_heading = "Matches")]
    pub(crate) refuse: Vec<String>,
    /// The only players to accept, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAMES", help_heading = "Matches")]
    pub(crate) only: Vec<String>,
    /// Players who may give orders in chat.
    ///
    /// The orders are pause, resume, finish (the match, then log out), status and quit.
    #[arg(long, value_delimiter = ',', value_name = "NAMES", help_heading = "Account")]
    pub(crate) owners: Vec<String>,
    /// Log out after this many matches [default: never]
    #[arg(long, value_name = "N", help_heading = "Matches")]
    pub(crate) matches: Option<u32>,
    /// Longest pause before a decision; 0 is none.
    ///
    /// The shortest pause is a quarter of it. With 0 the bot plays as fast as the server allows.
    #[arg(long, default_value_t = 2.5, value_name = "SECONDS", help_heading = "Engine")]
    pub(crate) pace: f64,
    /// Wait until the server can be reached.
    #[arg(long, help_heading = "Account")]
    pub(crate) wait: bool,
    #[command(flatten)]
    transcript: TranscriptArgs,
    /// Write figures for Prometheus to this file.
    ///
    /// The file is written every 10 seconds and at the end.
    #[arg(long, value_name = "FILE", help_heading = "Records and logs")]
    metrics: Option<PathBuf>,
    #[command(flatten)]
    learning: LearningArgs,
}

/// A bot that is ready to play.
pub(crate) struct Playing {
    pub(crate) bot: Bot,
    pub(crate) observer: SessionObserver,
    pub(crate) stop: Arc<AtomicBool>,
    /// Held while it plays.
    pub(crate) _lock: Lock,
}

impl PlayingArgs {
    /// Locks the records, opens everything and makes the bot.
    pub(crate) fn open(
        &self,
        config: BotConfig,
        records: &Path,
        lock: impl FnOnce() -> anyhow::Result<Lock>,
        secret: Option<&Password>,
        seed: u64,
    ) -> anyhow::Result<Playing> {
        self.learning.check()?;
        let (first, make_decider) = (self.engine.read_net()?, self.engine.make_decider()?);
        let lock = lock()?.with_records(records)?;
        let match_log = MatchLog::open(records, true)?;
        let learner = self.learning.learner(records, &first, &self.engine.net, seed)?;
        let net =
            learner.as_ref().map_or_else(|| Arc::new(first.team), |l| Arc::clone(l.playing()));
        let mut decider = make_decider(net);
        check_pace(&mut decider, self.engine.ply, self.pace)?;
        let mut bot = Bot::new(decider, config, match_log, Box::new(now));
        let figures = Rc::clone(bot.figures());
        let transcript = self.transcript.open(secret)?;
        let observer = SessionObserver::new(&bot, secret.cloned(), transcript, Box::new(now));
        if let Some(path) = &self.metrics {
            write_metrics(path, &figures)?;
        }
        if let Some(learner) = learner {
            tracing::info!("the learning net has learned from {} games", learner.games());
            bot.learn_from_matches(LearnerThread::spawn(learner)?, make_decider);
        }
        let stop = on_interrupt();
        Ok(Playing { bot, observer, stop, _lock: lock })
    }

    /// Plays to the end, and keeps the metrics meanwhile. `figures` are those of the bot.
    pub(crate) fn until_ended(
        &self,
        figures: &SharedFigures,
        play: impl Future<Output = Ended>,
    ) -> anyhow::Result<Ended> {
        let ended = block_on(async {
            tokio::select! {
                ended = play => Ok(Some(ended)),
                () = keep_metrics(self.metrics.as_deref(), Rc::clone(figures)) => Ok(None),
            }
        })?;
        Ok(ended.expect("metrics are kept for ever"))
    }

    /// Finishes what the bot has begun, and says how it ended.
    pub(crate) fn close(
        &self,
        bot: &mut Bot,
        stop: &AtomicBool,
        ended: Ended,
        server: &ServerAddr,
        name: &str,
    ) -> anyhow::Result<()> {
        bot.finish_learning(stop);
        if let Some(path) = &self.metrics {
            write_metrics(path, bot.figures())?;
        }
        log_incidents(&bot.figures().borrow().incidents);
        if let Some(error) = bot.take_failure() {
            return Err(error.into());
        }
        let ServerAddr { host, port } = server;
        match ended {
            Ended::Quit => Ok(()),
            Ended::Unreachable(reason) => anyhow::bail!(
                "cannot reach {host}:{port}: {reason}; with --wait it is tried again until it answers"
            ),
            Ended::Elsewhere => anyhow::bail!(
                "another program uses the account '{name}' on {host}, and has logged in again each time: stop it first"
            ),
            Ended::Refused => anyhow::bail!(
                "{host} refuses the login of '{name}' with this password; it was not tried again"
            ),
        }
    }
}
