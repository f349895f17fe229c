//! What is asked: a position with everything around it, read from an ID or from pasted text.

use nonet_engine::backgammon::{Dice, DiceError, GameState, GameStateError, Variant};

/// Why a question cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// Neither an ID nor a text with one.
    #[error("no ID in the text: expected XGID=, a GNU ID or a Position ID")]
    NoId,
    /// The ID is invalid.
    #[error(transparent)]
    Id(#[from] GameStateError),
    /// The roll is invalid.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// A side has no checkers left.
    #[error("the game of {0} is over: a side has no checkers left")]
    GameOver(String),
}

/// Reads a question; the roll is that of the ID unless `dice` names one. Without a roll the
/// question is whether to double.
///
/// # Errors
/// [`QuestionError`]: no ID, an invalid one, an invalid roll, or a finished game.
///
/// ```
/// use nonet_report::answer::read_question;
///
/// let state = read_question("4HPwATDgc/ABMA", Some("31"))?;
/// assert_eq!(state.dice(), Some("31".parse()?));
/// assert!(read_question("4HPwATDgc/ABMA", Some("71")).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_question(id: &str, dice: Option<&str>) -> Result<GameState, QuestionError> {
    read_variant_question(Variant::Backgammon, id, dice)
}

/// [`read_question`] in a variant: `start`, and a roll alone, mean its start.
///
/// # Errors
/// As [`read_question`].
pub fn read_variant_question(
    variant: Variant,
    id: &str,
    dice: Option<&str>,
) -> Result<GameState, QuestionError> {
    let at_start = |dice: Option<Dice>| {
        let game = GameState::money(variant.start());
        match dice {
            Some(dice) => game.with_dice(dice),
            None => game,
        }
    };
    let state = match (id.trim(), id.parse()) {
        ("start", _) => at_start(None),
        (_, Ok(dice)) => at_start(Some(dice)),
        _ => {
            let mut given = read_given_id(id)?;
            // More checkers than the variant has are refused where the question is answered.
            let fits = given.position.in_game_of(variant.checkers());
            given.position = fits.unwrap_or(given.position);
            given
        }
    };
    Ok(match dice {
        Some(dice) => state.with_dice(dice.parse()?),
        None => state,
    })
}

/// A position with everything around it, from a Position ID, a GNU ID (`POSITION:MATCH`) or an
/// XGID. A Position ID alone is a money game without Jacoby and beavers, the cube in the middle.
/// The game must not be over.
///
/// `start` is the start of a game. A roll alone, such as `31`, is that roll at the start.
///
/// In a longer text, such as a board with its IDs pasted from another program, the first ID that
/// says what it is counts: `XGID=`, or `Position ID` with the `Match ID` after it, or a word with
/// both.
///
/// # Errors
/// [`QuestionError`], except that of a roll.
pub fn read_id(text: &str) -> Result<GameState, QuestionError> {
    read_question(text, None)
}

/// Reads any ID but `start` and a roll.
fn read_given_id(text: &str) -> Result<GameState, QuestionError> {
    let game: GameState = match text.parse() {
        Err(_) if text.trim().contains(char::is_whitespace) => {
            id_in(text).ok_or(QuestionError::NoId)?.parse()?
        }
        whole => whole?,
    };
    if game.position.outcome().is_some() {
        return Err(QuestionError::GameOver(text.trim().to_owned()));
    }
    Ok(game)
}

/// The first ID in a pasted text.
fn id_in(text: &str) -> Option<String> {
    let word_after = |mark: &str| {
        let at = text.find(mark)? + mark.len();
        let rest = text[at..].trim_start().strip_prefix([':', '=']).unwrap_or(&text[at..]);
        rest.split_whitespace().next()
    };
    if let Some(xgid) = word_after("XGID") {
        return Some(format!("XGID={xgid}"));
    }
    if let Some(position) = word_after("Position ID") {
        let both = |id: &str| format!("{position}:{id}");
        return Some(word_after("Match ID").map_or_else(|| position.to_owned(), both));
    }
    let is_id = |word: &&str| word.contains(':') && word.parse::<GameState>().is_ok();
    text.split_whitespace().find(is_id).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_found_in_a_pasted_text() {
        let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:2:1:0:7:10";
        let pasted = format!(
            "X:Player 1   O:Player 2\nScore is X:2 O:1 7 pt.(s) match.\n\n{xgid}\n\nX to play 52\n"
        );
        assert_eq!(read_id(&pasted), read_id(xgid));
        // What GNU Backgammon prints above its board.
        let board = " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cAkAAAAAAAAA\n +13-14-15";
        assert_eq!(read_id(board), read_id("4HPwATDgc/ABMA:cAkAAAAAAAAA"));
        let line = "please look at 4HPwATDgc/ABMA:cAkAAAAAAAAA from last night";
        assert_eq!(read_id(line), read_id("4HPwATDgc/ABMA:cAkAAAAAAAAA"));
        assert_eq!(read_id("dear friend,"), Err(QuestionError::NoId));
        assert!(read_id("hello").is_err());
    }

    #[test]
    fn the_roll_is_that_of_the_id_unless_one_is_named() {
        let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:2:1:0:7:10";
        assert_eq!(read_id("31"), read_question("start", Some("31")));
        assert_eq!(read_id("start"), read_id("4HPwATDgc/ABMA"));
        let dice = |named| {
            read_question(xgid, named).map(|state| state.dice().map(|dice| dice.to_string()))
        };
        assert_eq!(dice(None), Ok(Some("52".to_owned())));
        assert_eq!(dice(Some("31")), Ok(Some("31".to_owned())));
        assert!(matches!(dice(Some("77")), Err(QuestionError::Dice(_))));
    }
}
