//! A lock per account: two programs on one account would interrupt each other's matches.

use std::fs::{File, TryLockError};

use anyhow::Context;
use nonet::bot::BotAccount;

/// The lock of an account; dropped, it is released.
pub(super) struct Lock(#[allow(dead_code, reason = "closing the file releases the lock")] File);

impl Lock {
    /// Locks an account on this machine; an error if another program holds the lock.
    pub(super) fn take(account: &BotAccount) -> anyhow::Result<Lock> {
        let plain = |text: &str| -> String {
            text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
        };
        let name = format!(
            "nonet-fibs-{}-{}-{}.lock",
            plain(&account.server.host),
            account.server.port,
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
                "another nonet is playing as '{}' on {}: stop it first",
                account.name,
                account.server.host
            ),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("cannot lock {}", path.display()))
            }
        }
    }
}
