//! Bytes of any kind for the reader `benchmark` of `readers.rs`.

#![no_main]

#[path = "../readers.rs"]
#[allow(dead_code, reason = "one target, one reader")]
mod readers;

libfuzzer_sys::fuzz_target!(|data: &[u8]| readers::benchmark(data));
