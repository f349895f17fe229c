//! Arbitrary bytes of a server: no panic, and the same messages wherever the bytes are split.

#![no_main]

use std::time::Duration;

use backgammon::Position;
use fibs::Password;
use fibs::agent::{Agent, Invitation, TurnContext};
use fibs::codec::Decoder;
use fibs::message::{Message, Parser};
use fibs::session::{Config, Session, Step};
use libfuzzer_sys::fuzz_target;

struct TestAgent;

impl Agent for TestAgent {
    fn play(&mut self, turn: &TurnContext) -> Position {
        turn.position
    }

    fn invited(&mut self, _: &Invitation) -> Result<(), String> {
        Ok(())
    }
}

const LOGIN: &[u8] = b"login: 1 me 1 here\r\n\
    2 me 1 1 0 0 0 0 1 1 0 0 1 0 1 1500.0 1 1 none 0 1 UTC\r\n3\r\nhello\r\n4\r\n\
    5 me - - 1 0 1500.0 0 0 1 here x -\r\n5 bob - - 1 0 1500.0 0 0 1 here x -\r\n6\r\n\
    Value of 'boardstyle' set to 3.\r\nno saved games.\r\n";

fn messages<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<Message> {
    let (mut decoder, mut parser, mut all) = (Decoder::default(), Parser::default(), Vec::new());
    for piece in pieces {
        decoder.decode(piece, |line| parser.parse(&line, |message| all.push(message)));
    }
    all
}

fuzz_target!(|data: &[u8]| {
    let Some((&size, said)) = data.split_first() else { return };
    let in_pieces = messages(said.chunks(usize::from(size).max(1)));
    assert_eq!(format!("{:?}", messages(std::iter::once(said))), format!("{in_pieces:?}"));
    let Some(password) = Password::new("Zanzibar7").ok() else { return };
    let mut session = Session::new(Config::new("fuzz", "me", password));
    let mut now = Duration::ZERO;
    session.connected(now, &mut TestAgent);
    for message in messages([LOGIN, said].into_iter()) {
        session.message(message, now, &mut TestAgent);
        // No more than a few commands in a row without an answer.
        for _ in 0..8 {
            match session.step(now, &mut TestAgent) {
                Step::Send(_) => {}
                Step::Wait(until) => now = until.clamp(now, now + Duration::from_secs(60)),
                Step::Close(_) => return,
            }
        }
    }
});
