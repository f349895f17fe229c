//! A bot on FIBS, from the folder of its match logs and its file of figures.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::App;
use crate::bot_form::{BotForms, Form, analyse_missing};
use crate::error::{ApiError, ErrorAnswer};
use crate::play::match_view::pair;
use nonet_bot::{
    METRICS_EVERY, MatchLogError, MatchRecord, MatchResults, match_records, rating_over_time,
    read_figures,
};
use nonet_engine::backgammon::Seat;
use nonet_engine::backgammon::record::{RecordEvent, RecordedGame};

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

/// The doubling cube of a match of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct BotCube {
    value: u32,
    /// Whether the bot owns it; null if it is in the middle.
    own: Option<bool>,
    /// Its value if the double on the table is taken; null without one.
    offered: Option<u32>,
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
    /// Own luck minus the opponent's, in points a game; null until the match is over and analysed.
    luck: Option<f32>,
    /// PR of the bot at 1-ply; null until then, or without a decision.
    pr: Option<f32>,
    /// PR of the opponent.
    opponent_pr: Option<f32>,
    /// What is missing in the record.
    incomplete: Option<String>,
    /// The last board, seen by the bot: 26 entries, its checkers positive, 25 its bar.
    board: Option<Vec<i8>>,
    /// The last roll.
    dice: Option<[u8; 2]>,
    /// Whether the bot has rolled it.
    own_roll: bool,
    /// The play of the last roll in the usual notation, seen by its player; empty if that cannot
    /// move.
    #[schema(example = "13/7 8/7")]
    last_play: Option<String>,
    cube: BotCube,
}

/// A figure of the bot's program.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BotFigure {
    #[schema(example = "hangs_total")]
    name: String,
    /// What it counts, in words.
    meaning: String,
    value: f64,
}

/// The figures of the bot's program.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BotProgram {
    /// Whether it runs: its file of figures was written in the last 30 seconds.
    running: bool,
    /// When the file was written, in Unix seconds; null if it cannot be read.
    written: Option<f64>,
    /// Why there are no figures.
    missing: Option<String>,
    figures: Vec<BotFigure>,
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
    /// The rating after each match by the server's formula: pairs of its end in Unix seconds and of
    /// the rating. The first is the begin of the first match.
    rating: Vec<[f64; 2]>,
    opponents: Vec<BotOpponent>,
    /// The last 50 matches, the newest first.
    matches: Vec<BotMatch>,
    /// The bot's program; null if the server was started without --bot-metrics.
    program: Option<BotProgram>,
}

/// What the bot of `--bot FOLDER` does and has done.
#[utoipa::path(get, operation_id = "show_bot", path = "/api/v1/bot", tag = "bot", responses(
    (status = 200, description = "Results, rating, opponents, matches and incidents", body = BotAnswer),
    (status = 404, description = "The server was started without --bot", body = ErrorAnswer)))]
pub(super) async fn show(State(app): State<Arc<App>>) -> Result<Json<BotAnswer>, ApiError> {
    let Some(folder) = app.config.bot.clone() else {
        let message = "no bot is watched: start the server with --bot FOLDER, the folder of match logs of nonet fibs play";
        return Err(ApiError::missing(message));
    };
    let metrics = app.config.bot_metrics.clone();
    let shared = Arc::clone(&app);
    let answer = app.work.quick(move || {
        let program = metrics.map(|path| program(&path, SystemTime::now()));
        let records = match_records(&folder)?;
        let answer = of_records(&records, program, &shared.forms);
        let shown = records.into_iter().rev().take(SHOWN).collect::<Vec<_>>();
        Ok::<_, MatchLogError>((answer, shown))
    });
    let (answer, shown) = answer.await?.map_err(ApiError::failed)?;
    analyse_missing(&app, shown);
    Ok(Json(answer))
}

/// The most matches in an answer.
const SHOWN: usize = 50;

/// The age at which a file of figures shows that its program has ended: three times the time
/// between two of them.
const STALE: Duration = METRICS_EVERY.saturating_mul(3);

/// A file of figures as it stands at the time `now`.
fn program(path: &Path, now: SystemTime) -> BotProgram {
    let read = std::fs::read(path).and_then(|text| Ok((text, path.metadata()?.modified()?)));
    let (text, written) = match read {
        Ok(read) => read,
        Err(error) => {
            let why = format!(
                "there are no figures: cannot read {}: {error}; nonet fibs play --metrics FILE writes them",
                path.display()
            );
            return BotProgram {
                running: false,
                written: None,
                missing: Some(why),
                figures: Vec::new(),
            };
        }
    };
    let figures = read_figures(&String::from_utf8_lossy(&text)).into_iter();
    let figures: Vec<BotFigure> = figures
        .map(|one| BotFigure { name: one.name, meaning: one.meaning, value: one.value })
        .collect();
    let missing = figures.is_empty().then(|| {
        format!(
            "there are no figures in {}: expected a file of nonet fibs play --metrics",
            path.display()
        )
    });
    BotProgram {
        // A clock that was set back does not end the bot.
        running: missing.is_none() && now.duration_since(written).is_ok_and(|age| age <= STALE),
        written: written.duration_since(UNIX_EPOCH).ok().map(|time| time.as_secs_f64()),
        missing,
        figures,
    }
}

fn of_records(records: &[MatchRecord], program: Option<BotProgram>, forms: &BotForms) -> BotAnswer {
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
        rating: rating_over_time(records).into_iter().map(|(at, rating)| [at, rating]).collect(),
        opponents: opponents.collect(),
        matches: records
            .iter()
            .rev()
            .take(SHOWN)
            .map(|record| of_match(record, forms.of(record)))
            .collect(),
        program,
    }
}

fn of_match(record: &MatchRecord, form: Option<Form>) -> BotMatch {
    let games = record.games();
    let luck = form.map(|[own, other]| (own.luck - other.luck) / games.len().max(1) as f32);
    let [pr, opponent_pr] = form.map_or([None; 2], |form| form.map(|side| side.pr()));
    // Seat X is the bot.
    let turn = games.last().and_then(|game| game.turns().last().copied());
    let board = turn.map(|turn| {
        let own = if turn.player == Seat::X { turn.after.flipped() } else { turn.after };
        own.points().to_vec()
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
        luck,
        pr,
        opponent_pr,
        incomplete: record.incomplete.clone(),
        board,
        dice: turn.map(|turn| pair(turn.dice)),
        own_roll: turn.is_some_and(|turn| turn.player == Seat::X),
        last_play: turn.map(|turn| turn.play().to_string()),
        cube: games.last().map_or(BotCube { value: 1, own: None, offered: None }, cube_of),
    }
}

/// The cube as it stands after the events of a game.
fn cube_of(game: &RecordedGame) -> BotCube {
    let mut cube = BotCube { value: 1, own: None, offered: None };
    for event in game.events() {
        match *event {
            RecordEvent::Turn(_) => {}
            RecordEvent::Double { value, .. } | RecordEvent::Beaver { value, .. } => {
                cube.offered = Some(value);
            }
            RecordEvent::Take { player } => {
                (cube.value, cube.own) =
                    (cube.offered.unwrap_or(cube.value), Some(player == Seat::X));
                cube.offered = None;
            }
            RecordEvent::Drop { .. } => cube.offered = None,
        }
    }
    cube
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_bot::{BotFigures, LogEvent};

    #[test]
    fn a_program_runs_while_its_file_of_figures_is_fresh() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("figures");
        let none = program(&path, SystemTime::now());
        assert!(!none.running && none.missing.is_some_and(|why| why.contains("figures")));
        std::fs::write(&path, "nonsense").expect("written");
        assert!(program(&path, SystemTime::now()).missing.is_some());
        std::fs::write(&path, BotFigures::default().to_prometheus(7.0)).expect("written");
        let now = SystemTime::now();
        let fresh = program(&path, now);
        assert!(fresh.running && fresh.missing.is_none() && fresh.figures.len() > 10);
        let old = program(&path, now + Duration::from_secs(60));
        assert!(!old.running && old.figures.len() > 10);
    }

    #[test]
    fn the_cube_of_a_match_is_that_of_its_last_event() {
        let mut events = vec![LogEvent::GameStart {
            time: 0.0,
            length: Some(5),
            score: [0, 0],
            crawford: false,
        }];
        let cube = |events: &[LogEvent]| of_match(&MatchRecord::from_events(events), None).cube;
        assert_eq!(cube(&events), BotCube { value: 1, own: None, offered: None });
        let mut before = nonet_engine::Position::START;
        for (player, dice, play) in [(Seat::X, "31", "8/5 6/5"), (Seat::O, "64", "24/14")] {
            let dice = dice.parse().expect("a roll");
            let after = before.read_play(play, dice).expect("legal").after;
            let play = play.to_owned();
            events.push(LogEvent::Turn {
                time: 1.0,
                player,
                dice,
                before,
                after,
                play,
                equity: None,
            });
            before = after;
        }
        events.push(LogEvent::Double { time: 2.0, player: Seat::X });
        assert_eq!(cube(&events), BotCube { value: 1, own: None, offered: Some(2) });
        events.push(LogEvent::Take { time: 3.0, player: Seat::O });
        assert_eq!(cube(&events), BotCube { value: 2, own: Some(false), offered: None });
    }
}
