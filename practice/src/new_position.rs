//! New positions of the same kind as a card, from self-play, with certain answers.

use nonet_engine::analysis::{CLOSE, Severity};
use nonet_engine::backgammon::{CubeOffer, Dice, GameState, MatchState, Position, Seat, Turn};
use nonet_engine::cube::{CubeContext, CubeDecision};
use nonet_engine::engine::{Engine, ScoredMove};
use nonet_engine::game::{GameRunner, StreamPurpose, stream};
use nonet_engine::progress::Progress;
use nonet_engine::search::Plies;
use nonet_report::play_of;

use crate::{Card, CardOrigin, GamePlan, Mistake, MistakeKind};

/// Games of self-play that are looked through.
const GAMES: u64 = 60;
/// Games have numbers of their own for each position that is wanted.
const STRIDE: u64 = 1 << 20;
/// The best decision is ahead of the next one by this much, in points on a cube at 1, at each
/// depth.
const AHEAD: f32 = Severity::Bad.limit();

/// A turn of a game of self-play.
struct SeenTurn {
    before: Position,
    dice: Dice,
    /// The number of the roll, from 1.
    number: usize,
}

/// Draws a new position for the score and cube of `like`, of the same kind of game and about the
/// same idea, missed or wrong. Its best decision is ahead by 0.08 points at 1-ply and at the
/// depth of `engine`, at least at 2-ply. `index` numbers the positions of a seed.
///
/// `None` if no such position occurs in 60 games, the score is beyond the match equity table, or
/// the work was stopped.
#[must_use]
pub fn new_position(
    engine: &Engine,
    like: &Card,
    seed: u64,
    index: u64,
    progress: &Progress,
) -> Option<Card> {
    let asked = like.state().ok()?;
    let context = engine.context(asked.state.scoring, asked.state.cube).ok()?;
    let quick = engine.on_the_callers_thread().with_plies(Plies::ONE).with_cube_plies(Plies::ONE);
    let search = Wanted { quick: &quick, engine, like, context };
    let player = quick.player();
    let mut runner = GameRunner::default();
    for game in 0..GAMES {
        let number = index.wrapping_mul(STRIDE).wrapping_add(game);
        let [mut dice, mut choices] =
            [StreamPurpose::Start, StreamPurpose::Choice].map(|what| stream(seed, what, number));
        let mut turns: Vec<SeenTurn> = Vec::new();
        let _ = runner.play_seen([&*player, &*player], &mut dice, &mut choices, |turn| {
            let (before, dice, number) = (*turn.before, turn.dice, turns.len() + 1);
            turns.push(SeenTurn { before, dice, number });
        });
        for turn in &turns {
            if progress.is_stopped() {
                return None;
            }
            if let Some(card) = search.card(turn) {
                return Some(card);
            }
        }
    }
    None
}

/// What is looked for.
struct Wanted<'a> {
    quick: &'a Engine,
    engine: &'a Engine,
    like: &'a Card,
    /// Seen by the player on roll.
    context: CubeContext,
}

impl Wanted<'_> {
    /// The turn as a card, if it is of the kind that is wanted and its answer is certain.
    fn card(&self, turn: &SeenTurn) -> Option<Card> {
        if GamePlan::of(&turn.before, turn.number) != self.like.kind.plan {
            return None;
        }
        let (state, mistake, made, best, loss) = match self.like.kind.mistake {
            Mistake::WrongTake | Mistake::WrongPass => self.answer(turn)?,
            mistake if mistake.is_cube() => self.double(turn)?,
            _ => self.play(turn)?,
        };
        let kind = MistakeKind { mistake, ..self.like.kind };
        let xgid = state.xgid();
        let origin = CardOrigin::SelfPlay;
        (xgid != self.like.xgid).then_some(Card {
            xgid,
            kind,
            made,
            best,
            loss,
            origin,
            memory: None,
        })
    }

    fn play(&self, turn: &SeenTurn) -> Option<(GameState, Mistake, String, String, f32)> {
        let plays = self.quick.rank(&turn.before, turn.dice, &self.context);
        let [best, second, ..] = plays.as_slice() else { return None };
        let idea = |[made, best]: [&ScoredMove; 2]| {
            Mistake::of_play(&turn.before, [made.after(), best.after()])
        };
        let is_wanted = idea([second, best]).idea() == self.like.kind.mistake.idea();
        if !is_wanted || best.equity - second.equity < AHEAD {
            return None;
        }
        let deep = self.engine.with_plies(sure(self.engine.plies()));
        let deep = deep.rank(&turn.before, turn.dice, &self.context);
        let [sure, next, ..] = deep.as_slice() else { return None };
        let loss = sure.equity - next.equity;
        let mistake = idea([next, sure]);
        let certain = sure.after() == best.after()
            && loss >= AHEAD
            && mistake.idea() == self.like.kind.mistake.idea();
        let state = self.state(turn.before, Turn::Rolled(turn.dice), Seat::X);
        certain.then(|| (state, mistake, play_of(next), play_of(sure), loss))
    }

    fn double(&self, turn: &SeenTurn) -> Option<(GameState, Mistake, String, String, f32)> {
        if !self.context.may_double() {
            return None;
        }
        let gain = |decision: &CubeDecision| {
            decision.double_take.min(decision.double_pass) - decision.no_double
        };
        let sure = self.certain(turn, gain)?;
        let state = self.state(turn.before, Turn::ToRoll, Seat::X);
        let (mistake, made) = match gain(&sure) > 0.0 {
            true => (Mistake::MissedDouble, "no double"),
            false => (Mistake::WrongDouble, "double"),
        };
        // An absurd double teaches nothing.
        let tempts = gain(&sure).abs() < 2.0 * CLOSE;
        tempts.then(|| (state, mistake, made.to_owned(), sure.to_string(), gain(&sure).abs()))
    }

    fn answer(&self, turn: &SeenTurn) -> Option<(GameState, Mistake, String, String, f32)> {
        if !self.context.may_double() {
            return None;
        }
        let over = |decision: &CubeDecision| decision.double_take - decision.double_pass;
        let sure = self.certain(turn, over)?;
        // The double itself is no great mistake.
        let lost = sure.no_double - sure.double_take.min(sure.double_pass);
        if lost > AHEAD || over(&sure).abs() > 4.0 * CLOSE {
            return None;
        }
        let state = self.state(turn.before, Turn::Offered(CubeOffer::Double), Seat::O);
        let (mistake, made) = match over(&sure) > 0.0 {
            true => (Mistake::WrongTake, "take"),
            false => (Mistake::WrongPass, "drop"),
        };
        Some((state, mistake, made.to_owned(), sure.to_string(), over(&sure).abs()))
    }

    /// The decision at the depth of the engine, if `value` is as far from 0 at 1-ply, on the same
    /// side.
    fn certain(
        &self,
        turn: &SeenTurn,
        value: impl Fn(&CubeDecision) -> f32,
    ) -> Option<CubeDecision> {
        let first = value(&self.quick.cube_decision(&turn.before, &self.context));
        if first.abs() < AHEAD {
            return None;
        }
        let deep = self.engine.with_cube_plies(sure(self.engine.cube_plies()));
        let sure = deep.cube_decision(&turn.before, &self.context);
        let second = value(&sure);
        (second.abs() >= AHEAD && second.is_sign_positive() == first.is_sign_positive())
            .then_some(sure)
    }

    /// The question, X to decide.
    fn state(&self, position: Position, turn: Turn, on_roll: Seat) -> GameState {
        let scoring = self.context.scoring.session();
        let cube = self.context.cube;
        GameState {
            position,
            state: MatchState { cube, on_roll, turn, ..MatchState::new(scoring) },
        }
    }
}

/// The depth that confirms an answer.
fn sure(plies: Plies) -> Plies {
    plies.max(Plies::TWO)
}
