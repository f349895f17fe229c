//! gnubg's `.sgf`: from the properties of a tree to a game.

mod tokens;

use std::io::BufRead;
use std::sync::Arc;

pub(super) use tokens::is_sgf;

use self::tokens::{Property, Token, Tokens};
use super::error::{RecordError, RecordErrorKind};
use super::game::{GameHeader, RecordedGame};
use super::recorder::Recorder;
use crate::{Dice, Scoring, Seat};

/// Reads one tree after the other.
pub(super) struct SgfReader<R> {
    tokens: Tokens<R>,
}

/// A tree as far as it has been read.
#[derive(Default)]
struct Tree {
    root: Root,
    /// Created from the root at the second node.
    recorder: Option<Recorder>,
    /// A roll without its play so far, and its line.
    rolled: Option<(Seat, Dice, u64)>,
    /// The line of the last roll or play.
    unplayed: u64,
    on_roll: Option<Seat>,
    nodes: u64,
}

/// The properties of the first node.
#[derive(Default)]
struct Root {
    names: [String; 2],
    length: u32,
    score: [u32; 2],
    crawford: bool,
    jacoby: bool,
    /// Winner, points, and the line of the result.
    result: Option<(Seat, u32, u64)>,
}

impl<R: BufRead> SgfReader<R> {
    pub(super) fn new(source: R, file: Arc<str>) -> SgfReader<R> {
        SgfReader { tokens: Tokens::new(source, file) }
    }

    /// The line read last.
    pub(super) const fn line(&self) -> u64 {
        self.tokens.line()
    }

    /// The tree after an opening bracket.
    fn tree(&mut self) -> Result<RecordedGame, (u64, RecordErrorKind)> {
        let mut tree = Tree::default();
        loop {
            let (token, line) = self.tokens.next()?;
            match token {
                Token::Node => {
                    tree.nodes += 1;
                    if tree.nodes == 2 {
                        tree.begin().map_err(|reason| (line, reason))?;
                    }
                }
                Token::Property(property) => tree.property(&property, line)?,
                Token::Open => {
                    let reason = RecordErrorKind::unreadable("(", "a game tree without variations");
                    return Err((line, reason));
                }
                Token::Close => return tree.close(line),
                Token::RecordEnd => return Err((line, RecordErrorKind::CutOff)),
                Token::Other(text) => return Err((line, RecordErrorKind::stray(&text))),
            }
        }
    }
}

impl<R: BufRead> Iterator for SgfReader<R> {
    type Item = Result<RecordedGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (line, reason) = match self.tokens.next() {
            Ok((Token::RecordEnd, _)) => return None,
            Ok((Token::Open, _)) => match self.tree() {
                Ok(game) => return Some(Ok(game)),
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
                (line, RecordErrorKind::stray(&text))
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
    fn begin(&mut self) -> Result<&mut Recorder, RecordErrorKind> {
        if self.recorder.is_none() {
            let Root { names, length, score, crawford, jacoby, .. } = &self.root;
            let scoring = if *length == 0 {
                Scoring::Money { jacoby: *jacoby, beavers: true }
            } else {
                let small = |points: u32| u16::try_from(points).unwrap_or(u16::MAX);
                Scoring::of_match(small(*length), small(score[0]), small(score[1]), *crawford)?
            };
            self.recorder = Some(Recorder::new(GameHeader { names: names.clone(), scoring }));
        }
        self.recorder.as_mut().ok_or(RecordErrorKind::CutOff)
    }

    fn property(&mut self, property: &Property, line: u64) -> Result<(), (u64, RecordErrorKind)> {
        let value = property.value.as_str();
        match property.name.as_str() {
            "W" => return self.play(Seat::X, value, line),
            "B" => return self.play(Seat::O, value, line),
            _ => {}
        }
        self.setting(property, line).map_err(|reason| (line, reason))
    }

    fn setting(&mut self, property: &Property, line: u64) -> Result<(), RecordErrorKind> {
        let value = property.value.as_str();
        let unreadable = |wanted| Err(RecordErrorKind::unreadable(value, wanted));
        match property.name.as_str() {
            "GM" if value != "6" => return Err(RecordErrorKind::Variant(format!("GM[{value}]"))),
            "PW" => self.root.names[0] = value.to_owned(),
            "PB" => self.root.names[1] = value.to_owned(),
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
                    match rule.trim() {
                        "CrawfordGame" => self.root.crawford = true,
                        "Jacoby" => self.root.jacoby = true,
                        "Crawford" | "NoCube" | "" => {}
                        other => return Err(RecordErrorKind::Variant(other.to_owned())),
                    }
                }
            }
            "RE" => match result(value) {
                Some((winner, points)) => self.root.result = Some((winner, points, line)),
                None if ["", "?", "Void"].contains(&value) => {}
                None => return unreadable("a result such as B+2"),
            },
            "AE" | "AW" | "AB" => return Err(RecordErrorKind::SetUp),
            "CV" if value != "1" => return Err(RecordErrorKind::SetUp),
            "CP" if value != "c" => return Err(RecordErrorKind::SetUp),
            "PL" => {
                self.on_roll = match value {
                    "W" | "w" | "white" => Some(Seat::X),
                    "B" | "b" | "black" => Some(Seat::O),
                    _ => return unreadable("W or B"),
                };
            }
            "DI" => match (value.parse::<Dice>(), self.on_roll) {
                (Ok(dice), Some(player)) => self.rolled = Some((player, dice, line)),
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
    fn play(&mut self, player: Seat, value: &str, line: u64) -> Result<(), (u64, RecordErrorKind)> {
        let here = |reason| (line, reason);
        let roll = match value {
            "double" | "take" | "drop" | "beaver" => None,
            _ => Some(moves(player, value).map_err(here)?),
        };
        if let Some((roller, dice, at)) = self.rolled.take()
            && roll.as_ref().is_none_or(|(rolled, _)| (player, *rolled) != (roller, dice))
        {
            self.unplayed = at;
            self.begin().and_then(|game| game.unplayed(roller, dice)).map_err(|r| (at, r))?;
        }
        let recorder = self.begin().map_err(here)?;
        if value == "double" && recorder.was_dropped_by(player.other()) {
            // gnubg writes this if it imported a drop with the result on a line of its own.
            return Ok(());
        }
        let done = match (value, &roll) {
            (_, Some((dice, play))) => recorder.written(player, *dice, play),
            // gnubg writes a beaver as a double by the player who was doubled.
            ("double", _) if recorder.is_offered() => recorder.beaver(player),
            ("double", _) => recorder.double(player),
            ("beaver", _) => recorder.beaver(player),
            ("take", _) => recorder.take(player),
            _ => recorder.drop(player),
        };
        match done {
            Err(reason @ RecordErrorKind::Unplayed(_)) => Err((self.unplayed, reason)),
            Err(reason) => Err((line, reason)),
            Ok(()) => {
                self.unplayed = line;
                Ok(())
            }
        }
    }

    fn close(mut self, line: u64) -> Result<RecordedGame, (u64, RecordErrorKind)> {
        if let Some((player, dice, at)) = self.rolled.take() {
            self.begin().and_then(|game| game.unplayed(player, dice)).map_err(|r| (at, r))?;
        }
        let result = self.root.result;
        let recorder = self.begin().map_err(|reason| (line, reason))?;
        if let Some((winner, points, at)) = result {
            recorder.stated(winner, points).map_err(|reason| (at, reason))?;
        }
        self.recorder.map(Recorder::finish).ok_or((line, RecordErrorKind::CutOff))
    }
}

/// `B+2`, or `B+2R` after a resignation.
fn result(value: &str) -> Option<(Seat, u32)> {
    let (winner, points) = value.split_once('+')?;
    let winner = match winner {
        "W" => Seat::X,
        "B" => Seat::O,
        _ => return None,
    };
    Some((winner, points.trim_end_matches('R').parse().ok()?))
}

/// `31hefe`: the roll, and the play in notation. Letters a to x are White's points 1 to 24, y is the bar
/// and z is off.
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
