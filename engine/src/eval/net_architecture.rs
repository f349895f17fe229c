//! The table of architectures: which classes share a net, which encoding each net reads, and its number of hidden units.

use std::sync::LazyLock;

use crate::class::Class;
use crate::features::Encoding::{self, Contact, Endgame, PubEval, Race, Raw};
use crate::features::{ByEncoding, Feature};
use crate::nn::{Activation, Activations, OutputActivation};

/// Which classes share a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetSharing {
    /// One net for each class.
    ByClass,
    /// One net for each encoding, which all classes of that encoding share.
    ByEncoding,
    /// One net for positions with contact and one for races.
    ByContact,
    /// One net for all classes, with the contact encoding unless the architecture names another.
    Single,
}

/// Which inputs of an encoding a net reads. The weights of the other inputs are 0, and learning leaves them so. Some choices are
/// those that Mannen & Wiering compare in section 5.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputChoice {
    /// All of them.
    All,
    /// Those that are not raw ("general features").
    General,
    /// The same, and of the raw ones whether a point has a checker, whether it has two or more, and whether any checkers are on the
    /// bar or off ("general features and partial raw board": of chess they took kings and pawns).
    PartlyRaw,
    /// Those of the opponent, who has just moved: what PubEval reads.
    OfTheOpponent,
}

/// For each encoding and each choice but all, which inputs are read.
static MASKS: LazyLock<ByEncoding<[Vec<bool>; 3]>> = LazyLock::new(|| {
    ByEncoding::new(|encoding| {
        let layout = encoding.layout();
        [InputChoice::General, InputChoice::PartlyRaw, InputChoice::OfTheOpponent]
            .map(|choice| layout.iter().map(|input| choice.reads(input)).collect())
    })
});

impl InputChoice {
    /// For each input of an encoding, whether a net reads it; `None` if it reads all.
    #[must_use]
    pub fn mask(self, encoding: Encoding) -> Option<&'static [bool]> {
        let [general, partly_raw, of_the_opponent] = &MASKS[encoding];
        match self {
            InputChoice::All => None,
            InputChoice::General => Some(general),
            InputChoice::PartlyRaw => Some(partly_raw),
            InputChoice::OfTheOpponent => Some(of_the_opponent),
        }
    }

    /// Whether a net reads this input.
    #[must_use]
    pub fn reads(self, input: &Feature) -> bool {
        let is_raw = || input.unit.starts_with("raw");
        let is_simple = || {
            let simple = [": 1 or more", ": 2 or more", ": any"];
            simple.iter().any(|ending| input.name.ends_with(ending))
        };
        match self {
            InputChoice::All => true,
            InputChoice::General => !is_raw(),
            InputChoice::PartlyRaw => !is_raw() || is_simple(),
            InputChoice::OfTheOpponent => input.name.starts_with("opponent "),
        }
    }
}

/// An architecture: the nets of a team, their encodings and their sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// The name in commands and files.
    pub name: &'static str,
    /// A description with its source.
    pub meaning: &'static str,
    /// Which classes share a net.
    pub sharing: NetSharing,
    /// Hidden units of the nets of each encoding that the architecture uses; 0 for nets without a hidden layer.
    pub hidden: &'static [(Encoding, usize)],
    /// The encoding of all nets, whatever the class; `None` if each class has its own.
    pub encoding: Option<Encoding>,
    /// Which inputs of their encoding the nets read.
    pub inputs: InputChoice,
    /// The activation functions of the hidden and the output units.
    pub units: Activations,
    /// Units of the second hidden layer of the nets of each encoding that has one.
    pub second: &'static [(Encoding, usize)],
}

/// Sigmoid units and linear outputs, as in the papers' backgammon nets.
const PLAIN: Activations =
    Activations { hidden: Activation::Sigmoid, output: OutputActivation::Linear };

impl Architecture {
    /// All known architectures.
    pub const ALL: &[Architecture] = &[
        Architecture {
            name: "large",
            meaning: "nine nets, 20/20/40 hidden units (Wiering, Patist & Mannen, section 4.1)",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 20), (Race, 20), (Contact, 40)],
            encoding: None,
            inputs: InputChoice::All,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "small",
            meaning: "three nets, 20/20/40 hidden units (Wiering, Patist & Mannen, section 4.2)",
            sharing: NetSharing::ByEncoding,
            hidden: &[(Endgame, 20), (Race, 20), (Contact, 40)],
            encoding: None,
            inputs: InputChoice::All,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "hidden80",
            meaning: "three nets, 20/20/80 hidden units (Wiering, Patist & Mannen, section 4.2)",
            sharing: NetSharing::ByEncoding,
            hidden: &[(Endgame, 20), (Race, 20), (Contact, 80)],
            encoding: None,
            inputs: InputChoice::All,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "rbf",
            meaning: "three nets, 20/20/40 radial basis units (Wiering, Patist & Mannen, section 4.2)",
            sharing: NetSharing::ByEncoding,
            hidden: &[(Endgame, 20), (Race, 20), (Contact, 40)],
            encoding: None,
            inputs: InputChoice::All,
            units: Activations { hidden: Activation::Rbf, ..PLAIN },
            second: &[],
        },
        Architecture {
            name: "softsign",
            meaning: "three nets, 20/20/40 units x / (1 + |x|) (Wiering, Patist & Mannen, section 5.2)",
            sharing: NetSharing::ByEncoding,
            hidden: &[(Endgame, 20), (Race, 20), (Contact, 40)],
            encoding: None,
            inputs: InputChoice::All,
            units: Activations { hidden: Activation::Softsign, ..PLAIN },
            second: &[],
        },
        Architecture {
            name: "linear",
            meaning: "nine nets without a hidden layer (Mannen & Wiering)",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 0), (Race, 0), (Contact, 0)],
            encoding: None,
            inputs: InputChoice::All,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "single-linear",
            meaning: "one net without a hidden layer for all positions (Mannen & Wiering)",
            sharing: NetSharing::Single,
            hidden: &[(Contact, 0)],
            encoding: None,
            inputs: InputChoice::All,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "softmax",
            meaning: "nine nets, 20/20/80 hidden units, whose six outcomes are probabilities that add up to 1 (softmax, cross-entropy)",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 20), (Race, 20), (Contact, 80)],
            encoding: None,
            inputs: InputChoice::All,
            units: Activations { output: OutputActivation::SoftmaxFrom(1), ..PLAIN },
            second: &[],
        },
        Architecture {
            name: "medium",
            meaning: "nine nets, 24/24/64 hidden units, softmax outcomes: learns most in two minutes",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 24), (Race, 24), (Contact, 64)],
            encoding: None,
            inputs: InputChoice::All,
            units: Activations { output: OutputActivation::SoftmaxFrom(1), ..PLAIN },
            second: &[],
        },
        Architecture {
            name: "champion",
            meaning: "nine nets, 40/64/128 hidden units, whose six outcomes are probabilities that add up to 1 (softmax, cross-entropy)",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 40), (Race, 64), (Contact, 128)],
            encoding: None,
            inputs: InputChoice::All,
            units: Activations { output: OutputActivation::SoftmaxFrom(1), ..PLAIN },
            second: &[],
        },
        Architecture {
            name: "deep",
            meaning: "nine nets of two hidden layers, 128-16/128-16/256-32 SiLU units, softmax outcomes",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 128), (Race, 128), (Contact, 256)],
            encoding: None,
            inputs: InputChoice::All,
            units: Activations {
                hidden: Activation::Silu,
                output: OutputActivation::SoftmaxFrom(1),
            },
            second: &[(Endgame, 16), (Race, 16), (Contact, 32)],
        },
        Architecture {
            name: "deep384",
            meaning: "nine nets of two hidden layers, 128-16/128-16/384-32 SiLU units, softmax outcomes",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 128), (Race, 128), (Contact, 384)],
            encoding: None,
            inputs: InputChoice::All,
            units: Activations {
                hidden: Activation::Silu,
                output: OutputActivation::SoftmaxFrom(1),
            },
            second: &[(Endgame, 16), (Race, 16), (Contact, 32)],
        },
        Architecture {
            name: "deep448",
            meaning: "nine nets of two hidden layers, 128-16/128-16/448-32 SiLU units, softmax outcomes",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 128), (Race, 128), (Contact, 448)],
            encoding: None,
            inputs: InputChoice::All,
            units: Activations {
                hidden: Activation::Silu,
                output: OutputActivation::SoftmaxFrom(1),
            },
            second: &[(Endgame, 16), (Race, 16), (Contact, 32)],
        },
        Architecture {
            name: "swift",
            meaning: "nine nets, 24/24/40 hidden units, softmax outcomes: small and fast, for players that search deep",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 24), (Race, 24), (Contact, 40)],
            encoding: None,
            inputs: InputChoice::All,
            units: Activations { output: OutputActivation::SoftmaxFrom(1), ..PLAIN },
            second: &[],
        },
        Architecture {
            name: "single",
            meaning: "one net of 40 hidden units for all positions (compared with many nets by Mannen & Wiering and by Chinook's authors)",
            sharing: NetSharing::Single,
            hidden: &[(Contact, 40)],
            encoding: None,
            inputs: InputChoice::All,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "raw",
            meaning: "nine nets of 40 hidden units with 248 raw inputs (Mannen & Wiering compare them with higher-level inputs)",
            sharing: NetSharing::ByClass,
            hidden: &[(Raw, 40)],
            encoding: Some(Raw),
            inputs: InputChoice::All,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "single-raw",
            meaning: "one net of 40 hidden units with 248 raw inputs for all positions",
            sharing: NetSharing::Single,
            hidden: &[(Raw, 40)],
            encoding: Some(Raw),
            inputs: InputChoice::All,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "separate80",
            meaning: "nine nets of 80 hidden units (the width of Mannen & Wiering)",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 80), (Race, 80), (Contact, 80)],
            encoding: None,
            inputs: InputChoice::All,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "single80",
            meaning: "one net of 80 hidden units for all positions (e of Mannen & Wiering)",
            sharing: NetSharing::Single,
            hidden: &[(Contact, 80)],
            encoding: None,
            inputs: InputChoice::All,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "separate-raw80",
            meaning: "nine nets of 80 hidden units with 248 raw inputs (Mannen & Wiering)",
            sharing: NetSharing::ByClass,
            hidden: &[(Raw, 80)],
            encoding: Some(Raw),
            inputs: InputChoice::All,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "single-raw80",
            meaning: "one net of 80 hidden units with 248 raw inputs for all positions (Mannen & Wiering)",
            sharing: NetSharing::Single,
            hidden: &[(Raw, 80)],
            encoding: Some(Raw),
            inputs: InputChoice::All,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "general80",
            meaning: "nine nets of 80 hidden units with the 145 contact inputs that are not raw (b of Mannen & Wiering)",
            sharing: NetSharing::ByClass,
            hidden: &[(Contact, 80)],
            encoding: Some(Contact),
            inputs: InputChoice::General,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "single-general80",
            meaning: "one net of 80 hidden units with the same inputs for all positions (a of Mannen & Wiering)",
            sharing: NetSharing::Single,
            hidden: &[(Contact, 80)],
            encoding: Some(Contact),
            inputs: InputChoice::General,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "partial80",
            meaning: "nine nets of 80 hidden units with those inputs and part of the raw ones (d of Mannen & Wiering)",
            sharing: NetSharing::ByClass,
            hidden: &[(Contact, 80)],
            encoding: Some(Contact),
            inputs: InputChoice::PartlyRaw,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "single-partial80",
            meaning: "one net of 80 hidden units with the same inputs for all positions (c of Mannen & Wiering)",
            sharing: NetSharing::Single,
            hidden: &[(Contact, 80)],
            encoding: Some(Contact),
            inputs: InputChoice::PartlyRaw,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "full80",
            meaning: "nine nets of 80 hidden units with all 393 contact inputs (f of Mannen & Wiering)",
            sharing: NetSharing::ByClass,
            hidden: &[(Contact, 80)],
            encoding: Some(Contact),
            inputs: InputChoice::All,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "single-partial-linear",
            meaning: "one net without a hidden layer with part of the raw inputs for all positions (g of Mannen & Wiering)",
            sharing: NetSharing::Single,
            hidden: &[(Contact, 0)],
            encoding: Some(Contact),
            inputs: InputChoice::PartlyRaw,
            units: PLAIN,
            second: &[],
        },
        Architecture {
            name: "pubeval-linear",
            meaning: "a net for contact and one for races, without a hidden layer, with PubEval's 122 inputs: what can learning make of them? (Schaeffer, Hlynka & Jussila ask it of Chinook's)",
            sharing: NetSharing::ByContact,
            hidden: &[(PubEval, 0)],
            encoding: Some(PubEval),
            inputs: InputChoice::OfTheOpponent,
            units: PLAIN,
            second: &[],
        },
    ];

    /// The architecture with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Architecture> {
        // Some net files and run folders use the alias `shares`.
        let name = if name == "shares" { "softmax" } else { name };
        Architecture::ALL.iter().find(|architecture| architecture.name == name)
    }

    /// Hidden units of a net that reads `encoding`.
    ///
    /// # Panics
    /// If none of its nets reads `encoding`.
    #[must_use]
    pub fn hidden(&self, encoding: Encoding) -> usize {
        let width = self.hidden.iter().find(|(other, _)| *other == encoding);
        width.expect("an architecture has a width for each encoding that its nets read").1
    }

    /// Units of the second hidden layer of a net that reads `encoding`; 0 if it has none.
    #[must_use]
    pub fn second(&self, encoding: Encoding) -> usize {
        let width = self.second.iter().find(|(other, _)| *other == encoding);
        width.map_or(0, |(_, units)| *units)
    }

    /// The encoding that the net of `class` reads.
    #[must_use]
    pub fn encoding_of(&self, class: Class) -> Encoding {
        match self.sharing {
            NetSharing::Single => self.encoding.unwrap_or(Contact),
            NetSharing::ByClass | NetSharing::ByEncoding | NetSharing::ByContact => {
                self.encoding.unwrap_or(class.spec().encoding)
            }
        }
    }

    /// The name of the net of `class`; classes with the same name share a net.
    #[must_use]
    pub fn net_of(&self, class: Class) -> &'static str {
        match self.sharing {
            NetSharing::ByClass => class.slug(),
            NetSharing::ByEncoding => self.encoding_of(class).name(),
            NetSharing::ByContact if class.spec().encoding.contact() => "contact",
            NetSharing::ByContact => "race",
            NetSharing::Single => "all",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_architecture_has_a_width_for_each_encoding_that_it_reads() {
        for architecture in Architecture::ALL {
            let read = Class::all().map(|class| architecture.encoding_of(class));
            assert!(read.clone().all(|encoding| architecture.hidden(encoding) < 1_000));
            let widths = architecture.hidden.iter().map(|(encoding, _)| *encoding);
            assert!(
                widths.clone().all(|encoding| read.clone().any(|other| other == encoding)),
                "{} has a width that no net uses",
                architecture.name
            );
        }
    }

    #[test]
    fn a_choice_of_inputs_keeps_the_general_ones_and_part_of_the_raw_ones() {
        let layout = Contact.layout();
        let read = |choice: InputChoice| layout.iter().filter(|i| choice.reads(i)).count();
        assert_eq!(read(InputChoice::All), 393);
        assert_eq!(read(InputChoice::General), 145, "as many as the paper's");
        // Two for each point, one for the bar, one for checkers off.
        assert_eq!(read(InputChoice::PartlyRaw), 145 + 2 * (2 * 24 + 2));
        let pubeval = InputChoice::OfTheOpponent.mask(PubEval).expect("a choice");
        assert_eq!(pubeval.iter().position(|&read| read), Some(122));
        assert_eq!(pubeval.iter().filter(|&&read| read).count(), 122);
        assert_eq!(InputChoice::All.mask(Contact), None);
    }

    #[test]
    fn pubevals_inputs_have_a_net_for_contact_and_one_for_races() {
        let architecture = Architecture::named("pubeval-linear").expect("known");
        let races = Class::all().filter(|&class| architecture.net_of(class) == "race");
        assert_eq!(races.count(), 2, "bearoff and race");
        let encodings = Class::all().map(|class| architecture.encoding_of(class));
        assert!(encodings.into_iter().all(|encoding| encoding == PubEval));
    }

    #[test]
    fn shares_is_an_alias_of_softmax() {
        assert_eq!(Architecture::named("shares"), Architecture::named("softmax"));
        assert!(Architecture::named("softmax").is_some());
    }
}
