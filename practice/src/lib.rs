//! Practice on one's own mistakes.
//!
//! The mistakes of a player in analysed matches become the cards of a [`Deck`]. Each has a
//! [`MistakeKind`]: the kind of game, the mistake, and the score. [`LossShares`] says what each
//! kind has cost. A card is asked, [`judge_card`] judges the answer, and its [`Memory`] says when
//! it comes again. [`Draw`] finds new positions of the same kinds, for practice and for a
//! [`PracticeTest`]. A deck is kept in a [`DeckFile`], and leaves as [`anki_text`] or as a
//! [`handout()`].
//!
//! The time, in Unix seconds, and seeds are arguments. Losses are in points on a cube at 1.

mod anki;
mod answer_course;
mod board_of_card;
mod card;
mod deck;
mod deck_file;
mod draw;
mod figures;
mod game_plan;
mod handout;
mod judge;
mod match_mistakes;
mod memory;
mod mistake;
mod new_position;
mod opening_question;
mod overview;
mod practice_session;
mod practice_test;
mod practised_match;
mod score_kind;
mod shares;

#[cfg(test)]
mod tests;

pub use anki::anki_text;
pub use answer_course::{AnswerBlock, AnswerCourse, MissedCard};
pub use board_of_card::{question_in_words, score_in_words};
pub use card::{Card, CardOrigin, MistakeKind};
pub use deck::{Deck, LoggedAnswer, TakenUp};
pub use deck_file::{DeckError, DeckFile, KeptDeck, KeptDecks, decks_in};
pub use draw::{Draw, MOST_DRAWN};
pub use figures::{CardFigures, Figure};
pub use game_plan::GamePlan;
pub use handout::handout;
pub use judge::{JudgeError, Judged, judge, judge_card, why_best};
pub use match_mistakes::MatchMistakes;
pub use memory::{Grade, Memory};
pub use mistake::Mistake;
pub use overview::PracticeOverview;
pub use practice_session::PracticeSession;
pub use practice_test::{
    PracticeTest, TEST_QUESTIONS, TestAnswer, TestProgress, TestQuestion, TestResult,
};
pub use practised_match::{KindLoss, PractisedMatch};
pub use score_kind::ScoreKind;
pub use shares::{BeforeAndAfter, LossShare, LossShares, PracticeProgress};
