//! What must never be, held against the source itself. ARCHITECTURE.md says why.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module and the modules of this crate that it may use, from the ground up.
const MAY_USE: &[(&str, &[&str])] = &[
    ("backgammon", &[]),
    ("net", &[]),
    ("value", &["backgammon"]),
    ("cube", &["backgammon", "value"]),
    ("features", &["backgammon"]),
    ("class", &["backgammon", "features"]),
    ("eval", &["backgammon", "value", "net", "features", "class"]),
    ("bearoff", &["backgammon", "value", "eval"]),
    ("play", &["backgammon", "value", "eval"]),
    ("search", &["backgammon", "value", "cube", "eval", "play"]),
    ("rollout", &["backgammon", "value", "cube", "eval", "play", "search"]),
    ("benchmark", &["backgammon", "value", "class", "eval", "play"]),
    ("record", &["backgammon", "play"]),
    ("arena", &["backgammon", "play"]),
    ("store", &["backgammon", "value", "net", "features", "class", "eval", "bearoff", "record"]),
    (
        "train",
        &[
            "backgammon",
            "value",
            "net",
            "features",
            "class",
            "eval",
            "bearoff",
            "play",
            "search",
            "record",
            "arena",
            "store",
        ],
    ),
    ("engine", &["backgammon", "value", "cube", "eval", "play", "search", "record"]),
    ("report", &["backgammon", "class", "engine", "record", "train"]),
    (
        "bot",
        &[
            "backgammon",
            "value",
            "cube",
            "eval",
            "play",
            "search",
            "record",
            "arena",
            "store",
            "report",
            "train",
        ],
    ),
    ("experiment", &["class", "play", "search", "arena", "store", "train", "report"]),
    (
        "workload",
        &["backgammon", "value", "net", "features", "class", "eval", "play", "search", "train"],
    ),
];

/// Crates that one module alone may name.
const ONLY_IN: &[(&str, &str)] = &[
    ("bincode", "store"),
    ("plotters", "report"),
    ("indicatif", "cli"),
    ("tokio", "cli"),
    ("fibs", "bot"),
];

/// Words that stand for I/O, clocks and randomness of one's own; nothing below `train` may say them, `store` apart.
const OUTSIDE: &[&str] = &[
    "std::fs",
    "std::io",
    "std::net",
    "std::time",
    "println!",
    "rand::rng(",
    "from_os_rng",
    "std::env",
];

fn sources(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder of sources") {
            sources(&entry.expect("an entry").path(), out);
        }
    } else if path.extension().is_some_and(|ending| ending == "rs") {
        out.push(path.to_owned());
    }
}

/// The source of a module without its tests and comments, file by file.
fn code(module: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let folder = root.join(module);
    sources(if folder.is_dir() { &folder } else { Path::new("") }, &mut files);
    let single = root.join(format!("{module}.rs"));
    files.extend(single.is_file().then_some(single));
    assert!(!files.is_empty(), "the module {module} is gone");
    let strip = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("readable");
        let code = text.split("\n#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        (path, lines.collect::<Vec<_>>().join("\n"))
    };
    files
        .into_iter()
        .filter(|path| path.file_name().is_some_and(|name| name != "tests.rs"))
        .map(strip)
        .collect()
}

fn modules() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let names = fs::read_dir(root).expect("src").map(|entry| entry.expect("an entry").path());
    let name = |path: PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
    names.map(name).filter(|name| name != "lib" && name != "main").collect()
}

#[test]
fn dependencies_run_downward_only() {
    let all = modules();
    let listed: BTreeSet<String> = MAY_USE.iter().map(|(name, _)| (*name).to_owned()).collect();
    let unlisted: Vec<_> = all.difference(&listed).filter(|name| *name != "cli").collect();
    assert!(unlisted.is_empty(), "say in this table what {unlisted:?} may use");
    for (module, may_use) in MAY_USE {
        for (path, code) in code(module) {
            for other in &all {
                let used = code.contains(&format!("crate::{other}::"))
                    || code.contains(&format!("use crate::{other};"));
                let allowed = other == module || may_use.contains(&other.as_str());
                assert!(
                    !used || allowed,
                    "{} uses {other}, which {module} must not",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn the_rules_use_std_alone() {
    for (path, code) in code("backgammon") {
        for line in code
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with("use ") || line.starts_with("pub use "))
        {
            let first = line
                .trim_start_matches("pub ")
                .trim_start_matches("use ")
                .split("::")
                .next()
                .unwrap_or_default();
            let own = ["std", "super", "crate", "self"].contains(&first);
            let module = code.contains(&format!("mod {first};"))
                || Path::new(&path).with_file_name(format!("{first}.rs")).exists();
            assert!(own || module, "{}: {line}", path.display());
        }
    }
}

#[test]
fn some_crates_have_one_place() {
    for (name, place) in ONLY_IN {
        for module in modules().iter().filter(|module| module != place) {
            for (path, code) in code(module) {
                // A module may have the name of a crate, as the one of `nonet fibs` has.
                let own = format!("self::{name}::");
                assert!(
                    !code.replace(&own, "").contains(&format!("{name}::")),
                    "{} names {name}, which belongs in {place}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn nothing_below_train_does_io_or_reads_a_clock_or_owns_randomness() {
    for module in [
        "backgammon",
        "net",
        "value",
        "features",
        "class",
        "eval",
        "play",
        "search",
        "arena",
        "train",
    ] {
        for (path, code) in code(module) {
            for word in OUTSIDE {
                assert!(!code.contains(word), "{} says {word}", path.display());
            }
        }
    }
}

#[test]
fn records_read_what_they_are_given_and_open_nothing() {
    for (path, code) in code("record") {
        for word in OUTSIDE.iter().filter(|word| **word != "std::io") {
            assert!(!code.contains(word), "{} says {word}", path.display());
        }
    }
}

#[test]
fn nets_know_no_backgammon_and_inputs_know_no_nets() {
    for (path, code) in code("net") {
        assert!(!code.contains("Position"), "{}", path.display());
    }
    for (path, code) in code("features") {
        assert!(!code.contains("Mlp"), "{}", path.display());
    }
}

#[test]
fn a_tenth_class_touches_class_rs_alone() {
    // No other file tells one class from another by its name: all go through the table and ByClass.
    let variants = [
        "Endgame", "Race", "NoBack", "Prime", "Backgame", "Holding", "OwnHome", "OppHome",
        "Default",
    ];
    for module in modules().iter().filter(|module| *module != "class") {
        for (path, code) in code(module) {
            for variant in variants {
                let word = format!("Class::{variant}");
                let named = code.match_indices(&word).any(|(at, _)| {
                    let before = code[..at].chars().next_back();
                    before.is_none_or(|c| !c.is_alphanumeric())
                });
                assert!(!named, "{} names {word}", path.display());
            }
        }
    }
}

#[test]
fn files_answer_one_question() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    for path in files {
        let text = fs::read_to_string(&path).expect("readable");
        assert!(
            text.starts_with("//!") || text.starts_with("#![doc"),
            "{} does not begin by saying what it is for",
            path.display()
        );
        assert!(text.lines().count() <= 600, "{} is longer than 600 lines", path.display());
    }
}
