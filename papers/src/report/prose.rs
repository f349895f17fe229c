//! Prose of a Markdown page: sentences of short texts, and lines of at most 100 columns.

use std::fmt::Write;

/// The longest line, in characters. Tables, pictures and code may be longer.
const COLUMNS: usize = 100;

/// A note of a definition as sentences: it separates them by semicolons and ends without a point.
pub(crate) fn sentences(note: &str) -> String {
    let mut text = String::new();
    for sentence in note.trim_end_matches('.').split("; ") {
        let mut letters = sentence.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string());
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{space}{}{}.", first.unwrap_or_default(), letters.as_str());
    }
    text
}

/// The page with its prose in lines of at most 100 columns.
pub(crate) fn folded_lines(page: &str) -> String {
    let (mut text, mut is_code) = (String::new(), false);
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        let is_whole = is_code || line.starts_with(['|', '!', '#', '<', '`']);
        match is_whole || line.chars().count() <= COLUMNS {
            true => text.push_str(line),
            false => fold(line, &mut text),
        }
        text.push('\n');
    }
    text
}

fn fold(line: &str, text: &mut String) {
    let indent = if line.starts_with("- ") { "  " } else { "" };
    let mut column = 0;
    for word in words(line) {
        let long = word.chars().count();
        if column > 0 && column + 1 + long > COLUMNS {
            let _ = write!(text, "\n{indent}");
            column = indent.len();
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += long;
    }
}

/// The words of a line; code and links stay whole. A mark of a list or a heading stays with the
/// word before it, since it must not begin a line.
fn words(line: &str) -> Vec<&str> {
    let (mut words, mut begin, mut is_code, mut brackets) = (Vec::new(), 0, false, 0i32);
    for (at, letter) in line.char_indices() {
        match letter {
            '`' => is_code = !is_code,
            '[' => brackets += 1,
            ']' => brackets -= 1,
            ' ' if !is_code && brackets <= 0 && !begins_with_mark(&line[at + 1..]) => {
                words.push(&line[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    words.push(&line[begin..]);
    words
}

/// Whether a text begins with a word that Markdown takes for a mark at the begin of a line.
fn begins_with_mark(text: &str) -> bool {
    let word = text.split(' ').next().unwrap_or_default();
    matches!(word, "-" | "+" | "*" | "#" | ">") || word.ends_with('.') && word.len() < 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_stays_with_the_word_before_it() {
        let line = format!("{}end at 3. More", "1234 ".repeat(19));
        let folded = folded_lines(&line);
        assert!(folded.lines().all(|line| line.len() <= COLUMNS && !line.starts_with("3.")));
        assert!(folded.contains("\nat 3. More"), "{folded}");
    }

    #[test]
    fn notes_become_sentences() {
        assert_eq!(sentences("one net; the paper has nine"), "One net. The paper has nine.");
        assert_eq!(sentences("`--alpha` is ours."), "`--alpha` is ours.");
    }

    #[test]
    fn prose_is_folded_and_says_the_same() {
        let prose = format!(
            "- {} `nonet train --games 3 and on` {}",
            "word ".repeat(17),
            "x ".repeat(40).trim()
        );
        let page = format!("# {prose}\n\n{prose}\n\n| {prose} |\n\n```\n{prose}\n```\n");
        let folded = folded_lines(&page);
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&folded), words(&page));
        let lines: Vec<&str> = folded.lines().collect();
        assert_eq!(
            (lines[0], lines[2].chars().count() <= COLUMNS),
            (format!("# {prose}").trim_end(), true)
        );
        assert!(folded.contains("\n  ") && folded.contains("`nonet train --games 3 and on`"));
        assert_eq!(folded_lines(&folded), folded);
    }
}
