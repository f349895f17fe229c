//! After which rolls of the opponent a difference between two boards arises.

use super::play_events::PlayEvent;
use crate::backgammon::{Candidate, Dice, GameState, Play, Position};
use crate::engine::{Engine, EngineError, ScoredMove};
use crate::search::Plies;

/// A roll of the opponent after each of two plays.
#[derive(Clone, Debug)]
pub struct RollShare {
    /// The roll.
    pub dice: Dice,
    /// The best reply to the better play, and to the other. `None` if the game is over.
    pub replies: [Option<Reply>; 2],
    /// The share of this roll in the difference, in points on a cube at 1: its probability times
    /// the difference after it. Negative if the other play is better after this roll.
    pub share: f32,
}

/// The opponent's best reply to a roll.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The reply, in the opponent's numbering.
    pub play: Play,
    /// The equity after it for the player who made the first play, in points on a cube at 1.
    pub equity: f32,
    /// The board after it, the player who made the first play on roll.
    pub after: Position,
    /// What it does, in the opponent's numbering.
    pub events: Vec<PlayEvent>,
}

impl Reply {
    fn new(before: &Position, candidate: Candidate, equity: f32) -> Reply {
        let events = PlayEvent::of(before, &candidate);
        Reply { equity, events, after: candidate.after, play: candidate.play }
    }

    /// Checkers that it hits.
    #[must_use]
    pub fn hits(&self) -> u8 {
        let hits = |event: &PlayEvent| match event {
            PlayEvent::Hits(count) => Some(*count),
            _ => None,
        };
        self.events.iter().find_map(hits).unwrap_or(0)
    }
}

/// The share of every roll in the difference between two plays.
pub(super) fn shares(
    engine: &Engine,
    state: &GameState,
    plays: [&ScoredMove; 2],
) -> Result<Vec<RollShare>, EngineError> {
    let shallow = match Plies::new(engine.plies().get() - 1) {
        Ok(plies) => engine.with_plies(plies),
        Err(_) => engine.clone(),
    };
    let reply = |play: &ScoredMove, dice: Dice| -> Result<(Option<Reply>, f32), EngineError> {
        let board = play.after();
        if board.outcome().is_some() {
            return Ok((None, play.equity));
        }
        let best = shallow.best_move(&state.after(*board).with_dice(dice))?;
        let equity = -best.equity;
        Ok((Some(Reply::new(board, best.candidate, equity)), equity))
    };
    let mut rolls = Vec::with_capacity(21);
    for dice in Dice::ALL {
        let (better, with_better) = reply(plays[0], dice)?;
        let (worse, with_worse) = reply(plays[1], dice)?;
        let share = dice.probability() * (with_better - with_worse);
        rolls.push(RollShare { dice, replies: [better, worse], share });
    }
    rolls.sort_by(|a, b| b.share.total_cmp(&a.share));
    Ok(rolls)
}
