//! The table of architectures: which classes share a net, which encoding each net reads, and its number of hidden units.

use crate::class::Class;
use crate::features::Encoding::{self, Contact, Endgame, Race, Raw};
use crate::nn::{Activation, Activations, OutputActivation};

/// Which classes share a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetSharing {
    /// One net for each class.
    ByClass,
    /// One net for each encoding, which all classes of that encoding share.
    ByEncoding,
    /// One net for all classes, with the contact encoding.
    Single,
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
    /// Whether all nets read the raw encoding, whatever the class.
    pub raw: bool,
    /// The activation functions of the hidden and the output units.
    pub units: Activations,
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
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "small",
            meaning: "three nets, 20/20/40 hidden units (Wiering, Patist & Mannen, section 4.2)",
            sharing: NetSharing::ByEncoding,
            hidden: &[(Endgame, 20), (Race, 20), (Contact, 40)],
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "hidden80",
            meaning: "three nets, 20/20/80 hidden units (Wiering, Patist & Mannen, section 4.2)",
            sharing: NetSharing::ByEncoding,
            hidden: &[(Endgame, 20), (Race, 20), (Contact, 80)],
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "rbf",
            meaning: "three nets, 20/20/40 radial basis units (Wiering, Patist & Mannen, section 4.2)",
            sharing: NetSharing::ByEncoding,
            hidden: &[(Endgame, 20), (Race, 20), (Contact, 40)],
            raw: false,
            units: Activations { hidden: Activation::Rbf, ..PLAIN },
        },
        Architecture {
            name: "softsign",
            meaning: "three nets, 20/20/40 units x / (1 + |x|) (Wiering, Patist & Mannen, section 5.2)",
            sharing: NetSharing::ByEncoding,
            hidden: &[(Endgame, 20), (Race, 20), (Contact, 40)],
            raw: false,
            units: Activations { hidden: Activation::Softsign, ..PLAIN },
        },
        Architecture {
            name: "linear",
            meaning: "nine nets without a hidden layer (Mannen & Wiering)",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 0), (Race, 0), (Contact, 0)],
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "single-linear",
            meaning: "one net without a hidden layer for all positions (Mannen & Wiering)",
            sharing: NetSharing::Single,
            hidden: &[(Contact, 0)],
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "softmax",
            meaning: "nine nets, 20/20/80 hidden units, whose six outcomes are probabilities that add up to 1 (softmax, cross-entropy)",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 20), (Race, 20), (Contact, 80)],
            raw: false,
            units: Activations { output: OutputActivation::SoftmaxFrom(1), ..PLAIN },
        },
        Architecture {
            name: "medium",
            meaning: "nine nets, 24/24/64 hidden units, softmax outcomes: learns most in two minutes",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 24), (Race, 24), (Contact, 64)],
            raw: false,
            units: Activations { output: OutputActivation::SoftmaxFrom(1), ..PLAIN },
        },
        Architecture {
            name: "champion",
            meaning: "nine nets, 40/64/128 hidden units, whose six outcomes are probabilities that add up to 1 (softmax, cross-entropy)",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 40), (Race, 64), (Contact, 128)],
            raw: false,
            units: Activations { output: OutputActivation::SoftmaxFrom(1), ..PLAIN },
        },
        Architecture {
            name: "swift",
            meaning: "nine nets, 24/24/40 hidden units, softmax outcomes: small and fast, for players that search deep",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 24), (Race, 24), (Contact, 40)],
            raw: false,
            units: Activations { output: OutputActivation::SoftmaxFrom(1), ..PLAIN },
        },
        Architecture {
            name: "single",
            meaning: "one net of 40 hidden units for all positions (compared with many nets by Mannen & Wiering and by Chinook's authors)",
            sharing: NetSharing::Single,
            hidden: &[(Contact, 40)],
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "raw",
            meaning: "nine nets of 40 hidden units with 248 raw inputs (Mannen & Wiering compare them with higher-level inputs)",
            sharing: NetSharing::ByClass,
            hidden: &[(Raw, 40)],
            raw: true,
            units: PLAIN,
        },
        Architecture {
            name: "single-raw",
            meaning: "one net of 40 hidden units with 248 raw inputs for all positions",
            sharing: NetSharing::Single,
            hidden: &[(Raw, 40)],
            raw: true,
            units: PLAIN,
        },
        Architecture {
            name: "separate80",
            meaning: "nine nets of 80 hidden units (the width of Mannen & Wiering)",
            sharing: NetSharing::ByClass,
            hidden: &[(Endgame, 80), (Race, 80), (Contact, 80)],
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "single80",
            meaning: "one net of 80 hidden units for all positions (Mannen & Wiering)",
            sharing: NetSharing::Single,
            hidden: &[(Contact, 80)],
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "separate-raw80",
            meaning: "nine nets of 80 hidden units with 248 raw inputs (Mannen & Wiering)",
            sharing: NetSharing::ByClass,
            hidden: &[(Raw, 80)],
            raw: true,
            units: PLAIN,
        },
        Architecture {
            name: "single-raw80",
            meaning: "one net of 80 hidden units with 248 raw inputs for all positions (Mannen & Wiering)",
            sharing: NetSharing::Single,
            hidden: &[(Raw, 80)],
            raw: true,
            units: PLAIN,
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

    /// The encoding that the net of `class` reads.
    #[must_use]
    pub fn encoding_of(&self, class: Class) -> Encoding {
        match self.sharing {
            _ if self.raw => Raw,
            NetSharing::ByClass | NetSharing::ByEncoding => class.spec().encoding,
            NetSharing::Single => Contact,
        }
    }

    /// The name of the net of `class`; classes with the same name share a net.
    #[must_use]
    pub fn net_of(&self, class: Class) -> &'static str {
        match self.sharing {
            NetSharing::ByClass => class.slug(),
            NetSharing::ByEncoding => self.encoding_of(class).name(),
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
    fn shares_is_an_alias_of_softmax() {
        assert_eq!(Architecture::named("shares"), Architecture::named("softmax"));
        assert!(Architecture::named("softmax").is_some());
    }
}
