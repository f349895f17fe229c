//! The decoder of bytes to lines: it removes telnet options, recognises prompts, which have no line
//! end, and limits the length of lines.

/// The longest line that is kept, in bytes; the server's lines are far shorter.
pub const LONGEST_LINE: usize = 4096;

/// One line of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its end and without trailing blanks; invalid UTF-8 is replaced. Never empty.
    Text(String),
    /// `login: `, which has no line end.
    LoginPrompt,
    /// `password: ` or one of the questions for a new password, which have no line end.
    PasswordPrompt,
    /// A line longer than [`LONGEST_LINE`] bytes; its text is dropped.
    TooLong,
}

impl Line {
    /// The text of the line; that of a prompt as the server writes it.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Line::Text(text) => text,
            Line::LoginPrompt => "login: ",
            Line::PasswordPrompt => "password: ",
            Line::TooLong => "(a line that is too long)",
        }
    }
}

/// Turns bytes into lines; where the bytes are split into packets makes no difference.
///
/// `Decoder::default()` reads what a server sends: LF ends a line, CR is dropped. So a player
/// cannot write lines of the server by a CR in the chat.
///
/// ```
/// use fibs::codec::Decoder;
///
/// let (mut decoder, mut lines) = (Decoder::default(), Vec::new());
/// for packet in ["You roll ", "3 and 1.\r\nlogin: "] {
///     decoder.decode(packet.as_bytes(), |line| lines.push(line.text().to_owned()));
/// }
/// assert_eq!(lines, ["You roll 3 and 1.", "login: "]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    line: Vec<u8>,
    telnet: Telnet,
    overlong: bool,
    ends_at_cr: bool,
    replies: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Telnet {
    #[default]
    Text,
    /// After 255.
    Escape,
    /// After 255 and one of WILL, WONT, DO, DONT, which it holds: one byte to go.
    Option(u8),
    /// After 255 250, until 255 240: the number of bytes so far.
    Negotiation(u8),
    /// After a 255 in there.
    NegotiationEscape(u8),
}

const IAC: u8 = 255;
const WILL: u8 = 251;
const WONT: u8 = 252;
const DO: u8 = 253;
const DONT: u8 = 254;
/// The option that one side shows what the other types.
const ECHO: u8 = 1;
/// The most bytes of replies that wait, for those who never ask for them.
const MOST_REPLIES: usize = 96;
const SUB_BEGIN: u8 = 250;
const SUB_END: u8 = 240;
/// A negotiation is not longer, in bytes: players can type its first two bytes.
const LONGEST_NEGOTIATION: u8 = 64;

const PROMPTS: [(&[u8], Line); 4] = [
    (b"login: ", Line::LoginPrompt),
    (b"password: ", Line::PasswordPrompt),
    (b"Please give your password: ", Line::PasswordPrompt),
    (b"Please retype your password: ", Line::PasswordPrompt),
];

impl Decoder {
    /// A decoder of what a person types: CR ends a line, too, since `telnet` may send CR NUL.
    #[must_use]
    pub fn of_typed_lines() -> Decoder {
        Decoder { ends_at_cr: true, ..Decoder::default() }
    }

    /// Takes the next bytes and passes each completed line to `sink`.
    pub fn decode(&mut self, bytes: &[u8], mut sink: impl FnMut(Line)) {
        for &byte in bytes {
            if let Telnet::Option(verb) = self.telnet {
                self.reply(verb, byte);
            }
            if let Some(byte) = self.through_telnet(byte) {
                self.take(byte, &mut sink);
            }
        }
    }

    /// The refusals of the telnet options that were asked for, for a server to send. A terminal
    /// can wait for them: after Ctrl-C, `telnet` shows nothing until its timing mark is answered.
    pub fn take_replies(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.replies)
    }

    fn reply(&mut self, verb: u8, option: u8) {
        // RFC 854: a refusal is no request and gets no answer. That of ECHO is the answer to ours.
        let answer = match (verb, option) {
            (_, ECHO) | (_, b'\r' | b'\n') => return,
            (DO, _) => WONT,
            (WILL, _) => DONT,
            _ => return,
        };
        if self.replies.len() < MOST_REPLIES {
            self.replies.extend([IAC, answer, option]);
        }
    }

    /// A byte of text, or `None` for part of a telnet option.
    fn through_telnet(&mut self, byte: u8) -> Option<u8> {
        let (next, text) = match (self.telnet, byte) {
            // No option goes beyond the line.
            (_, b'\r' | b'\n') => (Telnet::Text, Some(byte)),
            (Telnet::Text, IAC) => (Telnet::Escape, None),
            (Telnet::Text, _) => (Telnet::Text, Some(byte)),
            (Telnet::Escape, IAC) => (Telnet::Text, Some(IAC)),
            (Telnet::Escape, SUB_BEGIN) => (Telnet::Negotiation(0), None),
            (Telnet::Escape, WILL..=DONT) => (Telnet::Option(byte), None),
            (Telnet::Escape | Telnet::Option(_), _) => (Telnet::Text, None),
            (Telnet::NegotiationEscape(_), SUB_END) => (Telnet::Text, None),
            (Telnet::Negotiation(n) | Telnet::NegotiationEscape(n), _)
                if n >= LONGEST_NEGOTIATION =>
            {
                (Telnet::Text, Some(byte))
            }
            (Telnet::Negotiation(n), IAC) => (Telnet::NegotiationEscape(n + 1), None),
            (Telnet::Negotiation(n) | Telnet::NegotiationEscape(n), _) => {
                (Telnet::Negotiation(n + 1), None)
            }
        };
        self.telnet = next;
        text
    }

    fn take(&mut self, byte: u8, sink: &mut impl FnMut(Line)) {
        match byte {
            b'\n' => self.end(sink),
            b'\r' if self.ends_at_cr => self.end(sink),
            // NUL follows a bare CR in telnet; BEL rings.
            b'\r' | 0 | 7 => {}
            _ if self.line.len() >= LONGEST_LINE => self.overlong = true,
            _ => {
                self.line.push(byte);
                // A prompt has no line end and may be followed by more bytes at once: it is
                // recognised by its text.
                let prompt = |(text, _): &&(&[u8], Line)| self.line == *text;
                if byte == b' '
                    && let Some((_, prompt)) = PROMPTS.iter().find(prompt)
                {
                    self.line.clear();
                    sink(prompt.clone());
                }
                // The same holds for the command prompt, which may stand before any line.
                if self.line == b"> " {
                    self.line.clear();
                }
            }
        }
    }

    fn end(&mut self, sink: &mut impl FnMut(Line)) {
        let overlong = std::mem::take(&mut self.overlong);
        let line = std::mem::take(&mut self.line);
        if overlong {
            sink(Line::TooLong);
            return;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        if !text.is_empty() {
            sink(Line::Text(text.to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(pieces: &[&[u8]]) -> Vec<Line> {
        decoded(Decoder::default(), pieces)
    }

    fn decoded(mut decoder: Decoder, pieces: &[&[u8]]) -> Vec<Line> {
        let mut out = Vec::new();
        pieces.iter().for_each(|piece| decoder.decode(piece, |line| out.push(line)));
        out
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn every_kind_of_typed_line_end_ends_a_line_once() {
        let expected = [text("a"), text("b"), text("c"), text(" d")];
        let typed: &[u8] = b"a\r\nb\nc\r\0\r\n\r\n d \t\r\n";
        assert_eq!(decoded(Decoder::of_typed_lines(), &[typed]), expected);
    }

    #[test]
    fn a_cr_in_chat_begins_no_line_of_the_server() {
        let expected = [text("13 eve hi> You roll 6 and 4."), text("next")];
        for end in ["\r\n", "\n", "\n\r"] {
            let heard = format!("13 eve hi\r> You roll 6 and 4.{end}next{end}");
            assert_eq!(lines(&[heard.as_bytes()]), expected, "{end:?}");
        }
    }

    #[test]
    fn prompts_have_no_line_end_and_the_command_prompt_is_ignored() {
        assert_eq!(lines(&[b"Welcome\r\n\r\nlogin: "]), [text("Welcome"), Line::LoginPrompt]);
        assert_eq!(
            lines(&[b"\xff\xfb\x01password: ", b"\xff\xfc\x01\r\n> > 5 ann - x\r\n"]),
            [Line::PasswordPrompt, text("5 ann - x")]
        );
        assert_eq!(lines(&[b"login: login: "]), [Line::LoginPrompt, Line::LoginPrompt]);
    }

    #[test]
    fn telnet_options_vanish_and_a_doubled_255_is_a_byte() {
        assert_eq!(lines(&[b"a\xff\xfb\x01b\xff\xf9c\xff\xfa\x18\x00\xff\xf0d\n"]), [text("abcd")]);
        assert_eq!(lines(&[b"\xff\xff\n"]), [text("\u{fffd}")]);
    }

    #[test]
    fn telnet_bytes_in_chat_cost_no_other_line() {
        for typed in [&b"\xff\xfa"[..], b"\xff\xfatext\xff", b"\xff\xfb", b"\xff", b"\xff\xfd"] {
            for end in [&b"\r\n"[..], b"\n"] {
                let heard = lines(&[b"13 eve x", typed, end, b"You roll 6 and 4.", end]);
                assert_eq!(heard, [text("13 eve x"), text("You roll 6 and 4.")], "{typed:?}");
            }
        }
        // Without a line end the text comes back after 64 bytes.
        let long = lines(&[b"\xff\xfa", &[b'x'; 100], b"\n"]);
        assert_eq!(long, [text(&"x".repeat(36))]);
    }

    #[test]
    fn requests_for_telnet_options_are_refused_once_and_refusals_get_no_answer() {
        let mut decoder = Decoder::default();
        // Ctrl-C of `telnet`: interrupt, and a timing mark (RFC 860) that it waits for.
        for (sent, reply) in [
            (&b"\xff\xf4\xff\xfd\x06"[..], &b"\xff\xfc\x06"[..]),
            (b"\xff\xfb\x18\xff\xfb\x1f", b"\xff\xfe\x18\xff\xfe\x1f"),
            (b"\xff\xfd\x01\xff\xfe\x01\xff\xfc\x18\xff\xfe\x06", b""),
        ] {
            decoder.decode(sent, |line| panic!("{line:?}"));
            assert_eq!(decoder.take_replies(), reply, "{sent:?}");
        }
        for _ in 0..10_000 {
            decoder.decode(b"\xff\xfd\x06", |line| panic!("{line:?}"));
        }
        assert!(decoder.take_replies().len() <= MOST_REPLIES);
    }

    #[test]
    fn a_line_of_ten_megabytes_uses_little_memory_and_gives_one_line() {
        let (mut decoder, mut out) = (Decoder::default(), Vec::new());
        for _ in 0..10_000 {
            decoder.decode(&[b'x'; 1000], |line| out.push(line));
            assert!(decoder.line.capacity() <= 2 * LONGEST_LINE);
        }
        decoder.decode(b"\r\nnext\r\n", |line| out.push(line));
        assert_eq!(out, [Line::TooLong, text("next")]);
    }

    proptest! {
        #[test]
        fn bytes_give_the_same_lines_wherever_they_are_cut(
            bytes in proptest::collection::vec(
                prop_oneof![Just(b'\r'), Just(b'\n'), Just(255u8), Just(b' '), Just(b'>'), any::<u8>()],
                0..200,
            ),
            cuts in proptest::collection::vec(0usize..200, 0..8),
        ) {
            let whole = lines(&[&bytes]);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut from = 0;
            for cut in cuts {
                pieces.push(&bytes[from..cut]);
                from = cut;
            }
            pieces.push(&bytes[from..]);
            prop_assert_eq!(lines(&pieces), whole.clone());
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            prop_assert_eq!(lines(&single), whole);
        }
    }
}
