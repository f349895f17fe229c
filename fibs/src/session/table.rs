//! The match that is being played: the next command from the latest board.

mod action;

use std::time::Duration;

use backgammon::{Dice, FibsBoard, Position, Side};

use super::DEADLINE;
use super::track::Tracker;
use crate::agent::{Event, GameEnd};
use crate::command::Command;
use crate::message::Length;

/// Something says that the match is over. The server is asked for the board once: a board says that
/// the match goes on, no board says that it is over.
#[derive(Clone, Copy, Debug, Default)]
struct Doubt {
    asked: Option<Duration>,
}

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

/// What the session waits for at the table. Each stage has a deadline; the table in the
/// documentation of [`crate::session`] lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    /// A board, since the last one is old or none has come. `asked`: when the command was sent;
    /// `tries`: how often.
    Board { since: Duration, asked: Option<Duration>, tries: u32 },
    /// Nothing: the board is new and no command has been decided on; or the other player is to act.
    Ready,
    /// The time to send the command that was decided on.
    Thinking { command: Command, due: Duration },
    /// The effect of a command.
    Sent { at: Duration, command: Command },
    /// The answer to `leave`.
    Leaving { asked: Option<Duration>, tries: u32 },
}

/// The match that is being played. The times are those that the session was given.
#[derive(Debug)]
pub(super) struct TableState {
    pub(super) opponent: String,
    /// The length that was agreed on.
    pub(super) length: Length,
    /// Whether the start of the match was reported.
    pub(super) announced: bool,
    /// Whether the first board has yet to be compared with the agreed match.
    pub(super) unchecked: bool,
    pub(super) board: Option<FibsBoard>,
    pub(super) offer: PendingOffer,
    pub(super) tracker: Tracker,
    /// The position after the last own play, the opponent on roll.
    pub(super) sent_play: Option<Position>,
    /// Whether a resignation was offered in this game.
    pub(super) resigned: bool,
    stage: Stage,
    /// Whether the last command was an answer to an offer.
    answer_sent: bool,
    /// The board and the offer that the last command answered: the same board may come again.
    last_answered: Option<(FibsBoard, PendingOffer)>,
    /// When a sentence, the board or the offer last told something new.
    pub(super) changed_at: Duration,
    /// When the board, the offer or the game last changed: repeated sentences do not count.
    progress_at: Duration,
    /// Commands of the match that were sent since then.
    vain: u32,
    /// When the board was last asked for.
    pub(super) board_asked: Duration,
    /// When the last board came.
    pub(super) board_came: Duration,
    /// When the opponent last acted.
    pub(super) opponent_active: Duration,
    /// When a turn last ended; until one has ended at this table, when the table began.
    turn_ended: Duration,
    /// How long the opponent kept the session busy without the end of a turn before this table
    /// began. Zero once a turn has ended at it.
    busy_before: Duration,
    /// Whether a silent opponent was asked if they are there.
    asked_if_there: bool,
    /// Whether the server was asked if an offer of the silent opponent waits, and when the question
    /// was sent that it has not answered.
    probed: bool,
    probe: Option<Duration>,
    /// Plays of this game that the server called illegal.
    refused_plays: u32,
    /// Whether the opponent has yet to join the next game.
    pub(super) joined: bool,
    /// The server said that the next game begins with `join`, and it has not begun.
    pub(super) between_games: bool,
    /// Whether `join` was sent for it.
    pub(super) joined_next: bool,
    /// The end of the game was reported; some servers tell it twice.
    game_over: bool,
    /// Something said that the match is over; a board says that it is not.
    doubt: Option<Doubt>,
    /// The opponent says that the client hangs, so the board is to be read. A decision that was
    /// made is carried out nevertheless.
    look: bool,
    /// The board that is to be sent for is the answer to a doubt or to the opponent's words.
    is_look: bool,
    /// The server asked for `roll` or `double`.
    prompted: bool,
    /// `double` was the last command about the cube or the dice.
    double_sent: bool,
    /// A double was reported and its answer was not: whether it is ours.
    pub(super) open_double: Option<bool>,
    /// It is not the match that was agreed on.
    pub(super) unwanted: bool,
    /// Whether the match is left because commands had no effect, not because the opponent is
    /// silent.
    pub(super) stuck: bool,
    /// The server answers nothing at all. Then the line is dead, not the match.
    pub(super) is_line_silent: bool,
}

/// The next command, or the time until which there is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SendOrWait {
    /// As soon as the pace allows.
    Send(Command),
    /// Nothing before this time.
    Wait(Duration),
    /// The match is over, or was left.
    Over,
    /// The server does not let go of the match: only a new connection helps.
    Stuck,
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
            stage: Stage::Board { since: now, asked: None, tries: 0 },
            answer_sent: false,
            last_answered: None,
            changed_at: now,
            progress_at: now,
            vain: 0,
            board_asked: Duration::ZERO,
            board_came: now,
            opponent_active: now,
            turn_ended: now,
            busy_before: Duration::ZERO,
            asked_if_there: false,
            probed: false,
            probe: None,
            refused_plays: 0,
            joined: false,
            between_games: false,
            joined_next: false,
            game_over: false,
            doubt: None,
            look: false,
            is_look: false,
            prompted: false,
            double_sent: false,
            open_double: None,
            unwanted: false,
            stuck: false,
            is_line_silent: false,
        }
    }

    /// A board of the own match arrived. A repeated board that was not asked for is ignored.
    pub(super) fn take_board(&mut self, board: FibsBoard, now: Duration) {
        let same = self.board.as_ref() == Some(&board);
        let answered = self
            .last_answered
            .as_ref()
            .is_some_and(|(old, offer)| *old == board && *offer == self.offer);
        (self.doubt, self.look) = (None, false);
        self.board_came = now;
        if answered && matches!(self.stage, Stage::Sent { .. }) {
            return;
        }
        if self.offer == PendingOffer::None {
            if self.board.is_none() && board.was_doubled {
                // The match was saved while a double waited, and no sentence repeats the double.
                self.offer = PendingOffer::TheirDouble;
            } else if self.double_sent && board.shows_double() && !board.was_doubled {
                self.offer = PendingOffer::OurDouble;
            }
        }
        if board.on_roll() != Some(Side::Own) || board.rolled().is_some() {
            self.prompted = false;
        }
        let asked = matches!(self.stage, Stage::Board { asked: Some(_), .. });
        match self.stage {
            Stage::Leaving { .. } => {}
            Stage::Thinking { .. } | Stage::Sent { .. } if same => {}
            _ => self.stage = Stage::Ready,
        }
        if same && !asked {
            return;
        }
        if !same {
            self.progressed(now);
            self.joined = false;
            if board.on_roll().is_some() && (self.joined_next || board.position == Position::START)
            {
                (self.between_games, self.joined_next, self.game_over) = (false, false, false);
            }
            if self.board.is_some() && !board.shows_double() && self.is_answered() {
                self.offer = PendingOffer::None;
            }
            if self.board.as_ref().is_some_and(|old| has_turn_ended(old, &board)) {
                (self.turn_ended, self.busy_before) = (now, Duration::ZERO);
            }
            // The wait for the opponent begins with the board that shows their turn.
            self.opponent_acted(now);
        }
        self.board = Some(board);
    }

    /// Whether a new board means that the offer has been answered.
    ///
    /// No board comes while the opponent thinks about our offer. An offer of the opponent is
    /// answered if an own answer has been sent.
    fn is_answered(&self) -> bool {
        match self.offer {
            PendingOffer::None | PendingOffer::OurDouble | PendingOffer::OurResignation => true,
            PendingOffer::TheirDouble | PendingOffer::TheirResignation(_) => self.answer_sent,
        }
    }

    fn progressed(&mut self, now: Duration) {
        (self.changed_at, self.progress_at) = (now, now);
        self.vain = 0;
    }

    /// The match goes on with an opponent who kept the session busy for `time` without the end of a
    /// turn.
    pub(super) const fn set_busy_before(&mut self, time: Duration) {
        self.busy_before = time;
    }

    /// How long the opponent has kept the session busy without the end of a turn, at this table and
    /// before.
    pub(super) fn busy_without_a_turn(&self, now: Duration) -> Duration {
        self.busy_before + now.saturating_sub(self.turn_ended)
    }

    /// A sentence told of something that the board does not show yet.
    pub(super) fn board_is_old(&mut self, now: Duration) {
        self.needs_board(now);
        self.changed_at = now;
    }

    /// The opponent acted.
    pub(super) fn opponent_acted(&mut self, now: Duration) {
        self.opponent_active = now;
        (self.asked_if_there, self.probed) = (false, false);
    }

    pub(super) fn offered(&mut self, offer: PendingOffer, now: Duration) {
        if self.offer != offer {
            self.offer = offer;
            // An earlier answer does not answer this offer.
            self.answer_sent = false;
            self.progressed(now);
            if matches!(self.stage, Stage::Thinking { .. } | Stage::Sent { .. }) {
                self.stage = Stage::Ready;
            }
        }
    }

    /// Asks for the board at once.
    pub(super) fn read_again(&mut self) {
        self.needs_board(Duration::ZERO);
    }

    fn needs_board(&mut self, since: Duration) {
        match &mut self.stage {
            Stage::Board { since: old, asked: None, .. } => *old = since.min(*old),
            Stage::Board { .. } | Stage::Leaving { .. } => {}
            _ => self.stage = Stage::Board { since, asked: None, tries: 0 },
        }
    }

    /// The server does not know the command that asked for the board: the next one can be tried at
    /// once.
    pub(super) fn board_word_unknown(&mut self) {
        if let Stage::Board { asked, .. } = &mut self.stage {
            *asked = None;
        }
    }

    /// How often the board has been asked for in vain.
    pub(super) const fn board_tries(&self) -> u32 {
        match self.stage {
            Stage::Board { tries, .. } => tries,
            _ => 0,
        }
    }

    /// Something says that the match is over. If no board of it comes after this, it is.
    pub(super) fn doubt(&mut self) {
        if !self.is_leaving() {
            self.doubt.get_or_insert_default();
        }
    }

    /// The opponent says that the client hangs.
    pub(super) const fn look(&mut self) {
        self.look = true;
    }

    /// Whether `leave` is being sent, or waits for its answer.
    pub(super) const fn is_leaving(&self) -> bool {
        matches!(self.stage, Stage::Leaving { .. })
    }

    /// It is not the match that was agreed on: it is left at once, and not resumed.
    pub(super) fn leave_unwanted(&mut self) {
        self.unwanted = true;
        self.stage = Stage::Leaving { asked: None, tries: 0 };
    }

    /// The server asks for `roll` or `double`.
    pub(super) const fn asks_for_roll(&mut self) {
        self.prompted = true;
    }

    /// The server says that it is not the time for the last command.
    ///
    /// A roll that the board does not show is an old one.
    pub(super) fn not_now(&mut self) {
        let moved = matches!(self.stage, Stage::Sent { command: Command::Move(_), .. });
        if moved && self.board.as_ref().is_some_and(|board| board.rolled().is_none()) {
            self.tracker.forget_roll();
        }
    }

    pub(super) const fn is_prompted(&self) -> bool {
        self.prompted
    }

    /// The server says that the opponent has yet to answer our double.
    pub(super) fn double_is_pending(&mut self) {
        if self.offer == PendingOffer::None {
            self.offer = PendingOffer::OurDouble;
        }
    }

    /// The server says that the opponent offers to resign. The sentence of the offer was lost, so
    /// it counts as a single game: who accepts that accepts more.
    pub(super) fn resignation_is_pending(&mut self, now: Duration) {
        if !matches!(self.offer, PendingOffer::TheirResignation(_)) {
            let points = self.board.as_ref().map_or(1, |board| board.cube);
            self.offered(PendingOffer::TheirResignation(points), now);
        }
        self.read_again();
    }

    /// Whether a refusal answers the question for a waiting offer.
    pub(super) fn take_probe(&mut self, now: Duration) -> bool {
        self.probe.take().is_some_and(|sent| now < sent + DEADLINE)
    }

    /// The server said that the next game begins when both players have joined.
    pub(super) fn next_game(&mut self) {
        (self.between_games, self.joined_next) = (true, false);
        if matches!(self.stage, Stage::Leaving { .. }) {
            return;
        }
        self.stage = if self.board.is_some() {
            Stage::Ready
        } else {
            Stage::Board { since: Duration::ZERO, asked: None, tries: 0 }
        };
    }

    /// A roll or a move: a game is being played.
    fn game_goes_on(&mut self) {
        (self.between_games, self.joined_next, self.game_over) = (false, false, false);
    }

    /// The dice were rolled.
    pub(super) fn rolled(&mut self, own: bool, dice: Dice, now: Duration) {
        self.game_goes_on();
        self.offered(PendingOffer::None, now);
        (self.prompted, self.double_sent) = (false, false);
        if !own {
            self.opponent_acted(now);
        }
        self.tracker.rolled(own, dice);
        self.board_is_old(now);
    }

    /// The server refused the last command.
    pub(super) fn refused(&mut self, bad_move: bool) {
        self.refused_plays += u32::from(bad_move);
        self.sent_play = None;
        if self.answer_sent {
            // There is nothing to answer.
            self.offer = PendingOffer::None;
        }
        self.read_again();
    }

    pub(super) fn new_game(&mut self, now: Duration) {
        self.offer = PendingOffer::None;
        self.resigned = false;
        (self.prompted, self.double_sent, self.open_double) = (false, false, None);
        self.sent_play = None;
        self.refused_plays = 0;
        self.tracker.expect_game();
        self.game_goes_on();
        self.progressed(now);
        self.board_is_old(now);
    }

    /// A sentence told of a double: the event to report, unless it came twice.
    pub(super) fn doubled(&mut self, own: bool) -> Option<Event> {
        // A board may have shown theirs already; ours is told by the sentence alone.
        let is_shown = !own && self.offer == PendingOffer::TheirDouble;
        let is_told = is_shown || self.open_double.is_some();
        (!is_told).then(|| {
            self.open_double = Some(own);
            Event::Double { own }
        })
    }

    /// A sentence told that a double was taken: the event to report, unless it came twice. A board
    /// that comes late may have taken back the offer meanwhile.
    pub(super) fn taken(&mut self, own: bool) -> Option<Event> {
        let offer = if own { PendingOffer::TheirDouble } else { PendingOffer::OurDouble };
        let is_open = self.offer == offer || self.open_double == Some(!own);
        is_open.then(|| {
            self.open_double = None;
            Event::Take { own }
        })
    }

    /// A cube that was turned since the last board tells that a double was taken, where the
    /// sentence was lost or is late.
    pub(super) fn taken_by(&mut self, board: &FibsBoard, now: Duration) -> Option<Event> {
        let own = !self.open_double?;
        self.board.as_ref().filter(|old| board.cube > old.cube)?;
        let event = self.taken(own);
        self.offered(PendingOffer::None, now);
        event
    }

    /// A game ended: the event to report.
    pub(super) fn ended(
        &mut self,
        won: bool,
        points: u32,
        end: GameEnd,
        now: Duration,
    ) -> Vec<Event> {
        if self.game_over {
            return Vec::new();
        }
        let cube = self.board.as_ref().map_or(1, |board| board.cube);
        let points = if points > 0 { points } else { cube };
        self.new_game(now);
        self.game_over = true;
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
}

/// Whether a turn, or more, has ended between two boards of a match: the checkers, the cube or the
/// score differ. The dice, the player on turn and the right to double do not count. An opponent may
/// roll and never play, or double and take it back.
fn has_turn_ended(old: &FibsBoard, new: &FibsBoard) -> bool {
    (old.position, old.cube, old.score) != (new.position, new.cube, new.score)
}
