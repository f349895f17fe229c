//! Records the games of a player who is watched, from the boards and sentences that the server
//! sends to watchers.

use fibs::message::Message;

use crate::to_engine::seat;
use nonet_engine::backgammon::record::{GameHeader, RecordEnd, RecordedGame, Recorder};
use nonet_engine::backgammon::{Dice, FibsBoard, Position, Side, Stake};

/// Follows the boards of a player who is watched, and records every turn that follows from the
/// position before it.
///
/// ```
/// use fibs::message::Parser;
/// use nonet_bot::Watcher;
///
/// let mut watcher = Watcher::new("ann");
/// for message in Parser::messages("ann has left the game.") {
///     watcher.handle(&message);
/// }
/// assert!(watcher.take_games().is_empty());
/// ```
#[derive(Default)]
pub struct Watcher {
    /// The player who is watched.
    name: String,
    game: Option<Recorder>,
    last: Option<WatchedState>,
    /// An offer to resign that is not answered: whether the watched player made it, and the points,
    /// cube included.
    resignation: Option<(bool, u32)>,
    finished: Vec<RecordedGame>,
}

/// The position before the next play.
struct WatchedState {
    /// Seen by the player on roll.
    position: Position,
    /// Whether the watched player is on roll.
    own: bool,
    dice: Option<Dice>,
}

impl Watcher {
    /// Watches the player `name`.
    #[must_use]
    pub fn new(name: &str) -> Watcher {
        Watcher { name: name.to_owned(), ..Watcher::default() }
    }

    /// Games that have ended since the last call. One that could not be followed to its end,
    /// because the server did not send a turn or the connection broke, is unfinished
    /// ([`RecordEnd::Unfinished`]).
    ///
    /// [`RecordEnd::Unfinished`]: nonet_engine::backgammon::record::RecordEnd::Unfinished
    pub fn take_games(&mut self) -> Vec<RecordedGame> {
        std::mem::take(&mut self.finished)
    }

    /// Ends the record of the game in progress.
    pub fn stop(&mut self) {
        (self.last, self.resignation) = (None, None);
        if let Some(game) = self.game.take() {
            let game = game.finish();
            if !game.events().is_empty() || game.end() != RecordEnd::Unfinished {
                self.finished.push(game);
            }
        }
    }

    /// Processes a message of the server.
    pub fn handle(&mut self, message: &Message) {
        match message {
            Message::Board(board) if board.player == self.name => self.board(board),
            Message::Rolls { name, dice } => {
                let own = *name == self.name;
                if let Some(last) = self.last.as_mut().filter(|last| last.own == own) {
                    last.dice = last.dice.or(Some(*dice));
                }
            }
            Message::Moves { name, steps } => self.last_play(*name == self.name, steps),
            Message::CannotMove { name } => {
                let own = *name == self.name;
                if let Some(last) = self.last.as_ref().filter(|last| last.own == own) {
                    let after = last.position.flipped();
                    self.played(after);
                }
            }
            Message::Doubles { name } | Message::WatchedDouble { name } => {
                let own = *name == self.name;
                self.cube_action(|game| game.double(seat(own)).is_ok());
            }
            Message::Takes { name } => {
                let own = *name == self.name;
                self.cube_action(|game| is_doubled(game, own) && game.take(seat(own)).is_ok());
            }
            Message::Drops { name, .. } | Message::WatchedDrop { name, .. } => {
                let own = *name == self.name;
                self.cube_action(|game| is_doubled(game, own) && game.drop(seat(own)).is_ok());
                self.stop();
            }
            Message::Resigns { name, points }
            | Message::WatchedResignation { name, points, .. } => {
                self.resignation = Some((*name == self.name, *points));
            }
            Message::Rejects { .. } => self.resignation = None,
            Message::Accepts { name, points } => {
                self.resigned(*name != self.name, *points);
                self.stop();
            }
            Message::WinsGame { name, .. } => {
                self.won(*name == self.name);
                self.stop();
            }
            Message::WinsMatch { .. } => self.stop(),
            _ => {}
        }
    }

    /// Records a cube action; one that is illegal means that something was missed, and ends the
    /// record.
    fn cube_action(&mut self, record: impl FnOnce(&mut Recorder) -> bool) {
        if let Some(game) = &mut self.game
            && !record(game)
        {
            self.stop();
        }
    }

    /// Records an accepted resignation. Points that are no multiple of the cube leave the game
    /// without an end.
    fn resigned(&mut self, own: bool, points: u32) {
        let Some(game) = &mut self.game else { return };
        let stake = Stake::ALL.into_iter().find(|stake| stake.points() * game.cube() == points);
        if let Some(stake) = stake {
            // A game that is over, or has an unanswered last double, keeps the end that it has.
            let _ = game.resign(seat(own), stake);
        }
    }

    /// The game is over, and `own` says who has won it.
    ///
    /// Either an offer to resign was accepted without a word, or the last play was not sent. Some
    /// servers do not send that play because this sentence follows.
    fn won(&mut self, own: bool) {
        if self.game.as_ref().is_none_or(Recorder::is_over) {
            return;
        }
        match self.resignation {
            Some((loser, points)) if loser != own => self.resigned(loser, points),
            _ => self.bears_off_all(own),
        }
    }

    /// Records a play that bears off the last checkers: no board follows it. Other plays are
    /// recorded from their boards.
    fn last_play(&mut self, own: bool, steps: &str) {
        let Some(last) = self.last.as_ref().filter(|last| last.own == own) else { return };
        let left = last.position.own_left();
        let off = steps
            .split_whitespace()
            .filter(|step| step.ends_with("off") || step.ends_with("-o"))
            .count();
        if off == usize::from(left) {
            self.bears_off_all(own);
        }
    }

    /// Records the play that bears off all checkers, if the roll allows it.
    fn bears_off_all(&mut self, own: bool) {
        let Some(last) = self.last.as_ref().filter(|last| last.own == own) else { return };
        let Some(dice) = last.dice else { return };
        let all_off = nonet_engine::backgammon::candidates(&last.position, dice)
            .into_iter()
            .find(|candidate| candidate.after.opponent_left() == 0);
        if let Some(candidate) = all_off {
            self.played(candidate.after);
        }
    }

    /// Records the play that leads to `after`, seen by the player on roll then.
    fn played(&mut self, after: Position) {
        let Some(last) = self.last.take() else { return };
        let recorded = match (&mut self.game, last.dice) {
            (Some(game), Some(dice)) => game.turn(seat(last.own), dice, &after).is_ok(),
            _ => false,
        };
        if recorded {
            self.last = Some(WatchedState { position: after, own: !last.own, dice: None });
        } else {
            self.stop();
        }
    }

    /// Records a double of the player on roll that was taken, if the board shows one that the
    /// server did not tell. A cube that cannot be explained ends the record.
    fn missed_double(&mut self, board: &FibsBoard, own: bool) {
        let Some(game) = &mut self.game else { return };
        if game.is_offered() && board.rolled().is_some() {
            let _ = game.take(seat(!own)); // The doubler has rolled.
        }
        if game.is_offered() || board.cube == game.cube() {
            return;
        }
        let owner_is_own = board.may_double && !board.opponent_may_double;
        let doubled = board.cube == 2 * game.cube() && owner_is_own != own;
        if !doubled || game.double(seat(own)).and_then(|()| game.take(seat(!own))).is_err() {
            self.stop();
        }
    }

    fn board(&mut self, board: &FibsBoard) {
        let own = match board.on_roll() {
            None => return,
            Some(side) => side == Side::Own,
        };
        if board.shows_double() {
            return;
        }
        let now = if own { board.position } else { board.position.flipped() };
        let rolled = board.rolled();
        if now == Position::START && self.last.as_ref().is_none_or(|last| last.position != now) {
            self.stop();
            let names = [board.player.clone(), board.opponent.clone()];
            // With an impossible score there is no record.
            self.game =
                board.scoring().ok().map(|scoring| Recorder::new(GameHeader { names, scoring }));
        }
        if let Some(last) = &self.last
            && (last.position != now || last.own != own)
        {
            self.played(now);
        }
        self.missed_double(board, own);
        let known = self.last.as_ref().and_then(|last| last.dice);
        self.last = Some(WatchedState { position: now, own, dice: rolled.or(known) });
    }
}

/// Whether a double waits for the answer of a player. An answer tells of a double that was not
/// told.
fn is_doubled(game: &mut Recorder, own: bool) -> bool {
    game.is_offered() || game.double(seat(!own)).is_ok()
}

#[cfg(test)]
mod tests {
    use fibs::message::Parser;

    use super::*;
    use nonet_engine::backgammon::record::RecordEvent;
    use nonet_engine::backgammon::{Scoring, Seat, candidates};
    use nonet_engine::game::{GameRunner, Random, StreamPurpose, play_recorded, stream};

    /// A board of the first game of a 5-point match, as a watcher of `ann` sees it; `position` is
    /// seen by the player on roll, and the owner of the cube is who may double.
    fn board(position: &Position, own: bool, dice: [u8; 2], cube: u32, may: [bool; 2]) -> String {
        let position = if own { *position } else { position.flipped() };
        let [own_dice, opponent_dice] = if own { [dice, [0, 0]] } else { [[0, 0], dice] };
        let board = FibsBoard {
            player: "ann".into(),
            opponent: "bob".into(),
            length: Some(5),
            score: [0, 0],
            position,
            turn: Some(if own { Seat::O } else { Seat::X }),
            dice: own_dice,
            opponent_dice,
            cube,
            may_double: may[0],
            opponent_may_double: may[1],
            was_doubled: false,
            colour: Seat::O,
            ascending: false,
            can_move: 2,
            no_crawford: 0,
            post_crawford: 0,
            redoubles: 0,
        };
        board.to_string()
    }

    /// The only recorded game of a watcher of `ann` who is sent these lines.
    fn recorded(lines: &[String]) -> RecordedGame {
        let mut watcher = Watcher::new("ann");
        for line in lines {
            Parser::messages(line).iter().for_each(|message| watcher.handle(message));
        }
        let mut games = watcher.take_games();
        assert_eq!(games.len(), 1, "{lines:#?}");
        games.remove(0)
    }

    /// The position after a legal play of a roll, seen by the other player.
    fn played(position: &Position, [a, b]: [u8; 2]) -> Position {
        candidates(position, Dice::new(a, b).expect("dice"))[0].after
    }

    const CENTRED: [bool; 2] = [true, true];

    /// The opening roll of `ann` and its play; the position before the first roll of `bob`.
    fn opening() -> (Vec<String>, Position) {
        let after = played(&Position::START, [3, 1]);
        let lines = vec![
            "ann rolls 3, bob rolls 1.".to_owned(),
            "ann makes the first move.".to_owned(),
            board(&Position::START, true, [3, 1], 1, CENTRED),
            "ann moves 8-5 6-5 .".to_owned(),
            board(&after, false, [0, 0], 1, CENTRED),
        ];
        (lines, after)
    }

    /// The opening, a double that `ann` accepts, and a roll of `bob` on the 2-cube of `ann`.
    fn doubled(sentences: &[&str]) -> Vec<String> {
        let (mut lines, position) = opening();
        lines.extend(sentences.iter().map(|line| (*line).to_owned()));
        let after = played(&position, [5, 3]);
        lines.extend([
            "bob rolls 5 and 3.".to_owned(),
            board(&position, false, [5, 3], 2, [true, false]),
            "bob moves 12-17 17-20 .".to_owned(),
            board(&after, true, [0, 0], 2, [true, false]),
        ]);
        lines
    }

    fn cube_actions(game: &RecordedGame) -> Vec<RecordEvent> {
        let turn = |event: &RecordEvent| matches!(event, RecordEvent::Turn(_));
        game.events().iter().copied().filter(|event| !turn(event)).collect()
    }

    const DOUBLE: RecordEvent = RecordEvent::Double { player: Seat::O, value: 2 };
    const TAKE: RecordEvent = RecordEvent::Take { player: Seat::X };

    #[test]
    fn a_double_and_an_accepted_resignation_give_the_cube_and_the_result() {
        let mut lines = doubled(&["bob doubles.", "ann accepts the double."]);
        lines.extend(
            [
                "bob wants to resign. ann will win 4 points.",
                "ann rejects. The game continues.",
                "bob wants to resign. ann will win 2 points.",
                "ann accepts and wins 2 points.",
                "score in 5 point match: ann-2 bob-0",
            ]
            .map(str::to_owned),
        );
        let game = recorded(&lines);
        assert_eq!(cube_actions(&game), [DOUBLE, TAKE]);
        assert_eq!(game.turns().count(), 2);
        assert_eq!(game.end(), RecordEnd::Resigned { winner: Seat::X, stake: Stake::Single });
        assert_eq!(game.won(), Some((Seat::X, 2)));
    }

    #[test]
    fn a_refused_double_ends_the_game_even_if_the_result_is_told_twice() {
        let (mut lines, _) = opening();
        lines.push("bob doubles.".to_owned());
        lines.push("ann gives up. bob wins 1 point.".to_owned());
        lines.push("bob wins the game and gets 1 point.".to_owned());
        let game = recorded(&lines);
        assert_eq!(cube_actions(&game), [DOUBLE, RecordEvent::Drop { player: Seat::X }]);
        assert_eq!(game.won(), Some((Seat::O, 1)));
    }

    #[test]
    fn a_resignation_is_accepted_when_the_other_player_wins_the_game_next() {
        let (mut lines, _) = opening();
        lines.push("bob wants to resign. ann will win 2 points.".to_owned());
        lines.push("ann win the game and get 2 points.".to_owned());
        let end = RecordEnd::Resigned { winner: Seat::X, stake: Stake::Gammon };
        assert_eq!(recorded(&lines).end(), end);
    }

    #[test]
    fn a_double_that_was_not_told_is_read_from_the_next_board() {
        for told in [&[][..], &["bob doubles."], &["ann accepts the double."]] {
            let mut lines = doubled(told);
            lines.push("bob wants to resign. ann will win 2 points.".to_owned());
            lines.push("ann accepts and wins 2 points.".to_owned());
            let game = recorded(&lines);
            assert_eq!(cube_actions(&game), [DOUBLE, TAKE], "{told:?}");
            assert_eq!(game.won(), Some((Seat::X, 2)));
        }
    }

    #[test]
    fn a_crawford_game_in_which_neither_player_may_double_is_recorded() {
        let after = played(&Position::START, [3, 1]);
        let last = played(&after, [5, 3]);
        let mut lines = vec![
            board(&Position::START, true, [3, 1], 1, [false; 2]),
            board(&after, false, [5, 3], 1, [false; 2]),
            board(&last, true, [0, 0], 1, [false; 2]),
        ];
        for line in &mut lines {
            *line = line.replacen(":bob:5:0:0:", ":bob:5:4:0:", 1);
        }
        lines.push("bob wants to resign. ann will win 2 points.".to_owned());
        lines.push("ann accepts and wins 2 points.".to_owned());
        let game = recorded(&lines);
        assert_eq!((game.turns().count(), game.won()), (2, Some((Seat::X, 2))));
    }

    #[test]
    fn a_last_play_is_recorded_where_only_its_result_is_told() {
        let mut watcher = Watcher::new("ann");
        let scoring = Scoring::of_match(5, 0, 0, false).expect("a score");
        let header = GameHeader { names: ["ann", "bob"].map(str::to_owned), scoring };
        let [mut dice, mut choices] =
            [StreamPurpose::Record, StreamPurpose::Choice].map(|purpose| stream(3, purpose, 0));
        let seats = [&Random as _, &Random as _];
        let game =
            play_recorded(&mut GameRunner::default(), header, seats, &mut dice, &mut choices)
                .expect("ends");
        for turn in game.turns() {
            let dice = [turn.dice.high(), turn.dice.low()];
            let line = board(&turn.before, turn.player == Seat::X, dice, 1, CENTRED);
            Parser::messages(&line).iter().for_each(|message| watcher.handle(message));
        }
        let (winner, points) = game.won().expect("over");
        let name = ["ann", "bob"][winner.index()];
        let line = format!("{name} wins the game and gets {points} points. Sorry.");
        Parser::messages(&line).iter().for_each(|message| watcher.handle(message));
        // A server's game has a cube, even if no player turned it.
        let [watched] = &watcher.take_games()[..] else { panic!("one game") };
        assert_eq!((watched.events(), watched.end()), (game.events(), game.end()));
    }

    #[test]
    fn a_game_that_cannot_be_followed_to_its_end_is_unfinished() {
        let mut lines = doubled(&["bob doubles.", "ann accepts the double."]);
        lines.push("bob accepts and wins 3 points.".to_owned());
        assert_eq!(recorded(&lines).end(), RecordEnd::Unfinished, "3 points on a 2-cube");
        let (mut lines, after) = opening();
        lines.push(board(&after, false, [0, 0], 4, [true, false]));
        assert_eq!(recorded(&lines).end(), RecordEnd::Unfinished, "a cube that was turned twice");
        let (mut lines, _) = opening();
        lines.push(board(&played(&Position::START, [6, 6]), true, [0, 0], 1, CENTRED));
        assert_eq!(recorded(&lines).end(), RecordEnd::Unfinished);
    }
}
