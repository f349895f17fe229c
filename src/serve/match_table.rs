//! [`MatchTable`]: a match between two decisions of the person. No I/O.

use serde::Deserialize;
use utoipa::ToSchema;

use super::match_view::{
    BarView, CubeView, Deed, MatchEvent, MatchRow, MatchTurn, MatchView, PlayView, RulesView, Who,
};
use crate::backgammon::record::{RecordEnd, RecordEvent};
use crate::backgammon::{
    CubeOffer, CubeOwner, Dice, GameState, MatchState, Position, Scoring, Seat, Stake, Turn,
    candidates,
};
use crate::cube::{Answer, MetError};
use crate::engine::{self, Engine};
use crate::game::{MatchSession, NextAction};
use crate::person_match::{Forced, PersonMatch};

/// A decision of the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ActionName {
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
pub(super) enum StakeName {
    Single,
    Gammon,
    Backgammon,
}

/// A decision of the person.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchAction {
    pub(super) action: ActionName,
    /// The play in the usual notation.
    #[schema(example = "8/5 6/5")]
    pub(super) play: Option<String>,
    /// What is given up; `single` if it is left out.
    pub(super) stake: Option<StakeName>,
    /// The revision that the person has seen; any if it is left out.
    pub(super) revision: Option<u64>,
}

/// Why an action is refused.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(super) enum ActionError {
    #[error("the match has gone on in another window: it is at revision {now}, not {seen}")]
    Stale { now: u64, seen: u64 },
    #[error("{0}")]
    Illegal(String),
    #[error(transparent)]
    MatchEquity(#[from] MetError),
}

/// A match with what happened since the person's last decision.
#[derive(Clone)]
pub(super) struct MatchTable {
    game: PersonMatch,
    revision: u64,
    events: Vec<MatchEvent>,
}

impl MatchTable {
    /// Goes on until the person has to decide.
    pub(super) fn new(game: PersonMatch) -> Result<MatchTable, MetError> {
        let mut table = MatchTable { game, revision: 0, events: Vec::new() };
        table.advance()?;
        Ok(table)
    }

    pub(super) const fn game(&self) -> &PersonMatch {
        &self.game
    }

    /// Makes a decision, and goes on until the person has to make the next one; if it is refused, nothing changes.
    pub(super) fn act(&mut self, action: &MatchAction) -> Result<(), ActionError> {
        if let Some(seen) = action.revision.filter(|seen| *seen != self.revision) {
            return Err(ActionError::Stale { now: self.revision, seen });
        }
        let mut next = self.clone();
        next.events.clear();
        next.decide(action)?;
        next.advance()?;
        next.revision += 1;
        *self = next;
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
                let words = format!("You play {dice}: {}", read.play);
                self.tell_play(Who::You, Deed::Plays, words, Some(dice), steps);
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
            }
        }
        Ok(())
    }

    /// Lets nonet act, and the person where they have no choice.
    fn advance(&mut self) -> Result<(), MetError> {
        loop {
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
            None | Some(engine::Deed::Rolled) => {}
            Some(engine::Deed::Doubled) => {
                self.tell(Who::Nonet, Deed::Doubles, format!("nonet doubles to {cube}."));
            }
            Some(engine::Deed::Answered(answer)) => {
                let (deed, words) = match answer {
                    Answer::Take => (Deed::Takes, "nonet takes."),
                    Answer::Pass => (Deed::Passes, "nonet passes."),
                    Answer::Beaver => (Deed::Beavers, "nonet beavers."),
                };
                self.tell(Who::Nonet, deed, words.to_owned());
            }
            Some(engine::Deed::Played(dice, play)) => {
                let steps = before.steps_to(dice, play.after()).unwrap_or_default();
                let steps = steps.iter().map(|step| [25 - step.from, 25 - step.to]).collect();
                let text = play.play().to_string();
                let words = if text.is_empty() {
                    format!("nonet rolls {dice} and cannot move.")
                } else {
                    format!("nonet rolls {dice}: {text}")
                };
                self.tell_play(Who::Nonet, Deed::Plays, words, Some(dice), steps);
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
                self.tell_play(Who::You, Deed::Plays, words, Some(dice), steps);
                true
            }
        }
    }

    fn tell(&mut self, player: Who, what: Deed, words: String) {
        self.tell_play(player, what, words, None, Vec::new());
    }

    fn tell_play(
        &mut self,
        player: Who,
        what: Deed,
        words: String,
        dice: Option<Dice>,
        steps: Vec<[u8; 2]>,
    ) {
        let board = self.board().points().to_vec();
        let dice = dice.map(pair);
        self.events.push(MatchEvent { player, what, words, dice, steps, board });
    }

    fn who(&self, seat: Seat) -> Who {
        if seat == self.game.person() { Who::You } else { Who::Nonet }
    }

    /// The board as the person sees it.
    fn board(&self) -> Position {
        let position = *self.game.session().position();
        if seen_by(self.game.session()) == self.game.person() {
            position
        } else {
            position.flipped()
        }
    }

    /// The chances for the evaluation bar; `None` once the game is over. `engine` is asked at 1-ply.
    fn evaluation(&self, engine: &Engine) -> Option<BarView> {
        let position = self.game.session().position();
        if position.outcome().is_some() {
            return None;
        }
        let value = engine.evaluate(&[*position])[0];
        let own = seen_by(self.game.session()) == self.game.person();
        let value = if own { value } else { value.flipped() };
        Some(BarView { win: value.cumulative()[0], equity: value.equity() })
    }

    /// The match in the list.
    pub(super) fn row(&self, id: &str) -> MatchRow {
        let session = self.game.session();
        MatchRow {
            id: id.to_owned(),
            names: self.names(),
            score: self.game.points(),
            length: length(session.scoring(Seat::X)),
            level: self.game.settings().level.name.to_owned(),
            over: matches!(session.next_action(), NextAction::Over(_)),
        }
    }

    fn names(&self) -> [String; 2] {
        let (names, person) = (self.game.session().names(), self.game.person());
        [names[person.index()].clone(), names[person.other().index()].clone()]
    }

    /// The match as the board shows it.
    pub(super) fn view(&self, id: &str, engine: &Engine) -> MatchView {
        let (session, person) = (self.game.session(), self.game.person());
        let board = self.board();
        let scoring = session.scoring(person);
        let cube = session.cube(person);
        let (turn, dice) = match session.next_action() {
            NextAction::Roll(_) => (MatchTurn::Roll, None),
            NextAction::Play(_, dice) => (MatchTurn::Play, Some(dice)),
            NextAction::Answer(_) => (MatchTurn::Answer, None),
            NextAction::NextGame => (MatchTurn::NextGame, None),
            NextAction::Over(_) => (MatchTurn::Over, None),
        };
        let plays = dice.map(|dice| candidates(&board, dice)).unwrap_or_default();
        let rules = match scoring {
            Scoring::Money { jacoby, beavers } => {
                RulesView { length: None, crawford: false, jacoby, beavers }
            }
            Scoring::Match(score) => RulesView {
                length: Some(score.length()),
                crawford: score.is_crawford(),
                jacoby: false,
                beavers: false,
            },
        };
        let settings = self.game.settings();
        let may_double = turn == MatchTurn::Roll
            && self.game.context(person).is_ok_and(|context| context.may_double());
        let winner = match session.next_action() {
            NextAction::Over(winner) => Some(self.who(winner)),
            _ => None,
        };
        MatchView {
            id: id.to_owned(),
            revision: self.revision,
            names: self.names(),
            level: settings.level.name,
            plies: settings.plies.get(),
            cube_plies: settings.cube_plies.get(),
            net: settings.net.clone(),
            rules,
            score: self.game.points(),
            game: session.game_number(),
            board: board.points().to_vec(),
            off: [15 - board.own_left(), 15 - board.opponent_left()],
            pips: [board.pips(), board.opponent_pips()],
            cube: CubeView {
                value: cube.value(),
                owner: match cube.owner() {
                    CubeOwner::Centred => None,
                    CubeOwner::Own => Some(Who::You),
                    CubeOwner::Opponent => Some(Who::Nonet),
                },
                offered: session.offered().map(|offer| offer.value),
            },
            turn,
            dice: dice.map(pair),
            plays: (plays.iter())
                .map(|one| PlayView {
                    play: one.play.to_string(),
                    board: one.after.flipped().points().to_vec(),
                })
                .collect(),
            may_double,
            may_beaver: turn == MatchTurn::Answer && self.game.has_beavers(),
            may_undo: self.game.has_undo(),
            winner,
            evaluation: self.evaluation(engine),
            xgid: xgid(session),
            events: self.events.clone(),
        }
    }
}

fn pair(dice: Dice) -> [u8; 2] {
    [dice.high(), dice.low()]
}

fn length(scoring: Scoring) -> Option<u16> {
    match scoring {
        Scoring::Money { .. } => None,
        Scoring::Match(score) => Some(score.length()),
    }
}

/// The player by whom the position of a session is seen.
pub(super) fn seen_by(session: &MatchSession) -> Seat {
    match (session.offered(), session.next_action()) {
        (Some(offer), _) => offer.doubler,
        (None, NextAction::Roll(seat) | NextAction::Play(seat, _)) => seat,
        // The game is over: after a play the other player would be on roll, and after a pass the doubler.
        _ => match session.games().last().map(|game| (game.end(), game.events().last().copied())) {
            Some((RecordEnd::Resigned { winner, .. }, _)) => winner.other(),
            Some((_, Some(RecordEvent::Turn(turn)))) => turn.player.other(),
            Some((_, Some(RecordEvent::Drop { player }))) => player.other(),
            _ => Seat::X,
        },
    }
}

/// The position as XGID, its player on roll as X.
fn xgid(session: &MatchSession) -> String {
    let seat = seen_by(session);
    let mut state = MatchState::new(session.scoring(seat));
    state.cube = session.cube(seat);
    state.turn = match (session.offered(), session.next_action()) {
        (Some(_), _) => Turn::Offered(CubeOffer::Double),
        (None, NextAction::Play(_, dice)) => Turn::Rolled(dice),
        _ => Turn::ToRoll,
    };
    GameState { position: *session.position(), state }.xgid()
}
