//! Turning a position into the inputs of a net: four encodings, every input with a name, a unit and a reason.
//!
//! An encoding is a table of rows for one side, written twice (the player on roll, then the opponent, each in his
//! own point numbering), and a few rows for both. Lengths are computed from the tables, never typed. Because both
//! halves come from one table and one piece of code, a mirrored position gives mirrored inputs.
//!
//! The counts of inputs, 68, 277 and 393, and their split into raw and higher-level ones are those of Wiering, Patist
//! & Mannen, section 4.1; what each input is had to be chosen here, since the paper does not list them.
//!
//! # The start position, worked
//! In the contact encoding the 24 point carries two checkers: its units "1 or more" and "2 or more" are 1, the other
//! three are 0 and are not stored.
//! ```
//! use nonet::backgammon::Position;
//! use nonet::features::{Encoding, Inputs};
//!
//! let mut inputs = Inputs::default();
//! Encoding::Contact.encode(&Position::START, &mut inputs);
//! let layout = Encoding::Contact.layout();
//! assert_eq!(layout.len(), 393);
//! let named = |name: &str| {
//!     let index = layout.iter().position(|input| input.name == name).expect("a known input");
//!     inputs.dense(layout.len())[index]
//! };
//! assert_eq!(named("own point 24: 2 or more"), 1.0);
//! assert_eq!(named("own point 24: 3 or more"), 0.0);
//! assert_eq!(named("own point 6: beyond 4"), 0.5);        // five checkers: (5 - 4) / 2
//! assert!((named("own pips") - 1.67).abs() < 1e-6);       // 167 pips, in hundreds
//! assert_eq!(named("own blot hit on 24"), 0.0);           // two checkers are no blot
//! assert_eq!(named("opponent made in home board"), named("own made in home board"));
//! ```

mod blockade;
mod contact;
mod endgame;
mod hits;
mod race;
mod raw;
mod side;
mod simd;
mod sparse;

pub use simd::batch::{EncodeBatch, EncodeScratch, MAX_BATCH};
pub use sparse::SparseInputs;

use crate::backgammon::{Position, SideView, View};

/// Which inputs a net sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Both sides bear off: 68 inputs.
    Endgame,
    /// No contact left: the 68, all points, and the shape of the race: 277 inputs.
    Race,
    /// Everything else: all points, and what can happen to them: 393 inputs.
    Contact,
    /// The raw inputs of the 393 alone: 248.
    Raw,
}

/// A group of like inputs in the table of an encoding.
pub(crate) struct FeatureGroup {
    /// What they tell; `{}` stands for the number of the input within the group, counted from 1.
    name: &'static str,
    /// How many there are.
    count: usize,
    /// Unit and range.
    unit: &'static str,
    /// Why a net should see them.
    reason: &'static str,
}

/// One input of an encoding.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// Side and meaning, as in `own point 24: 2 or more`.
    pub name: String,
    /// Unit and range.
    pub unit: &'static str,
    /// Why a net should see it.
    pub reason: &'static str,
}

const fn length(rows: &[FeatureGroup]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < rows.len() {
        sum += rows[i].count;
        i += 1;
    }
    sum
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Encoding; 4] =
        [Encoding::Endgame, Encoding::Race, Encoding::Contact, Encoding::Raw];

    /// The name in files.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Encoding::Endgame => "endgame68",
            Encoding::Race => "race277",
            Encoding::Contact => "contact393",
            Encoding::Raw => "raw248",
        }
    }

    /// The encoding of a name in a file.
    #[must_use]
    pub fn from_slug(slug: &str) -> Option<Encoding> {
        Encoding::ALL.into_iter().find(|encoding| encoding.slug() == slug)
    }

    /// Rows of one side, then rows of both together; an encoding may consist of several such parts.
    const fn parts(self) -> &'static [(&'static [FeatureGroup], &'static [FeatureGroup])] {
        match self {
            Encoding::Endgame => &[(endgame::SIDE, &[])],
            Encoding::Race => &[(endgame::SIDE, &[]), (race::SIDE, race::BOTH)],
            Encoding::Contact => &[(contact::SIDE, contact::BOTH)],
            Encoding::Raw => &[(raw::SIDE, &[])],
        }
    }

    /// Number of inputs.
    #[must_use]
    pub const fn inputs(self) -> usize {
        let parts = self.parts();
        let (mut sum, mut i) = (0, 0);
        while i < parts.len() {
            sum += 2 * length(parts[i].0) + length(parts[i].1);
            i += 1;
        }
        sum
    }

    /// Every input in the order of the net's weights.
    #[must_use]
    pub fn layout(self) -> Vec<Feature> {
        let mut layout = Vec::with_capacity(self.inputs());
        let mut add = |who: &str, rows: &[FeatureGroup]| {
            for row in rows {
                for i in 0..row.count {
                    let name = format!("{who}{}", describe(row, i));
                    layout.push(Feature { name, unit: row.unit, reason: row.reason });
                }
            }
        };
        for (side, both) in self.parts() {
            add("own ", side);
            add("opponent ", side);
            add("", both);
        }
        layout
    }

    /// Writes the inputs of a position that is not finished, zeros left out: a lot of one.
    pub fn encode(self, position: &Position, inputs: &mut SparseInputs) {
        let mut scratch = EncodeScratch::default();
        let mut batch = EncodeBatch::new(pulp::Scalar::new(), self, &mut scratch);
        batch.add(&View::of(position));
        batch.encode(true);
        batch.begin(0, inputs);
        batch.complete(0, inputs);
    }
}

/// Where the inputs of the row `name` begin, counted from the first input of its side.
const fn place(side: &[FeatureGroup], name: &str) -> u16 {
    let (mut at, mut i) = (0, 0);
    while !same(side[i].name, name) {
        at += side[i].count;
        i += 1;
    }
    at as u16
}

/// Comparing strings, for constants.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// Pips ahead / 50, at least 0.
#[inline(always)]
fn lead(side: &SideView, enemy: &SideView) -> f32 {
    (f32::from(enemy.pips()) - f32::from(side.pips())).max(0.0) * (1.0 / 50.0)
}

/// Number of set bits as an input.
#[inline(always)]
fn ones(mask: u32) -> f32 {
    mask.count_ones() as f32
}

/// 1 if the condition holds, else 0.
#[inline(always)]
fn flag(condition: bool) -> f32 {
    f32::from(u8::from(condition))
}

/// Units of one point, in the tables' words.
const UNITS_OF_FIVE: [&str; 5] = ["1 or more", "2 or more", "3 or more", "4 or more", "beyond 4"];
const UNITS_OF_FOUR: [&str; 4] = ["1 or more", "2 or more", "3 or more", "beyond 3"];

fn describe(row: &FeatureGroup, i: usize) -> String {
    let (point, unit) = match row.name {
        name if name.contains("{five}") => (i / 5 + 1, UNITS_OF_FIVE[i % 5]),
        name if name.contains("{four}") => (i / 4 + 1, UNITS_OF_FOUR[i % 4]),
        _ => (i + 1, ""),
    };
    row.name.replace("{five}", unit).replace("{four}", unit).replace("{}", &point.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Dice, Results};
    use proptest::prelude::*;

    #[test]
    fn lengths_are_the_papers() {
        assert_eq!(Encoding::ALL.map(Encoding::inputs), [68, 277, 393, 248]);
        for encoding in Encoding::ALL {
            assert_eq!(encoding.layout().len(), encoding.inputs());
            assert_eq!(Encoding::from_slug(encoding.slug()), Some(encoding));
            assert!(encoding.slug().ends_with(&encoding.inputs().to_string()));
        }
    }

    #[test]
    fn raw_and_higher_level_inputs_split_as_in_the_paper() {
        let count = |rows: &[FeatureGroup]| {
            rows.iter().filter(|r| r.unit.contains("raw")).map(|r| r.count).sum::<usize>()
        };
        assert_eq!(2 * count(endgame::SIDE), 56);
        assert_eq!(2 * count(race::SIDE), 192);
        assert_eq!(2 * count(contact::SIDE), 248);
        assert_eq!(2 * count(raw::SIDE), 248);
    }

    #[test]
    fn every_input_has_a_name_of_its_own_a_unit_and_a_reason() {
        for encoding in Encoding::ALL {
            let layout = encoding.layout();
            let names: std::collections::BTreeSet<_> =
                layout.iter().map(|input| &input.name).collect();
            assert_eq!(names.len(), layout.len(), "{encoding:?}");
            assert!(layout.iter().all(|input| !input.unit.is_empty() && input.reason.len() > 10));
        }
    }

    /// Games of random legal play, all positions.
    fn played() -> impl Strategy<Value = Vec<Position>> {
        prop::collection::vec((0usize..21, any::<prop::sample::Index>()), 1..200).prop_map(
            |turns| {
                let mut seen = vec![Position::START];
                let mut results = Results::default();
                for (roll, pick) in turns {
                    let found = results.of(&seen[seen.len() - 1], Dice::ALL[roll]);
                    let next = found[pick.index(found.len())];
                    if next.outcome().is_some() {
                        break;
                    }
                    seen.push(next);
                }
                seen
            },
        )
    }

    /// The lists of positions encoded in lots of whatever vectors the processor has.
    struct InBatches<'a>(Encoding, &'a [Position]);

    impl pulp::WithSimd for InBatches<'_> {
        type Output = Vec<SparseInputs>;

        fn with_simd<S: pulp::Simd>(self, simd: S) -> Vec<SparseInputs> {
            let mut scratch = EncodeScratch::default();
            let mut batch = EncodeBatch::new(simd, self.0, &mut scratch);
            let mut lists = Vec::new();
            for positions in self.1.chunks(EncodeBatch::<S>::SIZE) {
                batch.clear(self.0);
                for position in positions {
                    batch.add(&View::of(position));
                }
                batch.encode(true);
                for lane in 0..positions.len() {
                    let mut inputs = SparseInputs::default();
                    batch.begin(lane, &mut inputs);
                    batch.complete(lane, &mut inputs);
                    lists.push(inputs);
                }
            }
            lists
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn a_lot_gives_each_position_the_inputs_that_it_has_alone(seen in played()) {
            let mut one_sided = SparseInputs::default();
            for encoding in Encoding::ALL {
                let lists = pulp::Arch::new().dispatch(InBatches(encoding, &seen));
                for (position, list) in seen.iter().zip(&lists) {
                    encoding.encode(position, &mut one_sided);
                    prop_assert_eq!(one_sided.indices(), list.indices());
                    let bits = |inputs: &SparseInputs| inputs.values().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    prop_assert_eq!(bits(&one_sided), bits(list));
                }
            }
        }

        #[test]
        fn mirrored_positions_give_mirrored_inputs(seen in played()) {
            let (mut a, mut b) = (SparseInputs::default(), SparseInputs::default());
            for position in seen {
                for encoding in Encoding::ALL {
                    encoding.encode(&position, &mut a);
                    encoding.encode(&position.flipped(), &mut b);
                    let (a, b) = (a.dense(encoding.inputs()), b.dense(encoding.inputs()));
                    let mut at = 0;
                    for (side, both) in encoding.parts() {
                        let n = length(side);
                        prop_assert_eq!(&a[at..at + n], &b[at + n..at + 2 * n]);
                        prop_assert_eq!(&b[at..at + n], &a[at + n..at + 2 * n]);
                        at += 2 * n;
                        prop_assert_eq!(&a[at..at + length(both)], &b[at..at + length(both)]);
                        at += length(both);
                    }
                }
            }
        }

        #[test]
        fn inputs_stay_within_a_few_units_of_zero(seen in played()) {
            let mut inputs = SparseInputs::default();
            for position in seen {
                for encoding in Encoding::ALL {
                    encoding.encode(&position, &mut inputs);
                    let layout = encoding.layout();
                    for (i, x) in inputs.iter() {
                        prop_assert!(x.is_finite() && (0.0..=8.0).contains(&x), "{} = {x}", layout[i].name);
                    }
                }
            }
        }
    }
}
