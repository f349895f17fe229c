//! How a game ended, what it is worth, and the game after it; a game as a player sees it.

use super::GameResult;
use crate::{
    Cube, GamePhase, GameState, Outcome, Position, Resignation, Scoring, Seat, Side, Stake,
};

impl GameState {
    /// How the game ended for the player on roll: by the checkers, by a resignation, or by a pass,
    /// which is a single game.
    /// `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let (loser, won) = match (self.state.game, self.state.resigned) {
            (GamePhase::Dropped, _) => (self.state.to_decide(), Outcome::Win),
            (GamePhase::Resigned, Some(Resignation { by, stake })) => (by, stake.outcome()),
            _ => return self.position.outcome(),
        };
        Some(if loser == Side::Own { won.flipped() } else { won })
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    /// The winner and the points of a game that is over.
    #[must_use]
    pub fn result(&self) -> Option<GameResult> {
        let (outcome, cube) = (self.outcome()?, self.state.cube);
        let points = match self.state.game {
            GamePhase::Dropped | GamePhase::Resigned => {
                outcome.points().unsigned_abs() * cube.value()
            }
            _ => self.state.scoring.points(outcome, cube),
        };
        let won = if outcome.points() > 0 { Side::Own } else { Side::Opponent };
        Some(GameResult { winner: self.seat(won), points })
    }

    /// The next game before its opening roll, at the score after this one; `None` before the end of
    /// this game and after the end of a match. It begins in the usual starting position, whatever
    /// position this game began in. The first game after a player comes to one point away is the
    /// Crawford game.
    ///
    /// ```
    /// use backgammon::{GameState, Scoring, Seat, Stake};
    ///
    /// let game = GameState::start(Scoring::of_match(3, 0, 1, false)?);
    /// let next = game.resign(Seat::X, Stake::Single)?.next_game().ok_or("a match to 3")?;
    /// assert_eq!(next.state.scoring, Scoring::of_match(3, 0, 2, true)?);
    /// assert_eq!(next.resign(Seat::X, Stake::Single)?.next_game(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn next_game(&self) -> Option<GameState> {
        let GameResult { winner, points } = self.result()?;
        let winner = if winner == Seat::X { Side::Own } else { Side::Opponent };
        Some(GameState::start(match self.scoring_of(Seat::X) {
            Scoring::Match(score) => Scoring::Match(score.after_win(winner, points)?),
            money @ Scoring::Money { .. } => money,
        }))
    }

    /// The scoring, seen by a player.
    #[must_use]
    pub const fn scoring_of(&self, player: Seat) -> Scoring {
        let scoring = self.state.scoring;
        if player.index() == self.state.on_roll.index() { scoring } else { scoring.flipped() }
    }

    /// The cube, seen by a player.
    #[must_use]
    pub const fn cube_of(&self, player: Seat) -> Cube {
        let cube = self.state.cube;
        if player.index() == self.state.on_roll.index() { cube } else { cube.flipped() }
    }

    /// The checkers, seen by a player.
    #[must_use]
    pub fn seen_by(&self, player: Seat) -> Position {
        if player == self.state.on_roll { self.position } else { self.position.flipped() }
    }
}

/// The stake that the player on roll would win with all own checkers off now. A resignation is
/// worth no more, unless the opponent falls further behind.
///
/// ```
/// use backgammon::{Position, Stake};
///
/// assert_eq!(backgammon::stake_if_won_now(&Position::START), Stake::Backgammon);
/// ```
#[must_use]
pub fn stake_if_won_now(position: &Position) -> Stake {
    let opponent = position.flipped();
    if opponent.own_left() < opponent.checkers_at_start() {
        Stake::Single
    } else if (19..=25).any(|point| opponent.own(point) > 0) {
        Stake::Backgammon
    } else {
        Stake::Gammon
    }
}
