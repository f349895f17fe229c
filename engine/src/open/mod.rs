//! Nets and players by name: the one dialect of the commands, the server, Python, UBGI and training
//! runs.
//!
//! A net is the name of a net of the crate `nonet-nets`, a net file, or the folder of a run. The
//! folder of a run means its best net. `built-in` is the old name of `champion`. A player is a net,
//! a baseline, gnubg, PureTD's net, solved hypergammon, or a UBGI engine: [`PlayerSpec`].
//!
//! Defaults stand at what they set: [`Engine::PLAY_PLIES`](crate::Engine::PLAY_PLIES) and
//! [`Engine::CUBE_PLIES`](crate::Engine::CUBE_PLIES) for people, [`SERIES_PLIES`] for series,
//! [`RolloutConfig::default`](crate::rollout::RolloutConfig::default) for rollouts.
//!
//! ```
//! let small = nonet_engine::open::net("small")?;
//! assert_eq!(small.team.nets().len(), 3);
//! # Ok::<(), nonet_engine::open::OpenError>(())
//! ```

mod count;
mod error;
mod nets;
mod player_spec;
mod players;

pub use count::count;
pub use error::OpenError;
pub use nets::{CHAMPION, is_built_in, net, net_bytes, net_names, net_of_run};
pub use player_spec::{PlayerSpec, PlayerSpecError};
pub use players::{Expert, NamedPlayer, PlayerSetup, SERIES_PLIES, evaluator, expert, player};
