//! What each kind of mistake has cost, and how that changes.

use std::collections::BTreeMap;

use nonet_engine::analysis::Tally;
use nonet_engine::stats::{Estimate, Z95};

use crate::answer_course::counted_answers;
use crate::{
    Deck, GamePlan, KindLoss, LoggedAnswer, Mistake, MistakeKind, PractisedMatch, ScoreKind,
};

/// The share of the loss that decisions of one name have.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct LossShare {
    /// The name.
    pub name: String,
    /// Those that an analysis marks: doubtful and worse.
    pub mistakes: u32,
    /// The loss of all decisions of the name, marked or not, in points on a cube at 1.
    pub loss: f64,
    /// The share of that in the whole loss, 0..=1.
    pub share: f64,
    /// The 95 % interval of the share.
    pub interval: [f64; 2],
}

/// The shares by game, by idea, by score, and by game and idea together.
///
/// Each list has the largest share first and leaves out what never occurred. It also leaves out a
/// share below half a per cent without a mistake that an analysis marks.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct LossShares {
    /// By the kind of game.
    pub plans: Vec<LossShare>,
    /// By the mistake.
    pub mistakes: Vec<LossShare>,
    /// By the score.
    pub scores: Vec<LossShare>,
    /// By game and idea.
    pub crossed: Vec<LossShare>,
}

/// Sums over decisions that lose something; `mistakes` counts those that an analysis marks.
#[derive(Clone, Copy, Default)]
struct Sums {
    mistakes: u32,
    loss: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, other: &KindLoss) {
        self.mistakes += other.mistakes;
        self.loss += other.loss;
        self.squares += other.squares;
    }

    /// The share of these among all. Its standard error is that of a ratio of two sums over the
    /// same decisions (the delta method), as if they were independent.
    fn share_of(&self, all: &Sums, name: String) -> LossShare {
        let share = self.loss / all.loss;
        let squares = (1.0 - 2.0 * share) * self.squares + share * share * all.squares;
        let half = Z95 * squares.max(0.0).sqrt() / all.loss;
        let interval = [(share - half).max(0.0), (share + half).min(1.0)];
        LossShare { name, mistakes: self.mistakes, loss: self.loss, share, interval }
    }
}

/// A smaller share without a mistake is not told.
const TOLD_SHARE: f64 = 0.005;

impl LossShares {
    /// The shares of all losses in the matches of a deck.
    #[must_use]
    pub fn of(matches: &[PractisedMatch]) -> LossShares {
        let losses: Vec<&KindLoss> = matches.iter().flat_map(|one| &one.losses).collect();
        let by = |name: &dyn Fn(&MistakeKind) -> String| -> Vec<LossShare> {
            let mut all = Sums::default();
            let mut named: BTreeMap<String, Sums> = BTreeMap::new();
            for loss in &losses {
                all.add(loss);
                named.entry(name(&loss.kind)).or_default().add(loss);
            }
            let share = |(name, sums): (String, Sums)| sums.share_of(&all, name);
            let mut shares: Vec<LossShare> = named.into_iter().map(share).collect();
            shares.retain(|share| share.mistakes > 0 || share.share >= TOLD_SHARE);
            shares.sort_by(|a, b| b.share.total_cmp(&a.share));
            shares
        };
        let plan = |plan: GamePlan| plan.name().to_owned();
        let mistake = |mistake: Mistake| mistake.name().to_owned();
        let score = |score: ScoreKind| score.name().to_owned();
        LossShares {
            plans: by(&|kind| plan(kind.plan)),
            mistakes: by(&|kind| mistake(kind.mistake)),
            scores: by(&|kind| score(kind.score)),
            crossed: by(&|kind| format!("{}, {}", kind.plan.name(), kind.mistake.name())),
        }
    }
}

/// A mean before and after the middle of a record.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct BeforeAndAfter {
    /// What is measured.
    pub name: String,
    /// In the earlier half, its mean and half of its 95 % interval; `None` without values.
    pub earlier: Option<[f64; 2]>,
    /// In the later half.
    pub later: Option<[f64; 2]>,
}

/// How a player changes: PR in the earlier and the later half of the matches, and what answers
/// lose.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct PracticeProgress {
    /// PR of all decisions, then by the kind of game.
    pub matches: Vec<BeforeAndAfter>,
    /// The mean loss of an answer: to cards, and to new positions. An answer within twelve hours of
    /// one to the same question does not count.
    pub answers: Vec<BeforeAndAfter>,
}

impl PracticeProgress {
    /// By the matches and the answers of a deck.
    #[must_use]
    pub fn of(deck: &Deck) -> PracticeProgress {
        let mut matches: Vec<&PractisedMatch> = deck.matches.iter().collect();
        matches.sort_by(|a, b| a.date.cmp(&b.date));
        let (early, late) = matches.split_at(matches.len() / 2);
        let row = |name: &str, plan: Option<GamePlan>| {
            let [earlier, later] = [early, late].map(|half| pr_of(half, plan));
            BeforeAndAfter { name: name.to_owned(), earlier, later }
        };
        let plans = GamePlan::ALL.into_iter().map(|plan| row(plan.name(), Some(plan)));
        let known = |row: &BeforeAndAfter| row.earlier.is_some() || row.later.is_some();
        let counted = counted_answers(deck);
        let answers = [("cards", false), ("new positions", true)].map(|(name, new)| {
            let all: Vec<&LoggedAnswer> =
                counted.iter().copied().filter(|answer| answer.new == new).collect();
            let (early, late) = all.split_at(all.len() / 2);
            let [earlier, later] = [early, late].map(mean_loss);
            BeforeAndAfter { name: name.to_owned(), earlier, later }
        });
        PracticeProgress {
            matches: match matches.len() {
                0 | 1 => Vec::new(),
                _ => [row("all decisions", None)].into_iter().chain(plans).filter(known).collect(),
            },
            answers: answers.into_iter().filter(known).collect(),
        }
    }
}

fn pr_of(matches: &[&PractisedMatch], plan: Option<GamePlan>) -> Option<[f64; 2]> {
    tally_of(matches.iter().copied(), plan).pr().and_then(shown)
}

/// The decisions of the matches and what they lost, of one kind of game or of all.
pub(crate) fn tally_of<'a>(
    matches: impl IntoIterator<Item = &'a PractisedMatch>,
    plan: Option<GamePlan>,
) -> Tally {
    let belongs = |of: GamePlan| plan.is_none_or(|plan| plan == of);
    let mut tally = Tally::default();
    for one in matches {
        let decisions = one.decisions.iter().filter(|(plan, _)| belongs(*plan));
        tally.decisions += decisions.map(|(_, count)| count).sum::<u32>();
        for loss in one.losses.iter().filter(|loss| belongs(loss.kind.plan)) {
            tally.loss += loss.loss;
            tally.squares += loss.squares;
        }
    }
    tally
}

fn mean_loss(answers: &[&LoggedAnswer]) -> Option<[f64; 2]> {
    shown(Estimate::from_values(answers.iter().map(|answer| f64::from(answer.loss))))
}

/// A mean and half of its interval, where both are known.
fn shown(estimate: Estimate) -> Option<[f64; 2]> {
    let half = estimate.half95();
    (estimate.n > 1 && half.is_finite()).then_some([estimate.mean, half])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(plan: GamePlan, mistake: Mistake, losses: &[f64]) -> KindLoss {
        let kind = MistakeKind { plan, mistake, score: ScoreKind::Money };
        KindLoss {
            kind,
            mistakes: losses.len() as u32,
            loss: losses.iter().sum(),
            squares: losses.iter().map(|loss| loss * loss).sum(),
        }
    }

    fn one(date: &str, losses: Vec<KindLoss>) -> PractisedMatch {
        PractisedMatch {
            key: 0,
            opponent: String::new(),
            length: None,
            date: date.to_owned(),
            decisions: vec![(GamePlan::Race, 10)],
            losses,
            beginnings: Vec::new(),
        }
    }

    #[test]
    fn shares_add_up_and_the_largest_comes_first() {
        let race = of(GamePlan::Race, Mistake::OtherPlay, &[0.1, 0.3]);
        let prime = of(GamePlan::Prime, Mistake::MissedHit, &[0.2, 0.2, 0.2]);
        let shares = LossShares::of(&[one("", vec![race]), one("", vec![prime])]);
        assert_eq!(shares.plans[0].name, "prime");
        assert!((shares.plans[0].share - 0.6).abs() < 1e-12);
        assert!((shares.plans.iter().map(|plan| plan.share).sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(shares.crossed[1].name, "race, other play");
        // By hand: each of the losses 0.1, 0.3, 0.2, 0.2, 0.2 is off by its loss times 0.6 or 0.4.
        let squares = 0.36 * (0.01 + 0.09) + 0.16 * (3.0 * 0.04);
        let half = Z95 * f64::sqrt(squares) / 1.0;
        assert!((shares.plans[0].interval[0] - (0.6 - half)).abs() < 1e-12, "{shares:?}");
    }

    #[test]
    fn without_losses_there_are_no_shares_and_one_kind_is_all() {
        assert_eq!(LossShares::of(&[]), LossShares::default());
        let only = of(GamePlan::Race, Mistake::OtherPlay, &[0.1]);
        let shares = LossShares::of(&[one("", vec![only])]);
        assert_eq!((shares.plans[0].share, shares.plans[0].interval), (1.0, [1.0, 1.0]));
    }

    #[test]
    fn halves_stand_in_the_order_of_dates() {
        let lost = |loss| vec![of(GamePlan::Race, Mistake::OtherPlay, &[loss])];
        let mut deck = Deck::new("ann");
        deck.matches = vec![one("2026-02-01", lost(0.2)), one("2026-01-01", lost(0.4))];
        let progress = PracticeProgress::of(&deck);
        assert_eq!(progress.matches[0].name, "all decisions");
        assert!((progress.matches[0].earlier.expect("a PR")[0] - 20.0).abs() < 1e-9);
        assert!((progress.matches[0].later.expect("a PR")[0] - 10.0).abs() < 1e-9);
        assert!(progress.answers.is_empty());
    }
}
