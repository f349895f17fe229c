//! `nonet fibs play`: the bot, and the arguments of its engine.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nonet::backgammon::{Dice, Position};
use nonet::bot::{
    Bot, BotConfig, Decider, Ended, InvitationPolicy, LearnerThread, MakeDecider, MatchLog,
    OnlineLearner, OnlineLearningConfig, Pace, SessionObserver,
};
use nonet::engine::Engine;
use nonet::open::BUILT_IN;
use nonet::search::Plies;
use nonet::store::NetFile;

use super::account::AccountArgs;
use super::account_lock::Lock;
use super::observation::{TranscriptArgs, keep_metrics, log_incidents, write_metrics};
use super::{block_on, is_set};
use crate::cli::args::databases::databases;
use crate::cli::args::player::open_net;
use crate::cli::args::threads::pool;
use crate::cli::clock::now;
use crate::cli::error::usage;
use crate::cli::interrupt::on_interrupt;
use crate::cli::output::examples::examples;

/// Log in and play rated matches until Ctrl-C.
///
/// The server saves a match in progress.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Play on FIBS", "FIBS_PASSWORD=secret nonet fibs play --user mybot"),
    (
        "Play one match to 5 points with a player on a practice server of this machine",
        "FIBS_PASSWORD=secret nonet fibs play --user mybot --host localhost --challenge anna:5 --matches 1",
    ),
    (
        "Play on FIBS and learn from every match",
        "nonet fibs play --user mybot --password-file password.txt --learn",
    ),
]))]
pub(super) struct Args {
    #[command(flatten)]
    account: AccountArgs,
    #[command(flatten)]
    engine: BotEngineArgs,
    /// Folder of the match records.
    #[arg(
        long,
        value_name = "DIR",
        default_value = "runs/fibs",
        help_heading = "Records and logs"
    )]
    records: PathBuf,
    /// Longest match to accept, in points.
    #[arg(long, default_value_t = 9, value_name = "POINTS", help_heading = "Invitations")]
    longest: u32,
    /// Accept unlimited matches too.
    #[arg(long, help_heading = "Invitations")]
    unlimited: bool,
    /// Players to refuse, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAMES", help_heading = "Invitations")]
    refuse: Vec<String>,
    /// The only players to accept, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAMES", help_heading = "Invitations")]
    only: Vec<String>,
    /// Refuse players who left N matches when behind.
    ///
    /// Matches that they finished later do not count. By default, nobody is refused.
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "Invitations"
    )]
    refuse_droppers: Option<u32>,
    /// Refuse players of less experience, in points.
    #[arg(long, value_name = "POINTS", help_heading = "Invitations")]
    min_experience: Option<u32>,
    /// Refuse players of more experience, in points.
    #[arg(long, value_name = "POINTS", help_heading = "Invitations")]
    max_experience: Option<u32>,
    /// Players who may give orders by tell.
    ///
    /// The orders are pause, resume, finish (the match, then log out), status and quit.
    #[arg(long, value_delimiter = ',', value_name = "NAMES", help_heading = "Account")]
    owners: Vec<String>,
    /// Invite a player while idle: bob:5 for 5 points.
    #[arg(long, value_name = "NAME:POINTS", help_heading = "Invitations")]
    challenge: Option<String>,
    /// Log out after this many matches [default: never]
    #[arg(long, value_name = "N", help_heading = "Invitations")]
    matches: Option<u32>,
    /// Longest pause before a decision; 0 is none.
    ///
    /// The shortest pause is a quarter of it. With 0 the bot plays as fast as the server allows.
    #[arg(long, default_value_t = 2.5, value_name = "SECONDS", help_heading = "Engine")]
    pace: f64,
    /// Wait until the server can be reached.
    #[arg(long, help_heading = "Account")]
    wait: bool,
    #[command(flatten)]
    transcript: TranscriptArgs,
    /// Write figures for Prometheus to this file.
    ///
    /// The file is written every 10 seconds and at the end.
    #[arg(long, value_name = "FILE", help_heading = "Records and logs")]
    metrics: Option<PathBuf>,
    /// E-mail address of the owner, shown to other players.
    ///
    /// The server is told at each login.
    #[arg(long, value_name = "TEXT", help_heading = "Account")]
    address: Option<String>,
    /// Learn from every match by TD(lambda).
    ///
    /// A copy of the net in RECORDS/learning learns. It is promoted when it is better than the
    /// playing net with 95 % confidence. A promoted net plays instead of --net.
    #[arg(long, help_heading = "Learning")]
    learn: bool,
    /// Games of the promotion match after each match.
    ///
    /// They are played at 1-ply with duplicate dice.
    #[arg(
        long,
        default_value_t = OnlineLearningConfig::default().promote_games,
        value_name = "N",
        requires = "learn",
        value_parser = clap::value_parser!(u64).range(2..=10_000_000),
        help_heading = "Learning"
    )]
    promote_games: u64,
    /// Learning rate, above 0 and at most 1.
    #[arg(
        long,
        default_value_t = OnlineLearningConfig::default().alpha,
        value_name = "RATE",
        requires = "learn",
        help_heading = "Learning"
    )]
    alpha: f32,
}

/// The engine that decides.
#[derive(clap::Args)]
pub(super) struct BotEngineArgs {
    /// Net: a name as champion, a file or the folder of a run.
    #[arg(long, value_name = "NET", default_value = BUILT_IN, help_heading = "Engine")]
    net: String,
    /// Search depth in plies, 1 (static) to 3.
    ///
    /// 3-ply needs a --pace that leaves it the time.
    #[arg(
        long,
        value_name = "N",
        default_value_t = Decider::PLIES.get(),
        value_parser = clap::value_parser!(u8).range(1..=3),
        help_heading = "Engine"
    )]
    pub(super) ply: u8,
    /// Do not use the bearoff databases.
    #[arg(long, alias = "no-endings", help_heading = "Engine")]
    no_bearoff: bool,
}

impl BotEngineArgs {
    pub(super) fn decider(&self) -> anyhow::Result<Decider> {
        Ok(self.make_decider()?(Arc::new(self.read_net()?.team)))
    }

    fn read_net(&self) -> anyhow::Result<NetFile> {
        open_net(&self.net)
    }

    /// Makes deciders with these arguments, for any net.
    fn make_decider(&self) -> anyhow::Result<MakeDecider> {
        let mut engine = Engine::builder().plies(Plies::new(self.ply)?);
        if !self.no_bearoff {
            engine = engine.bearoff(databases()?);
        }
        let engine = engine.build()?;
        Ok(Box::new(move |net| Decider::new(&engine.with_net(net))))
    }
}

/// The name and the points of `bob:5`.
fn challenge(text: &str) -> anyhow::Result<(String, u32)> {
    let invalid = || {
        usage(format!("invalid challenge '{text}': expected a name and 1 to 99 points, as bob:5"))
    };
    let (name, points) = text.split_once(':').ok_or_else(invalid)?;
    let points = points.parse().ok().filter(|n| (1..=99).contains(n)).ok_or_else(invalid)?;
    Ok((name.to_owned(), points))
}

/// The waiting times of a bot that decides within `seconds`.
pub(super) fn pace(seconds: f64) -> anyhow::Result<Pace> {
    if !(0.0..=60.0).contains(&seconds) {
        return Err(usage(format!("invalid pace '{seconds}': expected 0 to 60 seconds")));
    }
    let usual = Pace::default();
    let think = [seconds / 4.0, seconds].map(Duration::from_secs_f64);
    if seconds > 0.0 {
        return Ok(Pace { think, ..usual });
    }
    // Never immediately: the server may still be sending the message that is answered.
    let gap = Duration::from_millis(20);
    Ok(Pace { gap, chat: Duration::from_millis(200), think: [gap, gap] })
}

/// Refuses 3-ply if a decision takes longer than the waiting time before it: opponents would wait
/// for the search.
pub(super) fn check_pace(decider: &mut Decider, ply: u8, seconds: f64) -> anyhow::Result<()> {
    if ply < 3 {
        return Ok(());
    }
    let start = Position::START;
    let mut longest = Duration::ZERO;
    // A double has the most plays.
    for (high, low) in [(3, 1), (6, 5), (4, 4), (1, 1)] {
        let dice = Dice::new(high, low).expect("two dice");
        let began = Instant::now();
        decider.play(&start, dice, None);
        longest = longest.max(began.elapsed());
    }
    let needed = longest.as_secs_f64();
    if needed > seconds {
        return Err(usage(format!(
            "--ply 3 takes up to {needed:.2} s a decision on this machine, longer than --pace {seconds}: \
             pass --pace {:.1} or more, or --ply 2",
            (needed * 10.0).ceil() / 10.0
        )));
    }
    Ok(())
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let seed = now().to_bits();
    let mut account = args.account.account(pace(args.pace)?, seed)?;
    account.wait_for_server = args.wait;
    account.address.clone_from(&args.address);
    if let (Some(least), Some(most)) = (args.min_experience, args.max_experience)
        && least > most
    {
        return Err(usage(format!(
            "invalid experience: --min-experience {least} is above --max-experience {most}, so everybody would be refused"
        )));
    }
    if args.longest == 0 {
        return Err(usage("invalid longest match '0': expected at least 1 point"));
    }
    let config = BotConfig {
        name: account.name.clone(),
        policy: InvitationPolicy {
            longest: args.longest,
            unlimited: args.unlimited,
            refused: args.refuse.clone(),
            only: args.only.clone(),
            refuse_droppers: args.refuse_droppers,
            experience: [args.min_experience, args.max_experience],
            ..InvitationPolicy::default()
        },
        owners: args.owners.clone(),
        challenge: args.challenge.as_deref().map(challenge).transpose()?,
        matches: args.matches,
        secret: Some(account.password.clone()),
    };
    if !(args.alpha > 0.0 && args.alpha <= 1.0) {
        return Err(usage(format!(
            "invalid alpha '{}': expected a rate above 0 and at most 1",
            args.alpha
        )));
    }
    let (first, make_decider) = (args.engine.read_net()?, args.engine.make_decider()?);
    let _lock = Lock::account(&account)?.with_records(&args.records)?;
    let match_log = MatchLog::open(&args.records, true)?;
    let learner = if args.learn { Some(online_learner(args, &first, seed)?) } else { None };
    let net = learner.as_ref().map_or_else(|| Arc::new(first.team), |l| Arc::clone(l.playing()));
    let mut decider = make_decider(net);
    check_pace(&mut decider, args.engine.ply, args.pace)?;
    let mut bot = Bot::new(decider, config, match_log, Box::new(now));
    let figures = Rc::clone(bot.figures());
    let transcript = args.transcript.open(&account.password)?;
    let observer = SessionObserver::new(&bot, account.password.clone(), transcript, Box::new(now));
    if let Some(path) = &args.metrics {
        write_metrics(path, &figures)?;
    }
    if let Some(learner) = learner {
        tracing::info!("the learning net has learned from {} games", learner.games());
        // One thread: the others are for playing.
        bot.learn_from_matches(LearnerThread::spawn(learner, pool(Some(1))?)?, make_decider);
    }
    let stop = on_interrupt();
    let ended = block_on(async {
        let stopped = is_set(Arc::clone(&stop));
        tokio::select! {
            ended = nonet::bot::play(&account, &mut bot, stopped, observer) => Ok(Some(ended)),
            () = keep_metrics(args.metrics.as_deref(), Rc::clone(&figures)) => Ok(None),
        }
    })?
    .expect("metrics are kept for ever");
    bot.finish_learning(&stop);
    if let Some(path) = &args.metrics {
        write_metrics(path, &figures)?;
    }
    log_incidents(&figures.borrow().incidents);
    if let Some(error) = bot.take_failure() {
        return Err(error.into());
    }
    match ended {
        Ended::Quit => Ok(()),
        Ended::Unreachable(reason) => anyhow::bail!(
            "cannot reach {}:{}: {reason}; with --wait it is tried again until it answers",
            account.server.host,
            account.server.port
        ),
        Ended::Elsewhere => anyhow::bail!(
            "another program uses the account '{}' on {}, and has logged in again each time: stop it first",
            account.name,
            account.server.host
        ),
        Ended::Refused => anyhow::bail!(
            "{} refuses the login of '{}' with this password; it was not tried again",
            account.server.host,
            account.name
        ),
    }
}

/// The online learner in the folder of the records.
fn online_learner(args: &Args, first: &NetFile, seed: u64) -> anyhow::Result<OnlineLearner> {
    let folder = args.records.join("learning");
    let (alpha, promote_games) = (args.alpha, args.promote_games);
    let config =
        OnlineLearningConfig { alpha, promote_games, seed, ..OnlineLearningConfig::default() };
    Ok(OnlineLearner::open(&folder, first, &args.engine.net, config)?)
}
