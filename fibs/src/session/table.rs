//! The match that is being played: from the latest board, what to do next.

use std::time::Duration;

use backgammon::{FibsBoard, Position, Side, Stake, candidates};

use super::track::Tracker;
use super::{DEADLINE, Pace};
use crate::agent::{Agent, Event, GameEnd, TurnContext};
use crate::command::Command;
use crate::message::Length;

/// How long an automatic roll may take before we roll ourselves.
const FORGOTTEN_ROLL: Duration = Duration::from_secs(8);
/// How long a board may follow the news that make the last one old.
const BOARD_FOLLOWS: Duration = Duration::from_secs(2);
/// The board is read again when the opponent has been silent for so long.
const SILENCE: Duration = Duration::from_secs(30);
/// He is asked whether he is there.
const NUDGE: Duration = Duration::from_secs(60);
/// The match is left to be resumed another time.
const ASLEEP: Duration = Duration::from_secs(300);
/// Illegal plays that the server may find in what we send, before we leave rather than loop.
const REFUSALS: u32 = 2;

/// Something that waits for an answer and is on no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    None,
    /// They have doubled.
    TheirDouble,
    OurDouble,
    TheirResignation(u32),
    OurResignation,
}

#[derive(Debug)]
pub(super) struct TableState {
    pub(super) opponent: String,
    pub(super) length: Length,
    /// The agent knows of it.
    pub(super) told: bool,
    /// Not yet compared with the first board.
    pub(super) unchecked: bool,
    pub(super) board: Option<FibsBoard>,
    pub(super) offer: Offer,
    pub(super) tracker: Tracker,
    /// Where our last play leads, the opponent on roll.
    pub(super) sent_play: Option<Position>,
    /// We have given up in this game, or offered to.
    pub(super) resigned: bool,
    /// The board is old: news came after it.
    stale: Option<Duration>,
    /// `board` was sent.
    asked: Option<Duration>,
    decided: Option<(Command, Duration)>,
    acted: Option<Duration>,
    /// The board that was acted on last: it may come again.
    answered: Option<(FibsBoard, Offer)>,
    /// When what the state of things is now began.
    since: Duration,
    /// When the board was last asked for.
    looked: Duration,
    /// When the opponent last did something.
    pub(super) life: Duration,
    nudged: bool,
    refusals: u32,
    /// The opponent has yet to join the next game.
    pub(super) joined: bool,
}

/// What the table wants to have sent.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// At once, or as soon as the queue allows.
    Send(Command),
    /// Nothing before then.
    Wait(Duration),
}

impl TableState {
    pub(super) fn new(opponent: String, length: Length, now: Duration) -> TableState {
        TableState {
            opponent,
            length,
            told: false,
            unchecked: true,
            board: None,
            offer: Offer::None,
            tracker: Tracker::default(),
            sent_play: None,
            resigned: false,
            stale: None,
            asked: None,
            decided: None,
            acted: None,
            answered: None,
            since: now,
            looked: now,
            life: now,
            nudged: false,
            refusals: 0,
            joined: false,
        }
    }

    /// A board of our own arrived. The same one again, unasked, is no news.
    pub(super) fn take_board(&mut self, board: FibsBoard, now: Duration) {
        let same = self.board.as_ref() == Some(&board);
        let asked = self.asked.take().is_some();
        let answered = self
            .answered
            .as_ref()
            .is_some_and(|(old, offer)| *old == board && *offer == self.offer);
        if answered && !asked && self.acted.is_some() {
            return;
        }
        self.stale = None;
        if self.board.is_none() && self.offer == Offer::None && board.is_doubled() {
            // The match was saved while a double waited, and nobody says so again.
            self.offer = if board.was_doubled { Offer::TheirDouble } else { Offer::OurDouble };
        }
        if same && !asked {
            return;
        }
        if !same {
            self.since = now;
            self.joined = false;
        }
        if board.on_roll() != Some(Side::Opponent) {
            self.life = now;
            self.nudged = false;
        }
        self.board = Some(board);
        self.decided = None;
        self.acted = None;
    }

    /// Something happened that the board does not show yet.
    pub(super) fn news(&mut self, now: Duration) {
        self.stale.get_or_insert(now);
        self.decided = None;
        self.acted = None;
        self.since = now;
    }

    /// The opponent did something.
    pub(super) fn alive(&mut self, now: Duration) {
        self.life = now;
        self.nudged = false;
    }

    pub(super) fn offered(&mut self, offer: Offer, now: Duration) {
        if self.offer != offer {
            self.offer = offer;
            self.decided = None;
            self.acted = None;
            self.since = now;
        }
    }

    /// The board is to be read at once.
    pub(super) fn read_again(&mut self) {
        self.stale = Some(Duration::ZERO);
        self.decided = None;
        self.acted = None;
    }

    /// The server refused what we sent.
    pub(super) fn refused(&mut self, bad_move: bool) {
        self.refusals += u32::from(bad_move);
        self.sent_play = None;
        self.read_again();
    }

    pub(super) fn new_game(&mut self, now: Duration) {
        self.offer = Offer::None;
        self.resigned = false;
        self.sent_play = None;
        self.refusals = 0;
        self.tracker.expect_game();
        self.news(now);
    }

    /// A game ended; what to tell of it.
    pub(super) fn ended(
        &mut self,
        won: bool,
        points: u32,
        end: GameEnd,
        now: Duration,
    ) -> Vec<Event> {
        self.new_game(now);
        self.life = now;
        vec![Event::GameOver { won, points, end }]
    }

    /// A roll could not be played.
    pub(super) fn dance(&mut self, own: bool, now: Duration, out: &mut Vec<Event>) {
        if let Some((before, _)) = self.tracker.to_play(own) {
            self.tracker.played(own, before.flipped(), out);
        }
        if !own {
            self.alive(now);
        }
        self.news(now);
    }

    /// The opponent's play in words.
    pub(super) fn they_move(&mut self, steps: &str, out: &mut Vec<Event>) {
        let Some(board) = &self.board else { return };
        let Some(moves) = board.read_moves(steps, Side::Opponent) else { return };
        let Some((before, dice)) = self.tracker.to_play(false) else { return };
        if let Some(after) = before.after_steps(dice, &moves) {
            self.tracker.played(false, after, out);
        }
    }

    /// What to send, or how long to wait for what.
    pub(super) fn act(
        &mut self,
        now: Duration,
        pace: &Pace,
        chance: f64,
        agent: &mut dyn Agent,
    ) -> Act {
        if let Some(asked) = self.asked {
            if now < asked + DEADLINE {
                return Act::Wait(asked + DEADLINE);
            }
            return Act::Send(Command::Board);
        }
        if let Some(stale) = self.stale {
            let due = stale + BOARD_FOLLOWS;
            return if now >= due { Act::Send(Command::Board) } else { Act::Wait(due) };
        }
        let Some(board) = self.board.clone() else { return Act::Send(Command::Board) };
        if let Some(acted) = self.acted {
            let patience = if self.joined { SILENCE } else { DEADLINE };
            if now < acted + patience {
                return Act::Wait(acted + patience);
            }
            // What we sent had no effect: look again, and decide anew.
            return Act::Send(Command::Board);
        }
        if self.refusals >= REFUSALS {
            return Act::Send(Command::Leave);
        }
        if self.decided.is_none() {
            match self.decide(&board, now, agent) {
                Ok((command, think)) => {
                    let spread = pace.think[1].saturating_sub(pace.think[0]);
                    let time = pace.think[0] + spread.mul_f64(chance);
                    self.decided = Some((command, now + if think { time } else { pace.think[0] }));
                }
                Err(wait) => return self.wait(wait, now),
            }
        }
        match &self.decided {
            Some((command, due)) if now >= *due => Act::Send(command.clone()),
            Some((_, due)) => Act::Wait(*due),
            None => Act::Wait(now + DEADLINE),
        }
    }

    /// The opponent has something to do, or the server has, by `until`.
    fn wait(&mut self, until: Option<Duration>, now: Duration) -> Act {
        if let Some(until) = until {
            return if now >= until { Act::Send(Command::Board) } else { Act::Wait(until) };
        }
        if now >= self.life + ASLEEP {
            return Act::Send(Command::Leave);
        }
        if now >= self.life + NUDGE && !self.nudged {
            return Act::Send(Command::Kibitz("Are you there? It is your turn.".to_owned()));
        }
        if now >= self.since.max(self.looked) + SILENCE {
            return Act::Send(Command::Board);
        }
        Act::Wait(self.since.max(self.looked) + SILENCE)
    }

    /// From the board alone. An error says until when to wait; `None` for the opponent.
    fn decide(
        &mut self,
        board: &FibsBoard,
        now: Duration,
        agent: &mut dyn Agent,
    ) -> Result<(Command, bool), Option<Duration>> {
        let cube = board.cube;
        if let Offer::TheirResignation(points) = self.offer {
            let enough = board.length.is_some_and(|length| board.score[0] + points >= length);
            let stake = Stake::ALL.into_iter().find(|stake| stake.points() * cube == points);
            let stake = stake.unwrap_or(Stake::Single);
            let accepted = enough || agent.accept_resignation(board, stake);
            return Ok((if accepted { Command::Accept } else { Command::Reject }, true));
        }
        if board.was_doubled || self.offer == Offer::TheirDouble {
            let taken = agent.take(board);
            return Ok((if taken { Command::Accept } else { Command::Reject }, true));
        }
        if self.offer == Offer::OurResignation || self.offer == Offer::OurDouble {
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
                            return Err(Some(self.since.max(self.looked) + FORGOTTEN_ROLL));
                        }
                        let turn = TurnContext { board, position, dice, plays: &plays };
                        let choice = agent.play(&turn);
                        // An agent that answers out of range plays the first: no illegal play leaves.
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
                    // The server rolls for us, and forgets it at times.
                    None if now >= self.since + FORGOTTEN_ROLL => Ok((Command::Roll, false)),
                    None => Err(Some(self.since + FORGOTTEN_ROLL)),
                }
            }
        }
    }

    /// A command of this table goes out.
    pub(super) fn sent(&mut self, command: &Command, now: Duration) {
        match command {
            Command::Board => {
                self.asked = Some(now);
                self.acted = None;
                self.looked = now;
            }
            Command::Kibitz(_) => self.nudged = true,
            _ => {
                if matches!(command, Command::Resign(_)) {
                    self.resigned = true;
                }
                self.acted = Some(now);
                self.answered = self.board.clone().map(|board| (board, self.offer));
            }
        }
    }
}
