//! `nonet fibs demo`: a rated match of the bot against a scripted opponent on a practice server,
//! all in one process.

use std::io::Write;

use nonet::bot::{
    Bot, BotAccount, BotConfig, DemoOpponent, MatchLog, Notice, Password, ServerAddr,
    SessionObserver,
};

use crate::cli::bot::demo::{DemoArgs, print_matches, records_folder};
use crate::cli::bot::engine::{check_pace, pace};
use crate::cli::bot::{block_on, is_set};
use crate::cli::clock::now;
use crate::cli::error::usage;
use crate::cli::interrupt::on_interrupt;
use crate::cli::output::examples::examples;

/// Play one match against a scripted opponent, all in this process.
///
/// The match is played on a practice server.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Play a match to 3 points", "nonet fibs demo"),
    ("Play one point and keep the record", "nonet fibs demo 1 --records records"),
]))]
pub(super) struct Args {
    #[command(flatten)]
    demo: DemoArgs,
}

const BOT: &str = "nonet";
const OPPONENT: &str = "scripted";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let args = &args.demo;
    let pace = pace(args.pace)?;
    let mut decider = args.engine.decider()?;
    check_pace(&mut decider, args.engine.ply, args.pace)?;
    let (folder, _temporary) = records_folder(args.records.as_deref())?;
    let config = BotConfig { name: BOT.to_owned(), matches: Some(1), ..BotConfig::default() };
    let mut bot = Bot::new(decider, config, MatchLog::open(&folder, false)?, Box::new(now));
    let mut opponent = DemoOpponent::challenging(BOT, args.points, 1);
    // For this one server only.
    let password = Password::new(format!("{:016x}", now().to_bits())).map_err(usage)?;
    let observer = SessionObserver::new(&bot, password.clone(), None, Box::new(now));
    let stop = on_interrupt();
    let standing = block_on(async {
        let any_port = ServerAddr { host: "127.0.0.1".to_owned(), port: 0 };
        let served = nonet::bot::serve(&any_port, None, args.seed).await?;
        let server = ServerAddr { port: served.port, ..any_port };
        let account = |name: &str| {
            served.register(name, &password);
            let (server, password) = (server.clone(), password.clone());
            BotAccount {
                server,
                name: name.to_owned(),
                password,
                pace,
                wait_for_server: false,
                address: None,
                seed: args.seed,
            }
        };
        let (own, others) = (account(BOT), account(OPPONENT));
        tracing::info!("practice server on {}:{}", server.host, server.port);
        // The opponent waits for a bot that has left.
        let opponent = async {
            nonet::bot::play(&others, &mut opponent, is_set(stop.clone()), |_: Notice| {}).await;
            std::future::pending::<()>().await;
        };
        tokio::select! {
            result = served.run() => result?,
            _ = nonet::bot::play(&own, &mut bot, is_set(stop.clone()), observer) => {}
            () = opponent => {}
        }
        Ok(served.standing(BOT))
    })?;
    if let Some(error) = bot.take_failure() {
        return Err(error.into());
    }
    print_matches(&folder)?;
    if let Some(standing) = standing {
        writeln!(
            std::io::stdout(),
            "rating {:.2}, experience {}",
            standing.rating,
            standing.experience
        )?;
    }
    Ok(())
}
