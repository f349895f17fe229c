//! `nonet fibs demo`: server, bot and a scripted opponent in one process, and a rated match between the two.

use std::io::Write;
use std::path::PathBuf;

use nonet::bot::{
    Bot, BotAccount, BotConfig, MatchLog, Password, ScriptedBot, ServerAddr, match_records,
};

use super::play::{BotEngineArgs, notice, pace};
use super::{block_on, line, now, set};
use crate::cli::interrupt::on_interrupt;
use crate::cli::usage;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Points of the match.
    #[arg(default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=9))]
    points: u32,
    #[command(flatten)]
    brain: BotEngineArgs,
    /// Where the match is written down. [default: a folder that is taken away afterwards]
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Seconds that a decision takes at most.
    #[arg(long, default_value_t = 0.0, value_name = "SECONDS")]
    pace: f64,
    /// Seed of the dice.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

const BOT: &str = "nonet";
const OTHER: &str = "scripted";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let pace = pace(args.pace)?;
    let judge = args.brain.judge()?;
    let temporary = tempfile::tempdir()?;
    let folder = args.records.clone().unwrap_or_else(|| temporary.path().to_owned());
    let manners = BotConfig { name: BOT.to_owned(), matches: Some(1), ..BotConfig::default() };
    let mut bot = Bot::new(judge, manners, MatchLog::open(&folder, false)?, Box::new(now));
    bot.log = Box::new(line);
    let mut other = ScriptedBot::challenging(BOT, args.points, 1);
    // Known to nobody, and good for this one server.
    let password = Password::new(format!("{:016x}", now().to_bits())).map_err(usage)?;
    let stop = on_interrupt();
    let standing = block_on(async {
        let any = ServerAddr { host: "127.0.0.1".to_owned(), port: 0 };
        let served = nonet::bot::serve(&any, None, args.seed).await?;
        let place = ServerAddr { port: served.port, ..any };
        let account = |name: &str| {
            served.register(name, &password);
            let (place, password) = (place.clone(), password.clone());
            BotAccount { place, name: name.to_owned(), password, pace, seed: args.seed }
        };
        let (ours, theirs) = (account(BOT), account(OTHER));
        line(&format!("a server listens on {}:{}", place.host, place.port));
        let both = async {
            tokio::join!(
                nonet::bot::play(&ours, &mut bot, set(stop.clone()), notice),
                nonet::bot::play(&theirs, &mut other, set(stop.clone()), |_| {}),
            )
        };
        tokio::select! {
            result = served.run() => result?,
            _ = both => {}
        }
        Ok(served.standing(BOT))
    })?;
    if let Some(error) = bot.take_failure() {
        return Err(error.into());
    }
    let mut out = std::io::stdout();
    for story in match_records(&folder)? {
        let Some((won, [own, theirs])) = story.result else { continue };
        let turns: usize = story.games().iter().map(|game| game.turns().count()).sum();
        let games = story.games().len();
        let result = if won { "won" } else { "lost" };
        writeln!(
            out,
            "{BOT} {result} {own}-{theirs} against {OTHER}: {games} games, {turns} turns"
        )?;
    }
    if let Some(standing) = standing {
        writeln!(out, "rating {:.2}, experience {}", standing.rating, standing.experience)?;
    }
    Ok(())
}
