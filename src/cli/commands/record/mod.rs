//! `nonet record`: records games of two players, or converts records.

mod record_writer;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nonet::backgammon::record::{RecordedGame, check_names};
use nonet::game::record_games;
use nonet::open::{NamedPlayer, PlayerSetup, PlayerSpec, SERIES_PLIES, count};
use nonet::progress::Progress;
use nonet::search::Plies;
use serde_json::json;

use self::record_writer::{Out, OutputFormat};
use crate::cli::args::output_file::{check_not_read, check_outputs};
use crate::cli::args::player::open;
use crate::cli::args::record as record_args;
use crate::cli::args::threads::pool;
use crate::cli::error::usage;
use crate::cli::interrupt::interruptible;
use crate::cli::output::counted::counted;
use crate::cli::output::examples::examples;
use crate::cli::output::progress_bar::ProgressDisplay;

/// Record games between two players, or convert game records.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    (
        "Record 100 games of the built-in net with itself",
        "nonet record champion --games 100 --out games.mat",
    ),
    (
        "Convert a folder of matches to the compact format",
        "nonet record --from matches --out games.norec",
    ),
]))]
pub(crate) struct Args {
    /// First player: a net, pubeval, random, ...
    #[arg(value_name = "PLAYER", required_unless_present = "from")]
    player: Option<PlayerSpec>,
    /// Second player [default: the first player]
    #[arg(long, value_name = "PLAYER")]
    against: Option<PlayerSpec>,
    /// Number of money games without a cube.
    #[arg(long, value_name = "N", value_parser = count, default_value_t = 1000)]
    games: u64,
    /// Seed of the dice: same seed, same bytes.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Search depth of nets in plies, 1 (static) to 4.
    ///
    /// `NET:N` sets the depth of one player.
    #[arg(long, value_name = "N", default_value = SERIES_PLIES.digit())]
    ply: Plies,
    /// Number of threads [default: one per processor]
    ///
    /// The result does not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Convert these records: files, folders, or - for stdin.
    ///
    /// Nothing is played. Unusable games are named on standard error and skipped.
    #[arg(
        long,
        value_name = "PATH",
        num_args = 1..,
        conflicts_with_all = ["player", "against", "games", "seed", "ply", "threads"]
    )]
    from: Vec<String>,
    /// Output: a .mat or .norec file, or - for stdout.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Format of the output [default: by the ending of FILE]
    #[arg(long)]
    format: Option<OutputFormat>,
    /// Print the summary as one line of JSON.
    #[arg(long)]
    json: bool,
}

/// Games of a batch, which is played in parallel and then written in order.
const ROUND: u64 = 512;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    // `-` is standard output.
    if args.out != Path::new("-") {
        check_outputs([&args.out])?;
        check_not_read([&args.out], args.from.iter().map(Path::new))?;
    }
    let mut out = Out::open(&args.out, args.format)?;
    let stop = interruptible();
    let mut summary = Summary::default();
    if args.from.is_empty() {
        play(args, &mut out, &mut summary, &stop)?;
    } else {
        convert(&args.from, &mut out, &mut summary, &stop)?;
    }
    if stop.is_stopped() {
        let games = counted(summary.games, "game");
        anyhow::bail!("interrupted after {games}; {}", out.loss());
    }
    let to_stdout = out.is_stdout();
    out.finish()?;
    let text = summary.text(args);
    // If the games go to standard output, the summary goes to standard error.
    if to_stdout {
        write!(io::stderr(), "{text}")?
    } else {
        write!(io::stdout(), "{text}")?
    }
    Ok(())
}

fn play(args: &Args, out: &mut Out, summary: &mut Summary, stop: &Progress) -> anyhow::Result<()> {
    if args.games == 0 {
        return Err(usage("--games must be at least 1, not 0"));
    }
    let pool = pool(args.threads)?;
    let first = args.player.as_ref().expect("required where no records are converted");
    let players = [first, args.against.as_ref().unwrap_or(first)];
    let setup = PlayerSetup::cubeless(args.ply);
    let [a, b] = [open(players[0], &setup)?, open(players[1], &setup)?];
    let header = NamedPlayer::header([&a, &b]);
    let mut show = ProgressDisplay::new("games", 0, args.games);
    let mut done = 0;
    while done < args.games && !stop.is_stopped() {
        let round = done..args.games.min(done + ROUND);
        done = round.end;
        let seats = [a.player.as_ref(), b.player.as_ref()];
        let play = || record_games(seats, &header, args.seed, round, stop);
        let Some(games) = pool.install(play) else { break };
        a.check().and(b.check())?;
        for game in games {
            match game {
                Some(game) => summary.write(&game, out)?,
                None => summary.endless += 1,
            }
        }
        show.at(done);
    }
    show.end();
    Ok(())
}

fn convert(
    from: &[String],
    out: &mut Out,
    summary: &mut Summary,
    stop: &Progress,
) -> anyhow::Result<()> {
    let mut input = record_args::open(from)?;
    let mut first = None;
    let mut changed = BTreeSet::new();
    while !stop.is_stopped() {
        let next = input.next();
        for warning in input.take_warnings() {
            writeln!(io::stderr(), "warning: {warning}")?;
        }
        match next {
            None => break,
            Some(Ok(game)) => {
                let [x, o] = &game.header().names;
                if let Err(reason) = check_names([x, o])
                    && changed.insert(reason.to_string())
                {
                    writeln!(io::stderr(), "warning: {reason}; the record has it changed")?;
                }
                summary.write(&game, out)?;
            }
            Some(Err(reason)) => {
                summary.unusable += 1;
                let reason = reason.to_string();
                writeln!(io::stderr(), "{reason}")?;
                first.get_or_insert(reason);
            }
        }
    }
    if summary.games == 0 && !stop.is_stopped() {
        let why = first.unwrap_or_else(|| "there are no records in it".to_owned());
        return Err(usage(format!("no usable game in {}: {why}", from.join(", "))));
    }
    Ok(())
}

/// Counts of the games written.
#[derive(Default)]
struct Summary {
    games: u64,
    turns: u64,
    endless: u64,
    unusable: u64,
}

impl Summary {
    fn write(&mut self, game: &RecordedGame, out: &mut Out) -> anyhow::Result<()> {
        out.write(game)?;
        self.games += 1;
        self.turns += game.turns().count() as u64;
        Ok(())
    }

    fn text(&self, args: &Args) -> String {
        let Summary { games, turns, endless, unusable } = *self;
        let path = args.out.display();
        if args.json {
            let value = json!({
                "out": path.to_string(), "games": games, "turns": turns, "endless": endless, "unusable": unusable,
            });
            return format!("{value}\n");
        }
        let place =
            if args.out == Path::new("-") { "standard output".into() } else { path.to_string() };
        let (games, turns) = (counted(games, "game"), counted(turns, "turn"));
        let mut text = format!("{games} with {turns} in {place}\n");
        if endless > 0 {
            text += &format!("left out: {}\n", counted(endless, "endless game"));
        }
        if unusable > 0 {
            let parts = counted(unusable, "part");
            text += &format!("left out, because of errors: {parts} of the records\n");
        }
        text
    }
}
