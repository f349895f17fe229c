//! IDs that GNU Backgammon writes, invalid IDs, and round trips.

use super::*;
use crate::ids::strategies;
use crate::{ScoreError, Seat};
use proptest::prelude::*;

fn game(length: u16, own: u16, opponent: u16) -> MatchState {
    let scoring = Scoring::of_match(length, own, opponent, false).expect("legal");
    MatchState::new(scoring)
}

fn cube(value: u32, owner: CubeOwner) -> Cube {
    Cube::new(value, owner).expect("legal")
}

fn rolled(a: u8, b: u8) -> Turn {
    Turn::Rolled(Dice::new(a, b).expect("legal"))
}

fn given_up(by: Side, stake: Stake) -> Option<Resignation> {
    Some(Resignation { by, stake })
}

/// Each read off GNU Backgammon 1.07.001 with `show board`, after playing or setting up what is
/// described.
#[test]
fn ids_agree_with_gnu_backgammon() {
    let doubled = Turn::Offered(CubeOffer::Double);
    let crawford = Scoring::of_match(7, 1, 6, true).expect("legal");
    let on_o = MatchState { on_roll: Seat::O, ..game(9, 2, 3) };
    let scoring = Scoring::Money { jacoby: true, beavers: false };
    let money = MatchState::new(scoring);
    let theirs = |value| cube(value, CubeOwner::Opponent);
    let known = [
        ("cAn3AAAAAAAE", MatchState { turn: rolled(6, 5), ..game(7, 0, 0) }),
        ("cAn3ABAAEAAE", MatchState { turn: rolled(5, 6), ..game(7, 2, 1) }),
        ("MAEqAAAAAAAE", MatchState { on_roll: Seat::O, turn: rolled(4, 2), ..game(1, 0, 0) }),
        ("8AngAGAACAAE", MatchState::new(crawford)),
        (
            "UYkqASAAGAAE",
            MatchState { cube: cube(2, CubeOwner::Own), turn: rolled(5, 2), ..game(9, 3, 2) },
        ),
        ("AQEgASAAGAAE", MatchState { cube: cube(2, CubeOwner::Own), ..on_o.clone() }),
        ("QQkgASAAGAAE", MatchState { cube: theirs(2), ..game(9, 3, 2) }),
        ("cBEgASAAGAAE", MatchState { turn: doubled, ..game(9, 3, 2) }),
        (
            "Ugm7ARAAYAAE",
            MatchState { cube: cube(4, CubeOwner::Own), turn: rolled(6, 6), ..game(13, 12, 1) },
        ),
        // Money: on roll, with and without Jacoby; doubled, beavered, raccooned, and the raccoon
        // accepted.
        ("cAkAAAAAAAAA", money.clone()),
        ("cAkAAAAAAAAE", MatchState::new(Scoring::Money { jacoby: false, beavers: false })),
        ("cBEAAAAAAAAA", MatchState { turn: doubled, ..money.clone() }),
        (
            "QRkAAAAAAAAA",
            MatchState { cube: theirs(2), turn: Turn::Offered(CubeOffer::Beaver), ..money.clone() },
        ),
        (
            "QhEAAAAAAAAA",
            MatchState {
                cube: theirs(4),
                turn: Turn::Offered(CubeOffer::Raccoon),
                ..money.clone()
            },
        ),
        ("QwkAAAAAAAAA", MatchState { cube: theirs(8), ..money }),
        // Resignations: before the roll, after it, in answer to a double, and accepted.
        (
            "cEHgABAAEAAE",
            MatchState { resigned: given_up(Side::Own, Stake::Gammon), ..game(7, 2, 1) },
        ),
        (
            "cOHlABAAEAAE",
            MatchState {
                turn: rolled(3, 1),
                resigned: given_up(Side::Own, Stake::Backgammon),
                ..game(7, 2, 1)
            },
        ),
        (
            "cDngABAAEAAE",
            MatchState {
                turn: doubled,
                resigned: given_up(Side::Opponent, Stake::Single),
                ..game(7, 2, 1)
            },
        ),
        (
            "cEPgADAAEAAE",
            MatchState {
                game: GamePhase::Resigned,
                resigned: given_up(Side::Own, Stake::Gammon),
                ..game(7, 2, 3)
            },
        ),
        // A double dropped, and a game borne out.
        ("cATgABAAGAAE", MatchState { game: GamePhase::Dropped, ..game(7, 3, 1) }),
        ("MALgABAAGAAE", MatchState { game: GamePhase::Over, on_roll: Seat::O, ..game(7, 1, 3) }),
    ];
    for (id, state) in known {
        assert_eq!(state.id(), id, "{state:?}");
        assert_eq!(MatchState::from_id(id), Ok(state), "{id}");
    }
}

#[test]
fn old_writers_leave_the_jacoby_bit_clear_in_matches() {
    assert_eq!(MatchState::from_id("cAn3AAAAAAAA"), MatchState::from_id(" cAn3AAAAAAAE "));
}

#[test]
fn the_points_of_a_money_session_are_ignored() {
    let with_points =
        MatchState::from_id("cAkAABAAMAAE").expect("written by GNU Backgammon at 6 to 1");
    assert_eq!(with_points.id(), "cAkAAAAAAAAE");
}

#[test]
fn malformed_ids_are_refused_by_name() {
    let mut refused = Vec::new();
    let mut expect = |bits: u128, part: &str| {
        let error = MatchState::from_id(&base64::encode(bits, BITS)).expect_err(part);
        assert!(error.to_string().contains(part), "{error}");
        refused.push(error);
    };
    // A 7-point match, X on roll and to decide, the cube in the middle, playing.
    let base = 3 << 4 | 1 << 6 | 1 << 8 | 1 << 11 | 7 << 21;
    expect(base ^ 1 << 4, "invalid cube owner '2'");
    expect(base | 4 << 8, "invalid game state '5'");
    expect(base ^ 1 << 11, "invalid player to decide");
    expect(base | 1 << 15, "invalid roll '10'");
    expect(base | 7 << 15 | 1 << 18, "invalid roll '71'");
    expect(base | 1 << 12 | 3 << 15 | 1 << 18, "invalid roll '31': expected 00 while a double");
    expect(
        base | 7 << 36,
        "invalid score 7 of the opponent: expected less than the match length 7",
    );
    expect(base | 32767 << 51, "invalid score 32767 of the player on roll");
    expect(base | 1 << 7, "invalid Crawford game with 7 and 7 points to go");
    expect((base ^ 7 << 21) | 1 << 7, "invalid Crawford flag '1'");
    for bit in 67..72 {
        expect(base | 1 << bit, "expected no bits after its last field");
    }
    for text in ["", "cAn3AAAAAAA", "cAn3AAAAAAAEE"] {
        assert!(matches!(MatchState::from_id(text), Err(IdError::Length { .. })), "{text}");
    }
    let strange = IdError::Character { what: WHAT, found: '*', place: 4 };
    assert_eq!(MatchState::from_id("cAn*AAAAAAAE"), Err(strange));
    let over = MatchState::from_id("MALgABAAOAAE").expect_err("7 points of 7");
    assert!(matches!(over, IdError::Score(ScoreError::Reached { score: 7, .. })), "{over}");
}

proptest! {
    #[test]
    fn every_state_reads_back_from_its_id(mut state in strategies::state()) {
        let id = state.id();
        if let Scoring::Money { beavers, .. } = &mut state.scoring {
            *beavers = false;
        }
        prop_assert_eq!(MatchState::from_id(&id), Ok(state), "{}", id);
    }

    #[test]
    fn an_id_that_is_read_prints_as_the_same_state(bits in 0u128..1 << 67, text in "\\PC{0,14}|[A-Za-z0-9+/]{12}") {
        // Random bits rarely give a legal score; keep the match length high and the points low.
        let bits = bits & !(0x3f << 45 | 0x3f << 60) | 1 << 35;
        for text in [base64::encode(bits, BITS), text] {
            if let Ok(state) = MatchState::from_id(&text) {
                prop_assert_eq!(MatchState::from_id(&state.id()), Ok(state));
            }
        }
    }
}
