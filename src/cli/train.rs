//! `nonet train`: a run from words to nets and plots.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nonet::arena::Watch;
use nonet::eval::Evaluator;
use nonet::play::{Domain, Greedy, Player};
use nonet::report::{run_charts, run_page};
use nonet::search::Plies;
use nonet::store::{Checkpoint, RunFolder, StoreError};
use nonet::train::{
    Cast, Ended, Observer, Played, Progress, Schedule, Seats, TestResult, TrainConfig, Trainer, csv,
};

use super::opponent::{open, open_expert};
use super::show::Show;
use super::{interrupt::on_interrupt, pool, usage};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Go on with the run in this folder, exactly as if it had never stopped.
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "out", "source", "expert", "targets", "method", "ply", "preset", "games", "alpha", "lambda", "seed", "batch", "average", "eval_every", "eval_at", "eval_games",
        "against",
    ])]
    resume: Option<PathBuf>,
    /// The folder of the new run. [default: runs/PRESET-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Where games come from: selfplay, expert (the learner plays it) or observe (it plays itself).
    #[arg(long, default_value = "selfplay")]
    source: String,
    /// The net file of the expert.
    #[arg(long, value_name = "NET")]
    expert: Option<String>,
    /// Whose judgements make the targets: own or expert.
    #[arg(long, default_value = "own")]
    targets: String,
    /// The learning rule: td, td-directed or tdleaf.
    #[arg(long, default_value = "td")]
    method: String,
    /// Plies of the search that chooses the learner's plays, 1 (static) or 2. [default: the method's]
    #[arg(long)]
    ply: Option<u32>,
    /// The architecture: large (the paper's nine nets), small or hidden80 (its three), or single (one for all).
    #[arg(long, default_value = "large")]
    preset: String,
    /// Games to learn from.
    #[arg(long, default_value_t = TrainConfig::default().games)]
    games: u64,
    /// Learning rate: 0.01, or 0.1..0.003 (falling by equal factors), or 0.1,0.03@50000 (in steps by games).
    #[arg(long, default_value = "0.01")]
    alpha: Schedule,
    /// Lambda of TD(lambda), 0..1; a schedule like --alpha.
    #[arg(long, default_value = "0.6")]
    lambda: Schedule,
    /// Seed of weights and dice: same seed, same bytes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; the result does not depend on it. [default: as many as the machine has]
    #[arg(long)]
    threads: Option<usize>,
    /// Games played against one snapshot of the weights; 1 is the paper's rule, more let threads share the work.
    #[arg(long, default_value_t = TrainConfig::default().batch)]
    batch: u64,
    /// Games that the running average of the weights looks back; 0 keeps none.
    #[arg(long, default_value_t = TrainConfig::default().average, value_name = "GAMES")]
    average: u64,
    /// Games between tests; each test ends with a checkpoint.
    #[arg(long, default_value_t = TrainConfig::default().eval_every, value_name = "GAMES")]
    eval_every: u64,
    /// Numbers of games to test after besides, separated by commas.
    #[arg(long, value_delimiter = ',', default_values_t = TrainConfig::default().eval_at, value_name = "GAMES")]
    eval_at: Vec<u64>,
    /// Games of each test.
    #[arg(long, default_value_t = TrainConfig::default().eval_games, value_name = "GAMES")]
    eval_games: u64,
    /// Whom tests are played against: pubeval, random or a net file.
    #[arg(long, default_value = "pubeval")]
    against: String,
    /// Games of the match that the best team plays at the end, on dice that did not choose it; 0 for none.
    #[arg(long, default_value_t = 10_000, value_name = "GAMES")]
    final_games: u64,
    /// The result as one JSON line.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let pool = pool(args.threads)?;
    let (folder, mut trainer, mut source) = match &args.resume {
        Some(path) => resume(path)?,
        None => begin(args)?,
    };
    let stop = on_interrupt();
    let config = trainer.config().clone();
    let total = config.games;
    let mut keeper = Keeper {
        show: Show::new("games", trainer.progress().games, total),
        command: config.command(),
        against: config.against.clone(),
        folder: &folder,
    };
    keeper.show.line(&format!("{}\nin {}", keeper.command, folder.path().display()));
    let ended = pool.install(|| trainer.run(&mut source, &mut keeper, &stop))?;
    let rate = keeper.show.rate(trainer.progress().games);
    keeper.show.end();
    if ended == Ended::Stopped {
        let done = trainer.progress().games;
        let path = folder.path().display();
        writeln!(
            std::io::stdout(),
            "stopped after {done} games; go on with: nonet train --resume {path}"
        )?;
        return Ok(());
    }
    // Once more, so that the plots of a run that had ended before are those of today's program.
    keeper.keep(&trainer.checkpoint()).map_err(|error| anyhow::anyhow!(error))?;
    finish(args, &pool, &trainer, &folder, &stop, rate)
}

fn begin(args: &Args) -> anyhow::Result<(RunFolder, Trainer, Played)> {
    let config = TrainConfig {
        source: args.source.clone(),
        expert: args.expert.clone(),
        targets: args.targets.clone(),
        method: args.method.clone(),
        ply: args.ply,
        preset: args.preset.clone(),
        games: args.games,
        alpha: args.alpha.clone(),
        lambda: args.lambda.clone(),
        seed: args.seed,
        batch: args.batch,
        average: args.average,
        eval_every: args.eval_every,
        eval_at: args.eval_at.clone(),
        eval_games: args.eval_games,
        against: args.against.clone(),
    };
    config.check().map_err(usage)?;
    let (cast, source) = cast(&config)?;
    let path = args
        .out
        .clone()
        .unwrap_or_else(|| format!("runs/{}-{}", config.preset, config.seed).into());
    let text = format!("# {}\n{}", config.command(), toml::to_string(&config)?);
    let folder = RunFolder::create(&path, &text).map_err(as_usage)?;
    Ok((folder, Trainer::new(config, cast), source))
}

fn resume(path: &std::path::Path) -> anyhow::Result<(RunFolder, Trainer, Played)> {
    let (folder, text, checkpoint) = RunFolder::open::<Progress>(path).map_err(as_usage)?;
    let config: TrainConfig = toml::from_str(&text).map_err(|error| StoreError::Config {
        path: path.join("config.toml"),
        reason: error.message().to_owned(),
    })?;
    config.check()?;
    let (cast, source) = cast(&config)?;
    let trainer = match checkpoint {
        Some(checkpoint) => Trainer::resume(config, cast, checkpoint),
        None => Trainer::new(config, cast),
    };
    Ok((folder, trainer, source))
}

/// Opens everybody who takes part in the run.
pub(super) fn cast(config: &TrainConfig) -> anyhow::Result<(Cast, Played)> {
    let expert = config.expert.as_deref().map(open_expert).transpose()?;
    let player = || expert.clone().map(|expert| Arc::new(Greedy(expert)) as Arc<dyn Player>);
    let seats = match (config.source.as_str(), player()) {
        ("expert", Some(expert)) => Seats::Expert(expert),
        ("observe", Some(expert)) => Seats::Observe(expert),
        _ => Seats::SelfPlay,
    };
    let teacher =
        expert.filter(|_| config.learns_targets()).map(|expert| expert as Arc<dyn Evaluator>);
    let against = open(&config.against, Plies::ONE, None)?.player;
    Ok((Cast { against, teacher }, Played { seed: config.seed, ply: config.plies(), seats }))
}

/// A folder that was named wrongly is a matter of words; a disk that fails is not.
fn as_usage(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::HoldsARun { .. } | StoreError::NotEmpty { .. } | StoreError::NoRun { .. } => {
            usage(error)
        }
        other => other.into(),
    }
}

/// Plays the best team once more, on dice that had no part in choosing it, and says what came of the run.
fn finish(
    args: &Args,
    pool: &rayon::ThreadPool,
    trainer: &Trainer,
    folder: &RunFolder,
    stop: &AtomicBool,
    rate: f64,
) -> anyhow::Result<()> {
    let Some(best) = trainer.best() else { anyhow::bail!("the run ended without a test") };
    let (path, against, games) =
        (folder.path().display(), &trainer.config().against, args.final_games);
    let series = if games == 0 {
        None
    } else {
        let series = super::show::watching("of the last match", games, stop, |watch| {
            pool.install(|| trainer.series(&best.team, Domain::Final, games, watch))
        });
        Some(series.ok_or_else(|| {
            anyhow::anyhow!("interrupted in the last match; the run itself is complete")
        })?)
    };
    let (weights, best_after) = (&best.provenance.weights, best.provenance.games);
    let mut out = std::io::stdout();
    if args.json {
        let series = series.map(
            |s| serde_json::json!({"games": s.games, "ppg": s.ppg.mean, "stderr": s.ppg.stderr}),
        );
        let value = serde_json::json!({
            "folder": path.to_string(), "best_after": best_after, "weights": weights, "against": against,
            "last_match": series, "games_per_second": rate,
        });
        writeln!(out, "{value}")?;
        return Ok(());
    }
    let learned = trainer.progress().games;
    match rate > 0.0 {
        true => writeln!(out, "{learned} games learned, {rate:.0} games/s with tests")?,
        false => writeln!(out, "{learned} games had been learned before")?,
    }
    writeln!(out, "best team: the {weights} weights after {best_after} games")?;
    if let Some(series) = series {
        let (low, high) = series.ppg.interval95();
        let (ppg, stderr) = (series.ppg.mean, series.ppg.stderr);
        writeln!(
            out,
            "against {against}: {ppg:+.4} ppg, standard error {stderr:.4}, 95 % interval {low:+.4} to {high:+.4}\n  \
             ({} duplicate-dice games on dice that did not choose it)",
            series.games,
        )?;
    }
    writeln!(out, "net:    {path}/best.nonet\nreport: {path}/report.html")?;
    Ok(())
}

/// Shows a run on stderr and keeps it in its folder.
struct Keeper<'a> {
    show: Show,
    command: String,
    against: String,
    folder: &'a RunFolder,
}

impl Observer for Keeper<'_> {
    fn learned(&mut self, progress: &Progress) {
        self.show.at(progress.games);
    }

    fn testing(&mut self, _: u64, _: &Watch) {
        self.show.note("testing");
    }

    fn tested(&mut self, progress: &Progress) {
        let Some(row) = progress.history.last() else { return };
        let result = |r: &TestResult| format!("{:+.3} ± {:.3} ppg", r.ppg, r.stderr);
        let average =
            row.average.as_ref().map(|r| format!(", averaged {}", result(r))).unwrap_or_default();
        let rate = self.show.rate(progress.games);
        self.show.line(&format!(
            "{:>9} games: {}{average}, {rate:.0} games/s",
            row.games,
            result(&row.last)
        ));
        self.show.note(&result(row.average.as_ref().unwrap_or(&row.last)));
    }

    fn keep(
        &mut self,
        checkpoint: &Checkpoint<Progress>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let progress = &checkpoint.progress;
        self.folder.write("last.nonet", &checkpoint.team.to_bytes())?;
        if let Some(average) = &checkpoint.average {
            self.folder.write("average.nonet", &average.to_bytes())?;
        }
        if let Some(best) = &checkpoint.best {
            self.folder.write("best.nonet", &best.to_bytes())?;
        }
        self.folder.write("history.csv", csv(&progress.history).as_bytes())?;
        for (name, svg) in run_charts(progress, &self.command, &self.against)? {
            self.folder.write(name, svg.as_bytes())?;
        }
        let page = run_page(progress, &self.command, &self.against)?;
        self.folder.write("report.html", page.as_bytes())?;
        // Last, so that a checkpoint never speaks of files that are not there yet.
        Ok(self.folder.write_checkpoint(checkpoint)?)
    }
}
