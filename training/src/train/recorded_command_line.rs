//! Printing the options of a run as a `nonet train` command, and parsing such a command.

use serde::Deserialize;
use serde::de::value::{Error, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Visitor};
use serde_json::Value;

use super::spec::TrainSpec;

const COMMAND: &str = "nonet train";
/// The options that are always printed, since their defaults have changed, and their first defaults: those of commands without them.
const PRINTED: [(&str, &str); 3] = [("alpha", "0.01"), ("preset", "large"), ("games", "500000")];
/// The option that sets the defaults of [`TrainSpec::gated`], and its name in earlier versions.
const GATED: [&str; 2] = ["gated", "ladder"];

impl TrainSpec {
    /// The command that reproduces the run: preset, games, learning rate, and the options that differ from their defaults, in the order of
    /// [`TrainSpec::KEYS`].
    #[must_use]
    pub fn to_command_line(&self) -> String {
        let [own, default, gated] =
            [self.clone(), TrainSpec::default(), TrainSpec::gated()].map(|spec| spec.to_json());
        let mut words = vec![COMMAND.to_owned()];
        if self.gate_every > 0 {
            words.push(format!("--{}", GATED[0]));
        }
        for &key in TrainSpec::KEYS {
            // A net file defines the architecture.
            let implied = key == "preset" && self.from.is_some();
            let differs = own[key] != default[key] || self.gate_every > 0 && own[key] != gated[key];
            if (differs || PRINTED.iter().any(|(printed, _)| *printed == key)) && !implied {
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

    /// Parses a command that this version or an earlier one printed; `None` if the text is no such command.
    #[must_use]
    pub fn from_command_line(command: &str) -> Option<TrainSpec> {
        let words: Vec<&str> = command.strip_prefix(COMMAND)?.split_whitespace().collect();
        let mut options: Vec<(String, Words)> = Vec::new();
        let mut rest = words.as_slice();
        while let Some((first, behind)) = rest.split_first() {
            let key = first.strip_prefix("--")?;
            let count = behind.iter().take_while(|word| !word.starts_with("--")).count();
            let (values, next) = behind.split_at(count);
            if !GATED.contains(&key) {
                options.push((key.replace('-', "_"), Words::All(values)));
            }
            rest = next;
        }
        for (printed, before) in &PRINTED {
            if options.iter().all(|(key, _)| key != printed) {
                options.push(((*printed).to_owned(), Words::All(std::slice::from_ref(before))));
            }
        }
        TrainSpec::deserialize(MapDeserializer::new(options.into_iter())).ok()
    }
}

/// One option as it is written on a command line.
fn option(key: &str, value: &Value) -> String {
    let flag = format!("--{}", key.replace('_', "-"));
    if value.is_boolean() { flag } else { format!("{flag} {}", words(value)) }
}

/// The value of an option as it is written on a command line; an empty list of numbers of games is 0.
fn words(value: &Value) -> String {
    match value {
        Value::Array(values) if values.is_empty() => "0".to_owned(),
        Value::Array(values) => {
            let comma = if values.iter().all(Value::is_number) { "," } else { " " };
            values.iter().map(words).collect::<Vec<_>>().join(comma)
        }
        Value::String(text) => text.clone(),
        // Every fraction of a TrainSpec is an f32; as such it prints with the fewest digits.
        Value::Number(number) => match number.as_f64() {
            Some(value) if number.is_f64() => (value as f32).to_string(),
            _ => number.to_string(),
        },
        value => value.to_string(),
    }
}

/// The words behind an option, deserialized as the type of its field.
#[derive(Clone, Copy)]
enum Words<'a> {
    All(&'a [&'a str]),
    /// An element of a list.
    One(&'a str),
}

impl<'a> Words<'a> {
    fn one(self) -> Result<&'a str, Error> {
        match self {
            Words::One(word) => Ok(word),
            Words::All([word]) => Ok(*word),
            Words::All(words) => {
                Err(Error::custom(format!("expected one value, not {}", words.len())))
            }
        }
    }
}

impl<'de> IntoDeserializer<'de, Error> for Words<'de> {
    type Deserializer = Words<'de>;

    fn into_deserializer(self) -> Words<'de> {
        self
    }
}

macro_rules! parsed {
    ($($method:ident $visit:ident,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(self.one()?.parse().map_err(Error::custom)?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Words<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.one()?)
    }

    parsed! {
        deserialize_u8 visit_u8,
        deserialize_u32 visit_u32,
        deserialize_u64 visit_u64,
        deserialize_f32 visit_f32,
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(matches!(self, Words::All([])))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let word: serde::de::value::StrDeserializer<Error> = self.one()?.into_deserializer();
        visitor.visit_enum(word)
    }

    /// A list is written as several words or with commas.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let words = match self {
            Words::All(words) => words.to_vec(),
            Words::One(word) => vec![word],
        };
        let elements = words.into_iter().flat_map(|word| word.split(',')).map(Words::One);
        visitor.visit_seq(SeqDeserializer::new(elements))
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u16 u128 f64 char str string bytes byte_buf unit unit_struct newtype_struct tuple
        tuple_struct map struct identifier ignored_any
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
    fn a_printed_command_is_parsed_to_the_same_options() {
        let eval_at = vec![7, 9];
        for spec in [
            TrainSpec::default(),
            TrainSpec::gated(),
            TrainSpec { eval_every: 25_000, squash: 0.3, ..TrainSpec::gated() },
            TrainSpec {
                expert: Some("gnubg:2".parse().expect("a player")),
                eval_at,
                ..TrainSpec::default()
            },
            TrainSpec {
                classes: Class::all().collect(),
                bearoff: true,
                ply: Some(nonet_engine::search::Plies::TWO),
                ..TrainSpec::default()
            },
            TrainSpec {
                records: vec!["a.mat".into(), "b".into()],
                seed: u64::MAX,
                ..TrainSpec::default()
            },
        ] {
            let command = spec.to_command_line();
            let mut read = TrainSpec::from_command_line(&command).expect(&command);
            // An empty list is printed as 0.
            read.eval_at.retain(|games| *games > 0);
            assert_eq!(read, spec, "{command}");
        }
        assert_eq!(TrainSpec::from_command_line("nonet eval"), None);
        assert_eq!(TrainSpec::from_command_line("nonet train --gaems 3"), None);
    }

    #[test]
    fn a_recorded_command_without_rate_preset_or_games_had_the_first_defaults() {
        let old = TrainSpec::from_command_line("nonet train --seed 2").expect("readable");
        assert_eq!(old.alpha, crate::train::Schedule::Constant(0.01));
        let whole = "nonet train --preset large --games 500000 --alpha 0.01 --seed 2";
        assert_eq!(old.to_command_line(), whole);
    }

    #[test]
    fn commands_of_earlier_versions_are_parsed() {
        let old = "nonet train --source selfplay --targets own --method lookahead --explore 0.1 --surprises drop --endings \
                   --classes race,endgame --preset large --games 500000 --alpha 0.01 --lambda 0.6 --seed 1 --batch 32 \
                   --epochs 2 --memory 50 --average 7 --eval-every 25000 --eval-games 2000 --against pubeval --ladder --rung 50000";
        let spec = TrainSpec::from_command_line(old).expect("readable");
        assert_eq!(
            spec.to_command_line(),
            "nonet train --gated --method rootstrap --epsilon 0.1 --unforeseen drop --preset large --bearoff --classes race endgame \
             --games 500000 --alpha 0.01 --epochs 2 --replay 50 --ema 7 --eval-every 25000 --eval-at 100,300,1000,3000,10000 --eval-games 2000 --gate-every 50000"
        );
    }
}
