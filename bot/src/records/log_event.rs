//! The events of a match on a server: one line of JSON each in the match log.

use fibs::agent::GameEnd;
use serde::{Deserialize, Serialize};

use nonet_engine::backgammon::{Dice, Position, Seat};

/// One event of a match, in the order of the events. `time` is in Unix seconds; `own` and
/// `opponent` are the two players, and scores have own points first.
///
/// In JSON, `event` names the event, and a position is its GNU Position ID. The key `own` is `true`
/// or `false` for a player. For the winner of a game the key is `won`.
///
/// ```
/// use nonet_bot::LogEvent;
///
/// let line = r#"{"event":"resume","time":5.0}"#;
/// let event: LogEvent = serde_json::from_str(line)?;
/// assert_eq!(event, LogEvent::Resume { time: 5.0 });
/// assert_eq!(serde_json::to_string(&event)?, line);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields' names say what they are")]
pub enum LogEvent {
    /// A match began. Ratings and experience are those before it, where the server has shown them.
    #[serde(rename = "begin")]
    MatchStart {
        time: f64,
        own: String,
        opponent: String,
        /// Points; `None` for an unlimited match.
        length: Option<u32>,
        own_rating: Option<f64>,
        own_experience: Option<u32>,
        opponent_rating: Option<f64>,
        opponent_experience: Option<u32>,
    },
    /// A saved match was resumed.
    Resume { time: f64 },
    /// The match was interrupted, and the server saved it.
    #[serde(rename = "left")]
    Saved {
        time: f64,
        /// Whether the opponent left or lost the connection; `None` where that was not recorded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by_opponent: Option<bool>,
    },
    /// A game began.
    #[serde(rename = "game")]
    GameStart { time: f64, length: Option<u32>, score: [u32; 2], crawford: bool },
    /// A roll was played.
    Turn {
        time: f64,
        #[serde(rename = "own", with = "is_own")]
        player: Seat,
        dice: Dice,
        /// Seen by the player who rolled.
        before: Position,
        /// Seen by the other player, who is on roll now.
        after: Position,
        /// The play in notation, for readers of the file; `before` and `after` are what counts.
        play: String,
        /// Equity that we expected of our own play, in points per game.
        #[serde(skip_serializing_if = "Option::is_none")]
        equity: Option<f32>,
    },
    /// A double was offered.
    Double {
        time: f64,
        #[serde(rename = "own", with = "is_own")]
        player: Seat,
    },
    /// A double was taken.
    Take {
        time: f64,
        #[serde(rename = "own", with = "is_own")]
        player: Seat,
    },
    /// A game ended.
    GameOver {
        time: f64,
        #[serde(rename = "won", with = "is_own")]
        winner: Seat,
        /// Points won, cube included.
        points: u32,
        #[serde(rename = "how", with = "GameEndName")]
        end: GameEnd,
    },
    /// A line of the server's rating calculation.
    Rating { time: f64, line: String },
    /// Turns may have been missed. `lines` is the server's list of moves (`oldmoves`); it replaces
    /// the recorded moves.
    History { time: f64, lines: Vec<String> },
    /// Turns were missed, and the server does not list them.
    Gap { time: f64 },
    /// The match ended.
    #[serde(rename = "over")]
    MatchOver { time: f64, won: bool, score: [u32; 2] },
    /// The server does not know the match any more, so that its result is unknown.
    #[serde(rename = "lost")]
    EndUnknown { time: f64 },
}

impl LogEvent {
    /// When it happened, in Unix seconds.
    #[must_use]
    pub const fn time(&self) -> f64 {
        match self {
            LogEvent::MatchStart { time, .. }
            | LogEvent::Resume { time }
            | LogEvent::Saved { time, .. }
            | LogEvent::GameStart { time, .. }
            | LogEvent::Turn { time, .. }
            | LogEvent::Double { time, .. }
            | LogEvent::Take { time, .. }
            | LogEvent::GameOver { time, .. }
            | LogEvent::Rating { time, .. }
            | LogEvent::History { time, .. }
            | LogEvent::Gap { time }
            | LogEvent::MatchOver { time, .. }
            | LogEvent::EndUnknown { time } => *time,
        }
    }
}

/// [`GameEnd`] in JSON.
#[derive(Serialize, Deserialize)]
#[serde(remote = "GameEnd", rename_all = "lowercase")]
enum GameEndName {
    Played,
    Dropped,
    Resigned,
}

/// A seat as a boolean: whether it is ours, [`Seat::X`].
mod is_own {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::to_engine::seat;
    use nonet_engine::backgammon::Seat;

    pub(crate) fn serialize<S: Serializer>(
        player: &Seat,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(*player == seat(true))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Seat, D::Error> {
        Ok(seat(bool::deserialize(deserializer)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines in the format of the match log: files with these keys and values exist and must load.
    const LINES: &str = r#"{"event":"begin","time":1795299350.8048368,"own":"nonet","opponent":"bob","length":3,"own_rating":1500.0,"own_experience":0,"opponent_rating":null,"opponent_experience":null}
{"event":"game","time":1795299350.8052485,"length":3,"score":[0,0],"crawford":false}
{"event":"turn","time":1795299350.8270822,"own":true,"dice":"21","before":"4HPwATDgc/ABMA","after":"4HPkASjgc/ABMA","play":"24/23 13/11","equity":0.0008608368}
{"event":"turn","time":1795299350.8701808,"own":false,"dice":"43","before":"4HPkASjgc/ABMA","after":"4HPiASHgc+QBKA","play":"24/20 13/10"}
{"event":"left","time":1795299351.0}
{"event":"left","time":1795299351.5,"by_opponent":true}
{"event":"resume","time":1795299352.0}
{"event":"double","time":1795299355.8981478,"own":false}
{"event":"take","time":1795299355.9235497,"own":true}
{"event":"game_over","time":1795299356.9958804,"won":true,"points":2,"how":"resigned"}
{"event":"game_over","time":1795299356.9958804,"won":false,"points":2,"how":"dropped"}
{"event":"game_over","time":1795299356.9958804,"won":true,"points":6,"how":"played"}
{"event":"rating","time":1795299356.9959002,"line":"rating calculation:"}
{"event":"history","time":1795299357.0,"lines":["Score is 0-0 in a 3 point match."]}
{"event":"gap","time":1795299358.0}
{"event":"over","time":1795299356.9960215,"won":true,"score":[6,0]}
{"event":"lost","time":1795299359.0}"#;

    #[test]
    fn a_line_of_the_log_is_read_and_written_as_it_stands() {
        for line in LINES.lines() {
            let event: LogEvent = serde_json::from_str(line).expect(line);
            assert_eq!(serde_json::to_string(&event).expect("plain data"), line);
        }
    }

    #[test]
    fn values_of_a_turn_are_those_of_the_rules() {
        let turn: LogEvent =
            serde_json::from_str(LINES.lines().nth(2).expect("a turn")).expect("read");
        let LogEvent::Turn { player, dice, before, after, .. } = turn else { panic!("{turn:?}") };
        let candidate = before.read_play("24/23 13/11", dice).expect("legal");
        assert_eq!((player, before, after), (Seat::X, Position::START, candidate.after));
    }

    #[test]
    fn a_value_that_is_impossible_is_an_error() {
        let line = LINES.lines().nth(2).expect("a turn");
        for wrong in [
            line.replace("\"21\"", "\"71\""),
            line.replace("4HPwATDgc/ABMA", "4HPwAT"),
            line.replace("\"own\":true", "\"own\":2"),
        ] {
            assert!(serde_json::from_str::<LogEvent>(&wrong).is_err(), "{wrong}");
        }
    }
}
