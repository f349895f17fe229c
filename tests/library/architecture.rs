//! The invariants of ARCHITECTURE.md, checked on manifests and on the syntax trees of the sources.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use nonet::class::Class;
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// The crates from the ground up, by folder. A crate may depend on those of the rows above its own,
/// and on no other of its row. The program and its facade, in `src`, stand above all.
const CRATES: &[&[&str]] = &[
    &["backgammon", "nets"],
    &["fibs", "bgammon", "engine"],
    &["training"],
    &["report"],
    &["bot", "practice"],
    &["papers"],
    &["serve", "distributed"],
    &["offline"],
];

/// The modules of two crates from the ground up. A module may use those of the rows above its own,
/// and no other of its row.
const LAYERS: &[(&str, &[&[&str]])] = &[
    (
        "engine",
        &[
            &["vectors"],
            &["progress", "stats", "nn", "features"],
            &["class"],
            &["eval"],
            &["bearoff", "cube"],
            &["game", "hypergammon"],
            &["search", "strength"],
            &["rollout"],
            &["store"],
            &["engine"],
            &["analysis", "explain", "protocol"],
            &["open"],
        ],
    ),
    (
        "training",
        &[&["drawn_position"], &["benchmark", "calibration"], &["train"], &["speed_workload"]],
    ),
];

/// Crates from elsewhere that only some modules of the engine use.
const ONLY_IN: &[(&str, &[&str])] = &[("bincode", &["store", "progress"])];

/// Paths of I/O, clocks, the environment and unseeded random numbers.
const OUTSIDE: &[&str] = &[
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::time",
    "std::env",
    "println",
    "eprintln",
    "rand::rng",
    "rand::thread_rng",
    "from_os_rng",
];

/// Modules, and crates without layers, that may do what [`OUTSIDE`] lists, and why. All others are
/// pure.
const MAY_REACH_OUTSIDE: &[&str] = &[
    "store",          // files
    "engine",         // the cache folder of bearoff databases
    "open",           // net files, and the variable GNUBG
    "protocol",       // streams of the caller, and the gnubg process
    "bot",            // a server
    "papers",         // the folder of an experiment
    "report",         // errors of files that could not be drawn
    "practice",       // the cards of a player
    "speed_workload", // seconds
    "serve",          // a server
    "distributed",    // a server, and workers
    "offline",        // a browser's clock and files
    "program",
];

/// A source file: its module, and its paths outside of tests.
struct Source {
    path: PathBuf,
    /// The folder of its crate; empty for the program.
    folder: String,
    module: String,
    /// Every path in the file with its first segments resolved, such as `crate::eval::Evaluator`.
    paths: BTreeSet<String>,
}

/// Collects the paths of a file.
struct Collector {
    /// The module path of the file below the crate, such as `["train", "source"]`.
    place: Vec<String>,
    paths: BTreeSet<String>,
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || (attribute.path().is_ident("cfg")
                && attribute.meta.require_list().is_ok_and(|list| {
                    list.tokens
                        .to_string()
                        .split(|c: char| !c.is_alphanumeric())
                        .any(|w| w == "test")
                }))
    })
}

impl Collector {
    /// Adds a path; `super` and `self` are resolved from where it stands.
    fn add(&mut self, segments: &[String]) {
        let mut place = self.place.clone();
        let mut rest = segments;
        let relative = matches!(segments.first().map(String::as_str), Some("super" | "self"));
        while let Some(first) = rest.first() {
            match first.as_str() {
                "super" => drop(place.pop()),
                "self" => {}
                _ => break,
            }
            rest = &rest[1..];
        }
        let mut whole = Vec::new();
        if relative {
            whole.push("crate".to_owned());
            whole.extend(place);
        }
        whole.extend(rest.iter().cloned());
        self.paths.insert(whole.join("::"));
    }

    fn add_tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |ident: &syn::Ident| {
            let mut path = before.to_vec();
            path.push(ident.to_string());
            path
        };
        match tree {
            UseTree::Path(path) => self.add_tree(&with(&path.ident), &path.tree),
            UseTree::Name(name) => self.add(&with(&name.ident)),
            UseTree::Rename(name) => self.add(&with(&name.ident)),
            UseTree::Glob(_) => self.add(before),
            UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.add_tree(before, item));
            }
        }
    }

    /// The paths in the tokens of a macro call, which are no syntax tree yet.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match &token {
                TokenTree::Ident(ident) => {
                    if colons != 2 && !path.is_empty() {
                        self.add(&path);
                        path.clear();
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                other => {
                    if !path.is_empty() {
                        self.add(&path);
                        path.clear();
                    }
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.add_tokens(group.stream());
                    }
                }
            }
        }
        if !path.is_empty() {
            self.add(&path);
        }
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Static(item) => &item.attrs,
            Item::Const(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.content.is_some() {
            self.place.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.place.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.add(&segments);
        visit::visit_path(self, path);
    }

    /// Derives and other macros in attributes, those in `cfg_attr` too.
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.add_tokens(list.tokens.clone());
        }
        visit::visit_attribute(self, attribute);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.add_tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            out.push(path);
        }
    }
}

/// The sources of all crates above the rules but `lib.rs`, `main.rs` and files of tests.
fn sources() -> Vec<Source> {
    let above = CRATES.iter().copied().flatten().filter(|name| !OWN_RULES.contains(name));
    let mut out: Vec<Source> = above.flat_map(|name| sources_of(name)).collect();
    out.extend(sources_of(""));
    out
}

/// Crates that know nothing of nonet; their own tests say what they keep to.
const OWN_RULES: &[&str] = &["backgammon", "nets", "fibs", "bgammon"];

/// The layers of a crate, if it has any.
fn layers_of(folder: &str) -> Option<&'static [&'static [&'static str]]> {
    LAYERS.iter().find(|(name, _)| *name == folder).map(|(_, layers)| *layers)
}

/// The sources of the crate in this folder. A crate without layers counts as one module, but for
/// the modules of `report` that know no chart.
fn sources_of(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("src");
    let mut all = Vec::new();
    files(&root, &mut all);
    let mut out = Vec::new();
    for path in all {
        let inside = path.strip_prefix(&root).expect("below the folder").with_extension("");
        let mut place: Vec<String> =
            inside.components().map(|part| part.as_os_str().to_string_lossy().into()).collect();
        if place.last().is_some_and(|last| last == "mod") {
            place.pop();
        }
        let last = place.last().expect("a name").clone();
        if place.len() == 1 && (last == "lib" || last == "main") || last == "tests" {
            continue;
        }
        let text = fs::read_to_string(&path).expect("readable");
        let tree = syn::parse_file(&text).expect("Rust that parses");
        let mut collector = Collector { place: place.clone(), paths: BTreeSet::new() };
        if !is_test(&tree.attrs) {
            collector.visit_file(&tree);
        }
        let own = layers_of(folder).is_some()
            || folder == "report" && ["answer", "person_match"].contains(&place[0].as_str());
        let module = match folder {
            _ if own => place[0].clone(),
            "" => "program".to_owned(),
            other => other.to_owned(),
        };
        out.push(Source { path, folder: folder.to_owned(), module, paths: collector.paths });
    }
    out
}

#[test]
fn every_module_of_a_crate_with_layers_has_one() {
    for (folder, layers) in LAYERS {
        let modules: BTreeSet<String> =
            sources_of(folder).into_iter().map(|source| source.module).collect();
        let listed: BTreeSet<String> =
            layers.iter().copied().flatten().map(|name| (*name).to_owned()).collect();
        assert_eq!(modules, listed, "LAYERS and the modules of {folder}");
    }
}

#[test]
fn modules_use_lower_modules_only() {
    let mut wrong = BTreeMap::new();
    for source in sources() {
        let Some(layers) = layers_of(&source.folder) else { continue };
        let layer = |module: &str| layers.iter().position(|layer| layer.contains(&module));
        let own = layer(&source.module).expect("checked by another test");
        for path in &source.paths {
            let mut segments = path.split("::");
            if segments.next() != Some("crate") {
                continue;
            }
            let other = segments.next().unwrap_or_default();
            if other != source.module && layer(other).is_some_and(|other| other >= own) {
                wrong.insert(format!("{}: {path}", source.path.display()), other.to_owned());
            }
        }
    }
    assert!(wrong.is_empty(), "imports that run upward or sideways: {wrong:#?}");
}

#[test]
fn crates_depend_on_lower_crates_only() {
    for (row, folders) in CRATES.iter().enumerate() {
        for folder in *folders {
            let root = Path::new(env!("CARGO_MANIFEST_DIR"));
            let manifest = fs::read_to_string(root.join(folder).join("Cargo.toml"))
                .expect("a manifest of the crate");
            let wrong: Vec<&str> = CRATES[row..]
                .iter()
                .copied()
                .flatten()
                .copied()
                .filter(|name| {
                    let line = |l: &str| {
                        let key = l.split(['.', ' ']).next().unwrap_or_default();
                        key.strip_prefix("nonet-").unwrap_or(key) == *name
                    };
                    manifest.split("[dependencies]").nth(1).is_some_and(|d| d.lines().any(line))
                })
                .collect();
            assert!(wrong.is_empty(), "{folder} depends on {wrong:?}, which stand no lower");
        }
    }
}

#[test]
fn some_crates_are_used_by_some_modules_only() {
    let mut wrong = Vec::new();
    for source in sources() {
        for (name, homes) in ONLY_IN {
            let prefix = format!("{name}::");
            let names = |path: &String| path == name || path.starts_with(&prefix);
            if !homes.contains(&source.module.as_str()) && source.paths.iter().any(names) {
                wrong.push(format!(
                    "{} names {name}, whose home is {homes:?}",
                    source.path.display()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn pure_modules_do_no_io_read_no_clock_and_own_no_randomness() {
    let mut wrong = Vec::new();
    for source in sources() {
        if MAY_REACH_OUTSIDE.contains(&source.module.as_str()) {
            continue;
        }
        for path in &source.paths {
            let named = |word: &&&str| {
                path == **word
                    || path.starts_with(&format!("{word}::"))
                    || path.ends_with(&format!("::{word}"))
            };
            if let Some(word) = OUTSIDE.iter().find(named) {
                wrong.push(format!("{}: {path} is {word}", source.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn only_the_top_of_the_program_imports_its_commands() {
    let tops = ["src/cli/mod.rs", "src/cli/help.rs", "src/cli/commands"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for source in sources().iter().filter(|source| source.module == "program") {
        if !tops.iter().any(|top| source.path.starts_with(root.join(top))) {
            let found = source.paths.iter().find(|path| path.starts_with("crate::cli::commands"));
            assert!(found.is_none(), "{} imports {found:?}", source.path.display());
        }
    }
}

#[test]
fn only_class_rs_names_single_classes() {
    // No other file tells one class from another by its name: all go through the table and
    // `ByClass`.
    let variants: Vec<String> = Class::all().map(|class| format!("Class::{class:?}")).collect();
    for source in sources().iter().filter(|source| source.module != "class") {
        for path in &source.paths {
            let named = variants.iter().find(|v| path == *v || path.ends_with(&format!("::{v}")));
            assert!(named.is_none(), "{} names {path}", source.path.display());
        }
    }
}

#[test]
fn the_check_resolves_groups_relative_paths_macros_and_attributes() {
    let text = "
        use crate::{eval::Evaluator, nn};
        use super::super::game::Player;
        fn f() { assert!(crate::train::ready(), \"{}\", super::sibling()); }
        #[cfg_attr(feature = \"serve\", derive(utoipa::ToSchema))]
        struct Answer;
        #[cfg(test)]
        mod tests { use crate::cli::Args; }
    ";
    let tree = syn::parse_file(text).expect("Rust");
    let place = vec!["search".to_owned(), "replies".to_owned()];
    let mut collector = Collector { place, paths: BTreeSet::new() };
    collector.visit_file(&tree);
    for path in [
        "crate::eval::Evaluator",
        "crate::nn",
        "crate::game::Player",
        "crate::train::ready",
        "crate::search::sibling",
        "utoipa::ToSchema",
    ] {
        assert!(collector.paths.contains(path), "{path} is missing in {:?}", collector.paths);
    }
    assert!(!collector.paths.iter().any(|path| path.contains("cli")), "tests do not count");
}
