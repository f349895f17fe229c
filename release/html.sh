#!/bin/sh
# Writes nonet in one HTML file: `release/html.sh [FILE]`, by default nonet.html.
# It needs the target wasm32-unknown-unknown: rustup target add wasm32-unknown-unknown.
set -eu
# The program that packs is compiled without optimization: 54 s of CPU, not 126. It runs for 11 s,
# not 3. In a folder of its own it does not wait for other builds.
export CARGO_PROFILE_DEV_OPT_LEVEL="${CARGO_PROFILE_DEV_OPT_LEVEL:-0}"
root=$(cd "$(dirname "$0")/.." && pwd)
exec cargo run -q --locked --manifest-path "$root/offline/pack/Cargo.toml" \
  --target-dir "$root/target/pack" -- "${1:-nonet.html}"
