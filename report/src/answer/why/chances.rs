//! Which outcomes make the difference between two plays.

use super::words::{Said, SaidValue, percent, points};
use super::{WhyAnswer, WhyNextDouble};
use nonet_engine::backgammon::Cube;

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

/// What gammons won and lost are worth more than single games, and backgammons more than gammons.
type Prices = [[f32; 2]; 2];

/// The prices with the cube where it is.
fn prices_now(answer: &WhyAnswer) -> Prices {
    [answer.gammon_prices, answer.backgammon_prices]
}

/// The prices once the cube is turned.
fn prices_after_double(answer: &WhyAnswer) -> Prices {
    [answer.gammon_prices_after_double, answer.backgammon_prices_after_double]
}

/// The changes that count at these prices, by falling worth.
fn changes(answer: &WhyAnswer, prices: Prices) -> Vec<Change> {
    let [a, b] = [&answer.better.outcomes, &answer.worse.outcomes];
    let counted = |price: f32| if price > TOLD_PRICE { price } else { 0.0 };
    let [[won, lost], [backgammon_won, backgammon_lost]] = prices.map(|of| of.map(counted));
    let change = |name, by: f32, price: f32| Change { name, by, worth: 2.0 * price * by };
    let mut all = vec![
        change("wins", a.win - b.win, 1.0),
        change("gammons-won", a.win_gammon - b.win_gammon, won),
        change("backgammons-won", a.win_backgammon - b.win_backgammon, backgammon_won),
        change("gammons-lost", a.lose_gammon - b.lose_gammon, -lost),
        change("backgammons-lost", a.lose_backgammon - b.lose_backgammon, -backgammon_lost),
    ];
    all.retain(|change| change.worth != 0.0);
    all.sort_by(|a, b| b.worth.abs().total_cmp(&a.worth.abs()));
    all
}

/// How much better the better play would be without the cube, in points.
pub(super) fn cubeless(answer: &WhyAnswer) -> f32 {
    worth(answer, prices_now(answer))
}

fn worth(answer: &WhyAnswer, prices: Prices) -> f32 {
    changes(answer, prices).iter().map(|change| change.worth).sum()
}

/// What the cube has to do with it, where the other play would be better without it.
pub(super) fn cube_part(answer: &WhyAnswer, cube: Cube) -> Vec<Said> {
    if answer.cubeless >= 0.0 {
        return Vec::new();
    }
    let (play, other) = (&answer.better.play, &answer.worse.play);
    let without = Said::new("without-cube").with("play", play);
    let mut told = vec![without.with("loss", points(-answer.cubeless))];
    let [better, worse] = answer.next_doubles;
    let throws = |next: WhyNextDouble| next.taken + next.passed;
    let has_more_wins = answer.better.outcomes.win > answer.worse.outcomes.win + TOLD_CHANCE;
    told.extend(if throws(better) > throws(worse) && better.passed >= worse.passed {
        let said = Said::new("next-doubles").with("play", play).with("other", other);
        let said = said.with("n", throws(better)).with("passes", better.passed);
        Some(said.with("m", throws(worse)).with("others", worse.passed))
    } else if worth(answer, prices_after_double(answer)) > 0.0 {
        let doubled = answer.gammon_prices_after_double;
        let [own, theirs] = doubled.map(|number| SaidValue::Decimal { number, digits: 2 });
        let kind = if cube.value() > 1 { "prices-turned-again" } else { "prices-turned" };
        Some(Said::new(kind).with("own", own).with("theirs", theirs))
    } else if has_more_wins {
        Some(Said::new("cube-wins"))
    } else {
        None
    });
    told
}

/// More and fewer wins, gammons and backgammons, the largest part of the difference first.
pub(super) fn outcomes(answer: &WhyAnswer) -> Option<Said> {
    let all = changes(answer, prices_now(answer));
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
    let is_cube = answer.cubeless < 0.0;
    if more.is_empty() && !is_cube {
        more = tell(true, SMALL_CHANCE);
    }
    let said = |kind: &str| Said::new(kind).with("play", &answer.better.play);
    match (more.is_empty(), but.is_empty()) {
        (true, true) => None,
        (false, true) => Some(said("outcomes").with("more", more)),
        (false, false) => Some(said("outcomes-although").with("more", more).with("but", but)),
        (true, false) if is_cube => Some(said("outcomes-but").with("but", but)),
        (true, false) => None,
    }
}
