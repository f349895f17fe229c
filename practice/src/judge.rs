//! Reads an answer to a card and says what it loses.

use nonet_engine::analysis::{CubeCall, Severity};
use nonet_engine::backgammon::{CubeOffer, GameState, PlayError, Turn};
use nonet_engine::engine::{Engine, EngineError, ScoredMove};
use nonet_report::answer::{Said, WhyAnswer, WhyError};

use crate::Grade;

/// What an answer is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The answer, as it is written.
    pub answer: String,
    /// The best decision.
    pub best: String,
    /// What the answer loses, in points on a cube at 1, at least 0.
    pub loss: f32,
    /// How well the card was known.
    pub grade: Grade,
    /// The equities of the best plays and of the answer, or of the three cube actions.
    pub equities: Vec<(String, f32)>,
}

/// Why an answer cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The play is illegal or not understood.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The cube action is not understood.
    #[error("invalid answer '{answer}': expected {expected}")]
    Call {
        /// What was answered.
        answer: String,
        /// What may be answered.
        expected: &'static str,
    },
    /// The engine cannot answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// An answer that loses less than this is as good as the best.
const AS_GOOD: f32 = 0.02;
/// The number of plays with their equities.
const TOLD: usize = 3;

/// The grade of an answer: wrong if analyses mark it.
fn grade_of(loss: f32) -> Grade {
    match loss {
        loss if Severity::of(loss) > Severity::Fine => Grade::Again,
        loss if loss >= AS_GOOD => Grade::Hard,
        _ => Grade::Good,
    }
}

/// Judges an answer at the depth of the engine: a play, `double` or `roll`, `take` or `pass`.
///
/// ```
/// use nonet_engine::{Engine, GameState, Plies};
/// use nonet_practice::{Grade, judge};
///
/// let engine = Engine::champion().with_plies(Plies::ONE);
/// let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?;
/// let judged = judge(&engine, &state, "24/23 13/10")?;
/// assert_eq!((judged.best.as_str(), judged.grade), ("8/5 6/5", Grade::Again));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`JudgeError`]: an answer that is not understood or not legal, or a score beyond the match
/// equity table.
pub fn judge(engine: &Engine, state: &GameState, answer: &str) -> Result<Judged, JudgeError> {
    let words = answer.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    match state.state.turn {
        Turn::Rolled(_) => judge_play(engine, state, &words),
        Turn::ToRoll | Turn::Offered(_) => judge_call(engine, state, &words),
    }
}

fn judge_play(engine: &Engine, state: &GameState, words: &str) -> Result<Judged, JudgeError> {
    let dice = state.dice().ok_or(EngineError::NotRolled)?;
    let after = state.position.read_play(words, dice)?.after;
    let mut plays = engine.moves(state)?;
    let made = plays.iter().position(|play| *play.after() == after).unwrap_or(0);
    // The move filters may have left one of the two plays at a lower depth.
    let is_deep = |play: &ScoredMove| play.plies == engine.plies();
    if made != 0 && !(is_deep(&plays[0]) && is_deep(&plays[made])) {
        let context =
            engine.context(state.state.scoring, state.state.cube).map_err(EngineError::from)?;
        let pair = [&plays[0].candidate, &plays[made].candidate];
        [plays[0], plays[made]] = engine.compare(pair, &context);
    }
    let loss = (plays[0].equity - plays[made].equity).max(0.0);
    let told = plays.iter().enumerate().filter(|(place, _)| *place < TOLD || *place == made);
    let name = |play: &ScoredMove| nonet_report::play_of(play);
    Ok(Judged {
        answer: name(&plays[made]),
        best: name(&plays[0]),
        loss,
        grade: grade_of(loss),
        equities: told.map(|(_, play)| (name(play), play.equity)).collect(),
    })
}

fn judge_call(engine: &Engine, state: &GameState, words: &str) -> Result<Judged, JudgeError> {
    let is_offered = matches!(state.state.turn, Turn::Offered(CubeOffer::Double));
    let (call, name) = match (words, is_offered) {
        ("double" | "redouble" | "d", false) => (CubeCall::Double, "double"),
        ("no double" | "roll" | "r" | "n" | "no", false) => (CubeCall::NoDouble, "no double"),
        ("take" | "t", true) => (CubeCall::Take, "take"),
        ("pass" | "drop" | "p", true) => (CubeCall::Drop, "pass"),
        _ => {
            let expected = if is_offered { "take or pass" } else { "double or roll" };
            return Err(JudgeError::Call { answer: words.to_owned(), expected });
        }
    };
    let decision = engine.cube(state)?;
    let loss = call.loss(&decision);
    let turn = if decision.redouble { "redouble" } else { "double" };
    Ok(Judged {
        answer: name.to_owned(),
        best: decision.to_string(),
        loss,
        grade: grade_of(loss),
        equities: vec![
            (format!("no {turn}"), decision.no_double),
            (format!("{turn}, take"), decision.double_take),
            (format!("{turn}, pass"), decision.double_pass),
        ],
    })
}

/// The sentences that explain why the best play is better than `instead`, or than the second best;
/// none for a decision about the cube, or where there is nothing to compare.
///
/// # Errors
/// [`WhyError`] if the engine cannot answer, or the play is not legal.
pub fn why_best(
    engine: &Engine,
    state: &GameState,
    instead: Option<&str>,
) -> Result<Vec<Said>, WhyError> {
    if state.dice().is_none() {
        return Ok(Vec::new());
    }
    match WhyAnswer::of(engine, state, instead) {
        Ok(why) => Ok(why.said),
        Err(WhyError::OnePlay) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
