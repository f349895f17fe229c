//! Tests of all encodings.

use super::feature::count;
use super::{Encoding, SparseInputs};
use crate::backgammon::{Dice, Position, Results};
use proptest::prelude::*;

#[test]
fn the_numbers_of_inputs_are_those_of_the_paper() {
    assert_eq!(Encoding::ALL.map(Encoding::inputs), [68, 277, 393, 248, 244]);
    for encoding in Encoding::ALL {
        assert_eq!(encoding.layout().len(), encoding.inputs());
        assert_eq!(Encoding::from_slug(encoding.slug()), Some(encoding));
        assert_eq!(encoding.slug(), format!("{}{}", encoding.name(), encoding.inputs()));
    }
}

#[test]
fn raw_and_higher_level_inputs_split_as_in_the_paper() {
    let raw = |encoding: Encoding| {
        encoding.layout().iter().filter(|input| input.unit.contains("raw")).count()
    };
    assert_eq!(Encoding::ALL.map(raw), [56, 56 + 192, 248, 248, 244]);
}

#[test]
fn every_input_has_a_unique_name_a_unit_and_a_reason() {
    for encoding in Encoding::ALL {
        let layout = encoding.layout();
        let names: std::collections::BTreeSet<_> = layout.iter().map(|input| &input.name).collect();
        assert_eq!(names.len(), layout.len(), "{encoding:?}");
        assert!(layout.iter().all(|input| !input.unit.is_empty() && input.reason.len() > 10));
    }
}

/// All positions of a game of random legal plays.
pub(super) fn played() -> impl Strategy<Value = Vec<Position>> {
    prop::collection::vec((0usize..21, any::<prop::sample::Index>()), 1..200).prop_map(|turns| {
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
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_batch_gives_each_position_the_inputs_that_it_has_alone(seen in played()) {
        let mut alone = SparseInputs::default();
        let bits = |inputs: &SparseInputs| inputs.values().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        for encoding in Encoding::ALL {
            let mut batch = Vec::new();
            encoding.encode_batch(&seen, &mut |inputs| batch.push(inputs.clone()));
            prop_assert_eq!(batch.len(), seen.len());
            for (position, inputs) in seen.iter().zip(&batch) {
                encoding.encode(position, &mut alone);
                prop_assert_eq!(alone.indices(), inputs.indices());
                prop_assert_eq!(bits(&alone), bits(inputs));
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
                for block in encoding.blocks() {
                    let (n, both) = (count(block.side), count(block.both));
                    prop_assert_eq!(&a[at..at + n], &b[at + n..at + 2 * n]);
                    prop_assert_eq!(&b[at..at + n], &a[at + n..at + 2 * n]);
                    at += 2 * n;
                    prop_assert_eq!(&a[at..at + both], &b[at..at + both]);
                    at += both;
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
