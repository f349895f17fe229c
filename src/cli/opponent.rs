//! Players by name, and how they are matched.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nonet::arena::SeriesConfig;
use nonet::eval::Specialists;
use nonet::play::{Domain, Greedy, Player, Yardstick};
use nonet::search::Searcher;
use nonet::store::read_net;

use super::{pool, usage};

/// A player and what to call it.
pub(crate) struct Opponent {
    /// Short: the yardstick, or the file's name without its ending.
    pub(crate) name: String,
    pub(crate) player: Arc<dyn Player>,
}

/// Opens a player: `pubeval`, `random` or a net file.
pub(crate) fn open(word: &str) -> anyhow::Result<Opponent> {
    open_at(word, 1)
}

/// The same, a net file with so many plies of search, 1 or 2.
pub(crate) fn open_at(word: &str, ply: u32) -> anyhow::Result<Opponent> {
    if let Some(yardstick) = Yardstick::named(word) {
        return Ok(Opponent { name: word.to_owned(), player: yardstick.player() });
    }
    let path = PathBuf::from(word);
    if !path.is_file() {
        let known = Yardstick::ALL.map(Yardstick::name).join(" or ");
        return Err(usage(format!("'{word}' is neither a net file that exists nor {known}")));
    }
    let file = read_net(&path).map_err(usage)?;
    let player: Arc<dyn Player> = match ply {
        1 => Arc::new(Greedy(file.team)),
        2 => Arc::new(Searcher::new(file.team)),
        _ => return Err(usage(format!("--ply must be 1 or 2, not {ply}"))),
    };
    Ok(Opponent { name: stem(&path), player })
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

/// What every command that plays matches is told.
#[derive(clap::Args)]
pub(crate) struct MatchArgs {
    /// Money games without a cube for each match; an even number, as every sequence of dice is played from both seats.
    #[arg(long, default_value_t = 10_000)]
    pub(crate) games: u64,
    /// Seed of the dice.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Throw new dice for every game, instead of playing each sequence twice with the seats exchanged.
    #[arg(long)]
    pub(crate) no_duplicate: bool,
    /// Threads; the result does not depend on it. [default: as many as the machine has]
    #[arg(long)]
    pub(crate) threads: Option<usize>,
    /// Results as JSON, one line each.
    #[arg(long)]
    pub(crate) json: bool,
    /// Plot the equities.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

impl MatchArgs {
    /// How the matches are played, and the threads to play them with.
    pub(crate) fn check(&self) -> anyhow::Result<(SeriesConfig, rayon::ThreadPool)> {
        if self.games == 0 {
            return Err(usage("--games must be at least 1, not 0"));
        }
        let MatchArgs { games, seed, no_duplicate, threads, .. } = *self;
        Ok((
            SeriesConfig { games, duplicate: !no_duplicate, seed, domain: Domain::Match },
            pool(threads)?,
        ))
    }

    /// The words that repeat them.
    pub(crate) fn words(&self) -> String {
        let duplicate = if self.no_duplicate { " --no-duplicate" } else { "" };
        format!("--games {} --seed {}{duplicate}", self.games, self.seed)
    }
}
