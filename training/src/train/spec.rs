//! The options of a training run as the user writes them, in `config.toml` or on the command line: keys, help texts and
//! defaults. They are not checked here; a checked run is a [`TrainPlan`](super::TrainPlan).

use serde::{Deserialize, Serialize};

use super::game_source::recorded::Unfinished;
use super::method::Method;
use super::net_learner::Optimizer;
use super::opponents::Opponents;
use super::option_values::{Backprop, Preset, Sides, Source, Targets, TestDice, Unforeseen};
use super::rule::UpdateTiming;
use super::schedule::Schedule;
use super::targets::Successor;
use nonet_engine::class::Class;
use nonet_engine::eval::Architecture;
use nonet_engine::nn::INITIAL;
use nonet_engine::open::PlayerSpec;
use nonet_engine::search::Plies;

/// Declares [`TrainSpec`]: each option with its help text, its key (preceded by its key in earlier versions, if that
/// differs), its type and its default.
macro_rules! options {
    ($($(#[$meta:meta])* $([$old:literal])? $key:ident: $type:ty = $default:expr;)*) => {
        /// The options of a training run: everything that determines its resulting bytes, and nothing else.
        ///
        /// They are the content of a run's `config.toml` and, with the feature `cli`, the options of `nonet train`; the doc
        /// comment of each field is the help text of its option. [`TrainPlan`](super::TrainPlan) checks them. The default is
        /// the paper's method (Wiering, Patist & Mannen, section 4.1) with nets of another size, a falling learning rate in place of its
        /// constant one, and a moving average of the weights.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "clap", derive(clap::Args))]
        #[serde(deny_unknown_fields, default)]
        pub struct TrainSpec {
            $(
                $(#[$meta])*
                #[cfg_attr(feature = "clap", arg(long $(, alias = $old)?))]
                $(#[serde(alias = $old)])?
                pub $key: $type,
            )*
        }

        impl Default for TrainSpec {
            fn default() -> TrainSpec {
                TrainSpec { $($key: $default,)* }
            }
        }

        impl TrainSpec {
            /// The keys of all options, in order.
            pub const KEYS: &[&str] = &[$(stringify!($key)),*];
        }
    };
}

options! {
    /// Where games come from.
    source: Source = Source::SelfPlay;
    /// The expert: a net file, built-in, or gnubg:1 to gnubg:4, an installed GNU Backgammon (at its 0 to 3 plies).
    #[cfg_attr(feature = "clap", arg(value_name = "PLAYER"))]
    expert: Option<PlayerSpec> = None;
    /// Records of games to observe: .mat, .sgf, .xg, .bgf, FIBS oldmoves or compact files, folders with such files, or - for standard input. Games that cannot be used are named on stderr and skipped. After the last game the records are read again, until --games; a run from standard input ends there.
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", num_args = 1..))]
    records: Vec<String> = Vec::new();
    /// How recorded games are learned that ended before the last checker was off (default: agreed).
    #[cfg_attr(feature = "clap", arg(value_name = "RULE"))]
    unfinished: Option<Unfinished> = None;
    /// Whose evaluations make the targets.
    targets: Targets = Targets::Own;
    /// The learning rule.
    method: Method = Method::Td;
    /// Plies of the search that chooses the learner's plays, 1 (static) or 2 (default: that of the method).
    #[cfg_attr(feature = "clap", arg(value_name = "N"))]
    ply: Option<Plies> = None;
    /// Probability that the learner plays the second best result instead of the best one, 0..1, in self-play at 1-ply.
    #[cfg_attr(feature = "clap", arg(value_name = "CHANCE"))]
    ["explore"] epsilon: f32 = 0.0;
    /// Classes that games of self-play begin in, each equally often, in place of the start position: endgame, race, no-back, ... (none: all games begin there). Such a game begins with the first position of the class in another game of the learner.
    #[cfg_attr(feature = "clap", arg(value_delimiter = ',', num_args = 1.., value_name = "CLASS"))]
    starts: Vec<Class> = Vec::new();
    /// Probability that a game begins in one of the classes of --starts, 0..1.
    #[cfg_attr(feature = "clap", arg(value_name = "CHANCE"))]
    start_chance: f32 = 0.5;
    /// When weights change: offline (after a game, by lambda returns) or online (after each position, by eligibility traces).
    update: UpdateTiming = UpdateTiming::Offline;
    /// Backpropagation to the weights, or also to the sensitivity of each unit of the first hidden layer.
    backprop: Backprop = Backprop::Plain;
    /// Learning rate of the sensitivities of --backprop extended.
    #[cfg_attr(feature = "clap", arg(value_name = "RATE"))]
    beta_alpha: f32 = 0.01;
    /// Compare values v as tanh(SCALE v) / SCALE, as KnightCap did (0: unchanged).
    #[cfg_attr(feature = "clap", arg(value_name = "SCALE"))]
    squash: f32 = 0.0;
    /// Temporal differences caused by an unforeseen opponent move: keep, or drop (KnightCap).
    ["surprises"] unforeseen: Unforeseen = Unforeseen::Keep;
    /// The successor of a position in the differences of TD(lambda): turn (minimax TD, the paper's rule: the position before the opponent's roll, with the sign reversed) or own-turn (plain TD: the position after the next play of the same side). Own-turn needs games that are played for the run, --method td or td-directed, --update offline and --unforeseen keep.
    successor: Successor = Successor::Turn;
    /// The positions that TD(lambda) learns in games against an expert: those of both sides, or those that the learner has played to. Own needs --source expert, --method td or td-directed, and --update offline.
    #[cfg_attr(feature = "clap", arg(value_name = "SIDES"))]
    sides: Sides = Sides::Both;
    /// The architecture: a name, or the hidden units of the endgame, race and contact nets, such as 40/64/128, or 128-16/128-16/512-32
    /// with two layers.
    #[cfg_attr(feature = "clap", arg(conflicts_with = "from"))]
    preset: Preset = preset("medium");
    /// The largest absolute value of a random weight at the start, above 0: weights are uniform between its negative and it.
    #[cfg_attr(feature = "clap", arg(value_name = "WEIGHT", conflicts_with = "from"))]
    initial: f32 = INITIAL;
    /// Start with the weights and the architecture of this net file instead of random weights.
    #[cfg_attr(feature = "clap", arg(value_name = "NET"))]
    from: Option<String> = None;
    /// Hidden units that the contact nets of --from are widened to (0: not widened); new units start with zero output weights.
    #[cfg_attr(feature = "clap", arg(value_name = "UNITS"))]
    widen: u64 = 0;
    /// Hidden units that the nets of --from for positions without contact are widened to (0: not widened).
    #[cfg_attr(feature = "clap", arg(value_name = "UNITS"))]
    widen_races: u64 = 0;
    /// Use exact values from the bearoff databases for the positions they hold, in the targets of --method rootstrap.
    ["endings"] bearoff: bool = false;
    /// Learn other results of each roll, too: up to this many that lose at most 0.1 points at 1-ply against the best one (0: none), each
    /// towards its own 2-ply value. Plays are chosen among them, and most never occur in a game. Needs --method rootstrap.
    #[cfg_attr(feature = "clap", arg(value_name = "RESULTS"))]
    siblings: u32 = 0;
    /// Weight of how much better one result of a roll is than another, beside how good each is, 0..100: an error that all of them share
    /// changes no play (0: each is learned by itself). Needs --siblings.
    #[cfg_attr(feature = "clap", arg(value_name = "WEIGHT"))]
    sibling_differences: f32 = 0.0;
    /// How far deeper values reach back along a game, 0..1: the target of a position is its 2-ply value plus this share of what the target of the next position differs from its static value. Where the game plays what the evaluator holds best, that is on average a mixture of the 2-ply, 3-ply, 4-ply ... values (0: 2-ply alone). Needs --method rootstrap.
    #[cfg_attr(feature = "clap", arg(value_name = "LAMBDA"))]
    lookahead_lambda: f32 = 0.0;
    /// Classes whose positions are moved towards a rollout of one game, the rest of the game that was played, without the luck of its rolls: they have --rollout-lambda in place of --lookahead-lambda, as far as the end of the game, whatever classes follow (none: no class). What the net gets wrong about long plans is then not in its targets; their noise is. Needs --method rootstrap.
    #[cfg_attr(feature = "clap", arg(value_delimiter = ',', num_args = 1.., value_name = "CLASS"))]
    rollout_classes: Vec<Class> = Vec::new();
    /// How far values reach back along a game to positions of --rollout-classes, 0..1: 1 is the whole rollout, less mixes it with 2-ply, 3-ply, 4-ply ... values. Needs --rollout-classes.
    #[cfg_attr(feature = "clap", arg(value_name = "LAMBDA"))]
    rollout_lambda: f32 = 1.0;
    /// Positions whose 2-ply equity differs from the static one by more than this get their 3-ply value in place of the 2-ply value, in points, 0..3 (0: none). Needs --method rootstrap.
    #[cfg_attr(feature = "clap", arg(value_name = "POINTS"))]
    three_ply_above: f32 = 0.0;
    /// Learn from positions of these classes only, with --method rootstrap: endgame, race, no-back, ... (none: all classes).
    #[cfg_attr(feature = "clap", arg(value_delimiter = ',', num_args = 1.., value_name = "CLASS"))]
    classes: Vec<Class> = Vec::new();
    /// Games to learn from.
    games: u64 = 280_000;
    /// Learning rate: 0.01, or 0.1..0.003 (falling by equal factors), or 0.1..0.003@50000 (the same over 50,000 games, then 0.003), or 0.1,0.03@50000 (steps at numbers of games). Without --alpha, runs with --from and the presets linear, single-linear and softsign have 0.01..0.001, runs with --optimizer adam 0.001..0.0001, and runs with --gated the paper's constant 0.01.
    alpha: Schedule = Schedule::Geometric { from: 0.1, to: 0.001, until: None };
    /// Lambda of TD(lambda), 0..1; a schedule like --alpha.
    lambda: Schedule = Schedule::Constant(0.6);
    /// Seed of weights and dice: same seed, same bytes.
    seed: u64 = 1;
    /// Games played against one snapshot of the weights; 1 is the paper's rule, more let threads share the work.
    #[cfg_attr(feature = "clap", arg(value_name = "GAMES"))]
    batch: u64 = 32;
    /// Times that each example of a batch is learned, with --update offline.
    epochs: u32 = 1;
    /// Games at the end that are learned towards the net's own 2-ply values (RootStrap) instead, by Adam from a replay buffer: targets without the noise of the dice (0: none). Needs self-play with --method td. Without --fine-tune, self-play by td at the default rate has a fiftieth of its games, if that is 100 or more; all else none.
    #[cfg_attr(feature = "clap", arg(value_name = "GAMES"))]
    fine_tune: u64 = 0;
    /// Size of each net's replay buffer, in examples (0: none): epochs beyond the first draw from it instead of from the batch. Needs --method rootstrap.
    #[cfg_attr(feature = "clap", arg(value_name = "EXAMPLES"))]
    ["memory"] replay: u64 = 0;
    /// sgd: one step per example. adam: one step per 256 examples, adaptive rate per weight.
    optimizer: Optimizer = Optimizer::Sgd;
    /// Window of the weights' moving average, in games (0: off).
    #[cfg_attr(feature = "clap", arg(value_name = "GAMES"))]
    ["average"] ema: u64 = 100_000;
    /// Games between tests; each test ends with a checkpoint.
    #[cfg_attr(feature = "clap", arg(value_name = "GAMES"))]
    eval_every: u64 = 25_000;
    /// Additional tests after these numbers of games (0: none). The default shows the steep start of the learning curve, at equal distances on a logarithmic axis.
    #[cfg_attr(feature = "clap", arg(value_delimiter = ',', num_args = 1.., value_name = "GAMES"))]
    eval_at: Vec<u64> = vec![100, 300, 1_000, 3_000, 10_000];
    /// Games of each test.
    #[cfg_attr(feature = "clap", arg(value_name = "GAMES"))]
    eval_games: u64 = 2_000;
    /// Games of the last match: at the end the winner of the play-off plays them against the opponent of the tests, on dice that had no part in choosing it (0: no last match).
    #[cfg_attr(feature = "clap", arg(value_name = "GAMES"))]
    final_games: u64 = 10_000;
    /// Dice of the tests: the same in every test of a run, which shows best whether it gains from test to test, or fresh ones in each, so that the errors of two tests are independent and their mean is as exact as it looks.
    test_dice: TestDice = TestDice::Same;
    /// Search depth of nets in tests, in plies, 1 to 4.
    #[cfg_attr(feature = "clap", arg(value_name = "N"))]
    eval_ply: Plies = Plies::ONE;
    /// Opponent of the tests: pubeval, random, built-in, a net file, or gnubg:1 to gnubg:4. With --gated it is the opponent of the final match only. Several, as pubeval,random: the first decides which team is the best, the others only measure.
    #[cfg_attr(feature = "clap", arg(value_name = "PLAYER,..."))]
    against: Opponents = Opponents::from(PlayerSpec::Baseline(nonet_engine::game::Baseline::PubEval));
    /// Games between gates of --gated.
    #[cfg_attr(feature = "clap", arg(value_name = "GAMES"))]
    ["rung"] gate_every: u64 = 0;
}

/// The preset of this name.
fn preset(name: &str) -> Preset {
    Preset::of(Architecture::named(name).expect("a name in the table of architectures"))
}

impl TrainSpec {
    /// The defaults of a gated run, with the paper's nets and numbers (Wiering, Patist & Mannen, section 4.1): a test of 5,000 games
    /// every 10,000 games against the winner of the last gate, a gate every 100,000 games, and a constant learning rate.
    #[must_use]
    pub fn gated() -> TrainSpec {
        TrainSpec {
            preset: preset("large"),
            alpha: Schedule::Constant(0.01),
            eval_every: 10_000,
            eval_at: Vec::new(),
            eval_games: 5_000,
            gate_every: 100_000,
            ..TrainSpec::default()
        }
    }
}
