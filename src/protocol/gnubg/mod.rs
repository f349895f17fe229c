//! GNU Backgammon's external player protocol: a server that gnubg connects to, and a gnubg process that plays for us.

mod board;
mod process;
mod server;

pub use board::{Ask, ExternalBoard, ExternalBoardError, ExternalQuestion};
pub use process::{Gnubg, GnubgError, GnubgTimeouts};
pub use server::{Disconnected, GnubgServer};
