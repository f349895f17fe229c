//! `nonet bgammon demo`: a match of the bot against a scripted opponent on a practice server, all
//! in one process.

use nonet::bot::{
    BgammonAccount, BgammonAddr, BgammonBot, BgammonOpponent, Bot, BotConfig, MatchLog, NewMatches,
    Notice, ServerAddr, SessionObserver, Site,
};

use crate::cli::bot::demo::{DemoArgs, print_matches, records_folder};
use crate::cli::bot::engine::{check_pace, pace};
use crate::cli::bot::{block_on, is_set};
use crate::cli::clock::now;
use crate::cli::interrupt::on_interrupt;
use crate::cli::output::examples::examples;

/// Play one match against a scripted opponent, all in this process.
///
/// The match is played on a practice server.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Play a match to 3 points", "nonet bgammon demo"),
    ("Play one point and keep the record", "nonet bgammon demo 1 --records records"),
]))]
pub(super) struct Args {
    #[command(flatten)]
    demo: DemoArgs,
}

/// The bot's name, as the server shows it.
const BOT: &str = "BOT_nonet";
const OPPONENT: &str = "scripted";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let args = &args.demo;
    let pace = pace(args.pace)?;
    let mut decider = args.engine.decider()?;
    check_pace(&mut decider, args.engine.ply, args.pace)?;
    let (folder, _temporary) = records_folder(args.records.as_deref())?;
    let config = BotConfig {
        site: Site::Bgammon,
        name: BOT.to_owned(),
        matches: Some(1),
        ..BotConfig::default()
    };
    let bot = Bot::new(decider, config, MatchLog::open(&folder, false)?, Box::new(now));
    let observer = SessionObserver::new(&bot, None, None, Box::new(now));
    let matches = NewMatches { lengths: vec![args.points], ..NewMatches::default() };
    let mut bot = BgammonBot::new(bot, matches);
    let mut opponent = BgammonOpponent::of(BOT, 1);
    let stop = on_interrupt();
    block_on(async {
        let any_port = ServerAddr { host: "127.0.0.1".to_owned(), port: 0 };
        let served = nonet::bot::serve_bgammon(&any_port, args.seed).await?;
        let server = ServerAddr { port: served.port, ..any_port };
        tracing::info!("practice server on {}:{}", server.host, server.port);
        let guest = |name: &str| BgammonAccount {
            server: BgammonAddr::Tcp(server.clone()),
            name: name.to_owned(),
            password: None,
            pace,
            wait_for_server: false,
            seed: args.seed,
        };
        let (own, other) = (guest(BOT), guest(OPPONENT));
        // The opponent waits for a bot that has left.
        let opponent = async {
            nonet::bot::play_bgammon(&other, &mut opponent, is_set(stop.clone()), |_: Notice| {})
                .await;
            std::future::pending::<()>().await;
        };
        tokio::select! {
            result = served.run() => result?,
            _ = nonet::bot::play_bgammon(&own, &mut bot, is_set(stop.clone()), observer) => {}
            () = opponent => {}
        }
        Ok(())
    })?;
    if let Some(error) = bot.bot.take_failure() {
        return Err(error.into());
    }
    print_matches(&folder)
}
