//! Board lines of FIBS servers, which bots send to this socket in place of gnubg's.
//!
//! Bots that were written for gnubg's socket send the lines of a FIBS server as they are. Those
//! begin with `board:You:`, or their first player is X or plays in ascending direction. gnubg never
//! writes such lines.
//!
//! They are read as FIBS writes them, in either direction. Scores have the first player first, and
//! the Crawford game follows from the score. The program gnubg reads the scores of such lines the
//! other way round.

use super::board::{Ask, ExternalBoardError, ExternalQuestion};
use crate::backgammon::{FibsBoard, Next, Seat};

/// Whether a FIBS server wrote the line.
pub(super) fn is_of_fibs(board: &FibsBoard) -> bool {
    board.is_own() || board.colour == Seat::X || board.ascending
}

/// The question of such a line.
///
/// # Errors
/// [`ExternalBoardError`] between two games, and for a score that no match in progress has.
pub(super) fn question_of_fibs(line: &FibsBoard) -> Result<ExternalQuestion, ExternalBoardError> {
    let mut board = line.clone();
    // In games without a cube, neither player may double in the lines of some servers. A double
    // that waits for this player is marked by another field.
    if !board.was_doubled && !board.may_double && !board.opponent_may_double {
        (board.may_double, board.opponent_may_double) = (true, true);
    }
    let game = board.state()?;
    let allowed = |may: [bool; 2]| may[usize::from(game.state.on_roll != board.colour)];
    let flags = [line.may_double, line.opponent_may_double];
    let ask = match game.next() {
        Next::OpeningRoll | Next::Over(_) => return Err(ExternalBoardError::Over),
        Next::Roll(_) => {
            Ask::Roll(allowed(flags) && game.state.scoring.has_cube() && game.may_double())
        }
        Next::Play(_, dice) => Ask::Play(dice),
        Next::Answer(_) => Ask::Answer,
    };
    let (scoring, cube) = (game.state.scoring, game.state.cube);
    Ok(ExternalQuestion { ask, position: game.position, scoring, cube })
}

#[cfg(test)]
mod tests {
    use super::super::board::ExternalBoard;
    use super::*;
    use crate::backgammon::{Cube, CubeOwner, Scoring};

    fn question(line: &str, own: Option<&str>) -> ExternalQuestion {
        ExternalBoard::parse(line).expect(line).question(own, true).expect(line)
    }

    /// A line of a FIBS server, with the points as O sees them.
    fn fibs(colour: i32, score: &str, points: &str, turn: i32, dice: &str, cube: &str) -> String {
        let edges = if colour == 1 { "1:-1:0:25" } else { "-1:1:25:0" };
        format!("board:You:bob:{score}:{points}:{turn}:{dice}:{cube}:{edges}:0:0:0:0:2:0:0:0")
    }

    /// X on the bar and with 14 checkers at home, O at the start.
    const BAR: &str = "-1:0:0:0:0:0:5:0:3:0:0:0:0:5:0:0:0:0:0:-5:-5:-4:0:0:2:0";

    #[test]
    fn fibs_lines_are_read_in_both_directions_with_the_own_score_first() {
        for (colour, dice) in [(1, "0:0:5:1"), (-1, "5:1:0:0")] {
            // X is on roll and leads 4-2, whoever the line is written for.
            let score = if colour == 1 { "5:2:4" } else { "5:4:2" };
            let question = question(&fibs(colour, score, BAR, -1, dice, "1:1:1:0"), None);
            assert_eq!(question.ask, Ask::Play("51".parse().expect("a roll")));
            assert_eq!((question.position.own(25), question.position.own(6)), (1, 5), "{colour}");
            assert_eq!(question.position.flipped().own(24), 2);
            let Scoring::Match(score) = question.scoring else { panic!("money") };
            assert_eq!((score.own(), score.opponent(), score.is_crawford()), (4, 2, true));
        }
    }

    #[test]
    fn a_double_on_fibs_is_answered_by_the_reader_whatever_the_turn_says() {
        for (colour, turn) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let line = fibs(colour, "7:2:3", BAR, turn, "0:0:0:0", "2:0:0:1");
            let question = question(&line, Some("nobody"));
            assert_eq!(question.ask, Ask::Answer);
            // It is seen by the doubler, who owns the cube.
            assert_eq!(question.position.own(25), u8::from(colour == 1), "{line}");
            assert_eq!(question.scoring.away(), Some((4, 5)));
            assert_eq!(question.cube, Cube::new(2, CubeOwner::Own).expect("a cube"));
        }
    }

    #[test]
    fn fibs_lines_say_who_may_double() {
        let ask = |score: &str, cube: &str| {
            question(&fibs(-1, score, BAR, -1, "0:0:0:0", cube), None).ask
        };
        assert_eq!(ask("7:2:3", "1:1:1:0"), Ask::Roll(true));
        assert_eq!(ask("7:2:3", "2:0:1:0"), Ask::Roll(false), "the opponent has the cube");
        assert_eq!(ask("7:6:3", "1:1:1:0"), Ask::Roll(false), "the Crawford game");
        assert_eq!(ask("1:0:0", "1:1:1:0"), Ask::Roll(false), "one point");
        assert_eq!(ask("1:0:0", "1:0:0:0"), Ask::Roll(false), "one point, flags of another server");
        assert_eq!(ask("9999:12:3", "1:1:1:0"), Ask::Roll(true), "unlimited");
        let between = ExternalBoard::parse(&fibs(1, "7:2:3", BAR, 0, "0:0:0:0", "1:1:1:0"));
        assert_eq!(between, Err(ExternalBoardError::Over));
    }
}
