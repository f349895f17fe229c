//! Which net answers a front end, and how hard it looks.

use std::path::Path;
use std::sync::Arc;

use nonet::engine::Adviser;
use nonet::eval::{Evaluator, Specialists};
use nonet::search::Plies;
use nonet::store::NetFile;

use super::opponent::open_team;
use super::usage;

/// The best net of this version, so that the program needs no other file.
const EXPERT: &[u8] = include_bytes!("../../nets/expert.nonet");

/// The word for the net that is built in.
pub(crate) const BUILT_IN: &str = "built-in";

/// What every engine is told.
#[derive(clap::Args)]
pub(crate) struct EngineArgs {
    /// Net file; `built-in` is the expert that comes with the program.
    #[arg(long, value_name = "FILE", default_value = BUILT_IN)]
    pub(crate) net: String,
    /// Plies looked ahead: 1 (static) to 4. gnubg counts from 0.
    #[arg(long, value_name = "N", default_value = "2")]
    pub(crate) ply: Plies,
    /// Threads; no answer depends on it. [default: as many as the machine has]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

impl EngineArgs {
    /// Opens the net and makes an adviser of it.
    pub(crate) fn adviser(&self) -> anyhow::Result<Adviser> {
        Ok(Adviser::new(open_judge(&self.net)?, self.ply))
    }
}

/// Opens whoever judges positions for an engine.
pub(crate) fn open_judge(word: &str) -> anyhow::Result<Arc<dyn Evaluator>> {
    let team: Specialists = if word == BUILT_IN {
        NetFile::from_bytes(EXPERT, Path::new("the built-in net")).map_err(usage)?.team
    } else {
        open_team(word)?.team
    };
    Ok(Arc::new(team))
}
