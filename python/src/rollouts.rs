//! What a rollout is asked and what it answers.

use nonet::backgammon::GameState;
use nonet::engine::{CubeContext, Depth, Engine, LEVELS, Level};
use nonet::rollout::{RolloutConfig, RolloutLine, RolloutSums};
use nonet::search::Plies;
use nonet::stats::Estimate;
use pyo3::prelude::*;

use crate::answers::Rollout;
use crate::errors::invalid;

/// What is rolled out.
pub(crate) struct Line {
    play: String,
    pub(crate) line: RolloutLine,
}

/// A depth as Python gives it.
#[derive(FromPyObject)]
pub(crate) enum DepthArg {
    Plies(i64),
    Name(String),
}

impl DepthArg {
    /// A search of 1 to 4 plies, or a rollout by name.
    pub(crate) fn read(self) -> PyResult<Depth> {
        match self {
            DepthArg::Plies(ply) => plies(ply).map(Depth::Search),
            DepthArg::Name(name) => name.parse::<Depth>().map_err(invalid),
        }
    }
}

/// A depth, 1 to 4.
pub(crate) fn plies(ply: i64) -> PyResult<Plies> {
    // Out of the range of the type is out of 1 to 4 as well.
    match u8::try_from(ply) {
        Ok(ply) => Plies::new(ply).map_err(invalid),
        Err(_) => Err(invalid(format!("invalid ply '{ply}': expected 1 to 4"))),
    }
}

/// The settings of a rollout; `truncate` is 0 for games that are played to the end.
pub(crate) fn config(
    trials: u64,
    truncate: u32,
    ply: i64,
    variance_reduction: bool,
    seed: u64,
) -> PyResult<RolloutConfig> {
    if trials == 0 {
        return Err(invalid("invalid trials 0: expected at least 1"));
    }
    let truncate = (truncate > 0).then_some(truncate);
    Ok(RolloutConfig { games: trials, truncate, plies: plies(ply)?, variance_reduction, seed })
}

/// The levels of the player who is asked and of the opponent.
pub(crate) fn levels(names: Option<(String, String)>) -> PyResult<[Level; 2]> {
    let level = |name: &str| {
        let known = || LEVELS.map(|level| level.name).join(", ");
        Level::named(name)
            .ok_or_else(|| invalid(format!("unknown level '{name}': expected one of {}", known())))
    };
    match names {
        None => Ok([Level::CHAMPION; 2]),
        Some((own, other)) => Ok([level(&own)?, level(&other)?]),
    }
}

/// The position, or the best plays of its roll. As in [`RolloutQuestion`], plays that end the game
/// are left out.
///
/// [`RolloutQuestion`]: nonet::answer::RolloutQuestion
pub(crate) fn lines(
    engine: &Engine,
    state: &GameState,
    context: &CubeContext,
    cubeless: bool,
    plays: usize,
    levels: [Level; 2],
) -> Vec<Line> {
    let [own, other] = levels.map(|level| level.strength);
    let Some(dice) = state.dice() else {
        let line = Engine::rollout_line(&state.position, (!cubeless).then_some(context));
        return vec![Line { play: String::new(), line: line.between([own, other]) }];
    };
    let opponent = context.flipped();
    let ranked = engine.rank(&state.position, dice, context);
    let of = |scored: &nonet::ScoredMove| Line {
        play: scored.play().to_string(),
        line: Engine::line_after_play(scored.after(), (!cubeless).then_some(&opponent))
            .between([other, own]),
    };
    let going = ranked.iter().filter(|scored| scored.after().outcome().is_none());
    going.take(plays).map(of).collect()
}

/// The results of the rollouts, the best first. `rolled`: these are plays of a roll.
pub(crate) fn rows(lines: Vec<Line>, sums: &[RolloutSums], rolled: bool) -> Vec<Rollout> {
    let mut rows: Vec<_> = lines
        .into_iter()
        .zip(sums)
        .map(|(line, sums)| {
            let mut result = sums.result();
            if rolled {
                // Each was rolled out for the opponent, who is on roll.
                result.value = result.value.flipped();
                result.equity.mean = -result.equity.mean;
            }
            (line.play, result, sums)
        })
        .collect();
    rows.sort_by(|a, b| b.1.equity.mean.total_cmp(&a.1.equity.mean));
    let best = rows.first().map(|row| row.2.clone()).unwrap_or_default();
    let of = |(place, (play, result, sums)): (usize, (String, _, &RolloutSums))| {
        let lead = match place {
            0 => Estimate { mean: 0.0, stderr: 0.0, n: best.games() },
            _ => sums.difference(&best),
        };
        Rollout::new(play, &result, lead)
    };
    rows.into_iter().enumerate().map(of).collect()
}
