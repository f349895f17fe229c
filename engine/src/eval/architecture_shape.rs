//! How an architecture is written: its name, or a shape such as `128-16/128-16/512-32`.

use std::fmt;
use std::str::FromStr;

use super::Specialists;
use super::net_architecture::{Architecture, HiddenLayers, InputChoice, NetSharing};
use crate::class::Class;
use crate::features::Encoding;
use crate::nn::{Activation, Activations, MAX_HIDDEN, MAX_SECOND, Network, OutputActivation};

/// A text that denotes no architecture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown architecture '{name}': expected one of {}, or hidden units of the endgame, race and contact nets, such as \
     40/64/128 or 128-16/128-16/512-32",
    known()
)]
pub struct ArchitectureError {
    name: String,
}

fn known() -> String {
    Architecture::ALL.iter().map(|row| row.name).collect::<Vec<_>>().join(", ")
}

/// Former names, which net files, run folders and recorded commands have.
const ALIASES: [(&str, &str); 5] = [
    ("shares", "softmax"),
    ("champion", "40/64/128"),
    ("deep", "128-16/128-16/256-32"),
    ("deep384", "128-16/128-16/384-32"),
    ("deep448", "128-16/128-16/448-32"),
];

const SHARING: [(&str, NetSharing); 4] = [
    ("by-class", NetSharing::ByClass),
    ("by-encoding", NetSharing::ByEncoding),
    ("by-contact", NetSharing::ByContact),
    ("single", NetSharing::Single),
];

const INPUTS: [(&str, InputChoice); 4] = [
    ("all-inputs", InputChoice::All),
    ("general", InputChoice::General),
    ("partial", InputChoice::PartlyRaw),
    ("opponent", InputChoice::OfTheOpponent),
];

/// The activations of a shape that names none: SiLU units if there are two layers.
fn usual_units(layers: &[HiddenLayers]) -> Activations {
    let deep = layers.iter().any(|[_, second]| *second > 0);
    let hidden = if deep { Activation::Silu } else { Activation::Sigmoid };
    Activations { hidden, output: OutputActivation::SoftmaxFrom(1) }
}

fn layers_of(text: &str) -> Option<HiddenLayers> {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse::<usize>().ok()).flatten()
    };
    let layers = match text.split_once('-') {
        None => [number(text)?, 0],
        Some((first, second)) => [number(first)?, number(second).filter(|units| *units > 0)?],
    };
    let [hidden, second] = layers;
    (hidden <= MAX_HIDDEN && second <= MAX_SECOND && (second == 0 || hidden > 0)).then_some(layers)
}

fn shape(text: &str) -> Option<Architecture> {
    let mut words = text.split('+');
    let widths: Vec<HiddenLayers> =
        words.next()?.split('/').map(layers_of).collect::<Option<_>>()?;
    let (mut sharing, mut inputs) = (NetSharing::ByClass, InputChoice::All);
    let (mut encoding, mut units) = (None, usual_units(&widths));
    for word in words {
        if let Some((_, found)) = SHARING.iter().find(|(name, _)| *name == word) {
            sharing = *found;
        } else if let Some((_, found)) = INPUTS.iter().find(|(name, _)| *name == word) {
            inputs = *found;
        } else if let Some(found) = Activation::named(word) {
            units.hidden = found;
        } else if let Some(found) = Encoding::ALL.into_iter().find(|one| one.name() == word) {
            encoding = Some(found);
        } else {
            units.output = word.parse().ok()?;
        }
    }
    let alike = encoding.is_some() || sharing == NetSharing::Single;
    let layers = match widths[..] {
        [one] if alike => [one; 3],
        [endgame, race, contact] if !alike => [endgame, race, contact],
        _ => return None,
    };
    Some(Architecture::new(sharing, layers, encoding, inputs, units))
}

impl FromStr for Architecture {
    type Err = ArchitectureError;

    fn from_str(text: &str) -> Result<Architecture, ArchitectureError> {
        let now = ALIASES.iter().find(|(alias, _)| *alias == text).map_or(text, |(_, now)| now);
        let row = Architecture::ALL.iter().find(|row| row.name == now).copied();
        row.or_else(|| shape(now)).ok_or_else(|| ArchitectureError { name: text.to_owned() })
    }
}

impl fmt::Display for Architecture {
    /// The name, or the shape.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.name.is_empty() {
            return f.pad(self.name);
        }
        let alike = self.encoding.is_some();
        let layers = if alike { &self.layers[..1] } else { &self.layers[..] };
        let width = |[hidden, second]: &HiddenLayers| match second {
            0 => hidden.to_string(),
            _ => format!("{hidden}-{second}"),
        };
        let mut text = layers.iter().map(width).collect::<Vec<_>>().join("/");
        let usual = usual_units(layers);
        let mut word = |word: &str| text += &format!("+{word}");
        if self.sharing != NetSharing::ByClass {
            SHARING.iter().filter(|(_, one)| *one == self.sharing).for_each(|(name, _)| word(name));
        }
        let implied =
            self.sharing == NetSharing::Single && self.encoding == Some(Encoding::Contact);
        if let Some(encoding) = self.encoding.filter(|_| !implied) {
            word(encoding.name());
        }
        if self.inputs != InputChoice::All {
            INPUTS.iter().filter(|(_, one)| *one == self.inputs).for_each(|(name, _)| word(name));
        }
        if self.units.hidden != usual.hidden {
            word(self.units.hidden.slug());
        }
        if self.units.output != usual.output {
            word(&self.units.output.to_string());
        }
        f.pad(&text)
    }
}

impl Specialists {
    /// The architecture that is there; `None` if no shape denotes it. Which inputs were read does
    /// not show in the weights: it is that of `inputs`.
    #[must_use]
    pub fn architecture(&self, inputs: InputChoice) -> Option<Architecture> {
        let nets = self.nets();
        let of = |class: Class| &nets[self.net_of(class)];
        let first = nets.first()?;
        let weights = first.mlp.to_weights();
        let alike = nets.iter().all(|net| net.encoding == first.encoding);
        let mut layers = [[0; 2]; 3];
        for class in Class::all() {
            let (net, shape) = (of(class), of(class).mlp.shape());
            let place = match net.encoding.built_in()? {
                Encoding::Endgame => 0,
                Encoding::Race => 1,
                Encoding::Contact | Encoding::Raw | Encoding::PubEval => 2,
            };
            layers[place] = [shape.hidden, shape.second];
            if alike {
                layers = [layers[place]; 3];
            }
        }
        let encoding = first.encoding.built_in().filter(|_| alike);
        let sharing = SHARING.map(|(_, sharing)| sharing).into_iter();
        let mut found = sharing.map(|sharing| {
            Architecture::new(sharing, layers, encoding, inputs, weights.activations)
        });
        found.find(|architecture| {
            Class::all().all(|class| {
                let (net, encoding) = (of(class), architecture.encoding_of(class));
                let (shape, units) = (net.mlp.shape(), net.mlp.to_weights().activations);
                net.name == architecture.net_of(class)
                    && net.encoding == encoding
                    && units == architecture.units
                    && [shape.hidden, shape.second]
                        == [architecture.hidden(encoding), architecture.second(encoding)]
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    #[test]
    fn a_shape_prints_as_it_is_written_and_is_read_from_a_team() {
        for text in [
            "40/64/128",
            "128-16/128-16/512-32",
            "128-16/64/512-32+rbf",
            "30/30/60+by-encoding+linear",
            "33+single+raw+general+softsign",
            "12+by-contact+pubeval+opponent",
            "large",
            "single",
            "pubeval-linear",
            "raw",
        ] {
            let architecture: Architecture = text.parse().expect(text);
            assert_eq!(architecture.to_string(), text);
            let team = Specialists::random(&architecture, &mut Pcg64::seed_from_u64(1));
            assert_eq!(team.architecture(architecture.inputs), Some(architecture), "{text}");
        }
    }

    #[test]
    fn every_architecture_is_that_of_its_team_and_has_the_name_of_its_shape() {
        for architecture in Architecture::ALL {
            let team = Specialists::random(architecture, &mut Pcg64::seed_from_u64(1));
            assert_eq!(team.architecture(architecture.inputs), Some(*architecture));
        }
    }

    #[test]
    fn former_names_are_read() {
        for (alias, now) in ALIASES {
            assert_eq!(alias.parse::<Architecture>(), now.parse(), "{alias}");
        }
    }

    #[test]
    fn what_denotes_no_architecture_is_refused() {
        for text in
            ["", "huge", "40/64", "40", "0-4/1/2", "40-0/1/2", "9999/1/1", "4/4/4+x", "4/4/4+raw"]
        {
            let error = text.parse::<Architecture>().expect_err(text).to_string();
            assert!(error.contains("expected one of large, small, hidden80"), "{error}");
        }
    }
}
