//! The trained nets of this folder as bytes of net files, for programs that need no file next to
//! them. The README says how each was trained.

/// Embeds a file once, however many crates refer to it.
macro_rules! file {
    ($(#[$doc:meta])* $name:ident = $bytes:ident, $file:literal) => {
        static $bytes: [u8; include_bytes!($file).len()] = *include_bytes!($file);
        $(#[$doc])*
        pub const $name: &[u8] = &$bytes;
    };
}

file! {
    /// The strongest net of this version.
    CHAMPION = CHAMPION_FILE, "champion.nonet"
}

file! {
    /// Nine nets of the paper's sizes, trained by self-play with a falling learning rate.
    EXPERT = EXPERT_FILE, "expert.nonet"
}

file! {
    /// Three small nets: a weak opponent, and a quick start for tests.
    SMALL = SMALL_FILE, "small.nonet"
}

file! {
    /// Small and fast nets, for players that search deep.
    SWIFT = SWIFT_FILE, "swift.nonet"
}

file! {
    /// The nets by which a search orders the replies to a roll, as
    /// `nonet_engine::search::ReplyOrder` reads them.
    REPLIES = REPLIES_FILE, "replies.bin"
}

/// The nets by name, the champion first.
#[cfg(not(target_family = "wasm"))]
pub const NAMED: [(&str, &[u8]); 4] =
    [("champion", CHAMPION), ("expert", EXPERT), ("small", SMALL), ("swift", SWIFT)];

/// The nets by name, the champion first. One page with everything in it has no place for the
/// others.
#[cfg(target_family = "wasm")]
pub const NAMED: [(&str, &[u8]); 2] = [("champion", CHAMPION), ("small", SMALL)];
