//! What a `.bgf` says, decoded from SMILE, the binary form of JSON
//! (<https://github.com/FasterXML/smile-format-specification>).

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::record::game::cut_name;

/// The most values of a file; a match with its analyses has some ten thousand that are kept.
const MOST: usize = 1 << 18;

/// The fields that are kept. Analyses, which are most of a file, are not among them.
const KEPT: [&str; 30] = [
    "matchlen",
    "nameGreen",
    "nameRed",
    "finalGreen",
    "finalRed",
    "useJacoby",
    "useBeaver",
    "useBeavers",
    "useCube",
    "cubeLimit",
    "games",
    "scoreGreen",
    "scoreRed",
    "wonPoints",
    "isCrawford",
    "wasResignation",
    "wasForfeit",
    "initial",
    "points",
    "cube",
    "cubeOwner",
    "moves",
    "player",
    "red",
    "green",
    "from",
    "to",
    "equity",
    "cubeDecision",
    "dancingEquity",
];
/// The fields of a cube decision.
const KEPT_OF_CUBE: [&str; 2] = ["hasDoubled", "hasAccepted"];

/// A value of JSON.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Null, binary data, and what is not there.
    Nothing,
    /// A number without its fraction, or a truth as 0 or 1.
    Number(i64),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(&'static str, Value)>),
}

impl Value {
    /// A field of an object.
    pub(super) fn get(&self, name: &str) -> &Value {
        let Value::Object(fields) = self else { return &Value::Nothing };
        fields.iter().find(|(field, _)| *field == name).map_or(&Value::Nothing, |(_, value)| value)
    }

    /// The values of a list; of anything else none.
    pub(super) fn list(&self) -> &[Value] {
        if let Value::List(values) = self { values } else { &[] }
    }

    /// A number that fits.
    pub(super) fn number<T: TryFrom<i64>>(&self) -> Option<T> {
        let Value::Number(number) = *self else { return None };
        T::try_from(number).ok()
    }

    /// Whether it is true, or a number that is not 0.
    pub(super) fn is_true(&self) -> bool {
        self.number::<i64>().is_some_and(|number| number != 0)
    }

    /// A text; of anything else an empty one.
    pub(super) fn text(&self) -> &str {
        if let Value::Text(text) = self { text } else { "" }
    }
}

/// Decodes SMILE.
pub(super) fn decode(bytes: &[u8]) -> Result<Value, &'static str> {
    let left = Cell::new(MOST);
    Any(&left).deserialize(&mut serde_smile::Deserializer::from_slice(bytes)).map_err(|_| {
        if left.get() == 0 {
            "it holds too many values"
        } else {
            "its SMILE data cannot be decoded"
        }
    })
}

/// Reads a value of any kind, as long as values are left.
#[derive(Clone, Copy)]
struct Any<'a>(&'a Cell<usize>);

impl<'de> DeserializeSeed<'de> for Any<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        let left =
            self.0.get().checked_sub(1).ok_or_else(|| D::Error::custom("too many values"))?;
        self.0.set(left);
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Any<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Nothing, Value::Number))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value as i64))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        // Names are the only texts that are kept.
        Ok(Value::Text(cut_name(value)))
    }

    fn visit_bytes<E: Error>(self, _: &[u8]) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            match KEPT.iter().chain(&KEPT_OF_CUBE).find(|kept| **kept == name) {
                Some(kept) => fields.push((*kept, map.next_value_seed(self)?)),
                None => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(Value::Object(fields))
    }
}
