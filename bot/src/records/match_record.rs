//! A match on a server, rebuilt from its log: [`MatchRecord`] applies the events and replays the
//! games.

use fibs::agent::GameEnd;

use crate::records::log_event::LogEvent;
use crate::to_engine::scoring;
use nonet_engine::backgammon::record::{
    GameHeader, RecordEnd, RecordErrorKind, RecordEvent, RecordedGame, Recorder, Records,
};
use nonet_engine::backgammon::{Scoring, Seat, Stake};

/// The opponent left a match, or lost the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The score of the match, own points first.
    pub score: [u32; 2],
    /// Whether the opponent was behind: by points, or at an even score by pips.
    pub behind: bool,
}

/// A match as far as it is recorded.
///
/// ```
/// use nonet_bot::{LogEvent, MatchRecord, MatchResults};
///
/// let begin = LogEvent::MatchStart {
///     time: 0.0,
///     own: "nonet".into(),
///     opponent: "ann".into(),
///     length: Some(5),
///     own_rating: None,
///     own_experience: None,
///     opponent_rating: None,
///     opponent_experience: None,
/// };
/// let record = MatchRecord::from_events(&[begin]);
/// assert!(record.is_open() && record.games().is_empty());
/// assert_eq!(MatchResults::of(&[record]).total().open, 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct MatchRecord {
    /// When it began, in Unix seconds.
    pub began: f64,
    /// When the last event happened, in Unix seconds.
    pub last: f64,
    /// Our name on the server.
    pub own: String,
    /// The other player's name.
    pub opponent: String,
    /// Points; `None` for an unlimited match.
    pub length: Option<u32>,
    /// Rating and experience before the match, own first.
    pub standings: [Option<(f64, u32)>; 2],
    /// Lines of the server's rating calculation.
    pub ratings: Vec<String>,
    /// Whether we won, and the score, own points first; `None` while the match is open or if its
    /// end is unknown.
    pub result: Option<(bool, [u32; 2])>,
    /// The match ended out of sight: its result is unknown.
    pub end_unknown: bool,
    /// How often the match was interrupted and saved.
    pub interruptions: u32,
    /// Each time that the opponent left or lost the connection.
    pub departures: Vec<Departure>,
    /// The match was not continued after the last of them.
    pub was_left: bool,
    /// Games that are over.
    games: Vec<RecordedGame>,
    /// The game in progress.
    game: Option<Recorder>,
    /// Why the record is incomplete: the first event that is missing, or does not fit the ones
    /// before it.
    pub incomplete: Option<String>,
}

impl MatchRecord {
    /// The games in order, the last one perhaps unfinished.
    #[must_use]
    pub fn games(&self) -> Vec<RecordedGame> {
        let last = self.game.clone().map(Recorder::finish);
        self.games.iter().cloned().chain(last).collect()
    }

    /// Points won in the recorded games that are over, own first.
    #[must_use]
    pub fn score(&self) -> [u32; 2] {
        let mut score = [0; 2];
        for (winner, points) in self.games().iter().filter_map(RecordedGame::won) {
            score[winner.index()] += points;
        }
        score
    }

    /// Whether the match is not over.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.result.is_none() && !self.end_unknown
    }

    /// The record of these events.
    #[must_use]
    pub fn from_events(events: &[LogEvent]) -> MatchRecord {
        let mut record = MatchRecord::default();
        events.iter().for_each(|event| record.apply(event));
        record
    }

    /// Applies the next event. What does not fit the match so far makes the record incomplete.
    pub fn apply(&mut self, event: &LogEvent) {
        let ends_out_of_sight = matches!(event, LogEvent::EndUnknown { .. } | LogEvent::Gap { .. });
        self.was_left &= ends_out_of_sight;
        match event {
            LogEvent::MatchStart {
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
            LogEvent::Saved { by_opponent, .. } => {
                self.interruptions += 1;
                if *by_opponent == Some(true) {
                    self.departures.push(self.departure());
                    self.was_left = true;
                }
            }
            LogEvent::GameStart { length, score, crawford, .. } => {
                self.length = *length;
                self.end_game();
                match scoring(*length, *score, *crawford) {
                    Ok(scoring) => self.game = Some(Recorder::new(self.header(scoring))),
                    Err(reason) => self.mark_incomplete(reason),
                }
            }
            LogEvent::Turn { player, dice, after, .. } => {
                self.in_game("a turn", |game| game.turn(*player, *dice, after));
            }
            LogEvent::Double { player, .. } => {
                self.in_game("a double", |game| game.double(*player));
            }
            LogEvent::Take { player, .. } => self.in_game("a take", |game| game.take(*player)),
            &LogEvent::GameOver { winner, points, end, .. } => {
                let loser = winner.other();
                match end {
                    GameEnd::Played => {}
                    GameEnd::Dropped => self.in_game("a drop", |game| game.drop(loser)),
                    GameEnd::Resigned => self.resign(loser, points),
                }
                self.end_game();
            }
            LogEvent::Rating { line, .. } => self.ratings.push(line.clone()),
            LogEvent::History { lines, .. } => self.replace_moves(lines),
            LogEvent::Gap { .. } => self.mark_incomplete("turns that the server does not list"),
            LogEvent::MatchOver { won, score, .. } => {
                self.end_game();
                self.result = Some((*won, *score));
            }
            LogEvent::EndUnknown { .. } => self.end_unknown = true,
            LogEvent::Resume { .. } => {}
        }
        self.last = event.time().max(self.last);
    }

    /// The opponent leaves now.
    fn departure(&self) -> Departure {
        let score = self.score();
        let [own, other] = score;
        let last = self.game.clone().and_then(|game| game.finish().turns().last().copied());
        let behind_in_pips = last.is_some_and(|turn| {
            // Seen by the player who has not rolled last.
            let own_on_roll = turn.player != Seat::X;
            let after = if own_on_roll { turn.after } else { turn.after.flipped() };
            after.opponent_pips() > after.pips()
        });
        Departure { score, behind: other < own || (other == own && behind_in_pips) }
    }

    /// Whether the opponent left the match while behind, and it was not finished.
    #[must_use]
    pub fn was_left_behind(&self) -> bool {
        let behind = self.departures.last().is_some_and(|departure| departure.behind);
        self.result.is_none() && self.was_left && behind
    }

    /// The game ends by a resignation for `points` points, cube included.
    fn resign(&mut self, loser: Seat, points: u32) {
        let Some(cube) = self.game.as_ref().map(Recorder::cube) else {
            return self.mark_incomplete("a resignation outside of a game");
        };
        let stake = [Stake::Single, Stake::Gammon, Stake::Backgammon]
            .into_iter()
            .zip(1..)
            .find(|(_, multiple)| multiple * cube == points);
        match stake {
            Some((stake, _)) => self.in_game("a resignation", |game| game.resign(loser, stake)),
            None => self.mark_incomplete(format!("a resignation for {points} on a {cube}-cube")),
        }
    }

    fn header(&self, scoring: Scoring) -> GameHeader {
        GameHeader { names: [self.own.clone(), self.opponent.clone()], scoring }
    }

    /// Applies an event that belongs into a game.
    fn in_game(
        &mut self,
        event: &str,
        apply: impl FnOnce(&mut Recorder) -> Result<(), RecordErrorKind>,
    ) {
        match self.game.as_mut().map(apply) {
            Some(Ok(())) => {}
            Some(Err(reason)) => self.mark_incomplete(reason),
            None => self.mark_incomplete(format!("{event} outside of a game")),
        }
    }

    /// Keeps the first reason.
    fn mark_incomplete(&mut self, reason: impl std::fmt::Display) {
        self.incomplete.get_or_insert_with(|| reason.to_string());
    }

    fn end_game(&mut self) {
        self.games.extend(self.game.take().map(Recorder::finish));
    }

    /// Whether the server's list of moves tells anything that is not recorded.
    pub(crate) fn learns_from(&self, lines: &[String]) -> bool {
        let mut told = self.clone();
        told.replace_moves(lines);
        let (ours, theirs) = (self.games(), told.games());
        let same_moves = ours.len() == theirs.len()
            && ours
                .iter()
                .zip(&theirs)
                .all(|(our, their)| (our.events(), our.end()) == (their.events(), their.end()));
        !same_moves || self.incomplete != told.incomplete || self.result != told.result
    }

    /// Replaces the recorded moves by the server's list of moves, from the first game in it on.
    fn replace_moves(&mut self, lines: &[String]) {
        let text = lines.join("\n");
        let records = Records::new(text.as_bytes(), "oldmoves");
        let read = records.and_then(|records| records.collect::<Result<Vec<RecordedGame>, _>>());
        let read = match read {
            Ok(read) => read,
            Err(error) => return self.mark_incomplete(error),
        };
        let swap = read.first().is_some_and(|game| game.header().names[0] != self.own);
        let points_before = |game: &RecordedGame| match game.header().scoring {
            Scoring::Match(score) => score.own() + score.opponent(),
            Scoring::Money { .. } => 0,
        };
        let Some(first) = read.first().map(points_before) else { return };
        self.game = None;
        self.games.retain(|game| points_before(game) < first);
        self.incomplete = None;
        if first > 0 && self.games.is_empty() {
            self.mark_incomplete("the first games are not in the server's list");
        }
        for game in &read {
            self.end_game();
            let mut header = game.header().clone();
            if swap {
                header.scoring = header.scoring.flipped();
            }
            header.names = [self.own.clone(), self.opponent.clone()];
            match replayed(game, header, swap) {
                Some(recorder) => self.game = Some(recorder),
                None => self.mark_incomplete("the server's list of moves is not legal"),
            }
        }
        if read.last().is_some_and(|game| game.end() != RecordEnd::Unfinished) {
            self.end_game();
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

/// Replays a game, with the seats exchanged if `swap`, so that it can be continued; `None` if it is
/// not legal.
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

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::Position;

    /// A match of 5 points at this score, with one turn of the opponent in which they roll the dice
    /// and play.
    fn record(score: [u32; 2], play: &str, dice: &str) -> MatchRecord {
        let dice = dice.parse().expect("a roll");
        let after = Position::START.read_play(play, dice).expect("legal").after;
        let over = |winner, points| {
            [
                LogEvent::GameStart { time: 0.0, length: Some(5), score: [0, 0], crawford: false },
                LogEvent::GameOver { time: 1.0, winner, points, end: GameEnd::Resigned },
            ]
        };
        let [own, other] = score;
        let mut events = Vec::new();
        events.extend((0..own).flat_map(|_| over(Seat::X, 1)));
        events.extend((0..other).flat_map(|_| over(Seat::O, 1)));
        events.push(LogEvent::GameStart { time: 2.0, length: Some(5), score, crawford: false });
        let (player, before, play) = (Seat::O, Position::START, play.to_owned());
        events.push(LogEvent::Turn { time: 3.0, player, dice, before, after, play, equity: None });
        MatchRecord::from_events(&events)
    }

    fn left(by_opponent: Option<bool>) -> LogEvent {
        LogEvent::Saved { time: 4.0, by_opponent }
    }

    #[test]
    fn an_opponent_who_leaves_is_behind_by_points_or_else_by_pips() {
        for (score, behind) in [([1, 0], true), ([0, 1], false), ([1, 1], false)] {
            let mut record = record(score, "8/5 6/5", "31");
            record.apply(&left(Some(true)));
            assert_eq!(record.departures, [Departure { score, behind }]);
            assert_eq!(record.was_left_behind(), behind, "{score:?}");
        }
        // We have gained more pips than they have.
        let mut record = record([1, 1], "8/5 6/5", "31");
        let before = Position::START.read_play("8/5 6/5", "31".parse().expect("a roll"));
        let before = before.expect("legal").after;
        let dice = "66".parse().expect("a roll");
        let after = before.read_play("24/18(2) 13/7(2)", dice).expect("legal").after;
        let play = String::new();
        record.apply(&LogEvent::Turn {
            time: 3.5,
            player: Seat::X,
            dice,
            before,
            after,
            play,
            equity: None,
        });
        record.apply(&left(Some(true)));
        assert!(record.was_left_behind());
    }

    #[test]
    fn a_match_that_goes_on_or_that_we_left_was_not_left_behind() {
        for event in [
            LogEvent::Resume { time: 5.0 },
            LogEvent::MatchOver { time: 5.0, won: true, score: [5, 0] },
        ] {
            let mut record = record([1, 0], "8/5 6/5", "31");
            record.apply(&left(Some(true)));
            assert!(record.was_left_behind());
            record.apply(&event);
            assert!(!record.was_left_behind(), "{event:?}");
        }
        for by_opponent in [Some(false), None] {
            let mut record = record([1, 0], "8/5 6/5", "31");
            record.apply(&left(by_opponent));
            assert!(!record.was_left_behind() && record.departures.is_empty());
        }
        let mut record = record([1, 0], "8/5 6/5", "31");
        record.apply(&left(Some(true)));
        record.apply(&LogEvent::EndUnknown { time: 9.0 });
        assert!(record.was_left_behind(), "the server has dropped it, but it was not finished");
    }
}
