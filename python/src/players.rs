//! Nets and players by name.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use nonet::bearoff::BearoffDatabases;
use nonet::engine::{Engine, bearoff_for_play, built_in_net, cached_bearoff};
use nonet::game::Player;
use nonet::search::Plies;
use nonet::store::{NetFile, read_net};
use nonet::train::PlayerSpec;
use pyo3::prelude::*;

use crate::engine::PyEngine;
use crate::errors::{invalid, of_engine, of_store};
use crate::net::PyNet;

/// The nets in the package besides the champion, which is in the library.
const NETS: [(&str, &[u8]); 3] =
    [("expert", nonet_nets::EXPERT), ("small", nonet_nets::SMALL), ("swift", nonet_nets::SWIFT)];

/// The net of a name: `champion` or `built-in`, `expert`, `small`, `swift`, or a net file.
pub(crate) fn net_named(name: &str) -> PyResult<NetFile> {
    if let "champion" | "built-in" = name {
        return Ok(built_in_net());
    }
    if let Some((_, bytes)) = NETS.iter().find(|(known, _)| *known == name) {
        return NetFile::from_bytes(bytes, Path::new(name)).map_err(of_store);
    }
    if !Path::new(name).is_file() {
        return Err(invalid(format!(
            "unknown net '{name}': expected champion, expert, small, swift or an existing net file"
        )));
    }
    read_net(Path::new(name)).map_err(of_store)
}

/// A net, or the name of one.
#[derive(FromPyObject)]
pub(crate) enum NetArg<'py> {
    Net(Bound<'py, PyNet>),
    Name(String),
}

impl NetArg<'_> {
    pub(crate) fn open(&self) -> PyResult<NetFile> {
        match self {
            NetArg::Net(net) => Ok(net.get().0.clone()),
            NetArg::Name(name) => net_named(name),
        }
    }
}

/// A player: an engine, a net (at 1-ply), or a name.
#[derive(FromPyObject)]
pub(crate) enum PlayerArg<'py> {
    Engine(Bound<'py, PyEngine>),
    Net(Bound<'py, PyNet>),
    Name(String),
}

impl PlayerArg<'_> {
    pub(crate) fn open(&self) -> PyResult<Arc<dyn Player>> {
        match self {
            PlayerArg::Engine(engine) => Ok(engine.get().engine.player()),
            PlayerArg::Net(net) => at_depth(net.get().0.clone(), Plies::ONE).map(|e| e.player()),
            PlayerArg::Name(name) => player_named(&name.parse().map_err(invalid)?, Plies::ONE),
        }
    }
}

/// A player by name, at the depth of its name or at `plies`.
pub(crate) fn player_named(spec: &PlayerSpec, plies: Plies) -> PyResult<Arc<dyn Player>> {
    match spec {
        PlayerSpec::Baseline(baseline) => Ok(baseline.player()),
        _ => engine_named(spec, plies).map(|engine| engine.player()),
    }
}

/// An engine by name, without the bearoff databases, as players in series have none.
pub(crate) fn engine_named(spec: &PlayerSpec, plies: Plies) -> PyResult<Engine> {
    match spec {
        PlayerSpec::BuiltIn(own) => at_depth(built_in_net(), own.unwrap_or(plies)),
        PlayerSpec::Net { path, plies: own } => at_depth(net_named(path)?, own.unwrap_or(plies)),
        _ => Err(invalid(format!(
            "'{spec}' cannot be a player here: expected champion, expert, small, swift or a net file, each with :1 to :4 for \
             the plies, pubeval or random"
        ))),
    }
}

fn at_depth(net: NetFile, plies: Plies) -> PyResult<Engine> {
    Engine::builder().net(net.team).plies(plies).build().map_err(of_engine)
}

/// What the bearoff databases are for: a file of the user's choice may extend those for play alone.
#[derive(Clone, Copy)]
pub(crate) enum BearoffUse {
    Play,
    Training,
}

/// The bearoff databases of each use, once they have been asked for.
static BEAROFF: [Mutex<Option<Arc<BearoffDatabases>>>; 2] = [const { Mutex::new(None) }; 2];

/// The bearoff databases from the user's cache folder; generated there where they are missing, which takes a second or two.
pub(crate) fn bearoff(py: Python<'_>, purpose: BearoffUse) -> PyResult<Arc<BearoffDatabases>> {
    py.detach(|| {
        let mut known = BEAROFF[purpose as usize].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(databases) = known.as_ref() {
            return Ok(Arc::clone(databases));
        }
        let open = match purpose {
            BearoffUse::Play => bearoff_for_play,
            BearoffUse::Training => cached_bearoff,
        };
        let cached = crate::work::pool(0)?.install(open).map_err(of_store)?;
        Ok(Arc::clone(known.insert(cached.databases)))
    })
}
