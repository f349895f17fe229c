//! Inflates zlib and gzip data, as far as they are whole and up to a bound.

use std::io::Read;

use flate2::bufread::{GzDecoder, ZlibDecoder};

/// The most bytes that a file is inflated to; matches with their analyses have a few million.
const MOST: usize = 1 << 24;

/// Data that was inflated.
pub(super) struct Inflated {
    pub(super) bytes: Vec<u8>,
    /// Whether the end of the data was found.
    pub(super) whole: bool,
    /// Compressed bytes that were read.
    pub(super) used: usize,
}

/// Zlib data at the beginning of `bytes`.
pub(super) fn zlib(bytes: &[u8]) -> Inflated {
    let mut decoder = ZlibDecoder::new(bytes);
    let (inflated, whole) = to_end(&mut decoder);
    Inflated {
        bytes: inflated,
        whole,
        used: usize::try_from(decoder.total_in()).unwrap_or(bytes.len()),
    }
}

/// Gzip data.
pub(super) fn gzip(bytes: &[u8]) -> Inflated {
    let (inflated, whole) = to_end(&mut GzDecoder::new(bytes));
    Inflated { bytes: inflated, whole, used: bytes.len() }
}

fn to_end(decoder: &mut impl Read) -> (Vec<u8>, bool) {
    let mut inflated = Vec::new();
    // Bytes inflated before an error stay in the buffer.
    let read = decoder.take(MOST as u64).read_to_end(&mut inflated);
    let whole = read.is_ok() && inflated.len() < MOST;
    (inflated, whole)
}
