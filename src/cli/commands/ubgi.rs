//! `nonet ubgi`: runs the engine for another program.

use std::io::{self, BufReader};

use anyhow::Context;
use nonet::engine::Engine;
use nonet::protocol::ubgi::Ubgi;
use nonet::search::SearchSettings;

use crate::cli::args::engine::{CubeDepthArgs, EngineArgs, PlayDepthArgs};
use crate::cli::args::player::open_net;
use crate::cli::output::examples::examples;

/// Run as an engine: UBGI 0.2 over standard input and output.
///
/// A controller writes one command a line and reads one answer a line. The commands of UBGI 0.1
/// work too. `ubgi` lists the keys that `set` knows.
///
/// An extension: `eval gnubgid ID` answers `eval` and five probabilities. They are a win, a gammon
/// and a backgammon won, and a gammon and a backgammon lost.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Answer one command", "echo ubgi | nonet ubgi"),
    ("Play at 2-ply with the net swift", "nonet ubgi --net swift --ply 2"),
]))]
pub(crate) struct Args {
    #[command(flatten)]
    depth: PlayDepthArgs,
    #[command(flatten)]
    cube: CubeDepthArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let engine =
        args.engine.open(args.depth.ply, SearchSettings::WIDE)?.with_cube_plies(args.cube.cube_ply);
    let change_net = Box::new(|engine: &Engine, word: &str| {
        let net = open_net(word).map_err(|error| error.to_string())?;
        Ok(engine.with_net(net.team))
    });
    Ubgi::new(engine, &args.engine.net, change_net)
        .serve(BufReader::new(io::stdin()), &mut io::stdout().lock())
        .context("cannot read or write UBGI over standard input and output")
}
