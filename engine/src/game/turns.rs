//! The turns of one game: the only place where players alternate, roll and play until a game ends.

use crate::backgammon::{Dice, Position};

/// The actions in the turns of a game. Turns count from 0; in turn `t` player `t % 2` is on roll,
/// counted from the player who begins.
pub trait TurnDriver {
    /// The reason why a game ends before the checkers decide it, a refused double for example.
    type Stop;

    /// Called before the roll of every turn, for doubles and for ends of any other kind.
    fn before_roll(&mut self, turn: usize, position: &Position) -> Option<Self::Stop>;

    /// The roll of a turn.
    fn roll(&mut self, turn: usize) -> Dice;

    /// Plays a roll: the board afterwards, the opponent on roll.
    fn play(&mut self, turn: usize, position: &Position, dice: Dice) -> Position;
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd<S> {
    /// The player of the last turn bore off the last checker.
    Finished,
    /// The driver stopped it before a roll.
    Stopped(S),
    /// The limit of turns was reached.
    TooLong,
}

/// A game after its last turn.
#[derive(Clone, Copy, Debug)]
pub struct TakenTurns<S> {
    /// The board, seen by the player who would be on roll next.
    pub position: Position,
    /// Turns taken.
    pub turns: usize,
    /// Why there are no more.
    pub end: GameEnd<S>,
}

/// Takes turns from `start` until the game ends, at most `limit` of them.
#[inline]
pub fn take_turns<D: TurnDriver>(
    start: Position,
    limit: usize,
    driver: &mut D,
) -> TakenTurns<D::Stop> {
    let mut position = start;
    for turn in 0..limit {
        if let Some(stop) = driver.before_roll(turn, &position) {
            return TakenTurns { position, turns: turn, end: GameEnd::Stopped(stop) };
        }
        let dice = driver.roll(turn);
        position = driver.play(turn, &position, dice);
        if position.outcome().is_some() {
            return TakenTurns { position, turns: turn + 1, end: GameEnd::Finished };
        }
    }
    TakenTurns { position, turns: limit, end: GameEnd::TooLong }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Results;

    /// Plays the first result of 6-1; stops before this turn.
    struct FirstResult(usize, Results);

    impl TurnDriver for FirstResult {
        type Stop = &'static str;

        fn before_roll(&mut self, turn: usize, _: &Position) -> Option<&'static str> {
            (turn == self.0).then_some("stopped")
        }

        fn roll(&mut self, _: usize) -> Dice {
            Dice::new(6, 1).expect("dice")
        }

        fn play(&mut self, _: usize, position: &Position, dice: Dice) -> Position {
            self.1.of(position, dice)[0]
        }
    }

    fn taken(stop: usize, limit: usize) -> TakenTurns<&'static str> {
        take_turns(Position::START, limit, &mut FirstResult(stop, Results::default()))
    }

    #[test]
    fn a_game_ends_by_its_checkers_by_its_driver_or_at_the_limit() {
        let finished = taken(usize::MAX, 5_000);
        assert_eq!(finished.end, GameEnd::Finished);
        assert!(finished.position.outcome().is_some());
        let stopped = taken(3, 5_000);
        assert_eq!((stopped.turns, stopped.end), (3, GameEnd::Stopped("stopped")));
        let cut = taken(usize::MAX, 2);
        assert_eq!((cut.turns, cut.end), (2, GameEnd::TooLong));
        let none = taken(0, 0);
        assert_eq!((none.position, none.turns), (Position::START, 0));
    }
}
