//! Equities with a cube of bearoffs that have a few checkers more than the two-sided database
//! holds. Each one is computed when it is asked for, by the recursion of that database.

use std::sync::{Mutex, PoisonError};

use super::OneSided;
use super::home_board_index::{board, homes, plays};
use super::two_sided::RollSums;
use crate::backgammon::{Dice, Results};
use crate::eval::Cubeful;

/// The most checkers of a side.
const CHECKERS: u8 = 8;
/// The boards of that many checkers.
const BOARDS: usize = homes(CHECKERS);
/// A play is tried if it needs at most this many rolls more than the fastest one, on average.
const SLOWER_BY: f32 = 0.05;
/// The most plays that are tried for a roll.
const TRIED: usize = 3;
/// On a board that needs more rolls than this on average, only the fastest play is tried. There the
/// best play depends little on the opponent's board.
const LONG: f32 = 5.0;
/// Equities that stand together in memory.
const PAGE: usize = 32;
/// Pages that are kept, 32 MB. More are forgotten all at once.
const KEPT: usize = 1 << 16;

/// Solves bearoffs with up to [`CHECKERS`] checkers a side. For each roll both sides consider only
/// plays that are nearly the fastest, which leaves few positions: 1,400 on average, and 245,000 if
/// all sixteen checkers are on 6 points. Known equities are kept for later questions.
#[derive(Debug, Default)]
pub(super) struct RaceSolver {
    known: Mutex<Known>,
}

/// The values computed so far. Every value depends on the boards alone, never on the questions.
#[derive(Debug, Default)]
struct Known {
    equities: Equities,
    /// By board.
    candidates: Vec<Option<Box<Candidates>>>,
    results: Results,
}

/// The boards that the plays of each roll lead to; [`NONE`] after the last one.
type Candidates = [[u16; TRIED]; 21];
const NONE: u16 = u16::MAX;

/// The databases that answer where they can.
pub(super) struct Sources<'a, F> {
    /// For the number of rolls that a board needs.
    pub(super) one_sided: &'a OneSided,
    /// The exact equities of two boards by number.
    pub(super) exact: F,
}

impl RaceSolver {
    /// The equities of two boards by number, neither of them empty. `None` if a side has more
    /// checkers than can be solved in a moment.
    pub(super) fn equities<F>(
        &self,
        own: usize,
        theirs: usize,
        sources: &Sources<'_, F>,
    ) -> Option<Cubeful>
    where
        F: Fn(usize, usize) -> Option<Cubeful>,
    {
        if own.max(theirs) >= BOARDS {
            return None;
        }
        // A panic cannot leave a wrong value behind: values are kept when they are complete.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Some(known.solve(own as u16, theirs as u16, sources))
    }
}

impl Known {
    /// Both boards have checkers.
    fn solve<F>(&mut self, own: u16, theirs: u16, sources: &Sources<'_, F>) -> Cubeful
    where
        F: Fn(usize, usize) -> Option<Cubeful>,
    {
        let place = usize::from(own) * BOARDS + usize::from(theirs);
        if let Some(equities) = self.equities.get(place) {
            return equities;
        }
        if let Some(exact) = (sources.exact)(own.into(), theirs.into()) {
            return exact;
        }
        let mut sums = RollSums::default();
        let candidates = self.candidates(own, sources.one_sided);
        for (dice, plays) in Dice::ALL.into_iter().zip(candidates) {
            let after = plays.into_iter().take_while(|&next| next != NONE).map(|next| match next {
                0 => Cubeful::all(-1.0),
                next => self.solve(theirs, next, sources),
            });
            sums.add_best(after, dice);
        }
        let equities = sums.mean();
        self.equities.keep(place, equities);
        equities
    }

    fn candidates(&mut self, own: u16, one_sided: &OneSided) -> Candidates {
        self.candidates.resize(BOARDS, None);
        let results = &mut self.results;
        let place = &mut self.candidates[usize::from(own)];
        **place.get_or_insert_with(|| Box::new(candidates(own, one_sided, results)))
    }
}

/// Equities by place, in pages: questions ask for places near each other.
#[derive(Debug, Default)]
struct Equities {
    pages: Vec<Option<Box<[Cubeful; PAGE]>>>,
    used: usize,
}

impl Equities {
    fn get(&self, place: usize) -> Option<Cubeful> {
        let page = self.pages.get(place / PAGE)?.as_ref()?;
        Some(page[place % PAGE]).filter(|equities| !equities.cubeless.is_nan())
    }

    fn keep(&mut self, place: usize, equities: Cubeful) {
        if self.used == KEPT {
            *self = Equities::default();
        }
        self.pages.resize(BOARDS * BOARDS / PAGE + 1, None);
        let page = self.pages[place / PAGE].get_or_insert_with(|| {
            self.used += 1;
            Box::new([Cubeful::all(f32::NAN); PAGE])
        });
        page[place % PAGE] = equities;
    }
}

/// The nearly fastest plays of each roll.
fn candidates(own: u16, one_sided: &OneSided, results: &mut Results) -> Candidates {
    let home = board(own.into());
    let long = mean_rolls(own.into(), one_sided) > LONG;
    let (most, slower_by) = if long { (1, 0.0) } else { (TRIED, SLOWER_BY) };
    Dice::ALL.map(|dice| {
        let mut found: Vec<(f32, usize)> =
            plays(&home, dice, results).map(|next| (mean_rolls(next, one_sided), next)).collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let limit = found.first().map_or(0.0, |fastest| fastest.0 + slower_by);
        let mut tried = [NONE; TRIED];
        let near = found.iter().take(most).take_while(|play| play.0 <= limit);
        for (place, play) in tried.iter_mut().zip(near) {
            *place = play.1 as u16;
        }
        tried
    })
}

/// The mean number of rolls until a board is empty.
fn mean_rolls(number: usize, one_sided: &OneSided) -> f32 {
    let chances = one_sided.of(number).0;
    chances.iter().zip(0u8..).map(|(chance, rolls)| f32::from(rolls) * chance).sum()
}
