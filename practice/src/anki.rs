//! A deck as a text file that Anki imports.

use std::fmt::Write as _;

use nonet_report::{Chart, ReportError};

use crate::board_of_card::{WHO, answer_in_words, board_of};
use crate::{Card, question_in_words, score_in_words};

/// The cards as text for Anki's import: header lines, then a note in each line with its identity,
/// front, back and tags. The boards are pictures in the notes. Importing again updates the notes.
/// Cards that cannot be read are left out.
///
/// The header lines are described in Anki's manual under "Text Files".
///
/// # Errors
/// [`ReportError`] if a board cannot be drawn.
pub fn anki_text(player: &str, cards: &[Card]) -> Result<String, ReportError> {
    let player: String = player.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = format!(
        "#separator:tab\n#html:true\n#notetype:Basic\n#deck:Backgammon {}\n#columns:guid\tFront\tBack\tTags\n\
         #guid column:1\n#tags column:4\n",
        player.replace("::", ": ")
    );
    for card in cards {
        let Ok(state) = card.state() else { continue };
        let question = question_in_words(&state);
        let board = board_of(&state).title(question.as_str()).render()?;
        let front = format!(
            "{board}<p>{question}<br>{}</p><p><small>{WHO}</small></p>",
            score_in_words(&state)
        );
        let back = format!("<p>{}</p><p>{}</p>", answer_in_words(card), card.kind.words());
        let tags = [card.kind.plan.name(), card.kind.mistake.name(), card.kind.score.name()];
        let tags = tags.map(|tag| tag.replace(' ', "-")).join(" ");
        let guid = format!("nonet-{:08x}", crc32fast::hash(card.xgid.as_bytes()));
        _ = writeln!(text, "{guid}\t{}\t{}\t{tags}", field(&front), field(&back));
    }
    Ok(text)
}

/// A field in quotation marks, on one line.
fn field(html: &str) -> String {
    let line: String = html.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("\"{}\"", line.trim().replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CardOrigin, GamePlan, Mistake, MistakeKind, ScoreKind};

    #[test]
    fn a_note_is_a_line_with_four_fields() {
        let (plan, mistake) = (GamePlan::Opening, Mistake::MissedSlot);
        let card = |xgid: &str| Card {
            xgid: xgid.to_owned(),
            kind: MistakeKind { plan, mistake, score: ScoreKind::Money },
            made: "24/23 13/10".to_owned(),
            best: "8/5 6/5".to_owned(),
            loss: 0.2,
            origin: CardOrigin::SelfPlay,
            figures: None,
            memory: None,
        };
        let cards = [card("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"), card("none")];
        let text = anki_text("Zoë\tB::c", &cards).expect("drawn");
        let notes: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(notes.len(), 1, "a card that cannot be read is left out");
        assert_eq!(notes[0].split('\t').count(), 4);
        assert!(notes[0].contains("8/5 6/5; 24/23 13/10 loses 0.200"));
        assert!(notes[0].ends_with("opening missed-slot money"));
        assert!(text.contains("#deck:Backgammon Zoë B: c\n"));
    }
}
