//! Between matches: resumes saved ones first, answers invitations, and then asks the agent.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use backgammon::FibsBoard;
use rand::RngCore;
use rand_pcg::Pcg64;

use super::dialect::Dialect;
use super::reply_limit::ReplyLimit;
use super::saved_list::SavedList;
use super::table::SendOrWait;
use super::{DEADLINE, Waiting};
use crate::agent::{Agent, IdleAction, Invitation};
use crate::command::Command;
use crate::message::{Length, Message, Refusal, SavedMatch, WhoLine};

/// An own invitation is given up after this time; another player's is answered within it.
const INVITATION_EXPIRES: Duration = Duration::from_secs(30);
/// An invitation whose last line has not come is complete after this time.
const INVITATION_COMPLETE: Duration = Duration::from_secs(3);
/// When two players invite each other, they wait this long before one of them joins.
const MUTUAL_INVITATION_WAIT: Duration = Duration::from_secs(8);
/// `join` is sent this often.
const MAX_JOINS: u32 = 2;
/// Time between two questions to the agent.
const IDLE_INTERVAL: Duration = Duration::from_secs(3);
/// First pause between two invitations of one opponent; it doubles until the opponent logs in again.
const RETRY_FIRST: Duration = Duration::from_secs(12);
/// Longest pause between two invitations of one opponent.
const RETRY_LONGEST: Duration = Duration::from_secs(600);
/// Pause before a match that was left because nothing had an effect is resumed.
const RETRY_STUCK: Duration = Duration::from_secs(600);
/// Invitations that wait for an answer.
const MAX_INVITATIONS: usize = 100;
/// Names that are remembered.
const MAX_NAMES: usize = 1000;

pub(super) enum LobbyStep {
    Quit,
    Next(SendOrWait),
}

/// Another player's invitation that has not been answered.
#[derive(Clone, Debug)]
struct PendingInvitation {
    from: String,
    length: Length,
    /// Joining would delete a saved match.
    warned: bool,
    came: Duration,
    complete: bool,
}

/// An invitation that is being accepted.
#[derive(Clone, Debug)]
struct Joining {
    from: String,
    length: Length,
    sent: Option<Duration>,
    tries: u32,
}

/// An own invitation.
#[derive(Clone, Debug)]
struct Inviting {
    name: String,
    length: Length,
    sent: Option<Duration>,
    /// Whether the server confirmed it.
    confirmed: bool,
}

#[derive(Debug, Default)]
pub(super) struct LobbyState {
    list: SavedList,
    /// Players with whom there is no saved match, by the server's word.
    not_saved: BTreeSet<String>,
    invitations: VecDeque<PendingInvitation>,
    joining: Option<Joining>,
    inviting: Option<Inviting>,
    /// An invitation that is answered by an invitation to resume; it is reconsidered if nothing is saved.
    answered_by_resume: Option<PendingInvitation>,
    /// A player who wants to resume a saved match, and when the offer came.
    offered: Option<(String, Duration)>,
    /// An opponent who lost the connection, and until when to wait for them.
    waiting: Option<(String, Duration)>,
    /// When a player may be invited again, and the pause after that.
    retry: HashMap<String, (Duration, Duration)>,
    last_idle: Duration,
    /// Counts own invitations and joins, so that one is told from the next.
    attempts: u32,
}

/// What the lobby needs to know of the rest of the session.
pub(super) struct LobbyContext<'a> {
    pub(super) now: Duration,
    pub(super) players: &'a HashMap<String, WhoLine>,
    pub(super) dialect: &'a Dialect,
    pub(super) replies: &'a mut ReplyLimit,
    pub(super) chat: &'a mut VecDeque<Command>,
}

impl LobbyContext<'_> {
    fn tell(&mut self, name: &str, text: &str) {
        if self.replies.allows(name, text, self.now) {
            self.chat.push_back(Command::Tell(name.to_owned(), text.to_owned()));
        }
    }

    fn is_free(&self, name: &str) -> bool {
        let who = self.players.get(name);
        who.is_some_and(|who| who.opponent.is_none() && who.ready && !who.away)
    }
}

impl LobbyState {
    pub(super) fn saved(&self) -> Option<&[SavedMatch]> {
        self.list.matches()
    }

    pub(super) fn reconnected(&mut self) {
        let waiting = self.waiting.take();
        // A match that was stuck is stuck again on a new connection.
        let retry = std::mem::take(&mut self.retry);
        let retry = retry.into_iter().filter(|(_, (_, pause))| *pause > RETRY_LONGEST).collect();
        *self = LobbyState { waiting, retry, ..LobbyState::default() };
    }

    /// The match was left or cut off. `stuck`: because nothing had an effect, so that it is not resumed soon.
    pub(super) fn dropped(&mut self, opponent: String, now: Duration, wait: Duration, stuck: bool) {
        self.list.forget();
        self.not_saved.remove(&opponent);
        (self.joining, self.inviting, self.offered) = (None, None, None);
        if stuck {
            self.retry.insert(opponent, (now + RETRY_STUCK, 2 * RETRY_LONGEST));
        } else {
            self.retry.remove(&opponent);
            self.waiting = Some((opponent, now + wait));
        }
    }

    pub(super) fn finished(&mut self, opponent: &str) {
        self.list.remove(opponent);
        (self.waiting, self.joining, self.inviting, self.offered) = (None, None, None, None);
    }

    pub(super) fn logs_in(&mut self, name: &str) {
        if self.retry.get(name).is_some_and(|(_, pause)| *pause <= RETRY_LONGEST) {
            self.retry.remove(name);
        }
    }

    /// The server does not know how to list saved matches. Returns whether that is news.
    pub(super) fn no_saved_list(&mut self, now: Duration) -> bool {
        self.list.give_up(now)
    }

    /// Whether a match with the player is saved, as far as the server or the agent's own records tell.
    fn has_saved(&self, name: &str, agent: &dyn Agent) -> bool {
        self.list.find(name).is_some()
            || (!self.not_saved.contains(name) && agent.unfinished().iter().any(|own| own == name))
    }

    pub(super) fn take(&mut self, message: &Message, now: Duration) {
        self.list.take(message, now);
        match message {
            Message::Wants { name, length } => {
                self.invitations.retain(|invitation| invitation.from != *name);
                if self.invitations.len() < MAX_INVITATIONS {
                    self.invitations.push_back(PendingInvitation {
                        from: name.clone(),
                        length: *length,
                        warned: false,
                        came: now,
                        complete: false,
                    });
                }
            }
            Message::SavedWarning => {
                if let Some(last) = self.invitations.back_mut() {
                    last.warned = true;
                }
            }
            Message::TypeJoin { name } => {
                if let Some(it) = self.invitations.iter_mut().find(|it| it.from == *name) {
                    it.complete = true;
                }
            }
            Message::Invited { name, .. } => {
                if let Some(inviting) = &mut self.inviting
                    && inviting.name == *name
                {
                    inviting.confirmed = true;
                }
            }
            Message::Refused(
                Refusal::NobodyThere
                | Refusal::NotWilling
                | Refusal::NotExperienced
                | Refusal::Corrupt
                | Refusal::Playing,
            ) => (self.joining, self.inviting) = (None, None),
            Message::Refused(Refusal::NothingSaved) => self.nothing_saved(now),
            _ => {}
        }
    }

    /// A match has begun or goes on.
    pub(super) fn match_began(&mut self, name: &str) {
        // An opponent who plays may be invited again without a pause.
        self.logs_in(name);
        self.invitations.retain(|invitation| invitation.from != name);
        (self.joining, self.inviting, self.offered, self.waiting) = (None, None, None, None);
        self.answered_by_resume = None;
    }

    /// The server says that there is no match to resume.
    fn nothing_saved(&mut self, now: Duration) {
        self.joining = None;
        let Some(inviting) = self.inviting.take() else { return };
        self.list.forget();
        if self.not_saved.len() < MAX_NAMES {
            self.not_saved.insert(inviting.name.clone());
        }
        if let Some(other) = self.answered_by_resume.take()
            && other.from == inviting.name
        {
            let came = now;
            self.invitations.push_back(PendingInvitation { came, warned: false, ..other });
        }
    }

    /// The player with whom no match is saved, if the last own invitation was to resume one.
    pub(super) fn resuming(&self) -> Option<&str> {
        let inviting = self.inviting.as_ref()?;
        (inviting.length == Length::Resume).then_some(inviting.name.as_str())
    }

    pub(super) fn sent(&mut self, command: &Command, now: Duration, rng: &mut Pcg64) {
        self.list.sent(command, now);
        match command {
            Command::Invite(name, _) => {
                if let Some(inviting) = &mut self.inviting {
                    (inviting.sent, inviting.confirmed) = (Some(now), false);
                }
                let (_, pause) = self.retry.get(name).copied().unwrap_or((now, RETRY_FIRST));
                // 100 to 200 % of the pause, so that two clients that invite each other get out of step.
                let jitter = pause.mul_f64(1.0 + f64::from(rng.next_u32()) / f64::from(u32::MAX));
                if self.retry.len() > MAX_NAMES {
                    self.retry.clear();
                }
                self.retry.insert(name.clone(), (now + jitter, (2 * pause).min(RETRY_LONGEST)));
            }
            Command::Join(_) => {
                if let Some(joining) = &mut self.joining {
                    joining.sent = Some(now);
                    joining.tries += 1;
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
            Length::Resume => {
                self.list.find(&board.opponent).is_none_or(|saved| saved.length == board.length)
            }
        }
    }

    /// The length of the new match that is about to begin with a player.
    pub(super) fn agreed_length(&self, name: &str) -> Option<Length> {
        let joining = self.joining.iter().map(|it| (&it.from, it.length, it.sent));
        let inviting = self.inviting.iter().map(|it| (&it.name, it.length, it.sent));
        let mut both = joining.chain(inviting);
        let agreed = both.find(|(other, _, sent)| *other == name && sent.is_some());
        agreed.map(|(_, length, _)| length).filter(|length| *length != Length::Resume)
    }

    /// The player does not want to resume before this time.
    pub(super) fn pause(&mut self, name: &str, until: Duration) {
        self.inviting = self.inviting.take().filter(|inviting| inviting.name != name);
        self.retry.insert(name.to_owned(), (until, RETRY_FIRST));
    }

    /// Turns down all invitations while a match is played; `opponent` has invited us if the answer is `true`.
    pub(super) fn answer_while_playing(
        &mut self,
        opponent: &str,
        context: &mut LobbyContext,
    ) -> bool {
        let mut invited = false;
        while let Some(invitation) = self.next_invitation(context.now) {
            if invitation.from == opponent {
                invited = true;
                self.invitations.push_front(invitation);
                break;
            }
            context.tell(&invitation.from, "I am in a match just now. Please ask again later.");
        }
        invited
    }

    /// The next invitation that is complete.
    fn next_invitation(&mut self, now: Duration) -> Option<PendingInvitation> {
        let complete = |it: &PendingInvitation| it.complete || now >= it.came + INVITATION_COMPLETE;
        let index = self.invitations.iter().position(complete)?;
        self.invitations.remove(index)
    }

    /// Accepts an invitation or tells the reason why not.
    fn answer(
        &mut self,
        invitation: PendingInvitation,
        context: &mut LobbyContext,
        agent: &mut dyn Agent,
    ) {
        let PendingInvitation { from, length, warned, .. } = invitation.clone();
        if let Some(joining) = self.joining.as_ref().filter(|joining| joining.from != from) {
            let text = format!("I am about to play with {}. Please ask again later.", joining.from);
            return context.tell(&from, &text);
        }
        if self.is_stuck(&from, context.now) {
            let text =
                "Our match did not go on, so I let it rest. Please ask again in ten minutes.";
            return context.tell(&from, text);
        }
        if length == Length::Resume || warned || self.has_saved(&from, agent) {
            if length != Length::Resume {
                context.tell(
                    &from,
                    "We have a saved match, so let us finish that one: please join my invitation.",
                );
                self.answered_by_resume = Some(invitation);
            }
            self.offered = (length == Length::Resume).then(|| (from.clone(), context.now));
            // The other player's offer can be replaced before it is accepted; an own invitation cannot.
            if self.inviting.as_ref().is_none_or(|inviting| inviting.name != from) {
                self.invite(from, Length::Resume);
            }
            return;
        }
        if let Some((dropped, _)) = self
            .waiting
            .as_ref()
            .filter(|(dropped, until)| *dropped != from && context.now < *until)
        {
            let text = format!(
                "I wait for {dropped}, whose match with me was cut off. Please ask again in a minute."
            );
            return context.tell(&from, &text);
        }
        if let Some(other) = self.to_resume(context, agent) {
            let text =
                format!("I have a saved match with {other}, who is here, and finish it first.");
            return context.tell(&from, &text);
        }
        let who = context.players.get(&from).cloned();
        let saved = self.list.matches().map_or(0, <[_]>::len);
        match agent.invited(&Invitation { from: from.clone(), length, who, saved }) {
            Ok(()) => self.joining = Some(Joining { from, length, sent: None, tries: 0 }),
            Err(why) => context.tell(&from, &why),
        }
    }

    fn invite(&mut self, name: String, length: Length) {
        self.attempts += 1;
        self.inviting = Some(Inviting { name, length, sent: None, confirmed: false });
    }

    /// Whether the match with the player was left because nothing had an effect.
    fn is_stuck(&self, name: &str, now: Duration) -> bool {
        self.retry.get(name).is_some_and(|(due, pause)| *pause > RETRY_LONGEST && now < *due)
    }

    /// Opponents of saved matches, by the server's list and by the agent's own records.
    fn saved_opponents(&self, agent: &dyn Agent) -> Vec<String> {
        let listed = self.list.matches().unwrap_or_default();
        let mut names: Vec<String> = listed.iter().map(|saved| saved.opponent.clone()).collect();
        if self.list.matches().is_none() {
            names.extend(agent.unfinished());
        }
        names.retain(|name| !self.not_saved.contains(name));
        names
    }

    /// A player with a saved match who is online and free, and whom an invitation may reach.
    fn to_resume(&self, context: &LobbyContext, agent: &dyn Agent) -> Option<String> {
        let mut names = self.saved_opponents(agent).into_iter();
        names.find(|name| context.is_free(name) && !self.is_stuck(name, context.now))
    }

    /// Distinguishes one invitation from the next.
    pub(super) const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// What the session waits for between matches.
    pub(super) fn waiting(&self) -> Waiting {
        match (&self.joining, &self.inviting) {
            _ if !self.list.is_settled() => Waiting::SavedMatches,
            (Some(_), _) => Waiting::Joined,
            (_, Some(_)) => Waiting::Invited,
            _ => Waiting::Invitation,
        }
    }

    /// Whether a saved match could be resumed at once.
    pub(super) fn could_resume(&self, context: &LobbyContext, agent: &dyn Agent) -> bool {
        self.to_resume(context, agent).is_some()
    }

    /// Asks for the saved matches where that is due.
    pub(super) fn needs_saved(&mut self, now: Duration, dialect: &Dialect) -> SendOrWait {
        self.list.next(now, dialect)
    }

    pub(super) fn next(&mut self, context: &mut LobbyContext, agent: &mut dyn Agent) -> LobbyStep {
        let now = context.now;
        let mut until = match self.list.next(now, context.dialect) {
            SendOrWait::Send(command) => return LobbyStep::Next(SendOrWait::Send(command)),
            SendOrWait::Wait(until) => until,
            SendOrWait::Over | SendOrWait::Stuck => now,
        };
        if !self.list.is_settled() {
            return LobbyStep::Next(SendOrWait::Wait(until));
        }
        while let Some(invitation) = self.next_invitation(now) {
            if now >= invitation.came + INVITATION_EXPIRES {
                context.tell(&invitation.from, "I was not ready. Please invite me again.");
            } else {
                self.answer(invitation, context, agent);
            }
        }
        if let Some(first) = self.invitations.iter().map(|it| it.came + INVITATION_COMPLETE).min() {
            until = until.min(first);
        }
        if let Some(act) = self.join(now, agent) {
            return LobbyStep::Next(act);
        }
        if let Some(act) = self.await_invited(now, until) {
            return LobbyStep::Next(act);
        }
        for name in self.saved_opponents(agent) {
            if !context.is_free(&name) {
                continue;
            }
            match self.retry.get(&name) {
                Some((due, _)) if now < *due => until = until.min(*due),
                _ => {
                    self.invite(name, Length::Resume);
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
        match agent.idle(&crate::agent::Lobby { now, players: context.players }) {
            IdleAction::Quit if context.chat.is_empty() => LobbyStep::Quit,
            IdleAction::Quit | IdleAction::Nothing => {
                LobbyStep::Next(SendOrWait::Wait(until.min(now + IDLE_INTERVAL)))
            }
            IdleAction::Invite(name, length) => {
                if !self.has_saved(&name, agent)
                    && self.retry.get(&name).is_none_or(|(due, _)| now >= *due)
                {
                    self.invite(name, length);
                }
                LobbyStep::Next(SendOrWait::Wait(now))
            }
        }
    }

    /// Joins a player whose invitation is accepted.
    fn join(&mut self, now: Duration, agent: &mut dyn Agent) -> Option<SendOrWait> {
        let joining = self.joining.clone()?;
        if joining.length != Length::Resume && self.has_saved(&joining.from, agent) {
            // The list came after the invitation was accepted: joining would delete the saved match.
            self.joining = None;
            self.invite(joining.from, Length::Resume);
            return Some(SendOrWait::Wait(now));
        }
        match joining.sent {
            Some(sent) if now < sent + DEADLINE => Some(SendOrWait::Wait(sent + DEADLINE)),
            _ if joining.tries < MAX_JOINS => Some(SendOrWait::Send(Command::Join(joining.from))),
            _ => {
                self.joining = None;
                None
            }
        }
    }

    /// Sends an own invitation and waits for its end.
    fn await_invited(&mut self, now: Duration, until: Duration) -> Option<SendOrWait> {
        let Inviting { name, length, sent, confirmed } = self.inviting.clone()?;
        let Some(sent) = sent else { return Some(SendOrWait::Send(Command::Invite(name, length))) };
        let theirs = self
            .offered
            .as_ref()
            .is_some_and(|(from, when)| *from == name && now < *when + INVITATION_EXPIRES);
        if theirs && now >= sent + MUTUAL_INVITATION_WAIT {
            (self.offered, self.inviting) = (None, None);
            let length = Length::Resume;
            self.joining = Some(Joining { from: name, length, sent: None, tries: 0 });
            return Some(SendOrWait::Wait(now));
        }
        if (!confirmed && now >= sent + DEADLINE) || now >= sent + INVITATION_EXPIRES {
            self.inviting = None;
            return None;
        }
        let soonest = sent + if theirs { MUTUAL_INVITATION_WAIT } else { DEADLINE };
        let wait = if now < soonest { soonest } else { sent + INVITATION_EXPIRES };
        Some(SendOrWait::Wait(wait.min(until)))
    }
}
