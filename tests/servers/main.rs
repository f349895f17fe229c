//! Servers and their clients: FIBS, the HTTP API and its pages, and work shared over NATS.

#![cfg(all(feature = "cli", feature = "serve"))]

#[path = "../common/mod.rs"]
mod common;
mod serving;

mod bgammon;
mod browser;
#[cfg(feature = "nats")]
mod distributed;
mod fibs;
mod fibs_soak;
mod fibs_watch;
mod one_answer;
mod serve;
mod serve_hostile;
