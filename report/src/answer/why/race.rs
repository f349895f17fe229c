//! What plays do in races, bearoffs and where only a gammon can be saved.

use super::WhyFacts;
use super::deeds::Told;
use super::words::{Said, SaidValue};

/// Less waste than this is not told, in pips.
const TOLD_WASTE: f32 = 0.1;

/// What the play is ahead in: checkers at home, pips to get there, gaps, and stacks.
pub(super) fn gains(play: Told<'_>, other: Told<'_>, is_better: bool) -> Vec<Said> {
    let [own, others] = [play.facts, other.facts];
    let mut gains = Vec::new();
    let counted = |kind: &str, n: u8, m: u8| Said::new(kind).with("n", n).with("m", m);
    if !is_race(play) && (own.outside > 0 || !is_better) {
        return gains;
    }
    if own.outside == 0 && others.outside > 0 {
        gains.push(Said::new("all-home"));
    } else if is_race(play) && own.outside < others.outside {
        gains.push(counted("outside", own.outside, others.outside));
    } else if is_race(play) && own.pips_home < others.pips_home {
        let said = Said::new("pips-home").with("n", u32::from(own.pips_home));
        gains.push(said.with("m", u32::from(others.pips_home)));
    } else if is_race(play) && own.pips_home == others.pips_home {
        let [crossovers, others] = [play, other].map(crossovers);
        let said = Said::new("crossovers").with("n", crossovers).with("m", others);
        gains.extend((crossovers < others).then_some(said));
    }
    let is_told = is_better || !play.leaves_their_home();
    if is_race(play) && is_told && own.back[0] < others.back[0] {
        gains.push(match own.back[0] {
            0 => Said::new("leaves-home"),
            back => counted("back", back, others.back[0]),
        });
    }
    if is_race(play) && is_better && own.back[0] == others.back[0] {
        let [pips, others] = [play, other].map(pips_out);
        let said = Said::new("pips-out").with("n", pips).with("m", others);
        gains.extend((pips < others).then_some(said));
    }
    // Gaps and stacks are reasons only where they decide.
    if !is_better {
        return gains;
    }
    let are_home = own.outside == 0 && others.outside == 0;
    let is_bearing_off = are_home && !own.contact && !others.contact;
    let is_held = |point: &&u8| own.home[usize::from(6 - **point)] > 0;
    let filled: Vec<Said> = (others.gaps.iter().filter(is_held))
        .map(|point| Said::new("point").with("n", *point))
        .collect();
    if is_bearing_off && own.gaps.len() < others.gaps.len() && !filled.is_empty() {
        gains.push(Said::new("fills").with("points", filled));
    }
    let [stack, others_stack] = [own.highest_stack[0], others.highest_stack[0]];
    if gains.is_empty() && !own.contact && own.off[0] == others.off[0] && stack < others_stack {
        gains.push(counted("lower-stack", stack, others_stack));
    }
    if let (Some(wasted), Some(others)) = (own.wasted, others.wasted)
        && others - wasted >= TOLD_WASTE
    {
        let pips = |number: f32| SaidValue::Decimal { number, digits: 1 };
        gains.push(Said::new("wastes").with("n", pips(wasted)).with("m", pips(others)));
    }
    gains
}

/// Whether all that counts are pips, crossovers and checkers borne off.
///
/// This holds without contact, and for a player who has hardly a chance to win while the opponent
/// bears off.
pub(super) fn is_race(play: Told<'_>) -> bool {
    !play.facts.contact || is_saving(play.facts, play.win)
}

/// A player who wins more often than this plays for the win.
const HARDLY: f32 = 0.12;

fn is_saving(facts: &WhyFacts, win: f32) -> bool {
    win < HARDLY && facts.off[1] > 0 && facts.off[0] == 0
}

/// Quarters of the board that the checkers outside have to cross until all are home.
fn crossovers(play: Told<'_>) -> u8 {
    let own = play.board.flipped();
    (7..=25u8).map(|point| (point - 1) / 6 * own.own(usize::from(point))).sum()
}

/// Pips until no checker is in the opponent's home board.
fn pips_out(play: Told<'_>) -> u8 {
    let own = play.board.flipped();
    (19..=25u8).map(|point| (point - 18) * own.own(usize::from(point))).sum()
}
