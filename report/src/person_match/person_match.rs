//! [`PersonMatch`]: the session with the engine, the net's player and the decisions to take back.

use super::MatchSettings;
use nonet_engine::analysis::Severity;
use nonet_engine::backgammon::record::{MatWriter, RecordErrorKind, RecordedGame};
use nonet_engine::backgammon::{Dice, Outcome, Play, Position, Scoring, Seat, Stake, candidates};
use nonet_engine::cube::MetError;
use nonet_engine::engine::{CubeContext, Engine, LevelAction, LevelPlayer, ScoredMove};
use nonet_engine::game::{MatchSession, NextAction, ReplayError};

/// The name of the tag for the roll of a player who has not played yet.
const ROLLED: &str = "Rolled";

/// The net accepts a resignation if it expects at most this much more by playing on, in points on a
/// cube at 1.
const RESIGNATION_MARGIN: f32 = 0.005;

/// A person's match against a net.
#[derive(Clone)]
pub struct PersonMatch {
    session: MatchSession,
    settings: MatchSettings,
    /// Without noise: gives hints and judges.
    engine: Engine,
    net: LevelPlayer,
    /// The match before each decision of the person.
    earlier: Vec<MatchSession>,
}

/// What happened to the person without a choice.
#[derive(Clone, Debug, PartialEq)]
pub enum Forced {
    /// Rolled, because doubling is not allowed or useless.
    Rolled(Dice),
    /// Played the only play of a roll, which may be no play at all.
    Played(Dice, Play),
}

impl PersonMatch {
    /// Points to win a match, unless another length is asked for.
    pub const LENGTH: u16 = 3;

    /// A tutor stops before a decision that loses this or more, in points on a cube at 1: what
    /// analyses mark.
    pub const TUTOR_LIMIT: f32 = Severity::Doubtful.limit();

    /// A match that is at `session`; the engine brings the net, and `settings` the depths.
    ///
    /// # Errors
    /// [`MetError`] if the match is longer than the engine's match equity table reaches.
    pub fn new(
        session: MatchSession,
        settings: MatchSettings,
        engine: &Engine,
    ) -> Result<PersonMatch, MetError> {
        let engine = engine.with_plies(settings.plies).with_cube_plies(settings.cube_plies);
        let person = settings.person;
        engine.context(session.scoring(person), session.cube(person))?;
        let net = LevelPlayer::new(engine.clone(), settings.level, settings.seed);
        Ok(PersonMatch { session, settings, engine, net, earlier: Vec::new() })
    }

    /// Replays a record from the session's beginning, with the tags of its file; returns whether
    /// all rolls are those of the session's seed.
    ///
    /// # Errors
    /// [`ReplayError`]; the match is then as it was.
    pub fn go_on(
        &mut self,
        games: &[RecordedGame],
        tags: &[(&str, &str)],
    ) -> Result<bool, ReplayError> {
        let (mut session, mut earlier) = (self.session.clone(), Vec::new());
        let own = session.replay(games, |now| {
            if self.is_choice_in(now) {
                earlier.push(now.clone());
            }
        })?;
        if tags.iter().any(|(name, _)| *name == ROLLED)
            && let NextAction::Roll(player) = session.next_action()
            && player == self.settings.person
        {
            if self.is_choice_in(&session) {
                earlier.push(session.clone());
            }
            session.roll();
        }
        (self.session, self.earlier) = (session, earlier);
        Ok(own)
    }

    /// The match so far.
    #[must_use]
    pub const fn session(&self) -> &MatchSession {
        &self.session
    }

    /// Its settings.
    #[must_use]
    pub const fn settings(&self) -> &MatchSettings {
        &self.settings
    }

    /// The engine without noise.
    #[must_use]
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The seat of the person.
    #[must_use]
    pub const fn person(&self) -> Seat {
        self.settings.person
    }

    /// Of two people, the one who has to decide now becomes the person.
    pub fn hand_over(&mut self) {
        let next = match self.session.next_action() {
            NextAction::Roll(player) | NextAction::Play(player, _) | NextAction::Answer(player) => {
                player
            }
            NextAction::NextGame | NextAction::Over(_) => return,
        };
        if self.settings.two_people {
            self.settings.person = next;
        }
    }

    /// The points of the person and of the net.
    #[must_use]
    pub fn points(&self) -> [u32; 2] {
        let (score, person) = (self.session.score(), self.settings.person);
        [score[person.index()], score[person.other().index()]]
    }

    /// Whether anything was decided.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        !self.earlier.is_empty() || {
            let games = self.session.games();
            games.iter().any(|game| !game.events().is_empty() || game.won().is_some())
        }
    }

    /// The record of the match with its settings, as `.mat`.
    ///
    /// # Panics
    /// Never: memory can be written.
    #[must_use]
    #[allow(clippy::expect_used, reason = "memory can be written")]
    pub fn record(&self) -> Vec<u8> {
        let mut tags = self.settings.tags();
        if let NextAction::Play(player, dice) = self.session.next_action()
            && player == self.settings.person
            && self.session.is_rolled()
        {
            tags.push((ROLLED.to_owned(), dice.to_string()));
        }
        let mut writer = MatWriter::new(Vec::new()).tagged(tags);
        for game in self.session.games() {
            writer.write(&game).expect("memory can be written");
        }
        writer.into_inner()
    }

    /// The context of a cube decision of `player`.
    ///
    /// # Errors
    /// [`MetError`] if the match is longer than the match equity table reaches.
    pub fn context(&self, player: Seat) -> Result<CubeContext, MetError> {
        self.engine.context(self.session.scoring(player), self.session.cube(player))
    }

    /// The plays of the person's roll, the best first.
    ///
    /// # Errors
    /// [`MetError`] if the match is longer than the match equity table reaches.
    pub fn ranked(&self, dice: Dice) -> Result<Vec<ScoredMove>, MetError> {
        Ok(self.engine.rank(self.session.position(), dice, &self.context(self.settings.person)?))
    }

    /// Whether the person has a decision to make.
    #[must_use]
    pub fn is_choice(&self) -> bool {
        self.is_choice_in(&self.session)
    }

    fn is_choice_in(&self, session: &MatchSession) -> bool {
        let is_person = |player| self.settings.two_people || player == self.settings.person;
        match session.next_action() {
            NextAction::Roll(player) if is_person(player) => {
                let context = self.engine.context(session.scoring(player), session.cube(player));
                context.is_ok_and(|context| context.may_double())
            }
            NextAction::Play(player, dice) if is_person(player) => {
                candidates(session.position(), dice).len() > 1
            }
            NextAction::Answer(player) => is_person(player),
            _ => false,
        }
    }

    /// Rolls for the person if doubling is not allowed or useless, and plays their forced plays;
    /// `None` if they have a choice or it is not their turn.
    ///
    /// # Panics
    /// Never: a forced play is legal.
    #[allow(clippy::expect_used, reason = "a forced play is legal")]
    pub fn act_without_choice(&mut self) -> Option<Forced> {
        if self.is_choice() {
            return None;
        }
        match self.session.next_action() {
            NextAction::Roll(player) if player == self.settings.person => {
                self.session.roll().map(Forced::Rolled)
            }
            NextAction::Play(player, dice) if player == self.settings.person => {
                let only = candidates(self.session.position(), dice).swap_remove(0);
                self.session.play(&only.after).expect("a forced play is legal");
                Some(Forced::Played(dice, only.play))
            }
            _ => None,
        }
    }

    /// Lets the net take its next action; `None` if the next one is not the net's.
    ///
    /// # Errors
    /// [`MetError`] if the match is longer than the match equity table reaches.
    pub fn net_acts(&mut self) -> Result<Option<LevelAction>, MetError> {
        self.net.act(&mut self.session, self.settings.person.other())
    }

    /// Starts the next game if the current one is over and the match is not.
    pub fn next_game(&mut self) {
        self.session.next_game();
    }

    /// Takes the person's last decision back; whether there was one.
    pub fn undo(&mut self) -> bool {
        self.earlier.pop().map(|earlier| self.session = earlier).is_some()
    }

    /// Whether there is a decision of the person to take back.
    #[must_use]
    pub const fn has_undo(&self) -> bool {
        !self.earlier.is_empty()
    }

    /// Makes a decision of the person, which can be taken back; `decide` takes one action of the
    /// session.
    ///
    /// # Errors
    /// Those of `decide`. A refused action has changed nothing.
    pub fn decide<E>(
        &mut self,
        decide: impl FnOnce(&mut MatchSession) -> Result<(), E>,
    ) -> Result<(), E> {
        let before = self.session.clone();
        decide(&mut self.session)?;
        self.earlier.push(before);
        Ok(())
    }

    /// Whether the net accepts that the person, who is on roll, resigns.
    ///
    /// # Errors
    /// [`MetError`] if the match is longer than the match equity table reaches.
    pub fn accepts_resignation(&self, stake: Stake) -> Result<bool, MetError> {
        if self.settings.two_people {
            return Ok(true);
        }
        Ok(-self.resignation_loss(stake)? <= RESIGNATION_MARGIN)
    }

    /// What the person, who is on roll, loses by resigning, against playing on without the cube: in
    /// points on a cube at 1. Below 0, resigning is cheaper.
    ///
    /// # Errors
    /// [`MetError`] if the match is longer than the match equity table reaches.
    pub fn resignation_loss(&self, stake: Stake) -> Result<f32, MetError> {
        // The person is on roll; the net's utilities are those of the other player.
        let net = self.context(self.settings.person)?.flipped();
        let utility = |outcome: Outcome| net.scoring.of_outcome(outcome, net.cube);
        let value = self.engine.evaluate(&[*self.session.position()])[0].flipped();
        let expected: f32 =
            Outcome::ALL.into_iter().zip(value.outcomes).map(|(o, p)| p * utility(o)).sum();
        let equity = |utility: f32| net.scoring.equity(utility, net.cube.value());
        // A resignation is recorded as it is said: the Jacoby rule makes no single game of it.
        let resigned = net.scoring.utility((stake.points() * net.cube.value()) as i32);
        Ok(equity(resigned) - equity(expected))
    }

    /// Plays the person's roll.
    ///
    /// # Errors
    /// [`RecordErrorKind`] if no legal play leads to `after`.
    pub fn play(&mut self, after: &Position) -> Result<(), RecordErrorKind> {
        self.decide(|session| session.play(after))
    }

    /// Whether beavers are played.
    #[must_use]
    pub fn has_beavers(&self) -> bool {
        let scoring = self.session.scoring(self.settings.person);
        matches!(scoring, Scoring::Money { beavers: true, .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::GameState;
    use nonet_engine::engine::Level;
    use nonet_engine::search::Plies;

    #[test]
    fn under_the_jacoby_rule_a_resignation_loses_the_points_that_are_recorded() {
        // X has lost a gammon, but the cube is in the middle.
        let id = "XGID=-----------EEE--------c---:0:0:1:00:0:0:1:0:10";
        let game: GameState = id.parse().expect("an XGID");
        let names = ["you".to_owned(), "nonet".to_owned()];
        let session = MatchSession::from_position(names, &game, 1).expect("legal");
        let settings = MatchSettings {
            seed: 1,
            level: Level::CHAMPION,
            plies: Plies::ONE,
            cube_plies: Plies::ONE,
            net: "champion".to_owned(),
            start: None,
            person: Seat::X,
            two_people: false,
        };
        let played = PersonMatch::new(session, settings, &Engine::champion()).expect("money");
        let value = played.engine().evaluate(&[game.position])[0];
        let [won, lost] =
            [&value.outcomes[..3], &value.outcomes[3..]].map(|part| part.iter().sum::<f32>());
        for stake in Stake::ALL {
            // Who plays on plays for single games.
            let loss = stake.points() as f32 - (lost - won);
            let found = played.resignation_loss(stake).expect("money");
            assert!((found - loss).abs() < 1e-4, "{stake:?}: {found} for {loss}");
            let mut session = played.session().clone();
            session.resign(Seat::X, stake).expect("legal");
            assert_eq!(session.score(), [0, stake.points()]);
        }
    }
}
