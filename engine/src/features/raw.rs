//! The 248 raw inputs of any position: how many checkers stand on each point, on the bar and off.

use super::contact;
use super::encoding::FeatureSet;
use super::feature::{FeatureBlock, FeatureGroup, count};
use super::sparse::SparseWriter;
use crate::backgammon::{Side, SideView};

/// The first groups of the contact encoding.
const SIDE: &[FeatureGroup] = contact::SIDE.split_at(5).0;

/// Number of inputs of one side.
const HALF: u16 = count(SIDE) as u16;

/// The raw encoding.
pub(super) struct RawFeatures;

impl FeatureSet for RawFeatures {
    const NAME: &'static str = "raw";
    const SLUG: &'static str = "raw248";
    const BLOCKS: &'static [FeatureBlock] = &[FeatureBlock { side: SIDE, both: &[] }];
    const CONTACT: bool = true;

    #[inline(always)]
    fn one_sided(side: &SideView, whose: Side, inputs: &mut SparseWriter) {
        inputs.go_to(match whose {
            Side::Own => 0,
            Side::Opponent => HALF,
        });
        contact::points(side, inputs);
        let bar = f32::from(side.count(25));
        let off = 15.0 - f32::from(side.left());
        inputs.put([
            bar.min(1.0),
            (bar - 1.0).max(0.0) * (1.0 / 2.0),
            off.min(1.0),
            off * (1.0 / 15.0),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use crate::backgammon::Position;
    use crate::features::{Encoding, SparseInputs};

    #[test]
    fn the_contact_encoding_has_the_same_inputs_and_more() {
        let position =
            Position::from_sides(&[(25, 3), (13, 4), (6, 2)], &[(24, 2), (5, 5), (1, 1)])
                .expect("legal");
        let (mut raw, mut all) = (SparseInputs::default(), SparseInputs::default());
        Encoding::Raw.encode(&position, &mut raw);
        Encoding::Contact.encode(&position, &mut all);
        let (raw_layout, layout) = (Encoding::Raw.layout(), Encoding::Contact.layout());
        let (raw, all) = (raw.dense(raw_layout.len()), all.dense(layout.len()));
        for (input, value) in raw_layout.iter().zip(raw) {
            let at = layout.iter().position(|other| other == input).expect("an input of both");
            assert_eq!(value, all[at], "{}", input.name);
        }
    }
}
