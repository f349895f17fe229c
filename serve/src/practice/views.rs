//! What is asked and answered about practice.

use nonet_engine::backgammon::{Dice, GameState, Seat, Turn, candidates};
use nonet_practice::{Card, PracticeOverview, TestResult, score_in_words};
use nonet_report::answer::WhyAnswer;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::defaults;

/// A player and a number of cards.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PracticeQuestion {
    /// The player; without it the one who practised last.
    #[param(example = "Anna")]
    pub(super) player: Option<String>,
    /// The most cards of the answer.
    #[param(default = defaults::cards)]
    pub(super) cards: Option<usize>,
}

/// The cards that are due, and the deck in numbers.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PracticeAnswer {
    /// All players with cards, the one who practised last first.
    pub(super) players: Vec<String>,
    /// The deck in numbers, as `nonet practise --list --json` prints it; null without a deck.
    #[schema(value_type = Option<Object>)]
    pub(super) overview: Option<PracticeOverview>,
    /// The cards that are asked now, without their answers.
    pub(super) cards: Vec<PracticeCard>,
    /// New positions that wait for an answer.
    pub(super) new: Vec<PracticeCard>,
    /// Cards with several wrong answers, in the order of the deck's numbers.
    pub(super) missed: Vec<PracticeCard>,
    /// The open test; null without one.
    pub(super) test: Option<PracticeTestState>,
}

/// Draws new positions of the kinds that have cost a player most, or of five frequent kinds.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PracticeDraw {
    /// The player.
    #[schema(example = "Anna")]
    pub(super) player: String,
    /// Their number, 1..=100: 2 for practice and 20 for a test if it is left out.
    #[schema(minimum = 1, maximum = 100)]
    pub(super) count: Option<usize>,
    /// Where they come from: `costliest` kinds, or `openings` and replies to them.
    #[serde(default)]
    pub(super) from: PracticeDrawFrom,
    /// The seed of the games that they come from; the time if it is left out.
    #[schema(format = "uint64", maximum = 18_446_744_073_709_551_615_u64)]
    pub(super) seed: Option<u64>,
    /// Depth of the search in plies that the answers are certain at, 1..=3; at least 2 are
    /// searched.
    #[schema(default = defaults::ply)]
    pub(super) ply: Option<u8>,
}

/// Where new positions come from.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PracticeDrawFrom {
    /// Games of the net with itself: the kinds that have cost most.
    #[default]
    Costliest,
    /// Opening rolls, then replies to their best plays.
    Openings,
}

/// How many positions are drawn.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PracticeDrawn {
    pub(super) drawn: usize,
    pub(super) wanted: usize,
    /// The seed of their games.
    #[schema(format = "uint64")]
    pub(super) seed: u64,
}

/// How a test stands.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PracticeTestState {
    /// Its questions.
    pub(super) questions: usize,
    /// How many are answered.
    pub(super) answered: usize,
    /// The seed of its positions.
    #[schema(format = "uint64")]
    pub(super) seed: u64,
    /// The question that it asks; null at its end.
    pub(super) card: Option<PracticeCard>,
    /// What it says, as in the numbers of the deck; null before its end.
    #[schema(value_type = Option<Object>)]
    pub(super) result: Option<TestResult>,
    /// The answers in order; null before its end.
    pub(super) answers: Option<Vec<PracticeTestAnswer>>,
}

/// An answer of a test.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PracticeTestAnswer {
    pub(super) xgid: String,
    /// Its kind: game, what the tempting decision does wrong, score.
    pub(super) kind: String,
    pub(super) answer: String,
    pub(super) best: String,
    /// What the answer lost, in points on a cube at 1.
    pub(super) loss: f32,
}

/// A question. X is the player who decides.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PracticeCard {
    /// The question.
    #[schema(example = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")]
    pub(super) xgid: String,
    /// `play`, `double` or `take`.
    #[schema(example = "play")]
    pub(super) asks: &'static str,
    /// The checkers: 25 is the bar of X, who has positive numbers; 0 is that of O.
    #[schema(value_type = Vec<i8>)]
    pub(super) board: Vec<i8>,
    /// Checkers borne off, of X and of O.
    pub(super) off: [u8; 2],
    /// The value of the cube, and its owner: `you`, `other` or null.
    pub(super) cube: u32,
    pub(super) owner: Option<&'static str>,
    /// The roll.
    pub(super) dice: Option<[u8; 2]>,
    /// Score and cube in words.
    #[schema(example = "match to 7, X 2, O 1; cube 1 in the middle")]
    pub(super) score: String,
    /// The legal plays with the boards after them, seen by X.
    pub(super) plays: Vec<PracticePlay>,
}

/// A legal play.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PracticePlay {
    #[schema(example = "8/5 6/5")]
    pub(super) play: String,
    #[schema(value_type = Vec<i8>)]
    pub(super) board: Vec<i8>,
}

/// An answer to a card.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PracticeReply {
    /// The player.
    #[schema(example = "Anna")]
    pub(super) player: String,
    /// The question.
    pub(super) xgid: String,
    /// A play, `double` or `roll`, `take` or `pass`.
    #[schema(example = "8/5 6/5")]
    pub(super) answer: String,
    /// Depth of the search in plies, 1..=3, for a card without equities of its own, and for the
    /// explanation.
    #[schema(default = defaults::ply)]
    pub(super) ply: Option<u8>,
}

/// What an answer was worth.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PracticeVerdict {
    /// The answer as it is written.
    pub(super) answer: String,
    /// The best decision.
    pub(super) best: String,
    /// What the answer loses, in points on a cube at 1.
    pub(super) loss: f32,
    /// Whether analyses would not mark it.
    pub(super) right: bool,
    /// Equities of the best plays and of the answer, or of the three cube actions.
    pub(super) equities: Vec<PracticeEquity>,
    /// Why the best play is better than the answer, or than what tempts; null without a roll.
    pub(super) why: Option<WhyAnswer>,
    /// Its kind: game, mistake, score.
    #[schema(example = "opening, missed slot, money")]
    pub(super) kind: String,
    /// What the player did in the match, or the decision that tempts in a new position, and what it
    /// loses.
    pub(super) made: String,
    pub(super) made_loss: f32,
    /// The opponent, the game and the roll in the match; null for a new position.
    pub(super) opponent: Option<String>,
    pub(super) game: Option<usize>,
    pub(super) roll: Option<usize>,
    /// Days until the card comes again; null for a new position that is no card.
    pub(super) days: Option<i64>,
}

/// The equity of a decision.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PracticeEquity {
    #[schema(example = "8/5 6/5")]
    pub(super) decision: String,
    pub(super) equity: f32,
    /// The depth of its search.
    pub(super) plies: u8,
}

/// Takes up the mistakes of a player in an analysis.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PracticeMatch {
    /// The analysis.
    pub(super) analysis: String,
    /// The player, by the name in the record.
    #[schema(example = "Anna")]
    pub(super) player: String,
}

/// The matches and new cards that were taken up.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PracticeTaken {
    pub(super) player: String,
    /// Matches of the analysis with the player.
    pub(super) matches: usize,
    /// New cards.
    pub(super) added: usize,
    /// Cards of the deck.
    pub(super) cards: usize,
}

impl PracticeCard {
    /// The question of a card, without its answer; `None` if the card cannot be read.
    pub(super) fn of(card: &Card) -> Option<PracticeCard> {
        let state: GameState = card.state().ok()?;
        let board = state.seen_by(Seat::X);
        let cube = state.cube_of(Seat::X);
        let plays = |dice: Dice| {
            let all = candidates(&board, dice).into_iter();
            all.map(|play| PracticePlay {
                play: play.play.to_string(),
                board: play.after.flipped().points().to_vec(),
            })
        };
        Some(PracticeCard {
            xgid: card.xgid.clone(),
            asks: match state.state.turn {
                Turn::Rolled(_) => "play",
                Turn::ToRoll => "double",
                Turn::Offered(_) => "take",
            },
            board: board.points().to_vec(),
            off: [15 - board.own_left(), 15 - board.opponent_left()],
            cube: cube.value(),
            owner: match cube.owner().seat(Seat::X) {
                None => None,
                Some(Seat::X) => Some("you"),
                Some(Seat::O) => Some("other"),
            },
            dice: state.dice().map(|dice| [dice.high(), dice.low()]),
            score: score_in_words(&state),
            plays: state.dice().map(|dice| plays(dice).collect()).unwrap_or_default(),
        })
    }
}
