//! The file of PureTD's net: a zip archive that PyTorch wrote, with an array a member.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use rawzip::{CompressionMethod, ZipArchive};

use super::StoreError;
use crate::eval::PureTd;

/// More than the archive holds: 2.1 million bytes of arrays, and 2,000 around them.
const MOST_BYTES: u64 = 4 << 20;

/// Reads PureTD's net.
///
/// # Errors
/// [`StoreError::Io`] if the file cannot be read, [`StoreError::NoPureTd`] if it is something else
/// or damaged.
pub fn read_puretd(path: &Path) -> Result<PureTd, StoreError> {
    let file = File::open(path).map_err(StoreError::io("open", path))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(StoreError::io("read", path))?;
    if bytes.len() as u64 > MOST_BYTES {
        let reason = format!("it is larger than {MOST_BYTES} bytes");
        return Err(StoreError::NoPureTd { path: path.to_owned(), reason });
    }
    puretd_from_bytes(&bytes, path)
}

/// The net in the bytes of a file; `path` appears in errors.
///
/// # Errors
/// [`StoreError::NoPureTd`] if they are something else or damaged.
pub fn puretd_from_bytes(bytes: &[u8], path: &Path) -> Result<PureTd, StoreError> {
    let net = || {
        let mut arrays = members(bytes)?;
        for (array, numbers) in arrays.iter_mut().enumerate() {
            if numbers.is_empty() {
                return Err(format!("it has no array data/{array}"));
            }
        }
        PureTd::from_arrays(arrays).map_err(|error| error.to_string())
    };
    net().map_err(|reason| StoreError::NoPureTd { path: path.to_owned(), reason })
}

/// The arrays of an archive: the members `*/data/0` to `*/data/9`. Those that are missing are
/// empty.
fn members(bytes: &[u8]) -> Result<[Vec<f32>; PureTd::ARRAYS], String> {
    let archive = ZipArchive::from_slice(bytes).map_err(|error| error.to_string())?;
    let mut arrays: [Vec<f32>; PureTd::ARRAYS] = Default::default();
    for entry in archive.entries() {
        let entry = entry.map_err(|error| error.to_string())?;
        let path = entry.file_path();
        let Some(array) = array_of(path.as_ref()) else { continue };
        let wrong = |reason: &str| format!("array data/{array} {reason}");
        if !arrays[array].is_empty() {
            return Err(wrong("is there twice"));
        }
        if entry.compression_method() != CompressionMethod::STORE {
            return Err(wrong("is compressed"));
        }
        let member = archive.get_entry(entry.wayfinder()).map_err(|error| error.to_string())?;
        let (found, expected) = (member.data().len(), 4 * PureTd::array_len(array));
        if found != expected {
            return Err(wrong(&format!("has {found} bytes, expected {expected}")));
        }
        if crc32fast::hash(member.data()) != entry.crc32() {
            return Err(wrong("is damaged: its checksum does not match"));
        }
        let numbers = member.data().as_chunks::<4>().0;
        arrays[array] = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    }
    Ok(arrays)
}

/// The array that a member is.
fn array_of(path: &[u8]) -> Option<usize> {
    let (folder, name) = path.split_at(path.len().checked_sub(1)?);
    let array = usize::from(name[0].checked_sub(b'0')?);
    (folder.ends_with(b"/data/") && array < PureTd::ARRAYS).then_some(array)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64;
    use rawzip::ZipArchiveWriter;

    use super::*;
    use crate::backgammon::Position;
    use crate::eval::Evaluator;

    /// A member of an archive.
    type Member = (String, Vec<u8>);

    fn archive(members: &[Member], method: CompressionMethod) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut archive = ZipArchiveWriter::new(&mut bytes);
        for (name, content) in members {
            let (mut entry, config) =
                archive.new_file(name).compression_method(method).start().expect("a member");
            let mut writer = config.wrap(&mut entry);
            writer.write_all(content).expect("in memory");
            let (_, descriptor) = writer.finish().expect("in memory");
            entry.finish(descriptor).expect("in memory");
        }
        archive.finish().expect("in memory");
        bytes
    }

    fn drawn() -> Vec<Member> {
        let mut rng = Pcg64::seed_from_u64(1);
        let mut numbers = |array| -> Vec<u8> {
            let numbers = (0..PureTd::array_len(array)).map(|_| rng.random_range(-0.1_f32..0.1));
            numbers.flat_map(f32::to_le_bytes).collect()
        };
        let arrays = (0..PureTd::ARRAYS).map(|array| (format!("x/data/{array}"), numbers(array)));
        [("x/data.pkl".to_owned(), vec![1, 2, 3])].into_iter().chain(arrays).collect()
    }

    fn refused(bytes: &[u8]) -> String {
        puretd_from_bytes(bytes, Path::new("a.pt")).expect_err("not the net").to_string()
    }

    #[test]
    fn arrays_are_read_by_their_names_in_any_order() {
        let mut members = drawn();
        let read = |members: &[Member]| {
            let bytes = archive(members, CompressionMethod::STORE);
            puretd_from_bytes(&bytes, Path::new("a.pt")).expect("a net").evaluate(&Position::START)
        };
        let value = read(&members);
        assert!(value.equity().abs() > 1e-3, "{value:?}");
        members.reverse();
        assert_eq!(read(&members), value);
    }

    #[test]
    fn errors_say_what_is_wrong_and_what_is_expected() {
        let says = |members: &[Member], words: &str| {
            let error = refused(&archive(members, CompressionMethod::STORE));
            assert!(error.starts_with("a.pt is not PureTD's net, ") && error.ends_with(words));
            assert!(error.contains("196-512-512-256-128-5: "), "{error}");
        };
        let whole = drawn();
        let without: Vec<Member> =
            whole.iter().filter(|(name, _)| name != "x/data/3").cloned().collect();
        says(&without, "it has no array data/3");
        let mut twice = whole.clone();
        twice.push(("y/data/9".to_owned(), vec![0; 20]));
        says(&twice, "array data/9 is there twice");
        let mut longer = whole.clone();
        longer[2].1.extend([0; 4]);
        says(&longer, "array data/1 has 2052 bytes, expected 2048");
        let mut infinite = whole.clone();
        infinite[2].1[..4].copy_from_slice(&f32::NAN.to_le_bytes());
        says(&infinite, "array 1 has a number that is not finite");
        let deflated = archive(&whole, CompressionMethod::DEFLATE);
        assert!(refused(&deflated).ends_with("array data/0 is compressed"));
        for foreign in [&b""[..], b"hello", &[0; 1000], &whole[1].1] {
            refused(foreign);
        }
    }

    #[test]
    fn a_changed_or_cut_file_is_refused_or_the_same_net() {
        let whole = archive(&drawn(), CompressionMethod::STORE);
        let read = |bytes: &[u8]| puretd_from_bytes(bytes, Path::new("a.pt"));
        let value = read(&whole).expect("a net").evaluate(&Position::START);
        let mut rng = Pcg64::seed_from_u64(2);
        let (mut cut, mut changed) = (0, 0);
        for number in 0..300 {
            let mut bytes = whole.clone();
            // What stands around the arrays is short: the names and sizes at the end, mostly.
            let at = match number % 3 {
                0 => rng.random_range(0..bytes.len()),
                1 => bytes.len() - rng.random_range(1..1000),
                _ => rng.random_range(0..200),
            };
            match rng.random_bool(0.3) {
                true => bytes.truncate(at),
                false => bytes[at] ^= 1 << rng.random_range(0..8),
            }
            match (read(&bytes), bytes.len() < whole.len()) {
                (Ok(net), false) => assert_eq!(net.evaluate(&Position::START), value),
                (Ok(_), true) => panic!("{at} bytes are a net"),
                (Err(_), true) => cut += 1,
                (Err(_), false) => changed += 1,
            }
        }
        assert!(cut > 50 && changed > 50, "{cut} {changed}");
    }

    #[test]
    fn a_file_of_another_size_is_not_read_to_its_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("big.pt");
        File::create(&path).expect("a file").set_len(1 << 40).expect("a sparse file");
        let error = read_puretd(&path).expect_err("too large").to_string();
        assert!(error.ends_with("it is larger than 4194304 bytes"), "{error}");
        let error = read_puretd(&folder.path().join("none.pt")).expect_err("no file").to_string();
        assert!(error.starts_with("cannot open "), "{error}");
    }

    /// Computed by numpy from the same file in double precision.
    ///
    /// A separate program reads the position ID, writes the inputs and multiplies the matrices.
    const BY_NUMPY: [(&str, [f32; 5]); 8] = [
        ("4HPwATDgc/ABMA", [0.513587, 0.145228, 0.006787, 0.133417, 0.005733]),
        // After 3-1: 8/5 6/5, the opponent on roll.
        ("sGfwATDgc/ABMA", [0.445558, 0.117951, 0.005361, 0.172540, 0.007721]),
        ("rjkHAxCxzRYBAw", [0.609538, 0.145582, 0.004126, 0.080493, 0.001818]),
        ("4HnkADisPcFIBA", [0.706611, 0.336782, 0.048944, 0.051882, 0.002955]),
        ("jGfwASTY1sEDIA", [0.736680, 0.279892, 0.010598, 0.053330, 0.002055]),
        ("290GABBst7YAAA", [0.846090, 0.041337, 0.000894, 0.019946, 0.000261]),
        ("vgEAAP9nAAIgAA", [0.000954, 0.000000, 0.000000, 0.429757, 0.007951]),
        ("Yc+GAWCbeycAAA", [0.946178, 0.836535, 0.006858, 0.000175, 0.000004]),
    ];

    #[test]
    fn the_published_net_says_what_numpy_computes() {
        let Some(path) = std::env::var_os("NONET_PURETD") else { return };
        let net = read_puretd(Path::new(&path)).expect("the published file");
        for (id, chances) in BY_NUMPY {
            let value = net.evaluate(&Position::from_id(id).expect(id));
            let near = value.cumulative().iter().zip(chances).all(|(a, b)| (a - b).abs() < 1e-4);
            assert!(near, "{id}: {value:?}, expected {chances:?}");
        }
    }
}
