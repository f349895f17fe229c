//! `nonet benchmark --time`: what plays lose, against the time that they take.

use std::fmt::Write;
use std::sync::Arc;

use nonet::bearoff::BearoffDatabases;
use nonet::benchmark::{DecisionSet, PlayScore, Split};
use nonet::open::{NamedPlayer, PlayerSetup, PlayerSpec};
use nonet::report::Axis;
use nonet::search::{Plies, SearchSettings};
use nonet::stats::Z95;
use serde_json::{Value, json};

use crate::cli::args::player::{in_word, open, short_names};
use crate::cli::output::decision_times::{DecisionTimes, TimeSummary};
use crate::cli::output::time_chart::{TimedPoint, over_time};
use crate::cli::output::watched_player::WatchedPlayer;

/// A player, what it loses and how long it takes.
pub(crate) struct TimedScore {
    player: String,
    score: PlayScore,
    time: TimeSummary,
}

/// Scores the plays of a player one after another on the threads of the caller.
pub(crate) fn timed_score(
    spec: &PlayerSpec,
    bearoff: Option<&Arc<BearoffDatabases>>,
    set: &DecisionSet,
    part: Split,
    judge: Option<usize>,
    filter: Option<&str>,
) -> anyhow::Result<TimedScore> {
    let search = filter.map_or(Ok(SearchSettings::NORMAL), str::parse)?;
    let setup = PlayerSetup { bearoff, search, ..PlayerSetup::cubeless(Plies::ONE) };
    let opponent: NamedPlayer = open(spec, &setup)?;
    // Once before the clock starts: caches are filled, processes are started.
    let first =
        DecisionSet { decisions: set.decisions.iter().take(20).cloned().collect(), ..set.clone() };
    first.score_plays(opponent.player.as_ref(), Split::All, judge);
    let timed = WatchedPlayer::new(opponent.player.as_ref(), DecisionTimes::new());
    let score = set.score_plays(&timed, part, judge);
    opponent.check()?;
    let (Some(score), Some(time)) = (score, timed.watcher.plays()) else {
        anyhow::bail!("no decision belongs to the part '{}'", part.name());
    };
    let filter = filter.map(|filter| format!(" {filter}")).unwrap_or_default();
    Ok(TimedScore { player: in_word(spec) + &filter, score, time })
}

impl TimedScore {
    pub(crate) fn in_json(&self, part: Split, by: &str) -> Value {
        let TimeSummary { mean, median, slow, .. } = self.time;
        json!({
            "player": self.player, "part": part.name(), "judged_by": by, "decisions": self.score.decisions,
            "er": self.score.er.mean, "er_stderr": self.score.er.stderr, "agreed": self.score.agreed,
            "mean_ms": mean, "median_ms": median, "p95_ms": slow,
        })
    }
}

/// A table of players.
pub(crate) fn in_words(part: Split, by: &str, threads: usize, all: &[TimedScore]) -> String {
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
pub(crate) fn chart(by: &str, command: String, all: &[TimedScore]) -> anyhow::Result<String> {
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
