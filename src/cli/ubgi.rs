//! `nonet ubgi`: the engine of another program.

use std::io::{self, BufReader};

use anyhow::Context;
use nonet::protocol::ubgi::Ubgi;
use nonet::search::{Plies, SearchSettings};

use super::engine_args::{CliEngine, JudgeArgs, open_judge, with_endings};
use super::usage;

/// Speaks UBGI 0.2 (the words of 0.1 are understood): a controller writes commands to standard input and reads answers
/// from standard output, one a line.
///
/// `ubgi` lists the keys that `set` knows. Beyond the protocol, `eval gnubgid ID` answers `eval` and the chances to win,
/// to win a gammon, a backgammon, to lose a gammon and a backgammon.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Plies looked ahead, 1 (static) to 4; a controller may change it.
    #[arg(long, value_name = "N", default_value = "2")]
    ply: Plies,
    #[command(flatten)]
    judge: JudgeArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let CliEngine { pool, endings, table, .. } =
        args.judge.open(args.ply, SearchSettings::NORMAL)?;
    let open = Box::new(move |word: &str| {
        let team = open_judge(word).map_err(|error| error.to_string())?;
        Ok(with_endings(&team, endings.as_ref()))
    });
    let threads = pool.current_num_threads();
    let mut engine = Ubgi::new(open, &args.judge.net, table, args.ply, threads).map_err(usage)?;
    engine
        .serve(BufReader::new(io::stdin()), &mut io::stdout().lock())
        .context("the conversation over standard input and output broke off")
}
