//! What to do with a board: the next command of a match.

use backgammon::{Side, candidates, stake_if_won_now};

use super::table::TableState;
use crate::agent::{Agent, Event};
use crate::board::is_double_allowed;
use crate::{Board, Command};

impl TableState {
    /// The next command from the board, and whether it takes time to think; `None` waits for the
    /// opponent or the server.
    pub(super) fn decide(
        &mut self,
        board: &Board,
        agent: &mut dyn Agent,
    ) -> Option<(Command, bool)> {
        // The board may still show an opponent who has left.
        if !self.present || board.winner.is_some() {
            return None;
        }
        // The same board has the same decision.
        if let Some((decided, command)) = &self.decided
            && decided == board
        {
            return Some((command.clone(), false));
        }
        let decision = self.decide_anew(board, agent);
        self.decided = decision.as_ref().map(|(command, _)| (board.clone(), command.clone()));
        decision
    }

    fn decide_anew(&mut self, board: &Board, agent: &mut dyn Agent) -> Option<(Command, bool)> {
        match board.turn {
            None if self.opening_rolled || board.rolls[0] != 0 => None,
            None => Some((Command::Roll, false)),
            Some(Side::Own) if board.offered => None,
            Some(Side::Opponent) if board.offered => {
                let taken = board.state().map_or(true, |game| agent.take(&game));
                Some((if taken { Command::Confirm } else { Command::Resign }, true))
            }
            Some(Side::Opponent) => None,
            Some(Side::Own) if board.rolls == [0, 0] => Some(before_roll(board, agent)),
            Some(Side::Own) => Some(self.moves(board, agent)),
        }
    }

    /// The moves of a roll, or the word that confirms them.
    fn moves(&mut self, board: &Board, agent: &mut dyn Agent) -> (Command, bool) {
        if board.pending > 0 {
            // The server may have made forced moves, and an earlier connection others.
            let as_wanted = self.wanted == Some((board.rolls, board.position));
            return (if as_wanted { Command::Confirm } else { Command::Reset }, false);
        }
        let Some(dice) = board.dice() else { return (Command::Roll, false) };
        let position = board.position;
        let plays = candidates(&position, dice);
        if plays[0].play.moves().is_empty() {
            return (Command::Confirm, false);
        }
        let after = agent.play(board, dice, &plays);
        let legal = plays.iter().find(|play| play.after == after);
        let play = legal.unwrap_or(&plays[0]);
        if legal.is_none() {
            agent.event(&Event::Warning(format!(
                "the agent's board {} is no result of {dice} in {}; played {}",
                after.id(),
                position.id(),
                play.play
            )));
        }
        self.wanted = Some((board.rolls, play.after.flipped()));
        let steps = position.steps_to(dice, &play.after).unwrap_or_default();
        let steps = steps.iter().map(|step| (step.from, step.to)).collect();
        (Command::Move(steps), plays.len() > 1)
    }
}

/// Resigns, doubles or rolls.
fn before_roll(board: &Board, agent: &mut dyn Agent) -> (Command, bool) {
    let Ok(game) = board.state() else { return (Command::Roll, false) };
    // What the opponent wins with all checkers off now is what the server counts.
    let counted = stake_if_won_now(&game.position.flipped());
    if agent.resign(&game).is_some_and(|stake| counted <= stake) {
        return (Command::Resign, true);
    }
    if is_double_allowed(&game) && agent.double(&game) {
        return (Command::Double, true);
    }
    (Command::Roll, false)
}
