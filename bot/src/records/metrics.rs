//! The bot's figures, and their text in the format of Prometheus.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;
use std::time::Duration;

use crate::Site;
use crate::records::incidents::Incidents;

/// What a bot has done since it was made, and what the server says about its account.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BotFigures {
    /// The kind of server, which begins the names of the metrics.
    pub site: Site,
    /// When the bot was made, in Unix seconds.
    pub began: f64,
    /// Connections that were made.
    pub connections: u64,
    /// Matches won.
    pub won: u64,
    /// Matches lost.
    pub lost: u64,
    /// Matches that ended with an unknown result.
    pub unknown: u64,
    /// Matches that are not over.
    pub open: u64,
    /// The own rating, as the server last told it.
    pub rating: Option<f64>,
    /// The own experience in points, as the server last told it.
    pub experience: Option<u32>,
    /// When the server last sent a line that no player can write, in Unix seconds.
    pub last_sign_of_life: Option<f64>,
    /// What did not work as expected.
    pub incidents: Incidents,
}

/// Figures that the bot, its connection and the program share.
pub type SharedFigures = Rc<RefCell<BotFigures>>;

/// A metric: name, help, type and value; without a value it is left out.
type Metric = (&'static str, &'static str, &'static str, Option<f64>);

/// The time between two files of figures that a running bot writes.
pub const METRICS_EVERY: Duration = Duration::from_secs(10);

impl BotFigures {
    /// The figures in the text format of Prometheus, version 0.0.4. `now` is in Unix seconds.
    #[must_use]
    pub fn to_prometheus(&self, now: f64) -> String {
        const COUNTER: &str = "counter";
        const GAUGE: &str = "gauge";
        let incidents = &self.incidents;
        let count = |value: u64| Some(value as f64);
        let metrics: [Metric; 17] = [
            (
                "matches_finished_total",
                "Matches that ended with a known result.",
                COUNTER,
                count(self.won + self.lost),
            ),
            ("matches_won_total", "Matches won.", COUNTER, count(self.won)),
            ("matches_lost_total", "Matches lost.", COUNTER, count(self.lost)),
            (
                "matches_unknown_total",
                "Matches that ended with an unknown result.",
                COUNTER,
                count(self.unknown),
            ),
            ("matches_open", "Matches that are not over.", GAUGE, count(self.open)),
            ("rating", "Own rating, as the server last told it.", GAUGE, self.rating),
            (
                "experience_points",
                "Own experience, as the server last told it.",
                GAUGE,
                self.experience.map(f64::from),
            ),
            (
                "hangs_total",
                "Tables freed because nothing moved or nothing had an effect.",
                COUNTER,
                count(incidents.hangs),
            ),
            ("connections_total", "Connections made.", COUNTER, count(self.connections)),
            (
                "reconnects_total",
                "Connections made after the first.",
                COUNTER,
                count(self.connections.saturating_sub(1)),
            ),
            (
                "unknown_lines_total",
                "Lines of the server that mean nothing to the client.",
                COUNTER,
                count(incidents.unknown_lines.total()),
            ),
            (
                "refused_boards_total",
                "Boards of the server that are impossible.",
                COUNTER,
                count(incidents.refused_boards.total()),
            ),
            (
                "unanswered_commands_total",
                "Commands without an effect or an answer.",
                COUNTER,
                count(incidents.unanswered.total()),
            ),
            (
                "refused_commands_total",
                "Commands that the server refused.",
                COUNTER,
                count(incidents.refused_commands.total()),
            ),
            (
                "warnings_total",
                "Warnings of the session.",
                COUNTER,
                count(incidents.warnings.total()),
            ),
            (
                "last_sign_of_life_seconds",
                "Time since the server's last line that no player can write.",
                GAUGE,
                self.last_sign_of_life.map(|last| (now - last).max(0.0)),
            ),
            (
                "uptime_seconds",
                "Time since the bot was made.",
                GAUGE,
                Some((now - self.began).max(0.0)),
            ),
        ];
        let mut out = String::new();
        let site = self.site.name();
        for (name, help, kind, value) in metrics {
            if let Some(value) = value {
                let name = format!("nonet_{site}_{name}");
                let _ = writeln!(out, "# HELP {name} {help}");
                let _ = writeln!(out, "# TYPE {name} {kind}\n{name} {value}");
            }
        }
        out
    }
}

/// A figure as [`BotFigures::to_prometheus`] has written it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadFigure {
    /// Its name, such as `hangs_total`.
    pub name: String,
    /// What it counts, in words; empty if the text does not say it.
    pub meaning: String,
    /// The value.
    pub value: f64,
}

/// The figures in a text of [`BotFigures::to_prometheus`], in its order. Lines that are something
/// else are left out.
///
/// ```
/// use nonet_bot::{BotFigures, read_figures};
///
/// let text = BotFigures { won: 3, ..BotFigures::default() }.to_prometheus(0.0);
/// let won = read_figures(&text).into_iter().find(|figure| figure.name == "matches_won_total");
/// assert_eq!(won.map(|figure| figure.value), Some(3.0));
/// ```
#[must_use]
pub fn read_figures(text: &str) -> Vec<ReadFigure> {
    let mut meanings = BTreeMap::new();
    let mut figures = Vec::new();
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ").and_then(own_name) {
            meanings.extend(help.split_once(' '));
        } else if let Some((name, value)) = own_name(line).and_then(|rest| rest.split_once(' '))
            && let Some(value) = value.trim().parse().ok().filter(|value: &f64| value.is_finite())
        {
            let meaning = meanings.get(name).copied().unwrap_or_default().to_owned();
            figures.push(ReadFigure { name: name.to_owned(), meaning, value });
        }
    }
    figures
}

/// What follows the beginning that all names have.
fn own_name(text: &str) -> Option<&str> {
    let text = text.strip_prefix("nonet_")?;
    Site::ALL.into_iter().find_map(|site| text.strip_prefix(site.name())?.strip_prefix('_'))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn is_name(name: &str) -> bool {
        let first =
            name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || "_:".contains(c));
        first && name.chars().all(|c| c.is_ascii_alphanumeric() || "_:".contains(c))
    }

    /// Checks a text against the rules of the format:
    ///
    /// - a metric has at most one HELP and one TYPE, both before its samples.
    /// - the samples of a metric are together.
    /// - names and values are well-formed.
    /// - the last line has an end.
    fn check(text: &str) -> Result<usize, String> {
        let kinds = ["counter", "gauge", "histogram", "summary", "untyped"];
        let (mut helped, mut typed, mut sampled) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        if !text.ends_with('\n') {
            return Err("the last line has no end".into());
        }
        let mut current = "";
        for line in text.lines() {
            let wrong = |why: &str| Err(format!("{why}: {line}"));
            let words: Vec<&str> = line.splitn(4, ' ').collect();
            match words.as_slice() {
                ["#", "HELP", name, help] => {
                    if !is_name(name)
                        || help.is_empty()
                        || !helped.insert(*name)
                        || sampled.contains(name)
                    {
                        return wrong("HELP");
                    }
                }
                ["#", "TYPE", name, kind] => {
                    if !kinds.contains(kind) || !typed.insert(*name) || sampled.contains(name) {
                        return wrong("TYPE");
                    }
                }
                [name, value] => {
                    if !is_name(name) || !typed.contains(name) {
                        return wrong("a sample without a type");
                    }
                    if *name != current && !sampled.insert(*name) {
                        return wrong("samples are not together");
                    }
                    current = name;
                    let special = ["NaN", "+Inf", "-Inf"].contains(value);
                    if !special && !value.parse::<f64>().is_ok_and(f64::is_finite) {
                        return wrong("value");
                    }
                }
                _ => return wrong("neither comment nor sample"),
            }
        }
        Ok(sampled.len())
    }

    #[test]
    fn the_checker_follows_the_examples_of_the_formats_description() {
        let good = "# HELP msdos_file_access_time_seconds Time.\n# TYPE msdos_file_access_time_seconds gauge\n\
                    msdos_file_access_time_seconds 1.458255915e9\n";
        assert_eq!(check(good), Ok(1));
        for bad in [
            "a 1",
            "a 1\n",
            "# TYPE a bar\na 1\n",
            "# TYPE a gauge\na x\n",
            "# TYPE 9a gauge\n9a 1\n",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn figures_are_read_back_as_they_were_written_and_other_lines_are_left_out() {
        let mut figures = BotFigures { began: 100.0, won: 3, lost: 2, ..Default::default() };
        figures.rating = Some(1612.25);
        figures.incidents.hangs = 1;
        let text = figures.to_prometheus(160.5);
        let read = read_figures(&text);
        let value = |name: &str| read.iter().find(|one| one.name == name).map(|one| one.value);
        assert_eq!(read.len(), 15, "all but the experience and the sign of life");
        assert_eq!(value("matches_finished_total"), Some(5.0));
        assert_eq!((value("rating"), value("hangs_total")), (Some(1612.25), Some(1.0)));
        assert_eq!(value("uptime_seconds"), Some(60.5));
        assert!(read.iter().all(|one| one.meaning.ends_with('.')), "{read:?}");
        for other in
            ["", "\0\u{fffd}", "nonet_fibs_", "nonet_fibs_rating NaN", "other_rating 3", "<html>"]
        {
            assert_eq!(read_figures(other), [], "{other}");
        }
    }

    #[test]
    fn the_text_obeys_the_formats_grammar() {
        let mut figures =
            BotFigures { began: 100.0, won: 3, lost: 2, open: 1, ..Default::default() };
        assert_eq!(check(&figures.to_prometheus(100.0)), Ok(14));
        (figures.rating, figures.experience) = (Some(-12.5), Some(400));
        figures.last_sign_of_life = Some(100.0);
        figures.connections = 3;
        figures.incidents.unknown_lines.add("what?");
        let text = figures.to_prometheus(160.25);
        assert_eq!(check(&text), Ok(17));
        for line in [
            "nonet_fibs_matches_finished_total 5",
            "nonet_fibs_rating -12.5",
            "nonet_fibs_reconnects_total 2",
            "nonet_fibs_unknown_lines_total 1",
            "nonet_fibs_uptime_seconds 60.25",
            "nonet_fibs_last_sign_of_life_seconds 60.25",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
    }
}
