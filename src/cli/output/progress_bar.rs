//! Progress of long work on stderr: a bar on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nonet::progress::Progress;
use nonet::report::time_estimate;

use super::pace::Pace;

/// How many items there are.
#[derive(Clone, Copy)]
pub(crate) enum Total {
    Exactly(u64),
    /// The work may end early.
    AtMost(u64),
}

impl From<u64> for Total {
    fn from(total: u64) -> Total {
        Total::Exactly(total)
    }
}

impl Total {
    const fn items(self) -> u64 {
        match self {
            Total::Exactly(items) | Total::AtMost(items) => items,
        }
    }
}

/// Progress on stderr: of one phase of a command, which may pause for another one.
pub(crate) struct ProgressDisplay {
    bar: Option<ProgressBar>,
    what: String,
    started: Instant,
    pace: Pace,
    first: u64,
    total: Total,
    printed: Instant,
    /// Seconds that other phases will still take before this one ends; `None` if that is not known.
    others: Option<f64>,
    /// The text below the bar, and where work stands on other machines.
    note: String,
    elsewhere: Option<String>,
}

/// The style of a bar: it takes what room a terminal of any width leaves it. With `note` there is a
/// line for a text below, which is cut where the terminal ends.
fn style(what: &str, note: bool) -> ProgressStyle {
    let below = if note { "\n{wide_msg}" } else { "" };
    // A name may have braces, which are signs of the template.
    let what = what.replace('{', "{{").replace('}', "}}");
    let template = format!("{{wide_bar}} {{human_pos}}/{{human_len}} {what}{{prefix}}{below}");
    ProgressStyle::with_template(&template)
        .expect("the template is a constant apart from the escaped name of the items")
}

/// Time between two lines of progress where there is no terminal.
const PAUSE: Duration = Duration::from_secs(10);

impl ProgressDisplay {
    /// Shows work on `total` items called `what`, `first` of which were done before.
    pub(crate) fn new(what: &str, first: u64, total: impl Into<Total>) -> ProgressDisplay {
        let total = total.into();
        let bar = std::io::stderr().is_terminal().then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(5);
            let bar = ProgressBar::with_draw_target(Some(total.items()), target);
            bar.set_style(style(what, false));
            bar.set_position(first);
            bar
        });
        let now = Instant::now();
        ProgressDisplay {
            bar,
            what: what.to_owned(),
            started: now,
            pace: Pace::new(0.0, first),
            first,
            total,
            printed: now,
            others: Some(0.0),
            note: String::new(),
            elsewhere: None,
        }
    }

    fn now(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Shows that `done` items are done.
    pub(crate) fn at(&mut self, done: u64) {
        let now = self.now();
        self.pace.at(now, done);
        match &self.bar {
            Some(bar) => {
                bar.set_prefix(self.speed(now, self.pace.rate()));
                bar.set_position(done);
            }
            None if self.printed.elapsed() >= PAUSE => {
                self.printed = Instant::now();
                let elsewhere = self.elsewhere.as_ref().map(|text| format!("; {text}"));
                let rate = self.pace.rate().unwrap_or_else(|| self.rate(done));
                self.line(&format!(
                    "{done}/{} {}{}{}",
                    self.total.items(),
                    self.what,
                    self.speed(now, Some(rate)),
                    elsewhere.unwrap_or_default()
                ));
            }
            None => {}
        }
    }

    /// Speed and time to go, after the name of the items.
    fn speed(&self, now: f64, rate: Option<f64>) -> String {
        let rate = rate.map_or_else(String::new, |rate| {
            format!(", {rate:.digits$}/s", digits = if rate < 10.0 { 2 } else { 0 })
        });
        let left = self.pace.left(now, self.total.items()).zip(self.others);
        let bound = if matches!(self.total, Total::AtMost(_)) { "at most " } else { "" };
        rate + &left.map_or_else(String::new, |(own, others)| {
            format!(", {bound}{} to go", time_estimate(own + others))
        })
    }

    /// Says that another phase is at work, the tests for example, and this one waits.
    pub(crate) fn pause(&mut self, phase: &str) {
        self.pace.pause(self.now());
        if let Some(bar) = &self.bar {
            bar.set_prefix(format!("; {phase}"));
        }
    }

    /// Says that this phase goes on; the seconds of the other one.
    pub(crate) fn go_on(&mut self) -> f64 {
        self.pace.go_on(self.now())
    }

    /// Sets the seconds that other phases will still take before this one ends: they are part of
    /// the time to go. While they are not known, neither is that.
    pub(crate) fn others_take(&mut self, seconds: Option<f64>) {
        self.others = seconds;
    }

    /// Items done per second, on average since the beginning.
    pub(crate) fn rate(&self, done: u64) -> f64 {
        (done - self.first) as f64 / self.started.elapsed().as_secs_f64().max(1e-9)
    }

    /// Prints a line above the bar.
    pub(crate) fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => {
                let _ = writeln!(std::io::stderr(), "{text}");
            }
        }
    }

    /// Sets the text below the bar, the last score for example.
    pub(crate) fn note(&mut self, text: &str) {
        text.clone_into(&mut self.note);
        self.show_note();
    }

    /// Sets where the work stands on other machines, if it is shared: below the bar, after the text
    /// there.
    pub(crate) fn elsewhere(&mut self, status: Option<String>) {
        if self.elsewhere != status {
            self.elsewhere = status;
            self.show_note();
        }
    }

    fn show_note(&self) {
        if let Some(bar) = &self.bar {
            if bar.message().is_empty() {
                bar.set_style(style(&self.what, true));
            }
            let parts = [Some(&self.note), self.elsewhere.as_ref()].into_iter().flatten();
            let parts: Vec<&str> = parts.map(String::as_str).filter(|t| !t.is_empty()).collect();
            bar.set_message(parts.join("  |  "));
        }
    }

    /// Removes the bar at the end of the work.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Runs `work` and shows its progress: `what` is the name of the items, `total` their number;
/// `progress` counts those done.
pub(crate) fn show_progress<T: Send>(
    what: &str,
    total: impl Into<Total>,
    progress: &Progress,
    work: impl FnOnce(&Progress) -> T + Send,
) -> T {
    /// Ends the display, even if the work panics.
    struct End<'a>(&'a AtomicBool);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let mut display = ProgressDisplay::new(what, progress.done(), total);
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                std::thread::park_timeout(Duration::from_millis(50));
                display.elsewhere(progress.status());
                display.at(progress.done());
            }
            display.end();
        });
        let _end = End(&ended);
        work(progress)
    })
}

#[cfg(test)]
mod tests {
    use super::{show_progress, style};
    use nonet::progress::Progress;

    #[test]
    fn work_that_panics_ends_its_display() {
        let work = || show_progress("games", 5_u64, &Progress::default(), |_| panic!("a fault"));
        assert!(std::panic::catch_unwind(work).is_err());
    }

    #[test]
    fn names_may_have_the_signs_of_a_template() {
        for name in ["plays a}b.nonet", "{}", "{x} of {", "games"] {
            let _ = style(name, true);
        }
    }
}
