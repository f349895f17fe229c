//! Which inputs of its specialist matter in a position.

use serde::Serialize;

use nonet_engine::backgammon::Position;
use nonet_engine::class::Class;
use nonet_engine::eval::Specialists;
use nonet_engine::features::{Feature, SparseInputs};
use nonet_engine::nn::{ForwardCache, Network};

/// The inputs of a position's specialist that are not 0, the most important first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InputsAnswer {
    /// Position ID of the board.
    #[cfg_attr(feature = "openapi", schema(example = "4HPwATDgc/ABMA"))]
    pub id: String,
    /// Class of the position.
    #[cfg_attr(feature = "openapi", schema(example = "default"))]
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
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InputRow {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Why it is an input.
    pub reason: &'static str,
    /// Its value here.
    pub value: f64,
    /// The equity of the net less its equity with this input at 0 and all others as they are. It is
    /// in points a game, and positive if the input speaks for the player on roll.
    pub effect: f32,
}

impl InputsAnswer {
    /// Lists at most `count` inputs. None for a finished game.
    #[must_use]
    pub fn of(team: &Specialists, position: &Position, count: usize) -> InputsAnswer {
        let class = Class::of(position);
        let net = &team.nets()[team.net_of(class)];
        let mut seen = SparseInputs::default();
        if position.outcome().is_none() {
            net.encoding.encode(position, &mut seen);
        }
        let mut cache = ForwardCache::default();
        let mut equity = |values: &[f32]| {
            net.evaluation(&net.mlp.forward(seen.indices(), values, &mut cache)).equity()
        };
        let with_all = equity(seen.values());
        let mut values = seen.values().to_vec();
        let mut inputs = Vec::new();
        let layout = net.encoding.layout();
        for (place, (i, value)) in seen.iter().enumerate() {
            values[place] = 0.0;
            let effect = with_all - equity(&values);
            values[place] = value;
            if value != 0.0 {
                let Feature { name, unit, reason, .. } = layout[i].clone();
                inputs.push(InputRow { name, unit, reason, value: f64::from(value), effect });
            }
        }
        inputs.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
        inputs.truncate(count);
        InputsAnswer {
            id: position.id(),
            class: class.slug().to_owned(),
            meaning: class.spec().meaning.to_owned(),
            net: net.name.clone(),
            inputs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::engine::built_in_net;
    use nonet_engine::eval::Architecture;
    use nonet_engine::game::{StreamPurpose, stream};

    #[test]
    fn inputs_that_are_not_0_stand_by_falling_effect_which_no_equity_exceeds() {
        let answer = InputsAnswer::of(&built_in_net().team, &Position::START, 12);
        assert_eq!(answer.inputs.len(), 12);
        let falls = |pair: &[InputRow]| pair[0].effect.abs() >= pair[1].effect.abs();
        assert!(answer.inputs.windows(2).all(falls));
        assert!(answer.inputs.iter().all(|input| input.value != 0.0 && input.effect.abs() <= 6.0));
    }

    #[test]
    fn without_a_hidden_layer_the_effects_add_up_to_what_the_inputs_change() {
        let linear = Architecture::named("linear").expect("a preset");
        let team = Specialists::random(&linear, &mut stream(1, StreamPurpose::Weights, 0));
        let race = Position::from_id("2L2OAgDYvY4CAA").expect("a race");
        let answer = InputsAnswer::of(&team, &race, 1000);
        let net = &team.nets()[team.net_of(Class::of(&race))];
        let mut inputs = SparseInputs::default();
        net.encoding.encode(&race, &mut inputs);
        let equity = |indices: &[u16], values: &[f32]| {
            net.evaluation(&net.mlp.forward(indices, values, &mut ForwardCache::default())).equity()
        };
        let apart = equity(inputs.indices(), inputs.values()) - equity(&[], &[]);
        let sum: f32 = answer.inputs.iter().map(|input| input.effect).sum();
        assert!((sum - apart).abs() < 1e-3, "{sum} and {apart}");
    }
}
