//! The session between matches: it resumes saved matches first, answers invitations, and then asks the agent.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use backgammon::FibsBoard;
use rand::RngCore;
use rand_pcg::Pcg64;

use super::DEADLINE;
use super::table::SendOrWait;
use crate::agent::{Agent, IdleAction, Invitation};
use crate::command::Command;
use crate::message::{Length, Message, Refusal, SavedMatch, WhoLine};

/// An own invitation is given up after this time.
const INVITATION_EXPIRES: Duration = Duration::from_secs(30);
/// When two players invite each other, they wait this long before one of them joins.
const MUTUAL_INVITATION_WAIT: Duration = Duration::from_secs(8);
/// The list of saved matches is complete when no line has come for this time.
const LIST_ENDS: Duration = Duration::from_millis(1500);
/// The list of saved matches is read again after this time.
const LIST_EXPIRES: Duration = Duration::from_secs(120);
/// Time between two questions to the agent.
const IDLE_INTERVAL: Duration = Duration::from_secs(3);
/// First pause between two invitations of one opponent; it doubles until the opponent logs in again.
const RETRY_FIRST: Duration = Duration::from_secs(12);
/// Longest pause between two invitations of one opponent.
const RETRY_LONGEST: Duration = Duration::from_secs(600);

pub(super) enum LobbyStep {
    Quit,
    Next(SendOrWait),
}

#[derive(Debug, Default)]
pub(super) struct LobbyState {
    saved: Option<Vec<SavedMatch>>,
    listing: Option<(Vec<SavedMatch>, Duration)>,
    listed: Duration,
    asked_list: Option<Duration>,
    /// Name, length and whether a saved match would be lost: an invitation whose last line has not come.
    wants: Option<(String, Length, bool)>,
    /// The player whose invitation is accepted, when `join` was sent, and how often.
    joining: Option<(String, Option<Duration>, u32)>,
    /// The player to invite, the length, when `invite` was sent, and whether the server confirmed it.
    inviting: Option<(String, Length, Option<Duration>, bool)>,
    /// A player who wants to resume a saved match, and when the offer came.
    offered: Option<(String, Duration)>,
    waiting: Option<(String, Duration)>,
    retry: HashMap<String, (Duration, Duration)>,
    last_idle: Duration,
}

impl LobbyState {
    pub(super) fn saved(&self) -> Option<&[SavedMatch]> {
        self.saved.as_deref()
    }

    pub(super) fn reconnected(&mut self) {
        let waiting = self.waiting.take();
        *self = LobbyState { waiting, ..LobbyState::default() };
    }

    pub(super) fn dropped(&mut self, opponent: String, until: Duration) {
        self.saved = None;
        self.asked_list = None;
        self.retry.remove(&opponent);
        (self.joining, self.inviting, self.offered) = (None, None, None);
        self.waiting = Some((opponent, until));
    }

    pub(super) fn finished(&mut self, opponent: &str) {
        if let Some(saved) = &mut self.saved {
            saved.retain(|saved| saved.opponent != opponent);
        }
        (self.waiting, self.joining, self.inviting, self.offered) = (None, None, None, None);
    }

    pub(super) fn logs_in(&mut self, name: &str) {
        self.retry.remove(name);
    }

    pub(super) fn take(&mut self, message: &Message, now: Duration) {
        if !matches!(message, Message::SavedList | Message::SavedGame(_))
            && let Some((games, _)) = self.listing.take()
        {
            // A heading without entries is not a complete list: the server has a line for an empty one.
            self.saved = Some(games).filter(|games| !games.is_empty());
            (self.asked_list, self.listed) = (None, now);
        }
        match message {
            Message::SavedList => self.listing = Some((Vec::new(), now)),
            Message::NothingSaved => {
                (self.saved, self.listing, self.asked_list) = (Some(Vec::new()), None, None);
                self.listed = now;
            }
            Message::SavedGame(game) => {
                let (games, last) = self.listing.get_or_insert((Vec::new(), now));
                if games.len() < 1000 {
                    games.push(game.clone());
                }
                *last = now;
            }
            Message::Wants { name, length } => self.wants = Some((name.clone(), *length, false)),
            Message::SavedWarning => {
                if let Some(wants) = &mut self.wants {
                    wants.2 = true;
                }
            }
            Message::Invited { name, .. } => {
                if let Some((invited, _, _, answered)) = &mut self.inviting
                    && invited == name
                {
                    *answered = true;
                }
            }
            Message::NowPlaying { name, .. } => {
                // An opponent who plays may be invited again without a pause.
                self.retry.remove(name);
                (self.joining, self.inviting, self.offered, self.waiting) =
                    (None, None, None, None);
            }
            Message::Refused(
                Refusal::NobodyThere
                | Refusal::NotWilling
                | Refusal::NotExperienced
                | Refusal::Corrupt
                | Refusal::NothingSaved
                | Refusal::Playing,
            ) => {
                if matches!(message, Message::Refused(Refusal::NothingSaved))
                    && self.inviting.is_some()
                {
                    (self.saved, self.asked_list) = (None, None);
                }
                (self.joining, self.inviting) = (None, None);
            }
            _ => {}
        }
    }

    pub(super) fn sent(&mut self, command: &Command, now: Duration, rng: &mut Pcg64) {
        match command {
            Command::ShowSaved => self.asked_list = Some(now),
            Command::Time => {
                if let Some((_, last)) = &mut self.listing {
                    *last = now + DEADLINE - LIST_ENDS;
                }
            }
            Command::Invite(name, _) => {
                if let Some((_, _, at, answered)) = &mut self.inviting {
                    (*at, *answered) = (Some(now), false);
                }
                let (_, pause) = self.retry.get(name).copied().unwrap_or((now, RETRY_FIRST));
                // 100 to 200 % of the pause, so that two clients that invite each other get out of step.
                let jitter = pause.mul_f64(1.0 + f64::from(rng.next_u32()) / f64::from(u32::MAX));
                if self.retry.len() > 1000 {
                    self.retry.clear();
                }
                self.retry.insert(name.clone(), (now + jitter, (2 * pause).min(RETRY_LONGEST)));
            }
            Command::Join(_) => {
                if let Some((_, at, tries)) = &mut self.joining {
                    *at = Some(now);
                    *tries += 1;
                }
            }
            _ => {}
        }
    }

    /// Whether the first board shows the match that was agreed on.
    pub(super) fn is_as_agreed(&self, board: &FibsBoard, length: Length) -> bool {
        match length {
            Length::Points(points) => board.length == Some(points),
            Length::Unlimited => board.length.is_none(),
            Length::Resume => self
                .saved
                .iter()
                .flatten()
                .all(|saved| saved.opponent != board.opponent || saved.length == board.length),
        }
    }

    /// An invitation is complete: accepts it or tells the reason why not.
    pub(super) fn invitation(
        &mut self,
        name: &str,
        playing: bool,
        players: &HashMap<String, WhoLine>,
        now: Duration,
        agent: &mut dyn Agent,
        chat: &mut VecDeque<Command>,
    ) {
        let Some((from, length, warned)) = self.wants.take().filter(|(from, ..)| from == name)
        else {
            return;
        };
        let mut tell = |text: &str| chat.push_back(Command::Tell(from.clone(), text.to_owned()));
        if playing {
            return tell("I am in a match just now. Please ask again later.");
        }
        let saved = self.saved.iter().flatten().any(|saved| saved.opponent == from);
        if length == Length::Resume || warned || saved {
            if length != Length::Resume {
                tell(
                    "We have a saved match, so let us finish that one: please join my invitation.",
                );
            }
            self.offered = (length == Length::Resume).then(|| (from.clone(), now));
            // The other player's offer can be replaced before it is accepted; an own invitation cannot.
            if self.inviting.as_ref().is_none_or(|(name, ..)| *name != from) {
                self.inviting = Some((from, Length::Resume, None, false));
            }
            return;
        }
        if let Some((dropped, _)) =
            self.waiting.as_ref().filter(|(dropped, until)| *dropped != from && now < *until)
        {
            return tell(&format!(
                "I wait for {dropped}, whose match with me was cut off. Please ask again in a minute."
            ));
        }
        if let Some(other) = self.to_resume(players) {
            return tell(&format!(
                "I have a saved match with {other}, who is here, and finish it first."
            ));
        }
        let who = players.get(&from).cloned();
        let saved = self.saved.as_ref().map_or(0, Vec::len);
        match agent.invited(&Invitation { from: from.clone(), length, who, saved }) {
            Ok(()) => self.joining = Some((from, None, 0)),
            Err(why) => tell(&why),
        }
    }

    /// A player with a saved match who is online and free.
    fn to_resume(&self, players: &HashMap<String, WhoLine>) -> Option<&str> {
        let free = |saved: &&SavedMatch| {
            let who = players.get(&saved.opponent);
            who.is_some_and(|who| who.opponent.is_none() && who.ready && !who.away)
        };
        self.saved.iter().flatten().find(free).map(|saved| saved.opponent.as_str())
    }

    pub(super) fn needs_saved(&mut self, now: Duration) -> SendOrWait {
        if let Some((_, last)) = &self.listing {
            // The list has no last line: the next answer shows that it is over.
            return if now < *last + LIST_ENDS {
                SendOrWait::Wait(*last + LIST_ENDS)
            } else {
                SendOrWait::Send(Command::Time)
            };
        }
        if self.saved.is_some() && now < self.listed + LIST_EXPIRES {
            return SendOrWait::Wait(self.listed + LIST_EXPIRES);
        }
        match self.asked_list {
            Some(asked) if now < asked + DEADLINE => SendOrWait::Wait(asked + DEADLINE),
            _ => SendOrWait::Send(Command::ShowSaved),
        }
    }

    pub(super) fn next(
        &mut self,
        now: Duration,
        view: &crate::agent::Lobby,
        agent: &mut dyn Agent,
        chat: &mut VecDeque<Command>,
        rng: &mut Pcg64,
    ) -> LobbyStep {
        let _ = rng;
        let mut until = match self.needs_saved(now) {
            SendOrWait::Wait(until) => until,
            send => return LobbyStep::Next(send),
        };
        if self.saved.is_none() {
            return LobbyStep::Next(SendOrWait::Wait(until));
        }
        if let Some((name, at, tries)) = &self.joining {
            match at {
                None => return LobbyStep::Next(SendOrWait::Send(Command::Join(name.clone()))),
                Some(at) if now < *at + DEADLINE => {
                    return LobbyStep::Next(SendOrWait::Wait(*at + DEADLINE));
                }
                Some(_) if *tries < 2 => {
                    return LobbyStep::Next(SendOrWait::Send(Command::Join(name.clone())));
                }
                Some(_) => self.joining = None,
            }
        }
        if let Some((name, length, at, answered)) = self.inviting.clone() {
            let invite =
                || LobbyStep::Next(SendOrWait::Send(Command::Invite(name.clone(), length)));
            let Some(at) = at else { return invite() };
            let theirs = self
                .offered
                .as_ref()
                .filter(|(from, when)| *from == name && now < *when + INVITATION_EXPIRES);
            if theirs.is_some() && now >= at + MUTUAL_INVITATION_WAIT {
                self.offered = None;
                self.joining = Some((name, None, 0));
                return LobbyStep::Next(SendOrWait::Wait(now));
            }
            if !answered && now >= at + DEADLINE {
                self.inviting = None;
            } else if now < at + INVITATION_EXPIRES {
                let soonest =
                    if theirs.is_some() { at + MUTUAL_INVITATION_WAIT } else { at + DEADLINE };
                let wait = if now < soonest { soonest } else { at + INVITATION_EXPIRES };
                return LobbyStep::Next(SendOrWait::Wait(wait.min(until)));
            } else {
                self.inviting = None;
            }
        }
        for saved in self.saved.iter().flatten() {
            let free = view
                .players
                .get(&saved.opponent)
                .is_some_and(|who| who.opponent.is_none() && who.ready && !who.away);
            if !free {
                continue;
            }
            match self.retry.get(&saved.opponent) {
                Some((due, _)) if now < *due => until = until.min(*due),
                _ => {
                    self.inviting = Some((saved.opponent.clone(), Length::Resume, None, false));
                    return LobbyStep::Next(SendOrWait::Wait(now));
                }
            }
        }
        if let Some((_, dropped)) = &self.waiting {
            if now < *dropped {
                return LobbyStep::Next(SendOrWait::Wait(until.min(*dropped)));
            }
            self.waiting = None;
        }
        if now < self.last_idle + IDLE_INTERVAL {
            return LobbyStep::Next(SendOrWait::Wait(until.min(self.last_idle + IDLE_INTERVAL)));
        }
        self.last_idle = now;
        match agent.idle(view) {
            IdleAction::Quit if chat.is_empty() => LobbyStep::Quit,
            IdleAction::Quit | IdleAction::Nothing => {
                LobbyStep::Next(SendOrWait::Wait(until.min(now + IDLE_INTERVAL)))
            }
            IdleAction::Invite(name, length) => {
                if self.saved.iter().flatten().all(|saved| saved.opponent != name)
                    && self.retry.get(&name).is_none_or(|(due, _)| now >= *due)
                {
                    self.inviting = Some((name, length, None, false));
                }
                LobbyStep::Next(SendOrWait::Wait(now))
            }
        }
    }
}
