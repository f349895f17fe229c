//! The time that the tests of a training run will take.

use nonet::train::TrainSpec;

/// How long tests take, and when they come.
pub(super) struct TestTimes {
    tests: u32,
    seconds: f64,
    every: u64,
    at: Vec<u64>,
    games: u64,
}

impl TestTimes {
    pub(super) fn new(spec: &TrainSpec) -> TestTimes {
        let TrainSpec { eval_every: every, eval_at, games, .. } = spec;
        let at = eval_at.iter().copied().filter(|at| at % every != 0 && at < games).collect();
        TestTimes { tests: 0, seconds: 0.0, every: *every, at, games: *games }
    }

    /// A test has taken this long.
    pub(super) fn add(&mut self, seconds: f64) {
        self.tests += 1;
        self.seconds += seconds;
    }

    /// Seconds that the tests after `done` games will take; `None` before the first one.
    pub(super) fn seconds(&self, done: u64) -> Option<f64> {
        let regular = (self.games.saturating_sub(1) / self.every).saturating_sub(done / self.every);
        let extra = self.at.iter().filter(|&&at| at > done).count() as u64;
        // The last one comes at the end.
        let left = if done < self.games { regular + extra + 1 } else { 0 };
        (self.tests > 0).then(|| left as f64 * self.seconds / f64::from(self.tests))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_to_come_take_as_long_as_those_before() {
        let (eval_every, eval_at) = (1000, vec![500, 2000, 2500]);
        let spec = TrainSpec { games: 3500, eval_every, eval_at, ..TrainSpec::default() };
        let mut times = TestTimes::new(&spec);
        assert_eq!(times.seconds(0), None, "no test was timed");
        times.add(2.0);
        times.add(4.0);
        // After 1000, 2000, 2500, 3000 and 3500 games.
        assert_eq!(times.seconds(500), Some(15.0));
        assert_eq!(times.seconds(3000), Some(3.0));
        assert_eq!(times.seconds(3500), Some(0.0));
        // The last test is a regular one, too.
        times.games = 3000;
        assert_eq!(times.seconds(2000), Some(6.0));
        assert_eq!(times.seconds(3000), Some(0.0));
    }
}
