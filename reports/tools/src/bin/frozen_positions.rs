//! Frozen data as arrays, for fits outside of this program: `reports/tools/deep_fits.py`.
//!
//! `cargo run --release -p nonet-measure --bin frozen_positions -- POSITIONS ROLLS SEED FOLDER`
//!
//! Positions, rolls and equities are those of the program `architectures`. FOLDER gets NumPy files:
//! `learned-inputs` `[positions, 393]`, `learned-classes` and `learned-equities` `[positions]`.
//! There are the same files of the results that measure fits. These also have `rolls-of`
//! `[results]`, the number of each result's roll, and `rolls-before` `[rolls]`, the class before
//! the roll. Equities are points for the player on roll.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]

use std::fs::{File, create_dir_all};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use nonet::class::Class;
use nonet::engine::Engine;
use nonet::features::{Encoding, SparseInputs};
use nonet_measure::frozen::{Judged, learned, measured};

/// Writes a NumPy file of rows of 32-bit floats, in version 1.0 of the format.
fn write(path: &Path, rows: usize, columns: usize, values: impl Iterator<Item = f32>) {
    let shape = if columns == 0 { format!("({rows},)") } else { format!("({rows}, {columns})") };
    let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    // The header ends with a line break, at a multiple of 64 bytes.
    let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
    let mut file = BufWriter::new(File::create(path).expect("a file in FOLDER"));
    let mut put = |bytes: &[u8]| file.write_all(bytes).expect("written");
    put(b"\x93NUMPY\x01\x00");
    put(&(length as u16).to_le_bytes());
    put(format!("{text:<width$}\n", width = length - 1).as_bytes());
    values.for_each(|value| put(&value.to_le_bytes()));
    file.flush().expect("written");
}

/// Writes the inputs, classes and equities of positions.
fn write_positions(folder: &Path, name: &str, judged: &[Judged]) {
    let file = |part: &str| folder.join(format!("{name}-{part}.npy"));
    let count = Encoding::Contact.inputs();
    let inputs = judged.iter().flat_map(|(position, _)| {
        let mut inputs = SparseInputs::default();
        Encoding::Contact.encode(position, &mut inputs);
        inputs.dense(count)
    });
    write(&file("inputs"), judged.len(), count, inputs);
    let classes = judged.iter().map(|(position, _)| Class::of(position) as u8 as f32);
    write(&file("classes"), judged.len(), 0, classes);
    write(&file("equities"), judged.len(), 0, judged.iter().map(|(_, equity)| *equity));
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [positions, rolls, seed, folder] = words.as_slice() else {
        panic!("expected POSITIONS ROLLS SEED FOLDER");
    };
    let number = |word: &str| word.parse::<u64>().expect("a whole number");
    let (seed, folder) = (number(seed), PathBuf::from(folder));
    create_dir_all(&folder).expect("a folder");
    let engine = Engine::champion();
    write_positions(&folder, "learned", &learned(&engine, number(positions) as usize, seed));
    let rolls = measured(&engine, number(rolls) as usize, seed + 1);
    let results: Vec<Judged> = rolls.iter().flat_map(|(_, results)| results.clone()).collect();
    write_positions(&folder, "rolls", &results);
    let of = rolls.iter().enumerate().flat_map(|(i, (_, results))| vec![i as f32; results.len()]);
    write(&folder.join("rolls-of.npy"), results.len(), 0, of);
    let before = rolls.iter().map(|(class, _)| *class as u8 as f32);
    write(&folder.join("rolls-before.npy"), rolls.len(), 0, before);
    let names: Vec<&str> = Class::all().map(Class::slug).collect();
    std::fs::write(folder.join("classes.txt"), names.join("\n")).expect("written");
}
