//! The list of saved matches: asked for, read to its end, or given up where the server has none.

use std::time::Duration;

use super::DEADLINE;
use super::dialect::Dialect;
use super::table::SendOrWait;
use crate::command::Command;
use crate::message::{Message, SavedMatch};

/// The list is over when no line has come for this time.
const LIST_ENDS: Duration = Duration::from_millis(1500);
/// The list is read again after this time.
const LIST_EXPIRES: Duration = Duration::from_secs(120);
/// After this many requests without an answer the session goes by the agent's own records,
const MAX_TRIES: u32 = 3;
/// and asks again after this time.
const ASK_AGAIN: Duration = Duration::from_secs(600);
/// Commands that are sent to find the end of a list; then it is taken as it is.
const MAX_PROBES: u32 = 2;
/// The most matches that are kept.
const MOST: usize = 1000;

#[derive(Debug, Default)]
pub(super) struct SavedList {
    matches: Option<Vec<SavedMatch>>,
    /// The lines of an answer, and when the last one came.
    listing: Option<(Vec<SavedMatch>, Duration)>,
    listed: Duration,
    asked: Option<Duration>,
    tries: u32,
    /// Commands sent to find the end of the list.
    probes: u32,
    /// Since when the server is known not to answer.
    given_up: Option<Duration>,
}

impl SavedList {
    /// The matches that the server listed.
    pub(super) fn matches(&self) -> Option<&[SavedMatch]> {
        self.matches.as_deref()
    }

    /// When the list came.
    pub(super) const fn listed(&self) -> Duration {
        self.listed
    }

    pub(super) fn find(&self, opponent: &str) -> Option<&SavedMatch> {
        self.matches.iter().flatten().find(|saved| saved.opponent == opponent)
    }

    /// The server has listed the matches, or will not.
    pub(super) const fn is_settled(&self) -> bool {
        self.matches.is_some() || self.given_up.is_some()
    }

    /// The list has changed on the server.
    pub(super) fn forget(&mut self) {
        let given_up = self.given_up;
        *self = SavedList { given_up, ..SavedList::default() };
    }

    pub(super) fn remove(&mut self, opponent: &str) {
        if let Some(matches) = &mut self.matches {
            matches.retain(|saved| saved.opponent != opponent);
        }
    }

    /// The server does not know the command. Returns whether that is news.
    pub(super) fn give_up(&mut self, now: Duration) -> bool {
        self.asked = None;
        self.tries = 0;
        let news = self.given_up.is_none() && self.matches.is_none();
        self.given_up = Some(now);
        news
    }

    pub(super) fn take(&mut self, message: &Message, now: Duration) {
        // Chat can come in the middle of the list.
        if message.may_answer() && !matches!(message, Message::SavedList | Message::SavedGame(_)) {
            self.finish(now);
        }
        match message {
            Message::SavedList => self.listing = Some((Vec::new(), now)),
            Message::NothingSaved => {
                (self.matches, self.listing) = (Some(Vec::new()), None);
                self.answered(now);
            }
            Message::SavedGame(game) => {
                let (games, last) = self.listing.get_or_insert((Vec::new(), now));
                if games.len() < MOST {
                    games.push(game.clone());
                }
                *last = now;
            }
            _ => {}
        }
    }

    /// No more lines of the list come.
    fn finish(&mut self, now: Duration) {
        if let Some((games, _)) = self.listing.take() {
            // A heading without entries is not a complete list: the server has a line for an empty
            // one.
            self.matches = Some(games).filter(|games| !games.is_empty());
            self.answered(now);
        }
    }

    fn answered(&mut self, now: Duration) {
        (self.asked, self.listed) = (None, now);
        if self.matches.is_some() {
            (self.tries, self.given_up) = (0, None);
        }
    }

    pub(super) fn sent(&mut self, command: &Command, now: Duration) {
        let asks = matches!(command, Command::Time | Command::RawWho | Command::ShowSaved);
        if let Some((_, last)) = self.listing.as_mut().filter(|_| asks) {
            // The answer to another command will show that the list is over.
            *last = now + DEADLINE - LIST_ENDS;
            self.probes += 1;
        } else if *command == Command::ShowSaved {
            self.asked = Some(now);
            self.tries += 1;
            self.probes = 0;
        }
    }

    /// The next command, or until when nothing is to be done.
    pub(super) fn next(&mut self, now: Duration, dialect: &Dialect) -> SendOrWait {
        if let Some((_, last)) = &self.listing {
            if now < *last + LIST_ENDS {
                return SendOrWait::Wait(*last + LIST_ENDS);
            }
            if self.probes < MAX_PROBES {
                return SendOrWait::Send(dialect.probe());
            }
            self.finish(now);
        }
        if self.matches.is_some() && now < self.listed + LIST_EXPIRES {
            return SendOrWait::Wait(self.listed + LIST_EXPIRES);
        }
        if let Some(since) = self.given_up
            && now < since + ASK_AGAIN
        {
            return SendOrWait::Wait(since + ASK_AGAIN);
        }
        if !dialect.knows(&Command::ShowSaved) {
            self.give_up(now);
            return SendOrWait::Wait(now + ASK_AGAIN);
        }
        match self.asked {
            Some(asked) if now < asked + DEADLINE => SendOrWait::Wait(asked + DEADLINE),
            Some(_) if self.tries >= MAX_TRIES => {
                self.give_up(now);
                SendOrWait::Wait(now + ASK_AGAIN)
            }
            _ => SendOrWait::Send(Command::ShowSaved),
        }
    }
}
