//! `nonet train`: a run from words to nets and plots.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use nonet::backgammon::record::RecordError;
use nonet::eval::Architecture;
use nonet::game::StreamPurpose;
use nonet::progress::Progress;
use nonet::report::{run_charts, run_page};
use nonet::store::{Checkpoint, RunFolder, StoreError};
use nonet::train::{
    GameSource, GateResult, GeneratedGames, Observer, Participants, RecordedGames, RunOutcome,
    RunProgress, Schedule, Seats, TestResult, TrainConfig, Trainer, csv,
};

use super::bearoff::databases;
use super::players::{check, open, open_expert, open_team};
use super::progress::{ProgressDisplay, show_progress};
use super::{interrupt::interruptible, pool, recipe, records, usage};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Go on with the run in this folder, exactly as if it had never stopped.
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "out", "source", "expert", "records", "unfinished", "targets", "method", "ply", "explore", "update", "backprop", "beta_alpha", "squash", "surprises", "preset", "from", "widen", "widen_races", "endings", "classes", "games", "alpha", "lambda", "seed", "batch", "epochs", "memory", "optimizer", "average", "eval_every", "eval_at", "eval_games", "eval_ply",
        "against", "ladder", "rung",
    ])]
    resume: Option<PathBuf>,
    /// Follow a recipe, `champion`, `swift` or a TOML file of stages, in the folder --out [default: runs/NAME]; the same command goes
    /// on where it was stopped.
    #[arg(long, value_name = "NAME", conflicts_with_all = [
        "resume", "source", "expert", "records", "unfinished", "targets", "method", "ply", "explore", "update", "backprop", "beta_alpha", "squash", "surprises", "preset", "from", "widen", "widen_races", "endings", "classes", "games", "alpha", "lambda", "seed", "batch", "epochs", "memory", "optimizer", "average", "eval_every", "eval_at", "eval_games", "eval_ply",
        "against", "ladder", "rung", "json",
    ])]
    recipe: Option<String>,
    /// The folder of the new run. [default: runs/PRESET-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Where games come from: selfplay, expert (the learner plays it) or observe (the expert plays itself, or games are
    /// read from --records).
    #[arg(long, default_value = "selfplay")]
    source: String,
    /// The expert: a net file, or `gnubg:1` to `gnubg:4`, a GNU Backgammon that is installed (at its 0 to 3 plies).
    #[arg(long, value_name = "NET")]
    expert: Option<String>,
    /// Records of games to observe: .mat, .sgf, FIBS oldmoves or compact files, folders with all that is in them, or - for
    /// standard input. When all games have been read they are read again, up to --games; standard input, which cannot be,
    /// ends the run. What is of no use is named on stderr and passed over.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    records: Vec<String>,
    /// Recorded games that were over before the last checker was off: agreed (a resignation counts as the result that both
    /// agreed on; after a refused double the value of the last position stands for the end), bootstrap (it does so after
    /// both) or leave-out (nothing is learned from either). [default: agreed]
    #[arg(long, value_name = "WAY")]
    unfinished: Option<String>,
    /// Whose judgements make the targets: own or expert.
    #[arg(long, default_value = "own")]
    targets: String,
    /// The learning rule: td, td-directed, tdleaf, or lookahead (each position towards its own 2-ply value).
    #[arg(long, default_value = "td")]
    method: String,
    /// Plies of the search that chooses the learner's plays, 1 (static) or 2. [default: the method's]
    #[arg(long)]
    ply: Option<u32>,
    /// Chance that the learner plays the second best instead of the best, in self-play at 1-ply.
    #[arg(long, default_value_t = 0.0, value_name = "CHANCE")]
    explore: f32,
    /// When weights change: offline (after a game, by lambda returns) or online (after each of its positions, by
    /// eligibility traces).
    #[arg(long, default_value = "offline")]
    update: String,
    /// Backpropagation: plain, or extended (each hidden unit learns its own sensitivity).
    #[arg(long, default_value = "plain")]
    backprop: String,
    /// Learning rate of sensitivities.
    #[arg(long, default_value_t = TrainConfig::default().beta_alpha, value_name = "RATE")]
    beta_alpha: f32,
    /// Compare values v as tanh(SCALE v) / SCALE, as KnightCap did; 0 for as they are.
    #[arg(long, default_value_t = 0.0, value_name = "SCALE")]
    squash: f32,
    /// A gain from a play of the other side that the learner would not have made: keep (the other side may know better) or
    /// drop (it may have blundered: KnightCap's rule).
    #[arg(long, default_value = "keep")]
    surprises: String,
    #[arg(long, default_value = "large", help = presets())]
    preset: String,
    /// Begin with this net file instead of random weights.
    #[arg(long, value_name = "NET", conflicts_with = "preset")]
    from: Option<String>,
    /// Widen the contact nets of --from to so many hidden units; the new ones have no say before they learn.
    #[arg(long, default_value_t = 0, value_name = "UNITS")]
    widen: u64,
    /// Widen its nets for positions without contact to so many.
    #[arg(long, default_value_t = 0, value_name = "UNITS")]
    widen_races: u64,
    /// Take the bearoff databases' word for the endings that they know, in the targets of --method lookahead.
    #[arg(long)]
    endings: bool,
    /// Learn positions of these classes alone, with --method lookahead: endgame, race, no-back, ...
    #[arg(long, value_delimiter = ',', value_name = "CLASS,...")]
    classes: Vec<String>,
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
    /// How often each example of a batch is learned: more than once where targets cost more than steps, as those of --method
    /// lookahead do, and --optimizer adam makes use of it.
    #[arg(long, default_value_t = 1)]
    epochs: u32,
    /// Examples that each net remembers: epochs beyond the first draw from them instead of from the batch. For --method
    /// lookahead; 0 remembers none.
    #[arg(long, default_value_t = 0, value_name = "EXAMPLES")]
    memory: u64,
    /// What a gradient makes of weights: sgd (a step for each example, as in the papers) or adam (256 examples a step, whose
    /// length each weight finds for itself; the champion had --alpha 0.003..0.0001 with it).
    #[arg(long, default_value = "sgd")]
    optimizer: String,
    /// Games that the running average of the weights looks back; 0 keeps none.
    #[arg(long, default_value_t = TrainConfig::default().average, value_name = "GAMES")]
    average: u64,
    #[arg(long, value_name = "GAMES", help = format!("Games between tests; each test ends with a checkpoint. [default: {}]", TrainConfig::default().eval_every))]
    eval_every: Option<u64>,
    /// Numbers of games to test after besides, separated by commas. [default: 100,1000,5000, on a ladder none]
    #[arg(long, value_delimiter = ',', value_name = "GAMES")]
    eval_at: Option<Vec<u64>>,
    #[arg(long, value_name = "GAMES", help = format!("Games of each test. [default: {}]", TrainConfig::default().eval_games))]
    eval_games: Option<u64>,
    /// Plies that nets look ahead in tests, 1 to 4.
    #[arg(long, default_value_t = 1, value_name = "N")]
    eval_ply: u32,
    /// Whom tests are played against: pubeval, random, a net file, or `gnubg:1` to `gnubg:4` (its 0 to 3 plies).
    #[arg(long, default_value = "pubeval")]
    against: String,
    /// Make an expert as the paper made its own (section 4.1): tests are played against the best team of the rung before;
    /// at the end of a rung the best team becomes the next rival and the starting point, until it no longer wins the
    /// deciding match significantly. Tests of 5,000 games every 10,000 unless said otherwise.
    #[arg(long)]
    ladder: bool,
    /// Games of a rung.
    #[arg(long, default_value_t = 100_000, value_name = "GAMES", requires = "ladder")]
    rung: u64,
    /// Games of the match that the best team plays at the end, on dice that did not choose it; 0 for none.
    #[arg(long, default_value_t = 10_000, value_name = "GAMES")]
    final_games: u64,
    /// The result as one JSON line.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let pool = pool(args.threads)?;
    let stop = interruptible();
    if let Some(word) = &args.recipe {
        return recipe::follow(word, args.out.as_deref(), &pool, &stop);
    }
    let run = match &args.resume {
        Some(path) => resume(path)?,
        None => begin(args)?,
    };
    let Some((folder, trainer, rate)) = train(run, &pool, &stop)? else { return Ok(()) };
    finish(args, &pool, &trainer, &folder, &stop, rate)
}

/// A run that is about to begin or to go on.
pub(super) type Run = (RunFolder, Trainer, Box<dyn GameSource>);

/// Learns until the end; the run and its speed in games a second, or `None` if it was stopped.
pub(super) fn train(
    (folder, mut trainer, mut source): Run,
    pool: &rayon::ThreadPool,
    stop: &Progress,
) -> anyhow::Result<Option<(RunFolder, Trainer, f64)>> {
    let config = trainer.config().clone();
    let total = config.games;
    let mut keeper = RunKeeper {
        show: ProgressDisplay::new("games", trainer.progress().games, total),
        command: config.command(),
        against: incumbent(&config),
        folder: &folder,
    };
    keeper.show.line(&format!("{}\nin {}", keeper.command, folder.path().display()));
    let ended = pool.install(|| trainer.run(source.as_mut(), &mut keeper, &stop.part()))?;
    let rate = keeper.show.rate(trainer.progress().games);
    keeper.show.end();
    if ended == RunOutcome::Stopped {
        let done = trainer.progress().games;
        let path = folder.path().display();
        writeln!(
            std::io::stdout(),
            "stopped after {done} games; go on with: nonet train --resume {path}"
        )?;
        return Ok(None);
    }
    // Once more, so that the plots of a run that had ended before are those of today's program.
    keeper.keep(&trainer.checkpoint()).map_err(|error| anyhow::anyhow!(error))?;
    Ok(Some((folder, trainer, rate)))
}

fn begin(args: &Args) -> anyhow::Result<Run> {
    let from = args.from.as_deref().map(open_team).transpose()?;
    let ordinary = match args.ladder {
        false => TrainConfig::default(),
        // The paper's numbers.
        true => TrainConfig {
            eval_every: 10_000,
            eval_at: Vec::new(),
            eval_games: 5_000,
            rung: args.rung,
            ..TrainConfig::default()
        },
    };
    let config = TrainConfig {
        source: args.source.clone(),
        expert: args.expert.clone(),
        records: args.records.clone(),
        unfinished: args.unfinished.clone(),
        targets: args.targets.clone(),
        method: args.method.clone(),
        ply: args.ply,
        update: args.update.clone(),
        backprop: args.backprop.clone(),
        beta_alpha: args.beta_alpha,
        squash: args.squash,
        explore: args.explore,
        widen: args.widen,
        widen_races: args.widen_races,
        endings: args.endings,
        classes: args.classes.clone(),
        surprises: args.surprises.clone(),
        preset: from.map_or_else(|| args.preset.clone(), |file| file.preset),
        from: args.from.clone(),
        games: args.games,
        alpha: args.alpha.clone(),
        lambda: args.lambda.clone(),
        seed: args.seed,
        batch: args.batch,
        epochs: args.epochs,
        memory: args.memory,
        optimizer: args.optimizer.clone(),
        average: args.average,
        eval_every: args.eval_every.unwrap_or(ordinary.eval_every),
        eval_at: args.eval_at.clone().unwrap_or(ordinary.eval_at),
        eval_games: args.eval_games.unwrap_or(ordinary.eval_games),
        eval_ply: args.eval_ply,
        against: args.against.clone(),
        rung: ordinary.rung,
    };
    config.check().map_err(usage)?;
    let path = args
        .out
        .clone()
        .unwrap_or_else(|| format!("runs/{}-{}", config.preset, config.seed).into());
    begin_in(&path, config)
}

/// Begins a run in a new folder.
pub(super) fn begin_in(path: &std::path::Path, config: TrainConfig) -> anyhow::Result<Run> {
    let (cast, source) = cast(&config)?;
    let text = format!("# {}\n{}", config.command(), toml::to_string(&config)?);
    let folder = RunFolder::create(path, &text).map_err(as_usage)?;
    Ok((folder, Trainer::new(config, cast), source))
}

pub(super) fn resume(path: &std::path::Path) -> anyhow::Result<Run> {
    let (folder, text, checkpoint) = RunFolder::open::<RunProgress>(path).map_err(as_usage)?;
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

/// The architectures, in words.
fn presets() -> String {
    let row = |preset: &Architecture| format!("{}: {}", preset.name, preset.meaning);
    let rows: Vec<String> = Architecture::ALL.iter().map(row).collect();
    format!("The architecture.\n{}\n", rows.join("\n"))
}

/// Opens everybody who takes part in the run.
pub(super) fn cast(config: &TrainConfig) -> anyhow::Result<(Participants, Box<dyn GameSource>)> {
    let expert = config.expert.as_deref().map(open_expert).transpose()?;
    let player = expert.as_ref().map(|expert| Arc::clone(&expert.player));
    let seats = match (config.source.as_str(), player) {
        ("expert", Some(expert)) => Seats::Expert(expert),
        ("observe", Some(expert)) => Seats::Observe(expert),
        _ => Seats::SelfPlay,
    };
    let teacher = expert.filter(|_| config.learns_targets()).map(|expert| expert.judge);
    let against = open(&config.against, config.test_plies(), None)?.player;
    let source: Box<dyn GameSource> = if config.records.is_empty() {
        Box::new(GeneratedGames {
            seed: config.seed,
            ply: config.plies(),
            explore: config.explore,
            seats,
        })
    } else {
        Box::new(RecordedGames::new(records::opener(config)?, config.unfinished()))
    };
    let start = config.from.as_deref().map(open_team).transpose()?;
    let start = start.map(|file| Arc::new(file.team));
    let endings = config.endings.then(databases).transpose()?;
    Ok((Participants { against, teacher, endings, start }, source))
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
    stop: &Progress,
    rate: f64,
) -> anyhow::Result<()> {
    let Some(best) = trainer.best() else { anyhow::bail!("the run ended without a test") };
    let (path, against, games) =
        (folder.path().display(), &trainer.config().against, args.final_games);
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
    if args.json {
        let series = series.map(
            |s| serde_json::json!({"games": s.games, "ppg": s.ppg.mean, "stderr": s.ppg.stderr}),
        );
        let value = serde_json::json!({
            "folder": path.to_string(), "best_after": best_after, "weights": weights, "against": against,
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
    if learned < trainer.config().games {
        writeln!(out, "the records ended before the {} games asked for", trainer.config().games)?;
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
             ({} duplicate-dice games on dice that did not choose it)",
            series.games,
        )?;
    }
    writeln!(out, "net:    {path}/best.nonet\nreport: {path}/report.html")?;
    Ok(())
}

/// Whom the tests of a run are played against, in words.
fn incumbent(config: &TrainConfig) -> String {
    match config.rung {
        0 => config.against.clone(),
        _ => "the best team of the rung before".to_owned(),
    }
}

/// The end of a rung in words.
fn describe(rung: &GateResult) -> String {
    let GateResult { best_after, result, promoted, .. } = rung;
    let match_ = result.as_ref().map_or_else(
        || "no test of this rung was won".to_owned(),
        |r| format!("the team after {best_after} games scores {:+.3} ± {:.3} ppg", r.ppg, r.stderr),
    );
    let then = if *promoted { "the next rung begins with it" } else { "the ladder ends here" };
    format!("{match_}: {then}")
}

/// Shows a run on stderr and keeps it in its folder.
struct RunKeeper<'a> {
    show: ProgressDisplay,
    command: String,
    against: String,
    folder: &'a RunFolder,
}

impl Observer for RunKeeper<'_> {
    fn learned(&mut self, progress: &RunProgress) {
        self.show.at(progress.games);
    }

    fn unusable(&mut self, reasons: &[RecordError], more: u64) {
        for reason in reasons {
            self.show.line(&reason.to_string());
        }
        if more > 0 {
            self.show.line(&format!("and {more} more like these"));
        }
    }

    fn testing(&mut self) {
        self.show.note("testing");
    }

    fn tested(&mut self, progress: &RunProgress) {
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
        if let Some(rung) = progress.rungs.last().filter(|rung| rung.games == row.games) {
            self.show.line(&format!("{:>9} games: {}", rung.games, describe(rung)));
        }
    }

    fn keep(
        &mut self,
        checkpoint: &Checkpoint<RunProgress>,
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
