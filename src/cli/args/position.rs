//! Positions on the command line: IDs, and files that hold one position.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use nonet::backgammon::record::Records;

/// How names of files with a position end.
const ENDINGS: [&str; 2] = ["xgp", "txt"];

/// An ID, or the XGID of the position in a file.
///
/// No ID ends as the name of a file does.
pub(crate) fn position_id(text: &str) -> Result<String, String> {
    let ending = Path::new(text).extension().and_then(|ending| ending.to_str());
    if !ending.is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
    {
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
