//! `nonet bgammon play`: the bot on bgammon.org.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use nonet::bot::{
    BgammonAccount, BgammonAddr, BgammonBot, BotConfig, InvitationPolicy, NewMatches, Site,
};

use crate::cli::bot::account_lock::Lock;
use crate::cli::bot::engine::pace;
use crate::cli::bot::is_set;
use crate::cli::bot::password::password;
use crate::cli::bot::playing::{Playing, PlayingArgs};
use crate::cli::clock::now;
use crate::cli::error::usage;
use crate::cli::output::examples::examples;

/// Log in, create matches and play them until Ctrl-C.
///
/// The server keeps the seat of a match in progress for 15 minutes.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    (
        "Play on bgammon.org, matches to 5 points and to 1 point in turn",
        "BGAMMON_PASSWORD=secret nonet bgammon play --user bot_mine --lengths 5,1",
    ),
    ("Learn from every match", "nonet bgammon play --user bot_mine --password-file secret --learn"),
    (
        "Play one match on a server of this machine, as a guest",
        "nonet bgammon play --user bot_mine --guest --server tcp://localhost --matches 1",
    ),
]))]
pub(super) struct Args {
    /// Server.
    ///
    /// wss://HOST, ws://HOST:PORT or tcp://HOST:PORT. Only wss is encrypted.
    #[arg(
        long,
        value_name = "URL",
        default_value = "wss://ws.bgammon.org",
        help_heading = "Account"
    )]
    server: BgammonAddr,
    /// Name of the account, which begins with bot_.
    #[arg(long, value_name = "NAME", help_heading = "Account")]
    user: String,
    /// Password file [default: the variable BGAMMON_PASSWORD]
    ///
    /// Only its owner may read it (mode 600).
    #[arg(long, value_name = "FILE", help_heading = "Account")]
    password_file: Option<PathBuf>,
    /// Refused: other users of the machine could read it.
    #[arg(long, hide = true)]
    password: Option<String>,
    /// Log in as a guest, without a password.
    #[arg(long, conflicts_with = "password_file", help_heading = "Account")]
    guest: bool,
    #[command(flatten)]
    playing: PlayingArgs,
    /// Folder of the match records.
    #[arg(
        long,
        value_name = "DIR",
        default_value = "runs/bgammon",
        help_heading = "Records and logs"
    )]
    records: PathBuf,
    /// Lengths of the matches in points, one after the other.
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "POINTS",
        default_value = "5",
        value_parser = clap::value_parser!(u32).range(1..=127),
        help_heading = "Matches"
    )]
    lengths: Vec<u32>,
    /// Title of the matches [default: that of the server]
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        help_heading = "Matches"
    )]
    title: String,
    /// Offer no second match to an opponent.
    #[arg(long, help_heading = "Matches")]
    no_rematch: bool,
}

/// Checks the name of a bot.
fn check_name(name: &str) -> anyhow::Result<()> {
    let valid = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let is_bot = name.len() > 4 && name.to_ascii_lowercase().starts_with("bot_");
    if !valid || !is_bot || name.len() > 18 {
        return Err(usage(format!(
            "invalid account name '{name}': expected bot_ and up to 14 letters, digits or underscores"
        )));
    }
    Ok(())
}

/// Names that anybody may use without a password cannot be those of owners.
fn check_owners(owners: &[String]) -> anyhow::Result<()> {
    let free = |name: &&String| {
        let name = name.to_ascii_lowercase();
        name.starts_with("guest_") || name.starts_with("bot_")
    };
    match owners.iter().find(free) {
        Some(name) => Err(usage(format!(
            "invalid owner '{name}': everybody can log in with this name; expected the name of an account"
        ))),
        None => Ok(()),
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let seed = now().to_bits();
    let (playing, name) = (&args.playing, &args.user);
    check_name(name)?;
    check_owners(&playing.owners)?;
    let (file, given) = (args.password_file.as_deref(), args.password.is_some());
    let password = match args.guest {
        true => None,
        false => Some(password(file, "BGAMMON_PASSWORD", given)?),
    };
    if !args.server.is_encrypted() && password.is_some() {
        tracing::warn!("the password goes to {} in clear text", args.server);
    }
    let account = BgammonAccount {
        server: args.server.clone(),
        name: name.clone(),
        password: password.clone(),
        pace: pace(playing.pace)?,
        wait_for_server: playing.wait,
        seed,
    };
    let config = BotConfig {
        site: Site::Bgammon,
        name: name.clone(),
        policy: InvitationPolicy {
            refused: playing.refuse.clone(),
            only: playing.only.clone(),
            ..InvitationPolicy::default()
        },
        owners: playing.owners.clone(),
        matches: playing.matches,
        secret: password.clone(),
        ..BotConfig::default()
    };
    let matches = NewMatches {
        lengths: args.lengths.clone(),
        title: args.title.clone(),
        rematch: !args.no_rematch,
    };
    let lock = || Lock::account(Site::Bgammon, args.server.server(), name);
    let Playing { bot, observer, stop, _lock } =
        playing.open(config, &args.records, lock, password.as_ref(), seed)?;
    let figures = Rc::clone(bot.figures());
    let mut bot = BgammonBot::new(bot, matches);
    let stopped = is_set(Arc::clone(&stop));
    let play = nonet::bot::play_bgammon(&account, &mut bot, stopped, observer);
    let ended = playing.until_ended(&figures, play)?;
    playing.close(&mut bot.bot, &stop, ended, args.server.server(), name)
}
