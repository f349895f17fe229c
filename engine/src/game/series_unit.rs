//! One unit of a series: a sequence of dice, played once or from both seats.

use rand_pcg::Pcg64;

use super::cube_counts::CubeCounts;
use super::match_series::SeriesConfig;
use super::played_game::{CubeGame, Game};
use super::series_rules::{MatchLength, SeriesRules, scoring_at};
use crate::backgammon::{Outcome, Scoring, Seat, Side};
use crate::cube::{CubeScoring, MatchEquityTable};
use crate::game::{GameRunner, LuckEstimator, PlayedTurn, Player, SeenRoll, StreamPurpose, stream};

/// The buffers that units share.
#[derive(Default)]
pub(super) struct Table(GameRunner);

/// The results of a unit for the first player.
#[derive(Clone, Debug, Default)]
pub(super) struct PairResult {
    /// Points won less points lost.
    pub(super) points: i64,
    /// Games, or matches, given up as endless.
    pub(super) endless: u64,
    /// How each game ended.
    pub(super) outcomes: Vec<Outcome>,
    /// Matches won, if matches are played.
    pub(super) matches_won: u64,
    /// The cube actions of each player.
    pub(super) cube: [CubeCounts; 2],
    /// The luck of the first player, in units of 2^-[`LUCK_BITS`] points or match winning chances.
    pub(super) luck: i64,
}

/// Luck is added up in whole numbers of this many binary places, so that the order of the games
/// changes nothing.
pub(super) const LUCK_BITS: u32 = 30;

/// The players of a series, and who estimates the luck of their rolls.
#[derive(Clone, Copy)]
pub(super) struct Contest<'a> {
    pub(super) players: [&'a dyn Player; 2],
    pub(super) luck: Option<&'a dyn LuckEstimator>,
}

/// A game that was played to its end, as the first of the players who sit at the table sees it.
struct FinishedGame {
    points: i32,
    /// How it ended for its winner.
    outcome: Outcome,
    cube: u32,
    counts: [CubeCounts; 2],
    /// The luck of the first of the players at the table.
    luck: f64,
}

impl FinishedGame {
    fn cubeless(game: &Game, luck: f64) -> Option<FinishedGame> {
        let (points, outcome) = (game.points(), game.outcome?);
        Some(FinishedGame { points, outcome, cube: 1, counts: Default::default(), luck })
    }

    fn with_cube(game: &CubeGame, luck: f64) -> FinishedGame {
        let CubeGame { cube, counts, .. } = *game;
        FinishedGame { points: game.points(), outcome: game.outcome(), cube, counts, luck }
    }

    const fn winner(&self) -> Seat {
        if self.points > 0 { Seat::X } else { Seat::O }
    }
}

impl PairResult {
    /// Adds a game: what every game contributes to the result of a unit is added up here.
    /// `exchanged`: the first player of the series sits in the second seat.
    fn add_game(&mut self, game: &FinishedGame, exchanged: bool) {
        let points = if exchanged { -game.points } else { game.points };
        self.points += i64::from(points);
        let luck = if exchanged { -game.luck } else { game.luck };
        self.luck += (luck * f64::from(1u32 << LUCK_BITS)).round() as i64;
        self.outcomes.push(if points > 0 { game.outcome } else { game.outcome.flipped() });
        let [x, o] = game.counts;
        for (sum, counts) in self.cube.iter_mut().zip(if exchanged { [o, x] } else { [x, o] }) {
            *sum = sum.plus(counts);
        }
        let winner = &mut self.cube[usize::from(points < 0)];
        winner.won += 1;
        winner.won_cubes += u64::from(game.cube);
    }

    /// Adds a match that was played to its end.
    fn add_match(&mut self, games: &PairResult, won: bool) {
        self.points += games.points;
        self.luck += games.luck;
        self.outcomes.extend(&games.outcomes);
        self.matches_won += u64::from(won);
        for (sum, counts) in self.cube.iter_mut().zip(games.cube) {
            *sum = sum.plus(counts);
        }
    }
}

/// Plays a unit: one sequence of dice, in both seats if duplicate. Between the games of a match,
/// `ended` says whether to give up: the result is then of no use.
pub(super) fn play_unit(
    table: &mut Table,
    contest: Contest<'_>,
    config: &SeriesConfig,
    unit: u64,
    ended: &dyn Fn() -> bool,
) -> PairResult {
    let mut choices = stream(config.seed ^ config.purpose as u64, StreamPurpose::Choice, unit);
    let mut result = PairResult::default();
    for exchanged in [false, true] {
        if exchanged && !config.duplicate {
            break;
        }
        let [a, b] = contest.players;
        let players = if exchanged { [b, a] } else { [a, b] };
        let (runner, luck) = (&mut table.0, contest.luck);
        let mut seats = Seats { runner, players, luck, exchanged, choices: &mut choices };
        match config.rules {
            SeriesRules::Match(length) => match seats.play_match(length, config, unit, ended) {
                Some((games, won)) => result.add_match(&games, won),
                None => result.endless += 1,
            },
            SeriesRules::Cubeless | SeriesRules::Money { .. } => {
                match seats.play_money_game(config, unit) {
                    Some(game) => result.add_game(&game, exchanged),
                    None => result.endless += 1,
                }
            }
        }
    }
    result
}

/// The dice of a game of a unit: the first game of a match has those of a money game.
fn dice(config: &SeriesConfig, unit: u64, game: u64) -> Pcg64 {
    // Units are below 2^40, which would take years to play.
    stream(config.seed, config.purpose, unit | game << 40)
}

/// The luck of the first player at the table in one game.
struct GameLuck<'a> {
    estimator: Option<&'a dyn LuckEstimator>,
    sum: f64,
}

impl<'a> GameLuck<'a> {
    const fn new(estimator: Option<&'a dyn LuckEstimator>) -> GameLuck<'a> {
        GameLuck { estimator, sum: 0.0 }
    }

    fn add(&mut self, turn: &PlayedTurn) {
        let Some(estimator) = self.estimator else { return };
        let PlayedTurn { before: position, dice, opening, context, .. } = *turn;
        let luck = estimator.luck(&SeenRoll { position, dice, opening, context });
        self.sum += if turn.player == Seat::X { luck } else { -luck };
    }
}

/// Two players in their seats.
struct Seats<'a> {
    runner: &'a mut GameRunner,
    players: [&'a dyn Player; 2],
    luck: Option<&'a dyn LuckEstimator>,
    /// The first player of the series sits in the second seat.
    exchanged: bool,
    choices: &'a mut Pcg64,
}

impl Seats<'_> {
    fn play_money_game(&mut self, config: &SeriesConfig, unit: u64) -> Option<FinishedGame> {
        let mut dice = dice(config, unit, 0);
        match config.rules {
            SeriesRules::Money { jacoby, beavers } => {
                let session = Scoring::Money { jacoby, beavers };
                let scoring = CubeScoring::new(session, MatchEquityTable::kazaross_xg2())
                    .expect("money games have no score that a table could lack");
                self.play_with_cube(&scoring, &mut dice)
            }
            _ => {
                let mut luck = GameLuck::new(self.luck);
                let observe = |turn: &PlayedTurn| luck.add(turn);
                let game = self.runner.play_seen(self.players, &mut dice, self.choices, observe)?;
                FinishedGame::cubeless(&game, luck.sum)
            }
        }
    }

    fn play_with_cube(&mut self, scoring: &CubeScoring, dice: &mut Pcg64) -> Option<FinishedGame> {
        let Seats { runner, players, choices, .. } = self;
        let mut luck = GameLuck::new(self.luck);
        let observe = |turn: &PlayedTurn| luck.add(turn);
        let game = runner.play_with_cube(*players, scoring, dice, choices, observe)?;
        Some(FinishedGame::with_cube(&game, luck.sum))
    }

    /// Plays a match: its games, and whether the first player of the series won it. Every game has
    /// dice of its own, so those of a game do not depend on how long the games before took. `None`
    /// if a game was endless.
    fn play_match(
        &mut self,
        length: MatchLength,
        config: &SeriesConfig,
        unit: u64,
        ended: &dyn Fn() -> bool,
    ) -> Option<(PairResult, bool)> {
        let (mut score, mut games) = (length.start(), PairResult::default());
        for number in 0.. {
            if ended() {
                break;
            }
            let mut dice = dice(config, unit, number);
            let game = self.play_with_cube(&scoring_at(score), &mut dice)?;
            games.add_game(&game, self.exchanged);
            let winner = game.winner();
            let side = if winner == Seat::X { Side::Own } else { Side::Opponent };
            match score.after_win(side, game.points.unsigned_abs()) {
                Some(next) => score = next,
                None => return Some((games, (winner == Seat::X) != self.exchanged)),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Dice, Position};
    use crate::eval::{Evaluation, PubEval};
    use crate::game::{MoveChoice, Random, opening_roll};
    use std::sync::Mutex;

    /// Plays as PubEval does and records the rolls.
    struct Sees(Mutex<Vec<(Position, Dice)>>);

    impl Player for Sees {
        fn choose(&self, decision: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
            let seen = (*decision.position, decision.dice);
            self.0.lock().expect("no panic").push(seen);
            PubEval.choose(decision.position, decision.results)
        }
    }

    #[test]
    fn the_games_of_a_match_have_the_same_dice_from_both_seats() {
        let length = MatchLength::new(5).expect("a length");
        let config = SeriesConfig {
            games: 2,
            duplicate: true,
            rules: SeriesRules::Match(length),
            seed: 4,
            purpose: StreamPurpose::Match,
        };
        let sees = Sees(Mutex::default());
        let contest = Contest { players: [&sees, &Random], luck: None };
        let result = play_unit(&mut Table::default(), contest, &config, 3, &|| false);
        assert_eq!((result.points > 0, result.matches_won), (true, 2));
        // PubEval has the opening roll of every game in one of the two seats.
        let seen = sees.0.into_inner().expect("no panic");
        let openings: Vec<Dice> = seen
            .iter()
            .filter(|(position, _)| *position == Position::START)
            .map(|(_, dice)| *dice)
            .collect();
        let expected: Vec<Dice> =
            (0..2).map(|number| opening_roll(&mut dice(&config, 3, number)).1).collect();
        assert!(openings.len() >= 2 && expected.iter().all(|roll| openings.contains(roll)));
    }
}
