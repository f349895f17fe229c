//! `nonet ubgi`: the engine of another program.

use std::io::{self, BufReader};

use anyhow::Context;
use nonet::engine::Ubgi;

use super::engine::{EngineArgs, open_judge};
use super::{pool, usage};

/// Speaks UBGI 0.2 (the words of 0.1 are understood): a controller writes commands to standard input and reads answers
/// from standard output, one a line.
///
/// `ubgi` lists the keys that `set` knows. Beyond the protocol, `eval gnubgid ID` answers `eval` and the chances to win,
/// to win a gammon, a backgammon, to lose a gammon and a backgammon.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    engine: EngineArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let EngineArgs { net, ply, .. } = &args.engine;
    let threads = pool(args.engine.threads)?.current_num_threads();
    let open = Box::new(|word: &str| open_judge(word).map_err(|error| error.to_string()));
    let mut engine = Ubgi::new(open, net, *ply, threads).map_err(usage)?;
    engine
        .serve(BufReader::new(io::stdin()), &mut io::stdout().lock())
        .context("the conversation over standard input and output broke off")
}
