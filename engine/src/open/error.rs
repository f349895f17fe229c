//! Why a name cannot be opened.

use super::nets::net_names;
use crate::engine::EngineError;
use crate::game::Baseline;
use crate::protocol::gnubg::GnubgError;
use crate::protocol::ubgi::UbgiFailure;
use crate::store::StoreError;

/// Why a net or a player cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no net of this name.
    #[error("no net called '{name}': known are {nets}, or a net file, or the folder of a run", nets = nets())]
    UnknownNet {
        /// The name.
        name: String,
    },
    /// There is no file or folder of this name.
    #[error("no such file, and no folder of a run: {name}")]
    NoFile {
        /// The name.
        name: String,
    },
    /// The folder holds no net.
    #[error("no net in the folder {folder}: expected best.nonet or last.nonet, as in a run's")]
    NoNetIn {
        /// The folder.
        folder: String,
    },
    /// There is no player of this name.
    #[error(
        "no player called '{name}': known are {baselines}, {nets}, gnubg:N, puretd:FILE, exact:FILE, ubgi:COMMAND, or a net file, or \
         the folder of a run",
        baselines = baselines(),
        nets = nets()
    )]
    UnknownPlayer {
        /// The name.
        name: String,
    },
    /// The player cannot evaluate positions.
    #[error(
        "'{0}' only plays: expected a net, gnubg:N, puretd:FILE or exact:FILE, which evaluate positions"
    )]
    OnlyPlays(String),
    /// A net file cannot be used.
    #[error(transparent)]
    File(#[from] StoreError),
    /// The engine cannot be built.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// gnubg does not start.
    #[error(transparent)]
    Gnubg(Box<GnubgError>),
    /// A UBGI engine does not start.
    #[error("ubgi:{command}: {cause}")]
    Ubgi {
        /// The command that should start it.
        command: String,
        /// The cause.
        cause: Box<UbgiFailure>,
    },
}

impl OpenError {
    /// Whether the name is wrong, or the file that it names; else the system or another program
    /// failed.
    #[must_use]
    pub const fn is_wrong_name(&self) -> bool {
        matches!(
            self,
            OpenError::UnknownNet { .. }
                | OpenError::NoFile { .. }
                | OpenError::NoNetIn { .. }
                | OpenError::UnknownPlayer { .. }
                | OpenError::OnlyPlays(_)
                | OpenError::File(_)
        )
    }
}

fn nets() -> String {
    net_names().collect::<Vec<_>>().join(", ")
}

fn baselines() -> String {
    Baseline::ALL.map(Baseline::name).join(", ")
}
