//! Going on with a recorded session: its record is replayed, and the dice follow from the seed.

use super::{MatchSession, NextAction};
use crate::backgammon::record::{RecordEnd, RecordErrorKind, RecordEvent, RecordedGame};
use crate::backgammon::{Scoring, Seat};

/// Why a record is not one of a session that can go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ReplayError {
    #[error("game {game} is not finished, but another game follows it")]
    Unfinished { game: usize },
    #[error("the match is over after game {game}, but another game follows it")]
    AfterTheEnd { game: usize },
    #[error("game {game} is played at {found}, expected {expected}")]
    Score { game: usize, found: String, expected: String },
    #[error("game {game}: {reason}")]
    Illegal { game: usize, reason: RecordErrorKind },
}

impl MatchSession {
    /// Replays the games of a record from the beginning of this session, and calls `before` with
    /// the session before each decision. Returns whether all rolls are those of the session's seed;
    /// others are taken from the record.
    ///
    /// # Errors
    /// [`ReplayError`] if the games are not those of one session, or contradict its start.
    pub fn replay(
        &mut self,
        games: &[RecordedGame],
        mut before: impl FnMut(&MatchSession),
    ) -> Result<bool, ReplayError> {
        let mut own_dice = true;
        for (game, recorded) in (1..).zip(games) {
            if game > 1 {
                match self.next_action() {
                    NextAction::NextGame => self.next_game(),
                    NextAction::Over(_) => return Err(ReplayError::AfterTheEnd { game: game - 1 }),
                    _ => return Err(ReplayError::Unfinished { game: game - 1 }),
                }
            }
            self.check_score(game, recorded)?;
            // A double that the session began with is in the record, too.
            let begun = if game == 1 { self.game_mut().events().len() } else { 0 };
            for event in recorded.events().iter().skip(begun) {
                own_dice &= self
                    .replay_event(event, &mut before)
                    .map_err(|reason| ReplayError::Illegal { game, reason })?;
            }
            if let RecordEnd::Resigned { winner, stake } = recorded.end() {
                before(self);
                let done = self.resign(winner.other(), stake);
                done.map_err(|reason| ReplayError::Illegal { game, reason })?;
            }
        }
        Ok(own_dice)
    }

    /// Replays an event; whether it agrees with the dice of the seed.
    fn replay_event(
        &mut self,
        event: &RecordEvent,
        before: &mut impl FnMut(&MatchSession),
    ) -> Result<bool, RecordErrorKind> {
        let turn = match event {
            RecordEvent::Turn(turn) => turn,
            action => {
                before(self);
                let game = self.game_mut();
                match *action {
                    RecordEvent::Double { player, .. } => game.double(player)?,
                    RecordEvent::Beaver { player, .. } => game.beaver(player)?,
                    RecordEvent::Take { player } => game.take(player)?,
                    RecordEvent::Drop { player } => game.drop(player)?,
                    RecordEvent::Turn(_) => {}
                }
                return Ok(true);
            }
        };
        if let NextAction::Roll(_) = self.next_action() {
            before(self);
            self.roll();
        }
        let own = self.next_action() == NextAction::Play(turn.player, turn.dice);
        if !own {
            self.throw(turn.player, turn.dice);
        }
        before(self);
        self.play(&turn.after)?;
        Ok(own)
    }

    fn check_score(&self, game: usize, recorded: &RecordedGame) -> Result<(), ReplayError> {
        let (expected, found) = (self.scoring(Seat::X), recorded.header().scoring);
        let same = match (expected, found) {
            (Scoring::Money { .. }, Scoring::Money { .. }) => true,
            (expected, found) => expected.away() == found.away(),
        };
        if same {
            return Ok(());
        }
        Err(ReplayError::Score { game, found: in_words(found), expected: in_words(expected) })
    }
}

fn in_words(scoring: Scoring) -> String {
    match scoring {
        Scoring::Money { .. } => "money".to_owned(),
        Scoring::Match(score) => {
            format!("{} to {} in a match to {}", score.own(), score.opponent(), score.length())
        }
    }
}
