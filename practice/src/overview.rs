//! A deck in numbers.

use serde::Serialize;

use crate::shares::tally_of;
use crate::{AnswerCourse, Deck, LossShares, MissedCard, PracticeProgress, TestProgress};

/// A deck in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PracticeOverview {
    /// The player.
    pub player: String,
    /// Matches that were taken up.
    pub matches: usize,
    /// Decisions of the player in them.
    pub decisions: u32,
    /// The PR over all of them and half of its 95 % interval; `None` without a decision.
    pub pr: Option<[f64; 2]>,
    /// Cards.
    pub cards: usize,
    /// Cards that are asked now.
    pub due: usize,
    /// When the next card comes, in Unix seconds; `None` if no card was answered yet.
    pub next_due: Option<i64>,
    /// Answers that were given.
    pub answers: usize,
    /// What each kind of mistake has cost.
    pub shares: LossShares,
    /// How that changes.
    pub progress: PracticeProgress,
    /// How often answers are right over time.
    pub course: Vec<AnswerCourse>,
    /// Cards with several wrong answers.
    pub missed: Vec<MissedCard>,
    /// New positions that were drawn and not answered yet.
    pub drawn: usize,
    /// Tests of new positions.
    pub tests: TestProgress,
}

impl PracticeOverview {
    /// The numbers of a deck at a time, in Unix seconds.
    #[must_use]
    pub fn of(deck: &Deck, now: i64) -> PracticeOverview {
        let tally = tally_of(&deck.matches, None);
        let pr = tally.pr().map(|pr| [pr.mean, pr.half95()]);
        PracticeOverview {
            player: deck.player.clone(),
            matches: deck.matches.len(),
            decisions: tally.decisions,
            pr: pr.filter(|pr| pr[1].is_finite()),
            cards: deck.cards.len(),
            due: deck.due(now).len(),
            next_due: deck.next_due(),
            answers: deck.answers.len(),
            shares: LossShares::of(&deck.matches),
            progress: PracticeProgress::of(deck),
            course: AnswerCourse::of(deck),
            missed: MissedCard::of(deck),
            drawn: deck.drawn.len(),
            tests: TestProgress::of(deck),
        }
    }
}
