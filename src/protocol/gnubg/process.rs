//! gnubg as an external engine: processes of `gnubg -t`, each asked over its `external` socket.
//!
//! Limits of its server, measured with 1.07.001: one request at a time, because it answers only the first of two lines in a
//! packet, and lines below 255 bytes, because longer ones end the process. It plays money games without the cube and the
//! Jacoby rule, as in our match series. Plies are counted as in nonet: 1-ply is gnubg's 0-ply.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::board::{ask_for_evaluation, ask_for_play};
use crate::backgammon::{Dice, PlayError, Position};
use crate::cube::Answer;
use crate::eval::{Evaluation, ExternalEngine, ExternalEvaluator};
use crate::game::{CubeChoice, ExternalPlayer, MoveChoice};
use crate::search::Plies;

/// Timeouts of gnubg.
#[derive(Clone, Copy, Debug)]
pub struct GnubgTimeouts {
    /// Until it listens; before that it reads its weights.
    pub start: Duration,
    /// Until it has answered one request.
    pub answer: Duration,
}

impl Default for GnubgTimeouts {
    fn default() -> GnubgTimeouts {
        GnubgTimeouts { start: Duration::from_secs(60), answer: Duration::from_secs(300) }
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
    #[error("gnubg answered '{answer}' to a request to evaluate {id}: expected six numbers")]
    Evaluation { answer: String, id: String },
}

/// The last lines that a process printed, for error messages.
#[derive(Clone, Debug, Default)]
pub struct Output(Vec<String>);

impl std::fmt::Display for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() {
            Ok(())
        } else {
            write!(f, "; its last lines: {}", self.0.join(" / "))
        }
    }
}

/// gnubg in child processes: as many as threads ask at the same time. As a player and an evaluator it is wrapped in
/// [`External`](crate::eval::External).
#[derive(Debug)]
pub struct Gnubg {
    program: PathBuf,
    plies: Plies,
    timeouts: GnubgTimeouts,
    idle: Mutex<Vec<GnubgProcess>>,
}

impl Gnubg {
    /// Starts a first process of `program`, so that a missing program is reported at once.
    ///
    /// # Errors
    /// [`GnubgError`] if it does not start or listen.
    pub fn start(program: &Path, plies: Plies) -> Result<Gnubg, GnubgError> {
        Gnubg::start_with(program, plies, GnubgTimeouts::default())
    }

    /// As [`Gnubg::start`], with other timeouts.
    ///
    /// # Errors
    /// [`GnubgError`] if it does not start or listen.
    pub fn start_with(
        program: &Path,
        plies: Plies,
        timeouts: GnubgTimeouts,
    ) -> Result<Gnubg, GnubgError> {
        let first = GnubgProcess::start(program, plies, timeouts)?;
        Ok(Gnubg { program: program.to_owned(), plies, timeouts, idle: Mutex::new(vec![first]) })
    }

    /// The board after its play of a roll, the opponent on roll.
    ///
    /// # Errors
    /// [`GnubgError`] if a second process does not answer either.
    pub fn play(&self, position: &Position, dice: Dice) -> Result<Position, GnubgError> {
        self.ask(|server| server.play(position, dice))
    }

    fn ask<T>(
        &self,
        question: impl Fn(&mut GnubgProcess) -> Result<T, GnubgError>,
    ) -> Result<T, GnubgError> {
        let fresh = || {
            let mut server = GnubgProcess::start(&self.program, self.plies, self.timeouts)?;
            let answer = question(&mut server)?;
            Ok((server, answer))
        };
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let first = match waiting {
            Some(mut server) => question(&mut server).map(|answer| (server, answer)),
            None => fresh(),
        };
        let (server, answer) = match first {
            // A process that fails is replaced once.
            Err(GnubgError::Io { .. }) => fresh()?,
            other => other?,
        };
        idle().push(server);
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
        let after = self.play(decision.position, decision.dice)?;
        let choice = decision.results.iter().position(|&board| board == after);
        #[allow(clippy::expect_used, reason = "a play that was read is legal")]
        Ok(choice.expect("gnubg's play was read as a legal one, so its board is among the results"))
    }

    fn doubles(&self, _: &CubeChoice) -> Result<bool, GnubgError> {
        Ok(false)
    }

    fn answer(&self, _: &CubeChoice) -> Result<Answer, GnubgError> {
        Ok(Answer::Take)
    }
}

impl ExternalEvaluator for Gnubg {
    fn evaluate(&self, positions: &[Position]) -> Result<Vec<Evaluation>, GnubgError> {
        self.ask(|server| {
            positions.iter().map(|position| server.evaluate(position, self.plies)).collect()
        })
    }
}

/// A process and the connection to it. Its standard input stays open, since gnubg exits at its end.
#[derive(Debug)]
struct GnubgProcess {
    child: Child,
    stream: BufReader<TcpStream>,
    printed: Printed,
    answer_timeout: Duration,
}

impl GnubgProcess {
    fn start(
        program: &Path,
        plies: Plies,
        timeouts: GnubgTimeouts,
    ) -> Result<GnubgProcess, GnubgError> {
        let silent = |cause| GnubgError::Io { cause, output: Output::default() };
        let port = free_port().map_err(silent)?;
        let mut command = Command::new(program);
        command.args(["-t", "-q", "-r"]).stdin(Stdio::piped());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|cause| GnubgError::Start { program: program.to_owned(), cause })?;
        let mut printed = Printed::of(&mut child);
        if let Some(input) = child.stdin.as_mut() {
            // If the process has ended already, the connection attempt reports how.
            let _ = input.write_all(setup_commands(plies, port).as_bytes());
        }
        match connect(&mut child, port, timeouts) {
            Ok(stream) => {
                let (stream, answer_timeout) = (BufReader::new(stream), timeouts.answer);
                Ok(GnubgProcess { child, stream, printed, answer_timeout })
            }
            Err(failed) => {
                end(&mut child);
                let output = printed.last_lines();
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
        end(&mut self.child);
        let output = self.printed.last_lines();
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

    fn play(&mut self, position: &Position, dice: Dice) -> Result<Position, GnubgError> {
        let answer = self.ask(ask_for_play(position, dice))?;
        let read = position.read_play(answer.trim(), dice);
        read.map(|candidate| candidate.after).map_err(|cause| GnubgError::Play {
            answer: answer.trim().to_owned(),
            dice,
            id: position.id(),
            cause,
        })
    }
}

impl Drop for GnubgProcess {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

fn end(child: &mut Child) {
    // It may have ended already.
    let _ = child.kill();
    let _ = child.wait();
}

/// The last lines that a process printed. Threads read its output, so that it never blocks.
#[derive(Debug)]
struct Printed {
    lines: Arc<Mutex<VecDeque<String>>>,
    readers: Vec<JoinHandle<()>>,
}

/// How many lines are kept.
const LINES: usize = 5;

impl Printed {
    fn of(child: &mut Child) -> Printed {
        let lines = Arc::default();
        let stdout = child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>);
        let stderr = child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>);
        let reader = |pipe| {
            let lines: Arc<Mutex<VecDeque<String>>> = Arc::clone(&lines);
            std::thread::spawn(move || keep_last_lines(pipe, &lines))
        };
        let readers = [stdout, stderr].into_iter().flatten().map(reader).collect();
        Printed { lines, readers }
    }

    /// The last lines of a process that has ended.
    fn last_lines(&mut self) -> Output {
        // A child of the process may hold a pipe open, so the wait for the readers is limited.
        let deadline = Instant::now() + Duration::from_millis(200);
        while !self.readers.iter().all(JoinHandle::is_finished) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        Output(lines.iter().cloned().collect())
    }
}

fn keep_last_lines(pipe: Box<dyn Read + Send>, lines: &Mutex<VecDeque<String>>) {
    for line in BufReader::new(pipe).split(b'\n') {
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if line.is_empty() {
            continue;
        }
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }
}

/// The commands that set up gnubg: its plies, no cube, no Jacoby rule, and to listen.
fn setup_commands(plies: Plies, port: u16) -> String {
    let chequer = "set evaluation chequerplay evaluation";
    format!(
        "{chequer} plies {}\n{chequer} cubeful off\nset jacoby off\nset threads 1\nexternal 127.0.0.1:{port}\n",
        plies.get() - 1
    )
}

/// A free port, since gnubg cannot choose one itself. Another program could take it before gnubg does.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

enum ConnectError {
    Ended(std::process::ExitStatus),
    Timeout,
    Io(io::Error),
}

fn connect(
    child: &mut Child,
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
        if let Some(status) = child.try_wait().map_err(ConnectError::Io)? {
            return Err(ConnectError::Ended(status));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Err(ConnectError::Timeout)
}
