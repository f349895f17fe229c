//! The engine of a bot, and its pace.

use std::sync::Arc;
use std::time::{Duration, Instant};

use nonet::backgammon::{Dice, Position};
use nonet::bot::{Decider, MakeDecider, Pace};
use nonet::engine::Engine;
use nonet::open::CHAMPION;
use nonet::search::Plies;
use nonet::store::NetFile;

use crate::cli::args::databases::databases;
use crate::cli::args::player::open_net;
use crate::cli::error::usage;

/// The engine that decides.
#[derive(clap::Args)]
pub(crate) struct BotEngineArgs {
    /// Net: a name as champion, a file or the folder of a run.
    #[arg(long, value_name = "NET", default_value = CHAMPION, help_heading = "Engine")]
    pub(super) net: String,
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
    pub(crate) ply: u8,
    /// Do not use the bearoff databases.
    #[arg(long, alias = "no-endings", help_heading = "Engine")]
    no_bearoff: bool,
}

impl BotEngineArgs {
    pub(crate) fn decider(&self) -> anyhow::Result<Decider> {
        Ok(self.make_decider()?(Arc::new(self.read_net()?.team)))
    }

    pub(super) fn read_net(&self) -> anyhow::Result<NetFile> {
        open_net(&self.net)
    }

    /// Makes deciders with these arguments, for any net.
    pub(super) fn make_decider(&self) -> anyhow::Result<MakeDecider> {
        let mut engine = Engine::builder().plies(Plies::new(self.ply)?);
        if !self.no_bearoff {
            engine = engine.bearoff(databases()?);
        }
        let engine = engine.build()?;
        Ok(Box::new(move |net| Decider::new(&engine.with_net(net))))
    }
}

/// The waiting times of a bot that decides within `seconds`.
pub(crate) fn pace(seconds: f64) -> anyhow::Result<Pace> {
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
pub(crate) fn check_pace(decider: &mut Decider, ply: u8, seconds: f64) -> anyhow::Result<()> {
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
