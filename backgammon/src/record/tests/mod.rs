//! Tests of whole records: the quirks of their writers, round trips, and bytes that are no record.

mod quirks;
mod refusals;
mod round_trips;

use super::{RecordedGame, Records};

/// What comes out of a text: games, and errors as a person reads them.
fn read(bytes: impl AsRef<[u8]>) -> Vec<Result<RecordedGame, String>> {
    match Records::new(bytes.as_ref(), "f") {
        Ok(records) => records.map(|game| game.map_err(|error| error.to_string())).collect(),
        Err(error) => vec![Err(error.to_string())],
    }
}

/// The only game of a text, which has nothing to report.
fn only(bytes: impl AsRef<[u8]>) -> RecordedGame {
    let mut read = read(bytes);
    assert_eq!(read.len(), 1, "{read:?}");
    read.remove(0).expect("usable")
}

/// What is reported about a text; the games of it are not looked at.
fn reported(bytes: impl AsRef<[u8]>) -> Vec<String> {
    read(bytes).into_iter().filter_map(Result::err).collect()
}

/// The turns of a game as `31: 8/5 6/5`.
fn turns(game: &RecordedGame) -> Vec<String> {
    game.turns().map(|turn| format!("{}: {}", turn.dice, turn.play())).collect()
}
