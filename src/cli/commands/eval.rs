//! `nonet eval`: series against one opponent.

use std::io::Write;
use std::time::Instant;

use nonet::engine::Engine;
use nonet::game::{
    LuckEstimator, Player, Series, SeriesConfig, SeriesError, SeriesRules, StopRule, StoppedSeries,
    play_adjusted_series, play_series, play_until,
};
use nonet::open::{CHAMPION, NamedPlayer, PlayerSpec};
use nonet::report::{Axis, BarChart, BarSeries, Chart};
use nonet::stats::Z95;
use nonet::store::write_atomic;
use serde_json::json;

use crate::cli::args::matches::MatchArgs;
use crate::cli::args::nats::Machines;
use crate::cli::args::output_file::check_pictures;
use crate::cli::args::player;
use crate::cli::args::stop::{StopArgs, end_in_json, end_in_words};
use crate::cli::interrupt::{interrupted, interruptible};
use crate::cli::output::cube_judge::CubeJudge;
use crate::cli::output::decision_times::DecisionTimes;
use crate::cli::output::examples::examples;
use crate::cli::output::progress_bar::{Total, show_progress};
use crate::cli::output::series_text::{NOTHING_PLAYED, SeriesText, stopped_after, what};
use crate::cli::output::terminal::Terminal;
use crate::cli::output::time_chart::{TimedPoint, over_time};
use crate::cli::output::watched_player::WatchedPlayer;

/// Play series between players and one opponent.
///
/// The games are cubeless, for money, or of matches. The result is in points per game, or match
/// winning chances, with its standard error.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Play 10,000 games against pubeval", "nonet eval"),
    (
        "Play matches to 7 points at 2-ply against 1-ply",
        "nonet eval champion:2 --against champion --match 7 --games 200",
    ),
    (
        "Play money games until the result is exact to 0.02 points, without the luck of the dice",
        "nonet eval --against pubeval --money --luck-adjusted --until 0.02",
    ),
]))]
pub(crate) struct Args {
    /// Players: nets, gnubg:N, pubeval, ...
    ///
    /// A net is champion, expert, small, swift, a net file, or the folder of a run.
    /// `NET:2` plays at 2-ply. gnubg:1 to gnubg:4 are GNU Backgammon at its 0 to 3 plies.
    /// `puretd:FILE` is PureTD's net. `ubgi:COMMAND` is any UBGI engine. `pubeval` and `random`
    /// never double and always take.
    #[arg(default_value = CHAMPION, value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    /// The opponent, named like a player.
    #[arg(long, default_value = "pubeval", value_name = "PLAYER", help_heading = "Players")]
    against: PlayerSpec,
    #[command(flatten)]
    matches: MatchArgs,
    #[command(flatten)]
    stop: StopArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let (config, pool) = args.matches.check()?;
    check_pictures(&args.matches.plot)?;
    let rule = args.stop.rule(config.rules)?;
    let luck = args.matches.luck()?;
    let luck = luck.as_ref().map(|luck| luck as &dyn LuckEstimator);
    // All arguments are checked before any work.
    let against = args.matches.open(&args.against)?;
    let players = args
        .players
        .iter()
        .map(|player| args.matches.open(player))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let judge = args.matches.cube_judge()?;
    let machines = args.matches.machines()?;
    let mut done: Vec<Played> = Vec::new();
    for player in players {
        let shorter = Shorter { luck, rule };
        let text = pool.install(|| {
            let players = [&player, &against];
            play(args, players, &config, &shorter, judge.as_ref(), &machines, &mut done)
        })?;
        write!(std::io::stdout(), "{text}")?;
        if interrupted() {
            break;
        }
    }
    machines.end();
    if let Some(path) = &args.matches.plot {
        write_atomic(path, plot(args, &config, &against.name, &done)?.as_bytes())?;
    }
    Ok(())
}

/// A series that was played.
struct Played {
    name: String,
    series: Series,
    /// The mean time of the player's plays in milliseconds, if they were timed.
    time: Option<f64>,
}

/// What makes a series shorter.
struct Shorter<'a> {
    luck: Option<&'a dyn LuckEstimator>,
    rule: Option<StopRule>,
}

/// Plays one series, on the threads of the caller. Returns what to print.
fn play(
    args: &Args,
    [player, against]: [&NamedPlayer; 2],
    config: &SeriesConfig,
    Shorter { luck, rule }: &Shorter,
    judge: Option<&Engine>,
    machines: &Machines,
    done: &mut Vec<Played>,
) -> anyhow::Result<String> {
    let started = Instant::now();
    let progress = machines.of(interruptible());
    let timed = [player, against]
        .map(|opponent| WatchedPlayer::new(opponent.player.as_ref(), DecisionTimes::new()));
    let [a, b]: [&dyn Player; 2] = if args.matches.time {
        [&timed[0], &timed[1]]
    } else {
        [player.player.as_ref(), against.player.as_ref()]
    };
    let label = format!("{} {}", what(config.rules), player.name);
    let judged = [a, b].map(|player| WatchedPlayer::new(player, CubeJudge::new(judge)));
    let [a, b]: [&dyn Player; 2] = if judge.is_some() { [&judged[0], &judged[1]] } else { [a, b] };
    let total = match rule {
        Some(_) => Total::AtMost(config.games),
        None => Total::Exactly(config.games),
    };
    let ended = show_progress(&label, total, &progress, |progress| {
        let whole = |series| StoppedSeries { series, verdict: None, stopped: false };
        match (*rule, *luck) {
            (Some(rule), luck) => play_until(a, b, luck, config, rule, progress),
            (None, Some(luck)) => play_adjusted_series(a, b, luck, config, progress).map(whole),
            (None, None) => play_series(a, b, config, progress).map(whole),
        }
    });
    machines.check()?;
    let ended = match ended {
        Err(SeriesError::Stopped(Some(series))) => {
            stopped_after(progress.done(), config.games, what(config.rules))?;
            StoppedSeries { series: *series, verdict: None, stopped: false }
        }
        // Ctrl-C reaches gnubg, too: its end is then no failure.
        Err(_) if progress.is_stopped() => anyhow::bail!(NOTHING_PLAYED),
        ended => {
            player.check().and(against.check())?;
            ended?
        }
    };
    let series = &ended.series;
    let played = series.matches.map_or(series.games, |matches| matches.played);
    let rate = played as f64 / started.elapsed().as_secs_f64();
    let text = SeriesText { name: &player.name, against: &against.name, config, rate };
    let printed = if args.matches.json {
        let mut value = text.in_json(series);
        if progress.is_stopped() {
            value["interrupted"] = json!(true);
        }
        if let Some(rule) = &rule {
            value["end"] = end_in_json(&ended, rule);
        }
        if judge.is_some() {
            let [own, other] = judged.each_ref().map(|judged| judged.watcher.in_json(series.games));
            value["cube_errors"] = json!({"player": own, "against": other});
        }
        if args.matches.time {
            let [own, other] = timed.each_ref().map(|timed| timed.watcher.in_json());
            value["time"] = json!({"player": own, "against": other});
        }
        value.to_string() + "\n"
    } else {
        let mut words = text.in_words(series);
        if let Some(rule) = rule {
            words += &end_in_words(&ended, rule, config.rules);
        }
        for (judged, name) in judged.iter().zip([&player.name, &against.name]) {
            words += &judged.watcher.in_words(name, series.games);
        }
        if args.matches.time {
            words += &timed[0].watcher.in_words(&player.name);
            words += &timed[1].watcher.in_words(&against.name);
        }
        Terminal::of_stdout().folded(&words)
    };
    let time = timed[0].watcher.plays().map(|times| times.mean);
    done.push(Played { name: player.name.clone(), series: ended.series, time });
    Ok(printed)
}

fn plot(
    args: &Args,
    config: &SeriesConfig,
    against: &str,
    done: &[Played],
) -> anyhow::Result<String> {
    let names: Vec<&str> = done.iter().map(|played| played.name.as_str()).collect();
    let command = format!(
        "nonet eval {} --against {} {}{}",
        player::in_words(&args.players),
        player::in_word(&args.against),
        args.matches.words(config) + if args.matches.time { " --time" } else { "" },
        args.stop.words()
    );
    let chart = if let SeriesRules::Match(length) = config.rules {
        let of = |series: &Series| {
            let (mean, low, high) = match (series.adjusted, series.matches) {
                (Some(mwc), _) => (mwc.mean, mwc.interval95().0, mwc.interval95().1),
                (None, Some(won)) => (won.mwc.mean, won.interval95().0, won.interval95().1),
                (None, None) => (f64::NAN, f64::NAN, f64::NAN),
            };
            (100.0 * mean, 50.0 * (high - low))
        };
        let values: Vec<(f64, f64)> = done.iter().map(|played| of(&played.series)).collect();
        let axis = Axis::new(format!("matches won against {against}"), "%");
        let bars = BarSeries::new("match winning chances", values.iter().map(|value| value.0));
        let half = values.iter().map(|value| value.1);
        let title = format!("Match winning chances, matches to {}", length.points());
        let chart = BarChart::new(title, "player", names, axis).command(command);
        chart.series(bars.error_bars("95 % interval", half)).show_values(1)
    } else {
        let axis = Axis::new(format!("equity against {against}"), "points per game");
        if args.matches.time {
            let points = done.iter().filter_map(|played| {
                let result = played.series.result();
                let (value, half) = (result.mean, Z95 * result.stderr);
                let (name, milliseconds) = (played.name.clone(), played.time?);
                Some(TimedPoint { name, milliseconds, value, half })
            });
            let title = format!("Playing strength against {against}, over the time for a play");
            return over_time(title, axis, command, points.collect());
        }
        let results = done.iter().map(|played| played.series.result());
        let bars = BarSeries::new("ppg", results.clone().map(|result| result.mean));
        let half = results.clone().map(|result| Z95 * result.stderr);
        let title = match config.rules {
            SeriesRules::Cubeless => "Equity by net",
            _ => "Equity by player, money games with the cube",
        };
        let chart = BarChart::new(title, "net", names, axis).command(command);
        chart.series(bars.error_bars("95 % interval", half)).show_values(3)
    };
    Ok(chart.render()?)
}
