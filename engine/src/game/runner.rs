//! Games between two players, with or without the cube.

use rand_pcg::Pcg64;

use super::cube_in_play::CubeInPlay;
use super::played_game::{CubeGame, Game};
use super::player::{MoveChoice, Player};
use super::rng::{opening_roll, roll};
use super::turns::{GameEnd, TakenTurns, TurnDriver, take_turns};
use crate::backgammon::{Dice, Outcome, Position, Results, Seat};
use crate::cube::{CubeContext, CubeScoring};
use crate::eval::Evaluation;

pub use crate::backgammon::record::MAX_TURNS;

/// One turn that was played.
#[derive(Clone, Copy, Debug)]
pub struct PlayedTurn<'a> {
    /// The player who rolled.
    pub player: Seat,
    /// The board before the roll, this player on roll.
    pub before: &'a Position,
    /// The roll.
    pub dice: Dice,
    /// The board after the play, the opponent on roll.
    pub after: &'a Position,
    /// Whether this is the first turn of the game: its roll decided who begins.
    pub opening: bool,
    /// The score and the cube, seen by this player; `None` in a game without a cube.
    pub context: Option<&'a CubeContext>,
}

/// Plays games between two players; it keeps the buffers that games share.
///
/// ```
/// use nonet_engine::game::{GameRunner, Random, StreamPurpose, stream};
///
/// let mut dice = stream(1, StreamPurpose::Match, 0);
/// let mut choices = stream(1, StreamPurpose::Choice, 0);
/// let game = GameRunner::default().play([&Random, &Random], &mut dice, &mut choices);
/// assert!(game.is_some_and(|game| (1..=3).contains(&game.points().abs())));
/// ```
#[derive(Default)]
pub struct GameRunner {
    results: Results,
    values: Vec<Evaluation>,
    positions: Vec<Position>,
    static_evals: Vec<Option<Evaluation>>,
}

impl GameRunner {
    /// Plays one game from the start. Each player throws one die, and the higher one begins with
    /// that roll; `None` if the game runs past [`MAX_TURNS`], or a player fails: an external engine
    /// does ([`Player::failure`]), or a choice is no result.
    ///
    /// The dice come from `dice` alone, so two games with copies of it see the same rolls turn by
    /// turn.
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

    /// Plays one game as [`GameRunner::play_seen`] does, with the cube. `scoring` is seen by the
    /// first of the two players.
    pub fn play_with_cube(
        &mut self,
        players: [&dyn Player; 2],
        scoring: &CubeScoring,
        dice: &mut Pcg64,
        choices: &mut Pcg64,
        observe: impl FnMut(&PlayedTurn),
    ) -> Option<CubeGame> {
        let (opening, cube) = (opening_roll(dice), Some(CubeInPlay::new(scoring)));
        self.play_on(players, Position::START, opening, cube, dice, choices, observe)
    }

    /// Plays a game from `start`, with the first of the two players on roll; `None` as for
    /// [`GameRunner::play`].
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
        cube: Option<CubeInPlay>,
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
        if driver.failed || matches!(end, GameEnd::Stopped(Stop::Failed)) {
            return None;
        }
        let cube = driver.cube;
        let outcome = match end {
            GameEnd::Finished => position.outcome().map(Outcome::flipped),
            GameEnd::Stopped(Stop::Refused | Stop::Failed) => None,
            GameEnd::TooLong => return None,
        };
        let (positions, static_evals) = (self.positions.clone(), self.static_evals.clone());
        let game = Game { positions, static_evals, outcome, first };
        let single = cube.as_ref().is_some_and(CubeInPlay::single_games);
        let value = cube.as_ref().map_or(1, CubeInPlay::value);
        let counts = cube.map_or_else(Default::default, |cube| cube.counts);
        Some(CubeGame { game, cube: value, counts, single })
    }
}

/// Why a game between players stops before its end.
pub(super) enum Stop {
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
    /// `None` in games without a cube.
    cube: Option<CubeInPlay>,
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
        match &mut self.cube {
            Some(cube) if turn > 0 => cube.offer(position, self.player, self.players),
            _ => None,
        }
    }

    #[inline]
    fn roll(&mut self, _: usize) -> Dice {
        self.opening.take().unwrap_or_else(|| roll(self.dice))
    }

    #[inline]
    fn play(&mut self, turn: usize, position: &Position, dice: Dice) -> Position {
        let GameRunner { results, values, .. } = &mut *self.runner;
        let cube = self.cube.as_ref();
        let results = results.of(position, dice);
        let choice = if results.len() == 1 {
            0
        } else {
            let player = self.players[self.player.index()];
            let context = cube.map(|cube| cube.seen_by(self.player));
            let decision = MoveChoice { position, dice, results, context };
            let choice = player.choose(&decision, values, self.choices);
            self.failed = player.failure().is_some();
            self.static_eval = player.static_eval(values, choice);
            choice
        };
        let Some(&after) = results.get(choice).filter(|_| !self.failed) else {
            self.failed = true;
            return results[0];
        };
        (self.observe)(&PlayedTurn {
            player: self.player,
            before: position,
            dice,
            after: &after,
            opening: turn == 0,
            context: cube.map(|cube| cube.seen_by(self.player)),
        });
        self.player = self.player.other();
        after
    }
}

#[cfg(test)]
mod rules;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{CubeOwner, Scoring};
    use crate::cube::{Answer, MatchEquityTable};
    use crate::game::{CubeChoice, Random, StreamPurpose, stream};

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

        fn doubles(&self, _: &CubeChoice) -> bool {
            true
        }

        fn answer(&self, decision: &CubeChoice) -> Answer {
            if decision.context.cube.value() < self.0 { Answer::Beaver } else { Answer::Pass }
        }
    }

    /// Game `index` between two players with the cube.
    fn play_cube(players: [&dyn Player; 2], session: Scoring, index: u64) -> CubeGame {
        let scoring =
            CubeScoring::new(session, MatchEquityTable::kazaross_xg2()).expect("in reach");
        let (mut dice, mut choices) =
            (stream(3, StreamPurpose::Match, index), stream(3, StreamPurpose::Choice, index));
        let mut runner = GameRunner::default();
        runner.play_with_cube(players, &scoring, &mut dice, &mut choices, |_| ()).expect("ends")
    }

    const MONEY: Scoring = Scoring::Money { jacoby: false, beavers: false };

    #[test]
    fn a_refused_double_wins_the_value_of_the_cube() {
        for index in 0..20 {
            let game = play_cube([&AlwaysDoubles(4), &AlwaysDoubles(4)], MONEY, index);
            // No player may double before the opening roll; each then doubles in turn, and the
            // third double is refused.
            assert_eq!((game.cube, game.game.positions.len(), game.game.outcome), (4, 4, None));
            assert_eq!(game.points(), if game.game.first == Seat::O { 4 } else { -4 });
            assert_eq!(game.outcome(), Outcome::Win);
            let [first, second] =
                [game.game.first, game.game.first.other()].map(|seat| game.counts[seat.index()]);
            assert_eq!((second.doubles, second.redoubles, first.takes), (1, 1, 1));
            assert_eq!((first.doubles, first.redoubles, second.takes), (0, 1, 1));
            assert_eq!((first.drops, second.drops, first.beavers), (1, 0, 0));
        }
    }

    #[test]
    fn a_beaver_doubles_again_and_keeps_the_cube() {
        let beavers = Scoring::Money { jacoby: false, beavers: true };
        let game = play_cube([&AlwaysDoubles(8), &AlwaysDoubles(8)], beavers, 1);
        // 4 after the first beaver; its owner redoubles to 8 and is beavered to 16, and the next
        // double is refused.
        assert_eq!((game.cube, game.game.positions.len()), (16, 4));
        assert_eq!(game.counts.map(|counts| counts.beavers), [1, 1]);
    }

    #[test]
    fn there_are_no_doubles_in_the_crawford_game() {
        let crawford = Scoring::of_match(7, 6, 3, true).expect("a score");
        for index in 0..5 {
            let game = play_cube([&AlwaysDoubles(4), &AlwaysDoubles(4)], crawford, index);
            assert_eq!((game.cube, game.counts), (1, Default::default()));
        }
    }

    #[test]
    fn under_the_jacoby_rule_a_gammon_without_a_double_is_a_single_game() {
        let jacoby = Scoring::Money { jacoby: true, beavers: false };
        let mut gammons = 0;
        for index in 0..40 {
            let [plain, jacoby] =
                [MONEY, jacoby].map(|rules| play_cube([&Random, &Random], rules, index));
            gammons += u32::from(plain.points().abs() > 1);
            assert_eq!(
                (jacoby.points(), jacoby.outcome()),
                (plain.points().signum(), Outcome::Win)
            );
        }
        assert!(gammons > 0, "some of the games are gammons");
    }

    #[test]
    fn without_doubles_a_game_with_the_cube_is_one_without() {
        let game = play_cube([&Random, &Random], MONEY, 5);
        assert_eq!((game.cube, game.points()), (1, play(5).points()));
        assert_eq!(game.game, play(5));
    }

    /// Checks that every decision is put to the player as they see it, and doubles once.
    struct Sees(u16);

    impl Player for Sees {
        fn choose(&self, decision: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
            let context = decision.context.expect("with the cube");
            assert_eq!(context.scoring.session().away().map(|away| away.0), Some(self.0));
            assert!(context.cube.value() <= 2);
            0
        }

        fn doubles(&self, decision: &CubeChoice) -> bool {
            let away = decision.context.scoring.session().away();
            assert_eq!(away.map(|away| away.0), Some(self.0));
            decision.context.cube.owner() == CubeOwner::Centred
        }

        fn answer(&self, decision: &CubeChoice) -> Answer {
            let away = decision.context.scoring.session().away();
            assert_eq!(away.map(|away| away.1), Some(self.0), "as the doubler sees it");
            Answer::Take
        }
    }

    #[test]
    fn every_player_sees_the_score_and_the_cube_from_their_side() {
        let score = Scoring::of_match(7, 2, 4, false).expect("a score");
        for index in 0..4 {
            let game = play_cube([&Sees(5), &Sees(3)], score, index);
            assert_eq!(game.cube, 2);
        }
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
