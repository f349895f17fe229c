//! Plays in notation: `13/7*`, `bar/22`, `6/off`, `8/4(2)`.

use std::fmt;

use super::{Candidate, CheckerMove, Dice, Play, Position, Results, candidates};

const BAR: u8 = 25;
const OFF: u8 = 0;

/// Why a text is not a legal play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// A word that is not a checker move.
    Unreadable {
        /// The word.
        word: String,
        /// What is expected instead.
        reason: &'static str,
    },
    /// Well-formed, but not a legal play of this roll.
    Illegal {
        /// The play as written.
        play: String,
        /// The roll.
        dice: Dice,
    },
    /// The text fits several legal plays.
    Ambiguous {
        /// The play as written.
        play: String,
        /// The plays that it fits.
        meanings: Vec<String>,
    },
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Unreadable { word, reason } => {
                write!(f, "invalid checker move '{word}': {reason}")
            }
            PlayError::Illegal { play, dice } if play.trim().is_empty() => {
                write!(f, "invalid empty play: {dice} can be played")
            }
            PlayError::Illegal { play, dice } => {
                write!(f, "illegal play '{play}': expected a legal play of {dice}")
            }
            PlayError::Ambiguous { play, meanings } => {
                write!(f, "ambiguous play '{play}': expected {}", meanings.join(" or "))
            }
        }
    }
}

impl std::error::Error for PlayError {}

fn write_point(f: &mut fmt::Formatter<'_>, point: u8) -> fmt::Result {
    match point {
        BAR => f.write_str("bar"),
        OFF => f.write_str("off"),
        _ => write!(f, "{point}"),
    }
}

impl fmt::Display for Play {
    /// Rearmost checker first, moves of one checker joined (`13/8/7*`), equal moves counted
    /// (`6/4(2)`); of those the first may hit (`6/4*(2)`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chains: Vec<(Vec<CheckerMove>, usize)> = Vec::new();
        let mut left = self.moves().to_vec();
        while !left.is_empty() {
            let mut chain = vec![left.remove(0)];
            while let Some(next) = left
                .iter()
                .position(|m| chain.last().is_some_and(|last| last.hits && m.from == last.to))
            {
                chain.push(left.remove(next));
            }
            // The second of two checkers that go the same way finds the blot hit.
            let follows = |first: &[CheckerMove]| match (first, chain.as_slice()) {
                ([first], [next]) => (first.from, first.to) == (next.from, next.to),
                (first, chain) => first == chain,
            };
            match chains.iter_mut().find(|(first, _)| follows(first)) {
                Some((_, count)) => *count += 1,
                None => chains.push((chain, 1)),
            }
        }
        for (i, (chain, count)) in chains.iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            write_point(f, chain[0].from)?;
            for step in chain {
                f.write_str("/")?;
                write_point(f, step.to)?;
                if step.hits {
                    f.write_str("*")?;
                }
            }
            if *count > 1 {
                write!(f, "({count})")?;
            }
        }
        Ok(())
    }
}

impl Play {
    /// The plain form that every program reads, as in `bar/20 13/8`. It has a pair of points for
    /// each die, in a legal order from `before`, without stars and counts. Empty without a move.
    #[must_use]
    pub fn pairs(&self, before: &Position, dice: Dice) -> String {
        let plain =
            |step: CheckerMove| Play::single(CheckerMove { hits: false, ..step }).to_string();
        self.steps(before, dice).into_iter().map(plain).collect::<Vec<_>>().join(" ")
    }
}

impl Position {
    /// Reads a legal play of `dice` in the player's own point numbers. The bar is `bar` or 25, off
    /// is `off` or 0, and `/` or `-` is between points. `*` and `(n)` are optional, moves may be in
    /// any order, and an empty text is a roll that cannot be played.
    ///
    /// ```
    /// use backgammon::{Dice, Position};
    ///
    /// let dice: Dice = "31".parse()?;
    /// let candidate = Position::START.read_play("8/5, 6/5", dice)?;
    /// assert_eq!(candidate.play.to_string(), "8/5 6/5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlayError`] if the text cannot be read, fits no legal play or fits several.
    pub fn read_play(&self, text: &str, dice: Dice) -> Result<Candidate, PlayError> {
        let written = Written::read(text)?;
        let mut fitting: Vec<Candidate> =
            candidates(self, dice).into_iter().filter(|c| written.fits(self, &c.after)).collect();
        if fitting.len() > 1 {
            // The same checker moves with and without a hit on the way: the stars decide, otherwise
            // the named points.
            let stars = |c: &Candidate| c.play.moves().iter().filter(|m| m.hits).count();
            if fitting.iter().filter(|c| stars(c) == written.stars).count() == 1 {
                fitting.retain(|c| stars(c) == written.stars);
            } else if fitting.iter().filter(|c| written.names_hits(self, &c.after)).count() == 1 {
                fitting.retain(|c| written.names_hits(self, &c.after));
            }
        }
        let named = || text.trim().to_owned();
        match fitting.len() {
            0 => Err(PlayError::Illegal { play: named(), dice }),
            1 => Ok(fitting.remove(0)),
            _ => Err(PlayError::Ambiguous {
                play: named(),
                meanings: fitting.iter().map(|c| c.play.to_string()).collect(),
            }),
        }
    }

    /// A faster [`Position::read_play`] for large records: the index among [`Results::of`] of the
    /// board after the play. It compares results instead of plays, and calls
    /// [`Position::read_play`] only if several results fit.
    ///
    /// # Errors
    /// Those of [`Position::read_play`].
    pub fn read_result(
        &self,
        text: &str,
        dice: Dice,
        results: &mut Results,
    ) -> Result<usize, PlayError> {
        let written = Written::read(text)?;
        let illegal = || PlayError::Illegal { play: text.trim().to_owned(), dice };
        let found = results.of(self, dice);
        let mut fitting = (0..found.len()).filter(|&i| written.fits(self, &found[i]));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Ok(only),
            (None, _) => Err(illegal()),
            (Some(_), Some(_)) => {
                let meant = self.read_play(text, dice)?.after;
                found.iter().position(|after| *after == meant).ok_or_else(illegal)
            }
        }
    }
}

impl Position {
    /// The board after checker moves that are no legal play, the opponent on roll. `None` if they
    /// cannot be made at all: a checker is not there, or a landing point is taken.
    pub(crate) fn after_illegal(&self, text: &str) -> Option<Position> {
        let written = Written::read(text).ok()?;
        let mut points = *self.points();
        for &point in written.landings.iter().filter(|&&point| point > OFF) {
            match &mut points[usize::from(point)] {
                ..-1 => return None,
                blot @ -1 => {
                    *blot = 0;
                    points[0] -= 1;
                }
                _ => {}
            }
        }
        for (point, change) in (1..).zip(&written.change[1..]) {
            let own = i32::from(self.own(point)) + change;
            if own < 0 || (points[point] < 0 && own > 0) {
                return None;
            }
            if own > 0 || points[point] > 0 {
                points[point] = i8::try_from(own).ok()?;
            }
        }
        let after = Position::new(points).ok()?;
        after.outcome().is_none().then(|| after.flipped())
    }
}

/// A parsed play: its change of the own checkers, and the points that it names.
struct Written {
    /// Change of own checkers on each point, 0 (off) to 25 (bar).
    change: [i32; 26],
    /// Points named as landing places, in no order.
    landings: Vec<u8>,
    stars: usize,
}

impl Written {
    fn read(text: &str) -> Result<Written, PlayError> {
        let mut written = Written { change: [0; 26], landings: Vec::new(), stars: 0 };
        for word in text.split([' ', ',', ';', '\t', '\n']).filter(|word| !word.is_empty()) {
            let unreadable = |reason| PlayError::Unreadable { word: word.to_owned(), reason };
            let (path, times) = match word.split_once('(') {
                None => (word, 1),
                Some((path, count)) => {
                    match count.strip_suffix(')').and_then(|n| n.parse::<i32>().ok()) {
                        Some(n @ 1..=4) => (path, n),
                        _ => return Err(unreadable("expected a count of 1 to 4 in brackets")),
                    }
                }
            };
            let mut last: Option<u8> = None;
            for stop in path.split(['/', '-']) {
                let name = stop.trim_end_matches('*');
                let point = match name.to_ascii_lowercase().as_str() {
                    "bar" => BAR,
                    "off" => OFF,
                    digits => digits
                        .parse::<u8>()
                        .ok()
                        .filter(|&n| n <= BAR)
                        .ok_or_else(|| unreadable("expected points from 1 to 24, bar or off"))?,
                };
                if let Some(from) = last {
                    if from <= point {
                        return Err(unreadable("expected a lower point after each '/'"));
                    }
                    written.change[usize::from(from)] -= times;
                    written.change[usize::from(point)] += times;
                    written.landings.push(point);
                    written.stars += usize::from(stop.ends_with('*'));
                }
                last = Some(point);
            }
            if !path.contains(['/', '-']) {
                return Err(unreadable("expected two points with '/' between them, as in 13/7"));
            }
        }
        Ok(written)
    }

    /// Whether the play changes the own checkers in the same way, and hits every blot on a named
    /// landing point.
    fn fits(&self, before: &Position, after: &Position) -> bool {
        let moved = after.flipped();
        let same =
            (1..=25).all(|p| i32::from(moved.own(p)) - i32::from(before.own(p)) == self.change[p]);
        let hit = |point: &u8| {
            let point = usize::from(*point);
            point == 0 || before.points()[point] != -1 || moved.points()[point] >= 0
        };
        same && self.landings.iter().all(hit)
    }

    /// Whether every hit is on a named landing point.
    fn names_hits(&self, before: &Position, after: &Position) -> bool {
        let moved = after.flipped();
        (1..=24).all(|point| {
            let hit = before.points()[usize::from(point)] == -1
                && moved.points()[usize::from(point)] >= 0;
            !hit || self.landings.contains(&point)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position() -> Position {
        // X: 8, 6(2), 24   O: blots on own 5 and 4, rest away
        Position::from_sides(&[(24, 1), (8, 1), (6, 2)], &[(20, 1), (21, 1), (6, 2)])
            .expect("legal")
    }

    fn read(text: &str, dice: &str) -> Result<String, PlayError> {
        position().read_play(text, dice.parse().expect("a roll")).map(|c| c.play.to_string())
    }

    #[test]
    fn all_spellings_of_a_play_are_read_as_that_play() {
        for text in ["8/5*/4*", "8/5/4", "8-5 5-4", "5/4* 8/5*"] {
            assert_eq!(read(text, "31").as_deref(), Ok("8/5*/4*"), "{text}");
        }
        assert_eq!(
            read("8/4*", "31").as_deref(),
            Ok("8/4*"),
            "no stop named, one star: by way of the 7"
        );
        assert_eq!(
            read("8/7 7/4", "31").as_deref(),
            Ok("8/4*"),
            "no stars at all, but the 7 is named and the 5 is not"
        );
        assert_eq!(
            read("6/5*(2)", "11").map_err(|e| e.to_string()),
            Err("illegal play '6/5*(2)': expected a legal play of 11".into())
        );
    }

    #[test]
    fn two_checkers_that_hit_on_one_point_are_counted_together() {
        for (text, dice) in [("6/4*(2) 24/22", "22"), ("6/4*(2)", "22"), ("6/5*(2)", "11")] {
            let blots = Position::from_sides(&[(24, 1), (6, 3)], &[(21, 1), (20, 1), (3, 2)]);
            let blots = blots.expect("legal");
            for candidate in candidates(&blots, dice.parse().expect("a roll")) {
                let said = candidate.play.to_string();
                assert!(!said.contains("6/4* 6/4") && !said.contains("6/5* 6/5"), "{said}");
            }
            let wanted = text.split(' ').next().expect("a move");
            let plays = candidates(&blots, dice.parse().expect("a roll"));
            assert!(plays.iter().any(|c| c.play.to_string().contains(wanted)), "{wanted}");
        }
    }

    #[test]
    fn every_play_of_every_roll_reads_back() {
        let blots = Position::from_sides(&[(24, 1), (6, 3)], &[(21, 1), (20, 1), (3, 2)]);
        for position in [position(), Position::START, blots.expect("legal")] {
            for dice in Dice::ALL {
                for candidate in candidates(&position, dice) {
                    let text = candidate.play.to_string();
                    assert_eq!(
                        position.read_play(&text, dice).as_ref(),
                        Ok(&candidate),
                        "{text} {dice}{position:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn read_result_and_read_play_give_the_same_board() {
        let mut results = Results::default();
        for position in [position(), Position::START] {
            for dice in Dice::ALL {
                for candidate in candidates(&position, dice) {
                    let text = candidate.play.to_string();
                    let index = position.read_result(&text, dice, &mut results).expect("legal");
                    assert_eq!(results.as_slice()[index], candidate.after, "{text} {dice}");
                }
            }
        }
        for text in ["6/5*(2)", "", "banana"] {
            let dice = "11".parse().expect("a roll");
            assert_eq!(
                position().read_result(text, dice, &mut results).map(|_| ()),
                position().read_play(text, dice).map(|_| ())
            );
        }
    }

    #[test]
    fn nonsense_is_named() {
        for text in ["banana", "8", "8/99", "5/8", "8/5(9)", "8/5(", "//", "8/", "é/5"] {
            let error = read(text, "31").expect_err(text).to_string();
            assert!(error.contains(text), "{error}");
        }
        assert!(read("24/20", "31").is_ok());
        assert!(matches!(read("", "31"), Err(PlayError::Illegal { .. })));
    }
}
