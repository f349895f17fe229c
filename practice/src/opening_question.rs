//! Opening rolls and replies as questions.

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
pub(crate) struct OpeningQuestion {
    /// The opponent's opening roll; `None` if the roll is the first.
    reply_to: Option<Dice>,
    dice: Dice,
}

/// All questions, the next one last: opening rolls before replies.
pub(crate) fn opening_questions(seed: u64) -> Vec<OpeningQuestion> {
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

impl OpeningQuestion {
    /// The question for money, with the plays at the depth of `engine`, at least at 2-ply; `None` for
    /// a reply that is not ahead by 0.04 points.
    pub(crate) fn card(self, engine: &Engine) -> Option<Card> {
        let engine = engine.with_plies(engine.plies().max(Plies::TWO));
        let state = GameState::money(Position::START);
        let context = engine.context(state.state.scoring, state.state.cube).ok()?;
        let (before, number) = match self.reply_to {
            None => (state.position, 1),
            Some(first) => {
                let plays = engine.rank(&state.position, first, &context);
                (*plays.first()?.after(), 2)
            }
        };
        let plays = engine.rank(&before, self.dice, &context);
        let [best, second, ..] = plays.as_slice() else { return None };
        let loss = best.equity - second.equity;
        if self.reply_to.is_some() && loss < Severity::Doubtful.limit() {
            return None;
        }
        Some(Card {
            xgid: GameState::money(before).with_dice(self.dice).xgid(),
            kind: MistakeKind {
                plan: GamePlan::of(&before, number),
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
