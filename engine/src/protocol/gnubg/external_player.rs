//! The server that gnubg connects to: gnubg sends a board line whenever its external player must
//! act.
//!
//! gnubg treats an answer that it cannot read as "no move" without an error. So every answer is a
//! legal action. If a line cannot be answered, the server sends a line beginning with `Error: `, at
//! which gnubg stops the game, and disconnects.
//!
//! Bots of FIBS servers connect, too, with the board lines of their server. After a line that
//! cannot be answered, such as one between two games, they stay connected, as to gnubg.

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
    #[error("the connection broke")]
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
            let mut of_fibs = false;
            let answer = line.map_err(Disconnected::from).and_then(|line| {
                of_fibs = line.starts_with("board:You:");
                // Blank lines need no answer.
                if line.is_empty() { Ok(None) } else { self.answer(engine, &line).map(Some) }
            });
            match answer {
                Ok(None) => continue,
                Err(Disconnected::Board(error)) if of_fibs => {
                    out.write_all(format!("Error: {error}\n").as_bytes())?;
                }
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
                // gnubg reads words, too, but writes numbers, and bots read what it writes.
                let pairs = best.candidate.play.pairs(&position, dice);
                pairs.replace("bar", "25").replace("off", "0")
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

    /// A bot of a FIBS server sends the server's board lines to this socket, and gnubg's answers to
    /// the server. The answers are in the points of the player who answers.
    #[test]
    fn bots_of_both_colours_play_a_match_through_the_socket() {
        use crate::backgammon::{Dice, FibsBoard, GameState, Next, Scoring, Seat};

        let engine = Engine::builder().evaluator(ScriptedEvaluator(by_pips)).plies(Plies::ONE);
        let engine = engine.cube_plies(Plies::ONE).build().expect("an engine");
        let (mut score, mut random) = ([0u32; 2], 1u64);
        let mut die = move || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            u8::try_from((random >> 33) % 6 + 1).expect("a die")
        };
        let mut game = GameState::start(Scoring::of_match(11, 0, 0, false).expect("a score"));
        let mut seen = std::collections::BTreeSet::new();
        loop {
            let seat = match game.next() {
                Next::Roll(seat) | Next::Play(seat, _) | Next::Answer(seat) => seat,
                Next::OpeningRoll => {
                    let (x, o) = (die(), die());
                    let first = if x > o { Seat::X } else { Seat::O };
                    let dice = Dice::new(x, o).expect("dice");
                    // Equal dice are rolled again.
                    game = game.opened(first, dice).unwrap_or(game);
                    continue;
                }
                Next::Over(_) => {
                    let result = game.result().expect("over");
                    score[result.winner.index()] += result.points;
                    match game.next_game() {
                        Some(next) => game = next,
                        None => break,
                    }
                    continue;
                }
            };
            let doubled = matches!(game.next(), Next::Answer(_));
            let may = |seat: Seat| {
                !doubled && game.cube_of(seat).owner() != crate::backgammon::CubeOwner::Opponent
            };
            let rolled = game.dice().map_or([0, 0], |dice| [dice.high(), dice.low()]);
            let board = FibsBoard {
                player: "You".into(),
                opponent: "bob".into(),
                length: Some(11),
                score: [score[seat.index()], score[seat.other().index()]],
                position: game.seen_by(seat),
                turn: Some(seat),
                dice: rolled,
                opponent_dice: [0, 0],
                cube: game.state.cube.value(),
                may_double: may(seat),
                opponent_may_double: may(seat.other()),
                was_doubled: doubled,
                colour: seat,
                ascending: seat == Seat::X,
                can_move: 2,
                no_crawford: 0,
                post_crawford: u32::from(game.state.scoring.is_post_crawford()),
                redoubles: 0,
            };
            let mut answer = Vec::new();
            let line = format!("{board}\n");
            GnubgServer::default().serve(&engine, line.as_bytes(), &mut answer).expect("answered");
            let answer = String::from_utf8(answer).expect("text");
            let answer = answer.trim();
            game = match (game.next(), answer) {
                (Next::Roll(_), "roll") => {
                    game.rolled(Dice::new(die(), die()).expect("dice")).expect("a roll")
                }
                (Next::Roll(_), "double") => game.double().expect("allowed"),
                (Next::Answer(_), "take") => game.take().expect("a take"),
                (Next::Answer(_), "drop") => game.pass().expect("a drop"),
                (Next::Play(_, dice), moves) => {
                    let steps: Vec<(u8, u8)> = moves
                        .split_whitespace()
                        .map(|word| {
                            let word = word.trim_end_matches('*');
                            let (from, to) = word.split_once('/').expect("from/to");
                            (from.parse().expect(moves), to.parse().expect(moves))
                        })
                        .collect();
                    let after = game.position.after_steps(dice, &steps).expect(moves);
                    game.play(&after).expect(moves)
                }
                (next, answer) => panic!("{next:?}: '{answer}'"),
            };
            seen.insert((seat == Seat::X, answer.chars().next().unwrap_or(' ')));
        }
        for seat in [true, false] {
            for first in ['r', '2'] {
                assert!(seen.contains(&(seat, first)), "{seat} never said {first}: {seen:?}");
            }
        }
        assert!(['d', 't'].iter().all(|first| seen.iter().any(|(_, said)| said == first)));
        assert!(score[0].max(score[1]) >= 11, "{score:?}");
    }

    #[test]
    fn a_bot_of_fibs_stays_connected_between_its_games() {
        let engine = Engine::builder().evaluator(ScriptedEvaluator(by_pips)).plies(Plies::ONE);
        let engine = engine.cube_plies(Plies::ONE).build().expect("an engine");
        let board = |turn: i32, dice: &str| {
            format!(
                "board:You:root:3:0:0:{START}:{turn}:{dice}:0:0:1:1:1:0:-1:1:25:0:0:0:0:0:2:0:0:0\n"
            )
        };
        let lines = board(0, "0:0") + &board(-1, "6:5");
        let mut out = Vec::new();
        let answered = GnubgServer::default().serve(&engine, lines.as_bytes(), &mut out);
        assert_eq!(answered.expect("connected"), 2);
        assert_eq!(String::from_utf8_lossy(&out), "Error: the game is over\n24/18 18/13\n");
    }

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
