//! The folder in which nonet keeps what belongs to the user: matches, analyses, cards, histories.

use std::path::{Path, PathBuf};

use super::error::usage;

/// `nonet` in the user's data folder; `None` where there is none.
pub(crate) fn users_data_folder() -> Option<PathBuf> {
    Some(directories::BaseDirs::new()?.data_dir().join("nonet"))
}

/// The folder that `--data` names, or that of the user.
pub(crate) fn data_folder(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    let folder = named.map(Path::to_owned).or_else(users_data_folder);
    folder.ok_or_else(|| usage("there is no data folder here: name one with --data FOLDER"))
}
