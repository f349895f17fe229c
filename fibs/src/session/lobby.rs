//! Between matches: resumes saved ones first, answers invitations, and then asks the agent.

mod action;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use backgammon::FibsBoard;
use rand::RngCore;
use rand_pcg::Pcg64;

use super::dialect::Dialect;
use super::reply_limit::ReplyLimit;
use super::saved_list::SavedList;
use super::table::SendOrWait;
use super::{NO_TURN, is_about};
use crate::agent::{Agent, Invitation};
use crate::command::Command;
use crate::message::{Length, Message, Refusal, SavedMatch, WhoLine};

/// First pause between two invitations of one opponent; it doubles until the opponent logs in
/// again.
const RETRY_FIRST: Duration = Duration::from_secs(12);
/// Longest pause between two invitations of one opponent.
const RETRY_LONGEST: Duration = Duration::from_secs(600);
/// Pause before a match that was left because nothing had an effect is resumed.
const RETRY_STUCK: Duration = Duration::from_secs(600);
/// The time that counts for a new match, or for an own invitation to go on with one.
///
/// It is added to the time that the opponent has kept the session busy without the end of a turn.
pub(super) const ATTEMPT: Duration = Duration::from_secs(300);
/// Invitations that wait for an answer.
const MAX_INVITATIONS: usize = 100;
/// Names that are remembered.
const MAX_NAMES: usize = 1000;
/// The answer to a player who invites to a new match while one is saved.
const SAVED_FIRST: &str =
    "We have a saved match, so let us finish that one: please join my invitation.";

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
    /// Players without a saved match against us, by the server's word.
    not_saved: BTreeSet<String>,
    invitations: VecDeque<PendingInvitation>,
    joining: Option<Joining>,
    inviting: Option<Inviting>,
    /// An invitation that is answered by an invitation to resume; it is reconsidered if nothing is
    /// saved.
    answered_by_resume: Option<PendingInvitation>,
    /// A player who wants to resume a saved match, and when the offer came.
    offered: Option<(String, Duration)>,
    /// An opponent who lost the connection, and until when to wait for them.
    waiting: Option<(String, Duration)>,
    /// When a player may be invited again, and the pause after that.
    retry: HashMap<String, (Duration, Duration)>,
    /// How long opponents of unfinished matches have kept the session busy since a turn last ended.
    ///
    /// This is the time at the table, and [`ATTEMPT`] for each new match and each own invitation to
    /// go on.
    busy: HashMap<String, Duration>,
    last_idle: Duration,
    /// The length of the match for which a player was last joined or invited, until it is over.
    agreed: HashMap<String, Length>,
    /// Players who began another match than was agreed on: it is not resumed.
    unwanted: BTreeSet<String>,
    /// Players with a saved match that the agent does not know of and would not have agreed to, and
    /// its reasons.
    ///
    /// They are on the list that was read at this time.
    declined: (BTreeMap<String, String>, Duration),
    /// Counts own invitations and joins, so that one is told from the next.
    attempts: u32,
    /// Players who asked for a match but did not get our invitation: they are not ready.
    not_ready: BTreeSet<String>,
    /// A player who is not ready, and what to tell them.
    to_tell: Option<(String, &'static str)>,
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
        let unwanted = std::mem::take(&mut self.unwanted);
        let busy = std::mem::take(&mut self.busy);
        *self = LobbyState { waiting, retry, unwanted, busy, ..LobbyState::default() };
    }

    /// The match was left or cut off. `stuck`: because nothing had an effect or no turn ends, so
    /// that it is not resumed soon.
    pub(super) fn dropped(&mut self, opponent: String, now: Duration, wait: Duration, stuck: bool) {
        self.list.forget();
        self.not_saved.remove(&opponent);
        self.agreed.remove(&opponent);
        (self.joining, self.inviting, self.offered) = (None, None, None);
        if stuck {
            self.retry.insert(opponent, (now + RETRY_STUCK, 2 * RETRY_LONGEST));
        } else {
            self.retry.remove(&opponent);
            self.waiting = Some((opponent, now.saturating_add(wait)));
        }
    }

    pub(super) fn finished(&mut self, opponent: &str) {
        self.list.remove(opponent);
        self.agreed.remove(opponent);
        self.busy.remove(opponent);
        (self.waiting, self.joining, self.inviting, self.offered) = (None, None, None, None);
    }

    pub(super) fn logs_in(&mut self, name: &str) {
        self.not_ready.remove(name);
        let is_short = |(_, pause): &(Duration, Duration)| *pause <= RETRY_LONGEST;
        // A login costs a player nothing.
        if self.is_waited_for(name) && self.retry.get(name).is_some_and(is_short) {
            self.retry.remove(name);
        }
    }

    /// Whether the opponent of a match that was cut off is still waited for.
    pub(super) fn waits_for_dropped(&self, now: Duration) -> bool {
        self.waiting.as_ref().is_some_and(|(_, until)| now < *until)
    }

    /// How long the player has kept the session busy since a turn of the match last ended.
    pub(super) fn busy_without_a_turn(&self, name: &str) -> Duration {
        self.busy.get(name).copied().unwrap_or_default()
    }

    /// A player with an unfinished match has kept the session busy for this time since a turn of it
    /// last ended.
    pub(super) fn set_busy(&mut self, name: &str, time: Duration) {
        if self.busy.len() >= MAX_NAMES && !self.busy.contains_key(name) {
            self.busy.clear();
        }
        self.busy.insert(name.to_owned(), time);
    }

    /// Whether others wait until the match with the player goes on.
    fn is_waited_for(&self, name: &str) -> bool {
        self.busy_without_a_turn(name) < NO_TURN
    }

    /// The server does not know how to list saved matches. Returns whether that is news.
    pub(super) fn no_saved_list(&mut self, now: Duration) -> bool {
        self.list.give_up(now)
    }

    /// Whether a match with the player is saved, as far as the server or the agent's own records
    /// tell.
    fn has_saved(&self, name: &str, agent: &dyn Agent) -> bool {
        self.list.find(name).is_some()
            || (!self.not_saved.contains(name) && agent.unfinished().iter().any(|own| own == name))
    }

    pub(super) fn take(&mut self, message: &Message, now: Duration) {
        self.list.take(message, now);
        match message {
            Message::Wants { name, length } => {
                self.invitations.retain(|invitation| invitation.from != *name);
                // A new offer replaces the one that was to be accepted.
                self.joining.take_if(|it| it.from == *name && it.sent.is_none());
                self.offered.take_if(|(from, _)| *from == *name);
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
            Message::Who(who) if who.ready => {
                self.not_ready.remove(&who.name);
            }
            Message::RefusesGames { name } => self.refuses_games(name, now),
            Message::Invited { name, .. } => {
                self.not_ready.remove(name);
                if let Some(inviting) = &mut self.inviting
                    && inviting.name == *name
                {
                    inviting.confirmed = true;
                }
            }
            Message::Refused { why, name } => self.refused(*why, name.as_deref(), now),
            _ => {}
        }
    }

    /// A match has begun or goes on.
    pub(super) fn match_began(&mut self, name: &str) {
        // An opponent who plays may be invited again without a pause.
        self.logs_in(name);
        self.invitations.retain(|invitation| invitation.from != name);
        (self.joining, self.inviting, self.offered, self.waiting) = (None, None, None, None);
        (self.answered_by_resume, self.to_tell) = (None, None);
    }

    /// The server refuses a command. What waits for a player ends if the refusal is about them.
    fn refused(&mut self, why: Refusal, named: Option<&str>, now: Duration) {
        match why {
            Refusal::NobodyThere
            | Refusal::NotWilling
            | Refusal::NotExperienced
            | Refusal::Corrupt
            | Refusal::Playing => {
                self.joining.take_if(|it| is_about(named, &it.from));
                self.inviting.take_if(|it| is_about(named, &it.name));
            }
            Refusal::NothingSaved => self.nothing_saved(named, now),
            _ => {}
        }
    }

    /// The server says that there is no match to resume.
    fn nothing_saved(&mut self, named: Option<&str>, now: Duration) {
        self.joining.take_if(|it| is_about(named, &it.from));
        let answered = |it: &mut Inviting| it.sent.is_some() && is_about(named, &it.name);
        let Some(inviting) = self.inviting.take_if(answered) else { return };
        self.list.forget();
        if self.not_saved.len() < MAX_NAMES {
            self.not_saved.insert(inviting.name.clone());
        }
        if let Some(other) = self.answered_by_resume.take_if(|it| it.from == inviting.name) {
            let came = now;
            self.invitations.push_back(PendingInvitation { came, warned: false, ..other });
        }
    }

    /// The player of the last own invitation, if that was sent to resume a match.
    pub(super) fn resuming(&self) -> Option<&str> {
        let inviting = self.inviting.as_ref().filter(|inviting| inviting.sent.is_some())?;
        (inviting.length == Length::Resume).then_some(inviting.name.as_str())
    }

    pub(super) fn sent(&mut self, command: &Command, now: Duration, rng: &mut Pcg64) {
        self.list.sent(command, now);
        match command {
            Command::Invite(name, length) => {
                self.agree(name.clone(), *length);
                if *length == Length::Resume {
                    let busy = self.busy_without_a_turn(name) + ATTEMPT;
                    self.set_busy(name, busy);
                }
                if let Some(inviting) = &mut self.inviting {
                    (inviting.sent, inviting.confirmed) = (Some(now), false);
                }
                let (_, pause) = self.retry.get(name).copied().unwrap_or((now, RETRY_FIRST));
                // 100 to 200 % of the pause, so that two clients that invite each other get out of
                // step.
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
                    let (from, length) = (joining.from.clone(), joining.length);
                    self.agree(from, length);
                }
            }
            _ => {}
        }
    }

    /// Whether the first board shows the match that was agreed on, or the saved one.
    pub(super) fn is_as_agreed(&self, board: &FibsBoard, length: Length) -> bool {
        let saved = self.list.find(&board.opponent).map(|saved| saved.length == board.length);
        match length {
            Length::Points(points) => board.length == Some(points) || saved == Some(true),
            Length::Unlimited => board.length.is_none() || saved == Some(true),
            Length::Resume => saved != Some(false) && !self.is_unwanted(&board.opponent),
        }
    }

    fn agree(&mut self, name: String, length: Length) {
        if self.agreed.len() > MAX_NAMES {
            self.agreed.clear();
        }
        self.agreed.insert(name, length);
    }

    /// What the player was last joined or invited for. Invitations have no end on the server.
    pub(super) fn agreed(&self, name: &str) -> Option<Length> {
        self.agreed.get(name).copied()
    }

    /// The saved match with the player is not the one that was agreed on.
    pub(super) fn unwanted(&mut self, name: &str) {
        if self.unwanted.len() < MAX_NAMES {
            self.unwanted.insert(name.to_owned());
        }
    }

    pub(super) fn is_unwanted(&self, name: &str) -> bool {
        self.unwanted.contains(name) || self.declined.0.contains_key(name)
    }

    /// Asks the agent about saved matches that it does not know of.
    ///
    /// Before this session a player may have begun a match that was not agreed on.
    fn judge_saved(&mut self, context: &LobbyContext, agent: &mut dyn Agent) {
        let listed = self.list.listed();
        let Some(matches) = self.list.matches().filter(|_| self.declined.1 != listed) else {
            return;
        };
        let open = agent.unfinished();
        let unknown = matches.iter().filter(|saved| !open.contains(&saved.opponent));
        let declined = unknown.filter_map(|saved| {
            let from = saved.opponent.clone();
            let length = saved.length.map_or(Length::Unlimited, Length::Points);
            let who = context.players.get(&from).cloned();
            let why = agent.invited(&Invitation { from, length, who }).err()?;
            Some((saved.opponent.clone(), why))
        });
        self.declined = (declined.collect(), listed);
    }

    /// A board of the match with the player shows that it goes on.
    pub(super) fn forget_invitation(&mut self, name: &str) {
        self.invitations.retain(|invitation| invitation.from != name);
    }

    /// Whether the player was joined or invited to go on with a saved match.
    pub(super) fn is_resuming(&self, name: &str) -> bool {
        let joining = self.joining.iter().map(|it| (&it.from, it.length, it.sent));
        let inviting = self.inviting.iter().map(|it| (&it.name, it.length, it.sent));
        joining.chain(inviting).any(|(other, length, sent)| {
            other == name && length == Length::Resume && sent.is_some()
        })
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
        // These words answer an own invitation, or they mean nothing.
        let later = self.retry.get(name).is_some_and(|(due, _)| *due >= until);
        if self.agreed(name) != Some(Length::Resume) || later {
            return;
        }
        self.inviting = self.inviting.take().filter(|inviting| inviting.name != name);
        // They can say so without end: others do not wait for them.
        let busy = self.busy_without_a_turn(name).max(NO_TURN);
        self.set_busy(name, busy);
        self.retry.insert(name.to_owned(), (until, RETRY_FIRST));
    }
}
