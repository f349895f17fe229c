//! The program's commands: one file each, arguments and output.

mod analyse;
mod bearoff;
mod benchmark;
mod cube;
mod engine_args;
mod eval;
mod fibs;
mod gnubg_player;
mod hint;
mod inspect;
mod interrupt;
mod moves;
mod play;
mod players;
mod progress;
mod recipe;
mod record;
mod records;
mod reproduce;
mod rollout;
mod speed;
mod tournament;
mod train;
mod ubgi;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Nine specialist networks learn backgammon by temporal differences, and play it.
#[derive(Parser)]
#[command(version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Train a team of nets; plain `nonet train` learns by self-play for some minutes.
    Train(Box<train::Args>),
    /// Play match series: ppg of one net, or of several, against an opponent.
    Eval(eval::Args),
    /// Play a round robin between several players.
    Tournament(tournament::Args),
    /// What to play: ranked plays with their equities and chances.
    Hint(hint::Args),
    /// Whether to double, and whether to take.
    Cube(cube::Args),
    /// Play a position out many times, luck taken out.
    Rollout(rollout::Args),
    /// Play against the net in the terminal, with its advice if you like.
    Play(play::Args),
    /// Judge a recorded match: mistakes, luck, error rates, a page with boards.
    Analyse(analyse::Args),
    /// Show what is in a net file: where it comes from, what it learned, and which inputs matter to it.
    #[command(alias = "net")]
    Inspect(inspect::Args),
    /// Score players on decisions with known answers, class by class.
    Benchmark(benchmark::Args),
    /// Repeat an experiment of a paper, whole or scaled down.
    Reproduce(reproduce::Args),
    /// Be the engine of another program: UBGI 0.2 over standard input and output.
    Ubgi(ubgi::Args),
    /// Play against GNU Backgammon, in its window or without one.
    GnubgPlayer(gnubg_player::Args),
    /// Play games between two players and write them down, or write records in another format.
    Record(record::Args),
    /// List the legal plays of a roll.
    Moves(moves::Args),
    /// Generate the bearoff databases, or write them as GNU Backgammon does.
    Bearoff(bearoff::Args),
    /// Play on FIBS, the First Internet Backgammon Server, or on a practice server of one's own.
    Fibs(self::fibs::Args),
    /// Measure the speed of this program on this machine.
    #[command(alias = "bench")]
    Speed(speed::Args),
}

/// What was typed cannot be meant: exit code 2. Everything else that goes wrong is failed work: exit code 1.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

/// Wraps an error as one of wrong words.
fn usage(error: impl std::fmt::Display) -> anyhow::Error {
    Usage(error.to_string()).into()
}

/// Parses the command line, does what it says and turns the result into an exit code.
pub(crate) fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let result = match cli.command {
        Command::Train(args) => train::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Tournament(args) => tournament::run(&args),
        Command::Hint(args) => hint::run(&args),
        Command::Cube(args) => cube::run(&args),
        Command::Rollout(args) => rollout::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Benchmark(args) => benchmark::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Ubgi(args) => ubgi::run(&args),
        Command::GnubgPlayer(args) => gnubg_player::run(&args),
        Command::Record(args) => record::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Bearoff(args) => bearoff::run(&args),
        Command::Fibs(args) => self::fibs::run(&args),
        Command::Speed(args) => speed::run(&args),
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

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(broken))
}

/// The threads to work with: as many as asked for, or as the machine has.
fn pool(threads: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    if threads == Some(0) {
        return Err(usage("--threads must be at least 1"));
    }
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build()?)
}
