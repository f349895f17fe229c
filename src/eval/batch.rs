//! The hot path: positions in batches, a lot of them at a time, each judged by the net of its class.

use std::cell::RefCell;

use pulp::{Simd, WithSimd};

use super::Specialists;
use crate::backgammon::{Position, SideView, View};
use crate::class::Class;
use crate::eval::Evaluation;
use crate::features::{Desk, Encoding, Inputs, Lot, MAX_LOT};
use crate::nn::{Hidden, Sums, pairs};

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
    desk: Desk,
    inputs: Inputs,
    beginnings: [Beginning; MAX_LOT],
    /// The sums of a position without the inputs that are written last, and of all.
    half: Sums,
    hidden: [Hidden; MAX_LOT],
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// The sums of what the player on roll decides alone. Among the results of one roll he stands as he did unless he was
/// hit, so that few beginnings serve all of them.
#[derive(Default)]
struct Beginning {
    own: SideView,
    place: usize,
    sums: Sums,
}

/// A position that waits until there are enough of its encoding to be judged together.
#[derive(Clone, Copy, Default)]
struct Waiting {
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
        let Buffers { view, desk, inputs, beginnings, half, hidden } = buffers;
        let mut lot = Lot::new(simd, Encoding::Contact, desk);
        let mut waiting = [Waiting::default(); MAX_LOT];
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
            if lot.is_full() || encoding != Some(lot.encoding()) {
                let waiting = &waiting[..lot.len()];
                lot.encode(waiting.iter().any(|one| one.begins));
                for (lane, one) in waiting.iter().enumerate() {
                    let mlp = &team.nets[one.place].mlp;
                    let sums = &mut beginnings[one.beginning].sums;
                    if one.begins {
                        lot.begin(lane, inputs);
                        mlp.begin(simd, inputs.indices(), inputs.values(), sums);
                    }
                    inputs.clear();
                    let rest = lot.rest(lane, inputs);
                    mlp.add(simd, sums, pairs(inputs.indices(), inputs.values()), half);
                    mlp.add(simd, half, rest, &mut hidden[lane].sums);
                }
                // Apart from the sums, so that the processor can work on several positions at once.
                for (one, hidden) in waiting.iter().zip(hidden.iter_mut()) {
                    let net = &team.nets[one.place];
                    out.push(net.evaluation(&net.mlp.finish(simd, hidden)));
                }
                lot.clear(encoding.unwrap_or(lot.encoding()));
            }
            if let Some(place) = next {
                let mut beginning = 0;
                let kept = begun.min(MAX_LOT);
                while beginning < kept && !beginnings[beginning].serves(place, &view.own) {
                    beginning += 1;
                }
                let begins = beginning == kept;
                if begins {
                    beginning = begun % MAX_LOT;
                    beginnings[beginning].place = place;
                    beginnings[beginning].own = view.own;
                    begun += 1;
                }
                waiting[lot.len() % MAX_LOT] = Waiting { place, beginning, begins };
                lot.add(view);
            } else if let Some(finished) = position {
                out.push(finished.outcome().map_or(Evaluation::ZERO, Evaluation::of_outcome));
            }
        }
    }
}

impl Beginning {
    #[inline(always)]
    fn serves(&self, place: usize, own: &SideView) -> bool {
        self.place == place && self.own.stands_as(own)
    }
}
