//! What a user sends, without the characters that would control the terminals of those who read it.

/// The text without control characters, escape sequences and characters that change the direction
/// of writing. A tab becomes a blank. Backspace and Delete erase a character, and Ctrl-U the line:
/// some terminals send what is typed at once.
pub(super) fn plain_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\t' => out.push(' '),
            '\u{8}' | '\u{7f}' => drop(out.pop()),
            '\u{15}' => out.clear(),
            // ESC [ and its one-character form: parameters, then a letter or one of @[\]^_`{|}~.
            '\u{9b}' => skip_control_sequence(&mut chars),
            '\u{1b}' => match chars.next() {
                Some('[') => skip_control_sequence(&mut chars),
                // A string for the terminal, such as a title: up to BEL or ESC \.
                Some(']' | 'P' | 'X' | '^' | '_') => skip_string(&mut chars),
                // Two bytes, or three if the second is one of blank to /.
                Some(' '..='/') => _ = chars.next(),
                _ => {}
            },
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => skip_string(&mut chars),
            _ if c.is_control() || is_invisible(c) => {}
            _ => out.push(c),
        }
    }
    out
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn skip_control_sequence(chars: &mut Chars<'_>) {
    while let Some(c) = chars.next_if(|c| (' '..='~').contains(c)) {
        if ('@'..='~').contains(&c) {
            return;
        }
    }
}

fn skip_string(chars: &mut Chars<'_>) {
    while let Some(c) = chars.next() {
        match c {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                let _ = chars.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

/// Marks of direction, of width zero, and of the ends of lines and paragraphs.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::plain_text;

    #[test]
    fn escape_sequences_and_control_characters_leave_nothing() {
        for (sent, kept) in [
            // Clear the screen, as in the table of a client: ESC [ ; H ESC [ 2 J.
            ("\u{1b}[;H\u{1b}[2Jhello", "hello"),
            ("\u{1b}[1;31mred\u{1b}[0m", "red"),
            // The title of an xterm, ended by BEL or by ESC \.
            ("a\u{1b}]0;owned\u{7}b", "ab"),
            ("a\u{1b}]0;owned\u{1b}\\b", "ab"),
            ("a\u{1b}]never ended", "a"),
            // Another character set, and a reset.
            ("\u{1b}(0lqqk\u{1b}c", "lqqk"),
            ("one\ttwo\u{8}\u{7f}\u{0}", "one t"),
            ("\u{7f}rool\u{8}\u{8}ll", "roll"),
            ("leave\u{15}board", "board"),
            ("\u{9b}31mred\u{85}", "red"),
            ("abc\u{202e}dcba\u{feff}", "abcdcba"),
            ("Tschüß, 3-1 [sic] ~", "Tschüß, 3-1 [sic] ~"),
            ("\u{1b}", ""),
            ("\u{1b}[31", ""),
        ] {
            assert_eq!(plain_text(sent), kept, "{sent:?}");
        }
    }

    #[test]
    fn no_text_keeps_a_control_character() {
        let all: String = (0..0x300).filter_map(char::from_u32).collect();
        for start in 0..all.chars().count() {
            let text: String = all.chars().cycle().skip(start).take(400).collect();
            assert!(!plain_text(&text).chars().any(char::is_control));
        }
    }
}
