//! The match that is being played: the next command from the latest board.

use std::time::Duration;

use backgammon::{FibsBoard, Position, Side, Stake, candidates};

use super::track::Tracker;
use super::{DEADLINE, Pace};
use crate::agent::{Agent, Event, GameEnd, TurnContext};
use crate::command::Command;
use crate::message::Length;

/// How long an automatic roll may take before the session rolls.
const FORGOTTEN_ROLL: Duration = Duration::from_secs(8);
/// How long to wait for the new board after a sentence that makes the last one old.
const BOARD_FOLLOWS: Duration = Duration::from_secs(2);
/// The board is read again when the opponent has been silent for this time.
const SILENCE: Duration = Duration::from_secs(30);
/// A silent opponent is asked after this time whether they are there.
const ASK_IF_THERE: Duration = Duration::from_secs(60);
/// The match with a silent opponent is left after this time, to be resumed later.
const LEAVE_AFTER: Duration = Duration::from_secs(300);
/// After this many plays that the server calls illegal the match is left, so that the session does not loop.
const MAX_REFUSED_PLAYS: u32 = 2;

/// A double or a resignation that waits for an answer; resignations are not on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PendingOffer {
    None,
    /// The opponent has doubled.
    TheirDouble,
    OurDouble,
    TheirResignation(u32),
    OurResignation,
}

/// The match that is being played. The times are those that the session was given.
#[derive(Debug)]
pub(super) struct TableState {
    pub(super) opponent: String,
    /// The length that was agreed on.
    pub(super) length: Length,
    /// Whether the start of the match was reported.
    pub(super) announced: bool,
    /// Whether the first board has yet to be compared with what was agreed.
    pub(super) unchecked: bool,
    pub(super) board: Option<FibsBoard>,
    pub(super) offer: PendingOffer,
    pub(super) tracker: Tracker,
    /// The position after the last own play, the opponent on roll.
    pub(super) sent_play: Option<Position>,
    /// Whether a resignation was offered in this game.
    pub(super) resigned: bool,
    /// Since when the board is known to be old.
    stale_since: Option<Duration>,
    /// When the command `board` was sent, until the board comes.
    board_requested: Option<Duration>,
    /// The command that was decided on, and when to send it.
    decision: Option<(Command, Duration)>,
    /// When the last command was sent, until its effect is seen.
    sent_at: Option<Duration>,
    /// The board and the offer that the last command answered: the same board may come again.
    last_answered: Option<(FibsBoard, PendingOffer)>,
    /// When the board or the offer last changed.
    changed_at: Duration,
    /// When the board was last asked for.
    board_asked: Duration,
    /// When the opponent last acted.
    pub(super) opponent_active: Duration,
    /// Whether a silent opponent was asked if they are there.
    asked_if_there: bool,
    /// Plays of this game that the server called illegal.
    refused_plays: u32,
    /// Whether the opponent has yet to join the next game.
    pub(super) joined: bool,
}

/// The next command, or the time until which there is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SendOrWait {
    /// As soon as the pace allows.
    Send(Command),
    /// Nothing before this time.
    Wait(Duration),
}

impl TableState {
    pub(super) fn new(opponent: String, length: Length, now: Duration) -> TableState {
        TableState {
            opponent,
            length,
            announced: false,
            unchecked: true,
            board: None,
            offer: PendingOffer::None,
            tracker: Tracker::default(),
            sent_play: None,
            resigned: false,
            stale_since: None,
            board_requested: None,
            decision: None,
            sent_at: None,
            last_answered: None,
            changed_at: now,
            board_asked: now,
            opponent_active: now,
            asked_if_there: false,
            refused_plays: 0,
            joined: false,
        }
    }

    /// A board of the own match arrived. A repeated board that was not asked for is ignored.
    pub(super) fn take_board(&mut self, board: FibsBoard, now: Duration) {
        let same = self.board.as_ref() == Some(&board);
        let asked = self.board_requested.take().is_some();
        let answered = self
            .last_answered
            .as_ref()
            .is_some_and(|(old, offer)| *old == board && *offer == self.offer);
        if answered && !asked && self.sent_at.is_some() {
            return;
        }
        self.stale_since = None;
        if self.board.is_none() && self.offer == PendingOffer::None && board.is_doubled() {
            // The match was saved while a double waited, and no sentence repeats the double.
            self.offer =
                if board.was_doubled { PendingOffer::TheirDouble } else { PendingOffer::OurDouble };
        }
        if same && !asked {
            return;
        }
        if !same {
            self.changed_at = now;
            self.joined = false;
        }
        if board.on_roll() != Some(Side::Opponent) {
            self.opponent_active = now;
            self.asked_if_there = false;
        }
        self.board = Some(board);
        self.decision = None;
        self.sent_at = None;
    }

    /// A sentence told of something that the board does not show yet.
    pub(super) fn board_is_old(&mut self, now: Duration) {
        self.stale_since.get_or_insert(now);
        self.decision = None;
        self.sent_at = None;
        self.changed_at = now;
    }

    /// The opponent acted.
    pub(super) fn opponent_acted(&mut self, now: Duration) {
        self.opponent_active = now;
        self.asked_if_there = false;
    }

    pub(super) fn offered(&mut self, offer: PendingOffer, now: Duration) {
        if self.offer != offer {
            self.offer = offer;
            self.decision = None;
            self.sent_at = None;
            self.changed_at = now;
        }
    }

    /// Asks for the board at once.
    pub(super) fn read_again(&mut self) {
        self.stale_since = Some(Duration::ZERO);
        self.decision = None;
        self.sent_at = None;
    }

    /// The server refused the last command.
    pub(super) fn refused(&mut self, bad_move: bool) {
        self.refused_plays += u32::from(bad_move);
        self.sent_play = None;
        self.read_again();
    }

    pub(super) fn new_game(&mut self, now: Duration) {
        self.offer = PendingOffer::None;
        self.resigned = false;
        self.sent_play = None;
        self.refused_plays = 0;
        self.tracker.expect_game();
        self.board_is_old(now);
    }

    /// A game ended: the event to report.
    pub(super) fn ended(
        &mut self,
        won: bool,
        points: u32,
        end: GameEnd,
        now: Duration,
    ) -> Vec<Event> {
        self.new_game(now);
        self.opponent_active = now;
        vec![Event::GameOver { won, points, end }]
    }

    /// A roll could not be played.
    pub(super) fn dance(&mut self, own: bool, now: Duration, out: &mut Vec<Event>) {
        if let Some((before, _)) = self.tracker.to_play(own) {
            self.tracker.played(own, before.flipped(), out);
        }
        if !own {
            self.opponent_acted(now);
        }
        self.board_is_old(now);
    }

    /// The opponent's play in the server's notation.
    pub(super) fn they_move(&mut self, steps: &str, out: &mut Vec<Event>) {
        let Some(board) = &self.board else { return };
        let Some(moves) = board.read_moves(steps, Side::Opponent) else { return };
        let Some((before, dice)) = self.tracker.to_play(false) else { return };
        if let Some(after) = before.after_steps(dice, &moves) {
            self.tracker.played(false, after, out);
        }
    }

    /// The next command, or how long to wait.
    pub(super) fn act(
        &mut self,
        now: Duration,
        pace: &Pace,
        chance: f64,
        agent: &mut dyn Agent,
    ) -> SendOrWait {
        if let Some(asked) = self.board_requested {
            if now < asked + DEADLINE {
                return SendOrWait::Wait(asked + DEADLINE);
            }
            return SendOrWait::Send(Command::Board);
        }
        if let Some(stale) = self.stale_since {
            let due = stale + BOARD_FOLLOWS;
            return if now >= due {
                SendOrWait::Send(Command::Board)
            } else {
                SendOrWait::Wait(due)
            };
        }
        let Some(board) = self.board.clone() else { return SendOrWait::Send(Command::Board) };
        if let Some(acted) = self.sent_at {
            let patience = if self.joined { SILENCE } else { DEADLINE };
            if now < acted + patience {
                return SendOrWait::Wait(acted + patience);
            }
            // The command had no effect: read the board and decide again.
            return SendOrWait::Send(Command::Board);
        }
        if self.refused_plays >= MAX_REFUSED_PLAYS {
            return SendOrWait::Send(Command::Leave);
        }
        if self.decision.is_none() {
            match self.decide(&board, now, agent) {
                Ok((command, think)) => {
                    let spread = pace.think[1].saturating_sub(pace.think[0]);
                    let time = pace.think[0] + spread.mul_f64(chance);
                    self.decision = Some((command, now + if think { time } else { pace.think[0] }));
                }
                Err(wait) => return self.wait(wait, now),
            }
        }
        match &self.decision {
            Some((command, due)) if now >= *due => SendOrWait::Send(command.clone()),
            Some((_, due)) => SendOrWait::Wait(*due),
            None => SendOrWait::Wait(now + DEADLINE),
        }
    }

    /// Waits for the server until `until`, or for the opponent if it is `None`.
    fn wait(&mut self, until: Option<Duration>, now: Duration) -> SendOrWait {
        if let Some(until) = until {
            return if now >= until {
                SendOrWait::Send(Command::Board)
            } else {
                SendOrWait::Wait(until)
            };
        }
        if now >= self.opponent_active + LEAVE_AFTER {
            return SendOrWait::Send(Command::Leave);
        }
        if now >= self.opponent_active + ASK_IF_THERE && !self.asked_if_there {
            return SendOrWait::Send(Command::Kibitz("Are you there? It is your turn.".to_owned()));
        }
        if now >= self.changed_at.max(self.board_asked) + SILENCE {
            return SendOrWait::Send(Command::Board);
        }
        SendOrWait::Wait(self.changed_at.max(self.board_asked) + SILENCE)
    }

    /// The next command from the board, and whether it takes time to think. An error says until when to wait for the
    /// server; `None` waits for the opponent.
    fn decide(
        &mut self,
        board: &FibsBoard,
        now: Duration,
        agent: &mut dyn Agent,
    ) -> Result<(Command, bool), Option<Duration>> {
        let cube = board.cube;
        if let PendingOffer::TheirResignation(points) = self.offer {
            let enough = board.length.is_some_and(|length| board.score[0] + points >= length);
            let stake = Stake::ALL.into_iter().find(|stake| stake.points() * cube == points);
            let stake = stake.unwrap_or(Stake::Single);
            let accepted = enough || agent.accept_resignation(board, stake);
            return Ok((if accepted { Command::Accept } else { Command::Reject }, true));
        }
        if board.was_doubled || self.offer == PendingOffer::TheirDouble {
            let taken = agent.take(board);
            return Ok((if taken { Command::Accept } else { Command::Reject }, true));
        }
        if self.offer == PendingOffer::OurResignation || self.offer == PendingOffer::OurDouble {
            return Err(None);
        }
        let over = board.length.is_some_and(|length| board.score.iter().any(|&s| s >= length));
        match board.on_roll() {
            None if over => Ok((Command::Leave, false)),
            None => Ok((Command::JoinNext, false)),
            Some(Side::Opponent) => Err(None),
            Some(Side::Own) if board.is_doubled() => Err(None),
            Some(Side::Own) => {
                if !self.resigned
                    && let Some(stake) = agent.resign(board)
                {
                    return Ok((Command::Resign(stake), true));
                }
                match board.rolled() {
                    Some(dice) => {
                        let position = board.position;
                        let plays = candidates(&position, dice);
                        if plays[0].play.moves().is_empty() {
                            return Err(Some(
                                self.changed_at.max(self.board_asked) + FORGOTTEN_ROLL,
                            ));
                        }
                        let turn = TurnContext { board, position, dice, plays: &plays };
                        let choice = agent.play(&turn);
                        // An index out of range plays the first legal play.
                        let play = plays.get(choice).unwrap_or(&plays[0]);
                        self.sent_play = Some(play.after);
                        let steps = position.steps_to(dice, &play.after).unwrap_or_default();
                        let words =
                            board.write_moves(steps.iter().map(|step| (step.from, step.to)));
                        Ok((Command::Move(words), plays.len() > 1))
                    }
                    None if board.cube_is_ours() => {
                        let doubled = agent.double(board);
                        Ok((if doubled { Command::Double } else { Command::Roll }, doubled))
                    }
                    // The server rolls by itself, but sometimes forgets to.
                    None if now >= self.changed_at + FORGOTTEN_ROLL => Ok((Command::Roll, false)),
                    None => Err(Some(self.changed_at + FORGOTTEN_ROLL)),
                }
            }
        }
    }

    /// A command of this match was sent.
    pub(super) fn sent(&mut self, command: &Command, now: Duration) {
        match command {
            Command::Board => {
                self.board_requested = Some(now);
                self.sent_at = None;
                self.board_asked = now;
            }
            Command::Kibitz(_) => self.asked_if_there = true,
            _ => {
                if matches!(command, Command::Resign(_)) {
                    self.resigned = true;
                }
                self.sent_at = Some(now);
                self.last_answered = self.board.clone().map(|board| (board, self.offer));
            }
        }
    }
}
