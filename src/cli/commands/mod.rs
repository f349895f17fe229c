//! The commands: one file or folder each, with its arguments and its output.

mod analyse;
mod bearoff;
mod benchmark;
mod bgammon;
mod calibrate;
mod compare;
mod completions;
mod cube;
mod eval;
mod exact;
mod fibs;
mod gnubg_player;
mod hint;
mod inspect;
mod levels;
mod man;
mod moves;
mod play;
mod practise;
mod record;
mod redraw;
mod reproduce;
mod rollout;
mod rolls;
#[cfg(feature = "serve")]
mod serve;
mod speed;
mod tournament;
mod train;
mod ubgi;
mod why;
mod worker;

use clap::{Command, Subcommand};

/// The commands by what people want, in the order of the help.
pub(super) const GROUPS: &[(&str, &[&str])] = &[
    (
        "Play and analyse",
        &[
            "play", "serve", "analyse", "practise", "hint", "cube", "why", "rolls", "rollout",
            "moves", "levels",
        ],
    ),
    ("Train", &["train", "compare", "redraw", "inspect", "record", "reproduce"]),
    ("Measure", &["eval", "tournament", "benchmark", "calibrate", "speed"]),
    ("Engines for other programs", &["ubgi", "gnubg-player", "bearoff"]),
    ("Servers and machines", &["fibs", "bgammon", "worker"]),
    ("This program", &["completions", "man"]),
];

#[derive(Subcommand)]
pub(super) enum CliCommand {
    Play(play::Args),
    #[cfg(feature = "serve")]
    Serve(Box<serve::Args>),
    Analyse(analyse::Args),
    #[command(alias = "practice")]
    Practise(practise::Args),
    Hint(hint::Args),
    Cube(cube::Args),
    Why(why::Args),
    Rolls(rolls::Args),
    Rollout(rollout::Args),
    Moves(moves::Args),
    Levels(levels::Args),
    Train(Box<train::Args>),
    Compare(compare::Args),
    Redraw(redraw::Args),
    #[command(alias = "net")]
    Inspect(inspect::Args),
    Record(record::Args),
    Reproduce(reproduce::Args),
    Eval(eval::Args),
    Tournament(tournament::Args),
    Benchmark(benchmark::Args),
    Calibrate(calibrate::Args),
    #[command(alias = "bench")]
    Speed(speed::Args),
    Ubgi(ubgi::Args),
    GnubgPlayer(gnubg_player::Args),
    Bearoff(bearoff::Args),
    Fibs(self::fibs::Args),
    Bgammon(self::bgammon::Args),
    Worker(worker::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl CliCommand {
    /// Runs the command; `whole` makes the command line that it is part of.
    pub(super) fn run(&self, whole: impl Fn() -> Command) -> anyhow::Result<()> {
        match self {
            CliCommand::Train(args) => train::run(args),
            CliCommand::Compare(args) => compare::run(args),
            CliCommand::Redraw(args) => redraw::run(args),
            CliCommand::Eval(args) => eval::run(args),
            CliCommand::Tournament(args) => tournament::run(args),
            CliCommand::Hint(args) => hint::run(args),
            CliCommand::Cube(args) => cube::run(args),
            CliCommand::Why(args) => why::run(args),
            CliCommand::Rolls(args) => rolls::run(args),
            CliCommand::Rollout(args) => rollout::run(args),
            CliCommand::Play(args) => play::run(args),
            #[cfg(feature = "serve")]
            CliCommand::Serve(args) => serve::run(args),
            CliCommand::Levels(args) => levels::run(args),
            CliCommand::Analyse(args) => analyse::run(args),
            CliCommand::Practise(args) => practise::run(args),
            CliCommand::Inspect(args) => inspect::run(args),
            CliCommand::Benchmark(args) => benchmark::run(args),
            CliCommand::Calibrate(args) => calibrate::run(args),
            CliCommand::Reproduce(args) => reproduce::run(args),
            CliCommand::Ubgi(args) => ubgi::run(args),
            CliCommand::GnubgPlayer(args) => gnubg_player::run(args),
            CliCommand::Record(args) => record::run(args),
            CliCommand::Moves(args) => moves::run(args),
            CliCommand::Bearoff(args) => bearoff::run(args),
            CliCommand::Fibs(args) => self::fibs::run(args),
            CliCommand::Bgammon(args) => self::bgammon::run(args),
            CliCommand::Worker(args) => worker::run(args),
            CliCommand::Speed(args) => speed::run(args),
            CliCommand::Completions(args) => completions::run(args, whole()),
            CliCommand::Man(args) => man::run(args, whole()),
        }
    }

    /// Whether a panic in one piece of work, a request, leaves the rest of the program working.
    pub(super) const fn outlives_panics(&self) -> bool {
        #[cfg(feature = "serve")]
        let outlives = matches!(self, CliCommand::Serve(_));
        #[cfg(not(feature = "serve"))]
        let outlives = false;
        outlives
    }
}
