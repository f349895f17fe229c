//! Which themes of a net's inputs make the static difference between two boards.

use crate::backgammon::Position;
use crate::class::Class;
use crate::eval::{Net, Specialists};
use crate::features::SparseInputs;
use crate::nn::{ForwardCache, Mlp, Network};

/// A group of inputs that a player thinks of as one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Blots and the rolls that hit them.
    Shots,
    /// The pip counts.
    Race,
    /// The points of the home board.
    HomeBoard,
    /// Blocks and primes in front of the home board, and what they hold.
    Block,
    /// Checkers in the other's home board: anchors and escape.
    BackCheckers,
    /// Checkers on the bar, and how they enter.
    Entering,
    /// Points and checkers in the outfields.
    Outfield,
    /// Spares, stacks, buried checkers, and the time they give.
    Timing,
    /// Bearing off, and saving the gammon.
    BearingOff,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 9] = [
        Theme::Shots,
        Theme::Race,
        Theme::HomeBoard,
        Theme::Block,
        Theme::BackCheckers,
        Theme::Entering,
        Theme::Outfield,
        Theme::Timing,
        Theme::BearingOff,
    ];

    /// Its name in JSON.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Theme::Shots => "shots",
            Theme::Race => "race",
            Theme::HomeBoard => "home-board",
            Theme::Block => "block",
            Theme::BackCheckers => "back-checkers",
            Theme::Entering => "entering",
            Theme::Outfield => "outfield",
            Theme::Timing => "timing",
            Theme::BearingOff => "bearing-off",
        }
    }

    /// The theme of an input of this name.
    #[must_use]
    pub fn of_input(name: &str) -> Theme {
        let name = name.strip_prefix("own ").or(name.strip_prefix("opponent ")).unwrap_or(name);
        if let Some(point) = name.strip_prefix("point ") {
            let point = point.split(':').next().and_then(|number| number.parse::<u8>().ok());
            return match point.unwrap_or(0) {
                1..=6 => Theme::HomeBoard,
                7..=12 => Theme::Block,
                13..=18 => Theme::Outfield,
                _ => Theme::BackCheckers,
            };
        }
        let found = BEGINNINGS.iter().find(|(_, names)| names.iter().any(|n| name.starts_with(n)));
        found.map_or(Theme::Timing, |(theme, _)| *theme)
    }
}

/// The beginnings of the inputs' names; the first that fits counts.
const BEGINNINGS: [(Theme, &[&str]); 8] = [
    (
        Theme::Shots,
        &[
            "blot",
            "some blot",
            "choice of hits",
            "hit in",
            "pips at risk",
            "under direct",
            "stragglers",
        ],
    ),
    (
        Theme::BearingOff,
        &[
            "off",
            "pips to home",
            "crossovers",
            "passed",
            "home point",
            "checkers left",
            "odd number",
            "gaps",
            "low checkers",
            "on the two lowest",
        ],
    ),
    (Theme::Race, &["pips", "lead", "length of both", "endgame pips", "rolls left"]),
    (Theme::HomeBoard, &["made in home", "key points"]),
    (
        Theme::Block,
        &[
            "made in outer",
            "block of",
            "five of six",
            "four of six",
            "trapped",
            "wall",
            "builders",
            "checkers in the zone",
        ],
    ),
    (
        Theme::BackCheckers,
        &["anchors", "checkers back", "rearmost", "second rearmost", "back ", "at the edge"],
    ),
    (Theme::Entering, &["bar", "enters", "on the bar", "enemies on the bar"]),
    (Theme::Outfield, &["made far out"]),
];

/// The themes of the static difference between two boards that one net evaluates.
///
/// The shares are Shapley values. A theme's share is the change of the equity when the theme's
/// inputs are exchanged. It is the average over all orders in which the themes can be exchanged.
/// The shares add up to the difference.
#[derive(Clone, Debug, PartialEq)]
pub struct ThemeShares {
    /// The static difference, in points per game: positive if the better play is better statically.
    pub difference: f32,
    /// The themes with inputs that differ, by falling share.
    pub shares: Vec<(Theme, f32)>,
    /// The fewest themes that, exchanged together in the worse board, make at least half of the
    /// difference. Empty if the difference is not positive.
    pub decisive: Vec<Theme>,
    /// The part of the difference that the decisive themes make together.
    pub decisive_part: f32,
}

impl ThemeShares {
    /// Compares the boards after the better and after the other play, the opponent on roll. `None`
    /// if a board is a finished game, or two nets evaluate them.
    #[must_use]
    pub fn of(team: &Specialists, boards: [&Position; 2]) -> Option<ThemeShares> {
        if boards.iter().any(|board| board.outcome().is_some()) {
            return None;
        }
        let [place, other] = boards.map(|board| team.net_of(Class::of(board)));
        (place == other).then(|| ThemeShares::of_net(&team.nets()[place], boards))
    }

    fn of_net(net: &Net<Mlp>, boards: [&Position; 2]) -> ThemeShares {
        let inputs = boards.map(|board| {
            let mut inputs = SparseInputs::default();
            net.encoding.encode(board, &mut inputs);
            inputs.dense(net.encoding.inputs())
        });
        let [better, worse] = &inputs;
        let themes: Vec<Option<Theme>> =
            (net.encoding.layout().iter().zip(better.iter().zip(worse)))
                .map(|(input, (a, b))| (a != b).then(|| Theme::of_input(&input.name)))
                .collect();
        let differing: Vec<Theme> =
            Theme::ALL.into_iter().filter(|theme| themes.contains(&Some(*theme))).collect();
        // The equity of the player who moved, with each set of themes taken from the better board.
        let mut cache = ForwardCache::default();
        let equities: Vec<f32> = (0..1usize << differing.len())
            .map(|set| {
                let mut mixed = SparseInputs::default();
                for (index, theme) in themes.iter().enumerate() {
                    let taken = theme.is_some_and(|theme| {
                        differing
                            .iter()
                            .position(|d| *d == theme)
                            .is_some_and(|d| set >> d & 1 == 1)
                    });
                    mixed.push(index, if taken { better[index] } else { worse[index] });
                }
                let outputs = net.mlp.forward(mixed.indices(), mixed.values(), &mut cache);
                -net.evaluation(&outputs).equity()
            })
            .collect();
        let difference = equities[equities.len() - 1] - equities[0];
        let mut shares: Vec<(Theme, f32)> = (differing.iter().enumerate())
            .map(|(place, theme)| (*theme, shapley(&equities, differing.len(), place)))
            .collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let best = decisive(&equities, difference);
        ThemeShares {
            difference,
            decisive: (differing.iter().enumerate())
                .filter(|(place, _)| best >> place & 1 == 1)
                .map(|(_, theme)| *theme)
                .collect(),
            decisive_part: match difference > 0.0 {
                true => (equities[best] - equities[0]) / difference,
                false => 0.0,
            },
            shares,
        }
    }
}

/// The Shapley value of player `place` of `count` in the game with these values of all sets.
fn shapley(values: &[f32], count: usize, place: usize) -> f32 {
    let factorial = |n: usize| (1..=n).map(|i| i as f64).product::<f64>();
    let mut sum = 0.0;
    for set in (0..values.len()).filter(|set| set >> place & 1 == 0) {
        let size = set.count_ones() as usize;
        let orders = factorial(size) * factorial(count - size - 1) / factorial(count);
        sum += orders * f64::from(values[set | 1 << place] - values[set]);
    }
    sum as f32
}

/// The smallest set that makes half of the difference, the best of its size; 0 if the difference is
/// not positive.
fn decisive(values: &[f32], difference: f32) -> usize {
    if difference <= 0.0 {
        return 0;
    }
    let enough = (0..values.len()).filter(|&set| values[set] - values[0] >= 0.5 * difference);
    enough
        .min_by(|&a, &b| a.count_ones().cmp(&b.count_ones()).then(values[b].total_cmp(&values[a])))
        .unwrap_or(0)
}
