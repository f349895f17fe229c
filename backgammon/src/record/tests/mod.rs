//! Tests of whole records: quirks of other writers, errors, round trips, and random bytes.

mod mutations;
mod quirks;
mod refusals;
pub(super) mod round_trips;
mod typed;

use super::{RecordedGame, Records};

/// The games and printed errors of a text.
fn read(bytes: impl AsRef<[u8]>) -> Vec<Result<RecordedGame, String>> {
    match Records::new(bytes.as_ref(), "f") {
        Ok(records) => records.map(|game| game.map_err(|error| error.to_string())).collect(),
        Err(error) => vec![Err(error.to_string())],
    }
}

/// The only game of a text without errors.
fn only(bytes: impl AsRef<[u8]>) -> RecordedGame {
    let mut read = read(bytes);
    assert_eq!(read.len(), 1, "{read:?}");
    read.remove(0).expect("usable")
}

/// The errors and warnings of a text.
fn reported(bytes: impl AsRef<[u8]>) -> Vec<String> {
    let mut records = match Records::new(bytes.as_ref(), "f") {
        Ok(records) => records,
        Err(error) => return vec![error.to_string()],
    };
    let mut all = Vec::new();
    loop {
        let next = records.next();
        all.extend(records.take_warnings().iter().map(ToString::to_string));
        match next {
            None => return all,
            Some(Err(error)) => all.push(error.to_string()),
            Some(Ok(_)) => {}
        }
    }
}

/// The turns of a game as `31: 8/5 6/5`.
fn turns(game: &RecordedGame) -> Vec<String> {
    game.turns().map(|turn| format!("{}: {}", turn.dice, turn.play())).collect()
}
