//! `nonet fibs play`: the bot on FIBS.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use nonet::bot::{BotConfig, InvitationPolicy, Site};

use super::account::AccountArgs;
use crate::cli::bot::account_lock::Lock;
use crate::cli::bot::engine::pace;
use crate::cli::bot::is_set;
use crate::cli::bot::playing::{Playing, PlayingArgs};
use crate::cli::clock::now;
use crate::cli::error::usage;
use crate::cli::output::examples::examples;

/// Log in and play rated matches until Ctrl-C.
///
/// The server saves a match in progress.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Play on FIBS", "FIBS_PASSWORD=secret nonet fibs play --user mybot"),
    (
        "Play one match to 5 points on a local practice server, with FIBS_PASSWORD set",
        "nonet fibs play --user me --host localhost --challenge anna:5 --matches 1",
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
    playing: PlayingArgs,
    /// Folder of the match records.
    #[arg(
        long,
        value_name = "DIR",
        default_value = "runs/fibs",
        help_heading = "Records and logs"
    )]
    records: PathBuf,
    /// Longest match to accept, in points.
    #[arg(long, default_value_t = 9, value_name = "POINTS", help_heading = "Matches")]
    longest: u32,
    /// Accept unlimited matches too.
    #[arg(long, help_heading = "Matches")]
    unlimited: bool,
    /// Refuse players who left N matches when behind.
    ///
    /// Matches that they finished later do not count. By default, no player is refused.
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "Matches"
    )]
    refuse_droppers: Option<u32>,
    /// Refuse players of less experience, in points.
    #[arg(long, value_name = "POINTS", help_heading = "Matches")]
    min_experience: Option<u32>,
    /// Refuse players of more experience, in points.
    #[arg(long, value_name = "POINTS", help_heading = "Matches")]
    max_experience: Option<u32>,
    /// Invite a player while idle: bob:5 for 5 points.
    #[arg(long, value_name = "NAME:POINTS", help_heading = "Matches")]
    challenge: Option<String>,
    /// E-mail address of the owner, shown to other players.
    ///
    /// The server is told at each login.
    #[arg(long, value_name = "TEXT", help_heading = "Account")]
    address: Option<String>,
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

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let seed = now().to_bits();
    let playing = &args.playing;
    let mut account = args.account.account(pace(playing.pace)?, seed)?;
    account.wait_for_server = playing.wait;
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
        site: Site::Fibs,
        name: account.name.clone(),
        policy: InvitationPolicy {
            longest: args.longest,
            unlimited: args.unlimited,
            refused: playing.refuse.clone(),
            only: playing.only.clone(),
            refuse_droppers: args.refuse_droppers,
            experience: [args.min_experience, args.max_experience],
        },
        owners: playing.owners.clone(),
        challenge: args.challenge.as_deref().map(challenge).transpose()?,
        matches: playing.matches,
        secret: Some(account.password.clone()),
    };
    let lock = || Lock::account(Site::Fibs, &account.server, &account.name);
    let Playing { mut bot, observer, stop, _lock, .. } =
        playing.open(config, &args.records, lock, Some(&account.password), seed)?;
    let figures = Rc::clone(bot.figures());
    let play = nonet::bot::play(&account, &mut bot, is_set(Arc::clone(&stop)), observer);
    let ended = playing.until_ended(&figures, play)?;
    playing.close(&mut bot, &stop, ended, &account.server, &account.name)
}
