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
    name_commit();
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
