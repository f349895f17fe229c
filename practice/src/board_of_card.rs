//! A card as a picture and in words, for decks of other programs and for paper.

use nonet_engine::backgammon::{GameState, MatchState, Seat, Turn};
use nonet_report::BoardDiagram;

use crate::Card;

/// The board of a question, as X sees it.
pub(crate) fn board_of(state: &GameState) -> BoardDiagram {
    let board = BoardDiagram::new(state.seen_by(Seat::X)).cube(state.cube_of(Seat::X));
    match state.state.turn {
        Turn::Rolled(dice) => board.dice(dice),
        Turn::Offered(_) => board.offered(),
        Turn::ToRoll => board,
    }
}

/// Who is who on the pictures.
pub(crate) const WHO: &str = "X has the light checkers and moves from 24 down to 1.";

/// The score and the cube in words, as X sees them.
#[must_use]
pub fn score_in_words(state: &GameState) -> String {
    let (scoring, cube) = (state.scoring_of(Seat::X), state.cube_of(Seat::X));
    MatchState { cube, ..MatchState::new(scoring) }.to_string()
}

/// What is asked, in words.
#[must_use]
pub fn question_in_words(state: &GameState) -> String {
    match state.state.turn {
        Turn::Rolled(dice) => format!("X rolls {dice}. The best play?"),
        Turn::ToRoll => "Does X double or roll?".to_owned(),
        Turn::Offered(_) => "O doubles. Does X take or pass?".to_owned(),
    }
}

/// The answer in words: the best decision, and what the player did.
pub(crate) fn answer_in_words(card: &Card) -> String {
    format!("{}; {} loses {:.3}", card.best, card.made, card.loss)
}
