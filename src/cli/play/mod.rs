//! `nonet play`: a person against the net, in the terminal.

mod commands;
mod input;
mod save;
mod screen;
mod settings;
mod summary;
mod table;

use std::io;
use std::path::PathBuf;

use nonet::engine::LEVELS;
use nonet::search::Plies;

use self::table::MatchTable;
use super::engine_args::EngineArgs;

/// You are X and move from 24 down to 1; the net is O. Type a play as `8/5 6/5` (`bar/20`, `6/off`, `13/7*`, `6/4(2)`), or
/// `?` for everything else.
///
/// After every decision the match is saved as .mat, which `nonet analyse` and other programs read. Ctrl-C and `q` stop;
/// `nonet play --resume FILE` goes on with the same dice.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Length of the match in points; 0 is the same as --money. [default: 3]
    #[arg(long, value_name = "POINTS")]
    length: Option<u16>,
    /// Play for money, game after game until you quit.
    #[arg(long, conflicts_with = "length")]
    money: bool,
    /// Money: gammons count only if the cube has been turned.
    #[arg(long)]
    jacoby: bool,
    /// Money: who is doubled may double again at once and keep the cube.
    #[arg(long)]
    beavers: bool,
    /// Begin in this position, with its score, cube and roll: XGID, GNU ID or Position ID. You decide first.
    #[arg(long, value_name = "ID", conflicts_with_all = ["length", "money"])]
    position: Option<String>,
    /// How well the net plays: beginner, casual, club, strong, expert or champion; `nonet levels` shows their PR.
    #[arg(long, value_name = "NAME", value_parser = LEVELS.map(|level| level.name))]
    level: Option<String>,
    /// Search depth of the net in plies, 1 (static) to 4. [default: 3]
    #[arg(long, value_name = "N")]
    ply: Option<Plies>,
    /// Search depth of the cube decisions of the net in plies, 1 to 4, whatever the depth of play. [default: 3]
    #[arg(long, value_name = "N")]
    cube_ply: Option<Plies>,
    /// Show the best plays before each decision, and the loss of your play after it.
    #[arg(long)]
    advice: bool,
    /// Your name in the record. [default: you]
    #[arg(long)]
    name: Option<String>,
    /// Seed of the dice. [default: the time]
    #[arg(long)]
    seed: Option<u64>,
    /// Where to save the match. [default: nonet-DATE-TIME.mat in the current folder]
    #[arg(long, value_name = "FILE.mat")]
    save: Option<PathBuf>,
    /// Replace FILE.mat if there is one.
    #[arg(long)]
    overwrite: bool,
    /// Go on with an unfinished match: one of `nonet play` with the same dice and settings, or one of another program in a
    /// new file, where --name says which player you are. [default: the first]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["length", "money", "jacoby", "beavers", "position"])]
    resume: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut table = match &args.resume {
        Some(path) => MatchTable::resume(args, path)?,
        None => MatchTable::begin(args)?,
    };
    table.play(&mut io::stdout())
}
