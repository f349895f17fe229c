//! Sessions and the practice server: whole matches, deadlines, bad connections, and input that no
//! real server sends.

mod chaos;
#[cfg(feature = "client")]
mod connections;
mod deadlines;
mod deceit;
mod hostile;
#[cfg(feature = "server")]
mod hostile_hour;
#[cfg(feature = "server")]
mod matches;
mod moves;
mod orders;
#[cfg(feature = "server")]
mod practice_server;
mod refusing;
mod scripted;
mod stalling;
#[cfg(feature = "server")]
mod watching;
