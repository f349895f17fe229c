//! The password of an account, from a variable or from a file that others cannot read.

use std::path::Path;

use nonet::bot::Password;

use crate::cli::error::usage;

/// The password in the file, or in this variable. One that was `given` on the command line is an
/// error.
pub(crate) fn password(
    file: Option<&Path>,
    variable: &str,
    given: bool,
) -> anyhow::Result<Password> {
    let text = match file {
        _ if given => {
            return Err(usage(format!(
                "a password on the command line can be read by every user of this machine: \
                 set {variable}, or pass a file of mode 600 with --password-file"
            )));
        }
        Some(path) => read_private(path)?,
        None => std::env::var(variable).map_err(|_| {
            usage(format!(
                "no password: set {variable}, or pass a file of mode 600 with --password-file"
            ))
        })?,
    };
    Password::new(text.trim_end_matches(['\r', '\n'])).map_err(usage)
}

fn read_private(path: &Path) -> anyhow::Result<String> {
    let unreadable = |error: std::io::Error| {
        usage(format!("cannot read the password file {}: {error}", path.display()))
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path).map_err(unreadable)?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(usage(format!(
                "other users can read the password file {} (mode {:o}): run chmod 600 on it",
                path.display(),
                mode & 0o777
            )));
        }
    }
    std::fs::read_to_string(path).map_err(unreadable)
}
