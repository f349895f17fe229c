//! Settles by rollouts what players dispute in decisions as games have them.
//!
//! The players are nonet at 1 to 4 plies and GNU Backgammon at its 0 to 2 (`gnubg:1` to `gnubg:3`).
//! Where their plays differ, each play that was chosen gets its value without the cube.
//! `tests/library/disputed_plays.rs` derives the tables of `reports/disputed.md` from the file that
//! this writes and from that of `open_sage_rollouts.py`.
//!
//! `cargo run --release -p nonet-measure --bin disputed_plays -- NET DECISIONS GAMES SEED THREADS
//! OUT.csv [PLAYER...]` takes decisions from games. The net plays them against itself at 1-ply. Two
//! judges, nonet with the net and gnubg, roll each chosen play out in GAMES games each. Dice are
//! stratified; the seed of decision i is SEED + i. Rollouts have variance reduction and 1-ply
//! plays, and are cut off after 11 plies (nonet: the mean of 11 and 12). OUT.csv gets a row for
//! each decision. The same command goes on after the last row. Other players can be named:
//! `nonet:DEPTH` and `gnubg:N`, as in `nonet:roller`, and `FILE:DEPTH` for a player with another
//! net.
//!
//! DECISIONS may be a file that this program wrote: its plays are then judged anew, with other
//! GAMES or SEED. If players are named, too, these are asked as well. Then a decision is judged
//! anew only if one of them has another play, and the rest keeps its values. So GAMES, SEED and
//! NET, the judge's, have to be those of the file.

#![allow(clippy::expect_used, reason = "a measurement that cannot go on fails")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use nonet::backgammon::{Candidate, Dice, Position, play_to};
use nonet::benchmark::{SamplingConfig, results, sampled};
use nonet::engine::{Engine, cached_bearoff};
use nonet::eval::External;
use nonet::game::{MoveChoice, Player, StreamPurpose, stream};
use nonet::progress::Progress;
use nonet::protocol::gnubg::{Gnubg, GnubgSettings};
use nonet::rollout::RolloutConfig;
use nonet_measure::judges::{Judged, by_gnubg};
use nonet_measure::row_file::RowFile;

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
    /// The values by nonet and by gnubg, as in a file that was read.
    known: Option<[String; 2]>,
}

impl Question {
    fn new(position: Position, dice: Dice) -> Question {
        Question { position, dice, plays: Vec::new(), chosen: Vec::new(), known: None }
    }

    /// `players` decide, too.
    fn asked(mut self, players: &[(String, Arc<dyn Player>)]) -> Question {
        let Question { position, dice, .. } = self;
        let results = &results(&position, dice);
        let choice = MoveChoice { position: &position, dice, results, context: None };
        for (name, player) in players {
            let mut rng = stream(1, StreamPurpose::Choice, 0);
            let after = results[player.choose(&choice, &mut Vec::new(), &mut rng)];
            assert!(player.failure().is_none(), "{name} failed");
            let place = self.plays.iter().position(|play| play.after == after);
            self.chosen.push(place.unwrap_or_else(|| {
                let play = play_to(&position, dice, &after).expect("legal");
                self.plays.push(Candidate { play, after });
                self.known = None;
                self.plays.len() - 1
            }));
        }
        self
    }

    /// Reads a row that [`Question::row`] wrote, of this number of players.
    fn of_row(row: &str, players: usize) -> Question {
        let cells: Vec<&str> = row.split(',').collect();
        let position = Position::from_id(cells[1]).expect("an ID");
        let dice = cells[2].parse().expect("a roll");
        let play = |words: &str| position.read_play(words, dice).expect("legal");
        let chosen = cells[5..5 + players].iter().map(|cell| cell.parse().expect("a place"));
        let plays = cells[3].split(';').map(play).collect();
        let known = [cells[5 + players], cells[6 + players]].map(str::to_owned);
        Question { position, dice, plays, chosen: chosen.collect(), known: Some(known) }
    }

    /// Whether it is judged: the players differ, and no play ends the game. Where one does, no
    /// other is better.
    fn disputed(&self) -> bool {
        self.known.is_none()
            && self.plays.len() > 1
            && self.plays.iter().all(|play| play.after.outcome().is_none())
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
        if let Some([by_nonet, by_gnubg]) = &self.known {
            return row + &format!(",{by_nonet},{by_gnubg}\n");
        }
        for values in judged {
            let values: Vec<String> = values.iter().map(|value| format!("{value:.5}")).collect();
            let _ = write!(row, ",{}", values.join(";"));
        }
        row + "\n"
    }
}

/// The player of a name.
fn player(engine: &Engine, name: &str) -> Arc<dyn Player> {
    match name.rsplit_once(':').expect("nonet:DEPTH, FILE:DEPTH or gnubg:N") {
        ("nonet", depth) => engine.with_depth(depth.parse().expect("a depth")).player(),
        ("gnubg", plies) => {
            let program = std::env::var("GNUBG").unwrap_or_else(|_| "/usr/games/gnubg".to_owned());
            let settings = GnubgSettings::cubeless(plies.parse().expect("1 to 4"));
            let started = Gnubg::start_with(Path::new(&program), settings);
            Arc::new(External::new(started.expect("gnubg")))
        }
        (file, depth) => {
            let databases = cached_bearoff().expect("bearoff databases").databases;
            let other = Engine::builder().net_file(file).bearoff(databases).threads(1).build();
            other.expect("a net file").with_depth(depth.parse().expect("a depth")).player()
        }
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
        let read = |row: &str| {
            let question = Question::of_row(row, players);
            let known = question.known.clone().filter(|_| !named.is_empty());
            Question { known, ..question }
        };
        (names[..players].to_vec(), rows.lines().map(read).collect::<Vec<Question>>())
    });
    let asked = match named.is_empty() && judged_before.is_none() {
        true => PLAYERS.to_vec(),
        false => named,
    };
    let before = judged_before.iter().flat_map(|(names, _)| names).map(String::as_str);
    let names: Vec<&str> = before.chain(asked.iter().copied()).collect();
    let players: Vec<(String, Arc<dyn Player>)> =
        asked.iter().map(|name| ((*name).to_owned(), player(&engine, name))).collect();
    let head = format!("number,position,dice,plays,afters,{},by nonet,by gnubg\n", names.join(","));
    let file = RowFile::open(path, &head);
    let done = file.rows();
    let questions: Vec<Question> = match &judged_before {
        Some((_, all)) => all.clone(),
        None => {
            let number = parsed(decisions) as usize;
            let config = SamplingConfig::natural(number, seed);
            let player = engine.static_evaluator();
            let sampled = sampled(player.as_ref(), &config, &Progress::default());
            let sampled = sampled.expect("nothing stops it");
            sampled.into_iter().map(|(position, dice)| Question::new(position, dice)).collect()
        }
    };
    let config =
        RolloutConfig { games, truncate: Some(TRUNCATE), seed, ..RolloutConfig::default() };
    for first in (done..questions.len()).step_by(AT_ONCE) {
        let some = &questions[first..questions.len().min(first + AT_ONCE)];
        let asked: Vec<Question> =
            engine.install(|| some.iter().map(|one| one.clone().asked(&players)).collect());
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
        file.append(&rows);
        file.tell("decisions", done, first + some.len(), questions.len());
    }
}
