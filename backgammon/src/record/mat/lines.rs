//! What a line of a `.mat` file is before its game is known: a comment, a match, a game; and its
//! text without mark-up.

use std::borrow::Cow;

use super::row;

/// The kind of a line, as far as the line alone shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    Blank,
    Comment(&'a str),
    /// A match to this many points, 0 for money.
    Match(u32),
    /// `Game 3`; whether it says that the Crawford game is over.
    Game {
        post_crawford: bool,
    },
    /// `Crawford Game`, which stands below or in place of `Game 3`.
    Crawford,
    Other,
}

/// Whether a line identifies this format.
pub(in crate::record) fn is_mat(line: &str) -> bool {
    let line = plain(line);
    let text = line.trim_start().trim_start_matches('"');
    let comment = text.strip_prefix(';').map(str::trim_start);
    comment.is_some_and(|rest| rest.starts_with('['))
        || matches!(kind(&line), Kind::Match(_) | Kind::Game { .. })
        || row::is_row(&line)
}

pub(super) fn kind(line: &str) -> Kind<'_> {
    let line = line.trim_matches(|c: char| c.is_whitespace() || c.is_control());
    // One writer begins its first line with a quotation mark.
    let line = if line.starts_with("\";") { &line[1..] } else { line };
    if line.is_empty() {
        return Kind::Blank;
    }
    if let Some(comment) = line.strip_prefix([';', '#', '|']).or_else(|| line.strip_prefix("//")) {
        return Kind::Comment(comment);
    }
    if line.starts_with("[") && line.ends_with(']') {
        return Kind::Comment(line);
    }
    if line.starts_with("+-") || line.starts_with("+=") || is_rule(line) {
        return Kind::Comment("");
    }
    if row::row_number(line).is_some() || row::names(line).is_some() {
        return Kind::Other;
    }
    let lower = line.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    if words == ["crawford", "game"] {
        return Kind::Crawford;
    }
    if let Some(post_crawford) = heading(&words) {
        return Kind::Game { post_crawford };
    }
    match_length(&lower).map_or(Kind::Other, Kind::Match)
}

/// A line of dashes and the like.
fn is_rule(line: &str) -> bool {
    line.len() > 2 && line.bytes().all(|byte| b"-=*_~".contains(&byte))
}

/// Whether the heading of a game says that the Crawford game is over; `None` for other lines.
///
/// Headings: `Game 3`, `Game 3:`, `Game #3`, `Game 3 (Crawford)`, `Game 3 - Crawford game`,
/// `Game 3 of 5`.
fn heading(words: &[&str]) -> Option<bool> {
    let (number, rest) = match words {
        ["game", "no." | "no" | "#", number, rest @ ..] | ["game", number, rest @ ..] => {
            (*number, rest)
        }
        _ => return None,
    };
    number.trim_start_matches('#').trim_end_matches(['.', ':', ',']).parse::<u32>().ok()?;
    let told = |word: &&str| {
        word.starts_with(['(', '-', ':', '/'])
            || ["crawford", "post-crawford", "postcrawford"]
                .iter()
                .any(|known| word.starts_with(known))
    };
    let of = matches!(rest, ["of", games] if games.parse::<u32>().is_ok());
    let known = of || rest.first().is_none_or(told);
    known.then(|| rest.iter().any(|word| word.trim_start_matches(['(', '-']).starts_with("post")))
}

/// `5 point match`, `5-point match`, `5 pt match`, `5pt match`, `Match to 5 points`,
/// `Match length: 5`, `Money game`; the text is in small letters.
fn match_length(lower: &str) -> Option<u32> {
    let text = lower.replace(['-', ':', ',', '=', '\u{2011}'], " ");
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_end_matches('.')).collect();
    let number = |word: &str| word.parse::<u32>().ok();
    let is_match = |word: &str| word.starts_with("match");
    match words[..] {
        ["unlimited" | "money"] => Some(0),
        ["unlimited" | "money", "match" | "session" | "game" | "games" | "play", ..] => Some(0),
        [n, "point" | "points" | "pt" | "pts", word, ..] if is_match(word) => number(n),
        [n, word, ..] if is_match(word) => {
            let end = n.find(|c: char| !c.is_ascii_digit())?;
            let (digits, unit) = n.split_at(end);
            ["p", "pt", "pts", "point", "points"].contains(&unit).then(|| number(digits)).flatten()
        }
        ["match", "to" | "of" | "length", "is", n, ..]
        | ["match", "to" | "of" | "length", n, ..] => number(n),
        ["match", n, "point" | "points" | "pt" | "pts", ..] => number(n),
        _ => None,
    }
}

/// The length of a match anywhere in a line: `Ann - Bob, 5 point match, Paris`.
pub(super) fn mentioned_length(line: &str) -> Option<u32> {
    const LONGEST: usize = 512;
    if line.len() > LONGEST {
        return None;
    }
    let lower = line.to_ascii_lowercase();
    (0..lower.len())
        .filter(|&at| lower.is_char_boundary(at) && starts_word(&lower, at))
        .find_map(|at| match_length(&lower[at..]))
}

fn starts_word(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    before.is_none_or(|c| !c.is_alphanumeric())
        && text[at..].starts_with(|c: char| c.is_ascii_digit() || c == 'm')
}

/// The line without HTML tags and references, and with ASCII characters in place of wide ones.
///
/// It serves rows that were copied from a page or typed with an East Asian keyboard.
pub(super) fn plain(line: &str) -> Cow<'_, str> {
    // Quoted in a letter.
    let line = line.trim_start_matches(['>']);
    if line.is_ascii() && !line.contains(['<', '&']) {
        return Cow::Borrowed(line);
    }
    let mut text = without_tags(line);
    for (reference, character) in REFERENCES {
        if text.contains('&') {
            text = text.replace(reference, character);
        }
    }
    Cow::Owned(text.chars().filter_map(narrow).collect())
}

const REFERENCES: [(&str, &str); 8] = [
    ("&nbsp;", " "),
    ("&#160;", " "),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&apos;", "'"),
    ("&amp;", "&"),
];

/// The character that programs write in place of this one; none for characters without a width.
const fn narrow(c: char) -> Option<char> {
    match c {
        '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{200e}'
        | '\u{200f}' => None,
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => Some(' '),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some('-'),
        '\u{ff0f}' | '\u{2044}' | '\u{2215}' => Some('/'),
        '\u{ff08}' => Some('('),
        '\u{ff09}' => Some(')'),
        '\u{ff0a}' => Some('*'),
        '\u{ff1a}' => Some(':'),
        '\u{ff1d}' => Some('='),
        '\u{ff1e}' => Some('>'),
        // Digits.
        '\u{ff10}'..='\u{ff19}' => Some((b'0' + (c as u32 - 0xff10) as u8) as char),
        c => Some(c),
    }
}

/// Whether a line of names can hold this character.
pub(in crate::record) fn keeps(c: char) -> bool {
    let blank = c.is_whitespace() && c != ' ';
    !blank && !c.is_control() && c != ':' && narrow(c) == Some(c)
}

/// Removes the tags of pages and text areas; other angle brackets belong to names.
fn without_tags(line: &str) -> String {
    const TAGS: [&str; 20] = [
        "pre", "html", "head", "body", "br", "p", "div", "span", "tt", "code", "b", "i", "font",
        "td", "tr", "table", "tbody", "hr", "textarea", "center",
    ];
    let mut rest = line;
    let mut text = String::with_capacity(line.len());
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        text.push_str(before);
        let name = tag[1..].trim_start_matches('/');
        let length = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let known = TAGS.iter().any(|known| name[..length].eq_ignore_ascii_case(known));
        match tag.find('>') {
            Some(end) if known || tag.starts_with("<!") => rest = &tag[end + 1..],
            _ => {
                text.push('<');
                rest = &tag[1..];
            }
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_match_is_written_in_many_ways() {
        for line in [
            " 5 point match",
            "5-point match",
            "5 pt match",
            "5pt Match",
            "5 Points Match",
            "Match to 5",
            "match of 5 points",
            "Match length: 5",
            "Match Length = 5 points",
            "MATCH LENGTH IS 5",
            "Match: 5 points",
            "5 point match, Paris 2003",
        ] {
            assert_eq!(kind(line), Kind::Match(5), "{line}");
        }
        for line in [
            "Money Game",
            "money",
            "Money session",
            "unlimited match",
            "Unlimited game",
            "0 point match",
        ] {
            assert_eq!(kind(line), Kind::Match(0), "{line}");
        }
        for line in ["match : 0    point : 5", "we play to 5", "Game 3 was nice", "5 points"] {
            assert_eq!(kind(line), Kind::Other, "{line}");
        }
    }

    #[test]
    fn a_heading_may_say_more_than_the_number() {
        for line in [
            "Game 2",
            "GAME 2:",
            "Game 2 (Crawford)",
            "Game 2 - Crawford game",
            "Game #2",
            "Game 2 of 5",
        ] {
            assert_eq!(kind(line), Kind::Game { post_crawford: false }, "{line}");
        }
        assert_eq!(kind("Game 3 (Post-Crawford)"), Kind::Game { post_crawford: true });
        assert_eq!(kind("Crawford Game"), Kind::Crawford);
    }

    #[test]
    fn mark_up_and_wide_characters_are_replaced() {
        assert_eq!(plain("<pre> 1) 31: 8/5 6/5<br>"), " 1) 31: 8/5 6/5");
        assert_eq!(plain(" Doubles =&gt; 2&nbsp;"), " Doubles => 2 ");
        assert_eq!(plain("\u{ff13}\u{ff11}\u{ff1a}\u{3000}8\u{ff0f}5"), "31: 8/5");
        assert_eq!(plain("<Zo\u{eb}> : 0   a<b : 0"), "<Zo\u{eb}> : 0   a<b : 0");
    }
}
