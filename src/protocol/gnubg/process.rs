//! gnubg as a player at our tables and as a judge of positions: processes of `gnubg -t`, each asked over its `external` socket.
//!
//! What its server wants was tried with 1.07.001: one request at a time, because of two lines in one packet it answers the
//! first only, and lines below 255 bytes, because longer ones end the process. It plays without a cube and for money
//! without the rule of Jacoby, as all our match series do. Its plies are counted our way: 1 is its own 0.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rand_pcg::Pcg64;

use super::board::{ask_for_evaluation, ask_for_play};
use crate::backgammon::{Dice, PlayError, Position};
use crate::eval::Evaluation;
use crate::eval::Evaluator;
use crate::game::{MoveChoice, Player};
use crate::search::Plies;

/// How long gnubg may take to listen: it reads its weights first.
const START: Duration = Duration::from_secs(60);
/// How long it may think about one play.
const THINK: Duration = Duration::from_secs(300);

/// Why gnubg does not play.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum GnubgError {
    #[error("cannot start {}: {cause}; is gnubg installed?", program.display())]
    Start { program: PathBuf, cause: io::Error },
    #[error("gnubg ended or did not listen on 127.0.0.1:{port} within {} s", START.as_secs())]
    NotListening { port: u16 },
    #[error("the connection to gnubg broke: {0}")]
    Io(#[from] io::Error),
    #[error("gnubg answered '{answer}' to {dice} at {id}: {cause}")]
    Answer { answer: String, dice: Dice, id: String, cause: PlayError },
    #[error("gnubg answered '{answer}' when it was asked what {id} is worth")]
    Judgement { answer: String, id: String },
}

/// A gnubg to play against. As many processes run as threads ask at once.
///
/// It is a player as well as a judge of positions. Neither can fail; so a gnubg that breaks down for good says so once, to
/// whom it was told to, and plays and says anything from then on: whoever hears of it stops the work around it.
pub struct Gnubg {
    program: PathBuf,
    plies: Plies,
    idle: Mutex<Vec<Server>>,
    failed: AtomicBool,
    on_failure: OnFailure,
}

/// Who is told of a breakdown.
type OnFailure = Box<dyn Fn(&GnubgError) + Send + Sync>;

impl Gnubg {
    /// Starts a first process of `program`, so that what is missing is known at once; `on_failure` is called if it
    /// breaks down later.
    ///
    /// # Errors
    /// [`GnubgError`] if it does not start or listen.
    pub fn start(
        program: &Path,
        plies: Plies,
        on_failure: impl Fn(&GnubgError) + Send + Sync + 'static,
    ) -> Result<Gnubg, GnubgError> {
        let first = Server::start(program, plies)?;
        Ok(Gnubg {
            program: program.to_owned(),
            plies,
            idle: Mutex::new(vec![first]),
            failed: AtomicBool::new(false),
            on_failure: Box::new(on_failure),
        })
    }

    /// The board after its play of a roll, the opponent on roll.
    ///
    /// # Errors
    /// [`GnubgError`] if a fresh process does not answer either.
    pub fn play(&self, position: &Position, dice: Dice) -> Result<Position, GnubgError> {
        self.ask(|server| server.play(position, dice))
    }

    /// What it thinks of positions before the roll, without the cube.
    ///
    /// # Errors
    /// [`GnubgError`] if a fresh process does not answer either.
    pub fn judge(&self, positions: &[Position]) -> Result<Vec<Evaluation>, GnubgError> {
        self.ask(|server| {
            positions.iter().map(|position| server.judge(position, self.plies)).collect()
        })
    }

    fn ask<T>(
        &self,
        question: impl Fn(&mut Server) -> Result<T, GnubgError>,
    ) -> Result<T, GnubgError> {
        let fresh = || {
            let mut server = Server::start(&self.program, self.plies)?;
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
            // A process may die; a second one in a row tells that something is wrong.
            Err(GnubgError::Io(_)) => fresh()?,
            other => other?,
        };
        idle().push(server);
        Ok(answer)
    }

    /// The answer, or none from a gnubg that has broken down, of which it is told once.
    fn answered<T>(&self, question: impl FnOnce() -> Result<T, GnubgError>) -> Option<T> {
        if self.failed.load(Ordering::Relaxed) {
            return None;
        }
        question()
            .inspect_err(|error| {
                if !self.failed.swap(true, Ordering::Relaxed) {
                    (self.on_failure)(error);
                }
            })
            .ok()
    }
}

impl Evaluator for Gnubg {
    fn evaluate_batch(&self, positions: &[Position], out: &mut Vec<Evaluation>) {
        let judged = self.answered(|| self.judge(positions));
        *out = judged.unwrap_or_else(|| vec![Evaluation::ZERO; positions.len()]);
    }
}

impl Player for Gnubg {
    fn choose(&self, decision: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
        let played = self.answered(|| self.play(decision.position, decision.dice));
        let found = |after| decision.results.iter().position(|&board| board == after);
        played.and_then(found).unwrap_or(0)
    }
}

/// One process and the line to it. Its standard input stays open, or it would leave.
struct Server {
    child: Child,
    stream: BufReader<TcpStream>,
}

impl Server {
    fn start(program: &Path, plies: Plies) -> Result<Server, GnubgError> {
        let port = free_port()?;
        let mut command = Command::new(program);
        command.args(["-t", "-q", "-r"]).stdin(Stdio::piped());
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|cause| GnubgError::Start { program: program.to_owned(), cause })?;
        let told = child
            .stdin
            .as_mut()
            .map(|input| input.write_all(setup_commands(plies, port).as_bytes()));
        let connected = match told {
            Some(Err(error)) => Err(GnubgError::Io(error)),
            _ => connect(&mut child, port),
        };
        match connected {
            Ok(stream) => Ok(Server { child, stream: BufReader::new(stream) }),
            Err(error) => {
                end(&mut child);
                Err(error)
            }
        }
    }

    fn ask(&mut self, line: String) -> Result<String, GnubgError> {
        self.stream.get_mut().write_all((line + "\n").as_bytes())?;
        let mut answer = String::new();
        if self.stream.read_line(&mut answer)? == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        Ok(answer)
    }

    fn judge(&mut self, position: &Position, plies: Plies) -> Result<Evaluation, GnubgError> {
        if let Some(outcome) = position.outcome() {
            return Ok(Evaluation::of_outcome(outcome));
        }
        let answer = self.ask(ask_for_evaluation(position, plies.get() - 1))?;
        let numbers: Vec<f32> = answer.split_whitespace().map_while(|n| n.parse().ok()).collect();
        let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon, _] = numbers[..] else {
            return Err(GnubgError::Judgement {
                answer: answer.trim().to_owned(),
                id: position.id(),
            });
        };
        // Its chances count what is won at least.
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
        read.map(|candidate| candidate.after).map_err(|cause| GnubgError::Answer {
            answer: answer.trim().to_owned(),
            dice,
            id: position.id(),
            cause,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

fn end(child: &mut Child) {
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

/// What a fresh gnubg is told: its strength, no cube, no rule of Jacoby, and to listen.
fn setup_commands(plies: Plies, port: u16) -> String {
    let chequer = "set evaluation chequerplay evaluation";
    format!(
        "{chequer} plies {}\n{chequer} cubeful off\nset jacoby off\nset threads 1\nexternal 127.0.0.1:{port}\n",
        plies.get() - 1
    )
}

/// A port that was free a moment ago: gnubg cannot choose one itself.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

fn connect(child: &mut Child, port: u16) -> Result<TcpStream, GnubgError> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let started = Instant::now();
    while started.elapsed() < START {
        if let Ok(stream) = TcpStream::connect(address) {
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(THINK))?;
            return Ok(stream);
        }
        if child.try_wait()?.is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Err(GnubgError::NotListening { port })
}
