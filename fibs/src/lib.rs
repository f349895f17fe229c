#![doc = include_str!("../README.md")]

pub mod agent;
pub mod codec;
pub mod command;
pub mod message;
#[cfg(feature = "client")]
pub mod oneshot;
mod password;
pub mod rating;
pub mod session;

pub use password::{Password, PasswordError};
#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "server")]
pub mod server;
