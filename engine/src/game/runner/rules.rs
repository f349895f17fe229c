//! The runner against the rules: every game is replayed as a [`GameState`], action by action.

use std::sync::Mutex;

use super::*;
use crate::backgammon::{Action, GameState, Next, Scoring};
use crate::cube::{Answer, MatchEquityTable};
use crate::game::{CubeChoice, StreamPurpose, below, stream};

/// What a player did: an action, or rolling where doubling is allowed.
type Log = Mutex<Vec<Option<Action>>>;

/// Decides at random, and notes the decisions about the cube.
struct Noted<'a> {
    log: &'a Log,
    /// Whether they ever double.
    doubles: bool,
    choices: Mutex<Pcg64>,
}

impl Noted<'_> {
    fn below(&self, bound: usize) -> usize {
        below(bound, &mut self.choices.lock().expect("one thread"))
    }

    fn note(&self, action: Option<Action>) {
        self.log.lock().expect("one thread").push(action);
    }
}

impl Player for Noted<'_> {
    fn choose(&self, choice: &MoveChoice, _: &mut Vec<Evaluation>, _: &mut Pcg64) -> usize {
        self.below(choice.results.len())
    }

    fn doubles(&self, _: &CubeChoice) -> bool {
        let doubles = self.doubles && self.below(9) == 0;
        self.note(doubles.then_some(Action::Double));
        doubles
    }

    fn answer(&self, choice: &CubeChoice) -> Answer {
        let session = choice.context.scoring.session();
        // The highest cubes, which cannot be beavered, are out of reach here.
        match self.below(6) {
            0 => {
                self.note(Some(Action::Pass));
                Answer::Pass
            }
            1 if matches!(session, Scoring::Money { beavers: true, .. }) => {
                self.note(Some(Action::Beaver));
                self.note(Some(Action::Take));
                Answer::Beaver
            }
            _ => {
                self.note(Some(Action::Take));
                Answer::Take
            }
        }
    }
}

#[test]
fn every_game_is_one_of_the_rules_with_the_same_result() {
    let of_match =
        |own, opponent, crawford| Scoring::of_match(7, own, opponent, crawford).expect("a score");
    let sessions = [
        Scoring::MONEY,
        Scoring::Money { jacoby: true, beavers: true },
        of_match(2, 4, false),
        of_match(6, 3, true),
        of_match(6, 6, false),
    ];
    let (mut runner, mut jacoby) = (GameRunner::default(), 0);
    for index in 0..200 {
        let session = sessions[index as usize % sessions.len()];
        let log = Log::default();
        let player = |seat: u64| Noted {
            log: &log,
            doubles: index % 10 < 5,
            choices: Mutex::new(stream(seat, StreamPurpose::Choice, index)),
        };
        let (x, o) = (player(1), player(2));
        let scoring =
            CubeScoring::new(session, MatchEquityTable::kazaross_xg2()).expect("in reach");
        let [mut dice, mut unused] =
            [StreamPurpose::Match, StreamPurpose::Record].map(|purpose| stream(7, purpose, index));
        let seen = Mutex::new(Vec::new());
        let observe = |turn: &PlayedTurn<'_>| {
            let first = if turn.opening {
                Action::Open(turn.player, turn.dice)
            } else {
                Action::Roll(turn.dice)
            };
            let mut log = log.lock().expect("one thread");
            log.extend([Some(first), Some(Action::Play(*turn.after))]);
            let context = turn.context.expect("with a cube");
            let seen_by = (turn.player, *turn.before, context.scoring.session(), context.cube);
            seen.lock().expect("one thread").push(seen_by);
        };
        let played = runner
            .play_with_cube([&x, &o], &scoring, &mut dice, &mut unused, observe)
            .expect("ends");

        let mut seen = seen.into_inner().expect("one thread").into_iter();
        let (mut game, mut asked) = (GameState::start(session), false);
        for action in log.into_inner().expect("one thread") {
            assert_eq!(game.result(), None);
            match action {
                None => {
                    assert!(game.may_double());
                    asked = true;
                    continue;
                }
                Some(Action::Roll(_)) => assert!(asked || !game.may_double(), "{game}"),
                Some(Action::Play(_)) => {
                    let state = &game.state;
                    let now = (state.on_roll, game.position, state.scoring, state.cube);
                    assert_eq!(seen.next(), Some(now));
                }
                Some(_) => {}
            }
            asked = matches!(action, Some(Action::Take));
            game = game.apply(action.expect("not asked")).expect("legal");
        }
        let Next::Over(result) = game.next() else { panic!("{game} goes on") };
        let points = i32::try_from(result.points).expect("few");
        assert_eq!(played.points(), if result.winner == Seat::X { points } else { -points });
        assert_eq!(played.cube, game.state.cube.value());
        jacoby +=
            u32::from(played.single && game.position.outcome().is_some_and(|o| o.points() < -1));
    }
    assert!(jacoby > 0, "a gammon counts as a single game");
}
