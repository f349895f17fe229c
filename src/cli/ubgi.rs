//! `nonet ubgi`: runs the engine for another program.

use std::io::{self, BufReader};

use anyhow::Context;
use nonet::engine::Engine;
use nonet::protocol::ubgi::Ubgi;
use nonet::search::SearchSettings;

use super::engine_args::{CubeDepthArgs, EngineArgs, PlayDepthArgs};

/// Speaks UBGI 0.2 (and the commands of 0.1): a controller writes commands to standard input and reads answers
/// from standard output, one a line.
///
/// `ubgi` lists the keys that `set` knows. As an extension, `eval gnubgid ID` answers `eval` and the probabilities of a win,
/// of a gammon and a backgammon won, and of a gammon and a backgammon lost.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    depth: PlayDepthArgs,
    #[command(flatten)]
    cube: CubeDepthArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let engine = args
        .engine
        .open(args.depth.ply, SearchSettings::NORMAL)?
        .with_cube_plies(args.cube.cube_ply);
    let change_net = Box::new(|engine: &Engine, word: &str| {
        let net = nonet::open::net(word).map_err(|error| error.to_string())?;
        Ok(engine.with_net(net.team))
    });
    Ubgi::new(engine, &args.engine.net, change_net)
        .serve(BufReader::new(io::stdin()), &mut io::stdout().lock())
        .context("cannot read or write UBGI over standard input and output")
}
