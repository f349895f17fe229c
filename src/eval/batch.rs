//! The hot path: positions in batches, a lot of them at a time, each judged by the net of its class.

use std::cell::RefCell;

use pulp::{Simd, WithSimd};

use super::Specialists;
use crate::backgammon::{Position, SideView, View};
use crate::class::Class;
use crate::eval::Evaluation;
use crate::features::{EncodeBatch, EncodeScratch, Encoding, MAX_BATCH, SparseInputs};
use crate::nn::{Accumulator, ForwardCache, pairs};

/// Judges positions: `out` gets their evaluations in order.
pub(super) fn judge(team: &Specialists, positions: &[Position], out: &mut Vec<Evaluation>) {
    BUFFERS.with_borrow_mut(|buffers| {
        pulp::Arch::new().dispatch(Batch(team, positions, buffers, out));
    });
}

/// One batch, compiled once for each kind of vectors a processor may have.
struct Batch<'a>(&'a Specialists, &'a [Position], &'a mut Buffers, &'a mut Vec<Evaluation>);

/// What evaluation needs besides the nets. Each thread keeps its own: making them anew for every roll would cost as much
/// as an evaluation.
#[derive(Default)]
struct Buffers {
    view: View,
    scratch: EncodeScratch,
    inputs: SparseInputs,
    cached: [CachedAccumulator; MAX_BATCH],
    /// The sums of a position without the inputs that are written last, and of all.
    half: Accumulator,
    hidden: [ForwardCache; MAX_BATCH],
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// The sums of what the player on roll decides alone. Among the results of one roll he stands as he did unless he was
/// hit, so that few beginnings serve all of them.
#[derive(Default)]
struct CachedAccumulator {
    own: SideView,
    place: usize,
    sums: Accumulator,
}

/// A position that waits until there are enough of its encoding to be judged together.
#[derive(Clone, Copy, Default)]
struct Pending {
    /// The net that judges it.
    place: usize,
    beginning: usize,
    /// Whether it is the first one with its beginning.
    begins: bool,
}

impl WithSimd for Batch<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Batch(team, positions, buffers, out) = self;
        let Buffers { view, scratch, inputs, cached, half, hidden } = buffers;
        let mut batch = EncodeBatch::new(simd, Encoding::Contact, scratch);
        let mut pending = [Pending::default(); MAX_BATCH];
        // How many beginnings there have been; the latest of them are kept, more than wait at any time.
        let mut begun = 0;
        // One step more than there are positions, so that the code of judging them stands in one place.
        for position in positions.iter().map(Some).chain([None]) {
            let mut next = None;
            if let Some(position) = position {
                view.move_to(position);
                if !view.is_finished() {
                    next = Some(team.by_class[Class::of_view(view)]);
                }
            }
            let encoding = next.map(
                #[inline(always)]
                |place: usize| team.nets[place].encoding,
            );
            if batch.is_full() || encoding != Some(batch.encoding()) {
                let pending = &pending[..batch.len()];
                batch.encode(pending.iter().any(|one| one.begins));
                for (lane, one) in pending.iter().enumerate() {
                    let mlp = &team.nets[one.place].mlp;
                    let sums = &mut cached[one.beginning].sums;
                    if one.begins {
                        batch.write_own(lane, inputs);
                        mlp.accumulate(simd, inputs.indices(), inputs.values(), sums);
                    }
                    inputs.clear();
                    let rest = batch.remaining(lane, inputs);
                    mlp.accumulate_from(simd, sums, pairs(inputs.indices(), inputs.values()), half);
                    mlp.accumulate_from(simd, half, rest, &mut hidden[lane].sums);
                }
                // Apart from the sums, so that the processor can work on several positions at once.
                for (one, hidden) in pending.iter().zip(hidden.iter_mut()) {
                    let net = &team.nets[one.place];
                    out.push(net.evaluation(&net.mlp.output(simd, hidden)));
                }
                batch.clear(encoding.unwrap_or(batch.encoding()));
            }
            if let Some(place) = next {
                let mut beginning = 0;
                let kept = begun.min(MAX_BATCH);
                while beginning < kept && !cached[beginning].serves(place, &view.own) {
                    beginning += 1;
                }
                let begins = beginning == kept;
                if begins {
                    beginning = begun % MAX_BATCH;
                    cached[beginning].place = place;
                    cached[beginning].own = view.own;
                    begun += 1;
                }
                pending[batch.len() % MAX_BATCH] = Pending { place, beginning, begins };
                batch.add(view);
            } else if let Some(finished) = position {
                out.push(finished.outcome().map_or(Evaluation::ZERO, Evaluation::of_outcome));
            }
        }
    }
}

impl CachedAccumulator {
    #[inline(always)]
    fn serves(&self, place: usize, own: &SideView) -> bool {
        self.place == place && self.own.stands_as(own)
    }
}
