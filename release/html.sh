#!/bin/sh
# Writes nonet in one HTML file: `release/html.sh [FILE]`, by default nonet.html.
# It needs the target wasm32-unknown-unknown: rustup target add wasm32-unknown-unknown.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
exec cargo run -q --locked --manifest-path "$root/offline/pack/Cargo.toml" --target-dir "$root/target" -- "${1:-nonet.html}"
