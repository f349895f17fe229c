//! Batches of positions that are encoded together, as many as the processor's vectors have lanes.

use pulp::{Simd, WithSimd};

use super::columns::{ActiveColumns, ColumnBuffer, Columns};
use super::lanes::MAX_LANES;
use crate::backgammon::{BoardView, Side};
use crate::features::side::SideColumns;
use crate::features::{Encoding, SparseInputs};
use crate::vectors::apart;

/// The most positions that a batch can have.
pub const MAX_BATCH: usize = MAX_LANES;

/// Buffers that batches write to. They are reused because clearing them takes as long as encoding a
/// position.
#[derive(Clone, Debug, Default)]
pub struct EncodeScratch {
    views: [BoardView; MAX_LANES],
    own_columns: ColumnBuffer,
    remaining_columns: ColumnBuffer,
}

/// Positions that are encoded together, none of them finished. An engine detail for training:
/// use it inside a function dispatched by [`pulp::Arch::dispatch`].
///
/// Call [`clear`](EncodeBatch::clear), [`add`](EncodeBatch::add) until it is full,
/// [`encode`](EncodeBatch::encode); then for each lane [`write_own`](EncodeBatch::write_own) and
/// [`write_remaining`](EncodeBatch::write_remaining).
pub struct EncodeBatch<'a, S: Simd> {
    simd: S,
    encoding: Encoding,
    views: &'a mut [BoardView; MAX_LANES],
    len: usize,
    /// The inputs written in lanes that depend on the own checkers alone.
    own_columns: Columns<'a, S>,
    /// The other inputs written in lanes.
    remaining_columns: Columns<'a, S>,
    active: ActiveColumns,
}

impl<'a, S: Simd> EncodeBatch<'a, S> {
    /// The number of positions in a full batch.
    pub const SIZE: usize = if S::U32_LANES < MAX_LANES { S::U32_LANES } else { MAX_LANES };

    /// An empty batch for one encoding.
    #[inline(always)]
    pub fn new(simd: S, encoding: Encoding, scratch: &'a mut EncodeScratch) -> EncodeBatch<'a, S> {
        let EncodeScratch { views, own_columns, remaining_columns } = scratch;
        EncodeBatch {
            simd,
            encoding,
            views,
            len: 0,
            own_columns: Columns::new(simd, own_columns),
            remaining_columns: Columns::new(simd, remaining_columns),
            active: ActiveColumns::default(),
        }
    }

    /// Empties the batch; the next positions get the inputs of `encoding`.
    #[inline(always)]
    pub fn clear(&mut self, encoding: Encoding) {
        self.encoding = encoding;
        self.len = 0;
    }

    /// Adds a position; the batch must not be full.
    #[inline(always)]
    pub fn add(&mut self, view: &BoardView) {
        self.views[self.len % MAX_LANES] = *view;
        self.len += 1;
    }

    /// The encoding of its positions.
    #[inline(always)]
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Number of positions.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the batch has no positions.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the batch is full.
    #[inline(always)]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.len == Self::SIZE
    }

    /// Computes the inputs that are written in lanes. `with_own` says whether any position needs
    /// [`EncodeBatch::write_own`].
    #[inline(always)]
    pub fn encode(&mut self, with_own: bool) {
        if self.encoding.lanes() {
            let EncodeBatch { simd, encoding, len, .. } = *self;
            let EncodeBatch { views, own_columns, remaining_columns, .. } = self;
            let (views, own_columns) = (&views[..len], with_own.then_some(own_columns));
            apart(simd, EncodeLanes { simd, encoding, views, own_columns, remaining_columns });
        }
    }

    /// Starts the list of a position with the inputs that depend on the own checkers alone.
    #[inline(always)]
    pub fn write_own(&mut self, lane: usize, inputs: &mut SparseInputs) {
        let EncodeBatch { views, own_columns, active, encoding, .. } = self;
        let own = &views[lane].own;
        inputs.clear();
        inputs.write(
            #[inline(always)]
            |writer| {
                encoding.one_sided(own, Side::Own, writer);
                if encoding.lanes() {
                    own_columns.pick(lane, active);
                    writer.copy(own_columns.active(lane, active));
                }
            },
        );
    }

    /// Adds all other inputs to the list.
    #[inline(always)]
    pub fn write_remaining(&mut self, lane: usize, inputs: &mut SparseInputs) {
        let remaining = self.remaining(lane, inputs);
        inputs.write(
            #[inline(always)]
            |writer| writer.copy(remaining),
        );
    }

    /// The other inputs, most of them without a copy: adds the first of them to `inputs` and
    /// returns those that follow as (index, value).
    #[inline(always)]
    pub fn remaining<'b>(
        &'b mut self,
        lane: usize,
        inputs: &mut SparseInputs,
    ) -> impl Iterator<Item = (usize, f32)> + Clone + use<'a, 'b, S> {
        let EncodeBatch { views, remaining_columns, active, encoding, .. } = self;
        let BoardView { own, opponent, .. } = &views[lane];
        active.clear();
        inputs.write(
            #[inline(always)]
            |writer| {
                encoding.one_sided(opponent, Side::Opponent, writer);
                encoding.two_sided(own, opponent, writer);
                if encoding.lanes() {
                    remaining_columns.pick(lane, active);
                }
            },
        );
        remaining_columns.active(lane, active)
    }
}

/// The work of [`EncodeBatch::encode`], the largest code of an evaluation.
struct EncodeLanes<'b, 'a, S: Simd> {
    simd: S,
    encoding: Encoding,
    views: &'b [BoardView],
    /// If any position needs them.
    own_columns: Option<&'b mut Columns<'a, S>>,
    remaining_columns: &'b mut Columns<'a, S>,
}

impl<S: Simd> WithSimd for EncodeLanes<'_, '_, S> {
    type Output = ();

    #[inline(always)]
    fn with_simd<Same: Simd>(self, _simd: Same) {
        let EncodeLanes { simd, encoding, views, own_columns, remaining_columns } = self;
        let (mut own, mut opponent) = (SideColumns::new(simd), SideColumns::new(simd));
        for (lane, view) in views.iter().enumerate() {
            own.set(lane, &view.own);
            opponent.set(lane, &view.opponent);
        }
        let (own, opponent) = (own.read(simd), opponent.read(simd));
        if let Some(columns) = own_columns {
            columns.clear(simd);
            encoding.one_sided_lanes(&own, Side::Own, columns);
        }
        remaining_columns.clear(simd);
        encoding.one_sided_lanes(&opponent, Side::Opponent, remaining_columns);
        encoding.two_sided_lanes(simd, &own, &opponent, views, remaining_columns);
    }
}
