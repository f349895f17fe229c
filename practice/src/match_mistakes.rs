//! The mistakes of a player in an analysed match, as cards.

use nonet_engine::analysis::{AnalysedDecision, Analysis, Severity};
use nonet_engine::backgammon::Seat;
use nonet_engine::search::Plies;
use serde::{Deserialize, Serialize};

use crate::practised_match::keys_of;
use crate::{Card, CardOrigin, PractisedMatch};

/// The mistakes of a player in a match: what a deck takes up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchMistakes {
    /// What the deck keeps of the match.
    pub row: PractisedMatch,
    /// The cards.
    pub cards: Vec<Card>,
    /// The keys that the match had when its record ended earlier, after one decision or more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beginnings: Vec<u32>,
}

impl MatchMistakes {
    /// The decisions of the player of one seat that lost `least` or more in the games of a match.
    /// `date` is the day of the match, or of today; `cube_plies` is the depth of cube decisions.
    #[must_use]
    pub fn of(
        games: &[Analysis],
        seat: Seat,
        date: &str,
        least: f32,
        cube_plies: Plies,
    ) -> MatchMistakes {
        let row = PractisedMatch::of(games, seat, date);
        let mut cards: Vec<Card> = Vec::new();
        for (game, analysis) in (1..).zip(games) {
            let is_mistake = |analysed: &&AnalysedDecision| {
                let loss = analysed.loss();
                analysed.player == seat && analysed.counts() && Severity::reaches(loss, least)
            };
            for analysed in analysis.decisions.iter().filter(is_mistake) {
                let (opponent, roll, key) = (row.opponent.clone(), analysed.number, row.key);
                let origin = CardOrigin::Match { key, opponent, game, roll };
                let card = Card::of(analysed, origin, cube_plies);
                match cards.iter_mut().find(|other| other.xgid == card.xgid) {
                    // The same question again: the worse answer is practised.
                    Some(other) if other.loss < card.loss => *other = card,
                    Some(_) => {}
                    None => cards.push(card),
                }
            }
        }
        // The first key has no decision, and the last one is that of the whole match.
        let mut beginnings: Vec<u32> = keys_of(games).into_iter().skip(1).collect();
        beginnings.pop();
        MatchMistakes { row, cards, beginnings }
    }
}
