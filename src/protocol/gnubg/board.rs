//! The `board:` line of FIBS, in which gnubg asks and wants to be asked.
//!
//! 52 fields between colons (macfibs' page on rawboard; what gnubg makes of them was tried with 1.07.001). In gnubg's own
//! lines positive checkers and a turn of 1 always belong to its player 1, who moves towards his point 1; the flags that say
//! who may double stand player 1 first. Names and scores, though, stand player 0 first when a roll or a play is wanted, and
//! player 1 first when an answer to a double is: a score belongs to the name in its place, and to nothing else.

use crate::backgammon::{
    Cube, CubeError, CubeOwner, Dice, Position, PositionError, ScoreError, Scoring,
};

/// A board as it stands in the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FibsBoard {
    names: [String; 2],
    /// Points of the match, 0 for money.
    length: u16,
    scores: [u16; 2],
    /// Seen by player 1.
    position: Position,
    /// Who is on roll, 0 or 1; who has doubled, while a double waits.
    turn: usize,
    dice: Option<Dice>,
    cube: u32,
    /// Player 0 and player 1.
    may_double: [bool; 2],
    doubled: bool,
    crawford: bool,
}

/// What a board asks the player who has to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Roll or double; whether doubling is allowed.
    Roll(bool),
    /// Play a roll.
    Play(Dice),
    /// Take a double or drop.
    Answer,
}

/// A question about a game, seen by the player on roll, who is the doubler while a double waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExternalQuestion {
    /// What is asked.
    pub ask: Ask,
    /// The board.
    pub position: Position,
    /// Money, or the score.
    pub session: Scoring,
    /// The cube before a double that waits.
    pub cube: Cube,
}

/// Why a line is no board, or no question to us.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ExternalBoardError {
    #[error("a line beginning with 'board:' is wanted")]
    NoBoard,
    #[error("a board has {wanted} fields, not {found}")]
    Fields { found: usize, wanted: usize },
    #[error("the {field} cannot be '{found}'")]
    Field { field: &'static str, found: String },
    #[error("colour {0} moving in direction {1} is not how gnubg writes a board")]
    Direction(i32, i32),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Cube(#[from] CubeError),
    #[error(transparent)]
    Score(#[from] ScoreError),
    #[error("the game is over")]
    Over,
    #[error("'{own}' does not tell '{}' and '{}' apart", names[0], names[1])]
    Stranger { own: String, names: [String; 2] },
}

const FIELDS: usize = 52;
/// Points of a match that has no end, as FIBS writes them.
const UNLIMITED: i32 = 9999;

impl FibsBoard {
    /// Reads a line.
    ///
    /// # Errors
    /// [`ExternalBoardError`] names the field.
    pub fn parse(line: &str) -> Result<FibsBoard, ExternalBoardError> {
        let fields: Vec<&str> = line
            .trim()
            .strip_prefix("board:")
            .ok_or(ExternalBoardError::NoBoard)?
            .split(':')
            .collect();
        if fields.len() != FIELDS {
            return Err(ExternalBoardError::Fields { found: fields.len(), wanted: FIELDS });
        }
        let wrong =
            |field, at: usize| ExternalBoardError::Field { field, found: fields[at].to_owned() };
        let number = |field, at: usize| -> Result<i32, ExternalBoardError> {
            fields[at].trim().parse().map_err(|_| wrong(field, at))
        };
        let points = |field, at: usize| -> Result<u16, ExternalBoardError> {
            u16::try_from(number(field, at)?).map_err(|_| wrong(field, at))
        };
        let flag = |field, at: usize| match number(field, at)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(wrong(field, at)),
        };
        let length = match number("match length", 2)? {
            UNLIMITED => 0,
            _ => points("match length", 2)?,
        };
        let mut board = [0i8; 26];
        for (i, point) in board.iter_mut().enumerate() {
            let checkers = number("point", 5 + i)?;
            *point = i8::try_from(checkers)
                .ok()
                .filter(|n| (-15..=15).contains(n))
                .ok_or_else(|| wrong("point", 5 + i))?;
        }
        let (colour, direction) = (number("colour", 40)?, number("direction", 41)?);
        if (colour, direction) != (1, -1) {
            return Err(ExternalBoardError::Direction(colour, direction));
        }
        let turn = match number("turn", 31)? {
            1 => 1,
            -1 => 0,
            0 => return Err(ExternalBoardError::Over),
            _ => return Err(wrong("turn", 31)),
        };
        // Both pairs of dice show the roll, whoever threw it; a server of FIBS fills one of them.
        let mut dice = None;
        for at in [32, 34] {
            let pair = [points("dice", at)?, points("dice", at + 1)?];
            if pair != [0, 0] && dice.is_none() {
                let small = pair.map(|die| u8::try_from(die).unwrap_or(0));
                dice = Some(Dice::new(small[0], small[1]).ok_or_else(|| wrong("dice", at))?);
            }
        }
        let cube = u32::try_from(number("cube", 36)?).map_err(|_| wrong("cube", 36))?;
        let may_double = [flag("right to double", 38)?, flag("right to double", 37)?];
        Ok(FibsBoard {
            names: [0, 1].map(|i: usize| fields[i].to_owned()),
            length,
            scores: [points("score", 3)?, points("score", 4)?],
            position: Position::new(board)?,
            turn,
            dice,
            cube,
            may_double,
            doubled: flag("double", 39)?,
            crawford: length > 0 && number("Crawford flag", 51)? == 0,
        })
    }

    /// What the board asks us; `own_name` is what the other program calls us. Without it, scores are taken to stand as
    /// gnubg 1.07 writes them. Money is played with the rule of Jacoby where `jacoby` says so: the line does not.
    ///
    /// # Errors
    /// [`ExternalBoardError`] if neither or both players have our name, or the score cannot be.
    pub fn question(
        &self,
        own_name: Option<&str>,
        jacoby: bool,
    ) -> Result<ExternalQuestion, ExternalBoardError> {
        let ask = match (self.doubled, self.dice) {
            (true, _) => Ask::Answer,
            (false, Some(dice)) => Ask::Play(dice),
            (false, None) => Ask::Roll(self.may_double[self.turn]),
        };
        // Whoever has doubled is on roll; the other one is asked.
        let asked_is_on_roll = ask != Ask::Answer;
        let on_roll_first = match own_name {
            None => (self.turn == 0) == asked_is_on_roll,
            Some(own) => {
                let stranger = || ExternalBoardError::Stranger {
                    own: own.to_owned(),
                    names: self.names.clone(),
                };
                let ours = [0, 1].map(|i: usize| self.names[i] == own);
                match ours {
                    [true, false] => asked_is_on_roll,
                    [false, true] => !asked_is_on_roll,
                    _ => return Err(stranger()),
                }
            }
        };
        let [first, second] = self.scores;
        let (own, opponent) = if on_roll_first { (first, second) } else { (second, first) };
        let session = match self.length {
            0 => Scoring::Money { jacoby, beavers: false },
            length => Scoring::of_match(length, own, opponent, self.crawford)?,
        };
        let owner = match (self.may_double[self.turn], self.may_double[1 - self.turn]) {
            (true, false) => CubeOwner::Own,
            (false, true) => CubeOwner::Opponent,
            _ => CubeOwner::Centred,
        };
        let cube = Cube::new(self.cube, owner)?;
        let position = if self.turn == 1 { self.position } else { self.position.flipped() };
        if position.outcome().is_some() {
            return Err(ExternalBoardError::Over);
        }
        Ok(ExternalQuestion { ask, position, session, cube })
    }
}

/// The line that asks for a play of a money game without a cube, seen by the player on roll.
pub(super) fn ask_for_play(position: &Position, dice: Dice) -> String {
    board(position, dice.high(), dice.low())
}

/// The line that asks what a position of such a game is worth before the roll; `plies` are counted gnubg's way, from 0.
pub(super) fn ask_for_evaluation(position: &Position, plies: u8) -> String {
    format!("evaluation fibsboard {} plies {plies} cubeless", board(position, 0, 0))
}

fn board(position: &Position, high: u8, low: u8) -> String {
    let points: Vec<String> = position.points().iter().map(ToString::to_string).collect();
    let off = |left: u8| 15 - left;
    let [own_bar, their_bar] = [position.points()[25], -position.points()[0]];
    format!(
        "board:a:b:0:0:0:{}:1:{high}:{low}:0:0:1:1:1:0:1:-1:0:25:{}:{}:{own_bar}:{their_bar}:2:0:0:0",
        points.join(":"),
        off(position.own_left()),
        off(position.opponent_left()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As gnubg 1.07.001 sent it, name and scores as given.
    fn line(head: &str, turn: i32, dice: &str, tail: &str) -> String {
        let points = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0";
        format!("board:{head}:{points}:{turn}:{dice}:{dice}:{tail}")
    }

    const CENTRED: &str = "1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";
    const DOUBLED: &str = "1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1";

    fn asked(line: &str, own: Option<&str>) -> ExternalQuestion {
        FibsBoard::parse(line).expect(line).question(own, true).expect(line)
    }

    #[test]
    fn scores_follow_the_names_and_not_the_side_of_the_board() {
        // Measured at 2-4: player 1 is root, who has 4 points; in the request for an answer the names are exchanged.
        let play = line("gnubg:root:7:2:4", 1, "5:3", CENTRED);
        let answer = line("root:gnubg:7:4:2", 1, "0:0", DOUBLED);
        for own in [Some("root"), None] {
            let question = asked(&play, own);
            assert_eq!(question.session.away(), Some((3, 5)), "{own:?}: root is on roll");
            assert_eq!(question.ask, Ask::Play("53".parse().expect("a roll")));
        }
        for own in [Some("gnubg"), None] {
            let question = asked(&answer, own);
            assert_eq!(question.session.away(), Some((3, 5)), "{own:?}: root has doubled");
            assert_eq!(question.ask, Ask::Answer);
        }
        let board = FibsBoard::parse(&play).expect("a board");
        assert!(matches!(
            board.question(Some("ann"), true),
            Err(ExternalBoardError::Stranger { .. })
        ));
    }

    #[test]
    fn the_board_is_turned_to_the_player_on_roll() {
        let bars =
            "board:gnubg:root:0:0:0:-1:1:1:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:-1:0:0:0";
        for (turn, own_one_point) in [(1, 1), (-1, 0)] {
            let text = format!("{bars}:{turn}:0:0:0:0:2:1:0:0:1:-1:0:25:0:0:0:0:0:0:0:1");
            let question = asked(&text, None);
            assert_eq!(question.position.own(1), own_one_point);
            assert_eq!(question.cube.value(), 2);
            let (owner, ask) = if turn == 1 {
                (CubeOwner::Own, Ask::Roll(true))
            } else {
                (CubeOwner::Opponent, Ask::Roll(false))
            };
            assert_eq!((question.cube.owner(), question.ask), (owner, ask));
        }
    }

    #[test]
    fn the_last_field_tells_the_crawford_game() {
        let score = |tail: &str| match asked(&line("a:b:3:2:1", 1, "0:0", tail), None).session {
            Scoring::Match(score) => (score.is_crawford(), score.is_post_crawford()),
            Scoring::Money { .. } => (false, false),
        };
        assert_eq!(score("1:0:0:0:1:-1:0:25:0:0:0:0:0:0:0:0"), (true, false));
        assert_eq!(score("1:1:1:0:1:-1:0:25:0:0:0:0:0:0:1:1"), (false, true));
    }

    #[test]
    fn what_we_ask_reads_back_and_stays_below_the_255_bytes_that_end_gnubg() {
        let dice = "61".parse().expect("a roll");
        let crowded = Position::from_sides(&[(25, 15)], &[(25, 15)]).expect("legal");
        for position in [Position::START, crowded] {
            let text = ask_for_play(&position, dice);
            assert!(text.len() < 200, "{} bytes: {text}", text.len());
            let question = asked(&text, Some("a"));
            assert_eq!((question.position, question.ask), (position, Ask::Play(dice)));
        }
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(fields in proptest::collection::vec("-?[0-9]{1,5}|\\PC{0,3}", 50..54)) {
            if let Ok(board) = FibsBoard::parse(&format!("board:{}", fields.join(":"))) {
                let _ = board.question(Some("a"), false);
            }
        }
    }
}
