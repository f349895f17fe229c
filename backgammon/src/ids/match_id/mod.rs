//! A state of the match as a GNU Match ID, such as `cAn3AAAAAAAE`.

use super::state::own_first;
use super::{CubeOffer, GamePhase, IdError, MatchState, Resignation, Stake, Turn, base64};
use crate::{Cube, CubeOwner, Dice, Scoring, Seat, Side};

const WHAT: &str = "Match ID";
const BITS: usize = 72;

impl MatchState {
    /// Reads a GNU Match ID of 12 characters; space around it is ignored.
    ///
    /// The bit that says "no Jacoby rule" counts for money only, because older programs leave it
    /// clear in matches too. A raccoon differs from a double by the cube, which the opponent then
    /// owns. The ID of a match that a player has won is an error.
    ///
    /// # Errors
    /// [`IdError`] names the invalid field, and what is expected.
    pub fn from_id(text: &str) -> Result<MatchState, IdError> {
        let mut bits = base64::decode(WHAT, text.trim(), BITS)?;
        let mut take = |width: u32| {
            let value = bits & ((1 << width) - 1);
            bits >>= width;
            value as u16
        };
        let [cube, owner, on_roll, crawford, game, decider] = [4, 2, 1, 1, 3, 1].map(&mut take);
        let [doubled, resigned, die, other_die] = [1, 2, 3, 3].map(&mut take);
        let [length, score_o, score_x, no_jacoby] = [15, 15, 15, 1].map(&mut take);
        if bits != 0 {
            return Err(IdError::Leftover { what: WHAT });
        }
        let side = |seat: u16| if seat == on_roll { Side::Own } else { Side::Opponent };
        let on_roll = if on_roll == 0 { Seat::O } else { Seat::X };
        let owner = match owner {
            3 => CubeOwner::Centred,
            2 => return field("cube owner", owner, "0 or 1 for a player, or 3 for the middle"),
            seat if side(seat) == Side::Own => CubeOwner::Own,
            _ => CubeOwner::Opponent,
        };
        let cube = Cube::from_log2(cube.into(), owner).map_err(IdError::Cube)?;
        let scoring = match (length, crawford) {
            (0, 0) => Scoring::Money { jacoby: no_jacoby == 0, beavers: false },
            (0, _) => {
                return field("Crawford flag", crawford, "0 in a money session");
            }
            _ => {
                let (own, opponent) = own_first(on_roll, score_x, score_o);
                Scoring::of_match(length, own, opponent, crawford == 1).map_err(IdError::Score)?
            }
        };
        let game = match game {
            0 => GamePhase::NotStarted,
            1 => GamePhase::Playing,
            2 => GamePhase::Over,
            3 => GamePhase::Resigned,
            4 => GamePhase::Dropped,
            _ => {
                return field(
                    "game state",
                    game,
                    "0 to 4: not started, playing, over, resigned or dropped",
                );
            }
        };
        let decider = side(decider);
        let stake = match resigned {
            0 => None,
            1 => Some(Stake::Single),
            2 => Some(Stake::Gammon),
            _ => Some(Stake::Backgammon),
        };
        let resigned = stake.map(|stake| Resignation { by: decider.other(), stake });
        let dice = match (die, other_die) {
            (0, 0) => None,
            (a, b) => match Dice::new(a as u8, b as u8) {
                None => {
                    return field(
                        "roll",
                        format!("{a}{b}"),
                        "two dice from 1 to 6, or 00 before the roll",
                    );
                }
                some => some,
            },
        };
        let turn = match (doubled, dice) {
            (0, None) => Turn::ToRoll,
            (0, Some(dice)) => Turn::Rolled(dice),
            (_, Some(dice)) => {
                return field(
                    "roll",
                    dice,
                    "00 while a double is offered: doubles come before the roll",
                );
            }
            (_, None) => Turn::Offered(offer(cube.owner(), decider, resigned)),
        };
        if game == GamePhase::Playing
            && doubled == 0
            && resigned.is_none()
            && decider == Side::Opponent
        {
            let wanted = "the player on roll, unless a double or a resignation is offered";
            return field("player to decide", "the opponent", wanted);
        }
        Ok(MatchState { scoring, cube, game, on_roll, turn, resigned })
    }

    /// The GNU Match ID, 12 characters; [`MatchState::from_id`] reads back everything but whether
    /// beavers are allowed.
    #[must_use]
    pub fn id(&self) -> String {
        let (mut bits, mut at) = (0u128, 0);
        let mut put = |width: u32, value: u16| {
            bits |= u128::from(value) << at;
            at += width;
        };
        let own = u16::from(self.on_roll == Seat::X);
        put(4, self.cube.log2().into());
        put(
            2,
            match self.cube.owner() {
                CubeOwner::Centred => 3,
                CubeOwner::Own => own,
                CubeOwner::Opponent => 1 - own,
            },
        );
        put(1, own);
        let (length, score_x, score_o, crawford, no_jacoby) = match self.scoring {
            Scoring::Money { jacoby, .. } => (0, 0, 0, false, !jacoby),
            Scoring::Match(score) => {
                let (x, o) = own_first(self.on_roll, score.own(), score.opponent());
                (score.length(), x, o, score.is_crawford(), true)
            }
        };
        put(1, crawford.into());
        put(3, self.game as u16);
        put(1, if self.to_decide() == Side::Own { own } else { 1 - own });
        put(1, matches!(self.turn, Turn::Offered(_)).into());
        put(2, self.resigned.map_or(0, |resignation| resignation.stake as u16 + 1));
        let (high, low) = self.dice().map_or((0, 0), |dice| (dice.high(), dice.low()));
        put(3, high.into());
        put(3, low.into());
        put(15, length);
        put(15, score_o);
        put(15, score_x);
        put(1, no_jacoby.into());
        base64::encode(bits, BITS)
    }
}

/// The error of an invalid field.
pub(super) fn field<T>(
    field: &'static str,
    found: impl ToString,
    wanted: &'static str,
) -> Result<T, IdError> {
    Err(IdError::Field { field, found: found.to_string(), wanted })
}

/// The offer that the bits of a Match ID stand for. In GNU Backgammon only the player who must
/// answer can resign.
fn offer(owner: CubeOwner, decider: Side, resigned: Option<Resignation>) -> CubeOffer {
    let turned = owner == CubeOwner::Opponent;
    match (resigned.map_or(decider, |resignation| resignation.by), turned) {
        (Side::Own, true) => CubeOffer::Beaver,
        (Side::Own, false) if resigned.is_none() => CubeOffer::Beaver,
        (Side::Opponent, true) => CubeOffer::Raccoon,
        (_, false) => CubeOffer::Double,
    }
}

#[cfg(test)]
mod tests;
