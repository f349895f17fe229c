//! Tracking a match: finds plays, cube actions and ends of games between boards, or detects that
//! something was missed.

use backgammon::{Dice, GameEnd, Position, Side, candidates};

use crate::Board;
use crate::agent::Event;

/// Follows the games of one match.
#[derive(Clone, Debug, Default)]
pub(super) struct Tracker {
    turn: Option<TurnSoFar>,
    /// The next board begins a game.
    new_game: bool,
    /// Who has doubled and waits for the answer.
    offered: Option<Side>,
    cube: u32,
    score: Option<[u32; 2]>,
    /// The server said that a game ended, and whether by a resignation or a drop.
    ended: Option<bool>,
}

/// A turn in progress; positions are seen by its player.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TurnSoFar {
    side: Side,
    before: Position,
    dice: Option<Dice>,
    now: Position,
    /// Single moves that were told.
    steps: Vec<(u8, u8)>,
}

/// The board does not follow from the one before.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Gap;

impl TurnSoFar {
    fn new(side: Side, before: Position, dice: Option<Dice>) -> TurnSoFar {
        TurnSoFar { side, before, dice, now: before, steps: Vec::new() }
    }

    /// The turn that ended with `after`, seen by the other side; `None` if the rules forbid it.
    fn ended(&self, after: Position) -> Option<Event> {
        let dice = self.dice?;
        let legal = candidates(&self.before, dice).iter().any(|play| play.after == after);
        let own = self.side == Side::Own;
        legal.then_some(Event::Turn { own, dice, before: self.before, after })
    }
}

impl Tracker {
    /// The tracker of a match that begins.
    pub(super) fn new() -> Tracker {
        Tracker { new_game: true, cube: 1, ..Tracker::default() }
    }

    /// The tracker of a match in progress of which nothing is known.
    pub(super) fn resumed(board: &Board) -> Tracker {
        let (cube, new_game) = (board.cube.value(), board.turn.is_none());
        Tracker { cube, new_game, score: Some(board.score()), ..Tracker::default() }
    }

    /// A board arrived.
    pub(super) fn board(&mut self, board: &Board, out: &mut Vec<Event>) -> Result<(), Gap> {
        let mut whole = self.count_points(board, out);
        if board.winner.is_some() {
            // The play that ended the game; its points are counted on the next board.
            if let Some(turn) = self.turn.as_mut().filter(|turn| board.turn == Some(turn.side)) {
                turn.now = board.seen_by(turn.side);
            }
            return whole;
        }
        if self.new_game {
            self.new_game = false;
            let (length, score) = (board.length, board.score());
            out.push(Event::Game { length, score, crawford: board.crawford });
            self.turn = None;
            if board.seen_by(Side::Own) != Position::START {
                whole = Err(Gap);
            }
        }
        let Some(side) = board.turn else {
            self.turn = None;
            return whole;
        };
        let known = self.follow(board, side, out);
        let cube = self.follow_cube(board, side, out);
        whole.and(known).and(cube)
    }

    /// The end of a game, if the score shows one.
    fn count_points(&mut self, board: &Board, out: &mut Vec<Event>) -> Result<(), Gap> {
        let score = board.score();
        let before = self.score.replace(score).unwrap_or(score);
        if score == before {
            return Ok(());
        }
        let ended = self.ended.take();
        let (turn, offered) = (self.turn.take(), self.offered.take());
        (self.new_game, self.cube) = (true, 1);
        let won = score[0] > before[0];
        let one_winner = if won { score[1] == before[1] } else { score[0] == before[0] };
        if !one_winner || score[1] < before[1] {
            return Err(Gap);
        }
        let winner = if won { Side::Own } else { Side::Opponent };
        let last = turn.filter(|turn| turn.side == winner).and_then(|turn| finished(&turn));
        let end = match (ended, offered, &last) {
            (Some(false), _, _) | (None, None, Some(_)) => GameEnd::Played,
            (_, Some(_), _) => GameEnd::Dropped,
            _ => GameEnd::Resigned,
        };
        let missed = end == GameEnd::Played && last.is_none();
        out.extend(last.filter(|_| end == GameEnd::Played));
        let points = score[usize::from(!won)] - before[usize::from(!won)];
        out.push(Event::GameOver { won, points, end });
        if missed { Err(Gap) } else { Ok(()) }
    }

    /// The turn that ended or goes on.
    fn follow(&mut self, board: &Board, side: Side, out: &mut Vec<Event>) -> Result<(), Gap> {
        let now = board.seen_by(side);
        let fresh = (board.pending == 0).then(|| TurnSoFar::new(side, now, board.dice()));
        let Some(turn) = &mut self.turn else {
            let begins = now == Position::START;
            self.turn = fresh;
            return if begins { Ok(()) } else { Err(Gap) };
        };
        if turn.side == side {
            let same_roll =
                turn.dice.is_none() || board.dice().is_none() || turn.dice == board.dice();
            if same_roll && (board.pending > 0 || now == turn.before) {
                turn.dice = board.dice().or(turn.dice);
                turn.now = now;
                if board.pending == 0 {
                    turn.steps.clear();
                }
                return Ok(());
            }
            self.turn = fresh;
            return Err(Gap);
        }
        let after = if board.pending == 0 { now } else { turn.now.flipped() };
        let ended = turn.ended(after);
        self.turn = match (&ended, fresh) {
            (Some(_), None) => Some(TurnSoFar { now, ..TurnSoFar::new(side, after, board.dice()) }),
            (_, fresh) => fresh,
        };
        let known = ended.is_some();
        out.extend(ended);
        if known { Ok(()) } else { Err(Gap) }
    }

    fn follow_cube(&mut self, board: &Board, side: Side, out: &mut Vec<Event>) -> Result<(), Gap> {
        let own = |side: Side| side == Side::Own;
        let (before, value) = (self.cube, board.cube.value());
        self.cube = value;
        if board.offered {
            if self.offered.is_none() {
                self.offered = Some(side);
                out.push(Event::Double { own: own(side) });
            }
        } else if value == 2 * before {
            let taken_by_own = board.cube.owner() == backgammon::CubeOwner::Own;
            if self.offered.take().is_none() {
                out.push(Event::Double { own: !taken_by_own });
            }
            out.push(Event::Take { own: taken_by_own });
        } else if value != before {
            self.offered = None;
            return Err(Gap);
        }
        Ok(())
    }

    /// The server told a roll. The turn before it may have ended without a board.
    pub(super) fn rolled(&mut self, side: Side, dice: Dice, out: &mut Vec<Event>) {
        let Some(turn) = &mut self.turn else { return };
        if turn.side == side {
            turn.dice.get_or_insert(dice);
            return;
        }
        let after = turn.now.flipped();
        if let Some(event) = turn.ended(after) {
            out.push(event);
            self.turn = Some(TurnSoFar::new(side, after, Some(dice)));
        }
    }

    /// The server told moves, in its numbers. Moves back are moves that were taken back.
    pub(super) fn moved(&mut self, side: Side, moves: &[(u8, u8)]) {
        let Some(turn) = self.turn.as_mut().filter(|turn| turn.side == side) else { return };
        let Some(dice) = turn.dice else { return };
        for &(from, to) in moves {
            let (from, to) = (own_number(side, from), own_number(side, to));
            if turn.steps.last() == Some(&(to, from)) {
                turn.steps.pop();
            } else if turn.steps.len() < 4 {
                turn.steps.push((from, to));
            }
        }
        if let Some(after) = turn.before.after_steps(dice, &turn.steps) {
            turn.now = after.flipped();
        }
    }

    /// The server told the end of a game.
    pub(super) const fn ended(&mut self, resigned: bool) {
        self.ended = Some(resigned);
    }
}

/// A number of the server as the mover counts: 25 is the bar and 0 is off.
const fn own_number(side: Side, space: u8) -> u8 {
    match (side, space) {
        (_, 26 | 27) => 25,
        (Side::Own, space) => space,
        (Side::Opponent, space) => 25 - space,
    }
}

/// The turn with which its player bore off the last checkers.
fn finished(turn: &TurnSoFar) -> Option<Event> {
    let after = turn.now.flipped();
    if after.opponent_left() == 0 {
        return turn.ended(after);
    }
    let plays = candidates(&turn.before, turn.dice?);
    let last = plays.iter().find(|play| play.after.opponent_left() == 0)?;
    turn.ended(last.after)
}
