//! Names of players that every format keeps.

use super::game::{GameHeader, MAX_NAME, RecordedGame};
use super::{CompactWriter, MatWriter, Recorder, SgfWriter, mat, read_record};
use crate::{Position, Scoring, Seat};

/// Why a name cannot be kept in the formats of records.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// It has no character.
    #[error("invalid empty name: expected at least one character")]
    Empty,
    /// It has too many characters.
    #[error("name too long: found {found} characters, expected at most {MAX_NAME}")]
    TooLong {
        /// Its number of characters.
        found: usize,
    },
    /// A line of names cannot hold this character.
    #[error("invalid character '{}' in the name '{}': leave it out", character.escape_debug(), name.escape_debug())]
    Character {
        /// The name.
        name: String,
        /// The first such character.
        character: char,
    },
    /// A record with this name would be read as something else.
    ///
    /// Examples are blanks at an end or in a row, the sign of a comment, a roll, and a word of the
    /// game.
    #[error("invalid name '{}': a record would not keep it, choose letters and single blanks", name.escape_debug())]
    NotKept {
        /// The name.
        name: String,
    },
}

/// Whether `.mat`, `.sgf` and `.norec` keep these names. Programs that write records ask it before
/// the first roll.
///
/// # Errors
/// [`NameError`] says which name, why, and what to do.
///
/// ```
/// use backgammon::record::check_names;
///
/// assert!(check_names(["Ann", "Zo\u{eb} 2"]).is_ok());
/// let error = check_names(["1) 31: 8/5 6/5", "bob"]).expect_err("a turn");
/// assert!(error.to_string().starts_with("invalid character ':'"));
/// assert!(check_names(["; ann", "bob"]).is_err());
/// ```
pub fn check_names(names: [&str; 2]) -> Result<(), NameError> {
    for name in names {
        let found = name.chars().count();
        if found == 0 {
            return Err(NameError::Empty);
        }
        if found > MAX_NAME {
            return Err(NameError::TooLong { found });
        }
        if let Some(character) = name.chars().find(|&c| !mat::keeps(c)) {
            return Err(NameError::Character { name: name.to_owned(), character });
        }
    }
    // In either seat.
    let kept = |[a, b]: [&str; 2]| are_kept([a, b]) && are_kept([b, a]);
    if kept(names) {
        return Ok(());
    }
    // Which of the two it is, a plain opponent shows.
    let [a, b] = names;
    let name = if kept([a, "?"]) { b } else { a };
    Err(NameError::NotKept { name: name.to_owned() })
}

/// Whether games that each player ends by a drop read back with these names.
fn are_kept(names: [&str; 2]) -> bool {
    Seat::BOTH
        .into_iter()
        .all(|doubler| sample(names, doubler).is_some_and(|game| reads_back(&game)))
}

fn reads_back(game: &RecordedGame) -> bool {
    let (mut mat, mut sgf) = (MatWriter::new(Vec::new()), SgfWriter::new(Vec::new()));
    let Ok(mut compact) = CompactWriter::new(Vec::new()) else { return false };
    let written = mat.write(game).and(sgf.write(game, &[])).and(compact.write(game));
    let same = |bytes: Vec<u8>| {
        read_record(&bytes[..], "names")
            .is_ok_and(|read| read.games == [game.clone()] && read.warnings.is_empty())
    };
    written.is_ok()
        && [mat.into_inner(), sgf.into_inner(), compact.into_inner()].into_iter().all(same)
}

/// A game with a turn, a take, and a drop.
fn sample(names: [&str; 2], doubler: Seat) -> Option<RecordedGame> {
    let names = names.map(str::to_owned);
    let scoring = Scoring::Money { jacoby: false, beavers: true };
    let mut game = Recorder::new(GameHeader { names, scoring });
    let (opponent, dice) = (doubler.other(), "31".parse().ok()?);
    let after = Position::START.read_play("8/5 6/5", dice).ok()?.after;
    game.turn(opponent, dice, &after).ok()?;
    game.double(doubler).ok()?;
    game.take(opponent).ok()?;
    let after = game.position().read_play("24/23 13/10", dice).ok()?.after;
    game.turn(doubler, dice, &after).ok()?;
    game.double(opponent).ok()?;
    game.drop(doubler).ok()?;
    Some(game.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Games of all ends with these names, as read from each format.
    fn read_back(names: [&str; 2]) -> Vec<[String; 2]> {
        let mut header = None;
        let mut all = Vec::new();
        let (mut mat, mut sgf) = (MatWriter::new(Vec::new()), SgfWriter::new(Vec::new()));
        let mut compact = CompactWriter::new(Vec::new()).expect("memory");
        for seed in 0..4 {
            let scoring = Scoring::Money { jacoby: false, beavers: true };
            let plain = crate::record::tests::round_trips::random_game(seed, scoring);
            let game = RecordedGame {
                header: GameHeader { names: names.map(str::to_owned), scoring },
                ..plain
            };
            mat.write(&game).expect("memory");
            sgf.write(&game, &[]).expect("memory");
            compact.write(&game).expect("memory");
            header = Some(game);
        }
        assert!(header.is_some());
        for bytes in [mat.into_inner(), sgf.into_inner(), compact.into_inner()] {
            let read = read_record(&bytes[..], "f").expect("usable");
            assert_eq!(read.games.len(), 4, "{}", String::from_utf8_lossy(&bytes));
            all.extend(read.games.iter().map(|game| game.header().names.clone()));
        }
        all
    }

    #[track_caller]
    fn is_kept_or_refused(names: [&str; 2]) {
        if check_names(names).is_ok() {
            let names = names.map(str::to_owned);
            assert!(read_back([&names[0], &names[1]]).iter().all(|read| *read == names));
        }
    }

    #[test]
    fn words_of_records_are_kept_or_refused() {
        let words = [
            "; x",
            "\u{feff}x",
            "1) 31",
            "1)",
            "1.",
            "31",
            "(31)",
            "Drops",
            "Wins",
            "Takes",
            "Doubles",
            "=>",
            "wins 2 points",
            "# x",
            "| x",
            "// x",
            "[x]",
            "\"; x",
            "x ",
            " x",
            "a  b",
            ",x",
            "points",
            "points x",
            "<b>x",
            "&amp;",
            "&lt;x",
            "a\\",
            "a]b",
            "(;",
            "game 1",
            "Game 1",
            "5 point match",
            "+-",
            "---",
            "vs.",
            "a vs. b",
            "\u{a0}",
            "\u{2013}",
            "\u{ff11}",
            "\u{200d}x",
            "x:",
            "a\tb",
            "a\nb",
            "\0",
            "\u{7f}",
            "0",
            "8/5",
            "bar/22",
            "????",
            "Illegal play (",
            "'",
            ">",
            "> x",
            "{",
            "ann is X - bob is O",
            "0 0",
            "\u{85}",
            "\u{2028}",
            "x\u{3000}",
            "Point",
        ];
        for word in words {
            is_kept_or_refused([word, "b"]);
            is_kept_or_refused(["a", word]);
            is_kept_or_refused([word, word]);
        }
        for name in ["; x", "\u{feff}x", "1) 31: 8/5 6/5", "", "Drops", " x", "a  b", "a\nb"] {
            assert!(check_names([name, "b"]).is_err(), "{name}");
            assert!(check_names(["a", name]).is_err(), "{name}");
        }
        let usual =
            ["Ann", "Zo\u{eb}", "\u{738b}\u{660e}", "O'Neill", "a.b@c", "x_1", "net \u{1f3b2}"];
        for name in usual {
            assert_eq!(check_names([name, "nonet"]), Ok(()), "{name}");
        }
        let long = "a".repeat(MAX_NAME + 1);
        assert_eq!(check_names([&long, "b"]), Err(NameError::TooLong { found: MAX_NAME + 1 }));
        assert_eq!(check_names([&long[1..], "b"]), Ok(()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn any_names_are_kept_or_refused(a in ".{0,12}", b in "\\PC{0,12}", c in "[ -~]{0,8}") {
            is_kept_or_refused([&a, &b]);
            is_kept_or_refused([&b, &c]);
            is_kept_or_refused([&c, &a]);
        }
    }
}
