//! How fast work goes, and how long it still takes, from items done at points in time.

/// The speed of one phase of work. It is that of the later half of the phase: the beginning, when
/// games were long or caches empty, is forgotten.
///
/// Time is an argument, in seconds from any beginning. Time in which another phase works does not
/// count: [`Pace::pause`] and [`Pace::go_on`] say when.
#[derive(Debug)]
pub(crate) struct Pace {
    /// Own time and items done, oldest first.
    seen: Vec<(f64, u64)>,
    /// Least time between two points in time, but for the last one.
    step: f64,
    /// Time that other phases took, and since when one does.
    others: f64,
    paused: Option<f64>,
}

/// Points in time that are kept. If there are more, the least time between two of them doubles, so
/// that they always cover the phase evenly.
const KEPT: usize = 64;

/// Nothing is said before this number of seconds of the phase.
const LEAST: f64 = 2.0;

impl Pace {
    /// Work that begins at `now` with `done` items from an earlier time.
    pub(crate) fn new(now: f64, done: u64) -> Pace {
        Pace { seen: vec![(now, done)], step: 0.0, others: 0.0, paused: None }
    }

    /// Another phase begins.
    pub(crate) fn pause(&mut self, now: f64) {
        self.paused = self.paused.or(Some(now));
    }

    /// The other phase has ended; how long it took.
    pub(crate) fn go_on(&mut self, now: f64) -> f64 {
        let took = self.paused.take().map_or(0.0, |since| now - since);
        self.others += took;
        took
    }

    /// `done` items are done. An unchanged number adds nothing.
    pub(crate) fn at(&mut self, now: f64, done: u64) {
        if self.paused.is_some() || self.seen.last().is_some_and(|&(_, last)| done <= last) {
            return;
        }
        if let [.., (before, _), last] = &mut self.seen[..]
            && last.0 - *before < self.step
        {
            *last = (now - self.others, done);
            return;
        }
        self.seen.push((now - self.others, done));
        if self.seen.len() > KEPT {
            let mut keep = false;
            self.seen.retain(|_| {
                keep = !keep;
                keep
            });
            let last = self.seen.len() - 1;
            self.step = (self.seen[last].0 - self.seen[0].0) / last as f64;
        }
    }

    /// Items per second; `None` until it is known.
    pub(crate) fn rate(&self) -> Option<f64> {
        let (&(first, _), &(last, done)) = (self.seen.first()?, self.seen.last()?);
        let half = self.seen.iter().rev().find(|(at, _)| *at <= (first + last) / 2.0)?;
        let known = last - first >= LEAST && self.seen.len() > 2;
        known.then(|| (done - half.1) as f64 / (last - half.0))
    }

    /// Seconds of this phase to go, until `total` items are done; `None` until that is known.
    pub(crate) fn left(&self, now: f64, total: u64) -> Option<f64> {
        let &(last, done) = self.seen.last()?;
        // The items since the last point in time are on their way.
        let since = (self.paused.unwrap_or(now) - self.others - last).max(0.0);
        let left = total.saturating_sub(done) as f64 / self.rate()? - since;
        Some(left.max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_beginning_is_forgotten() {
        // A training run: the first games of a random net are long, later ones are not.
        let mut pace = Pace::new(0.0, 0);
        pace.at(1.0, 10);
        assert_eq!(pace.left(1.0, 9000), None, "one second says nothing: 899 s would be wrong");
        for second in 2..=4 {
            pace.at(f64::from(second), 10 + 1000 * u64::from(second as u32 - 1));
        }
        let left = pace.left(4.0, 9010).expect("known");
        assert!((left - 6.0).abs() < 1e-9, "{left}");
    }

    #[test]
    fn a_fast_beginning_is_forgotten() {
        let mut pace = Pace::new(0.0, 0);
        for second in 1..=10 {
            pace.at(f64::from(second), 1000 * second as u64);
        }
        for second in 11..=30 {
            pace.at(f64::from(second), 10_000 + 10 * (second as u64 - 10));
        }
        assert_eq!(pace.rate(), Some(10.0));
        assert_eq!(pace.left(30.0, 10_300), Some(10.0));
    }

    #[test]
    fn a_fast_beginning_is_forgotten_among_many_points_in_time() {
        // Resumed work: the finished part is there at once, then a display looks 20 times a second.
        let mut pace = Pace::new(0.0, 0);
        for look in 1..=20_000_u32 {
            pace.at(f64::from(look) / 20.0, 900_000 + 5 * u64::from(look));
            let known = pace.rate().filter(|_| look > 100);
            assert!(known.is_none_or(|rate| (rate - 100.0).abs() < 0.1), "{look}: {known:?}");
        }
    }

    #[test]
    fn the_time_of_other_phases_does_not_count() {
        let mut pace = Pace::new(0.0, 500);
        for second in 1..=4 {
            pace.at(f64::from(second), 500 + 100 * second as u64);
        }
        pace.pause(4.0);
        assert_eq!(pace.left(50.0, 1100), Some(2.0), "it does not fall while tests are played");
        assert_eq!(pace.go_on(104.0), 100.0);
        pace.at(105.0, 1000);
        pace.at(106.0, 1100);
        assert_eq!(pace.rate(), Some(100.0));
    }

    #[test]
    fn long_work_keeps_few_points_in_time() {
        let mut pace = Pace::new(0.0, 0);
        for second in 1..=100_000_u32 {
            pace.at(f64::from(second), 3 * u64::from(second));
            assert!(pace.seen.len() <= KEPT);
        }
        let rate = pace.rate().expect("known");
        assert!((rate - 3.0).abs() < 1e-9, "{rate}");
    }

    #[test]
    fn work_that_does_not_begin_has_no_end() {
        let mut pace = Pace::new(0.0, 7);
        pace.at(60.0, 7);
        assert_eq!((pace.rate(), pace.left(60.0, 100)), (None, None));
    }
}
