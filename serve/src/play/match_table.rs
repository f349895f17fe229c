//! [`MatchTable`]: a match between two decisions of the person. No I/O.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::play::match_view::{Deed, MatchEvent, Who, pair, seen_by};
use nonet_engine::backgammon::{Dice, Position, Seat, Stake};
use nonet_engine::cube::{Answer, MetError};
use nonet_engine::engine;
use nonet_engine::game::{MatchSession, NextAction};
use nonet_report::person_match::{Forced, PersonMatch};

/// A decision of the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ActionName {
    Roll,
    Double,
    Take,
    Pass,
    Beaver,
    /// With `play`.
    Play,
    /// With `stake`; nonet may play on for more.
    Resign,
    /// Takes the last decision back.
    Undo,
    NextGame,
}

/// What a resignation gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StakeName {
    Single,
    Gammon,
    Backgammon,
}

/// A decision of the person.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchAction {
    pub(crate) action: ActionName,
    /// The play in the usual notation.
    #[schema(example = "8/5 6/5")]
    pub(crate) play: Option<String>,
    /// What is given up; `single` if it is left out.
    pub(crate) stake: Option<StakeName>,
    /// The revision that the person has seen; any if it is left out.
    pub(crate) revision: Option<u64>,
}

/// Why an action is refused.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(crate) enum ActionError {
    #[error("the match has gone on in another window: it is at revision {now}, not {seen}")]
    Stale { now: u64, seen: u64 },
    #[error("{0}")]
    Illegal(String),
    #[error(transparent)]
    MatchEquity(#[from] MetError),
}

/// A match with what happened since the person's last decision.
#[derive(Clone)]
pub(crate) struct MatchTable {
    game: PersonMatch,
    revision: u64,
    events: Vec<MatchEvent>,
}

impl MatchTable {
    /// Goes on until the person has to decide.
    pub(crate) fn new(game: PersonMatch) -> Result<MatchTable, MetError> {
        let mut table = MatchTable { game, revision: 0, events: Vec::new() };
        table.tell_opening();
        table.advance()?;
        Ok(table)
    }

    /// The same match at another revision, from which it rises.
    pub(crate) const fn at_revision(mut self, revision: u64) -> MatchTable {
        self.revision = revision;
        self
    }

    pub(crate) const fn game(&self) -> &PersonMatch {
        &self.game
    }

    /// Rises with every decision.
    pub(crate) const fn revision(&self) -> u64 {
        self.revision
    }

    /// What happened since the person's last decision.
    pub(crate) fn events(&self) -> &[MatchEvent] {
        &self.events
    }

    /// Makes a decision, and goes on until the person has to make the next one. A refused decision
    /// changes nothing; if nonet cannot go on after it, `KeptMatch::change` takes it back.
    pub(crate) fn act(&mut self, action: &MatchAction) -> Result<(), ActionError> {
        if let Some(seen) = action.revision.filter(|seen| *seen != self.revision) {
            return Err(ActionError::Stale { now: self.revision, seen });
        }
        let told = std::mem::take(&mut self.events);
        if let Err(refused) = self.decide(action) {
            self.events = told;
            return Err(refused);
        }
        self.advance()?;
        self.revision += 1;
        Ok(())
    }

    fn decide(&mut self, action: &MatchAction) -> Result<(), ActionError> {
        let illegal = |reason: &dyn std::fmt::Display| ActionError::Illegal(reason.to_string());
        let person = self.game.person();
        let next = self.game.session().next_action();
        let not_now = |what: &str| {
            let now = match next {
                NextAction::Roll(_) => "expected to roll or to double",
                NextAction::Play(..) => "expected a play",
                NextAction::Answer(_) => "expected take or pass",
                NextAction::NextGame => "expected to go on with the next game",
                NextAction::Over(_) => "the match is over",
            };
            ActionError::Illegal(format!("invalid {what} now: {now}"))
        };
        match action.action {
            ActionName::Roll => {
                if !matches!(next, NextAction::Roll(_)) {
                    return Err(not_now("roll"));
                }
                self.game
                    .decide(|session| session.roll().map(drop).ok_or("the dice are rolled"))
                    .map_err(|error| illegal(&error))?;
            }
            ActionName::Double => {
                self.game.decide(MatchSession::double).map_err(|error| illegal(&error))?;
                let cube = 2 * self.game.session().cube(person).value();
                self.tell(Who::You, Deed::Doubles, format!("You double to {cube}."));
            }
            ActionName::Take | ActionName::Pass => {
                let take = action.action == ActionName::Take;
                let done = self.game.decide(|session| session.answer(take));
                done.map_err(|error| illegal(&error))?;
                match take {
                    true => self.tell(Who::You, Deed::Takes, "You take.".to_owned()),
                    false => self.tell(Who::You, Deed::Passes, "You pass.".to_owned()),
                }
            }
            ActionName::Beaver => {
                self.game.decide(MatchSession::beaver).map_err(|error| illegal(&error))?;
                self.tell(Who::You, Deed::Beavers, "You beaver.".to_owned());
            }
            ActionName::Play => {
                let NextAction::Play(_, dice) = next else { return Err(not_now("play")) };
                let text = action.play.as_deref().unwrap_or_default();
                let position = *self.game.session().position();
                let read = position.read_play(text, dice).map_err(|error| illegal(&error))?;
                self.game.play(&read.after).map_err(|error| illegal(&error))?;
                let steps = position.steps_to(dice, &read.after).unwrap_or_default();
                let steps = steps.iter().map(|step| [step.from, step.to]).collect();
                let play = read.play.to_string();
                let words = format!("You play {dice}: {play}");
                self.tell_play(Who::You, words, dice, play, steps);
            }
            ActionName::Resign => {
                if !matches!(next, NextAction::Roll(_) | NextAction::Play(..)) {
                    return Err(not_now("resignation"));
                }
                let stake = match action.stake.unwrap_or(StakeName::Single) {
                    StakeName::Single => Stake::Single,
                    StakeName::Gammon => Stake::Gammon,
                    StakeName::Backgammon => Stake::Backgammon,
                };
                if !self.game.accepts_resignation(stake)? {
                    return Err(ActionError::Illegal("nonet plays on for more.".to_owned()));
                }
                let done = self.game.decide(|session| session.resign(person, stake));
                done.map_err(|error| illegal(&error))?;
                let what = match stake {
                    Stake::Single => "You resign.",
                    Stake::Gammon => "You resign a gammon.",
                    Stake::Backgammon => "You resign a backgammon.",
                };
                self.tell(Who::You, Deed::Resigns, what.to_owned());
            }
            ActionName::Undo => {
                if !self.game.undo() {
                    return Err(ActionError::Illegal("there is nothing to take back".to_owned()));
                }
            }
            ActionName::NextGame => {
                if next != NextAction::NextGame {
                    return Err(not_now("next game"));
                }
                self.game.next_game();
                self.tell_opening();
            }
        }
        Ok(())
    }

    /// Lets nonet act, and the person where they have no choice.
    fn advance(&mut self) -> Result<(), MetError> {
        loop {
            self.game.hand_over();
            let session = self.game.session();
            match session.next_action() {
                NextAction::Over(winner) => {
                    let [own, net] = self.game.points();
                    let who = self.who(winner);
                    let words = match who {
                        Who::You => format!("You win the match, {own} to {net}."),
                        Who::Nonet => format!("nonet wins the match, {net} to {own}."),
                    };
                    self.tell(who, Deed::WinsMatch, words);
                    return Ok(());
                }
                NextAction::NextGame => {
                    let games = session.games();
                    if let Some((winner, points)) = games.last().and_then(|game| game.won()) {
                        let s = if points == 1 { "" } else { "s" };
                        let (who, win) = match self.who(winner) {
                            Who::You => (Who::You, "You win"),
                            Who::Nonet => (Who::Nonet, "nonet wins"),
                        };
                        self.tell(who, Deed::WinsGame, format!("{win} {points} point{s}."));
                        if let Some(told) = self.events.last_mut() {
                            told.points = Some(points);
                        }
                    }
                    return Ok(());
                }
                NextAction::Roll(seat) | NextAction::Play(seat, _) | NextAction::Answer(seat)
                    if seat != self.game.person() =>
                {
                    self.net_acts()?;
                }
                _ => match self.act_without_choice() {
                    true => {}
                    false => return Ok(()),
                },
            }
        }
    }

    fn net_acts(&mut self) -> Result<(), MetError> {
        let before = *self.game.session().position();
        let cube = 2 * self.game.session().cube(self.game.person()).value();
        match self.game.net_acts()? {
            None | Some(engine::LevelAction::Rolled) => {}
            Some(engine::LevelAction::Doubled) => {
                self.tell(Who::Nonet, Deed::Doubles, format!("nonet doubles to {cube}."));
            }
            Some(engine::LevelAction::Answered(answer)) => {
                let (deed, words) = match answer {
                    Answer::Take => (Deed::Takes, "nonet takes."),
                    Answer::Pass => (Deed::Passes, "nonet passes."),
                    Answer::Beaver => (Deed::Beavers, "nonet beavers."),
                };
                self.tell(Who::Nonet, deed, words.to_owned());
            }
            Some(engine::LevelAction::Played(dice, play)) => {
                let steps = before.steps_to(dice, play.after()).unwrap_or_default();
                let steps = steps.iter().map(|step| [25 - step.from, 25 - step.to]).collect();
                let text = play.play().to_string();
                let words = if text.is_empty() {
                    format!("nonet rolls {dice} and cannot move.")
                } else {
                    format!("nonet rolls {dice}: {text}")
                };
                self.tell_play(Who::Nonet, words, dice, text, steps);
            }
        }
        Ok(())
    }

    fn act_without_choice(&mut self) -> bool {
        let before = *self.game.session().position();
        match self.game.act_without_choice() {
            None => false,
            Some(Forced::Rolled(_)) => true,
            Some(Forced::Played(dice, play)) => {
                let steps = play.steps(&before, dice);
                let steps = steps.iter().map(|step| [step.from, step.to]).collect();
                let text = play.to_string();
                let words = if text.is_empty() {
                    format!("You roll {dice} and cannot move.")
                } else {
                    format!("You roll {dice}: {text}, the only play.")
                };
                self.tell_play(Who::You, words, dice, text, steps);
                true
            }
        }
    }

    /// Tells who won the opening roll of a game that has just begun.
    fn tell_opening(&mut self) {
        let session = self.game.session();
        let games = session.games();
        let (number, set_up) = (session.game_number(), self.game.settings().start.is_some());
        let is_begun =
            games.len() >= number && games.last().is_some_and(|game| !game.events().is_empty());
        let NextAction::Play(seat, dice) = session.next_action() else { return };
        if is_begun || (set_up && number == 1) {
            return;
        }
        let (who, wins) = match self.who(seat) {
            Who::You => (Who::You, "You win"),
            Who::Nonet => (Who::Nonet, "nonet wins"),
        };
        self.tell(who, Deed::Opens, format!("{wins} the opening roll: {dice}."));
        if let Some(told) = self.events.last_mut() {
            told.dice = Some(pair(dice));
        }
    }

    fn tell(&mut self, player: Who, what: Deed, words: String) {
        let board = self.board().points().to_vec();
        let session = self.game.session();
        let is_of_cube = matches!(what, Deed::Doubles | Deed::Takes | Deed::Beavers);
        let value = || session.cube(self.game.person()).value();
        let offered = session.offered().map(|offer| offer.value);
        let event = MatchEvent {
            player,
            what,
            words,
            dice: None,
            play: None,
            points: None,
            cube: is_of_cube.then(|| offered.unwrap_or_else(value)),
            steps: Vec::new(),
            light: self.game.person() == Seat::X,
            board,
        };
        self.events.push(event);
    }

    fn tell_play(
        &mut self,
        player: Who,
        words: String,
        dice: Dice,
        play: String,
        steps: Vec<[u8; 2]>,
    ) {
        self.tell(player, Deed::Plays, words);
        if let Some(told) = self.events.last_mut() {
            (told.dice, told.play, told.steps) = (Some(pair(dice)), Some(play), steps);
        }
    }

    pub(crate) fn who(&self, seat: Seat) -> Who {
        if seat == self.game.person() { Who::You } else { Who::Nonet }
    }

    /// The board as the person sees it.
    pub(crate) fn board(&self) -> Position {
        let position = *self.game.session().position();
        if seen_by(self.game.session()) == self.game.person() {
            position
        } else {
            position.flipped()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::Scoring;
    use nonet_engine::engine::{Engine, Level};
    use nonet_engine::search::Plies;
    use nonet_report::person_match::{MatchSettings, player_names};

    fn table(seed: u64) -> MatchTable {
        table_of(seed, false)
    }

    fn table_of(seed: u64, two_people: bool) -> MatchTable {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let (plies, cube_plies, net) = (Plies::ONE, Plies::ONE, "champion".to_owned());
        let settings = MatchSettings {
            seed,
            level: Level::CHAMPION,
            plies,
            cube_plies,
            net,
            start: None,
            person: Seat::X,
            two_people,
        };
        let scoring = Scoring::of_match(1, 0, 0, false).expect("a match");
        let session = settings.begin(player_names(None).expect("names"), scoring).expect("begun");
        MatchTable::new(PersonMatch::new(session, settings, &engine).expect("a match"))
            .expect("begun")
    }

    #[test]
    fn a_game_begins_with_its_opening_roll() {
        for seed in 1..9 {
            let table = table(seed);
            let opening = &table.events()[0];
            assert_eq!(opening.what, Deed::Opens, "{opening:?}");
            let [high, low] = opening.dice.expect("a roll");
            assert!(high > low, "the opening roll is no double");
            // Whoever has won it plays it.
            let next = table.events().get(1).map_or(Who::You, |event| event.player);
            assert_eq!(opening.player, next);
        }
    }

    #[test]
    fn two_people_decide_in_turn_and_the_board_is_seen_by_who_decides() {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let mut table = table_of(5, true);
        let mut seen = [0, 0];
        for _ in 0..600 {
            let view = table.view("m", &engine);
            if view.winner.is_some() {
                assert!(seen.iter().all(|turns| *turns > 5), "{seen:?}");
                return;
            }
            seen[usize::from(view.light)] += 1;
            assert!(
                view.events
                    .iter()
                    .all(|event| event.player == Who::You || event.what != Deed::Plays)
            );
            let play = view.plays.first().map(|play| play.play.clone());
            let name = if play.is_some() { ActionName::Play } else { ActionName::Roll };
            table.act(&action(name, play.as_deref(), Some(view.revision))).expect("legal");
        }
        panic!("the match does not end");
    }

    fn action(action: ActionName, play: Option<&str>, revision: Option<u64>) -> MatchAction {
        MatchAction { action, play: play.map(str::to_owned), stake: None, revision }
    }

    #[test]
    fn an_action_that_is_illegal_or_of_another_revision_changes_nothing() {
        let mut table = table(3);
        let before = (table.board(), table.revision(), table.events().to_vec());
        for wrong in [
            action(ActionName::Take, None, None),
            action(ActionName::Play, Some("24/1"), None),
            action(ActionName::Play, Some(""), Some(7)),
            action(ActionName::NextGame, None, None),
            action(ActionName::Undo, None, None),
        ] {
            assert!(table.act(&wrong).is_err(), "{wrong:?}");
            assert_eq!((table.board(), table.revision(), table.events().to_vec()), before);
        }
    }

    #[test]
    fn a_match_played_by_first_legal_plays_ends_and_the_last_board_is_the_persons() {
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let mut table = table(5);
        for _ in 0..300 {
            let view = table.view("m", &engine);
            assert_eq!(
                view.board.iter().map(|n| i32::from(*n).abs()).sum::<i32>()
                    + i32::from(view.off[0])
                    + i32::from(view.off[1]),
                30
            );
            if view.winner.is_some() {
                assert!(view.off.contains(&15));
                assert_eq!(view.off[0] == 15, view.winner == Some(Who::You));
                return;
            }
            let play = view.plays.first().map(|play| play.play.clone());
            let name = if play.is_some() { ActionName::Play } else { ActionName::Roll };
            table.act(&action(name, play.as_deref(), Some(view.revision))).expect("legal");
        }
        panic!("the match does not end");
    }
}
