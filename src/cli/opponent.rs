//! Players by name: a yardstick or a net file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nonet::eval::Specialists;
use nonet::play::{Greedy, Player, Yardstick};
use nonet::store::read_net;

use super::usage;

/// A player and what to call it.
pub(crate) struct Opponent {
    /// Short: the yardstick, or the file's name without its ending.
    pub(crate) name: String,
    pub(crate) player: Arc<dyn Player>,
}

/// Opens a player: `pubeval`, `random` or a net file.
pub(crate) fn open(word: &str) -> anyhow::Result<Opponent> {
    if let Some(yardstick) = Yardstick::named(word) {
        return Ok(Opponent { name: word.to_owned(), player: yardstick.player() });
    }
    let path = PathBuf::from(word);
    if !path.is_file() {
        let known = Yardstick::ALL.map(Yardstick::name).join(" or ");
        return Err(usage(format!("'{word}' is neither a net file that exists nor {known}")));
    }
    let file = read_net(&path).map_err(usage)?;
    Ok(Opponent { name: stem(&path), player: Arc::new(Greedy(file.team)) })
}

/// Opens the net file of an expert.
pub(crate) fn open_expert(word: &str) -> anyhow::Result<Arc<Specialists>> {
    if !Path::new(word).is_file() {
        return Err(usage(format!("the expert '{word}' is no net file that exists")));
    }
    Ok(Arc::new(read_net(Path::new(word)).map_err(usage)?.team))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
