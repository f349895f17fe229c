//! Sentences with placeholders: how the table writes the server's texts, and how lines are matched
//! against them.

/// The texts in the placeholders of a sentence, in order.
pub(super) type Holes<'a> = Vec<&'a str>;

/// Matches a line against a sentence: the texts in its placeholders and what follows the sentence.
///
/// The placeholders are:
///
/// - `{w}`: a word (a player's name).
/// - `{n}`: a number without a sign.
/// - `{d}`: a number with sign or fraction.
/// - `{*}`: anything up to the next words of the sentence, or to the end of the line.
///
/// A blank in the sentence is any number of blanks in the line, none included: servers differ in
/// them.
pub(super) fn matches<'a>(sentence: &str, line: &'a str) -> Option<(Holes<'a>, &'a str)> {
    let (mut holes, mut rest, mut sentence) = (Holes::new(), line, sentence);
    while !sentence.is_empty() {
        if let Some(after) = sentence.strip_prefix(' ') {
            (sentence, rest) = (after, rest.trim_start());
            continue;
        }
        let Some(hole) = sentence.strip_prefix('{') else {
            let end = sentence.find(['{', ' ']).unwrap_or(sentence.len());
            let (literal, after) = sentence.split_at(end);
            (sentence, rest) = (after, rest.strip_prefix(literal)?);
            continue;
        };
        let (kind, after) = hole.split_once('}')?;
        let length = match kind {
            "n" => rest.bytes().take_while(u8::is_ascii_digit).count(),
            "d" => rest.bytes().take_while(|b| b.is_ascii_digit() || b"+-.e".contains(b)).count(),
            "w" => name_length(rest, after),
            _ => {
                let end = after.find('{').unwrap_or(after.len());
                let words = after[..end].trim();
                if words.is_empty() { rest.len() } else { rest.find(words)? }
            }
        };
        if length == 0 && kind != "*" {
            return None;
        }
        let (found, left) = rest.split_at(length);
        holes.push(found);
        (sentence, rest) = (after, left);
    }
    Some((holes, rest))
}

/// A name ends at a blank, or where the sentence goes on with a sign.
fn name_length(rest: &str, after: &str) -> usize {
    let stop = after.chars().next().filter(|c| !c.is_alphanumeric() && *c != '{');
    rest.find(|c: char| c.is_whitespace() || Some(c) == stop).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_matches_only_text_of_its_kind() {
        let line = "bob wants to play a 5 point match with you.";
        let sentence = "{w} wants to play a {n} point match with you.";
        assert_eq!(matches(sentence, line), Some((vec!["bob", "5"], "")));
        assert_eq!(
            matches("{w} moves {*}.", "bob moves 8-3 6-3 ."),
            Some((vec!["bob", "8-3 6-3 "], ""))
        );
        assert_eq!(matches("{w}'s reputation", "bob's reputation is"), Some((vec!["bob"], " is")));
        assert_eq!(matches("{w} moves {*}.", "bob moves"), None);
        assert_eq!(matches("a {n} b", "a x b"), None);
    }
}
