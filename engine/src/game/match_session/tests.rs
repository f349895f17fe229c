//! Tests of sessions: ends of matches, dice that follow from the seed, records that are replayed.

use super::*;
use crate::backgammon::record::{MatWriter, Records};
use crate::backgammon::{CubeOwner, Results, Scoring};
use crate::game::ReplayError;

fn names() -> [String; 2] {
    ["ann".into(), "bob".into()]
}

fn match_session(length: u16, seed: u64) -> MatchSession {
    let scoring = match length {
        0 => Scoring::Money { jacoby: true, beavers: true },
        _ => Scoring::of_match(length, 0, 0, false).expect("a match"),
    };
    MatchSession::new(names(), scoring, seed)
}

/// Takes the next action: the first legal play; doubles at every fifth step, and drops or beavers
/// some.
fn step(session: &mut MatchSession, step_number: usize) {
    match session.next_action() {
        NextAction::Roll(_) => {
            if !step_number.is_multiple_of(5) || session.double().is_err() {
                session.roll();
            }
        }
        NextAction::Play(_, dice) => {
            let mut results = Results::default();
            let after = results.of(session.position(), dice)[0];
            session.play(&after).expect("legal");
        }
        NextAction::Answer(_) => {
            if !step_number.is_multiple_of(2) || session.beaver().is_err() {
                session.answer(!step_number.is_multiple_of(3)).expect("offered");
            }
        }
        NextAction::NextGame => session.next_game(),
        NextAction::Over(_) => {}
    }
}

/// The games as a `.mat` file gives them back.
fn through_mat(games: &[RecordedGame]) -> Vec<RecordedGame> {
    let mut writer = MatWriter::new(Vec::new());
    games.iter().for_each(|game| writer.write(game).expect("in memory"));
    let text = writer.into_inner();
    let Ok(records) = Records::new(text.as_slice(), "f") else { return Vec::new() };
    records.map(|game| game.expect("our own")).collect()
}

#[test]
fn a_match_ends_when_a_player_has_its_points_and_the_record_agrees() {
    for seed in 1..6 {
        let mut session = match_session(5, seed);
        let mut crawford = 0;
        for step_number in 0..20_000 {
            if session.next_action() == NextAction::NextGame {
                crawford += u32::from(!session.scoring(Seat::X).may_use_cube());
            }
            step(&mut session, step_number);
        }
        let NextAction::Over(winner) = session.next_action() else {
            panic!("seed {seed} does not end")
        };
        let mut points = [0, 0];
        for game in session.games() {
            let (player, won) = game.won().expect("finished");
            points[player.index()] += won;
        }
        assert_eq!(points, session.score());
        assert!(points[winner.index()] >= 5 && points[winner.other().index()] < 5);
        assert!(crawford <= 1, "one Crawford game a match");
    }
}

#[test]
fn after_a_return_the_same_rolls_follow() {
    let mut now = match_session(0, 3);
    for step_number in 1..50 {
        step(&mut now, 1 + 5 * step_number);
        let (mut again, mut still) = (now.clone(), now.clone());
        for later in 0..20 {
            step(&mut again, 1 + 5 * later);
            step(&mut still, 1 + 5 * later);
        }
        assert_eq!(again.position(), still.position());
    }
}

#[test]
fn second_rolls_and_illegal_actions_are_refused() {
    let mut session = match_session(3, 1);
    assert!(matches!(session.next_action(), NextAction::Play(..)), "the opening is rolled");
    assert_eq!(session.roll(), None);
    assert!(session.play(&Position::START).is_err() && session.double().is_err());
    assert!(session.answer(true).is_err() && session.beaver().is_err());
    assert_eq!(session.games()[0].events().len(), 0);
}

#[test]
fn a_session_goes_on_from_its_record_as_if_it_had_never_stopped() {
    for (length, seed) in [(0, 1), (3, 2), (5, 3), (1, 4)] {
        let mut session = match_session(length, seed);
        for step_number in 1..600 {
            step(&mut session, step_number);
            if length > 0 && matches!(session.next_action(), NextAction::Over(_)) {
                break;
            }
            let mut again = match_session(length, seed);
            let own = again.replay(&through_mat(&session.games()), |_| {}).expect("our own");
            assert!(own, "the dice are those of the seed");
            if session.is_rolled() {
                again.roll();
            }
            if let (NextAction::NextGame, action) = (again.next_action(), session.next_action())
                && action != NextAction::NextGame
            {
                again.next_game();
            }
            assert_eq!(again.next_action(), session.next_action(), "step {step_number}");
            assert_eq!(again.position(), session.position());
            assert_eq!((again.score(), again.offered()), (session.score(), session.offered()));
            assert_eq!(again.scoring(Seat::X), session.scoring(Seat::X));
            assert_eq!(again.cube(Seat::X), session.cube(Seat::X));
        }
    }
}

#[test]
fn the_points_before_decisions_are_visited_while_a_record_is_replayed() {
    let mut session = match_session(3, 7);
    (1..30).for_each(|step_number| step(&mut session, step_number));
    let mut points: Vec<MatchSession> = Vec::new();
    let mut again = match_session(3, 7);
    again.replay(&session.games(), |now| points.push(now.clone())).expect("our own");
    let plays = points.iter().filter(|now| matches!(now.next_action(), NextAction::Play(..)));
    let turns: usize = session.games().iter().map(|game| game.turns().count()).sum();
    assert_eq!(plays.count(), turns);
}

#[test]
fn games_that_end_by_resignation_before_their_first_play_are_recorded() {
    let mut session = match_session(3, 1);
    session.resign(Seat::X, Stake::Single).expect("running");
    session.next_game();
    session.resign(Seat::X, Stake::Gammon).expect("running");
    assert_eq!(session.next_action(), NextAction::Over(Seat::O));
    let games = through_mat(&session.games());
    let won: Vec<_> = games.iter().map(RecordedGame::won).collect();
    assert_eq!(won, [Some((Seat::O, 1)), Some((Seat::O, 2))]);
    let mut again = match_session(3, 1);
    assert!(again.replay(&games, |_| {}).expect("our own"));
    assert_eq!(again.next_action(), NextAction::Over(Seat::O));
}

#[test]
fn a_record_of_another_session_is_refused_with_its_reason() {
    let mut session = match_session(3, 1);
    session.resign(Seat::X, Stake::Single).expect("running");
    session.next_game();
    (1..4).for_each(|step_number| step(&mut session, step_number));
    let games = session.games();
    let refused = |games: &[RecordedGame], mut of: MatchSession| {
        of.replay(games, |_| {}).expect_err("another session").to_string()
    };
    assert!(refused(&games, match_session(5, 1)).contains("expected 0 to 0 in a match to 5"));
    let swapped = [games[1].clone(), games[0].clone()];
    assert!(refused(&swapped, match_session(3, 1)).contains("game 1 is played at 0 to 1"));
    let mut over = match_session(1, 1);
    over.resign(Seat::X, Stake::Single).expect("running");
    let twice = [over.games()[0].clone(), over.games()[0].clone()];
    let error = match_session(1, 1).replay(&twice, |_| {}).expect_err("over");
    assert!(matches!(error, ReplayError::AfterTheEnd { game: 1 }), "{error}");
    // Other dice are taken from the record.
    let mut other = match_session(3, 99);
    assert!(!other.replay(&games, |_| {}).expect("legal"));
}

#[test]
fn a_session_begins_in_a_position_with_its_score_cube_and_roll() {
    let of = |text: &str| text.parse::<GameState>().expect("legal");
    let begin = |text: &str| MatchSession::from_position(names(), &of(text), 1).expect("usable");
    let rolled = begin("XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:1:0:7:10");
    assert_eq!(rolled.next_action(), NextAction::Play(Seat::X, "31".parse().expect("a roll")));
    assert_eq!((rolled.score(), rolled.cube(Seat::X).owner()), ([2, 1], CubeOwner::Own));
    // O has doubled: X must answer.
    let doubled = begin("XGID=-a-B--E-B-a-dDB--b-bcb----:0:0:-1:D:1:2:0:7:10");
    assert_eq!(doubled.next_action(), NextAction::Answer(Seat::X));
    let offer = doubled.offered().expect("offered");
    assert_eq!((offer.doubler, offer.value, offer.beaver), (Seat::O, 2, false));
    let mut again = begin("XGID=-a-B--E-B-a-dDB--b-bcb----:0:0:-1:D:1:2:0:7:10");
    again.replay(&doubled.games(), |_| {}).expect("the double is there already");
    assert_eq!(again.next_action(), doubled.next_action());
    let to_roll = begin("XGID=-a-B--E-B-a-dDB--b-bcb----:0:0:1:00:0:0:0:0:10");
    assert_eq!(to_roll.next_action(), NextAction::Roll(Seat::X));
    assert!(matches!(begin("4HPwATDgc/ABMA").next_action(), NextAction::Play(..)), "an opening");
    let over = MatchSession::from_position(names(), &of("AAAAoAAAAAAAAA"), 1);
    assert_eq!(over.expect_err("over"), SetUpError::Over);
    let doubled = of("XGID=-a-B--E-B-a-dDB--b-bcb----:0:0:1:D:0:0:0:0:10");
    let passed = MatchSession::from_position(names(), &doubled.pass().expect("offered"), 1);
    assert_eq!(passed.expect_err("passed"), SetUpError::Over);
}
