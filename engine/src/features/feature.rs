//! The description of inputs (name, unit and reason), and the tables that list them.

/// A group of similar inputs in the table of an encoding.
pub(super) struct FeatureGroup {
    /// Their name. `{}` stands for the number of the input within the group, counted from 1;
    /// `{five}`, `{four}` and `{pubeval}` stand for the units of a point, and `{}` then for the
    /// number of the point.
    pub(super) name: &'static str,
    /// The number of inputs.
    pub(super) count: usize,
    /// Unit and range.
    pub(super) unit: &'static str,
    /// Why a net should read them.
    pub(super) reason: &'static str,
}

/// Inputs of the player on roll, then the same of the opponent, then those that depend on both.
pub(super) struct FeatureBlock {
    /// Inputs of each side.
    pub(super) side: &'static [FeatureGroup],
    /// Inputs of both sides together.
    pub(super) both: &'static [FeatureGroup],
}

/// One input of an encoding.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// Side and meaning, as in `own point 24: 2 or more`.
    pub name: String,
    /// Unit and range.
    pub unit: &'static str,
    /// Why a net should read it.
    pub reason: &'static str,
}

impl Feature {
    /// An input of which only the name is known.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Feature {
        Feature { name: name.into(), unit: "", reason: "" }
    }
}

/// Units of a point that has five, by their place.
const FIVE_UNITS: [&str; 5] = ["1 or more", "2 or more", "3 or more", "4 or more", "beyond 4"];
/// Units of a point in PubEval's inputs, by their place.
const PUBEVAL_UNITS: [&str; 5] = ["enemy blot", "1", "2 or more", "3", "beyond 3"];
/// Units of a point that has four, by their place.
const FOUR_UNITS: [&str; 4] = ["1 or more", "2 or more", "3 or more", "beyond 3"];

impl FeatureGroup {
    /// The name of input `i` of the group, counted from 0.
    fn feature_name(&self, i: usize) -> String {
        let (point, unit) = match self.name {
            name if name.contains("{five}") => (i / 5 + 1, FIVE_UNITS[i % 5]),
            name if name.contains("{pubeval}") => (i / 5 + 1, PUBEVAL_UNITS[i % 5]),
            name if name.contains("{four}") => (i / 4 + 1, FOUR_UNITS[i % 4]),
            _ => (i + 1, ""),
        };
        ["{five}", "{four}", "{pubeval}"]
            .iter()
            .fold(self.name.to_owned(), |name, units| name.replace(units, unit))
            .replace("{}", &point.to_string())
    }
}

impl FeatureBlock {
    /// Number of inputs.
    pub(super) const fn len(&self) -> usize {
        2 * count(self.side) + count(self.both)
    }

    /// Every input in order.
    pub(super) fn features(&self) -> Vec<Feature> {
        let mut features = Vec::with_capacity(self.len());
        for (whose, groups) in [("own ", self.side), ("opponent ", self.side), ("", self.both)] {
            for group in groups {
                features.extend((0..group.count).map(|i| Feature {
                    name: format!("{whose}{}", group.feature_name(i)),
                    unit: group.unit,
                    reason: group.reason,
                }));
            }
        }
        features
    }
}

/// Number of inputs of all groups.
pub(super) const fn count(groups: &[FeatureGroup]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < groups.len() {
        sum += groups[i].count;
        i += 1;
    }
    sum
}

/// Index of the first input of the group `name`, counted from the first input of its side. For
/// constants only: an unknown name does not compile.
pub(super) const fn offset_of(groups: &[FeatureGroup], name: &str) -> u16 {
    let (mut offset, mut i) = (0, 0);
    while !same(groups[i].name, name) {
        offset += groups[i].count;
        i += 1;
    }
    offset as u16
}

/// Whether two strings are equal, for constants.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}
