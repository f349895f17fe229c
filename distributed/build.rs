//! Names the sources of a build by a checksum: machines that share work must run the same ones.

#![allow(clippy::print_stdout, reason = "cargo reads standard output")]

use std::env::var;
use std::path::Path;

/// What the answers of the program depend on: its sources, those of the rules, and the versions of
/// its dependencies.
const SOURCES: &[&str] = &[
    "src",
    "backgammon/src",
    "distributed/src",
    "engine/src",
    "nets/champion.nonet",
    "papers/src",
    "training/src",
    "Cargo.lock",
];

/// Adds the names and contents of a file or folder to a checksum (FNV-1a, 64 bits).
fn add_to_checksum(path: &Path, sum: &mut u64) -> std::io::Result<()> {
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            *sum = (*sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    if path.is_dir() {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(path)? {
            entries.push(entry?.path());
        }
        entries.sort();
        return entries.iter().try_for_each(|entry| add_to_checksum(entry, sum));
    }
    add(path.file_name().unwrap_or_default().as_encoded_bytes());
    add(&std::fs::read(path)?);
    Ok(())
}

/// Names the sources by a checksum, `NONET_SOURCES`: machines that share work must run the same
/// ones.
fn name_sources() -> std::io::Result<()> {
    let own = var("CARGO_MANIFEST_DIR").map_err(std::io::Error::other)?;
    let folder = Path::new(&own).join("..");
    let mut sum = 0xcbf2_9ce4_8422_2325;
    // A crate from a registry holds only some of them.
    for path in SOURCES.iter().map(|name| folder.join(name)).filter(|p| p.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
        add_to_checksum(&path, &mut sum)?;
    }
    println!("cargo::rustc-env=NONET_SOURCES={sum:016x}");
    Ok(())
}

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    name_sources()
}
