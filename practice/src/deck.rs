//! The cards of a player: taking up the mistakes of a match, and keeping answers.

use serde::{Deserialize, Serialize};

use crate::judge::grade_of;
use crate::shares::tally_of;
use crate::{
    Card, CardOrigin, Grade, Judged, MOST_DRAWN, MatchMistakes, Memory, MistakeKind, PracticeTest,
    PractisedMatch,
};

/// An answer as the deck keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoggedAnswer {
    /// Unix seconds.
    pub time: i64,
    /// The question.
    pub xgid: String,
    /// Its kind.
    #[serde(flatten)]
    pub kind: MistakeKind,
    /// The answer.
    pub answer: String,
    /// What it lost, in points on a cube at 1.
    pub loss: f32,
    /// Whether the position was new.
    pub new: bool,
}

/// The cards of a player, the matches that they come from, and all answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deck {
    /// The player.
    pub player: String,
    /// The matches, in the order in which they were taken up.
    #[serde(default)]
    pub matches: Vec<PractisedMatch>,
    /// The cards, in the order in which they were taken up.
    #[serde(default)]
    pub cards: Vec<Card>,
    /// The answers, the oldest first.
    #[serde(default)]
    pub answers: Vec<LoggedAnswer>,
    /// New positions that were drawn and not answered yet.
    #[serde(default)]
    pub drawn: Vec<Card>,
    /// The tests, the oldest first; the last one may be open.
    #[serde(default)]
    pub tests: Vec<PracticeTest>,
}

/// What taking up a match has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TakenUp {
    /// New cards.
    pub added: usize,
    /// Cards that the match had given before, and that are no mistakes any more.
    pub removed: usize,
    /// Whether the match was known.
    pub known: bool,
}

impl Deck {
    /// A deck without cards.
    #[must_use]
    pub fn new(player: &str) -> Deck {
        Deck {
            player: player.to_owned(),
            matches: Vec::new(),
            cards: Vec::new(),
            answers: Vec::new(),
            drawn: Vec::new(),
            tests: Vec::new(),
        }
    }

    /// The PR of the player in all matches; `None` without decisions.
    #[must_use]
    pub fn pr(&self) -> Option<f32> {
        tally_of(&self.matches, None).pr().map(|pr| pr.mean as f32)
    }

    /// Takes up the mistakes of the player in a match. A match that is known is taken up anew:
    /// cards keep their memory, and cards that are no mistakes any more go. A match is also known
    /// if its beginning was taken up, and then has gone on. That beginning changes nothing later.
    pub fn take_up(&mut self, taken: &MatchMistakes) -> TakenUp {
        let MatchMistakes { row, cards: found, beginnings } = taken;
        let mut done = TakenUp::default();
        if self.matches.iter().any(|known| known.beginnings.contains(&row.key)) {
            done.known = true;
            return done;
        }
        let is_same = |key: u32| key == row.key || beginnings.contains(&key);
        let known = self.matches.iter().enumerate().find(|(_, known)| is_same(known.key));
        match known.map(|(place, known)| (place, known.date.clone())) {
            Some((place, date)) => {
                done.known = true;
                let mut before = Vec::new();
                for known in self.matches.extract_if(.., |known| is_same(known.key)) {
                    before.extend(known.beginnings);
                    before.push(known.key);
                }
                before.retain(|key| *key != row.key);
                let whole = PractisedMatch { date, beginnings: before, ..row.clone() };
                self.matches.insert(place, whole);
            }
            None => self.matches.push(row.clone()),
        }
        let before = self.cards.len();
        self.cards.retain(|card| {
            let of_match = matches!(&card.origin, CardOrigin::Match { key, .. } if is_same(*key));
            !of_match || found.iter().any(|found| found.xgid == card.xgid)
        });
        done.removed = before - self.cards.len();
        for card in found {
            match self.cards.iter_mut().find(|known| known.xgid == card.xgid) {
                Some(known) => *known = Card { memory: known.memory, ..card.clone() },
                None => {
                    self.cards.push(card.clone());
                    done.added += 1;
                }
            }
        }
        done
    }

    /// Keeps new positions until they are answered. One that is known is left out, and so are those
    /// beyond [`Deck::can_wait`].
    pub fn keep_drawn(&mut self, cards: Vec<Card>) {
        for card in cards {
            let mut known = self.cards.iter().chain(&self.drawn);
            if self.can_wait() > 0 && !known.any(|known| known.xgid == card.xgid) {
                self.drawn.push(card);
            }
        }
    }

    /// How many more new positions can wait: [`MOST_DRAWN`] less those that do.
    #[must_use]
    pub fn can_wait(&self) -> usize {
        MOST_DRAWN.saturating_sub(self.drawn.len())
    }

    /// The card or the new position with this question.
    #[must_use]
    pub fn card(&self, xgid: &str) -> Option<&Card> {
        self.cards.iter().chain(&self.drawn).find(|card| card.xgid == xgid)
    }

    /// The number of answers to a question.
    #[must_use]
    pub fn answers_to(&self, xgid: &str) -> usize {
        self.answers.iter().filter(|answer| answer.xgid == xgid).count()
    }

    /// Keeps an answer, as [`Deck::answered`] does, to a card that had `before` answers when the
    /// answer came. Of answers that are judged at the same time only the first is kept. The card
    /// may have gone meanwhile: then none is kept.
    pub fn answered_once(
        &mut self,
        card: &Card,
        judged: &Judged,
        before: usize,
        now: i64,
    ) -> Option<Memory> {
        let known = self.card(&card.xgid)?;
        if self.answers_to(&card.xgid) != before {
            return known.memory;
        }
        self.answered(card, judged, now)
    }

    /// Keeps an answer to a card. A new position becomes a card of the deck if the answer was
    /// wrong.
    pub fn answered(&mut self, card: &Card, judged: &Judged, now: i64) -> Option<Memory> {
        self.keep_answer(card, &judged.answer, judged.loss, now)
    }

    /// The same for an answer and its loss.
    pub(crate) fn keep_answer(
        &mut self,
        card: &Card,
        answer: &str,
        loss: f32,
        now: i64,
    ) -> Option<Memory> {
        let grade = grade_of(loss);
        self.drawn.retain(|drawn| drawn.xgid != card.xgid);
        let known = self.cards.iter_mut().find(|known| known.xgid == card.xgid);
        self.answers.push(LoggedAnswer {
            time: now,
            xgid: card.xgid.clone(),
            kind: card.kind,
            answer: answer.to_owned(),
            loss,
            new: known.is_none(),
        });
        let next = |memory: Option<Memory>| {
            memory.map_or_else(|| Memory::first(grade, now), |memory| memory.reviewed(grade, now))
        };
        match known {
            Some(known) => known.memory = Some(next(known.memory)),
            None if grade == Grade::Again => {
                self.cards.push(Card { memory: Some(next(None)), ..card.clone() });
            }
            None => return None,
        }
        self.cards.iter().find(|known| known.xgid == card.xgid)?.memory
    }

    /// The cards that are asked now: those that are due, the longest overdue first; then
    /// those never answered, the greatest loss first.
    #[must_use]
    pub fn due(&self, now: i64) -> Vec<&Card> {
        let mut due: Vec<&Card> = self.cards.iter().filter(|card| card.is_due(now)).collect();
        due.sort_by(|a, b| match (&a.memory, &b.memory) {
            (Some(a), Some(b)) => a.due.cmp(&b.due),
            (None, None) => b.loss.total_cmp(&a.loss),
            (a, b) => a.is_none().cmp(&b.is_none()),
        });
        due
    }

    /// When the next card comes, if none is asked now.
    #[must_use]
    pub fn next_due(&self) -> Option<i64> {
        self.cards.iter().filter_map(|card| card.memory).map(|memory| memory.due).min()
    }
}
