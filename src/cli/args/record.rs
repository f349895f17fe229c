//! Opens game records by their paths, or from standard input.

use std::io::{BufReader, Stdin};
use std::path::PathBuf;

use nonet::backgammon::record::{RecordError, RecordedGame, Records};
use nonet::store::{RecordFiles, existing_records, recorded_games, standard_input};

use crate::cli::error::usage;

/// Records that are converted.
pub(crate) enum RecordInput {
    Files(RecordFiles),
    StandardInput(Records<BufReader<Stdin>>),
}

impl RecordInput {
    /// Takes the warnings since the last call.
    pub(crate) fn take_warnings(&mut self) -> Vec<RecordError> {
        match self {
            RecordInput::Files(files) => files.take_warnings(),
            RecordInput::StandardInput(records) => records.take_warnings(),
        }
    }
}

impl Iterator for RecordInput {
    type Item = Result<RecordedGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            RecordInput::Files(files) => files.next(),
            RecordInput::StandardInput(records) => records.next(),
        }
    }
}

/// Opens records to write their games elsewhere.
pub(crate) fn open(words: &[String]) -> anyhow::Result<RecordInput> {
    if words == ["-"] {
        return Ok(RecordInput::StandardInput(standard_input().map_err(usage)?));
    }
    if words.iter().any(|word| word == "-") {
        return Err(usage("'-' cannot be read beside other records: standard input stands alone"));
    }
    let paths = existing_records(words.iter().map(PathBuf::from).collect()).map_err(usage)?;
    Ok(RecordInput::Files(recorded_games(&paths, false)))
}
