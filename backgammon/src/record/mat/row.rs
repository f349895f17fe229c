//! The contents of a line of a `.mat` game: one to three actions in two columns.

use std::iter::Peekable;

pub(super) use super::names::names;
use super::vocabulary::{
    Meaning, is_doubt, is_move, is_no_move, is_null_step, is_result_word, is_unknown, meaning,
};
use crate::Dice;

/// What the error about an invalid roll expects.
pub(super) const TWO_DICE: &str = "two dice from 1 to 6";

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
    /// `Resigned Match`; its column says nothing.
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

/// The roll at the beginning of a word such as `31:`, `31:8/5`, `3-1:` or `(31)`, and what follows
/// it.
fn roll(word: &str) -> Option<(Action, &str)> {
    let (dice, rest) = match word.strip_prefix(['(', '[']) {
        Some(inner) => {
            let (dice, rest) = inner.split_once([')', ']'])?;
            (dice, rest.strip_prefix(':').unwrap_or(rest))
        }
        None => word.split_once(':')?,
    };
    let digits: Vec<u8> = match dice.as_bytes() {
        [a, b] | [a, b'-' | b',' | b'.' | b'/' | b'+', b] => vec![*a, *b],
        _ => return None,
    };
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let dice = String::from_utf8_lossy(&digits);
    Some(match dice.parse::<Dice>() {
        Ok(dice) => (Action::Roll { dice, play: Some(String::new()) }, rest),
        Err(_) if dice == "00" => (Action::HiddenRoll, rest),
        Err(_) => (Action::Unknown { text: word.to_owned(), wanted: TWO_DICE }, rest),
    })
}

/// A roll in two words, as in `3 1: 8/5` and `(3 1)`, or without its colon, as in `31 8/5 6/5`.
fn roll_of_two(word: &str, next: Option<&str>) -> Option<String> {
    let next = next?;
    // `31 : 8/5`
    let two_dice = word.len() == 2 && word.bytes().all(|b| (b'1'..=b'6').contains(&b));
    if two_dice && let Some(rest) = next.strip_prefix(':') {
        return Some(format!("{word}:{rest}"));
    }
    let die = |text: &str| text.len() == 1 && (b'1'..=b'6').contains(&text.as_bytes()[0]);
    let bare = word.strip_prefix(['(', '[']);
    let (first, closes) =
        (bare.unwrap_or(word), if bare.is_some() { [')', ']'] } else { [':', ':'] });
    if die(first)
        && let Some((second, rest)) = next.split_once(closes)
        && die(second)
    {
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        return Some(format!("{first}{second}:{rest}"));
    }
    None
}

/// Whether a word is two dice and a checker move follows.
fn is_bare_roll(word: &str, next: Option<&str>) -> bool {
    word.len() == 2 && word.bytes().all(|b| (b'1'..=b'6').contains(&b)) && next.is_some_and(is_move)
}

/// The number of a row: digits at the beginning of the line, and then `)` or `.`. After `.` the
/// line has a blank or a tab, or it ends.
pub(super) fn row_number(line: &str) -> Option<u32> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    let number = line[..digits].parse().ok()?;
    (rest.starts_with(')') || rest == "." || rest.starts_with(". ") || rest.starts_with(".\t"))
        .then_some(number)
}

/// Whether a line holds actions, and nothing else, with a roll among them.
pub(super) fn is_row(line: &str) -> bool {
    let pieces = pieces(line);
    let known = |piece: &Piece| !matches!(piece.action, Action::Unknown { .. });
    let rolled = |piece: &Piece| match &piece.action {
        Action::Roll { play: Some(play), .. } if row_number(line).is_none() => {
            !play.is_empty() && play.split_whitespace().all(is_move)
        }
        Action::Roll { .. } => true,
        _ => false,
    };
    pieces.iter().all(known) && pieces.iter().any(rolled)
}

/// Whether an action is no action but a remark that happens to begin like one:
/// `12:31 ann says hello`.
pub(super) fn is_remark(action: &Action) -> bool {
    match action {
        Action::Unknown { .. } => true,
        Action::Roll { play: Some(play), .. } => {
            !play.is_empty() && !play.split_whitespace().any(is_move)
        }
        _ => false,
    }
}

/// Whether a line goes on with the play of the row before it.
pub(super) fn goes_on(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(is_move)
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
        let joined;
        if let Some(roll) = roll_of_two(text, words.peek().map(|word| word.text)) {
            words.next();
            joined = roll;
            text = &joined;
        } else if is_bare_roll(text, words.peek().map(|word| word.text)) {
            joined = format!("{text}:");
            text = &joined;
        }
        // Rolls and plays are most of a row, and begin with digits.
        let is_number = text.starts_with(|c: char| c.is_ascii_digit());
        let word = if is_number { None } else { meaning(&text.to_ascii_lowercase()) };
        let action = match word {
            Some(Meaning::Action(action)) => action,
            Some(Meaning::Double) => Action::Double(number(&mut words)),
            Some(Meaning::Beaver) => Action::Beaver(number(&mut words)),
            Some(Meaning::Wins) => result(Action::Wins, &mut words),
            Some(Meaning::Loses) => result(Action::Loses, &mut words),
            Some(Meaning::Resigned) => result(|_| Action::Resigned, &mut words),
            Some(Meaning::Loses2(second))
                if words
                    .next_if(|word| word.text.trim_end_matches('.').eq_ignore_ascii_case(second))
                    .is_some() =>
            {
                result(Action::Loses, &mut words)
            }
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

/// A result and the words that belong to it, as in `Wins 2 points`, `wins the game and 2 points`,
/// `wins (2-0)`.
fn result<'a>(
    action: fn(Option<u32>) -> Action,
    words: &mut Peekable<impl Iterator<Item = Word<'a>>>,
) -> Action {
    let mut points = number(words);
    while let Some(word) = words.next_if(|word| {
        let is_score = word.text.starts_with('(') && word.text.ends_with(')');
        is_score || is_result_word(word.text) || word.text.parse::<u32>().is_ok()
    }) {
        points = points.or_else(|| word.text.parse().ok());
    }
    action(points)
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
    fn rolls_are_written_in_many_ways() {
        let plain = read("  1) 31: 8/5 6/5        42: 8/4 6/4");
        for line in [
            "  1) 3-1: 8/5 6/5        4-2: 8/4 6/4",
            "  1) 3 1: 8/5 6/5        4 2: 8/4 6/4",
            "  1) (31) 8/5 6/5        (42) 8/4 6/4",
            "  1) (3 1) 8/5 6/5        (4-2): 8/4 6/4",
            "  1) [31] 8/5 6/5        [4,2]: 8/4 6/4",
            "  1) 31 8/5 6/5        42 8/4 6/4",
        ] {
            assert_eq!(read(line), plain, "{line}");
        }
    }

    #[test]
    fn words_for_the_same_action_have_the_same_meaning() {
        for (line, action) in [
            ("1) Doubled to 2   Took", ["Double(Some(2))", "Take"]),
            ("1) Redoubles => 4   Accepted.", ["Double(Some(4))", "Take"]),
            ("1) Double   Declined", ["Double(None)", "Drop"]),
            ("1) Timed out    Wins 1 pt and the match!", ["Loses(None)", "Wins(Some(1))"]),
            ("1) Disconnected    Won 3 pts", ["Loses(None)", "Wins(Some(3))"]),
        ] {
            let found: Vec<String> = read(line).into_iter().map(|(action, _)| action).collect();
            assert_eq!(found, action, "{line}");
        }
    }
}
