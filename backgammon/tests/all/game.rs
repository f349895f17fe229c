//! Playing a game: against a plain model of alternation, cube and score, and against the recorder.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use backgammon::record::{GameHeader, GameStart, Recorder};
use backgammon::{
    Action, Dice, GameState, MatchState, Next, Position, Results, Scoring, Seat, Stake,
};
use proptest::prelude::*;

/// A match as a server keeps it: fields for everything, and no view but that of X.
struct Model {
    score: [u32; 2],
    /// Points to win; `None` for money.
    length: Option<u32>,
    jacoby: bool,
    position: Position,
    on_roll: Option<Seat>,
    dice: Option<Dice>,
    cube: u32,
    owner: Option<Seat>,
    /// Who answers an offered cube, and its value.
    offer: Option<(Seat, u32)>,
    crawford: bool,
    crawford_played: bool,
}

impl Model {
    fn new(length: Option<u32>, jacoby: bool) -> Model {
        Model {
            score: [0; 2],
            length,
            jacoby,
            position: Position::START,
            on_roll: None,
            dice: None,
            cube: 1,
            owner: None,
            offer: None,
            crawford: false,
            crawford_played: false,
        }
    }

    fn seen_by(&self, seat: Seat) -> Position {
        if seat == Seat::X { self.position } else { self.position.flipped() }
    }

    fn win(&mut self, winner: Seat, points: u32) {
        self.score[winner.index()] += points;
        (self.on_roll, self.dice, self.offer, self.position) = (None, None, None, Position::START);
        (self.cube, self.owner) = (1, None);
        let one_away = |score: &u32| self.length.is_some_and(|n| n > 1 && score + 1 == n);
        self.crawford_played |= self.crawford;
        self.crawford = !self.crawford_played && self.score.iter().any(one_away);
    }

    /// Whether the action is legal; it is taken then.
    fn apply(&mut self, action: Action) -> bool {
        let Some(seat) = self.on_roll else {
            match action {
                Action::Open(first, dice) if !dice.is_double() => {
                    (self.on_roll, self.dice) = (Some(first), Some(dice));
                }
                Action::Resign(player, stake) => self.win(player.other(), stake.points()),
                _ => return false,
            }
            return true;
        };
        match (action, self.offer) {
            (Action::Resign(player, stake), _) => {
                self.win(player.other(), self.cube * stake.points());
            }
            (Action::Take, Some((_, value))) => {
                (self.cube, self.owner, self.offer) = (value, Some(seat.other()), None);
            }
            (Action::Pass, Some((responder, value))) => self.win(responder.other(), value / 2),
            (Action::Beaver, Some((responder, value)))
                if self.length.is_none() && value < 1 << 15 =>
            {
                self.offer = Some((responder.other(), value * 2));
                self.cube = value;
            }
            (Action::Double, None)
                if self.dice.is_none()
                    && !self.crawford
                    && self.cube < 1 << 15
                    && self.owner.is_none_or(|owner| owner == seat) =>
            {
                self.offer = Some((seat.other(), self.cube * 2));
            }
            (Action::Roll(dice), None) if self.dice.is_none() => self.dice = Some(dice),
            (Action::Play(after), None) => {
                let Some(dice) = self.dice else { return false };
                if !Results::default().of(&self.seen_by(seat), dice).contains(&after) {
                    return false;
                }
                self.position = if seat == Seat::X { after.flipped() } else { after };
                (self.dice, self.on_roll) = (None, Some(seat.other()));
                if let Some(outcome) = after.outcome() {
                    let single = self.jacoby && self.owner.is_none();
                    let points = if single { 1 } else { outcome.points().unsigned_abs() };
                    self.win(seat, self.cube * points);
                }
            }
            _ => return false,
        }
        true
    }

    /// Compares every field with a game between two actions; a game that is over is its next one.
    fn check(&self, game: &GameState) {
        let x = Seat::X;
        assert_eq!(game.seen_by(x), self.position);
        let to_act = match game.next() {
            Next::OpeningRoll => None,
            Next::Roll(seat) | Next::Play(seat, _) => Some(seat),
            Next::Answer(_) => Some(game.state.on_roll),
            Next::Over(_) => panic!("the next game begins"),
        };
        assert_eq!((to_act, game.dice()), (self.on_roll, self.dice));
        let answers = matches!(game.next(), Next::Answer(_)).then(|| game.next());
        assert_eq!(answers, self.offer.map(|(seat, _)| Next::Answer(seat)));
        assert_eq!(game.offered_value(), self.offer.map(|(_, value)| value));
        assert_eq!(game.state.cube.value(), self.cube);
        if let Scoring::Match(score) = game.scoring_of(x) {
            assert_eq!([score.own(), score.opponent()].map(u32::from), self.score);
            assert_eq!(score.is_crawford(), self.crawford);
        }
        assert!(!game.may_double() || !self.crawford && self.dice.is_none());
    }
}

/// An action that is often legal; `number` decides.
fn action(game: &GameState, kind: u8, number: u16) -> Action {
    let (n, seat) = (usize::from(number), Seat::BOTH[usize::from(number % 2)]);
    let dice = Dice::ALL[n % 21];
    match (kind, game.next()) {
        (0, _) => Action::Double,
        (1, _) => Action::Take,
        (2, _) => Action::Pass,
        (3, _) => Action::Beaver,
        (4, _) if n.is_multiple_of(8) => Action::Resign(seat, Stake::ALL[n / 8 % 3]),
        (5, _) => Action::Play(Position::START),
        (_, Next::Roll(_)) => Action::Roll(dice),
        (_, Next::Play(..)) => {
            let plays = game.legal_plays();
            Action::Play(plays[n % plays.len()].after)
        }
        (_, Next::Answer(_)) => [Action::Take, Action::Take, Action::Pass][n % 3],
        (_, Next::OpeningRoll | Next::Over(_)) => Action::Open(seat, dice),
    }
}

/// The same action in a record.
fn record(game: &mut Recorder, state: &GameState, action: Action) -> bool {
    let Next::Play(player, dice) = state.next() else {
        return match (action, state.next()) {
            (Action::Double, Next::Roll(seat)) => game.double(seat).is_ok(),
            (Action::Take, Next::Answer(seat)) => game.take(seat).is_ok(),
            (Action::Pass, Next::Answer(seat)) => game.drop(seat).is_ok(),
            (Action::Beaver, Next::Answer(seat)) => game.beaver(seat).is_ok(),
            (Action::Resign(seat, stake), _) => game.resign(seat, stake).is_ok(),
            // A record holds a roll with its play.
            _ => true,
        };
    };
    match action {
        Action::Play(after) => game.turn(player, dice, &after).is_ok(),
        Action::Resign(seat, stake) => game.resign(seat, stake).is_ok(),
        _ => true,
    }
}

fn scoring() -> impl Strategy<Value = Scoring> {
    let of_match = |length| Scoring::of_match(length, 0, 0, false).expect("a score");
    prop_oneof![
        any::<bool>().prop_map(|jacoby| Scoring::Money { jacoby, beavers: true }),
        (1u16..8).prop_map(of_match),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_game_is_the_plain_model_and_the_record_of_it(
        scoring in scoring(),
        actions in proptest::collection::vec((0u8..24, any::<u16>()), 1..900),
    ) {
        let header = |scoring| GameHeader { names: ["ann".into(), "bob".into()], scoring };
        let (length, jacoby) = match scoring {
            Scoring::Match(score) => (Some(u32::from(score.length())), false),
            Scoring::Money { jacoby, .. } => (None, jacoby),
        };
        let (mut game, mut model) = (GameState::start(scoring), Model::new(length, jacoby));
        let mut recorder = Recorder::new(header(scoring));
        for (kind, number) in actions {
            let action = action(&game, kind, number);
            let result = game.apply(action);
            prop_assert_eq!(result.is_ok(), model.apply(action), "{:?} in {}", action, game);
            let Ok(next) = result else { continue };
            let offered = game.offered_value().is_some();
            if offered && matches!(action, Action::Resign(..)) {
                // A record says first how the double was answered.
                recorder = Recorder::from_start(header(scoring), GameStart::USUAL);
                prop_assert!(recorder.resign(Seat::X, Stake::Single).is_ok());
            } else {
                prop_assert!(record(&mut recorder, &game, action), "{:?} in {}", action, game);
                // A record has no roll without its play.
                let shown = matches!(next.next(), Next::Play(..) | Next::Over(_));
                prop_assert!(shown || *recorder.state() == next, "{} and {}", next, recorder.state());
            }
            if let Some(result) = next.result() {
                let recorded = std::mem::replace(&mut recorder, Recorder::new(header(scoring)));
                if !offered || !matches!(action, Action::Resign(..)) {
                    let won = recorded.finish().won();
                    prop_assert_eq!(won, Some((result.winner, result.points)));
                }
                let Some(following) = next.next_game() else {
                    prop_assert!(model.score[result.winner.index()] >= length.unwrap_or(u32::MAX));
                    break;
                };
                game = following;
                recorder = Recorder::new(header(game.state.scoring));
            } else {
                game = next;
            }
            model.check(&game);
        }
    }

    #[test]
    fn after_an_action_the_ids_hold_the_game(
        scoring in scoring(),
        actions in proptest::collection::vec((4u8..24, any::<u16>()), 1..200),
    ) {
        let mut game = GameState::start(scoring);
        for (kind, number) in actions {
            game = game.apply(action(&game, kind, number)).unwrap_or(game);
            if game.is_over() {
                prop_assert_eq!(game.apply(Action::Double), Err(backgammon::ActionError::Over));
            } else if game.next() != Next::OpeningRoll {
                prop_assert_eq!(game.xgid().parse(), Ok(game.clone()));
            }
        }
    }
}

#[test]
fn every_refused_action_says_why() {
    let start = GameState::start(Scoring::MONEY);
    let opened = start.opened(Seat::X, "31".parse().expect("dice")).expect("an opening");
    let played = opened.play(&opened.legal_plays()[0].after).expect("legal");
    let doubled = played.double().expect("centred");
    let dice: Dice = "66".parse().expect("dice");
    let game = |state| GameState { position: Position::START, state };
    let crawford = Scoring::of_match(5, 4, 2, true).expect("a score");
    let crawford = game(MatchState::new(crawford));
    for (refused, reason) in [
        (start.rolled(dice), "missing opening roll: expected one die of each player"),
        (start.opened(Seat::X, dice), "invalid opening roll 66: expected two different dice"),
        (start.double(), "invalid double before the first roll"),
        (opened.opened(Seat::X, dice), "unexpected opening roll: the game has begun"),
        (opened.rolled(dice), "missing play of 31: expected it before any other action"),
        (opened.double(), "invalid double: players double before they roll"),
        (opened.play(&Position::START), "illegal board: no legal play of 31 leads to it"),
        (
            played.play(&Position::START),
            "missing roll: expected the dice to be rolled before a play",
        ),
        (played.take(), "unexpected answer: no double was offered"),
        (doubled.rolled(dice), "missing answer to a double: expected take, drop or beaver"),
        (doubled.beaver(), "invalid beaver: beavers are not played here"),
        (doubled.pass().expect("offered").take(), "unexpected action: the game is over"),
        (crawford.double(), "invalid double in the Crawford game"),
    ] {
        assert_eq!(refused.expect_err("refused").to_string(), reason);
    }
}
