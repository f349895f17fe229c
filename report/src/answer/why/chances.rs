//! Which outcomes make the difference between two plays.

use super::WhyAnswer;
use super::words::{Said, percent};

/// Chances that differ by this much are told.
const TOLD_CHANCE: f32 = 0.003;
/// The same if no larger change speaks for the better play.
const SMALL_CHANCE: f32 = 0.0005;
/// A gammon that is worth less than this counts nothing.
pub(super) const TOLD_PRICE: f32 = 0.01;

/// A chance that the plays differ in.
struct Change {
    name: &'static str,
    /// How much larger it is after the better play.
    by: f32,
    /// What that is worth, in points without the cube.
    worth: f32,
}

/// The changes that count at this score, by falling worth.
fn changes(answer: &WhyAnswer) -> Vec<Change> {
    let [a, b] = [&answer.better.outcomes, &answer.worse.outcomes];
    let [won, lost] =
        answer.gammon_prices.map(|price| if price > TOLD_PRICE { price } else { 0.0 });
    let change = |name, by: f32, price: f32| Change { name, by, worth: 2.0 * price * by };
    let mut all = vec![
        change("wins", a.win - b.win, 1.0),
        change("gammons-won", a.win_gammon - b.win_gammon, won),
        change("backgammons-won", a.win_backgammon - b.win_backgammon, won),
        change("gammons-lost", a.lose_gammon - b.lose_gammon, -lost),
        change("backgammons-lost", a.lose_backgammon - b.lose_backgammon, -lost),
    ];
    all.retain(|change| change.worth != 0.0);
    all.sort_by(|a, b| b.worth.abs().total_cmp(&a.worth.abs()));
    all
}

/// More and fewer wins, gammons and backgammons, the largest part of the difference first.
pub(super) fn outcomes(answer: &WhyAnswer) -> Option<Said> {
    let all = changes(answer);
    let tell = |is_gain: bool, least: f32| -> Vec<Said> {
        let fits = |c: &&Change| (c.worth > 0.0) == is_gain && c.by.abs() >= least;
        let told = |change: &Change| {
            let word = if change.by > 0.0 { "more" } else { "fewer" };
            let said = Said::new(&format!("{word}-{}", change.name));
            said.with("n", percent(change.by.abs(), 1))
        };
        all.iter().filter(fits).map(told).collect()
    };
    let (mut more, but) = (tell(true, TOLD_CHANCE), tell(false, TOLD_CHANCE));
    // Where the changes together speak for the other play, the cube makes the difference.
    let is_cube = all.iter().map(|change| change.worth).sum::<f32>() < 0.0;
    if more.is_empty() && !is_cube {
        more = tell(true, SMALL_CHANCE);
    }
    let said = |kind: &str| Said::new(kind).with("play", &answer.better.play);
    match (more.is_empty(), but.is_empty()) {
        (true, true) => None,
        (false, true) => Some(said("outcomes").with("more", more)),
        (false, false) => {
            let kind = if is_cube { "outcomes-although-cube" } else { "outcomes-although" };
            Some(said(kind).with("more", more).with("but", but))
        }
        (true, false) if is_cube => Some(said("outcomes-cube").with("but", but)),
        (true, false) => None,
    }
}
