//! `nonet tournament`: a round robin.

use std::io::Write;

use nonet::game::Player;
use nonet::game::{RoundRobin, SeriesConfig};
use nonet::report::{Axis, BarChart, BarSeries, Chart};
use nonet::store::write_atomic;
use nonet::train::PlayerSpec;
use serde_json::json;

use super::interrupt::interruptible;
use super::player_args::{self, MatchArgs, Opponent};
use super::progress_bar::show_progress;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Two or more players: net files (`FILE:2` plays at 2-ply), `gnubg:1` to `gnubg:4` (its 0 to 3 plies), `pubeval` or
    /// `random`.
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    #[command(flatten)]
    matches: MatchArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let (config, pool) = args.matches.check()?;
    let players = args
        .players
        .iter()
        .map(|player| args.matches.open(player))
        .collect::<anyhow::Result<Vec<Opponent>>>()?;
    let pairs = (players.len() * (players.len() - 1) / 2) as u64;
    let seats: Vec<&dyn Player> = players.iter().map(|player| player.player.as_ref()).collect();
    let table = show_progress(
        "games of the round robin",
        pairs * config.games,
        &interruptible(),
        |progress| pool.install(|| RoundRobin::play(&seats, &config, progress)),
    );
    players.iter().try_for_each(Opponent::check)?;
    let Some(table) = table else {
        anyhow::bail!("interrupted: an unfinished round robin has no result")
    };
    let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
    let text =
        if args.matches.json { in_json(&names, &table, &config) } else { in_words(&names, &table) };
    write!(std::io::stdout(), "{text}")?;
    if let Some(path) = &args.matches.plot {
        write_atomic(path, plot(args, &names, &table)?.as_bytes())?;
    }
    Ok(())
}

fn in_words(names: &[&str], table: &RoundRobin) -> String {
    let order = table.ranking();
    let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(8);
    let mut text = format!("{:wide$}  {:>17}  {:>13}", "", "mean ppg", "won-lost");
    for &j in &order {
        text += &format!("  {:>17}", names[j]);
    }
    text.push('\n');
    for &i in &order {
        let (ppg, tally) = (table.ppg(i), table.tally(i));
        let won_lost = format!("{}-{}", tally.wins(), tally.losses());
        text +=
            &format!("{:wide$}  {:>+8.3} ± {:.4}  {won_lost:>13}", names[i], ppg.mean, ppg.stderr);
        for &j in &order {
            text += &match &table.pairs[i][j] {
                Some(series) => format!("  {:>+8.3} ± {:.4}", series.ppg.mean, series.ppg.stderr),
                None => format!("  {:>17}", "-"),
            };
        }
        text.push('\n');
    }
    text + "ppg of the player at the left, one standard error; players in order of their mean\n"
}

fn in_json(names: &[&str], table: &RoundRobin, config: &SeriesConfig) -> String {
    let standing = table.ranking().into_iter().map(|i| {
        let (ppg, tally) = (table.ppg(i), table.tally(i));
        json!({"player": names[i], "ppg": ppg.mean, "stderr": ppg.stderr, "wins": tally.wins(), "losses": tally.losses()})
    });
    let standing: Vec<_> = standing.collect();
    let value = json!({
        "games": config.games, "seed": config.seed, "players": names, "standing": standing, "pairs": table.pairs,
    });
    format!("{value}\n")
}

fn plot(args: &Args, names: &[&str], table: &RoundRobin) -> anyhow::Result<String> {
    let order = table.ranking();
    let estimates: Vec<_> = order.iter().map(|&i| table.ppg(i)).collect();
    let bars = BarSeries::new("mean ppg", estimates.iter().map(|ppg| ppg.mean));
    let bars =
        bars.error_bars("95 % interval", estimates.iter().map(|ppg| ppg.interval95().1 - ppg.mean));
    let axis = Axis::new("mean equity against the others", "points per game");
    let command = format!(
        "nonet tournament {} {}",
        player_args::in_words(&args.players),
        args.matches.words()
    );
    let chart = BarChart::new("Round robin", "player", order.iter().map(|&i| names[i]), axis);
    Ok(chart.command(command).series(bars).show_values(3).render()?)
}
