//! One game from the first roll to the last checker: the only place where turns are taken.

use rand_pcg::Pcg64;

use super::player::{MoveChoice, Player};
use super::rng::{below, roll};
use crate::backgammon::{Cube, Dice, Outcome, Position, Results, Seat};
use crate::eval::Evaluation;

pub use crate::backgammon::record::MAX_TURNS;

/// A game that is over, as learners and statistics want it.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The board before each roll, its player on roll: `positions[0]` is the start, and the player changes each time.
    pub positions: Vec<Position>,
    /// The static evaluation of each position by the player who led to it, if he had a choice and says what he thinks.
    pub static_evals: Vec<Option<Evaluation>>,
    /// The end, for the player on roll in the last of the positions, who made the last play. `None` where no result
    /// followed from the checkers, as after a refused double; the last position is then the one in which the game
    /// stopped. A [`GameRunner`] plays every game to its end.
    pub outcome: Option<Outcome>,
    /// The player who rolled first.
    pub first: Seat,
}

impl Game {
    /// A game of which nobody says what he thought; `first` is the player who rolled first.
    #[must_use]
    pub fn without_evals(positions: Vec<Position>, outcome: Option<Outcome>, first: Seat) -> Game {
        let static_evals = vec![None; positions.len()];
        Game { positions, static_evals, outcome, first }
    }

    /// Points for the first of the two players, -3..3, whoever rolled first; 0 without an outcome.
    #[must_use]
    pub fn points(&self) -> i32 {
        let last = (self.first.index() + self.positions.len() - 1) % 2;
        let points = self.outcome.map_or(0, Outcome::points);
        if last == 0 { points } else { -points }
    }
}

/// A game that was played with the cube.
#[derive(Clone, Debug, PartialEq)]
pub struct CubeGame {
    /// Its checkers; no outcome if a double was refused by the player who is not on roll in the last position.
    pub game: Game,
    /// What the cube showed at the end, a refused double left out.
    pub cube: u32,
}

impl CubeGame {
    /// Points for the first of the two players: what the cube showed, times 1 to 3 if the checkers decided.
    #[must_use]
    pub fn points(&self) -> i32 {
        let cube = i32::try_from(self.cube).unwrap_or(i32::MAX / 3);
        let Game { positions, outcome, first, .. } = &self.game;
        match outcome {
            Some(_) => cube * self.game.points(),
            None if (first.index() + positions.len() - 1).is_multiple_of(2) => cube,
            None => -cube,
        }
    }

    /// How it ended for the player on roll in the last of its positions; a refused double is a single game won.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.game.outcome.unwrap_or(Outcome::Win)
    }
}

/// One turn, as somebody at the table sees it.
#[derive(Clone, Copy, Debug)]
pub struct PlayedTurn<'a> {
    /// The player who rolled.
    pub player: Seat,
    /// What he rolled.
    pub dice: Dice,
    /// The board he left, the opponent on roll.
    pub after: &'a Position,
}

/// A table to play at: the buffers that games share.
#[derive(Default)]
pub struct GameRunner {
    results: Results,
    values: Vec<Evaluation>,
    positions: Vec<Position>,
    static_evals: Vec<Option<Evaluation>>,
}

impl GameRunner {
    /// Plays one game from the start. Each player throws one die, and the higher one begins with that roll; `None` if the
    /// game runs past [`MAX_TURNS`], or an external engine fails ([`Player::failure`]).
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

    /// As [`GameRunner::play`], with somebody who sees every turn.
    pub fn play_seen(
        &mut self,
        players: [&dyn Player; 2],
        dice: &mut Pcg64,
        choices: &mut Pcg64,
        seen: impl FnMut(&PlayedTurn),
    ) -> Option<Game> {
        let begin = opening(dice);
        self.play_on(players, begin, None, dice, choices, seen).map(|ended| ended.game)
    }

    /// As [`GameRunner::play`], for money and with the cube: without the Jacoby rule and beavers.
    pub fn play_with_cube(
        &mut self,
        players: [&dyn Player; 2],
        dice: &mut Pcg64,
        choices: &mut Pcg64,
    ) -> Option<CubeGame> {
        let begin = opening(dice);
        self.play_on(players, begin, Some(Cube::CENTRED), dice, choices, |_| ())
    }

    /// Plays a game on from `start`, the first of the two players on roll with any throw of the dice; `None` as above.
    pub fn play_from(
        &mut self,
        players: [&dyn Player; 2],
        start: Position,
        dice: &mut Pcg64,
        choices: &mut Pcg64,
    ) -> Option<Game> {
        let begin = GameStart { start, first: Seat::X, rolled: roll(dice) };
        self.play_on(players, begin, None, dice, choices, |_| ()).map(|ended| ended.game)
    }

    fn play_on(
        &mut self,
        players: [&dyn Player; 2],
        GameStart { start, first, rolled }: GameStart,
        mut cube: Option<Cube>,
        dice: &mut Pcg64,
        choices: &mut Pcg64,
        mut seen: impl FnMut(&PlayedTurn),
    ) -> Option<CubeGame> {
        self.positions.clear();
        self.static_evals.clear();
        let mut static_eval = None;
        let (mut position, mut player, mut rolled) = (start, first, rolled);
        while self.positions.len() < MAX_TURNS {
            self.positions.push(position);
            self.static_evals.push(static_eval.take());
            if self.positions.len() > 1
                && let Some(seen) = cube
                && seen.may_double()
                && players[player.index()].doubles(&position, seen)
            {
                if !players[player.other().index()].takes(&position, seen) {
                    return Some(self.ended(None, first, cube));
                }
                cube = Some(seen.doubled());
            }
            let results = self.results.of(&position, rolled);
            let choice = if results.len() == 1 {
                0
            } else {
                let decision = MoveChoice { position: &position, dice: rolled, results };
                let choice = players[player.index()].choose(&decision, &mut self.values, choices);
                if players[player.index()].failure().is_some() {
                    return None;
                }
                static_eval = players[player.index()].static_eval(&self.values, choice);
                choice
            };
            position = results[choice];
            seen(&PlayedTurn { player, dice: rolled, after: &position });
            if let Some(outcome) = position.outcome() {
                return Some(self.ended(Some(outcome.flipped()), first, cube));
            }
            player = player.other();
            cube = cube.map(Cube::flipped);
            rolled = roll(dice);
        }
        None
    }

    fn ended(&self, outcome: Option<Outcome>, first: Seat, cube: Option<Cube>) -> CubeGame {
        let (positions, static_evals) = (self.positions.clone(), self.static_evals.clone());
        let game = Game { positions, static_evals, outcome, first };
        CubeGame { game, cube: cube.map_or(1, Cube::value) }
    }
}

/// How a game begins: where, by whom, and with which roll.
struct GameStart {
    start: Position,
    first: Seat,
    rolled: Dice,
}

/// Both throw one die until they differ: that decides who begins, and with which roll.
fn opening(dice: &mut Pcg64) -> GameStart {
    loop {
        let rolled = roll(dice);
        if !rolled.is_double() {
            // A roll does not say whose die was higher; one more throw does.
            return GameStart { start: Position::START, first: Seat::BOTH[below(2, dice)], rolled };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Random, StreamPurpose, stream};

    fn play(index: u64) -> Game {
        let (mut dice, mut choices) =
            (stream(3, StreamPurpose::Match, index), stream(3, StreamPurpose::Choice, index));
        GameRunner::default().play([&Random, &Random], &mut dice, &mut choices).expect("ends")
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
        let mut table = GameRunner::default();
        let mut last = None;
        for index in 0..6 {
            let (mut dice, mut choices) =
                (stream(3, StreamPurpose::Match, index), stream(3, StreamPurpose::Choice, index));
            last = table.play([&Random, &Random], &mut dice, &mut choices);
        }
        assert_eq!(last, Some(alone));
    }

    /// Doubles always; takes up to this height.
    struct Wild(u32);

    impl Player for Wild {
        fn choose(&self, _: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
            0
        }

        fn doubles(&self, _: &Position, _: Cube) -> bool {
            true
        }

        fn takes(&self, _: &Position, cube: Cube) -> bool {
            cube.value() < self.0
        }
    }

    #[test]
    fn whoever_doubles_and_is_refused_wins_what_the_cube_showed() {
        for index in 0..20 {
            let (mut dice, mut choices) =
                (stream(3, StreamPurpose::Match, index), stream(3, StreamPurpose::Choice, index));
            let game = GameRunner::default()
                .play_with_cube([&Wild(4), &Wild(4)], &mut dice, &mut choices)
                .expect("ends");
            // Nobody may double before the opening roll; each then doubles in turn, and the third double is refused.
            assert_eq!((game.cube, game.game.positions.len(), game.game.outcome), (4, 4, None));
            assert_eq!(game.points(), if game.game.first == Seat::O { 4 } else { -4 });
            assert_eq!(game.outcome(), Outcome::Win);
        }
    }

    #[test]
    fn without_doubles_a_game_with_the_cube_is_one_without() {
        let (mut dice, mut choices) =
            (stream(3, StreamPurpose::Match, 5), stream(3, StreamPurpose::Choice, 5));
        let game = GameRunner::default()
            .play_with_cube([&Random, &Random], &mut dice, &mut choices)
            .expect("ends");
        assert_eq!((game.cube, game.points()), (1, play(5).points()));
        assert_eq!(game.game, play(5));
    }

    #[test]
    fn points_are_the_first_players_whoever_began() {
        let games: Vec<Game> = (0..50).map(play).collect();
        assert!(
            games.iter().any(|g| g.first == Seat::X) && games.iter().any(|g| g.first == Seat::O)
        );
        for game in games {
            let winner = (game.first.index() + game.positions.len() - 1) % 2;
            assert_eq!(game.points() > 0, winner == 0);
        }
    }
}
