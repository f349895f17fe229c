//! After which own next rolls a difference between two plays arises, and what they do.

use super::play_events::PlayEvent;
use super::rolls::RollShare;
use crate::backgammon::{BoardView, Dice, GameState, Position};
use crate::engine::{Engine, EngineError, ScoredMove};
use crate::search::Plies;

/// An own roll after the opponent's reply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnRoll {
    /// The roll.
    pub dice: Dice,
    /// Its share of the difference, in points on a cube at 1. The share is the probability of the
    /// roll, times the mean difference after the opponent's best replies to all rolls.
    pub share: f32,
    /// What it does, if the plays differ in it; asked of the rolls with the largest shares.
    pub deed: Option<OwnDeed>,
}

/// What an own roll does after one of two plays, at the mean of the opponent's replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnDeed {
    /// It hits more often after the better play, by 30 % of the replies or more.
    Hits,
    /// It bears off more checkers after the better play, by 0.4 or more.
    BearsOff,
    /// It makes this point more often after the better play, by half of the replies or more.
    Makes(u8),
}

/// At most this number of rolls get a deed.
const ASKED: usize = 4;

/// The share of every own next roll, by falling share: at 1-ply after the replies of `rolls`. None
/// if a play ends the game.
pub(super) fn own_rolls(
    engine: &Engine,
    state: &GameState,
    plays: [&ScoredMove; 2],
    rolls: &[RollShare],
) -> Result<Vec<OwnRoll>, EngineError> {
    if rolls.iter().any(|roll| roll.replies.iter().any(Option::is_none)) {
        return Ok(Vec::new());
    }
    let quick = engine.with_plies(Plies::ONE);
    let mut shares = Vec::with_capacity(21);
    for dice in Dice::ALL {
        let mut difference = 0.0;
        for roll in rolls {
            for (place, sign) in [(0, 1.0), (1, -1.0)] {
                let Some(reply) = &roll.replies[place] else { continue };
                let state = state.after(*plays[place].after()).after(reply.after);
                let equity = match state.position.outcome() {
                    Some(_) => reply.equity,
                    None => quick.best_move(&state.with_dice(dice))?.equity,
                };
                difference += sign * roll.dice.probability() * equity;
            }
        }
        shares.push(OwnRoll { dice, share: dice.probability() * difference, deed: None });
    }
    shares.sort_by(|a, b| b.share.total_cmp(&a.share));
    for own in shares.iter_mut().take(ASKED).filter(|own| own.share > 0.0) {
        let after = |place: usize| mean(&quick, state, plays, rolls, own.dice, place);
        own.deed = deed(&after(0)?, &after(1)?);
    }
    Ok(shares)
}

/// Means over the opponent's replies.
#[derive(Default)]
struct Mean {
    hits: f32,
    off: f32,
    makes: [f32; 25],
}

/// What the best plays of the roll do after the play at this place.
fn mean(
    quick: &Engine,
    state: &GameState,
    plays: [&ScoredMove; 2],
    rolls: &[RollShare],
    dice: Dice,
    place: usize,
) -> Result<Mean, EngineError> {
    let mut mean = Mean::default();
    for roll in rolls {
        let Some(reply) = &roll.replies[place] else { continue };
        let state = state.after(*plays[place].after()).after(reply.after);
        if state.position.outcome().is_some() {
            continue;
        }
        let position = state.position;
        let best = quick.best_move(&state.with_dice(dice))?;
        let chance = roll.dice.probability();
        for event in PlayEvent::of(&position, &best.candidate) {
            match event {
                PlayEvent::Hits(_) => mean.hits += chance,
                PlayEvent::BearsOff(count) => mean.off += chance * f32::from(count),
                PlayEvent::Makes(point) if can_hit(best.after()) => {
                    mean.makes[usize::from(point)] += chance;
                }
                _ => {}
            }
        }
    }
    Ok(mean)
}

fn can_hit(board: &Position) -> bool {
    BoardView::of(board).contact()
}

/// What differs most clearly.
fn deed(better: &Mean, worse: &Mean) -> Option<OwnDeed> {
    if better.hits - worse.hits >= 0.3 {
        return Some(OwnDeed::Hits);
    }
    if better.off - worse.off >= 0.4 {
        return Some(OwnDeed::BearsOff);
    }
    let more = |point: u8| better.makes[usize::from(point)] - worse.makes[usize::from(point)];
    let point = (1..=24).max_by(|&a, &b| more(a).total_cmp(&more(b)))?;
    (more(point) >= 0.5).then_some(OwnDeed::Makes(point))
}
