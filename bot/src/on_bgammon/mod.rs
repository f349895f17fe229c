//! The bot on bgammon.org and servers of its protocol.

mod agent;
mod client;
mod opponent;
mod practice_server;
mod wire;

pub use agent::{BgammonBot, NewMatches};
pub use client::{BgammonAccount, play_bgammon};
pub use opponent::BgammonOpponent;
pub use practice_server::{BgammonServed, serve_bgammon};
pub use wire::{BgammonAddr, BgammonAddrError};
