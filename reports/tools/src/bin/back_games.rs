//! Who is right about back games: static evaluations, or rollouts to the end by several engines.
//!
//! `tests/library/reports.rs` derives the tables of `reports/back-games.md` from the file that this
//! writes and from that of `open_sage_rollouts.py`.
//!
//! ```text
//! cargo run --release -p nonet-measure --bin back_games -- \
//!     COUNT GAMES SEED THREADS OUT.csv PLAYER...
//! ```
//!
//! It takes positions from games of the champion against itself at 1-ply, one a game. The
//! player who has just moved holds two points or more in the opponent's home board, in the class
//! `backgame`. COUNT positions have a static value for that player below -0.6, as many lie between
//! -0.6 and -0.2, between -0.2 and 0.2, and above. `swift` gives these values, so no net under test
//! has a part in the choice. Each PLAYER evaluates each position. nonet and gnubg roll it out
//! without a cube, by their own plays at 1-ply: GAMES games to the end with variance reduction. The
//! seed of position i is SEED + i. A row has the position, the values and the rollouts, all for the
//! player who has moved. The same command goes on after the last row.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]

use std::convert::Infallible;

use nonet::backgammon::{BoardView, Candidate, Dice, Position, play_to};
use nonet::benchmark::results;
use nonet::class::Class;
use nonet::engine::Engine;
use nonet::eval::{Evaluation, Evaluator};
use nonet::game::{StreamPurpose, TurnDriver, roll, stream, take_turns};
use nonet::rollout::RolloutConfig;
use nonet_measure::judges::{Judged, by_gnubg};
use nonet_measure::players::{name_of, static_evaluator};
use nonet_measure::row_file::RowFile;
use rand_pcg::Pcg64;

/// Between these static values lie the groups of positions.
const BOUNDS: [f32; 3] = [-0.6, -0.2, 0.2];
/// A longer game is given up.
const MAX_TURNS: usize = 400;
/// Positions that are judged between two writes to the file.
const AT_ONCE: usize = 20;

/// A position before a roll, and the play.
struct Played {
    position: Position,
    dice: Dice,
    play: Candidate,
}

/// The back games of one game.
struct BackGames<'a> {
    player: &'a dyn Evaluator,
    grouping: &'a dyn Evaluator,
    rng: &'a mut Pcg64,
    values: Vec<Evaluation>,
    seen: Vec<(usize, Played)>,
}

impl TurnDriver for BackGames<'_> {
    type Stop = Infallible;

    fn before_roll(&mut self, _: usize, _: &Position) -> Option<Infallible> {
        None
    }

    fn roll(&mut self, _: usize) -> Dice {
        roll(self.rng)
    }

    fn play(&mut self, _: usize, position: &Position, dice: Dice) -> Position {
        let found = results(position, dice);
        // The values are the opponent's: the least is best.
        self.player.evaluate_into(&found, &mut self.values);
        let best = (0..found.len())
            .min_by(|&a, &b| self.values[a].equity().total_cmp(&self.values[b].equity()))
            .expect("a result");
        let after = found[best];
        let holds_two = BoardView::of(&after.flipped()).own.anchors() >= 2;
        if found.len() > 1 && holds_two && Class::of(&after).slug() == "backgame" {
            let value = -self.grouping.evaluate(&after).equity();
            let group = BOUNDS.iter().filter(|&&bound| value >= bound).count();
            let play = play_to(position, dice, &after).expect("legal");
            let play = Candidate { play, after };
            self.seen.push((group, Played { position: *position, dice, play }));
        }
        after
    }
}

/// As many positions of each group, one a game: the first of the group that has the fewest.
fn drawn(player: &dyn Evaluator, grouping: &dyn Evaluator, count: usize, seed: u64) -> Vec<Played> {
    let mut found: Vec<Played> = Vec::new();
    let mut taken = [0; BOUNDS.len() + 1];
    for number in 0.. {
        if taken.iter().all(|&taken| taken == count) {
            break;
        }
        let rng = &mut stream(seed, StreamPurpose::Decisions, number);
        let mut game = BackGames { player, grouping, rng, values: Vec::new(), seen: Vec::new() };
        take_turns(Position::START, MAX_TURNS, &mut game);
        let open = game.seen.into_iter().filter(|(group, _)| taken[*group] < count);
        if let Some((group, played)) = open.min_by_key(|(group, _)| taken[*group]) {
            taken[group] += 1;
            found.push(played);
        }
    }
    found
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [count, games, seed, threads, path, players @ ..] = words.as_slice() else {
        panic!("expected COUNT GAMES SEED THREADS OUT.csv PLAYER...");
    };
    let parsed = |word: &str| word.parse::<u64>().expect("a whole number");
    let [count, games, seed, threads] = [count, games, seed, threads].map(|word| parsed(word));
    let threads = threads as usize;
    let engine = Engine::builder().threads(threads).build().expect("nonet");
    let evaluators: Vec<_> = players.iter().map(|word| static_evaluator(word)).collect();
    let names: Vec<&str> = players.iter().map(|word| name_of(word)).collect();
    let head =
        format!("number,position,dice,play,afters,{},by nonet,error,by gnubg\n", names.join(","));
    let file = RowFile::open(path, &head);
    let done = file.rows();
    let all =
        drawn(&*static_evaluator("champion"), &*static_evaluator("swift"), count as usize, seed);
    for first in (done..all.len()).step_by(AT_ONCE) {
        let some = &all[first..all.len().min(first + AT_ONCE)];
        let judged: Vec<(u64, Judged)> = (seed + first as u64..)
            .zip(some)
            .map(|(seed, Played { position, dice, play })| {
                (seed, Judged { position, dice: *dice, plays: std::slice::from_ref(play) })
            })
            .collect();
        let config = RolloutConfig { games, seed, ..RolloutConfig::default() };
        let by_gnubg = by_gnubg(&judged, &config, threads);
        let mut rows = String::new();
        for ((number, (seed, judged)), by_gnubg) in (first..).zip(&judged).zip(by_gnubg) {
            let after = &judged.plays[0].after;
            let values = evaluators.iter().map(|net| -net.evaluate(after).equity());
            let values: Vec<String> = values.map(|value| format!("{value:.4}")).collect();
            let [mean, error] =
                judged.by_nonet(&engine, &RolloutConfig { seed: *seed, ..config })[0];
            rows += &format!(
                "{number},{},{},{},{},{},{mean:.4},{error:.4},{:.4}\n",
                judged.position.id(),
                judged.dice,
                judged.plays[0].play,
                after.id(),
                values.join(","),
                by_gnubg[0]
            );
        }
        file.append(&rows);
        file.tell("positions", done, first + some.len(), all.len());
    }
}
