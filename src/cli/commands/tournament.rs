//! `nonet tournament`: a round robin.

use std::io::Write;

use nonet::game::{LuckEstimator, Player, RoundRobin, SeriesConfig, SeriesRules};
use nonet::open::{NamedPlayer, PlayerSpec};
use nonet::report::{Axis, BarChart, BarSeries, Chart};
use nonet::stats::Estimate;
use nonet::store::write_atomic;
use serde_json::json;

use crate::cli::args::matches::MatchArgs;
use crate::cli::args::output_file::check_pictures;
use crate::cli::args::player;
use crate::cli::interrupt::interruptible;
use crate::cli::output::cube_judge::CubeJudge;
use crate::cli::output::decision_times::DecisionTimes;
use crate::cli::output::examples::examples;
use crate::cli::output::progress_bar::show_progress;
use crate::cli::output::series_text::{NOTHING_PLAYED, stopped_after, what};
use crate::cli::output::terminal::Terminal;
use crate::cli::output::watched_player::WatchedPlayer;

type Timed<'a> = WatchedPlayer<'a, DecisionTimes>;
type Judged<'a> = WatchedPlayer<'a, CubeJudge<'a>>;

/// Play a round robin between several players.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Play 1,000 games between each pair", "nonet tournament champion pubeval random --games 1000"),
    (
        "Play matches to 5 points between depths",
        "nonet tournament champion:1 champion:2 pubeval --match 5 --games 100",
    ),
]))]
pub(crate) struct Args {
    /// Players, at least two.
    ///
    /// A player is a net as for `nonet eval` (`NET:2` plays at 2-ply). Other players are gnubg:1 to
    /// gnubg:4 (GNU Backgammon at its 0 to 3 plies), `puretd:FILE` (PureTD's net), `ubgi:COMMAND`
    /// (any UBGI engine), `pubeval` and `random`. The last two never double and always take.
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    #[command(flatten)]
    matches: MatchArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let (config, pool) = args.matches.check()?;
    check_pictures(&args.matches.plot)?;
    let players = args
        .players
        .iter()
        .map(|player| args.matches.open(player))
        .collect::<anyhow::Result<Vec<NamedPlayer>>>()?;
    let pairs = (players.len() * (players.len() - 1) / 2) as u64;
    let timed: Vec<Timed> = players
        .iter()
        .map(|player| WatchedPlayer::new(player.player.as_ref(), DecisionTimes::new()))
        .collect();
    let seats: Vec<&dyn Player> = if args.matches.time {
        timed.iter().map(|player| player as &dyn Player).collect()
    } else {
        players.iter().map(|player| player.player.as_ref()).collect()
    };
    let judge = args.matches.cube_judge()?;
    let luck = args.matches.luck()?;
    let luck = luck.as_ref().map(|luck| luck as &dyn LuckEstimator);
    let judged: Vec<Judged> = seats
        .iter()
        .map(|&player| WatchedPlayer::new(player, CubeJudge::new(judge.as_ref())))
        .collect();
    let seats = if judge.is_some() {
        judged.iter().map(|player| player as &dyn Player).collect()
    } else {
        seats
    };
    let machines = args.matches.machines()?;
    let progress = machines.of(interruptible());
    let label = format!("{} of the round robin", what(config.rules));
    let table = show_progress(&label, pairs.saturating_mul(config.games), &progress, |progress| {
        pool.install(|| RoundRobin::play(&seats, luck, &config, progress))
    });
    machines.check()?;
    machines.end();
    let table = match table {
        // Ctrl-C reaches gnubg, too: its end is then no failure.
        Err(_) if progress.is_stopped() => anyhow::bail!(NOTHING_PLAYED),
        Ok(table) if progress.is_stopped() => {
            stopped_after(progress.done(), pairs.saturating_mul(config.games), what(config.rules))?;
            table
        }
        table => {
            players.iter().try_for_each(NamedPlayer::check)?;
            table?
        }
    };
    let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
    let timed = if args.matches.time { timed.as_slice() } else { &[] };
    let judged = if judge.is_some() { judged.as_slice() } else { &[] };
    let text = if args.matches.json {
        in_json(&names, &table, &config, judged, timed)
    } else {
        in_words(&names, &table, judged, timed)
    };
    write!(std::io::stdout(), "{text}")?;
    if let Some(path) = &args.matches.plot {
        write_atomic(path, plot(args, &config, &names, &table)?.as_bytes())?;
    }
    Ok(())
}

fn in_words(names: &[&str], table: &RoundRobin, judged: &[Judged], timed: &[Timed]) -> String {
    let order = table.ranking();
    let of_matches = order.iter().any(|&i| table.mwc(i).is_some());
    let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(8);
    let value = if of_matches { "mean MWC" } else { "mean ppg" };
    let mut text = format!("{:wide$}  {value:>17}  {:>13}", "", "won-lost");
    for &j in &order {
        text += &format!("  {:>17}", names[j]);
    }
    text.push('\n');
    for &i in &order {
        let (mean, won, lost) = match table.mwc(i) {
            Some(mwc) => {
                let matches = table.pairs[i].iter().flatten().filter_map(|series| series.matches);
                let (won, played) = matches.fold((0, 0), |(won, played), matches| {
                    (won + matches.won, played + matches.played)
                });
                (in_per_cent(mwc), won, played - won)
            }
            None => {
                let tally = table.tally(i);
                let ppg = table.ppg(i).filter(|_| !of_matches);
                (ppg.map_or_else(nothing, in_points), tally.wins(), tally.losses())
            }
        };
        text += &format!("{:wide$}  {mean}  {:>13}", names[i], format!("{won}-{lost}"));
        for &j in &order {
            text += "  ";
            text += &match &table.pairs[i][j] {
                Some(series) => series
                    .matches
                    .map_or_else(|| in_points(series.result()), |_| in_per_cent(series.result())),
                None => nothing(),
            };
        }
        text.push('\n');
    }
    let terminal = Terminal::of_stdout();
    let mut text = terminal.table(&text);
    let what = if of_matches { "match winning chances" } else { "ppg" };
    let adjusted = table.pairs.iter().flatten().flatten().any(|series| series.adjusted.is_some());
    let luck = if adjusted { " without the luck of the rolls" } else { "" };
    text += &format!(
        "{what} of the player at the left{luck}; ± is half the 95 % interval; players in order of their mean\n"
    );
    for (i, player) in judged.iter().enumerate() {
        text += &player.watcher.in_words(names[i], games_of(table, i));
    }
    timed.iter().zip(names).for_each(|(player, name)| text += &player.watcher.in_words(name));
    terminal.folded(&text)
}

/// All games of a player.
fn games_of(table: &RoundRobin, i: usize) -> u64 {
    table.pairs[i].iter().flatten().map(|series| series.games).sum()
}

/// A cell without a figure, 17 characters wide.
fn nothing() -> String {
    format!("{:>17}", "-")
}

/// Points per game with their error, 17 characters wide.
fn in_points(ppg: Estimate) -> String {
    format!("{:>+8.3} ± {:.4}", ppg.mean, ppg.half95())
}

/// Match winning chances with their error, 17 characters wide.
fn in_per_cent(mwc: Estimate) -> String {
    format!("{:>7.2} ± {:>5.2} %", 100.0 * mwc.mean, 100.0 * mwc.half95())
}

fn in_json(
    names: &[&str],
    table: &RoundRobin,
    config: &SeriesConfig,
    judged: &[Judged],
    timed: &[Timed],
) -> String {
    let standing = table.ranking().into_iter().map(|i| {
        let (ppg, tally) = (table.ppg(i), table.tally(i));
        let mut row = json!({
            "player": names[i], "ppg": ppg.map(|ppg| ppg.mean), "stderr": ppg.map(|ppg| ppg.stderr),
            "wins": tally.wins(), "losses": tally.losses(),
        });
        if let Some(mwc) = table.mwc(i) {
            row["mwc"] = json!(mwc.mean);
            row["mwc_stderr"] = json!(mwc.stderr);
        }
        if let Some(player) = judged.get(i) {
            row["cube_errors"] = player.watcher.in_json(games_of(table, i));
        }
        if let Some(player) = timed.get(i) {
            row["time"] = player.watcher.in_json();
        }
        row
    });
    let standing: Vec<_> = standing.collect();
    let mut value = json!({
        "games": config.games, "seed": config.seed, "players": names, "standing": standing, "pairs": table.pairs,
    });
    if config.rules != SeriesRules::Cubeless {
        value["rules"] = json!(config.rules);
    }
    format!("{value}\n")
}

fn plot(
    args: &Args,
    config: &SeriesConfig,
    names: &[&str],
    table: &RoundRobin,
) -> anyhow::Result<String> {
    let of_matches = matches!(config.rules, SeriesRules::Match(_));
    let value = |i: usize| match of_matches {
        true => table.mwc(i).map(|mwc| mwc.scaled(100.0)),
        false => table.ppg(i),
    };
    // After Ctrl-C some players may have no figure.
    let (order, estimates): (Vec<usize>, Vec<Estimate>) =
        table.ranking().into_iter().filter_map(|i| Some((i, value(i)?))).unzip();
    let (name, axis, digits) = if of_matches {
        ("mean match winning chances", Axis::new("matches won against the others", "%"), 1)
    } else {
        ("mean ppg", Axis::new("mean equity against the others", "points per game"), 3)
    };
    let bars = BarSeries::new(name, estimates.iter().map(|value| value.mean));
    let half = estimates.iter().map(|value| value.interval95().1 - value.mean);
    let bars = bars.error_bars("95 % interval", half);
    let command = format!(
        "nonet tournament {} {}",
        player::in_words(&args.players),
        args.matches.words(config)
    );
    let chart = BarChart::new("Round robin", "player", order.iter().map(|&i| names[i]), axis);
    Ok(chart.command(command).series(bars).show_values(digits).render()?)
}
