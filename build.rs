//! Tells release builds from a git checkout their commit: `NONET_VERSION` is then "0.2.0
//! (1a2b3c4d5)". Other builds do without, so a commit does not compile them again.

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

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    name_commit();
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
