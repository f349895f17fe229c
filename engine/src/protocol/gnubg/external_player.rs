//! The server that gnubg connects to: gnubg sends a board line whenever its external player must
//! act.
//!
//! gnubg treats an answer that it cannot read as "no move" without an error. So every answer is a
//! legal action. If a line cannot be answered, the server sends a line beginning with `Error: `, at
//! which gnubg stops the game, and disconnects.

use std::io::{self, BufRead, Write};

use super::board::{Ask, ExternalBoard, ExternalBoardError, ExternalQuestion};
use crate::cube::Answer;
use crate::cube::MetError;
use crate::engine::Engine;
use crate::protocol::{LineReader, Refused};

/// The settings of gnubg that its board lines do not contain.
#[derive(Clone, Debug, Default)]
pub struct GnubgServer {
    /// The name of this player in gnubg; without it, the scores of a match are read in the order of
    /// gnubg 1.07.
    pub own_name: Option<String>,
    /// Whether money games use the Jacoby rule.
    pub jacoby: bool,
}

/// Why the server disconnected.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Disconnected {
    #[error("the connection broke: {0}")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Line(#[from] Refused),
    #[error(transparent)]
    Board(#[from] ExternalBoardError),
    #[error(transparent)]
    Table(#[from] MetError),
}

impl GnubgServer {
    /// Answers board lines until gnubg disconnects; returns the number of answers.
    ///
    /// # Errors
    /// [`Disconnected`] if a line cannot be answered; gnubg has been sent the error.
    pub fn serve(
        &self,
        engine: &Engine,
        input: impl BufRead,
        out: &mut impl Write,
    ) -> Result<u64, Disconnected> {
        let (mut lines, mut answered) = (LineReader::new(input), 0);
        while let Some(line) = lines.next_line()? {
            let answer = line.map_err(Disconnected::from).and_then(|line| {
                // Blank lines need no answer.
                if line.is_empty() { Ok(None) } else { self.answer(engine, &line).map(Some) }
            });
            match answer {
                Ok(None) => continue,
                Ok(Some(text)) => out.write_all(format!("{text}\n").as_bytes())?,
                Err(error) => {
                    // The connection is closed in any case, so an error here does not matter.
                    let _ = out.write_all(format!("Error: {error}\n").as_bytes());
                    let _ = out.flush();
                    return Err(error);
                }
            }
            out.flush()?;
            answered += 1;
        }
        Ok(answered)
    }

    /// The answer to a line, in gnubg's format; empty if there is no legal play.
    ///
    /// # Errors
    /// [`Disconnected`] if the line cannot be answered.
    pub fn answer(&self, engine: &Engine, line: &str) -> Result<String, Disconnected> {
        let question =
            ExternalBoard::parse(line)?.question(self.own_name.as_deref(), self.jacoby)?;
        let ExternalQuestion { ask, position, scoring, cube } = question;
        let context = engine.context(scoring, cube)?;
        Ok(match ask {
            Ask::Roll(false) => "roll".to_owned(),
            Ask::Roll(true) => {
                let double = engine.cube_decision(&position, &context).is_double();
                if double { "double" } else { "roll" }.to_owned()
            }
            Ask::Answer => match engine.cube_decision(&position, &context).answer {
                Answer::Pass => "drop".to_owned(),
                Answer::Take | Answer::Beaver => "take".to_owned(),
            },
            Ask::Play(dice) => {
                let best = engine.best(&position, dice, &context);
                best.candidate.play.pairs(&position, dice)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Position;
    use crate::eval::{Evaluation, ScriptedEvaluator};
    use crate::search::Plies;
    use std::io::{BufReader, Read};
    use std::net::{TcpListener, TcpStream};

    fn by_pips(position: &Position) -> Evaluation {
        let lead = f32::from(position.opponent_pips()) - f32::from(position.pips());
        let win = (0.5 + lead / 400.0).clamp(0.0, 1.0);
        Evaluation { average: 2.0 * win - 1.0, outcomes: [win, 0.0, 0.0, 1.0 - win, 0.0, 0.0] }
    }

    const START: &str = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0";

    #[test]
    fn a_line_that_cannot_be_answered_gets_an_error_and_ends_the_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let server = std::thread::spawn(move || {
            let (stream, _) = listener.accept().expect("a caller");
            let evaluator = ScriptedEvaluator(by_pips);
            let engine = Engine::builder().evaluator(evaluator).plies(Plies::ONE);
            let engine = engine.build().expect("an engine");
            let input = BufReader::new(stream.try_clone().expect("a second handle"));
            GnubgServer::default().serve(&engine, input, &mut &stream)
        });
        let mut stream = TcpStream::connect(address).expect("connected");
        let mut input = BufReader::new(stream.try_clone().expect("a second handle"));
        let mut ask = |line: &str| {
            // As gnubg does: a NUL byte behind each line.
            stream.write_all(format!("{line}\n\0").as_bytes()).expect("sent");
            let mut answer = String::new();
            input.read_line(&mut answer).expect("an answer");
            answer
        };
        let board = |turn: i32, dice: &str, tail: &str| {
            format!(
                "board:gnubg:root:3:0:0:{START}:{turn}:{dice}:{dice}:{tail}:1:-1:0:25:0:0:0:0:0:0:0:1"
            )
        };
        assert_eq!(ask(&board(-1, "6:5", "1:1:1:0")), "24/18 18/13\n");
        assert_eq!(ask(&board(-1, "0:0", "1:1:1:0")), "roll\n");
        assert_eq!(ask(&board(1, "0:0", "1:1:1:1")), "take\n");
        let closed = "0:2:2:2:2:2:5:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-14:0";
        let dance =
            format!("board:gnubg:root:3:0:0:{closed}:-1:6:6:6:6:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1");
        let bar = dance.replace("board:gnubg:root:3:0:0:0:2", "board:gnubg:root:3:0:0:-1:2");
        assert_eq!(ask(&bar), "\n", "no legal play is a blank line");
        let answer = ask("board:gnubg:root:3:0:0:banana");
        assert!(answer.starts_with("Error: invalid board line: expected 52 fields"), "{answer}");
        let mut rest = String::new();
        input.read_to_string(&mut rest).expect("the end");
        assert_eq!(rest, "", "hung up");
        assert!(matches!(server.join().expect("served"), Err(Disconnected::Board(_))));
    }
}
