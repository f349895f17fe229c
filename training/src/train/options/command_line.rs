//! Printing the options of a run as a `nonet train` command, for people. Programs read the options
//! themselves, in `config.toml` and in the results of experiments.

use serde_json::Value;

use crate::train::options::shell_word::shell_word;
use crate::train::options::spec::TrainSpec;

const COMMAND: &str = "nonet train";
/// The options that are always printed, since their defaults have changed.
const PRINTED: [&str; 3] = ["alpha", "preset", "games"];

impl TrainSpec {
    /// The command that reproduces the run: preset, games, learning rate, and the options that
    /// differ from their defaults, in the order of [`TrainSpec::KEYS`].
    #[must_use]
    pub fn to_command_line(&self) -> String {
        let [own, default, gated] =
            [self.clone(), TrainSpec::default(), TrainSpec::gated()].map(|spec| spec.to_json());
        let mut words = vec![COMMAND.to_owned()];
        if self.gate_every > 0 {
            // It sets the defaults of [`TrainSpec::gated`].
            words.push("--gated".to_owned());
        }
        for &key in TrainSpec::KEYS {
            // A net file defines the architecture.
            let implied = key == "preset" && self.from.is_some();
            let differs = own[key] != default[key] || self.gate_every > 0 && own[key] != gated[key];
            if (differs || PRINTED.contains(&key)) && !implied {
                words.push(option(key, &own[key]));
            }
        }
        words.join(" ")
    }

    /// The keys and values of the options that take a value and have one, as on a command line.
    #[must_use]
    pub fn values(&self) -> Vec<(&'static str, String)> {
        let own = self.to_json();
        let written = |&key: &&'static str| match &own[key] {
            Value::Null | Value::Bool(_) => None,
            Value::Array(values) if values.is_empty() => None,
            value => Some((key, words(value))),
        };
        TrainSpec::KEYS.iter().filter_map(written).collect()
    }

    fn to_json(&self) -> Value {
        serde_json::to_value(self).expect("numbers, texts and lists can be written as JSON")
    }
}

/// One option as it is written on a command line.
fn option(key: &str, value: &Value) -> String {
    let flag = format!("--{}", key.replace('_', "-"));
    if value.is_boolean() { flag } else { format!("{flag} {}", words(value)) }
}

/// The value of an option as it is written on a command line; an empty list of numbers of games is
/// 0.
fn words(value: &Value) -> String {
    match value {
        Value::Array(values) if values.is_empty() => "0".to_owned(),
        Value::Array(values) => {
            let comma = if values.iter().all(Value::is_number) { "," } else { " " };
            values.iter().map(words).collect::<Vec<_>>().join(comma)
        }
        Value::String(text) => shell_word(text),
        // Every fraction of a TrainSpec is an f32; as such it prints with the fewest digits.
        Value::Number(number) => match number.as_f64() {
            Some(value) if number.is_f64() => (value as f32).to_string(),
            _ => number.to_string(),
        },
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::Method;
    use nonet_engine::class::Class;

    #[test]
    fn a_command_contains_the_options_that_differ_from_the_defaults() {
        let plain = TrainSpec::default();
        let words =
            format!("--preset {} --games {} --alpha {}", plain.preset, plain.games, plain.alpha);
        assert_eq!(plain.to_command_line(), format!("nonet train {words}"));
        let spec = TrainSpec {
            method: Method::RootStrap,
            epsilon: 0.15,
            bearoff: true,
            classes: Class::all().take(2).collect(),
            alpha: "0.1..0.003".parse().expect("a schedule"),
            eval_at: vec![],
            ..TrainSpec::default()
        };
        assert_eq!(
            spec.to_command_line(),
            "nonet train --method rootstrap --epsilon 0.15 --preset medium --bearoff --classes endgame race --games 280000 --alpha 0.1..0.003 \
             --eval-at 0"
        );
    }

    #[test]
    fn a_text_that_a_shell_would_take_for_several_words_is_quoted() {
        let against = "ubgi:./engine -q".parse().expect("a player");
        let records = vec!["a.mat".to_owned(), "Ann's games".to_owned()];
        let command = TrainSpec { against, records, ..TrainSpec::default() }.to_command_line();
        assert!(command.contains(r" --records a.mat 'Ann'\''s games' --"), "{command}");
        assert!(command.ends_with(" --against 'ubgi:./engine -q'"), "{command}");
    }
}
