//! Rolls positions out with the cube, to fit the cube efficiency of each class:
//! `reports/cube-efficiency.md`.
//!
//! `cargo run --release -p nonet-measure --bin cube_efficiency -- POSITIONS GAMES SEED THREADS
//! SCORE OUT.csv` takes one position a game, as many of each class. The games are those of the
//! built-in net against itself at 1-ply. Each is rolled out to the end with the cube in the middle,
//! at the player on roll and at the opponent. A rollout has GAMES games with 1-ply plays and
//! variance reduction; the seed of position i is SEED + i. SCORE is `money`, or the points that the
//! player on roll and the opponent are away, as `4-2`. OUT.csv gets a row for each position and
//! cube. The same command goes on after the last row.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]

use nonet::backgammon::{Cube, CubeOwner, Position, Results, Scoring};
use nonet::class::Class;
use nonet::engine::{Engine, cached_bearoff};
use nonet::eval::{Evaluator, best_result};
use nonet::game::{StreamPurpose, below, roll, stream};
use nonet::progress::Progress;
use nonet::rollout::{RolloutConfig, RolloutSums};
use nonet_measure::row_file::RowFile;

/// Winning chances of the positions: outside, the cube is gone or worth little.
const WIN: std::ops::RangeInclusive<f32> = 0.15..=0.85;

const HEAD: &str = "number,position,class,owner,games,win,won,lost,equity,stderr,dead,live,\
                    static_dead,static_live\n";

fn place_of(position: &Position) -> usize {
    let class = Class::of(position);
    Class::all().position(|one| one == class).expect("one of all")
}

/// One position of a game, of a class that is still wanted.
fn position_of(engine: &Engine, seed: u64, game: u64, wanted: &[usize]) -> Option<Position> {
    let mut rng = stream(seed, StreamPurpose::Choice, game);
    let (mut position, mut results, mut values) = (Position::START, Results::default(), Vec::new());
    let mut found: Vec<Position> = Vec::new();
    for turn in 0..400 {
        if turn > 3 && wanted[place_of(&position)] > 0 {
            let value = engine.static_evaluator().evaluate(&position);
            if WIN.contains(&value.cumulative()[0]) {
                found.push(position);
            }
        }
        let after = results.of(&position, roll(&mut rng));
        position = after[best_result(engine.static_evaluator(), after, &mut values)];
        if position.outcome().is_some() {
            break;
        }
    }
    // A class first, so that rare ones are found; then a position of it.
    let mut classes: Vec<usize> = found.iter().map(place_of).collect();
    classes.sort_unstable();
    classes.dedup();
    let class = *classes.get(below(classes.len().max(1), &mut rng))?;
    found.retain(|one| place_of(one) == class);
    Some(found[below(found.len(), &mut rng)])
}

/// Positions, `each` of every class.
fn positions(engine: &Engine, seed: u64, each: usize) -> Vec<Position> {
    let mut wanted = vec![each; Class::all().count()];
    let mut all = Vec::new();
    // The endgame has no decisions that the bearoff databases leave open.
    for (place, class) in Class::all().enumerate() {
        if class.slug() == "endgame" {
            wanted[place] = 0;
        }
    }
    for game in 0.. {
        if wanted.iter().all(|left| *left == 0) || game > 1_000_000 {
            break;
        }
        if let Some(position) = position_of(engine, seed, game, &wanted) {
            wanted[place_of(&position)] -= 1;
            all.push(position);
        }
    }
    all
}

/// Money, or a score as `4-2`: points away, the player on roll first.
fn scoring_of(word: &str) -> Scoring {
    if word == "money" {
        return Scoring::Money { jacoby: false, beavers: false };
    }
    let (own, opponent) = word.split_once('-').expect("money, or a score as 4-2");
    let [own, opponent]: [u16; 2] = [own, opponent].map(|away| away.parse().expect("points away"));
    let length = own.max(opponent);
    Scoring::of_match(length, length - own, length - opponent, false).expect("a score")
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [each, games, seed, threads, score, path] = words.as_slice() else {
        panic!("expected POSITIONS GAMES SEED THREADS SCORE OUT.csv");
    };
    let scoring = scoring_of(score);
    let number = |word: &str| word.parse::<u64>().expect("a whole number");
    let (each, games) = (number(each) as usize, number(games));
    let (seed, threads) = (number(seed), number(threads) as usize);
    let databases = cached_bearoff().expect("bearoff databases").databases;
    let engine = Engine::builder().bearoff(databases).threads(threads).build().expect("an engine");
    let all = positions(&engine, seed, each);
    let file = RowFile::open(path, HEAD);
    let done = file.rows() / 3;
    for (i, position) in all.iter().enumerate().skip(done) {
        let config = RolloutConfig { games, seed: seed + i as u64, ..RolloutConfig::default() };
        let owners = [CubeOwner::Centred, CubeOwner::Own, CubeOwner::Opponent];
        let contexts = owners.map(|owner| {
            let value = if owner == CubeOwner::Centred { 1 } else { 2 };
            let cube = Cube::new(value, owner).expect("a power of two");
            engine.context(scoring, cube).expect("a score of the table")
        });
        let lines = contexts.each_ref().map(|of| Engine::rollout_line(position, Some(of)));
        let mut sums = vec![RolloutSums::default(); lines.len()];
        engine.rollout_together(&lines, &config, &mut sums, &mut |_| false, &Progress::default());
        let known = engine.static_evaluator().evaluate(position);
        let mut rows = String::new();
        for ((context, sums), owner) in contexts.iter().zip(&sums).zip(["centre", "own", "other"]) {
            let result = sums.result();
            let cumulative = result.value.cumulative();
            let of = |value, efficiency| {
                let utility = context.scoring.cubeful_at(value, context.cube, efficiency);
                context.scoring.equity(utility, context.cube.value())
            };
            rows += &format!(
                "{i},{},{},{owner},{},{:.5},{:.5},{:.5},{:.5},{:.5},{:.5},{:.5},{:.5},{:.5}\n",
                position.id(),
                Class::of(position).slug(),
                result.games,
                cumulative[0],
                cumulative[1] + cumulative[2],
                cumulative[3] + cumulative[4],
                result.equity.mean,
                result.equity.stderr,
                of(&result.value, 0.0),
                of(&result.value, 1.0),
                of(&known, 0.0),
                of(&known, 1.0),
            );
        }
        file.append(&rows);
        if (i + 1) % 20 == 0 {
            file.tell("positions", done, i + 1, all.len());
        }
    }
}
