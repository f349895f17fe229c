//! The board that the server sends after every change.

use backgammon::{
    Cube, CubeOffer, CubeOwner, Dice, GamePhase, GameState, MatchState, Position, PositionError,
    ScoreError, Scoring, Seat, Side, Turn,
};
use serde_json::Value;

/// The highest cube of the server.
const HIGHEST_CUBE: u32 = 64;

/// Whether the server lets the player on roll double now.
pub(crate) fn is_double_allowed(game: &GameState) -> bool {
    let state = &game.state;
    state.scoring.has_cube() && game.may_double() && state.cube.value() < HIGHEST_CUBE
}

/// A seat at the table, and who sits there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seated {
    /// The player's name; empty if the seat is free.
    pub name: String,
    /// Points in the match.
    pub points: u32,
    /// Rating; 0 for guests.
    pub rating: i64,
}

/// A match as the server shows it. The server always shows it as to player 1, so the fields are
/// seen by the own side.
///
/// ```
/// use bgammon::{Board, Message};
///
/// let line = r#"{"Type":"board","Player1":{"Name":"ann"},"Player2":{"Name":"bob","Points":2},
///     "Board":[0,-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0,0,0],
///     "Turn":1,"Roll1":3,"Roll2":1,"Points":5,"DoubleValue":1}"#;
/// let Message::Board(board) = Message::parse(line) else { panic!("no board") };
/// assert_eq!(board.position, backgammon::Position::START);
/// assert_eq!((board.dice(), board.seats[1].points), ("31".parse().ok(), 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The own seat and the opponent's.
    pub seats: [Seated; 2],
    /// The checkers, pending moves included, seen by the own side.
    pub position: Position,
    /// Who is on roll, or has doubled; `None` before the opening roll.
    pub turn: Option<Side>,
    /// The dice, 0 if not rolled. In the opening the own die comes first.
    pub rolls: [u8; 2],
    /// Number of single moves that the player on roll has made and not confirmed.
    pub pending: usize,
    /// Length of the match in points.
    pub length: u32,
    /// Whether it is the Crawford game.
    pub crawford: bool,
    /// The cube, seen by the own side.
    pub cube: Cube,
    /// The player on roll has doubled, and waits for the answer.
    pub offered: bool,
    /// Who has won the game.
    pub winner: Option<Side>,
    /// The own side watches, and does not play.
    pub spectating: bool,
    /// It is another game than backgammon.
    pub variant: bool,
}

/// Why a board is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// A field is missing, or has another type or a number out of its range.
    #[error("invalid field {0}")]
    Field(&'static str),
    /// One side has not 15 checkers.
    #[error("invalid board: {0} checkers of {1}, expected 15")]
    Checkers(u32, Side),
    /// The checkers are where they cannot be.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// A whole number in a range; a missing field counts as 0.
fn number(value: &Value, name: &'static str, most: u32) -> Result<u32, BoardError> {
    let error = BoardError::Field(name);
    match &value[name] {
        Value::Null => Ok(0),
        field => {
            let number = field.as_u64().and_then(|number| u32::try_from(number).ok());
            number.filter(|number| *number <= most).ok_or(error)
        }
    }
}

/// A player as the server numbers them; 0 is no player.
fn side(value: &Value, name: &'static str) -> Result<Option<Side>, BoardError> {
    Ok(match number(value, name, 2)? {
        0 => None,
        1 => Some(Side::Own),
        _ => Some(Side::Opponent),
    })
}

fn flag(value: &Value, name: &'static str) -> bool {
    value[name].as_bool().unwrap_or(false)
}

/// The longest name of a player that is kept, in characters.
const LONGEST_NAME: usize = 40;

fn seated(value: &Value, name: &'static str) -> Result<Seated, BoardError> {
    let player = &value[name];
    if !player.is_object() {
        return Err(BoardError::Field(name));
    }
    let text = player["Name"].as_str().unwrap_or_default();
    let name: String = text.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    let points = number(player, "Points", 1 << 16)?;
    Ok(Seated { name, points, rating: player["Rating"].as_i64().unwrap_or(0) })
}

/// The checkers in the 28 numbers of the server. Own checkers are positive.
///
/// The numbers are the own home, the points 1 to 24, the opponent's home, the own bar and the
/// opponent's bar.
fn position(value: &Value) -> Result<Position, BoardError> {
    let error = || BoardError::Field("Board");
    let numbers = value["Board"].as_array().filter(|numbers| numbers.len() == 28);
    let mut board = [0i8; 28];
    for (space, number) in board.iter_mut().zip(numbers.ok_or_else(error)?) {
        let number = number.as_i64().filter(|number| (-15..=15).contains(number));
        *space = i8::try_from(number.ok_or_else(error)?).map_err(|_| error())?;
    }
    if board[0] < 0 || board[25] > 0 || board[26] < 0 || board[27] > 0 {
        return Err(error());
    }
    for (sign, who) in [(1, Side::Own), (-1, Side::Opponent)] {
        let sum: u32 = board.iter().map(|n| u32::try_from(i32::from(*n) * sign).unwrap_or(0)).sum();
        if sum != 15 {
            return Err(BoardError::Checkers(sum, who));
        }
    }
    let mut points = [0i8; 26];
    points[1..=24].copy_from_slice(&board[1..=24]);
    (points[25], points[0]) = (board[26], board[27]);
    Ok(Position::new(points)?)
}

impl Board {
    /// The board in an event of the server.
    pub(crate) fn read(value: &Value) -> Result<Board, BoardError> {
        let seats = [seated(value, "Player1")?, seated(value, "Player2")?];
        let rolls = [number(value, "Roll1", 6)?, number(value, "Roll2", 6)?];
        let length = number(value, "Points", 1 << 15)?;
        let owner = match side(value, "DoublePlayer")? {
            None => CubeOwner::Centred,
            Some(Side::Own) => CubeOwner::Own,
            Some(Side::Opponent) => CubeOwner::Opponent,
        };
        let cube = Cube::new(number(value, "DoubleValue", 1 << 15)?.max(1), owner);
        let away = seats.each_ref().map(|seat| length.saturating_sub(seat.points));
        // The rules know no Crawford game where both players or none need one point.
        let possible = (away[0] == 1) != (away[1] == 1);
        Ok(Board {
            position: position(value)?,
            turn: side(value, "Turn")?,
            rolls: rolls.map(|roll| u8::try_from(roll).unwrap_or(0)),
            pending: value["Moves"].as_array().map_or(0, Vec::len),
            length: length.max(1),
            crawford: number(value, "Crawford", 2)? == 1 && possible,
            cube: cube.map_err(|_| BoardError::Field("DoubleValue"))?,
            offered: flag(value, "DoubleOffered"),
            winner: side(value, "Winner")?,
            spectating: flag(value, "Spectating"),
            variant: number(value, "Variant", 100)? != 0,
            seats,
        })
    }

    /// The opponent's name; `None` while the seat is free.
    #[must_use]
    pub fn opponent(&self) -> Option<&str> {
        Some(self.seats[1].name.as_str()).filter(|name| !name.is_empty())
    }

    /// Points in the match, own first.
    #[must_use]
    pub fn score(&self) -> [u32; 2] {
        [self.seats[0].points, self.seats[1].points]
    }

    /// Who has won the match.
    #[must_use]
    pub fn match_winner(&self) -> Option<Side> {
        let [own, other] = self.score();
        self.winner?;
        match (own >= self.length, other >= self.length) {
            (true, _) => Some(Side::Own),
            (_, true) => Some(Side::Opponent),
            _ => None,
        }
    }

    /// The roll to play; `None` before it, and before the opening roll.
    #[must_use]
    pub fn dice(&self) -> Option<Dice> {
        self.turn?;
        Dice::new(self.rolls[0], self.rolls[1])
    }

    /// The checkers, seen by a side.
    #[must_use]
    pub fn seen_by(&self, side: Side) -> Position {
        match side {
            Side::Own => self.position,
            Side::Opponent => self.position.flipped(),
        }
    }

    /// The game on the board, seen by the player on roll. The own side is [`Seat::X`], and an
    /// offered double is [`Turn::Offered`] with the doubler on roll.
    ///
    /// # Errors
    /// [`ScoreError`] if no match in progress has this score, as after the end of a match.
    pub fn state(&self) -> Result<GameState, ScoreError> {
        let scoring = Scoring::of_points(Some(self.length), self.score(), self.crawford)?;
        let Some(turn) = self.turn else { return Ok(GameState::start(scoring)) };
        let state = MatchState { cube: self.cube, on_roll: Seat::X, ..MatchState::new(scoring) };
        let own = GameState { position: self.position, state };
        let mut game = match turn {
            Side::Own => own,
            Side::Opponent => own.after(self.position.flipped()),
        };
        game.state.turn = match self.dice() {
            _ if self.offered => Turn::Offered(CubeOffer::Double),
            Some(dice) => Turn::Rolled(dice),
            None => Turn::ToRoll,
        };
        let over = self.winner.is_some() || game.position.outcome().is_some();
        game.state.game = if over { GamePhase::Over } else { GamePhase::Playing };
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use backgammon::Next;
    use serde_json::json;

    /// The start in a match to 5 points, as the server showed it to player 1.
    fn start() -> Value {
        json!({
            "Type": "board", "Player1": {"Name": "BOT_nonet", "Points": 1},
            "Player2": {"Name": "bob", "Points": 3, "Rating": 1500},
            "Board": [0,-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0,0,0],
            "Turn": 1, "Points": 5, "DoubleValue": 1, "Moves": null, "Winner": 0,
        })
    }

    fn with(changes: &[(&str, Value)]) -> Result<Board, BoardError> {
        let mut value = start();
        for (name, field) in changes {
            value[*name] = field.clone();
        }
        Board::read(&value)
    }

    #[test]
    fn the_state_is_that_of_the_player_on_roll() {
        let board = with(&[]).expect("a board");
        let state = board.state().expect("a score");
        assert_eq!((state.position, state.next()), (Position::START, Next::Roll(Seat::X)));
        assert_eq!(state.state.scoring.away(), Some((4, 2)));
        let theirs = with(&[
            ("Turn", json!(2)),
            ("DoubleOffered", json!(true)),
            ("DoubleValue", json!(2)),
            ("DoublePlayer", json!(2)),
        ]);
        let state = theirs.expect("a board").state().expect("a score");
        assert_eq!(
            (state.next(), state.state.scoring.away()),
            (Next::Answer(Seat::X), Some((2, 4)))
        );
        assert_eq!(state.state.cube.owner(), CubeOwner::Own, "the doubler owns it");
        let opening = with(&[("Turn", json!(0)), ("Roll1", json!(4))]).expect("a board");
        assert_eq!(opening.state().expect("a score").next(), Next::OpeningRoll);
        assert_eq!(opening.dice(), None);
    }

    #[test]
    fn bars_and_homes_are_numbers_25_to_27_and_0() {
        let mut numbers = [0; 28];
        (numbers[0], numbers[6], numbers[26]) = (3, 11, 1);
        (numbers[25], numbers[19], numbers[27]) = (-5, -8, -2);
        let board = with(&[("Board", json!(numbers))]).expect("a board");
        assert_eq!(board.position.own(25), 1);
        assert_eq!((board.position.own_left(), board.position.opponent_left()), (12, 10));
        assert_eq!(board.seen_by(Side::Opponent).own(25), 2);
    }

    #[test]
    fn an_impossible_board_is_an_error_that_names_the_field() {
        let mut short = start();
        short["Board"] = json!(vec![0; 27]);
        assert_eq!(Board::read(&short), Err(BoardError::Field("Board")));
        let mut numbers = [0; 28];
        (numbers[6], numbers[19]) = (14, -15);
        assert_eq!(with(&[("Board", json!(numbers))]), Err(BoardError::Checkers(14, Side::Own)));
        for (name, wrong) in [
            ("Roll1", json!(7)),
            ("Roll2", json!(-1)),
            ("Turn", json!(3)),
            ("Turn", json!("1")),
            ("DoubleValue", json!(3)),
            ("Points", json!(1e9)),
            ("Player2", json!([])),
        ] {
            assert!(with(&[(name, wrong.clone())]).is_err(), "{name}: {wrong}");
        }
    }

    #[test]
    fn a_match_is_over_once_the_points_are_counted() {
        let ended = [("Winner", json!(2)), ("Player2", json!({"Name": "bob", "Points": 5}))];
        assert_eq!(with(&ended).expect("a board").match_winner(), Some(Side::Opponent));
        assert_eq!(with(&ended[..1]).expect("a board").match_winner(), None);
        assert!(with(&ended).expect("a board").state().is_err());
    }

    #[test]
    fn a_crawford_game_needs_one_player_at_one_point() {
        let crawford = |points: u32| {
            with(&[("Crawford", json!(1)), ("Player2", json!({"Name": "bob", "Points": points}))])
                .expect("a board")
        };
        assert!(crawford(4).crawford && !crawford(3).crawford);
        assert!(!crawford(4).state().expect("a score").may_double());
    }
}
