//! The engines of the nets that may be asked: those with a name, and those of training runs.

use nonet_engine::store::run_file;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::error::ApiError;
use nonet_engine::engine::{Engine, EngineError};
use nonet_engine::eval::Specialists;
use nonet_engine::open::{self, is_built_in};
use nonet_engine::search::{Plies, SearchSettings};
use nonet_engine::store::{NetFile, file_checksum, files, is_file_name};

/// The engines of a net at every depth.
pub(super) struct NetEngines {
    /// Plays at 1 to 4 plies, cube decisions at their usual depth.
    by_ply: [Engine; 4],
    /// The same as the first, on the thread of its caller.
    here: Engine,
    /// The checksum of the file of a net that is not built in.
    sum: Option<u32>,
}

impl NetEngines {
    fn new(quick: &Engine, slow: &Engine, here: &Engine, sum: Option<u32>) -> NetEngines {
        let by_ply = [Plies::ONE, Plies::TWO, Plies::THREE, Plies::FOUR];
        NetEngines {
            // A search at 4 plies is slow work, with the threads of slow work.
            by_ply: by_ply.map(|plies| {
                if plies == Plies::FOUR { slow.with_plies(plies) } else { quick.with_plies(plies) }
            }),
            here: here.with_plies(Plies::ONE),
            sum,
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

    /// The engine of slow work at any depth: its other settings are those of the server.
    pub(super) const fn slow(&self) -> &Engine {
        self.at(Plies::FOUR)
    }

    /// What tells the net from others of its name; `None` if it is built in.
    pub(super) const fn sum(&self) -> Option<u32> {
        self.sum
    }
}

/// All engines.
pub(super) struct Nets {
    /// With the built-in net: quick work, slow work, and work on the caller's thread.
    base: [Engine; 3],
    built_in: Arc<NetEngines>,
    /// The folder of training runs.
    runs: PathBuf,
    /// Other nets that were read, by their name. A run writes another net under the same name: the
    /// checksum tells.
    read: Mutex<HashMap<String, Arc<NetEngines>>>,
}

/// Nets that are kept in memory.
const KEPT: usize = 8;

impl Nets {
    /// `engine` brings the net, databases and match equity table. `slow` are the threads of slow
    /// work.
    pub(super) fn new(engine: &Engine, here: &Engine, runs: &Path) -> Result<Nets, EngineError> {
        let quick = engine.with_search_settings(SearchSettings::WIDE);
        let slow = quick.with_threads(0)?;
        let here = here.with_search_settings(SearchSettings::WIDE);
        let built_in = Arc::new(NetEngines::new(&quick, &slow, &here, None));
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
        match name.filter(|name| !is_built_in(name)) {
            None => {
                let net = || Arc::new(nonet_engine::engine::built_in_net().team);
                Ok(Arc::clone(BUILT_IN_TEAM.get_or_init(net)))
            }
            Some(name) => Ok(Arc::new(open::net(&self.file(name)?)?.team)),
        }
    }

    /// The engine of slow work with the built-in net.
    #[cfg(feature = "server")]
    pub(super) const fn slow(&self) -> &Engine {
        &self.base[1]
    }

    /// The engines of a net.
    pub(super) fn named(&self, name: Option<&str>) -> Result<Arc<NetEngines>, ApiError> {
        let Some(name) = name.filter(|name| !is_built_in(name)) else {
            return Ok(Arc::clone(&self.built_in));
        };
        let file = self.file(name)?;
        let bytes = open::net_bytes(&file)?;
        let sum = file_checksum(&bytes);
        let lock = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engines) = lock().get(name).filter(|engines| engines.sum == Some(sum)) {
            return Ok(Arc::clone(engines));
        }
        let net = Arc::new(NetFile::from_bytes(&bytes, Path::new(&file))?.team);
        let [quick, slow, here] = [0, 1, 2].map(|i| self.base[i].with_net(Arc::clone(&net)));
        let engines = Arc::new(NetEngines::new(&quick, &slow, &here, Some(sum)));
        let mut read = lock();
        if read.len() >= KEPT {
            read.clear();
        }
        read.insert(name.to_owned(), Arc::clone(&engines));
        Ok(engines)
    }

    /// The names that [`Nets::named`] knows: of a run its best net, and as `RUN/last` its last one.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for folder in files::entries(&self.runs).into_iter().flatten() {
            let Some(run) = folder.file_name().map(|name| name.to_string_lossy().into_owned())
            else {
                continue;
            };
            if !is_file_name(&run) {
                continue;
            }
            if files::exists(&folder.join(run_file::LAST)) {
                names.push(format!("{run}/last"));
            }
            // A run without a test has no best net yet.
            if files::exists(&folder.join(run_file::BEST)) {
                names.push(run);
            }
        }
        names.sort();
        open::net_names().map(str::to_owned).chain(names).collect()
    }

    /// What [`open::net`] calls a net: a net of the package, a run, or a net of a run (`RUN/last`,
    /// `RUN/best`).
    fn file(&self, name: &str) -> Result<String, ApiError> {
        if open::net_names().any(|known| known == name) {
            return Ok(name.to_owned());
        }
        let (run, net) = name.split_once('/').map_or((name, None), |(run, net)| (run, Some(net)));
        let folder = self.runs.join(run);
        let path = match net {
            Some("last" | "best") => folder.join(format!("{}.nonet", net.unwrap_or_default())),
            Some(_) => PathBuf::new(),
            None => folder,
        };
        if !is_file_name(run) || !files::exists(&path) {
            let known = self.names().join(", ");
            let message = format!("no net called '{name}': known are {known}");
            return Err(ApiError::missing(message).coded("no-net"));
        }
        Ok(path.to_string_lossy().into_owned())
    }
}
