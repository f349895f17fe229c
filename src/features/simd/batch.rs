//! A few positions encoded together: as many as the vectors at hand have lanes.

use pulp::Simd;

use super::columns::{ActiveColumns, ColumnBuffer, Columns};
use super::lanes::MAX_LANES;
use crate::backgammon::View;
use crate::features::side::SideColumns;
use crate::features::{Encoding, SparseInputs, contact, endgame, race, raw};

/// Positions in the largest lot.
pub const MAX_BATCH: usize = MAX_LANES;

/// What lots are written to, kept because clearing it takes as long as encoding a position.
#[derive(Clone, Debug, Default)]
pub struct EncodeScratch {
    views: [View; MAX_LANES],
    one_sided: ColumnBuffer,
    rest: ColumnBuffer,
}

/// Positions that are encoded together, none of them finished.
pub struct EncodeBatch<'a, S: Simd> {
    simd: S,
    encoding: Encoding,
    views: &'a mut [View; MAX_LANES],
    len: usize,
    own: SideColumns<S>,
    opponent: SideColumns<S>,
    /// What the player on roll decides alone, and all else; only of the contact encoding.
    one_sided: Columns<'a, S>,
    rest: Columns<'a, S>,
    active: ActiveColumns,
}

impl<'a, S: Simd> EncodeBatch<'a, S> {
    /// How many positions a lot takes.
    pub const SIZE: usize = if S::U32_LANES < MAX_LANES { S::U32_LANES } else { MAX_LANES };

    /// An empty lot for one encoding.
    #[inline(always)]
    pub fn new(simd: S, encoding: Encoding, scratch: &'a mut EncodeScratch) -> EncodeBatch<'a, S> {
        let EncodeScratch { views, one_sided, rest } = scratch;
        EncodeBatch {
            simd,
            encoding,
            views,
            len: 0,
            own: SideColumns::new(simd),
            opponent: SideColumns::new(simd),
            one_sided: Columns::new(simd, one_sided),
            rest: Columns::new(simd, rest),
            active: ActiveColumns::default(),
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

    /// What the positions are encoded as.
    #[inline(always)]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Whether nobody is there.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many positions there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no room for one more.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.len == Self::SIZE
    }

    /// Encodes all of them; `begins` says whether any needs [`EncodeBatch::begin`].
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
            self.one_sided.clear(self.simd);
            contact::one_sided(&own, 0, &mut self.one_sided);
        }
        self.rest.clear(self.simd);
        contact::one_sided(&opponent, contact::HALF, &mut self.rest);
        contact::two_sided(self.simd, &own, &opponent, views, &mut self.rest);
    }

    /// Begins the list of a position with the inputs that the checkers of the player on roll decide alone.
    #[inline(always)]
    pub fn begin(&mut self, lane: usize, inputs: &mut SparseInputs) {
        let EncodeBatch { views, one_sided, active, encoding, .. } = self;
        let own = &views[lane].own;
        inputs.clear();
        inputs.write(
            #[inline(always)]
            |writer| match encoding {
                Encoding::Endgame => endgame::one_sided(own, 0, writer),
                Encoding::Race => {
                    endgame::one_sided(own, 0, writer);
                    race::one_sided(own, race::OWN, writer);
                }
                Encoding::Raw => raw::one_sided(own, 0, writer),
                Encoding::Contact => {
                    contact::points(own, 0, writer);
                    one_sided.pick(lane, active);
                    writer.copy(one_sided.active(lane, active));
                }
            },
        );
    }

    /// Completes the list.
    #[inline(always)]
    pub fn complete(&mut self, lane: usize, inputs: &mut SparseInputs) {
        let rest = self.rest(lane, inputs);
        inputs.write(
            #[inline(always)]
            |writer| writer.copy(rest),
        );
    }

    /// What completes the list without copying it all: first what is added to `inputs`, and after that what is returned,
    /// as (index, value).
    #[inline(always)]
    pub fn rest<'b>(
        &'b mut self,
        lane: usize,
        inputs: &mut SparseInputs,
    ) -> impl Iterator<Item = (usize, f32)> + Clone + use<'a, 'b, S> {
        let EncodeBatch { views, rest, active, encoding, .. } = self;
        let View { own, opponent } = &views[lane];
        active.clear();
        inputs.write(
            #[inline(always)]
            |writer| match encoding {
                Encoding::Endgame => endgame::one_sided(opponent, endgame::HALF, writer),
                Encoding::Race => {
                    endgame::one_sided(opponent, endgame::HALF, writer);
                    race::one_sided(opponent, race::OPPONENT, writer);
                    race::two_sided(own, opponent, writer);
                }
                Encoding::Raw => raw::one_sided(opponent, raw::HALF, writer),
                Encoding::Contact => {
                    contact::points(opponent, contact::HALF, writer);
                    rest.pick(lane, active);
                }
            },
        );
        rest.active(lane, active)
    }
}
