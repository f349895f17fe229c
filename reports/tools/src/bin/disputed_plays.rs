//! Settles by rollouts what players dispute: decisions as games have them, the plays of nonet at 1
//! to 4 plies and of GNU Backgammon at its 0 to 2 (`gnubg:1` to `gnubg:3`), and, where they differ,
//! the value of each play that was chosen, without the cube. `tests/library/reports.rs` derives the
//! tables of `reports/disputed.md` from the file that this writes and from that of
//! `open_sage_rollouts.py`.
//!
//! `cargo run --release -p nonet-measure --bin disputed_plays -- NET DECISIONS GAMES SEED THREADS
//! OUT.csv [PLAYER...]` takes decisions from games of the net against itself at 1-ply. Two judges,
//! nonet with the net and gnubg, roll each chosen play out: GAMES games each with stratified dice
//! (the seed of decision i is SEED + i), variance reduction and 1-ply plays, cut off after 11 plies
//! (nonet: the mean of 11 and 12). OUT.csv gets a row for each decision; the same command goes on
//! after the last one. Other players can be named: `nonet:DEPTH` and `gnubg:N`, as in
//! `nonet:roller`. DECISIONS may be a file that this program wrote: its plays are then judged anew,
//! with other GAMES or SEED.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]
#![allow(clippy::print_stderr, reason = "progress")]

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use nonet::backgammon::{Candidate, Dice, Position, play_to};
use nonet::benchmark::{SamplingConfig, results, sampled};
use nonet::engine::{Engine, cached_bearoff};
use nonet::eval::External;
use nonet::game::{MoveChoice, Player, StreamPurpose, stream};
use nonet::protocol::gnubg::{Gnubg, GnubgSettings};
use nonet::rollout::RolloutConfig;
use nonet_measure::judges::{Judged, by_gnubg};

/// The players unless others are named; gnubg's depths are counted as nonet's.
const PLAYERS: [&str; 7] =
    ["nonet:1", "nonet:2", "nonet:3", "nonet:4", "gnubg:1", "gnubg:2", "gnubg:3"];
/// Plies after which a rollout is cut off.
const TRUNCATE: u32 = 11;
/// Decisions that are judged between two writes to the file.
const AT_ONCE: usize = 40;

/// A decision and the plays that were chosen.
#[derive(Clone)]
struct Question {
    position: Position,
    dice: Dice,
    /// Each once.
    plays: Vec<Candidate>,
    /// Of each player, the index of its play.
    chosen: Vec<usize>,
}

impl Question {
    /// `players` decide.
    fn asked(position: Position, dice: Dice, players: &[(String, Arc<dyn Player>)]) -> Question {
        let results = &results(&position, dice);
        let choice = MoveChoice { position: &position, dice, results, context: None };
        let mut plays: Vec<Candidate> = Vec::new();
        let mut chosen = Vec::new();
        for (name, player) in players {
            let mut rng = stream(1, StreamPurpose::Choice, 0);
            let after = results[player.choose(&choice, &mut Vec::new(), &mut rng)];
            assert!(player.failure().is_none(), "{name} failed");
            let place = plays.iter().position(|play| play.after == after).unwrap_or_else(|| {
                let play = play_to(&position, dice, &after).expect("legal");
                plays.push(Candidate { play, after });
                plays.len() - 1
            });
            chosen.push(place);
        }
        Question { position, dice, plays, chosen }
    }

    /// A row that [`Question::row`] wrote, of so many players.
    fn of_row(row: &str, players: usize) -> Question {
        let cells: Vec<&str> = row.split(',').collect();
        let position = Position::from_id(cells[1]).expect("an ID");
        let dice = cells[2].parse().expect("a roll");
        let play = |words: &str| position.read_play(words, dice).expect("legal");
        let chosen = cells[5..5 + players].iter().map(|cell| cell.parse().expect("a place"));
        let plays = cells[3].split(';').map(play).collect();
        Question { position, dice, plays, chosen: chosen.collect() }
    }

    /// Whether it is judged: the players differ, and no play ends the game. Where one does, no
    /// other is better.
    fn disputed(&self) -> bool {
        self.plays.len() > 1 && self.plays.iter().all(|play| play.after.outcome().is_none())
    }

    fn judged(&self) -> Judged<'_> {
        Judged { position: &self.position, dice: self.dice, plays: &self.plays }
    }

    fn row(&self, number: usize, judged: &[Vec<f64>]) -> String {
        let plays: Vec<String> = self.plays.iter().map(|play| play.play.to_string()).collect();
        let id = self.position.id();
        let afters: Vec<String> = self.plays.iter().map(|play| play.after.id()).collect();
        let mut row =
            format!("{number},{id},{},{},{}", self.dice, plays.join(";"), afters.join(";"));
        self.chosen.iter().for_each(|place| {
            let _ = write!(row, ",{place}");
        });
        for values in judged {
            let values: Vec<String> = values.iter().map(|value| format!("{value:.5}")).collect();
            let _ = write!(row, ",{}", values.join(";"));
        }
        row + "\n"
    }
}

/// The player of a name.
fn player(engine: &Engine, name: &str) -> Arc<dyn Player> {
    match name.split_once(':').expect("nonet:DEPTH or gnubg:N") {
        ("nonet", depth) => engine.with_depth(depth.parse().expect("a depth")).player(),
        ("gnubg", plies) => {
            let program = std::env::var("GNUBG").unwrap_or_else(|_| "/usr/games/gnubg".to_owned());
            let settings = GnubgSettings::cubeless(plies.parse().expect("1 to 4"));
            let started = Gnubg::start_with(Path::new(&program), settings);
            Arc::new(External::new(started.expect("gnubg")))
        }
        _ => panic!("no player called '{name}': expected nonet:DEPTH or gnubg:N"),
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [net, decisions, games, seed, threads, path, named @ ..] = words.as_slice() else {
        panic!("expected NET DECISIONS GAMES SEED THREADS OUT.csv [PLAYER...]");
    };
    let parsed = |word: &str| word.parse::<u64>().expect("a whole number");
    let [games, seed, threads] = [games, seed, threads].map(|word| parsed(word));
    let threads = threads as usize;
    let databases = cached_bearoff().expect("bearoff databases").databases;
    let engine =
        Engine::builder().net_file(net).bearoff(databases).threads(threads).build().expect("nonet");
    let named: Vec<&str> = named.iter().map(String::as_str).collect();
    let judged_before = Path::new(decisions).is_file().then(|| {
        let text = fs::read_to_string(decisions).expect("readable");
        let (head, rows) = text.split_once('\n').expect("a head");
        let names: Vec<String> = head.split(',').skip(5).map(str::to_owned).collect();
        let players = names.len() - 2;
        let all: Vec<Question> = rows.lines().map(|row| Question::of_row(row, players)).collect();
        (names[..players].to_vec(), all)
    });
    let names: Vec<&str> = match &judged_before {
        Some((names, _)) => names.iter().map(String::as_str).collect(),
        None if named.is_empty() => PLAYERS.to_vec(),
        None => named,
    };
    let players: Vec<(String, Arc<dyn Player>)> = match judged_before {
        Some(_) => Vec::new(),
        None => names.iter().map(|name| ((*name).to_owned(), player(&engine, name))).collect(),
    };
    let head = format!("number,position,dice,plays,afters,{},by nonet,by gnubg\n", names.join(","));
    if !Path::new(path).exists() {
        fs::write(path, &head).expect("written");
    }
    let before = fs::read_to_string(path).expect("readable");
    let whole = before.starts_with(&head) && before.ends_with('\n');
    assert!(whole, "{path} is of something else, or its last row is torn");
    let done = before.lines().count() - 1;
    let sampled = match &judged_before {
        Some((_, all)) => all.iter().map(|one| (one.position, one.dice)).collect(),
        None => {
            let number = parsed(decisions) as usize;
            let config = SamplingConfig::natural(number, seed);
            sampled(engine.static_evaluator().as_ref(), &config)
        }
    };
    let config =
        RolloutConfig { games, truncate: Some(TRUNCATE), seed, ..RolloutConfig::default() };
    let started = Instant::now();
    for first in (done..sampled.len()).step_by(AT_ONCE) {
        let some = &sampled[first..sampled.len().min(first + AT_ONCE)];
        let asked: Vec<Question> = match &judged_before {
            Some((_, all)) => all[first..first + some.len()].to_vec(),
            None => engine.install(|| {
                let asked = |&(position, dice): &_| Question::asked(position, dice, &players);
                some.iter().map(asked).collect()
            }),
        };
        let numbered = (first as u64..).map(|number| seed + number).zip(&asked);
        let disputed: Vec<(u64, Judged)> = numbered
            .filter(|(_, question)| question.disputed())
            .map(|(seed, question)| (seed, question.judged()))
            .collect();
        let gnubg = by_gnubg(&disputed, &config, threads);
        let mut gnubg = gnubg.into_iter();
        let mut rows = String::new();
        for (number, question) in (first..).zip(&asked) {
            let judged = if question.disputed() {
                let config = RolloutConfig { seed: seed + number as u64, ..config };
                let by_nonet = question.judged().by_nonet(&engine, &config);
                let by_nonet = by_nonet.into_iter().map(|[mean, _]| mean).collect();
                vec![by_nonet, gnubg.next().expect("judged")]
            } else {
                vec![Vec::new(), Vec::new()]
            };
            rows += &question.row(number, &judged);
        }
        let mut file = OpenOptions::new().append(true).open(path).expect("written before");
        file.write_all(rows.as_bytes()).expect("written");
        let (now, seconds) = (first + some.len(), started.elapsed().as_secs_f64());
        let left = seconds / (now - done) as f64 * (sampled.len() - now) as f64;
        eprintln!("{now} of {} decisions, {seconds:.0} s, {left:.0} s to go", sampled.len());
    }
}
