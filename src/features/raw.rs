//! The 248 raw inputs of any position: where the checkers stand, and nothing that follows from it.

use super::sparse::Writer;
use super::{FeatureGroup, contact, length};
use crate::backgammon::SideView;

/// The first rows of positions with contact.
pub(super) const SIDE: &[FeatureGroup] = contact::SIDE.split_at(5).0;

/// Inputs of one side.
pub(super) const HALF: u16 = length(SIDE) as u16;

/// Writes the inputs of one side, which depend on nothing else.
#[inline(always)]
pub(super) fn one_sided(side: &SideView, first: u16, inputs: &mut Writer) {
    contact::points(side, first, inputs);
    let bar = f32::from(side.count(25));
    let off = 15.0 - f32::from(side.left());
    inputs.put([
        bar.min(1.0),
        (bar - 1.0).max(0.0) * (1.0 / 2.0),
        off.min(1.0),
        off * (1.0 / 15.0),
    ]);
}

#[cfg(test)]
mod tests {
    use crate::backgammon::Position;
    use crate::features::{Encoding, SparseInputs};

    #[test]
    fn positions_with_contact_show_the_same_and_more() {
        let position =
            Position::from_sides(&[(25, 3), (13, 4), (6, 2)], &[(24, 2), (5, 5), (1, 1)])
                .expect("legal");
        let (mut raw, mut all) = (SparseInputs::default(), SparseInputs::default());
        Encoding::Raw.encode(&position, &mut raw);
        Encoding::Contact.encode(&position, &mut all);
        let (raw_layout, layout) = (Encoding::Raw.layout(), Encoding::Contact.layout());
        let (raw, all) = (raw.dense(raw_layout.len()), all.dense(layout.len()));
        for (input, value) in raw_layout.iter().zip(raw) {
            let at = layout.iter().position(|other| other == input).expect("one of them");
            assert_eq!(value, all[at], "{}", input.name);
        }
    }
}
