//! Counts that speak for a play where nothing larger does.

use super::words::Said;
use super::{WhyAnswer, WhyFacts};

/// No more counts than these are told.
const MOST: usize = 2;
/// With contact, pips home are told of at most this number of checkers outside.
const FEW: u8 = 4;

/// What can be counted for the better play, the more telling counts first.
pub(super) fn small_counts(answer: &WhyAnswer) -> Option<Said> {
    let [better, worse] = [&answer.facts_better, &answer.facts_worse];
    let has_contact = better.contact || worse.contact;
    let are_home = better.outside == 0 && worse.outside == 0;
    let both = |of: &dyn Fn(&WhyFacts) -> usize| [of(better), of(worse)];
    let made = |of: &dyn Fn(&WhyFacts) -> u8| both(&|facts| of(facts).into());
    let (fewer, more) = (|[n, m]: [usize; 2]| n < m, |[n, m]: [usize; 2]| n > m);
    let shots = made(&|facts| facts.shots);
    let home = made(&|facts| facts.home_points[0]);
    let block = made(&|facts| facts.longest_block[0]);
    let escapes = made(&|facts| facts.escapes);
    let blots = both(&|facts| facts.blots.len());
    let off = made(&|facts| facts.off[0]);
    let outside = made(&|facts| facts.outside);
    let pips_home = both(&|facts| facts.pips_home.into());
    // While many checkers are outside, pips home say nothing.
    let is_coming_home = !has_contact || better.outside.max(worse.outside) <= FEW;
    let gaps = both(&|facts| facts.gaps.len());
    let told = [
        ("small-shots", has_contact && fewer(shots), shots),
        ("small-home", has_contact && more(home), home),
        ("small-block", has_contact && more(block), block),
        ("small-escapes", has_contact && fewer(escapes), escapes),
        ("small-blots", has_contact && fewer(blots), blots),
        ("small-off", more(off), off),
        ("small-outside", fewer(outside), outside),
        ("small-pips-home", is_coming_home && fewer(pips_home), pips_home),
        ("small-gaps", (!has_contact || are_home) && fewer(gaps), gaps),
    ];
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let said = |(kind, _, [n, m]): (&str, bool, [usize; 2])| {
        Said::new(kind).with("n", count(n)).with("m", count(m))
    };
    let counts: Vec<Said> = told.into_iter().filter(|row| row.1).take(MOST).map(said).collect();
    let sentence = Said::new("small-counts").with("play", &answer.better.play);
    (!counts.is_empty()).then(|| sentence.with("counts", counts))
}
