//! The result of a series in words and as JSON.

use std::io::{self, Write};

use nonet::game::{CubeCounts, Series, SeriesConfig, SeriesRules};
use serde_json::{Value, json};

use crate::cli::output::counted::counted;

/// The error of a series that was interrupted at its beginning.
pub(crate) const NOTHING_PLAYED: &str =
    "interrupted before any sequence of dice was played out: there is no result";

/// Says that what follows is the result so far.
pub(crate) fn stopped_after(done: u64, games: u64, what: &str) -> io::Result<()> {
    writeln!(io::stderr(), "stopped after {done} of {games} {what}; the result so far:")
}

/// Who played, and how fast.
pub(crate) struct SeriesText<'a> {
    pub(crate) name: &'a str,
    pub(crate) against: &'a str,
    pub(crate) config: &'a SeriesConfig,
    /// Games or matches per second.
    pub(crate) rate: f64,
}

impl SeriesText<'_> {
    pub(crate) fn in_words(&self, series: &Series) -> String {
        let SeriesText { name, against, config, .. } = *self;
        let mut text = self.headline(series) + &adjusted_in_words(series);
        let [w1, w2, w3, l1, l2, l3] = series.tally.outcomes;
        let (wins, losses) = (series.tally.wins(), series.tally.losses());
        let share = 100.0 * wins as f64 / series.games as f64;
        text += &match config.rules {
            SeriesRules::Cubeless => format!(
                "  won {share:.2} % of games and {:.2} % of points\n",
                100.0 * series.tally.share_of_points()
            ),
            _ => format!("  won {share:.2} % of games\n"),
        };
        text += &format!(
            "  {name}: {wins} won ({w1} single, {w2} gammons, {w3} backgammons)\n  \
             {against}: {losses} won ({l1} single, {l2} gammons, {l3} backgammons)\n"
        );
        for (name, counts, other) in
            series.cube.iter().flat_map(|[own, other]| [(name, own, other), (against, other, own)])
        {
            text += &cube_in_words(name, counts, other);
        }
        if series.endless > 0 {
            let what = self.what();
            text += &format!("  {} {what} were endless and do not count\n", series.endless);
        }
        text
    }

    /// The result with its error, and how it came about.
    fn headline(&self, series: &Series) -> String {
        let SeriesText { name, against, config, rate } = *self;
        let dice = if config.duplicate { "duplicate dice" } else { "independent dice" };
        let (low, high) = series.ppg.interval95();
        let ppg = format!(
            "{:+.4} ppg, standard error {:.4}, 95 % interval {low:+.4} to {high:+.4}",
            series.ppg.mean, series.ppg.stderr
        );
        let seed = config.seed;
        match (&series.matches, config.rules) {
            (Some(matches), SeriesRules::Match(length)) => {
                let (low, high) = matches.interval95();
                let games = series.games as f64 / matches.played as f64;
                format!(
                    "{name} against {against}: match winning chances {:.2} %, standard error {:.2} %, \
                     95 % interval {:.2} to {:.2} %\n  \
                     {} of {} matches to {} won, {dice}, seed {seed}, {rate:.2} matches/s\n  \
                     {:+.3} points per match, standard error {:.3}; {games:.2} games per match\n  {ppg}\n",
                    100.0 * matches.mwc.mean,
                    100.0 * matches.mwc.stderr,
                    100.0 * low,
                    100.0 * high,
                    matches.won,
                    matches.played,
                    counted(length.points(), "point"),
                    matches.points.mean,
                    matches.points.stderr,
                )
            }
            _ => format!(
                "{name} against {against}: {ppg}\n  {}, {dice}, seed {seed}, {rate:.0} games/s\n",
                money_games(series.games, config.rules)
            ),
        }
    }

    pub(crate) fn in_json(&self, series: &Series) -> Value {
        let SeriesText { name, against, config, rate } = *self;
        let (low, high) = series.ppg.interval95();
        let [w1, w2, w3, l1, l2, l3] = series.tally.outcomes;
        let mut value = json!({
            "player": name, "against": against,
            "ppg": series.ppg.mean, "stderr": series.ppg.stderr, "interval95": [low, high],
            "games": series.games, "endless": series.endless, "seed": config.seed, "duplicate": config.duplicate,
            "wins": series.tally.wins(), "losses": series.tally.losses(), "points_share": series.tally.share_of_points(),
            "won": {"single": w1, "gammon": w2, "backgammon": w3},
            "lost": {"single": l1, "gammon": l2, "backgammon": l3},
        });
        if let (Some(matches), SeriesRules::Match(length)) = (&series.matches, config.rules) {
            let (low, high) = matches.interval95();
            value["match"] = json!({
                "length": length.points(), "played": matches.played, "won": matches.won,
                "mwc": matches.mwc.mean, "stderr": matches.mwc.stderr, "interval95": [low, high],
                "points_per_match": matches.points.mean, "points_per_match_stderr": matches.points.stderr,
                "games_per_match": series.games as f64 / matches.played as f64,
            });
            value["matches_per_second"] = json!(rate);
        } else {
            value["games_per_second"] = json!(rate);
        }
        if let Some(adjusted) = &series.adjusted {
            let (low, high) = adjusted.interval95();
            let what = if series.matches.is_some() { "mwc" } else { "ppg" };
            value["luck_adjusted"] =
                json!({what: adjusted.mean, "stderr": adjusted.stderr, "interval95": [low, high]});
        }
        if let Some([own, other]) = &series.cube {
            value["rules"] = json!(config.rules);
            // Points are not those on a 1-cube.
            value["points_share"] = Value::Null;
            value["cube"] = json!({"player": cube_in_json(own), "against": cube_in_json(other)});
        }
        value
    }

    /// What the series counts.
    pub(crate) const fn what(&self) -> &'static str {
        what(self.config.rules)
    }
}

/// The result without the luck of the rolls, and how many times fewer games it needs.
fn adjusted_in_words(series: &Series) -> String {
    let Some(adjusted) = &series.adjusted else { return String::new() };
    let played = series.matches.map_or(series.ppg, |matches| matches.mwc);
    let (low, high) = adjusted.interval95();
    let result = if series.matches.is_some() {
        format!(
            "match winning chances {:.2} %, standard error {:.2} %, 95 % interval {:.2} to {:.2} %",
            100.0 * adjusted.mean,
            100.0 * adjusted.stderr,
            100.0 * low,
            100.0 * high
        )
    } else {
        format!(
            "{:+.4} ppg, standard error {:.4}, 95 % interval {low:+.4} to {high:+.4}",
            adjusted.mean, adjusted.stderr
        )
    };
    let gain = (played.stderr / adjusted.stderr).powi(2);
    let gain = if gain.is_finite() {
        format!("; {gain:.1} times as many games would have this error with the luck")
    } else {
        String::new()
    };
    format!("  without the luck of the rolls: {result}{gain}\n")
}

/// What a series with these rules counts.
pub(crate) const fn what(rules: SeriesRules) -> &'static str {
    match rules {
        SeriesRules::Match(_) => "matches",
        SeriesRules::Cubeless | SeriesRules::Money { .. } => "games",
    }
}

/// The games of a series of money games.
fn money_games(games: u64, rules: SeriesRules) -> String {
    let cube = match rules {
        SeriesRules::Money { jacoby: true, beavers: true } => {
            " with the cube, the Jacoby rule and beavers"
        }
        SeriesRules::Money { jacoby: true, .. } => " with the cube and the Jacoby rule",
        SeriesRules::Money { beavers: true, .. } => " with the cube and beavers",
        SeriesRules::Money { .. } => " with the cube",
        SeriesRules::Cubeless | SeriesRules::Match(_) => return counted(games, "game"),
    };
    counted(games, "money game") + cube
}

fn cube_in_words(name: &str, own: &CubeCounts, other: &CubeCounts) -> String {
    let offered = other.doubles + other.redoubles;
    let beavers =
        if own.beavers > 0 { format!(" ({} beavers)", own.beavers) } else { String::new() };
    let cube = own
        .average_cube_won()
        .map_or_else(String::new, |cube| format!("; average cube in games won {cube:.2}"));
    format!(
        "  {name}: {} doubles, {} redoubles; took {}{beavers} of {offered}, dropped {}{cube}\n",
        own.doubles, own.redoubles, own.takes, own.drops
    )
}

fn cube_in_json(counts: &CubeCounts) -> Value {
    let mut value = json!(counts);
    value["average_cube_won"] = json!(counts.average_cube_won());
    value
}
