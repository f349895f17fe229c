//! UBGI 0.2: the line protocol between a controller (a window, a runner of matches) and an engine.
//!
//! [`Ubgi`] is nonet as an engine, [`UbgiEngine`] any engine as an opponent in nonet's series. The
//! engine also accepts commands of 0.1 that controllers still send (`setoption`, `newsession`,
//! `setscore`, `setcube`, `setturn`, `go role`).
//!
//! Three extensions of the protocol are announced as keys:
//!
//! - `ext.eval`: the command `eval gnubgid ID` answers five probabilities.
//! - `ext.take`: `go cube` answers a doubled XGID with `bestcube take` or `drop` (`beaver` if that
//!   is allowed). It answers a beaver for the player on roll, with `take` or `drop`.
//! - `ext.cubeless`: a controller sets it to `true` to play money games without the cube. Plays are
//!   then ranked by cubeless equity, and `go cube` is answered by `nodouble`. Matches are not
//!   affected.

mod client;
mod error;
mod keys;
mod process;
mod state;

use std::io::{self, BufRead, Write};
use std::sync::mpsc;

pub use self::client::{UbgiEngine, UbgiFailure, UbgiSettings, command_words};
use self::error::UbgiError;
use self::keys::Key;
use self::state::UbgiState;
use crate::backgammon::{CubeOffer, Dice, Position, Scoring};
use crate::cube::{Answer, CubeDecision};
use crate::engine::{Engine, ScoredMove};
use crate::protocol::{LineReader, Refused};
use crate::search::Plies;

/// The engine with the net that a controller names, or an error message.
pub type ChangeNet = Box<dyn Fn(&Engine, &str) -> Result<Engine, String> + Send + Sync>;

/// An engine that speaks UBGI.
pub struct Ubgi {
    change_net: ChangeNet,
    /// The net's name, as a controller reads and sets it.
    net: String,
    engine: Engine,
    state: UbgiState,
    /// Whether money games have no cube.
    cubeless: bool,
}

/// Answers to one line: any number of lines, or an error.
type Reply = Result<Vec<String>, UbgiError>;

/// The decisions that `go` asks for.
#[derive(Clone, Copy)]
enum Role {
    Chequer,
    Cube,
    Turn,
}

impl Ubgi {
    /// Answers with `engine`. `net` is the name of its net for the controller; `change_net`
    /// replaces the net.
    #[must_use]
    pub fn new(engine: Engine, net: &str, change_net: ChangeNet) -> Ubgi {
        Ubgi {
            change_net,
            net: net.to_owned(),
            engine,
            state: UbgiState::default(),
            cubeless: false,
        }
    }

    /// Answers line by line until `quit` or the end of the input.
    ///
    /// A second thread reads the input while answers are computed: a controller may send any number
    /// of lines before it reads the first answer. Successive `eval` commands are evaluated in one
    /// batch.
    ///
    /// # Errors
    /// Those of the output. An I/O error of the input ends the session.
    pub fn serve(
        &mut self,
        input: impl BufRead + Send + 'static,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let (send, lines) = mpsc::channel();
        let mut input = LineReader::new(input);
        std::thread::Builder::new().name("ubgi-input".into()).spawn(move || {
            while let Ok(Some(line)) = input.next_line() {
                if send.send(line).is_err() {
                    break;
                }
            }
        })?;
        while let Ok(first) = lines.recv() {
            let arrived: Vec<_> = std::iter::once(first).chain(lines.try_iter()).collect();
            if !self.answer_all(&arrived, out)? {
                break;
            }
        }
        Ok(())
    }

    /// Answers lines in order, and flushes the output after each answer; false after `quit`.
    fn answer_all(
        &mut self,
        lines: &[Result<String, Refused>],
        out: &mut impl Write,
    ) -> io::Result<bool> {
        let mut evals = Vec::new();
        for line in lines {
            match line {
                Err(refused) => {
                    evals.push(Err(UbgiError::Command(refused.to_string())));
                }
                Ok(line) if line.split_whitespace().next() == Some("eval") => {
                    evals.push(parse_eval(line));
                }
                Ok(line) => {
                    self.evaluate_all(&mut evals, out)?;
                    if line == "quit" {
                        return Ok(false);
                    }
                    match self.answer(line) {
                        Ok(answers) => {
                            answers.iter().try_for_each(|text| writeln!(out, "{text}"))?
                        }
                        Err(wrong) => writeln!(out, "{}", wrong.line())?,
                    }
                    out.flush()?;
                }
            }
        }
        self.evaluate_all(&mut evals, out)?;
        Ok(true)
    }

    /// Answers the collected `eval` commands in order, and clears them.
    fn evaluate_all(
        &self,
        evals: &mut Vec<Result<Position, UbgiError>>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if evals.is_empty() {
            return Ok(());
        }
        let positions: Vec<Position> =
            evals.iter().filter_map(|eval| eval.as_ref().ok().copied()).collect();
        let values = self.engine.evaluate(&positions);
        let mut values = values.iter();
        for eval in evals.drain(..) {
            match (eval.map(|_| values.next()), &mut *out) {
                (Err(wrong), out) => writeln!(out, "{}", wrong.line())?,
                (Ok(value), out) => {
                    let [w, wg, wb, lg, lb] = value.map_or([0.0; 5], |value| value.cumulative());
                    writeln!(out, "eval {w:.6} {wg:.6} {wb:.6} {lg:.6} {lb:.6}")?;
                }
            }
        }
        out.flush()
    }

    fn answer(&mut self, line: &str) -> Reply {
        let words: Vec<&str> = line.split_whitespace().collect();
        let done = |()| Vec::new();
        match *words.as_slice() {
            [] | ["stop"] => Ok(Vec::new()),
            ["ubgi"] => Ok(self.handshake()),
            ["isready"] => Ok(vec!["readyok".to_owned()]),
            ["keys"] => Ok(self.keys()),
            ["get", name] => {
                let key = Key::named(name).ok_or_else(|| unknown_key(name))?;
                Ok(vec![format!("value {} {}", key.name(), self.get(key))])
            }
            ["set", name, _, ..] => self.set(name, after(line, 2)).map(done),
            ["setoption", "name", name, "value", _, ..] => {
                self.set(&keys::of_old_name(name), after(line, 4)).map(done)
            }
            ["set" | "setoption", ..] => wrong_form("set <key> <value>"),
            ["get", ..] => wrong_form("get <key>"),
            ["newgame"] => {
                self.state.new_game();
                Ok(Vec::new())
            }
            ["position", "gnubgid", id] => self.state.position(id).map(done),
            ["position", "xgid", xgid] => self.state.xgid(xgid).map(done),
            ["position", "gnubgid" | "xgid", ..] | ["position"] => {
                wrong_form("position gnubgid <ID> or position xgid <XGID>")
            }
            ["position", form, ..] => {
                Err(UbgiError::Unsupported(format!("position {form}: expected gnubgid or xgid")))
            }
            ["dice", a, b] => self.state.dice(&format!("{a} {b}")).map(done),
            ["dice", both] => self.state.dice(both).map(done),
            ["dice", ..] => wrong_form("dice <d1> <d2>"),
            ["go"] | ["go", "chequer" | "checker"] | ["go", "role", "chequer" | "checker"] => {
                self.go(Role::Chequer)
            }
            ["go", "cube"] | ["go", "role", "cube"] => self.go(Role::Cube),
            ["go", "turn"] | ["go", "role", "turn"] => self.go(Role::Turn),
            ["go", ..] => Err(UbgiError::Unsupported(format!(
                "{line}: expected go chequer, go cube or go turn"
            ))),
            ["newsession", ref rest @ ..] => self.state.new_session(rest).map(done),
            ["setscore", a, b] => self.state.set_score([a, b]).map(done),
            ["setcube", "value", value, "owner", owner] => {
                self.state.set_cube(value, owner).map(done)
            }
            ["setturn", seat] => self.state.set("turn", seat).map(done),
            ["setscore", ..] => wrong_form("setscore <p0> <p1>"),
            ["setcube", ..] => wrong_form("setcube value <n> owner center|p0|p1"),
            ["setturn", ..] => wrong_form("setturn p0|p1"),
            _ => Err(UbgiError::Command(format!("unknown command: {}", shortened(line)))),
        }
    }

    fn handshake(&self) -> Vec<String> {
        let mut lines = vec![
            "id name nonet".to_owned(),
            "id author the nonet authors".to_owned(),
            format!("id version {}", env!("CARGO_PKG_VERSION")),
            "proto 0.2".to_owned(),
        ];
        lines.extend(self.keys());
        lines.push("ubgiok".to_owned());
        lines
    }

    fn keys(&self) -> Vec<String> {
        Key::ALL.iter().map(|key| key.line(&self.get(*key))).collect()
    }

    fn get(&self, key: Key) -> String {
        match key {
            Key::Plies => self.engine.plies().get().to_string(),
            Key::CubePlies => self.engine.cube_plies().get().to_string(),
            Key::Cubeless => self.cubeless.to_string(),
            Key::Threads => self.engine.threads().to_string(),
            Key::Net => self.net.clone(),
            Key::Extension(_) => "true".to_owned(),
            Key::Variant => "backgammon".to_owned(),
            Key::Game(name) => self.state.get(name),
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), UbgiError> {
        let key = Key::named(name).ok_or_else(|| unknown_key(name))?;
        let wrong = |why: String| UbgiError::Value(format!("{}: {why}", key.name()));
        match key {
            Key::Plies | Key::CubePlies => {
                let plies: Plies = value
                    .parse()
                    .map_err(|error: crate::search::PliesError| wrong(error.to_string()))?;
                self.engine = match key {
                    Key::Plies => self.engine.with_plies(plies),
                    _ => self.engine.with_cube_plies(plies),
                };
            }
            Key::Cubeless => {
                self.cubeless = match value {
                    "true" | "on" => true,
                    "false" | "off" => false,
                    _ => {
                        return Err(wrong(format!(
                            "invalid value '{value}': expected true or false"
                        )));
                    }
                };
            }
            Key::Threads => {
                let threads = value.parse().ok().filter(|n| (1..=keys::MOST_THREADS).contains(n));
                let threads = threads.ok_or_else(|| {
                    wrong(format!(
                        "invalid number of threads '{value}': expected 1 to {}",
                        keys::MOST_THREADS
                    ))
                })?;
                let engine = self.engine.with_threads(threads);
                self.engine = engine.map_err(|error| wrong(error.to_string()))?;
            }
            Key::Net => {
                self.engine = (self.change_net)(&self.engine, value).map_err(wrong)?;
                self.net = value.to_owned();
            }
            Key::Extension(_) if value == "true" => {}
            Key::Extension(_) => {
                return Err(wrong(
                    "the extension cannot be switched off: expected true".to_owned(),
                ));
            }
            Key::Variant if value == "backgammon" => {}
            Key::Variant => {
                return Err(wrong(format!("invalid variant '{value}': expected backgammon")));
            }
            Key::Game(name) => self.state.set(name, value)?,
        }
        Ok(())
    }

    /// Answers `go` for the current position. The roll is cleared after a play.
    fn go(&mut self, role: Role) -> Reply {
        let position = self.state.board()?;
        let context = self
            .engine
            .context(self.state.scoring()?, self.state.cube()?)
            .map_err(|error| UbgiError::State(error.to_string()))?;
        let decide = || self.engine.cube_decision(&position, &context);
        if self.cubeless && matches!(context.scoring.session(), Scoring::Money { .. }) {
            return self.go_without_cube(role, &position);
        }
        let double =
            |decision: CubeDecision| if decision.is_double() { "double" } else { "nodouble" };
        if matches!(role, Role::Cube) {
            let answer = match self.state.offered() {
                None => double(decide()),
                Some(CubeOffer::Beaver) => {
                    word(self.engine.beaver_decision(&position, &context).answer())
                }
                Some(CubeOffer::Double | CubeOffer::Raccoon) => word(decide().answer),
            };
            return Ok(vec![format!("bestcube {answer}")]);
        }
        if self.state.offered().is_some() {
            return Err(UbgiError::State("a double must be answered first: go cube".to_owned()));
        }
        let dice = self.state.rolled()?;
        let best = self.engine.best(&position, dice, &context);
        let cube = if matches!(role, Role::Turn) { double(decide()) } else { "nodouble" };
        Ok(self.answer_play(role, &position, dice, &best, cube))
    }

    /// The same in a money game without the cube.
    fn go_without_cube(&mut self, role: Role, position: &Position) -> Reply {
        if self.state.offered().is_some() {
            return Err(UbgiError::State(
                "a double must be answered, but ext.cubeless is true: set it to false".to_owned(),
            ));
        }
        if matches!(role, Role::Cube) {
            return Ok(vec!["bestcube nodouble".to_owned()]);
        }
        let dice = self.state.rolled()?;
        let plays = self.engine.rank_cubeless(position, dice);
        Ok(self.answer_play(role, position, dice, &plays[0], "nodouble"))
    }

    fn answer_play(
        &mut self,
        role: Role,
        position: &Position,
        dice: Dice,
        best: &ScoredMove,
        cube: &str,
    ) -> Vec<String> {
        let info = format!("info depth {} score {:.4}", best.plies.get(), best.equity);
        let pairs = best.candidate.play.pairs(position, dice);
        let payload = if pairs.is_empty() { "pass" } else { &pairs };
        let answer = match role {
            Role::Turn => format!("bestturn cube={cube} move={payload}"),
            _ => format!("bestmove {payload}"),
        };
        self.state.played();
        vec![info, answer]
    }
}

/// The word for an answer to an offered cube.
const fn word(answer: Answer) -> &'static str {
    match answer {
        Answer::Beaver => "beaver",
        Answer::Take => "take",
        Answer::Pass => "drop",
    }
}

fn parse_eval(line: &str) -> Result<Position, UbgiError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match *words.as_slice() {
        [_, "gnubgid", id] => {
            Position::from_id(id).map_err(|error| UbgiError::Value(error.to_string()))
        }
        [_, form, _] => {
            Err(UbgiError::Unsupported(format!("eval {form}: expected eval gnubgid <ID>")))
        }
        _ => Err(UbgiError::Command("expected: eval gnubgid <ID>".to_owned())),
    }
}

fn wrong_form(expected: &str) -> Reply {
    Err(UbgiError::Command(format!("expected: {expected}")))
}

fn unknown_key(name: &str) -> UbgiError {
    UbgiError::Unsupported(format!("key {}: `keys` lists the keys", shortened(name)))
}

/// The rest of a line after its first `n` words.
fn after(line: &str, n: usize) -> &str {
    (0..n).fold(line.trim(), |rest, _| {
        rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start())
    })
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests;
