//! Why one play is better than another.

use serde::Serialize;

use super::RankedPlay;
use super::why_rolls::why_rolls;
use super::why_sentences::sentences;
use nonet_engine::backgammon::{Candidate, GameState, PlayError};
use nonet_engine::engine::{Engine, EngineError};
use nonet_engine::explain::{BoardFacts, Explanation, Theme};

/// Why there is no comparison of two plays.
#[derive(Debug, thiserror::Error)]
pub enum WhyError {
    /// The roll can be played in one way only.
    #[error("there is nothing to compare: the roll has one legal play")]
    OnePlay,
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
    /// The explanation in sentences, the largest reason first. Each follows from the numbers below.
    pub sentences: Vec<String>,
    /// What the rolls add up to, in points on a cube at 1. The opponent's doubles before the roll
    /// are not in it.
    pub rolls_loss: f32,
    /// The opponent's 21 rolls, by falling share.
    pub rolls: Vec<WhyRoll>,
    /// What the themes add up to: the static difference, in points per game. Null if two nets
    /// evaluate the boards.
    pub static_difference: Option<f32>,
    /// Themes of the net's inputs, by falling share.
    pub themes: Vec<WhyTheme>,
    /// The board after the better play.
    pub facts_better: WhyFacts,
    /// The board after the other play.
    pub facts_worse: WhyFacts,
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
    /// What the roll does after one of the plays; null if nothing with a name.
    pub does: Option<RollEvent>,
    /// Whether the sentences name it.
    pub named: bool,
}

/// What a roll of the opponent does after one of the plays, and not after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RollEvent {
    /// As `hits`, `stays on the bar` or `makes the opponent's 5 point`.
    #[cfg_attr(feature = "openapi", schema(example = "hits"))]
    pub what: String,
    /// Whether it happens after the better play; else after the other.
    pub after_better: bool,
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
}

/// Counts on a board. Of pairs the first is the player's who moved, the second the opponent's;
/// points are in the player's numbering.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WhyFacts {
    /// Class of the board, such as `prime`.
    pub class: String,
    /// Pip counts.
    pub pips: [u16; 2],
    /// Of the opponent's 36 throws, those that can hit.
    pub shots: u8,
    /// The player's blots, the highest point first.
    pub blots: Vec<u8>,
    /// Points made in the home board.
    pub home_points: [u8; 2],
    /// The most points in a row.
    pub longest_block: [u8; 2],
    /// Points that the player has made in the opponent's home board.
    pub anchors: Vec<u8>,
    /// Checkers in the other's home board or on the bar.
    pub back: [u8; 2],
    /// Checkers on the bar.
    pub on_bar: [u8; 2],
    /// Checkers borne off.
    pub off: [u8; 2],
    /// The most checkers on a point.
    pub highest_stack: [u8; 2],
}

impl WhyFacts {
    fn new(facts: &BoardFacts, class: &str) -> WhyFacts {
        WhyFacts {
            class: class.to_owned(),
            pips: facts.pips,
            shots: facts.shots,
            blots: facts.blots[0].clone(),
            home_points: facts.home_points,
            longest_block: facts.longest_block,
            anchors: facts.anchors[0].clone(),
            back: facts.back,
            on_bar: facts.on_bar,
            off: facts.off,
            highest_stack: facts.highest_stack,
        }
    }
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
        let why = Explanation::of(engine, state, [&best.candidate, other])?;
        Ok(WhyAnswer::new(engine, state, &why))
    }

    fn new(engine: &Engine, state: &GameState, why: &Explanation) -> WhyAnswer {
        let themes = why.themes.as_ref();
        let decisive = |theme: &Theme| themes.is_some_and(|all| all.decisive.contains(theme));
        let facts = |place: usize| WhyFacts::new(&why.facts[place], why.classes[place].slug());
        let worth = engine.context(state.state.scoring, state.state.cube).ok();
        let mut answer = WhyAnswer {
            id: state.position_id(),
            dice: state.dice().map(|dice| dice.to_string()).unwrap_or_default(),
            plies: why.better.plies.get(),
            better: RankedPlay::of(engine, &why.better, why.better.equity, worth.as_ref()),
            worse: RankedPlay::of(engine, &why.worse, why.better.equity, worth.as_ref()),
            sentences: Vec::new(),
            rolls_loss: why.rolls_loss,
            rolls: why_rolls(&why.rolls),
            static_difference: themes.map(|all| all.difference),
            themes: (themes.iter().flat_map(|all| &all.shares))
                .map(|(theme, share)| WhyTheme {
                    theme: theme.slug().to_owned(),
                    share: *share,
                    decisive: decisive(theme),
                })
                .collect(),
            facts_better: facts(0),
            facts_worse: facts(1),
        };
        answer.sentences = sentences(&answer, why, gammons_that_count(state));
        answer
    }
}

/// Whether winning and losing a gammon are worth more than winning and losing a game: not where one
/// game decides the match.
fn gammons_that_count(GameState { state, .. }: &GameState) -> [bool; 2] {
    match state.scoring.away() {
        None => [true; 2],
        Some((own, opponent)) => [own, opponent].map(|away| u32::from(away) > state.cube.value()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::Plies;

    fn why(id: &str, dice: &str, instead: Option<&str>) -> Result<WhyAnswer, WhyError> {
        let engine = Engine::champion().with_plies(Plies::TWO);
        let state = super::super::read_question(id, Some(dice)).expect("a question");
        WhyAnswer::of(&engine, &state, instead)
    }

    #[test]
    fn a_play_that_leaves_shots_is_explained_by_the_rolls_that_hit() {
        let answer = why("start", "31", Some("13/10 6/5")).expect("an answer");
        assert_eq!((answer.better.play.as_str(), answer.worse.loss > 0.1), ("8/5 6/5", true));
        let text = answer.sentences.join("\n");
        assert!(answer.facts_worse.shots > answer.facts_better.shots + 10, "{text}");
        assert!(text.contains("hit"), "{text}");
        let most = answer.rolls.iter().max_by(|a, b| a.share.total_cmp(&b.share)).expect("21");
        assert_eq!(answer.rolls[0], *most);
    }

    #[test]
    fn without_a_play_the_second_best_is_compared_and_the_best_is_not_compared_with_itself() {
        let second = why("start", "31", None).expect("an answer");
        let same = why("start", "31", Some("8/5 6/5")).expect("an answer");
        assert_eq!(second, same);
        assert_ne!(second.better.play, second.worse.play);
        assert!(second.worse.loss > 0.0);
    }

    #[test]
    fn what_a_hit_checker_cannot_do_is_told_of_the_play_that_hits() {
        // 8/5* 6/5 points on a blot; after 24/23 13/10 nobody is on the bar.
        let id = "XGID=-a---aE-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
        let answer = why(id, "31", Some("24/23 13/10")).expect("an answer");
        assert_eq!((answer.facts_better.on_bar[1], answer.facts_worse.on_bar[1]), (1, 0));
        let stay = answer.rolls.iter().filter_map(|roll| roll.does.as_ref());
        let stay: Vec<_> = stay.filter(|does| does.what == "stays on the bar").collect();
        assert!(!stay.is_empty() && stay.iter().all(|does| does.after_better), "{answer:?}");
    }

    #[test]
    fn gammons_are_not_told_where_one_game_decides() {
        let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:1:10";
        let answer = why(id, "31", Some("24/23 13/10")).expect("an answer");
        assert!(!answer.sentences.join(" ").contains("gammon"), "{:?}", answer.sentences);
    }

    #[test]
    fn what_cannot_be_compared_is_said() {
        assert!(matches!(why("start", "31", Some("8/3")), Err(WhyError::Play(_))));
        // The home board is closed, so the checker on the bar cannot enter.
        let dance = "XGID=-----AE-C---cE-----bbbbbbA:0:0:1:66:0:0:0:0:10";
        assert!(matches!(why(dance, "66", None), Err(WhyError::OnePlay)));
    }
}
