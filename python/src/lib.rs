//! The extension module `nonet._nonet`: the library `nonet` for Python. What people import is the
//! package in `package/nonet`, which reads arrays and options and calls this.
//!
//! Nothing here is unsafe by hand; what PyO3's macros generate is.

mod answers;
mod arrays;
mod engine;
mod errors;
mod games;
mod net;
mod players;
mod rollouts;
mod state;
mod table;
mod train;
mod work;

use pyo3::prelude::*;

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
    use super::games::Games;
    #[pymodule_export]
    use super::net::PyNet;
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
