//! Why one play is better than another, or why to double, in numbers that add up.
//!
//! - [`Explanation::events`]: what the two plays do.
//! - [`Explanation::rolls`]: after which of the opponent's 21 rolls the difference arises.
//! - [`Explanation::themes`]: which themes of the net's inputs make the static difference.
//! - [`Explanation::facts`]: what stands on the two boards.
//! - [`Explanation::repair`]: the worse board with one blot elsewhere.
//! - [`CubeExplanation`]: the sequences of a roll and a reply that lose the market.
//!
//! Front ends turn these numbers into sentences; no sentence may say what is not here.

mod board_facts;
mod cube;
mod next_doubles;
mod own_rolls;
mod play_events;
mod repairs;
mod rolls;
mod themes;

#[cfg(test)]
mod tests;

pub use board_facts::{BoardFacts, shots};
pub use cube::{CubeExplanation, MarketRoll};
pub use next_doubles::NextDouble;
pub use own_rolls::{OwnDeed, OwnRoll};
pub use play_events::{PlayEvent, Weight};
pub use repairs::Repair;
pub use rolls::{OpponentCube, Reply, RollShare};
pub use themes::{Theme, ThemeShares};

use crate::backgammon::{BoardView, Candidate, Cube, GameState, Position, Scoring};
use crate::bearoff::BearoffDatabases;
use crate::class::Class;
use crate::cube::CubeContext;
use crate::engine::{Engine, EngineError, ScoredMove};
use crate::features::MEAN_ROLL;

/// Two plays of one roll, and what makes the difference between them.
///
/// ```
/// use nonet_engine::explain::Explanation;
/// use nonet_engine::{Engine, GameState, Plies};
///
/// let engine = Engine::champion().with_plies(Plies::TWO);
/// let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?;
/// let dice = state.dice().ok_or("a roll")?;
/// let [made, left] = ["8/5 6/5", "24/23 13/10"].map(|text| state.position.read_play(text, dice));
/// let why = Explanation::of(&engine, &state, [&made?, &left?])?;
/// assert!(why.loss > 0.1 && why.better.play().to_string() == "8/5 6/5");
/// assert!(why.facts[1].shots > why.facts[0].shots);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The play with the higher equity.
    pub better: ScoredMove,
    /// The other play.
    pub worse: ScoredMove,
    /// How much less it is worth, in points on a cube at 1, 0 or more.
    pub loss: f32,
    /// The opponent's 21 rolls, by falling share of the loss.
    pub rolls: Vec<RollShare>,
    /// What the rolls add up to, in points on a cube at 1. It differs from the loss where a
    /// separate search of each of the 21 rolls sees something else.
    pub rolls_loss: f32,
    /// What the opponent does with the cube after the better play, and after the other, before the
    /// roll. The shares of the rolls count it.
    pub opponent_cube: [OpponentCube; 2],
    /// The themes, if one net evaluates both boards statically.
    pub themes: Option<ThemeShares>,
    /// The board after the better play and after the other.
    pub facts: [BoardFacts; 2],
    /// Pips that the player who moved wastes in the bearoff of either board.
    ///
    /// They are the mean number of rolls until all checkers are off, times 49/6, less the pip
    /// count. A mean roll has 49/6 pips. `None` where not all own checkers are home or the engine
    /// has no bearoff databases.
    pub wasted: Option<[f32; 2]>,
    /// The classes of the two boards, the opponent on roll: they choose the net.
    pub classes: [Class; 2],
    /// What the two plays do.
    pub events: [Vec<PlayEvent>; 2],
    /// The classes seen by the player who moves: before the play, and after each of the two.
    /// `None` after the end of the game.
    pub plans: [Option<Class>; 3],
    /// The own next rolls, by falling share of the loss.
    pub own_rolls: Vec<OwnRoll>,
    /// The double that the player has on the next turn, after the better play and after the other.
    pub next_doubles: [NextDouble; 2],
    /// The one checker that makes most of the difference, if one makes half of it.
    pub repair: Option<Repair>,
    /// What a gammon won and one lost are worth more than a single game; 0.5 for money, 0 under the
    /// Jacoby rule before the first double.
    pub gammon_prices: [f32; 2],
    /// The same once the cube is turned.
    pub gammon_prices_after_double: [f32; 2],
    /// What a backgammon won and one lost are worth more than a gammon.
    pub backgammon_prices: [f32; 2],
    /// The same once the cube is turned.
    pub backgammon_prices_after_double: [f32; 2],
    /// How much better the better play would be elsewhere: in a match for money, with this cube;
    /// for money at double match point. Negative if the other play is better there.
    pub elsewhere: f32,
}

impl Explanation {
    /// Compares two plays of the roll of `state` at the engine's depth, without move filters. The
    /// rolls are searched one ply less deep, at least at 1-ply.
    ///
    /// # Errors
    /// [`EngineError`] if the game is over, the dice are not rolled, or the match equity table does
    /// not reach the score.
    pub fn of(
        engine: &Engine,
        state: &GameState,
        plays: [&Candidate; 2],
    ) -> Result<Explanation, EngineError> {
        if state.is_over() {
            return Err(EngineError::GameOver);
        }
        if state.dice().is_none() {
            return Err(EngineError::NotRolled);
        }
        let context = engine.context(state.state.scoring, state.state.cube)?;
        let [first, second] = engine.compare(plays, &context);
        let (better, worse) =
            if second.equity > first.equity { (second, first) } else { (first, second) };
        let boards = [better.after(), worse.after()];
        let own = |board: &Position| board.outcome().is_none().then(|| Class::of(board));
        let both = [&better, &worse];
        let (rolls, opponent_cube) = rolls::shares(engine, state, both)?;
        let scoring = &context.scoring;
        let value = context.cube.value();
        let counts = if scoring.single_games(context.cube) { 0.0 } else { 1.0 };
        let now = |(own, theirs): (f32, f32)| [counts * own, counts * theirs];
        let candidates = both.map(|play| &play.candidate);
        let elsewhere = engine.compare(candidates, &elsewhere(engine, state)?);
        Ok(Explanation {
            loss: better.equity - worse.equity,
            rolls_loss: rolls.iter().map(|roll| roll.share).sum(),
            opponent_cube,
            themes: engine.team().and_then(|team| ThemeShares::of(team, boards)),
            facts: boards.map(BoardFacts::after),
            wasted: engine.bearoff().and_then(|databases| wasted(databases, boards)),
            classes: boards.map(Class::of),
            events: candidates.map(|play| PlayEvent::of(&state.position, play)),
            plans: [&state.position, &boards[0].flipped(), &boards[1].flipped()].map(own),
            own_rolls: own_rolls::own_rolls(engine, state, both, &rolls)?,
            next_doubles: next_doubles::next_doubles(engine, state, both, &rolls, opponent_cube)?,
            repair: repairs::repair(engine, both, &context),
            gammon_prices: now(scoring.gammon_prices(value)),
            gammon_prices_after_double: scoring.gammon_prices(2 * value).into(),
            backgammon_prices: now(scoring.backgammon_prices(value)),
            backgammon_prices_after_double: scoring.backgammon_prices(2 * value).into(),
            elsewhere: elsewhere[0].equity - elsewhere[1].equity,
            rolls,
            better,
            worse,
        })
    }
}

/// Pips that the player who moved wastes on both boards, the opponent on roll.
fn wasted(databases: &BearoffDatabases, boards: [&Position; 2]) -> Option<[f32; 2]> {
    let is_bearoff = |board: &&Position| {
        let view = BoardView::of(board);
        !view.contact() && view.opponent.checkers(7, 25) == 0
    };
    boards.iter().all(is_bearoff).then(|| {
        boards.map(|board| {
            let own = board.flipped();
            let home = std::array::from_fn(|place| own.own(place + 1));
            let chances = databases.one_sided().off(&home);
            let rolls: f32 = chances.iter().enumerate().map(|(n, chance)| n as f32 * chance).sum();
            MEAN_ROLL * rolls - f32::from(own.pips())
        })
    })
}

/// Money in a match, double match point for money.
fn elsewhere(engine: &Engine, state: &GameState) -> Result<CubeContext, EngineError> {
    Ok(match state.state.scoring {
        Scoring::Match(_) => engine.context(Scoring::MONEY, state.state.cube)?,
        Scoring::Money { .. } => {
            let one_point = Scoring::of_match(1, 0, 0, false).unwrap_or(Scoring::MONEY);
            engine.context(one_point, Cube::CENTRED)?
        }
    })
}
