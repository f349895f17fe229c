//! Why to double, to wait, to take or to pass.

use crate::backgammon::{Cube, Dice, GameState, Position, Scoring};
use crate::cube::{Answer, CubeContext, CubeDecision, CubeEfficiency};
use crate::engine::{Engine, EngineError};
use crate::eval::Evaluation;
use crate::search::Plies;

/// A cube decision, and what happens if the player on roll waits for a roll and a reply.
///
/// A sequence is an own roll and a roll of the opponent, both played as the static evaluation says.
/// After it the static evaluation decides about the cube. *The market is lost* where a take has
/// become a pass, or the game is won.
///
/// ```
/// use nonet_engine::explain::CubeExplanation;
/// use nonet_engine::{Engine, GameState, Plies};
///
/// let engine = Engine::champion().with_cube_plies(Plies::TWO);
/// let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10".parse()?;
/// let why = CubeExplanation::of(&engine, &state)?;
/// assert!(!why.decision.is_double() && why.lost < 0.2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CubeExplanation {
    /// The decision at the engine's depth for the cube.
    pub decision: CubeDecision,
    /// That depth.
    pub plies: Plies,
    /// The chance of the sequences that lose the market, 0..=1.
    pub lost: f32,
    /// What a double that is taken gains over waiting in these, in points on a cube at 1 and
    /// weighted by their chance.
    pub gain: f32,
    /// What it costs in all others, weighted in the same way; negative if it gains.
    pub cost: f32,
    /// The 21 own rolls, by falling gain.
    pub rolls: Vec<MarketRoll>,
    /// The standard deviation of the equity after a sequence without a double, in points on a cube
    /// at 1.
    pub volatility: f32,
    /// The nearest winning chance, 0..=1, at which the other answer would be right, with the same
    /// shares of gammons. `None` if there is none.
    pub answer_turns: Option<f32>,
    /// The nearest winning chance at which doubling would be right, or wrong.
    pub double_turns: Option<f32>,
    /// What a gammon is worth more than a single game once the cube is turned, for the player on
    /// roll and the opponent; 0.5 for money.
    pub gammon_prices: [f32; 2],
    /// The decision for money with the same cube, if the question was of a match.
    pub money: Option<CubeDecision>,
}

/// An own roll before the opponent's reply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarketRoll {
    /// The roll.
    pub dice: Dice,
    /// The share of the opponent's 36 throws after which the market is lost, 0..=1.
    pub lost: f32,
    /// What a double gains there over waiting, in points on a cube at 1, weighted by the chance of
    /// the sequences.
    pub gain: f32,
}

/// What a sequence leads to.
struct End {
    chance: f32,
    lost: bool,
    /// Equities on a cube at 1: if the cube was not turned before, and if it was.
    waited: f32,
    doubled: f32,
}

impl CubeExplanation {
    /// Decides at the engine's depth for the cube, and follows all sequences.
    ///
    /// # Errors
    /// [`EngineError`] if the game is over, a beaver has turned the cube, or the match equity table
    /// does not reach the score. A player who may not double is told so by
    /// [`CubeDecision::action`]; the sequences are then those of a double that is not allowed.
    pub fn of(engine: &Engine, state: &GameState) -> Result<CubeExplanation, EngineError> {
        let decision = engine.cube(state)?;
        let GameState { position, state: game } = state;
        let asked = engine.context(game.scoring, game.cube)?;
        // A beaver changes what a double is worth, not whether the market is lost.
        let plain = match game.scoring {
            Scoring::Money { jacoby, .. } => Scoring::Money { jacoby, beavers: false },
            score => score,
        };
        let context = engine.context(plain, game.cube)?;
        let quick = engine.with_plies(Plies::ONE).with_cube_plies(Plies::ONE);
        let mut ends = Vec::with_capacity(441);
        let mut rolls = Vec::with_capacity(21);
        for dice in Dice::ALL {
            let found = after_roll(&quick, position, dice, &context);
            let lost = found.iter().filter(|end| end.lost);
            let (share, gain) = lost.fold((0.0, 0.0), |(share, gain), end| {
                (share + end.chance, gain + end.chance * (end.doubled - end.waited))
            });
            rolls.push(MarketRoll { dice, lost: share / dice.probability(), gain });
            ends.extend(found);
        }
        rolls.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        let mean =
            |of: &dyn Fn(&End) -> f32| -> f32 { ends.iter().map(|end| end.chance * of(end)).sum() };
        let average = mean(&|end| end.waited);
        let when = |lost: bool, value: f32| if lost { value } else { 0.0 };
        let money = match game.scoring {
            Scoring::Money { .. } => None,
            Scoring::Match(_) => {
                let context = engine.context(Scoring::MONEY, game.cube)?;
                Some(engine.cube_decision(position, &context))
            }
        };
        let efficiency = CubeEfficiency::of(position);
        let (answer_turns, double_turns) = turning_points(&decision, &context, efficiency);
        Ok(CubeExplanation {
            lost: mean(&|end| when(end.lost, 1.0)),
            gain: mean(&|end| when(end.lost, end.doubled - end.waited)),
            cost: mean(&|end| when(!end.lost, end.waited - end.doubled)),
            volatility: mean(&|end| (end.waited - average).powi(2)).max(0.0).sqrt(),
            gammon_prices: asked.scoring.gammon_prices(2 * asked.cube.value()).into(),
            plies: engine.cube_plies(),
            decision,
            rolls,
            answer_turns,
            double_turns,
            money,
        })
    }
}

/// The ends of the sequences that begin with an own roll.
fn after_roll(quick: &Engine, position: &Position, dice: Dice, context: &CubeContext) -> Vec<End> {
    let board = *quick.best(position, dice, context).after();
    if board.outcome().is_some() {
        // The board has the opponent on roll, who has lost.
        return finished(&board.flipped(), dice.probability(), context).into_iter().collect();
    }
    let theirs = context.flipped();
    let reply = |roll: Dice| {
        let board = *quick.best(&board, roll, &theirs).after();
        let chance = dice.probability() * roll.probability();
        finished(&board, chance, context).unwrap_or_else(|| {
            let decision = quick.cube_decision(&board, context);
            let [waits, taken, _] = decision.utility;
            let waited = context.scoring.with_double(waits, taken, context.cube);
            let equity = |utility| context.scoring.equity(utility, context.cube.value());
            End {
                chance,
                lost: decision.answer == Answer::Pass,
                waited: equity(if context.may_double() { waited } else { waits }),
                doubled: equity(taken),
            }
        })
    };
    Dice::ALL.into_iter().map(reply).collect()
}

/// The end of a game; seen by the player who asked.
fn finished(board: &Position, chance: f32, context: &CubeContext) -> Option<End> {
    let outcome = board.outcome()?;
    let CubeContext { scoring, cube } = context;
    let equity = |with: Cube| scoring.equity(scoring.of_outcome(outcome, with), cube.value());
    let lost = outcome.points() > 0;
    Some(End { chance, lost, waited: equity(*cube), doubled: equity(cube.doubled()) })
}

/// The winning chances nearest to that of the position at which the answer to a double, and the
/// double itself, turn. The cube model says how the equities change with the chance.
fn turning_points(
    decision: &CubeDecision,
    context: &CubeContext,
    efficiency: CubeEfficiency,
) -> (Option<f32>, Option<f32>) {
    let CubeContext { scoring, cube } = context;
    let win = win_of(&decision.cubeless);
    if !(0.005..=0.995).contains(&win) {
        return (None, None);
    }
    let model = |win: f32, cube: Cube| {
        scoring.cubeful_by(&with_win(&decision.cubeless, win), cube, efficiency)
    };
    let [waits, taken, passed] = decision.utility;
    // The search knows more than the model: what it adds is taken as constant.
    let taken = if decision.answer == Answer::Beaver { taken / 2.0 } else { taken };
    let [more, more_taken] = [waits - model(win, *cube), taken - model(win, cube.doubled())];
    let passes = |at: f32| model(at, cube.doubled()) + more_taken > passed;
    let doubles =
        |at: f32| (model(at, cube.doubled()) + more_taken).min(passed) > model(at, *cube) + more;
    let is_pass = decision.answer == Answer::Pass;
    let is_double = decision.is_double();
    (nearest(win, |at| passes(at) != is_pass), nearest(win, |at| doubles(at) != is_double))
}

fn win_of(value: &Evaluation) -> f32 {
    value.outcomes[..3].iter().sum()
}

/// The same shares of gammons in wins and losses at another winning chance.
fn with_win(value: &Evaluation, win: f32) -> Evaluation {
    let was = win_of(value);
    let scale = [win / was, (1.0 - win) / (1.0 - was)];
    let mut outcomes = value.outcomes;
    for (place, chance) in outcomes.iter_mut().enumerate() {
        *chance *= scale[place / 3];
    }
    Evaluation { outcomes, ..*value }
}

/// The chance nearest to `win` for which this holds, in steps of a thousandth.
fn nearest(win: f32, holds: impl Fn(f32) -> bool) -> Option<f32> {
    let at = |steps: i16| win + f32::from(steps) / 1000.0;
    let both = (1..1000i16).flat_map(|steps| [at(steps), at(-steps)]);
    both.filter(|win| (0.001..=0.999).contains(win)).find(|&win| holds(win))
}
