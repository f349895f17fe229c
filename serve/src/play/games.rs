//! A game of a net with itself for people to watch.
//!
//! Its dice come from a seed, so that the same game can be watched again.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::App;
use crate::defaults;
use crate::error::{ApiError, ErrorAnswer};
use crate::extract::Body;
use crate::play::match_view::pair;
use crate::positions::{net, plies};
use nonet_engine::backgammon::{Dice, Position, Seat, play_to};
use nonet_engine::engine::Engine;
use nonet_engine::game::{GameRunner, StreamPurpose, stream};
use nonet_engine::search::Plies;

/// Asks for a game.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameRequest {
    /// Seed of the dice.
    #[schema(format = "uint64", maximum = 18_446_744_073_709_551_615_u64)]
    seed: u64,
    /// Search depth in plies, 1 (static) to 2.
    #[schema(minimum = 1, maximum = 2, default = defaults::many_ply)]
    ply: Option<u8>,
    /// A net by name, or a training run (its best net).
    #[schema(default = defaults::net)]
    net: Option<String>,
}

/// One of the two players of a game: light moves from point 24 down to 1, dark the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Side {
    Light,
    Dark,
}

/// A turn of a game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GameTurn {
    player: Side,
    dice: [u8; 2],
    /// In the usual notation, seen by the player; empty if they cannot move.
    #[schema(example = "8/5 6/5")]
    play: String,
    /// The single checker moves, from and to, seen by light.
    steps: Vec<[u8; 2]>,
    /// The board afterwards, seen by light: 26 entries, light's checkers positive.
    board: Vec<i8>,
    /// Cubeless equity of the player after the play at 1-ply, in points a game.
    equity: f32,
}

/// A game without a cube.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GameAnswer {
    seed: u64,
    net: String,
    plies: u8,
    turns: Vec<GameTurn>,
    winner: Side,
    /// What the winner wins, 1 to 3 points.
    points: u8,
}

/// A game of a net with itself, without a cube. The same net, seed and depth give the same game.
#[utoipa::path(post, path = "/api/v1/game", tag = "positions", request_body = GameRequest, responses(
    (status = 200, description = "The whole game", body = GameAnswer),
    (status = 400, description = "An invalid depth, or a net that does not come to the end of a game", body = ErrorAnswer),
    (status = 404, description = "There is no such net", body = ErrorAnswer)))]
pub(crate) async fn play(
    State(app): State<Arc<App>>,
    Body(request): Body<GameRequest>,
) -> Result<Json<GameAnswer>, ApiError> {
    let plies = plies(request.ply, defaults::many_ply())?;
    if plies > Plies::TWO {
        let message = format!("invalid ply '{}': games are played at 1 or 2", plies.get());
        return Err(ApiError::invalid(message));
    }
    let name = request.net.clone().unwrap_or_else(|| defaults::net().to_owned());
    let engines = net(&app, request.net).await?;
    let game = app.work.quick(move || {
        let engine = if plies == Plies::ONE { engines.here() } else { engines.at(plies) };
        of(engine, engines.here(), name, request.seed)
    });
    game.await?.map(Json)
}

/// Plays a game with `engine`; `judge` says what the positions are worth.
fn of(engine: &Engine, judge: &Engine, net: String, seed: u64) -> Result<GameAnswer, ApiError> {
    let player = engine.player();
    let [mut dice, mut choices] =
        [StreamPurpose::Sample, StreamPurpose::Choice].map(|purpose| stream(seed, purpose, 0));
    let mut played: Vec<(Seat, Position, Dice, Position)> = Vec::new();
    let players = [player.as_ref(), player.as_ref()];
    let game = GameRunner::default().play_seen(players, &mut dice, &mut choices, |turn| {
        played.push((turn.player, *turn.before, turn.dice, *turn.after));
    });
    let game = game.ok_or_else(|| {
        ApiError::invalid(
            "the game does not end: the net has learned too little; choose another seed",
        )
        .coded("endless-game")
    })?;
    let after: Vec<Position> = played.iter().map(|(.., after)| *after).collect();
    let values = judge.evaluate(&after);
    let turns = played.iter().zip(values).map(|(&(player, before, dice, after), value)| {
        let steps = before.steps_to(dice, &after).unwrap_or_default();
        let seen = |point: u8| if player == Seat::X { point } else { 25 - point };
        let board = if player == Seat::X { after.flipped() } else { after };
        GameTurn {
            player: side(player),
            dice: pair(dice),
            play: play_to(&before, dice, &after).map(|play| play.to_string()).unwrap_or_default(),
            steps: steps.iter().map(|step| [seen(step.from), seen(step.to)]).collect(),
            board: board.points().to_vec(),
            equity: -value.equity(),
        }
    });
    let points = game.points();
    Ok(GameAnswer {
        seed,
        net,
        plies: engine.plies().get(),
        turns: turns.collect(),
        winner: side(if points > 0 { Seat::X } else { Seat::O }),
        points: points.unsigned_abs() as u8,
    })
}

pub(crate) const fn side(seat: Seat) -> Side {
    match seat {
        Seat::X => Side::Light,
        Seat::O => Side::Dark,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_of_a_seed_is_the_same_each_time_and_each_board_follows_from_the_one_before() {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let game = |seed| of(&engine, &engine, "champion".to_owned(), seed).expect("it ends");
        let [first, again, other] = [7, 7, 8].map(game);
        let text = |game: &GameAnswer| serde_json::to_string(game).expect("plain data");
        assert_eq!(text(&first), text(&again));
        assert_ne!(text(&first), text(&other));
        let mut board = Position::START.points().to_vec();
        for turn in &first.turns {
            // The checkers of the steps, and what they hit.
            let sign = if turn.player == Side::Light { 1 } else { -1 };
            for &[from, to] in &turn.steps {
                board[usize::from(from)] -= sign;
                if !(1..=24).contains(&to) {
                    continue;
                }
                let to = usize::from(to);
                if board[to] == -sign {
                    board[to] = 0;
                    board[if sign > 0 { 0 } else { 25 }] -= sign;
                }
                board[to] += sign;
            }
            assert_eq!(board, turn.board, "{turn:?}");
        }
        let last = first.turns.last().expect("a turn");
        assert_eq!(last.player, first.winner);
        assert!((last.equity - f32::from(first.points)).abs() < 1e-6, "{last:?}");
    }
}
