//! The performance rating (PR) of a player: by the class of the position and by the kind of
//! decision.

use super::analyse::Analysis;
use super::decision::{AnalysedDecision, DecisionKind};
use crate::backgammon::{Position, Seat};
use crate::class::Class;
use crate::stats::Estimate;

/// The kind of a decision, in the words of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionGroup {
    /// A play among the first four rolls of a game: the first two of each player.
    Opening,
    /// Any other play.
    Middle,
    /// A play with all of the player's checkers in their home board or off.
    Bearoff,
    /// A cube action.
    Cube,
}

/// The last roll of the opening.
const OPENING: usize = 4;

impl DecisionGroup {
    /// All of them, in the order of a game.
    pub const ALL: [DecisionGroup; 4] = [
        DecisionGroup::Opening,
        DecisionGroup::Middle,
        DecisionGroup::Bearoff,
        DecisionGroup::Cube,
    ];

    /// The group of a decision.
    #[must_use]
    pub fn of(analysed: &AnalysedDecision) -> DecisionGroup {
        match analysed.what {
            DecisionKind::CubeCall(_) => DecisionGroup::Cube,
            DecisionKind::Play(_) => DecisionGroup::of_play(&analysed.position, analysed.number),
        }
    }

    /// The group of a play from this position; `number` is that of its roll in the game, from 1.
    #[must_use]
    pub fn of_play(position: &Position, number: usize) -> DecisionGroup {
        if (7..=25).all(|point| position.own(point) == 0) {
            DecisionGroup::Bearoff
        } else if number <= OPENING {
            DecisionGroup::Opening
        } else {
            DecisionGroup::Middle
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DecisionGroup::Opening => "opening",
            DecisionGroup::Middle => "other plays",
            DecisionGroup::Bearoff => "bearoff",
            DecisionGroup::Cube => "cube",
        }
    }

    /// What belongs to it.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            DecisionGroup::Opening => "the first two plays of each player in a game",
            DecisionGroup::Middle => "plays between the opening and the bearoff",
            DecisionGroup::Bearoff => "plays with all own checkers in the home board or off",
            DecisionGroup::Cube => "doubles, answers to doubles, and doubles not made",
        }
    }
}

/// The losses of some decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Decisions that count.
    pub decisions: u32,
    /// The total loss, in points on a cube at 1.
    pub loss: f64,
    /// The sum of the squares of the losses.
    pub squares: f64,
    /// The number of doubtful, bad and very bad decisions.
    pub mistakes: [u32; 3],
}

impl Tally {
    /// The losses of a list of decisions.
    pub fn of<'a>(decisions: impl IntoIterator<Item = &'a AnalysedDecision>) -> Tally {
        let mut tally = Tally::default();
        decisions.into_iter().for_each(|analysed| tally.add(analysed));
        tally
    }

    /// The losses of a player in games.
    #[must_use]
    pub fn of_player(games: &[Analysis], player: Seat) -> Tally {
        of_group(games, player, |_| true)
    }

    fn add(&mut self, analysed: &AnalysedDecision) {
        let loss = f64::from(analysed.loss());
        self.decisions += u32::from(analysed.counts());
        self.loss += loss;
        self.squares += loss * loss;
        analysed.severity().count(&mut self.mistakes);
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(&self, other: &Tally) -> Tally {
        Tally {
            decisions: self.decisions + other.decisions,
            loss: self.loss + other.loss,
            squares: self.squares + other.squares,
            mistakes: [0, 1, 2].map(|i| self.mistakes[i] + other.mistakes[i]),
        }
    }

    /// The PR with its standard error, as if decisions were independent; `None` without a decision.
    #[must_use]
    pub fn pr(&self) -> Option<Estimate> {
        let mean = Estimate::from_sums(self.decisions.into(), self.loss, self.squares);
        (self.decisions > 0).then(|| mean.scaled(500.0))
    }
}

/// The losses of a player in each class of positions; classes without a decision that counts are
/// left out.
#[must_use]
pub fn by_class(games: &[Analysis], player: Seat) -> Vec<(Class, Tally)> {
    let of = |class| of_group(games, player, |analysed| analysed.class() == class);
    Class::all().map(|class| (class, of(class))).filter(|(_, tally)| tally.decisions > 0).collect()
}

/// The losses of a player by the kind of decision, all kinds in the order of
/// [`DecisionGroup::ALL`].
#[must_use]
pub fn by_group(games: &[Analysis], player: Seat) -> [(DecisionGroup, Tally); 4] {
    DecisionGroup::ALL.map(|group| {
        (group, of_group(games, player, |analysed| DecisionGroup::of(analysed) == group))
    })
}

fn of_group(
    games: &[Analysis],
    player: Seat,
    belongs: impl Fn(&AnalysedDecision) -> bool,
) -> Tally {
    let all = games.iter().flat_map(|game| &game.decisions);
    Tally::of(all.filter(|analysed| analysed.player == player && belongs(analysed)))
}
