//! A seat at a table: its board, its opponent and its deadlines.

use std::time::Duration;

use super::DEADLINE;
use super::track::Tracker;
use crate::agent::Event;
use crate::{Board, Command};

/// How long to wait until somebody sits down.
const NOBODY_CAME: Duration = Duration::from_secs(30 * 60);
/// How long the opponent may sit there and neither roll nor end a turn. The server lets a player
/// leave after 10 minutes without losing the match.
const SILENT: Duration = Duration::from_secs(11 * 60);
/// The same before the first turn of a match: such a match is no loss.
const SILENT_AT_START: Duration = Duration::from_secs(2 * 60);
/// How long the opponent may be away: the server keeps a seat for 15 minutes,
const AWAY: Duration = Duration::from_secs(15 * 60 + 30);
/// and a match that has not begun is no loss.
const AWAY_AT_START: Duration = Duration::from_secs(60);
/// How long boards may come without the end of a turn.
const NO_PROGRESS: Duration = Duration::from_secs(30 * 60);
/// How long another match is waited for.
const REMATCH: Duration = Duration::from_secs(60);
/// How often the board is asked for while nothing comes.
const POLL: Duration = Duration::from_secs(60);
/// Commands without an effect while the opponent is there, and the time without progress, after
/// which the table is left.
const MOST_VAIN: u32 = 5;
const VAIN: Duration = Duration::from_secs(60);
/// How often an answer is asked for.
const TRIES: u32 = 3;
const LEAVE_TRIES: u32 = 2;
/// How long a board may take that follows by itself.
pub(super) const FOLLOWS: Duration = Duration::from_secs(2);

/// What happens at the table.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    /// The board is asked for at this time, for the next time.
    Look { at: Duration, tries: u32 },
    /// There is a board to decide on.
    Ready,
    /// This command is due.
    Thinking { command: Command, due: Duration },
    /// This command was sent.
    Sent { command: Command, at: Duration },
    /// The opponent or the server acts.
    Waiting { since: Duration },
    /// `leave` is sent at this time, for the next time.
    Leaving { at: Duration, tries: u32 },
}

/// What to do at the table now.
#[derive(Clone, Debug)]
pub(super) enum Due {
    Send(Command),
    /// Decide on the board.
    Decide,
    /// Leave, with the reason for a warning.
    Leave(Option<Event>),
    /// No board comes, however often it is asked for.
    NoBoard,
    /// `leave` has no effect.
    Stuck,
    Wait(Duration),
}

/// A seat at a table.
#[derive(Clone, Debug)]
pub(super) struct TableState {
    pub(super) id: u64,
    pub(super) board: Option<Board>,
    pub(super) tracker: Tracker,
    pub(super) stage: Stage,
    /// The opponent of the match in progress or of the last one.
    pub(super) opponent: Option<String>,
    /// The opponent is at the table.
    pub(super) present: bool,
    /// When the match ended, and whether another one is wanted.
    pub(super) over: Option<(Duration, bool)>,
    /// The last decision and its board.
    pub(super) decided: Option<(Board, Command)>,
    /// A board that was asked for before a command that cannot be taken back.
    confirmed: Option<Board>,
    /// The roll that was played, and the board after it, seen by the own side.
    pub(super) wanted: Option<([u8; 2], backgammon::Position)>,
    /// The own die of the opening was told.
    pub(super) opening_rolled: bool,
    /// The table waits for an answer to this question.
    asked: bool,
    /// When the board was asked for, or `leave` was sent, for the first of several times.
    pub(super) asked_at: Duration,
    sat_down: Duration,
    progress_at: Duration,
    /// The time of the last progress, later by the time for which the opponent was away since then.
    clock: Duration,
    left_at: Duration,
    vain: u32,
}

impl TableState {
    pub(super) fn new(id: u64, now: Duration) -> TableState {
        TableState {
            id,
            board: None,
            tracker: Tracker::new(),
            stage: Stage::Look { at: now + FOLLOWS, tries: 0 },
            opponent: None,
            present: false,
            over: None,
            decided: None,
            confirmed: None,
            wanted: None,
            opening_rolled: false,
            asked: false,
            asked_at: now,
            sat_down: now,
            progress_at: now,
            clock: now,
            left_at: now,
            vain: 0,
        }
    }

    pub(super) const fn is_leaving(&self) -> bool {
        matches!(self.stage, Stage::Leaving { .. })
    }

    /// A match with `opponent` begins or goes on.
    pub(super) fn begin(&mut self, opponent: &str, tracker: Tracker, now: Duration) {
        (self.opponent, self.present) = (Some(opponent.to_owned()), true);
        (self.tracker, self.over) = (tracker, None);
        self.progress(now);
    }

    /// The match has moved on.
    const fn progress(&mut self, now: Duration) {
        (self.progress_at, self.clock, self.vain) = (now, now, 0);
    }

    /// The own side has taken its seat, perhaps again; the board follows by itself.
    pub(super) fn sit_down(&mut self, now: Duration) {
        if !self.is_leaving() {
            self.stage = Stage::Look { at: now + FOLLOWS, tries: 0 };
        }
    }

    /// The own side does not leave: the board after the next login says how the table goes on.
    pub(super) fn stay(&mut self, now: Duration) {
        self.stage = Stage::Look { at: now, tries: 0 };
    }

    /// The opponent has left the table. Without them the server takes no command.
    pub(super) fn departed(&mut self, now: Duration) {
        (self.present, self.left_at) = (false, now);
        if matches!(self.stage, Stage::Thinking { .. } | Stage::Sent { .. }) {
            self.stage = Stage::Waiting { since: now };
        }
    }

    /// The opponent is back. Nothing could be done meanwhile, so that time does not count.
    pub(super) fn returned(&mut self, now: Duration) {
        (self.present, self.vain) = (true, 0);
        self.clock += now.saturating_sub(self.left_at.max(self.clock));
        self.look(now + FOLLOWS);
    }

    /// A match is played, and the opponent is there: whoever leaves now may lose it.
    pub(super) const fn is_played(&self) -> bool {
        self.present && self.over.is_none()
    }

    /// Takes a board. Returns whether it is new, or was asked for.
    pub(super) fn take(&mut self, board: &Board, now: Duration) -> bool {
        let asked = std::mem::take(&mut self.asked);
        let before = self.board.replace(board.clone());
        let same = before.as_ref() == Some(board);
        if same && !asked {
            return false;
        }
        if asked
            && let Some((decided, _)) = &self.decided
            && decided == board
        {
            self.confirmed = Some(board.clone());
        }
        self.opening_rolled = board.turn.is_none() && board.rolls[0] != 0;
        let key = |board: &Board| {
            (board.turn, board.rolls, board.score(), board.cube, board.offered, board.winner)
        };
        if before.as_ref().map(key) != Some(key(board)) {
            self.progress(now);
        }
        if !self.is_leaving() {
            self.stage = Stage::Ready;
        }
        true
    }

    /// The board is asked for at this time, unless it comes before.
    pub(super) fn look(&mut self, at: Duration) {
        if !self.is_leaving() && !matches!(self.stage, Stage::Look { .. }) {
            self.stage = Stage::Look { at, tries: 0 };
        }
    }

    /// The own die of the opening was told.
    pub(super) fn rolled_in_opening(&mut self, now: Duration) {
        self.opening_rolled = true;
        self.progress(now);
        if !self.is_leaving() {
            self.stage = Stage::Waiting { since: now };
        }
    }

    /// A command had no effect. While the opponent is away, that is nothing against the server.
    pub(super) fn in_vain(&mut self, now: Duration) {
        self.vain += u32::from(self.present);
        self.look(now);
    }

    pub(super) fn leave(&mut self, now: Duration) {
        if !self.is_leaving() {
            self.stage = Stage::Leaving { at: now, tries: 0 };
        }
    }

    /// The command that the board leads to was decided on; it is sent after `think`, unless the
    /// board must be asked for first.
    pub(super) fn plan(&mut self, decision: Option<Command>, think: Duration, now: Duration) {
        self.stage = match decision {
            None => Stage::Waiting { since: now },
            Some(Command::Resign) if self.confirmed != self.board => {
                Stage::Look { at: now, tries: 0 }
            }
            Some(command) => Stage::Thinking { command, due: now + think },
        };
    }

    /// When the table is left whatever happens, and why.
    fn end(&self) -> (Duration, Option<Event>) {
        let Some(opponent) = &self.opponent else { return (self.sat_down + NOBODY_CAME, None) };
        if let Some((over, rematch)) = self.over {
            let wait = if self.present && rematch { REMATCH } else { Duration::ZERO };
            return (over + wait, None);
        }
        let at_start = self.board.as_ref().is_some_and(|b| b.turn.is_none() && b.score() == [0; 2]);
        let stuck = |since: Duration| {
            let seconds = NO_PROGRESS.as_secs();
            let why = format!("nothing has moved for {seconds} s, leaving the table");
            (since + NO_PROGRESS, Some(Event::Stuck(why)))
        };
        let limit = if !self.present {
            let away = if at_start { AWAY_AT_START } else { AWAY };
            let text = format!("{opponent} has left, and has been silent for {} s", away.as_secs());
            (self.left_at + away, Some(Event::Warning(text + ", leaving the table")))
        } else if matches!(self.stage, Stage::Waiting { .. }) {
            let silent = if at_start { SILENT_AT_START } else { SILENT };
            let text = format!("{opponent} has kept the bot waiting for {} s", silent.as_secs());
            (self.clock + silent, Some(Event::Warning(text + ", leaving the table")))
        } else {
            // The own side is to act, which it could not while the opponent was away.
            return stuck(self.clock);
        };
        let stuck = stuck(self.progress_at);
        if limit.0 <= stuck.0 { limit } else { stuck }
    }

    /// What to do now. Only [`Due::Send`] changes the state.
    pub(super) fn due(&mut self, now: Duration) -> Due {
        let end = match &mut self.stage {
            Stage::Leaving { at, .. } if now < *at => return Due::Wait(*at),
            Stage::Leaving { tries, .. } if *tries >= LEAVE_TRIES => return Due::Stuck,
            Stage::Leaving { at, tries } => {
                if *tries == 0 {
                    self.asked_at = now;
                }
                (*at, *tries) = (now + DEADLINE, *tries + 1);
                return Due::Send(Command::Leave);
            }
            _ => self.end(),
        };
        if now >= end.0 {
            return Due::Leave(end.1);
        }
        if self.vain >= MOST_VAIN && now >= self.clock + VAIN {
            let why = "no command has an effect, leaving the table";
            return Due::Leave(Some(Event::Stuck(why.to_owned())));
        }
        let until = match &mut self.stage {
            Stage::Ready => return Due::Decide,
            Stage::Thinking { command, due } if now >= *due => {
                let command = command.clone();
                self.stage = Stage::Sent { command: command.clone(), at: now };
                return Due::Send(command);
            }
            Stage::Thinking { due, .. } => *due,
            Stage::Look { tries, at } if now >= *at => {
                if *tries >= TRIES {
                    return Due::NoBoard;
                }
                if *tries == 0 {
                    self.asked_at = now;
                }
                (*at, *tries) = (now + DEADLINE, *tries + 1);
                self.asked = true;
                return Due::Send(Command::Board);
            }
            Stage::Look { at, .. } => *at,
            Stage::Sent { at, .. } => *at + DEADLINE,
            Stage::Waiting { since } if now >= *since + POLL => {
                self.stage = Stage::Look { at: now, tries: 0 };
                return self.due(now);
            }
            Stage::Waiting { since } => *since + POLL,
            Stage::Leaving { at, .. } => *at,
        };
        Due::Wait(until.min(end.0))
    }

    /// The command that was sent and had no effect within its deadline.
    pub(super) fn unanswered(&self, now: Duration) -> Option<Command> {
        match &self.stage {
            Stage::Sent { command, at } if now >= *at + DEADLINE => Some(command.clone()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_an_absent_opponent_is_not_that_of_the_players_at_the_table() {
        let minutes = |n: u64| Duration::from_secs(60 * n);
        let mut table = TableState::new(1, minutes(0));
        table.begin("ann", Tracker::new(), minutes(0));
        let end = |table: &mut TableState, stage: Stage| {
            table.stage = stage;
            table.end().0
        };
        let waiting = Stage::Waiting { since: minutes(0) };
        assert_eq!(end(&mut table, waiting.clone()), minutes(11));
        assert_eq!(end(&mut table, Stage::Ready), minutes(30));
        table.departed(minutes(1));
        assert_eq!(end(&mut table, waiting.clone()), minutes(1) + AWAY);
        table.returned(minutes(14));
        assert_eq!(end(&mut table, waiting.clone()), minutes(24));
        assert_eq!(end(&mut table, Stage::Ready), minutes(43), "the own side could not act");
        table.departed(minutes(20));
        assert_eq!(end(&mut table, Stage::Ready), minutes(30), "it leaves an empty table");
        table.returned(minutes(29));
        assert_eq!(end(&mut table, waiting), minutes(30));
        assert_eq!(end(&mut table, Stage::Ready), minutes(52));
    }
}
