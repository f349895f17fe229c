//! What plays leave on the board besides points and blots: builders, checkers that cannot escape,
//! checkers that have moved up or are too deep.

use super::deeds::{Deeds, Told, hits, named};
use super::words::Said;
use nonet_engine::explain::PlayEvent;

/// Throws that escape are told if they differ by this much.
const ESCAPES: u8 = 4;
/// Builders are told if they differ by this much, over all wanted points together.
const BUILDERS: u8 = 2;
/// Pips that hits take are told if they differ by this much.
const PIPS: u16 = 6;
/// Points from the most to the least wanted.
const WANTED: [u8; 3] = [5, 4, 7];

/// Adds what speaks for `play`, and what speaks against it.
pub(super) fn add(deeds: &mut Deeds, play: Told<'_>, other: Told<'_>, is_better: bool) {
    if !play.facts.contact || !other.facts.contact {
        return;
    }
    // A hit comes first, then what it prevents.
    if let Some(holds) = holds(play, other) {
        deeds.gains.insert(deeds.gains.len().min(1), holds);
    }
    deeds.gains.extend(safe_next(play, other));
    if is_better {
        deeds.gains.extend(takes_pips(play, other));
    }
    if is_better && deeds.gains.is_empty() {
        let found = fewer_back(play, other).or_else(|| builders(play, other));
        let found = found.or_else(|| moves_up(play, other));
        deeds.gains.extend(found.or_else(|| advances(play, other)));
    }
    if !is_better && deeds.prices.is_empty() {
        deeds.prices.extend(deep(play, other));
    }
}

/// Fewer throws that let a back checker of the opponent escape: by a third or more.
fn holds(play: Told<'_>, other: Told<'_>) -> Option<Said> {
    let [escapes, others] = [play, other].map(|told| told.facts.escapes);
    let said = match escapes {
        0 => Said::new("holds-all"),
        escapes => Said::new("holds").with("n", escapes),
    };
    let is_clear = escapes + ESCAPES <= others && 3 * escapes <= 2 * others;
    is_clear.then(|| said.with("m", others))
}

/// Fewer throws of the next turn that leave a blot whatever is played.
fn safe_next(play: Told<'_>, other: Told<'_>) -> Option<Said> {
    let (own, others) = (play.facts.next_blots?, other.facts.next_blots?);
    let said = match own {
        0 => Said::new("safe-next-all"),
        own => Said::new("safe-next").with("n", own),
    };
    is_clear(own, others).then(|| said.with("m", others))
}

/// Whether `fewer` throws are clearly fewer than `more`: by two, and by a sixth.
pub(super) const fn is_clear(fewer: u8, more: u8) -> bool {
    more >= fewer + 2 && 6 * (more - fewer) >= more
}

/// Where both plays hit the same number of checkers, the one that sets the opponent back more.
fn takes_pips(play: Told<'_>, other: Told<'_>) -> Option<Said> {
    let hit = |told: Told<'_>| told.events.iter().find_map(hits);
    let more = play.facts.pips[1].saturating_sub(other.facts.pips[1]);
    let is_told = hit(play).is_some() && hit(play) == hit(other) && more >= PIPS;
    is_told.then(|| Said::new("takes-pips").with("n", u32::from(more)))
}

/// Fewer checkers in the opponent's home board, with none on the bar.
fn fewer_back(play: Told<'_>, other: Told<'_>) -> Option<Said> {
    let [back, others] = [play, other].map(|told| told.facts.back[0]);
    // The bar is no point of the home board.
    if [play, other].iter().any(|told| told.facts.on_bar[0] > 0) {
        return None;
    }
    let said = || match back {
        0 => Said::new("leaves-home"),
        back => Said::new("back").with("n", back).with("m", others),
    };
    (back < others).then(said)
}

/// More builders for the wanted points: told for the most wanted one that has more of them.
fn builders(play: Told<'_>, other: Told<'_>) -> Option<Said> {
    let of = |told: Told<'_>, point: u8| told.facts.builders[usize::from(7 - point)];
    let is_open = |told: Told<'_>, point: u8| {
        let own = told.board.flipped();
        own.points()[usize::from(point)] == 0 && told.is_reachable(point)
    };
    let wanted = WANTED.into_iter().filter(|&point| is_open(play, point) && is_open(other, point));
    let counts: Vec<(u8, [u8; 2])> =
        wanted.map(|point| (point, [play, other].map(|told| of(told, point)))).collect();
    let &(point, [count, others]) = counts.iter().find(|(_, [own, rest])| own != rest)?;
    let sum = |place: usize| counts.iter().map(|(_, both)| both[place]).sum::<u8>();
    let said = Said::new("builders").with("point", named(point)).with("n", count);
    (count > others && sum(0) >= sum(1) + BUILDERS).then(|| said.with("m", others))
}

/// The rearmost checkers are nearer to their way out of the opponent's home board.
fn moves_up(play: Told<'_>, other: Told<'_>) -> Option<Said> {
    let [rear, others] = [play, other].map(Told::rearmost);
    let said = || Said::new("moves-up").with("n", rear).with("m", others);
    ((19..25).contains(&rear) && rear < others && others < 25).then(said)
}

/// A back checker that moves to a point from which an anchor is wanted, or that is nearer to its
/// way out.
fn advances(play: Told<'_>, other: Told<'_>) -> Option<Said> {
    let [own, others] = [play, other].map(|told| told.board.flipped());
    let arrives = |point: usize| {
        let mut moves = play.moves.moves().iter();
        moves.any(|one| usize::from(one.to) == point && (19..25).contains(&one.from))
    };
    let is_new = |&point: &usize| arrives(point) && own.own(point) > others.own(point);
    let point = (18..=22).find(is_new)?;
    let is_anchor = point == 18 || own.own(point) >= 2;
    let at = point as u8;
    let name = if is_anchor { named(at) } else { Said::new("point").with("n", at) };
    Some(Said::new("advances").with("point", name))
}

/// More checkers on the two deepest points, where neither is made with them.
fn deep(play: Told<'_>, other: Told<'_>) -> Option<Said> {
    let count = |told: Told<'_>| {
        let own = told.board.flipped();
        own.own(1) + own.own(2)
    };
    let (own, others) = (count(play), count(other));
    let is_wanted = |event: &PlayEvent| {
        matches!(event, PlayEvent::Makes(1 | 2) | PlayEvent::Hits(_) | PlayEvent::ClosesBoard)
            && !other.events.contains(event)
    };
    let is_told = own > others
        && play.facts.outside > 0
        && other.facts.outside > 0
        && !play.events.iter().any(is_wanted);
    is_told.then(|| Said::new("deep").with("n", own).with("m", others))
}
