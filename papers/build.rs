//! Lists the experiments, so that a new one is a new file.

#![allow(clippy::print_stdout, reason = "cargo reads standard output")]

use std::env::var;
use std::path::Path;

/// Where the experiments lie: the files `*.toml` of this folder.
const EXPERIMENTS: &str = "src";

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
    list_experiments()
}
