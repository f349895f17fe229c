//! What the session does by itself: where it is says what.

use std::time::Duration;

use rand::Rng;

use super::DEADLINE;
use super::state::{Close, FAR, Phase, Session, Step};
use super::table::Due;
use crate::Command;
use crate::agent::{Agent, Event, IdleAction};

/// How often an idle agent is asked again.
const IDLE: Duration = Duration::from_secs(2);
/// A line is silent after this time: the server sends a ping every 30 s.
const HUSHED: Duration = Duration::from_secs(40);

impl Session {
    /// What the phase asks for.
    pub(super) fn act(&mut self, now: Duration, agent: &mut dyn Agent) -> Step {
        match self.phase {
            Phase::Off | Phase::LoggingIn { .. } => Step::Wait(FAR),
            Phase::Settling { until } if now < until => Step::Wait(until),
            Phase::Settling { .. } => match self.table.as_ref().map(|table| table.id) {
                Some(id) if self.has_match() => {
                    self.phase = Phase::Rejoining { asked: now };
                    self.send(Command::Join(id), now, agent)
                }
                _ => {
                    self.lost_match(now, agent);
                    self.act(now, agent)
                }
            },
            Phase::Rejoining { asked } | Phase::Entering { asked } if now < asked + DEADLINE => {
                Step::Wait(asked + DEADLINE)
            }
            // The line fails: the next login shows the seat, which `leave` could lose.
            Phase::Rejoining { asked } | Phase::Entering { asked } if self.last_heard <= asked => {
                Step::Close(Close::Silent)
            }
            Phase::Rejoining { .. } => {
                self.lost_match(now, agent);
                self.act(now, agent)
            }
            Phase::Entering { .. } => {
                agent.event(&Event::Unanswered("create or join".to_owned()));
                self.refused_entry(now);
                self.step(now, agent)
            }
            Phase::Lobby { at } if now < at => Step::Wait(at),
            Phase::Lobby { .. } => self.idle(now, agent),
            Phase::Seated => self.at_table(now, agent),
        }
    }

    fn idle(&mut self, now: Duration, agent: &mut dyn Agent) -> Step {
        let command = match agent.idle() {
            IdleAction::Nothing => {
                self.phase = Phase::Lobby { at: now + IDLE };
                return Step::Wait(now + IDLE);
            }
            IdleAction::Quit => {
                self.quitting = true;
                return self.log_out(now, agent);
            }
            IdleAction::Create { points, title } => Command::Create { points, title },
            IdleAction::Join(name) => Command::JoinPlayer(name),
        };
        self.phase = Phase::Entering { asked: now };
        self.send(command, now, agent)
    }

    fn at_table(&mut self, now: Duration, agent: &mut dyn Agent) -> Step {
        let Some(table) = &mut self.table else {
            self.phase = Phase::Lobby { at: now };
            return Step::Wait(now);
        };
        if let Some(command) = table.unanswered(now) {
            agent.event(&Event::Unanswered(command.line()));
            table.in_vain(now);
        }
        let due = table.due(now);
        let is_silent = match &due {
            Due::NoBoard | Due::Stuck => self.last_heard <= table.asked_at,
            Due::Leave(_) => table.is_played() && now >= self.last_heard + HUSHED,
            Due::Send(_) | Due::Decide | Due::Wait(_) => false,
        };
        if is_silent {
            // The line fails, and not the table: the server keeps the seat.
            table.stay(now);
            return Step::Close(Close::Silent);
        }
        match due {
            Due::Send(command) => self.send(command, now, agent),
            Due::Stuck => {
                self.close_table(now, agent);
                Step::Close(Close::Silent)
            }
            Due::Wait(until) => Step::Wait(until),
            Due::NoBoard => {
                agent.event(&Event::Stuck("no board comes, leaving the table".to_owned()));
                table.leave(now);
                self.at_table(now, agent)
            }
            Due::Leave(why) => {
                if let Some(why) = why {
                    agent.event(&why);
                }
                table.leave(now);
                self.at_table(now, agent)
            }
            Due::Decide => {
                let board = table.board.clone();
                let decision = board.and_then(|board| table.decide(&board, agent));
                let [least, most] = self.config.pace.think;
                let think = match &decision {
                    Some((_, true)) if most > least => self.rng.random_range(least..most),
                    Some((_, true)) => least,
                    _ => Duration::ZERO,
                };
                table.plan(decision.map(|(command, _)| command), think, now);
                self.at_table(now, agent)
            }
        }
    }
}
