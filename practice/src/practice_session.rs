//! A session: which card comes next, and what the answers add up to. It reads and writes nothing.

use std::collections::VecDeque;

use crate::{Card, Grade, Judged};

/// The cards of a session, each asked until its answer is right.
///
/// ```
/// use nonet_practice::PracticeSession;
///
/// let session = PracticeSession::new(Vec::new());
/// assert!(session.card().is_none());
/// ```
#[derive(Clone, Debug)]
pub struct PracticeSession {
    ahead: VecDeque<Card>,
    /// Answers that were given.
    pub answers: u32,
    /// Answers that lost nothing that analyses mark.
    pub right: u32,
    /// What all answers lost, in points on a cube at 1.
    pub loss: f64,
}

impl PracticeSession {
    /// Cards of a session, unless another number is asked for.
    pub const CARDS: usize = 10;

    /// New positions of a session, unless another number is asked for.
    pub const NEW_POSITIONS: usize = 2;

    /// A session with these cards, in this order.
    #[must_use]
    pub fn new(cards: Vec<Card>) -> PracticeSession {
        PracticeSession { ahead: cards.into(), answers: 0, right: 0, loss: 0.0 }
    }

    /// The card that is asked; `None` at the end.
    #[must_use]
    pub fn card(&self) -> Option<&Card> {
        self.ahead.front()
    }

    /// How many cards are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.ahead.len()
    }

    /// Counts an answer. A card that was answered wrong comes again after the others.
    pub fn answered(&mut self, judged: &Judged) {
        let Some(card) = self.ahead.pop_front() else { return };
        self.answers += 1;
        self.loss += f64::from(judged.loss);
        match judged.grade {
            Grade::Again => self.ahead.push_back(card),
            Grade::Hard | Grade::Good | Grade::Easy => self.right += 1,
        }
    }

    /// Leaves a card out.
    pub fn skip(&mut self) {
        self.ahead.pop_front();
    }
}
