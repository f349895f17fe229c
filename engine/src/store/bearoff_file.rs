//! The file format of the bearoff databases. The file is a cache: the databases can be generated
//! again at any time.
//!
//! The header holds the number of checkers of the two-sided database. The payload is the rows of
//! the one-sided database, then the equities of the two-sided one. Each is in the order of its
//! type, as `f32`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::file_container::{Kind, decode, encode};
use super::{StoreError, write_atomic};
use crate::bearoff::{BearoffDatabases, OneSided, ROLLS, TwoSided};
use crate::eval::Cubeful;

#[derive(Serialize, Deserialize)]
struct Header {
    one_sided_rows: usize,
    two_sided_checkers: u8,
}

/// Writes both databases, about 23 MB; returns the file's CRC-32.
///
/// # Errors
/// [`StoreError::Io`].
pub fn write_bearoff(path: &Path, databases: &BearoffDatabases) -> Result<u32, StoreError> {
    let header = Header {
        one_sided_rows: databases.one_sided().rows().count(),
        two_sided_checkers: databases.two_sided().checkers(),
    };
    let header = serde_json::to_vec(&header)
        .map_err(|error| StoreError::Header { path: path.to_owned(), reason: error.to_string() })?;
    let chances = databases.one_sided().rows().flatten().copied();
    let equities = databases.two_sided().equities().iter();
    let equities = equities.flat_map(|e| [e.cubeless, e.owned, e.centred, e.opponent]);
    let payload: Vec<u8> = chances.chain(equities).flat_map(f32::to_le_bytes).collect();
    let bytes = encode(Kind::Bearoff, &header, &payload);
    write_atomic(path, &bytes)?;
    Ok(crc32fast::hash(&bytes))
}

/// Reads a file written by [`write_bearoff`].
///
/// # Errors
/// [`StoreError`] if the file cannot be read, is damaged or is no bearoff database.
pub fn read_bearoff(path: &Path) -> Result<BearoffDatabases, StoreError> {
    let bytes = std::fs::read(path).map_err(StoreError::io("read", path))?;
    let (header, payload) = decode(&bytes, Kind::Bearoff, path)?;
    let wrong = |reason: String| StoreError::Header { path: path.to_owned(), reason };
    let header: Header = serde_json::from_slice(header).map_err(|e| wrong(e.to_string()))?;
    let numbers: Vec<f32> =
        payload.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    let sizes = || wrong("its sizes do not match the length of the payload".to_owned());
    let split = header.one_sided_rows.checked_mul(ROLLS).filter(|&split| split <= numbers.len());
    let (chances, equities) = numbers.split_at(split.ok_or_else(sizes)?);
    let one_sided = OneSided::from_rows(chances.as_chunks().0.to_vec()).ok_or_else(sizes)?;
    let cubeful = |&[cubeless, owned, centred, opponent]: &[f32; 4]| Cubeful {
        cubeless,
        owned,
        centred,
        opponent,
    };
    let equities = equities.as_chunks().0.iter().map(cubeful).collect();
    let two_sided =
        TwoSided::from_equities(header.two_sided_checkers, equities).ok_or_else(sizes)?;
    Ok(BearoffDatabases::new(one_sided, two_sided))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_are_read_back_and_a_damaged_or_short_file_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("bearoff.nonet");
        let databases = &**crate::bearoff::SMALL;
        write_bearoff(&path, databases).expect("written");
        assert_eq!(read_bearoff(&path).expect("readable"), *databases);
        let mut bytes = std::fs::read(&path).expect("there");
        bytes[1000] ^= 1;
        std::fs::write(&path, &bytes).expect("written");
        let error = read_bearoff(&path).expect_err("damaged").to_string();
        assert!(error.ends_with("is damaged: the checksum does not match"), "{error}");
        let short =
            encode(Kind::Bearoff, br#"{"one_sided_rows":1,"two_sided_checkers":2}"#, &[0; 8]);
        std::fs::write(&path, short).expect("written");
        let error = read_bearoff(&path).expect_err("too short").to_string();
        assert!(error.contains("its sizes do not match"), "{error}");
    }
}
