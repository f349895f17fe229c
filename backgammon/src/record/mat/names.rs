//! The line of names and scores at the head of a game, and results that name their player.

use super::row::{self, Action};
use crate::Seat;

/// The longest line of names, in bytes.
const LONGEST: usize = 4096;

/// Both names and scores of a line such as ` ann : 0      bob : 2` or
/// `ann : 0 points   bob : 2 points`.
pub(super) fn names(line: &str) -> Option<[(&str, u32); 2]> {
    if line.len() > LONGEST {
        return None;
    }
    let (rest, last) = line.trim().rsplit_once(':')?;
    let (last, tail) = score(last)?;
    if !tail.trim().is_empty() && !tail.trim().starts_with('(') {
        return None;
    }
    // Names may contain colons and digits, so two blanks after a score identify the first score
    // better than one.
    let split = |enough: usize| {
        rest.match_indices(':').find_map(|(at, _)| {
            let (first, after) = score(&rest[at + 1..])?;
            let second = after.trim_start_matches([' ', '\t', ',']);
            let gap = after.len() - second.len();
            let tab = after.starts_with('\t');
            (tab || gap >= enough).then(|| [(rest[..at].trim(), first), (second.trim(), last)])
        })
    };
    split(2).or_else(|| split(1))
}

/// The score at the beginning of a text, with the word `points` if it follows after one blank; and
/// the rest.
fn score(text: &str) -> Option<(u32, &str)> {
    let text = text.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    let number = number.parse().ok()?;
    let unit = rest.strip_prefix(' ').unwrap_or(rest);
    let end = unit.find([' ', '\t', ',']).unwrap_or(unit.len());
    let is_unit = ["point", "points", "pt", "pts"]
        .iter()
        .any(|known| unit[..end].eq_ignore_ascii_case(known));
    Some((number, if is_unit { &unit[end..] } else { rest }))
}

/// Two names with blanks between them, each with its score if both have one: `Ann A.     Bob`,
/// `Ann vs. Bob`, `ann 3   bob 0`.
pub(super) fn without_colons(line: &str) -> Option<[(String, Option<u32>); 2]> {
    let line = line.trim().replace('\t', "    ");
    let cells: Vec<&str> = match line.split_once(" vs. ").or_else(|| line.split_once(" vs ")) {
        Some((a, b)) => vec![a, b],
        None => line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect(),
    };
    let [a, b] = cells[..] else { return None };
    let scored = |cell: &str| -> Option<(String, Option<u32>)> {
        let (name, score) = cell.trim().trim_end_matches(':').rsplit_once(' ')?;
        let score = score.trim_matches(['(', ')']).parse().ok()?;
        Some((name.trim_end_matches([' ', ':', '-']).to_owned(), Some(score)))
    };
    match (scored(a), scored(b)) {
        (Some(a), Some(b)) => Some([a, b]),
        _ => Some([a, b].map(|cell| (cell.trim().trim_end_matches(':').trim().to_owned(), None))),
    }
}

/// A result after the name of a player, and the line without both: `Alice wins 2 points`,
/// `Bob resigns`.
pub(super) fn named_result(line: &str, names: &[String; 2]) -> Option<(Seat, Action, String)> {
    // Each result has one of these letters; most rows have none.
    if line.len() > LONGEST || !line.bytes().any(|byte| b"wstpWSTP".contains(&byte)) {
        return None;
    }
    const FEW: usize = 16;
    let lower = line.to_ascii_lowercase();
    let mut found: Vec<(Seat, Action, String)> = Vec::new();
    for (seat, name) in Seat::BOTH.into_iter().zip(names) {
        let name = name.trim().to_ascii_lowercase();
        if name.is_empty() {
            continue;
        }
        for (at, _) in lower.match_indices(&name).take(FEW) {
            let (before, after) = (&line[..at], &line[at + name.len()..]);
            let word = after.trim_start_matches([' ', '\t', ':', '-', ',']);
            let apart = before.is_empty() || before.ends_with([' ', '\t', '(']);
            if !apart || word.len() == after.len() {
                continue;
            }
            let word = word.trim_end().trim_end_matches([')', '.', '!']);
            let pieces = row::pieces(word);
            if let [row::Piece { action, .. }] = &pieces[..]
                && action.is_result()
            {
                found.push((
                    seat,
                    action.clone(),
                    before.trim_end().trim_end_matches('(').to_owned(),
                ));
            }
        }
    }
    // Of two names of which one ends with the other, the longer one is meant.
    found.into_iter().min_by_key(|(_, _, before)| before.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_contain_blanks_colons_and_digits() {
        let two = |line| names(line).expect(line);
        assert_eq!(two(" a b : 1     c : 22"), [("a b", 1), ("c", 22)]);
        assert_eq!(two("x:3 y : 0     z : 4"), [("x:3 y", 0), ("z", 4)]);
        assert_eq!(two("a : 0 b : 1"), [("a", 0), ("b", 1)]);
        assert_eq!(two("a : 0 points   b : 1 point"), [("a", 0), ("b", 1)]);
        assert_eq!(two("a: 2pts, b: 1pt (Crawford)"), [("a", 2), ("b", 1)]);
        for none in ["", ":", "a : 0", "a : b   c : d", "a : 0   b : 99999999999", "a : 0  b : 0 c"]
        {
            assert_eq!(names(none), None, "{none}");
        }
    }

    #[test]
    fn names_may_stand_without_colons() {
        let two = |line: &str| without_colons(line).expect(line);
        let plain = [("Ann A.".to_owned(), None), ("Bob".to_owned(), None)];
        assert_eq!(two("  Ann A.           Bob"), plain);
        assert_eq!(two("Ann A. vs. Bob"), plain);
        assert_eq!(two("Ann A.\tBob"), plain);
        assert_eq!(
            two("Ann A. 3    Bob - 0"),
            [("Ann A.".to_owned(), Some(3)), ("Bob".to_owned(), Some(0))]
        );
        assert_eq!(without_colons("just a"), None);
    }

    #[test]
    fn a_name_before_a_result_says_whose_it_is() {
        let names = ["Alice".to_owned(), "Bob".to_owned()];
        let found = |line| {
            named_result(line, &names)
                .map(|(seat, action, rest)| (seat, format!("{action:?}"), rest))
        };
        let won = Some((Seat::X, "Wins(Some(2))".to_owned(), "  4)".to_owned()));
        assert_eq!(found("  4) Alice wins 2 points and the match"), won);
        assert_eq!(found("bob resigns."), Some((Seat::O, "Loses(None)".to_owned(), String::new())));
        for none in ["Alice says hello", "Bobby wins 1 point", "Wins 1 point", "Alice: 31: 8/5"] {
            assert_eq!(found(none), None, "{none}");
        }
    }
}
