//! Whether a net that has learned replaces the net that plays.

use nonet_engine::eval::Specialists;
use nonet_engine::game::{Greedy, SequentialResult, SeriesConfig, play_sequential};
use nonet_engine::progress::Progress;

/// A net is not promoted if it may be worse than the first net by this many points per game or
/// more.
pub const PROMOTION_MARGIN: f64 = 0.02;

/// The matches that decide about a net.
///
/// Both conditions concern the lower end of the 95 % interval of its points per game. Against the
/// playing net it must be above 0. Against the first net it must be above -[`PROMOTION_MARGIN`],
/// unless the first net is still the playing one. The second condition stops a chain of nets that
/// pass by luck.
///
/// The intervals are those of [`play_sequential`]. A net that is not better than the playing one is
/// therefore promoted with a probability of at most 2.5 %.
#[derive(Clone, Debug, PartialEq)]
pub struct PromotionTest {
    /// Against the playing net.
    pub against_playing: SequentialResult,
    /// Against the first net, if the playing one is another and the net is better than that.
    pub against_first: Option<SequentialResult>,
}

impl PromotionTest {
    /// Plays the matches of the learning net, of at most `games` games each, against the playing
    /// one and the first one. `None` if it was stopped.
    pub(crate) fn play(
        [learning, playing, first]: [&Specialists; 3],
        games: u64,
        seed: u64,
        progress: &Progress,
    ) -> Option<PromotionTest> {
        let against = |other: &Specialists, seed, threshold| {
            let config = SeriesConfig::new(games, seed);
            play_sequential(&Greedy(learning), &Greedy(other), &config, threshold, progress)
        };
        let against_playing = against(playing, seed, 0.0)?;
        let against_first = if against_playing.above && playing != first {
            // Other dice, so that luck with the first ones does not count twice.
            Some(against(first, !seed, -PROMOTION_MARGIN)?)
        } else {
            None
        };
        Some(PromotionTest { against_playing, against_first })
    }

    /// Whether the net is promoted.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.against_playing.above && self.against_first.as_ref().is_none_or(|first| first.above)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::learning::online_learner::tests::net;
    use nonet_engine::store::read_net;

    fn test(nets: [&Specialists; 3]) -> PromotionTest {
        PromotionTest::play(nets, 400, 1, &Progress::default()).expect("not stopped")
    }

    #[test]
    fn a_net_must_be_better_than_the_playing_one_and_not_worse_than_the_first() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nets/small.nonet");
        let (good, bad) = (read_net(&path).expect("a net").team, net(1).team);
        // Nets with random weights differ much.
        let middle = (2..50)
            .map(|seed| net(seed).team)
            .find(|other| test([other, &bad, &bad]).passed())
            .expect("one of many is better");
        let worse_than_first = test([&middle, &bad, &good]);
        assert!(worse_than_first.against_playing.above, "{worse_than_first:?}");
        assert!(worse_than_first.against_first.as_ref().is_some_and(|first| !first.above));
        assert!(!worse_than_first.passed());
        let best = test([&good, &bad, &middle]);
        assert!(best.passed() && best.against_first.is_some_and(|first| first.above));
        // The first net still plays: one match decides.
        assert_eq!(test([&good, &bad, &bad]).against_first, None);
        assert!(test([&good, &bad, &bad]).passed() && !test([&bad, &good, &bad]).passed());
    }
}
