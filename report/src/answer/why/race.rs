//! What plays do in races, bearoffs and where only a gammon can be saved.

use super::WhyFacts;
use super::deeds::Told;
use super::words::Said;

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
    }
    let is_told = is_better || !play.leaves_their_home();
    if is_race(play) && is_told && own.back[0] < others.back[0] {
        gains.push(match own.back[0] {
            0 => Said::new("leaves-home"),
            back => counted("back", back, others.back[0]),
        });
    }
    // Gaps and stacks are reasons only where they decide.
    if !is_better {
        return gains;
    }
    let are_home = own.outside == 0 && others.outside == 0;
    let is_bearing_off = are_home && !own.contact && !others.contact;
    let [rear, others_rear] = [play, other].map(rearmost);
    if are_home && own.contact && rear.0 == others_rear.0 && rear.1 % 2 < others_rear.1 % 2 {
        gains.push(counted("even-rear", rear.1, others_rear.1));
    }
    let [gaps, others_gaps] = [play, other].map(empty_points);
    let own_board = play.board.flipped();
    let is_held = |point: &u8| own_board.own(usize::from(*point)) > 0;
    let filled: Vec<Said> = (others_gaps.iter().copied().filter(is_held))
        .map(|point| Said::new("point").with("n", point))
        .collect();
    if is_bearing_off && gaps.len() < others_gaps.len() && !filled.is_empty() {
        gains.push(Said::new("fills").with("points", filled));
    }
    let [stack, others_stack] = [own.highest_stack[0], others.highest_stack[0]];
    if gains.is_empty() && !own.contact && own.off[0] == others.off[0] && stack < others_stack {
        gains.push(counted("lower-stack", stack, others_stack));
    }
    gains
}

/// Whether all that counts are pips, crossovers and checkers borne off: no contact, or a player who
/// has hardly a chance to win while the opponent bears off.
pub(super) fn is_race(play: Told<'_>) -> bool {
    !play.facts.contact || is_saving(play.facts, play.win)
}

/// A player who wins more often than this plays for the win.
const HARDLY: f32 = 0.12;

fn is_saving(facts: &WhyFacts, win: f32) -> bool {
    win < HARDLY && facts.off[1] > 0 && facts.off[0] == 0
}

/// Home points without a checker below the highest one that has some.
fn empty_points(play: Told<'_>) -> Vec<u8> {
    let own = play.board.flipped();
    let count = |point: &u8| own.own(usize::from(*point));
    let highest = (1..=6).rev().find(|point| count(point) > 0).unwrap_or(0);
    (1..highest).rev().filter(|point| count(point) == 0).collect()
}

/// The highest point with own checkers, and how many.
fn rearmost(play: Told<'_>) -> (u8, u8) {
    let own = play.board.flipped();
    let held = (1..=25u8).rev().map(|point| (point, own.own(usize::from(point))));
    held.into_iter().find(|(_, count)| *count > 0).unwrap_or((0, 0))
}
