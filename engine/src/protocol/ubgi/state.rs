//! The game as the controller has set it; it is checked as a whole when a decision is asked for.

use super::UbgiError;
use crate::backgammon::{
    Cube, CubeOffer, CubeOwner, Dice, GamePhase, MAX_MATCH_LENGTH, Position, Scoring, Seat, Turn,
    Xgid,
};

/// The current game. The players are p0 (X of an XGID) and p1 (O).
#[derive(Clone, Debug)]
pub(super) struct UbgiState {
    position: Option<Position>,
    dice: Option<Dice>,
    /// The double, beaver or raccoon that must be answered.
    offered: Option<CubeOffer>,
    length: u16,
    score: [u16; 2],
    /// Who is on roll.
    turn: usize,
    crawford: bool,
    jacoby: bool,
    beavers: bool,
    cube: u32,
    owner: Option<usize>,
    /// For UBGI 0.1: whether the Crawford rule is in use, and whether the Crawford game has begun.
    crawford_rule: bool,
    crawford_played: bool,
}

impl Default for UbgiState {
    fn default() -> UbgiState {
        UbgiState {
            position: None,
            dice: None,
            offered: None,
            length: 0,
            score: [0; 2],
            turn: 0,
            crawford: false,
            jacoby: false,
            beavers: false,
            cube: 1,
            owner: None,
            crawford_rule: false,
            crawford_played: false,
        }
    }
}

fn value(wrong: impl std::fmt::Display) -> UbgiError {
    UbgiError::Value(wrong.to_string())
}

fn number(name: &str, text: &str, most: u32) -> Result<u32, UbgiError> {
    let number = text.parse().ok().filter(|&n| n <= most);
    number.ok_or_else(|| {
        value(format!("invalid {name} '{text}': expected a whole number up to {most}"))
    })
}

fn points(name: &str, text: &str) -> Result<u16, UbgiError> {
    number(name, text, MAX_MATCH_LENGTH.into()).map(|n| n as u16)
}

fn boolean(name: &str, text: &str) -> Result<bool, UbgiError> {
    match text {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err(value(format!("invalid {name} '{text}': expected true or false"))),
    }
}

fn seat(text: &str) -> Result<usize, UbgiError> {
    match text {
        "p0" => Ok(0),
        "p1" => Ok(1),
        _ => Err(value(format!("invalid player '{text}': expected p0 or p1"))),
    }
}

fn owner(text: &str) -> Result<Option<usize>, UbgiError> {
    if text == "center" || text == "centre" { Ok(None) } else { seat(text).map(Some) }
}

fn cube_value(text: &str) -> Result<u32, UbgiError> {
    let shown = number("cube", text, 1 << Cube::MAX_LOG2)?;
    Cube::new(shown, CubeOwner::Centred).map(Cube::value).map_err(value)
}

impl UbgiState {
    /// Starts the next game: clears the board and centres the cube.
    pub(super) fn new_game(&mut self) {
        (self.position, self.dice, self.offered) = (None, None, None);
        (self.cube, self.owner) = (1, None);
    }

    pub(super) fn position(&mut self, id: &str) -> Result<(), UbgiError> {
        self.position = Some(Position::from_id(id).map_err(value)?);
        self.offered = None;
        Ok(())
    }

    /// Sets board, cube, score, rules and dice from an XGID.
    pub(super) fn xgid(&mut self, text: &str) -> Result<(), UbgiError> {
        let Xgid { position, state, .. } = text.parse().map_err(value)?;
        let turn = usize::from(state.on_roll == Seat::O);
        self.position = Some(position);
        self.turn = turn;
        self.dice = state.dice();
        self.offered = match state.turn {
            Turn::Offered(offer) if state.game == GamePhase::Playing => Some(offer),
            _ => None,
        };
        self.cube = state.cube.value();
        self.owner = match state.cube.owner() {
            CubeOwner::Centred => None,
            CubeOwner::Own => Some(turn),
            CubeOwner::Opponent => Some(1 - turn),
        };
        match state.scoring {
            Scoring::Money { jacoby, beavers } => {
                (self.length, self.score, self.crawford) = (0, [0; 2], false);
                (self.jacoby, self.beavers) = (jacoby, beavers);
            }
            Scoring::Match(score) => {
                self.length = score.length();
                self.score[turn] = score.own();
                self.score[1 - turn] = score.opponent();
                self.crawford = score.is_crawford();
            }
        }
        Ok(())
    }

    pub(super) fn dice(&mut self, text: &str) -> Result<(), UbgiError> {
        self.dice = Some(text.parse().map_err(value)?);
        Ok(())
    }

    /// Clears the roll after its play.
    pub(super) fn played(&mut self) {
        self.dice = None;
    }

    pub(super) fn get(&self, name: &str) -> String {
        let seat = |seat: usize| format!("p{seat}");
        match name {
            "length" => self.length.to_string(),
            "score0" => self.score[0].to_string(),
            "score1" => self.score[1].to_string(),
            "turn" => seat(self.turn),
            "crawford" => self.crawford.to_string(),
            "jacoby" => self.jacoby.to_string(),
            "beavers" => self.beavers.to_string(),
            "cube" => self.cube.to_string(),
            _ => self.owner.map_or_else(|| "center".to_owned(), seat),
        }
    }

    pub(super) fn set(&mut self, name: &str, text: &str) -> Result<(), UbgiError> {
        match name {
            "length" => self.length = points(name, text)?,
            "score0" => self.score[0] = points(name, text)?,
            "score1" => self.score[1] = points(name, text)?,
            "turn" => self.turn = seat(text)?,
            "crawford" => self.crawford = boolean(name, text)?,
            "jacoby" => self.jacoby = boolean(name, text)?,
            "beavers" => self.beavers = boolean(name, text)?,
            "cube" => self.cube = cube_value(text)?,
            _ => self.owner = owner(text)?,
        }
        Ok(())
    }

    /// `newsession [type] money|match [length N] [jacoby on|off] [crawford on|off]` of UBGI 0.1.
    pub(super) fn new_session(&mut self, words: &[&str]) -> Result<(), UbgiError> {
        let mut new = UbgiState::default();
        let mut words = words.iter().copied().filter(|word| *word != "type");
        while let Some(word) = words.next() {
            if word == "money" || word == "match" {
                continue;
            }
            let Some(text) = words.next() else {
                return Err(UbgiError::Command(format!("missing value of {word}")));
            };
            match word {
                "length" => new.length = points(word, text)?,
                "jacoby" => new.jacoby = boolean(word, text)?,
                "beavers" => new.beavers = boolean(word, text)?,
                "crawford" => new.crawford_rule = boolean(word, text)?,
                _ => return Err(UbgiError::Unsupported(format!("newsession {word}"))),
            }
        }
        *self = new;
        Ok(())
    }

    /// `setscore` of UBGI 0.1. It does not name the Crawford game, which is the first game at one
    /// point away.
    pub(super) fn set_score(&mut self, words: [&str; 2]) -> Result<(), UbgiError> {
        let score = [points("score", words[0])?, points("score", words[1])?];
        if score != self.score {
            self.score = score;
            let one_away = |points: u16| points + 1 == self.length;
            let now = self.crawford_rule && one_away(score[0]) != one_away(score[1]);
            self.crawford = now && !self.crawford_played;
            self.crawford_played |= now;
        }
        Ok(())
    }

    /// `setcube` of UBGI 0.1.
    pub(super) fn set_cube(&mut self, shown: &str, who: &str) -> Result<(), UbgiError> {
        (self.cube, self.owner) = (cube_value(shown)?, owner(who)?);
        Ok(())
    }

    /// The board of a game in progress.
    pub(super) fn board(&self) -> Result<Position, UbgiError> {
        let position =
            self.position.ok_or_else(|| UbgiError::State("missing position".to_owned()))?;
        if position.outcome().is_some() {
            return Err(UbgiError::State(
                "the game is over: a side has no checkers left".to_owned(),
            ));
        }
        Ok(position)
    }

    pub(super) fn rolled(&self) -> Result<Dice, UbgiError> {
        self.dice.ok_or_else(|| UbgiError::State("missing dice".to_owned()))
    }

    pub(super) const fn offered(&self) -> Option<CubeOffer> {
        self.offered
    }

    /// The cube, seen by the player on roll.
    pub(super) fn cube(&self) -> Result<Cube, UbgiError> {
        let owner = match self.owner {
            None => CubeOwner::Centred,
            Some(owner) if owner == self.turn => CubeOwner::Own,
            Some(_) => CubeOwner::Opponent,
        };
        Cube::new(self.cube, owner).map_err(value)
    }

    /// Money or the score, seen by the player on roll.
    pub(super) fn scoring(&self) -> Result<Scoring, UbgiError> {
        if self.length == 0 {
            return Ok(Scoring::Money { jacoby: self.jacoby, beavers: self.beavers });
        }
        let (own, opponent) = (self.score[self.turn], self.score[1 - self.turn]);
        Scoring::of_match(self.length, own, opponent, self.crawford)
            .map_err(|error| UbgiError::State(error.to_string()))
    }
}
