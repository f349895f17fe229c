//! The output of `nonet train` during a run and at its end.

use std::error::Error;
use std::io::Write;
use std::time::Instant;

use jiff::Timestamp;
use nonet::backgammon::record::RecordError;
use nonet::progress::Progress;
use nonet::report::{RunFiles, RunSession};
use nonet::stats::Z95;
use nonet::store::RunFolder;
use nonet::train::{
    GateResult, LAST_MATCH_GAMES, LastMatch, Observer, PLAY_OFF_GAMES, PlayOffMatch, PlayOffTeam,
    RunProgress, TestResult, TrainCheckpoint, Trainer,
};

use super::LearnedRun;
use super::args::Control;
use super::test_times::TestTimes;
use crate::cli::args::player::check;
use crate::cli::output::counted::counted;
use crate::cli::output::progress_bar::{ProgressDisplay, Total, show_progress};
use crate::cli::output::sparkline::sparkline;
use crate::cli::output::terminal::Terminal;
use crate::cli::version::VERSION;

/// Tests in the line of small bars.
const BARS: usize = 30;

/// Plays the play-off and the last match, where that was not done before, and prints the result of
/// the run.
pub(super) fn finish(
    control: &Control,
    pool: &rayon::ThreadPool,
    run: LearnedRun,
    stop: &Progress,
    go_on: &str,
) -> anyhow::Result<()> {
    let Some(EndedRun { trainer, display }) = end_run(pool, run, stop, go_on)? else {
        return Ok(());
    };
    let text = match control.json {
        true => in_json(&trainer, &display).to_string() + "\n",
        false => Terminal::of_stdout().folded(&in_words(&trainer, &display)),
    };
    write!(std::io::stdout(), "{text}")?;
    Ok(())
}

/// A run after its play-off and its last match.
pub(super) struct EndedRun {
    pub(super) trainer: Trainer,
    display: RunDisplay,
}

/// Plays the play-off and the last match, where that was not done before, and saves the run. `None`
/// if it was stopped: then the command `go_on` is named.
pub(super) fn end_run(
    pool: &rayon::ThreadPool,
    run: LearnedRun,
    stop: &Progress,
    go_on: &str,
) -> anyhow::Result<Option<EndedRun>> {
    let LearnedRun { mut trainer, mut display } = run;
    let mut out = std::io::stdout();
    if trainer.best().is_none() {
        anyhow::bail!("the run ended without a test");
    }
    let most = trainer.play_off_games();
    let most = Total::AtMost(most);
    let played = show_progress(PLAY_OFF_GAMES, most, &stop.part(), |progress| {
        pool.install(|| trainer.play_off(progress))
    });
    if !played {
        writeln!(out, "stopped in the play-off; continue with: {go_on}")?;
        return Ok(None);
    }
    let most = match trainer.progress().last_match {
        Some(_) => 0,
        None => trainer.plan().spec().final_games,
    };
    let played = show_progress(LAST_MATCH_GAMES, most, &stop.part(), |progress| {
        pool.install(|| trainer.last_match(progress))
    });
    check(trainer.opponent_failure())?;
    display.save_at_end(&trainer)?;
    if !played {
        writeln!(out, "stopped in the last match; continue with: {go_on}")?;
        return Ok(None);
    }
    Ok(Some(EndedRun { trainer, display }))
}

fn in_json(trainer: &Trainer, display: &RunDisplay) -> serde_json::Value {
    let (spec, progress) = (trainer.plan().spec(), trainer.progress());
    let best = trainer.best().map(PlayOffTeam::from);
    let last_match = progress.last_match.as_ref().map(|LastMatch { games, result }| {
        let half = Z95 * result.stderr;
        serde_json::json!({
            "games": games, "ppg": result.ppg, "stderr": result.stderr,
            "interval95": [result.ppg - half, result.ppg + half], "wins": result.wins,
        })
    });
    serde_json::json!({
        "folder": display.files.folder().path().display().to_string(),
        "best_after": best.as_ref().map(|best| best.games), "weights": best.map(|best| best.weights),
        "against": spec.against.first().to_string(), "play_off": progress.play_off, "last_match": last_match,
        "games_per_second": display.files.session().rate(), "seconds": display.files.session().seconds,
        "games": progress.games, "records": progress.record_stats, "program": display.files.session().program,
    })
}

fn in_words(trainer: &Trainer, display: &RunDisplay) -> String {
    use std::fmt::Write;
    let (spec, progress) = (trainer.plan().spec(), trainer.progress());
    let mut out = String::new();
    let RunSession { from, to, seconds, .. } = *display.files.session();
    let _ = match to > from {
        true => writeln!(
            out,
            "{} learned, {:.0} games/s with tests, {seconds:.0} s",
            counted(to, "game"),
            display.files.session().rate()
        ),
        false => writeln!(out, "{} had been learned before", counted(to, "game")),
    };
    if to < spec.games && progress.exhausted {
        let _ = writeln!(out, "the records ended before {}", counted(spec.games, "game"));
    }
    for (what, count) in progress.record_stats.counts() {
        let _ = writeln!(out, "{what}: {count}");
    }
    let scores: Vec<f64> = progress.history.iter().map(|row| score(row).ppg).collect();
    if let ([first, .., last], true) = (scores.as_slice(), spec.gate_every == 0) {
        let bars = sparkline(&scores, BARS);
        let _ = writeln!(out, "tests: {first:+.2} {bars} {last:+.2}");
    }
    for played in progress.play_off.iter().flat_map(|play_off| &play_off.matches) {
        let _ = writeln!(out, "play-off: {}", of_play_off(played));
    }
    if let Some(best) = trainer.best() {
        let _ = writeln!(out, "best team: {}", named(&PlayOffTeam::from(best)));
    }
    if let Some(LastMatch { games, result }) = &progress.last_match {
        let TestResult { ppg, stderr, .. } = result;
        let half = Z95 * stderr;
        let _ = writeln!(
            out,
            "against {}: {ppg:+.4} ppg, standard error {stderr:.4}, 95 % interval {:+.4} to {:+.4}\n  \
             ({games} games on duplicate dice that had no part in training or in choosing it)",
            spec.against.first(),
            ppg - half,
            ppg + half,
        );
    }
    let path = display.files.folder().path().display();
    let _ = writeln!(out, "net:    {path}/best.nonet\nreport: {path}/report.html");
    out
}

/// A team of the run in words.
fn named(team: &PlayOffTeam) -> String {
    let games = counted(team.games, "game");
    match team.weights.as_str() {
        "average" => format!("the moving average of the weights after {games}"),
        _ => format!("the weights after {games}"),
    }
}

/// A match of the play-off in words.
fn of_play_off(played: &PlayOffMatch) -> String {
    let PlayOffMatch { holder, challenger, games, ppg, stderr, decided } = played;
    let verdict = if *decided { "" } else { ", too close to be certain" };
    format!(
        "{} score {ppg:+.4} ± {:.4} ppg against {} ({games} games{verdict})",
        named(challenger).replacen("the moving average", "moving average", 1),
        Z95 * stderr,
        named(holder),
    )
}

/// The result of a gate in words.
fn describe(gate: &GateResult) -> String {
    let GateResult { best_after, result, promoted, .. } = gate;
    let match_ = result.as_ref().map_or_else(
        || "no test since the last gate was won".to_owned(),
        |r| format!("the team after {} scores {}", counted(*best_after, "game"), plus_minus(r)),
    );
    let then = if *promoted { "the run goes on from it" } else { "the run ends here" };
    format!("{match_}: {then}")
}

/// A score with the half-width of its 95 % interval.
fn plus_minus(result: &TestResult) -> String {
    format!("{:+.3} ± {:.3} ppg", result.ppg, Z95 * result.stderr)
}

/// The result of a test that is shown: that of the averaged weights, if there are any.
pub(super) fn score(row: &nonet::train::TestRow) -> &TestResult {
    row.ema.as_ref().unwrap_or(&row.last)
}

/// Shows the progress of a run on stderr and saves the run in its folder.
pub(super) struct RunDisplay {
    progress: ProgressDisplay,
    files: RunFiles,
    began: Instant,
    /// Whoever does the work says where it stands.
    workers: Progress,
    tests: TestTimes,
}

impl RunDisplay {
    pub(super) fn new(
        trainer: &Trainer,
        folder: RunFolder,
        threads: usize,
        workers: Progress,
    ) -> RunDisplay {
        let spec = trainer.plan().spec();
        let done = trainer.progress().games;
        let mut progress = ProgressDisplay::new("games", done, spec.games);
        let tests = TestTimes::new(spec);
        progress.others_take(tests.seconds(done));
        let processors = std::thread::available_parallelism().map_or(threads, usize::from);
        let session = RunSession {
            started: Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string(),
            from: done,
            to: done,
            seconds: 0.0,
            threads,
            machine: format!(
                "{processors} processors, {} {}",
                std::env::consts::OS,
                std::env::consts::ARCH
            ),
            program: format!("nonet {VERSION}"),
        };
        let files = RunFiles::new(trainer, folder, session);
        progress.line(&format!(
            "{}\nin {}\ntests: points per game against {}, ± the half-width of the 95 % interval",
            files.command(),
            files.folder().path().display(),
            files.against()
        ));
        if spec.fine_tune > 0 {
            progress.line(&format!(
                "fine-tuning at the end, {}: positions are learned towards their 2-ply values",
                counted(spec.fine_tune, "game")
            ));
        }
        RunDisplay { progress, files, began: Instant::now(), workers, tests }
    }

    /// Ends the display of progress.
    pub(super) fn end(&self) {
        self.progress.end();
    }

    /// Saves a run that has ended.
    pub(super) fn save_at_end(&mut self, trainer: &Trainer) -> anyhow::Result<()> {
        let seconds = self.began.elapsed().as_secs_f64();
        let written = self.files.write_at_end(trainer, seconds);
        written.map_err(|error| anyhow::anyhow!(error))
    }
}

impl Observer for RunDisplay {
    fn learned(&mut self, progress: &RunProgress) {
        self.progress.elsewhere(self.workers.status());
        self.progress.at(progress.games);
    }

    fn unusable(&mut self, reasons: &[RecordError], more: u64) {
        for reason in reasons {
            self.progress.line(&reason.to_string());
        }
        if more > 0 {
            self.progress.line(&format!("and {}", counted(more, "more error")));
        }
    }

    fn testing(&mut self) {
        self.progress.pause("tests");
    }

    fn tested(&mut self, progress: &RunProgress) {
        self.tests.add(self.progress.go_on());
        self.progress.others_take(self.tests.seconds(progress.games));
        let Some(row) = progress.history.last() else { return };
        let average =
            row.ema.as_ref().map(|r| format!(", averaged {}", plus_minus(r))).unwrap_or_default();
        let other = |(name, result): (&String, &TestResult)| {
            format!(", against {name} {}", plus_minus(result))
        };
        let others: String = self.files.others().iter().zip(&row.others).map(other).collect();
        let rate = self.progress.rate(progress.games);
        self.progress.line(&format!(
            "{:>15}: {}{average}{others}, {rate:.0} games/s",
            counted(row.games, "game"),
            plus_minus(&row.last)
        ));
        let scores: Vec<f64> = progress.history.iter().map(|row| score(row).ppg).collect();
        let (bars, score) = (sparkline(&scores, BARS), plus_minus(score(row)));
        self.progress.note(&format!("{bars} {score}"));
        if let Some(gate) = progress.gates.last().filter(|gate| gate.games == row.games) {
            let games = counted(gate.games, "game");
            self.progress.line(&format!("{games:>15}: {}", describe(gate)));
        }
    }

    fn save(&mut self, checkpoint: &TrainCheckpoint) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.files.write(checkpoint, self.began.elapsed().as_secs_f64())
    }
}
