//! The score matrix: one decision at many scores.

mod cells;
mod legend;
mod questions;

#[cfg(test)]
mod tests;

pub use cells::{
    CubeCell, CubeInCell, MatrixPlay, PlayInCell, ScoreCell, ScoreMatrix, ScoreName, ScoreStage,
};

use rayon::prelude::*;

use self::legend::Legend;
pub(in crate::answer) use self::questions::{is_same, kind, scores};

use self::questions::cubes;
use nonet_engine::backgammon::{Cube, GameState, MatchState, PlayError, Position, Scoring};
use nonet_engine::cube::CubeDecision;
use nonet_engine::engine::{Engine, EngineError, ScoredMove};
use nonet_engine::progress::Progress;

/// What of a matrix is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct MatrixOptions<'a> {
    /// The most points that a side needs; [`ScoreMatrix::AWAY`] if it is `None`.
    pub away: Option<u16>,
    /// Each cell tells the loss of this play; `None` takes the best play at the score of the
    /// question. A cube decision has none.
    pub play: Option<&'a str>,
}

/// Why there is no matrix.
#[derive(Debug, thiserror::Error)]
pub enum MatrixError {
    /// Too small or too large.
    #[error("invalid size of the score matrix '{0}': expected 1 to {most} points away", most = ScoreMatrix::MOST_AWAY)]
    Away(u16),
    /// The play asked about is not legal.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// There is a play without a roll.
    #[error("a play needs a roll: expected dice such as \"31\", or an ID with a roll")]
    PlayWithoutRoll,
    /// The engine has no answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// A decision before letters are given.
enum Decided {
    Plays(Vec<ScoredMove>),
    Cube(CubeDecision),
}

impl ScoreMatrix {
    /// The points away to which a matrix goes unless a size is named.
    pub const AWAY: u16 = 9;

    /// The largest matrix.
    pub const MOST_AWAY: u16 = 15;

    /// How many decisions the matrix of a question has: its progress counts them.
    #[must_use]
    pub fn decisions(state: &GameState, away: u16) -> u64 {
        (scores(state, away).len() + cubes(state).len()) as u64
    }

    /// Decides at every score, at the engine's depth: a play if `state` has a roll, else whether to
    /// double. Whoever stops `progress` gets the cells that are done.
    ///
    /// The Crawford game is there only with the cube in the middle at 1.
    ///
    /// # Errors
    /// [`MatrixError`]
    ///
    /// ```
    /// use nonet_engine::progress::Progress;
    /// use nonet_engine::{Engine, GameState, Plies};
    /// use nonet_report::answer::{MatrixOptions, ScoreMatrix};
    ///
    /// let engine = Engine::champion().with_plies(Plies::ONE);
    /// let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:0:10".parse()?;
    /// let options = MatrixOptions { away: Some(3), play: None };
    /// let matrix = ScoreMatrix::of(&engine, &state, options, &Progress::default())?;
    /// // Money, 9 scores, and the Crawford game where one side needs one point.
    /// assert_eq!((matrix.cells.len(), matrix.complete), (14, true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        engine: &Engine,
        state: &GameState,
        options: MatrixOptions<'_>,
        progress: &Progress,
    ) -> Result<ScoreMatrix, MatrixError> {
        let away = options.away.unwrap_or(ScoreMatrix::AWAY);
        if !(1..=ScoreMatrix::MOST_AWAY).contains(&away) {
            return Err(MatrixError::Away(away));
        }
        let asked = match (options.play, state.dice()) {
            (Some(play), Some(dice)) => Some(state.position.read_play(play, dice)?.after),
            (Some(_), None) => return Err(MatrixError::PlayWithoutRoll),
            (None, _) => None,
        };
        let scores = scores(state, away);
        let cubes = cubes(state);
        let given = &state.state;
        let questions: Vec<(Scoring, Cube)> = (scores.iter().map(|score| (*score, given.cube)))
            .chain(cubes.iter().map(|cube| (given.scoring, *cube)))
            .collect();
        let decide = |&(scoring, cube): &(Scoring, Cube)| {
            if progress.is_stopped() {
                return Ok(None);
            }
            let decided = decide(engine, &at(state, scoring, cube)).map(Some);
            progress.add(1);
            decided
        };
        let mut decided = engine.install(|| {
            questions.par_iter().map(decide).collect::<Result<Vec<_>, EngineError>>()
        })?;
        let place = scores.iter().position(|score| is_same(*score, given.scoring));
        let of_question = place.and_then(|place| decided[place].as_ref());
        let asked = asked.or(of_question.and_then(Decided::best));
        if let Some(asked) = &asked {
            engine.install(|| {
                let all = questions.par_iter().zip(&mut decided);
                all.try_for_each(|(question, decided)| as_deep(engine, *question, decided, asked))
            })?;
        }
        let (of_scores, of_cubes) = decided.split_at(scores.len());
        let legend = Legend::of(of_scores, of_cubes, asked);
        let cells = (scores.iter().zip(of_scores))
            .filter_map(|(score, decided)| Some(cell(*score, given, legend.tell(decided)?)));
        let cubes = (cubes.iter().zip(of_cubes)).filter_map(|(cube, decided)| {
            let (play, decision) = legend.tell(decided)?;
            let (owner, value) = (cube.owner(), cube.value());
            Some(CubeCell { owner, value, given: *cube == given.cube, play, cube: decision })
        });
        Ok(ScoreMatrix {
            id: state.position.id(),
            dice: state.dice().map(|dice| dice.to_string()),
            plies: if state.dice().is_some() { engine.plies() } else { engine.cube_plies() }.get(),
            away,
            cells: cells.collect(),
            cubes: cubes.collect(),
            complete: decided.iter().all(Option::is_some),
            asked: asked.and_then(|asked| legend.letter(&asked)),
            plays: legend.plays,
        })
    }

    /// The cell of the question's score, unless the work was stopped before.
    #[must_use]
    pub fn given(&self) -> Option<&ScoreCell> {
        self.cells.iter().find(|cell| cell.given)
    }
}

/// The same question with another score and cube.
fn at(state: &GameState, scoring: Scoring, cube: Cube) -> GameState {
    let mut state = state.clone();
    (state.state.scoring, state.state.cube) = (scoring, cube);
    state
}

fn decide(engine: &Engine, state: &GameState) -> Result<Decided, EngineError> {
    match state.dice() {
        Some(_) => engine.moves(state).map(Decided::Plays),
        None => engine.cube(state).map(Decided::Cube),
    }
}

/// Compares the asked play with the best one at the full depth, where the move filter left it
/// behind.
///
/// The loss of a cell is the difference of two plays at one depth.
fn as_deep(
    engine: &Engine,
    (scoring, cube): (Scoring, Cube),
    decided: &mut Option<Decided>,
    asked: &Position,
) -> Result<(), EngineError> {
    let Some(Decided::Plays(plays)) = decided else { return Ok(()) };
    let place = plays.iter().position(|play| play.after() == asked);
    let Some(place) = place.filter(|place| plays[*place].plies < plays[0].plies) else {
        return Ok(());
    };
    let context = engine.context(scoring, cube)?;
    let two = [&plays[0].candidate, &plays[place].candidate];
    let [best, mut compared] = engine.compare(two, &context);
    // The search may have ended earlier for the best play, or not rolled it out. So the distance
    // of this pair counts.
    compared.equity += plays[0].equity - best.equity;
    plays[place] = compared;
    Ok(())
}

/// The name of a score, if it has one.
pub(in crate::answer) const fn name_of(
    score: ScoreStage,
    away: Option<(u16, u16)>,
) -> Option<ScoreName> {
    match (score, away) {
        (_, Some((1, 1))) => Some(ScoreName::DoubleMatchPoint),
        (ScoreStage::Crawford, Some((2, 1))) => Some(ScoreName::GammonGo),
        (ScoreStage::Crawford, Some((1, 2))) => Some(ScoreName::GammonSave),
        _ => None,
    }
}

fn cell(
    scoring: Scoring,
    given: &MatchState,
    (play, cube): (Option<PlayInCell>, Option<CubeInCell>),
) -> ScoreCell {
    let (score, away) = kind(scoring);
    let name = name_of(score, away);
    let (own_away, opponent_away) = away.unzip();
    let given = is_same(scoring, given.scoring);
    ScoreCell { score, own_away, opponent_away, name, given, play, cube }
}

impl Decided {
    /// The board after the best play.
    fn best(&self) -> Option<Position> {
        match self {
            Decided::Plays(plays) => plays.first().map(|play| *play.after()),
            Decided::Cube(_) => None,
        }
    }
}
