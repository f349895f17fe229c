//! Sentences as data: a kind and its values. The English words of the kinds are in `words.json`;
//! pages have them in other languages.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Serialize;

/// The words of each kind. `{name}` is a value, `{n:one|many}` one of two words by the number `n`.
const WORDS: &str = include_str!("words.json");

#[allow(clippy::expect_used, reason = "a test reads the file")]
static TEXTS: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| serde_json::from_str(WORDS).expect("words.json holds a text for each kind"));

/// A sentence or a part of one: what it says, apart from the language.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Said {
    /// What is said, such as `makes`. Pages have words for each kind.
    #[cfg_attr(feature = "openapi", schema(example = "plan-race"))]
    pub kind: String,
    /// The values by name: a text, a number, `{"number", "digits"}`, a list of values, or another
    /// sentence as part of this one.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub values: BTreeMap<&'static str, SaidValue>,
}

/// A value in a sentence.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SaidValue {
    /// A play or a roll.
    Text(String),
    /// A count, a point of the board.
    Count(u32),
    /// A number with decimals.
    Decimal {
        /// The number.
        number: f32,
        /// Digits after the point.
        digits: usize,
    },
    /// A list, told as `a, b and c`.
    List(Vec<SaidValue>),
    /// A part of the sentence.
    Part(Said),
}

impl Said {
    pub(super) fn new(kind: &str) -> Said {
        Said { kind: kind.to_owned(), values: BTreeMap::new() }
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<SaidValue>) -> Said {
        self.values.insert(name, value.into());
        self
    }

    /// The sentence in English.
    #[must_use]
    pub fn in_english(&self) -> String {
        let text = TEXTS.get(&self.kind).map_or(self.kind.as_str(), String::as_str);
        let mut told = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (hole, after) = after.split_once('}').unwrap_or((after, ""));
            told += before;
            told += &self.filled(hole);
            rest = after;
        }
        told + rest
    }

    fn filled(&self, hole: &str) -> String {
        match hole.split_once(':') {
            None => self.values.get(hole).map(SaidValue::in_english).unwrap_or_default(),
            Some((name, forms)) => {
                let (one, many) = forms.split_once('|').unwrap_or((forms, forms));
                let is_one = self.values.get(name) == Some(&SaidValue::Count(1));
                if is_one { one.to_owned() } else { many.to_owned() }
            }
        }
    }
}

impl SaidValue {
    fn in_english(&self) -> String {
        match self {
            SaidValue::Text(text) => text.clone(),
            SaidValue::Count(count) => count.to_string(),
            SaidValue::Decimal { number, digits } => format!("{number:.digits$}"),
            SaidValue::List(values) => {
                let words: Vec<String> = values.iter().map(SaidValue::in_english).collect();
                match words.as_slice() {
                    [] => String::new(),
                    [one] => one.clone(),
                    [start @ .., last] => format!("{} and {last}", start.join(", ")),
                }
            }
            SaidValue::Part(said) => said.in_english(),
        }
    }
}

/// Points on a cube at 1, as they are told.
pub(super) fn points(number: f32) -> SaidValue {
    SaidValue::Decimal { number, digits: 3 }
}

/// Points as they are told, to three decimals.
#[must_use]
pub(super) fn as_shown(equity: f32) -> f32 {
    (1000.0 * equity).round() / 1000.0
}

/// A chance 0..1 in per cent.
pub(super) fn percent(chance: f32, digits: usize) -> SaidValue {
    SaidValue::Decimal { number: 100.0 * chance, digits }
}

impl From<&str> for SaidValue {
    fn from(text: &str) -> SaidValue {
        SaidValue::Text(text.to_owned())
    }
}

impl From<&String> for SaidValue {
    fn from(text: &String) -> SaidValue {
        SaidValue::Text(text.clone())
    }
}

impl From<u32> for SaidValue {
    fn from(count: u32) -> SaidValue {
        SaidValue::Count(count)
    }
}

impl From<u8> for SaidValue {
    fn from(count: u8) -> SaidValue {
        SaidValue::Count(count.into())
    }
}

impl From<Said> for SaidValue {
    fn from(said: Said) -> SaidValue {
        SaidValue::Part(said)
    }
}

impl<T: Into<SaidValue>> From<Vec<T>> for SaidValue {
    fn from(values: Vec<T>) -> SaidValue {
        SaidValue::List(values.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_filled_with_its_values() {
        assert!(TEXTS.values().all(|text| text.matches('{').count() == text.matches('}').count()));
        let point = |n: u8| Said::new("point").with("n", n);
        let makes = Said::new("makes").with("points", vec![point(5), point(4)]);
        assert_eq!(makes.in_english(), "makes the 5 point and the 4 point");
        let hit = Said::new("roll-hits").with("rolls", vec!["64", "62", "44"]).with("n", 3u8);
        assert_eq!(hit.in_english(), "64, 62 and 44 hit");
        let hit = Said::new("roll-hits").with("rolls", vec!["64"]).with("n", 1u8);
        assert_eq!(hit.in_english(), "64 hits");
        let decimal = SaidValue::Decimal { number: -0.0126, digits: 3 };
        assert_eq!(decimal.in_english(), "-0.013");
    }

    #[test]
    fn every_named_class_has_its_plan_in_words() {
        for class in nonet_engine::class::Class::all() {
            let said = Said::new(&format!("plan-{}", class.slug()));
            if let Some(plan) = class.spec().plan {
                assert_eq!(said.in_english(), plan);
            }
        }
    }
}
