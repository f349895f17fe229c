//! gnubg as an external engine: processes of `gnubg -t`, each asked over its `external` socket.
//!
//! Limits of its server, measured with 1.07.001:
//!
//! - one request at a time, because it answers only the first of two lines in a packet;
//! - lines below 255 bytes, because longer ones end the process.
//!
//! Score and cube are in each line. The Jacoby rule and beavers are settings of the process. Plies
//! are counted as in nonet: 1-ply is gnubg's 0-ply.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::board::{ask_about_double, ask_for_answer, ask_for_evaluation, ask_for_play};
use crate::backgammon::{Dice, PlayError, Position};
use crate::cube::{Answer, CubeContext};
use crate::eval::{Evaluation, ExternalEngine, ExternalEvaluator};
use crate::game::{CubeChoice, ExternalPlayer, MoveChoice};
use crate::protocol::child_process::{ChildProcess, Output, ProcessPool};
use crate::search::Plies;

/// Timeouts of gnubg.
#[derive(Clone, Copy, Debug)]
pub struct GnubgTimeouts {
    /// Until it listens; before that it reads its weights.
    pub start: Duration,
    /// Until it has answered one request.
    pub answer: Duration,
}

impl GnubgTimeouts {
    /// A minute, and five minutes.
    pub const USUAL: GnubgTimeouts =
        GnubgTimeouts { start: Duration::from_secs(60), answer: Duration::from_secs(300) };
}

impl Default for GnubgTimeouts {
    fn default() -> GnubgTimeouts {
        GnubgTimeouts::USUAL
    }
}

/// How gnubg plays.
#[derive(Clone, Copy, Debug)]
pub struct GnubgSettings {
    /// Its depth; 1-ply is gnubg's 0-ply.
    pub plies: Plies,
    /// Whether it plays with the cube and for the score; else it plays by cubeless equity.
    pub cube: bool,
    /// Whether its money games use the Jacoby rule.
    pub jacoby: bool,
    /// Whether beavers are allowed in its money games.
    pub beavers: bool,
    /// How long it may take.
    pub timeouts: GnubgTimeouts,
}

impl GnubgSettings {
    /// Money games without the cube.
    #[must_use]
    pub fn cubeless(plies: Plies) -> GnubgSettings {
        let timeouts = GnubgTimeouts::default();
        GnubgSettings { plies, cube: false, jacoby: false, beavers: false, timeouts }
    }
}

/// Why gnubg gave no answer.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum GnubgError {
    #[error("cannot start {}: {cause}; is gnubg installed?", program.display())]
    Start { program: PathBuf, cause: io::Error },
    #[error("gnubg did not listen on 127.0.0.1:{port} within {} s{output}", waited.as_secs())]
    NotListening { port: u16, waited: Duration, output: Output },
    #[error("gnubg ended before it listened on 127.0.0.1:{port} ({status}){output}")]
    Ended { port: u16, status: std::process::ExitStatus, output: Output },
    #[error("gnubg gave no answer within {} s{output}", waited.as_secs_f64())]
    NoAnswer { waited: Duration, output: Output },
    #[error("the connection to gnubg broke: {cause}{output}")]
    Io { cause: io::Error, output: Output },
    #[error("gnubg answered '{answer}' to {dice} at {id}: {cause}")]
    Play { answer: String, dice: Dice, id: String, cause: PlayError },
    #[error("gnubg answered '{answer}' at {id}: expected {expected}")]
    Cube { answer: String, id: String, expected: &'static str },
    #[error("gnubg answered '{answer}' to a request to evaluate {id}: expected six numbers")]
    Evaluation { answer: String, id: String },
}

/// gnubg in child processes: as many as threads ask at the same time. As a player and an evaluator
/// it is wrapped in [`External`](crate::eval::External).
#[derive(Debug)]
pub struct Gnubg {
    program: PathBuf,
    settings: GnubgSettings,
    idle: ProcessPool<GnubgProcess>,
}

impl Gnubg {
    /// Starts a first process of `program`, so that a missing program is reported at once. It plays
    /// money games without the cube.
    ///
    /// # Errors
    /// [`GnubgError`] if it does not start or listen.
    pub fn start(program: &Path, plies: Plies) -> Result<Gnubg, GnubgError> {
        Gnubg::start_with(program, GnubgSettings::cubeless(plies))
    }

    /// As [`Gnubg::start`], with other settings.
    ///
    /// # Errors
    /// [`GnubgError`] if it does not start or listen.
    pub fn start_with(program: &Path, settings: GnubgSettings) -> Result<Gnubg, GnubgError> {
        let first = GnubgProcess::start(program, settings)?;
        Ok(Gnubg { program: program.to_owned(), settings, idle: ProcessPool::new(first) })
    }

    fn ask<T>(
        &self,
        question: impl Fn(&mut GnubgProcess) -> Result<T, GnubgError>,
    ) -> Result<T, GnubgError> {
        let fresh = || {
            let mut server = GnubgProcess::start(&self.program, self.settings)?;
            let answer = question(&mut server)?;
            Ok((server, answer))
        };
        let first = match self.idle.take() {
            Some(mut server) => question(&mut server).map(|answer| (server, answer)),
            None => fresh(),
        };
        let (server, answer) = match first {
            // A process that fails is replaced once.
            Err(GnubgError::Io { .. }) => fresh()?,
            other => other?,
        };
        self.idle.give_back(server);
        Ok(answer)
    }
}

impl ExternalEngine for Gnubg {
    type Error = GnubgError;

    fn name(&self) -> &str {
        "gnubg"
    }
}

impl ExternalPlayer for Gnubg {
    fn choose(&self, decision: &MoveChoice) -> Result<usize, GnubgError> {
        let MoveChoice { position, dice, context, .. } = *decision;
        let after = self.ask(|server| server.play(position, dice, context))?;
        let choice = decision.results.iter().position(|&board| board == after);
        #[allow(clippy::expect_used, reason = "a play that was read is legal")]
        Ok(choice.expect("gnubg's play was read as a legal one, so its board is among the results"))
    }

    fn doubles(&self, decision: &CubeChoice) -> Result<bool, GnubgError> {
        let CubeChoice { position, context } = *decision;
        let answer = self.ask(|server| server.ask(ask_about_double(position, context)))?;
        match answer.trim() {
            "double" | "redouble" => Ok(true),
            "roll" => Ok(false),
            other => Err(unexpected(other, position, "double or roll")),
        }
    }

    fn answer(&self, decision: &CubeChoice) -> Result<Answer, GnubgError> {
        let CubeChoice { position, context } = *decision;
        let answer = self.ask(|server| server.ask(ask_for_answer(position, context)))?;
        match answer.trim() {
            "take" => Ok(Answer::Take),
            "drop" => Ok(Answer::Pass),
            "beaver" => Ok(Answer::Beaver),
            other => Err(unexpected(other, position, "take, drop or beaver")),
        }
    }
}

fn unexpected(answer: &str, position: &Position, expected: &'static str) -> GnubgError {
    GnubgError::Cube { answer: answer.to_owned(), id: position.id(), expected }
}

impl ExternalEvaluator for Gnubg {
    fn evaluate_batch(
        &self,
        positions: &[Position],
        out: &mut [Evaluation],
    ) -> Result<(), GnubgError> {
        let one =
            |server: &mut GnubgProcess, position| server.evaluate(position, self.settings.plies);
        let values: Vec<Evaluation> =
            self.ask(|server| positions.iter().map(|position| one(server, position)).collect())?;
        out.copy_from_slice(&values);
        Ok(())
    }
}

/// A process and the connection to it. Its standard input stays open, since gnubg exits at its end.
#[derive(Debug)]
struct GnubgProcess {
    child: ChildProcess,
    stream: BufReader<TcpStream>,
    answer_timeout: Duration,
}

impl GnubgProcess {
    fn start(program: &Path, settings: GnubgSettings) -> Result<GnubgProcess, GnubgError> {
        let silent = |cause| GnubgError::Io { cause, output: Output::default() };
        let port = free_port().map_err(silent)?;
        let mut command = Command::new(program);
        command.args(["-t", "-q", "-r"]).stdin(Stdio::piped());
        // It stays in the process group of this program, so Ctrl-C ends it, too. A gnubg that
        // listens does not notice that this program is gone, so a guard kills it then.
        let started = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = ChildProcess::new(
            started.map_err(|cause| GnubgError::Start { program: program.to_owned(), cause })?,
        )
        .dies_with_us();
        if let Some(input) = child.child.stdin.as_mut() {
            // If the process has ended already, the connection attempt reports how.
            let _ = input.write_all(setup_commands(&settings, port).as_bytes());
        }
        let timeouts = settings.timeouts;
        match connect(&mut child, port, timeouts) {
            Ok(stream) => {
                let (stream, answer_timeout) = (BufReader::new(stream), timeouts.answer);
                Ok(GnubgProcess { child, stream, answer_timeout })
            }
            Err(failed) => {
                let (_, output) = child.end();
                Err(match failed {
                    ConnectError::Ended(status) => GnubgError::Ended { port, status, output },
                    ConnectError::Timeout => {
                        GnubgError::NotListening { port, waited: timeouts.start, output }
                    }
                    ConnectError::Io(cause) => GnubgError::Io { cause, output },
                })
            }
        }
    }

    fn ask(&mut self, line: String) -> Result<String, GnubgError> {
        let mut answer = String::new();
        let result = self
            .stream
            .get_mut()
            .write_all((line + "\n").as_bytes())
            .and_then(|()| self.stream.read_line(&mut answer));
        let cause = match result {
            Ok(0) => io::Error::from(io::ErrorKind::UnexpectedEof),
            Ok(_) => return Ok(answer),
            Err(error) => error,
        };
        // This process is not used again.
        let (_, output) = self.child.end();
        Err(match cause.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                GnubgError::NoAnswer { waited: self.answer_timeout, output }
            }
            _ => GnubgError::Io { cause, output },
        })
    }

    fn evaluate(&mut self, position: &Position, plies: Plies) -> Result<Evaluation, GnubgError> {
        if let Some(outcome) = position.outcome() {
            return Ok(Evaluation::of_outcome(outcome));
        }
        let answer = self.ask(ask_for_evaluation(position, plies.get() - 1))?;
        let numbers: Vec<f32> = answer.split_whitespace().map_while(|n| n.parse().ok()).collect();
        let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon, _] = numbers[..] else {
            return Err(GnubgError::Evaluation {
                answer: answer.trim().to_owned(),
                id: position.id(),
            });
        };
        // Its probabilities are cumulative: a gammon is also a win.
        let outcomes = [
            win - win_gammon,
            win_gammon - win_backgammon,
            win_backgammon,
            1.0 - win - lose_gammon,
            lose_gammon - lose_backgammon,
            lose_backgammon,
        ];
        let points = [1.0, 2.0, 3.0, -1.0, -2.0, -3.0];
        let average = outcomes.iter().zip(points).map(|(chance, points)| chance * points).sum();
        Ok(Evaluation { average, outcomes })
    }

    fn play(
        &mut self,
        position: &Position,
        dice: Dice,
        context: Option<&CubeContext>,
    ) -> Result<Position, GnubgError> {
        let answer = self.ask(ask_for_play(position, dice, context))?;
        let read = position.read_play(answer.trim(), dice);
        read.map(|candidate| candidate.after).map_err(|cause| GnubgError::Play {
            answer: answer.trim().to_owned(),
            dice,
            id: position.id(),
            cause,
        })
    }
}

/// The commands that set up gnubg: its plies, the rules of money games, and to listen.
fn setup_commands(settings: &GnubgSettings, port: u16) -> String {
    let GnubgSettings { plies, cube, jacoby, beavers, .. } = *settings;
    let plies = plies.get() - 1;
    let on = |on: bool| if on { "on" } else { "off" };
    // gnubg counts how often the cube may be turned at once; a raccoon would be the second time.
    let beavers = u8::from(beavers);
    let chequer = "set evaluation chequerplay evaluation";
    format!(
        "{chequer} plies {plies}\n{chequer} cubeful {}\nset evaluation cubedecision evaluation plies {plies}\n\
         set jacoby {}\nset beavers {beavers}\nset threads 1\nexternal 127.0.0.1:{port}\n",
        on(cube),
        on(jacoby),
    )
}

/// A free port, since gnubg cannot choose one itself. Another program could take it before gnubg
/// does.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

enum ConnectError {
    Ended(std::process::ExitStatus),
    Timeout,
    Io(io::Error),
}

fn connect(
    child: &mut ChildProcess,
    port: u16,
    timeouts: GnubgTimeouts,
) -> Result<TcpStream, ConnectError> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let started = Instant::now();
    while started.elapsed() < timeouts.start {
        if let Ok(stream) = TcpStream::connect(address) {
            stream.set_nodelay(true).map_err(ConnectError::Io)?;
            stream.set_read_timeout(Some(timeouts.answer)).map_err(ConnectError::Io)?;
            return Ok(stream);
        }
        if let Some(status) = child.child.try_wait().map_err(ConnectError::Io)? {
            return Err(ConnectError::Ended(status));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Err(ConnectError::Timeout)
}
