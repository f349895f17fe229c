//! The table of architectures: which classes share a net, which encoding each net reads, and its
//! numbers of hidden units.

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

/// Which inputs of an encoding a net reads. The weights of the other inputs are 0, and learning
/// leaves them so. Some choices are those that Mannen & Wiering compare in section 5.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputChoice {
    /// All of them.
    All,
    /// Those that are not raw ("general features").
    General,
    /// The same, and some raw inputs ("general features and partial raw board").
    ///
    /// These are one or more checkers on a point, two or more, any on the bar, any off. In chess
    /// the paper took kings and pawns.
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

/// Units of the two hidden layers of a net; 0 where it has no such layer.
pub type HiddenLayers = [usize; 2];

/// An architecture: the nets of a team, their encodings and their sizes.
///
/// An architecture is written as the name of a row of [`Architecture::ALL`], or as a shape. A shape
/// is the hidden units of the endgame, race and contact nets, such as `40/64/128`, or with two
/// layers `128-16/128-16/512-32`. Nets that all read one encoding have one width:
/// `80+single+linear`. Words behind `+` change the rest:
///
/// - classes that share a net: `by-encoding`, `by-contact` or `single`;
/// - hidden units: `sigmoid`, `rbf`, `softsign` or `silu`;
/// - outputs: `linear`;
/// - the encoding of all nets: `raw` or another;
/// - the inputs of the encoding that are read: `general`, `partial` or `opponent`.
///
/// ```
/// use nonet_engine::eval::Architecture;
///
/// let shape: Architecture = "128-16/128-16/512-32".parse()?;
/// assert_eq!(shape.to_string(), "128-16/128-16/512-32");
/// assert_eq!("20/20/40+linear".parse::<Architecture>()?.to_string(), "large");
/// # Ok::<(), nonet_engine::eval::ArchitectureError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// The name, or nothing for a shape without one.
    pub(super) name: &'static str,
    /// A description with its source.
    pub(super) meaning: &'static str,
    /// Which classes share a net.
    pub sharing: NetSharing,
    /// Hidden layers of the endgame, the race and the contact nets; of nets with one encoding the
    /// last ones.
    pub layers: [HiddenLayers; 3],
    /// The encoding of all nets, whatever the class; `None` if each class has its own.
    pub encoding: Option<Encoding>,
    /// Which inputs of their encoding the nets read.
    pub inputs: InputChoice,
    /// The activation functions of the hidden and the output units.
    pub units: Activations,
}

/// Sigmoid units and linear outputs, as in the papers' backgammon nets.
const PLAIN: Activations =
    Activations { hidden: Activation::Sigmoid, output: OutputActivation::Linear };

/// Sigmoid units, and outcomes that are probabilities and add up to 1 (softmax, cross-entropy).
const SOFTMAX: Activations = Activations { output: OutputActivation::SoftmaxFrom(1), ..PLAIN };

/// Nets with one hidden layer of these units, each class with its own encoding.
const fn nets(
    name: &'static str,
    meaning: &'static str,
    sharing: NetSharing,
    hidden: [usize; 3],
    units: Activations,
) -> Architecture {
    let [endgame, race, contact] = hidden;
    let layers = [[endgame, 0], [race, 0], [contact, 0]];
    let (encoding, inputs) = (None, InputChoice::All);
    Architecture { name, meaning, sharing, layers, encoding, inputs, units }
}

/// Nets of one width that all read this choice of the inputs of one encoding.
const fn alike(
    name: &'static str,
    meaning: &'static str,
    sharing: NetSharing,
    hidden: usize,
    encoding: Encoding,
    inputs: InputChoice,
) -> Architecture {
    let encoding = Some(encoding);
    Architecture { encoding, inputs, ..nets(name, meaning, sharing, [hidden; 3], PLAIN) }
}

use InputChoice::{All, General, OfTheOpponent, PartlyRaw};
use NetSharing::{ByClass, ByContact, ByEncoding as PerEncoding, Single};

impl Architecture {
    /// The architectures with a name.
    #[rustfmt::skip]
    pub const ALL: &[Architecture] = &[
        nets("large", "nine nets, 20/20/40 hidden units (Wiering, Patist & Mannen, section 4.1)", ByClass, [20, 20, 40], PLAIN),
        nets("small", "three nets, 20/20/40 hidden units (Wiering, Patist & Mannen, section 4.2)", PerEncoding, [20, 20, 40], PLAIN),
        nets("hidden80", "three nets, 20/20/80 hidden units (Wiering, Patist & Mannen, section 4.2)", PerEncoding, [20, 20, 80], PLAIN),
        nets("rbf", "three nets, 20/20/40 radial basis units (Wiering, Patist & Mannen, section 4.2)", PerEncoding, [20, 20, 40],
            Activations { hidden: Activation::Rbf, ..PLAIN }),
        nets("softsign", "three nets, 20/20/40 units x / (1 + |x|) (Wiering, Patist & Mannen, section 5.2)", PerEncoding, [20, 20, 40],
            Activations { hidden: Activation::Softsign, ..PLAIN }),
        nets("linear", "nine nets without a hidden layer (Mannen & Wiering)", ByClass, [0; 3], PLAIN),
        alike("single-linear", "one net without a hidden layer for all positions (Mannen & Wiering)", Single, 0, Contact, All),
        nets("softmax", "nine nets, 20/20/80 hidden units, softmax outcomes", ByClass, [20, 20, 80], SOFTMAX),
        nets("medium", "nine nets, 24/24/64 hidden units, softmax outcomes: learns most in two minutes", ByClass, [24, 24, 64], SOFTMAX),
        nets("swift", "nine nets, 24/24/40 hidden units, softmax outcomes: small and fast, for players that search deep", ByClass, [24, 24, 40], SOFTMAX),
        alike("single", "one net of 40 hidden units for all positions (compared with many nets by Mannen & Wiering and by Chinook's authors)", Single, 40, Contact, All),
        alike("raw", "nine nets of 40 hidden units with 248 raw inputs (Mannen & Wiering compare them with higher-level inputs)", ByClass, 40, Raw, All),
        alike("single-raw", "one net of 40 hidden units with 248 raw inputs for all positions", Single, 40, Raw, All),
        nets("separate80", "nine nets of 80 hidden units (the width of Mannen & Wiering)", ByClass, [80; 3], PLAIN),
        alike("single80", "one net of 80 hidden units for all positions (e of Mannen & Wiering)", Single, 80, Contact, All),
        alike("separate-raw80", "nine nets of 80 hidden units with 248 raw inputs (Mannen & Wiering)", ByClass, 80, Raw, All),
        alike("single-raw80", "one net of 80 hidden units with 248 raw inputs for all positions (Mannen & Wiering)", Single, 80, Raw, All),
        alike("general80", "nine nets of 80 hidden units with the 145 contact inputs that are not raw (b of Mannen & Wiering)", ByClass, 80, Contact, General),
        alike("single-general80", "one net of 80 hidden units with the same inputs for all positions (a of Mannen & Wiering)", Single, 80, Contact, General),
        alike("partial80", "nine nets of 80 hidden units with those inputs and part of the raw ones (d of Mannen & Wiering)", ByClass, 80, Contact, PartlyRaw),
        alike("single-partial80", "one net of 80 hidden units with the same inputs for all positions (c of Mannen & Wiering)", Single, 80, Contact, PartlyRaw),
        alike("full80", "nine nets of 80 hidden units with all 393 contact inputs (f of Mannen & Wiering)", ByClass, 80, Contact, All),
        alike("single-partial-linear", "one net without a hidden layer with part of the raw inputs for all positions (g of Mannen & Wiering)", Single, 0, Contact, PartlyRaw),
        alike("pubeval-linear", "a net for contact and one for races, without a hidden layer, with PubEval's 122 inputs: what can learning make of them? (Schaeffer, Hlynka & Jussila ask it of Chinook's)", ByContact, 0, PubEval, OfTheOpponent),
    ];

    /// The architecture of these parts, with its name if it has one.
    #[must_use]
    pub fn new(
        sharing: NetSharing,
        layers: [HiddenLayers; 3],
        encoding: Option<Encoding>,
        inputs: InputChoice,
        units: Activations,
    ) -> Architecture {
        // One net for all positions reads the contact encoding unless another is named.
        let encoding = encoding.or((sharing == Single).then_some(Contact));
        let layers = if encoding.is_some() { [layers[2]; 3] } else { layers };
        let shape =
            Architecture { name: "", meaning: "", sharing, layers, encoding, inputs, units };
        let same = |row: &&Architecture| Architecture { name: "", meaning: "", ..**row } == shape;
        Architecture::ALL.iter().find(same).copied().unwrap_or(shape)
    }

    /// The architecture that this name or shape denotes.
    #[must_use]
    pub fn named(name: &str) -> Option<Architecture> {
        name.parse().ok()
    }

    /// The name; empty for a shape without one.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// A description with its source; empty for a shape without a name.
    #[must_use]
    pub const fn meaning(&self) -> &'static str {
        self.meaning
    }

    fn layers_of(&self, encoding: Encoding) -> HiddenLayers {
        match encoding {
            Endgame => self.layers[0],
            Race => self.layers[1],
            Contact | Raw | PubEval => self.layers[2],
        }
    }

    /// Hidden units of a net that reads `encoding`.
    #[must_use]
    pub fn hidden(&self, encoding: Encoding) -> usize {
        self.layers_of(encoding)[0]
    }

    /// Units of the second hidden layer of a net that reads `encoding`; 0 if it has none.
    #[must_use]
    pub fn second(&self, encoding: Encoding) -> usize {
        self.layers_of(encoding)[1]
    }

    /// The encoding that the net of `class` reads.
    #[must_use]
    pub fn encoding_of(&self, class: Class) -> Encoding {
        self.encoding.unwrap_or(class.spec().encoding)
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
}
