//! Progress of long work on stderr: a bar on a terminal, plain lines elsewhere.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use nonet::progress::Progress;

/// Progress on stderr.
pub(crate) struct ProgressDisplay {
    bar: Option<ProgressBar>,
    what: String,
    started: Instant,
    first: u64,
    total: u64,
    printed: Instant,
    /// The text below the bar, and where work stands on other machines.
    note: String,
    elsewhere: Option<String>,
}

/// The style of a bar: it takes what room a terminal of any width leaves it. With `note` there is a
/// line for a text below, which is cut where the terminal ends.
fn style(what: &str, note: bool) -> ProgressStyle {
    let below = if note { "\n{wide_msg}" } else { "" };
    let template =
        format!("{{wide_bar}} {{human_pos}}/{{human_len}} {what} {{rate}}/s ETA {{eta}}{below}");
    ProgressStyle::with_template(&template)
        .expect("the template is a constant apart from the name of the items")
        .with_key("rate", |state: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = write!(text, "{:.0}", state.per_sec());
        })
}

/// Time between two lines of progress where there is no terminal.
const PAUSE: Duration = Duration::from_secs(10);

impl ProgressDisplay {
    /// Shows work on `total` items called `what`, `first` of which were done before.
    pub(crate) fn new(what: &str, first: u64, total: u64) -> ProgressDisplay {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar =
                ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
            bar.set_style(style(what, false));
            bar.set_position(first);
            bar.reset_eta();
            bar
        });
        let now = Instant::now();
        let (what, note, elsewhere) = (what.to_owned(), String::new(), None);
        ProgressDisplay { bar, what, started: now, first, total, printed: now, note, elsewhere }
    }

    /// Shows that `done` items are done.
    pub(crate) fn at(&mut self, done: u64) {
        match &self.bar {
            Some(bar) => bar.set_position(done),
            None if self.printed.elapsed() >= PAUSE => {
                self.printed = Instant::now();
                let rate = self.rate(done);
                let left = if rate > 0.0 {
                    (self.total.saturating_sub(done)) as f64 / rate
                } else {
                    f64::INFINITY
                };
                let left =
                    if left.is_finite() { format!(", {left:.0} s to go") } else { String::new() };
                let digits = if rate < 10.0 { 2 } else { 0 };
                let elsewhere = self.elsewhere.as_ref().map(|text| format!("; {text}"));
                self.line(&format!(
                    "{done}/{} {}, {rate:.digits$}/s{left}{}",
                    self.total,
                    self.what,
                    elsewhere.unwrap_or_default()
                ));
            }
            None => {}
        }
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
    total: u64,
    progress: &Progress,
    work: impl FnOnce(&Progress) -> T + Send,
) -> T {
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
        let result = work(progress);
        ended.store(true, Ordering::Relaxed);
        result
    })
}
