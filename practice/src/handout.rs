//! Cards as a page to print: the questions first, the answers at the end.

use std::fmt::Write as _;

use nonet_report::{BoardDiagram, Chart, Page, ReportError};

use crate::board_of_card::{WHO, answer_in_words, board_of};
use crate::{Card, question_in_words, score_in_words};

const STYLE: &str = "
.cards { display: grid; grid-template-columns: repeat(2, 1fr); gap: 1.2em; }
.cards figure { margin: 0; break-inside: avoid; }
.cards svg { width: 100%; height: auto; }
.answers { break-before: page; }
";

/// A page with the boards of the cards, and their answers after them. Cards that cannot be read are
/// left out.
///
/// # Errors
/// [`ReportError`] if a board cannot be drawn.
pub fn handout(player: &str, cards: &[Card]) -> Result<Page, ReportError> {
    let (mut boards, mut answers) = (String::new(), String::new());
    let readable = cards.iter().filter_map(|card| Some((card, card.state().ok()?)));
    for (number, (card, state)) in (1..).zip(readable) {
        let question = question_in_words(&state);
        let board = board_of(&state).shared().title(question.as_str()).render()?;
        _ = writeln!(
            boards,
            "<figure>{board}<figcaption><strong>{number}.</strong> {question}<br>{}</figcaption></figure>",
            score_in_words(&state)
        );
        _ = writeln!(answers, "<li>{}<br>{}</li>", answer_in_words(card), card.kind.words());
    }
    let page = Page::new(format!("{player}: cards to practise")).style(STYLE);
    Ok(page
        .paragraph(WHO)
        .raw(&format!("{}<div class=\"cards\">{boards}</div>", BoardDiagram::shared_points()))
        .raw(&format!("<div class=\"answers\"><h2>Answers</h2><ol>{answers}</ol></div>")))
}
