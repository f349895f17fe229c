//! Rollouts of a position, of the best plays of a roll, or of both sides of a cube decision.

use serde::Serialize;

use super::{OutcomeChances, no_play_or};
use nonet_engine::backgammon::{CubeOffer, GameState, Position, Turn};
use nonet_engine::cube::{Answer, CubeAction, MetError};
use nonet_engine::engine::{CubeContext, Engine, Level, ScoredMove};
use nonet_engine::rollout::{CubeRollout, RolloutConfig, RolloutLine, RolloutResult, RolloutSums};
use nonet_engine::stats::Estimate;

/// What of a position is rolled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RolloutOptions {
    /// Both sides of the cube decision: no double, and a double that is taken.
    pub cube: bool,
    /// Without the cube.
    pub cubeless: bool,
    /// The number of best plays, at least 1, if there is a roll.
    pub plays: usize,
    /// The board after one more play that is rolled out, such as the one that was made.
    pub also: Option<Position>,
}

/// A question with the lines to roll out for its answer.
#[derive(Clone, Debug)]
pub struct RolloutQuestion {
    question: GameState,
    options: RolloutOptions,
    context: CubeContext,
    names: Vec<String>,
    lines: Vec<RolloutLine>,
    levels: [Level; 2],
}

/// Why there is nothing to roll out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RolloutQuestionError {
    /// The match is longer than the match equity table reaches.
    #[error(transparent)]
    MatchEquity(#[from] MetError),
    /// A beaver or raccoon has turned the cube already.
    #[error("a beaver or raccoon has turned the cube: expected the position before the double")]
    CubeTurned,
    /// The cube cannot be turned, or it is useless.
    #[error("the player on roll cannot double: there is no cube decision to roll out")]
    NoDouble,
    /// The only play ends the game.
    #[error("the play ends the game: there is nothing to roll out")]
    Over,
}

/// The results of rollouts. Standard errors are those of the dice alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RolloutAnswer {
    /// Position ID of the board, the player who is asked on roll.
    #[cfg_attr(feature = "openapi", schema(example = "4HPwATDgc/ABMA"))]
    pub id: String,
    /// The roll of the plays that are rolled out; null without one.
    pub dice: Option<String>,
    /// Whether the cube counts.
    pub cubeful: bool,
    /// Plies after which games are cut off; 0 plays them to the end.
    pub truncate: u32,
    /// Levels of the player who is asked and of the opponent; absent if both make the best play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<[&'static str; 2]>,
    /// Depth at which plays are chosen.
    pub plies: u8,
    /// Seed of the dice.
    pub seed: u64,
    /// Seconds so far.
    pub seconds: f64,
    /// What the standard errors leave out, in words.
    pub stderr_leaves_out: String,
    /// Games of each side of a cube decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// The cube decision, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cube: Option<RolledCube>,
    /// The plays, the best first; or the position alone. Absent for a cube decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rollouts: Option<Vec<RolledPlay>>,
}

/// A mean and its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RolledEquity {
    /// Points on a cube at 1.
    pub equity: f64,
    /// Standard error; null before the second game.
    pub stderr: Option<f64>,
}

/// A cube decision by its rollouts, for the player on roll.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RolledCube {
    /// `not-available`, `no-double`, `too-good` or `double`.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "double"))]
    pub action: CubeAction,
    /// The best answer to a double: `take`, `pass` or `beaver`.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "take"))]
    pub answer: Answer,
    /// The decision in words.
    pub words: String,
    /// Not doubling in this turn.
    pub no_double: RolledEquity,
    /// A double that is taken, or beavered.
    pub double_take: RolledEquity,
    /// A double that is passed: 1.
    pub double_pass: f64,
    /// What a double gains over not doubling.
    pub double_gains: RolledEquity,
    /// What the opponent gains by taking instead of passing.
    pub take_gains: RolledEquity,
    /// Chances of the player on roll without the cube, in the games without a double in this turn.
    pub outcomes: OutcomeChances,
    /// The same in the games with a double that is taken: both sides play on with another cube.
    pub take_outcomes: OutcomeChances,
    /// Equity without the cube, in the games without a double in this turn.
    pub cubeless: f32,
}

/// The rollout of a play, or of the position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RolledPlay {
    /// The play in the usual notation; `position` without a roll.
    #[cfg_attr(feature = "openapi", schema(example = "8/5 6/5"))]
    pub play: String,
    /// Position ID of the board that was rolled out.
    pub id: String,
    /// Games played.
    pub games: u64,
    /// Equity for the player who is asked, in points on a cube at 1.
    pub equity: f64,
    /// Its standard error; null before the second game.
    pub stderr: Option<f64>,
    /// How much less than the best play, with the same dice.
    pub loss: f64,
    /// Standard error of the loss; null before the second game.
    pub loss_stderr: Option<f64>,
    /// The standard error that the games would have without variance reduction; null before the
    /// second game.
    pub stderr_with_luck: Option<f64>,
    /// Chances of the player who is asked.
    pub outcomes: OutcomeChances,
    /// Equity without the cube.
    pub cubeless: f32,
}

impl RolloutQuestion {
    /// Finds the lines: the position, the best plays of its roll, or both sides of its cube
    /// decision. Plays that end the game are left out.
    ///
    /// # Errors
    /// [`RolloutQuestionError`] if there is nothing to roll out.
    pub fn new(
        engine: &Engine,
        question: GameState,
        options: RolloutOptions,
    ) -> Result<RolloutQuestion, RolloutQuestionError> {
        let GameState { position, ref state } = question;
        let context = engine.context(state.scoring, state.cube)?;
        let rows: Vec<(String, RolloutLine)> = if options.cube {
            if matches!(state.turn, Turn::Offered(CubeOffer::Beaver | CubeOffer::Raccoon)) {
                return Err(RolloutQuestionError::CubeTurned);
            }
            if !context.may_double() {
                return Err(RolloutQuestionError::NoDouble);
            }
            let lines = CubeRollout::lines(position, &context.scoring, context.cube);
            ["no double", "double, take"].map(str::to_owned).into_iter().zip(lines).collect()
        } else {
            let cube = |context| (!options.cubeless).then_some(context);
            match state.dice() {
                None => {
                    let line = Engine::rollout_line(&position, cube(&context));
                    vec![("position".to_owned(), line)]
                }
                Some(dice) => {
                    let opponent = context.flipped();
                    let plays = engine.rank(&position, dice, &context);
                    let going = plays.iter().filter(|play| play.after().outcome().is_none());
                    let is_asked = |(place, play): &(usize, &ScoredMove)| {
                        *place < options.plays.max(1) || options.also == Some(*play.after())
                    };
                    going
                        .enumerate()
                        .filter(is_asked)
                        .map(|(_, play)| {
                            let line = Engine::line_after_play(play.after(), cube(&opponent));
                            (no_play_or(play.play()), line)
                        })
                        .collect()
                }
            }
        };
        if rows.is_empty() {
            return Err(RolloutQuestionError::Over);
        }
        let (names, lines) = rows.into_iter().unzip();
        let levels = [Level::CHAMPION; 2];
        Ok(RolloutQuestion { question, options, context, names, lines, levels })
    }

    /// The same between players of these levels: the player who is asked, and the opponent. They
    /// decide by the equities of the net of the rollout.
    #[must_use]
    pub fn between(mut self, levels: [Level; 2]) -> RolloutQuestion {
        let mut strengths = levels.map(|level| level.strength);
        if self.is_flipped() {
            strengths.reverse();
        }
        self.lines = self.lines.into_iter().map(|line| line.between(strengths)).collect();
        self.levels = levels;
        self
    }

    /// What is rolled out.
    #[must_use]
    pub fn lines(&self) -> &[RolloutLine] {
        &self.lines
    }

    /// The names of the lines: plays, or sides of the cube decision.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The levels of the player who is asked and of the opponent.
    #[must_use]
    pub const fn levels(&self) -> &[Level; 2] {
        &self.levels
    }

    /// Scoring and cube of the question.
    #[must_use]
    pub const fn context(&self) -> &CubeContext {
        &self.context
    }

    /// Whether each line was rolled out for the opponent of the player who is asked.
    const fn is_flipped(&self) -> bool {
        self.question.dice().is_some() && !self.options.cube
    }

    /// The results for the player who is asked, the best first. Each has the index of its line and
    /// its loss against the best line, with the same dice. Every line needs a game.
    #[must_use]
    pub fn results(&self, sums: &[RolloutSums]) -> Vec<(usize, RolloutResult, Estimate)> {
        let result = |sums: &RolloutSums| {
            let mut result = sums.result();
            if self.is_flipped() {
                result.value = result.value.flipped();
                result.equity.mean = -result.equity.mean;
            }
            result
        };
        let mut order: Vec<(usize, RolloutResult)> = sums.iter().map(result).enumerate().collect();
        order.sort_by(|a, b| b.1.equity.mean.total_cmp(&a.1.equity.mean));
        let best = order.first().map_or(0, |(line, _)| *line);
        let lead = |line: usize| match line == best {
            true => Estimate { mean: 0.0, stderr: 0.0, n: sums[line].games() },
            false if self.is_flipped() => sums[line].difference(&sums[best]),
            false => sums[best].difference(&sums[line]),
        };
        order.into_iter().map(|(line, result)| (line, result, lead(line))).collect()
    }

    /// The cube decision, if both of its sides were rolled out.
    #[must_use]
    pub fn cube(&self, sums: &[RolloutSums]) -> Option<CubeRollout> {
        let (true, [undoubled, doubled]) = (self.options.cube, sums) else { return None };
        let both = [undoubled.clone(), doubled.clone()];
        Some(CubeRollout::of(&self.context.scoring, self.context.cube, &both))
    }

    /// What the standard errors leave out, in words.
    #[must_use]
    pub fn left_out(&self, config: &RolloutConfig) -> String {
        let cube = if self.options.cubeless { "" } else { ", of cube actions at 1-ply" };
        let horizon = match (config.truncate, self.options.cubeless) {
            (None, _) => "",
            (_, true) => ", and of the evaluations where games are cut off",
            (_, false) => ", and of the evaluations and the cube model where games are cut off",
        };
        format!("the errors of plays at {}{cube}{horizon}", config.plies)
    }

    /// The answer so far; every line needs a game.
    #[must_use]
    pub fn answer(
        &self,
        config: &RolloutConfig,
        sums: &[RolloutSums],
        seconds: f64,
    ) -> RolloutAnswer {
        let cube = self.cube(sums);
        let plays = || self.results(sums).into_iter().map(|row| self.play(row)).collect();
        RolloutAnswer {
            id: self.question.position.id(),
            dice: self.question.dice().filter(|_| cube.is_none()).map(|dice| dice.to_string()),
            cubeful: !self.options.cubeless,
            truncate: config.truncate.unwrap_or(0),
            levels: (self.levels != [Level::CHAMPION; 2])
                .then(|| self.levels.map(|level| level.name)),
            plies: config.plies.get(),
            seed: config.seed,
            seconds,
            stderr_leaves_out: self.left_out(config),
            games: cube.map(|cube| cube.no_double.n),
            rollouts: cube.is_none().then(plays),
            cube: cube.as_ref().map(RolledCube::from),
        }
    }

    fn play(&self, (line, result, lead): (usize, RolloutResult, Estimate)) -> RolledPlay {
        RolledPlay {
            play: self.names[line].clone(),
            id: self.lines[line].position.id(),
            games: result.games,
            equity: result.equity.mean,
            stderr: finite(result.equity.stderr),
            loss: lead.mean,
            loss_stderr: finite(lead.stderr),
            stderr_with_luck: finite(result.plain_stderr),
            outcomes: OutcomeChances::from(&result.value),
            cubeless: result.value.equity(),
        }
    }
}

/// JSON has no infinity.
fn finite(error: f64) -> Option<f64> {
    error.is_finite().then_some(error)
}

impl From<&Estimate> for RolledEquity {
    fn from(estimate: &Estimate) -> RolledEquity {
        RolledEquity { equity: estimate.mean, stderr: finite(estimate.stderr) }
    }
}

impl From<&CubeRollout> for RolledCube {
    fn from(result: &CubeRollout) -> RolledCube {
        let CubeRollout { decision, no_double, double_take, taken, double_gains, take_gains } =
            result;
        RolledCube {
            action: decision.action,
            answer: decision.answer,
            words: decision.to_string(),
            no_double: no_double.into(),
            double_take: double_take.into(),
            double_pass: 1.0,
            double_gains: double_gains.into(),
            take_gains: take_gains.into(),
            outcomes: OutcomeChances::from(&decision.cubeless),
            take_outcomes: OutcomeChances::from(taken),
            cubeless: decision.cubeless.equity(),
        }
    }
}
