//! What to send or to wait for next: the player to resume with, to join or to invite.

use std::time::Duration;

use super::{
    Inviting, Joining, LobbyContext, LobbyState, LobbyStep, MAX_NAMES, PendingInvitation,
    RETRY_LONGEST, SAVED_FIRST,
};
use crate::agent::{Agent, IdleAction, Invitation};
use crate::command::Command;
use crate::message::Length;
use crate::session::dialect::Dialect;
use crate::session::table::SendOrWait;
use crate::session::{DEADLINE, Waiting};

/// An own invitation is given up after this time; another player's is answered within it.
const INVITATION_EXPIRES: Duration = Duration::from_secs(30);
/// An invitation without its last line counts as complete after this time.
const INVITATION_COMPLETE: Duration = Duration::from_secs(3);
/// When two players invite each other, they wait this long before one of them joins.
const MUTUAL_INVITATION_WAIT: Duration = Duration::from_secs(8);
/// `join` is sent this often.
const MAX_JOINS: u32 = 2;
/// Time between two questions to the agent.
const IDLE_INTERVAL: Duration = Duration::from_secs(3);
/// Told to a player if they refuse games, so that our invitation to the saved match fails.
const REFUSES_THE_SAVED_MATCH: &str = "My invitation to our saved match does not reach you, as you \
    refuse games. Please type 'toggle ready', then invite me again.";
/// Told to the opponent of a saved match that is not the one agreed on.
const NOT_AS_AGREED: &str =
    "Our saved match is not the one that we agreed on, so I do not play it.";
/// Told to a player if we cannot accept their invitation for that reason.
const REFUSES_GAMES: &str =
    "I cannot join you, as you refuse games. Please type 'toggle ready', then invite me again.";

impl LobbyState {
    /// Turns down all invitations while a match is played; `opponent` has invited us if the answer
    /// is `true`.
    pub(in crate::session) fn answer_while_playing(
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
        if self.is_unwanted(&from) {
            let saved = self.list.matches();
            if saved.is_none_or(|all| all.iter().any(|one| one.opponent == from)) {
                let why = self.declined.0.get(&from).filter(|_| !self.unwanted.contains(&from));
                return context.tell(&from, why.map_or(NOT_AS_AGREED, String::as_str));
            }
            self.unwanted.remove(&from);
        }
        // For now, no match is begun, nor one resumed that the agent does not know.
        if !agent.unfinished().contains(&from)
            && let Err(why) = agent.open_to_matches()
        {
            return context.tell(&from, &why);
        }
        if length == Length::Resume || warned || self.has_saved(&from, agent) {
            if length != Length::Resume {
                if !self.not_ready.contains(&from) {
                    context.tell(&from, SAVED_FIRST);
                }
                self.answered_by_resume = Some(invitation);
            }
            self.offered = (length == Length::Resume).then(|| (from.clone(), context.now));
            // The other player's offer can be replaced before it is accepted; an own invitation
            // cannot. Theirs is joined if ours does not reach them.
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
        match agent.invited(&Invitation { from: from.clone(), length, who }) {
            Ok(()) => self.joining = Some(Joining { from, length, sent: None, tries: 0 }),
            Err(why) => context.tell(&from, &why),
        }
    }

    /// The server says that a player is not ready. Their own offer to resume can be joined all the
    /// same; without one, whoever asked for a match is told what helps.
    pub(super) fn refuses_games(&mut self, name: &str, now: Duration) {
        if self.joining.take_if(|it| it.from == name && it.sent.is_some()).is_some() {
            self.to_tell = Some((name.to_owned(), REFUSES_GAMES));
        }
        if self.inviting.take_if(|it| it.name == name && it.sent.is_some()).is_none() {
            return;
        }
        let offer = self.offered.take_if(|(from, _)| *from == name);
        if offer.is_some_and(|(_, when)| now < when + INVITATION_EXPIRES) {
            let (from, length) = (name.to_owned(), Length::Resume);
            self.joining.get_or_insert(Joining { from, length, sent: None, tries: 0 });
        } else if self.answered_by_resume.take_if(|it| it.from == name).is_some() {
            self.to_tell = Some((name.to_owned(), REFUSES_THE_SAVED_MATCH));
            if self.not_ready.len() < MAX_NAMES {
                self.not_ready.insert(name.to_owned());
            }
        }
    }

    /// Tells a player who is not ready what helps, instead of `SAVED_FIRST` if that still waits.
    fn tell_not_ready(&mut self, context: &mut LobbyContext) {
        if let Some((name, text)) = self.to_tell.take() {
            let before = Command::Tell(name.clone(), SAVED_FIRST.to_owned());
            context.chat.retain(|command| *command != before);
            context.tell(&name, text);
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
        let (known, is_open) = (agent.unfinished(), agent.open_to_matches().is_ok());
        let listed = self.list.matches().unwrap_or_default();
        let mut names: Vec<String> = listed.iter().map(|saved| saved.opponent.clone()).collect();
        if self.list.matches().is_none() {
            names.extend(known.iter().cloned());
        }
        names.retain(|name| {
            let is_played = is_open || known.contains(name);
            is_played && !self.not_saved.contains(name) && !self.is_unwanted(name)
        });
        names
    }

    /// A player with a saved match who is online, free and open to an invitation. Other players
    /// wait for the end of that match.
    fn to_resume(&self, context: &LobbyContext, agent: &dyn Agent) -> Option<String> {
        let mut names = self.saved_opponents(agent).into_iter();
        names.find(|name| {
            context.is_free(name) && !self.is_stuck(name, context.now) && self.is_waited_for(name)
        })
    }

    /// Distinguishes one invitation from the next.
    pub(in crate::session) const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// What the session waits for between matches.
    pub(in crate::session) fn waiting(&self) -> Waiting {
        match (&self.joining, &self.inviting) {
            _ if !self.list.is_settled() => Waiting::SavedMatches,
            (Some(_), _) => Waiting::Joined,
            (_, Some(_)) => Waiting::Invited,
            _ => Waiting::Invitation,
        }
    }

    /// Whether a saved match could be resumed at once.
    pub(in crate::session) fn could_resume(
        &self,
        context: &LobbyContext,
        agent: &dyn Agent,
    ) -> bool {
        self.to_resume(context, agent).is_some()
    }

    /// Asks for the saved matches where that is due.
    pub(in crate::session) fn needs_saved(
        &mut self,
        now: Duration,
        dialect: &Dialect,
    ) -> SendOrWait {
        self.list.next(now, dialect)
    }

    pub(in crate::session) fn next(
        &mut self,
        context: &mut LobbyContext,
        agent: &mut dyn Agent,
    ) -> LobbyStep {
        let now = context.now;
        self.tell_not_ready(context);
        let mut until = match self.list.next(now, context.dialect) {
            SendOrWait::Send(command) => return LobbyStep::Next(SendOrWait::Send(command)),
            SendOrWait::Wait(until) => until,
            SendOrWait::Over | SendOrWait::Stuck => now,
        };
        if !self.list.is_settled() {
            return LobbyStep::Next(SendOrWait::Wait(until));
        }
        self.judge_saved(context, agent);
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
        // Before the agent logs out, only the match that was cut off goes on.
        let is_last = agent.quits(false);
        for name in self.saved_opponents(agent) {
            let is_dropped = self.waiting.as_ref().is_some_and(|(dropped, _)| *dropped == name);
            if !context.is_free(&name) || (is_last && !is_dropped) {
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

    /// Joins the player of the accepted invitation.
    fn join(&mut self, now: Duration, agent: &mut dyn Agent) -> Option<SendOrWait> {
        let joining = self.joining.clone()?;
        if joining.length != Length::Resume && self.has_saved(&joining.from, agent) {
            // The list came after the invitation was accepted: joining would delete the saved
            // match.
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
