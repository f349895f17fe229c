//! One place where games are played one after the other, decision by decision.

use std::sync::Arc;

use nonet::backgammon::{CubeOwner, GameState, Next, Position, Results, Scoring, Seat};
use nonet::cube::{Answer, CubeContext, CubeScoring};
use nonet::game::{
    CubeChoice, MAX_TURNS, MoveChoice, Pcg64, Player, StreamPurpose, opening_roll, roll, stream,
};
use nonet::{Dice, Evaluation};

/// What is common to all games.
pub(crate) struct Rules {
    pub(crate) seed: u64,
    pub(crate) purpose: StreamPurpose,
    pub(crate) opponent: Option<Arc<dyn Player>>,
    /// The cube of money games; `None` without a cube.
    pub(crate) scoring: Option<CubeScoring>,
}

/// The end of a game.
#[derive(Clone, Copy)]
pub(crate) struct End {
    /// Points of the agent who acted last, times the cube.
    pub(crate) points: i32,
    /// Given up as endless.
    pub(crate) endless: bool,
}

/// What is to be decided. The numbers are those of observations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Which result of the roll to play.
    Play = 0,
    /// Before the roll: 0 to roll, 1 to double.
    Double = 1,
    /// The answer to a double: 0 to take, 1 to pass.
    Answer = 2,
}

/// The actions of a decision about the cube.
const CUBE_ACTIONS: usize = 2;

/// One place where games are played one after the other.
pub(crate) struct Table {
    pub(crate) number: u64,
    dice: Pcg64,
    choices: Pcg64,
    /// The game, with seat X for the agent at seat 0; after its end the last board.
    game: GameState,
    turns: usize,
    results: Results,
    values: Vec<Evaluation>,
    pub(crate) end: Option<End>,
}

impl Table {
    pub(crate) fn new(rules: &Rules, number: u64) -> Table {
        let mut dice = stream(rules.seed, rules.purpose, number);
        let scoring = rules.scoring.as_ref().map_or(Scoring::MONEY, CubeScoring::session);
        let (first, opening) = opening_roll(&mut dice);
        let game = GameState::start(scoring).begun_by(first).with_dice(opening);
        let mut results = Results::default();
        results.of(&game.position, opening);
        Table {
            number,
            dice,
            // As the programs that play such games make it.
            choices: stream(rules.seed ^ rules.purpose as u64, StreamPurpose::Choice, number),
            game,
            turns: 0,
            results,
            values: Vec::new(),
            end: None,
        }
    }

    /// The opponent's decisions until the agent has one or the game ends.
    pub(crate) fn opponent_plays(&mut self, rules: &Rules) {
        let Some(opponent) = &rules.opponent else { return };
        while self.end.is_none() && self.actor() == Seat::O {
            let position = &self.game.position;
            // The context of a double is seen by the player on roll, also where it must be
            // answered.
            let context = rules.scoring.as_ref().map(|scoring| CubeContext {
                scoring: scoring.clone(),
                cube: self.game.state.cube,
            });
            let choice = match (self.decision(), &context) {
                (Decision::Double, Some(context)) => {
                    usize::from(opponent.doubles(&CubeChoice { position, context }))
                }
                (Decision::Answer, Some(context)) => {
                    let answer = opponent.answer(&CubeChoice { position, context });
                    usize::from(answer == Answer::Pass)
                }
                _ => {
                    let (results, context) = (self.results.as_slice(), context.as_ref());
                    match self.game.dice() {
                        Some(dice) if results.len() > 1 => {
                            let decision = MoveChoice { position, dice, results, context };
                            opponent.choose(&decision, &mut self.values, &mut self.choices)
                        }
                        _ => 0,
                    }
                }
            };
            self.act(choice, rules);
        }
    }

    /// Carries out the action with this index, for whoever decides.
    pub(crate) fn act(&mut self, choice: usize, rules: &Rules) {
        let decider = self.actor();
        let next = match (self.decision(), choice) {
            (Decision::Play, choice) => Ok(self.game.after(self.results.as_slice()[choice])),
            (Decision::Double, 0) => Ok(self.game.clone()),
            (Decision::Double, _) => self.game.double(),
            (Decision::Answer, 0) => self.game.take(),
            (Decision::Answer, _) => self.game.pass(),
        };
        let rolls = self.decision() != Decision::Play || rules.scoring.is_none();
        self.turns += usize::from(self.decision() == Decision::Play);
        self.game = next.expect("the action is the next one");
        let endless = self.turns >= MAX_TURNS && !self.game.is_over();
        if endless || self.game.is_over() {
            let sign = |winner| if winner == decider { 1 } else { -1 };
            let points = self.game.result().map_or(0, |result| {
                sign(result.winner) * i32::try_from(result.points).expect("at most 3 * 32768")
            });
            let agent = rules.opponent.is_none() || decider == Seat::X;
            self.end = Some(End { points: if agent { points } else { -points }, endless });
        } else if matches!(self.game.next(), Next::Roll(_)) && (rolls || !self.game.may_double()) {
            let dice = roll(&mut self.dice);
            self.game = self.game.rolled(dice).expect("a roll is the next action");
            self.results.of(&self.game.position, dice);
        }
    }

    /// Who decides: the player on roll, or who has been doubled; after the end who has acted last.
    pub(crate) fn actor(&self) -> Seat {
        match self.game.next() {
            Next::Answer(seat) => seat,
            _ if self.end.is_some() => self.game.state.on_roll.other(),
            _ => self.game.state.on_roll,
        }
    }

    /// What is to be decided; after the end of the game nothing but a play could be.
    pub(crate) fn decision(&self) -> Decision {
        match self.game.next() {
            Next::Answer(_) => Decision::Answer,
            Next::Roll(_) if self.end.is_none() => Decision::Double,
            _ => Decision::Play,
        }
    }

    /// The cube as the player who decides sees it: its value and its owner.
    ///
    /// The first number is the logarithm of its value to base 2. The second one is 1 for the own
    /// cube, 0 in the middle, -1 for the other's.
    pub(crate) fn seen_cube(&self) -> [i8; 2] {
        let cube = self.game.cube_of(self.viewer());
        let owner = match cube.owner() {
            CubeOwner::Own => 1,
            CubeOwner::Centred => 0,
            CubeOwner::Opponent => -1,
        };
        [cube.log2() as i8, owner]
    }

    /// The board as the player who decides sees it, and the roll before a play; after the end of
    /// the game the last board.
    pub(crate) fn seen(&self) -> (Position, Option<Dice>) {
        (self.game.seen_by(self.viewer()), self.game.dice())
    }

    /// Who sees the board: the player who decides; after the end of the game who would be on roll,
    /// or has doubled.
    fn viewer(&self) -> Seat {
        if self.end.is_some() { self.game.state.on_roll } else { self.actor() }
    }

    /// The legal results; none after the end of the game and before the roll.
    pub(crate) fn legal(&self) -> &[Position] {
        if self.end.is_none() && self.game.dice().is_some() { self.results.as_slice() } else { &[] }
    }

    /// The number of legal actions.
    pub(crate) fn actions(&self) -> usize {
        match self.decision() {
            Decision::Play => self.legal().len(),
            Decision::Double | Decision::Answer => CUBE_ACTIONS,
        }
    }
}
