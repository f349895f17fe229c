//! One decision by how well both sides play afterwards.

use nonet_engine::engine::{LEVELS, Level};
use nonet_engine::rollout::{RolloutConfig, RolloutLine, RolloutSums};
use serde::Serialize;

use super::rollout::{RolledEquity, RolloutQuestion};

/// Rollouts of a decision for each pair of levels, with the same dice.
#[derive(Clone, Debug)]
pub struct StrengthQuestion {
    /// The levels of each side.
    levels: Vec<Level>,
    /// Row by row: the level of the player who is asked; in each row that of the opponent.
    pairs: Vec<RolloutQuestion>,
    /// All lines, pair by pair.
    lines: Vec<RolloutLine>,
}

/// A decision by how well both sides play afterwards, from rollouts with the same dice.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StrengthTable {
    /// Position ID of the board, the player who is asked on roll.
    #[cfg_attr(feature = "openapi", schema(example = "4HPwATDgc/ABMA"))]
    pub id: String,
    /// The roll of the plays that are rolled out; null without one.
    pub dice: Option<String>,
    /// Whether the cube counts.
    pub cubeful: bool,
    /// Plies after which games are cut off; 0 plays them to the end.
    pub truncate: u32,
    /// Depth of the equities that both sides decide by.
    pub plies: u8,
    /// Seed of dice and errors.
    pub seed: u64,
    /// Games of each decision and pair of levels.
    pub games: u64,
    /// Seconds so far.
    pub seconds: f64,
    /// The levels, the strongest first.
    pub levels: Vec<StrengthLevel>,
    /// What is decided between: plays, or both sides of the cube; `position` without a decision.
    pub decisions: Vec<String>,
    /// Row by row: the level of the player who is asked; in each row that of the opponent.
    pub rows: Vec<Vec<StrengthCell>>,
}

/// A level of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StrengthLevel {
    /// The name.
    #[cfg_attr(feature = "openapi", schema(example = "human-8"))]
    pub name: &'static str,
    /// The PR of its plays; null for the champion.
    pub pr: Option<f32>,
}

/// The decision between players of two levels.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StrengthCell {
    /// The best decision: a play, the cube decision in words, or `position`.
    #[cfg_attr(feature = "openapi", schema(example = "8/5 6/5"))]
    pub best: String,
    /// The equity of each decision, in their order.
    pub equities: Vec<RolledEquity>,
    /// How far the best play is ahead of the next one. For the cube it is what a double gains,
    /// below 0 where not doubling is better. Null for a position alone.
    pub lead: Option<RolledEquity>,
}

impl StrengthQuestion {
    /// The levels of a table: the champion, and people of three strengths.
    pub const LEVELS: [&'static str; 4] = ["champion", "human-4", "human-8", "human-11"];

    /// Games of each decision and pair of levels: each first throw four times.
    pub const GAMES: u64 = 144;

    /// How many of the best plays of a roll a table compares.
    pub const PLAYS: usize = 2;

    /// The decision between players of all pairs of [`StrengthQuestion::LEVELS`].
    #[must_use]
    pub fn new(asked: &RolloutQuestion) -> StrengthQuestion {
        let levels: Vec<Level> = StrengthQuestion::LEVELS
            .iter()
            .filter_map(|name| LEVELS.into_iter().find(|level| level.name == *name))
            .collect();
        let pairs: Vec<RolloutQuestion> = (levels.iter())
            .flat_map(|own| levels.iter().map(|other| asked.clone().between([*own, *other])))
            .collect();
        let lines = pairs.iter().flat_map(|pair| pair.lines().to_vec()).collect();
        StrengthQuestion { levels, pairs, lines }
    }

    /// What is rolled out.
    #[must_use]
    pub fn lines(&self) -> &[RolloutLine] {
        &self.lines
    }

    /// The names of the lines, each different: the levels, and the decision.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let of = |pair: &RolloutQuestion| {
            let [own, other] = pair.levels().each_ref().map(|level| level.name);
            let names = pair.names().iter();
            names.map(|name| format!("{own} {other} {name}")).collect::<Vec<String>>()
        };
        self.pairs.iter().flat_map(of).collect()
    }

    /// The table so far; every line needs a game.
    #[must_use]
    pub fn table(
        &self,
        config: &RolloutConfig,
        sums: &[RolloutSums],
        seconds: f64,
    ) -> StrengthTable {
        let decisions = self.pairs.first().map_or(&[][..], RolloutQuestion::names);
        let answer = self.pairs.first().map(|pair| {
            let sums = &sums[..decisions.len()];
            pair.answer(config, sums, seconds)
        });
        let cells: Vec<StrengthCell> = (self.pairs.iter())
            .zip(sums.chunks(decisions.len().max(1)))
            .map(|(pair, sums)| StrengthCell::of(pair, sums))
            .collect();
        let level = |level: &Level| StrengthLevel { name: level.name, pr: level.pr.map(|pr| pr.0) };
        StrengthTable {
            id: answer.as_ref().map(|answer| answer.id.clone()).unwrap_or_default(),
            dice: answer.as_ref().and_then(|answer| answer.dice.clone()),
            cubeful: answer.is_some_and(|answer| answer.cubeful),
            truncate: config.truncate.unwrap_or(0),
            plies: config.plies.get(),
            seed: config.seed,
            games: sums.iter().map(RolloutSums::games).min().unwrap_or(0),
            seconds,
            levels: self.levels.iter().map(level).collect(),
            decisions: decisions.to_vec(),
            rows: cells.chunks(self.levels.len().max(1)).map(<[_]>::to_vec).collect(),
        }
    }
}

impl StrengthCell {
    fn of(pair: &RolloutQuestion, sums: &[RolloutSums]) -> StrengthCell {
        if let Some(cube) = pair.cube(sums) {
            let equities = [&cube.no_double, &cube.double_take].map(RolledEquity::from).to_vec();
            let lead = Some(RolledEquity::from(&cube.double_gains));
            return StrengthCell { best: cube.decision.to_string(), equities, lead };
        }
        let mut results = pair.results(sums);
        let best = results.first().map(|(line, ..)| pair.names()[*line].clone());
        let lead = results.get(1).map(|(.., lead)| RolledEquity::from(lead));
        results.sort_by_key(|(line, ..)| *line);
        let equities = results.iter().map(|(_, one, _)| RolledEquity::from(&one.equity)).collect();
        StrengthCell { best: best.unwrap_or_default(), equities, lead }
    }
}
