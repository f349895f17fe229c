//! The opponent in `nonet fibs demo`: it uses no net, and exercises doubles, drops and
//! resignations.

use fibs::agent::{Agent, Event, IdleAction, Invitation, Lobby, TurnContext};
use fibs::message::Length;

use nonet_engine::backgammon::{FibsBoard, Position, Stake};

/// Plays by turn number alone: any legal play, a double every 11th turn, an offer to resign every
/// 37th turn.
///
/// It drops from a 4-cube on.
///
/// ```
/// use fibs::agent::Agent;
/// use nonet_bot::DemoOpponent;
///
/// let opponent: Box<dyn Agent> = Box::new(DemoOpponent::challenging("nonet", 5, 2));
/// # let _ = opponent;
/// ```
#[derive(Clone, Debug, Default)]
pub struct DemoOpponent {
    /// Name, points and number of matches.
    challenge: Option<(String, u32, u32)>,
    matches_finished: u32,
    turns: u32,
}

impl DemoOpponent {
    /// Waits for invitations.
    #[must_use]
    pub fn new() -> DemoOpponent {
        DemoOpponent::default()
    }

    /// Invites `name` to `matches` matches of `points` points, and then logs out.
    #[must_use]
    pub fn challenging(name: &str, points: u32, matches: u32) -> DemoOpponent {
        DemoOpponent {
            challenge: Some((name.to_owned(), points, matches)),
            ..DemoOpponent::default()
        }
    }
}

impl Agent for DemoOpponent {
    fn play(&mut self, turn: &TurnContext) -> Position {
        self.turns += 1;
        turn.plays[self.turns as usize % turn.plays.len()].after
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

    fn idle(&mut self, lobby: &Lobby) -> IdleAction {
        match &self.challenge {
            Some((_, _, matches)) if self.matches_finished >= *matches => IdleAction::Quit,
            Some((name, points, _)) if lobby.players.contains_key(name) => {
                IdleAction::Invite(name.clone(), Length::Points(*points))
            }
            _ => IdleAction::Nothing,
        }
    }

    fn event(&mut self, event: &Event) {
        self.matches_finished += u32::from(matches!(event, Event::MatchOver { .. }));
    }
}
