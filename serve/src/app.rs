//! [`App`]: what all requests share.

use std::sync::{Arc, Mutex};

use crate::analysis::analysis_jobs::Analyses;
#[cfg(feature = "server")]
use crate::bot_form::BotForms;
use crate::errands::Errands;
use crate::kept_rollouts::KeptRollouts;
use crate::nets::Nets;
use crate::play::match_store::MatchStore;
use crate::training::runs::Runs;
use crate::work::Work;
use crate::{ServeConfig, ServeError};
use nonet_engine::engine::Engine;
use nonet_engine::store::{StoreError, files};

/// The engines, the folders and the work of a server.
pub struct App {
    pub(super) config: ServeConfig,
    pub(super) nets: Nets,
    pub(super) work: Work,
    pub(super) matches: MatchStore,
    pub(super) analyses: Analyses,
    pub(super) runs: Runs,
    pub(super) errands: Errands,
    pub(super) rollouts: KeptRollouts,
    #[cfg(feature = "server")]
    pub(super) forms: BotForms,
    /// Held while the file of a deck is changed.
    pub(super) practice: Mutex<()>,
}

impl App {
    /// Makes the data folder and the threads. `engine` brings the net, databases, match equity
    /// table and the threads of quick work; `here` is the same without threads of its own.
    ///
    /// # Errors
    /// [`ServeError`] if a folder cannot be made, or the threads cannot be started.
    pub fn new(
        engine: &Engine,
        here: &Engine,
        config: ServeConfig,
    ) -> Result<Arc<App>, ServeError> {
        for folder in ["matches", "analyses"].map(|name| config.data.join(name)) {
            files::make_folders(&folder).map_err(StoreError::io("make the folder", &folder))?;
        }
        let nets = Nets::new(engine, here, &config.runs)?;
        Ok(Arc::new(App {
            nets,
            work: Work::new(&config.limits, config.workers),
            matches: MatchStore::new(config.data.join("matches"), config.limits.matches),
            analyses: Analyses::new(config.data.join("analyses")),
            errands: Errands::default(),
            rollouts: KeptRollouts::default(),
            #[cfg(feature = "server")]
            forms: BotForms::default(),
            practice: Mutex::default(),
            runs: Runs::new(&config),
            config,
        }))
    }

    /// Stops the training runs that this server has started; they can be resumed.
    pub fn stop_runs(&self) {
        self.runs.stop_all();
    }
}
