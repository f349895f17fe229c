//! The table of input encodings. A new encoding needs one file that implements [`FeatureSet`] and
//! one row of `encodings!`, and no other change.

use std::ops::{Index, IndexMut};

use pulp::Simd;

use super::contact::ContactFeatures;
use super::endgame::EndgameFeatures;
use super::feature::{Feature, FeatureBlock};
use super::pubeval::PubEvalFeatures;
use super::race::RaceFeatures;
use super::raw::RawFeatures;
use super::side::SideLanes;
use super::simd::batch::{EncodeBatch, EncodeScratch};
use super::simd::columns::Columns;
use super::sparse::{SparseInputs, SparseWriter};
use crate::backgammon::{BoardView, Position, Side, SideView};
use crate::vectors::dispatch;

/// An encoding: its inputs, and the functions that write them.
///
/// A position is encoded in two steps. First come the inputs that depend on the own checkers alone.
/// Then come those of the opponent and those that depend on both sides. The results of one roll
/// share the first step.
///
/// Every function is `#[inline(always)]`: otherwise it would be compiled without the vector
/// instructions.
pub(super) trait FeatureSet {
    /// The name of a net that serves all classes of this encoding.
    const NAME: &'static str;
    /// The name in net files: [`FeatureSet::NAME`] and the number of inputs.
    const SLUG: &'static str;
    /// The inputs in the order of the net's weights.
    const BLOCKS: &'static [FeatureBlock];
    /// Whether the encoding is for positions with contact, in which checkers can still be hit.
    const CONTACT: bool;
    /// Whether `one_sided_lanes` and `two_sided_lanes` write inputs.
    const LANES: bool = false;

    /// Writes the inputs of one side that depend on its checkers alone.
    fn one_sided(side: &SideView, whose: Side, inputs: &mut SparseWriter);

    /// Writes the inputs that depend on both sides.
    #[inline(always)]
    fn two_sided(_own: &SideView, _opponent: &SideView, _inputs: &mut SparseWriter) {}

    /// Writes further inputs of one side, of several positions at once.
    #[inline(always)]
    fn one_sided_lanes<S: Simd>(_side: &SideLanes<S>, _whose: Side, _columns: &mut Columns<S>) {}

    /// Writes further inputs that depend on both sides, of several positions at once; `views` are
    /// the same positions one by one.
    #[inline(always)]
    fn two_sided_lanes<S: Simd>(
        _simd: S,
        _own: &SideLanes<S>,
        _opponent: &SideLanes<S>,
        _views: &[BoardView],
        _columns: &mut Columns<S>,
    ) {
    }
}

/// The constants of a [`FeatureSet`] as values.
struct EncodingSpec {
    name: &'static str,
    slug: &'static str,
    blocks: &'static [FeatureBlock],
    contact: bool,
    lanes: bool,
}

impl EncodingSpec {
    const fn of<F: FeatureSet>() -> EncodingSpec {
        EncodingSpec {
            name: F::NAME,
            slug: F::SLUG,
            blocks: F::BLOCKS,
            contact: F::CONTACT,
            lanes: F::LANES,
        }
    }
}

/// Makes the enum and its dispatch, which is static, from the rows of the table.
macro_rules! encodings {
    ($($(#[$doc:meta])* $name:ident: $set:ty,)+) => {
        /// The encoding that a net reads.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Encoding {
            $($(#[$doc])* $name,)+
        }

        const SPECS: &[EncodingSpec] = &[$(EncodingSpec::of::<$set>(),)+];

        impl Encoding {
            /// All encodings.
            pub const ALL: [Encoding; SPECS.len()] = [$(Encoding::$name,)+];

            /// See [`FeatureSet::one_sided`].
            #[inline(always)]
            pub(super) fn one_sided(self, side: &SideView, whose: Side, inputs: &mut SparseWriter) {
                match self {
                    $(Encoding::$name => <$set>::one_sided(side, whose, inputs),)+
                }
            }

            /// See [`FeatureSet::two_sided`].
            #[inline(always)]
            pub(super) fn two_sided(
                self,
                own: &SideView,
                opponent: &SideView,
                inputs: &mut SparseWriter,
            ) {
                match self {
                    $(Encoding::$name => <$set>::two_sided(own, opponent, inputs),)+
                }
            }

            /// See [`FeatureSet::one_sided_lanes`].
            #[inline(always)]
            pub(super) fn one_sided_lanes<S: Simd>(
                self,
                side: &SideLanes<S>,
                whose: Side,
                columns: &mut Columns<S>,
            ) {
                match self {
                    $(Encoding::$name => <$set>::one_sided_lanes(side, whose, columns),)+
                }
            }

            /// See [`FeatureSet::two_sided_lanes`].
            #[inline(always)]
            pub(super) fn two_sided_lanes<S: Simd>(
                self,
                simd: S,
                own: &SideLanes<S>,
                opponent: &SideLanes<S>,
                views: &[BoardView],
                columns: &mut Columns<S>,
            ) {
                match self {
                    $(Encoding::$name => {
                        <$set>::two_sided_lanes(simd, own, opponent, views, columns);
                    })+
                }
            }
        }
    };
}

encodings! {
    /// Both sides bear off: 68 inputs.
    Endgame: EndgameFeatures,
    /// No contact left: the 68, all points, and the shape of the race: 277 inputs.
    Race: RaceFeatures,
    /// All other positions: all points, shots, blocks and timing: 393 inputs.
    Contact: ContactFeatures,
    /// The raw inputs among the 393 alone: 248 inputs.
    Raw: RawFeatures,
    /// PubEval's 122 inputs of each side.
    PubEval: PubEvalFeatures,
}

impl Encoding {
    #[inline(always)]
    const fn spec(self) -> &'static EncodingSpec {
        &SPECS[self as usize]
    }

    /// The name without the number of inputs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.spec().name
    }

    /// The name in net files.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        self.spec().slug
    }

    /// The encoding with this name in net files.
    #[must_use]
    pub fn from_slug(slug: &str) -> Option<Encoding> {
        Encoding::ALL.into_iter().find(|encoding| encoding.slug() == slug)
    }

    /// Whether the encoding is for positions with contact, in which checkers can still be hit.
    #[inline(always)]
    #[must_use]
    pub const fn contact(self) -> bool {
        self.spec().contact
    }

    /// Whether some of its inputs are written for several positions at once.
    #[inline(always)]
    pub(super) const fn lanes(self) -> bool {
        self.spec().lanes
    }

    /// The inputs in the order of the net's weights, by blocks.
    pub(super) const fn blocks(self) -> &'static [FeatureBlock] {
        self.spec().blocks
    }

    /// Number of inputs.
    #[must_use]
    pub const fn inputs(self) -> usize {
        let blocks = self.blocks();
        let (mut sum, mut i) = (0, 0);
        while i < blocks.len() {
            sum += blocks[i].len();
            i += 1;
        }
        sum
    }

    /// Every input in the order of the net's weights.
    #[must_use]
    pub fn layout(self) -> Vec<Feature> {
        self.blocks().iter().flat_map(FeatureBlock::features).collect()
    }

    /// Replaces the contents of `inputs` by the inputs of an unfinished position; zeros are left
    /// out. A finished game has no meaningful inputs.
    pub fn encode(self, position: &Position, inputs: &mut SparseInputs) {
        let mut scratch = EncodeScratch::default();
        let mut batch = EncodeBatch::new(pulp::Scalar::new(), self, &mut scratch);
        batch.add(&BoardView::of(position));
        batch.encode(true);
        batch.write_own(0, inputs);
        batch.write_remaining(0, inputs);
    }

    /// Encodes unfinished positions, several at once in the vectors of the processor, and calls
    /// `each` with the inputs of each position in order. The inputs are those of
    /// [`Encoding::encode`], bit for bit.
    pub fn encode_batch(self, positions: &[Position], each: &mut dyn FnMut(&SparseInputs)) {
        dispatch(BatchEncoder { encoding: self, positions, each });
    }
}

struct BatchEncoder<'a> {
    encoding: Encoding,
    positions: &'a [Position],
    each: &'a mut dyn FnMut(&SparseInputs),
}

impl pulp::WithSimd for BatchEncoder<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (mut scratch, mut inputs) = (EncodeScratch::default(), SparseInputs::default());
        let mut batch = EncodeBatch::new(simd, self.encoding, &mut scratch);
        for positions in self.positions.chunks(EncodeBatch::<S>::SIZE) {
            batch.clear(self.encoding);
            for position in positions {
                batch.add(&BoardView::of(position));
            }
            batch.encode(true);
            for lane in 0..positions.len() {
                batch.write_own(lane, &mut inputs);
                batch.write_remaining(lane, &mut inputs);
                (self.each)(&inputs);
            }
        }
    }
}

/// One value for each encoding, as [`ByClass`](crate::class::ByClass) has one for each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByEncoding<T>([T; SPECS.len()]);

impl<T> ByEncoding<T> {
    /// Calls `of` for each encoding in order.
    pub fn new(of: impl FnMut(Encoding) -> T) -> ByEncoding<T> {
        ByEncoding(Encoding::ALL.map(of))
    }

    /// Each encoding with its value, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Encoding, &T)> {
        Encoding::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<Encoding> for ByEncoding<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, encoding: Encoding) -> &T {
        &self.0[encoding as usize]
    }
}

impl<T> IndexMut<Encoding> for ByEncoding<T> {
    #[inline(always)]
    fn index_mut(&mut self, encoding: Encoding) -> &mut T {
        &mut self.0[encoding as usize]
    }
}
