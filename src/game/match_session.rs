//! A match, or money games, that somebody plays here: whose turn it is, the dice, the cube, the score, and the record.
//!
//! A contest is a value: a copy of it is a point to go back to, and as it carries its dice, whoever takes a play back rolls
//! the same again.

use rand_pcg::Pcg64;

use crate::backgammon::record::{GameHeader, RecordErrorKind, RecordedGame, Recorder};
use crate::backgammon::{Cube, CubeOwner, Dice, Position, ScoreError, Scoring, Seat, Stake};
use crate::game::{StreamPurpose, opening_roll, roll, stream};

/// A contest between two players.
#[derive(Clone, Debug)]
pub struct MatchSession {
    names: [String; 2],
    /// Points of the match, 0 for money.
    length: u16,
    score: [u16; 2],
    crawford_played: bool,
    finished: Vec<RecordedGame>,
    game: Recorder,
    session: Scoring,
    /// A roll that waits for its play.
    rolled: Option<(Seat, Dice)>,
    dice: Pcg64,
}

/// What is wanted next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextAction {
    /// A roll, or a double where that is allowed.
    Roll(Seat),
    /// A play of a roll.
    Play(Seat, Dice),
    /// An answer to a double.
    Answer(Seat),
    /// Nothing: the game is over, [`MatchSession::next_game`] goes on.
    NextGame,
    /// Nothing: somebody has won the match.
    Over(Seat),
}

impl MatchSession {
    /// A match to `length` points, or money games for 0, with the dice of `seed`; the opening has been rolled.
    ///
    /// # Errors
    /// [`ScoreError`] if no match is that long.
    pub fn new(names: [String; 2], length: u16, seed: u64) -> Result<MatchSession, ScoreError> {
        let session = session(length, [0; 2], false)?;
        let game = Recorder::new(GameHeader { names: names.clone(), session });
        let dice = stream(seed, StreamPurpose::Person, 0);
        let (score, finished) = ([0; 2], Vec::new());
        let crawford_played = false;
        let mut contest = MatchSession {
            names,
            length,
            score,
            crawford_played,
            finished,
            game,
            session,
            rolled: None,
            dice,
        };
        contest.open();
        Ok(contest)
    }

    /// Each throws a die until they differ: who begins, and with what.
    fn open(&mut self) {
        self.rolled = Some(opening_roll(&mut self.dice));
    }

    /// The next action, and who takes it.
    #[must_use]
    pub fn wanted(&self) -> NextAction {
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

    /// Who has won the match, if it is over.
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

    /// The points of both, the game at hand included once it is over.
    #[must_use]
    pub fn score(&self) -> [u16; 2] {
        self.score_with_this_game()
    }

    /// The board, seen by the player on roll; while a double waits, by the doubler.
    #[must_use]
    pub const fn position(&self) -> &Position {
        self.game.position()
    }

    /// What the game is played for, seen by `who`.
    #[must_use]
    pub fn session(&self, player: Seat) -> Scoring {
        if player == Seat::X { self.session } else { self.session.flipped() }
    }

    /// The cube, seen by `who`.
    #[must_use]
    pub fn cube(&self, player: Seat) -> Cube {
        let owner = match self.game.cube_owner() {
            None => CubeOwner::Centred,
            Some(owner) if owner == player => CubeOwner::Own,
            Some(_) => CubeOwner::Opponent,
        };
        // A recorder doubles from 1 on, up to the highest cube there is.
        Cube::new(self.game.cube(), owner).unwrap_or(Cube::CENTRED)
    }

    /// Rolls the dice for the player on roll; `None` if a roll is not the next action.
    pub fn roll(&mut self) -> Option<Dice> {
        let NextAction::Roll(player) = self.wanted() else { return None };
        let dice = roll(&mut self.dice);
        self.rolled = Some((player, dice));
        Some(dice)
    }

    /// Plays the roll that waits: `after` is the board afterwards, the other player on roll.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if no legal play leads there, or no roll waits.
    pub fn play(&mut self, after: &Position) -> Result<(), RecordErrorKind> {
        let Some((player, dice)) = self.rolled else { return Err(RecordErrorKind::Over) };
        self.game.turn(player, dice, after)?;
        self.rolled = None;
        Ok(())
    }

    /// Doubles for the player on roll, who has not rolled yet.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if that is not allowed.
    pub fn double(&mut self) -> Result<(), RecordErrorKind> {
        match self.wanted() {
            NextAction::Roll(player) => self.game.double(player),
            _ => Err(RecordErrorKind::Cube("the cube is turned before the roll only")),
        }
    }

    /// Answers a double.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if none waits.
    pub fn answer(&mut self, take: bool) -> Result<(), RecordErrorKind> {
        match self.wanted() {
            NextAction::Answer(player) if take => self.game.take(player),
            NextAction::Answer(player) => self.game.drop(player),
            _ => Err(RecordErrorKind::Cube("no double waits for an answer")),
        }
    }

    /// `who` gives the game up.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if it is over, or a double waits.
    pub fn resign(&mut self, player: Seat, stake: Stake) -> Result<(), RecordErrorKind> {
        self.game.resign(player, stake)?;
        self.rolled = None;
        Ok(())
    }

    /// Goes on with the next game when one is over and the match is not.
    ///
    /// # Errors
    /// [`ScoreError`] never happens while the match is not over.
    pub fn next_game(&mut self) -> Result<(), ScoreError> {
        if self.wanted() != NextAction::NextGame {
            return Ok(());
        }
        self.score = self.score();
        self.crawford_played |=
            matches!(self.session, Scoring::Match(score) if score.is_crawford());
        self.session = session(self.length, self.score, self.crawford_played)?;
        let header = GameHeader { names: self.names.clone(), session: self.session };
        self.finished.push(std::mem::replace(&mut self.game, Recorder::new(header)).finish());
        self.open();
        Ok(())
    }

    /// All games so far, the one at hand included if anything was played in it.
    #[must_use]
    pub fn games(&self) -> Vec<RecordedGame> {
        let last = self.game.clone().finish();
        let played = !last.events().is_empty();
        self.finished.iter().cloned().chain(played.then_some(last)).collect()
    }
}

/// The session of the next game, seen by the first player.
fn session(length: u16, score: [u16; 2], crawford_played: bool) -> Result<Scoring, ScoreError> {
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

    fn contest(length: u16, seed: u64) -> MatchSession {
        MatchSession::new(["ann".into(), "bob".into()], length, seed).expect("a match")
    }

    /// Plays on by the first legal play, doubling whenever that is allowed; answers in turn.
    fn step(contest: &mut MatchSession, asked: usize) {
        match contest.wanted() {
            NextAction::Roll(_) => {
                if !asked.is_multiple_of(5) || contest.double().is_err() {
                    contest.roll();
                }
            }
            NextAction::Play(_, dice) => {
                let mut results = Results::default();
                let after = results.of(contest.position(), dice)[0];
                contest.play(&after).expect("legal");
            }
            NextAction::Answer(_) => contest.answer(!asked.is_multiple_of(3)).expect("asked"),
            NextAction::NextGame => contest.next_game().expect("not over"),
            NextAction::Over(_) => {}
        }
    }

    #[test]
    fn a_match_ends_when_somebody_has_its_points_and_its_record_says_so() {
        for seed in 1..6 {
            let mut contest = contest(5, seed);
            let mut crawford = 0;
            for asked in 0..20_000 {
                if contest.wanted() == NextAction::NextGame {
                    crawford += u32::from(!contest.session(Seat::X).may_use_cube());
                }
                step(&mut contest, asked);
            }
            let NextAction::Over(winner) = contest.wanted() else { panic!("seed {seed} goes on") };
            let mut points = [0, 0];
            for game in contest.games() {
                let (player, won) = game.won().expect("finished");
                points[player.index()] += won;
            }
            assert!(points[winner.index()] >= 5 && points[winner.other().index()] < 5);
            assert!(crawford <= 1, "one Crawford game a match");
        }
    }

    #[test]
    fn whoever_goes_back_rolls_the_same_again() {
        let mut now = contest(0, 3);
        for asked in 1..50 {
            step(&mut now, 1 + 5 * asked);
            let (mut again, mut still) = (now.clone(), now.clone());
            for later in 0..20 {
                step(&mut again, 1 + 5 * later);
                step(&mut still, 1 + 5 * later);
            }
            assert_eq!(again.position(), still.position());
        }
    }

    #[test]
    fn nobody_rolls_twice_or_plays_what_is_not_legal() {
        let mut contest = contest(3, 1);
        assert!(matches!(contest.wanted(), NextAction::Play(..)), "the opening is rolled");
        assert_eq!(contest.roll(), None);
        assert!(contest.play(&Position::START).is_err() && contest.double().is_err());
        assert!(contest.answer(true).is_err());
        assert_eq!(contest.games().len(), 0);
    }
}
