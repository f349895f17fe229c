//! The contents of a line of a `.mat` game: names with scores, or one to three actions in two columns.

use std::iter::Peekable;

use crate::Dice;

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
    /// `00: ????`: neither roll nor play are known.
    HiddenRoll,
    /// `31: Illegal play (...)`: the number among the positions in brackets, if there is one.
    Illegal {
        dice: Dice,
        position: Option<usize>,
    },
    /// With the new value of the cube, if it is written.
    Double(Option<u32>),
    Beaver(Option<u32>),
    Take,
    Drop,
    /// The result, in points.
    Wins(Option<u32>),
    /// The same, in the loser's column: `Losses 2 point`, `Resigns`, `Forfeits`, `Lost on time`.
    Loses(Option<u32>),
    /// `Resigned Match`, whose column says nothing.
    Resigned,
    /// A text that means none of these.
    Unknown {
        text: String,
        wanted: &'static str,
    },
}

impl Action {
    /// Whether it only says how the game ended.
    pub(super) const fn is_result(&self) -> bool {
        matches!(self, Action::Wins(_) | Action::Loses(_) | Action::Resigned)
    }
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
fn roll(word: &str) -> Option<(Action, &str)> {
    let (dice, rest) = word.split_once(':')?;
    let digits = dice.len() == 2 && dice.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| match dice.parse::<Dice>() {
        Ok(dice) => (Action::Roll { dice, play: Some(String::new()) }, rest),
        Err(_) if dice == "00" => (Action::HiddenRoll, rest),
        Err(_) => (Action::Unknown { text: word.to_owned(), wanted: "two dice from 1 to 6" }, rest),
    })
}

/// The rest of a word that begins with the number of a row.
fn after_number(word: &str) -> Option<&str> {
    let (number, rest) = word.split_once(')')?;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some(rest)
}

/// Whether a word is the number of a row with a full stop, as in `12.`.
fn is_dotted_number(word: &str) -> bool {
    let digits = word.strip_suffix('.').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// A line without the positions that follow `Illegal play` in brackets, and these positions.
pub(super) fn illegal_plays(line: &str) -> (String, Vec<String>) {
    const FIELDS: usize = 40;
    let (mut rest, mut plain, mut found) = (line, String::new(), Vec::new());
    while let Some(at) = rest.find("play (") {
        let (before, position) = rest.split_at(at + "play ".len());
        // Names may hold brackets, so the fields are counted.
        let end = position.match_indices(';').nth(FIELDS - 1).map(|(end, _)| end + 1);
        let Some(end) = end.filter(|&end| position[end..].starts_with(')')) else { break };
        plain.push_str(before);
        plain.push_str(DUMP);
        found.push(position[1..end].to_owned());
        rest = &position[end + 1..];
    }
    plain.push_str(rest);
    (plain, found)
}

/// Stands for a position in brackets.
const DUMP: &str = "(...)";

/// The actions of a line, in order.
pub(super) fn pieces(line: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut nth, mut dumps) = (0, 0);
    let mut words = words(line).into_iter().peekable();
    while let Some(Word { mut text, mut gap }) = words.next() {
        if pieces.is_empty() && is_dotted_number(text) {
            continue;
        }
        if let Some(rest) = after_number(text) {
            nth = 0;
            if rest.is_empty() {
                continue;
            }
            (text, gap) = (rest, 0);
        }
        let action = match text.to_ascii_lowercase().trim_end_matches(['.', '!']) {
            "doubles" | "redoubles" | "double" | "redouble" => Action::Double(number(&mut words)),
            "beavers" | "beaver" | "raccoons" | "raccoon" => Action::Beaver(number(&mut words)),
            "takes" | "take" | "accepts" | "accept" => Action::Take,
            "drops" | "drop" | "passes" | "pass" | "rejects" | "reject" => Action::Drop,
            "wins" | "win" => result(Action::Wins, &mut words),
            "losses" | "loses" | "lost" | "resigns" | "resign" | "forfeits" | "forfeit" => {
                result(Action::Loses, &mut words)
            }
            "resigned" => result(|_| Action::Resigned, &mut words),
            _ => match (roll(text), pieces.last_mut()) {
                (Some((action, play)), _) => {
                    pieces.push(Piece { action, gap, nth });
                    if let (false, Some(piece)) = (play.is_empty(), pieces.last_mut()) {
                        go_on(piece, play, &mut dumps);
                    }
                    nth += 1;
                    continue;
                }
                // A word that continues the play of the roll before it.
                (None, Some(piece)) if piece.nth + 1 == nth && !piece.action.is_result() => {
                    if go_on(piece, text, &mut dumps) {
                        continue;
                    }
                    unknown(text)
                }
                (None, _) => unknown(text),
            },
        };
        pieces.push(Piece { action, gap, nth });
        nth += 1;
    }
    pieces
}

/// The number after an action, as in `=> 2`, `==> 2`, `to 2` or `2`.
fn number<'a>(words: &mut Peekable<impl Iterator<Item = Word<'a>>>) -> Option<u32> {
    let is_arrow = |text: &str| text.bytes().all(|b| b"=>".contains(&b));
    words.next_if(|word| is_arrow(word.text) || word.text.eq_ignore_ascii_case("to"));
    let number = words.peek()?.text.trim_start_matches(['=', '>']).parse().ok()?;
    words.next();
    Some(number)
}

/// A result and the words that belong to it.
fn result<'a>(
    action: fn(Option<u32>) -> Action,
    words: &mut Peekable<impl Iterator<Item = Word<'a>>>,
) -> Action {
    let action = action(number(words));
    while words.next_if(|word| is_result_word(word.text)).is_some() {}
    action
}

fn unknown(text: &str) -> Action {
    Action::Unknown { text: text.to_owned(), wanted: "a roll or a cube action" }
}

/// Adds a word to a roll; `false` if it cannot belong to the action.
fn go_on(piece: &mut Piece, word: &str, dumps: &mut usize) -> bool {
    match &mut piece.action {
        Action::HiddenRoll | Action::Unknown { .. } => {}
        Action::Illegal { position, .. } => {
            if word == DUMP {
                *position = Some(*dumps);
                *dumps += 1;
            }
        }
        Action::Roll { dice, play } => {
            if word.eq_ignore_ascii_case("illegal") {
                piece.action = Action::Illegal { dice: *dice, position: None };
            } else if is_doubt(word) {
                // The play is read as any other.
            } else if is_unknown(word) {
                *play = None;
            } else if let Some(play) = play
                && !is_no_move(word)
                && !is_null_step(word)
            {
                play.push(' ');
                play.push_str(word);
            }
        }
        _ => return false,
    }
    true
}

/// `0/0`: a die with nothing left to move.
fn is_null_step(word: &str) -> bool {
    word.split_once('/').is_some_and(|(from, to)| from == to)
}

/// `ILLEGAL?`: a writer that is not sure whether the play before it is legal.
fn is_doubt(word: &str) -> bool {
    word.strip_suffix('?').is_some_and(|word| word.eq_ignore_ascii_case("illegal"))
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
    [
        "point",
        "points",
        "and",
        "the",
        "match",
        "game",
        "with",
        "a",
        "single",
        "gammon",
        "backgammon",
        "on",
        "time",
    ]
    .contains(&word.as_str())
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
        pieces(line).into_iter().map(|p| (format!("{:?}", p.action), p.nth)).collect()
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
        let gap = |line: &str| pieces(line)[0].gap;
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
