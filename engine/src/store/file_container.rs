//! The container format of all nonet files: magic, version, kind, header, payload, checksum.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic `NONET\r\n\x1a`: damaged by any transfer that converts line ends |
//! | 4 | format version, little-endian like all numbers |
//! | 4 | kind |
//! | 8 | length of the header |
//! | 8 | length of the payload |
//! | ... | header: JSON |
//! | ... | payload |
//! | 4 | CRC-32 of everything before it |

use std::path::Path;

use super::StoreError;

const MAGIC: &[u8; 8] = b"NONET\r\n\x1a";
const VERSION: u32 = 1;
const FRONT: usize = 32;
const CHECKSUM: usize = 4;

/// The kind of data in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A team of nets.
    Nets,
    /// The state of a training run.
    Checkpoint,
    /// Bearoff databases.
    Bearoff,
    /// Values of hypergammon that are not settled yet.
    Hypergammon,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Nets, Kind::Checkpoint, Kind::Bearoff, Kind::Hypergammon];

    const fn code(self) -> [u8; 4] {
        match self {
            Kind::Nets => *b"nets",
            Kind::Checkpoint => *b"ckpt",
            Kind::Bearoff => *b"boff",
            Kind::Hypergammon => *b"hypg",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Kind::Nets => "net file",
            Kind::Checkpoint => "checkpoint",
            Kind::Bearoff => "bearoff database",
            Kind::Hypergammon => "half-solved hypergammon",
        }
    }
}

pub(super) fn encode(kind: Kind, header: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(FRONT + header.len() + payload.len() + CHECKSUM);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&kind.code());
    bytes.extend_from_slice(&(header.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    bytes.extend_from_slice(header);
    bytes.extend_from_slice(payload);
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// A number that tells the contents of two files of nonet apart: the checksum that ends them.
///
/// The CRC-32 of a whole file, which includes its own CRC-32, is the same for every file.
///
/// ```
/// use nonet_engine::open::net_bytes;
/// use nonet_engine::store::file_checksum;
///
/// let [small, swift] = ["small", "swift"].map(|name| net_bytes(name).map(|it| file_checksum(&it)));
/// assert_ne!(small?, swift?);
/// # Ok::<(), nonet_engine::open::OpenError>(())
/// ```
#[must_use]
pub fn file_checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(&bytes[..bytes.len().saturating_sub(CHECKSUM)])
}

/// Returns the header and payload of a file; `path` appears in the errors.
pub(super) fn decode<'a>(
    bytes: &'a [u8],
    kind: Kind,
    path: &Path,
) -> Result<(&'a [u8], &'a [u8]), StoreError> {
    let path = || path.to_owned();
    if !bytes.starts_with(MAGIC) {
        return Err(StoreError::Foreign { path: path() });
    }
    let truncated = |expected| StoreError::Truncated { path: path(), bytes: bytes.len(), expected };
    let front: &[u8; FRONT] = bytes.first_chunk().ok_or_else(|| truncated(FRONT as u64))?;
    let four = |at: usize| std::array::from_fn::<u8, 4, _>(|i| front[at + i]);
    let eight = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| front[at + i]));
    let version = u32::from_le_bytes(four(8));
    if version != VERSION {
        return Err(StoreError::Version { path: path(), found: version, known: VERSION });
    }
    let (header, payload) = (eight(16), eight(24));
    // The lengths are used only if they match the length of the file.
    let expected = header.saturating_add(payload).saturating_add((FRONT + CHECKSUM) as u64);
    if (bytes.len() as u64) < expected {
        return Err(truncated(expected));
    }
    let (body, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
    if bytes.len() as u64 != expected || crc32fast::hash(body).to_le_bytes() != checksum {
        return Err(StoreError::Damaged { path: path() });
    }
    if four(12) != kind.code() {
        let found = Kind::ALL
            .into_iter()
            .find(|k| k.code() == four(12))
            .map_or("file of an unknown kind", Kind::name);
        return Err(StoreError::OtherKind { path: path(), found, expected: kind.name() });
    }
    // Both lengths fit into usize: their sum is the length of a file in memory.
    Ok(body[FRONT..].split_at(header as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(bytes: &[u8]) -> String {
        decode(bytes, Kind::Nets, Path::new("x.nonet")).expect_err("refused").to_string()
    }

    #[test]
    fn decoding_returns_the_encoded_header_and_payload() {
        let bytes = encode(Kind::Nets, b"{}", b"weights");
        let (header, payload) = decode(&bytes, Kind::Nets, Path::new("x")).expect("whole");
        assert_eq!((header, payload), (&b"{}"[..], &b"weights"[..]));
    }

    #[test]
    fn every_damaged_byte_and_every_truncation_is_detected() {
        let bytes = encode(Kind::Nets, b"{}", b"weights");
        for i in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 0x20;
            assert!(decode(&damaged, Kind::Nets, Path::new("x")).is_err(), "byte {i}");
        }
        for length in 0..bytes.len() {
            assert!(
                decode(&bytes[..length], Kind::Nets, Path::new("x")).is_err(),
                "cut at {length}"
            );
        }
    }

    #[test]
    fn errors_say_what_is_wrong_with_the_file() {
        let bytes = encode(Kind::Nets, b"{}", b"weights");
        assert_eq!(refused(b"GIF89a"), "x.nonet: not a nonet file: it does not begin with 'NONET'");
        assert!(refused(&bytes[..20]).contains("is truncated: 20 bytes, expected"));
        let mut other = bytes.clone();
        other[8] = 9;
        assert_eq!(refused(&other), "x.nonet has format version 9; this program reads version 1");
        let checkpoint = encode(Kind::Checkpoint, b"{}", b"");
        assert_eq!(refused(&checkpoint), "x.nonet is a nonet checkpoint, expected a net file");
    }
}
