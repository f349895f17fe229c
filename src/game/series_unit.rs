//! One unit of a series: a sequence of dice, played once or from both seats.

use rand_pcg::Pcg64;

use super::cube_counts::CubeCounts;
use super::match_series::SeriesConfig;
use super::runner::{CubeGame, Game};
use super::series_rules::{MatchLength, RunningScore, SeriesRules};
use crate::backgammon::{Outcome, Scoring, Seat};
use crate::cube::{CubeScoring, MatchEquityTable};
use crate::game::{GameRunner, Player, StreamPurpose, stream};

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
    /// What each player did with the cube.
    pub(super) cube: [CubeCounts; 2],
}

/// A game that was played to its end, as the first of the players who sit at the table sees it.
struct FinishedGame {
    points: i32,
    /// How it ended for its winner.
    outcome: Outcome,
    cube: u32,
    counts: [CubeCounts; 2],
}

impl FinishedGame {
    fn cubeless(game: &Game) -> Option<FinishedGame> {
        let (points, outcome) = (game.points(), game.outcome?);
        Some(FinishedGame { points, outcome, cube: 1, counts: Default::default() })
    }

    fn with_cube(game: &CubeGame) -> FinishedGame {
        let CubeGame { cube, counts, .. } = *game;
        FinishedGame { points: game.points(), outcome: game.outcome(), cube, counts }
    }

    const fn winner(&self) -> Seat {
        if self.points > 0 { Seat::X } else { Seat::O }
    }
}

impl PairResult {
    /// Adds a game: what every game contributes to the result of a unit is added up here. `exchanged`: the first player of
    /// the series sits in the second seat.
    fn add_game(&mut self, game: &FinishedGame, exchanged: bool) {
        let points = if exchanged { -game.points } else { game.points };
        self.points += i64::from(points);
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
        self.outcomes.extend(&games.outcomes);
        self.matches_won += u64::from(won);
        for (sum, counts) in self.cube.iter_mut().zip(games.cube) {
            *sum = sum.plus(counts);
        }
    }
}

/// Plays a unit: one sequence of dice, in both seats if duplicate. Between the games of a match, `ended` says whether to give
/// up: the result is then of no use.
pub(super) fn play_unit(
    table: &mut Table,
    players: [&dyn Player; 2],
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
        let players = if exchanged { [players[1], players[0]] } else { players };
        let mut seats = Seats { runner: &mut table.0, players, exchanged, choices: &mut choices };
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

/// Two players in their seats.
struct Seats<'a> {
    runner: &'a mut GameRunner,
    players: [&'a dyn Player; 2],
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
                let game = self.runner.play(self.players, &mut dice, self.choices)?;
                FinishedGame::cubeless(&game)
            }
        }
    }

    fn play_with_cube(&mut self, scoring: &CubeScoring, dice: &mut Pcg64) -> Option<FinishedGame> {
        let Seats { runner, players, choices, .. } = self;
        let game = runner.play_with_cube(*players, scoring, dice, choices, |_| ())?;
        Some(FinishedGame::with_cube(&game))
    }

    /// Plays a match: its games, and whether the first player of the series won it. Every game has dice of its own, so those
    /// of a game do not depend on how long the games before took. `None` if a game was endless.
    fn play_match(
        &mut self,
        length: MatchLength,
        config: &SeriesConfig,
        unit: u64,
        ended: &dyn Fn() -> bool,
    ) -> Option<(PairResult, bool)> {
        let (mut score, mut games) = (RunningScore::new(length), PairResult::default());
        for number in 0.. {
            if ended() {
                break;
            }
            let mut dice = dice(config, unit, number);
            let game = self.play_with_cube(&score.scoring(), &mut dice)?;
            games.add_game(&game, self.exchanged);
            score.add(game.winner(), game.points.unsigned_abs());
            if let Some(winner) = score.winner() {
                return Some((games, (winner == Seat::X) != self.exchanged));
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
        let result = play_unit(&mut Table::default(), [&sees, &Random], &config, 3, &|| false);
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
