//! A test: new positions without a word about the answers until its end. Two tests, before and
//! after practice, have positions of the same kinds.

use nonet_engine::stats::Estimate;
use serde::{Deserialize, Serialize};

use crate::judge::grade_of;
use crate::{Card, Deck, Grade, Judged};

/// Questions of a test.
pub const TEST_QUESTIONS: usize = 20;

/// An answer of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestAnswer {
    /// The answer as it is written.
    pub answer: String,
    /// What it lost, in points on a cube at 1.
    pub loss: f32,
}

/// A question of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestQuestion {
    /// The position.
    pub card: Card,
    /// The answer; `None` before it.
    pub answer: Option<TestAnswer>,
}

/// A test, open or done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PracticeTest {
    /// When it was drawn; later the time of the last answer. Unix seconds.
    pub time: i64,
    /// The seed that its positions were drawn with.
    pub seed: u64,
    /// Its questions in their order.
    pub questions: Vec<TestQuestion>,
}

/// What a test says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestResult {
    /// When it ended, in Unix seconds.
    pub time: i64,
    /// The seed of its positions.
    pub seed: u64,
    /// Its questions.
    pub questions: usize,
    /// Answers that analyses would not mark.
    pub right: usize,
    /// The mean loss of a decision, in points on a cube at 1.
    pub loss: f64,
    /// Half of its 95 % interval, by Student's t distribution; `None` for one question.
    pub half: Option<f64>,
}

/// The tests that are done, and how the last one differs from the first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TestProgress {
    /// The results, the oldest first.
    pub results: Vec<TestResult>,
    /// The mean loss of the last test less that of the first, and half of its 95 % interval.
    ///
    /// Below 0 if less was lost. `None` with fewer than two tests.
    pub change: Option<[f64; 2]>,
}

impl PracticeTest {
    /// A test with these positions.
    #[must_use]
    pub fn new(cards: Vec<Card>, seed: u64, now: i64) -> PracticeTest {
        let question = |card| TestQuestion { card, answer: None };
        PracticeTest { time: now, seed, questions: cards.into_iter().map(question).collect() }
    }

    /// Its positions.
    pub fn cards(&self) -> impl Iterator<Item = &Card> {
        self.questions.iter().map(|question| &question.card)
    }

    /// The position that is asked; `None` at the end.
    #[must_use]
    pub fn card(&self) -> Option<&Card> {
        self.questions.iter().find(|question| question.answer.is_none()).map(|one| &one.card)
    }

    /// The number of answers.
    #[must_use]
    pub fn answered(&self) -> usize {
        self.questions.iter().filter(|question| question.answer.is_some()).count()
    }

    /// Whether all questions are answered.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.card().is_none()
    }

    fn losses(&self) -> impl Iterator<Item = f64> + Clone {
        self.questions
            .iter()
            .filter_map(|question| question.answer.as_ref())
            .map(|answer| f64::from(answer.loss))
    }

    fn estimate(&self) -> Estimate {
        Estimate::from_values(self.losses())
    }

    /// What it says; `None` before its end.
    #[must_use]
    pub fn result(&self) -> Option<TestResult> {
        if !self.is_done() || self.questions.is_empty() {
            return None;
        }
        let estimate = self.estimate();
        let right = self.losses().filter(|loss| grade_of(*loss as f32) != Grade::Again).count();
        Some(TestResult {
            time: self.time,
            seed: self.seed,
            questions: self.questions.len(),
            right,
            loss: estimate.mean,
            half: Some(estimate.student_half95()).filter(|half| half.is_finite()),
        })
    }

    /// Whether every loss is a number.
    pub(crate) fn is_sound(&self) -> bool {
        self.losses().all(f64::is_finite)
    }
}

impl TestProgress {
    /// The tests of a deck.
    #[must_use]
    pub fn of(deck: &Deck) -> TestProgress {
        let done: Vec<&PracticeTest> = deck.tests.iter().filter(|test| test.is_done()).collect();
        let change = match done.as_slice() {
            [first, .., last] => {
                let (mean, half) = last.estimate().difference95(&first.estimate());
                half.is_finite().then_some([mean, half])
            }
            _ => None,
        };
        TestProgress {
            results: done.into_iter().filter_map(PracticeTest::result).collect(),
            change,
        }
    }

    /// Whether the interval of the difference holds 0; `None` with fewer than two tests.
    #[must_use]
    pub fn is_within_the_error(&self) -> Option<bool> {
        self.change.map(|[mean, half]| mean.abs() <= half)
    }
}

impl Deck {
    /// The test that is open.
    #[must_use]
    pub fn open_test(&self) -> Option<&PracticeTest> {
        self.tests.last().filter(|test| !test.is_done())
    }

    /// Keeps an answer to the question that the open test asks. At the end of the test all its
    /// answers are kept like those to other new positions, and the wrong ones become cards.
    pub fn test_answered(&mut self, judged: &Judged, now: i64) {
        let Some(test) = self.tests.last_mut() else { return };
        let Some(question) = test.questions.iter_mut().find(|one| one.answer.is_none()) else {
            return;
        };
        question.answer = Some(TestAnswer { answer: judged.answer.clone(), loss: judged.loss });
        test.time = now;
        if !test.is_done() {
            return;
        }
        for TestQuestion { card, answer } in test.questions.clone() {
            if let Some(TestAnswer { answer, loss }) = answer {
                self.keep_answer(&card, &answer, loss, now);
            }
        }
    }
}
