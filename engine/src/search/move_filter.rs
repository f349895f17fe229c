//! The depth of a search, and the filters that choose the plays for each depth.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How many plies a search looks ahead, 1..=4; 1 is the static evaluation of every legal result
/// (gnubg counts from 0).
///
/// ```
/// use nonet_engine::Plies;
///
/// let plies: Plies = "2".parse()?;
/// assert_eq!(plies, Plies::TWO);
/// assert!(Plies::new(5).is_err());
/// # Ok::<(), nonet_engine::search::PliesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Plies(u8);

/// A number of plies outside 1 to 4.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid ply '{0}': expected 1 to 4")]
pub struct PliesError(String);

impl Plies {
    /// The static evaluation.
    pub const ONE: Plies = Plies(1);
    /// One roll ahead.
    pub const TWO: Plies = Plies(2);
    /// Two rolls ahead.
    pub const THREE: Plies = Plies(3);
    /// Three rolls ahead.
    pub const FOUR: Plies = Plies(4);

    /// `n` plies, if that is 1 to 4.
    ///
    /// # Errors
    /// [`PliesError`] for any other number.
    pub fn new(n: u8) -> Result<Plies, PliesError> {
        if (1..=4).contains(&n) { Ok(Plies(n)) } else { Err(PliesError(n.to_string())) }
    }

    /// The number, 1..=4.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The number as a text, as commands read it.
    #[must_use]
    pub const fn digit(self) -> &'static str {
        ["1", "2", "3", "4"][self.0 as usize - 1]
    }

    /// All depths up to this one, the shallowest first.
    pub fn up_to(self) -> impl Iterator<Item = Plies> {
        (1..=self.0).map(Plies)
    }

    /// One ply less, if any is left.
    #[must_use]
    pub const fn less(self) -> Option<Plies> {
        if self.0 > 1 { Some(Plies(self.0 - 1)) } else { None }
    }
}

impl TryFrom<u8> for Plies {
    type Error = PliesError;

    fn try_from(n: u8) -> Result<Plies, PliesError> {
        Plies::new(n)
    }
}

impl From<Plies> for u8 {
    fn from(plies: Plies) -> u8 {
        plies.get()
    }
}

impl fmt::Display for Plies {
    /// The depth in words: `2-ply`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-ply", self.0)
    }
}

impl FromStr for Plies {
    type Err = PliesError;

    /// Reads `2` and `2-ply`.
    fn from_str(text: &str) -> Result<Plies, PliesError> {
        let number = text.strip_suffix("-ply").unwrap_or(text);
        number
            .parse()
            .ok()
            .and_then(|n| Plies::new(n).ok())
            .ok_or_else(|| PliesError(text.to_owned()))
    }
}

/// Which plays, ranked at one depth, are evaluated again at the next.
///
/// ```
/// use nonet_engine::search::{MoveFilter, SearchSettings};
///
/// let filter = MoveFilter { keep: 2, extra: 3, within: 0.1 };
/// let settings = SearchSettings { filters: [filter; 3], ..SearchSettings::NORMAL };
/// assert_eq!(settings.max_replies, SearchSettings::NORMAL.max_replies);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveFilter {
    /// This many of the best plays always pass, at least 1.
    pub keep: usize,
    /// Up to this many more pass ...
    pub extra: usize,
    /// ... if they lose no more than this against the best, in points per game.
    pub within: f32,
}

impl MoveFilter {
    /// Every play.
    pub const ALL: MoveFilter = MoveFilter { keep: usize::MAX, extra: 0, within: 0.0 };

    /// The filter that every play passes which passes one of two.
    const fn or(self, other: MoveFilter) -> MoveFilter {
        let [most, others] = [self.keep + self.extra, other.keep + other.extra];
        let keep = if self.keep > other.keep { self.keep } else { other.keep };
        let extra = if most > others { most } else { others } - keep;
        let within = if self.within > other.within { self.within } else { other.within };
        MoveFilter { keep, extra, within }
    }

    /// How many plays pass; `equities` are given best first.
    pub(super) fn passes(&self, equities: impl ExactSizeIterator<Item = f32>) -> usize {
        let total = equities.len();
        let (mut passed, mut best) = (0, f32::NEG_INFINITY);
        for equity in equities {
            best = best.max(equity);
            let near = passed < self.keep.max(1).saturating_add(self.extra)
                && equity >= best - self.within;
            if passed >= self.keep.max(1) && !near {
                break;
            }
            passed += 1;
        }
        passed.min(total)
    }
}

/// The width of a search at each depth.
///
/// ```
/// use nonet_engine::search::SearchSettings;
///
/// let large: SearchSettings = "large/12".parse()?;
/// assert_eq!(large.max_replies, 12);
/// assert_eq!("normal".parse::<SearchSettings>()?, SearchSettings::NORMAL);
/// # Ok::<(), nonet_engine::search::FilterError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchSettings {
    /// The filters from 1-ply to 2-ply, from 2-ply to 3-ply, and from 3-ply to 4-ply.
    pub filters: [MoveFilter; 3],
    /// Results of a roll inside the tree that the evaluator evaluates, at least 1; if there are
    /// more, those that [`ReplyOrder`](super::ReplyOrder) puts first.
    pub max_replies: usize,
}

impl SearchSettings {
    /// The default. At 2-ply: up to eight plays within 0.16 points, which is gnubg's "normal"
    /// filter.
    ///
    /// Five replies to a roll are evaluated. Over 1,500 reference decisions the second champion
    /// lost as much as with ten, in two thirds of the time (`reports/search/report.md`).
    pub const NORMAL: SearchSettings = SearchSettings {
        filters: [
            MoveFilter { keep: 1, extra: 7, within: 0.16 },
            MoveFilter { keep: 1, extra: 3, within: 0.08 },
            MoveFilter { keep: 1, extra: 1, within: 0.04 },
        ],
        max_replies: 5,
    };

    /// For comparing plays: several of the best always get the full depth, even if the first is far
    /// ahead.
    pub const WIDE: SearchSettings = SearchSettings {
        filters: [
            MoveFilter { keep: 5, extra: 7, within: 0.16 },
            MoveFilter { keep: 3, extra: 3, within: 0.08 },
            MoveFilter { keep: 2, extra: 1, within: 0.04 },
        ],
        ..SearchSettings::NORMAL
    };

    /// For a closer look at few decisions: plays within 0.08 points at 3-ply go on to 4-ply, up to
    /// three besides the best.
    pub const LARGE: SearchSettings = SearchSettings {
        filters: [near(15, 0.32), near(7, 0.16), near(3, 0.08)],
        ..SearchSettings::NORMAL
    };

    /// Both: every play that goes on to a depth with [`SearchSettings::WIDE`] or
    /// [`SearchSettings::LARGE`] does so here.
    pub const LARGE_AND_WIDE: SearchSettings = {
        let (large, wide) = (SearchSettings::LARGE.filters, SearchSettings::WIDE.filters);
        let filters = [large[0].or(wide[0]), large[1].or(wide[1]), large[2].or(wide[2])];
        SearchSettings { filters, ..SearchSettings::NORMAL }
    };

    /// No filter: every play is evaluated at every depth, with every reply.
    pub const FULL: SearchSettings =
        SearchSettings { filters: [MoveFilter::ALL; 3], max_replies: usize::MAX };
}

/// A name that is none of [`SearchSettings::NAMED`], or an invalid number of replies behind it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid filter '{0}': expected tiny, narrow, normal, large, huge or all, or one of these with a number of replies, such as normal/6"
)]
pub struct FilterError(String);

impl SearchSettings {
    /// Settings by name; the names are gnubg's, the sizes from 1-ply to 2-ply too.
    pub const NAMED: [(&'static str, [MoveFilter; 3]); 6] = [
        ("tiny", [near(4, 0.08), near(1, 0.04), near(0, 0.0)]),
        ("narrow", [near(5, 0.12), near(2, 0.06), near(1, 0.03)]),
        ("normal", SearchSettings::NORMAL.filters),
        ("large", SearchSettings::LARGE.filters),
        ("huge", [near(19, 0.44), near(11, 0.24), near(5, 0.12)]),
        ("all", [MoveFilter::ALL; 3]),
    ];
}

/// The best play, and up to `extra` more.
const fn near(extra: usize, within: f32) -> MoveFilter {
    MoveFilter { keep: 1, extra, within }
}

impl FromStr for SearchSettings {
    type Err = FilterError;

    /// One of [`SearchSettings::NAMED`] with the usual number of replies, or with that behind a
    /// slash: `large/12`.
    fn from_str(text: &str) -> Result<SearchSettings, FilterError> {
        let wrong = || FilterError(text.to_owned());
        let (name, replies) = match text.split_once('/') {
            Some((name, replies)) => (name, Some(replies)),
            None => (text, None),
        };
        let known = SearchSettings::NAMED.into_iter().find(|(known, _)| *known == name);
        let (_, filters) = known.ok_or_else(wrong)?;
        let max_replies = match replies {
            None => SearchSettings::NORMAL.max_replies,
            Some(replies) => {
                replies.parse().ok().filter(|replies| *replies > 0).ok_or_else(wrong)?
            }
        };
        Ok(SearchSettings { filters, max_replies })
    }
}

impl SearchSettings {
    /// The settings as a line of JSON, as descriptions hold them.
    ///
    /// # Panics
    /// Never: numbers always have a JSON form.
    #[must_use]
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("numbers always have a JSON form")
    }

    /// The settings of [`SearchSettings::to_text`].
    ///
    /// # Errors
    /// The error in the text.
    pub fn from_text(text: &str) -> Result<SearchSettings, String> {
        let settings: SearchSettings = serde_json::from_str(text)
            .map_err(|error| format!("invalid search settings: {error}"))?;
        match settings.max_replies {
            0 => Err("invalid search settings: max_replies must be 1 or more".to_owned()),
            _ => Ok(settings),
        }
    }
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings::NORMAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_without_replies_are_refused_in_any_form() {
        let none = SearchSettings { max_replies: 0, ..SearchSettings::NORMAL }.to_text();
        let error = SearchSettings::from_text(&none).expect_err("refused");
        assert!(error.contains("max_replies must be 1 or more"), "{error}");
        assert!("normal/0".parse::<SearchSettings>().is_err());
        let text = SearchSettings::NORMAL.to_text();
        assert_eq!(SearchSettings::from_text(&text), Ok(SearchSettings::NORMAL));
    }

    #[test]
    fn a_filter_keeps_the_best_and_some_of_those_near_it() {
        let passes = |keep, extra, within, equities: &[f32]| {
            MoveFilter { keep, extra, within }.passes(equities.iter().copied())
        };
        let equities = [0.5, 0.45, 0.4, 0.1];
        assert_eq!(passes(1, 7, 0.16, &equities), 3);
        assert_eq!(passes(1, 1, 0.16, &equities), 2, "at most the limit");
        assert_eq!(passes(2, 0, 0.0, &equities), 2, "kept however far behind");
        assert_eq!(passes(4, 0, 0.0, &equities), 4);
        assert_eq!(passes(0, 0, 0.0, &equities), 1, "the best always goes on");
        assert_eq!(MoveFilter::ALL.passes(equities.into_iter()), 4);
    }

    #[test]
    fn settings_come_back_from_their_text() {
        for settings in [SearchSettings::NORMAL, SearchSettings::WIDE, SearchSettings::FULL] {
            assert_eq!(SearchSettings::from_text(&settings.to_text()), Ok(settings));
        }
        assert!(SearchSettings::from_text("{}").is_err());
    }

    #[test]
    fn plies_are_counted_from_1_to_4() {
        assert_eq!("3".parse(), Ok(Plies::THREE));
        for text in ["0", "5", "-1", "256", "two", ""] {
            assert_eq!(text.parse::<Plies>(), Err(PliesError(text.to_owned())));
        }
        assert_eq!(Plies::ONE.less(), None);
    }

    #[test]
    fn settings_are_named_by_their_filters_and_replies() {
        assert_eq!("normal".parse(), Ok(SearchSettings::NORMAL));
        assert_eq!("normal/5".parse(), Ok(SearchSettings::NORMAL));
        let all: SearchSettings = "all/99".parse().expect("a name");
        assert_eq!((all.filters, all.max_replies), ([MoveFilter::ALL; 3], 99));
        for wrong in ["", "wide", "normal/", "normal/0", "/6", "normal/x"] {
            let error = wrong.parse::<SearchSettings>().expect_err(wrong).to_string();
            assert!(error.contains("tiny, narrow, normal, large, huge or all"), "{error}");
        }
    }

    #[test]
    fn large_and_wide_lets_every_play_of_either_pass() {
        for best in [0.0_f32, 0.03, 0.07, 0.12, 0.2, 0.5] {
            let losses: Vec<f32> = (0..20).map(|place| best * place as f32 / 3.0).collect();
            let passed = |settings: SearchSettings, level: usize| {
                settings.filters[level].passes(losses.iter().map(|loss| -loss))
            };
            for level in 0..3 {
                let either = [SearchSettings::LARGE, SearchSettings::WIDE]
                    .map(|settings| passed(settings, level));
                let both = passed(SearchSettings::LARGE_AND_WIDE, level);
                assert_eq!(both, either[0].max(either[1]), "level {level}, steps of {best}");
            }
        }
    }

    #[test]
    fn a_wider_filter_lets_every_play_of_a_narrower_one_pass() {
        let losses = [0.0_f32, 0.005, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6];
        let passed = |filter: &MoveFilter| filter.passes(losses.iter().map(|loss| -loss));
        for level in 0..3 {
            let counts = SearchSettings::NAMED.map(|(_, filters)| passed(&filters[level]));
            assert!(counts.is_sorted() && counts[0] >= 1, "{counts:?}");
            assert_eq!(counts[5], losses.len());
        }
    }
}
