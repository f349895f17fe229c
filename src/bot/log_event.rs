//! One match on the server as a list of what happened: a line of JSON each, and the games that follow from them.

use serde::{Deserialize, Serialize};

use super::convert::{seat, session};
use crate::backgammon::record::{
    GameHeader, RecordEnd, RecordErrorKind, RecordEvent, RecordedGame, Recorder, Records,
};
use crate::backgammon::{Position, Seat, Stake};

/// One thing that happened, in the order of events. Times are Unix seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum LogEvent {
    /// A match began. Ratings and experience are those before it, where the server has shown them.
    Begin {
        time: f64,
        own: String,
        opponent: String,
        length: Option<u32>,
        own_rating: Option<f64>,
        own_experience: Option<u32>,
        opponent_rating: Option<f64>,
        opponent_experience: Option<u32>,
    },
    /// A match went on after it was saved.
    Resume {
        time: f64,
    },
    /// It was saved.
    Left {
        time: f64,
    },
    Game {
        time: f64,
        length: Option<u32>,
        score: [u32; 2],
        crawford: bool,
    },
    /// A roll was played; boards are GNU Position IDs, each seen by its player on roll.
    Turn {
        time: f64,
        own: bool,
        dice: String,
        before: String,
        after: String,
        play: String,
        /// What we expected of our own play, in points per game for us.
        #[serde(skip_serializing_if = "Option::is_none")]
        equity: Option<f32>,
    },
    Double {
        time: f64,
        own: bool,
    },
    Take {
        time: f64,
        own: bool,
    },
    /// A game ended: "played", "dropped" or "resigned", and our chances to win it before.
    GameOver {
        time: f64,
        won: bool,
        points: u32,
        how: String,
    },
    /// A line of the server's rating calculation.
    Rating {
        time: f64,
        line: String,
    },
    /// Turns may have been missed; these moves from the server take the place of what was written before.
    History {
        time: f64,
        lines: Vec<String>,
    },
    /// Turns were missed, and nobody knows them.
    Gap {
        time: f64,
    },
    /// The match ended.
    Over {
        time: f64,
        won: bool,
        score: [u32; 2],
    },
    /// The match is on no list any more, and nobody knows how it ended.
    Lost {
        time: f64,
    },
}

/// A match as far as it was written down.
#[derive(Clone, Debug, Default)]
pub struct MatchRecord {
    /// When it began, in Unix seconds.
    pub began: f64,
    /// When the last thing happened.
    pub last: f64,
    /// Our name on the server.
    pub own: String,
    /// The other player's.
    pub opponent: String,
    /// Points; `None` for an unlimited match.
    pub length: Option<u32>,
    /// Rating and experience before it, own first.
    pub standings: [Option<(f64, u32)>; 2],
    /// Lines of the server's rating calculation.
    pub ratings: Vec<String>,
    /// Won or not, and the score, own first; `None` while it goes on.
    pub result: Option<(bool, [u32; 2])>,
    /// Nobody knows how it ended.
    pub lost: bool,
    /// How often it was saved before its end.
    pub left: u32,
    /// Games that are over.
    games: Vec<RecordedGame>,
    /// The one that is being played.
    game: Option<Recorder>,
    /// What could not be written down, or not be: the first such thing.
    pub missing: Option<String>,
}

impl MatchRecord {
    /// The games in order, the last one perhaps unfinished.
    #[must_use]
    pub fn games(&self) -> Vec<RecordedGame> {
        let last = self.game.clone().map(Recorder::finish);
        self.games.iter().cloned().chain(last).collect()
    }

    /// Points by the games that are over, own first.
    #[must_use]
    pub fn score(&self) -> [u32; 2] {
        let mut score = [0; 2];
        for (winner, points) in self.games().iter().filter_map(RecordedGame::won) {
            score[winner.index()] += points;
        }
        score
    }

    /// Whether the match goes on.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.result.is_none() && !self.lost
    }

    /// Takes one entry.
    pub fn take(&mut self, entry: &LogEvent) {
        match entry {
            LogEvent::Begin {
                time,
                own,
                opponent,
                length,
                own_rating,
                own_experience,
                opponent_rating,
                opponent_experience,
            } => {
                self.began = *time;
                (self.own, self.opponent) = (own.clone(), opponent.clone());
                self.length = *length;
                self.standings =
                    [own_rating.zip(*own_experience), opponent_rating.zip(*opponent_experience)];
            }
            LogEvent::Left { .. } => self.left += 1,
            LogEvent::Game { length, score, crawford, .. } => {
                self.length = *length;
                self.put_away();
                let session = session(*length, *score, *crawford);
                self.game = session.map(|session| Recorder::new(self.header(session)));
                if self.game.is_none() {
                    self.miss("a score that cannot be");
                }
            }
            LogEvent::Turn { own, dice, after, .. } => {
                let dice = dice.parse();
                let after = Position::from_id(after);
                if let (Some(game), Ok(dice), Ok(after)) = (&mut self.game, dice, after) {
                    if let Err(reason) = game.turn(seat(*own), dice, &after) {
                        self.miss(reason);
                    }
                } else {
                    self.miss("a turn outside of any game");
                }
            }
            LogEvent::Double { own, .. } => self.tell(|game| game.double(seat(*own))),
            LogEvent::Take { own, .. } => self.tell(|game| game.take(seat(*own))),
            LogEvent::GameOver { won, points, how, .. } => {
                let loser = seat(!*won);
                match how.as_str() {
                    "dropped" => self.tell(|game| game.drop(loser)),
                    "resigned" => self.tell(|game| {
                        let stake = [Stake::Single, Stake::Gammon, Stake::Backgammon]
                            .into_iter()
                            .zip(1..)
                            .find(|(_, n)| n * game.cube() == *points);
                        game.resign(loser, stake.map_or(Stake::Single, |(stake, _)| stake))
                    }),
                    _ => {}
                }
                self.put_away();
            }
            LogEvent::Rating { line, .. } => self.ratings.push(line.clone()),
            LogEvent::History { lines, .. } => self.rewrite(lines),
            LogEvent::Gap { .. } => self.miss("turns that the server does not tell"),
            LogEvent::Over { won, score, .. } => {
                self.put_away();
                self.result = Some((*won, *score));
            }
            LogEvent::Lost { .. } => self.lost = true,
            LogEvent::Resume { .. } => {}
        }
        self.last = entry.time().max(self.last);
    }

    fn header(&self, session: crate::backgammon::Scoring) -> GameHeader {
        GameHeader { names: [self.own.clone(), self.opponent.clone()], session }
    }

    fn tell(&mut self, done: impl FnOnce(&mut Recorder) -> Result<(), RecordErrorKind>) {
        match self.game.as_mut().map(done) {
            Some(Ok(())) => {}
            Some(Err(reason)) => self.miss(reason),
            None => self.miss("a word about the cube outside of any game"),
        }
    }

    fn miss(&mut self, what: impl std::fmt::Display) {
        self.missing.get_or_insert_with(|| what.to_string());
    }

    fn put_away(&mut self) {
        self.games.extend(self.game.take().map(Recorder::finish));
    }

    /// What the server remembers takes the place of what we have written down.
    fn rewrite(&mut self, lines: &[String]) {
        let text = lines.join("\n");
        let records = Records::new(text.as_bytes(), "oldmoves");
        let read = records.and_then(|records| records.collect::<Result<Vec<RecordedGame>, _>>());
        let read = match read {
            Ok(read) => read,
            Err(error) => return self.miss(error),
        };
        let swap = read.first().is_some_and(|game| game.header().names[0] != self.own);
        let points = |game: &RecordedGame| match game.header().session {
            crate::backgammon::Scoring::Match(score) => score.own() + score.opponent(),
            crate::backgammon::Scoring::Money { .. } => 0,
        };
        let Some(first) = read.first().map(points) else { return };
        self.game = None;
        self.games.retain(|game| points(game) < first);
        self.missing = None;
        if first > 0 && self.games.is_empty() {
            self.miss("the first games");
        }
        for game in &read {
            self.put_away();
            let mut header = game.header().clone();
            if swap {
                header.session = header.session.flipped();
            }
            header.names = [self.own.clone(), self.opponent.clone()];
            match replayed(game, header, swap) {
                Some(recorder) => self.game = Some(recorder),
                None => self.miss("moves of the server that cannot be"),
            }
        }
        if read.last().is_some_and(|game| game.end() != RecordEnd::Unfinished) {
            self.put_away();
        }
        let score = self.score();
        if let Some(length) = self.length
            && self.result.is_none()
            && score.iter().any(|&points| points >= length)
        {
            self.result = Some((score[0] > score[1], score));
        }
    }
}

impl LogEvent {
    /// When it happened, in Unix seconds.
    #[must_use]
    pub const fn time(&self) -> f64 {
        match self {
            LogEvent::Begin { time, .. }
            | LogEvent::Resume { time }
            | LogEvent::Left { time }
            | LogEvent::Game { time, .. }
            | LogEvent::Turn { time, .. }
            | LogEvent::Double { time, .. }
            | LogEvent::Take { time, .. }
            | LogEvent::GameOver { time, .. }
            | LogEvent::Rating { time, .. }
            | LogEvent::History { time, .. }
            | LogEvent::Gap { time }
            | LogEvent::Over { time, .. }
            | LogEvent::Lost { time } => *time,
        }
    }
}

/// The same game, with the seats exchanged or not, to be gone on with.
fn replayed(game: &RecordedGame, header: GameHeader, swap: bool) -> Option<Recorder> {
    let seat = |player: Seat| if swap { player.other() } else { player };
    let mut recorder = Recorder::new(header);
    for event in game.events() {
        let done = match *event {
            RecordEvent::Turn(turn) => recorder.turn(seat(turn.player), turn.dice, &turn.after),
            RecordEvent::Double { player, .. } => recorder.double(seat(player)),
            RecordEvent::Beaver { player, .. } => recorder.beaver(seat(player)),
            RecordEvent::Take { player } => recorder.take(seat(player)),
            RecordEvent::Drop { player } => recorder.drop(seat(player)),
        };
        done.ok()?;
    }
    if let RecordEnd::Resigned { winner, stake } = game.end() {
        recorder.resign(seat(winner.other()), stake).ok()?;
    }
    Some(recorder)
}
