//! The HTTP API and the pages of `nonet serve`: a board, match analysis, positions, training runs
//! and the bot, in the browser.
//!
//! [`App`] holds the engines and the folders; [`run`] answers connections. State without I/O
//! (`match_table` and the like) stands apart from the handlers. Slow work (rollouts, analyses, deep
//! searches) has places and threads of its own, so it never delays a move.

mod about;
mod analysis;
mod app;
mod asset_list;
mod assets;
mod book;
mod bot_form;
mod bot_page;
mod config;
mod connection_slots;
mod connections;
mod defaults;
mod error;
mod extract;
mod guard;
mod nets;
mod openapi;
mod play;
mod positions;
mod practice;
mod requests;
mod rollouts;
mod router;
mod scores;
mod training;
mod why;
mod wildbg;
mod work;

pub use app::App;
pub use book::BookFile;
pub use config::{ServeConfig, ServeLimits};
pub use connections::run;
pub use error::ServeError;
pub use openapi::openapi_json;
