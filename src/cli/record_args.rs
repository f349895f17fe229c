//! Opens game records by their paths, or from standard input.

use std::io::{BufReader, IsTerminal, Stdin};
use std::path::PathBuf;

use nonet::backgammon::record::{RecordError, RecordedGame, Records};
use nonet::store::{RecordFiles, recorded_games};
use nonet::train::{GameStream, OpenRecords, RecordPaths, Unfinished};

use super::usage;

/// Opens the records that a run learns from, after checking that each path has a usable game.
pub(super) fn opener(records: &RecordPaths, unfinished: Unfinished) -> anyhow::Result<OpenRecords> {
    let usable = |game: &RecordedGame| unfinished.to_training_game(game.clone()).is_some();
    let paths = match records {
        RecordPaths::StandardInput => {
            let mut input = Some(begin(Box::new(input()?.whole()), "standard input", usable)?);
            return Ok(Box::new(move || input.take()));
        }
        RecordPaths::Paths(paths) => existing(paths.clone())?,
    };
    for path in &paths {
        let found = recorded_games(std::slice::from_ref(path), true);
        find(found, &path.display().to_string(), usable, |_| ())?;
    }
    Ok(Box::new(move || Some(Box::new(recorded_games(&paths, true)))))
}

/// Records that are converted.
pub(super) enum RecordInput {
    Files(RecordFiles),
    StandardInput(Records<BufReader<Stdin>>),
}

impl RecordInput {
    /// Takes the warnings since the last call.
    pub(super) fn take_warnings(&mut self) -> Vec<RecordError> {
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
pub(super) fn open(words: &[String]) -> anyhow::Result<RecordInput> {
    if words == ["-"] {
        return Ok(RecordInput::StandardInput(input()?));
    }
    if words.iter().any(|word| word == "-") {
        return Err(usage("'-' cannot be read beside other records: standard input stands alone"));
    }
    let paths = existing(words.iter().map(PathBuf::from).collect())?;
    Ok(RecordInput::Files(recorded_games(&paths, false)))
}

pub(super) fn input() -> anyhow::Result<Records<BufReader<Stdin>>> {
    let input = std::io::stdin();
    if input.is_terminal() {
        return Err(usage("standard input is a terminal; send records to it"));
    }
    Records::new(BufReader::new(input), "standard input").map_err(usage)
}

fn existing(paths: Vec<PathBuf>) -> anyhow::Result<Vec<PathBuf>> {
    match paths.iter().find(|path| !path.exists()) {
        Some(path) => {
            let path = path.display();
            Err(usage(format!("unknown records '{path}': expected an existing file or folder")))
        }
        None => Ok(paths),
    }
}

/// Reads up to the first usable game, and puts everything read back.
fn begin(
    mut games: GameStream,
    name: &str,
    usable: impl Fn(&RecordedGame) -> bool,
) -> anyhow::Result<GameStream> {
    let mut held = Vec::new();
    find(games.by_ref(), name, usable, |next| held.push(next))?;
    Ok(Box::new(held.into_iter().chain(games)))
}

/// Reads up to the first usable game.
fn find(
    games: impl Iterator<Item = Result<RecordedGame, RecordError>>,
    name: &str,
    usable: impl Fn(&RecordedGame) -> bool,
    mut keep: impl FnMut(Result<RecordedGame, RecordError>),
) -> anyhow::Result<()> {
    let (mut reasons, mut first, mut unfinished) = (0u64, String::new(), 0u64);
    for next in games {
        let found = match &next {
            Ok(game) if usable(game) => true,
            Ok(_) => {
                unfinished += 1;
                false
            }
            Err(reason) => {
                if reasons == 0 {
                    first = reason.to_string();
                }
                reasons += 1;
                false
            }
        };
        keep(next);
        if found {
            return Ok(());
        }
    }
    let why = match (reasons, unfinished) {
        (0, 0) => "there are no records in it".to_owned(),
        (0, n) => format!("{n} games without a result are left out"),
        (1, 0) => first,
        (n, _) => format!("the first of {n} reasons is {first}"),
    };
    Err(usage(format!("no usable game in {name}: {why}")))
}
