//! The questions that an engine answers: about a game, or a position with its cube and score.

use std::sync::Arc;

use super::roll_out::Decided;
use super::{CubeContext, Engine, EngineError, RolloutPrecision, ScoredMove};
use crate::backgammon::{
    Candidate, Cube, CubeOffer, Dice, GameState, Position, Scoring, Turn, candidates,
};
use crate::cube::{BeaverDecision, CubeDecision, CubeEfficiency, CubeScoring, MetError};
use crate::eval::{Evaluation, Evaluator};
use crate::search::{MoveFilter, Plies, Search, SearchSettings};

/// Questions about a game with its cube, its score and its roll.
impl Engine {
    /// Every legal play of the roll of `state` by cubeful equity, the best first.
    ///
    /// A roll that cannot be played gives the one empty play.
    ///
    /// # Errors
    /// [`EngineError`] if the game is over, the dice are not rolled, or the match equity table does
    /// not reach the score.
    pub fn moves(&self, state: &GameState) -> Result<Vec<ScoredMove>, EngineError> {
        let (dice, context) = self.roll_of(state)?;
        Ok(self.rank(&state.position, dice, &context))
    }

    /// The best play of the roll of `state` by cubeful equity, perhaps the empty one.
    ///
    /// # Errors
    /// As [`Engine::moves`].
    pub fn best_move(&self, state: &GameState) -> Result<ScoredMove, EngineError> {
        let (dice, context) = self.roll_of(state)?;
        Ok(self.best(&state.position, dice, &context))
    }

    /// Whether the player on roll in `state` should double before rolling, and how the opponent
    /// should answer.
    ///
    /// If a double must be answered, the decision is the same.
    ///
    /// # Errors
    /// [`EngineError`] if the game is over, a beaver has turned the cube, or the match equity table
    /// does not reach the score. [`Engine::beaver_decision`] answers a beaver.
    pub fn cube(&self, state: &GameState) -> Result<CubeDecision, EngineError> {
        Ok(self.cube_with_precision(state)?.0)
    }

    /// The same, with the precision of the rollout if the decision is that of one.
    ///
    /// # Errors
    /// As [`Engine::cube`].
    pub fn cube_with_precision(
        &self,
        state: &GameState,
    ) -> Result<(CubeDecision, Option<RolloutPrecision>), EngineError> {
        let context = self.context_of(state)?;
        if let Turn::Offered(CubeOffer::Beaver | CubeOffer::Raccoon) = state.state.turn {
            return Err(EngineError::CubeTurned);
        }
        Ok(self.decide_cube(&state.position, &context))
    }

    fn context_of(&self, state: &GameState) -> Result<CubeContext, EngineError> {
        if state.is_over() {
            return Err(EngineError::GameOver);
        }
        Ok(self.context(state.state.scoring, state.state.cube)?)
    }

    fn roll_of(&self, state: &GameState) -> Result<(Dice, CubeContext), EngineError> {
        let context = self.context_of(state)?;
        Ok((state.dice().ok_or(EngineError::NotRolled)?, context))
    }

    /// Evaluates positions for their players on roll, before the roll and without the cube: result
    /// `i` belongs to position `i`.
    #[must_use]
    pub fn evaluate(&self, positions: &[Position]) -> Vec<Evaluation> {
        let mut values = Vec::with_capacity(positions.len());
        self.install(|| self.search.evaluate_into(positions, &mut values));
        values
    }
}

/// The same questions for callers that hold position and context apart, and questions without the
/// cube.
impl Engine {
    /// The context of a cube decision: scoring with the engine's match equity table, and the cube.
    ///
    /// # Errors
    /// [`MetError::TooLong`] if that table does not reach the score.
    pub fn context(&self, scoring: Scoring, cube: Cube) -> Result<CubeContext, MetError> {
        let scoring = CubeScoring::new(scoring, Arc::clone(&self.parts.met))?;
        Ok(CubeContext { scoring, cube })
    }

    /// Every legal play of a roll by cubeful equity, the best first; a roll that cannot be played
    /// gives the one empty play.
    #[must_use]
    pub fn rank(&self, position: &Position, dice: Dice, context: &CubeContext) -> Vec<ScoredMove> {
        self.ranked(position, dice, Some(context))
    }

    /// Every legal play of a roll by cubeless equity, the best first.
    #[must_use]
    pub fn rank_cubeless(&self, position: &Position, dice: Dice) -> Vec<ScoredMove> {
        self.ranked(position, dice, None)
    }

    fn ranked(
        &self,
        position: &Position,
        dice: Dice,
        context: Option<&CubeContext>,
    ) -> Vec<ScoredMove> {
        let plays = candidates(position, dice);
        let results: Vec<Position> = plays.iter().map(|candidate| candidate.after).collect();
        let decided = self.install(|| self.decided(&results, context));
        decided
            .into_iter()
            .map(|decided| ScoredMove::new(plays[decided.play.index].clone(), decided))
            .collect()
    }

    /// The best play of a roll.
    ///
    /// # Panics
    /// Never: each roll has at least the empty play.
    #[must_use]
    #[allow(clippy::expect_used, reason = "each roll has at least the empty play")]
    pub fn best(&self, position: &Position, dice: Dice, context: &CubeContext) -> ScoredMove {
        let plays = self.rank(position, dice, context);
        plays.into_iter().next().expect("each roll has at least the empty play")
    }

    /// Evaluates two plays of one roll at the full depth, without move filters, or by a rollout of
    /// both.
    ///
    /// # Panics
    /// Never: a ranking holds all of its plays.
    #[must_use]
    #[allow(clippy::expect_used, reason = "a ranking holds all of its plays")]
    pub fn compare(&self, plays: [&Candidate; 2], context: &CubeContext) -> [ScoredMove; 2] {
        let all = SearchSettings { filters: [MoveFilter::ALL; 3], ..self.parts.settings };
        let search = Search::new(Arc::clone(&self.evaluator), self.plies(), all);
        let results = plays.map(|play| play.after);
        let mut ranked =
            self.install(|| search.rank_with_cube(&results, &context.scoring, context.cube));
        ranked.sort_by_key(|play| play.index);
        let decided: Vec<Decided> = match self.parts.roller {
            Some(roller) => self.rolled_out(roller, &results, &ranked, Some(context)),
            None => ranked.into_iter().map(Decided::of_search).collect(),
        };
        let mut decided = decided.into_iter();
        plays.map(|play| {
            let decided = decided.next().expect("a ranking holds all of its plays");
            ScoredMove::new(play.clone(), decided)
        })
    }

    /// Whether the player on roll should double before rolling, and how the opponent should answer.
    ///
    /// The depth is that of cube decisions ([`Engine::cube_plies`]), whatever the depth of play. To
    /// answer a double, ask for the position of the doubler, with the cube before the double.
    #[must_use]
    pub fn cube_decision(&self, position: &Position, context: &CubeContext) -> CubeDecision {
        self.decide_cube(position, context).0
    }

    /// Whether the player on roll, who has doubled, plays on after a beaver.
    ///
    /// The depth is that of cube decisions. The cube is the one that the beaver has turned: its
    /// value is that before the answer, and the opponent owns it.
    #[must_use]
    pub fn beaver_decision(&self, position: &Position, context: &CubeContext) -> BeaverDecision {
        let decision = self.cube_decision(position, context);
        BeaverDecision::new(&context.scoring, context.cube, &decision)
    }

    /// The decision of the opponent after a play, as the ranking of plays sees it.
    ///
    /// It uses the efficiency of the cube that all results of a roll share.
    pub(crate) fn cube_after_play(
        &self,
        position: &Position,
        context: &CubeContext,
    ) -> CubeDecision {
        let CubeContext { scoring, cube } = context;
        self.install(|| self.cube_search.cube_at(position, scoring, *cube, CubeEfficiency::PLAYS))
    }

    fn decide_cube(
        &self,
        position: &Position,
        context: &CubeContext,
    ) -> (CubeDecision, Option<RolloutPrecision>) {
        self.install(|| {
            let searched = self.cube_search.cube(position, &context.scoring, context.cube);
            match self.parts.roller {
                Some(roller) => self.decide_close_cube(roller, position, context, searched),
                None => (searched, None),
            }
        })
    }

    /// Whether the player on roll should double before rolling, as [`Engine::cube_decision`] says.
    /// Positions where a double loses more than [`Engine::CLEAR_NO_DOUBLE`] at 1-ply are not
    /// searched: nearly all of a game.
    #[must_use]
    pub fn doubles(&self, position: &Position, context: &CubeContext) -> bool {
        if !context.may_double() {
            return false;
        }
        let quick = Search::new(Arc::clone(&self.evaluator), Plies::ONE, self.parts.settings);
        let decision = quick.cube(position, &context.scoring, context.cube);
        let lost = decision.no_double - decision.double_take.min(decision.double_pass);
        lost <= Engine::CLEAR_NO_DOUBLE && self.cube_decision(position, context).is_double()
    }

    /// The index of the best result of a roll, by cubeful equity with a context.
    pub(super) fn best_result(&self, results: &[Position], context: Option<&CubeContext>) -> usize {
        self.decided(results, context).first().map_or(0, |best| best.play.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Seat, Stake};

    #[test]
    fn nothing_is_decided_in_a_game_that_was_passed_or_resigned() {
        let engine = Engine::champion().with_plies(Plies::ONE).with_cube_plies(Plies::ONE);
        let game = GameState::money(Position::START);
        let passed = game.double().and_then(|game| game.pass()).expect("a pass");
        let resigned = game.resign(Seat::X, Stake::Single).expect("a resignation");
        for over in [passed, resigned] {
            assert!(matches!(engine.cube(&over), Err(EngineError::GameOver)));
            let rolled = over.with_dice(Dice::ALL[0]);
            assert!(matches!(engine.moves(&rolled), Err(EngineError::GameOver)));
        }
    }
}
