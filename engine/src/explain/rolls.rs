//! After which rolls of the opponent a difference between two boards arises.

use super::play_events::PlayEvent;
use crate::backgammon::{Candidate, Dice, GameState, Play, Position};
use crate::cube::{CubeAction, CubeContext};
use crate::engine::{Engine, EngineError, ScoredMove};
use crate::search::Plies;

/// What the opponent does with the cube before the roll that follows a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpponentCube {
    /// The game is over.
    Over,
    /// The opponent rolls: a double is not allowed, or is no gain.
    Rolls,
    /// The opponent rolls: to play on is worth more than a double that is passed.
    TooGood,
    /// The opponent doubles, and the player who made the play takes.
    Taken,
    /// The opponent doubles, and the player who made the play passes.
    Passed,
}

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

/// A play and the opponent's turn after it.
struct After<'a> {
    play: &'a ScoredMove,
    cube: OpponentCube,
    /// The game with the opponent on roll and the cube as it then is.
    state: GameState,
    /// The scoring of the opponent, and the value of the cube before the opponent's turn.
    context: CubeContext,
}

impl After<'_> {
    fn of<'a>(
        engine: &Engine,
        state: &GameState,
        play: &'a ScoredMove,
    ) -> Result<After<'a>, EngineError> {
        let mut after = state.after(*play.after());
        let context = engine.context(after.state.scoring, after.state.cube)?;
        let cube = if play.after().outcome().is_some() {
            OpponentCube::Over
        } else {
            let decision = engine.cube_after_play(play.after(), &context);
            match (decision.action, decision.is_take()) {
                (CubeAction::Double, true) => OpponentCube::Taken,
                (CubeAction::Double, false) => OpponentCube::Passed,
                (CubeAction::TooGood, _) => OpponentCube::TooGood,
                (CubeAction::NoDouble | CubeAction::NotAvailable, _) => OpponentCube::Rolls,
            }
        };
        if cube == OpponentCube::Taken {
            after.state.cube = context.cube.doubled();
        }
        Ok(After { play, cube, state: after, context })
    }

    /// The best reply to a roll, and the equity after it for the player who made the play. After a
    /// double that is passed the game is lost whatever the roll; a reply is named all the same.
    fn reply(&self, engine: &Engine, dice: Dice) -> Result<(Option<Reply>, f32), EngineError> {
        if self.cube == OpponentCube::Over {
            return Ok((None, self.play.equity));
        }
        let best = engine.best_move(&self.state.clone().with_dice(dice))?;
        // Equities are those of a cube at 1; a taken double has turned it.
        let (scoring, value) = (&self.context.scoring, self.state.state.cube.value());
        let utility = scoring.utility_of_equity(best.equity, value);
        let equity = match self.cube {
            OpponentCube::Passed => -1.0,
            OpponentCube::Taken => -scoring.equity(utility, self.context.cube.value()),
            OpponentCube::Over | OpponentCube::Rolls | OpponentCube::TooGood => -best.equity,
        };
        Ok((Some(Reply::new(self.play.after(), best.candidate, equity)), equity))
    }
}

/// The share of every roll in the difference between two plays, and what the opponent does with the
/// cube.
///
/// The shares are with the cube as the opponent leaves it before the roll.
pub(super) fn shares(
    engine: &Engine,
    state: &GameState,
    plays: [&ScoredMove; 2],
) -> Result<(Vec<RollShare>, [OpponentCube; 2]), EngineError> {
    let plies = Plies::new(engine.plies().get() - 1).unwrap_or(engine.plies());
    let shallow = engine.with_plies(plies).with_cube_plies(plies);
    let [better, worse] = plays.map(|play| After::of(&shallow, state, play));
    let both = [better?, worse?];
    let mut rolls = Vec::with_capacity(21);
    for dice in Dice::ALL {
        let (better, with_better) = both[0].reply(&shallow, dice)?;
        let (worse, with_worse) = both[1].reply(&shallow, dice)?;
        let share = dice.probability() * (with_better - with_worse);
        rolls.push(RollShare { dice, replies: [better, worse], share });
    }
    rolls.sort_by(|a, b| b.share.total_cmp(&a.share));
    Ok((rolls, both.map(|after| after.cube)))
}
