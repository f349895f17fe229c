//! Showing long work: a bar on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nonet::game::Watch;
use std::sync::atomic::Ordering;

/// Progress on stderr.
pub(crate) struct ProgressDisplay {
    bar: Option<ProgressBar>,
    started: Instant,
    first: u64,
    total: u64,
    said: Instant,
}

/// Between two lines of progress where there is no terminal.
const PAUSE: Duration = Duration::from_secs(10);

impl ProgressDisplay {
    /// Begins to show work on `total` things called `what`, `first` of which are done already.
    pub(crate) fn new(what: &str, first: u64, total: u64) -> ProgressDisplay {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar =
                ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
            let template = format!(
                "{{bar:30}} {{human_pos}}/{{human_len}} {what}  {{per_sec}}  ETA {{eta}}  {{msg}}"
            );
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            bar.set_position(first);
            bar.reset_eta();
            bar
        });
        let now = Instant::now();
        ProgressDisplay { bar, started: now, first, total, said: now }
    }

    /// So much is done.
    pub(crate) fn at(&mut self, done: u64) {
        match &self.bar {
            Some(bar) => bar.set_position(done),
            None if self.said.elapsed() >= PAUSE => {
                self.said = Instant::now();
                let rate = self.rate(done);
                let left = if rate > 0.0 {
                    (self.total.saturating_sub(done)) as f64 / rate
                } else {
                    f64::INFINITY
                };
                self.line(&format!("{done}/{} games, {rate:.0}/s, {left:.0} s to go", self.total));
            }
            None => {}
        }
    }

    /// Things done a second since the beginning.
    pub(crate) fn rate(&self, done: u64) -> f64 {
        (done - self.first) as f64 / self.started.elapsed().as_secs_f64().max(1e-9)
    }

    /// A line that stays, above the bar.
    pub(crate) fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => {
                let _ = writeln!(std::io::stderr(), "{text}");
            }
        }
    }

    /// A word beside the bar: the last score.
    pub(crate) fn note(&self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(text.to_owned());
        }
    }

    /// The work has ended.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Shows a match series while `work` plays it, and passes an interrupt on to it.
pub(crate) fn watching<T: Send>(
    name: &str,
    games: u64,
    stop: &std::sync::atomic::AtomicBool,
    work: impl FnOnce(&Watch) -> T + Send,
) -> T {
    let watch = Watch::default();
    let mut show = ProgressDisplay::new(&format!("games {name}"), 0, games);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                std::thread::park_timeout(Duration::from_millis(50));
                if stop.load(Ordering::Relaxed) {
                    watch.stop.store(true, Ordering::Relaxed);
                }
                show.at(watch.done.load(Ordering::Relaxed));
            }
            show.end();
        });
        let result = work(&watch);
        done.store(true, Ordering::Relaxed);
        result
    })
}
