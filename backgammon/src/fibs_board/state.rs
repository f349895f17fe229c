//! The game on a board: its cube, its scoring and its state.

use super::FibsBoard;
use crate::{
    Cube, CubeOffer, CubeOwner, GamePhase, GameState, MatchState, ScoreError, Scoring, Side, Turn,
};

impl FibsBoard {
    /// Whether the game is played with the cube.
    ///
    /// It is not in a match to 1 point, and not in the Crawford game. As [`Scoring::has_cube`],
    /// also for a score that no match in progress has.
    #[must_use]
    pub fn has_cube(&self) -> bool {
        self.length != Some(1) && !self.is_crawford()
    }

    /// Whether the player may double before their roll, as far as the board tells: the cube is in
    /// the middle or the player's.
    #[must_use]
    pub fn is_double_allowed(&self) -> bool {
        self.may_double && self.has_cube()
    }

    /// Whether the board shows a double that waits for an answer.
    ///
    /// A field says so for the other player's. While the player's own waits, neither player may
    /// double, and there are no dice. Some servers write such fields in games without a cube, too,
    /// where no double can wait.
    #[must_use]
    pub fn shows_double(&self) -> bool {
        let neither_may = !self.may_double && !self.opponent_may_double;
        let no_dice = self.dice == [0; 2] && self.opponent_dice == [0; 2];
        self.was_doubled || (neither_may && no_dice && self.has_cube())
    }

    /// The cube, seen by the player. One above 32768, where nothing changes any more, counts as
    /// 32768.
    #[must_use]
    pub fn cube(&self) -> Cube {
        let owner = match (self.may_double, self.opponent_may_double) {
            (true, false) => CubeOwner::Own,
            (false, true) => CubeOwner::Opponent,
            // While a double must be answered, neither player may double, but a cube above 1 was
            // owned by the doubler.
            (false, false) if self.cube > 1 => match self.on_roll() {
                _ if self.was_doubled => CubeOwner::Opponent,
                Some(Side::Own) => CubeOwner::Opponent,
                Some(Side::Opponent) => CubeOwner::Own,
                None => CubeOwner::Centred,
            },
            _ => CubeOwner::Centred,
        };
        let log2 = self.cube.ilog2().min(Cube::MAX_LOG2.into());
        Cube::from_log2(log2, owner).unwrap_or(Cube::CENTRED)
    }

    /// The scoring of the game, seen by the player. An unlimited match is scored as money.
    ///
    /// # Errors
    /// [`ScoreError`] if no match in progress has this score, as after the end of a match.
    pub fn scoring(&self) -> Result<Scoring, ScoreError> {
        Scoring::of_points(self.length, self.score, self.is_crawford())
    }

    /// The game on the board, seen by the player on roll; an offered double is [`Turn::Offered`],
    /// and the doubler is on roll. Between two games it is over, or not started.
    ///
    /// # Errors
    /// [`ScoreError`] if no match in progress has this score, as after the end of a match.
    pub fn state(&self) -> Result<GameState, ScoreError> {
        let turn = match self.rolled() {
            _ if self.shows_double() => Turn::Offered(CubeOffer::Double),
            Some(dice) => Turn::Rolled(dice),
            None => Turn::ToRoll,
        };
        let on_roll = match self.turn {
            // Only this field tells for certain who must answer.
            Some(_) if self.was_doubled => self.colour.other(),
            Some(responder) if self.shows_double() => responder.other(),
            turn => turn.unwrap_or(self.colour),
        };
        let own = GameState {
            position: self.position,
            state: MatchState {
                cube: self.cube(),
                on_roll: self.colour,
                ..MatchState::new(self.scoring()?)
            },
        };
        let mut game =
            if on_roll == self.colour { own } else { own.after(self.position.flipped()) };
        game.state.turn = turn;
        game.state.game = match (self.turn, game.position.outcome()) {
            (_, Some(_)) => GamePhase::Over,
            (None, None) => GamePhase::NotStarted,
            (Some(_), None) => GamePhase::Playing,
        };
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Next, Seat};

    /// The start seen by X, who is on roll, in a match to 5 points at 3 to 1.
    fn board() -> FibsBoard {
        let line = "board:You:ann:5:3:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:\
                    -1:0:0:0:0:1:1:1:0:-1:-1:0:25:0:0:0:0:2:0:0:0";
        let (mut board, _) = FibsBoard::parse(line).expect("a board");
        board.position = crate::Position::from_sides(&[(6, 3)], &[(5, 2)]).expect("legal");
        board
    }

    #[test]
    fn the_state_is_seen_by_the_player_on_roll() {
        let own = board();
        let state = own.state().expect("a score");
        assert_eq!((state.position, state.next()), (own.position, Next::Roll(Seat::X)));
        assert_eq!(state.scoring_of(Seat::X), Scoring::of_match(5, 3, 1, false).expect("a score"));
        assert!(own.is_double_allowed() && state.may_double());
        let theirs = FibsBoard {
            turn: Some(Seat::O),
            opponent_dice: [3, 1],
            cube: 2,
            may_double: false,
            ..own.clone()
        };
        let state = theirs.state().expect("a score");
        assert_eq!(state.next(), Next::Play(Seat::O, "31".parse().expect("dice")));
        assert_eq!(
            (state.position, state.cube_of(Seat::X)),
            (own.position.flipped(), theirs.cube())
        );
        assert_eq!(state.state.cube.owner(), CubeOwner::Own);
        assert_eq!(state.state.scoring.away(), Some((4, 2)));
    }

    #[test]
    fn an_offered_double_is_seen_by_the_doubler_and_waits_for_an_answer() {
        for (cube, owner) in [(1, CubeOwner::Centred), (4, CubeOwner::Own)] {
            let offered = FibsBoard {
                cube,
                may_double: false,
                opponent_may_double: false,
                was_doubled: true,
                ..board()
            };
            let state = offered.state().expect("a score");
            assert_eq!(state.next(), Next::Answer(Seat::X));
            assert_eq!((state.state.on_roll, state.state.cube.owner()), (Seat::O, owner));
            assert_eq!(state.seen_by(Seat::X), offered.position);
            assert_eq!(state.take().expect("offered").state.cube.value(), 2 * cube);
        }
    }

    #[test]
    fn a_game_without_a_cube_in_which_neither_player_may_double_has_no_double() {
        // The Crawford game at 4-2, and a match to 1 point.
        for (length, score, away) in [(5, [4, 2], (1, 3)), (1, [0, 0], (1, 1))] {
            let own = FibsBoard {
                length: Some(length),
                score,
                may_double: false,
                opponent_may_double: false,
                ..board()
            };
            let rolled = FibsBoard { dice: [3, 1], ..own.clone() };
            let dice = "31".parse().expect("dice");
            for (board, next) in [(own, Next::Roll(Seat::X)), (rolled, Next::Play(Seat::X, dice))] {
                let state = board.state().expect("a score");
                assert_eq!((state.next(), state.position), (next, board.position));
                assert_eq!(state.state.scoring.away(), Some(away));
                assert!(!board.shows_double());
            }
        }
        // With a cube our double waits, but not once the dice are rolled.
        let doubled = FibsBoard { may_double: false, opponent_may_double: false, ..board() };
        assert!(doubled.shows_double());
        assert!(!FibsBoard { dice: [3, 1], ..doubled }.shows_double());
    }

    #[test]
    fn a_board_after_the_match_has_no_state_and_one_between_games_no_player_on_roll() {
        let between = FibsBoard { turn: None, ..board() };
        assert_eq!(between.state().expect("a score").next(), Next::OpeningRoll);
        let over = FibsBoard { score: [5, 1], ..board() };
        assert!(matches!(over.state(), Err(ScoreError::Reached { side: Side::Own, .. })));
        let long = FibsBoard { length: Some(70_000), ..board() };
        assert!(matches!(long.state(), Err(ScoreError::Length(_))));
    }
}
