//! One game from the first roll to the last checker: the only place where turns are taken.

use rand_pcg::Pcg64;

use super::dice_stream::{below, roll};
use super::player::{Decision, Player};
use crate::backgammon::{Dice, Outcome, Position, Results};
use crate::value::Evaluation;

/// Turns after which a game is given up: untrained nets can shuffle for a long time. Of millions of training games one
/// or two run past 3,000.
pub const MAX_TURNS: usize = 5_000;

/// A game that is over, as learners and statistics want it.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The board before each roll, its player on roll: `positions[0]` is the start, and the player changes each time.
    pub positions: Vec<Position>,
    /// The static evaluation of each position by the player who led to it, if he had a choice and says what he thinks.
    pub opinions: Vec<Option<Evaluation>>,
    /// The end, for the player on roll in the last of the positions, who made the last play. `None` where no result
    /// followed from the checkers, as after a refused double; the last position is then the one in which the game
    /// stopped. A [`Table`] plays every game to its end.
    pub outcome: Option<Outcome>,
    /// Which of the two players rolled first.
    pub first: usize,
}

impl Game {
    /// A game of which nobody says what he thought; `first` is who of the two players rolled first.
    #[must_use]
    pub fn unjudged(positions: Vec<Position>, outcome: Option<Outcome>, first: usize) -> Game {
        let opinions = vec![None; positions.len()];
        Game { positions, opinions, outcome, first }
    }

    /// Points for the first of the two players, -3..3, whoever rolled first; 0 without an outcome.
    #[must_use]
    pub fn points(&self) -> i32 {
        let last = (self.first + self.positions.len() - 1) % 2;
        let points = self.outcome.map_or(0, Outcome::points);
        if last == 0 { points } else { -points }
    }
}

/// One turn, as somebody at the table sees it.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Which of the two players rolled.
    pub player: usize,
    /// What he rolled.
    pub dice: Dice,
    /// The board he left, the opponent on roll.
    pub after: &'a Position,
}

/// A table to play at: the buffers that games share.
#[derive(Default)]
pub struct Table {
    results: Results,
    values: Vec<Evaluation>,
    positions: Vec<Position>,
    opinions: Vec<Option<Evaluation>>,
}

impl Table {
    /// Plays one game from the start. Each player throws one die, and the higher one begins with that roll; `None` if the
    /// game runs past [`MAX_TURNS`].
    ///
    /// The dice come from `dice` alone, so two games with copies of it see the same rolls turn by turn.
    pub fn play(
        &mut self,
        players: [&dyn Player; 2],
        dice: &mut Pcg64,
        choices: &mut Pcg64,
    ) -> Option<Game> {
        self.play_seen(players, dice, choices, |_| ())
    }

    /// As [`Table::play`], with somebody who sees every turn.
    pub fn play_seen(
        &mut self,
        players: [&dyn Player; 2],
        dice: &mut Pcg64,
        choices: &mut Pcg64,
        seen: impl FnMut(&Seen),
    ) -> Option<Game> {
        let begin = opening(dice);
        self.play_on(players, begin, dice, choices, seen)
    }

    /// Plays a game on from `start`, the first of the two players on roll with any throw of the dice; `None` as above.
    pub fn play_from(
        &mut self,
        players: [&dyn Player; 2],
        start: Position,
        dice: &mut Pcg64,
        choices: &mut Pcg64,
    ) -> Option<Game> {
        let begin = Opening { start, first: 0, rolled: roll(dice) };
        self.play_on(players, begin, dice, choices, |_| ())
    }

    fn play_on(
        &mut self,
        players: [&dyn Player; 2],
        Opening { start, first, rolled }: Opening,
        dice: &mut Pcg64,
        choices: &mut Pcg64,
        mut seen: impl FnMut(&Seen),
    ) -> Option<Game> {
        self.positions.clear();
        self.opinions.clear();
        let mut opinion = None;
        let (mut position, mut player, mut rolled) = (start, first, rolled);
        while self.positions.len() < MAX_TURNS {
            self.positions.push(position);
            self.opinions.push(opinion.take());
            let results = self.results.of(&position, rolled);
            let choice = if results.len() == 1 {
                0
            } else {
                let decision = Decision { position: &position, dice: rolled, results };
                let choice = players[player].choose(&decision, &mut self.values, choices);
                opinion = players[player].opinion(&self.values, choice);
                choice
            };
            position = results[choice];
            seen(&Seen { player, dice: rolled, after: &position });
            if let Some(outcome) = position.outcome() {
                return Some(Game {
                    positions: self.positions.clone(),
                    opinions: self.opinions.clone(),
                    outcome: Some(outcome.flipped()),
                    first,
                });
            }
            player = 1 - player;
            rolled = roll(dice);
        }
        None
    }
}

/// How a game begins: where, by whom, and with which roll.
struct Opening {
    start: Position,
    first: usize,
    rolled: Dice,
}

/// Both throw one die until they differ: that decides who begins, and with which roll.
fn opening(dice: &mut Pcg64) -> Opening {
    loop {
        let rolled = roll(dice);
        if !rolled.is_double() {
            // A roll does not say whose die was higher; one more throw does.
            return Opening { start: Position::START, first: below(2, dice), rolled };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Domain, Random, stream};

    fn play(index: u64) -> Game {
        let (mut dice, mut choices) =
            (stream(3, Domain::Match, index), stream(3, Domain::Choice, index));
        Table::default().play([&Random, &Random], &mut dice, &mut choices).expect("ends")
    }

    #[test]
    fn each_position_follows_from_the_one_before_by_a_legal_play() {
        let mut results = Results::default();
        for index in 0..20 {
            let game = play(index);
            assert_eq!(game.positions[0], Position::START);
            for pair in game.positions.windows(2) {
                let legal = Dice::ALL.iter().any(|&d| results.of(&pair[0], d).contains(&pair[1]));
                assert!(legal, "{:?} to {:?}", pair[0], pair[1]);
            }
            assert!(game.outcome.is_some_and(|outcome| outcome.points() > 0), "the last play wins");
        }
    }

    #[test]
    fn a_game_is_the_same_whoever_played_before_it() {
        let alone = play(5);
        let mut table = Table::default();
        let mut last = None;
        for index in 0..6 {
            let (mut dice, mut choices) =
                (stream(3, Domain::Match, index), stream(3, Domain::Choice, index));
            last = table.play([&Random, &Random], &mut dice, &mut choices);
        }
        assert_eq!(last, Some(alone));
    }

    #[test]
    fn points_are_the_first_players_whoever_began() {
        let games: Vec<Game> = (0..50).map(play).collect();
        assert!(games.iter().any(|g| g.first == 0) && games.iter().any(|g| g.first == 1));
        for game in games {
            let winner = (game.first + game.positions.len() - 1) % 2;
            assert_eq!(game.points() > 0, winner == 0);
        }
    }
}
