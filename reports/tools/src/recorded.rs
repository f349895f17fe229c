//! Decisions of recorded matches, with cube and score, and what players choose in them.

use nonet::analysis::{AnalysedDecision, DecisionKind};
use nonet::backgammon::{Candidate, Dice, GameState, Seat, Turn};
use nonet::engine::{CubeContext, Engine};
use nonet::search::Plies;

use crate::gnubg_text::{Equities, answers, best_play, cube_equities, losses};

/// Depths of nonet, 1 to this; gnubg's are 0 to one less.
const DEPTHS: u8 = 3;

/// What is decided.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A play of a roll.
    Play(Dice),
    /// Whether to double.
    Double,
    /// Whether to take a double that was made.
    Answer,
}

impl Kind {
    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Play(_) => "play",
            Kind::Double => "double",
            Kind::Answer => "answer",
        }
    }
}

/// What a player chooses.
#[derive(Clone)]
pub enum Choice {
    /// A play.
    Play(Candidate),
    /// What the equities of the cube make it do.
    Cube(Equities),
}

/// A decision, and the choices of the players.
#[derive(Clone)]
pub struct Question {
    /// What is decided.
    pub kind: Kind,
    /// Before the play or the double, with a roll to play or to be rolled; seen by the player on
    /// roll, who is X.
    pub state: GameState,
    /// Score and cube, seen by the player on roll.
    pub context: CubeContext,
    /// Of each player.
    pub choices: Vec<Choice>,
}

impl Question {
    /// A decision of a match; `None` for a play that is forced.
    #[must_use]
    pub fn of(decision: &AnalysedDecision, engine: &Engine) -> Option<Question> {
        let (kind, turn) = match &decision.what {
            DecisionKind::Play(play) if play.legal > 1 => {
                (Kind::Play(play.dice), Turn::Rolled(play.dice))
            }
            DecisionKind::Play(_) => return None,
            DecisionKind::CubeCall(call) if call.call.is_answer() => (Kind::Answer, Turn::ToRoll),
            DecisionKind::CubeCall(_) => (Kind::Double, Turn::ToRoll),
        };
        let mut state = decision.state();
        (state.state.on_roll, state.state.turn) = (Seat::X, turn);
        Some(Question::new(kind, state, engine))
    }

    /// The decision of a row `KIND,XGID` or longer, as measuring programs write it.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn of_row(row: &str, engine: &Engine) -> Question {
        let mut cells = row.split(',');
        let mut next = || cells.next().expect("a kind and an XGID");
        let (kind, state) = (next(), next().parse::<GameState>().expect("an XGID"));
        let kind = match (kind, state.dice()) {
            ("play", Some(dice)) => Kind::Play(dice),
            ("double", None) => Kind::Double,
            ("answer", None) => Kind::Answer,
            _ => panic!("{row}"),
        };
        Question::new(kind, state, engine)
    }

    fn new(kind: Kind, state: GameState, engine: &Engine) -> Question {
        let context = engine.context(state.state.scoring, state.state.cube).expect("in reach");
        Question { kind, state, context, choices: Vec::new() }
    }

    fn nonet(&self, engine: &Engine) -> Choice {
        match self.kind {
            Kind::Play(dice) => {
                Choice::Play(engine.best(&self.state.position, dice, &self.context).candidate)
            }
            _ => {
                let decision = engine.cube_decision(&self.state.position, &self.context);
                Choice::Cube([decision.no_double, decision.double_take])
            }
        }
    }

    fn gnubg(&self, answer: &str) -> Choice {
        let position = &self.state.position;
        match self.kind {
            Kind::Play(dice) => {
                let play = best_play(answer).unwrap_or_else(|| panic!("{}: {answer}", self.state));
                let read = position.read_play(play, dice);
                Choice::Play(read.unwrap_or_else(|error| panic!("{}: {error}", self.state)))
            }
            _ => Choice::Cube(
                cube_equities(answer).unwrap_or_else(|| panic!("{}: {answer}", self.state)),
            ),
        }
    }

    /// Whether the players do not all choose the same, and no play of theirs ends the game. Whoever
    /// can make such a play makes it.
    #[must_use]
    pub fn disputed(&self) -> bool {
        let differ = self.choices.iter().any(|choice| !self.same(choice, &self.choices[0]));
        differ && !self.afters().iter().any(GameState::is_over)
    }

    fn same(&self, one: &Choice, other: &Choice) -> bool {
        match (one, other) {
            (Choice::Play(one), Choice::Play(other)) => one.after == other.after,
            (Choice::Cube(one), Choice::Cube(other)) => self.acts(*one) == self.acts(*other),
            _ => false,
        }
    }

    /// Whether a player with these equities doubles, or takes.
    #[must_use]
    pub fn acts(&self, [no_double, take]: Equities) -> bool {
        match self.kind {
            Kind::Answer => take <= 1.0,
            _ => take.min(1.0) > no_double,
        }
    }

    /// The plays that players chose, each once.
    #[must_use]
    pub fn plays(&self) -> Vec<Candidate> {
        let mut all: Vec<Candidate> = Vec::new();
        for choice in &self.choices {
            let Choice::Play(candidate) = choice else { continue };
            if all.iter().all(|play| play.after != candidate.after) {
                all.push(candidate.clone());
            }
        }
        all
    }

    /// The states after these plays, seen by the opponent, who is on roll and X.
    #[must_use]
    pub fn afters(&self) -> Vec<GameState> {
        let of = |play: &Candidate| {
            let mut after = self.state.after(play.after);
            after.state.on_roll = Seat::X;
            after
        };
        self.plays().iter().map(of).collect()
    }

    /// What each player loses, given what a judge says: the values of [`Question::plays`], or of no
    /// double and a double that is taken.
    #[must_use]
    pub fn losses(&self, judged: &[f32]) -> Vec<f64> {
        match self.kind {
            Kind::Play(_) => {
                let plays = self.plays();
                let best = judged.iter().copied().fold(f32::MIN, f32::max);
                let of = |choice: &Choice| {
                    let Choice::Play(candidate) = choice else { unreachable!("a play") };
                    let same = |play: &Candidate| play.after == candidate.after;
                    f64::from(best - judged[plays.iter().position(same).expect("judged")])
                };
                self.choices.iter().map(of).collect()
            }
            Kind::Double | Kind::Answer => {
                let part = usize::from(self.kind == Kind::Answer);
                let of = |choice: &Choice| {
                    let Choice::Cube(own) = choice else { unreachable!("a cube decision") };
                    losses(*own, [judged[0], judged[1]])[part]
                };
                self.choices.iter().map(of).collect()
            }
        }
    }
}

/// The names of the players: nonet at 1 to 3 plies, and GNU Backgammon at its 0 to 2.
#[must_use]
pub fn players() -> Vec<String> {
    let of = |program: &'static str| (1..=DEPTHS).map(move |plies| format!("{program}:{plies}"));
    of("nonet").chain(of("gnubg")).collect()
}

/// Asks all players; cube decisions at the depth of plays.
///
/// # Panics
/// If GNU Backgammon does not answer.
pub fn ask(questions: &mut [Question], engine: &Engine) {
    for plies in 1..=DEPTHS {
        let plies = Plies::new(plies).expect("1 to 4");
        let engine = engine.with_plies(plies).with_cube_plies(plies);
        questions.iter_mut().for_each(|question| question.choices.push(question.nonet(&engine)));
    }
    let xgids: Vec<String> = questions.iter().map(|question| question.state.to_string()).collect();
    for plies in 0..DEPTHS {
        let (answers, _) = answers(&xgids, "hint", plies);
        for (question, answer) in questions.iter_mut().zip(&answers) {
            let choice = question.gnubg(answer);
            question.choices.push(choice);
        }
    }
}
