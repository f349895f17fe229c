//! What to do with a board: the next command of a match.

use std::time::Duration;

use backgammon::{FibsBoard, Side, Stake, candidates};

use super::table::{PendingOffer, TableState};
use crate::agent::{Agent, Event, TurnContext};
use crate::command::Command;

/// How long an automatic roll may take before the session rolls.
const FORGOTTEN_ROLL: Duration = Duration::from_secs(8);
/// If a board has no dice and neither player may double, our double may wait. After this time the
/// session rolls, and the server says what is right.
const OLD_DOUBLE: Duration = Duration::from_secs(30);

impl TableState {
    /// The answer to an offer from the last board, or without one: a resignation is accepted, a
    /// double taken.
    pub(super) fn answer_without_board(&self, agent: &mut dyn Agent) -> Command {
        let accepted = match (&self.board, self.offer) {
            (Some(board), PendingOffer::TheirResignation(points)) => accepts(board, points, agent),
            (Some(board), _) => agent.take(&with_their_double(board)),
            (None, _) => {
                agent.event(&Event::Warning(
                    "accepted an offer without having seen the board".to_owned(),
                ));
                true
            }
        };
        if accepted { Command::Accept } else { Command::Reject }
    }

    /// The next command from the board, and whether it takes time to think. An error says until
    /// when to wait for the server; `None` waits for the opponent.
    pub(super) fn decide(
        &mut self,
        board: &FibsBoard,
        now: Duration,
        agent: &mut dyn Agent,
    ) -> Result<(Command, bool), Option<Duration>> {
        // The last board may still show the end of the game.
        if self.between_games && !self.joined_next && !is_over(board) {
            return Ok((Command::JoinNext, false));
        }
        if let PendingOffer::TheirResignation(points) = self.offer {
            let accepted = accepts(board, points, agent);
            return Ok((if accepted { Command::Accept } else { Command::Reject }, true));
        }
        if board.was_doubled || self.offer == PendingOffer::TheirDouble {
            let taken = agent.take(&with_their_double(board));
            return Ok((if taken { Command::Accept } else { Command::Reject }, true));
        }
        if self.offer == PendingOffer::OurResignation || self.offer == PendingOffer::OurDouble {
            return Err(None);
        }
        // Some servers do not say that a game is over.
        let position = &board.position;
        let finished = position.own_left() == 0 || position.opponent_left() == 0;
        match board.on_roll().filter(|_| !finished) {
            None if is_over(board) => Ok((Command::Leave, false)),
            None => Ok((Command::JoinNext, false)),
            Some(Side::Opponent) => Err(None),
            Some(Side::Own)
                if board.shows_double()
                    && !self.is_prompted()
                    && now < self.changed_at + OLD_DOUBLE =>
            {
                Err(Some(self.changed_at + OLD_DOUBLE))
            }
            Some(Side::Own) => {
                if !self.resigned
                    && let Some(stake) = agent.resign(board)
                {
                    return Ok((Command::Resign(stake), true));
                }
                // Some boards do not show a roll that a sentence told.
                let told = self.tracker.to_play(true);
                let told = told.filter(|(position, _)| *position == board.position);
                match board.rolled().or(told.map(|(_, dice)| dice)) {
                    Some(dice) => {
                        let position = board.position;
                        let plays = candidates(&position, dice);
                        if plays[0].play.moves().is_empty() {
                            return Err(Some(
                                self.changed_at.max(self.board_asked) + FORGOTTEN_ROLL,
                            ));
                        }
                        let turn = TurnContext { board, position, dice, plays: &plays };
                        let wanted = agent.play(&turn);
                        let legal = plays.iter().find(|play| play.after == wanted);
                        let play = legal.unwrap_or(&plays[0]);
                        if legal.is_none() {
                            agent.event(&Event::Warning(format!(
                                "the agent's board {} is no result of {dice} in {}; played {}",
                                wanted.id(),
                                position.id(),
                                play.play
                            )));
                        }
                        self.sent_play = Some(play.after);
                        let steps = position.steps_to(dice, &play.after).unwrap_or_default();
                        let words =
                            board.write_moves(steps.iter().map(|step| (step.from, step.to)));
                        Ok((Command::Move(words), plays.len() > 1))
                    }
                    None if board.is_double_allowed() => {
                        let doubled = agent.double(board);
                        Ok((if doubled { Command::Double } else { Command::Roll }, doubled))
                    }
                    // The server rolls by itself, but sometimes forgets to.
                    None if self.is_prompted() || now >= self.changed_at + FORGOTTEN_ROLL => {
                        Ok((Command::Roll, false))
                    }
                    None => Err(Some(self.changed_at + FORGOTTEN_ROLL)),
                }
            }
        }
    }
}

/// The board with the other player's double, which a sentence may have told before the board shows
/// it.
fn with_their_double(board: &FibsBoard) -> FibsBoard {
    FibsBoard {
        turn: Some(board.colour),
        may_double: false,
        opponent_may_double: false,
        was_doubled: true,
        ..board.clone()
    }
}

/// Whether the board shows the end of a match.
fn is_over(board: &FibsBoard) -> bool {
    board.length.is_some_and(|length| board.score.iter().any(|&score| score >= length))
}

/// Whether to accept a resignation worth `points`.
fn accepts(board: &FibsBoard, points: u32, agent: &mut dyn Agent) -> bool {
    let enough = board.length.is_some_and(|length| board.score[0] + points >= length);
    let stake = Stake::ALL.into_iter().find(|stake| stake.points() * board.cube == points);
    enough || agent.accept_resignation(board, stake.unwrap_or(Stake::Single))
}
