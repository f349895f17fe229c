//! The HTTP API and the pages of `nonet serve`: a board, match analysis, positions, training runs
//! and the bot, in the browser.
//!
//! [`App`] holds the engines and the folders; [`run`] answers connections. State without I/O
//! (`match_table` and the like) stands apart from the handlers. Slow work (rollouts, analyses, deep
//! searches) has places and threads of its own, so it never delays a move.

mod about;
mod analysis;
mod app;
#[cfg(feature = "server")]
mod bot_form;
#[cfg(feature = "server")]
mod bot_page;
mod config;
#[cfg(feature = "server")]
mod connection_slots;
#[cfg(feature = "server")]
mod connections;
mod defaults;
mod direct;
mod errands;
mod error;
mod extract;
#[cfg(feature = "server")]
mod guard;
mod kept_rollouts;
mod nets;
#[cfg(feature = "server")]
mod openapi;
#[cfg(feature = "server")]
mod pages;
mod play;
mod positions;
mod practice;
#[cfg(feature = "server")]
mod requests;
mod rollouts;
mod router;
mod scores;
#[cfg(test)]
mod test_app;
mod training;
mod why;
mod wildbg;
mod work;

pub use app::App;
pub use config::{BookFile, ServeConfig, ServeLimits};
#[cfg(feature = "server")]
pub use connections::run;
pub use direct::{DirectAnswer, DirectRoutes};
pub use errands::{Errand, Tell, Workers};
pub use error::ServeError;
#[cfg(feature = "server")]
pub use openapi::openapi_json;
