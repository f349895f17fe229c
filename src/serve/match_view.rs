//! A match as the board shows it: everything seen by the person, whose checkers are positive and move from 24 down to 1.

use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::{CubeAnswer, HintAnswer};

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Who {
    You,
    Nonet,
}

/// What the person can do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MatchTurn {
    /// Roll, or double.
    Roll,
    /// Play the dice.
    Play,
    /// Take, pass or beaver.
    Answer,
    /// The game is over: go on with the next one.
    NextGame,
    /// The match is over.
    Over,
}

/// What a player did, or what happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Deed {
    Plays,
    Doubles,
    Takes,
    Passes,
    Beavers,
    Resigns,
    WinsGame,
    WinsMatch,
}

/// Something that happened since the person's last decision, with the board after it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct MatchEvent {
    pub(super) player: Who,
    pub(super) what: Deed,
    /// In words.
    #[schema(example = "nonet rolls 31: 8/5 6/5")]
    pub(super) words: String,
    /// The roll that was made or played.
    pub(super) dice: Option<[u8; 2]>,
    /// The single checker moves of a play, from and to, seen by the person: 25 and 0 are bar and off of the person, 0 and 25 those
    /// of nonet.
    pub(super) steps: Vec<[u8; 2]>,
    pub(super) board: Vec<i8>,
}

/// A legal play of the person.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct PlayView {
    /// In the usual notation; empty if the person cannot move.
    #[schema(example = "8/5 6/5")]
    pub(super) play: String,
    /// The board afterwards, seen by the person.
    pub(super) board: Vec<i8>,
}

/// The doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct CubeView {
    /// Its value before a double that is not answered.
    pub(super) value: u32,
    /// Who may turn it; null if both may.
    pub(super) owner: Option<Who>,
    /// Its value if the double on the table is taken; null without one.
    pub(super) offered: Option<u32>,
}

/// The rules of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct RulesView {
    /// Points to win the match; null for money.
    pub(super) length: Option<u16>,
    /// Whether this is the Crawford game.
    pub(super) crawford: bool,
    /// Money: gammons count only if the cube has been turned.
    pub(super) jacoby: bool,
    /// Money: who is doubled may double again at once.
    pub(super) beavers: bool,
}

/// The chances of the person before the roll, without the cube, by the built-in net at 1-ply.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct BarView {
    /// Winning chances, 0..1.
    pub(super) win: f32,
    /// Equity, -3..3.
    pub(super) equity: f32,
}

/// A match as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct MatchView {
    /// The name of the match.
    pub(super) id: String,
    /// Rises with every change; an action that names another one is refused.
    pub(super) revision: u64,
    /// The person, and nonet.
    pub(super) names: [String; 2],
    pub(super) level: &'static str,
    /// Depth of nonet's plays.
    pub(super) plies: u8,
    /// Depth of nonet's cube decisions.
    pub(super) cube_plies: u8,
    pub(super) net: String,
    pub(super) rules: RulesView,
    /// Points of the person and of nonet.
    pub(super) score: [u32; 2],
    /// The number of the game, from 1.
    pub(super) game: usize,
    /// 26 entries: the person's checkers are positive; 25 is their bar, 0 that of nonet.
    pub(super) board: Vec<i8>,
    /// Checkers borne off.
    pub(super) off: [u8; 2],
    pub(super) pips: [u16; 2],
    pub(super) cube: CubeView,
    pub(super) turn: MatchTurn,
    /// The person's roll.
    pub(super) dice: Option<[u8; 2]>,
    /// The person's legal plays.
    pub(super) plays: Vec<PlayView>,
    pub(super) may_double: bool,
    pub(super) may_beaver: bool,
    pub(super) may_undo: bool,
    /// Who has won the match.
    pub(super) winner: Option<Who>,
    pub(super) evaluation: Option<BarView>,
    /// The position as XGID, seen by its player on roll.
    pub(super) xgid: String,
    /// What happened since the person's last decision.
    pub(super) events: Vec<MatchEvent>,
}

/// A match in the list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct MatchRow {
    pub(super) id: String,
    /// The person, and nonet.
    pub(super) names: [String; 2],
    /// Points of the person and of nonet.
    pub(super) score: [u32; 2],
    /// Points to win the match; null for money.
    pub(super) length: Option<u16>,
    pub(super) level: String,
    /// Whether the match is over.
    pub(super) over: bool,
}

/// The best plays, or the cube decision.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct DecisionHint {
    /// If the person has to play.
    pub(super) plays: Option<HintAnswer>,
    /// If the person may double or has to answer.
    pub(super) cube: Option<CubeAnswer>,
}

/// PR and luck of a player.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct ReviewRow {
    pub(super) name: String,
    /// Decisions that count.
    pub(super) decisions: u32,
    /// 500 times the mean loss; null without a decision.
    pub(super) pr: Option<f32>,
    /// A word for the PR.
    pub(super) rating: Option<&'static str>,
    /// Doubtful, bad and very bad decisions.
    pub(super) mistakes: [u32; 3],
    /// Luck in points on a cube at 1.
    pub(super) luck: f32,
}

/// PR and luck of both players.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct MatchReview {
    /// Depth of the analysis.
    pub(super) plies: u8,
    /// The person first.
    pub(super) players: Vec<ReviewRow>,
}
