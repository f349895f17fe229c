//! A bot on FIBS, from the folder of its match logs.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::App;
use super::error::{ApiError, ErrorAnswer};
use crate::backgammon::Seat;
use crate::backgammon::record::RecordEvent;
use crate::bot::{MatchRecord, MatchResults, match_records, rating_curve};

/// Results against one opponent.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BotOpponent {
    name: String,
    won: u32,
    lost: u32,
    open: u32,
    unknown: u32,
    /// How often they left a match or lost the connection.
    departures: u32,
}

/// A match of the bot.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BotMatch {
    /// When it began, in Unix seconds.
    began: f64,
    /// When its last event happened, in Unix seconds.
    last: f64,
    opponent: String,
    /// Points; null for an unlimited match.
    length: Option<u32>,
    /// Points won in finished games, the bot's first.
    score: [u32; 2],
    /// Whether the bot has won; null while it is open or unknown.
    won: Option<bool>,
    open: bool,
    interruptions: u32,
    /// What is missing in the record.
    incomplete: Option<String>,
    /// The last board, seen by the bot: 26 entries, its checkers positive, 25 its bar.
    board: Option<Vec<i8>>,
    /// The last roll and its play in words.
    last_play: Option<String>,
}

/// What a bot has done.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BotAnswer {
    /// The bot's name on the server; null without a match.
    name: Option<String>,
    won: u32,
    lost: u32,
    open: u32,
    unknown: u32,
    games: u32,
    /// Points won and lost.
    points: [u32; 2],
    /// The rating over matches by the server's formula: pairs of matches and rating.
    rating: Vec<[f64; 2]>,
    opponents: Vec<BotOpponent>,
    /// The last 50 matches, the newest first.
    matches: Vec<BotMatch>,
}

/// What the bot of `--bot FOLDER` does and has done.
#[utoipa::path(get, operation_id = "show_bot", path = "/api/v1/bot", tag = "bot", responses(
    (status = 200, description = "Results, rating, opponents and matches", body = BotAnswer),
    (status = 404, description = "The server was started without --bot", body = ErrorAnswer)))]
pub(super) async fn show(State(app): State<Arc<App>>) -> Result<Json<BotAnswer>, ApiError> {
    let Some(folder) = app.config.bot.clone() else {
        let message = "no bot is watched: start the server with --bot FOLDER, the folder of match logs of nonet fibs play";
        return Err(ApiError::missing(message));
    };
    let answer = app.work.quick(move || match_records(&folder).map(|records| of_records(&records)));
    answer.await?.map(Json).map_err(ApiError::failed)
}

fn of_records(records: &[MatchRecord]) -> BotAnswer {
    let results = MatchResults::of(records);
    let total = results.total();
    let opponents = results.by_opponent.iter().map(|(name, counts)| BotOpponent {
        name: name.clone(),
        won: counts.won,
        lost: counts.lost,
        open: counts.open,
        unknown: counts.unknown,
        departures: results.departures.get(name).map_or(0, |departures| departures.count),
    });
    BotAnswer {
        name: records.last().map(|record| record.own.clone()),
        won: total.won,
        lost: total.lost,
        open: total.open,
        unknown: total.unknown,
        games: results.games,
        points: results.points,
        rating: rating_curve(records)
            .into_iter()
            .map(|(matches, rating)| [matches, rating])
            .collect(),
        opponents: opponents.collect(),
        matches: records.iter().rev().take(50).map(of_match).collect(),
    }
}

fn of_match(record: &MatchRecord) -> BotMatch {
    let games = record.games();
    // Seat X is the bot.
    let turn = games.last().and_then(|game| {
        let turn = |event: &RecordEvent| match event {
            RecordEvent::Turn(turn) => Some(*turn),
            _ => None,
        };
        game.events().iter().rev().find_map(turn)
    });
    let board = turn.map(|turn| {
        let own = if turn.player == Seat::X { turn.after.flipped() } else { turn.after };
        own.points().to_vec()
    });
    let last_play = turn.map(|turn| {
        let who = if turn.player == Seat::X { &record.own } else { &record.opponent };
        format!("{who} rolls {}: {}", turn.dice, turn.play())
    });
    BotMatch {
        began: record.began,
        last: record.last,
        opponent: record.opponent.clone(),
        length: record.length,
        score: record.score(),
        won: record.result.map(|(won, _)| won),
        open: record.is_open(),
        interruptions: record.interruptions,
        incomplete: record.incomplete.clone(),
        board,
        last_play,
    }
}
