//! The compact format: rolls and the numbers of the chosen results, in a frame with a checksum for
//! each game.
//!
//! A file begins with the magic `NOREC\r\n\x1a` and the format version, 4 bytes. Frames follow;
//! files can be concatenated without their headers, and a file that is cut off loses only its last
//! game.
//!
//! | bytes of a frame | contents |
//! |---|---|
//! | 2 | length of the payload, little-endian like all numbers |
//! | 1 | low byte of the CRC-32 of the length: after a wrong length, the rest of the file is lost |
//! | ... | payload |
//! | 4 | CRC-32 of the payload |
//!
//! A payload begins with a byte of flags. If one flag is set, the length of the match and both
//! names follow; otherwise those of the frame before apply. They are repeated every 256 frames.
//! Then come the score of a match and the events in bits. The kind of an event has five bits. A
//! roll has as many bits as numbering its [`Results`](crate::Results) needs. Lengths and scores
//! have seven bits in each byte, the lowest first; the eighth bit is set on all bytes but the last.

mod bits;
mod reader;
mod writer;

pub(super) use reader::CompactReader;
pub use writer::CompactWriter;

/// It contains CR LF: a transfer that converts line ends damages it, which is noticed.
pub(super) const MAGIC: &[u8; 8] = b"NOREC\r\n\x1a";
const VERSION: u32 = 1;

/// Frames after which names are written again.
const NAMES_EVERY: u32 = 256;

/// The fields that frames share with the last frame that has names.
struct Shared {
    serial: u8,
    /// Points, 0 for money.
    length: u32,
    names: [String; 2],
}

/// The flags of a payload.
mod flag {
    /// Length and names follow.
    pub(super) const NAMES: u8 = 1;
    /// The second player rolls first, or doubles first.
    pub(super) const B_FIRST: u8 = 2;
    /// The Crawford game of a match.
    pub(super) const CRAWFORD: u8 = 4;
    /// The same bit for money: without a cube.
    pub(super) const MONEY_CUBELESS: u8 = CRAWFORD;
    /// Money with the rule of Jacoby.
    pub(super) const JACOBY: u8 = 8;
    /// The same bit for a match: without a cube.
    pub(super) const MATCH_CUBELESS: u8 = JACOBY;
    /// Money with beavers.
    pub(super) const BEAVERS: u8 = 16;
    /// The three highest bits count the changes of names. So a game after a damaged one does not
    /// get the names of another match.
    pub(super) const SERIAL: u8 = 5;
    pub(super) const SERIALS: u8 = 7;
}

/// The five bits of an event: 0 to 20 are the rolls in the order of `Dice::ALL`; cube actions and
/// ends follow.
mod code {
    /// Bits of an event code.
    pub(super) const BITS: u32 = 5;
    pub(super) const DOUBLE: u32 = 21;
    pub(super) const BEAVER: u32 = 22;
    pub(super) const TAKE: u32 = 23;
    pub(super) const DROP: u32 = 24;
    /// One bit for the winner and two for the stake follow.
    pub(super) const RESIGN: u32 = 25;
    pub(super) const UNFINISHED: u32 = 26;
    /// A position: the first event of a game from a position that was set up, or the event where a
    /// turn is lost. These bits follow:
    ///
    /// - Two for the player on roll (0 none, 1 X, 2 O).
    /// - Four for the power of the cube.
    /// - Two for the owner of the cube.
    /// - Five for the checkers on each of the 26 points, plus 16.
    pub(super) const SET_UP: u32 = 27;
}

/// Bits that number `results` boards.
const fn bits_for(results: usize) -> u32 {
    usize::BITS - results.saturating_sub(1).leading_zeros()
}

fn check(length: [u8; 2]) -> u8 {
    crc32fast::hash(&length).to_le_bytes()[0]
}
