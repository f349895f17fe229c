//! Positions on the command line: IDs, files that hold one position, and what an ID rules out.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use nonet::backgammon::GameState;
use nonet::backgammon::record::Records;

use crate::cli::error::usage;

/// How names of files with a position end.
const ENDINGS: [&str; 2] = ["xgp", "txt"];

/// An ID, or the XGID of the position in a file.
///
/// No ID ends as the name of a file does.
pub(crate) fn position_id(text: &str) -> Result<String, String> {
    let path = Path::new(text);
    let Some(ending) = path.extension().and_then(|ending| ending.to_str()) else {
        return Ok(text.to_owned());
    };
    if !ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)) {
        if path.is_file() {
            let expected = "an ID, or a file with one position, which ends in .xgp or .txt";
            return Err(format!("expected {expected}: nonet analyse reads matches"));
        }
        return Ok(text.to_owned());
    }
    let file = File::open(text).map_err(|error| format!("cannot read the file: {error}"))?;
    match Records::new(BufReader::new(file), text) {
        Err(error) => match error.single_position() {
            Some(position) => Ok(position.xgid()),
            None => Err(error.to_string()),
        },
        Ok(_) => Err("the file holds games, no single position: nonet analyse reads it".to_owned()),
    }
}

/// Refuses options that mean nothing without a roll, where `question` has none. Each option comes
/// with whether it was given.
pub(crate) fn check_roll(question: &GameState, options: &[(&str, bool)]) -> anyhow::Result<()> {
    let given = options.iter().find(|(_, given)| *given);
    match given.filter(|_| question.dice().is_none()) {
        None => Ok(()),
        Some((name, _)) => Err(usage(format!(
            "{name} needs a roll, and the ID has none: add one, as in 'start 31', or leave {name} \
             out"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use nonet::backgammon::{Dice, Position};

    #[test]
    fn a_file_that_holds_no_position_is_not_taken_for_an_id() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("match.mat");
        let name = path.to_str().expect("UTF-8");
        assert_eq!(position_id(name).as_deref(), Ok(name), "no such file");
        std::fs::write(&path, " 3 point match\n").expect("written");
        assert!(position_id(name).expect_err("a match").contains("nonet analyse"));
        assert_eq!(position_id("4HPwATDgc/ABMA").as_deref(), Ok("4HPwATDgc/ABMA"));
    }

    #[test]
    fn an_option_of_a_roll_is_refused_where_there_is_none() {
        let cube = GameState::money(Position::START);
        let options = [("--cubeless", false), ("--plays", true)];
        let error = check_roll(&cube, &options).expect_err("no roll").to_string();
        assert!(error.starts_with("--plays needs a roll, and the ID has none: add one"), "{error}");
        assert!(check_roll(&cube, &options[..1]).is_ok());
        let rolled = cube.with_dice(Dice::new(3, 1).expect("dice"));
        assert!(check_roll(&rolled, &options).is_ok());
    }
}
