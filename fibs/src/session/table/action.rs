//! What to send or to wait for next.

use std::time::Duration;

use backgammon::{FibsBoard, Side};

use super::{Doubt, PendingOffer, SendOrWait, Stage, TableState};
use crate::agent::{Agent, Event};
use crate::command::Command;
use crate::session::{DEADLINE, NO_TURN, Pace, Waiting};

/// How long to wait for the new board after a sentence that makes the last one old.
const BOARD_FOLLOWS: Duration = Duration::from_secs(2);
/// `join` for the next game is sent again after this time.
const JOIN_AGAIN: Duration = Duration::from_secs(60);
/// The board is read again when the opponent has been silent for this time.
const SILENCE: Duration = Duration::from_secs(30);
/// A silent opponent is asked after this time whether they are there.
const ASK_IF_THERE: Duration = Duration::from_secs(60);
/// The match with a silent opponent is left after this time, to be resumed later.
const LEAVE_AFTER: Duration = Duration::from_secs(300);
/// The board is asked for this often without an answer before the match is left.
const MAX_BOARD_TRIES: u32 = 3;
/// The match is left after this many commands without an effect,
const MAX_VAIN: u32 = 5;
/// if they took at least this time. Each makes the next one wait longer.
const NO_EFFECT: Duration = Duration::from_secs(60);
const AFTER_REFUSAL: Duration = Duration::from_secs(2);
/// After this many commands without an effect `join` is tried.
const TRY_JOIN: u32 = 3;
/// `leave` is sent this often; then only a new connection helps.
const MAX_LEAVES: u32 = 2;
/// Doubts and the opponent's words make the session ask for the board this long after the last
/// time.
const LOOK_AGAIN: Duration = DEADLINE;
/// After this many plays that the server calls illegal the match is left, so that the session does
/// not loop.
const MAX_REFUSED_PLAYS: u32 = 2;

impl TableState {
    /// The next command, or how long to wait.
    pub(in crate::session) fn act(
        &mut self,
        now: Duration,
        pace: &Pace,
        chance: f64,
        agent: &mut dyn Agent,
    ) -> SendOrWait {
        if let Stage::Leaving { asked, tries } = self.stage {
            return match asked {
                Some(at) if now < at + DEADLINE => SendOrWait::Wait(at + DEADLINE),
                _ if tries < MAX_LEAVES => SendOrWait::Send(Command::Leave),
                _ => SendOrWait::Stuck,
            };
        }
        if let Some(why) = self.reason_to_leave(now) {
            return self.leave(why, now, agent);
        }
        // A decision that was made stands beside the question: only a board can change it.
        self.is_look = false;
        let due = match self.doubt {
            Some(Doubt { asked: Some(asked) }) if now >= asked + DEADLINE => {
                return SendOrWait::Over;
            }
            Some(Doubt { asked: Some(asked) }) => asked + DEADLINE,
            None if !self.look => Duration::MAX,
            _ if self.board_asked == Duration::ZERO => Duration::ZERO,
            _ => self.board_asked + LOOK_AGAIN,
        };
        if now >= due {
            self.is_look = true;
            return SendOrWait::Send(Command::Board);
        }
        match self.act_in_time(now, pace, chance, agent) {
            SendOrWait::Wait(until) => SendOrWait::Wait(until.min(due)),
            act => act,
        }
    }

    fn act_in_time(
        &mut self,
        now: Duration,
        pace: &Pace,
        chance: f64,
        agent: &mut dyn Agent,
    ) -> SendOrWait {
        match self.stage.clone() {
            Stage::Board { .. } if self.must_answer_without_board(now) => {
                SendOrWait::Send(self.answer_without_board(agent))
            }
            Stage::Board { asked: Some(asked), tries, .. } => {
                if now < asked + DEADLINE {
                    return SendOrWait::Wait(asked + DEADLINE);
                }
                if self.between_games && !self.joined_next {
                    return SendOrWait::Send(Command::JoinNext);
                }
                if tries < MAX_BOARD_TRIES {
                    return SendOrWait::Send(Command::Board);
                }
                self.leave(
                    format!(
                        "asked for the board {tries} times without an answer, leaving the table"
                    ),
                    now,
                    agent,
                )
            }
            Stage::Board { since, asked: None, .. } => {
                let due = since + BOARD_FOLLOWS;
                if now >= due { SendOrWait::Send(Command::Board) } else { SendOrWait::Wait(due) }
            }
            Stage::Sent { at, .. } => {
                // A second `join` begins a second game on some servers.
                let patience =
                    if self.between_games || self.joined { JOIN_AGAIN } else { DEADLINE };
                if now < at + patience {
                    return SendOrWait::Wait(at + patience);
                }
                // The command had no effect: read the board and decide again.
                SendOrWait::Send(Command::Board)
            }
            Stage::Thinking { command, due } => {
                if now >= due {
                    SendOrWait::Send(command)
                } else {
                    SendOrWait::Wait(due)
                }
            }
            Stage::Leaving { .. } => SendOrWait::Wait(now + DEADLINE),
            Stage::Ready => {
                let Some(board) = self.board.clone() else {
                    return SendOrWait::Send(Command::Board);
                };
                match self.decide(&board, now, agent) {
                    Ok((mut command, think)) => {
                        if self.vain >= TRY_JOIN && !self.joined_next {
                            // The game may be over without a word about it.
                            command = Command::JoinNext;
                        }
                        let spread = pace.think[1].saturating_sub(pace.think[0]);
                        let time = pace.think[0] + spread.mul_f64(chance);
                        let pause = AFTER_REFUSAL * self.vain.min(MAX_VAIN);
                        let due = now + pause + if think { time } else { pace.think[0] };
                        self.stage = Stage::Thinking { command: command.clone(), due };
                        if now >= due { SendOrWait::Send(command) } else { SendOrWait::Wait(due) }
                    }
                    Err(wait) => self.wait(wait, now, agent),
                }
            }
        }
    }

    /// What the session waits for.
    pub(in crate::session) fn waiting(&self) -> Waiting {
        let between = self.board.as_ref().is_some_and(|board| board.on_roll().is_none());
        match self.stage {
            Stage::Leaving { .. } => Waiting::Leave,
            _ if between || self.between_games => Waiting::NextGame,
            Stage::Board { .. } => Waiting::Board,
            Stage::Thinking { .. } => Waiting::Pace,
            Stage::Sent { .. } => Waiting::Effect,
            Stage::Ready => Waiting::Opponent,
        }
    }

    /// Why the match cannot go on, if that is so.
    fn reason_to_leave(&self, now: Duration) -> Option<String> {
        if self.refused_plays >= MAX_REFUSED_PLAYS {
            return Some("the server refuses the plays, leaving the table".to_owned());
        }
        let between = self.board.as_ref().is_some_and(|board| board.on_roll().is_none());
        let limit = if between || self.between_games { LEAVE_AFTER } else { NO_EFFECT };
        if self.vain >= MAX_VAIN && now >= self.progress_at + limit {
            return Some(format!("{} commands had no effect, leaving the table", self.vain));
        }
        // Whoever comes back has the time for one turn, however long they were busy before.
        let most = NO_TURN.saturating_sub(self.busy_before).max(LEAVE_AFTER + SILENCE);
        let busy = now.saturating_sub(self.turn_ended);
        if busy >= most {
            let seconds = busy.as_secs();
            return Some(format!("no turn has ended for {seconds} s, leaving the table"));
        }
        let quiet = self.progress_at.max(self.opponent_active);
        (now >= quiet + LEAVE_AFTER + SILENCE).then(|| {
            let seconds = (now - quiet).as_secs();
            format!("nothing has moved for {seconds} s, leaving the table")
        })
    }

    /// Leaves the match; `why` is for the operator. While the server answers nothing at all, the
    /// session waits until the line is dead: the match itself may be well.
    fn leave(&mut self, why: String, now: Duration, agent: &mut dyn Agent) -> SendOrWait {
        if self.is_line_silent {
            return SendOrWait::Wait(now + DEADLINE);
        }
        agent.event(&Event::Stuck(why));
        self.stuck = true;
        self.stage = Stage::Leaving { asked: None, tries: 0 };
        SendOrWait::Send(Command::Leave)
    }

    /// An offer of the opponent waits, and no board has come since.
    fn must_answer_without_board(&self, now: Duration) -> bool {
        matches!(self.offer, PendingOffer::TheirDouble | PendingOffer::TheirResignation(_))
            && now >= self.progress_at + DEADLINE
    }

    /// Waits for the server until `until`, or for the opponent if it is `None`.
    fn wait(
        &mut self,
        until: Option<Duration>,
        now: Duration,
        agent: &mut dyn Agent,
    ) -> SendOrWait {
        if let Some(until) = until {
            return if now >= until {
                SendOrWait::Send(Command::Board)
            } else {
                SendOrWait::Wait(until)
            };
        }
        if now >= self.opponent_active + LEAVE_AFTER {
            agent.event(&Event::Warning(format!(
                "{} has been silent for {} s, leaving the table",
                self.opponent,
                LEAVE_AFTER.as_secs()
            )));
            self.stage = Stage::Leaving { asked: None, tries: 0 };
            return SendOrWait::Send(Command::Leave);
        }
        if now >= self.opponent_active + ASK_IF_THERE && !self.asked_if_there {
            // Resignations are not on the board. The server refuses a roll out of turn, and names
            // the offer, even if its sentence was lost.
            if !self.probed && self.offer == PendingOffer::None {
                return SendOrWait::Send(Command::Roll);
            }
            return SendOrWait::Send(Command::Kibitz("Are you there? It is your turn.".to_owned()));
        }
        let look = self.changed_at.max(self.board_asked) + SILENCE;
        if now >= look {
            return SendOrWait::Send(Command::Board);
        }
        let ask =
            self.opponent_active + if self.asked_if_there { LEAVE_AFTER } else { ASK_IF_THERE };
        SendOrWait::Wait(look.min(ask))
    }

    /// Whether it is the opponent's turn, as far as the last board tells.
    fn waits_for_opponent(&self) -> bool {
        let on_roll = self.board.as_ref().and_then(FibsBoard::on_roll);
        self.stage == Stage::Ready && on_roll == Some(Side::Opponent)
    }

    /// The command that has passed its deadline when `next` is sent.
    pub(in crate::session) fn unanswered(&self, next: &Command) -> Option<String> {
        match (&self.stage, next) {
            (Stage::Sent { command, .. }, Command::Board) => Some(command.line()),
            (Stage::Board { asked: Some(_), .. }, Command::Board | Command::Leave) => {
                Some(Command::Board.line())
            }
            _ => None,
        }
    }

    /// A command of this match was sent.
    pub(in crate::session) fn sent(&mut self, command: &Command, now: Duration) {
        match command {
            Command::Board | Command::ShortBoard | Command::Redraw => {
                if let Some(doubt) = &mut self.doubt {
                    doubt.asked.get_or_insert(now);
                }
                if std::mem::take(&mut self.is_look) {
                    (self.look, self.board_asked) = (false, now);
                    if !matches!(self.stage, Stage::Board { asked: None, .. }) {
                        return;
                    }
                }
                let tries = self.board_tries() + 1;
                if !self.is_leaving() {
                    self.stage = Stage::Board { since: now, asked: Some(now), tries };
                }
                self.board_asked = now;
            }
            Command::Leave => {
                let tries = if let Stage::Leaving { tries, .. } = self.stage { tries } else { 0 };
                self.stage = Stage::Leaving { asked: Some(now), tries: tries + 1 };
            }
            Command::Kibitz(_) => self.asked_if_there = true,
            Command::Roll if self.waits_for_opponent() => {
                (self.probed, self.probe) = (true, Some(now));
            }
            _ => {
                if matches!(command, Command::Resign(_)) {
                    self.resigned = true;
                }
                self.answer_sent = matches!(command, Command::Accept | Command::Reject);
                self.joined_next |= *command == Command::JoinNext;
                self.prompted &= !matches!(command, Command::Roll | Command::Double);
                self.double_sent = *command == Command::Double;
                self.vain += 1;
                self.stage = Stage::Sent { at: now, command: command.clone() };
                self.last_answered = self.board.clone().map(|board| (board, self.offer));
            }
        }
    }
}
