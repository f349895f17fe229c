//! One place where games are played one after the other, decision by decision.

use std::sync::Arc;

use nonet::backgammon::{Cube, CubeOwner, Outcome, Position, Results, Seat};
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
    /// The last board, seen by the player who would be on roll.
    position: Position,
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
    position: Position,
    roll: Dice,
    on_roll: Seat,
    /// Seen by seat 0.
    cube: Cube,
    decision: Decision,
    turns: usize,
    results: Results,
    values: Vec<Evaluation>,
    pub(crate) end: Option<End>,
}

impl Table {
    pub(crate) fn new(rules: &Rules, number: u64) -> Table {
        let mut table = Table {
            number,
            dice: stream(rules.seed, rules.purpose, number),
            // As the programs that play such games make it.
            choices: stream(rules.seed ^ rules.purpose as u64, StreamPurpose::Choice, number),
            position: Position::START,
            roll: Dice::ALL[1],
            on_roll: Seat::X,
            cube: Cube::CENTRED,
            decision: Decision::Play,
            turns: 0,
            results: Results::default(),
            values: Vec::new(),
            end: None,
        };
        (table.on_roll, table.roll) = opening_roll(&mut table.dice);
        table.results.of(&table.position, table.roll);
        table
    }

    /// The opponent's decisions until the agent has one or the game ends.
    pub(crate) fn opponent_plays(&mut self, rules: &Rules) {
        let Some(opponent) = &rules.opponent else { return };
        while self.end.is_none() && self.actor() == Seat::O {
            let position = &self.position;
            let context = rules.scoring.as_ref().map(|scoring| CubeContext {
                scoring: scoring.clone(),
                cube: self.cube_seen_by(self.on_roll),
            });
            let choice = match (self.decision, &context) {
                (Decision::Double, Some(context)) => {
                    usize::from(opponent.doubles(&CubeChoice { position, context }))
                }
                (Decision::Answer, Some(context)) => {
                    let answer = opponent.answer(&CubeChoice { position, context });
                    usize::from(answer == Answer::Pass)
                }
                _ => {
                    let results = self.results.as_slice();
                    if results.len() == 1 {
                        0
                    } else {
                        let (dice, context) = (self.roll, context.as_ref());
                        let decision = MoveChoice { position, dice, results, context };
                        opponent.choose(&decision, &mut self.values, &mut self.choices)
                    }
                }
            };
            self.act(choice, rules);
        }
    }

    /// Carries out the action with this index, for whoever decides.
    pub(crate) fn act(&mut self, choice: usize, rules: &Rules) {
        match (self.decision, choice) {
            (Decision::Play, choice) => self.play(choice, rules),
            (Decision::Double, 0) => self.roll(),
            (Decision::Double, _) => self.decision = Decision::Answer,
            (Decision::Answer, 0) => {
                let doubled = self.cube_seen_by(self.on_roll).doubled();
                self.cube = if self.on_roll == Seat::X { doubled } else { doubled.flipped() };
                self.roll();
            }
            (Decision::Answer, _) => {
                let value = i32::try_from(self.cube.value()).expect("a cube is at most 2^30");
                self.finish(-value, false, self.position, rules);
            }
        }
    }

    /// Plays the result with this index.
    fn play(&mut self, choice: usize, rules: &Rules) {
        let after = self.results.as_slice()[choice];
        self.turns += 1;
        let won = after.outcome().map(Outcome::flipped);
        if won.is_some() || self.turns >= MAX_TURNS {
            let points = won.map_or(0, |outcome| match &rules.scoring {
                Some(scoring) if scoring.single_games(self.cube) => outcome.points().signum(),
                _ => outcome.points(),
            });
            let value = i32::try_from(self.cube.value()).expect("a cube is at most 2^30");
            self.finish(points.saturating_mul(value), won.is_none(), after, rules);
            return;
        }
        self.position = after;
        self.on_roll = self.on_roll.other();
        if rules.scoring.is_some() && self.cube_seen_by(self.on_roll).may_double() {
            self.decision = Decision::Double;
        } else {
            self.roll();
        }
    }

    /// Ends the game with the points of the player who acted last.
    fn finish(&mut self, points: i32, endless: bool, position: Position, rules: &Rules) {
        let agent = rules.opponent.is_none() || self.actor() == Seat::X;
        let points = if agent { points } else { -points };
        self.end = Some(End { points, endless, position });
    }

    fn roll(&mut self) {
        self.decision = Decision::Play;
        self.roll = roll(&mut self.dice);
        self.results.of(&self.position, self.roll);
    }

    /// Who decides: the player on roll, or who has been doubled.
    pub(crate) fn actor(&self) -> Seat {
        match self.decision {
            Decision::Answer => self.on_roll.other(),
            Decision::Play | Decision::Double => self.on_roll,
        }
    }

    const fn cube_seen_by(&self, seat: Seat) -> Cube {
        match seat {
            Seat::X => self.cube,
            Seat::O => self.cube.flipped(),
        }
    }

    /// What is to be decided; after the end of the game nothing but a play could be.
    pub(crate) const fn decision(&self) -> Decision {
        if self.end.is_some() { Decision::Play } else { self.decision }
    }

    /// The cube as the player who decides sees it: the logarithm of its value to base 2, and 1 for the own cube, 0 in the middle, -1 for
    /// the other's.
    pub(crate) fn seen_cube(&self) -> [i8; 2] {
        // The last board is seen by the player who would be on roll.
        let seat = if self.end.is_some() { self.last_viewer() } else { self.actor() };
        let cube = self.cube_seen_by(seat);
        let owner = match cube.owner() {
            CubeOwner::Own => 1,
            CubeOwner::Centred => 0,
            CubeOwner::Opponent => -1,
        };
        [cube.value().ilog2() as i8, owner]
    }

    /// Who sees the last board: after a pass the player who doubled, else the opponent of who played last.
    fn last_viewer(&self) -> Seat {
        match self.decision {
            Decision::Answer => self.on_roll,
            Decision::Play | Decision::Double => self.on_roll.other(),
        }
    }

    /// The board as the player who decides sees it, and the roll before a play; after the end of the game the last board.
    pub(crate) fn seen(&self) -> (Position, Option<Dice>) {
        match (self.end, self.decision) {
            (Some(end), _) => (end.position, None),
            (None, Decision::Play) => (self.position, Some(self.roll)),
            (None, Decision::Double) => (self.position, None),
            (None, Decision::Answer) => (self.position.flipped(), None),
        }
    }

    /// The legal results; none after the end of the game and before the roll.
    pub(crate) fn legal(&self) -> &[Position] {
        if self.end.is_none() && self.decision == Decision::Play {
            self.results.as_slice()
        } else {
            &[]
        }
    }

    /// The number of legal actions.
    pub(crate) fn actions(&self) -> usize {
        match self.decision() {
            Decision::Play => self.legal().len(),
            Decision::Double | Decision::Answer => CUBE_ACTIONS,
        }
    }
}
