//! Fixed workloads that the benches and `nonet speed` time.
//!
//! Each function runs its workload once, checks the result, and returns the number of units; the
//! caller measures the time.

use pulp::{Simd, WithSimd};

use crate::train::{GameSource, GeneratedGames, Learner, Seats, UpdateRule};
use nonet_engine::backgammon::{Dice, Position, Results};
use nonet_engine::class::Class;
use nonet_engine::eval::Evaluation;
use nonet_engine::eval::{Architecture, Evaluator, PubEval, QuantizedSpecialists, Specialists};
use nonet_engine::features::{Encoding, SparseInputs};
use nonet_engine::game::{GameRunner, Greedy, Player, StreamPurpose, roll, stream};
use nonet_engine::nn::{ForwardCache, ForwardPass, Network, QuantizedMlp};
use nonet_engine::search::{Plies, Search, SearchSettings};
use nonet_engine::vectors::dispatch_wide;

/// Positions and rolls of games of PubEval against itself, and the nets that evaluate them.
pub struct Workload {
    roots: Vec<(Position, Dice)>,
    /// Results of the first roots, roll by roll.
    decisions: Vec<Vec<Position>>,
    team: QuantizedSpecialists,
    results: Results,
    values: Vec<Evaluation>,
    /// Results with contact.
    contacts: Vec<Position>,
    /// Some contact positions, encoded.
    encoded: Vec<SparseInputs>,
    table: GameRunner,
    learner: Learner,
    source: GeneratedGames,
    next_game: u64,
}

/// One of the measures: its name, the unit counted, and the work.
pub struct Measure {
    /// Short name.
    pub name: &'static str,
    /// The unit of the count.
    pub unit: &'static str,
    /// Does the work once and returns the number of units.
    pub work: fn(&mut Workload) -> u64,
}

/// All measures, in the order of the hot path.
pub const MEASURES: [Measure; 9] = [
    Measure { name: "movegen", unit: "rolls", work: Workload::rolls },
    Measure { name: "results", unit: "distinct results", work: Workload::generate },
    Measure { name: "inputs", unit: "positions with contact encoded", work: Workload::encode },
    Measure {
        name: "forward",
        unit: "forward passes of the default class's net",
        work: Workload::forward,
    },
    Measure { name: "static", unit: "static evaluations", work: Workload::evaluate },
    Measure { name: "decision", unit: "1-ply decisions", work: Workload::decide },
    Measure { name: "decision2", unit: "2-ply decisions", work: Workload::decide_deeper },
    Measure { name: "selfplay", unit: "self-play games", work: Workload::self_play },
    Measure { name: "training", unit: "training games", work: Workload::train },
];

const GAMES: u64 = 100;
/// The number of distinct results of all rolls of those games, which the move generator must find.
const RESULTS: u64 = 86_402;

/// Games that the team of [`verify`] learns from.
const VERIFY_GAMES: u64 = 64;
/// The checksums of [`Workload::answers`] after them: forward passes, static evaluations, 2-ply
/// decisions. They are the same on every processor and change only where numbers change on purpose.
const ANSWERS: [u64; 3] =
    [12_020_291_984_794_423_296, 15_015_929_933_788_700_373, 10_773_070_632_553_636_558];

/// Checks that the workloads give their known answers; call it before timing them.
///
/// # Panics
/// If an answer differs.
pub fn verify() {
    let answers = Workload::new(VERIFY_GAMES).answers();
    assert_eq!(answers, ANSWERS, "the workloads give other answers than expected");
}

/// FNV-1a over the bits of numbers.
fn checksum(bits: impl IntoIterator<Item = u32>) -> u64 {
    bits.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, bits| {
        (hash ^ u64::from(bits)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl Workload {
    /// Checksums of forward passes, static evaluations and 2-ply decisions.
    fn answers(&mut self) -> [u64; 3] {
        let class = Class::of(&Position::START);
        let net = &self.team.nets()[self.team.net_of(class)];
        let passes = dispatch_wide(net.mlp.is_quantized(), Passes(&net.mlp, &self.encoded));
        let mut values = Vec::new();
        let mut equities = Vec::new();
        for results in self.decisions.iter().take(200) {
            self.team.evaluate_into(results, &mut values);
            equities.extend(values.iter().map(|value| value.equity().to_bits()));
        }
        let player = Search::new(&self.team, Plies::TWO, SearchSettings::NORMAL);
        let mut choices = stream(1, StreamPurpose::Choice, 0);
        let decisions = self.roots.iter().take(20).map(|(position, dice)| {
            let results = self.results.of(position, *dice);
            let decision =
                nonet_engine::game::MoveChoice { position, dice: *dice, results, context: None };
            player.choose(&decision, &mut values, &mut choices) as u32
        });
        let decisions = checksum(decisions);
        [checksum(passes.into_iter().map(f32::to_bits)), checksum(equities), decisions]
    }

    /// Prepares the positions. The team has the large preset. It first learns from `games` games,
    /// because an untrained team plays unusually long games.
    #[must_use]
    pub fn new(games: u64) -> Workload {
        let mut table = GameRunner::default();
        let mut roots = Vec::new();
        for game in 0..GAMES {
            let (mut dice, mut choices) =
                (stream(1, StreamPurpose::Match, game), stream(1, StreamPurpose::Choice, game));
            let played = table.play([&PubEval, &PubEval], &mut dice, &mut choices);
            roots.extend(
                played.into_iter().flat_map(|game| game.positions).map(|p| (p, roll(&mut choices))),
            );
        }
        let mut results = Results::default();
        let decisions: Vec<Vec<Position>> =
            roots.iter().take(2000).map(|(p, d)| results.of(p, *d).to_vec()).collect();
        let contacts = decisions.iter().flatten().filter(|position| {
            position.outcome().is_none() && Class::of(position).spec().encoding == Encoding::Contact
        });
        let contacts = contacts.copied().collect();
        let team =
            Specialists::random(&Architecture::ALL[0], &mut stream(1, StreamPurpose::Weights, 0));
        let mut workload = Workload {
            roots,
            decisions,
            team: team.quantized(),
            results,
            values: Vec::new(),
            contacts,
            encoded: Vec::new(),
            table,
            learner: Learner::new(team, None),
            source: GeneratedGames {
                seed: 3,
                plies: Plies::ONE,
                epsilon: 0.0,
                starts: None,
                seats: Seats::SelfPlay,
            },
            next_game: 0,
        };
        while workload.next_game < games {
            workload.train();
        }
        workload.play_with(workload.learner.team.quantized());
        workload
    }

    /// Evaluates and plays with this team from now on; the training games remain those of the large
    /// preset.
    pub fn play_with(&mut self, team: QuantizedSpecialists) {
        let class = Class::of(&Position::START);
        let encoding = team.nets()[team.net_of(class)].encoding;
        let positions = self.roots.iter().map(|(position, _)| position);
        let alike = positions.filter(|position| Class::of(position) == class);
        let encode = |position: &Position| {
            let mut inputs = SparseInputs::default();
            encoding.encode(position, &mut inputs);
            inputs
        };
        self.encoded = alike.take(500).map(encode).collect();
        self.team = team;
    }

    fn results(&mut self) -> u64 {
        let results = &mut self.results;
        let found: u64 = self
            .roots
            .iter()
            .map(|(position, dice)| results.of(position, *dice).len() as u64)
            .sum();
        assert_eq!(
            found, RESULTS,
            "the move generator finds another number of results than expected"
        );
        found
    }

    fn rolls(&mut self) -> u64 {
        self.results();
        self.roots.len() as u64
    }

    fn generate(&mut self) -> u64 {
        self.results()
    }

    fn encode(&mut self) -> u64 {
        let mut encoded = 0;
        Encoding::Contact.encode_batch(&self.contacts, &mut |inputs| {
            assert!(!inputs.indices().is_empty(), "a position without inputs");
            encoded += 1;
        });
        encoded
    }

    fn forward(&mut self) -> u64 {
        let class = Class::of(&Position::START);
        let net = &self.team.nets()[self.team.net_of(class)];
        let passes = dispatch_wide(net.mlp.is_quantized(), Passes(&net.mlp, &self.encoded));
        assert!(passes.iter().all(|sum| sum.is_finite()));
        passes.len() as u64
    }

    fn evaluate(&mut self) -> u64 {
        let mut count = 0;
        for results in &self.decisions {
            self.team.evaluate_into(results, &mut self.values);
            count += self.values.len() as u64;
            assert!(
                self.values.iter().all(|value| value.equity().abs() < 4.0),
                "an equity out of range"
            );
        }
        count
    }

    fn decide(&mut self) -> u64 {
        let player = Greedy(&self.team);
        let mut choices = stream(1, StreamPurpose::Choice, 0);
        for (position, dice) in self.roots.iter().take(2000) {
            let results = self.results.of(position, *dice);
            let decision =
                nonet_engine::game::MoveChoice { position, dice: *dice, results, context: None };
            let choice = player.choose(&decision, &mut self.values, &mut choices);
            assert!(self.values.iter().all(|value| value.equity() >= self.values[choice].equity()));
        }
        2000
    }

    fn decide_deeper(&mut self) -> u64 {
        let player = Search::new(&self.team, Plies::TWO, SearchSettings::NORMAL);
        let mut choices = stream(1, StreamPurpose::Choice, 0);
        for (position, dice) in self.roots.iter().take(300) {
            let results = self.results.of(position, *dice);
            let decision =
                nonet_engine::game::MoveChoice { position, dice: *dice, results, context: None };
            let choice = player.choose(&decision, &mut self.values, &mut choices);
            assert!(choice < results.len());
        }
        300
    }

    fn self_play(&mut self) -> u64 {
        let player = Greedy(&self.team);
        for game in 0..20 {
            let (mut dice, mut choices) =
                (stream(2, StreamPurpose::Match, game), stream(2, StreamPurpose::Choice, game));
            let played = self.table.play([&player, &player], &mut dice, &mut choices);
            assert!(played.is_some_and(|game| game.points() != 0), "the last play wins");
        }
        20
    }

    fn train(&mut self) -> u64 {
        let numbers = self.next_game..self.next_game + 32;
        self.next_game = numbers.end;
        if let Ok(batch) = self.source.games(numbers, &self.learner.team) {
            let rule = UpdateRule::plain(0.01, 0.6);
            let lessons = self.learner.learn(&batch.games, &rule);
            let positions: usize = batch.games.iter().map(|game| game.positions.len()).sum();
            assert_eq!(
                lessons.examples.values().sum::<u64>(),
                positions as u64,
                "every position teaches once"
            );
        }
        32
    }
}

/// Forward passes of one net, with the vector instructions of the processor.
struct Passes<'a>(&'a QuantizedMlp, &'a [SparseInputs]);

impl WithSimd for Passes<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<f32> {
        let mut cache = ForwardCache::default();
        let mut first = Vec::with_capacity(self.1.len());
        for inputs in self.1 {
            let (indices, values) = (inputs.indices(), inputs.values());
            first.push(self.0.forward_with(simd, indices, values, &mut cache)[0]);
        }
        first
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_workloads_give_their_known_answers() {
        super::verify();
    }
}
