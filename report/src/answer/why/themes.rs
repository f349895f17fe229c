//! Which themes the net sees, as far as the boards bear them out.

use super::words::{Said, SaidValue, points};
use super::{WhyAnswer, WhyFacts, WhyTheme};
use nonet_engine::backgammon::Position;
use nonet_engine::explain::Explanation;

/// A theme alone is told if it makes this part of the static difference.
const LARGE: f32 = 0.3;
/// A smaller static difference is none.
const LEAST: f32 = 0.002;
/// Where the static difference is less than this part of the sum of all themes without signs, none
/// is told.
///
/// The themes cancel each other then.
const LEAST_OF_ALL: f32 = 0.25;
/// Themes that speak against the play are told from this number of points on.
const TOLD: f32 = 0.01;
/// No more of them are told.
const MOST_AGAINST: usize = 2;
/// A larger difference that only the search sees is told.
const SEARCH: f32 = 0.02;

/// The two boards, the opponent on roll, with what is counted on them.
struct Boards<'a> {
    facts: [&'a WhyFacts; 2],
    boards: [&'a Position; 2],
}

/// Marks the themes that the boards bear out.
pub(super) fn fit(answer: &mut WhyAnswer, why: &Explanation) {
    let shown = Boards::of(answer, why);
    let fits: Vec<bool> = answer.themes.iter().map(|theme| shown.bear_out(theme)).collect();
    answer.themes.iter_mut().zip(fits).for_each(|(theme, fits)| theme.fits = fits);
}

/// Which themes the net itself sees, and which speak against the play.
pub(super) fn themes(answer: &WhyAnswer, why: &Explanation, is_all: bool) -> Option<Said> {
    let whole = answer.static_difference?;
    if whole <= 0.0 {
        let told = answer.worse.loss >= SEARCH;
        return told.then(|| Said::new("search-sees").with("worse", &answer.worse.play));
    }
    let apart: f32 = answer.themes.iter().map(|theme| theme.share.abs()).sum();
    if whole < LEAST.max(LEAST_OF_ALL * apart) {
        return None;
    }
    let shown = Boards::of(answer, why);
    let largest = answer.themes.iter().map(|theme| theme.share).fold(0.0, f32::max);
    let is_main = |theme: &WhyTheme| theme.decisive || theme.share >= largest.min(0.5 * whole);
    let fits = |theme: &&WhyTheme| theme.fits;
    let counts = |theme: &&WhyTheme| theme.share >= LARGE * whole && is_main(theme);
    let said = |theme: &WhyTheme| {
        Said::new("theme").with("name", shown.name(theme)).with("share", points(theme.share))
    };
    let main: Vec<Said> = answer.themes.iter().filter(counts).filter(fits).map(said).collect();
    // A sentence without the theme that counts most would mislead.
    let counts_most = |theme: &&WhyTheme| theme.decisive || theme.share >= largest;
    if main.is_empty() || !answer.themes.iter().filter(counts_most).all(|theme| fits(&theme)) {
        return None;
    }
    let is_against = |theme: &&WhyTheme| -theme.share > (LARGE * whole).max(TOLD);
    // The largest come last.
    let against = answer.themes.iter().rev().filter(is_against).filter(fits);
    let against: Vec<&WhyTheme> = against.take(MOST_AGAINST).collect();
    // What is told has to favour the play, as the net does.
    let named = answer.themes.iter().filter(counts).filter(fits).chain(against.iter().copied());
    if named.map(|theme| theme.share).sum::<f32>() <= 0.0 {
        return None;
    }
    let against: Vec<Said> = against.into_iter().map(said).collect();
    let kind = match (is_all, against.is_empty()) {
        (false, true) => "themes",
        (false, false) => "themes-although",
        (true, true) => "themes-only",
        (true, false) => "themes-only-although",
    };
    let said = Said::new(kind).with("themes", main);
    Some(if against.is_empty() { said } else { said.with("against", against) })
}

/// Whether the net sees the clause's themes the other way round: as speaking against the better
/// play where `is_for`, else as speaking for it.
pub(super) fn contradicts(answer: &WhyAnswer, clause: &Said, is_for: bool) -> bool {
    let Some(whole) = answer.static_difference.filter(|whole| *whole > 0.0) else { return false };
    let named = themes_of(clause);
    let belongs = |theme: &&WhyTheme| named.contains(&theme.theme.as_str());
    let sum: f32 = answer.themes.iter().filter(belongs).map(|theme| theme.share).sum();
    let clearly = (LARGE * whole).max(TOLD);
    if is_for { sum < -clearly } else { sum > clearly }
}

/// The themes that a clause speaks of; none where it is a fact of its own, such as a hit.
fn themes_of(clause: &Said) -> &'static [&'static str] {
    match clause.kind.as_str() {
        "makes" | "breaks" | "clears" | "clears-rear" | "gives-up" => {
            let points = points_of(clause);
            let are_in = |zone: std::ops::RangeInclusive<u32>| {
                points.iter().all(|point| zone.contains(point))
            };
            match (are_in(1..=6), are_in(19..=25)) {
                (true, false) => &["home-board", "block"],
                (false, true) => &["back-checkers"],
                // In the outfields points are places to land, blocks and safety at once.
                _ => &[],
            }
        }
        "prime" | "block" | "closes" | "holds" | "holds-all" => &["home-board", "block"],
        "splits" | "escapes" | "escapes-1" | "comes-out" | "comes-out-1" | "back" | "moves-up"
        | "advances" => &["back-checkers"],
        "buries" | "deep" => &["home-board", "timing"],
        "no-shot" | "shots" => &["shots"],
        kind if kind.starts_with("blot") => &["shots"],
        _ => &[],
    }
}

/// The points that a clause names.
fn points_of(clause: &Said) -> Vec<u32> {
    let Some(SaidValue::List(points)) = clause.values.get("points") else { return Vec::new() };
    let number = |point: &SaidValue| match point {
        SaidValue::Part(point) => match (point.kind.as_str(), point.values.get("n")) {
            ("bar-point", _) => 7,
            ("midpoint", _) => 13,
            ("their-bar-point", _) => 18,
            (_, Some(SaidValue::Count(n))) => *n,
            _ => 0,
        },
        _ => 0,
    };
    points.iter().map(number).collect()
}

impl<'a> Boards<'a> {
    fn of(answer: &'a WhyAnswer, why: &'a Explanation) -> Boards<'a> {
        Boards {
            facts: [&answer.facts_better, &answer.facts_worse],
            boards: [why.better.after(), why.worse.after()],
        }
    }

    /// Whether the boards differ in the theme, and in the direction in which the net sees it.
    fn bear_out(&self, theme: &WhyTheme) -> bool {
        let is_for = theme.share > 0.0;
        // `a` is the board that the theme speaks for.
        let [a, b] = if is_for { self.facts } else { [self.facts[1], self.facts[0]] };
        let lead = |facts: &WhyFacts| i32::from(facts.pips[1]) - i32::from(facts.pips[0]);
        let has_contact = a.contact || b.contact;
        let own_differ = |points: std::ops::RangeInclusive<usize>| {
            let [one, other] = self.boards.map(Position::flipped);
            points.into_iter().any(|point| one.own(point) != other.own(point))
        };
        match theme.theme.as_str() {
            "race" => lead(a) > lead(b),
            "bearing-off" => !has_contact || a.off[0] > b.off[0],
            _ if !has_contact => false,
            "shots" => {
                let fewer_blots = a.shots == b.shots && a.blots.len() < b.blots.len();
                a.shots < b.shots || is_for && a.shots > 0 && fewer_blots
            }
            "home-board" => a.home_points[0] >= b.home_points[0] && own_differ(1..=6),
            "block" => a.longest_block[0] > b.longest_block[0],
            "back-checkers" => own_differ(19..=25) || a.on_bar[1] != b.on_bar[1],
            "entering" => a.on_bar != b.on_bar,
            "outfield" => own_differ(13..=18),
            _ => true,
        }
    }

    /// What players call it: a home board with as many points differs in its spares.
    fn name(&self, theme: &WhyTheme) -> Said {
        let [a, b] = self.facts.map(|facts| facts.home_points[0]);
        Said::new(&match (theme.theme.as_str(), a == b) {
            ("home-board", true) => "theme-home-spares".to_owned(),
            (name, _) => format!("theme-{name}"),
        })
    }
}
