//! Between matches: saved ones first, then invitations, each answered, and then what the agent wishes.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use backgammon::FibsBoard;
use rand::RngCore;
use rand_pcg::Pcg64;

use super::DEADLINE;
use super::table::Act;
use crate::agent::{Agent, IdleAction, Invitation};
use crate::command::Command;
use crate::message::{Length, Message, Refusal, SavedMatch, WhoLine};

/// An invitation of ours is forgotten after this time.
const FORGET: Duration = Duration::from_secs(30);
/// Two who invite each other wait for so long, and then one of them joins.
const PATIENCE: Duration = Duration::from_secs(8);
/// The list of saved matches is over when no line has come for so long.
const LIST_ENDS: Duration = Duration::from_millis(1500);
/// The list is read again so often.
const LIST_AGES: Duration = Duration::from_secs(120);
/// The agent is asked for a wish so often.
const WISH: Duration = Duration::from_secs(3);
/// Between two invitations of one opponent, growing until he logs in anew.
const AGAIN: Duration = Duration::from_secs(12);
/// Up to this.
const SELDOM: Duration = Duration::from_secs(600);

pub(super) enum Next {
    Quit,
    Act(Act),
}

#[derive(Debug, Default)]
pub(super) struct Lobby {
    saved: Option<Vec<SavedMatch>>,
    listing: Option<(Vec<SavedMatch>, Duration)>,
    listed: Duration,
    asked_list: Option<Duration>,
    /// A match that somebody wants, until the line that makes it an invitation.
    wants: Option<(String, Length, bool)>,
    /// Whom we join, and what was agreed.
    joining: Option<(String, Option<Duration>, u32)>,
    /// Whom we have invited or are about to.
    inviting: Option<(String, Length, Option<Duration>, bool)>,
    /// Somebody with whom a match is saved wants to resume it.
    offered: Option<(String, Duration)>,
    waiting: Option<(String, Duration)>,
    again: HashMap<String, (Duration, Duration)>,
    wished: Duration,
}

impl Lobby {
    pub(super) fn saved(&self) -> Option<&[SavedMatch]> {
        self.saved.as_deref()
    }

    pub(super) fn reconnected(&mut self) {
        let waiting = self.waiting.take();
        *self = Lobby { waiting, ..Lobby::default() };
    }

    pub(super) fn dropped(&mut self, opponent: String, until: Duration) {
        self.saved = None;
        self.asked_list = None;
        self.again.remove(&opponent);
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
        self.again.remove(name);
    }

    pub(super) fn take(&mut self, message: &Message, now: Duration) {
        if !matches!(message, Message::SavedList | Message::SavedGame(_))
            && let Some((games, _)) = self.listing.take()
        {
            // A head alone is no list: it would have said that there is nothing.
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
                // Who plays with us may be asked again soon.
                self.again.remove(name);
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
                let (_, pause) = self.again.get(name).copied().unwrap_or((now, AGAIN));
                // Between once and twice the pause: two who invite each other get out of step.
                let jitter = pause.mul_f64(1.0 + f64::from(rng.next_u32()) / f64::from(u32::MAX));
                if self.again.len() > 1000 {
                    self.again.clear();
                }
                self.again.insert(name.clone(), (now + jitter, (2 * pause).min(SELDOM)));
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

    /// Whether the first board of a match is the one of the match that was agreed on.
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

    /// An invitation is complete.
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
            // Their offer can be replaced by another one before we join it; ours cannot.
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

    /// Somebody who is here and free and has a match to finish with us.
    fn to_resume(&self, players: &HashMap<String, WhoLine>) -> Option<&str> {
        let free = |saved: &&SavedMatch| {
            let who = players.get(&saved.opponent);
            who.is_some_and(|who| who.opponent.is_none() && who.ready && !who.away)
        };
        self.saved.iter().flatten().find(free).map(|saved| saved.opponent.as_str())
    }

    pub(super) fn needs_saved(&mut self, now: Duration) -> Act {
        if let Some((_, last)) = &self.listing {
            // The list has no end of its own: what comes after it shows that it is over.
            return if now < *last + LIST_ENDS {
                Act::Wait(*last + LIST_ENDS)
            } else {
                Act::Send(Command::Time)
            };
        }
        if self.saved.is_some() && now < self.listed + LIST_AGES {
            return Act::Wait(self.listed + LIST_AGES);
        }
        match self.asked_list {
            Some(asked) if now < asked + DEADLINE => Act::Wait(asked + DEADLINE),
            _ => Act::Send(Command::ShowSaved),
        }
    }

    pub(super) fn next(
        &mut self,
        now: Duration,
        view: &crate::agent::Lobby,
        agent: &mut dyn Agent,
        chat: &mut VecDeque<Command>,
        rng: &mut Pcg64,
    ) -> Next {
        let _ = rng;
        let mut until = match self.needs_saved(now) {
            Act::Wait(until) => until,
            send => return Next::Act(send),
        };
        if self.saved.is_none() {
            return Next::Act(Act::Wait(until));
        }
        if let Some((name, at, tries)) = &self.joining {
            match at {
                None => return Next::Act(Act::Send(Command::Join(name.clone()))),
                Some(at) if now < *at + DEADLINE => return Next::Act(Act::Wait(*at + DEADLINE)),
                Some(_) if *tries < 2 => return Next::Act(Act::Send(Command::Join(name.clone()))),
                Some(_) => self.joining = None,
            }
        }
        if let Some((name, length, at, answered)) = self.inviting.clone() {
            let invite = || Next::Act(Act::Send(Command::Invite(name.clone(), length)));
            let Some(at) = at else { return invite() };
            let theirs =
                self.offered.as_ref().filter(|(from, when)| *from == name && now < *when + FORGET);
            if theirs.is_some() && now >= at + PATIENCE {
                self.offered = None;
                self.joining = Some((name, None, 0));
                return Next::Act(Act::Wait(now));
            }
            if !answered && now >= at + DEADLINE {
                self.inviting = None;
            } else if now < at + FORGET {
                let soonest = if theirs.is_some() { at + PATIENCE } else { at + DEADLINE };
                let wait = if now < soonest { soonest } else { at + FORGET };
                return Next::Act(Act::Wait(wait.min(until)));
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
            match self.again.get(&saved.opponent) {
                Some((due, _)) if now < *due => until = until.min(*due),
                _ => {
                    self.inviting = Some((saved.opponent.clone(), Length::Resume, None, false));
                    return Next::Act(Act::Wait(now));
                }
            }
        }
        if let Some((_, dropped)) = &self.waiting {
            if now < *dropped {
                return Next::Act(Act::Wait(until.min(*dropped)));
            }
            self.waiting = None;
        }
        if now < self.wished + WISH {
            return Next::Act(Act::Wait(until.min(self.wished + WISH)));
        }
        self.wished = now;
        match agent.wish(view) {
            IdleAction::Quit if chat.is_empty() => Next::Quit,
            IdleAction::Quit | IdleAction::Nothing => Next::Act(Act::Wait(until.min(now + WISH))),
            IdleAction::Invite(name, length) => {
                if self.saved.iter().flatten().all(|saved| saved.opponent != name)
                    && self.again.get(&name).is_none_or(|(due, _)| now >= *due)
                {
                    self.inviting = Some((name, length, None, false));
                }
                Next::Act(Act::Wait(now))
            }
        }
    }
}
