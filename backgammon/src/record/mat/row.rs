//! The contents of a line of a `.mat` game: names with scores, or one to three actions in two columns.

use crate::Dice;
use crate::record::error::RecordErrorKind;

/// A tab ends at the next multiple of this column.
const TAB: usize = 8;

/// Something a player did.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    /// A roll with its play in notation; `None` for `????`.
    Roll {
        dice: Dice,
        play: Option<String>,
    },
    /// With the new value of the cube, if it is written.
    Double(Option<u32>),
    Beaver(Option<u32>),
    Take,
    Drop,
    /// The result, in points.
    Wins(u32),
}

/// An action and its place in the row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) action: Action,
    /// Blank columns before it.
    pub(super) gap: usize,
    /// The number of actions before it in its row. A number with a bracket begins a row.
    pub(super) nth: usize,
}

/// A word and the number of blank columns before it.
struct Word<'a> {
    text: &'a str,
    gap: usize,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let (mut column, mut gap, mut start) = (0, 0, None);
    for (at, c) in text.char_indices() {
        if !c.is_whitespace() {
            start = start.or(Some(at));
            column += 1;
            continue;
        }
        if let Some(from) = start.take() {
            words.push(Word { text: &text[from..at], gap });
            gap = 0;
        }
        let width = if c == '\t' { TAB - column % TAB } else { 1 };
        column += width;
        gap += width;
    }
    if let Some(from) = start {
        words.push(Word { text: &text[from..], gap });
    }
    words
}

/// The roll at the beginning of a word such as `31:` or `31:8/5`, and what follows it.
fn roll(word: &str) -> Option<Result<(Dice, &str), RecordErrorKind>> {
    let (dice, rest) = word.split_once(':')?;
    let digits = dice.len() == 2 && dice.bytes().all(|b| b.is_ascii_digit());
    let dice = digits.then(|| dice.parse::<Dice>().map_err(|_| ()));
    Some(match dice? {
        Ok(dice) => Ok((dice, rest)),
        Err(()) => Err(RecordErrorKind::unreadable(word, "two dice from 1 to 6")),
    })
}

/// The rest of a word that begins with the number of a row.
fn after_number(word: &str) -> Option<&str> {
    let (number, rest) = word.split_once(')')?;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some(rest)
}

/// The actions of a line, in order.
pub(super) fn pieces(line: &str) -> Result<Vec<Piece>, RecordErrorKind> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut nth = 0;
    let mut words = words(line).into_iter().peekable();
    while let Some(Word { mut text, mut gap }) = words.next() {
        if let Some(rest) = after_number(text) {
            nth = 0;
            if rest.is_empty() {
                continue;
            }
            (text, gap) = (rest, 0);
        }
        let mut number = || -> Option<u32> {
            words.next_if(|word| word.text == "=>" || word.text.eq_ignore_ascii_case("to"));
            let number = words.peek()?.text.trim_start_matches("=>").parse().ok()?;
            words.next();
            Some(number)
        };
        let action = match text.to_ascii_lowercase().trim_end_matches('.') {
            "doubles" | "redoubles" | "double" | "redouble" => Action::Double(number()),
            "beavers" | "beaver" | "raccoons" | "raccoon" => Action::Beaver(number()),
            "takes" | "take" | "accepts" => Action::Take,
            "drops" | "drop" | "passes" | "pass" | "rejects" => Action::Drop,
            "wins" => {
                let points =
                    number().ok_or_else(|| RecordErrorKind::unreadable(line, "'Wins n points'"))?;
                while words.next_if(|word| is_result_word(word.text)).is_some() {}
                Action::Wins(points)
            }
            _ => match (roll(text), pieces.last_mut()) {
                (Some(rolled), _) => {
                    let (dice, play) = rolled?;
                    let play = if is_unknown(play) { None } else { Some(play.to_owned()) };
                    Action::Roll { dice, play }
                }
                // A word that continues the play of the roll before it.
                (None, Some(Piece { action: Action::Roll { play, .. }, nth: row, .. }))
                    if *row + 1 == nth =>
                {
                    if is_unknown(text) {
                        *play = None;
                    } else if let Some(play) = play
                        && !is_no_move(text)
                    {
                        play.push(' ');
                        play.push_str(text);
                    }
                    continue;
                }
                (None, _) => {
                    return Err(RecordErrorKind::unreadable(text, "a roll or a cube action"));
                }
            },
        };
        pieces.push(Piece { action, gap, nth });
        nth += 1;
    }
    Ok(pieces)
}

fn is_unknown(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b == b'?')
}

/// Words for a roll that cannot be played: `Cannot Move`, `can't move`, `No Play`.
fn is_no_move(word: &str) -> bool {
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    ["cannot", "can't", "can\u{2019}t", "no", "move", "play", "dances"].contains(&word.as_str())
}

/// A word after `Wins n`, as in `points and the match`.
fn is_result_word(word: &str) -> bool {
    let word = word.trim_end_matches(['.', '!', ',']).to_ascii_lowercase();
    ["point", "points", "and", "the", "match", "game"].contains(&word.as_str())
}

/// Both names and scores of a line such as ` ann : 0      bob : 2`.
pub(super) fn names(line: &str) -> Option<[(&str, u32); 2]> {
    let (rest, last) = line.trim().rsplit_once(':')?;
    let last = last.trim().parse().ok()?;
    // Names may contain colons and digits, so two blanks after a score identify the first score better than one.
    let split = |enough: usize| {
        rest.match_indices(':').find_map(|(at, _)| {
            let after = rest[at + 1..].trim_start();
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let second = after[digits..].trim_start();
            let gap = after.len() - digits - second.len();
            let tab = after[digits..].starts_with('\t');
            let score = after[..digits].parse().ok()?;
            (tab || gap >= enough).then(|| [(rest[..at].trim(), score), (second.trim(), last)])
        })
    };
    split(2).or_else(|| split(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<(String, usize)> {
        let pieces = pieces(line).expect(line);
        pieces.into_iter().map(|p| (format!("{:?}", p.action), p.nth)).collect()
    }

    #[test]
    fn two_rows_without_a_line_break_are_read_as_two_rows() {
        let read = read(" 12) 31: 8/5 6/5                 44:   3)  Doubles => 2");
        let nths: Vec<usize> = read.iter().map(|(_, nth)| *nth).collect();
        assert_eq!(nths, [0, 1, 0]);
        assert_eq!(read[2].0, "Double(Some(2))");
    }

    #[test]
    fn the_blanks_before_an_action_are_counted() {
        let gap = |line: &str| pieces(line).expect(line)[0].gap;
        assert!(gap("  1)                             42: 8/4 6/4") > 20);
        assert!(gap("  1)\t\t42: 8/4 6/4") >= 10);
        assert!(gap("  1)\t42: 8/4 6/4") < 10);
        assert_eq!(gap(" 13)  Doubles => 2"), 2);
    }

    #[test]
    fn names_may_contain_blanks_colons_and_digits() {
        let two = |line| names(line).expect(line);
        assert_eq!(two(" a b : 1     c : 22"), [("a b", 1), ("c", 22)]);
        assert_eq!(two("x:3 y : 0     z : 4"), [("x:3 y", 0), ("z", 4)]);
        assert_eq!(two("a : 0 b : 1"), [("a", 0), ("b", 1)]);
        for none in ["", ":", "a : 0", "a : b   c : d", "a : 0   b : 99999999999"] {
            assert_eq!(names(none), None, "{none}");
        }
    }
}
