//! Statistics of recorded matches: results by opponent and in total, and the rating over time.

use std::collections::BTreeMap;

use fibs::rating::{Standing, changes};

use crate::records::match_record::MatchRecord;
use nonet_report::{Axis, LineChart, PlotSeries};

/// Numbers of matches by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchCounts {
    /// Matches won.
    pub won: u32,
    /// Matches lost.
    pub lost: u32,
    /// Matches that are not finished.
    pub open: u32,
    /// Matches that ended with an unknown result.
    pub unknown: u32,
}

/// How often an opponent left matches or lost the connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Departures {
    /// All of them.
    pub count: u32,
    /// Those at which the opponent was behind.
    pub behind: u32,
    /// Matches that were left behind so and are not finished.
    pub left_behind: u32,
    /// The scores at which they happened, own points first, in the order of the matches.
    pub scores: Vec<[u32; 2]>,
}

/// Matches won and lost, by opponent and in total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchResults {
    /// Matches by opponent.
    pub by_opponent: BTreeMap<String, MatchCounts>,
    /// The opponents who left matches or lost the connection.
    pub departures: BTreeMap<String, Departures>,
    /// Points won and lost in total.
    pub points: [u32; 2],
    /// Games in total.
    pub games: u32,
    /// Matches with an incomplete record.
    pub incomplete: u32,
}

impl MatchResults {
    /// Counts the results of `match_records`.
    #[must_use]
    pub fn of(match_records: &[MatchRecord]) -> MatchResults {
        let mut results = MatchResults::default();
        match_records.iter().for_each(|match_record| results.add(match_record));
        results
    }

    /// Counts one more match.
    pub(super) fn add(&mut self, match_record: &MatchRecord) {
        let counts = self.by_opponent.entry(match_record.opponent.clone()).or_default();
        match match_record.result {
            Some((true, _)) => counts.won += 1,
            Some((false, _)) => counts.lost += 1,
            None if match_record.end_unknown => counts.unknown += 1,
            None => counts.open += 1,
        }
        if !match_record.departures.is_empty() {
            let of = self.departures.entry(match_record.opponent.clone()).or_default();
            for departure in &match_record.departures {
                of.count += 1;
                of.behind += u32::from(departure.behind);
                of.scores.push(departure.score);
            }
            of.left_behind += u32::from(match_record.was_left_behind());
        }
        let [own, other] = match_record.score();
        self.points[0] += own;
        self.points[1] += other;
        self.games += u32::try_from(match_record.games().len()).expect("a match has few games");
        self.incomplete += u32::from(match_record.incomplete.is_some());
    }

    /// Matches in total.
    #[must_use]
    pub fn total(&self) -> MatchCounts {
        let add = |sum: MatchCounts, counts: &MatchCounts| MatchCounts {
            won: sum.won + counts.won,
            lost: sum.lost + counts.lost,
            open: sum.open + counts.open,
            unknown: sum.unknown + counts.unknown,
        };
        self.by_opponent.values().fold(MatchCounts::default(), add)
    }

    /// One sentence for a player who asks about the results against them.
    pub(crate) fn against(&self, name: &str) -> String {
        let matches = |n: u32| format!("{n} match{}", if n == 1 { "" } else { "es" });
        match self.by_opponent.get(name) {
            Some(MatchCounts { won, lost, open, .. }) => {
                let saved =
                    if *open > 0 { format!(", and {open} not finished") } else { String::new() };
                let won = matches(*won);
                format!("Against you I have won {won} and lost {lost}{saved}.")
            }
            None => {
                let MatchCounts { won, lost, .. } = self.total();
                let won = matches(won);
                format!("We have not played yet. In all I have won {won} and lost {lost}.")
            }
        }
    }
}

/// The rating after each match with known ratings of both players, by the server's formula, with
/// the time of its end in Unix seconds. The first is the rating at the begin of the first match.
#[must_use]
pub fn rating_over_time(match_records: &[MatchRecord]) -> Vec<(f64, f64)> {
    let mut curve: Vec<(f64, f64)> = Vec::new();
    for match_record in match_records {
        let (Some((won, _)), [Some(own), Some(other)], Some(length)) =
            (match_record.result, match_record.standings, match_record.length)
        else {
            continue;
        };
        let standing = |(rating, experience)| Standing { rating, experience };
        let (own, other) = (standing(own), standing(other));
        let change =
            if won { changes(own, other, length).0 } else { changes(other, own, length).1 };
        if curve.is_empty() {
            curve.push((match_record.began, own.rating));
        }
        curve.push((match_record.last, own.rating + change));
    }
    curve
}

/// The own rating by the server's formula, as points (matches, rating). The first point is before
/// the first match. One point follows for each finished match with known ratings of both players.
#[must_use]
pub fn rating_curve(match_records: &[MatchRecord]) -> Vec<(f64, f64)> {
    let ratings = rating_over_time(match_records).into_iter().enumerate();
    ratings.map(|(matches, (_, rating))| (matches as f64, rating)).collect()
}

/// A chart of the rating over matches; `None` if [`rating_curve`] is empty.
#[must_use]
pub fn rating_chart(match_records: &[MatchRecord]) -> Option<LineChart> {
    let curve = rating_curve(match_records);
    let name = match_records.first()?.own.clone();
    (!curve.is_empty()).then(|| {
        LineChart::new(
            format!("Rating of {name}"),
            Axis::new("matches", "matches"),
            Axis::new("rating", "rating points"),
        )
        .series(PlotSeries::line("by the server's formula, from recorded matches", curve))
        .reference(1500.0, "a new account")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::match_record::Departure;

    fn match_record(opponent: &str, won: Option<bool>, own: f64) -> MatchRecord {
        let mut match_record = MatchRecord::default();
        (match_record.own, match_record.opponent) = ("nonet".into(), opponent.into());
        match_record.length = Some(1);
        match_record.standings = [Some((own, 0)), Some((1500.0, 0))];
        match_record.result = won.map(|won| (won, if won { [1, 0] } else { [0, 1] }));
        match_record
    }

    #[test]
    fn results_are_counted_by_opponent() {
        let match_records = [
            match_record("ann", Some(true), 1500.0),
            match_record("ann", None, 0.0),
            match_record("bob", Some(false), 0.0),
        ];
        let results = MatchResults::of(&match_records);
        let ann = MatchCounts { won: 1, lost: 0, open: 1, unknown: 0 };
        assert_eq!(results.by_opponent["ann"], ann);
        assert_eq!(results.total(), MatchCounts { won: 1, lost: 1, open: 1, unknown: 0 });
        let says = |name: &str| results.against(name);
        assert_eq!(says("ann"), "Against you I have won 1 match and lost 0, and 1 not finished.");
        assert_eq!(says("bob"), "Against you I have won 0 matches and lost 1.");
        assert_eq!(says("eve"), "We have not played yet. In all I have won 1 match and lost 1.");
    }

    #[test]
    fn departures_are_counted_by_opponent() {
        let mut left = match_record("bob", None, 0.0);
        left.departures = vec![
            Departure { score: [0, 0], behind: false },
            Departure { score: [2, 0], behind: true },
        ];
        left.was_left = true;
        let results = MatchResults::of(&[left.clone(), match_record("ann", None, 0.0), left]);
        let bob = Departures {
            count: 4,
            behind: 2,
            left_behind: 2,
            scores: vec![[0, 0], [2, 0], [0, 0], [2, 0]],
        };
        assert_eq!(results.departures, BTreeMap::from([("bob".to_owned(), bob)]));
    }

    #[test]
    fn the_rating_follows_the_servers_formula() {
        let match_records =
            [match_record("ann", Some(true), 1500.0), match_record("ann", Some(false), 1510.0)];
        let curve = rating_curve(&match_records);
        assert_eq!(curve[..2], [(0.0, 1500.0), (1.0, 1510.0)]);
        assert!(curve[2].1 < 1500.0, "a favourite who loses, loses more than ten");
        assert!(rating_chart(&match_records).is_some() && rating_chart(&[]).is_none());
    }
}
