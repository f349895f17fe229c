//! gnubg's `.sgf`: from the properties of a tree to a game.

mod set_up;
mod tokens;
mod writer;

use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::Arc;

pub(super) use tokens::{begins_tree, is_sgf};
pub use writer::{SgfCube, SgfMark, SgfNote, SgfPlay, SgfWriter};

use self::set_up::SetUp;
use self::tokens::{Property, Token, Tokens};
use super::error::{RecordError, RecordErrorKind};
use super::game::{GameHeader, cut_name};
use super::game_reader::{Complaint, GameReader, ReadGame};
use super::recorder::Recorder;
use crate::{Dice, Scoring, Seat};

/// Reads one tree after the other.
pub(super) struct SgfReader<R> {
    tokens: Tokens<R>,
    /// Games of the tree that was read last.
    ready: VecDeque<ReadGame>,
    /// Mistakes that cost no game.
    warnings: Vec<Complaint>,
}

/// A tree as far as it has been read.
#[derive(Default)]
struct Tree {
    root: Root,
    /// Created from the root at the second node.
    game: Option<GameReader>,
    /// A roll without its play so far, and its line.
    rolled: Option<(Seat, Dice, u64)>,
    on_roll: Option<Seat>,
    /// What the node sets up.
    set_up: SetUp,
    nodes: u64,
    /// The number of variations around the node.
    depth: u64,
    /// Whether the first variation has ended: others follow, which are not read.
    ended: bool,
    warnings: Vec<Complaint>,
}

/// The properties of the first node.
#[derive(Default)]
struct Root {
    names: [String; 2],
    length: u32,
    score: [u32; 2],
    crawford: bool,
    jacoby: bool,
    no_cube: bool,
    /// Winner, points, and the line of the result.
    result: Option<(Seat, u32, u64)>,
}

impl<R: BufRead> SgfReader<R> {
    pub(super) fn new(source: R, file: Arc<str>) -> SgfReader<R> {
        let (ready, warnings) = (VecDeque::new(), Vec::new());
        SgfReader { tokens: Tokens::new(source, file), ready, warnings }
    }

    /// The line read last.
    pub(super) const fn line(&self) -> u64 {
        self.tokens.line()
    }

    /// The warnings about the text read so far.
    pub(super) const fn warnings(&mut self) -> &mut Vec<Complaint> {
        &mut self.warnings
    }

    /// The tree after an opening bracket; its games are then ready.
    fn tree(&mut self) -> Result<(), Complaint> {
        let mut tree = Tree::default();
        let end = loop {
            let (token, line) = match self.tokens.next() {
                Ok(next) => next,
                Err((line, RecordErrorKind::CutOff)) => (Token::RecordEnd, line),
                Err(error) => return Err(error),
            };
            match token {
                Token::Open => tree.depth += 1,
                Token::Close if tree.depth > 0 => {
                    tree.depth -= 1;
                    tree.ended = true;
                }
                Token::Close => break tree.close(line),
                Token::RecordEnd => {
                    tree.warnings.push((line, RecordErrorKind::CutOff));
                    break tree.close(line);
                }
                _ if tree.ended => {}
                Token::Node => {
                    tree.node(line)?;
                }
                Token::Property(property) => tree.property(&property, line)?,
                Token::Other(text) => tree.fail(line, RecordErrorKind::stray(&text))?,
            }
        };
        let (games, warnings) = end?;
        self.ready.extend(games);
        self.warnings.extend(warnings);
        Ok(())
    }
}

impl<R: BufRead> Iterator for SgfReader<R> {
    type Item = Result<ReadGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(game) = self.ready.pop_front() {
            return Some(Ok(game));
        }
        let (line, reason) = match self.tokens.next() {
            Ok((Token::RecordEnd, _)) => return None,
            Ok((Token::Open, _)) => match self.tree() {
                Ok(()) => return self.next(),
                Err(error) => {
                    self.tokens.leave_tree();
                    error
                }
            },
            Ok((token, line)) => {
                self.tokens.leave_stray();
                let text = match token {
                    Token::Other(text) => text,
                    Token::Property(property) => property.name,
                    Token::Close => ")".to_owned(),
                    _ => ";".to_owned(),
                };
                // Text between the games costs no game.
                self.warnings.push((line, RecordErrorKind::stray(&text)));
                return self.next();
            }
            Err(error) => {
                self.tokens.leave_tree();
                error
            }
        };
        Some(Err(self.tokens.error(line, reason)))
    }
}

impl Tree {
    fn begin(&mut self, line: u64) -> Result<&mut GameReader, Complaint> {
        if self.game.is_none() {
            let Root { names, length, score, crawford, jacoby, no_cube, .. } = &self.root;
            let scoring = if *length == 0 {
                Scoring::Money { jacoby: *jacoby, beavers: true }
            } else {
                let small = |points: u32| u16::try_from(points).unwrap_or(u16::MAX);
                let (x, o) = (small(score[0]), small(score[1]));
                Scoring::of_match(small(*length), x, o, *crawford)
                    .map_err(|error| (line, error.into()))?
            };
            let recorder = Recorder::new(GameHeader { names: names.clone(), scoring });
            let recorder = if *no_cube { recorder.without_cube() } else { recorder };
            self.game = Some(GameReader::new(recorder, *score, line));
        }
        self.game.as_mut().ok_or((line, RecordErrorKind::CutOff))
    }

    /// Stops reading the game at something that cannot be understood.
    fn fail(&mut self, line: u64, reason: RecordErrorKind) -> Result<(), Complaint> {
        self.begin(line)?.fail(line, reason);
        Ok(())
    }

    fn node(&mut self, line: u64) -> Result<(), Complaint> {
        self.nodes += 1;
        if self.nodes > 1 {
            self.begin(line)?;
            self.place(line)?;
        }
        Ok(())
    }

    /// Goes on from the position that the node has set up, if it differs from that of the game.
    fn place(&mut self, line: u64) -> Result<(), Complaint> {
        let set_up = std::mem::take(&mut self.set_up);
        if set_up.is_empty() {
            return Ok(());
        }
        let on_roll = self.on_roll;
        let game = self.begin(line)?;
        match set_up.start(game.recorder(), on_roll) {
            Ok(None) => {}
            Ok(Some(start)) => game.set_up(line, start),
            Err(reason) => game.fail(line, reason),
        }
        Ok(())
    }

    fn property(&mut self, property: &Property, line: u64) -> Result<(), Complaint> {
        let value = property.value.as_str();
        match property.name.as_str() {
            "W" => return self.play(Seat::X, value, line),
            "B" => return self.play(Seat::O, value, line),
            _ => {}
        }
        match self.setting(property, line) {
            Err(reason @ RecordErrorKind::Variant(_)) => Err((line, reason)),
            Err(reason) => self.fail(line, reason),
            Ok(()) => Ok(()),
        }
    }

    fn setting(&mut self, property: &Property, line: u64) -> Result<(), RecordErrorKind> {
        let value = property.value.as_str();
        let unreadable = |wanted| Err(RecordErrorKind::unreadable(value, wanted));
        match property.name.as_str() {
            "GM" if value != "6" => return Err(RecordErrorKind::Variant(format!("GM[{value}]"))),
            "PW" => self.root.names[0] = cut_name(value),
            "PB" => self.root.names[1] = cut_name(value),
            "MI" => {
                for value in &property.values {
                    let Some((key, number)) = value.split_once(':') else { continue };
                    let Ok(number) = number.trim().parse() else { continue };
                    match key {
                        "length" => self.root.length = number,
                        "ws" => self.root.score[0] = number,
                        "bs" => self.root.score[1] = number,
                        _ => {}
                    }
                }
            }
            "RU" => {
                for rule in value.split(':') {
                    match rule.trim().to_ascii_lowercase().as_str() {
                        "crawfordgame" => self.root.crawford = true,
                        "jacoby" => self.root.jacoby = true,
                        "nocube" => self.root.no_cube = true,
                        other if other.starts_with("nack") || other.starts_with("hyper") => {
                            return Err(RecordErrorKind::Variant(rule.trim().to_owned()));
                        }
                        // Other rules do not change how plays are read.
                        _ => {}
                    }
                }
            }
            "RE" => {
                // Void, Draw and ? say nothing.
                if let Some((winner, points)) = result(value) {
                    self.root.result = Some((winner, points, line));
                }
            }
            "AE" => self.set_up.empty(&property.values)?,
            "AW" => self.set_up.add(Seat::X, &property.values)?,
            "AB" => self.set_up.add(Seat::O, &property.values)?,
            "CV" => self.set_up.cube(value)?,
            "CP" | "CO" => self.set_up.owner(value)?,
            "PL" => {
                self.on_roll = match value {
                    "W" | "w" | "white" => Some(Seat::X),
                    "B" | "b" | "black" => Some(Seat::O),
                    _ => return unreadable("W or B"),
                };
            }
            "DI" => match (value.parse::<Dice>(), self.on_roll) {
                (Ok(dice), Some(player)) => {
                    self.place(line).map_err(|(_, reason)| reason)?;
                    self.rolled = Some((player, dice, line));
                }
                (Ok(_), None) => return unreadable("PL before DI"),
                // 00: not rolled yet.
                (Err(_), _) if value == "00" => {}
                (Err(_), _) => return unreadable("two dice"),
            },
            _ => {}
        }
        Ok(())
    }

    /// The value of `W` or `B`: a cube action, or dice and pairs of points.
    fn play(&mut self, player: Seat, value: &str, line: u64) -> Result<(), Complaint> {
        self.place(line)?;
        let word = value.trim().to_ascii_lowercase();
        let word = match word.as_str() {
            "redouble" => "double",
            "accept" => "take",
            "pass" => "drop",
            "raccoon" => "beaver",
            word => word,
        };
        let roll = match word {
            "double" | "take" | "drop" | "beaver" | "resign" => None,
            _ => match moves(player, word) {
                Ok(roll) => Some(roll),
                Err(reason) => {
                    self.begin(line)?.fail_turn(line, player, reason);
                    return Ok(());
                }
            },
        };
        if let Some((roller, dice, at)) = self.rolled.take()
            && roll.as_ref().is_none_or(|(rolled, _)| (player, *rolled) != (roller, dice))
        {
            self.begin(at)?.roll(at, roller, dice, None);
        }
        let game = self.begin(line)?;
        if word == "double" && game.recorder().was_dropped_by(player.other()) {
            // gnubg writes this if it imported a drop with the result on a line of its own.
            return Ok(());
        }
        match (word, &roll) {
            (_, Some((dice, play))) => game.roll(line, player, *dice, Some(play)),
            // gnubg writes a beaver as a double by the player who was doubled.
            ("double", _) if game.recorder().is_offered() => game.double(line, player, None, true),
            ("double", _) => game.double(line, player, None, false),
            ("beaver", _) => game.double(line, player, None, true),
            ("take", _) => game.act(line, |recorder| recorder.take(player)),
            ("resign", _) => game.loses(line, player, None),
            _ => game.act(line, |recorder| recorder.drop(player)),
        }
        Ok(())
    }

    fn close(mut self, line: u64) -> Result<(Vec<ReadGame>, Vec<Complaint>), Complaint> {
        self.place(line)?;
        if let Some((player, dice, at)) = self.rolled.take() {
            self.begin(at)?.roll(at, player, dice, None);
        }
        let result = self.root.result;
        let game = self.begin(line)?;
        if let Some((winner, points, at)) = result {
            game.wins(at, winner, Some(points));
        }
        let game = self.game.ok_or((line, RecordErrorKind::CutOff))?;
        let read = game.finish(None);
        let mut games = read.earlier;
        self.warnings.extend(read.warnings);
        match read.last {
            Ok(game) => games.push(game),
            Err(error) if games.is_empty() => return Err(error),
            Err(error) => self.warnings.push(error),
        }
        Ok((games, self.warnings))
    }
}

/// `B+2`, or `B+2R` or `B+2Resign` after a resignation.
fn result(value: &str) -> Option<(Seat, u32)> {
    let (winner, points) = value.split_once('+')?;
    let winner = match winner.trim() {
        "W" | "w" => Seat::X,
        "B" | "b" => Seat::O,
        _ => return None,
    };
    let points = points.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    Some((winner, points.trim().parse().ok()?))
}

/// `31hefe`: the roll, and the play in notation. Letters a to x are White's points 1 to 24, y is
/// the bar and z is off.
fn moves(player: Seat, value: &str) -> Result<(Dice, String), RecordErrorKind> {
    let unreadable = || RecordErrorKind::unreadable(value, "two dice and pairs of points");
    let (dice, pairs) = value.split_at_checked(2).ok_or_else(unreadable)?;
    let dice: Dice = dice.parse().map_err(|_| unreadable())?;
    let point = |letter: u8| match (letter, player) {
        (b'y', _) => Ok(25),
        (b'z', _) => Ok(0),
        (b'a'..=b'x', Seat::X) => Ok(letter - b'a' + 1),
        (b'a'..=b'x', Seat::O) => Ok(b'x' - letter + 1),
        _ => Err(unreadable()),
    };
    let (pairs, rest) = pairs.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return Err(unreadable());
    }
    let mut play = String::new();
    for &[from, to] in pairs {
        play.push_str(&format!("{}/{} ", point(from)?, point(to)?));
    }
    Ok((dice, play))
}
