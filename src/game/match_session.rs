//! [`MatchSession`]: a match or money games in progress, with dice, cube, score and record.
//!
//! A clone of a session is a point to return to. It contains the random stream of its dice, so after a return the same
//! rolls follow.

use rand_pcg::Pcg64;

use crate::backgammon::record::{GameHeader, RecordErrorKind, RecordedGame, Recorder};
use crate::backgammon::{Cube, CubeOwner, Dice, Position, ScoreError, Scoring, Seat, Stake};
use crate::game::{StreamPurpose, opening_roll, roll, stream};

/// A match between two players, or a session of money games.
#[derive(Clone, Debug)]
pub struct MatchSession {
    names: [String; 2],
    /// Points of the match, 0 for money.
    length: u16,
    score: [u16; 2],
    crawford_played: bool,
    finished: Vec<RecordedGame>,
    game: Recorder,
    scoring: Scoring,
    /// A roll that has not been played yet.
    rolled: Option<(Seat, Dice)>,
    dice: Pcg64,
}

/// The next action of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextAction {
    /// The player rolls, or doubles if that is allowed.
    Roll(Seat),
    /// The player plays a roll.
    Play(Seat, Dice),
    /// The player answers a double.
    Answer(Seat),
    /// The game is over: [`MatchSession::next_game`] starts the next one.
    NextGame,
    /// The match is over; the player has won it.
    Over(Seat),
}

impl MatchSession {
    /// A match to `length` points, or money games for 0, with the dice of `seed`. The opening roll is rolled.
    ///
    /// # Errors
    /// [`ScoreError`] if `length` is more than the longest match.
    pub fn new(names: [String; 2], length: u16, seed: u64) -> Result<MatchSession, ScoreError> {
        let scoring = scoring(length, [0; 2], false)?;
        let game = Recorder::new(GameHeader { names: names.clone(), scoring });
        let dice = stream(seed, StreamPurpose::Person, 0);
        let (score, finished) = ([0; 2], Vec::new());
        let crawford_played = false;
        let mut match_session = MatchSession {
            names,
            length,
            score,
            crawford_played,
            finished,
            game,
            scoring,
            rolled: None,
            dice,
        };
        match_session.open();
        Ok(match_session)
    }

    /// Rolls the opening roll, which decides who begins.
    fn open(&mut self) {
        self.rolled = Some(opening_roll(&mut self.dice));
    }

    /// The next action and its player.
    #[must_use]
    pub fn next_action(&self) -> NextAction {
        match (self.game.to_act(), self.rolled) {
            _ if self.game.is_over() => match self.winner() {
                Some(player) => NextAction::Over(player),
                None => NextAction::NextGame,
            },
            (Some(player), _) if self.game.is_offered() => NextAction::Answer(player),
            (_, Some((player, dice))) => NextAction::Play(player, dice),
            (player, None) => NextAction::Roll(player.unwrap_or(Seat::X)),
        }
    }

    /// The winner of the match, if it is over.
    fn winner(&self) -> Option<Seat> {
        let score = self.score_with_this_game();
        let won = |player: &Seat| self.length > 0 && score[player.index()] >= self.length;
        Seat::BOTH.into_iter().find(won)
    }

    fn score_with_this_game(&self) -> [u16; 2] {
        let mut score = self.score;
        if let Some((player, points)) = self.game.clone().finish().won() {
            let points = u16::try_from(points).unwrap_or(u16::MAX);
            score[player.index()] = score[player.index()].saturating_add(points);
        }
        score
    }

    /// The points of both players, including the current game if it is over.
    #[must_use]
    pub fn score(&self) -> [u16; 2] {
        self.score_with_this_game()
    }

    /// The board, seen by the player on roll; by the doubler if a double must be answered.
    #[must_use]
    pub const fn position(&self) -> &Position {
        self.game.position()
    }

    /// The scoring of the game, seen by `player`.
    #[must_use]
    pub fn scoring(&self, player: Seat) -> Scoring {
        if player == Seat::X { self.scoring } else { self.scoring.flipped() }
    }

    /// The cube, seen by `player`.
    #[must_use]
    pub fn cube(&self, player: Seat) -> Cube {
        let owner = match self.game.cube_owner() {
            None => CubeOwner::Centred,
            Some(owner) if owner == player => CubeOwner::Own,
            Some(_) => CubeOwner::Opponent,
        };
        // A recorder only doubles the cube, up to its highest value.
        Cube::new(self.game.cube(), owner).unwrap_or(Cube::CENTRED)
    }

    /// Rolls the dice for the player on roll; `None` if a roll is not the next action.
    pub fn roll(&mut self) -> Option<Dice> {
        let NextAction::Roll(player) = self.next_action() else { return None };
        let dice = roll(&mut self.dice);
        self.rolled = Some((player, dice));
        Some(dice)
    }

    /// Plays the roll: `after` is the board after it, the other player on roll.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if no legal play leads to `after`, or if the dice are not rolled.
    pub fn play(&mut self, after: &Position) -> Result<(), RecordErrorKind> {
        let Some((player, dice)) = self.rolled else { return Err(RecordErrorKind::Over) };
        self.game.turn(player, dice, after)?;
        self.rolled = None;
        Ok(())
    }

    /// Doubles for the player on roll, who has not rolled yet.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if the player may not double.
    pub fn double(&mut self) -> Result<(), RecordErrorKind> {
        match self.next_action() {
            NextAction::Roll(player) => self.game.double(player),
            _ => Err(RecordErrorKind::Cube("invalid double: players double before they roll")),
        }
    }

    /// Answers a double.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if no double was offered.
    pub fn answer(&mut self, take: bool) -> Result<(), RecordErrorKind> {
        match self.next_action() {
            NextAction::Answer(player) if take => self.game.take(player),
            NextAction::Answer(player) => self.game.drop(player),
            _ => Err(RecordErrorKind::Cube("unexpected answer: no double was offered")),
        }
    }

    /// `player` resigns the game.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if the game is over, or a double must be answered.
    pub fn resign(&mut self, player: Seat, stake: Stake) -> Result<(), RecordErrorKind> {
        self.game.resign(player, stake)?;
        self.rolled = None;
        Ok(())
    }

    /// Starts the next game if the current one is over and the match is not.
    ///
    /// # Errors
    /// [`ScoreError`] never happens while the match is not over.
    pub fn next_game(&mut self) -> Result<(), ScoreError> {
        if self.next_action() != NextAction::NextGame {
            return Ok(());
        }
        self.score = self.score();
        self.crawford_played |=
            matches!(self.scoring, Scoring::Match(score) if score.is_crawford());
        self.scoring = scoring(self.length, self.score, self.crawford_played)?;
        let header = GameHeader { names: self.names.clone(), scoring: self.scoring };
        self.finished.push(std::mem::replace(&mut self.game, Recorder::new(header)).finish());
        self.open();
        Ok(())
    }

    /// All games so far, including the current one if it has begun.
    #[must_use]
    pub fn games(&self) -> Vec<RecordedGame> {
        let last = self.game.clone().finish();
        let played = !last.events().is_empty();
        self.finished.iter().cloned().chain(played.then_some(last)).collect()
    }
}

/// The scoring of the next game, seen by the first player.
fn scoring(length: u16, score: [u16; 2], crawford_played: bool) -> Result<Scoring, ScoreError> {
    if length == 0 {
        return Ok(Scoring::Money { jacoby: true, beavers: false });
    }
    let one_away = |points: u16| points + 1 == length;
    let crawford = !crawford_played && one_away(score[0]) != one_away(score[1]);
    Scoring::of_match(length, score[0], score[1], crawford)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Results;

    fn match_session(length: u16, seed: u64) -> MatchSession {
        MatchSession::new(["ann".into(), "bob".into()], length, seed).expect("a match")
    }

    /// Takes the next action: the first legal play; doubles at every fifth step, and drops at every third.
    fn step(match_session: &mut MatchSession, step_number: usize) {
        match match_session.next_action() {
            NextAction::Roll(_) => {
                if !step_number.is_multiple_of(5) || match_session.double().is_err() {
                    match_session.roll();
                }
            }
            NextAction::Play(_, dice) => {
                let mut results = Results::default();
                let after = results.of(match_session.position(), dice)[0];
                match_session.play(&after).expect("legal");
            }
            NextAction::Answer(_) => {
                match_session.answer(!step_number.is_multiple_of(3)).expect("offered")
            }
            NextAction::NextGame => match_session.next_game().expect("not over"),
            NextAction::Over(_) => {}
        }
    }

    #[test]
    fn a_match_ends_when_a_player_has_its_points_and_the_record_agrees() {
        for seed in 1..6 {
            let mut match_session = match_session(5, seed);
            let mut crawford = 0;
            for step_number in 0..20_000 {
                if match_session.next_action() == NextAction::NextGame {
                    crawford += u32::from(!match_session.scoring(Seat::X).may_use_cube());
                }
                step(&mut match_session, step_number);
            }
            let NextAction::Over(winner) = match_session.next_action() else {
                panic!("seed {seed} does not end")
            };
            let mut points = [0, 0];
            for game in match_session.games() {
                let (player, won) = game.won().expect("finished");
                points[player.index()] += won;
            }
            assert!(points[winner.index()] >= 5 && points[winner.other().index()] < 5);
            assert!(crawford <= 1, "one Crawford game a match");
        }
    }

    #[test]
    fn after_a_return_the_same_rolls_follow() {
        let mut now = match_session(0, 3);
        for step_number in 1..50 {
            step(&mut now, 1 + 5 * step_number);
            let (mut again, mut still) = (now.clone(), now.clone());
            for later in 0..20 {
                step(&mut again, 1 + 5 * later);
                step(&mut still, 1 + 5 * later);
            }
            assert_eq!(again.position(), still.position());
        }
    }

    #[test]
    fn second_rolls_and_illegal_actions_are_refused() {
        let mut match_session = match_session(3, 1);
        assert!(
            matches!(match_session.next_action(), NextAction::Play(..)),
            "the opening is rolled"
        );
        assert_eq!(match_session.roll(), None);
        assert!(match_session.play(&Position::START).is_err() && match_session.double().is_err());
        assert!(match_session.answer(true).is_err());
        assert_eq!(match_session.games().len(), 0);
    }
}
