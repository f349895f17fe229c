//! The output of `nonet train` during a run and at its end.

use std::error::Error;
use std::io::Write;

use nonet::backgammon::record::RecordError;
use nonet::game::StreamPurpose;
use nonet::progress::Progress;
use nonet::report::run_files;
use nonet::store::RunFolder;
use nonet::train::{
    GateResult, Observer, RunProgress, TestResult, TrainCheckpoint, TrainSpec, Trainer,
};

use super::super::player_args::check;
use super::super::progress_bar::{ProgressDisplay, show_progress};
use super::args::Control;

/// Plays the best team once more, on held-out dice, and prints the result of the run.
pub(super) fn finish(
    control: &Control,
    pool: &rayon::ThreadPool,
    trainer: &Trainer,
    folder: &RunFolder,
    stop: &Progress,
    rate: f64,
) -> anyhow::Result<()> {
    let Some(best) = trainer.best() else { anyhow::bail!("the run ended without a test") };
    let (path, against, games) = (
        folder.path().display(),
        &trainer.plan().spec().against,
        control.final_games.unwrap_or(10_000),
    );
    let series = if games == 0 {
        None
    } else {
        let series = show_progress("games of the last match", games, &stop.part(), |progress| {
            pool.install(|| trainer.series(&best.team, StreamPurpose::Final, games, progress))
        });
        check(trainer.opponent_failure())?;
        Some(series.ok_or_else(|| {
            anyhow::anyhow!("interrupted in the last match; the run itself is complete")
        })?)
    };
    let (weights, best_after) = (&best.provenance.weights, best.provenance.games);
    let mut out = std::io::stdout();
    if control.json {
        let series = series.map(
            |s| serde_json::json!({"games": s.games, "ppg": s.ppg.mean, "stderr": s.ppg.stderr}),
        );
        let value = serde_json::json!({
            "folder": path.to_string(), "best_after": best_after, "weights": weights, "against": against.to_string(),
            "last_match": series, "games_per_second": rate, "games": trainer.progress().games,
            "records": trainer.progress().record_stats,
        });
        writeln!(out, "{value}")?;
        return Ok(());
    }
    let learned = trainer.progress().games;
    match rate > 0.0 {
        true => writeln!(out, "{learned} games learned, {rate:.0} games/s with tests")?,
        false => writeln!(out, "{learned} games had been learned before")?,
    }
    let planned = trainer.plan().spec().games;
    if learned < planned && trainer.progress().exhausted {
        writeln!(out, "the records ended before {planned} games")?;
    }
    for (what, count) in trainer.progress().record_stats.counts() {
        writeln!(out, "{what}: {count}")?;
    }
    writeln!(out, "best team: the {weights} weights after {best_after} games")?;
    if let Some(series) = series {
        let (low, high) = series.ppg.interval95();
        let (ppg, stderr) = (series.ppg.mean, series.ppg.stderr);
        writeln!(
            out,
            "against {against}: {ppg:+.4} ppg, standard error {stderr:.4}, 95 % interval {low:+.4} to {high:+.4}\n  \
             ({} games on held-out duplicate dice)",
            series.games,
        )?;
    }
    writeln!(out, "net:    {path}/best.nonet\nreport: {path}/report.html")?;
    Ok(())
}

/// The opponent of a run's tests, in words.
fn opponent(spec: &TrainSpec) -> String {
    match spec.gate_every {
        0 => spec.against.to_string(),
        _ => "the best team of the last gate".to_owned(),
    }
}

/// The result of a gate in words.
fn describe(gate: &GateResult) -> String {
    let GateResult { best_after, result, promoted, .. } = gate;
    let match_ = result.as_ref().map_or_else(
        || "no test since the last gate was won".to_owned(),
        |r| format!("the team after {best_after} games scores {:+.3} ± {:.3} ppg", r.ppg, r.stderr),
    );
    let then = if *promoted { "the run goes on from it" } else { "the run ends here" };
    format!("{match_}: {then}")
}

/// Shows the progress of a run on stderr and saves the run in its folder.
pub(super) struct RunDisplay<'a> {
    progress: ProgressDisplay,
    command: String,
    against: String,
    folder: &'a RunFolder,
}

impl<'a> RunDisplay<'a> {
    pub(super) fn new(trainer: &Trainer, folder: &'a RunFolder) -> RunDisplay<'a> {
        let spec = trainer.plan().spec();
        let progress = ProgressDisplay::new("games", trainer.progress().games, spec.games);
        let (command, against) = (spec.to_command_line(), opponent(spec));
        progress.line(&format!("{command}\nin {}", folder.path().display()));
        RunDisplay { progress, command, against, folder }
    }

    /// Ends the display; the speed of the run in games a second.
    pub(super) fn end(self, games: u64) -> f64 {
        let rate = self.progress.rate(games);
        self.progress.end();
        rate
    }
}

impl Observer for RunDisplay<'_> {
    fn learned(&mut self, progress: &RunProgress) {
        self.progress.at(progress.games);
    }

    fn unusable(&mut self, reasons: &[RecordError], more: u64) {
        for reason in reasons {
            self.progress.line(&reason.to_string());
        }
        if more > 0 {
            self.progress.line(&format!("and {more} more errors"));
        }
    }

    fn testing(&mut self) {
        self.progress.note("testing");
    }

    fn tested(&mut self, progress: &RunProgress) {
        let Some(row) = progress.history.last() else { return };
        let result = |r: &TestResult| format!("{:+.3} ± {:.3} ppg", r.ppg, r.stderr);
        let average =
            row.ema.as_ref().map(|r| format!(", averaged {}", result(r))).unwrap_or_default();
        let rate = self.progress.rate(progress.games);
        self.progress.line(&format!(
            "{:>9} games: {}{average}, {rate:.0} games/s",
            row.games,
            result(&row.last)
        ));
        self.progress.note(&result(row.ema.as_ref().unwrap_or(&row.last)));
        if let Some(gate) = progress.gates.last().filter(|gate| gate.games == row.games) {
            self.progress.line(&format!("{:>9} games: {}", gate.games, describe(gate)));
        }
    }

    fn save(&mut self, checkpoint: &TrainCheckpoint) -> Result<(), Box<dyn Error + Send + Sync>> {
        let files = run_files(&checkpoint.progress, &self.command, &self.against)?;
        Ok(self.folder.save(checkpoint, &files)?)
    }
}
