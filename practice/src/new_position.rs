//! New positions of the same kind as a card, from self-play, with certain answers.

use std::collections::HashSet;

use nonet_engine::analysis::{CLOSE, Severity};
use nonet_engine::backgammon::{CubeOffer, Dice, GameState, MatchState, Position, Seat, Turn};
use nonet_engine::cube::{CubeContext, CubeDecision};
use nonet_engine::engine::{Engine, ScoredMove};
use nonet_engine::game::{GameRunner, StreamPurpose, stream};
use nonet_engine::progress::Progress;
use nonet_engine::search::Plies;
use nonet_engine::strength::{ComparedPlay, HumanChoice};
use nonet_report::play_of;

use crate::{Card, CardFigures, CardOrigin, GamePlan, Mistake, MistakeKind};

/// The best decision is ahead of the next one by this much, in points on a cube at 1, at each
/// depth.
const AHEAD: f32 = Severity::Bad.limit();
/// A cube decision that tempts is ahead by at most this, in points on a cube at 1.
const TEMPTS: f32 = 2.5 * AHEAD;

/// The largest chance that people find the best play.
const FOUND: f64 = 0.8;

/// A turn of a game of self-play.
struct SeenTurn {
    before: Position,
    dice: Dice,
    /// The number of the roll, from 1.
    number: usize,
}

/// What position is wanted.
pub(crate) struct WantedPosition<'a> {
    /// The card that has its score and cube, its kind of game and its idea.
    pub(crate) like: &'a Card,
    /// Positions that are not drawn again.
    pub(crate) known: &'a HashSet<String>,
    /// What makes a good question; `None` takes easy ones, too.
    pub(crate) hard: Option<HardQuestion>,
}

/// What makes a good question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HardQuestion {
    /// A best play has to be hard to find for these people.
    pub(crate) people: HumanChoice,
    /// Whether a double, or a pass, has to be right.
    pub(crate) is_called: bool,
}

/// Looks through a game of self-play for a position that is not known. `number` is that of the game
/// in the streams of the seed. The position has the score and cube of `like`, its kind of game and
/// its idea, missed or wrong. The best decision is ahead by 0.08 points at 1-ply and at the depth
/// of `engine`, at least at 2-ply. If it is to be hard, people find a best play in eight of ten
/// cases at most. A cube decision is then the one that is wanted, ahead by at most 0.2 points.
///
/// `None` if there is none, the score is beyond the match equity table, or the work was stopped.
pub(crate) fn new_position(
    engine: &Engine,
    wanted: &WantedPosition<'_>,
    [seed, number]: [u64; 2],
    progress: &Progress,
) -> Option<Card> {
    let asked = wanted.like.state().ok()?;
    let context = engine.context(asked.state.scoring, asked.state.cube).ok()?;
    let quick = engine.on_the_callers_thread().with_plies(Plies::ONE).with_cube_plies(Plies::ONE);
    let search = Looking { quick: &quick, engine, wanted, context };
    let player = quick.player();
    let [mut dice, mut choices] =
        [StreamPurpose::Start, StreamPurpose::Choice].map(|what| stream(seed, what, number));
    let mut turns: Vec<SeenTurn> = Vec::new();
    let mut runner = GameRunner::default();
    let _ = runner.play_seen([&*player, &*player], &mut dice, &mut choices, |turn| {
        let (before, dice, number) = (*turn.before, turn.dice, turns.len() + 1);
        turns.push(SeenTurn { before, dice, number });
    });
    turns.iter().take_while(|_| !progress.is_stopped()).find_map(|turn| search.card(turn))
}

/// A question with a certain answer.
struct Found {
    state: GameState,
    mistake: Mistake,
    made: String,
    best: String,
    loss: f32,
    figures: CardFigures,
}

/// A search for a position.
struct Looking<'a> {
    quick: &'a Engine,
    engine: &'a Engine,
    wanted: &'a WantedPosition<'a>,
    /// Seen by the player on roll.
    context: CubeContext,
}

impl Looking<'_> {
    /// The turn as a card, if it is of the kind that is wanted and its answer is certain.
    fn card(&self, turn: &SeenTurn) -> Option<Card> {
        if GamePlan::of(&turn.before, turn.number) != self.wanted.like.kind.plan {
            return None;
        }
        let found = match self.wanted.like.kind.mistake {
            Mistake::WrongTake | Mistake::WrongPass => self.answer(turn)?,
            mistake if mistake.is_cube() => self.double(turn)?,
            _ => self.play(turn)?,
        };
        let xgid = found.state.xgid();
        let Found { mistake, made, best, loss, figures, .. } = found;
        (xgid != self.wanted.like.xgid && !self.wanted.known.contains(&xgid)).then_some(Card {
            xgid,
            kind: MistakeKind { mistake, ..self.wanted.like.kind },
            made,
            best,
            loss,
            origin: CardOrigin::SelfPlay,
            figures: Some(figures),
            memory: None,
        })
    }

    fn play(&self, turn: &SeenTurn) -> Option<Found> {
        let first = self.quick.rank(&turn.before, turn.dice, &self.context);
        let [best, second, ..] = first.as_slice() else { return None };
        let idea = |[made, best]: [&ScoredMove; 2]| {
            Mistake::of_play(&turn.before, [made.after(), best.after()])
        };
        let is_wanted = idea([second, best]).idea() == self.wanted.like.kind.mistake.idea();
        if !is_wanted || best.equity - second.equity < AHEAD {
            return None;
        }
        let is_easy = |people: HumanChoice| {
            let compared: Vec<ComparedPlay> = first.iter().map(ComparedPlay::from).collect();
            people.chances(&turn.before, turn.dice, &compared)[0] > FOUND
        };
        if self.wanted.hard.is_some_and(|hard| is_easy(hard.people)) {
            return None;
        }
        let deep = self.engine.with_plies(at_least_two(self.engine.plies()));
        let mut plays = deep.rank(&turn.before, turn.dice, &self.context);
        let [sure, next, ..] = plays.as_slice() else { return None };
        // The move filters may have left one of the two plays at a lower depth.
        if sure.plies < deep.plies() || next.plies < deep.plies() {
            let pair = [&sure.candidate, &next.candidate];
            [plays[0], plays[1]] = deep.compare(pair, &self.context);
        }
        let [sure, next] = [&plays[0], &plays[1]];
        let loss = sure.equity - next.equity;
        let mistake = idea([next, sure]);
        let certain = sure.after() == best.after()
            && loss >= AHEAD
            && mistake.idea() == self.wanted.like.kind.mistake.idea();
        let state = self.state(turn.before, Turn::Rolled(turn.dice), Seat::X);
        certain.then(|| Found {
            state,
            mistake,
            made: play_of(next),
            best: play_of(sure),
            loss,
            figures: CardFigures::of_best(&plays),
        })
    }

    fn double(&self, turn: &SeenTurn) -> Option<Found> {
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
        let tempts = gain(&sure).abs() < self.most_ahead(2.0 * CLOSE);
        tempts.then(|| self.found(state, mistake, made, sure, gain(&sure)))
    }

    fn answer(&self, turn: &SeenTurn) -> Option<Found> {
        if !self.context.may_double() {
            return None;
        }
        let over = |decision: &CubeDecision| decision.double_take - decision.double_pass;
        let sure = self.certain(turn, over)?;
        // The double itself is no great mistake.
        let lost = sure.no_double - sure.double_take.min(sure.double_pass);
        if lost > AHEAD || over(&sure).abs() > self.most_ahead(4.0 * CLOSE) {
            return None;
        }
        let state = self.state(turn.before, Turn::Offered(CubeOffer::Double), Seat::O);
        let (mistake, made) = match over(&sure) > 0.0 {
            true => (Mistake::WrongTake, "take"),
            false => (Mistake::WrongPass, "drop"),
        };
        Some(self.found(state, mistake, made, sure, over(&sure)))
    }

    /// The largest lead of a cube decision: `easy` unless the question is to be hard.
    fn most_ahead(&self, easy: f32) -> f32 {
        if self.wanted.hard.is_some() { TEMPTS } else { easy }
    }

    /// The decision at the depth of the engine, if it is certain.
    ///
    /// It is if `value` is at least `AHEAD` from 0 at 1-ply and at that depth, on the same side.
    /// For a hard question this must be the side that is wanted.
    fn certain(
        &self,
        turn: &SeenTurn,
        value: impl Fn(&CubeDecision) -> f32,
    ) -> Option<CubeDecision> {
        let first = value(&self.quick.cube_decision(&turn.before, &self.context));
        let is_other = |hard: HardQuestion| hard.is_called != (first > 0.0);
        if first.abs() < AHEAD || self.wanted.hard.is_some_and(is_other) {
            return None;
        }
        let deep = self.engine.with_cube_plies(at_least_two(self.engine.cube_plies()));
        let sure = deep.cube_decision(&turn.before, &self.context);
        let second = value(&sure);
        (second.abs() >= AHEAD && second.is_sign_positive() == first.is_sign_positive())
            .then_some(sure)
    }

    fn found(
        &self,
        state: GameState,
        mistake: Mistake,
        made: &str,
        decision: CubeDecision,
        lead: f32,
    ) -> Found {
        let plies = at_least_two(self.engine.cube_plies());
        let figures = CardFigures::Cube { decision, plies };
        let (made, best, loss) = (made.to_owned(), decision.to_string(), lead.abs());
        Found { state, mistake, made, best, loss, figures }
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
fn at_least_two(plies: Plies) -> Plies {
    plies.max(Plies::TWO)
}
