//! The trained nets of this folder as bytes of net files, for programs that need no file beside
//! them. The README says how each was trained.

/// The strongest net of this version.
pub const CHAMPION: &[u8] = include_bytes!("champion.nonet");

/// Nine nets of the paper's sizes, trained by self-play with a falling learning rate.
pub const EXPERT: &[u8] = include_bytes!("expert.nonet");

/// Three small nets: a weak opponent, and a quick start for tests.
pub const SMALL: &[u8] = include_bytes!("small.nonet");

/// Small and fast nets, for players that search deep.
pub const SWIFT: &[u8] = include_bytes!("swift.nonet");

/// The nets by which a search orders the replies to a roll, as `nonet_engine::search::ReplyOrder`
/// reads them.
pub const REPLIES: &[u8] = include_bytes!("replies.bin");

/// The nets by name, the champion first.
#[cfg(not(target_family = "wasm"))]
pub const NAMED: [(&str, &[u8]); 4] =
    [("champion", CHAMPION), ("expert", EXPERT), ("small", SMALL), ("swift", SWIFT)];

/// The nets by name, the champion first. One page with everything in it has no place for the expert.
#[cfg(target_family = "wasm")]
pub const NAMED: [(&str, &[u8]); 3] = [("champion", CHAMPION), ("small", SMALL), ("swift", SWIFT)];
