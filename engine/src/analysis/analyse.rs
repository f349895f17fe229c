//! From recorded games to analysed ones.

use super::decision::AnalysedDecision;
use super::questions::{Question, questions};
use super::summary::Summary;
use super::task::AnalysisTask;
use crate::backgammon::Seat;
use crate::backgammon::record::RecordedGame;
use crate::cube::MetError;
use crate::engine::{Engine, EngineError};
use crate::progress::Progress;

/// A game with the analysis of all its decisions.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The game.
    pub game: RecordedGame,
    /// The decisions in order.
    pub decisions: Vec<AnalysedDecision>,
}

impl Analysis {
    /// The totals of a player.
    #[must_use]
    pub fn summary(&self, player: Seat) -> Summary {
        let mut summary = Summary::default();
        self.decisions
            .iter()
            .filter(|analysed| analysed.player == player)
            .for_each(|analysed| summary.add(analysed));
        summary
    }
}

/// The number of events in games. The progress of [`analyse`] counts at most as many questions:
/// some events, such as the answer to a beaver, ask none.
#[must_use]
pub fn decisions_in(games: &[RecordedGame]) -> u64 {
    games.iter().map(|game| game.events().len() as u64).sum()
}

/// Analyses games; whoever does the work of `progress` analyses the decisions, and the result does
/// not depend on it. It counts questions, at most as many as [`decisions_in`] says. `None` if it
/// was stopped.
///
/// # Errors
/// [`MetError`] if the engine's match equity table does not reach a score.
pub fn analyse(
    games: &[RecordedGame],
    engine: &Engine,
    progress: &Progress,
) -> Result<Option<Vec<Analysis>>, MetError> {
    let mut all_questions: Vec<(usize, Question)> = Vec::new();
    for (index, game) in games.iter().enumerate() {
        all_questions
            .extend(questions(game, engine)?.into_iter().map(|question| (index, question)));
    }
    let (places, questions): (Vec<usize>, Vec<Question>) = all_questions.into_iter().unzip();
    let task = AnalysisTask { questions: &questions, engine };
    let Some(parts) = progress.share(&task, 0..questions.len() as u64) else { return Ok(None) };
    let of = |game: &RecordedGame| Analysis { game: game.clone(), decisions: Vec::new() };
    let mut all: Vec<Analysis> = games.iter().map(of).collect();
    let decisions = parts.into_iter().flatten();
    for ((place, question), decisions) in places.into_iter().zip(&questions).zip(decisions) {
        all[place].decisions.extend(question.analysed(decisions));
    }
    Ok(Some(all))
}

/// Analyses one decision of a game again, perhaps with an engine that searches deeper; `index` is
/// its place among the decisions of [`analyse`]. `None` if the game has fewer decisions.
///
/// # Errors
/// [`MetError`] if the engine's match equity table does not reach the score.
pub fn analyse_decision(
    game: &RecordedGame,
    index: usize,
    engine: &Engine,
) -> Result<Option<AnalysedDecision>, MetError> {
    let mut before = 0;
    for question in questions(game, engine)? {
        let count = question.asked.count();
        if index < before + count {
            let Question { position, context, asked, .. } = &question;
            let mut kinds = asked.decisions(position, context, engine);
            let kind = kinds.swap_remove(index - before);
            return Ok(question.analysed(vec![kind]).pop());
        }
        before += count;
    }
    Ok(None)
}

impl Engine {
    /// Analyses games on the engine's threads: [`analyse`] without a progress display.
    ///
    /// # Errors
    /// [`EngineError`] if the match equity table does not reach a score.
    ///
    /// # Panics
    /// Never: nothing stops the work.
    #[allow(clippy::expect_used, reason = "nothing stops this work")]
    pub fn analyse(&self, games: &[RecordedGame]) -> Result<Vec<Analysis>, EngineError> {
        let analysed = self.install(|| analyse(games, self, &Progress::default()))?;
        Ok(analysed.expect("nothing stops this work"))
    }
}
