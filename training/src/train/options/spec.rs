//! The options of a training run as the user writes them, in `config.toml` or on the command line:
//! keys, help texts and defaults. They are not checked here; a checked run is a
//! [`TrainPlan`](crate::train::TrainPlan).

use serde::{Deserialize, Serialize};

use crate::train::game_source::StartKind;
use crate::train::game_source::recorded::Unfinished;
use crate::train::learning::net_learner::Optimizer;
use crate::train::learning::rule::UpdateTiming;
use crate::train::learning::targets::Successor;
use crate::train::options::method::Method;
use crate::train::options::opponents::Opponents;
use crate::train::options::option_values::{
    Backprop, LearnedOutputs, Preset, Sides, Source, Targets, TestDice, Unforeseen,
};
use crate::train::options::schedule::Schedule;
use nonet_engine::class::Class;
use nonet_engine::eval::Architecture;
use nonet_engine::nn::INITIAL;
use nonet_engine::open::PlayerSpec;
use nonet_engine::search::Plies;

/// Declares [`TrainSpec`].
///
/// The heading of each group of options comes first, then each option. An option has its help text,
/// its key, its type and its default. Its key in earlier versions stands before its key, if the two
/// differ.
///
/// The first paragraph of a help text is a line of `-h`; `--help` has all of it. `hide_long_help`
/// marks an option for research, which only `--help-all` shows.
macro_rules! options {
    ($($heading:literal: $(
        $(#[$meta:meta])* $([$old:literal])? $key:ident: $type:ty = $default:expr;
    )*)*) => {
        /// The options of a training run: everything that determines its resulting bytes, and
        /// nothing else.
        ///
        /// They are the content of a run's `config.toml` and, with the feature `clap`, the options
        /// of `nonet train`. The doc comment of each field is the help text of its option.
        /// [`TrainPlan`](crate::train::TrainPlan) checks the options.
        ///
        /// The default is the paper's method (Wiering, Patist & Mannen, section 4.1). It differs in
        /// the size of the nets, a falling instead of a constant learning rate, and a moving
        /// average of the weights.
        ///
        /// ```
        /// use nonet_training::train::TrainSpec;
        ///
        /// let preset = "40/64/128".parse()?;
        /// let spec = TrainSpec { games: 20_000, preset, ..TrainSpec::default() };
        /// assert_eq!(spec.plan()?.spec().games, 20_000);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "clap", derive(clap::Args))]
        #[serde(deny_unknown_fields, default)]
        pub struct TrainSpec {
            $($(
                $(#[$meta])*
                #[cfg_attr(feature = "clap", arg(long, help_heading = $heading $(, alias = $old)?))]
                $(#[serde(alias = $old)])?
                pub $key: $type,
            )*)*
        }

        impl Default for TrainSpec {
            fn default() -> TrainSpec {
                TrainSpec { $($($key: $default,)*)* }
            }
        }

        impl TrainSpec {
            /// The keys of all options, in order.
            pub const KEYS: &[&str] = &[$($(stringify!($key)),*),*];
        }
    };
}

options! {
    "Games":
    /// Source of the games.
    source: Source = Source::SelfPlay;
    /// The expert: a net, or gnubg:1 to gnubg:4.
    ///
    /// gnubg:N is an installed GNU Backgammon at its N - 1 plies.
    #[cfg_attr(feature = "clap", arg(value_name = "PLAYER"))]
    expert: Option<PlayerSpec> = None;
    /// Game records to learn from: files, folders, or - for stdin.
    ///
    /// Formats: .mat, .sgf, .sgg, .xg, .bgf, FIBS oldmoves and compact files. Unusable games are
    /// named on standard error and skipped. After the last game the records are read again, until
    /// --games games are learned. A run from standard input ends with the input.
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", num_args = 1..))]
    records: Vec<String> = Vec::new();
    /// How to learn from games that ended early [default: agreed]
    ///
    /// These games have no recorded end: the last checker was not borne off.
    #[cfg_attr(feature = "clap", arg(value_name = "RULE"))]
    unfinished: Option<Unfinished> = None;
    "Learning rule":
    /// Evaluator that makes the targets.
    targets: Targets = Targets::Own;
    /// Learning method.
    method: Method = Method::Td;
    /// Search depth of the learner's plays, 1 (static) or 2.
    ///
    /// Default: the depth of the method.
    #[cfg_attr(feature = "clap", arg(value_name = "N"))]
    ply: Option<Plies> = None;
    "Games":
    /// Probability, 0 to 1, of the second best play.
    ///
    /// In self-play at 1-ply, the learner then plays the second best result instead of the best
    /// one.
    #[cfg_attr(feature = "clap", arg(value_name = "CHANCE", hide_long_help = true))]
    ["explore"] epsilon: f32 = 0.0;
    /// Begin games elsewhere than at the start position.
    ///
    /// With a class (endgame, race, no-back, ...) a game begins with the first position of the
    /// class in another game of the learner. With bearoff-contact, several-caught, closed-board or
    /// deep-backgame it begins with a position of that kind, drawn at random. With nackgammon or
    /// hypergammon it begins at the start of this variant, and goes to its end. Each of them is
    /// equally frequent. Default: all games begin in the start position.
    #[cfg_attr(feature = "clap", arg(value_delimiter = ',', num_args = 1.., value_name = "START", hide_long_help = true))]
    starts: Vec<StartKind> = Vec::new();
    /// Probability, 0 to 1, that a game begins at one of --starts.
    ///
    /// Needs --starts.
    #[cfg_attr(feature = "clap", arg(value_name = "CHANCE", hide_long_help = true))]
    start_chance: f32 = 0.5;
    "Learning rule":
    /// When the weights change.
    #[cfg_attr(feature = "clap", arg(hide_long_help = true))]
    update: UpdateTiming = UpdateTiming::Offline;
    /// Parameters that backpropagation changes.
    #[cfg_attr(feature = "clap", arg(hide_long_help = true))]
    backprop: Backprop = Backprop::Plain;
    /// Learning rate of the sensitivities of --backprop extended.
    #[cfg_attr(feature = "clap", arg(value_name = "RATE", hide_long_help = true))]
    beta_alpha: f32 = 0.01;
    /// Compare values v as tanh(SCALE v) / SCALE; 0 is off.
    ///
    /// KnightCap did so.
    #[cfg_attr(feature = "clap", arg(value_name = "SCALE", hide_long_help = true))]
    squash: f32 = 0.0;
    /// Use of differences caused by unforeseen opponent moves.
    ///
    /// drop needs --method td, td-directed or tdleaf.
    #[cfg_attr(feature = "clap", arg(hide_long_help = true))]
    ["surprises"] unforeseen: Unforeseen = Unforeseen::Keep;
    /// Successor of a position in TD(lambda).
    ///
    /// own-turn needs games that are played for the run, --method td or td-directed, --update
    /// offline and --unforeseen keep.
    #[cfg_attr(feature = "clap", arg(hide_long_help = true))]
    successor: Successor = Successor::Turn;
    /// Positions that TD(lambda) learns in games with an expert.
    ///
    /// own takes the positions after plays of the learner. It also takes the start position of
    /// games that the expert begins. It needs --source expert, --method td or td-directed, and
    /// --update offline.
    #[cfg_attr(feature = "clap", arg(value_name = "SIDES", hide_long_help = true))]
    sides: Sides = Sides::Both;
    /// Outputs of the nets that learn.
    ///
    /// average leaves the six outcomes at 0, as if nets had one output. Values are half the average
    /// then, which ranks plays alike at 1-ply alone. So it needs --method td, --ply and --eval-ply
    /// of 1, --all-outcomes, a preset with linear outputs, and no --fine-tune.
    #[cfg_attr(feature = "clap", arg(value_name = "OUTPUTS", hide_long_help = true))]
    outputs: LearnedOutputs = LearnedOutputs::All;
    "Nets":
    /// Architecture of the nets: a name or a shape.
    ///
    /// A shape is the hidden units of the endgame, race and contact nets, such as 40/64/128, or
    /// 128-16/128-16/512-32 with two layers.
    #[cfg_attr(feature = "clap", arg(conflicts_with = "from"))]
    preset: Preset = preset("medium");
    /// Largest absolute value of a random start weight, above 0.
    ///
    /// Start weights are uniform between -WEIGHT and WEIGHT.
    #[cfg_attr(feature = "clap", arg(value_name = "WEIGHT", conflicts_with = "from", hide_long_help = true))]
    initial: f32 = INITIAL;
    /// Sensitivity of untrained hidden units, above 0 [default: 1, softsign 3]
    ///
    /// A unit's sensitivity multiplies the sum of its inputs. --backprop extended learns it.
    #[cfg_attr(feature = "clap", arg(value_name = "BETA", conflicts_with = "from", hide_long_help = true))]
    beta_initial: Option<f32> = None;
    /// Start with the weights and architecture of this net.
    ///
    /// Without it, the weights are random and --preset names the architecture.
    #[cfg_attr(feature = "clap", arg(value_name = "NET"))]
    from: Option<String> = None;
    /// Give each class a net of its own.
    ///
    /// Classes that share a net of --from each start with a copy of it.
    #[cfg_attr(feature = "clap", arg(requires = "from", hide_long_help = true))]
    specialize: bool = false;
    /// Widen the contact nets of --from to N hidden units.
    ///
    /// New units start with zero output weights. 0: not widened.
    #[cfg_attr(feature = "clap", arg(value_name = "N"))]
    widen: u64 = 0;
    /// Widen the other nets of --from to N hidden units.
    ///
    /// These are the nets for positions without contact. 0: not widened.
    #[cfg_attr(feature = "clap", arg(value_name = "N"))]
    widen_races: u64 = 0;
    /// Take nets at their word, as the papers' programs do.
    ///
    /// Otherwise outcomes that the rules exclude are left out of plays, values and targets. Such an
    /// outcome is a gammon against a player who has borne off a checker. The nets of the run's
    /// experts and tests are taken at their word, too, and the net file says so.
    #[cfg_attr(feature = "clap", arg(hide_long_help = true))]
    all_outcomes: bool = false;
    "RootStrap":
    /// Take exact bearoff values as targets.
    ///
    /// The values come from the bearoff databases. Only --method rootstrap uses them.
    ["endings"] bearoff: bool = false;
    /// Learn N other results of each roll too; 0 is none.
    ///
    /// They are at most N. Each of them loses at most 0.1 points at 1-ply against the best result,
    /// and its target is its own 2-ply value. Plays are chosen among these results, but most of
    /// them never occur in a game. Needs --method rootstrap.
    #[cfg_attr(feature = "clap", arg(value_name = "N"))]
    siblings: u32 = 0;
    /// Weight, 0 to 100, of the loss on differences of siblings.
    ///
    /// The siblings are the results of one roll. An error that all siblings share does not change
    /// the play. 0: each result is learned by itself. Needs --siblings.
    #[cfg_attr(feature = "clap", arg(value_name = "WEIGHT", hide_long_help = true))]
    sibling_differences: f32 = 0.0;
    /// Share, 0 to 1, of the next target in a target.
    ///
    /// The target of a position is its 2-ply value plus this share of a correction. The correction
    /// is the target of the next position minus its static value. Where the game follows the
    /// evaluator's best plays, the mean is a mixture of 2-ply, 3-ply, 4-ply ... values. 0: the
    /// 2-ply value alone. Needs --method rootstrap.
    #[cfg_attr(feature = "clap", arg(value_name = "LAMBDA"))]
    lookahead_lambda: f32 = 0.0;
    /// Learn from rollouts in these classes.
    ///
    /// Errors of the net about long plans are then not in its targets, but the targets have more
    /// noise. Without --rollout-games a rollout is the rest of the game that was played, without
    /// the luck of its rolls. Then --rollout-lambda replaces --lookahead-lambda to the end of the
    /// game. Default: no class. Needs --method rootstrap, and one of --classes if those are given.
    #[cfg_attr(feature = "clap", arg(value_delimiter = ',', num_args = 1.., value_name = "CLASS", hide_long_help = true))]
    rollout_classes: Vec<Class> = Vec::new();
    /// Lambda, 0 to 1, of positions of --rollout-classes.
    ///
    /// 1 is the whole rollout; less mixes it with 2-ply, 3-ply, 4-ply ... values. Needs
    /// --rollout-classes.
    #[cfg_attr(feature = "clap", arg(value_name = "LAMBDA", hide_long_help = true))]
    rollout_lambda: f32 = 1.0;
    /// Games of a rollout; 0 takes the rest of its own game.
    ///
    /// The games are played to the end at 1-ply, with variance reduction. 36 have each first throw
    /// once. They take some 0.2 seconds of one core for a position with the champion. The target
    /// is their result and the value of the search, mixed by --rollout-weight. Needs
    /// --rollout-classes.
    #[cfg_attr(feature = "clap", arg(value_name = "N", hide_long_help = true))]
    rollout_games: u64 = 0;
    /// Share, 0 to 1, of the rollout in such a target.
    ///
    /// The rest is the value of the search, with --lookahead-lambda. Needs --rollout-games.
    #[cfg_attr(feature = "clap", arg(value_name = "WEIGHT", hide_long_help = true))]
    rollout_weight: f32 = 0.5;
    /// Use 3-ply values where 2-ply differs more from static.
    ///
    /// In points, 0 to 3: where the 2-ply equity differs from the static one by more than this, the
    /// target is the 3-ply value. 0: never. Needs --method rootstrap.
    #[cfg_attr(feature = "clap", arg(value_name = "POINTS", hide_long_help = true))]
    three_ply_above: f32 = 0.0;
    /// Learn positions of these classes only.
    ///
    /// Classes: endgame, race, no-back, ... Default: all classes. Needs --method rootstrap.
    #[cfg_attr(feature = "clap", arg(value_delimiter = ',', num_args = 1.., value_name = "CLASS", hide_long_help = true))]
    classes: Vec<Class> = Vec::new();
    "Games":
    /// Number of games to learn from.
    #[cfg_attr(feature = "clap", arg(value_parser = nonet_engine::open::count))]
    games: u64 = 280_000;
    "Learning rule":
    /// Learning rate: a number or a falling schedule.
    ///
    /// 0.01 is constant. 0.1..0.003 falls by equal factors over the whole run. 0.1..0.003@50000
    /// falls over 50,000 games and then stays. 0.1,0.03@50000 changes in steps at numbers of games.
    ///
    /// Without --alpha, some runs have other rates: 0.01..0.001 with --from and for nets without a
    /// hidden layer or with softsign units; 0.001..0.0001 with --optimizer adam; 0.01 with --gated.
    /// With --alpha, no game is for fine-tuning unless --fine-tune says so.
    alpha: Schedule = Schedule::Geometric { from: 0.1, to: 0.001, until: None };
    /// Lambda of TD(lambda), 0 to 1: a number or a schedule.
    ///
    /// Schedules are written as for --alpha.
    lambda: Schedule = Schedule::Constant(0.6);
    "Games":
    /// Seed of weights and dice: same seed, same bytes.
    seed: u64 = 1;
    "Optimizer":
    /// Games played with one snapshot of the weights.
    ///
    /// 1 is the paper's rule. With more, threads share the work.
    #[cfg_attr(feature = "clap", arg(value_name = "GAMES"))]
    batch: u64 = 32;
    /// Times that each example of a batch is learned.
    ///
    /// Needs --update offline.
    epochs: u32 = 1;
    "RootStrap":
    /// Games at the end for RootStrap [default: a fiftieth or 0]
    ///
    /// 0 is none. Their targets are the net's own 2-ply values, which have no noise of the dice.
    /// Adam learns them from a replay buffer. Needs self-play with --method td.
    ///
    /// The default is a fiftieth of the games of self-play by td at its usual rate, if that is 100
    /// or more. It is 0 for all other runs, and wherever --alpha is given.
    #[cfg_attr(feature = "clap", arg(value_name = "GAMES"))]
    fine_tune: u64 = 0;
    "Optimizer":
    /// Examples in the replay buffer of each net; 0 is none.
    ///
    /// Epochs after the first draw from it instead of from the batch. Needs --method rootstrap.
    #[cfg_attr(feature = "clap", arg(value_name = "EXAMPLES"))]
    ["memory"] replay: u64 = 0;
    /// How gradients change the weights.
    optimizer: Optimizer = Optimizer::Sgd;
    /// Games in the average of the weights; 0 is off.
    #[cfg_attr(feature = "clap", arg(value_name = "GAMES"))]
    ["average"] ema: u64 = 100_000;
    "Tests":
    /// Games between tests, each with a checkpoint.
    #[cfg_attr(feature = "clap", arg(value_name = "GAMES"))]
    #[cfg_attr(feature = "clap", arg(value_parser = nonet_engine::open::count))]
    eval_every: u64 = 25_000;
    /// Extra tests at N games; 0 is none.
    ///
    /// The default shows the steep start of the learning curve, at equal distances on a logarithmic
    /// axis.
    #[cfg_attr(feature = "clap", arg(value_delimiter = ',', num_args = 1.., value_name = "GAMES"))]
    eval_at: Vec<u64> = vec![100, 300, 1_000, 3_000, 10_000];
    /// Games of each test; they limit the play-off, too.
    ///
    /// At the end the teams of the run play each other. A match of this play-off has up to ten
    /// times as many games, at most 50,000. In a short run it takes most of the time.
    #[cfg_attr(feature = "clap", arg(value_name = "GAMES"))]
    #[cfg_attr(feature = "clap", arg(value_parser = nonet_engine::open::count))]
    eval_games: u64 = 2_000;
    /// Games of the last match; 0 is none.
    ///
    /// The winner of the play-off plays it against the opponent of the tests, on dice that had no
    /// part in choosing the winner. The play-off itself depends on --eval-games.
    #[cfg_attr(feature = "clap", arg(value_name = "GAMES"))]
    #[cfg_attr(feature = "clap", arg(value_parser = nonet_engine::open::count))]
    final_games: u64 = 10_000;
    /// Dice of the tests.
    ///
    /// The same dice show best whether a run gains from test to test. With fresh dice the errors of
    /// two tests are independent, so that their mean is as exact as it looks.
    #[cfg_attr(feature = "clap", arg(hide_long_help = true))]
    test_dice: TestDice = TestDice::Same;
    /// Search depth of nets in tests, 1 to 4 plies.
    #[cfg_attr(feature = "clap", arg(value_name = "N"))]
    eval_ply: Plies = Plies::ONE;
    /// Opponents of the tests: pubeval, a net, ...
    ///
    /// An opponent is pubeval, random, a net, or gnubg:1 to gnubg:4. Commas separate
    /// several opponents: the first one decides which team is best, the others only measure. With
    /// --gated, the opponent plays the last match only.
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
    /// The defaults of a gated run, with the paper's nets and numbers (Wiering, Patist & Mannen,
    /// section 4.1).
    ///
    /// A test of 5,000 games comes every 10,000 games, against the winner of the last gate. A gate
    /// comes every 100,000 games. The learning rate is constant.
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
