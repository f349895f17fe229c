//! Reads an answer to a card and says what it loses.

use nonet_engine::analysis::{CubeCall, Severity};
use nonet_engine::backgammon::{
    CubeOffer, GameState, GameStateError, PlayError, Scoring, Turn, candidates,
};
use nonet_engine::cube::{Answer, CubeDecision};
use nonet_engine::engine::{Engine, EngineError};
use nonet_engine::search::Plies;
use nonet_report::answer::WhyAnswer;
use nonet_report::play_of;

use crate::{Card, CardFigures, Figure, Grade};

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
    pub equities: Vec<Figure>,
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
        /// The answer.
        answer: String,
        /// What may be answered.
        expected: &'static str,
    },
    /// The XGID of the card is none.
    #[error(transparent)]
    State(#[from] GameStateError),
    /// The engine cannot answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// An answer that loses less than this is as good as the best.
const AS_GOOD: f32 = 0.02;
/// The number of plays with their equities.
const TOLD: usize = 3;
/// The deepest search of a play that the figures of a card leave out, and of an explanation.
const DEEPEST: Plies = Plies::THREE;

/// The grade of an answer: wrong if analyses mark it.
pub(crate) fn grade_of(loss: f32) -> Grade {
    match loss {
        loss if Severity::of(loss) > Severity::Fine => Grade::Again,
        loss if loss >= AS_GOOD => Grade::Hard,
        _ => Grade::Good,
    }
}

/// Judges an answer at the depth of the engine: a play, `double` or `roll`, `take`, `pass` or
/// `beaver`.
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
    let words = in_words(answer);
    match state.state.turn {
        Turn::Rolled(_) => judge_play(engine, state, &words),
        Turn::ToRoll | Turn::Offered(_) => {
            let call = call_of(state, &words)?;
            Ok(judged_call(call, &engine.cube(state)?, engine.cube_plies()))
        }
    }
}

/// Judges an answer to a card by the equities that the card keeps.
///
/// A play that they leave out, or have at a lower depth, is searched against the best play. The
/// depth is that of the best play, at most 3-ply. A card without equities is judged as [`judge()`]
/// does.
///
/// # Errors
/// [`JudgeError`], as [`judge()`].
pub fn judge_card(engine: &Engine, card: &Card, answer: &str) -> Result<Judged, JudgeError> {
    let (state, words) = (card.state()?, in_words(answer));
    match (&card.figures, state.dice()) {
        (Some(CardFigures::Plays(plays)), Some(_)) if !plays.is_empty() => {
            judge_by_plays(engine, card, &state, plays, &words)
        }
        (Some(CardFigures::Cube { decision, plies }), None) => {
            Ok(judged_call(call_of(&state, &words)?, decision, *plies))
        }
        _ => judge(engine, &state, answer),
    }
}

/// An answer with single spaces in lower case.
fn in_words(answer: &str) -> String {
    answer.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn judge_by_plays(
    engine: &Engine,
    card: &Card,
    state: &GameState,
    plays: &[Figure],
    words: &str,
) -> Result<Judged, JudgeError> {
    let dice = state.dice().ok_or(EngineError::NotRolled)?;
    let read = |play: &str| state.position.read_play(play, dice);
    let after = read(words)?.after;
    let is_answer = |name: &str| read(name).is_ok_and(|play| play.after == after);
    let best = &plays[0];
    let mut told = plays.to_vec();
    let (answer, loss) = match plays.iter().find(|figure| is_answer(&figure.decision)) {
        // The loss of an analysis may be that of rollouts.
        Some(figure) if figure.decision == card.made => (figure.decision.clone(), card.loss),
        Some(figure) if figure.plies >= best.plies => {
            (figure.decision.clone(), (best.equity - figure.equity).max(0.0))
        }
        _ => {
            let context =
                engine.context(state.state.scoring, state.state.cube).map_err(EngineError::from)?;
            let legal = candidates(&state.position, dice);
            let made = legal.iter().find(|play| play.after == after);
            let best_after = read(&best.decision)?.after;
            let first = legal.iter().find(|play| play.after == best_after);
            let (Some(first), Some(made)) = (first, made) else {
                return judge_play(engine, state, words);
            };
            let plies = best.plies.min(DEEPEST);
            let [first, made] = engine.with_plies(plies).compare([first, made], &context);
            let loss = (first.equity - made.equity).max(0.0);
            let answer = Figure { equity: best.equity - loss, ..Figure::of(&made) };
            told.retain(|figure| figure.decision != answer.decision);
            told.push(answer.clone());
            (answer.decision, loss)
        }
    };
    let best = best.decision.clone();
    let mut place = 0;
    told.retain(|figure| {
        place += 1;
        place <= TOLD || figure.decision == answer || figure.decision == card.made
    });
    told.sort_by(|a, b| b.equity.total_cmp(&a.equity));
    Ok(Judged { answer, best, loss, grade: grade_of(loss), equities: told })
}

fn judge_play(engine: &Engine, state: &GameState, words: &str) -> Result<Judged, JudgeError> {
    let dice = state.dice().ok_or(EngineError::NotRolled)?;
    let after = state.position.read_play(words, dice)?.after;
    let mut plays = engine.moves(state)?;
    let made = plays.iter().position(|play| *play.after() == after).unwrap_or(0);
    // The move filters may have left one of the two plays at a lower depth.
    if made != 0 && !(engine.is_at_depth(&plays[0]) && engine.is_at_depth(&plays[made])) {
        let context =
            engine.context(state.state.scoring, state.state.cube).map_err(EngineError::from)?;
        let pair = [&plays[0].candidate, &plays[made].candidate];
        [plays[0], plays[made]] = engine.compare(pair, &context);
    }
    let loss = (plays[0].equity - plays[made].equity).max(0.0);
    let told = plays.iter().enumerate().filter(|(place, _)| *place < TOLD || *place == made);
    Ok(Judged {
        answer: play_of(&plays[made]),
        best: play_of(&plays[0]),
        loss,
        grade: grade_of(loss),
        equities: told.map(|(_, play)| Figure::of(play)).collect(),
    })
}

/// The cube action of an answer. The words of a decision, such as `No double, take`, answer with
/// the part of the player who decides.
fn call_of(state: &GameState, words: &str) -> Result<CubeCall, JudgeError> {
    let is_offered = matches!(state.state.turn, Turn::Offered(CubeOffer::Double));
    // A record may hold a beaver, and its card no rule of beavers.
    let is_money = matches!(state.state.scoring, Scoring::Money { .. });
    let part = match words.split_once(", ") {
        Some((turn, answer @ ("take" | "pass" | "beaver"))) if turn.ends_with("double") => {
            if is_offered {
                answer
            } else {
                turn
            }
        }
        _ => words,
    };
    Ok(match (part, is_offered) {
        ("double" | "redouble" | "d", false) => CubeCall::Double,
        ("no double" | "no redouble" | "roll" | "r" | "n" | "no", false) => CubeCall::NoDouble,
        ("too good to double" | "too good to redouble", false) => CubeCall::NoDouble,
        ("take" | "t", true) => CubeCall::Take,
        ("pass" | "drop" | "p", true) => CubeCall::Drop,
        ("beaver", true) if is_money => CubeCall::Beaver,
        _ => {
            let expected = match (is_offered, state.state.scoring) {
                (false, _) => "double or roll",
                (true, Scoring::Money { beavers: true, .. }) => "take, pass or beaver",
                (true, _) => "take or pass",
            };
            return Err(JudgeError::Call { answer: words.to_owned(), expected });
        }
    })
}

fn judged_call(call: CubeCall, decision: &CubeDecision, plies: Plies) -> Judged {
    let loss = call.loss(decision);
    let turn = if decision.redouble { "redouble" } else { "double" };
    let taken = if decision.answer == Answer::Beaver { "beaver" } else { "take" };
    let figure = |decision: String, equity| Figure { decision, equity, plies };
    Judged {
        answer: if call == CubeCall::Drop { "pass" } else { call.name() }.to_owned(),
        best: decision.to_string(),
        loss,
        grade: grade_of(loss),
        equities: vec![
            figure(format!("no {turn}"), decision.no_double),
            figure(format!("{turn}, {taken}"), decision.double_take),
            figure(format!("{turn}, pass"), decision.double_pass),
        ],
    }
}

/// The sentences that explain why the best play is better than the answer.
///
/// After the best answer they explain why it is better than `made` of the card. The search is as
/// deep as that of the card, at most 3-ply. None for a decision about the cube, where there is
/// nothing to compare, or where the search names another play as the best.
#[must_use]
pub fn why_best(engine: &Engine, card: &Card, judged: &Judged) -> Option<WhyAnswer> {
    let state = card.state().ok().filter(|state| state.dice().is_some())?;
    let other = if judged.loss > 0.0 { &judged.answer } else { &card.made };
    let engine = match &card.figures {
        Some(CardFigures::Plays(plays)) if !plays.is_empty() => {
            &engine.with_plies(plays[0].plies.min(DEEPEST))
        }
        _ => engine,
    };
    let why = WhyAnswer::of(engine, &state, Some(other));
    let why = why.or_else(|_| WhyAnswer::of(engine, &state, None));
    why.ok().filter(|why| why.better.play == judged.best)
}
