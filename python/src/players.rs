//! Nets and players by name.

use std::sync::{Arc, Mutex, PoisonError};

use nonet::bearoff::BearoffDatabases;
use nonet::engine::{Engine, bearoff_for_play};
use nonet::game::Player;
use nonet::open::{self, PlayerSetup, SERIES_PLIES};
use nonet::store::NetFile;
use pyo3::prelude::*;

use crate::engine::PyEngine;
use crate::errors::{invalid, of_engine, of_open, of_store};
use crate::net::PyNet;

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
            NetArg::Name(name) => open::net(name).map_err(of_open),
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
            PlayerArg::Net(net) => {
                let engine = Engine::builder().net(net.get().0.team.clone()).plies(SERIES_PLIES);
                Ok(engine.build().map_err(of_engine)?.player())
            }
            PlayerArg::Name(name) => {
                let spec = name.parse().map_err(invalid)?;
                let setup = PlayerSetup::cubeless(SERIES_PLIES);
                Ok(open::player(&spec, &setup).map_err(of_open)?.player)
            }
        }
    }
}

/// The bearoff databases for play, once they have been asked for.
static BEAROFF: Mutex<Option<Arc<BearoffDatabases>>> = Mutex::new(None);

/// The bearoff databases from the user's cache folder; generated there where they are missing,
/// which takes a second or two.
pub(crate) fn bearoff(py: Python<'_>) -> PyResult<Arc<BearoffDatabases>> {
    py.detach(|| {
        let mut known = BEAROFF.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(databases) = known.as_ref() {
            return Ok(Arc::clone(databases));
        }
        let cached = crate::work::pool(0)?.install(bearoff_for_play).map_err(of_store)?;
        Ok(Arc::clone(known.insert(cached.databases)))
    })
}
