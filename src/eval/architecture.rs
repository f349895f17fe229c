//! The papers' architectures as data: how classes share nets, and how wide each net is.

use crate::class::Class;
use crate::features::Encoding;
use crate::nn::{Activation, Activations, OutputActivation};

/// How positions are shared out among nets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetSharing {
    /// One net for each class.
    ByClass,
    /// One net for each encoding: endgame, race and all the rest.
    ByEncoding,
    /// One net for everything, which sees every position as one with contact.
    Single,
}

/// An architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// The name in commands and files.
    pub name: &'static str,
    /// What it is, and where it comes from.
    pub meaning: &'static str,
    /// How positions are shared out.
    pub team: NetSharing,
    /// Hidden units of endgame nets, of race nets, and of all others; 0 for inputs that lead straight to the outputs.
    pub hidden: [usize; 3],
    /// Whether all nets read raw inputs and nothing else, whatever the class.
    pub raw: bool,
    /// What the units do.
    pub units: Activations,
}

/// Sigmoid units and linear outputs, as in the papers' backgammon nets.
const PLAIN: Activations =
    Activations { activation: Activation::Sigmoid, readout: OutputActivation::Linear };

impl Architecture {
    /// All known architectures.
    pub const ALL: &[Architecture] = &[
        Architecture {
            name: "large",
            meaning: "nine nets, 20/20/40 hidden units (Wiering, Patist & Mannen, section 4.1)",
            team: NetSharing::ByClass,
            hidden: [20, 20, 40],
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "small",
            meaning: "three nets, 20/20/40 hidden units (Wiering, Patist & Mannen, section 4.2)",
            team: NetSharing::ByEncoding,
            hidden: [20, 20, 40],
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "hidden80",
            meaning: "three nets, 20/20/80 hidden units (Wiering, Patist & Mannen, section 4.2)",
            team: NetSharing::ByEncoding,
            hidden: [20, 20, 80],
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "rbf",
            meaning: "three nets, 20/20/40 radial basis units (Wiering, Patist & Mannen, section 4.2)",
            team: NetSharing::ByEncoding,
            hidden: [20, 20, 40],
            raw: false,
            units: Activations { activation: Activation::Rbf, ..PLAIN },
        },
        Architecture {
            name: "softsign",
            meaning: "three nets, 20/20/40 units x / (1 + |x|) (Wiering, Patist & Mannen, section 5.2)",
            team: NetSharing::ByEncoding,
            hidden: [20, 20, 40],
            raw: false,
            units: Activations { activation: Activation::Softsign, ..PLAIN },
        },
        Architecture {
            name: "linear",
            meaning: "nine nets without a hidden layer (Mannen & Wiering)",
            team: NetSharing::ByClass,
            hidden: [0, 0, 0],
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "single-linear",
            meaning: "one net without a hidden layer for all positions (Mannen & Wiering)",
            team: NetSharing::Single,
            hidden: [0, 0, 0],
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "shares",
            meaning: "nine nets, 20/20/80 hidden units, whose six outcomes are shares of 1 (softmax, cross-entropy)",
            team: NetSharing::ByClass,
            hidden: [20, 20, 80],
            raw: false,
            units: Activations { readout: OutputActivation::Softmax, ..PLAIN },
        },
        Architecture {
            name: "champion",
            meaning: "nine nets, 40/64/128 hidden units, whose six outcomes are shares of 1 (softmax, cross-entropy)",
            team: NetSharing::ByClass,
            hidden: [40, 64, 128],
            raw: false,
            units: Activations { readout: OutputActivation::Softmax, ..PLAIN },
        },
        Architecture {
            name: "swift",
            meaning: "nine nets, 24/24/40 hidden units, whose six outcomes are shares of 1: small, for players that search deep",
            team: NetSharing::ByClass,
            hidden: [24, 24, 40],
            raw: false,
            units: Activations { readout: OutputActivation::Softmax, ..PLAIN },
        },
        Architecture {
            name: "single",
            meaning: "one net of 40 hidden units for all positions (the question of Mannen & Wiering and of Chinook's authors)",
            team: NetSharing::Single,
            hidden: [40, 40, 40],
            raw: false,
            units: PLAIN,
        },
        Architecture {
            name: "raw",
            meaning: "nine nets of 40 hidden units with 248 raw inputs (Mannen & Wiering's question of features)",
            team: NetSharing::ByClass,
            hidden: [40, 40, 40],
            raw: true,
            units: PLAIN,
        },
        Architecture {
            name: "single-raw",
            meaning: "one net of 40 hidden units with 248 raw inputs for all positions",
            team: NetSharing::Single,
            hidden: [40, 40, 40],
            raw: true,
            units: PLAIN,
        },
    ];

    /// The architecture of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Architecture> {
        Architecture::ALL.iter().find(|preset| preset.name == name)
    }

    /// Hidden units of a net that reads `encoding`.
    #[must_use]
    pub const fn hidden(&self, encoding: Encoding) -> usize {
        match encoding {
            Encoding::Endgame => self.hidden[0],
            Encoding::Race => self.hidden[1],
            Encoding::Contact | Encoding::Raw => self.hidden[2],
        }
    }

    /// What the net that serves `class` reads.
    #[must_use]
    pub fn encoding_of(&self, class: Class) -> Encoding {
        match self.team {
            _ if self.raw => Encoding::Raw,
            NetSharing::ByClass | NetSharing::ByEncoding => class.spec().encoding,
            NetSharing::Single => Encoding::Contact,
        }
    }

    /// The name of the net that serves `class`; classes of one name share one net.
    #[must_use]
    pub fn net_of(&self, class: Class) -> &'static str {
        match (self.team, class.spec().encoding) {
            (NetSharing::ByClass, _) => class.slug(),
            (NetSharing::ByEncoding, Encoding::Endgame) => "endgame",
            (NetSharing::ByEncoding, Encoding::Race) => "race",
            (NetSharing::ByEncoding, Encoding::Contact | Encoding::Raw) => "contact",
            (NetSharing::Single, _) => "all",
        }
    }
}
