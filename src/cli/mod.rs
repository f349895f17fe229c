//! The program's commands: one file each, arguments and output.

mod analyse;
mod bearoff;
mod benchmark;
mod benchmark_time;
mod calibrate;
mod compare;
mod cube;
mod cube_judge;
mod decision_times;
mod engine_args;
mod eval;
mod fibs;
mod gnubg_player;
mod hint;
mod inspect;
mod interrupt;
mod levels;
mod log;
mod match_args;
mod moves;
mod nats_args;
mod play;
mod player_args;
mod progress_bar;
mod recipe;
mod record;
mod record_args;
mod redraw;
mod reproduce;
mod rollout;
mod rollout_answer;
mod series_stop;
mod series_text;
#[cfg(feature = "serve")]
mod serve;
mod sparkline;
mod speed;
mod time_chart;
mod tournament;
mod train;
mod ubgi;
mod version;
mod watched_player;
mod worker;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Nine specialist networks learn backgammon by temporal differences, and play it.
#[derive(Parser)]
#[command(version = version::VERSION, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Subcommand)]
enum CliCommand {
    /// Train a team of nets; plain `nonet train` learns by self-play for some minutes.
    Train(Box<train::Args>),
    /// Draw the learning curves of several training runs in one plot, with a table of their differences.
    Compare(compare::Args),
    /// Draw the plots and the page of training runs again from the data in their folders.
    Redraw(redraw::Args),
    /// Play series against an opponent, cubeless, for money or matches: points per game, match winning chances.
    Eval(eval::Args),
    /// Play a round robin between several players.
    Tournament(tournament::Args),
    /// Rank the plays of a roll by equity, with win and gammon chances.
    Hint(hint::Args),
    /// Decide whether to double and whether to take.
    Cube(cube::Args),
    /// Roll out a position, with variance reduction.
    Rollout(rollout::Args),
    /// Play against the net in the terminal, optionally with hints.
    Play(play::Args),
    /// Play, analyse and train in the browser: a server for this machine, with an HTTP API.
    #[cfg(feature = "serve")]
    Serve(Box<serve::Args>),
    /// The levels of `play` with their PR, and how it is measured.
    Levels(levels::Args),
    /// Analyse a recorded match: errors, luck, PR, and a page with boards.
    Analyse(analyse::Args),
    /// Show a net file: provenance, training, and the most important inputs.
    #[command(alias = "net")]
    Inspect(inspect::Args),
    /// Error rate of players on reference decisions, by position class.
    Benchmark(benchmark::Args),
    /// Compare the chances that a net says with what happens in games played to the end.
    Calibrate(calibrate::Args),
    /// Repeat an experiment of a paper at full or reduced size.
    Reproduce(reproduce::Args),
    /// Run as an engine: UBGI 0.2 over standard input and output.
    Ubgi(ubgi::Args),
    /// Run as an external player for GNU Backgammon.
    GnubgPlayer(gnubg_player::Args),
    /// Record games between two players, or convert game records.
    Record(record::Args),
    /// List the legal plays of a roll.
    Moves(moves::Args),
    /// Generate the bearoff databases, or write them as GNU Backgammon does.
    Bearoff(bearoff::Args),
    /// Play on FIBS, the First Internet Backgammon Server, or on a local practice server.
    Fibs(self::fibs::Args),
    /// Do parts of the work of other machines, which share it over a NATS server.
    Worker(worker::Args),
    /// Measure the speed of this program on this machine.
    #[command(alias = "bench")]
    Speed(speed::Args),
}

/// Invalid arguments: exit code 2. All other errors: exit code 1.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

/// An error of invalid arguments.
fn usage(error: impl std::fmt::Display) -> anyhow::Error {
    Usage(error.to_string()).into()
}

/// Runs the command line and returns its exit code.
pub(crate) fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    if !cli.command.outlives_panics() {
        end_on_panic();
    }
    let result = match cli.command {
        CliCommand::Train(args) => train::run(&args),
        CliCommand::Compare(args) => compare::run(&args),
        CliCommand::Redraw(args) => redraw::run(&args),
        CliCommand::Eval(args) => eval::run(&args),
        CliCommand::Tournament(args) => tournament::run(&args),
        CliCommand::Hint(args) => hint::run(&args),
        CliCommand::Cube(args) => cube::run(&args),
        CliCommand::Rollout(args) => rollout::run(&args),
        CliCommand::Play(args) => play::run(&args),
        #[cfg(feature = "serve")]
        CliCommand::Serve(args) => serve::run(&args),
        CliCommand::Levels(args) => levels::run(&args),
        CliCommand::Analyse(args) => analyse::run(&args),
        CliCommand::Inspect(args) => inspect::run(&args),
        CliCommand::Benchmark(args) => benchmark::run(&args),
        CliCommand::Calibrate(args) => calibrate::run(&args),
        CliCommand::Reproduce(args) => reproduce::run(&args),
        CliCommand::Ubgi(args) => ubgi::run(&args),
        CliCommand::GnubgPlayer(args) => gnubg_player::run(&args),
        CliCommand::Record(args) => record::run(&args),
        CliCommand::Moves(args) => moves::run(&args),
        CliCommand::Bearoff(args) => bearoff::run(&args),
        CliCommand::Fibs(args) => self::fibs::run(&args),
        CliCommand::Worker(args) => worker::run(&args),
        CliCommand::Speed(args) => speed::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output has closed the pipe, as `nonet moves ... | head` does.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
        }
    }
}

impl CliCommand {
    /// Whether a panic in one piece of work, a request, leaves the rest of the program working.
    const fn outlives_panics(&self) -> bool {
        #[cfg(feature = "serve")]
        let outlives = matches!(self, CliCommand::Serve(_));
        #[cfg(not(feature = "serve"))]
        let outlives = false;
        outlives
    }
}

/// Lets a panic in any thread end the program, after its message: nothing waits for a thread that is gone.
fn end_on_panic() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        std::process::abort();
    }));
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(broken))
}

/// A pool of the requested number of threads, by default as many as the machine has.
fn pool(threads: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    if threads == Some(0) {
        return Err(usage("--threads must be at least 1"));
    }
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build()?)
}
