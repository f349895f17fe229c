//! Matches as short as a paper's, played many times: how they scatter.

use std::fmt::Write;

use crate::spec::PaperMatches;
use nonet_training::train::TestResult;

/// How matches ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShortMatches {
    /// The points of the first side less those of the second, ascending, at least one.
    points: Vec<i64>,
    /// The games that the first side won of each.
    won: Vec<u64>,
}

impl ShortMatches {
    /// From the results of matches of `games` games.
    ///
    /// # Panics
    /// Without results.
    pub(super) fn of(results: &[TestResult], games: u64) -> ShortMatches {
        assert!(!results.is_empty(), "a match has at least one series");
        // A game is worth whole points, so that rounding only undoes the division.
        let points = |result: &TestResult| (result.ppg * games as f64).round() as i64;
        let mut points: Vec<i64> = results.iter().map(points).collect();
        points.sort_unstable();
        let won = |result: &TestResult| (result.wins * games as f64).round() as u64;
        ShortMatches { points, won: results.iter().map(won).collect() }
    }

    pub(super) fn count(&self) -> usize {
        self.points.len()
    }

    /// The points of the middle match.
    pub(super) fn median(&self) -> i64 {
        self.points[self.points.len() / 2]
    }

    /// The share of matches with points for which `holds` is true.
    pub(super) fn share(&self, holds: impl Fn(i64) -> bool) -> f64 {
        self.points.iter().filter(|points| holds(**points)).count() as f64 / self.count() as f64
    }

    /// The lowest and the highest result after the lowest 2.5 % and the highest 2.5 % of matches
    /// are left out.
    pub(super) fn central95(&self) -> [i64; 2] {
        let out = self.count() / 40;
        [self.points[out], self.points[self.count() - 1 - out]]
    }

    /// How they ended, and where the paper's lie among them.
    pub(super) fn write(
        &self,
        [home, away]: [String; 2],
        [first, second]: [u8; 2],
        paper: &PaperMatches,
        text: &mut String,
    ) {
        let [from, to] = self.central95();
        let _ = writeln!(
            text,
            "{home}, at {first}-ply against {away}, at {second}-ply: {} matches of {} games. Of \
             these {:.1} % were won and {:.1} % drawn. 95 of 100 ended between {from:+} and \
             {to:+} points.\n",
            self.count(),
            paper.games,
            100.0 * self.share(|points| points > 0),
            100.0 * self.share(|points| points == 0),
        );
        if paper.points.is_empty() {
            return;
        }
        text.push_str(
            "| the paper's match | lies in this range | matches of ours that ended there or lower |\n|---|---|---|\n",
        );
        for &theirs in &paper.points {
            let inside = if (from..=to).contains(&theirs) { "yes" } else { "no" };
            let lower = 100.0 * self.share(|points| points <= theirs);
            let _ = writeln!(text, "| {theirs:+} | {inside} | {lower:.1} % |");
        }
        text.push('\n');
        self.write_won(paper, text);
    }

    /// Where the paper's matches lie by the games won.
    fn write_won(&self, paper: &PaperMatches, text: &mut String) {
        if paper.won.is_empty() {
            return;
        }
        text.push_str(
            "| games won in the paper's match | matches of ours with as many or fewer |\n|---|---|\n",
        );
        for &theirs in &paper.won {
            let lower = self.won.iter().filter(|won| **won <= theirs).count();
            let share = 100.0 * lower as f64 / self.count() as f64;
            let _ = writeln!(text, "| {theirs} of {} | {share:.1} % |", paper.games);
        }
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_of_a_hundred_matches_lie_outside() {
        let result = |points: i64| TestResult {
            ppg: points as f64 / 30.0,
            stderr: 0.1,
            wins: 0.5,
            points: 0.5,
        };
        let results: Vec<TestResult> = (-60..=59).rev().map(result).collect();
        let ended = ShortMatches::of(&results, 30);
        assert_eq!((ended.count(), ended.central95()), (120, [-57, 56]));
        assert_eq!(ended.median(), 0);
        let mut text = String::new();
        let paper = PaperMatches { games: 30, points: vec![0], won: vec![14, 15] };
        ended.write(["a".into(), "b".into()], [1, 1], &paper, &mut text);
        assert!(text.contains("| 14 of 30 | 0.0 % |\n| 15 of 30 | 100.0 % |"), "{text}");
        assert_eq!(ended.share(|points| points > 0), 59.0 / 120.0);
        assert_eq!(ended.share(|points| points <= -60), 1.0 / 120.0);
        assert_eq!(ShortMatches::of(&results[..1], 30).central95(), [59, 59]);
    }
}
