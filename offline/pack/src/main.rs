//! Writes `nonet.html`: the module, its nets and the pages in one file.
//!
//! `release/html.sh [FILE]` runs it.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use libdeflater::{CompressionLvl, Compressor};
use serde_json::{Map, json};
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "offline";
/// The pages by their addresses. Those of a bot and of the HTTP API need a server.
const PAGES: [(&str, &str); 5] = [
    ("/", "pages/play.html"),
    ("/analyse", "pages/analyse.html"),
    ("/practise", "pages/practise.html"),
    ("/position", "pages/position.html"),
    ("/train", "pages/train.html"),
];
/// The scripts around the pages, in the order in which they need each other.
const SHELL: [&str; 4] = [
    include_str!("../../page/unpack.js"),
    include_str!("../../page/files.js"),
    include_str!("../../page/workers.js"),
    include_str!("../../page/shell.js"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let file =
        std::env::args_os().nth(1).map_or_else(|| PathBuf::from("nonet.html"), PathBuf::from);
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("target"),
    };
    let (script, module) = module(&target)?;
    let html = utf16(&document(&script, module)?);
    std::fs::write(&file, &html)?;
    writeln!(std::io::stdout(), "{}: {} bytes", file.display(), html.len())?;
    Ok(())
}

/// The folder of the workspace.
fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here)
}

/// Builds the module. What calls it, and its bytes.
fn module(target: &Path) -> Result<(String, Vec<u8>), Box<dyn Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args([
            "build",
            "--profile",
            PROFILE,
            "--locked",
            "--lib",
            "-p",
            "nonet-offline",
            "--target",
            TARGET,
        ])
        .env("CARGO_TARGET_DIR", target)
        .current_dir(root())
        .status()?;
    if !built.success() {
        return Err(format!("the module was not built: is the target {TARGET} installed?").into());
    }
    let made = target.join(TARGET).join(PROFILE);
    let folder = made.join("nonet-html");
    Bindgen::new()
        .input_path(made.join("nonet_offline.wasm"))
        .out_name("nonet")
        .no_modules(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&folder)?;
    let script = std::fs::read_to_string(folder.join("nonet.js"))?;
    Ok((script, std::fs::read(folder.join("nonet_bg.wasm"))?))
}

fn document(script: &str, mut module: Vec<u8>) -> Result<String, Box<dyn Error>> {
    let worker = format!("{script}\n{}", include_str!("../../page/worker.js"));
    let pages = pages(&worker)?;
    let planes = planes(&mut module);
    let shell: String = SHELL.iter().map(|script| one_script(script)).collect();
    let [pages_packed, module_packed] = [pages.as_bytes(), &module].map(gzip);
    let values = [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("icon", picture(ICON)?),
        ("pages-bytes", pages_packed.len().to_string()),
        ("pages", text_of(&pages_packed)),
        ("shell", shell),
        ("module-bytes", module_packed.len().to_string()),
        ("planes", serde_json::to_string(&planes)?),
        ("module", text_of(&module_packed)),
    ];
    let mut html = String::new();
    let mut rest = include_str!("../../page/shell.html");
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").ok_or("an open place in shell.html")?;
        let value = values.iter().find(|(known, _)| *known == name);
        html.push_str(before);
        html.push_str(&value.ok_or("an unknown place in shell.html")?.1);
        rest = after;
    }
    html.push_str(rest);
    Ok(html)
}

/// The folder of the pages.
const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../serve/src/assets");
/// What all pages begin with: the file, and where it stands in a page.
const HEAD: (&str, &str) = ("pages/head.html", "<!-- head.html -->\n");

/// The text of a file of the pages.
fn asset(name: &str) -> Result<String, Box<dyn Error>> {
    let path = Path::new(ASSETS).join(name);
    std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// The names of the files with an ending in a folder of the pages, folders inside included.
fn assets_in(folder: &str, ending: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(Path::new(ASSETS).join(folder))? {
        let path = entry?.path();
        let name = path.strip_prefix(ASSETS)?.to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(assets_in(&name, ending)?);
        } else if name.ends_with(ending) {
            found.push(name);
        }
    }
    found.sort();
    Ok(found)
}

/// The pages, their parts and the workers' script, as JSON.
fn pages(worker: &str) -> Result<String, Box<dyn Error>> {
    let (mut pages, mut parts) = (Map::new(), Map::new());
    let head = asset(HEAD.0)?;
    for (address, name) in PAGES {
        pages.insert(address.to_owned(), asset(name)?.replacen(HEAD.1, &head, 1).into());
    }
    for name in assets_in("", ".js")? {
        if !ELSEWHERE.iter().any(|folder| name.starts_with(folder)) {
            let module = with_names(&name, &without_comments(&asset(&name)?));
            parts.insert(name, module.into());
        }
    }
    for name in assets_in("style", ".css")? {
        let style = without_comments(&asset(&name)?);
        parts.insert(name, style.into());
    }
    let pictures = json!({ (ICON): picture(ICON)? });
    Ok(json!({ "pages": pages, "parts": parts, "pictures": pictures, "worker": worker })
        .to_string())
}

/// Folders of pages that are not in the file.
const ELSEWHERE: [&str; 4] = ["api/", "book/", "bot/", "components/"];

/// A script or a style sheet without the comments that have lines of their own.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.lines() {
        let word = line.trim();
        if inside {
            inside = !word.ends_with("*/");
        } else if word.starts_with("/*") && !word.contains("*/") {
            inside = true;
        } else if !(word.starts_with("//")
            || word.starts_with("/*") && word.find("*/") == Some(word.len() - 2))
        {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

const ICON: &str = "icons/icon.svg";

/// A picture as an address that holds it.
fn picture(name: &str) -> Result<String, Box<dyn Error>> {
    let mut address = String::from("data:image/svg+xml,");
    for byte in asset(name)?.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'=' | b':' => {
                address.push(char::from(byte));
            }
            byte => write!(address, "%{byte:02X}")?,
        }
    }
    Ok(address)
}

/// A module with names instead of paths in its imports: `nonet/` and the path below the pages.
fn with_names(module: &str, text: &str) -> String {
    let folder = module.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        if !(line.starts_with("import ") || line.contains("import(") || line.contains(" from ")) {
            out.push_str(line);
            continue;
        }
        let mut rest = line;
        while let Some(at) =
            ["\"./", "\"../", "`./", "`../"].iter().filter_map(|p| rest.find(p)).min()
        {
            let (before, path) = rest.split_at(at + 1);
            out.push_str(before);
            let (base, path) = match path.strip_prefix("../") {
                Some(path) => (folder.rsplit_once('/').map_or("", |(outer, _)| outer), path),
                None => (folder, &path[2..]),
            };
            out.push_str("nonet/");
            if !base.is_empty() {
                out.push_str(base);
                out.push('/');
            }
            rest = path;
        }
        out.push_str(rest);
    }
    out
}

/// A module as a part of one script.
fn one_script(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    lines.map(|line| line.strip_prefix("export ").unwrap_or(line).to_owned() + "\n").collect()
}

/// Puts the bytes of the nets' floats apart, first ones first, which packs better. Where they
/// begin, and how many floats there are.
fn planes(module: &mut [u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (_, net) in nonet_nets::NAMED {
        let Some(at) = module.windows(64).position(|part| part == &net[..64]) else { continue };
        // The weights end before the checksum of four bytes.
        let from = at + net.len() % 4;
        let floats = net.len() / 4;
        if module.get(at..at + net.len()) != Some(net) {
            continue;
        }
        let plain = module[from..from + 4 * floats].to_vec();
        for (i, float) in plain.chunks_exact(4).enumerate() {
            for (k, byte) in float.iter().enumerate() {
                module[from + k * floats + i] = *byte;
            }
        }
        found.push((from, floats));
    }
    found
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = Compressor::new(CompressionLvl::best());
    let mut packed = vec![0; packer.gzip_compress_bound(bytes.len())];
    let length = packer.gzip_compress(bytes, &mut packed).expect("as many bytes as it may take");
    packed.truncate(length);
    packed
}

/// The first character of [`text_of`], and how many there are: two say 31 bits.
const FIRST: u32 = 0x100;
const CHARACTERS: u32 = 46_341;

/// Bytes as a text of 31 bits in two characters, which `page/unpack.js` reads. HTML changes none of
/// these characters.
fn text_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(3 * bytes.len() / 2);
    let character = |code: u32| char::from_u32(FIRST + code).expect("below the surrogates");
    let (mut sum, mut bits) = (0_u64, 0);
    // The last group is filled up with zeros.
    for byte in bytes.iter().copied().chain([0; 4]) {
        sum = sum << 8 | u64::from(byte);
        bits += 8;
        if bits >= 31 {
            bits -= 31;
            let group = (sum >> bits) as u32;
            sum &= (1 << bits) - 1;
            text.extend([group / CHARACTERS, group % CHARACTERS].map(character));
        }
    }
    text
}

/// UTF-16 with its mark, which any browser believes before a server's header.
fn utf16(text: &str) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}
