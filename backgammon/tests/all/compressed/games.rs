//! Random games, and checks of games that were read.

use backgammon::record::{GameHeader, RecordEnd, RecordEvent, RecordedGame, Recorder};
use backgammon::{Dice, Results, Scoring, Seat, Stake};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

fn roll(rng: &mut Pcg64) -> Dice {
    Dice::new(rng.random_range(1..=6), rng.random_range(1..=6)).expect("two dice")
}

/// Names with characters of one, two and four bytes.
pub(crate) fn names() -> [String; 2] {
    ["J\u{f8}rgen \u{1f3b2}".to_owned(), "x 1".to_owned()]
}

/// A game of random plays and cube actions, resigned now and then.
pub(crate) fn random_game(seed: u64, scoring: Scoring, beavers: bool) -> RecordedGame {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut results = Results::default();
    let mut game = Recorder::new(GameHeader { names: names(), scoring });
    let mut player = Seat::BOTH[rng.random_range(0..2)];
    let stop = rng.random_range(5..90);
    for turn in 0.. {
        if turn > 0 && rng.random_range(0..10) == 0 && game.double(player).is_ok() {
            if beavers && rng.random_range(0..3) == 0 && game.beaver(player.other()).is_ok() {
                match rng.random_range(0..4) {
                    0 => game.drop(player).expect("asked"),
                    1 if game.beaver(player).is_ok() => game.take(player.other()).expect("asked"),
                    _ => game.take(player).expect("asked"),
                }
            } else if rng.random_range(0..5) == 0 {
                game.drop(player.other()).expect("asked");
            } else {
                game.take(player.other()).expect("asked");
            }
        }
        let mut dice = roll(&mut rng);
        while turn == 0 && dice.is_double() {
            dice = roll(&mut rng);
        }
        if game.is_over() {
            break;
        }
        if turn == stop {
            let stake = [Stake::Single, Stake::Gammon, Stake::Backgammon][turn % 3];
            game.resign(Seat::BOTH[turn % 2], stake).expect("no double is open");
            break;
        }
        let found = results.of(game.position(), dice);
        let after = found[rng.random_range(0..found.len())];
        game.turn(player, dice, &after).expect("legal");
        player = player.other();
    }
    game.finish()
}

/// Games of a match to 25 points, as far as they go, or of money.
pub(crate) fn session(seed: u64, length: u16, beavers: bool) -> Vec<RecordedGame> {
    let mut score = [0u16; 2];
    let mut games = Vec::new();
    let mut crawford_played = false;
    for at in 0..4 {
        let one_away =
            length > 0 && score.iter().filter(|&&points| length - points == 1).count() == 1;
        let scoring = match length {
            0 => Scoring::Money { jacoby: seed.is_multiple_of(2), beavers },
            _ => Scoring::of_match(length, score[0], score[1], one_away && !crawford_played)
                .expect("a score"),
        };
        crawford_played |= one_away;
        let game = random_game(seed * 100 + at, scoring, beavers && length == 0);
        let won = game.won();
        games.push(game);
        let Some((winner, points)) = won else { continue };
        let after = u32::from(score[winner.index()]) + points;
        if length > 0 && after >= u32::from(length) {
            break;
        }
        score[winner.index()] = u16::try_from(after).unwrap_or(u16::MAX);
    }
    games
}

/// Replays a game by the move generator.
pub(crate) fn is_legal(game: &RecordedGame) -> bool {
    let mut again = Recorder::from_start(game.header().clone(), *game.start());
    game.events().iter().enumerate().all(|(index, event)| {
        if let Some(gap) = game.gaps().iter().find(|gap| gap.event == index) {
            again.go_on_from(gap.start);
        }
        match *event {
            RecordEvent::Turn(turn) => again.turn(turn.player, turn.dice, &turn.after).is_ok(),
            RecordEvent::Double { player, .. } => again.double(player).is_ok(),
            RecordEvent::Beaver { player, .. } => again.beaver(player).is_ok(),
            RecordEvent::Take { player } => again.take(player).is_ok(),
            RecordEvent::Drop { player } => again.drop(player).is_ok(),
        }
    })
}

/// A game without what a file cannot tell: whether points beyond the match length were a gammon.
pub(crate) fn end(game: &RecordedGame) -> (RecordEnd, Option<Seat>) {
    let winner = game.won().map(|(winner, _)| winner);
    match (game.end(), game.header().scoring) {
        (RecordEnd::Resigned { winner, .. }, Scoring::Match(_)) => {
            (RecordEnd::Resigned { winner, stake: Stake::Single }, Some(winner))
        }
        (end, _) => (end, winner),
    }
}
