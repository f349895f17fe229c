//! The extension module `nonet._nonet`: the library `nonet` for Python. What people import is the
//! package in `package/nonet`, which reads arrays and options and calls this.
//!
//! Nothing here is unsafe by hand; what PyO3's macros generate is.

mod answers;
mod arrays;
mod engine;
mod environment_table;
mod environments;
mod errors;
mod net;
mod players;
mod practice;
mod rollouts;
mod state;
mod train;
mod work;

use pyo3::prelude::*;

/// Python aligns its objects to 16 bytes. What needs more, as a position does, must be boxed.
const _: () = {
    use std::mem::align_of;
    let needed = [
        align_of::<answers::Move>(),
        align_of::<answers::PyCubeDecision>(),
        align_of::<answers::Rollout>(),
        align_of::<answers::PyCubeRollout>(),
        align_of::<answers::Series>(),
        align_of::<engine::PyEngine>(),
        align_of::<environments::Games>(),
        align_of::<net::PyNet>(),
        align_of::<practice::PyDeck>(),
        align_of::<state::PyGameState>(),
    ];
    let mut i = 0;
    while i < needed.len() {
        assert!(
            needed[i] <= 16,
            "a Python class needs more than Python's alignment: box its field"
        );
        i += 1;
    }
};

/// The library nonet.
#[pymodule]
mod _nonet {
    use super::*;

    #[pymodule_export]
    use super::answers::{Move, PyCubeDecision, PyCubeRollout, Rollout, Series};
    #[pymodule_export]
    use super::arrays::{classify, encode, flip, input_names, legal_results, lowest};
    #[pymodule_export]
    use super::engine::PyEngine;
    #[pymodule_export]
    use super::environments::Games;
    #[pymodule_export]
    use super::net::PyNet;
    #[pymodule_export]
    use super::practice::PyDeck;
    #[pymodule_export]
    use super::state::PyGameState;
    #[pymodule_export]
    use super::train::{play_games, train};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let classes: Vec<&str> = nonet::class::Class::all().map(|class| class.slug()).collect();
        let presets: Vec<&str> =
            nonet::eval::Architecture::ALL.iter().map(|one| one.name()).collect();
        module.add("CLASSES", classes)?;
        module.add("PRESETS", presets)?;
        module.add("TRAIN_OPTIONS", nonet::train::TrainSpec::KEYS.to_vec())?;
        module.add("ANALYSIS_SCHEMA", nonet::report::ANALYSIS_SCHEMA)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
