//! A source of recorded games.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{GameBatch, GameSource, SourceError};
use nonet_engine::backgammon::record::{RecordEnd, RecordError, RecordedGame};
use nonet_engine::eval::Specialists;
use nonet_engine::game::Game;

/// Records from their first game on: games, and errors for the parts that cannot be used.
pub type GameStream = Box<dyn Iterator<Item = Result<RecordedGame, RecordError>> + Send>;

/// Opens the records at their start; `None` if they cannot be read a second time.
pub type OpenRecords = Box<dyn FnMut() -> Option<GameStream> + Send>;

/// How games are learned that ended before the last checker was off.
///
/// They ended by a resignation or by a refused double. A learner without a cube cannot infer a
/// result from a refused double.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Unfinished {
    /// A resignation counts as the agreed result; a refused double is evaluated.
    ///
    /// After a refused double, the evaluation of the last position by the learner (or teacher)
    /// replaces the result.
    #[default]
    Agreed,
    /// The evaluation of the last position replaces the result.
    Bootstrap,
    /// These games are skipped.
    LeaveOut,
}

impl Unfinished {
    /// The game to learn from; `None` if it is left out. Games without a roll are always left out.
    #[must_use]
    pub fn to_training_game(self, game: RecordedGame) -> Option<Game> {
        match (self, game.end()) {
            (_, RecordEnd::Natural { .. }) | (Unfinished::Agreed, RecordEnd::Resigned { .. }) => {
                Game::from_record(&game)
            }
            (Unfinished::LeaveOut, _) => None,
            (Unfinished::Agreed | Unfinished::Bootstrap, _) => Game::from_open_record(&game),
        }
    }
}

/// Counts of unusable and unfinished games of records. Only the first pass through the records is
/// counted, except in `passes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordStats {
    /// Games, files and stray text that cannot be used.
    pub unusable: u64,
    /// Games that were left out by [`Unfinished`].
    pub left_out: u64,
    /// Games in which the evaluation of the last position replaces the result.
    pub open: u64,
    /// How often the records were read to their end.
    pub passes: u64,
}

impl RecordStats {
    /// Each count above 0 with its description.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let RecordStats { unusable, left_out, open, passes } = *self;
        [
            ("unusable parts of the records", unusable),
            ("recorded games left out", left_out),
            ("recorded games without a result, replaced by the value of the last position", open),
            ("times the records were read to their end", passes),
        ]
        .into_iter()
        .filter(|(_, count)| *count > 0)
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &RecordStats) {
        self.unusable += other.unusable;
        self.left_out += other.left_out;
        self.open += other.open;
        self.passes += other.passes;
    }
}

/// Most reasons that a batch holds; further ones are only counted.
const MOST_REASONS: usize = 1000;

/// A [`GameSource`] that reads recorded games, again from the first one after the last.
///
/// Game `i` is the `i`-th usable game of the records, counted through all passes. To seek any other
/// game than the next one, the source reads the records from their start, at most once to their
/// end.
pub struct RecordedGames {
    opener: OpenRecords,
    unfinished: Unfinished,
    reading: Option<GameStream>,
    /// The number of the next game, through all passes.
    next: u64,
    /// Usable games read since the records were opened.
    met: u64,
    /// Usable games in all the records, once they have been read to their end.
    in_all: Option<u64>,
}

/// One step through the records.
enum Found {
    Game(Game),
    LeftOut,
    Unusable(RecordError),
    RecordEnd,
}

impl RecordedGames {
    /// Reads the records that `opener` opens.
    #[must_use]
    pub fn new(opener: OpenRecords, unfinished: Unfinished) -> RecordedGames {
        RecordedGames { opener, unfinished, reading: None, next: 0, met: 0, in_all: None }
    }

    /// Reads the next item; at their end the records are closed.
    fn step(&mut self) -> Result<Found, SourceError> {
        let reading = match &mut self.reading {
            Some(reading) => reading,
            closed => closed.insert((self.opener)().ok_or(SourceError::Exhausted)?),
        };
        Ok(match reading.next() {
            Some(Err(error)) => Found::Unusable(error),
            Some(Ok(game)) => match self.unfinished.to_training_game(game) {
                Some(game) => {
                    self.next += 1;
                    self.met += 1;
                    Found::Game(game)
                }
                None => Found::LeftOut,
            },
            // Reading them again would never find a game.
            None if self.met == 0 => return Err(SourceError::NoGames),
            None => {
                self.in_all = Some(self.met);
                self.met = 0;
                self.reading = None;
                Found::RecordEnd
            }
        })
    }

    /// Seeks a game without reporting what is skipped: the records are then just behind the game
    /// before it.
    fn go_to(&mut self, number: u64) -> Result<(), SourceError> {
        if number < self.next {
            (self.reading, self.next, self.met) = (None, 0, 0);
        }
        while self.next < number {
            if let (Some(in_all), None) = (self.in_all, &self.reading) {
                // Complete passes are skipped without reading. The last game of a pass comes before
                // its end.
                self.next += (number - self.next - 1) / in_all * in_all;
            }
            match self.step() {
                Ok(_) => {}
                Err(SourceError::Exhausted) => {
                    return Err(SourceError::TooFew { expected: number, found: self.next });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl GameSource for RecordedGames {
    fn games(&mut self, numbers: Range<u64>, _: &Specialists) -> Result<GameBatch, SourceError> {
        self.go_to(numbers.start)?;
        let mut batch = GameBatch::default();
        while self.next < numbers.end {
            // Only the first pass is counted: the others read the same.
            let first = self.next == self.met;
            match self.step() {
                Ok(Found::Game(game)) => {
                    batch.record_stats.open += u64::from(first && game.outcome.is_none());
                    batch.games.push(game);
                }
                Ok(Found::LeftOut) => batch.record_stats.left_out += u64::from(first),
                Ok(Found::Unusable(error)) if first => {
                    batch.record_stats.unusable += 1;
                    if batch.reasons.len() < MOST_REASONS {
                        batch.reasons.push(error);
                    }
                }
                Ok(Found::Unusable(_)) => {}
                Ok(Found::RecordEnd) => batch.record_stats.passes += 1,
                Err(SourceError::Exhausted) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::record::{GameHeader, Location, RecordErrorKind, Recorder};
    use nonet_engine::backgammon::{Scoring, Stake};
    use nonet_engine::eval::Architecture;
    use nonet_engine::game::play_recorded;
    use nonet_engine::game::{GameRunner, Random, StreamPurpose, stream};

    fn header() -> GameHeader {
        let scoring = Scoring::Money { jacoby: false, beavers: false };
        GameHeader { names: ["ann".into(), "bob".into()], scoring }
    }

    fn played(number: u64) -> RecordedGame {
        let (mut dice, mut choices) =
            (stream(9, StreamPurpose::Record, number), stream(9, StreamPurpose::Choice, number));
        let seats = [&Random as _, &Random as _];
        play_recorded(&mut GameRunner::default(), header(), seats, &mut dice, &mut choices)
            .expect("ends")
    }

    /// The first `turns` of a game, then `end`.
    fn broken_off(number: u64, turns: usize, end: impl Fn(&mut Recorder)) -> RecordedGame {
        let mut game = Recorder::new(header());
        for turn in played(number).turns().take(turns) {
            game.turn(turn.player, turn.dice, &turn.after).expect("legal");
        }
        end(&mut game);
        game.finish()
    }

    fn dropped(number: u64) -> RecordedGame {
        broken_off(number, 9, |game| {
            let who = game.to_act().expect("somebody");
            game.double(who).expect("may");
            game.drop(who.other()).expect("asked");
        })
    }

    fn resigned(number: u64) -> RecordedGame {
        broken_off(number, 6, |game| {
            game.resign(game.to_act().expect("somebody"), Stake::Gammon).expect("may");
        })
    }

    fn trouble() -> RecordError {
        RecordError { file: "f".into(), place: Location::Line(7), reason: RecordErrorKind::CutOff }
    }

    /// Five games, one of them open, and two pieces of trouble, one behind the last game.
    fn records() -> GameStream {
        let games = [Ok(played(0)), Err(trouble()), Ok(played(1)), Ok(dropped(2)), Ok(resigned(3))];
        Box::new(games.into_iter().chain([Ok(played(4)), Err(trouble())]))
    }

    fn source(way: Unfinished) -> RecordedGames {
        RecordedGames::new(Box::new(|| Some(records())), way)
    }

    fn team() -> Specialists {
        Specialists::random(&Architecture::ALL[0], &mut stream(1, StreamPurpose::Weights, 0))
    }

    fn batches(source: &mut RecordedGames, marks: &[u64]) -> (Vec<Game>, RecordStats, usize) {
        let (mut games, mut record_stats, mut reasons) = (Vec::new(), RecordStats::default(), 0);
        for pair in marks.windows(2) {
            let batch = source.games(pair[0]..pair[1], &team()).expect("games");
            games.extend(batch.games);
            record_stats.add(&batch.record_stats);
            reasons += batch.reasons.len();
        }
        (games, record_stats, reasons)
    }

    #[test]
    fn games_repeat_in_each_pass_and_errors_are_reported_once() {
        let (games, record_stats, reasons) = batches(&mut source(Unfinished::Agreed), &[0, 17]);
        assert_eq!(games.len(), 17);
        for (i, game) in games.iter().enumerate() {
            assert_eq!(game, &games[i % 5]);
        }
        assert_eq!(record_stats, RecordStats { unusable: 2, left_out: 0, open: 1, passes: 3 });
        assert_eq!(reasons, 2);
    }

    #[test]
    fn a_run_resumed_after_any_game_reads_the_same_games() {
        let whole = batches(&mut source(Unfinished::LeaveOut), &[0, 23]);
        for stop in 0..23 {
            let before = batches(&mut source(Unfinished::LeaveOut), &[0, stop]);
            let after = batches(&mut source(Unfinished::LeaveOut), &[stop, 23]);
            assert_eq!([before.0, after.0].concat(), whole.0, "{stop}");
            let mut record_stats = before.1;
            record_stats.add(&after.1);
            assert_eq!((record_stats, before.2 + after.2), (whole.1, whole.2), "{stop}");
        }
    }

    #[test]
    fn a_game_depends_on_its_number_and_not_on_earlier_calls() {
        let mut source = source(Unfinished::Agreed);
        let all = batches(&mut source, &[0, 5]).0;
        for number in [3, 1, 4, 1, 5, 9, 2, 6, 104] {
            let game = batches(&mut source, &[number, number + 1]).0;
            assert_eq!(game, [all[number as usize % 5].clone()], "{number}");
        }
    }

    #[test]
    fn each_rule_for_games_that_ended_early() {
        for (way, of_drop, of_resignation) in [
            (Unfinished::Agreed, Some(false), Some(true)),
            (Unfinished::Bootstrap, Some(false), Some(false)),
            (Unfinished::LeaveOut, None, None),
        ] {
            let has_outcome = |game| way.to_training_game(game).map(|game| game.outcome.is_some());
            assert_eq!(has_outcome(dropped(2)), of_drop, "{way:?}");
            assert_eq!(has_outcome(resigned(2)), of_resignation, "{way:?}");
            assert_eq!(has_outcome(played(2)), Some(true), "{way:?}");
            assert_eq!(
                way.to_training_game(Recorder::new(header()).finish()),
                None,
                "nobody rolled"
            );
        }
        // Nine rolls and the position in which the cube was turned; a resignation adds no position.
        let open = Unfinished::Agreed.to_training_game(dropped(2)).expect("used");
        assert_eq!(open.positions.len(), 10);
        assert_eq!(
            Unfinished::Agreed.to_training_game(resigned(2)).expect("used").positions.len(),
            6
        );
    }

    #[test]
    fn records_without_a_usable_game_are_an_error_and_not_an_endless_search() {
        let nothing = || -> Option<GameStream> { Some(Box::new([Err(trouble())].into_iter())) };
        let mut source = RecordedGames::new(Box::new(nothing), Unfinished::Agreed);
        assert!(matches!(source.games(0..1, &team()), Err(SourceError::NoGames)));
    }

    #[test]
    fn records_that_can_be_read_only_once_end_with_a_short_batch() {
        let mut input = Some(records());
        let mut source = RecordedGames::new(Box::new(move || input.take()), Unfinished::Agreed);
        assert_eq!(batches(&mut source, &[0, 4]).0.len(), 4);
        let last = source.games(4..8, &team()).expect("one more");
        assert_eq!(
            (last.games.len(), last.record_stats.unusable, last.record_stats.passes),
            (1, 1, 1)
        );
        assert_eq!(source.games(5..8, &team()).expect("none").games.len(), 0);
        let mut input = Some(records());
        let mut source = RecordedGames::new(Box::new(move || input.take()), Unfinished::Agreed);
        let error = source.games(6..7, &team()).expect_err("refused").to_string();
        assert!(error.contains("learned from 6 games, but the records hold only 5"), "{error}");
    }
}
