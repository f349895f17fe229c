//! `nonet play`: a person against the net, in the terminal.

mod choices;
mod commands;
mod save;
mod screen;
mod settings;
mod summary;
mod table;
mod tutor;

use std::io;
use std::path::PathBuf;

use nonet::engine::LEVELS;
use nonet::search::Plies;

use self::table::MatchTable;
use crate::cli::args::engine::EngineArgs;
use crate::cli::args::position::position_id;
use crate::cli::output::examples::examples;

/// Play against the net in the terminal, with hints if you like.
///
/// Plays a match against you in the terminal. You are X and move from 24 down to 1; the net is O.
///
/// Type a play as `8/5 6/5` (`bar/20`, `6/off`, `13/7*`, `6/4(2)`), or `?` for all commands.
///
/// Every decision is saved in a .mat file, which `nonet analyse` and other programs read. Ctrl-C
/// and `q` stop; `nonet play --resume FILE` continues with the same dice.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    (
        "Play a match to 5 points at a level that you can beat",
        "nonet play --length 5 --level casual-player",
    ),
    ("Be stopped before your mistakes, and told why", "nonet play --tutor"),
    ("Continue a match", "nonet play --resume match.mat"),
]))]
pub(crate) struct Args {
    /// Length of the match in points; 0 is money [default: 3]
    #[arg(long, value_name = "POINTS", help_heading = "Match")]
    length: Option<u16>,
    /// Play for money, game after game until you quit.
    #[arg(long, conflicts_with = "length", help_heading = "Match")]
    money: bool,
    /// Money: gammons count only after a double.
    ///
    /// This is the Jacoby rule.
    #[arg(long, help_heading = "Match")]
    jacoby: bool,
    /// Money: beavers are allowed.
    ///
    /// The player who is doubled may double again at once and keep the cube.
    #[arg(long, help_heading = "Match")]
    beavers: bool,
    /// Begin in this position: XGID, GNU ID, Position ID or file (.xgp).
    ///
    /// The match has the score, cube and roll of the ID. You decide first.
    #[arg(
        long,
        value_name = "ID",
        value_parser = position_id,
        conflicts_with_all = ["length", "money"],
        help_heading = "Match"
    )]
    position: Option<String>,
    /// Strength of the net, newcomer to champion.
    ///
    /// A `human` level chooses plays as people of this PR do. `nonet levels` shows the PR of each
    /// level.
    #[arg(
        long,
        value_name = "NAME",
        value_parser = LEVELS.map(|level| level.name),
        help_heading = "Opponent"
    )]
    level: Option<String>,
    /// Search depth in plies, 1 (static) to 4 [default: 3]
    #[arg(long, value_name = "N", help_heading = "Opponent")]
    ply: Option<Plies>,
    /// Search depth of cube decisions, 1 to 4 [default: 3]
    ///
    /// It does not depend on the depth of play.
    #[arg(long, value_name = "N", help_heading = "Opponent")]
    cube_ply: Option<Plies>,
    /// Show the best plays before, and your loss after, a play.
    #[arg(long)]
    advice: bool,
    /// Stop before a mistake, and say why [default: 0.04]
    ///
    /// A mistake is a decision that loses POINTS or more. You let it stand or decide anew. A hint
    /// then comes in three steps: the kind of idea, the candidates, the answer. POINTS follows an
    /// equals sign, as in --tutor=0.08.
    #[arg(
        long,
        value_name = "POINTS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = TUTOR_LIMIT,
        value_parser = limit,
    )]
    tutor: Option<f32>,
    /// Your name in the record [default: you]
    #[arg(long, help_heading = "Record")]
    name: Option<String>,
    /// Seed of the dice [default: the time]
    #[arg(long, value_name = "N", help_heading = "Match")]
    seed: Option<u64>,
    /// File of the match [default: nonet-DATE-TIME.mat]
    #[arg(long, value_name = "FILE.mat", help_heading = "Record")]
    save: Option<PathBuf>,
    /// Replace FILE.mat if it exists.
    #[arg(long, requires = "save", help_heading = "Record")]
    overwrite: bool,
    /// Continue an unfinished match.
    ///
    /// A match of `nonet play` continues with the same dice and settings. A match of another
    /// program continues in a new file, where --name says which player you are [default: the first]
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["length", "money", "jacoby", "beavers", "position"],
        help_heading = "Record"
    )]
    resume: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Args {
    /// The options that a record does not keep, as they are written on the command line.
    fn words_beside_record(&self) -> String {
        let advice = if self.advice { " --advice" } else { "" };
        let tutor = self.tutor.map(|limit| format!(" --tutor={limit}")).unwrap_or_default();
        self.engine.words() + advice + &tutor
    }
}

/// [`PersonMatch::TUTOR_LIMIT`] as text; a test compares them.
const TUTOR_LIMIT: &str = "0.04";

/// A loss in points.
fn limit(text: &str) -> Result<f32, String> {
    let limit = text.parse().ok().filter(|limit: &f32| (0.001..=10.0).contains(limit));
    limit.ok_or_else(|| "expected a loss of 0.001 to 10 points".to_owned())
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut table = match &args.resume {
        Some(path) => MatchTable::resume(args, path)?,
        None => MatchTable::begin(args)?,
    };
    table.play(&mut io::stdout())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet::person_match::PersonMatch;

    #[test]
    fn the_limit_of_the_tutor_is_that_of_the_library() {
        assert_eq!(limit(TUTOR_LIMIT), Ok(PersonMatch::TUTOR_LIMIT));
        for wrong in ["0", "-1", "nan", "x", ""] {
            assert!(limit(wrong).is_err(), "{wrong}");
        }
    }
}
