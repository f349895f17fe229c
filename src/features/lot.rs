//! A few positions encoded together: as many as the vectors at hand have lanes.

use pulp::Simd;

use super::columns::{Columns, Picked};
use super::side::SideRows;
use super::{Encoding, Inputs, contact, endgame, race};
use crate::backgammon::View;

/// Lanes of the widest vectors.
const MAX_LANES: usize = 16;

/// Positions that are encoded together, none of them finished.
pub struct Lot<S: Simd> {
    simd: S,
    encoding: Encoding,
    views: [View; MAX_LANES],
    len: usize,
    own: SideRows<S>,
    opponent: SideRows<S>,
    /// What the player on roll decides alone, and all else; only of the contact encoding.
    alone: Columns<S>,
    rest: Columns<S>,
    picked: Picked,
}

impl<S: Simd> Lot<S> {
    /// How many positions a lot takes.
    pub const SIZE: usize = if S::U32_LANES < MAX_LANES { S::U32_LANES } else { MAX_LANES };

    /// An empty lot for one encoding.
    #[inline(always)]
    pub fn new(simd: S, encoding: Encoding) -> Lot<S> {
        Lot {
            simd,
            encoding,
            views: [View::default(); MAX_LANES],
            len: 0,
            own: SideRows::new(simd),
            opponent: SideRows::new(simd),
            alone: Columns::new(simd),
            rest: Columns::new(simd),
            picked: Picked::NONE,
        }
    }

    /// Empties the lot for positions of an encoding.
    #[inline(always)]
    pub fn clear(&mut self, encoding: Encoding) {
        self.encoding = encoding;
        self.len = 0;
    }

    /// Takes one more position; there must be room.
    #[inline(always)]
    pub fn add(&mut self, view: &View) {
        self.views[self.len % MAX_LANES] = *view;
        self.len += 1;
    }

    /// How many positions there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Encodes all of them; `begins` says whether any needs [`Lot::begin`].
    #[inline(always)]
    pub fn encode(&mut self, begins: bool) {
        if self.encoding != Encoding::Contact {
            return;
        }
        let views = &self.views[..self.len];
        for (lane, view) in views.iter().enumerate() {
            self.own.set(lane, &view.own);
            self.opponent.set(lane, &view.opponent);
        }
        let (own, opponent) = (self.own.read(self.simd), self.opponent.read(self.simd));
        if begins {
            self.alone.clear(self.simd);
            contact::alone(&own, 0, &mut self.alone);
        }
        self.rest.clear(self.simd);
        contact::alone(&opponent, contact::HALF, &mut self.rest);
        contact::together(self.simd, &own, &opponent, views, &mut self.rest);
    }

    /// Begins the list of a position with the inputs that the checkers of the player on roll decide alone.
    #[inline(always)]
    pub fn begin(&mut self, lane: usize, inputs: &mut Inputs) {
        let Lot { views, alone, picked, encoding, .. } = self;
        let own = &views[lane].own;
        inputs.begin(
            #[inline(always)]
            |writer| match encoding {
                Encoding::Endgame => endgame::alone(own, 0, writer),
                Encoding::Race => {
                    endgame::alone(own, 0, writer);
                    race::alone(own, race::OWN, writer);
                }
                Encoding::Contact => {
                    contact::points(own, 0, writer);
                    alone.pick(lane, picked);
                    writer.copy(alone.picked(lane, picked));
                }
            },
        );
    }

    /// Completes the list, also one begun for another position in which the player on roll stands as he does here.
    #[inline(always)]
    pub fn complete(&mut self, lane: usize, inputs: &mut Inputs) {
        let rest = self.rest(lane, inputs);
        inputs.append(rest);
    }

    /// What completes the list without copying it all: first what is in [`Inputs::rest`] then, and after that what is
    /// returned, as (index, value).
    #[inline(always)]
    pub fn rest<'a>(
        &'a mut self,
        lane: usize,
        inputs: &mut Inputs,
    ) -> impl Iterator<Item = (usize, f32)> + Clone + use<'a, S> {
        let Lot { views, rest, picked, encoding, .. } = self;
        let View { own, opponent } = &views[lane];
        picked.clear();
        inputs.complete(
            #[inline(always)]
            |writer| match encoding {
                Encoding::Endgame => endgame::alone(opponent, endgame::HALF, writer),
                Encoding::Race => {
                    endgame::alone(opponent, endgame::HALF, writer);
                    race::alone(opponent, race::OPPONENT, writer);
                    race::together(own, opponent, writer);
                }
                Encoding::Contact => {
                    contact::points(opponent, contact::HALF, writer);
                    rest.pick(lane, picked);
                }
            },
        );
        rest.picked(lane, picked)
    }
}
