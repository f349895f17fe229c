//! What is kept of an analysed match: the decisions of the player and what they lost, by kind.

use std::collections::BTreeMap;

use nonet_engine::analysis::{Analysis, Severity};
use nonet_engine::backgammon::{Scoring, Seat};
use serde::{Deserialize, Serialize};

use crate::{GamePlan, MistakeKind};

/// What the decisions of one kind lost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindLoss {
    /// The kind.
    #[serde(flatten)]
    pub kind: MistakeKind,
    /// Those of them that an analysis marks: doubtful and worse.
    pub mistakes: u32,
    /// The loss of all of them, marked or not, in points on a cube at 1.
    pub loss: f64,
    /// The sum of the squares of all these losses.
    pub squares: f64,
}

/// An analysed match of the player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PractisedMatch {
    /// Tells matches apart: a checksum of the names, the rolls and the boards.
    pub key: u32,
    /// The opponent.
    pub opponent: String,
    /// The length; `None` for money.
    pub length: Option<u16>,
    /// When it was played, as the record says it, or taken up: year, month and day.
    pub date: String,
    /// The decisions of the player that count, by the kind of game.
    pub decisions: Vec<(GamePlan, u32)>,
    /// Every loss of the player, small ones too.
    pub losses: Vec<KindLoss>,
    /// The keys of its beginnings that were taken up before it, in a deck.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beginnings: Vec<u32>,
}

impl PractisedMatch {
    /// What is kept of the games of one match, for the player of one seat.
    #[must_use]
    pub fn of(games: &[Analysis], seat: Seat, date: &str) -> PractisedMatch {
        let mut decisions: BTreeMap<GamePlan, u32> = BTreeMap::new();
        let mut losses: BTreeMap<MistakeKind, KindLoss> = BTreeMap::new();
        let all = games.iter().flat_map(|game| &game.decisions);
        for analysed in all.filter(|analysed| analysed.player == seat && analysed.counts()) {
            let kind = MistakeKind::of(analysed);
            *decisions.entry(kind.plan).or_default() += 1;
            let loss = f64::from(analysed.loss());
            if loss > 0.0 {
                let none = KindLoss { kind, mistakes: 0, loss: 0.0, squares: 0.0 };
                let sum = losses.entry(kind).or_insert(none);
                sum.mistakes += u32::from(Severity::of(analysed.loss()) > Severity::Fine);
                sum.loss += loss;
                sum.squares += loss * loss;
            }
        }
        let header = games.first().map(|game| game.game.header());
        PractisedMatch {
            key: keys_of(games).last().copied().unwrap_or_default(),
            opponent: header.map(|h| h.names[seat.other().index()].clone()).unwrap_or_default(),
            length: header.and_then(|header| match header.scoring {
                Scoring::Match(score) => Some(score.length()),
                Scoring::Money { .. } => None,
            }),
            date: date.to_owned(),
            decisions: decisions.into_iter().collect(),
            losses: losses.into_values().collect(),
            beginnings: Vec::new(),
        }
    }

    /// The number of decisions that count.
    #[must_use]
    pub fn decisions(&self) -> u32 {
        self.decisions.iter().map(|(_, count)| count).sum()
    }
}

/// Checksums of what happened up to the begin of each game and up to each decision, that of all
/// last. They do not depend on the depth of the analysis.
pub(crate) fn keys_of(games: &[Analysis]) -> Vec<u32> {
    let mut hasher = crc32fast::Hasher::new();
    let mut keys = Vec::new();
    for game in games {
        let names = game.game.header().names.iter();
        names.for_each(|name| hasher.update(name.to_lowercase().as_bytes()));
        keys.push(hasher.clone().finalize());
        for analysed in &game.decisions {
            hasher.update(analysed.state().xgid().as_bytes());
            keys.push(hasher.clone().finalize());
        }
    }
    keys
}
