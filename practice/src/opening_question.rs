//! Opening rolls and replies as questions.

use std::collections::{HashMap, HashSet};

use nonet_engine::analysis::Severity;
use nonet_engine::backgammon::{Dice, GameState, Position};
use nonet_engine::engine::Engine;
use nonet_engine::game::{StreamPurpose, stream};
use nonet_engine::search::Plies;
use nonet_report::play_of;
use rand::RngCore;

use crate::{Card, CardFigures, CardOrigin, GamePlan, Mistake, MistakeKind, ScoreKind};

/// A roll in the start position, or in the position after the best play of another roll.
#[derive(Clone, Copy, Debug)]
struct OpeningQuestion {
    /// The opponent's opening roll; `None` if the roll is the first.
    reply_to: Option<Dice>,
    dice: Dice,
}

/// The questions that are still to be asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Openings {
    /// The next one last.
    questions: Vec<OpeningQuestion>,
    /// The positions after the best plays of opening rolls, as far as they were needed.
    after: HashMap<Dice, Position>,
}

impl Openings {
    /// All of them: opening rolls before replies, in an order that follows from the seed.
    pub(crate) fn new(seed: u64) -> Openings {
        Openings { questions: opening_questions(seed), after: HashMap::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }

    /// The next question for money, with the plays at the depth of `engine`, at least at 2-ply.
    /// `None` for one that is known, and for a reply where no play is ahead by 0.04 points.
    pub(crate) fn next(&mut self, known: &HashSet<String>, engine: &Engine) -> Option<Card> {
        let OpeningQuestion { reply_to, dice } = self.questions.pop()?;
        let engine = engine.with_plies(engine.plies().max(Plies::TWO));
        let start = GameState::money(Position::START);
        let context = engine.context(start.state.scoring, start.state.cube).ok()?;
        let before = match reply_to {
            None => start.position,
            Some(first) => match self.after.get(&first) {
                Some(after) => *after,
                None => {
                    let after = *engine.rank(&start.position, first, &context).first()?.after();
                    self.after.insert(first, after);
                    after
                }
            },
        };
        let xgid = GameState::money(before).with_dice(dice).xgid();
        if known.contains(&xgid) {
            return None;
        }
        let plays = engine.rank(&before, dice, &context);
        let [best, second, ..] = plays.as_slice() else { return None };
        let loss = best.equity - second.equity;
        let is_worth_asking = Severity::reaches(loss, Severity::Doubtful.limit());
        (reply_to.is_none() || is_worth_asking).then(|| Card {
            xgid,
            kind: MistakeKind {
                plan: GamePlan::of(&before, if reply_to.is_none() { 1 } else { 2 }),
                mistake: Mistake::of_play(&before, [second.after(), best.after()]),
                score: ScoreKind::Money,
            },
            made: play_of(second),
            best: play_of(best),
            loss,
            origin: CardOrigin::SelfPlay,
            figures: Some(CardFigures::of_best(&plays)),
            memory: None,
        })
    }
}

/// All questions, the next one last.
fn opening_questions(seed: u64) -> Vec<OpeningQuestion> {
    let rolls = || Dice::ALL.into_iter().filter(|dice| !dice.is_double());
    let first = rolls().map(|dice| OpeningQuestion { reply_to: None, dice });
    let replies = rolls().flat_map(|first| {
        Dice::ALL.into_iter().map(move |dice| OpeningQuestion { reply_to: Some(first), dice })
    });
    let mut order = stream(seed, StreamPurpose::Choice, 0);
    let mut all: Vec<(bool, u64, OpeningQuestion)> = replies
        .chain(first)
        .map(|question| (question.reply_to.is_none(), order.next_u64(), question))
        .collect();
    all.sort_by_key(|&(is_first, place, _)| (is_first, place));
    all.into_iter().map(|(_, _, question)| question).collect()
}
