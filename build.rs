//! Lists the experiments of the papers, so that a new one is a new file. And tells release builds from a git checkout which
//! commit they are built from: `NONET_VERSION` is then "0.1.0 (1a2b3c4d5)".
//! Other builds do without, so that a commit does not make them compile again.

#![allow(clippy::print_stdout, reason = "cargo reads standard output")]

use std::env::var;
use std::path::Path;
use std::process::Command;

/// The first line that git prints, if there is git and it is content.
fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok().filter(|o| o.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.lines().next()?.to_owned())
}

/// Where the experiments lie: the files `*.toml` of this folder.
const EXPERIMENTS: &str = "src/experiment";

/// Writes the table of the experiments, by name, as Rust source.
fn list_experiments() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed={EXPERIMENTS}");
    let place = |name: &str| var(name).map_err(std::io::Error::other);
    let folder = Path::new(&place("CARGO_MANIFEST_DIR")?).join(EXPERIMENTS);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            files.push(path);
        }
    }
    files.sort();
    let mut source = "/// The experiments: name of the file, and its text.\nconst EXPERIMENTS: &[(&str, &str)] = &[\n".to_owned();
    for path in files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        source += &format!("    ({name:?}, include_str!({:?})),\n", path.display().to_string());
    }
    std::fs::write(Path::new(&place("OUT_DIR")?).join("experiments.rs"), source + "];\n")
}

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    list_experiments()?;
    name_sources()?;
    name_commit();
    Ok(())
}

/// What the answers of the program depend on: its sources, those of the rules, and the versions of its dependencies.
const SOURCES: &[&str] =
    &["src", "core/src", "backgammon/src", "nets/champion.nonet", "Cargo.lock"];

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

/// Names the sources by a checksum, `NONET_SOURCES`: machines that share work must run the same ones.
fn name_sources() -> std::io::Result<()> {
    let folder = var("CARGO_MANIFEST_DIR").map_err(std::io::Error::other)?;
    let mut sum = 0xcbf2_9ce4_8422_2325;
    // A crate from a registry holds only some of them.
    for path in SOURCES.iter().map(|name| Path::new(&folder).join(name)).filter(|p| p.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
        add_to_checksum(&path, &mut sum)?;
    }
    println!("cargo::rustc-env=NONET_SOURCES={sum:016x}");
    Ok(())
}

fn name_commit() {
    let (Ok(profile), Ok(version), Ok(folder)) =
        (var("PROFILE"), var("CARGO_PKG_VERSION"), var("CARGO_MANIFEST_DIR"))
    else {
        return;
    };
    // Not the checkout of a program that merely contains this crate.
    let top = git(&["rev-parse", "--show-toplevel"]);
    let own = top.is_some_and(|top| {
        Path::new(&top).canonicalize().ok() == Path::new(&folder).canonicalize().ok()
    });
    if profile != "release" || !own {
        return;
    }
    // Grows with each commit and each checkout.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    if let Some(commit) = git(&["rev-parse", "--short=9", "HEAD"]) {
        println!("cargo::rustc-env=NONET_VERSION={version} ({commit})");
    }
}
