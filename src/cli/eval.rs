//! `nonet eval`: match series.

use std::io::Write;
use std::time::Instant;

use nonet::game::{Series, SeriesConfig, play_series};
use nonet::report::{Axis, BarChart, BarSeries, Chart};
use nonet::store::write_atomic;
use nonet::train::PlayerSpec;
use serde_json::json;

use super::interrupt::interruptible;
use super::player_args::{self, BUILT_IN, MatchArgs};
use super::progress_bar::show_progress;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Players to test: net files (`FILE:2` plays at 2-ply), `built-in` (nets/champion.nonet), `gnubg:1` to `gnubg:4` (its 0
    /// to 3 plies), `pubeval` or `random`.
    #[arg(default_value = BUILT_IN, value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    /// The opponent: a player as above.
    #[arg(long, default_value = "pubeval", value_name = "PLAYER")]
    against: PlayerSpec,
    #[command(flatten)]
    matches: MatchArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let (config, pool) = args.matches.check()?;
    // All arguments are checked before any work.
    let against = args.matches.open(&args.against)?;
    let players = args
        .players
        .iter()
        .map(|player| args.matches.open(player))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let mut done: Vec<(String, Series)> = Vec::new();
    for player in players {
        let started = Instant::now();
        let series = show_progress(
            &format!("games {}", player.name),
            config.games,
            &interruptible(),
            |progress| {
                pool.install(|| {
                    play_series(player.player.as_ref(), against.player.as_ref(), &config, progress)
                })
            },
        );
        player.check().and(against.check())?;
        let Some(series) = series else {
            anyhow::bail!("interrupted: an unfinished series has no result")
        };
        let rate = series.games as f64 / started.elapsed().as_secs_f64();
        let text = if args.matches.json {
            in_json(&player.name, &against.name, &series, &config, rate).to_string() + "\n"
        } else {
            in_words(&player.name, &against.name, &series, &config, rate)
        };
        write!(std::io::stdout(), "{text}")?;
        done.push((player.name, series));
    }
    if let Some(path) = &args.matches.plot {
        write_atomic(path, plot(args, &against.name, &done)?.as_bytes())?;
    }
    Ok(())
}

fn in_words(
    name: &str,
    against: &str,
    series: &Series,
    config: &SeriesConfig,
    rate: f64,
) -> String {
    let (low, high) = series.ppg.interval95();
    let [w1, w2, w3, l1, l2, l3] = series.tally.outcomes;
    let (wins, losses) = (series.tally.wins(), series.tally.losses());
    let share = |n: u64| 100.0 * n as f64 / series.games as f64;
    let dice = if config.duplicate { "duplicate dice" } else { "independent dice" };
    let mut text = format!(
        "{name} against {against}: {:+.4} ppg, standard error {:.4}, 95 % interval {low:+.4} to {high:+.4}\n  \
         {} games, {dice}, seed {}, {rate:.0} games/s\n  \
         won {:.2} % of games and {:.2} % of points\n  \
         {name}: {wins} won ({w1} single, {w2} gammons, {w3} backgammons)\n  \
         {against}: {losses} won ({l1} single, {l2} gammons, {l3} backgammons)\n",
        series.ppg.mean,
        series.ppg.stderr,
        series.games,
        config.seed,
        share(wins),
        100.0 * series.tally.share_of_points(),
    );
    if series.endless > 0 {
        text += &format!("  {} games were endless and do not count\n", series.endless);
    }
    text
}

fn in_json(
    name: &str,
    against: &str,
    series: &Series,
    config: &SeriesConfig,
    rate: f64,
) -> serde_json::Value {
    let (low, high) = series.ppg.interval95();
    let [w1, w2, w3, l1, l2, l3] = series.tally.outcomes;
    json!({
        "player": name, "against": against,
        "ppg": series.ppg.mean, "stderr": series.ppg.stderr, "interval95": [low, high],
        "games": series.games, "endless": series.endless, "seed": config.seed, "duplicate": config.duplicate,
        "wins": series.tally.wins(), "losses": series.tally.losses(), "points_share": series.tally.share_of_points(),
        "won": {"single": w1, "gammon": w2, "backgammon": w3},
        "lost": {"single": l1, "gammon": l2, "backgammon": l3},
        "games_per_second": rate,
    })
}

fn plot(args: &Args, against: &str, done: &[(String, Series)]) -> anyhow::Result<String> {
    let axis = Axis::new(format!("equity against {against}"), "points per game");
    let names: Vec<&str> = done.iter().map(|(name, _)| name.as_str()).collect();
    let bars = BarSeries::new("ppg", done.iter().map(|(_, series)| series.ppg.mean));
    let half = done.iter().map(|(_, series)| series.ppg.interval95().1 - series.ppg.mean);
    let command = format!(
        "nonet eval {} --against {} {}",
        player_args::in_words(&args.players),
        args.against,
        args.matches.words()
    );
    let chart = BarChart::new("Equity by net", "net", names, axis).command(command);
    Ok(chart.series(bars.error_bars("95 % interval", half)).show_values(3).render()?)
}
