//! `nonet benchmark --time`: what plays lose, against the time that they take.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use nonet::bearoff::BearoffDatabases;
use nonet::benchmark::{DecisionSet, PlayScore, Split};
use nonet::cube::Answer;
use nonet::game::CubeChoice;
use nonet::open::{NamedPlayer, PlayerSetup, PlayerSpec};
use nonet::progress::Progress;
use nonet::report::Axis;
use nonet::search::{Plies, SearchSettings};
use nonet::stats::Z95;
use nonet::store::write_atomic;
use serde_json::{Value, json};

use super::{Args, References, command};
use crate::cli::args::databases::databases;
use crate::cli::args::filter::FilterArg;
use crate::cli::args::player::{open, short_names};
use crate::cli::interrupt::interruptible;
use crate::cli::output::decision_times::{DecisionTimes, TimeSummary};
use crate::cli::output::progress_bar::show_progress;
use crate::cli::output::terminal::Terminal;
use crate::cli::output::time_chart::{TimedPoint, over_time};
use crate::cli::output::watched_player::{DecisionWatcher, WatchedPlayer};

/// Scores and times the plays of every player, with each move filter.
pub(super) fn time(args: &Args, references: &References) -> anyhow::Result<()> {
    let bearoff = args.bearoff.then(databases).transpose()?;
    let mut out = std::io::stdout();
    let mut all = Vec::new();
    let filters = match args.filter.as_slice() {
        [] => vec![None],
        filters => filters.iter().map(Some).collect(),
    };
    let searches = |spec: &PlayerSpec| {
        use PlayerSpec::{BuiltIn, Net, PureTd};
        matches!(spec, BuiltIn(_) | Net { .. } | PureTd { .. })
    };
    let players = args.players.iter().flat_map(|spec| {
        let filters = if searches(spec) { filters.clone() } else { vec![None] };
        filters.into_iter().map(move |filter| (spec, filter))
    });
    let part = references.part;
    for (spec, filter) in players {
        let Some(scored) = timed_score(spec, bearoff.as_ref(), references, filter)? else {
            if all.is_empty() {
                anyhow::bail!("interrupted before any player was scored: there is no result");
            }
            writeln!(std::io::stderr(), "stopped at {spec}; the players before it:")?;
            break;
        };
        if args.json {
            writeln!(out, "{}", scored.in_json(part, &references.by))?;
        }
        all.push(scored);
    }
    let threads = rayon::current_num_threads();
    if !args.json {
        let text = in_words(part, &references.by, threads, &all);
        write!(out, "{}", Terminal::of_stdout().fitted(&text))?;
    }
    if let Some(path) = &args.plot {
        let svg = chart(&references.by, command(args), &all)?;
        write_atomic(path, svg.as_bytes())?;
    }
    Ok(())
}

/// A player, what it loses and how long it takes.
struct TimedScore {
    player: String,
    score: PlayScore,
    time: TimeSummary,
}

/// Scores the plays of a player one after another on the threads of the caller. `None` after
/// Ctrl-C.
fn timed_score(
    spec: &PlayerSpec,
    bearoff: Option<&Arc<BearoffDatabases>>,
    references: &References,
    filter: Option<&FilterArg>,
) -> anyhow::Result<Option<TimedScore>> {
    let References { set, part, judge, .. } = references;
    let search = filter.map_or(SearchSettings::NORMAL, |filter| filter.search);
    let setup = PlayerSetup { bearoff, search, ..PlayerSetup::cubeless(Plies::ONE) };
    let opponent: NamedPlayer = open(spec, &setup)?;
    // Once before the clock starts: caches are filled, processes are started.
    let first =
        DecisionSet { decisions: set.decisions.iter().take(20).cloned().collect(), ..set.clone() };
    first.score_plays(opponent.player.as_ref(), Split::All, *judge);
    let name = spec.to_string() + &filter.map(|filter| format!(" {filter}")).unwrap_or_default();
    let total = set.decisions.iter().filter(|decision| part.includes(decision.held_out)).count();
    let progress = interruptible();
    let (score, time) =
        show_progress(&format!("plays {name}"), total as u64, &progress, |progress| {
            let watcher = TimedPlays { times: DecisionTimes::new(), progress };
            let timed = WatchedPlayer::new(opponent.player.as_ref(), watcher);
            (set.score_plays(&timed, *part, *judge), timed.watcher.times.plays())
        });
    // Ctrl-C reaches gnubg, too: its end is then no failure.
    if progress.is_stopped() {
        return Ok(None);
    }
    opponent.check()?;
    let (Some(score), Some(time)) = (score, time) else {
        anyhow::bail!("no decision belongs to the part '{}'", part.name());
    };
    Ok(Some(TimedScore { player: name, score, time }))
}

/// Times plays and counts them. After a stop it takes the first play without asking the player.
struct TimedPlays<'a> {
    times: DecisionTimes,
    progress: &'a Progress,
}

impl DecisionWatcher for TimedPlays<'_> {
    fn play(&self, decide: &mut dyn FnMut() -> usize) -> usize {
        if self.progress.is_stopped() {
            return 0;
        }
        let play = self.times.play(decide);
        self.progress.add(1);
        play
    }

    fn double(&self, decision: &CubeChoice, decide: &mut dyn FnMut() -> bool) -> bool {
        self.times.double(decision, decide)
    }

    fn answer(&self, decision: &CubeChoice, decide: &mut dyn FnMut() -> Answer) -> Answer {
        self.times.answer(decision, decide)
    }
}

impl TimedScore {
    fn in_json(&self, part: Split, by: &str) -> Value {
        let TimeSummary { mean, median, slow, .. } = self.time;
        json!({
            "player": self.player, "part": part.name(), "judged_by": by, "decisions": self.score.decisions,
            "er": self.score.er.mean, "er_stderr": self.score.er.stderr, "agreed": self.score.agreed,
            "mean_ms": mean, "median_ms": median, "p95_ms": slow,
        })
    }
}

/// A table of players.
fn in_words(part: Split, by: &str, threads: usize, all: &[TimedScore]) -> String {
    let names = names(all);
    let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(14);
    let mut text = format!(
        "ER (1000 x points lost a decision) and time for a play, {}, references by {by}, threads: {threads}\n\n\
         {:<wide$} {:>9}  {:>15}  {:>9}  {:>9}  {:>9}  {:>9}\n",
        part.name(),
        "player",
        "decisions",
        "ER ± 95 %",
        "agreed",
        "mean ms",
        "median",
        "95 %"
    );
    for (player, TimedScore { score, time, .. }) in names.iter().zip(all) {
        let er = format!("{:.2} ± {:.2}", score.er.mean, score.er.half95());
        let agreed = format!("{:.1} %", 100.0 * score.agreed);
        let _ = writeln!(
            text,
            "{player:<wide$} {:>9}  {er:>15}  {agreed:>9}  {:>9.3}  {:>9.3}  {:>9.3}",
            score.decisions, time.mean, time.median, time.slow
        );
    }
    text
}

/// ER over milliseconds.
fn chart(by: &str, command: String, all: &[TimedScore]) -> anyhow::Result<String> {
    let points = all.iter().zip(names(all)).map(|(of, name)| TimedPoint {
        name,
        milliseconds: of.time.mean,
        value: of.score.er.mean,
        half: Z95 * of.score.er.stderr,
    });
    let er = Axis::new("ER", "1000 x points lost a decision");
    let title = format!("What plays lose, against their time; references by {by}");
    over_time(title, er, command, points.collect())
}

/// The names to show.
fn names(all: &[TimedScore]) -> Vec<String> {
    let words: Vec<String> = all.iter().map(|of| of.player.clone()).collect();
    short_names(&words)
}
