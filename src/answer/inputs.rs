//! Which inputs of its specialist matter in a position.

use serde::Serialize;

use crate::backgammon::Position;
use crate::class::Class;
use crate::eval::{FeatureUsage, Specialists, feature_importance};

/// The inputs of a position's specialist that are not 0, the most important first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
pub struct InputsAnswer {
    /// Position ID of the board.
    #[cfg_attr(feature = "serve", schema(example = "4HPwATDgc/ABMA"))]
    pub id: String,
    /// Class of the position.
    #[cfg_attr(feature = "serve", schema(example = "default"))]
    pub class: String,
    /// What the class means.
    pub meaning: String,
    /// The net that evaluates the class.
    pub net: String,
    /// Its inputs.
    pub inputs: Vec<InputRow>,
}

/// An input.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
pub struct InputRow {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Why it is an input.
    pub reason: &'static str,
    /// Its value here.
    pub value: f64,
    /// The most that the equity changes per unit, in points: an upper bound over the hidden units.
    pub sensitivity: f32,
    /// Value times sensitivity: the most that it contributes to the equity here, in points.
    pub most: f64,
}

impl InputsAnswer {
    /// Lists at most `count` inputs.
    #[must_use]
    pub fn of(team: &Specialists, position: &Position, count: usize) -> InputsAnswer {
        let class = Class::of(position);
        let place = team.net_of(class);
        let usage = FeatureUsage::of(team, std::slice::from_ref(position));
        let mut all = feature_importance(team, place, &usage);
        all.sort_by(|a, b| b.effect().abs().total_cmp(&a.effect().abs()));
        let active = all.into_iter().filter(|one| one.mean != 0.0).take(count);
        let inputs = active.map(|one| InputRow {
            most: one.effect(),
            value: one.mean,
            sensitivity: one.sensitivity,
            unit: one.input.unit,
            reason: one.input.reason,
            name: one.input.name,
        });
        InputsAnswer {
            id: position.id(),
            class: class.slug().to_owned(),
            meaning: class.spec().meaning.to_owned(),
            net: team.nets()[place].name.clone(),
            inputs: inputs.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::built_in_net;

    #[test]
    fn inputs_that_are_not_0_stand_by_falling_importance() {
        let answer = InputsAnswer::of(&built_in_net().team, &Position::START, 12);
        assert_eq!(answer.inputs.len(), 12);
        assert!(answer.inputs.windows(2).all(|pair| pair[0].most.abs() >= pair[1].most.abs()));
        assert!(answer.inputs.iter().all(|input| input.value != 0.0));
    }
}
