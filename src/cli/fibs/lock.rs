//! One program on one account: two would throw each other out of their matches.

use std::fs::{File, TryLockError};

use anyhow::Context;
use nonet::bot::BotAccount;

/// Held as long as this value lives.
pub(super) struct Lock(#[allow(dead_code, reason = "the lock goes when the file is closed")] File);

impl Lock {
    /// Takes the lock of an account on this machine.
    pub(super) fn take(account: &BotAccount) -> anyhow::Result<Lock> {
        let plain = |text: &str| -> String {
            text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
        };
        let name = format!(
            "nonet-fibs-{}-{}-{}.lock",
            plain(&account.place.host),
            account.place.port,
            plain(&account.name)
        );
        let path = std::env::temp_dir().join(name);
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .with_context(|| format!("cannot open the lock file {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock(file)),
            Err(TryLockError::WouldBlock) => anyhow::bail!(
                "another nonet plays as '{}' on {} already; stop it first",
                account.name,
                account.place.host
            ),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("cannot lock {}", path.display()))
            }
        }
    }
}
