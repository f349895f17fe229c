//! Why one play is better than another, and why to double or not.

mod board_rows;
mod chances;
mod cube;
mod cube_sentences;
mod deeds;
mod facts;
mod idea;
mod other_scores;
mod people;
mod plan;
mod position;
mod race;
mod roll_sentences;
mod rolls;
mod sentences;
mod small_counts;
mod themes;
mod words;

#[cfg(test)]
mod checks;
#[cfg(test)]
mod deed_checks;
#[cfg(test)]
mod tests;

use super::RankedPlay;
use board_rows::rows;
use rolls::why_rolls;
use sentences::sentences;

pub use board_rows::WhyRow;
pub use cube::{WhyCubeAnswer, WhyMarketRoll};
pub use facts::WhyFacts;
pub use idea::{idea_of_cube, idea_of_play};
pub use other_scores::{WhyScore, WhyScores};
pub use people::WhyPeople;
pub use words::{Said, SaidValue};

use nonet_engine::backgammon::{Candidate, GameState, PlayError};
use nonet_engine::engine::{Engine, EngineError, ScoredMove};
use nonet_engine::explain::{Explanation, OpponentCube, Theme};
use serde::Serialize;

/// Why there is no comparison of two plays.
#[derive(Debug, thiserror::Error)]
pub enum WhyError {
    /// The roll can be played in one way only.
    #[error("there is nothing to compare: the roll has one legal play")]
    OnePlay,
    /// Both plays that were named are one.
    #[error("there is nothing to compare: both plays lead to the same position")]
    SamePlay,
    /// The play that was named is not legal.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The engine cannot answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Two plays of a roll and what makes the difference between them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyAnswer {
    /// Position ID of the board, the player who moves on roll.
    #[cfg_attr(feature = "openapi", schema(example = "4HPwATDgc/ABMA"))]
    pub id: String,
    /// The roll, the higher die first.
    #[cfg_attr(feature = "openapi", schema(example = "31"))]
    pub dice: String,
    /// Depth of the search in plies.
    pub plies: u8,
    /// The play with the higher equity.
    pub better: RankedPlay,
    /// The other play.
    pub worse: RankedPlay,
    /// The explanation in sentences: what the plays do, which rolls decide, the chances, what the
    /// net sees, what speaks against it, and the score. Each follows from the numbers below.
    pub sentences: Vec<String>,
    /// The same sentences apart from the language.
    pub said: Vec<Said>,
    /// How often people make each of the two plays.
    pub people: Vec<WhyPeople>,
    /// What the opponent does with the cube before rolling, after the better play and after the
    /// other: `no double`, `too good to double`, `double, take`, `double, pass`, or null if the
    /// play ends the game.
    #[cfg_attr(feature = "openapi", schema(example = json!(["no double", "double, take"])))]
    pub opponent_cube: [Option<String>; 2],
    /// What the rolls add up to, in points on a cube at 1, the cube as the opponent leaves it.
    pub rolls_loss: f32,
    /// The opponent's 21 rolls, by falling share.
    pub rolls: Vec<WhyRoll>,
    /// The own next rolls after the opponent's best replies, by falling share; empty if a play ends
    /// the game.
    pub own_rolls: Vec<WhyOwnRoll>,
    /// Of the opponent's 36 throws, those after which the player has a double on the next turn.
    /// First after the better play, then after the other.
    pub next_doubles: [WhyNextDouble; 2],
    /// How much better the better play would be without the cube, from the chances; negative if the
    /// other play would be better.
    pub cubeless: f32,
    /// The worse board with one blot or its anchor moved; null if no such move takes away half of
    /// the difference.
    pub repair: Option<WhyRepair>,
    /// What a gammon won and one lost are worth more than a single game; 0.5 for money, 0 under the
    /// Jacoby rule before the first double.
    pub gammon_prices: [f32; 2],
    /// The same once the cube is turned.
    pub gammon_prices_after_double: [f32; 2],
    /// What a backgammon won and one lost are worth more than a gammon.
    pub backgammon_prices: [f32; 2],
    /// The same once the cube is turned.
    pub backgammon_prices_after_double: [f32; 2],
    /// How much better the better play would be elsewhere. In a match this is the lead for money;
    /// for money it is the lead at double match point. Negative if the other play is better there.
    pub elsewhere: f32,
    /// The scores at which the other play would be better.
    pub scores: WhyScores,
    /// What the themes add up to: the static difference, in points per game. Null if two nets
    /// evaluate the boards.
    pub static_difference: Option<f32>,
    /// Themes of the net's inputs, by falling share.
    pub themes: Vec<WhyTheme>,
    /// The part of the static difference that the decisive themes make, changed together. Null if
    /// two nets evaluate the boards.
    pub decisive_part: Option<f32>,
    /// The board after the better play.
    pub facts_better: WhyFacts,
    /// The board after the other play.
    pub facts_worse: WhyFacts,
    /// What differs on the two boards, as a table.
    pub rows: Vec<WhyRow>,
}

/// A roll of the opponent after each of the two plays.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyRoll {
    /// The roll, the higher die first.
    #[cfg_attr(feature = "openapi", schema(example = "64"))]
    pub dice: String,
    /// How many of the 36 throws show it: 1 or 2.
    pub throws: u8,
    /// Its share of the difference, in points on a cube at 1.
    pub share: f32,
    /// The best reply to the better play, in the opponent's numbering; null if the game is over.
    pub reply_to_better: Option<String>,
    /// The best reply to the other play.
    pub reply_to_worse: Option<String>,
    /// What the roll does after one of the plays, or after both; null if nothing with a name.
    pub does: Option<RollEvent>,
    /// Whether the sentences name it as one that makes the difference.
    pub named: bool,
    /// Whether the sentences name it as one that takes much of it back.
    pub against: bool,
}

/// An own roll after the opponent's reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyOwnRoll {
    /// The roll, the higher die first.
    #[cfg_attr(feature = "openapi", schema(example = "66"))]
    pub dice: String,
    /// Its share of the difference at 1-ply, in points on a cube at 1.
    pub share: f32,
}

/// Throws of the opponent after which the player has a double, at 1-ply.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyNextDouble {
    /// Throws after which the opponent takes it.
    #[cfg_attr(feature = "openapi", schema(example = 12))]
    pub taken: u8,
    /// Throws after which the opponent passes it.
    #[cfg_attr(feature = "openapi", schema(example = 8))]
    pub passed: u8,
}

/// The board after the worse play with one blot on another own checker, or its anchor where the
/// better play has one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyRepair {
    /// Where the blot, or the anchor, stands.
    pub from: u8,
    /// Where it would stand.
    pub to: u8,
    /// Checkers that are moved: 1 is a blot, 2 an anchor.
    pub checkers: u8,
    /// What the worse play would still lose; negative if it would be better.
    pub loss: f32,
    /// What it loses at the same depth.
    pub whole: f32,
    /// The depth of both, in plies.
    pub plies: u8,
}

/// What a roll of the opponent does after one of the plays, and not after the other.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RollEvent {
    /// As `hits`, `stays on the bar` or `makes the opponent's 5 point (your 20)`.
    #[cfg_attr(feature = "openapi", schema(example = "hits"))]
    pub what: String,
    /// Whether it happens after the better play; else after the other.
    pub after_better: bool,
    /// The same apart from the language.
    pub said: Said,
}

impl RollEvent {
    fn new(said: Said, after_better: bool) -> RollEvent {
        let what = said.clone().with("rolls", "").with("n", 1u8).in_english().trim().to_owned();
        RollEvent { what, after_better, said }
    }

    /// Whether the roll hits.
    fn is_hit(&self) -> bool {
        self.said.kind.starts_with("roll-hits")
    }
}

/// A theme of the net's inputs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyTheme {
    /// Its name: shots, race, home-board, block, back-checkers, entering, outfield, timing or
    /// bearing-off.
    pub theme: String,
    /// Its Shapley value in the static difference, in points per game.
    pub share: f32,
    /// Whether it belongs to the fewest themes that make half of the static difference.
    pub decisive: bool,
    /// Whether the boards differ in it, in the direction in which the net sees it.
    pub fits: bool,
}

impl WhyAnswer {
    /// Compares the best play with `instead`, or with the second best; if `instead` is the best
    /// play, with the second best, too.
    ///
    /// # Errors
    /// [`WhyError`]: one legal play, an illegal one, no roll, or a score beyond the match equity
    /// table.
    ///
    /// ```
    /// use nonet_engine::{Engine, GameState, Plies};
    /// use nonet_report::answer::WhyAnswer;
    ///
    /// let engine = Engine::champion().with_plies(Plies::TWO);
    /// let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?;
    /// let why = WhyAnswer::of(&engine, &state, Some("24/23 13/10"))?;
    /// assert_eq!(why.better.play, "8/5 6/5");
    /// println!("{}", why.sentences.join("\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        engine: &Engine,
        state: &GameState,
        instead: Option<&str>,
    ) -> Result<WhyAnswer, WhyError> {
        let dice = state.dice().ok_or(EngineError::NotRolled)?;
        let named = instead.map(|text| state.position.read_play(text, dice)).transpose()?;
        let plays = engine.moves(state)?;
        let [best, second, ..] = plays.as_slice() else { return Err(WhyError::OnePlay) };
        let other: &Candidate = match &named {
            Some(named) if named.after != *best.after() => named,
            _ => &second.candidate,
        };
        WhyAnswer::of_two(engine, state, &plays, [&best.candidate, other])
    }

    /// Compares two plays, whichever of them the search finds better: `better` of the answer is
    /// that one. Neither has to be the best play.
    ///
    /// # Errors
    /// [`WhyError`]: the same play twice, an illegal one, no roll, or a score beyond the match
    /// equity table.
    pub fn between(
        engine: &Engine,
        state: &GameState,
        named: [&str; 2],
    ) -> Result<WhyAnswer, WhyError> {
        let dice = state.dice().ok_or(EngineError::NotRolled)?;
        let read = |text: &str| state.position.read_play(text, dice);
        let [first, second] = [read(named[0])?, read(named[1])?];
        if first.after == second.after {
            return Err(WhyError::SamePlay);
        }
        WhyAnswer::of_two(engine, state, &engine.moves(state)?, [&first, &second])
    }

    fn of_two(
        engine: &Engine,
        state: &GameState,
        plays: &[ScoredMove],
        two: [&Candidate; 2],
    ) -> Result<WhyAnswer, WhyError> {
        let dice = state.dice().ok_or(EngineError::NotRolled)?;
        let why = Explanation::of(engine, state, two)?;
        let ranked = [&why.better.candidate, &why.worse.candidate];
        let people = WhyPeople::of(&state.position, dice, plays, ranked);
        Ok(WhyAnswer { people, ..WhyAnswer::new(engine, state, &why)? })
    }

    fn new(
        engine: &Engine,
        state: &GameState,
        why: &Explanation,
    ) -> Result<WhyAnswer, EngineError> {
        let themes = why.themes.as_ref();
        let decisive = |theme: &Theme| themes.is_some_and(|all| all.decisive.contains(theme));
        let facts = |place: usize| {
            let wasted = why.wasted.map(|both| both[place]);
            WhyFacts::new(&why.facts[place], why.classes[place].slug(), wasted)
        };
        let worth = engine.context(state.state.scoring, state.state.cube).ok();
        let mut answer = WhyAnswer {
            id: state.position_id(),
            dice: state.dice().map(|dice| dice.to_string()).unwrap_or_default(),
            plies: why.better.plies.get(),
            better: RankedPlay::of(engine, &why.better, why.better.equity, worth.as_ref()),
            worse: RankedPlay::of(engine, &why.worse, why.better.equity, worth.as_ref()),
            sentences: Vec::new(),
            said: Vec::new(),
            people: Vec::new(),
            rolls_loss: why.rolls_loss,
            opponent_cube: why.opponent_cube.map(cube_word),
            rolls: why_rolls(why),
            own_rolls: (why.own_rolls.iter())
                .map(|roll| WhyOwnRoll { dice: roll.dice.to_string(), share: roll.share })
                .collect(),
            next_doubles: (why.next_doubles)
                .map(|next| WhyNextDouble { taken: next.taken, passed: next.passed }),
            cubeless: 0.0,
            repair: why.repair.map(|repair| WhyRepair {
                from: repair.from,
                to: repair.to,
                checkers: repair.checkers,
                loss: repair.loss,
                whole: repair.whole,
                plies: repair.plies.get(),
            }),
            gammon_prices: why.gammon_prices,
            gammon_prices_after_double: why.gammon_prices_after_double,
            backgammon_prices: why.backgammon_prices,
            backgammon_prices_after_double: why.backgammon_prices_after_double,
            elsewhere: why.elsewhere,
            scores: WhyScores::of(engine, state, why)?,
            static_difference: themes.map(|all| all.difference),
            themes: (themes.iter().flat_map(|all| &all.shares))
                .map(|(theme, share)| WhyTheme {
                    theme: theme.slug().to_owned(),
                    share: *share,
                    decisive: decisive(theme),
                    fits: false,
                })
                .collect(),
            decisive_part: themes.map(|all| all.decisive_part),
            facts_better: facts(0),
            facts_worse: facts(1),
            rows: Vec::new(),
        };
        answer.cubeless = chances::cubeless(&answer);
        themes::fit(&mut answer, why);
        answer.rows = rows(&answer.facts_better, &answer.facts_worse);
        answer.said = sentences(&answer, why, state);
        answer.sentences = answer.said.iter().map(Said::in_english).collect();
        Ok(answer)
    }
}

fn cube_word(cube: OpponentCube) -> Option<String> {
    let word = match cube {
        OpponentCube::Over => return None,
        OpponentCube::Rolls => "no double",
        OpponentCube::TooGood => "too good to double",
        OpponentCube::Taken => "double, take",
        OpponentCube::Passed => "double, pass",
    };
    Some(word.to_owned())
}
