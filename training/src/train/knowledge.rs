//! The knowledge of a net, in the terms of the game.
//!
//! It has the net's values of fixed positions, its plays of the opening rolls, and the beginning of
//! a game with itself. That game always has the same dice.

use serde::{Deserialize, Serialize};

use nonet_engine::backgammon::{Dice, Position, Seat, candidates, play_to};
use nonet_engine::eval::{Evaluator, Specialists};
use nonet_engine::game::{GameRunner, Greedy, StreamPurpose, stream};

/// A position; its value is recorded at every test of a run.
///
/// ```
/// use nonet_engine::Position;
/// use nonet_training::train::FIXED_POSITIONS;
///
/// assert_eq!(FIXED_POSITIONS[0].position(), Position::START);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedPosition {
    /// A short name, as on charts.
    pub name: &'static str,
    /// Its Position ID, with the player on roll.
    id: &'static str,
    /// Cubeless equity of the player on roll, in points a game.
    ///
    /// It is that of games played to the end by the champion, or the exact one.
    pub equity: f32,
    /// Whether the equity is exact: it comes from the two-sided bearoff database.
    pub exact: bool,
}

impl FixedPosition {
    /// The position.
    #[must_use]
    pub fn position(&self) -> Position {
        Position::from_id(self.id).expect("the IDs of the table are valid")
    }
}

const fn judged(name: &'static str, id: &'static str, equity: f32) -> FixedPosition {
    FixedPosition { name, id, equity, exact: false }
}

/// The fixed positions. Equities are those of
/// `nonet rollout ID --cubeless --truncate 0 --games 2592` (errors of 0.001 to 0.003).
pub const FIXED_POSITIONS: &[FixedPosition] = &[
    judged("the start", "4HPwATDgc/ABMA", 0.081),
    judged("facing 31: 8/5 6/5", "sGfwATDgc/ABMA", -0.168),
    judged("blitz: two on the bar", "4HPwAWBoz8EBMA", 0.822),
    judged("holding the 20 point", "bJ4HBwCw5+ABAw", -0.565),
    judged("full prime", "uPscACDYtk0GAA", 0.863),
    judged("back game, 24 and 22", "5u42AADg7WAAMw", -0.468),
    judged("closeout against 10 off", "GwAA0La7AwAAAA", -0.363),
    judged("race, 101 pips each", "2L2OAgDYvY4CAA", 0.161),
    FixedPosition { name: "bearoff", id: "tgEAgJkBAAAAAA", equity: 0.2833, exact: true },
];

/// The opening rolls without doubles, each with the plays that opening theory accepts.
///
/// Those of 21 to 62 stand in Kit Woolsey's synopsis of March 1995 (rec.games.backgammon) as the
/// best play or an alternative. The Backgammon FAQ has the synopsis:
/// <https://stason.org/TULARC/games/backgammon/11-Opening-rolls-Backgammon.html>. Those of 63, 54,
/// 64 and 65 are in general use.
///
/// The champion at 3-ply without the cube agrees. Its best play of every roll is among them, and
/// none loses more than 0.03 points. The command is
/// `nonet hint 4HPwATDgc/ABMA ROLL --ply 3 --cubeless`.
const OPENINGS: &[(&str, &[&str])] = &[
    ("21", &["13/11 6/5", "24/23 13/11"]),
    ("31", &["8/5 6/5"]),
    ("41", &["24/23 13/9", "13/9 6/5"]),
    ("51", &["24/23 13/8", "13/8 6/5"]),
    ("61", &["13/7 8/7"]),
    ("32", &["24/21 13/11", "13/10 13/11"]),
    ("42", &["8/4 6/4"]),
    ("52", &["13/8 13/11", "24/22 13/8"]),
    ("62", &["24/18 13/11", "24/16", "13/5"]),
    ("43", &["24/20 13/10", "24/21 13/9", "13/9 13/10"]),
    ("53", &["8/3 6/3"]),
    ("63", &["24/18 13/10", "24/15"]),
    ("54", &["24/20 13/8", "13/8 13/9"]),
    ("64", &["8/2 6/2", "24/18 13/9", "24/14"]),
    ("65", &["24/13"]),
];

/// The plays of an opening roll that opening theory accepts; empty for other rolls.
///
/// ```
/// use nonet_training::train::established_plays;
///
/// assert_eq!(established_plays("31"), ["8/5 6/5"]);
/// ```
#[must_use]
pub fn established_plays(roll: &str) -> &'static [&'static str] {
    OPENINGS.iter().find(|(known, _)| *known == roll).map_or(&[], |(_, plays)| plays)
}

/// The 15 opening rolls, each with the plays that opening theory accepts.
pub fn established_openings() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    OPENINGS.iter().copied()
}

/// The knowledge of a net after some games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    /// Games that it learned from.
    pub games: u64,
    /// Its equities of the [`FIXED_POSITIONS`], in their order, at 1-ply.
    pub values: Vec<f32>,
    /// Its best plays of the 15 opening rolls without doubles, at 1-ply.
    pub openings: Vec<OpeningPlay>,
    /// A game with itself; kept after 100, 1,000, 10,000, ... games and at the end of a run.
    pub game: Option<SampleGame>,
}

/// The best play of an opening roll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpeningPlay {
    /// The roll, as `31`.
    pub roll: String,
    /// The play, as `8/5 6/5`.
    pub play: String,
    /// Its equity, in points a game.
    pub equity: f32,
    /// How much better it is than the second play, in points a game.
    pub lead: f32,
}

impl OpeningPlay {
    /// Whether opening theory accepts the play.
    #[must_use]
    pub fn is_established(&self) -> bool {
        established_plays(&self.roll).contains(&self.play.as_str())
    }
}

/// A game of a net with itself; its dice are the same for every net.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleGame {
    /// Its first turns, up to [`SampleGame::TURNS`]: roll and play. The two players take turns.
    pub turns: Vec<(String, String)>,
    /// All turns; 0 if the game was given up as endless.
    pub length: u64,
    /// Points of the player who began, -3 to 3.
    pub points: i32,
}

impl SampleGame {
    /// The most turns that are kept.
    pub const TURNS: usize = 8;
}

impl Knowledge {
    /// The knowledge of `team` after learning from `games` games.
    #[must_use]
    pub fn of(team: &Specialists, games: u64, with_game: bool) -> Knowledge {
        let positions: Vec<Position> =
            FIXED_POSITIONS.iter().map(FixedPosition::position).collect();
        let mut values = Vec::new();
        team.evaluate_into(&positions, &mut values);
        Knowledge {
            games,
            values: values.iter().map(|value| value.equity()).collect(),
            openings: OPENINGS.iter().map(|(roll, _)| opening(team, roll)).collect(),
            game: with_game.then(|| sample_game(team)),
        }
    }
}

/// Whether a sample game is kept after `games` games: 100, 1,000, 10,000, ...
#[must_use]
pub(super) fn keeps_game(games: u64) -> bool {
    let mut power = 100;
    while power < games {
        power *= 10;
    }
    power == games
}

fn opening(team: &Specialists, roll: &str) -> OpeningPlay {
    let dice: Dice = roll.parse().expect("the rolls of the table are valid");
    let plays = candidates(&Position::START, dice);
    let results: Vec<Position> = plays.iter().map(|play| play.after).collect();
    let mut values = Vec::new();
    team.evaluate_into(&results, &mut values);
    let mut ranked: Vec<(f32, usize)> =
        values.iter().enumerate().map(|(place, value)| (-value.equity(), place)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (equity, place) = ranked[0];
    OpeningPlay {
        roll: roll.to_owned(),
        play: plays[place].play.to_string(),
        equity,
        lead: equity - ranked[1].0,
    }
}

fn sample_game(team: &Specialists) -> SampleGame {
    let player = Greedy(team);
    let [mut dice, mut choices] =
        [StreamPurpose::Sample, StreamPurpose::Choice].map(|purpose| stream(1, purpose, 0));
    let (mut turns, mut length) = (Vec::new(), 0);
    let game =
        GameRunner::default().play_seen([&player, &player], &mut dice, &mut choices, |turn| {
            length += 1;
            if turns.len() < SampleGame::TURNS {
                let play = play_to(turn.before, turn.dice, turn.after);
                let play = play.map(|play| play.to_string()).unwrap_or_default();
                turns.push((format!("{}{}", turn.dice.high(), turn.dice.low()), play));
            }
        });
    // A game counts its points for the first of the two players, who need not be the one who
    // begins.
    let points = game.as_ref().map_or(0, |game| match game.first {
        Seat::X => game.points(),
        Seat::O => -game.points(),
    });
    SampleGame { turns, length: if game.is_some() { length } else { 0 }, points }
}

/// The file `knowledge.json` of a run: a list with one line for each test.
#[must_use]
pub fn knowledge_json(knowledge: &[Knowledge]) -> String {
    let line = |one| serde_json::to_string(one).expect("numbers and texts can be written as JSON");
    let lines: Vec<String> = knowledge.iter().map(line).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// Reads such a file.
///
/// # Errors
/// If the text is none.
pub fn read_knowledge(text: &str) -> Result<Vec<Knowledge>, serde_json::Error> {
    serde_json::from_str(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::bearoff::BearoffDatabases;
    use nonet_engine::eval::{Architecture, Cubeful};
    use nonet_engine::store::NetFile;

    fn champion() -> Specialists {
        let path =
            std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../nets/champion.nonet"));
        let bytes = std::fs::read(path).expect("the champion");
        NetFile::from_bytes(&bytes, path).expect("a net").team
    }

    #[test]
    fn every_established_play_is_legal_and_written_as_the_program_writes_it() {
        for (roll, plays) in OPENINGS {
            let dice: Dice = roll.parse().expect("a roll");
            let legal: Vec<String> =
                candidates(&Position::START, dice).iter().map(|one| one.play.to_string()).collect();
            for play in *plays {
                assert!(legal.contains(&(*play).to_owned()), "{roll}: {play} is not in {legal:?}");
            }
        }
        assert_eq!(OPENINGS.len(), 15);
    }

    #[test]
    fn a_strong_net_plays_nearly_all_openings_as_theory_does_and_a_random_one_few() {
        let count = |team: &Specialists| {
            let known = Knowledge::of(team, 0, false);
            known.openings.iter().filter(|opening| opening.is_established()).count()
        };
        assert!(count(&champion()) >= 13);
        let random =
            Specialists::random(&Architecture::ALL[0], &mut stream(1, StreamPurpose::Weights, 0));
        assert!(count(&random) <= 8);
    }

    #[test]
    fn a_strong_net_knows_the_value_of_every_fixed_position() {
        let known = Knowledge::of(&champion(), 0, false);
        for (fixed, value) in FIXED_POSITIONS.iter().zip(known.values) {
            let apart = (fixed.equity - value).abs();
            assert!(apart < 0.1, "{}: {value} instead of {}", fixed.name, fixed.equity);
        }
    }

    #[test]
    fn the_exact_value_of_the_bearoff_is_that_of_the_database() {
        let exact = FIXED_POSITIONS.iter().find(|fixed| fixed.exact).expect("one is exact");
        let databases = BearoffDatabases::generate();
        let Cubeful { cubeless, .. } = databases.cubeful(&exact.position()).expect("a bearoff");
        assert!((cubeless - exact.equity).abs() < 5e-5, "{cubeless}");
    }

    #[test]
    fn knowledge_is_the_same_each_time_and_is_read_back_from_its_file() {
        let team =
            Specialists::random(&Architecture::ALL[1], &mut stream(2, StreamPurpose::Weights, 0));
        let known = [Knowledge::of(&team, 100, true), Knowledge::of(&team, 300, false)];
        assert_eq!(known[0], Knowledge::of(&team, 100, true));
        let game = known[0].game.as_ref().expect("kept");
        assert_eq!(game.turns.len(), SampleGame::TURNS);
        assert_eq!(read_knowledge(&knowledge_json(&known)).expect("read back"), known);
        assert_eq!([10, 100, 300, 1000, 25_000].map(keeps_game), [false, true, false, true, false]);
    }
}
