//! Games between two players, with or without the cube.

use rand_pcg::Pcg64;

use super::player::{MoveChoice, Player};
use super::rng::{opening_roll, roll};
use super::turns::{GameEnd, TakenTurns, TurnDriver, take_turns};
use crate::backgammon::{Cube, Dice, Outcome, Position, Results, Seat};
use crate::eval::Evaluation;

pub use crate::backgammon::record::MAX_TURNS;

/// The positions of a game and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The board before each roll, its player on roll: `positions[0]` is the start, and the player changes each time.
    pub positions: Vec<Position>,
    /// The static evaluation of each position by the player whose play led to it, if that player had a choice and has an
    /// evaluation.
    pub static_evals: Vec<Option<Evaluation>>,
    /// The result for the player on roll in the last of the positions, who made the last play. `None` if the checkers did
    /// not decide the game (a refused double, for example); the game then stopped in the last position. Games without a
    /// cube that a [`GameRunner`] plays always have one.
    pub outcome: Option<Outcome>,
    /// The player who rolled first.
    pub first: Seat,
}

impl Game {
    /// A game without static evaluations; `first` is the player who rolled first.
    #[must_use]
    pub fn without_evals(positions: Vec<Position>, outcome: Option<Outcome>, first: Seat) -> Game {
        let static_evals = vec![None; positions.len()];
        Game { positions, static_evals, outcome, first }
    }

    /// Points for the first of the two players (not the one who rolled first), -3..=3; 0 without an outcome.
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
    /// The positions and the result; without an outcome if a double was refused, by the player who is not on roll in the last
    /// position.
    pub game: Game,
    /// The value of the cube at the end; a refused double does not count.
    pub cube: u32,
}

impl CubeGame {
    /// Points for the first of the two players: the value of the cube, times 1 to 3 if the checkers decided the game.
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

/// One turn that was played.
#[derive(Clone, Copy, Debug)]
pub struct PlayedTurn<'a> {
    /// The player who rolled.
    pub player: Seat,
    /// The roll.
    pub dice: Dice,
    /// The board after the play, the opponent on roll.
    pub after: &'a Position,
}

/// Plays games between two players; it keeps the buffers that games share.
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

    /// Plays one game as [`GameRunner::play`] does and calls `observe` after every turn.
    pub fn play_seen(
        &mut self,
        players: [&dyn Player; 2],
        dice: &mut Pcg64,
        choices: &mut Pcg64,
        observe: impl FnMut(&PlayedTurn),
    ) -> Option<Game> {
        let opening = opening_roll(dice);
        self.play_on(players, Position::START, opening, None, dice, choices, observe)
            .map(|ended| ended.game)
    }

    /// Plays one game as [`GameRunner::play`] does, for money and with the cube: without the Jacoby rule and beavers.
    pub fn play_with_cube(
        &mut self,
        players: [&dyn Player; 2],
        dice: &mut Pcg64,
        choices: &mut Pcg64,
    ) -> Option<CubeGame> {
        let (opening, cube) = (opening_roll(dice), Some(Cube::CENTRED));
        self.play_on(players, Position::START, opening, cube, dice, choices, |_| ())
    }

    /// Plays a game from `start`, with the first of the two players on roll; `None` as for [`GameRunner::play`].
    pub fn play_from(
        &mut self,
        players: [&dyn Player; 2],
        start: Position,
        dice: &mut Pcg64,
        choices: &mut Pcg64,
    ) -> Option<Game> {
        let first = (Seat::X, roll(dice));
        self.play_on(players, start, first, None, dice, choices, |_| ()).map(|ended| ended.game)
    }

    #[allow(clippy::too_many_arguments, reason = "what all ways to play a game differ in")]
    fn play_on(
        &mut self,
        players: [&dyn Player; 2],
        start: Position,
        (first, opening): (Seat, Dice),
        cube: Option<Cube>,
        dice: &mut Pcg64,
        choices: &mut Pcg64,
        observe: impl FnMut(&PlayedTurn),
    ) -> Option<CubeGame> {
        self.positions.clear();
        self.static_evals.clear();
        let (static_eval, opening) = (None, Some(opening));
        let mut driver = PlayerTurns {
            runner: self,
            players,
            player: first,
            opening,
            cube,
            dice,
            choices,
            observe,
            static_eval,
            failed: false,
        };
        let TakenTurns { position, end, .. } = take_turns(start, MAX_TURNS, &mut driver);
        if driver.failed {
            return None;
        }
        let cube = driver.cube.map_or(1, Cube::value);
        let outcome = match end {
            GameEnd::Finished => position.outcome().map(Outcome::flipped),
            GameEnd::Stopped(Stop::Refused | Stop::Failed) => None,
            GameEnd::TooLong => return None,
        };
        let (positions, static_evals) = (self.positions.clone(), self.static_evals.clone());
        Some(CubeGame { game: Game { positions, static_evals, outcome, first }, cube })
    }
}

/// Why a game between players stops before its end.
enum Stop {
    /// A double was refused.
    Refused,
    /// An external engine failed.
    Failed,
}

/// The turns of two players.
struct PlayerTurns<'a, F> {
    runner: &'a mut GameRunner,
    players: [&'a dyn Player; 2],
    /// Who is on roll.
    player: Seat,
    /// The roll of the first turn until that turn.
    opening: Option<Dice>,
    /// Seen by the player on roll; `None` in games without a cube.
    cube: Option<Cube>,
    dice: &'a mut Pcg64,
    choices: &'a mut Pcg64,
    observe: F,
    /// The static evaluation of the position by the player of the turn before.
    static_eval: Option<Evaluation>,
    /// An external engine has failed: the last play is a placeholder.
    failed: bool,
}

impl<F: FnMut(&PlayedTurn)> TurnDriver for PlayerTurns<'_, F> {
    type Stop = Stop;

    #[inline]
    fn before_roll(&mut self, turn: usize, position: &Position) -> Option<Stop> {
        if self.failed {
            return Some(Stop::Failed);
        }
        self.runner.positions.push(*position);
        self.runner.static_evals.push(self.static_eval.take());
        if turn > 0
            && let Some(cube) = self.cube
            && cube.may_double()
            && self.players[self.player.index()].doubles(position, cube)
        {
            if !self.players[self.player.other().index()].takes(position, cube) {
                return Some(Stop::Refused);
            }
            self.cube = Some(cube.doubled());
        }
        None
    }

    #[inline]
    fn roll(&mut self, _: usize) -> Dice {
        self.opening.take().unwrap_or_else(|| roll(self.dice))
    }

    #[inline]
    fn play(&mut self, _: usize, position: &Position, dice: Dice) -> Position {
        let GameRunner { results, values, .. } = &mut *self.runner;
        let results = results.of(position, dice);
        let choice = if results.len() == 1 {
            0
        } else {
            let player = self.players[self.player.index()];
            let choice =
                player.choose(&MoveChoice { position, dice, results }, values, self.choices);
            self.failed = player.failure().is_some();
            self.static_eval = player.static_eval(values, choice);
            choice
        };
        let after = results[choice];
        if self.failed {
            return after;
        }
        (self.observe)(&PlayedTurn { player: self.player, dice, after: &after });
        self.player = self.player.other();
        self.cube = self.cube.map(Cube::flipped);
        after
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
    fn a_game_does_not_depend_on_games_played_before() {
        let alone = play(5);
        let mut runner = GameRunner::default();
        let mut last = None;
        for index in 0..6 {
            let (mut dice, mut choices) =
                (stream(3, StreamPurpose::Match, index), stream(3, StreamPurpose::Choice, index));
            last = runner.play([&Random, &Random], &mut dice, &mut choices);
        }
        assert_eq!(last, Some(alone));
    }

    /// Always doubles; takes while the cube is below this value.
    struct AlwaysDoubles(u32);

    impl Player for AlwaysDoubles {
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
    fn a_refused_double_wins_the_value_of_the_cube() {
        for index in 0..20 {
            let (mut dice, mut choices) =
                (stream(3, StreamPurpose::Match, index), stream(3, StreamPurpose::Choice, index));
            let game = GameRunner::default()
                .play_with_cube([&AlwaysDoubles(4), &AlwaysDoubles(4)], &mut dice, &mut choices)
                .expect("ends");
            // No player may double before the opening roll; each then doubles in turn, and the third double is refused.
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
    fn points_are_those_of_the_first_of_the_two_players() {
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
