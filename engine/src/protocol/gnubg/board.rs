//! The FIBS `board:` line as gnubg's external player protocol uses it, for questions from gnubg and
//! to gnubg.
//!
//! [`FibsBoard`] reads the 52 fields. This module handles the peculiarities of gnubg, measured with
//! 1.07.001:
//!
//! - In gnubg's lines positive checkers and a turn of 1 always belong to gnubg's player 1, who
//!   moves towards their point 1.
//! - The flags for the right to double have player 1 first.
//! - Both pairs of dice show the roll.
//! - The last field is 0 in a Crawford game.
//! - The numbers of checkers on the bar and borne off are not filled in.
//! - Names and scores have player 0 first if a roll or a play is asked for. They have player 1
//!   first if an answer to a double is asked for. A score always belongs to the name in the same
//!   place.

use super::fibs_line::{is_of_fibs, question_of_fibs};
use crate::backgammon::{
    Cube, CubeError, CubeOwner, Dice, FibsBoard, FibsBoardError, Position, ScoreError, Scoring,
    Seat,
};
use crate::cube::CubeContext;

/// A board line of gnubg, or of a FIBS server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalBoard {
    /// Seen by player 1, or by the first player of a FIBS line.
    board: FibsBoard,
    /// Points of the match, 0 for money.
    length: u16,
    scores: [u16; 2],
    /// Whether player 1 is on roll or, if a double must be answered, has doubled.
    turn_of_player_1: bool,
    dice: Option<Dice>,
}

/// The decision that a board asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Roll or double; whether doubling is allowed.
    Roll(bool),
    /// Play a roll.
    Play(Dice),
    /// Take a double or drop.
    Answer,
}

/// A question about a game, seen by the player on roll, who is the doubler if a double must be
/// answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExternalQuestion {
    /// The decision.
    pub ask: Ask,
    /// The board.
    pub position: Position,
    /// Money play, or the score.
    pub scoring: Scoring,
    /// The cube, before the double if one must be answered.
    pub cube: Cube,
}

/// Why a line is not a valid question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ExternalBoardError {
    #[error(transparent)]
    Board(#[from] FibsBoardError),
    #[error("invalid {field} {found} in a board line: expected at most 65535")]
    TooLarge { field: &'static str, found: u32 },
    #[error(transparent)]
    Cube(#[from] CubeError),
    #[error(transparent)]
    Score(#[from] ScoreError),
    #[error("the game is over")]
    Over,
    #[error("unknown player '{own}': expected one of '{}' and '{}', and different names", names[0], names[1])]
    Stranger { own: String, names: [String; 2] },
}

impl ExternalBoard {
    /// Reads a line.
    ///
    /// # Errors
    /// [`ExternalBoardError`] names the field.
    pub fn parse(line: &str) -> Result<ExternalBoard, ExternalBoardError> {
        let board = FibsBoard::parse_loose(line)?;
        let small = |field, found| {
            u16::try_from(found).map_err(|_| ExternalBoardError::TooLarge { field, found })
        };
        let length = small("match length", board.length.unwrap_or(0))?;
        let scores = [small("score", board.score[0])?, small("score", board.score[1])?];
        let turn_of_player_1 = board.turn.ok_or(ExternalBoardError::Over)? == Seat::O;
        // Both pairs of dice show the roll, for either player; a FIBS server fills one of them.
        let dice = |[a, b]: [u8; 2]| Dice::new(a, b);
        let dice = dice(board.dice).or(dice(board.opponent_dice));
        Ok(ExternalBoard { board, length, scores, turn_of_player_1, dice })
    }

    /// The question of the board. `own_name` is this program's name in gnubg; without it, scores
    /// are read in the order of gnubg 1.07. `jacoby`: whether money games use the Jacoby rule,
    /// which is not in the line.
    ///
    /// # Errors
    /// [`ExternalBoardError`] if neither or both players have the name, or the score is invalid.
    pub fn question(
        &self,
        own_name: Option<&str>,
        jacoby: bool,
    ) -> Result<ExternalQuestion, ExternalBoardError> {
        if is_of_fibs(&self.board) {
            return question_of_fibs(&self.board);
        }
        let may_double = [self.board.may_double, self.board.opponent_may_double];
        let [own_may, opponent_may] =
            if self.turn_of_player_1 { may_double } else { [may_double[1], may_double[0]] };
        let ask = match (self.board.was_doubled, self.dice) {
            (true, _) => Ask::Answer,
            (false, Some(dice)) => Ask::Play(dice),
            (false, None) => Ask::Roll(own_may),
        };
        // A double is answered by the player who is not on roll.
        let asked_is_on_roll = ask != Ask::Answer;
        let on_roll_first = match own_name {
            None => self.turn_of_player_1 != asked_is_on_roll,
            Some(own) => {
                let names = [&self.board.player, &self.board.opponent];
                let stranger = || ExternalBoardError::Stranger {
                    own: own.to_owned(),
                    names: names.map(String::clone),
                };
                let ours = names.map(|name| name == own);
                match ours {
                    [true, false] => asked_is_on_roll,
                    [false, true] => !asked_is_on_roll,
                    _ => return Err(stranger()),
                }
            }
        };
        let [first, second] = self.scores;
        let (own, opponent) = if on_roll_first { (first, second) } else { (second, first) };
        let scoring = match self.length {
            0 => Scoring::Money { jacoby, beavers: false },
            length => Scoring::of_match(length, own, opponent, self.board.redoubles == 0)?,
        };
        let owner = match (own_may, opponent_may) {
            (true, false) => CubeOwner::Own,
            (false, true) => CubeOwner::Opponent,
            _ => CubeOwner::Centred,
        };
        let cube = Cube::new(self.board.cube, owner)?;
        let position = self.board.position;
        let position = if self.turn_of_player_1 { position } else { position.flipped() };
        if position.outcome().is_some() {
            return Err(ExternalBoardError::Over);
        }
        Ok(ExternalQuestion { ask, position, scoring, cube })
    }
}

/// The line that asks for a play, seen by the player on roll; without a context, for a money game
/// without a cube.
pub(super) fn ask_for_play(
    position: &Position,
    dice: Dice,
    context: Option<&CubeContext>,
) -> String {
    let game = context.map_or(BoardGame::CUBELESS, |context| BoardGame::of(context, false));
    board(position, [dice.high(), dice.low()], &game)
}

/// The line that asks the player on roll whether they double.
pub(super) fn ask_about_double(position: &Position, context: &CubeContext) -> String {
    board(position, [0, 0], &BoardGame::of(context, false))
}

/// The line that asks the opponent of the player on roll, who has doubled, for an answer.
pub(super) fn ask_for_answer(position: &Position, context: &CubeContext) -> String {
    board(position, [0, 0], &BoardGame::of(context, true))
}

/// The line that asks for the evaluation of a position before the roll; `plies` count from 0, as in
/// gnubg.
pub(super) fn ask_for_evaluation(position: &Position, plies: u8) -> String {
    let board = board(position, [0, 0], &BoardGame::CUBELESS);
    format!("evaluation fibsboard {board} plies {plies} cubeless")
}

/// The match score and the cube of a line.
struct BoardGame {
    length: u16,
    /// In the order that gnubg 1.07 reads: the opponent first, and the player on roll first if the
    /// opponent must answer a double. Measured: with 800 random positions, scores and cubes it
    /// answers as its `hint` does.
    scores: [u16; 2],
    cube: u32,
    /// Whether the player on roll and the opponent may double.
    may_double: [bool; 2],
    doubled: bool,
    /// Outside the Crawford game; gnubg reads it only in matches.
    no_crawford: bool,
}

impl BoardGame {
    const CUBELESS: BoardGame = BoardGame {
        length: 0,
        scores: [0; 2],
        cube: 1,
        may_double: [true; 2],
        doubled: false,
        no_crawford: false,
    };

    fn of(context: &CubeContext, doubled: bool) -> BoardGame {
        let (length, scores, crawford) = match context.scoring.session() {
            Scoring::Money { .. } => (0, [0; 2], false),
            Scoring::Match(score) => {
                let (own, opponent) = (score.own(), score.opponent());
                let scores = if doubled { [own, opponent] } else { [opponent, own] };
                (score.length(), scores, score.is_crawford())
            }
        };
        let owner = context.cube.owner();
        BoardGame {
            length,
            scores,
            cube: context.cube.value(),
            may_double: [owner != CubeOwner::Opponent, owner != CubeOwner::Own],
            doubled,
            no_crawford: !crawford,
        }
    }
}

fn board(position: &Position, dice: [u8; 2], game: &BoardGame) -> String {
    let points: Vec<String> = position.points().iter().map(ToString::to_string).collect();
    let off = |left: u8| 15 - left;
    let [own_bar, their_bar] = [position.points()[25], -position.points()[0]];
    let BoardGame { length, scores: [first, second], cube, may_double, .. } = game;
    let [may, may_opponent] = may_double.map(u8::from);
    format!(
        "board:a:b:{length}:{first}:{second}:{}:1:{}:{}:0:0:{cube}:{may}:{may_opponent}:{}:1:-1:0:25:{}:{}:{own_bar}:{their_bar}:2:0:0:{}",
        points.join(":"),
        dice[0],
        dice[1],
        u8::from(game.doubled),
        off(position.own_left()),
        off(position.opponent_left()),
        u8::from(game.no_crawford),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::CubeScoring;
    use proptest::prelude::*;

    /// As gnubg 1.07.001 sent it, name and scores as given.
    fn line(head: &str, turn: i32, dice: &str, tail: &str) -> String {
        let points = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0";
        format!("board:{head}:{points}:{turn}:{dice}:{dice}:{tail}")
    }

    const CENTRED: &str = "1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";
    const DOUBLED: &str = "1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1";

    fn question(line: &str, own: Option<&str>) -> ExternalQuestion {
        ExternalBoard::parse(line).expect(line).question(own, true).expect(line)
    }

    #[test]
    fn scores_belong_to_the_names_and_not_to_the_sides_of_the_board() {
        // Measured at 2-4: player 1 is root, who has 4 points; in the request for an answer the
        // names are exchanged.
        let play = line("gnubg:root:7:2:4", 1, "5:3", CENTRED);
        let answer = line("root:gnubg:7:4:2", 1, "0:0", DOUBLED);
        for own in [Some("root"), None] {
            let question = question(&play, own);
            assert_eq!(question.scoring.away(), Some((3, 5)), "{own:?}: root is on roll");
            assert_eq!(question.ask, Ask::Play("53".parse().expect("a roll")));
        }
        for own in [Some("gnubg"), None] {
            let question = question(&answer, own);
            assert_eq!(question.scoring.away(), Some((3, 5)), "{own:?}: root has doubled");
            assert_eq!(question.ask, Ask::Answer);
        }
        let board = ExternalBoard::parse(&play).expect("a board");
        assert!(matches!(
            board.question(Some("ann"), true),
            Err(ExternalBoardError::Stranger { .. })
        ));
    }

    #[test]
    fn the_board_is_seen_by_the_player_on_roll() {
        let bars =
            "board:gnubg:root:0:0:0:-1:1:1:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:-1:0:0:0";
        for (turn, own_one_point) in [(1, 1), (-1, 0)] {
            let text = format!("{bars}:{turn}:0:0:0:0:2:1:0:0:1:-1:0:25:0:0:0:0:0:0:0:1");
            let question = question(&text, None);
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
    fn the_last_field_marks_the_crawford_game() {
        let score = |tail: &str| match question(&line("a:b:3:2:1", 1, "0:0", tail), None).scoring {
            Scoring::Match(score) => (score.is_crawford(), score.is_post_crawford()),
            Scoring::Money { .. } => (false, false),
        };
        assert_eq!(score("1:0:0:0:1:-1:0:25:0:0:0:0:0:0:0:0"), (true, false));
        assert_eq!(score("1:1:1:0:1:-1:0:25:0:0:0:0:0:0:1:1"), (false, true));
    }

    #[test]
    fn our_lines_read_back_and_are_shorter_than_255_bytes() {
        let dice = "61".parse().expect("a roll");
        let crowded = Position::from_sides(&[(25, 15)], &[(25, 15)]).expect("legal");
        for position in [Position::START, crowded] {
            let text = ask_for_play(&position, dice, None);
            assert!(text.len() < 200, "{} bytes: {text}", text.len());
            let question = question(&text, Some("a"));
            assert_eq!((question.position, question.ask), (position, Ask::Play(dice)));
        }
    }

    #[test]
    fn questions_with_score_and_cube_read_back_as_the_game() {
        let met = crate::cube::MatchEquityTable::kazaross_xg2;
        let money = Scoring::Money { jacoby: true, beavers: false };
        let score = |own, opponent, crawford| {
            Scoring::of_match(7, own, opponent, crawford).expect("a score")
        };
        let dice = "61".parse().expect("a roll");
        for (session, cube) in [
            (money, Cube::CENTRED),
            (score(2, 4, false), Cube::new(2, CubeOwner::Own).expect("a cube")),
            (score(6, 1, true), Cube::CENTRED),
            (score(6, 1, false), Cube::new(4, CubeOwner::Opponent).expect("a cube")),
        ] {
            let scoring = CubeScoring::new(session, met()).expect("in reach");
            let context = CubeContext { scoring, cube };
            let start = &Position::START;
            let lines = [
                (ask_for_play(start, dice, Some(&context)), Ask::Play(dice)),
                (ask_about_double(start, &context), Ask::Roll(cube.may_double())),
                (ask_for_answer(start, &context), Ask::Answer),
            ];
            for (text, ask) in lines {
                let question = question(&text, None);
                assert_eq!((question.ask, question.scoring), (ask, session), "{text}");
                assert_eq!((question.position, question.cube), (*start, cube), "{text}");
            }
        }
    }

    proptest! {
        #[test]
        fn arbitrary_lines_cause_no_panic(fields in proptest::collection::vec("-?[0-9]{1,5}|\\PC{0,3}", 50..54)) {
            if let Ok(board) = ExternalBoard::parse(&format!("board:{}", fields.join(":"))) {
                let _ = board.question(Some("a"), false);
            }
        }
    }
}
