//! `nonet fibs play`: the bot.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use nonet::bot::{
    Bot, BotConfig, Decider, Ended, InvitationPolicy, LearnerThread, MakeDecider, MatchLog, Notice,
    OnlineLearner, OnlineLearningConfig, Pace,
};
use nonet::engine::Engine;
use nonet::search::Plies;
use nonet::store::NetFile;

use super::account::AccountArgs;
use super::lock::Lock;
use super::{block_on, line, now, set};
use crate::cli::bearoff::databases;
use crate::cli::interrupt::on_interrupt;
use crate::cli::players::{BUILT_IN, open_team};
use crate::cli::{pool, usage};

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    account: AccountArgs,
    #[command(flatten)]
    brain: BotEngineArgs,
    /// Where matches are written down.
    #[arg(long, value_name = "DIR", default_value = "runs/fibs")]
    records: PathBuf,
    /// The longest match, in points.
    #[arg(long, default_value_t = 9, value_name = "POINTS")]
    longest: u32,
    /// Play unlimited matches too.
    #[arg(long)]
    unlimited: bool,
    /// Do not play with these.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    refuse: Vec<String>,
    /// Play with these only.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    only: Vec<String>,
    /// Who may give orders by tell: pause, resume, last (finish and stop), status, quit.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    owners: Vec<String>,
    /// Invite this player whenever there is nothing else to do, as `bob:5` for matches of 5 points.
    #[arg(long, value_name = "NAME:POINTS")]
    challenge: Option<String>,
    /// Log out after so many matches. [default: never]
    #[arg(long)]
    matches: Option<u32>,
    /// Seconds that a decision takes at most, at least a quarter of that; 0 is as fast as the server can take.
    #[arg(long, default_value_t = 2.5, value_name = "SECONDS")]
    pace: f64,
    /// Learn from every match by TD(lambda): a copy of the net does, in RECORDS/learning, and it takes the place of the net
    /// that plays whenever it is not worse than that. Once one has, it plays instead of --net.
    #[arg(long)]
    learn: bool,
    /// Games with duplicate dice, at 1-ply, that decide after each match whether the learning net plays.
    #[arg(long, default_value_t = OnlineLearningConfig::default().promote_games, value_name = "N", requires = "learn",
        value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    promote_games: u64,
    /// The rate of that learning.
    #[arg(long, default_value_t = OnlineLearningConfig::default().alpha, value_name = "RATE", requires = "learn")]
    alpha: f32,
}

/// What decides.
#[derive(clap::Args)]
pub(super) struct BotEngineArgs {
    /// The net file that plays; `built-in` is nets/champion.nonet as it was when this program was made.
    #[arg(long, value_name = "FILE", default_value = BUILT_IN)]
    net: String,
    /// How far plays are looked at: 1 judges every result, 2 also the replies to the best of them.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    ply: u8,
    /// Do not use the bearoff databases.
    #[arg(long, alias = "no-endings")]
    no_bearoff: bool,
}

impl BotEngineArgs {
    pub(super) fn judge(&self) -> anyhow::Result<Decider> {
        Ok(self.hire()?(Arc::new(self.read()?.team)))
    }

    fn read(&self) -> anyhow::Result<NetFile> {
        open_team(&self.net)
    }

    /// How any net is made to decide.
    fn hire(&self) -> anyhow::Result<MakeDecider> {
        let mut engine = Engine::builder().plies(Plies::new(self.ply)?);
        if !self.no_bearoff {
            engine = engine.bearoff(databases()?);
        }
        let engine = engine.build()?;
        Ok(Box::new(move |net| Decider::new(&engine.with_net(net))))
    }
}

fn challenge(word: &str) -> anyhow::Result<(String, u32)> {
    let wrong =
        || usage(format!("'{word}' is no challenge: a name and points are wanted, as bob:5"));
    let (name, points) = word.split_once(':').ok_or_else(wrong)?;
    let points = points.parse().ok().filter(|n| (1..=99).contains(n)).ok_or_else(wrong)?;
    Ok((name.to_owned(), points))
}

/// The paces of a bot that takes at most so many seconds for a decision.
pub(super) fn pace(seconds: f64) -> anyhow::Result<Pace> {
    if !(0.0..=60.0).contains(&seconds) {
        return Err(usage("--pace must be 0 to 60 seconds"));
    }
    let usual = Pace::default();
    let think = [seconds / 4.0, seconds].map(Duration::from_secs_f64);
    if seconds > 0.0 {
        return Ok(Pace { think, ..usual });
    }
    // Not at once even then: a server may still be busy with what we answer.
    let gap = Duration::from_millis(20);
    Ok(Pace { gap, chat: Duration::from_millis(200), think: [gap, gap] })
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let seed = now().to_bits();
    let account = args.account.check(pace(args.pace)?, seed)?;
    if args.longest == 0 {
        return Err(usage("--longest must be at least 1 point"));
    }
    let manners = BotConfig {
        name: account.name.clone(),
        policy: InvitationPolicy {
            longest: args.longest,
            unlimited: args.unlimited,
            refused: args.refuse.clone(),
            only: args.only.clone(),
            ..InvitationPolicy::default()
        },
        owners: args.owners.clone(),
        challenge: args.challenge.as_deref().map(challenge).transpose()?,
        matches: args.matches,
    };
    if !(args.alpha > 0.0 && args.alpha <= 1.0) {
        return Err(usage("--alpha must be above 0 and at most 1"));
    }
    let (first, hire) = (args.brain.read()?, args.brain.hire()?);
    let _lock = Lock::take(&account)?;
    let diary = MatchLog::open(&args.records, true)?;
    let student = if args.learn { Some(student(args, &first, seed)?) } else { None };
    let team = student.as_ref().map_or_else(|| Arc::new(first.team), |s| Arc::clone(s.playing()));
    let mut bot = Bot::new(hire(team), manners, diary, Box::new(now));
    bot.log = Box::new(line);
    if let Some(student) = student {
        line(&format!("the learning net has learned from {} games", student.games()));
        // One thread: the others are for playing.
        bot.learn(LearnerThread::open(student, pool(Some(1))?)?, hire);
    }
    let stop = on_interrupt();
    let ended = block_on(async {
        Ok(nonet::bot::play(&account, &mut bot, set(Arc::clone(&stop)), notice).await)
    })?;
    bot.finish_learning(&stop);
    if let Some(error) = bot.take_failure() {
        return Err(error.into());
    }
    match ended {
        Ended::Quit => Ok(()),
        Ended::Refused => anyhow::bail!(
            "{} does not accept the name '{}' with this password; nothing was tried again",
            account.place.host,
            account.name
        ),
    }
}

/// The student in the folder of the records.
fn student(args: &Args, first: &NetFile, seed: u64) -> anyhow::Result<OnlineLearner> {
    let folder = args.records.join("learning");
    let (alpha, promote_games) = (args.alpha, args.promote_games);
    let teaching =
        OnlineLearningConfig { alpha, promote_games, seed, ..OnlineLearningConfig::default() };
    Ok(OnlineLearner::open(&folder, first, &args.brain.net, teaching)?)
}

/// What happens to the connection.
pub(super) fn notice(notice: Notice) {
    match notice {
        Notice::Connected => line("connected"),
        Notice::Disconnect { why, again } => {
            line(&format!("the connection is gone ({why}); again in {:.1} s", again.as_secs_f64()));
        }
    }
}
