//! What differs from server to server: wordings, what is left out, what is not known, how lines get
//! lost.

use std::collections::BTreeSet;

use backgammon::Seat;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// What differs from server to server.
#[derive(Debug)]
pub(crate) struct Habits {
    pub(super) seed: u64,
    /// Kinds of sentences that never come.
    pub(super) omitted: BTreeSet<&'static str>,
    /// Commands that are not known, and which answer they get.
    pub(super) unknown: BTreeSet<&'static str>,
    pub(super) unknown_answer: u32,
    /// The chances that a line is lost, comes twice, comes late, or that a command is lost.
    pub(super) lost: f64,
    pub(super) twice: f64,
    pub(super) late: f64,
    pub(super) deaf: f64,
    pub(super) board_after_roll: bool,
    pub(super) board_after_move: bool,
    pub(super) board_to_opponent_of_mover: bool,
    /// 0: right, 1: the fields are always 0, 2: the places are always 0, 3: the place has the other
    /// sign.
    pub(super) bars: u32,
    pub(super) apostrophes: u32,
    pub(super) who_line_first: bool,
    pub(super) turn_inverted_while_doubled: bool,
    pub(super) asks_to_double: bool,
    pub(super) turn_is_zero_between_games: bool,
    pub(super) ascending: bool,
    pub(super) own_seat: Seat,
    /// The turn of the game at which bob falls silent or is cut off.
    pub(super) bob_stalls_at: Option<u32>,
    pub(super) bob_drops_at: Option<u32>,
    /// How many sentences tell that bob is gone: 0 to 3.
    pub(super) drop_sentences: u32,
    pub(super) joins_need_an_answer: bool,
    pub(super) doubles: f64,
    pub(super) resigns: f64,
    /// A saved match with bob when the client comes, which a new match would delete.
    pub(crate) saved_at_start: bool,
    pub(super) type_join: bool,
    pub(super) warns: bool,
}

/// Kinds of sentences.
pub(crate) const KINDS: &[&str] = &[
    "own info",
    "motd",
    "who at login",
    "please move",
    "please roll",
    "your turn",
    "opening",
    "new game",
    "now playing",
    "own who",
    "bob who",
    "bob cannot move",
    "cannot move",
    "wait for join",
    "score",
    "win match",
    "win game",
    "saved",
    "rating",
    "toggle",
    "style",
    "resumed",
    "invited",
    "logs out",
    "doubled us",
    "taken",
    "bob moves",
    "bob rolls",
    "you roll",
    "type join next",
];
/// Of these only one may be missing at a time, or no client could play there.
const NEEDED: &[&[&str]] =
    &[&["new game", "now playing", "own who", "opening"], &["win match", "own who", "saved"]];
const MAY_BE_UNKNOWN: &[&str] = &[
    "board", "b", "redraw", "show", "oldmoves", "time", "rawwho", "kibitz", "toggle", "back",
    "tell",
];

impl Habits {
    /// The habits of one server; those of an even seed are milder.
    pub(crate) fn new(seed: u64) -> Habits {
        let mut rng = Pcg64::seed_from_u64(seed);
        let wild = seed % 2 == 1;
        let rate = if wild { 0.15 } else { 0.05 };
        let mut omitted: BTreeSet<&'static str> =
            KINDS.iter().copied().filter(|_| rng.random_bool(rate)).collect();
        for group in NEEDED {
            let missing: Vec<_> = group.iter().filter(|kind| omitted.contains(*kind)).collect();
            for kind in missing.into_iter().skip(1) {
                omitted.remove(*kind);
            }
        }
        let mut unknown: BTreeSet<&'static str> =
            MAY_BE_UNKNOWN.iter().copied().filter(|_| rng.random_bool(2.0 * rate)).collect();
        if rng.random_bool(0.9) {
            // At least one word for a board.
            unknown.remove(["board", "b", "redraw"][rng.random_range(0..3)]);
        }
        let mut chance = |p: f64| rng.random_bool(p);
        let (board_after_roll, board_after_move) = (chance(0.7), chance(0.9));
        Habits {
            seed,
            omitted,
            unknown,
            board_after_roll,
            board_after_move,
            board_to_opponent_of_mover: chance(0.8),
            who_line_first: chance(0.5),
            turn_inverted_while_doubled: chance(0.5),
            asks_to_double: chance(0.8),
            turn_is_zero_between_games: chance(0.8),
            ascending: chance(0.5),
            joins_need_an_answer: chance(0.8),
            saved_at_start: chance(0.2),
            type_join: chance(0.8),
            warns: chance(0.5),
            own_seat: if chance(0.5) { Seat::X } else { Seat::O },
            bob_stalls_at: chance(0.05).then_some(20),
            bob_drops_at: chance(0.15).then_some(12),
            unknown_answer: rng.random_range(0..6),
            lost: if wild { rng.random_range(0.0..0.03) } else { 0.0 },
            twice: rng.random_range(0.0..0.05),
            late: rng.random_range(0.0..0.1),
            deaf: if wild { rng.random_range(0.0..0.03) } else { 0.0 },
            bars: if rng.random_bool(0.7) { 0 } else { rng.random_range(1..4) },
            apostrophes: rng.random_range(0..3),
            drop_sentences: rng.random_range(0..4),
            doubles: rng.random_range(0.0..0.06),
            resigns: rng.random_range(0.0..0.01),
        }
    }

    /// A server that is right in everything, but never sends one kind of sentence.
    pub(crate) fn withholding(kind: &'static str, seed: u64) -> Habits {
        Habits {
            seed,
            omitted: BTreeSet::from([kind]),
            unknown: BTreeSet::new(),
            unknown_answer: 0,
            lost: 0.0,
            twice: 0.0,
            late: 0.0,
            deaf: 0.0,
            board_after_roll: true,
            board_after_move: true,
            board_to_opponent_of_mover: true,
            bars: 0,
            apostrophes: 0,
            who_line_first: false,
            turn_inverted_while_doubled: false,
            asks_to_double: true,
            turn_is_zero_between_games: true,
            ascending: true,
            own_seat: Seat::X,
            bob_stalls_at: None,
            bob_drops_at: Some(12),
            drop_sentences: 3,
            joins_need_an_answer: true,
            doubles: 0.05,
            resigns: 0.01,
            saved_at_start: false,
            type_join: true,
            warns: true,
        }
    }

    /// One of the wordings of a kind of sentence, always the same one.
    pub(super) fn wording<'a>(&self, kind: &str, wordings: &[&'a str]) -> &'a str {
        let hash = kind.bytes().fold(self.seed ^ 0x9e37, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        wordings[(hash >> 20) as usize % wordings.len()]
    }
}
