//! What boards look like: the geometry and the colours of `board_look.json`, which pictures of
//! reports and the pages of the server draw with.

/// The geometry and the colours of a board, as JSON.
pub const BOARD_LOOK: &str = include_str!("board_look.json");
