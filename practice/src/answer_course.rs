//! How often answers are right over time, and which cards are missed again and again.

use std::collections::HashMap;

use serde::Serialize;

use crate::judge::grade_of;
use crate::{Deck, Grade, LoggedAnswer};

/// Answers of a block.
const BLOCK: usize = 10;
/// The last block may have fewer.
const LEAST: usize = 5;
/// The most blocks; a longer course has larger ones.
const MOST_BLOCKS: usize = 40;
/// An answer within this number of seconds of one to the same question is from short memory.
const SHORT: i64 = 12 * 3600;
/// The most cards that are told to be missed.
const MOST_MISSED: usize = 5;
/// A card is missed from this number of wrong answers on.
const MISSED: usize = 2;
/// A card with this number of right answers in a row is known.
const KNOWN: usize = 2;

/// Some answers in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerBlock {
    /// The time of the last one, in Unix seconds.
    pub time: i64,
    /// How many they are.
    pub answers: usize,
    /// How many of them are right: without a loss that an analysis marks.
    pub right: usize,
}

/// How often answers of one kind are right, ten or more at a time. An answer within twelve hours of
/// one to the same question does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerCourse {
    /// `cards` or `new positions`.
    pub name: String,
    /// The blocks, the oldest first.
    pub blocks: Vec<AnswerBlock>,
}

/// A card with several wrong answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissedCard {
    /// The question.
    pub xgid: String,
    /// Its kind: game, mistake, score.
    pub kind: String,
    /// Wrong answers.
    pub wrong: usize,
    /// All answers.
    pub answers: usize,
}

fn is_right(answer: &LoggedAnswer) -> bool {
    grade_of(answer.loss) != Grade::Again
}

/// The answers that tell what a player knows, not those within twelve hours of one to the same
/// question.
pub(crate) fn counted_answers(deck: &Deck) -> Vec<&LoggedAnswer> {
    let mut last: HashMap<&str, i64> = HashMap::new();
    let mut counted = Vec::new();
    for answer in &deck.answers {
        let before = last.insert(&answer.xgid, answer.time);
        if before.is_none_or(|before| answer.time.saturating_sub(before) >= SHORT) {
            counted.push(answer);
        }
    }
    counted
}

impl AnswerCourse {
    /// Those of cards and of new positions; a kind without a block is left out.
    #[must_use]
    pub fn of(deck: &Deck) -> Vec<AnswerCourse> {
        let counted = counted_answers(deck);
        let courses = [("cards", false), ("new positions", true)].map(|(name, new)| {
            let of_kind: Vec<&LoggedAnswer> =
                counted.iter().copied().filter(|answer| answer.new == new).collect();
            let size = BLOCK * of_kind.len().div_ceil(BLOCK * MOST_BLOCKS).max(1);
            let blocks = of_kind.chunks(size).filter_map(|block| {
                let last = block.last().filter(|_| block.len() >= LEAST)?;
                let right = block.iter().filter(|answer| is_right(answer)).count();
                Some(AnswerBlock { time: last.time, answers: block.len(), right })
            });
            AnswerCourse { name: name.to_owned(), blocks: blocks.collect() }
        });
        courses.into_iter().filter(|course| !course.blocks.is_empty()).collect()
    }
}

/// The answers to a question.
#[derive(Clone, Copy, Default)]
struct Answers {
    all: usize,
    wrong: usize,
    /// Right ones since the last wrong one.
    right_since: usize,
}

impl MissedCard {
    /// The cards of a deck with two wrong answers or more, those with most first; five at most. Two
    /// right answers in a row take a card from the list. An answer within twelve hours of one to
    /// the same question does not count.
    #[must_use]
    pub fn of(deck: &Deck) -> Vec<MissedCard> {
        let mut found: HashMap<&str, Answers> = HashMap::new();
        for answer in counted_answers(deck) {
            let answers = found.entry(&answer.xgid).or_default();
            answers.all += 1;
            if is_right(answer) {
                answers.right_since += 1;
            } else {
                answers.wrong += 1;
                answers.right_since = 0;
            }
        }
        let missed = deck.cards.iter().filter_map(|card| {
            let answers = found.get(card.xgid.as_str())?;
            (answers.wrong >= MISSED && answers.right_since < KNOWN).then(|| MissedCard {
                xgid: card.xgid.clone(),
                kind: card.kind.words(),
                wrong: answers.wrong,
                answers: answers.all,
            })
        });
        let mut missed: Vec<MissedCard> = missed.collect();
        missed.sort_by(|a, b| b.wrong.cmp(&a.wrong).then(a.answers.cmp(&b.answers)));
        missed.truncate(MOST_MISSED);
        missed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Card, CardOrigin, GamePlan, Mistake, MistakeKind, ScoreKind};

    const DAY: i64 = 86_400;

    fn deck_of(answers: impl Iterator<Item = (i64, &'static str, f32, bool)>) -> Deck {
        let kind = MistakeKind {
            plan: GamePlan::Prime,
            mistake: Mistake::MissedHit,
            score: ScoreKind::Money,
        };
        let mut deck = Deck::new("Ann");
        deck.answers.extend(answers.map(|(time, xgid, loss, new)| LoggedAnswer {
            time,
            xgid: xgid.to_owned(),
            kind,
            answer: "8/5 6/5".to_owned(),
            loss,
            new,
        }));
        for xgid in ["a", "b"] {
            deck.cards.push(Card {
                xgid: xgid.to_owned(),
                kind,
                made: String::new(),
                best: String::new(),
                loss: 0.1,
                origin: CardOrigin::SelfPlay,
                figures: None,
                memory: None,
            });
        }
        deck
    }

    #[test]
    fn answers_come_in_tens_and_those_of_the_same_hour_do_not_count() {
        // Twelve days: wrong on the first five, with a right answer an hour later.
        let day_by_day = (0..12).flat_map(|day| {
            let loss = if day < 5 { 0.2 } else { 0.0 };
            [(day * DAY, "a", loss, false), (day * DAY + 3600, "a", 0.0, false)]
        });
        let deck = deck_of(day_by_day);
        let [course] = <[AnswerCourse; 1]>::try_from(AnswerCourse::of(&deck)).expect("cards alone");
        // The two answers after the first ten are too few for a block.
        let block = AnswerBlock { time: 9 * DAY, answers: 10, right: 5 };
        assert_eq!((course.name.as_str(), course.blocks), ("cards", vec![block]));
        let many = deck_of((0..5000).map(|day| (day * DAY, "a", 0.0, true)));
        let blocks = &AnswerCourse::of(&many)[0].blocks;
        assert!(blocks.len() <= MOST_BLOCKS && blocks.iter().all(|b| b.right == b.answers));
        assert_eq!(blocks.iter().map(|block| block.answers).sum::<usize>(), 5000);
    }

    #[test]
    fn cards_with_most_wrong_answers_come_first() {
        let days = |answers: &[(&'static str, f32)]| {
            let row = |(day, &(xgid, loss)): (i64, &(&'static str, f32))| {
                [(day * DAY, xgid, loss, false), (day * DAY + 3600, xgid, 0.3, false)]
            };
            deck_of((0..).zip(answers).flat_map(row).collect::<Vec<_>>().into_iter())
        };
        let wrong = [("a", 0.2), ("b", 0.2), ("b", 0.05), ("a", 0.04), ("b", 0.0), ("b", 0.3)];
        let deck = days(&wrong);
        let told: Vec<_> =
            MissedCard::of(&deck).into_iter().map(|it| (it.xgid, it.wrong, it.answers)).collect();
        assert_eq!(told, [("b".to_owned(), 3, 4), ("a".to_owned(), 2, 2)]);
        assert!(MissedCard::of(&days(&[("a", 0.2), ("a", 0.0)])).is_empty());
        // Two right ones in a row: known.
        let known: Vec<_> = wrong.into_iter().chain([("b", 0.0), ("b", 0.01)]).collect();
        let told: Vec<_> = MissedCard::of(&days(&known)).into_iter().map(|it| it.xgid).collect();
        assert_eq!(told, ["a"]);
    }
}
