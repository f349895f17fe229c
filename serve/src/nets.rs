//! The engines of the nets that may be asked: the built-in one, and those of training runs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::error::ApiError;
use nonet_engine::engine::{Engine, EngineError, built_in_net};
use nonet_engine::eval::Specialists;
use nonet_engine::search::{Plies, SearchSettings};
use nonet_engine::store::read_net;

/// The name of the net that is compiled in.
pub(super) const BUILT_IN: &str = "built-in";

/// The engines of a net at every depth.
pub(super) struct NetEngines {
    /// Plays at 1 to 4 plies, cube decisions at their usual depth.
    by_ply: [Engine; 4],
    /// The same as the first, on the thread of its caller.
    here: Engine,
}

impl NetEngines {
    fn new(quick: &Engine, slow: &Engine, here: &Engine) -> NetEngines {
        let by_ply = [Plies::ONE, Plies::TWO, Plies::THREE, Plies::FOUR];
        NetEngines {
            // A search at 4 plies is slow work, with the threads of slow work.
            by_ply: by_ply.map(|plies| {
                if plies == Plies::FOUR { slow.with_plies(plies) } else { quick.with_plies(plies) }
            }),
            here: here.with_plies(Plies::ONE),
        }
    }

    /// The engine of a depth.
    pub(super) const fn at(&self, plies: Plies) -> &Engine {
        &self.by_ply[plies.get() as usize - 1]
    }

    /// The static evaluation on the thread of the caller: some ten microseconds a roll.
    pub(super) const fn here(&self) -> &Engine {
        &self.here
    }
}

/// All engines.
pub(super) struct Nets {
    /// With the built-in net: quick work, slow work, and work on the caller's thread.
    base: [Engine; 3],
    built_in: Arc<NetEngines>,
    /// The folder of training runs.
    runs: PathBuf,
    /// Nets of runs that were read, by their path, with the bytes' check sum.
    read: Mutex<HashMap<PathBuf, (u32, Arc<NetEngines>)>>,
}

/// Nets that are kept in memory.
const KEPT: usize = 8;

impl Nets {
    /// `engine` brings the net, databases and match equity table. `slow` are the threads of slow work.
    pub(super) fn new(engine: &Engine, here: &Engine, runs: &Path) -> Result<Nets, EngineError> {
        let quick = engine.with_search_settings(SearchSettings::WIDE);
        let slow = quick.with_threads(0)?;
        let here = here.with_search_settings(SearchSettings::WIDE);
        let built_in = Arc::new(NetEngines::new(&quick, &slow, &here));
        let base = [quick, slow, here];
        Ok(Nets { base, built_in, runs: runs.to_owned(), read: Mutex::default() })
    }

    /// The built-in net.
    pub(super) const fn built_in(&self) -> &Arc<NetEngines> {
        &self.built_in
    }

    /// The net of a name, its weights as they were trained.
    pub(super) fn team(&self, name: Option<&str>) -> Result<Arc<Specialists>, ApiError> {
        static BUILT_IN_TEAM: OnceLock<Arc<Specialists>> = OnceLock::new();
        match name {
            None | Some(BUILT_IN) => {
                Ok(Arc::clone(BUILT_IN_TEAM.get_or_init(|| Arc::new(built_in_net().team))))
            }
            Some(name) => Ok(Arc::new(read_net(&self.file(name)?)?.team)),
        }
    }

    /// The engine of slow work with the built-in net.
    pub(super) const fn slow(&self) -> &Engine {
        &self.base[1]
    }

    /// The engines of a net: `built-in`, or `NAME` or `NAME/best` of a run.
    pub(super) fn named(&self, name: Option<&str>) -> Result<Arc<NetEngines>, ApiError> {
        match name {
            None | Some(BUILT_IN) => Ok(Arc::clone(&self.built_in)),
            Some(name) => self.of_run(name),
        }
    }

    /// The names that [`Nets::named`] knows.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let folders = std::fs::read_dir(&self.runs).into_iter().flatten().flatten();
        for folder in folders.map(|entry| entry.path()) {
            let Some(run) = folder.file_name().map(|name| name.to_string_lossy().into_owned())
            else {
                continue;
            };
            for (file, ending) in [("last.nonet", ""), ("best.nonet", "/best")] {
                if folder.join(file).is_file() && super::match_store::is_name(&run) {
                    names.push(format!("{run}{ending}"));
                }
            }
        }
        names.sort();
        names.insert(0, BUILT_IN.to_owned());
        names
    }

    /// The file of a run's net.
    fn file(&self, name: &str) -> Result<PathBuf, ApiError> {
        let (run, file) = match name.strip_suffix("/best") {
            Some(run) => (run, "best.nonet"),
            None => (name, "last.nonet"),
        };
        let path = self.runs.join(run).join(file);
        if !super::match_store::is_name(run) || !path.is_file() {
            let message = format!("unknown net '{name}': expected {BUILT_IN} or the name of a run");
            return Err(ApiError::missing(message));
        }
        Ok(path)
    }

    fn of_run(&self, name: &str) -> Result<Arc<NetEngines>, ApiError> {
        let path = self.file(name)?;
        let bytes = std::fs::read(&path).map_err(ApiError::failed)?;
        let sum = crc32fast::hash(&bytes);
        let lock = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, engines)) = lock().get(&path).filter(|(known, _)| *known == sum) {
            return Ok(Arc::clone(engines));
        }
        let net = Arc::new(read_net(&path)?.team);
        let [quick, slow, here] = [0, 1, 2].map(|i| self.base[i].with_net(Arc::clone(&net)));
        let engines = Arc::new(NetEngines::new(&quick, &slow, &here));
        let mut read = lock();
        if read.len() >= KEPT {
            read.clear();
        }
        read.insert(path, (sum, Arc::clone(&engines)));
        Ok(engines)
    }
}
