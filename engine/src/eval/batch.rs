//! Batch evaluation, the hot path: positions are encoded and evaluated several at a time, each by
//! the net of its class.

use std::cell::RefCell;

use pulp::{Simd, WithSimd};

use super::Specialists;
use crate::backgammon::{BoardView, Position, PossibleOutcomes, SideView};
use crate::class::Class;
use crate::eval::Evaluation;
use crate::features::{EncodeBatch, EncodeScratch, Encoding, MAX_BATCH, SparseInputs};
use crate::nn::{Accumulator, ForwardCache, Network, pairs};
use crate::vectors::dispatch_wide;

/// Writes the evaluations of positions to `out`, in order.
pub(super) fn evaluate<N: Network>(
    team: &Specialists<N>,
    positions: &[Position],
    out: &mut [Evaluation],
) {
    assert_eq!(positions.len(), out.len(), "one place for each evaluation");
    BUFFERS.with_borrow_mut(|buffers| {
        let is_wide = team.nets.iter().any(|net| net.mlp.is_quantized());
        dispatch_wide(is_wide, Batch { team, positions, buffers, out });
    });
}

/// One batch. Its code is compiled once for each vector instruction set that a processor may have.
struct Batch<'a, N> {
    team: &'a Specialists<N>,
    positions: &'a [Position],
    buffers: &'a mut Buffers,
    out: &'a mut [Evaluation],
}

/// The buffers of an evaluation. Each thread keeps its own: clearing them for every roll would cost
/// as much as an evaluation.
#[derive(Default)]
struct Buffers {
    view: BoardView,
    scratch: EncodeScratch,
    inputs: SparseInputs,
    cached: [CachedAccumulator; MAX_BATCH],
    /// The hidden sums of a position over all inputs but the remaining ones, which are added last.
    half: Accumulator,
    caches: [ForwardCache; MAX_BATCH],
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// The hidden sums over the inputs that depend only on the checkers of the player on roll.
///
/// After the plays of one roll the opponent is on roll. The opponent's checkers have changed only
/// by hits, so a few accumulators serve all results.
#[derive(Default)]
struct CachedAccumulator {
    own: SideView,
    place: usize,
    sums: Accumulator,
}

/// A position that waits until a batch of its encoding is full.
#[derive(Clone, Copy)]
struct Pending {
    /// The index of the net that evaluates it.
    place: usize,
    /// The [`CachedAccumulator`] that it starts from.
    accumulator: usize,
    /// Whether it is the first one that uses this accumulator, which must then be computed.
    first: bool,
    /// The outcomes that the rules allow.
    possible: PossibleOutcomes,
}

impl Default for Pending {
    fn default() -> Pending {
        Pending { place: 0, accumulator: 0, first: false, possible: PossibleOutcomes::ALL }
    }
}

impl<N: Network> WithSimd for Batch<'_, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Batch { team, positions, buffers, out } = self;
        let Buffers { view, scratch, inputs, cached, half, caches } = buffers;
        let mut batch = EncodeBatch::new(simd, Encoding::Contact, scratch);
        let mut pending = [Pending::default(); MAX_BATCH];
        // Accumulators used so far. The last MAX_BATCH are kept; no more positions than that wait
        // at any time.
        let mut used = 0;
        // Evaluations written so far.
        let mut done = 0;
        // One more step than there are positions: the last one evaluates the positions that still
        // wait.
        for position in positions.iter().map(Some).chain([None]) {
            let mut next = None;
            if let Some(position) = position {
                view.move_to(position);
                if !view.is_finished() {
                    next = Some(team.by_class[Class::of_view(view)]);
                }
            }
            let encoding = next.and_then(
                #[inline(always)]
                |place: usize| team.nets[place].encoding.built_in(),
            );
            if batch.is_full() || encoding != Some(batch.encoding()) {
                let pending = &pending[..batch.len()];
                batch.encode(pending.iter().any(|one| one.first));
                for (lane, one) in pending.iter().enumerate() {
                    let mlp = &team.nets[one.place].mlp;
                    let sums = &mut cached[one.accumulator].sums;
                    if one.first {
                        batch.write_own(lane, inputs);
                        mlp.accumulate(simd, inputs.indices(), inputs.values(), sums);
                    }
                    inputs.clear();
                    let rest = batch.remaining(lane, inputs);
                    mlp.accumulate_from(simd, sums, pairs(inputs.indices(), inputs.values()), half);
                    mlp.accumulate_from(simd, half, rest, &mut caches[lane].sums);
                }
                // A separate loop, so that the processor can work on several positions at once.
                let mut lane = 0;
                while lane < pending.len() {
                    let place = pending[lane].place;
                    let net = &team.nets[place];
                    let same = lane + 1 < pending.len() && pending[lane + 1].place == place;
                    if let (true, [a, b, ..]) = (same, &mut caches[lane..]) {
                        let [a, b] = net.mlp.output_two(simd, [a, b]);
                        out[done] = net.evaluation(&a).within(pending[lane].possible);
                        out[done + 1] = net.evaluation(&b).within(pending[lane + 1].possible);
                        lane += 2;
                        done += 2;
                    } else {
                        let value = net.evaluation(&net.mlp.output(simd, &mut caches[lane]));
                        out[done] = value.within(pending[lane].possible);
                        lane += 1;
                        done += 1;
                    }
                }
                batch.clear(encoding.unwrap_or(batch.encoding()));
            }
            if let (Some(place), Some(_)) = (next, encoding) {
                let mut accumulator = 0;
                let kept = used.min(MAX_BATCH);
                while accumulator < kept && !cached[accumulator].serves(place, &view.own) {
                    accumulator += 1;
                }
                let first = accumulator == kept;
                if first {
                    accumulator = used % MAX_BATCH;
                    cached[accumulator].place = place;
                    cached[accumulator].own = view.own;
                    used += 1;
                }
                let possible = match team.nets[place].all_outcomes {
                    true => PossibleOutcomes::ALL,
                    false => view.possible_outcomes(),
                };
                pending[batch.len() % MAX_BATCH] = Pending { place, accumulator, first, possible };
                batch.add(view);
            } else if let Some(position) = position {
                out[done] = match next {
                    // Inputs of a program's own.
                    Some(place) => {
                        team.nets[place].evaluate_alone(position, inputs, &mut caches[0])
                    }
                    None => position.outcome().map_or(Evaluation::ZERO, Evaluation::of_outcome),
                };
                done += 1;
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
