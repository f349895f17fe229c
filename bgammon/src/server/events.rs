//! The events of the server as lines of JSON.

use backgammon::{CubeOwner, GameState, Seat, Stake};
use serde_json::{Value, json};

use super::table::Table;

pub(super) fn ping(text: u64) -> String {
    json!({"Type": "ping", "Message": text.to_string()}).to_string()
}

pub(super) fn notice(text: &str) -> String {
    json!({"Type": "notice", "Message": text}).to_string()
}

pub(super) fn say(player: &str, text: &str) -> String {
    json!({"Type": "say", "Player": player, "Message": text}).to_string()
}

pub(super) fn failed(kind: &str, reason: &str) -> String {
    json!({"Type": kind, "Reason": reason}).to_string()
}

pub(super) fn welcome(name: &str, clients: usize, games: usize) -> String {
    json!({"Type": "welcome", "PlayerName": name, "Clients": clients, "Games": games}).to_string()
}

pub(super) fn list(games: Vec<Value>) -> String {
    json!({"Type": "list", "Games": games}).to_string()
}

pub(super) fn joined(player: &str, id: u64, number: u8) -> String {
    json!({"Type": "joined", "Player": player, "GameID": id, "PlayerNumber": number}).to_string()
}

pub(super) fn left(player: &str) -> String {
    json!({"Type": "left", "Player": player}).to_string()
}

pub(super) fn rolled(player: &str, [one, two]: [u8; 2]) -> String {
    json!({"Type": "rolled", "Player": player, "Roll1": one, "Roll2": two}).to_string()
}

/// Moves of `mover`, in the numbers of a player.
pub(super) fn moved(player: &str, moves: &[(u8, u8)], is_mover: bool) -> String {
    let moves: Vec<[u8; 2]> = moves.iter().map(|step| space(*step, is_mover)).collect();
    json!({"Type": "moved", "Player": player, "Moves": moves}).to_string()
}

pub(super) fn win(player: &str, resigned: Option<&str>, points: u32) -> String {
    let resigned = resigned.unwrap_or_default();
    json!({"Type": "win", "Player": player, "Resigned": resigned, "Points": points}).to_string()
}

/// A single move of the mover in the numbers of a viewer.
fn space((from, to): (u8, u8), is_mover: bool) -> [u8; 2] {
    match is_mover {
        true => [if from == 25 { 26 } else { from }, to],
        false => [if from == 25 { 27 } else { 25 - from }, 25 - to],
    }
}

/// The table as a player sees it, always as player 1.
pub(super) fn board(table: &Table, viewer: Seat, forced: bool) -> String {
    let GameState { state, .. } = &table.game;
    let position = table.seen_by(viewer);
    let mut numbers = [0i32; 28];
    for point in 1..=24 {
        numbers[point] = i32::from(position.points()[point]);
    }
    numbers[0] = 15 - i32::from(position.own_left());
    numbers[25] = i32::from(position.opponent_left()) - 15;
    numbers[26] = i32::from(position.points()[25]);
    numbers[27] = i32::from(position.points()[0]);
    let number = |seat: Seat| if seat == viewer { 1 } else { 2 };
    let turn = if table.opening { 0 } else { number(state.on_roll) };
    let mut rolls = table.rolls();
    if table.opening && viewer == Seat::O {
        rolls.reverse();
    }
    let cube = table.game.cube_of(viewer);
    let owner = match cube.owner() {
        CubeOwner::Centred => 0,
        CubeOwner::Own => 1,
        CubeOwner::Opponent => 2,
    };
    let player = |seat: Seat| {
        let name = match table.clients[seat.index()] {
            Some(_) => table.names[seat.index()].as_str(),
            None => "",
        };
        let points = table.points[seat.index()];
        json!({"Number": number(seat), "Name": name, "Rating": 0, "Points": points})
    };
    let moves: Vec<[u8; 2]> =
        table.moves.iter().map(|step| space(*step, state.on_roll == viewer)).collect();
    json!({
        "Type": "board", "PlayerNumber": 1, "Spectating": false, "Variant": 0,
        "Player1": player(viewer), "Player2": player(viewer.other()),
        "Board": numbers.to_vec(), "Turn": turn, "Roll1": rolls[0], "Roll2": rolls[1],
        "Moves": moves, "Forced": forced, "Winner": table.winner.map_or(0, number),
        "Points": table.length, "Crawford": table.crawford(), "DoubleValue": cube.value(),
        "DoublePlayer": owner, "DoubleOffered": table.is_offered(),
        "Available": table.available(viewer),
    })
    .to_string()
}

impl Table {
    /// The Crawford game: 0 before it, 1 during, 2 after it.
    fn crawford(&self) -> u8 {
        let scoring = self.game.state.scoring;
        match scoring.away() {
            Some((1, _) | (_, 1)) if scoring.is_post_crawford() => 2,
            Some((1, _) | (_, 1)) if self.length > 1 => 1,
            _ => 0,
        }
    }

    /// First single moves that are legal, for the player who makes them.
    fn available(&self, viewer: Seat) -> Vec<[u8; 2]> {
        let begins = self.game.state.on_roll == viewer && self.moves.is_empty();
        let Some(dice) = self.game.dice().filter(|_| begins) else {
            return Vec::new();
        };
        let before = self.game.position;
        let first = |after| before.steps_to(dice, after).and_then(|steps| steps.first().copied());
        let mut all: Vec<[u8; 2]> = (self.game.legal_plays().iter())
            .filter_map(|play| first(&play.after))
            .map(|step| space((step.from, step.to), true))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Table {
    /// The table in the list of matches.
    pub(super) fn listing(&self) -> Value {
        let players = self.clients.iter().flatten().count();
        json!({
            "ID": self.id, "Password": false, "Points": self.length, "Players": players,
            "Rating": 0, "Name": self.title,
        })
    }

    /// What the server counts for a resignation.
    pub(super) fn resignation(&self, loser: Seat) -> Stake {
        backgammon::stake_if_won_now(&self.game.seen_by(loser.other()))
    }
}
