//! The engine and another program play a match to 1 point on a practice server, over TCP.

#![allow(clippy::print_stdout, reason = "an example shows its results")]

use std::future::pending;

use fibs::agent::{Agent, Event, IdleAction, Lobby, TurnContext};
use fibs::client::{Notice, run};
use fibs::message::Length;
use fibs::server::PracticeServer;
use nonet::backgammon::{FibsBoard, Position};
use nonet::{Engine, Plies};

/// Plays as the engine says, invites `first_bot`, and leaves after the match.
struct Champion(Engine, bool);

impl Agent for Champion {
    fn play(&mut self, turn: &TurnContext) -> Position {
        let best = turn.state().ok().and_then(|state| self.0.best_move(&state).ok());
        best.map_or(turn.plays[0].after, |best| *best.after())
    }

    fn double(&mut self, board: &FibsBoard) -> bool {
        board.state().is_ok_and(|state| self.0.cube(&state).is_ok_and(|cube| cube.is_double()))
    }

    fn take(&mut self, board: &FibsBoard) -> bool {
        board.state().is_ok_and(|state| self.0.cube(&state).is_ok_and(|cube| cube.is_take()))
    }

    fn idle(&mut self, lobby: &Lobby) -> IdleAction {
        match lobby.players.get("first_bot") {
            _ if self.1 => IdleAction::Quit,
            Some(other) if other.ready => IdleAction::Invite(other.name.clone(), Length::Points(1)),
            _ => IdleAction::Nothing,
        }
    }

    fn event(&mut self, event: &Event) {
        if let Event::MatchOver { opponent, won, score } = event {
            println!("{} against {opponent}: {score:?}", if *won { "won" } else { "lost" });
            self.1 = true;
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = PracticeServer::listen(&["champion", "first_bot"], 1).await?;
    let mut agent = Champion(Engine::champion().with_plies(Plies::ONE), false);
    let mut other = |turn: &TurnContext| turn.plays[0].after; // the first legal play
    let (mut near, mut far) = (server.tcp(), server.tcp());
    let [champion, first] = ["champion", "first_bot"].map(|name| server.account(name));
    tokio::select! {
        end = run(&mut near, champion, &mut agent, pending(), |_: Notice| {}) => println!("{end:?}"),
        _ = run(&mut far, first, &mut other, pending(), |_: Notice| {}) => {}
    }
    Ok(())
}
