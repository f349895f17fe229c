//! Locks of an account and of a folder of records.
//!
//! Two programs on one account would throw each other out. Two programs must not write into the
//! same records.

use std::fs::{File, TryLockError};
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};

use anyhow::Context;
use nonet::bot::{ServerAddr, Site};

/// Locks that are held; dropped, they are released.
#[derive(Debug)]
pub(crate) struct Lock(#[allow(dead_code, reason = "closing a file releases its lock")] Vec<File>);

/// The file in a folder of records that is locked.
const FOLDER_LOCK: &str = ".lock";

impl Lock {
    /// Locks an account on this machine; an error if another program holds the lock. The account is
    /// that of all addresses that the host's name stands for, so that `localhost` and `127.0.0.1`
    /// are one host.
    pub(crate) fn account(site: Site, server: &ServerAddr, name: &str) -> anyhow::Result<Lock> {
        let (host, port, site) = (&server.host, server.port, site.name());
        let mut files = Vec::new();
        for address in addresses(host, port) {
            let lock_name = format!("nonet-{site}-{}-{port}-{}.lock", plain(&address), plain(name));
            let path = shared_folder().join(lock_name);
            let file =
                opened_by_any_user(&path).map_err(|error| not_opened(&error, &path, name))?;
            let in_use =
                || format!("another nonet uses the account '{name}' on {host}: stop it first");
            files.push(lock(file, &path, in_use)?);
        }
        Ok(Lock(files))
    }

    /// Locks a folder of records too, which is created if it does not exist.
    pub(crate) fn with_records(mut self, folder: &Path) -> anyhow::Result<Lock> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        let in_use = || {
            format!(
                "another nonet writes into the records in {}: stop it first, or pass another folder with --records",
                folder.display()
            )
        };
        let path = folder.join(FOLDER_LOCK);
        let file = opened(&path)
            .with_context(|| format!("cannot open the lock file {}", path.display()))?;
        self.0.push(lock(file, &path, in_use)?);
        Ok(self)
    }
}

/// A folder that all programs on this machine share, whatever their environment.
fn shared_folder() -> PathBuf {
    let unix = Path::new("/tmp");
    if cfg!(unix) && unix.is_dir() { unix.to_owned() } else { std::env::temp_dir() }
}

/// The addresses of a host, each once, all those of this machine as one; the host's name if it
/// cannot be resolved.
fn addresses(host: &str, port: u16) -> Vec<String> {
    let resolved = (host, port).to_socket_addrs().map(Iterator::collect::<Vec<_>>);
    let name = |ip: IpAddr| {
        let ip = ip.to_canonical();
        if ip.is_loopback() || ip.is_unspecified() { "loopback".to_owned() } else { ip.to_string() }
    };
    let mut all: Vec<String> =
        resolved.unwrap_or_default().into_iter().map(|address| name(address.ip())).collect();
    // In the same order for all programs.
    all.sort();
    all.dedup();
    if all.is_empty() {
        all.push(host.to_lowercase());
    }
    all
}

fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// Opens a lock file, and makes it where there is none.
fn opened(path: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(path)
}

/// The same in a folder of all users. A file of another user that can be read can be locked, too.
fn opened_by_any_user(path: &Path) -> io::Result<File> {
    opened(path).or_else(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => File::open(path).map_err(|_| error),
        _ => Err(error),
    })
}

/// Why an account cannot be locked, and what helps.
fn not_opened(error: &io::Error, path: &Path, name: &str) -> anyhow::Error {
    let path_name = path.display();
    let is_foreign = error.kind() == io::ErrorKind::PermissionDenied && path.exists();
    let more = match is_foreign {
        true => {
            "; another user of this machine made it: ask that user to stop their bot and to \
             remove the file"
        }
        false => "",
    };
    anyhow::anyhow!(
        "cannot lock the account '{name}': cannot open the lock file {path_name}: {error}{more}"
    )
}

fn lock(file: File, path: &Path, in_use: impl FnOnce() -> String) -> anyhow::Result<File> {
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => anyhow::bail!(in_use()),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock {}", path.display()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locked(host: &str, name: &str) -> anyhow::Result<Lock> {
        // Another port for each run of the tests.
        let port = 20_000 + (std::process::id() % 20_000) as u16;
        Lock::account(Site::Fibs, &ServerAddr { host: host.to_owned(), port }, name)
    }

    #[test]
    fn an_account_is_locked_under_every_name_of_its_host() {
        let held = locked("localhost", "ann").expect("free");
        for host in ["127.0.0.1", "localhost", "::1", "127.0.0.2", "::ffff:127.0.0.1"] {
            let error = locked(host, "ann").expect_err("in use").to_string();
            assert!(error.contains("'ann'") && error.contains("stop it first"), "{error}");
        }
        locked("127.0.0.1", "bob").expect("another account");
        locked("192.0.2.1", "ann").expect("another host");
        drop(held);
        locked("127.0.0.1", "ann").expect("free again");
    }

    #[test]
    fn two_bots_do_not_write_into_the_same_records() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let lock = |name: &str| locked("127.0.0.1", name).expect("free");
        let _cal = lock("cal").with_records(&at("records")).expect("free");
        let error = lock("dan").with_records(&at("records")).expect_err("in use").to_string();
        assert!(error.contains("records") && error.contains("--records"), "{error}");
        lock("dan").with_records(&at("others")).expect("free");
    }

    /// Root may read and write everything: then the last file can be locked, too.
    #[cfg(unix)]
    #[test]
    fn a_lock_file_of_another_user_is_locked_or_named() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ann.lock");
        let allow = |mode| {
            let mode = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&path, mode).expect("allowed");
        };
        std::fs::write(&path, "").expect("written");
        allow(0o444);
        let locked = || {
            let file = opened_by_any_user(&path).expect("readable");
            lock(file, &path, || "in use".to_owned())
        };
        let held = locked().expect("free");
        assert_eq!(locked().expect_err("in use").to_string(), "in use");
        drop(held);
        allow(0o000);
        if let Err(error) = opened_by_any_user(&path) {
            let told = not_opened(&error, &path, "ann").to_string();
            for part in ["account 'ann'", "ann.lock: Permission denied", "remove the file"] {
                assert!(told.contains(part), "{told}");
            }
        }
    }
}
