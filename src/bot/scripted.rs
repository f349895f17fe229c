//! A scripted opponent: plays the first legal play, and is at times annoying about the cube.

use fibs::agent::{Agent, Event, IdleAction, Invitation, Lobby, TurnContext};
use fibs::message::Length;

use crate::backgammon::{FibsBoard, Stake};

/// Plays without a net; for demonstrations and tests.
#[derive(Clone, Debug, Default)]
pub struct ScriptedBot {
    challenge: Option<(String, u32, u32)>,
    played: u32,
    turns: u32,
}

impl ScriptedBot {
    /// Waits for invitations.
    #[must_use]
    pub fn new() -> ScriptedBot {
        ScriptedBot::default()
    }

    /// Invites somebody to so many matches of so many points, and then logs out.
    #[must_use]
    pub fn challenging(name: &str, points: u32, matches: u32) -> ScriptedBot {
        ScriptedBot {
            challenge: Some((name.to_owned(), points, matches)),
            ..ScriptedBot::default()
        }
    }
}

impl Agent for ScriptedBot {
    fn play(&mut self, turn: &TurnContext) -> usize {
        self.turns += 1;
        self.turns as usize % turn.plays.len().max(1)
    }

    fn double(&mut self, _: &FibsBoard) -> bool {
        self.turns % 11 == 10
    }

    fn take(&mut self, board: &FibsBoard) -> bool {
        board.cube < 4
    }

    fn resign(&mut self, _: &FibsBoard) -> Option<Stake> {
        (self.turns % 37 == 36).then_some(Stake::Single)
    }

    fn invited(&mut self, _: &Invitation) -> Result<(), String> {
        Ok(())
    }

    fn wish(&mut self, lobby: &Lobby) -> IdleAction {
        match &self.challenge {
            Some((_, _, matches)) if self.played >= *matches => IdleAction::Quit,
            Some((name, points, _)) if lobby.players.contains_key(name) => {
                IdleAction::Invite(name.clone(), Length::Points(*points))
            }
            _ => IdleAction::Nothing,
        }
    }

    fn event(&mut self, event: &Event) {
        self.played += u32::from(matches!(event, Event::MatchOver { .. }));
    }
}
