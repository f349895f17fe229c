//! Opens the records that a run learns from.

use crate::train::game_source::{GameStream, OpenRecords, Unfinished};
use crate::train::options::plan::RecordPaths;
use nonet_engine::backgammon::record::{RecordError, RecordedGame};
use nonet_engine::store::{StoreError, existing_records, recorded_games, standard_input};

/// Why records cannot be learned from.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RecordsError {
    #[error(transparent)]
    File(#[from] StoreError),
    #[error("no usable game in {name}: {why}")]
    NoGame { name: String, why: String },
}

/// Opens records, after checking that each path has a usable game.
pub(super) fn open_records(
    records: &RecordPaths,
    unfinished: Unfinished,
) -> Result<OpenRecords, RecordsError> {
    let usable = |game: &RecordedGame| unfinished.to_training_game(game.clone()).is_some();
    let paths = match records {
        RecordPaths::StandardInput => {
            let games = Box::new(standard_input()?.whole());
            let mut input = Some(begin(games, "standard input", usable)?);
            return Ok(Box::new(move || input.take()));
        }
        RecordPaths::Paths(paths) => existing_records(paths.clone())?,
    };
    for path in &paths {
        let found = recorded_games(std::slice::from_ref(path), true);
        find(found, &path.display().to_string(), usable, |_| ())?;
    }
    Ok(Box::new(move || Some(Box::new(recorded_games(&paths, true)))))
}

/// Reads up to the first usable game, and puts everything read back.
fn begin(
    mut games: GameStream,
    name: &str,
    usable: impl Fn(&RecordedGame) -> bool,
) -> Result<GameStream, RecordsError> {
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
) -> Result<(), RecordsError> {
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
        (0, 1) => "1 game without a result is left out".to_owned(),
        (0, n) => format!("{n} games without a result are left out"),
        (1, 0) => first,
        (n, _) => format!("the first of {n} reasons is {first}"),
    };
    Err(RecordsError::NoGame { name: name.to_owned(), why })
}
