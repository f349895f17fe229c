//! `nonet fibs register` and `nonet fibs whoami`, and the account arguments that several commands
//! share.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use nonet::bot::{BotAccount, Pace, ServerAddr, Site, Welcome};

use crate::cli::bot::account_lock::Lock;
use crate::cli::bot::block_on;
use crate::cli::bot::password::password;
use crate::cli::error::usage;
use crate::cli::output::counted::counted;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    account: AccountArgs,
}

/// An account on a server. The password comes from FIBS_PASSWORD or from a file.
#[derive(clap::Args)]
pub(super) struct AccountArgs {
    /// Host name of the server.
    #[arg(long, value_name = "HOST", default_value = "fibs.com", help_heading = "Account")]
    host: String,
    /// Port of the server.
    #[arg(long, value_name = "PORT", default_value_t = 4321, help_heading = "Account")]
    port: u16,
    /// Name of the account.
    #[arg(long, value_name = "NAME", help_heading = "Account")]
    pub(super) user: String,
    /// Password file [default: the variable FIBS_PASSWORD]
    ///
    /// Only its owner may read it (mode 600).
    #[arg(long, value_name = "FILE", help_heading = "Account")]
    password_file: Option<PathBuf>,
    /// Refused: other users of the machine could read it.
    #[arg(long, hide = true)]
    password: Option<String>,
}

impl AccountArgs {
    pub(super) fn server(&self) -> ServerAddr {
        ServerAddr { host: self.host.clone(), port: self.port }
    }

    /// Checks the arguments and reads the password.
    pub(super) fn account(&self, pace: Pace, seed: u64) -> anyhow::Result<BotAccount> {
        let name = &self.user;
        if name.is_empty() || name.len() > 20 || !name.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(usage(format!(
                "invalid account name '{name}': expected 1 to 20 printable ASCII characters without spaces"
            )));
        }
        let (file, given) = (self.password_file.as_deref(), self.password.is_some());
        let password = password(file, "FIBS_PASSWORD", given)?;
        let (server, name) = (self.server(), name.clone());
        Ok(BotAccount { server, name, password, pace, wait_for_server: false, address: None, seed })
    }
}

pub(super) fn register(args: &Args) -> anyhow::Result<()> {
    let account = args.account.account(Pace::default(), 0)?;
    block_on(async {
        nonet::bot::register(&account.server, &account.name, &account.password)
            .await
            .with_context(|| format!("cannot register '{}'", account.name))
    })?;
    writeln!(std::io::stdout(), "{} is registered on {}", account.name, account.server.host)?;
    Ok(())
}

pub(super) fn whoami(args: &Args) -> anyhow::Result<()> {
    let account = args.account.account(Pace::default(), 0)?;
    // A second login would throw out a bot that plays.
    let _lock = Lock::account(Site::Fibs, &account.server, &account.name)?;
    let welcome = block_on(async {
        nonet::bot::whoami(&account).await.with_context(|| {
            format!("cannot log in as '{}' on {}", account.name, account.server.host)
        })
    })?;
    write!(std::io::stdout(), "{}", summary(&account.name, &welcome))?;
    Ok(())
}

/// What the server told, line by line, and what it did not.
fn summary(name: &str, welcome: &Welcome) -> String {
    let mut lines = Vec::new();
    let mut missing = Vec::new();
    let others = welcome.others.map(|others| format!("; {others} others online"));
    if others.is_none() {
        missing.push("who is online");
    }
    let others = others.unwrap_or_default();
    match &welcome.info {
        Some(info) => {
            let rating = info.rating.map_or("unknown".to_owned(), |rating| format!("{rating:.2}"));
            let experience = info.experience.map_or("unknown".to_owned(), |n| n.to_string());
            lines.push(format!("{}: rating {rating}, experience {experience}{others}", info.name));
            let on: Vec<&str> = info
                .toggles
                .iter()
                .filter(|(_, on)| *on)
                .map(|(toggle, _)| toggle.name())
                .collect();
            lines.push(format!("settings on: {}", on.join(" ")));
        }
        None => {
            lines.push(format!("{name}: logged in{others}"));
            missing.push("rating, experience and settings");
        }
    }
    match &welcome.saved {
        Some(saved) if saved.is_empty() => lines.push("no saved matches".to_owned()),
        Some(saved) => lines.extend(saved.iter().map(|(opponent, length, [own, other])| {
            let length = length.map_or("unlimited".to_owned(), |n| counted(n, "point"));
            format!("saved: {opponent}, {length}, {own}-{other}")
        })),
        None => missing.push("the saved matches"),
    }
    if !missing.is_empty() {
        lines.push(format!("the server did not tell: {}", missing.join("; ")));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_server_did_not_tell_is_said() {
        let nothing = summary("ann", &Welcome::default());
        assert_eq!(
            nothing,
            "ann: logged in\nthe server did not tell: who is online; rating, experience and settings; the saved matches\n"
        );
        let saved = Some(vec![("bob".to_owned(), Some(5), [1, 2])]);
        let some = summary("ann", &Welcome { info: None, others: Some(3), saved });
        assert!(
            some.starts_with("ann: logged in; 3 others online\nsaved: bob, 5 points, 1-2\n"),
            "{some}"
        );
    }
}
